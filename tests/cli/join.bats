#!/usr/bin/env bats
# Images that are joined: Mosaic, MixUp, CutMix, CopyPaste, RandomGridShuffle and the op join; see joined.py.
# The tests of the release tier look at 200 draws of each.
# shellcheck disable=SC2154 # run sets stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  python3 "$here/tools/joined.py" make data
}

steps() { # steps, and sections of the pipeline
  printf '{"version": 1, "seed": 4%s, "transforms": [%s]}\n' "${2-}" "$1" > p.json
}

go() { # OUT, and options
  "$lockstep" run -q -p p.json -i data/images -a data/in.json --masks data/masks -o "$@"
}

nearest='"interpolation": "nearest"'

pixels_have_labels() { # draws for each image
  for step in \
    "{\"type\": \"Mosaic\", \"target_size\": [70, 90], $nearest, \"donor_transforms\": [{\"type\": \"RandomRotate90\"}]}" \
    "{\"type\": \"Mosaic\", \"target_size\": [70, 90], $nearest, \"fit_mode\": \"contain\", \"grid_yx\": [2, 3]}" \
    "{\"type\": \"Mosaic\", \"target_size\": [70, 90], $nearest, \"fit_mode\": \"corner\", \"donor_transforms\": [{\"type\": \"RandomRotate90\"}]}" \
    "{\"type\": \"CutMix\", $nearest}" \
    "{\"type\": \"CutMix\", $nearest}, {\"type\": \"Mosaic\", \"target_size\": 60, $nearest}, {\"type\": \"RandomHorizontalFlip\"}, {\"type\": \"CutMix\", $nearest}"; do
    steps "$step"
    rm -rf out
    go out -n "$1"
    python3 "$here/tools/joined.py" check out
  done
}

@test "join: every pixel of what is joined has its label in all targets, and hidden ones have none" { pixels_have_labels 3; }

# bats test_tags=release
@test "join: every pixel of what is joined has its label in all targets, and hidden ones have none, over 200 draws" { pixels_have_labels 29; }

@test "join: in a mosaic of corners nothing is scaled, and images lie against its middle" {
  rm -r data
  python3 "$here/tools/joined.py" make data 64 48
  # cells of 64 x 48 around the middle of 160 x 120 are larger than the images: each image is whole, and gray is outside
  steps '{"type": "Mosaic", "target_size": [120, 160], "center_range": [0.5, 0.5], "fit_mode": "corner", "fill": 114, "fill_mask": 255}'
  go out -n 3
  jq -c '.steps[0] | select(.type == "join").inputs | map([.top, .left, (.steps | map(select(.type == "pad").padding)[0])])' out/manifest.jsonl | sort -u > places
  diff - places <<< '[[0,0,[16,12,0,0]],[0,80,[0,12,16,0]],[60,0,[16,0,0,12]],[60,80,[0,0,16,12]]]'
  jq -e 'all(.steps[0].inputs[].steps[]; .type != "resize" and .type != "crop")' out/manifest.jsonl > /dev/null
  # cells that are smaller show the part at the center
  steps '{"type": "Mosaic", "target_size": 60, "center_range": [0.5, 0.5], "fit_mode": "corner"}'
  rm -r out
  go out -n 3
  jq -c '.steps[0].inputs | map(.steps | map(select(.type == "crop") | [.top, .left, .height, .width])[0])' out/manifest.jsonl | sort -u > places
  diff - places <<< '[[18,34,30,30],[18,0,30,30],[0,34,30,30],[0,0,30,30]]'
  steps '{"type": "Mosaic", "grid_yx": [3, 2], "fit_mode": "corner"}'
  run -3 --separate-stderr go odd
  [[ $stderr == *'"corner" needs a grid of [2, 2] [param-range]'* ]]
}

@test "join: MixUp blends levels to the nearest, keeps the objects of both, and the heavier labels" {
  rm -r data
  python3 "$here/tools/joined.py" make data 64 48
  steps '{"type": "MixUp", "masks": "heavier", "donors": {"same_size": true}}'
  go out -n 5
  python3 "$here/tools/joined.py" blend data out
}

