#!/usr/bin/env bats
# Choosing images: by name, pattern, list, category. Chosen images have the same files, ids, names and draws as in a run
# of all images.
# shellcheck disable=SC2030,SC2031,SC2046,SC2154 # run sets output, stderr and stderr_lines; names have no blanks
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  pipeline draw.json '{"type": "RandomHorizontalFlip", "p": 0.5}, {"type": "RandomRotation", "degrees": 20},
                      {"type": "ColorJitter", "brightness": 0.3}, {"type": "RandomIoUCrop"}'
  coco=(-p draw.json -i "$samples/images" -a "$samples/annotations.json" --masks "$samples/masks" -n 2 -q)
}

# part PART WHOLE: its files are the other's, so are the lines of its manifest, and its annotations those of its images.
part() {
  local file
  (cd "$1" && find images masks -type f) > files
  while IFS= read -r file; do cmp "$1/$file" "$2/$file"; done < files
  grep -vxFf "$2/manifest.jsonl" "$1/manifest.jsonl" && return 1
  jq -e -s --slurpfile lines "$1/manifest.jsonl" '
    .[0] as $part | .[1] as $all | ($part.images | map(.id)) as $ids
    | ($ids | length) == ($lines | length) and ($part.categories == $all.categories)
      and $part.images == [$all.images[] | select(.id as $i | $ids | index($i))]
      and $part.annotations == [$all.annotations[] | select(.image_id as $i | $ids | index($i))]' \
    "$1/annotations.json" "$2/annotations.json"
}

# taken OUT NAME...: these images of the samples, and no others.
taken() {
  [ "$(jq -r .source "$1/manifest.jsonl" | sort -u | tr '\n' ' ')" = "$(printf '%s\n' "${@:2}" | sort | tr '\n' ' ')" ]
}

