#!/usr/bin/env bats
# Camera matrices of image records (annotations.camera): they move with the pixels.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  mkdir images
  python3 "$here/tools/blank.py" images/a.png 100 80
}

# image MEMBERS: in.json with these members in its image's record.
image() {
  printf '{"images": [{"id": 1, "file_name": "a.png", "width": 100, "height": 80, %s}],\n"annotations": [{"id": 1, "image_id": 1, "category_id": 1, "iscrowd": 0, "bbox": [10, 20, 30.0, 40], "area": 1200, "segmentation": []}],\n"categories": [{"id": 1, "name": "thing", "supercategory": "all"}]}\n' \
    "$1" > in.json
}

# steps STEPS [ANNOTATION RULES]: writes p.json.
steps() { printf '{"version": 1, "annotations": {%s}, "transforms": [%s]}\n' "${2-"$rules"}" "$1" > p.json; }

go() { "$lockstep" run -p p.json -i images -a in.json -o out --overwrite --progress none "$@"; }

# moved STEPS [RULES]: the members of the record after a run, without the usual ones.
moved() {
  steps "$@"
  go -q
  jq -c '.images[0] | del(.id, .file_name, .width, .height)' out/annotations.json
}

k='"K": [[50, 0.0, 49.5], [0, 50.0, 39.50], [0, 0, 1.0]]'
rules='"camera": ["K"]'
flip='{"type": "horizontal_flip"}'
crop='{"type": "crop", "top": 10, "left": 20, "height": 50, "width": 60}'
turn='{"type": "rotate", "angle": 90}'

@test "cameras: matrices and decompositions are those of another program" {
  mkdir work
  cd work
  python3 "$here/tools/cameras.py" golden "$lockstep" "$here/golden/camera.jsonl"
}

# bats test_tags=release
@test "cameras: random pipelines move projected points and dots to where the cameras project them" {
  mkdir work
  cd work
  python3 "$here/tools/cameras.py" random "$lockstep" 1
}

@test "cameras: each form stays, with the digits of numbers that do not change" {
  image "$k, \"flat\": [50, 0, 49.5, 0, 50.00, 39.5, 0, 0, 1], \"P\": [[50, 0, 49.5, 4.0], [0, 50, 39.5, 3], [0, 0, 1, 0.1]], \"P2\": [50, 0, 49.5, 4.0, 0, 50, 39.5, 3.0, 0, 0, 1, 0.1], \"four\": [50, 50.0, 49.5, 39.50], \"none\": null, \"note\": [1.50]"
  rules='"camera": ["K", "flat", "P", "P2", "four", "none", "absent"]'
  steps "$flip"
  run -0 --separate-stderr go
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr != *coco-unmoved-keys* ]] || { echo "$stderr"; return 1; }
  grep -F '"K": [[-50, 0.0, 49.5], [0, 50.0, 39.50], [0, 0, 1.0]], "flat": [-50, 0, 49.5, 0, 50.00, 39.5, 0, 0, 1], "P": [[-50, 0, 49.5, 5.9], [0, 50, 39.5, 3], [0, 0, 1, 0.1]], "P2": [-50, 0, 49.5, 5.9, 0, 50, 39.5, 3.0, 0, 0, 1, 0.1], "four": [-50, 50.0, 49.5, 39.50], "none": null, "note": [1.50]}' out/annotations.json
  # Cameras that steps do not move, or move back, keep their text.
  steps '{"type": "invert"}'
  go -q
  grep -F "$k," out/annotations.json
  steps "$flip, $flip"
  go -q
  grep -F "$k," out/annotations.json
}

@test "cameras: index counts from pixel centers, continuous from the corner" {
  image "$k"
  [ "$(moved '{"type": "resize", "size": [40, 50]}')" = '{"K":[[25,0,24.5],[0,25,19.5],[0,0,1]]}' ]
  [ "$(moved '{"type": "resize", "size": [40, 50]}' "$rules, \"camera_convention\": \"continuous\"")" = '{"K":[[25,0,24.75],[0,25,19.75],[0,0,1]]}' ]
  [ "$(moved "$flip" "$rules, \"camera_convention\": \"continuous\"")" = '{"K":[[-50,0,50.5],[0,50,39.5],[0,0,1]]}' ]
}