@test "join: images that show through each other and have label masks are refused before work, unless said whose" {
  for step in '{"type": "MixUp"}' '{"type": "RandomApply", "p": 0.5, "transforms": [{"type": "MixUp"}]}' \
    '{"type": "join", "height": 9, "width": 9, "inputs": [{}, {"source": "2.png", "opacity": 0.4}]}'; do
    steps "$step"
    run -3 --separate-stderr go out
    [[ $stderr == p.json:1:*"[target-refused]"* ]] && [ ! -e out ]
    "$lockstep" run -q -p p.json -i data/images -a data/in.json -o free
    rm -r free
  done
  steps '{"type": "MixUp", "masks": "heavier"}, {"type": "MixUp", "p": 0}, {"type": "join", "height": 9, "width": 9, "inputs": [{}]}'
  go out
}

pasted_have_labels() { # draws for each image
  rm -r data
  python3 "$here/tools/joined.py" make data 64 48
  for step in \
    "{\"type\": \"CopyPaste\", $nearest}" \
    "{\"type\": \"SimpleCopyPaste\", $nearest, \"blending\": \"none\"}" \
    "{\"type\": \"RandomGridShuffle\", \"p\": 1}" \
    "{\"type\": \"RandomGridShuffle\", \"p\": 1, \"grid\": [2, 2]}, {\"type\": \"CopyPaste\", $nearest, \"paste_by\": \"category\", \"paste_by_box\": true}, {\"type\": \"RandomHorizontalFlip\"}, {\"type\": \"CopyPaste\", $nearest, \"categories\": [\"thing 1\"]}"; do
    steps "$step"
    rm -rf out
    go out -n "$1"
    python3 "$here/tools/joined.py" check out data
  done
  rm -r data
  python3 "$here/tools/joined.py" make data
  steps "{\"type\": \"CopyPaste\", $nearest, \"scale_range\": [0.5, 2], \"donor_transforms\": [{\"type\": \"RandomHorizontalFlip\"}, {\"type\": \"RandomRotate90\"}]}"
  go new -n "$1"
  python3 "$here/tools/joined.py" check new
}

@test "join: pasted objects and moved cells have their labels, and visibilities count pixels" { pasted_have_labels 3; }

# bats test_tags=release
@test "join: pasted objects and moved cells have their labels, and visibilities count pixels, over 200 draws" { pasted_have_labels 29; }

keypoints_at_marks() { # draws for each image
  rm -r data
  python3 "$here/tools/joined_points.py" make data
  for step in \
    '{"type": "Mosaic", "target_size": [120, 150], "fit_mode": "contain", "donor_transforms": [{"type": "RandomRotation", "degrees": 20, "interpolation": "bilinear"}]}' \
    '{"type": "Mosaic", "target_size": [150, 180]}, {"type": "RandomAffine", "degrees": 10, "interpolation": "bilinear"}' \
    '{"type": "Mosaic", "target_size": [120, 150], "fit_mode": "corner"}' \
    '{"type": "MixUp", "alpha": 8}' '{"type": "CutMix"}' \
    '{"type": "CopyPaste", "scale_range": [0.6, 1.5]}' '{"type": "SimpleCopyPaste", "blending": "none"}' \
    '{"type": "RandomGridShuffle", "p": 1, "grid": [2, 2]}' '{"type": "tile", "size": [50, 60], "overlap": 0.3}'; do
    steps "$step"
    rm -rf out
    "$lockstep" run -q -p p.json -i data/images -a data/in.json -o out -n "$1"
    python3 "$here/tools/joined_points.py" check out || { echo "$step"; exit 1; }
  done
}

@test "join: keypoints are where their marks are, within half a pixel" { keypoints_at_marks 6; }

# bats test_tags=release
@test "join: keypoints are where their marks are, within half a pixel, over 145 draws" { keypoints_at_marks 29; }

# segments OUT, and options: runs p.json over panoptic annotations and checks the result.
segments() {
  "$lockstep" run -q -p p.json -i data/images -a data/panoptic.json -o "$@"
  "$lockstep" check "$1/annotations.json" -i "$1/images" -m "$1/masks" --fail-on error
}

