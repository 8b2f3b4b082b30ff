# Panoptic annotations: pictures and lists that say the same, whatever is done to the images.
# shellcheck disable=SC2154 # run --separate-stderr sets stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup_file() {
  export DATA="$BATS_FILE_TMPDIR/data"
  python3 "$BATS_TEST_DIRNAME/../tools/panoptic.py" draw "$DATA"
}

setup() {
  begin
}

# go OUT [more options...]: p.json over the panoptic data.
go() { "$lockstep" run -q -p p.json -i "$DATA/images" -a "$DATA/panoptic.json" -o "$@"; }

look() { python3 "$here/tools/panoptic.py" "$@"; }

# agree STEPS SLACK [more options...]: the data's four kinds of targets go through the same steps.
agree() {
  local steps=$1 slack=$2
  shift 2
  pipeline p.json "$steps"
  rm -rf out runs shapes
  go out "$@"
  "$lockstep" run -q -p p.json -i "$DATA/images" -a "$DATA/instances.json" --masks "$DATA/masks" -o runs "$@"
  "$lockstep" run -q -p p.json -i "$DATA/images" -a "$DATA/shapes.json" -o shapes "$@"
  look agree out runs shapes "$slack" || { echo "$steps"; return 1; }
}

# tokens FILE: of JSON, one a line.
tokens() {
  python3 -c 'import re, sys
print("\n".join(re.findall(r"\"(?:[^\"\\]|\\.)*\"|[^\s\"{}\[\],:]+|[{}\[\],:]", open(sys.argv[1]).read())))' "$1"
}

@test "panoptic: identity keeps every token and every pixel" {
  pipeline p.json ''
  go out
  diff <(tokens "$DATA/panoptic.json") <(tokens out/annotations.json)
  look same "$DATA/panoptic" out/masks
  jq -e '.format == "coco_panoptic" and .masks' out/run.json > /dev/null
}

@test "panoptic: pictures, lists, run lengths, label masks, polygons and keypoints agree" {
  local crop='{"type": "RandomCrop", "size": [30, 33]}' turn='{"type": "rotate", "angle": 17, "expand": true}'
  agree '{"type": "horizontal_flip"}' 1
  agree "{\"type\": \"RandomVerticalFlip\"}, $crop" 1 -n 2 --include-original
  agree "$turn, $crop, {\"type\": \"RandomHorizontalFlip\"}" 1.5
  agree '{"type": "RandomPerspective", "p": 1}' 1
  agree '{"type": "ElasticTransform", "alpha": 40}' 1
  agree '{"type": "RandomResizedCrop", "size": [60, 70]}' 2
  agree '{"type": "rotate", "angle": 90, "expand": true}, {"type": "RandomZoomOut", "p": 1}' 1
  agree '{"type": "five_crop", "size": [24, 28]}' 1
  agree '{"type": "RandomAffine", "degrees": 40, "shear": 20, "scale": [0.5, 1.5]}, {"type": "Resize", "size": [25, 31]}' 1 \
    --optimize none
}

@test "panoptic: what is cut out of segments, or too small to stay, becomes void" {
  pipeline p.json '{"type": "erase", "i": 5, "j": 5, "h": 20, "w": 30, "labels": "shrink"}'
  go out
  look whole out
  # Painted over, segments keep their pixels, whatever masks would get.
  pipeline p.json '{"type": "erase", "i": 5, "j": 5, "h": 20, "w": 30, "fill_mask": 3}'
  go kept
  look same "$DATA/panoptic" kept/masks
  jq -se 'any(.[].annotations[]; .visibility < 1)' kept/manifest.jsonl > /dev/null
  printf '{"version": 1, "annotations": {"min_area": 60, "min_visibility": 0.5}, "transforms": [
    {"type": "crop", "top": 10, "left": 10, "height": 30, "width": 30}]}' > p.json
  go some
  look whole some
  jq -e '[.annotations[].segments_info[] | select(.iscrowd == 0).area] | min >= 60' some/annotations.json > /dev/null
  jq -se '[.[].dropped[].reason] | unique == ["min_area", "min_visibility", "outside"]' some/manifest.jsonl > /dev/null
  # Kept and dropped are all there were, by their own ids.
  diff <(jq -r '[.annotations[], .dropped[]][].from' some/manifest.jsonl | sort) \
    <(jq -r '.annotations[].segments_info[].id' "$DATA/panoptic.json" | sort)
}

