#!/usr/bin/env bash
# Prints which lines of src/batch the tests run. Uses an instrumented build in $BUILD, the tests that match PATTERN, and
# one in ONE_IN places of the torture. Counters are in files that are mapped before main. So the counts of a killed
# worker are kept, and a worker need not open these files in its sandbox. Prints a table (lines, missed lines, share),
# followed by the missed lines. src/batch/README.md says which of them run all the same.
#
#   BUILD=build-coverage tests/tools/coverage.sh PATTERN ONE_IN
set -u
cd "$(dirname "$0")/../.." || exit 1
counters=$PWD/$BUILD/coverage
rm -rf "$counters"
mkdir -m 777 "$counters"
export LLVM_PROFILE_FILE=$counters/%c%m.profraw
tests/run.sh "$1"
[ "$2" -eq 0 ] || PYTHONDONTWRITEBYTECODE=1 python3 tests/torture/torture.py "$BUILD/lockstep" "$BUILD/tests" --share "$2"
llvm-profdata merge -o "$counters/all" "$counters"/*.profraw || exit
llvm-cov show "$BUILD/lockstep" -instr-profile="$counters/all" src/batch/*.c src/batch/*/*.c > "$counters/lines.txt"
llvm-cov report "$BUILD/lockstep" -instr-profile="$counters/all" src/batch/*.c src/batch/*/*.c |
  awk 'NF > 9 { printf "%-26s %8s %8s %8s\n", $1, $8, $9, $10 }'
echo 'not run:'
awk '
  function end_range() { if (to) printf((to > from) ? " %d-%d" : " %d", from, to); to = 0 }
  /^\/.*\.c:$/ { end_range(); sub(/.*\//, ""); sub(/:$/, ""); file = $0 }
  /^ *[0-9]+\| +0\|/ {
    line = $1 + 0
    if (!to || line != to + 1) end_range()
    if (!to) from = line
    if (file != shown) printf "%s%s:", shown == "" ? "" : "\n", file
    shown = file
    to = line
  }
  END { end_range(); print "" }' "$counters/lines.txt"
echo "each line with its count: $counters/lines.txt"
