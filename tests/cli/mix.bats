#!/usr/bin/env bats
# Containers that choose or join: mix, AugMix, OneOf, SomeOf; all through the built command.
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
}

steps() { pipeline p.json "$1"; }

go() { "$lockstep" run -q -p p.json -i "$samples/images" -o "$@"; }

# blank WIDTH HEIGHT: images/a.png.
blank() {
  mkdir images
  python3 "$here/tools/blank.py" images/a.png "$1" "$2"
}

# replay OUT: every image of OUT's manifest once more, by its steps, into replayed/; the same bytes.
replay() {
  python3 - "$1" "$samples/images" "$lockstep" << 'END'
import json, os, shutil, subprocess, sys

out, images, lockstep = sys.argv[1:]
for i, line in enumerate(open(f"{out}/manifest.jsonl")):
    entry = json.loads(line)
    source, folder = entry["source"], f"replayed/{i}"
    os.makedirs(f"{folder}/in/{os.path.dirname(source)}")
    shutil.copy(f"{images}/{source}", f"{folder}/in/{source}")
    with open(f"{folder}/p.json", "w") as file:
        json.dump({"version": 1, "seed": 99, "transforms": entry["steps"]}, file)
    subprocess.run([lockstep, "run", "-q", "-p", f"{folder}/p.json", "-i", f"{folder}/in", "-o", f"{folder}/out"], check=True)
    again = json.loads(open(f"{folder}/out/manifest.jsonl").read())
    assert again["steps"] == entry["steps"], (entry["steps"], again["steps"])
    old, new = (open(p, "rb").read() for p in (f"{out}/{entry['output']}", f"{folder}/out/{again['output']}"))
    assert old == new, entry
END
}

@test "mix: what the manifest says of a draw is a pipeline that gives the same bytes" {
  steps '{"type": "AugMix", "geometry": "chains", "severity": 10},
         {"type": "mix", "inputs": [[{"type": "RandomRotation", "degrees": 20}],
           [{"type": "AugMix", "severity": 10, "geometry": "chains"}, {"type": "RandomHorizontalFlip"}]]},
         {"type": "RandAugment"}, {"type": "AutoAugment"}, {"type": "TrivialAugmentWide"}'
  go out -n 2
  jq -se 'any(.[].steps[1].inputs[1][0]; .type == "mix")' out/manifest.jsonl
  replay out
}

@test "mix: none and exact give the same bytes, and so do jobs" {
  steps '{"type": "RandomResizedCrop", "size": 200}, {"type": "AugMix", "geometry": "chains", "severity": 10},
         {"type": "ColorJitter", "contrast": 0.5}'
  go none -n 2 --optimize none
  go exact -n 2 --optimize exact -j 3
  same_tree none/images exact/images
  go fast -n 1 --optimize fast
}

@test "mix: levels are the weighted sum of the inputs, rounded to nearest" {
  blank 97 61
  steps '{"type": "mix", "weights": [3, 1, 2],
          "inputs": [[], [{"type": "invert"}, {"type": "vertical_flip"}], [{"type": "posterize", "bits": 2}]]}'
  "$lockstep" run -q -p p.json -i images -o out
  python3 - << 'END'
import png

width, height = 97, 61
found = png.read("out/images/a.png")
level = lambda x, y, b: (3 * x + 2 * y + 40 * b) % 256
assert found[:3] == (height, width, 3)
for y in range(height):
    for x in range(width):
        for b in range(3):
            v = level(x, y, b)
            want = (3 * v + 255 - level(x, height - 1 - y, b) + 2 * (v & 192)) / 6
            assert abs(found[3][(y * width + x) * 3 + b] - want) <= 0.5001, (x, y, b, want)
END
}

@test "mix: labels and label masks move as in the first input, and not in the others" {
  local moves='{"type": "crop", "top": 5, "left": 9, "height": 100, "width": 120}, {"type": "rotate", "angle": 10}'
  local inputs="\"inputs\": [[$moves], [{\"type\": \"center_crop\", \"output_size\": [100, 120]}, {\"type\": \"horizontal_flip\"}]]"
  steps "$moves"
  go one -a "$samples/annotations.json" --masks "$samples/masks"
  steps "{\"type\": \"mix\", $inputs}"
  go two -a "$samples/annotations.json" --masks "$samples/masks"
  cmp one/annotations.json two/annotations.json
  same_tree one/masks two/masks
  run ! cmp -s one/images/street/0001.jpg two/images/street/0001.jpg
}

@test "AugMix: with labels no object is shown where no label is" {
  steps '{"type": "AugMix", "severity": 10}'
  go out -n 3 -a "$samples/annotations.json" --masks "$samples/masks"
  go bare -n 3
  run ! grep -qE '"(affine|rotate)"' out/manifest.jsonl
  grep -qE '"(affine|rotate)"' bare/manifest.jsonl
  go masked -n 3 --masks "$samples/masks"
  run ! grep -qE '"(affine|rotate)"' masked/manifest.jsonl
  jq -e --slurpfile in "$samples/annotations.json" \
    '[.annotations[].bbox] | unique == ([$in[0].annotations[].bbox] | unique)' out/annotations.json
}

@test "mix: inputs of different sizes cannot be joined, and none may make several samples" {
  blank 40 30
  steps '{"type": "mix", "inputs": [[], [{"type": "pad", "padding": 1}]]}'
  run ! "$lockstep" run -q -p p.json -i images -o out
  [[ $output == *"cannot be joined"* ]]
  steps '{"type": "mix", "inputs": [[], [{"type": "ten_crop", "size": 8}]]}'
  run ! "$lockstep" compile -p p.json -o frozen.json
  [[ $output == *plan-fan* ]]
}

@test "explain: ops inside of a mix are told, with what they may be" {
  steps '{"type": "AugMix"}'
  "$lockstep" explain -p p.json > out.txt
  grep -q ' mix .*"inputs": \[\[\], \[{"type": "affine".*"type": "adjust_sharpness"' out.txt
  grep -q '1 op in 1 pass' out.txt
  "$lockstep" explain -p p.json --json | jq -e '.ops | length == 1 and .[0].family == "mix"'
}

@test "OneOf: one step is done, by the weights of their own chances" {
  blank 8 8
  steps '{"type": "OneOf", "p": 0.8, "transforms": [{"type": "invert", "p": 0.1},
          {"type": "RandomHorizontalFlip"}, {"type": "equalize", "p": 0.2},
          {"type": "autocontrast", "p": 0}]}'
  "$lockstep" run -q -p p.json -i images -o out --dry-run -n 20000 > draws.jsonl
  # Expected shares of 20000: 0.2 for nothing, and 0.8 times 1/8, 5/8, 2/8; tolerance 5 sigma.
  jq -se 'map([.steps[].type] | join(" ")) | group_by(.) | map({key: .[0], value: length}) | from_entries
          | (.[""] - 4000 | fabs) < 283 and (.invert - 2000 | fabs) < 213
            and (.horizontal_flip - 10000 | fabs) < 354 and (.equalize - 4000 | fabs) < 283
            and length == 4' draws.jsonl
}

@test "SomeOf: a step that is chosen again draws anew" {
  blank 8 8
  steps '{"type": "SomeOf", "n": 2, "replace": true,
          "transforms": [{"type": "Compose", "transforms": [{"type": "RandomRotation", "degrees": 90}]}]}'
  "$lockstep" run -q -p p.json -i images -o out --dry-run -n 500 > draws.jsonl
  jq -se 'all(.steps | length == 2 and .[0].angle != .[1].angle)
          and (map(.steps[].angle) | unique | length) == 1000' draws.jsonl
}
