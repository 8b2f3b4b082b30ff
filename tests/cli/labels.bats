#!/usr/bin/env bats
# `lockstep labels` and the ops on labels alone: slow programs of their definitions agree, and anything that no step
# changes keeps its text.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() { begin; }

# agrees OP SEED [FILES]
agrees() {
  python3 "$here/tools/label_ops.py" "$lockstep" "$@"
}

labels() { # STEPS FILE [options]
  local file=$2
  pipeline steps.json "$1"
  shift 2
  "$lockstep" labels -q -p steps.json -a "$file" "$@"
}

@test "labels: nms and batched_nms keep what their definitions keep, by both kinds of edges" {
  agrees nms 1 6
  agrees batched_nms 1 6
}

# bats test_tags=release
@test "labels: nms and batched_nms keep what their definitions keep, by both kinds of edges, with three seeds" {
  local seed
  for seed in 1 2 3; do
    agrees nms "$seed" 8
    agrees batched_nms "$seed" 8
  done
}

@test "labels: soft_nms lowers scores as its definition does" {
  agrees soft_nms 1 12
  agrees soft_nms 2 12
}

@test "labels: weighted_boxes_fusion makes the boxes and scores of its definition, by both kinds of edges" {
  agrees weighted_boxes_fusion 1 12
  agrees weighted_boxes_fusion 2 12
}

@test "labels: scores, sizes, edges of the image and numbers of objects are limited as defined" {
  local op
  for op in score_threshold remove_small_boxes clip_boxes keep_top_k; do agrees $op 1 12; done
}

@test "labels: a thousand equal boxes of equal scores, and one box, and none" {
  jq -n '[range(1000) | {image_id: 1, category_id: 1, bbox: [1, 2, 3, 4], score: 0.5, n: .}]' > many.json
  [ "$(labels '{"type": "nms", "iou_threshold": 1, "compare": "ge"}' many.json | jq -c 'map(.n)')" = '[0]' ]
  [ "$(labels '{"type": "nms", "iou_threshold": 1}' many.json | jq length)" -eq 1000 ]
  [ "$(labels '{"type": "nms", "iou_threshold": 0.99}' many.json | jq -c 'map(.n)')" = '[0]' ]
  [ "$(labels '{"type": "keep_top_k", "k": 3}' many.json | jq -c 'map(.n)')" = '[0,1,2]' ]
  [ "$(labels '{"type": "keep_top_k", "k": 3, "ties": true}' many.json | jq length)" -eq 1000 ]
  jq '.[:1]' many.json > one.json
  [ "$(labels '{"type": "nms"}' one.json | jq length)" -eq 1 ]
  echo '[]' > none.json
  [ "$(labels '{"type": "nms"}' none.json | jq length)" -eq 0 ]
}

@test "labels: what a step has dropped is not there for the next" {
  echo '[{"image_id": 1, "category_id": 1, "bbox": [0, 0, 10, 2], "score": 0.9},
         {"image_id": 1, "category_id": 1, "bbox": [0, 0, 10, 3], "score": 0.5},
         {"image_id": 1, "category_id": 1, "bbox": [50, 0, 10, 3], "score": 0.7}]' > found.json
  [ "$(labels '{"type": "nms"}' found.json | jq -c 'map(.score)')" = '[0.9,0.7]' ]
  [ "$(labels '{"type": "remove_small_boxes", "min_size": 3}, {"type": "nms"}' found.json | jq -c 'map(.score)')" = '[0.5,0.7]' ]
  [ "$(labels '{"type": "nms"}, {"type": "keep_top_k", "k": 1}' found.json | jq -c 'map(.score)')" = '[0.9]' ]
  "$lockstep" labels -p steps.json -a found.json 2>&1 > /dev/null | grep -q ': 1 stay, 0 of them changed; 2 dropped (nms 1, top_k 1)$'
}

@test "labels: elements that no step changes keep every byte, and all keep their keys and order" {
  cat > found.json << 'END'
[{"image_id": 5, "category_id": 18, "bbox": [258.150, 41.29, 348.26, 243.78], "score": 2.50e-1, "x": {"a": 1.50}},
 {"image_id": 6, "category_id": 1, "x-more": [1.0, null], "bbox": [2.0, 4e1, 3, 2], "score": 0.90},
 {"image_id": 5, "category_id": 18, "bbox": [258.15, 42, 348.26, 243.78], "score": 0.9}]
END
  labels '{"type": "soft_nms"}, {"type": "score_threshold", "threshold": 0}' found.json > out.json
  grep -qF '{"image_id": 6, "category_id": 1, "x-more": [1.0, null], "bbox": [2.0, 4e1, 3, 2], "score": 0.90}' out.json
  grep -qF '"bbox": [258.150, 41.29, 348.26, 243.78], "score": 0.00' out.json
  grep -qF '"x": {"a": 1.50}}' out.json
  [ "$(jq -c 'map(.image_id)' out.json)" = '[5,6,5]' ]
  labels '' "$samples/annotations.json" > out.json
  python3 "$here/tools/same_tokens.py" "$samples/annotations.json" out.json
}

