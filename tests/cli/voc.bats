#!/usr/bin/env bats
# Pascal VOC's XML: read with all additions of exporters, moved in lockstep, written unchanged except for moved values.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  pipeline id.json ''
  pipeline flip.json '{"type": "horizontal_flip"}'
  mkdir -p in/JPEGImages in/Annotations
}

# images NAME...: images of 64x48 below in/JPEGImages.
images() {
  local name
  for name; do
    python3 -c 'import png, sys
png.write(sys.argv[1], [[v for x in range(64) for v in (x * 3, y * 5, 90)] for y in range(48)], 3)' "in/JPEGImages/$name"
  done
}

# voc NAME [OBJECT...]: an annotation with these objects.
voc() {
  printf '<annotation>\n\t<filename>%s.png</filename>\n\t<size><width>64</width><height>48</height><depth>3</depth></size>\n' \
    "$1" > "in/Annotations/$1.xml"
  printf '\t%s\n' "${@:2}" '</annotation>' >> "in/Annotations/$1.xml"
}

object() { # NAME XMIN YMIN XMAX YMAX [MORE]
  printf '<object><name>%s</name>%s<bndbox><xmin>%s</xmin><ymin>%s</ymin><xmax>%s</xmax><ymax>%s</ymax></bndbox></object>' \
    "$1" "${6:-}" "${@:2:4}"
}

# A file with all that VOC's own and exporters have.
rich() {
  images a.png
  printf '\xef\xbb\xbf<?xml version="1.0" encoding="utf-8"?>\r\n<!-- by hand -->\r\n<annotation verified="yes">\r
\t<folder>VOC2012</folder>\r\n\t<filename>a.png</filename>\r\n\t<path>C:\\x\\a.png</path>\r
\t<source><database>The &lt;DB&gt;</database></source>\r
\t<size>\r\n\t\t<width>64</width>\r\n\t\t<height>48</height>\r\n\t\t<depth>3</depth>\r\n\t</size>\r\n\t<segmented>0</segmented>\r
\t<object>\r\n\t\t<name>sofa &amp; chair</name>\r\n\t\t<pose>Left</pose>\r\n\t\t<truncated>1</truncated>\r
\t\t<occluded>0</occluded>\r\n\t\t<difficult>1</difficult>\r
\t\t<part>\r\n\t\t\t<name>head</name>\r\n\t\t\t<bndbox>\r\n\t\t\t\t<xmin>3</xmin>\r\n\t\t\t\t<ymin>4.0</ymin>\r
\t\t\t\t<xmax>6.50</xmax>\r\n\t\t\t\t<ymax>9</ymax>\r\n\t\t\t</bndbox>\r\n\t\t</part>\r
\t\t<bndbox>\r\n\t\t\t<ymin> 3 </ymin>\r\n\t\t\t<ymax>20</ymax>\r\n\t\t\t<xmin>1</xmin>\r\n\t\t\t<xmax>10</xmax>\r\n\t\t</bndbox>\r
\t\t<score>0.90</score>\r\n\t</object>\r
\t<object>\r\n\t\t<name>cat</name>\r\n\t\t<bndbox>\r\n\t\t\t<xmin>50.0</xmin>\r\n\t\t\t<ymin>1</ymin>\r\n\t\t\t<xmax>64</xmax>\r
\t\t\t<ymax>48</ymax>\r\n\t\t</bndbox>\r\n\t</object>\r\n</annotation>\r\n' > in/Annotations/a.xml
}

@test "voc: what no step touches stays, byte for byte" {
  rich
  images b.png c.png
  voc b
  run -0 --separate-stderr "$lockstep" run -p id.json -i in/JPEGImages -a in/Annotations -o out
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == *"1 of 3 images has no file of labels"*"c.png [labels-missing]"* ]]
  same_tree in/Annotations out/Annotations
  [ "$(jq -c '[.format, .annotations, .files]' out/run.json)" = '["voc",{"read":2,"written":2},["manifest.jsonl","run.json","ImageSets/Main/train.txt","labelmap.txt"]]' ]
}

