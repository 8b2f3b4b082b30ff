#!/usr/bin/env bats
# Findings of `check` in annotation files, and its exit codes.
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

# faults NAME: a box with a negative width, and one that reaches beyond the image.
faults() { dataset "$1" "$(box 1 90 10 -20 20), $(box 2 90 10 20 20)"; }

@test "rules are selected and ignored by ids, their beginnings and names" {
  faults a.json
  run -1 "$lockstep" check a.json
  [ "$(found)" = "B003 B005 R011" ]
  run -1 "$lockstep" check a.json --select B
  [ "$(found)" = "B003 B005" ]
  run -0 "$lockstep" check a.json --select B005,R --ignore R011
  [ "$(found)" = "B005" ]
  run -1 "$lockstep" check a.json --select R --extend-select bbox-negative-size --extend-select D
  [ "$(found)" = "B003 R011" ]
  run -0 "$lockstep" check a.json --ignore ALL
  [ "$(found)" = "" ]
  run -2 "$lockstep" check a.json --select B0055
  [[ $output == *'did you mean "B005"?'* ]]
  run -2 "$lockstep" check a.json --select B,
}

@test "the severity of rules can be set, and decides about the exit code" {
  faults a.json
  run -0 "$lockstep" check a.json --severity B003=warning
  [[ $output == *"warning[B003]"* ]]
  run -1 "$lockstep" check a.json --severity B=info --severity B005=error
  [[ $output == *"error[B005]"* && $output == *"info[B003]"* ]]
  run -0 "$lockstep" check a.json --severity B=off
  run -2 "$lockstep" check a.json --severity B003=bad
  run -2 "$lockstep" check a.json --severity B003
}

@test "a baseline hides what it knows, whatever the ids, the order and the digits" {
  faults a.json
  run -0 "$lockstep" check a.json --write-baseline known.json
  run -0 "$lockstep" check a.json --baseline known.json --fail-on info
  [[ $output == *"0 errors, 0 warnings, 0 info, 3 in the baseline"* ]]
  dataset b.json "$(box 12 90.0 10 2e1 20), $(box 11 90 10 -20 20)"
  sed -i 's/"id": 1, "file_name"/"file_name": "a.jpg", "id": 1, "x"/; s/^/  /' b.json
  run -0 "$lockstep" check b.json --baseline known.json --select B --fail-on info
  # The same again is not known.
  dataset c.json "$(box 1 90 10 -20 20), $(box 2 90 10 20 20), $(box 3 90 10 20 20)"
  run -0 "$lockstep" check c.json --baseline known.json
  [ "$(found)" = "B005 B013" ]
  # Another place is not known.
  dataset e.json "$(box 1 90 10 -20 20), $(box 2 91 10 20 20)"
  run -0 "$lockstep" check e.json --baseline known.json --select B
  [ "$(found)" = "B005" ]
  # Findings of the baseline that are gone are counted.
  dataset d.json "$(box 1 90 10 -20 20)"
  run -0 "$lockstep" check d.json --baseline known.json
  [[ $output == *"1 findings of the baseline are gone"* ]]
  run -4 "$lockstep" check d.json --baseline missing.json
  run -4 "$lockstep" check d.json --baseline d.json
}

@test "settings are found up to the root of the repository, and their path is printed" {
  mkdir -p outer/repo/.git outer/repo/data/train
  faults outer/repo/data/train/a.json
  echo '{"ignore": ["ALL"]}' > outer/lockstep-check.json
  cd outer/repo/data/train
  run -1 "$lockstep" check a.json
  [ "$(found)" = "B003 B005 R011" ]
  echo '{"ignore": ["R"], "severity": ["B003=warning"], "fail_on": "warning"}' > ../../lockstep-check.json
  run -1 --separate-stderr "$lockstep" check a.json
  [ "$(found)" = "B003 B005" ]
  [[ $stderr == *"settings are from "*"/outer/repo/lockstep-check.json"* ]]
  run -0 "$lockstep" check a.json --fail-on error
  run -1 "$lockstep" check a.json --severity B003=error --fail-on error
  echo '{"select": ["R"]}' > other.json
  run -0 "$lockstep" check a.json --config other.json
  [ "$(found)" = "R011" ]
  echo '{"selects": ["R"]}' > other.json
  run -2 "$lockstep" check a.json --config other.json
  [[ $output == *"other.json:1:2"* && $output == *select* ]]
  echo '{"baseline": "known.json"}' > ../../lockstep-check.json
  run -0 "$lockstep" check a.json --write-baseline ../../known.json
  run -0 "$lockstep" check a.json
}

