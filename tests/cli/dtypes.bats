#!/usr/bin/env bats
# Types of samples: casts, full range, floats and where they may go; and probe.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  mkdir in
  python3 "$here/tools/blank.py" in/a.png 7 5 rgb 100
}

# made STEPS: prints the first sample of the steps' output for samples of 100, as PNG.
made() {
  printf '{"version": 1, "transforms": [%s], "output": {"format": "png"}}\n' "$1" > p.json
  "$lockstep" run -q -p p.json -i in -o out --overwrite || return
  python3 - out/images/a.png << 'EOF'
import png, sys
with open(sys.argv[1], "rb") as file:
    depth = file.read()[24]
print(depth, png.read(sys.argv[1])[3][0])
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

@test "dtypes: 16 bits do not become 8 unasked" {
  local step format
  for format in jpeg webp; do
    printf '{"version": 1, "transforms": [%s], "output": {"format": "%s"}}\n' "$(dtype uint16 true)" $format > p.json
    run -4 "$lockstep" run -p p.json -i in -o out --overwrite
    [[ $output == *"16-bit samples cannot be written as $format"*'"to_dtype"'*'"rescale_intensity"'* ]]
    [ ! -e out/images/a.jpg ]
  done
  # The step that the message proposes works.
  step='{"type": "rescale_intensity", "in": [0, 4095]}'
  printf '{"version": 1, "transforms": [%s, %s, %s], "output": {"format": "jpeg"}}\n' "$(dtype uint16 false)" \
    "$step" "$(dtype uint8 true)" > p.json
  run -0 "$lockstep" run -q -p p.json -i in -o out --overwrite
}

# rescaled LEVELS STEP: prints the first samples of the step's output for a gray 16-bit image of these levels.
rescaled() {
  python3 - in/a.png "$1" << 'EOF'
import struct, sys, zlib
levels = [int(level) for level in sys.argv[2].split()]
rows = b"\0" + b"".join(struct.pack(">H", level) for level in levels)
def chunk(name, body):
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
head = struct.pack(">IIBBBBB", len(levels), 1, 16, 0, 0, 0, 0)
with open(sys.argv[1], "wb") as file:
    file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
EOF
  printf '{"version": 1, "transforms": [%s], "output": {"format": "png"}}\n' "$2" > p.json
  "$lockstep" run -q -p p.json -i in -o out --overwrite || return
  python3 - out/images/a.png << 'EOF'
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
at, body, width = 8, b"", struct.unpack(">I", data[16:20])[0]
while at < len(data):
    size, name = struct.unpack(">I4s", data[at:at + 8])
    body += data[at + 8:at + 8 + size] if name == b"IDAT" else b""
    at += 12 + size
rows = zlib.decompress(body)
assert data[24] == 16 and rows[0] in (0, 1, 2, 4), rows[0]
levels, left = [], 0
for x in range(width):
    sample = list(rows[1 + 2 * x:3 + 2 * x])
    if rows[0] in (1, 4):  # the first row: Paeth's is the one on the left
        sample = [(a + b) & 255 for a, b in zip(sample, left or [0, 0])]
    left = sample
    levels.append(sample[0] * 256 + sample[1])
print(*levels)
EOF
}

@test "dtypes: rescale_intensity stretches stated levels, the image's own, or percentiles" {
  [ "$(rescaled '0 1000 4095 5000' '{"type": "rescale_intensity", "in": [0, 4095]}')" = "0 16004 65535 65535" ]
  [ "$(rescaled '0 1000 4095 5000' '{"type": "rescale_intensity", "in": [1000, 2000]}')" = "0 0 65535 65535" ]
  [ "$(rescaled '100 200 300 500' '{"type": "rescale_intensity"}')" = "0 16384 32768 65535" ]
  [ "$(rescaled '100 200 300 500 60000' '{"type": "rescale_intensity", "percentiles": [0, 80]}')" = \
    "0 16384 32768 65535 65535" ]
  [ "$(rescaled '300 300 300' '{"type": "rescale_intensity"}')" = "300 300 300" ]
  printf '{"version": 1, "transforms": [{"type": "rescale_intensity", "in": [9, 9]}]}\n' > p.json
  run -3 "$lockstep" schema --check p.json
  [[ $output == *'[param-order]'* ]]
}

@test "dtypes: a result that a format is too small for is refused" {
  printf '{"version": 1, "output": {"format": "webp"}, "transforms": [{"type": "resize", "size": [1, 16384]}]}\n' > p.json
  run -4 "$lockstep" run -p p.json -i in -o out
  [[ $output == *"webp files have at most 16383 per side"*"[output-size]"* ]]
}

@test "dtypes: colours of floats are refused, moves are not" {
  printf '{"version": 1, "output": {"format": "tiff"}, "transforms": [%s, %s]}\n' \
    "$(dtype float32 true)" '{"type": "invert"}' > p.json
  run -4 "$lockstep" run -p p.json -i in -o out
  [[ $output == *"invert works on 8 and 16 bit"*"[step-refused]"* ]]
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
  jq -e '. == {file: "in/a.png", format: "png", width: 7, height: 5, channels: 3, depth: 8, orientation: 1}' <<< "${lines[0]}"
  jq -e '.channels == 1 and .width == 3 and .height == 9' <<< "${lines[1]}"
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == *"in/c.png: "*"[image-unread]"* ]]
}
