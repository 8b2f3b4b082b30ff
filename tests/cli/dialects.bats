#!/usr/bin/env bats
# Files as exporters of COCO write them, in dialects/: they are read, and each deviation is reported once. They are
# written unchanged, or as the .expected.json next to them. With --compat strict they are refused.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  dialects=$here/dialects
  mkdir -p in/hills
  cp "$here"/../samples/images/hills/000[23].png in
  cp in/*.png in/hills
  pipeline same.json ''
  pipeline move.json '{"type": "horizontal_flip"}, {"type": "crop", "top": 10, "left": 30, "height": 90, "width": 120}'
}

names() { (cd "$dialects" && ls -- *.json) | sed -n 's/\.json$//p' | grep -v '\.expected$'; }

# expected NAME: prints the expected output file.
expected() {
  if [ -e "$dialects/$1.expected.json" ]; then echo "$dialects/$1.expected.json"; else echo "$dialects/$1.json"; fi
}

# go PIPELINE FILE ARGUMENTS...: runs on a file, under its name in its folder.
go() {
  local pipeline=$PWD/$1 in=$PWD/in out=$PWD/out file=$2
  shift 2
  rm -rf out
  (cd "$(dirname "$file")" && "$lockstep" run -v -p "$pipeline" -i "$in" -a "$(basename "$file")" -o "$out" "$@")
}

same_tokens() { "$here/tools/same_tokens.py" "$1" "$2"; }

# told NAME: prints "code line:column path times" for the notes and faults on stdin.
told() {
  sed -nE "s/^$1\.json:([0-9]+:[0-9]+): ((note|warning|error): )?(([^ ]+): )?(.*) \[([a-z0-9-]+)\]$/\7 \1 \5|\6/p" |
    sed -E 's/ \|/ -|/; s/\|.* \(([0-9]+) times in all\)$/ \1/; s/\|.*/ 1/'
}

# noted: "code path times" of run.json.
noted() { jq -r '.notes[] | "\(.code) \(if .path == "" then "-" else .path end) \(.times)"' out/run.json; }

# wanted NAME: prints the same as told, from the table.
wanted() { awk -v name="$1" '$1 == name { print $2, $3, $4, $5 }' "$dialects/expected.txt"; }

@test "dialects: an identity run gives back the same tokens, or with each repair named COCO's form" {
  local name failed=0
  for name in $(names); do
    if ! go same.json "$dialects/$name.json" --progress none 2> err.txt ||
      ! same_tokens "$(expected "$name")" out/annotations.json ||
      ! diff <(wanted "$name") <(told "$name" < err.txt) || ! quiet err.txt ||
      ! diff <(wanted "$name" | cut -d ' ' -f 1,3,4) <(noted); then
      echo "$name:"
      head -5 err.txt
      failed=$((failed + 1))
    fi
  done
  [ "$failed" -eq 0 ]
}

@test "dialects: strict refuses each file that deviates, with the same codes at the same places" {
  local name code failed=0
  for name in $(names); do
    code=0
    go same.json "$dialects/$name.json" --compat strict 2> err.txt || code=$?
    if [ -z "$(wanted "$name")" ]; then
      [ "$code" -eq 0 ] && same_tokens "$dialects/$name.json" out/annotations.json
    else
      [ "$code" -eq 4 ] && [ ! -e out ] && diff <(wanted "$name") <(told "$name" < err.txt) &&
        ! grep -qE '(note|warning): ' err.txt
    fi || { echo "$name: exit $code"; failed=$((failed + 1)); }
  done
  [ "$failed" -eq 0 ]
}

@test "dialects: every file of the table is there, every repair has been made, and COCO's form deviates no more" {
  local name
  diff <(awk '!/^#/ && NF { print $1 }' "$dialects/expected.txt" | sort -u | comm -23 - <(names | sort)) /dev/null
  for name in $(names); do
    [ -e "$dialects/$name.expected.json" ] || continue
    stderr_to err.txt go same.json "$dialects/$name.expected.json"
    same_tokens "$dialects/$name.expected.json" out/annotations.json
    # The remaining deviations are kept as they are.
    run ! grep -E '\[coco-(bom|string|float|bool|null-crowd|number|flat|pair|box|short|triple|zero-size|repeated)' err.txt
  done
}

@test "dialects: what is moved is what COCO's form says" {
  local name n=0
  for name in $(names); do
    [ -e "$dialects/$name.expected.json" ] || continue
    go move.json "$dialects/$name.json" -q
    mv out/annotations.json moved.json
    go move.json "$dialects/$name.expected.json" -q
    same_tokens out/annotations.json moved.json
    n=$((n + 1))
  done
  [ "$n" -ge 6 ]
}

@test "dialects: copies of ids that are strings, decimals or 0 are numbered like others" {
  go same.json "$dialects/pylabel.json" -q -n 3
  mv out/annotations.json copies.json
  go same.json "$dialects/pylabel.expected.json" -q -n 3
  same_tokens out/annotations.json copies.json
  [ "$(jq -c '[.images[].id]' copies.json)" = '[0,1,2]' ]
  [ "$(jq -c '[.annotations[].id]' copies.json)" = '[0,1,2,3,4,5]' ]
  [ "$(jq -c '[.annotations[].category_id] | unique' copies.json)" = '[1]' ]
}

