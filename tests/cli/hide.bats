# Steps that hide objects, and steps that act on labels only: erasing, dropouts, clamping, sanitizing.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  mkdir images
}

# pipeline STEPS [ANNOTATION RULES]: writes p.json.
pipeline() {
  printf '{"version": 1, "seed": 5, "annotations": %s, "transforms": [%s]}\n' "${2:-{\}}" "$1" > p.json
}

go() { # more options...
  "$lockstep" run -q -p p.json -i images -a in.json -o out "$@"
}

# objects WIDTH HEIGHT ANNOTATION...: in.json with one image a.png and these annotations; the parts
# that all have are added.
objects() {
  local width=$1 height=$2 all
  shift 2
  python3 "$here/tools/blank.py" images/a.png "$width" "$height"
  all=$(printf ', %s' "$@")
  jq -n --argjson all "[${all:2}]" --argjson w "$width" --argjson h "$height" '
    {images: [{id: 1, file_name: "a.png", width: $w, height: $h}],
     annotations: [$all[] | {image_id: 1, category_id: 1, iscrowd: 0} + .],
     categories: [{id: 1, name: "thing"}, {id: 2, name: "person", keypoints: ["nose", "chin", "neck"]}]}' > in.json
}

# near EXPECTED JQ-EXPRESSION [FILE]: numbers (a list) equal within 1e-6.
near() {
  jq -e --argjson want "$1" "[$2] | flatten | [., \$want] | transpose | all((.[0] - .[1]) | fabs < 1e-6)" \
    "${3:-out/annotations.json}" > /dev/null || {
    echo "expected $1, have:"
    jq -c "[$2]" "${3:-out/annotations.json}"
    return 1
  }
}

# count VALUE FILE: how many samples of a PNG have the value.
count() {
  python3 -c 'import png, sys
print(list(png.read(sys.argv[2])[3]).count(int(sys.argv[1])))' "$@"
}

# A box of 40 x 20 at (10, 10) as box, polygon and run lengths (of an image 100 x 80).
boxed='{"id": 1, "bbox": [10, 10, 40, 20], "area": 800}'
ring='{"id": 2, "bbox": [10, 10, 40, 20], "area": 800, "segmentation": [[10, 10, 50, 10, 50, 30, 10, 30]]}'
runs() { # id [more keys]
  jq -cn --argjson id "$1" --argjson more "${2:-{\}}" '{id: $id, bbox: [10, 10, 40, 20], area: 800,
    segmentation: {size: [80, 100], counts: ([810] + ([range(39)] | map(20, 60)) + [20, 4050])}} + $more'
}

@test "keep: outlines, boxes and areas stay, visibility falls by the covered share" {
  objects 100 80 "$boxed" "$ring" "$(runs 3)" "$(runs 4 '{"iscrowd": 1}')"
  # Two holes of one op that overlap: 10 x 20 and 10 x 10 of it, 5 columns in common: 250 of 800.
  pipeline '{"type": "coarse_dropout", "holes": [[0, 0, 80, 20], [10, 15, 10, 10]]}'
  go
  same_json in.json out/annotations.json .annotations
  near '[0.6875, 0.6875, 0.6875, 0.6875]' '.annotations[].visibility' out/manifest.jsonl
}

@test "shrink: what is hidden goes from polygons, run lengths and boxes, in all modes alike" {
  objects 100 80 "$boxed" "$ring" "$(runs 3)" "$(runs 4 '{"iscrowd": 1}')"
  pipeline '{"type": "coarse_dropout", "holes": [[0, 0, 80, 20], [10, 45, 10, 10]], "labels": "shrink"}'
  for mode in none exact fast; do
    rm -rf out
    go --optimize $mode
    # Left of 20 nothing is left; the upper right corner is a notch of 5 x 10.
    near '[20, 10, 30, 20]' '.annotations[0].bbox'
    near '[600, 550, 550, 550]' '.annotations[].area'
    near '[20, 10, 30, 20, 20, 10, 30, 20, 20, 10, 30, 20]' '.annotations[1:][].bbox'
    [ "$(jq -c '.annotations[1].segmentation | [length, (.[0] | length)]' out/annotations.json)" = '[1,12]' ]
    near '[0.6875, 0.6875, 0.6875, 0.6875]' '.annotations[].visibility' out/manifest.jsonl
    # Columns 20 to 44 have rows 10 to 29, columns 45 to 49 rows 20 to 29.
    jq -ne --slurpfile out out/annotations.json '
      $out[0].annotations[2].segmentation.counts ==
      [1610] + ([range(24)] | map(20, 60)) + [20, 70] + ([range(4)] | map(10, 70)) + [10, 4050]'
  done
}

