#!/usr/bin/env bats
# The golden cases through the built command; see golden/README.md. Cases whose op does not exist
# yet are counted, and tested from the day it does.

load ../lib/helpers

setup() {
  begin
}

golden() { # kind
  local line
  run python3 "$BATS_TEST_DIRNAME/../golden/golden.py" --lockstep "$lockstep" "$1"
  echo "$output"
  [ "$status" -eq 0 ]
  while read -r line; do echo "# $line" >&3; done <<< "$output"
}

@test "golden: images" {
  golden image
}

@test "golden: label masks" {
  golden mask
}

@test "golden: boxes" {
  golden boxes
}

@test "golden: keypoints" {
  golden keypoints
}

@test "golden: 200 manifest lines, drawn by every random transform" {
  run python3 "$BATS_TEST_DIRNAME/../golden/draws.py" "$lockstep"
  echo "$output"
  [ "$status" -eq 0 ]
  echo "# $output" >&3
}
