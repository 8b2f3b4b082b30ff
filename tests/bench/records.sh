#!/usr/bin/env bash
# records.sh: measures very many records. Each step before the first image is decoded runs with 10 000 records and with
# 1 000 000. For a whole run, the peak memory of the supervisor is measured.
#
# Environment: BUILD (build); FEW (10000) and MANY (1000000) records; RUN (100000), the records of the whole runs, which
# write two outputs for each; JOBS (2); LOCKSTEP and OUT as in bench.sh. A million records need 30 MB and a million
# names in build/bench, and a minute to make.
set -euo pipefail

# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

tools=$root/${BUILD:-build}/tests
few=${FEW:-10000}
many=${MANY:-1000000}
total=${RUN:-100000}
objects=10

# make_set N OBJECTS: a set, unless it is there; its path in $set.
make_set() {
    set=$build/records/$1-$2
    if [[ ! -e $set || $set -ot $here/make_records.c ]]; then
        rm -rf "$set" "$set.part"
        "$build/make_records" "$set.part" "$1" "$2"
        mv "$set.part" "$set"
    fi
}

# peak COMMAND...: runs it; stores its peak of anonymous memory, in kB, in $peak, and the peak including mapped files in
# $resident.
peak() {
    local pid word kb rest
    peak=0 resident=0
    "$@" >"$out/log" 2>&1 &
    pid=$!
    while { exec 3<"/proc/$pid/status"; } 2>/dev/null; do
        while read -r word kb rest <&3; do
            if [[ $word == RssAnon: ]] && ((kb > peak)); then peak=$kb; fi
            if [[ $word == VmHWM: ]]; then resident=$kb; fi
        done
        exec 3<&-
        sleep 0.02
    done
    wait "$pid" || die "failed: $(head -c 2000 "$out/log")"
}

# measure_run TITLE OPTION...: a row for a whole run over the set.
measure_run() {
    rm -rf "$out/lockstep"
    peak "$lockstep" run -q -p "$here/flip.json" -i "$set/images" -o "$out/lockstep" -n 2 -j "$jobs" \
        --durability none "${@:2}"
    awk -v title="$1" -v kb="$peak" -v all="$resident" -v n="$total" 'BEGIN {
        printf "%-44s %9.1f %9.0f %9.1f %9.0f\n", title, kb / 1024, kb * 1024 / n, all / 1024, all * 1024 / n }'
    rm -rf "$out/lockstep"
}

number FEW "$few"
number MANY "$many"
number RUN "$total"
number JOBS "$jobs"
mkdir -p "$build/records" "$out"
compile make_records
for n in "$few" "$many"; do
    make_set "$n" 0
    printf '%-44s %9s %9s %9s\n' "$n records, 2 outputs each, $jobs jobs" 'cpu s' ns/record MB
    "$tools/bench_records" "$here/flip.json" "$set/images" "$jobs" | tee "$out/records-$n"
done
awk '{ ns[FILENAME] += $(NF - 1) }
    END { printf "a record of many takes %.2f of the time of one of few (required: at most 1.3)\n",
        ns[ARGV[1]] / ns[ARGV[2]] }' "$out/records-$many" "$out/records-$few"

printf '\n%-44s %9s %9s %9s %9s\n' "whole run of $total records, its supervisor" 'peak MB' bytes/record \
    '+ files' bytes/record
make_set "$total" 0
measure_run 'images alone'
make_set "$total" "$objects"
measure_run "with $objects annotations each" -a "$set/annotations.json"
