#!/usr/bin/env bats
# Effects of compression on images: the op webp, and ImageCompression.
bats_require_minimum_version 1.5.0

load ../lib/helpers

setup() {
  begin
  mkdir in
}

# through STEP FOLDER [OUTPUT]: the images of FOLDER through a step, to out/, as PNG or as OUTPUT says.
through() {
  printf '{"version": 1, "output": {%s}, "transforms": [%s]}\n' "${3:-"\"format\": \"png\""}" "$1" > p.json
  "$lockstep" run -q --overwrite -p p.json -i "$2" -o out
}

# picture FILE CHANNELS DEPTH: waves of colours; alpha falls from row to row.
picture() {
  python3 - "$@" << 'PY'
import math, sys
import png
channels, depth = map(int, sys.argv[2:])
top, colours = 2 ** depth - 1, channels - (channels % 2 == 0)
rows = [[int(top * (1 - y / 50 if b >= colours else 0.5 + 0.4 * math.sin(x / (5 + 3 * b)) * math.cos(y / (7 - b))))
         for x in range(61) for b in range(channels)] for y in range(47)]
png.write(sys.argv[1], rows, channels, depth)
PY
}

@test "compression: webp leaves what a WebP of that quality leaves" {
  picture in/a.png 3 8
  for quality in 1 40 100; do
    through '{"type": "invert"}, {"type": "invert"}' in "\"format\": \"webp\", \"quality\": $quality"
    mkdir -p read && cp out/images/a.webp read/
    through '{"type": "invert"}, {"type": "invert"}' read
    cp out/images/a.png want.png
    through "{\"type\": \"webp\", \"quality\": $quality}" in
    cmp want.png out/images/a.png
    run -1 cmp -s in/a.png out/images/a.png
  done
}

@test "compression: webp of gray, alpha and 16 bit" {
  for channels in 1 2 3 4; do
    for depth in 8 16; do
      rm -rf in && mkdir in
      picture in/a.png $channels $depth
      for quality in 2 95; do
        through "{\"type\": \"webp\", \"quality\": $quality}" in
        python3 - in/a.png out/images/a.png $channels $depth $quality << 'PY'
import sys
import png
(h, w, n, old), (height, width, channels, new) = png.read(sys.argv[1]), png.read(sys.argv[2])
wanted, depth, quality = map(int, sys.argv[3:])
top = 2 ** depth - 1
assert (height, width, channels) == (h, w, wanted) and type(old) is type(new), (height, width, channels)
colours = channels - (channels % 2 == 0)
off = [abs(a - b) / top for i, (a, b) in enumerate(zip(old, new)) if i % channels < colours]
mean = sum(off) / len(off)
assert (mean < 0.03) if quality == 95 else (0.005 < mean < 0.2), mean
assert channels == colours or list(old[colours::channels]) == list(new[colours::channels]), "alpha"
assert depth == 8 or all(v % 257 == 0 for i, v in enumerate(new) if i % channels < colours), "more than 8 bit"
PY
      done
    done
  done
}

@test "compression: webp says which size is too large" {
  python3 -c 'import png; png.write("in/a.png", [[7] * 16383])'
  through '{"type": "webp", "quality": 50}' in
  python3 -c 'import png; png.write("in/a.png", [[7] * 16384])'
  printf '{"version": 1, "transforms": [{"type": "webp", "quality": 50}]}\n' > p.json
  run -4 --separate-stderr "$lockstep" run -q -p p.json -i in -o large
  [[ $stderr == *'16384x1 pixels exceed the maximum side of a WebP, 16383'* ]]
}

@test "compression: ImageCompression draws the quality of the format that it is given" {
  step='{"type": "ImageCompression", "compression_type": "webp", "quality_range": [30, 60], "p": 1}'
  printf '{"version": 1, "seed": 3, "output": {"format": "png"}, "transforms": [%s]}\n' "$step" > p.json
  "$lockstep" run -q -p p.json -i "$samples/images" -o one -n 3 --jobs 1
  "$lockstep" run -q -p p.json -i "$samples/images" -o two -n 3 --jobs 3 --optimize none
  diff -r one/images two/images
  [ "$(jq -r '.steps[].type' one/manifest.jsonl | sort -u)" = webp ]
  jq -e -s '[.[].steps[0].quality] | min >= 30 and max <= 60 and (unique | length) > 5' one/manifest.jsonl
}
