#!/usr/bin/env bats
# Classes of whole images: read, carried, mixed where images are joined, and written in kind; see labelled.py.
# shellcheck disable=SC2154 # run sets stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
}

steps() { # steps
  pipeline p.json "$1"
}

data() { # KIND
  rm -rf data
  python3 "$here/tools/labelled.py" make data "$1"
}

go() { # OUT, and options
  "$lockstep" run -q -p p.json -i data/images -a data/in.json -o "$@"
}

# labels OUT: prints the file name of each output and its labels in the manifest.
labels() {
  jq -c '[.output[7:], (.image_labels | map([.category_id, .weight]))]' "$1/manifest.jsonl"
}

@test "image labels: what nothing changes is written byte for byte, however labels are said" {
  steps '{"type": "horizontal_flip"}'
  for kind in one list soft annotations mixed; do
    data $kind
    go out
    same_json data/in.json out/annotations.json
    grep -q '"own": 1.50' out/annotations.json
    labels out > $kind.labels
    rm -r out
  done
  diff one.labels list.labels
  diff one.labels mixed.labels
  diff soft.labels annotations.labels
  diff - <(tail -1 one.labels) <<< '["6.png",[[3,1]]]'
  diff - <(tail -1 soft.labels) <<< '["6.png",[[5,0.25],[7,0.75]]]'
}

@test "image labels: copies, branches and the originals have those of their image" {
  for kind in soft annotations; do
    data $kind
    steps '{"type": "five_crop", "size": 8}'
    go $kind -n 2 --include-original
    # 15 outputs per image; the original has one
    jq -s 'length' $kind/manifest.jsonl | diff - <(echo 66)
    jq -ce '.image_labels' $kind/manifest.jsonl | sort | uniq -c | awk '{print $1, $2}' > counts
    diff counts - <<< '11 [{"category_id":3,"weight":1}]
11 [{"category_id":5,"weight":0.25},{"category_id":7,"weight":0.75}]
22 [{"category_id":5,"weight":1}]
22 [{"category_id":7,"weight":1}]'
  done
  jq -e '[.images[] | .category_ids] | map(select(length == 2)) | length == 11' soft/annotations.json
}

@test "image labels: shards, resumed runs and replays have the same" {
  data soft
  steps '{"type": "RandomHorizontalFlip"}, {"type": "RandomCrop", "size": 16}'
  go out -n 3
  for i in 0 1; do go sharded -n 3 --shard $i/2; done
  "$lockstep" merge -q sharded
  for file in annotations.json manifest.jsonl; do cmp out/$file sharded/$file; done
  "$lockstep" replay -q -m out/manifest.jsonl -i data/images -a data/in.json -o again
  cmp out/annotations.json again/annotations.json
  "$lockstep" replay -q --verify -m out/manifest.jsonl -i data/images -a data/in.json -o out
}

# refused CODE FILTER [KIND]: the labels so changed are a fault of in.json, before work.
refused() {
  data "${3-soft}"
  jq "$2" data/in.json > changed
  mv changed data/in.json
  run -4 --separate-stderr go out
  [[ $stderr == *"[$1]"* && $stderr == *in.json:* ]] || { echo "$stderr"; return 1; }
  [ ! -e out ]
}

@test "image labels: what is wrong with them is said before work" {
  steps '{"type": "horizontal_flip"}'
  refused label-class '.images[0].category_ids = [4]'
  refused label-class '.images[0].category_id = 4' one
  refused label-twice '.images[0].category_ids = [3, 3]'
  refused label-twice '.images[0].category_id = 3'
  refused label-weight '.images[5].category_ids[0].weight = -0.25'
  refused label-weight '.images[5].category_ids[0].weight = 1.5'
  refused label-weight '.images[5].category_ids[].weight = 0'
  refused label-weight '.images[5].category_ids[0].weight = "0.5"'
  refused label-weight '.annotations[6].weight = 2' annotations
  refused coco-type '.images[0].category_ids = 3'
  refused coco-type '.images[0].category_id = "indoor"' one
  refused coco-type '.images[0].category_ids = ["indoor"]'
  refused coco-missing-key '.images[5].category_ids[0] = {"weight": 1}'
  # without a list of categories they are only carried
  data one
  jq 'del(.categories) | .images[0].category_id = "indoor"' data/in.json > changed
  mv changed data/in.json
  go out
  same_json data/in.json out/annotations.json
}

