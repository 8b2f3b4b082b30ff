#!/usr/bin/env bats
# `check` of whole datasets, class folders and masks, and images that are in two parts.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() { begin; }

# lines FILE TEXT...
lines() { printf "%s\n" "${@:2}" > "$1"; }

# picture FILE KEY: a small PNG that differs for each key.
picture() {
  mkdir -p "$(dirname "$1")"
  python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import png
key = int(sys.argv[3])
open(sys.argv[2], "wb").write(png.encode([[(x * 7 + y * key) % 256 for x in range(60)] for y in range(16)], 3))' \
    "$here/lib" "$1" "$2"
}

# coco FILE NAME...: images of these names, each with a box of the class cat; ids count from 1.
coco() {
  mkdir -p "$(dirname "$1")"
  python3 -c 'import json, sys
images = [{"id": i + 1, "file_name": name, "width": 20, "height": 16} for i, name in enumerate(sys.argv[2:])]
objects = [{"id": i["id"], "image_id": i["id"], "category_id": 1, "bbox": [1, 1, 5, 5], "area": 25, "iscrowd": 0,
            "segmentation": [[1, 1, 6, 1, 6, 6, 1, 6]]} for i in images]
json.dump({"images": images, "annotations": objects, "categories": [{"id": 1, "name": "cat", "supercategory": "cat"}]},
          open(sys.argv[1], "w"))' "$@"
}

# found ARGUMENT...: file and rule of each finding, without infos.
found() { "$lockstep" check "$@" --output jsonl 2> /dev/null | jq -r 'select((.severity // "info") != "info") | "\(.file) \(.rule)"'; }

# halves DIR: the parts train and val, with images of equal names.
halves() {
  picture "$1/train/a.png" 1
  picture "$1/val/a.png" 2
  coco "$1/annotations/instances_train.json" a.png
  coco "$1/annotations/instances_val.json" a.png
}

@test "dataset check: equal names and ids in two parts are different images" {
  halves in
  "$lockstep" check -a in
  "$lockstep" check in --fail-on warning
  "$lockstep" check --output json in | jq -e '[.files[].part] == ["train", "val"]'
  "$lockstep" check --output json in --part val | jq -e '[.files[].part] == ["val"]'
  run -2 --separate-stderr "$lockstep" check in --part test
  [[ $stderr == *'"train", "val"'*'[part-unknown]'* ]]
}

@test "dataset check: an image in two parts is found by its bytes, its path and its links" {
  halves "in 'a\" b"
  cd "in 'a\" b"
  cp train/a.png val/a.png
  [ "$(found .)" = './annotations/instances_val.json X004' ]
  ln -sf ../train/a.png val/a.png
  [ "$(found .)" = './annotations/instances_val.json X003' ]
  # coco128: both parts have the same images.
  mkdir images
  mv train/a.png images
  rm -r train val
  [ "$(found .)" = './annotations/instances_val.json X003' ]
  [ "$(found -a train=annotations/instances_train.json -a val=annotations/instances_val.json -i images)" = \
    'annotations/instances_val.json X003' ]
  # Other files of one list are no splits.
  [ -z "$(found annotations/instances_train.json annotations/instances_val.json -i images)" ]
}

