#!/usr/bin/env bats
# Windows and holes that depend on the boxes of objects: the boxes that they hold, and the boxes that they avoid.
bats_require_minimum_version 1.5.0

load ../lib/helpers

setup() {
  begin
  mkdir in
  python3 "$here/tools/blank.py" in/a.png 120 90 rgb
  echo '{"images": [{"id": 1, "file_name": "a.png", "width": 120, "height": 90}],
    "categories": [{"id": 1, "name": "thing"}, {"id": 2, "name": "other"}], "annotations": [
    {"id": 1, "image_id": 1, "category_id": 1, "bbox": [2, 4, 10, 8], "area": 80, "iscrowd": 0},
    {"id": 2, "image_id": 1, "category_id": 2, "bbox": [60, 40, 30, 20], "area": 600, "iscrowd": 0}]}' > in.json
}

draws() { # STEP: manifest.jsonl of 300 copies
  echo "{\"version\": 1, \"seed\": 3, \"annotations\": {\"ids\": \"dense\"}, \"transforms\": [$1]}" > p.json
  "$lockstep" run -q --dry-run -n 300 -p p.json -i in -a in.json -o out > manifest.jsonl
  [ "$(wc -l < manifest.jsonl)" -eq 300 ]
}

@test "near: a window of RandomCropNearBBox holds a box whole when its sides do not move, and either box in turn" {
  draws '{"type": "RandomCropNearBBox", "max_part_shift": 0}'
  [ "$(jq -c '.steps[0] | [.left, .top, .width, .height]' manifest.jsonl | sort -u | paste -sd ' ')" = '[2,4,10,8] [60,40,30,20]' ]
  jq -es 'map(select(.annotations | length == 1)) | length == 300' manifest.jsonl
  jq '.annotations = []' in.json > none.json && mv none.json in.json
  draws '{"type": "RandomCropNearBBox"}'
  jq -es 'all(.steps == [])' manifest.jsonl
}

@test "near: FixedSizeCrop has its size, whatever the image's is, and the image in its corner" {
  draws '{"type": "FixedSizeCrop", "size": [100, 64], "fill": 9}'
  jq -es 'all(.size_out == [64, 100]) and all(.steps[0].top == 0 and .steps[0].height == 90)
    and all(.steps[1].padding == [0, 0, 0, 10]) and (map(.steps[0].left) | min == 0 and max == 55)' manifest.jsonl
}

@test "near: RandomSizeCrop leaves whole what is shorter, and refuses sides out of order" {
  draws '{"type": "RandomSizeCrop", "min_size": 100, "max_size": 110}'
  jq -es 'all(.steps[0] | .height == 90 and .width >= 100 and .width <= 110)' manifest.jsonl
  echo '{"version": 1, "transforms": [{"type": "RandomSizeCrop", "min_size": 700, "max_size": 600}]}' > p.json
  run -3 --separate-stderr "$lockstep" schema --check p.json
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == *'[param-order]'* ]]
}

@test "near: RandomShift moves labels with the image, and does nothing where no box would be left" {
  draws '{"type": "RandomShift", "p": 1, "max_shift_px": 20}'
  jq -es 'all(.size_out == [120, 90])' manifest.jsonl
  jq '.annotations |= [{id: 1, image_id: 1, category_id: 1, bbox: [0, 0, 6, 6], area: 36, iscrowd: 0}]' in.json > one.json
  mv one.json in.json
  draws '{"type": "RandomShift", "p": 1, "max_shift_px": 20, "filter_thr_px": 3}'
  jq -es 'any(.steps == []) and all((.steps == []) or (.steps[0].left < 3 and .steps[0].top < 3))' manifest.jsonl
}

@test "near: ConstrainedCoarseDropout stays in the boxes of its categories, and hides them" {
  draws '{"type": "ConstrainedCoarseDropout", "p": 1, "num_holes_range": [2, 3], "hole_height_range": [0.2, 0.5],
    "hole_width_range": [0.2, 0.5], "bbox_labels": ["other"]}'
  jq -es 'all(.steps[0].holes | (length == 2 or length == 3) and
    all(.[0] >= 40 and .[0] + .[2] <= 60 and .[1] >= 60 and .[1] + .[3] <= 90 and .[2] >= 4 and .[3] >= 6))' manifest.jsonl
  jq -es 'all(.annotations | map(.visibility // 1) | .[0] == 1 and .[1] < 1)' manifest.jsonl
}

@test "near: XYMasking goes across the whole image, and its strips have the lengths asked for" {
  draws '{"type": "XYMasking", "p": 1, "num_masks_x": [1, 2], "num_masks_y": 1, "mask_x_length": [3, 9], "mask_y_length": [400, 400]}'
  jq -es 'all(.steps[0].holes | all((.[2] == 90 and .[3] >= 3 and .[3] <= 9 and .[1] + .[3] <= 120) or . == [0, 0, 90, 120]))
    and any(.steps[0].holes | any(. == [0, 0, 90, 120])) and any(.steps[0].holes | all(. != [0, 0, 90, 120]))' manifest.jsonl
}

@test "near: RandomCenterCropPad shows the middle of a box, is of a drawn size, and keeps what has its middle inside" {
  draws '{"type": "RandomCenterCropPad", "crop_size": [40, 61], "ratios": [0.5, 1.5], "border": 16, "fill": 9}'
  jq -es 'all(.size_out == [30, 20] or .size_out == [91, 60]) and all(.steps[1] as $w | (.annotations | length) > 0 and (.annotations | length) ==
    ([[7, 8], [75, 50]] | map(select(.[0] > $w.left and .[0] < $w.left + $w.width and .[1] > $w.top and
      .[1] < $w.top + $w.height)) | length))' manifest.jsonl
  jq '.annotations = []' in.json > none.json && mv none.json in.json
  draws '{"type": "RandomCenterCropPad", "crop_size": 40, "ratios": [1], "border": 45}'
  # half the height is 45: the border becomes 22 there, and 45 stays for the width
  jq -es '(map(.steps[1].top + 20 - (.steps[2].padding[1] // 0)) | min == 22 and max == 67) and
    (map(.steps[1].left + 20) | min == 45 and max == 74)' manifest.jsonl
}

@test "near: MaskDropout paints objects over in image and mask, drops them, and leaves all others" {
  mkdir masks
  python3 "$here/tools/gray.py" write masks/a.png 120 90 5 2 4 12 12 6 60 40 90 60 7 100 80 120 90
  jq '.annotations[1].segmentation = [[60, 40, 90, 40, 90, 60]]' in.json > seg.json
  step='{"type": "MaskDropout", "p": 1, "max_objects": 1, "fill": 77, "fill_mask": 3}'
  echo "{\"version\": 1, \"seed\": 3, \"output\": {\"format\": \"png\"}, \"transforms\": [$step]}" > p.json
  "$lockstep" run -q -n 12 -p p.json -i in -a seg.json --masks masks -o out
  python3 "$here/tools/dropped.py" in/a.png masks/a.png out > dropped
  [ "$(sort -u dropped | paste -sd ' ')" = '1 2' ]
}
