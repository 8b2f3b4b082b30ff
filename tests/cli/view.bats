#!/usr/bin/env bats
# Steps that look at the sample: crops that mind objects, conditions of steps, labels in mirrors.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
}

# draws STEPS OPTION...: a manifest of 40 draws of each sample image
draws() {
  local merged
  with_defaults '-n 40' -- "${@:2}"
  pipeline p.json "$1"
  "$lockstep" run -p p.json -i "$samples/images" -a "$samples/annotations.json" -o out --dry-run \
    "${merged[@]}" > manifest.jsonl
}

# holds RULE ARGUMENT...: each line of it keeps to the rule of view.py
holds() { python3 "$here/tools/view.py" "$1" manifest.jsonl "$samples/annotations.json" "${@:2}"; }

# masked NAME WIDTH HEIGHT BOXES...: an image in in/ with a label mask in masks/
masked() {
  mkdir -p in masks
  python3 "$here/tools/blank.py" "in/$1.png" "$2" "$3"
  python3 "$here/tools/gray.py" write "masks/$1.png" "${@:2}"
}

@test "view: safe crops hold all boxes whole, and lose no more than erosion says" {
  draws '{"type": "BBoxSafeRandomCrop"}'
  [ "$(holds safe 0)" -eq 600 ]
  draws '{"type": "BBoxSafeRandomCrop", "erosion_rate": 0.4}'
  [ "$(holds safe 0.4)" -eq 600 ]
  draws '{"type": "RandomSizedBBoxSafeCrop", "height": 70, "width": 90}'
  [ "$(holds safe 0)" -eq 600 ]
  jq -se 'all(.size_out == [90, 70])' manifest.jsonl
}

@test "view: an IoU crop overlaps a box as asked, and drops what has its middle outside" {
  draws '{"type": "RandomIoUCrop", "sampler_options": [0.5]}'
  [ "$(holds iou 0.5)" -ge 400 ]
  draws '{"type": "RandomIoUCrop", "sampler_options": [0]}'
  [ "$(holds iou 0)" -ge 500 ]
  draws '{"type": "RandomIoUCrop", "sampler_options": [0.02, 1], "overlapped": "all"}'
  [ "$(holds iou_of_all 0.02)" -ge 50 ]
  draws '{"type": "RandomIoUCrop", "sampler_options": [1]}'
  jq -se 'all(.steps == [] and .dropped == [])' manifest.jsonl
}

@test "view: an IoU crop without a window to be found, or on the smallest images, ends" {
  python3 "$here/tools/blank.py" one.png 1 1
  mkdir in && mv one.png in
  printf '{"images": [{"id": 1, "file_name": "one.png", "width": 1, "height": 1}], "categories": [{"id": 1,
    "name": "a"}], "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "iscrowd": 0, "area": 1,
    "bbox": [0, 0, 1, 1]}]}' > a.json
  pipeline p.json '{"type": "RandomIoUCrop", "sampler_options": [0.99], "max_scale": 0.9},
    {"type": "BBoxSafeRandomCrop"}'
  "$lockstep" run -p p.json -i in -a a.json -o out --dry-run -n 3 > m.jsonl
  jq -se 'all((.annotations | length) == 1 and .size_out == [1, 1])' m.jsonl
}

@test "view: what an IoU crop drew is replayed from the manifest" {
  draws '{"type": "RandomIoUCrop", "sampler_options": [0.3]}'
  jq -s '[.[] | select(.copy == 1 and .source == "street/0001.jpg")][0]' manifest.jsonl > line.json
  jq '{version: 1, transforms: .steps}' line.json > again.json
  "$lockstep" run -p again.json -i "$samples/images" -a "$samples/annotations.json" -o out \
    --dry-run > again.jsonl
  diff <(jq -c '[.annotations | sort_by(.from)[] | [.from, .visibility]], .dropped' line.json) \
    <(jq -c 'select(.source == "street/0001.jpg") | [.annotations | sort_by(.from)[] | [.from, .visibility]], .dropped' again.jsonl)
}

