#!/usr/bin/env bash
# Check that dependencies point one way:
# - a file includes only headers of modules that it may see;
# - an object calls functions and reads data of its own or lower layers only (by nm);
# - no units form a cycle (tests/tools/units.py).
# Usage: tests/layers.sh [includes | symbols | cycles]   (all without an argument)
# ROOT is the source tree to check, OBJECTS the folder with its object files.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
: "${ROOT:=$here}"
: "${OBJECTS:=$here/${BUILD:-build}}"

# Module: its folders and files below src/. Layers are listed lowest first; each is one module. A module with a
# slash in its name belongs to a group: group/module.
layers='
base: base/
geom: geom/
json: json/
pixels: pixels/
pixels/core: pixels/core/
pixels/simd: pixels/simd/
pixels/colour: pixels/colour/
pixels/filter: pixels/filter/
pixels/move: pixels/move/
pixels/draw: pixels/draw/
pixels/codec: pixels/codec/
param: param/
sample: sample/
op: steps/op steps/emit steps/op_shared/
transform: steps/transform steps/transform_shared/
format: labels/format labels/shared/
coco: labels/coco/
yolo: labels/yolo/
voc: labels/voc/
labelme: labels/labelme/
ops: steps/ops/
transforms: steps/transforms/
formats: labels/formats/
registry: steps/registry
plugin: steps/plugin/
aliases: migrate/aliases/
plan: plan/
properties: steps/properties/
migrate: migrate/
libraries: migrate/libraries/
batch/process: batch/process/ batch/process/filter/
batch/io: batch/io/
batch/layout: batch/layout/
batch/layouts: batch/layouts/
batch/dataset: batch/dataset/
batch/output: batch/output/
batch/manifest: batch/manifest/
batch/journal: batch/journal/
batch/image: batch/image/
batch/inspect: batch/inspect/
batch/results: batch/results/
batch/webdataset: batch/webdataset/
batch/run: batch/run/
batch/shards: batch/shards/
batch/finished: batch/finished/
batch/profile: batch/profile/
batch/annotations: batch/annotations/
preview: preview/
stats: stats/
rule: check/finding check/rule check/rule_shared/
rules: check/rules/
reporter: check/reporter check/reporter_shared/
reporters: check/reporters/
check: check/
manual: manual/
cli/shared: ../cli/shared/
cli/options: ../cli/options/
cli/open: ../cli/open/
cli/start: ../cli/start/
cli/help: ../cli/help/
cli/commands: ../cli/commands/
cli/main: ../cli/main
'
# Module: the modules whose headers it may include, beside its own and the lower ones of its group. "group/*" means
# all modules of a group.
may='
base:
geom: base
json: base
pixels: base geom
pixels/*: base geom pixels
param: base geom json
sample: base geom pixels
op: base geom json pixels sample param
transform: base geom json pixels sample param op
format: base json geom sample
coco: base json geom sample format
yolo: base json geom sample format
voc: base json geom sample format
labelme: base json geom sample format
ops: op pixels
transforms: transform
formats: format coco yolo voc labelme
registry: op transform format
plugin: base geom json pixels param sample op transform registry
aliases: base json param op transform registry
plan: base geom json pixels sample param op transform format registry aliases
properties: base geom json pixels param sample op transform registry plan
migrate: base json param op transform registry aliases plan yolo
libraries: base json migrate yolo
batch/*: base geom json pixels sample param op transform format yolo registry plugin plan
manual: base json pixels param op transform format coco registry aliases plan batch/* rule reporter check
preview: base geom json pixels sample param op transform format registry plan batch/*
stats: base geom json sample format coco batch/* preview
rule: base geom json sample format coco pixels batch/*
rules: base geom json sample format coco pixels batch/* rule
reporter: base json format rule
reporters: base geom json pixels sample format batch/* preview rule reporter
check: base param geom json sample format coco registry batch/* rule reporter
cli/*: base json pixels param format coco registry plugin aliases plan migrate batch/* preview manual stats rule reporter check properties
'

# find_x leaves what it finds in $x: to print it took a process for each of thousands of includes,
# which was most of the time.
declare -A places=() allowed=()
while IFS=: read -r module words; do
  [ -z "$module" ] || allowed[$module]=$words
done <<< "$may"

# "module layer" of a file of src/ or cli/, in $place; "unknown 0" if the table has no place.
find_place() {
  local path=${1#src/} name words word layer=0
  [[ $1 == cli/* ]] && path=../$1
  path=${path%.[cho]}
  place=${places[$path]-}
  [ -z "$place" ] || return 0
  while IFS=: read -r name words; do
    layer=$((layer + 1))
    for word in $words; do
      if [[ $path == "$word" || ($word == */ && ${path%/*}/ == "$word") ]]; then
        place="$name $layer"
        places[$path]=$place
        return
      fi
    done
  done <<< "$layers"
  place='unknown 0'
}

# The module that alone may include a library's header, in $wrapper.
find_wrapper() {
  case $1 in
    cjson/* | cJSON.h) wrapper=json ;;
    vips/* | jpeglib.h | jerror.h | libdeflate.h | ft2build.h | freetype/*) wrapper=pixels ;;
    yaml.h) wrapper=yolo ;;
    expat.h) wrapper=format ;;
    nettle/*) wrapper=base ;;
    *) wrapper=any ;;
  esac
}

bad=0
report() {
  echo "$1"
  bad=1
}

# True if the module $module of the layer $layer sees a header. Leaves the place of the header in $place.
may_see() {
  local group=${module%%/*} other words
  find_place "$1"
  other=${place% *}
  words=" ${allowed[$module]-${allowed[$group/*]-}} "
  [[ $other == "$module" || $words == *" $other "* || $words == *" ${other%%/*}/* "* ]] && return
  [[ $module == */* && $other == "$group"/* && ${place#* } -lt $layer ]]
}

# Checks an #include line of a file: "x.h", a path from src/ or, for the command line, from cli/; or <x.h>.
check_include() {
  local file=$1 got=$2 header=${2:1:-1} module layer place wrapper
  find_place "$file"
  module=${place% *} layer=${place#* }
  case $got in
    \<*)
      find_wrapper "$header"
      [ "$wrapper" = any ] || [ "$wrapper" = "${module%%/*}" ] || report "$file: $got is for $wrapper only"
      ;;
    \"pipelines.inc\" | \"import.inc\" | \"commands.inc\") [ "${module%%/*}" = cli ] || report "$file: $got is for the command line" ;;
    \"filter.inc\" | \"layouts.inc\") [ "${module%%/*}" = batch ] || report "$file: $got is for the batch" ;;
    \"registry.inc\") [ "$module" = registry ] || report "$file: $got is for the registry" ;;
    \"topics.inc\") [ "$module" = manual ] || report "$file: $got is for the manual" ;;
    \"check.inc\") [ "$module" = check ] || report "$file: $got is for the check's registry" ;;
    *)
      if [ -e "src/$header" ]; then
        header=src/$header
      elif [[ ${module%%/*} == cli && -e cli/$header ]]; then
        header=cli/$header
      else
        report "$file: $got is not a path from src/"
        return
      fi
      may_see "$header" || report "$file: may not include $got ($module does not see ${place% *})"
      ;;
  esac
}

check_includes() {
  local file got place files=()
  for file in src/*.[ch] src/*/*.[ch] src/*/*/*.[ch] cli/*.[ch] cli/*/*.[ch]; do
    [ -e "$file" ] || continue
    find_place "$file"
    if [ "$place" = 'unknown 0' ]; then
      report "$file: it is in no layer; see tests/layers.sh"
    else
      files+=("$file")
    fi
  done
  [ ${#files[@]} -gt 0 ] || return 0
  while IFS=' ' read -r file got; do
    check_include "$file" "$got"
  done < <(awk '/^ *#include *["<]/ {
    got = $0
    sub(/^ *#include */, "", got)
    if (match(got, /^["<][^">]*[">]/)) print FILENAME, substr(got, 1, RLENGTH)
  }' "${files[@]}")
}

# The objects of all sources. A source without one is reported: what was not compiled, or was
# compiled elsewhere, would pass unseen.
objects_of_sources() {
  local source
  for source in src/*.c src/*/*.c src/*/*/*.c cli/*.c cli/*/*.c; do
    if [ -e "$source" ]; then echo "${source%.c}.o"; fi
  done
}

check_symbols() {
  local objects object place upward
  objects=$(objects_of_sources)
  [ -n "$objects" ] || report "$ROOT: there are no sources"
  for object in $objects; do
    [ -e "$OBJECTS/$object" ] || report "$OBJECTS: $object is missing"
  done
  [ "$bad" -eq 0 ] || return 0
  upward=$(
    {
      for object in $objects; do
        find_place "$object"
        echo "layer $object $place"
      done
      # shellcheck disable=SC2086 # names of objects are words
      (cd "$OBJECTS" && nm -A -g $objects) | sed 's/:/ /'
    } | awk '
      $1 == "layer" { module[$2] = $3; layer[$2] = $4; next }
      NF == 4 && $3 ~ /[A-TV-Z]/ { home[$4] = $1; next }
      NF == 3 && $2 == "U" { uses[$1 " " $3]; next }
      END {
        for (use in uses) {
          split(use, part, " ")
          to = home[part[2]]
          if (to != "" && layer[to] > layer[part[1]])
            printf "%s: uses %s of %s (%s is above %s)\n", part[1], part[2], to, module[to], module[part[1]]
        }
      }' | LC_ALL=C sort
  )
  [ -z "$upward" ] || report "$upward"
}

check_cycles() {
  local cycles
  cycles=$(python3 "$here/tests/tools/units.py" "$ROOT" "$OBJECTS") || report "$cycles"
}

cd "$ROOT"
case ${1:-all} in
  includes) check_includes ;;
  symbols) check_symbols ;;
  cycles) check_cycles ;;
  all)
    check_includes
    check_symbols
    check_cycles
    ;;
  *)
    echo "usage: tests/layers.sh [includes | symbols | cycles]" >&2
    exit 2
    ;;
esac
exit $bad
