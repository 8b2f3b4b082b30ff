#!/usr/bin/env bats
# Files that a user names for an output: each option of each command that names one, as listed by help.
# shellcheck disable=SC2154 # run sets output, status and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  pipeline p.json '{"type": "horizontal_flip"}'
  pipeline nms.json '{"type": "batched_nms"}'
  mkdir -p in/cat in/dog
  for name in cat/1 dog/2; do printf 'P6 8 8 255 %0192d' 0 > in/$name.ppm; done
  cat > a.json << END
{"images": [{"id": 1, "file_name": "cat/1.ppm", "width": 8, "height": 8}, {"id": 2, "file_name": "dog/2.ppm", "width": 8, "height": 8}],
 "categories": [{"id": 1, "name": "cat", "supercategory": "animal"}],
 "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 1, 4, 4], "area": 3, "segmentation": []}]}
END
  echo '[{"image_id": 1, "category_id": 1, "bbox": [1, 1, 4, 4], "score": 0.5}]' > results.json
  go() { "$lockstep" run -q --durability none -p p.json -i in "$@"; }
  go -a a.json -o "done"
  go --labels folders -o shards --shard 0/1
  n=0
}

# Rows: command and option, the suffix of its files, and how a file that is there is replaced: with --overwrite, always
# or never.
rows='
run --one-hot|.csv|overwrite
run --one-hot|.npy|overwrite
merge --one-hot|.csv|never
merge --one-hot|.npy|never
preview --out|.png|overwrite
compile --out|.json|overwrite
back --out|.json|overwrite
iou --out|.csv|overwrite
iou --out|.npy|overwrite
import --out|.json|overwrite
labels --out|.json|overwrite
check --out|.json|never
check --output|.json|always
check --write-baseline|.json|always
stats --html|.html|never
'

# put COMMAND OPTION PATH [WORD...]: writes the output of the option there.
put() {
  local command=$1 option=$2 path=$3
  shift 3
  n=$((n + 1))
  case "$command $option" in
    'run --one-hot') set -- -q --durability none -p p.json -i in --labels folders -o out$n --one-hot "$path" "$@" ;;
    'merge --one-hot') cp -r shards shards$n && set -- -q --durability none shards$n --one-hot "$path" "$@" ;;
    'preview --out') set -- -q -p p.json -i in --width 64 -o "$path" "$@" ;;
    'compile --out') set -- -p p.json -o "$path" "$@" ;;
    'back --out') set -- -q -m done/manifest.jsonl -r results.json -o "$path" "$@" ;;
    'iou --out') set -- a.json a.json -o "$path" "$@" ;;
    'import --out') set -- "$here/golden/import/albumentations-2x-masks.json" -o "$path" "$@" ;;
    'labels --out') set -- -q -p nms.json -a results.json -o "$path" "$@" ;;
    'check --out') set -- a.json --fix --fail-on never --output text="$PWD/report$n" -o "$path" "$@" ;;
    'stats --html') set -- a.json --html "$path" "$@" ;;
    'check --output') set -- a.json --fail-on never --output json="$path" "$@" ;;
    'check --write-baseline') set -- a.json --output text="$PWD/report$n" --write-baseline "$path" "$@" ;;
    *) echo "$command $option has no row"; return 99 ;;
  esac
  timeout 60 "$lockstep" "$command" "$@"
}

# each FUNCTION: calls it for each row, in a separate folder (t), with $command, $option, $suffix and $how.
each() {
  local words count=0
  while IFS='|' read -r words suffix how; do
    [ -n "$words" ] || continue
    read -r command option <<< "$words"
    rm -rf t ./*.out out[0-9]* shards[0-9]* && mkdir t
    echo "$command $option $suffix:" # bats prints it after a failure
    "$1"
    [ -z "$(find t -name '*.part')" ]
    count=$((count + 1))
  done <<< "$rows"
  [ "$count" -ge 14 ]
}

# The option writes the file, whose content is kept as $want.
writes() {
  want=t/want$suffix
  put "$command" "$option" "$want"
  [ -s "$want" ] && [ -f "$want" ]
}

# replaces PATH: as the option would replace a file.
replaces() {
  case $how in
    overwrite) put "$command" "$option" "$1" --overwrite ;;
    *) put "$command" "$option" "$1" ;;
  esac
}

# exits CODE WORD COMMAND...
exits() {
  local code=0
  "${@:3}" > message 2>&1 || code=$?
  [ $code = "$1" ] && grep -qF "$2" message || { echo "code $code instead of $1 with $2:"; cat message; return 1; }
}

# Prints "COMMAND OPTION" of each option that help calls an output of this kind.
named() { # file | folder
  local command
  for command in $("$lockstep" help | awk '/^COMMANDS/ { list = 1; next } /^TOPICS/ { exit } !list { next }
    /^  [a-z-]+  / { print $1; next } { gsub(/,|and /, ""); for (i = 1; i <= NF; i++) print $i }'); do
    "$lockstep" "$command" --help-all | sed -n '/^OPTIONS/,$p' | awk -v command="$command" -v kind="$1" '
      function flush() {
        if (name != "" && text ~ "[(,] ?output (file or )?" kind) print command, name
        else if (name != "" && kind == "file" && text ~ /  (with [^ ]*: )?(write|the [A-Za-z]+ to write) / && metavar && text !~ /output (file|folder)/)
          print command, name, "writes, and is not marked"
        name = ""
      }
      match($0, /^  (    |-[A-Za-z], )--[a-z-]+/) {
        flush()
        name = substr($0, RSTART, RLENGTH)
        sub(/.*--/, "--", name)
        metavar = substr($0, RSTART + RLENGTH) ~ /^ (FILE|PATH|DIR|NAME=FILE)/
        text = ""
      }
      { line = $0; sub(/^ */, "", line); text = text " " line }
      END { flush() }'
  done
}

