#!/usr/bin/env bats
# `lockstep diff` reports all differences between datasets and between outputs, and no others.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() { begin; }

# edit SEED: makes a.json, and b.json with random changes, in another order and spelling. c.json is b.json with other
# ids. want.json lists the changes.
edit() {
  python3 - "$samples/annotations.json" "$1" << 'PY'
import copy, json, random, sys
source, seed = sys.argv[1:]
r = random.Random(int(seed))
a = json.load(open(source))
b = copy.deepcopy(a)
want = {w: {k: [] for k in ("added", "removed", "changed")} for w in ("categories", "images", "annotations")}
picked = r.sample(b["annotations"], 12)
for o in picked[:4]:
    b["annotations"].remove(o)
    want["annotations"]["removed"].append(o["id"])
for o in picked[4:9]:
    change = r.randrange(4)
    if change == 0:
        o["bbox"][r.randrange(2)] += 0.25
    elif change == 1:
        o["extra"] = {"x": [1, None]}
    elif change == 2:
        o["iscrowd"] = 1 - o.get("iscrowd", 0)
    else:
        o["area"] = o.get("area", 0) + 1
    want["annotations"]["changed"].append(o["id"])
for k in range(3):
    new = copy.deepcopy(r.choice(a["annotations"]))
    new.update(id=9000 + k, bbox=[0.125 + k, 1, 3.5, 4])
    b["annotations"].append(new)
    want["annotations"]["added"].append(9000 + k)
image = r.choice(b["images"])
image["height"] += 1
want["images"]["changed"].append(image["id"])
b["images"].append({"id": 9000, "file_name": "new.jpg", "width": 1, "height": 1})
want["images"]["added"].append(9000)
b["categories"][0]["supercategory"] = "other"
want["categories"]["changed"].append(b["categories"][0]["id"])
def shuffled(x):
    return {k: x[k] for k in r.sample(list(x), len(x))}
for key in ("images", "annotations", "categories"):
    b[key] = [shuffled(x) for x in r.sample(b[key], len(b[key]))]
spelled = lambda x: json.dumps(shuffled(x), indent=r.choice([None, 2]))
json.dump(a, open("a.json", "w"))
open("b.json", "w").write(spelled(b))
ids = {key: {x["id"]: i + 5 for i, x in enumerate(r.sample(b[key], len(b[key])))} for key in ("images", "annotations", "categories")}
for key in ids:
    for x in b[key]:
        x["id"] = ids[key][x["id"]]
for x in b["annotations"]:
    x["image_id"], x["category_id"] = ids["images"][x["image_id"]], ids["categories"][x["category_id"]]
open("c.json", "w").write(spelled(b))
want_c = copy.deepcopy(want)
for key in ids:
    want_c[key]["added"] = [ids[key][i] for i in want[key]["added"]]
for name, w in (("want.json", want), ("want_c.json", want_c)):
    json.dump({key: {k: sorted(v) for k, v in of.items()} for key, of in w.items()}, open(name, "w"))
PY
}

ids='{categories, images, annotations} | map_values({added, removed, changed} | map_values(map(.id) | sort))'

@test "diff: what was added, removed and changed, by ids" {
  local seed
  for seed in 1 2 3 4 5 6; do
    edit "$seed"
    "$lockstep" diff a.json b.json --json > diff.json && return 1
    same_json want.json <(jq "$ids" diff.json)
    "$lockstep" diff b.json a.json --json > back.json && return 1
    same_json <(jq 'map_values({added: .removed, removed: .added, changed})' want.json) <(jq "$ids" back.json)
  done
}

@test "diff: the same by geometry, when every id is another" {
  local seed
  for seed in 1 2 3 4 5 6; do
    edit "$seed"
    "$lockstep" diff a.json c.json --match geometry --json > diff.json && return 1
    same_json want_c.json <(jq "$ids" diff.json)
  done
  "$lockstep" diff b.json c.json --match geometry
  run ! "$lockstep" diff b.json c.json
}

