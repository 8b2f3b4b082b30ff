# Annotations in the result: identity, cuts, visibility, mirrors; all through the built command.
bats_require_minimum_version 1.5.0

load ../lib/helpers

setup() {
  begin
  mkdir images
}

image() { python3 "$here/tools/blank.py" "images/$1" "$2" "$3"; }

# pipeline STEPS [ANNOTATION RULES]: writes p.json.
pipeline() {
  printf '{"version": 1, "seed": 5, "annotations": %s, "transforms": [%s]}\n' "${2:-{\}}" "$1" > p.json
}

go() { # more options...
  "$lockstep" run -q -p p.json -i images -a in.json -o out "$@"
}

# objects WIDTH HEIGHT ANNOTATION...: in.json with one image a.png and these annotations.
objects() {
  local width=$1 height=$2 all
  shift 2
  image a.png "$width" "$height"
  all=$(printf ', %s' "$@")
  cat > in.json << EOF
{"images": [{"id": 1, "file_name": "a.png", "width": $width, "height": $height}],
 "annotations": [${all:2}],
 "categories": [{"id": 1, "name": "thing"},
  {"id": 2, "name": "person", "keypoints": ["nose", "left_hand", "right_hand"]}]}
EOF
}

# near EXPECTED JQ-EXPRESSION [FILE]: numbers (a list) equal within 1e-6.
near() {
  jq -e --argjson want "$1" "[$2] | flatten | [., \$want] | transpose | all((.[0] - .[1]) | fabs < 1e-6)" \
    "${3:-out/annotations.json}" > /dev/null || {
    echo "expected $1, have:"
    jq -c "[$2]" "${3:-out/annotations.json}"
    return 1
  }
}

# Prints JSON tokens, one per line, without white space outside of strings.
tokens() {
  python3 - "$1" << 'EOF'
import re, sys
text = open(sys.argv[1]).read()
print("\n".join(re.findall(r'"(?:[^"\\]|\\.)*"|[^\s"{}\[\],:]+|[{}\[\],:]', text)))
EOF
}

@test "identity gives back a real COCO file token for token" {
  image 000000000785.jpg 640 425
  pipeline ''
  "$lockstep" run -q -p p.json -i images -a "$here/golden/person_keypoints.json" -o out
  diff <(tokens "$here/golden/person_keypoints.json") <(tokens out/annotations.json)
}

@test "a colour-only pipeline gives back a real COCO file token for token" {
  image 000000000785.jpg 640 425
  pipeline '{"type": "ColorJitter", "brightness": 0.4, "contrast": 0.4, "saturation": 0.5, "hue": 0.1},
    {"type": "GaussianBlur", "kernel_size": 5}, {"type": "RandomErasing", "p": 1}'
  "$lockstep" run -q -p p.json -i images -a "$here/golden/person_keypoints.json" -o out
  diff <(tokens "$here/golden/person_keypoints.json") <(tokens out/annotations.json)
}

@test "identity gives back the samples' annotations token for token" {
  pipeline ''
  "$lockstep" run -q -p p.json -i "$root/samples/images" -a "$root/samples/annotations.json" -o out
  diff <(tokens "$root/samples/annotations.json") <(tokens out/annotations.json)
}

@test "two flips of a kind give back the samples' coordinates" {
  pipeline '{"type": "horizontal_flip"}, {"type": "horizontal_flip"}'
  "$lockstep" run -q -p p.json -i "$root/samples/images" -a "$root/samples/annotations.json" -o out
  for key in bbox keypoints; do
    want=$(jq -c "[.annotations[].$key // empty | .[]]" "$root/samples/annotations.json")
    near "$want" ".annotations[].$key // empty | .[]"
  done
}

