#!/usr/bin/env bats
# --classes: names of classes and their order are pinned, whatever occurs in one folder.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  pipeline id.json ''
  printf 'bird\ndog\ncat\nfish\n' > list.txt
  printf 'train: x\nnames: {0: bird, 1: dog, 2: cat, 3: fish}\n' > list.yaml
  printf '{"images": [], "categories": [{"id": 9, "name": "bird"}, {"id": 4, "name": "dog"}, {"id": 7, "name": "cat", "x": [1]},
    {"id": 1, "name": "fi\\u0073h"}]}' > list.json
}

image() { # NAME...
  local name
  for name; do
    mkdir -p "$(dirname "$name")"
    python3 -c 'import png, sys; png.write(sys.argv[1], [[v for x in range(16) for v in (x, y, 9)] for y in range(12)], 3)' "$name"
  done
}

# voc PART CLASS...: PART/images/CLASS.png and its label, for each class.
voc() {
  local class
  for class in "${@:2}"; do
    image "$1/images/$class.png"
    mkdir -p "$1/annotations"
    printf '<annotation><size><width>16</width><height>12</height></size><object><name>%s</name><bndbox><xmin>2</xmin><ymin>3</ymin><xmax>8</xmax><ymax>9</ymax></bndbox></object></annotation>' \
      "$class" > "$1/annotations/$class.xml"
  done
}

