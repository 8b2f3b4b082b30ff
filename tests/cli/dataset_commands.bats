#!/usr/bin/env bats
# Datasets with several parts in every command: replay, back, merge, preview, explain, profile, tars, streams.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  python3 "$root/tests/tools/divide_samples.py" "$samples" in
  pipeline p.json '{"type": "RandomHorizontalFlip"}, {"type": "RandomRotation", "degrees": 20}'
}

# run_parts OUT OPTION...: p.json on the dataset in.
run_parts() { "$lockstep" run -q -p p.json -a in -o "$1" --durability none "${@:2}"; }

# replays OUT [DATASET]: replay makes the bytes of OUT, and --verify finds no difference.
replays() {
  rm -rf again
  "$lockstep" replay -q -m "$1/manifest.jsonl" -a "${2:-in}" -o again --durability none
  diff -r -x run.json "$1" again
  "$lockstep" replay -q --verify -m "$1/manifest.jsonl" -a "${2:-in}" -o "$1"
}

@test "commands: replay makes the outputs of a dataset with parts again" {
  local how
  run_parts plain
  replays plain
  run_parts one --part val2017 -n 2 --include-original
  replays one
  run_parts names --copies train2017=3 --name-template '{dir}/new_{stem}_{ext}_{copy}'
  replays names
  [ -f names/train2017/street/new_0001_jpg_002.jpg ]
  for how in copy hard symbolic none; do
    run_parts "$how" --apply-to train2017 --copies train2017=2 --link "$how"
    replays "$how"
  done
  run_parts balanced --balance max --apply-to train2017 --max-copies 3
  replays balanced
  "$lockstep" replay -q -m plain/manifest.jsonl -a in -o some --only 'val2017/park/*'
  [ "$(find some -name '*.jpg' | wc -l)" -eq "$(find in/val2017/park -name '*.jpg' | wc -l)" ]
}

@test "commands: replay keeps the layout of the run, whatever it was made from" {
  local to from
  for to in coco roboflow yolo voc hf labelme; do
    run_parts "$to" --to "$to" --lossy --apply-to train2017
    replays "$to"
  done
  # An output is a source: the same format in another layout, and the other way.
  for from in roboflow hf yolo; do
    for to in coco "$from"; do
      rm -rf out
      "$lockstep" run -q -p p.json -a "$from" -o out --to "$to" --lossy
      replays out "$from"
    done
    rm -rf out
    "$lockstep" run -q -p p.json -a "$from" -o out
    replays out "$from"
  done
}

@test "commands: passed images keep objects that the pipeline's rules drop, in a replay, too" {
  jq '.annotations = {"min_area": 1e6}' p.json > rules.json
  mv rules.json p.json
  run_parts out --apply-to train2017
  [ "$(jq '.annotations | length' out/annotations/instances_val2017.json)" -gt 5 ]
  replays out
}

@test "commands: replay --verify finds changed annotations and images of any part" {
  run_parts out --apply-to train2017
  for part in train2017 val2017; do
    cp -r out bad
    rm bad/annotations/instances_$part.json
    sed 's/"iscrowd"/"iscrowd_"/' out/annotations/instances_$part.json > bad/annotations/instances_$part.json
    run -1 --separate-stderr "$lockstep" replay --verify -m out/manifest.jsonl -a in -o bad
    [[ $stderr == *"$part/"*"its annotations differ [replay-differs]"* ]]
    [ "$(grep -c "^lockstep: [tv].*replay-differs" <<< "$stderr")" -eq "$(grep -c "^lockstep: $part/.*replay-differs" <<< "$stderr")" ]
    rm -r bad
  done
  rm -rf bad
  run_parts links --apply-to train2017 --link symbolic
  rm links/val2017/park/0001.jpg
  cp in/val2017/park/0001.jpg links/val2017/park/0001.jpg
  printf x >> links/val2017/park/0001.jpg
  run -1 --separate-stderr "$lockstep" replay --verify -m links/manifest.jsonl -a in -o links
  [[ $stderr == *val2017/park/0001.jpg*'[replay-differs]'* ]]
}

@test "commands: replay refuses a dataset of other parts, and says what it needs" {
  run_parts out
  refuses option-missing 2 "$lockstep" replay -m out/manifest.jsonl -i in/train2017 -o none
  refuses part-unknown 2 "$lockstep" replay -m out/manifest.jsonl -a train2017=in/annotations/instances_train2017.json \
    -i in/train2017 -o none
  "$lockstep" convert -q -a in -o converted --to coco
  replays converted
  "$lockstep" concat -q in out -o both
  refuses replay-foreign 4 "$lockstep" replay -m both/manifest.jsonl -a in -o none
  "$lockstep" split -a in -o divided --ratio 1:1 > text
  refuses part-unknown 2 "$lockstep" replay -m divided/manifest.jsonl -a in -o none
}