@test "view: at least one box stays, eroded as far as allowed; larger crops are refused" {
  draws '{"type": "AtLeastOneBBoxRandomCrop", "height": 100, "width": 110}'
  [ "$(holds one 0)" -eq 600 ]
  draws '{"type": "AtLeastOneBBoxRandomCrop", "height": 60, "width": 90, "erosion_factor": 0.5}'
  [ "$(holds one 0.5)" -eq 600 ]
  draws '{"type": "AtLeastOneBBoxRandomCrop", "height": 60, "width": 90, "erosion_factor": 1}'
  [ "$(holds one 1)" -eq 600 ]
  pipeline p.json '{"type": "AtLeastOneBBoxRandomCrop", "height": 130, "width": 20}'
  run -4 --separate-stderr "$lockstep" run -p p.json -i "$samples/images" -o out -q
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == *'smaller than the crop of 20x130'* ]]
}

@test "view: windows for masks hold a pixel of an object's outline" {
  draws '{"type": "CropNonEmptyMaskIfExists", "height": 20, "width": 24}'
  [ "$(holds touches)" -eq 600 ]
}

@test "view: without annotations the label mask is looked at, as it then is, the same in all modes" {
  masked a 61 47 9 50 3 51 4 255 0 0 20 20
  pipeline p.json '{"type": "horizontal_flip"}, {"type": "pad", "padding": [0, 0, 0, 5], "fill_mask": 255},
    {"type": "CropNonEmptyMaskIfExists", "height": 7, "width": 5, "ignore_values": [255]}'
  for mode in none exact fast; do
    "$lockstep" run -q -p p.json -i in --masks masks -o "$mode" -n 30 --optimize "$mode"
    "$lockstep" run -p p.json -i in --masks masks -o "$mode" -n 30 --dry-run --optimize "$mode" \
      --overwrite > dry.jsonl
    diff dry.jsonl "$mode/manifest.jsonl"
    # but for the link to the run, which is another in each mode
    diff <(unlinked none) <(unlinked "$mode")
  done
  # The pixel (50, 3) is (10, 3) in the mirror.
  jq -se 'length == 30 and (map(.steps[2].left) | unique | length) > 3
          and all(.steps[2] | .left <= 10 and .left + 5 > 10 and .top <= 3)' dry.jsonl
  [ "$(for mask in exact/masks/*.png; do python3 "$here/tools/gray.py" print "$mask"; done | grep -cw 9)" -eq 30 ]
}

@test "view: no label has too large a share of a window that is constrained, where ten windows are tried" {
  masked a 40 30 7 0 0 20 30 255 30 0 40 30
  step='{"type": "RandomCropCategoryAreaConstraint", "crop_type": "absolute", "crop_size": [10, 12]'
  pipeline p.json "{\"type\": \"horizontal_flip\"}, $step, \"single_category_max_area\": 0.7, \"ignored_category\": 255}"
  "$lockstep" run -p p.json -i in --masks masks -o out --dry-run -n 300 > m.jsonl
  # In the mirror columns 0 to 9 have 255, up to 19 have 0, all others 7: of 29 places half a dozen are good.
  jq -se 'def pixels(from; to): [0, ([.left + 12, to] | min) - ([.left, from] | max)] | max;
    map(.steps[1] | [pixels(10; 20), pixels(20; 40)] | sort) | map(select(.[0] > 0 and .[1] < 0.7 * add)) | length
    | . > 240 and . < 300' m.jsonl
  pipeline p.json "$step}"
  "$lockstep" run -p p.json -i in --masks masks -o out --dry-run -n 300 > m.jsonl
  jq -se '(map(.steps[0].left) | unique) == [range(29)]' m.jsonl
  pipeline p.json "$step, \"single_category_max_area\": 0.2}"
  "$lockstep" run -p p.json -i in --masks masks -o out --dry-run -n 300 > m.jsonl # no window fits: the last one counts
  jq -se '(map(.steps[0].left) | unique) == [range(29)]' m.jsonl
  pipeline p.json '{"type": "RandomCropCategoryAreaConstraint", "crop_size": 3}'
  run -3 --separate-stderr "$lockstep" run -p p.json -i in --masks masks -o out
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == *'[param-range]'* ]]
}

