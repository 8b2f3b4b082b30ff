#!/usr/bin/env bats
# Mirrored keypoints: which points change places, which data is refused, and the meaning of a visibility of 0.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  mkdir in
  python3 "$here/tools/blank.py" in/a.png 100 60 gray 90
  pipeline flip.json '{"type": "horizontal_flip"}'
  pipeline same.json ''
}

# dataset CATEGORY ANNOTATION: more members of the category and the annotation, as objects.
dataset() {
  jq -nc --argjson category "$1" --argjson annotation "$2" '{
    images: [{id: 1, file_name: "a.png", width: 100, height: 60}],
    annotations: [{id: 1, image_id: 1, category_id: 1, iscrowd: 0} + $annotation],
    categories: [{id: 1, name: "thing", supercategory: "none"} + $category]}' > in.json
}

# go PIPELINE ARGUMENTS...
go() {
  local pipeline=$1
  shift
  rm -rf out
  "$lockstep" run -q -p "$pipeline" -i in -a in.json -o out "$@"
}

# value KEY: of the one annotation that was written.
value() { jq -c ".annotations[0].$1" out/annotations.json; }

# refused WORDS: the flip is refused before work, and the message has these words.
refused() {
  run -4 --separate-stderr go flip.json
  unfinished out
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == *"[coco-flip-pairs]"* ]]
  [[ $stderr == *"$1"* ]] || { echo "$stderr"; return 1; }
}

two='{"keypoints": [10, 10, 2, 30, 10, 1]}'

@test "keypoints: flip_pairs by index need no names" {
  local more
  for more in '{}' '{"keypoints": []}' '{"keypoints": null}'; do
    dataset "$(jq -nc --argjson more "$more" '{flip_pairs: [[0, 1]]} + $more')" "$two"
    go flip.json
    [ "$(value keypoints)" = '[69,10,1,89,10,2]' ]
  done
  # Keypoints after the last pair stay.
  dataset '{"flip_pairs": [[1, 0]]}' '{"keypoints": [10, 10, 2, 30, 10, 1, 50, 20, 2]}'
  go flip.json
  [ "$(value keypoints)" = '[69,10,1,89,10,2,49,20,2]' ]
  dataset '{"flip_pairs": []}' "$two"
  go flip.json
  [ "$(value keypoints)" = '[89,10,2,69,10,1]' ]
}

@test "keypoints: flip_pairs that an annotation has no keypoints for are refused" {
  dataset '{"flip_pairs": [[0, 5]]}' "$two"
  run -4 --separate-stderr go flip.json
  [[ $stderr == *"annotations[0].keypoints: 2 keypoints"*"index 5"*"[coco-keypoints]"* ]]
  dataset '{"flip_pairs": [[0, 4096]]}' "$two"
  refused "categories[0].flip_pairs[0]"
  dataset '{"flip_pairs": [["eye", "ear"]]}' "$two"
  refused "by index from 0"
}

@test "keypoints: side letters inside names make pairs" {
  local names
  for names in forelegL1,forelegR1 leg_L_1,leg_R_1 kneeL_front,kneeR_front thumbR4,thumbL4 lt_ear,rt_ear \
    'eye(L),eye(R)' 'ear[left],ear[right]' L,R l,r 'Eye/left,Eye/right' upleft2,upright2; do
    dataset "{\"keypoints\": [\"${names%,*}\", \"${names#*,}\"]}" "$two"
    go flip.json
    [ "$(value keypoints)" = '[69,10,1,89,10,2]' ] || { echo "$names"; return 1; }
  done
}

@test "keypoints: what may be sides, or enumerates, is refused where it mirrors" {
  local names
  for names in '"lsho", "rsho"' '"tail", "tair"' '"lip_upper", "rip_upper"' '"L", "M", "R"' '"A", "L", "R"' \
    '"LFPaw", "RFPaw"' '"point_a", "point_l", "point_r"' '"left_a", "right_a", "left_a"'; do
    dataset "{\"keypoints\": [$names, \"nose\"]}" '{"keypoints": []}'
    refused flip_pairs
    go same.json
  done
  for names in '"collar", "elbow"' '"ball", "girl"' '"tail", "nose"' '"bright", "cleft"'; do
    dataset "{\"keypoints\": [$names]}" "$two"
    go flip.json
    [ "$(value keypoints)" = '[89,10,2,69,10,1]' ]
  done
}

