#!/usr/bin/env bash
# memory.sh: does a worker grow, and does it keep its pages? One worker over very many images.
#
# Prints the anonymous memory of the worker after 200 images and at the end, and its minor page
# faults for each image in between. The images are hard links to a few, with their COCO. Needs some
# 80 kB of disk for each image while it runs.
#
# Environment: LOCKSTEP, OPTIMIZE and OUT as in bench.sh; MEMORY_IMAGES (20000); MEMORY_PIPELINE
# (main-fast).
set -euo pipefail

# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

out=${OUT:-$build/out} # too much for memory
total=${MEMORY_IMAGES:-20000}
name=${MEMORY_PIPELINE:-main-fast}
warm=200
links=$build/corpus-memory
result=$out/memory
supervisor=

# look: stores the worker's state in $done_now, $anonymous (kB) and $faults; fails if the worker has ended.
look() {
    local stat
    { anonymous=$(awk '/^Anonymous:/ { print $2 }' "/proc/$worker/smaps_rollup"); } 2>/dev/null || return 1
    { stat=$(<"/proc/$worker/stat"); } 2>/dev/null || return 1
    [[ -n $anonymous ]] || return 1
    # The command's name, in brackets, may hold blanks; minflt is the eighth word after it.
    read -r _ _ _ _ _ _ _ faults _ <<<"${stat##*) }"
    done_now=$(find "$result/images" -name '*.jpg' 2>/dev/null | wc -l) || done_now=0 # no folder yet
}

clean() {
    if [[ -n $supervisor ]]; then kill "$supervisor" 2>/dev/null || true; fi
    wait
    rm -rf "$result" "$links" "$links.part"
}

number MEMORY_IMAGES "$total"
((total > 2 * warm)) || die "MEMORY_IMAGES: at least $((2 * warm + 1)) are needed"
[[ -x $lockstep ]] || die "$lockstep is missing; build it first, or set LOCKSTEP"
mkdir -p "$build" "$out"
trap clean EXIT
compile make_corpus
rm -rf "$result" "$links"
"$build/make_corpus" "$links" "$total" small 8
path=$(pipeline "$name")

"$lockstep" run -p "$path" -i "$links/images" -a "$links/annotations.json" -o "$result" -j 1 \
    --progress none >"$out/log" 2>&1 &
supervisor=$!
worker=
until [[ -n $worker ]] && look && ((done_now >= warm)); do # the first child need not be a worker
    kill -0 "$supervisor" 2>/dev/null || die "lockstep ended early: $(head -c 2000 "$out/log")"
    read -r worker _ <"/proc/$supervisor/task/$supervisor/children" || true # no line's end
    sleep 0.02
done
first="$done_now $anonymous $faults"
last=$first
while look; do
    last="$done_now $anonymous $faults"
    sleep 0.25
done
wait "$supervisor" || die "lockstep failed: $(head -c 2000 "$out/log")"
supervisor=
[[ ${last%% *} -gt ${first%% *} ]] || die "too fast to look at: raise MEMORY_IMAGES"
awk -v first="$first" -v last="$last" -v name="$name${OPTIMIZE:+, $OPTIMIZE}" 'BEGIN {
    split(first, a)
    split(last, b)
    printf "memory of a worker (%s): %.2f MB after %d images, %.2f MB after %d: %+.2f MB (required: within 2)\n", \
        name, a[2] / 1024, a[1], b[2] / 1024, b[1], (b[2] - a[2]) / 1024
    printf "minor page faults: %.2f an image (required: below 5)\n", (b[3] - a[3]) / (b[1] - a[1])
}'
