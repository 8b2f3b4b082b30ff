#!/usr/bin/env bats
# `lockstep stats`: an independent program confirms the counts, on typical files.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() { begin; }

# counted FILE: the counts of a COCO file equal counts that Python makes from their definitions.
counted() {
  "$lockstep" stats "$1" --json > stats.json
  python3 "$here/tools/dataset_stats.py" "$1" stats.json
}

# random SEED: a COCO file with everything that is counted, at the limits of its bins too.
random() {
  python3 - "$1" << 'PY'
import json, random, sys
r = random.Random(int(sys.argv[1]))
sides = [0, 1, 20, 31, 32, 33, 50, 95, 96, 97, 160, 0.5, 30.25]
images = [{"id": 3 * i + 1, "file_name": f"{i}.jpg", **({} if i % 7 == 3 else {"width": r.choice([320, 640]),
           "height": r.choice([240, 480, 640])})} for i in range(60)]
categories = [{"id": 5 * c, "name": f"class {c}"} for c in range(1, 9)]
categories[2]["keypoints"] = ["nose", "left_eye", "right_eye"]
annotations = []
for i in range(900):
    a = {"id": i + 1, "image_id": r.choice(images)["id"] if i % 50 else 99999, "category_id": r.choice(categories[:7])["id"]}
    if i % 11:
        a["bbox"] = [r.uniform(-20, 640), r.uniform(-20, 640), r.choice(sides), r.choice(sides)]
    if i % 3:
        a["area"] = r.choice([0, 1, 1023.9, 1024, 9215.5, 9216, 1e5, a.get("bbox", [0] * 4)[2] * a.get("bbox", [0] * 4)[3] * r.random()])
    if i % 4 == 0:
        a["segmentation"] = r.choice([[], [[1, 1, 9, 1, 9, 9]], {"size": [4, 4], "counts": [0, 16]}])
    if i % 5 == 0:
        a["iscrowd"] = r.randrange(2)
    if a["category_id"] == 15:
        a["keypoints"] = [v for k in range(3) for v in (r.randrange(99), r.randrange(99), r.randrange(3))]
    annotations.append(a)
json.dump({"annotations": annotations, "images": images, "categories": categories}, open("random.json", "w"))
PY
}

@test "stats: the same counts as an independent program's" {
  local seed
  counted "$samples/annotations.json"
  for seed in 1 2 3 4 5 6 7 8; do
    random "$seed"
    counted random.json
  done
  [ "$(jq '[.positions[][]] | add' stats.json)" -gt 300 ]
}

@test "stats: the text has a line for each count, the page a plot for each" {
  random 1
  "$lockstep" stats random.json > stats.txt
  "$lockstep" stats random.json --json > stats.json
  grep -qx 'random.json: coco, 60 images, 900 objects, 8 categories' stats.txt
  [ "$(grep -cE '^ +[0-9]+  #+ +class [0-9]' stats.txt)" -eq 7 ]
  grep -q '1 of 8 categories have no objects' stats.txt
  [ "$(sed -n '/^Sizes of objects/,/^$/p' stats.txt | awk '$NF ~ /small|medium|large|unknown/ { print $1 }' | paste -sd,)" = \
    "$(jq -r '.sizes | [.small, .medium, .large, .unknown] | join(",")' stats.json)" ]
  grep -qE '^ +[0-9]+ +[0-9]+ +[0-9]+  left_eye$' stats.txt
  "$lockstep" stats random.json --html stats.html
  python3 - << 'PY'
import html.parser, re, xml.etree.ElementTree as tree
page = open("stats.html").read()
class Strict(html.parser.HTMLParser):
    open, seen = [], []
    def handle_starttag(self, tag, attributes):
        self.seen.append(tag)
        assert not any(name in ("src", "href") or name.startswith("on") for name, _ in attributes), attributes
        if tag not in ("meta",):
            self.open.append(tag)
    def handle_startendtag(self, tag, attributes):
        self.seen.append(tag)
    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag
parser = Strict()
parser.feed(page)
assert not parser.open and "script" not in parser.seen
plots = [tree.fromstring(svg) for svg in re.findall(r"<svg.*?</svg>", page, re.S)]
assert len(plots) == 7, len(plots)
bars = [len(plot.findall("{*}rect")) for plot in plots]
assert bars[0] == 7 and bars[1] == 4 and bars[6] > 100, bars
PY
}

@test "stats: folders of labels count as the COCO file that they are of" {
  local to
  pipeline id.json ''
  jq '.annotations |= map({id, image_id, category_id, bbox} | .iscrowd = 0 | .area = .bbox[2] * .bbox[3])' \
    "$samples/annotations.json" > boxes.json
  "$lockstep" stats boxes.json --json | jq '[.images, .objects, .boxes, .image_sizes, .objects_per_image]' > coco.json
  for to in yolo voc; do
    "$lockstep" run -q -p id.json -i "$samples/images" -a boxes.json --to $to --lossy -o $to
    "$lockstep" stats $to --json > $to.json
    [ "$(jq -r .format $to.json)" = "$to" ]
    same_json coco.json <(jq '[.images, .objects, .boxes, .image_sizes, .objects_per_image]' $to.json)
  done
  "$lockstep" stats yolo/labels -i yolo/images --classes yolo/data.yaml --json > parts.json
  same_json yolo.json parts.json 'del(.file, .run)'
  "$lockstep" run -q -p id.json -i "$samples/images" -a boxes.json -o coco
  "$lockstep" stats coco --json > out.json
  "$lockstep" stats coco/annotations.json --json > file.json
  same_json out.json file.json 'del(.run)'
}

