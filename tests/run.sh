#!/usr/bin/env bash
# Run all tests against $BUILD and count them; the last line is "N passed, M failed, K skipped".
set -u
cd "$(dirname "$0")/.." || exit 1
: "${BUILD:=build}"
export LOCKSTEP="$PWD/$BUILD/lockstep"
export BUILD
export ASAN_OPTIONS=detect_leaks=0 # libvips and GLib keep what they took at start
export LC_ALL=C.UTF-8
log=$(mktemp)
trap 'rm -f "$log"' EXIT

lint() {
  # The sources are the same whatever they are built with.
  [ "$BUILD" = build ] && BUILD=$BUILD tests/lint.sh
}

unit() {
  local test
  for test in "$BUILD"/unit/test_*; do
    [ -x "$test" ] || continue
    case $test in *.d | *.o) continue ;; esac
    if "$test" tests/golden/rle.jsonl; then
      echo "ok unit: $(basename "$test")"
    else
      echo "not ok unit: $(basename "$test")"
    fi
  done
}

# Inputs that the fuzzers have found, once each.
replay() {
  local test name names
  for test in "$BUILD"/unit/fuzz_*; do
    case $test in *.d | *.o) continue ;; esac
    name=$(basename "$test")
    if names=$("$test" "tests/fuzz/corpus/$name"); then
      echo "ok fuzz corpus: $name"
    else
      echo "not ok fuzz corpus: $name"
      echo "#   at tests/fuzz/corpus/$name/$(tail -n 1 <<< "$names")"
    fi
  done
}

{
  lint
  unit
  replay
  bats --tap --jobs "$(nproc)" --no-parallelize-within-files "${T:-tests}"
} 2>&1 | tee "$log"

passed=$(grep -cE '^ok ' "$log")
failed=$(grep -cE '^not ok ' "$log")
skipped=$(grep -cE '^ok .*# skip' "$log")
echo
echo "$((passed - skipped)) passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
