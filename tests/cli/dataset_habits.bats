#!/usr/bin/env bats
# Datasets in layouts that tools and tutorials use beside the documented ones.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  printf '{"version": 1, "transforms": [], "output": {"untouched": "copy"}}\n' > copy.json
}

# image PATH...: images of 640 x 480 below in/
image() {
  local path
  for path; do
    mkdir -p "$(dirname "in/$path")"
    cp "$samples/images/street/0001.jpg" "in/$path"
  done
}

@test "habits: COCO files beside the folders of images; the output is verified and resumed" {
  local part
  for part in train val; do
    image $part/a.jpg
    printf '{"images": [{"id": 1, "file_name": "a.jpg", "width": 640, "height": 480}], "categories": [{"id": 5, "name": "cat"}],
 "annotations": [{"id": 1, "image_id": 1, "category_id": 5, "bbox": [1, 2, 30, 40], "area": 1200, "iscrowd": 0}]}\n' > in/$part.json
  done
  "$lockstep" run -q -p copy.json -a in -o out
  "$lockstep" verify out
  "$lockstep" run -q -p copy.json -a in -o out --resume
  "$lockstep" run -q -p copy.json -a in -o out --overwrite
  "$lockstep" run -q -p copy.json -a out -o again
  diff -r -x run.json -x manifest.jsonl out again
  [ "$(jq -c '.annotations[].bbox' out/annotations/val.json)" = "[1,2,30,40]" ]
}
