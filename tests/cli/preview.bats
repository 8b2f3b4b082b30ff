#!/usr/bin/env bats
# Contents of a contact sheet, and the images that it shows.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
}

# sheet NAME OPTION...: of all samples unless the options say otherwise.
sheet() {
  "$lockstep" preview -p photometric -i "$samples/images" -a "$samples/annotations.json" --masks "$samples/masks" \
    -n 1 --width 64 -q -o "$1.png" "${@:2}" > /dev/null
}

size() { python3 -c 'import png, sys; print(*reversed(png.size(sys.argv[1])))' "$1.png"; }

# has_tile FILE: are 20 pixels beside each other of the colour of a failed image's tile?
has_tile() {
  python3 -c 'import png, sys
sys.exit(not any(bytes([0x5a, 0x22, 0x26] * 20) in bytes(row) for row in png.rows(sys.argv[1])))' "$1"
}

@test "preview: labels are left out, and how opaque they are is chosen" {
  sheet usual
  sheet bare --no-labels
  sheet faint --opacity 0
  sheet strong --opacity 1
  local a b
  for a in usual bare faint strong; do
    for b in usual bare faint strong; do
      [ "$a" = "$b" ] || run -1 cmp -s $a.png $b.png
    done
  done
  # Without labels the masks' legend takes no room.
  [ "$(size bare)" != "$(size usual)" ]
}

@test "preview: many images stand beside each other, few below, or as asked" {
  local many few one two
  read -r -a many <<< "$(sheet a --limit 15 && size a)"
  read -r -a one <<< "$(sheet b --limit 15 --columns 1 && size b)"
  read -r -a few <<< "$(sheet c --limit 3 && size c)"
  read -r -a two <<< "$(sheet d --limit 3 --columns 2 && size d)"
  [ "${many[0]}" -gt "${one[0]}" ] && [ "${many[1]}" -lt "${one[1]}" ]
  [ "${few[0]}" -eq "${one[0]}" ]
  [ "${two[0]}" -gt "${few[0]}" ] && [ "${two[1]}" -lt "${few[1]}" ]
}

@test "preview: --sample takes images by the seed" {
  sheet a --sample 3
  sheet b --sample 3
  sheet c --sample 3 --seed 5
  sheet d --limit 3
  cmp a.png b.png
  run -1 cmp -s a.png c.png
  run -1 cmp -s a.png d.png
  sheet all --sample 100
  sheet every --limit 100
  cmp all.png every.png
}

@test "preview: --reasons has a line more under each picture" {
  local plain told
  read -r -a plain <<< "$(sheet a && size a)"
  read -r -a told <<< "$(sheet b --reasons && size b)"
  [ "${told[1]}" -eq $((plain[1] + 4 * 14)) ]
  # A crop drops objects, which the line then names.
  pipeline crop.json '{"type": "RandomCrop", "size": 40}'
  "$lockstep" preview -p crop.json -i "$samples/images" -a "$samples/annotations.json" -q -o c.png --reasons
  "$lockstep" preview -p crop.json -i "$samples/images" -q -o d.png --reasons
  run -1 cmp -s c.png d.png
}

