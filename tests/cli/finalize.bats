#!/usr/bin/env bats
# Decisions when a sample is finalized: which objects stay, whether it is drawn again, and which keypoints change
# places. If images and annotations disagree, one of them counts.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  mkdir images
}

# steps STEPS [ANNOTATION RULES] [MORE KEYS]: writes p.json.
steps() {
  printf '{"version": 1, "seed": 5, "annotations": %s%s, "transforms": [%s]}\n' \
    "${2:-{\}}" "${3:+, $3}" "$1" > p.json
}

go() { "$lockstep" run -q -p p.json -i images -a in.json -o out --overwrite "$@"; }

many() { # more options... : of the samples
  "$lockstep" run -q -p p.json -i "$samples/images" -a "$samples/annotations.json" --overwrite "$@"
}

image() { python3 "$here/tools/blank.py" "images/$1" "$2" "$3"; }

# objects ANNOTATION...: makes in.json with one image a.png of 100 x 80 and these annotations; common members are added.
objects() {
  local all
  image a.png 100 80
  all=$(printf ', %s' "$@")
  jq -n --argjson all "[${all:2}]" '
    {images: [{id: 1, file_name: "a.png", width: 100, height: 80}],
     annotations: [$all | to_entries[] | {id: (.key + 1), image_id: 1, category_id: 1, iscrowd: 0} + .value],
     categories: [{id: 1, name: "thing"},
       {id: 2, name: "person", keypoints: ["nose", "left_hand", "right_hand"]}]}' > in.json
}

dropped() { jq -c '.dropped | map([.from, .reason, .value])' out/manifest.jsonl; }

# --- which objects stay

@test "finalize: max_aspect drops what is longer one way, with the ratio; crowds stay" {
  objects '{"bbox": [0, 0, 40, 20]}' '{"bbox": [0, 0, 41, 20]}' '{"bbox": [0, 0, 5, 50]}' \
    '{"bbox": [10, 10, 30, 0]}' '{"bbox": [0, 0, 5, 50], "iscrowd": 1}' '{"bbox": [0, 0, 0, 0]}'
  steps '' '{"max_aspect": 2}'
  go
  [ "$(dropped)" = '[[2,"max_aspect",2.05],[3,"max_aspect",10],[4,"max_aspect",null]]' ]
  [ "$(jq -c '[.annotations[].id]' out/annotations.json)" = '[1,5,6]' ]
  # The aspect is measured on the box in the result, after the crop and the resize.
  steps '{"type": "crop", "top": 0, "left": 0, "height": 80, "width": 20}, {"type": "resize", "size": [40, 20]}' \
    '{"max_aspect": 2}'
  go
  [ "$(dropped)" = '[[3,"max_aspect",5],[4,"outside",0]]' ]
  steps '' '{"max_aspect": null}'
  go
  [ "$(dropped)" = '[]' ]
}

@test "finalize: every drop has its reason and value, and what was painted over counts as lost" {
  objects '{"bbox": [0, 0, 40, 20]}' '{"bbox": [60, 0, 40, 20]}' '{"bbox": [50, 40, 2, 9]}' \
    '{"bbox": [50, 60, 4, 4]}' '{"bbox": [0, 70, 10, 10]}' '{"bbox": [0, 0, 40, 20], "iscrowd": 1}'
  steps '{"type": "erase", "i": 0, "j": 0, "h": 80, "w": 30}, {"type": "crop", "top": 0, "left": 0, "height": 69, "width": 100}' \
    '{"min_visibility": 0.5, "min_size": 3, "min_area": 17}'
  go
  [ "$(dropped)" = '[[1,"min_visibility",0.25],[3,"min_size",2],[4,"min_area",16],[5,"outside",0]]' ]
  steps '{"type": "coarse_dropout", "holes": [[0, 0, 20, 15], [0, 60, 20, 25]]}' '{"min_visibility": 0.5}'
  go
  [ "$(dropped)" = '[[2,"min_visibility",0.375]]' ]
}

# --- the remaining parts of an object

# area ID: as written; boxes: all of them.
area() { jq ".annotations[] | select(.id == $1).area" out/annotations.json; }
close_to() { awk -v a="$1" -v b="$2" -v slack="${3:-1e-9}" 'BEGIN { exit !(a - b <= slack && b - a <= slack) }' || { echo "$1, not $2"; return 1; }; }

