#!/usr/bin/env bats
# Datasets with several parts in every command: replay, back, merge, preview, explain, profile, tars, streams.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  python3 "$root/tests/tools/divide_samples.py" "$samples" in
  pipeline p.json '{"type": "RandomHorizontalFlip"}, {"type": "RandomRotation", "degrees": 20}'
}

# run_parts OUT OPTION...: p.json on the dataset in.
run_parts() { "$lockstep" run -q -p p.json -a in -o "$1" --durability none "${@:2}"; }

# replays OUT [DATASET]: replay makes the bytes of OUT, and --verify finds no difference.
replays() {
  rm -rf again
  "$lockstep" replay -q -m "$1/manifest.jsonl" -a "${2:-in}" -o again --durability none
  diff -r -x run.json "$1" again
  "$lockstep" replay -q --verify -m "$1/manifest.jsonl" -a "${2:-in}" -o "$1"
}

@test "commands: replay makes the outputs of a dataset with parts again" {
  local how
  run_parts plain
  replays plain
  run_parts one --part val2017 -n 2 --include-original
  replays one
  run_parts names --copies train2017=3 --name-template '{dir}/new_{stem}_{ext}_{copy}'
  replays names
  [ -f names/train2017/street/new_0001_jpg_002.jpg ]
  for how in copy hard symbolic none; do
    run_parts "$how" --apply-to train2017 --copies train2017=2 --link "$how"
    replays "$how"
  done
  run_parts balanced --balance max --apply-to train2017 --max-copies 3
  replays balanced
  "$lockstep" replay -q -m plain/manifest.jsonl -a in -o some --only 'val2017/park/*'
  [ "$(find some -name '*.jpg' | wc -l)" -eq "$(find in/val2017/park -name '*.jpg' | wc -l)" ]
}

# bats test_tags=release
@test "commands: replay keeps the layout of the run, whatever it was made from" {
  local to from
  for to in coco roboflow yolo voc hf labelme; do
    run_parts "$to" --to "$to" --lossy --apply-to train2017
    replays "$to"
  done
  # An output is a source: the same format in another layout, and the other way.
  for from in roboflow hf yolo; do
    for to in coco "$from"; do
      rm -rf out
      "$lockstep" run -q -p p.json -a "$from" -o out --to "$to" --lossy
      replays out "$from"
    done
    rm -rf out
    "$lockstep" run -q -p p.json -a "$from" -o out
    replays out "$from"
  done
}

@test "commands: passed images keep objects that the pipeline's rules drop, in a replay, too" {
  jq '.annotations = {"min_area": 1e6}' p.json > rules.json
  mv rules.json p.json
  run_parts out --apply-to train2017
  [ "$(jq '.annotations | length' out/annotations/instances_val2017.json)" -gt 5 ]
  replays out
}

@test "commands: replay --verify finds changed annotations and images of any part" {
  run_parts out --apply-to train2017
  for part in train2017 val2017; do
    cp -r out bad
    rm bad/annotations/instances_$part.json
    sed 's/"iscrowd"/"iscrowd_"/' out/annotations/instances_$part.json > bad/annotations/instances_$part.json
    run -1 --separate-stderr "$lockstep" replay --verify -m out/manifest.jsonl -a in -o bad
    [[ $stderr == *"$part/"*"its annotations differ [replay-differs]"* ]]
    [ "$(grep -c "^lockstep: [tv].*replay-differs" <<< "$stderr")" -eq "$(grep -c "^lockstep: $part/.*replay-differs" <<< "$stderr")" ]
    rm -r bad
  done
  rm -rf bad
  run_parts links --apply-to train2017 --link symbolic
  rm links/val2017/park/0001.jpg
  cp in/val2017/park/0001.jpg links/val2017/park/0001.jpg
  printf x >> links/val2017/park/0001.jpg
  run -1 --separate-stderr "$lockstep" replay --verify -m links/manifest.jsonl -a in -o links
  [[ $stderr == *val2017/park/0001.jpg*'[replay-differs]'* ]]
}

@test "commands: replay refuses a dataset of other parts, and says what it needs" {
  run_parts out
  refuses option-missing 2 "$lockstep" replay -m out/manifest.jsonl -i in/train2017 -o none
  refuses part-unknown 2 "$lockstep" replay -m out/manifest.jsonl -a train2017=in/annotations/instances_train2017.json \
    -i in/train2017 -o none
  "$lockstep" convert -q -a in -o converted --to coco
  replays converted
  "$lockstep" concat -q in out -o both
  refuses replay-foreign 4 "$lockstep" replay -m both/manifest.jsonl -a in -o none
  "$lockstep" split -a in -o divided --ratio 1:1 > text
  refuses part-unknown 2 "$lockstep" replay -m divided/manifest.jsonl -a in -o none
}

