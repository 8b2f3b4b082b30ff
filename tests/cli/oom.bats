#!/usr/bin/env bats
# A failed allocation ends a run with exit code 8, or costs nothing. A small sample of
# `make search-oom`.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
}

fail_some() { # who, how many, option...
  needs_built tests/oom.so tests/make_families || return
  run -0 python3 "$here/fault/oom.py" "$lockstep" "$tools" "$1" --sample "$2" "${@:3}"
  [[ $output == *$'\n0 faults' && $output == *'exit 8: '* ]]
}

@test "oom: five allocations of the supervisor fail" {
  skip_when_sanitized "$lockstep"
  fail_some supervisor 5
}

@test "oom: five allocations of a worker fail" {
  skip_when_sanitized "$lockstep"
  fail_some worker 5
}

# bats test_tags=release
@test "oom: an allocation of the supervisor fails" {
  skip_when_sanitized "$lockstep"
  fail_some supervisor 20
}

# bats test_tags=release
@test "oom: an allocation of a worker fails, in libraries too" {
  skip_when_sanitized "$lockstep"
  fail_some worker 30
}

# bats test_tags=release
@test "oom: an allocation fails in a thread that a library of a worker started" {
  skip_when_sanitized "$lockstep"
  fail_some threads 60
}

@test "oom: libraries allocate by the definitions of the program" {
  skip_when_sanitized "$lockstep"
  run -0 nm -D --defined-only --format=posix "$lockstep"
  for name in malloc calloc realloc memalign aligned_alloc posix_memalign; do
    [[ $'\n'$output == *$'\n'"$name T "* ]]
  done
}

# bats test_tags=release
@test "oom: images of workers that lack memory are skipped as such" {
  skip_when_sanitized "$lockstep"
  run -0 python3 "$here/fault/oom.py" "$lockstep" "$tools" worker --sample 6 --seed 2 --on-error skip
  [[ $output == *'skipped, out of memory'* ]]
}
