#!/usr/bin/env bats
# `check` of folders with a file of labels for each image: places, reports, several of them, and strangers' folders.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() { begin; }

# images NAME...: images of 64x48, each in a different color.
images() {
  local name
  for name; do mkdir -p "$(dirname "$name")"; done
  python3 - "$@" << 'E'
import png, sys, zlib
for name in sys.argv[1:]:
    k = zlib.crc32(name.encode()) % 97
    png.write(name, [[v for x in range(64) for v in ((x * 3 + k) % 256, (y * 5 + 2 * k) % 256, (x * y + k) % 256)]
                     for y in range(48)], 3)
E
}

# lines FILE LINE...
lines() {
  mkdir -p "$(dirname "$1")"
  printf '%s\n' "${@:2}" > "$1"
}

# places: the findings of a text report, as "file:line:column RULE".
places() { sed -nE 's/^([^ ]*:[0-9]+:[0-9]+): [a-z]+\[([A-Z0-9]+)\].*/\1 \2/p'; }

@test "folders: each fault has the file, line and column of its label, and reading goes on behind it" {
  local given
  images in/images/a.png in/images/b.png
  lines in/data.yaml 'nc: 2' 'names:' '- cat' '- dog'
  mkdir in/labels
  printf '\xef\xbb\xbf0 0.3 0.3 0.2 0.2\r\n\r\n0 0.5 x 0.2 0.2\r\n 5 0.5 0.5 0.2 0.2\r\n1 0.5 0.5 0.2\r\n1 0.5 0.5 0.2 30\r\n' \
    > in/labels/a.txt
  lines in/labels/b.txt '1 0.5 0.5 0.2 0.2' '1 0.5 0.5 0.2 0.2' '0 0.9 0.5 0.3 0.2'
  for given in in/labels in/data.yaml; do
    run -1 "$lockstep" check -a "$given" -i in/images
    diff - <(places <<< "$output") << 'E'
in/labels/a.txt:3:7 L001
in/labels/a.txt:4:2 L002
in/labels/a.txt:5:1 L003
in/labels/a.txt:6:15 L004
in/labels/b.txt:2:1 B013
in/labels/b.txt:3:1 B005
E
    [[ $output == *"2 images, 8 annotations: 4 errors, 2 warnings, 0 info"* ]]
    [[ $output == *"line 1 is the same (b.png)"* ]]
  done
  printf 'names: [cat\n' > in/data.yaml
  run -1 "$lockstep" check -a in/labels -i in/images
  diff - <(places <<< "$output") << 'E'
in/data.yaml:2:1 L007
in/labels/a.txt:3:7 L001
in/labels/b.txt:2:1 B013
E
}

@test "folders: of an XML file all wrong boxes are found, and of a broken one the other files" {
  images in/a.png in/b.png
  mkdir -p in/Annotations
  cat > in/Annotations/a.xml << 'E'
<annotation>
  <object><name>cat</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>x</xmax><ymax>9</ymax></bndbox></object>
  <object><name>dog</name><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>9</xmax><ymax>1e9</ymax></bndbox></object>
  <object><bndbox><xmin>1</xmin><ymin>1</ymin><xmax>9</xmax><ymax>9</ymax></bndbox></object>
  <object><name>dog</name><bndbox><xmin>50</xmin><ymin>1</ymin><xmax>99</xmax><ymax>9</ymax></bndbox></object>
</annotation>
E
  printf '<annotation>\n<object></annotation>' > in/Annotations/b.xml
  run -1 "$lockstep" check -a in/Annotations -i in
  diff - <(places <<< "$output") << 'E'
in/Annotations/a.xml:2:63 L009
in/Annotations/a.xml:3:77 L009
in/Annotations/a.xml:4:3 L010
in/Annotations/a.xml:5:3 B005
in/Annotations/b.xml:2:11 L008
E
}

