#!/usr/bin/env bats
# Ops that recolour, on gray and RGB, with and without alpha, 8 and 16 bit; see tables.py.
bats_require_minimum_version 1.5.0

load ../lib/helpers

setup() {
  begin
}

@test "tables: every recolouring op keeps sizes, alpha, masks and annotations, and does what it says" {
  mkdir tables
  run python3 "$here/tools/tables.py" "$lockstep" tables
  echo "$output"
  [ "$status" -eq 0 ]
  echo "# $output" >&3
}

@test "tables: gray images stay what they are after a change of channels" {
  mkdir images
  python3 "$here/tools/blank.py" images/a.png 20 10
  printf '{"version": 1, "transforms": [{"type": "RandomInvert", "p": 1}, {"type": "Grayscale"},
    {"type": "adjust_saturation", "saturation_factor": 2}, {"type": "RandomChannelPermutation"},
    {"type": "equalize"}, {"type": "pad", "padding": 2, "fill": [10, 10, 10]}, {"type": "autocontrast"},
    {"type": "RandomGrayscale", "p": 1}, {"type": "RandomSolarize", "threshold": 128, "p": 1}]}' > p.json
  "$lockstep" run -q -p p.json -i images -o out
  [ "$(jq -c '[.steps[].type]' out/manifest.jsonl)" = \
    '["invert","rgb_to_grayscale","adjust_saturation","equalize","pad","autocontrast","rgb_to_grayscale","solarize"]' ] || {
    jq -c . out/manifest.jsonl
    false
  }
  python3 -c 'import sys; data = open("out/images/a.png", "rb").read()
sys.exit(data[16:26] != bytes([0, 0, 0, 24, 0, 0, 0, 14, 8, 0]))' # gray, 8 bit
}

refused() { # step, code
  printf '{"version": 1, "transforms": [%s]}' "$1" > p.json
  run -3 --separate-stderr "$lockstep" schema --check p.json
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == *"[$2]"* ]] || { echo "$1: $stderr"; return 1; }
}

@test "tables: what is no permutation, and two gray channels, are refused" {
  refused '{"type": "permute_channels", "permutation": [0, 1]}' param-length
  refused '{"type": "permute_channels", "permutation": [0, 2, 2]}' param-conflict
  refused '{"type": "permute_channels", "permutation": [1]}' param-conflict
  refused '{"type": "rgb_to_grayscale", "num_output_channels": 2}' param-range
  refused '{"type": "Grayscale", "num_output_channels": 2}' param-range
}