@test "voc: a flip moves pixels from 1, with the parts; names, flags and all else stay" {
  rich
  "$lockstep" run -q -p flip.json -i in/JPEGImages -a in -o out -n 1
  # x from 0 to 10 becomes 54 to 64: 55 to 64 by pixels from 1
  diff <(awk '{ n += /<object>/ }
      /<xmin>3</ { sub(/3/, "58.5") } /<xmax>6.50</ { sub(/6.50/, "62") }
      /<xmin>1</ { sub(/1/, "55") } /<xmax>10</ { sub(/10/, "64") }
      n == 2 && /<xmin>/ { sub(/50.0/, "1") } n == 2 && /<xmax>/ { sub(/64/, "15") } { print }' in/Annotations/a.xml) \
    out/Annotations/a.xml
  # flipping twice restores the file, with the same digits except for moved coordinates
  "$lockstep" run -q -p flip.json -i out/JPEGImages -a out -o back
  diff <(sed 's/6\.50/6.5/; s/50\.0/50/' in/Annotations/a.xml) back/Annotations/a.xml
}

@test "voc: a crop takes objects and parts away, and says the new size and name" {
  rich
  pipeline crop.json '{"type": "crop", "top": 0, "left": 5, "height": 40, "width": 20}'
  "$lockstep" run -q -p crop.json -i in/JPEGImages -a in/Annotations -o out -n 2
  [ "$(grep -oE '<(name|width|height|x...|ymax|filename)>[^<]*' out/Annotations/a__a001.xml | tr '\n' ' ')" = \
    "<filename>a__a001.png <width>20 <height>40 <name>sofa &amp; chair <name>head <xmin>1 <xmax>1.5 <ymax>9 <ymax>20 <xmin>1 \
<xmax>5 " ]
  [ "$(grep -c '<object>' out/Annotations/a__a001.xml)" -eq 1 ]
  pipeline far.json '{"type": "crop", "top": 12, "left": 0, "height": 30, "width": 20}'
  "$lockstep" run -q -p far.json -i in/JPEGImages -a in/Annotations -o far
  run -1 grep -q '<part>' far/Annotations/a.xml
  python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])' far/Annotations/a.xml
}

@test "voc: every transform moves VOC's boxes as it moves COCO's, there and back" {
  printf '%s' '{"version": 1, "seed": 3, "transforms": [{"type": "RandomHorizontalFlip"},
    {"type": "RandomAffine", "degrees": 20, "translate": [0.1, 0.1], "scale": [0.7, 1.4]},
    {"type": "RandomCrop", "size": [100, 120], "pad_if_needed": true}, {"type": "Resize", "size": [77, 91]}]}' > p.json
  "$lockstep" run -q -p id.json -i "$samples/images" -a "$samples/annotations.json" -o set --to voc --lossy
  "$lockstep" run -q -p id.json -i set/JPEGImages -a set/Annotations -o coco --to coco
  "$lockstep" run -q -p p.json -i set/JPEGImages -a set -o a -n 4
  "$lockstep" run -q -p p.json -i set/JPEGImages -a coco/annotations.json -o b -n 4 --to voc --lossy
  same_tree a/JPEGImages b/JPEGImages
  python3 - << 'PY'
import glob, xml.etree.ElementTree as e
def boxes(path):
    return [(o.find("name").text, [float(o.find("bndbox/" + c).text) for c in ("xmin", "ymin", "xmax", "ymax")])
            for o in e.parse(path).findall("object")]
n = 0
for f in glob.glob("a/Annotations/**/*.xml", recursive=True):
    x, y = boxes(f), boxes("b" + f[1:])
    for (p, u), (q, v) in zip(x, y, strict=True):
        assert p == q and all(abs(a - b) < 1e-6 for a, b in zip(u, v)), (f, u, v)
        n += 1
assert n > 50, n
PY
  "$lockstep" run -q -p id.json -i set/JPEGImages -a coco/annotations.json -o again --to voc
  same_tree set/Annotations again/Annotations
}

@test "voc: flags go to COCO and back; what COCO cannot hold is refused by kind" {
  rich
  run -4 "$lockstep" run -p id.json -i in/JPEGImages -a in/Annotations -o out --to coco
  [[ $output == *'--to coco: there is no place for 1 set of parts, 1 value of "score"; --lossy drops it'*"[to-lossy]"* ]]
  "$lockstep" run -q -p id.json -i in/JPEGImages -a in/Annotations -o out --to coco --lossy
  [ "$(jq -c '.annotations[0] | [.id, .category_id, .bbox, .pose, .truncated, .occluded, .difficult]' out/annotations.json)" = \
    '[100001,2,[0,2,10,18],"Left",1,0,1]' ]
  [ "$(jq -c '[.categories[] | .name]' out/annotations.json)" = '["cat","sofa & chair"]' ]
  "$lockstep" run -q -p id.json -i out/images -a out/annotations.json -o back --to voc
  for tag in '<name>sofa &amp; chair' '<pose>Left' '<truncated>1' '<difficult>1' '<occluded>0' '<xmin>1<' '<ymax>20<'; do
    grep -q "$tag" back/Annotations/a.xml || { echo "$tag"; return 1; }
  done
  run -4 "$lockstep" run -p id.json -i in/JPEGImages -a in/Annotations -o out2 --to yolo
  [[ $output == *'1 value of "difficult"'* ]]
}