@test "view: pixels of a mask are drawn evenly, and a mask that cannot be read is said to be" {
  masked a 50 50 1 2 10 3 40 2 40 5 41 35
  pipeline p.json '{"type": "CropNonEmptyMaskIfExists", "height": 1, "width": 1}'
  "$lockstep" run -p p.json -i in --masks masks -o out --dry-run -n 600 > m.jsonl
  # 30 of 60 pixels lie at the left; 4.5 standard deviations
  jq -se 'all(.steps[0].left | . == 2 or . == 40)
          and (map(select(.steps[0].left == 2)) | length | . > 245 and . < 355)' m.jsonl
  head -c 60 masks/a.png > cut.png && mv cut.png masks/a.png
  run -4 --separate-stderr "$lockstep" run -p p.json -i in --masks masks -o out --dry-run
  [[ $stderr == *'its mask a.png'* ]]
}

@test "view: a step with a condition is done where it holds of the objects that are kept" {
  local steps='{"type": "RandomCrop", "size": [100, 100]}'
  draws "$steps"', {"type": "horizontal_flip", "when": {"has_category": ["bird", "apple"]}}'
  jq -c .steps[0] manifest.jsonl > with.txt
  draws "$steps"
  diff with.txt <(jq -c .steps[0] manifest.jsonl)
  draws "$steps"', {"type": "horizontal_flip", "when": {"has_category": ["bird"]}}'
  [ "$(holds when_category 8)" -ge 30 ]
  draws "$steps"', {"type": "horizontal_flip", "when": {"min_objects": 2, "max_objects": null}}'
  [ "$(holds when_count 2)" -ge 30 ]
}

@test "view: conditions on sizes are of the image as it is; all of them must hold" {
  done_for() { jq -r 'select(.steps[-1].type == "vertical_flip") | .size_in | min, max' manifest.jsonl; }
  draws '{"type": "vertical_flip", "when": {"max_size": 240}}' -n 1
  [ "$(done_for | paste -sd ' ')" = "$(jq -r '.size_in | select(max <= 240) | min, max' manifest.jsonl | paste -sd ' ')" ]
  [ -n "$(done_for)" ]
  draws '{"type": "vertical_flip", "when": {"min_size": 200, "max_size": 240}}' -n 1
  [ -z "$(done_for)" ]
  draws '{"type": "vertical_flip", "when": {"min_size": 301, "min_objects": 1}}' -n 1
  [ "$(jq -s 'map(select(.steps != [])) | length' manifest.jsonl)" -eq \
    "$(jq -s 'map(select((.size_in | min >= 301) and (.annotations | length > 0))) | length' manifest.jsonl)" ]
  draws '{"type": "Resize", "size": [50, 60]}, {"type": "vertical_flip", "when": {"max_size": 60, "min_size": 50}}' -n 1
  jq -se 'all((.steps | length) == 2)' manifest.jsonl
}

@test "view: conditions and chances leave each other's draws alone" {
  draws '{"type": "vertical_flip", "p": 0.5}, {"type": "RandomCrop", "size": 90}'
  cp manifest.jsonl plain.jsonl
  draws '{"type": "vertical_flip", "p": 0.5, "when": {"min_objects": 4}}, {"type": "RandomCrop", "size": 90}'
  diff <(jq -c '.steps[-1]' plain.jsonl) <(jq -c '.steps[-1]' manifest.jsonl)
  jq -se '[.[:600], .[600:]] | transpose
          | all(((.[1].steps | length) == 2) == ((.[0].steps | length) == 2
                and (.[0].annotations + .[0].dropped | length) >= 4))' plain.jsonl manifest.jsonl
}