@test "cameras: four numbers become a matrix where they cannot describe the camera" {
  image '"f": [50, 50, 49.5, 39.5]'
  rules='"camera": ["f"]'
  [ "$(moved "$crop")" = '{"f":[50,50,29.5,29.5]}' ]
  [ "$(moved '{"type": "rot90", "k": 1}')" = '{"f":[[0,50,39.5],[-50,0,49.5],[0,0,1]]}' ]
  [ "$(moved '{"type": "rot90", "k": 1}' "$rules, \"camera_rotation\": \"decompose\"")" = '{"f":[50,50,39.5,49.5],"f_rotation":[[0,1,0],[-1,0,0],[0,0,1]]}' ]
  image '"f": [50, 60, 49.5, 39.5]'
  moved '{"type": "rotate", "angle": 30}' "$rules, \"camera_rotation\": \"decompose\"" |
    jq -e '(.f | length == 3 and .[1][0] == 0) and (.f_rotation | length == 3)'
}

@test "cameras: a rotation is written beside the camera where it rotated, and only there" {
  image "$k, \"calib\": {\"P2\": [50, 0, 49.5, 4, 0, 50, 39.5, 3, 0, 0, 1, 0.1], \"R\": [1, 2]}"
  rules='"camera": ["K", "calib.P2"], "camera_rotation": "decompose"'
  moved '{"type": "rot90", "k": 1}' > now.json
  jq -c 'del(.calib.P2_translation)' now.json > most.json
  diff most.json - << 'END'
{"K":[[50,0,39.5],[0,50,49.5],[0,0,1]],"K_rotation":[[0,1,0],[-1,0,0],[0,0,1]],"calib":{"P2":[0,50,39.5,3,-50,0,49.5,5.9,0,0,1,0.1],"P2_intrinsics":[[50,0,39.5],[0,50,49.5],[0,0,1]],"P2_rotation":[[0,1,0],[-1,0,0],[0,0,1]],"R":[1,2]}}
END
  jq -e '.calib.P2_translation | (.[0] + 0.019 | fabs) < 1e-12 and (.[1] - 0.019 | fabs) < 1e-12 and .[2] == 0.1' now.json
  moved '{"type": "vertical_flip"}' | jq -e '.K[1][1] == -50 and (has("K_rotation") | not)'
  moved "$crop" | jq -e '[has("K_rotation"), (.calib | has("P2_rotation"))] == [false, false]'
  # A second run would write the key twice.
  jq -c '.images[0].K_rotation = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]' in.json > again.json
  mv again.json in.json
  refuses coco-type 4 go
  [[ $stderr == *'images[0].K_rotation: a.png: '* ]] || { echo "$stderr"; return 1; }
  moved "$turn" "$rules, \"drop_keys\": [\"images.K_rotation\"]" | jq -e '.K_rotation[0][1] != 0'
}

@test "cameras: a value of another form is an error that names the image and the key" {
  local value
  for value in '"x"' 3 '[]' '[[]]' '{}' '[1, 2, 3]' '[1, 2, 3, 4, 5]' '[[1, 0, 0], [0, 1, 0]]' '[[1, 0, 0], [0, 1, 0], [0, 0, 1, 2]]' \
    '[[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]' '[[1, 0, 0], [0, 1, 0], [0, 0, "1"]]' '[1, 2, 3, 1e101]' '["1", 2, 3, 4]' '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]'; do
    image "\"K\": $value"
    steps "$flip"
    refuses coco-type 4 go
    [[ $stderr == *'in.json:1:'*'images[0].K: a.png: expected a camera matrix'* ]] || { echo "$value: $stderr"; return 1; }
  done
  image '"K": [[1, 0, 0], [2, 0, 0], [0, 0, 1]]'
  [ "$(moved "$flip")" = '{"K":[[-1,0,99],[2,0,0],[0,0,1]]}' ]
  steps "$flip" "$rules, \"camera_rotation\": \"decompose\""
  refuses coco-type 4 go
  [[ $stderr == *'images[0].K: a.png: this camera matrix is singular'* ]] || { echo "$stderr"; return 1; }
}