@test "voc: what is wrong is named with its file and line; hostile files are refused at once" {
  images a.png
  wrong() { # CODE XML...
    printf '%b' "${@:2}" > in/Annotations/a.xml
    run -4 timeout 20 "$lockstep" run -p id.json -i in/JPEGImages -a in/Annotations -o out
    [[ $output == *"in/Annotations/a.xml:"*"error: "*"[$1]"* ]] || { echo "$*: $output"; return 1; }
    [ ! -e out ]
  }
  wrong voc-syntax '<annotation>\n<object></annotation>'
  [[ $output == *"a.xml:2:"* ]]
  wrong voc-syntax ''
  wrong voc-root '<annotations><image/></annotations>'
  wrong voc-doctype '<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;&b;">]><annotation>&c;</annotation>'
  wrong voc-doctype '<!DOCTYPE a SYSTEM "file:///etc/passwd"><annotation/>'
  wrong voc-syntax '<annotation>&lol;</annotation>'
  wrong voc-depth '<annotation>' "$(printf '<a>%.0s' {1..10000})"
  wrong voc-encoding '\xff\xfe<\x00'
  wrong voc-bndbox "<annotation>$(object cat 1 2 3 x)</annotation>"
  wrong voc-bndbox "<annotation>$(object cat 10 2 3 9)</annotation>"
  wrong voc-bndbox '<annotation><object><name>cat</name></object></annotation>'
  wrong voc-bndbox "<annotation>$(object cat 1 1 1e9 9)</annotation>"
  wrong voc-bndbox "<annotation>$(object cat 1 2 3 x)\n$(object cat 1 y 3 9)</annotation>"
  [[ $output == *"a.xml:1:"*"a.xml:2:"* ]] # all of them
  # elements that are unique by definition occur twice: readers take the first or the last one
  local size='<size><width>64</width><height>48</height></size>' box='<bndbox><xmin>1</xmin><ymin>2</ymin><xmax>3</xmax><ymax>9</ymax></bndbox>'
  wrong voc-twice "<annotation>$size\n$size$(object cat 1 2 3 9)</annotation>"
  [[ $output == *'a.xml:2:1: error: "annotation" has "size" twice: here and in line 1 [voc-twice]'* ]]
  wrong voc-twice "<annotation><size><width>64</width><width>64</width><height>48</height></size></annotation>"
  wrong voc-twice "<annotation><filename>a.png</filename><filename>b.png</filename></annotation>"
  wrong voc-twice "<annotation>$(object cat 1 2 3 9 '<name>dog</name>')</annotation>"
  wrong voc-twice "<annotation>$(object cat 1 2 3 9 "$box")</annotation>"
  wrong voc-twice "<annotation>$(object cat 1 2 3 9 '<bndbox></bndbox>')</annotation>"
  wrong voc-twice "<annotation>$(object cat 1 2 3 9 '<difficult>0</difficult><difficult>1</difficult>')</annotation>"
  wrong voc-twice "<annotation>$(object cat 1 2 3 9 "<part><name>head</name><name>hand</name>$box</part>")</annotation>"
  wrong voc-syntax '<annotation a="1" a="2"></annotation>'
  wrong voc-name "<annotation>$(object '' 1 2 3 9)</annotation>"
  images b.png
  voc b "$(object dog 1 1 64 48)"
  run -1 "$lockstep" run -p id.json -i in/JPEGImages -a in/Annotations -o out --on-error skip
  [ "$(ls out/Annotations)" = b.xml ]
  [ "$(jq -r .code out/errors.jsonl)" = voc-name ]
  # a size that is not the image's
  voc a "$(object dog 1 1 64 48)"
  sed -i 's/<width>64/<width>65/' in/Annotations/a.xml
  run -4 "$lockstep" run -p id.json -i in/JPEGImages -a in/Annotations -o out2
  "$lockstep" run -q -p id.json -i in/JPEGImages -a in/Annotations -o out2 --trust file
  grep -q '<width>64' out2/Annotations/a.xml
  # labels of two kinds; and a library that is damaged
  printf '0 0.5 0.5 0.1 0.1\n' > in/Annotations/a.txt
  run -4 "$lockstep" run -p id.json -i in/JPEGImages -a in/Annotations -o out3
  [[ $output == *"2 .xml"*"[labels-several]"* ]]
  rm in/Annotations/a.txt
  mkdir lib && echo 'no library' > lib/libexpat.so.1
  run -4 env LD_LIBRARY_PATH="$PWD/lib" "$lockstep" run -p id.json -i in/JPEGImages -a in/Annotations -o out3
  [[ $output == *"install libexpat1 [voc-library]"* ]]
}

