#!/usr/bin/env bats
# Parameters that moving transforms emit (sizes, places and turns), read from the manifest of a dry run; and their
# results for images of few pixels.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  mkdir images
}

# draws WIDTH HEIGHT STEP JQ [COPIES]: the expression for each copy, one a line.
draws() {
  local in=blank-$1x$2
  if [ ! -d "$in" ]; then mkdir "$in" && python3 "$here/tools/blank.py" "$in/a.png" "$1" "$2" gray 0; fi
  pipeline p.json "$3"
  "$lockstep" run -q -p p.json -i "$in" -o out --dry-run -n "${5:-1}" | jq -c "$4"
}

# sized WIDTH HEIGHT STEP: the size that the step leaves.
sized() { draws "$1" "$2" "$3" '.size_out'; }

# padded WIDTH HEIGHT STEP [COPIES]: left, top, right, bottom, if it pads, and the size.
padded() { draws "$1" "$2" "$3" '[(.steps[] | select(.type == "pad").padding), .size_out]' "${4:-1}"; }

@test "geometry: scaling by a side" {
  [ "$(sized 800 1500 '{"type": "LongestMaxSize", "max_size": 1024}')" = '[546,1024]' ]
  [ "$(sized 800 1500 '{"type": "LongestMaxSize", "max_size_hw": [800, 1024]}')" = '[427,800]' ]
  [ "$(sized 800 1500 '{"type": "LongestMaxSize", "max_size_hw": [0, 1024]}')" = '[1024,1920]' ]
  [ "$(sized 800 1500 '{"type": "SmallestMaxSize", "max_size": 1024}')" = '[1024,1920]' ]
  [ "$(sized 800 1500 '{"type": "SmallestMaxSize", "max_size_hw": [800, 1024]}')" = '[1024,1920]' ]
  [ "$(sized 1 900 '{"type": "LongestMaxSize", "max_size": 30}')" = '[1,30]' ]
  [ "$(sized 333 500 '{"type": "RandomShortestSize", "min_size": 800}')" = '[800,1201]' ]
  [ "$(sized 333 1000 '{"type": "RandomShortestSize", "min_size": [800], "max_size": 1333}')" = '[443,1333]' ]
  # halves up, halves to the even one, or down
  [ "$(sized 30 45 '{"type": "LongestMaxSize", "max_size": 3, "rounding": "down"}')" = '[2,3]' ]
  [ "$(sized 30 41 '{"type": "LongestMaxSize", "max_size": 3, "rounding": "up"}')" = '[3,3]' ]
  [ "$(sized 30 45 '{"type": "LongestMaxSize", "max_size": 30, "rounding": "up"}')" = '[20,30]' ]
  [ "$(sized 60 8 '{"type": "LongestMaxSize", "max_size": 30}')" = '[30,4]' ]
  [ "$(sized 60 9 '{"type": "LongestMaxSize", "max_size": 30}')" = '[30,4]' ]
  [ "$(sized 60 9 '{"type": "LongestMaxSize", "max_size": 30, "rounding": "half_up"}')" = '[30,5]' ]
  [ "$(sized 40 30 '{"type": "RandomShortestSize", "min_size": 80, "max_size": 133, "rounding": "half_up"}')" = '[107,80]' ]
  [ "$(sized 300 900 '{"type": "ScaleJitter", "target_size": [320, 640], "scale_range": 1}')" = '[106,320]' ]
  [ "$(sized 3 2 '{"type": "ScaleJitter", "target_size": 3, "scale_range": 0.1}')" = '[1,1]' ]
  [ "$(sized 300 200 '{"type": "RandomResize", "min_size": 80, "max_size": 80}')" = '[120,80]' ]
  [ "$(sized 301 201 '{"type": "RandomScale", "scale_limit": [0.5, 0.5], "p": 1}')" = '[451,301]' ]
  [ "$(sized 100 80 '{"type": "resize", "size": null, "max_size": 50}')" = '[50,40]' ]
}

