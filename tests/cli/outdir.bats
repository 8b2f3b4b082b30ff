#!/usr/bin/env bats
# The output folder: two runs at once; runs that are killed at any step of their start; files that others plant in it or
# that the user keeps in it; and file systems that treat two names as one. A run that exits with 0 has left every file
# that the manifest lists.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  ulimit -c 0
  pipeline steps.json '{"type": "horizontal_flip"}'
  mkdir -p in/deep/er
  cp "$samples/images/street/0001.jpg" in/a.jpg
  cp "$samples/images/street/0001.jpg" in/deep/b.jpg
  cp "$samples/images/street/0001.jpg" in/deep/er/c.jpg
  printf 'mine\n' > victim
}

teardown() {
  [ -z "${mounted:-}" ] || umount -l "$mounted"
  [ -z "${loop:-}" ] || losetup -d "$loop"
}

# go OUT [options]
go() {
  local out=$1
  shift
  "$lockstep" run -q -p steps.json -i in -o "$out" "$@"
}

# A run of some seconds, for the background.
go_long() { exec "$lockstep" run -q -p steps.json -i "$samples/images" -a "$samples/annotations.json" -o out -n 12 -j 2; }

# complete OUT: all that the manifest lists is there, no more and no less, and nothing of the scratch.
complete() {
  diff <(jq -r '.output, .mask // empty' "$1/manifest.jsonl" | sort) \
    <(cd "$1" && find images masks -type f 2> /dev/null | sort) || return 1
  [ -s "$1/run.json" ] && [ ! -e "$1/.lockstep" ] || { ls -lA "$1"; return 1; }
}

untouched() { [ "$(cat victim)" = mine ] || { echo "the victim is:"; head -c 99 victim; return 1; }; }

# --- two at once ---

# both: two runs at once into out; their codes in a and b.
both() {
  local first second
  a=0 b=0
  go out "$@" 2> a.txt & first=$!
  go out "$@" 2> b.txt & second=$!
  wait $first || a=$?
  wait $second || b=$?
}

@test "outdir: of two runs at once that overwrite, whoever says 0 is complete" {
  local i
  go clean
  go out
  for ((i = 0; i < 20; i++)); do
    both --overwrite
    [[ "$a$b" == 00 || "$a$b" == 06 || "$a$b" == 60 ]] || { echo "$a and $b"; cat a.txt b.txt; return 1; }
    same_tree clean out
  done
}

@test "outdir: of two runs at once into a new folder, one does it and one is refused" {
  local i
  go clean
  for ((i = 0; i < 20; i++)); do
    rm -rf out
    both
    [[ "$a$b" == 06 || "$a$b" == 60 ]] || { echo "$a and $b"; cat a.txt b.txt; return 1; }
    grep -qE 'out-(occupied|in-use)' a.txt b.txt
    same_tree clean out
  done
}

@test "outdir: a worker that outlives its killed supervisor keeps the folder locked" {
  local run_pid worker
  go_long 2> err.txt &
  run_pid=$!
  await more_files out/images 0
  kill -STOP "$run_pid" # the run does not end before it was looked at
  worker=$(pgrep -P "$run_pid" | head -n 1) # the processes that read headers first have ended
  python3 - "$run_pid" "$worker" << 'EOF'
import fcntl, os, sys
lock = os.open("out/.lockstep/lock", os.O_RDWR)
import struct
query = struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)
held = struct.unpack("hhqqi4x", fcntl.fcntl(lock, 36, query))  # F_OFD_GETLK
assert held[0] != fcntl.F_UNLCK, "nobody holds the lock"
assert any(os.readlink(f"/proc/{sys.argv[2]}/fd/{fd}").endswith("/.lockstep/lock")
           for fd in os.listdir(f"/proc/{sys.argv[2]}/fd")), "the worker does not hold it"
EOF
  kill -9 "$run_pid"
  wait "$run_pid" || true
  go out --overwrite # as soon as the workers are gone
  go clean
  same_tree clean out
}

