#!/usr/bin/env bats
# Broken pipelines, annotation files and command lines, one per line of the tables in bad/. Each is refused with its own
# code at its own place, and nothing is written.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  bad=$here/bad
  ulimit -c 0
  pipeline good.json ''
}

# table FILE: its lines without remarks and empty ones.
table() { grep -vE '^(#|$)' "$1"; }

# faults_in NAME: of the messages on stdin the faults of the file NAME, as "code line:column path".
faults_in() {
  sed -nE "/: (note|warning): /d; s/^(lockstep: error: [^ ]+: )?${1//./\\.}:([0-9]+:[0-9]+): (error: )?(([^ ]+): )?.* \[([a-z0-9-]+)\]$/\6 \2 \5/p" |
    sed 's/ $/ -/'
}

# wanted TABLE NAME: the same from the table.
wanted() { awk -v name="$2" '$1 == name { print $3, $4, $5 }' "$1"; }

# judge TABLE NAME CODE: compares the exit code, out and err with the table.
judge() {
  local expected
  expected=$(awk -v name="$2" '$1 == name { print $2; exit }' "$1")
  [ "$3" = "$expected" ] || { echo "$2: exit $3, not $expected"; return 1; }
  [ ! -s out.txt ] || { echo "$2: something on stdout"; return 1; }
  quiet err.txt || { echo "$2: see above"; return 1; }
  diff <(wanted "$1" "$2") <(faults_in "$2" < err.txt) || { echo "$2: other faults"; return 1; }
}

@test "bad: pipelines raise their codes at their paths and lines, and nothing is written" {
  local name code failed=0 n=0
  for name in $(table "$bad/expected.txt" | awk '{ print $1 }' | uniq); do
    code=0
    (cd "$bad" && "$lockstep" run -p "$name" -i "$samples/images" -a "$samples/annotations.json" \
      -o "$BATS_TEST_TMPDIR/out") > out.txt 2> err.txt < /dev/null || code=$?
    judge "$bad/expected.txt" "$name" "$code" || failed=$((failed + 1))
    [ ! -e out ] || { echo "$name: an output folder"; failed=$((failed + 1)); rm -rf out; }
    n=$((n + 1))
  done
  echo "# $n broken pipelines" >&3
  [ "$failed" -eq 0 ]
  [ "$n" -ge 40 ]
}

@test "bad: annotation files raise their codes at their paths and lines" {
  local name code failed=0 n=0
  for name in $(table "$bad/coco/expected.txt" | awk '{ print $1 }' | uniq); do
    code=0
    rm -rf out
    (cd "$bad/coco" && "$lockstep" run -p "$BATS_TEST_TMPDIR/good.json" -i "$samples/images" \
      -a "$name" -o "$BATS_TEST_TMPDIR/out") > out.txt 2> err.txt < /dev/null || code=$?
    judge "$bad/coco/expected.txt" "$name" "$code" || failed=$((failed + 1))
    unfinished out || { echo "$name: see above"; failed=$((failed + 1)); }
    n=$((n + 1))
  done
  echo "# $n broken annotation files" >&3
  [ "$failed" -eq 0 ]
  [ "$n" -ge 40 ]
}

@test "bad: every file has a line, and every line a file" {
  diff <(cd "$bad" && ls -- *.json) <(table "$bad/expected.txt" | awk '{ print $1 }' | uniq)
  # Files whose only fault is in names or ids are used in commands.txt.
  diff <(cd "$bad/coco" && ls -- *.json) \
    <({ table "$bad/coco/expected.txt" | awk '{ print $1 }'
        grep -oE 'coco/[a-z-]+\.json' "$bad/commands.txt" | sed 's,coco/,,'
        echo size-differs.json; } | sort -u)
}

# The table of codes: code and exit codes, as "param-range 2 3".
codes() {
  COLUMNS=500 "$lockstep" help codes | sed -nE 's/^  ([a-z0-9-]+)  +.*\(([0-9N, +]+)\)$/\1 \2/p' | tr -d ,
}

