#!/usr/bin/env bats
# Short cases from end to end, one for each use of the command. A command that is altogether broken fails here in
# seconds; the other files test each option in detail.
# bats file_tags=quick
# shellcheck disable=SC2154 # begin and run set variables
bats_require_minimum_version 1.5.0
load ../lib/helpers

# data/: two JPEGs and two PNGs with boxes, polygons, a crowd as RLE, keypoints and masks; a pipeline that draws.
setup_file() {
  local samples=$BATS_TEST_DIRNAME/../../samples
  cd "$BATS_FILE_TMPDIR" || exit 1
  mkdir data
  (cd "$samples" && cp --parents images/{park,street}/0001.jpg images/{desk,fruit}/0002.png masks/{park,street}/0001.png \
    masks/{desk,fruit}/0002.png "$BATS_FILE_TMPDIR/data")
  jq '[.images[] | select(.file_name | IN("park/0001.jpg", "street/0001.jpg", "desk/0002.png", "fruit/0002.png"))] as $images
      | .images = $images | .annotations |= map(select(.image_id | IN($images[].id)))' \
    "$samples/annotations.json" > data/in.json
}

setup() {
  begin
  ulimit -c 0
  data=$BATS_FILE_TMPDIR/data
  coco=(-i "$data/images" -a "$data/in.json")
  pipeline p.json '{"type": "RandomHorizontalFlip"}, {"type": "RandomCrop", "size": [90, 100]}, {"type": "ColorJitter", "hue": 0.1}'
  pipeline flip.json '{"type": "horizontal_flip"}'
  pipeline none.json ''
}

# go OUT OPTION...: a run of p.json.
go() { "$lockstep" run -q --durability none -p p.json -o "$1" "${coco[@]}" "${@:2}"; }

# flip OUT OPTION...: a run of flip.json.
flip() { "$lockstep" run -q --durability none -p flip.json -o "$@"; }

@test "smoke: run moves boxes and polygons with the pixels, and writes a record of it" {
  flip out "${coco[@]}"
  [ "$(find out/images -type f | wc -l)" -eq 4 ]
  jq -s '(.[0].images | map({key: "\(.id)", value: .width}) | from_entries) as $width
    | [.[] | .annotations | sort_by(.id)] | transpose | map(select(.[0].segmentation | arrays)) | length > 10 and
      all(.[]; ($width["\(.[0].image_id)"] - .[0].bbox[0] - .[0].bbox[2] - .[1].bbox[0] | fabs) < 0.01
        and (.[0].segmentation[0][0] + .[1].segmentation[0][0] - $width["\(.[0].image_id)"] | fabs) < 0.01)' \
    "$data/in.json" out/annotations.json | grep -x true
  [ "$(jq -s 'map(.steps[0].type) | unique == ["horizontal_flip"]' out/manifest.jsonl)" = true ]
  [ "$(jq .images.written out/run.json)" -eq 4 ]
}

@test "smoke: a PNG that is flipped is the mirrored image, and so is its mask" {
  flip out "${coco[@]}" --masks "$data/masks" --include 'desk/*'
  python3 - "$data" <<'END'
import sys, png
for name in "images/desk/0002.png", "masks/desk/0002.png":
    *before, samples = png.read(f"{sys.argv[1]}/{name}")
    *after, got = png.read(f"out/{name}")
    height, width, n = before
    pixels = [samples[i:i + n] for i in range(0, len(samples), n)]
    mirrored = b"".join(p for y in range(height) for p in reversed(pixels[y * width:(y + 1) * width]))
    assert after == before and got == mirrored, name
END
}

@test "smoke: the number of jobs changes no byte, and the seed changes what is drawn" {
  go one -n 2 -j 1 --masks "$data/masks"
  go three -n 2 -j 3 --masks "$data/masks"
  same_tree one three
  go other -n 2 --masks "$data/masks" --seed 8
  run -1 diff -rq one/images other/images
}

@test "smoke: what a run writes, check finds nothing wrong with" {
  go out -n 2
  [ "$(jq '.images | length' out/annotations.json)" -eq 8 ]
  run -0 "$lockstep" check -a out/annotations.json -i out/images --select B,S,R,D,I001,I004 --fail-on warning
}

@test "smoke: copies are counted, and the original goes with them" {
  go out -n 2 --include-original
  [ "$(find out/images -type f | wc -l)" -eq 12 ]
  [ "$(jq '.images | length' out/annotations.json)" -eq 12 ]
}

@test "smoke: --dry-run draws and writes nothing" {
  run -0 --separate-stderr "$lockstep" run -p p.json "${coco[@]}" --dry-run
  [ "${#lines[@]}" -eq 4 ]
  [ "$(jq -s 'all(.[]; .steps[-1].type | length > 0)' <<< "$output")" = true ]
  [ -z "$(find . -name images)" ]
}

