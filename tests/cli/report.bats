#!/usr/bin/env bats
# `lockstep stats OUT --html`: what a run made of its source, on one page.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() { begin; }

drops='{"type": "RandomHorizontalFlip"}, {"type": "RandomResizedCrop", "size": [200, 150]}, {"type": "ColorJitter", "brightness": 0.4}'

# run_to OUT OPTION...: a run of the samples, with a pipeline that drops objects for several reasons.
run_to() {
  printf '{"version": 1, "seed": 7, "annotations": {"min_visibility": 0.4, "min_area": 60}, "transforms": [%s]}\n' "$drops" > drops.json
  "$lockstep" run -q -p drops.json -i "$samples/images" -a "$samples/annotations.json" -o "$@"
}

# report OUT OPTION...: writes page.html and report.json.
report() { "$lockstep" stats "$@" --html page.html --json --overwrite > report.json; }

# page_has WORDS...: the text of page.html has them.
page_has() {
  python3 - "$@" << 'PY'
import sys
from report_page import Page
text = Page("page.html").text()
for words in sys.argv[1:]:
    assert words in text, (words, text[:2000])
PY
}

@test "report: the counts of the page are those of --json, of both annotation files and of the manifest" {
  run_to out -n 3
  report out -i "$samples/images" -a "$samples/annotations.json"
  python3 "$here/tools/report_counts.py" page.html report.json "$samples/annotations.json" out/annotations.json out/manifest.jsonl
  [ "$(jq '.run.reasons | length' report.json)" -ge 3 ]
  [ "$(jq '[.run.categories[] | select(.dropped > 0)] | length' report.json)" -ge 6 ]
  # The same numbers as without a run.
  "$lockstep" stats "$samples/annotations.json" --json > before.json
  same_json <(jq '[.categories[] | [.name, .objects]]' before.json) <(jq '[.run.categories[] | [.name, .before]]' report.json)
  "$lockstep" stats out/annotations.json --json > after.json
  same_json <(jq . after.json) <(jq 'del(.run)' report.json)
  # A run of some images with their originals: only these images count.
  run_to some -n 8 --include-original --limit 6
  report some -i "$samples/images" -a "$samples/annotations.json"
  jq --slurpfile m <(jq -s . some/manifest.jsonl) '([$m[0][].source] | unique) as $names |
    ([.images[] | select(.file_name as $n | $names | index($n)) | .id]) as $ids |
    .annotations |= map(select(.image_id as $i | $ids | index($i)))' "$samples/annotations.json" > six.json
  python3 "$here/tools/report_counts.py" page.html report.json six.json some/annotations.json some/manifest.jsonl
  [ "$(jq .run.sources report.json)" -eq 6 ]
}

@test "report: values of steps are those of the manifest, also inside joins and policies" {
  local steps
  for steps in "$drops" '{"type": "Mosaic"}, {"type": "GaussNoise"}' \
    '{"type": "RandAugment"}' '{"type": "Resize", "size": [40, 30]}' '{"type": "MixUp"}, {"type": "RandomRotation", "degrees": 20}'; do
    pipeline p.json "$steps"
    "$lockstep" run -q -p p.json -i "$samples/images" -a "$samples/annotations.json" -o out --overwrite -n 4
    report out
    python3 "$here/tools/report_values.py" report.json out/manifest.jsonl
  done
}

@test "report: the page loads nothing, runs one script, and is readable without it" {
  run_to out -n 3
  report out -i "$samples/images" -a "$samples/annotations.json"
  python3 - << 'PY'
import base64, hashlib, re
from report_page import Page
page = Page("page.html")
for tag, name, value in page.attributes:
    assert not name.startswith("on") and name != "href" and (name != "src" or value.startswith("data:image/jpeg;base64,")), (tag, name)
    assert (tag, name) != ("img", "alt") or len(value) > 10, value
assert page.tags.count("script") == 1 and page.tags.count("img") == 24 + 9, page.tags.count("img")
script = re.search(r"<script>(.*?)</script>", page.source, re.S).group(1)
digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
assert f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-{digest}'" in page.source
# Without the script, only its own buttons are hidden.
assert sum(1 for _, name, _ in page.attributes if name == "hidden") == 2
assert page.source.count('<figure class="pair"') == 12
assert "http" not in re.sub(r"http://www.w3.org/2000/svg|http-equiv|base64,[^\"]*", "", page.source)
for data in re.findall(r"data:image/jpeg;base64,([A-Za-z0-9+/=]*)\"", page.source):
    assert base64.b64decode(data, validate=True)[:3] == b"\xff\xd8\xff"
assert "prefers-color-scheme: dark" in page.source
PY
  [ "$(stat -c %s page.html)" -lt 3000000 ]
}

