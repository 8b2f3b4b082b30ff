#!/usr/bin/env bats
# The op tile: one image becomes as many as it has tiles, another number for each image; see tiles.py.
# shellcheck disable=SC2154 # run sets stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
}

steps() { pipeline p.json "$1"; }

go() { # OUT OPTIONS...
  "$lockstep" run -q -p p.json -i "$samples/images" -a "$samples/annotations.json" -o "$@"
}

dry() {
  "$lockstep" run -q --dry-run -p p.json -i "$samples/images" -a "$samples/annotations.json"
}

# slices OPTION...: compares tiles with SAHI's slices.
slices() {
  local overlap size
  for overlap in 0 0.2 '[0.5, 0.1]' 0.99; do
    for size in 200 '[150, 333]' 480 640 1000; do
      steps '{"type": "tile", "size": '"$size"', "overlap": '"$overlap"', "max_outputs": 100000}'
      "$lockstep" run -q --dry-run -p p.json -i "$samples/images" "$@" > lines.jsonl
      python3 "$here/tools/tiles.py" slices "$size" "$overlap" < lines.jsonl
    done
  done
}

@test "tile: tiles of a size are SAHI's slices" { slices --limit 2; }

# bats test_tags=release
@test "tile: tiles of a size are SAHI's slices, on all samples" { slices; }

@test "tile: tiles of a grid cover the image whatever its size, and overlap as Datumaro's" {
  for overlap in 0 0.1 '[0.3, 0.99]'; do
    for grid in '1 1' '3 7' '11 2'; do
      steps '{"type": "tile", "grid": ['"${grid/ /, }"'], "overlap": '"$overlap"'}'
      dry > lines.jsonl
      # shellcheck disable=SC2086 # two words
      python3 "$here/tools/tiles.py" grid $grid "$overlap" < lines.jsonl
    done
  done
}

@test "tile: at the border tiles are cut, padded or left out" {
  steps '{"type": "tile", "size": [300, 400], "border": "cut"}'
  dry | jq -se 'map(select(.source == "street/0001.jpg") | .size_out)
                == [[400, 300], [240, 300], [400, 180], [240, 180]]'
  steps '{"type": "tile", "size": [300, 400], "border": "drop"}'
  dry | jq -se 'map(select(.source == "street/0001.jpg") | .size_out) == [[400, 300]]'
  steps '{"type": "tile", "size": [300, 400], "border": "pad", "fill": [255, 0, 255], "fill_mask": 9}'
  go out --masks "$samples/masks" --format png
  jq -se 'map(select(.source == "street/0001.jpg")) | length == 4 and all(.size_out == [400, 300])' out/manifest.jsonl
  python3 - out << 'PY'
import png
image, mask = (list(png.rows(f"out/{folder}/street/0001__a003.png")) for folder in ("images", "masks"))
assert tuple(image[299][3 * 399:]) == (255, 0, 255) and mask[299][399] == 9
assert tuple(image[179][3 * 240:3 * 241]) == (255, 0, 255) and mask[180][0] == 9
PY
}

@test "tile: every pixel has its label in all targets, after and before other steps" {
  local nearest='"interpolation": "nearest"' step
  python3 "$here/tools/joined.py" make data
  for step in '{"type": "tile", "size": 17, "overlap": 0.3}' \
    '{"type": "RandomRotate90"}, {"type": "tile", "grid": [3, 4], "overlap": 0.5}, {"type": "RandomHorizontalFlip"}' \
    '{"type": "Mosaic", "target_size": [70, 90], '"$nearest"'}, {"type": "tile", "size": [33, 29], "border": "pad"}' \
    '{"type": "five_crop", "size": 24}, {"type": "tile", "size": 13, "border": "cut", "max_outputs": 9}'; do
    steps "$step"
    rm -rf out
    "$lockstep" run -q -p p.json -i data/images -a data/in.json --masks data/masks -o out -n 3
    python3 "$here/tools/joined.py" check out
  done
}

agree() { # draws for each image
  python3 "$here/tools/joined.py" make data
  steps '{"type": "RandomRotate90"}, {"type": "tile", "grid": [2, 2], "overlap": 0.3}, {"type": "RandomHorizontalFlip"}'
  "$lockstep" run -q -p p.json -i data/images -a data/in.json --masks data/masks -o out -n "$1"
  python3 "$here/tools/joined.py" check out data exact
}

