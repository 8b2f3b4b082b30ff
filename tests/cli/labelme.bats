#!/usr/bin/env bats
# LabelMe's JSON files: read beside the images or in a parallel folder, moved in lockstep, written beside the images.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  pipeline id.json ''
  pipeline flip.json '{"type": "horizontal_flip"}'
  mkdir -p in
}

# images PATH...: images of 64x48.
images() {
  local path
  for path; do
    mkdir -p "$(dirname "$path")"
    python3 -c 'import png, sys
png.write(sys.argv[1], [[v for x in range(64) for v in (x * 3, y * 5, 90)] for y in range(48)], 3)' "$path"
  done
}

# labels PATH IMAGE [SHAPE...]
labels() {
  local IFS=,
  mkdir -p "$(dirname "$1")"
  printf '{"version": "5.1.1", "flags": {"seen": true}, "shapes": [%s], "imagePath": "%s", "imageData": "QUJD", "imageHeight": 48, "imageWidth": 64, "by": "me"}' \
    "${*:3}" "$2" > "$1"
}

# shape LABEL TYPE POINTS [MORE]
shape() { printf '{"label": "%s", "points": %s, "shape_type": "%s"%s}' "$1" "$3" "$2" "${4:-}"; }

rich() {
  images in/a.png
  labels in/a.json a.png "$(shape dog polygon '[[4, 4], [20, 4], [4, 20]]' ', "flags": {"good": true}, "score": 0.5')" \
    "$(shape cat rectangle '[[30, 20], [10, 8]]' ', "group_id": null, "description": ""')" \
    "$(shape dog circle '[[40, 24], [46, 24]]')" \
    "$(shape dog polygon '[[50, 2], [60, 2], [50, 12]]' ', "group_id": 7')" \
    "$(shape dog polygon '[[50, 30], [60, 30], [50, 40]]' ', "group_id": 7')"
}

@test "labelme: files that nothing changes keep their shapes, and lose the old picture" {
  rich
  run -0 "$lockstep" run -p id.json -i in -a in -o out
  [[ $output == *"1 image from 1, 4 annotations from 4"* ]]
  jq -S .shapes in/a.json > want && jq -S .shapes out/images/a.json > have
  diff want have
  [ "$(jq -c '[.version, .flags, .by, .imagePath, .imageData, .imageWidth, .imageHeight]' out/images/a.json)" = \
    '["5.1.1",{"seen":true},"me","a.png",null,64,48]' ]
  run -0 "$lockstep" verify out
  run -0 "$lockstep" run -p id.json -i in -a in -o out --resume
  [[ $output == *"nothing to do"* ]]
}

@test "labelme: shapes move, other members stay, and a circle becomes a polygon" {
  rich
  run -0 "$lockstep" run -p flip.json -i in -a in -o out --name-template 'x_{stem}'
  local json=out/images/x_a.json
  [ "$(jq -c .imagePath "$json")" = '"x_a.png"' ]
  [ "$(jq -c '[.shapes[] | [.label, .shape_type, .group_id]]' "$json")" = \
    '[["dog","polygon",null],["cat","rectangle",null],["dog","polygon",null],["dog","polygon",7],["dog","polygon",7]]' ]
  [ "$(jq -c '.shapes[0] | [.points, .flags, .score]' "$json")" = '[[[60,4],[44,4],[60,20]],{"good":true},0.5]' ]
  [ "$(jq -c '.shapes[1].points' "$json")" = '[[34,8],[54,20]]' ]
  [ "$(jq -c '.shapes[2].points | length' "$json")" = 12 ]
  run -0 "$lockstep" verify out
  # OUT is read again: images and labels are in one folder.
  run -0 "$lockstep" run -p flip.json -i out/images -a out/images -o again
  [[ $output == *"4 annotations from 4"* ]]
  run -0 "$lockstep" stats out
  [[ $output == *"labelme, 1 images, 4 objects, 2 categories"* ]]
  run -0 "$lockstep" check -a in -i in
  [[ $output == *"1 image, 4 annotations: 0 errors"* ]]
  run -0 "$lockstep" preview -p flip.json -i in -a in -o sheet.png
}

@test "labelme: an object of several pieces gets a group, and is one object when it is read again" {
  images in/a.png
  labels in/a.json a.png "$(shape u polygon '[[0, 0], [64, 0], [64, 48], [44, 48], [44, 8], [20, 8], [20, 48], [0, 48]]')"
  pipeline crop.json '{"type": "crop", "top": 20, "left": 0, "height": 20, "width": 64}'
  run -0 "$lockstep" run -p crop.json -i in -a in -o out
  [ "$(jq -c '[.shapes[].group_id]' out/images/a.json)" = '[0,0]' ]
  run -0 "$lockstep" verify out
  run -0 "$lockstep" stats out
  [[ $output == *", 1 objects, 1 categories"* ]]
}

