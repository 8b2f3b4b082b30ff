#!/usr/bin/env bats
# AutoAugment, RandAugment, TrivialAugmentWide and AugMix: torchvision's tables, by the manifest.
bats_require_minimum_version 1.5.0

load ../lib/helpers

setup() {
  begin
}

@test "policies: every operation and strength of the tables comes, as often as it should, and no other" {
  python3 "$here/tools/policies.py" "$lockstep"
}
