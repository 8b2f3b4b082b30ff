#!/usr/bin/env bats
# Parts and classes of a dataset: the ones in the source are kept, or the run is refused.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  pipeline id.json ''
}

# image NAME...: images of 16x12 below in/, each with a label of class 1.
image() {
  local name label
  for name; do
    label=in/${name/images/labels}
    mkdir -p "in/$(dirname "$name")" "$(dirname "$label")"
    python3 -c 'import png, sys; png.write(sys.argv[1], [[v for x in range(16) for v in (x, y, 9)] for y in range(12)], 3)' "in/$name"
    echo '1 0.5 0.5 0.25 0.25' > "${label%.*}.txt"
  done
}

parts() { python3 "$here/tools/yolo_parts.py" "$@"; }

@test "parts: data.yaml of every form keeps its parts, their form and its classes, and is read again" {
  local text n=0
  image images/train2017/{a,b}.png images/val2017/c.png images/test/d.png images/extra/{e,f}.png 'images/odd: #1/g.png'
  while IFS= read -r text; do
    printf '%b\n' "$text" > in/data.yaml
    parts in/data.yaml holdout calib > want
    run -0 --separate-stderr "$lockstep" run -p id.json -i in/images -a in/labels -o out
    parts out/data.yaml holdout calib > got
    diff want got || { echo "of: $text"; cat out/data.yaml; return 1; }
    run ! grep -E '^path|^download' out/data.yaml
    # the output is read like the source
    for file in labels data.yaml; do
      "$lockstep" run -q -p id.json -i out/images -a out/$file -o again
      diff out/data.yaml again/data.yaml
      rm -r again
    done
    "$lockstep" check -a out/data.yaml -i out/images --no-images > /dev/null
    "$lockstep" stats out > /dev/null
    "$lockstep" diff in/labels out/labels -i in/images -i out/images > /dev/null
    rm -r out
    n=$((n + 1))
  done << 'Y'
train: images/train2017\nval: images/val2017\nnames: [cat, dog]
train: images/train2017/\nval: ./images/val2017\ntest: images/test\nnc: 2\nnames:\n- cat\n- dog
train: [images/train2017, images/extra]\nval: images/val2017\nnames: {0: cat, 1: dog, 2: never}
train:\n  - images/train2017\n  - "images/odd: #1"\nval:\n- images/val2017\nnc: 3\nnames: ["cat, or not", 'do''g', "\\u00e9"]
val: images/test\ntrain: images/extra\nnames: [a, b]
train: images\nval: images/val2017\nnames: [a, b]
train: images/train2017\nval: images/train2017\nnames: [a, b]
train: images/train2017\nvalidation: images/val2017\nnames: [a, b]
train: images/train2017\nval: images/val2017\nminival: images/test\nnames: [a, b]
train: images/train2017\nval: images/val2017\nholdout: images/test\n"calib": [images/extra]\nnames: [a, b]
train: images/train2017\nval: images/val2017\nnc: 2
train: images/train2017\nval: images/val2017\nnc: 2\nnames:
train: ../images/train2017\nval: ../images/val2017\nnames: [a, b]
path:\ntrain: images/train2017 # 2 images\nval: images/val2017 # 1\ntest: # none\nnames:\n  0: a\n  1: b
{"train": "images/train2017", "val": ["images/val2017"], "names": ["a", "b"]}
train: images/train2017\nval: images/val2017\ntest: []\nnames: [a, b]\nauthor: images\nlicense: [x, y]
train: images/train2017\nnames: [a, b]
val: images/val2017\nnames: [a, b]
Y
  [ $n -eq 18 ]
}

@test "parts: path is followed and never copied" {
  image images/train2017/a.png images/val2017/b.png
  mkdir elsewhere
  local path
  for path in "$PWD/in" in ../in; do
    printf 'path: %s\ntrain: images/train2017\nval: images/val2017\nnames: [x, y]\ndownload: http://none\n' "$path" > elsewhere/my.yaml
    "$lockstep" run -q -p id.json -i in/images -a in/labels --names elsewhere/my.yaml -o out
    diff - out/data.yaml <<< 'train: images/train2017
val: images/val2017
names: [x, y]'
    rm -r out
  done
  # a path of another machine, and folders of one
  for path in 'path: /content/drive/set\ntrain: images/train2017\nval: images/val2017' \
    'train: /content/set/images/train2017\nval: /content/set/images/val2017' \
    'train: ..\\\\images\\\\train2017\nval: ..\\\\images\\\\val2017'; do
    printf "$path\nnames: [x, y]\n" > in/data.yaml
    "$lockstep" run -q -p id.json -i in/images -a in/labels -o out
    [ "$(head -2 out/data.yaml)" = 'train: images/train2017
val: images/val2017' ]
    rm -r out
  done
  # "images" alone is every part's
  printf 'train: /content/set/train/images\nval: /content/set/valid/images\nnames: [x, y]\n' > in/data.yaml
  run -0 --separate-stderr "$lockstep" run -p id.json -i in/images -a in/labels -o out
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == *"data.yaml leaves out train, val: the run has no images of them [yolo-parts]"* ]]
  [ "$(cat out/data.yaml)" = 'names: [x, y]' ]
  run -0 --separate-stderr "$lockstep" run -p id.json -i in -a in/labels -o out2
  [ "$(cat out2/data.yaml)" = 'names: [x, y]' ]
}