@test "report: pictures show the labels of both images, and the largest dropped objects" {
  run_to out
  report out -i "$samples/images" -a "$samples/annotations.json"
  python3 - "$samples/annotations.json" << 'PY'
import json, re, sys
page = open("page.html").read()
before, after = json.load(open(sys.argv[1])), json.load(open("out/annotations.json"))
lines = [json.loads(line) for line in open("out/manifest.jsonl")]
def boxes(file, id): return sum(a["image_id"] == id and "bbox" in a for a in file["annotations"])
shown = 0
for figure in re.findall(r'<figure class="pair".*?</figure>', page, re.S):
    source, output = re.findall(r"<code>(.*?)</code>", figure)
    line = next(x for x in lines if x["output"] == output)
    assert line["source"] == source
    shots = figure.split('<div class="shot">')[1:]
    assert [s.count("<rect") for s in shots] == [boxes(before, line["from"]), boxes(after, line["image_id"])], output
    shown += 1
assert shown == 12
# The first dropped object of each reason is the largest of the source.
area = {a["id"]: a.get("area", a["bbox"][2] * a["bbox"][3] if "bbox" in a else 0) for a in before["annotations"]}
cases = re.findall(r"<figcaption>[^<]*?: (\d+) square pixels in \S+, dropped in \S+ \((\w+)", page)
for reason in {d["reason"] for x in lines for d in x["dropped"]}:
    largest = max(area[d["from"]] for x in lines for d in x["dropped"] if d["reason"] == reason)
    assert abs(max(int(n) for n, r in cases if r == reason) - largest) <= 1, reason
PY
}

@test "report: names from files are neither markup nor script" {
  python3 - << 'PY'
import json
names = ["<script>alert(1)</script>", "\"quo'tes\" &amp; </td>", "\U0001f697 car", "x" * 300, "\u0645\u0631\u062d\u0628\u0627",
         "\u202eevil", "</script><!--", "\x1b[31m\n", "' onload='x"]
json.dump({"images": [{"id": 1, "file_name": "street/0001.jpg", "width": 640, "height": 480}],
           "categories": [{"id": i + 1, "name": n} for i, n in enumerate(names)],
           "annotations": [{"id": i + 1, "image_id": 1, "category_id": i + 1, "bbox": [60 * i, 50, 50, 50], "area": 2500,
                            "iscrowd": 0, "segmentation": [[60 * i, 50, 60 * i + 50, 50, 60 * i, 100]]} for i in range(len(names))]},
          open("evil.json", "w"))
PY
  pipeline p.json '{"type": "CenterCrop", "size": 200}'
  "$lockstep" run -q -p p.json -i "$samples/images" -a evil.json -o out
  report out -i "$samples/images" -a evil.json
  python3 - << 'PY'
import json
from report_page import Page
page = Page("page.html")
assert page.tags.count("script") == 1
assert not any(name.startswith("on") for _, name, _ in page.attributes)
assert not any(c in page.source for c in "\x1b\u202e")
names = {row[0] for row in page.body("by_class")}
assert len(names) == 9 and {"<script>alert(1)</script>", "</script><!--", "x" * 300, "\\u202eevil", "' onload='x"} <= names, names
PY
}