@test "labelme: shapes without an area are counted and left out" {
  images in/a.png
  labels in/a.json a.png "$(shape p point '[[3, 4]]')" "$(shape l line '[[3, 4], [5, 6]]')" "$(shape p point '[[4, 4]]')" \
    "$(shape c rectangle '[[3, 4], [5, 6]]')"
  run -0 "$lockstep" run -p id.json -i in -a in -o out
  [[ $output == *'in: warning: '*'2 of type "point", 1 of type "line"; they are left out [labelme-shapes]'* ]] ||
    [[ $output == *'in/a.json:1:'*'2 of type "point", 1 of type "line"; they are left out [labelme-shapes]'* ]]
  [ "$(jq -c '[.shapes[].label]' out/images/a.json)" = '["c"]' ]
  run -4 "$lockstep" run -p id.json -i in -a in -o strict --compat strict
  [[ $output == *'[labelme-shapes]'* || $output == *'[option-unused]'* ]]
}

@test "labelme: a file is matched by its name, or else by its imagePath" {
  images in/x/a.png in/b.png
  labels json/x/a.json ../in/a.png "$(shape c rectangle '[[3, 4], [5, 6]]')"
  labels json/other.json 'C:\\\\data\\\\b.png' "$(shape d rectangle '[[3, 4], [5, 6]]')"
  printf '{"images": [], "annotations": []}' > json/coco.json
  run -0 "$lockstep" run -p id.json -i in -a json -o out
  [[ $output == *"2 images from 2, 2 annotations from 2"* && $output != *note* ]]
  [ "$(jq -c '[.shapes[].label]' out/images/x/a.json out/images/b.json | paste -sd ' ')" = '["c"] ["d"]' ]
  # The file's name decides.
  labels json/x/a.json b.png "$(shape c rectangle '[[3, 4], [5, 6]]')"
  run -0 "$lockstep" run -p id.json -i in -a json -o out2
  [[ $output == *'its imagePath is b.png, which is another image than x/a.png; the name of the label file decides [labelme-image]'* ]]
  # All files have other names than the images.
  rm json/x/a.json
  run -0 "$lockstep" run -p id.json -i in -a json -o out3
  [[ $output == *"2 images from 2, 1 annotation from 1"* ]]
}

@test "labelme: wrong files are refused where they are wrong" {
  images in/a.png
  says() { # MESSAGE
    run -4 "$lockstep" run -p id.json -i in -a in -o out
    [[ $output == *"in/a.json:"*"$1"* ]] || { echo "$output"; return 1; }
    run "$lockstep" check -a in -i in
    [[ $status == 1 && $output == *"a.json:"* ]] || { echo "$output"; return 1; }
  }
  local box
  box=$(shape c rectangle '[[3, 4], [5, 6]]')
  labels in/a.json a.png "$box" "$(shape '' rectangle '[[3, 4], [5, 6]]')"
  says 'shapes[1].label: a shape must have a label'
  labels in/a.json a.png "$(shape c polygon '[[3, 4], [5, 6]]')"
  says 'shapes[0].points: a polygon must have at least three points [labelme-points]'
  labels in/a.json a.png "$(shape c rectangle '[[3, 4], [5, 6], [7, 8]]')"
  says 'two points, which are opposite corners'
  labels in/a.json a.png "$(shape c circle '[[3, 4]]')"
  says 'a circle must have two points'
  labels in/a.json a.png "$(shape c rectangle '[[3, 4], [5, 1e300]]')"
  says 'at most 1e7 in magnitude'
  labels in/a.json a.png "$(shape c rectangle '[[3, 4], ["5", 6]]')"
  says 'shapes[0].points[1]: a point must be a list of two numbers'
  labels in/a.json a.png '7'
  says 'each of the shapes must be an object [labelme-root]'
  labels in/a.json a.png '{"label": "c"}'
  says 'a shape must have a list "points"'
  printf '{"shapes": [], "shapes": []}' > in/a.json
  says '[json-twice]'
  printf '{"shapes": 3}' > in/a.json
  says '[labelme-root]'
  printf '{"shapes": [' > in/a.json
  says '[json-syntax]'
}