@test "parts: a run over one part states that part, and one message names the others" {
  image images/train/{a,b}.png images/val/c.png images/more/d.png
  printf 'train: [images/train, images/more]\nval: images/val\ntest: images/none\nnames: [x, y]\n' > in/data.yaml
  local lost
  runs() { # PARTS-LEFT-OUT ARGUMENT...
    run -0 --separate-stderr "$lockstep" run -p id.json -o out "${@:2}"
    [ "$(grep -c yolo-parts <<< "$stderr")" -eq 1 ]
    [[ $stderr == *"note: data.yaml leaves out $1: the run has no images of "* ]] || { echo "$stderr"; return 1; }
    mv out/data.yaml .
    rm -r out
  }
  for lost in "-a in/labels/train" "-a in/labels" "-a in" "-a in/data.yaml"; do
    # shellcheck disable=SC2086 # several words
    runs 'val, test' -i in/images/train $lost
    diff - data.yaml <<< 'train:
  - images
names: [x, y]'
  done
  runs 'train, test' -i in/images/val -a in/labels/val --names in/data.yaml
  diff - data.yaml <<< 'val: images
names: [x, y]'
  # chosen images, too
  runs 'val, test' -i in/images -a in/labels --include 'more/*'
  diff - data.yaml <<< 'train:
  - images/more
names: [x, y]'
  runs 'train, test' -i in/images -a in/labels val/c.png
  runs 'val, test' -i in/images -a in/labels --limit 1
  # of shards the whole job's
  for shard in 0/2 1/2; do
    "$lockstep" run -q -p id.json -i in/images -a in/labels --shard $shard -o out
  done
  "$lockstep" merge -q out
  diff - out/data.yaml <<< 'train:
  - images/train
  - images/more
val: images/val
names: [x, y]'
}

@test "parts: links do not hide which part an image is in" {
  image images/train/a.png images/val/b.png
  mv in/images/train store
  ln -s ../../store in/images/train
  ln -s in linked
  printf 'train: images/train\nval: images/val\nnames: [x, y]\n' > in/data.yaml
  local given
  for given in in linked; do
    run -0 --separate-stderr "$lockstep" run -p id.json -i $given/images -a $given/labels -o out
    [[ $stderr != *yolo-parts* ]]
    [ "$(head -2 out/data.yaml)" = 'train: images/train
val: images/val' ]
    rm -r out
  done
  "$lockstep" run -q -p id.json -i store -a in/labels/train -o out
  [ "$(head -1 out/data.yaml)" = 'train: images' ]
}

@test "parts: a source without parts states train alone, and val only if a folder has this name" {
  image a.png b.png
  mv in/a.txt in/b.txt .
  mkdir in/labels && mv a.txt b.txt in/labels
  printf 'names: [x, y]\n' > in/labels/data.yaml
  run -0 --separate-stderr "$lockstep" run -p id.json -i in -a in/labels -o out
  [[ $stderr == *"note: data.yaml has no val, which training tools require: the source states none [yolo-parts]"* ]]
  diff - out/data.yaml <<< 'train: images
names: [x, y]'
  run -0 --separate-stderr "$lockstep" run -q -p id.json -i "$samples/images" -a "$samples/annotations.json" --to yolo --lossy -o out2
  [[ $stderr != *yolo-parts* ]]
  [ "$(grep -c 'train\|val' out2/data.yaml)" -eq 1 ]
  # two folders of one name are a list
  image images/x/train/e.png images/y/train/f.png images/y/valid/g.png images/h.png
  rm -r in/labels/*.yaml in/{a,b}.png
  echo 'a
b' > in/classes.txt
  run -0 --separate-stderr "$lockstep" run -p id.json -i in/images -a in/labels -o out3
  [[ $stderr == *"note: 1 image is in no folder of a part [yolo-parts]"* ]]
  [ "$(head -4 out3/data.yaml)" = 'train:
  - images/x/train
  - images/y/train
val: images/y/valid' ]
}

@test "parts: what data.yaml could not state of the outputs is refused before anything is written" {
  image images/train/a.png images/val/b.png
  ls -d "$PWD"/in/images/train/* > in/train.txt
  refused() { # WORDS ARGUMENT...
    run -4 --separate-stderr "$lockstep" run -p id.json -a in/labels -o out "${@:2}"
    [[ $stderr == *"$1"*"[yolo-parts]"* ]] || { echo "$stderr"; return 1; }
    [ ! -e out ]
  }
  printf 'train: images/train\nval: images/val\nnames: [x, y]\n' > in/data.yaml
  refused 'keep {dir} in --name-template' -i in/images --name-template '{stem}_x'
  refused 'give the folder above all parts' -i in/images/train -i in/images/val
  # a part of the other's folder: "images" as a whole has no image that train lacks
  printf 'train: images\nval: images/val\nnames: [x, y]\n' > in/data.yaml
  refused 'not in the part "val", and its output val/a.png is in a folder' -i in/images --name-template 'val/{stem}'
  printf 'train: images/train\nval: images/val\nnames: [x, y]\n' > in/data.yaml
  "$lockstep" run -q -p id.json -a in/labels -i in/images -n 3 --name-template '{dir}/x_{stem}_{copy}' -o out
  rm -r out
  printf 'train: train.txt\nval: images/val\nnames: [x, y]\n' > in/data.yaml
  refused 'data.yaml:1:8: error: train is a list of images' -i in/images
  printf 'train: images/train\nval: images/val\nholdout: train.txt\nnames: [x, y]\n' > in/data.yaml
  refused 'data.yaml:3:10: error: holdout is a list of images' -i in/images
  printf 'train: [images/train, [x]]\nnames: [x, y]\n' > in/data.yaml
  refused 'data.yaml:1:23: error: train: expected a folder' -i in/images
  # check and stats read such datasets
  printf 'train: train.txt\nval: images/val\nnames: [x, y]\n' > in/data.yaml
  "$lockstep" stats in/labels -i in/images > /dev/null
  "$lockstep" check -a in/data.yaml -i in/images > /dev/null
}