@test "keypoints: without names that say something a mirror is refused before work, with a hint" {
  local more
  for more in '{}' '{"keypoints": []}' '{"keypoints": ["kpt-0", "kpt-1"]}' '{"keypoints": ["face-12", "face-13"]}' \
    '{"keypoints": ["1", "2"]}' '{"keypoints": ["p", "q"]}' '{"keypoints": ["", ""]}' '{"keypoints": ["x", "x"]}'; do
    dataset "$more" "$two"
    refused '"flip_pairs": by index ([[0, 1], ...]), by the name of a public layout as "300w"'
    pipeline perhaps.json '{"type": "RandomHorizontalFlip", "p": 0.001}'
    run -4 --separate-stderr go perhaps.json
    # A pipeline that does not mirror runs.
    go same.json
    pipeline turn.json '{"type": "rotate", "angle": 90}'
    go turn.json
    # With --compat lenient it runs, with a warning that stays in run.json.
    go flip.json --compat lenient
    [ "$(value keypoints)" = '[89,10,2,69,10,1]' ]
    [ "$(jq -c '[.notes[].code | select(. == "coco-flip-pairs")]' out/run.json)" = '["coco-flip-pairs"]' ]
    run -4 --separate-stderr go flip.json --compat strict
    # No object has keypoints here, or more than one keypoint, or one that is labelled.
    for annotation in '{"bbox": [1, 1, 9, 9]}' '{"keypoints": []}' '{"keypoints": [0, 0, 0, 0, 0, 0]}'; do
      dataset "$more" "$annotation"
      go flip.json
    done
  done
  dataset '{}' '{"keypoints": [10, 10, 2]}'
  go flip.json
  [ "$(value keypoints)" = '[89,10,2]' ]
}

@test "keypoints: a long run of numbers among names is refused, a short one stays" {
  dataset "$(jq -nc '{keypoints: (["nose", "left_eye", "right_eye"] + [range(15) | "tail\(.)"])}')" \
    "$(jq -nc '{keypoints: [range(18) | ., 5, 2]}')"
  go flip.json
  dataset "$(jq -nc '{keypoints: (["nose", "left_eye", "right_eye"] + [range(68) | "f_\(.)"])}')" \
    "$(jq -nc '{keypoints: [range(71) | ., 5, 2]}')"
  refused 'categories[0].keypoints[3]'
}

@test "keypoints: without a category a mirror is refused, too" {
  dataset '{}' "$two"
  jq -c 'del(.categories)' in.json > bare.json && mv bare.json in.json
  refused 'annotations[0].keypoints'
  go same.json
  go flip.json --compat lenient
  jq -nc '[{image_id: 1, score: 0.5, keypoints: [10, 10, 2, 30, 10, 1]}]' > results.json
  run -4 --separate-stderr "$lockstep" run -q -p flip.json -i in -a results.json --image-list in.json -o out2
  [[ $stderr == *"results.json:1:"*"[0].keypoints"*"[coco-flip-pairs]"* ]]
}

@test "keypoints: flip_pairs by the name of a layout, as many as it has" {
  local points
  points=$(jq -nc '[range(68) | ., (. % 50), 2]')
  dataset '{"flip_pairs": "300w"}' "{\"keypoints\": $points}"
  go flip.json
  [ "$(jq -c '.annotations[0].keypoints[0:3]' out/annotations.json)" = '[83,16,2]' ] # jaw: 0 and 16
  [ "$(jq -c '.annotations[0].keypoints[99:102]' out/annotations.json)" = '[66,33,2]' ] # nose: 33
  dataset "$(jq -nc '{keypoints: [range(68) | "kpt-\(.)"], flip_pairs: "300W"}')" "{\"keypoints\": $points}"
  go flip.json
  [ "$(jq -c '.annotations[0].keypoints[0:3]' out/annotations.json)" = '[83,16,2]' ]
  dataset '{"keypoints": ["a", "b"], "flip_pairs": "300w"}' "$two"
  refused '"300w" has 68 keypoints, and this category has 2'
  dataset '{"flip_pairs": "wflv"}' "$two"
  refused 'did you mean "wflw"'
  dataset '{"flip_pairs": "300w"}' "$two"
  run -4 --separate-stderr go flip.json
  [[ $stderr == *"has 68 keypoints"*"[coco-keypoints]"* ]]
}

