# Plugins: their entries appear everywhere. A bad plugin is a fault before work, and a crash costs one image. The labels
# of a plugin's op are checked against its pixels.
# shellcheck disable=SC2154 # run --separate-stderr sets stderr
bats_require_minimum_version 1.5.0

load ../lib/helpers

setup() {
  begin
  ulimit -c 0
  plugins=${tools%/tests}/plugins
  needs_built plugins/{swirl,vignette}.so
  header=$root/src/steps/plugin
}

# build NAME SOURCE FLAG...: ./NAME.so
build() {
  cc -std=c11 -O2 -ffp-contract=off -w -isystem "$header" "${@:3}" -shared -fPIC -o "$1.so" "$2" -lm
}

# bad FAULT...: ./bad.so with these faults.
bad() {
  build bad "$here/tools/bad_plugin.c" "${@/#/-DFAULT_}"
}

# changed FROM TO: ./swirl.so of another source, in which one place is changed.
changed() {
  python3 - "$root/samples/plugins/swirl.c" "$1" "$2" > swirl.c <<'PYTHON'
import sys
text = open(sys.argv[1]).read()
assert text.count(sys.argv[2]) == 1, sys.argv[2]
print(text.replace(sys.argv[2], sys.argv[3]), end='')
PYTHON
  build swirl swirl.c
}

@test "the examples' entries are steps like others: list, describe, schema, completion of names, explain, preview" {
  "$lockstep" list --plugin "$plugins/swirl.so" --plugin "$plugins/vignette.so" > list
  for name in swirl RandomSwirl vignette RandomVignette; do
    grep -q "^$name  *[M-][R-]-- .* a plugin " list
    "$lockstep" describe "$name" --plugin "$plugins/swirl.so" --plugin "$plugins/vignette.so" > page
    grep -q 'From the plugin' page
    "$lockstep" schema --plugin "$plugins/swirl.so" --plugin "$plugins/vignette.so" |
      jq -e --arg name "$name" '."$defs"[$name].properties.type.const == $name' > /dev/null
  done
  run ! grep -q swirl <("$lockstep" list)
  pipeline p.json '{"type": "RandomSwirl"}, {"type": "vignette", "strength": 0.5}'
  "$lockstep" explain -p p.json --plugin "$plugins/swirl.so" --plugin "$plugins/vignette.so" | grep -q '1 swirl'
  "$lockstep" preview -p p.json -i "$samples/images" -a "$samples/annotations.json" --limit 1 -n 1 \
    --plugin "$plugins/swirl.so" --plugin "$plugins/vignette.so" -o sheet.png
  "$lockstep" profile -p p.json -i "$samples/images" --limit 1 --repeat 1 \
    --plugin "$plugins/swirl.so" --plugin "$plugins/vignette.so" | grep -q swirl
  "$lockstep" compile -p p.json --plugin "$plugins/swirl.so" --plugin "$plugins/vignette.so" | jq -e '.transforms[0].degrees' > /dev/null
  # A name that is nearly one of theirs.
  pipeline q.json '{"type": "RandomSwril"}'
  run -3 --separate-stderr "$lockstep" schema --check q.json --plugin "$plugins/swirl.so"
  [[ $stderr == *'did you mean "RandomSwirl"?'* ]]
  # Values are checked as all are.
  pipeline q.json '{"type": "swirl", "degrees": 400}'
  run -3 --separate-stderr "$lockstep" schema --check q.json --plugin "$plugins/swirl.so"
  [[ $stderr == *'-180..180 degrees [param-range]'* ]]
}

