#!/usr/bin/env bats
# Broken images and masks fail alone: with --on-error skip they are listed and everything else is as
# if they had never been there; with --on-error fail they end the run.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  ulimit -c 0
  mkdir images images/broken
  cp -r "$samples/images/hills" "$samples/images/desk" images
  pipeline steps.json '{"type": "RandomHorizontalFlip"}, {"type": "RandomRotation", "degrees": 20},
    {"type": "ColorJitter", "brightness": 0.3}'
  jq '[.images[] | select(.file_name | test("^(hills|desk)/"))] as $images
      | .images = $images
      | .annotations |= map(select(.image_id as $i | any($images[]; .id == $i)))' \
    "$samples/annotations.json" > good.json
  : > broken.txt
}

# bad NAME [WIDTH HEIGHT]: images/broken/NAME (made by the test) is expected to fail.
bad() { printf '%s %s %s\n' "broken/$1" "${2:-0}" "${3:-0}" >> broken.txt; }

# all.json: good.json with the broken ones among the others, each with an annotation.
with_broken() {
  jq --rawfile list broken.txt '
    [$list | split("\n")[] | select(. != "") | split(" ")] as $broken
    | ($broken | to_entries | map(
        {id: (8000 + .key), file_name: .value[0]}
        + if .value[1] == "0" then {} else {width: (.value[1] | tonumber),
                                            height: (.value[2] | tonumber)} end)) as $images
    | .annotations += ($images | map({id: (.id + 1000), image_id: .id, category_id: 14,
                                      bbox: [1, 1, 5, 5], area: 25, iscrowd: 0}))
    | .images as $good
    | .images = $images[:3] + $good[:2] + $images[3:] + $good[2:]' good.json > all.json
}

# Runs with and without the broken ones, skipping; more options of run may be given.
judge() {
  local name
  with_broken
  "$lockstep" run -q -p steps.json -i images -a good.json -o clean -j 2 "$@"
  run -1 --separate-stderr "$lockstep" run -p steps.json -i images -a all.json -o out -j 2 \
    --on-error skip "$@"
  [ -z "$output" ]
  # shellcheck disable=SC2154 # run sets it
  printf '%s\n' "$stderr" > err.txt
  quiet err.txt
  listed
  for folder in images masks; do
    [ ! -e clean/$folder ] || same_tree clean/$folder out/$folder
  done
  cmp clean/manifest.jsonl out/manifest.jsonl
  same_json clean/annotations.json out/annotations.json
  [ "$(jq .images.skipped out/run.json)" -eq "$(wc -l < broken.txt)" ]
  [ ! -e out/.lockstep ]
}

# Each failed image has a line in errors.jsonl and one on stderr, with a message; no other image has.
listed() {
  diff <(cut -d ' ' -f 1 broken.txt | sort) <(jq -r .source out/errors.jsonl | sort)
  [ "$(jq -s 'all(.outcome == "failed" and (.message | length) > 12)' out/errors.jsonl)" = true ]
  cut -d ' ' -f 1 broken.txt | while read -r name; do
    grep -qF "$name" err.txt || { echo "not on stderr: $name"; return 1; }
  done
}

# Each one alone ends a run that does not skip; more options of run may be given.
judge_fail() {
  local name all=broken.txt
  mv broken.txt every.txt
  while read -r name; do
    printf '%s\n' "$name" > $all
    with_broken
    rm -rf out
    run -4 --separate-stderr "$lockstep" run -p steps.json -i images -a all.json -o out -j 2 "$@"
    # shellcheck disable=SC2154 # run sets it
    [[ $stderr == *"${name%% *}"* ]] || { echo "$name: $stderr"; return 1; }
    unfinished out
  done < every.txt
}

