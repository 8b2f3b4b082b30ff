#!/usr/bin/env bats
# Workers decode untrusted files: restrictions on kernels that support all of the sandbox, parts of it, or nothing.
# Nothing else changes.
# shellcheck disable=SC2154 # run sets stderr and status
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  attempt=$tools/attempt.so
  ulimit -c 0
  pipeline flip.json '{"type": "horizontal_flip"}'
}

preloadable() {
  skip_when_sanitized "$lockstep"
  needs_built tests/attempt.so
}

# The kernel's word for Landlock's version; 0 where there is none.
abi() { python3 -c 'import ctypes; print(max(0, ctypes.CDLL(None).syscall(444, None, 0, 1)))'; }

needs_landlock() {
  [ "$(abi)" -ge 2 ] || skip 'the kernel has no Landlock of ABI 2 or later'
}

# attempts [VARIABLE...] -- OPTIONS: a worker that has b.jpg tries all actions; writes told.txt.
attempts() {
  local words=()
  while [ "$1" != -- ]; do
    words+=("$1")
    shift
  done
  shift
  rm -rf in out outside told.txt
  mkdir in outside
  cp "$samples/images/street/0001.jpg" in/a.jpg
  cp "$samples/images/fruit/0001.jpg" in/b.jpg
  echo kept > outside/kept
  chmod 640 outside/kept
  stderr_to talk.txt env LD_PRELOAD="$attempt" ATTEMPT_ON=/b.jpg ATTEMPT_OUTSIDE="$PWD/outside" ATTEMPT_OUT="$PWD/out/images" \
    ATTEMPT_TOLD="$PWD/told.txt" "${words[@]}" "$lockstep" run -v -p flip.json -i in -o out -j 1 "$@"
}

# refused NAME... / let_through NAME...: the outcome of these attempts.
refused() {
  local name
  for name; do
    grep -qxE "$name (1|13|18|38)" told.txt || { grep "^$name " told.txt; echo "$name: was not refused"; return 1; }
  done
}
let_through() {
  local name
  for name; do
    grep -qx "$name 0" told.txt || { grep "^$name " told.txt; echo "$name: was refused"; return 1; }
  done
}

calls='socket socket-udp socket-unix socketpair connect io_uring fork execve execveat kill tgkill ptrace prlimit
  outlive truncate truncate-out chmod fchmodat fchmodat2 chown lchown utimensat setxattr fifo'
files='read list write create mkdir unlink rename-away rename-here link symlink'
allowed='allowed-create allowed-ftruncate allowed-mkdir allowed-rename allowed-unlink allowed-kill-self
  allowed-tgkill-self allowed-limit allowed-name allowed-pipe allowed-flags allowed-copy'

untouched() {
  [ "$(ls -A outside)" = kept ]
  [ "$(cat outside/kept)" = kept ]
  [ "$(stat -c %a outside/kept)" = 640 ]
}

# The outputs are complete and correct.
complete() {
  cmp out/images/a.jpg clean/images/a.jpg
  cmp out/images/b.jpg clean/images/b.jpg
  cmp out/run.json clean/run.json
}

@test "sandbox: a worker is refused the network, programs, signals, and files elsewhere" {
  local version
  preloadable
  needs_landlock
  for version in '' 2 3; do
    attempts ${version:+ATTEMPT_ABI=$version} -- --sandbox on
    [ -e clean ] || "$lockstep" run -q -p flip.json -i in -o clean --sandbox off
    # shellcheck disable=SC2086 # words
    { refused $calls $files && let_through $allowed; } || { echo "ABI $version"; return 1; }
    untouched
    complete
    grep -q "^lockstep: workers are contained: files by Landlock (ABI ${version:-$(abi)}), system calls" talk.txt
  done
}

@test "sandbox: a worker is refused every call that is not on the list" {
  preloadable
  attempts -- --sandbox auto
  # Libraries do without a call that the kernel does not have.
  if grep '^call-' told.txt | grep -v ' 38$'; then echo 'was not refused'; return 1; fi
  [ "$(grep -c '^call-' told.txt)" -ge 180 ]
  # shellcheck disable=SC2086 # words
  let_through $allowed
  untouched
  [ -e out/run.json ]
}

