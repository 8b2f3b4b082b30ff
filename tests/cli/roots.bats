#!/usr/bin/env bats
# Images of several folders: --images given more than once.
# shellcheck disable=SC2154 # run sets stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  pipeline steps.json '{"type": "RandomHorizontalFlip"}, {"type": "RandomCrop", "size": [60, 60], "pad_if_needed": true}'
  # both/ has the contents of north/ and south/
  mkdir -p north/deep south/deep both/deep
  put north a.jpg street/0001.jpg
  put north deep/b.jpg street/0001.jpg
  put south c.jpg street/0001.jpg
  put south deep/d.png hills/0002.png
}

# put FOLDER NAME SAMPLE: the image is in the folder, and in both/.
put() {
  cp "$samples/images/$3" "$1/$2"
  cp -p "$1/$2" "both/$2"
}

# annotate: in.json is of the images of both/, with the objects of one sample each.
annotate() {
  jq -c '
    (.images | map(select(.file_name == "street/0001.jpg"))[0]) as $image
    | [.annotations[] | select(.image_id == $image.id)] as $objects
    | .images = [["a.jpg", "deep/b.jpg", "c.jpg"] | to_entries[] | $image + {id: (.key + 1), file_name: .value}]
    | .annotations = [range(3) as $i | $objects[] | . + {id: (.id * 10 + $i), image_id: ($i + 1)}]' \
    "$samples/annotations.json" > in.json
}

two=(-p steps.json -i north -i south)
one=(-p steps.json -i both)

# refused CODE EXIT WORDS -- OPTIONS: run, its dry run and preview refuse, and leave nothing.
refused() {
  local code=$1 exit=$2 words=$3 command
  shift 4
  for command in 'run -o out' 'run --dry-run' 'preview -o sheet.png'; do
    # shellcheck disable=SC2086 # a command and its options
    run "-$exit" --separate-stderr "$lockstep" $command -p steps.json "$@"
    [[ $stderr == *"$words"*"[$code]"* ]] || { echo "$command: $stderr"; return 1; }
    [ ! -e out ] && [ ! -e sheet.png ]
  done
}

@test "roots: images of two folders are as if they were in one, in any order" {
  run -0 "$lockstep" run -q "${one[@]}" -o whole -n 2
  run -0 "$lockstep" run -q "${two[@]}" -o out -n 2
  same_tree whole out
  run -0 "$lockstep" run -q -p steps.json -i ./south/ -i "$PWD/north" -o turned -n 2 -j 1
  same_tree whole turned
  run -0 "$lockstep" run -q "${two[@]}" -o eager -n 2 --optimize none
  diff -r whole/images eager/images
  [ "$(find out/images -type f | wc -l)" -eq 8 ]
}

@test "roots: previews, dry runs, explain and profile take several folders" {
  run -0 --separate-stderr "$lockstep" run "${one[@]}" --dry-run
  echo "$output" > whole.jsonl
  run -0 --separate-stderr "$lockstep" run "${two[@]}" --dry-run
  diff whole.jsonl <(echo "$output")
  run -0 "$lockstep" preview "${one[@]}" -o whole.png
  run -0 "$lockstep" preview "${two[@]}" -o sheet.png
  cmp whole.png sheet.png
  run -0 "$lockstep" explain "${two[@]}"
  run -0 --separate-stderr "$lockstep" profile "${two[@]}" --repeat 1
  [[ $output == *'4 results of 4 images'* ]]
}

@test "roots: annotations name images of each folder" {
  annotate
  run -0 "$lockstep" run -q "${one[@]}" -a in.json -o whole -n 2
  run -0 "$lockstep" run -q "${two[@]}" -a in.json -o out -n 2
  same_tree whole out
  # the draws are those of the names in the annotations, whatever is taken from these
  jq -c '.images[].file_name |= "data/" + .' in.json > prefixed.json
  run -0 "$lockstep" run -q "${one[@]}" -a prefixed.json --strip-prefix data/ -o stripped
  run -0 "$lockstep" run -q "${two[@]}" -a prefixed.json --strip-prefix data/ -o out2
  same_tree stripped out2
  jq -c '.images[].file_name |= "elsewhere/" + (split("/") | last)' in.json > moved.json
  run -0 "$lockstep" run -q "${one[@]}" -a moved.json --match basename -o matched
  run -0 "$lockstep" run -q "${two[@]}" -a moved.json --match basename -o out3
  same_tree matched out3
}

@test "roots: images that others lend to are found in each folder" {
  annotate
  pipeline mosaic.json '{"type": "Mosaic"}'
  run -0 "$lockstep" run -q -p mosaic.json -i both -a in.json -o whole -n 3
  run -0 "$lockstep" run -q -p mosaic.json -i north -i south -a in.json -o out -n 3
  same_tree whole out
}

@test "roots: files that are not taken are told with the folder that has them" {
  annotate
  echo notes > north/notes.txt
  run -0 --separate-stderr "$lockstep" run -v "${two[@]}" -a in.json -o out
  [[ $stderr == *'north/notes.txt is not taken'* && $stderr == *'south/deep/d.png is not taken'* ]]
  run -0 --separate-stderr "$lockstep" run -v "${two[@]}" -o out2
  [[ $stderr == *'north/notes.txt is not taken'* && $stderr != *'d.png is not taken'* ]]
}

@test "roots: equal names in two folders are a fault" {
  cp south/c.jpg south/a.jpg
  refused images-equal 4 'a.jpg: it is in both north and south' -- -i north -i south
  annotate
  refused image-ambiguous 4 'it is in north and in south' -- -i north -i south -a in.json
  refused images-equal 4 'a.jpg: it is in both north and south' -- -i north -i south --on-error skip
  rm south/a.jpg
  cp south/c.jpg south/deep/a.jpg
  refused image-ambiguous 4 '2 files are called a.jpg' -- -i north -i south -a in.json --match basename
  run -0 "$lockstep" run -q "${two[@]}" -a in.json -o fine
  run -0 "$lockstep" run -q "${two[@]}" -o all
}

