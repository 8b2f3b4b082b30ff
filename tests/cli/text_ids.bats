#!/usr/bin/env bats
# COCO files with ids that are texts, as camera traps have: read, and written as they stand; numbers where copies or joined
# images need them.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  pipeline flip.json '{"type": "horizontal_flip"}'
  pipeline same.json ''
  make_dataset
}

# make_dataset: in/0.png to in/5.png, and in.json with odd texts for ids.
make_dataset() {
  python3 - << 'PY'
import json, os, png
ids = ["8b31d8be-21bc-11ea-a13a-137349068a90", "S1/B04/B04_R1/P 1", "7", "007", 'say "x"\\n', "zürich-写" + "x" * 300]
os.mkdir("in")
images, annotations = [], []
for i, text in enumerate(ids):
    png.write(f"in/{i}.png", [bytes((x * 7 + y * 3 + i * 20) % 256 for x in range(20) for _ in range(3)) for y in range(16)], 3)
    images.append({"id": text, "file_name": f"{i}.png", "width": 20, "height": 16, "seq_num_frames": 3})
    for k in range(2):
        annotations.append({"id": f"{text}-{k}" if k else str(i), "image_id": text, "category_id": k,
                            "bbox": [1 + k, 2, 5, 6], "area": 30, "iscrowd": 0})
annotations.append({"id": "whole", "image_id": ids[0], "category_id": 1, "sequence_level_annotation": False})
json.dump({"info": {"version": "1.0"}, "images": images, "annotations": annotations,
           "categories": [{"id": 0, "name": "empty", "supercategory": ""}, {"id": 1, "name": "deer", "supercategory": ""}]},
          open("in.json", "w"))
PY
}

run_on() { "$lockstep" run -q -p "$1" -i in -a in.json -o out "${@:2}"; }

# ids FILE: its ids, of images, of annotations, and of their images.
ids() { jq -c '[.images[].id], [.annotations[].id], [.annotations[].image_id]' "$1"; }

@test "text ids: one output of each image has them as they stand, in the manifest too" {
  run_on flip.json
  diff <(ids in.json) <(ids out/annotations.json)
  [ "$(jq -c '.annotations[0].bbox' out/annotations.json)" = '[14,2,5,6]' ]
  diff <(jq -c '.images[].id' in.json) <(jq -c '.image_id' out/manifest.jsonl)
  diff <(jq -c '.images[].id' in.json) <(jq -c '.from' out/manifest.jsonl)
  diff <(jq -c '[.annotations[].id] | sort' in.json) <(jq -cs '[.[].annotations[].from] | sort' out/manifest.jsonl)
  "$lockstep" verify -q out
  "$lockstep" replay -q --verify -m out/manifest.jsonl -i in -a in.json -o out
  rm -r out
  run_on same.json
  "$here/tools/same_tokens.py" in.json out/annotations.json
}

@test "text ids: copies have numbers, whatever part of the images is done, and one line says so" {
  "$lockstep" run -p flip.json -i in -a in.json -o out -n 3 2> err.txt
  [ "$(grep -c 'ids-numbered' err.txt)" -eq 1 ]
  [ "$(jq -c '[.images[].id]' out/annotations.json)" = "$(jq -nc '[range(3; 21)]')" ]
  [ "$(jq -c '[.annotations[].id] | sort' out/annotations.json)" = "$(jq -nc '[range(3; 42)]')" ]
  [ "$(jq -c '[.annotations[] | select(.id == 9 or .id == 10) | .image_id]' out/annotations.json)" = '[6,7]' ]
  [ "$(jq -c 'select(.image_id == 10) | [.from, .annotations[1]]' out/manifest.jsonl)" = \
    '["7",{"id":19,"from":"7-1"}]' ]
  "$lockstep" verify -q out
  "$lockstep" replay -q --verify -m out/manifest.jsonl -i in -a in.json -o out
  mv out whole
  for k in 0 1; do "$lockstep" run -q -p flip.json -i in -a in.json -o part$k -n 3 --shard $k/2; done
  "$lockstep" merge -q part0 part1 -o out
  cmp whole/annotations.json out/annotations.json
  rm -r out
  run_on flip.json -n 3 4.png
  diff <(jq -c '.images[] | select(.file_name | startswith("4_"))' whole/annotations.json) <(jq -c '.images[]' out/annotations.json)
}