@test "keypoints: visibility 0 with a place is moved and swapped, and never counts" {
  dataset '{"keypoints": ["left_a", "right_a", "nose", "tail"]}' \
    '{"bbox": [5, 5, 40, 20], "num_keypoints": 1, "keypoints": [10, 10, 0, 30, 10, 2, 0, 0, 0, 20, 12, 0]}'
  go flip.json
  [ "$(value keypoints)" = '[69,10,2,89,10,0,0,0,0,79,12,0]' ]
  [ "$(value num_keypoints)" = 1 ]
  # It leaves the canvas as others do, and counts neither before nor after.
  pipeline crop.json '{"type": "crop", "top": 0, "left": 15, "height": 60, "width": 60}'
  go crop.json
  [ "$(value keypoints)" = '[0,0,0,15,10,2,0,0,0,5,12,0]' ]
  [ "$(value num_keypoints)" = 1 ]
  # Nothing moves: nothing changes.
  go same.json
  cmp in.json out/annotations.json || [ "$(jq -c .annotations in.json)" = "$(jq -c .annotations out/annotations.json)" ]
}

@test "keypoints: visibility 0 keeps no object alive, and does not drop one" {
  dataset '{"keypoints": ["nose", "tail"]}' '{"keypoints": [10, 10, 2, 50, 10, 0]}'
  pipeline right.json '{"type": "crop", "top": 0, "left": 40, "height": 60, "width": 60}'
  go right.json
  [ "$(jq -c .annotations out/annotations.json)" = '[]' ]
  [ "$(jq -r '.dropped[0].reason' out/manifest.jsonl)" = outside ]
  pipeline left.json '{"type": "crop", "top": 0, "left": 0, "height": 60, "width": 40}'
  go left.json
  [ "$(value keypoints)" = '[10,10,2,0,0,0]' ]
  # Where none has a label, places are all there is.
  dataset '{"keypoints": ["nose", "tail"]}' '{"keypoints": [10, 10, 0, 50, 10, 0]}'
  go right.json
  [ "$(value keypoints)" = '[0,0,0,10,10,0]' ]
  # min_keypoints counts labels alone.
  dataset '{"keypoints": ["nose", "tail"]}' '{"bbox": [5, 5, 60, 20], "keypoints": [10, 10, 2, 50, 10, 0]}'
  pipeline two.json '{"type": "sanitize_keypoints", "min_keypoints": 2}'
  go two.json
  [ "$(jq -r '.dropped[0] | "\(.reason) \(.value)"' out/manifest.jsonl)" = 'min_keypoints 1' ]
}

