#!/usr/bin/env bash
# check.sh: measures the time and memory of checks. One check is of an annotation file of the size of COCO's train2017,
# without images (118287 images, 860001 annotations, 475 MB). Others are of a set of images, by header and by pixels.
# Next to each is a Python script (json and Pillow) that applies about a tenth of the rules. Other commands that read
# such a file are measured, too.
#
# Environment: FACTOR (1) scales the annotation file; CHECKED (5000) is the number of images of 640 x 480, which need
# 120 kB each in build/bench and a minute to make; JOBS (2) is the number of processes for images; PEERS (yes) set to no
# skips Python; PYTHON (/usr/bin/python3); LOCKSTEP and OUT as in bench.sh.
set -euo pipefail

# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

factor=${FACTOR:-1}
checked=${CHECKED:-5000}
python=${PYTHON:-/usr/bin/python3}
number CHECKED "$checked"
number JOBS "$jobs"

measure() { # TITLE COMMAND...
    "$python" "$here/measure.py" "$1" 0,1 "${@:2}"
}

beside() { # LEVEL ARGUMENT...: the script
    if [[ ${PEERS:-yes} != no ]]; then
        measure "  Python, 16 rules" "$python" "$here/peers/check.py" "$@"
    fi
}

mkdir -p "$build/coco" "$out"
compile make_coco
file=$build/coco/train-$factor.json
if [[ ! -e $file || $file -ot $here/make_coco.c ]]; then
    "$build/make_coco" "$file.part" "$factor"
    mv "$file.part" "$file"
fi
images=$build/corpus-check
make_corpus "$images" "$checked" small
cat "$file" "$images"/images/*.jpg >"$out/log"
rm "$out/log"

printf 'load %s; %s: %d MB; %d images\n' "$(cut -d ' ' -f 1 /proc/loadavg)" "$(basename "$file")" \
    "$(($(stat -c %s "$file") / 1000000))" "$checked"
printf '%-44s %8s %8s %8s\n' '' seconds 'of cpu' 'peak MB'
measure "check --no-images" "$lockstep" check "$file" --no-images --fail-on never
beside no-images "$file"
measure "check --headers -j $jobs" "$lockstep" check -a "$images/annotations.json" -i "$images/images" --headers -j "$jobs"
beside headers "$images/annotations.json" "$images/images"
measure "check --pixels -j $jobs" "$lockstep" check -a "$images/annotations.json" -i "$images/images" --pixels -j "$jobs"
beside pixels "$images/annotations.json" "$images/images"
measure "stats" "$lockstep" stats "$file"
measure "diff, of a file and itself" "$lockstep" diff "$file" "$file"
measure "diff --match geometry" "$lockstep" diff "$file" "$file" --match geometry
echo 'required, on a core that has nothing else to do: 6 s and 1000 MB for "check --no-images"'
