#!/usr/bin/env bats
# Anchors of encode_boxes and decode_boxes in a separate file. All forms of the file have the same effect as the list in
# the step, and the file belongs to the run.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  cat > boxes.json << 'END'
[[0, 0, 8, 8], [-3.5, 2.25, 64, 32.5],
 [10, 20, 1e2, 0.125]]
END
  jq -c '[range(30) | {image_id: 1, category_id: 1, bbox: [. * 3, 40 - ., 5 + ., 70 - .], score: 0.5, anchor: (. % 3)}]' \
    -n > found.json
  pipeline own.json "{\"type\": \"encode_boxes\", \"anchors\": $(cat boxes.json)}"
  pipeline given.json '{"type": "encode_boxes"}'
}

# npy FILE DESCR: the boxes as an array of this type.
npy() {
  python3 - "$@" << 'END'
import json, struct, sys
rows = json.load(open("boxes.json"))
words = "{'descr': '%s', 'fortran_order': False, 'shape': (%d, 4), }" % (sys.argv[2], len(rows))
words += " " * (63 - (10 + len(words)) % 64) + "\n"
number = {"<f4": "<f", "<f8": "<d", ">f8": ">d"}[sys.argv[2]]
with open(sys.argv[1], "wb") as file:
    file.write(b"\x93NUMPY\1\0" + struct.pack("<H", len(words)) + words.encode())
    file.write(b"".join(struct.pack(number, v) for row in rows for v in row))
END
}

# refuses CODE FILE: no label is written with these anchors.
refuses() {
  run -4 --separate-stderr "$lockstep" labels -q -p given.json -a found.json --anchors "$2" -o out.json
  [[ $stderr == *"[$1]"* && ! -e out.json ]] || { echo "$stderr"; return 1; }
}

@test "anchors: JSON, CSV and NumPy's arrays mean what the step's own list means, there and back" {
  local file
  "$lockstep" labels -q -p own.json -a found.json -o own
  [ "$(jq '[.[] | select(.code | length == 4)] | length' own)" -eq 30 ]
  jq -r '.[] | @csv' boxes.json > plain.csv
  { printf 'x,y,width,height\r\n' && sed 's/$/\r/' plain.csv; } > named.csv
  npy single.npy '<f4'
  npy double.npy '<f8'
  for file in boxes.json plain.csv named.csv single.npy double.npy; do
    "$lockstep" labels -q -p given.json -a found.json --anchors $file -o out --overwrite
    cmp own out
  done
  "$lockstep" labels -q -p given.json -a found.json --anchors - -o out --overwrite < plain.csv
  cmp own out
  pipeline back.json '{"type": "decode_boxes", "clip": 50}'
  jq -c 'map(.bbox = [0, 0, 1, 1])' own > coded.json
  "$lockstep" labels -q -p back.json -a coded.json --anchors double.npy -o out --overwrite
  jq -se '[.[0], .[1] | map(.bbox) | flatten] | transpose | all(.[0] - .[1] | fabs < 1e-9)' out found.json
}

@test "anchors: the step's own anchors are used instead of the file's" {
  "$lockstep" labels -q -p own.json -a found.json -o own
  echo '[[1, 1, 5, 5], [1, 1, 6, 6], [1, 1, 7, 7]]' > others.json
  "$lockstep" labels -q -p own.json -a found.json --anchors others.json -o out
  cmp own out
  "$lockstep" labels -q -p given.json -a found.json --anchors others.json -o other
  run ! cmp -s own other
}

@test "anchors: they are of the run: other ones are another, in workers and when it is resumed or done again" {
  local coco=(-i "$samples/images" -a in.json --durability none)
  jq -c '.annotations |= (to_entries | map(.value + {anchor: (.key % 3)}))' "$samples/annotations.json" > in.json
  "$lockstep" run -q -p own.json "${coco[@]}" -o own -j 2
  "$lockstep" run -q -p given.json "${coco[@]}" -o out -j 2 --anchors boxes.json
  same_json own/annotations.json out/annotations.json .annotations
  jq -e '.annotations | all(.code | length == 4)' out/annotations.json
  "$lockstep" replay -q -m out/manifest.jsonl -o again "${coco[@]}" --anchors boxes.json
  diff -r -x run.json out again
  "$lockstep" run -q -p given.json "${coco[@]}" -o out --anchors boxes.json --resume
  jq -c '.[0][0] += 1' boxes.json > others.json
  run -6 --separate-stderr "$lockstep" run -p given.json "${coco[@]}" -o out --anchors others.json --resume
  [[ $stderr == *"--anchors"*"[resume-key]"* ]]
}

@test "anchors: a wrong number of anchors is refused, and --anchors is named" {
  run -4 --separate-stderr "$lockstep" labels -q -p given.json -a found.json
  [[ $stderr == *"one of the 0 anchors of"*"--anchors"*"[step-refused]"* ]]
  echo '[[0, 0, 8, 8]]' > one.json
  run -4 --separate-stderr "$lockstep" labels -q -p given.json -a found.json --anchors one.json
  [[ $stderr == *"object 2 of the image"*"1 anchors"*"[step-refused]"* ]]
}

@test "anchors: a file of something else is an error at its place, before anything is written" {
  refuses anchors-unread nowhere.json
  refuses anchors-unread .
  echo '{"anchors": []}' > a.json && refuses anchors-value a.json
  echo '[]' > a.json && refuses anchors-value a.json
  : > a.json && refuses anchors-value a.json
  echo '[0, 0, 8, 8]' > a.json && refuses anchors-value a.json
  echo '[[0, 0, 8]]' > a.json && refuses anchors-value a.json
  echo '[[0, 0, 8, 2e7]]' > a.json && refuses anchors-value a.json
  printf '[[0, 0, 8, 8],\n [0, 0, 0, 8], [0, 0, 8, "8"]]' > a.json && refuses anchors-value a.json
  [[ $stderr == *"a.json:2:2: error: [1]:"* && $stderr == *"a.json:2:16: error: [2]:"* ]]
  echo '[[0, 0, 8, 8]' > a.json && refuses json-syntax a.json
  echo '[[0, 0, 8, 8]] 1' > a.json && refuses json-syntax a.json
  printf '0,0,8,8\n0,0,8\n' > a.csv && refuses anchors-value a.csv
  [[ $stderr == *"a.csv:2:1: error: [1]:"* ]]
  printf '0,0,8,8\n0,0,8,8,8\n' > a.csv && refuses anchors-value a.csv
  printf 'x1,y1,x2,y2\n0,0,8,8\n' > a.csv && refuses anchors-value a.csv
  printf '0,0,8,"8\n' > a.csv && refuses csv-syntax a.csv
  npy a.npy '>f8' && refuses anchors-unread a.npy
  npy a.npy '<f8' && head -c -1 a.npy > cut.npy && refuses anchors-unread cut.npy
  head -c 9 a.npy > cut.npy && refuses anchors-unread cut.npy
  sed 's/, 4), /, 3), /' a.npy > three.npy && refuses anchors-unread three.npy
  sed 's/False/True /' a.npy > columns.npy && refuses anchors-unread columns.npy
  jq -nc '[range(1048577) | [0, 0, 1, 1]]' > many.json && refuses anchors-value many.json
}
