#!/usr/bin/env bats
# Damaged image files and archives are refused or give the pixels they had, wherever the format can tell. A small
# sample of `make search-damage`.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
}

@test "damage: cuts, flipped bits, zeros and swapped blocks in files of every kind" {
  needs_built tests/make_families
  run -0 python3 "$here/damage/damage.py" "$lockstep" "$tools/make_families" 24 7
  [[ $output == *"22 families, 24 damages of each: 0 faults"* ]]
}

@test "damage: flipped bits, cuts and appended bytes in compressed archives" {
  run -0 python3 "$here/damage/archives.py" "$lockstep" 8 7
  [[ $output == *"9 archives, 405 damages: 0 faults"* ]]
}
