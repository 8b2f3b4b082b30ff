#!/usr/bin/env bash
# journal.sh: the cost of the journal. The main job runs with the journal, with reports in memory only, and with
# --durability batch. The first two synchronize nothing. Processor time, interleaved, medians.
#
# Environment: as in bench.sh (LOCKSTEP, CORPUS, IMAGES, JOBS, OUT); BUILD (build); JOURNAL_ROUNDS (11).
set -euo pipefail

# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

rounds=${JOURNAL_ROUNDS:-11}
without=$root/${BUILD:-build}/tests/no_journal

# cpu NAME COMMAND DURABILITY: adds "NAME seconds" of processors to the results.
cpu() {
    rm -rf "$out/lockstep"
    sync -f "$out"
    TIMEFORMAT='%U %S'
    { time "$2" run -p "$(pipeline main)" -i "$corpus/images" -a "$corpus/annotations.json" \
        -o "$out/lockstep" -j "$jobs" --progress none --durability "$3" >"$out/log" 2>&1; } \
        2>"$out/time" || die "failed: $(head -c 2000 "$out/log")"
    awk -v name="$1" '{ print name, $1 + $2 }' "$out/time" >>"$out/results"
}

prepare small
[[ -x $without ]] || die "$without is missing: make bench builds it"
rm -f "$out/results"
for ((round = 0; round < rounds; round++)); do
    for ((i = 0; i < 3; i++)); do
        case $(((round + i) % 3)) in
        0) cpu without "$without" none ;;
        1) cpu with "$lockstep" none ;;
        2) cpu batch "$lockstep" batch ;;
        esac
    done
done
read -r base _ <<<"$(column without 2)"
printf '%-44s %9s %9s %17s   %s\n' "journal: main job, $images images" 'cpu s' ratio 'least - most s' required
for name in without with batch; do
    read -r median least most <<<"$(column "$name" 2)"
    awk -v name="$name" -v median="$median" -v base="$base" -v least="$least" -v most="$most" 'BEGIN {
        title = name == "batch" ? "with it, --durability batch" : name == "with" ? "with it" : "without it"
        printf "%-44s %9.3f %9.3f %8.3f - %.3f   %s\n", title, median, median / base, least, most,
            name == "with" ? "1.01" : "" }'
done
rm -rf "$out/lockstep"
