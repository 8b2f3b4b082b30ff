#!/usr/bin/env bats
# YOLO's labels: read as exporters and people write them, moved in lockstep, written as training tools read them.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  pipeline id.json ''
  pipeline flip.json '{"type": "horizontal_flip"}'
}

# images NAME...: images of 64x48 below in/.
images() {
  local name
  for name; do
    mkdir -p "in/$(dirname "$name")"
    python3 -c 'import png, sys; png.write(sys.argv[1], [[v for x in range(64) for v in (x * 3, y * 5, 90)] for y in range(48)], 3)' "in/$name"
  done
}

# labels FILE LINE...
labels() {
  mkdir -p "$(dirname "$1")"
  printf '%s\n' "${@:2}" > "$1"
}

# close_labels A B: the same files, their numbers equal within 1e-9.
close_labels() {
  python3 - "$1" "$2" << 'PY'
import glob, os, sys
a, b = sys.argv[1:]
files = [{os.path.relpath(f, d): open(f).read().splitlines() for f in glob.glob(d + "/**/*.txt", recursive=True)}
         for d in (a, b)]
assert files[0].keys() == files[1].keys() and files[0], files
n = 0
for name in files[0]:
    x, y = (([float(v) for v in line.split()] for line in f[name]) for f in files)
    for p, q in zip(x, y, strict=True):
        assert len(p) == len(q) and all(abs(u - v) < 1e-9 for u, v in zip(p, q)), (name, p, q)
        n += len(p)
print(n, "numbers")
assert n > 100
PY
}

@test "yolo: what no step touches stays, byte for byte" {
  images a.png b.png c.png d.png
  printf 'names: [cat, dog]\n# a remark\nnc: 2\ndownload: x\nauthor: "me"\n' > in/data.yaml
  printf '0 0.500000 0.50 0.2 0.3\r\n\r\n1 .25 0.25 1e-1 +0.1 \r\n' > in/a.txt
  printf '\xef\xbb\xbf1 0.1 0.1 0.9 0.1 0.5 0.90000000000000000001' > in/b.txt
  : > in/c.txt
  run -0 --separate-stderr "$lockstep" run -p id.json -i in -a in -o out
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == *"1 of 4 images has no file of labels"*"d.png [labels-missing]"* ]]
  for name in a b c; do cmp "in/$name.txt" "out/labels/$name.txt"; done
  [ ! -e out/labels/d.txt ]
  diff - out/data.yaml << 'E'
train: images
names: [cat, dog]
# a remark
nc: 2
author: "me"
E
  [ "$(jq -r .labels out/manifest.jsonl)" = "labels/a.txt
labels/b.txt
labels/c.txt
null" ]
  [ "$(jq -c '[.format, .annotations, .files]' out/run.json)" = \
    '["yolo",{"read":3,"written":3},["manifest.jsonl","run.json","data.yaml"]]' ]
}

@test "yolo: numbers that do not move keep their digits" {
  images a.png
  labels in/a.txt '0 0.250000 0.50 0.20 0.3000' '0 0.10 0.10 0.30 0.10 0.20 0.40'
  echo cat > in/classes.txt
  run -0 "$lockstep" run -p flip.json -i in -a in -o out
  diff - out/labels/a.txt << 'E'
0 0.75 0.50 0.20 0.3000
0 0.9 0.10 0.7 0.10 0.8 0.40
E
}

@test "yolo: every transform moves YOLO's labels as it moves COCO's" {
  printf '%s' '{"version": 1, "seed": 3, "transforms": [{"type": "RandomHorizontalFlip"},
    {"type": "RandomAffine", "degrees": 20, "translate": [0.1, 0.1], "scale": [0.7, 1.4]},
    {"type": "RandomCrop", "size": [100, 120], "pad_if_needed": true}, {"type": "CoarseDropout"},
    {"type": "Resize", "size": [77, 91]}]}' > p.json
  for kind in yolo yolo-segment yolo-pose; do
    "$lockstep" run -q -p id.json -i "$samples/images" -a "$samples/annotations.json" -o "$kind" --to "$kind" --lossy
    "$lockstep" run -q -p id.json -i "$kind/images" -a "$kind" -o "$kind.coco" --to coco
    "$lockstep" run -q -p p.json -i "$kind/images" -a "$kind/labels" -o "$kind.a" -n 4
    "$lockstep" run -q -p p.json -i "$kind/images" -a "$kind.coco/annotations.json" -o "$kind.b" -n 4 --to "$kind" \
      --lossy
    same_tree "$kind.a/images" "$kind.b/images"
    close_labels "$kind.a/labels" "$kind.b/labels"
    # and there and back again
    "$lockstep" run -q -p id.json -i "$kind/images" -a "$kind.coco/annotations.json" -o "$kind.c" --to "$kind" --lossy
    close_labels "$kind/labels" "$kind.c/labels"
  done
}