segments_agree() { # draws for each image
  for step in \
    "{\"type\": \"Mosaic\", \"target_size\": [70, 90], $nearest, \"fit_mode\": \"contain\", \"donor_transforms\": [{\"type\": \"RandomRotate90\"}]}" \
    "{\"type\": \"CutMix\", $nearest, \"labels\": \"keep\"}, {\"type\": \"RandomHorizontalFlip\"}" \
    "{\"type\": \"CopyPaste\", $nearest}, {\"type\": \"CopyPaste\", $nearest, \"p\": 0.5, \"donors\": {\"has_category\": [\"thing 2\"]}}" \
    "{\"type\": \"RandomGridShuffle\", \"p\": 1}" \
    "{\"type\": \"RandomGridShuffle\", \"p\": 0.5}, {\"type\": \"Mosaic\", \"target_size\": 60, $nearest, \"p\": 0.5}"; do
    steps "$step" ', "annotations": {"ids": "dense"}'
    rm -rf out
    segments out -n "$1"
    python3 "$here/tools/joined.py" segments out
  done
  segments more -n "$1" --jobs 3
  segments none -n "$1" --optimize none
  diff -r -x run.json out more
  diff -r -x run.json out none
}

@test "join: pictures of segments, their list and the image agree in all that joins" { segments_agree 3; }

# bats test_tags=release
@test "join: pictures of segments, their list and the image agree in all that joins, over 63 draws" { segments_agree 9; }

@test "join: where images show through each other, segments are those of the heavier one" {
  rm -r data
  python3 "$here/tools/joined.py" make data 64 48
  steps '{"type": "MixUp"}'
  run -3 --separate-stderr "$lockstep" run -q -p p.json -i data/images -a data/panoptic.json -o no
  [[ $stderr == p.json:1:*"[target-refused]"* ]] && [ ! -e no ]
  steps '{"type": "MixUp", "masks": "heavier"}'
  segments out -n 9
  "$lockstep" run -q -p p.json -i data/images --masks data/masks -o labels -n 9
  python3 "$here/tools/joined.py" segments out labels
  # without annotations that tell whose its pixels are, an image has no picture, and others get theirs
  jq '.annotations |= map(select(.image_id != 3))' data/panoptic.json > data/some.json
  steps '{"type": "Mosaic", "target_size": 60}'
  "$lockstep" run -q -p p.json -i data/images -a data/some.json --masks data/panoptic -o some
  jq -se '[.[] | select(.source == "3.png") | .annotations == [] and (has("mask") | not)] == [true]' some/manifest.jsonl
  "$lockstep" check some/annotations.json -i some/images -m some/masks --fail-on error
}

# drawn STEP: the steps of 40 draws for each image, as an array.
drawn() {
  steps "$1"
  "$lockstep" run -q --dry-run -n 40 -p p.json -i data/images -a data/in.json -o out | jq -s '[.[].steps]'
}

@test "join: the image itself lies in any cell of a mosaic, and with several inputs once" {
  drawn '{"type": "Mosaic"}' > drawn.json
  jq -e '[.[][0].inputs | map(.source == "") | index(true)] | unique == [0, 1, 2, 3]' drawn.json
  jq -e '[.[][0].inputs | map(select(.source == "")) | length] | unique == [1]' drawn.json
}

@test "join: a window shows what lies there in the other image" {
  drawn '{"type": "CutMix"}' > drawn.json
  jq -e '[.[][] | .inputs[1] | {top, left, crop: (.steps | last)} | select(.crop.type == "crop")
    | .top == .crop.top and .left == .crop.left] | length > 100 and all' drawn.json
}

@test "join: cells change places, and none is lost" {
  drawn '{"type": "RandomGridShuffle", "grid": [2, 2], "p": 1}' > drawn.json
  jq -e '[.[][] | [.inputs[] | [.top, .left]] != [.inputs[].steps[0] | [.top, .left]]] | length > 100 and all' drawn.json
  jq -e '[.[][] | ([.inputs[] | [.top, .left]] | sort) == ([.inputs[].steps[0] | [.top, .left]] | sort)] | all' drawn.json
}

@test "join: what is pasted is of the categories that are asked for, and has a segmentation or was asked for without" {
  steps '{"type": "CopyPaste", "categories": ["thing 2"]}'
  go out -n 20
  jq -se '[.[].annotations[] | select(.of) | .from % 4] | unique == [1]' out/manifest.jsonl # polygons
  steps '{"type": "CopyPaste", "paste_by_box": true}'
  go box -n 20
  jq -se '[.[].annotations[] | select(.of) | .from % 4] | unique == [1, 2, 3]' box/manifest.jsonl # no crowds
}