@test "folders: every report names the file of labels, and the place in that" {
  local form
  images in/a.png in/b.png
  lines in/a.txt '0 0.5 0.5 0.2 0.2' '0 0.9 0.5 0.3 0.2'
  lines in/b.txt '0 0.4 0.5 0.2 0.2' '' '0 x'
  lines in/classes.txt cat
  for form in "$root"/src/check/reporters/*.c; do
    form=$(basename "$form" .c)
    "$lockstep" check -a in -i in --output "$form=report.$form" && return 1
    grep -q 'in/b\.txt' "report.$form" || { cat "report.$form"; return 1; }
  done
  [ "$(jq -r 'select(.rule) | "\(.rule) \(.file):\(.line):\(.column) @\(.offset) \(.image)\(.pointer)"' report.jsonl)" = \
    "B005 in/a.txt:2:1 @18 a.png
L001 in/b.txt:3:3 @21 b.png" ]
  [ "$(jq -r '.runs[0].results[].locations[0].physicalLocation |
    "\(.artifactLocation.uri):\(.region.startLine):\(.region.startColumn)@\(.region.byteOffset)"' report.sarif | sort)" = \
    "in/a.txt:2:1@18
in/b.txt:3:3@21" ]
  [ "$(jq -r '.[] | "\(.location.path):\(.location.lines.begin)"' report.gitlab)" = "in/a.txt:2
in/b.txt:3" ]
  grep -q 'file=in/b.txt,line=3' report.github
  grep -q 'in/b.txt:3' report.junit
  grep -q '<img' report.html
}

@test "folders: a baseline knows a finding whatever was written before it, and one more is new" {
  images in/a.png in/b.png
  lines in/a.txt '0 0.9 0.5 0.3 0.2'
  lines in/c.txt '0 0.5 0.5 0.3 0.2'
  : > in/b.txt
  lines in/classes.txt cat
  "$lockstep" check -a in -i in --write-baseline known.json
  lines in/a.txt '0 0.2 0.2 0.1 0.1' '' '0 0.90 0.5 3e-1 0.2'
  run -0 "$lockstep" check -a in -i in --baseline known.json --fail-on warning
  [[ $output == *"0 warnings"*"in the baseline"* ]]
  lines in/d.txt '0 0.5 0.5 0.3 0.2'
  run -1 "$lockstep" check -a in -i in --baseline known.json --fail-on warning
  [ "$(places <<< "$output")" = "in/d.txt:1:1 L012" ]
}

@test "folders: what they need, and what is not for them" {
  images in/a.png
  lines in/a.txt '0 0.5 0.5 0.2 0.2'
  echo '{"images": [], "annotations": [], "categories": []}' > a.json
  run -2 "$lockstep" check -a in
  [[ $output == *"its image folder"*"[option-missing]"* ]]
  run -2 "$lockstep" check -a in -i in --fix --in-place
  [[ $output == *"[option-unused]"* ]]
  run -2 "$lockstep" check -a in -i in --diff
  run -4 "$lockstep" check a.json --classes x
  [[ $output == *"[classes-unread]"* ]]
  mkdir empty
  run -4 "$lockstep" check -a empty -i in
  [[ $output == *"[labels-none]"* ]]
  run -4 "$lockstep" check -a in -i nowhere
  [[ $output == *"[images-unread]"* ]]
  run -4 "$lockstep" check -a in -i in --classes nowhere.yaml
}

@test "folders: splits are compared by content and by the lists of their classes" {
  local name
  images train/images/a.png train/images/b.png valid/images/c.png
  cp train/images/a.png valid/images/d.png
  for name in train/labels/a train/labels/b valid/labels/c valid/labels/d; do lines $name.txt '0 0.5 0.5 0.2 0.2'; done
  echo 'names: [cat]' > data.yaml
  run -1 "$lockstep" check -a train/labels -i train/images -a valid/labels -i valid/images --pixels --select X,I
  [ "$(places <<< "$output")" = "valid/images/d.png:1:1 X004" ]
  # The same name in two folders of images is not a leak: exporters count from 1 in each.
  mv valid/images/c.png valid/images/a.png
  mv valid/labels/c.txt valid/labels/a.txt
  rm valid/images/d.png valid/labels/d.txt
  run -0 "$lockstep" check -a train/labels -i train/images -a valid/labels -i valid/images --pixels --select X,I
  [ -z "$(places <<< "$output")" ]
  # In one folder it is one.
  lines both/train.json '{"images": [{"id": 1, "file_name": "a.png"}], "annotations": [], "categories": []}'
  lines both/val.json '{"images": [{"id": 1, "file_name": "b.png"}, {"id": 7, "file_name": "a.png"}], "annotations": [],
 "categories": []}'
  run -1 "$lockstep" check both/train.json both/val.json --select X003
  [ "$(places <<< "$output")" = "both/val.json:1:69 X003" ]
  lines train/labels/classes.txt cat dog
  lines valid/labels/classes.txt dog cat
  run -1 "$lockstep" check -a train/labels -i train/images -a valid/labels -i valid/images
  places <<< "$output" | grep -q 'valid/labels/classes.txt:1:1 X006'
}

# clean RULES ARGUMENTS...: check finds only these rules and no errors, and run accepts the folder.
clean() {
  local wanted=$1
  shift
  "$lockstep" check "$@" > found.txt || { cat found.txt; return 1; }
  [ "$(places < found.txt | sed 's/.* //' | sort -u | xargs)" = "$wanted" ] || { cat found.txt; return 1; }
  rm -rf out
  "$lockstep" run -q -p id.json "$@" -o out
}

@test "folders: those of other programs have no finding that is not true" {
  local mark=$'\xef\xbb\xbf'
  pipeline id.json ''
  # Ultralytics: images/train beside labels/train, names by numbers, paths and remarks, caches.
  images u/images/train/a.png u/images/val/b.png
  lines u/labels/train/a.txt '0 0.5 0.5 0.2 0.2'
  lines u/labels/val/b.txt '1 0.404 0.5 0.2 0.2'
  printf '\x93NUMPY' > u/labels/train.cache
  lines u/data.yaml '# Ultralytics' 'path: ../u # root' 'train: images/train' 'val: images/val' 'test: # none' '' \
    'names:' '  0: person' "  1: 'traffic light'" '' '# Download' 'download: https://x/y.zip'
  clean '' -a u -i u
  clean '' -a u/labels -i u/images
  clean '' -a u/data.yaml -i u/images
  clean R003 -a u/labels/val -i u/images/val
  # Roboflow: train/images beside train/labels, README files, long names, nc and a link; an image of nothing.
  images r/train/images/a_jpg.rf.0123456789abcdef.png r/valid/images/b_jpg.rf.0123.png
  lines r/train/labels/a_jpg.rf.0123456789abcdef.txt '0 0.515625 0.4296875 0.21640625 0.2125'
  mkdir -p r/valid/labels
  : > r/valid/labels/b_jpg.rf.0123.txt
  lines r/README.dataset.txt 'https://universe.roboflow.com/x' '1 2 3 4 5'
  lines r/README.roboflow.txt 'x'
  lines r/data.yaml 'train: ../train/images' 'val: ../valid/images' 'test: ../test/images' '' 'nc: 1' "names: ['cat']" '' \
    'roboflow:' '  workspace: x' '  license: CC BY 4.0'
  clean X001 -a r -i r
  clean '' -a r/train -i r/train
  # CVAT, YOLO 1.1: images and labels in obj_train_data, names and lists above.
  images c/obj_train_data/a.png c/obj_train_data/sub/b.png
  lines c/obj_train_data/a.txt '0 0.500000 0.500000 0.200000 0.200000'
  lines c/obj_train_data/sub/b.txt '1 0.500000 0.500000 0.200000 0.200000'
  lines c/obj.names cat dog
  lines c/obj.data 'classes = 2' 'train = data/train.txt' 'names = data/obj.names'
  lines c/train.txt data/obj_train_data/a.png data/obj_train_data/sub/b.png
  clean '' -a c -i c
  clean '' -a c/obj_train_data -i c/obj_train_data
  # LabelImg on Windows: labels beside images, a mark, CRLF, blank lines, classes.txt there.
  images l/a.png l/b.png
  printf '%s0 0.5 0.5 0.2 0.2\r\n\r\n1 0.25 0.25 0.1 0.1\r\n\r\n' "$mark" > l/a.txt
  printf '1 0.5 0.5 0.2 0.2' > l/b.txt
  printf '%scat\r\ndog\r\n\r\n' "$mark" > l/classes.txt
  clean '' -a l -i l
  # Label Studio: images, labels, classes.txt, notes.json; names with a hash before them.
  images s/images/0a1b2c3d-a.png
  lines s/labels/0a1b2c3d-a.txt '0 0.30000000000000004 0.5 0.20000000000000001 0.2' '1 0.7 0.5 0.2 0.2'
  lines s/classes.txt cat dog
  lines s/notes.json '{"categories": [{"id": 0, "name": "cat"}], "info": {"year": 2024}}'
  clean '' -a s -i s
  # LabelImg's and CVAT's XML: a path of another machine, flags, doubles, blanks, a mark, an owner, attributes.
  images v/JPEGImages/a.png v/JPEGImages/b.png
  mkdir -p v/Annotations v/ImageSets/Main
  lines v/ImageSets/Main/train.txt a b
  lines v/labelmap.txt '# label:color_rgb:parts:actions' 'cat:1,2,3::'
  {
    printf '%s<annotation verified="yes">\r\n\t<folder>x</folder>\r\n\t<filename>old.jpg</filename>\r\n' "$mark"
    printf '\t<path>C:\\x\\old.jpg</path>\r\n\t<source>\r\n\t\t<database>Unknown</database>\r\n\t</source>\r\n'
    printf '\t<size>\r\n\t\t<width>64</width>\r\n\t\t<height>48</height>\r\n\t\t<depth>3</depth>\r\n\t</size>\r\n'
    printf '\t<segmented>0</segmented>\r\n\t<object>\r\n\t\t<name>cat</name>\r\n\t\t<pose>Unspecified</pose>\r\n'
    printf '\t\t<truncated>1</truncated>\r\n\t\t<difficult>0</difficult>\r\n\t\t<bndbox>\r\n\t\t\t<xmin>1</xmin>\r\n'
    printf '\t\t\t<ymin>1</ymin>\r\n\t\t\t<xmax>64</xmax>\r\n\t\t\t<ymax>20</ymax>\r\n\t\t</bndbox>\r\n\t</object>\r\n'
    printf '</annotation>\r\n'
  } > v/Annotations/a.xml
  cat > v/Annotations/b.xml << 'E'
<?xml version='1.0' encoding='utf-8'?>
<annotation><folder></folder><filename>b.png</filename><source><annotation>CVAT</annotation></source><owner/>
<object><name>cat</name><occluded>0</occluded><bndbox><xmin>0.0</xmin><ymin>4.53</ymin><xmax>20.1</xmax><ymax>48.0</ymax></bndbox>
<attributes><attribute><name>rotation</name><value>0.0</value></attribute></attributes></object></annotation>
E
  clean '' -a v/Annotations -i v/JPEGImages
  clean '' -a v -i v
}

@test "folders: outputs of run have no error, and no warning that their sources do not have" {
  local kind
  pipeline id.json ''
  for kind in yolo yolo-segment yolo-pose voc; do
    "$lockstep" run -q -p id.json -i "$samples/images" -a "$samples/annotations.json" -o "$kind" --to "$kind" --lossy
    "$lockstep" check -a "$kind" -i "$kind"/*mages > found.txt || { cat found.txt; return 1; }
    [ "$(sed -nE 's/^warning +([A-Z0-9]+) +([0-9]+) .*/\1 \2/p' found.txt)" = "I017 2" ] || { cat found.txt; return 1; }
  done
}

