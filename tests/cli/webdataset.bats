#!/usr/bin/env bats
# Outputs as tars of WebDataset: the files of a run like any other, packed and removed.

# shellcheck disable=SC2154 # run sets output and status
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  printf '{"version": 1, "transforms": [{"type": "RandomHorizontalFlip", "p": 0.5}]}\n' > p.json
  coco=(-i "$samples/images" -a "$samples/annotations.json" --masks "$samples/masks")
}

# go OUT [options]: a run; wds OUT [options]: one that packs.
go() {
  local out=$1
  shift
  "$lockstep" run -q -p p.json --durability none -o "$out" "${coco[@]}" "$@"
}

wds() {
  local merged
  with_defaults '--shard-size 7' -- "${@:2}"
  go "$1" --out-format webdataset "${merged[@]}"
}

@test "webdataset: samples are the files of a run, each with its annotations" {
  local tar
  go folder -n 2
  wds out -n 2
  "$here/tools/webdataset.py" folder out
  [ "$(find out -name '*.tar' | wc -l)" = 5 ]
  [ "$(find out -mindepth 1 ! -name 'train-00000[0-4].tar' | sort | tr '\n' ' ')" = \
    'out/annotations.json out/manifest.jsonl out/run.json out/train-index.json ' ]
  cmp folder/annotations.json out/annotations.json
  cmp folder/manifest.jsonl out/manifest.jsonl
  for tar in out/*.tar; do
    tar tf "$tar" > names
    [ -s names ]
    if type bsdtar > bsd 2> bsd; then bsdtar tf "$tar" | cmp - names; fi
  done
  tar --numeric-owner --full-time -tvf out/train-000000.tar > list
  [ "$(cut -c 1-14 list | sort -u)" = '-rw-r--r-- 0/0' ]
  [ "$(grep -c ' 1970-01-01 00:00:00 ' list)" = "$(wc -l < list)" ]
}

@test "webdataset: runs, shards and checksums give the same bytes; SOURCE_DATE_EPOCH is the members' time" {
  local i
  wds out -n 2 --checksums -j 1
  wds again -n 2 --checksums -j 4
  same_tree out again
  (cd out && sha256sum -c --quiet SHA256SUMS)
  for i in 2 0 1; do wds parts -n 2 --checksums --shard "$i/3"; done
  "$lockstep" merge -q --durability none parts
  same_tree out parts
  SOURCE_DATE_EPOCH=86400 wds dated
  TZ=UTC tar -tvf dated/train-000001.tar | grep -q ' 1970-01-02 00:00 '
  SOURCE_DATE_EPOCH=noon wds undated
  TZ=UTC tar -tvf undated/train-000001.tar | grep -q ' 1970-01-01 00:00 '
}

@test "webdataset: names with dots, of other letters and long ones come back" {
  local name long
  long=$(printf 'x%.0s' {1..120})
  mkdir -p in/v1.0
  for name in a.b.jpg v1.0/100%.jpg é.jpg "$long.jpg" plain.jpg; do
    cp "$samples/images/street/0001.jpg" "in/$name"
  done
  "$lockstep" run -q -p p.json -i in -o folder
  "$lockstep" run -q -p p.json -i in -o out --out-format webdataset
  "$here/tools/webdataset.py" folder out
  tar tf out/data-000000.tar --quoting-style=literal > names
  for name in a%2Eb.jpg v1.0/100%25.jpg é.jpg "$long.jpg" plain.jpg; do grep -qxF "$name" names; done
}

@test "webdataset: labels of other formats are members, and tars are cut by bytes" {
  local tar
  stderr_to said "$lockstep" run -q -p p.json "${coco[@]}" -o folder --to yolo --lossy
  stderr_to said "$lockstep" run -q -p p.json "${coco[@]}" -o out --to yolo --lossy --out-format webdataset --shard-size 300K
  "$here/tools/webdataset.py" folder out
  [ "$(find out -name '*.tar' | wc -l)" -gt 2 ]
  for tar in out/*.tar; do
    [ "$(stat -c %s "$tar")" -le 301024 ] || [ "$(tar tf "$tar" | grep -c txt)" = 1 ]
  done
}

@test "webdataset: a run that is killed at any step of packing goes on to the same bytes" {
  local name n killed=0
  six_images
  packs() { "$lockstep" run -q -j 1 --durability none -p steps.json -i in -o out --out-format webdataset --shard-size 2 "$@"; }
  packs
  mv out clean
  strace -qq -o trace.txt -e trace=unlinkat,renameat2,openat "$lockstep" run -q -j 1 --durability none -p steps.json -i in \
    -o out --out-format webdataset --shard-size 2
  same_tree clean out
  while read -r name n; do
    rm -rf out
    (exec strace -qq -o /dev/null -e "trace=$name" -e "inject=$name:signal=KILL:when=$n" \
      "$lockstep" run -q -j 1 --durability none -p steps.json -i in -o out --out-format webdataset --shard-size 2) ||
      killed=$((killed + 1))
    packs --resume
    same_tree clean out || { echo "killed at $name $n"; return 1; }
  done < <(awk -F '(' '/^[a-z0-9]+\(/ { n[$1]++ }
    /^openat/ && !/O_CREAT/ { next }
    /^[a-z0-9]+\(/ { print $1, n[$1] }' trace.txt)
  [ "$killed" -ge 20 ]
}

@test "webdataset: so does a merge" {
  local name n killed=0 i
  six_images
  part() { "$lockstep" run -q -j 1 --durability none -p steps.json -i in -o "$1" --out-format webdataset --shard-size 2 "${@:2}"; }
  part clean
  for i in 0 1; do part out --shard $i/2; done
  cp -r out parts
  strace -qq -o trace.txt -e trace=unlinkat,renameat2,renameat "$lockstep" merge -q --durability none out
  same_tree clean out
  while read -r name n; do
    rm -rf out
    cp -r parts out
    (exec strace -qq -o /dev/null -e "trace=$name" -e "inject=$name:signal=KILL:when=$n" \
      "$lockstep" merge -q --durability none out) || killed=$((killed + 1))
    "$lockstep" merge -q --durability none out
    same_tree clean out || { echo "killed at $name $n"; return 1; }
  done < <(awk -F '(' '/^[a-z0-9]+\(/ { print $1, ++n[$1] }' trace.txt)
  [ "$killed" -ge 10 ]
}

@test "webdataset: one format takes the place of the other, a finished run has nothing to do, and verify reads tars" {
  go out
  go folder --checksums
  wds out --overwrite
  wds clean
  same_tree clean out
  run -0 "$lockstep" run -p p.json "${coco[@]}" -o out --out-format webdataset --shard-size 7 --resume
  [[ $output == *'there is nothing to do'* ]]
  run -6 wds out --resume --shard-size 8
  [[ $output == *'--shard-size'*'[resume-key]'* ]]
  run -0 "$lockstep" verify out
  wds out --overwrite --checksums
  run -0 "$lockstep" verify out
  [[ $output == *'30 files, 30 with a hash'* ]]
  printf x | dd of=out/train-000001.tar bs=1 seek=5000 conv=notrunc status=none
  run -1 "$lockstep" verify out
  [[ $output == *'images/'*'[verify-hash]'* ]]
  [[ $output == *'train-000001.tar'*'[verify-hash]'* ]]
  go out --overwrite --checksums
  same_tree folder out
}

@test "webdataset: replay makes files of the manifest's lines, and is compared with their hashes" {
  go folder
  wds out --checksums
  "$lockstep" replay -q -m out/manifest.jsonl "${coco[@]}" -o again
  diff -r folder/images again/images
  diff -r folder/masks again/masks
  cmp folder/annotations.json again/annotations.json
  "$lockstep" replay -q --verify -m out/manifest.jsonl "${coco[@]}"
  run -4 "$lockstep" replay -q --verify -m out/manifest.jsonl "${coco[@]}" -o out
  [[ $output == *'[replay-packed]'* ]]
}

@test "webdataset: what has no place in samples is refused" {
  mkdir in twice
  cp "$samples/images/street/0001.jpg" in/photo
  printf '{"images": [{"id": 1, "file_name": "photo", "width": 320, "height": 240}], "annotations": [], "categories": []}' > a.json
  run -4 "$lockstep" run -q -p p.json -i in -a a.json -o out --trust file --out-format webdataset
  [[ $output == *'[sample-suffix]'* ]]
  cp "$samples/images/street/0001.jpg" twice/a.jpg
  cp "$samples/images/street/0003.png" twice/a.png
  "$lockstep" run -q -p p.json -i twice -o folder
  run -4 "$lockstep" run -q -p p.json -i twice -o out --out-format webdataset
  [[ $output == *'--name-template'*'[name-collision]'* ]]
  "$lockstep" run -q -p p.json -i twice -o out --out-format webdataset --name-template '{dir}/{stem}_{ext}'
  printf '[{"image_id": 1, "category_id": 1, "bbox": [1, 1, 9, 9], "score": 0.5}]' > results.json
  sed 's/"photo"/"a.jpg"/; s/\[\]}$/[{"id": 1, "name": "thing"}]}/' a.json > list.json
  run -2 "$lockstep" run -q -p p.json -i twice -a results.json --image-list list.json --trust file -o none --out-format webdataset
  [[ $output == *'[out-format-results]'* ]]
  for size in 0 7.5 3T G 12345678901 -1 7M7; do
    run -2 "$lockstep" run -q -p p.json -i twice -o none --out-format webdataset --shard-size "$size"
    [[ $output == *'[option-value]'* ]]
  done
  run -2 "$lockstep" run -q -p p.json -i twice -o none --shard-size 5
  [[ $output == *'[option-unused]'* ]]
  [ ! -e none ]
}

# same_labels A B: COCO files that say the same, in any order of annotations.
same_labels() {
  python3 -c '
import json, sys
one, other = (json.load(open(name)) for name in sys.argv[1:])
for of in one, other:
    of["annotations"].sort(key=lambda thing: thing["id"])
assert list(one) == list(other) and one == other' "$1" "$2"
}

# identity OUT [options]: a run that changes nothing.
identity() {
  local out=$1
  shift
  printf '{"version": 1, "transforms": [], "output": {"untouched": "copy"}}\n' > identity.json
  "$lockstep" run -q --durability none -p identity.json -o "$out" "$@"
}

@test "webdataset: what is read from tars is what was packed: images, masks and annotations" {
  go folder -n 2
  wds out -n 2
  identity from-folder -i folder/images -a folder/annotations.json --masks folder/masks
  identity from-tars -i 'out/train-{000000..000004}.tar'
  diff -r folder/images from-tars/images
  diff -r folder/masks from-tars/masks
  cmp from-folder/manifest.jsonl from-tars/manifest.jsonl
  same_labels from-folder/annotations.json from-tars/annotations.json
  # by the whole file of annotations, and of some tars
  identity by-file -i 'out/train-{000000..000004}.tar' -a out/annotations.json
  same_tree from-folder by-file
  identity some -i out/train-000001.tar -i out/train-000003.tar --out-format webdataset
  [ "$(wc -l < some/manifest.jsonl)" = 14 ]
  identity files -i out/train-000001.tar -i out/train-000003.tar
  diff -r folder/masks files/masks | grep -v '^Only in folder' > differ || true
  [ ! -s differ ]
  identity again -i some/train-000000.tar --out-format webdataset
  cmp some/train-000000.tar again/train-000000.tar
}

@test "webdataset: what is read has its names back" {
  local name
  mkdir in masks
  for name in a.b 100% plain; do
    cp "$samples/images/street/0003.png" "in/$name.png"
    cp "$samples/masks/street/0003.png" "masks/$name.png"
  done
  identity folder -i in --masks masks
  identity out -i in --masks masks --out-format webdataset
  tar tf out/data-000000.tar | grep -qxF 'a%2Eb.mask.png'
  run -0 identity back -i out/data-000000.tar
  [ -z "$output" ]
  diff -r folder back
}

@test "webdataset: labels of strangers are put together, or refused" {
  local n
  mkdir in
  for n in 1 2 3; do
    cp "$samples/images/street/0001.jpg" in/$n.jpg
    printf '{"images": [{"id": %d, "file_name": "%d.jpg", "width": 640, "height": 480}], "categories": [{"id": %d, "name": "c%d"}],
      "annotations": [{"id": %d, "image_id": %d, "category_id": %d, "bbox": [1, 2, 30, 40], "area": 1200, "iscrowd": 0}]}' \
      $n $n $((n / 2)) $((n / 2)) $n $n $((n / 2)) > in/$n.json
  done
  tar --sort=name -C in -cf in.tar .
  identity out -i in.tar --trust file
  python3 -c '
import json
d = json.load(open("out/annotations.json"))
assert [c["name"] for c in d["categories"]] == ["c0", "c1"], d
assert [a["category_id"] for a in d["annotations"]] == [0, 1, 1], d
assert [i["file_name"] for i in d["images"]] == ["1.jpg", "2.jpg", "3.jpg"], d'
  for text in '{"caption": "a street"}' '[1, 2]' '{"images": [' '{"images": {}}' ''; do
    printf '%s' "$text" > in/2.json
    tar --sort=name -C in -cf in.tar .
    run -4 identity none -i in.tar --trust file
    [[ $output == *'2.json'*'[archive-labels]'* ]]
  done
  # other annotations may be given
  identity given -i in.tar -a out/annotations.json
  same_labels out/annotations.json given/annotations.json
}

@test "webdataset: plain members are the image's, .cls is its class, and what is neither is refused" {
  local n row file
  mkdir in
  for n in 1 2 3 4; do cp "$samples/images/street/0001.jpg" in/$n.jpg; done
  printf '{"caption": "a \\u00e9 street", "id": "abc", "x": {"deep": [1.50, null]}, "file_name": "old.jpg"}' > in/1.json
  printf ' 7\n' > in/2.cls
  printf '{"annotations": [{"bbox": [1, 2, 30, 40], "category_id": 7, "area": 1200, "iscrowd": 0}]}' > in/3.json
  printf 3 > in/3.cls
  tar --sort=name -C in -cf in.tar .
  identity out -i in.tar
  python3 -c '
import json
text = open("out/annotations.json").read()
d = json.loads(text)
images = [{k: v for k, v in image.items() if k not in ("width", "height")} for image in d["images"]]
assert images == [
    {"id": 1, "file_name": "1.jpg", "caption": "a \u00e9 street", "source_id": "abc", "x": {"deep": [1.5, None]},
     "source_file_name": "old.jpg"},
    {"id": 2, "file_name": "2.jpg", "category_id": 7}, {"id": 3, "file_name": "3.jpg", "category_id": 3},
    {"id": 4, "file_name": "4.jpg"}], images
assert "1.50" in text and "caption\": \"a \\u00e9 street" in text
assert d["categories"] == [{"id": 3, "name": "3"}, {"id": 7, "name": "7"}], d
assert d["annotations"] == [{"id": 1, "image_id": 3, "bbox": [1, 2, 30, 40], "category_id": 7, "area": 1200, "iscrowd": 0}], d'
  # packed, they are slices of COCO, which say the same
  identity packed -i in.tar --out-format webdataset
  identity again -i packed/train-000000.tar
  same_labels out/annotations.json again/annotations.json
  # names of classes come from a list of them
  printf '{"categories": [{"id": 3, "name": "cat"}, {"id": 7, "name": "dog"}], "caption": 1}' > in/4.json
  tar --sort=name -C in -cf in.tar .
  identity named -i in.tar
  [ "$(jq -c '[.categories[].name]' named/annotations.json)" = '["cat","dog"]' ]
  for row in '2.cls cat' '2.cls -1' '2.cls 1.5' '2.cls' '2.cls 7 7' '2.cls 9007199254740993' '2.cls 1e400' '3.json {"category_id": 7}' \
    '4.json {"images": 1}' '4.json {"images": []}' '4.json [1]' '4.json {"a": ' \
    '4.json {"annotations": [{"id": 1, "bbox": [1, 2, 3, 4]}]}' '4.json {"annotations": [{"image_id": 1}]}' \
    '4.json {"annotations": [1]}'; do
    read -r file n <<< "$row"
    rm -rf bad
    cp -r in bad
    printf '%s' "$n" > bad/"$file"
    tar --sort=name -C bad -cf bad.tar .
    run -4 identity none -i bad.tar
    [[ $output == "lockstep: error: bad.tar:"*"$file"*'[archive-labels]'* ]] || { echo "$row: $output"; false; }
  done
  [ ! -e none ]
}

@test "webdataset: an output that is packed and cannot be removed ends a run with 5, and --resume removes it" {
  local when
  wds clean -n 2
  for when in 1 4; do
    rm -rf out
    run -5 --separate-stderr strace -f -qq -o /dev/null -P "$PWD/out/images/street" -e trace=unlinkat \
      -e inject=unlinkat:error=EDQUOT:when=$when "$lockstep" run -q -p p.json --durability none -o out "${coco[@]}" -n 2 \
      --out-format webdataset --shard-size 7
    [[ $stderr == *'Disk quota exceeded'* ]]
    wds out -n 2 --resume
    same_tree clean out
  done
}
