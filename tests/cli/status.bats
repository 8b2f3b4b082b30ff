#!/usr/bin/env bats
# Reports of `status` on an output folder, in which it changes nothing.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin_to_crash
  six_images
}

teardown() { end_run; }

# of FILTER: of the status of out.
of() { jq -c "$1" status.json; }

# asked CODE STATE: the status of out has this exit code and state; status.json. Nothing is changed by it.
asked() {
  local code
  find out -type f -exec sha256sum {} + > before.txt 2> none.txt || true
  code=0
  "$lockstep" status out --json > status.json 2> talk.txt || code=$?
  [ "$code" -eq "$1" ] || { echo "code $code"; cat status.json talk.txt; return 1; }
  [ "$(of .state)" = "\"$2\"" ] || { cat status.json; return 1; }
  find out -type f -exec sha256sum {} + > after.txt 2> none.txt || true
  cmp before.txt after.txt
}

@test "status: a run that has ended, well or in part" {
  "$lockstep" run -q -p steps.json -i in -o out -n 2
  asked 0 finished
  [ "$(of '[.images, .done, .failed, .left, .outputs, .exit, .overwrites]')" = '[6,6,0,0,12,0,false]' ]
  [ "$(of .lockstep)" = "$("$lockstep" version --json | jq .lockstep)" ]
  [ "$(of .key)" = "$(jq -c .key out/run.json)" ]
  [[ $("$lockstep" status out) == 'out: finished'$'\n'*'done '*' 6'$'\n'* ]]
  head -c 3000 in/a.jpg > in/c.jpg
  "$lockstep" run -q -p steps.json -i in -o out --overwrite --on-error skip || [ $? -eq 1 ]
  asked 0 finished
  [ "$(of '[.images, .done, .failed, .left, .exit]')" = '[6,5,1,0,1]' ]
  [[ $("$lockstep" status out) == 'out: finished, without the images that failed'$'\n'* ]]
  # The same key: the same pipeline, options and dataset.
  "$lockstep" run -q -p steps.json -i in -o again -j 1 --on-error skip || [ $? -eq 1 ]
  diff <("$lockstep" status out | grep ^key) <("$lockstep" status again | grep ^key)
  "$lockstep" run -q -p steps.json -i in -o other --seed 3 --on-error skip || [ $? -eq 1 ]
  run ! diff <("$lockstep" status out | grep ^key) <("$lockstep" status other | grep ^key)
}

@test "status: a run that was stopped, its resumption, and one that is running" {
  local before
  can_crash
  head -c 3000 in/a.jpg > in/b.jpg
  LD_PRELOAD=$crash CRASH_ON=e.jpg CRASH_SIGNAL=19 "$lockstep" run -q -p steps.json -i in -o out -j 1 --timeout 0 \
    --on-error skip 2> begin.txt 3>&- &
  run_pid=$!
  await pgrep -r T -P "$run_pid"
  asked 0 running
  [ "$(of '[.images, .done, .failed, .left, .starts]')" = '[6,3,1,2,1]' ]
  [[ $("$lockstep" status out) == 'out: a run is writing to it'$'\n'* ]]
  kill -9 "$run_pid"
  wait "$run_pid" || true
  asked 0 unfinished
  [ "$(of '[.images, .done, .failed, .left, .outputs, .overwrites]')" = '[6,3,1,2,3,false]' ]
  before=$(of .began)
  [ $(($(date +%s) - $(jq '.began | fromdate' status.json))) -lt 1000 ]
  [[ $("$lockstep" status out) == 'out: unfinished; go on with --resume, or start over with --overwrite'* ]]
  "$lockstep" run -q -p steps.json -i in -o out --resume --on-error skip --max-errors 0 || [ $? -eq 4 ]
  asked 0 unfinished
  [ "$(of '[.starts, .began]')" = "[2,$before]" ]
  # An image that is done again counts once.
  touch in/a.jpg
  LD_PRELOAD=$crash CRASH_ON=f.jpg CRASH_SIGNAL=9 "$lockstep" run -q -p steps.json -i in -o out --resume -j 1 \
    --on-error skip --max-errors 1 2> none.txt || [ $? -eq 8 ]
  asked 0 unfinished
  [ "$(of '[.images, .done, .failed, .left]')" = '[6,4,2,0]' ]
  "$lockstep" run -q -p steps.json -i in -o out --resume --on-error skip || [ $? -eq 1 ]
  asked 0 finished
}

