#!/usr/bin/env bash
# xargs.sh: a run as processes of xargs, which every machine has.
#
#   SHARDS=16 OUT=out PROCESSES=4 ./xargs.sh -p detection -i images -a annotations.json
#
# What stands behind it are options of `lockstep run`. Run once more, it goes on. (On one machine
# `lockstep run --jobs 4` does the same without shards: this is the form to copy for what starts
# processes in a way of its own.) A shard that skipped images (code 1) is done: the merge says how many
# of all, and ends with 1.
set -euo pipefail
: "${OUT:?the output folder}" "${SHARDS:?how many shards}"

seq 0 $((SHARDS - 1)) |
    xargs -P "${PROCESSES:-$(nproc)}" -I '{}' \
        sh -c 'lockstep run --resume --shard "$@" || [ $? -eq 1 ]' shard \
        "{}/$SHARDS" --jobs 1 --progress none -o "$OUT" "$@"
lockstep merge "$OUT"