@test "finalize: the annotated area of an object without segmentation goes with its box's outline" {
  # A person's outline of 700 in a box of 2400: a turn cuts nothing, however the box grows.
  objects '{"bbox": [30, 20, 40, 60], "area": 700}' '{"bbox": [30, 20, 40, 30]}'
  steps '{"type": "rotate", "angle": 30, "expand": true}'
  go
  [ "$(area 1)" = 700 ]
  [ "$(area 2)" = null ]
  jq -e '.annotations[0].bbox[2] * .annotations[0].bbox[3] > 3400' out/annotations.json
  # A quarter is cut off, then twice as wide and high.
  steps '{"type": "crop", "top": 0, "left": 40, "height": 80, "width": 60}, {"type": "resize", "size": [160, 120]}'
  go
  [ "$(area 1)" = 2100 ]
  steps '{"type": "rotate", "angle": 30, "expand": true}, {"type": "affine", "scale": 0.5}'
  go
  close_to "$(area 1)" 175
  # Under a tilt, by shoelace: corners at 2x - 100 over 3 - x / 50.
  steps '{"type": "perspective", "startpoints": [[50, 0], [100, 0], [100, 80], [50, 80]], "endpoints": [[0, 20], [100, 0], [100, 80], [0, 60]]}'
  objects '{"bbox": [60, 20, 20, 40], "area": 500}'
  go
  # x 60 and 80 go to 11.1111 and 42.857; heights 40 * (50 / 90) and 40 * (50 / 70) of a trapezoid.
  close_to "$(area 1)" "$(awk 'BEGIN { print 500 * (300 / 7 - 100 / 9) * (40 / 1.8 + 40 / 1.4) / 2 / 800 }')" 1e-3
}

@test "finalize: min_area takes the same area, also of an object that has none; sanitize_bounding_boxes the box's" {
  objects '{"bbox": [30, 20, 40, 40], "area": 700}' '{"bbox": [30, 20, 40, 40]}'
  steps '{"type": "rotate", "angle": 45, "expand": true}' '{"min_area": 701}'
  go
  [ "$(dropped)" = '[[1,"min_area",700]]' ]
  steps '{"type": "rotate", "angle": 45, "expand": true}' '{"min_area": 1601}'
  go
  [ "$(dropped | jq -c 'map(.[2] | round)')" = '[700,1600]' ]
  steps '{"type": "rotate", "angle": 45, "expand": true}, {"type": "sanitize_bounding_boxes", "min_area": 3190}'
  go
  [ "$(dropped)" = '[]' ]
  steps '{"type": "rotate", "angle": 45, "expand": true}, {"type": "sanitize_bounding_boxes", "min_area": 3210}'
  go
  [ "$(dropped | jq -c 'map(.[2] | round)')" = '[3200,3200]' ]
}

@test "finalize: what one cut has left nothing of does not come back, whatever follows" {
  image a.png 70 90
  jq -n '{images: [{id: 1, file_name: "a.png", width: 70, height: 90}], categories: [{id: 1, name: "thing"}],
    annotations: [{id: 1, image_id: 1, category_id: 1, bbox: [60, 82, 25, 30], area: 750, iscrowd: 0}]}' > in.json
  steps '{"type": "resized_crop", "top": 4, "left": 9, "height": 44, "width": 55, "size": [30, 77]}'
  go
  [ "$(dropped)" = '[[1,"outside",0]]' ]
  steps '{"type": "crop", "top": 4, "left": 9, "height": 44, "width": 55}, {"type": "vertical_flip"}, {"type": "pad", "padding": 60}, {"type": "rotate", "angle": 20}'
  go
  [ "$(dropped)" = '[[1,"outside",0]]' ]
  # The corner of the turned box's bounds is on the canvas, and nothing of the object.
  objects '{"bbox": [80, 0, 20, 20], "area": 400}'
  steps '{"type": "rotate", "angle": -45}, {"type": "crop", "top": 0, "left": 75, "height": 40, "width": 25}, {"type": "crop", "top": 0, "left": 15, "height": 10, "width": 10}'
  go
  jq -e '.dropped + .annotations | length == 1' out/manifest.jsonl
  jq -e '[.annotations[] | select(.visibility == 0)] == []' out/manifest.jsonl
}