@test "voc: geometry that no rule moves is named" {
  images a.png
  voc a "$(object cat 1 1 9 9 '<polygon><x1>1</x1><y1>1</y1></polygon><robndbox><cx>1</cx></robndbox>')"
  run -0 "$lockstep" run -p flip.json -i in/JPEGImages -a in/Annotations -o out
  [[ $output == *"the geometry in these keys stays as it is: polygon, robndbox"*"[coco-unmoved-keys]"* ]]
}

@test "voc: objects of another category have its name, wherever the name stands, and their parts keep theirs" {
  images a.png
  voc a "$(object cat 1 2 11 12)" \
    '<object><bndbox><xmax>30</xmax><xmin>20</xmin><ymin>2</ymin><ymax>12</ymax></bndbox><name> cat </name></object>' \
    '<object><part><name>cat</name><bndbox><xmin>41</xmin><ymin>2</ymin><xmax>44</xmax><ymax>5</ymax></bndbox></part><name>dog</name>
    <bndbox><xmin>40</xmin><ymin>1</ymin><xmax>50</xmax><ymax>20</ymax></bndbox></object>' \
    "$(object 'R&amp;D' 1 20 11 30)"
  pipeline p.json '{"type": "remap_categories", "from": ["cat", "dog"], "to": ["R&D", "cat"]}, {"type": "horizontal_flip"}'
  "$lockstep" run -q -p p.json -i in/JPEGImages -a in/Annotations -o out
  diff <(grep -o '<name>[^/]*</name>' out/Annotations/a.xml) - << 'END'
<name>R&amp;D</name>
<name> R&amp;D </name>
<name>cat</name>
<name>cat</name>
<name>R&amp;D</name>
END
  # Everything else equals a run without the step.
  "$lockstep" run -q -p flip.json -i in/JPEGImages -a in/Annotations -o flipped
  cmp <(sed 's/<name>[^/]*<\/name>//g' out/Annotations/a.xml) <(sed 's/<name>[^/]*<\/name>//g' flipped/Annotations/a.xml)
}

@test "voc: what XML has no place for is said, and numbers keep their digits" {
  images a.png
  printf '{"images": [{"id": 1, "file_name": "a.png", "width": 64, "height": 48}],
    "categories": [{"id": 1, "name": "a\\u0001b"}, {"id": 2, "name": "c\\rd"}],
    "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [3, 3, 1000000, 5]},
      {"id": 2, "image_id": 1, "category_id": 2, "bbox": [0.1, 3, 5, 5]}]}' > a.json
  run -4 --separate-stderr "$lockstep" run -p id.json -i in/JPEGImages -a a.json -o out --to voc
  [[ $stderr == *'no place for 1 text with control characters'*'[to-lossy]'* ]]
  "$lockstep" run -q -p id.json -i in/JPEGImages -a a.json -o out --to voc --lossy
  python3 -c '
import xml.etree.ElementTree as tree
root = tree.parse("out/Annotations/a.xml")
assert [n.text for n in root.iter("name")] == ["a\ufffdb", "c\rd"]
assert [n.text for n in root.iter("xmin")] == ["4", "1.1"], [n.text for n in root.iter("xmin")]
assert [n.text for n in root.iter("xmax")][0] == "1000003"'
}

