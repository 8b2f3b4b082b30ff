#!/usr/bin/env bats
# Datasets in tars: WebDataset with the index of rf-detr, both ways.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  echo '{"version": 1, "seed": 3, "transforms": []}' > same.json
  echo '{"version": 1, "seed": 3, "transforms": [{"type": "RandomHorizontalFlip", "p": 0.5}]}' > flip.json
}

# coco_dataset: the samples as COCO folders in the folder in, with the parts train and val, and without TIFF files.
coco_dataset() {
  local part
  python3 "$root/tests/tools/divide_samples.py" "$samples" in
  for part in train val; do
    mv in/${part}2017 in/$part
    jq -c '[.images[] | select(.file_name | endswith(".tif")) | .id] as $gone |
      .images |= map(select([.id] | inside($gone) | not)) |
      .annotations |= map(select([.image_id] | inside($gone) | not))' \
      in/annotations/instances_${part}2017.json > in/annotations/instances_$part.json
    rm in/annotations/instances_${part}2017.json
  done
  find in -name '*.tif' -delete
}

# edit FILE FILTER: changes a JSON file.
edit() {
  jq -c "$2" "$1" > edited
  mv edited "$1"
}

# same_labels A B: the same COCO files, except for the order of annotations, which tars have by image.
same_labels() {
  jq -c '.annotations |= sort_by(.id)' "$1" > a.json
  jq -c '.annotations |= sort_by(.id)' "$2" > b.json
  cmp a.json b.json
}