@test "outdir: of a run that is killed where it has made a folder, --overwrite leaves none" {
  local name
  skip_when_sanitized "$lockstep"
  needs_built tests/crash.so
  mkdir flat
  cp in/a.jpg flat
  "$lockstep" run -q -p steps.json -i flat -o clean
  for name in images deep er; do
    rm -rf out
    # A separate group, which a contained worker might not kill.
    run -137 env LD_PRELOAD="$tools/crash.so" CRASH_FOLDER=$name setsid -w \
      "$lockstep" run -q -p steps.json -i in -o out --sandbox off
    [ -d out/images ]
    "$lockstep" run -q -p steps.json -i flat -o out --overwrite
    same_tree clean out
  done
}

# --- killed while it starts ---

calls=mkdir,mkdirat,unlinkat,rmdir,renameat2,pwrite64,write,openat

# steps FILE: of a trace, each call that changes a file, as its name and which of its name it is.
steps() {
  awk -F '(' '/^[a-z0-9]+\(/ { n[$1]++ }
    /^openat/ && !/O_CREAT/ { next }
    /^[a-z0-9]+\(/ { print $1, n[$1] }' "$1"
}

# killed_everywhere SETUP [options]: kills the run at each of its steps that changes a file, and repeats it over the
# remaining files.
killed_everywhere() {
  local prepare=$1 name n killed=0
  shift
  $prepare
  strace -qq -o calls.txt -e "trace=$calls" "$lockstep" run -q -j 1 -p steps.json -i in -o out "$@"
  steps calls.txt > steps.txt
  while read -r name n; do
    rm -rf out
    $prepare
    if (exec strace -qq -o /dev/null -e "trace=$name" -e "inject=$name:signal=KILL:when=$n" \
      "$lockstep" run -q -j 1 -p steps.json -i in -o out "$@"); then
      # How often the worker is given images, by a write each, hangs on the time.
      [ "$name" = write ] && same_tree clean out || { echo "it was not killed at $name $n"; return 1; }
      continue
    fi
    go out --overwrite -j 1 2> err.txt || { echo "killed at $name $n:"; cat err.txt; return 1; }
    same_tree clean out || { echo "killed at $name $n"; return 1; }
    killed=$((killed + 1))
  done < steps.txt
  echo "# killed at $killed steps" >&3
  [ "$killed" -ge 20 ]
}

nothing_there() { :; }
run_there() { cp -r clean out; }

@test "outdir: what a run leaves that is killed at any step can be overwritten" {
  skip_when_sanitized "$lockstep"
  go clean
  killed_everywhere nothing_there
}

# bats test_tags=release
@test "outdir: so can what one leaves that was killed while it overwrote another" {
  skip_when_sanitized "$lockstep"
  go clean
  killed_everywhere run_there --overwrite
}

@test "outdir: a run that was killed while it overwrote a result resumes with --overwrite --resume" {
  local name n killed=0 started=0
  skip_when_sanitized "$lockstep"
  go clean
  pipeline other.json '{"type": "horizontal_flip"}, {"type": "vertical_flip"}'
  "$lockstep" run -q -p other.json -i in -o former
  pipeline third.json '{"type": "vertical_flip"}'
  cp -r former out
  strace -qq -o calls.txt -e "trace=$calls,ftruncate" "$lockstep" run -q -j 1 -p steps.json -i in -o out --overwrite
  # each call of the beginning that changes a file
  awk '/^pwrite64/ && ++n == 5 { exit } { print }' calls.txt > begin.txt
  steps begin.txt > steps.txt
  while read -r name n; do
    rm -rf out resumed stranger
    cp -r former out
    if (exec strace -qq -o /dev/null -e "trace=$name" -e "inject=$name:signal=KILL:when=$n" \
      "$lockstep" run -q -j 1 -p steps.json -i in -o out --overwrite); then
      [ "$name" = write ] && same_tree clean out || { echo "it was not killed at $name $n"; return 1; }
      continue
    fi
    diff -r -x .lockstep former out # it is whole
    cp -r out resumed
    cp -r out stranger
    go out --overwrite --resume -j 1 2> err.txt || { echo "killed at $name $n:"; cat err.txt; return 1; }
    same_tree clean out || { echo "killed at $name $n"; return 1; }
    # --resume alone continues, or says what to do and touches nothing
    if go resumed --resume -j 1 2> err.txt; then
      same_tree clean resumed
      started=$((started + 1))
    else
      [[ $(< err.txt) == *'--overwrite'*'[resume-key]'* ]] && diff -r -x .lockstep former resumed
    fi
    # another run than both
    "$lockstep" run -q -p third.json -i in -o stranger --overwrite --resume
    [ -e third ] || "$lockstep" run -q -p third.json -i in -o third
    same_tree third stranger
    killed=$((killed + 1))
  done < steps.txt
  echo "# killed at $killed calls, $started resumed" >&3
  [ "$killed" -ge 10 ] && [ "$started" -ge 1 ]
}

@test "outdir: --overwrite with --resume resumes a run of its own, and replaces every other one" {
  local before
  go clean
  go out
  before=$(stat -c %i out/manifest.jsonl)
  go out --overwrite --resume # finished: nothing is done
  [ "$(stat -c %i out/manifest.jsonl)" = "$before" ]
  go out --overwrite --resume --seed 7
  go seven --seed 7
  same_tree seven out
  # stopped, damaged, of another run, with shards or with an image that is newer
  for what in journal gone newer shards; do
    rm -rf out
    case $what in
      journal)
        (exec strace -qq -o /dev/null -e trace=pwrite64 -e inject=pwrite64:signal=KILL:when=4 \
          "$lockstep" run -q -j 1 -p steps.json -i in -o out) || [ -s out/.lockstep/journal ]
        printf 'no journal of this version' | dd of=out/.lockstep/journal conv=notrunc status=none
        ;;
      gone) go out && rm out/images/a.jpg ;;
      newer) go out && touch in/a.jpg ;;
      shards) go out --shard 0/2 ;;
    esac
    run -6 go out --resume
    go out --overwrite --resume
    same_tree clean out
  done
}

