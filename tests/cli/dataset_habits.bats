#!/usr/bin/env bats
# Datasets in layouts that tools and tutorials use beside the documented ones.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  printf '{"version": 1, "transforms": [], "output": {"untouched": "copy"}}\n' > copy.json
}

# image PATH...: images of 640 x 480 below in/
image() {
  local path
  for path; do
    mkdir -p "$(dirname "in/$path")"
    cp "$samples/images/street/0001.jpg" "in/$path"
  done
}

# pair STEM CLASS: an image and its file of Pascal VOC beside it
pair() {
  image "$1.jpg"
  printf '<annotation><filename>%s.jpg</filename><size><width>640</width><height>480</height><depth>3</depth></size>
<object><name>%s</name><bndbox><xmin>11</xmin><ymin>21</ymin><xmax>50</xmax><ymax>60</ymax></bndbox></object></annotation>\n' \
    "$(basename "$1")" "$2" > "in/$1.xml"
}

# parts_of: "train=2 val=1", images by part, of stats as JSON in $output
parts_of() { jq -r '[.parts[] | "\(.name)=\(.images)"] | join(" ")' <<< "$output"; }

@test "habits: COCO files beside the folders of images; the output is verified and resumed" {
  local part
  for part in train val; do
    image $part/a.jpg
    printf '{"images": [{"id": 1, "file_name": "a.jpg", "width": 640, "height": 480}], "categories": [{"id": 5, "name": "cat"}],
 "annotations": [{"id": 1, "image_id": 1, "category_id": 5, "bbox": [1, 2, 30, 40], "area": 1200, "iscrowd": 0}]}\n' > in/$part.json
  done
  "$lockstep" run -q -p copy.json -a in -o out
  "$lockstep" verify out
  "$lockstep" run -q -p copy.json -a in -o out --resume
  "$lockstep" run -q -p copy.json -a in -o out --overwrite
  "$lockstep" run -q -p copy.json -a out -o again
  diff -r -x run.json -x manifest.jsonl out again
  [ "$(jq -c '.annotations[].bbox' out/annotations/val.json)" = "[1,2,30,40]" ]
}

@test "habits: Pascal VOC's files beside images, in parts, in images, or in one folder" {
  pair train/a cat
  pair train/sub/b dog
  pair valid/c cat
  image valid/d.jpg
  run -0 "$lockstep" stats in --json
  [ "$(parts_of)" = "train=2 valid=2" ]
  [ "$(jq -c '[.categories[].name]' <<< "$output")" = '["cat","dog"]' ]
  "$lockstep" run -q -p copy.json -a in -o out
  "$lockstep" verify out
  [ "$(tr '\n' ' ' < out/ImageSets/Main/train.txt)" = "a sub/b " ]
  [ "$(tr '\n' ' ' < out/ImageSets/Main/valid.txt)" = "c d " ]
  cmp in/train/a.xml out/Annotations/a.xml
  "$lockstep" check out --ignore X004 # all images have the same bytes
  mkdir deep
  mv in deep/images
  [ "$("$lockstep" stats deep --json | jq -c '[.parts[] | [.name, .images]]')" = '[["train",2],["valid",2]]' ]
  [ "$("$lockstep" stats deep/images/train --json | jq -c '[.parts[] | [.name, .images, .objects]]')" = '[["train",2,2]]' ]
  # Another index decides first.
  mkdir -p deep/images/labels
  printf 'train: train\nval: valid\nnames: [x]\n' > deep/images/data.yaml
  echo '0 0.5 0.5 0.2 0.2' > deep/images/train/a.txt
  [ "$("$lockstep" stats deep/images --json | jq -c '[.categories[].name]')" = '["x"]' ]
  # LabelMe's former XML is not Pascal VOC's.
  mkdir -p old
  cp deep/images/train/a.jpg old
  echo '<annotation><filename>a.jpg</filename><imagesize><nrows>480</nrows></imagesize></annotation>' > old/a.xml
  run -2 --separate-stderr "$lockstep" run -q -p copy.json -a old -o none
  [[ $stderr == *'not a whole dataset'* ]]
}

@test "habits: Darknet's file is in the folder data, and its paths begin at the folder above" {
  image data/obj/a.jpg data/obj/b.jpg
  echo '0 0.5 0.5 0.2 0.2' > in/data/obj/a.txt
  echo '1 0.5 0.5 0.2 0.2' > in/data/obj/b.txt
  printf 'cat\ndog\n' > in/data/obj.names
  printf 'classes = 2\ntrain = data/train.txt\nvalid = data/test.txt\nnames = data/obj.names\nbackup = backup/\n' > in/data/obj.data
  echo data/obj/a.jpg > in/data/train.txt
  echo data/obj/b.jpg > in/data/test.txt
  run -0 "$lockstep" stats in --json
  [ "$(parts_of)" = "train=1 val=1" ]
  [ "$(jq -c '[.categories[] | [.name, .objects]]' <<< "$output")" = '[["cat",1],["dog",1]]' ]
  "$lockstep" run -q -p copy.json -a in -o out
  "$lockstep" verify out
  # Without its index, the folders are not classes, although "data" has images and one below has labels.
  image data/eagle.jpg
  rm in/data/obj.data
  run -2 --separate-stderr "$lockstep" run -q -p copy.json -a in -o none
  [[ $stderr == *'not a whole dataset'* ]]
}

@test "habits: in a folder that is no dataset, messages name the annotation file to give" {
  image train/a.jpg
  printf 'filename,width,height,class,xmin,ymin,xmax,ymax\na.jpg,640,480,cat,1,2,30,40\n' > in/train/_annotations.csv
  echo 'Exported at 12:00' > in/README.roboflow.txt
  run -4 --separate-stderr "$lockstep" stats in
  [[ $stderr == *'no label files'*'to use an annotation file, name it: in/train/_annotations.csv'* ]]
  "$lockstep" stats in/train/_annotations.csv
  rm in/train/_annotations.csv
  printf '<?xml version="1.0"?>\n<annotations><version>1.1</version><image id="0" name="a.jpg" width="640" height="480">
<box label="cat" xtl="1" ytl="2" xbr="30" ybr="40"></box></image></annotations>\n' > in/annotations.xml
  run -4 --separate-stderr "$lockstep" stats in
  [[ $stderr == *"in/annotations.xml: this seems to be CVAT's XML: name this file, not its folder;"* ]]
  "$lockstep" stats in/annotations.xml
}
