#!/usr/bin/env bats
# Pictures of one person each, as top-down pose estimation is trained with: regions, halves of bodies, and the map.
bats_require_minimum_version 1.5.0

load ../lib/helpers

setup() {
  begin
  mkdir in
  python3 "$here/tools/blank.py" in/a.png 120 90 rgb
  python3 "$here/tools/pose.py" write > in.json
}

draws() { # COPIES STEP[, STEP...]: manifest.jsonl of dry copies
  echo "{\"version\": 1, \"seed\": 3, \"annotations\": {\"ids\": \"dense\", \"outside\": \"keep\"}, \"transforms\": [$2]}" > p.json
  "$lockstep" run -q --dry-run -n "$1" -p p.json -i in -a in.json -o out > manifest.jsonl
}

makes() { # COPIES STEP[, STEP...]: out
  echo "{\"version\": 1, \"seed\": 3, \"annotations\": {\"ids\": \"dense\", \"outside\": \"keep\"}, \"transforms\": [$2]}" > p.json
  "$lockstep" run -q --overwrite -n "$1" -p p.json -i in -a in.json -o out
}

@test "pose: per_object makes a sample of each object that has keypoints enough, with it alone" {
  draws 1 '{"type": "per_object"}'
  jq -es 'map(.annotations | map(.from)) == [[1], [2]]' manifest.jsonl
  draws 1 '{"type": "per_object", "min_keypoints": 1}'
  jq -es 'map(.annotations | map(.from)) == [[2]] and .[0].steps == [{type: "keep_objects", objects: [1]}]' manifest.jsonl
}

@test "pose: keypoints go where MMPose's map takes them, with and without UDP, turned and mirrored" {
  makes 30 '{"type": "per_object", "min_keypoints": 1}, {"type": "RandomHorizontalFlip"},
    {"type": "RandomBBoxTransform", "rotate_prob": 0.8}, {"type": "TopdownAffine", "input_size": [64, 48]}'
  [ "$(python3 "$here/tools/pose.py" map out)" -eq 30 ]
  makes 30 '{"type": "per_object", "min_keypoints": 1}, {"type": "RandomBBoxTransform"},
    {"type": "TopdownAffine", "input_size": [64, 48], "use_udp": true}'
  [ "$(python3 "$here/tools/pose.py" map out)" -eq 30 ]
}

@test "pose: a region that was set moves with the image" {
  makes 1 '{"type": "per_object", "min_keypoints": 1},
    {"type": "RandomBBoxTransform", "shift_prob": 0, "scale_prob": 0, "rotate_prob": 1, "id": "turn"},
    {"type": "TopdownAffine", "input_size": 64}'
  jq -c '.annotations[0].keypoints' out/annotations.json > before
  makes 1 '{"type": "per_object", "min_keypoints": 1},
    {"type": "RandomBBoxTransform", "shift_prob": 0, "scale_prob": 0, "rotate_prob": 1, "id": "turn"},
    {"type": "crop", "top": -7, "left": 3, "height": 110, "width": 150}, {"type": "rot90"}, {"type": "resize", "size": [300, 220]},
    {"type": "TopdownAffine", "input_size": 64}'
  jq -e '.steps[-1].rotation != 0' out/manifest.jsonl
  jq -c '.annotations[0].keypoints' out/annotations.json > after
  jq -es '.[0] as $b | .[1] | to_entries | all(.value - $b[.key] | fabs < 1e-4)' before after
}

@test "pose: halves of bodies are shown as often as asked, about their keypoints" {
  draws 2000 '{"type": "per_object", "min_keypoints": 1}, {"type": "RandomHalfBody"}, {"type": "TopdownAffine", "input_size": [64, 48]}'
  # 2000 x 0.3 x 0.7 and x 0.3; 4.5 standard deviations
  python3 "$here/tools/pose.py" halves manifest.jsonl | jq -e '.upper > 337 and .upper < 503 and .lower > 122 and .lower < 238
    and .upper + .lower + .whole == 2000'
  draws 200 '{"type": "per_object", "min_keypoints": 1}, {"type": "RandomHalfBody", "p": 1, "min_lower_keypoints": 6}, {"type": "TopdownAffine", "input_size": 48}'
  python3 "$here/tools/pose.py" halves manifest.jsonl | jq -e '. == {upper: 200, lower: 0, whole: 0}'
  draws 200 '{"type": "per_object", "min_keypoints": 1}, {"type": "RandomHalfBody", "p": 1, "min_total_keypoints": 17}, {"type": "TopdownAffine", "input_size": 48}'
  python3 "$here/tools/pose.py" halves manifest.jsonl | jq -e '. == {upper: 0, lower: 0, whole: 200}'
}
