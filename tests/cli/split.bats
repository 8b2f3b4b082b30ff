#!/usr/bin/env bats
# split: a COCO file in parts: by a hash of names, by groups, or stratified.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
}

# dataset N: names like clip007/0003.jpg, ids in no order, categories rare and frequent, odd numbers.
dataset() {
  python3 - "$1" << 'END'
import random, sys
rng, n = random.Random(3), int(sys.argv[1])
ids = rng.sample(range(10 * n), n)
images = [f'{{"id": {ids[i]}, "file_name": "clip{i // 7:03}/{i:05}.jpg", "width": 64, "height": 48, "x": 1.50}}' for i in range(n)]
notes, k = [], 0
for i in range(n):
    for c in [1] * rng.randrange(4) + [2] * (rng.random() < 0.3) + [3] * (rng.random() < 0.05):
        k += 1
        notes.append(f'{{"id": {k}, "image_id": {ids[i]}, "category_id": {c}, "bbox": [1.0, 2e0, 3, {rng.random()}], "area": 30.10, "iscrowd": 0}}')
rng.shuffle(notes)
print('{"info": {"a": 1.0}, "images": [%s], "annotations": [%s], "categories": [%s]}' % (
    ", ".join(images), ", ".join(notes), ", ".join('{"id": %d, "name": "c%d"}' % (c, c) for c in (1, 2, 3))))
END
}

# whole FILE DIR: the parts have each element of the file once, byte for byte and in order, and no other.
whole() {
  python3 - "$1" "$2" << 'END'
import glob, json, re, sys
def elements(path):
    # The tokens of numbers are kept when json reads the numbers as strings.
    keep = lambda token: "#" + token
    data = json.load(open(path), parse_int=keep, parse_float=keep)
    return data
all_, parts = elements(sys.argv[1]), [elements(p) for p in sorted(glob.glob(sys.argv[2] + "/*.json"))]
where = {}
for n, part in enumerate(parts):
    assert part["categories"] == all_["categories"] and part["info"] == all_["info"] and list(part) == list(all_)
    for image in part["images"]:
        assert image["id"] not in where
        where[image["id"]] = n
for n, part in enumerate(parts):
    assert part["images"] == [i for i in all_["images"] if where[i["id"]] == n]
    assert part["annotations"] == [a for a in all_["annotations"] if where[a["image_id"]] == n]
assert len(where) == len(all_["images"])
END
}

names() { jq -r '.images[].file_name' "$1" | sort; }

@test "split: every element goes to one part as it stands, in shares that chance explains" {
  dataset 4000 > a.json
  "$lockstep" split -a a.json -o parts > said
  whole a.json parts
  python3 - << 'END'
import json, math
for name, share in (("train", 0.8), ("val", 0.1), ("test", 0.1)):
    n = len(json.load(open(f"parts/{name}.json"))["images"])
    assert abs(n - 4000 * share) <= 4 * math.sqrt(4000 * share * (1 - share)), (name, n)
END
  [ "$(wc -l < said)" -eq 3 ]
  grep -q "^parts/val.json: $(jq '.images | length' parts/val.json) images, $(jq '.annotations | length' parts/val.json) annotations$" said
  "$lockstep" split -a "$samples/annotations.json" -o small --ratio 1:1 > /dev/null
  whole "$samples/annotations.json" small
}

@test "split: an image stays in its part whatever is added, removed, reordered or renumbered" {
  dataset 700 > a.json
  "$lockstep" split -a a.json -o one > /dev/null
  jq -c '.images |= (map(.id += 5) | reverse) | .images += [range(50) | {id: (90000 + .), file_name: "new/\(.).jpg", width: 1, height: 1}]
    | .annotations |= map(.image_id += 5)' a.json > b.json
  "$lockstep" split -a b.json -o two > /dev/null
  for part in train val test; do
    diff <(names one/$part.json) <(names two/$part.json | grep -v ^new/)
  done
  "$lockstep" split -a a.json -o other --seed 1 > /dev/null
  run ! diff -q one/train.json other/train.json
}

