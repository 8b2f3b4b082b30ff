#!/usr/bin/env bash
# bench.sh: lockstep against the limit (plain decode, encode and file I/O), interleaved.
#
# Each round runs, for each workload, lockstep and the limit on the same corpus and file system, in
# turns of who is first; the ratio is taken within a round, because machines drift by the minute.
#
# Environment: LOCKSTEP (build/lockstep), CORPUS (a folder with images/ and annotations.json; made
# once in build/bench/corpus), IMAGES (200, when it is made), ROUNDS (5), JOBS (2), WORKLOADS ("copy
# flip main"), OUT (a scratch folder, build/bench/out; its lockstep/ and
# limit/ are emptied).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/bench
lockstep=${LOCKSTEP:-$root/build/lockstep}
corpus=${CORPUS:-$build/corpus}
images=${IMAGES:-200}
rounds=${ROUNDS:-5}
jobs=${JOBS:-2}
out=${OUT:-$build/out}
read -ra workloads <<<"${WORKLOADS:-copy flip main}"

die() {
    echo "bench: $*" >&2
    exit 1
}

# compile NAME: a tool of this folder, unless it is newer than its source.
compile() {
    if [[ ! $build/$1 -nt $here/$1.c ]]; then
        "${CC:-cc}" -std=c11 -D_GNU_SOURCE -O2 -o "$build/$1" "$here/$1.c" -ljpeg -lm
    fi
}

# timed COMMAND...: seconds it takes, in $seconds; its output goes to a log.
timed() {
    local start=$EPOCHREALTIME
    "$@" >"$out/log" 2>&1 || {
        cat "$out/log" >&2
        die "failed: $*"
    }
    seconds=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.6f", b - a }')
}

# count FOLDER: dies unless it holds as many JPEGs as the corpus.
count() {
    local n
    n=$(find "$1" -name '*.jpg' | wc -l)
    [[ $n -eq $total ]] || die "$1 has $n images, not $total"
}

# run_lockstep WORKLOAD and run_limit: one run into an empty folder; images/s in $rate.
run_lockstep() {
    rm -rf "$out/lockstep"
    timed "$lockstep" run -p "$here/$1.json" -i "$corpus/images" -a "$corpus/annotations.json" \
        -o "$out/lockstep" -j "$jobs" --progress none --overwrite
    count "$out/lockstep"
    rate=$(awk -v n="$total" -v s="$seconds" 'BEGIN { printf "%.2f", n / s }')
}

run_limit() {
    rm -rf "$out/limit"
    timed "$build/limit" "$corpus/images" "$out/limit" "$jobs"
    count "$out/limit"
    rate=$(awk -v n="$total" -v s="$seconds" 'BEGIN { printf "%.2f", n / s }')
}

# measure ROUND WORKLOAD: adds "workload lockstep limit ratio" to the results.
measure() {
    local ours limit
    if (($1 % 2)); then
        run_lockstep "$2"
        ours=$rate
        run_limit
        limit=$rate
    else
        run_limit
        limit=$rate
        run_lockstep "$2"
        ours=$rate
    fi
    awk -v name="$2" -v ours="$ours" -v limit="$limit" \
        'BEGIN { print name, ours, limit, ours / limit }' >>"$out/results"
}

# median WORKLOAD COLUMN: of a column of the results.
median() {
    awk -v name="$1" -v column="$2" '$1 == name { print $column }' "$out/results" | sort -g |
        awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int((NR + 2) / 2)]) / 2 }'
}

[[ -x $lockstep ]] || die "$lockstep is missing; build it first, or set LOCKSTEP"
mkdir -p "$build"
compile limit
if [[ ! -e $corpus/annotations.json ]]; then
    [[ -z ${CORPUS:-} ]] || die "$corpus/annotations.json is missing"
    compile make_corpus
    # Made aside and renamed: a corpus that is there is whole.
    rm -rf "$corpus.part"
    "$build/make_corpus" "$corpus.part" "$images"
    rm -rf "$corpus"
    mv "$corpus.part" "$corpus"
fi
total=$(find "$corpus/images" -name '*.jpg' | wc -l)

mkdir -p "$out"
rm -f "$out/results"
# Warm the page cache, so that the first round does not pay for it.
cat "$corpus"/images/*.jpg | wc -c >"$out/log"
for ((round = 1; round <= rounds; round++)); do
    for workload in "${workloads[@]}"; do
        measure "$round" "$workload"
    done
done

printf '%d images, %d jobs, %d rounds, medians\n' "$total" "$jobs" "$rounds"
printf '%-10s %18s %18s %8s\n' workload 'lockstep images/s' 'limit images/s' ratio
for workload in "${workloads[@]}"; do
    printf '%-10s %18.1f %18.1f %8.3f\n' "$workload" "$(median "$workload" 2)" \
        "$(median "$workload" 3)" "$(median "$workload" 4)"
done
