#!/usr/bin/env bats
# Failing system calls: the message, its code, and the result of the next run. `make torture` tests all of them; these
# are ones that once went wrong.
# shellcheck disable=SC2154 # run sets stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  ulimit -c 0
  pipeline steps.json '{"type": "horizontal_flip"}'
  mkdir in
  for name in a b c; do cp "$samples/images/street/0001.jpg" in/$name.jpg; done
}

teardown() {
  [ -z "${run_pid:-}" ] || { kill -s CONT "$run_pid" && kill -9 "$run_pid" && wait "$run_pid"; } 2> /dev/null || true
}

# go OUT [options]
go() {
  local out=$1
  shift
  "$lockstep" run -q -p steps.json -i in -o "$out" -j 1 "$@"
}

# with CALL N FAULT [options]: a run in which a system call fails in every process that makes N of them.
with() {
  local call=$1 n=$2 fault=$3
  shift 3
  skip_when_sanitized "$lockstep"
  strace -f -qq -y -o trace.txt -e "trace=$call" -e "inject=$call:error=$fault:when=$n" \
    "$lockstep" run -q -p steps.json -i in -o out -j 1 "$@"
}

# nth CALL WORDS: the number of the supervisor's first call whose line has the words.
nth() {
  rm -rf watched
  strace -qq -y -o calls.txt -e "trace=$1" "$lockstep" run -q -p steps.json -i in -o watched -j 1
  awk -v words="$2" '/^[a-z0-9]+\(/ { n++ } index($0, words) { print n; exit }' calls.txt
}

@test "faults: a scratch that cannot be removed is warned of, is no result, and goes with the next run" {
  local n m first last
  skip_when_sanitized "$lockstep"
  go clean
  first=$(nth unlinkat '"journal"')
  last=$(grep -c unlinkat calls.txt)
  for n in "$first" "$last" "$(shuf -n 1 -i "$first-$last")"; do
    rm -rf out
    run -0 --separate-stderr with unlinkat "$n" EIO
    [[ $stderr == *'.lockstep cannot be removed: Input/output error; --resume removes it [out-scratch]'* ]]
    [ -e out/.lockstep ]
    for m in 1 2 3 4; do # the next run may fail at it, too
      run --separate-stderr with unlinkat $m EIO --resume
      [ "$status" -eq 5 ] || [ ! -e out/.lockstep ] || [[ $stderr == *'[out-scratch]'* ]] || { echo "$n $m"; return 1; }
    done
    go out --resume
    same_tree clean out
  done
}

@test "faults: a folder that cannot be listed is not called occupied" {
  local n
  skip_when_sanitized "$lockstep"
  for n in $(nth openat '<'"$PWD"'/watched>, "."') $(nth openat 'watched/.lockstep>, "."') \
    $(nth openat '"written", O_RDONLY'); do
    rm -rf out
    run -5 --separate-stderr with openat "$n" EIO
    [[ $stderr == *'Input/output error [out-unwritable]'* ]]
    go out --resume
  done
}

@test "faults: calls that are interrupted are made again" {
  local call n
  skip_when_sanitized "$lockstep"
  go clean
  for call in write renameat2 mkdirat unlinkat syncfs close; do
    nth $call '<' > none.txt
    n=$(grep -c '^' calls.txt)
    for n in $((1 + RANDOM % n)) "$n"; do
      [ $call != close ] || [ "$n" -gt 8 ] || continue # those of the dynamic linker, before main
      rm -rf out
      with "$call" "$n" EINTR || { echo "$call $n"; return 1; }
      same_tree clean out
    done
  done
}

@test "faults: a worker whose pipes fail is no defect" {
  local n code
  go clean
  for n in 1 2 4; do
    rm -rf out
    code=0
    with write $n EIO 2> talk.txt || code=$?
    cat trace.txt >> all.txt
    [ "$code" -eq 5 ] || [ "$code" -eq 8 ] || { echo "$n: $code"; cat talk.txt; return 1; }
    go out --resume
    same_tree clean out
  done
  grep -q 'pipe.*INJECTED' all.txt
}

@test "faults: annotations that cannot be read back in the end are no result" {
  local n fault
  skip_when_sanitized "$lockstep"
  cp -r "$samples/images/." in
  set -- -a "$samples/annotations.json" --on-error skip
  go clean "$@"
  rm -rf watched
  strace -qq -y -o calls.txt -e trace=pread64 "$lockstep" run -q -p steps.json -i in -o watched -j 1 "$@"
  n=$(awk '/^pread64\(/ { n++ } /<.*\/objects>/ { print n; exit }' calls.txt)
  for fault in error=EIO error=EINTR retval=0; do
    rm -rf out
    run --separate-stderr strace -qq -o trace.txt -e trace=pread64 -e "inject=pread64:$fault:when=$n" \
      "$lockstep" run -q -p steps.json -i in -o out -j 1 "$@"
    grep -q INJECTED trace.txt
    if [ $fault != error=EINTR ]; then
      [ "$status" -eq 5 ] && [[ $stderr == *'annotations.json: Input/output error'* ]]
      [ ! -e out/annotations.json ]
      go out --resume "$@"
    fi
    same_tree clean out
  done
}

