#!/usr/bin/env bats
# What transforms draw is distributed as stated, and steps, copies and branches do not know of each other.
bats_require_minimum_version 1.5.0

@test "distributions: every random transform draws what is stated, over 2000 copies" {
  here=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
  python3 "$here/tools/distributions.py" "${LOCKSTEP:-$root/build/lockstep}"
}
