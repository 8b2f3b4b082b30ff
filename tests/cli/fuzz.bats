#!/usr/bin/env bats
# A part of `make search-fuzz`: whole commands on files that were mutated. That one runs with sanitizers, and for long.
# shellcheck disable=SC2016 # the program that lies expands them
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() { begin; }

fuzz() { # LOCKSTEP CASES TRIALS
  TMPDIR=$PWD timeout 300 python3 "$here/search/fuzz_commands.py" "$1" "$tools" --case "$2" --trials "$3" --seed 5 --seconds 200
}

# bats test_tags=release
@test "fuzz: commands on mutated files of every kind end as the manual says" {
  needs_built tests/make_families || return
  fuzz "$lockstep" '' 440
}

@test "fuzz: commands on mutated files end as the manual says, and it sees a program that does not" {
  needs_built tests/make_families || return
  local what
  fuzz "$lockstep" '^(shards|results|anchors)$' 24
  for what in '[ $code = 4 ] && code=7' '[ $code = 4 ] && code=5' '[[ $1 = merge ]] && rm -f {out,shards}/images/a__a000.jpg' \
    'echo x >> anchors/a.csv' 'echo x > "$TMPDIR/x"' 'echo "runtime error: x" >&2' 'kill -9 $$'; do
    # The seeds are made by the program itself, and are to be right.
    printf '#!/bin/bash\n"%s" "$@"\ncode=$?\n[[ $PWD = */trial-* ]] || exit $code\n%s\nexit $code\n' "$lockstep" "$what" > lying
    chmod +x lying
    run fuzz ./lying '^(shards|anchors)$' 16
    [[ $status = 1 && $output = *'FINDING at trial '* ]] || { echo "$what: $output"; return 1; }
  done
}