# OUT IMAGE: the number of the class of an image in each kind of output; OUT NUMBER: the name of a class.
yolo_class() { cut -d' ' -f1 "$1/labels/$2.txt"; }
yolo_name() { python3 -c '
import sys, yaml
names = yaml.safe_load(open(sys.argv[1] + "/data.yaml"))["names"]
print((names if isinstance(names, dict) else dict(enumerate(names)))[int(sys.argv[2])])' "$1" "$2"; }
one_hot_class() { python3 -c '
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
print([i for row in rows[1:] if row[0].split("/")[-1].split(".")[0] == sys.argv[2] for i, v in enumerate(row[1:]) if v == "1"][0])' "$1" "$2"; }

@test "classes: VOC's classes have the numbers of the list in every output, for every form of the list" {
  voc train dog cat bird
  voc val cat dog
  local file part class
  # Without a list each part numbers for itself.
  for part in train val; do "$lockstep" run -q -p id.json -i $part/images -a $part/annotations -o free.$part --to yolo; done
  [ "$(yolo_class free.train cat)" != "$(yolo_class free.val cat)" ]
  for file in list.txt list.yaml list.json; do
    for part in train val; do
      run -0 --separate-stderr "$lockstep" run -q -p id.json -i $part/images -a $part/annotations --classes $file --to yolo -o yolo.$part
      "$lockstep" run -q -p id.json -i $part/images -a $part/annotations --classes $file --to coco -o coco.$part
      "$lockstep" run -q -p id.json -i $part/images -a $part/annotations --classes $file -o voc.$part
      [ "$(grep -c name voc.$part/Annotations/cat.xml)" -eq 1 ]
      [ "$(yolo_class yolo.$part dog) $(yolo_class yolo.$part cat)" = '1 2' ]
      [ "$(yolo_name yolo.$part 1) $(yolo_name yolo.$part 3)" = 'dog fish' ]
      [ "$(jq -c '[.categories[] | .name]' coco.$part/annotations.json)" = '["bird","dog","cat","fish"]' ]
      [ "$(jq -r '. as $d | .images[] | select(.file_name == "cat.png").id as $i | $d.annotations[] | select(.image_id == $i).category_id' coco.$part/annotations.json)" = "$([ $file = list.json ] && echo 7 || echo 3)" ]
    done
    diff <(jq .categories coco.train/annotations.json) <(jq .categories coco.val/annotations.json)
    rm -r yolo.* coco.* voc.*
  done
  [ "$("$lockstep" stats val/annotations -i val/images --classes list.txt --json | jq -c '[.categories[].name] | sort')" = '["bird","cat","dog","fish"]' ]
  "$lockstep" check -a val/annotations -i val/images --classes list.txt > /dev/null
  "$lockstep" diff val/annotations val/annotations -i val/images -i val/images --classes list.json > /dev/null
}

@test "classes: YOLO's numbers become those of the list by their names, and its other keys stay" {
  local part
  for part in train val; do
    image $part/images/{dog,cat}.png
    mkdir -p $part/labels
    printf '%s 0.5 0.5 0.5 0.5\n' "$([ $part = train ] && echo 0 || echo 1)" > $part/labels/dog.txt
    printf '%s 0.5 0.5 0.5 0.5\n' "$([ $part = train ] && echo 1 || echo 0)" > $part/labels/cat.txt
  done
  printf 'train: images\nval: images\nnames: [dog, cat]\nauthor: me\n' > train/data.yaml
  printf 'cat\ndog\n' > val/classes.txt
  for part in train val; do
    for file in list.txt list.yaml list.json; do
      "$lockstep" run -q -p id.json -i $part/images -a $part/labels --classes $file -o out
      [ "$(cat out/labels/dog.txt out/labels/cat.txt)" = '1 0.5 0.5 0.5 0.5
2 0.5 0.5 0.5 0.5' ]
      [ "$(yolo_name out 0) $(yolo_name out 2)" = 'bird cat' ]
      [ $part = val ] || grep -q '^val: images$' out/data.yaml
      [ $part = val ] || grep -q 'author.*me' out/data.yaml
      "$lockstep" run -q -p id.json -i out/images -a out -o again
      diff -r out/labels again/labels
      rm -r out again
    done
  done
  # a missing name, and the nearest name
  printf 'bird\ndogs\ncat\n' > short.txt
  run -4 --separate-stderr "$lockstep" run -p id.json -i train/images -a train --classes short.txt -o out
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == *'dog.txt:1:1: error: the class "dog" is not in short.txt; did you mean "dogs"? [class-unlisted]'* ]]
  # labels that nothing names, or that are only counted, are numbered by the list
  rm train/data.yaml val/classes.txt
  for _ in 1 2; do
    "$lockstep" run -q -p id.json -i train/images -a train/labels --classes list.txt --to coco -o out
    [ "$(jq -c '[.annotations[].category_id] | sort' out/annotations.json)" = '[1,2]' ]
    [ "$(jq -r '.categories[1].name' out/annotations.json)" = dog ]
    rm -r out
    printf 'nc: 2\ntrain: images\n' > train/data.yaml
  done
  # poses keep their keypoints
  printf '0 0.5 0.5 0.5 0.5 0.25 0.25 2 0.75 0.25 1\n' > train/labels/dog.txt
  cp train/labels/dog.txt train/labels/cat.txt
  printf 'names: [dog]\nkpt_shape: [2, 3]\nflip_idx: [1, 0]\n' > train/data.yaml
  pipeline flip.json '{"type": "horizontal_flip"}'
  "$lockstep" run -q -p flip.json -i train/images -a train/labels --classes list.txt -o out
  [ "$(cut -d' ' -f1,8 out/labels/dog.txt)" = '1 1' ]
  grep -q '^kpt_shape: \[2, 3\]$' out/data.yaml
  grep -q '^flip_idx: \[1, 0\]$' out/data.yaml
}

@test "classes: folders are numbered alike in all parts, empty ones too, and parts are no classes" {
  image set/train/{dog/dog,cat/cat,bird/bird}.png set/val/{dog/dog,cat/cat}.png
  mkdir set/val/bird set/val/.hidden
  local part
  for part in train val; do
    "$lockstep" run -q -p id.json -i set/$part --labels folders -o out.$part --one-hot $part.csv
    [ "$(one_hot_class $part.csv cat) $(one_hot_class $part.csv dog)" = '1 2' ]
    "$lockstep" run -q -p id.json -i set/$part --labels folders --classes list.txt -o out.$part --one-hot $part.csv --overwrite
    [ "$(one_hot_class $part.csv cat) $(one_hot_class $part.csv dog)" = '2 1' ]
    head -1 $part.csv > $part.head
  done
  diff train.head val.head
  "$lockstep" run -q -p id.json -i set --labels folders -o all --one-hot all.csv
  [ "$(head -1 all.csv)" = file,bird,cat,dog ]
  [ "$(one_hot_class all.csv cat)" = 1 ]
  [ "$(find all/images -name 'cat.png' | sort | head -1)" = all/images/train/cat/cat.png ]
  # classes may be called as parts are
  image odd/{train,test}/a.png
  "$lockstep" run -q -p id.json -i odd --labels folders -o odd.out --one-hot odd.csv
  [ "$(head -1 odd.csv)" = file,test,train ]
  image odd/train/deep/b.png
  run -4 --separate-stderr "$lockstep" run -p id.json -i odd --labels folders -o odd2
  [[ $stderr == *"test/a.png: the image is not in a class folder below its part folder [label-folder]"* ]]
  printf 'bird\ncats\n' > short.txt
  run -4 --separate-stderr "$lockstep" run -p id.json -i set --labels folders --classes short.txt -o odd2
  [[ $stderr == *'train/cat/cat.png: the class "cat" is not in short.txt; did you mean "cats"? [class-unlisted]'* ]]
  # a run that is resumed, or in shards, has the same classes
  "$lockstep" run -q -p id.json -i set/val --labels folders --classes list.json -o shards --shard 0/2
  "$lockstep" run -q -p id.json -i set/val --labels folders --classes list.json -o shards --shard 1/2
  "$lockstep" merge -q shards --one-hot shards.csv
  diff <(head -1 shards.csv) val.head
  run -6 "$lockstep" run -p id.json -i set/val --labels folders -o shards --resume
}

@test "classes: tables of labels are numbered by the list" {
  image in/{cat,dog}.png
  printf 'file,class\ncat.png,cat\ndog.png,dog\n' > train.csv
  printf 'file,class\ndog.png,dog\n' > val.csv
  local part
  for part in train val; do
    "$lockstep" run -q -p id.json -i in -a $part.csv --classes list.yaml -o out.$part --one-hot hot.$part.csv
    [ "$(one_hot_class hot.$part.csv dog)" = 1 ]
    "$lockstep" run -q -p id.json -i out.$part/images -a out.$part/labels.csv --classes list.yaml -o again
    diff out.$part/labels.csv again/labels.csv
    rm -r again
  done
  diff <(head -1 hot.train.csv) <(head -1 hot.val.csv)
  printf 'file,class\ndog.png,do\n' > wrong.csv
  run -4 --separate-stderr "$lockstep" run -p id.json -i in -a wrong.csv --classes list.txt -o out
  [[ $stderr == *'wrong.csv:2:1: error: the class "do" is not in list.txt; did you mean "dog"? [class-unlisted]'* ]]
}

@test "classes: names go with one-hot tables: in the header, in NAME.classes.txt and in run.json" {
  image 'in/cat, big/a.png' in/dog/b.png
  "$lockstep" run -q -p id.json -i in --labels folders -o out --one-hot hot.csv
  [ "$(head -1 hot.csv)" = 'file,"cat, big",dog' ]
  "$lockstep" run -q -p id.json -i in --labels folders -o out --one-hot hot.npy --overwrite
  diff - hot.classes.txt <<< 'cat, big
dog'
  [ "$(jq -c '[.categories, .category_names]' out/run.json)" = '[[0,1],["cat, big","dog"]]' ]
  # columns are in the order of ids, whatever the order of the file
  printf '{"images": [{"id": 1, "file_name": "dog/b.png", "width": 16, "height": 12, "category_id": 3}], "annotations": [],
    "categories": [{"id": 7, "name": "seven"}, {"id": 3, "name": "three"}]}' > c.json
  "$lockstep" run -q -p id.json -i in -a c.json -o out2 --one-hot c.csv
  [ "$(cat c.csv)" = 'file,three,seven
dog/b.png,1,0' ]
  # a name on two lines would be ambiguous
  printf '{"images": [{"id": 1, "file_name": "dog/b.png", "width": 16, "height": 12, "category_id": 3}], "annotations": [],
    "categories": [{"id": 3, "name": "a\\nb"}]}' > c.json
  run -5 --separate-stderr "$lockstep" run -p id.json -i in -a c.json -o out3 --one-hot c.npy
  [[ $stderr == *"c.classes.txt"* ]]
}

