#!/usr/bin/env bats
# The registry, walked by the command: examples do not depend on the number of workers, and ops at
# their neutral values change no byte.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
}

# few NAME...: these of the samples, with masks, and few.json.
few() {
  local name
  for name in "$@"; do
    mkdir -p "images/$(dirname "$name")" "masks/$(dirname "$name")"
    cp "$samples/images/$name" "images/$name"
    cp "$samples/masks/${name%.*}.png" "masks/${name%.*}.png"
  done
  jq '[.images[] | select(.file_name | IN($ARGS.positional[]))] as $images
      | .images = $images
      | .annotations |= map(select(.image_id | IN($images[].id)))' \
    "$samples/annotations.json" --args "$@" > few.json
}

@test "walk: every transform's example writes the same tree with 1 and 3 workers" {
  local at jobs
  few desk/0001.jpg fruit/0002.png
  python3 "$here/tools/stamps.py" stamps
  "$lockstep" list transforms --json | jq 'map({name, step: .example,
    group: (if IN(.name; "ConvertImageDtype", "Normalize", "ToDtype", "ToFloat") then "tiff" else "same" end)})' > steps.json
  [ "$(jq length steps.json)" -eq "$(find "$root/src/steps/transforms" -name '*.c' | wc -l)" ]
  python3 "$here/tools/each_step.py" categories each few.json images masks < steps.json
  for at in each/*; do
    for jobs in 1 3; do
      "$lockstep" run -q -p "$at/p.json" -i "$at/images" --masks "$at/masks" -a "$at/in.json" -o "$at/$jobs" --stamps stamps --font "$font" \
        --format "$(cat "$at/group")" -n 3 -j $jobs
    done
    same_tree "$at/1" "$at/3"
    ls "$at/images" >> seen
    jq -r 'select(.steps | length > 0).source | sub("/.*"; "")' "$at/1/manifest.jsonl" >> drawn
  done
  diff <(jq -r '.[].name' steps.json | LC_ALL=C sort) <(LC_ALL=C sort seen)
  # Nearly all steps act on their own images. Some change nothing, or need keypoints or texts.
  [ "$(sort -u drawn | wc -l)" -ge "$(($(sort -u seen | wc -l) - 8))" ]
}

@test "walk: ops at the values that change nothing change no byte" {
  python3 "$here/tools/identity.py" "$lockstep"
}

# not_walked NAME WHY COMMAND...: with OP=NAME the command fails, and says why.
not_walked() {
  OP=$1 run "${@:3}"
  [ "$status" -ne 0 ] && [[ $output == *"$2"* ]] || { echo "OP=$1 $3: $status: $output"; return 1; }
}

@test "walk: a test of one entry fails, and says why, if it does not walk the entry" {
  local unit=$root/${BUILD:-build}/unit program
  for program in walk effects sizes; do
    [ -x "$unit/test_$program" ] || skip "make programs builds $unit/test_$program"
    not_walked rotat 'did you mean "rotate"' "$unit/test_$program"
    [[ $output == *'1..1'*'not ok 1 - '* ]]
  done
  not_walked fog 'fog moves nothing, so test_walk does not walk it' "$unit/test_walk"
  not_walked Rotate 'Rotate is a transform, not an op, so test_effects does not walk it' "$unit/test_effects"
  OP=Identity run -0 "$unit/test_walk"
  [ "$output" = $'1..1\nok 1 - Identity' ]
  run -1 python3 "$here/tools/distributions.py" "$lockstep" RandomRotatio
  [[ $output == *'no transform has the name RandomRotatio; did you mean RandomRotation?' ]]
  run -1 python3 "$here/tools/distributions.py" "$lockstep" fog
  [[ $output == *'fog is not a transform'* ]]
  run -1 python3 "$here/check/planted.py" cases Z001
  [[ $output == *'no rule that has cases matches Z001'* ]]
}
