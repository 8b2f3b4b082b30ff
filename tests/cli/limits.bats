#!/usr/bin/env bats
# Limits of a run: time and memory per image, and the number of failed images. Also: when its files must be on the disk,
# and how soon it obeys signals. A run that hangs ends by itself.
# shellcheck disable=SC2154 # run sets stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin_to_crash
  needs_built tests/clock.so
  six_images
  hurry=()
}

teardown() { end_run; }

# go OUT [options]
go() {
  local out=$1
  shift
  "$lockstep" run -q -p steps.json -i in -o "$out" "$@"
}

# traced CALLS INJECTION... -- OUT [options]: the same, with these calls of all its processes in trace.txt.
traced() {
  local words=(-e "trace=$1")
  shift
  while [ "$1" != -- ]; do
    words+=(-e "inject=$1")
    shift
  done
  shift
  timeout 60 strace -f -qq -o trace.txt "${hurry[@]}" "${words[@]}" "$lockstep" run -q -p steps.json -i in -o "$@"
}

# slow_outputs: each output takes 0.9 s of the run's clock, so that the disk is synchronised between two outputs. Sets
# delay to an injection, and hurry to the variables of a fast clock if one is possible.
slow_outputs() {
  delay=renameat2:delay_enter=900000
  if ! grep -q __asan_init "$lockstep"; then
    hurry=(-E LD_PRELOAD="$tools/clock.so" -E CLOCK_TIMES=20)
    delay=renameat2:delay_enter=45000
  fi
}

# A worker that reads b.jpg stops, and does not go on.
hang() {
  can_crash
  export LD_PRELOAD=$crash CRASH_ON=b.jpg CRASH_SIGNAL=19
}

# hung [options]: starts a run that hangs at b.jpg, and returns when it does. Sets run_pid.
hung() {
  local merged
  with_defaults '-j 1' '--timeout 0' -- "$@"
  hang
  # Even if the tests run under nohup, the run receives hang-ups.
  env --default-signal=HUP "$lockstep" run -p steps.json -i in -o out "${merged[@]}" > begin.txt 2>&1 3>&- &
  run_pid=$!
  unset LD_PRELOAD
  await pgrep -r T -P "$run_pid" || { cat begin.txt; return 1; }
}

# ms COMMAND...: how long it takes; its exit code is in $code.
ms() {
  local from=${EPOCHREALTIME/./}
  code=0
  "$@" || code=$?
  took=$(((${EPOCHREALTIME/./} - from) / 1000))
}

# --- runs that last ---

@test "limits: a run during which the disk is synchronised ends by itself, complete" {
  local jobs
  slow_outputs
  go clean -n 2
  for jobs in 1 3; do
    rm -rf out
    traced syncfs,renameat2 $delay -- out -n 2 -j $jobs
    same_tree clean out
    # A separate process syncs during the run, and the run's own process at its end.
    [ "$(awk '/syncfs/ { print $1 }' trace.txt | sort -u | wc -l)" -ge 2 ] || { cat trace.txt; return 1; }
  done
}

@test "limits: a worker that is replaced while the disk is synchronised changes nothing" {
  can_crash
  mv in/b.jpg in/z.jpg
  go clean -n 2
  timeout 60 strace -f -qq -o trace.txt -E LD_PRELOAD="$crash $tools/clock.so" -E CLOCK_TIMES=20 -E CRASH_ON=z.jpg \
    -E CRASH_SIGNAL=9 -E CRASH_ONCE="$PWD/once" -e trace=syncfs,renameat2 -e inject=renameat2:delay_enter=22500 \
    "$lockstep" run -q -p steps.json -i in -o out -n 2 -j 1
  [ -s once ]
  same_tree clean out
}

# --- --timeout ---

