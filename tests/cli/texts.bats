#!/usr/bin/env bats
# Texts that draw_text and TextImage write with the font of --font: pixels, and the object members that hold the texts.
# The font belongs to the run.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  # The samples, whose objects have a text each: "object ID here", of the first one none, of the second one a number. No
  # crowds.
  jq -c '.annotations |= (map(select(.iscrowd == 0) | .text = "object \(.id) here") | del(.[0].text) | .[1].text = 7)' "$samples/annotations.json" > in.json
  coco=(-i "$samples/images" -a in.json --durability none)
}

# go OUT PIPELINE OPTION...: the samples.
go() { "$lockstep" run -q -o "$1" -p "$2" "${coco[@]}" --font "$font" "${@:3}"; }

# written OUT: each text that was written, as its object has it now: image, place, text; as steps say it, and as labels do.
says_steps() {
  jq -r 'select(.copy == 0) | .source as $s | .steps[] | select(.type == "draw_text") | range(.texts | length) as $i
    | "\($s) \(.objects[$i]) \(.texts[$i])"' "$1/manifest.jsonl" | sort
}
says_labels() { # OUT KEY
  jq -r --arg key "$2" '(.images | map({key: (.id | tostring), value: .file_name}) | from_entries) as $name
    | .annotations | group_by(.image_id)[] | to_entries[]
    | select(.value[$key] | type == "string")
    | "\($name[.value.image_id | tostring] | sub("images/"; "")) \(.key) \(.value[$key])"' "$1/annotations.json" | sort
}

@test "texts: outlines cover pixels as a slow program says that reads the font itself, on images of every kind" {
  python3 "$here/tools/written.py" "$lockstep" "$font"
}

@test "texts: fonts of a few glyphs: outlines over each other, a hole, curves of both degrees, and a damaged glyph" {
  python3 "$here/tools/tiny_fonts.py" "$lockstep"
}

@test "texts: an object's own text is written and stays, and of those without one nothing changes" {
  pipeline p.json '{"type": "TextImage", "p": 1, "too_wide": "cut"}'
  go out p.json
  says_steps out > steps
  says_labels out text > labels
  diff steps labels
  grep -q 'object [0-9]* here$' steps
  diff <(jq -S .annotations in.json) <(jq -S .annotations out/annotations.json)
  # Nor of crowds.
  jq -c '.annotations[].iscrowd = 1' in.json > crowds.json
  "$lockstep" run -q -p p.json -i "$samples/images" -a crowds.json -o crowds --font "$font" --durability none
  [ -z "$(says_steps crowds)" ]
  # Another member, which no object has.
  pipeline q.json '{"type": "TextImage", "p": 1, "key": "caption"}'
  go other q.json
  [ -z "$(says_steps other)" ]
}