@test "split: groups are kept together" {
  dataset 1400 > a.json
  "$lockstep" split -a a.json -o folders --ratio 50:50 --group-by '^[^/]+' > /dev/null
  "$lockstep" split -a a.json -o first --ratio 50:50 --group-by '^([^/]+)/' > /dev/null
  diff -r folders first
  whole a.json folders
  [ -z "$(comm -12 <(names folders/train.json | cut -d/ -f1 | uniq) <(names folders/val.json | cut -d/ -f1 | uniq))" ]
  [ "$(jq '.images | length' folders/val.json)" -gt 500 ]
  run -2 --separate-stderr "$lockstep" split -a a.json -o x --group-by '('
  [[ $stderr == *'--group-by'*'[option-value]'* ]]
}

@test "split: stratified shares are exact, and of each category nearly so" {
  dataset 1003 > a.json
  "$lockstep" split -a a.json -o parts --stratify --ratio 70:20:10 > /dev/null
  whole a.json parts
  python3 - << 'END'
import json
parts = [json.load(open(f"parts/{n}.json")) for n in ("train", "val", "test")]
assert [len(p["images"]) for p in parts] == [702, 201, 100], [len(p["images"]) for p in parts]
for c in 1, 2, 3:
    counts = [sum(a["category_id"] == c for a in p["annotations"]) for p in parts]
    for n, share in zip(counts, (0.7, 0.2, 0.1)):
        assert abs(n - share * sum(counts)) <= 3, (c, counts)
END
  "$lockstep" split -a a.json -o groups --stratify --ratio 1:1 --group-by '^[^/]+' > /dev/null
  whole a.json groups
  [ -z "$(comm -12 <(names groups/train.json | cut -d/ -f1 | uniq) <(names groups/val.json | cut -d/ -f1 | uniq))" ]
}

@test "split: captions, panoptic segments, no annotations, and an empty list" {
  python3 "$here/tools/panoptic.py" draw data
  "$lockstep" split -a data/panoptic.json -o panoptic --ratio 1:1 > /dev/null
  whole data/panoptic.json panoptic
  for file in '{"images": [{"id": 1, "file_name": "a"}], "annotations": [{"image_id": 1, "caption": "b"}], "categories": [], "info": {}}' \
    '{"images": [], "annotations": [], "categories": [], "info": 1}'; do
    echo "$file" > a.json
    "$lockstep" split -a a.json -o out --overwrite --stratify > /dev/null
    whole a.json out
  done
  echo '{"images": [{"id": 1, "file_name": "a"}]}' | "$lockstep" split -a - -o bare
  [ "$(cat bare/*.json | jq -s 'map(.images | length) | add')" -eq 1 ]
}

@test "split: what cannot be divided is refused at its place, and nothing is written" {
  refused() {
    run "-$1" --separate-stderr "$lockstep" split -a a.json -o out "${@:3}"
    [[ $stderr == *"[$2]"* ]] || { echo "$stderr"; return 1; }
    [ ! -e out ]
  }
  echo '{"images": [{"id": 1, "file_name": "a"}, {"id": 1, "file_name": "b"}]}' > a.json && refused 4 coco-id-twice
  echo '{"images": [], "annotations": [{"image_id": 3}]}' > a.json && refused 4 coco-image-unknown
  [[ $stderr == a.json:1:* ]]
  echo '{"images": [{"id": 1}]}' > a.json && refused 4 coco-missing-key
  echo '{"images": 1}' > a.json && refused 4 coco-type
  echo '[1]' > a.json && refused 4 coco-root
  echo '{"images": [' > a.json && refused 4 json-syntax
  rm a.json && refused 4 annotations-unread
  for ratio in 1 0:1 1:-1 a:b 1: :1 '' 1:nan 1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1:1; do
    refused 2 option-value --ratio "$ratio"
  done
  refused 2 option-value --part-names a,b
  refused 2 option-value --ratio 1:1 --part-names a,a
  refused 2 option-value --ratio 1:1 --part-names a,../b
}

@test "split: files that exist stay, unless they are to be replaced" {
  dataset 20 > a.json
  mkdir out && echo mine > out/val.json
  run -6 --separate-stderr "$lockstep" split -a a.json -o out
  [[ $stderr == *'out/val.json'*'[out-occupied]'* ]]
  [ "$(ls out)" = val.json ] && [ "$(cat out/val.json)" = mine ]
  "$lockstep" split -a a.json -o out --overwrite > /dev/null
  whole a.json out
  [ "$(find out | wc -l)" -eq 4 ]
}