@test "an op of each family does what lockstep's own of the same kind does, and passes plugin-test" {
  build families "$here/tools/families_plugin.c"
  run -0 "$lockstep" plugin-test ./families.so
  [[ $output != *FAILED* ]]
  grep -q '^ok  *test_labels  *effects' <<< "$output"
  # Colours with and without alpha, gray, and 16 bits.
  mkdir in
  python3 - << 'PYTHON'
import png
for channels in 1, 2, 3, 4:
    for depth in 8, 16:
        top = (1 << depth) - 1
        rows = [[(x * 523 + y * 77) * (channels + 1) % (top + 1) for x in range(40 * channels)] for y in range(24)]
        png.write(f'in/{channels}_{depth}.png', rows, channels, depth)
PYTHON
  same_as() { # STEP OWN-STEP: the same files
    rm -rf a b
    pipeline p.json "$1"
    pipeline q.json "$2"
    "$lockstep" run -q -p p.json -i in -o a --plugin ./families.so
    "$lockstep" run -q -p q.json -i in -o b
    same_tree a/images b/images
  }
  same_as '{"type": "test_colours"}' '{"type": "invert"}'
  same_as '{"type": "test_raster"}' '{"type": "invert"}'
  same_as '{"type": "test_matrix"}' '{"type": "horizontal_flip"}'
  same_as '{"type": "test_matrix", "mirror": false, "width": 50, "fill": 99}' \
    '{"type": "pad", "padding": [0, 0, 10, 0], "fill": 99}'
  # Labels: the same objects as of remove_small_boxes, with the plugin's reason.
  pipeline p.json '{"type": "test_labels", "min_width": 60}, {"type": "test_matrix"}'
  "$lockstep" run -q -p p.json -i "$samples/images" -a "$samples/annotations.json" -o c --plugin ./families.so
  jq -se 'map(.dropped[]) | length > 3 and all(.reason == "narrow" and .value < 60)' c/manifest.jsonl
  jq -e '.annotations | length > 10 and all(.bbox[2] >= 59.9)' c/annotations.json
  # A transform that looks, with its own chance, and lockstep's op.
  pipeline p.json '{"type": "RandomTest"}'
  "$lockstep" run -q -p p.json -i "$samples/images" -a "$samples/annotations.json" -o d --plugin ./families.so
  [ "$(jq -rs 'map(.steps[].type) | unique | join(" ")' d/manifest.jsonl)" = 'crop test_matrix' ]
  # If the plugin refuses an image, the image fails with its reason; so does a canvas beyond all limits.
  python3 -c "import png; png.write('in/31.png', [[9] * 31] * 8)"
  pipeline p.json '{"type": "test_matrix"}'
  run -4 --separate-stderr "$lockstep" run -p p.json -i in -o e --plugin ./families.so
  [[ $stderr == *'it is of 31 columns'* ]]
  pipeline p.json '{"type": "test_matrix", "width": 70000}'
  run -4 --separate-stderr "$lockstep" run -p p.json -i in -o f --plugin ./families.so
  [[ $stderr == *'65500 pixels'* ]]
}

@test "a run with plugins: any jobs, resumed, in shards, replayed: the same bytes; run.json names them" {
  with=(--plugin "$plugins/vignette.so" --plugin "$plugins/swirl.so" -i "$samples/images")
  pipeline p.json '{"type": "RandomSwirl", "degrees": 120}, {"type": "RandomVignette"}, {"type": "RandomHorizontalFlip"}'
  "$lockstep" run -q -p p.json "${with[@]}" -a "$samples/annotations.json" --masks "$samples/masks" -o one -j 1
  "$lockstep" run -q -p p.json "${with[@]}" -a "$samples/annotations.json" --masks "$samples/masks" -o two -j 3
  same_tree one two
  jq -e '.key.plugins | map(.name) == ["swirl", "vignette"] and .[0].version == "1.0"' one/run.json
  [ "$(jq -r '.key.plugins[0].sha256' one/run.json)" = "$(sha256sum < "$plugins/swirl.so" | cut -d ' ' -f 1)" ]
  for i in 0 1; do
    "$lockstep" run -q -p p.json "${with[@]}" -a "$samples/annotations.json" --masks "$samples/masks" -o parts --shard $i/2
  done
  "$lockstep" merge -q parts
  same_tree one parts
  "$lockstep" replay -q -m one/manifest.jsonl "${with[@]}" -a "$samples/annotations.json" --masks "$samples/masks" -o again
  same_tree one/images again/images
  same_tree one/masks again/masks
  # The same in another order of options is the same run; without them, or with another file, it is not.
  run -0 "$lockstep" run -p p.json --plugin "$plugins/swirl.so" --plugin "$plugins/vignette.so" -i "$samples/images" \
    -a "$samples/annotations.json" --masks "$samples/masks" -o one --resume
  build swirl "$root/samples/plugins/swirl.c" -O1
  run -6 --separate-stderr "$lockstep" run -p p.json --plugin ./swirl.so --plugin "$plugins/vignette.so" -i "$samples/images" \
    -a "$samples/annotations.json" --masks "$samples/masks" -o one --resume
  [[ $stderr == *'other plugins'*'[resume-key]'* ]]
  run -0 --separate-stderr "$lockstep" replay -m one/manifest.jsonl --plugin ./swirl.so --plugin "$plugins/vignette.so" \
    -i "$samples/images" -o third
  [[ $stderr == *'another file of version 1.0 of the plugin swirl'*'[replay-plugin]'* ]]
  run -4 --separate-stderr "$lockstep" replay -m one/manifest.jsonl --plugin "$plugins/swirl.so" -i "$samples/images" -o fourth
  [[ $stderr == *'the plugin vignette 1.0'*'[replay-plugin]'* ]]
  [ ! -e fourth ]
  # A run without plugins has no such key.
  pipeline p.json '{"type": "invert"}'
  "$lockstep" run -q -p p.json -i "$samples/images/street" -o none
  jq -e '.key | has("plugins") | not' none/run.json
}