@test "voc: drop_keys leaves elements out, and members that CVAT gives names, of every object" {
  local cvat='<attributes><attribute><name>rotation</name><value>12.5</value></attribute><attribute><name>note</name><value>x</value></attribute></attributes>'
  images a.png
  voc a "$(object cat 1 1 9 9 "<polygon><x1>1</x1><y1>1</y1></polygon>$cvat<difficult>1</difficult>")" \
    "$(object dog 2 1 9 9 '<box><angle>3</angle><cx>5</cx></box>')"
  kept() { # RULES: the remaining annotation, and the named keys
    printf '{"version": 1, "annotations": %s, "transforms": [{"type": "vertical_flip"}]}\n' "$1" > p.json
    "$lockstep" run -q -p p.json -i in/JPEGImages -a in/Annotations -o out --overwrite
    grep -oE '<(polygon|attribute|difficult|box|angle|cx)>' out/Annotations/a.xml | tr -d '\n'
    jq -c .unmoved_keys out/run.json
  }
  [ "$(kept '{}')" = '<polygon><attribute><attribute><difficult><box><angle><cx>["polygon","attributes.rotation","box"]' ]
  [ "$(kept '{"drop_keys": ["polygon", "attributes.rotation", "box"]}')" = '<attribute><difficult>null' ]
  [ "$(kept '{"drop_keys": ["attributes", "difficult", "box.angle"]}')" = '<polygon><box><cx>["polygon","box"]' ]
  # Other elements do not change.
  [ "$(kept '{"drop_keys": ["polygon", "nothing"]}')" = '<attribute><attribute><difficult><box><angle><cx>["attributes.rotation","box"]' ]
  grep -qF "$cvat" out/Annotations/a.xml
  # An angle of 0 turns nothing.
  sed -i 's/12\.5/0.0/' in/Annotations/a.xml
  [[ $(kept '{}') == *'["polygon","box"]' ]]
  # The same in another format.
  printf '{"version": 1, "annotations": {"drop_keys": ["polygon", "attributes", "box", "difficult"]}, "transforms": []}\n' > p.json
  "$lockstep" run -q -p p.json -i in/JPEGImages -a in/Annotations -o coco --to coco
  jq -e '.annotations | all(has("difficult") | not)' coco/annotations.json
}

@test "voc: move_keys moves elements with the object: points, and boxes, which are cut" {
  images a.png
  voc a "$(object cat 11 11 40 40 '<polygon><x1>11</x1><y1>11.50</y1><x2>40</x2><y2>40</y2></polygon><head><ymax>20</ymax><xmin>12</xmin><ymin>13</ymin><xmax>22</xmax></head>
    <keypoints><pt><x>5</x><y>6</y><v>2</v></pt><pt><x>63.5</x><y>7</y></pt></keypoints><center/>')"
  moved() { # STEPS RULES
    printf '{"version": 1, "annotations": {"move_keys": %s}, "transforms": [%s]}\n' "$2" "$1" > p.json
    "$lockstep" run -q -p p.json -i in/JPEGImages -a in/Annotations -o out --overwrite
    jq -c .unmoved_keys out/run.json
    grep -oE '<(x|y|v|x.|y.|x...|y...)>[^<]*' out/Annotations/a.xml | tr -d '\n'
  }
  # 64 pixels from 1: the pixel x becomes 65 - x, for corners of boxes and for points.
  [ "$(moved '{"type": "horizontal_flip"}' '{"polygon": "point", "head": "box", "keypoints": "point", "center": "point"}' | xargs)" = \
    'null <x1>54<y1>11.50<x2>25<y2>40<ymax>20<xmin>43<ymin>13<xmax>53<x>60<y>6<v>2<x>1.5<y>7<xmin>25<ymin>11<xmax>54<ymax>40' ]
  moved '{"type": "crop", "top": 15, "left": 15, "height": 20, "width": 20}' '{"head": "box", "polygon": "point"}' | xargs > cut.txt
  grep -qF '<x1>-4<y1>-3.5<x2>25<y2>25<ymax>5<xmin>1<ymin>1<xmax>7' cut.txt
  # A box that is outside goes.
  moved '{"type": "crop", "top": 25, "left": 25, "height": 20, "width": 20}' '{"head": "box"}' > cut.txt
  run ! grep -q '<head>' out/Annotations/a.xml
}

@test "voc: what cannot be dropped or moved is refused" {
  images a.png
  voc a "$(object cat 11 11 40 40 '<segmentation>1 2 3 4</segmentation><points><x>3</x><x>4</x></points><ends><x>1</x></ends>')"
  refused() { # CODE EXIT RULES
    printf '{"version": 1, "annotations": %s, "transforms": []}\n' "$3" > p.json
    run "-$2" --separate-stderr "$lockstep" run -p p.json -i in/JPEGImages -a in/Annotations -o out --overwrite
    [[ $stderr == *"[$1]"* ]] || { echo "$3: $stderr"; return 1; }
  }
  refused param-conflict 3 '{"drop_keys": ["bndbox"]}'
  refused param-conflict 3 '{"move_keys": {"name": "point"}}'
  refused param-conflict 3 '{"drop_keys": ["difficult", "part"]}'
  refused voc-points 4 '{"move_keys": {"segmentation": "point"}}'
  [[ $stderr == *"in/Annotations/a.xml:4:"*"in turn"* ]]
  refused voc-points 4 '{"move_keys": {"points": "point"}}'
  refused voc-points 4 '{"move_keys": {"ends": "point"}}'
  refused voc-bndbox 4 '{"move_keys": {"ends": "box"}}'
  refused param-twice 3 '{"drop_keys": ["score", "score"]}'
}

