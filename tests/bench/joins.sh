#!/usr/bin/env bash
# joins.sh: images that are joined from several. The limit decodes each image and encodes one, which cannot be avoided.
# lockstep is compared with this limit and with OpenCV as an expert uses it (peers/joins.py: boxes only), in turns.
# Ratios are taken within a round.
#
# Environment: as in bench.sh (LOCKSTEP, CORPUS, IMAGES, ROUNDS, JOBS, OPTIMIZE, OUT); WORKLOADS ("mosaic mix-up
# copy-paste some-pasted"); PYTHON (/usr/bin/python3, which has Debian's packages). Without OpenCV its columns are
# empty.
set -euo pipefail

# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

read -ra workloads <<<"${WORKLOADS:-mosaic mix-up copy-paste some-pasted}"
python=${PYTHON:-/usr/bin/python3}

# name (its pipeline's, too), images that are decoded, rows of the result, required and aimed fraction
# of the limit, title
table='
mosaic      4 640 0.70 0.80 mosaic of 4 to 640x640
mix-up      2 480 0.70 0.80 mix-up
copy-paste  2 480 0.70 0.80 copy-paste, soft edges
some-pasted 2 480 0.70 0.80 some objects pasted'

row() {
    read -r name decoded rows required aim title < <(
        awk -v name="$1" '$1 == name' <<<"$table"
    ) || die "there is no workload $1; there are: mosaic mix-up copy-paste some-pasted"
}

have_opencv() {
    "$python" -c 'import cv2, numpy' >"$out/log" 2>&1
}

run_limit() { # images/s in $rate
    rm -rf "$out/limit"
    timed "$build/limit" "$corpus/images" "$out/limit" "$jobs" "$decoded" 1 "$rows"
    rate=$(per_second "$(count "$out/limit")" "$seconds")
}

run_opencv() { # images/s in $rate; its clock starts after its imports
    rm -rf "$out/peer"
    timed env PYTHONDONTWRITEBYTECODE=1 OMP_NUM_THREADS=1 \
        "$python" "$here/peers/joins.py" "$name" "$corpus" "$out/peer" "$jobs" "$total"
    rate=$(per_second "$(count "$out/peer/images")" \
        "$(sed -n 's/^images .* seconds //p' "$out/log")")
}

# measure ROUND: adds "workload lockstep limit OpenCV, of the limit, of OpenCV" to the results.
measure() {
    local ours limit opencv=0 total
    total=$(count "$corpus/images")
    if (($1 % 2 == 0)); then
        run_limit
        limit=$rate
    fi
    run_lockstep "$name" "$corpus" "$corpus/annotations.json"
    ours=$rate
    if (($1 % 2)); then
        run_limit
        limit=$rate
    fi
    if [[ $peer == yes ]]; then
        run_opencv
        opencv=$rate
    fi
    [[ $(count "$out/lockstep") -eq $total ]] || die "$out/lockstep does not hold $total images"
    awk -v name="$name" -v ours="$ours" -v limit="$limit" -v opencv="$opencv" 'BEGIN {
            print name, ours, limit, opencv, ours / limit, opencv ? ours / opencv : 0
        }' >>"$out/results"
}

prepare small
compile limit
peer=no
if have_opencv; then peer=yes; fi
rm -f "$out/results"
for ((round = 1; round <= rounds; round++)); do
    for workload in "${workloads[@]}"; do
        row "$workload"
        measure "$round"
    done
done
printf 'images of several; %d jobs, %d rounds, medians; OpenCV: boxes only\n' "$jobs" "$rounds"
printf '%-24s %9s %9s %9s %9s %7s %15s   %s\n' '' lockstep limit OpenCV 'times it' '' \
    '' 'fraction of the limit'
printf '%-24s %9s %9s %9s %9s %7s %15s   %s\n' workload images/s images/s images/s '' ratio \
    'least - most' 'required | aim'
below=()
for workload in "${workloads[@]}"; do
    row "$workload"
    read -r ours _ <<<"$(column "$name" 2)"
    read -r limit _ <<<"$(column "$name" 3)"
    read -r opencv _ <<<"$(column "$name" 4)"
    read -r ratio least most <<<"$(column "$name" 5)"
    read -r times _ <<<"$(column "$name" 6)"
    if [[ $peer == no ]]; then opencv=- times=-; fi
    printf '%-24s %9.1f %9.1f %9.6s %9.5s %7.3f   %5.3f - %5.3f       %.2f | %.2f\n' "$title" \
        "$ours" "$limit" "$opencv" "$times" "$ratio" "$least" "$most" "$required" "$aim"
    if awk -v a="$ratio" -v b="$required" 'BEGIN { exit !(a < b) }'; then
        below+=("$(printf '%s (%.3f of %s)' "$name" "$ratio" "$required")")
    fi
done
say_below ${below[@]+"${below[@]}"}
rm -rf "$out/lockstep" "$out/limit" "$out/peer"