@test "classes: labels that crops get are in the column of their class, for every source" {
  local class source to n=0
  pipeline crops.json '{"type": "object_crops", "others": "drop"}'
  voc v dog fish cat
  for class in dog fish cat; do
    image in/$class.png
    mkdir -p y u
    case $class in dog) n=1 ;; fish) n=3 ;; cat) n=2 ;; esac
    echo "$n 0.5 0.5 0.5 0.5" | tee y/$class.txt > u/$class.txt
  done
  cp list.yaml y/data.yaml
  printf 'cat\nfish\nbird\nemu\ndog\n' > other.txt
  "$lockstep" run -q -p id.json -i in -a y --to coco -o c
  for source in 'in -a y' 'in -a y --classes other.txt' 'in -a u' 'in -a u --classes list.yaml' 'v/images -a v/annotations' \
    'v/images -a v/annotations --classes list.txt' 'in -a c/annotations.json'; do
    rm -rf out* sharded* hot*
    # shellcheck disable=SC2086 # words
    for to in same 'yolo --lossy' 'coco --lossy'; do
      [[ "$source ${to%% *}" != *'a y'*yolo && "$source ${to%% *}" != *'a u'*yolo && "$source $to" != *json*coco* ]] || continue
      set -- -q -p crops.json -i $source --to $to
      to=${to%% *}
      "$lockstep" run "$@" -o out.$to --one-hot hot.$to.csv 2> message
      "$lockstep" verify -q out.$to
      # a shard uses the same classes as the whole run
      for n in 0 1 2; do "$lockstep" run "$@" -o sharded.$to --shard $n/3 2> message; done
      "$lockstep" merge -q sharded.$to --one-hot merged.csv
      cmp hot.$to.csv merged.csv
      diff -r out.$to sharded.$to
      rm merged.csv
      python3 - $to <<'EOF'