@test "diff: order, spelling and numbers within the tolerance are no difference" {
  edit 1
  "$lockstep" diff a.json a.json
  python3 -c '
import json
d = json.load(open("a.json"))
for a in d["annotations"]:
    a["bbox"] = [v + 0.001 for v in a["bbox"]]
json.dump({k: d[k] for k in sorted(d)}, open("near.json", "w"), indent=1)'
  "$lockstep" diff a.json near.json --tolerance 0.01
  "$lockstep" diff a.json near.json --match geometry --tolerance 0.01
  run -1 "$lockstep" diff a.json near.json --tolerance 0.0001 --max-differences 2
  [ "${lines[0]}" = 'annotations: 59 -> 59; 0 removed, 59 changed, 0 added' ]
  [[ ${lines[1]} == '~ annotation '*': bbox ['*'] -> ['*']' ]]
  [ "${lines[3]}" = '~ and 57 more annotations' ]
  [ ${#lines[@]} -eq 4 ]
  [ "$("$lockstep" diff a.json near.json --json | md5sum)" = "$("$lockstep" diff a.json near.json --json | md5sum)" ]
}

@test "diff: objects that moved, changed places or category are matched by their boxes" {
  echo '{"images": [{"id": 1, "file_name": "a.jpg"}], "categories": [{"id": 1, "name": "cat"}, {"id": 2, "name": "dog"}],
    "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [0, 0, 10, 10]},
      {"id": 2, "image_id": 1, "category_id": 1, "bbox": [2, 0, 10, 10]},
      {"id": 3, "image_id": 1, "category_id": 2, "bbox": [50, 50, 10, 10]},
      {"id": 4, "image_id": 1, "category_id": 1, "bbox": [90, 90, 10, 10]},
      {"id": 5, "image_id": 1, "caption": "one"}, {"id": 6, "image_id": 1, "caption": "two"}]}' > a.json
  echo '{"images": [{"id": 7, "file_name": "a.jpg"}], "categories": [{"id": 1, "name": "dog"}, {"id": 2, "name": "cat"}],
    "annotations": [{"id": 11, "image_id": 7, "category_id": 2, "bbox": [2, 0, 10, 9]},
      {"id": 12, "image_id": 7, "category_id": 2, "bbox": [0, 0, 10, 9]},
      {"id": 13, "image_id": 7, "category_id": 2, "bbox": [50, 50, 10, 10]},
      {"id": 14, "image_id": 7, "category_id": 2, "bbox": [96, 96, 10, 10]},
      {"id": 15, "image_id": 7, "caption": "two"}, {"id": 16, "image_id": 7, "caption": "three"}]}' > b.json
  run -1 "$lockstep" diff a.json b.json --match geometry --json
  [ "$(jq -c '[.annotations.changed[] | [.id, .id_after, .members[].name]]' <<< "$output")" = \
    '[[1,12,"bbox"],[2,11,"bbox"],[3,13,"category"],[5,16,"caption"]]' ]
  [ "$(jq -c '[.annotations.removed[].id, .annotations.added[].id]' <<< "$output")" = '[4,14]' ]
  run -1 "$lockstep" diff a.json b.json --match geometry --iou 0.05 --json
  [ "$(jq -c '[.annotations.removed[].id, .annotations.added[].id]' <<< "$output")" = '[]' ]
}

@test "diff: outputs of runs with their images, folders of labels, panoptic files and results" {
  pipeline id.json ''
  pipeline flip.json '{"type": "horizontal_flip"}'
  jq '.annotations |= map({id, image_id, category_id, bbox} | .iscrowd = 0 | .area = .bbox[2] * .bbox[3])' "$samples/annotations.json" > boxes.json
  "$lockstep" run -q -p id.json -i "$samples/images" -a boxes.json -o a
  "$lockstep" run -q -p id.json -i "$samples/images" -a boxes.json -o b
  "$lockstep" diff a b
  printf x >> b/images/street/0001.jpg
  rm b/images/street/0002.jpg
  run -1 "$lockstep" diff a b
  [ "$(paste -sd' ' <<< "$output")" = 'files: 1 removed, 1 changed, 0 added - file images/street/0002.jpg ~ file images/street/0001.jpg' ]
  "$lockstep" run -q -p id.json -i "$samples/images" -a boxes.json --to yolo --lossy -o yolo
  "$lockstep" run -q -p id.json -i "$samples/images" -a boxes.json --to yolo --lossy -o again
  "$lockstep" run -q -p flip.json -i "$samples/images" -a boxes.json --to yolo --lossy -o flipped
  "$lockstep" diff yolo again
  "$lockstep" diff yolo/labels again/labels -i yolo/images
  run -1 "$lockstep" diff yolo flipped --iou 0.01
  grep -q '^~ annotation [a-z ]* \[.*\] of .*: coordinates \[' <<< "$output"
  run "$lockstep" diff a/annotations.json yolo --tolerance 0.001 --json
  [ "$(jq -c '[.annotations | .added, .removed, .changed | length]' <<< "$output")" = '[0,0,0]' ]
  echo '[{"image_id": 1, "category_id": 4, "bbox": [1, 2, 3, 4], "score": 0.5}, {"image_id": 2, "category_id": 4, "bbox": [1, 2, 3, 4], "score": 0.1}]' > r.json
  jq -c 'reverse | .[1].score = 0.25' r.json > s.json
  run -1 "$lockstep" diff r.json s.json
  [ "${lines[1]}" = '~ annotation  [1, 2, 3, 4] of : score 0.5 -> 0.25' ]
  echo '{"images": [{"id": 1, "file_name": "a.png"}, {"id": 2, "file_name": "b.png"}], "categories": [{"id": 4, "name": "sky"}],
    "annotations": [{"image_id": 1, "segments_info": [{"id": 7, "category_id": 4, "area": 12}]},
      {"image_id": 2, "segments_info": [{"id": 7, "category_id": 4, "area": 13}]}]}' > p.json
  jq '.annotations |= reverse | .annotations[0].segments_info[0].area = 14' p.json > q.json
  run -1 "$lockstep" diff p.json q.json
  [ "${lines[1]}" = '~ annotation 7 sky of b.png: area 13 -> 14' ]
}