@test "panoptic: ids in quotes are read as in other files, unknown categories carried" {
  pipeline p.json ''
  jq '.images[].id |= tostring | .annotations[] |= (.image_id |= tostring | .segments_info[].category_id |= tostring) |
    .categories[].id |= tostring' "$DATA/panoptic.json" > quoted.json
  run -0 --separate-stderr "$lockstep" run -p p.json -i "$DATA/images" -a quoted.json --masks "$DATA/panoptic" -o out
  grep -qF 'quoted.json' <<< "$stderr"
  [ "$(grep -cF '[coco-string-id]' <<< "$stderr")" -eq 1 ]
  same_json "$DATA/panoptic.json" out/annotations.json
  look same "$DATA/panoptic" out/masks
  run -4 --separate-stderr "$lockstep" run -p p.json -i "$DATA/images" -a quoted.json --masks "$DATA/panoptic" -o no --compat strict
  [[ $stderr == *'[coco-string-id]'* ]]
  # Moved pictures are written in the same way.
  pipeline p.json '{"type": "horizontal_flip"}'
  "$lockstep" run -q -p p.json -i "$DATA/images" -a quoted.json --masks "$DATA/panoptic" -o moved
  go plain
  same_json plain/annotations.json moved/annotations.json
  jq '.annotations[0].segments_info[0].category_id = 77' "$DATA/panoptic.json" > unknown.json
  pipeline p.json ''
  run -0 --separate-stderr "$lockstep" run -p p.json -i "$DATA/images" -a unknown.json --masks "$DATA/panoptic" -o carried
  [[ $stderr == *'annotations[0].segments_info[0].category_id: no category has this id'*'[coco-category-unknown]'* ]]
  [ "$(jq '.annotations[0].segments_info[0].category_id' carried/annotations.json)" = 77 ]
  run -4 --separate-stderr "$lockstep" run -p p.json -i "$DATA/images" -a unknown.json --masks "$DATA/panoptic" -o no --compat strict
}

@test "panoptic: copies have names and image ids of their own, and the segments' ids" {
  pipeline p.json '{"type": "RandomHorizontalFlip"}'
  go out -n 2
  look whole out
  jq -e '[.annotations[] | [.image_id, .file_name]] == [[20, "000__a000.png"], [21, "000__a001.png"],
    [22, "001__a000.png"], [23, "001__a001.png"], [24, "002__a000.png"], [25, "002__a001.png"]]' \
    out/annotations.json > /dev/null
  diff <(jq '.annotations[].segments_info[].id' out/annotations.json | sort -u) \
    <(jq '.annotations[].segments_info[].id' "$DATA/panoptic.json" | sort -u)
  # The image without an annotation has no picture.
  jq -se 'map(select(.source == "b/3.png")) | length == 2 and all(has("mask") | not)' out/manifest.jsonl > /dev/null
}

@test "panoptic: jobs, modes and dry runs change nothing; what was written can be read" {
  pipeline p.json '{"type": "RandomRotation", "degrees": 30, "interpolation": "bilinear"},
    {"type": "RandomResizedCrop", "size": [40, 40]}, {"type": "RandomIoUCrop"}'
  go one -n 2
  go two -n 2 -j 3
  same_tree one two
  go none -n 2 --optimize none
  go fast -n 2 --optimize fast
  same_tree none/masks fast/masks
  cmp none/annotations.json fast/annotations.json
  diff <(go dry -n 2 --dry-run) one/manifest.jsonl
  [ ! -e dry ]
  pipeline p.json ''
  "$lockstep" run -q -p p.json -i one/images -a one/annotations.json --masks one/masks -o again
  diff <(tokens one/annotations.json) <(tokens again/annotations.json)
  same_tree one/masks again/masks
}

@test "panoptic: steps see segments as objects" {
  pipeline p.json '{"type": "horizontal_flip", "when": {"has_category": ["c4"], "min_objects": 9}}'
  go out
  jq -se 'map(.steps | length) | unique == [0, 1]' out/manifest.jsonl > /dev/null
  pipeline p.json '{"type": "RandomSizedBBoxSafeCrop", "height": 90, "width": 120}'
  go safe
  look whole safe
  jq -se 'map(select(.mask)) | all(.dropped == [])' safe/manifest.jsonl > /dev/null
}

# refused MESSAGE [options...]: the run says it, and leaves nothing.
refused() {
  local message=$1
  shift
  run -4 --separate-stderr "$lockstep" run -q -p p.json -i "$DATA/images" -a "$DATA/panoptic.json" -o bad "$@"
  grep -qF -- "$message" <<< "$stderr" || { echo "$stderr"; return 1; }
  unfinished bad
  rm -rf bad
}