@test "outdir: a start that was killed before it had anything is replaced" {
  mkdir -p out/.lockstep
  go out --overwrite
  complete out
  mkdir -p other/.lockstep
  : > other/.lockstep/lock
  go other --overwrite
  complete other
}

# --- the user's own files ---

@test "outdir: --overwrite removes what the earlier run listed, and nothing else" {
  go out
  mkdir -p out/images/mine/empty out/masks
  printf 'mine\n' | tee out/images/own.jpg out/images/deep/own.jpg out/masks/own.jpg \
    out/images/mine/a.txt out/annotations.json out/errors.jsonl.bak > out/notes.txt
  rm -r in/deep
  go out --overwrite
  [ -e out/images/a.jpg ]
  [ ! -e out/images/deep/b.jpg ]
  [ ! -e out/images/deep/er ]
  [ -d out/images/mine/empty ]
  for file in images/own.jpg images/deep/own.jpg masks/own.jpg images/mine/a.txt annotations.json \
    errors.jsonl.bak notes.txt; do
    [ "$(cat out/$file)" = mine ]
  done
}

@test "outdir: nor does a run that follows one that was killed" {
  local run_pid
  go_long &
  run_pid=$!
  await more_files out/images 20
  mkdir -p out/images/hills
  printf 'mine\n' | tee out/images/own.jpg > out/images/hills/own.jpg
  kill -9 "$run_pid"
  wait "$run_pid" || true
  go out --overwrite
  [ "$(cat out/images/own.jpg out/images/hills/own.jpg)" = $'mine\nmine' ]
  rm -r out/images/hills out/images/own.jpg
  complete out
}

