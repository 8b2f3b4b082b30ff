#!/usr/bin/env bats
# The op object_crops: one image becomes as many as it has objects, each about one of them; see object_crops.py.
# shellcheck disable=SC2154 # run sets stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
}

steps() { pipeline p.json "$1"; }

go() { # OUT OPTIONS...
  "$lockstep" run -q -p p.json -i "$samples/images" -a "$samples/annotations.json" -o "$@"
}

@test "object_crops: windows are those of a slow program, one an object, in the file's order" {
  for parameters in '' '"margin": 0.25' '"margin": 0.6, "border": "shift"' '"square": true, "margin": 0.1' \
    '"square": true, "margin": 0.4, "border": "cut"' '"square": true, "margin": 3, "border": "shift"'; do
    steps '{"type": "object_crops"'"${parameters:+, $parameters}"'}'
    "$lockstep" run -q --dry-run -p p.json -i "$samples/images" -a "$samples/annotations.json" > lines.jsonl
    python3 "$here/tools/object_crops.py" windows "$samples/annotations.json" "{$parameters}" < lines.jsonl
  done
}

@test "object_crops: every pixel has its label in all targets, before and after other steps" {
  local step
  python3 "$here/tools/joined.py" make data
  for step in '{"type": "object_crops", "margin": 0.3, "square": true}' \
    '{"type": "RandomRotate90"}, {"type": "object_crops", "others": "drop"}, {"type": "RandomHorizontalFlip"}' \
    '{"type": "Mosaic", "target_size": [70, 90], "interpolation": "nearest"}, {"type": "object_crops", "margin": 0.2, "border": "shift"}' \
    '{"type": "tile", "size": 40, "max_outputs": 9}, {"type": "object_crops", "border": "cut", "margin": 0.5, "others": "drop", "max_outputs": 9}'; do
    steps "$step"
    rm -rf out
    "$lockstep" run -q -p p.json -i data/images -a data/in.json --masks data/masks -o out -n 3
    python3 "$here/tools/joined.py" check out
  done
}

agree() { # draws for each image
  python3 "$here/tools/joined.py" make data
  steps '{"type": "RandomRotate90"}, {"type": "RandomCrop", "size": [44, 47]}, {"type": "object_crops", "margin": 0.2, "border": "shift"}, {"type": "RandomHorizontalFlip"}'
  "$lockstep" run -q -p p.json -i data/images -a data/in.json --masks data/masks -o out -n "$1"
  python3 "$here/tools/joined.py" check out data exact
}

@test "object_crops: over 21 draws pixels, labels, keypoints and visibilities agree" { agree 3; }

# bats test_tags=release
@test "object_crops: over 200 draws pixels, labels, keypoints and visibilities agree" { agree 29; }

@test "object_crops: each output has its object, and keeps or drops the others" {
  steps '{"type": "object_crops", "others": "drop", "size": [20, 30]}'
  go out
  jq -se 'all(.size_out == [30, 20]) and all(.annotations | length == 1)
          and all(.dropped | all(.reason == "other"))' out/manifest.jsonl
  # each object that is not a crowd has one output
  jq -s 'map(.annotations[0].from) | sort' out/manifest.jsonl > made.json
  jq '[.annotations[] | select(.iscrowd != 1) | .id] | sort' "$samples/annotations.json" | diff made.json -
  steps '{"type": "object_crops"}'
  go kept
  jq -se 'map(.annotations | length) | max > 1' kept/manifest.jsonl
}

@test "object_crops: the object's category is the label of its image, unless it is not wanted" {
  steps '{"type": "object_crops", "others": "drop"}, {"type": "RandomHorizontalFlip"}'
  go out
  jq -e '.annotations as $a | (.images | length) == ($a | length)
         and (.images | all(. as $i | [$a[] | select(.image_id == $i.id).category_id] == [$i.category_id]))' out/annotations.json
  jq -se 'all(.image_labels | length == 1)' out/manifest.jsonl
  steps '{"type": "object_crops", "image_label": false}'
  go plain
  jq -e '.images | all(has("category_id") or has("category_ids") | not)' plain/annotations.json
  steps '{"type": "set_image_label", "category": "no such thing"}'
  run -4 --separate-stderr go other
  [[ $stderr == *'the annotations have no category "no such thing"'* ]]
}

@test "object_crops: what other steps leave counts, and an image without objects becomes none" {
  steps '{"type": "remove_small_boxes", "min_size": 60}, {"type": "object_crops"}'
  run -0 --separate-stderr go out
  [[ $stderr == *"no output was made of them"*"[output-none]"* ]]
  jq -se 'all(.size_out[0] >= 60 and .size_out[1] >= 60)' out/manifest.jsonl
  [ "$(wc -l < out/manifest.jsonl)" -eq \
    "$(jq '[.annotations[] | select(.iscrowd != 1 and ([.bbox[2, 3]] | min) >= 60)] | length' "$samples/annotations.json")" ]
}