@test "labelme: --classes numbers the labels, and names one that is not listed" {
  rich
  printf 'dog\nbird\ncat\n' > names.txt
  run -0 "$lockstep" run -p id.json -i in -a in -o out --to yolo --lossy --classes names.txt
  [ "$(cut -d' ' -f1 out/labels/a.txt | paste -sd ' ')" = '0 2 0 0' ]
  printf 'dog\ncar\n' > names.txt
  run -4 "$lockstep" run -p id.json -i in -a in -o out2 --classes names.txt
  [[ $output == *'the class "cat" is not in names.txt; did you mean "car"?'*'[class-unlisted]'* ]]
}

@test "labelme: --to labelme writes boxes and outlines of other formats, and lists what it drops" {
  images in/a.png
  cat > coco.json << 'END'
{"images": [{"id": 1, "file_name": "a.png", "width": 64, "height": 48}],
 "categories": [{"id": 5, "name": "c", "supercategory": ""}],
 "annotations": [
  {"id": 1, "image_id": 1, "category_id": 5, "bbox": [2, 3, 10, 12], "area": 120, "iscrowd": 0, "segmentation": []},
  {"id": 2, "image_id": 1, "category_id": 5, "bbox": [20, 20, 10, 10], "area": 50, "iscrowd": 0, "segmentation": [[20, 20, 30, 20, 20, 30]]},
  {"id": 3, "image_id": 1, "category_id": 5, "bbox": [40, 20, 4, 4], "area": 16, "iscrowd": 0, "mine": 3,
   "segmentation": {"size": [48, 64], "counts": [1940, 4, 44, 4, 44, 4, 44, 4, 984]}}]}
END
  run -4 "$lockstep" run -p id.json -i in -a coco.json -o out --to labelme
  [[ $output == *'--to labelme: there is no place for 1 run-length mask (written as outlines), 1 value of "mine"; --lossy'* ]]
  run -0 "$lockstep" run -p id.json -i in -a coco.json -o out --to labelme --lossy
  [ "$(jq -c '[.shapes[] | [.shape_type, .points]]' out/images/a.json)" = \
    '[["rectangle",[[2,3],[12,15]]],["polygon",[[20,20],[30,20],[20,30]]],["polygon",[[40,20],[44,20],[44,24],[40,24]]]]' ]
  [ "$(jq -c '[.imagePath, .imageData, .imageWidth]' out/images/a.json)" = '["a.png",null,64]' ]
  run -0 "$lockstep" verify out
  run -0 "$lockstep" run -p id.json -i out/images -a out/images -o back --to coco
  [ "$(jq -c '[.annotations[] | [.bbox, .segmentation]]' back/annotations.json)" = \
    '[[[2,3,10,12],[]],[[20,20,10,10],[[20,20,30,20,20,30]]],[[40,20,4,4],[[40,20,44,20,44,24,40,24]]]]' ]
}

@test "labelme: a shape without a label is refused" {
  mkdir -p in
  cp "$samples/images/hills/0002.png" in/a.png
  printf '{"shapes": [{"shape_type": "rectangle", "points": [[1, 2], [5, 6]]}], "imagePath": "a.png"}' > in/a.json
  pipeline id.json ''
  run -4 "$lockstep" run -p id.json -i in -a in -o out
  [[ $output == *"[labelme-label]"* ]]
}

@test "labelme: labels in folders below a part, and below a dataset without parts" {
  local part
  for part in train val; do
    images set/$part/cats/a.png set/$part/dogs/deep/b.png
    labels set/$part/cats/a.json a.png "$(shape cat rectangle '[[30, 20], [10, 8]]')"
    labels set/$part/dogs/deep/b.json b.png "$(shape dog rectangle '[[30, 20], [10, 8]]')"
  done
  "$lockstep" run -q -p id.json -a set -o out
  [ "$(jq -r '[.part, .output] | join(" ")' out/manifest.jsonl | sort | tr '\n' ' ')" = \
    "train train/cats/a.png train train/dogs/deep/b.png val val/cats/a.png val val/dogs/deep/b.png " ]
  [ "$(find out -name '[ab].json' | wc -l)" -eq 4 ]
  "$lockstep" verify -q out
  "$lockstep" run -q -p id.json -a set/train -o one
  [ "$(find one -name '[ab].json' | wc -l)" -eq 2 ]
  # An output without parts is such a dataset, and keeps its folder.
  "$lockstep" run -q -p id.json -a one -o again
  diff -r -x run.json -x manifest.jsonl one again
}
