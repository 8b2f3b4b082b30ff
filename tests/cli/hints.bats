#!/usr/bin/env bats
# Slips of the command line and of annotations, each with a hint at the intended form.
# shellcheck disable=SC2016,SC2154 # messages quote with backticks; run sets stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  six_images
}

# says CODE TEXT COMMAND...: the command fails with the code, and its message has the text.
says() {
  run ! --separate-stderr "$lockstep" "${@:3}"
  [[ $stderr == *"$2"*"[$1]"* ]] || { echo "${*:3}: $stderr"; return 1; }
  [ ! -e out ]
}

@test "hints: the name of a pipeline that is nearly one that comes with lockstep" {
  says pipeline-unread 'did you mean "detection"?' run -p detektion -i in -o out
  says pipeline-unread 'did you mean "classification"?' compile -p clasification.json
  says pipeline-unread 'did you mean "segmentation"?' explain -p Segmentaton
  run -3 --separate-stderr "$lockstep" explain -p nothing.json
  [[ $stderr != *'did you mean'* ]]
}

@test "hints: a pipeline of another kind is named, with what makes one of it" {
  printf '# mine\nversion: 1\ntransforms:\n- type: horizontal_flip\n' > p.yaml
  says pipeline-other 'yaml.safe_load(sys.stdin), sys.stdout)'"' < p.yaml > pipeline.json" run -p p.yaml -i in -o out
  printf 'hsv_h: 0.015\nfliplr: 0.5\n' > hyp.yaml
  says pipeline-other 'lockstep import hyp.yaml -o pipeline.json' explain -p hyp.yaml
  printf 'Compose(\n    RandomHorizontalFlip(p=0.5)\n)\n' > printed.txt
  says pipeline-other 'of torchvision' compile -p printed.txt
  says pipeline-other 'lockstep import printed.txt' compile -p printed.txt
  # JSON stays JSON, with its own faults.
  printf '{"version": 1, "transforms": [}' > broken.json
  says json-syntax 'expected a value' compile -p broken.json
  printf 'hello' > words
  says json-syntax 'expected a value' compile -p words
}

@test "hints: a Python program is told the line that saves its pipeline, which import then reads" {
  cat > train.py << 'END'
import torch
import albumentations as alb

def make():
    return alb.Compose([])

train_transform = alb.Compose([
    alb.HorizontalFlip(p=0.5),
])
END
  says pipeline-other '`alb.save(train_transform, "transform.json")`' run -p train.py -i in -o out
  says import-unknown '`alb.save(train_transform, "transform.json")`' import train.py
  printf 'import albumentations\nclass D:\n    def __init__(self):\n        self.t=albumentations.Compose([])\n' > set.py
  says pipeline-other '`albumentations.save(self.t, "transform.json")`' explain -p set.py
  printf 'from torchvision.transforms import v2\nfliplr = 1\ntf = v2.Compose([v2.RandomHorizontalFlip(0.5)])\n' > tv.py
  says pipeline-other '`open("transform.txt", "w").write(str(tf))`' explain -p tv.py
  # A configuration of MMDetection is Python, too, and is imported unchanged.
  printf "train_pipeline = [dict(type='LoadImageFromFile'), dict(type='RandomFlip', prob=0.5)]\n" > mm.py
  says pipeline-other 'lockstep import mm.py' explain -p mm.py
}