@test "finalize: a part that a cut left without a pixel is no part, unless there is no other" {
  # Two blocks with a thin bridge below: the crop leaves a strip of 0.3 px of the second one.
  objects '{"bbox": [10, 10, 80, 50], "segmentation": [[10, 10, 40, 10, 40, 52, 69.7, 52, 69.7, 10, 90, 10, 90, 60, 10, 60]], "area": 2000}'
  steps '{"type": "crop", "top": 0, "left": 0, "height": 50, "width": 70}'
  go
  [ "$(jq -c '.annotations[0] | .bbox, .area, (.segmentation | length)' out/annotations.json | tr '\n' ' ')" = '[10,10,30,40] 1200 1 ' ]
  # A part stays if it covers one pixel center, if an annotator drew it, or if it is the only part.
  steps '{"type": "crop", "top": 0, "left": 0, "height": 50, "width": 70}'
  objects '{"bbox": [10, 10, 80, 50], "segmentation": [[10, 10, 40, 10, 40, 52, 69.4, 52, 69.4, 10, 90, 10, 90, 60, 10, 60]], "area": 2000}' \
    '{"bbox": [10, 10, 60, 40], "segmentation": [[10, 10, 40, 10, 40, 50, 10, 50], [60.7, 10, 61.1, 10, 61.1, 40, 60.7, 40]], "area": 1212}' \
    '{"bbox": [69.7, 10, 10, 10], "segmentation": [[69.7, 10, 79.7, 10, 79.7, 20, 69.7, 20]], "area": 100}'
  go
  [ "$(jq -c '[.annotations[].segmentation | length]' out/annotations.json)" = '[2,2,1]' ]
  [ "$(jq -c '.annotations[1].bbox' out/annotations.json)" = '[10,10,60,40]' ]
  # The pixels of the result count.
  steps '{"type": "crop", "top": 0, "left": 0, "height": 50, "width": 70}, {"type": "resize", "size": [500, 700]}'
  objects '{"bbox": [10, 10, 80, 50], "segmentation": [[10, 10, 40, 10, 40, 52, 69.7, 52, 69.7, 10, 90, 10, 90, 60, 10, 60]], "area": 2000}'
  go
  [ "$(jq -c '.annotations[0].segmentation | length' out/annotations.json)" = 2 ]
}

# --- drawn again

crops='{"type": "RandomCrop", "size": [150, 200], "pad_if_needed": true}, {"type": "RandomHorizontalFlip"}'

@test "finalize: an empty mask stays a mask where outlines are asked for, and no list of none" {
  mkdir -p in
  python3 "$here/tools/blank.py" in/e.png 8 6 rgb 9
  printf '{"images": [{"id": 1, "file_name": "e.png", "width": 8, "height": 6}],
    "categories": [{"id": 1, "name": "a"}], "annotations": [{"id": 4, "image_id": 1, "category_id": 1, "iscrowd": 0,
    "bbox": [0, 0, 0, 0], "area": 0, "segmentation": {"size": [6, 8], "counts": [48]}}]}' > e.json
  printf '{"version": 1, "annotations": {"segmentation": "polygon"}, "transforms": []}' > p.json
  "$lockstep" run -q -p p.json -i in -a e.json -o empty
  jq -e '.annotations[0].segmentation.size == [6, 8]' empty/annotations.json
}

