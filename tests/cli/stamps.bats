#!/usr/bin/env bats
# Stamps: pictures with alpha of the folder of --stamps, pasted on images: pixels, and labels that they hide. Stamps
# belong to the run.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  python3 "$here/tools/stamps.py" stamps
  coco=(-i "$samples/images" -a "$samples/annotations.json" --masks "$samples/masks" --durability none)
}

# go OUT PIPELINE OPTION...: the samples.
go() { "$lockstep" run -q -o "$1" -p "$2" "${coco[@]}" --stamps stamps "${@:3}"; }

some='{"type": "OverlayElements", "p": 0.8, "num_range": [0, 3], "scale_range": [0.5, 2], "labels": "shrink"}'

@test "stamps: colours are blended by alpha and opacity, on images of every kind, and alpha adds up" {
  python3 "$here/tools/stamped.py" "$lockstep"
}

@test "stamps: a damaged PNG is refused, and does not start a library before workers are forked" {
  python3 - <<'END'
import struct, zlib
def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
packed = zlib.compress(b"\0abc\0abc")
wrong_sum = packed[:-1] + bytes([packed[-1] ^ 1])  # libvips reads it
for name, interlace, data in ("damaged", 0, wrong_sum), ("interlaced", 1, packed):
    with open(name + ".png", "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 2, 8, 2, 0, 0, interlace)) +
                chunk(b"IDAT", data) + chunk(b"IEND", b""))
END
  pipeline h.json '{"type": "HistogramMatching", "p": 1}'
  for name in damaged interlaced; do
    mv "$name.png" stamps/s.png
    refuses stamp-unread 4 timeout 20 "$lockstep" run -p h.json -o out "${coco[@]}" --stamps stamps
  done
}

@test "stamps: levels become as frequent as in a reference, on images of every kind" {
  python3 "$here/tools/matched.py" "$lockstep"
}

@test "stamps: colours are distributed as those of a reference, on images of every kind" {
  python3 -c "import sys; sys.path.insert(0, '$here/lib'); import png; png.write('stamps/many.png', [bytes((x * 5 + y * (c + 2)) % 180
    + 20 * c for x in range(30) for c in range(3)) for y in range(24)], 3)"
  python3 "$here/tools/adapted.py" "$lockstep"
}

@test "stamps: low frequencies become as strong as a reference's, on images of every kind and of any size" {
  python3 -c "import sys; sys.path.insert(0, '$here/lib'); import png; png.write('stamps/many.png', [bytes((x * 5 + y * (c + 2)) % 180
    + 20 * c for x in range(30) for c in range(3)) for y in range(24)], 3)"
  python3 "$here/tools/spectra.py" "$lockstep"
  pipeline f.json '{"type": "FDA", "p": 1, "beta_limit": [0.01, 0.3]}, {"type": "horizontal_flip"}'
  go one f.json --limit 3 --jobs 1
  go two f.json --limit 3 --jobs 2 --optimize none
  same_tree one/images two/images
  refuses stamp-none 3 "$lockstep" run -p f.json -o out "${coco[@]}"
}

@test "stamps: what a stamp hides is what a painted rectangle hides: boxes, polygons, masks, keypoints, label masks" {
  local hide rule
  for rule in keep shrink; do
    hide="\"labels\": \"$rule\", \"fill_mask\": 7"
    # The right half shows more than half of the image below, and hides nothing, except where it fades over ten columns.
    pipeline a.json '{"type": "overlay", "stamp": "half.png", "top": 100, "left": 60, "height": 160, "width": 200, '"$hide"'}'
    pipeline b.json '{"type": "coarse_dropout", "holes": [[100, 60, 160, 105]], '"$hide"'}'
    go a a.json
    go b b.json
    jq -s 'map(.annotations | map(.visibility // 1)) | flatten | min < 0.9' a/manifest.jsonl | grep -q true
    diff <(jq -S 'del(.info)' a/annotations.json) <(jq -S 'del(.info)' b/annotations.json)
    diff -r a/masks b/masks
    run ! diff -r a/masks "$samples/masks"
    rm -r a b
  done
}