@test "limits: --timeout: an image that hangs is recorded as such, and the run goes on" {
  local jobs
  mkdir rest && cp in/[!b].jpg rest
  "$lockstep" run -q -p steps.json -i rest -o clean -n 2
  for jobs in 1 2; do
    rm -rf out
    hang
    export CRASH_ONCE=$PWD/once$jobs # it is not tried once more
    run -1 --separate-stderr timeout 60 "$lockstep" run -p steps.json -i in -o out -n 2 -j $jobs --timeout 2 \
      --on-error skip
    unset LD_PRELOAD
    [[ $stderr == *'b.jpg: it took longer than 2 s (--timeout)'* ]]
    [ "$(jq -c '[.source, .outcome, .code]' out/errors.jsonl)" = '["b.jpg","timeout","image-timeout"]' ]
    same_tree clean/images out/images
    cmp clean/manifest.jsonl out/manifest.jsonl
  done
}

@test "limits: --timeout: with --on-error fail it ends the run with code 4, and --resume tries it again" {
  hang
  run -4 --separate-stderr timeout 60 "$lockstep" run -p steps.json -i in -o out -j 2 --timeout 2
  unset LD_PRELOAD
  [[ $stderr == *'b.jpg: it took longer than 2 s'* ]]
  unfinished out
  go out --resume
  go clean
  same_tree clean out
}

@test "limits: --timeout: one that was skipped is tried again by --resume of an unfinished run" {
  head -c 3000 in/a.jpg > in/c.jpg
  hang
  run -4 --separate-stderr timeout 60 "$lockstep" run -p steps.json -i in -o out -j 1 --timeout 2 --on-error skip \
    --max-errors 1
  unset LD_PRELOAD
  cp in/a.jpg in/c.jpg
  go out --resume --on-error skip
  go clean
  same_tree clean out
}

# --- --max-memory ---

@test "limits: --timeout: time during which the run is stopped does not count" {
  local worker
  go clean -j 1
  export CRASH_ONCE=$PWD/once # it is stopped once, and not at each read
  hung --timeout 4
  worker=$(pgrep -P "$run_pid" | head -n 1)
  kill -STOP "$run_pid" "$worker"
  sleep 5
  kill -CONT "$run_pid"
  kill -USR1 "$run_pid" # so that it looks at the clock
  await has_text 'of 6 images' begin.txt
  kill -CONT "$worker" # and b.jpg goes on
  wait "$run_pid" || { cat begin.txt; return 1; }
  run_pid=
  same_tree clean out
}

@test "limits: --max-memory: an image that wants more is recorded as such, and the run goes on" {
  skip_when_sanitized "$lockstep"
  cp -r in rest
  mkdir big
  cp in/b.jpg big
  pipeline big.json '{"type": "resize", "size": [5000, 6000]}'
  "$lockstep" run -q -p big.json -i big -o big.out
  cp big.out/images/b.jpg in/b.jpg
  rm rest/b.jpg
  "$lockstep" run -q -p steps.json -i rest -o clean
  run -1 --separate-stderr go out -j 2 --max-memory 60 --on-error skip
  [[ $stderr == *'b.jpg: '*memory* ]]
  [ "$(jq -c '[.source, .code]' out/errors.jsonl)" = '["b.jpg","worker-memory"]' ]
  same_tree clean/images out/images
  cmp clean/manifest.jsonl out/manifest.jsonl
  run -8 --separate-stderr go fail -j 2 --max-memory 60
  [[ $stderr == *'b.jpg: '*memory* ]]
  unfinished fail
  go fail --resume --max-memory 1000
  go whole
  same_tree whole fail
}

@test "limits: --max-memory: a limit of the shell is not lifted" {
  skip_when_sanitized "$lockstep"
  python3 "$here/tools/blank.py" in/b.png 5000 6000 rgb 3
  run -8 --separate-stderr bash -c "ulimit -S -d 60000; exec '$lockstep' run -q -p steps.json -i in -o out -j 1 --max-memory 4000"
  [[ $stderr == *'b.png: '*'[worker-memory]'* ]]
  "$lockstep" run -q -p steps.json -i in -o out -j 1 --max-memory 4000 --resume
}

