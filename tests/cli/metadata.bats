#!/usr/bin/env bats
# What outputs keep of the metadata of their sources: colour profile and density, or nothing.
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
