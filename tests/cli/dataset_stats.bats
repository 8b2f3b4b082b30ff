#!/usr/bin/env bats
# `stats` and `diff` of whole datasets, of outputs with parts, and of label masks.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  python3 "$root/tests/tools/divide_samples.py" "$samples" in
}

# counts ARGUMENT...: images and objects of each part.
counts() { "$lockstep" stats "$@" --json | jq -c '[.images, .objects, (.parts[] | [.name, .images, .objects])]'; }

@test "dataset stats: objects are counted in each part and in all; a run's output and its source" {
  local part
  [ "$(counts in)" = '[15,59,["train2017",10,45],["val2017",5,14]]' ]
  for part in train2017 val2017; do
    [ "$("$lockstep" stats in --json | jq -c ".parts[] | select(.name == \"$part\") | .categories")" = \
      "$("$lockstep" stats in/annotations/instances_$part.json --json | jq -c '[.categories[] | {name, objects}]')" ]
  done
  "$lockstep" stats in > text.txt
  grep -qx 'val2017: 5 images, 14 objects' text.txt
  "$lockstep" stats in --html page.html
  grep -q '<tr><td>objects</td><td class="number">45</td><td class="number">14</td></tr>' page.html
  "$lockstep" run -q -p "$root/pipelines/detection.json" -a in -o out
  [ "$(counts out)" = '[15,52,["train2017",10,39],["val2017",5,13]]' ]
  "$lockstep" stats out -a in --json | jq -e '.run | .sources == 15 and .before == 59 and .after == 52 and .dropped == 7'
  "$lockstep" run -q -p "$root/pipelines/detection.json" -a in -o yolo --to yolo --lossy
  [ "$(counts yolo)" = '[15,49,["train",10,38],["val",5,11]]' ]
  [ "$(counts yolo/data.yaml)" = "$(counts yolo)" ]
}

@test "dataset stats: equal ids in two parts, an empty part, and class lists that differ" {
  cp in/train2017/fruit/0001.jpg in/train2017/a.jpg
  cp in/train2017/fruit/0001.jpg in/val2017/a.jpg
  for part in train2017:cat:1 val2017:dog:2; do
    IFS=: read -r name class n <<< "$part"
    jq -n --arg class "$class" --argjson n "$n" '{images: [{id: 1, file_name: "a.jpg", width: 427, height: 640}],
      categories: [{id: 1, name: $class}], annotations: [range($n) |
      {id: (. + 1), image_id: 1, category_id: 1, bbox: [1, 1, 5, 5], area: 25, iscrowd: 0}]}' \
      > "in/annotations/instances_$name.json"
  done
  [ "$(counts in)" = '[2,3,["train2017",1,1],["val2017",1,2]]' ]
  "$lockstep" stats in --json | jq -e '[.categories[] | [.name, .objects]] == [["cat", 1], ["dog", 2]]'
  echo '{"images": [], "annotations": [], "categories": []}' > in/annotations/instances_val2017.json
  [ "$(counts in)" = '[1,1,["train2017",1,1],["val2017",0,0]]' ]
}

@test "stats: label masks: pixels and images of each value" {
  mkdir images masks
  python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import png
for name, row in ("a", [0, 0, 1, 2]), ("b", [0, 0, 0, 255]):
    open(f"images/{name}.png", "wb").write(png.encode([[9] * 4] * 2, 1))
    open(f"masks/{name}_L.png", "wb").write(png.encode([row] * 2, 1))' "$here/lib"
  printf '%s\n' sky road > names.txt
  "$lockstep" stats -i images --masks masks --mask-name '{stem}_L.png' --classes names.txt --json |
    jq -e '[.categories[] | [.id, .name, .pixels, .images]] ==
      [[0, "0 sky", 10, 2], [1, "1 road", 2, 1], [2, "2", 2, 1], [255, "255", 2, 1]]'
  "$lockstep" stats -i images --masks masks --mask-name '{stem}_L.png' | grep -q ' 10  62.50%  *2  0$'
  run -1 --separate-stderr "$lockstep" stats -i images --masks masks
  [[ $stderr == *'2 parts of masks'*'[survey-partial]'* ]]
  run -2 "$lockstep" stats --masks masks
}

@test "dataset diff: images are compared by their bytes, per part" {
  cp -r in other
  "$lockstep" diff in other
  cp other/train2017/fruit/0001.jpg other/val2017/park/0001.jpg
  rm other/train2017/desk/0001.jpg
  run -1 "$lockstep" diff in other
  [ "$(grep file <<< "$output" | paste -sd' ')" = \
    'files: 1 removed, 1 changed, 0 added - file train2017/desk/0001.jpg ~ file val2017/park/0001.jpg' ]
  [[ $output == *'~ part train2017: images 10 -> 10'* ]]
  # The same ids in two parts do not clash.
  cp other/annotations/instances_val2017.json other/annotations/instances_train2017.json
  for part in train2017 val2017; do
    rm -rf third
    cp -r other third
    jq '.annotations |= .[1:]' "other/annotations/instances_$part.json" > "third/annotations/instances_$part.json"
    "$lockstep" diff other third --json > parts.json && false
    jq -e --arg part "$part/" '(.annotations.removed | map(.image | startswith($part))) == [true] and .annotations.added == [] and
      .annotations.changed == [] and .files.removed == []' parts.json
  done
}

@test "dataset diff: new ids get a hint, and outputs with parts are compared whole" {
  cp -r in other
  for part in train2017 val2017; do
    jq '(.images[].id, .annotations[].image_id, .annotations[].id) += 5000000' "in/annotations/instances_$part.json" \
      > "other/annotations/instances_$part.json"
  done
  run -1 --separate-stderr "$lockstep" diff in other
  [[ $stderr == *'--match geometry'*'[ids-new]'* ]]
  run -0 --separate-stderr "$lockstep" diff in other --match geometry
  [ -z "$stderr" ]
  "$lockstep" run -q -p "$root/pipelines/detection.json" -a in -o out
  cp -r out again
  "$lockstep" diff out again
  echo >> again/val2017/park/0001.jpg
  run -1 "$lockstep" diff out again
  [[ $output == *'~ file val2017/park/0001.jpg'* ]]
}