@test "shrink: a hole in the middle leaves two polygons, a box, and no hole" {
  objects 100 80 "$boxed" "$ring" "$(runs 3)"
  pipeline '{"type": "erase", "i": 15, "j": 20, "h": 10, "w": 8, "labels": "shrink"}'
  go
  near '[800, 720, 720]' '.annotations[].area'
  near '[10, 10, 40, 20, 10, 10, 40, 20, 10, 10, 40, 20]' '.annotations[].bbox'
  near '[0.9, 0.9, 0.9]' '.annotations[].visibility' out/manifest.jsonl
  # The seam is where the hole's middle is.
  jq -e '.annotations[1].segmentation | length == 2 and
    (map([.[range(0; length; 2)]] | [min, max]) | sort) == [[10, 24], [24, 50]]' out/annotations.json
  # With "rle", the parts are run lengths.
  pipeline '{"type": "erase", "i": 15, "j": 20, "h": 10, "w": 8, "labels": "shrink"}' '{"segmentation": "rle"}'
  mv out vector
  go
  near '[720]' '.annotations[1].area'
}

@test "shrink: objects with nothing left are dropped as hidden" {
  objects 100 80 "$boxed" "$ring" "$(runs 3)" '{"id": 5, "bbox": [60, 60, 10, 10], "area": 100}'
  pipeline '{"type": "coarse_dropout", "holes": [[0, 0, 40, 30], [0, 30, 40, 30]], "labels": "shrink"}'
  go
  [ "$(jq -c '[.annotations[].id]' out/annotations.json)" = '[5]' ]
  jq -e '.dropped | map(.reason == "hidden") | length == 3 and all' out/manifest.jsonl
  jq -e '.annotations == [{"id": 5, "from": 5}]' out/manifest.jsonl
}

@test "shrink: what no hole takes from stays to the letter" {
  objects 100 80 "$boxed" "$ring" "$(runs 3)"
  pipeline '{"type": "coarse_dropout", "holes": [[30, 0, 50, 100], [0, 50, 80, 50]], "labels": "shrink"}'
  go
  same_json in.json out/annotations.json .annotations
}

@test "shrink: boxes by hull keep the uncovered part of the annotated box" {
  objects 100 80 '{"id": 1, "bbox": [10, 10, 40, 20], "area": 300, "segmentation": [[10, 10, 40, 10, 40, 20, 10, 20]]}'
  pipeline '{"type": "erase", "i": 0, "j": 0, "h": 40, "w": 15, "labels": "shrink"}' '{"boxes": "hull"}'
  go
  near '[15, 10, 35, 20]' '.annotations[0].bbox'
  near '[250]' '.annotations[0].area'
}

@test "what was cut stays cut under later moves, and holes move along" {
  objects 100 80 "$boxed" "$ring" "$(runs 3)"
  pipeline '{"type": "erase", "i": 0, "j": 0, "h": 80, "w": 20, "labels": "shrink"},
    {"type": "horizontal_flip"},
    {"type": "erase", "i": 0, "j": 70, "h": 20, "w": 30},
    {"type": "resize", "size": [160, 200]}'
  go
  # After the flip columns 50 to 80 are left; then a quarter of the rest is hidden: 10 x 10 of 30 x 20.
  near '[100, 20, 60, 40, 100, 20, 60, 40, 100, 20, 60, 40]' '.annotations[].bbox'
  near '[2400, 2400, 2400]' '.annotations[].area'
  near '[0.625, 0.625, 0.625]' '.annotations[].visibility' out/manifest.jsonl
}

