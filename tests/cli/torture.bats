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
