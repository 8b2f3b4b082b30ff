#!/usr/bin/env bats
# Worker processes: a crash costs only its own image. Order and bytes depend only on the inputs. However a run ends, it
# leaves no partial file.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin_to_crash
  cat > steps.json << 'EOF'
{"version": 1, "seed": 7, "annotations": {"min_visibility": 0.1}, "transforms": [
  {"type": "RandomHorizontalFlip"},
  {"type": "RandomAffine", "degrees": 15, "translate": [0.1, 0.1], "scale": [0.8, 1.2]},
  {"type": "RandomResizedCrop", "size": [160, 200], "scale": [0.4, 1]},
  {"type": "ColorJitter", "brightness": 0.3, "hue": 0.05},
  {"type": "RandomErasing"}]}
EOF
}

# go OUT [options]: all of samples/ with masks.
go() {
  local out=$1
  shift
  "$lockstep" run -q -p steps.json -i "$samples/images" --masks "$samples/masks" \
    -a "${annotations:-$samples/annotations.json}" -o "$out" "$@"
}

# without NAME...: without.json, the samples' annotations without these images.
without() {
  jq '($ARGS.positional) as $names
      | [.images[] | select(.file_name | IN($names[])) | .id] as $ids
      | .images |= map(select(.id | IN($ids[]) | not))
      | .annotations |= map(select(.image_id | IN($ids[]) | not))' \
    "$samples/annotations.json" --args "$@" > without.json
}

same_annotations() { same_json "$1/annotations.json" "$2/annotations.json"; }

# --- crashes ---

preloaded() {
  can_crash
  export LD_PRELOAD=$crash
}

# crashes NAME... [-n N]: these are listed as crashed, and the rest is as if they had not been there.
crashes() {
  local options=()
  unset LD_PRELOAD
  if [ "${*: -2:1}" = -n ]; then
    options=("${@: -2}")
    set -- "${@:1:$#-2}"
  fi
  diff <(printf '%s\n' "$@" | sort) <(jq -r .source out/errors.jsonl | sort)
  [ "$(jq -s 'all(.outcome == "crashed")' out/errors.jsonl)" = true ]
  without "$@"
  annotations=without.json go clean "${options[@]}"
  same_tree clean/images out/images
  same_tree clean/masks out/masks
  cmp clean/manifest.jsonl out/manifest.jsonl
  same_annotations clean out
  [ ! -e out/.lockstep ]
}

@test "batch: an image that crashes its worker is skipped, and only that image" {
  preloaded
  CRASH_ON=hills/0002.png run -1 --separate-stderr go out -j 1 --on-error skip
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == *'hills/0002.png'*'signal 11'* ]]
  crashes hills/0002.png
}

@test "batch: the same with more workers, and however they die" {
  local signal
  for signal in 6 9 15 0; do
    rm -rf out clean
    preloaded
    CRASH_ON=0003.png CRASH_SIGNAL=$signal run -1 go out -j 4 --on-error skip
    crashes hills/0003.png street/0003.png harbour/0003.tif # its mask
  done
}

@test "batch: a mask that crashes its worker leaves no image behind" {
  preloaded
  CRASH_ON=masks/desk/0002.png run -1 go out -j 2 --on-error skip
  crashes desk/0002.png
}

@test "batch: a crash in the midst of writing leaves no copy and no half" {
  preloaded
  CRASH_ON=hills/0002__a001.png run -1 go out -n 3 -j 2 --on-error skip
  crashes hills/0002.png -n 3
  preloaded
  CRASH_ON=masks/hills/0002__a002.png run -7 go fail -n 3 -j 2
  unfinished fail
  [ ! -e fail/images/hills/0002__a000.png ]
}

@test "batch: when every image crashes, every one is listed" {
  for name in a b c d e; do
    mkdir -p in/$name
    cp "$samples/images/hills/0002.png" in/$name/same.png
  done
  preloaded
  CRASH_ON=same.png run -4 "$lockstep" run -q -p steps.json -i in -o out -j 2 --on-error skip
  [ "$(jq -s 'map(select(.outcome == "crashed")) | length' out/errors.jsonl)" -eq 5 ]
  [ "$(jq .images.skipped out/run.json)" -eq 5 ]
  [ -z "$(find out/images -type f 2> /dev/null)" ]
}