@test "folders: of random mutations, what check finds no error in, run takes, and what run refuses has one" {
  python3 "$here/search/check_folder_mutations.py" "$lockstep" "$samples" 40 3
}

@test "folders: of several files, the rules that compare images by their pixels are named where they cannot" {
  images train/images/a.png valid/images/b.png
  lines train.json '{"images": [{"id": 1, "file_name": "a.png", "width": 40, "height": 30}], "annotations": [], "categories": []}'
  lines valid.json '{"images": [{"id": 1, "file_name": "b.png", "width": 40, "height": 30}], "annotations": [], "categories": []}'
  said() { "$lockstep" check "$@" 2>&1 > /dev/null | sed -n 's/^lockstep check: note: \(.*\) only$/\1/p'; }
  [ "$(said train.json valid.json)" = "split-overlap-by-content compares the images of the 2 files with -i
split-near-duplicate compares the images of the 2 files with -i and --pixels" ]
  [ -n "$(said train.json -i train/images valid.json -i valid/images)" ]
  [ -z "$(said train.json -i train/images valid.json -i valid/images --pixels)" ]
  [ -z "$(said train.json)" ]
  [ "$(said train.json valid.json valid.json --ignore X004 --no-images)" = \
    'split-near-duplicate compares the images of the 3 files with -i and --pixels' ]
  [ -z "$(said train.json valid.json --select B)" ]
}