@test "plugin-test: the examples pass" {
  run -0 "$lockstep" plugin-test "$plugins/swirl.so" "$plugins/vignette.so"
  [[ $output != *FAILED* ]]
  for test in 'swirl  *labels' 'swirl  *jobs' 'swirl  *sizes' 'swirl  *effects' 'vignette  *depths' 'RandomSwirl  *draws'; do
    grep -q "^ok  *$test" <<< "$output"
  done
}

@test "plugin-test: labels that drift from the pixels by half a pixel are found" {
  changed 't->middle_x + c * x - s * y' 't->middle_x + c * x - s * y + (sign > 0 ? 0.5 : 0)'
  run -1 --separate-stderr "$lockstep" plugin-test ./swirl.so
  grep -q '^FAILED  *swirl  *labels' <<< "$output"
  [[ $stderr == *'[plugin-property]'* ]]
}

# bats test_tags=release
@test "plugin-test: labels that are turned by a hundredth too much are found; without a way back they are right" {
  changed 'return turned(context, p, 1)' 'return turned(context, p, 1.01)'
  run -1 "$lockstep" plugin-test ./swirl.so
  grep -q '^FAILED  *swirl  *labels' <<< "$output"
  changed '    action->target = target;' '    (void)target;'
  run -0 "$lockstep" plugin-test ./swirl.so
}

# bats test_tags=release
@test "plugin-test: an op that always moves by the same part of a pixel passes" {
  local by
  for by in "0.5 0.5" "0.5 0" "-0.25 0.375"; do
    read -r x y <<< "$by"
    build shift "$here/tools/shift_plugin.c" "-DDX=$x" "-DDY=$y"
    run -0 "$lockstep" plugin-test ./shift.so
    grep -q '^ok  *shift_nearest  *labels' <<< "$output"
  done
  # Labels that are half a pixel beside them are found there, too.
  build shift "$here/tools/shift_plugin.c" -DDX=0.5 -DDY=0.5 -DWRONG=0.5
  run -1 "$lockstep" plugin-test ./shift.so
  [ "$(grep '^FAILED' <<< "$output" | tr -s ' ')" = 'FAILED shift_field labels' ]
}

@test "plugin-test: a color that is NaN is found" {
  bad nan
  run -1 "$lockstep" plugin-test ./bad.so
  grep -A 1 '^FAILED  *bad_op  *sizes' <<< "$output" | grep -q 'are numbers'
}

@test "help plugins says that the trial process is not contained" {
  "$lockstep" help plugins | tr -s ' \n' ' ' | grep -q 'trial process is not contained'
}

@test "plugin-test: what is kept between images, emitted unsaid, or crashes on pixels is found" {
  bad kept
  run -1 "$lockstep" plugin-test ./bad.so
  grep -q '^FAILED  *bad_op  *jobs' <<< "$output"
  bad pixels
  run -1 "$lockstep" plugin-test ./bad.so
  grep -A 1 '^FAILED  *bad_op  *sizes' <<< "$output" | grep -q 'signal 6 .*\[plugin-crash\]'
  bad undeclared
  run -1 "$lockstep" plugin-test ./bad.so
  grep -q '^FAILED  *RandomBadOp  *draws' <<< "$output"
  bad none_of_them
  run -0 "$lockstep" plugin-test ./bad.so
}

@test "a fault of a plugin's table has its own code, and ends the command before work" {
  pipeline p.json '{"type": "bad_op"}'
  while read -r fault code; do
    bad "$fault"
    run -3 --separate-stderr "$lockstep" run -p p.json -i "$samples/images" --plugin ./bad.so -o out
    [[ $stderr == *"[$code]"* ]] || { echo "$fault: no [$code] in: $stderr"; return 1; }
    [ ! -e out ]
    quiet <(echo "$stderr")
  done << 'FAULTS'
abi plugin-abi
symbol plugin-symbol
plugin_name plugin-name
version plugin-table
empty plugin-table
name plugin-name
section plugin-name
clash plugin-clash
summary plugin-table
family plugin-table
function plugin-table
none plugin-example
example plugin-example
other plugin-example
emits plugin-emits
joins plugin-emits
kind plugin-row
help plugin-row
field plugin-field
limit plugin-limit
usual plugin-limit
choices plugin-limit
default plugin-default
parameter plugin-name
twice plugin-clash
overlap plugin-overlap
beyond plugin-beyond
FAULTS
}