@test "smoke: a run that was killed is resumed to the same bytes" {
  go whole -n 2 -j 1
  (exec strace -qq -o /dev/null -e trace=pwrite64 -e inject=pwrite64:signal=KILL:when=6 \
    "$lockstep" run -q --durability none -p p.json -o out "${coco[@]}" -n 2 -j 1 2> killed.txt) || true
  [ -e out/.lockstep/journal ] || { cat killed.txt; return 1; }
  [ ! -e out/run.json ]
  go out -n 2 -j 1 --resume
  same_tree whole out
}

@test "smoke: shards are merged to the run in one part" {
  go whole
  for i in 1 0; do go out --shard $i/2; done
  "$lockstep" merge -q --durability none out
  same_tree whole out
}

@test "smoke: replay makes the bytes of the manifest, and --verify compares them" {
  go out -n 2
  "$lockstep" replay -q --durability none -m out/manifest.jsonl "${coco[@]}" -o again
  same_tree out/images again/images
  same_json out/annotations.json again/annotations.json
  run -0 "$lockstep" replay --verify -m out/manifest.jsonl "${coco[@]}" -o out
}

@test "smoke: verify finds a file that has changed" {
  flip out "${coco[@]}" --checksums
  run -0 "$lockstep" verify out
  echo >> out/images/desk/0002.png
  run -1 "$lockstep" verify out
  [[ $output == *'images/desk/0002.png'* ]]
}

@test "smoke: images in a tar give what their folder gives" {
  tar -cf images.tar -C "$data/images" park street desk fruit
  go folder
  "$lockstep" run -q --durability none -p p.json -i images.tar -a "$data/in.json" -o out
  same_tree folder/images out/images
  same_json folder/annotations.json out/annotations.json
}

@test "smoke: samples are written as a tar on stdout, and as WebDataset shards" {
  "$lockstep" run -q -p p.json "${coco[@]}" -o - > out.tar
  [ "$(tar -tf out.tar | grep -c '\.\(jpg\|png\)$')" -eq 4 ]
  go out --out-format webdataset --shard-size 2
  [ "$(find out -name '*.tar' | wc -l)" -eq 2 ]
}

@test "smoke: YOLO's labels are written, read, moved, and become COCO again" {
  "$lockstep" run -q --durability none -p none.json "${coco[@]}" -o yolo --to yolo --lossy
  [ "$(cat yolo/labels/desk/0002.txt | wc -l)" -eq 3 ]
  flip flipped -i yolo/images -a yolo/labels
  paste <(cut -d ' ' -f 2 yolo/labels/desk/0002.txt) <(cut -d ' ' -f 2 flipped/labels/desk/0002.txt) |
    awk '{ if ($1 + $2 < 0.99999 || $1 + $2 > 1.00001) bad = 1 } END { exit bad || NR != 3 }'
  flip back -i flipped/images -a flipped/labels --to coco
  [ "$(jq '.annotations | length' back/annotations.json)" -eq "$(jq '.annotations | map(select(.iscrowd == 0)) | length' "$data/in.json")" ]
}

@test "smoke: Pascal VOC's XML is written, read and moved" {
  "$lockstep" run -q --durability none -p none.json "${coco[@]}" -o voc --to voc --lossy
  flip out -i voc/JPEGImages -a voc/Annotations --include 'desk/*'
  # In an image of 200 pixels, with 1-based inclusive bounds.
  paste <(sed -n 's/.*<xmin>\(.*\)<.*/\1/p' voc/Annotations/desk/0002.xml) \
    <(sed -n 's/.*<xmax>\(.*\)<.*/\1/p' out/Annotations/desk/0002.xml) |
    awk '{ d = $1 + $2 - 201; if (d < -0.01 || d > 0.01) bad = 1 } END { exit bad || NR != 3 }'
}

@test "smoke: an RLE mask is mirrored, and has the area that it had" {
  jq '.annotations |= [{id: 1, image_id: 37778, category_id: 14, iscrowd: 1, bbox: [1, 1, 2, 3], area: 6,
    segmentation: {size: [120, 160], counts: [121, 3, 117, 3, 18956]}}]' "$data/in.json" > rle.json
  flip out -i "$data/images" -a rle.json --include 'fruit/*'
  jq -e '.annotations[0] | .segmentation.counts == [18841, 3, 117, 3, 236] and .area == 6 and .bbox == [157, 1, 2, 3]' \
    out/annotations.json || { jq -c '.annotations[0]' out/annotations.json; return 1; }
}