@test "report: outputs of every layout, and their sources" {
  local to folder
  run_to coco -n 2
  for to in yolo voc; do
    run_to $to --to $to --lossy 2> note.txt
    report $to -i "$samples/images" -a "$samples/annotations.json"
    [ "$(jq .run.before report.json)" -eq "$(jq '.annotations | length' "$samples/annotations.json")" ]
    [ "$(jq .run.after report.json)" -eq "$(jq .objects report.json)" ]
    # The same folder is the source of another run.
    folder=$([ $to = yolo ] && echo labels || echo Annotations)
    "$lockstep" run -q -p drops.json -i $to/*mages -a "$to/$folder" -o from_$to
    report from_$to -i $to/*mages -a "$to/$folder"
    "$lockstep" stats $to --json > whole.json
    [ "$(jq .run.before report.json)" -eq "$(jq .objects whole.json)" ]
    [ "$(jq .run.dropped report.json)" -eq "$(jq -s '[.[].dropped[]] | length' from_$to/manifest.jsonl)" ]
    # No dropped object is without its class.
    [ "$(jq '[.run.categories[] | select(.name == "(no category)")] | length' report.json)" -eq 0 ]
    [ "$(grep -c '<figure data-class' page.html)" -ge 3 ]
  done
  run_to tars --out-format webdataset
  report tars -i "$samples/images" -a "$samples/annotations.json"
  page_has 'the outputs are in archives'
  python3 "$here/tools/report_counts.py" page.html report.json "$samples/annotations.json" tars/annotations.json tars/manifest.jsonl
  # Masks alone: there are no objects, and outputs are shown.
  "$lockstep" run -q -p drops.json -i "$samples/images" --masks "$samples/masks" -o masks
  report masks -i "$samples/images"
  [ "$(jq -c '[.images, .objects, .run.outputs, .run.before]' report.json)" = "[$(wc -l < masks/manifest.jsonl),0,$(wc -l < masks/manifest.jsonl),null]" ]
  grep -q '<figure class="pair"' page.html
  page_has 'There are no classes'
  # A run in shards, merged, has the same report as one in one part.
  run_to shards -n 2 --shard 0/2
  refuses out-unfinished 4 "$lockstep" stats shards --html page.html --overwrite
  run_to shards -n 2 --shard 1/2
  "$lockstep" merge shards -q
  report coco -i "$samples/images" -a "$samples/annotations.json"
  cp page.html coco.html
  report shards -i "$samples/images" -a "$samples/annotations.json"
  cmp page.html coco.html
}

@test "report: parts of the manifest are a column, if there are several" {
  run_to out -n 2
  report out -i "$samples/images" -a "$samples/annotations.json"
  run ! grep -q 'id="by_part"' page.html
  # Lines of a run with parts.
  jq -c '. + {part: (if (.source | test("^(desk|fruit|hills)/")) then "<train>" else "val" end)}' out/manifest.jsonl > parts.jsonl
  mv parts.jsonl out/manifest.jsonl
  report out -i "$samples/images" -a "$samples/annotations.json"
  python3 "$here/tools/report_counts.py" page.html report.json "$samples/annotations.json" out/annotations.json out/manifest.jsonl
  [ "$(jq -c '[.run.parts[].name] | sort' report.json)" = '["<train>","val"]' ]
  jq -e '.run.parts | all(.before > 0 and .after > 0 and .images_after == 2 * .images_before)' report.json
}

@test "report: a source that is not named, missing or changed is said, and outputs are shown" {
  run_to out -n 2
  report out
  page_has 'The page has no counts before the run: the run does not record where its annotations are; name them with -a' \
    'name their folder with -i'
  [ "$(jq -c '[.run.before, .run.dropped, .run.after]' report.json)" = "[null,null,$(jq '.annotations | length' out/annotations.json)]" ]
  [ "$(grep -c '<img' page.html)" -eq 12 ]
  # Other annotations than the run's.
  jq '.annotations[-1].area = 5' "$samples/annotations.json" > other.json
  "$lockstep" stats out -a other.json --html page.html --json --overwrite > report.json 2> note.txt
  grep -q 'the run did not read these annotations.*replay-annotations' note.txt
  page_has 'or they were changed'
  [ "$(jq .run.before report.json)" = null ]
  # Other images, and none.
  mkdir other
  cp -r out/images/. other
  for file in other/*/*__a000.jpg; do mv "$file" "${file%__a000.jpg}.jpg"; done
  report out -i other -a "$samples/annotations.json"
  page_has 'the image has changed: it has 150 x 200 pixels, and had 640 x 480'
  report out -i "$BATS_TEST_TMPDIR/nowhere" -a "$samples/annotations.json"
  page_has 'No picture:'
  [ "$(jq .run.before report.json)" -gt 0 ]
  # A run of nothing, and of images without objects.
  jq '.annotations = []' "$samples/annotations.json" > bare.json
  "$lockstep" run -q -p drops.json -i "$samples/images" -a bare.json -o bare
  report bare -i "$samples/images" -a bare.json
  page_has 'No object was dropped' 'Sources and outputs'
  : > bare/manifest.jsonl
  report bare -i "$samples/images" -a bare.json
  page_has 'The run wrote no outputs' 'No output has a step'
  # Lines that no run wrote are left out.
  run_to out --overwrite
  { echo 'null'; cat out/manifest.jsonl; echo '{"output"'; echo '{}'; } > lines
  cp lines out/manifest.jsonl
  run -1 "$lockstep" stats out -i "$samples/images" -a "$samples/annotations.json" --html page.html --overwrite
  page_has '2 lines of manifest.jsonl could not be read'
}

