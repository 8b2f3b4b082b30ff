#!/usr/bin/env bash
# merge.sh: measures a merge of very many records: wall time, processor time, and peak memory. The shards are made up:
# they have no images, so outputs are not requested. If the data exceeds the memory of the machine, the disk sets the
# speed.
#
# Environment: BUILD (build); SIZES ("100000 300000 1000000"), in records; SHARDS (16); COPIES (4); OBJECTS (10) of each
# record; OUT (build/bench/merge), LOCKSTEP. A million records need 25 GB there. Exits with 1 if memory exceeds 300 MB.
set -euo pipefail

# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

tools=$root/${BUILD:-build}/tests
shards=${SHARDS:-16}
copies=${COPIES:-4}
objects=${OBJECTS:-10}
out=${OUT:-$build/merge}
number SHARDS "$shards"
number COPIES "$copies"
number OBJECTS "$objects"
mkdir -p "$out"
trap 'rm -rf "$out/out"' EXIT

bad=0
printf '%10s %8s %10s %14s %14s %8s %8s\n' records shards seconds 'us a record' 'of processor' 'MB' 'GB made'
for records in ${SIZES:-100000 300000 1000000}; do
    number SIZES "$records"
    rm -rf "$out/out"
    for ((i = 0; i < shards; i++)); do
        "$lockstep" run -q -p "$here/flip.json" -i "$root/samples/images" -a "$root/samples/annotations.json" -o "$out/out" \
            -n "$copies" --format png --shard "$i/$shards" --durability none
        "$tools/bench_merge" "$out/out/.lockstep/shards/$i-of-$shards" "$i" "$shards" "$records" "$copies" "$objects"
    done
    read -r seconds cpu mb < <(python3 "$here/measure.py" '' 0 "$lockstep" merge -q --durability none "$out/out")
    lines=$(wc -l <"$out/out/manifest.jsonl")
    ((lines == records * copies)) || die "$lines lines for $((records * copies)) outputs"
    awk -v n="$records" -v shards="$shards" -v s="$seconds" -v c="$cpu" -v mb="$mb" -v b="$(du -sb "$out/out" | cut -f 1)" \
        'BEGIN { printf "%10d %8d %10.1f %14.1f %14.1f %8d %8.1f\n", n, shards, s, 1e6 * s / n, 1e6 * c / n, mb, b / 1e9 }'
    ((mb <= 300)) || bad=1
done
exit $bad