@test "commands: --name-template names an output within its part" {
  run_parts out --name-template 'new/{stem}_{ext}_{dir/\//_}' --limit 12
  [ -f out/train2017/new/0001_jpg_street.jpg ]
  [ "$(jq -r '.images[0].file_name' out/annotations/instances_train2017.json)" = new/0001_jpg_street.jpg ]
  "$lockstep" verify out
  "$lockstep" convert -q -a in -o yolo --to yolo --lossy
  "$lockstep" run -q -p p.json -a yolo -o other --name-template '{dir/\//_}_{stem}_{ext}'
  [ -f other/labels/train/street_0001_jpg.txt ]
  "$lockstep" verify other
}

@test "commands: --apply-to, --copies and --part take the names of the source, or of the output" {
  local name
  for name in train2017 train; do
    run_parts "$name" --to yolo --lossy --apply-to "$name" --copies "$name=2"
    same_tree train2017 "$name"
  done
  for name in val2017 valid; do
    run_parts "one_$name" --to roboflow --part "$name"
    same_tree one_val2017 "one_$name"
  done
  refuses part-unknown 2 "$lockstep" run -p p.json -a in -o none --to yolo --lossy --apply-to test
}

@test "commands: back maps results of each part" {
  local part
  # The same ids in both parts.
  for part in train2017 val2017; do
    jq -c '(.images | to_entries | map({(.value.id | tostring): (.key + 1)}) | add) as $new |
      .images |= map(.id = $new[.id | tostring]) | .annotations |= map(.image_id = $new[.image_id | tostring])' \
      in/annotations/instances_$part.json > new.json
    mv new.json in/annotations/instances_$part.json
  done
  pipeline p.json '{"type": "horizontal_flip"}'
  run_parts out
  for part in train2017 val2017; do
    jq -c '[.annotations[] | select(.iscrowd != 1 and .bbox) | {image_id, category_id, bbox, score: 0.5}]' \
      out/annotations/instances_$part.json > results.json
    "$lockstep" back -q -m out/manifest.jsonl -r results.json --part $part \
      -a in/annotations/instances_$part.json -o back.json --overwrite
    diff <(jq -c '[.annotations[] | select(.iscrowd != 1 and .bbox) | [.image_id, .category_id, (.bbox | map(round))]] | sort | .[]' \
      in/annotations/instances_$part.json) <(jq -c '[.[] | [.image_id, .category_id, (.bbox | map(round))]] | sort | .[]' back.json)
  done
  refuses replay-twice 4 "$lockstep" back -m out/manifest.jsonl -r results.json -o none.json
  refuses part-unknown 2 "$lockstep" back -m out/manifest.jsonl -r results.json -o none.json --part val
  refuses option-missing 2 "$lockstep" back -m out/manifest.jsonl -r results.json -o none.json -a in/annotations/instances_val2017.json
}

@test "commands: merge of links, and merge --link symbolic" {
  local how
  run_parts whole --apply-to train2017 --link symbolic -n 2
  for i in 0 1; do run_parts "part$i" --apply-to train2017 --link symbolic -n 2 --shard "$i/2"; done
  for how in hard copy symbolic move; do
    rm -rf out
    "$lockstep" merge -q part0 part1 -o out --link "$how"
    same_tree whole out
    [ -L out/val2017/park/0001.jpg ]
    "$lockstep" verify out
    [ "$how" != symbolic ] || [ -L out/train2017/street/0001__a001.jpg ]
  done
  # The last merge moved everything, folders included.
  [ -z "$(find part0 part1 -mindepth 1 -type d ! -path '*/.lockstep*')" ]
}

@test "commands: tars of a dataset with parts leave no folders, and contain the images of passed parts" {
  local how
  run_parts out --apply-to train2017 --out-format webdataset
  "$lockstep" verify out
  [ ! -e out/train2017 ]
  [ ! -e out/val2017 ]
  [ "$(find out -mindepth 1 -type d)" = out/annotations ]
  for how in hard symbolic none; do
    refuses option-unused 2 "$lockstep" run -p p.json -a in -o none --apply-to train2017 --link $how --out-format webdataset
    refuses option-unused 2 "$lockstep" run -p p.json -a in -o - --apply-to train2017 --link $how
  done
}

