#!/usr/bin/env bats
# Commands that decode untrusted pictures in a separate process: output and messages if that process dies, pretends to
# be done, or runs out of memory.
# shellcheck disable=SC2154 # run sets stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin_to_crash
  needs_built tests/clock.so
  mkdir in
  cp "$samples/images/street/0001.jpg" in/a.jpg
  cp "$samples/images/fruit/0001.jpg" in/b.jpg
  pipeline none.json ''
}

# boxes_of NAME...: annotations of images with a box beyond each of them: boxes.json.
boxes_of() {
  jq -n '{images: [$ARGS.positional | to_entries[] | {id: (.key + 1), file_name: .value}], categories: [{id: 1, name: "cat"}],
    annotations: [$ARGS.positional | to_entries[] | {id: (.key + 1), image_id: (.key + 1), category_id: 1, bbox: [10, 10, -40, 20], area: 800, iscrowd: 0}]}' \
    --args "$@" > boxes.json
}

# large NAME: of so many pixels that decoding it takes 168 MB.
large() {
  python3 "$here/tools/blank.py" "$1" 8000 7000 rgb 3
}

# with_memory BYTES COMMAND...: in a control group that has no more.
with_memory() {
  # shellcheck disable=SC2016 # the shell that is started expands it
  unshare -rm sh -ec 'mount -t tmpfs none /sys/fs/cgroup; echo "$0" > /sys/fs/cgroup/memory.max; exec "$@"' "$@"
}

can_limit_memory() {
  skip_when_sanitized "$lockstep"
  with_memory 1000000000 true 2> none.txt || skip 'no name space of mounts can be had'
}

# hurried TIMES COMMAND...: it stops where it reads or maps b.jpg, and its clock runs so much faster.
hurried() {
  local times=$1
  shift
  LD_PRELOAD="$crash $tools/clock.so" CLOCK_TIMES=$times CRASH_SIGNAL=19 "$@"
}

# --- preview ---

@test "contained: preview: a sheet is whole, or there is none and a code says so" {
  local name signal code expected words
  can_crash
  "$lockstep" preview -q -p none.json -i in -o before.png
  while read -r signal code expected words; do
    cp before.png sheet.png
    for name in sheet.png new.png; do
      LD_PRELOAD=$crash CRASH_ON=b.jpg CRASH_SIGNAL=$signal CRASH_CODE=$code run "-$expected" --separate-stderr \
        "$lockstep" preview -q -p none.json -i in -o $name --overwrite --no-preflight
      [[ $stderr == *"the process that decodes "$words ]] || { echo "$signal $code: $stderr"; return 1; }
      [ -z "$output" ]
    done
    cmp before.png sheet.png
    [ ! -e new.png ]
  done << 'END'
11 0 7 died of signal 11 (Segmentation fault) \[worker-crashed]
9 0 8 was killed, not by lockstep: *memory*has*MB \[worker-killed]
0 0 7 ended with code 0 \[worker-crashed]
0 4 7 ended with code 4 \[worker-crashed]
0 8 8 ran out of memory (half of the memory) \[worker-memory]
END
}

@test "contained: preview: a picture whose decoder hangs ends it with 4" {
  can_crash
  cp in/b.jpg in/c.jpg
  CRASH_ON=b.jpg run -4 --separate-stderr hurried 900 "$lockstep" preview -q -p none.json -i in -o sheet.png --no-preflight
  [[ $stderr == *'decoding took longer than 900 s [image-timeout]' ]] # 300 for each
  [ ! -e sheet.png ]
}

@test "contained: preview: a picture that wants more memory than there is ends it with 8" {
  can_limit_memory
  large in/c.png
  with_memory 240000000 "$lockstep" preview -q -p none.json -i in -o small.png a.jpg
  run -8 --separate-stderr with_memory 240000000 "$lockstep" preview -q -p none.json -i in -o sheet.png
  [[ $stderr == *'ran out of memory (half of the memory) [worker-memory]' ]]
  [ ! -e sheet.png ]
  with_memory 1000000000 "$lockstep" preview -q -p none.json -i in -o sheet.png
}

