#!/usr/bin/env bats
# Label masks of datasets with parts, and of Pascal VOC. In images of the tests each pixel has the value of its mask.
# So an image and its mask decode to the same values in every output.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  printf '{"version": 1, "transforms": [], "output": {"untouched": "copy"}}\n' > copy.json
  printf '{"version": 1, "transforms": [{"type": "RandomHorizontalFlip"}, {"type": "RandomVerticalFlip"}, {"type": "RandomRotate90"}, %s]}\n' \
    '{"type": "RandomCrop", "size": [11, 9]}' > turn.json
}

# pair DIR IMAGES MASKS NAME...: DIR/IMAGES/NAME.png and its mask DIR/MASKS/NAME.png. NAME replaces a % in IMAGES or MASKS.
pair() {
  python3 -c '
import os, sys, zlib
sys.path.insert(0, sys.argv[1])
import png
folder, *kinds = sys.argv[2:5]
for name in sys.argv[5:]:
    seed = zlib.crc32(name.encode())
    rows = [[(seed >> y % 24) + 7 * x * y + x & 255 for x in range(12 + seed % 5)] for y in range(14 + seed % 7)]
    for kind in kinds:
        path = os.path.join(folder, kind.replace("%", name) if "%" in kind else f"{kind}/{name}") + ".png"
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, "wb").write(png.encode(rows))' "$here/lib" "$@"
}

# equal OUT: each line of the manifest names an image and a mask of the same pixels; prints the number of lines.
equal() {
  python3 -c '
import json, sys
sys.path.insert(0, sys.argv[1])
import png
n = 0
for line in open(f"{sys.argv[2]}/manifest.jsonl"):
    line = json.loads(line)
    image, mask = (png.rows(f"{sys.argv[2]}/{line[k]}") for k in ("output", "mask"))
    assert image == mask, line
    n += 1
print(n)' "$here/lib" "$1"
}

# files DIR FOLDER...: the files there
files() { (cd "$1" && shift && find "$@" -type f | sort | tr '\n' ' '); }

# augment IN OUT: train four times, other parts as they are
augment() { "$lockstep" run -q -p turn.json -a "$1" -o "$2" --apply-to train --copies train=4; }

@test "masks: usual arrangements have parts; train is augmented, val passes; the output is such a dataset" {
  local images masks
  while read -r images masks; do
    rm -rf in out again
    pair in "${images/PART/train}" "${masks/PART/train}" a deep/b
    pair in "${images/PART/val}" "${masks/PART/val}" c
    augment in out
    echo "$images $masks" >&2
    [ "$(equal out)" = 9 ]
    [ "$(jq -r .part out/manifest.jsonl | sort | uniq -c | tr -s ' \n' ' ')" = " 8 train 1 val " ]
    cmp "in/${images/PART/val}/c.png" "out/${images/PART/val}/c.png"
    cmp "in/${masks/PART/val}/c.png" "out/${masks/PART/val}/c.png"
    [ "$(find "out/${images/PART/train}" -type f -printf '%P\n' | sort)" = "$(find "out/${masks/PART/train}" -type f -printf '%P\n' | sort)" ]
    [ "$(jq -r '.parts[0].masks' out/run.json)" = "${masks/PART/train}" ]
    "$lockstep" verify out
    "$lockstep" check out --ignore X,I
    "$lockstep" run -q -p copy.json -a out -o again
    diff -r "out/${masks/PART/train}" "again/${masks/PART/train}"
    [ "$(equal again)" = 9 ]
  done << 'END'
images/PART masks/PART
images/PART labels/PART
images/PART annotations/PART
img_dir/PART ann_dir/PART
PART/images PART/masks
PART/images PART/labels
imgs/PART gt/PART
PART PART_masks
images_PART annotations_PART
PART-img PART-labels
END
}