@test "finalize: a draw that loses an object is drawn again, and the manifest says how often and why" {
  steps "$crops" '{"reject_image_if": {"objects_lost": true}}'
  many -o out -n 3 -j 3
  # Nothing is lost: all objects are in the drawn samples, and in the originals.
  jq -se 'all(.dropped == [])' out/manifest.jsonl
  jq -se 'map(select(.attempt > 0 and (has("when_rejected") | not))) | length > 5' out/manifest.jsonl
  jq -se 'all(if has("when_rejected") then .attempt == 9 and (.rejected | length) == 10 and .steps == [] and
      .when_rejected == "original" and .size_out == .size_in
    else (.rejected // [] | length) == .attempt and .size_out == [200, 150] end)' out/manifest.jsonl
  jq -se '[.[].rejected // [] | .[]] | length > 20 and
    all(.reason == "objects_lost" and .value >= 1)' out/manifest.jsonl
  jq -se 'map(.key) | unique | length == 45' out/manifest.jsonl
  # Nothing else counts: no job, no other copy, no original beside it.
  many -o one -n 2 -j 1 --include-original
  diff <(jq -cS 'select(.copy < 2) | [.source, .copy, .key, .attempt, .steps]' out/manifest.jsonl) \
    <(jq -cS 'select(.copy > 0) | [.source, .copy - 1, .key, .attempt, .steps]' one/manifest.jsonl)
  many -o again -n 3 -j 1
  same_tree out again
  many -o dry -n 3 --dry-run | diff - out/manifest.jsonl
  jq -e '.attempts == {"rejected": '"$(jq -s '[.[].rejected // [] | length] | add' out/manifest.jsonl)"',
    "given_up": '"$(jq -s 'map(select(has("when_rejected"))) | length' out/manifest.jsonl)"'}' out/run.json
  # Images that are not rejected are drawn as without the rule.
  steps "$crops"
  many -o plain -n 3
  jq -se 'all(has("attempt") | not)' plain/manifest.jsonl
  diff <(jq -c 'select(.attempt == 0) | [.key, .steps]' out/manifest.jsonl) \
    <(jq -c --slurpfile out out/manifest.jsonl '[$out[] | select(.attempt == 0) | .key] as $keys |
        select([.key] | inside($keys)) | [.key, .steps]' plain/manifest.jsonl)
}

@test "finalize: what was drawn again is replayed from the manifest" {
  local name
  for name in original last; do
    steps "$crops"', {"type": "GaussianNoise"}' \
      '{"reject_image_if": {"objects_lost": true}, "max_attempts": 4, "when_rejected": "'$name'"}'
    many -o out --limit 5
    while read -r line; do
      jq -c --slurpfile run out/run.json '{version: 1, annotations: $run[0].pipeline.annotations, transforms: .steps}' \
        <<< "$line" > replay.json
      name=$(jq -r .source <<< "$line")
      "$lockstep" run -q -p replay.json -i "$samples/images" -a "$samples/annotations.json" -o replay --overwrite \
        --on-error skip || [ $? -eq 1 ]
      cmp "out/images/$name" "replay/images/$name"
      diff <(jq -c --arg n "$name" '(.images[] | select(.file_name == $n)) as $i | .annotations[] | select(.image_id == $i.id)' out/annotations.json) \
        <(jq -c --arg n "$name" '(.images[] | select(.file_name == $n)) as $i | .annotations[] | select(.image_id == $i.id)' replay/annotations.json)
    done < out/manifest.jsonl
  done
}

# refused RULES: prints why each attempt of one draw is rejected, as [reason, value].
refused() {
  steps '{"type": "crop", "top": 0, "left": 0, "height": 80, "width": 50}' \
    '{"min_area": 10, "max_attempts": 2, "when_rejected": "last", "reject_image_if": '"$1"'}'
  go
  jq -c '.rejected // [] | map([.reason, .value]) | unique' out/manifest.jsonl
}

@test "finalize: each condition rejects what it says, and no more" {
  # Object 1 stays, a quarter of object 2 stays, and object 3 is lost. A crowd is lost, too, and an object that was too
  # small from the start.
  objects '{"bbox": [0, 0, 10, 10]}' '{"bbox": [40, 0, 40, 10]}' '{"bbox": [60, 0, 40, 10]}' \
    '{"bbox": [60, 20, 40, 10], "iscrowd": 1}' '{"bbox": [0, 0, 3, 3], "area": 9}'
  [ "$(refused null)" = '[]' ]
  [ "$(refused '{}')" = '[]' ]
  [ "$(refused '{"objects_lost": true}')" = '[["objects_lost",1]]' ]
  [ "$(refused '{"all_objects_lost": true}')" = '[]' ]
  [ "$(refused '{"objects_below": 2}')" = '[]' ]
  [ "$(refused '{"objects_below": 3}')" = '[["objects_below",2]]' ]
  [ "$(refused '{"visibility_below": 0.25}')" = '[["visibility_below",0]]' ]
  jq -e '.attempt == 1 and (.rejected | length) == 2 and .when_rejected == "last" and .size_out == [50, 80]' out/manifest.jsonl
  objects '{"bbox": [0, 0, 10, 10]}' '{"bbox": [40, 0, 40, 10]}'
  [ "$(refused '{"visibility_below": 0.25}')" = '[]' ]
  [ "$(refused '{"visibility_below": 0.26}')" = '[["visibility_below",0.25]]' ]
  objects '{"bbox": [60, 0, 10, 10]}'
  [ "$(refused '{"all_objects_lost": true}')" = '[["all_objects_lost",1]]' ]
  # Nothing can be lost of these.
  objects '{"bbox": [60, 20, 40, 10], "iscrowd": 1}' '{"bbox": [60, 0, 3, 3], "area": 9}'
  [ "$(refused '{"objects_lost": true, "all_objects_lost": true, "objects_below": 9, "visibility_below": 1}')" = '[]' ]
  jq '.annotations = []' in.json > none.json && mv none.json in.json
  [ "$(refused '{"objects_lost": true, "all_objects_lost": true, "objects_below": 9, "visibility_below": 1}')" = '[]' ]
}

@test "finalize: when all attempts are rejected: the original, the last draw, or a failure" {
  local crop='{"type": "crop", "top": 0, "left": 0, "height": 80, "width": 50}'
  objects '{"bbox": [60, 0, 20, 10]}'
  steps "$crop" '{"reject_image_if": {"objects_lost": true}}'
  go
  cmp images/a.png <("$lockstep" run -q -p <(echo '{"version": 1, "output": {"untouched": "copy"}, "transforms": []}') \
    -i images -o copy && cat copy/images/a.png)
  jq -e '.size_out == [100, 80] and .steps == [] and .when_rejected == "original"' out/manifest.jsonl
  diff <(jq -cS .annotations in.json) <(jq -cS .annotations out/annotations.json)
  steps "$crop" '{"reject_image_if": {"objects_lost": true}, "when_rejected": "fail", "max_attempts": 3}'
  run -4 --separate-stderr go
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == *"a.png: all 3 attempts were rejected; of the last, objects_lost is 1"* ]]
  run -4 go --on-error skip # of no image is there an output
  jq -e '.source == "a.png" and (.message | contains("3 attempts"))' out/errors.jsonl
  "$lockstep" preview -q -p p.json -i images -a in.json -o sheet.png && return 1
  steps "$crop" '{"reject_image_if": {"objects_lost": true}}'
  "$lockstep" preview -q -p p.json -i images -a in.json -o sheet.png
  stderr_to told.txt "$lockstep" run -p p.json -i images -a in.json -o told -n 2
  grep -F '; 20 attempts rejected, 2 copies given up;' told.txt
}