@test "what is no plugin, or one twice, is refused; a path has a slash" {
  pipeline p.json '{"type": "invert"}'
  cp "$plugins/swirl.so" .
  run -2 --separate-stderr "$lockstep" run -p p.json -i "$samples/images" --plugin swirl.so -o out
  [[ $stderr == *'[plugin-path]'* ]]
  LD_LIBRARY_PATH=. run -2 --separate-stderr "$lockstep" plugin-test swirl.so
  [[ $stderr == *'[plugin-path]'* ]]
  echo none > text.so
  : > empty.so
  mkfifo pipe.so
  for file in text.so empty.so pipe.so missing.so .; do
    run -3 --separate-stderr "$lockstep" run -p p.json -i "$samples/images" --plugin "./$file" -o out
    [[ $stderr == *'[plugin-unread]'* ]] || { echo "$file: $stderr"; return 1; }
  done
  run -3 --separate-stderr "$lockstep" list --plugin ./swirl.so --plugin ./swirl.so
  [[ $stderr == *'[plugin-clash]'* ]]
  # Only the option loads a plugin.
  pipeline p.json '{"type": "swirl", "degrees": 9, "plugin": "./swirl.so"}'
  LOCKSTEP_PLUGIN=./swirl.so run -3 "$lockstep" run -p p.json -i "$samples/images" -o out
  [ ! -e out ]
}

@test "a plugin that crashes or takes all memory while the pipeline is planned is a fault before work" {
  pipeline p.json '{"type": "bad_op", "amount": 0.95}'
  for fault in constructor resolve memory value; do
    bad "$fault"
    run -3 --separate-stderr "$lockstep" run -p p.json -i "$samples/images" --plugin ./bad.so -o out
    [[ $stderr == *'[plugin-crash]'* ]] || { echo "$fault: $stderr"; return 1; }
    [ ! -e out ]
  done
}

@test "a plugin that hangs is a fault before work" {
  pipeline p.json '{"type": "bad_op"}'
  bad hang
  run -3 --separate-stderr timeout 60 "$lockstep" run -p p.json -i "$samples/images" --plugin ./bad.so -o out
  [[ $stderr == *'took longer than'*'[plugin-crash]'* ]]
}

@test "a plugin that crashes on pixels costs the image, not the run" {
  skip_when_sanitized "$lockstep"
  bad pixels
  mkdir in
  python3 - << 'PYTHON'
import png
for i in range(6):
    png.write(f'in/{i}.png', [[200 if i % 2 else 20] * 120] * 30, channels=3)
PYTHON
  pipeline p.json '{"type": "bad_op", "amount": 0.5}'
  run -1 --separate-stderr "$lockstep" run -p p.json -i in --plugin ./bad.so -o out --on-error skip
  [ "$(jq -s 'map(.source) | sort == ["1.png", "3.png", "5.png"]' out/manifest.jsonl)" = true ]
  [ "$(jq -s 'map(.source) | sort == ["0.png", "2.png", "4.png"]' out/errors.jsonl)" = true ]
  jq -se 'all(.code == "worker-crashed")' out/errors.jsonl
  # Without it, the first one ends the run.
  run -7 --separate-stderr "$lockstep" run -p p.json -i in --plugin ./bad.so -o out2
  [[ $stderr == *'[worker-crashed]'* ]]
}

@test "make new-plugin: a folder that builds against the installed header, and passes its tests" {
  (cd "$root" && make -s --no-print-directory install DESTDIR="$BATS_TEST_TMPDIR/inst" PREFIX=/usr BUILD="${BUILD:-build}" > /dev/null)
  [ -f inst/usr/include/lockstep_plugin.h ]
  (cd "$root" && make -s --no-print-directory new-plugin NAME=fade_colours DIR="$BATS_TEST_TMPDIR/elsewhere/fade" > /dev/null)
  run ! grep -rq "NAME\|PASCAL" elsewhere/fade
  run -0 make -s --no-print-directory -C elsewhere/fade test INCLUDE="$PWD/inst/usr/include" LOCKSTEP="$PWD/inst/usr/bin/lockstep" \
    CFLAGS='-O2 -Wall -Wextra -Wpedantic -Werror'
  [[ $output != *FAILED* ]]
  pipeline p.json '{"type": "RandomFadeColours"}'
  inst/usr/bin/lockstep run -q -p p.json -i "$samples/images/street" --plugin elsewhere/fade/fade_colours.so -o out
  jq -e '.steps[0].type == "fade_colours"' out/manifest.jsonl > /dev/null
  run -2 make -s --no-print-directory -C "$root" new-plugin NAME=fade_colours DIR="$BATS_TEST_TMPDIR/elsewhere/fade"
  run -2 make -s --no-print-directory -C "$root" new-plugin NAME=FadeColours DIR="$BATS_TEST_TMPDIR/other"
}