@test "masks: endings of names are those of common datasets" {
  local image mask
  while read -r image mask; do
    rm -rf in out again linked
    pair in "images/train/city/$image" "gtFine/train/city/$mask" a b
    pair in "images/val/$image" "gtFine/val/$mask" c
    augment in out
    echo "$image $mask" >&2
    [ "$(equal out)" = 9 ]
    [ -f "out/images/train/city/${image/\%/a__a002}.png" ]
    [ -f "out/gtFine/train/city/${mask/\%/a__a002}.png" ]
    "$lockstep" run -q -p turn.json -a in -o linked --apply-to train --link hard
    [ "in/gtFine/val/${mask/\%/c}.png" -ef "linked/gtFine/val/${mask/\%/c}.png" ]
    "$lockstep" verify out
    "$lockstep" check out --ignore X,I
    "$lockstep" run -q -p copy.json -a out -o again
    [ "$(equal again)" = 9 ]
  done << 'END'
%_leftImg8bit %_gtFine_labelTrainIds
%_leftImg8bit %_gtFine_labelIds
% %_mask
% %_L
% %_P
%_0000 %
%_image %_label
END
  # Other files beside the masks are not read.
  pair in images/train/%_leftImg8bit gtFine/train/%_gtFine_instanceIds z
  cp in/gtFine/train/city/a_label.png in/gtFine/train/city/a_other.png
  rm -r in/images/train/z* in/gtFine/train/z*
  run --separate-stderr "$lockstep" run -p copy.json -a in -o other
  [[ $stderr == *'of gtFine/train, only files *_label.png are read'*'[dataset-layout]'* ]]
  [ "$(equal other)" = 3 ]
  "$lockstep" check in --ignore X,I
}

@test "masks: a part without masks has none; files that are not masks make no dataset" {
  pair in images/train masks/train a b
  pair in images/test gone t
  rm -r in/gone
  "$lockstep" run -q -p turn.json -a in -o out --copies 2
  [ "$(jq -r 'select(.mask == null) | .part' out/manifest.jsonl | tr '\n' ' ')" = "test test " ]
  [ "$(files out masks)" = "masks/train/a__a000.png masks/train/a__a001.png masks/train/b__a000.png masks/train/b__a001.png " ]
  "$lockstep" verify out
  mkdir in/masks/test
  "$lockstep" run -q -p turn.json -a in -o out2 --copies 2
  rm in/masks/train/b.png
  run -4 --separate-stderr "$lockstep" run -p turn.json -a in -o none
  [[ $stderr == *b.png*'[mask-missing]'* ]]
  run -1 "$lockstep" check in --ignore X,I
  [[ $output == *'G001'* ]]
  echo text > in/masks/train/a.txt
  run -2 --separate-stderr "$lockstep" run -p copy.json -a in -o none
  [[ $stderr == *'[option-missing]'* ]]
}

@test "masks: --link, --checksums, --shard, --resume and --part" {
  local i
  pair in images/train masks/train a b c
  pair in images/val masks/val d
  "$lockstep" run -q -p turn.json -a in -o hard --apply-to train --link hard --checksums
  [ in/masks/val/d.png -ef hard/masks/val/d.png ]
  [ in/images/val/d.png -ef hard/images/val/d.png ]
  (cd hard && sha256sum -c --quiet SHA256SUMS)
  grep -q ' masks/val/d.png$' hard/SHA256SUMS
  "$lockstep" verify hard
  "$lockstep" run -q -p turn.json -a in -o symbolic --apply-to train --link symbolic
  [ "$(readlink symbolic/masks/val/d.png)" = "$PWD/in/masks/val/d.png" ]
  augment in whole
  for i in 0 1 2; do "$lockstep" run -q -p turn.json -a in -o shards --apply-to train --copies train=4 --shard "$i/3"; done
  "$lockstep" merge -q shards
  diff -r whole/masks shards/masks
  diff -r whole/images shards/images
  cmp whole/manifest.jsonl shards/manifest.jsonl
  rm in/masks/train/b.png
  run -4 "$lockstep" run -q -p turn.json -a in -o stopped --apply-to train --copies train=4 --no-preflight
  pair in images/train masks/train b
  "$lockstep" run -q -p turn.json -a in -o stopped --apply-to train --copies train=4 --resume
  diff -r whole/masks stopped/masks
  "$lockstep" run -q -p copy.json -a in -o part --part val
  [ "$(files part images masks)" = "images/val/d.png masks/val/d.png " ]
}

