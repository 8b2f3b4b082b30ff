#!/usr/bin/env bats
# Annotation keys beyond COCO's: numbers keep their digits, and geometry that no step moves is named, left out, or
# moved.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  mkdir images
  python3 "$here/tools/blank.py" images/a.png 100 80
}

# file ANNOTATION MEMBERS: in.json with one annotation.
file() {
  printf '{"images": [{"id": 1, "file_name": "a.png", "width": 100, "height": 80}],\n"annotations": [{"id": 1, "image_id": 1, "category_id": 1, "iscrowd": 0, %s}],\n"categories": [{"id": 1, "name": "thing", "supercategory": "all"}]}\n' \
    "$1" > in.json
}

# steps STEPS [ANNOTATION RULES]: writes p.json.
steps() { printf '{"version": 1, "annotations": %s, "transforms": [%s]}\n' "${2:-{\}}" "$1" > p.json; }

go() { "$lockstep" run -p p.json -i images -a in.json -o out --overwrite --progress none "$@"; }

has() { grep -qF -- "$1" out/annotations.json || { cat out/annotations.json; return 1; }; }

flip='{"type": "horizontal_flip"}'

@test "digits: numbers that a step does not change stand as they stood, inside a list too" {
  file '"bbox": [10.50, 2.0, 30.0, 4e1], "area": 1200.00, "segmentation": [[10.50, 2.0, 40.5, 2.0, 40.5, 42.0]], "keypoints": [10, 2.0, 2], "num_keypoints": 1'
  steps "$flip"
  go -q
  has '"bbox": [59.5, 2.0, 30.0, 4e1]'
  has '"area": 1200.00'
  has '"segmentation": [[89.5, 2.0, 59.5, 2.0, 59.5, 42.0]]'
  has '"keypoints": [89, 2.0, 2]'
  # After a cut, too, the remaining geometry is written.
  steps '{"type": "crop", "top": 0, "left": 0, "height": 80, "width": 30}'
  go -q
  has '"bbox": [10.50, 2.0, 19.5, 26]'
  # Strings and texts are not scaled.
  file '"bbox": [1.0, 2.0, 3.0, 4.0], "area": 12.0, "segmentation": {"size": [80, 100], "counts": [800, 80, 7120]}'
  steps "$flip"
  go -q
  has '"bbox": [96, 2.0, 3.0, 4.0]'
}

@test "keys: geometry that no step moves is named once, and in run.json; not where nothing moves" {
  file '"bbox": [10, 20, 30, 40], "area": 1200, "center": [25, 40], "scale": [1.5, 2.0], "bbox_head": [12, 20, 5, 5], "keypoints_3d": [1, 2, 3], "score": 0.5, "attributes": {"occluded": false, "rotation": 30.0}, "track_id": 3, "foot_valid": 0'
  steps "$flip"
  run -0 --separate-stderr go
  # shellcheck disable=SC2154 # run sets it
  [ "$(grep -cF '[coco-unmoved-keys]' <<< "$stderr")" -eq 1 ]
  [ "$(jq -c '.unmoved_keys | sort' out/run.json)" = '["attributes.rotation","bbox_head","center","keypoints_3d","scale"]' ]
  grep -qF 'center, scale, bbox_head, keypoints_3d, attributes.rotation; see' <<< "$stderr"
  [ "$(jq -c '.annotations[0] | .center, .bbox_head' out/annotations.json | tr '\n' ' ')" = '[25,40] [12,20,5,5] ' ]
  steps '{"type": "invert"}'
  run -0 --separate-stderr go
  run ! grep -F 'coco-unmoved-keys' <<< "$stderr"
  jq -e 'has("unmoved_keys") | not' out/run.json
}

@test "keys: drop_keys leaves them out, of every object" {
  file '"bbox": [10, 20, 30, 40], "area": 1200, "center": [25, 40], "scale": [1.5, 2.0], "note": "x"'
  steps "$flip" '{"drop_keys": ["center", "scale"]}'
  run -0 --separate-stderr go
  run ! grep -F 'coco-unmoved-keys' <<< "$stderr"
  [ "$(jq -c '.annotations[0] | keys' out/annotations.json)" = '["area","bbox","category_id","id","image_id","iscrowd","note"]' ]
  steps '{"type": "invert"}' '{"drop_keys": ["center", "scale"]}'
  go -q
  has '"area": 1200, "note": "x"}'
  [ "$(jq -c '.annotations[0] | has("center"), has("scale")' out/annotations.json | tr '\n' ' ')" = 'false false ' ]
}

