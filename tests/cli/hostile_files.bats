#!/usr/bin/env bats
# Small image files that could cost minutes or gigabytes are done or refused within 2 seconds of
# processor time and 300 MB.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  ulimit -c 0
  pipeline p.json '{"type": "horizontal_flip"}'
  mkdir in
  python3 "$here/hostile/files.py" in
}

# bounded NAME: its run, within the limits.
bounded() {
  run bash -c "ulimit -t 2; ulimit -d 300000
    exec '$lockstep' run -q -j 1 -p p.json -i 'in/$1' -o 'out/$1' 2>&1"
}

@test "hostile files: those that hold a picture are done, within limits" {
  skip_when_sanitized "$lockstep"
  for name in exif.jpg exif-inks.jpg exif.png exif.webp exif-prefixed.webp markers1.jpg markers2.jpg \
    markers-inks.jpg texts.png inflated.png frames.webp pages.tif canvas-screen.gif; do
    bounded "$name"
    [ "$status" -eq 0 ] || { echo "$name: $status $output"; return 1; }
    [ "$(find "out/$name/images" -type f | wc -l)" -eq 1 ]
  done
}

@test "hostile files: canvases and lengths without pixels are refused, within limits" {
  skip_when_sanitized "$lockstep"
  for name in canvas.webp canvas-extended.webp canvas-frames.webp canvas.gif one-pixel.gif zeros.jpg \
    zeros-behind.jpg zeros-behind.png zeros-behind.tif; do
    bounded "$name"
    [ "$status" -eq 4 ] || { echo "$name: $status $output"; return 1; }
    [[ $output == *"$name: "* && $output != *"the worker"* ]]
    unfinished "out/$name"
  done
}
