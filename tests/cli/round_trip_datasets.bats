#!/usr/bin/env bats
# Datasets that are converted from each layout to each other layout and back: what is not listed as lost is there.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() { begin; }

# image FILE...: images of 16 x 12.
image() {
  python3 -c 'import os, png, sys
for name in sys.argv[1:]:
    os.makedirs(os.path.dirname(name), exist_ok=True)
    png.write(name, [[x * y for x in range(16)] for y in range(12)], 1)' "$@"
}

# coco FILE CATEGORIES IMAGE...: a COCO file of these images, each with an object of the first category.
coco() {
  local file=$1 categories=$2
  mkdir -p "$(dirname "$file")"
  shift 2
  jq -nc --argjson categories "$categories" '{$categories,
    images: [$ARGS.positional | to_entries[] | {id: (.key + 1), file_name: .value, width: 16, height: 12}],
    annotations: [$ARGS.positional | to_entries[] | {id: (.key + 1), image_id: (.key + 1), bbox: [1, 2, 3, 4], area: 12,
      iscrowd: 0, category_id: $categories[0].id}]}' --args "$@" > "$file"
}

# convert FROM TO FORMAT: without losses.
convert() { "$lockstep" convert -q -a "$1" -o "$2" --to "$3"; }

# losses FROM FORMAT: the losses that the refused conversion lists.
losses() {
  run -4 --separate-stderr "$lockstep" convert -a "$1" -o none --to "$2"
  sed -n 's/.*no place for \(.*\); --lossy drops it.*/\1/p' <<< "$stderr"
}

cat_and_dog='[{"id": 1, "name": "cat"}, {"id": 2, "name": "dog"}]'

@test "round trip of datasets: 10 random ones keep all that their layouts hold, and so do class folders and masks" {
  python3 "$root/tests/tools/round_trips.py" "$lockstep" 10 8
}

# bats test_tags=release
@test "round trip of datasets: 200 random ones keep all, each pair of layouts, and so do class folders and masks" {
  python3 "$root/tests/tools/round_trips.py" "$lockstep" 200
}

