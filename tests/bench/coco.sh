#!/usr/bin/env bash
# coco.sh: measures how long an annotation file the size of COCO's train2017 (118287 images, 860001 annotations, 475 MB)
# takes to read, parse and write again, and how much memory. cJSON and Python do the same. Then comes lockstep's index
# at a tenth of the size: memory grows with the number of elements.
#
# Environment: BUILD (build); FACTOR (1) scales the file; PEERS (yes) set to no skips cJSON and Python, which need 6 GB
# and a minute; OUT (a scratch folder, as in bench.sh). Needs 2 GB of disk in build/bench.
set -euo pipefail

# shellcheck source=tests/bench/common.bash
source "$(dirname "${BASH_SOURCE[0]}")/common.bash"

tools=$root/${BUILD:-build}/tests
folder=$build/coco

# make_coco FACTOR: the path of the file in $file; made unless it is there.
make_coco() {
    file=$folder/train-$1.json
    if [[ ! -e $file || $file -ot $here/make_coco.c ]]; then
        "$build/make_coco" "$file.part" "$1"
        mv "$file.part" "$file"
    fi
}

scratch=$out/coco
mkdir -p "$folder" "$scratch"
trap 'rm -rf "$scratch" "$folder/printed.json"' EXIT
compile make_coco
factor=${FACTOR:-1}
make_coco "$factor"
cat "$file" >/dev/null
printf '%s: %d MB\n' "$(basename "$file")" "$(($(stat -c %s "$file") / 1000000))"
printf '%-44s %8s %8s %8s\n' '' seconds 'of cpu' 'peak MB'
"$tools/bench_coco" "$file" "$scratch"
mv "$scratch/annotations.json" "$folder/printed.json"
if [[ ${PEERS:-yes} != no ]]; then
    "$tools/bench_cjson" "$file"
    "${PYTHON:-/usr/bin/python3}" "$here/peers/json_tree.py" "$file" "$folder/printed.json"
fi
echo 'required, on a core that has nothing else to do: 1.5 s for "all taken apart", 3 s for'
echo '"written as it was", 1 s for the journal, 1000 MB'
make_coco "$(awk -v f="$factor" 'BEGIN { print f / 10 }')"
printf '%s: %d MB\n' "$(basename "$file")" "$(($(stat -c %s "$file") / 1000000))"
"$tools/bench_coco" "$file" "$scratch"