@test "batch: a crash that does not come again costs nothing" {
  preloaded
  CRASH_ON=hills/0002.png CRASH_ONCE=$PWD/once run -0 go out -j 2
  [ -s once ]
  unset LD_PRELOAD
  go clean
  same_tree clean out
}

@test "batch: with --on-error fail a crash ends the run with code 7" {
  preloaded
  CRASH_ON=hills/0002.png run -7 --separate-stderr go out -j 2
  [[ $stderr == *'hills/0002.png'*'signal 11'*'[worker-crashed]'* ]]
  unfinished out
}

@test "batch: a worker that cannot be started ends the run with code 8" {
  run -8 --separate-stderr strace -f -qq -o /dev/null -e trace=clone,clone3,fork -e inject=clone,clone3,fork:error=EAGAIN:when=1 \
    "$lockstep" run -q -p steps.json -i "$samples/images" -o out -j 2 --no-preflight
  [[ $stderr == *'[worker-start]'* ]]
  unfinished out
}

# --- killed from outside ---

# A run of some seconds in the background; returns when it has written something. Sets run_pid and
# worker_pids. Whether HUP is ignored ($1, default: no) does not depend on who runs the tests.
launch() {
  env "--${1:-default}-signal=HUP" "$lockstep" run -q -p steps.json -i "$samples/images" \
    --masks "$samples/masks" -a "$samples/annotations.json" -o out -n 40 -j 2 \
    > begin.txt 2>&1 3>&- &
  run_pid=$!
  await more_files out/images 0
  # The processes that read headers before the workers start have ended by now.
  worker_pids=$(pgrep -P "$run_pid" | tr '\n' ' ')
}

# gone PID...: they end. Whether anyone has asked for their exit codes is not our affair.
gone() {
  local pid
  for pid in "$@"; do await has_ended "$pid"; done
}

@test "batch: workers that are killed in mid run are replaced, and no byte is another" {
  local code=0
  go clean -n 40
  launch
  # shellcheck disable=SC2086 # pids
  kill -9 $worker_pids
  wait "$run_pid" || code=$?
  [ "$code" -eq 0 ]
  same_tree clean out
}

@test "batch: signals end a run with their code, without halves or processes left" {
  local signal code n
  for signal in INT:130 TERM:143 HUP:129; do
    rm -rf out
    code=0
    launch
    kill -s "${signal%:*}" "$run_pid"
    wait "$run_pid" || code=$?
    [ "$code" -eq "${signal#*:}" ] || { echo "$signal: exit $code"; false; }
    # shellcheck disable=SC2086 # pids
    gone $worker_pids
    unfinished out
    grep -qF "[interrupted]" begin.txt
    grep -q 'go on with --resume, or start over with --overwrite' begin.txt
  done
  n=$(find out/images -type f | wc -l)
  [ "$n" -lt 600 ]
}

@test "batch: what a killed run has left is replaced with --overwrite" {
  launch
  kill -9 "$run_pid"
  wait "$run_pid" || true
  # shellcheck disable=SC2086 # pids
  gone $worker_pids
  run -6 go out -n 2
  go out -n 2 --overwrite
  go clean -n 2
  same_tree clean out
}

@test "batch: every file of a run that was killed is whole" {
  go clean -n 40
  launch
  kill -9 "$run_pid"
  wait "$run_pid" || true
  # shellcheck disable=SC2086 # pids
  gone $worker_pids
  (cd out && find images masks -type f) | while read -r file; do cmp "clean/$file" "out/$file"; done
}

@test "batch: two runs do not write to one folder" {
  local code=0
  launch
  kill -s STOP "$run_pid" # it may be over before the others have started
  run -6 --separate-stderr go out
  [[ $stderr == *'[out-in-use]'* ]]
  run -6 --separate-stderr go out --overwrite
  [[ $stderr == *'[out-in-use]'* ]]
  kill -s CONT "$run_pid"
  wait "$run_pid" || code=$?
  [ "$code" -eq 0 ]
  [ "$(wc -l < out/manifest.jsonl)" -eq 600 ]
}

@test "batch: nohup's wish is respected" {
  local code=0
  (launch ignore && kill -s HUP "$run_pid" && wait "$run_pid" && [ -e out/manifest.jsonl ]) ||
    code=$?
  [ "$code" -eq 0 ]
}

