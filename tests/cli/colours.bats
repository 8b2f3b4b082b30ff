#!/usr/bin/env bats
# Values that color transforms draw and emit, read from manifests; tables.bats tests the ops.
bats_require_minimum_version 1.5.0

load ../lib/helpers

setup() {
  begin
  mkdir images
  python3 "$here/tools/blank.py" images/a.png 6 4
}

# draws STEP N: manifest.jsonl of N copies.
draws() {
  printf '{"version": 1, "seed": 11, "transforms": [%s]}' "$1" > p.json
  rm -rf out
  "$lockstep" run -q -j 1 -p p.json -i images -o out -n "$2"
}

# so EXPRESSION: true of the list of all images' lists of emitted steps.
so() {
  jq -es 'def mean: add / length; def spread: mean as $m | map(. - $m | . * .) | mean | sqrt;
    def within($lo; $hi): all(. >= $lo and . <= $hi);
    def near($want; $slack): . - $want | fabs < $slack;
    map(.steps) | '"$1" out/manifest.jsonl > /dev/null || { echo "not so: $1"; return 1; }
}

@test "colours: RandomPhotometricDistort draws each change by itself, contrast before or after" {
  draws '{"type": "RandomPhotometricDistort"}' 800
  for op in adjust_brightness adjust_contrast adjust_saturation adjust_hue permute_channels; do
    so "map(any(.type == \"$op\")) | map(if . then 1 else 0 end) | mean | near(0.5; 0.09)"
  done
  so 'map(map(.type)) | all(. as $have | ["adjust_brightness", "adjust_contrast", "adjust_saturation",
    "adjust_hue", "permute_channels"] | map(select(. as $op | $have | index($op))) as $first
    | ["adjust_brightness", "adjust_saturation", "adjust_hue", "adjust_contrast", "permute_channels"]
    | map(select(. as $op | $have | index($op))) as $last | $have == $first or $have == $last)'
  so 'map(map(.type)) | map(select(index("adjust_contrast") and index("adjust_hue")))
    | map(if index("adjust_contrast") < index("adjust_hue") then 1 else 0 end) | mean | near(0.5; 0.18)'
  so 'map(.[] | .brightness_factor // empty) | within(0.875; 1.125) and (mean | near(1; 0.02)) and
    (spread | near(0.0722; 0.01))' # of a uniform one: 0.25 / sqrt(12)
  so 'map(.[] | .contrast_factor // empty) | within(0.5; 1.5) and (max > 1.45) and (min < 0.55)'
  so 'map(.[] | .hue_factor // empty) | within(-0.05; 0.05) and (max > 0.045) and (min < -0.045)'
  draws '{"type": "RandomPhotometricDistort", "p_each": 0}' 20
  so 'all(. == [])'
  draws '{"type": "RandomPhotometricDistort", "p_each": 1}' 20
  so 'all(length == 5)'
}

@test "colours: ranges of Albumentations' transforms, in its units" {
  draws '{"type": "HueSaturationValue", "p": 1}' 500
  so 'map(.[0].hue_shift) | within(-40; 40) and max > 38 and min < -38'
  so 'map(.[0].sat_shift) | within(-30; 30) and max > 28 and min < -28'
  so 'map(.[0].val_shift) | within(-20; 20) and max > 19 and min < -19'
  draws '{"type": "RGBShift", "g_shift_limit": [5, 7], "p": 1}' 500
  so 'map(.[0].r_shift) | within(-20; 20) and max > 19 and min < -19'
  so 'map(.[0].g_shift) | within(5; 7) and max > 6.9 and min < 5.1'
  draws '{"type": "RandomGamma", "p": 1}' 500
  so 'map(.[0].gamma) | within(0.8; 1.2) and max > 1.19 and min < 0.81'
  draws '{"type": "RandomBrightnessContrast", "p": 1}' 500
  so 'map(.[0].factor[0]) | within(0.8; 1.2) and max > 1.19 and min < 0.81'
  so 'map(.[0].offset[0]) | within(-51; 51) and max > 50 and min < -50'
  draws '{"type": "RandomBrightnessContrast", "p": 1, "brightness_by_max": false}' 500
  so 'map(.[0].mean_factor) | within(-0.2; 0.2) and max > 0.19 and min < -0.19'
  draws '{"type": "ChannelDropout", "channel_drop_range": [1, 2], "fill": 8, "p": 1}' 500
  so 'map(.[0].channels | length) | map(. - 1) | mean | near(0.5; 0.1)'
  so 'map(.[0].channels) | all(length == (unique | length))'
  so 'map(.[0].channels[]) | length as $all | group_by(.) | map(length / $all)
    | length == 3 and all(near(0.333; 0.06))'
  draws '{"type": "ChannelShuffle"}' 600
  so 'map(select(. != []) | .[0].permutation) | group_by(.) | length == 6 and (map(length) | add | near(300; 60))'
  draws '{"type": "ToSepia", "p": 1}' 1
  so '.[0][0] | [.red, .green, .blue] == [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]]'
}

