# output.lossless: JPEGs that were only turned or cropped are made of their coefficients.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  samples=$root/samples
}

# rules NAME STEPS [OUTPUT]: a pipeline with output.lossless, or other output rules.
rules() {
  printf '{"version": 1, "seed": 7, "transforms": [%s], "output": {%s}}\n' "$2" "${3-\"lossless\": true}" > "$1"
}

go() { # pipeline, out, more...
  local pipeline=$1 out=$2
  shift 2
  "$lockstep" run -q -p "$pipeline" -i "$samples/images" -a "$samples/annotations.json" \
    --masks "$samples/masks" -o "$out" "$@"
}

# once IMAGES OUT STEPS: images alone, losslessly.
once() {
  rules once.json "$3"
  "$lockstep" run -q -p once.json -i "$1" -o "$2"
}

flip='{"type": "horizontal_flip"}'
turn='{"type": "rotate", "angle": 90, "expand": true}'
back='{"type": "rotate", "angle": -90, "expand": true}'

@test "lossless: images whose blocks line up are other files, all else is as without" {
  rules p.json "$flip"
  rules q.json "$flip" ''
  go p.json out
  go q.json plain
  diff <(unlinked out) <(unlinked plain)
  diff <(diff -rq -x manifest.jsonl plain out | sed -E 's/^Files plain.images.([^ ]+) .*/\1/' | sort) - << 'END'
Files plain/run.json and out/run.json differ
harbour/0001.jpg
hills/0001.jpg
park/0002.jpg
street/0001.jpg
street/0002.jpg
END
  jq -e '.pipeline.output.lossless' out/run.json
}

@test "lossless: flips and turns undone give the coefficients that were there, ten times over" {
  mkdir in
  cp "$samples"/images/street/000[12].jpg in
  once in still ''
  cp -r still now
  for _ in 1 2 3 4 5; do
    once now/images other "$flip, $turn"
    once other/images next "$back, $flip"
    rm -rf now other
    mv next now
  done
  same_tree still/images now/images
  # Re-encoded pixels differ.
  rules plain.json "$flip, $turn, $back, $flip" ''
  "$lockstep" run -q -p plain.json -i in -o plain
  run ! cmp -s plain/images/0001.jpg still/images/0001.jpg
}

@test "lossless: crops that begin with a block keep it, others are encoded as usual" {
  mkdir in
  cp "$samples/images/street/0001.jpg" in/a.jpg
  for left in 32 33 40; do
    rules p.json "{\"type\": \"crop\", \"top\": 16, \"left\": $left, \"height\": 101, \"width\": 75}"
    sed 's/"lossless": true//' p.json > q.json
    "$lockstep" run -q -p p.json -i in -o out --overwrite
    "$lockstep" run -q -p q.json -i in -o plain --overwrite
    if [ $left = 32 ]; then run ! cmp -s out/images/a.jpg plain/images/a.jpg; else cmp out/images/a.jpg plain/images/a.jpg; fi
    diff <(unlinked out) <(unlinked plain)
  done
  # In two crops: the blocks of the first result are the source's.
  once in first '{"type": "crop", "top": 16, "left": 32, "height": 101, "width": 75}'
  once first/images second '{"type": "crop", "top": 64, "left": 16, "height": 20, "width": 59}'
  once in both '{"type": "crop", "top": 16, "left": 32, "height": 101, "width": 75},
    {"type": "crop", "top": 64, "left": 16, "height": 20, "width": 59}'
  same_tree second/images both/images
}

@test "lossless: what recolours, pads or resizes is encoded as usual, and so is another format" {
  local steps
  for steps in '{"type": "invert"}' '{"type": "pad", "padding": 16}' '{"type": "resize", "size": [160, 160]}' \
    "$flip, {\"type\": \"autocontrast\"}"; do
    rules p.json "$steps"
    rules q.json "$steps" ''
    go p.json out --overwrite
    go q.json plain --overwrite
    same_tree plain/images out/images
  done
  rules p.json "$flip"
  rules q.json "$flip" ''
  go p.json out --overwrite --format png
  go q.json plain --overwrite --format png
  same_tree plain/images out/images
}

@test "lossless: the same however ops are joined and however many work" {
  rules p.json '{"type": "RandomHorizontalFlip"}, {"type": "RandomVerticalFlip"},
    {"type": "RandomApply", "transforms": [{"type": "rotate", "angle": 90, "expand": true}]},
    {"type": "RandomApply", "transforms": [{"type": "RandomCrop", "size": 96}]}'
  go p.json exact -n 4 --include-original -j 1
  go p.json none -n 4 --include-original -j 2 --optimize none
  same_tree exact/images none/images
  same_tree exact/masks none/masks
  cmp exact/annotations.json none/annotations.json
}

@test "lossless: an image that no op touched is copied if that is asked for, too" {
  rules p.json '' '"lossless": true, "untouched": "copy"'
  go p.json out
  cmp "$samples/images/street/0001.jpg" out/images/street/0001.jpg
  run ! cmp -s "$samples/images/park/0002.jpg" out/images/park/0002.jpg
}

@test "lossless: the frozen form carries it" {
  rules p.json "$flip"
  "$lockstep" compile -p p.json > frozen.json
  jq -e '.output.lossless == true' frozen.json
  go p.json out
  go frozen.json frozen
  same_tree out/images frozen/images
}

@test "lossless: explain tells of it" {
  rules p.json "$flip"
  "$lockstep" explain -p p.json -i "$samples/images" street/0001.jpg | grep -Fx "  lossless: written from the JPEG's coefficients"
  "$lockstep" explain -p p.json -i "$samples/images" --json street/0001.jpg | jq -e .lossless
  "$lockstep" explain -p p.json -i "$samples/images" --json fruit/0001.jpg | jq -e '.lossless == false'
  rules q.json "$flip" ''
  run ! grep -F coefficients <("$lockstep" explain -p q.json -i "$samples/images" street/0001.jpg)
}

@test "lossless: damaged files fail as they do without" {
  mkdir in
  head -c 20000 "$samples/images/street/0001.jpg" > in/cut.jpg
  cp "$samples/images/street/0002.jpg" in
  rules p.json "$flip"
  run -1 --separate-stderr "$lockstep" run -p p.json -i in -o out --on-error skip
  [ "$(jq -r .source out/errors.jsonl)" = cut.jpg ]
  [ -f out/images/0002.jpg ] && [ ! -e out/images/cut.jpg ]
}