@test "masks: stats and check read all parts; split and concat keep pairs" {
  pair in images/train masks/train a b
  pair in images/val masks/val c
  pair more images/train masks/train a e
  augment in out
  python3 -c '
import json, sys
sys.path.insert(0, sys.argv[1])
import png
pixels = sum(len(png.rows(f"in/masks/{name}.png")) * len(png.rows(f"in/masks/{name}.png")[0]) for name in ("train/a", "train/b", "val/c"))
stats = json.load(sys.stdin)
assert (stats["images"], sum(c["pixels"] for c in stats["categories"])) == (3, pixels)' "$here/lib" < <("$lockstep" stats in --json)
  "$lockstep" stats out | grep -q 'label masks of 9 images'
  python3 -c '
import sys
sys.path.insert(0, sys.argv[1])
import png
open("in/masks/val/c.png", "wb").write(png.encode([[0, 3]]))' "$here/lib"
  run -1 "$lockstep" check in --ignore X,I
  [[ $output == *'images/val/c.png'*'G003'* ]]
  "$lockstep" concat in more -o joined --part train
  [ "$(equal joined)" = 4 ]
  [ "$(files joined masks)" = "masks/train/a.png masks/train/b.png masks/train/e.png masks/train/more_a.png " ]
  "$lockstep" verify joined
  "$lockstep" split -a joined -o divided --ratio 50:50 --seed 1 --link hard
  [ "$(equal divided)" = 4 ]
  [ "$(files divided images | sed 's/images/masks/g')" = "$(files divided masks)" ]
  "$lockstep" verify divided
  "$lockstep" check divided --ignore X,I
  # Copies of one image stay in one part.
  "$lockstep" split -a out -o copies --ratio 50:50 --seed 3
  [ "$(equal copies)" = 9 ]
  [ "$(jq -r '"\(.part) \(.source | sub(".*/"; "") | sub("__a.*"; ""))"' copies/manifest.jsonl | sort -u | wc -l)" = 3 ]
}

@test "masks: --masks PART=DIR gives the masks of parts of annotated datasets" {
  pair in images/train m1 a b
  pair in images/val m2 c
  for part in train val; do
    find "in/images/$part" -name '*.png' -printf '%f\n' | sort | jq -Rn '{images: [inputs | {file_name: ., id: (.[0:1] | explode[0])}],
      annotations: [], categories: [{id: 1, name: "cat"}]}' > "$part.json"
    python3 -c '
import json, sys
sys.path.insert(0, sys.argv[1])
path = sys.argv[2] + ".json"
data = json.load(open(path))
for image in data["images"]:
    head = open(f"in/images/{sys.argv[2]}/" + image["file_name"], "rb").read()[16:24]
    image["width"], image["height"] = int.from_bytes(head[:4], "big"), int.from_bytes(head[4:], "big")
json.dump(data, open(path, "w"))' "$here/lib" "$part"
  done
  "$lockstep" run -q -p turn.json -a train=train.json -a val=val.json -i train=in/images/train -i val=in/images/val \
    --masks train=in/m1 --masks val=in/m2 -o out --apply-to train --copies train=3
  [ "$(equal out)" = 7 ]
  "$lockstep" verify out
  run -2 --separate-stderr "$lockstep" run -p turn.json -a train=train.json -i in/images/train --masks test=in/m1 -o none
  [[ $stderr == *'there is no part "test"'*'[dataset-parts]'* ]]
  run -2 --separate-stderr "$lockstep" run -p turn.json -a train.json -i in/images/train --masks in/m1 --masks in/m2 -o none
  [[ $stderr == *'--masks'*'in/m2'*'[option-twice]'* ]]
}