@test "colours: normal numbers of RandomToneCurve and FancyPCA" {
  draws '{"type": "RandomToneCurve", "scale": 0.05, "p": 1}' 800
  so 'map(.[0].low_y[0]) | (mean | near(0.25; 0.008)) and (spread | near(0.05; 0.006))'
  so 'map(.[0].high_y[0]) | (mean | near(0.75; 0.008)) and (spread | near(0.05; 0.006))'
  draws '{"type": "RandomToneCurve", "scale": 1, "per_channel": true, "p": 1}' 200
  so 'map(.[0].low_y) | all(length == 3) and (map(unique | length) | mean > 2) and (flatten | within(0; 1))'
  draws '{"type": "FancyPCA", "p": 1}' 400
  so 'map(.[0].alpha[]) | (mean | near(0; 0.015)) and (spread | near(0.1; 0.012)) and max > 0.2'
  so 'map(.[0].alpha) | all(.[0] != .[1] and .[1] != .[2])'
}

@test "colours: PlanckianJitter follows the published lights" {
  draws '{"type": "PlanckianJitter", "temperature_limit": [7250, 7250], "p": 1}' 1
  so '.[0][0].factor | (.[0] | near((0.4672 + 0.4542) / (0.4619 + 0.4630); 1e-9)) and .[1] == 1
    and (.[2] | near((0.5053 + 0.5289) / (0.4619 + 0.4630); 1e-9))'
  draws '{"type": "PlanckianJitter", "mode": "cied", "temperature_limit": [15000, 15000], "p": 1}' 1
  so '.[0][0].factor | (.[0] | near(0.3217 / 0.4719; 1e-9)) and (.[2] | near(0.6882 / 0.4719; 1e-9))'
  # Blue grows with the temperature: below 6000 K in two of five draws, evenly on each side.
  for mode in blackbody cied; do
    draws "{\"type\": \"PlanckianJitter\", \"mode\": \"$mode\", \"p\": 1}" 600
    so "map(.[0].factor[2]) | within(0.0032; 1.4901) and
      (map(if . < (if \"$mode\" == \"cied\" then 0.4325 / 0.4646 else 0.4468 / 0.4584 end) then 1 else 0 end)
      | mean | near(0.4; 0.08))"
  done
  draws '{"type": "PlanckianJitter", "sampling_method": "gaussian", "p": 1}' 600
  so 'map(.[0].factor[2]) | map(if . < 0.4468 / 0.4584 then 1 else 0 end) | mean | near(0.4; 0.08)'
  so 'map(.[0].factor[2]) | map(if . >= 0.3154 / 0.4457 and . <= 0.5844 / 0.4648 then 1 else 0 end)
    | mean | near(0.864 * 0.4 + 0.683 * 0.6; 0.08)' # within 1500 K below and 3000 K above
  draws '{"type": "PlanckianJitter", "temperature_limit": [9000, 10000], "p": 1}' 50
  so 'map(.[0].factor[2]) | within(0.5844 / 0.4648; 0.6121 / 0.4653)'
}

@test "colours: gray images pass through what needs three colours, and become RGB where asked" {
  printf '{"version": 1, "transforms": [{"type": "Grayscale"}, {"type": "ToSepia", "p": 1},
    {"type": "RGBShift", "p": 1}, {"type": "ChannelShuffle", "p": 1}, {"type": "ChannelDropout", "p": 1},
    {"type": "PlanckianJitter", "p": 1}, {"type": "color_matrix", "red": [0, 0, 0], "green": [0, 0, 0],
    "blue": [0, 0, 0]}, {"type": "RGB"}]}' > p.json
  "$lockstep" run -q -p p.json -i images -o gray
  printf '{"version": 1, "transforms": [{"type": "Grayscale", "num_output_channels": 3}]}' > p.json
  "$lockstep" run -q -p p.json -i images -o luma
  cmp gray/images/a.png luma/images/a.png
}