import csv, json, sys
to = sys.argv[1]
rows = list(csv.reader(open(f"hot.{to}.csv")))
run = json.load(open(f"out.{to}/run.json"))
names = dict(zip(run["categories"], run["category_names"]))
assert len(names) == len(run["category_names"]), run["categories"]
assert rows[0][1:] == [names[i] for i in sorted(names)], rows[0]
assert len(rows) == 4
for line in map(json.loads, open(f"out.{to}/manifest.jsonl")):
    row, = (row for row in rows if row[0] == line["output"].split("/", 1)[1])
    of = line["source"].split(".")[0]
    expected = {"dog": "1", "cat": "2", "fish": "3"}[of] if rows[0][1] == "0" else of
    assert [name for name, cell in zip(rows[0][1:], row[1:]) if cell != "0"] == [expected], (rows[0], row)
    assert [names[label["category_id"]] for label in line["image_labels"]] == [expected]
EOF
    done
  done
  # the op by itself, which names a class before images are read
  pipeline set.json '{"type": "set_image_label", "category": "fish"}'
  for source in 'in -a y' 'v/images -a v/annotations' 'in -a c/annotations.json'; do
    rm -rf out hot.csv
    # shellcheck disable=SC2086 # words
    "$lockstep" run -q -p set.json -i $source -o out --one-hot hot.csv
    [ "$(one_hot_class hot.csv dog)" -eq "$(($(head -1 hot.csv | tr , '\n' | grep -nx fish | cut -d: -f1) - 2))" ]
  done
}

@test "classes: verify refuses ids of categories that are not those of run.json" {
  image in/dog/a.png in/cat/b.png in/emu/c.png
  "$lockstep" run -q -p id.json -i in --labels folders -o out
  tampered() { # FILE SED MESSAGE
    rm -rf other && cp -r out other
    sed -i "$2" other/"$1"
    ! cmp -s out/"$1" other/"$1"
    run -1 "$lockstep" verify other
    [[ $output == *"$1: $3"* ]] || { echo "$output"; return 1; }
  }
  tampered run.json 's/"categories": \[0, 1, 2\]/"categories": [0, 0, 0]/' 'its categories do not each have a unique id'
  tampered run.json 's/"categories": \[0, 1, 2\]/"categories": [0, 1]/' 'its categories do not each have a unique id'
  tampered run.json 's/"categories": \[0, 1, 2\]/"categories": "x"/' 'its categories do not each have a unique id'
  tampered run.json 's/"categories": \[0, 1, 2\]/"categories": [0, 1, null]/' 'its categories do not each have a unique id'
  tampered manifest.jsonl '1s/"category_id": [0-9]*/"category_id": 7/' 'line 1 has a label of category 7'
  tampered manifest.jsonl '2s/"category_id": [0-9]*/"category_id": "x"/' 'line 2 has a label of category "x"'
}

@test "classes: a list that cannot be, and an option without effect, are refused" {
  image in/cat/cat.png
  voc v cat
  refused() { # EXIT CODE ARGUMENT...
    run "-$1" --separate-stderr "$lockstep" run -p id.json -o out "${@:3}"
    [[ $stderr == *"[$2]"* ]] || { echo "$stderr"; return 1; }
    [ ! -e out ]
  }
  refused 4 class-unlisted -i "$samples/images" -a "$samples/annotations.json" --classes list.txt
  refused 2 option-unused -i in --classes list.txt
  refused 4 classes-unread -i in --labels folders --classes none.txt
  printf 'cat\ndog\ncat\n' > twice.txt
  refused 4 classes-value -i in --labels folders --classes twice.txt
  printf '{"categories": 3}' > x.json
  refused 4 classes-value -i v/images -a v/annotations --classes x.json
  printf '{"categories": [{"id": 3}]}' > x.json
  refused 4 classes-value -i v/images -a v/annotations --classes x.json
  printf '{"categories": [' > x.json
  refused 4 json-syntax -i v/images -a v/annotations --classes x.json
  : > x.txt
  refused 4 yolo-names -i v/images -a v/annotations --classes x.txt
  printf 'cot\n' > x.txt
  refused 4 class-unlisted -i v/images -a v/annotations --classes x.txt
  [[ $stderr == *'cat.xml:1:'*'did you mean "cot"?'* ]]
  # the old names of the options
  "$lockstep" run -q -p id.json -i v/images -a v/annotations --names=list.txt -o out
  "$lockstep" split -a "$samples/annotations.json" -o parts --ratio 1:1 --names a --names b > /dev/null
  "$lockstep" split -a "$samples/annotations.json" -o parts --ratio 1:1 --part-names a --part-names b --overwrite
  [ -e parts/a.json ]
  run -2 --separate-stderr "$lockstep" split -a "$samples/annotations.json" -o parts2 --part-names a
  [[ $stderr == *"--part-names: 1 names for 3 parts"* ]]
}

