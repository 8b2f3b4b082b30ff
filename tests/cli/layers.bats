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

# plant FOLDER A B: two units that call each other.
plant() {
  local one two
  for one in "$2" "$3"; do
    two=$2
    [ "$one" != "$2" ] || two=$3
    mkdir -p "tree/$1" "tree/build/$1"
    printf 'int %s(void);\n' "$one" > "tree/$1/$one.h"
    printf 'int %s(void);\nint %s(void);\nint %s(void)\n{\n    return %s();\n}\n' "$one" "$two" "$one" "$two" > "tree/$1/$one.c"
    cc -c -o "tree/build/$1/$one.o" "tree/$1/$one.c"
  done
}

@test "two units of one module that call each other are found" {
  local folder
  for folder in cli/commands src/batch/run src/pixels/move; do
    rm -rf tree/src/batch tree/src/pixels tree/cli/commands
    compile
    layers
    plant "$folder" one two
    layers symbols
    run layers cycles
    [ "$status" -eq 1 ] && [[ $output == *"cycle of 2 units: $folder/one $folder/two"* ]]
    [[ $output == *"$folder/one.c uses two of $folder/two.c"* ]]
  done
}

@test "files that implement one header may call each other" {
  compile
  plant src/batch/run one two
  cat tree/src/batch/run/two.h >> tree/src/batch/run/one.h
  rm tree/src/batch/run/two.h
  layers
}

@test "a longer cycle of units is found" {
  compile
  plant src/batch/run one two
  printf 'int three(void);\n' > tree/src/batch/run/three.h
  printf 'int one(void);\nint three(void);\nint three(void)\n{\n    return one();\n}\n' > tree/src/batch/run/three.c
  printf 'int two(void);\nint three(void);\nint two(void)\n{\n    return three();\n}\n' > tree/src/batch/run/two.c
  for name in two three; do cc -c -o tree/build/src/batch/run/$name.o tree/src/batch/run/$name.c; done
  run layers cycles
  [ "$status" -eq 1 ] && [[ $output == *"cycle of 3 units"* ]]
}

@test "a module sees the lower modules of its group, and no higher one" {
  compile
  mkdir -p tree/src/batch/io tree/src/batch/run tree/src/pixels/codec tree/src/check
  printf 'int low_io(void);\n' > tree/src/batch/io/io.h
  printf '#include "batch/io/io.h"\n' > tree/src/batch/run/run.h
  layers includes
  printf '#include "batch/run/run.h"\n' > tree/src/batch/io/io.h
  run layers includes
  [ "$status" -eq 1 ] && [[ $output == *"src/batch/io/io.h: may not include \"batch/run/run.h\""* ]]
  printf 'int low_io(void);\n' > tree/src/batch/io/io.h
  printf 'int codec(void);\n' > tree/src/pixels/codec/codec.h
  printf '#include "batch/run/run.h"\n' > tree/src/check/fine.h
  layers includes
  printf '#include "pixels/codec/codec.h"\n' >> tree/src/check/fine.h
  run layers includes
  [ "$status" -eq 1 ] && [[ $output == *"(check does not see pixels/codec)"* ]]
}
