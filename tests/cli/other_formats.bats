#!/usr/bin/env bats
# Annotations of formats that many use and that are not read: each command that reads annotations names the format.
# shellcheck disable=SC2154 # run sets stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  mkdir images
  cp "$samples/images/street/0001.jpg" images/a.jpg
  cp "$samples/annotations.json" good.json
  pipeline p.json '{"type": "horizontal_flip"}'
  pipeline nms.json '{"type": "batched_nms"}'
}

# files: one file of each format, NAME.json and the like, with the words that name it in names.txt.
files() {
  cat > labelme.json << 'END'
{"version": "5.0.1", "flags": {}, "shapes": [{"label": "car", "points": [[1, 2], [30, 40]], "shape_type": "rectangle"}],
 "imagePath": "a.jpg", "imageData": null, "imageHeight": 100, "imageWidth": 100}
END
  cat > via.json << 'END'
{"_via_settings": {"ui": {}}, "_via_img_metadata": {"a.jpg9": {"filename": "a.jpg", "size": 9, "regions": []}}}
END
  cat > via_regions.json << 'END'
{"a.jpg9": {"filename": "a.jpg", "size": 9, "regions": [{"shape_attributes": {"name": "rect", "x": 1, "y": 2, "width": 3,
  "height": 4}, "region_attributes": {"class": "car"}}], "file_attributes": {}}}
END
  cat > createml.json << 'END'
[{"image": "a.jpg", "annotations": [{"label": "car", "coordinates": {"x": 10, "y": 10, "width": 5, "height": 5}}]}]
END
  cat > label_studio.json << 'END'
[{"id": 1, "annotations": [{"id": 2, "result": [{"original_width": 100, "original_height": 100, "value": {"x": 1, "y": 2,
  "width": 3, "height": 4, "rectanglelabels": ["car"]}, "from_name": "label"}]}], "data": {"image": "/data/a.jpg"}}]
END
  cat > label_studio_tasks.json << 'END'
[{"id": 1, "annotations": [], "drafts": [], "predictions": [], "data": {"image": "/data/a.jpg"}}]
END
  cat > supervisely.json << 'END'
{"description": "", "tags": [], "size": {"height": 100, "width": 100}, "objects": [{"id": 1, "classId": 2,
  "geometryType": "rectangle", "classTitle": "car", "points": {"exterior": [[1, 2], [3, 4]], "interior": []}}]}
END
  cat > supervisely_meta.json << 'END'
{"classes": [{"title": "car", "shape": "rectangle", "color": "#FF0000", "id": 2}], "tags": [], "projectType": "images"}
END
  cat > xview.geojson << 'END'
{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"bounds_imcoords": "27,11,29,14",
  "type_id": 73, "image_id": "a.jpg"}, "geometry": {"type": "Polygon", "coordinates": [[[1, 2], [3, 4], [1, 4]]]}}]}
END
  cat > sa_11.json << 'END'
{"image": {"image_id": 11, "width": 90, "height": 70, "file_name": "sa_11.jpg"}, "annotations": [{"id": 5, "area": 4,
  "bbox": [1, 2, 2, 2], "segmentation": {"size": [70, 90], "counts": "k1"}, "predicted_iou": 0.9, "stability_score": 0.97}]}
END
  printf 'imagesource:GoogleEarth\r\ngsd:0.14\r\n27.0 24.0 28.0 23.0 28.5 24.0 28.0 25.0 small-vehicle 0\r\n' > dota.txt
  printf '\n27 24 28 23 28 24 28 25 ship\n' > dota_plain.txt
  printf '%s\n' 'Car 0.00 0 -1.58 587.01 173.33 614.12 200.12 1.65 1.67 3.64 -0.65 1.71 46.70 -1.59' \
    'DontCare -1 -1 -10 503.89 169.71 590.61 190.13 -1 -1 -1 -1000 -1000 -1000 -10' > kitti.txt
  printf '%s\n' 'Van 0 0 -1.5 58 17 61 20 1.6 1.6 3.6 -0.6 1.7 46 -1.5 0.93' > kitti_scores.txt
  cat > names.txt << 'END'
labelme.json LabelMe
via.json VIA
via_regions.json VIA
createml.json CreateML
label_studio.json Label Studio
label_studio_tasks.json Label Studio
supervisely.json Supervisely
supervisely_meta.json Supervisely
xview.geojson xView
sa_11.json Segment Anything
dota.txt DOTA
dota_plain.txt DOTA
kitti.txt KITTI
kitti_scores.txt KITTI
END
}

