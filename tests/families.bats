# Families of COCO files: results of models (lists without images), and whole bodies.
bats_require_minimum_version 1.5.0
load helpers

setup() {
  here=$BATS_TEST_DIRNAME
  lockstep=${LOCKSTEP:-$here/../build/lockstep}
  cd "$BATS_TEST_TMPDIR" || exit 1
  mkdir images
  python3 "$here/blank.py" images/a.png 100 80
  python3 "$here/blank.py" images/b.png 60 40
}

# steps STEPS [ANNOTATION RULES]: writes p.json.
steps() {
  printf '{"version": 1, "seed": 5, "annotations": %s, "transforms": [%s]}\n' "${2:-{\}}" "$1" > p.json
}

# near EXPECTED JQ-EXPRESSION [FILE]: numbers (a list) equal within 1e-6.
near() {
  jq -e --argjson want "$1" "[$2] | flatten | [., \$want] |
    (map(length) | .[0] == .[1]) and (transpose | all((.[0] - .[1]) | fabs < 1e-6))" \
    "${3:-out/annotations.json}" > /dev/null || {
    echo "expected $1, have:"
    jq -c "[$2]" "${3:-out/annotations.json}"
    return 1
  }
}

flip='{"type": "horizontal_flip"}'

# --- results ---

# Two images, of which the list has annotations, too; results in no order of images. The run lengths
# are rows 0 to 3 of the columns 10 to 12.
results() {
  cat > list.json <<'END'
{"info": {"year": 2017}, "annotations": [{"id": 1, "image_id": 12, "category_id": 1, "bbox": [1, 2, 3, 4]}],
 "images": [{"id": 12, "file_name": "a.png", "width": 100, "height": 80, "extra": 1.50},
            {"id": 7, "file_name": "b.png"}],
 "categories": [{"id": 1, "name": "person", "keypoints": ["nose", "left_eye", "right_eye"]}, {"id": 3, "name": "cup"}]}
END
  cat > results.json <<'END'
[{"image_id": 7, "category_id": 3, "bbox": [10.00, 5, 20, 10.5], "score": 0.900},
 {"image_id": 12, "category_id": 1, "bbox": [10, 20, 30, 40], "score": 1e-3},
 {"score": 0.5, "segmentation": {"size": [40, 60], "counts": "`<4T1000hj1"}, "category_id": 3, "image_id": 7},
 {"image_id": 12, "category_id": 1, "keypoints": [20, 30, 0.75, 25.5, 28, 0, 0, 0, 0], "score": 7.25},
 {"image_id": 12, "caption": "a blank image"}]
END
}

go() { # more options...
  "$lockstep" run -q -p p.json -i images -a results.json --image-list list.json -o out "$@"
}

@test "results: a list comes out as a list, in its order, moved, with all that is not known" {
  results
  steps "$flip"
  go
  jq -e 'type == "array" and length == 5' out/annotations.json
  diff <(jq -c '.[] | keys_unsorted' results.json) <(jq -c '.[] | keys_unsorted' out/annotations.json)
  diff <(jq -c '.[] | [.image_id, .category_id, .score, .caption]' results.json) \
    <(jq -c '.[] | [.image_id, .category_id, .score, .caption]' out/annotations.json)
  near '[30, 5, 20, 10.5, 60, 20, 30, 40]' '.[].bbox // empty'
  [ "$(jq -r '.[2].segmentation.counts' out/annotations.json)" = 'hj14T1000`<' ]
  # Left and right change places; a point that is rated 0 moves, one at 0, 0 is none.
  near '[79, 30, 0.75, 0, 0, 0, 73.5, 28, 0]' '.[3].keypoints'
  grep -q '"score": 0.900' out/annotations.json
  grep -q '"score": 1e-3' out/annotations.json
  jq -e '.format == "coco_results" and .annotations == {read: 5, written: 5}' out/run.json
}

@test "results: beside them the list of images is written, without the annotations that it had" {
  results
  steps "$flip"
  go
  diff <(jq -S 'del(.annotations)' list.json) <(jq -S . out/images.json)
  grep -q '"extra": 1.50' out/images.json
}

@test "results: what no step touches stays as it is, and flips twice come back" {
  results
  steps ''
  go
  diff <(jq -S . results.json) <(jq -S . out/annotations.json)
  grep -qF '"bbox": [10.00, 5, 20, 10.5]' out/annotations.json
  rm -rf out
  steps "$flip, $flip"
  go
  diff <(jq -S . results.json) <(jq -S . out/annotations.json)
}

