#!/usr/bin/env bats
# Options for annotations: with each format, an option changes the output, is refused, or is reported as idle.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
}

@test "annotation options: no setting of a pipeline is silently ignored, whatever the format" {
  python3 "$here/tools/annotation_options.py" "$lockstep" settings > found.txt || { cat found.txt; return 1; }
  diff "$here/golden/annotation_settings.txt" found.txt
  # All settings are in the table.
  diff <(sed 's/ .*//' found.txt | sort -u) \
    <("$lockstep" schema | jq -r '.. | objects | select(has("min_visibility")) | keys[] | select(. != "$comment")' | sort -u)
}

@test "annotation options: no option of the command line is silently ignored, whatever the format" {
  python3 "$here/tools/annotation_options.py" "$lockstep" options > found.txt || { cat found.txt; return 1; }
  diff "$here/golden/annotation_options.txt" found.txt
}

@test "annotation options: settings without effect are named once, and common ones with -v alone" {
  mkdir images
  python3 "$here/tools/blank.py" images/a.png 64 48
  printf '{"version": 1, "annotations": {"min_area": 3, "ids": "dense", "outside": "hide"}, "transforms": []}\n' > p.json
  run -0 --separate-stderr "$lockstep" run -p p.json -i images -o out --progress none
  # shellcheck disable=SC2154 # run sets it
  [ "${stderr_lines[0]}" = "p.json: warning: settings of annotations that have no effect on images without annotations: min_area [settings-idle]" ]
  run -0 --separate-stderr "$lockstep" run -p p.json -i images -o out --overwrite --progress none -v
  [[ $stderr == *": min_area, ids [settings-idle]"* ]]
  run -0 --separate-stderr "$lockstep" run -p p.json -i images -o out --overwrite --progress none -q
  [ -z "$stderr" ]
}
