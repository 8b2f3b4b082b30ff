#!/usr/bin/env bats
# `lockstep back`: results on outputs return to the source images.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() { begin; }

run_steps() { # STEPS [options]
  pipeline p.json "$1"
  shift
  rm -rf out
  "$lockstep" run -q -p p.json -i "$samples/images" -a "$samples/annotations.json" -o out "$@"
}

run_joint() { # STEPS
  echo '{"version": 1, "annotations": {"ids": "dense"}, "transforms": ['"$1"']}' > p.json
  rm -rf out
  "$lockstep" run -q -p p.json -i "$samples/images" -a "$samples/annotations.json" -o out
}

# Objects of the outputs as results that know their source.
found() {
  jq '[.annotations[] | {image_id, category_id, bbox, segmentation, score: 0.9, area}]' out/annotations.json > r.json
}

back() { "$lockstep" back -m out/manifest.jsonl -r r.json "$@"; }

@test "back: boxes that flips, quarter turns, scales and pads moved return exactly" {
  run_steps '{"type": "horizontal_flip"}, {"type": "rot90"}, {"type": "pad", "padding": [10, 20, 30, 40]}'
  jq '[.annotations[] | {image_id, category_id, bbox, score: 0.9}]' out/annotations.json > r.json
  back -q -o m.json
  rounded='[.image_id, .category_id, (.bbox | map(. * 1e6 | round))]'
  jq "[.[] | $rounded] | sort" m.json > got.json
  jq "[.annotations[] | $rounded] | sort" "$samples/annotations.json" > expected.json
  cmp got.json expected.json
}

@test "back: copies of an object merge to the object, and those of wbf are as many" {
  run_steps '{"type": "RandomHorizontalFlip", "p": 0.5}, {"type": "pad", "padding": [10, 20, 30, 40]}' --copies 3
  jq '[.annotations[] | {image_id, category_id, bbox, score: 0.9}]' out/annotations.json > r.json
  back -q --merge nms -o m.json
  jq -e --slurpfile a "$samples/annotations.json" '
    length <= ($a[0].annotations | length) and
    all(.[]; . as $o | any($a[0].annotations[]; .image_id == $o.image_id and .category_id == $o.category_id and
      ([.bbox, $o.bbox] | transpose | all(.[0] - .[1] | fabs < 0.05))))' m.json
  back -q --merge wbf -o wbf.json
  [ "$(jq length wbf.json)" -le "$(jq '.annotations | length' "$samples/annotations.json")" ]
  jq -e 'all(.[]; .score > 0.899 and .score < 0.901)' wbf.json
}

@test "back: masks and polygons return from warps to where they were" {
  run_steps '{"type": "rotate", "angle": 12, "expand": true}, {"type": "pad", "padding": 8}'
  found
  back -q -o m.json
  jq -e --slurpfile a "$samples/annotations.json" '
    [.[] | select(.segmentation | type == "array")] as $o | ($o | length > 0) and
    all($o[]; . as $o | any($a[0].annotations[]; .image_id == $o.image_id and
      (.segmentation | type == "array") and (.segmentation | flatten) as $s | ($o.segmentation | flatten) as $t |
      ($s | length) == ($t | length) and ([$s, $t] | transpose | all(.[0] - .[1] | fabs < 0.05))))' m.json
}

@test "back: labels return from random pipelines to where they were, and made-up boxes merge to the truth" {
  python3 "$here/search/back_pipelines.py" "$lockstep" 8 1
}

@test "back: an output whose places are of several images is an error, or left out and counted" {
  run_joint '{"type": "MixUp", "p": 1}'
  found
  run -4 back -q -o m.json
  grep -qF '[back-ambiguous]' <<< "$output"
  [ ! -e m.json ]
  stderr_to said back --skip -o m.json
  grep -qE ": 0 written; .* $(jq length r.json) on ambiguous outputs\$" said
  [ "$(jq length m.json)" -eq 0 ]
}