@test "keypoints: with the hands of a result their scores change places" {
  local body='"keypoints": ["nose", "left_eye", "right_eye"]' hand
  hand=$(jq -nc '[range(21) | ., 7, 0.5]')
  dataset "{$body}" "{}"
  jq -nc --argjson hand "$hand" '[{image_id: 1, category_id: 1, score: 0.9, keypoints: [1,1,0.5, 2,2,0.5, 3,3,0.5],
    lefthand_kpts: $hand, righthand_kpts: ($hand | map(. + 0.25)), lefthand_score: 0.25, foot_score: 0.125,
    righthand_score: 0.750, lefthand_note: "a", righthand_note: {"b": 1}, wholebody_score: 0.5}]' > results.json
  rm -rf out
  "$lockstep" run -q -p flip.json -i in -a results.json --image-list in.json -o out
  [ "$(jq -c '.[0] | [.score, .lefthand_score, .righthand_score, .foot_score, .wholebody_score, .lefthand_note, .righthand_note]' \
    out/annotations.json)" = '[0.9,0.750,0.25,0.125,0.5,{"b":1},"a"]' ] ||
    [ "$(jq -c '.[0] | [.lefthand_score, .righthand_score, .lefthand_note]' out/annotations.json)" = '[0.75,0.25,{"b":1}]' ]
  [ "$(jq -c '.[0].lefthand_kpts[0:3]' out/annotations.json)" = '[98.75,7.25,0.75]' ]
  # Two mirrors cancel out, and without the points the scores go with the hands, too.
  pipeline twice.json '{"type": "horizontal_flip"}, {"type": "vertical_flip"}'
  rm -rf out
  "$lockstep" run -q -p twice.json -i in -a results.json --image-list in.json -o out
  [ "$(jq -c '.[0] | [.lefthand_score, .lefthand_note]' out/annotations.json)" = '[0.25,"a"]' ]
  jq -c '[.[0] | del(.lefthand_kpts, .righthand_kpts)]' results.json > bare.json
  rm -rf out
  "$lockstep" run -q -p flip.json -i in -a bare.json --image-list in.json -o out
  [ "$(jq -c '.[0] | [.lefthand_score + 0, .righthand_note]' out/annotations.json)" = '[0.75,"a"]' ]
  # A score for one hand only is refused, as its points are.
  jq -c '[.[0] | del(.righthand_score)]' results.json > one.json
  run -4 --separate-stderr "$lockstep" run -q -p flip.json -i in -a one.json --image-list in.json -o out2
  [[ $stderr == *righthand_score*"[coco-missing-key]"* ]]
}

@test "keypoints: triples are read as one list, and their faults have a place in the file" {
  dataset '{"keypoints": ["left_a", "right_a"]}' '{"keypoints": [[10, 10.0, 2], [30, 10, 1]]}'
  go flip.json
  [ "$(value keypoints | jq -c 'map(. + 0)')" = '[69,10,1,89,10,2]' ]
  run -4 go flip.json --compat strict
  dataset '{"keypoints": ["left_a", "right_a"]}' '{"keypoints": [[10, "10.0", 2], ["30", 10, 1]]}'
  go flip.json
  [ "$(value keypoints | jq -c 'map(. + 0)')" = '[69,10,1,89,10,2]' ]
  dataset '{"keypoints": ["left_a", "right_a"]}' '{"keypoints": [[10, 10.0, 2], [30, 10, 3]]}'
  run -4 --separate-stderr go flip.json
  [[ $stderr == *"in.json:1:"*"annotations[0].keypoints"*"[coco-keypoints]"* ]]
  for points in '[[10, 10], [30, 10]]' '[[10, 10, 2], [30, 10]]' '[[10, 10, 2], 30, 10, 2]' '[[[10, 10, 2]], [[30, 10, 2]]]' \
    '[[10, 10, "2a"], [30, 10, 2]]' '[[], []]'; do
    dataset '{"keypoints": ["left_a", "right_a"]}' "{\"keypoints\": $points}"
    run -4 --separate-stderr go flip.json
    [[ $stderr == *"[coco-keypoints]"* ]] || { echo "$points"; return 1; }
  done
}

@test "keypoints: too few for the names say which other key fits" {
  dataset '{"keypoints": ["a_left", "a_right", "nose"]}' \
    '{"keypoints": [10, 10, 2, 30, 10, 2], "keypoints_4": [1, 2, 3, 4], "keypoints_3": [1, 1, 2, 3, 3, 2, 5, 5, 2]}'
  run -4 --separate-stderr go same.json
  [[ $stderr == *"6 numbers, but a thing has 3 keypoints: 3 for each; its \"keypoints_3\" fits [coco-keypoints]"* ]]
}

@test "keypoints: public layouts swap as their owners say, or are refused with a hint" {
  python3 "$here/tools/blank.py" in/a.png 400 50 gray 90
  python3 "$here/tools/keypoint_layouts.py" "$lockstep" "$here/golden/keypoint_layouts.txt" > said.txt || { cat said.txt; return 1; }
  echo "# $(tail -1 said.txt)" >&3
}

