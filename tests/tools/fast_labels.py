"""Labels of mode fast against those of mode none. Usage: fast_labels.py LOCKSTEP DATASET FOLDER N

Runs N random pipelines over a dataset (images, annotations.json, masks) in both modes. Both must give the same objects:
box, area, polygons, keypoints to 1e-6 pixels, everything else to the byte. Prints how many pipelines moved something.
"""

import json
import random
import subprocess
import sys

LOCKSTEP, DATASET, FOLDER, N = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
random.seed(20)

between = random.uniform


def taps():
    return random.choice(["nearest", "bilinear"])


STEPS = [
    lambda: {"type": "RandomHorizontalFlip"},
    lambda: {"type": "RandomVerticalFlip"},
    lambda: {"type": "rotate", "angle": between(-180, 180), "expand": random.random() < 0.5, "interpolation": taps()},
    lambda: {"type": "RandomRotation", "degrees": between(1, 60), "interpolation": taps(), "fill": 114},
    lambda: {"type": "RandomAffine", "degrees": 20, "translate": [0.2, 0.2], "scale": [0.6, 1.4], "shear": 10,
             "interpolation": taps()},
    lambda: {"type": "RandomResizedCrop", "size": [random.randint(20, 150), random.randint(20, 150)]},
    lambda: {"type": "Resize", "size": [random.randint(20, 150), random.randint(20, 150)]},
    lambda: {"type": "RandomCrop", "size": [40, 50], "pad_if_needed": True},
    lambda: {"type": "Pad", "padding": random.randint(1, 30)},
    lambda: {"type": "ColorJitter", "brightness": 0.3, "contrast": 0.3, "saturation": 0.3, "hue": 0.05},
    lambda: {"type": "RandomErasing"},
    lambda: {"type": "GaussianBlur", "kernel_size": 3},
    lambda: {"type": "posterize", "bits": 4},
]


def run(mode):
    out = f"{FOLDER}/{mode}"
    subprocess.run([LOCKSTEP, "run", "-q", "-p", f"{FOLDER}/p.json", "-i", f"{DATASET}/images", "-a",
                    f"{DATASET}/annotations.json", "--masks", f"{DATASET}/masks", "-o", out, "--overwrite",
                    "--optimize", mode], check=True)
    with open(f"{out}/annotations.json") as f:
        return json.load(f)


def same(a, b):
    if isinstance(a, float) or isinstance(b, float):
        return isinstance(b, (int, float)) and abs(a - b) <= 1e-6
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    return a == b


with open(f"{DATASET}/annotations.json") as f:
    untouched = json.load(f)["annotations"]
moved = 0
for i in range(N):
    pipeline = {"version": 1, "seed": i, "transforms": [random.choice(STEPS)() for _ in range(random.randint(2, 6))]}
    with open(f"{FOLDER}/p.json", "w") as f:
        json.dump(pipeline, f)
    none, fast = run("none"), run("fast")
    moved += none["annotations"] != untouched
    if not same(none, fast):
        sys.exit(f"labels differ: {json.dumps(pipeline)}")
print(f"# {N} pipelines, {moved} of them moved labels; fast says what none says")
if moved < N * 0.8:
    sys.exit("too few pipelines moved anything")
