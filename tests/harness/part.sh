#!/usr/bin/env bash
# Run one part of the tests (tests/run.sh lists them) and print its TAP for prove. Its whole output is kept
# in $BUILD/tests/log/PART. The exit status is not 0 when the part's is not, and when it did not plan the
# tests that it has, however it says it went.
set -u
part=$1
name=${part#*/}
log=$BUILD/tests/log/$part
mkdir -p "$(dirname "$log")"
exec < /dev/null

# Nothing could be run: one failed test says why.
cannot() {
  echo "1..1"
  echo "not ok 1 - $1"
  exit 1
}

has_program() { [ -x "$BUILD/unit/$name" ] || cannot "$BUILD/unit/$name is missing"; }

tests= # how many the part has, where that can be counted without running it
case $part in
  lint/*)
    tests=1
    command=(tests/lint.sh "$name")
    ;;
  unit/*)
    has_program
    command=("$BUILD/unit/$name")
    ;;
  corpus/*)
    corpus=tests/fuzz/corpus/$name
    has_program
    [ -d "$corpus" ] || cannot "$corpus is missing"
    tests=$(find "$corpus" -type f | wc -l)
    command=("$BUILD/unit/$name" "$corpus")
    ;;
  *.bats)
    [ -r "$part" ] && [ -f "$part" ] || cannot "$part cannot be read"
    # As bats finds them.
    tests=$(grep -cE '^[[:blank:]]*@test[[:blank:]]+.*[^[:blank:]][[:blank:]]+\{' "$part")
    command=(bats --tap "$part")
    ;;
  planted/sample)
    # Other faults on each commit; SEED=... draws those of another one again.
    : "${SEED:=$(git rev-parse --short HEAD 2> /dev/null || date +%F)}"
    tests=$(tests/tools/planted.py list | wc -l)
    [ "$tests" -le 16 ] || tests=16 # SAMPLE of planted.py
    command=(tests/tools/planted.py sample "$SEED")
    ;;
  *) cannot "$part is no part" ;;
esac

{ "${command[@]}"; } > "$log" 2>&1 # also what the shell says of a crash
status=$?
# What prove's timer says counts parts that run beside this one.
times > "$log.times"
awk -F '[ms ]+' -v part="$part" 'NR == 2 { printf "%.1f %s\n", $1 * 60 + $2 + $3 * 60 + $4, part }' "$log.times" \
  >> "$BUILD/tests/log/cpu"
rm "$log.times"

plan=$(sed -n 's/^1\.\.\([0-9]*\).*/\1/p' "$log")
if [ -n "$tests" ] && [ "$tests" != "$plan" ] || [ "$plan" = 0 ]; then
  echo "# $part has ${tests:-no} tests and planned ${plan:-none}"
  status=1
fi
if [ "$status" -eq 0 ]; then
  grep -E '^(ok|not ok|1\.\.|# seed )' "$log"
  exit
fi

# What is no TAP becomes a comment.
sed -E '/^(ok|not ok|1\.\.|#|Bail out!)/!s/^/# /' "$log"
if [ "${part%%/*}" = corpus ]; then
  passed=$(grep -c '^ok' "$log")
  echo "# the input: $(find "$corpus" -type f | sort | sed -n "$((passed + 1))p")"
fi
exit "$status"
