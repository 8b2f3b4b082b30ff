#!/usr/bin/env bats
# Draws of transforms have the stated distributions; steps, copies and branches are independent of each other.
# OP=RandomRotation in the environment compares the draws of this transform only.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
}

@test "distributions: every random transform draws what is stated, over 300 copies" {
  python3 "$here/tools/distributions.py" --copies 300 "$lockstep" ${OP:+"$OP"}
}

# bats test_tags=release
@test "distributions: every random transform draws what is stated, over 2000 copies" {
  python3 "$here/tools/distributions.py" "$lockstep" ${OP:+"$OP"}
}