@test "join: objects in several cells become several, the largest part, or none" {
  rm -r data
  python3 "$here/tools/joined.py" make data 64 48
  jq '[.annotations[] | select(.kind == "rle")][0] | .id, .area' data/in.json > one
  grid='{"type": "join", "height": 48, "width": 64, "pieces": "%s", "inputs": [
    {"left": 0, "steps": [{"type": "crop", "top": 0, "left": 48, "height": 48, "width": 16}]},
    {"left": 16, "steps": [{"type": "crop", "top": 0, "left": 0, "height": 48, "width": 48}]}]}'
  for rule in split largest drop; do
    # shellcheck disable=SC2059 # it is a format
    steps "$(printf "$grid" $rule)"
    go $rule
    jq -c --argjson id "$(head -1 one)" '[.annotations[] | select(.id < 200000 and .kind == "rle")
      | .area]' $rule/annotations.json > $rule.areas
  done
  jq -e --argjson all "$(tail -1 one)" 'length == 2 and add == $all' split.areas
  jq -e --slurpfile split split.areas '. == [$split[0] | max]' largest.areas
  jq -e 'length == 0' drop.areas
  jq -se '[.[].dropped[].reason] | unique == ["pieces"]' drop/manifest.jsonl
  jq -se '[.[].dropped[]] | length == 0' split/manifest.jsonl
}

@test "join: a feathered edge is blended, and labels are those of a sharp one" {
  rm -r data
  python3 "$here/tools/joined.py" make data 64 48
  for blending in none feather; do
    steps '{"type": "SimpleCopyPaste", "blending": "'$blending'"}'
    go $blending -n 3
  done
  cmp none/annotations.json feather/annotations.json
  diff -r none/masks feather/masks
  python3 "$here/tools/joined.py" edges none feather
}

@test "join: optimize none and exact, and any number of jobs, give the same bytes" {
  steps '{"type": "RandomHorizontalFlip"}, {"type": "Mosaic", "target_size": 80}, {"type": "MixUp", "masks": "heavier"}, {"type": "ColorJitter", "brightness": 0.5}'
  go out -n 3 --jobs 1
  go more -n 3 --jobs 3
  go none -n 3 --optimize none
  diff -r -x run.json out more
  diff -r -x run.json out none
}

@test "join: the manifest's steps are a pipeline that gives the same bytes, and tells of whom objects are" {
  steps '{"type": "Mosaic", "target_size": [60, 70]}, {"type": "CutMix"}'
  go out
  jq -se '[.[].annotations[].of] | map(select(. != null)) | length > 10' out/manifest.jsonl
  jq -c '{source, steps}' out/manifest.jsonl | while read -r line; do
    name=$(jq -r .source <<< "$line")
    jq '{version: 1, seed: 99, transforms: .steps}' <<< "$line" > p.json
    rm -rf again
    go again
    cmp "out/images/$name" "again/images/$name"
    cmp "out/masks/$name" "again/masks/$name"
    [ "$(jq -c "[.annotations[] | select(.image_id == ${name%.png})]" out/annotations.json)" = \
      "$(jq -c "[.annotations[] | select(.image_id == ${name%.png})]" again/annotations.json)" ]
  done
}

@test "join: one image more changes few outputs" {
  python3 "$here/tools/donors_changed.py" "$lockstep" 200 12
}

@test "join: a step pastes objects by their numbers where there are annotations, and is refused without" {
  local given=(-p p.json -i "$samples/images" street/0001.jpg street/0002.jpg)
  echo '{"version": 1, "annotations": {"ids": "dense"}, "transforms": [{"type": "join", "height": 310, "width": 420,
    "inputs": [{}, {"source": "harbour/0001.jpg", "objects": [6], "top": 13, "left": 29}]}]}' > p.json
  "$lockstep" run -q "${given[@]}" -a "$samples/annotations.json" -o out
  # the seventh object of the harbour's image is on both, where the step put it
  jq -e --slurpfile a "$samples/annotations.json" '[$a[0].annotations[] | select(.image_id == 7)][6] as $o |
    [.annotations[] | select(.category_id == $o.category_id and
      ([.bbox, [$o.bbox[0] + 29, $o.bbox[1] + 13, $o.bbox[2], $o.bbox[3]]] | transpose | all(.[0] - .[1] | fabs < 0.01)))] |
    length == 2' out/annotations.json
  refuses step-refused 4 "$lockstep" run -q "${given[@]}" -o bare
  sed -i 's/\[6\]/[999]/' p.json
  refuses step-refused 4 "$lockstep" run -q "${given[@]}" -a "$samples/annotations.json" -o none
}

