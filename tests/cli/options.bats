#!/usr/bin/env bats
# Options of all commands, by the tables that `lockstep help` prints.
# shellcheck disable=SC2154 # run sets stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
}

@test "options: diff takes a folder of images for each side, and refuses one that it would not read" {
  mkdir -p a/images a/labels b/images b/labels
  cp "$samples/images/street/0001.jpg" a/images/1.jpg
  cp "$samples/images/street/0001.jpg" b/images/1.jpg
  for side in a b; do
    echo '0 0.5 0.5 0.25 0.25' > $side/labels/1.txt
    echo 'names: [cat]' > $side/data.yaml
  done
  "$lockstep" diff a/labels b/labels --names a/data.yaml -i a/images -i b/images
  rm b/images/1.jpg
  run -4 --separate-stderr "$lockstep" diff a/labels b/labels --names a/data.yaml -i a/images -i b/images
  run -4 --separate-stderr "$lockstep" diff a/labels b/labels --names a/data.yaml -i absent -i b/images
  refuses option-unused 2 "$lockstep" diff a/labels b/labels -i a -i b -i c
  refuses option-unused 2 "$lockstep" diff "$samples/annotations.json" "$samples/annotations.json" -i a/images
  refuses option-unused 2 "$lockstep" stats "$samples/annotations.json" -i a/images
  "$lockstep" diff a/labels "$samples/annotations.json" -i a/images --names a/data.yaml > differences.txt || [ $? -eq 1 ]
}
