#!/usr/bin/env bats
# A part of `make torture`: runs that are stopped and disturbed at some of the places that it tries all of.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() { begin; }

# tortured PART...
tortured() {
  local parts=()
  skip_when_sanitized "$lockstep"
  needs_built tests/short.so tests/oom.so || return
  for part in "$@"; do parts+=(--part "$part"); done
  TMPDIR=$PWD python3 "$here/torture/torture.py" "$lockstep" "$tools" --share "${share:-100}" --seed "$RANDOM" "${parts[@]}"
}

@test "torture: killed at four system calls, a run goes on to the same files" { share=1000000 tortured kill; }

@test "torture: one of each kind of damaged journal" { share=1000000 tortured journal; }

# bats test_tags=release
@test "torture: killed at some system calls, a run goes on to the same files" { tortured kill workers overwrite resume; }

# bats test_tags=release
@test "torture: so does one whose journal is cut or damaged" { tortured journal; }

# bats test_tags=release
@test "torture: system calls that fail are reported, and nothing is lost" { tortured faults short limits; }

# bats test_tags=release
@test "torture: shards and merges that are killed or disturbed, and runs in many shards" { share=300 tortured shards merge divided; }

# bats test_tags=release
@test "torture: archives, pipes, devices and control groups" { share=1 tortured archives outputs groups; }

@test "torture: chains of kills and faults, of every kind of job" { tortured chains; }

# lying SHARE COMMANDS OPTIONS...: the torture fails, and counts lies, where lockstep is followed by these commands.
lying() {
  skip_when_sanitized "$lockstep"
  needs_built tests/short.so tests/oom.so || return
  printf '#!/bin/bash\n"%s" "$@"\ncode=$?\nfor word; do\n%s\ndone\nexit $code\n' "$lockstep" "$2" > lying
  chmod +x lying
  TMPDIR=$PWD run -1 python3 "$here/torture/torture.py" ./lying "$tools" --share "$1" --seed 7 "${@:3}"
  [[ $output =~ lies:\ [1-9] ]] || { echo "$output"; return 1; }
}

# bats test_tags=release
@test "torture: it sees an image that is lost, a pipe that becomes a file, and bytes that do not arrive" {
  # shellcheck disable=SC2016 # the program expands them
  lying 1 '[[ $* = *in.tar.gz* && -d $word/images ]] && rm -f "$(find "$word/images" -type f | sort | tail -1)"' --part archives
  # shellcheck disable=SC2016
  lying 3 'if [ -p "$word" ]; then rm "$word"; echo > "$word"; code=0; fi' --part outputs
  # shellcheck disable=SC2016
  lying 3 'if [ -c "$word" ]; then code=0; fi' --part outputs
}
