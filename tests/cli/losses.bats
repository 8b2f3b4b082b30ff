#!/usr/bin/env bats
# Labels that outputs lose are counted, reported in one line, and listed in the manifest.
# shellcheck disable=SC2154 # run sets stderr and stderr_lines
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  mkdir in
}

# told OUT: prints the line of the summary about losses, rebuilt from run.json by this test.
told() {
  python3 - "$1/run.json" << 'END'
import json, sys
run = json.load(open(sys.argv[1]))
words = {"outside": "outside", "hidden": "hidden", "min_visibility": "below min_visibility", "min_area": "below min_area",
         "min_size": "below min_size", "max_aspect": "above max_aspect", "steps": "by steps"}
s = lambda n: "" if n == 1 else "s"
parts = [f"{n} {words[k]}" for k, n in run["dropped"].items() if n]
if parts:
    n = int(parts[0].split()[0])
    parts[0] = parts[0].replace(f"{n} ", f"{n} object{s(n)} ", 1)
line = ["dropped: " + ", ".join(parts)] if parts else []
n = run["keypoints"]["left_canvas"]
line += [f"{n} keypoint{s(n)} left the canvas"] if n else []
n = run["keypoints"]["objects_swapped_by_guess"]
line += [f"keypoints of {n} object{s(n)} changed sides by a guess from their names"] if n else []
print("lockstep: " + "; ".join(line) if line else "nothing")
END
}

# agrees OUT: the counts of run.json equal those of the manifest's lines, including the keypoints.
agrees() {
  python3 - "$1" "${2:-$samples/annotations.json}" << 'END'
import collections, json, sys
out = sys.argv[1]
run = json.load(open(out + "/run.json"))
lines = [json.loads(line) for line in open(out + "/manifest.jsonl")]
reasons = collections.Counter(d["reason"] for line in lines for d in line["dropped"])
steps = sum(n for k, n in reasons.items() if k not in run["dropped"])
assert run["dropped"] == {k: (steps if k == "steps" else reasons[k]) for k in run["dropped"]}, (reasons, run["dropped"])
kept = [a for line in lines for a in line["annotations"]]
assert run["keypoints"] == {"left_canvas": sum(len(a.get("keypoints_lost", [])) for a in kept),
                            "objects_swapped_by_guess": sum("keypoints_swapped" in a for a in kept)}, run["keypoints"]
before = {a["id"]: a for a in json.load(open(sys.argv[2]))["annotations"]}
after = {a["id"]: a for a in json.load(open(out + "/annotations.json"))["annotations"]}
for a in kept:
    source, result = before[a["from"]].get("keypoints"), after[a["id"]].get("keypoints")
    if source:
        lost = sum(v > 0 for v in source[2::3]) - sum(v > 0 for v in result[2::3])
        assert lost == len(a.get("keypoints_lost", [])), a
        assert all(result[3 * i + 2] == 0 for i in a.get("keypoints_lost", [])), a
END
}

@test "losses: every dropped object and lost keypoint is counted, told in a line, and in the manifest" {
  local name
  sed 's/"min_area": [0-9.]*,/"min_area": 4000,/; s/"min_visibility": [0-9.]*/"min_visibility": 0.6/' \
    "$root/pipelines/detection.json" | sed 's/"annotations": {/"annotations": {"min_area": 900, "max_aspect": 2.5, /' > hard.json
  cp "$root/pipelines/keypoints.json" "$root/pipelines/hrnet-topdown.json" .
  for name in hard keypoints hrnet-topdown; do
    run -0 --separate-stderr "$lockstep" run -p $name.json -i "$samples/images" -a "$samples/annotations.json" -o $name
    [ "${stderr_lines[-2]}" = "$(told $name)" ] || { echo "$stderr"; told $name; return 1; }
    [ $name = hrnet-topdown ] || agrees $name
  done
  jq -e '.dropped | .outside > 0 and .min_visibility > 0 and .min_area > 0 and .max_aspect > 0 and .steps == 0' hard/run.json
  jq -e '.dropped.steps > 0 and .keypoints.left_canvas > 0' hrnet-topdown/run.json
  run -0 --separate-stderr "$lockstep" run -q -p hard.json -i "$samples/images" -a "$samples/annotations.json" -o hard --overwrite
  [ -z "$stderr" ]
  run -0 --separate-stderr "$lockstep" run -p hard.json -i "$samples/images" -a "$samples/annotations.json" -n 2 --dry-run
  [[ $stderr == 'lockstep: dropped: '* ]]
}

@test "losses: where nothing is lost there is no line, and the counts are 0" {
  pipeline same.json '{"type": "horizontal_flip"}'
  run -0 --separate-stderr "$lockstep" run -p same.json -i "$samples/images" -a "$samples/annotations.json" -o out
  [ "${#stderr_lines[@]}" -eq 1 ]
  [ "$(told out)" = nothing ]
  jq -e '(.dropped | add) == 0 and (.keypoints | add) == 0' out/run.json
}