@test "settings name rules that are not reported of annotation files and images, by patterns" {
  mkdir -p repo/.git repo/old repo/new
  faults repo/old/a.json
  faults repo/new/a.json
  cd repo
  settings() { printf '{"per_file_ignores": %s}\n' "$1" > lockstep-check.json; }
  settings '{"old/*": ["B003"], "o*": ["R"], "$comment": "legacy"}'
  run -0 "$lockstep" check old/a.json
  [ "$(found)" = "B005" ]
  run -1 "$lockstep" check new/a.json
  [ "$(found)" = "B003 B005 R011" ]
  # Paths are relative to the folder of the settings file, wherever the check runs, and links are followed.
  ln -s ../old/a.json new/link.json
  cd new
  run -0 "$lockstep" check ../old/a.json
  [ "$(found)" = "B005" ]
  run -0 "$lockstep" check link.json
  cd ..
  # Several files: of each its own.
  run -1 --separate-stderr "$lockstep" check old/a.json new/a.json --select B --output jsonl
  [ "$(jq -r 'select(.rule) | .file + " " + .rule' <<< "$output" | sort | xargs)" = "new/a.json B003 new/a.json B005 old/a.json B005" ]
  # A pattern without a slash matches a last part of a path; images have names, too.
  settings '{"a.json": ["R011"], "?.jpg": ["B003,bbox-partly-outside"]}'
  run -0 "$lockstep" check new/a.json --fail-on info
  [ "$(found)" = "" ]
  settings '{"a.jp?": ["B003"]}'
  run -0 "$lockstep" check new/a.json
  [ "$(found)" = "B005 R011" ]
  settings '{"b.jpg": ["B"], "b.json": ["ALL"]}'
  run -1 "$lockstep" check new/a.json
  [ "$(found)" = "B003 B005 R011" ]
  # Faults that are not reported are not fixed.
  settings '{"new/*": ["B005"]}'
  run -0 "$lockstep" check new/a.json --diff --unsafe-fixes --select B005
  settings '{"new/*": ["B0055"]}'
  run -2 "$lockstep" check new/a.json
  [[ $output == *'did you mean "B005"?'* ]]
  settings '{"new/*": "B005"}'
  run -2 "$lockstep" check new/a.json
  settings '["B005"]'
  run -2 "$lockstep" check new/a.json
}

@test "at most so many findings of a rule are printed, and all are counted" {
  local i boxes=
  for ((i = 1; i <= 30; i++)); do boxes+="$(box $i $((i * 2)) 10 -20 20)${boxes:+}, "; done
  dataset a.json "${boxes%, }"
  run -1 "$lockstep" check a.json --select B
  [ "$(grep -c 'error\[B003\]' <<< "$output")" -eq 10 ]
  [[ $output == *"30 errors"* ]]
  run -1 "$lockstep" check a.json --select B --max-findings 3
  [ "$(grep -c 'error\[B003\]' <<< "$output")" -eq 3 ]
}

@test "names stand in JSON pointers as RFC 6901 has them" {
  dataset a.json "$(box 1 10 10 20 20 | sed 's|"area"|"a/b~\\u0041": 1, "area"|')"
  run -0 "$lockstep" check a.json --select J
  [[ $output == *": /annotations/0/a~1b~0A: "* ]]
}