@test "texts: a text that is drawn from a list becomes the object's, in place of its own or beside its members" {
  local name
  pipeline p.json '{"type": "TextImage", "p": 1, "texts": ["one", "two \"\\ ü"], "fraction_range": [0.5, 0.5]}'
  go out p.json
  says_steps out > steps
  # In half of the objects, rounded down; members stay where they are, and a new one is the last.
  jq -s -r '.[] | "\(.annotations | length) \(.steps[0].texts | length)"' out/manifest.jsonl | awk '$2 != int($1 / 2) { exit 1 }'
  says_labels out text | grep -vE ' object [0-9]+ here$' > labels
  diff steps labels
  grep -qF 'two "\ ü' labels
  diff <(jq -c '.annotations[1:][] | keys_unsorted' in.json) <(jq -c '.annotations[1:][] | keys_unsorted' out/annotations.json)
  sed 's/"fraction_range": \[0.5, 0.5\]/"key": "caption"/' p.json > all.json
  go caption all.json
  jq -e '.annotations | all(.caption == "one" or .caption == "two \"\\ ü") and all(keys_unsorted[-1] == "caption")' caption/annotations.json
  diff <(jq -c '.annotations[].text' in.json) <(jq -c '.annotations[].text' caption/annotations.json)
  # Annotations of another format become COCO's with it, and YOLO's have no place for it.
  "$lockstep" run -q -p p.json -i "$samples/images" -a in.json -o yolo --to yolo --lossy --font "$font" --durability none
  for name in yolo/labels/*/*.txt yolo/labels/*.txt; do [ ! -e "$name" ] || run ! grep -q one "$name"; done
  "$lockstep" run -q -p all.json -i yolo/images -a yolo/labels -o back --to coco --font "$font" --durability none
  jq -e '.annotations | length > 20 and all(.caption == "one" or .caption == "two \"\\ ü")' back/annotations.json
  # Keys that the pipeline drops are not written.
  jq '.annotations.drop_keys = ["caption", "text"]' all.json > left.json
  go left left.json
  jq -e '.annotations | all(has("caption") or has("text") | not)' left/annotations.json
}

@test "texts: words are inserted, swapped and deleted, and the object has them" {
  local kind
  jq -c '.annotations[].text = "a b c d e"' in.json > words.json
  coco=(-i "$samples/images" -a words.json --durability none)
  for kind in insertion swap deletion; do
    pipeline p.json '{"type": "TextImage", "p": 1, "augmentations": ["'$kind'"], "stopwords": ["x", "y"]}'
    rm -rf out
    go out p.json -n 3
    jq -r '.annotations[].text' out/annotations.json > $kind
    [ "$(jq -r 'select(.copy == 0).steps[].texts[]' out/manifest.jsonl | wc -l)" -gt 20 ]
    jq -r '.steps[].texts[]' out/manifest.jsonl | sort | uniq -c > steps
    sort $kind | uniq -c | diff - steps
  done
  # With five words, two are inserted or deleted, or two pairs are swapped, possibly the same pair, there and back.
  awk 'NF != 7 || gsub(/[xy]/, "") != 2 || !/a .*b .*c .*d .*e/ { exit 1 }' insertion
  awk 'NF != 3 || !/^[abcde] [abcde] [abcde]$/ || $1 >= $2 || $2 >= $3 { exit 1 }' deletion
  [ "$(tr ' ' '\n' < swap | sort | uniq -c | awk '{ print $1 }' | uniq | wc -l)" -eq 1 ]
  [ "$(sort -u swap | wc -l)" -gt 20 ]
  [ "$(sort -u deletion | wc -l)" -eq 10 ]
  # A single word stays.
  jq -c '.annotations[].text = " word "' in.json > words.json
  pipeline p.json '{"type": "TextImage", "p": 1, "augmentations": ["deletion", "swap"]}'
  rm -rf out
  go out p.json
  [ "$(jq -r '.annotations[].text' out/annotations.json | sort -u)" = word ]
}

@test "texts: a later step sees the text that an earlier one has written" {
  pipeline p.json '{"type": "TextImage", "p": 1, "texts": ["first second"]},
    {"type": "TextImage", "p": 1, "augmentations": ["swap"]}'
  go out p.json
  [ "$(jq -r '.annotations[].text' out/annotations.json | sort -u)" = "second first" ]
  # For objects that had no text, each text is there once.
  jq -c 'del(.annotations[].text)' in.json > none.json
  coco=(-i "$samples/images" -a none.json --durability none)
  go none p.json
  [ "$(grep -o '"text": "[a-z ]*"' none/annotations.json | sort | uniq -c)" = "$(grep -o '"text": "[a-z ]*"' out/annotations.json | sort | uniq -c)" ]
}

@test "texts: one that is wider than its box is written smaller, or cut off by the box" {
  python3 -c "import os, png; os.mkdir('wide'); png.write('wide/wide.png', [bytes([255] * 300)] * 60)"
  jq -n '{images: [{id: 1, file_name: "wide.png", width: 300, height: 60}], categories: [{id: 1, name: "word"}],
    annotations: [{id: 1, image_id: 1, category_id: 1, bbox: [10, 5, 100, 50], area: 5000, iscrowd: 0, text: "WWWW"}]}' > wide.json
  columns() { python3 -c "import png, sys; h, w, c, v = png.read(sys.argv[1]); x = [i % w for i, k in enumerate(v) if k < 255]; print(min(x), max(x))" "$1"; }
  pipeline shrink.json '{"type": "TextImage", "p": 1}'
  pipeline cut.json '{"type": "TextImage", "p": 1, "too_wide": "cut"}'
  for how in shrink cut; do
    "$lockstep" run -q -p $how.json -i wide -a wide.json -o $how --font "$font" --durability none
  done
  # Four letters as wide as 0.989 of the font's size: 25 pixels.
  [ "$(jq -c '.steps[0].font_size' shrink/manifest.jsonl)" = '[25]' ]
  jq -e '.steps[0].font_size[0] | . >= 40 and . <= 45' cut/manifest.jsonl
  read -r first last < <(columns shrink/images/wide.png)
  [ "$first" -le 11 ] && [ "$last" -gt 100 ] && [ "$last" -lt 110 ]
  read -r first last < <(columns cut/images/wide.png)
  [ "$first" -ge 10 ] && [ "$first" -le 12 ] && [ "$last" -eq 109 ]
}

@test "texts: clear_bg fills the boxes first, as inpainted holes are filled" {
  local boxes='[[40, 60, 30, 80], [60, 100, 40, 90]]' text='"texts": ["Abc", "Def"], "font_size": [20, 30]'
  pipeline a.json '{"type": "draw_text", '"$text"', "boxes": '"$boxes"', "clear_bg": true}'
  pipeline b.json '{"type": "coarse_dropout", "holes": '"$boxes"', "fill": "inpaint_telea"}, {"type": "draw_text", '"$text"', "boxes": '"$boxes"'}'
  go a a.json --limit 4 --format png
  go b b.json --limit 4 --format png
  diff -r a/images b/images
  # But nothing is hidden.
  jq -s -e 'all(.[].annotations[]; has("visibility") | not)' a/manifest.jsonl
}

@test "texts: workers, shards, resumed and replayed runs make the same bytes" {
  pipeline p.json '{"type": "TextImage", "p": 0.8, "augmentations": ["swap", "none"]}, {"type": "RandomHorizontalFlip"},
    {"type": "TextImage", "texts": ["Exit"], "clear_bg": true, "fraction_range": [0, 1]}'
  same_in_all_ways p.json --font "$font"
}

@test "texts: another font is another run, and a font is asked for before any image" {
  pipeline p.json '{"type": "RandomApply", "transforms": [{"type": "TextImage"}]}'
  pipeline q.json '{"type": "draw_text", "texts": ["a"], "boxes": [[0, 0, 9, 9]], "font_size": [8]}'
  go out p.json --limit 2
  go out p.json --limit 2 --resume
  refuses resume-key 6 "$lockstep" run -q -o out -p p.json "${coco[@]}" --limit 2 --resume --font "${font%.ttf}-Bold.ttf"
  [[ $stderr == *--font* ]]
  rm -r out
  for step in p q; do
    refuses font-none 3 "$lockstep" run -p $step.json -o out "${coco[@]}"
  done
  [ ! -e out ]
  "$lockstep" explain -p q.json > /dev/null
  run -4 "$lockstep" explain -p q.json --font nowhere.ttf
}

@test "texts: what is no font, or has no outlines, is refused with the reason" {
  pipeline p.json '{"type": "TextImage"}'
  try() { refuses font-unread 4 "$lockstep" run -p p.json -o out "${coco[@]}" --font "$1" && [[ $stderr == *"$2"* ]]; }
  try nowhere.ttf "No such file"
  try . "it is a folder"
  try in.json "cannot read the font"
  head -c 3000 "$font" > cut.ttf
  try cut.ttf "cannot read the font"
  printf '%s\n' 'STARTFONT 2.1' 'FONT x' 'SIZE 8 75 75' 'FONTBOUNDINGBOX 8 8 0 0' 'STARTPROPERTIES 2' 'FONT_ASCENT 8' \
    'FONT_DESCENT 0' 'ENDPROPERTIES' 'CHARS 1' 'STARTCHAR A' 'ENCODING 65' 'SWIDTH 1000 0' 'DWIDTH 8 0' 'BBX 8 1 0 0' \
    'BITMAP' 'FF' 'ENDCHAR' 'ENDFONT' > bitmap.bdf
  try bitmap.bdf "no outlines"
  [ ! -e out ]
}

@test "texts: a damaged font does no harm: the run ends well or says what it cannot read" {
  cat > damage.py << 'END'
import random, sys
rng = random.Random(int(sys.argv[2]))
data = bytearray(open(sys.argv[1], "rb").read())
start = rng.choice((0, 0, 200, 5000))
for _ in range(rng.choice((3, 30, 3000))):
    data[rng.randrange(start, len(data) if start else 4000)] = rng.choice((0, 255, 128, rng.randrange(256)))
open("damaged.ttf", "wb").write(data)
END
  pipeline p.json '{"type": "draw_text", "texts": ["Hä%éﬁ 中"], "boxes": [[0, 0, 80, 300]], "font_size": [60]}'
  local code done=0
  for i in $(seq 60); do
    python3 damage.py "$font" "$i"
    rm -rf out
    code=0
    timeout 60 "$lockstep" run -q -p p.json -i "$samples/images/street/0001.jpg" -o out --font damaged.ttf --durability none 2> said || code=$?
    [ $code -eq 0 ] || { [ $code -eq 4 ] && grep -q '\[font-unread\]' said; } || { echo "$i: $code"; cat said; false; }
    [ $code -ne 0 ] || done=$((done + 1))
  done
  [ $done -gt 5 ] && [ $done -lt 60 ]
}

@test "texts: characters that the font lacks are counted, and its .notdef glyph is written" {
  pipeline p.json '{"type": "draw_text", "texts": ["\u4e2d"], "boxes": [[0, 0, 80, 300]], "font_size": [60]}'
  pipeline q.json '{"type": "draw_text", "texts": ["\u6587"], "boxes": [[0, 0, 80, 300]], "font_size": [60]}'
  pipeline n.json '{"type": "draw_text", "texts": [" "], "boxes": [[0, 0, 80, 300]], "font_size": [60]}'
  run -0 --separate-stderr "$lockstep" run -p p.json "${coco[@]}" -o p --limit 3 --font "$font"
  [[ $stderr == *"3 images, first "*"[font-lacking]"* ]]
  [ "$(jq .texts.lacking p/run.json)" -eq 3 ]
  go q q.json --limit 3
  diff -r p/images q/images
  run -0 --separate-stderr "$lockstep" run -p n.json "${coco[@]}" -o n --limit 3 --font "$font"
  [[ $stderr != *font-lacking* ]]
  run ! diff -r p/images n/images
}

@test "texts: lists that do not go together, words and members that are none, are faults" {
  says() { pipeline f.json "$2"; refuses "$1" 3 "$lockstep" schema --check f.json; }
  says param-length '{"type": "draw_text", "texts": ["a", "b"], "boxes": [[0, 0, 9, 9]], "font_size": [8]}'
  says param-length '{"type": "draw_text", "texts": ["a"], "boxes": [[0, 0, 9, 9]]}'
  says param-length '{"type": "draw_text", "texts": ["a"], "boxes": [[0, 0, 9, 9]], "font_size": [8], "objects": [1, 2]}'
  says param-conflict '{"type": "draw_text", "key": "bbox"}'
  says param-conflict '{"type": "TextImage", "key": "score"}'
  says param-conflict '{"type": "TextImage", "key": ""}'
  says param-choice '{"type": "TextImage", "augmentations": ["swap", "insert"]}'
  says param-conflict '{"type": "TextImage", "augmentations": ["insertion"], "stopwords": null}'
  says param-order '{"type": "TextImage", "fraction_range": [1, 0.5]}'
  says param-order '{"type": "TextImage", "font_size_fraction_range": [1, 0.5]}'
}