@test "stats: panoptic files and results are counted by their objects" {
  echo '{"images": [{"id": 1, "file_name": "a.png", "width": 9, "height": 9}], "categories": [{"id": 4, "name": "sky"}],
    "annotations": [{"image_id": 1, "file_name": "a.png", "segments_info": [
      {"id": 7, "category_id": 4, "area": 12, "bbox": [0, 0, 4, 4], "iscrowd": 0},
      {"id": 8, "category_id": 4, "area": 2000, "bbox": [4, 4, 3, 3], "iscrowd": 1}]}]}' > panoptic.json
  "$lockstep" stats panoptic.json --json > stats.json
  [ "$(jq -c '[.format, .objects, .crowds, .sizes.small, .sizes.medium, .categories[0].images]' stats.json)" = '["coco_panoptic",2,1,1,1,1]' ]
  echo '[{"image_id": 1, "category_id": 4, "bbox": [1, 2, 3, 4], "score": 0.5}]' > results.json
  "$lockstep" stats results.json --json > stats.json
  [ "$(jq -c '[.format, .objects, .of_unknown_images, .categories[0].objects]' stats.json)" = '["coco_results",1,1,1]' ]
}

@test "stats: a part that cannot be read is left out, and said" {
  echo '{"images": [{"id": 1, "file_name": "a.jpg", "width": "x", "height": 4}, 7],
    "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 2, 3]}, null,
      {"id": "2", "image_id": 1.0, "category_id": 1, "bbox": [1, 1, 4, 4], "iscrowd": true, "keypoints": [1]},
      {"id": 3, "id": 3, "image_id": {}, "category_id": 2}],
    "categories": [{"id": 1, "name": "a"}]}' > bad.json
  run -1 --separate-stderr "$lockstep" stats bad.json --json
  [ "$(jq -c '[.images, .objects, .boxes, .crowds, .unread, .of_unknown_images]' <<< "$output")" = '[1,3,1,1,7,1]' ]
  [[ $stderr == *'7 parts of bad.json could not be read'*'bad.json:1:'*'[survey-partial]'* ]]
  # Numbers that JSON does not have, as Python writes them.
  echo '{"images": [{"id": 1, "file_name": "a.jpg", "width": 40, "height": 30}], "categories": [{"id": 1, "name": "a"}],
    "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, NaN, 3, 4], "area": 12},
      {"id": 2, "image_id": 1, "category_id": 1, "bbox": [1, 2, 3, 4], "area": -Infinity},
      {"id": 3, "image_id": 1, "category_id": 1, "bbox": [1, 2, 3, 4], "area": 12, "score": Infinity}]}' > nan.json
  run -1 --separate-stderr "$lockstep" stats nan.json --json
  [ "$(jq -c '[.objects, .boxes, .unread]' <<< "$output")" = '[3,2,2]' ]
  [[ $stderr == *'2 parts of nan.json could not be read'*'[survey-partial]'* ]]
  for word in NaNa nan +1 Inf; do
    echo "{\"images\": [], \"annotations\": [$word]}" > word.json
    run -4 --separate-stderr "$lockstep" stats word.json
    [ -z "$output" ]
  done
  echo '{"images": [], "annotations": [' > cut.json
  run -4 --separate-stderr "$lockstep" stats cut.json
  [ -z "$output" ]
  [[ $stderr == *'[json-syntax]'* ]]
  echo '{}' > empty.json
  run -4 --separate-stderr "$lockstep" stats empty.json
  [[ $stderr == *'[coco-missing-key]'* ]]
  run -4 "$lockstep" stats none.json
  run -2 "$lockstep" stats
  run -2 "$lockstep" stats bad.json --html
  run -2 "$lockstep" stats bad.json --json --html -
  echo '{"images": [], "annotations": [], "categories": []}' > none.json
  "$lockstep" stats none.json > stats.txt
  "$lockstep" stats none.json --html stats.html
  grep -q 'least 0, median 0, mean 0.00, most 0' stats.txt
}

@test "stats: names from the file cannot steer the terminal or the page" {
  python3 - << 'PY'
import json
name = "\x1b[31m\n<script>alert(1)</script>\u202e&\"'\x9b\x00"
json.dump({"images": [{"id": 1, "file_name": name[:-1], "width": 9, "height": 9}],
           "categories": [{"id": 1, "name": name[:-1], "keypoints": [name[:-1]]}],
           "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 1, 2, 2], "keypoints": [1, 1, 2]}]},
          open("evil.json", "w"))
PY
  cp evil.json $'evil\e[31m<b>.json'
  "$lockstep" stats $'evil\e[31m<b>.json' > stats.txt
  run ! grep -qP '[\x00-\x09\x0b-\x1f]|\xe2\x80\xae|\xc2\x9b' stats.txt
  grep -qF '\x1b[31m' stats.txt
  "$lockstep" stats $'evil\e[31m<b>.json' --html stats.html
  run ! grep -qP '[\x00-\x09\x0b-\x1f]|\xe2\x80\xae|\xc2\x9b|<script|<b>' stats.html
  grep -qF '&lt;script' stats.html
}
