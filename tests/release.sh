#!/usr/bin/env bash
# Runs the release tier: the tests that `make check` does not run, one after another, also after a part that failed.
# The last lines are a table: each part, how many tests, trials or rows it counted, seconds, and the result.
#
#   tests/release.sh              all parts
#   tests/release.sh REGEX        the parts whose names match; no match is a failure
#   tests/release.sh --list       prints the parts and their commands
#
# FUZZ_SECONDS=60 is the time for each fuzz target. The output of each part is kept in $BUILD/release/PART.log.
set -u
cd "$(dirname "$0")/.." || exit 1
: "${BUILD:=build}"
: "${MAKE:=make}"

# A part, and its command.
parts="
tagged        tests/run.sh --tier release
planted       $MAKE check-planted
sanitizers    $MAKE check-asan
clang         $MAKE check-clang
fuzz          $MAKE fuzz
torture       $MAKE torture
oom           $MAKE search-oom
fast          $MAKE search-fast
exact         $MAKE search-exact
damage        $MAKE search-damage
donors        $MAKE search-donors
check         $MAKE search-check
back          $MAKE search-back
commands      $MAKE search-fuzz
coco-api      $MAKE check-coco-api
consumers     $MAKE check-consumers
engines       $MAKE check-engines
sarif         $MAKE check-sarif
bench         $MAKE bench
bench-peers   $MAKE bench-peers
bench-plugin  $MAKE bench-plugin
bench-ops     $MAKE bench-ops
bench-loops   $MAKE bench-loops
bench-coco    $MAKE bench-coco
bench-start   $MAKE bench-start
bench-records $MAKE bench-records
bench-resume  $MAKE bench-resume
bench-merge   $MAKE bench-merge
bench-nms     $MAKE bench-nms
bench-codecs  $MAKE bench-codecs
bench-large   $MAKE bench-large
bench-check   $MAKE bench-check
"

if [ "${1-}" = --list ]; then
  sed '/^$/d' <<< "$parts"
  exit
fi
pattern=${1-}
[[ x =~ $pattern ]]
[ $? -ne 2 ] || { echo "$0: \"$pattern\" is no regular expression" >&2; exit 2; }

# Prints the count that a part's output has: tests, TAP lines, or the last number before "trials", "files" and other
# nouns of cases; "-" if there is none.
count_of() { # log
  awk '
    /^[0-9]+ passed, [0-9]+ failed/ { tests += $1 + $3; next }
    /^(not )?ok / { tap++; next }
    match($0, /[0-9]+ (trials|files|folders|outlines|images|cases|compared|damages|allocations|runs)/) {
      split(substr($0, RSTART, RLENGTH), part, " ")
      last = part[1]
    }
    END { print tests ? tests : tap ? tap : last != "" ? last : "-" }' "$1"
}

logs=$BUILD/release
mkdir -p "$logs"
table=$(printf '%-14s %9s %8s  %s' part count seconds result)
ran=0 failed=0
while read -r name command; do
  if [ -z "$name" ] || ! [[ $name =~ $pattern ]]; then continue; fi
  start=$SECONDS
  echo "== $name: $command"
  bash -c "$command" 2>&1 < /dev/null | tee "$logs/$name.log"
  status=${PIPESTATUS[0]}
  result=passed
  [ "$status" -eq 0 ] || { result="FAILED with exit status $status"; failed=$((failed + 1)); }
  ran=$((ran + 1))
  table+=$(printf '\n%-14s %9s %8d  %s' "$name" "$(count_of "$logs/$name.log")" "$((SECONDS - start))" "$result")
done <<< "$parts"

printf '\n%s\n\n%d parts passed, %d failed\n' "$table" "$((ran - failed))" "$failed" | tee "$logs/table.txt"
[ "$ran" -gt 0 ] || { echo "No part matches \"$pattern\"; tests/release.sh --list names all."; exit 1; }
[ "$failed" -eq 0 ]
