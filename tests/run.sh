#!/usr/bin/env bash
# Runs the tests against $BUILD under prove; the last line is "N passed, M failed, K skipped".
#
#   tests/run.sh --tier quick          the parts of the quick tier
#   tests/run.sh --tier full           these, and then the parts of the full tier
#   tests/run.sh --tier release        the parts of the release tier alone
#   tests/run.sh [PATTERN]             all parts whose names match a regular expression, with the name of each test;
#                                      no match is a failure. --tier restricts these, too.
#   tests/run.sh --list ...            prints the names of the parts instead, with the tier of each
#   tests/run.sh --programs ...        prints what make has to build for the parts instead
#
# A part is one of:
#   lint/format              a check of tests/lint.sh
#   unit/test_rle            a program of unit tests
#   corpus/fuzz_rle          the corpus of a fuzz target
#   tests/cli/batch.bats     a bats file without its tests tagged release
#   release/cli/batch.bats   the tests of a bats file tagged release
# Each prints TAP with a plan; tests/harness/part.sh runs one. To build and run one of each:
#
#   make test T=format    make test T=test_rle    make test T=corpus/fuzz_rle    make test T=batch.bats
#
# In the environment, with PATTERN only: ONLY=REGEX runs the tests of bats files whose names match; OP=NAME and RULE=ID
# restrict tests that walk a registry. JOBS=4 sets how many parts run at a time. The output of each part is kept in
# $BUILD/tests/log, and its CPU seconds in log/cpu.
set -u
cd "$(dirname "$0")/.." || exit 1
: "${BUILD:=build}"
: "${ONLY:=}"
: "${JOBS:=$(($(nproc) + 1))}" # one more: some parts wait
export LOCKSTEP="${STAND_IN:-$PWD/$BUILD/lockstep}" # contained_calls.sh has a stand-in
unset STAND_IN
export BUILD ONLY
export ASAN_OPTIONS=detect_leaks=0 # libvips and GLib keep memory that they allocate at start
export LC_ALL=C.UTF-8
unset "${!HARNESS_@}" # options of prove, such as one that ignores exit statuses
shopt -s globstar nullglob
# A python3 of pyenv starts in 110 ms of a processor, and the system's in 14.
if [ -x /usr/bin/python3 ]; then
  mkdir -p "$BUILD/tests/bin"
  ln -sf /usr/bin/python3 "$BUILD/tests/bin/python3"
  PATH=$PWD/$BUILD/tests/bin:$PATH
fi

# The unit programs of the full tier: each takes more than ten seconds.
full_units='test_fast test_filters test_json'

# The longest parts, which start first within their tier, from the CPU seconds that a run prints.
slow='unit/test_sizes unit/test_walk unit/test_clip lint/format unit/test_pixels unit/test_field unit/test_filters
  tests/cli/batch.bats tests/cli/outdir.bats tests/cli/shards.bats tests/cli/plugins.bats tests/cli/build.bats
  tests/cli/sandbox.bats tests/cli/examples.bats unit/test_fast unit/test_json tests/cli/replay.bats
  tests/cli/corrupt.bats tests/cli/walk.bats tests/cli/docs.bats tests/cli/back.bats tests/cli/join.bats
  tests/cli/golden.bats tests/cli/finalize.bats tests/cli/tile.bats tests/cli/harness.bats tests/cli/resume.bats
  tests/cli/policies.bats tests/cli/limits.bats tests/cli/texts.bats'