# of_database NAME TEXT [OBJECT...]: an annotation that names its source.
of_database() {
  voc "$1" "<source><database>$2</database></source>" "${@:3}"
}

corners() { grep -ohE '<(xmin|ymin|xmax|ymax)>[^<]*' "$@" | tr -d '\n'; }

@test "voc: corners count from 0 where one is 0, in all files, and stay so" {
  images a.png b.png
  voc a "$(object cat 0 7 21 19)"
  voc b "$(object cat 3.5 6.25 9 11.5)"
  run -0 --separate-stderr "$lockstep" run -p flip.json -i in/JPEGImages -a in/Annotations -o out
  [[ $stderr != *voc-base* ]]
  [ "$(corners out/Annotations/a.xml out/Annotations/b.xml)" = '<xmin>43<ymin>7<xmax>64<ymax>19<xmin>55<ymin>6.25<xmax>60.5<ymax>11.5' ]
  [ "$(jq -r .key.voc_base out/run.json)" = 0 ]
  # A choice of images, shards and a resumed run decide the same.
  "$lockstep" run -q -p flip.json -i in/JPEGImages -a in/Annotations -o chosen b.png
  cmp {out,chosen}/Annotations/b.xml
  for i in 0 1; do "$lockstep" run -q -p flip.json -i in/JPEGImages -a in/Annotations -o shards --shard $i/2; done
  "$lockstep" merge -q shards
  same_tree out/Annotations shards/Annotations
  "$lockstep" replay -q --verify -m out/manifest.jsonl -i in/JPEGImages -a in/Annotations -o out
  # Flipping twice restores the file, also without a corner of 0: run.json states the base.
  run -0 --separate-stderr "$lockstep" run -p flip.json -i out/JPEGImages -a out/Annotations -o back
  [[ $stderr != *voc-base* ]]
  [ "$(corners back/Annotations/a.xml back/Annotations/b.xml)" = "$(corners in/Annotations/a.xml in/Annotations/b.xml)" ]
  "$lockstep" run -q -p id.json -i out/JPEGImages -a out/Annotations -o again --to coco
  run -0 "$lockstep" check -i out/JPEGImages -a out/Annotations
  cp -r out/Annotations elsewhere
  run -0 --separate-stderr "$lockstep" run -p id.json -i out/JPEGImages -a elsewhere -o told
  [[ $stderr == *'[voc-base]'* ]]
  # Converted files count from 1.
  "$lockstep" run -q -p id.json -i out/JPEGImages -a again/annotations.json -o converted --to voc
  run -0 --separate-stderr "$lockstep" run -p id.json -i converted/JPEGImages -a converted/Annotations -o ones --to coco
  [[ $stderr != *voc-base* ]]
  [ "$(jq -c "[.annotations[].bbox]" ones/annotations.json)" = "$(jq -c "[.annotations[].bbox]" again/annotations.json)" ]
  jq -e '[.annotations[].bbox] == [[43, 7, 21, 12], [55, 6.25, 5.5, 5.25]]' again/annotations.json
  # Elements that move are coordinates.
  voc a "$(object cat 0 7 21 19 '<polygon><x1>0</x1><y1>7</y1><x2>21</x2><y2>19</y2></polygon>')"
  printf '{"version": 1, "annotations": {"move_keys": {"polygon": "point"}}, "transforms": [{"type": "horizontal_flip"}]}\n' > p.json
  "$lockstep" run -q -p p.json -i in/JPEGImages -a in/Annotations -o moved
  grep -qF '<x1>64</x1><y1>7</y1><x2>43</x2><y2>19</y2>' moved/Annotations/a.xml
}