@test "sandbox: a worker opens no path but those of inputs, libraries and the output" {
  preloadable
  needs_landlock
  attempts -- --sandbox on
  # Or the path does not exist.
  if grep '^path-' told.txt | grep -v ' \(1\|2\|13\)$'; then echo 'was not refused'; return 1; fi
  [ "$(grep -c '^path-.* 13$' told.txt)" -ge 30 ]
  attempts -- --sandbox off || true # the written files are gone then
  [ "$(grep -c '^path-.* 0$' told.txt)" -ge 20 ]
}

@test "sandbox: a worker cannot let a pipe kill the supervisor" {
  preloadable
  # The filter alone, Landlock alone, and both prevent it.
  attempts ATTEMPT_KILL=1 ATTEMPT_ABI=0 -- || [ $? -eq 5 ] # without Landlock, a.jpg is moved away
  refused kill-owner kill-signal kill-flag
  [ "$(abi)" -ge 6 ] || skip 'the kernel has no Landlock of ABI 6 or later'
  attempts ATTEMPT_KILL=1 ATTEMPT_NO_FILTER=1 -- || [ $? -eq 5 ] # without a filter, a.jpg is cut
  refused kill tgkill
  let_through kill-write
  attempts ATTEMPT_KILL=1 --
  [ -e out/run.json ]
}

@test "sandbox: without it, and where the kernel has half of it, the attempts show" {
  local version
  preloadable
  attempts -- --sandbox off || true # the written files are gone then
  let_through socket socket-unix fork kill read list write create mkdir outlive rename-away fifo symlink
  grep -qx 'lockstep: workers are not contained' talk.txt
  for version in 0 1; do
    attempts ATTEMPT_ABI=$version -- --sandbox auto || true
    # shellcheck disable=SC2086 # words
    refused $calls
    let_through read list write create mkdir
    grep -q '^lockstep: workers are contained in part: system calls by seccomp' talk.txt
  done
  attempts ATTEMPT_ABI=0 ATTEMPT_NO_FILTER=1 -- || true
  let_through socket read write
  grep -qx 'lockstep: workers are not contained' talk.txt
  needs_landlock
  attempts ATTEMPT_NO_FILTER=1 -- || true
  # shellcheck disable=SC2086 # words
  refused $files truncate
  let_through socket
  grep -q '^lockstep: workers are contained in part: files by Landlock' talk.txt
}

@test "sandbox: on is refused where the kernel cannot, before anything is made" {
  local words
  preloadable
  for words in ATTEMPT_ABI=0 ATTEMPT_ABI=1 ATTEMPT_NO_FILTER=1; do
    run -8 attempts $words -- --sandbox on
    grep -q 'the kernel cannot contain workers: .*\[sandbox-unavailable\]' talk.txt
    [ ! -e out ]
  done
}

# --- nothing else changes ---

@test "sandbox: the result is the same with it and without" {
  local words file
  for words in '--format jpeg' '--format png -n 2' '--format webp' '--format tiff --optimize fast'; do
    # shellcheck disable=SC2086 # the words are several
    for how in auto off; do
      "$lockstep" run -q -p "$root/pipelines/detection.json" -i "$samples/images" -a "$samples/annotations.json" \
        --masks "$samples/masks" -o $how -j 2 --on-error skip --sandbox $how $words || [ $? -eq 1 ]
    done
    same_tree auto off
    rm -r auto off
  done
  for file in $(starters); do
    for how in auto off; do
      "$lockstep" run -q -p "$file" -i "$samples/images" -a "$samples/annotations.json" -o $how -j 2 --sandbox $how
    done
    same_tree auto off
    rm -r auto off
  done
}

@test "sandbox: workers open nothing for writing outside of the output folder, and start nothing" {
  skip_when_sanitized "$lockstep"
  strace -f -y -qq -o trace.txt -e "trace=$("$here/tools/traced.py" --calls)" \
    "$lockstep" run -q -p "$root/pipelines/detection.json" -i "$samples/images" -a "$samples/annotations.json" \
    --masks "$samples/masks" -o out -j 2
  "$here/tools/traced.py" trace.txt "$PWD/out" 41 31
}

# --- files that may be read ---