@test "image labels: images with panoptic segments have them, too" {
  steps '{"type": "RandomCrop", "size": 8}'
  mkdir -p data/images data/in
  python3 -c 'import png
png.write("data/images/a.png", [[9] * 16] * 16)
png.write("data/in/a.png", [[1, 0, 0] * 16] * 16, 3)'
  cat > data/in.json <<< '{"images": [{"id": 1, "file_name": "a.png", "width": 16, "height": 16, "category_ids": [1, 2]}],
    "annotations": [{"image_id": 1, "file_name": "a.png", "segments_info":
      [{"id": 1, "category_id": 1, "area": 256, "bbox": [0, 0, 16, 16], "iscrowd": 0}]}],
    "categories": [{"id": 1, "name": "a", "isthing": 1}, {"id": 2, "name": "b", "isthing": 1}]}'
  go out
  diff - <(labels out) <<< '["a.png",[[1,1],[2,1]]]'
}

@test "image labels: where images are joined, weights are the shares of the pixels that each fills" {
  for kind in one soft annotations mixed; do
    data $kind
    for step in '{"type": "CutMix"}' \
      '{"type": "Mosaic", "target_size": [37, 50], "fit_mode": "contain"}' \
      '{"type": "Mosaic", "target_size": 40, "fit_mode": "corner", "donor_transforms": [{"type": "RandomCrop", "size": 15}, {"type": "Pad", "padding": 3}]}' \
      '{"type": "RandomCrop", "size": 20}, {"type": "Mosaic", "target_size": 48, "grid_yx": [3, 1]}, {"type": "RandomHorizontalFlip"}'; do
      steps "$step"
      rm -rf out
      go out -n 8
      python3 "$here/tools/labelled.py" check data out
    done
  done
}

@test "image labels: MixUp weights them by the shares that it draws" {
  steps '{"type": "MixUp", "donors": {"exclude_self": true}, "fit_mode": "contain"}'
  data one
  go out -n 8
  # the classes of image i are 3 + 2 * (i mod 3); two images of one class make one label of weight 1
  jq -e 'def class(f): 3 + 2 * ((f | rtrimstr(".png") | tonumber) % 3);
    .source as $s | (.steps[0].inputs // [{opacity: 1}]) as $i
    | (if ($i | length) < 2 or class($s) == class($i[1].source) then [{category_id: class($s), weight: 1}]
       else [{category_id: class($s), weight: (1 - $i[1].opacity)}, {category_id: class($i[1].source), weight: $i[1].opacity}]
       end | sort_by(.category_id)) == .image_labels' out/manifest.jsonl | sort -u | diff - <(echo true)
  data annotations
  go more -n 8
  jq -e '[.image_labels[].weight] | add | . > 1 - 1e-12 and . < 1 + 1e-12' more/manifest.jsonl | sort -u | diff - <(echo true)
}

@test "image labels: cells that change places, and pasted objects, leave them alone" {
  for kind in soft annotations; do
    data $kind
    # an object for CopyPaste to paste
    jq '.annotations += [.images[] | {id: (900 + .id), image_id: .id, category_id: 9, iscrowd: 0, area: 64, bbox: [4, 4, 8, 8],
      segmentation: [[4, 4, 12, 4, 12, 12, 4, 12]]}]' data/in.json > changed
    mv changed data/in.json
    steps '{"type": "RandomGridShuffle", "p": 1, "grid": [2, 3]}, {"type": "CopyPaste", "interpolation": "nearest"}'
    go out -n 3
    jq -se 'map(.steps | map(select(.type == "join")) | length) | add > 12' out/manifest.jsonl
    jq -c '[.source, .image_labels]' out/manifest.jsonl | sort -u | jq -c '.[1]' > labels
    diff labels - <<< '[{"category_id":5,"weight":1}]
[{"category_id":7,"weight":1}]
[{"category_id":3,"weight":1}]
[{"category_id":5,"weight":1}]
[{"category_id":7,"weight":1}]
[{"category_id":5,"weight":0.25},{"category_id":7,"weight":0.75}]'
    # no label is there twice
    jq -e '[.annotations[] | select(.by)] | group_by(.image_id) | map(length) | max | . == null or . <= 2' out/annotations.json
    rm -r out
  done
}

# table: prints the labels of `data one` as labels.csv, with an additional column.
table() {
  data one
  printf 'file,class,note\r\n1.png,"ca""t",1.50\r\n2.png,dog,\r\n3.png,dog,y\r\n4.png,"a,b",\r\n5.png,cat,"x\n"\r\n6.png,dog,z\r\n' > labels.csv
}

tabled() { # OUT, and options
  "$lockstep" run -q -p p.json -i data/images -a labels.csv -o "$@"
}