# --- the order and the bytes ---

@test "batch: 1, 2 and 5 workers and a second run write the same trees" {
  go a -n 3 -j 1
  go b -n 3 -j 2
  go c -n 3 -j 5
  go d -n 3 -j 5
  same_tree a b
  same_tree a c
  same_tree a d
  [ "$(wc -l < a/manifest.jsonl)" -eq 45 ]
}

@test "batch: the manifest is in input order" {
  go a -n 2 -j 5
  diff <(jq -r .source a/manifest.jsonl | uniq) <(jq -r '.images[].file_name' "$samples/annotations.json")
  diff <(jq -r .source a/manifest.jsonl | uniq) \
    <(jq -r '.images[].file_name' a/annotations.json | sed -E 's/__a[0-9]+//' | uniq)
}

# elements OUT: prints the images and annotations in an order that does not depend on the images.
elements() { jq -S '(.images, .annotations) |= sort_by(.id)' "$1/annotations.json"; }

@test "batch: the order of the annotation file changes no pixel and no label" {
  go a
  jq '.images |= reverse | .annotations |= (sort_by(.area) | reverse)' "$samples/annotations.json" \
    > other.json
  annotations=other.json go b
  same_tree a/images b/images
  same_tree a/masks b/masks
  diff <(elements a) <(elements b)
  go c -n 3
  annotations=other.json go d -n 3
  same_tree c/images d/images
  diff <(elements c) <(elements d)
}

# of OUT NAMES: its images and annotations with these file names alone.
of() {
  jq -S --argjson names "$2" '(.images |= map(select(.file_name | IN($names[]))))
     | ([.images[].id]) as $ids | .annotations |= map(select(.image_id | IN($ids[])))' \
    "$1/annotations.json"
}

@test "batch: images that are removed or added change no byte of the others" {
  local names file
  go a
  without street/0001.jpg desk/0002.png park/0002.jpg
  names=$(jq -c '[.images[].file_name]' without.json)
  annotations=without.json go b
  diff <(of a "$names") <(of b "$names")
  diff -r a/images b/images > only.txt || true
  [ "$(grep -c '^Only in a/' only.txt)" -eq 3 ]
  run ! grep -v '^Only in a/' only.txt
  # Now from few images to many: an image may even take the id of another.
  jq '.images = [{id: 9, file_name: "street/0002.jpg"}] + (.images[-2:]) | .annotations = []' \
    without.json > few.json
  annotations=few.json go c
  (cd c && find images masks -type f) | while read -r file; do cmp "a/$file" "c/$file"; done
}

@test "batch: copies are the same however many there are, with the original or without" {
  local file
  go a -n 2
  go b -n 4
  go c -n 2 --include-original
  for file in hills/0002 desk/0002; do
    cmp a/images/${file}__a001.png b/images/${file}__a001.png
    cmp a/images/${file}__a000.png c/images/${file}__a001.png
    cmp a/masks/${file}__a001.png c/masks/${file}__a002.png
  done
}

@test "batch: copies see the image as one alone does, mirrored or not" {
  local flip step file image copy files=(street/0001.jpg desk/0002.png)
  for flip in 0 1; do
    for step in '{"type": "adjust_contrast", "contrast_factor": 1.5}' '{"type": "autocontrast"}' \
      '{"type": "equalize"}' '{"type": "fancy_pca", "alpha": [0.5, -0.3, 0.2]}'; do
      printf '{"version": 1, "transforms": [{"type": "RandomHorizontalFlip", "p": %s}, %s]}' \
        "$flip" "$step" > see.json
      "$lockstep" run -q -p see.json -i "$samples/images" "${files[@]}" -o three -n 3 -j 1 --overwrite
      "$lockstep" run -q -p see.json -i "$samples/images" "${files[@]}" -o one -j 1 --overwrite
      for file in "${files[@]}"; do
        image=three/images/${file%.*}
        for copy in "$image"__a00{0,1,2}.*; do cmp "$copy" "one/images/$file"; done
      done
    done
  done
}

@test "batch: locale, time zone and environment change nothing" {
  go a -n 2
  TZ=Pacific/Kiritimati LC_ALL=C VIPS_CONCURRENCY=7 COLUMNS=20 HOME=/ go b -n 2
  same_tree a b
  env -i "$lockstep" run -q -p steps.json -i "$samples/images" --masks "$samples/masks" \
    -a "$samples/annotations.json" -o c -n 2
  same_tree a c
  (umask 077; go d -n 2)
  same_tree a d
}