@test "geometry: lists and ranges of lengths are drawn from, all of them and nothing else" {
  drawn() { draws 30 20 "$1" '.size_out[1]' 300 | sort -n | uniq | paste -sd ' '; }
  [ "$(drawn '{"type": "RandomResize", "min_size": 24, "max_size": 28}')" = '24 25 26 27' ]
  [ "$(drawn '{"type": "RandomShortestSize", "min_size": [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110]}')" = \
    '10 20 30 40 50 60 70 80 90 100 110' ]
  [ "$(drawn '{"type": "RandomShortestSize", "min_size": [24, 20, 21], "between": true}')" = '20 21 22 23 24' ]
  [ "$(drawn '{"type": "SmallestMaxSize", "max_size": [10, 40, 70]}')" = '10 40 70' ]
  [ "$(drawn '{"type": "RandomZoomOut", "side_range": [1, 1.2], "p": 1}')" = '20 21 22 23' ]
}

@test "geometry: padding to a size, to multiples, and letterboxing" {
  [ "$(padded 320 241 '{"type": "PadIfNeeded", "min_height": 300, "min_width": 300}')" = '[[0,29,0,30],[320,300]]' ]
  [ "$(padded 320 240 '{"type": "PadIfNeeded", "pad_height_divisor": 32, "pad_width_divisor": 7}')" = '[[1,8,1,8],[322,256]]' ]
  [ "$(padded 320 240 '{"type": "PadIfNeeded", "min_height": 301, "pad_height_divisor": 8, "position": "bottom_right"}')" = \
    '[[0,64,0,0],[320,304]]' ]
  [ "$(padded 320 240 '{"type": "PadIfNeeded", "min_width": 325, "position": "top_left"}')" = '[[0,0,5,0],[325,240]]' ]
  [ "$(padded 320 240 '{"type": "PadIfNeeded", "min_width": 20}')" = '[[320,240]]' ]
  [ "$(padded 320 240 '{"type": "PadIfNeeded", "min_width": 322, "min_height": 241, "position": "random"}' 100 | sort -u | wc -l)" -eq 6 ]
  [ "$(padded 320 240 '{"type": "PadIfNeeded", "square": true}')" = '[[0,40,0,40],[320,320]]' ]
  [ "$(padded 20 90 '{"type": "PadIfNeeded", "square": true, "pad_width_divisor": 32, "position": "top_left"}')" = '[[0,0,76,0],[96,90]]' ]
  [ "$(padded 320 240 '{"type": "LetterBox"}')" = '[[0,80,0,80],[640,640]]' ]
  [ "$(padded 320 240 '{"type": "LetterBox", "size": [100, 302]}')" = '[[84,0,85,0],[302,100]]' ]
  [ "$(padded 320 240 '{"type": "LetterBox", "size": 400, "scaleup": false}')" = '[[40,80,40,80],[400,400]]' ]
  [ "$(padded 320 240 '{"type": "LetterBox", "size": 160, "scaleup": false}')" = '[[0,20,0,20],[160,160]]' ]
}

@test "geometry: sides gain and lose pixels, and something is always left" {
  [ "$(padded 320 240 '{"type": "CropAndPad", "px": [1, 2, 3, 4], "keep_size": false}')" = '[[4,1,2,3],[326,244]]' ]
  [ "$(padded 320 240 '{"type": "CropAndPad", "px": -7}')" = '[[-7,-7,-7,-7],[320,240]]' ]
  [ "$(padded 320 240 '{"type": "CropAndPad", "percent": [0, 0, 0.1, 0.1, 0, 0, -0.1, -0.1], "keep_size": false}')" = \
    '[[-32,0,32,0],[320,240]]' ]
  [ "$(padded 320 240 '{"type": "CropAndPad", "px": -500, "keep_size": false}')" = '[[-159,-120,-160,-119],[1,1]]' ]
  padded 40 30 '{"type": "CropAndPad", "px": [-1, 1], "sample_independently": false}' 60 | sort -u > same
  [ "$(cat same)" = "$(printf '%s\n' '[[-1,-1,-1,-1],[40,30]]' '[[0,0,0,0],[40,30]]' '[[1,1,1,1],[40,30]]')" ]
  padded 40 30 '{"type": "CropAndPad", "px": [-1, 1]}' 900 | sort -u > all
  [ "$(wc -l < all)" -eq 81 ]
}

