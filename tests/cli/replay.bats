#!/usr/bin/env bats
# replay: the records of a manifest are repeated to the same bytes; edited lines are obeyed or refused.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  coco=(-i "$samples/images" -a "$samples/annotations.json" --durability none)
}

# go PIPELINE OPTION...: the samples, into out/.
go() { rm -rf out && "$lockstep" run -q -p "$1" -o out "${coco[@]}" "${@:2}"; }

# again OPTION...: out/ replayed into again/.
again() { rm -rf again && "$lockstep" replay -q -m out/manifest.jsonl -o again "${@:-"${coco[@]}"}"; }

# same: again/ has out/'s files and bytes, but that its run.json says that it is a replay.
same() { diff -r -x run.json -x errors.jsonl out again; }

# edit JQ: the first line, changed, as edited.jsonl.
edit() { head -1 out/manifest.jsonl | jq -c "$1" > edited.jsonl; }

# refuses CODE OPTION...: edited.jsonl is refused with this code, and nothing is written.
refuses() {
  rm -rf again
  run -4 --separate-stderr "$lockstep" replay -m edited.jsonl --run out/run.json -o again "${coco[@]}" "${@:2}"
  [[ $stderr == *"[$1]"* ]] || { echo "$stderr"; return 1; }
  [ ! -e again ]
}

@test "replay: every ready pipeline, in both modes, on four images" {
  "$here/tools/replays.py" pipelines "$lockstep" "$samples" 0 1 4
}

@test "replay: examples of every twelfth transform" {
  "$here/tools/replays.py" transforms "$lockstep" "$samples" 3 12 4
}

# bats test_tags=release
@test "replay: every ready pipeline, in both modes, on all samples" {
  "$here/tools/replays.py" pipelines "$lockstep" "$samples" 0 1 0
}

# bats test_tags=release
@test "replay: examples of all transforms" {
  "$here/tools/replays.py" transforms "$lockstep" "$samples" 0 1 4
}

@test "replay: copies, originals, branches, rejected attempts, other formats and names" {
  pipeline p.json '{"type": "RandomRotation", "degrees": 30}, {"type": "FiveCrop", "size": [90, 110]}'
  go p.json -n 2 --include-original --limit 4 --name-template '{dir}/{stem}_{ext}__{copy}'
  again && same
  pipeline p.json '{"type": "RandomResizedCrop", "size": [80, 80], "scale": [0.05, 0.2]}'
  for rule in original last; do
    jq '.annotations = {"reject_image_if": {"objects_lost": true}, "max_attempts": 3, "when_rejected": "'$rule'"}' p.json > r.json
    go r.json --limit 6
    jq -se 'any(has("rejected"))' out/manifest.jsonl
    again && same
  done
  for to in yolo yolo-segment voc; do
    go "$root/pipelines/dihedral.json" --to $to --lossy --limit 5
    again && same
  done
  jq '.output.lossless = true | .output.untouched = "copy"' "$root/pipelines/dihedral.json" > l.json
  go l.json -n 3
  again && same
}

@test "replay: label masks, panoptic segments, results, and images without annotations" {
  coco+=(--masks "$samples/masks")
  go segmentation --limit 5
  again && same
  run -0 --separate-stderr "$lockstep" replay -m out/manifest.jsonl -o without "${coco[@]:0:4}"
  [[ $stderr == *'the run had label masks: see --masks [replay-masks]'* ]]
  python3 "$here/tools/panoptic.py" draw data
  coco=(-i data/images -a data/panoptic.json)
  go segmentation -n 2
  again && same
  coco=(-i "$samples/images" -a results.json --image-list "$samples/annotations.json")
  jq '[.annotations[] | {image_id, category_id, bbox, score: 0.5}]' "$samples/annotations.json" > results.json
  go detection
  again && same
  "$lockstep" replay -q --verify -m out/manifest.jsonl "${coco[@]}" -o out
  sed -i "0,/\"width\": *[0-9]*/s//\"width\": 9/" out/images.json
  run -1 "$lockstep" replay -q --verify -m out/manifest.jsonl "${coco[@]}" -o out
  [[ $output == *"its annotations differ [replay-differs]"* ]]
  coco=(-i "$samples/images")
  go classification
  again && same
}

