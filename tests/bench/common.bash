# common.bash: shared by the benches: settings, corpora, timed runs.
#
# Sourced by the scripts of this folder, which document each setting.
# shellcheck shell=bash disable=SC2034 # the scripts that source it use what is set here

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$root/build/bench
lockstep=${LOCKSTEP:-$root/build/lockstep}
corpus=${CORPUS:-$build/corpus}
corpus_large=${CORPUS_LARGE:-$build/corpus-large}
images=${IMAGES:-1200}
images_large=${IMAGES_LARGE:-24}
rounds=${ROUNDS:-5}
jobs=${JOBS:-2}

die() {
    echo "bench: $*" >&2
    exit 1
}

# scratch_folder: where runs write: in memory if there is room, since disks vary by more than the differences that are
# measured. All sides pay the same for the folder.
scratch_folder() {
    local free
    free=$(df --output=avail -B1M /dev/shm 2>/dev/null | tail -n 1) || free=0
    if ((${free:-0} >= 1000)) && [[ -w /dev/shm ]]; then
        echo "/dev/shm/lockstep-bench-$UID"
    else
        echo "$build/out"
    fi
}

out=${OUT:-$(scratch_folder)}

# number NAME VALUE: dies unless it is a whole number above 0.
number() {
    [[ $2 =~ ^[1-9][0-9]*$ ]] || die "$1: '$2' is not a whole number above 0"
}

read -ra compiler <<<"${CC:-cc}" # it may have a cache before it

# compile NAME: a tool of this folder, unless it is newer than its source.
compile() {
    if [[ ! $build/$1 -nt $here/$1.c ]]; then
        "${compiler[@]}" -std=c11 -D_GNU_SOURCE -O3 -o "$build/$1" "$here/$1.c" -ljpeg -lm
    fi
}

# make_corpus FOLDER N SIZE: unless it is there, of this size and made by this generator. Of more
# than 400 images the others are links to these.
make_corpus() {
    local made distinct=$(($2 < 400 ? $2 : 400))
    made="$(cksum <"$here/make_corpus.c") $2 $3 $distinct"
    if [[ ! -e $1/made || $(<"$1/made") != "$made" ]]; then
        compile make_corpus
        echo "making $2 $3 images in $1" >&2
        # Made aside and renamed: a corpus that is there is whole.
        rm -rf "$1.part"
        "$build/make_corpus" "$1.part" "$2" "$3" "$distinct"
        echo "$made" >"$1.part/made"
        rm -rf "$1"
        mv "$1.part" "$1"
    fi
}

# prepare SIZE...: the tools and the corpora, small or large, in the page cache.
prepare() {
    local size folder
    [[ -x $lockstep ]] || die "$lockstep is missing; build it first, or set LOCKSTEP"
    number IMAGES "$images"
    number IMAGES_LARGE "$images_large"
    number ROUNDS "$rounds"
    number JOBS "$jobs"
    mkdir -p "$build" "$out"
    for size in "$@"; do
        folder=$corpus
        if [[ $size == large ]]; then
            folder=$corpus_large
            [[ -n ${CORPUS_LARGE:-} ]] || make_corpus "$folder" "$images_large" large
        else
            [[ -n ${CORPUS:-} ]] || make_corpus "$folder" "$images" small
        fi
        [[ -e $folder/annotations.json ]] || die "$folder/annotations.json is missing"
        cat "$folder"/images/*.jpg | wc -c >"$out/log"
    done
}

# count FOLDER: the JPEGs in it.
count() {
    find "$1" -name '*.jpg' | wc -l
}

# per_second N SECONDS
per_second() {
    awk -v n="$1" -v s="$2" 'BEGIN { printf "%.2f", n / s }'
}

# timed COMMAND...: stores the seconds that the command takes in $seconds; its output goes to a log.
# Earlier writes and removals are flushed to the disk first, so that no command pays for another's writes.
timed() {
    local start
    sync -f "$out"
    start=$EPOCHREALTIME
    "$@" >"$out/log" 2>&1 || {
        head -c 4000 "$out/log" >&2
        die "failed: ${*:1:12}"
    }
    seconds=$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.6f", b - a }')
}

# pipeline NAME: the path of a pipeline of this folder, its mode replaced by OPTIMIZE if that is set.
pipeline() {
    if [[ -z ${OPTIMIZE:-} ]]; then
        echo "$here/$1.json"
    else
        sed "s/\"optimize\": \"[a-z]*\"/\"optimize\": \"$OPTIMIZE\"/" "$here/$1.json" >"$out/$1.json"
        echo "$out/$1.json"
    fi
}

# run_lockstep PIPELINE CORPUS ANNOTATIONS [OPTION...]: a whole run into an empty folder; images/s
# in $rate.
run_lockstep() {
    local path total
    path=$(pipeline "$1")
    rm -rf "$out/lockstep"
    timed "$lockstep" run -p "$path" -i "$2/images" -a "$3" -o "$out/lockstep" -j "$jobs" \
        --progress none "${@:4}"
    total=$(count "$out/lockstep")
    rate=$(per_second "$total" "$seconds")
}

# column NAME COLUMN: "median least most" of a column of the results.
column() {
    awk -v name="$1" -v column="$2" '$1 == name { print $column }' "$out/results" | sort -g |
        awk '{ v[NR] = $1 } END { print (v[int((NR + 1) / 2)] + v[int((NR + 2) / 2)]) / 2, v[1], v[NR] }'
}

# say_below [ROW...]: the last line of a table.
say_below() {
    if (($# == 0)); then
        echo 'none is below what is required'
    else
        printf 'below what is required: %s' "$1"
        if (($# > 1)); then printf ', %s' "${@:2}"; fi
        echo
    fi
}