# stays PIPELINE KEYPOINTS: the pipeline makes these of keypoints on all borders of the canvas.
stays() {
  pipeline borders.json "$1"
  jq -c --arg rule "${rule:-index}" '. + {annotations: {keypoints: $rule}}' borders.json > ruled.json
  go ruled.json
  jq -e --argjson want "$2" '[.annotations[0].keypoints, $want] | transpose | all((.[0] - .[1]) | fabs < 1e-9)' out/annotations.json > /dev/null ||
    { echo "$1: $(value keypoints), not $2"; return 1; }
}

@test "keypoints: on all four borders of the canvas they stay, and so do their mirror images" {
  dataset '{"flip_pairs": []}' '{"keypoints": [-0.5, 12, 2, 99.5, 7, 1, 33, -0.5, 2, 61, 59.5, 2, -0.5, -0.5, 2, 99.5, 59.5, 2]}'
  stays '{"type": "horizontal_flip"}' '[99.5,12,2,-0.5,7,1,66,-0.5,2,38,59.5,2,99.5,-0.5,2,-0.5,59.5,2]'
  stays '{"type": "vertical_flip"}' '[-0.5,47,2,99.5,52,1,33,59.5,2,61,-0.5,2,-0.5,59.5,2,99.5,-0.5,2]'
  stays '{"type": "transpose"}' '[12,-0.5,2,7,99.5,1,-0.5,33,2,59.5,61,2,-0.5,-0.5,2,59.5,99.5,2]'
  stays '{"type": "rot90"}' '[12,99.5,2,7,-0.5,1,-0.5,66,2,59.5,38,2,-0.5,99.5,2,59.5,-0.5,2]'
  stays '{"type": "rotate", "angle": 180}' '[99.5,47,2,-0.5,52,1,66,59.5,2,38,-0.5,2,99.5,59.5,2,-0.5,-0.5,2]'
  stays '{"type": "pad", "padding": [3, 4, 5, 6]}' '[2.5,16,2,102.5,11,1,36,3.5,2,64,63.5,2,2.5,3.5,2,102.5,63.5,2]'
  stays '{"type": "horizontal_flip"}, {"type": "rot90"}, {"type": "vertical_flip"}' \
    '[12,99.5,2,7,-0.5,1,-0.5,66,2,59.5,38,2,-0.5,99.5,2,59.5,-0.5,2]'
  # Sides whose ratio is not an exact number: the border is hit exactly.
  stays '{"type": "resize", "size": [7, 33]}, {"type": "resize", "size": [60, 100]}' \
    '[-0.5,12,2,99.5,7,1,33,-0.5,2,61,59.5,2,-0.5,-0.5,2,99.5,59.5,2]'
  rule=continuous
  dataset '{"flip_pairs": []}' '{"keypoints": [0, 12, 2, 100, 7, 1, 33, 0, 2, 61, 60, 2]}'
  stays '{"type": "horizontal_flip"}' '[100,12,2,0,7,1,67,0,2,39,60,2]'
  stays '{"type": "resize", "size": [7, 33]}, {"type": "resize", "size": [60, 100]}' '[0,12,2,100,7,1,33,0,2,61,60,2]'
  jq -e '.annotations[0].keypoints | .[3] == 100 and .[10] == 60' out/annotations.json
}

@test "keypoints: a window's own borders keep them, and what is beyond any of them is gone" {
  rule=continuous
  dataset '{"flip_pairs": []}' '{"keypoints": [30, 20, 2, 70, 20, 2, 50, 10, 2, 50, 45, 2]}'
  stays '{"type": "crop", "top": 10, "left": 30, "height": 35, "width": 40}' '[0,10,2,40,10,2,20,0,2,20,35,2]'
  dataset '{"flip_pairs": []}' '{"keypoints": [29.9, 20, 2, 70.1, 20, 2, 50, 9.9, 2, 50, 45.1, 2, 50, 20, 1]}'
  pipeline borders.json '{"type": "crop", "top": 10, "left": 30, "height": 35, "width": 40}'
  jq -c '. + {annotations: {keypoints: "continuous"}}' borders.json > ruled.json
  go ruled.json
  [ "$(value keypoints)" = '[0,0,0,0,0,0,0,0,0,0,0,0,20,10,1]' ]
}

