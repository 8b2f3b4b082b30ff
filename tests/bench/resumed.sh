#!/usr/bin/env bash
# resumed.sh: a run that is killed at random moments and resumed each time must leave the files of an undisturbed run,
# and take little longer. Measured is processor time of all processes, of undisturbed and killed runs in turns.
#
# Environment: LOCKSTEP, OUT and JOBS as in bench.sh; KILLS (10); RESUMED_IMAGES (2000, but only 40 are different) and
# ROUNDS (5), each with different moments.
set -euo pipefail

# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

kills=${KILLS:-10}
total=${RESUMED_IMAGES:-2000}
number KILLS "$kills"
number RESUMED_IMAGES "$total"
number ROUNDS "$rounds"
number JOBS "$jobs"
mkdir -p "$build" "$out"
if [[ ! -e $build/corpus-resumed/$total ]]; then
    compile make_corpus
    rm -rf "$build/corpus-resumed"
    "$build/make_corpus" "$build/corpus-resumed" "$total" small 40
    touch "$build/corpus-resumed/$total"
fi
rm -f "$out/results"
for ((round = 1; round <= rounds; round++)); do
    for name in flip main; do
        row=$(OUT=$out python3 "$here/resumed.py" "$kills" "$round" "$lockstep" run -q -p "$here/$name.json" \
            -i "$build/corpus-resumed/images" -a "$build/corpus-resumed/annotations.json" -j "$jobs")
        echo "$name $row" >>"$out/results"
    done
done
printf '%-44s %9s %9s %9s %15s   %s\n' "$total images, killed $kills times" 'one run s' 'parts s' ratio \
    'least - most' required
for name in flip main; do
    read -r once _ <<<"$(column "$name" 2)"
    read -r parts _ <<<"$(column "$name" 3)"
    read -r ratio least most <<<"$(column "$name" 4)"
    printf '%-44s %9.3f %9.3f %9.3f   %5.3f - %5.3f   1.1\n' "$name" "$once" "$parts" "$ratio" "$least" "$most"
done
