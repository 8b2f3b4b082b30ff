#!/usr/bin/env bash
# parallel.sh: a run as jobs of GNU parallel, on this machine or on others that see the same folders.
#
#   SHARDS=16 OUT=out ./parallel.sh -p detection -i images -a annotations.json
#
# What stands behind it are options of `lockstep run`. PARALLEL holds options of parallel, such as
# '--sshloginfile hosts --workdir .'. Run once more it does only the shards that failed or were not
# begun, which OUT.joblog says, each from where it was. A shard that skipped images (code 1) is done:
# the merge says how many of all, and ends with 1.
set -euo pipefail
: "${OUT:?the output folder}" "${SHARDS:?how many shards}"

seq 0 $((SHARDS - 1)) |
    parallel --quote --joblog "$OUT.joblog" --resume-failed --retries 2 --halt soon,fail=1 \
        sh -c 'lockstep run --resume --shard "$@" || [ $? -eq 1 ]' shard \
        "{}/$SHARDS" --jobs 1 --progress none -o "$OUT" "$@"
lockstep merge "$OUT"
