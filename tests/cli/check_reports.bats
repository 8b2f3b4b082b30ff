#!/usr/bin/env bats
# The forms of a check's report meet the requirements of their readers, and text from files controls no reader.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() { begin; }

# faulty [N]: faulty.json with errors, warnings and infos of several rules: N boxes beyond each of ten images, and more.
faulty() {
  python3 - "${1:-3}" << 'PY'
import json, sys
n = int(sys.argv[1])
images = [{"id": i + 1, "file_name": f"street/{i}.jpg", "width": 100, "height": 80} for i in range(10)]
annotations = [{"id": 100 * i + k, "image_id": i + 1, "category_id": 1, "bbox": [90, 10 + k % 50, 30, 20], "area": 600, "iscrowd": 0}
               for i in range(10) for k in range(n)]
annotations += [{"id": 999901 + k, "image_id": 1, "category_id": 1, "bbox": [10, 10, -5, 20 + k], "area": 5, "iscrowd": 0} for k in range(3)]
annotations += [{"id": 999951, "image_id": 77, "category_id": 5, "bbox": [1, 1, 5, 5], "area": 25, "iscrowd": 0}]
json.dump({"images": images, "categories": [{"id": 1, "name": "cat", "supercategory": "x"}, {"id": 2, "name": "dog", "supercategory": "x"}],
           "annotations": annotations}, open("faulty.json", "w"), indent=1)
PY
}

# evil: makes a file whose name and contents terminals, CI systems and browsers would act upon; $evil is its name.
evil() {
  evil=$'::error::\e[31m<script>alert(1)<!--&"\'`%0A,:##[error]x\n\u202e\xff.json'
  python3 - "$evil" << 'PY'
import json, sys
words = "::error::\x1b[31m\n::warning::x\r<script>alert(1)</script><img src=x onerror=y>\u202e\u2066\x9b\ufffe\uffff]]>&amp;'\"`` | ]( ##[error] ##vso[x] {0} [a](http://b) @all %0A,"
data = {"images": [{"id": 1, "file_name": words, "width": 10, "height": 10}],
        "categories": [{"id": 1, "name": words}, {"id": 2, "name": words}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [5, 5, 50, -5], words: 1},
                        {"id": 2, "image_id": 1, "category_id": 1, "bbox": [5, 5, 50, 5]},
                        {"id": 3, "image_id": 1, "category_id": 9, "bbox": [words, 5, 50, 5]}]}
text = json.dumps(data, ensure_ascii=False, indent=1).replace('"id": 3', '\n::error::pwned\n   ::error::again "id": 3')
with open(sys.argv[1].encode("utf-8", "surrogateescape"), "wb") as file:
    file.write(text.encode() .replace(b'"id": 2, "name"', b'"id": 2, "x": "\xff\xfe", "name"'))
PY
}

# reported FORM: the report of the evil file, in report.
reported() {
  evil
  "$lockstep" check "$evil" --output "$1" > report && return 1
  [ -s report ]
}