@test "finalize: what one draw makes several images of is drawn again as a whole" {
  steps '{"type": "RandomCrop", "size": [150, 200], "pad_if_needed": true}, {"type": "five_crop", "size": [130, 180]}' \
    '{"reject_image_if": {"objects_lost": true}, "min_visibility": 0.5}'
  many -o out -n 2
  # There is one crop before all five, and each copy has its own attempt.
  jq -se 'group_by([.source, .copy]) | all((map(.steps[0]) | unique | length) == 1 and
    (map(.attempt) | unique | length) == 1)' out/manifest.jsonl
  jq -se 'map(.attempt) | unique | length > 2' out/manifest.jsonl
  # An object may be missing in one crop, but not in all; where attempts ran out, there is one original.
  jq -se 'group_by([.source, .copy]) | all(
    if .[0] | has("when_rejected") then length == 1 and .[0].steps == []
    else length == 5 and ([.[].annotations[].from] | unique) == ([.[] | .annotations[], .dropped[] | .from] | unique)
    end)' out/manifest.jsonl
  jq -se 'any(.dropped != [])' out/manifest.jsonl
}

# --- left and right

# swapped STEPS: have the hands changed places?
swapped() {
  steps "$1"
  go || return 2
  jq -e '.annotations[0].keypoints | [.[2], .[5], .[8]] == [2, 2, 1]' out/annotations.json > /dev/null
}