@test "commands: verify finds a missing or changed file of each part" {
  local from file
  for from in coco voc hf roboflow; do
    [ "$from" = coco ] || "$lockstep" convert -q -a in -o "$from" --to "$from" --lossy
    [ "$from" != coco ] || cp -r in coco
    "$lockstep" run -q -p p.json -a "$from" -o out --durability none --checksums
    "$lockstep" verify out
    (cd out && sha256sum -c --quiet SHA256SUMS)
    for file in $(jq -r '.files[] | select(contains("/"))' out/run.json); do
      mv out/"$file" saved
      run -1 --separate-stderr "$lockstep" verify out
      [[ $output == *"$file: it is not there [verify-missing]"* ]]
      { cat saved && echo; } > out/"$file"
      run -1 --separate-stderr "$lockstep" verify out
      [[ $output == *"$file: its SHA-256 differs [verify-hash]"* ]]
      mv saved out/"$file"
    done
    [ "$(jq '.files | map(select(contains("/"))) | length' out/run.json)" -gt 1 ]
    rm -r out
  done
}

@test "commands: explain, preview and profile of a dataset with parts" {
  local to name
  for to in coco yolo voc roboflow hf labelme; do
    [ "$to" = coco ] || "$lockstep" convert -q -a in -o "$to" --to "$to" --lossy
    [ "$to" != coco ] || cp -r in coco
    run_parts out
    "$lockstep" explain -p p.json -a "$to" --json --limit 100 > told
    [ "$(wc -l < told)" -eq 15 ]
    name=$(jq -sr '.[14].image' told)
    run -0 "$lockstep" explain -p p.json -a "$to" "$name"
    [[ ${lines[0]} == "$name, copy 0: "* ]]
    "$lockstep" preview -q -p p.json -a "$to" -o sheet.png --limit 2 --overwrite "$name"
    run -0 --separate-stderr "$lockstep" profile -p p.json -a "$to" --repeat 1 "$name"
    rm -rf out
  done
  run -0 "$lockstep" explain -p p.json -a in --part val2017 --limit 100 --json
  [ "$(jq -r .image <<< "$output" | grep -c ^val2017/)" -eq 5 ]
  for to in explain 'preview -o none.png' profile; do
    refuses part-unknown 2 "$lockstep" $to -p p.json -a in --part test
    refuses image-unknown 2 "$lockstep" $to -p p.json -a in park/0001.jpg
    refuses option-missing 2 "$lockstep" $to -p p.json -a in/annotations/instances_val2017.json
    refuses annotations-unread 4 "$lockstep" $to -p p.json -a none
  done
}

@test "commands: explain without images refuses options of images" {
  local words
  for words in '--seed 3' '--trust file' '--include *.jpg' '--categories person' '--labels folders' '--voc-base 0' \
    '--part val2017' '--max-pixels 100' '--compat strict' '-n 2' name; do
    # shellcheck disable=SC2086 # options and their values
    refuses option-missing 2 "$lockstep" explain -p p.json $words
  done
  "$lockstep" explain -p p.json --optimize none --json | jq -e .passes > text
}

@test "commands: words that name no dataset, and no part of one, are refused" {
  local words
  refuses annotations-unread 4 "$lockstep" run -p p.json -a none -o out
  refuses annotations-unread 4 "$lockstep" convert -a none --to yolo -o out
  refuses annotations-unread 4 "$lockstep" concat none in -o out
  refuses dataset-parts 2 "$lockstep" run -p p.json -i train2017=in/train2017 -o out
  refuses dataset-parts 2 "$lockstep" run -p p.json -a in -i train2017=in/train2017 -o out
  refuses option-unused 2 "$lockstep" run -p p.json -i in -o out --part train2017
  mkdir images masks
  cp in/val2017/park/0001.jpg images
  cp "$samples/masks/park/0001.png" masks
  mkdir alone
  mv images masks alone
  run -2 --separate-stderr "$lockstep" run -p p.json -a alone -o out --part train
  [[ $stderr == *"the dataset has no parts [part-unknown]"* ]]
}

@test "commands: LabelMe files in folders of a part are labels, and the folders no classes" {
  "$lockstep" convert -q -a in -o labelme --to labelme --lossy
  "$lockstep" stats labelme --json > text
  [ "$(jq -c '[.format, .images, (.objects > 50)]' text)" = '["labelme",15,true]' ]
  "$lockstep" run -q -p p.json -a labelme -o out
  [ -f out/val2017/park/0001.json ]
  # A part without a name is in images, or in the folder itself.
  "$lockstep" convert -q -i "$samples/images" -a "$samples/annotations.json" -o alone --to labelme --lossy
  cp -r alone/images flat
  for from in alone flat; do
    [ "$("$lockstep" stats $from --json | jq -c '[.format, .images]')" = '["labelme",15]' ]
    rm -rf out
    "$lockstep" run -q -p p.json -a $from -o out
    [ -f out/images/park/0001.json ]
  done
  "$lockstep" diff alone alone
}