@test "outdir: a file of the user's that an output would be is not written over" {
  local file
  go out
  for file in images/d.jpg images/deep/er/d.jpg images/e.jpg/x annotations.json; do
    mkdir -p "out/$(dirname $file)"
    printf 'mine\n' > out/$file
  done
  cp in/a.jpg in/d.jpg
  cp in/a.jpg in/deep/er/d.jpg
  cp in/a.jpg in/e.jpg
  jq -n '{images: [{id: 1, file_name: "a.jpg"}], annotations: [], categories: []}' > a.json
  cp -r out before
  run -6 --separate-stderr go out --overwrite
  # shellcheck disable=SC2154 # run sets it
  [ "$(grep -c out-exists <<< "$stderr")" -eq 3 ]
  same_tree before out
  run -6 --separate-stderr go out --overwrite -a a.json
  [[ $stderr == *'annotations.json'*'[out-exists]'* ]]
  same_tree before out
  # Without a run before it, likewise: the folder of a start that was killed.
  mkdir -p other/.lockstep other/images
  printf 'mine\n' > other/images/a.jpg
  run -6 go other --overwrite
  [ "$(cat other/images/a.jpg)" = mine ]
}

# --- manifests that must not be trusted ---

@test "outdir: a manifest that is hostile or damaged removes nothing" {
  local line
  go out
  mkdir elsewhere
  printf 'mine\n' | tee elsewhere/a.jpg > out/own.txt
  ln -s ../../elsewhere out/images/link
  cp -r out before
  for line in '{"output": "images/../../victim"}' '{"output": "../victim"}' '{"output": "own.txt"}' \
    '{"output": "run.json"}' "{\"output\": \"$PWD/victim\"}" '{"output": "images/"}' '{"output": ""}' \
    '{"output": "images/a\u0000.jpg"}' '{"output": "images//a.jpg"}' '{"output": 7}' '{"output": "im' \
    '{"mask": "masks/../own.txt"}' '{"mask": ["images/a.jpg"]}' '[]' 'x' '' '{"output": "images/a.jpg"} 7' \
    '{"x": 1e999, "output": "images/./a.jpg"}' '{"output": ".lockstep/lock"}' '{"output": "images"}'; do
    printf '%s\n' "$line" >> out/manifest.jsonl
    run -6 --separate-stderr go out --overwrite
    [[ $stderr == *'manifest.jsonl'*'[out-damaged]'* ]] || { echo "$line: $stderr"; false; }
    cp before/manifest.jsonl out/manifest.jsonl
    same_tree before out
  done
  for line in '"../victim"' '"images/a.jpg"' '"own.txt"' 7 '"/etc/hostname"'; do
    jq --argjson x "$line" '.files += [$x]' before/run.json > out/run.json
    run -6 --separate-stderr go out --overwrite
    [[ $stderr == *'run.json'*'[out-damaged]'* ]] || { echo "$line: $stderr"; false; }
  done
  cp before/run.json out/run.json
  # Listed, but reached by a link, or a link itself: left alone.
  printf '{"output": "images/link/a.jpg"}\n{"output": "images/link"}\n' >> out/manifest.jsonl
  go out --overwrite
  untouched
  [ "$(cat elsewhere/a.jpg)" = mine ]
  [ -L out/images/link ]
  [ "$(cat out/own.txt)" = mine ]
  [ "$(jq -s length out/manifest.jsonl)" -eq 3 ]
}

@test "outdir: a list of a killed run that is hostile or torn removes nothing that it does not hold" {
  local line
  mkdir -p out/.lockstep out/images
  printf 'mine\n' | tee out/images/a > out/images/ab.jpg
  for line in '0 5 ../victim' '0 5 images/../../victim' '0 5 notes.txt' "0 5 $PWD/victim"; do
    printf '%s\n' "$line" > out/.lockstep/written
    run -6 --separate-stderr go out --overwrite
    [[ $stderr == *'[out-damaged]'* ]]
    untouched
  done
  # Torn: text without a line end is ignored.
  printf '0 5 images/a\0\0\0\0\n0 5\nx\n0 x images/ab.jpg\n99999999999999999999 5 images/a\n0 5 images/ab.jpg' \
    > out/.lockstep/written
  mv in/a.jpg in/z.jpg
  go out --overwrite
  [ "$(cat out/images/a out/images/ab.jpg)" = $'mine\nmine' ]
}

# --- files that others plant ---