@test "a hole over a hole hides nothing twice" {
  objects 100 80 "$boxed" "$ring" "$(runs 3)"
  for labels in '"shrink" "keep"' '"keep" "shrink"' '"shrink" "shrink"' '"keep" "keep"'; do
    read -r first second <<< "$labels"
    pipeline '{"type": "erase", "i": 15, "j": 20, "h": 10, "w": 8, "labels": '"$first"'},
      {"type": "erase", "i": 15, "j": 20, "h": 10, "w": 8, "labels": '"$second"'}'
    rm -rf out
    go
    near '[0.9, 0.9, 0.9]' '.annotations[].visibility' out/manifest.jsonl
  done
}

@test "keypoints under a hole are labelled, not visible" {
  objects 100 80 '{"id": 1, "category_id": 2, "keypoints": [10, 10, 2, 30, 30, 2, 60, 60, 1], "num_keypoints": 3, "bbox": [5, 5, 70, 70], "area": 4900}' \
    '{"id": 2, "category_id": 2, "keypoints": [50, 10, 2, 0, 0, 0, 89, 79, 2], "num_keypoints": 2, "bbox": [40, 5, 60, 75], "area": 4500.50}'
  for labels in keep shrink; do
    pipeline '{"type": "erase", "i": 10, "j": 10, "h": 1, "w": 1, "labels": "'$labels'"},
      {"type": "coarse_dropout", "holes": [[0, 0, 10, 100], [70, 80, 9, 20], [30, 29, 1, 1], [55, 55, 10, 10]], "labels": "'$labels'"}'
    rm -rf out
    go
    # (30, 30) lies beside its hole and (89, 79) below; a visibility of 1 stays 1.
    [ "$(jq -c '[.annotations[].keypoints]' out/annotations.json)" = '[[10,10,1,30,30,2,60,60,1],[50,10,2,0,0,0,89,79,2]]' ]
    [ "$(jq -c '[.annotations[].num_keypoints]' out/annotations.json)" = '[3,2]' ]
  done
  # Later moves and cuts apply to the new visibility.
  pipeline '{"type": "erase", "i": 10, "j": 10, "h": 1, "w": 1}, {"type": "horizontal_flip"},
    {"type": "crop", "top": 0, "left": 0, "height": 80, "width": 65}, {"type": "pad", "padding": [0, 0, 35, 0]}'
  rm -rf out
  go
  [ "$(jq -c '.annotations[0].keypoints' out/annotations.json)" = '[0,0,0,0,0,0,39,60,1]' ]
}

@test "an object with only keypoints hidden keeps its box beyond the image" {
  objects 100 80 '{"id": 1, "category_id": 2, "keypoints": [10, 10, 2, 30, 30, 2, 60, 60, 1], "num_keypoints": 3, "bbox": [-5, 5, 70, 80], "area": 4900}'
  pipeline '{"type": "erase", "i": 10, "j": 10, "h": 1, "w": 1}'
  go
  near '[-5, 5, 70, 80]' '.annotations[0].bbox'
  [ "$(jq -c '.annotations[0].keypoints' out/annotations.json)" = '[10,10,1,30,30,2,60,60,1]' ]
}

@test "label masks stay under holes unless fill_mask says otherwise" {
  mkdir masks
  objects 10 10 "$boxed"
  jq '.annotations = []' in.json > none.json && mv none.json in.json
  python3 "$here/tools/blank.py" masks/a.png 10 10 gray 4
  for step in '{"type": "erase", "i": 2, "j": 3, "h": 4, "w": 5, "noise": true' \
    '{"type": "grid_dropout", "unit": 5, "hole": [2, 4], "top": 1, "left": 1'; do
    for mode in none exact fast; do
      pipeline "$step}"
      rm -rf out
      go --masks masks --optimize $mode
      [ "$(count 4 out/masks/a.png)" = 100 ]
      pipeline "$step, \"fill_mask\": 9}, {\"type\": \"horizontal_flip\"}"
      rm -rf out
      go --masks masks --optimize $mode
      [ "$(count 9 out/masks/a.png)" = "$([[ $step == *erase* ]] && echo 20 || echo 32)" ]
    done
  done
}