@test "output files: every option that names one is tested here" {
  diff <(named file | LC_ALL=C sort) <(cut -d'|' -f1 <<< "$rows" | grep . | LC_ALL=C sort -u)
  [ "$(named folder | LC_ALL=C sort | xargs)" = 'concat --out convert --out labels --out merge --out replay --out run --out split --out' ]
}

into_pipe() {
  writes
  mkfifo t/pipe"$suffix"
  timeout 60 cat t/pipe"$suffix" > t/through &
  put "$command" "$option" t/pipe"$suffix"
  wait $!
  [ -p t/pipe"$suffix" ]
  cmp "$want" t/through
  ln -s pipe"$suffix" t/link"$suffix"
  timeout 60 cat t/pipe"$suffix" > t/through &
  replaces t/link"$suffix"
  wait $!
  [ -p t/pipe"$suffix" ] && [ -L t/link"$suffix" ]
  cmp "$want" t/through
}

@test "output files: a pipe is written to, and stays a pipe" {
  each into_pipe
}

# Links, so that a fault does not remove a device of the machine.
into_devices() {
  ln -s /dev/null t/null"$suffix"
  ln -s /dev/full t/full"$suffix"
  put "$command" "$option" t/null"$suffix"
  rm -f t/null.classes.txt # beside .npy
  replaces t/null"$suffix"
  exits 5 '[out-write]' put "$command" "$option" t/full"$suffix"
  exits 5 'No space left on device' replaces t/full"$suffix"
  [ "$(readlink t/null"$suffix") $(readlink t/full"$suffix")" = '/dev/null /dev/full' ]
  [ -c /dev/null ] && [ -c /dev/full ]
}

@test "output files: a device is written to, and stays a device; one that is full is code 5" {
  [ -w /dev/full ] || skip "/dev/full is not there"
  each into_devices
}

# Without a link, which needs devices that may be lost.
into_own_device() {
  mknod t/null"$suffix" c 1 3
  replaces t/null"$suffix"
  [ -c t/null"$suffix" ]
}

@test "output files: a device that is named itself stays a device" {
  mknod none c 1 3 2> message && echo a > none 2> message || skip "no device can be made here"
  each into_own_device
}

into_link() {
  writes
  mkdir t/far
  echo mine > t/far/file"$suffix"
  chmod 640 t/far/file"$suffix"
  [ "$(id -u)" != 0 ] || chown 1234:2345 t/far/file"$suffix"
  [[ $suffix != .png ]] || cp "$want" t/far/file.png
  cp -p t/far/file"$suffix" t/before
  ln -s far/file"$suffix" t/link"$suffix"
  if [ "$how" != always ]; then
    exits 6 '[out-occupied]' put "$command" "$option" t/link"$suffix"
    cmp t/before t/far/file"$suffix"
  fi
  if [ "$how" != never ]; then
    replaces t/link"$suffix"
    cmp "$want" t/far/file"$suffix"
  fi
  [ "$(readlink t/link"$suffix")" = far/file"$suffix" ]
  [ "$(stat -c '%a %u %g' t/before)" = "$(stat -c '%a %u %g' t/far/file"$suffix")" ]
}

@test "output files: of a link, the file is replaced that it leads to; it keeps its owner, group and mode" {
  each into_link
}