@test "labels: categories change, and nothing else but their list" {
  labels '{"type": "merge_categories", "from": ["boat", "cup"], "into": ["car"]},
          {"type": "remap_categories", "from": ["apple", "orange"], "to": ["orange", "apple"]}' \
    "$samples/annotations.json" -o out.json
  jq '(.categories | map({(.name): .id}) | add) as $id
      | {($id.boat | tostring): $id.car, ($id.cup | tostring): $id.car,
         ($id.apple | tostring): $id.orange, ($id.orange | tostring): $id.apple} as $map
      | .categories |= map(select(.name != "boat" and .name != "cup"))
      | .annotations |= map(.category_id |= ($map[tostring] // .))' "$samples/annotations.json" > expected.json
  # An image that lacks cars and boats, but perhaps not cups, no longer lacks cars for certain.
  jq -e '[.images[].neg_category_ids // empty] == [[]]' out.json
  same_json <(jq 'del(.images[].neg_category_ids)' out.json) <(jq 'del(.images[].neg_category_ids)' expected.json)
  [ "$(jq '[.annotations[].category_id] | unique | length' out.json)" -lt \
    "$(jq '[.annotations[].category_id] | unique | length' "$samples/annotations.json")" ]
}

@test "labels: of results alone the categories are their ids" {
  echo '[{"image_id": 1, "category_id": 7, "bbox": [1, 2, 3, 4], "score": 1}]' > found.json
  [ "$(labels '{"type": "remap_categories", "from": ["7"], "to": ["7"]}' found.json | jq -c '.[0].category_id')" = 7 ]
  jq '. + [.[0] + {category_id: 3}]' found.json > two.json
  [ "$(labels '{"type": "remap_categories", "from": ["7"], "to": ["3"]}' two.json | jq -c 'map(.category_id)')" = '[3,3]' ]
}

@test "labels: outlines cover what they did, and masks are suppressed as defined" {
  python3 "$here/tools/label_outlines.py" "$lockstep" 1
}

# bats test_tags=release
@test "labels: outlines cover what they did, and masks are suppressed as defined, with another seed" {
  python3 "$here/tools/label_outlines.py" "$lockstep" 2
}

@test "labels: codes of boxes, and masks that are pasted, are those of their definitions, by both kinds of edges" {
  python3 "$here/tools/box_code.py" "$lockstep" 1
  python3 "$here/tools/box_code.py" "$lockstep" 2
}

@test "labels: codes and masks that cannot be are refused, and named" {
  local row step
  while IFS='|' read -r row step; do
    echo "[{\"image_id\": 1, \"category_id\": 7, \"bbox\": [1, 2, 3, 4], \"score\": 1, $row}]" > found.json
    echo '{"images": [{"id": 1, "file_name": "1.jpg", "width": 9, "height": 9}], "categories": [{"id": 7, "name": "a"}]}' > list.json
    run -4 labels "$step" found.json --image-list list.json -o out.json
    [[ $output == *"object 1 of the image, from 1: its \""*"[step-refused]"* ]] && [ ! -e out.json ]
  done << 'END'
"anchor": 1|{"type": "encode_boxes", "anchors": [[0, 0, 5, 5]]}
"anchor": [0, 0, 0, 5]|{"type": "encode_boxes"}
"anchor": "b"|{"type": "encode_boxes"}
"code": [1, 2, 3]|{"type": "decode_boxes"}
"code": [1, 2, 3, [4], 5]|{"type": "decode_boxes"}
"code": [1e9, 2, 3, 4]|{"type": "decode_boxes"}
"mask": [[1, 0], [0]]|{"type": "paste_masks"}
"mask": "m.png"|{"type": "paste_masks"}
"mask": []|{"type": "paste_masks"}
"m": [1, 2, 3]|{"type": "paste_masks", "key": "m"}
END
}

@test "labels: what cannot be is an error before anything is written" {
  refused() { # EXIT CODE STEPS FILE [options]
    local exit=$1 code=$2
    shift 2
    run -"$exit" labels "$@" -o out.json
    grep -qF "[$code]" <<< "$output" || { echo "$output"; false; }
    [ ! -e out.json ]
  }
  echo '[{"image_id": 1, "category_id": 7, "bbox": [1, 2, 3, 4], "score": 1},
         {"image_id": 1, "category_id": 7, "bbox": [1, 2, 3, 4]}]' > found.json
  for op in score_threshold nms batched_nms soft_nms weighted_boxes_fusion keep_top_k; do
    refused 4 score-missing "{\"type\": \"$op\"}" found.json
    grep -qF 'found.json:2:10: error: [1]:' <<< "$output"
    labels "{\"type\": \"$op\", \"default_score\": 0.5}" found.json > /dev/null
  done
  refused 4 score-missing '{"type": "RandomApply", "transforms": [{"type": "nms"}]}' found.json
  refused 4 step-refused '{"type": "clip_boxes"}' found.json
  refused 3 category-unknown '{"type": "remap_categories", "from": ["7", "8"], "to": ["7", "7"]}' found.json
  grep -qF 'transforms[0].from[1]' <<< "$output"
  refused 3 category-unknown '{"type": "merge_categories", "from": ["7"], "into": ["vehicle"]}' found.json
  refused 3 param-length '{"type": "remap_categories", "from": ["7", "7"], "to": ["7"]}' found.json
  refused 3 param-length '{"type": "merge_categories", "from": ["7"], "into": ["7", "7"]}' found.json
  refused 3 labels-step '{"type": "horizontal_flip"}' found.json
  refused 3 labels-step '{"type": "RandomApply", "transforms": [{"type": "RandomCrop", "size": 8}]}' found.json
  echo '[{"image_id": 1, "category_id": 7, "bbox": [1, 2, 3, NaN], "score": 1}]' > nan.json
  refused 4 json-number '{"type": "nms"}' nan.json
  echo '[{"image_id": 1, "category_id": 7, "bbox": [1, 2, 3, 4], "score": 1e400}]' > large.json
  refused 4 json-number '{"type": "nms"}' large.json
  echo '[{"image_id": 1, "category_id": 7, "bbox": [0, 0, 9, 9], "segmentation": [[0, 0, 9, 0, 9, 9]], "score": 1},
         {"image_id": 1, "category_id": 7, "bbox": [0, 0, 9, 8], "segmentation": [[0, 0, 9, 0, 9, 8]], "score": 1}]' > outlined.json
  refused 4 step-refused '{"type": "weighted_boxes_fusion"}' outlined.json
  refused 4 step-refused '{"type": "polygon_to_rle"}' outlined.json
  refused 4 labels-none '{"type": "nms"}' "$samples/images"
  touch out.json
  run -6 labels '{"type": "nms"}' found.json -o out.json
  [ ! -s out.json ]
}

