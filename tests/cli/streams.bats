#!/usr/bin/env bats
# Archives from stdin, and a tar of samples on stdout: the results equal a run from and to files, and no files are left
# over.

# shellcheck disable=SC2154 # run sets output and status
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  printf '{"version": 1, "transforms": [{"type": "RandomHorizontalFlip", "p": 0.5}]}\n' > p.json
  coco=(-i "$samples/images" -a "$samples/annotations.json" --masks "$samples/masks")
  mkdir tmp
  export TMPDIR=$PWD/tmp
}

teardown() {
  end_run
}

# left_nothing: checks that nothing is left below TMPDIR; files of a killed run are removed within a moment.
left_nothing() {
  local i
  for i in {1..100}; do
    [ -n "$(ls -A tmp)" ] || return 0
    sleep 0.1
  done
  ls -A tmp
  return 1
}

# tiny N: so many small images in in/.
tiny() {
  local i
  mkdir in
  for ((i = 0; i < $1; i++)); do
    printf 'P6 4 4 255 %048d' $i > in/"$(printf %03d $i)".ppm
  done
}

@test "streams: the tar on stdout equals the tars in a folder, part by part" {
  "$lockstep" run -q -p p.json "${coco[@]}" -n 2 -o out --out-format webdataset
  "$lockstep" run -q -p p.json "${coco[@]}" -n 2 -o - > one.tar
  tar tf one.tar > names
  tar tf out/train-000000.tar | cmp - names
  # there is no index, so each KEY.json has all sections
  mkdir a b
  tar xf out/train-000000.tar -C a
  tar xf one.tar -C b
  find b -name '*.json' -exec sh -c 'jq -c "{image_id, file_name, images, annotations}" "$1" > new && mv new "$1"' - {} \;
  find a -name '*.json' -exec sh -c 'jq -c . "$1" > new && mv new "$1"' - {} \;
  diff -r a b
  rm -r a b
  # ids and names are those of the whole, in parts of eight images
  tiny 10
  "$lockstep" run -q -p p.json -i in -n 120 -j 1 -o out-tiny --out-format webdataset --format png
  stderr_to said "$lockstep" run -p p.json -i in -n 120 -j 1 -o - --format png > tiny.tar
  cmp out-tiny/data-000000.tar tiny.tar
  [[ $(tail -n 1 said) == 'lockstep: 1200 images from 10;'*'in stdout' ]]
  [ "$(ls)" = "$(printf '%s\n' in names one.tar out out-tiny p.json said tiny.tar tmp)" ]
  left_nothing
}