# two_images: a.ppm of 60 x 50 and b.ppm of 70 x 44 in d/, with a.json: an object of a, two of b.
two_images() {
  mkdir d
  { printf 'P6 60 50 255\n'; head -c 9000 /dev/zero; } > d/a.ppm
  { printf 'P6 70 44 255\n'; head -c 9240 /dev/zero; } > d/b.ppm
  echo '{"images": [{"id": 3, "file_name": "a.ppm", "width": 60, "height": 50},
      {"id": 8, "file_name": "b.ppm", "width": 70, "height": 44}],
    "categories": [{"id": 2, "name": "x"}], "annotations": [
      {"id": 11, "image_id": 3, "category_id": 2, "iscrowd": 0, "area": 80, "bbox": [5, 6, 10, 8]},
      {"id": 12, "image_id": 8, "category_id": 2, "iscrowd": 0, "area": 60, "bbox": [3, 4, 12, 10],
       "segmentation": [[3, 14, 15, 14, 15, 4]]},
      {"id": 13, "image_id": 8, "category_id": 2, "iscrowd": 0, "area": 63, "bbox": [20, 21, 9, 7],
       "segmentation": [[20, 21, 29, 21, 29, 28, 20, 28]]}]}' > a.json
}

@test "back: pasted objects return to the image that they are of, as a whole, if its annotations are given" {
  two_images
  # b's triangle comes to (31, 20), and its rectangle to (48, 37)
  echo '{"version": 1, "annotations": {"ids": "dense"}, "transforms": [{"type": "join", "height": 50, "width": 60,
    "inputs": [{}, {"source": "b.ppm", "objects": [0, 1], "top": 16, "left": 28}]}]}' > p.json
  "$lockstep" run -q -p p.json -i d -a a.json -o out a.ppm
  echo '[{"image_id": 3, "category_id": 2, "score": 0.9, "bbox": [48, 37, 9, 7]},
    {"image_id": 3, "category_id": 2, "score": 0.8, "bbox": [31.5, 20, 12, 10]},
    {"image_id": 3, "category_id": 2, "score": 0.7, "bbox": [5, 6, 10, 8]},
    {"image_id": 3, "category_id": 2, "score": 0.6, "bbox": [24, 12, 34, 33]},
    {"image_id": 3, "category_id": 2, "score": 0.5, "bbox": [35, 25, 8, 5], "segmentation": [[35, 30, 43, 30, 43, 25]]},
    {"image_id": 3, "category_id": 2, "score": 0.4, "bbox": [30, 18, 12, 9], "segmentation": [[30, 18, 42, 18, 42, 27, 30, 27]]}]' > r.json
  back -q -a a.json -o m.json
  jq -c '.[] | [.image_id, .score, .bbox[]]' m.json > got
  diff got - << 'END'
[8,0.9,20,21,9,7]
[8,0.8,3.5,4,12,10]
[3,0.7,5,6,10,8]
[3,0.6,24,12,34,33]
[8,0.5,7,9,8,5]
[3,0.4,30,18,12,9]
END
  refuses replay-line 4 back -q -o none.json
  [[ $stderr == *'give the annotations of the run with -a'* ]]
}

@test "back: images that a choice of images left out lend to joins, if their annotations are given" {
  two_images
  echo '{"version": 1, "annotations": {"ids": "dense"}, "transforms": [{"type": "join", "height": 50, "width": 130,
    "inputs": [{"left": 70}, {"source": "b.ppm", "top": 3, "steps": [{"type": "horizontal_flip"}]}]}]}' > p.json
  "$lockstep" run -q -p p.json -i d -a a.json -o out --limit 1
  echo '[{"image_id": 3, "category_id": 2, "score": 0.9, "bbox": [41, 24, 9, 7]},
    {"image_id": 3, "category_id": 2, "score": 0.7, "bbox": [75, 6, 10, 8]}]' > r.json
  back -q -a a.json -o m.json
  jq -c '[.[] | [.image_id, .bbox]]' m.json > got
  diff got <(echo '[[8,[20,21,9,7]],[3,[5,6,10,8]]]')
  refuses replay-line 4 back -q -o none.json
  # the names of the run, without its --strip-prefix
  jq '.images[].file_name |= "deep/" + .' a.json > deep.json
  rm -r out
  "$lockstep" run -q -p p.json -i d -a deep.json --strip-prefix deep/ -o out --limit 1
  back -q -a deep.json --overwrite -o m.json
  jq -c '[.[] | [.image_id, .bbox]]' m.json | diff got -
}

