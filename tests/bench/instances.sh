#!/usr/bin/env bash
# instances.sh: the cost of objects. lockstep runs on the same images with 0, about 7, 20 and 200 objects each, nearly
# all polygons, interleaved; ratios are taken within a round.
#
# Environment: as in bench.sh (LOCKSTEP, CORPUS, IMAGES, ROUNDS, JOBS, OPTIMIZE, OUT). The pipeline is main-fast.json,
# which turns everything.
set -euo pipefail

# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

# instances, annotations, least share of the speed without any
table='
0   annotations-0   1
7   annotations     0
20  annotations-20  0.90
200 annotations-200 0'

prepare small
rm -f "$out/results"
for ((round = 1; round <= rounds; round++)); do
    none=
    while read -r n annotations _; do
        run_lockstep main-fast "$corpus" "$corpus/$annotations.json"
        none=${none:-$rate}
        awk -v n="$n" -v rate="$rate" -v none="$none" 'BEGIN { print n, rate, rate / none }' \
            >>"$out/results"
    done < <(sed 1d <<<"$table")
done
printf '%-27s %9s %7s %15s   %s\n' 'instances an image' images/s 'of none' 'least - most' required
below=()
while read -r n _ required; do
    read -r speed _ <<<"$(column "$n" 2)"
    read -r ratio least most <<<"$(column "$n" 3)"
    printf '%-27s %9.1f %7.3f   %5.3f - %5.3f   %s\n' "$n" "$speed" "$ratio" "$least" "$most" \
        "$([[ $required == 0 ]] || echo "$required")"
    if awk -v a="$ratio" -v b="$required" 'BEGIN { exit !(a < b) }'; then
        below+=("$n instances ($ratio of $required)")
    fi
done < <(sed 1d <<<"$table")
say_below ${below[@]+"${below[@]}"}
rm -rf "$out/lockstep"