@test "limits: --max-memory: less than anything wants ends, with the images listed" {
  skip_when_sanitized "$lockstep"
  run -4 --separate-stderr timeout 60 "$lockstep" run -q -p steps.json -i in -o out -j 2 --max-memory 1 --on-error skip
  [ "$(jq -c -s 'map(.code == "worker-memory") | [all, length]' out/errors.jsonl)" = '[true,6]' ]
  run -8 timeout 60 "$lockstep" run -q -p steps.json -i in -o fail -j 2 --max-memory 1
}

# --- limits of the machine, or of the control group ---

# group NAME COMMAND...: runs in the control group of that name; limits are in the folder groups. A name with colons is
# a line of /proc/PID/cgroup, such as 4:memory:/a of version 1.
group() {
  # shellcheck disable=SC2016 # the shell that is started expands it
  unshare -rm sh -ec 'mount --rbind groups /sys/fs/cgroup; case $0 in *:*) echo "$0" ;; *) echo "0::/$0" ;; esac > group
    mount --bind group /proc/$$/cgroup; exec "$@"' "$@"
}

# workers GROUP [options]: how many there are, and the bytes that each may take.
workers() {
  rm -rf out trace.txt
  export -f group
  strace -f -qq -o trace.txt -e trace=prlimit64,setrlimit -e signal=none bash -c 'group "$@"' none "$1" "$lockstep" \
    run -q -p steps.json -i in -o out "${@:2}"
  awk '/RLIMIT_DATA, \{rlim_cur=/ { sub(/.*rlim_cur=/, ""); sub(/, .*/, ""); print }' trace.txt | sort | uniq -c | xargs
}

@test "limits: without options, processors and memory are those of the control group and of those above it" {
  skip_when_sanitized "$lockstep"
  mkdir -p groups/a/b
  group '' true 2> none.txt || skip 'no name space of mounts can be had'
  [ "$(nproc)" -ge 2 ] || skip 'there is one processor'
  # An unlimited group, and one that says nothing.
  echo 'max 100000' > groups/cpu.max
  [[ $(workers '' -j 1) =~ ^1\ ([0-9*]+)$ ]]
  [ "$(workers '' | cut -d ' ' -f 1)" -eq "$(($(nproc) < 6 ? $(nproc) : 6))" ]
  # Half of the memory, which the workers share; processors are rounded up.
  echo 1048576000 > groups/a/memory.max
  [ "$(workers a -j 1)" = '1 512000*1024' ]
  [ "$(workers a -j 2)" = '2 256000*1024' ]
  echo '50000 100000' > groups/a/cpu.max
  [ "$(workers a)" = '1 512000*1024' ]
  echo '100001 100000' > groups/a/cpu.max
  [ "$(workers a)" = '2 256000*1024' ]
  # The least of all above counts.
  echo '100000 100000' > groups/cpu.max
  echo 209715200 > groups/a/b/memory.max
  [ "$(workers a/b)" = '1 102400*1024' ]
  echo max > groups/a/b/memory.max
  [ "$(workers a/b)" = '1 512000*1024' ]
  # Options count more.
  [ "$(workers a/b -j 2 --max-memory 100)" = '2 102400*1024' ]
  # A text that is not a number sets no limit.
  echo 'nonsense' > groups/a/memory.max
  echo '' > groups/a/b/cpu.max
  [[ $(workers a/b) =~ ^1\  ]]
}

