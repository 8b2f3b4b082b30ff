#!/usr/bin/env bats
# Metadata of the source that outputs keep: color profile and density, or nothing.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  mkdir in
  pipeline p.json '{"type": "horizontal_flip"}'
}

# density FILE: pixels a metre, or "none"; has_profile FILE.
density() { python3 "$here/tools/density.py" density "$1"; }
has_profile() { [ "$(python3 "$here/tools/density.py" profile "$1")" = yes ]; }

# The same number comes out in every format that can hold it, by every way that an image can take.
@test "metadata: pixels an inch are kept from JPEG, PNG and TIFF to each of them" {
  local source format
  python3 "$here/tools/density.py" make in/a.jpg "$samples/images/desk/0001.jpg" 300
  python3 "$here/tools/blank.py" blank.png 40 30
  python3 "$here/tools/density.py" make in/b.png blank.png 300
  # shellcheck disable=SC2154 # begin sets it
  "$lockstep" run -q -p p.json -i in -o tiffs --format tiff
  mv tiffs/images/a.tif in/c.tif
  for format in jpeg png tiff; do
    run -0 "$lockstep" run -q -p p.json -i in -o out --overwrite --format $format
    for source in a b c; do
      [ "$(density out/images/$source.*)" = 11811 ] || { echo "$source to $format"; false; }
    done
  done
  # Planes of mode fast, coefficients, and copies of the file.
  for words in '"optimize": "fast"' '"output": {"lossless": true}' '"output": {"untouched": "copy"}'; do
    printf '{"version": 1, %s, "transforms": [{"type": "horizontal_flip"}]}\n' "$words" > q.json
    run -0 "$lockstep" run -q -p q.json -i in -o out --overwrite
    [ "$(density out/images/a.jpg)" = 11811 ]
    run -0 "$lockstep" run -q -p q.json -i in -o out --overwrite --metadata strip
    [ "$(density out/images/a.jpg)" = none ]
  done
}

# kept WORDS...: the density of the output of a JPEG whose EXIF data have these, see density.py.
kept() {
  python3 "$here/tools/density.py" exif in/a.jpg "$samples/images/desk/0001.jpg" "$@"
  "$lockstep" run -q -p p.json -i in -o out --overwrite
  density out/images/a.jpg
}

@test "metadata: a density that stands in EXIF alone is kept, as in files of cameras and phones" {
  [ "$(kept II 2 300/1 300/1)" = 11811 ]
  [ "$(kept MM 2 3000000/10000 3000000/10000)" = 11811 ]
  [ "$(kept MM - 72/1 72/1)" = 2835 ]
  [ "$(kept II 3 118/1 118/1)" = 11811 ]
  [ "$(kept II 2 300/1 300/1 0)" = 11811 ]
  # A unit in the JFIF segment counts before it: there, 1 an inch.
  [ "$(kept II 2 300/1 300/1 1)" = 39 ]
  # Values that are not a density
  for words in 'II 1 300/1 300/1' 'II 2 300/1 200/1' 'II 2 300/0 300/0' 'MM 2 0/1 0/1' 'MM 7 300/1 300/1'; do
    # shellcheck disable=SC2086 # words
    [ "$(kept $words)" = none ] || { echo "$words"; false; }
  done
  # It goes where the pixels go: another format, coefficients, planes; strip takes it away.
  python3 "$here/tools/density.py" exif in/a.jpg "$samples/images/desk/0001.jpg" MM 2 300/1 300/1
  run -0 "$lockstep" run -q -p p.json -i in -o png --format png
  [ "$(density png/images/a.png)" = 11811 ]
  for words in '"optimize": "fast"' '"output": {"lossless": true}'; do
    printf '{"version": 1, %s, "transforms": [{"type": "horizontal_flip"}]}\n' "$words" > q.json
    run -0 "$lockstep" run -q -p q.json -i in -o out --overwrite
    [ "$(density out/images/a.jpg)" = 11811 ]
    run -0 "$lockstep" run -q -p q.json -i in -o out --overwrite --metadata strip
    [ "$(density out/images/a.jpg)" = none ]
  done
  # Cut anywhere, it is an image all the same.
  for at in 30 40 60 80 100 120; do
    python3 -c "
data = bytearray(open('in/a.jpg', 'rb').read())
data[$at:$at + 4] = b'\xff\xff\xff\xff'
open('in/a.jpg', 'wb').write(data)"
    run -0 "$lockstep" run -q -p p.json -i in -o out --overwrite
  done
}

@test "metadata: what differs along and down, or makes no sense, is left out" {
  local dpi
  for dpi in 300x200 0; do
    python3 "$here/tools/density.py" make in/a.jpg "$samples/images/desk/0001.jpg" $dpi
    run -0 "$lockstep" run -q -p p.json -i in -o out --overwrite
    [ "$(density out/images/a.jpg)" = none ]
  done
}

@test "metadata: strip takes the colour profile away, keep leaves it, from the pipeline or the command line" {
  python3 "$here/tools/density.py" profiled in/a.jpg "$samples/images/desk/0001.jpg"
  run -0 "$lockstep" run -q -p p.json -i in -o out
  has_profile out/images/a.jpg
  run -0 "$lockstep" run -q -p p.json -i in -o out --overwrite --metadata strip
  run ! has_profile out/images/a.jpg
  echo '{"version": 1, "transforms": [], "output": {"metadata": "strip", "untouched": "copy"}}' > q.json
  run -0 "$lockstep" run -q -p q.json -i in -o out --overwrite
  run ! has_profile out/images/a.jpg
  run -0 "$lockstep" run -q -p q.json -i in -o out --overwrite --metadata keep
  has_profile out/images/a.jpg
  # A run that was stopped is not continued with another policy.
  run -6 --separate-stderr "$lockstep" run -q -p q.json -i in -o out --resume
  # shellcheck disable=SC2154 # run sets it
  [[ $stderr == *--metadata* ]]
}
