#!/usr/bin/env bats
# Outlines that have crashed other readers of COCO files. An outline without a meaning is refused with its code at its
# place; any other is read as the COCO API reads it. Every run ends. (hostile/geometry.py writes the inputs.)
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  ulimit -c 0
  cd "$BATS_FILE_TMPDIR" || exit 1
  rm -rf out
}

setup_file() {
  cd "$BATS_FILE_TMPDIR" || exit 1
  mkdir images
  python3 "$BATS_TEST_DIRNAME/../tools/blank.py" images/a.png 50 40 gray 9
  python3 "$BATS_TEST_DIRNAME/../hostile/geometry.py" write .
}

# go ANNOTATIONS OUT: stops a run that would never end.
go() {
  timeout 60 "$lockstep" run -q -p p.json -i images -a "$1" -o "$2" > out.txt 2> err.txt < /dev/null
}

@test "hostile outlines: what means nothing raises its code at its place" {
  local name wanted code place path exit failed=0 n=0
  pipeline p.json ''
  while read -r name wanted code place path; do
    rm -rf out
    exit=0
    go "$name.json" out || exit=$?
    n=$((n + 1))
    if [ "$exit" != "$wanted" ] || [ -s out.txt ] || ! quiet err.txt || ! unfinished out ||
      ! grep -qE "(^|: )$name\.json:$place: (error: )?${path//[][]/\\&}: .* \[$code\]$" err.txt; then
      echo "$name: exit $exit, not $wanted, or another message than [$code] at $place $path:"
      head -3 err.txt | cut -c 1-200
      failed=$((failed + 1))
    fi
  done < expected.txt
  echo "# $n outlines that mean nothing" >&3
  [ "$failed" -eq 0 ]
  [ "$n" -ge 60 ]
}

@test "hostile outlines: what means something has the pixels that the COCO API gives it" {
  python3 "$here/tools/blank.py" images/b.png 600 500 gray 9
  printf '{"version": 1, "annotations": {"segmentation": "rle"}, "transforms": []}' > p.json
  go good.json out
  quiet err.txt
  python3 "$here/hostile/geometry.py" areas good.json out/annotations.json
}

@test "hostile outlines: they are moved, cut, warped, hidden and turned to the other kind" {
  local steps kind
  python3 "$here/tools/blank.py" images/b.png 600 500 gray 9
  for steps in '{"type": "rotate", "angle": 33}' '{"type": "crop", "top": 5, "left": 5, "height": 21, "width": 30}' \
    '{"type": "crop", "top": 0, "left": 15, "height": 40, "width": 30}' '{"type": "RandomPerspective", "p": 1}' \
    '{"type": "ElasticTransform"}' '{"type": "grid_dropout", "unit": 8, "hole": 4, "labels": "shrink"}'; do
    for kind in rle polygon; do
      printf '{"version": 1, "annotations": {"segmentation": "%s"}, "transforms": [%s]}' $kind "$steps" > p.json
      rm -rf out
      go good.json out || { echo "$kind, $steps:"; cat err.txt; return 1; }
      quiet err.txt
      jq -e '[.annotations[].segmentation] | all(type == "array" or (.counts | length) > 0)' out/annotations.json > /dev/null
    done
  done
}

# fold SIGMA...: warps many large objects by a field of each sigma.
fold() {
  local sigma
  skip_when_sanitized "$lockstep"
  mkdir -p many
  python3 "$here/tools/blank.py" many/c.png 2000 1500 gray 9
  jq -nc '{images: [{id: 1, file_name: "c.png", width: 2000, height: 1500}], categories: [{id: 1, name: "c"}],
    annotations: [range(60) | {id: (. + 1), image_id: 1, category_id: 1, iscrowd: 0, area: 600000,
      bbox: [(500 + . * 5), 300, 700, 900],
      segmentation: [[(850 + . * 5), 300, (1200 + . * 5), 750, (850 + . * 5), 1200, (500 + . * 5), 750]]}]}' > many.json
  for sigma in "$@"; do
    pipeline p.json "{\"type\": \"elastic\", \"alpha\": 600, \"sigma\": $sigma}"
    rm -rf out
    run bash -c "ulimit -d 300000; exec '$lockstep' run -q -j 1 -p p.json -i many -a many.json -o out 2>&1"
    [ "$status" -eq 0 ] || { echo "sigma $sigma: $status $output"; return 1; }
    jq -e '[.annotations[].segmentation] | length == 60 and all(.counts | length > 0)' out/annotations.json > /dev/null
  done
}

@test "hostile outlines: a field that folds moves many large objects within 300 MB" { fold 1; }

# bats test_tags=release
@test "hostile outlines: fields that fold move many large objects within 300 MB" { fold 0 1 2; }