@test "limits: without options, processors and memory are those of control groups of version 1" {
  skip_when_sanitized "$lockstep"
  mkdir -p groups/memory/a/b groups/cpu,cpuacct/a
  group '' true 2> none.txt || skip 'no name space of mounts can be had'
  [ "$(nproc)" -ge 2 ] || skip 'there is one processor'
  # Version 1 has this number for no limit.
  echo 9223372036854771712 > groups/memory/memory.limit_in_bytes
  echo -1 > groups/cpu,cpuacct/a/cpu.cfs_quota_us
  echo 100000 > groups/cpu,cpuacct/a/cpu.cfs_period_us
  [ "$(workers 4:cpu,cpuacct:/a | cut -d ' ' -f 1)" -eq "$(($(nproc) < 6 ? $(nproc) : 6))" ]
  echo 1048576000 > groups/memory/a/memory.limit_in_bytes
  [ "$(workers 4:memory:/a -j 1)" = '1 512000*1024' ]
  [ "$(workers 4:memory:/a/b -j 2)" = '2 256000*1024' ]
  # A container sees its own group as the root, but the path may be the one outside.
  echo 838860800 > groups/memory/memory.limit_in_bytes
  [ "$(workers 4:memory:/docker/0123 -j 1)" = '1 409600*1024' ]
  echo 50000 > groups/cpu,cpuacct/a/cpu.cfs_quota_us
  [ "$(workers 4:cpu,cpuacct:/a | cut -d ' ' -f 1)" -eq 1 ]
  # Groups of other controllers, and of part of a name, do not count as limits.
  [ "$(workers 4:memory_pressure:/a -j 1)" != '1 512000*1024' ]
  [ "$(workers 4:cpuset:/a | cut -d ' ' -f 1)" -ge 2 ]
}

@test "limits: a worker that is killed, not by lockstep, ends with 8, and the limit is named" {
  local name counts limit
  can_crash
  mkdir -p groups/a groups/memory/a
  group '' true 2> none.txt || skip 'no name space of mounts can be had'
  echo 1048576000 | tee groups/a/memory.max > groups/memory/a/memory.limit_in_bytes
  LD_PRELOAD=$crash CRASH_ON=b.jpg CRASH_SIGNAL=9 run -8 --separate-stderr group a "$lockstep" run -q -p steps.json -i in -o out
  [[ $stderr == *'b.jpg: the worker that had it was killed, not by lockstep: by a user, or by the kernel for lack of memory; the control group /a (memory.max) has 1000 MB [worker-killed]'* ]]
  # The kernel counts the processes that it kills.
  printf 'oom_kill_disable 0\noom_kill 00000041\n' | tee groups/a/memory.events > groups/memory/a/memory.oom_control
  while read -r name counts limit; do
    rm -rf out
    LD_PRELOAD=$crash CRASH_ON=b.jpg CRASH_SIGNAL=9 CRASH_COUNT=groups/$counts run -8 --separate-stderr \
      group "$name" "$lockstep" run -q -p steps.json -i in -o out
    [[ $stderr == *"was killed by the kernel for lack of memory; the control group $limit has 1000 MB [worker-memory]"* ]]
  done << 'END'
a a/memory.events /a (memory.max)
4:memory:/a memory/a/memory.oom_control /a (memory.limit_in_bytes)
END
  # A run that skips such an image.
  rm -rf out
  LD_PRELOAD=$crash CRASH_ON=b.jpg CRASH_SIGNAL=9 CRASH_COUNT=groups/a/memory.events run -1 \
    group a "$lockstep" run -q -p steps.json -i in -o out --on-error skip
  [ "$(jq -r .code out/errors.jsonl)" = worker-memory ]
}

@test "limits: what the kernel kills for lack of memory in a real control group ends with 8" {
  skip_when_sanitized "$lockstep"
  local above made=/sys/fs/cgroup/memory
  above=$(sed -n 's/^[0-9]*:memory://p' /proc/self/cgroup)
  [ -n "$above" ] && [ -w "$made$above" ] || skip 'no control group of version 1 can be made'
  made=$made$above/lockstep-test-$$
  mkdir "$made" 2> none.txt || skip 'no control group can be made'
  echo 60000000 > "$made/memory.limit_in_bytes"
  python3 "$here/tools/blank.py" in/b.png 5000 6000 rgb 3
  # shellcheck disable=SC2016 # the shell that is started expands it
  run --separate-stderr sh -c 'echo $$ > "$0/cgroup.procs"; exec "$@"' "$made" \
    "$lockstep" run -q -p steps.json -i in -o out -j 1 --max-memory 4000
  rmdir "$made"
  # shellcheck disable=SC2154 # run sets it
  [ "$status" -eq 8 ]
  [[ $stderr == *"b.png: the worker that had it was killed by the kernel for lack of memory; the control group $above/lockstep-test-$$ (memory.limit_in_bytes) has 57 MB [worker-memory]"* ]]
}

