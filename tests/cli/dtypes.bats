#!/usr/bin/env bats
# Types of samples: casts, full range, floats and where they may go; and probe.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  here=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
  lockstep=${LOCKSTEP:-$here/../build/lockstep}
  cd "$BATS_TEST_TMPDIR" || exit 1
  mkdir in
  python3 "$here/tools/blank.py" in/a.png 7 5 rgb 100
}

# made STEPS: the first sample of what they make of samples of 100, as PNG.
made() {
  printf '{"version": 1, "transforms": [%s], "output": {"format": "png"}}\n' "$1" > p.json
  "$lockstep" run -q -p p.json -i in -o out --overwrite || return
  python3 - out/images/a.png << 'EOF'
import re, struct, sys, zlib
data = open(sys.argv[1], "rb").read()
depth = data[24]
at, body = 8, b""
while at < len(data):
    size, name = struct.unpack(">I4s", data[at:at + 8])
    body += data[at + 8:at + 8 + size] if name == b"IDAT" else b""
    at += 12 + size
rows = zlib.decompress(body)
print(depth, int.from_bytes(rows[1:1 + depth // 8], "big"))  # any filter leaves the first as it is
EOF
}

dtype() { printf '{"type": "to_dtype", "dtype": "%s", "scale": %s}' "$1" "$2"; }

@test "dtypes: full range stays full range, and casts keep values or saturate" {
  [ "$(made "$(dtype uint16 true)")" = "16 25700" ]
  [ "$(made "$(dtype uint16 false)")" = "16 100" ]
  [ "$(made "$(dtype uint16 true), $(dtype uint8 true)")" = "8 100" ]
  [ "$(made "$(dtype uint16 true), $(dtype uint8 false)")" = "8 255" ]
  [ "$(made "$(dtype float32 true), $(dtype uint8 true)")" = "8 100" ]
  [ "$(made "$(dtype float32 false), $(dtype uint8 false)")" = "8 100" ]
  [ "$(made "$(dtype float32 true), $(dtype uint16 true)")" = "16 25700" ]
}

@test "dtypes: normalize works on the scale 0..1" {
  # (100 / 255 - 0.2) / 0.5 * 255 = 98
  [ "$(made '{"type": "normalize", "mean": [0.2], "std": [0.5]}, '"$(dtype uint8 true)")" = "8 98" ]
  [ "$(made '{"type": "Normalize", "mean": [0.2, 0, 0], "std": [0.5, 1, 1]}, {"type": "Pad", "padding": 0},
             '"$(dtype uint8 true)")" = "8 98" ]
}

@test "dtypes: floats go into TIFF only, which is known before work begins" {
  printf '{"version": 1, "transforms": [{"type": "Normalize", "mean": 0.5, "std": 0.5}]}\n' > p.json
  run -4 "$lockstep" run -p p.json -i in -o out
  [[ $output == *'"format": "tiff"'*"[output-float]"* ]]
  [ ! -e out ]
  run -0 "$lockstep" run -q -p p.json -i in -o out --format tiff
  [ "$(head -c 2 out/images/a.tif)" = II ]
}

@test "dtypes: colours of floats are refused, moves are not" {
  printf '{"version": 1, "output": {"format": "tiff"}, "transforms": [%s, %s]}\n' \
    "$(dtype float32 true)" '{"type": "invert"}' > p.json
  run -4 "$lockstep" run -p p.json -i in -o out
  [[ $output == *"invert works on 8 and 16 bit"* ]]
  printf '{"version": 1, "output": {"format": "tiff"}, "transforms": [%s, %s, %s, %s]}\n' \
    "$(dtype float32 true)" '{"type": "rotate", "angle": 30, "interpolation": "bilinear"}' \
    '{"type": "resize", "size": 9}' '{"type": "crop", "top": -1, "left": 0, "height": 4, "width": 5}' > p.json
  run -0 "$lockstep" run -q -p p.json -i in -o out --overwrite
}

@test "probe: a line of JSON for each image; what is none is told and the others go on" {
  python3 "$here/tools/blank.py" in/g.png 3 9 gray
  echo none > in/c.png
  run -4 --separate-stderr "$lockstep" probe in/a.png in/c.png in/g.png
  [ "${#lines[@]}" -eq 2 ]
  jq -e '. == {file: "in/a.png", format: "png", width: 7, height: 5, bands: 3, depth: 8, orientation: 1}' <<< "${lines[0]}"
  jq -e '.bands == 1 and .width == 3 and .height == 9' <<< "${lines[1]}"
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == *"in/c.png: "*"[image-unread]"* ]]
}