@test "a crop that cuts one of three objects only shifts the other two" {
  objects 100 80 \
    '{"id": 1, "image_id": 1, "category_id": 1, "bbox": [20.5, 10.25, 30, 20], "area": 600, "iscrowd": 0, "x": 1.50}' \
    '{"id": 2, "image_id": 1, "category_id": 1, "segmentation": [[60.1, 40, 80, 40, 80, 60.7]], "bbox": [60.1, 40, 19.9, 20.7], "area": 205.97, "iscrowd": 0}' \
    '{"id": 3, "image_id": 1, "category_id": 1, "segmentation": [[80, 60, 95, 60, 95, 78, 80, 78]], "bbox": [80, 60, 15, 18], "area": 270.0, "iscrowd": 0}'
  pipeline '{"type": "crop", "top": 5, "left": 10, "height": 70, "width": 80}'
  go
  near '[10.5, 5.25, 30, 20]' '.annotations[0].bbox[]'
  near '[50.1, 35, 70, 35, 70, 55.7]' '.annotations[1].segmentation[0][]'
  near '[70, 55, 10, 15]' '.annotations[2].bbox[]'
  near '[150]' '.annotations[2].area'
  # Unchanged values keep their text.
  grep -F '"area": 205.97, "iscrowd": 0}' out/annotations.json
  grep -F '"bbox": [10.5, 5.25, 30, 20], "area": 600, "iscrowd": 0, "x": 1.50}' out/annotations.json
  grep -F '19.9, 20.7]' out/annotations.json
}

@test "after crop then pad no label lies where pixels were cut away" {
  objects 100 80 \
    '{"id": 1, "image_id": 1, "category_id": 1, "bbox": [10, 10, 60, 20], "area": 1200, "iscrowd": 0}' \
    '{"id": 2, "image_id": 1, "category_id": 1, "segmentation": [[70, 40, 90, 40, 90, 60, 70, 60]], "bbox": [70, 40, 20, 20], "area": 400, "iscrowd": 0}' \
    '{"id": 3, "image_id": 1, "category_id": 2, "bbox": [0, 0, 100, 80], "area": 8000, "iscrowd": 0, "keypoints": [20, 20, 2, 70, 20, 2, 80, 30, 1], "num_keypoints": 3}'
  pipeline '{"type": "crop", "top": 0, "left": 0, "height": 80, "width": 50}, {"type": "pad", "padding": [0, 0, 50, 0]}'
  go
  near '[10, 10, 40, 20]' '.annotations[0].bbox[]'
  [ "$(jq -c '[.annotations[].id]' out/annotations.json)" = "[1,3]" ]
  [ "$(jq -c '.annotations[1].keypoints' out/annotations.json)" = "[20,20,2,0,0,0,0,0,0]" ]
  [ "$(jq .annotations[1].num_keypoints out/annotations.json)" = 1 ]
  jq -e '.dropped == [{"from": 2, "reason": "outside", "value": 0}]' out/manifest.jsonl
}

@test "after crop then rotate no label lies where pixels were cut away" {
  objects 100 80 \
    '{"id": 1, "image_id": 1, "category_id": 1, "segmentation": [[0, 0, 100, 0, 100, 80, 0, 80]], "bbox": [0, 0, 100, 80], "area": 8000, "iscrowd": 0}'
  pipeline '{"type": "crop", "top": 20, "left": 30, "height": 40, "width": 40}, {"type": "rotate", "angle": 45, "expand": true}'
  go
  # A square of 40 turned by 45 degrees: its area stays, its corners are in the middle of the sides.
  near '[1600]' '.annotations[0].area'
  [ "$(jq '.annotations[0].segmentation[0] | length' out/annotations.json)" = 8 ]
}

@test "after zoom-out then crop no label lies where pixels were cut away" {
  objects 100 80 \
    '{"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 50, 80], "area": 4000, "iscrowd": 0}' \
    '{"id": 2, "image_id": 1, "category_id": 1, "segmentation": {"size": [80, 100], "counts": [0, 800, 7200]}, "bbox": [0, 0, 10, 80], "area": 800, "iscrowd": 1}'
  pipeline '{"type": "pad", "padding": [20, 20, 20, 20]}, {"type": "crop", "top": 0, "left": 40, "height": 120, "width": 100}'
  go
  near '[0, 20, 30, 80]' '.annotations[0].bbox[]'
  [ "$(jq -c '[.annotations[].id]' out/annotations.json)" = "[1]" ] # the crowd is wholly cut away
}