person='{"category_id": 2, "bbox": [30, 20, 40, 40], "keypoints": [50, 25, 2, 40, 30, 1, 60, 35, 2], "num_keypoints": 3}'
flip='{"type": "horizontal_flip"}'
turn='{"type": "rotate", "angle": 30}'
mirrored='{"type": "perspective", "startpoints": [[0, 0], [100, 0], [100, 80], [0, 80]], "endpoints": [[100, 0], [10, 10], [10, 70], [100, 80]]}'

@test "finalize: left and right change places by the sign of the whole map" {
  local step
  objects "$person"
  for step in "$flip" '{"type": "vertical_flip"}' '{"type": "transpose"}' "$mirrored" "$turn, $flip" "$flip, $turn" \
    '{"type": "rot90"}, '"$flip" '{"type": "transpose"}, '"$flip, $flip" \
    '{"type": "rot90"}, {"type": "transpose"}, {"type": "rotate", "angle": 180}'; do
    swapped "$step" || { echo "not swapped: $step"; return 1; }
  done
  for step in "$turn" "$flip, $flip" "$flip"', {"type": "vertical_flip"}' '{"type": "rot90"}' \
    '{"type": "transpose"}, {"type": "vertical_flip"}' "$mirrored, $flip" '{"type": "affine", "angle": 200}'; do
    ! swapped "$step" || { echo "swapped: $step"; return 1; }
    jq -e '.annotations[0].keypoints | [.[2], .[5], .[8]] == [2, 1, 2]' out/annotations.json
  done
}

# named NAMES [MORE KEYS]: the category's keypoints are called so.
named() {
  objects "$person"
  jq --argjson names "$1" --argjson more "${2:-{\}}" \
    '.categories[1] |= (.keypoints = $names) + $more' in.json > named.json && mv named.json in.json
}

@test "finalize: pairs are found by names of many kinds, or named" {
  local names
  for names in left_hand,right_hand L_hand,R_hand hand_l,hand_r lefthand,righthand handLeft,handRight \
    lHand,rHand LHand,RHand handleft,handright "left hand,right hand" hand.L,hand.R; do
    named "[\"nose\", \"${names%,*}\", \"${names#*,}\"]"
    swapped "$flip" || { echo "not swapped: $names"; return 1; }
  done
  named '["nose", "lhan", "rhan"]' '{"flip_pairs": [["rhan", 1]]}'
  swapped "$flip"
  named '["nose", "left_hand", "right_hand"]' '{"flip_pairs": []}'
  run ! swapped "$flip"
}

@test "finalize: sides without a pair are a fault of pipelines that mirror, and of no others" {
  local step
  for names in '["nose", "left_hand", "hand"]' '["nose", "lhan", "rhan"]'; do
    named "$names"
    for step in '' "$turn" '{"type": "RandomHorizontalFlip", "p": 0}' '{"type": "RandomPerspective", "p": 1}' \
      '{"type": "RandomApply", "p": 0, "transforms": ['"$flip"']}'; do
      steps "$step"
      go
    done
    for step in "$flip" '{"type": "RandomHorizontalFlip", "p": 0.01}' '{"type": "D4"}' '{"type": "TenCrop", "size": 9}' \
      '{"type": "OneOf", "transforms": [{"type": "Transpose"}, {"type": "RandomApply", "transforms": ['"$flip"']}]}'; do
      steps "$step"
      run -4 --separate-stderr go
      [[ $stderr == *"in.json:"*": categories[1].keypoints[1]: the pipeline mirrors"*"[coco-flip-pairs]"* ]]
    done
    # A tilt shows only when it is drawn that it mirrors.
    steps "$mirrored"
    run -4 --separate-stderr go
    [[ $stderr == *'a.png: perspective: it mirrors, and of "person"'* ]]
    # Where no object has keypoints, it does no harm.
    jq 'del(.annotations[].keypoints)' in.json > bare.json && mv bare.json in.json
    go
  done
}

# --- images against annotations

# A JPEG of 480 x 360 stored pixels whose orientation shows it as 360 x 480; upright.jpg is the same
# without the tag.
tagged() {
  cp "$samples/images/park/0002.jpg" images/a.jpg
  python3 - << 'EOF'
import re
data = bytearray(open("images/a.jpg", "rb").read())
at = [m.start() for m in re.finditer(rb"\x01\x12\x00\x03\x00\x00\x00\x01\x00.|\x12\x01\x03\x00\x01\x00\x00\x00.\x00", data)]
assert len(at) == 1
at = at[0] + (9 if data[at[0]] == 1 else 8)
assert data[at] >= 5
data[at] = 1
open("stored.jpg", "wb").write(data)
EOF
  mkdir stored
  mv stored.jpg stored/a.jpg
}