without_file() {
  ln -s nowhere t/link"$suffix"
  exits 5 'a link to a file that does not exist' replaces t/link"$suffix"
  [ "$(ls t)" = link"$suffix" ] && [ -L t/link"$suffix" ]
  mkdir t/folder"$suffix"
  exits 5 'it is a folder' replaces t/folder"$suffix"
  [ -d t/folder"$suffix" ]
  echo mine > t/file
  exits 5 '[out-write]' put "$command" "$option" t/file/below"$suffix"
  [ "$(< t/file)" = mine ]
  put "$command" "$option" t/new/deep/file"$suffix"
  [ -s t/new/deep/file"$suffix" ]
}

@test "output files: a link to nothing, a folder and a path below a file are code 5; folders are made" {
  each without_file
}

no_stdout() {
  local code=0
  cp -r in t
  (cd t && put_below -) > t/out 2> t/err || code=$?
  [ ! -e t/- ]
  case $code in
    0) [ -s t/out ] ;;
    2) grep -q '\[option-value\]' t/err ;;
    *) cat t/err; return 1 ;;
  esac
}

@test "output files: a dash is stdout, or refused, and never the name of a file" {
  local words command option
  put_below() { # -
    ln -s ../p.json ../nms.json ../a.json ../results.json ../done .
    cp -r ../shards .
    put "$command" "$option" "$1"
  }
  each no_stdout
  while read -r command option; do
    [ "$command" != run ] || continue # is a tar of samples
    case $command in
      merge) words=(shards) ;;
      replay) words=(-m done/manifest.jsonl -i in -p p.json) ;;
      split) words=(-a a.json) ;;
      labels) mkdir labels && echo '0 0.5 0.5 0.5 0.5' > labels/1.txt && words=(-p nms.json -a labels -i in --classes a.json) ;;
    esac
    run -2 --separate-stderr "$lockstep" "$command" "$option" - "${words[@]}"
    [ ! -e ./- ]
  done < <(named folder)
}

# Starts a shell in a file system of 64 KiB at disk, which is full but for an inode.
on_full_disk() {
  # shellcheck disable=SC2016 # the shell expands it
  unshare -rm bash -c 'mount -t tmpfs -o size=64k none disk || exit 90
    head -c 100000 /dev/zero > disk/filler 2> /dev/null
    "$@"; code=$?; ls -A disk > left; exit $code' bash "$@"
}

on_full() {
  n=$((n + 1))
  exits 5 'No space left on device' on_full_disk put "$command" "$option" disk/new/file"$suffix"
  [ "$(< left)" = filler ] || { cat left; return 1; }
}

@test "output files: on a full disk the code is 5, and nothing is left" {
  mkdir disk
  on_full_disk true 2> message || skip "no file system can be mounted"
  export lockstep here n
  export -f put
  each on_full
}

# limited COMMAND...: where files may have 512 bytes.
limited() {
  (ulimit -f 1 && "$@")
}

@test "output files: what grows beyond the limit of files is code 5, and nothing is left" {
  mkdir t
  exits 5 'File too large' limited "$lockstep" compile -p "$root/pipelines/detection.json" -o t/out.json
  exits 5 'File too large' limited "$lockstep" check a.json --output html=t/report.html
  [ -z "$(ls t)" ]
}

@test "output files: temporary names are new ones, and files with such names stay" {
  mkdir t
  # the shell's process becomes the command's
  bash -c 'for i in 0 1 2; do echo mine > t/$$-$i.part; done; exec "$@"' bash "$lockstep" compile -p p.json -o t/out.json
  [ "$(cat t/*.part | xargs)" = 'mine mine mine' ]
  [ -s t/out.json ]
}

# --- several files: all of them, or none ---

@test "output files: split puts all parts in their places, or none, and leaves files of other names" {
  local how
  jq '.images[].file_name |= sub("^"; "new-")' a.json > b.json
  mkdir before && (cd before && echo one > train.json && echo mine > train.json.part && echo two > val.json)
  for how in folder exchange; do
    rm -rf parts && cp -r before parts
    case $how in
      folder) # that came in the way after the check
        exits 5 'Is a directory' strace -f -qq -o trace -e trace=renameat2 -e inject=renameat2:error=EISDIR:when=2 \
          "$lockstep" split -a b.json -o parts --ratio 1:1 --overwrite ;;
      exchange) # file systems that cannot exchange two files
        exits 5 'Input/output error' strace -f -qq -o trace -e trace=rename,renameat2 -e inject=renameat2:error=EINVAL \
          -e inject=rename:error=EIO:when=3 "$lockstep" split -a b.json -o parts --ratio 1:1 --overwrite ;;
    esac
    diff -r before parts
  done
  exits 0 '' strace -f -qq -o trace -e trace=renameat2 -e inject=renameat2:error=EINVAL \
    "$lockstep" split -a b.json -o parts --ratio 1:1 --overwrite
  exits 0 '' "$lockstep" split -a b.json -o want --ratio 1:1
  cp before/train.json.part want
  diff -r want parts
  rm -r parts && mkdir -p parts/val.json
  exits 5 'val.json: it is a folder' "$lockstep" split -a b.json -o parts --ratio 1:1 --overwrite
  [ "$(ls parts)" = val.json ]
}

