#!/usr/bin/env bats
# Formats that stay: data decide and not names; frames, lossless WebP, subsampling, floats.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  pipeline p.json '{"type": "horizontal_flip"}'
  pipeline copy.json ''
  mkdir in files
}

# made FORMAT OUTPUT: a sample as a file of this format, `output` being the pipeline's section.
made() {
  printf '{"version": 1, "transforms": [], "output": {"format": "%s"%s}}\n' "$1" "${2:+, $2}" > made.json
  rm -rf made
  "$lockstep" run -q -p made.json -i "$samples/images/street/0003.png" -o made
  cat made/images/*
}

format() { "$lockstep" probe "$1" | jq -r .format; }

# How a WebP's pixels are coded: VP8L or VP8.
coded() { LC_ALL=C grep -aoE 'VP8L|VP8 ' "$1" | head -1 | tr -d ' '; }

# The sampling factors of a JPEG's components: "22 11 11" for 4:2:0.
factors() {
  python3 - "$1" << 'PY'
import sys
data = open(sys.argv[1], "rb").read()
at = data.index(b"\xff\xc0") + 9
print(*("%02x" % data[at + 2 + 3 * i] for i in range(data[at])))
PY
}

@test "formats: same follows the data, and names that say otherwise are told once" {
  made png > in/a.jpg
  made jpeg > in/b.png
  made jpeg > in/c.jfif
  made webp > in/d.JPG
  made jpeg > in/e.jpg
  run -0 --separate-stderr "$lockstep" run -p p.json -i in -o out
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == *"3 images, first a.jpg: "*"[format-misnamed]"* ]]
  [ "$(cd out/images && echo *)" = "a.jpg b.png c.jfif d.JPG e.jpg" ]
  for name in a.jpg:png b.png:jpeg c.jfif:jpeg d.JPG:webp e.jpg:jpeg; do
    [ "$(format "out/images/${name%:*}")" = "${name#*:}" ] || { echo "$name"; return 1; }
  done
  [ "$(jq .names.misleading out/run.json)" -eq 3 ]
  run -0 --separate-stderr "$lockstep" run -p p.json -i in -o out2 --format png
  [[ $stderr != *misnamed* ]]
  [ "$(cd out2/images && echo *)" = "a.png b.png c.png d.png e.png" ]
}

@test "formats: names that promise nothing are kept, and what they hold stays" {
  made jpeg > files/a.dat
  made png > files/b
  jq -n '{images: [{id: 1, file_name: "a.dat"}, {id: 2, file_name: "b"}], annotations: [], categories: []}' > a.json
  run -0 --separate-stderr "$lockstep" run -p p.json -i files -a a.json -o out
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr != *misnamed* ]]
  [ "$(format out/images/a.dat)" = jpeg ]
  [ "$(format out/images/b)" = png ]
  [ "$(jq -r '[.images[].file_name] | join(" ")' out/annotations.json)" = "a.dat b" ]
}

@test "formats: lossless WebP stays lossless, and lossy stays lossy" {
  made webp > in/lossy.webp
  python3 "$here/tools/webp_lossless.py" in/lossless.webp 40 30
  "$lockstep" run -q -p copy.json -i in -o out
  "$lockstep" run -q -p copy.json -i in -o as-png --format png
  "$lockstep" run -q -p copy.json -i out/images -o again --format png
  cmp as-png/images/lossless.png again/images/lossless.png
  [ "$(coded out/images/lossless.webp)" = VP8L ]
  [ "$(coded out/images/lossy.webp)" = VP8 ]
  "$lockstep" run -q -p copy.json -i in/lossless.webp -o asked --format webp
  [ "$(coded asked/images/lossless.webp)" = VP8 ]
}

@test "formats: large images of one color can be read back in every format" {
  python3 "$here/tools/blank.py" in/a.png 8 8 rgb 90
  python3 "$here/tools/webp_lossless.py" in/b.webp 8 8
  pipeline large.json '{"type": "erase", "i": 0, "j": 0, "h": 8, "w": 8, "v": 90}, {"type": "resize", "size": [4100, 4100]}'
  for format in same jpeg webp tiff; do
    "$lockstep" run -q -p large.json -i in -o "$format" --format "$format"
    "$lockstep" run -q -p copy.json -i "$format/images" -o "$format-again"
    [ "$(find "$format-again/images" -type f | wc -l)" -eq 2 ]
    rm -r "$format-again"
  done
  [ "$(coded same/images/b.webp)" = VP8L ]
  "$lockstep" verify same
}

@test "formats: a JPEG's colours stay as fine as they are, unless the pipeline says otherwise" {
  for s in 0 2 4; do
    made jpeg "\"subsampling\": \"4:$((s ? 2 : 4)):$((s == 4 ? 0 : s ? 2 : 4))\"" > "in/$s.jpg"
  done
  for optimize in none exact fast; do
    "$lockstep" run -q -p p.json -i in -o "out-$optimize" --optimize $optimize
    for s in 0 2 4; do
      [ "$(factors "out-$optimize/images/$s.jpg")" = "$(factors "in/$s.jpg")" ] || { echo "$optimize $s"; return 1; }
    done
  done
  [ "$(factors in/0.jpg)" = "11 11 11" ]
  [ "$(factors in/2.jpg)" = "21 11 11" ]
  printf '{"version": 1, "transforms": [], "output": {"subsampling": "4:2:0"}}\n' > p.json
  "$lockstep" run -q -p p.json -i in -o asked
  [ "$(factors asked/images/0.jpg)" = "22 11 11" ]
  "$lockstep" run -q -p copy.json -i "$samples/images/street/0003.png" -o png --format jpeg
  [ "$(factors png/images/0003.jpg)" = "22 11 11" ]
}

@test "formats: of several frames the first is taken and the rest is told, or the image fails" {
  python3 "$here/hostile/frames.py" in
  made png > in/one.png
  run -0 --separate-stderr "$lockstep" run -p p.json -i in -o out
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == *"4 images, first several-gif.gif: "*"[frames-dropped]"* ]]
  [ "$(jq .frames.of out/run.json)" -eq 4 ]
  run -1 --separate-stderr "$lockstep" run -p p.json -i in -o out2 --on-frames fail --on-error skip
  [ "$(jq -r .source out2/errors.jsonl | sort | tr '\n' ' ')" = \
    "several-gif.gif several-png.png several-tif.tif several-webp.webp " ]
  run -4 --separate-stderr "$lockstep" run -p p.json -i in -o out3 --on-frames fail
  [[ $stderr == *several-gif.gif*--on-frames* ]]
  mkdir masks
  cp in/several-png.png masks/one.png
  run -0 "$lockstep" run -p copy.json -i in/one.png -o out4 --dry-run --on-frames fail
  # Pages that are smaller versions of the first are not frames.
  [ -f out/images/reduced.tif ]
  [[ $(jq -r .source out2/errors.jsonl) != *reduced* ]]
}

@test "formats: floats that a run has written can be read, and longer ones are refused" {
  "$lockstep" run -q -p copy.json -i "$samples/images/street/0003.png" -o plain --format tiff
  printf '%s\n' '{"version": 1, "output": {"format": "tiff"}, "transforms":
    [{"type": "Normalize", "mean": [0.5], "std": [0.25]}]}' > normalize.json
  "$lockstep" run -q -p normalize.json -i "$samples/images/street/0003.png" -o floats
  [ "$("$lockstep" probe floats/images/0003.tif | jq -c '[.depth, .channels, .width]')" = "[32,3,333]" ]
  "$lockstep" run -q -p copy.json -i floats/images -o again
  cmp floats/images/0003.tif again/images/0003.tif
  printf '%s\n' '{"version": 1, "output": {"format": "png"}, "transforms":
    [{"type": "normalize", "mean": [-2], "std": [4]}, {"type": "to_dtype", "dtype": "uint8", "scale": true}]}' > back.json
  "$lockstep" run -q -p back.json -i floats/images -o back
  "$lockstep" run -q -p copy.json -i "$samples/images/street/0003.png" -o same
  cmp same/images/0003.png back/images/0003.png
  python3 - << 'PY'
import struct
pixels = [0.25 * i - 1 for i in range(12)]
for size, kind in ((4, "f"), (8, "d")):
    entries = [(256, 4, 4), (257, 4, 3), (258, 3, 8 * size), (259, 3, 1), (262, 3, 1), (273, 4, 8),
               (277, 3, 1), (278, 4, 3), (279, 4, 12 * size), (339, 3, 3)]
    data = struct.pack("<12" + kind, *pixels)
    open("f%d.tif" % size, "wb").write(
        b"II*\0" + struct.pack("<I", 8 + len(data)) + data + struct.pack("<H", len(entries)) +
        b"".join(struct.pack("<HHII", t, k, 1, v) for t, k, v in entries) + bytes(4))
PY
  "$lockstep" run -q -p p.json -i f4.tif -o f4
  run -4 "$lockstep" run -p p.json -i f8.tif -o f8
  [[ $output == *"f8.tif: samples of 64 bits; floats of 32 bits can be read"* ]]
  mkdir masks
  cp f4.tif masks/f4.png
  run -4 "$lockstep" run -p p.json -i f4.tif --masks masks -o masked
  [[ $output == *floats* ]]
  run -4 "$lockstep" run -p p.json -i f4.tif -o png --format png
  [[ $output == *floats* ]]
}