# without_libvips COMMAND...: opening the library fails.
without_libvips() {
  local path
  path=$(PATH=$PATH:/sbin ldconfig -p | awk '/libvips.so.42 / { print $NF; exit }')
  strace -f -qq -o trace.txt -P "$path" -e trace=openat -e inject=openat:error=EIO "$@"
}

@test "faults: that libvips cannot be loaded is no fault of the image" {
  skip_when_sanitized "$lockstep"
  cp "$samples/images/harbour/0002.webp" in/d.webp
  go clean
  run -8 --separate-stderr without_libvips "$lockstep" run -q -p steps.json -i in -o out -j 1
  [[ $stderr == *'libvips.so.42 cannot be loaded'*'[image-library]'* ]]
  [ ! -e out ]
  run -8 --separate-stderr without_libvips "$lockstep" run -q -p steps.json -i in -o out -j 1 --no-preflight
  [[ $stderr == *'[image-library]'*'3 of 4 images done and 1 failed; go on with --resume'* ]]
  for command in 'preview -o sheet.png' profile; do
    # shellcheck disable=SC2086 # words
    run -8 --separate-stderr without_libvips "$lockstep" $command -p steps.json -i in
    [[ $stderr == *'[image-library]'* ]] || { echo "$command: $stderr"; return 1; }
  done
  for command in 'preview -o sheet.png' profile; do
    # shellcheck disable=SC2086 # words
    run -8 --separate-stderr without_libvips "$lockstep" $command -p steps.json -i in
    [[ $stderr == *'[image-library]'* ]] || { echo "$command: $stderr"; return 1; }
  done
  go out --resume
  same_tree clean out
}

# Faults of content are not.
@test "faults: an image that needed libvips and was skipped is tried again by --resume" {
  skip_when_sanitized "$lockstep"
  cp "$samples/images/harbour/0002.webp" in/0.webp
  printf 'no image' > in/1.jpg
  mkfifo in/zz.jpg # fails, too, at the end
  without_libvips "$lockstep" run -q -p steps.json -i in -o out -j 1 --on-error skip --max-errors 1 2> none.txt || true
  [ "$("$lockstep" status out --json | jq -c '[.failed, .left > 0]')" = '[2,true]' ]
  rm in/zz.jpg
  run -1 go out --resume --on-error skip
  [ "$(jq -r .source out/errors.jsonl)" = 1.jpg ]
  [ -e out/images/0.webp ]
}

@test "faults: an image that is changed or removed after it was read is noticed, and done again" {
  skip_when_sanitized "$lockstep"
  local how
  for how in changed removed; do
    rm -rf out
    cp "$samples/images/street/0001.jpg" in/a.jpg
    strace -f -qq -o trace.txt -e trace=renameat2 -e inject=renameat2:delay_enter=700000:when=3 \
      "$lockstep" run -q -p steps.json -i in -o out -j 1 2> talk.txt 3>&- &
    run_pid=$!
    while [ ! -e out/images/b.jpg ]; do sleep 0.05; done
    rm in/a.jpg
    [ $how = removed ] || cp "$samples/images/street/0002.jpg" in/a.jpg
    code=0
    wait "$run_pid" || code=$?
    run_pid=
    [ "$code" -eq 4 ]
    grep 'a.jpg: 1 image was changed or removed after the run had read it; --resume does it again \[image-changed\]' talk.txt
    unfinished out
    go out --resume
    rm -rf clean
    go clean
    same_tree clean out
  done
}

@test "faults: an image that is changed after others have borrowed it is noticed" {
  skip_when_sanitized "$lockstep"
  pipeline steps.json '{"type": "Mosaic", "target_size": 40}'
  mkdir in/0
  cp "$samples/images/street/0001.jpg" in/0/d.jpg
  strace -f -qq -o trace.txt -e trace=renameat2 -e inject=renameat2:delay_enter=700000:when=3 \
    "$lockstep" run -q -p steps.json -i in -o out -j 1 --exclude '0/*' -n 4 2> talk.txt 3>&- &
  run_pid=$!
  while [ -z "$(find out/images -name '*.jpg' 2> none.txt)" ]; do sleep 0.05; done
  cp "$samples/images/street/0002.jpg" in/0/d.jpg
  code=0
  wait "$run_pid" || code=$?
  run_pid=
  [ "$code" -eq 4 ]
  unfinished out
  grep '0/d.jpg.*\[image-changed\]' talk.txt
  go out --exclude '0/*' -n 4 --resume
  go clean --exclude '0/*' -n 4
  same_tree clean out
}