@test "preview: what fails in any image is refused, or shown as a tile with its message" {
  mkdir in
  cp "$samples"/images/desk/* in
  : > in/zero.png
  pipeline p.json '{"type": "Identity"}'
  # The first image alone would do, but a run would refuse the folder.
  run -4 --separate-stderr "$lockstep" preview -p p.json -i in --limit 1 -o sheet.png
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == *'zero.png: '*'empty'* ]]
  [ ! -e sheet.png ]
  run -0 "$lockstep" preview -p p.json -i in --limit 1 -o sheet.png --no-preflight
  run -0 "$lockstep" preview -p p.json -i in -o named.png 0001.jpg
  run -1 --separate-stderr "$lockstep" preview -p p.json -i in -o tile.png --on-error skip
  [[ ${stderr_lines[0]} == 'lockstep preview: error: zero.png: '*'empty'*' ['*']' ]]
  [ -s tile.png ]
  has_tile tile.png
  run -1 has_tile named.png
  # An image whose fault only its pixels show has a tile, too.
  head -c 1500 in/0001.jpg > in/cut.jpg
  rm in/zero.png
  run -1 "$lockstep" preview -p p.json -i in -o cut.png --on-error skip
  has_tile cut.png
}

@test "preview: labels of images and their weights stand under the pictures" {
  local what
  python3 "$here/tools/labelled.py" make data soft
  pipeline p.json '{"type": "horizontal_flip"}'
  shown() { # NAME FILTER
    jq "$2" data/in.json > in.json
    "$lockstep" preview -q -p p.json -i data/images -a in.json -n 1 --limit 6 -o "$1.png" > /dev/null
  }
  shown soft .
  shown again .
  shown none 'del(.images[].category_ids)'
  shown other '.images[5].category_ids[0].weight = 0.5'
  shown renamed '.categories |= map(if .id == 3 then .name = "shore" else . end)'
  cmp soft.png again.png
  for what in none other renamed; do run -1 cmp -s soft.png $what.png; done
}

@test "preview: many outputs of an image wrap to several lines, and all are there" {
  mkdir in
  python3 -c 'import png
png.write("in/a.png", [[v for x in range(90) for v in (9 + 20 * (x // 10), 11 + 20 * (y // 10), 77)] for y in range(90)], 3)'
  pipeline p.json '{"type": "tile", "size": [10, 10], "overlap": 0, "max_outputs": 100}'
  "$lockstep" preview -q -p p.json -i in -n 1 --width 64 -o sheet.png > /dev/null
  python3 -c 'import png
height, width, channels, values = png.read("sheet.png")
assert width <= 4096, width
# The original, 52 tiles beside it, and 29 below them: a tile has its color in the middle of its cell.
found = set()
for line in 0, 1:
    for cell in range(53):
        at = 3 * ((16 + 26 + line * (64 + 46 + 12) + 32) * width + 16 + cell * 76 + 32)
        found.add(tuple(values[at:at + 3]))
want = {(9 + 20 * x, 11 + 20 * y, 77) for x in range(9) for y in range(9)}
assert not want - found, want - found'
}

@test "preview: images of 12 bits in samples of 16 are stretched, and their copies alike" {
  mkdir in
  python3 -c 'import png
png.write("in/a.png", [[100 + 60 * ((x + y) % 64) for x in range(64)] for y in range(64)], 1, 16)'
  pipeline p.json '{"type": "adjust_brightness", "brightness_factor": 0.5}'
  "$lockstep" preview -q -p p.json -i in -n 1 --width 64 -o sheet.png > /dev/null
  python3 -c 'import png
height, width, channels, values = png.read("sheet.png")
def levels(column):
    cells = [values[3 * ((42 + y) * width + 16 + column * 76 + x)] for y in range(64) for x in range(64)]
    return min(cells), max(cells)
assert levels(0) == (0, 255), levels(0)
assert levels(1)[0] == 0 and 120 < levels(1)[1] < 130, levels(1)'
}

@test "preview: weights of labels are not cut off, however long the names are" {
  mkdir in
  python3 "$here/tools/blank.py" in/a.png 40 30 gray 90
  pipeline p.json '{"type": "horizontal_flip"}'
  weighed() { # NAME WEIGHT
    jq -nc --argjson weight "$2" '{annotations: [],
      categories: [{id: 1, name: "a name that has no end"}, {id: 2, name: "another that is even longer"}, {id: 3, name: "sky"}],
      images: [{id: 1, file_name: "a.png", width: 40, height: 30,
        category_ids: [{category_id: 1, weight: 0.25}, {category_id: 2, weight: $weight}, {category_id: 3, weight: (0.75 - $weight)}]}]}' > "$1.json"
    "$lockstep" preview -q -p p.json -i in -a "$1.json" -n 1 --width 90 -o "$1.png" > /dev/null
  }
  weighed one 0.5
  weighed same 0.5
  weighed other 0.375
  cmp one.png same.png
  run -1 cmp -s one.png other.png
}

@test "preview: fails if a font cannot be read, and does not draw boxes for letters" {
  skip_when_sanitized "$lockstep"
  mkdir in
  python3 "$here/tools/blank.py" in/a.png 40 30 gray 90
  pipeline p.json '{"type": "horizontal_flip"}'
  for name in DejaVuSans DejaVuSans-Bold; do
    file=$(find /usr/share/fonts -name "$name.ttf")
    [ -n "$file" ]
    run -8 --separate-stderr strace -f -qq -o trace.txt -P "$file" -e trace=openat -e inject=openat:error=EIO \
      "$lockstep" preview -p p.json -i in -n 1 -o sheet.png
    grep -q INJECTED trace.txt
    [[ $stderr == *"can be read [font-unread]"* ]]
    [ ! -e sheet.png ]
  done
}