# Links, pipes and folders in the places of the run's files.
plant() { # path, kind
  mkdir -p "$(dirname "$1")"
  case $2 in
    link) ln -s "$PWD/victim" "$1" ;;
    nowhere) ln -s "$PWD/nowhere" "$1" ;;
    pipe) mkfifo "$1" ;;
    folder) mkdir "$1" ;;
  esac
}

@test "outdir: links, pipes and folders in the place of the run's own files are not written through" {
  local kind name code
  for kind in link nowhere pipe folder; do
    for name in .lockstep .lockstep/lock .lockstep/written .lockstep/manifest.jsonl .lockstep/records \
      .lockstep/objects .lockstep/run.json .lockstep/1.part .lockstep/probe .lockstep/new .lockstep/swap.new .lockstep/swap.remove .lockstep/swap.move \
      manifest.jsonl errors.jsonl run.json images images/a.jpg images/deep images/deep/er; do
      rm -rf out
      mkdir -p out/.lockstep
      [ "$name" != .lockstep ] || rmdir out/.lockstep
      plant "out/$name" $kind
      code=0
      timeout 20 "$lockstep" run -q -p steps.json -i in -o out --overwrite 2> err.txt || code=$?
      case $code in
        0) complete out || { echo "$kind at $name"; false; } ;;
        5 | 6) grep -qE '\[out-[a-z]+\]' err.txt || { echo "$kind at $name"; cat err.txt; false; } ;;
        *) echo "$kind at $name: exit $code"; cat err.txt; false ;;
      esac
      untouched
      [ ! -e nowhere ] || { echo "$kind at $name: written through"; false; }
    done
  done
}

# midway COMMAND...: the exit code of a run while which this was done.
midway() {
  local run_pid
  rm -rf out moved
  go_long 2> err.txt &
  run_pid=$!
  await more_files out/images 5
  worker=$(pgrep -P "$run_pid" | head -n 1)
  "$@"
  code=0
  wait "$run_pid" || code=$?
}

plant_part() {
  until ln -s "$PWD/victim" "out/.lockstep/$worker.part" 2> /dev/null; do
    kill -0 "$worker" || return 0
  done
}
# Files that the run makes meanwhile may make rmdir fail.
remove() { until rm -rf "$1"; do :; done; }
replace() { mv out moved && mkdir out; }
move_images() { mv out/images moved; }
remove_one() { rm "$(find out/images -type f | head -n 1)"; }
cut_one() { : > "$(find out/images -type f | head -n 1)"; }
plant_later() { ln -s "$PWD/victim" "out/$1"; }

@test "outdir: links planted while it runs are not written through" {
  for name in annotations.json manifest.jsonl run.json; do
    midway plant_later $name
    [ "$code" -eq 5 ] || { echo "$name: exit $code"; false; }
    untouched
    rm "out/$name"
    unfinished out
  done
  midway plant_part
  untouched
  [ "$code" -ne 0 ] || complete out
  midway plant_later images/zzz
  untouched
  [ "$code" -eq 0 ]
}

@test "outdir: a folder that is removed, moved or replaced while the run writes to it is code 5" {
  local what found=0
  for what in 'remove out' replace 'mv out moved' move_images remove_one cut_one 'remove out/.lockstep'; do
    # shellcheck disable=SC2086 # words
    midway $what
    [ "$code" -eq 5 ] || { echo "$what: exit $code"; cat err.txt; false; }
    grep -qE '\[out-(changed|unwritable)\]' err.txt || { echo "$what:"; cat err.txt; false; }
    ! grep -qF '[out-changed]' err.txt || found=$((found + 1))
    [ ! -e out/annotations.json ] || { echo "$what: it looks finished"; false; }
  done
  [ "$found" -ge 2 ]
}

# --- another user, no room ---