@test "tile: over 14 draws pixels, labels, keypoints and visibilities agree" { agree 2; }

# bats test_tags=release
@test "tile: over 200 draws pixels, labels, keypoints and visibilities agree" { agree 29; }

@test "tile: ids come from max_outputs alone, of a larger image as of a smaller one" {
  steps '{"type": "tile", "size": 300, "max_outputs": 40}'
  go out -n 2
  jq -se 'all(.image_id == .from * 80 + .copy * 40 + .branch)' out/manifest.jsonl
  jq -e '.annotations | (map(.id) | unique | length) == length and all(.id % 80 == .image_id % 80)' out/annotations.json
  jq -e '.images | (map(.id) | unique | length) == length' out/annotations.json
  [ "$(find out/images -type f | wc -l)" -eq "$(wc -l < out/manifest.jsonl)" ]
  "$lockstep" verify -q out
}

@test "tile: more than max_outputs is refused before work, also behind steps that change sizes" {
  for step in '' '{"type": "RandomRotation", "degrees": [30, 30], "expand": true},' '{"type": "Resize", "size": 900},'; do
    steps "$step"'{"type": "tile", "size": 100, "max_outputs": 12}'
    run -4 --separate-stderr go out
    [[ $stderr == *"max_outputs, 12 [plan-many]"* ]] && [ ! -e out ]
  done
  steps '{"type": "tile", "size": 480, "max_outputs": 2}'
  go out
}

@test "tile: parameters that do not go together are refused" {
  for parameters in '' '"size": 0' '"size": [5, 0]' '"size": 5, "grid": [2, 2]' '"size": 5, "overlap": 1' \
    '"grid": [0, 2]' '"size": 5, "max_outputs": 0' '"size": 5, "max_outputs": 1000000'; do
    steps '{"type": "tile"'"${parameters:+, $parameters}"'}'
    run -3 "$lockstep" run -q --dry-run -p p.json -i "$samples/images"
  done
  steps '{"type": "tile", "grid": [481, 2]}'
  run -4 --separate-stderr go out
  [[ $stderr == *"640x480, smaller than the grid of 481 rows and 2 columns"* ]]
}

@test "tile: any number of jobs, and a replay, give the same bytes" {
  steps '{"type": "RandomApply", "p": 0.6, "transforms": [{"type": "tile", "size": 250}]}, {"type": "five_crop", "size": 100}'
  go one -n 2 -j 1
  go two -n 2 -j 3
  same_tree one/images two/images
  cmp one/annotations.json two/annotations.json
  cmp one/manifest.jsonl two/manifest.jsonl
  "$lockstep" replay -q -m one/manifest.jsonl -i "$samples/images" -a "$samples/annotations.json" -o three
  same_tree one/images three/images
  cmp one/annotations.json three/annotations.json
}

@test "tile: each branch before the op has as many tiles as it draws" {
  steps '{"type": "five_crop", "size": 100}, {"type": "RandomApply", "p": 0.5, "transforms": [{"type": "tile", "size": 50, "max_outputs": 7}]}'
  dry | jq -se 'group_by([.source, .branch % 5]) | length == 75 and (map(length) | unique) == [1, 4]'
}

@test "tile: preview shows as many cells as the image with most tiles has" {
  steps '{"type": "tile", "size": 320}'
  "$lockstep" preview -q -p p.json -i "$samples/images" -a "$samples/annotations.json" -o sheet.png
  [ -s sheet.png ]
}

@test "tile: an image without outputs is named, and counted in run.json" {
  steps '{"type": "tile", "size": [500, 300], "border": "drop"}'
  run -0 --separate-stderr go out
  [[ $stderr == *"lockstep: warning: "*" images, first "*"no output was made of them"*"[output-none]"* ]]
  jq -se 'all(.size_in[1] >= 500)' out/manifest.jsonl
  jq -e --argjson n "$(jq -s 'map(.source) | unique | length' out/manifest.jsonl)" \
    '.outputs.images_without == 15 - $n and .outputs.images_without > 0' out/run.json
}
