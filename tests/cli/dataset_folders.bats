#!/usr/bin/env bats
# Class folders, LabelMe folders and folders of masks as whole datasets; the list of layouts.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  printf '{"version": 1, "transforms": [], "output": {"untouched": "copy"}}\n' > copy.json
}

# image PATH...: images below in/
image() {
  local path
  for path; do
    mkdir -p "$(dirname "in/$path")"
    cp "$samples/images/street/0001.jpg" "in/$path"
  done
}

# classes_of OUT: "train/cat/a.jpg=0 ...", by the manifest
classes_of() { jq -r '"\(.output)=\([.image_labels[].category_id] | join(","))"' "$1/manifest.jsonl" | sort | tr '\n' ' '; }

@test "folders: classes are folders, with parts or without; one list of classes serves all parts" {
  image train/cat/a.jpg train/dog/b.jpg train/dog/deep/c.jpg val2017/dog/a.jpg val2017/eel/a.jpg
  mkdir in/train/ant
  "$lockstep" run -q -p copy.json -a in -o out
  [ "$(classes_of out)" = "train/cat/a.jpg=1 train/dog/b.jpg=2 train/dog/deep/c.jpg=2 val2017/dog/a.jpg=2 val2017/eel/a.jpg=3 " ]
  rmdir in/train/ant
  diff -r in/train out/train
  diff -r in/val2017 out/val2017
  [ "$(jq -r .part out/manifest.jsonl | sort -u | tr '\n' ' ')" = "train val2017 " ]
  "$lockstep" verify out
  "$lockstep" run -q -p copy.json -a out -o again --to folders --lossy
  diff -r out/train again/train
  "$lockstep" verify again
  "$lockstep" run -q -p copy.json -a in/train -o flat
  [ "$(classes_of flat)" = "cat/a.jpg=0 dog/b.jpg=1 dog/deep/c.jpg=1 " ]
  # A folder of a part beside other folders is no class, and neither is a folder of images or labels.
  image mixed/train/cat/a.jpg mixed/other/cat/a.jpg
  run -2 --separate-stderr "$lockstep" run -q -p copy.json -a in/mixed -o none
  [[ $stderr == *'not a whole dataset'*'[option-missing]'* ]]
  mv in/train/dog in/train/labels
  run -2 --separate-stderr "$lockstep" run -q -p copy.json -a in/train -o none
  [[ $stderr == *'not a whole dataset'*'[option-missing]'* ]]
}

@test "folders: --to folders puts an image into the folder of its class" {
  local i
  image a.jpg deep/a.jpg b.png
  printf 'file,class\na.jpg,cat\ndeep/a.jpg,dog\nb.png,cat\n' > labels.csv
  "$lockstep" run -q -p copy.json -i in -a labels.csv -o out --to folders
  [ "$(classes_of out)" = "train/cat/a.jpg=0 train/cat/b.png=0 train/dog/deep/a.jpg=1 " ]
  [ "$(find out -name '*.jpg' -o -name '*.png' | sort | tr '\n' ' ')" = "out/train/cat/a.jpg out/train/cat/b.png out/train/dog/deep/a.jpg " ]
  [ "$(find out -type f | wc -l)" -eq 5 ] # and the manifest and run.json
  "$lockstep" verify out
  "$lockstep" run -q -p copy.json -a out -o again
  diff -r out/train again/train
  for i in 0 1; do "$lockstep" run -q -p copy.json -i in -a labels.csv -o shards --to folders --shard "$i/2"; done
  "$lockstep" merge -q shards
  same_tree out shards
  # Parts stay parts.
  "$lockstep" run -q -p copy.json -i in -a train=labels.csv -a val=labels.csv -o parts --to folders
  diff -r out/train parts/train
  diff -r out/train parts/val
  # An image has one class, which can be the name of a folder.
  echo 'b.png,dog' >> labels.csv
  run -4 --separate-stderr "$lockstep" run -q -p copy.json -i in -a labels.csv -o none --to folders
  [[ $stderr == *b.png*'several classes'*'[label-folder]'* ]]
  printf 'file,class\na.jpg,../cat\n' > labels.csv
  run -4 --separate-stderr "$lockstep" run -q -p copy.json -i in -a labels.csv -o none --to folders
  [[ $stderr == *a.jpg*'../cat'*'[label-folder]'* ]]
  pipeline mixup.json '{"type": "MixUp"}'
  printf 'file,class\na.jpg,cat\nb.png,dog\n' > labels.csv
  run -2 --separate-stderr "$lockstep" run -q -p mixup.json -i in -a labels.csv -o none --to folders
  [[ $stderr == *'[target-refused]'* ]]
}