# --- COCO ---

# coco ID:NAME... -- ID...: in.json with categories, and one image per id with an object of that category.
coco() {
  image in/1.png in/2.png in/3.png
  python3 -c '
import json, sys
words, at = sys.argv[1:], sys.argv.index("--") - 1
names = [w.split(":") for w in words[:at]]
objects = [{"id": i + 1, "image_id": i % 3 + 1, "category_id": int(c), "bbox": [2, 3, 8, 6], "area": 48, "iscrowd": 0, "x": [1.50]}
           for i, c in enumerate(words[at + 1:])]
json.dump({"images": [{"id": i, "file_name": "%d.png" % i, "width": 16, "height": 12} for i in (1, 2, 3)], "annotations": objects,
           "categories": [{"id": int(i), "name": n, "supercategory": "s", "own": i} for i, n in names]}, open("in.json", "w"))' "$@"
}

# runs STEPS ARGUMENT...: a run of in.json to out, checked by verify, check, diff, and continued.
runs() {
  rm -rf out
  pipeline p.json "$1"
  "$lockstep" run -q -p p.json -i in -a in.json -o out "${@:2}" 2> err.txt || { cat err.txt; return 1; }
  "$lockstep" verify out > verify.txt || { cat verify.txt; return 1; }
  "$lockstep" run -q -p p.json -i in -a in.json -o out "${@:2}" --resume
}

coco_list() { jq -r '[.categories[] | "\(.id):\(.name)"] | join(" ")' out/annotations.json; }
coco_ids() { jq -r '[.annotations[].category_id] | join(" ")' out/annotations.json; }
names_of_run() { jq -r '.category_names | join(" ")' out/run.json; }

@test "classes: the list orders the categories of a COCO file, which keep their ids and members" {
  coco 5:cat 0:dog 90:bird 7:cow -- 5 0 90 5
  runs '' --classes list.txt
  [ "$(coco_list)" = '90:bird 0:dog 5:cat 91:fish' ]
  [ "$(coco_ids)" = '5 0 90 5' ]
  [ "$(names_of_run)" = 'bird dog cat fish' ]
  jq -e '[.categories[] | .own] == ["90", "0", "5", null]' out/annotations.json
  # A COCO file gives its ids, and whatever else an annotation has stays.
  runs '' --classes list.json
  [ "$(coco_list)" = '9:bird 4:dog 7:cat 1:fish' ]
  [ "$(coco_ids)" = '7 4 9 7' ]
  jq -e '[.annotations[].x[0]] | unique == [1.5]' out/annotations.json
  "$lockstep" check -q -a out/annotations.json -i out/images 2> /dev/null || "$lockstep" check -a out/annotations.json -i out/images
  # YOLO's classes have the order of the list, too.
  runs "" --classes list.json --to yolo --lossy
  [ "$(cat out/labels/1.txt | cut -d' ' -f1 | tr '\n' ' ')" = '2 2 ' ]
}

@test "classes: a category of a COCO file that the list lacks is an error where it occurs, once" {
  coco 5:cat 6:bord 7:cow -- 5 6 6
  run -4 --separate-stderr "$lockstep" run -p id.json -i in -a in.json -o out --classes list.txt
  [[ $stderr == *'in.json:1:'*'"bord" is not in list.txt; did you mean "bird"?'*'[class-unlisted]'* ]]
  [ "$(grep -c class-unlisted <<< "$stderr")" = 1 ]
  # Labels of images are occurrences.
  jq -c '.annotations = [] | .images[1].category_id = 7' in.json > labelled.json
  run -4 --separate-stderr "$lockstep" run -p id.json -i in -a labelled.json -o out --classes list.txt
  [[ $stderr == *'"cow" is not in list.txt'* ]]
}