@test "names cannot steer the terminal" {
  printf '{"images": [{"id": 1, "file_name": "a\\u001b[2J\\n::error::x.jpg", "width": 9, "height": 9}],\n' > a.json
  printf '"categories": [], "annotations": [{"id": 1, "image_id": 1, "bbox": [1, 1, -4, 4], "a\\u001b[0m": 1}]}\n' >> a.json
  run -1 "$lockstep" check a.json
  [[ $output != *$'\033'* && $output != *$'\n::error'* ]]
}

@test "three of a kind are two too many" {
  dataset a.json "$(box 1 10 10 20 20), $(box 2 10 10 20 20), $(box 3 10 10 20 20)"
  run -0 "$lockstep" check a.json --select B
  [ "$(found)" = "B013 B013" ]
}

@test "--strip-prefix and --match find the files that run finds, and what run refuses is not found right" {
  mkdir -p photos/in photos/out
  cp "$samples/images/street/0001.jpg" photos/in/one.jpg
  cp "$samples/images/street/0001.jpg" photos/out/two.jpg
  named() { # FILE NAME NAME
    jq -n '{images: [$ARGS.positional | to_entries[] | {id: (.key + 1), file_name: .value, width: 640, height: 480}], annotations: [], categories: []}' \
      --args "${@:2}" > "$1"
  }
  agrees() { # CODE OPTIONS...: check ends with the code, and run with 0 or 4, for it
    run "$lockstep" check -i photos "${@:2}"
    [ "$status" -eq "$1" ] || { echo "$output"; return 1; }
    run -$(($1 ? 4 : 0)) "$lockstep" run -q -p none.json -i photos --overwrite -o out "${@:2}"
  }
  pipeline none.json ''
  named prefixed.json raw/2023/in/one.jpg raw/2023/out/two.jpg
  agrees 1 -a prefixed.json
  run -1 "$lockstep" check -i photos prefixed.json
  [ "$(found)" = "I001 I001 I027 X009" ]
  [[ $output = *'with --strip-prefix raw/2023/'*' it is found'* ]]
  agrees 0 -a prefixed.json --strip-prefix raw/2023
  run -0 "$lockstep" check -i photos prefixed.json --strip-prefix raw/2023 --fail-on info --ignore X009
  agrees 4 -a prefixed.json --strip-prefix row/
  [[ $("$lockstep" check -i photos prefixed.json --strip-prefix row/ 2>&1) = *'[prefix-unknown]' ]]

  # Names of other machines are an error, unless their last part alone counts.
  named foreign.json 'D:\pool\one.jpg' /mnt/pool/two.jpg
  agrees 1 -a foreign.json
  agrees 0 -a foreign.json --match basename
  agrees 1 -a foreign.json --strip-prefix /mnt/pool
  agrees 1 -a foreign.json --match path
  # Two images of one file are an error, too, and so are two files of one name.
  named both.json a/one.jpg b/one.jpg
  agrees 1 -a both.json --match basename
  cp photos/in/one.jpg photos/out
  agrees 4 -a foreign.json --match basename
  [[ $("$lockstep" check -i photos foreign.json --match basename 2>&1) = *'2 files are called one.jpg'*'[image-ambiguous]' ]]
  rm photos/out/one.jpg
  # A table of labels names images, too.
  printf 'file,class\nx/one.jpg,a\nx/two.jpg,b\n' > labels.csv
  agrees 0 -a labels.csv --match basename
  agrees 1 -a labels.csv
}

@test "--strip-prefix and --match are refused where no annotations name files, and where none are looked for" {
  local option
  dataset a.json "$(box 1 10 10 20 20)"
  mkdir labels
  printf '0 0.5 0.5 0.2 0.2\n' > labels/0001.txt
  for option in '--strip-prefix x/' '--match basename'; do
    # shellcheck disable=SC2086 # words
    run -2 "$lockstep" check -a labels -i "$samples/images/street" $option
    [[ $output = *"${option%% *}"*'no annotations have other names for them [option-unused]' ]]
    # shellcheck disable=SC2086 # words
    run -2 "$lockstep" check a.json $option
    [[ $output = *"${option%% *}"*'there is no -i [option-unused]' ]]
  done
}