@test "replay: joined images, with ids by image and dense" {
  pipeline p.json '{"type": "Mosaic", "target_size": [200, 200]}, {"type": "MixUp"}'
  jq '.annotations.ids = "dense"' p.json > d.json
  go d.json --limit 4
  again && same
  jq '.annotations.ids_per_image = 1000' p.json > i.json
  go i.json --limit 4
  again && same
  # the run's own pipeline joins nothing: then there are no ids for joined images
  go detection --limit 1
  edit '.steps = [{"type": "join", "height": 50, "width": 50, "inputs": [{"source": "", "steps": []}]}]'
  refuses plan-join
}

# join_pipeline TYPE: frozen.json, of one step of this type with dense ids.
join_pipeline() {
  rm -rf out
  pipeline joins.json "{\"type\": \"$1\"}"
  jq '.annotations.ids = "dense"' joins.json > j.json
  "$lockstep" compile -p j.json -o frozen.json --overwrite
  "$lockstep" compile -p frozen.json | cmp - frozen.json
}

# accepted OPTION...: verify, replay --verify and back, with the options, accept out/.
accepted() {
  "$lockstep" verify -q out
  "$lockstep" replay -q --verify -m out/manifest.jsonl "${coco[@]}" -o out
  jq '[.annotations[] | {image_id, category_id, bbox, score: 0.25}]' out/annotations.json > r.json
  "$lockstep" back -q -m out/manifest.jsonl -r r.json -a "$samples/annotations.json" --overwrite -o m.json "$@"
}

# accepts_joins TYPE OPTION...: every command accepts the output of a run whose step joins.
accepts_joins() {
  join_pipeline "$1"
  go frozen.json "${@:2}"
  if [ "$1" = MixUp ]; then # places of its outputs are of both images
    accepted --skip
  else
    accepted
    [ "$(jq length m.json)" -ge "$(jq length r.json)" ]
  fi
}

@test "replay: verify, compile and back accept what joins wrote of some of the images" {
  accepts_joins CopyPaste --limit 4
  accepts_joins SimpleCopyPaste --include 'street/*'
  accepts_joins Mosaic --exclude 'street/*' -n 2
  accepts_joins CutMix --include 'harbour/*'
  accepts_joins MixUp --limit 2
}

@test "replay: verify and back accept what shards of copy-paste wrote" {
  local i
  join_pipeline CopyPaste
  for i in 2 0 1; do "$lockstep" run -q -p frozen.json -o out "${coco[@]}" --shard $i/3; done
  "$lockstep" merge -q --durability none out
  accepted
}

@test "replay: what pastes objects is refused without annotations" {
  local type
  for type in CopyPaste SimpleCopyPaste; do
    pipeline p.json "{\"type\": \"$type\"}"
    jq '.annotations.ids = "dense"' p.json > d.json
    go d.json
    again && same
    rm -rf again
    run -4 --separate-stderr "$lockstep" replay -q -m out/manifest.jsonl -i "$samples/images" -o again
    [[ $stderr == *'its annotations are required'*'[step-refused]'* ]]
  done
}