@test "dialects: notes do not depend on the number of jobs, and -q is quiet" {
  go same.json "$dialects/label-studio.json" -j 1 2>&1 | grep -v images/s > one.txt
  go same.json "$dialects/label-studio.json" -j 3 2>&1 | grep -v images/s > three.txt
  diff one.txt three.txt
  grep -q 'note: ' one.txt
  noted > kept.txt
  stderr_to err.txt go same.json "$dialects/label-studio.json" -q
  [ ! -s err.txt ]
  [ -s kept.txt ]
  noted | diff kept.txt -
}

@test "dialects: a note has the first place, how many there are, and what was done" {
  stderr_to err.txt go same.json "$dialects/supervision.json"
  grep -F 'supervision.json:13:119: warning: annotations[0].segmentation: the segmentation is one list' err.txt > note.txt
  grep -qF '; written as a list of one polygon (2 times in all) [coco-flat-polygon]' note.txt
  # Only faults that must be fixed get frames.
  run -1 grep -F '^^' err.txt
}

@test "dialects: every command that reads annotations takes --compat" {
  local words
  for words in 'preview -o sheet.png' 'explain' 'profile --repeat 1'; do
    # shellcheck disable=SC2086 # words
    run -4 --separate-stderr "$lockstep" $words -p same.json -i in -a "$dialects/make-sense.json" --compat strict
    # shellcheck disable=SC2154 # run sets it
    [[ $stderr == *'[coco-closed-polygon]'* && $output == '' ]]
    # shellcheck disable=SC2086
    run -0 --separate-stderr "$lockstep" $words -v -p same.json -i in -a "$dialects/make-sense.json"
    [[ $stderr == *'note: annotations[0].segmentation'*'[coco-closed-polygon]'* ]]
  done
  [ -e sheet.png ]
}

@test "dialects: LVIS's images are named by their addresses, and get a file_name when they are renamed" {
  go same.json "$dialects/lvis.json" -q --format tiff
  [ "$(jq -r '.images[0].file_name' out/annotations.json)" = hills/0002.tif ]
  [ -e out/images/hills/0002.tif ]
  jq -e '.images[0] | .coco_url and .neg_category_ids == [7]' out/annotations.json
}

# annotation MEMBERS: a file with one.
annotation() {
  printf '{"images": [{"id": 1, "file_name": "0002.png", "width": 201, "height": 151}],\n"annotations": [{"id": 1, "image_id": 1, %s}]}\n' \
    "$1" > one.json
}

@test "dialects: what may mean several things is refused, and the likely cause is named" {
  said() { # words
    run -4 --separate-stderr go same.json "$PWD/one.json" --progress none
    # shellcheck disable=SC2154 # run sets it
    [[ $stderr == *"$1"* ]] || { echo "no \"$1\" in: $stderr"; return 1; }
  }
  annotation '"bbox": [5, 6, 70, 80], "segmentation": [[20, 30, 40, 50]]'
  said 'two points, or a box as pycocotools takes them'
  annotation '"segmentation": {"size": [201, 151], "counts": [30351]}'
  said 'COCO has [height, width]'
  annotation '"segmentation": [[[[1, 2], [30, 4], [50, 60]]]]'
  said '[coco-polygon]'
  annotation '"category_id": "07"'
  said '[coco-type]'
  annotation '"category_id": 1.5'
  said '[coco-type]'
  annotation '"iscrowd": "yes"'
  said '[coco-type]'
  annotation '"bbox": [5, 6, 70, 80]'
  sed -i 's/"width": 201, "height": 151/"width": 151, "height": 201/' one.json
  said 'width and height are swapped'
}