# tars: copies of the tars and indexes of out in the folder bare, without its other files.
tars() {
  rm -rf bare
  mkdir bare
  cp out/*.tar out/*-index.json bare
}

# sample TAR KEY JSON: adds an image of 4 x 4 pixels, and KEY.json.
sample() {
  python3 - "$@" << 'END'
import io, os, sys, tarfile
import png
tar, key, text = sys.argv[1:]
png.write("one.png", [[0] * 4] * 4, 1)
with open("one.png", "rb") as file:
    image = file.read()
with tarfile.open(tar, "a") as to:
    for name, data in ((key + ".png", image), (key + ".json", text.encode())):
        member = tarfile.TarInfo(name)
        member.size = len(data)
        to.addfile(member, io.BytesIO(data))
END
}

# without TAR MEMBER: removes a member of a tar.
without() {
  mkdir members
  tar xf "$1" -C members
  tar tf "$1" | grep -vxF "$2" > names
  tar cf "$1" -C members -T names
  rm -r members names
}

# rfdetr_dataset: a dataset as rf-detr's own tool writes it, without lockstep's members.
rfdetr_dataset() {
  local part
  mkdir tars
  sample tars/train-000000.tar a '{"image_id": 7, "file_name": "a.png", "annotations": [{"bbox": [1, 1, 2, 2], "area": 4, "category_id": 5, "iscrowd": 0}]}'
  sample tars/train-000000.tar x/b '{"image_id": 9, "file_name": "old/b.jpg", "annotations": []}'
  sample tars/train-000001.tar c '{"image_id": 8, "annotations": [{"id": 31, "image_id": 8, "bbox": [0, 0, 3, 2], "area": 6, "category_id": 2}]}'
  sample tars/val-000000.tar a '{"image_id": 7, "annotations": [{"bbox": [0, 0, 1, 1], "area": 1, "category_id": 5}]}'
  for part in train val; do
    jq -n --arg part $part '{version: 1, split: $part, shards: ["train-000000.tar", "train-000001.tar"], num_samples: 3,
      categories: [{id: 5, name: "cat"}, {id: 2, name: "dog"}, {id: 3, name: "none"}], category_ids: "remap"}
      + if $part == "val" then {shards: ["val-000000.tar"], num_samples: 1} else {} end' > tars/$part-index.json
  done
}

@test "dataset_webdataset: each part gets tars and an index, and they are a dataset again" {
  local part
  coco_dataset
  "$lockstep" run -q -p flip.json -a in -n 2 -o folder
  "$lockstep" run -q -p flip.json -a in -n 2 -o out --out-format webdataset --shard-size 4
  "$here/tools/webdataset.py" folder out
  "$lockstep" verify out
  [ "$(cd out && echo *)" = "annotations manifest.jsonl run.json $(printf 'train-%06d.tar ' 0 1 2 3 4)train-index.json val-000000.tar val-000001.tar val-000002.tar val-index.json" ]
  for part in train val; do
    cmp out/annotations/$part.json folder/annotations/instances_$part.json
  done
  # the classes of the dataset, in its order, also the ones without objects
  [ "$(jq -c .categories out/val-index.json)" = "$(jq -c .categories in/annotations/instances_val.json)" ]
  [ "$(jq '.categories | length' out/val-index.json)" -gt "$(jq '.annotated_category_ids | length' out/val-index.json)" ]
  # the tars and their indexes are enough
  tars
  "$lockstep" stats bare > said
  [[ $(< said) == *"train: $(jq '.images | length' out/annotations/train.json) images, $(jq '.annotations | length' out/annotations/train.json) objects"* ]]
  "$lockstep" check -a bare > said || [ $? -eq 1 ]
  [[ $(tail -n 1 said) == *' 0 errors,'* ]]
  "$lockstep" run -q -p same.json -a bare -o again --shard-size 4
  "$lockstep" verify again
  for part in train val; do
    same_labels out/annotations/$part.json again/annotations/$part.json
    diff <(jq -c . out/$part-index.json) <(jq -c . again/$part-index.json)
  done
  "$lockstep" run -q -p same.json -a bare/val-index.json -o one --out-format dir
  [ "$(cd one && echo *)" = 'annotations manifest.jsonl run.json val' ]
  same_labels out/annotations/val.json one/annotations/instances_val.json
  # a part is chosen, and transformed alone
  "$lockstep" run -q -p flip.json -a bare --part val -o val
  [ "$(cd val && echo *)" = 'annotations manifest.jsonl run.json val-000000.tar val-index.json' ]
  "$lockstep" run -q -p flip.json -a bare --apply-to train --copies train=2 -o applied
  diff <(jq -c .categories,.num_samples bare/val-index.json) <(jq -c .categories,.num_samples applied/val-index.json)
  [ "$(jq .num_samples applied/train-index.json)" -eq "$((2 * $(jq .num_samples bare/train-index.json)))" ]
}

@test "dataset_webdataset: COCO to tars and back is the same dataset, with ids that are text and parts without objects" {
  local ids
  coco_dataset
  mkdir in/test
  jq -c '.images = [] | .annotations = []' in/annotations/instances_val.json > in/annotations/instances_test.json
  [ "$(jq '[.images[].id] - [.annotations[].image_id] | length' in/annotations/instances_val.json)" -eq 1 ]
  for ids in number text; do
    if [ $ids = text ]; then
      find in/annotations -type f | while read -r file; do
        edit "$file" '.images |= map(.id |= "id \(.)") | .annotations |= map(.image_id |= "id \(.)")'
      done
    fi
    "$lockstep" convert -q -a in -o tars --to webdataset --overwrite
    "$lockstep" verify tars
    "$lockstep" convert -q -a tars -o out --to coco --overwrite
    "$lockstep" diff in out
    for part in train val test; do
      same_labels in/annotations/instances_$part.json out/annotations/instances_$part.json
    done
    # readers take numbers only
    for tar in tars/*.tar; do
      [ "$(tar xOf "$tar" --wildcards '*.json' 2> none | jq -r '.image_id | type' | sort -u)" = \
        "$([ "$tar" = tars/test-000000.tar ] || echo number)" ]
    done
  done
  # readers fail without a tar
  [ "$(jq -c '[.shards, .num_samples, .samples_per_shard]' tars/test-index.json)" = '[["test-000000.tar"],0,[0]]' ]
  # outputs of all commands are such datasets
  "$lockstep" split -a tars -o divided --ratio 1:1
  "$lockstep" concat -q tars divided -o both --shard-size 9
  "$lockstep" verify both
  [ "$(jq -s 'map(.num_samples) | add' both/*-index.json)" -eq 28 ]
  [ "$(jq -c '.samples_per_shard[0]' both/train-index.json)" -eq 9 ]
}

@test "dataset_webdataset: what rf-detr writes is read" {
  rfdetr_dataset
  "$lockstep" convert -q -a tars -o out --to coco
  [ "$(jq -c . out/annotations/instances_train.json)" = "$(jq -c . << 'END'
{"images": [{"id": 7, "file_name": "a.png"}, {"id": 9, "file_name": "x/b.png", "source_file_name": "old/b.jpg"}, {"id": 8, "file_name": "c.png"}],
 "annotations": [{"id": 1, "image_id": 7, "bbox": [1, 1, 2, 2], "area": 4, "category_id": 5, "iscrowd": 0}, {"id": 31, "image_id": 8, "bbox": [0, 0, 3, 2], "area": 6, "category_id": 2}],
 "categories": [{"id": 5, "name": "cat"}, {"id": 2, "name": "dog"}, {"id": 3, "name": "none"}]}
END
  )" ]
  [ "$(jq -c '[.images[].id], .categories[1].name' out/annotations/instances_val.json)" = $'[7]\n"dog"' ]
  # these are also written as text, or left out
  edit tars/train-index.json '.version = "1" | .category_ids = "raw" | .samples_per_shard = [2, 1] | .mine = {}'
  "$lockstep" convert -q -a tars -o again --to coco
  same_labels out/annotations/instances_train.json again/annotations/instances_train.json
  # a tar alone has the index beside it; without an index, these are members of images as other tools write them
  "$lockstep" run -q -p same.json -i tars/train-000000.tar -o one
  [ "$(jq -c '[.images[].id], .categories[0].name' one/annotations.json)" = $'[7,9]\n"cat"' ]
  mkdir bare
  cp tars/val-000000.tar bare
  "$lockstep" run -q -p same.json -i bare/val-000000.tar -o other
  [ "$(jq -c '.images, .categories' other/annotations.json)" = $'[{"id":1,"file_name":"a.png","image_id":7}]\n[]' ]
  cp tars/train-000001.tar bare
  run -4 "$lockstep" run -q -p same.json -i bare/train-000001.tar -o none
  [[ $output == *'c.json has annotations with ids, but no list of images'*'PART-index.json [archive-labels]' ]]
  # tars that no index has, and none at all
  cp tars/val-000000.tar tars/old-000000.tar
  run -0 "$lockstep" convert -a tars -o more --to coco
  [[ $output == *'tars: these archives are in no index, and not read: old-000000.tar [dataset-layout]'* ]]
  run -2 "$lockstep" convert -a bare -o none --to coco
  [[ $output == *'bare, which is not a whole dataset'*'name an archive itself: -i bare/train-000001.tar [option-missing]' ]]
}

@test "dataset_webdataset: an index that is damaged or of other tars is refused" {
  rfdetr_dataset
  mv tars whole
  # refused FILTER MESSAGE: train's index, changed by a filter
  refused() {
    rm -rf tars
    cp -r whole tars
    jq "$1" whole/train-index.json > tars/train-index.json
    run -4 "$lockstep" convert -q -a tars -o none --to coco
    [[ $output == *tars/train-* && $output == *"$2"* ]] || { echo "$1: $output"; return 1; }
    [ ! -e none ]
  }
  refused '.version = 2' 'train-index.json: its "version" is not 1, the only one that is known [webdataset-index]'
  refused '.version = "1.0"' 'its "version" is not 1'
  refused 'del(.version)' 'its "version" is not 1'
  refused '.split = "val"' 'its "split" is "val", but the file is named for "train"'
  refused 'del(.split)' '"split" is missing or is not a string'
  refused 'del(.shards)' '"shards" is missing or is not a list'
  refused '.shards = "train-000000.tar"' '"shards" is missing or is not a list'
  refused '.shards[1] = 5' '"shards" has an element that is not a string'
  refused '.shards[1] = "../train-000001.tar"' 'the tar "../train-000001.tar" has a part'
  refused '.shards[1] = "train-000000.tar"' '"shards" has train-000000.tar twice'
  refused '.shards[1] = "train-000002.tar"' 'train-000002.tar: No such file or directory'
  refused '.shards |= .[:1]' 'it states 3 samples, but its tars have 2'
  refused '.num_samples = 4' 'it states 4 samples, but its tars have 3'
  refused '.num_samples = 2.5' '"num_samples" is not an integer'
  refused 'del(.num_samples)' '"num_samples" is missing or is not a number'
  refused '.samples_per_shard = [1, 2]' 'train-000000.tar: it has 2 samples, but tars/train-index.json states 1'
  refused '.samples_per_shard = [3]' '"samples_per_shard" and "shards" have different lengths'
  refused '.samples_per_shard = [2, "1"]' '"samples_per_shard" has an element that is not an integer'
  refused 'del(.categories)' '"categories" is missing or is not a list'
  refused '.categories = {"5": "cat"}' '"categories" is missing or is not a list'
  refused '.categories[1].id = 5' 'categories[0] has the id 5 already [coco-id-twice]'
  refused '[.]' 'it is not a JSON object'
  refused 'empty' 'it is not JSON: line 1, column 1'
  refused '"cut" | halt_error(0)' 'it is not JSON: line 1, column 1'
  # samples without one of their members
  rm -rf tars
  cp -r whole tars
  without tars/train-000001.tar c.json
  run -4 "$lockstep" convert -q -a tars -o none --to coco
  [[ $output == *'tars/train-000001.tar: c.png has no KEY.json [webdataset-index]' ]]
  cp whole/train-000001.tar tars
  without tars/train-000001.tar c.png
  run -4 "$lockstep" convert -q -a tars -o none --to coco
  [[ $output == *'tars/train-000001.tar: c.json has no image with its key [webdataset-index]' ]]
  rm tars/train-000001.tar
  sample tars/train-000001.tar c '{"image_id": 8}'
  run -4 "$lockstep" convert -q -a tars -o none --to coco
  [[ $output == *'c.json lacks image_id or annotations, which a sample of an index has'* ]]
}

@test "dataset_webdataset: verify finds what differs between tars, indexes and annotations" {
  coco_dataset
  "$lockstep" convert -q -a in -o whole --to webdataset --shard-size 6
  # damage COMMAND MESSAGE: in the folder out
  damage() {
    rm -rf out
    cp -r whole out
    (cd out && eval "$1")
    run "$lockstep" verify out
    [ "$status" -ne 0 ]
    [[ $output == *"$2"* ]] || { echo "$1: $output"; return 1; }
  }
  damage 'sed -i s/remap/other/ val-index.json' 'val-index.json: it differs from annotations/val.json and the tars [verify-labels]'
  damage 'sed -i s/train-000001/train-000000/ train-index.json' 'train-index.json: it differs from annotations/train.json and the tars [verify-labels]'
  damage 'rm val-index.json' 'val-index.json: it is not there [verify-missing]'
  damage 'sed -i 0,/iscrowd/s/iscrowd/isCrowd/ annotations/val.json' 'it differs from annotations/val.json [verify-labels]'
  damage 'without val-000000.tar hills/0001.json' 'hills/0001.json: no tar has it [verify-missing]'
  damage 'echo 1 > x.json; tar -rf train-000001.tar x.json; rm x.json' 'x.json: it is in a tar, but the manifest does not list it [verify-extra]'
  damage 'rm train-000001.tar' 'train-000001.tar'
}

@test "dataset_webdataset: options; shards and folders take the place of each other" {
  local layout
  coco_dataset
  "$lockstep" run -q -p flip.json -a in -n 2 -o out --to webdataset --shard-size 5 --durability none
  for i in 0 1 2; do
    "$lockstep" run -q -p flip.json -a in -n 2 -o shards --to webdataset --shard-size 5 --durability none --shard $i/3
  done
  "$lockstep" merge -q shards
  same_tree out shards
  "$lockstep" run -q -p flip.json -a in -n 2 -o words --out-format webdataset --shard-size 5
  cmp out/train-000000.tar words/train-000000.tar
  "$lockstep" run -q -p flip.json -a in -n 2 -o folder
  "$lockstep" run -q -p flip.json -a in -n 2 -o out --overwrite
  same_tree folder out
  "$lockstep" run -q -p flip.json -a in -n 2 -o out --overwrite --to webdataset --shard-size 5
  same_tree shards out
  # from tars to other layouts, and to tars with files of labels
  tars
  for layout in yolo voc roboflow hf labelme coco; do
    "$lockstep" convert -q -a bare -o to-$layout --to $layout --lossy
    "$lockstep" verify to-$layout
  done
  "$lockstep" run -q -p same.json -a bare -o packed --to yolo --lossy --out-format webdataset
  tar tf packed/val-000000.tar | grep -q 'txt$'
  [ "$(echo packed/*-index.json)" = 'packed/*-index.json' ]
  # tars have no links
  for layout in symbolic none; do
    run -2 "$lockstep" convert -q -a in -o none --to webdataset --link $layout
    [[ $output == *'--link: tars contain the bytes of images; leave --link out [option-unused]' ]]
  done
  run -2 "$lockstep" run -q -p flip.json -a in --apply-to train -o none --out-format webdataset --link symbolic
  run -2 "$lockstep" concat -q bare bare -o none --link none
  for layout in hard symbolic; do
    run -2 "$lockstep" convert -q -a bare -o none --to coco --link $layout
    [[ $output == *'--link: images in an archive cannot be linked; leave --link out [option-unused]' ]]
    run -2 "$lockstep" concat -q in bare -o none --to coco --link $layout
    run -2 "$lockstep" run -q -p flip.json -a bare --apply-to train -o none --to coco --link $layout
  done
  [ ! -e none ]
  run -2 "$lockstep" convert -q -a in -o none --to yolo --shard-size 5
  [[ $output == *'--shard-size: it needs --to webdataset [option-unused]' ]]
  run -2 "$lockstep" run -q -p flip.json -a bare -o none --to webdataset --out-format dir
  [[ $output == *'--out-format dir: --to webdataset writes tars [option-unused]' ]]
  # rf-detr opens no TIFF files
  python3 "$root/tests/tools/divide_samples.py" "$samples" tiff
  run -0 "$lockstep" run -p same.json -a tiff -o tiffs --to webdataset --progress none
  [[ $output == *'1 of 15 images are not .jpg, .png, .webp or .bmp files, and some readers of WebDataset open only these; --format jpeg writes them [layout-suffix]'* ]]
  run -0 "$lockstep" run -p same.json -a tiff -o pngs --to webdataset --progress none --format png
  [[ $output != *layout-suffix* ]]
}
