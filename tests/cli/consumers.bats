#!/usr/bin/env bats
# The small readers of tests/consumers, which follow the rules of the programs that read lockstep's outputs.

bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  consumers=$here/consumers
}

@test "consumers: small readers read whole folders of all layouts and see each damage" {
  python3 "$consumers/gate.py" --self-test --small > report
  [ "$(grep -c ' whole$' report)" = "$(python3 -c "
import sys
sys.path.insert(0, '$consumers')
import make_folders
print(len(make_folders.LAYOUTS))")" ]
  [ "$(grep -c '^ok ' report)" -ge 40 ]
  [[ $(tail -n 1 report) == *' 0 failed' ]]
}

@test "consumers: small readers find the images, objects and classes of a dataset in each layout" {
  python3 "$consumers/gate.py" --outputs "$lockstep" --small > report || { cat report; false; }
  [[ $(tail -n 1 report) == *' 0 failed' ]]
  [ "$(grep -c '^ok .* counts$' report)" -eq 9 ]
}

@test "consumers: small readers resolve the forms of data.yaml as Ultralytics does" {
  local data
  python3 "$consumers/make_folders.py" made
  cd made/yolo
  for data in 'train: ../images/train\nval: images/val/\nnames: [cat, "dog", '"'bird'"']' \
    'train:\n  - images/train\nval: [images/val]\nnc: 3\nnames: {0: cat, 1: dog, 2: bird} # classes' \
    'train: train.txt\nval: images/val\nnames:\n- cat\n- dog\n- bird\nroboflow:\n  url: https://a.example/b' \
    "path: $PWD\ntrain: images/train\nvalidation: images/val\nnames:\n  '0': cat\n  '1': dog\n  '2': bird"; do
    printf '%b\n' "$data" > data.yaml
    (cd images/train && printf './images/train/%s\n' *.jpg) > train.txt
    python3 "$consumers/small_readers.py" yolo . > report.json
    [ "$(jq -c '[.classes, [.parts[] | .images, .objects]]' report.json)" = '[["cat","dog","bird"],[4,4,2,1]]' ]
  done
  printf 'train: images/train\nval: images\nnames: [cat, dog, bird]\n' > data.yaml
  python3 "$consumers/small_readers.py" yolo . | jq -e '.parts.val.images == 6'
  printf 'train: images/train\nval: images/val\nnc: 4\nnames: [cat, dog, bird]\n' > data.yaml
  run -1 python3 "$consumers/small_readers.py" yolo .
  [[ $output == *'3 names, but nc is 4'* ]]
}