@test "voc: corners count from 1 in files of the challenges, and where nothing shows it, which is told" {
  images a.png
  of_database a 'The VOC2009 Database' "$(object cat 5 6 20 30)"
  run -0 --separate-stderr "$lockstep" run -p flip.json -i in/JPEGImages -a in/Annotations -o out
  [[ $stderr != *voc-base* ]]
  [ "$(corners out/Annotations/a.xml)" = '<xmin>45<ymin>6<xmax>60<ymax>30' ]
  of_database a Unknown "$(object cat 5 6 20 30)"
  run -0 --separate-stderr "$lockstep" run -p flip.json -i in/JPEGImages -a in/Annotations -o told
  [ "$(grep -c '\[voc-base\]' <<< "$stderr")" -eq 1 ]
  [[ $stderr == *"read as counted from 1; --voc-base 0"* ]]
  [ "$(corners out/Annotations/a.xml)" = "$(corners told/Annotations/a.xml)" ]
  # A corner of 0 shows it among fractions, too.
  voc a "$(object cat 0 6.5 20.25 30)"
  run -0 --separate-stderr "$lockstep" run -p flip.json -i in/JPEGImages -a in/Annotations -o fractions
  [[ $stderr != *voc-base* ]]
  [ "$(corners fractions/Annotations/a.xml)" = '<xmin>43.75<ymin>6.5<xmax>64<ymax>30' ]
  # The option decides, and another one is another run.
  voc a "$(object cat 1 6.5 20 30)"
  run -0 --separate-stderr "$lockstep" run -p flip.json -i in/JPEGImages -a in/Annotations -o zero --voc-base 0
  [[ $stderr != *voc-base* ]]
  [ "$(corners zero/Annotations/a.xml)" = '<xmin>44<ymin>6.5<xmax>63<ymax>30' ]
  run -6 --separate-stderr "$lockstep" run -p flip.json -i in/JPEGImages -a in/Annotations -o zero --voc-base 1 --resume
  [[ $stderr == *"--voc-base"* ]]
  "$lockstep" stats -i in/JPEGImages in/Annotations --voc-base 0 > /dev/null
  for words in "stats $samples/annotations.json" "run -p id.json -i $samples/images -o no -a $samples/annotations.json"; do
    # shellcheck disable=SC2086 # several words
    run -2 "$lockstep" $words --voc-base 0
    [[ $output == *'--voc-base'*'[option-unused]'* ]]
  done
}

@test "voc: files that count corners from 0 and from 1 are told, and found" {
  images a.png b.png
  voc a "$(object cat 4 0 20 30)"
  of_database b 'The VOC2012 Database' "$(object cat 5 6 20 30)"
  run -0 --separate-stderr "$lockstep" run -p flip.json -i in/JPEGImages -a in/Annotations -o out
  [[ $stderr == *'in/Annotations: warning: '*'a.xml'*'read as counted from 0; --voc-base 1'*'[voc-base-mixed]'* ]]
  run -0 "$lockstep" check -a in/Annotations -i in/JPEGImages
  [[ $output == *'L016'* ]]
  run -0 "$lockstep" check -a in/Annotations -i in/JPEGImages --voc-base 1
  [[ $output != *'L016'* ]]
}

@test "voc: --voc-integers rounds corners outward by half a pixel at most, and keeps one pixel" {
  images a.png
  voc a "$(object cat 2.5 3.4 9.5 11.6)" "$(object dog 4.3 5 4.6 20)" "$(object dog 7.0 8 20 30)" "$(object eel 1.2 1 1.3 48)"
  "$lockstep" run -q -p id.json -i in/JPEGImages -a in/Annotations -o own
  grep -qF '<xmin>2.5</xmin>' own/Annotations/a.xml
  "$lockstep" run -q -p id.json -i in/JPEGImages -a in/Annotations -o out --voc-integers
  # Corners count from 1: 2.5 to 9.5 is 1.5 to 9.5 without the base.
  [ "$(corners out/Annotations/a.xml)" = "<xmin>2<ymin>3<xmax>10<ymax>12<xmin>4<ymin>5<xmax>5<ymax>20<xmin>7<ymin>8<xmax>20<ymax>30<xmin>1<ymin>1<xmax>1<ymax>48" ] ||
    { corners out/Annotations/a.xml; return 1; }
  run ! grep -E '<(xmin|xmax|ymin|ymax)>[^<]*[.e]' out/Annotations/a.xml
  # From another format, and with steps.
  "$lockstep" run -q -p id.json -i in/JPEGImages -a in/Annotations -o coco --to coco --lossy
  jq '.annotations |= (.[:1] | map(.bbox = [3.6, 5, 0.8, 15]))' coco/annotations.json > thin.json
  "$lockstep" run -q -p id.json -i coco/images -a thin.json -o thin --to voc --voc-integers
  [ "$(corners thin/Annotations/a.xml)" = '<xmin>5<ymin>6<xmax>5<ymax>20' ] || { corners thin/Annotations/a.xml; return 1; }
  echo '{"version": 1, "seed": 3, "transforms": [{"type": "Resize", "size": [31, 47]}]}' > resize.json
  for i in "$samples/images -a $samples/annotations.json" "coco/images -a coco/annotations.json"; do
    rm -rf back
    # shellcheck disable=SC2086 # words
    "$lockstep" run -q -p resize.json -i $i -o back --to voc --lossy --voc-integers
    [ "$(grep -rhoE '<(xmin|xmax|ymin|ymax)>[^<]*' back/Annotations | wc -l)" -ge 12 ]
    run ! grep -rE '<(xmin|xmax|ymin|ymax)>[^<]*[.e]' back/Annotations
    python3 - << 'PY'
import glob, xml.etree.ElementTree as e
for f in glob.glob("back/Annotations/**/*.xml", recursive=True):
    for o in e.parse(f).findall("object"):
        x0, y0, x1, y1 = (int(o.find("bndbox/" + c).text) for c in ("xmin", "ymin", "xmax", "ymax"))
        assert x0 <= x1 and y0 <= y1, (f, x0, y0, x1, y1)
PY
  done
  # Another run, and an option that does nothing.
  run -6 --separate-stderr "$lockstep" run -q -p id.json -i in/JPEGImages -a in/Annotations -o out --resume
  [[ $stderr == *"--voc-integers"* ]]
  "$lockstep" replay -q --verify -m out/manifest.jsonl -i in/JPEGImages -a in/Annotations -o out
  run -2 --separate-stderr "$lockstep" run -q -p id.json -i coco/images -a coco/annotations.json -o no --voc-integers
  [[ $stderr == *"needs --to voc"*"[option-unused]"* ]]
}

