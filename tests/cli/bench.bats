# Benchmarks: the cost of each op can be measured, and the programs of `make bench` compile.
# bats file_tags=release
# shellcheck disable=SC2154 # run --separate-stderr sets stderr
bats_require_minimum_version 1.5.0

load ../lib/helpers

setup() { begin; }

@test "make bench-ops: the cost of every op can be measured" {
  # These need pictures of --stamps, or a font, which a loop over ops does not provide.
  "$lockstep" list ops | awk '$1 !~ /^(overlay|match_histogram|adapt_distribution|adapt_spectrum|draw_text)$/ { print "2000 1500 3 8 " $1 }' > ops.txt
  needs_built tests/bench_ops
  run -0 --separate-stderr "$tools/bench_ops" - < ops.txt
  echo "$stderr"
  [ "$(wc -l < ops.txt)" -gt 80 ]
  [ "${#lines[@]}" -eq "$(wc -l < ops.txt)" ]
  [ -z "$(printf '%s\n' "${lines[@]}" | grep -vE '^[0-9]+ [0-9]+$')" ]
}

@test "make bench: its programs compile, and without a journal the same is written" {
  read -ra vips <<< "$(pkg-config --cflags vips)"
  for program in limit make_corpus make_records vips_chain; do
    cc -std=c11 -D_GNU_SOURCE -fsyntax-only "${vips[@]}" "$root/tests/bench/$program.c"
  done
  needs_built tests/no_journal
  for program in "$lockstep" "$tools/no_journal"; do
    "$program" run -q -p "$root/pipelines/detection.json" -i "$root/samples/images" \
      -a "$root/samples/annotations.json" -o "$(basename "$program")"
  done
  diff -r --exclude=run.json lockstep no_journal
}
