#!/usr/bin/env bats
# The environment changes no result: libraries see no variables, and images of any size are read in memory.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  needs_built tests/make_families
}

# Variables that libraries read, with values that would change their behavior. They are found by the strings in each
# library that uses getenv, from libvips to libc.
# shellcheck disable=SC2054 # values have commas
hostile=(
  VIPS_DISC_THRESHOLD=1 VIPS_CONCURRENCY=7 VIPS_NOVECTOR=1 VIPS_BLOCK_UNTRUSTED=1 VIPS_MAX_THREADS=1 VIPS_MIN_STACK_SIZE=1
  VIPS_STALL=1 VIPS_PROGRESS=1 VIPS_INFO=1 VIPS_WARNING=1 VIPS_LEAK=1 VIPS_TRACE=1 VIPS_PROFILE=1 VIPS_PIPE_READ_LIMIT=1
  VIPSHOME=/nowhere VIPS_MAX_COORD=10 IM_CONCURRENCY=7 IM_DISC_THRESHOLD=1 IM_NOVECTOR=1 IM_PROGRESS=1 IM_INFO=1
  G_DEBUG=fatal-warnings,gc-friendly G_SLICE=debug-blocks G_MESSAGES_DEBUG=all G_MESSAGES_PREFIXED=all G_RANDOM_VERSION=2.0
  G_FILENAME_ENCODING=UTF-16 G_BROKEN_FILENAMES=1 G_ENABLE_DIAGNOSTIC=1 GIO_USE_VFS=none GIO_EXTRA_MODULES=/nowhere
  JSIMD_FORCENONE=1 JSIMD_FORCESSE2=1 JSIMD_NOHUFFENC=1 JPEGMEM=1
  "FREETYPE_PROPERTIES=cff:no-stem-darkening=0 truetype:interpreter-version=35 autofitter:warping=1"
  ORC_CODE=backup,emulate ORC_DEBUG=9 EXPAT_ACCOUNTING_DEBUG=9 EXPAT_ENTROPY_DEBUG=1 EXPAT_ENTITY_DEBUG=1
  OMP_NUM_THREADS=7 OMP_SCHEDULE=dynamic OMP_DISPLAY_ENV=verbose OMP_STACKSIZE=1 GOMP_CPU_AFFINITY=0 OPJ_NUM_THREADS=7
  LIBHEIF_PLUGIN_PATH=/nowhere HDF5_PLUGIN_PATH=/nowhere MAGICK_CONFIGURE_PATH=/nowhere MAGICK_MEMORY_LIMIT=1
  FONTCONFIG_FILE=/nowhere FONTCONFIG_PATH=/nowhere FC_DEBUG=1024 FC_LANG=tr PANGO_LANGUAGE=tr PANGOCAIRO_BACKEND=x
  CAIRO_DEBUG=xrender-version=0 PIXMAN_DISABLE=fast,sse2 HB_OPTIONS=uniscribe-bug-compatible HB_SHAPER_LIST=fallback
  XML_CATALOG_FILES=/nowhere XML_DEBUG_CATALOG=1 CFITSIO_INCLUDE_FILES=/nowhere NETTLE_FAT_OVERRIDE=none
  GDK_PIXBUF_MODULE_FILE=/nowhere GDK_PIXBUF_DISABLE_TWO_STEP_SCALER=1
  LANG=tr_TR.UTF-8 LANGUAGE=tr LC_ALL=de_DE.UTF-8 LC_NUMERIC=de_DE.UTF-8 LC_CTYPE=C TZ=Asia/Tokyo POSIXLY_CORRECT=1
  MALLOC_PERTURB_=165 MALLOC_ARENA_MAX=1 MALLOC_TOP_PAD_=0 GLIBC_TUNABLES=glibc.malloc.perturb=90:glibc.malloc.tcache_count=0
  HOME=/nowhere XDG_CACHE_HOME=/nowhere XDG_CONFIG_HOME=/nowhere XDG_DATA_DIRS=/nowhere XDG_RUNTIME_DIR=/nowhere
  TMP=/nowhere TEMP=/nowhere TERM=dumb COLUMNS=7 NO_COLOR=1
)

@test "environment: images of every format come out equal, whatever libraries would read in variables" {
  local format steps='{"type": "rotate", "angle": 7}, {"type": "adjust_hue", "hue_factor": 0.1}, {"type": "adjust_contrast", "contrast_factor": 1.2}'
  mkdir in
  "$tools/make_families" in
  for format in png jpeg webp tiff; do
    printf '{"version": 1, "transforms": [%s], "output": {"format": "%s"}}' "$steps" "$format" > p.json
    go() { "$lockstep" run -q -p p.json -i in -o "$1" -n 2 -j 2 --on-error skip --durability none; }
    go "plain-$format" 2> plain.txt || [ $? = 1 ]
    env "${hostile[@]}" bash -c "$(declare -f go); lockstep='$lockstep'; go hostile-$format" 2> hostile.txt || [ $? = 1 ]
    diff -r "plain-$format" "hostile-$format"
    [ "$(find "plain-$format/images" -type f | wc -l)" -ge 30 ]
  done
}

@test "environment: so do texts, labels of XML and YAML, and what is read from archives" {
  pipeline p.json '{"type": "TextImage", "p": 1, "too_wide": "cut"}'
  jq -c '.annotations |= map(select(.iscrowd == 0) | .text = "an office")' "$samples/annotations.json" > in.json
  tar -C "$samples/images" -czf in.tar.gz .
  for format in voc yolo; do
    go() { "$lockstep" run -q -p p.json -i in.tar.gz -a in.json --font "$font" -o "$1" --to "$format" --lossy --durability none; }
    go "plain-$format"
    env "${hostile[@]}" bash -c "$(declare -f go); lockstep='$lockstep' font='$font' format=$format; go hostile-$format"
    diff -r "plain-$format" "hostile-$format"
  done
}

@test "environment: a WebP of more than 100 MB of pixels is read in memory, in the sandbox" {
  local i
  python3 -c "
import sys
row = b''.join(bytes((x & 255, x >> 4 & 255, 7)) for x in range(6100))
sys.stdout.buffer.write(b'P6 6100 5800 255\n' + row * 5800)" > large.ppm
  mkdir in
  mv large.ppm in
  printf '{"version": 1, "transforms": [], "output": {"format": "webp"}}' > webp.json
  printf '{"version": 1, "transforms": [{"type": "resize", "size": [50, 60]}], "output": {"format": "png"}}' > png.json
  "$lockstep" run -q -p webp.json -i in -o large
  "$lockstep" run -q -p png.json -i large/images -o plain
  VIPS_DISC_THRESHOLD=1 "$lockstep" run -q -p png.json -i large/images -o hostile
  diff -r plain hostile
  for i in webp tiff; do
    sed "s/png/$i/" png.json > "$i-small.json"
    "$lockstep" run -q -p "$i-small.json" -i large/images -o "small-$i"
    "$lockstep" run -q -p png.json -i "small-$i/images" -o "back-$i"
    VIPS_DISC_THRESHOLD=1 "$lockstep" run -q -p png.json -i "small-$i/images" -o "hostile-back-$i"
    diff -r "back-$i" "hostile-back-$i"
  done
}
