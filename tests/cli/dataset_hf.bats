#!/usr/bin/env bats
# Datasets in the layout of Hugging Face's imagefolder: metadata.jsonl and README.md.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  echo '{"version": 1, "seed": 3, "transforms": []}' > same.json
}

# image FILE
image() {
  mkdir -p "$(dirname "$1")"
  python3 -c 'import png, sys
png.write(sys.argv[1], [[x * y for x in range(16)] for y in range(12)], 1)' "$1"
}

# hf_dataset: train (a, b) and validation (c), with more members than boxes and classes.
hf_dataset() {
  image hf/train/a.png
  image hf/train/b.png
  image hf/validation/c.png
  {
    echo '{"file_name": "a.png", "objects": {"bbox": [[1, 2, 3, 4], [5.25, 0, 6, 7]], "categories": [1, 0], "id": [7, 9], "tag": ["x", "y"]}, "caption": "one"}'
    echo '{"file_name": "./b.png", "objects": {"bbox": [], "categories": [], "id": [], "tag": []}, "caption": "two"}'
  } > hf/train/metadata.jsonl
  echo '{"file_name": "c.png", "objects": {"bbox": [[0, 0, 2, 2]], "categories": [2], "id": [1], "tag": ["z"]}, "caption": "three"}' \
    > hf/validation/metadata.jsonl
}

@test "dataset_hf: lines keep their members; boxes become fractions; the output is a dataset" {
  hf_dataset
  run -0 --separate-stderr "$lockstep" run -p same.json -a hf -o out --progress none
  [[ $stderr != *files-passed* && $stderr != *part-empty* ]]
  [ "$(cat out/train/metadata.jsonl)" = '{"file_name": "a.png", "objects": {"bbox": [[1.0, 2.0, 3.0, 4.0], [5.25, 0.0, 6.0, 7.0]], "categories": [1, 0], "id": [7, 9], "tag": ["x", "y"]}, "caption": "one"}
{"file_name": "b.png", "objects": {"bbox": [], "categories": [], "id": [], "tag": []}, "caption": "two"}' ]
  [ "$(jq -c '[.objects.categories, .caption]' out/validation/metadata.jsonl)" = '[[2],"three"]' ]
  "$lockstep" verify out
  "$lockstep" run -q -p same.json -a out -o again
  diff -r -x run.json -x manifest.jsonl out again
  # A mirror moves boxes; an object that is cut off goes, and its members with it.
  echo '{"version": 1, "seed": 3, "transforms": [{"type": "crop", "top": 0, "left": 5, "width": 11, "height": 12}]}' > crop.json
  "$lockstep" run -q -p crop.json -a hf -o cut
  head -n 1 cut/train/metadata.jsonl
  grep -qF '"objects": {"bbox": [[0.25, 0.0, 6.0, 7.0]], "categories": [0], "id": [9], "tag": ["y"]}, "caption": "one"' cut/train/metadata.jsonl
  # Other formats: COCO's images keep the members that are not boxes.
  # Numbers of classes agree between parts.
  "$lockstep" run -q -p same.json -a hf -o coco --to coco
  [ "$(jq -c '[.categories[] | .name] == ["0", "1", "2"]' coco/annotations/*.json | sort -u)" = true ]
  [ "$(jq -c '[.annotations[].category_id]' coco/annotations/instances_validation.json)" = '[3]' ]
  printf 'cat\ndog\nrat\n' > names.txt
  "$lockstep" run -q -p same.json -a hf -o coco2 --to coco --classes names.txt
  [ "$(jq -c '.categories[2].name' coco2/annotations/instances_train.json)" = '"rat"' ]
  [ "$(jq -c '[.images[0] | keys_unsorted, .caption]' coco2/annotations/instances_train.json)" = '[["id","file_name","width","height","caption"],"one"]' ]
}

@test "dataset_hf: metadata.jsonl beside the images is a dataset of one part" {
  hf_dataset
  "$lockstep" run -q -p same.json -a hf/train -o out
  "$lockstep" run -q -p same.json -a hf --part train -o part
  diff -r -x run.json -x manifest.jsonl out part
}

@test "dataset_hf: --to hf writes names, and README.md states their order; shards are equal" {
  local i
  python3 "$root/tests/tools/divide_samples.py" "$samples" in
  "$lockstep" run -q -p same.json -a in -o out --to hf --lossy
  [ "$(cd out && echo *)" = "README.md manifest.jsonl run.json train validation" ]
  [ "$(jq -c keys out/*/metadata.jsonl | sort -u)" = '["file_name","objects"]' ]
  [ "$(jq -s 'map(.objects.bbox | length) | add' out/*/metadata.jsonl)" -eq \
    "$(jq '.annotations[] | select(.iscrowd != 1) | .id' in/annotations/*.json | wc -l)" ]
  [ "$(jq '.objects | (.bbox | length) == (.categories | length)' out/*/metadata.jsonl | sort -u)" = true ]
  "$lockstep" verify out
  "$lockstep" run -q -p same.json -a out -o again
  diff -r -x '*.jsonl' -x '*.json' -x '*.jpg' -x '*.webp' out again
  diff out/train/metadata.jsonl again/train/metadata.jsonl
  for i in 0 1; do "$lockstep" run -q -p same.json -a in -o shards --to hf --lossy --shard "$i/2"; done
  "$lockstep" merge -q shards
  same_tree out shards
  # A dataset without parts becomes the part train.
  "$lockstep" run -q -p same.json -a "$samples/annotations.json" -i "$samples/images" -o one --to hf --lossy
  [ "$(wc -l < one/train/metadata.jsonl)" -eq 15 ]
}

@test "dataset_hf: faults name the line; a part without objects is a warning" {
  hf_dataset
  echo '{"file_name": "c.png", "objects": {"bbox": [], "categories": [], "id": [], "tag": []}, "caption": ""}' > hf/validation/metadata.jsonl
  run -0 --separate-stderr "$lockstep" run -p same.json -a hf -o out --progress none
  [[ $stderr == *'part "validation" has no objects, and readers of Hugging Face imagefolder refuse the dataset'*'[part-empty]'* ]]
  for i in '{"file_name": 3}' '{"file_name": "c.png", "objects": []}' '{"file_name": "c.png", "objects": {"bbox": [[1, 2, 3]], "categories": [0]}}' \
    '{"file_name": "c.png", "objects": {"bbox": [[1, 2, 3, 4]], "categories": [0, 1]}}' \
    '{"file_name": "c.png", "objects": {"bbox": [[1, 2, 3, 4]], "categories": [0.5]}}'; do
    printf '{"file_name": "c.png"}\n%s\n' "$i" > hf/validation/metadata.jsonl
    run -4 --separate-stderr "$lockstep" run -q -p same.json -a hf -o none
    [[ $stderr == *'metadata.jsonl:2:'*'[hf-line]'* ]] || { echo "$i: $stderr"; return 1; }
  done
}
