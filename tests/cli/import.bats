#!/usr/bin/env bats
# lockstep import converts pipelines of other libraries. Each step states its differences, and steps without an
# equivalent are named.
# shellcheck disable=SC2154 # begin and run set them
bats_require_minimum_version 1.5.0
load ../lib/helpers

setup() {
  begin
  golden=$here/golden/import
}

@test "import: what becomes of each pipeline, what is said of it, and the exit code" {
  "$here/tools/imported.sh" "$lockstep" "$golden"/*-* > said.txt
  diff "$golden/expected.txt" said.txt
  [ "$(grep -c '^== albumentations-1x' said.txt)" -ge 16 ]
  [ "$(grep -c '^== albumentations-2x' said.txt)" -ge 24 ]
  [ "$(grep -c '^== torchvision' said.txt)" -ge 13 ]
  [ "$(grep -c '^== mmdetection' said.txt)" -ge 10 ]
  [ "$(grep -c '^== ultralytics' said.txt)" -ge 10 ]
}

# On images with boxes, polygons and keypoints, two each.
runs() { # PART OF
  local file n=0
  for file in "$golden"/*-*; do
    n=$((n + 1))
    [ $((n % $2)) -eq "$1" ] || continue
    "$lockstep" import "$file" > theirs.json || [ $? -eq 1 ]
    # ids of the samples are too large to be numbered by image, in case a step joins
    jq '.annotations.ids = "dense"' theirs.json > p.json
    "$lockstep" run -q -p p.json -i "$samples/images" -a "$samples/annotations.json" --compat lenient --font "$font" \
      --limit 2 --on-error skip --overwrite -o out || { echo "$file"; cat p.json; return 1; }
    [ "$(find out/images -type f | wc -l)" -eq 2 ]
  done
}
@test "import: what comes of it runs on the samples (1 of 3)" { runs 0 3; }

# bats test_tags=release
@test "import: what comes of it runs on the samples (2 of 3)" { runs 1 3; }

# bats test_tags=release
@test "import: what comes of it runs on the samples (3 of 3)" { runs 2 3; }

@test "import: YAML gives the same as JSON, and a stream the same as a file" {
  local file
  for file in "$golden"/albumentations-2x-{nested,keypoints-affine,weather}.json; do
    python3 -c 'import json, sys, yaml; yaml.safe_dump(json.load(open(sys.argv[1])), open("a.yaml", "w"))' "$file"
    "$lockstep" import "$file" > json.json
    "$lockstep" import a.yaml > yaml.json
    # in YAML, keys are sorted
    diff <(jq -S . json.json) <(jq -S . yaml.json)
    "$lockstep" import - < "$file" | diff json.json -
    # a single composition, without "transform" around it, is one, too
    jq .transform "$file" > tree.json
    diff <("$lockstep" import tree.json | jq .transforms) <(jq .transforms json.json)
  done
  printf '__class_fullname__: Compose\ntransforms:\n- {__class_fullname__: TimeMasking, p: 0.5}\n' > a.yaml
  run -1 --separate-stderr "$lockstep" import a.yaml
  [[ $stderr == 'a.yaml:3:3: warning: transforms[0]: TimeMasking has no equivalent here'* ]]
}

@test "import: Python is read as print() and configurations have it" {
  printf 'Compose(\n  (0): RandomApply(\n  p=.25\n  RandomInvert(p=1.)\n)\n)\n' > a.txt
  [ "$("$lockstep" import a.txt | jq -c '.transforms')" = '[{"type":"RandomApply","p":0.25,"transforms":[{"type":"RandomInvert","p":1}]}]' ]
  printf 'RandomHorizontalFlip(p=1e-1)\n' > a.txt
  [ "$("$lockstep" import a.txt | jq -c '.transforms | map([.type, .p])')" = '[["RandomHorizontalFlip",0.1]]' ]
  # names that the text gives a value, comments, dict literals, quotes of both kinds
  printf '%s\n' "p = 0.25 # a comment" "train_pipeline = [" "    {'type': \"RandomFlip\", 'prob': p}," "]" > a.py
  [ "$("$lockstep" import a.py | jq -c '.transforms | map([.type, .p])')" = '[["RandomHorizontalFlip",0.25]]' ]
  # a step that only shares its name with another library's is not converted
  printf 'train_pipeline = [dict(type="GaussianBlur", level=5)]\n' > a.py
  run -1 --separate-stderr "$lockstep" import a.py -o p.json
  [[ $stderr == *'GaussianBlur has no equivalent here'* ]]
  [ "$(jq -r '.transforms[0].type' p.json)" = Identity ]
}

@test "import: a statement that changes train_pipeline, or a part of it, is refused at its line" {
  local statement line
  while read -r line statement; do
    printf "%b\n" "flip = dict(type='RandomFlip', prob=0.25)\ntrain_pipeline = [flip, dict(type='Invert')]\n$statement" > a.py
    run -3 --separate-stderr "$lockstep" import a.py -o p.json
    [[ $stderr == "a.py:$line: error: "*'[python-changed]'* ]] || { echo "$statement: $stderr"; return 1; }
    [ ! -e p.json ]
  done <<'END'
3:1 train_pipeline.insert(0, flip)
3:1 train_pipeline.append(flip)
3:1 train_pipeline .reverse()
3:1 train_pipeline += [flip]
3:1 train_pipeline *= 3
3:1 train_pipeline[0] = dict(type='Equalize')
3:1 train_pipeline[:1] = []
3:1 train_pipeline[1]['level'] = 4
3:1 train_pipeline[0].update(prob=0.75)
3:1 del train_pipeline[1]
3:1 del (train_pipeline)
3:1 train_pipeline = [flip, flip]
3:1 train_pipeline: list = [flip]
3:1 other = train_pipeline = [flip]
3:1 x, train_pipeline = 3, [flip]
3:1 random.shuffle(train_pipeline)
3:1 print(train_pipeline.pop())
3:1 x = (train_pipeline := [flip])
3:10 x = 3;   train_pipeline.clear()
3:10 if True: train_pipeline.pop(0)
4:3 if True:\n  train_pipeline = []
4:5 def f():\n    global train_pipeline
5:9 def f():\n    if 3:\n        train_pipeline.remove(flip)
3:1 for train_pipeline in x: pass
3:1 with open('x') as train_pipeline: pass
4:3 for step in train_pipeline:\n  step['prob'] = 1
3:43 for i, step in enumerate(train_pipeline): step.pop('prob')
4:1 alias = train_pipeline\nalias.extend([flip])
5:1 alias = train_pipeline\nsecond = alias\nsecond[0] = 9
3:1 flip['prob'] = 0.75
3:1 flip.update(direction='vertical')
3:1 from x import train_pipeline
3:1 flip = 3
5:1 \\\n  \ntrain_pipeline.sort()
END
  # a value that the file gives in a block, after its use, or not at all
  printf 'if x:\n  train_pipeline = [dict(type="Invert")]\n' > a.py
  run -3 --separate-stderr "$lockstep" import a.py
  [[ $stderr == *'a.py:2:3: error: train_pipeline has its value inside of a block'* ]]
  printf 'train_pipeline = [step]\nstep = dict(type="Invert")\n' > a.py
  run -3 --separate-stderr "$lockstep" import a.py
  [[ $stderr == *'a.py:2:1: error: step is used before this line gives it a value'* ]]
  printf 'from .base import train_pipeline\n' > a.py
  run -3 --separate-stderr "$lockstep" import a.py
  [[ $stderr == *'no statement assigns train_pipeline'*'[import-unknown]'* ]]
  printf 'from .base import chance, RandomFlip\ntrain_pipeline = [dict(type=RandomFlip,\n  prob=chance)]\n' > a.py
  run -3 --separate-stderr "$lockstep" import a.py
  [[ $stderr == *'a.py:3:8: error: chance comes from another file, which is not read'* ]]
}

@test "import: strings, comments and statements that read train_pipeline are no changes" {
  cat > a.py <<'END'
"""A training.

train_pipeline = [dict(type='Equalize')]
train_pipeline.insert(1, dict(type='Equalize'))
"""
# train_pipeline = [dict(type='Equalize')]
note = 'train_pipeline.clear()'; text = r"\"train_pipeline += [3]"
size = (\
  29, 31)
from mmdet.datasets.transforms import RandomFlip
train_pipeline: list = [
    dict(type='LoadImageFromFile'),  # train_pipeline = [3]
    dict(type='Resize', scale=size),
    dict(type=RandomFlip, prob=.25),
]
"""
train_pipeline = [
"""
test_pipeline = train_pipeline[1:]
copied = train_pipeline
train_dataloader = dict(batch_size=3, dataset=dict(pipeline=train_pipeline))
loaders = [dict(train_pipeline=train_pipeline, x={'train_pipeline': train_pipeline})]
types = [step['type'] for step in train_pipeline]
cfg.train_pipeline = 3
configure(train_pipeline=3)
if train_pipeline[0]['type'] == 'x': x = 3
for step in train_pipeline: print(step)
def build(train_pipeline=None):
    return train_pipeline
END
  [ "$("$lockstep" import a.py | jq -c '.transforms | map([.type, .size, .p])')" = \
    '[["Resize",[31,29],null],["RandomHorizontalFlip",null,0.25]]' ]
}

@test "import: subscripts of values in the file are read, and what they do not have is refused" {
  becomes() { # LINES JQ
    printf '%b\n' "$1" > a.py
    "$lockstep" import a.py | jq -c ".transforms[0] | $2"
  }
  codec="codec = dict(type='X', input_size=(45, 27), levels=[0.125, {'p': 0.375}])\n"
  [ "$(becomes "${codec}train_pipeline = [dict(type='Resize', scale=codec['input_size'])]" .size)" = '[27,45]' ]
  [ "$(becomes "${codec}train_pipeline = [dict(type='RandomFlip', prob=codec['levels'][-1]['p'])]" .p)" = 0.375 ]
  [ "$(becomes "${codec}train_pipeline = [dict(type='RandomFlip', prob=(codec)['levels'][0])]" .p)" = 0.125 ]
  [ "$(becomes "x = dict(prob=0.625)\ntrain_pipeline = [*[dict(type='RandomFlip', **x)]]" .p)" = 0.625 ]
  [ "$(becomes "train_pipeline = [dict(type='Random' 'Flip', prob=(0.625))]" .p)" = 0.625 ]
  refused() { # LINE:COLUMN REASON LINES
    printf '%b\n' "$3" > a.py
    run -3 --separate-stderr "$lockstep" import a.py -o p.json
    [[ $stderr == "a.py:$1: error: $2"*'[python-syntax]'* ]] || { echo "$3: $stderr"; return 1; }
  }
  refused 2:50 'the value before these brackets has no such item' "${codec}train_pipeline = [dict(type='Resize', scale=codec['size'])]"
  refused 2:63 'the value before these brackets has no such item' "${codec}train_pipeline = [dict(type='RandomFlip', prob=codec['levels'][2])]"
  refused 2:64 'expected a literal value' "${codec}train_pipeline = [dict(type='RandomFlip', prob=codec['levels'][:1])]"
  refused 2:45 'only dict() can be called' "${codec}train_pipeline = [dict(type='Resize', scale=codec.get('input_size'))]"
  refused 1:18 'this file does not assign base.steps' 'train_pipeline = base.steps'
  # a missing comma, and more than one value
  refused 1:39 'expected a comma or the end of the list' "train_pipeline = [dict(type='Invert') dict(type='Invert')]"
  refused 2:3 'expected a comma or the end of the arguments' "train_pipeline = [dict(type='RandomFlip'\n  prob=0.25)]"
  refused 1:47 'the value before these brackets has no items: is a comma missing' "train_pipeline = [dict(type='Resize', scale=3 [4])]"
  refused 1:40 'expressions are not evaluated' "train_pipeline = [dict(type='Invert')] + [dict(type='Equalize')]"
  refused 1:40 'expressions are not evaluated' "train_pipeline = [dict(type='Invert')] * 3"
  refused 1:40 'expressions are not evaluated' "train_pipeline = [dict(type='Invert')] if y else []"
  refused 2:3 'expressions are not evaluated' "train_pipeline = [\n  f'{x}']"
  refused 1:18 'only dict() can be called' "train_pipeline = list(x)"
  refused 1:7 'expressions are not evaluated' "y = 3 / 4\ntrain_pipeline = [dict(type='RandomFlip', prob=y)]"
  refused 1:39 'methods are not called' "train_pipeline = [dict(type='Invert')].copy()"
}

@test "import: parameters of a step that is left out need not be values; those of other steps do" {
  cat > a.py <<'END'
img_norm_cfg = dict(mean=[1.5, 2.5, 3.5], std=[9, 9, 9], to_rgb=True)
train_pipeline = [
    dict(type='LoadImageFromFile', backend_args=_base_.backend_args),
    {'x': f(3), 'type': 'LoadAnnotations'},
    dict(type='RandomFlip', prob=0.75),
    dict(type='Normalize', **img_norm_cfg),
    dict(type='PackDetInputs', meta_keys=KEYS + ('flip', )),
    dict(type='MyOwnStep', size=2 * size),
]
END
  run -1 --separate-stderr "$lockstep" import a.py
  [ "$stderr" = 'a.py:8:5: warning: [5]: MyOwnStep has no equivalent here [import-lost]' ]
  [ "$(jq -c '.transforms | map([.type, .p])' <<< "$output")" = '[["RandomHorizontalFlip",0.75],["Identity",null]]' ]
  sed -i 's/prob=0.75/prob=3 \/ 4/' a.py
  run -3 --separate-stderr "$lockstep" import a.py
  [[ $stderr == *'a.py:5:36: error: expressions are not evaluated'* ]]
}

@test "import: what print() shows of Albumentations is what A.save writes" {
  printed() {
    python3 - "$1" > "$2" << 'PY'
import json, sys

def show(v):
    if isinstance(v, dict) and "__class_fullname__" in v:
        v = dict(v)
        name = v.pop("__class_fullname__").split(".")[-1]
        steps = v.pop("transforms", None)
        keys = [f"{key}={show(value)}" for key, value in v.items()]
        if steps is not None:
            keys.insert(0, "[\n" + "".join(f"  {show(step)},\n" for step in steps) + "]")
        return f"{name}({', '.join(keys)})"
    if isinstance(v, dict):
        return "{" + ", ".join(f"{key!r}: {show(value)}" for key, value in v.items()) + "}"
    if isinstance(v, list):
        return "(" + "".join(f"{show(item)}, " for item in v) + ")"
    return repr(v)

tree = json.load(open(sys.argv[1]))["transform"]
tree.setdefault("p", 1.0)
for step in tree.get("transforms", []):
    step.setdefault("p", 0.5)
json.dump({"transform": tree}, open("tree.json", "w"))
print(show(tree))
PY
  }
  local file n=0
  for file in "$golden"/albumentations-*.json; do
    grep -q '"transforms"' "$file" || continue
    printed "$file" printed.txt
    "$lockstep" import printed.txt > ours.json 2> err.txt || [ $? -eq 1 ] || { echo "$file"; cat err.txt printed.txt; return 1; }
    "$lockstep" import tree.json > theirs.json 2> /dev/null || [ $? -eq 1 ]
    diff <(jq -S . theirs.json) <(jq -S . ours.json)
    n=$((n + 1))
  done
  [ "$n" -ge 30 ]
  # code, and steps without p, are refused
  printf 'Compose([\n  HorizontalFlip(p=0.25),\n])\n' > a.txt
  run -3 --separate-stderr "$lockstep" import a.txt
  [[ $stderr == *'this is not the output of print() for Albumentations: Compose has no "p"'*'[import-unknown]'* ]]
  printf 'Compose([Resize(23, 29), HorizontalFlip(p=0.25)], p=1.0)\n' > a.txt
  run -3 --separate-stderr "$lockstep" import a.txt
  [[ $stderr == *'an argument has no key'*'[import-unknown]'* ]]
  # of two pipelines, only one is read
  printf 'Compose([\n  HorizontalFlip(p=0.25),\n], p=1.0)\nCompose([\n  VerticalFlip(p=0.25),\n], p=1.0)\n' > a.txt
  run -3 --separate-stderr "$lockstep" import a.txt
  [[ $stderr == *'a.txt:4:1: error: expected the end of the text'* ]]
  printf 'Compose(\n  Resize(size=9) Resize(size=11)\n)\n' > a.txt
  run -3 --separate-stderr "$lockstep" import a.txt
  [[ $stderr == *'a.txt:2:18: error: expected a comma or the end of the arguments'* ]]
}

@test "import: a pipeline without a step for images or labels ends with 3" {
  printf 'Compose(\n  ToTensor()\n  Normalize(mean=[0.5], std=[0.25])\n)\n' > tensors.txt
  printf 'Compose([\n  ToTensorV2(p=1.0),\n], p=1.0)\n' > printed.txt
  echo '{"transform": {"__class_fullname__": "Compose", "p": 1.0, "transforms": []}}' > none.json
  printf "train_pipeline = [dict(type='LoadImageFromFile'), dict(type='PackDetInputs')]\n" > loads.py
  for file in tensors.txt printed.txt none.json loads.py; do
    run -3 --separate-stderr "$lockstep" import $file -o p.json
    [[ $stderr == "$file:1:1: error: no step of this "*'[import-empty]'* ]] || { echo "$file: $stderr"; return 1; }
    [ ! -e p.json ]
  done
  [[ $stderr == *'MMDetection pipeline changes images or labels; left to the loader: LoadImageFromFile, PackDetInputs [import-empty]'* ]]
}

@test "import: Spatter of Albumentations 1.x has lists of modes, and colors by mode" {
  becomes() { # KEYS JQ
    printf '{"__version__": "1.4.1", "transform": {"__class_fullname__": "Spatter", "always_apply": false, "p": 0.25, "gauss_sigma": [3, 5], %s}}\n' "$1" > a.json
    run -0 "$lockstep" import a.json
    jq -c ".transforms[0] | $2" <<< "$output"
  }
  of='[.type, .mode, .color, .gauss_sigma, .p]'
  [ "$(becomes '"mode": ["rain"]' "$of")" = '["Spatter","rain",[238,238,175],[3,5],0.25]' ]
  [ "$(becomes '"mode": ["mud"], "color": null' "$of")" = '["Spatter","mud",[20,42,63],[3,5],0.25]' ]
  [ "$(becomes '"mode": ["mud"], "color": [7, 8, 9]' "$of")" = '["Spatter","mud",[7,8,9],[3,5],0.25]' ]
  [ "$(becomes '"mode": ["rain"], "color": {"rain": [1, 2, 3], "mud": [4, 5, 6]}' "$of")" = '["Spatter","rain",[1,2,3],[3,5],0.25]' ]
  [ "$(becomes '"mode": ["mud", "rain"], "color": {"rain": [1, 2, 3], "mud": [4, 5, 6]}' \
    '[.type, .p, (.transforms | map([.mode, .color, .gauss_sigma]))]')" = \
    '["OneOf",0.25,[["rain",[1,2,3],[3,5]],["mud",[4,5,6],[3,5]]]]' ]
  [ "$(becomes '"mode": ["rain", "mud"]' '.transforms | map(.color)')" = '[[238,238,175],[20,42,63]]' ]
}

@test "import: always_apply of Albumentations 1.x is a chance of 1, but not among steps to choose from" {
  becomes() { # STEPS JQ
    printf 'Compose([\n  %s,\n], p=1.0)\n' "$1" > a.txt
    run -0 --separate-stderr "$lockstep" import a.txt
    [ -z "$stderr" ]
    jq -c ".transforms[0] | $2" <<< "$output"
  }
  [ "$(becomes 'HorizontalFlip(always_apply=True, p=0.25)' '[.type, .p]')" = '["HorizontalFlip",1]' ]
  [ "$(becomes 'ToGray(p=0.25, always_apply=True)' '[.type, .p]')" = '["ToGray",1]' ]
  [ "$(becomes 'GaussNoise(always_apply=True, p=0.25, var_limit=(20.0, 30.0), mean=0)' '[.type, .var_limit, .p]')" = '["GaussNoise",[20,30],1]' ]
  [ "$(becomes 'HorizontalFlip(always_apply=False, p=0.25)' .p)" = 0.25 ]
  [ "$(becomes 'OneOf([HorizontalFlip(always_apply=True, p=0.25), VerticalFlip(always_apply=False, p=0.75)], p=0.5)' \
    '[.p, (.transforms | map(.p))]')" = '[0.5,[0.25,0.75]]' ]
}

@test "import: each difference that a transform, a parameter or the table of names states is told" {
  "$lockstep" list transforms --json > all.json
  run -0 python3 - "$lockstep" "$root/src/migrate/aliases/names.inc" << 'PY'
import json, re, subprocess, sys
lockstep, table = sys.argv[1], open(sys.argv[2]).read()
told = {"differs": 0, "value": 0, "row": 0}
bad = []

def text_of(library, name, keys):
    if library == "Albumentations":
        return json.dumps({"transform": {"__class_fullname__": "Compose", "p": 1.0, "transforms": [{"__class_fullname__": name, "p": 0.5, **keys}]}})
    call = ", ".join(f"{key}={value!r}" for key, value in keys.items())
    if library == "torchvision":
        return f"Compose(\n  {name}({call})\n)\n"
    return f"train_pipeline = [dict(type={name!r}, {call})]\n"

def remarks(v):
    if isinstance(v, dict):
        yield from (x for key, x in v.items() if key == "$comment")
        v = list(v.values())
    if isinstance(v, list):
        for item in v:
            yield from remarks(item)

def check(kind, library, name, keys, words):
    done = subprocess.run([lockstep, "import", "-"], input=text_of(library, name, keys), capture_output=True, text=True)
    if done.returncode == 3 and "import-empty" in done.stderr:
        return
    if done.returncode not in (0, 1):
        bad.append(f"{kind} {library} {name} {keys}: {done.stderr}")
    elif not any(words in remark for remark in remarks(json.loads(done.stdout)["transforms"])):
        bad.append(f"{kind} {library} {name} {keys}: not told: {words}\n{done.stdout}")
    else:
        told[kind] += 1

for t in json.load(open("all.json")):
    if t["origin"] not in ("Albumentations", "torchvision", "MMDetection"):
        continue
    example = {key: value for key, value in t["example"].items() if key not in ("type", "p")}
    if "differs" in t:
        check("differs", t["origin"], t["name"], example, t["differs"])
    for row in t["parameters"]:
        if "differs" in row:
            other = [not row["default"]] if isinstance(row["default"], bool) else [[1, 2]]
            for value in row.get("differs_at", other):
                check("value", t["origin"], t["name"], {row["name"]: value}, row["differs"])
            if "transform" in t["kind"] and row["kind"] == "choice":
                same = subprocess.run([lockstep, "import", "-"], input=text_of(t["origin"], t["name"], {}), capture_output=True, text=True)
                if row["differs"] in same.stdout:
                    bad.append(f"{t['name']}: {row['name']} differs where it is not given")

string = r'"((?:[^"\\]|\\.)*)"'
rows = re.findall(r"^(?:NAME\(%s, %s|WHEN\(%s, %s, %s), %s, %s\)$" % ((string,) * 7), table, re.M)
names = [(libraries or l2, name or n2) for libraries, name, l2, n2, given, step, remark in rows if not given]
for libraries, name, l2, n2, given, step, remark in rows:
    libraries, name, remark = libraries or l2, name or n2, remark.replace('\\"', '"')
    for library in ("Albumentations", "torchvision", "MMDetection"):
        # a row of one version, and one of several of a name, is chosen by keys that it knows
        if library in libraries.split(", ") and remark and (given or names.count((libraries, name)) == 1):
            pairs = json.loads("{" + given.replace("'", '"') + "}")
            check("row", library, name, pairs, remark)
assert not bad, "\n".join(bad)
assert told["differs"] >= 60 and told["value"] >= 4 and told["row"] >= 40, told
PY
}

@test "import: MMDetection's Resize bounds the shorter and the longer side, however the image lies" {
  printf '%s\n' "train_pipeline = [dict(type='Resize', scale=(133, 80), keep_ratio=True)]" > a.py
  "$lockstep" import a.py > p.json
  mkdir in
  python3 "$here/tools/blank.py" in/a.png 40 30
  python3 "$here/tools/blank.py" in/b.png 30 40
  python3 "$here/tools/blank.py" in/c.png 20 60
  run -0 "$lockstep" run -q -p p.json -i in -o out
  [ "$(jq -c .size_out out/manifest.jsonl | sort | tr '\n' ' ')" = '[107,80] [44,133] [80,107] ' ]
}

@test "import: OpenCV's area is itself where a step resizes, and bilinear where one warps" {
  echo '{"__version__": "2.0.8", "transform": {"__class_fullname__": "Compose", "p": 1.0, "transforms": [
    {"__class_fullname__": "Resize", "p": 1, "height": 30, "width": 40, "interpolation": 3},
    {"__class_fullname__": "Rotate", "p": 1, "limit": [-9, 9], "interpolation": 3}]}}' > a.json
  [ "$("$lockstep" import a.json | jq -c '.transforms | map(.interpolation)')" = '["area","bilinear"]' ]
  printf 'Compose(\n  Resize(size=[9], interpolation=InterpolationMode.HAMMING, antialias=True)\n)\n' > a.txt
  [ "$("$lockstep" import a.txt | jq -c '.transforms | map(.interpolation)')" = '["hamming"]' ]
}

@test "import: OpenCV's resizes are not antialiased, and its nearest pixel is another one" {
  with() { # KEYS JQ
    echo '{"__version__": "2.0.8", "transform": {"__class_fullname__": "Compose", "p": 1.0, "transforms": [
      {"__class_fullname__": "LongestMaxSize", "p": 1, "max_size": 30, '"$1"'}]}}' > a.json
    "$lockstep" import a.json | jq -c ".transforms[0] | $2"
  }
  [ "$(with '"interpolation": 1' '[.antialias, .["$comment"]]')" = '[false,null]' ]
  [ "$(with '"interpolation": 3' '[.antialias, .["$comment"]]')" = '[null,null]' ]
  [[ "$(with '"interpolation": 0' '.["$comment"]')" == *"as in OpenCV"* ]]
  [ "$(with '"interpolation": 1, "area_for_downscale": null' .antialias)" = false ]
  [[ "$(with '"interpolation": 1, "area_for_downscale": "image"' '[.antialias, .["$comment"]]')" == '[true,'*INTER_AREA* ]]
}

@test "import: Downscale is OpenCV's resizes, too" {
  with() { # PAIR JQ
    echo '{"__version__": "2.0.8", "transform": {"__class_fullname__": "Compose", "p": 1.0, "transforms": [
      {"__class_fullname__": "Downscale", "p": 1, "scale_range": [0.25, 0.25], "interpolation_pair": '"$1"'}]}}' > a.json
    "$lockstep" import a.json | jq -c ".transforms[0] | $2"
  }
  [[ "$(with '{"upscale": 0, "downscale": 0}' '.["$comment"]')" == *"as in OpenCV"* ]]
  [ "$(with '{"upscale": 1, "downscale": 1}' '[.downscale, .antialias, .["$comment"]]')" = '["bilinear",false,null]' ]
  [ "$(with '{"upscale": 0, "downscale": 1}' '[.antialias, (.["$comment"] | length > 9)]')" = '[false,true]' ]
  [ "$(with '{"upscale": 3, "downscale": 1}' .antialias)" = false ]
  [ "$(with '{"upscale": 2, "downscale": 3}' '[.downscale, .antialias, .["$comment"]]')" = '["area",null,null]' ]
}

@test "import: torchvision's two nearest pixels" {
  with() { # MODE JQ
    printf 'Compose(\n  Resize(size=[9], interpolation=InterpolationMode.%s, antialias=True)\n)\n' "$1" > a.txt
    "$lockstep" import a.txt | jq -c ".transforms[0] | $2"
  }
  [ "$(with NEAREST_EXACT '[.interpolation, .["$comment"]]')" = '["nearest",null]' ]
  [ "$(with NEAREST .interpolation)" = '"nearest"' ]
  [[ "$(with NEAREST '.["$comment"]')" == *"for tensors"* ]]
  printf 'Compose(\n  RandomRotation(degrees=[-9, 9], interpolation=InterpolationMode.NEAREST_EXACT)\n)\n' > a.txt
  [ "$("$lockstep" import a.txt | jq -c '.transforms[0] | [.interpolation, .["$comment"]]')" = '["nearest",null]' ]
}

@test "import: torchvision's p of RandomPhotometricDistort applies to each change" {
  printf 'Compose(\n  RandomPhotometricDistort(brightness=(0.8, 1.2), contrast=(1, 1), hue=(0, 0), saturation=(1, 1), p=0.3)\n)\n' > a.txt
  [ "$("$lockstep" import a.txt | jq -c '.transforms[0] | [.p_each, .p]')" = '[0.3,null]' ]
}

@test "import: MMDetection's steps that one of their values decides" {
  becomes() { # STEP JQ
    printf 'train_pipeline = [dict(%s)]\n' "$1" > a.py
    "$lockstep" import a.py 2> err.txt | jq -c ".transforms[0] | $2"
  }
  [ "$(becomes "type='RandomCrop', crop_size=(9, 5)" '[.crop_type, .size]')" = '["absolute",[5,9]]' ]
  [ "$(becomes "type='RandomCrop', crop_size=(384, 600), crop_type='absolute_range'" '[.crop_type, .size]')" = '["absolute_range",[384,600]]' ]
  [ "$(becomes "type='RandomCrop', crop_size=(0.5, 0.6), crop_type='relative'" '[.crop_type, .size]')" = '["relative",[0.6,0.5]]' ]
  [ "$(becomes "type='RandomCrop', crop_size=(0.5, 0.6), crop_type='relative_range', allow_negative_crop=True" \
    '[.crop_type, .size, .["$comment"]]')" = '["relative_range",[0.5,0.6],null]' ]
  [ "$(becomes "type='RandomFlip', prob=0.5, direction='vertical'" '[.type, .p]')" = '["RandomVerticalFlip",0.5]' ]
  [ "$(becomes "type='RandomFlip', prob=0.5, direction=['horizontal', 'vertical']" '[.type, .p, (.transforms | length)]')" = '["OneOf",0.5,2]' ]
  [ "$(becomes "type='Brightness'" '[.brightness, .p // 1]')" = '[[0.1,1.9],1]' ]
  [ "$(becomes "type='Sharpness', prob=0.25, max_mag=1.5" '[.sharpness_factor, .p]')" = '[[0.1,1.5],0.25]' ]
  [ "$(becomes "type='ShearX'" '[.shear, .center, .fill]')" = '[[-30,30],[0,0],128]' ]
  [ "$(becomes "type='TranslateY', prob=0.5, max_mag=0.2" '[.translate, .fill, .p]')" = '[[0,0.2],128,0.5]' ]
  [ "$(becomes "type='YOLOv5RandomAffine', max_shear_degree=3" '[.shear, .fill]')" = '[[-3,3,-3,3],114]' ]
  # each direction has a separate chance, or an equal part of one
  flips='[.p, (.transforms | map([.type, .p])), .["$comment"]]'
  [ "$(becomes "type='RandomFlip', prob=[0.3, 0.1], direction=['horizontal', 'vertical']" "$flips")" = \
    '[0.4,[["horizontal_flip",0.3],["vertical_flip",0.1]],null]' ]
  [ "$(becomes "type='RandomFlip', flip_ratio=[0.25, 0.25], direction=['horizontal', 'diagonal']" "$flips")" = \
    '[0.5,[["horizontal_flip",0.25],["rot90",0.25]],null]' ]
  [ "$(becomes "type='RandomFlip', prob=0.3, direction=['vertical', 'horizontal']" "$flips")" = \
    '[0.3,[["vertical_flip",1],["horizontal_flip",1]],null]' ]
  [ "$(becomes "type='RandomFlip', prob=[0.3], direction=['vertical']" '[.type, .p]')" = '["RandomVerticalFlip",0.3]' ]
  [ "$(becomes "type='Resize', scale=(9, 5)" '[.type, .size]')" = '["Resize",[5,9]]' ]
  [ "$(becomes "type='Resize', img_scale=(9, 5)" '[.type, .min_size, .max_size]')" = '["RandomShortestSize",5,9]' ]
  [ "$(becomes "type='RandomChoiceResize', scales=[(480, 1333), (512, 1333)], keep_ratio=True" '[.min_size, .max_size]')" = '[[480,512],1333]' ]
  [ "$(becomes "type='RandomChoiceResize', scales=[(480, 1333), (512, 999)], keep_ratio=True" '[.type, (.transforms | map([.min_size, .max_size]))]')" = \
    '["RandomChoice",[[480,1333],[512,999]]]' ]
  # without keep_ratio images are scaled out of shape
  [ "$(becomes "type='RandomChoiceResize', scales=[(480, 1333), (512, 999)]" '[.type, (.transforms | map(.size))]')" = \
    '["RandomChoice",[[1333,480],[999,512]]]' ]
  # where no direction has a chance nothing is lost
  [ "$(becomes "type='RandomFlip', prob=[0.0, 0.0], direction=['horizontal', 'vertical']" .p)" = 0 ]
  [ ! -s err.txt ]
  # lists of steps to choose from
  [ "$(becomes "type='RandomChoice', transforms=[[dict(type='RandomFlip'), dict(type='RandomFlip')], [dict(type='RandomFlip')]], prob=[0.3, 0.7]" \
    '[.type, .weights, (.transforms | map([.type, (.transforms | length)]))]')" = '["RandomChoice",[0.3,0.7],[["Compose",2],["Compose",1]]]' ]
  # sizes are rounded down and filtered by OpenCV or by Pillow; borders have separate values
  [ "$(becomes "type='FixScaleResize', scale=(800, 1333), keep_ratio=True, backend='pillow'" '[.min_size, .max_size, .rounding, .antialias]')" = '[800,1333,"down",true]' ]
  [ "$(becomes "type='FixScaleResize', scale=(9, 5)" '[.size, .antialias]')" = '[[5,9],false]' ]
  [ "$(becomes "type='mmyolo.LetterResize', scale=(9, 5)" '[.size, .fill, .antialias]')" = '[[5,9],0,false]' ]
  [ "$(becomes "type='YOLOv5MixUp', alpha=8.0, beta=8.0" '[.alpha, .p]')" = '[8,1]' ]
  [ "$(becomes "type='PPYOLOERandomCrop', thresholds=[0.0, 0.3]" .sampler_options)" = '[0,0.3,1]' ]
  [ "$(becomes "type='MinIoURandomCrop', min_ious=[0.3]" .sampler_options)" = '[0,0.3,1]' ]
  # omitted members are settings, unless a setting cannot express them
  printf "train_pipeline = [dict(type='FilterAnnotations', min_gt_bbox_wh=(4, 4), keep_empty=False), dict(type='Invert')]\n" > a.py
  [ "$("$lockstep" import a.py | jq -c '[.annotations, (.transforms | map(.type))]')" = '[{"min_size":4},["RandomInvert"]]' ]
  printf "train_pipeline = [dict(type='FilterAnnotations', min_gt_bbox_wh=(4, 2), keep_empty=False)]\n" > a.py
  run -1 "$lockstep" import a.py
}

@test "import: MMDetection's colours are blue, green, red, and its masks are padded apart" {
  becomes() { # STEP JQ
    printf 'train_pipeline = [dict(%s)]\n' "$1" > a.py
    "$lockstep" import a.py | jq -c ".transforms[0] | $2"
  }
  [ "$(becomes "type='Pad', size=(9, 5), pad_val=dict(img=(1, 2, 3), seg=4)" '[.fill, .fill_mask]')" = '[[3,2,1],4]' ]
  [ "$(becomes "type='Pad', size=(9, 5), pad_val=(1, 2, 3)" '[.fill, .fill_mask]')" = '[[3,2,1],255]' ]
  [ "$(becomes "type='Pad', size=(9, 5), pad_val=7, seg_pad_val=8" '[.fill, .fill_mask]')" = '[7,8]' ]
  [ "$(becomes "type='CutOut', n_holes=1, cutout_shape=(9, 5), fill_in=(1, 2, 3)" .fill)" = '[3,2,1]' ]
  [ "$(becomes "type='Expand', mean=(1, 2, 3)" .fill)" = '[1,2,3]' ]
  [ "$(becomes "type='Expand', mean=(1, 2, 3), to_rgb=False, seg_ignore_label=7" '[.fill, .fill_mask, .["$comment"]]')" = '[[3,2,1],7,null]' ]
  [ "$(becomes "type='Rotate', img_border_value=(1, 2, 3), seg_ignore_label=7" '[.fill, .fill_mask]')" = '[[3,2,1],7]' ]
}

@test "import: MMDetection's numbers that mean the opposite" {
  becomes() { # STEP JQ
    printf 'train_pipeline = [dict(%s)]\n' "$1" > a.py
    "$lockstep" import a.py | jq -c ".transforms[0] | $2"
  }
  # an image is flipped where a number is above flip_ratio
  [ "$(becomes "type='MixUp', flip_ratio=0.25" '.donor_transforms[] | select(.type == "RandomHorizontalFlip").p')" = 0.75 ]
  # the exponent is the inverse of gamma
  [ "$(becomes "type='AdjustGamma', gamma=2.0" '[.gamma_limit, .p]')" = '[[50,50],1]' ]
  [ "$(becomes "type='AdjustGamma'" .gamma_limit)" = '[100,100]' ]
  # angles are clockwise
  [ "$(becomes "type='RandomRotate', prob=1.0, degree=(10, 20)" .degrees)" = '[-20,-10]' ]
  [ "$(becomes "type='RandomRotate', prob=1.0, degree=20" .degrees)" = 20 ]
  # levels that are added are next to nothing, and any hue is as likely
  [ "$(becomes "type='PPYOLOERandomDistort', hue_cfg=dict(min=-0.5, max=0.5, prob=0.25)" \
    '[.type, (.transforms | map([.brightness, .saturation, .hue, .p]))]')" = \
    '["RandomOrder",[[null,null,null,0.5],[[0.5,1.5],null,null,0.5],[null,[0.5,1.5],null,0.5],[null,null,[-0.25,0.25],0.25]]]' ]
  [ "$(becomes "type='PPYOLOERandomDistort'" '.transforms[3].hue')" = '[-0.5,0.5]' ]
  # all objects of the image are to be overlapped
  [ "$(becomes "type='MinIoURandomCrop'" '[.overlapped, .["$comment"]]')" = '["all",null]' ]
  # gray is the mean of the channels, and one channel is left
  [ "$(becomes "type='RandomGrayscale', prob=0.3" '[.type, .method, .num_output_channels, .p]')" = '["ToGray","average",1,0.3]' ]
  [ "$(becomes "type='Invert'" .p)" = 1 ]
}

@test "import: one name is another step in each of OpenMMLab's libraries" {
  becomes() { # STEP JQ
    printf 'train_pipeline = [dict(%s)]\n' "$1" > a.py
    "$lockstep" import a.py | jq -c ".transforms[0] | $2"
  }
  hue='[.. | .hgain? // empty | select(. > 0)] + [([.. | objects | select(.type == "ChannelShuffle")] | length)]'
  [ "$(becomes "type='PhotoMetricDistortion'" "$hue")" = '[0.05,0.05,1]' ]
  [ "$(becomes "type='mmseg.PhotoMetricDistortion'" "$hue")" = '[0.1,0.1,0]' ]
  [ "$(becomes "type='PhotoMetricDistortion', _scope_='mmseg'" "$hue")" = '[0.1,0.1,0]' ]
  [ "$(becomes "type='PhotoMetricDistortion'), dict(type='PackSegInputs'" "$hue")" = '[0.1,0.1,0]' ]
  [ "$(becomes "type='RandomCrop', crop_size=(9, 5)" .size)" = '[5,9]' ]
  [ "$(becomes "type='mmseg.RandomCrop', crop_size=(9, 5)" .size)" = '[9,5]' ]
  [ "$(becomes "type='RandomCrop', crop_size=(9, 5), padding=2), dict(type='PackInputs'" '[.size, .padding]')" = '[[9,5],2]' ]
  [ "$(becomes "type='RandomResizedCrop', scale=(9, 5)" .size)" = '[9,5]' ]
  [ "$(becomes "type='RandomErasing', n_patches=2, ratio=0.3" '[.type, .hole_height_range]')" = '["CoarseDropout",[0.3,0.3]]' ]
  [ "$(becomes "type='RandomErasing', erase_prob=0.25, mode='rand'" '[.type, .scale, .noise, .p]')" = '["RandomErasing",[0.02,0.4],true,0.25]' ]
  [ "$(becomes "type='Invert'), dict(type='PackInputs'" .p)" = 0.5 ]
  # MMDetection 2 has heights before widths, but in Resize
  [ "$(becomes "type='RandomCrop', crop_size=(9, 5)), dict(type='DefaultFormatBundle'" .size)" = '[9,5]' ]
  [ "$(becomes "type='Pad', size=(9, 5)), dict(type='Collect'" '[.min_height, .min_width]')" = '[9,5]' ]
  [ "$(becomes "type='Pad', size=(9, 5)" '[.min_height, .min_width]')" = '[5,9]' ]
}

@test "import: MMDetection's scales that are drawn, and squares" {
  becomes() { # STEP JQ
    printf 'train_pipeline = [dict(%s)]\n' "$1" > a.py
    "$lockstep" import a.py | jq -c ".transforms[0] | $2"
  }
  sizes='[.min_size, .max_size, .between, .scale_range, .["$comment"]]'
  [ "$(becomes "type='RandomResize', scale=[(133, 64), (133, 80)], keep_ratio=True" "$sizes")" = '[[64,80],133,true,null,null]' ]
  [[ "$(becomes "type='RandomResize', scale=[(99, 64), (133, 80)], keep_ratio=True" "$sizes")" == '[[64,80],133,true,null,"scale was '* ]]
  [ "$(becomes "type='Resize', img_scale=[(133, 64), (133, 80)]" "$sizes")" = '[[64,80],133,true,null,null]' ]
  [ "$(becomes "type='Resize', img_scale=[(133, 64), (133, 80)], multiscale_mode='value'" "$sizes")" = '[[64,80],133,null,null,null]' ]
  [ "$(becomes "type='Resize', img_scale=[(99, 64), (133, 80)], multiscale_mode='value', keep_ratio=False" '[.transforms[].size]')" = '[[64,99],[80,133]]' ]
  [ "$(becomes "type='Resize', img_scale=(133, 80), ratio_range=(0.5, 2.0)" "$sizes")" = '[80,133,null,[0.5,2],null]' ]
  [ "$(becomes "type='Pad', pad_to_square=True, size_divisor=32" '[.square, .pad_width_divisor]')" = '[true,32]' ]
  [ "$(becomes "type='FixShapeResize', width=9, height=5, keep_ratio=True" '[.transforms[] | .max_size_hw, .min_width]')" = '[[5,9],null,null,9]' ]
}

@test "import: hyper-parameters of YOLO trainers are the steps that the trainer makes of them" {
  steps() { printf '%b' "$1" > hyp.yaml && "$lockstep" import hyp.yaml 2> err.txt > p.json || [ $? -eq 1 ]; }
  steps 'fliplr: 0.5\nimgsz: 64\ndegrees: 10\ntranslate: 0.2\nscale: 0.25\n'
  [ ! -s err.txt ]
  [ "$(jq -c '.transforms | map(.type)' p.json)" = '["LongestMaxSize","Mosaic","RandomAffine","CenterCrop","Compose","RandomHSV","RandomHorizontalFlip"]' ]
  [ "$(jq -c '.transforms[1] | [.target_size, .center_range, .fit_mode, .fill]' p.json)" = '[128,[0.25,0.75],"corner",114]' ]
  # shifts are shares of the trainer's side, half the canvas's; scale is a gain
  [ "$(jq -c '.transforms[2] | [.degrees, .translate, .scale, .fill]' p.json)" = '[10,[0.1,0.1],[0.75,1.25],114]' ]
  steps 'fliplr: 0\nmosaic: 0\nhsv_h: 0\nhsv_s: 0\nhsv_v: 0\nflipud: 0.25\n'
  [ "$(jq -c '.transforms | map([.type, .p])' p.json)" = '[["LongestMaxSize",null],["LetterBox",null],["RandomAffine",null],["Compose",null],["RandomVerticalFlip",0.25]]' ]
  steps 'fliplr: 0.5\nmosaic: 0.75\nmixup: 0.1\n'
  [ "$(jq -c '.transforms[0] | [.type, .p, (.transforms | map([.p, .transforms[0].type]))]' p.json)" = '["OneOf",1,[[0.75,"LongestMaxSize"],[0.25,"LongestMaxSize"]]]' ]
  [ "$(jq -c '.transforms[1] | [.type, .alpha, .p]' p.json)" = '["MixUp",32,0.1]' ]
  # values that are not a number, out of range, or unknown are reported at their place
  steps 'fliplr: [0.5]\nmixup: 2\nhsv_hh: 0.1\n'
  grep -qx 'hyp.yaml:1:9: warning: fliplr: fliplr is not converted: expected a number \[import-lost\]' err.txt
  grep -q '^hyp.yaml:2:8: warning: mixup: .*1 is used' err.txt
  grep -q '^hyp.yaml:3:9: warning: hsv_hh: .*did you mean "hsv_h"' err.txt
  printf 'fliplr: 0.5\n\tmosaic: 1\n' > tab.yaml
  run -3 --separate-stderr "$lockstep" import tab.yaml
  [[ $stderr == *'[yaml-syntax]'* ]]
  echo '- fliplr' > list.yaml
  run -3 --separate-stderr "$lockstep" import list.yaml
  [[ $stderr == *'[import-unknown]'* ]]
}

@test "import: what trainers of other generations do in their own way" {
  steps() { printf '%b' "${1}fliplr: 0.5\n" > hyp.yaml && "$lockstep" import hyp.yaml 2> err.txt > p.json || [ $? -eq 1 ]; }
  hue='.transforms[] | select(.type == "RandomHSV")["$comment"]'
  steps 'mixup: 0.1\n'
  [ "$(jq -c "$hue" p.json)" = null ]
  [ "$(jq -c '[.transforms[] | .rounding // .alpha // empty]' p.json)" = '["up",32]' ]
  [ "$(jq -c '.transforms[1].donor_transforms[0].rounding' p.json)" = '"up"' ]
  steps 'anchor_t: 4\n'
  [[ "$(jq -c "$hue" p.json)" == *'scaled there'* ]]
  steps 'mixup: 0.1\npaste_in: 0.15\nloss_ota: 1\n'
  grep -q '^hyp.yaml:2:11: warning: paste_in: .*the nearest is CopyPaste' err.txt
  [ "$(jq -c '[.transforms[] | .rounding // .alpha // empty]' p.json)" = '["down",8]' ]
  [[ "$(jq -c '.transforms[1]["$comment"]' p.json)" == *'has nine images'* ]]
  [ "$(jq -c '.transforms[2].scale' p.json)" = '[0.5,1.6]' ]
  steps 'paste_in: 0\n'
  [ ! -s err.txt ]
  # objects of another image are pasted when the mosaic has been turned
  order='[.transforms[].type | select(. == "CopyPaste" or . == "RandomAffine")]'
  steps 'copy_paste: 0.5\n'
  [ "$(jq -c "$order" p.json)" = '["CopyPaste","RandomAffine"]' ]
  steps 'copy_paste: 0.5\ncopy_paste_mode: mixup\n'
  [ "$(jq -c "$order" p.json)" = '["RandomAffine","CopyPaste"]' ]
  steps 'rect: true\nmulti_scale: 0.5\n'
  jq -e '.["$comment"] | contains("multi_scale, rect")' p.json
}

@test "import: Albumentations' steps that are another step than their name says" {
  becomes() { # STEP JQ
    printf '{"__version__": "2.0.8", "transform": {"__class_fullname__": "Compose", "p": 1, "transforms": [{"__class_fullname__": %s}]}}\n' "$1" > a.json
    "$lockstep" import a.json | jq -c ".transforms[0] | $2"
  }
  # the cumulative histogram spreads levels evenly; Pillow's way stretches them
  [ "$(becomes '"AutoContrast", "cutoff": 0, "ignore": null, "method": "cdf"' '[.type, .mode]')" = '["Equalize","cv"]' ]
  [ "$(becomes '"AutoContrast", "cutoff": 0, "method": "pil", "p": 0.3' '[.type, .p, .["$comment"]]')" = '["RandomAutocontrast",0.3,null]' ]
  # the width by the height
  [ "$(becomes '"Erasing", "ratio": [0.25, 2]' '[.ratio, (.["$comment"] | length > 9)]')" = '[[0.5,4],true]' ]
  # limits of at most 1 are shares of the largest level
  [ "$(becomes '"RGBShift", "r_shift_limit": [-0.2, 0.2], "g_shift_limit": [-20, 20], "b_shift_limit": 1' \
    '[.r_shift_limit, .g_shift_limit, .b_shift_limit]')" = '[[-51,51],[-20,20],255]' ]
  [ "$(becomes '"RGBShift", "always_apply": false, "r_shift_limit": [-1, 1]' .r_shift_limit)" = '[-1,1]' ]
  # noise that is divided by its largest value
  [ "$(becomes '"ElasticTransform", "alpha": 20, "sigma": 5, "noise_distribution": "gaussian"' .alpha)" = 14 ]
  [ "$(becomes '"ElasticTransform", "alpha": 20, "sigma": 5, "noise_distribution": "uniform"' .alpha)" = 40 ]
  [ "$(becomes '"Sharpen", "method": "gaussian", "kernel_size": 7, "sigma": 2, "alpha": [0.1, 0.3], "lightness": [0.5, 1]' \
    '[.type, .blur_limit, .sigma_limit, .alpha, .threshold]')" = '["UnsharpMask",[7,7],[2,2],[0.1,0.3],0]' ]
}

@test "import: what is not said, and is another in each version, is told" {
  albu() { # STEP
    printf 'train_pipeline = [dict(type="Albu", transforms=[dict(type=%s)])]\n' "$1" > a.py
    "$lockstep" import a.py | jq -c '.transforms[0].transforms[0]'
  }
  told() { [[ "$1" == *"Albumentations 1"* ]]; }
  told "$(albu "'ShiftScaleRotate', rotate_limit=9")"
  run ! told "$(albu "'ShiftScaleRotate', rotate_limit=9, border_mode=0")"
  told "$(albu "'CoarseDropout', p=0.5")"
  run ! told "$(albu "'CoarseDropout', max_holes=3")"
  run ! told "$(albu "'CoarseDropout', num_holes_range=(1, 2)")"
  told "$(albu "'GaussNoise', p=0.5")"
  told "$(albu "'GridDropout', ratio=0.3")"
  [ "$(albu "'JpegCompression', p=0.5" | jq -c .quality_range)" = '[99,100]' ]
  printed() { # STEP JQ
    printf 'Compose(\n  %s\n)\n' "$1" > a.txt
    "$lockstep" import a.txt | jq -c ".transforms[0] | $2"
  }
  [[ "$(printed 'RandomPerspective(p=0.3)' '.["$comment"]')" == *"does not print distortion_scale"* ]]
  [ "$(printed 'RandomPerspective(distortion_scale=0.3, p=0.3, interpolation=InterpolationMode.BILINEAR, fill=0)' '.["$comment"]')" = null ]
  [[ "$(printed 'RandomCrop(size=(9, 9), padding=None)' '.["$comment"]')" == *"does not print pad_if_needed"* ]]
  # noise is None there, which torchvision 2 does not print
  erased='RandomErasing(p=0.25, scale=(0.02, 0.33), ratio=(0.3, 3.3)'
  [ "$(printed "$erased, inplace=False)" '[.noise, .p]')" = '[true,0.25]' ]
  [ "$(printed "$erased, value=random, inplace=False)" .noise)" = true ]
  [ "$(printed "$erased, value=[1.0, 2.0, 3.0], inplace=False)" '[.noise, .value]')" = '[false,[1,2,3]]' ]
  [[ "$(printed 'RandomZoomOut(p=0.5, side_range=(1.0, 4.0))' '.["$comment"]')" == *"does not print a fill"* ]]
  # the width before the height
  [ "$(printed 'ScaleJitter(target_size=(9, 5), scale_range=(0.5, 1.5))' '[.target_size, .scale_range]')" = '[[5,9],[0.5,1.5]]' ]
}

@test "import: a range in which one number is left is told" {
  echo '{"__version__": "1.3.0", "transform": {"__class_fullname__": "GridDistortion", "num_steps": [4, 8]}}' > a.json
  run -0 --separate-stderr "$lockstep" import a.json
  jq -e '.transforms[0] | .num_steps == 6 and (.["$comment"] | contains("num_steps was [4, 8]"))' <<< "$output"
}

@test "import: what noise_params holds becomes parameters" {
  echo '{"__version__": "2.0.8", "transform": {"__class_fullname__": "Compose", "p": 1.0, "transforms": [
    {"__class_fullname__": "AdditiveNoise", "p": 0.4, "approximation": 1.0, "noise_type": "laplace", "spatial_mode": "shared",
     "noise_params": {"noise_type": "laplace", "mean_range": [0.0, 0.1], "scale_range": [0.2, 0.3]}},
    {"__class_fullname__": "AdditiveNoise", "p": 0.4, "approximation": 1.0, "noise_type": "uniform", "spatial_mode": "constant",
     "noise_params": {"noise_type": "uniform", "ranges": [[-0.2, 0.2], [0.0, 0.1], [0.1, 0.1]]}}]}}' > a.json
  run -0 --separate-stderr "$lockstep" import a.json -o p.json
  jq -e '.transforms[0] | .mean_range == [0, 0.1] and .scale_range == [0.2, 0.3] and .spatial_mode == "shared"' p.json
  jq -e '.transforms[1] | .ranges == [[-0.2, 0.2], [0, 0.1], [0.1, 0.1]] and .std_range == null' p.json
  "$lockstep" explain -p p.json > /dev/null
}

@test "import: dropouts by their old names, by their new ones, and with every fill" {
  echo '{"__version__": "1.4.0", "transform": {"__class_fullname__": "Compose", "p": 1.0, "transforms": [
    {"__class_fullname__": "CoarseDropout", "max_holes": 8, "min_holes": 2, "max_height": 0.3, "min_height": 0.1, "max_width": 20, "min_width": null, "fill_value": "random", "mask_fill_value": 4},
    {"__class_fullname__": "GridDropout", "unit_size_min": 9, "unit_size_max": 12, "holes_number_x": null, "holes_number_y": null, "shift_x": 1, "shift_y": 2, "random_offset": false, "fill_value": 3},
    {"__class_fullname__": "GridDropout", "unit_size_min": null, "unit_size_max": null, "holes_number_x": 5, "holes_number_y": 6, "shift_x": 2, "shift_y": 3, "fill_value": "inpaint_telea"},
    {"__class_fullname__": "GridDropout", "ratio": 0.4, "unit_size_min": null, "unit_size_max": null, "holes_number_x": null, "holes_number_y": null, "shift_x": 0, "shift_y": 0, "fill_value": 7},
    {"__class_fullname__": "MaskDropout", "max_objects": 2, "image_fill_value": "inpaint", "mask_fill_value": 0},
    {"__class_fullname__": "MaskDropout", "max_objects": [2, 3], "image_fill_value": 9, "mask_fill_value": 5},
    {"__class_fullname__": "MaskDropout", "max_objects": 3, "fill": "inpaint_telea", "fill_mask": 1},
    {"__class_fullname__": "ConstrainedCoarseDropout", "fill": "random_uniform", "bbox_labels": ["person"]},
    {"__class_fullname__": "Erasing", "scale": [0.1, 0.2], "fill": "random", "fill_mask": null},
    {"__class_fullname__": "FDA", "beta_limit": 0.2, "reference_images": ["a.png"], "metadata_key": "fda"}]}}' > a.json
  run -0 --separate-stderr "$lockstep" import a.json -o p.json
  diff <(jq -c '.transforms[] | del(."$comment")' p.json) - <<'END'
{"type":"CoarseDropout","num_holes_range":[2,8],"hole_height_range":[0.1,0.3],"hole_width_range":[20,20],"fill":"random","p":0.5,"fill_mask":4}
{"type":"GridDropout","unit_size_range":[9,12],"shift_xy":[1,2],"fill":3,"p":0.5,"random_offset":false}
{"type":"GridDropout","holes_number_xy":[5,6],"shift_xy":[2,3],"fill":"inpaint_telea","p":0.5}
{"type":"GridDropout","shift_xy":[0,0],"fill":7,"p":0.5,"ratio":0.4}
{"type":"MaskDropout","max_objects":[1,2],"fill":"inpaint_ns","fill_mask":0,"p":0.5}
{"type":"MaskDropout","max_objects":[2,3],"fill":9,"fill_mask":5,"p":0.5}
{"type":"MaskDropout","max_objects":[1,3],"fill":"inpaint_telea","p":0.5,"fill_mask":1}
{"type":"ConstrainedCoarseDropout","fill":"random_uniform","bbox_labels":["person"]}
{"type":"RandomErasing","scale":[0.1,0.2],"ratio":[0.30303,3.33333],"noise":true,"p":0.5}
{"type":"FDA","beta_limit":0.2,"p":0.5}
END
}

@test "import: a step that has no equal keeps its place and its chance" {
  echo '{"__version__": "2.0.8", "transform": {"__class_fullname__": "Compose", "p": 1.0, "transforms": [
    {"__class_fullname__": "OneOf", "p": 1.0, "transforms": [
      {"__class_fullname__": "TimeMasking", "p": 0.75}, {"__class_fullname__": "HorizontalFlip", "p": 0.25}]}]}}' > a.json
  run -1 --separate-stderr "$lockstep" import a.json -o p.json
  [[ $stderr == 'a.json:3:7: warning: transform.transforms[0].transforms[0]: TimeMasking has no equivalent here; it is for spectrograms; the nearest is GridDropout [import-lost]' ]]
  [ "$(jq -c '.transforms[0].transforms | map([.type, .p])' p.json)" = '[["Identity",0.75],["HorizontalFlip",0.25]]' ]
  # A quarter of the copies is flipped.
  python3 "$here/tools/blank.py" a.png 40 30
  mkdir in && mv a.png in
  run -0 "$lockstep" run -p p.json -i in --dry-run -n 400
  flips=$(grep -c horizontal_flip <<< "$output")
  [ "$flips" -gt 70 ] && [ "$flips" -lt 130 ]
}

@test "import: rules for boxes and keypoints go to the section annotations" {
  rules() {
    jq -n --argjson boxes "$1" --argjson points "$2" '{"__version__": "2.0.8", transform: {"__class_fullname__": "Compose",
      transforms: [{"__class_fullname__": "HorizontalFlip", "p": 0.5}], bbox_params: $boxes, keypoint_params: $points, seed: 7}}' > a.json
    "$lockstep" import a.json > p.json || [ $? -eq 1 ]
    "$lockstep" schema --check p.json > /dev/null
    jq -c '.annotations | del(.["$comment"])' p.json
  }
  [ "$(rules '{"min_area": 16, "min_visibility": 0.1, "max_accept_ratio": 8}' null)" = '{"min_area":16,"min_visibility":0.1,"max_aspect":8}' ]
  [ "$(rules '{"min_width": 3, "min_height": 3}' '{"remove_invisible": false}')" = '{"min_size":3,"outside":"keep"}' ]
  [ "$(rules '{"min_width": 9, "min_height": 3}' '{"remove_invisible": true}' 2> err.txt)" = '{"min_size":3}' ]
  grep -q 'bbox_params.min_width: .*the smaller of min_width and min_height, 3, is used \[import-lost\]' err.txt
  [ "$(rules '{"format": "coco", "min_area": 0.0}' null)" = null ]
  [ "$(jq .seed p.json)" = 7 ]
}

@test "import: what is no such file ends with 3, and says what is read" {
  echo '{"images": [], "annotations": [], "categories": []}' > coco.json
  echo 'a text' > text.txt
  : > empty.json
  cp "$root/pipelines/detection.json" own.json
  for file in coco.json text.txt empty.json own.json; do
    run -3 --separate-stderr "$lockstep" import $file
    [ -z "$output" ]
    [[ $stderr == *"$file"*'[import-unknown]'* ]] || { echo "$file: $stderr"; false; }
    [[ $stderr == *'Albumentations (JSON or YAML that A.save writes, or the output of print() for a Compose, 1.x and 2.x); MMDetection (train_pipeline'*'torchvision (the output of print()'*'Ultralytics (hyp.*.yaml'* ]]
  done
  echo '{"__class_fullname__": "Compose", "transforms": [' > cut.json
  run -3 --separate-stderr "$lockstep" import cut.json
  [[ $stderr == *'[json-syntax]'* ]]
  printf '__class_fullname__: &a Compose\ntransforms: [*a]\n' > alias.yaml
  run -3 --separate-stderr "$lockstep" import alias.yaml
  [[ $stderr == *'[yaml-alias]'* ]]
  printf '__class_fullname__: Compose\ntransforms:\n- __class_fullname__: HorizontalFlip\n  p: 0.5\n  p: 1\n' > twice.yaml
  run -3 --separate-stderr "$lockstep" import twice.yaml
  [[ $stderr == 'twice.yaml:5:3: error: transforms[0].p: "p" is given twice: here and in line 4 [yaml-twice]'* ]]
  printf 'fliplr: 0.5\nflipud: 0\nfliplr: 0\n' > twice.yaml
  run -3 --separate-stderr "$lockstep" import twice.yaml
  [[ $stderr == 'twice.yaml:3:1: error: fliplr: "fliplr" is given twice: here and in line 1 [yaml-twice]'* ]]
  for text in '{"__class_fullname__": 3}' '["__class_fullname__"]' '{"x": "__class_fullname__"}' '__class_fullname__: [1]'; do
    echo "$text" > odd
    run -3 --separate-stderr "$lockstep" import odd
    [[ $stderr == *'[import-unknown]'* ]] || { echo "$text: $stderr"; false; }
  done
  # Python: values that must be computed, have no end, or refer to themselves
  for text in 'train_pipeline = [dict(type="Resize", scale=(2 * 3, 4))]' 'train_pipeline = [dict(type="Resize"' \
    'train_pipeline = [x for x in y]' 'Compose(Resize(size=' "Compose('" \
    "train_pipeline = $(printf '[%.0s' {1..100})" $'d = [1]\nc = [d, d, d, d, d]\nb = [c, c, c, c, c]\na = [b, b, b, b, b]\ntrain_pipeline = [a, a]'; do
    echo "$text" > odd.py
    run -3 --separate-stderr "$lockstep" import odd.py
    [[ $stderr == *'[python-syntax]'* ]] || { echo "$text: $stderr"; false; }
  done
  printf 'Compose(\xff)' > odd.py
  run -3 "$lockstep" import odd.py
  run -3 "$lockstep" import nothing.json
  run -2 "$lockstep" import
  run -2 "$lockstep" import own.json own.json
  # The file that is there is not replaced unasked.
  run -6 --separate-stderr "$lockstep" import "$golden/albumentations-2x-nested.json" -o own.json
  [[ $stderr == *'own.json: the file exists; use --overwrite'*'[out-occupied]'* ]]
  cmp own.json "$root/pipelines/detection.json"
  run -0 "$lockstep" import "$golden/albumentations-2x-nested.json" -o own.json --overwrite
  run -0 "$lockstep" schema --check own.json
  # A pipeline that is not lockstep's says how to make one of it.
  run -3 --separate-stderr "$lockstep" run -p "$golden/albumentations-2x-nested.json" -i "$samples/images" -o out
  [[ $stderr == *'this is a file of Albumentations; convert it with lockstep import'* ]]
}

@test "import: files that were changed at random are refused or imported, and what is written can be read" {
  python3 - "$lockstep" "$golden" << 'PY'
import copy, json, pathlib, random, subprocess, sys
lockstep, golden = sys.argv[1], pathlib.Path(sys.argv[2])
numbers = random.Random(5)
files = sorted(golden.glob("albumentations-*.json"))
python = sorted([*golden.glob("torchvision-*.txt"), *golden.glob("mmdetection-*.py"), *golden.glob("ultralytics-*.yaml")])
ODD = [None, True, -1, 0, 1e300, "", "x\"\n\\", [], {}, [[]], [1, 2, 3], {"x": 1}, "__class_fullname__", "$p=1$", "[...]"]

def spots(node):
    if isinstance(node, dict):
        for key in list(node):
            yield node, key
            yield from spots(node[key])
    elif isinstance(node, list):
        for i, item in enumerate(node):
            yield node, i
            yield from spots(item)

def odd_tree():
    tree = json.loads(numbers.choice(files).read_text())
    for _ in range(numbers.randint(1, 6)):
        node, key = numbers.choice(list(spots(tree)))
        node[key] = copy.deepcopy(numbers.choice(ODD))
    return json.dumps(tree)

def odd_python():
    text = numbers.choice(python).read_text()
    for _ in range(numbers.randint(1, 6)):
        at, length = numbers.randint(0, len(text)), numbers.choice([0, 1, 1, 5, 40])
        text = text[:at] + numbers.choice(["", "(", ")", "[", "'", "=", ",", "-", "1e9", "None", "train_pipeline", " ", "#"]) + text[at + length:]
    return text

for turn in range(200):
    text = odd_python() if turn % 2 else odd_tree()
    if turn % 5 == 0:
        text = text[:numbers.randint(0, len(text))]
    pathlib.Path("odd.json").write_text(text)
    pathlib.Path("out.json").unlink(missing_ok=True)
    done = subprocess.run([lockstep, "import", "odd.json", "-o", "out.json"], capture_output=True, text=True)
    if done.returncode not in (0, 1, 3) or (done.returncode < 3) != pathlib.Path("out.json").exists():
        sys.exit(f"exit {done.returncode}: {text}\n{done.stderr}")
    if done.returncode < 3:
        checked = subprocess.run([lockstep, "schema", "--check", "out.json"], capture_output=True, text=True)
        if checked.returncode:
            sys.exit(f"{text}\n{pathlib.Path('out.json').read_text()}\n{checked.stderr}")
PY
}