@test "bad: every code has a case" {
  codes | cut -d ' ' -f 1 | sort > codes.txt
  # A folder that root cannot remove is not to be had.
  { grep -hoE '[0-9] +[a-z0-9-]+ ' "$bad"/*.txt "$bad"/coco/*.txt | awk '{ print $2 }'
    awk '{ for (i = 2; i < NF; i++) print $i }' "$here"/dialects/expected.txt
    grep -hoE '[a-z0-9-]+' "$here"/cli/*.bats "$here"/tools/hostile_*.py
    echo out-remove; } | sort -u | comm -23 codes.txt - > missing.txt
  [ ! -s missing.txt ] || { echo "no case: $(xargs < missing.txt)"; return 1; }
  [ "$(wc -l < codes.txt)" -ge 120 ]
}

@test "bad: commands end with the exit codes that the table of codes names" {
  local exit code wrong=0 n=0
  codes > codes.txt
  while read -r exit code; do
    n=$((n + 1))
    grep -qE "^$code( .*)? $exit( |\$)" codes.txt || { echo "$code: exit $exit"; wrong=$((wrong + 1)); }
  done < <({ table "$bad/commands.txt" | awk '{ print $1, $2 }'
             table "$bad/expected.txt" | awk '{ print $2, $3 }'
             table "$bad/coco/expected.txt" | awk '{ print $2, $3 }'; } | sort -u)
  [ "$wrong" -eq 0 ]
  [ "$n" -ge 75 ]
}

# The folder that commands.txt describes, and into it.
stage() {
  mkdir stage
  cd stage || return 1
  pipeline good.json ''
  pipeline flip.json '{"type": "horizontal_flip"}'
  ln -s "$(realpath "$samples/images")" in
  ln -s "$(realpath "$samples/masks")" masks
  cp -r "$bad/coco" coco
  mkdir own nothing full
  cp "$samples/images/hills/0002.png" own/a.png
  ln -s own link
  "$lockstep" run -q -p good.json -i own -o earlier
  cp coco/good.json earlier/annotations.json
  cp good.json earlier/pipeline.json
  printf 'thesis\n' > full/annotations.json
  printf '{"tool": "another"}\n' > full/run.json
  printf 'text\n' | tee afile > sheet.png
}

snapshot() { find . -print0 | sort -z | xargs -0 ls -ld --time-style=full-iso; }

@test "bad: command lines are refused with their codes, and no file changes" {
  local exit code words status failed=0 n=0
  stage
  snapshot > ../before.txt
  while read -r exit code _ words; do
    status=0
    eval "set -- $words"
    "$lockstep" "$@" > ../out.txt 2> ../err.txt < /dev/null || status=$?
    snapshot > ../after.txt
    n=$((n + 1))
    if [ "$status" != "$exit" ] || ! grep -qF "[$code]" ../err.txt || [ -s ../out.txt ] ||
      ! quiet ../err.txt || ! diff ../before.txt ../after.txt; then
      echo "lockstep $words: exit $status, not $exit [$code]:"
      head -5 ../err.txt | cut -c 1-200
      failed=$((failed + 1))
    fi
  done < <(table "$bad/commands.txt")
  echo "# $n broken command lines" >&3
  [ "$failed" -eq 0 ]
  [ "$n" -ge 25 ]
}

@test "bad: a message has the place, the path, what is wrong, the code, the line and a caret" {
  cd "$bad"
  run -3 --separate-stderr "$lockstep" run -p range-limit.json -i "$samples/images" -o x
  # shellcheck disable=SC2154 # run sets it
  [ "$stderr" = "range-limit.json:5:50: error: transforms[1].degrees[1]: 400 is out of range: -360..360 degrees [param-range]
    { \"type\": \"RandomRotation\", \"degrees\": [-15, 400] }
                                                 ^^^" ]
}

@test "bad: messages say what would have been right" {
  said() { # words, command...
    local words=$1
    shift
    run --separate-stderr "$lockstep" "$@"
    [[ $stderr == *"$words"* ]] || { echo "no \"$words\" in: $stderr"; return 1; }
  }
  stage
  said 'did you mean "RandomRotation"?' run -p "$bad/step-unknown.json" -i own -o out
  said 'did you mean "degrees"?' run -p "$bad/unknown-key-of-step.json" -i own -o out
  said 'did you mean "bilinear"?' run -p "$bad/choice-word.json" -i own -o out
  said 'did you mean "run"?' rum
  said 'did you mean "--pipeline"?' run --pipelin good.json -i own -o out
  said 'one of "nearest", "bilinear"' run -p "$bad/choice-type.json" -i own -o out
  said 'use --overwrite' run -p good.json -i own -o earlier
}

@test "bad: control characters in names and keys do not reach the terminal" {
  stage
  for words in "-p $bad/unknown-key-with-control.json -i own" \
    '-p good.json -i in -a coco/name-control.json' '-p good.json -i in -a coco/name-newline.json'; do
    # shellcheck disable=SC2086 # words
    run --separate-stderr "$lockstep" run $words -o out
    [[ $stderr != *$'\e'* ]]
    run ! grep -q '^::' <<< "$stderr"
  done
}

@test "bad: an element of the annotations of more than 64 MiB" {
  { printf '{"images": [{"id": 1, "file_name": "hills/0002.png", "x": "'
    head -c 67108900 /dev/zero | tr '\0' a
    printf '"}]}\n'; } > long.json
  run -4 --separate-stderr "$lockstep" run -p good.json -i "$samples/images" -a long.json -o out
  [[ $stderr == *'images[0]'*'[coco-long]'* ]]
  [ "${#stderr}" -lt 1000 ]
  [ ! -e out ]
}

@test "bad: a pipeline and annotations may come from pipes and stdin" {
  "$lockstep" run -q -p <(cat good.json) -i "$samples/images" -a <(cat "$bad/coco/good.json") -o a
  "$lockstep" run -q -p - -i "$samples/images" -a "$bad/coco/good.json" -o b < good.json
  same_tree a b
  run -3 --separate-stderr "$lockstep" run -p - -i "$samples/images" -o c < "$bad/many-faults.json"
  [[ $stderr == *'stdin:3:3: error: sede: '* ]]
  run -3 --separate-stderr "$lockstep" run -p - -i "$samples/images" -o c < /dev/null
  [ ! -e c ]
}
