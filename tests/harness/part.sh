#!/usr/bin/env bash
# Runs one part of the tests (tests/run.sh lists them) and prints its TAP for prove. The whole output is kept in
# $BUILD/tests/log/PART. The exit status is not 0 when the part's is not, or when the part did not plan the tests that
# it has, whatever it reported.
set -u
part=$1
name=${part#*/}
log=$BUILD/tests/log/$part
mkdir -p "$(dirname "$log")"
exec < /dev/null

# Reports a part that could not run, as one failed test with the reason.
cannot() {
  echo "1..1"
  echo "not ok 1 - $1"
  exit 1
}

has_program() { [ -x "$BUILD/unit/$name" ] || cannot "$BUILD/unit/$name is missing"; }

tests= # the count of the part's tests, where it is known before the part runs
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
    file=tests/${part#*/}
    [ -r "$file" ] && [ -f "$file" ] || cannot "$file cannot be read"
    [ "${part%%/*}" = release ] && tag=release || tag='!release'
    tests=$(awk -f tests/harness/bats_tests.awk "$file" | awk -F '\t' -v tag="$tag" '
      (tag == "release") == ($1 == "release") && $3 ~ ENVIRON["ONLY"] { n++ }
      END { print n + 0 }')
    command=(bats --tap --filter-tags "$tag")
    [ -z "${ONLY-}" ] || command+=(--filter "$ONLY")
    command+=("$file")
    ;;
  *) cannot "$part is not a part" ;;
esac

{ "${command[@]}"; } > "$log" 2>&1 # also the shell's message about a crash
status=$?
# Not prove's timer, which includes the parts that run at the same time.
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

# Lines that are not TAP become comments.
sed -E '/^(ok|not ok|1\.\.|#|Bail out!)/!s/^/# /' "$log"
if [ "${part%%/*}" = corpus ]; then
  passed=$(grep -c '^ok' "$log")
  echo "# the input: $(find "$corpus" -type f | sort | sed -n "$((passed + 1))p")"
fi
exit "$status"
