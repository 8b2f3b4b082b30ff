#!/usr/bin/env bats
# Datasets in the layout of Pascal VOC: lists of stems, files of labels, classes.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  echo '{"version": 1, "seed": 3, "transforms": []}' > same.json
}

# voc_file STEM CLASS XMIN: an image of 16 x 12 and its file of labels in the folder voc.
voc_file() {
  mkdir -p voc/JPEGImages voc/Annotations voc/ImageSets/Main
  python3 -c 'import png, sys
png.write(sys.argv[1], [[x * y for x in range(16)] for y in range(12)], 1)' "voc/JPEGImages/$1.jpg"
  printf '<annotation><folder>VOC</folder><filename>%s.jpg</filename><size><width>16</width><height>12</height>
<depth>1</depth></size><object><name>%s</name><truncated>0</truncated><bndbox><xmin>%s</xmin><ymin>2</ymin>
<xmax>9</xmax><ymax>8</ymax></bndbox></object></annotation>\n' "$1" "$2" "$3" > "voc/Annotations/$1.xml"
}

# voc_dataset: parts train (a, b.c, d) and val (e, f); f has no labels.
voc_dataset() {
  local stem
  for stem in a b.c d; do voc_file "$stem" dog 3; done
  voc_file e cat 4
  voc_file f cat 5
  rm voc/Annotations/f.xml
  printf 'b.c\na 1\n\nd\r\n' > voc/ImageSets/Main/train.txt
  printf 'e\nf\n' > voc/ImageSets/Main/val.txt
  cat voc/ImageSets/Main/train.txt voc/ImageSets/Main/val.txt > voc/ImageSets/Main/trainval.txt
  printf 'a 1\nb.c -1\n' > voc/ImageSets/Main/dog_train.txt
  printf '# label:color_rgb:parts:actions\ndog:1,2,3::\nnever: seen:::\ncat:::\n' > voc/labelmap.txt
}

@test "dataset_voc: lists are parts; the output has the same layout, and is a dataset" {
  voc_dataset
  run -0 --separate-stderr "$lockstep" run -p same.json -a voc -o out --progress none
  [[ $stderr == *'not read: ImageSets/Main/trainval.txt (train and val), lists of one class in ImageSets/Main [dataset-layout]'* ]]
  [[ $stderr == *'1 of 2 images has no file of labels'*'f.jpg [labels-missing]'* ]]
  echo "$stderr"
  [ "$(grep -c voc-base <<< "$stderr")" -eq 1 ]
  [[ $stderr != *labels-unused* && $stderr != *files-passed* && $stderr != *layout-suffix* ]]
  [ "$(cd out && find . -type f | sort | tr '\n' ' ')" = "./Annotations/a.xml ./Annotations/b.c.xml ./Annotations/d.xml \
./Annotations/e.xml ./ImageSets/Main/train.txt ./ImageSets/Main/val.txt ./JPEGImages/a.jpg ./JPEGImages/b.c.jpg \
./JPEGImages/d.jpg ./JPEGImages/e.jpg ./JPEGImages/f.jpg ./labelmap.txt ./manifest.jsonl ./run.json " ]
  [ "$(tr '\n' ' ' < out/ImageSets/Main/train.txt)" = "a b.c d " ]
  [ "$(tr '\n' ' ' < out/ImageSets/Main/val.txt)" = "e f " ]
  [ "$(cat out/labelmap.txt)" = "$(printf '# label:color_rgb:parts:actions\ndog:::\nnever: seen:::\ncat:::')" ]
  cmp voc/Annotations/e.xml out/Annotations/e.xml
  "$lockstep" verify out
  "$lockstep" run -q -p same.json -a out -o again
  diff -r -x run.json -x manifest.jsonl out again
  # A part without any labels, as test often is.
  run -0 --separate-stderr "$lockstep" run -p same.json -a voc --part val -o one --progress none
  [ "$(jq -r .part one/manifest.jsonl | sort -u)" = val ]
  [ ! -e one/ImageSets/Main/train.txt ]
  echo f > voc/ImageSets/Main/val.txt
  "$lockstep" run -q -p same.json -a voc -o two
  [ "$(cat two/ImageSets/Main/val.txt)" = f ]
}

