#!/usr/bin/env bash
# Which file may include which. Floors are listed lowest first; a file includes its own and lower ones.
# base is libc's; json, pixels and hash.h are the only doors to the libraries named with them.
set -eu
cd "$(dirname "$0")/.."

# floor: folders and files (below src/) on it. A room sees the floors below it and itself, not its
# neighbours.
floors='
base: base/
geom: geom/
json: json/
pixels: pixels/
sample: sample sample_object sample_hide sample_demands sample_settle sample_view
param: param kinds kinds_words kinds_numbers kinds_lists kinds_nested kinds_sets
op: op op_move emit
transform: transform magnitudes
format: format category deviation segmentation segmentation_mend
coco: coco/
ops: ops/
transforms: transforms/
formats: formats/
registry: registry
plan: plan/
batch: batch/
sheet: sheet sheet_labels svg
manual: manual manual_entry manual_text manual_schema manual_roff manual_topics
cli: ../cli/
'
# room: rooms whose headers it may include, beside its own.
may='
base:
geom: base
json: base
pixels: base geom
sample: base geom pixels
param: base geom json
op: base geom json pixels sample param
transform: base geom json pixels sample param op
format: base json geom sample
ops: op pixels
transforms: transform
coco: base json geom sample format
formats: format coco
registry: op transform format
plan: base geom json pixels sample param op transform format registry
batch: base geom json pixels sample param op transform format registry plan
sheet: base geom json pixels sample param op transform format registry plan batch
manual: base json pixels param op transform format registry plan batch
cli: base json pixels param format registry plan batch sheet manual cli
'

room_of() { # path below src/, without suffix
  local path=$1 name places place
  while IFS=: read -r name places; do
    for place in $places; do
      case $place in
        */) [[ $path == "$place"* ]] && { echo "$name"; return; } ;;
        *) [[ $path == "$place" ]] && { echo "$name"; return; } ;;
      esac
    done
  done <<< "$floors"
  echo unknown
}

doors() { # library header -> rooms that may include it
  case $1 in
    cjson/* | cJSON.h) echo json ;;
    vips/* | jpeglib.h | jerror.h | libexif/* | libdeflate.h) echo pixels ;;
    nettle/*) echo base ;;
    *) echo any ;;
  esac
}

bad=0
complain() {
  echo "$1"
  bad=1
}

check_file() {
  local file=$1 path room got target allowed door
  path=${file#src/}
  [[ $file == cli/* ]] && path=../$file
  path=${path%.[ch]}
  room=$(room_of "$path")
  if [ "$room" = unknown ]; then
    complain "$file: it is on no floor; see tests/floors.sh"
    return
  fi
  allowed=" $(sed -n "s/^$room: *//p" <<< "$may") $room "
  while read -r got; do
    case $got in
      \<*)
        door=$(doors "${got//[<>]/}")
        [ "$door" = any ] || [ "$door" = "$room" ] ||
          complain "$file: $got is for $door only"
        ;;
      \"registry.inc\") [ "$room" = registry ] || complain "$file: $got is for the registry" ;;
      *)
        target=$(realpath -m --relative-to=src "$(dirname "$file")/${got//\"/}")
        target=$(room_of "${target%.h}")
        case $allowed in
          *" $target "*) ;;
          *) complain "$file: may not include $got ($room is not above $target)" ;;
        esac
        ;;
    esac
  done < <(sed -n 's/^ *#include *\([<"][^>"]*[>"]\).*/\1/p' "$file")
}

for file in src/*.[ch] src/*/*.[ch] cli/*.[ch]; do
  check_file "$file"
done
exit $bad