# The image $1 as every format that is read, in the folder sources. (GIF becomes PNG, so names must
# differ in more than their suffixes.)
sources() {
  local format
  mkdir -p in1
  cp "$1" in1/whole.png
  for format in jpeg png webp tiff; do
    case $format in
      jpeg | webp) pipeline copy.json '{"type": "to_dtype", "dtype": "uint8", "scale": true}' ;;
      *) pipeline copy.json '' ;;
    esac
    "$lockstep" run -q -p copy.json -i in1 -o "as-$format" --format $format
    mkdir -p sources
    cp "as-$format"/images/* sources
  done
  python3 - << 'EOF'
import struct
w, h, bits = 48, 36, []
def put(code):
    bits.extend(code >> i & 1 for i in range(8))
for i in range(w * h):
    if i % 100 == 0:
        put(128)  # the table is cleared before codes would grow
    put((i % w * 5 + i // w * 3) % 126)
put(129)
data = bytes(sum(bit << j for j, bit in enumerate(bits[i:i + 8])) for i in range(0, len(bits), 8))
with open("sources/gif.gif", "wb") as f:
    f.write(b"GIF89a" + struct.pack("<HHBBB", w, h, 0xf6, 0, 0) + bytes(range(128)) * 3)
    f.write(b"," + struct.pack("<HHHHB", 0, 0, w, h, 0) + b"\x07")
    for i in range(0, len(data), 255):
        f.write(bytes([len(data[i:i + 255])]) + data[i:i + 255])
    f.write(b"\0;")
EOF
}

truncated() {
  local file size at suffix
  sources "$samples/images/hills/0002.png"
  "$lockstep" run -q -p copy.json -i sources -o whole # complete files are read
  for file in sources/*; do
    size=$(stat -c %s "$file")
    suffix=${file##*.}
    for at in 1 2 4 8 10 12 14 15; do
      head -c $((size * at / 16)) "$file" > "images/broken/$suffix-$at.$suffix"
      bad "$suffix-$at.$suffix"
    done
    for at in 3 30; do
      head -c $at "$file" > "images/broken/$suffix-bytes$at.$suffix"
      bad "$suffix-bytes$at.$suffix"
    done
    [ "$suffix" = gif ] && continue # its last byte only says that the file ends
    head -c $((size - 1)) "$file" > "images/broken/$suffix-last.$suffix"
    bad "$suffix-last.$suffix"
  done
}

@test "images: truncated files of every format are skipped, whatever is missing" {
  truncated
  judge
  [ "$(wc -l < broken.txt)" -ge 50 ]
}

@test "images: truncated files of every format end a run that does not skip" {
  truncated
  judge_fail
}

# Files whose name claims another format.
disguised() {
  local suffix
  for suffix in jpg png webp tif gif; do
    : > "images/broken/$suffix-empty.$suffix"
    bad $suffix-empty.$suffix
    printf 'This is no picture.\n' > "images/broken/$suffix-text.$suffix"
    bad $suffix-text.$suffix
    printf '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="%s"/></svg>\n' \
      "$samples/images/hills/0002.png" > "images/broken/$suffix-svg.$suffix"
    bad $suffix-svg.$suffix
  done
  printf '%%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n' > images/broken/pdf.jpg
  printf 'BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0\x01\0\0\0\x01\0\0\0\x01\0\x18\0' > images/broken/bmp.png
  printf 'push graphic-context\nviewbox 0 0 9 9\n' > images/broken/mvg.png
  printf '<html></html>\n' > images/broken/html.jpg
  head -c 4000 /bin/sh > images/broken/elf.jpg
  { printf '\xff\xd8\xff\xe0'; head -c 4000 /bin/sh; } > images/broken/magic.jpg
  { printf '\x89PNG\r\n\x1a\n'; head -c 4000 /bin/sh; } > images/broken/magic.png
  for name in pdf.jpg bmp.png mvg.png html.jpg elf.jpg magic.jpg magic.png; do
    bad $name
  done
}

@test "images: empty files and files that are something else are skipped" {
  disguised
  judge
}

@test "images: empty files and files that are something else end a run that does not skip" {
  disguised
  judge_fail
}

# Paths that are not regular files, or lead elsewhere.
odd_files() {
  cp "$samples/images/hills/0002.png" secret.png
  mkdir images/broken/folder.jpg
  mkfifo images/broken/fifo.png
  ln -s nowhere.png images/broken/dangling.png
  ln -s loop.png images/broken/loop.png
  ln -s ../../secret.png images/broken/leaves.png
  ln -s "$samples/images/hills/0002.png" images/broken/absolute.png
  ln -s /dev/zero images/broken/zero.png
  for name in folder.jpg fifo.png dangling.png loop.png zero.png missing.png; do
    bad $name
  done
}

# With --no-follow, links do not count as files, either.
all_links() {
  odd_files
  ln -s ../hills/0002.png images/broken/stays.png
  ln -s ../hills images/broken/linked
  for name in leaves.png absolute.png stays.png linked/0002.png; do
    bad $name
  done
}

@test "images: folders, pipes, links to nowhere, and missing files are skipped" {
  odd_files
  judge
}

@test "images: folders, pipes, links to nowhere, and missing files end a run" {
  odd_files
  judge_fail
}

@test "images: with --no-follow links are skipped, or end a run" {
  all_links
  judge --no-follow
  rm -r out clean
  judge_fail --no-follow
}

@test "images: links are followed, inside of the folder and out of it" {
  local name
  ln -s ../hills images/desk/linked
  ln -s ../hills/0002.png images/desk/link.png
  cp "$samples/images/hills/0002.png" outside.png
  ln -s ../../outside.png images/desk/leaves.png
  for name in linked/0002.png link.png leaves.png; do
    printf 'desk/%s 201 151\n' $name >> broken.txt
  done
  with_broken
  "$lockstep" run -q -p steps.json -i images -a all.json -o out
  for name in linked/0002.png link.png leaves.png; do
    [ -f out/images/desk/$name ]
  done
}

# Complete files that do not fit the annotations or a step.
unsuitable() {
  cp "$samples/images/hills/0002.png" images/broken/swapped.png
  bad swapped.png 151 201
  cp "$samples/images/hills/0002.png" images/broken/larger.png
  bad larger.png 201 152
  # Flips one bit of the pixels; only the checksum of their chunk shows it.
  python3 - << 'EOF'
data = bytearray(open("images/hills/0002.png", "rb").read())
data[data.index(b"IDAT") + 200] ^= 16
open("images/broken/bit.png", "wb").write(data)
EOF
  bad bit.png
  # A header that promises more pixels than are allowed.
  python3 - << 'EOF'
import png
for name, side in ("bomb", 30000), ("overflow", 2147483647), ("nothing", 0):
    with open("images/broken/%s.png" % name, "wb") as file:
        file.write(png.assemble(side, side, 8, png.RGB, bytes(1000000)))
EOF
  bad bomb.png
  bad overflow.png
  bad nothing.png
}

@test "images: wrong sizes, damaged pixels and bombs are skipped" {
  unsuitable
  judge
}

@test "images: wrong sizes, damaged pixels and bombs end a run that does not skip" {
  unsuitable
  judge_fail
}

@test "images: what a step cannot do on one image fails that image" {
  cp "$samples/images/fruit/0002.png" images/broken/small.png # 160x120
  bad small.png
  pipeline steps.json '{"type": "Pad", "padding": 130, "padding_mode": "symmetric"}'
  judge
  grep -q 'padding of 130 pixels' err.txt
  judge_fail
}

@test "images: what fails in one copy leaves no other copy behind" {
  cp "$samples/images/fruit/0002.png" images/hills/small.png # 160x120
  printf 'hills/small.png 0 0\n' > broken.txt
  pipeline steps.json '{"type": "Pad", "padding": 130, "padding_mode": "symmetric"}'
  judge -n 2 --include-original # the original is written before its copies fail
}

@test "images: annotations that are wrong fail their image" {
  with_broken
  jq '(.images[] | select(.file_name == "hills/0003.png").id) as $i
      | (first(.annotations[] | select(.image_id == $i)) | .bbox) = [1, 2, 3]' good.json > all.json
  jq '(.images[] | select(.file_name == "hills/0003.png").id) as $i
      | del(.images[] | select(.id == $i)) | del(.annotations[] | select(.image_id == $i))' \
    good.json > less.json
  "$lockstep" run -q -p steps.json -i images -a less.json -o clean
  run -1 --separate-stderr "$lockstep" run -p steps.json -i images -a all.json -o out --on-error skip
  same_tree clean/images out/images
  same_json clean/annotations.json out/annotations.json
  jq -e 'select(.source == "hills/0003.png").message | test("all.json:[0-9]+:[0-9]+: annotations.*coco-bbox")' \
    out/errors.jsonl
  run -4 --separate-stderr "$lockstep" run -p steps.json -i images -a all.json -o out2
  unfinished out2
}

# Masks: whole images, with masks that will not do.
masked() {
  local name
  mkdir masks
  cp -r "$samples/masks/hills" "$samples/masks/desk" masks
  mkdir masks/broken
  for name in missing size larger rgb empty text cut palette folder dangling; do
    cp "$samples/images/hills/0002.png" images/broken/$name.png
    bad $name.png 201 151
  done
  python3 "$here/tools/blank.py" masks/broken/size.png 151 201 gray 3
  python3 "$here/tools/blank.py" masks/broken/larger.png 201 152 gray 3
  python3 "$here/tools/blank.py" masks/broken/rgb.png 201 151 rgb 3
  : > masks/broken/empty.png
  printf 'text\n' > masks/broken/text.png
  head -c 200 masks/hills/0002.png > masks/broken/cut.png
  python3 - << 'EOF'
import png
with open("masks/broken/palette.png", "wb") as file:
    file.write(png.assemble(201, 151, 8, png.PALETTE, bytes(202 * 151)))
EOF
  mkdir masks/broken/folder.png
  ln -s nowhere.png masks/broken/dangling.png
}

@test "images: masks that are missing, broken, or of another size or kind fail their image" {
  masked
  judge --masks masks
  [ ! -e out/images/broken ]
  [ ! -e out/masks/broken ]
  for name in 'it is 151x201, but the image is 201x151' 'several channels' 'palette' 'the file is empty' folder; do
    jq -r .message out/errors.jsonl | grep -q "^its mask broken/.*$name" || { echo "no message: $name"; false; }
  done
}

@test "images: masks that will not do end a run that does not skip" {
  masked
  judge_fail --masks masks
}

@test "images: a folder without annotations lists what cannot be read, and what is no image is left" {
  printf 'text\n' > images/notes.txt
  "$lockstep" run -q -p steps.json -i images -o clean
  odd_files
  rm images/broken/leaves.png images/broken/absolute.png
  ln -s . images/round
  : > images/broken/empty.jpg
  run -1 --separate-stderr "$lockstep" run -p steps.json -i images -o out --on-error skip
  same_tree clean/images out/images
  cmp clean/manifest.jsonl out/manifest.jsonl
  diff <(jq -r .source out/errors.jsonl) - << 'EOF'
broken/dangling.png
broken/empty.jpg
broken/fifo.png
broken/loop.png
broken/zero.png
EOF
  [[ $stderr == *'images/round: this link leads to a parent folder of itself'* ]]
}

@test "images: one image, given by its name, may fail like others" {
  "$lockstep" run -q -p steps.json -i images/hills/0002.png -o out
  [ -f out/images/0002.png ]
  : > empty.png
  run -4 --separate-stderr "$lockstep" run -p steps.json -i empty.png -o out2
  [[ $stderr == *'empty.png: the file is empty'* ]]
  run -4 --separate-stderr "$lockstep" run -p steps.json -i empty.png -o out3 --on-error skip
  [ "$(jq -r .source out3/errors.jsonl)" = empty.png ]
}

@test "images: --dry-run tells what cannot be read, too" {
  : > images/broken/empty.png
  bad empty.png
  bad missing.png
  with_broken
  "$lockstep" run -q -p steps.json -i images -a good.json -o clean
  run -1 --separate-stderr "$lockstep" run -p steps.json -i images -a all.json -o out --dry-run \
    --on-error skip
  diff <(printf '%s\n' "$output") clean/manifest.jsonl
  [[ $stderr == *broken/empty.png* && $stderr == *broken/missing.png* ]]
  run -4 --separate-stderr "$lockstep" run -p steps.json -i images -a all.json -o out --dry-run
  [ ! -e out ]
}