@test "join: ids are those of the image and an ordinal, or dense" {
  steps '{"type": "CutMix"}' ', "annotations": {"ids": "by_image"}'
  go out -n 2
  jq -e '[.annotations[] | ((.id / 100000 | floor) == .image_id)] | all' out/annotations.json
  steps '{"type": "CutMix"}' # the default makes the same files where these ids fit
  go auto -n 2
  same_tree out auto
  steps '{"type": "CutMix"}' ', "annotations": {"ids": "dense"}'
  go dense -n 2
  jq -e '[.annotations[].id] == [range(1; 1 + (.annotations | length))]' dense/annotations.json
  steps '{"type": "CutMix"}' ', "annotations": {"ids": "by_image", "ids_per_image": 3}'
  run -4 --separate-stderr go few
  [[ $stderr == *"[id-overflow]"* ]]
  jq '(.images[0].id, (.annotations[] | select(.image_id == 1).image_id)) |= 500000000000' data/in.json > data/large.json
  mv data/large.json data/in.json
  steps '{"type": "CutMix"}' ', "annotations": {"ids": "by_image"}'
  run -4 --separate-stderr go large
  [[ $stderr == *"[id-overflow]"* ]] && [[ $stderr == *'"ids": "auto"'* ]]
}

@test "join: ids that do not fit by image are dense: in all parts of a job, all choices and its replay" {
  local i coco=(-p p.json -i "$samples/images" -a "$samples/annotations.json" --durability none)
  echo '{"version": 1, "seed": 6, "transforms": [{"type": "Mosaic", "target_size": [90, 110]}]}' > p.json
  "$lockstep" run "${coco[@]}" -o whole 2> said
  [ "$(grep -c '\[ids-dense\]' said)" -eq 1 ]
  grep -q 'image ids up to 500000000002 .* would exceed 2^53' said
  jq -e '[.annotations[].id] == [range(1; 1 + (.annotations | length))]' whole/annotations.json
  jq -e '.pipeline.annotations.ids == "dense"' whole/run.json
  "$lockstep" run -q "${coco[@]}" -o quiet 2> said
  [ ! -s said ]
  jq '.annotations.ids = "dense"' p.json > dense.json
  "$lockstep" run -q -p dense.json "${coco[@]:2}" -o dense
  same_tree whole dense
  # images whose own ids would fit
  for i in 1 0; do "$lockstep" run -q "${coco[@]}" --include 'street/*' -o some --shard $i/2; done
  "$lockstep" merge -q --durability none some
  jq -e '[.annotations[].id] == [range(1; 1 + (.annotations | length))]' some/annotations.json
  "$lockstep" run -q "${coco[@]}" --include 'street/*' -o some --resume
  "$lockstep" replay -q --verify -m some/manifest.jsonl "${coco[@]:2:4}" -o some
  refuses stream-ids 3 "$lockstep" run -q -p p.json "${coco[@]:2:4}" -o -
  # more annotations than each image has ids for
  steps '{"type": "CutMix"}' ', "annotations": {"ids_per_image": 3}'
  go few
  jq -e '[.annotations[].id] == [range(1; 1 + (.annotations | length))]' few/annotations.json
}