@test "text ids: a joined image keeps its text, and objects of joined images get dense numbers" {
  pipeline mosaic.json '{"type": "Mosaic", "p": 1, "target_size": 40}'
  "$lockstep" run -p mosaic.json -i in -a in.json -o out 2> err.txt
  grep -qF 'the ids of images are strings; see annotations.ids [ids-dense]' err.txt
  diff <(jq -c '[.images[].id]' in.json) <(jq -c '[.images[].id]' out/annotations.json)
  [ "$(jq -c '([.annotations[].id] == [range(1; 1 + (.annotations | length))]) and
    ([.annotations[].image_id] - [.images[].id] == [])' out/annotations.json)" = true ]
  "$lockstep" check out/annotations.json > check.txt || true
  [ "$(grep -cE 'error\[(D|R)' check.txt)" -eq 0 ]
  "$lockstep" verify -q out
  rm -r out
  run_on mosaic.json -n 2
  [ "$(jq -c '[.images[].id]' out/annotations.json)" = '[2,3,4,5,6,7,8,9,10,11,12,13]' ]
  rm -r out
  jq '.annotations.ids = "by_image"' mosaic.json > by_image.json
  run -4 --separate-stderr "$lockstep" run -p by_image.json -i in -a in.json -o out
  [[ $stderr == *'the ids of images are strings; set "ids": "auto"'*'[id-overflow]'* ]]
}

@test "text ids: texts and numbers are never one id, and a text that is there twice is refused" {
  # change EXPRESSION WORDS: a run of the file that jq makes is refused with these words, and so check has an error.
  change() {
    jq "$1" in.json > bad.json
    run -4 --separate-stderr "$lockstep" run -q -p flip.json -i in -a bad.json -o out
    [[ $stderr == *"$2"* ]] || { echo "$1: $stderr"; return 1; }
    run -1 "$lockstep" check bad.json
  }
  change '.annotations[4].image_id = 7' 'annotations[4].image_id: no image has the id 7 ['
  change '.annotations[4].image_id = "07"' 'annotations[4].image_id: no image has the id "07" ['
  change '.images[2].id = 7' 'images[2].id: expected a nonempty string'
  change '.images[5].id = .images[1].id' 'images[5].id: images[1] has the id "S1/B04/B04_R1/P 1" already ['
  change '.images[5].id = ""' 'images[5].id: expected a nonempty string'
  change '.annotations[5].id = .annotations[1].id' 'annotations[5].id: annotations[1] has the id'
  change '.categories[0].id = "0" | .categories[1].id = "deer"' 'categories[1].id'
}

@test "text ids: where all of them are integers they are written as numbers, as before" {
  jq '.images = [.images[0, 1] | .id = (.file_name | .[0:1])] | .annotations = [.annotations[0, 2] | .image_id = .id]' \
    in.json > quoted.json
  "$lockstep" run -v -p same.json -i in -a quoted.json -o out 2> err.txt
  grep -qF 'images[0].id' err.txt
  [ "$(ids out/annotations.json | tr -d '\n')" = '[0,1][0,1][0,1]' ]
  run -4 "$lockstep" run -q -p same.json -i in -a in.json -o strict --compat strict
}

@test "text ids: check names them once, finds duplicates, and gives these new strings" {
  "$lockstep" check in.json -i in > check.txt
  [ "$(grep -c '\[D013\]' check.txt)" -eq 2 ]
  [ "$(grep -cE '(error|warning)\[' check.txt)" -eq 0 ]
  jq -c '.annotations[3].id = .annotations[1].id | .annotations[6].id = .annotations[1].id + "-14"' in.json > twice.json
  run -1 "$lockstep" check twice.json --output jsonl
  grep -qF '"annotation_id": "8b31d8be-21bc-11ea-a13a-137349068a90-1"' <<< "$output"
  "$lockstep" check --fix -o fixed.json twice.json > /dev/null
  [ "$(jq -c '[.annotations[].id] | length == (unique | length)' fixed.json)" = true ]
  [ "$(jq -r '.annotations[3].id' fixed.json)" = 8b31d8be-21bc-11ea-a13a-137349068a90-1-15 ]
  run_on same.json
  "$lockstep" run -q -p same.json -i in -a fixed.json -o mended
}

@test "text ids: split, diff, stats, labels and webdataset take them, and other formats do without" {
  local to
  "$lockstep" split -a in.json -o parts --ratio 50:50
  diff <(jq -c '.images[].id' in.json | sort) <(jq -c '.images[].id' parts/*.json | sort)
  diff <(jq -c '.annotations[]' in.json | sort) <(jq -c '.annotations[]' parts/*.json | sort)
  "$lockstep" diff in.json in.json
  jq '.annotations |= (.[1:] | reverse) | .annotations[0].area = 7' in.json > other.json
  run -1 "$lockstep" diff in.json other.json
  [[ $output == *'1 removed, 1 changed, 0 added'* && $output == *'~ annotation "whole"'* ]]
  "$lockstep" stats in.json | grep -qF '6 images, 13 objects'
  pipeline small.json '{"type": "remove_small_boxes", "min_size": 1}'
  "$lockstep" labels -q -p small.json -a in.json -o labels.json
  diff <(ids in.json) <(ids labels.json)
  run_on flip.json --out-format webdataset
  "$lockstep" verify -q out
  tar xOf out/train-000000.tar 4.json | jq -ce '.images[0].id == "say \"x\"\\n" and (.annotations | length) == 2'
  "$lockstep" run -q -p flip.json -i out/train-000000.tar -o again
  diff <(jq -c '.annotations[] | [.id, .image_id]' in.json | sort) \
    <(jq -c '.annotations[] | [.id, .image_id]' again/annotations.json | sort)
  for to in yolo voc; do
    rm -r out
    run_on flip.json --to $to --lossy
    "$lockstep" verify -q out
  done
}

@test "text ids: results name images by them, and back gives these to the sources again" {
  jq '[.annotations[] | select(.bbox) | {image_id, category_id, bbox, score: 0.5}]' in.json > results.json
  "$lockstep" run -q -p flip.json -i in -a results.json --image-list in.json -o found
  diff <(jq -c '[.[].image_id]' results.json) <(jq -c '[.[].image_id]' found/annotations.json)
  "$lockstep" verify -q found
  run -0 "$lockstep" check results.json in.json
  for n in 1 3; do
    run_on flip.json -n $n
    jq '[.annotations[] | select(.bbox) | {image_id, category_id, bbox, score: 0.5}]' out/annotations.json > of-outputs.json
    "$lockstep" back -q -m out/manifest.jsonl -r of-outputs.json -o back.json --overwrite
    diff <(jq -c '.[] | [.image_id, .bbox]' results.json | sort) <(jq -c '.[] | [.image_id, .bbox]' back.json | sort -u)
    rm -r out
  done
  jq '.[0].image_id = "gone"' results.json > bad.json
  run -4 --separate-stderr "$lockstep" run -q -p flip.json -i in -a bad.json --image-list in.json -o bad
  [[ $stderr == *'no image has the id "gone"'* ]]
  run -1 "$lockstep" check bad.json in.json
  [[ $output == *'the first is "gone"'* ]]
}

@test "text ids: iou matches images by them, in any order, and gives their places in their lists" {
  "$lockstep" iou in.json in.json --above 0.99 > same.csv
  # Twelve boxes are each equal to themselves alone.
  [ "$(grep -c ',1$' same.csv)" -eq 12 ]
  [ "$(awk -F, 'NR > 1 && $2 == $3' same.csv | wc -l)" -eq 12 ]
  [ "$(awk -F, 'NR > 1 { print $1 }' same.csv | tr '\n' ' ')" = '1 1 2 2 3 3 4 4 5 5 6 6 ' ]
  # There are 13 annotations, and the last has no box: place k of the one is place 14 - k of the other.
  jq '.images |= reverse | .annotations |= reverse' in.json > reversed.json
  "$lockstep" iou in.json reversed.json --above 0.99 > reversed.csv
  [ "$(awk -F, 'NR > 1 && $2 + $3 == 14' reversed.csv | wc -l)" -eq 12 ]
  diff <(cut -d, -f1,2,4 same.csv) <(cut -d, -f1,2,4 reversed.csv)
  jq '.images[].id |= "other " + . | .annotations[].image_id |= "other " + .' in.json > other.json
  [ "$("$lockstep" iou in.json other.json | wc -l)" -eq 1 ]
}

# camera_trap: a file in the style of LILA BC with its three images, of one sequence: trap.json and trap/.
camera_trap() {
  mkdir -p trap/S1/B04/B04_R1
  for i in 1 2 3; do python3 "$here/tools/blank.py" "trap/S1/B04/B04_R1/PICT000$i.png" 64 48; done
  python3 - << 'PY'
import json
ids = [f"SER_S1/B04/B04_R1/SER_S1_B04_R1_PICT000{i}" for i in (1, 2, 3)]
common = {"seq_id": "SER_S1#B04#1#1", "season": "S1", "datetime": "2010-07-18 16:26:14", "location": "B04"}
images = [{"id": text, "file_name": f"S1/B04/B04_R1/PICT000{i}.png", "frame_num": i, **common, "width": 64, "height": 48,
           "corrupt": False, "seq_num_frames": 3} for i, text in enumerate(ids, 1)]
annotations = [{"sequence_level_annotation": True, "id": f"e0{i}/21bc", "category_id": category, **common, "subject_id": 1,
                "count": "11-50", "standing": 0.0, "resting": 1.0, "image_id": text}
               for i, (text, category) in enumerate(zip(ids, (0, 2, 2)))]
annotations.append({"id": "box/1", "image_id": ids[1], "category_id": 2, "bbox": [10, 12, 20, 16],
                    "sequence_level_annotation": False})
json.dump({"info": {"version": 2.1, "contributor": "LILA"}, "images": images, "annotations": annotations,
           "categories": [{"id": 0, "name": "empty"}, {"id": 1, "name": "human"}, {"id": 2, "name": "gazelleGrants"}]},
          open("trap.json", "w"))
PY
}

@test "text ids: a camera trap's file goes through run, check, stats, split and --to yolo" {
  camera_trap
  "$lockstep" run -q -p flip.json -i trap -a trap.json -o out
  diff <(jq -cS '.annotations[3].bbox = [34, 12, 20, 16] | .images, .annotations, .categories, .info' trap.json) \
    <(jq -cS '.images, .annotations, .categories, .info' out/annotations.json)
  "$lockstep" verify -q out
  # MegaDetector's boxes have neither an area nor iscrowd.
  "$lockstep" check trap.json -i trap --fail-on warning --ignore I,A001,R009 > check.txt
  "$lockstep" check out/annotations.json -i out/images --fail-on warning --ignore I,A001,R009 > check.txt
  for file in trap.json out/annotations.json; do
    [ "$("$lockstep" stats --json "$file" | jq -c '[.images, .objects, .boxes, .unread]')" = '[3,4,1,0]' ]
  done
  # A sequence stays together.
  "$lockstep" split -a trap.json -o parts --ratio 1:1 --group-by '^(.*)/'
  [ "$(jq -s '[.[].images | length] | sort | join(" ")' parts/*.json)" = '"0 3"' ]
  [ "$(jq -c '.annotations[]' parts/*.json | sort)" = "$(jq -c '.annotations[]' trap.json | sort)" ]
  run -4 --separate-stderr "$lockstep" run -q -p flip.json -i trap -a trap.json -o yolo --to yolo
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == *'3 objects without a box or an outline'*'"sequence_level_annotation"'*'[to-lossy]'* ]]
  "$lockstep" run -q -p flip.json -i trap -a trap.json -o yolo --to yolo --lossy
  [ "$(awk '{ printf "%s %.4f %.4f %.4f %.4f", $1, $2, $3, $4, $5 }' yolo/labels/S1/B04/B04_R1/PICT0002.txt)" = \
    '2 0.6875 0.4167 0.3125 0.3333' ]
  [ "$(jq -c '[.dropped[].from]' yolo/manifest.jsonl | tr '\n' ' ')" = '["e00/21bc"] ["e01/21bc"] ["e02/21bc"] ' ]
  "$lockstep" verify -q yolo
}
