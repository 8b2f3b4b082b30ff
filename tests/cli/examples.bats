#!/usr/bin/env bats
# What help, README and manual pages tell people to type runs as it stands, on the samples.
bats_require_minimum_version 1.5.0
load ../lib/helpers

# A folder with what the examples name, and the command where a shell finds it.
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
}

# runs FILE: its commands end with 0. What an earlier example wrote is not in the way.
runs() {
  rm -rf out sheet.png preview.png train.frozen.json kept.json pairs.*
  bash -euo pipefail "$1" > stdout.txt 2> stderr.txt || { cat "$1" stderr.txt; return 1; }
}

# describes KIND PART: the examples of one in three steps, on two of the images.
describes() {
  local name
  rm images annotations.json
  mkdir images
  ln -s "$samples/images/desk" images
  jq '.images |= map(select(.file_name | startswith("desk/"))) | [.images[].id] as $ids
    | .annotations |= map(select(.image_id | IN($ids[])))' "$samples/annotations.json" > annotations.json
  lockstep list "$1" | awk -v part="$2" 'NR % 3 == part { print $1 }' > names
  [ -s names ]
  while read -r name; do
    lockstep describe "$name" | sed -n '/^EXAMPLE/,$p' | sed '1d;s/^  //' > example.sh
    grep -q 'lockstep run -p - -i images -o out' example.sh
    runs example.sh < /dev/null
  done < names
}

@test "examples: of transforms, as describe prints them (1 of 3)" { describes transforms 0; }
@test "examples: of transforms, as describe prints them (2 of 3)" { describes transforms 1; }
@test "examples: of transforms, as describe prints them (3 of 3)" { describes transforms 2; }
@test "examples: of ops, as describe prints them (1 of 3)" { describes ops 0; }
@test "examples: of ops, as describe prints them (2 of 3)" { describes ops 1; }
@test "examples: of ops, as describe prints them (3 of 3)" { describes ops 2; }

@test "examples: of commands, as help prints them" {
  local command line n=0
  furnish
  for command in $(lockstep help | sed -n '/^COMMANDS/,/^TOPICS/p' | grep -oE '^  [a-z]+' ); do
    while IFS= read -r line; do
      echo "$line" > example.sh
      case $line in # it needs an output
        'lockstep status '* | 'lockstep replay '* | 'lockstep verify '*)
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
    # What is between .EX and .EE of the section EXAMPLES.
    sed -n '/^\.SH EXAMPLES/,/^\.SH SEE/p' "$root/man/$page" |
      awk '/^\.EX/ { shown = 1; n++; next } /^\.EE/ { shown = 0 }
        shown { gsub(/\\\(aq/, "\047"); gsub(/\\\(dq/, "\""); gsub(/\\-/, "-"); gsub(/\\e/, "\\"); print > ("example" n ".sh") }'
    for example in example?.sh; do
      runs "$example" < /dev/null
      rm "$example"
    done
  done
}