@test "contained: preview: with little memory it succeeds or says that it lacks memory" {
  local bytes
  can_limit_memory
  for bytes in {48..88..8}000000; do
    run --separate-stderr with_memory "$bytes" "$lockstep" preview -q -p none.json -i in -o small.png a.jpg --overwrite
    [ "$status" -eq 0 ] || [[ $status/$stderr == 8/*' ran out of memory (half of the memory) [worker-memory]' ]] ||
      { echo "$bytes: $status $stderr"; return 1; }
  done
}

# --- check ---

@test "contained: check: an image whose decoder dies is a finding, and the others are looked at" {
  local signal code expected words
  can_crash
  boxes_of a.jpg b.jpg
  "$lockstep" check boxes.json -i in --pixels --output json=clean.json || [ $? -eq 1 ]
  while read -r signal code words; do
    LD_PRELOAD=$crash CRASH_MAP=b.jpg CRASH_SIGNAL=$signal CRASH_CODE=$code run -1 --separate-stderr \
      "$lockstep" check boxes.json -i in --pixels --output json=report.json
    jq -r '.findings[].message' report.json | grep -qxF "the file cannot be decoded: its decoder $words" || { cat report.json; return 1; }
    [ "$(jq '.findings | length' report.json)" -eq "$(jq '.findings | length + 1' clean.json)" ]
  done << 'END'
11 0 died of signal 11 (Segmentation fault)
0 3 ended with code 3
0 8 ran out of memory (half of the memory)
END
  # It may have been killed for the sake of others: it is tried once more.
  LD_PRELOAD=$crash CRASH_MAP=b.jpg CRASH_SIGNAL=9 CRASH_ONCE=$PWD/once "$lockstep" check boxes.json -i in --pixels \
    --output json=report.json || [ $? -eq 1 ]
  [ -s once ]
  cmp clean.json report.json
}

@test "contained: check: an image whose decoder hangs is a finding, and the others are looked at" {
  can_crash
  boxes_of a.jpg b.jpg
  "$lockstep" check boxes.json -i in --pixels --output json=clean.json || [ $? -eq 1 ]
  CRASH_MAP=b.jpg run -1 hurried 100 "$lockstep" check boxes.json -i in --pixels --output json=report.json
  jq -r '.findings[].message' report.json | grep -qx 'the file cannot be decoded: decoding took longer than 300 s'
  [ "$(jq '.findings | length' report.json)" -eq "$(jq '.findings | length + 1' clean.json)" ]
  CRASH_ON=b.jpg run -1 hurried 5 "$lockstep" check boxes.json -i in --output html=report
  grep -qF '<p class="quiet">no picture: decoding took longer than 10 s</p>' report
  [ "$(grep -c '^<figure><img' report)" -eq 2 ]
}

@test "contained: check: an image that wants more memory than there is is a finding" {
  can_limit_memory
  large in/c.png
  boxes_of a.jpg c.png
  run -1 with_memory 240000000 "$lockstep" check boxes.json -i in --pixels --output json=report.json
  jq -r '.findings[].message' report.json | grep -q '^the file cannot be decoded: .*memory'
  run -1 with_memory 1000000000 "$lockstep" check boxes.json -i in --pixels --output json=report.json
  run ! grep -q 'cannot be decoded' report.json
}

@test "contained: check: a report in HTML says of a picture that cannot be drawn why" {
  local signal code words
  can_crash
  boxes_of a.jpg b.jpg
  while read -r signal code words; do
    LD_PRELOAD=$crash CRASH_ON=b.jpg CRASH_SIGNAL=$signal CRASH_CODE=$code run -1 "$lockstep" check boxes.json -i in \
      --output html=report
    grep -qF "<p class=\"quiet\">no picture: its decoder $words</p>" report || { grep -o 'no picture.*' report; return 1; }
    [ "$(grep -c '^<figure><img' report)" -eq 2 ] # both findings in a.jpg
  done << 'END'
11 0 died of signal 11 (Segmentation fault)
0 0 ended with code 0
0 8 ran out of memory (half of the memory)
END
}

@test "contained: check: a picture in a report takes no more memory than there is" {
  can_limit_memory
  large in/c.png
  boxes_of a.jpg c.png
  run -1 with_memory 240000000 "$lockstep" check boxes.json -i in --output html=report
  [ "$(grep -c '^<figure><img' report)" -eq 2 ]
  grep -q 'no picture: .*memory' report
  run -1 with_memory 1000000000 "$lockstep" check boxes.json -i in --output html=report
  [ "$(grep -c '^<figure><img' report)" -eq 4 ]
}