@test "batch: a locale with a decimal comma changes nothing" {
  mkdir locales
  localedef -i de_DE -f UTF-8 locales/de_DE.UTF-8
  export LOCPATH=$PWD/locales
  [ "$(LC_ALL=de_DE.UTF-8 locale decimal_point)" = , ]
  LC_ALL=de_DE.UTF-8 go b -n 2
  LC_ALL=C go a -n 2
  same_tree a b
}

# --- outputs that cannot be written ---

@test "batch: a read-only output folder is refused with code 5" {
  mkdir out
  chmod 555 out
  if [ "$(id -u)" = 0 ]; then # root may write everywhere: as root without that right
    limit=(setpriv --bounding-set=-dac_override)
    "${limit[@]}" true 2> /dev/null || skip "setpriv may not limit"
  else
    limit=()
  fi
  for folder in out out/deeper; do
    run -5 --separate-stderr "${limit[@]}" "$lockstep" run -p steps.json -i "$samples/images/hills" -o $folder
    [[ $stderr == *'[out-unwritable]'* ]]
  done
  chmod 755 out
  [ -z "$(ls -A out)" ]
}

@test "batch: files that cannot be written end the run with code 5, and those written are whole" {
  go clean
  (ulimit -f 24; trap '' XFSZ; go out -j 2) 2> err.txt && code=0 || code=$?
  [ "$code" -eq 5 ]
  grep -q 'File too large' err.txt
  unfinished out
  (cd out && find . -path './.lockstep' -prune -o -type f -print) |
    while read -r file; do cmp "clean/$file" "out/$file"; done
  (ulimit -f 24; go out --overwrite --on-error skip) 2> err.txt && code=0 || code=$?
  [ "$code" -eq 5 ]
  # The images are small here, but the annotations that workers assemble are large.
  echo '{"version": 1, "transforms": [{"type": "resize", "size": [32, 32]}]}' > steps.json
  (ulimit -f 24; go small -j 2 --on-error skip) 2> err.txt && code=0 || code=$?
  [ "$code" -eq 5 ]
  grep -q ': annotations: File too large' err.txt
  unfinished small
}

# Their redirections are to be those of the program.
# shellcheck disable=SC2016 # another shell expands it
full() { run -5 --separate-stderr bash -c '"$0" "$@" > /dev/full' "$@"; }
# shellcheck disable=SC2016
closed() { run -5 --separate-stderr bash -c '"$0" "$@" >&-' "$@"; }

@test "batch: stdout that is full or closed is an error, and a reader that leaves is none" {
  local words
  for words in help list version schema 'help run'; do
    # shellcheck disable=SC2086 # words
    full "$lockstep" $words
    [[ $stderr == *'[stdout-unwritable]' ]]
    # shellcheck disable=SC2086 # words
    closed "$lockstep" $words
  done
  full "$lockstep" run -p steps.json -i "$samples/images" -o out --dry-run
  [[ $stderr == *stdout* ]]
  closed "$lockstep" run -p steps.json -i "$samples/images" -o out --dry-run
  "$lockstep" run -p steps.json -i "$samples/images" -o out --dry-run -n 2000 2> err.txt | head -n 1 > one.txt
  [ "$(wc -l < one.txt)" -eq 1 ]
  # The pipeline has rules for objects, but the dataset has no objects.
  [ "$(grep -vcF '[settings-idle]' err.txt)" -eq 0 ]
  [ ! -e out ]
}

@test "batch: streams that are closed get no message into a file" {
  : > empty.png
  go clean
  go a <&- >&- 2>&-
  same_tree clean a
  mkdir in
  cp "$samples/images/hills/0002.png" empty.png in
  "$lockstep" run -p steps.json -i in -o b --on-error skip <&- >&- 2>&- && code=0 || code=$?
  [ "$code" -eq 1 ]
  jq -es 'length == 1' b/manifest.jsonl
  jq -es 'length == 1' b/errors.jsonl
}