@test "output files: labels of a folder are all written, or none, and a former result stays" {
  local how
  mkdir -p labels disk before/labels
  for i in {1..40}; do
    cp in/cat/1.ppm in/$i.ppm
    echo '0 0.5 0.5 0.5 0.5' > labels/$i.txt
    echo mine > before/labels/$i.txt
  done
  rm -r in/cat in/dog
  echo 'names: [cat]' > labels/data.yaml
  echo mine > before/labels/other.txt
  echo mine > before/data.yaml
  rm labels/7.txt # whose file has to go
  pipeline steps.json '{"type": "batched_nms", "default_score": 1}'
  relabel=("$lockstep" labels -q -p steps.json -a labels -i in)
  cp -r before out
  exits 5 'Input/output error' strace -f -qq -o trace -e trace=renameat2 -e inject=renameat2:error=EIO:when=20 \
    "${relabel[@]}" -o nowhere/deep
  [ ! -e nowhere ]
  exits 5 'Input/output error' strace -f -qq -o trace -e trace=renameat2 -e inject=renameat2:error=EIO:when=20 \
    "${relabel[@]}" -o out --overwrite
  diff -r before out
  "${relabel[@]}" -o out --overwrite
  [ "$(find out -type f -exec grep -lx mine {} +)" = out/labels/other.txt ]
  [ ! -e out/labels/7.txt ] && [ "$(find out -type f | wc -l)" -eq 41 ]
  on_full_disk true 2> message || skip "no file system can be mounted"
  exits 5 'No space left on device' on_full_disk "${relabel[@]}" -o disk/out
  [ "$(< left)" = filler ]
}

# --- tables of resumed runs ---

@test "output files: --resume replaces a table of the run, and no other file" {
  local suffix
  for suffix in csv npy; do
    go --labels folders -o out-$suffix --one-hot hot.$suffix
    cp hot.$suffix want.$suffix
    go --labels folders -o out-$suffix --one-hot hot.$suffix --resume
    cmp hot.$suffix want.$suffix
    # a table of another run, and the file of somebody
    mkdir other && cp -r in/cat in/dog other
    mv other/dog other/wolf
    "$lockstep" run -q --durability none -p p.json -i other --labels folders -o other-$suffix --one-hot other.$suffix
    cp other.$suffix former.$suffix
    exits 6 '[out-occupied]' go --labels folders -o out-$suffix --one-hot other.$suffix --resume
    cmp other.$suffix former.$suffix
    echo mine > mine.$suffix
    exits 6 '[out-occupied]' go --labels folders -o out-$suffix --one-hot mine.$suffix --resume
    [ "$(< mine.$suffix)" = mine ]
    rm -r other
  done
  # without one of its two files
  rm hot.npy
  go --labels folders -o out-npy --one-hot hot.npy --resume
  cmp hot.npy want.npy
  echo mine > hot.classes.txt
  exits 6 '[out-occupied]' go --labels folders -o out-npy --one-hot hot.npy --resume
}

# --- owners ---

@test "output files: a file whose owner cannot be kept is refused, and check --fix --in-place keeps it" {
  [ "$(id -u)" = 0 ] || skip "only root may give files away"
  local mine=(setpriv --reuid 1234 --regid 1234 --clear-groups)
  chmod 755 . && "${mine[@]}" test -x "$lockstep" && "${mine[@]}" test -r a.json || skip "the files are not those of all users"
  mkdir open && chmod 777 open
  cp a.json open/a.json && cp a.json open/out.json
  chown 2345:2345 open/*.json && chmod 664 open/*.json
  "$lockstep" check open/a.json --fix --in-place --fail-on never
  [ "$(stat -c '%u:%g %a' open/a.json open/a.json.orig | xargs)" = '2345:2345 664 2345:2345 664' ]
  cp -p open/a.json before
  cp a.json open/b.json && chown 2345:2345 open/b.json
  exits 5 'the owner 2345' "${mine[@]}" "$lockstep" check open/b.json --fix --in-place --fail-on never
  cmp open/b.json a.json
  exits 5 'the owner 2345' "${mine[@]}" "$lockstep" compile -p p.json -o open/out.json --overwrite
  cmp open/out.json a.json
  [ "$(ls open)" = "$(printf '%s\n' a.json a.json.orig b.json out.json)" ]
}