@test "limits: which limit a worker runs into is said" {
  skip_when_sanitized "$lockstep"
  python3 "$here/tools/blank.py" in/b.png 5000 6000 rgb 3
  local kib words
  while read -r kib words; do
    run -8 --separate-stderr bash -c "ulimit -S $kib; exec '$lockstep' run -q -p steps.json -i in -o out -j 1 --overwrite $words"
    [[ $stderr == *"b.png: out of memory (${words#* # }) [worker-memory]"* ]] || { echo "$stderr"; return 1; }
  done << 'END'
-d60000 --max-memory 4000 # ulimit -d
-v260000 --max-memory 4000 # ulimit -v
-c0 --max-memory 60 # --max-memory
END
}

# --- --max-pixels ---

@test "limits: --max-pixels: as many are allowed, and one more is refused by the header" {
  local name pixels
  mkdir all
  python3 "$here/tools/blank.py" all/a.png 61 43 rgb 3
  for name in jpeg webp tiff; do
    "$lockstep" run -q -p <(echo '{"version": 1, "transforms": []}') -i all/a.png -o "as-$name" --format $name
  done
  cp as-*/images/a.* all
  printf 'P5 61 43 255\n%2623s' '' > all/a.pgm
  pixels=$((61 * 43))
  for file in all/*; do
    name=${file##*/}
    for limit in $((pixels - 1)) $pixels $((pixels + 1)); do
      rm -rf out
      if [ $limit -lt $pixels ]; then
        run -4 --separate-stderr "$lockstep" run -q -p steps.json -i "$file" -o out --max-pixels $limit
        [[ $stderr == *"$name: 61 x 43 pixels are more than $limit (--max-pixels) [image-large]"* ]]
        [ ! -e out ] # before work
        run -4 "$lockstep" run -q -p steps.json -i "$file" -o out --max-pixels $limit --on-error skip
        [ "$(jq -r .code out/errors.jsonl)" = image-large ]
      else
        "$lockstep" run -q -p steps.json -i "$file" -o out --max-pixels $limit
      fi
    done
  done
}

@test "limits: --max-pixels: masks count, too, also for preview, explain and profile" {
  local command
  mkdir pictures masks
  python3 "$here/tools/blank.py" pictures/a.png 61 43 rgb 3
  python3 "$here/tools/blank.py" masks/a.png 61 43 gray 3
  for command in 'run -o out' 'preview -o sheet.png' explain profile; do
    # shellcheck disable=SC2086 # words
    run -4 --separate-stderr "$lockstep" $command -p steps.json -i pictures --masks masks --max-pixels 2622
    [[ $stderr == *'a.png: 61 x 43 pixels are more than 2622 (--max-pixels)'* ]] || { echo "$command: $stderr"; return 1; }
    # shellcheck disable=SC2086 # words
    "$lockstep" $command -p steps.json -i pictures --masks masks --max-pixels 2623 > said.txt
  done
}

@test "limits: --max-memory: from some number on it suffices, and below it does not" {
  local low=1 high=400 middle
  skip_when_sanitized "$lockstep"
  rm in/[b-f].jpg
  while [ $((high - low)) -gt 1 ]; do
    middle=$(((low + high) / 2))
    rm -rf out
    if go out --max-memory $middle 2> talk.txt; then high=$middle; else low=$middle; fi
  done
  for middle in $((low - 1)) $low; do
    rm -rf out
    run -8 --separate-stderr go out --max-memory "$middle"
    [[ $stderr == *'a.jpg: '*'[worker-memory]'* ]]
  done
  for middle in $high $((high + 1)); do
    rm -rf out
    go out --max-memory "$middle"
  done
}

# --- --max-errors ---