@test "view: a category that the dataset does not have is a slip of the pipeline" {
  pipeline p.json '{"type": "RandomApply", "transforms": [{"type": "invert", "when": {"has_category": ["car", "persn"]}}]}'
  run -3 --separate-stderr "$lockstep" run -p p.json -i "$samples/images" -a "$samples/annotations.json" -o out
  [[ $stderr == *'transforms[0].transforms[0].when.has_category[1]: '*'"persn"; did you mean "person"?'*'[when-category]'* ]]
  run -3 --separate-stderr "$lockstep" run -p p.json -i "$samples/images" -o out
  [[ $stderr == *'without annotations'*'"car"'* ]]
  [ ! -e out ]
}

@test "view: compile and explain say conditions" {
  pipeline p.json '{"type": "invert", "when": {"min_objects": 2, "has_category": ["car"]}}'
  "$lockstep" compile -p p.json -o c.json
  jq -e '.transforms[0].when == {has_category: ["car"], min_objects: 2, max_objects: null,
         min_size: null, max_size: null}' c.json
  "$lockstep" explain -p p.json | grep -F 'step 1: invert, when {"has_category": ["car"], "min_objects": 2,'
}

# mask STEPS SWAP MODE: prints the resulting masks/a.png
mask() {
  printf '{"version": 1, "annotations": {"swap_labels": %s}, "transforms": [%s]}\n' "$2" "$1" > p.json
  "$lockstep" run -q -p p.json -i in --masks masks -o out --overwrite --optimize "$3"
  python3 "$here/tools/gray.py" print out/masks/a.png
}

@test "view: labels of pairs change places in a mirror, and fills by the mirrors after them" {
  masked a 4 2 1 0 0 1 2 2 1 0 2 2 3 3 0 4 1
  [ "$(python3 "$here/tools/gray.py" print masks/a.png)" = $'1 2 0 3\n1 2 0 0' ]
  for mode in none exact fast; do
    [ "$(mask '{"type": "horizontal_flip"}' '[[1, 2]]' "$mode")" = $'3 0 1 2\n0 0 1 2' ]
    [ "$(mask '{"type": "vertical_flip"}' '[[2, 1], [7, 3]]' "$mode")" = $'2 1 0 0\n2 1 0 7' ]
    [ "$(mask '{"type": "horizontal_flip"}, {"type": "vertical_flip"}' '[[1, 2]]' "$mode")" = $'0 0 2 1\n3 0 2 1' ]
    [ "$(mask '{"type": "rotate", "angle": 180}' '[[1, 2]]' "$mode")" = $'0 0 2 1\n3 0 2 1' ]
    [ "$(mask '{"type": "horizontal_flip"}' '[[1, 300]]' "$mode")" = $'3 0 2 1\n0 0 2 1' ]
    [ "$(mask '{"type": "pad", "padding": [1, 0, 0, 0], "fill_mask": 1}, {"type": "horizontal_flip"},
      {"type": "pad", "padding": [1, 0, 0, 0], "fill_mask": 1}' '[[1, 2]]' "$mode")" = \
      $'1 3 0 1 2 2\n1 0 0 1 2 2' ]
  done
}

@test "view: labels change places in mirrored warps, and 16-bit labels do" {
  local steps='{"type": "horizontal_flip"}, {"type": "rotate", "angle": 25}, {"type": "Resize", "size": [60, 70]}'
  masked a 80 64 1 5 5 40 50 2 40 5 70 20 3 50 30 60 60
  for mode in none exact fast; do
    mask "$steps" '[]' "$mode" | sed -E 's/\b1\b/x/g; s/\b2\b/1/g; s/\bx\b/2/g' > wanted.txt
    diff wanted.txt <(mask "$steps" '[[1, 2]]' "$mode")
    grep -qw 2 wanted.txt
  done
  masked a 3 1 1 0 0 1 1 40000 2 0 3 1
  [ "$(mask '{"type": "horizontal_flip"}' '[[1, 40000]]' exact)" = '1 0 40000' ]
}