@test "report: the page's file is written like every output, and options that do nothing are refused" {
  run_to out
  "$lockstep" stats out --html page.html
  refuses out-occupied 6 "$lockstep" stats out --html page.html
  "$lockstep" stats out --html page.html --overwrite
  [ "$("$lockstep" stats out --html -)" = "$(cat page.html)" ]
  echo mine > notes.txt
  refuses out-foreign 6 "$lockstep" stats out --html notes.txt --overwrite
  [ "$(cat notes.txt)" = mine ]
  cp out/annotations.json kept.json
  refuses out-foreign 6 "$lockstep" stats out --html out/annotations.json --overwrite
  cmp kept.json out/annotations.json
  refuses option-value 2 "$lockstep" stats out --html
  refuses option-unused 2 "$lockstep" stats out --html - --json
  refuses option-unused 2 "$lockstep" stats out -a "$samples/annotations.json"
  refuses option-unused 2 "$lockstep" stats out -i "$samples/images"
  refuses option-unused 2 "$lockstep" stats out/annotations.json -a "$samples/annotations.json" --json
  refuses out-unwritable 5 "$lockstep" stats out --html nowhere/there/page.html || refuses out-write 5 "$lockstep" stats out --html /proc/x/page.html
  # An unfinished run has no run.json.
  rm out/run.json
  mkdir out/.lockstep
  refuses out-unfinished 4 "$lockstep" stats out --html page.html --overwrite
}

# bats test_tags=release
@test "report: 500 classes, and a page of at most 3 MB within 10 s for 10 000 images" {
  python3 - << 'PY'
import json, os, random, struct, zlib
r = random.Random(3)
def png(path, side):
    rows = b"".join(b"\0" + bytes(r.randrange(256) for _ in range(3)) * side for _ in range(side))
    def part(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + part(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)) +
                   part(b"IDAT", zlib.compress(rows)) + part(b"IEND", b""))
os.mkdir("in")
images, annotations = [], []
for i in range(10000):
    png(f"in/{i}.png", 24)
    images.append({"id": i + 1, "file_name": f"{i}.png", "width": 24, "height": 24})
    for _ in range(5):
        x, y, w, h = r.randrange(16), r.randrange(16), r.randrange(2, 8), r.randrange(2, 8)
        annotations.append({"id": len(annotations) + 1, "image_id": i + 1, "category_id": r.randrange(500) + 1,
                            "bbox": [x, y, w, h], "area": w * h, "iscrowd": 0, "segmentation": []})
json.dump({"images": images, "annotations": annotations,
           "categories": [{"id": i + 1, "name": f"class {i}"} for i in range(500)]}, open("in.json", "w"))
PY
  pipeline p.json '{"type": "RandomCrop", "size": 12}, {"type": "ColorJitter", "brightness": 0.3}'
  "$lockstep" run -q -p p.json -i in -a in.json -o out
  local start=$SECONDS
  report out -i in -a in.json
  [ $((SECONDS - start)) -le 10 ]
  [ "$(stat -c %s page.html)" -le 3000000 ]
  python3 "$here/tools/report_counts.py" page.html report.json in.json out/annotations.json out/manifest.jsonl
}

# bats test_tags=release
@test "report: in a browser, the page fits 400 to 1280 pixels, and its script pages and filters" {
  local browser='' name
  for name in chromium chromium-browser google-chrome; do
    browser=$(command -v $name) && break
  done
  [ "$browser" ] || skip 'no Chromium is installed'
  run_to out -n 3
  report out -i "$samples/images" -a "$samples/annotations.json"
  python3 "$here/tools/report_browser.py" "$browser" page.html report.json "${SCREENSHOTS:-$PWD}"
}
