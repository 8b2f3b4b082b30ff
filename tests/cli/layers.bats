#!/usr/bin/env bats
# The check of layers itself: it must find calls that point upward, and report if it could not look.

setup() {
  cd "$BATS_TEST_TMPDIR" || return 1
  mkdir -p tree/src/base tree/src/geom tree/cli tree/build
  printf '#include "base/low.h"\nint high(void)\n{\n    return low();\n}\n' > tree/src/geom/high.c
  printf '#pragma once\nint high(void);\n' > tree/src/geom/high.h
  printf 'int low(void)\n{\n    return 1;\n}\n' > tree/src/base/low.c
  printf '#pragma once\nint low(void);\n' > tree/src/base/low.h
  export ROOT=$PWD/tree OBJECTS=$PWD/tree/build
}

compile() {
  local source
  for source in base/low geom/high; do
    mkdir -p "tree/build/src/$(dirname $source)"
    cc -Itree/src -c -o "tree/build/src/$source.o" "tree/src/$source.c" || return 1
  done
}

layers() { "$BATS_TEST_DIRNAME/../layers.sh" "$@"; }

@test "a tree in which everything points down passes" {
  compile
  run layers
  [ "$status" -eq 0 ] && [ -z "$output" ]
}

@test "an include that points up is found" {
  compile
  sed -i '1i #include "geom/high.h"' tree/src/base/low.c
  run layers includes
  [ "$status" -eq 1 ] && [[ $output == *"src/base/low.c: may not include"*high.h* ]]
}

@test "a call that points up is found though nothing is included" {
  printf 'int high(void);\nint up(void);\nint up(void)\n{\n    return high();\n}\n' >> tree/src/base/low.c
  compile
  layers includes
  run layers symbols
  [ "$status" -eq 1 ] && [[ $output == *"src/base/low.o: uses high of src/geom/high.o"* ]]
}

@test "data that is used upward is found" {
  printf 'int datum = 1;\n' >> tree/src/geom/high.c
  printf 'extern int datum;\nint *at(void);\nint *at(void)\n{\n    return &datum;\n}\n' >> tree/src/base/low.c
  compile
  run layers symbols
  [ "$status" -eq 1 ] && [[ $output == *"uses datum"* ]]
}

@test "objects that are missing do not pass" {
  compile
  rm tree/build/src/geom/high.o
  run layers symbols
  [ "$status" -eq 1 ] && [[ $output == *"src/geom/high.o is missing"* ]]
  rm -r tree/src tree/cli
  run layers symbols
  [ "$status" -eq 1 ] && [[ $output == *"no sources"* ]]
}

@test "a file that no layer has a place for is found" {
  compile
  echo 'int stray;' > tree/src/stray.c
  run layers includes
  [ "$status" -eq 1 ] && [[ $output == *"src/stray.c: it is in no layer"* ]]
}
