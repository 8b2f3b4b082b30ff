#!/usr/bin/env bats
# Whole datasets: layouts with parts, their images, classes and annotations.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  detection=$root/pipelines/detection.json
}

# coco_dataset DIR: the samples as COCO folders with the parts train2017 and val2017.
coco_dataset() {
  python3 "$root/tests/tools/divide_samples.py" "$samples" "$1"
}

# flat_dataset: in.json, and its images in the folder flat, without subfolders.
flat_dataset() {
  mkdir flat
  (cd "$samples/images" && find . -type f) | while read -r path; do
    cp "$samples/images/$path" "flat/$(tr / _ <<< "${path#./}")"
  done
  jq -c '.images |= map(.file_name |= gsub("/"; "_"))' "$samples/annotations.json" > in.json
}

# members_of FILE FILTER
members_of() { jq -c "$2" "$1"; }

@test "dataset: COCO folders stay COCO folders: each part has its file, its images and its ids" {
  local part name
  coco_dataset in
  "$lockstep" run -q -p "$detection" -a in -o out
  for part in train2017 val2017; do
    [ "$(members_of in/annotations/instances_$part.json '[.images[].id]')" = \
      "$(members_of out/annotations/instances_$part.json '[.images[].id]')" ]
    [ "$(members_of in/annotations/instances_$part.json '[.categories, .info]')" = \
      "$(members_of out/annotations/instances_$part.json '[.categories, .info]')" ]
    while read -r name; do
      [ -f "out/$part/$name" ]
    done < <(jq -r '.images[].file_name' out/annotations/instances_$part.json)
  done
  [ "$(jq -r .part out/manifest.jsonl | sort | uniq -c | tr -s ' \n' ' ')" = " 10 train2017 5 val2017 " ]
  "$lockstep" verify out
  # An output is a dataset, too.
  "$lockstep" run -q -p "$detection" -a out -o again
  # A part alone.
  "$lockstep" run -q -p "$detection" -a in --part val2017 -o one
  cmp one/annotations/instances_val2017.json out/annotations/instances_val2017.json
  [ ! -e one/train2017 ]
  run -2 --separate-stderr "$lockstep" run -q -p "$detection" -a in --part val -o none
  [[ $stderr == *'"train2017", "val2017"'*'[part-unknown]'* ]]
}

@test "dataset: parts by name" {
  coco_dataset in
  "$lockstep" run -q -p "$detection" -a in -o whole
  "$lockstep" run -q -p "$detection" -a train2017=in/annotations/instances_train2017.json \
    -a val2017=in/annotations/instances_val2017.json -i train2017=in/train2017 -i val2017=in/val2017 -o out
  diff -r -x manifest.jsonl -x run.json whole out
  run -2 --separate-stderr "$lockstep" run -q -p "$detection" -a train=in/annotations/instances_train2017.json -o none
  [[ $stderr == *'-i train=DIR'*'[option-missing]'* ]]
  run -2 --separate-stderr "$lockstep" run -q -p "$detection" -a train=in/annotations/instances_train2017.json \
    -a train=in/annotations/instances_val2017.json -i in/train2017 -o none
  [[ $stderr == *'[option-twice]'* ]]
  run -2 --separate-stderr "$lockstep" run -q -p "$detection" -a a.json -a b.json -i in -o none
  [[ $stderr == *'[option-twice]'* ]]
}

@test "dataset: shards of a dataset with parts give the bytes of one run" {
  local i
  coco_dataset in
  "$lockstep" run -q -p "$detection" -a in -o out -n 2
  for i in 0 1 2; do "$lockstep" run -q -p "$detection" -a in -o shards -n 2 --shard "$i/3"; done
  "$lockstep" merge -q shards
  same_tree out shards
}

@test "dataset: --to writes the folders of the target: data.yaml has train and val" {
  coco_dataset in
  "$lockstep" run -q -p "$detection" -a in -o out --to yolo --lossy
  [ "$(head -n 2 out/data.yaml | tr '\n' ' ')" = "train: images/train val: images/val " ]
  [ "$(find out/images/val -type f | wc -l)" -eq 5 ]
  [ "$(find out/labels/val -type f | wc -l)" -eq 5 ]
  "$lockstep" verify out
}

@test "dataset: --apply-to transforms a part, and passes the other through" {
  local how
  coco_dataset in
  for how in copy hard symbolic none; do
    "$lockstep" run -q -p "$detection" -a in -o "$how" --apply-to train2017 --copies train2017=3 --link "$how"
    "$lockstep" verify "$how"
    same_json in/annotations/instances_val2017.json "$how/annotations/instances_val2017.json"
    cmp copy/annotations/instances_train2017.json "$how/annotations/instances_train2017.json"
    [ "$(jq '.images | length' "$how/annotations/instances_train2017.json")" -eq 30 ]
    run -0 "$lockstep" run -p "$detection" -a in -o "$how" --apply-to train2017 --copies train2017=3 --link "$how" --resume
    [[ $output == *'nothing to do'* ]]
    # It can be replaced, and links are removed, not what they lead to.
    "$lockstep" run -q -p "$detection" -a in -o "$how" --apply-to train2017 --copies train2017=3 --link "$how" --overwrite
    "$lockstep" verify "$how"
  done
  diff -r in/val2017 copy/val2017
  [ in/val2017/park/0001.jpg -ef hard/val2017/park/0001.jpg ]
  [ -L symbolic/val2017/park/0001.jpg ]
  [ ! -e none/val2017 ]
  run -2 --separate-stderr "$lockstep" run -q -p "$detection" -a in -o x --apply-to train2017 --copies val2017=2
  [[ $stderr == *'[option-unused]'* ]]
  # A choice that leaves nothing to transform would only copy.
  run -4 --separate-stderr "$lockstep" run -q -p "$detection" -a in -o x --apply-to val2017 --limit 3
  [[ $stderr == *'no chosen image is in the part "val2017"; --part val2017 '*'[images-none]'* ]]
  "$lockstep" run -q -p "$detection" -a in -o x --apply-to val2017 --limit 11
  rm -r x
}

@test "dataset: an image borrows from its own part only" {
  coco_dataset in
  pipeline mosaic.json '{"type": "Mosaic", "target_size": [64, 64]}'
  "$lockstep" run -q -p mosaic.json -a in -o out --apply-to train2017
  "$lockstep" verify out
  same_json in/annotations/instances_val2017.json out/annotations/instances_val2017.json
  run -1 grep -E '"part": "train2017".*"val2017/' out/manifest.jsonl
}

@test "convert: each format in turn keeps the boxes; concat and split read all of them" {
  local from to
  flat_dataset
  "$lockstep" convert -q -a in.json -i flat -o yolo --to yolo --lossy
  from=yolo
  for to in roboflow hf labelme coco; do
    "$lockstep" convert -q -a $from -o $to --to $to --lossy
    "$lockstep" verify $to
    from=$to
  done
  [ "$(jq '.annotations | length' coco/annotations/instances_train.json)" -eq "$(cat yolo/labels/train/*.txt | wc -l)" ]
  "$lockstep" split -a yolo -o divided --ratio 1:1 --stratify
  "$lockstep" verify divided
  [ "$(cat divided/labels/*/*.txt | wc -l)" -eq "$(cat yolo/labels/train/*.txt | wc -l)" ]
  "$lockstep" concat -q yolo divided -o both --link hard
  "$lockstep" verify both
  [ "$(cat both/labels/*/*.txt | wc -l)" -eq "$((2 * $(cat yolo/labels/train/*.txt | wc -l)))" ]
  grep -q '"origin": "divided/' both/manifest.jsonl
}

@test "dataset: what run and convert write without parts is read by all that reads datasets" {
  local to out
  pipeline none.json ''
  for to in coco hf voc; do
    "$lockstep" run -q -p none.json -i "$samples/images" -a "$samples/annotations.json" --to $to --lossy -o run-$to
    "$lockstep" convert -q -i "$samples/images" -a "$samples/annotations.json" --to $to --lossy -o convert-$to
    for out in run-$to convert-$to; do
      run -0 "$lockstep" check -a $out --fail-on error
      [[ $output == *"15 images"* ]]
      "$lockstep" run -q -p none.json -a $out -o $out-run
      "$lockstep" verify -q $out-run
      "$lockstep" convert -q -a $out --to $to -o $out-convert
      "$lockstep" split -a $out --ratio 80:20 -o $out-parts
      "$lockstep" concat -q $out $out-run -o $out-both
      [ "$(wc -l < $out-both/manifest.jsonl)" -eq 30 ] || { echo $out; return 1; }
    done
  done
}

# told SIDE OBJECT FORMAT: what run notes of an image of so many pixels a side, with an object; in words, or nothing.
told() {
  rm -rf images told.json out
  mkdir images
  python3 "$here/tools/blank.py" images/a.png "$1" 40 rgb 3
  printf '{"images": [{"id": 1, "file_name": "a.png"}], "categories": [{"id": 1, "name": "cat"}], "annotations": [{"id": 1, "image_id": 1, "category_id": 1, %s}]}' "$2" > told.json
  "$lockstep" run -p none.json -i images -a told.json --to "$3" -o out --progress none 2>&1 | grep -o 'note: 1 image, a.png: .*reader-limit.' || true
}

@test "run: the summary names images and objects that common readers leave out" {
  pipeline none.json ''
  local object='"bbox": [1, 1, 5, 5], "area": 25'
  [[ $(told 31 "$object" coco) == *"a side below 32 pixels; MMDetection "* ]]
  [ -z "$(told 32 "$object" coco)" ]
  [[ $(told 9 "$object" yolo) == *"a side below 10 pixels; Ultralytics "* ]]
  [ -z "$(told 10 "$object" yolo)" ]
  [[ $(told 40 '"bbox": [1, 1, 0.9, 5], "area": 4' coco) == *"objects below 1 pixel or of area 0; "* ]]
  [[ $(told 40 '"bbox": [1, 1, 3, 5], "area": 0' coco) == *"objects below 1 pixel or of area 0; "* ]]
  [ -z "$(told 40 '"bbox": [1, 1, 1, 1], "area": 1' coco)" ]
  [[ $(told 40 '"bbox": [1, 1, 5, 5]' coco) == *'objects without "area"; MMDetection and rf-detr fail'* ]]
  [ -z "$(told 40 '"bbox": [1, 1, 5, 5]' yolo)" ]
  told 31 "$object" coco > /dev/null
  "$lockstep" convert -a told.json -i images --to coco -o last --progress none 2> convert.txt
  grep -q 'a side below 32 pixels' convert.txt
}

@test "dataset: links that lead back into a folder are not followed when its layout is found" {
  local folder name
  mkdir -p boxed/Annotations masked/{images,masks}/{train,val} images/train
  pipeline none.json ''
  for name in train val; do
    cp "$samples/images/street/0001.jpg" masked/images/$name/a.jpg
    cp "$samples/masks/street/0001.png" masked/masks/$name/a.png
  done
  cp "$samples/images/street/0001.jpg" images/train/a.jpg
  for folder in boxed/Annotations masked/{images,masks}/train images/train; do
    for name in 1 2 3 4; do ln -s . $folder/$name; done
  done
  mkdir boxed/JPEGImages
  cp images/train/a.jpg boxed/JPEGImages
  for folder in boxed images; do
    run timeout 60 "$lockstep" stats $folder
    [ "$status" -ne 124 ]
  done
  run -0 timeout 60 "$lockstep" stats masked
  [[ $output == *"masks of 2 images"* ]] || { echo "$output"; return 1; }
}

@test "concat: classes are joined by name, ids are new, and names that are equal get a prefix" {
  coco_dataset a
  coco_dataset b
  # Other ids of the same classes, in another order, and one more.
  for part in train2017 val2017; do
    jq -c '.categories |= (map(.id += 100) | reverse | . + [{id: 7, name: "zebra"}]) | .annotations |= map(.category_id += 100)
      | .images |= map(del(.category_id, .category_ids))' b/annotations/instances_$part.json > new.json
    mv new.json b/annotations/instances_$part.json
  done
  "$lockstep" concat -q a b -o both
  "$lockstep" verify both
  [ "$(jq '[.images[].id] | unique | length' both/annotations/instances_train2017.json)" -eq 20 ]
  [ "$(jq '[.annotations[].id] | unique | length' both/annotations/instances_train2017.json)" -eq 90 ]
  [ "$(jq -c '[.categories[].name] | .[-1:]' both/annotations/instances_train2017.json)" = '["zebra"]' ]
  [ "$(jq '.categories | length' both/annotations/instances_train2017.json)" -eq 13 ]
  [ "$(jq '[.annotations[] | select(.category_id == 1)] | length' both/annotations/instances_train2017.json)" -eq \
    "$((2 * $(jq '[.annotations[] | select(.category_id == 1)] | length' a/annotations/instances_train2017.json)))" ]
  [ -f both/train2017/desk/b_0001.jpg ]
  # Lists that name two classes alike cannot be joined.
  jq -c '.categories += [{id: 500, name: "person"}]' a/annotations/instances_train2017.json > new.json
  mv new.json a/annotations/instances_train2017.json
  run -4 "$lockstep" concat a b -o none
  [[ $output == *'[dataset-classes]'* ]]
}

@test "balance: the copies make the numbers of the plan, and shards agree" {
  local seed i
  coco_dataset in
  for seed in 1 2 3; do
    "$lockstep" run -q -p "$detection" -a in -o "out$seed" --apply-to train2017 --balance 10 --seed "$seed"
    [ "$(jq -s '[.[] | select(.part == "train2017")] | length' "out$seed/manifest.jsonl")" -eq "$(jq .balance.copies "out$seed/run.json")" ]
    jq -e '[.balance.classes[] | select(.before > 0) | .after >= 10] | all' "out$seed/run.json"
  done
  for i in 0 1; do
    "$lockstep" run -q -p "$detection" -a in -o shards --apply-to train2017 --balance 10 --seed 1 --shard "$i/2"
  done
  "$lockstep" merge -q shards
  same_tree out1 shards
  # Without steps, objects are those of the plan.
  pipeline id.json ''
  "$lockstep" run -q -p id.json -a in -o same --apply-to train2017 --balance 10
  [ "$(jq '[.annotations[] | select(.category_id == 1 and .iscrowd != 1)] | length' same/annotations/instances_train2017.json)" -eq \
    "$(jq '.balance.classes[] | select(.name == "person") | .after' same/run.json)" ]
  run -0 "$lockstep" run -p id.json -a in -o less --apply-to train2017 --balance 100 --max-copies 2
  [[ $output == *'[balance-capped]'* ]]
  "$lockstep" run -q -p id.json -i "$samples/images" -a "$samples/annotations.json" -o repeated --repeat-threshold 0.5
  [ "$(wc -l < repeated/manifest.jsonl)" -eq "$(jq .balance.copies repeated/run.json)" ]
}

@test "dataset: results of a detector beside annotations are no part" {
  coco_dataset in
  jq -c '[.annotations[] | {image_id, category_id, bbox, score: 0.5}]' in/annotations/instances_val2017.json \
    > in/annotations/instances_val2017_found.json
  printf '\n ' | cat - in/annotations/instances_val2017_found.json > in/annotations/val_results.json
  run -0 --separate-stderr "$lockstep" stats in --json
  [ "$(jq -c '[.parts[].name]' <<< "$output")" = '["train2017","val2017"]' ]
}
