#!/usr/bin/env bash
# bench.sh: lockstep against the limit (plain decode, encode and file I/O), interleaved.
#
# The limit decodes to colors, as every program does. Next to it are the limits for "fast" (planes of luma and chroma as
# in the file) and for "lossless" (coefficients).
#
# Each round runs, for each workload, lockstep and the limit on the same corpus and file system, in
# turns of who is first; the ratio is taken within a round, because machines drift by the minute.
# lockstep's runs are whole processes, COCO in and out. Nothing fails for being slow.
#
# Environment:
#   LOCKSTEP      the program (build/lockstep)
#   CORPUS        a folder with images/, annotations.json and annotations-20.json; made once in build/bench/corpus
#   IMAGES        images of a new corpus (1200: a run of 400 takes half a second, a tenth of it starting and ending)
#   CORPUS_LARGE, IMAGES_LARGE    the same for images of 12 megapixels (24)
#   ROUNDS (5), JOBS (2)
#   WORKLOADS     names of the table below (all)
#   OPTIMIZE      a mode for all pipelines (each pipeline's own)
#   OUT           a scratch folder, whose lockstep/ and limit/ are emptied (in /dev/shm if 1 GB is free there, else
#                 build/bench/out)
#   JOINS, INSTANCES, JOURNAL, MEMORY    "no" skips the measurements of the script of that name (yes)
set -euo pipefail

# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

# name, pipeline, corpus, annotations, copies of each image, what the limit decodes to, required (-:
# nothing) and aimed fraction of it, title
table='
copy              copy          small annotations    1 rgb          0.90 0.95 re-encode
flip              flip          small annotations    1 rgb          0.85 0.92 flip
ten               ten           small annotations    1 rgb          0.80 0.92 ten table ops
main              main          small annotations    1 rgb          0.35 0.50 main, exact
main-fast         main-fast     small annotations    1 rgb          0.70 0.85 main, fast
flip-planes       flip          small annotations    1 planes       -    0.89 flip, of planes
flip-lossless     flip-lossless small annotations    1 coefficients -    0.85 flip, lossless, of coeff.
main-fast-planes  main-fast     small annotations    1 planes       -    0.80 main, fast, of planes
flip-8            flip-tables   small annotations    8 rgb          0.90 0.95 flip and tables, 8 copies
main-fast-8       main-fast     small annotations    8 rgb          0.85 0.95 main, fast, 8 copies
affines           affines       small annotations    1 rgb          0.75 0.85 four affines, fast
polygons          main-fast     small annotations-20 1 rgb          0.65 0.80 20 polygons an image, fast
shrink            shrink        large annotations    1 rgb          3.00 4.00 12 MP to 256, fast'
all=$(awk '{ printf "%s ", $1 }' <<<"$table")
read -ra workloads <<<"${WORKLOADS:-$all}"

# row NAME: its row of the table, in variables.
row() {
    read -r name pipeline size annotations copies kind required aim title < <(
        awk -v name="$1" '$1 == name' <<<"$table"
    ) || die "there is no workload $1; there are: $all"
    folder=$corpus
    if [[ $size == large ]]; then folder=$corpus_large; fi
}

run_limit() { # images/s in $rate
    local total
    rm -rf "$out/limit"
    timed "$build/limit" "$folder/images" "$out/limit" "$jobs" 1 "$copies" 0 "$kind"
    total=$(count "$out/limit")
    rate=$(per_second "$total" "$seconds")
}

# measure ROUND: adds "workload lockstep limit ratio" of the row to the results.
measure() {
    local ours limit total
    if (($1 % 2 == 0)); then
        run_limit
        limit=$rate
    fi
    run_lockstep "$pipeline" "$folder" "$folder/$annotations.json" -n "$copies"
    ours=$rate
    if (($1 % 2)); then
        run_limit
        limit=$rate
    fi
    total=$(($(count "$folder/images") * copies))
    [[ $(count "$out/lockstep") -eq $total ]] || die "$out/lockstep does not hold $total images"
    [[ $(count "$out/limit") -eq $total ]] || die "$out/limit does not hold $total images"
    awk -v name="$name" -v ours="$ours" -v limit="$limit" \
        'BEGIN { print name, ours, limit, ours / limit }' >>"$out/results"
}

sizes=()
for workload in "${workloads[@]}"; do
    row "$workload"
    if [[ " ${sizes[*]} " != *" $size "* ]]; then sizes+=("$size"); fi
done
prepare "${sizes[@]}"
compile limit
rm -f "$out/results"
for ((round = 1; round <= rounds; round++)); do
    for workload in "${workloads[@]}"; do
        row "$workload"
        measure "$round"
    done
done

for size in "${sizes[@]}"; do
    folder=$corpus
    if [[ $size == large ]]; then folder=$corpus_large; fi
    find "$folder/images" -name '*.jpg' -printf '%s\n' | awk -v size="$size" \
        '{ sum += $1 } END { printf "%s: %d images, %.0f kB each; ", size, NR, sum / NR / 1000 }'
done
printf '%d jobs, %d rounds, medians%s\n' "$jobs" "$rounds" \
    "${OPTIMIZE:+; all with \"optimize\": \"$OPTIMIZE\"}"
printf '%-27s %9s %9s %7s %15s   %s\n' '' lockstep limit '' '' 'fraction of the limit'
printf '%-27s %9s %9s %7s %15s   %s\n' workload images/s images/s ratio 'least - most' 'required | aim'
below=()
for workload in "${workloads[@]}"; do
    row "$workload"
    read -r ours _ <<<"$(column "$name" 2)"
    read -r limit _ <<<"$(column "$name" 3)"
    read -r ratio least most <<<"$(column "$name" 4)"
    printf '%-27s %9.1f %9.1f %7.3f   %5.3f - %5.3f       %4s | %.2f\n' "$title" "$ours" "$limit" \
        "$ratio" "$least" "$most" "$required" "$aim"
    if [[ $required != - ]] && awk -v a="$ratio" -v b="$required" 'BEGIN { exit !(a < b) }'; then
        below+=("$(printf '%s (%.3f of %s)' "$name" "$ratio" "$required")")
    fi
done
say_below ${below[@]+"${below[@]}"}
rm -rf "$out/lockstep" "$out/limit"

if [[ ${JOINS:-yes} != no ]]; then
    WORKLOADS="" "$here/joins.sh"
fi
if [[ ${INSTANCES:-yes} != no ]]; then
    "$here/instances.sh"
fi
if [[ ${JOURNAL:-yes} != no ]]; then
    "$here/journal.sh"
fi
if [[ ${MEMORY:-yes} != no ]]; then
    "$here/memory.sh"
fi