@test "sandbox: a link among many files without one is followed" {
  local i link
  "$lockstep" run -q -p <(echo '{"version": 1, "transforms": [{"type": "resize", "size": [8, 8]}]}') \
    -i "$samples/images/street/0001.jpg" -o small
  mkdir -p plain/b plain/.c elsewhere
  cp small/images/0001.jpg elsewhere/z.jpg
  for ((i = 0; i < 300; i++)); do cp small/images/0001.jpg plain/b/$i.jpg; done
  for link in z.jpg b/z.jpg d .c/z.jpg; do
    rm -rf many
    cp -r plain many
    case $link in
    d) ln -s ../elsewhere many/d ;;
    */*) ln -s ../../elsewhere/z.jpg "many/$link" ;;
    *) ln -s ../elsewhere/z.jpg "many/$link" ;;
    esac
    (cd many && find -L . -name '*.jpg') | jq -Rs '{images: [split("\n")[:-1] | to_entries[]
      | {id: .key, file_name: .value[2:]}], annotations: [], categories: []}' > many.json
    [ "$(jq '.images | length' many.json)" -eq 301 ]
    rm -rf all
    "$lockstep" run -q -p flip.json -i many -a many.json -o all || { echo "$link"; return 1; }
    [ "$(find all/images -type f | wc -l)" -eq 301 ]
  done
}

@test "sandbox: links among the inputs are followed to where they lead, and no further" {
  local i
  mkdir -p in/here elsewhere/deep store
  cp "$samples/images/street/0001.jpg" elsewhere/a.jpg
  cp "$samples/images/fruit/0001.jpg" elsewhere/deep/b.jpg
  cp "$samples/images/desk/0001.jpg" in/here/c.jpg
  ln -s ../elsewhere/a.jpg in/a.jpg
  ln -s ../elsewhere/deep in/folder
  ln -s here/c.jpg in/d.jpg
  ln -s "$PWD/elsewhere" store/link
  ln -s ../store/link/a.jpg in/e.jpg
  for how in auto off; do stderr_to $how.txt "$lockstep" run -v -p flip.json -i in -o $how --sandbox $how; done
  same_tree auto off
  [ "$(find auto/images -type f | wc -l)" -eq 5 ]
  run ! grep 'may read all of' auto.txt
  # Too many for a rule each: the folder that all of them are in.
  "$lockstep" run -q -p <(echo '{"version": 1, "transforms": [{"type": "resize", "size": [8, 8]}]}') \
    -i elsewhere/a.jpg -o small
  mkdir many
  for ((i = 0; i < 600; i++)); do
    mkdir -p store/$((i % 20))
    cp small/images/a.jpg store/$((i % 20))/$i.jpg
    ln -s ../store/$((i % 20))/$i.jpg many/$i.jpg
  done
  stderr_to talk.txt "$lockstep" run -v -p flip.json -i many -o all
  [ "$(find all/images -type f | wc -l)" -eq 600 ]
  needs_landlock
  grep -q "; they may read all of $(realpath store), where links lead" talk.txt
}

@test "sandbox: preview, explain, profile and check decode in processes that are contained" {
  skip_when_sanitized "$lockstep"
  needs_landlock
  local command words
  mkdir few
  cp "$samples/images/street/0001.jpg" "$samples/images/harbour/0002.webp" few
  echo '{"images": [{"id": 1, "file_name": "0001.jpg"}, {"id": 2, "file_name": "0002.webp"}], "categories": [{"id": 1, "name": "a"}],
    "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [9, 9, -4, 4], "area": 16, "iscrowd": 0},
      {"id": 2, "image_id": 2, "category_id": 1, "bbox": [9, 9, -4, 4], "area": 16, "iscrowd": 0}]}' > few.json
  for command in 'preview -p flip.json -o sheet.png' 'explain -p flip.json' 'profile -p flip.json --repeat 1' \
    'check few.json --pixels --output json' 'check few.json --output html=report'; do
    read -r -a words <<< "$command"
    strace -f -qq -y -o trace.txt -e trace=landlock_restrict_self,seccomp,openat \
      "$lockstep" "${words[@]}" -i few > none.txt 2>&1 || [[ $command == check* ]]
    # Who reads an image to its end has entered before.
    awk '/landlock_restrict_self\(.*= 0/ { rules[$1] = 1 } /seccomp\(SECCOMP_SET_MODE_FILTER/ && /= 0/ { calls[$1] = 1 }
      /"(0001.jpg|0002.webp)"/ && !/O_PATH/ { read++; if (!rules[$1] || !calls[$1]) { print; bad = 1 } }
      END { exit bad || !read }' trace.txt || { echo "$command"; return 1; }
  done
}