@test "panoptic: pictures that are none, or not of the image, are refused or skipped" {
  pipeline p.json ''
  cp -r "$DATA/panoptic" masks
  rm masks/001.png
  refused 'mask-missing' --masks masks
  python3 "$here/tools/blank.py" masks/001.png 64 80 gray 0
  refused 'b/1.png: its mask 001.png: ids of segments are' --masks masks
  python3 "$here/tools/blank.py" masks/001.png 64 79 rgb 0
  refused '001.png: it is 64x79, but the image is 64x80' --masks masks
  head -c 300 "$DATA/panoptic/001.png" > masks/001.png
  refused 'its mask 001.png' --masks masks
  python3 "$here/tools/blank.py" masks/001.png 64 80 rgb 1
  refused 'coco-segment-unknown' --masks masks
  rm masks/001.png
  run -1 "$lockstep" run -q -p p.json -i "$DATA/images" -a "$DATA/panoptic.json" -o skipped --masks masks --on-error skip
  look whole skipped
  jq -e '[.annotations[].image_id] == [10, 12] and [.images[].id] == [10, 12, 13]' skipped/annotations.json > /dev/null
}

@test "panoptic: check looks at the pictures that run takes" {
  cp -r "$DATA/panoptic" "$DATA/panoptic.json" .
  "$lockstep" check -i "$DATA/images" -a panoptic.json
  python3 "$here/tools/blank.py" panoptic/001.png 64 79 rgb 0
  run -1 "$lockstep" check -i "$DATA/images" -a panoptic.json
  [[ $output == *"error[P009]"*"64 x 79"* ]]
  "$lockstep" check -i "$DATA/images" -a panoptic.json -m "$DATA/panoptic"
  mv panoptic elsewhere
  "$lockstep" check -i "$DATA/images" -a panoptic.json
}

@test "panoptic: polygons cannot be had of it" {
  printf '{"version": 1, "annotations": {"segmentation": "polygon"}, "transforms": []}' > p.json
  run -3 --separate-stderr go bad
  [[ $stderr == *"p.json:1:"*"annotations.segmentation"*"[target-refused]"* ]]
  [ ! -e bad ]
}

@test "panoptic: geometry of segments that no step moves is named, and cannot be dropped or moved" {
  jq '.annotations[].segments_info[] |= . + {"center": [1, 2], "score": 1}' "$DATA/panoptic.json" > keys.json
  mkdir -p keys && cp "$DATA"/panoptic/*.png keys
  try() { "$lockstep" run -p p.json -i "$DATA/images" -a keys.json -o out --overwrite --progress none; }
  pipeline p.json '{"type": "horizontal_flip"}'
  run -0 --separate-stderr try
  [[ $stderr == *': center; see'*'[coco-unmoved-keys]'* ]]
  [ "$(jq -c .unmoved_keys out/run.json)" = '["center"]' ]
  pipeline p.json '{"type": "invert"}'
  run -0 --separate-stderr try
  [[ $stderr != *coco-unmoved-keys* ]]
  for rule in '"drop_keys": ["center"]' '"move_keys": {"center": "point"}'; do
    echo "{\"version\": 1, \"annotations\": {$rule}, \"transforms\": []}" > p.json
    run -3 --separate-stderr try
    [[ $stderr == *'p.json:1:'*'[target-refused]'* ]]
  done
}

@test "panoptic: segments written with quotes, points and booleans, and repeated elements, have one meaning" {
  pipeline p.json '{"type": "horizontal_flip"}'
  flip() { "$lockstep" run -q -p p.json -i "$DATA/images" --masks "$DATA/panoptic" -a "$@"; }
  jq -c . "$DATA/panoptic.json" > plain.json
  flip plain.json -o plain
  jq -c '.annotations |= map(.segments_info |= map(.id |= tostring | .category_id |= tostring
    | .iscrowd |= (. == 1) | .area |= tostring | .bbox |= map(tostring)))
    | .images |= map(.width |= tostring) | .images += [.images[0]] | .annotations += [.annotations[1]]
    | .categories += [.categories[0]]' plain.json > odd.json
  flip odd.json -o odd
  diff <(tokens plain/annotations.json) <(tokens odd/annotations.json)
  look same plain/masks odd/masks
  "$lockstep" check --no-images --select P,D,R odd.json > check.txt || true
  run ! grep -E 'error.(P|D00[567])' check.txt
  run -4 flip odd.json -o strict --compat strict
}