@test "batch: too little memory costs images at most" {
  local file code limit
  skip_when_sanitized "$lockstep"
  go clean
  for limit in 120000 140000 160000 200000; do
    rm -rf out
    code=0
    (ulimit -v $limit; go out -j 2 --on-error skip) 2> err.txt || code=$?
    case $code in 0 | 1 | 8 | 127) ;; # 127: not even its libraries fit
      *) echo "ulimit -v $limit: exit $code"; cat err.txt; false ;; esac
    [ ! -d out ] || no_parts out
    [ ! -d out/images ] || (cd out && find images -type f) |
      while read -r file; do cmp "clean/$file" "out/$file"; done
  done
}

# --- overwriting ---

@test "batch: --overwrite replaces an earlier run wholly, and nothing else" {
  go out -n 3
  printf 'mine\n' > out/notes.txt
  "$lockstep" run -q -p steps.json -i "$samples/images/hills" -o out --overwrite
  "$lockstep" run -q -p steps.json -i "$samples/images/hills" -o clean
  [ "$(cat out/notes.txt)" = mine ]
  rm out/notes.txt
  same_tree clean out
}

@test "batch: --overwrite does not follow links out of the folder" {
  mkdir elsewhere
  printf 'mine\n' > elsewhere/file
  "$lockstep" run -q -p steps.json -i "$samples/images/hills" -o out
  rm -r out/images
  ln -s ../elsewhere out/images
  run -6 --separate-stderr "$lockstep" run -p steps.json -i "$samples/images/hills" -o out --overwrite
  [[ $stderr == *'[out-exists]'* ]]
  [ "$(ls elsewhere)" = file ]
  [ -L out/images ]
  [ -e out/run.json ]
}

@test "batch: --overwrite refuses folders that no run has made" {
  mkdir -p out/images
  printf 'mine\n' | tee out/images/a.png out/annotations.json out/manifest.jsonl > out/run.json
  cp -r out before
  run -6 --separate-stderr go out --overwrite
  [[ $stderr == *'[out-foreign]'* ]]
  same_tree before out
}

# The annotations' lines, which samples/ and outputs have one of each on.
lines() { grep '"image_id"' "$1" | sed 's/,$//'; }

@test "batch: annotations that nothing touches keep every byte, beside others that are moved" {
  (printf '\xef\xbb\xbf'; cat "$samples/annotations.json") > marked.json
  cat > steps.json << 'EOF'
{"version": 1, "seed": 3, "transforms": [{"type": "ColorJitter", "brightness": 0.2}]}
EOF
  annotations=marked.json go out
  diff <(lines marked.json) <(lines out/annotations.json)
  cat > steps.json << 'EOF'
{"version": 1, "seed": 3, "transforms": [{"type": "RandomHorizontalFlip", "p": 0.5}]}
EOF
  annotations=marked.json go half -j 2
  diff <(jq '.annotations[].id' "$samples/annotations.json") <(jq '.annotations[].id' half/annotations.json)
  lines marked.json > before.txt
  stayed=$(lines half/annotations.json | grep -Fxc -f before.txt)
  [ "$stayed" -gt 5 ] && [ "$stayed" -lt 55 ]
  "$lockstep" run -q -p steps.json -i "$samples/images" -a - -o piped < <(cat marked.json)
  cmp half/annotations.json piped/annotations.json
}

# --- reading ahead ---

@test "batch: files are fetched ahead while reading waits for the disk, and only then" {
  local calls=preadv2,fadvise64
  cat "$samples"/images/*/* > none.txt # written files may have left memory since
  strace -f -qq -e trace=$calls -o trace.txt "$lockstep" run -q -p steps.json -i "$samples/images" -o warm -j 2
  [ "$(grep -c RWF_NOWAIT trace.txt)" -ge 15 ]
  [ "$(grep -c FADV_WILLNEED trace.txt)" -eq 0 ]
  strace -f -qq -e trace=$calls -e inject=preadv2:error=EAGAIN -o trace.txt \
    "$lockstep" run -q -p steps.json -i "$samples/images" -o cold -j 2
  [ "$(grep -c FADV_WILLNEED trace.txt)" -ge 8 ]
  same_tree warm cold
  # For an archive the cost is not known in advance.
  tar -cf images.tar -C "$samples" images
  strace -f -qq -e trace=$calls -o trace.txt "$lockstep" run -q -p steps.json -i images.tar -o tarred -j 2
  [ "$(grep -c FADV_WILLNEED trace.txt)" -ge 8 ]
}