@test "PixelDropout: its share of pixels, the same ones in the label mask" {
  mkdir masks
  python3 "$here/tools/blank.py" images/a.png 200 100 gray 4
  python3 "$here/tools/blank.py" masks/a.png 200 100 gray 4
  pipeline '{"type": "pixel_dropout", "dropout_prob": 0.3, "drop_value": 9, "mask_drop_value": 9, "key": 3}'
  "$lockstep" run -q -p p.json -i images --masks masks -o out
  cmp out/images/a.png out/masks/a.png
  n=$(count 9 out/masks/a.png)
  [ "$n" -gt 5740 ] && [ "$n" -lt 6260 ] # four standard deviations
  pipeline '{"type": "pixel_dropout", "dropout_prob": 0.3, "drop_value": 9, "per_channel": true, "key": 3}'
  python3 "$here/tools/blank.py" images/a.png 200 100 rgb 4
  rm -rf out
  "$lockstep" run -q -p p.json -i images --masks masks -o out
  n=$(count 9 out/images/a.png)
  [ "$n" -gt 17500 ] && [ "$n" -lt 18500 ]
  [ "$(count 4 out/masks/a.png)" = 20000 ]
}

@test "CoarseDropout draws its holes within the ranges, GridDropout its grid" {
  objects 97 61 "$boxed"
  pipeline '{"type": "CoarseDropout", "p": 1, "num_holes_range": [2, 5], "hole_height_range": [0.1, 0.25], "hole_width_range": [4, 9]},
    {"type": "GridDropout", "p": 1, "ratio": 0.4}, {"type": "GridDropout", "p": 1, "unit_size_range": [8, 12]},
    {"type": "GridDropout", "p": 1, "holes_number_xy": [4, 3], "random_offset": false, "shift_xy": [3, 500]}'
  go -n 200
  jq -se 'map(.steps[0].holes) | (map(length) | unique) == [2, 3, 4, 5] and
    (map(.[]) | all(.[0] >= 0 and .[1] >= 0 and .[0] + .[2] <= 61 and .[1] + .[3] <= 97)) and
    (map(.[][2]) | [min, max]) == [6, 15] and (map(.[][3]) | unique) == [4, 5, 6, 7, 8, 9]' out/manifest.jsonl
  # 97 / 10 = 9 pixels, of these 3 a hole that begins in 0..6.
  jq -se 'map(.steps[1]) | all(.unit == [9, 9] and .hole == [3, 3]) and
    (map(.top) | unique) == [range(7)] and (map(.left) | unique) == [range(7)]' out/manifest.jsonl
  jq -se 'map(.steps[2].unit[0]) | unique == [8, 9, 10, 11, 12]' out/manifest.jsonl
  # Units of 61 / 3 = 20 and 97 / 4 = 24.
  jq -se 'map(.steps[3]) | all(.unit == [20, 24] and .hole == [10, 12] and .left == 3 and .top == 10)' out/manifest.jsonl
}

@test "replay: the steps of a manifest line do the same again" {
  objects 97 61 "$boxed" "$ring"
  pipeline '{"type": "CoarseDropout", "p": 1, "labels": "shrink", "noise": true}, {"type": "GridDropout", "p": 1},
    {"type": "PixelDropout", "p": 1}, {"type": "SanitizeBoundingBoxes", "min_size": 5}, {"type": "RandomErasing", "p": 1}'
  go
  jq -c '{version: 1, transforms: .steps}' out/manifest.jsonl > p.json
  mv out first
  go
  cmp first/images/a.png out/images/a.png
  cmp first/annotations.json out/annotations.json
}

