#!/usr/bin/env bats
# What `check` finds in annotation files, and how it ends.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() { begin; }

# dataset NAME ANNOTATIONS: an image of 100 x 80, a category and these annotations.
dataset() {
  cat > "$1" << END
{"images": [{"id": 1, "file_name": "a.jpg", "width": 100, "height": 80}],
 "categories": [{"id": 1, "name": "cat", "supercategory": "animal"}],
 "annotations": [$2]}
END
}

# box ID X Y W H: an annotation.
box() {
  printf '{"id": %s, "image_id": 1, "category_id": 1, "bbox": [%s, %s, %s, %s], ' "$@"
  printf '"area": 400, "iscrowd": 0, "segmentation": []}'
}

# found: the rules that output names, sorted.
found() { grep -o '\[[A-Z][0-9]*\]' <<< "$output" | tr -d '[]' | sort | xargs; }

@test "the exit code says whether there are findings, and --fail-on which" {
  dataset clean.json "$(box 1 10 10 20 20)"
  run -0 "$lockstep" check clean.json
  dataset warned.json "$(box 1 90 10 20 20)"
  run -0 "$lockstep" check warned.json
  run -1 "$lockstep" check warned.json --fail-on warning
  dataset wrong.json "$(box 1 90 10 -20 20)"
  run -1 "$lockstep" check wrong.json
  run -0 "$lockstep" check wrong.json --fail-on never
  run -4 "$lockstep" check missing.json
  run -2 "$lockstep" check
  run -2 "$lockstep" check clean.json --output no
}

@test "what is broken is a finding, and reading goes on behind it" {
  dataset a.json "$(box 1 10 10 NaN 20), $(box 2 90 10 -20 20) $(box 3 190 10 20 20),"
  run -1 "$lockstep" check a.json
  [ "$(found)" = "B003 B006 J001 J001 J005 R011" ]
  grep -q '^3 *$\|1 image, 3 annotations' <<< "$output"
}