# Prints TIER KIND/NAME for each name; a kind without any is a part that is missing.
of_kind() { # tier, kind, name...
  local tier=$1 kind=$2
  shift 2
  [ $# -gt 0 ] || set -- none
  printf "$tier $kind/%s\n" "$@"
}

parts() {
  local bats units corpora
  tests/lint.sh --list | awk '{ print $2, "lint/" $1; n++ } END { if (!n) print "quick lint/none" }'
  units=(tests/unit/test_*.c)
  units=("${units[@]##*/}")
  corpora=(tests/fuzz/fuzz_*.c tests/fuzz/corpus/*)
  corpora=("${corpora[@]##*/}")
  of_kind quick unit "${units[@]%.c}" | awk -v full="$full_units" '
    BEGIN { for (n = split(full, name); n > 0; n--) is_full["unit/" name[n]] }
    { print ($2 in is_full) ? "full" : $1, $2 }'
  of_kind quick corpus "${corpora[@]%.c}"
  bats=(tests/**/*.bats)
  of_kind full tests "${bats[@]#tests/}" | awk '
    NR == FNR { tiers[$2] = tiers[$2] " " $1; next }
    {
      file = substr($2, 7)
      # A file without tests, or one that cannot be read, is a part, so that it fails.
      if (tiers[$2] == "" && ENVIRON["ONLY"] != "") next
      if (tiers[$2] == "" || tiers[$2] ~ / full/) print "full", $2
      else if (tiers[$2] ~ / quick/) print "quick", $2
      if (tiers[$2] ~ / release/) print "release", "release/" file
    }' <(echo - -; bats_tests "${bats[@]}") -
}

# Prints TIER FILE of each test of the bats files that can be read and whose name matches ONLY.
bats_tests() {
  local file readable=()
  for file in "$@"; do
    if [ -f "$file" ] && [ -r "$file" ]; then readable+=("$file"); fi
  done
  awk -f tests/harness/bats_tests.awk "${readable[@]}" /dev/null |
    awk -F '\t' '$3 ~ ENVIRON["ONLY"] { print $1, $2 }'
}

usage() {
  echo "$0: $1" >&2
  exit 2
}

mode=run tier=
while [ $# -gt 0 ]; do
  case $1 in
    --list | --programs) mode=${1#--} ;;
    --tier)
      case ${2-} in quick | full | release) tier=$2 ;; *) usage "--tier is quick, full or release" ;; esac
      shift
      ;;
    -*) usage "unknown option $1" ;;
    *) break ;;
  esac
  shift
done
pattern=${1-}
[ $# -le 1 ] || usage "one pattern at a time"
[[ x =~ $pattern ]]
[ $? -ne 2 ] || usage "\"$pattern\" is no regular expression"
if [ -z "$pattern" ] && [ -n "$ONLY${OP-}${RULE-}" ]; then
  usage "ONLY, OP and RULE leave tests out; they need a pattern that names the parts: make test T=PATTERN"
fi

# Quick parts run first, and the longest ones first within a tier.
selected=()
while read -r of_tier part; do
  if ! [[ $part =~ $pattern ]] || [[ -n $ONLY && $part != *.bats ]]; then continue; fi
  case $tier:$of_tier in
    :* | "$of_tier:$of_tier" | full:quick) ;;
    *) continue ;;
  esac
  [ "$mode" != list ] || echo "$part $of_tier"
  selected+=("$part")
done < <(parts | awk -v slow="$slow" '
  BEGIN {
    for (n = split(slow, name); n > 0; n--) rank[name[n]] = n
    base["full"] = 10000
    base["release"] = 20000
  }
  !seen[$2]++ { print base[$1] + (($2 in rank) ? rank[$2] : 1000 + NR), $0 }' | sort -n | cut -d " " -f 2-)

# Prints the targets of the Makefile that a part needs.
needs() { # part
  case $1 in
    unit/* | corpus/*) echo "$BUILD/unit/${1#*/}" ;;
    lint/layers) echo all ;;
    lint/*) echo generated ;;
    *.bats)
      echo test-tools
      if grep -qE 'tests/(bench_|no_journal)' "tests/${1#*/}"; then echo bench-tools; fi
      ;;
  esac
}

case $mode in
  list) exit ;;
  programs)
    for part in "${selected[@]}"; do needs "$part"; done | sort -u
    exit
    ;;
esac
[ ${#selected[@]} -gt 0 ] ||
  echo "No part of the tests matches \"$pattern\"${ONLY:+ with a test that matches \"$ONLY\"}; tests/run.sh --list names all."

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
  printf '\nCPU seconds of the slowest parts, of %.0f in all, in %d s:\n' \
    "$(awk '{ sum += $1 } END { print sum }' "$BUILD/tests/log/cpu")" "$SECONDS"
  sort -rn "$BUILD/tests/log/cpu" | head -n 20
fi
echo
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