@test "finalize: with exif ignore pixels are those stored, and the tag is not written" {
  local more
  tagged
  for more in '"output": {"format": "png"}' '"output": {"untouched": "copy"}' '"output": {"lossless": true}' \
    '"optimize": "fast"'; do
    for step in '' "$flip" '{"type": "rotate", "angle": 10}'; do
      steps "$step" '{}' "$more, \"exif\": \"ignore\""
      "$lockstep" run -q -p p.json -i images -o out --overwrite
      steps "$step" '{}' "$more"
      "$lockstep" run -q -p p.json -i stored -o want --overwrite
      if [ "$step" = '' ] && [[ $more == *copy* ]]; then
        # The copy of a file with a tag would show other pixels than its labels are of.
        [ "$("$lockstep" probe out/images/a.jpg | jq -c '[.width, .height, .orientation]')" = '[480,360,1]' ]
      else
        same_tree want/images out/images
      fi
      "$lockstep" run -q -p p.json -i images -o option --overwrite --exif ignore
      same_tree out/images option/images
      "$lockstep" run -q -p p.json -i images -o upright --overwrite
      jq -se '.[0].size_in == [480, 360] and .[1].size_in == [360, 480]' out/manifest.jsonl upright/manifest.jsonl
    done
  done
  "$lockstep" compile -p <(echo '{"version": 1, "exif": "ignore", "transforms": []}') | jq -e '.exif == "ignore"'
}

@test "finalize: masks are as their images are, upright or stored" {
  tagged
  mkdir masks
  python3 "$here/tools/blank.py" masks/a.png 480 360 gray
  steps "$flip" '{}' '"exif": "ignore"'
  "$lockstep" run -q -p p.json -i images --masks masks -o out
  run -4 --separate-stderr "$lockstep" run -q -p p.json -i images --masks masks -o other --exif apply
  [[ $stderr == *"it is 480x360, but the image is 360x480"* ]]
}

# sized WIDTH HEIGHT: in.json gives this size for a.jpg, with two objects.
sized() {
  jq -n --argjson w "$1" --argjson h "$2" '{images: [{id: 1, file_name: "a.jpg", width: $w, height: $h}],
    annotations: [{id: 1, image_id: 1, category_id: 1, bbox: [10, 10, 20, 20]}], categories: [{id: 1, name: "a"}]}' > in.json
}

@test "finalize: a size that is not the file's is a fault, which says what would explain it" {
  tagged
  steps ''
  sized 480 360
  run -4 --separate-stderr go
  [[ $stderr == *'a.jpg: the annotations say 480x360, the file is 360x480 as its EXIF orientation shows it; with "exif": "ignore" they agree, with --trust file the'* ]]
  go --exif ignore
  sized 360 480
  go
  run -4 --separate-stderr go --exif ignore
  [[ $stderr == *'the annotations say 360x480, the file is 480x360 without its EXIF orientation; with "exif": "apply" they agree, with --trust file'* ]]
  sized 480 480
  run -4 --separate-stderr go
  [[ $stderr == *"the annotations say 480x480, the file is 360x480 as its EXIF orientation shows it; with --trust file"* ]]
  run -4 go --on-error skip
}