@test "geometry: the eight turns of D4 are all different, and undo what they should" {
  mkdir one
  python3 "$here/tools/blank.py" one/a.png 7 4
  sum() {
    pipeline p.json "$1"
    "$lockstep" run -q --overwrite -p p.json -i one -o out > /dev/null
    md5sum < out/images/a.png
  }
  turn='{"type": "rot90", "k": 1}'
  [ "$(sum "$turn, $turn, $turn, $turn")" = "$(sum '')" ]
  [ "$(sum "$turn")" = "$(sum '{"type": "rotate", "angle": 90, "expand": true}')" ]
  [ "$(sum '{"type": "rot90", "k": -1}')" = "$(sum "$turn, $turn, $turn")" ]
  [ "$(sum '{"type": "transpose"}')" = "$(sum "$turn, "'{"type": "vertical_flip"}')" ]
  [ "$(sum '{"type": "transpose"}, {"type": "transpose"}')" = "$(sum '')" ]
  pipeline p.json '{"type": "D4"}'
  "$lockstep" run -q --overwrite -p p.json -i one -o out -n 60 > /dev/null
  [ "$(md5sum out/images/*.png | cut -d ' ' -f 1 | sort -u | wc -l)" -eq 8 ]
  rm -r out
  [ "$(draws 7 4 '{"type": "RandomRotate90"}' '[.steps[].k] | add // 0' 60 | sort -u | paste -sd ' ')" = '0 1 2 3' ]
}

@test "geometry: SafeRotate keeps all of the image on its canvas, and touches its edge" {
  draws 300 200 '{"type": "SafeRotate", "p": 1}' '.matrix' 100 > matrices
  [ "$(sort -u matrices | wc -l)" -eq 100 ]
  jq -e '. as $m | [[0, 0], [300, 0], [300, 200], [0, 200]]
    | map([$m[0] * .[0] + $m[1] * .[1] + $m[2], $m[3] * .[0] + $m[4] * .[1] + $m[5]])
    | [(map(.[0]) | min, 300 - max), (map(.[1]) | min, 200 - max)]
    | all(. > -1e-9) and (min < 1e-9)' matrices > judged
  [ "$(sort -u judged)" = true ]
}

@test "geometry: RandomPerspective keeps the image in front, however much it distorts" {
  for size in '64 48' '3 2' '2 9'; do
    # shellcheck disable=SC2086 # two numbers
    draws $size '{"type": "RandomPerspective", "p": 1, "distortion_scale": 1}' '.matrix | length' 40 > lengths
    [ "$(wc -l < lengths)" -eq 40 ]
  done
  [ "$(draws 1 40 '{"type": "RandomPerspective", "p": 1}' '.steps')" = '[]' ]
  draws 64 48 '{"type": "RandomPerspective", "p": 1}' '.steps[0].endpoints | flatten' 300 > ends
  jq -s -e 'transpose | map([min, max]) == [[0, 16], [0, 12], [47, 63], [0, 12], [47, 63], [35, 47], [0, 16], [35, 47]]' ends
}

@test "geometry: images of few pixels go through all of it" {
  for size in '1 1' '2 1' '1 3' '7 5'; do
    # shellcheck disable=SC2086 # two numbers
    python3 "$here/tools/blank.py" "images/${size/ /x}.png" $size
  done
  for step in '"RandomPerspective"' '"RandomZoomOut"' '"ScaleJitter", "target_size": 9' '"RandomRotate90"' '"D4"' \
    '"RandomShortestSize", "min_size": 3' '"RandomResize", "min_size": 1, "max_size": 9' '"Transpose"' \
    '"SafeRotate"' '"ShiftScaleRotate"' '"LongestMaxSize", "max_size": 5' '"SmallestMaxSize", "max_size": 2' \
    '"RandomScale", "scale_limit": 0.9' '"PadIfNeeded", "min_width": 3, "pad_height_divisor": 2' \
    '"LetterBox", "size": [3, 8]' '"CropAndPad", "percent": 0.6' '"CropAndPad", "percent": -0.6'; do
    pipeline p.json "{\"type\": $step, \"p\": 1}"
    "$lockstep" run -q --overwrite -p p.json -i images -o out -n 3 > log 2>&1 || { cat log; false; }
    quiet log
  done
}