@test "labels: nms in a run equals nms of the labels, and needs scores before any image is read" {
  pipeline steps.json '{"type": "nms", "iou_threshold": 0.1, "default_score": 1}'
  "$lockstep" run -q -p steps.json -i "$samples/images" -a "$samples/annotations.json" -o out
  "$lockstep" labels -q -p steps.json -a "$samples/annotations.json" -o out.json
  same_json out.json out/annotations.json .annotations
  [ "$(jq '.annotations | length' out.json)" -lt "$(jq '.annotations | length' "$samples/annotations.json")" ]
  grep -q '"reason": "nms"' out/manifest.jsonl
  pipeline steps.json '{"type": "nms"}'
  run -4 "$lockstep" run -q -p steps.json -i "$samples/images" -a "$samples/annotations.json" -o other
  grep -qF '[score-missing]' <<< "$output"
  [ ! -e other ]
}

@test "labels: of panoptic segments categories change, and polygons are refused" {
  local from to
  python3 "$here/tools/panoptic.py" draw data
  from=$(jq '.categories[0].name' data/panoptic.json)
  to=$(jq '.categories[1].name' data/panoptic.json)
  pipeline p.json "{\"type\": \"merge_categories\", \"from\": [$from], \"into\": [$to]}"
  "$lockstep" run -q -p p.json -i data/images -a data/panoptic.json -o out
  jq '.categories[0].id as $from | .categories[1].id as $to
      | .annotations[].segments_info |= map(if .category_id == $from then .category_id = $to else . end)' \
    data/panoptic.json > expected.json
  same_json out/annotations.json expected.json '.annotations | map(.segments_info | map(.category_id))'
  [ "$(jq '.categories[0].id as $id | [.annotations[].segments_info[] | select(.category_id == $id)] | length' \
    data/panoptic.json)" -gt 0 ]
  pipeline p.json '{"type": "rle_to_polygon"}'
  run -3 "$lockstep" run -q -p p.json -i data/images -a data/panoptic.json -o other
  grep -qF '[target-refused]' <<< "$output"
  run -4 "$lockstep" labels -q -p p.json -a data/panoptic.json
}