# names FILE WORDS COMMAND...: the command refuses the file and names its format.
names() {
  run -4 --separate-stderr "$lockstep" "${@:3}"
  [[ $stderr == *"$1"*"this seems to be "*"$2"*"[annotations-other]"* ]] || { echo "${*:3}: $stderr"; return 1; }
  [ ! -e out ] && [ ! -e out.png ]
}

@test "other formats: each command that reads annotations names what a file seems to be" {
  files
  "$lockstep" run -q -p p.json -i "$samples/images" -a good.json -o made
  while read -r file words; do
    names "$file" "$words" back -m made/manifest.jsonl -r "$file" -o out
    names "$file" "$words" run -p p.json -i images -a "$file" -o out
    names "$file" "$words" check "$file"
    names "$file" "$words" check -a good.json -a "$file"
    names "$file" "$words" stats "$file"
    names "$file" "$words" diff "$file" good.json
    names "$file" "$words" diff good.json "$file"
    names "$file" "$words" split -a "$file" -o out
    names "$file" "$words" labels -p nms.json -a "$file" -o out
    names "$file" "$words" iou good.json "$file"
    names "$file" "$words" preview -p p.json -i images -a "$file" -o out.png
    names "$file" "$words" explain -p p.json -i images -a "$file"
    names "$file" "$words" profile -p p.json -i images -a "$file"
  done < names.txt
}

@test "other formats: a folder of such files is named by its first one" {
  files
  sed -i '/labelme/d' names.txt # a folder of such files is read
  while read -r file words; do
    rm -rf labels
    mkdir labels
    cp "$file" "labels/a.${file##*.}"
    names labels/a. "$words" run -p p.json -i images -a labels -o out
    names labels/a. "$words" check -i images labels
    names labels/a. "$words" stats -i images labels
    # Nor are images asked for first.
    names labels/a. "$words" check labels
    names labels/a. "$words" stats labels
    names labels/a. "$words" diff good.json labels
    names labels/a. "$words" labels -p nms.json -a labels -o out
    # Without the name of an image, too.
    mv "labels/a.${file##*.}" "labels/z.${file##*.}"
    names labels/z. "$words" run -p p.json -i images -a labels -o out
  done < names.txt
}

@test "other formats: a folder without labels is refused for that, and one with labels for its missing images" {
  mkdir empty labels
  printf '0 0.5 0.5 0.1 0.1\n' > labels/a.txt
  printf '%s\n' 'nc: 1' 'names: [car]' > labels/data.yaml
  for command in check stats 'diff good.json' 'labels -p nms.json -o out -a'; do
    for folder in empty images; do
      # shellcheck disable=SC2086 # words
      run -4 --separate-stderr "$lockstep" $command "$folder"
      [[ $stderr == *"$folder: it has no label files"*'[labels-none]' ]] || { echo "$command: $stderr"; return 1; }
    done
    for folder in labels labels/data.yaml; do
      # shellcheck disable=SC2086 # words
      run -2 --separate-stderr "$lockstep" $command "$folder"
      [[ $stderr == *"$folder: "*'-i IMAGES [option-missing]' ]] || { echo "$command: $stderr"; return 1; }
    done
  done
}

@test "other formats: files that are read are not taken for others" {
  run -0 "$lockstep" check "$samples/annotations.json" --fail-on never
  mkdir labels
  printf '0 0.5 0.5 0.1 0.1\n' > labels/a.txt
  run -0 "$lockstep" check -i images labels --fail-on never
  printf 'car 0.5 0.5 0.1 0.1\n' > labels/a.txt
  run -1 "$lockstep" check -i images labels
  [[ $output == *L001* ]]
  # Words of other formats in a file that has COCO's lists.
  jq '.images[0] += {shapes: 1, shape_type: 2, type: "FeatureCollection", features: []}' good.json > words.json
  run -0 "$lockstep" stats words.json
  # COCO's file in a folder without labels is given by its name.
  rm labels/a.txt
  cp good.json labels
  run -4 --separate-stderr "$lockstep" run -p p.json -i images -a labels -o out
  [[ $stderr == *"no label file matches the 1 image in "*"labels/good.json [labels-none]" ]]
}
