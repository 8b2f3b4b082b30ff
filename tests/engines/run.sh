#!/usr/bin/env bash
# run.sh: runs the recipes of samples/recipes/shards on real engines. Parts are killed on the way, and the merged result
# must equal the tree of one run without shards, file by file.
#
#   tests/engines/run.sh [NAME...]    of xargs, parallel, make, snakemake, slurm; all
#
# Environment: LOCKSTEP (build/lockstep), SHARDS (8), COPIES (100, of each image of samples/: how long a shard takes).
# Each part prints a line with its result; a part that fails, or cannot run, is a failure.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
recipes=$root/samples/recipes/shards
lockstep=$(realpath "${LOCKSTEP:-$root/build/lockstep}")
export SHARDS=${SHARDS:-8}
copies=${COPIES:-100}
scratch=$(mktemp -d)
stop() {
    if [[ -e $scratch/slurm ]]; then "$here/slurmd.sh" stop "$scratch/slurm"; fi
    rm -rf "$scratch"
}
trap stop EXIT
mkdir "$scratch/bin"
ln -s "$lockstep" "$scratch/bin/lockstep"
PATH=$scratch/bin:$PATH
cd "$scratch"

options=(-p "$root/pipelines/detection.json" -i "$root/samples/images" -a "$root/samples/annotations.json"
    -n "$copies")

fail() {
    echo "engines: $*" >&2
    exit 1
}

# finished: prints the number of image files in the output folder; there will be some thousands.
finished() {
    find "$OUT" -name '*.jpg' 2>/dev/null | wc -l
}

# wait_until SECONDS COMMAND...: fails when it does not become true.
wait_until() {
    local end=$((SECONDS + $1))
    until "${@:2}"; do
        ((SECONDS < end)) || fail "after $1 s there is still not: ${*:2}"
        sleep 0.1
    done
}

# Some are done, and not all of them.
begun() {
    (($(finished) > copies))
}

# kill_one SIGNAL: one of the processes that do a shard.
kill_one() {
    local victim
    wait_until 120 begun
    victim=$(pgrep -o -f "^lockstep run .*-o $OUT ") || fail "nobody works at $OUT"
    kill "-$1" "$victim"
    killed=$(finished)
}

# same NAME WHAT: the line of a part.
same() {
    diff -r whole "$OUT" >differences || fail "$1: $(head -n 5 differences)"
    echo "$1: $SHARDS shards, $2; equal to one run ($SECONDS s)"
}

xargs_() {
    "$recipes/xargs.sh" "${options[@]}" >log 2>&1 &
    kill_one KILL
    if wait $!; then fail 'xargs: a killed shard, and code 0'; fi
    "$recipes/xargs.sh" "${options[@]}" >log 2>&1 || fail "xargs: $(tail -n 5 log)"
    same xargs "one killed after $killed files, run once more"
}

parallel_() {
    "$recipes/parallel.sh" "${options[@]}" >log 2>&1 &
    kill_one KILL
    wait $! || fail "parallel: $(tail -n 5 log)"
    grep -q $'\t9\t' "$OUT.joblog" || awk 'NR > 1 { n[$1]++ } END { exit 0 }' "$OUT.joblog"
    same parallel "one killed after $killed files, tried again by parallel"
}

make_() {
    local run
    printf -v run '%q ' "${options[@]}"
    make -s -f "$recipes/shards.mk" -j 2 RUN="$run" OUT="$OUT" >log 2>&1 &
    kill_one KILL
    if wait $!; then fail 'make: a killed shard, and code 0'; fi
    make -s -f "$recipes/shards.mk" -j 2 RUN="$run" OUT="$OUT" >log 2>&1 || fail "make: $(tail -n 5 log)"
    same make "one killed after $killed files, made once more"
}

snakemake_() {
    local run
    printf -v run '%q ' "${options[@]}"
    snakemake -s "$recipes/Snakefile" --cores 2 --retries 2 --config "shards=$SHARDS" "out=$OUT" "run=$run" >log 2>&1 &
    kill_one KILL
    wait $! || fail "snakemake: $(tail -n 20 log)"
    same snakemake "one killed after $killed files, tried again by Snakemake"
}

state() { # of a job: its state and why it waits
    squeue -h -j "$1" -o '%T %r' 2>/dev/null | sort -u
}

gone() { # a job is no longer known to be waiting or running
    [[ -z $(state "$1") ]]
}

# hold_task ARRAY: stops the process of a task that has done some of its images and not all; sets task and held.
hold_task() {
    local pid index part
    for pid in $(pgrep -f "^lockstep run .*-o $OUT "); do
        index=$(tr '\0' '\n' <"/proc/$pid/environ" 2>>log | sed -n 's/^SLURM_ARRAY_TASK_ID=//p') || continue
        part=$OUT/.lockstep/shards/$index-of-$SHARDS
        # Not a worker, whose parent is one of these, and neither at the beginning nor at the end.
        [[ $(ps -o comm= -p "$(ps -o ppid= -p "$pid")") != lockstep && -s $part/written ]] || continue
        kill -STOP "$pid" 2>>log || continue
        if [[ -n $index && ! -e $part/part && -e /proc/$pid ]]; then
            task=${1}_$index held=$pid
            return
        fi
        kill -CONT "$pid" || true
    done
    return 1
}

# True if the task's trap has told the process that it holds to end: SIGTERM, 15, is pending.
told() {
    local pending
    pending=$(sed -n 's/^ShdPnd:\t//p' "/proc/$held/status")
    ((16#$pending >> 14 & 1))
}

restarted() {
    [[ $(scontrol show job "$task" | grep -o 'Restarts=[0-9]*') == Restarts=[1-9]* ]]
}

# The merge waits for the array: values that are read second were at least as high when the first was read.
waits() { # ARRAY MERGE
    local merge_is left
    merge_is=$(state "$2")
    left=$(squeue -h -r -j "$1" -o %i 2>>log | wc -l)
    ((left == 0)) || [[ $merge_is == 'PENDING Dependency' && ! -e $OUT/annotations.json ]] ||
        fail "slurm: $left tasks are left, and the merge is $merge_is"
    ((left == 0))
}

slurm_() {
    local array merge task held
    "$here/slurmd.sh" start slurm >log 2>&1 || fail "slurm: $(tail -n 5 log)"
    export SLURM_CONF=$PWD/slurm/slurm.conf
    read -r array merge < <("$recipes/slurm.sh" "${options[@]}")
    wait_until 300 hold_task "$array"
    killed=$(wc -l <"$OUT/.lockstep/shards/${task#*_}-of-$SHARDS/written")
    [[ $(state "$merge") == 'PENDING Dependency' ]] || fail "slurm: the merge is $(state "$merge")"
    # It signals an array's task, and then finds that there is nothing left to be signalled.
    scancel --signal=TERM --batch "$task" 2>>log || true
    wait_until 60 told
    kill -CONT "$held"
    wait_until 300 restarted
    wait_until 900 waits "$array" "$merge"
    wait_until 300 gone "$merge"
    [[ -e $OUT/annotations.json ]] || fail "slurm: not merged: $(tail -n 5 slurm-*.out)"
    same slurm "task $task terminated after $killed of its files and queued again, the merge waited"
}

engines=("$@")
if ((!$#)); then engines=(xargs parallel make snakemake slurm); fi
lockstep run "${options[@]}" -o whole --progress none
for engine in "${engines[@]}"; do
    declare -F "${engine}_" >functions || fail "there is no engine $engine"
    SECONDS=0
    export OUT=$PWD/out-$engine
    "${engine}_"
done