@test "results: copies renumber the images of results and list alike, and nothing else has an id" {
  results
  steps "$flip"
  go -n 2
  [ "$(jq -c '[.images[] | [.id, .file_name]]' out/images.json)" = \
    '[[24,"a__a000.png"],[25,"a__a001.png"],[14,"b__a000.png"],[15,"b__a001.png"]]' ]
  [ "$(jq -c '[.[].image_id]' out/annotations.json)" = '[14,15,24,25,14,15,24,25,24,25]' ]
  jq -e 'all(has("id") | not)' out/annotations.json
  # Where an element has no id, the manifest names its place.
  [ "$(jq -c 'select(.from == 12) | [.annotations[].from]' out/manifest.jsonl | sort -u)" = '[1,3,4]' ]
}

@test "results: what the canvas takes is dropped or cut, and points that leave are taken back" {
  results
  steps '{"type": "crop", "top": 22, "left": 22, "height": 18, "width": 30}'
  go
  # Both images lose: b its run lengths, and the box's [10, 5, 20, 10.5] is above the crop.
  near '[0, 0, 18, 18]' '.[].bbox // empty'
  near '[0, 0, 0, 3.5, 6, 0, 0, 0, 0]' '.[] | .keypoints // empty'
  jq -e 'length == 3 and .[2].caption' out/annotations.json
  jq -se '[.[] | .dropped[] | [.from, .reason]] | sort == [[0, "outside"], [2, "outside"]]' out/manifest.jsonl
}

@test "results: the bytes do not depend on jobs, and other commands take them" {
  results
  steps '{"type": "RandomHorizontalFlip", "p": 0.5}, {"type": "RandomRotation", "degrees": 20}'
  go -n 4 -j 1
  mv out one
  go -n 4 -j 3
  same_tree one out
  "$lockstep" preview -p p.json -i images -a results.json --image-list list.json -o sheet.png
  [ -s sheet.png ]
  "$lockstep" explain -p p.json -i images -a results.json --image-list list.json | grep -q 'a.png'
}

@test "results: an empty list, and a list of images without categories" {
  results
  steps "$flip"
  echo '[ ]' > results.json
  go
  [ "$(cat out/annotations.json)" = '[]' ]
  rm -rf out
  jq 'del(.categories)' list.json > plain.json && mv plain.json list.json
  echo '[{"image_id": 7, "category_id": 99, "bbox": [0, 0, 10, 10]}]' > results.json
  go
  near '[50, 0, 10, 10]' '.[].bbox'
}

# refused CODE WHERE MORE...: a run with these options is refused with the code at the place.
refused() {
  local code=$1 where=$2
  shift 2
  run --separate-stderr -4 "$lockstep" run -p p.json -i images -o out "$@"
  grep -qF "$where" <<< "$stderr" || { echo "$stderr"; return 1; }
  grep -qF "[$code]" <<< "$stderr" || { echo "$stderr"; return 1; }
  unfinished out
  rm -rf out
}

@test "results: without images, with too many, and with what their list does not have" {
  results
  steps ''
  refused image-list-missing 'results.json:1:1: these are results' -a results.json
  grep -q -- --image-list <<< "$stderr"
  refused image-list-missing 'results.json:1:1:' -a results.json --image-list results.json
  refused image-list-unused 'list.json:1:1: these annotations' -a list.json --image-list list.json
  refused coco-missing-key 'p.json:1:1: images' -a results.json --image-list p.json
  jq '.[1].image_id = 5 | .[3].category_id = 9' results.json > bad.json
  refused coco-image-unknown '[1].image_id: no image has the id 5' -a bad.json --image-list list.json
  grep -qF '[3].category_id: no category has the id 9 [coco-category-unknown]' <<< "$stderr"
  jq 'del(.[2].image_id)' results.json > bad.json
  refused coco-missing-key '[2].image_id' -a bad.json --image-list list.json
  jq '.[3].keypoints[2] = -0.5' results.json > bad.json
  refused coco-keypoints '[3].keypoints: the visibility' -a bad.json --image-list list.json
  echo '[{"image_id": 7,' > bad.json
  refused json-syntax 'bad.json:' -a bad.json --image-list list.json
  echo '[{"image_id": 7}] x' > bad.json
  refused json-syntax 'bad.json:1:19' -a bad.json --image-list list.json
}
