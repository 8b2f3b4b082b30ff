# lockstep explain: ops, passes and breaks.
# shellcheck disable=SC2154 # run --separate-stderr sets stderr
bats_require_minimum_version 1.5.0

setup() {
  root=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
  lockstep=${LOCKSTEP:-$root/build/lockstep}
  images=$root/samples/images
  cd "$BATS_TEST_TMPDIR" || exit 1
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
  grep -F "break before gaussian_blur: it needs its pixels' neighbours" <<< "$output"
  pipeline '{"type": "invert"}, {"type": "horizontal_flip"}'
  run -0 --separate-stderr "$lockstep" explain -p p.json -i "$images" --fail-on-break street/0001.jpg
}

@test "explain: an unknown image is refused, with the nearest name" {
  pipeline '{"type": "invert"}'
  run -2 --separate-stderr "$lockstep" explain -p p.json -i "$images" street/0001.jgp
  grep -F 'did you mean "street/0001.jpg"? [image-unknown]' <<< "$stderr"
}

@test "none and exact write the same trees" {
  for pipeline in "$root"/pipelines/*.json; do
    for how in none exact; do
      "$lockstep" run -q -p "$pipeline" -i "$images" -a "$root/samples/annotations.json" --masks "$root/samples/masks" \
        -o $how --overwrite --optimize $how --on-error skip 2> /dev/null || [ $? -eq 1 ]
    done
    diff -r none exact
  done
}