@test "object_crops: what is hidden before makes no image, and is counted so before work, too" {
  local hide='{"type": "erase", "i": 0, "j": 0, "h": 5000, "w": 5000, "labels": "shrink"}'
  # In the first image all of every object is hidden: no object is left, and a limit of one holds.
  steps "$hide"', {"type": "object_crops", "max_outputs": 1}'
  run -0 --separate-stderr go erased
  [[ $stderr == *"[output-none]"* ]]
  [ ! -s erased/manifest.jsonl ]
  # The same where the image is hidden by one that it is joined with.
  steps '{"type": "join", "height": 40, "width": 40, "inputs": [{}, {"steps": ['"$hide"']}]}, {"type": "object_crops", "max_outputs": 1}'
  jq '.annotations.ids = "dense"' p.json > dense.json && mv dense.json p.json
  run -0 --separate-stderr go joined
  [[ $stderr == *"[output-none]"* ]]
}

@test "object_crops: more than max_outputs is refused before work, and odd parameters are" {
  steps '{"type": "object_crops", "max_outputs": 2}'
  run -4 --separate-stderr go out
  [[ $stderr == *"max_outputs, 2 [plan-many]"* ]] && [ ! -e out ]
  for parameters in '"size": [0, 5]' '"margin": -1' '"border": "drop"' '"others": "cut"' '"max_outputs": 0'; do
    steps "{\"type\": \"object_crops\", $parameters}"
    run -3 "$lockstep" run -q --dry-run -p p.json -i "$samples/images" -a "$samples/annotations.json"
  done
}

@test "object_crops: any number of jobs, and a replay, give the same bytes" {
  steps '{"type": "RandomHorizontalFlip"}, {"type": "object_crops", "margin": 0.1, "square": true, "size": 32, "others": "drop"}, {"type": "ColorJitter", "brightness": 0.3}'
  go one -n 2 -j 1
  go two -n 2 -j 3
  same_tree one/images two/images
  cmp one/annotations.json two/annotations.json
  cmp one/manifest.jsonl two/manifest.jsonl
  "$lockstep" replay -q -m one/manifest.jsonl -i "$samples/images" -a "$samples/annotations.json" -o three
  same_tree one/images three/images
  cmp one/annotations.json three/annotations.json
  "$lockstep" verify -q one
}

@test "object_crops: RoIAlign equals a slow program, for all kinds of pixels, inside and beyond the image" {
  local aligned ratio box
  python3 "$here/tools/roi_align.py" make data
  for aligned in false true; do
    for ratio in -1 1 3; do
      steps '{"type": "object_crops", "sampling": "roi_align", "size": [5, 7], "margin": 0.3, "aligned": '"$aligned"', "sampling_ratio": '"$ratio"', "fill_mask": 255}'
      rm -rf out
      "$lockstep" run -q -p p.json -i data/images -a data/in.json --masks data/masks -o out
      python3 "$here/tools/roi_align.py" check data out
    done
    for box in '-30, -20, -3, 70' '-1.5, -0.75, 60, 60.25' '3, 3, 3.125, 9' '-100.3, 2, 300, 5' '5, 7, 6, 8'; do
      steps '{"type": "horizontal_flip"}, {"type": "horizontal_flip"}, {"type": "roi_align", "box": ['"$box"'], "size": [9, 4], "aligned": '"$aligned"'}'
      rm -rf out
      "$lockstep" run -q -p p.json -i data/images -a data/in.json --masks data/masks -o out
      python3 "$here/tools/roi_align.py" check data out
    done
  done
}

@test "object_crops: what a run by RoIAlign writes is compiled, replayed, verified and mapped back" {
  steps '{"type": "object_crops", "sampling": "roi_align", "size": [18, 26], "margin": 0.15, "aligned": true}'
  go out
  "$lockstep" compile -p p.json -o frozen.json
  "$lockstep" compile -p frozen.json | cmp - frozen.json
  "$lockstep" run -q -p frozen.json -i "$samples/images" -a "$samples/annotations.json" -o again
  same_tree out/images again/images
  "$lockstep" replay -q --verify -m out/manifest.jsonl -i "$samples/images" -a "$samples/annotations.json" -o out
  "$lockstep" verify -q out
  jq '[.annotations[] | {image_id, category_id, bbox, score: 0.5}]' out/annotations.json > r.json
  "$lockstep" back -q -m out/manifest.jsonl -r r.json -o back.json
  [ "$(jq length back.json)" -ge 15 ]
  steps '{"type": "object_crops", "sampling": "roi_align", "size": 9, "fill": [0, 0, 0]}'
  go black
}

@test "object_crops: by RoIAlign an object's box is the whole crop, in mode fast as in mode none, and odd values are refused" {
  local mode
  for mode in none exact fast; do
    steps '{"type": "RandomHorizontalFlip"}, {"type": "object_crops", "sampling": "roi_align", "aligned": true, "size": [20, 30], "others": "drop"}, {"type": "resize", "size": [40, 60]}'
    go $mode --optimize $mode
    jq -e '.annotations | all([.bbox, [0, 0, 60, 40]] | transpose | all((.[0] - .[1]) | fabs < 1e-9))' $mode/annotations.json
  done
  same_tree none/images exact/images
  cmp none/annotations.json fast/annotations.json
  steps '{"type": "object_crops", "sampling": "roi_align"}'
  run -3 --separate-stderr go out
  [[ $stderr == *"[param-missing]"* ]]
  steps '{"type": "object_crops", "sampling": "roi_align", "size": 9, "fill": 3}'
  run -3 --separate-stderr go out
  [[ $stderr == *"[param-conflict]"* ]]
  steps '{"type": "roi_align", "box": [5, 5, 5, 9], "size": 4, "aligned": true}'
  run -4 --separate-stderr go out
  [[ $stderr == *"the box has no area"* ]]
}