@test "classes: labels of images, results, lists of LVIS and files without categories follow the list" {
  coco 5:cat 6:dog -- 5 6
  jq -c '.images[0] += {category_ids: [5, {category_id: 6, weight: 0.5}]} | .images[1] += {neg_category_ids: [6, 5], not_exhaustive_category_ids: [5]}' \
    in.json > x.json && mv x.json in.json
  runs '' --classes list.json
  jq -e '.images[0].category_ids == [7, {category_id: 4, weight: 0.5}] and .images[1].neg_category_ids == [4, 7]
    and .images[1].not_exhaustive_category_ids == [7]' out/annotations.json
  # Merged classes are absent if all of them are.
  runs '{"type": "merge_categories", "from": ["cat"], "into": ["dog"]}'
  jq -e '.images[0].category_ids == [6] and .images[1].neg_category_ids == [6] and .images[1].not_exhaustive_category_ids == [6]' out/annotations.json
  jq -c 'map({image_id, category_id, bbox, score: 0.5})' <(jq .annotations in.json) > results.json
  rm -rf out
  "$lockstep" run -q -p id.json -i in -a results.json --image-list in.json --classes list.json -o out
  jq -e 'map(.category_id) == [7, 4]' out/annotations.json
  jq -c 'del(.categories)' in.json > bare.json
  run -4 --separate-stderr "$lockstep" run -p id.json -i in -a bare.json -o out2 --classes list.txt
  [[ $stderr == *'does not name its categories'*'[classes-value]'* ]]
  jq -c 'del(.categories, .images[].category_ids) | .annotations[].category_id = 9' in.json > bare.json
  "$lockstep" run -q -p id.json -i in -a bare.json -o out3 --classes list.json
  jq -e '[.categories[].id] == [9, 4, 7, 1] and .annotations[0].category_id == 9' out3/annotations.json
}

# --- steps that change the list ---

@test "classes: merged, dropped and renamed classes leave the list or change there, in every format" {
  coco 3:a 0:b 9:B 20:c 21:d 40:unused -- 3 0 9 20 21 3
  steps='{"type": "merge_categories", "from": ["B", "c"], "into": ["b"]}, {"type": "drop_categories", "categories": ["a", "unused"]},
    {"type": "rename_categories", "from": ["b"], "to": ["new b"]}'
  runs "$steps" --copies 2
  [ "$(coco_list)" = '0:new b 21:d' ]
  [ "$(coco_ids | tr ' ' '\n' | sort | uniq -c | xargs)" = '6 0 2 21' ]
  jq -e '.categories[0].own == "0"' out/annotations.json
  [ "$(jq -s '[.[].dropped[]? | select(.reason == "category")] | length' out/manifest.jsonl)" = 4 ]
  "$lockstep" check -a out/annotations.json -i out/images
  "$lockstep" diff out out
  runs "$steps" --to yolo --lossy
  [ "$(grep -A9 names: out/data.yaml)" = $'names:\n  0: "new b"\n  1: "d"' ]
  [ "$(cat out/labels/*.txt | cut -d' ' -f1 | sort | uniq -c | xargs)" = '3 0 1 1' ]
  runs "$steps" --to voc --lossy
  [ "$(cat out/Annotations/*.xml | grep -o '<name>.*</name>' | sort | uniq -c | xargs)" = '1 <name>d</name> 3 <name>new b</name>' ]
  # A run in shards has the same list, and so has a replay.
  "$lockstep" run -q -p p.json -i in -a in.json -o shards --shard 0/2 && "$lockstep" run -q -p p.json -i in -a in.json -o shards --shard 1/2
  "$lockstep" merge -q shards
  runs "$steps"
  cmp shards/annotations.json out/annotations.json
  "$lockstep" replay -q --verify -m out/manifest.jsonl -i in -a in.json -o out
  # Everything may leave.
  runs '{"type": "drop_categories", "categories": ["a", "b", "B", "c", "d", "unused"]}'
  [ "$(coco_list)$(coco_ids)" = '' ]
}