@test "image labels: a table stays as it is, and follows copies and joints" {
  table
  steps '{"type": "horizontal_flip"}'
  tabled out
  cmp labels.csv out/labels.csv
  diff - <(labels out | tail -2) <<< '["5.png",[[2,1]]]
["6.png",[[3,1]]]'
  tabled copies -n 2
  diff - <(sed -n '2,3p' copies/labels.csv) <<< $'1__a000.png,"ca""t",1.50\r\n1__a001.png,"ca""t",1.50\r'
  # without names of columns, and with numbers for classes
  printf '2.png,10\n1.png,9\n1.png,10\n' > numbers.csv
  "$lockstep" run -q -p p.json -i data/images -a numbers.csv -o numbers
  cmp numbers.csv numbers/labels.csv
  diff - <(labels numbers) <<< '["2.png",[[10,1]]]
["1.png",[[9,1],[10,1]]]'
  # names that other tools give, or that are classes
  printf 'Image_Path, class_id\n2.png,10\n' > others.csv
  "$lockstep" run -q -p p.json -i data/images -a others.csv -o others
  diff - <(labels others | grep 2.png) <<< '["2.png",[[10,1]]]'
  printf '2.png,box\n1.png,label\n' > words.csv
  "$lockstep" run -q -p p.json -i data/images -a words.csv -o words
  cmp words.csv words/labels.csv
  steps '{"type": "CutMix"}'
  tabled joined -n 3
  for i in 0 1; do tabled sharded -n 3 --shard $i/2; done
  "$lockstep" merge -q sharded
  cmp joined/labels.csv sharded/labels.csv
  [ "$(head -1 joined/labels.csv)" = $'file,class,note,weight\r' ]
  # the output is read again, weights and all
  steps ''
  "$lockstep" run -q -p p.json -i joined/images -a joined/labels.csv -o again
  cmp joined/labels.csv again/labels.csv
  diff <(labels joined) <(labels again)
  "$lockstep" replay -q --verify -m joined/manifest.jsonl -i data/images -a labels.csv -o joined
}

# wrong CODE TEXT: such a table is refused before work.
wrong() {
  printf '%b' "$2" > labels.csv
  run -4 --separate-stderr tabled out
  [[ $stderr == *"[$1]"* ]] || { echo "$stderr"; return 1; }
  [ ! -e out ]
}

@test "image labels: tables that are wrong are refused before work" {
  data one
  steps '{"type": "horizontal_flip"}'
  wrong csv-syntax 'file,class\n1.png,"cat\n'
  wrong csv-syntax 'file,class\n1.png,"c"at\n'
  wrong csv-syntax 'file,class\n1.png\n'
  wrong csv-syntax 'a,b,c,d\n1,2,3,4\n'
  wrong csv-syntax 'file,class,class\n1.png,cat,dog\n'
  [[ $stderr == *'labels.csv:1:12: error: another column has this name'* ]]
  wrong csv-syntax 'Label,file,label\ncat,1.png,dog\n'
  wrong csv-syntax 'file,class,file\n1.png,cat,2.png\n'
  wrong csv-syntax 'file,class,weight,weight\n1.png,cat,0.5,1\n'
  wrong csv-syntax 'file,class\n'
  wrong csv-syntax 'file,class\n,cat\n'
  wrong csv-syntax '1.png,c\0at\n'
  wrong csv-syntax 'filename,species\n1.png,cat\n'
  wrong csv-syntax 'filename,cat,dog\n1.png,1,0\n'
  wrong csv-syntax 'Id,label\n1.png,cat\n'
  wrong csv-syntax 'image,label,BBox\n1.png,cat,1 1 5 5\n'
  wrong label-class 'file,class\n1.png,\n'
  wrong label-twice '1.png,cat\n2.png,cat\n1.png,cat\n'
  wrong label-weight '1.png,cat,nan\n'
  wrong label-weight '1.png,cat,-1\n'
  wrong label-weight '1.png,cat,1.01\n'
  wrong label-weight '1.png,cat,\n'
  wrong label-weight '1.png,cat,0\n1.png,dog,0\n'
  wrong image-missing '1.png,cat\n7.png,cat\n'
  wrong name-unsafe '../1.png,cat\n'
  printf '1.png,cat\n' > labels.csv
  run -2 --separate-stderr tabled out --to coco
  [[ $stderr == *"[target-refused]"* ]]
}