@test "an object half cut and then scaled is half visible" {
  objects 100 80 \
    '{"id": 1, "image_id": 1, "category_id": 1, "bbox": [30, 10, 40, 20], "area": 800, "iscrowd": 0}' \
    '{"id": 2, "image_id": 1, "category_id": 1, "segmentation": [[30, 40, 70, 40, 70, 60, 30, 60]], "bbox": [30, 40, 40, 20], "area": 800, "iscrowd": 0}' \
    '{"id": 3, "image_id": 1, "category_id": 1, "segmentation": {"size": [80, 100], "counts": [2410, 20, 60, 20, 60, 20, 60, 20, 60, 20, 60, 20, 60, 20, 60, 20, 5010]}, "bbox": [30, 10, 8, 20], "area": 160, "iscrowd": 0}'
  pipeline '{"type": "crop", "top": 0, "left": 50, "height": 80, "width": 50}, {"type": "resize", "size": [200, 125]},
    {"type": "affine", "angle": 20, "scale": 0.5}'
  go
  near '[0.5, 0.5]' '.annotations[0, 1].visibility' out/manifest.jsonl
  jq -e '.dropped | length == 1' out/manifest.jsonl # the third lies left of the crop
  pipeline '{"type": "crop", "top": 0, "left": 34, "height": 80, "width": 50}, {"type": "resize", "size": [200, 125]}'
  rm -rf out
  go
  near '[0.5]' '.annotations[2].visibility' out/manifest.jsonl
}

@test "what erasing hides counts against visibility, once" {
  objects 100 80 '{"id": 1, "image_id": 1, "category_id": 1, "bbox": [20, 20, 40, 40], "area": 1600, "iscrowd": 0}'
  pipeline '{"type": "erase", "i": 0, "j": 0, "h": 80, "w": 40}, {"type": "erase", "i": 10, "j": 10, "h": 70, "w": 30},
    {"type": "horizontal_flip"}, {"type": "rotate", "angle": 10, "expand": true}'
  go
  near '[0.5]' '.annotations[0].visibility' out/manifest.jsonl
}

@test "an annotated area that is too large to be scaled is measured anew" {
  objects 10 10 '{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 1, 4, 3], "area": 1.7e308}'
  pipeline '{"type": "resize", "size": [20, 20]}'
  go
  near '[48]' '.annotations[0].area'
}

@test "objects are dropped by each rule, with reason and value; crowds are not by visibility" {
  objects 100 80 \
    '{"id": 1, "image_id": 1, "category_id": 1, "bbox": [40, 10, 20, 20], "area": 400, "iscrowd": 0}' \
    '{"id": 2, "image_id": 1, "category_id": 1, "bbox": [70, 10, 4, 4], "area": 16, "iscrowd": 0}' \
    '{"id": 3, "image_id": 1, "category_id": 1, "bbox": [70, 40, 25, 2], "area": 50, "iscrowd": 0}' \
    '{"id": 4, "image_id": 1, "category_id": 1, "bbox": [40, 40, 20, 20], "area": 400, "iscrowd": 1}'
  pipeline '{"type": "crop", "top": 0, "left": 55, "height": 80, "width": 45}' \
    '{"min_visibility": 0.3, "min_area": 20, "min_size": 3}'
  go
  [ "$(jq -c '[.annotations[].id]' out/annotations.json)" = "[4]" ]
  [ "$(jq -c '[.dropped[] | [.from, .reason, .value]]' out/manifest.jsonl)" = \
    '[[1,"min_visibility",0.25],[2,"min_area",16],[3,"min_size",2]]' ]
}

@test "a mirror swaps left and right keypoints, a half turn does not" {
  objects 100 80 '{"id": 1, "image_id": 1, "category_id": 2, "bbox": [0, 0, 100, 80], "area": 8000, "iscrowd": 0, "keypoints": [50, 10, 2, 20, 30, 1, 80, 40, 2], "num_keypoints": 3}'
  pipeline '{"type": "horizontal_flip"}'
  go
  [ "$(jq -c '.annotations[0].keypoints' out/annotations.json)" = "[49,10,2,19,40,2,79,30,1]" ]
  rm -rf out
  pipeline '{"type": "rotate", "angle": 180}'
  go
  [ "$(jq -c '.annotations[0].keypoints' out/annotations.json)" = "[49,69,2,79,49,1,19,39,2]" ]
}