@test "cameras: names that the pipeline cannot have are refused" {
  image "$k"
  steps "$flip" '"camera": ["K", "K"]'
  refuses param-twice 3 go
  steps "$flip" '"camera": ["width"]'
  refuses param-conflict 3 go
  steps "$flip" '"camera": [1]'
  refuses param-type 3 go
  steps "$flip" '"camera": "K"'
  refuses param-type 3 go
}

@test "cameras: displacement fields and joined images are refused before any image is opened" {
  local step
  image "$k"
  for step in '{"type": "ElasticTransform"}' '{"type": "elastic", "key": 1}' '{"type": "RandomApply", "transforms": [{"type": "GridDistortion"}]}' \
    '{"type": "Mosaic", "target_size": [64, 64]}' '{"type": "MixUp"}' '{"type": "RandomGridShuffle"}'; do
    steps "$step"
    refuses target-refused 3 go
    [[ $stderr == *'transforms[0]'*'annotations.camera'* ]] || { echo "$stderr"; return 1; }
  done
  steps '{"type": "elastic", "key": 1}' ''
  go -q
  steps '{"type": "ElasticTransform", "p": 0}'
  go -q
}

@test "cameras: camera_mirror refuses mirrors, as far as planning finds them, and in the sample" {
  image "$k"
  rules='"camera": ["K"], "camera_mirror": "refuse"'
  for step in "$flip" '{"type": "RandomHorizontalFlip", "p": 0.1}' '{"type": "ten_crop", "size": [9, 9]}'; do
    steps "$step"
    refuses target-refused 3 go
    [[ $stderr == *'camera_mirror'* ]] || { echo "$stderr"; return 1; }
  done
  steps '{"type": "perspective", "startpoints": [[0, 0], [99, 0], [99, 79], [0, 79]], "endpoints": [[99, 0], [0, 0], [0, 79], [99, 79]]}'
  refuses step-refused 4 go
  [[ $stderr == *'the image is mirrored'* ]] || { echo "$stderr"; return 1; }
  steps "$turn"
  go -q
  steps "$flip" '"camera_mirror": "refuse"'
  go -q
}

@test "cameras: distortion coefficients cause a note where the image is mirrored or rotated" {
  local step
  image "$k, \"D\": [0.1, 0.2], \"distortion\": [1], \"k1\": 0.5, \"pose\": [1]"
  for step in "$flip" "$turn" '{"type": "rot90", "k": 1}' '{"type": "RandomPerspective"}'; do
    steps "$step"
    go -q
    [ "$(jq -c '.unmoved_keys | sort' out/run.json)" = '["images.D","images.distortion","images.k1","images.pose"]' ] || { echo "$step"; return 1; }
  done
  for step in "$crop" '{"type": "RandomResizedCrop", "size": 40}, {"type": "pad", "padding": [1]}'; do
    steps "$step"
    go -q
    [ "$(jq -c '.unmoved_keys' out/run.json)" = '["images.pose"]' ] || { echo "$step"; return 1; }
    steps "$step" ''
    go -q
    [ "$(jq -c '.unmoved_keys | length' out/run.json)" = 5 ] || { echo "$step"; return 1; }
  done
  image '"D": "no list", "camera": {"K": [1, 1, 1, 1]}'
  steps "$flip" '"camera": ["camera.K"]'
  go -q
  jq -e 'has("unmoved_keys") | not' out/run.json
}