# inert FILE [XML]: contains no control characters and no direction changes, and is UTF-8 (XML: characters).
inert() {
  python3 - "$@" << 'PY'
import sys, unicodedata
text = open(sys.argv[1], "rb").read().decode("utf-8")
bad = {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") and c != "\n" or c in "\ufffe\uffff" and sys.argv[2:]}
assert not bad, bad
PY
}

@test "reports: text holds nothing that a terminal or a CI system acts upon" {
  reported text
  inert report
  run ! grep -F '##[' report
  run ! grep -nE '^[[:space:]]*::|##' report
  grep -q 'error::pwned' report
}

@test "reports: jsonl is a JSON object a line, whatever names hold" {
  reported jsonl
  inert report
  run ! grep -F '##[' report
  [ "$(jq -s 'map(select(.rule and .message and .file and .line >= 1 and .fingerprint)) | length + 1' report)" -eq "$(wc -l < report)" ]
  [ "$(jq -rs '.[-1].schema' report)" = lockstep.summary/1 ]
  # The name is all there.
  jq -es 'map(.image | values)[0] | startswith("::error::\u001b[31m\n::warning::x\r<script>") and contains("\u202e\u2066\u009b")' report
}

@test "reports: json is one object, whatever names hold" {
  reported json
  inert report
  run ! grep -F '##[' report
  jq -e '.schema == "lockstep.check/1" and (.findings | length) > 3 and (.rules | map(.findings) | add) == (.findings | length)' report
}

@test "reports: sarif stays valid, and its messages have no links or places, whatever names hold" {
  reported sarif
  inert report
  run ! grep -F '##[' report
  python3 "$here/tools/reports.py" sarif report
  run ! jq -e '.runs[0].results[].message.text | select(test("(^|[^\\\\])(\\[|\\])"))' report
  run ! jq -e '.runs[0].results[].message.text | gsub("\\{\\{|\\}\\}"; "") | select(test("[{}]"))' report
  run ! grep -q '<script' <(jq -r '.runs[0].results[].locations[].physicalLocation.artifactLocation.uri' report)
}

@test "reports: junit stays XML, and the names are text in it" {
  reported junit
  inert report xml
  run ! grep -nE '^[[:space:]]*::|##' report
  python3 "$here/tools/reports.py" junit report
  run ! grep -q '<script\|<img' report
  grep -q '&lt;script' report
}

@test "reports: github has only lines of its own, and no property that a name ended" {
  reported github
  inert report
  run ! grep -F '##[' report
  python3 "$here/tools/reports.py" github report
  grep -q 'file=.*%3A%3Aerror%3A%3A' report
}

@test "reports: gitlab stays JSON, whatever names hold" {
  reported gitlab
  inert report
  run ! grep -F '##[' report
  python3 "$here/tools/reports.py" gitlab report
}

@test "reports: markdown has names in spans of code alone" {
  reported markdown
  inert report
  run ! grep -F '##[' report
  python3 "$here/tools/reports.py" markdown report
}

@test "reports: html has no element, script or address of a name" {
  reported html
  inert report xml
  python3 "$here/tools/reports.py" html report
  grep -q '&lt;script' report
}

@test "reports: html shows what is wrong in its image" {
  mkdir images
  pipeline id.json ''
  python3 - << 'PY'
import json, png
png.write("images/a.png", [[v for x in range(200) for v in (40, 160, 90)] for y in range(100)], 3)
annotations = [{"id": k + 1, "image_id": 1, "category_id": 1, "bbox": box, "area": 100, "iscrowd": 0} for k, box in
               enumerate([[150, 40, 80, 20], [60, 50, -40, 20], [5000, 5, 5, 5]] + [[190, 10 + k, 40, 20] for k in range(9)])]
annotations.append({"id": 99, "image_id": 2, "category_id": 1, "bbox": [1, 1, -3, 3], "area": 9, "iscrowd": 0})
json.dump({"images": [{"id": 1, "file_name": "a.png", "width": 200, "height": 100}, {"id": 2, "file_name": "../b.png", "width": 9, "height": 9}],
           "categories": [{"id": 1, "name": "cat"}], "annotations": annotations}, open("boxes.json", "w"))
PY
  run -1 "$lockstep" check boxes.json -i images --output html=report
  python3 "$here/tools/reports.py" html report pictures
  [ "$(grep -c '^<figure>' report)" -le 60 ]
  sed -n '/id="B003"/,/<table>/p' report > b003
  sed -n '/id="B005"/,/<table>/p' report > b005
  [ "$(grep -c '^<figure><img' b003) $(grep -c '^<figure>' b003) $(grep -c '^<figure><img' b005)" = '1 2 6' ]
  grep -q '<figure><p class="quiet">no picture: ' b003
  "$lockstep" run -q -p id.json -i pictures -o shown --format png
  python3 - "$(sed '/id="B005"/q' report | grep -c '<img')" << 'PY'
import glob, png, sys
def red(p):
    return p[0] > 150 and p[1] < 130
names = sorted(glob.glob("shown/images/*.png"))
def read(name):
    rows = png.rows(name)
    return [[tuple(row[3 * x:3 * x + 3]) for x in range(len(row) // 3)] for row in rows]
# B003: the box from (20, 50) to (60, 70) in an image that is shown four times as large: outlined, and the image around it green.
rows = read(names[0])
assert any(red(p) for row in rows for p in row) and any(p[1] > 130 and p[0] < 80 for row in rows for p in row)
reds = [(x, y) for y, row in enumerate(rows) for x, p in enumerate(row) if red(p)]
box = [max(p[i] for p in reds) - min(p[i] for p in reds) for i in (0, 1)]
assert abs(box[0] / box[1] - 2) < 0.15, box
middle = [(max(p[i] for p in reds) + min(p[i] for p in reds)) / 2 for i in (0, 1)]
assert abs(middle[0] - len(rows[0]) / 2) < 6 and abs(middle[1] - len(rows) / 2) < 6, middle
# B005: the area beyond the image is gray.
rows = read(names[int(sys.argv[1])])
assert any(abs(p[0] - p[1]) < 12 and p[0] > 190 for row in rows for p in row)
PY
}

@test "reports: what readers of sarif, junit, github and gitlab demand is there" {
  local form
  faulty
  for form in sarif junit github gitlab; do
    run -1 "$lockstep" check faulty.json --output $form=report
    python3 "$here/tools/reports.py" $form report
  done
  run -1 "$lockstep" check faulty.json --output sarif
  [ "$(jq '.runs[0].results | length' <<< "$output")" -eq "$("$lockstep" check faulty.json --output jsonl | grep -c '"rule"')" ]
  # The column is one of characters.
  printf '{"images": [{"id": 1, "file_name": "\xc3\xa4\xe2\x82\xac", "width": 9, "height": 9}], "categories": [{"id": 1, "name": "a"}], "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 1, -2, 2], "area": 4, "iscrowd": 0}]}' > letters.json
  run -1 "$lockstep" check letters.json --output sarif
  python3 - "$output" << 'PY'
import json, sys
text = open("letters.json").read()
region = [r for r in json.loads(sys.argv[1])["runs"][0]["results"] if r["ruleId"] == "B003"][0]["locations"][0]["physicalLocation"]["region"]
assert text[region["startColumn"] - 1:region["endColumn"] - 1] == "[1, 1, -2, 2]", region
assert text.encode()[region["byteOffset"]:][:region["byteLength"]] == b"[1, 1, -2, 2]", region
PY
}

@test "reports: several at once, each whole, and the exit code is the same" {
  faulty
  run -1 --separate-stderr "$lockstep" check faulty.json --output sarif=a.sarif --output html=a.html --output junit=a.xml --output text=-
  jq -e .runs a.sarif > none.txt
  grep -q '</html>' a.html
  grep -q '</testsuites>' a.xml
  "$lockstep" check faulty.json > text.txt && return 1
  diff text.txt <(printf '%s\n' "$output")
  [ "$(find . -name '*.tmp')" = '' ]
  run -0 "$lockstep" check faulty.json --output sarif=a.sarif --fail-on never
  # A path that is not a regular file is written to, and not replaced.
  mkfifo pipe
  timeout 60 cat pipe > through.txt &
  run -1 timeout 60 "$lockstep" check faulty.json --output text=pipe
  wait $!
  [ -p pipe ]
  diff text.txt through.txt
  run -5 "$lockstep" check faulty.json --output text=pipe/report
}

@test "reports: none is written over what is read, nor over another one" {
  faulty
  cp faulty.json copy.json
  ln -s faulty.json link.json
  for words in '--output json=faulty.json' '--output html=./link.json' '--write-baseline faulty.json' \
    '--output json=r --output html=r' '--output json=r --write-baseline r'; do
    # shellcheck disable=SC2086 # words
    run -2 --separate-stderr "$lockstep" check faulty.json $words
    [[ $stderr == *'[out-inside]'* ]]
    cmp faulty.json copy.json
    [ ! -e r ]
  done
}

@test "reports: limits: ten lines of each kind for GitHub, groups for code scanning, first ones for people" {
  faulty 700
  run -1 "$lockstep" check faulty.json --output github=g --output sarif=s --output junit=x --output gitlab=l --output jsonl=j \
    --output markdown=m --output text=t
  python3 "$here/tools/reports.py" github g
  grep -q '^::warning .*title=B005 .*::7000 findings' g
  python3 "$here/tools/reports.py" sarif s
  [ "$(jq '[.runs[0].results[] | select(.ruleId == "B005")] | length' s)" -eq 10 ]
  [ "$(jq '[.runs[0].results[] | select(.ruleId == "B005").locations | length] | unique | .[0]' s)" -eq 100 ]
  jq -e '.runs[0].results[] | select(.ruleId == "B005").message.text | startswith("700 findings in this image")' s > none.txt
  jq -e '.runs[0].invocations[0].toolExecutionNotifications[0].message.text | endswith("0 findings are in no result")' s
  python3 "$here/tools/reports.py" junit x
  [ "$(sed -n '/name="B005 /,/<.failure>/p' x | grep -c 'faulty.json:')" -eq 50 ]
  grep -q '^and 6950 more' x
  [ "$(grep -c '"rule": "B005"' j)" -eq 1000 ]
  [ "$(tail -n 1 j | jq .warnings)" -ge 7000 ]
  [ "$(jq 'map(select(.check_name | startswith("B005"))) | length' l)" -eq 1000 ]
  grep -q '^- and 6990 more' m
  run -1 "$lockstep" check faulty.json --output jsonl=j --max-findings 5000
  [ "$(grep -c '"rule": "B005"' j)" -eq 5000 ]
}