@test "keypoints: continuous coordinates and keeping those outside" {
  objects 100 80 '{"id": 1, "image_id": 1, "category_id": 2, "bbox": [0, 0, 100, 80], "area": 8000, "iscrowd": 0, "keypoints": [50, 10, 2, 0, 0, 0, 90, 40, 2], "num_keypoints": 2}'
  pipeline '{"type": "crop", "top": 0, "left": 0, "height": 80, "width": 60}, {"type": "horizontal_flip"}' \
    '{"keypoints": "continuous", "outside": "keep"}'
  go
  [ "$(jq -c '.annotations[0].keypoints' out/annotations.json)" = "[10,10,2,-30,40,2,0,0,0]" ]
  # The limit of coordinates.
  rm -r out
  objects 100 80 '{"id": 1, "image_id": 1, "category_id": 2, "bbox": [0, 0, 100, 80], "area": 8000, "iscrowd": 0, "keypoints": [50, 10, 2, 4e6, 0, 2, 0, -6e6, 2], "num_keypoints": 3}'
  pipeline '{"type": "resize", "size": [160, 200]}' '{"keypoints": "continuous", "outside": "keep"}'
  go
  [ "$(jq -c '.annotations[0] | [.keypoints, .num_keypoints]' out/annotations.json)" = "[[100,20,2,8000000,0,2,0,0,0],2]" ]
}

@test "an outline of several polygons keeps all of them, in their order" {
  objects 20 10 '{"id": 1, "image_id": 1, "category_id": 1, "segmentation": [[2, 2, 4, 2, 4, 6], [10, 1, 14, 1, 14, 5, 10, 5], [16, 6, 19, 6, 19, 9]], "bbox": [2, 1, 17, 8], "area": 24.5, "iscrowd": 0}'
  pipeline '{"type": "horizontal_flip"}'
  go
  [ "$(jq -c '.annotations[0].segmentation' out/annotations.json)" = '[[18,2,16,2,16,6],[10,1,6,1,6,5,10,5],[4,6,1,6,1,9]]' ]
  rm -r out
  pipeline '{"type": "crop", "top": 0, "left": 0, "height": 10, "width": 19}'
  go
  near '[24.5]' '.annotations[0].area'
}

@test "a polygon cut in pieces becomes several polygons, without bridges" {
  # A comb of two teeth that hang into the crop.
  objects 100 80 '{"id": 1, "image_id": 1, "category_id": 1, "segmentation": [[10, 10, 90, 10, 90, 60, 70, 60, 70, 20, 30, 20, 30, 60, 10, 60]], "bbox": [10, 10, 80, 50], "area": 2400, "iscrowd": 0}'
  pipeline '{"type": "crop", "top": 40, "left": 0, "height": 40, "width": 100}'
  go
  [ "$(jq '.annotations[0].segmentation | length' out/annotations.json)" = 2 ]
  near '[800]' '.annotations[0].area'
  near '[10, 0, 80, 20]' '.annotations[0].bbox[]'
}

@test "segmentation: rle and polygon convert, and the manifest says so" {
  objects 20 10 '{"id": 1, "image_id": 1, "category_id": 1, "segmentation": [[2, 2, 8, 2, 8, 6, 2, 6]], "bbox": [2, 2, 6, 4], "area": 24, "iscrowd": 0}' \
    '{"id": 2, "image_id": 1, "category_id": 1, "segmentation": {"size": [10, 20], "counts": [102, 4, 6, 4, 84]}, "bbox": [10, 2, 2, 4], "area": 8, "iscrowd": 0}'
  pipeline '' '{"segmentation": "rle"}'
  go
  jq -e '.annotations[0].segmentation.size == [10, 20] and (.annotations[0].segmentation.counts | type == "string")' out/annotations.json
  jq -e '.annotations[0].segmentation == "became rle"' out/manifest.jsonl
  rm -rf out
  pipeline '' '{"segmentation": "polygon"}'
  go
  jq -e '.annotations[1].segmentation | length == 1 and (.[0] | length == 8)' out/annotations.json
}