@test "smoke: a mirror swaps the left and right keypoints of a person" {
  flip out "${coco[@]}" --include 'street/*'
  # left_shoulder is the sixth keypoint, right_shoulder the seventh; x is the index of a pixel's column.
  jq -s '[.[].annotations[] | select(.keypoints and .image_id == 139) | .keypoints] as [$a, $b]
    | $a[17] == $b[20] and ($a[15] + $b[18] - 639 | fabs) < 0.01 and $a[16] == $b[19]' \
    "$data/in.json" out/annotations.json | grep -x true
}

@test "smoke: labels of whole images come from folders, and go to a table" {
  "$lockstep" run -q --durability none -p p.json -i "$data/images" --labels folders -o out --one-hot hot.csv
  [ "$(wc -l < hot.csv)" -eq 5 ]
  [ "$(cut -d , -f 2- hot.csv | sed 1d | sort -u | wc -l)" -eq 4 ]
}

@test "smoke: an image that cannot be read stops a run, or is skipped" {
  cp -r "$data/images" in && echo no > in/desk/0002.png
  run -4 "$lockstep" run -q -p p.json -i in -o out
  unfinished out
  run -1 "$lockstep" run -q -p p.json -i in -o skipped --on-error skip
  [ "$(find skipped/images -type f | wc -l)" -eq 3 ]
  [ "$(jq -r .source skipped/errors.jsonl)" = desk/0002.png ]
}

@test "smoke: check finds a fault, and --fix mends it" {
  run -0 "$lockstep" check "$data/in.json" --no-images --fail-on error
  jq '(.annotations[] | select(.id == 208)).area = 7' "$data/in.json" > bad.json
  run -1 "$lockstep" check bad.json --no-images --select A --fail-on warning
  [[ $output == *'[A003]'* ]]
  "$lockstep" check bad.json --no-images --select A --fix -o good.json
  run -0 "$lockstep" check good.json --no-images --select A --fail-on warning
  [ "$(jq '.annotations[] | select(.id == 208).area > 7' good.json)" = true ]
}

@test "smoke: stats counts objects, diff lists what has changed" {
  [ "$("$lockstep" stats "$data/in.json" --json | jq .objects)" = "$(jq '.annotations | length' "$data/in.json")" ]
  jq '.annotations[0].bbox[0] += 1' "$data/in.json" > other.json
  run -0 "$lockstep" diff "$data/in.json" "$data/in.json"
  run -1 "$lockstep" diff "$data/in.json" other.json
  [[ $output == *bbox* ]]
}

@test "smoke: split divides a file without losing an image" {
  "$lockstep" split -a "$data/in.json" -o parts --ratio 50:50
  [ "$(jq -s 'map(.images | length) | add' parts/train.json parts/val.json)" -eq 4 ]
}

@test "smoke: preview draws a contact sheet" {
  "$lockstep" preview -p p.json "${coco[@]}" -n 2 -o sheet.png desk/0002.png
  [ "$(head -c 4 sheet.png | tail -c 3)" = PNG ]
}

@test "smoke: explain shows the passes, and compile freezes every default" {
  run -0 "$lockstep" explain -p p.json
  [[ $output == *crop* ]]
  "$lockstep" compile -p p.json -o frozen.json
  go out
  "$lockstep" run -q --durability none -p frozen.json "${coco[@]}" -o frozen
  same_tree out/images frozen/images
}

@test "smoke: a pipeline of torchvision is imported and runs" {
  "$lockstep" import "$here/golden/import/torchvision-v1-rotation.txt" -o theirs.json
  "$lockstep" run -q --durability none -p theirs.json "${coco[@]}" --include 'fruit/*' -o out
  [ -s out/images/fruit/0002.png ]
}

@test "smoke: list, describe, help and schema print what there is" {
  [ "$("$lockstep" list ops --json | jq 'map(.name) | index("horizontal_flip") >= 0')" = true ]
  [[ $("$lockstep" describe RandomCrop) == *size* ]]
  [[ $("$lockstep" help run) == *--shard* ]]
  "$lockstep" schema | jq -e .properties.transforms > schema.txt
}

@test "smoke: what is wrong has its exit code: the command line, the pipeline, an input, the output folder" {
  refuses option-unknown 2 "$lockstep" run --no-such-option
  pipeline bad.json '{"type": "RandomCropp", "size": 9}'
  refuses step-unknown 3 "$lockstep" run -p bad.json "${coco[@]}" -o out
  run -4 "$lockstep" run -p p.json -i nowhere -o out
  [ ! -e out ]
  flip out "${coco[@]}" --include 'fruit/*'
  run -6 "$lockstep" run -p p.json "${coco[@]}" -o out
}