# together DIR: no name in the parts of DIR, without the suffix from __a on, is in two parts; and more than one part has
# images.
together() {
  python3 - "$1" << 'END'
import glob, json, re, sys
sides = [{re.sub(r"(__a\d+)+\.", ".", i["file_name"]) for i in json.load(open(p))["images"]} for p in glob.glob(sys.argv[1] + "/*.json")]
assert not set.intersection(*sides) and all(sides), sides
END
}

# outputs OUT OPTIONS...: a run of the samples.
outputs() {
  pipeline flip.json '{"type": "RandomHorizontalFlip"}'
  "$lockstep" run -q -p flip.json -i "$samples/images" -a "$samples/annotations.json" -o "$@"
}

@test "split: the outputs of one source stay together, by the manifest or by their names" {
  outputs copies -n 12
  run -0 --separate-stderr "$lockstep" split -a copies/annotations.json -o copies/parts --ratio 1:1
  [[ $stderr == *'outputs of one source stay together: 180 images in 15 groups;'* ]] || { echo "$stderr"; return 1; }
  whole copies/annotations.json copies/parts && together copies/parts
  # Without the manifest their names say it, and the parts are the same; so are those of the sources.
  "$lockstep" split -a - -o named --ratio 1:1 < copies/annotations.json > /dev/null
  diff -r copies/parts named
  "$lockstep" split -a "$samples/annotations.json" -o sources --ratio 1:1 > /dev/null
  diff <(names sources/val.json) <(names named/val.json | sed 's/__a0../#/; s/#//' | sort -u)
  "$lockstep" split -a copies/annotations.json -o exact --ratio 2:1 --stratify > /dev/null
  together exact
  # An output of outputs, and originals among the copies.
  "$lockstep" run -q -p flip.json -i copies/images -a copies/annotations.json -n 2 --include-original -o again
  rm again/manifest.jsonl
  "$lockstep" split -a again/annotations.json -o again/parts --ratio 1:1 > /dev/null
  together again/parts
  # Asked for, each image goes by itself.
  run -0 --separate-stderr "$lockstep" split -a copies/annotations.json -o apart --ratio 1:1 --group-by '.*'
  [ -z "$stderr" ]
  run ! together apart
}

@test "split: names that a template made are known by the manifest alone" {
  outputs out -n 6 --name-template '{copy}/{dir}-{stem}'
  "$lockstep" split -a out/annotations.json -o parts --ratio 1:1 > /dev/null
  python3 - << 'END'
import json
source = {l["output"][len("images/"):]: l["source"] for l in map(json.loads, open("out/manifest.jsonl"))}
sides = [{source[i["file_name"]] for i in json.load(open(f"parts/{p}.json"))["images"]} for p in ("train", "val")]
assert sides[0] and sides[1] and not sides[0] & sides[1], sides
END
}

@test "split: a manifest of something else beside the file, and names like those of copies, are taken for what they are" {
  dataset 60 > a.json
  "$lockstep" split -a a.json -o one > /dev/null
  printf '%s\n' '{"audio_filepath": "a.wav"}' '' 'no JSON' '[1]' '{"output": 3, "source": "a"}' '{"output": "clip000/00001.jpg", "source": "b"}' > manifest.jsonl
  run -0 --separate-stderr "$lockstep" split -a a.json -o two
  [ -z "$stderr" ] && diff -r one two
  jq -nc '{images: [["x__a01.jpg", "x__a1.jpg", "x__b001.jpg", "__a001.jpg", "d/__a002.jpg", "x_a001.jpg", "x__a001y.jpg"] | to_entries[] |
    {id: .key, file_name: .value}]}' > odd.json
  run -0 --separate-stderr "$lockstep" split -a odd.json -o odd
  [ -z "$stderr" ] || { echo "$stderr"; return 1; }
}

@test "split: an expression that matches no name is refused, and one that matches some says how many" {
  dataset 30 > a.json
  refuses group-unmatched 2 "$lockstep" split -a a.json -o out --group-by '^video([0-9]+)'
  [[ $stderr == *'no file name of 30, as "clip0'* ]] && [ ! -e out ]
  run -0 --separate-stderr "$lockstep" split -a a.json -o out --group-by '^clip00[0-2]'
  [[ $stderr == 'lockstep split: --group-by does not match 9 of 30 file names' ]]
  echo '{"images": []}' > none.json
  "$lockstep" split -a none.json -o none --group-by x > /dev/null
}
