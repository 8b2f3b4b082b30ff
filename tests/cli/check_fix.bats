#!/usr/bin/env bats
# Fixes that `check --fix` makes; everything else stays unchanged.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() { begin; }

# dataset NAME ANNOTATIONS: an image of 100 x 80, a category and these annotations.
dataset() {
  cat > "$1" << END
{"images": [{"id": 1, "file_name": "a.jpg", "width": 100, "height": 80,   "extra": 1.50}],
 "categories": [{"id": 1, "name": "cat", "supercategory": "animal"}],
 "annotations": [$2]}
END
}

wrong='{"id": 1, "image_id": 1, "category_id": 1, "bbox": [10.0,1e1, 20.00, 20], "area": 3000, "segmentation": []}'
right='{"id": 1, "image_id": 1, "category_id": 1, "bbox": [10.0,1e1, 20.00, 20], "area": 400, "segmentation": [], "iscrowd": 0}'

@test "--fix mends what has a safe fix, and leaves every other byte" {
  dataset a.json "$wrong"
  dataset right.json "$right"
  run -0 --separate-stderr "$lockstep" check a.json --fix -o b.json
  [[ $stderr == *"a.json: 2 findings fixed; written to b.json"* ]]
  cmp b.json right.json
  run -0 --separate-stderr "$lockstep" check b.json --fix -o c.json
  [[ $stderr == *"nothing to mend"* ]]
  cmp b.json c.json
}

@test "--in-place keeps the original and the file's mode, and follows links" {
  dataset a.json "$wrong"
  dataset right.json "$right"
  cp a.json copy.json
  chmod 640 a.json
  ln -s a.json link.json
  run -0 --separate-stderr "$lockstep" check link.json --fix --in-place
  [[ $stderr == *"the original is a.json.orig"* ]]
  [ -L link.json ]
  cmp a.json right.json
  cmp a.json.orig copy.json
  [ "$(stat -c %a a.json)" = 640 ]
  dataset a.json "$wrong"
  run -0 "$lockstep" check a.json --fix --in-place
  cmp a.json.orig2 copy.json
  cmp a.json.orig copy.json
  run -0 "$lockstep" check a.json --fix --in-place
  [ ! -e a.json.orig3 ]
}

@test "with -o, lines of what is left are those of the mended file" {
  local line
  python3 - <<'END'
import json
a = {"id": 1, "image_id": 1, "category_id": 9, "bbox": [0, 0, 4, 4], "area": 3000}
json.dump({"images": [{"id": 1, "file_name": "a.png", "width": 9, "height": 9}], "categories": [],
           "annotations": [a]}, open("a.json", "w"), indent=1)
END
  run -1 "$lockstep" check a.json --fix -o new.json --output github
  [[ $output == *file=new.json,line=* && $output != *file=a.json* ]]
  line=$(grep -m1 -o 'file=new.json,line=[0-9]*' <<< "$output" | grep -o '[0-9]*$')
  sed -n "${line}p" new.json | grep -q category_id
}

@test "-o writes over nothing" {
  dataset a.json "$wrong"
  cp a.json copy.json
  run -6 "$lockstep" check a.json --fix -o a.json
  [[ $output == *out-occupied* ]]
  cmp a.json copy.json
}

@test "--diff shows what --fix would do, writes nothing, and its exit code says whether there is something" {
  dataset a.json "$wrong"
  cp a.json copy.json
  run -1 "$lockstep" check a.json --diff
  [[ $output == *$'/annotations/0/area A003 area-differs @@\n-3000\n+400'* ]]
  [[ $output == *'+"iscrowd": 0'* ]]
  cmp a.json copy.json
  dataset b.json "$right"
  run -0 "$lockstep" check b.json --diff
  [ -z "$output" ]
}

@test "the options of --fix need each other" {
  dataset a.json "$wrong"
  run -2 "$lockstep" check a.json --fix
  run -2 "$lockstep" check a.json --in-place
  run -2 "$lockstep" check a.json --unsafe-fixes
  run -2 "$lockstep" check a.json -o b.json
  run -2 "$lockstep" check a.json a.json --fix -o b.json
  run -2 "$lockstep" check a.json --fix --in-place -o b.json
  [ ! -e b.json ]
}

# mended EVERY: fixes every EVERY-th planted file with safe fixes, and again with unsafe ones.
mended() {
  mkdir cases
  python3 "$here/check/planted.py" cases | awk -v every="$1" 'NR % every == 0' > table.txt
  python3 "$here/check/mended.py" "$lockstep" cases "$PWD/table.txt"
  python3 "$here/check/mended.py" "$lockstep" cases "$PWD/table.txt" --unsafe-fixes
}

@test "of every fifth planted fault that has a fix nothing is left, and mending twice is mending once" { mended 5; }