# voc NAME...: in/ with boxes of these images, gray and without masks
voc() {
  local name
  pair in JPEGImages SegmentationClass "$@"
  mkdir -p in/Annotations in/ImageSets/Main
  for name; do
    python3 -c '
import sys
head = open(f"in/JPEGImages/{sys.argv[1]}.png", "rb").read()[16:24]
w, h = int.from_bytes(head[:4], "big"), int.from_bytes(head[4:], "big")
open(f"in/Annotations/{sys.argv[1]}.xml", "w").write(
    f"<annotation><filename>{sys.argv[1]}.png</filename><size><width>{w}</width><height>{h}</height><depth>1</depth></size>"
    "<object><name>cat</name><bndbox><xmin>2</xmin><ymin>2</ymin><xmax>9</xmax><ymax>8</ymax></bndbox></object></annotation>")' "$name"
  done
}

@test "masks: SegmentationClass of Pascal VOC, for the images that have masks" {
  local i
  voc a b c d
  rm in/SegmentationClass/b.png
  printf '%s\n' a b c > in/ImageSets/Main/train.txt
  echo d > in/ImageSets/Main/val.txt
  augment in out
  [ "$(files out SegmentationClass)" = "$(printf 'SegmentationClass/%s.png ' a__a000 a__a001 a__a002 a__a003 c__a000 c__a001 c__a002 c__a003 d)" ]
  [ "$(tr '\n' ' ' < out/ImageSets/Segmentation/train.txt)" = "a__a000 a__a001 a__a002 a__a003 c__a000 c__a001 c__a002 c__a003 " ]
  [ "$(cat out/ImageSets/Segmentation/val.txt)" = d ]
  [ "$(wc -l < out/ImageSets/Main/train.txt)" = 12 ]
  cmp in/SegmentationClass/d.png out/SegmentationClass/d.png
  sed -i '/"mask"/!d' out/manifest.jsonl
  [ "$(equal out)" = 9 ]
  augment in again
  "$lockstep" verify again
  "$lockstep" check again --ignore X,I
  for i in 0 1; do "$lockstep" run -q -p turn.json -a in -o shards --apply-to train --copies train=4 --shard "$i/2"; done
  "$lockstep" merge -q shards
  diff -r again/SegmentationClass shards/SegmentationClass
  diff -r again/ImageSets shards/ImageSets
  "$lockstep" verify shards
  "$lockstep" split -a again -o divided --ratio 50:50 --seed 2
  [ "$(cat divided/ImageSets/Segmentation/*.txt | sort | tr '\n' ' ')" = "a__a000 a__a001 a__a002 a__a003 c__a000 c__a001 c__a002 c__a003 d " ]
  # Other layouts have no place for them.
  run -4 --separate-stderr "$lockstep" convert -a in -o coco --to coco
  [[ $stderr == *'3 label masks'*'[to-lossy]'* ]]
  run --separate-stderr "$lockstep" convert -a in -o coco --to coco --lossy
  [[ $stderr == *'leaves out: 3 label masks'*'[to-lossy]'* ]]
  [ "$(find coco -name '*.png' | wc -l)" = 4 ]
  # A mask of another size is found by check before run fails.
  cp in/SegmentationClass/d.png in/SegmentationClass/a.png
  run -1 "$lockstep" check in --ignore X,I
  [[ $output == *'JPEGImages/a.png'*'G003'* || $output == *'a.xml'*'G003'* ]]
}