@test "classes: the lists of YOLO, Pascal VOC, tables and folders follow the steps" {
  steps='{"type": "drop_categories", "categories": ["dog"]}, {"type": "rename_categories", "from": ["cat"], "to": ["R&D \"x\""]}'
  pipeline p.json "$steps"
  voc v cat dog fish
  "$lockstep" run -q -p p.json -i v/images -a v/annotations -o voc
  grep -qF '<name>R&amp;D "x"</name>' voc/Annotations/cat.xml
  run -1 grep '<object>' voc/Annotations/dog.xml
  mkdir labels
  printf '0 0.5 0.5 0.2 0.2\n1 0.5 0.5 0.2 0.2\n3 0.5 0.5 0.2 0.2\n' > labels/cat.txt
  printf 'names: [dog, cat, x, fish] # own\nother: 1\n' > labels/data.yaml
  "$lockstep" run -q -p p.json -i v/images -a labels -o yolo
  [ "$(cut -d' ' -f1 yolo/labels/cat.txt | xargs)" = '0 2' ]
  python3 -c '
import yaml
d = yaml.safe_load(open("yolo/data.yaml"))
assert d["names"] == {0: "R&D \"x\"", 1: "x", 2: "fish"} and d["nc"] == 3 and d["other"] == 1, d'
  printf 'file,class,who\ncat.png,cat,ann\ndog.png,dog,bob\nfish.png,fish,eve\n' > t.csv
  "$lockstep" run -q -p p.json -i v/images -a t.csv -o csv
  [ "$(cat csv/labels.csv)" = $'file,class,who\ncat.png,"R&D ""x""",ann\nfish.png,fish,eve' ]
  mkdir -p f/cat f/dog f/none
  cp v/images/cat.png f/cat && cp v/images/dog.png f/dog
  "$lockstep" run -q -p p.json -i f --labels folders -o folders
  jq -e '.category_names == ["R&D \"x\"", "none"] and .categories == [0, 1]' folders/run.json
  jq -es 'map(.image_labels) == [[{category_id: 0, weight: 1}], null]' folders/manifest.jsonl
  for out in voc yolo csv folders; do "$lockstep" verify "$out"; done
  # A merged class keeps the other cells of its row, and a table without rows is no damage.
  pipeline p.json '{"type": "merge_categories", "from": ["cat"], "into": ["dog"]}'
  "$lockstep" run -q -p p.json -i v/images -a t.csv -o csv2
  grep -qxF cat.png,dog,ann csv2/labels.csv
  pipeline p.json '{"type": "drop_categories", "categories": ["cat", "dog", "fish"]}'
  "$lockstep" run -q -p p.json -i v/images -a t.csv -o csv3
  "$lockstep" verify csv3
}

@test "classes: originals and borrowed images have no class that has left the list" {
  coco 1:a 2:b 3:c -- 1 2 3 1 2 3
  runs '{"type": "merge_categories", "from": ["a"], "into": ["b"]}, {"type": "drop_categories", "categories": ["c"]}' --include-original
  [ "$(coco_list)" = 2:b ]
  [ "$(coco_ids | xargs)" = '2 2 2 2 2 2 2 2' ]
  "$lockstep" replay -q --verify -m out/manifest.jsonl -i in -a in.json -o out
  runs '{"type": "drop_categories", "categories": ["c"]}, {"type": "merge_categories", "from": ["a"], "into": ["b"]},
    {"type": "Mosaic", "target_size": [24, 24], "p": 1}' --copies 5
  [ "$(coco_list)" = 2:b ]
  [ "$(coco_ids | tr ' ' '\n' | sort -u)" = 2 ]
  # Steps after a join do not see objects of borrowed images that have left the list.
  coco 1:a 3:c -- 3 3 3 3
  runs '{"type": "drop_categories", "categories": ["c"]}, {"type": "Mosaic", "target_size": [24, 24], "p": 1},
    {"type": "Resize", "size": [7, 9], "when": {"min_objects": 1}}'
  [ "$(jq -c '[.images[].width] | unique' out/annotations.json)" = '[24]' ] || { jq -c .images out/annotations.json; return 1; }
  coco 1:a 2:b 3:c -- 1 2 3 1 2 3
  # Classes that change places stay.
  runs '{"type": "remap_categories", "from": ["a", "b"], "to": ["b", "a"]}'
  [ "$(coco_list)" = '1:a 2:b 3:c' ]
  [ "$(coco_ids)" = '2 1 3 2 1 3' ]
}