@test "round trip of datasets: names may begin with # and end with blanks" {
  image "in/train/#1.png" "in/train/a b.png"
  coco in/annotations/instances_train.json '[{"id": 1, "name": " cat "}, {"id": 2, "name": "#x"}]' "#1.png" "a b.png"
  convert in voc voc
  convert voc back coco
  [ "$(jq -c '[.images[].file_name], [.categories[].name], [.annotations[].category_id]' back/annotations/*train.json)" = \
    '["#1.png","a b.png"]
[" cat ","#x"]
[1,1]' ]
  # Blanks around a name that are no references do not count, as in other programs' files.
  sed -i 's|<name>&#32;cat&#32;</name>|<name>\n cat\t</name>|' voc/Annotations/*.xml
  sed -i 's/^ cat :::$/cat:::/' voc/labelmap.txt
  "$lockstep" stats --json voc > stats.json
  [ "$(jq -c '[.categories[] | [.name, .objects]]' stats.json)" = '[["cat",2],["#x",0]]' ]
}

@test "round trip of datasets: a class list may be empty" {
  image in/a.png
  echo '{"version": "5.0.0", "flags": {}, "shapes": [], "imagePath": "a.png", "imageData": null, "imageHeight": 12, "imageWidth": 16}' \
    > in/a.json
  convert in voc voc
  convert voc back coco
  [ "$(jq -c '[(.images | length), .categories]' back/annotations/*.json)" = '[1,[]]' ]
}

@test "round trip of datasets: LabelMe's folders may have folders, and other names than those of usual parts" {
  image in/train/y/a.png in/night/b.png
  coco in/annotations/instances_train.json "$cat_and_dog" y/a.png
  coco in/annotations/instances_night.json "$cat_and_dog" b.png
  "$lockstep" convert -q -a in -o labelme --to labelme --lossy
  convert labelme back coco
  [ "$(cd back && echo */ annotations/*)" = 'annotations/ night/ train/ annotations/instances_night.json annotations/instances_train.json' ]
  [ "$(jq -c '.images[].file_name' back/annotations/*train.json)" = '"y/a.png"' ]
}

@test "round trip of datasets: an outline of several rings loses nothing on its way from LabelMe" {
  image in/train/a.png
  coco in/annotations/instances_train.json '[{"id": 1, "name": "cat"}]' a.png
  jq -c '.annotations[0] += {bbox: [1, 1, 7, 7], segmentation: [[1, 1, 3, 1, 3, 3], [5, 5, 8, 5, 8, 8]]}' \
    in/annotations/instances_train.json > new.json
  mv new.json in/annotations/instances_train.json
  convert in labelme labelme
  convert labelme back coco
  [ "$(jq -c '.annotations[0].segmentation | length' back/annotations/*train.json)" -eq 2 ]
  # The number that ties its shapes is no value of its own.
  [ "$(losses labelme voc)" = '1 outline' ]
}

@test "round trip of datasets: one part without a name" {
  image in/images/a.png in/images/y/b.png
  coco in/annotations.json "$cat_and_dog" a.png y/b.png
  convert in again coco
  convert again back coco
  diff -r -x manifest.jsonl -x run.json again back
  [ "$(jq -c '[.images[].file_name]' back/annotations.json)" = '["a.png","y/b.png"]' ]
  "$lockstep" convert -q -a in -o labelme --to labelme --lossy
  convert labelme coco coco
  [ "$(jq -c '[.images[].file_name]' coco/annotations.json)" = '["a.png","y/b.png"]' ]
  # Folders with names of parts are no parts.
  rm -r in labelme coco
  image in/images/train/a.png in/images/y/b.png
  coco in/annotations.json "$cat_and_dog" train/a.png y/b.png
  "$lockstep" convert -q -a in -o labelme --to labelme --lossy
  convert labelme coco coco
  [ "$(jq -c '[.images[].file_name]' coco/annotations.json)" = '["train/a.png","y/b.png"]' ]
}

@test "round trip of datasets: a part without images stays, or is left out with a warning" {
  local to
  image in/train/a.png
  mkdir in/val
  coco in/annotations/instances_train.json "$cat_and_dog" a.png
  coco in/annotations/instances_val.json "$cat_and_dog"
  convert in again coco
  convert again back coco
  same_json in/annotations/instances_val.json back/annotations/instances_val.json
  for to in yolo voc hf; do
    run -0 --separate-stderr "$lockstep" convert -a in -o $to --to $to
    [[ $stderr == *'warning: part "val" has no images'*'the part is left out [part-empty]'* ]]
    rm -r back
    convert $to back coco
    [ "$(cd back/annotations && echo *)" = instances_train.json ]
  done
  coco in/annotations/instances_train.json "$cat_and_dog"
  run -4 --separate-stderr "$lockstep" convert -a in -o none --to yolo
  [[ $stderr == *'no part of the dataset has images [images-none]'* ]]
}

@test "round trip of datasets: a dataset may have many parts" {
  local part
  for part in {1..20}; do
    image "in/fold$part/a.png"
    coco "in/annotations/instances_fold$part.json" "$cat_and_dog" a.png
  done
  convert in yolo yolo
  convert yolo back coco
  [ "$(cat back/annotations/*.json | jq -s 'map(.images | length) | add')" -eq 20 ]
}

@test "round trip of datasets: losses are counted without sizes in the labels, and those of images and class lists, too" {
  local to missing i
  image in/train/a.png in/train/b.png
  coco in/annotations/instances_train.json "$cat_and_dog" a.png b.png
  cp -r in whole
  # Sizes come from the files, and a box outside of them is lost.
  for missing in .width .height '.width, .height'; do
    jq -c ".images |= map(del($missing)) | .annotations[0].bbox = [20, 2, 3, 4] | .annotations[1].bbox = [1, 2, 0, 4]" \
      whole/annotations/instances_train.json > in/annotations/instances_train.json
    for to in yolo voc hf; do
      [[ $(losses in $to) == *'1 object outside of the image'* ]]
      [[ $(losses in $to) == *'1 object of zero width or height'* ]]
    done
  done
  # Values of images that COCO does not define.
  jq -c '.images[0] += {weather: "rain", night: null, license: 3}' whole/annotations/instances_train.json \
    > in/annotations/instances_train.json
  for to in yolo voc hf; do [ "$(losses in $to)" = '1 image value of "weather"' ]; done
  convert in coco roboflow
  # LabelMe states no list of classes. Shards agree about it.
  [ "$(losses whole labelme)" = '1 name of classes without objects' ]
  jq -c '.annotations[1].category_id = 2' whole/annotations/instances_train.json > in/annotations/instances_train.json
  echo '{"version": 1, "seed": 3, "transforms": []}' > same.json
  for i in 0 1; do "$lockstep" run -q -p same.json -a in -o shards --to labelme --shard "$i/2"; done
  "$lockstep" merge -q shards
  # Keypoints that are not labelled are no loss.
  jq -c '.categories[].keypoints = ["nose"] | .annotations[0] += {keypoints: [0, 0, 0], num_keypoints: 0}' \
    whole/annotations/instances_train.json > in/annotations/instances_train.json
  convert in hf hf
}

@test "round trip of datasets: sizes and classes return from Hugging Face's files" {
  image in/train/a.png
  coco in/annotations/instances_train.json '[{"id": 2, "name": "dog"}, {"id": 3, "name": "cat"}]' a.png
  convert in hf hf
  convert hf back coco
  [ "$(jq -c '[.images[0] | .width, .height]' back/annotations/*train.json)" = '[16,12]' ]
  # The classes of an output are those of its README.md.
  [ "$("$lockstep" stats hf --json | jq -c '[.categories[].name]')" = '["dog","cat"]' ]
}