@test "faults: an image that is changed is noticed where only some are chosen" {
  skip_when_sanitized "$lockstep"
  cp in/a.jpg in/0.jpg
  strace -f -qq -o trace.txt -e trace=renameat2 -e inject=renameat2:delay_enter=700000:when=3 \
    "$lockstep" run -q -p steps.json -i in -o out -j 1 --include 'c.jpg' -n 4 2> talk.txt 3>&- &
  run_pid=$!
  while [ ! -e out/images/c__a000.jpg ]; do sleep 0.05; done
  cp "$samples/images/street/0002.jpg" in/c.jpg
  code=0
  wait "$run_pid" || code=$?
  run_pid=
  [ "$code" -eq 4 ]
  grep 'c.jpg: .*\[image-changed\]' talk.txt
}

# busy FOLDER [options]: a run whose first image takes minutes, with its supervisor and worker.
busy() {
  local out=$1
  shift
  timeout 60 "$lockstep" run -q -p steps.json -i in -o "$out" -j 1 -n 9999 "$@" 2> talk.txt 3>&- &
  run_pid=$!
  while [ -z "$(find "$out/images" -name 'a__a01*' 2> none.txt)" ]; do sleep 0.05; done
  supervisor=$(pgrep -P "$run_pid" -x lockstep)
  worker=$(pgrep -P "$supervisor" -x lockstep -n)
}

@test "faults: a worker that is stopped costs its image, and holds up no signal" {
  local code=0 supervisor worker
  rm in/[bc].jpg
  busy out --no-preflight --on-error skip --timeout 2 --durability none
  kill -s STOP "$worker"
  wait "$run_pid" || code=$?
  [ "$code" -eq 4 ]
  [ "$(jq -r .outcome out/errors.jsonl)" = timeout ]
  rm -rf out
  busy out --no-preflight --durability none
  kill -s STOP "$worker"
  kill -s TERM "$supervisor"
  code=0
  wait "$run_pid" || code=$?
  run_pid=
  [ "$code" -eq 143 ]
  [ ! -e "/proc/$worker" ]
}

# A process that hangs in the kernel ends only when its call does. A frozen file system takes the place of a disk that
# does not answer.
@test "faults: a worker that cannot be killed holds up no signal" {
  [ "$(id -u)" -eq 0 ] || skip "needs root"
  local code=0 supervisor worker state ended=
  truncate -s 64M disk.img
  mkfs.ext4 -q disk.img
  mkdir disk
  mount -o loop disk.img disk 2> none.txt || skip "no loop devices"
  busy disk/out --durability none
  fsfreeze -f disk
  sleep 0.5
  kill -s TERM "$supervisor"
  for _ in $(seq 100); do
    sleep 0.1
    [ -e "/proc/$supervisor" ] || { ended=1; break; }
  done
  state=$(sed 's/.*) //; s/ .*//' "/proc/$worker/stat")
  fsfreeze -u disk
  wait "$run_pid" || code=$?
  run_pid=
  umount -l disk
  [ "$state" = D ] && [ -n "$ended" ] && [ "$code" -eq 143 ]
}

@test "faults: status tells a swap that was stopped from a former result" {
  skip_when_sanitized "$lockstep"
  pipeline turn.json '{"type": "vertical_flip"}'
  go out
  strace -qq -o none.txt -e trace=renameat2 -e inject=renameat2:signal=KILL:when=4 \
    "$lockstep" run -q -p turn.json -i in -o out -j 1 --overwrite || true
  "$lockstep" status out --json > status.json
  [ "$(jq -c '[.state, .overwrites, .swaps]' status.json)" = '["unfinished",false,true]' ]
  [[ $("$lockstep" status out) == *'the new result is complete, but not yet all in the place of the former one'* ]]
}

@test "faults: an interrupted read of the list of written files is repeated" {
  skip_when_sanitized "$lockstep"
  (exec strace -f -qq -o /dev/null -e trace=pwrite64 -e inject=pwrite64:signal=KILL:when=5 \
    "$lockstep" run -q -p steps.json -i in -o out -j 1) || true
  [ -s out/.lockstep/written ]
  strace -f -qq -o trace.txt -P "$PWD/out/.lockstep/written" -e trace=read -e inject=read:error=EINTR:when=1 \
    "$lockstep" run -q -p steps.json -i in -o out -j 1 --overwrite
  grep -q INJECTED trace.txt
}