@test "commands: a tar on stdout is of one part, as names of samples do not have the part" {
  refuses stream-parts 2 "$lockstep" run -p p.json -a in -o - --out-format webdataset
  "$lockstep" run -q -p p.json -a in -o - --part val2017 > one.tar
  [ "$(tar tf one.tar | grep -c '\.jpg$')" -eq "$(find in/val2017 -name '*.jpg' | wc -l)" ]
}

@test "commands: a dataset may have many parts" {
  local i words=()
  "$lockstep" convert -q -a in -o voc --to voc --lossy --part train2017
  for i in 1 2 3 4 5 6 7 8 9 10; do
    sed -n "${i}p" voc/ImageSets/Main/train.txt > voc/ImageSets/Main/part$i.txt
    cp -r in "in$i"
    words+=("in$i")
  done
  rm voc/ImageSets/Main/train.txt
  "$lockstep" run -q -p p.json -a voc -o out
  "$lockstep" verify out
  replays out voc
  "$lockstep" diff voc voc
  "$lockstep" stats voc --json | jq -e '.images == 10'
  "$lockstep" concat -q "${words[@]}" -o both --to yolo --lossy
  [ "$(find both/labels/train -name '*.txt' | wc -l)" -eq 100 ]
}

# intact FROM COPY: the dataset was not written to.
intact() { diff -r "$1" "$2"; }

@test "commands: files and folders that a dataset is read from are not written" {
  local to file
  for to in yolo voc hf roboflow labelme; do "$lockstep" convert -q -a in -o "$to" --to "$to" --lossy; done
  for to in in yolo voc hf roboflow labelme; do
    cp -r "$to" copy
    while read -r file; do
      refuses out-inside 2 "$lockstep" run -p p.json -a copy -o out --one-hot "$file" --overwrite
      [ ! -e out ]
    done < <(find copy -name 'instances_*.json' -o -name data.yaml -o -name '*.txt' -path '*/Main/*' -o \
      -name metadata.jsonl -o -name _annotations.coco.json -o -path '*/park/0001.jpg')
    while read -r file; do
      refuses out-inside 2 "$lockstep" run -p p.json -a copy -o "$file/new" --overwrite
    done < <(find copy -type d -name park -o -type d -name train2017 -o -type d -name JPEGImages)
    refuses out-inside 2 "$lockstep" run -p p.json -a copy -o copy --overwrite
    intact "$to" copy
    rm -r copy
  done
  refuses out-inside 2 "$lockstep" run -p p.json -a train=in/annotations/instances_train2017.json \
    -a val=in/annotations/instances_val2017.json -i train=in/train2017 -i val=in/val2017 --part val -o in/val2017/new
  refuses out-inside 2 "$lockstep" run -p p.json -a train=in/annotations/instances_train2017.json \
    -i train=in/train2017 -o out --one-hot in/annotations/instances_train2017.json --overwrite
}

@test "commands: merge --link symbolic copies files of labels, and is refused for tars" {
  local i to
  for to in yolo labelme voc; do
    rm -rf shard0 shard1 whole out
    for i in 0 1; do run_parts shard$i --to $to --lossy --shard $i/2; done
    run_parts whole --to $to --lossy
    "$lockstep" merge -q shard0 shard1 -o out --link symbolic
    same_tree whole out
    "$lockstep" verify out
    [ -n "$(find out -type l -name '*.jpg')" ]
    [ -z "$(find out -type l ! -name '*.jpg' ! -name '*.png' ! -name '*.webp' ! -name '*.tif*')" ]
  done
  rm -r shard0 shard1 out
  for i in 0 1; do run_parts shard$i --out-format webdataset --shard $i/2; done
  refuses option-unused 2 "$lockstep" merge shard0 shard1 -o out --link symbolic
  "$lockstep" merge -q shard0 shard1 -o out
}

@test "commands: masks of passed images, with any --link" {
  local how
  cp -r "$samples/masks" masks
  for how in copy hard symbolic none; do
    rm -rf out
    run_parts out --masks masks --apply-to train2017 --link $how
    "$lockstep" verify out
    [ $how = none ] || cmp masks/park/0001.png out/masks/val2017/park/0001.png
    "$lockstep" replay -q --verify -m out/manifest.jsonl -a in --masks masks -o out
  done
}

@test "commands: --strip-prefix removes it in all parts, and is proposed where it helps" {
  local part
  for part in train2017 val2017; do
    jq -c '.images |= map(.file_name = "old/" + .file_name)' in/annotations/instances_$part.json > new
    mv new in/annotations/instances_$part.json
  done
  run -4 --separate-stderr "$lockstep" run -p p.json -a in -o out
  [[ $stderr == *"with --strip-prefix old/ it is found"* ]]
  run_parts out --strip-prefix old/
  [ -f out/train2017/street/0001.jpg ]
  "$lockstep" verify out
  replays out
}