@test "outdir: what another user may not write or remove is code 5, and nothing is lost" {
  [ "$(id -u)" = 0 ] || skip "only root may become another user"
  local other=(setpriv --reuid 65534 --regid 65534 --clear-groups)
  chmod 777 .
  chmod o+x "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR" "$BATS_TEST_TMPDIR" 2> /dev/null || true
  "${other[@]}" test -r in/a.jpg || skip "another user may not read here"
  "${other[@]}" test -x "$lockstep" || { cp "$lockstep" tool; lockstep=$PWD/tool; }
  go out
  cp -r out before
  chmod 777 out
  run -5 --separate-stderr "${other[@]}" "$lockstep" run -p steps.json -i in -o out --overwrite
  [[ $stderr == *'[out-remove]'* ]]
  same_tree before out
  go out --overwrite
  complete out
  chmod 755 out
  for out in out out/deeper; do
    run -5 --separate-stderr "${other[@]}" "$lockstep" run -p steps.json -i in -o $out --overwrite
    [[ $stderr == *'[out-unwritable]'* ]]
  done
  chmod 777 out/images
  complete out
}

@test "outdir: on a full disk there is no code 0 without all files" {
  [ "$(id -u)" = 0 ] || skip "only root may mount"
  local size code done=0
  mkdir disk
  go clean
  for size in 32 48 64 96 128 160 192 224 256 320 384 512; do
    mount -t tmpfs -o "size=${size}k" lockstep disk || skip "tmpfs cannot be mounted"
    mounted=$PWD/disk
    code=0
    go disk/out -j 2 2> err.txt || code=$?
    case $code in
      0) same_tree clean disk/out; done=$((done + 1)) ;;
      5) unfinished disk/out ;;
      *) echo "$size KiB: exit $code"; cat err.txt; false ;;
    esac
    umount disk
    mounted=
  done
  [ "$done" -gt 0 ]
  [ "$done" -lt 12 ]
}

# --- where the folder is ---

@test "outdir: a path that leads back out of a folder that does not exist writes nowhere" {
  cp -r in before
  for out in nowhere/../in/out nowhere/../out nowhere/deep/../../in; do
    run -5 --separate-stderr go "$out"
    [[ $stderr == *'[out-unwritable]'* ]]
  done
  run -5 "$lockstep" compile -p steps.json -o nowhere/../in/frozen.json
  same_tree before in
  [ ! -e nowhere ]
  [ ! -e out ]
}

@test "outdir: a folder of inputs is found behind links where the system does not tell of mounts" {
  ln -s in/deep link
  for out in link/out in/deep/new/er/out; do
    run -2 --separate-stderr strace -f -qq -o /dev/null -P /proc/self/mountinfo -e trace=openat \
      -e inject=openat:error=ENOENT "$lockstep" run -q -p steps.json -i in -o "$out"
    [[ $stderr == *'[out-inside]'* ]] || { echo "$out: $stderr"; false; }
  done
}

@test "outdir: a folder of inputs is found behind links and second mounts" {
  cp -r in before
  ln -s in/deep link
  ln -s link second
  for out in link/out second/er/out ./second/../out in/deep/new/er/out; do
    run -2 --separate-stderr go "$out"
    [[ $stderr == *'[out-inside]'* ]] || { echo "$out: $stderr"; false; }
  done
  mkdir again
  if mount --bind in again 2> /dev/null; then
    mounted=$PWD/again
    for out in again/out again/deep/out again; do
      run -2 --separate-stderr go "$out"
      [[ $stderr == *'[out-inside]'* ]] || { echo "$out: $stderr"; false; }
    done
  fi
  # A mount of a subfolder of the folder has no folder above it, as mountinfo shows. But in a chroot to a folder that is
  # not a mount, mountinfo omits the mount that contains all other folders.
  mkdir "a part"
  if awk '$5 == "/" { found = 1 } END { exit !found }' /proc/self/mountinfo &&
    mount --bind in/deep "a part" 2> /dev/null; then
    [ -z "${mounted:-}" ] || umount "$mounted"
    mounted="$PWD/a part"
    for out in "a part/out" "a part/er/out" "a part"; do
      run -2 --separate-stderr go "$out"
      [[ $stderr == *'[out-inside]'* ]] || { echo "$out: $stderr"; false; }
    done
    "$lockstep" run -q -p steps.json -i "a part/er" -o in/out # beside it
    rm -r in/out
    run -2 "$lockstep" run -q -p steps.json -i "a part/er" -o in/deep/er/out
  fi
  same_tree before in
}

