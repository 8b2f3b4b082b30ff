#!/usr/bin/env bats
# Datasets in Roboflow's COCO layout: train, valid and test, each with its annotations beside its images.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  echo '{"version": 1, "seed": 3, "transforms": []}' > same.json
  python3 "$root/tests/tools/divide_samples.py" "$samples" in
}

@test "dataset_roboflow: --to roboflow writes its folders; val becomes valid" {
  "$lockstep" run -q -p same.json -a in -o out --to roboflow
  [ "$(cd out && echo *)" = "manifest.jsonl run.json train valid" ]
  [ "$(jq -c '[.images[].file_name] | sort' out/valid/_annotations.coco.json)" = \
    "$(jq -c '[.images[].file_name] | sort' in/annotations/instances_val2017.json)" ]
  [ "$(jq -c .categories out/valid/_annotations.coco.json)" = "$(jq -c .categories out/train/_annotations.coco.json)" ]
  "$lockstep" verify out
  run -0 --separate-stderr "$lockstep" run -p same.json -a out -o again --progress none
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr != *files-passed* ]]
  cmp out/valid/_annotations.coco.json again/valid/_annotations.coco.json
  # A dataset without parts becomes train; labels of other formats, too.
  "$lockstep" run -q -p same.json -a "$samples/annotations.json" -i "$samples/images" -o one --to roboflow
  [ "$(jq '.images | length' one/train/_annotations.coco.json)" -eq 15 ]
  "$lockstep" run -q -p same.json -a in -o voc --to voc --lossy
  "$lockstep" run -q -p same.json -a voc -o two --to roboflow
  [ "$(jq '.annotations | length' two/valid/_annotations.coco.json)" -eq \
    "$(jq '[.annotations[] | select(.iscrowd != 1)] | length' in/annotations/instances_val2017.json)" ]
}

@test "dataset_roboflow: the root category stays, and numbers in quotes are read" {
  "$lockstep" run -q -p same.json -a in -o robo --to roboflow
  for i in robo/*/_annotations.coco.json; do
    jq -c '.categories |= [{id: 0, name: "things", supercategory: "none"}] + . | .annotations[].bbox[0] |= tostring' "$i" > new.json
    mv new.json "$i"
  done
  "$lockstep" run -q -p same.json -a robo -o out
  [ "$(jq -c '.categories[0]' out/valid/_annotations.coco.json)" = '{"id":0,"name":"things","supercategory":"none"}' ]
  [ "$(jq -c '[.annotations[].bbox[] | type] | unique' out/train/_annotations.coco.json)" = '["number"]' ]
}
