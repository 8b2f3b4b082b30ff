# lockstep explain: ops, passes and breaks.
# shellcheck disable=SC2154 # run --separate-stderr sets stderr
bats_require_minimum_version 1.5.0

load ../lib/helpers

setup() {
  begin
  images=$root/samples/images
}

pipeline() { printf '{"version": 1, "transforms": [%s]}\n' "$1" > p.json; }

# passes STEPS: the ops of each pass of the first sample, as lists of numbers.
passes() {
  pipeline "$1"
  "$lockstep" explain -p p.json -i "$images" --json street/0001.jpg | jq -c '[.passes[].ops]'
}

@test "explain: what can share a pass does" {
  flip='{"type": "horizontal_flip"}'
  crop='{"type": "crop", "top": 5, "left": 5, "height": 50, "width": 60}'
  invert='{"type": "invert"}'
  contrast='{"type": "adjust_contrast", "contrast_factor": 1.2}'
  hue='{"type": "adjust_hue", "hue_factor": 0.1}'
  pad='{"type": "pad", "padding": 3}'
  blur='{"type": "gaussian_blur", "kernel_size": 3}'
  [ "$(passes "$flip, $crop, $invert, $hue")" = '[[0,1,2,3]]' ]
  [ "$(passes "$invert, $flip, $contrast, $invert")" = '[[0,1,2,3]]' ]
  [ "$(passes "$invert, $pad")" = '[[0],[1]]' ]
  [ "$(passes "$crop, $contrast")" = '[[0],[1]]' ]
  [ "$(passes "$hue, $contrast")" = '[[0],[1]]' ]
  [ "$(passes "$blur, $invert, $blur")" = '[[0],[1],[2]]' ]
  [ "$(passes "{\"type\": \"adjust_brightness\", \"brightness_factor\": 1}, $invert")" = '[[1]]' ]
}

@test "explain: --optimize none has a pass for each op, and the same draws as run" {
  pipeline '{"type": "RandomHorizontalFlip", "p": 1}, {"type": "RandomCrop", "size": 40}, {"type": "ColorJitter", "brightness": 0.5}'
  "$lockstep" explain -p p.json -i "$images" --optimize none -n 2 --json street/0001.jpg > told
  [ "$(jq -c '[.passes[].ops]' told | sort -u)" = '[[0],[1],[2]]' ]
  "$lockstep" run -q -p p.json -i "$images" -o out -n 2
  for copy in 0 1; do
    crop=$(jq -c "select(.source == \"street/0001.jpg\" and .copy == $copy) | .steps[1] | [.top, .left]" out/manifest.jsonl)
    "$lockstep" explain -p p.json -i "$images" -n 2 street/0001.jpg |
      sed -n "/copy $copy:/,/over memory/p" | grep -F "\"top\": $(jq '.[0]' <<< "$crop"), \"left\": $(jq '.[1]' <<< "$crop"),"
  done
}

@test "explain: breaks have their reason, and --fail-on-break says them with exit code 1" {
  pipeline '{"type": "invert"}, {"type": "gaussian_blur", "kernel_size": 3}'
  run -1 --separate-stderr "$lockstep" explain -p p.json -i "$images" --fail-on-break street/0001.jpg
  grep -F "break before gaussian_blur: a filter" <<< "$output"
  pipeline '{"type": "invert"}, {"type": "horizontal_flip"}'
  run -0 --separate-stderr "$lockstep" explain -p p.json -i "$images" --fail-on-break street/0001.jpg
}

@test "explain: without images, the worst case, as text and as JSON" {
  pipeline '{"type": "RandomHorizontalFlip", "p": 0.1}, {"type": "RandomApply", "transforms": [{"type": "ColorJitter", "hue": 0.1}]}, {"type": "Grayscale"}'
  run -1 --separate-stderr "$lockstep" explain -p p.json --fail-on-break
  [[ ${lines[0]} == "worst case: "* ]]
  grep -F 'step 2.1: ColorJitter' <<< "$output"
  "$lockstep" explain -p p.json --json > told
  [ "$(jq -c '[.image, .worst_case, .optimize, .size_out]' told)" = '[null,true,"exact",[640,480]]' ]
  [ "$(jq -c '[.steps[] | [.number, .type, .p, .ops]]' told)" = \
    '[["1","RandomHorizontalFlip",0.1,[0]],["2","RandomApply",0.5,[]],["2.1","ColorJitter",1,[1,2,3,4]],["3","Grayscale",1,[5]]]' ]
  [ "$(jq -c '.ops[5].values' told)" = '{"type":"rgb_to_grayscale","num_output_channels":1}' ]
  [ "$(jq .breaks told)" -eq $(($(jq '.passes | length' told) - 1)) ]
}

@test "explain: what is read is told, as run reads it" {
  pipeline '{"type": "crop", "top": 5, "left": 6, "height": 50, "width": 60}'
  explain() { "$lockstep" explain -p p.json -i "$images" --json "$@" | jq -c '.reads | [.left, .top, .width, .height, .shrink, .planes]' | sort -u; }
  [ "$(explain park/0001.jpg)" = '[6,5,60,50,1,false]' ]
  # Copies share the decoded image, and only a JPEG is read in part.
  whole=$("$lockstep" explain -p p.json -i "$images" --json park/0001.jpg | jq -c '[0, 0, .size_in[], 1, false]')
  [ "$(explain -n 2 park/0001.jpg)" = "$whole" ]
  [ "$(explain desk/0002.png | jq -c '[.[0], .[1]]')" = '[0,0]' ]
  pipeline '{"type": "resize", "size": [60, 80]}'
  [ "$(explain --optimize fast park/0001.jpg | jq -c '[.[4] > 1, .[5]]')" = '[true,true]' ]
  [ "$(explain --optimize fast desk/0002.png | jq -c '[.[4], .[5]]')" = '[1,false]' ]
}

@test "explain: what is committed in golden/explain is what it says" {
  mkdir told
  LOCKSTEP=$lockstep "$root/tests/tools/explain.sh" "$PWD/told"
  diff -r -x '*.json' "$root/tests/golden/explain" told || { echo "run: make explain-texts"; false; }
  [ "$(find told -type f | wc -l)" -gt 30 ]
}

@test "explain: every reason for a break, and every shortcut, is in a golden text" {
  cat "$root"/tests/golden/explain/*.txt > texts
  grep -hoE '"[^"]*"' "$root"/src/plan/{fuse,join,composed_map}.c | tr -d '"' | grep ' ' | sort -u > reasons
  [ "$(wc -l < reasons)" -ge 15 ]
  while read -r reason; do
    grep -qF "$reason" texts || { echo "in no text: $reason"; false; }
  done < reasons
  for name in $("$lockstep" help optimize | sed -n '/^Shortcuts/,/^$/s/^  \([a-z-]*\)  .*/\1/p'); do
    grep -qE "^  shortcut $name: .*; (PSNR at least [0-9.]+ dB|mean squared error at most [0-9.]+ times the error of mode none, plus 1)$" texts
  done
}

@test "explain: every break has a reason, and the passes hold every op that does something" {
  for pipeline in "$root"/pipelines/*.json "$root"/tests/golden/explain/*.json; do
    for how in none exact fast; do
      "$lockstep" explain -p "$pipeline" --optimize $how --json
    done
  done > told
  [ "$(jq -c '[.passes[1:][].break | type] | unique - ["string"]' told | sort -u)" = '[]' ]
  [ "$(jq -c '[.passes[].ops[]] == [.ops | to_entries[] | select(.value.family != "nothing").key]' told | sort -u)" = true ]
}

@test "explain: what asks for images needs a folder of them" {
  pipeline '{"type": "invert"}'
  for words in "-a p.json" "-n 2" "--limit 3" "0001.jpg"; do
    # shellcheck disable=SC2086 # they are words
    run -2 --separate-stderr "$lockstep" explain -p p.json $words
    [ -z "$output" ]
    grep -E -- '--images:? is required' <<< "$stderr"
  done
}

@test "explain: an unknown image is refused, with the nearest name" {
  pipeline '{"type": "invert"}'
  run -2 --separate-stderr "$lockstep" explain -p p.json -i "$images" street/0001.jgp
  grep -F 'did you mean "street/0001.jpg"? [image-unknown]' <<< "$stderr"
}

@test "none and exact write the same trees" {
  for pipeline in $(starters); do
    for how in none exact; do
      "$lockstep" run -q -p "$pipeline" -i "$images" -a "$root/samples/annotations.json" --masks "$root/samples/masks" \
        -o $how --overwrite --optimize $how --on-error skip || [ $? -eq 1 ]
    done
    diff -r none exact
  done
}

@test "explain: what a transform's parameters are drawn from, given or by default" {
  pipeline '{"type": "RandomRotation", "degrees": 15}, {"type": "ColorJitter", "hue": [0.1, 0.2], "contrast": [2, 2]}, {"type": "RandomApply", "transforms": [{"type": "RGBShift", "g_shift_limit": 0}]}, {"type": "rotate", "angle": 5}, {"type": "JPEG", "quality": [20, 90]}, {"type": "JPEG", "quality": 50}'
  "$lockstep" explain -p p.json > told
  grep -A1 -F 'step 1: RandomRotation' told | grep -Fx '          draws from {"degrees": [-15, 15]}'
  [ "$(grep -c 'draws from' told)" -eq 4 ]
  "$lockstep" explain -p p.json --json > told
  [ "$(jq -c '[.steps[].ranges]' told)" = \
    '[{"degrees":[-15,15]},{"hue":[0.1,0.2]},{},{"r_shift_limit":[-20,20],"b_shift_limit":[-20,20]},{},{"quality":[20,90]},{}]' ]
}