@test "finalize: --trust file takes the file's size, tells once how often, and writes it" {
  for name in a b c; do image $name.png 100 80; done
  jq -n '{images: [["a.png", 50, 40], ["b.png", 100, 80], ["c.png", 80, 100]] | to_entries |
      map({id: (.key + 1), file_name: .value[0], width: .value[1], height: .value[2]}),
    annotations: [1, 2, 3] | map({id: ., image_id: ., category_id: 1, bbox: [60, 10, 20, 20], area: 400.50}),
    categories: [{id: 1, name: "a"}]}' > in.json
  steps ''
  run -4 --separate-stderr go
  [[ $stderr == *"a.png: the annotations say 50x40, the file is 100x80; with --trust file the file's is taken"* ]]
  run -0 --separate-stderr go --trust file
  [ "$stderr" = 'lockstep: warning: the annotations of 2 images had another size than the file, whose size is used (--trust file) [size-differs]' ]
  [ "$(jq -c '[.images[] | [.width, .height]] | unique' out/annotations.json)" = '[[100,80]]' ]
  diff <(jq -c .annotations in.json) <(jq -c .annotations out/annotations.json)
  jq -e '.sizes == {"trusted": "file", "corrected": 2}' out/run.json
  run -0 --separate-stderr go --trust file --dry-run
  [[ $stderr == *"of 2 images"* ]]
  # Labels are in pixels of the file, for all who look at images.
  steps "$flip"
  for look in explain profile "preview -o sheet.png"; do
    set -- "$lockstep" $look -p p.json -i images -a in.json
    run -4 "$@" a.png
    run -0 "$@" --trust file a.png
  done
  go --trust file
  [ "$(jq -c '[.annotations[].bbox] | unique' out/annotations.json)" = '[[20,10,20,20]]' ]
  # Run lengths of another size cannot be written; neither can they if no size is given.
  jq '.annotations[0].segmentation = {size: [40, 50], counts: [0, 2000]}' in.json > rle.json
  run -4 --separate-stderr "$lockstep" run -q -p p.json -i images -a rle.json -o rle --trust file
  [[ $stderr == *"[coco-rle]"* ]]
  jq 'del(.images[0].width, .images[0].height)' rle.json > unsaid.json
  run -4 --separate-stderr "$lockstep" run -q -p p.json -i images -a unsaid.json -o unsaid --trust file
  [[ $stderr == *"[coco-rle]"* ]]
  jq '.annotations[0].segmentation = {size: [80, 100], counts: [0, 8000]}' in.json > rle.json
  "$lockstep" run -q -p p.json -i images -a rle.json -o fits --trust file
}

@test "finalize: images without annotations stay, and missing ones are told before or skipped" {
  for name in a b c; do image $name.png 20 10; done
  jq -n '{images: ["a.png", "b.png", "c.png"] | to_entries | map({id: (.key + 1), file_name: .value, width: 20, height: 10}),
    annotations: [{id: 1, image_id: 2, category_id: 1, bbox: [0, 0, 5, 5]}], categories: [{id: 1, name: "a"}]}' > in.json
  steps "$flip"
  go
  [ "$(jq -c '[.images[].file_name]' out/annotations.json)" = '["a.png","b.png","c.png"]' ]
  [ "$(find out/images -type f | wc -l)" -eq 3 ]
  rm -r out images/c.png images/a.png
  run -4 --separate-stderr go
  [[ $stderr == *'a.png: No such file or directory in images; also c.png [image-missing]'* ]]
  [[ $stderr == *'2 of 3 images cannot be done, and nothing was written'*'[images-refused]'* ]]
  [ ! -e out ]
  run -1 go --on-error skip
  [ "$(jq -c '[.images[].file_name]' out/annotations.json)" = '["b.png"]' ]
  [ "$(jq -sc 'map(.source)' out/errors.jsonl)" = '["a.png","c.png"]' ]
}

@test "finalize: outputs of one name are a fault before work, and copies have names of their own" {
  mkdir images/d images/d.png
  for name in a.png a__a001.png a__a001__a000.png d.gif d.png-e.png d.png/x.png; do image $name 20 10; done
  cp "$samples/images/hills/0001.jpg" images/a.jpg
  steps ''
  run -4 --separate-stderr "$lockstep" run -q -p p.json -i images -o out --format png
  [[ $stderr == *'a.png: its output images/a.png would be the output of "a.jpg" too; --name-template '*"keeps the suffixes distinct [name-collision]"* ]]
  [[ $stderr == *'d.png/x.png: its output images/d.png/x.png would need a folder where the output of "d.gif" is a file [name-collision]'* ]]
  [ "$(grep -c name-collision <<< "$stderr")" -eq 2 ]
  [ ! -e out ]
  rm -r images/a.jpg images/d images/d.png images/d.png-e.png images/d.gif
  "$lockstep" run -q -p p.json -i images -o out -n 3
  [ "$(find out/images -type f | wc -l)" -eq 9 ]
  [ "$(jq -r .output out/manifest.jsonl | sort -u | wc -l)" -eq 9 ]
}