@test "classes: steps that not every image passes leave the list as it is, and a warning says so" {
  coco 1:a 2:b 3:c -- 1 2 3
  drop='{"type": "drop_categories", "categories": ["a"]'
  for step in "$drop, \"p\": 0.5}" "$drop, \"when\": {\"min_objects\": 1}}" "{\"type\": \"RandomApply\", \"transforms\": [$drop}]}"; do
    pipeline p.json "$step"
    "$lockstep" run -p p.json -i in -a in.json -o out 2> err.txt
    grep -q 'keeps classes.*: #[01].*\[classes-stay\]' err.txt || { cat err.txt; return 1; }
    "$lockstep" explain -p p.json -a in.json -i in 2>&1 | grep -q classes-stay
    [ "$(coco_list)" = '1:a 2:b 3:c' ]
    rm -rf out
  done
  refused() { # CODE STEPS
    pipeline p.json "$2"
    run -3 --separate-stderr "$lockstep" run -p p.json -i in -a in.json -o out
    [[ $stderr == *"[$1]"* ]] || { echo "$stderr"; return 1; }
  }
  rename='{"type": "rename_categories", "from": ["a"], "to": ["x"]'
  refused class-rename "$rename, \"p\": 0.5}"
  refused class-rename "{\"type\": \"RandomApply\", \"transforms\": [$rename}]}"
  refused class-rename "$rename}, $drop}"
  refused class-rename "$rename}, $rename}"
  refused class-rename '{"type": "rename_categories", "from": ["a"], "to": ["b"]}'
  refused class-rename '{"type": "rename_categories", "from": ["a", "b"], "to": ["x", "x"]}'
  refused category-unknown '{"type": "drop_categories", "categories": ["A"]}'
  runs '{"type": "drop_categories", "categories": ["b"]}, {"type": "rename_categories", "from": ["a"], "to": ["b"]}'
  [ "$(coco_list)" = '1:b 3:c' ]
}

@test "classes: a mirror of class folders with names of sides is no crash" {
  image in/left/1.png in/right/2.png
  pipeline p.json '{"type": "horizontal_flip"}'
  run -0 --separate-stderr "$lockstep" run -p p.json -i in --labels folders -o out
  [[ $stderr == *'[category-sides]'* ]]
}

@test "classes: lockstep labels writes the list that its steps give" {
  coco 1:a 2:b 3:c -- 1 2 3
  pipeline p.json '{"type": "merge_categories", "from": ["a"], "into": ["b"]}, {"type": "rename_categories", "from": ["b"], "to": ["x"]}'
  "$lockstep" labels -q -p p.json -a in.json > new.json
  jq -e '[.categories[] | [.id, .name]] == [[2, "x"], [3, "c"]] and [.annotations[].category_id] == [2, 2, 3]' new.json
  printf 'c\nb\na\n' > own.txt
  "$lockstep" labels -q -p p.json -a in.json --classes own.txt > new.json
  jq -e '[.categories[] | [.id, .name]] == [[3, "c"], [2, "x"]]' new.json
}

# --- stats and diff ---

@test "classes: stats and diff take the list for COCO files" {
  coco 5:cat 0:dog 7:cow -- 5 0 5
  [ "$("$lockstep" stats in.json --classes list.txt --json | jq -c '[.categories[] | [.name, .objects]] | sort')" = '[["bird",0],["cat",2],["dog",1],["fish",0]]' ]
  printf 'dog\ncaat\n' > x.txt
  run -4 --separate-stderr "$lockstep" stats in.json --classes x.txt
  [[ $stderr == *'"cat" is not in x.txt; did you mean "caat"?'*'[class-unlisted]'* ]]
  "$lockstep" diff in.json in.json --classes list.txt
}

@test "classes: stats counts the images of class folders without annotations, whatever their names and nesting" {
  image 'in/a b/1.png' 'in/a b/deep/2.png' in/train/3.png
  mkdir in/none
  "$lockstep" stats -i in --labels folders --json > s.json
  jq -e '[.categories[] | [.name, .images, .objects]] | sort == [["a b", 2, 2], ["none", 0, 0], ["train", 1, 1]]' s.json
  [ "$("$lockstep" stats -i in --labels folders --classes <(printf 'train\na b\nx\nnone\n') --json | jq -c '[.categories[].name]')" = "$(jq -c '[.categories[].name]' <<< '{"categories":[{"name":"train"},{"name":"a b"},{"name":"x"},{"name":"none"}]}')" ]
  # PART/CLASS/image
  mkdir parts && cp -r in parts/train && cp -r in/train parts/train/x && mkdir parts/val && cp -r 'in/a b' parts/val
  "$lockstep" stats -i parts --labels folders --json | jq -e '[.categories[] | [.name, .images]] | sort == [["a b", 4], ["none", 0], ["train", 1], ["x", 1]]'
  image in/stray.png
  run -4 --separate-stderr "$lockstep" stats -i in --labels folders
  [[ $stderr == *stray.png*'[label-folder]'* ]]
  run -2 --separate-stderr "$lockstep" stats --labels folders
  [[ $stderr == *'it needs -i'* ]]
}
