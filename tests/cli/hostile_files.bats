#!/usr/bin/env bats
# Small image files that could cost minutes or gigabytes are done or refused within 2 seconds of
# processor time and 300 MB.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup_file() {
  mkdir "$BATS_FILE_TMPDIR/in"
  python3 "$BATS_TEST_DIRNAME/../hostile/files.py" "$BATS_FILE_TMPDIR/in"
}

setup() {
  begin
  ulimit -c 0
  pipeline p.json '{"type": "horizontal_flip"}'
  cp -rl "$BATS_FILE_TMPDIR/in" in # a test adds files to its folder, and changes none
}

# A header, or a whole image, and a gigabyte of nothing: less than the most pixels allowed can have.
gaps=(gap.jpg gap-header.jpg gap-png.png gap-header-png.png gap-webp.webp gap-tif.tif gap-header-tif.tif gap-gif.gif gap-bmp.bmp gap-pnm.ppm gap-text.ppm)

# bounded NAME: its run, within the limits.
bounded() {
  run bash -c "ulimit -t 2; ulimit -d 300000
    exec '$lockstep' run -q -j 1 -p p.json -i 'in/$1' -o 'out/$1.d' 2>&1"
}

@test "hostile files: files that hold a picture are done, within limits" {
  skip_when_sanitized "$lockstep"
  for name in exif.jpg exif-inks.jpg exif.png exif.webp exif-prefixed.webp markers1.jpg markers2.jpg \
    markers-inks.jpg texts.png inflated.png frames.webp pages.tif canvas-screen.gif profile.png profile.jpg \
    texts-itxt.png scans99.jpg scans100.jpg; do
    bounded "$name"
    [ "$status" -eq 0 ] || { echo "$name: $status $output"; return 1; }
    [ "$(find "out/$name.d/images" -type f | wc -l)" -eq 1 ]
  done
}

@test "hostile files: canvases and lengths without pixels are refused, within limits" {
  skip_when_sanitized "$lockstep"
  for name in canvas-frames.webp canvas.gif canvas-offset.gif one-pixel.gif zeros.jpg zeros-behind.jpg zeros-behind.png \
    zeros-behind.tif "${gaps[@]}"; do
    bounded "$name"
    [ "$status" -eq 4 ] || { echo "$name: $status $output"; return 1; }
    [[ $output == *"$name: "* && $output != *"the worker"* ]]
    unfinished "out/$name.d"
    [[ $name != gap* || $output == *'nothing was written'* ]] || { echo "$name: $output"; return 1; }
  done
}

@test "hostile files: more scans than 100, and what is no image, are refused, within limits" {
  skip_when_sanitized "$lockstep"
  for name in scans101.jpg scans20000.jpg svg.jpg mvg.jpg pdf.jpg elf.jpg html.jpg; do
    bounded "$name"
    [ "$status" -eq 4 ] || { echo "$name: $status $output"; return 1; }
    [[ $output == *"$name: "* && $output != *"the worker"* ]]
    unfinished "out/$name.d"
  done
}

@test "hostile files: many pixels of few bytes end with the memory or the pixels that are allowed" {
  skip_when_sanitized "$lockstep"
  for name in scans-large.jpg flat.png flat-rgba16.png canvas.webp canvas-extended.webp; do
    bounded "$name"
    [ "$status" -eq 8 ] || { echo "$name: $status $output"; return 1; }
    [[ $output == *"$name: "*'[worker-memory]'* ]]
    unfinished "out/$name.d"
    run -4 --separate-stderr "$lockstep" run -q -p p.json -i "in/$name" -o "few/$name.d" --max-pixels 50000000
    # shellcheck disable=SC2154 # run sets it
    [[ $stderr == *"$name: "*'[image-large]'* ]]
    [ ! -e "few/$name.d" ]
  done
}

@test "hostile files: among other images, each is listed or done, and the others are as without them" {
  local expected
  skip_when_sanitized "$lockstep"
  mkdir good
  cp "$samples/images/street/0001.jpg" good/0.jpg
  cp "$samples/images/hills/0002.png" good/m.png
  cp "$samples/images/harbour/0002.webp" good/z.webp
  "$lockstep" run -q -p p.json -i good -o clean
  cp good/* in
  mkfifo in/pipe.jpg
  ln -s /dev/zero in/endless.jpg
  ln -s none.jpg in/nowhere.jpg
  ln -s loop.jpg in/loop.jpg
  ln -s /dev/stdin in/stdin.jpg
  run bash -c "ulimit -d 300000
    exec strace -f -y -qq -o trace.txt -e trace=$("$here/tools/traced.py" --calls) \
      '$lockstep' run -q -j 2 -p p.json -i in -o out --on-error skip < /dev/null 2>&1"
  [ "$status" -eq 1 ] || { echo "$status: $output"; return 1; }
  for name in 0.jpg m.png z.webp; do cmp "clean/images/$name" "out/images/$name"; done
  expected=$(printf '%s\n' canvas.webp canvas-extended.webp canvas-frames.webp canvas.gif canvas-offset.gif one-pixel.gif zeros.jpg \
    zeros-behind.jpg zeros-behind.png zeros-behind.tif "${gaps[@]}" scans101.jpg scans20000.jpg svg.jpg mvg.jpg pdf.jpg elf.jpg \
    html.jpg scans-large.jpg flat.png flat-rgba16.png pipe.jpg endless.jpg nowhere.jpg loop.jpg stdin.jpg | LC_ALL=C sort)
  diff <(jq -r .source out/errors.jsonl | LC_ALL=C sort) <(printf '%s\n' "$expected")
  [ "$(jq -r 'select(.code == "worker-memory") | .source' out/errors.jsonl | tr '\n' ' ')" = \
    'canvas-extended.webp canvas.webp flat-rgba16.png flat.png scans-large.jpg ' ]
  [ -z "$(find . -name pwned)" ]
  "$here/tools/traced.py" trace.txt "$PWD/out" 59 20
}