@test "segmentation: polygon leaves run lengths with holes, and crowds, as they are" {
  # A frame of one pixel, a block, and a crowd of one.
  objects 6 5 '{"id": 1, "image_id": 1, "segmentation": {"size": [5, 6], "counts": [6, 3, 2, 1, 1, 1, 2, 3, 11]}}' \
    '{"id": 2, "image_id": 1, "segmentation": {"size": [5, 6], "counts": [0, 2, 3, 2, 23]}}' \
    '{"id": 3, "image_id": 1, "iscrowd": 1, "segmentation": {"size": [5, 6], "counts": [0, 2, 3, 2, 23]}}'
  pipeline '{"type": "vertical_flip"}' '{"segmentation": "polygon"}'
  go
  jq -e '.annotations | map(.segmentation) == [{"size": [5, 6], "counts": [6, 3, 2, 1, 1, 1, 2, 3, 11]},
    [[0, 3, 2, 3, 2, 5, 0, 5]], {"size": [5, 6], "counts": [3, 2, 3, 2, 20]}]' out/annotations.json
  jq -e '.annotations | map(.segmentation) == [null, "became polygon", null]' out/manifest.jsonl
}

@test "an outline that crosses itself stays a polygon with its even-odd inside, cut or hidden" {
  # Two spikes that cross: their overlap is not inside. But cut off from the part that connects them they would be two
  # polygons, which are joined.
  objects 50 50 '{"id": 1, "image_id": 1, "segmentation": [[0, 45, 0, 30, 20, 5, 10, 30, 11, 40, 12, 30, 2, 5, 22, 30, 22, 45]]}'
  for step in '{"type": "crop", "top": 0, "left": 0, "height": 30, "width": 50}' \
    '{"type": "coarse_dropout", "holes": [[30, 0, 20, 50]], "labels": "shrink"}'; do
    rm -rf out polygon runs
    pipeline "$step"
    go
    jq -e '.annotations[0].segmentation | length == 1' out/annotations.json
    jq -e '.annotations[0] | has("segmentation") | not' out/manifest.jsonl
    mv out polygon
    pipeline '' '{"segmentation": "rle"}'
    "$lockstep" run -q -p p.json -i polygon/images -a polygon/annotations.json -o out
    mv out polygon/runs
    go
    mv out runs
    pipeline "$step"
    "$lockstep" run -q -p p.json -i runs/images -a runs/annotations.json -o out
    diff <(jq .annotations[0].segmentation polygon/runs/annotations.json) \
      <(jq .annotations[0].segmentation out/annotations.json)
  done
}

@test "run lengths stay in the style of the source" {
  objects 20 10 '{"id": 1, "image_id": 1, "category_id": 1, "segmentation": {"size": [10, 20], "counts": [102, 4, 6, 4, 84]}, "bbox": [10, 2, 2, 4], "area": 8, "iscrowd": 0}' \
    '{"id": 2, "image_id": 1, "category_id": 1, "segmentation": {"counts": "V3460^2", "size": [10, 20]}, "bbox": [10, 2, 2, 4], "area": 8, "iscrowd": 0}'
  pipeline '{"type": "horizontal_flip"}'
  go
  jq -e '.annotations[1].segmentation | keys_unsorted == ["counts", "size"] and (.counts | type == "string")' out/annotations.json
  near '[8, 2, 2, 4]' '.annotations[1].bbox[]'
  [ "$(jq -c '.annotations[0].segmentation.counts' out/annotations.json)" = "[82,4,6,4,104]" ]
  near '[8, 2, 2, 4]' '.annotations[0].bbox[]'
}

@test "what stays and what is carried: unknown keys on every level, with K > 1 too" {
  image a.png 40 30
  cat > in.json << 'EOF'
{"version_of_us": {"a": [1, 2.50]}, "images": [{"id": 7, "file_name": "a.png", "width": 40, "height": 30, "sensor": "left", "gain": 1.10}],
 "annotations": [{"id": 3, "image_id": 7, "category_id": 1, "bbox": [1, 2, 3, 4], "area": 12, "iscrowd": 0, "attributes": {"occluded": true}, "track_id": 9007199254740991}],
 "categories": [{"id": 1, "name": "thing", "colour": "#ff0000"}], "captions": []}
EOF
  pipeline '{"type": "vertical_flip"}'
  go -n 2
  [ "$(jq -c '[.images[] | [.id, .file_name, .sensor]]' out/annotations.json)" = \
    '[[14,"a__a000.png","left"],[15,"a__a001.png","left"]]' ]
  [ "$(jq -c '[.annotations[] | [.id, .image_id, .bbox[1]]]' out/annotations.json)" = '[[6,14,24],[7,15,24]]' ]
  [ "$(grep -cF '"attributes": {"occluded": true}, "track_id": 9007199254740991}' out/annotations.json)" = 2 ]
  grep -F '"gain": 1.10' out/annotations.json
  grep -F '{"a": [1, 2.50]}' out/annotations.json
  jq -e '.captions == []' out/annotations.json
}

