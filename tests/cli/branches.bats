#!/usr/bin/env bats
# Ops that make several samples of one: names, ids, numbers, and separate labels.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
}

steps() { printf '{"version": 1, "seed": 3, "transforms": [%s]}\n' "$1" > p.json; }

go() { "$lockstep" run -q -p p.json -i "$samples/images" -a "$samples/annotations.json" -o out "$@"; }

@test "branches: five crops of each image, each with its own labels, ids and place" {
  steps '{"type": "FiveCrop", "size": [100, 120]}'
  go
  [ "$(wc -l < out/manifest.jsonl)" -eq 75 ]
  [ "$(find out/images -type f | wc -l)" -eq 75 ]
  jq -e '.images | length == 75 and (map(.id) | unique | length) == 75
         and all(.width == 120 and .height == 100)' out/annotations.json
  jq -e '.annotations | (map(.id) | unique | length) == length
         and all(.id % 5 == .image_id % 5)
         and all(.bbox | .[0] >= 0 and .[1] >= 0 and .[0] + .[2] <= 120.000001
                 and .[1] + .[3] <= 100.000001)' out/annotations.json
  jq -se 'map(select(.source == "street/0001.jpg") | [.branch, .steps[0].left, .steps[0].top])
          == [[0, 0, 0], [1, 520, 0], [2, 0, 380], [3, 520, 380], [4, 260, 190]]' out/manifest.jsonl
}

@test "branches: ten crops are the five and the five of the mirror image" {
  steps '{"type": "ten_crop", "size": 60}'
  go
  jq -se 'map(select(.source == "street/0001.jpg")) | length == 10
          and all(.[:5][]; .matrix[0] == 1) and all(.[5:][]; .matrix[0] == -1)' out/manifest.jsonl
}

@test "branches: before the op all draw the same, after it each its own" {
  steps '{"type": "RandomRotation", "degrees": 20}, {"type": "five_crop", "size": 100},
         {"type": "RandomRotation", "degrees": 20}'
  go
  jq -se 'group_by(.source) | all((map(.steps[0].angle) | unique | length) == 1
          and (map(.steps[2].angle) | unique | length) == 5)' out/manifest.jsonl
}

@test "branches: what a draw has no branch for does not come to be, and ids stay" {
  steps '{"type": "RandomApply", "p": 0.5, "transforms": [{"type": "five_crop", "size": 100}]}'
  go
  jq -se 'group_by(.source) | map(length) | unique == [1, 5]' out/manifest.jsonl
  jq -se 'all(.image_id == .from * 5 + .branch)' out/manifest.jsonl
  [ "$(find out/images -type f | wc -l)" -eq "$(wc -l < out/manifest.jsonl)" ]
}

@test "branches: one of several choices counts once, and copies and originals have their own" {
  steps '{"type": "RandomChoice", "transforms": [{"type": "five_crop", "size": 100},
          {"type": "ten_crop", "size": 90}]}'
  go -n 2 --include-original
  jq -se 'all(.image_id - .from * 30 == .copy * 10 + .branch)' out/manifest.jsonl
  jq -se 'map(select(.copy == 0)) | length == 15 and all(.steps == [])' out/manifest.jsonl
}

@test "branches: more than a hundred thousand from one image are refused" {
  steps '{"type": "ten_crop", "size": 90}, {"type": "ten_crop", "size": 80},
         {"type": "ten_crop", "size": 70}, {"type": "ten_crop", "size": 60},
         {"type": "ten_crop", "size": 50}, {"type": "five_crop", "size": 40}'
  run -3 go
  [[ $output == *"[plan-fan]"* ]]
}

@test "branches: an image smaller than its crops is refused with both sizes" {
  steps '{"type": "five_crop", "size": 2000}'
  run -4 go
  [[ $output == *"640x480, smaller than the crops of 2000x2000"* ]]
}