@test "SanitizeBoundingBoxes judges where it stands, and drops at the end" {
  objects 100 80 "$boxed" '{"id": 2, "bbox": [5, 5, 3, 30], "area": 90}' '{"id": 3, "bbox": [20, 20, 6, 6], "area": 36}' \
    '{"id": 4, "bbox": [-20, 0, 10, 10], "area": 100}' '{"id": 5, "bbox": [-20, 0, 30, 10], "area": 300}' '{"id": 6}'
  pipeline '{"type": "SanitizeBoundingBoxes", "min_size": 4, "min_area": 40}, {"type": "resize", "size": [800, 1000]}'
  go
  [ "$(jq -c '[.annotations[].id]' out/annotations.json)" = '[1,5,6]' ]
  jq -e '.dropped == [{"from": 2, "reason": "min_size", "value": 3}, {"from": 3, "reason": "min_area", "value": 36},
    {"from": 4, "reason": "outside", "value": 0}]' out/manifest.jsonl
  jq -e '.steps[0] == {"type": "sanitize_bounding_boxes", "min_size": 4, "min_area": 40}' out/manifest.jsonl
}

@test "labels-only steps leave the image's file and other labels as they are" {
  objects 100 80 "$boxed" "$ring" '{"id": 3, "bbox": [90, 70.5, 30, 5], "area": 150}' \
    '{"id": 4, "category_id": 2, "bbox": [0, 0, 50, 50], "area": 2500, "keypoints": [10, 10, 2, -7, 30, 2, 120, 79.9, 1], "num_keypoints": 3}'
  printf '{"version": 1, "output": {"untouched": "copy"}, "transforms": [%s]}' \
    '{"type": "ClampBoundingBoxes"}, {"type": "ClampKeyPoints"}, {"type": "ConvertBoundingBoxFormat", "format": "XYWH"}' > p.json
  go
  cmp images/a.png out/images/a.png
  same_json in.json out/annotations.json '.annotations[:2]'
  near '[90, 70.5, 10, 5]' '.annotations[2].bbox'
  near '[10, 10, 2, 0, 30, 1, 99, 79, 1]' '.annotations[3].keypoints'
  # Cut before the canvas grows.
  pipeline '{"type": "ClampBoundingBoxes"}, {"type": "pad", "padding": 30}'
  rm -rf out
  go
  near '[120, 100.5, 10, 5]' '.annotations[2].bbox'
  near '[50]' '.annotations[2].area'
}

@test "SanitizeKeyPoints drops what lost keypoints" {
  objects 100 80 "$boxed" \
    '{"id": 2, "category_id": 2, "keypoints": [10, 10, 2, 30, 30, 2, 60, 60, 1], "num_keypoints": 3}' \
    '{"id": 3, "category_id": 2, "keypoints": [10, 10, 2, 30, 30, 2, 0, 0, 0], "num_keypoints": 2}' \
    '{"id": 4, "category_id": 2, "keypoints": [70, 10, 2, 80, 30, 2, 0, 0, 0], "num_keypoints": 2}'
  crop='{"type": "crop", "top": 0, "left": 0, "height": 80, "width": 50}'
  pipeline "$crop, {\"type\": \"SanitizeKeyPoints\"}, {\"type\": \"pad\", \"padding\": [0, 0, 50, 0]}"
  go
  [ "$(jq -c '[.annotations[].id]' out/annotations.json)" = '[1,3]' ]
  jq -e '.dropped == [{"from": 2, "reason": "outside", "value": 2}, {"from": 4, "reason": "outside", "value": 0}]' out/manifest.jsonl
  pipeline "$crop, {\"type\": \"SanitizeKeyPoints\", \"min_keypoints\": 2}"
  rm -rf out
  go
  [ "$(jq -c '[.annotations[].id]' out/annotations.json)" = '[1,2,3]' ]
  jq -e '.dropped[0].reason == "min_keypoints"' out/manifest.jsonl
}