@test "status: a former result that an unfinished run will replace" {
  skip_when_sanitized "$lockstep"
  "$lockstep" run -q -p steps.json -i in -o out
  LD_PRELOAD=$crash CRASH_ON=e.jpg CRASH_SIGNAL=9 run ! "$lockstep" run -q -p steps.json -i in -o out -j 1 --overwrite
  asked 0 unfinished
  [ "$(of '[.done, .failed, .left, .overwrites]')" = '[5,1,0,true]' ]
  [[ $("$lockstep" status out) == *'the former result is still there'* ]]
}

@test "status: folders that are empty, missing, foreign, damaged" {
  mkdir out
  asked 0 empty
  echo mine > out/notes.txt
  asked 6 foreign
  grep -q '\[out-foreign\]' talk.txt
  rm -r out
  run -4 --separate-stderr "$lockstep" status out
  [[ $stderr == *'out: '*'[out-missing]'* && -z $output ]]
  echo > out
  run -4 --separate-stderr "$lockstep" status out
  [[ $stderr == *'it is not a folder [out-missing]'* ]]
  rm out
  run -2 --separate-stderr "$lockstep" status
  [[ $stderr == *'[operand-missing]'* ]]
  run -2 "$lockstep" status in in
  "$lockstep" run -q -p steps.json -i in -o out
  rm out/images/b.jpg out/images/d.jpg
  asked 6 damaged
  grep -q '2 of the [0-9]* files of the finished run are not there, as images/b.jpg \[out-damaged\]' talk.txt
  echo '{' > out/manifest.jsonl
  asked 6 damaged
  rm -r out
  mkdir -p out/.lockstep
  asked 0 unfinished
  echo 'lockstep journal 999' > out/.lockstep/journal
  asked 6 damaged
  grep -q 'its journal is damaged' talk.txt
  : > out/.lockstep/journal
  asked 0 unfinished
}

@test "status: any cut of a journal has a status, and none more images than the whole" {
  local length i
  skip_when_sanitized "$lockstep"
  LD_PRELOAD=$crash CRASH_ON=e.jpg CRASH_SIGNAL=9 run ! "$lockstep" run -q -p steps.json -i in -o out -j 1
  asked 0 unfinished
  [ "$(of .done)" = 5 ]
  cp out/.lockstep/journal whole
  length=$(stat -c %s whole)
  for ((i = 0; i < length; i += 97)); do
    head -c $i whole > out/.lockstep/journal
    "$lockstep" status out --json > status.json 2> talk.txt || [ $? -eq 6 ]
    jq -e '(.done // 0) <= 5 and (.failed // 0) <= 1' status.json > none.txt || { cat status.json; return 1; }
    # Changes one byte of the journal.
    { head -c $i whole; printf '\377'; tail -c +$((i + 2)) whole; } > out/.lockstep/journal
    "$lockstep" status out --json > status.json 2> talk.txt || [ $? -eq 6 ]
    jq -e '(.done // 0) <= 5 and (.failed // 0) <= 1' status.json > none.txt || { cat status.json; return 1; }
  done
}

@test "status: a part that was cut short leaves no memory behind" {
  local library part n
  library=$(gcc -print-file-name=liblsan.so)
  [ -e "$library" ] || skip "no leak sanitizer"
  skip_when_sanitized "$lockstep"
  pipeline flip.json '{"type": "horizontal_flip"}'
  "$lockstep" run -q -p flip.json -i "$samples/images" -a "$samples/annotations.json" -o cut --shard 0/2 --limit 4
  part=cut/.lockstep/shards/0-of-2/part && cp $part whole
  for n in 1000 1500 2500; do
    head -c $n whole > $part
    run -0 env LD_PRELOAD="$library" ASAN_OPTIONS= "$lockstep" status cut
    [[ $output != *LeakSanitizer* ]]
  done
}