@test "roots: a folder given twice, or inside of another, is refused" {
  ln -s north also
  refused images-nested 2 'north: it is, or is inside, north' -- -i north -i north
  refused images-nested 2 'also: it is, or is inside, north' -- -i north -i south -i also
  refused images-nested 2 'north/deep: it is, or is inside, north' -- -i north/deep -i north
  refused images-nested 2 'north/a.jpg: it is, or is inside, ./north/' -- -i ./north/ -i north/a.jpg
  mkdir northern
  cp north/a.jpg northern/e.jpg
  run -0 "$lockstep" run -q "${two[@]}" -i northern -o out
}

@test "roots: a folder that is missing is named, whichever it is" {
  refused images-unread 4 'none: No such file' -- -i north -i none
  refused images-unread 4 'none: No such file' -- -i none -i south
  annotate
  refused images-unread 4 'none: annotations need a folder' -- -i north -i none -a in.json
  refused images-unread 4 'south/c.jpg: annotations need a folder' -- -i north -i south/c.jpg -a in.json
  jq -c '.images[0].file_name = "nowhere.jpg"' in.json > lost.json
  run -4 --separate-stderr "$lockstep" run "${two[@]}" -a lost.json -o out
  [[ $stderr == *nowhere.jpg* ]]
}

@test "roots: single files count as images of their folders" {
  run -0 "$lockstep" run -q -p steps.json -i north/a.jpg -i north/deep/b.jpg -i south -o out
  [ "$(jq -r .source out/manifest.jsonl | tr '\n' ' ')" = 'a.jpg b.jpg c.jpg deep/d.png ' ]
  # an output beside single files is taken, one in a folder is not
  run -0 "$lockstep" run -q -p steps.json -i north/a.jpg -i south -o north/out
  run -2 "$lockstep" run -q "${two[@]}" -o south/out
  [ ! -e south/out ]
}

@test "roots: names are chosen from all folders" {
  run -0 "$lockstep" run -q "${two[@]}" -o out south/c.jpg deep/b.jpg
  [ "$(jq -r .source out/manifest.jsonl | tr '\n' ' ')" = 'c.jpg deep/b.jpg ' ]
  run -0 "$lockstep" run -q "${two[@]}" -o deep --include 'deep/*' --exclude '*.png'
  [ "$(jq -r .source deep/manifest.jsonl)" = deep/b.jpg ]
}

@test "roots: masks of both folders are found by their names" {
  mkdir -p masks/deep
  cp "$samples/masks/street/0001.png" masks/a.png
  cp "$samples/masks/street/0001.png" masks/deep/b.png
  cp "$samples/masks/street/0001.png" masks/c.png
  cp "$samples/masks/hills/0002.png" masks/deep/d.png
  run -0 "$lockstep" run -q "${one[@]}" --masks masks -o whole
  run -0 "$lockstep" run -q "${two[@]}" --masks masks -o out
  same_tree whole out
  [ "$(find out/masks -type f | wc -l)" -eq 4 ]
}

@test "roots: labels beside each folder, or in one, are found" {
  local part
  for part in a:north c:south; do
    mkdir -p "data/images/${part#*:}" "data/labels/${part#*:}"
    cp "${part#*:}/${part%:*}.jpg" "data/images/${part#*:}"
    echo '0 0.5 0.5 0.4 0.4' > "data/labels/${part#*:}/${part%:*}.txt"
  done
  echo 'names: [thing]' > data/data.yaml
  pipeline flip.json '{"type": "horizontal_flip"}'
  run -0 --separate-stderr "$lockstep" run -p flip.json -i data/images/north -i data/images/south -a data/labels -o out
  [ "$(find out/labels -name '*.txt' -size +0 | wc -l)" -eq 2 ]
}

@test "roots: links of every folder are followed, inside of the sandbox, or refused" {
  mkdir store linked
  mv south/c.jpg store/0815
  ln -s ../store/0815 south/c.jpg
  ln -s ../north/deep linked/more
  cp -r north/deep kept
  run -0 "$lockstep" run -q "${one[@]}" -o whole
  run -0 "$lockstep" run -q "${two[@]}" -o out --sandbox auto
  same_tree whole out
  run -4 --separate-stderr "$lockstep" run "${two[@]}" -o refused --no-follow
  [[ $stderr == *c.jpg* ]]
  run -0 "$lockstep" run -q -p steps.json -i south -i linked -o out2
  [ "$(jq -r .source out2/manifest.jsonl | tr '\n' ' ')" = 'c.jpg deep/d.png more/b.jpg ' ]
}

@test "roots: a run that was killed resumes with the same folders" {
  run -0 "$lockstep" run -q "${two[@]}" -o whole -n 2
  (exec strace -qq -o /dev/null -e trace=pwrite64 -e inject=pwrite64:signal=KILL:when=5 \
    "$lockstep" run -q "${two[@]}" -o out -n 2 -j 1) || true
  [ -e out/.lockstep/journal ] && [ ! -e out/run.json ]
  "$lockstep" status out --json > status.json
  jq -e '.done > 0 and .done < 4' status.json || { cat status.json; return 1; }
  # fewer folders are other images; in another order they are the same
  run -0 "$lockstep" run -q -p steps.json -i south -i north -o out -n 2 --resume
  same_tree whole out
  touch -d '2001-01-01' south/c.jpg
  run -0 "$lockstep" run -q "${two[@]}" -o out -n 2 --overwrite
  same_tree whole out
}