@test "the original comes along untouched as copy 0, and changes no draw" {
  objects 60 40 '{"id": 1, "image_id": 1, "category_id": 1, "bbox": [5, 5, 20.25, 10], "area": 202.5, "iscrowd": 0}'
  pipeline '{"type": "RandomAffine", "degrees": 40}'
  go -n 2 --include-original
  "$lockstep" run -q -p p.json -i images -a in.json -o plain -n 2
  cmp out/images/a__a001.png plain/images/a__a000.png
  cmp out/images/a__a002.png plain/images/a__a001.png
  near '[5, 5, 20.25, 10]' '.annotations[0].bbox[]'
}

@test "a dry run prints the manifest that a run writes, and writes nothing" {
  pipeline '{"type": "RandomResizedCrop", "size": 64}, {"type": "RandomHorizontalFlip"}, {"type": "RandomErasing"}'
  in=("-i" "$root/samples/images" "-a" "$root/samples/annotations.json" "-n" 2)
  "$lockstep" run -q -p p.json "${in[@]}" -o out --dry-run > dry.jsonl
  [ ! -e out ]
  "$lockstep" run -q -p p.json "${in[@]}" -o out
  cmp dry.jsonl out/manifest.jsonl
}

@test "the steps in a manifest line are a pipeline that gives the same image and labels" {
  pipeline '{"type": "RandomAffine", "degrees": 30, "interpolation": "bilinear"}, {"type": "RandomCrop", "size": 100, "pad_if_needed": true},
    {"type": "ColorJitter", "brightness": 0.3, "hue": 0.1}, {"type": "RandomErasing", "p": 1, "noise": true}'
  mkdir -p images/street
  cp "$root/samples/images/street/0003.png" images/street/
  "$lockstep" run -q -p p.json -i images -o out
  jq -c '{version: 1, transforms: .steps}' out/manifest.jsonl > q.json
  "$lockstep" run -q -p q.json -i images -o again
  cmp out/images/street/0003.png again/images/street/0003.png
}

@test "drawn values are those of version 1, for ever" {
  image a.png 90 70
  "$lockstep" run -q -p "$here/golden/draws-v1.json" -i images -o out -n 20 --dry-run |
    sed -E 's/.*("key": ".*), "matrix".*/\1/; s/"run": "[0-9a-f]{16}", //; s/, "fill_mask": null, "labels": "keep"//g; s/, "padding_mode": "constant"//g' > draws # came later
  sed "s/, \"padding_mode\": \"constant\"//g" "$here/golden/draws-v1.txt" | cmp - draws
}

@test "an EXIF-rotated image is written upright, and its labels fit" {
  pipeline ''
  "$lockstep" run -q -p p.json -i "$root/samples/images" -a "$root/samples/annotations.json" -o out
  jq -e '.source == "park/0002.jpg" and .size_out == [360, 480]' <(grep park/0002 out/manifest.jsonl)
  "$lockstep" run -q -p p.json -i out/images -a out/annotations.json -o again # no size fault: it is upright now
}

@test "compression: PNG of every level has the same pixels, and higher levels do not make it larger" {
  cp "$here"/../samples/images/street/0003.png a.png
  pipeline ''
  for level in 1 4 12; do
    jq ".output = {\"format\": \"png\", \"compression\": $level}" p.json > level.json
    "$lockstep" run -q -p level.json -i a.png -o "out$level"
    "$lockstep" run -q -p p.json -i "out$level/images" -o "again$level"
    cmp again1/images/a.png "again$level/images/a.png"
  done
  cmp out1/images/a.png again1/images/a.png # 1 is the default
  size() { stat -c %s "out$1/images/a.png"; }
  [ "$(size 4)" -lt "$(size 1)" ]
  [ "$(size 12)" -lt "$(size 4)" ]
}

@test "PNG from JPEG is written without libvips" {
  pipeline ''
  LD_DEBUG=files "$lockstep" run -q -p p.json -i "$root/samples/images/park/0001.jpg" -o out --format png \
    2> loaded
  [ "$(head -c 4 out/images/0001.png | tail -c 3)" = PNG ]
  grep -q libdeflate loaded
  run ! grep libvips loaded
}

