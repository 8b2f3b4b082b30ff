#!/usr/bin/env bats
# tests_of.py (make tests-of FILE=...) on a small tree: the commands that it prints for a file, the best one first.
bats_require_minimum_version 1.5.0

setup() {
  root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
  cd "$BATS_TEST_TMPDIR" || exit 1
  mkdir -p src/{geom,steps/ops,check/rules,steps/properties} tests/{tools,unit,fuzz,planted,cli,lib}
  cp "$root"/tests/tools/{tests_of,planted}.py tests/tools
  touch src/geom/{rle,rle_print,turn,lone}.c src/geom/{rle,turn}.h src/steps/properties/walker.c tests/lib/png.py
  echo 'const struct op shift = { .effect = EFFECT_MOVES, .resolve = resolve, };' > src/steps/ops/shift.c
  echo 'const struct op haze = { .effect = EFFECT_RECOLOURS, .resolve = resolve, };' > src/steps/ops/haze.c
  echo '{ "B001", ... }, { "B002", ... }, { "D001", ... },' > src/check/rules/boxes.c
  echo '#include "geom/turn.h"' | tee tests/unit/test_turn.c > tests/unit/test_turn_back.c
  printf '#include "masks.h"\n' > tests/unit/test_masks.c
  printf '#include "geom/rle.h"\n' | tee tests/unit/masks.h > tests/fuzz/fuzz_rle.c
  touch tests/unit/test_{walk,effects,sizes}.c
  printf '@test "view: %s" {\n}\n' "it is replayed from a manifest" "the camera's turn" "all else" > tests/cli/view.bats
  printf '@test "rules: %s" {\n}\n' "each finds its fault" > tests/cli/check_rules.bats
  echo 'import json, png' > tests/cli/mess.bats
}

# planted FILE TEST...: rows of planted faults in the file, one for each test.
planted() {
  local test
  for test in "${@:2}"; do
    printf 'file  %s\nfrom  a\nto    b\nwhat  c\ntest  %s\n\n' "$1" "$test"
  done >> tests/planted/all.txt
}

# prints FILE COMMAND...: these are the commands for the file.
prints() {
  run -0 tests/tools/tests_of.py "$1"
  diff <(printf '%s\n' "${@:2}") <(echo "$output")
}

@test "tests-of: planted faults come first, joined in one command where one can run them" {
  planted src/geom/lone.c 'view.bats replayed from' "view.bats camera's" 'test_walk OP=shift' 'view.bats replayed from'
  planted src/geom/rle.c test_masks test_turn
  planted src/check/rules/boxes.c 'check_rules.bats finds its fault'
  prints src/geom/lone.c "make test T=cli/view.bats ONLY='replayed from|camera.s'  # 3 planted faults" \
    'make test T=unit/test_walk OP=shift  # 1 planted fault'
  run -0 tests/tools/tests_of.py src/geom/rle.c
  [ "${lines[0]}" = "make test T='unit/test_(masks|turn)\$'  # 2 planted faults" ]
  run -0 tests/tools/tests_of.py src/geom/rle.h
  [ "${lines[0]}" = "make test T='unit/test_(masks|turn)\$'  # 2 planted faults in rle.c" ]
  prints src/check/rules/boxes.c "make test T=cli/check_rules.bats ONLY='finds its fault' RULE='B*,D*'  # 1 planted fault" \
    "make test T=cli/check_rules.bats RULE='B*,D*'  # has cases of its rules"
}

@test "tests-of: registries, headers, names and mentions are known without planted faults" {
  prints src/steps/ops/shift.c 'make test T=unit/test_walk OP=shift  # 3 planted faults' \
    "make test T='unit/test_(walk|effects|sizes)' OP=shift  # walks the op"
  prints src/steps/ops/haze.c "make test T='unit/test_(effects|sizes)' OP=haze  # walks the op"
  prints src/geom/rle_print.c 'make test T=corpus/fuzz_rle  # includes geom/rle.h' \
    'make test T=unit/test_masks  # includes geom/rle.h'
  prints src/geom/turn.c "make test T='unit/test_turn\$'  # includes geom/turn.h" \
    'make test T=unit/test_turn_back  # includes geom/turn.h' \
    'make test T=cli/view.bats ONLY=turn  # has the word in the name of a test'
  prints tests/unit/masks.h 'make test T=unit/test_masks  # includes masks.h'
  prints tests/cli/view.bats 'make test T=cli/view.bats  # the file itself'
  prints tests/lib/png.py 'make test T=cli/mess.bats  # mentions png.py'
}

@test "tests-of: a file without tests has those of its folder, and what is not a file is an error" {
  planted src/geom/rle.c test_masks
  prints src/geom/lone.c 'make test T=unit/test_masks  # 1 planted fault in other files of src/geom' \
    'make quick  # no test is known to be about the file alone'
  run -2 tests/tools/tests_of.py src/rle.c src/geom src/geom/lone.c
  [[ $output == *'src/rle.c: no such file; did you mean src/geom/rle.c?'* ]]
  [[ $output == *'src/geom: this is a folder; name one of its files'* ]]
  [[ $output == *$'# src/geom/lone.c\nmake test T=unit/test_masks '* ]]
  run -2 tests/tools/tests_of.py
  [[ $output == usage:* ]]
  # From another folder, with a path from there.
  cd src/geom && run -0 ../../tests/tools/tests_of.py lone.c
  [[ ${lines[0]} == 'make test T=unit/test_masks '* ]]
}