@test "masks: parts of lists in ImageSets/Segmentation, and images there need masks" {
  local lists=in/ImageSets/Segmentation
  pair in JPEGImages SegmentationClass a b c d e
  rm in/SegmentationClass/d.png
  mkdir -p $lists
  printf 'a\nb 1\n' > $lists/train.txt
  echo c > $lists/val.txt
  printf 'a\nb\nc\n' > $lists/trainval.txt
  echo d > $lists/test.txt
  augment in out
  [ "$(files out images masks)" = "images/test/d.png $(printf 'images/train/%s.png ' {a,b}__a00{0..3})images/val/c.png $(
    printf 'masks/train/%s.png ' {a,b}__a00{0..3})masks/val/c.png " ]
  "$lockstep" verify out
  run -0 "$lockstep" check in --ignore X,I
  [[ $output != *G00* ]]
  echo z >> $lists/val.txt
  run -4 --separate-stderr "$lockstep" run -p copy.json -a in -o none
  [[ $stderr == *'val.txt names 2 images'*'only 1'*'[dataset-layout]'* ]]
  echo c > $lists/val.txt
  rm in/SegmentationClass/b.png
  run -4 --separate-stderr "$lockstep" run -p copy.json -a in -o none
  [[ $stderr == *b.png*'[mask-missing]'* ]]
  run -1 "$lockstep" check in --ignore X,I
  [[ $output == *b.png*'G001'* ]]
  # The same with boxes.
  rm -r in
  voc a b c
  mkdir -p $lists
  printf '%s\n' a b c > in/ImageSets/Main/train.txt
  echo b > $lists/train.txt
  rm in/SegmentationClass/[ab].png
  run -4 --separate-stderr "$lockstep" run -p copy.json -a in -o none
  [[ $stderr == *': JPEGImages/b.png'*'[mask-missing]'* && $stderr != *a.png* ]]
}

@test "masks: folders of classes with names like masks are classes; masks of a part without images are noted" {
  pair in with_mask without_mask a b
  [ "$("$lockstep" stats in --json | jq -c '[.images, [.categories[].name]]')" = '[4,["with_mask","without_mask"]]' ]
  pair more images/train masks/train a
  pair more masks/test masks/val b
  run --separate-stderr "$lockstep" run -p copy.json -a more -o out
  [[ $stderr == *'masks/test is not read: there is no folder images/test; masks/val is not read'*'[dataset-layout]'* ]]
  [ "$(equal out)" = 1 ]
}

@test "masks: --mask-name is for all commands that read masks of parts" {
  local name='{dir}/{stem}.of.png'
  pair in images/train/% masks/train/%.of a b
  pair in images/val/% masks/val/%.of c
  run -4 "$lockstep" run -q -p turn.json -a in -o none
  "$lockstep" run -q -p turn.json -a in -o out --mask-name "$name"
  [ "$(equal out)" = 3 ]
  [ -f out/masks/train/a.of.png ]
  "$lockstep" check in --mask-name "$name" --ignore X,I
  [ "$("$lockstep" stats in --mask-name "$name" --json | jq .images)" = 3 ]
  for command in check stats; do
    run -2 --separate-stderr "$lockstep" $command "$samples/annotations.json" --mask-name "$name"
    [[ $stderr == *'--mask-name'*'masks'*'[option-unused]'* ]]
  done
}

@test "masks: SegmentationClass with colors instead of values is not read, and said so" {
  voc a b
  python3 -c '
import sys
sys.path.insert(0, sys.argv[1])
import png
open("in/SegmentationClass/a.png", "wb").write(png.encode([[0] * 36] * 14, 3))' "$here/lib"
  run --separate-stderr "$lockstep" run -p copy.json -a in -o out
  [[ $stderr == *'not read: SegmentationClass'* ]]
  [ ! -e out/SegmentationClass ]
}

@test "masks: palettes of masks and the value 255 stay" {
  pair in images/train masks/train a
  python3 -c '
import sys
sys.path.insert(0, sys.argv[1])
import png
head = open("in/images/train/a.png", "rb").read()[16:24]
w, h = int.from_bytes(head[:4], "big"), int.from_bytes(head[4:], "big")
body = b"".join(b"\0" + bytes([255 if x == 0 else x % 3 for x in range(w)]) for y in range(h))
plte = bytes(i // 3 * 5 % 256 for i in range(768))
open("in/masks/train/a.png", "wb").write(png.assemble(w, h, 8, png.PALETTE, body, [(b"PLTE", plte)]))' "$here/lib"
  printf '{"version": 1, "transforms": [{"type": "RandomHorizontalFlip", "p": 1}]}\n' > flip.json
  "$lockstep" run -q -p flip.json -a in -o out
  python3 -c '
import sys
sys.path.insert(0, sys.argv[1])
import png
a, b = (dict(png.chunks(open(f"{d}/masks/train/a.png", "rb").read())) for d in ("in", "out"))
assert a[b"PLTE"] == b[b"PLTE"]' "$here/lib"
}
