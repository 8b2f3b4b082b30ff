#!/usr/bin/env bash
# Run the tests against $BUILD under prove; the last line is "N passed, M failed, K skipped".
#
#   tests/run.sh               all parts
#   tests/run.sh PATTERN       the parts whose names match (a regular expression), with every test's name;
#                              none matching is a failure
#   tests/run.sh --list [PATTERN]      their names
#   tests/run.sh --programs [PATTERN]  what make has to build for them
#
# A part is a lint check (lint/format), a program of unit tests (unit/test_rle), a corpus of a fuzz target
# (corpus/fuzz_rle), a bats file (tests/cli/batch.bats), or a sample of the planted faults (planted/sample). Each speaks
# TAP with a plan; tests/harness/part.sh runs one. So one of each, built first:
#
#   make test T=format    make test T=test_rle    make test T=corpus/fuzz_rle    make test T=batch.bats
#
# or by hand: tests/lint.sh format, build/unit/test_rle, bats tests/cli/batch.bats. JOBS=4 sets how many parts run at
# a time. What each printed is kept in $BUILD/tests/log, and the seconds of a processor that each took in log/cpu.
set -u
cd "$(dirname "$0")/.." || exit 1
: "${BUILD:=build}"
: "${JOBS:=$(($(nproc) + 1))}" # one more: some parts wait
export LOCKSTEP="$PWD/$BUILD/lockstep"
export BUILD
export ASAN_OPTIONS=detect_leaks=0 # libvips and GLib keep what they took at start
export LC_ALL=C.UTF-8
unset "${!HARNESS_@}" # options of prove's, as one that ignores exit statuses
shopt -s globstar nullglob

# These take longest, so they begin first: two minutes of a processor, down to half of one.
slow='planted/sample lint/clang tests/cli/distributions.bats lint/gcc tests/cli/vocabulary.bats tests/cli/fast.bats
  tests/cli/docs.bats unit/test_fast tests/cli/build.bats tests/cli/torture.bats tests/cli/check_rules.bats
  tests/cli/batch.bats tests/cli/geometry.bats tests/cli/examples.bats tests/cli/tile.bats tests/cli/oom.bats
  tests/cli/shards.bats tests/cli/replay.bats tests/cli/join.bats'

# A kind of which there is nothing is a part that is missing.
of_kind() { # kind, name...
  local kind=$1
  shift
  [ $# -gt 0 ] || set -- none
  printf "$kind/%s\n" "$@"
}

parts() {
  local checks bats units corpora
  mapfile -t checks < <(tests/lint.sh --list)
  bats=(tests/**/*.bats)
  units=(tests/unit/test_*.c)
  units=("${units[@]##*/}")
  corpora=(tests/fuzz/fuzz_*.c tests/fuzz/corpus/*)
  corpora=("${corpora[@]##*/}")
  of_kind lint "${checks[@]}"
  of_kind tests "${bats[@]#tests/}"
  of_kind unit "${units[@]%.c}"
  of_kind corpus "${corpora[@]%.c}"
  of_kind planted sample
}

mode=run
case ${1-} in --list | --programs) mode=${1#--} && shift ;; esac
pattern=${1-}
[[ x =~ $pattern ]]
[ $? -ne 2 ] || { echo "$0: \"$pattern\" is no regular expression" >&2; exit 2; }

selected=()
while read -r part; do
  if [[ $part =~ $pattern ]]; then selected+=("$part"); fi
done < <(parts | awk -v slow="$slow" '
  BEGIN { for (n = split(slow, name); n > 0; n--) rank[name[n]] = n }
  !seen[$0]++ { print ($0 in rank) ? rank[$0] : 1000 + NR, $0 }' | sort -n | cut -d " " -f 2-)

case $mode in
  list) printf '%s\n' "${selected[@]}" && exit ;;
  programs)
    for part in "${selected[@]}"; do
      case $part in unit/* | corpus/*) echo "$BUILD/unit/${part#*/}" ;; esac
    done
    exit
    ;;
esac
[ ${#selected[@]} -gt 0 ] || { echo "No part of the tests matches \"$pattern\"; tests/run.sh --list names all."; }

tally=$(mktemp)
trap 'rm -f "$tally"' EXIT
options=(--norc --formatter Tally --timer --jobs "$JOBS" --failures --comments --directives)
[ -z "$pattern" ] || options+=(--verbose)
status=1
rm -f "$BUILD/tests/log/cpu"
if [ ${#selected[@]} -gt 0 ]; then
  TALLY=$tally PERL5LIB=$PWD/tests/harness prove "${options[@]}" --exec tests/harness/part.sh "${selected[@]}" 2>&1
  status=$?
fi

# Whatever prove returned, it must have run every part.
if ! { read -r passed failed skipped && mapfile -t ran; } < "$tally"; then
  passed=0 failed=0 skipped=0 ran=()
fi
while read -r part; do
  echo "$part was not run"
  failed=$((failed + 1))
done < <(printf '%s\n' "${selected[@]}" | grep -vxFf <(printf '%s\n' "${ran[@]}"))
[ "$status" -eq 0 ] || [ "$failed" -gt 0 ] || failed=1
if [ ${#selected[@]} -gt 20 ] && [ -s "$BUILD/tests/log/cpu" ]; then
  printf '\nCPU seconds of the slowest parts, of %.0f in all:\n' "$(awk '{ sum += $1 } END { print sum }' "$BUILD/tests/log/cpu")"
  sort -rn "$BUILD/tests/log/cpu" | head -n 20
fi
echo
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
