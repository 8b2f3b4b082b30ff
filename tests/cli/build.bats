# Promises of the build: one file adds an op, a transform, a format, a family of rules or a subcommand; installing;
# every pipeline runs.
# shellcheck disable=SC2154 # run --separate-stderr sets stderr
bats_require_minimum_version 1.5.0

load ../lib/helpers

setup() {
  begin
  root=$(cd "$here/.." && pwd)
  unset BUILD CFLAGS MAKEFLAGS MAKELEVEL MFLAGS # the makes in here are users' own
}

# Copies the sources to a scratch folder.
sources() {
  mkdir tree
  cp -r "$root"/{Makefile,src,cli,tests,man,pipelines,samples} tree
  cd tree || exit 1
}

# Copies the sources and what was built, so that make builds only what a test changes. Each part is copied after the
# parts that it is made of, and so is newer.
scratch() {
  sources
  mkdir build
  if [ -d "$root/build" ]; then
    cp "$root"/build/make_filter build 2> /dev/null || true
    cp "$root"/build/*.inc build 2> /dev/null || true
    cp -r "$root"/build/{src,cli} build 2> /dev/null || true
    cp "$root"/build/{liblockstep.a,lockstep} build 2> /dev/null || true
  fi
  touch build/copied
}

# The names in all that walks the registry.
is_everywhere() { # name
  build/lockstep list | grep -q "^ *$1 "
  build/lockstep describe "$1" | grep -q "$1"
  build/lockstep schema | jq -e --arg name "$1" '[.. | objects | .const? // empty] | index($name)' > /dev/null
  build/lockstep completion bash | grep -qw "$1"
}

# bats test_tags=release
@test "make new-transform: one new file is a transform everywhere" {
  scratch
  run -0 make --no-print-directory new-transform NAME=RandomScratch
  before=$(find src cli tests man Makefile -type f -newer build/copied | sort)
  [ "$before" = src/steps/transforms/RandomScratch.c ]
  make --no-print-directory -s build/lockstep
  is_everywhere RandomScratch
  echo '{"version": 1, "transforms": [{"type": "RandomScratch", "factor": [0.5, 0.6]}]}' > p.json
  build/lockstep run -q -p p.json -i samples/images/street/0001.jpg -o out
  jq -e '.steps[0].type == "adjust_brightness" and .steps[0].brightness_factor < 0.6' out/manifest.jsonl
  echo '{"version": 1, "transforms": [{"type": "RandomScrach"}]}' > q.json
  run -3 --separate-stderr build/lockstep run -p q.json -i samples/images -o out2
  grep -F 'did you mean "RandomScratch"?' <<< "$stderr"
  # Taking it away is deleting its file.
  rm src/steps/transforms/RandomScratch.c
  make --no-print-directory -s build/lockstep
  run ! grep -q RandomScratch <(build/lockstep list)
}

@test "make new-op, new-format, new-rule and new-command: one new file each, found everywhere" {
  scratch
  for made in op:scratch_levels format:scratch_boxes rule:scratch_names command:scratch_count; do
    run -0 make --no-print-directory "new-${made%:*}" "NAME=${made#*:}"
    [[ ${lines[0]} == *"/${made#*:}.c: a ${made%:*} that works"* ]]
  done
  [[ $output == *"make docs"*"make tests-of FILE=cli/commands/scratch_count.c"* ]]
  before=$(find src cli tests man Makefile -type f -newer build/copied | sort | tr '\n' ' ')
  [ "$before" = "cli/commands/scratch_count.c src/check/rules/scratch_names.c src/labels/formats/scratch_boxes.c src/steps/ops/scratch_levels.c " ]
  make --no-print-directory -s build/lockstep WERROR=-Werror

  is_everywhere scratch_levels
  echo '{"version": 1, "transforms": [{"type": "scratch_levels", "amount": 300}]}' > p.json
  run -3 --separate-stderr build/lockstep run -p p.json -i samples/images -o out
  grep -F '300 is out of range: -255..255 levels [param-range]' <<< "$stderr"

  # The format: read, transformed, written, read again.
  build/lockstep list | grep -q '^scratch_boxes '
  echo '{"version": 1, "transforms": [{"type": "horizontal_flip"}]}' > flip.json
  mkdir labels
  printf '10 20 110 90.5 red car\n\n  0 0 30 40 person\r\n' > labels/0001.scratch_boxes
  build/lockstep run -q -p flip.json -i samples/images/street -a labels -o out
  [ "$(cat out/labels/0001.scratch_boxes)" = $'530 20 630 90.5 red car\n610 0 640 40 person' ]
  build/lockstep verify out
  build/lockstep run -q -p flip.json -i out/images -a out/labels -o again
  [ "$(cat again/labels/0001.scratch_boxes)" = $'10 20 110 90.5 red car\n0 0 30 40 person' ]
  echo '30 0 10 10 car' > labels/0001.scratch_boxes
  run -4 --separate-stderr build/lockstep run -q -p flip.json -i samples/images/street -a labels -o wrong
  grep -F 'labels/0001.scratch_boxes:1:1: error: expected x0 y0 x1 y1 CLASS' <<< "$stderr"

  # The rule: it has the first free id, finds its fault, and nothing in good data.
  build/lockstep check --list | grep -q '^Z001 .*scratch-names-placeholder'
  run ! grep -q Z001 <(build/lockstep check samples/annotations.json)
  sed 's/"name": "person"/"name": "todo"/' samples/annotations.json > todo.json
  grep -F '/categories/0/name: the name is "todo"' <(build/lockstep check todo.json)

  # The command: its name has a hyphen, and it comes last in the overview.
  [ "$(build/lockstep scratch-count -a samples/annotations.json)" = "15 images, 59 annotations" ]
  run -2 build/lockstep scratch-count
  build/lockstep help | tr '\n' ' ' | grep -qE ', version, +scratch-count +TOPICS'
  build/lockstep help scratch-count | grep -q -e '-a, --annotations FILE'
  build/lockstep manual commands | grep -q 'scratch.*count'
  for shell in bash zsh fish; do build/lockstep completion $shell | grep -q 'scratch-count'; done
}

@test "make new-transform, new-op, new-format, new-rule and new-command refuse wrong names and names that are taken" {
  sources
  run -2 make --no-print-directory new-transform NAME=random_thing
  run -2 make --no-print-directory new-op NAME=RandomThing
  run -2 make --no-print-directory new-op NAME=crop
  run -2 make --no-print-directory new-op
  run -2 make --no-print-directory new-format NAME=voc
  run -2 make --no-print-directory new-format NAME=my-format
  run -2 make --no-print-directory new-rule NAME=boxes
  run -2 make --no-print-directory new-command NAME=probe
  run -2 make --no-print-directory new-command NAME=plugin-test
  # The files that were there are what they were.
  for file in src/steps/ops/crop.c src/labels/formats/voc.c src/check/rules/boxes.c cli/commands/probe.c; do
    cmp "$root/$file" $file
  done
}

# make_is SCRIPT: makes a command named make that runs this script.
make_is() {
  mkdir -p bin
  printf '#!/bin/bash\n%s\n' "$1" > bin/make
  chmod +x bin/make
  PATH=$PWD/bin:$PATH
}

@test ".ci/run: a warning that only a build with optimization finds ends it before the tests" {
  local real
  real=$(command -v make)
  scratch
  cp -r "$root/.ci" .
  # shellcheck disable=SC2016 # it is a script
  make_is 'case "$*" in check) touch checked ;; *programs*) exec '"$real"' "${@/programs/build/src/base/arena.o}" ;; esac'
  printf 'int warned(int c);\nint warned(int c) { int x[2]; if (c > 5) x[1] = c; return x[1]; }\n' >> src/base/arena.c
  cc -Isrc -fsyntax-only -O2 -Wall -Werror src/base/arena.c
  run ! .ci/run
  [[ $output == *src/base/arena.c:*-Werror=* ]]
  [ ! -e checked ]
  # shellcheck disable=SC2016 # it is a script
  make_is 'echo "$*" >> said'
  run -0 .ci/run
  [ "$(tail -n 1 said)" = check ]
}

@test "every pipeline of pipelines/ runs on the samples, with annotations and masks" {
  for pipeline in "$root"/pipelines/*.json; do
    name=$(basename "$pipeline" .json)
    stderr_to "$name.err" "$lockstep" run -p "$pipeline" -i "$root/samples/images" -a "$root/samples/annotations.json" \
      --masks "$root/samples/masks" -o "$name" --progress none
    [ "$(wc -l < "$name.err")" -le 3 ] || { cat "$name.err"; return 1; }
    [[ $(tail -n 1 "$name.err") == *' images from 15, '* ]] || { cat "$name.err"; return 1; }
    least=14
    if grep -q '"per_object"' "$pipeline"; then least=7; fi # seven people in four of the images
    [ "$(wc -l < "$name/manifest.jsonl")" -ge $least ]
    jq -e --argjson least $least '.images | length >= $least' "$name/annotations.json" > /dev/null
    grep -q '"\$comment"' "$pipeline"
  done
}

@test "what make demo does works as it stands there, with three lines of talk a command at most" {
  make -n --no-print-directory -C "$root" demo BUILD="$BATS_TEST_TMPDIR" |
    sed -n '/^"\{0,1\}[^ ]*lockstep \(run\|preview\) /,/[^\\]$/p' | sed "s,^[^ ]*lockstep ,$lockstep ," > demo.sh
  [ "$(grep -c "^$lockstep " demo.sh)" -eq 2 ]
  mkdir demo
  (cd "$root" && bash -e "$BATS_TEST_TMPDIR/demo.sh") > said.txt 2>&1
  [ "$(wc -l < said.txt)" -le 6 ] || { cat said.txt; return 1; }
  [ "$(wc -l < demo/out/manifest.jsonl)" -eq 60 ]
  [ -s demo/sheet.png ]
}

@test "each loop marked for it is compiled for several kinds of processor" {
  compiler=$(readelf -p .comment "$lockstep")
  [[ $(uname -m) = x86_64 && $compiler =~ GCC:\ \([^\)]*\)\ (1[2-9]) && $compiler != *clang* ]] ||
    skip "not compiled by a GCC that can"
  mapfile -t loops < <(grep -rhoP '^VARIANTS .*?\K[a-z]\w+(?=\()' "$root/src")
  [ "${#loops[@]}" -ge 30 ]
  nm "$lockstep" > symbols
  for loop in "${loops[@]}"; do
    grep -q " $loop\.arch_x86_64_v4$" symbols || { echo "$loop has one form"; return 1; }
  done
}

# bats test_tags=release
@test "make install puts command, man pages, completions and pipelines; uninstall takes them away" {
  scratch
  run -0 make --no-print-directory -s install PREFIX="$BATS_TEST_TMPDIR/prefix"
  cd "$BATS_TEST_TMPDIR/prefix"
  bin/lockstep --version | grep -q '^lockstep '
  [ -s share/man/man1/lockstep.1 ] && [ -s share/man/man5/lockstep-pipeline.5 ] && [ -s share/man/man7/lockstep-transforms.7 ]
  [ -s share/bash-completion/completions/lockstep ]
  [ -s share/zsh/site-functions/_lockstep ]
  [ -s share/fish/vendor_completions.d/lockstep.fish ]
  [ -s share/lockstep/pipelines/detection.json ]
  [ -x share/lockstep/recipes/shards/slurm.sh ] && [ -s share/lockstep/recipes/gitlab-ci.yml ]
  make --no-print-directory -s -C "$BATS_TEST_TMPDIR/tree" uninstall PREFIX="$BATS_TEST_TMPDIR/prefix"
  [ -z "$(find . -type f)" ]
}

@test "a contact sheet is written, and is a picture" {
  run -0 --separate-stderr "$lockstep" preview -p "$root/pipelines/detection.json" -i "$root/samples/images" \
    -a "$root/samples/annotations.json" --masks "$root/samples/masks" -n 2 -o sheet.png
  [ "$output" = sheet.png ]
  [ "$(head -c 8 sheet.png | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ]
  run -6 "$lockstep" preview -p "$root/pipelines/detection.json" -i "$root/samples/images" -o sheet.png
  run -2 --separate-stderr "$lockstep" preview -p "$root/pipelines/detection.json" -i "$root/samples/images" \
    -o other.png street/0001.jgp
  grep -F '[image-unknown]' <<< "$stderr"
}

@test "parameters tied to a field of another type do not compile" {
  cat > wrong.c << EOF
#include "$root/src/param/param.h"
struct params { int angle; };
static const struct row rows[] = { NUMBER(struct params, angle, .help = "x"), ROWS_END };
int main(void) { return rows[0].name[0]; }
EOF
  sed 's/int angle/double angle/' wrong.c > right.c
  cc -std=c11 -I"$root/src" -fsyntax-only right.c
  run ! cc -std=c11 -I"$root/src" -fsyntax-only wrong.c
}