@test "keypoints: under a hole at the right or lower border they are hidden, as at the others" {
  rule=continuous
  dataset '{"flip_pairs": []}' '{"keypoints": [0, 20, 2, 100, 20, 2, 50, 0, 2, 50, 60, 2, 50, 30, 2]}'
  stays '{"type": "coarse_dropout", "holes": [[0, 0, 60, 10], [0, 90, 60, 10], [0, 40, 5, 20], [55, 40, 5, 20]]}' \
    '[0,20,1,100,20,1,50,0,1,50,60,1,50,30,2]'
}

# sides NAME...: the note on categories of these names in a pipeline that mirrors; empty: there is none.
sides() {
  printf '%s\n' "$@" | jq -Rnc '{images: [{id: 1, file_name: "a.png", width: 100, height: 60}], annotations: [],
    categories: [inputs | {id: (input_line_number), name: ., supercategory: "x"}]}' > in.json
  "$lockstep" run -p "${pipeline:-flip.json}" -i in -a in.json -o out --overwrite 2>&1 | sed -n '/category-sides/s/.*name a side: \(.*\); objects.*/\1/p'
}

@test "sides: categories that say left or right are named where the pipeline may mirror" {
  [ "$(sides shoe left_shoe hat right_shoe)" = '"left_shoe", "right_shoe"' ]
  [ "$(sides hand_l hand_r)" = '"hand_l", "hand_r"' ]
  [ "$(sides turnLeft stop)" = '"turnLeft"' ]
  [ "$(sides 'lt lamp' 'no side')" = '"lt lamp"' ]
  [ "$(sides main_gauche main_droite)" = '"main_gauche", "main_droite"' ]
  [ "$(sides pied_maingauche pied_maindroit)" = '"pied_maingauche", "pied_maindroit"' ]
  [ "$(sides bright cleft leftover)" = '"leftover"' ]
  [ -z "$(sides bright cleft rt-pcr_a spider)" ] || [ "$(sides bright cleft rt-pcr_a spider)" = '"rt-pcr_a"' ]
  [ -z "$(sides A L M R Z)" ]
  [ -z "$(sides shirt_s shirt_m shirt_l)" ]
  # shellcheck disable=SC2046 # many names
  [ "$(sides $(printf 'left_%s ' {1..12}))" = "$(printf '"left_%s", ' {1..10} | sed 's/, $//') and 2 more" ]
  pipeline invert.json '{"type": "invert"}'
  [ -z "$(pipeline=invert.json sides left_shoe right_shoe)" ]
  pipeline rotate.json '{"type": "RandomRotation", "degrees": 90}'
  [ -z "$(pipeline=rotate.json sides left_shoe right_shoe)" ]
  pipeline maybe.json '{"type": "OneOf", "transforms": [{"type": "RandomHorizontalFlip"}, {"type": "invert"}]}'
  [ -n "$(pipeline=maybe.json sides left_shoe right_shoe)" ]
  [ "$(jq -r '.notes[] | select(.code == "category-sides") | .path' out/run.json)" = categories ]
  run -0 --separate-stderr go flip.json
  [ -z "$stderr" ]
}

@test "sides: classes of YOLO are named, too, and a vocabulary of 20 000 classes takes no time" {
  mkdir labels && echo '0 0.5 0.5 0.2 0.2' > labels/a.txt
  printf 'names: [left wheel, right wheel]\n' > data.yaml
  "$lockstep" run -p flip.json -i in -a labels --classes data.yaml -o yolo 2> err.txt || "$lockstep" run -p flip.json -i in -a labels --names data.yaml -o yolo 2> err.txt
  grep -q 'name a side: "left wheel", "right wheel"; .*category-sides' err.txt
  # shellcheck disable=SC2046 # many names
  sides $(seq -f 'spider_%.0f_sinistra_luxderm' 20000) > /dev/null
}