@test "replay: --only takes lines by pattern or list, with their annotations" {
  go detection -n 2
  again "${coco[@]}" --only 'street/*' --only '*0001__a001.jpg'
  [ "$(jq -r '.output' again/manifest.jsonl | sort)" = \
    "$(jq -r '.output' out/manifest.jsonl | grep -E 'images/street/|0001__a001.jpg$' | sort)" ]
  run ! grep -vxFf out/manifest.jsonl again/manifest.jsonl
  jq -e --slurpfile all out/annotations.json '. as $part | [.images[].id] as $ids |
    $part.images == [$all[0].images[] | select(.id as $i | $ids | index($i))] and
    $part.annotations == [$all[0].annotations[] | select(.image_id as $i | $ids | index($i))]' again/annotations.json
  (cd again && find images -type f) | while read -r file; do cmp "again/$file" "out/$file"; done
  printf 'hills/0002.png\r\nimages/street/0001__a001.jpg\n' > list
  again "${coco[@]}" --only @list
  [ "$(wc -l < again/manifest.jsonl)" -eq 3 ]
  mv again lines
  printf 'images/street/0001__a001.jpg\0hills/0002.png\0' > list
  again "${coco[@]}" --only @list
  diff -r lines again
  # Nothing after a NUL is left out.
  printf 'hills/0002.png\0nothing.jpg\n' > list
  rm -rf again
  run -4 --separate-stderr "$lockstep" replay -m out/manifest.jsonl -o again "${coco[@]}" --only @list
  [[ $stderr == *'nothing.jpg'*'[image-unknown]'* ]]
  echo nothing.jpg >> list
  rm -rf again
  run -4 --separate-stderr "$lockstep" replay -m out/manifest.jsonl -o again "${coco[@]}" --only @list
  [[ $stderr == *'nothing.jpg'*'[image-unknown]'* ]]
  run -4 --separate-stderr "$lockstep" replay -m out/manifest.jsonl -o again "${coco[@]}" --only 'none*'
  [[ $stderr == *'[images-none]'* ]]
}

@test "replay: the manifest of a run without outputs is replayed to none, and another empty one is refused" {
  jq -c '.annotations = []' "$samples/annotations.json" > empty.json
  pipeline p.json '{"type": "object_crops"}'
  for format in coco yolo; do
    "$lockstep" run -q -p p.json -i "$samples/images" -a empty.json -o "$format" --to "$format" --lossy 2> said.txt
    grep -q output-none said.txt
    "$lockstep" verify -q "$format"
    "$lockstep" replay -q -m "$format/manifest.jsonl" -i "$samples/images" -a empty.json -o "$format-again"
    [ ! -e "$format-again/images" ]
    "$lockstep" replay -q --verify -m "$format/manifest.jsonl" -i "$samples/images" -a empty.json -o "$format"
    run -4 --separate-stderr "$lockstep" replay -m "$format/manifest.jsonl" -i "$samples/images" -a empty.json -o none --only '*'
    [[ $stderr == *'[images-none]'* ]]
  done
  pipeline p.json '{"type": "horizontal_flip"}'
  "$lockstep" run -q -p p.json -i "$samples/images" -a empty.json -o out
  : > none.jsonl
  run -4 --separate-stderr "$lockstep" replay -m none.jsonl --run out/run.json -i "$samples/images" -a empty.json -o none
  [[ $stderr == *'[images-none]'* ]]
}

@test "replay: an edited line is obeyed" {
  pipeline p.json '{"type": "RandomRotation", "degrees": [5, 5]}'
  go p.json --limit 3
  edit '.steps[0].angle = 90 | .steps[0].expand = true'
  "$lockstep" replay -q -m edited.jsonl --run out/run.json -o again "${coco[@]}"
  pipeline q.json '{"type": "rotate", "angle": 90, "expand": true}'
  rm -rf turned && "$lockstep" run -q -p q.json --limit 1 -o turned "${coco[@]}"
  diff -r again/images turned/images
  cmp again/annotations.json turned/annotations.json
  jq -e '.steps[0].angle == 90 and .size_out == (.size_in | reverse)' again/manifest.jsonl
}

