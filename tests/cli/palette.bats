# Label masks with a palette: indices are moved, and the palette stays.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  mkdir -p images masks
}

palette() { python3 "$here/tools/palette.py" "$@"; }

# mask NAME DEPTH COLOURS [MORE...]: an image of 37 x 21 with a mask of noise.
mask() {
  python3 "$here/tools/blank.py" "images/$1.png" 37 21
  palette write "masks/$1.png" 37 21 "${@:2}"
}

go() { "$lockstep" run -q -p p.json -i images --masks masks -o "$@"; }

@test "palette: indices and colours of any depth come out as they were" {
  local name
  mask one 1 2
  mask two 2 4
  mask four 4 11
  mask eight 8 200
  mask whole 8 256
  mask interlaced 4 16 7 interlaced
  pipeline p.json ''
  go out
  for name in one two four eight whole interlaced; do
    diff <(palette indices "masks/$name.png") <(palette indices "out/masks/$name.png")
    diff <(palette colours "masks/$name.png") <(palette colours "out/masks/$name.png")
  done
}

@test "palette: indices move like labels of a gray mask" {
  mask a 4 11
  pipeline p.json '{"type": "horizontal_flip"}, {"type": "crop", "top": 2, "left": 3, "height": 10, "width": 12}'
  go out
  diff <(palette indices masks/a.png | awk '{ for (i = 34; i > 22; i--) printf "%s ", $i; print "" }' |
    sed -n '3,12s/ $//p') <(palette indices out/masks/a.png)
  # The same labels in gray.
  mkdir gray
  python3 -c 'import png, sys
png.write("gray/a.png", [bytes(map(int, line.split())) for line in sys.stdin])' < <(palette indices masks/a.png)
  pipeline p.json '{"type": "rotate", "angle": 20, "expand": true}, {"type": "Resize", "size": [30, 41]}'
  go turned
  "$lockstep" run -q -p p.json -i images --masks gray -o plain
  diff <(palette indices turned/masks/a.png) <(python3 "$here/tools/gray.py" print plain/masks/a.png)
  diff <(palette colours masks/a.png) <(palette colours turned/masks/a.png)
}

@test "palette: a label that fills gets a colour where it has none" {
  mask a 4 11
  pipeline p.json '{"type": "pad", "padding": 1, "fill_mask": 12}'
  go out
  palette indices out/masks/a.png | head -1 | grep -qE '^(12 ){38}12$'
  diff <(palette colours masks/a.png | sed '/PLTE/s/$/000000000000/') <(palette colours out/masks/a.png)
}