@test "stamps: of one that is larger than the image no more is made than what shows, to the bit" {
  local width height
  pipeline a.json '{"type": "overlay", "stamp": "stamp.png", "top": -301, "left": -207, "height": 1000, "width": 900}'
  go a a.json --limit 1 --format png
  read -r width height < <(jq -r '"\(.size_out[0]) \(.size_out[1])"' a/manifest.jsonl)
  # All of it shows where the image is padded.
  pipeline b.json '{"type": "pad", "padding": [1000]},
    {"type": "overlay", "stamp": "stamp.png", "top": 699, "left": 793, "height": 1000, "width": 900},
    {"type": "crop", "top": 1000, "left": 1000, "height": '"$height"', "width": '"$width"'}'
  go b b.json --limit 1 --format png
  diff -r a/images b/images
  # All of it would be 64 GB.
  pipeline c.json '{"type": "overlay", "stamp": "stamp.png", "top": -30000, "left": -30000, "height": 65500, "width": 65500}'
  go c c.json --limit 1
  [ "$(wc -l < c/manifest.jsonl)" -eq 1 ]
}

@test "stamps: workers, shards, resumed and replayed runs make the same bytes" {
  pipeline p.json "$some, {\"type\": \"RandomHorizontalFlip\"}"
  same_in_all_ways p.json --stamps stamps
}

@test "stamps: a stamp more changes some draws alone, and each is as likely" {
  pipeline p.json '{"type": "OverlayElements", "p": 1}'
  drawn() { go out p.json -n 60 --dry-run | jq -r '.steps[0].stamp'; }
  drawn > three
  for name in gray half stamp; do
    [ "$(grep -c "^$name.png" three)" -gt $(($(wc -l < three) / 4)) ]
  done
  cp stamps/gray.png stamps/new.png
  drawn > four
  # Draws of other stamps than the new one stay the same.
  diff <(grep -v new.png four) <(paste four three | grep -v '^new.png' | cut -f2)
  grep -q new.png four
}

@test "stamps: other stamps are another run, and what a step needs is asked for before any image" {
  pipeline p.json "$some"
  go out p.json --limit 2
  cp stamps/gray.png stamps/new.png
  refuses resume-key 6 go out p.json --limit 2 --resume
  rm stamps/new.png
  go out p.json --limit 2 --resume
  rm -r out
  coco=(-i "$samples/images" --durability none)
  refuses stamp-none 3 "$lockstep" run -p p.json -o out "${coco[@]}"
  pipeline q.json '{"type": "RandomApply", "transforms": [{"type": "overlay", "stamp": "none.png"}]}'
  refuses stamp-missing 3 go out q.json
  pipeline h.json '{"type": "HistogramMatching", "p": 1}'
  refuses stamp-none 3 "$lockstep" run -p h.json -o out "${coco[@]}"
  go out h.json --limit 2
  [ "$(jq -r '.steps[0].stamp' out/manifest.jsonl | sort -u | wc -l)" -ge 1 ]
  rm -r out
  mkdir empty
  touch empty/notes.txt
  refuses stamp-none 4 "$lockstep" run -p p.json -o out "${coco[@]}" --stamps empty
  refuses stamp-unread 4 "$lockstep" run -p p.json -o out "${coco[@]}" --stamps nowhere
  cp "$samples/images/street/0001.jpg" empty/a.png
  refuses stamp-unread 4 "$lockstep" run -p p.json -o out "${coco[@]}" --stamps empty
  head -c 300 stamps/stamp.png > empty/a.png
  refuses stamp-unread 4 "$lockstep" run -p p.json -o out "${coco[@]}" --stamps empty
  [ ! -e out ]
}
