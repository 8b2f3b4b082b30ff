#!/usr/bin/env bats
# Commands in help, README and manual pages run unchanged on the samples.
bats_require_minimum_version 1.5.0
load ../lib/helpers

# Makes a folder with the files that the examples name, and the command where a shell finds it.
setup() {
  begin
  mkdir bin home
  ln -s "$lockstep" bin/lockstep
  export PATH=$PWD/bin:$PATH HOME=$PWD/home
  ln -s "$samples/images" images
  ln -s "$samples/annotations.json" .
  python3 "$here/tools/stamps.py" stamps
  ln -s "$font" font.ttf
}

# More of it, for commands that are not one step.
furnish() {
  rm images
  cp -r "$samples/images" images
  cp images/desk/0001.jpg images/one.jpg
  cp images/desk/0002.png images/two.png
  cp -r "$root/pipelines" .
  cp pipelines/detection.json train.json
  cp pipelines/detection.json pipeline.json
  pipeline flip.json '{"type": "horizontal_flip"}'
  mkdir -p home/.config/fish/completions
  cp annotations.json old.json
  jq . annotations.json > new.json
  jq '[.annotations[] | {image_id, category_id, bbox, score: 0.5}]' annotations.json > results.json
  pipeline nms.json '{"type": "nms"}'
  pipeline large.json '{"type": "remove_small_boxes", "min_size": 20}'
  lockstep run -q -p flip.json -i images -a annotations.json -o out-a
  cp -r out-a out-b
  lockstep run -q -p flip.json -i images -a annotations.json --to yolo --lossy -o out-yolo
  cp -r out-yolo/labels .
  lockstep convert -q -a annotations.json -i images -o pets-1 --to yolo --lossy
  cp -r pets-1 pets-2
  sed 's|images/train|pets-1/images/train|' pets-1/data.yaml > data.yaml
  mkdir -p pets/cat pets/dog
  cp images/one.jpg pets/cat
  cp images/two.png pets/dog
  [ -e masks ] || cp -r "$samples/masks" masks
  rm -f images/*.*
  seq 0 255 > classes.txt
}

# runs FILE: its commands exit with 0. Outputs of earlier examples do not interfere.
runs() {
  rm -rf out sheet.png preview.png train.frozen.json kept.json pairs.*
  bash -euo pipefail "$1" > stdout.txt 2> stderr.txt || { cat "$1" stderr.txt; return 1; }
}

# singly FOLDER: runs the examples of a group one by one, and names each that fails.
singly() {
  local name
  while read -r name; do
    rm -rf one
    mkdir -p one/images
    cp "$1/images/$name"-* one/images
    ln -s "$PWD/stamps" "$PWD/font.ttf" one
    (cd one && bash -euo pipefail "../$1/group" < "../printed/$name.json" > said 2>&1) || { echo "$name:"; cat one/said; }
  done < <(ls "$1/images" | sed 's/-[ab]\..*//' | sort -u)
}

# The examples that are printed with the same command share one run, each on a JPEG and on an image with alpha.
@test "examples: of transforms and ops, as describe prints them" {
  local at
  lockstep describe --all > all.txt
  lockstep describe --all --json > all.json
  python3 "$here/tools/described.py" examples all.txt all.json write.sh
  mkdir printed
  (cd printed && bash -euo pipefail ../write.sh)
  # shellcheck disable=SC2016 # $commands is jq's
  (cd printed && jq -R '{(input_filename | rtrimstr(".command")): .}' -- *.command | jq -s add > ../commands.json &&
    jq --slurpfile commands ../commands.json '(input_filename | rtrimstr(".json")) as $name
      | {name: $name, group: $commands[0][$name], step: (.transforms[0] + {p: 1})}' -- *.json) | jq -s . > steps.json
  [ "$(jq length steps.json)" -eq "$(lockstep list transforms ops | wc -l)" ]
  python3 "$here/tools/each_step.py" sizes each 3,4 annotations.json < steps.json
  pipeline same.json ''
  for at in each/*; do
    lockstep run -q -p same.json -i "$at/images" --include '*-a.png' -o jpeg --format jpeg --overwrite
    rm "$at"/images/*-a.png
    cp jpeg/images/* "$at/images"
    ln -s "$PWD/stamps" "$PWD/font.ttf" "$at"
    (cd "$at" && bash -euo pipefail group < p.json > said 2>&1) || { cat "$at/group" "$at/said"; singly "$at"; return 1; }
    jq -r 'select(.steps | length > 0).source' "$at/out/manifest.jsonl" >> drawn
  done
  # Nearly all steps act on their own images. Some change nothing, or need objects or keypoints.
  [ "$(sed 's/-[ab]\..*//' drawn | sort -u | wc -l)" -ge "$(($(jq length steps.json) - 20))" ]
}

@test "examples: of commands, as help prints them" {
  local command line n=0
  furnish
  for command in $(lockstep help | sed -n '/^COMMANDS/,/^TOPICS/p' | grep -oE '^  [a-z]+' ); do
    while IFS= read -r line; do
      echo "$line" > example.sh
      case $line in # it needs an output
        'lockstep status '* | 'lockstep replay '* | 'lockstep verify '* | 'lockstep stats out '*)
          sed -i '1i lockstep run -q -p flip.json -i images -a annotations.json -o out' example.sh
          ;;
      esac
      runs example.sh < /dev/null
      n=$((n + 1))
    done < <(lockstep help "$command" | sed -n '/^EXAMPLES/,/^$/p' | sed '1d;/^$/d;s/^  //')
  done
  [ "$n" -ge 25 ]
}

@test "examples: of the README" {
  furnish
  # The pipeline that it shows is the one that its commands name.
  sed -n '/^```json/,/^```/p' "$root/README.md" | sed '/^```/d' > pipeline.json
  lockstep schema --check pipeline.json
  # Half of the images each, as a dataset is split.
  for half in train:0 val:1; do
    jq --argjson half "${half#*:}" '.images |= [to_entries[] | select(.key % 2 == $half).value]
      | [.images[].id] as $ids | .annotations |= map(select(.image_id | IN($ids[])))' annotations.json > "${half%:*}.json"
  done
  grep -oE '^    lockstep .*' "$root/README.md" | sed 's/^ *//' > example.sh
  [ "$(wc -l < example.sh)" -ge 2 ]
  grep -oE '`lockstep (init|list|schema|explain|help|describe)[^`]*`' "$root/README.md" | tr -d '`' |
    sed 's/describe NAME/describe CLAHE/;s/explain$/explain -p pipeline.json/' >> example.sh
  runs example.sh
}

@test "examples: of the manual pages" {
  local page
  command -v mandoc
  furnish
  for page in lockstep.1 lockstep-pipeline.5 lockstep-transforms.7; do
    # Prints the lines between .EX and .EE of the section EXAMPLES.
    sed -n '/^\.SH EXAMPLES/,/^\.SH SEE/p' "$root/man/$page" |
      awk '/^\.EX/ { shown = 1; n++; next } /^\.EE/ { shown = 0 }
        shown { gsub(/\\\(aq/, "\047"); gsub(/\\\(dq/, "\""); gsub(/\\-/, "-"); gsub(/\\e/, "\\"); print > ("example" n ".sh") }'
    for example in example?.sh; do
      runs "$example" < /dev/null
      rm "$example"
    done
  done
}
