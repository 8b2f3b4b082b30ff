#!/usr/bin/env bats
# Whole datasets: layouts with parts, their images, classes and annotations.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  detection=$root/pipelines/detection.json
}

# coco_dataset DIR: the samples as COCO folders with the parts train2017 and val2017.
coco_dataset() {
  python3 "$root/tests/tools/divide_samples.py" "$samples" "$1"
}

# members_of FILE FILTER
members_of() { jq -c "$2" "$1"; }

@test "dataset: COCO folders stay COCO folders: each part has its file, its images and its ids" {
  local part name
  coco_dataset in
  "$lockstep" run -q -p "$detection" -a in -o out
  for part in train2017 val2017; do
    [ "$(members_of in/annotations/instances_$part.json '[.images[].id]')" = \
      "$(members_of out/annotations/instances_$part.json '[.images[].id]')" ]
    [ "$(members_of in/annotations/instances_$part.json '[.categories, .info]')" = \
      "$(members_of out/annotations/instances_$part.json '[.categories, .info]')" ]
    while read -r name; do
      [ -f "out/$part/$name" ]
    done < <(jq -r '.images[].file_name' out/annotations/instances_$part.json)
  done
  [ "$(jq -r .part out/manifest.jsonl | sort | uniq -c | tr -s ' \n' ' ')" = " 10 train2017 5 val2017 " ]
  "$lockstep" verify out
  # An output is a dataset, too.
  "$lockstep" run -q -p "$detection" -a out -o again
  # A part alone.
  "$lockstep" run -q -p "$detection" -a in --part val2017 -o one
  cmp one/annotations/instances_val2017.json out/annotations/instances_val2017.json
  [ ! -e one/train2017 ]
  run -2 --separate-stderr "$lockstep" run -q -p "$detection" -a in --part val -o none
  [[ $stderr == *'"train2017", "val2017"'*'[part-unknown]'* ]]
}

@test "dataset: parts by name" {
  coco_dataset in
  "$lockstep" run -q -p "$detection" -a in -o whole
  "$lockstep" run -q -p "$detection" -a train2017=in/annotations/instances_train2017.json \
    -a val2017=in/annotations/instances_val2017.json -i train2017=in/train2017 -i val2017=in/val2017 -o out
  diff -r -x manifest.jsonl -x run.json whole out
  run -2 --separate-stderr "$lockstep" run -q -p "$detection" -a train=in/annotations/instances_train2017.json -o none
  [[ $stderr == *'-i train=DIR'*'[option-missing]'* ]]
  run -2 --separate-stderr "$lockstep" run -q -p "$detection" -a train=in/annotations/instances_train2017.json \
    -a train=in/annotations/instances_val2017.json -i in/train2017 -o none
  [[ $stderr == *'[option-twice]'* ]]
  run -2 --separate-stderr "$lockstep" run -q -p "$detection" -a a.json -a b.json -i in -o none
  [[ $stderr == *'[option-twice]'* ]]
}

@test "dataset: shards of a dataset with parts give the bytes of one run" {
  local i
  coco_dataset in
  "$lockstep" run -q -p "$detection" -a in -o out -n 2
  for i in 0 1 2; do "$lockstep" run -q -p "$detection" -a in -o shards -n 2 --shard "$i/3"; done
  "$lockstep" merge -q shards
  same_tree out shards
}

@test "dataset: --to writes the folders of the target: data.yaml has train and val" {
  coco_dataset in
  "$lockstep" run -q -p "$detection" -a in -o out --to yolo --lossy
  [ "$(head -n 2 out/data.yaml | tr '\n' ' ')" = "train: images/train val: images/val " ]
  [ "$(find out/images/val -type f | wc -l)" -eq 5 ]
  [ "$(find out/labels/val -type f | wc -l)" -eq 5 ]
  "$lockstep" verify out
}