@test "hints: names that the shell puts in the place of a pattern behind -i" {
  says image-unknown 'give the folder: -i in' run -p steps.json -o out -i in/*.jpg
  says image-unknown 'in/b.jpg: it is a file, but not of -i' explain -p steps.json -i in/*.jpg
  says image-unknown 'give the folder: -i in' preview -p steps.json -o out.png -i in/*.jpg
  says annotations-other 'give the folder of the images with -i' check -i in/*.jpg
  says images-unread 'give its folder' run -p steps.json -o out -a "$samples/annotations.json" -i in/*.jpg
  # Where -i is a folder, names with it, or with a dot, are images of it.
  run -0 "$lockstep" run -q -p steps.json -o out -i in in/b.jpg ./c.jpg ./in/d.jpg .//e.jpg
  [ "$(jq -r .source out/manifest.jsonl | tr '\n' ' ')" = 'b.jpg c.jpg d.jpg e.jpg ' ]
  rm -r out
  run -0 "$lockstep" run -q -p steps.json -o out -i ./in/ in/b.jpg
  [ "$(jq -r .source out/manifest.jsonl)" = b.jpg ]
}

@test "hints: lists of images have names with a dot before, without a suffix, or with the column of a class" {
  taken() { # LIST NAMES
    rm -rf out
    run -0 --separate-stderr "$lockstep" run -q -p steps.json -i in -o out --images-from "$1"
    [ "$(jq -r .source out/manifest.jsonl | LC_ALL=C sort | tr '\n' ' ')" = "$2 " ]
  }
  mkdir in/deep in/2007
  cp in/a.jpg in/deep/x_1.jpg
  cp in/a.jpg in/2007/000027.jpg
  mv in/f.jpg in/f.v1.jpg
  printf './a.jpg\n././b.jpg\n./in/c.jpg\n' > list
  taken list 'a.jpg b.jpg c.jpg'
  printf 'a\n000027\n2007/000027\ndeep/x_1\n./e\nf.v1\n' > list
  taken list '2007/000027.jpg a.jpg deep/x_1.jpg e.jpg f.v1.jpg'
  printf 'a  1\r\nb -1\r\nx_1  0\r\nc.jpg 1\r\n' > list
  taken list 'a.jpg b.jpg c.jpg deep/x_1.jpg'
  # A name that is an image's is that image, whatever its columns.
  mv in/b.jpg 'in/b 1.jpg'
  mv in/c.jpg 'in/c'
  mv in/d.jpg 'in/d  1.jpg'
  printf 'b 1\nd  1.jpg\n' > list
  rm -rf out
  taken list 'b 1.jpg d  1.jpg'
  rm -rf out
  cp in/a.jpg in/deep/a.jpg
  printf 'a\n' > list
  taken list a.jpg
  cp in/a.jpg in/a.png.jpg
  cp "$samples/images/hills/0002.png" in/a.png
  cp in/a.jpg in/2007/x_1.jpg
  rm -r out
  says image-ambiguous 'list:1: a: 2 images have this name without its suffix: a.jpg, a.png' \
    run -p steps.json -i in -o out --images-from list
  printf 'a.jpg\nx_1\nnone 1\n' > list
  says image-ambiguous '2007/x_1.jpg, deep/x_1.jpg' run -p steps.json -i in -o out --images-from list
  says image-unknown 'list:3: none 1: no such image' run -p steps.json -i in -o out --images-from list
}

@test "hints: an output folder is not made with the name of a file" {
  for name in one.jpg all.PNG out.json some/out.tiff; do
    says out-name "$name: this is the name of a file, and a folder is written" run -p steps.json -i in -o "$name"
    [ ! -e "$name" ]
  done
  mkdir made.jpg
  run -0 "$lockstep" run -q -p steps.json -i in -o made.jpg
  run -0 "$lockstep" run -q -p steps.json -i in -o v1.2
  says out-name 'again.jpg' replay -m made.jpg/manifest.jsonl -i in -o again.jpg
}

@test "hints: an image whose name differs from the file's in case or Unicode form" {
  local composed=$'caf\u00e9/\u00dcber \uac00.jpg' apart=$'cafe\u0301/U\u0308ber \u1100\u1161.jpg' name
  annotations() { # FILE_NAME
    jq -n --arg name "$1" '{images: [{id: 1, file_name: $name, width: 640, height: 480}], annotations: [],
      categories: [{id: 1, name: "x", supercategory: "y"}]}' > a.json
  }
  mkdir -p "in/${apart%/*}" in/Deep
  cp in/a.jpg "in/$apart"
  cp in/a.jpg in/Deep/G.JPG
  for name in A.jpg deep/g.jpg DEEP/G.jpg; do
    annotations "$name"
    says image-missing 'differs only in case: rename one of them' run -p steps.json -i in -a a.json -o out
    run "$lockstep" check -i in a.json
    [[ $output == *'[I001]'*'differs only in case'* ]]
  done
  annotations "$composed"
  says image-missing "the name of in/$apart differs only in its Unicode form" run -p steps.json -i in -a a.json -o out
  mv "in/${apart%/*}" "in/${composed%/*}"
  mv "in/${composed%/*}/${apart#*/}" "in/$composed"
  run -0 "$lockstep" run -q -p steps.json -i in -a a.json -o out
  rm -r out
  annotations "$apart"
  says image-missing "the name of in/$composed differs only in its Unicode form" run -p steps.json -i in -a a.json -o out
  annotations aa.jpg
  run -4 --separate-stderr "$lockstep" run -p steps.json -i in -a a.json -o out
  [[ $stderr != *differs* ]]
}

@test "hints: a key that is nearly the one that is missing" {
  jq -n '{images: [{id: 1, file_name: "a.jpg", width: 640, height: 480}], categories: [{id: 1, name: "x"}],
    annotations: [{id: 1, image_id: 1, category_id: 1, bbox: [1, 2, 30, 40], area: 1200, iscrowd: 0}]}' > good.json
  run -0 "$lockstep" run -q -p steps.json -i in -a good.json -o out
  rm -r out
  while read -r from to; do
    sed "s/\"$from\"/\"$to\"/g" good.json > a.json
    says coco-missing-key "\"$to\" is not read in its place" run -p steps.json -i in -a a.json -o out
  done << 'END'
file_name fileName
file_name File-Name
image_id imageId
images Images
END
  jq -c 'del(.images[0].file_name)' good.json > a.json
  run -4 --separate-stderr "$lockstep" run -p steps.json -i in -a a.json -o out
  [[ $stderr != *'in its place'* ]]
}
