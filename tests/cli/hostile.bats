#!/usr/bin/env bats
# Hostile and very large JSON: invalid JSON, invalid numbers, invalid UTF-8, deep nesting; read from pipes; and a file
# of the shape of COCO's train2017, made small.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  ulimit -c 0
  pipeline good.json ''
}

@test "hostile: JSON is accepted, and all else is refused with its code at its place" {
  python3 "$here/tools/hostile_json.py" "$lockstep" "$samples" . > said.txt || { cat said.txt; return 1; }
  sed 's/^/# /' said.txt >&3
}

@test "hostile: annotations from stdin and pipes give what the file gives" {
  go() { "$lockstep" run -q -p good.json -i "$samples/images" "$@"; }
  go -a "$samples/annotations.json" -o file
  go -a - -o stdin < "$samples/annotations.json"
  cat "$samples/annotations.json" | go -a - -o pipe
  same_tree file stdin
  same_tree file pipe
  run -4 --separate-stderr go -a - -o wrong <<< '{"images": 7}'
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == 'stdin:1:12: error: images: expected a list [coco-type]'* ]]
  [ ! -e wrong ]
}

@test "hostile: all that is wrong with annotations is told before work begins" {
  jq -c '.annotations |= (.[3].bbox = [1, 2] | .[30].area = "big" | .[55].iscrowd = 7)' \
    "$samples/annotations.json" > wrong.json
  run -4 --separate-stderr "$lockstep" run -p good.json -i "$samples/images" -a wrong.json -o out
  [[ $stderr == *'annotations[3].bbox'*'annotations[30].area'*'annotations[55].iscrowd'* ]]
  [ ! -e out ]
  "$lockstep" run -q -p good.json -i "$samples/images" -a wrong.json -o out --on-error skip || [ $? = 1 ]
  [ "$(grep -c '^' out/errors.jsonl)" = 3 ]
}

@test "hostile: what is wrong with many annotations is told alike by any number of processes" {
  local n jobs alone
  jq -c '. as $d | .annotations = [range(9000) | $d.annotations[. % ($d.annotations | length)] + {id: .}]
         | .images as $images | .annotations |= [to_entries[]
           | .value + {image_id: $images[.key * ($images | length) / 9000 | floor].id}]
         | .annotations |= map(if .segmentation | type == "object" then del(.segmentation) else . end)' \
    "$samples/annotations.json" > many.json
  echo '{"version": 1, "transforms": []}' > p.json
  by() { "$lockstep" run -p p.json -i "$samples/images" -a wrong.json -o out -j "$1"; }
  for n in 1 4500 8999; do
    jq -c --argjson n "$n" '.annotations[$n].bbox[2] = -1' many.json > wrong.json
    run -4 --separate-stderr by 1
    [[ $stderr = *"annotations[$n].bbox"*coco-bbox* ]] || { echo "$stderr"; return 1; }
    alone=$stderr
    for jobs in 2 3; do
      run -4 --separate-stderr by "$jobs"
      [ "$stderr" = "$alone" ]
    done
  done
  [ ! -e out ]
}

@test "hostile: a file of the shape of COCO's train2017 is read, taken apart and printed anew" {
  cc -O1 -std=c11 -D_GNU_SOURCE -o make_coco "$here/bench/make_coco.c" -lm
  ./make_coco train.json 0.004
  mkdir out
  needs_built tests/bench_coco
  "$tools/bench_coco" train.json out > rows.txt
  [ "$(grep -c '^lockstep' rows.txt)" = 6 ]
  run ! cmp -s train.json out/annotations.json
  same_json train.json out/annotations.json
  [ "$(jq '.annotations | length' out/annotations.json)" = 3441 ]
}