@test "yolo: Ultralytics' folders, names as a list and as a map" {
  images images/train/a.png images/val/b.png
  labels in/labels/train/a.txt '1 0.5 0.5 0.25 0.25'
  labels in/labels/val/b.txt '7 0.5 0.5 0.5 0.5'
  printf 'path: /somewhere\ntrain: images/train\nval: images/val\nnames:\n  1: cat\n  "7": dog\n' > in/data.yaml
  # from the root, from images/, from one part; labels by their folder, the root, or data.yaml
  "$lockstep" run -q -p flip.json -i in -a in -o out1
  "$lockstep" run -q -p flip.json -i in/images -a in -o out2
  "$lockstep" run -q -p flip.json -i in/images -a in/labels -o out3
  "$lockstep" run -q -p flip.json -i in/images -a in/data.yaml -o out4
  "$lockstep" run -q -p flip.json -i in/images/train -a in -o out5
  [ -f out1/images/labels/train/a.txt ] # where Ultralytics looks for the labels of images/images/train/a.png
  same_tree out2 out3
  same_tree out2 out4
  [ "$(cat out2/labels/train/a.txt out2/labels/val/b.txt)" = "1 0.5 0.5 0.25 0.25
7 0.5 0.5 0.5 0.5" ]
  [ "$(cat out5/labels/a.txt)" = "1 0.5 0.5 0.25 0.25" ]
  [ "$(head -2 out2/data.yaml)" = "train: images/train
val: images/val" ]
  [ "$(head -2 out1/data.yaml)" = "train: images/images/train
val: images/images/val" ]
  # Roboflow's: train/images beside train/labels
  images train/images/a.png
  labels in/train/labels/a.txt '1 0.5 0.5 0.25 0.25'
  rm -r in/images in/labels
  "$lockstep" run -q -p flip.json -i in -a in -o out6
  [ -f out6/images/train/labels/a.txt ]
  [ "$(head -1 out6/data.yaml)" = "train: images/train" ]
  "$lockstep" run -q -p flip.json -i out6/images -a out6 -o out7
}

@test "yolo: data.yaml can be read whatever folders are called, and keeps keys that are not lines" {
  local text
  images 'images/set #1/train/a.png' 'images/b: c/val/b.png' images/c/test/c.png
  labels 'in/labels/set #1/train/a.txt' '0 0.5 0.5 0.25 0.25'
  for text in '\xef\xbb\xbfnames: [cat]\nlicense: CC\nroboflow:\n  version: 3\n' \
    '  names: [cat]\n  license: CC\n  roboflow:\n    version: 3\n' \
    '{"names": ["cat"], "license": "CC", "roboflow": {"version": 3}}'; do
    printf "$text" > in/data.yaml
    "$lockstep" run -q -p flip.json -i in/images -a in -o out
    python3 -c '
import yaml
y = yaml.safe_load(open("out/data.yaml", encoding="utf-8-sig"))
want = {"train": "images/set #1/train", "val": "images/b: c/val", "test": "images/c/test"}
assert {k: y[k] for k in want} == want, y
assert list(y["names"]) in ([0], ["cat"]) and y["license"] == "CC" and y["roboflow"] == {"version": 3}, y'
    "$lockstep" run -q -p flip.json -i out/images -a out -o again
    rm -r out again
  done
}

@test "yolo: keypoints change places as flip_idx says, and without it nothing mirrors" {
  images a.png
  labels in/a.txt '0 0.5 0.5 0.5 0.5 0.25 0.25 2 0.75 0.25 1 0.000 0 0'
  printf 'names: [face]\nkpt_shape: [3, 3]\nflip_idx: [1, 0, 2]\n' > in/data.yaml
  "$lockstep" run -q -p flip.json -i in -a in -o out
  # COCO's rule for keypoints: the pixel x becomes width - 1 - x
  [ "$(cat out/labels/a.txt)" = "0 0.5 0.5 0.5 0.5 0.234375 0.25 1 0.734375 0.25 2 0.000 0 0" ]
  sed -i /flip_idx/d in/data.yaml
  run -4 "$lockstep" run -p flip.json -i in -a in -o out2
  [[ $output == *"data.yaml:2:"*"flip_idx"*"[yolo-keypoints]"* ]]
  "$lockstep" run -q -p id.json -i in -a in -o out3
  cmp in/a.txt out3/labels/a.txt
}

@test "yolo: what is wrong is named with its file and line, all of it, before anything is written" {
  images a.png b.png c.png d.png e.png f.png g.png
  printf 'cat\n\n' > in/classes.txt
  labels in/a.txt '0 0.5 0.5 0.1 0.1' '1 0.5 0.5 0.1 0.1'
  labels in/b.txt '' 'cat 0.5 0.5 0.1 0.1'
  labels in/c.txt '0 320 240 50 60'
  labels in/d.txt '0 0.5 0.5 0.1 0.1 0.98'
  labels in/e.txt '0 0.5 0.5 -0.1 0.1'
  labels in/f.txt '0 0.5 nan 0.1 0.1'
  labels in/g.txt '0 0.5 0.5 0.1 0.1'
  run -4 "$lockstep" run -p id.json -i in -a in -o out
  [ ! -e out ]
  for fault in 'a.txt:2:1: error: no class has the number 1' 'b.txt:2:1: error: expected a number' \
    'c.txt:1:3: error: expected shares'*'divide pixels' 'd.txt:1:1: error: 6 numbers'*'confidence' \
    'e.txt:1:11: error: ' 'f.txt:1:7: error: expected a number'; do
    [[ $output == *"in/"$fault* ]] || { echo "no $fault"; return 1; }
  done
  run -1 "$lockstep" run -p id.json -i in -a in -o out --on-error skip
  [ "$(ls out/labels)" = g.txt ]
  [ "$(jq -r .code out/errors.jsonl | sort | uniq -c | tr -s ' ')" = " 1 yolo-class
 1 yolo-length
 2 yolo-number
 2 yolo-range" ]
}

@test "yolo: names that are missing or cannot be are told, and hostile YAML is bounded" {
  images a.png
  labels in/a.txt '2 0.5 0.5 0.1 0.1'
  run -0 --separate-stderr "$lockstep" run -p id.json -i in -a in -o out
  [[ $stderr == *"the classes have numbers as names"*"[yolo-no-names]"* ]]
  [ "$(tail -1 out/data.yaml)" = '  2: "2"' ]
  wrong() { # YAML PART...: parts of the message
    local part
    printf '%b' "$1" > names.yaml
    run -4 --separate-stderr timeout 20 "$lockstep" run -p id.json -i in -a in --classes names.yaml -o out2
    for part in "${@:2}"; do
      [[ $stderr == *"$part"* ]] || { echo "$1: $stderr"; return 1; }
    done
    [ ! -e out2 ]
  }
  wrong 'names: [a, b\n' 'names.yaml:2:1: error: ' '[yaml-syntax]'
  wrong 'a: &a [x,x]\nb: &b [*a,*a]\nnames: *b\n' 'names.yaml:2:8: error: aliases' '[yaml-alias]'
  wrong 'names: [a, b]\nnc: 2\nnames: [b, a]\n' 'names.yaml:3:1: error: ' '"names" is given twice: here and in line 1 [yaml-twice]'
  wrong 'names:\n  0: a\n  1: b\n  "0": c\n' 'names.yaml:4:3: error: ' '"0" is given twice: here and in line 2 [yaml-twice]'
  wrong 'names: {0: a, 1: b, 1: b}\n' 'names.yaml:1:21: error: ' '[yaml-twice]'
  wrong 'names: {0: "", 1: b, -0: c}\n' 'class 0 has a name already' '[yolo-names]'
  wrong 'nc: 2\nnames: [a, b]\nnc: 3\n' '"nc" is given twice: here and in line 1 [yaml-twice]'
  wrong 'x: [{y: {k: 1,\n k: 2}}]\nnames: [a, b]\n' 'names.yaml:2:2: error: ' '"k" is given twice: here and in line 1 [yaml-twice]'
  wrong 'names:\n  <<: {2: c}\n  0: a\n  1: b\n' 'names.yaml:2:3: error: merge keys' '[yaml-alias]'
  wrong 'names: [a, b, c]\n---\nnames: [c, b, a]\n' 'names.yaml:2:1: error: a second document' '[yaml-syntax]'
  wrong 'names: {0x0: a, 1: b, 2: c}\n' '"0x0" is not the number of a class' '[yolo-names]'
  wrong 'names: [a, b, a]\n' '[classes-value]'
  wrong 'nc: 3\nnames: [a, b, c, d]\n' 'names.yaml:1:5: error: 3 classes, but 4 have names [yolo-names]'
  wrong 'nc: many\n' '"names"' '[yolo-names]'
  wrong 'names: {x: cat}\n' '[yolo-names]'
  wrong 'names: {999999999: cat}\n' '[yolo-names]'
  wrong 'names: [a]\nkpt_shape: [17]\n' '[yolo-keypoints]'
  wrong 'names: [a]\nkpt_shape: [2, 3]\nflip_idx: [1, 1]\n' 'names.yaml:3:' '[yolo-keypoints]'
  wrong "names: $(printf '[%.0s' {1..5000})" '[yaml-depth]'
  wrong '\xff\xfe\x00' 'names.yaml'
  # where the library is damaged
  mkdir lib && echo 'no library' > lib/libyaml-0.so.2
  printf 'names: [a, b, c]\n' > names.yaml
  run -4 env LD_LIBRARY_PATH="$PWD/lib" "$lockstep" run -p id.json -i in -a in --classes names.yaml -o out2
  [[ $output == *"install libyaml-0-2 [yaml-library]"* ]]
  # with names of multi-byte characters, faults are at the right columns
  wrong 'remark: "äöü日本"\nnames: [ä, ö]\nnc: 1\n' 'names.yaml:3:5: error: 1 classes, but 2'
}

@test "yolo: --to yolo refuses what it cannot hold, by kind, and --lossy leaves it out" {
  run -4 "$lockstep" run -p id.json -i "$samples/images" -a "$samples/annotations.json" -o out --to yolo-segment
  [[ $output == *"run-length masks"* && $output == *"3 outlines of several parts"* && $output == *"3 crowds"* &&
    $output == *'7 values of "track_id"'* && $output == *"--lossy"*"[to-lossy]"* ]]
  [ ! -e out ]
  run -0 "$lockstep" run -p id.json -i "$samples/images" -a "$samples/annotations.json" -o out --to yolo-segment --lossy
  [[ $output == *"warning: --to yolo-segment leaves out: "*"3 crowds"* && $output == *"56 annotations from 59"* ]]
  printf '{"version": 1, "transforms": [], "annotations": {"segmentation": "rle"}}' > rle.json
  run -3 "$lockstep" run -p rle.json -i "$samples/images" -a "$samples/annotations.json" -o out2 --to yolo --lossy
  [[ $output == *"[target-refused]"* ]]
}

@test "yolo: a run that was stopped goes on, with the same bytes" {
  "$lockstep" run -q -p id.json -i "$samples/images" -a "$samples/annotations.json" -o set --to yolo --lossy
  "$lockstep" run -q -p flip.json -i set/images -a set -o whole -n 3
  "$lockstep" run -q -p flip.json -i set/images -a set -o out -n 3 &
  pid=$!
  await more_files out/labels 5
  kill -9 $pid || true
  wait $pid || true
  "$lockstep" run -q -p flip.json -i set/images -a set -o out -n 3 --resume
  same_tree whole out
  # labels that changed meanwhile
  "$lockstep" run -q -p flip.json -i set/images -a set -o out -n 3 --overwrite
  same_tree whole out
}

@test "yolo: two images of one stem cannot share a file" {
  images a.png b.png
  cp in/a.png in/a.PNG
  labels in/a.txt '0 0.5 0.5 0.1 0.1'
  labels in/z.txt '0 0.5 0.5 0.1 0.1'
  run -4 "$lockstep" run -p id.json -i in -a in -o out
  [[ $output == *"output labels/a.txt would be the output of"*"[name-collision]"* ]]
  run -0 "$lockstep" run -p id.json -i in -a in -o out --name-template '{stem}_{ext}'
  [[ $output == *"1 .txt file has no image, the first is z.txt [labels-unused]"* ]]
  run -2 "$lockstep" run -p id.json -i in -a in -o out2 --image-list x.json
}

@test "yolo: what is given to -a and is no annotations is named" {
  images a.png
  says() { # FILE MESSAGE
    run -4 "$lockstep" run -p id.json -i in -a "$1" -o out
    [[ $output == *"seems to be $2"*"COCO JSON, and folders of label files with the suffix .json (LabelMe), .xml (Pascal VOC) or .txt (YOLO)"*"[annotations-other]"* ]] ||
      { echo "$1: $output"; return 1; }
  }
  printf '0 0.5 0.5 0.1 0.1\n' > one.txt
  says one.txt 'a YOLO file of one image'
  printf '<annotation><object><bndbox/></object></annotation>' > one.xml
  says one.xml 'a Pascal VOC file of one image'
  printf '{"version": "5", "shapes": [], "imagePath": "a.png"}' > l.json
  says l.json 'a LabelMe file'
  printf 'PK\3\4rest' > a.zip
  says a.zip 'a ZIP archive'
  says in/a.png 'a PNG image'
  # A table is read as labels of images.
  printf 'file,x,y\na.png,1,2\n' > t.csv
  run -4 "$lockstep" run -p id.json -i in -a t.csv -o out
  [[ $output == *"t.csv:1:1: error: this names a column for files, but no column for classes"*"[csv-syntax]"* ]]
  mkdir empty
  run -4 "$lockstep" run -p id.json -i in -a empty -o out
  [[ $output == *"the file of a.png would be a with the suffix .json (LabelMe), .xml (Pascal VOC) or .txt (YOLO)"*"[labels-none]"* ]]
}

@test "yolo: shares that are written never stick out: training tools refuse the image" {
  images a.png
  cat > c.json << 'J'
{"images": [{"id": 1, "file_name": "a.png", "width": 64, "height": 48}],
 "categories": [{"id": 1, "name": "x", "keypoints": ["nose", "ear", "eye"]}],
 "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [32, 0, 32.5, 48.3], "area": 1,
                  "keypoints": [64.2, 20, 2, 80, 20, 1, -0.4, 0, 2], "num_keypoints": 3}]}
J
  run -4 "$lockstep" run -p id.json -i in -a c.json -o out --to yolo-pose
  [[ $output == *"1 visible keypoint outside of the image (written as 0 0 0)"*"[to-lossy]"* ]]
  run -0 "$lockstep" run -p id.json -i in -a c.json -o out --to yolo-pose --lossy
  diff - out/labels/a.txt <<< "0 0.75 0.5 0.5 1 1 0.416666666667 2 0 0 0 0 0 2"
}

# odd_places [KEYS [MORE]]: c.json, with an image of 64 x 48 and objects in it, beside it and nowhere. Annotations have
# the KEYS, too, and the category has MORE.
odd_places() {
  images a.png
  cat > c.json << J
{"images": [{"id": 1, "file_name": "a.png", "width": 64, "height": 48}],
 "categories": [{"id": 1, "name": "x"${2-}}],
 "annotations": [
  {"id": 1, "image_id": 1, "category_id": 1, "area": 9, "iscrowd": 0${1-}, "bbox": [8, 12, 16, 24]},
  {"id": 2, "image_id": 1, "category_id": 1, "area": 9, "iscrowd": 0${1-}, "bbox": []},
  {"id": 3, "image_id": 1, "category_id": 1, "area": 9, "iscrowd": 0${1-}, "bbox": null},
  {"id": 4, "image_id": 1, "category_id": 1, "area": 9, "iscrowd": 0${1-}},
  {"id": 5, "image_id": 1, "category_id": 1, "area": 9, "iscrowd": 0${1-}, "bbox": [70, 5, 10, 11]},
  {"id": 6, "image_id": 1, "category_id": 1, "area": 9, "iscrowd": 0${1-}, "bbox": [5, -21, 20, 20]},
  {"id": 7, "image_id": 1, "category_id": 1, "area": 9, "iscrowd": 0${1-}, "bbox": [60, 40, 20, 20]}]}
J
}

@test "yolo: objects without a box and objects beside their image are counted, and left out of labels and counts" {
  local to
  odd_places
  for to in yolo voc; do
    run -4 "$lockstep" run -p id.json -i in -a c.json -o out --to $to
    [[ $output == *"3 objects without a box or an outline, 2 objects outside of the image; --lossy drops it"*"[to-lossy]"* ]]
    run -0 "$lockstep" run -p id.json -i in -a c.json -o $to --to $to --lossy
    [[ $output == *"leaves out: 3 objects without a box or an outline, 2 objects outside of the image"* &&
      $output == *"2 annotations from 7"* ]]
  done
  diff - yolo/labels/a.txt << 'END'
0 0.25 0.5 0.25 0.5
0 0.96875 0.916666666667 0.0625 0.166666666667
END
  grep -oE '<(xmin|xmax)>[^<]*' voc/Annotations/a.xml | tr '\n' ' ' > got
  [ "$(cat got)" = '<xmin>9 <xmax>24 <xmin>61 <xmax>80 ' ]
  odd_places ', "keypoints": [9, 13, 2, 63, 47, 1], "num_keypoints": 2' ', "keypoints": ["l", "r"]'
  run -0 "$lockstep" run -p id.json -i in -a c.json -o pose --to yolo-pose --lossy
  [[ $output == *"3 objects without a box or an outline, 2 objects outside of the image"* ]]
  [ "$(wc -l < pose/labels/a.txt)" -eq 2 ]
  # an outline without a box has one
  jq '.annotations |= [.[3] + {segmentation: [[4, 4, 14, 4, 14, 9]]}]' c.json > d.json
  "$lockstep" run -q -p id.json -i in -a d.json -o outline --to yolo --lossy
  diff - outline/labels/a.txt <<< "0 0.140625 0.135416666667 0.15625 0.104166666667"
}

@test "yolo: --to writes boxes, outlines or poses alone, of labels of YOLO's too, and counts all others" {
  local to
  images a.png
  labels in/a.txt '0 0.5 0.5 0.25 0.375' '1 0.125 0.25 0.625 0.25 0.625 0.75'
  printf 'names: [p, q]\n' > in/data.yaml
  "$lockstep" run -q -p id.json -i in -a in -o same
  cmp in/a.txt same/labels/a.txt
  run -4 "$lockstep" run -p id.json -i in -a in -o out --to yolo
  [[ $output == *"1 outline (--to yolo-segment writes them)"*"[to-lossy]"* ]]
  "$lockstep" run -q -p id.json -i in -a in -o boxes --to yolo --lossy 2> /dev/null
  diff boxes/labels/a.txt - << 'END'
0 0.5 0.5 0.25 0.375
1 0.375 0.5 0.5 0.5
END
  run -4 "$lockstep" run -p id.json -i in -a in -o out --to yolo-segment
  [[ $output == *"1 object without an outline (written as corners of boxes)"*"[to-lossy]"* ]]
  "$lockstep" run -q -p flip.json -i in -a in -o outlines --to yolo-segment --lossy 2> /dev/null
  awk '{ print $1, NF }' outlines/labels/a.txt | diff - <(printf '0 9\n1 7\n')
  "$lockstep" replay -q --verify -m outlines/manifest.jsonl -i in -a in -o outlines
  # no line is a pose
  run -4 "$lockstep" run -p id.json -i in -a in -o out --to yolo-pose
  [[ $output == *"2 objects without keypoints (--to yolo writes boxes)"*"[to-lossy]"* ]]
  "$lockstep" run -q -p id.json -i in -a in -o poses --to yolo-pose --lossy 2> /dev/null
  [ ! -s poses/labels/a.txt ]
  odd_places
  run -4 "$lockstep" run -p id.json -i in -a c.json -o out --to yolo-pose
  [[ $output == *"7 objects without keypoints"*"[to-lossy]"* ]]
  # boxes alone, of poses
  labels in/a.txt '0 0.5 0.5 0.25 0.375 0.5 0.5 2 0.25 0.25 1'
  printf 'names: [p]\nkpt_shape: [2, 3]\nflip_idx: [1, 0]\nhue: 0.015\n' > in/data.yaml
  run -4 "$lockstep" run -p id.json -i in -a in -o out --to yolo
  [[ $output == *"1 set of keypoints (--to yolo-pose writes them)"*"[to-lossy]"* ]]
  "$lockstep" run -q -p flip.json -i in -a in -o bare --to yolo --lossy 2> /dev/null
  diff bare/labels/a.txt - <<< '0 0.5 0.5 0.25 0.375'
  grep -q 'hue' bare/data.yaml
  if grep -E 'kpt_shape|flip_idx' bare/data.yaml; then return 1; fi
  "$lockstep" run -q -p id.json -i in -a in -o kept --to yolo-pose
  cmp in/a.txt kept/labels/a.txt
}

@test "yolo: objects of zero width or height, and images with hidden names, are counted where they have no place" {
  local to
  odd_places
  jq '.images += [{id: 2, file_name: ".h.png", width: 64, height: 48}] |
    .annotations = (.annotations[:1] + [.annotations[0] + {id: 2, bbox: [9, 9, 0, 5]}, .annotations[0] + {id: 3, bbox: [9, 9, 5, 0]},
      .annotations[0] + {id: 4, image_id: 2}])' c.json > d.json
  images .h.png
  for to in yolo yolo-segment voc; do
    run -4 "$lockstep" run -p id.json -i in -a d.json -o out --to $to
    [[ $output == *"2 objects of zero width or height"*"[to-lossy]"* &&
      $output == *"1 image with a hidden name (readers of folders skip it)"* ]]
    run -0 "$lockstep" run -p flip.json -i in -a d.json -o $to --to $to --lossy
    [[ $output == *"2 annotations from 4"* ]]
    # the manifest names each
    [ "$(jq -r '.dropped[] | "\(.from) \(.reason)"' $to/manifest.jsonl)" = $'2 not_in_format\n3 not_in_format' ]
    [ "$(jq -c '[.annotations[].from]' $to/manifest.jsonl | tr -d '\n')" = '[1][4]' ]
  done
  run -0 "$lockstep" check -a yolo/labels -i yolo/images
  run -0 "$lockstep" check -a voc/Annotations -i voc/JPEGImages
  # COCO has as little place for boxes of other formats
  labels in/a.txt '0 0.5 0.5 0.25 0.375' '0 0.5 0.5 0 0.375' '0 0.5 0.5 0.25 0'
  printf 'names: [p]\n' > in/data.yaml
  run -4 "$lockstep" run -p id.json -i in -a in -o out --to coco
  [[ $output == *"there is no place for 2 objects of zero width or height"*"[to-lossy]"* ]]
  "$lockstep" run -q -p id.json -i in -a in -o coco --to coco --lossy 2> /dev/null
  [ "$(jq -c '[.annotations[].id]' coco/annotations.json)" = '[100001]' ]
  "$lockstep" check coco/annotations.json -i coco/images
  "$lockstep" run -q -p id.json -i in -a in -o same
  cmp in/a.txt same/labels/a.txt
}

@test "yolo: an image keeps its label where the format has no place for it" {
  images a.png
  echo '{"images": [{"id": 1, "file_name": "a.png", "width": 64, "height": 48}],
    "categories": [{"id": 1, "name": "x"}, {"id": 2, "name": "y"}],
    "annotations": [{"id": 1, "image_id": 1, "category_id": 2}]}' > c.json
  "$lockstep" run -q -p flip.json -i in -a c.json -o out --to yolo --lossy --one-hot out.csv 2> /dev/null
  tail -n 1 out.csv | grep -q ',0,1$'
  [ "$(jq -c .image_labels out/manifest.jsonl)" = '[{"category_id":2,"weight":1}]' ]
}

@test "yolo: joined images of boxes and of outlines get outlines alone, in every shard and choice" {
  local name
  images a.png b.png c.png
  labels in/a.txt '0 0.5 0.5 0.25 0.375'
  labels in/b.txt '1 0.125 0.25 0.625 0.25 0.625 0.75'
  labels in/c.txt '1 0.25 0.25 0.5 0.125' '0 0.75 0.75 0.125 0.125'
  printf 'names: [p, q]\n' > in/data.yaml
  for name in Mosaic MixUp CutMix; do
    pipeline join.json "{\"type\": \"$name\"}"
    run -0 "$lockstep" run -p join.json -i in -a in -o $name
    [[ $output == *"some lines are boxes, and some are outlines; boxes are written as outlines"*"[yolo-mixed]"* ]]
    cat $name/labels/*.txt | awk 'NF < 7 { bad = 1 } END { exit bad || !NR }'
    run -0 "$lockstep" check -a $name/labels -i $name/images
    [[ $output != *L015* ]]
    "$lockstep" replay -q --verify -m $name/manifest.jsonl -i in -a in -o $name
    # the images that are chosen have boxes alone
    "$lockstep" run -q -p join.json -i in -a in -o one a.png 2> /dev/null
    cmp one/labels/a.txt $name/labels/a.txt
    "$lockstep" run -q -p join.json -i in -a in -o cut --shard 0/2
    "$lockstep" run -q -p join.json -i in -a in -o cut --shard 1/2
    "$lockstep" merge -q cut
    diff -r cut/labels $name/labels
    rm -r one cut
  done
  awk '{ print NF }' Mosaic/labels/*.txt | sort -u | grep -qx 9
  "$lockstep" run -q -p join.json -i in -a in -o boxes --to yolo --lossy 2> /dev/null
  cat boxes/labels/*.txt | awk 'NF != 5 { bad = 1 } END { exit bad || !NR }'
  # without a join, lines do not change
  run -0 "$lockstep" run -p id.json -i in -a in -o same
  [[ $output == *"the lines stay unchanged, and Ultralytics misreads"*"[yolo-mixed]"* ]]
  for name in a b c; do cmp in/$name.txt same/labels/$name.txt; done
  labels in/c.txt '0 0.75 0.75 0.125 0.125' '1 0.125 0.25 0.625 0.25 0.625 0.75' '1 0.25 0.25 0.5 0.125'
  run -0 "$lockstep" check -a in -i in
  [[ $output == *"3 objects have a box, and 2 an outline; files with both: 1; this is the first of the outlines"* ]]
}

@test "yolo: an odd number, an odd name and no names at all" {
  images a.png b.png
  labels in/a.txt "0 0.5 $(printf '.%.0s' {1..60}) 0.1 0.1"
  run -4 "$lockstep" run -p id.json -i in -a in -o out
  [[ $output == *"expected a number"*"[yolo-number]"* ]]
  labels in/a.txt '0 0.5 0.5 0.1 0.1'
  : > in/b.txt
  printf 'a\xef\xbf\xbfb\nc\xe2\x80\xa8d\n\xc2\x85e\n' > in/classes.txt
  run -0 "$lockstep" run -p id.json -i in -a in -o out
  [ "$(tail -4 out/data.yaml)" = 'names:
  0: "a\uffffb"
  1: "c\u2028d"
  2: "\u0085e"' ]
  run -0 "$lockstep" run -p id.json -i out/images -a out/labels -o again
  cmp out/data.yaml again/data.yaml
  rm in/classes.txt
  : > in/a.txt
  echo 'names: []' > in/data.yaml
  run -0 "$lockstep" run -p id.json -i in -a in -o none
  run -0 "$lockstep" run -p id.json -i none/images -a none/labels -o again2
}

# --- the copy of all labels ---

@test "yolo: a disk without room for the copy of all labels is refused, and any folder for it will do" {
  local how
  images a.png
  mkdir -p full labels
  awk 'BEGIN { for (i = 0; i < 20000; i++) print "0 0.5 0.5 0.25 0.25" }' > labels/a.txt
  printf 'names: [cat]\n' > labels/data.yaml
  "$lockstep" run -q -p flip.json -i in -a labels -o out
  unshare -rm mount -t tmpfs -o size=64k none full 2> none.txt || skip 'no name space of mounts can be had'
  for how in run 'run --on-error skip' check; do
    # shellcheck disable=SC2016,SC2086 # the shell that is started expands it; words
    run -4 --separate-stderr unshare -rm sh -ec 'mount -t tmpfs -o size=64k none full; TMPDIR=$PWD/full exec "$@"' sh \
      "$lockstep" ${how/run/run -q -p flip.json -o full.out} -i in -a labels
    # shellcheck disable=SC2154 # run sets it
    [[ $stderr == *'the copy of all labels, a temporary file: No space left on device'* ]] || { echo "$how: $status $stderr"; return 1; }
    [ ! -e full.out ]
  done
  # Where none can be made it is in memory.
  TMPDIR=$PWD/nowhere "$lockstep" run -q -p flip.json -i in -a labels -o memory
  same_tree out memory
}

@test "yolo: objects of another class have its number, and a class that no object can have leaves the list" {
  images a.png
  labels labels/a.txt '0 0.25 0.5 0.125 0.25' '1 0.5 0.5 0.25 0.5' '2 0.75 0.5 0.125 0.25'
  labels labels/data.yaml 'names: [cat, dog, pig]'
  pipeline p.json '{"type": "merge_categories", "from": ["cat"], "into": ["pig"]}'
  "$lockstep" run -q -p p.json -i in -a labels -o out
  diff out/labels/a.txt - << 'END'
1 0.25 0.5 0.125 0.25
0 0.5 0.5 0.25 0.5
1 0.75 0.5 0.125 0.25
END
  [ "$(tail -n 3 out/data.yaml)" = $'names:\n  0: "dog"\n  1: "pig"' ]
  "$lockstep" run -q -p p.json -i in -a labels -o coco --to coco
  jq -e '[.categories[].name] == ["dog", "pig"] and [.annotations[].category_id] == [2, 1, 2]' coco/annotations.json
}