refused() { # step, code
  printf '{"version": 1, "transforms": [%s]}' "$1" > p.json
  run -3 --separate-stderr "$lockstep" schema --check p.json
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == *"[$2]"* ]] || { echo "$1: $stderr"; return 1; }
}

@test "colours: parameters that contradict each other are refused" {
  refused '{"type": "scale_bands", "factor": [1, 2]}' param-length
  refused '{"type": "scale_bands", "offset": [1, 2]}' param-length
  refused '{"type": "tone_curve", "low_y": [0.1, 0.2], "high_y": 0.5}' param-length
  refused '{"type": "tone_curve", "low_y": 0.1, "high_y": [0.5, 0.6]}' param-length
  refused '{"type": "ChannelDropout", "channel_drop_range": [1, 1.5]}' param-type
  refused '{"type": "PlanckianJitter", "mode": "cied", "temperature_limit": [3500, 9000]}' param-range
}

@test "colours: noise that is not per channel is gray, whatever draws it" {
  local step
  python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import png
png.write("images/a.png", [[120] * 3 * 40] * 30, 3, 8)' "$here/lib"
  for step in '"GaussNoise", "std_range": [0.05, 0.1], "per_channel": false' '"GaussianNoise", "per_channel": false' \
    '"gaussian_noise", "per_channel": false, "key": 5' '"GaussianNoise", "sigma": [0.05, 0.1]'; do
    printf '{"version": 1, "transforms": [{"type": %s, "p": 1}]}' "$step" > p.json
    "$lockstep" run -q -p p.json -i images -o out --overwrite
    python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import png
rows = [row[i:i + 3] for row in png.rows("out/images/a.png") for i in range(0, 120, 3)]
assert len({tuple(px) for px in rows}) > 30
gray = sum(len(set(px)) == 1 for px in rows) / len(rows)
assert gray == 1 if "false" in sys.argv[2] else gray < 0.1, gray' "$here/lib" "$step" || { echo "$step"; return 1; }
  done
}

@test "colours: a GaussianBlur of a deviation alone, or of a kernel alone" {
  local bad kernel
  blurred() {
    printf '{"version": 1, "transforms": [{"type": %s}]}' "$1" > p.json
    "$lockstep" run -q -p p.json -i "$samples/images" -o out --overwrite --limit 1
    find out/images -type f -exec cat {} + | sha256sum
  }
  # of 2 * floor(3.5 * 1.3) + 1 taps, and as many as there can be
  [ "$(blurred '"gaussian_blur", "sigma": 1.3')" = "$(blurred '"gaussian_blur", "kernel_size": 9, "sigma": 1.3')" ]
  for kernel in 7 11; do
    [ "$(blurred '"gaussian_blur", "sigma": 1.3')" != "$(blurred '"gaussian_blur", "kernel_size": '$kernel', "sigma": 1.3')" ]
  done
  [ "$(blurred '"GaussianBlur", "sigma": [1.3, 1.3]')" = "$(blurred '"gaussian_blur", "kernel_size": 9, "sigma": 1.3')" ]
  draws '{"type": "GaussianBlur", "blur_limit": [3, 3], "sigma": null}' 3
  so 'map(.[0] | [.kernel_size, .sigma]) | unique == [[[3], null]]'
  for bad in '"sigma": null' '"kernel_size": 3, "blur_limit": [3, 5]'; do
    printf '{"version": 1, "transforms": [{"type": "GaussianBlur", %s}]}' "$bad" > p.json
    run -3 --separate-stderr "$lockstep" schema --check p.json
    # shellcheck disable=SC2154 # run sets it
    [[ $stderr == *'[param-conflict]'* ]]
  done
}
