#!/usr/bin/env bats
# Fills of holes: colors, noise, and inpainting from the border. Tests of labels under holes are in hide.bats.
# shellcheck disable=SC2154 # run sets output and stderr
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  mkdir in
  python3 -c "import sys; sys.path.insert(0, '$here/lib'); import png
for name, channels, depth in (('gray', 1, 8), ('rgba', 4, 8), ('deep', 3, 16)):
    png.write(f'in/{name}.png', [bytes(row) if depth == 8 else row for row in
        [[(x * 7 + y * y * 3 + c * 50 + x * y // 5) % 230 * (257 if depth == 16 else 1) for x in range(70) for c in range(channels)]
         for y in range(50)]], channels, depth)"
}

# go OUT STEPS OPTION...
go() {
  echo "{\"version\": 1, \"transforms\": [$2]}" > p.json
  "$lockstep" run -q -i in -o "$1" -p p.json --durability none "${@:3}"
}

dropouts=('"type": "CoarseDropout", "num_holes_range": [3, 5]' '"type": "GridDropout"'
  '"type": "XYMasking", "num_masks_x": [1, 2], "num_masks_y": [1, 2], "mask_x_length": [3, 6], "mask_y_length": [3, 6]')

@test "dropout: every word of fill, the same bytes for any number of jobs and without optimizing" {
  local dropout word
  for dropout in "${dropouts[@]}"; do
    for word in random random_uniform inpaint_telea inpaint_ns; do
      step="{$dropout, \"p\": 1, \"fill\": \"$word\"}, {\"type\": \"horizontal_flip\"}"
      go one "$step" --jobs 1 -n 2
      go two "$step" --jobs 2 -n 2 --optimize none
      jq -se "map(.steps[0]) | all(.fill == \"$word\") and all((.key == 0) == (\"$word\" | startswith(\"inpaint\")))" \
        one/manifest.jsonl
      same_tree one/images two/images
      go plain "{$dropout, \"p\": 1, \"fill\": 0}, {\"type\": \"horizontal_flip\"}" --jobs 1 -n 2
      run ! diff -rq one/images plain/images
      # Holes are drawn alike, whatever they are filled with.
      diff <(jq -c '.steps[0] | del(.fill, .key)' one/manifest.jsonl) <(jq -c '.steps[0] | del(.fill, .key)' plain/manifest.jsonl)
      rm -r one two plain
    done
  done
}

@test "dropout: \"random\" is noise, and a number or a list what it was" {
  go word '{"type": "CoarseDropout", "p": 1, "fill": "random"}'
  go flag '{"type": "CoarseDropout", "p": 1, "noise": true}'
  same_tree word/images flag/images
  go list '{"type": "CoarseDropout", "p": 1, "fill": [9, 8, 7]}'
  jq -se 'all(.steps[0].fill == [9, 8, 7] and .steps[0].key == 0)' list/manifest.jsonl
  run -3 --separate-stderr go wrong '{"type": "CoarseDropout", "fill": "inpaint"}'
  [[ $stderr == *'"inpaint" is not one of "random", "random_uniform", "inpaint_telea", "inpaint_ns"'* ]]
}

@test "dropout: random_uniform gives each hole one colour, every level as likely, by the key alone" {
  go a '{"type": "grid_dropout", "unit": [5, 7], "hole": [2, 3], "fill": "random_uniform", "key": 11}'
  go b '{"type": "grid_dropout", "unit": [5, 7], "hole": [2, 3], "fill": "random_uniform", "key": 12}'
  go many "$(for i in {1..40}; do echo "{\"type\": \"grid_dropout\", \"unit\": 2, \"hole\": 1, \"fill\": \"random_uniform\", \"key\": $i},"
    done){\"type\": \"grid_dropout\", \"unit\": 2, \"hole\": 1, \"fill\": \"random_uniform\", \"key\": 99}"
  python3 - "$here" <<'END'
import sys
sys.path.insert(0, sys.argv[1] + "/lib")
import png
def holes(path):
    height, width, channels, v = png.read(path)
    colours = channels - (channels in (2, 4))
    at = lambda x, y: tuple(v[(y * width + x) * channels:][:colours])
    found = [[at(x + i, y + j) for i in range(3) for j in range(2)] for y in range(0, height, 5) for x in range(0, width, 7)]
    assert all(len(set(hole)) == 1 for hole in found), path
    return [hole[0] for hole in found]
for name, colours in ("gray", 1), ("rgba", 3), ("deep", 3):
    a, b = holes(f"a/images/{name}.png"), holes(f"b/images/{name}.png")
    assert len(set(a)) > (70 if colours == 1 else 95) and sum(p == q for p, q in zip(a, b)) < 10, name
    assert colours == 1 or sum(len(set(c)) == 3 for c in a) > 90, name
def alpha(path):
    return png.read(path)[3][3::4]
assert alpha("a/images/rgba.png") == alpha("in/rgba.png")
_, width, channels, v = png.read("many/images/deep.png")
levels = [v[(y * width + x) * 3 + c] >> 12 for y in range(0, 50, 2) for x in range(0, 70, 2) for c in range(3)]
wanted = len(levels) / 16
spread = sum((levels.count(k) - wanted) ** 2 / wanted for k in range(16))
assert 3 < spread < 45, spread  # chi square of 15 degrees of freedom: one in 10 000 on either side
END
}

@test "dropout: an inpainted hole shows nothing of what was in it, hides labels, and is a rectangle of the mask" {
  local word
  mkdir masks
  for word in inpaint_telea inpaint_ns; do
    hole='"i": 0, "j": 30, "h": 20, "w": 15, "v": '
    go black "{\"type\": \"erase\", ${hole}0}, {\"type\": \"coarse_dropout\", \"holes\": [[0, 30, 20, 15]], \"fill\": \"$word\"}"
    go white "{\"type\": \"erase\", ${hole}255}, {\"type\": \"coarse_dropout\", \"holes\": [[0, 30, 20, 15]], \"fill\": \"$word\"}"
    same_tree black/images white/images
    rm -r black white
  done
  rm in/*
  python3 "$here/tools/blank.py" in/a.png 70 50 gray 4
  python3 "$here/tools/blank.py" masks/a.png 70 50 gray 4
  echo '{"images": [{"id": 1, "file_name": "a.png", "width": 70, "height": 50}], "categories": [{"id": 1, "name": "a"}],
    "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [20, 0, 40, 20], "area": 800, "iscrowd": 0}]}' > in.json
  go out '{"type": "coarse_dropout", "holes": [[0, 30, 20, 15]], "fill": "inpaint_ns", "fill_mask": 9, "labels": "keep"}' -a in.json --masks masks
  jq -e '.annotations[0].visibility == 0.625' out/manifest.jsonl
  [ "$(python3 -c "import sys; sys.path.insert(0, '$here/lib'); import png; print(png.read('out/masks/a.png')[3].count(9))")" = 300 ]
  # Around it all pixels are alike.
  [ "$(python3 -c "import sys; sys.path.insert(0, '$here/lib'); import png; print(set(png.read('out/images/a.png')[3]))")" = '{4}' ]
}
