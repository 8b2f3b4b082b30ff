#!/usr/bin/env bash
# Runs fuzz targets for this many seconds each, one after the other, from the committed corpus. Prints the work of each,
# and how much of its target files it has covered. Usage: run.sh SECONDS TARGET...
#
# Results are below $BUILD/fuzzing: new inputs in found/TARGET, inputs that end in a report in trouble/. `run.sh
# minimise TARGET...` rebuilds the corpus from the inputs of the corpus and of found/ that add coverage.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
work=$BUILD/fuzzing
least=85 # per cent of the lines aimed at
longest=2000 # bytes of an input
seconds=$1
shift

# The files whose lines count, of each target.
aims() {
  case $1 in
    fuzz_json) echo src/json/{scan,scan_string,pick,document,value}.c ;;
    fuzz_coco) echo src/labels/formats/{coco,coco_results}.c src/labels/coco/{annotation,annotations,category,dialect,element,images,labels,parts,segmentation}.c ;;
    fuzz_panoptic) echo src/labels/formats/coco_panoptic.c src/labels/coco/{panoptic_read,segment_list,segments}.c ;;
    fuzz_yolo) echo src/labels/formats/yolo.c src/labels/yolo/{classes,index,lines,print,yaml}.c ;;
    fuzz_voc) echo src/labels/formats/voc.c src/labels/voc/{print,xml}.c ;;
    fuzz_png) echo src/pixels/{picture_png_read,png_profile,png_undo,first_png}.c ;;
    fuzz_rle) echo src/geom/{rle,rle_move,rle_outline,rle_warp,runs}.c ;;
    fuzz_polygon) echo src/geom/{polygon,polygon_clip,polygon_subtract,polygon_cover,pieces,rle_polygon}.c ;;
    fuzz_pipeline) echo src/plan/{read,label_pairs,when,view}.c src/param/{param,kinds_lists,kinds_matrices,kinds_numbers,kinds_sets,kinds_words}.c ;;
  esac
}

# Words that inputs are made of. Those of pipelines are all that their schema names.
dictionary() {
  case $1 in
    fuzz_json | fuzz_coco | fuzz_panoptic | fuzz_yolo | fuzz_voc) echo "tests/fuzz/$1.dict" ;;
    fuzz_pipeline)
      "$BUILD/lockstep" schema | grep -oE '"[][A-Za-z0-9_$.: -]{1,40}"' | sort -u |
        sed 's/^"\(.*\)"$/"\\"\1\\""/' > "$work/$1.dict"
      echo "$work/$1.dict"
      ;;
  esac
}

options() {
  local dict
  dict=$(dictionary "$1")
  echo -max_len=$longest -timeout=10 -rss_limit_mb=2048 "-artifact_prefix=$work/trouble/$1-" ${dict:+"-dict=$dict"}
}

export UBSAN_OPTIONS=print_stacktrace=1
failed=0

fuzz() { # target: false when it ended in a report
  local found=$work/found/$1
  rm -rf "$found"
  mkdir -p "$found" "$work/trouble"
  # shellcheck disable=SC2046 # the options are words
  LLVM_PROFILE_FILE=/dev/null "$work/fuzz/$1" $(options "$1") -max_total_time="$seconds" \
    -print_final_stats=1 "$found" "tests/fuzz/corpus/$1" > "$work/$1.log" 2>&1 && return
  grep -E '^(SUMMARY|==.*ERROR|tests/fuzz/.*not so)|runtime error|Test unit written' "$work/$1.log"
  echo "$1: ended in a report: see $work/$1.log"
  return 1
}

# Prints the percentage of the target lines that the corpus and the found inputs cover.
coverage() { # target
  local files
  read -r -a files <<< "$(aims "$1")"
  ls "${files[@]}" > /dev/null || return # a file that was moved would count for nothing
  LLVM_PROFILE_FILE=$work/$1.profraw "$work/fuzz/$1" "-artifact_prefix=$work/trouble/$1-" -runs=0 "$work/found/$1" "tests/fuzz/corpus/$1" \
    > "$work/$1.coverage.log" 2>&1
  llvm-profdata merge -sparse -o "$work/$1.profdata" "$work/$1.profraw" || return
  llvm-cov report -instr-profile="$work/$1.profdata" "$work/fuzz/$1" "${files[@]}" > "$work/$1.coverage.txt" || return
  awk '$1 == "TOTAL" { sub("%", "", $10); print $10 }' "$work/$1.coverage.txt"
}

statistic() { sed -n "s/^stat::$2: *//p" "$work/$1.log"; }

# Keeps only the old inputs that add coverage (and those with names of their own), and the new ones that cover more.
minimise() { # target
  local corpus=tests/fuzz/corpus/$1 from
  rm -rf "$work/merged/$1"
  mkdir -p "$work/merged/$1" "$work/trouble"
  find "$corpus" -type f ! -regex '.*/[0-9a-f]*' -exec cp {} "$work/merged/$1" \;
  for from in "$corpus" "$work/found/$1"; do
    # shellcheck disable=SC2046 # the options are words
    LLVM_PROFILE_FILE=/dev/null "$work/fuzz/$1" $(options "$1") -merge=1 -use_counters=0 \
      "$work/merged/$1" "$from" > "$work/$1.log" 2>&1 || { tail -5 "$work/$1.log"; return 1; }
  done
  find "$corpus" -type f -regex '.*/[0-9a-f]*' -delete
  cp "$work/merged/$1"/* "$corpus"
  echo "$1: $(find "$corpus" -type f | wc -l) inputs, $(cat "$corpus"/* | wc -c) bytes"
}

if [ "$seconds" = minimise ]; then
  for target in "$@"; do
    minimise "$target" || failed=1
  done
  exit $failed
fi

table=$(printf '%-16s %10s %8s %9s' target runs exec/s lines)
for target in "$@"; do
  fuzz "$target" || failed=1
  lines=$(coverage "$target")
  table+=$(printf '\n%-16s %10s %8s %8s%%' "$target" "$(statistic "$target" number_of_executed_units)" \
    "$(statistic "$target" average_exec_per_sec)" "$lines")
  awk -v lines="${lines:-0}" -v least=$least 'BEGIN { exit lines < least }' || {
    echo "$target: $lines% of the lines aimed at were met, and $least% are asked for; see $work/$target.coverage.txt"
    failed=1
  }
done
echo "$table"
exit $failed