@test "cameras: crops of one image, copies, shards, a replay and a frozen pipeline have their own cameras" {
  image "$k"
  steps '{"type": "five_crop", "size": [40, 50]}'
  go -q
  [ "$(jq -c '[.images[].K | [.[0][2], .[1][2]]]' out/annotations.json)" = '[[49.5,39.5],[-0.5,39.5],[49.5,-0.5],[-0.5,-0.5],[24.5,19.5]]' ] ||
    { jq -c '[.images[].K]' out/annotations.json; return 1; }
  "$lockstep" compile -p p.json > frozen.json
  jq -e '.annotations | [.camera, .camera_convention, .camera_rotation, .camera_mirror] == [["K"], "index", "matrix", "keep"]' frozen.json
  steps '{"type": "RandomRotation", "degrees": 40}, {"type": "RandomCrop", "size": 40}'
  go -q -n 3
  [ "$(jq -c '.images[].K' out/annotations.json | sort -u | wc -l)" -eq 3 ]
  "$lockstep" replay -q -m out/manifest.jsonl -i images -a in.json -o again
  diff out/annotations.json again/annotations.json
  for i in 0 1; do "$lockstep" run -q -p p.json -i images -a in.json -o shards -n 3 --shard $i/2; done
  "$lockstep" merge -q shards
  diff out/annotations.json shards/annotations.json
  # The manifest has the map that moved them.
  python3 - << 'END'
import json
images = json.load(open("out/annotations.json"))["images"]
for line, image in zip(map(json.loads, open("out/manifest.jsonl")), images):
    a, b, c, d, e, f = line["matrix"]
    x, y = a * 50 + b * 40 + c - 0.5, d * 50 + e * 40 + f - 0.5  # of the principal point
    assert abs(image["K"][0][2] - x) < 1e-9 and abs(image["K"][1][2] - y) < 1e-9, (line, image)
END
  # A manifest with a step that planning has not seen.
  sed 's/"steps": \[/&{"type": "elastic", "key": 1, "alpha": [9, 9], "sigma": [4, 4]}, /' again/manifest.jsonl > out/manifest.jsonl
  refuses step-refused 4 "$lockstep" replay -m out/manifest.jsonl -i images -a in.json -o bad
}

@test "cameras: results on the outputs return to the source, whose cameras are as they were" {
  image "$k"
  steps "$turn, $crop, $flip"
  go -q
  jq -c '[.annotations[] | {image_id, category_id, bbox, score: 0.5}]' out/annotations.json > r.json
  "$lockstep" back -q -m out/manifest.jsonl -r r.json -a in.json -o back.json
  jq -e '.[0].bbox[2] > 0' back.json
}

@test "cameras: lists of images of results, lines of Hugging Face and datasets with parts move them" {
  image "$k"
  jq -c '[.annotations[] | del(.iscrowd, .id, .area, .segmentation) | . + {score: 0.5}]' in.json > results.json
  steps "$flip"
  "$lockstep" run -q -p p.json -i images -a results.json --image-list in.json -o out
  jq -e '.images[0].K[0][0] == -50' out/images.json
  image '"K": 1'
  refuses coco-type 4 "$lockstep" run -p p.json -i images -a results.json --image-list in.json -o none
  mkdir -p hf/train
  cp images/a.png hf/train
  printf '{"file_name": "a.png", "objects": {"bbox": [], "categories": []}, "K": [50, 50, 49.5, 39.5]}\n' > hf/train/metadata.jsonl
  run -0 --separate-stderr "$lockstep" run -p p.json -a hf -o hf_out --progress none
  [[ $stderr != *settings-idle* ]] || { echo "$stderr"; return 1; }
  grep -F '"K": [-50, 50, 49.5, 39.5]}' hf_out/train/metadata.jsonl
  "$lockstep" run -q -p p.json -a hf -o hf_coco --to coco
  find hf_coco -name '*.json'
  jq -e '.images[0].K == [-50, 50, 49.5, 39.5]' hf_coco/annotations/instances_train.json
  image "$k"
  "$lockstep" run -q -p p.json -a train=in.json -i train=images -a val=in.json -i val=images -o parts
  jq -s -e 'map(.images[0].K[0][0]) == [-50, -50]' parts/annotations/*.json
}

@test "cameras: formats without members of images count the loss, and say that the setting has no effect" {
  image "$k"
  steps "$flip"
  run -0 --separate-stderr go --to yolo --lossy
  [[ $stderr == *'1 image value of "K"'*'[to-lossy]'* && $stderr == *'camera [settings-idle]'* ]] || { echo "$stderr"; return 1; }
  mkdir -p yolo/images yolo/labels
  cp images/a.png yolo/images
  echo '0 0.5 0.5 0.1 0.1' > yolo/labels/a.txt
  printf 'names: [thing]\n' > yolo/data.yaml
  run -0 --separate-stderr "$lockstep" run -p p.json -i yolo/images -a yolo -o out --overwrite --progress none
  [[ $stderr == *'camera [settings-idle]'* ]] || { echo "$stderr"; return 1; }
}