@test "folders: --to folders leaves out where objects are only with --lossy" {
  image a.jpg
  cat > one.json << 'END'
{"images": [{"id": 1, "file_name": "a.jpg", "width": 640, "height": 480}], "categories": [{"id": 5, "name": "cat"}],
 "annotations": [{"id": 1, "image_id": 1, "category_id": 5, "bbox": [1, 2, 30, 40], "area": 1200, "iscrowd": 0}]}
END
  run -4 --separate-stderr "$lockstep" run -q -p copy.json -i in -a one.json -o none --to folders
  [[ $stderr == *'1 position of objects'*'[to-lossy]'* ]]
  "$lockstep" run -q -p copy.json -i in -a one.json -o out --to folders --lossy 2> err
  grep -q to-lossy err
  [ -f out/train/cat/a.jpg ]
}

@test "folders: classes of a part may have names of parts" {
  image train/val/a.jpg train/test/deep/b.jpg val/val/c.jpg val/test/d.jpg
  "$lockstep" run -q -p copy.json -a in -o out
  [ "$(classes_of out)" = "train/test/deep/b.jpg=0 train/val/a.jpg=1 val/test/d.jpg=0 val/val/c.jpg=1 " ]
  [ "$("$lockstep" stats in --json | jq -c '[.categories[].name]')" = '["test","val"]' ]
  run -0 "$lockstep" check -a in --ignore X,I,F
  [[ $output != *label-folder* ]]
}

@test "folders: --to folders lists hidden images and classes without images, and refuses hidden classes" {
  image .a.jpg b/.c/d.jpg e.jpg
  printf 'file,class\n.a.jpg,cat\nb/.c/d.jpg,cat\ne.jpg,dog\n' > labels.csv
  run -4 --separate-stderr "$lockstep" convert -q -i in -a train=labels.csv -o none --to folders
  [[ $stderr == *'no place for 2 images with a hidden name'*'[to-lossy]' ]]
  printf 'file,class\ne.jpg,.dog\n' > labels.csv
  run -4 --separate-stderr "$lockstep" convert -q -i in -a train=labels.csv -o none --to folders --lossy
  [[ $stderr == *'the class ".dog"'*'begins with a dot'*'[label-folder]' ]]
  rm -r in
  image train/cat/a.jpg
  mkdir in/train/ant
  run -4 --separate-stderr "$lockstep" convert -q -a in -o none --to folders
  [[ $stderr == *'no place for 1 name of classes without objects'*'[to-lossy]' ]]
  "$lockstep" convert -q -a in -o out --to folders --lossy
  "$lockstep" convert -q -a out -o again --to folders
  diff -r out/train again/train
  run -2 --separate-stderr "$lockstep" convert -q -a out -o none --to coco
  [[ $stderr == *'--to: the source has classes of images alone; --to folders writes them [option-unused]' ]]
  # Without --to, a note says so.
  run -0 --separate-stderr "$lockstep" run -p copy.json -a in -o same
  [[ $stderr == *'note: the output has no place for 1 name of classes without objects [reader-limit]'* ]]
  run -0 --separate-stderr "$lockstep" run -p copy.json -a out -o same2
  [[ $stderr != *reader-limit* ]]
  # A class of train that val lacks changes the numbers of val's classes. Shards agree about it.
  rmdir in/train/ant
  image train/ant/b.jpg val/cat/c.jpg
  for options in '' '--shard 1/2' '--limit 1'; do
    # shellcheck disable=SC2086 # words
    run -4 --separate-stderr "$lockstep" run -q -p copy.json -a in -o none --to folders $options
    [[ $stderr == *'no place for 1 name of classes that a part lacks (readers number the classes of each part); '*'[to-lossy]' ]]
  done
  rm -r in/train/ant in/val
  # A part without images.
  mkdir coco coco/annotations coco/val
  cp -r in/train/cat coco/train
  for part in train val; do
    jq -n --arg part $part '{categories: [{id: 1, name: "cat"}], images: [], annotations: []} | if $part == "train" then
      .images = [{id: 1, file_name: "a.jpg", width: 640, height: 480}] |
      .annotations = [{id: 1, image_id: 1, category_id: 1}] else . end' > coco/annotations/instances_$part.json
  done
  run -0 --separate-stderr "$lockstep" convert -a coco -o parts --to folders
  [[ $stderr == *'part "val" has no images'*'[part-empty]'* ]]
}