@test "geometry: warps go on beyond the border as the image does that was continued by hand" {
  run -0 python3 "$here/tools/borders.py" "$lockstep"
  # shellcheck disable=SC2154 # run sets it
  [[ $output == *', 0 failures' ]]
}

@test "geometry: borders that go on are no part of a joined resampling" {
  echo '{"version": 1, "transforms": [{"type": "affine", "angle": 10, "scale": 0.7, "interpolation": "bilinear", "padding_mode": "wrap"},
    {"type": "rotate", "angle": 20, "interpolation": "bilinear", "padding_mode": "reflect"}]}' > p.json
  "$lockstep" run -q -p p.json -i "$samples/images" --limit 1 --optimize none -o none
  "$lockstep" run -q -p p.json -i "$samples/images" --limit 1 --optimize fast -o fast
  diff -r none/images fast/images
}

# A keypoint is in the middle of its pixel.
@test "geometry: what an affine map does to a point, with the formula of Albumentations" {
  printf '{"images": [{"id": 1, "file_name": "a.png", "width": 40, "height": 30}], "categories": [{"id": 1, "name": "thing",
    "keypoints": ["a"]}], "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [18, 12, 6, 4], "area": 24,
    "iscrowd": 0, "keypoints": [22, 13, 2], "num_keypoints": 1}]}' > a.json
  mkdir in
  python3 "$here/tools/blank.py" in/a.png 40 30
  echo '{"version": 1, "transforms": [{"type": "warp_affine", "angle": 30, "scale": [1.2, 0.8], "shear": [10, -5],
    "translate": [3, -2]}]}' > p.json
  "$lockstep" run -q -p p.json -i in -a a.json -o out
  python3 -c 'import json, math
x, y, _ = json.load(open("out/annotations.json"))["annotations"][0]["keypoints"]
u, v, a = (22.5 - 20) * 1.2, (13.5 - 15) * 0.8, math.radians(30)
u, v = math.cos(a) * u + math.sin(a) * v, -math.sin(a) * u + math.cos(a) * v
u, v = u + math.tan(math.radians(10)) * v, math.tan(math.radians(-5)) * u + v
assert math.dist((x, y), (u + 22.5, v + 12.5)) < 1e-4, (x, y, u + 22.5, v + 12.5)'
}

@test "geometry: a perspective onto a smaller canvas is the left top part of that onto the image's" {
  tilt='"type": "perspective", "startpoints": [[0, 0], [320, 0], [320, 240], [0, 240]],
    "endpoints": [[20, 10], [300, 4], [310, 200], [8, 230]], "interpolation": "bilinear"'
  echo '{"version": 1, "transforms": [{'"$tilt"', "size": [90, 130]}]}' > size.json
  echo '{"version": 1, "transforms": [{'"$tilt"'}, {"type": "crop", "top": 0, "left": 0, "height": 90, "width": 130}]}' > crop.json
  for p in size crop; do
    "$lockstep" run -q -p $p.json -i "$samples/images" -a "$samples/annotations.json" --limit 2 -o $p
  done
  diff -r size/images crop/images
  diff <(jq -c '.annotations[] | [.id, .bbox]' size/annotations.json) <(jq -c '.annotations[] | [.id, .bbox]' crop/annotations.json)
}

@test "geometry: what a dropout hides goes through many fields within a gigabyte" {
  local fields
  skip_when_sanitized "$lockstep"
  fields=$(for _ in {1..6}; do printf ', {"type": "ElasticTransform"}'; done)
  pipeline p.json '{"type": "GridDropout", "p": 1}'"$fields"
  ulimit -v 1000000
  "$lockstep" run -q -p p.json -i "$samples/images" -a "$samples/annotations.json" --limit 2 -j 1 -o out
  jq -e '.annotations | length > 3' out/annotations.json
}