@test "voc: every source is written as Pascal VOC's folders, whatever the format it came from" {
  local to
  voc a "$(object cat 1 6 20 30)"
  voc b "$(object dog 5 6 20 30)"
  images a.png b.png
  "$lockstep" run -q -p flip.json -i in/JPEGImages -a in/Annotations -o out -n 2
  [ "$(cd out && echo *)" = "Annotations ImageSets JPEGImages labelmap.txt manifest.jsonl run.json" ]
  [ "$(tr '\n' ' ' < out/ImageSets/Main/train.txt)" = "a__a000 a__a001 b__a000 b__a001 " ]
  # The names in the manifest are those of the source, and the values do not depend on the format.
  [ "$(jq -r .source out/manifest.jsonl | sort -u | tr '\n' ' ')" = "a.png b.png " ]
  "$lockstep" run -q -p flip.json -i in/JPEGImages -a in/Annotations -o coco -n 2 --to coco --lossy
  for to in roboflow hf; do
    "$lockstep" run -q -p flip.json -i coco/images -a coco/annotations.json -o $to --to $to
    [ "$(jq -r .output $to/manifest.jsonl | head -n 1)" = train/a__a000.png ]
    "$lockstep" verify -q $to
  done
  diff <(jq -r .key out/manifest.jsonl) <(jq -r .key coco/manifest.jsonl)
  "$lockstep" verify -q out
  "$lockstep" run -q -p id.json -a out -o again
  diff -r -x run.json -x manifest.jsonl out again
  # Shards, and names that are chosen.
  for i in 0 1; do "$lockstep" run -q -p flip.json -i in/JPEGImages -a in/Annotations -o shards -n 2 --shard $i/2; done
  "$lockstep" merge -q shards
  same_tree out shards
  "$lockstep" run -q -p flip.json -i in/JPEGImages -a in/Annotations -o some b.png
  [ "$(cat some/ImageSets/Main/train.txt)" = b ]
  "$lockstep" stats out -i in/JPEGImages -a in/Annotations --json > stats.json
  [ "$(jq .run.before stats.json)" -eq 4 ] || [ "$(jq .run.before stats.json)" -eq 2 ]
}

@test "voc: images that common readers do not open are told, with the way to change them" {
  voc a "$(object cat 1 6 20 30)"
  images a.png b.png
  cp "$samples/images/street/0001.jpg" in/JPEGImages/c.jpeg
  run -0 --separate-stderr "$lockstep" run -p id.json -i in/JPEGImages -a in/Annotations -o out --progress none
  echo "$stderr"
  [[ $stderr == *"note: 2 of 3 images are not .jpg files"*"--format jpeg writes them [layout-suffix]"* ]]
  # A JPEG image gets the suffix that readers add to the name of a list.
  [ -f out/JPEGImages/c.jpg ]
  run -0 --separate-stderr "$lockstep" run -p id.json -i in/JPEGImages -a in/Annotations -o jpeg --progress none --format jpeg
  [[ $stderr != *layout-suffix* ]]
  [ "$(cd jpeg/JPEGImages && echo *)" = "a.jpg b.jpg c.jpg" ]
  "$lockstep" run -q -p id.json -i in/JPEGImages -a in/Annotations -o quiet
  run -0 --separate-stderr "$lockstep" convert -a out -o converted --to voc
  [[ $stderr == *"2 of 3 images are not .jpg files"*'keep their format [layout-suffix]'* ]]
}
