#!/usr/bin/env bats
# Whatever run writes can be read: random datasets, formats and pipelines.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() { begin; }

@test "round trip: of 100 random cases, other commands and readers take each output, and no object is lost" {
  python3 "$here/search/round_trip.py" "$lockstep" 100 4
}

# bats test_tags=release
@test "round trip: the same of 2000 cases" {
  python3 "$here/search/round_trip.py" "$lockstep" 2000 2
}