@test "choice: names, patterns, lists and categories choose images, which are as in a run of all" {
  run -0 "$lockstep" run "${coco[@]}" -o all
  run -0 "$lockstep" run "${coco[@]}" -o names street/0001.jpg "$samples/images/hills/0002.png"
  part names all
  taken names street/0001.jpg hills/0002.png
  run -0 "$lockstep" run "${coco[@]}" -o patterns --include 'street/*' --include '0002.*' --exclude 'hills*'
  part patterns all
  taken patterns $(cd "$samples/images" && printf '%s\n' street/* */0002.* | grep -v ^hills | sort -u)
  printf '\xef\xbb\xbfstreet/0001.jpg\r\n\r\nhills/0002.png' > list.txt
  run -0 "$lockstep" run "${coco[@]}" -o list --images-from list.txt
  part list all
  taken list street/0001.jpg hills/0002.png
  printf 'street/0001.jpg\0hills/0002.png\0' | "$lockstep" run "${coco[@]}" -o nul --images-from -
  diff -r list nul
  diff -r list names
  run -0 "$lockstep" run "${coco[@]}" -o categories --categories bird,cup --categories laptop
  part categories all
  taken categories $(jq -r '[.categories[] | select(.name | IN("bird", "cup", "laptop")).id] as $c
    | [.annotations[] | select(.category_id | IN($c[])).image_id] as $i
    | .images[] | select(.id | IN($i[])).file_name' "$samples/annotations.json")
  # all conditions must hold; --limit takes the first matches
  run -0 "$lockstep" run "${coco[@]}" -o both --categories bird --exclude 'hills/*' --limit 1
  [ "$(jq -r .source both/manifest.jsonl | sort -u | wc -l)" -eq 1 ]
  part both all
}

@test "choice: a dry run, a preview, explain and profile choose alike" {
  run -0 "$lockstep" run "${coco[@]}" -o out --include 'street/*' --categories person
  run -0 "$lockstep" run "${coco[@]}" --dry-run --include 'street/*' --categories person
  diff <(jq -c .output <<< "$output") <(jq -c .output out/manifest.jsonl)
  n=$(jq -r .source out/manifest.jsonl | sort -u | wc -l)
  coco=(-p draw.json -i "$samples/images" -a "$samples/annotations.json")
  run -0 --separate-stderr "$lockstep" preview "${coco[@]}" -n 1 --limit 100 --include 'street/*' --categories person -o a.png
  [[ $stderr == *"$n image"*", 1 copy"* ]]
  run -0 --separate-stderr "$lockstep" preview "${coco[@]}" -n 1 --sample 1 --include 'hills/*' -o b.png
  run -0 "$lockstep" explain "${coco[@]}" --json --limit 100 --include 'street/*' --categories person
  [ "$(jq -r .image <<< "$output" | sort -u | wc -l)" -eq "$n" ]
  run -0 "$lockstep" profile "${coco[@]}" --json --repeat 1 --limit 100 --images-from <(echo street/0001.jpg)
}

@test "choice: of a folder without annotations numbers stay those of the whole" {
  run -0 "$lockstep" run -p draw.json -i "$samples/images" -q -o all
  run -0 "$lockstep" run -p draw.json -i "$samples/images" -q -o some --include '*1.jpg'
  grep -vxFf all/manifest.jsonl some/manifest.jsonl && return 1
  (cd some && find images -type f) | while IFS= read -r f; do cmp "some/$f" "all/$f"; done
}

@test "choice: YOLO's and VOC's labels, and segments of a panoptic file, are chosen by category" {
  for to in yolo voc; do
    run -0 "$lockstep" run "${coco[@]:0:8}" -q -o $to --to $to --lossy
    labels=$to/labels images=images
    [ $to = yolo ] || labels=$to/Annotations images=JPEGImages
    run -0 "$lockstep" run -p draw.json -i $to/$images -a $labels -q -o $to.all
    run -0 "$lockstep" run -p draw.json -i $to/$images -a $labels -q -o $to.some --categories bird
    [ "$(jq .images.read $to.some/run.json)" -gt 0 ]
    [ "$(jq .images.read $to.some/run.json)" -lt "$(jq .images.read $to.all/run.json)" ]
    (cd $to.some && find $images "${labels#*/}" -type f) | while IFS= read -r f; do
      cmp "$to.some/$f" "$to.all/$f"
    done
  done
  cmp yolo.all/data.yaml yolo.some/data.yaml
  python3 "$here/tools/panoptic.py" draw data
  pipeline flip.json '{"type": "horizontal_flip"}'
  run -0 "$lockstep" run -p flip.json -i data/images -a data/panoptic.json -q -o segments.all
  name=$(jq -r '.categories[0].name' data/panoptic.json)
  run -0 "$lockstep" run -p flip.json -i data/images -a data/panoptic.json -q -o segments.some --categories "$name"
  diff <(jq -c '.images[].file_name' segments.some/annotations.json) \
    <(jq -c --arg name "$name" '[.categories[] | select(.name == $name).id] as $c
        | [.annotations[] | select(any(.segments_info[]; .category_id | IN($c[]))).image_id] as $i
        | .images[] | select(.id | IN($i[])).file_name' data/panoptic.json)
  (cd segments.some && find images annotations -type f) | while IFS= read -r f; do
    cmp "segments.some/$f" "segments.all/$f"
  done
}

@test "choice: what cannot be is a fault, and nothing is written" {
  refused() { # CODE WORD OPTION...
    run -"$1" --separate-stderr "$lockstep" run "${coco[@]}" -o out "${@:3}"
    [[ $stderr == *"[$2]" ]] || { echo "$stderr"; return 1; }
    [ ! -e out ]
  }
  refused 2 image-unknown street/0009.jpg
  [[ $stderr == *"street/0009.jpg: no such image in the dataset; did you mean \"street/000"* ]]
  printf 'street/0001.jpg\n\nnowhere.jpg\n' > list
  refused 2 image-unknown --images-from list
  [[ $stderr == *"list:3: nowhere.jpg: no such image"* ]]
  refused 4 images-unread --images-from missing
  : > empty
  refused 4 images-none --images-from empty
  refused 4 images-none --include 'no*'
  [[ $stderr == *"the selection matches no image of the dataset, which has $(jq '.images | length' "$samples/annotations.json")"* ]]
  refused 2 category-unknown --categories brid
  [[ $stderr == *'did you mean "bird"?'* ]]
  run -2 --separate-stderr "$lockstep" run -p draw.json -i "$samples/images" -o out --categories bird
  [[ $stderr == *"without annotations there are no categories [option-unused]" ]]
  run -2 --separate-stderr "$lockstep" run -p - -i "$samples/images" -o out --images-from - < draw.json
  [[ $stderr == *"stdin can be read for one option only [option-value]" ]]
  [ ! -e out ]
}

@test "choice: it is part of the run's key; a stopped run resumes only with the same choice" {
  run -0 "$lockstep" run "${coco[@]}" -o whole --include 'street/*'
  [ "$(jq -c '.key.choice | [.include, .exclude, .categories, .names]' whole/run.json)" = '[["street/*"],[],[],0]' ]
  [ "$(jq .key.choice <("$lockstep" run "${coco[@]}" -o none && cat none/run.json))" = null ]
  run -6 --separate-stderr "$lockstep" run "${coco[@]}" -o whole --resume --include 'hills/*'
  [[ $stderr == *"was of other images: another --include, --exclude"*"[resume-key]"* ]]
  run -0 --separate-stderr "$lockstep" run "${coco[@]:0:8}" -n 2 -o whole --resume --include 'street/*'
  [[ $stderr == *"is finished"* ]]
  # stopped by a signal with some images done
  (exec strace -qq -o /dev/null -e trace=pwrite64 -e inject=pwrite64:signal=KILL:when=4 \
    "$lockstep" run "${coco[@]}" -j 1 -o stopped --include 'street/*') || true
  [ -e stopped/.lockstep/journal ]
  run -6 "$lockstep" run "${coco[@]}" -o stopped --resume
  run -0 "$lockstep" run "${coco[@]}" -o stopped --resume --include 'street/*'
  diff -r stopped whole
  run -0 "$lockstep" run "${coco[@]}" -o whole --overwrite --include 'hills/*'
  [ ! -e whole/images/street ]
  run -0 "$lockstep" run "${coco[@]}" -o hills --include 'hills/*'
  diff -r whole hills
  run -0 --separate-stderr "$lockstep" status whole
  [[ $output == *"$(jq .images.read whole/run.json)"* ]]
}