@test "join: labels are written as YOLO's and VOC's, too, with those of borrowed images" {
  steps '{"type": "Mosaic", "target_size": [60, 70]}, {"type": "CopyPaste"}'
  go coco
  for to in yolo voc; do
    go $to --to $to --lossy
    "$lockstep" run -q -p <(echo '{"version": 1, "transforms": []}') -i $to/*mages \
      -a "$(ls -d $to/labels $to/Annotations 2> /dev/null)" --to coco -o again.$to
  done
  steps '{"type": "Mosaic", "target_size": [60, 70], "donors": {"exclude_self": false}}, {"type": "horizontal_flip"}'
  go plain --to yolo --lossy -n 3
  for out in coco again.yolo again.voc; do # boxes by image; lines of YOLO's have six decimals
    jq -c '(.images | map({key: (.id | tostring), value: .file_name}) | from_entries) as $name
      | [.annotations[] | select(.iscrowd == 0) | [$name[.image_id | tostring], (.bbox[] | (. * 100 | round) / 100 + 0)]] | sort' \
      $out/annotations.json > $out.boxes
  done
  jq -e 'length > 20' coco.boxes
  cmp coco.boxes again.yolo.boxes
  [ "$(jq length again.voc.boxes)" -eq "$(jq length coco.boxes)" ]
  "$lockstep" run -q -p p.json -i yolo/images -a yolo/labels -o lines
  "$lockstep" run -q -p p.json -i yolo/images -a yolo/labels --to coco -o numbers
  [ "$(cat lines/labels/*.txt | wc -l)" -eq "$(jq '.annotations | length' numbers/annotations.json)" ]
}

# stopped: out is a run that was killed with some images done.
stopped() {
  rm -rf out
  (exec strace -qq -o /dev/null -e trace=pwrite64 -e inject=pwrite64:signal=KILL:when=9 \
    "$lockstep" run -q -p p.json -i data/images -a data/in.json --masks data/masks -o out -j 1) || true
  [ -e out/.lockstep/journal ] && [ ! -e out/run.json ]
}

@test "join: a run that goes on is one that was not stopped, with borrowed images that were changed, too" {
  ulimit -c 0
  steps '{"type": "Mosaic", "target_size": 60}'
  go whole
  stopped
  go out --resume
  diff -r -x run.json whole out
  stopped
  python3 "$here/tools/blank.py" data/images/2.png \
    "$(jq '.images[1].width' data/in.json)" "$(jq '.images[1].height' data/in.json)" rgb
  go out --resume
  rm -rf whole
  go whole
  diff -r -x run.json whole out
}

@test "join: what cannot be borrowed or carried is refused before work" {
  steps '{"type": "Mosaic", "donors": {"has_category": ["nothing"]}}'
  run -3 --separate-stderr go out
  [[ $stderr == *"[donor-none]"* ]]
  steps '{"type": "join", "height": 9, "width": 9, "inputs": [{}, {"source": "away.png"}]}'
  run -3 --separate-stderr go out
  [[ $stderr == *"[donor-missing]"* ]]
  steps '{"type": "Mosaic", "donor_transforms": [{"type": "MixUp"}]}'
  run -3 --separate-stderr go out
  [[ $stderr == *"[plan-join]"* ]]
  steps '{"type": "Mosaic", "donor_transforms": [{"type": "ten_crop", "size": 8}]}'
  run -3 --separate-stderr go out
  [[ $stderr == *"[plan-fan]"* ]]
  steps '{"type": "CutMix"}'
  go xml --to voc --lossy
  run -3 --separate-stderr "$lockstep" run -q -p p.json -i xml/JPEGImages -a xml/Annotations -o out
  [[ $stderr == *"[target-refused]"* ]]
  PYTHONPATH=$here/lib python3 -c '
import png
height, width = png.size("data/masks/2.png")
png.write("data/masks/2.png", [[300] * width] * height, 1, 16)'
  run -4 --separate-stderr go out
  [[ $stderr == *"it borrows "*"[donor-mask]"* ]]
  rm -rf out
  printf 'no image' > data/images/2.png
  run --separate-stderr go out --on-error skip
  [[ $stderr == *"it borrows 2.png: "*"[donor-failed]"* ]]
}

@test "join: what is shuffled again and again takes no more memory" {
  local again
  skip_when_sanitized "$lockstep"
  again=$(for _ in {1..7}; do printf '{"type": "RandomGridShuffle"}, '; done)
  steps "$again"'{"type": "RandomGridShuffle"}' ', "annotations": {"ids": "dense"}'
  ulimit -v 1000000
  go out
  jq -e '.annotations | length > 3' out/annotations.json
}
