#!/usr/bin/env bats
# Pipelines named after a training have the values of their sources.
# shellcheck disable=SC2154 # begin and run set them
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
}

@test "presets: names, sizes, order and parameters are those of the lines that the table quotes" {
  local name
  run -0 "$here/tools/presets.py" "$lockstep" "$root/pipelines" "$here/golden/presets.txt"
  [ "$(grep -c '^== ' "$here/golden/presets.txt")" -ge 16 ]
  # A value, a step, a citation and a whole pipeline that are not the table's are found.
  for name in value order parameter citation pipeline; do cp -r "$root/pipelines" $name; done
  sed -i 's/1333/1334/' value/detectron2.json
  jq '.transforms |= reverse' "$root/pipelines/torchvision-ssdlite.json" > order/torchvision-ssdlite.json
  jq '.transforms[0].antialias = false' "$root/pipelines/mask-rcnn.json" > parameter/mask-rcnn.json
  sed -i 's,exp/yolox_base.py,exp/base.py,' citation/yolox.json
  cp pipeline/yolov8.json pipeline/yolov9.json
  for name in 'value detectron2.json has \[0\].max_size 1334, not 1333' 'order torchvision-ssdlite.json has \[0\].type' \
    'parameter mask-rcnn.json has \[0\].antialias, and no fact' 'citation yolox.json does not cite' \
    'pipeline yolov9.json cites a source, and no fact has it'; do
    run -1 "$here/tools/presets.py" "$lockstep" "${name%% *}" "$here/golden/presets.txt"
    grep -q "${name#* }" <<< "$output" || { echo "$name: $output"; return 1; }
  done
}

@test "presets: YOLOv8 rounds the other side up, and YOLOX cuts it" {
  mkdir in
  python3 "$here/tools/blank.py" in/a.png 1000 333
  python3 "$here/tools/blank.py" in/b.png 334 1000
  for name in yolov8 yolox; do
    jq 'del(.transforms[1:]) | .annotations = {}' "$root/pipelines/$name.json" > $name.json
    "$lockstep" run -q -p $name.json -i in -o $name
    jq -c .size_out $name/manifest.jsonl | sort | tr '\n' ' '
  done > sizes.txt
  # 213.12 and 213.76 pixels
  [ "$(cat sizes.txt)" = '[214,640] [640,214] [213,640] [640,213] ' ]
  # the image that is mixed in, and its own scale
  jq '{version, transforms: .transforms[4].donor_transforms[:3]} | .transforms[2].scale_range = [0.7512, 0.7512]' \
    "$root/pipelines/yolox.json" > donor.json
  "$lockstep" run -q -p donor.json -i in -o donor
  [ "$(jq -c .size_out donor/manifest.jsonl | sort -u)" = '[480,480]' ]
}

@test "presets: lockstep list pipelines has them all, and -p NAME runs them from anywhere" {
  jq -r '(input_filename | sub(".*/"; "") | rtrimstr(".json")) + " " + ."$comment"' "$root"/pipelines/*.json | sort > wanted.txt
  [ "$(wc -l < wanted.txt)" -eq "$(find "$root/pipelines" -name '*.json' | wc -l)" ]
  "$lockstep" list pipelines | sed -E 's/^([^ ]+) +/\1 /' | sort | diff wanted.txt -
  "$lockstep" list pipelines --json | jq -r '.[] | "\(.name) \(.summary)"' | sort | diff wanted.txt -
  NO_COLOR=1 on_terminal "$lockstep" list pipelines > shown.txt
  grep -Eq '^ +yolov8 +Training of YOLOv8' shown.txt
  mkdir in
  python3 "$here/tools/blank.py" in/a.png 60 40
  run -0 "$lockstep" run -q -p torchvision-classification-eval -i in -o out
  [ "$(jq -c .size_out out/manifest.jsonl)" = '[224,224]' ]
  run -2 --separate-stderr "$lockstep" list pipelines ops
  [[ $stderr == *'pipelines are listed alone [operand-unexpected]'* ]]
  run -2 --separate-stderr "$lockstep" list pipelines --differences
  [[ $stderr == *'[option-unused]'* ]]
  run -2 --separate-stderr "$lockstep" list pipeline
  [[ $stderr == *'did you mean "pipelines"?'* ]]
}

# Half of them each.
holds() { # PART OF
  local file name n=0
  while read -r name; do
    n=$((n + 1))
    [ $((n % $2)) -eq "$1" ] || continue
    file=$root/pipelines/$name.json
    "$lockstep" compile -p "$file" > frozen.json
    for file in "$root/pipelines/$name.json --optimize none" "$root/pipelines/$name.json --optimize exact -j 2" "frozen.json --optimize exact"; do
      # shellcheck disable=SC2086 # the words are several
      "$lockstep" run -q -p $file -i "$samples/images" -a "$samples/annotations.json" --masks "$samples/masks" \
        --limit 3 -o "out-$((++runs))" || { echo "$name"; return 1; }
    done
    same_tree "out-$((runs - 2))" "out-$((runs - 1))"
    diff -r -x run.json -x manifest.jsonl "out-$((runs - 1))" "out-$runs"
    "$lockstep" check "out-$runs/annotations.json" -i "out-$runs/images" > found.txt || { cat found.txt; return 1; }
    rm -r out-*
  done < <(sed -n 's/^== //p' "$here/golden/presets.txt")
}
@test "presets: modes none and exact, and the frozen form, write the same, in which check finds no error (1 of 2)" { holds 0 2; }
@test "presets: modes none and exact, and the frozen form, write the same, in which check finds no error (2 of 2)" { holds 1 2; }