@test "back: what is found on a mosaic returns to the images in its cells" {
  run_joint '{"type": "Mosaic", "target_size": [300, 400]}'
  jq '[.annotations[] | {image_id, category_id, bbox, score: 0.9}]' out/annotations.json > r.json
  back -q -o m.json
  [ "$(jq length m.json)" -ge "$(jq length r.json)" ]
  jq -e --slurpfile a "$samples/annotations.json" '($a[0].images | map({(.id | tostring): .}) | add) as $i |
    all(.[]; $i[.image_id | tostring] as $im | .bbox[0] >= 0 and .bbox[1] >= 0 and
      .bbox[0] + .bbox[2] <= $im.width + 1e-6 and .bbox[1] + .bbox[3] <= $im.height + 1e-6)' m.json
}

one_image() { # STEPS
  mkdir one
  cp "$samples/images/street/0001.jpg" one/a.jpg
  jq '{images: [.images[] | select(.file_name == "street/0001.jpg") | .id = 1 | .file_name = "a.jpg"], annotations: [],
    categories}' "$samples/annotations.json" > one.json
  pipeline p.json "$1"
  "$lockstep" run -q -p p.json -i one -a one.json -o out
}

@test "back: a canvas between two others cuts what returns through it" {
  one_image '{"type": "crop", "top": 40, "left": 30, "height": 100, "width": 120}, {"type": "pad", "padding": 20}'
  echo '[{"image_id": 1, "category_id": 1, "bbox": [0, 0, 160, 140], "score": 1},
    {"image_id": 1, "category_id": 1, "bbox": [50, 40, 160, 140], "score": 1}]' > r.json
  [ "$(back -q | jq -c '[.[].bbox]')" = '[[30,40,120,100],[60,60,90,80]]' ]
}

# mask HEIGHT WIDTH X0 X1: of the columns from X0 to X1, the rows 100 to 299.
mask() {
  jq -cn --argjson h "$1" --argjson w "$2" --argjson x0 "$3" --argjson x1 "$4" '{size: [$h, $w], counts:
    ([$x0 * $h + 100] + [range($x1 - $x0 - 1) | 200, $h - 200] + [200, ($w - $x1) * $h + $h - 300])}'
}

@test "back: a mask returns to the pixels that it came from, also across" {
  one_image '{"type": "resize", "size": [480, 320]}'
  echo "[{\"image_id\": 1, \"category_id\": 1, \"segmentation\": $(mask 480 320 10 20), \"score\": 1}]" > r.json
  back -q -o m.json
  [ "$(jq -c '.[0].segmentation' m.json)" = "$(mask 480 640 20 40)" ]
}

@test "back: what lies beyond the horizon of a tilted image does not return" {
  one_image '{"type": "perspective", "startpoints": [[0, 0], [640, 0], [640, 480], [0, 480]],
    "endpoints": [[200, 300], [440, 300], [640, 480], [0, 480]]}'
  echo '[{"image_id": 1, "category_id": 1, "bbox": [310, 100, 20, 300], "score": 1},
    {"image_id": 1, "category_id": 1, "bbox": [300, 10, 40, 100], "score": 1}]' > r.json
  stderr_to said back -o m.json
  grep -qF ' 1 written; 0 of them split, 1 outside,' said
  # The horizon is the row 192, and 1 / (y - 192) is linear in the source's y.
  jq -e 'length == 1 and (.[0].bbox | .[1] == 0 and (.[3] * 100 | round) == 36923 and .[0] < 293.4 and .[0] + .[2] > 346.6)' m.json
}