@test "iou: tables of pairs, as CSV and for NumPy, are those of the definition" {
  python3 "$here/tools/iou_table.py" "$lockstep" 1
  python3 "$here/tools/iou_table.py" "$lockstep" 2
  echo '[]' > none.json
  "$lockstep" iou none.json a.json > pairs.csv
  [ "$(cat pairs.csv)" = 'image_id,a,b,iou' ]
  run -2 "$lockstep" iou a.json
  run -2 "$lockstep" iou a.json a.json a.json
  run -4 "$lockstep" iou a.json missing.json -o other.csv
  [ ! -e other.csv ]
  run -6 "$lockstep" iou a.json b.json -o pairs.csv
  run -4 "$lockstep" iou a.json "$samples/images" -o other.csv
}

@test "labels: the files of a folder of YOLO's or VOC's labels are the ones that run writes, and unchanged ones stay" {
  local kind folder more
  pipeline same.json ''
  pipeline some.json '{"type": "remove_small_boxes", "min_size": 60}, {"type": "clip_boxes"}'
  for kind in yolo yolo-segment voc; do
    folder=labels images=images
    [ $kind != voc ] || folder=Annotations images=JPEGImages
    "$lockstep" run -q -p same.json -i "$samples/images" -a "$samples/annotations.json" --to $kind --lossy -o in
    # Not all images have labels.
    rm -r "in/$folder/park"
    "$lockstep" labels -q -p same.json -a in/$folder -i in/$images -o same
    diff -r in/$folder same/$folder
    more=$(ls same)
    [ "$more" = "$([ $kind = voc ] && echo Annotations || printf 'data.yaml\nlabels')" ]
    run -0 --separate-stderr "$lockstep" labels -p some.json -a in/$folder -i in/$images -o some
    [[ $stderr == *"dropped (min_size "* ]]
    "$lockstep" run -q -p some.json -i in/$images -a in/$folder -o run
    rm -rf run/$images run/run.json run/manifest.jsonl run/ImageSets run/labelmap.txt
    diff -r run some
    run ! diff -r in/$folder some/$folder
    rm -r in same some run
  done
}

@test "labels: a folder of labels is written to a folder, as a whole or not at all" {
  pipeline some.json '{"type": "remove_small_boxes", "min_size": 60}'
  pipeline nms.json '{"type": "nms"}'
  "$lockstep" run -q -p some.json -i "$samples/images" -a "$samples/annotations.json" --to yolo --lossy -o in
  refuses() { # CODE EXIT OPTION...
    run "-$2" --separate-stderr "$lockstep" labels -q -p "${@:3}"
    [[ $stderr == *"[$1]"* ]] || { echo "$stderr"; return 1; }
    [ ! -e out ]
  }
  refuses option-missing 2 some.json -a in/labels -o out
  refuses images-unread 4 some.json -a in/labels -i none -o out
  refuses option-missing 2 some.json -a in/labels -i in/images
  refuses option-unused 2 some.json -a "$samples/annotations.json" -i in/images -o out
  refuses score-missing 4 nms.json -a in/data.yaml -i in/images -o out
  refuses labels-step 3 <(printf '{"version": 1, "transforms": [{"type": "horizontal_flip"}]}') -a in/labels -i in/images -o out
  refuses out-occupied 6 some.json -a in/labels -i in/images -o in
  cp in/images/street/0001.jpg whole.jpg
  head -c 20 whole.jpg > in/images/street/0001.jpg
  refuses image-unread 4 some.json -a in/labels -i in/images -o out
  cp whole.jpg in/images/street/0001.jpg
  cp in/images/desk/0002.png in/images/street/0001.png
  refuses name-collision 4 some.json -a in/labels -i in/images -o out
  rm in/images/street/0001.png
  "$lockstep" labels -q -p some.json -a in/data.yaml -i in/images -o out
  rm in/labels/street/0001.txt # an image without labels does not keep a file of the result before
  "$lockstep" labels -q -p some.json -a in/data.yaml -i in/images -o out --overwrite
  diff -r in/labels out/labels
}