@test "dataset_voc: a list that others make up is not a part, and a list with images of its own is one" {
  local part
  voc_dataset
  voc_file g dog 6
  voc_file h dog 7
  rm voc/ImageSets/Main/*
  printf 'a\nb.c\n' > voc/ImageSets/Main/fold1.txt
  printf 'd\ng\n' > voc/ImageSets/Main/fold2.txt
  printf 'd\na\ng\nb.c\n' > voc/ImageSets/Main/all.txt
  printf 'a\ne\n' > voc/ImageSets/Main/some.txt
  run -0 --separate-stderr "$lockstep" run -p same.json -a voc -o out --progress none
  [[ $stderr == *'not read: ImageSets/Main/all.txt (fold1 and fold2) [dataset-layout]'* ]]
  [ "$(cd out/ImageSets/Main && echo *)" = "fold1.txt fold2.txt some.txt" ]
  # An image of two parts has a file for each.
  [ "$(paste -sd' ' out/ImageSets/Main/some.txt)" = "some_a e" ]
  cmp out/JPEGImages/some_a.jpg out/JPEGImages/a.jpg
  grep -qF '<filename>some_a.jpg</filename>' out/Annotations/some_a.xml
  # A list with another image, and one with a common name of a part.
  echo h >> voc/ImageSets/Main/all.txt
  run -0 --separate-stderr "$lockstep" run -p same.json -a voc -o own --progress none
  [[ $stderr != *'not read'* ]]
  [ "$(wc -l < own/ImageSets/Main/all.txt)" -eq 5 ]
  for part in train test; do
    rm -r voc/ImageSets/Main own
    mkdir voc/ImageSets/Main
    printf 'a\nb.c\n' > voc/ImageSets/Main/fold1.txt
    printf 'd\n' > voc/ImageSets/Main/fold2.txt
    printf 'd\na\nb.c\n' > voc/ImageSets/Main/$part.txt
    "$lockstep" run -q -p same.json -a voc -o own
    [ "$(wc -l < own/ImageSets/Main/$part.txt)" -eq 3 ]
  done
  # An empty list is no part.
  : > voc/ImageSets/Main/val.txt
  run -0 --separate-stderr "$lockstep" run -p same.json -a voc -o empty --progress none
  [[ $stderr == *'val.txt, which is empty [dataset-layout]'* ]]
  [ ! -e empty/ImageSets/Main/val.txt ]
}

@test "dataset_voc: a list's lines are paths or stems; lines without an image are counted" {
  voc_dataset
  printf '/elsewhere/JPEGImages/a.jpg\n./images/b.c\nd.png\n# e\nnone\n' > voc/ImageSets/Main/train.txt
  run -0 --separate-stderr "$lockstep" run -p same.json -a voc -o out --progress none
  [[ $stderr == *'train.txt: 2 of 4 lines name no image; the first is d.png [list-unmatched]'* ]]
  [ "$(tr '\n' ' ' < out/ImageSets/Main/train.txt)" = "a b.c " ]
}

@test "dataset_voc: copies, shards and --apply-to list each output" {
  local i
  voc_dataset
  "$lockstep" run -q -p same.json -a voc -o out --copies 2
  [ "$(tr '\n' ' ' < out/ImageSets/Main/val.txt)" = "e__a000 e__a001 f__a000 f__a001 " ]
  for i in 0 1 2; do "$lockstep" run -q -p same.json -a voc -o shards --copies 2 --shard "$i/3"; done
  "$lockstep" merge -q shards
  same_tree out shards
  "$lockstep" run -q -p same.json -a voc -o some --copies 2 --apply-to train
  [ "$(tr '\n' ' ' < some/ImageSets/Main/val.txt)" = "e f " ]
  [ "$(wc -l < some/ImageSets/Main/train.txt)" -eq 6 ]
  # A file of OUT that another program made is not overwritten.
  rm -r out
  mkdir out
  echo mine > out/labelmap.txt
  run -6 --separate-stderr "$lockstep" run -q -p same.json -a voc -o out
}

@test "dataset_voc: years below VOCdevkit, and folders without lists" {
  voc_dataset
  mkdir -p kit/VOCdevkit plain
  cp -r voc kit/VOCdevkit/VOC2012
  "$lockstep" run -q -p same.json -a voc -o out
  "$lockstep" run -q -p same.json -a kit -o one
  diff -r -x run.json -x manifest.jsonl out one
  cp -r voc kit/VOCdevkit/VOC2007
  # Names that both years have get the name of their part.
  run -0 --separate-stderr "$lockstep" run -q -p same.json -a kit -o two
  [[ $stderr != *collision* ]]
  [ "$(cd two/ImageSets/Main && echo *)" = "train2007.txt train2012.txt val2007.txt val2012.txt" ]
  [ "$(paste -sd' ' two/ImageSets/Main/train2007.txt two/ImageSets/Main/train2012.txt)" = "$(printf 'a b.c d\ntrain2012_a train2012_b.c train2012_d')" ]
  cmp out/JPEGImages/a.jpg two/JPEGImages/train2012_a.jpg
  diff <(sed 's/<filename>/&train2012_/' kit/VOCdevkit/VOC2012/Annotations/a.xml) two/Annotations/train2012_a.xml
  mv voc/Annotations plain/annotations
  mv voc/JPEGImages plain/images
  "$lockstep" run -q -p same.json -a plain -o three
  [ -f three/JPEGImages/b.c.jpg ] && [ -f three/Annotations/b.c.xml ]
  [ "$(paste -sd' ' three/ImageSets/Main/train.txt)" = "a b.c d e f" ]
}

@test "dataset_voc: --to voc writes lists, classes and integers for sizes; other parts' extras stay with their objects" {
  python3 "$root/tests/tools/divide_samples.py" "$samples" in
  for i in in/annotations/*.json; do
    jq -c '.annotations |= map(.truncated = .id % 2 | .occluded = true)' "$i" > new.json
    mv new.json "$i"
  done
  run -0 --separate-stderr "$lockstep" run -p same.json -a in -o out --to voc --lossy --progress none
  [[ $stderr == *'images are not .jpg files, and some readers of Pascal VOC open only these; --format jpeg writes them [layout-suffix]'* ]]
  [ "$(sort out/ImageSets/Main/val.txt | head -n 2 | tr '\n' ' ')" = "hills/0001 hills/0002 " ]
  [ "$(grep -c :::$ out/labelmap.txt)" -eq "$(jq '.categories | length' in/annotations/instances_train2017.json)" ]
  [ "$(grep -h '<truncated>1' -r out/Annotations | wc -l)" -eq \
    "$(jq '.annotations[] | select(.iscrowd != 1 and .truncated == 1) | .id' in/annotations/*.json | wc -l)" ]
  [ "$(grep -h '<folder>' -r out/Annotations | sort -u | tr -d '\t')" = "<folder>JPEGImages</folder>" ]
  "$lockstep" verify out
  "$lockstep" run -q -p same.json -a out -o again
  diff -r out/Annotations again/Annotations
  diff out/labelmap.txt again/labelmap.txt
  diff <(sort out/ImageSets/Main/train.txt) <(sort again/ImageSets/Main/train.txt)
  run -1 --separate-stderr "$lockstep" run -p same.json -a in -o jpeg --to voc --lossy --progress none --format jpeg \
    --on-error skip --dry-run
  [[ $stderr != *layout-suffix* ]]
}