@test "replay: a line that cannot be obeyed is refused with its place and a code, before anything is written" {
  go "$root/pipelines/detection.json" --limit 2
  edit '.steps[0] = {"type": "adjust_brightness", "brightness_factor": -3}' && refuses param-range
  [[ $stderr == *'edited.jsonl:1:'*': error: steps[0].brightness_factor: -3'* ]]
  edit 'del(.steps)' && refuses param-missing
  edit '.steps[0] = {"type": "crop", "top": 0, "left": 0, "height": 5}' && refuses param-missing
  edit '.steps = [{"type": "rotat", "angle": 3}]' && refuses step-unknown
  edit '.steps = [{"type": "RandomRotation", "degrees": 3}]' && refuses replay-draws
  edit '.steps = [{"type": "invert", "p": 0.5}]' && refuses replay-draws
  edit '.steps = [{"type": "mix", "inputs": [[{"type": "RandomInvert"}]]}]' && refuses replay-draws
  edit '.steps = [{"type": "five_crop", "size": 20}]' && refuses plan-fan
  edit '.run = "0123456789abcdef"' && refuses replay-foreign
  edit '.key = "x"' && refuses replay-line
  edit '.output = "images/../../x.jpg"' && refuses replay-line
  edit '.copy = 1' && refuses replay-line
  edit '.image_id += 1' && refuses replay-line
  edit '.source = "nothing.jpg"' && refuses image-unknown
  edit '.size_in[0] += 1' && refuses replay-changed
  edit '.colour = 1' && refuses param-unknown
  edit '.' && cat edited.jsonl edited.jsonl > twice && mv twice edited.jsonl && refuses replay-twice
  edit '.' && sed -i 's/}$//' edited.jsonl && refuses json-syntax
  edit '.steps = [{"type": "equalize"}, {"type": "crop", "top": 9000, "left": 0, "height": 5, "width": 5}, {"type": "normalize", "mean": [0], "std": [1]}, {"type": "posterize", "bits": 2}]'
  refuses step-refused
  [[ $stderr == *'edited.jsonl:1: steps[3]: posterize: '* ]]
}

@test "replay: what mirrors is refused where the run would have asked which keypoints change places" {
  mkdir in && cp "$samples/images/street/0001.jpg" in/a.jpg
  python3 - << 'END'
import json
json.dump({"images": [{"id": 1, "file_name": "a.jpg", "width": 640, "height": 480}],
           "categories": [{"id": 1, "name": "x", "keypoints": ["left_a", "b", "c"], "skeleton": []}],
           "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [5, 5, 50, 50], "area": 2500, "iscrowd": 0,
                            "keypoints": [10, 10, 2, 20, 20, 2, 30, 30, 2], "num_keypoints": 3}]}, open("k.json", "w"))
END
  coco=(-i in -a k.json)
  pipeline p.json '{"type": "rotate", "angle": 3}'
  go p.json
  edit '.steps = [{"type": "horizontal_flip"}]' && refuses coco-flip-pairs
}

@test "replay: run.json is there, and of the run; other versions and annotations are said" {
  pipeline p.json '{"type": "RandomRotation", "degrees": 5}'
  go p.json --limit 2
  cp out/manifest.jsonl edited.jsonl
  run -4 --separate-stderr "$lockstep" replay -m edited.jsonl -o again "${coco[@]}"
  [[ $stderr == *'run.json: '*'[replay-run]'* ]]
  run -2 "$lockstep" replay -m - -o again "${coco[@]}" < edited.jsonl
  run -4 --separate-stderr "$lockstep" replay -m none.jsonl --run out/run.json -o again "${coco[@]}"
  [[ $stderr == *'[replay-unread]'* ]]
  "$lockstep" replay -q -m - --run out/run.json -o again "${coco[@]}" < edited.jsonl
  same
  cp out/run.json run.json
  sed -i 's/"degrees": \[-5, 5\]/"degrees": [-6, 5]/' run.json
  run -4 --separate-stderr "$lockstep" replay -m edited.jsonl -o none "${coco[@]}"
  [[ $stderr == *'[replay-foreign]'* ]]
  # a run of another seed is another run
  jq -c '.seed = 8' p.json > q.json
  "$lockstep" run -q -p q.json -o other "${coco[@]}"
  run -4 --separate-stderr "$lockstep" replay -m edited.jsonl --run other/run.json -o none "${coco[@]}"
  [[ $stderr == *'[replay-foreign]'* ]]
  jq '.annotations[0].area += 1' "$samples/annotations.json" > a.json
  run -0 --separate-stderr "$lockstep" replay -m out/manifest.jsonl -o said -i "$samples/images" -a a.json
  [[ $stderr == *'[replay-annotations]'* ]]
  jq -c '.key.lockstep = "0.0.1"' out/run.json > older.json
  run -4 --separate-stderr "$lockstep" replay -m edited.jsonl --run older.json -o none "${coco[@]}"
  [[ $stderr == *'made by other versions'*'[replay-versions]'*'[replay-foreign]'* ]]
  echo '{}' > run.json
  run -4 --separate-stderr "$lockstep" replay -m edited.jsonl -o none "${coco[@]}"
  [[ $stderr == *'[replay-foreign]'* ]]
  [ ! -e none ]
}