@test "losses: jobs, shards and a run that was killed tell the sums of the whole run" {
  local n
  ulimit -c 0
  go() { "$lockstep" run -p "$root/pipelines/detection.json" -i "$samples/images" -a "$samples/annotations.json" -n 3 "$@"; }
  go -o whole -j 1 2> whole.err
  go -o out -j 2 2> out.err
  same_tree whole out
  diff <(grep dropped: whole.err) <(grep dropped: out.err)
  rm -r out
  for n in 1 0 2; do go -q -o out --shard $n/3; done
  "$lockstep" merge out 2> out.err
  same_tree whole out
  diff <(grep dropped: whole.err) <(grep dropped: out.err)
  rm -r out
  (exec strace -qq -o /dev/null -e trace=pwrite64 -e inject=pwrite64:signal=KILL:when=9 \
    "$lockstep" run -q -p "$root/pipelines/detection.json" -i "$samples/images" -a "$samples/annotations.json" -n 3 -j 1 -o out) || true
  [ -e out/.lockstep/journal ] && [ ! -e out/run.json ]
  go -o out --resume 2> out.err
  same_tree whole out
  diff <(grep dropped: whole.err) <(grep dropped: out.err)
}

# person NAMES: a file of one object with two keypoints of these names.
person() {
  jq -nc --argjson names "$1" '{images: [{id: 1, file_name: "a.png", width: 40, height: 32}],
    annotations: [{id: 1, image_id: 1, category_id: 1, iscrowd: 0, bbox: [2, 3, 20, 10], area: 200, num_keypoints: 2,
      keypoints: [3, 4, 2, 20, 9, 1]}], categories: [{id: 1, name: "bee", keypoints: $names}]}' > in.json
}

@test "losses: pairs that change sides by a letter or a part of a word are told as a guess" {
  local names
  python3 "$here/tools/blank.py" in/a.png 40 32 gray 90
  pipeline flip.json '{"type": "horizontal_flip"}'
  for names in '["l_wing", "r_wing"]' '["wingL", "wingR"]' '["flügellinks", "flügelrechts"]'; do
    person "$names"
    run -0 --separate-stderr "$lockstep" run -p flip.json -i in -a in.json -o out --overwrite
    [ "${stderr_lines[0]}" = "lockstep: keypoints of 1 object changed sides by a guess from their names" ] || { echo "$stderr"; return 1; }
    agrees out in.json
    [ "$(jq -r '.annotations[0].keypoints_swapped' out/manifest.jsonl)" = 'by guess' ]
  done
  for names in '["left_wing", "right_wing"]' '["wingRight", "wingLeft"]' '["tip", "base"]'; do
    person "$names"
    run -0 --separate-stderr "$lockstep" run -p flip.json -i in -a in.json -o out --overwrite
    [ "${#stderr_lines[@]}" -eq 1 ] || { echo "$stderr"; return 1; }
    agrees out in.json
  done
}

@test "losses: keypoints of a whole body's parts are listed by their part" {
  python3 "$here/tools/blank.py" in/a.png 40 30 gray 90
  pipeline crop.json '{"type": "crop", "top": 0, "left": 0, "height": 30, "width": 25}'
  jq -nc '{images: [{id: 1, file_name: "a.png", width: 40, height: 30}],
    annotations: [{id: 1, image_id: 1, category_id: 1, iscrowd: 0, bbox: [2, 3, 35, 10], area: 350, num_keypoints: 1, keypoints: [30, 4, 2],
      foot_valid: true, foot_kpts: ([range(5) | 3, 4, 2] + [27, 4, 1]),
      lefthand_valid: true, lefthand_box: [1, 1, 38, 9], lefthand_kpts: ([range(20) | 5, 6, 1] + [26, 7, 2]),
      righthand_valid: false, righthand_box: [0, 0, 0, 0], righthand_kpts: [range(63) | 0]}],
    categories: [{id: 1, name: "body", keypoints: ["nose"]}]}' > in.json
  "$lockstep" run -q -p crop.json -i in -a in.json -o out
  [ "$(jq -c '.annotations[0].keypoints_lost' out/manifest.jsonl)" = '[0,[0,5],[2,20]]' ]
  [ "$(jq -c '.keypoints' out/run.json)" = '{"left_canvas":3,"objects_swapped_by_guess":0}' ]
}