# bats test_tags=release
@test "of every planted fault that has a fix nothing is left, and mending twice is mending once" { mended 1; }

@test "what is removed of a list leaves JSON: the first, the last, neighbours, all" {
  local ids orphans kept
  for orphans in "1" "5" "2 3" "4 5" "1 2" "1 3 5" "1 2 4 5" "1 2 3 4 5" "3 4 5"; do
    ids=
    for id in 1 2 3 4 5; do
      ids+="${ids:+ ,
  }{\"id\": $id, \"image_id\": 1, \"category_id\": 1, \"bbox\": [10, 10, 20, 2$id], \"area\": $((400 + 20 * id)), \"iscrowd\": 0}"
    done
    for id in $orphans; do ids=${ids/"\"id\": $id, \"image_id\": 1"/"\"id\": $id, \"image_id\": 7"}; done
    dataset a.json "$ids"
    rm -f b.json
    run -0 "$lockstep" check a.json --fix --unsafe-fixes --select R001 -o b.json
    kept=$(python3 -c 'import json; print(*[a["id"] for a in json.load(open("b.json"))["annotations"]])')
    [ "$kept" = "$(for id in 1 2 3 4 5; do [[ " $orphans " == *" $id "* ]] || echo "$id"; done | xargs)" ]
  done
}

# mend FILE OPTION...: writes mended.json; nothing fixable is left, and fixing again changes nothing.
mend() {
  local file=$1
  shift
  rm -f mended.json again.json
  "$lockstep" check "$file" "$@" --fix -o mended.json --fail-on never > found.txt
  "$lockstep" check mended.json "$@" --fix -o again.json --fail-on never > found.txt
  cmp mended.json again.json
}

@test "--fix takes the sizes of images from their files where that is asked for, and nothing else" {
  mkdir img
  python3 -c 'import png; [png.write("img/" + n, [[x * 8 for x in range(w)]] * h) for n, w, h in
    (("a.png", 31, 20), ("b.png", 20, 31), ("c.png", 20, 20))]'
  cat > a.json << 'END'
{"images": [{"id": 1, "width":31 ,"file_name": "a.png", "height": 21, "x": 1.50},
 {"id": 2, "file_name": "b.png", "height":20,"width": 31},
 {"id": 3, "file_name": "c.png", "width": 20 , "height" :20}],
 "categories": [{"id": 1, "name": "cat", "supercategory": "animal"}],
 "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1.0, 2, 3, 4], "area": 12, "iscrowd": 0}]}
END
  mend a.json -i img --select I008
  cmp a.json mended.json
  mend a.json -i img --select I008 --unsafe-fixes
  sed 's/"height": 21/"height": 20/; s/"height":20,"width": 31/"height":31,"width": 20/' a.json | diff - mended.json
  run -0 "$lockstep" check mended.json -i img --select I008
}

@test "--fix takes areas and boxes of segments from their pictures, and nothing else" {
  mkdir img seg
  # Segment 7 has 12 pixels from (2, 1) on, 300 has 10 in two pieces, and 9 the rest.
  python3 -c 'import png
rows = [[[9, 0, 0] for x in range(12)] for y in range(10)]
for y in range(1, 4):
    for x in range(2, 6): rows[y][x] = [7, 0, 0]
for x in range(5): rows[5][x] = rows[9][7 + x] = [44, 1, 0]
png.write("seg/a.png", [sum(row, []) for row in rows], 3)
png.write("img/a.png", [[x * 20 for x in range(12)]] * 10)'
  cat > a.json << 'END'
{"images": [{"id": 1, "file_name": "a.png", "width": 12, "height": 10}],
 "categories": [{"id": 1, "name": "cat", "supercategory": "animal", "isthing": 1}],
 "annotations": [{"image_id": 1, "file_name": "a.png", "segments_info": [
  {"id": 300, "category_id": 1, "area": 1.1e1, "bbox" :[0.0,5, 12,5], "iscrowd": 0, "x": 1.50},
  {"id": 7, "area": 12.0, "category_id": 1, "bbox": [2 , 1, 40, 3], "iscrowd": 0},
  {"id": 9, "category_id": 1, "area":-3,"bbox": [5, 5, 0, 0], "iscrowd": 1}]}]}
END
  mend a.json -i img -m seg --pixels
  sed 's/"area": 1.1e1/"area": 10/; s/\[2 , 1, 40, 3\]/[2, 1, 4, 3]/; s/"area":-3,"bbox": \[5, 5, 0, 0\]/"area":98,"bbox": [0, 0, 12, 10]/' \
    a.json | diff - mended.json
  run -0 "$lockstep" check mended.json -i img -m seg --pixels --select P
  [[ $output == *"0 errors, 0 warnings, 0 info"* ]]
  # Nothing is known of pictures that are not decoded.
  mend a.json -i img -m seg --headers --select P004,P005
  cmp a.json mended.json
}