# A box over each whole output returns as the visible parts of each image, whatever the neighboring cells contain.
whole_outputs() {
  jq -s '[.[] | {image_id, category_id: 1, bbox: [0, 0, .size_out[0], .size_out[1]], score: 0.5}]' out/manifest.jsonl > r.json
  stderr_to said back --overwrite -o m.json
  python3 - << 'PY'
import json
lines = [json.loads(line) for line in open("out/manifest.jsonl")]
size = {line["source"]: (line["from"], line["size_in"]) for line in lines}
wanted, split = [], 0
for line in lines:
    cells = line["steps"][-1]["inputs"] if line["steps"] else [{"source": "", "steps": []}]
    for k, cell in enumerate(cells):
        image, (w, h) = size[cell["source"] or line["source"]]
        x, y, across, down, sx, sy = 0, 0, w, h, 1, 1
        for step in cell["steps"]:
            if step["type"] == "resize":
                down, across = step["size"]
                sx, sy = across / w, down / h
            elif step["type"] == "crop":
                x, y, across, down = x + step["left"], y + step["top"], step["width"], step["height"]
        wanted.append((image, [x / sx, y / sy, across / sx, down / sy]))
    split += len(cells) > 1
found = [(o["image_id"], o["bbox"]) for o in json.load(open("m.json"))]
assert wanted and len(found) == len(wanted), (len(found), len(wanted))
found, wanted = (sorted((i, [round(v, 6) + 0.0 for v in b]) for i, b in pieces) for pieces in (found, wanted))
assert found == wanted, (found, wanted)
assert f" {len(wanted)} written; {split} of them split, 0 outside," in open("said").read()
PY
}

@test "back: what spans cells is split by cell, and counted" {
  run_joint '{"type": "Mosaic", "target_size": [300, 400]}'
  whole_outputs
  run_joint '{"type": "RandomGridShuffle", "grid": [2, 2]}'
  whole_outputs
}

@test "back: what is found under a window of another image is not on the first one" {
  run_joint '{"type": "CutMix", "p": 1, "alpha": 5}'
  jq -s '[.[] | .steps[0].inputs[1] as $i | ($i.steps | last) as $c | {image_id, category_id: 1, score: 0.5,
    bbox: [$i.left + 1, $i.top + 1, $c.width - 2, $c.height - 2]}]' out/manifest.jsonl > r.json
  stderr_to said back -o m.json
  grep -qF " $(jq length r.json) written; 0 of them split, 0 outside," said
  diff <(jq -rs 'map({(.source): .image_id}) as $ids | ($ids | add) as $ids | .[] | $ids[.steps[0].inputs[1].source]' \
    out/manifest.jsonl) <(jq '.[].image_id' m.json)
}

@test "back: results without scores stay as they are, and cannot be merged" {
  run_steps '{"type": "horizontal_flip"}'
  jq '[.annotations[] | {image_id, category_id, bbox}]' out/annotations.json > r.json
  back -q -o m.json
  jq -e 'all(.[]; has("score") | not)' m.json
  for rule in nms wbf; do
    run -4 back --merge $rule -o n.json
    grep -qF '[score-missing]' <<< "$output"
    grep -qF -- '--merge none' <<< "$output"
    [ ! -e n.json ]
  done
}