@test "PNG is read without libvips, palettes and masks too; interlaced ones with it" {
  pipeline '{"type": "horizontal_flip"}'
  mkdir in masks
  cp "$root/samples/images/street/0003.png" in/a.png
  cp "$root/samples/masks/street/0003.png" in/b.png
  cp in/b.png masks/a.png
  LD_DEBUG=files "$lockstep" run -q -p p.json -i in/a.png --masks masks -o out 2> loaded
  LD_DEBUG=files "$lockstep" run -q -p p.json -i in/b.png -o out-b 2>> loaded
  grep -q libdeflate loaded
  run ! grep libvips loaded
  python3 - in/c.png << 'END'
import struct, sys, zlib
def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
# With a single pixel: it belongs to the first pass, as it does without passes.
header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 1)
open(sys.argv[1], "wb").write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header)
    + chunk(b"IDAT", zlib.compress(b"\0\1\2\3")) + chunk(b"IEND", b""))
END
  LD_DEBUG=files "$lockstep" run -q -p p.json -i in/c.png -o out-c 2> loaded
  grep -q libvips loaded
}

@test "untouched: copy copies the file of an image that no op touched, and no other" {
  mkdir -p in/park
  cp "$here"/../samples/images/park/*.jpg in/park
  cp "$here"/../samples/images/street/0003.png in
  cat > p.json << 'EOF'
{"version": 1, "transforms": [{"type": "RandomHorizontalFlip"}, {"type": "adjust_brightness", "brightness_factor": 1}],
 "output": {"untouched": "copy"}}
EOF
  "$lockstep" run -q -p p.json -i in -o out -n 6
  copied=0
  for k in 0 1 2 3 4 5; do
    for image in park/0001.jpg 0003.png; do
      if [ "$(jq "select(.source == \"$image\" and .copy == $k) | .steps | length" out/manifest.jsonl)" -eq 1 ]; then
        cmp "in/$image" "out/images/${image%.*}__a00$k.${image##*.}"
        copied=$((copied + 1))
      else
        run ! cmp -s "in/$image" "out/images/${image%.*}__a00$k.${image##*.}"
      fi
    done
    # This one has an EXIF orientation: it is made upright.
    run ! cmp -s in/park/0002.jpg "out/images/park/0002__a00$k.jpg"
  done
  [ "$copied" -gt 0 ] && [ "$copied" -lt 12 ]
  # Another format is not a copy.
  "$lockstep" run -q -p p.json -i in/0003.png -o other --format tiff
  [ "$(head -c 2 other/images/0003.tif)" = II ]
}

@test "masks go along by path and stem, and keep their labels" {
  mkdir -p masks/deep images/deep
  python3 "$here/tools/blank.py" images/deep/x.png 30 20
  python3 "$here/tools/blank.py" masks/deep/x.png 30 20 gray 7
  pipeline '{"type": "affine", "angle": 30, "interpolation": "bilinear", "fill": 99, "fill_mask": 255}'
  "$lockstep" run -q -p p.json -i images --masks masks -o out
  python3 - out/masks/deep/x.png << 'EOF'
import png, sys
height, width, channels, samples = png.read(sys.argv[1])
assert (width, height, channels) == (30, 20, 1), (width, height, channels)
assert set(samples) == {7, 255}, set(samples)
EOF
}

# A point at x goes to (2x - 100) / (3 - x / 50); the horizon is at x = 150.
tilt='{"type": "perspective", "startpoints": [[50, 0], [100, 0], [100, 80], [50, 80]], "endpoints": [[0, 20], [100, 0], [100, 80], [0, 60]]}'

@test "a tilt moves and cuts outlines; half an object is half, however small it has become" {
  objects 100 80 \
    '{"id": 1, "image_id": 1, "category_id": 1, "bbox": [30, 20, 40, 40], "area": 1600, "iscrowd": 0}' \
    '{"id": 2, "image_id": 1, "category_id": 1, "segmentation": [[30, 20, 70, 20, 70, 60, 30, 60]], "bbox": [30, 20, 40, 40], "area": 1600, "iscrowd": 0}' \
    '{"id": 3, "image_id": 1, "category_id": 1, "segmentation": {"size": [80, 100], "counts": [2420, '"$(printf '40, 40, %.0s' {1..39})"'40, 2420]}, "bbox": [30, 20, 40, 40], "area": 1600, "iscrowd": 0}'
  pipeline "$tilt"
  go
  near '[0, 27.5, 25, 25, 562.5]' '.annotations[0] | .bbox[], .area'
  near '[0, 27.5, 25, 25, 562.5]' '.annotations[1] | .bbox[], .area'
  jq -e '.annotations[2].area | . > 540 and . < 585' out/annotations.json
  jq -e '.matrix | length == 9' out/manifest.jsonl
  pipeline "$tilt" '{"min_visibility": 0.499}'
  go --overwrite
  [ "$(jq -c '[.annotations[].id]' out/annotations.json)" = "[1,2,3]" ]
  pipeline "$tilt" '{"min_visibility": 0.501}'
  go --overwrite
  near '[1, 0.5, 2, 0.5, 3, 0.5]' '.dropped[] | .from, .value' out/manifest.jsonl
}

@test "what is drawn beyond the image and behind a tilt's horizon is gone" {
  objects 100 80 \
    '{"id": 1, "image_id": 1, "category_id": 2, "bbox": [80, 20, 90, 40], "area": 3600, "iscrowd": 0, "keypoints": [159.5, 40, 2, 90, 39.5, 2, 120, 40, 2], "num_keypoints": 3}' \
    '{"id": 2, "image_id": 1, "category_id": 1, "segmentation": [[80, 20, 170, 20, 170, 60, 80, 60]], "bbox": [80, 20, 90, 40], "area": 3600, "iscrowd": 0}'
  pipeline "$tilt" '{"min_visibility": 1}'
  go
  near '[42.857142857142854, 20, 57.142857142857146, 40]' '.annotations[0].bbox[]'
  near '[42.857142857142854, 20, 57.142857142857146, 40]' '.annotations[1].bbox[]'
  near '[0, 0, 0, 67.56722689075630, 39.5, 2, 0, 0, 0]' '.annotations[0].keypoints[]'
  [ "$(jq .annotations[0].num_keypoints out/annotations.json)" = 1 ]
  near '[1959.1836734693877]' '.annotations[1].area'
}

@test "a tilt that mirrors swaps left and right; one whose horizon crosses the image is refused" {
  objects 100 80 \
    '{"id": 1, "image_id": 1, "category_id": 2, "bbox": [0, 0, 50, 80], "area": 4000, "iscrowd": 0, "keypoints": [10, 20, 2, 20, 20, 1, 30, 30, 2], "num_keypoints": 3}'
  pipeline '{"type": "perspective", "startpoints": [[0, 0], [100, 0], [100, 80], [0, 80]], "endpoints": [[100, 0], [10, 10], [10, 70], [100, 80]]}'
  go
  jq -e '.annotations[0].keypoints | [.[2], .[5], .[8]] == [2, 2, 1]' out/annotations.json
  jq -e '.annotations[0].keypoints | .[3] < .[6]' out/annotations.json
  for to in '[[30, 40], [60, 0], [100, 80], [0, 60]]' '[[0, 0], [100, 80], [100, 0], [0, 80]]'; do
    pipeline '{"type": "perspective", "startpoints": [[0, 0], [100, 0], [100, 80], [0, 80]], "endpoints": '"$to"'}'
    run ! go --overwrite
    grep -F 'the horizon of the map crosses the image of 100x80' <<< "$output"
  done
}

@test "semantics: a displacement field has no matrix, bends outlines, and loses no visibility inside" {
  image a.png 100 80
  objects 100 80 '{"id": 1, "image_id": 1, "category_id": 1, "bbox": [10, 10, 80, 60], "area": 4800, "segmentation": [[10, 10, 90, 10, 90, 70, 10, 70]]}'
  pipeline '{"type": "displace", "grid": [3, 3], "dx": [0, 0, 0, 0, 20, 0, 0, 0, 0], "dy": [0, 0, 0, 0, -10, 0, 0, 0, 0]}'
  go
  [ "$(jq 'has("matrix")' out/manifest.jsonl)" = false ]
  [ "$(jq '.annotations[0] | has("visibility")' out/manifest.jsonl)" = false ]
  [ "$(jq '.annotations[0].segmentation[0] | length > 16' out/annotations.json)" = true ]
}