@test "commands: --name-template names an output within its part" {
  run_parts out --name-template 'new/{stem}_{ext}_{dir/\//_}' --limit 12
  [ -f out/train2017/new/0001_jpg_street.jpg ]
  [ "$(jq -r '.images[0].file_name' out/annotations/instances_train2017.json)" = new/0001_jpg_street.jpg ]
  "$lockstep" verify out
  "$lockstep" convert -q -a in -o yolo --to yolo --lossy
  "$lockstep" run -q -p p.json -a yolo -o other --name-template '{dir/\//_}_{stem}_{ext}'
  [ -f other/labels/train/street_0001_jpg.txt ]
  "$lockstep" verify other
}

@test "commands: --apply-to, --copies and --part take the names of the source, or of the output" {
  local name
  for name in train2017 train; do
    run_parts "$name" --to yolo --lossy --apply-to "$name" --copies "$name=2"
    same_tree train2017 "$name"
  done
  for name in val2017 valid; do
    run_parts "one_$name" --to roboflow --part "$name"
    same_tree one_val2017 "one_$name"
  done
  refuses part-unknown 2 "$lockstep" run -p p.json -a in -o none --to yolo --lossy --apply-to test
}

@test "commands: back maps results of each part" {
  local part
  # The same ids in both parts.
  for part in train2017 val2017; do
    jq -c '(.images | to_entries | map({(.value.id | tostring): (.key + 1)}) | add) as $new |
      .images |= map(.id = $new[.id | tostring]) | .annotations |= map(.image_id = $new[.image_id | tostring])' \
      in/annotations/instances_$part.json > new.json
    mv new.json in/annotations/instances_$part.json
  done
  pipeline p.json '{"type": "horizontal_flip"}'
  run_parts out
  for part in train2017 val2017; do
    jq -c '[.annotations[] | select(.iscrowd != 1 and .bbox) | {image_id, category_id, bbox, score: 0.5}]' \
      out/annotations/instances_$part.json > results.json
    "$lockstep" back -q -m out/manifest.jsonl -r results.json --part $part \
      -a in/annotations/instances_$part.json -o back.json --overwrite
    diff <(jq -c '[.annotations[] | select(.iscrowd != 1 and .bbox) | [.image_id, .category_id, (.bbox | map(round))]] | sort | .[]' \
      in/annotations/instances_$part.json) <(jq -c '[.[] | [.image_id, .category_id, (.bbox | map(round))]] | sort | .[]' back.json)
  done
  refuses replay-twice 4 "$lockstep" back -m out/manifest.jsonl -r results.json -o none.json
  refuses part-unknown 2 "$lockstep" back -m out/manifest.jsonl -r results.json -o none.json --part val
  refuses option-missing 2 "$lockstep" back -m out/manifest.jsonl -r results.json -o none.json -a in/annotations/instances_val2017.json
}

@test "commands: merge of links, and merge --link symbolic" {
  local how
  run_parts whole --apply-to train2017 --link symbolic -n 2
  for i in 0 1; do run_parts "part$i" --apply-to train2017 --link symbolic -n 2 --shard "$i/2"; done
  for how in hard copy symbolic move; do
    rm -rf out
    "$lockstep" merge -q part0 part1 -o out --link "$how"
    same_tree whole out
    [ -L out/val2017/park/0001.jpg ]
    "$lockstep" verify out
    [ "$how" != symbolic ] || [ -L out/train2017/street/0001__a001.jpg ]
  done
  # The last merge moved everything, folders included.
  [ -z "$(find part0 part1 -mindepth 1 -type d ! -path '*/.lockstep*')" ]
}

@test "commands: tars of a dataset with parts leave no folders, and contain the images of passed parts" {
  local how
  run_parts out --apply-to train2017 --out-format webdataset
  "$lockstep" verify out
  [ ! -e out/train2017 ]
  [ ! -e out/val2017 ]
  for how in hard symbolic none; do
    refuses option-unused 2 "$lockstep" run -p p.json -a in -o none --apply-to train2017 --link $how --out-format webdataset
    refuses option-unused 2 "$lockstep" run -p p.json -a in -o - --apply-to train2017 --link $how
  done
}