@test "replay: --verify writes nothing and names what is not what the lines give" {
  go detection -n 2
  cp -r out before
  "$lockstep" replay --verify -q -m out/manifest.jsonl -o out "${coco[@]}"
  diff -r out before
  printf x | dd of=out/images/street/0001__a000.jpg bs=1 seek=5000 conv=notrunc status=none
  rm out/images/street/0001__a001.jpg
  jq -c '.annotations[-1].bbox[0] += 1' before/annotations.json > out/annotations.json
  run -1 --separate-stderr "$lockstep" replay --verify -m out/manifest.jsonl -o out "${coco[@]}"
  [ "$(grep -c '\[replay-differs\]' <<< "$stderr")" -ge 3 ]
  [[ $stderr == *'images/street/0001__a000.jpg: its bytes differ'* && $stderr == *'0001__a001.jpg: it is not there'* ]]
  [[ $stderr == *'its annotations differ'* ]]
  run -2 "$lockstep" replay --verify -m out/manifest.jsonl "${coco[@]}"
  # one annotation too many, of an image that has none, and one too few
  bare=$(jq '[.images[].id] - [.annotations[].image_id] | first' before/annotations.json)
  [ "$bare" != null ]
  rm -r out && cp -r before out
  for change in '/^"annotations"\|, "annotations"/a {"id": 99999, "image_id": '"$bare"'},' '/"annotations"/{n;d}'; do
    sed "$change" before/annotations.json > out/annotations.json
    run -1 --separate-stderr "$lockstep" replay --verify -q -m out/manifest.jsonl -o out "${coco[@]}"
    [ "$(grep -c '\[replay-differs\]' <<< "$stderr")" -eq 1 ]
  done
}

@test "replay: a run does not go on with what a replay left, nor the other way round" {
  pipeline p.json '{"type": "RandomRotation", "degrees": 5}'
  go p.json --limit 2
  again
  run -6 --separate-stderr "$lockstep" run -p p.json --limit 2 -o again --resume "${coco[@]}"
  [[ $stderr == *'[resume-key]'* ]]
  # replayed outputs are replayed again
  "$lockstep" replay -q -m again/manifest.jsonl -o third "${coco[@]}"
  diff -r again third
}

@test "replay: a replay that is killed at any moment and resumed gives the same tree" {
  go "$root/pipelines/detection.json" -n 6
  "$lockstep" replay -q -m out/manifest.jsonl -o whole "${coco[@]}"
  for delay in 0.05 0.2 0.4 0.7 1; do
    timeout -s KILL "$delay" "$lockstep" replay -q -m out/manifest.jsonl -o again --resume "${coco[@]}" || true
  done
  # other lines are another job
  if [ -e again/.lockstep/journal ] && [ ! -e again/run.json ]; then
    run -6 --separate-stderr "$lockstep" replay -m out/manifest.jsonl --only 'street/*' -o again --resume "${coco[@]}"
    [[ $stderr == *'[resume-key]'* ]]
  fi
  "$lockstep" replay -q -m out/manifest.jsonl -o again --resume "${coco[@]}"
  diff -r whole again
  same
  "$lockstep" replay -q -m out/manifest.jsonl -o again --resume --overwrite "${coco[@]}"
  diff -r whole again
}

@test "replay: lines edited at random" {
  "$here/tools/replays.py" edits "$lockstep" "$samples" 40 "${SEED:-1}"
}