@test "keys: a member of attributes is dropped by its path, or with all attributes, and never moved" {
  file '"bbox": [10, 20, 30, 40], "attributes": {"occluded": false, "rotation": 30.5, "z": [1, {}]}, "rotation": {"x": 1}'
  left() { # RULES: the remaining attributes, and the named keys
    steps "$flip" "$1"
    go -q
    jq -c '.annotations[0].attributes' out/annotations.json
    jq -c '.unmoved_keys' out/run.json
  }
  [ "$(left '{"drop_keys": ["rotation"]}' | xargs)" = '{occluded:false,rotation:30.5,z:[1,{}]} [attributes.rotation]' ]
  [ "$(left '{"drop_keys": ["rotation", "attributes.rotation"]}' | xargs)" = '{occluded:false,z:[1,{}]} null' ]
  has '"attributes": {"occluded": false, "z": [1, {}]}'
  [ "$(left '{"drop_keys": ["rotation", "attributes.z", "attributes.rotation", "z"]}' | xargs)" = '{occluded:false} null' ]
  [ "$(left '{"drop_keys": ["attributes"]}' | xargs)" = 'null [rotation]' ]
  [ "$(left '{"drop_keys": ["rotation"], "move_keys": {"attributes.rotation": "point"}}' | tail -1)" = '["attributes.rotation"]' ]
}

@test "keys: move_keys moves boxes and points with the object" {
  file '"bbox": [10, 20, 30, 40], "area": 1200, "center": [25, 40], "bbox_head": [12, 20, 5.0, 5], "ends": [0, 0, 90, 70], "none": null'
  steps "$flip" '{"move_keys": {"bbox_head": "box", "center": "point", "ends": "point", "none": "box"}}'
  run -0 --separate-stderr go
  run ! grep -F 'coco-unmoved-keys' <<< "$stderr"
  has '"center": [75, 40]'
  has '"bbox_head": [83, 20, 5.0, 5]'
  has '"ends": [100, 0, 10, 70]'
  has '"none": null'
  # Cut at the canvas, all zeros outside; points stay points.
  steps '{"type": "crop", "top": 22, "left": 20, "height": 50, "width": 60}' \
    '{"move_keys": {"bbox_head": "box", "center": "point", "ends": "point"}}'
  go -q
  has '"center": [5, 18]'
  has '"bbox_head": [0, 0, 0, 0]'
  has '"ends": [-20, -22, 70, 48]'
  # Said again by the frozen pipeline.
  "$lockstep" compile -p p.json > frozen.json
  jq -e '.annotations.move_keys == {"bbox_head": "box", "center": "point", "ends": "point"}' frozen.json
}

@test "keys: what cannot be dropped or moved is refused" {
  file '"bbox": [10, 20, 30, 40], "center": [1, 2, 3]'
  refused() { # CODE EXIT RULES
    steps "$flip" "$3"
    run "-$2" --separate-stderr go
    grep -qF "[$1]" <<< "$stderr" || { echo "$stderr"; return 1; }
  }
  refused param-conflict 3 '{"drop_keys": ["bbox"]}'
  refused param-conflict 3 '{"move_keys": {"segmentation": "box"}}'
  refused param-twice 3 '{"drop_keys": ["a", "a"]}'
  refused param-choice 3 '{"move_keys": {"a": "circle"}}'
  refused param-type 3 '{"move_keys": ["a"]}'
  refused param-type 3 '{"drop_keys": [1]}'
  refused coco-type 4 '{"move_keys": {"center": "point"}}'
  refused coco-bbox 4 '{"move_keys": {"center": "box"}}'
}

# image MEMBERS: in.json with these members in its image's record.
image() {
  printf '{"images": [{"id": 1, "file_name": "a.png", "width": 100, "height": 80%s}],\n"annotations": [{"id": 1, "image_id": 1, "category_id": 1, "iscrowd": 0, "bbox": [10, 20, 30.0, 40], "area": 1200, "segmentation": [], "camera": 1}],\n"categories": [{"id": 1, "name": "thing", "supercategory": "all"}]}\n' \
    "$1" > in.json
}

@test "keys: geometry in image records stays as it is, and is named" {
  local moves
  image ', "K": [[9, 0, 5], [0, 9, 4], [0, 0, 1]], "geotransform": "1 0 0 1 2 3", "camera_matrix": [1], "bbox": [1, 2, 3, 4], "left_calib": {"fx": 3.50}, "projection": [1], "date_captured": "x", "quality": 3, "track_id": 4, "crs": "EPSG:1"'
  for moves in "$flip" '{"type": "CenterCrop", "size": 50}' '{"type": "Resize", "size": 33}' '{"type": "RandomRotation", "degrees": 3, "p": 0.1}'; do
    steps "$moves"
    run -0 --separate-stderr go
    [ "$(grep -cF '[coco-unmoved-keys]' <<< "$stderr")" -eq 1 ] || { echo "$moves: $stderr"; return 1; }
    [ "$(jq -c '.unmoved_keys | sort' out/run.json)" = '["images.K","images.bbox","images.camera_matrix","images.geotransform","images.left_calib","images.projection"]' ] ||
      { jq -c .unmoved_keys out/run.json; return 1; }
    has '"left_calib": {"fx": 3.50}'
  done
  run -0 --separate-stderr go -q
  [ -z "$stderr" ]
  steps '{"type": "invert"}'
  run -0 --separate-stderr go
  [[ $stderr != *coco-unmoved-keys* ]]
  jq -e 'has("unmoved_keys") | not' out/run.json
}

