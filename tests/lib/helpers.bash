# Shared by several test files: folders, small pipelines, and checks of rules that every run must keep.

# begin: to an empty folder of the test's own. $here is tests/, $root the repository, $lockstep the command,
# $samples its samples, $tools the programs built for tests, $font a font;
# Python finds tests/lib.
# shellcheck disable=SC2034 # they are for the test files
begin() {
  here=$(cd "$BATS_TEST_DIRNAME/.." && pwd)
  root=$(cd "$here/.." && pwd)
  lockstep=$(realpath "${LOCKSTEP:-$root/build/lockstep}")
  samples=$root/samples
  tools=$root/${BUILD:-build}/tests
  font=/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf # of fonts-dejavu-core
  export PYTHONPATH=$here/lib PYTHONDONTWRITEBYTECODE=1
  [ -x "$lockstep" ] || { echo "$lockstep is not built; make builds it"; return 1; }
  cd "$BATS_TEST_TMPDIR" || exit 1
}

# needs_built FILE...: fails if one of these files of the build is missing, such as tests/crash.so or plugins/swirl.so,
# and prints how to build it.
needs_built() {
  local file missing=0
  for file; do
    file=${tools%/tests}/$file
    [ -e "$file" ] || { echo "$file is not built; make programs builds it"; missing=1; }
  done
  return $missing
}

# with_defaults DEFAULT... -- WORD...: sets merged to the defaults, such as "-n 2", whose option is not among the words,
# and then the words. An option is refused when it is given twice.
with_defaults() {
  local default defaults=()
  while [ "$1" != -- ]; do
    defaults+=("$1")
    shift
  done
  shift
  merged=()
  for default in "${defaults[@]}"; do
    # shellcheck disable=SC2206 # an option and its value
    [[ " $* " == *" ${default%% *} "* ]] || merged+=($default)
  done
  merged+=("$@")
}

# stderr_to FILE COMMAND...: runs the command with its stderr in FILE, which is printed if the command fails.
stderr_to() {
  local status=0
  "${@:2}" 2> "$1" || status=$?
  [ $status -eq 0 ] || cat "$1" >&2
  return $status
}

# begin_to_crash: the same, for processes that end badly: $crash makes them do so, and none leaves a core.
begin_to_crash() {
  begin
  crash=$tools/crash.so
  ulimit -c 0
}

# can_crash: $crash is built, and the command can be run with it.
can_crash() {
  skip_when_sanitized "$lockstep"
  needs_built tests/crash.so
}

# six_images: in/a.jpg to in/f.jpg, and a flip of them in steps.json.
six_images() {
  local name
  pipeline steps.json '{"type": "horizontal_flip"}'
  mkdir in
  for name in a b c d e f; do cp "$samples/images/street/0001.jpg" in/$name.jpg; done
}

# starters: the pipelines of pipelines/ that are not named after a training: those have large images, and presets.bats.
starters() {
  local file name
  for file in "$root"/pipelines/*.json; do
    name=${file##*/}
    grep -qx "== ${name%.json}" "$here/golden/presets.txt" || echo "$file"
  done
}

# await COMMAND...: until it succeeds. A minute at most, which is much on a machine that others use, too.
await() {
  local start=$SECONDS
  until "$@" > /dev/null 2>&1; do
    [ $((SECONDS - start)) -lt 60 ] || { echo "never so: $*"; return 1; }
    sleep 0.02
  done
}

# For await: files below FOLDER are more than N; a text is in a file; process PID is gone, or waits only to be asked for
# its exit code.
more_files() { [ "$(find "$1" -type f | wc -l)" -gt "$2" ]; }
has_text() { grep -q -- "$1" "$2"; }
has_ended() {
  local stat
  stat=$(ps -o stat= -p "$1") || return 0
  [[ $stat == Z* ]]
}

# end_run: whatever $run_pid is, if it still runs.
end_run() {
  [ -z "${run_pid:-}" ] || { kill -9 "$run_pid" && wait "$run_pid"; } 2> /dev/null || true
}

# Sanitizers want to be loaded first.
skip_when_sanitized() { # lockstep
  if grep -q __asan_init "$1"; then skip "built with sanitizers"; fi
}

# pipeline NAME STEPS: writes NAME.
pipeline() {
  printf '{"version": 1, "seed": 7, "transforms": [%s]}\n' "$2" > "$1"
}

# quiet FILE...: no message in it is a crash, an assertion, or another library's talk.
quiet() {
  local words='assertion|GLib|VIPS-WARNING|Segmentation|runtime error|AddressSanitizer|core dumped'
  if grep -nE "$words" "$@"; then return 1; fi
}

# same_tree A B: the same files with the same bytes.
same_tree() {
  diff -r "$1" "$2" || { echo "$1 and $2 differ"; return 1; }
}

# refuses CODE EXIT COMMAND...: it ends so, with this code on stderr.
# shellcheck disable=SC2154 # run sets stderr
refuses() {
  run "-$2" --separate-stderr "${@:3}"
  [[ $stderr == *"[$1]"* ]] || { echo "$stderr"; return 1; }
}

# same_in_all_ways PIPELINE OPTION...: workers, shards, a replay with these options, and no optimization make the same
# bytes of three copies; go and coco are the file's own.
# shellcheck disable=SC2154 # coco is the file's
same_in_all_ways() {
  local i
  go whole "$1" -n 3 -j 1
  go out "$1" -n 3 -j 3
  same_tree whole out
  rm -r out
  for i in 2 1 0; do go out "$1" -n 3 --shard $i/3; done
  "$lockstep" merge -q --durability none out
  same_tree whole out
  "$lockstep" replay -q -m whole/manifest.jsonl -o again "${coco[@]}" "${@:2}"
  diff -r -x run.json whole again
  go compared "$1" -n 3 --optimize none
  diff -r whole/images compared/images
  diff whole/annotations.json compared/annotations.json
}

# unlinked OUT: the manifest without the link to its run, which is another with another pipeline.
unlinked() {
  sed -E 's/"run": "[0-9a-f]{16}", //' "$1/manifest.jsonl"
}

# same_json A B [FILTER]: the same values, however numbers are spelled (some versions of jq keep that).
same_json() {
  local of="${3:-.} | walk(if type == \"number\" then . + 0 else . end)"
  diff <(jq -S "$of" "$1") <(jq -S "$of" "$2")
}

# unfinished OUT: checks that OUT has no file that only a finished run may leave.
unfinished() {
  local file
  for file in annotations.json manifest.jsonl run.json errors.jsonl; do
    [ ! -e "$1/$file" ] || { echo "$1/$file is there"; return 1; }
  done
  no_parts "$1"
}

no_parts() {
  local parts
  [ -d "$1" ] || return 0
  parts=$(find "$1" -name '*.part')
  [ -z "$parts" ] || { echo "left: $parts"; return 1; }
}

# on_terminal COMMAND...: its stdout and stderr are a terminal, whose text is printed.
on_terminal() {
  script -qec "$(printf '%q ' "$@")" /dev/null < /dev/null | tr -d '\r'
}