@test "limits: --max-errors: as many may fail, and one more ends the run" {
  local limit jobs
  for name in b d f; do head -c 3000 in/a.jpg > in/$name.jpg; done
  for jobs in 1 3; do
    for limit in 0 1 2; do
      rm -rf out
      run -4 --separate-stderr go out -j $jobs --on-error skip --max-errors $limit
      [[ $stderr == *"more than $limit images failed (--max-errors) [errors-most]"* ]]
      [[ $stderr == *'[out-unfinished]'* ]]
      unfinished out
      # Failed images stay failed: there are still too many.
      run -4 --separate-stderr go out -j $jobs --on-error skip --max-errors $limit --resume
      [[ $stderr == *'[errors-most]'* ]]
    done
    for limit in 3 4; do
      run -1 go out$limit -j $jobs --on-error skip --max-errors $limit
      [ "$(wc -l < out$limit/errors.jsonl)" -eq 3 ]
      rm -rf out$limit
    done
    # A run that ended for this reason can be resumed with a higher limit.
    run -1 go out -j $jobs --on-error skip --max-errors 3 --resume
    [ "$(wc -l < out/errors.jsonl)" -eq 3 ]
  done
}

@test "limits: --max-errors: help says what holds without it" {
  "$lockstep" run --help-all > help.txt
  run ! grep -q 'default null' help.txt
  tr -s ' \n' ' ' < help.txt | grep -q 'may fail before the run ends. Without it, any number may fail'
}

# --- --durability ---

calls() { grep -cE '(syncfs|fsync|fdatasync|sync_file_range|sync)\(' trace.txt; }

@test "limits: --durability: the disk is asked as often as it says" {
  local all=syncfs,fsync,fdatasync,sync_file_range,sync
  traced $all -- none -j 2 --durability none
  run ! calls
  traced $all -- batch -j 2
  [ "$(calls)" -ge 1 ]
  traced $all -- file -j 2 --durability file
  [ "$(grep -c 'syncfs(' trace.txt)" -ge 7 ] # each image, and the end
  [ "$(grep -c 'fdatasync(' trace.txt)" -ge 6 ] # that it is done
  same_tree none batch
  same_tree none file
}

@test "limits: --durability: a disk that does not take what was written is code 5, and --resume repeats it" {
  local call how said='did not reach the disk: '
  go clean
  while read -r call how; do
    rm -rf out
    run -5 --separate-stderr traced "$call" "$call:error=EIO" -- out -j 2 --durability "$how"
    [ "$call" = syncfs ] || said='journal: '
    [[ $stderr == *"$said"*'[out-unwritable]'* ]] || { echo "$call $how: $stderr"; return 1; }
    [ ! -e out/run.json ]
    go out --resume
    same_tree clean out
  done < <(printf '%s\n' 'syncfs batch' 'syncfs file' 'fdatasync file')
  rm -rf out
  traced syncfs syncfs:error=EIO -- out -j 2 --durability none
  same_tree clean out
}

@test "limits: --durability: so is one that fails while the run lasts" {
  slow_outputs
  run -5 --separate-stderr traced syncfs,renameat2 $delay syncfs:error=EIO -- out -j 1
  [[ $stderr == *'did not reach the disk: '*'[out-unwritable]'* ]]
  [ "$(grep -c syncfs trace.txt)" -eq 1 ] # not the one at the end
  unfinished out
  go out --resume
  go clean
  same_tree clean out
}

# idle_child BUSY: another child of the run.
idle_child() { pgrep -P "$run_pid" | grep -vx "$1"; }

@test "limits: --durability: a process for the disk that somebody kills is replaced" {
  local busy idle
  can_crash
  go clean
  LD_PRELOAD="$crash $tools/clock.so" CLOCK_TIMES=1000 CRASH_ON=b.jpg CRASH_SIGNAL=19 CRASH_ONCE=$PWD/once \
    "$lockstep" run -q -p steps.json -i in -o out -j 1 --timeout 0 > begin.txt 2>&1 3>&- &
  run_pid=$!
  await pgrep -r T -P "$run_pid"
  busy=$(pgrep -r T -P "$run_pid")
  await idle_child "$busy"
  idle=$(idle_child "$busy")
  kill -s KILL "$idle"
  await has_ended "$idle"
  kill -s CONT "$busy"
  wait "$run_pid" || { cat begin.txt; return 1; }
  run_pid=
  same_tree clean out
}

