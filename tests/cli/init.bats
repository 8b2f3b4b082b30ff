#!/usr/bin/env bats
# The pipelines that come with lockstep: printed by init, run by their names from anywhere.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
}

@test "init: prints each pipeline as it is in pipelines/" {
  local file name n=0
  run -0 "$lockstep" init
  for file in "$root"/pipelines/*.json; do
    name=$(basename "$file" .json)
    [[ $output == *"  $name "* ]]
    "$lockstep" init "$name" | diff "$file" -
    n=$((n + 1))
  done
  [ "$n" -ge 6 ]
}

@test "init: -p NAME runs one from anywhere, and a file of that name goes before it" {
  mkdir in
  python3 "$here/tools/blank.py" in/a.png 40 30
  run -0 "$lockstep" run -q -p letterbox -i in -o out
  [ "$(jq -c .size_out out/manifest.jsonl)" = '[512,512]' ]
  mkdir letterbox
  run -0 "$lockstep" run -q -p letterbox -i in -o beside
  diff -r out beside
  rmdir letterbox
  pipeline letterbox '{"type": "transpose"}'
  run -0 "$lockstep" run -q -p letterbox -i in -o out --overwrite
  [ "$(jq -c .size_out out/manifest.jsonl)" = '[30,40]' ]
  run -0 "$lockstep" compile -p detection
}

@test "init: what is not there" {
  run -2 --separate-stderr "$lockstep" init detektion
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == *'did you mean "detection"?'*'[name-unknown]'* ]]
  run -3 --separate-stderr "$lockstep" run -p detektion -i in -o out
  [[ $stderr == *'[pipeline-unread]'* ]]
  run -2 "$lockstep" init detection keypoints
}

@test "help: the width is the terminal's, or COLUMNS" {
  unset COLUMNS
  NO_COLOR=1 script -qec "stty cols 100; '$lockstep' describe RandomAffine" /dev/null < /dev/null | tr -d '\r' > page.txt
  run -1 grep -E '^.{101}' page.txt
  grep -qE '^.{85}' page.txt
  "$lockstep" describe RandomAffine > page.txt
  run -1 grep -E '^.{81}' page.txt
}

@test "help: the sections of a pipeline are topics, and pipeline shows one" {
  run -0 "$lockstep" help
  [[ $output == *'pipeline, annotations, output, coco,'* ]]
  "$lockstep" help pipeline | sed -n '/^EXAMPLE/,$p' | sed '1d;s/^  //' | diff "$root/pipelines/detection.json" -
}

@test "init: letterbox paints its border gray, and --optimize does not say that it changes nothing" {
  python3 "$here/tools/blank.py" a.png 40 10
  mkdir gray && mv a.png gray
  run -0 "$lockstep" run -q -p letterbox -i gray -o out
  PYTHONPATH=$here/lib python3 -c "
import png
rows = png.rows('out/images/a.png')
assert set(rows[0]) == {114} and set(rows[-1]) == {114}, (rows[0][:6], rows[-1][:6])"
  # Mode fast changes pixels, and help says so.
  [[ $("$lockstep" run --help-all | tr -s ' \n' ' ') == *'`none` and `exact` give the same bytes, and `fast` gives pixels within stated bounds'* ]]
}
