#!/usr/bin/env bats
# AutoAugment, RandAugment, TrivialAugmentWide and AugMix: torchvision's tables, by the manifest.
bats_require_minimum_version 1.5.0

setup() {
  here=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
  lockstep=${LOCKSTEP:-$here/../build/lockstep}
  cd "$BATS_TEST_TMPDIR" || exit 1
}

@test "policies: every operation and strength of the tables comes, as often as it should, and no other" {
  python3 "$here/tools/policies.py" "$lockstep"
}