@test "streams: an archive on stdin gives what it gives as a file; a pipe of both is whole" {
  local kind
  "$lockstep" run -q -p p.json "${coco[@]}" -o packed --out-format webdataset
  tar -C "$samples/images" -cf images.tar .
  "$lockstep" run -q -p p.json "${coco[@]}" -o - > one.tar
  "$lockstep" run -q -p p.json -i one.tar -o file
  cat one.tar | "$lockstep" run -q -p p.json -i - -o stdin
  same_tree file stdin
  # tars with an index need it, or -a
  run -4 "$lockstep" run -q -p p.json -i - -o none < packed/train-000000.tar
  [[ $output == *'stdin: its KEY.json files do not name the categories'*'PART-index.json'*'-a [archive-labels]' ]]
  "$lockstep" run -q -p p.json -i - -a packed/annotations.json -o stdin-b < packed/train-000000.tar
  diff -r file/images stdin-b/images
  diff <(jq -c '[.annotations[].id] | sort' file/annotations.json) <(jq -c '[.annotations[].id] | sort' stdin-b/annotations.json)
  "$lockstep" run -q -p p.json -i images.tar -a "$samples/annotations.json" -o file-a
  for kind in cat gzip zstd; do
    rm -rf stdin-a
    type "$kind" > tool 2>&1 || continue
    "$kind" < images.tar | "$lockstep" run -q -p p.json -i - -a "$samples/annotations.json" -o stdin-a
    same_tree file-a stdin-a
  done
  (cd "$samples/images" && python3 -m zipfile -c "$OLDPWD/images.zip" ./*)
  "$lockstep" run -q -p p.json -i - -a "$samples/annotations.json" -o zip < images.zip
  same_tree file-a zip
  "$lockstep" run -q -p p.json -i file-a/images -a file-a/annotations.json -o - --out-format webdataset |
    "$lockstep" run -q -p p.json -i - -o - | "$lockstep" run -q -p p.json -i - -o thrice
  [ "$(find thrice/images -type f | wc -l)" = 15 ]
  left_nothing
}

@test "streams: what needs more than one reading is refused before anything is read or made" {
  local row code exit words stop=(
    'stream-shard 2 -i - -o out --shard 0/2'
    'stream-resume 2 -i - -o out --resume'
    'stream-headers 2 -i - --dry-run'
    'stream-alone 2 -i - -i in -o out'
    'stream-donors 3 -i - -o out -p joins.json'
    'option-value 2 -i - -o out -a -'
    'option-value 2 -i - -o out --images-from -'
    'stream-shard 2 -i in -o - --shard 0/2'
    'stream-resume 2 -i in -o - --resume'
    'stream-ids 3 -i in -o - -p dense.json'
    'option-unused 2 -i in -o - --overwrite'
    'option-unused 2 -i in -o - --dry-run'
    'option-unused 2 -i in -o - --out-format dir'
    'option-unused 2 -i in -o - --shard-size 5'
    'option-unused 2 -i in -o - --checksums'
    'option-unused 2 -i in -o - --one-hot x.csv')
  pipeline joins.json '{"type": "MixUp"}'
  sed 's/"transforms"/"annotations": {"ids": "dense"}, "transforms"/' joins.json > dense.json
  tiny 2
  mkfifo stdin
  exec 7<> stdin # without a writer, a reader waits
  for row in "${stop[@]}"; do
    read -r code exit words <<< "$row"
    [[ $words == *' -p '* ]] || words="$words -p p.json"
    # shellcheck disable=SC2086 # it is words
    run "-$exit" --separate-stderr timeout 20 "$lockstep" run $words < stdin
    [[ -z $output && $stderr == *"[$code]"* ]] || { echo "$row: $output $stderr"; false; }
  done
  run -2 timeout 20 "$lockstep" preview -p p.json -i - -o x.png < stdin
  [[ $output == *'[stream-headers]'* ]]
  run -4 timeout 20 "$lockstep" check -a "$samples/annotations.json" -i - < stdin
  [[ $output == *'[stream-headers]'* ]]
  exec 7>&-
  [ ! -e out ] && [ ! -e x.csv ] && [ ! -e ./- ]
  [[ $(on_terminal "$lockstep" run -p p.json -i in -o -) == *'[stream-terminal]'* ]]
  left_nothing
}

@test "streams: an image that fails ends the tar without its end, or is left out" {
  local status=0
  tiny 10
  printf 'P6 4 4 255 short' > in/008.ppm
  tar -C in -cf in.tar .
  "$lockstep" run -q -p p.json -i - -n 120 -j 1 -o - --format png < in.tar > cut.tar 2> said || status=$?
  [ "$status" = 4 ]
  grep -q '008.ppm.*\[image-failed\]' said
  grep -q '8 of 10 images.*\[stream-cut\]' said
  run -2 tar tf cut.tar
  [ "$(tar tf cut.tar 2> /dev/null | wc -l)" -gt 900 ]
  run -4 "$lockstep" run -q -p p.json -i - -o again < cut.tar
  [[ $output == *'stdin: it is cut short'*'007__a'*'.png [archive-truncated]'* ]]
  mkdir none
  printf 'no image' > none/a.jpg # a folder is looked at before
  run -4 --separate-stderr "$lockstep" run -q -p p.json -i none -o -
  [ -z "$output" ]
  status=0
  "$lockstep" run -p p.json -i - -n 120 -j 1 -o - --format png --on-error skip < in.tar > skipped.tar 2> said || status=$?
  [ "$status" = 1 ]
  [ "$(tar tf skipped.tar | wc -l)" = 1080 ]
  grep -q '; 1 skipped; ' said
  # errors are counted over all parts
  printf 'P6 4 4 255 short' > in/003.ppm
  status=0
  "$lockstep" run -q -p p.json -i in -n 120 -j 1 -o - --format png --on-error skip --max-errors 1 > most.tar 2> said || status=$?
  [ "$status" = 4 ]
  grep -q 'more than 1 images failed.*\[errors-most\]' said
  left_nothing
}

@test "streams: who leaves the pipe ends the run with 141, a full disk with 5; a tar that is cut short is known by its last key" {
  tiny 10
  { "$lockstep" run -q -p p.json -i in -n 120 -o - --format png 2> said || echo $? > code; } | head -c 2000 > head.tar
  [ "$(< code)" = 141 ] && [ ! -s said ]
  run -5 --separate-stderr bash -c '"$1" run -q -p p.json -i in -o - > /dev/full' bash "$lockstep"
  [[ $stderr == *'stdout: No space left'*'[stdout-unwritable]'* ]]
  left_nothing
  tar -C in -cf in.tar .
  run -4 "$lockstep" run -q -p p.json -i - -o out < <(head -c 5000 in.tar)
  [[ $output == *'stdin: it is cut short'*'the last whole member: '*'.ppm [archive-truncated]'* ]]
  [ ! -e out ]
}

@test "streams: a run that is killed, or waits for a reader, leaves nothing below TMPDIR" {
  local signal status
  tiny 10
  mkfifo pipe
  exec 7<> pipe # no process reads
  for signal in TERM KILL; do
    "$lockstep" run -q -p p.json -i in -n 100 -j 2 -o - --format png > pipe 2> said &
    run_pid=$!
    until compgen -G 'tmp/lockstep-*/data-*' || compgen -G 'tmp/lockstep-*/manifest.jsonl' ||
      compgen -G 'tmp/lockstep-*/.lockstep/manifest.jsonl'; do
      kill -0 $run_pid
      sleep 0.05
    done
    [ "$(stat -c %a tmp/lockstep-*)" = 700 ]
    kill -$signal $run_pid
    status=0
    wait $run_pid || status=$?
    [ "$status" = $((128 + $(kill -l $signal))) ]
    left_nothing
  done
  exec 7>&-
}

# keeper PID: prints the process that removes the folder of that run; it has a separate session.
keeper() {
  ps -o pid=,sid= --ppid "$1" | awk '$1 == $2 { print $1; exit }'
}

@test "streams: a run whose child was killed leaves nothing below TMPDIR" {
  tiny 10
  mkfifo pipe
  exec 7<> pipe # without a reader
  "$lockstep" run -q -p p.json -i in -n 100 -j 2 -o - --format png > pipe 2> said 7>&- &
  run_pid=$!
  await compgen -G "tmp/lockstep-*/*"
  kill -9 "$(keeper $run_pid)"
  timeout 60 cat pipe > made.tar 7>&- &
  exec 7>&-
  wait $run_pid
  tar tf made.tar > none.txt
  [ -z "$(ls -A tmp)" ]
}

@test "streams: a run that is killed while it makes its folder leaves nothing below TMPDIR" {
  local call n
  skip_when_sanitized "$lockstep"
  tiny 2
  for call in pipe2 clone mkdirat; do
    for n in 1 2 3 4; do
      strace -qq -o none.txt -e trace=$call -e inject=$call:signal=KILL:when=$n \
        "$lockstep" run -q -p p.json -i in -o - --format png > made.tar 2> said || true
      left_nothing || { echo "$call $n"; return 1; }
    done
  done
}

# Starts a run whose stdout is a pipe of one page. Reads all but the last LEFT bytes of the tar, sends SIGTERM, and reads
# the rest. Prints the exit code; the tar is in cut.tar.
cut_near_end() { # left
  python3 - "$lockstep" "$(stat -c %s whole.tar)" "$1" << 'END'
import fcntl, os, signal, subprocess, sys, time
lockstep, size, left = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
r, w = os.pipe()
fcntl.fcntl(w, 1031, 4096)  # F_SETPIPE_SZ
run = subprocess.Popen([lockstep, "run", "-q", "-p", "p.json", "-i", "in", "-o", "-", "--format", "png"], stdout=w,
                       stderr=open("said", "w"))
os.close(w)
data = b""
while len(data) < size - left:
    data += os.read(r, min(4096, size - left - len(data)))
time.sleep(0.5)
run.send_signal(signal.SIGTERM)
time.sleep(0.5)
while piece := os.read(r, 65536):
    data += piece
open("cut.tar", "wb").write(data)
print(run.wait())
END
}

@test "streams: a signal while the tar is written cuts it short, also before its end, with the code of the signal" {
  local left
  tiny 10
  "$lockstep" run -q -p p.json -i in -o - --format png > whole.tar
  for left in 1025 1500 5000; do # the end has 1024 bytes
    [ "$(cut_near_end $left)" = 143 ] || { cat said; return 1; }
    grep -q '\[interrupted\]' said && grep -q '\[stream-cut\]' said
    run ! tar -tf cut.tar
    [[ $output == *CUT-SHORT* ]] || { echo "$left: $output"; return 1; }
  done
  left_nothing
}
