#!/usr/bin/env bash
# slurm.sh: a run as an array of Slurm jobs, and a job behind them that merges what they made.
#
#   SHARDS=16 OUT=out ./slurm.sh -p detection -i images -a annotations.json
#
# What stands behind it are options of `lockstep run`; sbatch reads SBATCH_PARTITION, SBATCH_TIMELIMIT
# and so on. Prints the ids of the array and of the merge. Submitted once more with the same OUT it
# goes on where the first left off.
#
# The script is its own batch job: sbatch copies it, so nothing else has to be where the jobs run. A
# task that is told to end, a minute before its time is up or when its node is wanted, stops lockstep,
# which keeps what is done, and puts itself into the queue again; so does one whose output folder or
# memory gave out, at most RETRIES (3) times.
set -euo pipefail

shard() {
    local code=0 again="${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
    lockstep run --resume --shard auto --jobs "${SLURM_CPUS_PER_TASK:-1}" -o "$OUT" "$@" &
    child=$!
    trap 'trap "" TERM; kill -TERM "$child"; wait "$child" || true; scontrol requeue "$again"; exit 143' TERM
    wait "$child" || code=$?
    # 5: the output folder could not be written; 8: memory or another resource gave out.
    if [[ $code == [58] && ${SLURM_RESTART_COUNT:-0} -lt ${RETRIES:-3} ]]; then scontrol requeue "$again"; fi
    # 1: done, but images were skipped; the merge says how many of all, and ends with 1.
    ((code == 1)) || exit "$code"
}

submit() {
    local array merge last=$((${SHARDS:?how many shards} - 1))
    array=$(sbatch --parsable --job-name=lockstep --array="0-$last" --requeue --open-mode=append \
        --signal=B:TERM@60 --export=ALL,LOCKSTEP_TASK=shard "$(realpath "$0")" "$@")
    # Of an array, afterok waits for all tasks; with a failed one the merge would wait for ever.
    merge=$(sbatch --parsable --job-name=lockstep-merge --dependency="afterok:${array%%;*}" \
        --kill-on-invalid-dep=yes --export=ALL,LOCKSTEP_TASK=merge "$(realpath "$0")")
    echo "${array%%;*} ${merge%%;*}"
}

: "${OUT:?the output folder}"
case ${LOCKSTEP_TASK:-submit} in
shard) shard "$@" ;;
merge) lockstep merge "$OUT" ;;
submit) submit "$@" ;;
esac
