#!/usr/bin/env bats
# lockstep profile: all stages and passes are listed with correct counts. Their times are not tested here.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  steps='{"type": "horizontal_flip"}, {"type": "adjust_contrast", "contrast_factor": 1.2}'
  steps+=', {"type": "gaussian_blur", "kernel_size": 3}, {"type": "invert"}'
  pipeline p.json "$steps"
}

profile() { # options...; one round unless they say otherwise
  local merged
  with_defaults '--repeat 1' -- "$@"
  "$lockstep" profile -p p.json -i "$samples/images" "${merged[@]}"
}

# rows FILTER: prints a value for each line of the file `told`, on one line.
rows() { jq -rs "[.[] | $1] | join(\" | \")" told; }

# passes MODE: their names and calls, sorted.
passes() {
  jq -r "select(.table == \"pass\" and .mode == \"$1\") | \"\(.name) \(.calls)\"" told | LC_ALL=C sort
}

@test "profile: the table has every stage, op and pass" {
  local word
  profile --limit 2 > told
  quiet told
  for word in read header draw print compile decode render encode rest all images/s spread \
    'page faults' memory; do
    grep -qE "^$word" told || { echo "no $word"; false; }
  done
  for word in horizontal_flip adjust_contrast gaussian_blur invert; do
    grep -qE "^ +[0-9.]+ +[0-9.]+% +2  $word$" told || { echo "no $word"; false; }
  done
  grep -qE '^ +[0-9.]+ +[0-9.]+% +2  horizontal_flip \+ adjust_contrast$' told
  run -1 grep -E '^mask|lossless|more\)' told
  run -1 grep -E '.{101}' told
}

@test "profile: what is counted is right, of copies and images too" {
  profile --limit 3 -n 2 --repeat 2 --json > told
  [ "$(rows 'select(.table == "all") | "\(.mode) \(.optimize) \(.images) \(.results) \(.rounds)"')" = \
    "eager none 3 6 2 | compiled exact 3 6 2" ]
  for mode in eager compiled; do
    [ "$(rows "select(.table == \"stage\" and .mode == \"$mode\") | \"\(.name) \(.calls)\"")" = \
      "read 3 | header 3 | draw 6 | print 6 | compile 6 | decode 3 | render 6 | encode 6 | rest 3" ]
  done
  [ "$(passes eager)" = "(beside passes) 6
adjust_contrast 6
gaussian_blur 6
horizontal_flip 6
invert 6" ]
  [ "$(passes compiled)" = "(beside passes) 6
gaussian_blur 6
horizontal_flip + adjust_contrast 6
invert 6" ]
}

@test "profile: shares add up to 100, and passes to what render takes" {
  profile -a "$samples/annotations.json" --masks "$samples/masks" --limit 4 --json > told
  jq -es '[group_by([.table, .mode])[] | select(.[0].share) | map(.share) | add]
          | length == 4 and all(. > 99.9 and . < 100.1)' told
  jq -es '[group_by(.mode)[] | select(.[0].mode)
           | (map(select(.name == "render").us_per_image) | add) -
             (map(select(.table == "pass").us_per_image) | add)]
          | length == 2 and all(. > -0.1 and . < 0.1)' told
  [ "$(rows 'select(.mode == "eager" and .calls and (.name | startswith("mask"))) |
             "\(.name) \(.calls)"')" = "mask read 4 | mask render 4 | mask encode 4" ]
  jq -es '.[-1] | .table == "memory" and .anonymous_kb > 0' told
}

@test "profile: the modes, NAMEs, and what is not decoded" {
  profile --optimize fast street/0001.jpg "$samples/images/hills/0002.png" --json > told
  [ "$(rows 'select(.table == "all") | "\(.optimize) \(.images)"')" = "none 2 | fast 2" ]
  printf '{"version": 1, "transforms": [{"type": "horizontal_flip"}], "output": {"lossless": true}}\n' \
    > p.json
  profile street/0001.jpg --json > told
  [ "$(rows 'select(.mode == "eager" and (.name | IN("decode", "render", "encode", "lossless"))) |
             "\(.name) \(.calls)"')" = "decode 0 | render 0 | encode 0 | lossless 1" ]
}

@test "profile: passes of one step's ops in any order have one name" {
  pipeline p.json '{"type": "ColorJitter", "brightness": 0.5, "saturation": 0.5, "hue": 0.2}'
  profile -n 8 street/0001.jpg --json > told
  [ "$(rows 'select(.table == "pass" and .mode == "compiled").name')" = \
    "adjust_brightness + adjust_hue + adjust_saturation | (beside passes)" ]
}

@test "profile: nothing is written" {
  mkdir in
  cp "$samples/images/street/0001.jpg" "$samples/images/hills/0002.png" in
  find . -print0 | sort -z | xargs -0 ls -ld --time-style=full-iso > ../before
  "$lockstep" profile -p p.json -i in --repeat 2 > ../told
  find . -print0 | sort -z | xargs -0 ls -ld --time-style=full-iso | diff ../before -
}

@test "profile: an image that cannot be done ends it" {
  mkdir in
  cp "$samples/images/street/0001.jpg" in/a.jpg
  head -c 3000 in/a.jpg > in/b.jpg
  run -4 --separate-stderr "$lockstep" profile -p p.json -i in
  [ -z "$output" ]
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == "lockstep profile: error: b.jpg: "*' [image-'*']' ]]
  head -c 40 "$samples/images/hills/0002.png" > in/b.jpg
  for command in profile explain preview; do
    run -4 --separate-stderr "$lockstep" "$command" -p p.json -i in b.jpg
    [[ $stderr == *"lockstep $command: error: b.jpg: "*' [image-'*']' ]] || { echo "$stderr"; return 1; }
  done
}