@test "dataset check: ten parts, an empty part, and the output of a run" {
  local i
  for i in 0 1 2 3 4 5 6 7 8 9; do
    picture "in/train$i/a.png" "$((i + 1))"
    coco "in/annotations/instances_train$i.json" a.png
  done
  [ -z "$(found in)" ]
  cp in/train3/a.png in/train7/a.png
  [ "$(found in)" = 'in/annotations/instances_train7.json X004' ]
  coco in/annotations/instances_train9.json
  [ "$(found in | sort)" = "in/annotations/instances_train7.json X004
in/annotations/instances_train9.json X002" ]
  python3 "$root/tests/tools/divide_samples.py" "$samples" whole
  "$lockstep" run -q -p "$root/pipelines/detection.json" -a whole -o out
  "$lockstep" check out > report.txt
  grep -q 'out/annotations/instances_val2017.json' report.txt
}

@test "run: an image in two parts is one warning, and an error with --strict-parts" {
  halves in
  lines flip.json '{"version": 1, "transforms": [{"type": "RandomHorizontalFlip"}]}'
  "$lockstep" run -p flip.json -a in -o none --dry-run 2> said
  run -1 grep part-overlap said
  cp in/train/a.png in/val/a.png
  "$lockstep" run -p flip.json -a in -o out 2> said
  [ "$(grep -c part-overlap said)" -eq 1 ]
  grep -q 'warning: 1 image is in two parts of the dataset; it, in/val/a.png of "val", has the bytes of in/train/a.png' said
  run -4 --separate-stderr "$lockstep" run -p flip.json -a in -o strict --strict-parts
  [[ $stderr == *'[part-overlap]'* ]]
  [ ! -e strict ]
  "$lockstep" run -p flip.json -a in -o one --part val --strict-parts 2> said && false
  grep -q option-unused said
}

@test "check: class folders: empty classes, equal images in two, unlisted ones, other files" {
  picture pets/cat/a.png 1
  picture pets/dog/b.png 2
  picture pets/c.png 3
  cp pets/cat/a.png pets/dog/copy.png
  mkdir pets/fish
  echo no > pets/dog/bad.jpg
  [ "$(found -i pets --labels folders)" = "pets F001
pets/c.png F004
pets/dog/bad.jpg I012
pets/dog/copy.png F003" ]
  lines names.txt cat fish
  found -i pets --labels folders --classes names.txt | grep -q 'pets/dog/b.png F005'
  run -2 "$lockstep" check -i pets
  [[ $output == *'[operand-missing]'* ]]
}

@test "check: masks alone" {
  picture images/a.png 1
  picture images/b.png 2
  picture masks/a.png 3
  lines names.txt sky road
  [ "$(found -i images --masks masks --classes names.txt)" = "images/a.png G005
images/b.png G001" ]
  cp masks/a.png masks/c.png
  found -i images --masks masks | grep -q 'masks/c.png G002'
  run -2 "$lockstep" check -i images --mask-name '{stem}.png'
}

@test "check: --classes for COCO files" {
  coco a.json a.png
  lines names.txt Cat dog
  [ "$(found a.json --classes names.txt)" = 'a.json F005' ]
  "$lockstep" check a.json --classes names.txt | grep -q 'did you mean "Cat"'
  lines names.txt dog cat
  [ -z "$(found a.json --classes names.txt)" ]
}

@test "split, then check --pixels: images that look like others of another part are found" {
  local file
  mkdir one flat
  for file in "$samples"/images/*/*.jpg; do cp "$file" "one/$(basename "$(dirname "$file")")_${file##*/}"; done
  echo '{"version": 1, "seed": 1, "transforms": [{"type": "ColorJitter", "brightness": 0.02}]}' > near.json
  "$lockstep" run -q -p near.json -i one -o near --format jpeg
  for file in one/*; do
    cp "$file" "flat/a_${file##*/}"
    cp "near/images/${file##*/}" "flat/z_${file##*/}"
  done
  (cd flat && ls) | jq -nR '{images: [inputs | {id: input_line_number, file_name: .}], annotations: [], categories: []}' > a.json
  "$lockstep" split -a a.json -i flat -o divided --ratio 1:1
  [ -n "$(comm -12 <(ls divided/train | sed 's/^._//' | sort) <(ls divided/val | sed 's/^._//' | sort))" ]
  found divided --pixels > found
  grep -q 'instances_val.json X005' found
  # A missing file is told before a missing option.
  run -4 --separate-stderr "$lockstep" check -a nowhere --pixels
  [[ $stderr == *'nowhere: No such file or directory'* ]]
  # split has no --on-error to speak of.
  rm flat/a_*1.jpg
  run -4 --separate-stderr "$lockstep" split -a a.json -i flat -o again
  [[ $stderr == *'[images-refused]'* ]] && [[ $stderr != *--on-error* ]]
}