@test "dialects: elements that share an id and differ in nothing are read once, others are refused" {
  cat > twice.json << 'END'
{"images": [{"id": 3, "file_name": "0002.png", "width": 201, "height": 151}],
"annotations": [{"id": 8, "image_id": 3, "category_id": 4, "bbox": [15, 16, 37, 40], "area": 1480, "iscrowd": 0},
{"id": 8, "image_id": 3, "category_id": 4, "bbox": [15, 16, 37, 40], "area": 1480, "iscrowd": 0}],
"categories": [{"id": 4, "name": "hill", "supercategory": "land"}, {"id": 4, "name": "hill", "supercategory": "land"}]}
END
  run -0 --separate-stderr go same.json "$PWD/twice.json" --progress none
  [[ $stderr == *'read and written once (2 times in all) [coco-repeated]'* ]]
  jq -e '(.annotations | length) == 1 and (.categories | length) == 1' out/annotations.json
  "$lockstep" check twice.json > check.txt # no error
  [ "$(grep -c 'warning\[D012\]' check.txt)" -eq 2 ]
  "$lockstep" check --fix -o fixed.json twice.json > /dev/null || true
  go same.json "$PWD/fixed.json" 2>&1 | grep -v coco-no- | run ! grep '\[coco-'

  # No element refers to an annotation's id: the message names the setting that gives it another id.
  sed 's/37, 40\], "area": 1480, "iscrowd": 0}\]/38, 40], "area": 1480, "iscrowd": 0}]/' twice.json > other.json
  sed -i 's/"name": "hill", "supercategory": "land"}\]/"name": "hill", "supercategory": "sea"}]/' other.json
  run -4 --separate-stderr go same.json "$PWD/other.json" --progress none
  [[ $stderr == *'annotations[0] has the id 8 already; "lockstep check --fix -o FIXED other.json" writes'*'[coco-id-twice]'* ]]
  [[ $stderr == *'categories[0] has the id 4 already [coco-id-twice]'* ]]
  sed -i 's/"sea"/"land"/' other.json
  rm fixed.json
  "$lockstep" check --fix -o fixed.json other.json > /dev/null || true
  go same.json "$PWD/fixed.json" -q
  jq -e '[.annotations[].id] == [8, 9]' out/annotations.json
}

@test "dialects: one flat list of numbers is what size, box and area say it is, for check and stats too" {
  declare -A counted=([coco-flat-rle]='0 1 0' [coco-flat-polygon]='1 0 0' [coco-polygon]='0 0 1')
  flat() { # LIST MEMBERS EXIT CODE RULE: the results of run, check and stats
    annotation "\"category_id\": 1, \"iscrowd\": 0, $2, \"segmentation\": $1"
    sed -i 's/}$/, "categories": [{"id": 1, "name": "a", "supercategory": "b"}]}/' one.json
    run "-$3" --separate-stderr go same.json "$PWD/one.json" --progress none
    [[ $stderr == *"[$4]"* ]] || { echo "$1: $stderr"; return 1; }
    "$lockstep" check --output json=check.json --select S one.json || true
    [ "$(jq -r '[.findings[].rule] | join(" ")' check.json)" = "$5" ] || { echo "$1: $(cat check.json)"; return 1; }
    "$lockstep" stats --json one.json > stats.json || [ $? -eq 1 ]
    [ "$(jq -r '"\(.polygons) \(.rle) \(.unread)"' stats.json)" = "${counted[$4]}" ] || { echo "$1: $(cat stats.json)"; return 1; }
  }
  local counts='[3041, 12, 139, 12, 139, 12, 26996]' ring='[40, 30, 95, 30, 95, 80, 40, 80]'
  flat "$counts" '"bbox": [20, 21, 3, 12], "area": 36' 0 coco-flat-rle S033
  flat "$counts" '"bbox": [20.4, 21, 3, 12.9], "area": 36' 0 coco-flat-rle S033
  flat "$counts" '"area": 36' 0 coco-flat-rle S033
  flat "$counts" '"bbox": [20, 21, 9, 12], "area": 36' 4 coco-polygon S001
  flat "$counts" '"bbox": [20, 21, 3, 12], "area": 51' 4 coco-polygon S001
  flat "${counts/26996/26997}" '"bbox": [20, 21, 3, 12], "area": 36' 4 coco-polygon S001
  flat "$ring" '"bbox": [40, 30, 55, 50], "area": 2750' 0 coco-flat-polygon S002
  flat "$ring" '"bbox": [41.5, 28, 55, 51], "area": 2750' 0 coco-flat-polygon S002
  flat "$ring" '"area": 2750' 0 coco-flat-polygon S002
  flat "$ring" '"bbox": [100, 30, 55, 50], "area": 2750' 4 coco-polygon S001
  flat '["3041", "12", "139", "12", "139", "12", "26996"]' '"bbox": ["20", "21", "3", "12"], "area": "36"' 0 coco-flat-rle S033
}

@test "dialects: what run repairs of numbers, check mends, and nothing is left to repair" {
  local name
  for name in quoted flat-rle repeated; do
    cp "$dialects/$name.json" from.json
    for _ in 1 2 3; do
      "$lockstep" check --fix -o to.json from.json > /dev/null 2>&1 || true
      if [ -e to.json ]; then mv to.json from.json; fi
    done
    go same.json "$PWD/from.json" 2> err.txt
    run ! grep -E '\[coco-(string|float|flat|repeated)' err.txt
    "$lockstep" stats "$dialects/$name.json" > stats.txt
    run ! grep -q 'could not be read' stats.txt
  done
}

@test "dialects: what is rewritten is said, what is common and kept only with -v" {
  go same.json "$dialects/coco-annotator.json" --progress none 2> err.txt
  grep -q 'written as 1 or 0 .*\[coco-bool-crowd\]' err.txt
  "$lockstep" run -p same.json -i in -a "$dialects/cvat.json" -o common --progress none 2> err.txt
  run ! grep coco-zero-id err.txt
  go same.json "$dialects/cvat.json" --progress none
  noted | grep -q '^coco-zero-id '
}