# --- processes and pipes ---

# refused CALLS ERROR N COMMAND...: the N-th of these calls of the process itself fails.
refused() {
  timeout 60 strace -qq -o trace.txt -E LD_PRELOAD="$tools/clock.so" -E CLOCK_TIMES=1000 -e "trace=$1" \
    -e "inject=$1:error=$2:when=$3" "${@:4}"
}

@test "limits: a process or a pipe that cannot be had ends a run with 8, and --resume does the rest" {
  local how call error n code failed=0
  skip_when_sanitized "$lockstep"
  go clean
  for how in 'clone,clone3,fork EAGAIN' 'pipe,pipe2 EMFILE'; do
    read -r call error <<< "$how"
    for ((n = 1; n < 20; n++)); do
      rm -rf out
      code=0
      refused "$call" "$error" $n "$lockstep" run -q -p steps.json -i in -o out -j 2 --timeout 0 2> begin.txt || code=$?
      grep -q INJECTED trace.txt || break
      if [ $code -ne 0 ]; then
        [ $code -eq 8 ] || { echo "$call $n: $code"; cat begin.txt; return 1; }
        grep -q '\[worker-start\]' begin.txt || { echo "$call $n"; cat begin.txt; return 1; }
        failed=$((failed + 1))
        go out --resume
      fi
      same_tree clean out
    done
    [ $n -ge 4 ] && [ $n -lt 20 ]
  done
  [ $failed -ge 6 ]
}

@test "limits: preview and check end with 8 if no process can be started" {
  local words
  skip_when_sanitized "$lockstep"
  echo '{"images": [{"id": 1, "file_name": "a.jpg"}], "categories": [], "annotations": []}' > a.json
  for words in clone,clone3,fork:EAGAIN pipe,pipe2:EMFILE; do
    run -8 --separate-stderr refused "${words%:*}" "${words#*:}" 1 "$lockstep" preview -p steps.json -i in -o sheet.png \
      --no-preflight -q
    [[ $stderr == *'the process that decodes cannot be started: '*' [worker-start]' ]]
    [ ! -e sheet.png ]
  done
  run -8 --separate-stderr refused clone,clone3,fork EAGAIN 1 "$lockstep" check a.json -i in
  [[ $stderr == *'no process can be started to inspect images: '* ]]
}

# --- memory of the supervisor ---

# resident COMMAND...: runs it; the most memory that any of its processes had, in kB, mapped files too.
resident() {
  python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$@"
}

@test "limits: large annotations take no more memory than what is read of them at a time" {
  local read
  skip_when_sanitized "$lockstep"
  python3 - << 'END'
import json
json.dump({"images": [{"id": i, "file_name": "%s.jpg" % chr(96 + i)} for i in range(1, 401)],
           "annotations": [{"id": i, "image_id": i, "category_id": 1, "bbox": [1, 1, 5, 5], "area": 25, "iscrowd": 0,
                            "note": "a note " * 26000} for i in range(1, 401)],
           "categories": [{"id": 1, "name": "a"}]}, open("in.json", "w"))
END
  read=$(resident "$lockstep" run -q -p steps.json -i in -a in.json -o mapped -j 1 --limit 1)
  [ "$read" -lt $(($(stat -c %s in.json) / 1024 * 2 / 3)) ]
  # The hash covers the bytes that were read, also of a pipe.
  "$lockstep" run -q -p steps.json -i in -a <(cat in.json) -o piped -j 1 --limit 1
  same_tree mapped piped
}

# --- signals ---

has_lines() { [ "$(wc -l < "$2")" -ge "$1" ]; }

@test "limits: SIGUSR1 prints how far the run is" {
  hung -q
  kill -s USR1 "$run_pid"
  await has_text '^lockstep: 1 of 6 images' begin.txt
  kill -s USR1 "$run_pid"
  await has_lines 2 begin.txt
  [ "$(grep -c '^lockstep: 1 of 6 images' begin.txt)" -eq 2 ]
}

