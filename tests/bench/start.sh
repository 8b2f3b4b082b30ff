#!/usr/bin/env bash
# start.sh: one image per process, as shell loops run it: the wall time of a whole command.
#
# Measured by hyperfine; medians of RUNS (40) runs into an empty folder. libvips reads formats other than JPEG and PNG,
# and loading it takes most of the time of those rows. Environment: LOCKSTEP and OUT as in bench.sh.
set -euo pipefail

# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

runs=${RUNS:-40}

# row TITLE REQUIRED COMMAND...: its median and least time in ms; required 0: nothing is.
row() {
    hyperfine -N --style none --warmup 3 --runs "$runs" --export-json "$out/start.json" \
        --prepare "rm -rf $out/lockstep" "${*:3}" >"$out/log" 2>&1 || die "failed: ${*:3}"
    jq -r --arg title "$1" --arg required "$2" '.results[0] | [$title, .median * 1000, .min * 1000,
        (if $required == "0" then "" else $required end)] | @tsv' "$out/start.json" |
        awk -F '\t' '{ printf "%-44s %9.1f %9.1f   %s\n", $1, $2, $3, $4 }'
}

number RUNS "$runs"
[[ -x $lockstep ]] || die "$lockstep is missing; build it first, or set LOCKSTEP"
mkdir -p "$build/start" "$out"
echo '{"version": 1, "transforms": [{"type": "horizontal_flip"}]}' >"$build/start/flip.json"
echo '{"version": 1, "transforms": [{"type": "resize", "size": [64, 64]}]}' >"$build/start/small.json"
for format in jpeg png webp tiff; do
    rm -rf "$build/start/$format"
    "$lockstep" run -q -p "$build/start/small.json" -i "$root/samples/images/street/0001.jpg" \
        -o "$build/start/$format" --format "$format"
done
printf '%-44s %9s %9s   %s\n' "one process, $runs runs each" 'median ms' 'least ms' required
row 'true(1): what any program takes here' 0 true
row 'lockstep version' 6 "$lockstep" version
for durability in none batch; do
    for format in jpeg png webp tiff; do
        required=0
        if [[ $durability == none && $format == png ]]; then required=6; fi
        if [[ $durability == none && $format == jpeg ]]; then required=3.2; fi
        row "run, a 64 x 64 $format, --durability $durability" "$required" "$lockstep" run -q \
            -p "$build/start/flip.json" -i "$build/start/$format/images" -o "$out/lockstep" \
            --durability "$durability"
    done
done
rm -rf "$out/lockstep"