@test "inks: CMYK becomes RGB as asked, and a profile is told once in a run" {
  needs_built tests/make_inks
  "$tools/make_inks" in
  python3 "$here/tools/tiffs.py" in/eight.tif inks8
  python3 "$here/tools/tiffs.py" in/sixteen.tif inks16
  python3 "$here/tools/blank.py" in/rgb.png 12 1
  pipeline profile.json '{"type": "invert"}, {"type": "invert"}'
  sed 's/{/{"cmyk": "naive", /' profile.json > naive.json
  run -0 --separate-stderr "$lockstep" run -p profile.json -i in -o profile --format png
  [ "$(grep -c 'cmyk-profile' <<< "$stderr")" -eq 1 ] || { echo "$stderr"; return 1; }
  [[ $stderr == *'warning: 4 images, first cmyk.jpg: CMYK became RGB'* ]]
  [ "$(jq -c .cmyk profile/run.json)" = '{"by_profile":4}' ]
  run -0 --separate-stderr "$lockstep" run -p naive.json -i in -o naive --format png
  [ "${#stderr_lines[@]}" -eq 1 ]
  [ "$(jq -r '.pipeline.cmyk, has("cmyk")' naive/run.json | xargs)" = 'naive false' ]
  python3 - "$here/tools" << 'END'
import sys
sys.path.insert(0, sys.argv[1])
import pictures, tiffs
def pixels(name):
    return [[tuple(p) for p in row] for row in pictures.read(name)[0]]
for name in "eight", "sixteen":
    assert pixels(f"naive/images/{name}.png")[0] == tiffs.RGB, pixels(f"naive/images/{name}.png")[0]
    assert pixels(f"profile/images/{name}.png")[0] != tiffs.RGB
for name in "cmyk", "ycck":
    row = pixels(f"naive/images/{name}.png")[4]
    for x, want in ((4, (255, 255, 255)), (14, (0, 255, 255)), (24, (255, 255, 0)), (34, (0, 0, 0))):
        assert all(abs(a - b) <= 4 for a, b in zip(row[x], want)), (name, x, row[x])
END
  # Copied files keep their inks, and without images that had inks there is no line.
  sed 's/"transforms": .*/"transforms": [], "output": {"untouched": "copy"}}/' profile.json > copy.json
  run -0 --separate-stderr "$lockstep" run -p copy.json -i in -o copy
  [[ $stderr != *cmyk-profile* ]]
  sed 's/{/{"cmyk": "press", /' profile.json > wrong.json
  refuses param-choice 3 "$lockstep" run -p wrong.json -i in -o wrong
  "$lockstep" compile -p naive.json | jq -e '.cmyk == "naive"'
}

# copies_without CODE: images of `in` that nothing changes are copied, and a run does not say CODE of them.
copies_without() {
  pipeline copy.json ''
  sed -i 's/]}$/], "output": {"untouched": "copy"}}/' copy.json
  run -0 --separate-stderr "$lockstep" run -p copy.json -i in -o copy
  [[ $stderr != *"$1"* ]]
}

@test "georeference: the tags of a GeoTIFF are not written, which is told once in a run" {
  local tag n=0
  pipeline flip.json '{"type": "horizontal_flip"}'
  python3 "$here/tools/tiffs.py" in/plain.tif gray 33432 42112
  run -0 --separate-stderr "$lockstep" run -p flip.json -i in -o out
  [ "${#stderr_lines[@]}" -eq 1 ]
  for tag in 33550 33922 34264 34735; do
    python3 "$here/tools/tiffs.py" in/geo$n.tif gray $tag
    python3 "$here/tools/tiffs.py" in/other$n.tif gray big $tag
    n=$((n + 1))
  done
  run -0 --separate-stderr "$lockstep" run -p flip.json -i in -o out --overwrite -n 2
  [ "$(grep -c 'geotiff-dropped' <<< "$stderr")" -eq 1 ] || { echo "$stderr"; return 1; }
  [[ $stderr == *'warning: 8 images, first geo0.tif: GeoTIFF tags'* ]] || { echo "$stderr"; return 1; }
  [ "$(jq -c .geotiff out/run.json)" = '{"dropped":8}' ]
  copies_without geotiff-dropped
  cmp in/geo2.tif copy/images/geo2.tif
}

@test "alpha: a TIFF's channel that it does not name is read as alpha, which is told once in a run" {
  local n
  pipeline flip.json '{"type": "horizontal_flip"}'
  python3 "$here/tools/tiffs.py" in/associated.tif rgb4 extra=1
  python3 "$here/tools/tiffs.py" in/alpha.tif rgb4 big extra=2
  python3 "$here/tools/tiffs.py" in/gray.tif gray
  run -0 --separate-stderr "$lockstep" run -p flip.json -i in -o out
  [ "${#stderr_lines[@]}" -eq 1 ] || { echo "$stderr"; return 1; }
  python3 "$here/tools/tiffs.py" in/zero.tif rgb4 extra=0
  python3 "$here/tools/tiffs.py" in/none.tif rgb4 big
  run -0 --separate-stderr "$lockstep" run -p flip.json -i in -o out --overwrite -n 2
  [ "$(grep -c 'alpha-assumed' <<< "$stderr")" -eq 1 ] || { echo "$stderr"; return 1; }
  [[ $stderr == *'warning: 2 images, first none.tif: the last channel'* ]] || { echo "$stderr"; return 1; }
  [ "$(jq -c .alpha out/run.json)" = '{"assumed":2}' ]
  copies_without alpha-assumed
}