@test "limits: an image that hangs does not hold up what a signal ends" {
  local pair worker
  for pair in INT:130 TERM:143 HUP:129; do
    rm -rf out
    hung
    worker=$(pgrep -P "$run_pid")
    kill -s "${pair%:*}" "$run_pid"
    ms wait "$run_pid"
    [ "$code" -eq "${pair#*:}" ] || { echo "$pair: $code"; return 1; }
    [ "$took" -lt 20000 ] || { echo "it took $took ms"; return 1; }
    grep -q '\[interrupted\]' begin.txt
    unfinished out
    run ! kill -0 "$worker"
  done
}

@test "limits: no process outlives a supervisor that is killed, not even one that hangs" {
  local worker workers
  hung
  workers=$(pgrep -P "$run_pid")
  kill -s KILL "$run_pid"
  wait "$run_pid" || true
  for worker in $workers; do await has_ended "$worker"; done
  go out --resume
  go clean
  same_tree clean out
}

# at_rest WORKER: waits until the worker and the supervisor wait. Everything is done except for one image of the other
# worker, or two.
at_rest() {
  [ "$("$lockstep" status out --json | jq .done)" -ge 4 ] || return 1
  [ -z "$(ps -o stat= -p "$run_pid,$1" | grep -v '^S')" ]
}

@test "limits: a worker that is stopped while it has nothing to do does not hold up the end" {
  local idle busy
  export CRASH_ONCE=$PWD/once # it goes on when it may
  hung -q -j 2
  unset CRASH_ONCE
  busy=$(pgrep -r T -P "$run_pid")
  # The other one does the rest; then it is stopped, too.
  idle=$(pgrep -P "$run_pid" | grep -vx "$busy" | head -n 1) # the syncer is younger
  await at_rest "$idle"
  kill -s STOP "$idle"
  kill -s CONT "$busy"
  await has_ended "$run_pid"
  wait "$run_pid"
  go clean
  same_tree clean out
}

@test "limits: a signal ends a run that puts its results together, and --resume does that again" {
  local file pid code n
  strace -qq -o trace.txt -e trace=openat "$lockstep" run -q -p steps.json -i in -o clean -j 1
  for file in manifest.jsonl run.json; do
    rm -rf out
    n=$(awk -v file="\"$file\"" '/^openat/ { n++ } index($0, file) && /O_CREAT/ { print n }' trace.txt)
    timeout 60 strace -qq -o none.txt -e trace=openat -e inject=openat:delay_exit=1500000:when="$n" \
      "$lockstep" run -q -p steps.json -i in -o out -j 1 2> begin.txt 3>&- &
    run_pid=$!
    await test -e out/.lockstep/$file
    pid=$(pgrep -P "$(pgrep -P "$run_pid" -x strace)" -x lockstep)
    kill -s TERM "$pid"
    code=0
    wait "$run_pid" || code=$?
    [ "$code" -eq 143 ] || { echo "$file: $code"; cat begin.txt; return 1; }
    grep -q '\[interrupted\]' begin.txt
    grep -q '6 of 6 images done; go on with --resume' begin.txt
    unfinished out
    go out --resume
    same_tree clean out
  done
}

# none_pending PID: it has seen all signals that were sent to it.
none_pending() { grep -q '^ShdPnd:[[:blank:]]*0*$' "/proc/$1/status"; }

@test "limits: a second signal ends it at once" {
  local pair
  for pair in INT:INT:130 TERM:TERM:143 INT:TERM:143; do
    IFS=: read -r first second expected <<< "$pair"
    rm -rf out
    hung
    kill -s "$first" "$run_pid"
    await none_pending "$run_pid"
    kill -0 "$run_pid" # started images have a moment to end: 1.5 s
    kill -s "$second" "$run_pid"
    ms wait "$run_pid"
    [ "$code" -eq "$expected" ] || { echo "$pair: $code"; return 1; }
    [ "$took" -lt 1000 ] || { echo "$pair: it took $took ms"; return 1; }
    unfinished out
  done
  go out --resume
  go clean
  same_tree clean out
}