@test "diff: an output's file that cannot be read is not compared, and a pipe is not waited for" {
  local name=street/0001.jpg
  pipeline id.json ''
  for out in a b; do "$lockstep" run -q -p id.json -i "$samples/images" -a "$samples/annotations.json" -o $out; done
  rm b/images/$name
  ln -s 0001.jpg b/images/$name
  run -4 --separate-stderr "$lockstep" diff a b
  [[ -z $output && $stderr = *"b/images/$name: "*'[out-unreadable]' ]]
  rm b/images/$name
  mkfifo b/images/$name
  run -4 --separate-stderr timeout 20 "$lockstep" diff a b
  [[ -z $output && $stderr = *"b/images/$name: it is not a regular file"*'[out-unreadable]' ]]
}

@test "diff: what cannot be read is not compared; names cannot steer the terminal" {
  echo '{"images": [7], "annotations": [], "categories": []}' > bad.json
  echo '{"images": [], "annotations": [], "categories": []}' > none.json
  run -4 --separate-stderr "$lockstep" diff bad.json none.json
  [ -z "$output" ]
  run -4 "$lockstep" diff none.json missing.json
  run -2 "$lockstep" diff none.json
  run -2 "$lockstep" diff none.json none.json none.json
  "$lockstep" diff none.json none.json
  python3 -c '
import json
json.dump({"images": [{"id": 1, "file_name": "\x1b[31m\n\u202e\x9b"}], "categories": [{"id": 1, "name": "\x1b]0;x\x07"}],
  "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 1, 2, 2], "\x1b\n": "\x1b\u202e"}]}, open("evil.json", "w"))'
  run -1 "$lockstep" diff none.json evil.json
  printf '%s\n' "$output" > out.txt
  "$lockstep" diff evil.json <(sed 's/"bbox": \[1/"bbox": [2/; s/u202e"/u202d"/' evil.json) >> out.txt || [ $? -eq 1 ]
  [ "$(grep -c 'u202' out.txt)" -gt 2 ]
  run ! grep -qP '[\x00-\x09\x0b-\x1f]|\xe2\x80|\xc2\x9b' out.txt
}

@test "diff: objects of one image are matched by geometry, however many they are and however they lie" {
  # In each pair one box contains the other, at its left, right, upper or lower side, with an IoU just above or below
  # 0.5. The pairs are disjoint, in a row, a column or a grid.
  local columns
  for columns in 1 140 20000; do
    python3 - $columns > want << 'PY'
import json, random, sys
r, columns = random.Random(1), int(sys.argv[1])
a, b, below = [], [], 0
for i in range(20000):
    x, y, share = i % columns * 50, i // columns * 50, r.choice([0.51, 0.49])
    below += share < 0.5
    w, h = (share * 40, 40) if i % 2 else (40, share * 40)
    pair = [[x, y, 40, 40], [x + r.choice([0, 40 - w]), y + r.choice([0, 40 - h]), w, h]]
    r.shuffle(pair)
    a.append(pair[0])
    b.append(pair[1])
r.shuffle(b)
for name, boxes in ("a.json", a), ("b.json", b):
    json.dump({"images": [{"id": 1, "file_name": "a.jpg", "width": 1000000, "height": 1000000}],
               "categories": [{"id": 1, "name": "cat"}],
               "annotations": [{"id": i, "image_id": 1, "category_id": 1, "bbox": box} for i, box in enumerate(boxes)]},
              open(name, "w"))
print(20000 - below, below, below)
PY
    run -1 --separate-stderr "$lockstep" diff a.json b.json --match geometry --json
    diff want <(jq -r '.annotations | [.changed, .removed, .added | length] | join(" ")' <<< "$output")
  done
}