@test "image labels: as a table of numbers, from a run or a merge" {
  data annotations
  steps '{"type": "CutMix"}'
  echo mine > all.csv.part
  go out -n 3 --one-hot all.csv
  [ "$(< all.csv.part)" = mine ]
  go again -n 3 --one-hot all.npy
  for i in 0 1; do go sharded -n 3 --shard $i/2; done
  "$lockstep" merge -q sharded --one-hot merged.csv
  cmp all.csv merged.csv
  python3 - <<'EOF'
import ast, csv, json, struct
rows = list(csv.reader(open("all.csv")))
lines = [json.loads(line) for line in open("out/manifest.jsonl")]
names = {c["id"]: c["name"] for c in json.load(open("data/in.json"))["categories"]}
assert rows[0] == ["file"] + [names[i] for i in (3, 5, 7, 9)], rows[0]
assert open("all.classes.txt").read().splitlines() == rows[0][1:]
assert [f"images/{row[0]}" for row in rows[1:]] == [line["output"] for line in lines]
for row, line in zip(rows[1:], lines):
    weights = {label["category_id"]: label["weight"] for label in line["image_labels"]}
    assert [float(cell) for cell in row[1:]] == [weights.get(i, 0) for i in (3, 5, 7, 9)], (row, line)
bytes_ = open("all.npy", "rb").read()
assert bytes_[:8] == b"\x93NUMPY\1\0"
size = 10 + bytes_[8] + 256 * bytes_[9]
assert size % 64 == 0
assert ast.literal_eval(bytes_[10:size].decode()) == {"descr": "<f4", "fortran_order": False, "shape": (18, 4)}
numbers = struct.unpack("<72f", bytes_[size:])
assert all(abs(a - float(b)) < 1e-7 for a, b in zip(numbers, [cell for row in rows[1:] for cell in row[1:]]))
EOF
  # a file that is there is kept, and so is the output folder the run's own
  run -6 --separate-stderr go more --one-hot all.npy
  [[ $stderr == *"[out-occupied]"* ]] && [ ! -e more ]
  run -2 --separate-stderr go more --one-hot more/all.npy
  [[ $stderr == *"[out-inside]"* ]] && [ ! -e more ]
  mkdir empty
  run -2 --separate-stderr go empty --one-hot ./empty/all.npy
  [[ $stderr == *"[out-inside]"* ]] && rmdir empty
  run -2 --separate-stderr go more --shard 0/2 --one-hot one.npy
  [[ $stderr == *"[option-unused]"* ]] && [ ! -e more ]
}

@test "image labels: folders of images are their classes" {
  data one
  mkdir -p tree/dog tree/a.b/deep
  cp data/images/[12].png tree/dog
  cp data/images/[34].png tree/a.b/deep
  steps '{"type": "RandomHorizontalFlip"}'
  "$lockstep" run -q -p p.json -i tree --labels folders -o out -n 2 --one-hot all.csv
  [ ! -e out/labels ] && [ ! -e out/annotations ]
  find out/images -name '*.png' | sort > found
  diff found - <<< 'out/images/a.b/deep/3__a000.png
out/images/a.b/deep/3__a001.png
out/images/a.b/deep/4__a000.png
out/images/a.b/deep/4__a001.png
out/images/dog/1__a000.png
out/images/dog/1__a001.png
out/images/dog/2__a000.png
out/images/dog/2__a001.png'
  diff - all.csv <<< 'file,a.b,dog
a.b/deep/3__a000.png,1,0
a.b/deep/3__a001.png,1,0
a.b/deep/4__a000.png,1,0
a.b/deep/4__a001.png,1,0
dog/1__a000.png,0,1
dog/1__a001.png,0,1
dog/2__a000.png,0,1
dog/2__a001.png,0,1'
  for i in 0 1; do "$lockstep" run -q -p p.json -i tree --labels folders -o sharded -n 2 --shard $i/2; done
  "$lockstep" merge -q sharded
  cmp out/manifest.jsonl sharded/manifest.jsonl
  "$lockstep" replay -q -m out/manifest.jsonl -i tree --labels folders -o again
  same_tree out/images again/images
  # the output is read again unchanged
  steps '{"type": "CutMix", "donors": {"exclude_self": true}}'
  "$lockstep" run -q -p p.json -i out/images --labels folders -o mixed
  jq -e '[.image_labels[].weight] | add | . > 1 - 1e-12 and . < 1 + 1e-12' mixed/manifest.jsonl | sort -u | diff - <(echo true)
  jq -se 'map(.image_labels | length) | max == 2' mixed/manifest.jsonl
  cp data/images/5.png tree
  run -4 --separate-stderr "$lockstep" run -q -p p.json -i tree --labels folders -o more
  [[ $stderr == *5.png*"[label-folder]"* ]] && [ ! -e more ]
  run -2 --separate-stderr go more --labels folders
  [[ $stderr == *"[option-unused]"* ]]
}

@test "image labels: a check knows where they stand, and explain prints them" {
  steps '{"type": "MixUp"}'
  for kind in soft annotations; do
    data $kind
    "$lockstep" check -a data/in.json -i data/images > report
    run ! grep -E 'category_id|/weight' report
    "$lockstep" explain -p p.json -i data/images -a data/in.json 6.png > plan
    "$lockstep" run -q -p p.json -i data/images -a data/in.json -o $kind 6.png
    jq -r '[.image_labels[] | "c\(.category_id) "] | join("|")' $kind/manifest.jsonl > classes
    [ "$(grep -c '^  labels of the image: c' plan)" = 1 ]
    [ "$(sed -n 's/^  labels of the image: //p' plan | tr ',' '\n' | wc -l)" = "$(tr '|' '\n' < classes | wc -l)" ]
  done
}