# --- file systems that take two names for one ---

# pair NAME NAME: two images of these names, with masks.
pair() {
  rm -rf two two_masks two_out
  mkdir -p two two_masks
  for name in "$@"; do
    mkdir -p "two/$(dirname "$name")" "two_masks/$(dirname "$name")"
    cp in/a.jpg "two/$name"
    cp "$samples/masks/street/0001.png" "two_masks/${name%.*}.png"
  done
}

two() { "$lockstep" run -q -p steps.json -i two -o "$@"; }

# folds FOLDER NAME NAME...: there, no two of these are two; here they are. Refused before work.
folds() {
  local folder=$1
  shift
  pair "$@"
  run -4 --separate-stderr two "$folder/out"
  [[ $stderr == *'[name-collision]'* ]] || { echo "$*: $stderr"; return 1; }
  [ ! -e "$folder/out" ] || { echo "$*: something was written"; return 1; }
  two two_out
  complete two_out
}

# tells FOLDER NAME NAME...: these are two everywhere.
tells() {
  local folder=$1
  shift
  pair "$@"
  two "$folder/out"
  [ "$(jq -r .output "$folder/out/manifest.jsonl" | sort -u | wc -l)" -eq 2 ]
  while read -r file; do [ -s "$folder/out/$file" ]; done < <(jq -r .output "$folder/out/manifest.jsonl")
  [ "$(find "$folder/out/images" -type f | wc -l)" -eq 2 ]
  rm -r "$folder/out"
}

may_mount() {
  [ "$(id -u)" = 0 ] || skip "only root may mount"
  [ -c /dev/fuse ] && : 2> /dev/null < /dev/fuse || skip "the kernel has no FUSE"
}

@test "outdir: exFAT: names that differ by case are refused before work" {
  may_mount
  truncate -s 16M disk.img
  mkfs.exfat disk.img > /dev/null
  mkdir disk
  loop=$(losetup -f --show disk.img) || skip "the kernel has no loop devices"
  mount.exfat-fuse "$loop" disk > /dev/null 2>&1 || skip "FUSE may not mount here"
  mounted=$PWD/disk
  folds disk A.jpg a.jpg
  folds disk Straße/É.jpg Straße/é.jpg
  folds disk b.jpg/x.jpg B.jpg
  tells disk Dir/a.jpg dir/b.jpg
  tells disk e$'\u0301'.jpg $'\u00e9'.jpg # this one does not compare the form
  tells disk I.jpg J.jpg
  pair a.jpg b.jpg
  rm two/b.jpg
  mkdir two/x
  cp in/a.jpg two/x/B.jpg
  # Masks are compared as images are, and copies have other names.
  pair A.jpg b.jpg
  two disk/out --masks two_masks -n 2
  complete disk/out
  run -6 two disk/out
  two disk/out --masks two_masks --overwrite
  complete disk/out
  umount disk
  mounted=
}

@test "outdir: file systems that compare neither case nor form: refused before work" {
  may_mount
  mkdir disk store
  /usr/bin/python3 "$here/fault/folding.py" store disk > fuse.txt 2>&1 3>&- &
  for ((i = 0; i < 100; i++)); do
    mountpoint -q disk && break
    sleep 0.05
  done
  mountpoint -q disk || skip "FUSE may not mount here"
  mounted=$PWD/disk
  folds disk A.jpg a.jpg
  folds disk e$'\u0301'.jpg $'\u00e9'.jpg
  folds disk E$'\u0301'.jpg $'\u00e9'.jpg
  folds disk $'\uac00'/x.jpg $'\u1100\u1161'/x.jpg
  folds disk $'\u00c5'.jpg $'\u212b'.jpg
  folds disk $'stra\u00dfe.jpg' STRASSE.jpg
  tells disk Dir/a.jpg dir/b.jpg
  tells disk e.jpg $'\u00e9'.jpg
  umount disk
  mounted=
}
