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

go() { # OUT [options]
  local out=$1
  shift
  "$lockstep" run -q -p steps.json -i images --masks masks -a few.json -o "$out" --stamps stamps --font "$font" "$@"
}

@test "walk: every transform's example writes the same tree with 1 and 3 workers" {
  local name done=0
  few desk/0001.jpg fruit/0002.png
  python3 "$here/tools/stamps.py" stamps
  for name in $("$lockstep" list transforms --json | jq -r '.[].name'); do
    "$lockstep" describe "$name" --json | jq --arg name "$name" \
      '{version: 1, seed: 7, transforms: [.example]}
       | if IN($name; "ConvertImageDtype", "Normalize", "ToDtype", "ToFloat") then .output.format = "tiff" else . end' > steps.json
    go a -n 3 -j 1 || { echo "$name"; false; }
    go b -n 3 -j 3 || { echo "$name"; false; }
    same_tree a b || { echo "$name"; false; }
    rm -r a b
    done=$((done + 1))
  done
  [ "$done" -eq "$(find "$root/src/transforms" -name '*.c' | wc -l)" ]
}

@test "walk: ops at the values that change nothing change no byte" {
  python3 "$here/tools/identity.py" "$lockstep"
}