@test "keys: a camera, a projection or a transform that is a word or a number is no geometry" {
  image ', "camera": "front", "projection": "EPSG:32632", "transform": "none", "scale": 3, "pose": null, "K": null, "rotation": 90'
  steps "$flip"
  run -0 --separate-stderr go
  [[ $stderr != *coco-unmoved-keys* ]] || { echo "$stderr"; return 1; }
  image ', "camera": {"K": [1]}, "scale": [1, 2], "pose": "standing"'
  run -0 --separate-stderr go
  [ "$(jq -c '.unmoved_keys | sort' out/run.json)" = '["images.camera","images.scale"]' ]
}

@test "keys: drop_keys leaves out those of images, and only those" {
  local dropped='["images.K", "images.camera.R", "images.bbox"]'
  image ', "K": [1], "bbox": [1.0, 2, 3, 4], "camera": {"R": [2], "name": "x"}, "score": 1.50'
  for moves in "$flip" '{"type": "invert"}' '{"type": "Resize", "size": 40}'; do
    steps "$moves" "{\"drop_keys\": $dropped}"
    run -0 --separate-stderr go
    has '"score": 1.50'
    has '"camera": {"name": "x"}, "score"'
    [ "$(jq -c '.images[0] | keys' out/annotations.json)" = '["camera","file_name","height","id","score","width"]' ]
    [ "$(jq -c '.annotations[0] | .camera, has("bbox")' out/annotations.json | xargs)" = '1 true' ]
  done
  # The annotation is the very text that it was, where nothing moves it.
  steps '{"type": "invert"}' "{\"drop_keys\": $dropped}"
  go -q
  has "$(sed -n 2p in.json | grep -o '{.*}')"
  # Said again by the frozen pipeline, with those of annotations, and done again by a replay.
  steps "$flip" '{"drop_keys": ["images.K", "camera", "images.camera", "images.bbox"]}'
  go -q
  "$lockstep" compile -p p.json > frozen.json
  jq -e '.annotations.drop_keys == ["camera", "images.K", "images.camera", "images.bbox"]' frozen.json
  [ "$(jq -c '.images[0] | keys' out/annotations.json)" = '["file_name","height","id","score","width"]' ]
  jq -e '.annotations[0] | has("camera") | not' out/annotations.json
  "$lockstep" replay -q -m out/manifest.jsonl -i images -a in.json -o again
  diff out/annotations.json again/annotations.json
  # The list of images of results, and steps for labels alone, drop them, too.
  jq -c '[.annotations[] | del(.iscrowd, .id, .area, .segmentation) | . + {score: 0.5}]' in.json > results.json
  steps "$flip"
  run -0 --separate-stderr "$lockstep" run -p p.json -i images -a results.json --image-list in.json -o results
  [[ $stderr == *'images.K, images.bbox, images.camera; see'* ]] || { echo "$stderr"; return 1; }
  steps "$flip" '{"drop_keys": ["images.K", "images.camera", "images.bbox"]}'
  "$lockstep" run -q -p p.json -i images -a results.json --image-list in.json -o results --overwrite
  [ "$(jq -c '.images[0] | keys' results/images.json)" = '["file_name","height","id","score","width"]' ]
  steps '{"type": "clamp_bounding_boxes"}' '{"drop_keys": ["images.K"]}'
  "$lockstep" labels -q -p p.json -a in.json -o labels.json
  [ "$(jq -c '.images[0] | has("K"), has("bbox")' labels.json | xargs)" = 'false true' ]
}

@test "keys: those of images that cannot be dropped or moved are refused" {
  image ''
  for rules in '{"drop_keys": ["images.file_name"]}' '{"drop_keys": ["images.width"]}' '{"drop_keys": ["images."]}' '{"move_keys": {"images.bbox": "box"}}'; do
    steps "$flip" "$rules"
    refuses param-conflict 3 go
  done
  steps "$flip" '{"drop_keys": ["images.K", "K", "images.K"]}'
  refuses param-twice 3 go
}