@test "list: the layouts, with the values of --to that write them" {
  "$lockstep" list layouts > lines
  grep -Eq '^yolo +YOLO: .*--to yolo, yolo-segment, yolo-pose write it$' lines
  [ "$("$lockstep" list layouts --json | jq -r '.[] | select(.name == "folders") | "\(.kind) \(.targets[])"')" = "layout folders" ]
  NO_COLOR=1 on_terminal "$lockstep" list layouts > shown
  grep -Eq '^ +coco +COCO: ' shown
  run -2 --separate-stderr "$lockstep" list layouts ops
  [[ $stderr == *'layouts are listed alone [operand-unexpected]'* ]]
  run -2 --separate-stderr "$lockstep" list layouts --differences
  [[ $stderr == *'layouts have no differences'*'[option-unused]'* ]]
  run -2 --separate-stderr "$lockstep" list layout
  [[ $stderr == *'did you mean "layouts"?'* ]]
}

# labelme PATH LABEL: the LabelMe file of an image below in/
labelme() {
  image "$1.jpg"
  cat > "in/$1.json" << END
{"version": "5.0.1", "flags": {}, "shapes": [{"label": "$2", "points": [[10, 20], [110.5, 20], [60, 90]], "group_id": null,
 "shape_type": "polygon", "flags": {}, "mine": 1}], "imagePath": "${1##*/}.jpg", "imageData": null, "imageHeight": 480, "imageWidth": 640}
END
}

@test "labelme: parts are folders of images and files, and stay so; --to labelme writes them" {
  local path
  labelme train/a cat
  labelme train/b dog
  labelme val/a ant
  echo '{"info": 1}' > in/train/notes.json
  "$lockstep" run -q -p copy.json -a in -o out
  rm in/train/notes.json
  for path in train/a train/b val/a; do
    cmp in/$path.jpg out/$path.jpg
    diff <(jq -S . in/$path.json) <(jq -S . out/$path.json)
  done
  [ "$(ls out/train)" = "$(ls in/train)" ]
  "$lockstep" verify out
  [ "$(jq -r .part out/manifest.jsonl | tr '\n' ' ')" = "train train val " ]
  "$lockstep" run -q -p copy.json -a in -o coco --to coco --lossy
  [ "$(jq -c '[.categories[].name]' coco/annotations/instances_val.json)" = '["ant","cat","dog"]' ]
  "$lockstep" run -q -p copy.json -a coco -o back --to labelme --lossy
  [ "$(jq -c '[.shapes[0].label, .imagePath]' back/train/b.json)" = '["dog","b.jpg"]' ]
  [ -f back/val/a.jpg ]
  # With a single folder, files of OUT must not be among the labels.
  "$lockstep" run -q -p copy.json -a in/val -o one
  [ "$(cd one/images && echo ./*)" = "./a.jpg ./a.json" ]
  "$lockstep" run -q -p copy.json -a one/images -o again
  diff -r one/images again/images
  # Names of images that look like parts.
  mkdir train_1
  cp in/val/a.jpg train_1/val_1.jpg
  sed 's/a.jpg/val_1.jpg/' in/val/a.json > train_1/val_1.json
  "$lockstep" run -q -p copy.json -a train_1 -o third
  [ -f third/images/val_1.json ]
}

@test "masks: images and masks in parallel folders, without annotations" {
  image images/train/a.jpg images/val/b.jpg
  mkdir -p in/masks/train in/masks/val
  cp "$samples/masks/street/0001.png" in/masks/train/a.png
  cp in/masks/train/a.png in/masks/val/b.png
  "$lockstep" run -q -p copy.json -a in -o out
  diff -r in/images out/images
  [ "$(cd out/masks && find . -type f | sort | tr '\n' ' ')" = "./train/a.png ./val/b.png " ]
  "$lockstep" verify out
  "$lockstep" run -q -p copy.json -a out -o again
  diff -r out/masks again/masks
  # Without masks, folders called images are no dataset.
  rm -r in/masks/val
  echo text > in/masks/train/a.txt
  run -2 --separate-stderr "$lockstep" run -q -p copy.json -a in -o none
  [[ $stderr == *'not a whole dataset'* ]]
}

@test "folders: folders with labels are no classes" {
  local suffix
  for suffix in txt xml json; do
    # Darknet's labels are beside the images.
    image obj_train_data/a.jpg obj_train_data/b.jpg
    echo '0 0.5 0.5 0.2 0.2' > in/obj_train_data/b.$suffix
    run -2 --separate-stderr "$lockstep" run -q -p copy.json -a in -o none
    [[ $stderr == *'not a whole dataset'* ]]
    # They are in a folder of their own.
    mkdir in/anns
    mv in/obj_train_data/b.$suffix in/anns
    run -2 --separate-stderr "$lockstep" run -q -p copy.json -a in -o none
    [[ $stderr == *'not a whole dataset'* ]]
    rm -r in
  done
  # Other files are ignored, as ImageFolder does.
  image cats/a.jpg dogs/b.jpg
  echo text | tee in/cats/README.txt > in/names.txt
  [ "$("$lockstep" stats in --json | jq -c '[.categories[].name]')" = '["cats","dogs"]' ]
}
