#!/usr/bin/env bats
# YOLO datasets: the parts that data.yaml states, and the folders of outputs.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  printf '{"version": 1, "transforms": [], "output": {"untouched": "copy"}}\n' > copy.json
  names='names: {0: cat, 1: dog}'
}

# image PATH [CLASS]: an image below in/, and its labels with the class where Ultralytics looks for them.
image() {
  local labels=in/${1%.*}.txt
  [[ $1 != *images/* ]] || labels=in/${1%images/*}labels/${1##*images/}
  labels=${labels%.*}.txt
  mkdir -p "$(dirname "in/$1")" "$(dirname "$labels")"
  cp "$samples/images/street/0001.jpg" "in/$1"
  [ $# -lt 2 ] || echo "$2 0.5 0.5 0.25 0.5" > "$labels"
}

# index LINE...: in/data.yaml
index() { printf '%s\n' "$@" > in/data.yaml; }

# parts_of OUT: "train=2 val=1", by the manifest
parts_of() { jq -r .part "$1/manifest.jsonl" | sort | uniq -c | awk '{printf "%s%s=%s", (NR > 1 ? " " : ""), $2, $1}'; }

# labels_of OUT: the classes of each label file, by its path
labels_of() { (cd "$1" && grep -ro --include='*.txt' '^[0-9]* ' . | sed 's/ $//' | sort); }

@test "yolo: a dataset keeps its folders, and data.yaml everything but their place" {
  image train/images/a.jpg 0
  image train/images/deep/a.jpg 1
  image valid/images/b.jpg 1
  index 'train: ../train/images' 'val: ../valid/images' 'test: ../test/images' '' 'nc: 2' "names: ['cat', 'dog']" 'more: {x: 1}'
  "$lockstep" run -p copy.json -a in -o out 2> err
  grep -q 'no images of "test"' err
  [ "$(parts_of out)" = "train=2 val=1" ]
  diff -r in/train out/train
  diff -r in/valid out/valid
  [ "$(cat out/data.yaml)" = "train: train/images
val: valid/images
nc: 2
names: ['cat', 'dog']
more: {x: 1}" ]
  "$lockstep" verify out
  # The output is such a dataset, and so is its data.yaml, seen from its folder.
  "$lockstep" run -q -p copy.json -a out -o again
  (cd out && "$lockstep" run -q -p ../copy.json -a data.yaml -o ../third)
  diff -r -x manifest.jsonl -x run.json -x .lockstep out again
  diff -r -x manifest.jsonl -x run.json -x .lockstep out third
}

@test "yolo: data.yaml beside other folders: path, and folders of another machine" {
  image images/train/a.jpg 0
  image images/val/b.jpg 1
  index "path: $PWD/in" 'train: images/train' 'val: images/val/' "$names"
  mkdir cfg
  mv in/data.yaml cfg/my.yaml
  "$lockstep" run -q -p copy.json -a cfg/my.yaml -o out
  [ "$(parts_of out)" = "train=1 val=1" ]
  [ "$(labels_of out)" = "$(labels_of in)" ] || { labels_of out; false; }
  grep -q '^train: images/train$' out/data.yaml
  run -1 grep path out/data.yaml
  index 'train: C:\data\it\images\train' 'val: /content/it/images/val' "$names"
  "$lockstep" run -q -p copy.json -a in -o other
  diff -r out/images other/images
}

@test "yolo: several folders are one part, and labels may be beside images" {
  image a/x.jpg 0
  image b/x.jpg 1
  image c/x.jpg 1
  index 'train: [a, b]' 'val: c' "$names"
  "$lockstep" run -q -p copy.json -a in -o out
  [ "$(parts_of out)" = "train=2 val=1" ]
  [ "$(sed -n 1,2p out/data.yaml | tr '\n' ' ')" = "train: images/train val: images/val " ]
  [ "$(labels_of out)" = "./labels/train/a/x.txt:0
./labels/train/b/x.txt:1
./labels/val/x.txt:1" ]
  # A single folder without "images" has labels beside images in the output, too.
  index 'train: a' 'val: c' "$names"
  "$lockstep" run -q -p copy.json -a in -o flat
  [ "$(labels_of flat)" = "./a/x.txt:0
./c/x.txt:1" ]
}

@test "yolo: a list of images is a part of these images only" {
  image images/1.jpg 0
  image images/2.jpg 1
  image images/3.jpg 1
  image images/4.jpg 0
  printf './images/1.jpg\r\n./images/3.jpg\n\n./images/1.jpg\n' > in/train.txt
  echo "$PWD/in/images/2.jpg" > in/val.txt
  index 'train: train.txt' 'val: [val.txt]' "$names"
  "$lockstep" run -q -p copy.json -a in -o out
  [ "$(labels_of out)" = "./labels/train/1.txt:0
./labels/train/3.txt:1
./labels/val/2.txt:1" ]
  [ "$(parts_of out)" = "train=2 val=1" ]
  [ "$(sed -n 1,2p out/data.yaml | tr '\n' ' ')" = "train: images/train val: images/val " ]
  # A line without its file is an image that cannot be read; an empty list is no part.
  echo ./images/9.jpg >> in/train.txt
  run -4 --separate-stderr "$lockstep" run -q -p copy.json -a in -o none
  [[ $stderr == *'9.jpg: No such file'*'in in/images '* ]]
  : > in/train.txt
  run -4 --separate-stderr "$lockstep" run -q -p copy.json -a in -o none
  [[ $stderr == *'train: '*'[dataset-layout]'* ]]
}

@test "yolo: parts that share images each have all of theirs" {
  image images/train/a.jpg 0
  image images/val/b.jpg 1
  index 'train: images/train' 'val: images' "$names"
  "$lockstep" run -q -p copy.json -a in -o out
  [ "$(labels_of out)" = "./labels/train/a.txt:0
./labels/val/train/a.txt:0
./labels/val/val/b.txt:1" ]
  index 'train: images/train' 'val: images/train' "$names"
  "$lockstep" run -q -p copy.json -a in -o same
  [ "$(labels_of same)" = "./labels/train/a.txt:0
./labels/val/a.txt:0" ]
  "$lockstep" verify same
}

@test "yolo: a part without labels, classes without names, a chosen part" {
  image images/train/a.jpg 1
  image images/test/b.jpg
  rm -r in/labels/test
  index 'train: images/train' 'val: images/val' 'test: images/test' 'nc: 2'
  run -4 --separate-stderr "$lockstep" run -q -p copy.json -a in -o none
  [[ $stderr == *'val: in/data.yaml states images/val'*'--part'*'[dataset-layout]'* ]]
  "$lockstep" run -q -p copy.json -a in --part train --part test -o out
  [ "$(parts_of out)" = "test=1 train=1" ]
  [ "$(labels_of out)" = "./labels/train/a.txt:1" ]
  [ "$(cat out/data.yaml)" = "train: images/train
test: images/test
nc: 2" ]
}

@test "yolo: joined images keep to their part" {
  local part
  for part in train val; do
    image images/$part/a.jpg 0
    image images/$part/b.jpg 1
  done
  index 'train: images/train' 'val: images/val' "$names"
  pipeline mosaic.json '{"type": "Mosaic", "target_size": [64, 64]}'
  "$lockstep" run -q -p mosaic.json -a in -o out
  [ "$(labels_of out | wc -l)" -gt 4 ]
  "$lockstep" verify out
}

@test "yolo: --to changes the layout, or only the labels" {
  image train/images/a.jpg 0
  image valid/images/b.jpg 1
  index 'train: ../train/images' 'val: ../valid/images' "$names"
  "$lockstep" run -q -p copy.json -a in -o coco --to coco
  [ "$(jq -c '[.categories[].name]' coco/annotations/instances_val.json)" = '["cat","dog"]' ]
  [ "$(jq -r '.images[].file_name' coco/annotations/instances_train.json)" = a.jpg ]
  [ -f coco/train/a.jpg ]
  "$lockstep" run -q -p copy.json -a in -o outlines --to yolo-segment --lossy
  [ -f outlines/valid/labels/b.txt ]
  [ "$(awk '{print NF}' outlines/valid/labels/b.txt)" -eq 9 ]
}

@test "yolo: Darknet's file names lists of images, whose paths begin at another folder" {
  image obj_train_data/a.jpg 0
  image obj_train_data/sub/c.jpg 1
  image obj_valid_data/b.jpg 1
  printf '%s\n' 'classes = 2' 'train  = data/train.txt' 'valid= data/valid.txt' '# x' 'names = data/obj.names' 'backup = backup/' > in/obj.data
  printf 'data/obj_train_data/a.jpg\ndata/obj_train_data/sub/c.jpg\n' > in/train.txt
  printf 'data/obj_valid_data/b.jpg\r\n' > in/valid.txt
  printf 'cat\ndog\n' > in/obj.names
  run -0 --separate-stderr "$lockstep" run -p copy.json -a in -o out --progress none
  [ "$(parts_of out)" = "train=2 val=1" ]
  grep -q 'cat' out/data.yaml && grep -q 'dog' out/data.yaml
  run -0 "$lockstep" stats out --json
  [ "$(jq -c '[.parts[] | [.name, .images, .objects]]' <<< "$output")" = '[["train",2,2],["val",1,1]]' ]
  # The file itself names the dataset, too.
  "$lockstep" run -q -p copy.json -a in/obj.data -o file
  diff -r -x manifest.jsonl -x run.json -x .lockstep out file
  # A list that is not there.
  rm in/valid.txt
  run -4 --separate-stderr "$lockstep" run -p copy.json -a in -o lost --progress none
  [[ $stderr == *'obj.data'*'val'*'[dataset-layout]'* ]]
  "$lockstep" run -q -p copy.json -a in -o lost --part train
}

@test "yolo: an overwritten output loses Ultralytics's caches of its labels, and no other file" {
  local i
  image images/train/a.jpg 0
  image images/val.2/b.jpg 1
  index 'train: images/train' 'val: images/val.2' "$names"
  "$lockstep" run -q -p copy.json -a in -o out
  caches=$(find out/labels -mindepth 1 -type d | sed 's/\.2$//; s/$/.cache/' | sort)
  [ "$(wc -w <<< "$caches")" -eq 2 ]
  for i in $caches out/other.cache out/labels/mine.txt; do echo old > "$i"; done
  "$lockstep" run -q -p copy.json -a in -o out --resume
  for i in $caches; do [ -f "$i" ]; done
  "$lockstep" run -q -p copy.json -a in -o out --overwrite
  for i in $caches; do [ ! -e "$i" ]; done
  [ -f out/other.cache ] && [ -f out/labels/mine.txt ]
  # Labels in one folder: the cache is beside it.
  "$lockstep" run -q -p copy.json -i in/images/train -a in/labels/train --classes in/data.yaml -o flat
  echo old > flat/labels.cache
  "$lockstep" run -q -p copy.json -i in/images/train -a in/labels/train --classes in/data.yaml -o flat --overwrite
  [ ! -e flat/labels.cache ]
}
