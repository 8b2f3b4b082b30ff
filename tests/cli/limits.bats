#!/usr/bin/env bats
# A run that lasts, and is synchronised with the disk meanwhile, ends by itself.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  crash=$(realpath "$(dirname "$lockstep")")/tests/crash.so
  ulimit -c 0
  pipeline steps.json '{"type": "horizontal_flip"}'
  mkdir in
  for name in a b c d e f; do cp "$samples/images/street/0001.jpg" in/$name.jpg; done
}

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
  timeout 60 strace -f -qq -o trace.txt "${words[@]}" "$lockstep" run -q -p steps.json -i in -o "$@"
}


@test "limits: a run during which the disk is synchronised ends by itself, complete" {
  local jobs
  go clean -n 2
  for jobs in 1 3; do
    rm -rf out
    traced syncfs,renameat2 renameat2:delay_enter=900000 -- out -n 2 -j $jobs
    same_tree clean out
    # By a process of its own, and at the end by the run's.
    [ "$(awk '/syncfs/ { print $1 }' trace.txt | sort -u | wc -l)" -ge 2 ] || { cat trace.txt; return 1; }
  done
}

@test "limits: a worker that is replaced while the disk is synchronised changes nothing" {
  skip_when_sanitized "$lockstep"
  [ -e "$crash" ] || { echo "$crash is not built; make check builds it"; return 1; }
  mv in/b.jpg in/z.jpg
  go clean -n 2
  timeout 60 strace -f -qq -o trace.txt -E LD_PRELOAD="$crash" -E CRASH_ON=z.jpg -E CRASH_SIGNAL=9 \
    -E CRASH_ONCE="$PWD/once" -e trace=syncfs,renameat2 -e inject=renameat2:delay_enter=450000 \
    "$lockstep" run -q -p steps.json -i in -o out -n 2 -j 1
  [ -e once ]
  same_tree clean out
}