@test "back: a manifest whose lines are cut off, missing or twice is refused, with the place" {
  run_steps '{"type": "horizontal_flip"}'
  jq '[.annotations[] | {image_id, category_id, bbox, score: 0.5}]' out/annotations.json > r.json
  count=$(wc -l < out/manifest.jsonl)
  head -c -300 out/manifest.jsonl > cut.jsonl
  head -n 3 out/manifest.jsonl > few.jsonl
  cat out/manifest.jsonl <(head -n 1 out/manifest.jsonl) > twice.jsonl
  while read -r file at code; do
    run -4 "$lockstep" back -m "$file.jsonl" --run out/run.json -r r.json -o m.json
    grep -q "^$at: error: .*\[$code\]\$" <<< "$output"
    [ ! -e m.json ]
  done << END
cut cut.jsonl:$count:[0-9]* json-syntax
few r.json:[0-9]*:[0-9]* coco-image-unknown
twice twice.jsonl:$((count + 1)):1 replay-twice
END
}

@test "back: manifests and results with random edits are refused with a code, or obeyed" {
  python3 "$here/search/back_mutations.py" "$lockstep" "$samples" 40 1
}

@test "back: the manifest of merged shards equals the manifest of one run" {
  run_steps '{"type": "ElasticTransform"}'
  found
  back -q -o m.json
  mv out whole
  for i in 0 1; do
    "$lockstep" run -q -p p.json -i "$samples/images" -a "$samples/annotations.json" -o out --shard $i/2
  done
  "$lockstep" merge -q out
  back -q -o shards.json
  cmp m.json shards.json
}

@test "back: the order of the results stays, whatever outputs they are on" {
  run_steps '{"type": "horizontal_flip"}'
  jq '[.annotations | sort_by(.bbox[0])[] | {image_id, category_id, bbox, score: 0.5, tag: .id}]' out/annotations.json > r.json
  back -q -o m.json
  cmp <(jq -c '[.[].tag]' m.json) <(jq -c '[.[].tag]' r.json)
}

@test "back: empty lists stay empty, unknown outputs and other runs are refused" {
  run_steps '{"type": "horizontal_flip"}'
  echo '[]' > r.json
  [ "$(back -q | jq -c .)" = '[]' ]
  echo '[{"image_id": 987654, "category_id": 1, "bbox": [1, 2, 3, 4], "score": 1}]' > r.json
  run -4 back
  grep -qF '[coco-image-unknown]' <<< "$output"
  cp out/run.json other.json
  run_steps '{"type": "vertical_flip"}'
  echo '[]' > r.json
  run -4 back --run other.json
  grep -qF '[replay-foreign]' <<< "$output"
}

# The pasted object covers the other one; --limit leaves no line of its image in the manifest.
@test "back: pasted objects of folders of labels return, and sizes of borrowed images are those of their headers" {
  local format i
  mkdir in
  for i in a b; do
    python3 -c 'import png, sys; png.write(sys.argv[1], [[x for x in range(40)] for y in range(30)])' "in/$i.png"
  done
  pipeline p.json '{"type": "CopyPaste", "paste_by_box": true}'
  mkdir yolo
  echo '0 0.25 0.25 0.25 0.25' | tee yolo/a.txt > yolo/b.txt
  printf 'names: [x]\n' > yolo/data.yaml
  pipeline id.json ''
  "$lockstep" run -q -p id.json -i in -a yolo -o made --to voc
  mv made/Annotations voc
  for format in yolo voc; do
    rm -rf out
    "$lockstep" run -q -p p.json -i in -a $format -o out --to coco --limit 1 --lossy --seed 3
    jq '[.annotations[] | {image_id, category_id, bbox, score: 0.5}]' out/annotations.json > r.json
    run -4 back --skip
    [[ $output == *"give the annotations of the run with -a"* ]]
    run -2 back -a $format --skip
    [[ $output == *"a label folder needs its image folder: -i IMAGES [option-missing]"* ]]
    run -0 back -a $format -i in --skip -q
    [ "$(jq -c '[.[] | .image_id, .bbox]' <<< "$output")" = '[2,[5,3.75,10,7.5],2,[5,3.75,10,7.5]]' ]
  done
  run -2 back -a "$samples/annotations.json" -i in
  [[ $output == *"--images"*"these annotations are a file [option-unused]"* ]]
}
