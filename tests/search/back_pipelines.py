"""back_pipelines.py: results on the outputs of random pipelines, which `lockstep back` must return to their places.

Usage: back_pipelines.py LOCKSTEP N [SEED]. Makes images whose colors encode positions, with polygons, boxes, masks and
keypoints. Runs a random pipeline that moves them one to one, and takes the labels of its outputs as results of a model.
For labels that were not cut, back must restore the labels of the sources:

    polygons, keypoints, and boxes under maps that keep axes: within 0.05 px;
    boxes under other maps: within 0.6 px of the hull that the pixels around the box on the output imply;
    masks that are at least 64 px across in source and output: with an IoU of 0.98.

Then masks alone go through several warps in succession. Boxes are placed on several outputs of each image, and merged.
By WBF they become the truth: they are placed around it so that their mean, weighted by scores, is the truth. By NMS
the box with the highest score is kept. Prints the errors and the worst of each kind; files of errors stay in the
current folder.
"""
import collections
import json
import math
import os
import random
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import png  # noqa: E402

ALLOWED = {"polygon": 0.05, "keypoint": 0.05, "box": 0.05, "hull": 0.6, "mask": 0.02, "merged": 0.05}
LEAST_ACROSS = 64
SEAM = 8  # pixels that are neighbours and show places as far apart
MOST_PICTURES = 2  # that are read, of a pipeline's outputs
IMAGES = 3
NAMES = ["nose", "left_eye", "right_eye", "left_hand", "right_hand"]
CATEGORIES = [{"id": 1, "name": "thing"}, {"id": 2, "name": "person", "keypoints": NAMES, "skeleton": []},
              {"id": 3, "name": "other"}]


# --- the data set ---

def star(rng, x, y, least, most):
    n = rng.randrange(5, 10)
    turns = sorted((i + rng.uniform(0.1, 0.9)) * 2 * math.pi / n for i in range(n))
    return [v for t in turns for v in (lambda r: (x + r * math.cos(t), y + r * math.sin(t)))(rng.uniform(least, most))]


def bounds(ring):
    x, y = ring[0::2], ring[1::2]
    return [min(x), min(y), max(x) - min(x), max(y) - min(y)]


def area(ring):
    points = list(zip(ring[0::2], ring[1::2]))
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, points[1:] + points[:1]))) / 2


def blob(x, y, a, b, width, height):
    """Runs of an ellipse, column by column."""
    counts, value, n = [], 0, 0
    for i in range(width):
        inside = 1 - ((i + 0.5 - x) / a) ** 2
        half = b * math.sqrt(inside) if inside > 0 else 0
        first, end = (round(y - half), round(y + half)) if half else (0, 0)
        for v, length in ((0, first), (1, end - first), (0, height - end)):
            if not length:
                continue
            if v != value:
                counts.append(n)
                value, n = v, 0
            n += length
    return {"size": [height, width], "counts": counts + [n]}


def masks_of(rng, width, height):
    """Slightly larger than the compared masks."""
    for _ in range(6):
        a, b = rng.uniform(LEAST_ACROSS / 2, 45), rng.uniform(LEAST_ACROSS / 2, 45)
        mask = blob(rng.uniform(46, width - 46), rng.uniform(46, height - 46), a, b, width, height)
        yield {"category_id": 1, "segmentation": mask, "bbox": mask_bounds(mask), "area": sum(mask["counts"][1::2]),
               "iscrowd": 0}


def objects_of(rng, width, height):
    def middle(r):
        return rng.uniform(r + 1, width - r - 1), rng.uniform(r + 1, height - r - 1)

    for _ in range(3):
        ring = star(rng, *middle(50), 12, 50)
        yield {"category_id": 1, "segmentation": [ring], "bbox": bounds(ring), "area": area(ring)}
    for _ in range(3):
        w, h = rng.uniform(12, 120), rng.uniform(12, 120)
        x, y = rng.uniform(0, width - w), rng.uniform(0, height - h)
        yield {"category_id": 3, "bbox": [x, y, w, h], "area": w * h}
    for _ in range(2):
        a, b = rng.uniform(36, 70), rng.uniform(36, 70)
        mask = blob(*middle(70), a, b, width, height)
        yield {"category_id": 1, "segmentation": mask, "bbox": mask_bounds(mask), "area": sum(mask["counts"][1::2]),
               "iscrowd": 0}
    x, y = middle(60)
    ring = star(rng, x, y, 40, 60)
    points = [v for _ in NAMES for v in (x + rng.uniform(-25, 25), y + rng.uniform(-25, 25), rng.choice([1, 2, 2]))]
    yield {"category_id": 2, "segmentation": [ring], "bbox": bounds(ring), "area": area(ring), "keypoints": points,
           "num_keypoints": len(NAMES)}


def make(rng, objects_of=objects_of):
    """The folder `data`. Returns its annotations by their ids."""
    shutil.rmtree("data", ignore_errors=True)
    os.makedirs("data/images")
    images, annotations = [], []
    for i in range(1, IMAGES + 1):
        width, height = rng.randrange(260, 381), rng.randrange(240, 341)
        rows = [bytes(v for x in range(width) for c in ((2 * x + 1) * 64, (2 * y + 1) * 64, 10000 * i)
                      for v in (c >> 8, c & 255)) for y in range(height)]
        with open(f"data/images/{i}.png", "wb") as file:
            file.write(png.assemble(width, height, 16, png.RGB, b"".join(b"\0" + row for row in rows)))
        images.append({"id": i, "file_name": f"{i}.png", "width": width, "height": height})
        for o in objects_of(rng, width, height):
            annotations.append({"id": len(annotations) + 1, "image_id": i, "iscrowd": 0, **o,
                                "truth": len(annotations) + 1})
    with open("data/annotations.json", "w") as file:
        json.dump({"images": images, "annotations": annotations, "categories": CATEGORIES}, file)
    return {a["id"]: a for a in annotations}


# --- pipelines ---

SMOOTH = {"rotate", "RandomAffine", "SafeRotate", "ElasticTransform", "OpticalDistortion", "GridDistortion",
          "ThinPlateSpline", "PiecewiseAffine"}


def large_enough(crop):
    return {"type": "Compose", "transforms": [{"type": "PadIfNeeded", "min_height": 200, "min_width": 200}, crop]}


def tiles(rng):
    """Steps that make several of one, and keep axes."""
    return [
        lambda: {"type": "tile", "size": [rng.randrange(160, 260), rng.randrange(160, 260)],
                 "overlap": rng.uniform(0.1, 0.6), "border": rng.choice(["shift", "cut", "pad", "drop"])},
        lambda: large_enough({"type": "five_crop", "size": [rng.randrange(120, 200), rng.randrange(120, 200)]}),
        lambda: large_enough({"type": "ten_crop", "size": [rng.randrange(120, 200), rng.randrange(120, 200)]}),
    ]


def step(rng, kind):
    """A moving step of this kind: one that keeps `axes`, one of `warps`, `any`, or one that splits or joins
    (`many`)."""
    u, sides = rng.uniform, lambda: [rng.randrange(0, 60) for _ in range(4)]
    axes = [
        lambda: {"type": "horizontal_flip"},
        lambda: {"type": "vertical_flip"},
        lambda: {"type": "RandomRotate90"},
        lambda: {"type": "Transpose", "p": 1},
        lambda: {"type": "D4"},
        lambda: {"type": "resize", "size": [rng.randrange(200, 600), rng.randrange(200, 600)]},
        lambda: {"type": "RandomScale", "scale_limit": 0.4, "p": 1},
        lambda: {"type": "LetterBox", "size": [rng.randrange(240, 500), rng.randrange(240, 500)]},
        lambda: {"type": "pad", "padding": sides()},
        lambda: {"type": "CropAndPad", "px": [-40, 40], "keep_size": rng.random() < 0.5},
        lambda: {"type": "RandomCrop", "size": [rng.randrange(180, 400), rng.randrange(180, 400)],
                 "pad_if_needed": True},
        lambda: {"type": "RandomResizedCrop", "size": [300, 320], "scale": [0.5, 1]},
        lambda: {"type": "RandomZoomOut", "side_range": [1, 1.6], "p": 1},
        lambda: {"type": "crop", "top": rng.randrange(-40, 60), "left": rng.randrange(-40, 60),
                 "height": rng.randrange(200, 360), "width": rng.randrange(200, 360)},
    ]
    warps = [
        lambda: {"type": "rotate", "angle": u(-180, 180), "expand": rng.random() < 0.7},
        lambda: {"type": "RandomAffine", "degrees": 30, "translate": [0.1, 0.1], "scale": [0.7, 1.3], "shear": 15},
        lambda: {"type": "SafeRotate", "p": 1},
        lambda: {"type": "RandomPerspective", "distortion_scale": u(0.1, 0.5), "p": 1},
        lambda: {"type": "ElasticTransform", "alpha": u(20, 90), "sigma": u(6, 10)},
        lambda: {"type": "OpticalDistortion", "distort_limit": 0.25, "p": 1, "mode": rng.choice(["camera", "fisheye"])},
        lambda: {"type": "GridDistortion", "distort_limit": 0.4, "p": 1},
        lambda: {"type": "ThinPlateSpline", "scale_range": [0.1, 0.25], "p": 1},
        lambda: {"type": "PiecewiseAffine", "p": 1},
    ]
    many = tiles(rng) + [
        lambda: {"type": "Mosaic", "target_size": [rng.randrange(400, 700), rng.randrange(400, 700)],
                 "fit_mode": rng.choice(["cover", "contain", "corner"]),
                 "donor_transforms": [step(rng, "any")] if rng.random() < 0.5 else []},
        lambda: {"type": "RandomGridShuffle", "grid": [2, 2]},
    ]
    chosen = rng.choice({"axes": axes, "any": axes + warps + warps, "warps": warps, "many": many}[kind])()
    if chosen["type"] in SMOOTH:
        chosen["interpolation"] = "bilinear"
    return chosen


def pipeline_of(rng, steps):
    return {"version": 1, "seed": rng.randrange(1 << 30), "optimize": rng.choice(["none", "exact", "fast"]),
            "annotations": {"ids": "dense", "min_visibility": 1}, "transforms": steps}


def one_to_one(rng):
    """Steps; one in three pipelines splits or joins. Cells are shuffled first, since shuffling cuts much."""
    steps = [step(rng, "any") for _ in range(rng.randrange(1, 4))]
    if rng.random() < 0.4:
        many = step(rng, "many")
        steps.insert(0 if many["type"] == "RandomGridShuffle" else rng.randrange(len(steps) + 1), many)
    return steps


def one_after_another(rng):
    """Warps that all resample."""
    return [step(rng, "warps") for _ in range(rng.randrange(2, 5))]


def on_axes(rng):
    steps = [step(rng, "axes") for _ in range(rng.randrange(1, 4))]
    return steps + [rng.choice(tiles(rng))()] if rng.random() < 0.4 else steps


def run(lockstep, name, *arguments):
    done = subprocess.run([lockstep, *arguments], capture_output=True, text=True)
    if done.returncode:
        print(f"{name}: exit code {done.returncode}: {' '.join(arguments)}\n{done.stderr}")
    return done.returncode == 0, done.stderr


PICK = {"horizontal_flip", "vertical_flip", "rot90", "transpose", "pad", "crop", "center_crop", "join"}
KEEP_AXES = PICK | {"resize", "resized_crop"}


def keeps_axes(steps):
    return all(s["type"] in KEEP_AXES and all(keeps_axes(i.get("steps", [])) for i in s.get("inputs", []))
               for s in steps)


# --- masks: runs of columns, as [first, end) ---

def spans(mask):
    at, found = 0, []
    for i, n in enumerate(counts_of(mask)):
        if i % 2 and n:
            found.append((at, at + n))
        at += n
    return found


def counts_of(mask):
    """Returns the counts, also of COCO's compressed text."""
    if isinstance(mask["counts"], list):
        return mask["counts"]
    counts, at, text = [], 0, mask["counts"]
    while at < len(text):
        value, shift, more = 0, 0, True
        while more:
            c = ord(text[at]) - 48
            at += 1
            value |= (c & 31) << shift
            shift += 5
            more = bool(c & 32)
            if not more and c & 16:
                value -= 1 << shift
        counts.append(value + counts[-2] if len(counts) > 2 else value)
    return counts


def mask_bounds(mask):
    height, found = mask["size"][0], spans(mask)
    x0, x1 = found[0][0] // height, (found[-1][1] - 1) // height + 1
    ys = [(a % height, (b - 1) % height + 1) if a // height == (b - 1) // height else (0, height) for a, b in found]
    y0, y1 = min(a for a, _ in ys), max(b for _, b in ys)
    return [x0, y0, x1 - x0, y1 - y0]


def mask_iou(a, b):
    if a["size"] != b["size"]:
        return 0
    s, t, i, j, both = spans(a), spans(b), 0, 0, 0
    while i < len(s) and j < len(t):
        both += max(0, min(s[i][1], t[j][1]) - max(s[i][0], t[j][0]))
        if s[i][1] < t[j][1]:
            i += 1
        else:
            j += 1
    return both / (sum(e - f for f, e in s) + sum(e - f for f, e in t) - both)


# --- how far outlines are from each other ---

def to_edge(p, a, b):
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    t = max(0, min(1, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / length)) if length else 0
    return math.hypot(a[0] + t * dx - p[0], a[1] + t * dy - p[1])


def one_sided(from_ring, to_ring):
    p, q = (list(zip(r[0::2], r[1::2])) for r in (from_ring, to_ring))
    edges = list(zip(q, q[1:] + q[:1]))
    return max(min(to_edge(point, a, b) for a, b in edges) for point in p)


def outline_distance(a, b):
    if not isinstance(b, list) or len(a) != len(b):
        return math.inf
    return max(max(one_sided(r, s), one_sided(s, r)) for r, s in zip(a, b))


def box_distance(a, b):
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]), abs(a[0] + a[2] - b[0] - b[2]), abs(a[1] + a[3] - b[1] - b[3]))


# --- contents of the pixels ---

class Picture:
    def __init__(self, path):
        self.height, self.width, self.channels, self.samples = png.read(path)

    def pixel(self, x, y):
        at = (y * self.width + x) * 3
        return self.samples[at:at + 3]

    def shows(self, x, y):
        """The image and the place in it that the place (x, y) shows; None where several pixels do not agree."""
        i, j = math.floor(x - 0.5), math.floor(y - 0.5)
        if not (1 <= i < self.width - 2 and 1 <= j < self.height - 2):
            return None
        corners = [self.pixel(i + u, j + v) for v in (0, 1) for u in (0, 1)]
        around = [self.pixel(i + u, j + v)[2] for v in (-1, 2) for u in (-1, 2)] + [c[2] for c in corners]
        seam = max(max(c[k] for c in corners) - min(c[k] for c in corners) for k in (0, 1)) > 128 * SEAM
        if seam or min(around) != max(around) or around[0] % 10000 or not around[0]:
            return None
        u, v = x - 0.5 - i, y - 0.5 - j
        weights = ((1 - u) * (1 - v), u * (1 - v), (1 - u) * v, u * v)
        return around[0] // 10000, [sum(w * c[k] for w, c in zip(weights, corners)) / 128 for k in (0, 1)]

    def hull(self, box, image):
        x, y, w, h = box
        n = 2 * math.ceil(max(w, h))
        around = [p for i in range(n + 1)
                  for p in ((x + w * i / n, y), (x + w * i / n, y + h), (x, y + h * i / n), (x + w, y + h * i / n))]
        shown = [self.shows(*p) for p in around]
        if not all(s and s[0] == image for s in shown):
            return None
        xs, ys = [s[1][0] for s in shown], [s[1][1] for s in shown]
        return [min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)]


# --- one pipeline ---

class Search:
    def __init__(self, lockstep):
        self.lockstep, self.faults = lockstep, 0
        self.worst, self.compared = collections.Counter(), collections.Counter()

    def note(self, kind, off, what):
        self.compared[kind] += 1
        self.worst[kind] = max(self.worst[kind], off)
        if not off <= ALLOWED[kind]:
            self.faults += 1
            print(f"{what}: a {kind} is off by {off:.4g}")

    def fail(self, what):
        self.faults += 1
        print(what)

    def returned(self, name, results, *options):
        with open("results.json", "w") as file:
            json.dump(results, file)
        good, said = run(self.lockstep, name, "back", "-m", "out/manifest.jsonl", "-r", "results.json", "-o", "back.json",
                         "--overwrite", "-a", "data/annotations.json", *options)
        if not good:
            self.faults += 1
            return []
        with open("back.json") as file:
            return json.load(file)

    def run(self, name, pipeline, *options):
        shutil.rmtree("out", ignore_errors=True)
        with open("pipeline.json", "w") as file:
            json.dump(pipeline, file)
        good, _ = run(self.lockstep, name, "run", "-q", "-j", "1", "-p", "pipeline.json", "-i", "data/images", "-a",
                      "data/annotations.json", "-o", "out", *options)
        if not good:
            self.faults += 1
            return None
        with open("out/manifest.jsonl") as file:
            lines = {line["image_id"]: line for line in map(json.loads, file)}
        with open("out/annotations.json") as file:
            return lines, json.load(file)["annotations"]

    def there_and_back(self, name, rng, objects_of=objects_of, steps_of=one_to_one):
        truth = make(rng, objects_of)
        made = self.run(name, pipeline_of(rng, steps_of(rng)))
        if not made:
            return
        lines, found = made
        keys = ("image_id", "category_id", "bbox", "segmentation", "keypoints", "truth")
        results = [dict({k: a[k] for k in keys if k in a}, score=0.5, tag=i) for i, a in enumerate(found)]
        pictures = {}
        back = self.returned(name, results, "--skip")
        for o in back:
            t, there = truth[o["truth"]], results[o["tag"]]
            line, what = lines[there["image_id"]], f"{name}: object {t['id']} of output {there['image_id']}"
            if o["image_id"] != t["image_id"]:
                self.compared["elsewhere"] += 1
            elif "segmentation" in t or keeps_axes(line["steps"]):
                self.compare(what, t, there, o, line)
            elif sum(p["tag"] == o["tag"] for p in back) == 1:
                self.compare_hull(what, t, there, o, line, pictures)
        self.compared["returned"] += len({o["tag"] for o in back})

    def compare(self, what, t, there, o, line):
        if "keypoints" in t:
            for p, q in zip(*(zip(*(iter(a["keypoints"]),) * 3) for a in (t, o))):
                if q[2]:
                    self.note("keypoint", math.hypot(p[0] - q[0], p[1] - q[1]) + abs(p[2] - q[2]), what)
        if isinstance(t.get("segmentation"), dict):
            across = min(mask_bounds(there["segmentation"])[2:] + mask_bounds(t["segmentation"])[2:])
            if across >= LEAST_ACROSS:
                self.note("mask", 1 - mask_iou(t["segmentation"], o["segmentation"]), what)
        elif "segmentation" in t:
            self.note("polygon", outline_distance(t["segmentation"], o["segmentation"]), what)
        else:
            self.note("box", box_distance(t["bbox"], o["bbox"]), what)

    def compare_hull(self, what, t, there, o, line, pictures):
        output = line["output"]
        if output not in pictures and len(pictures) == MOST_PICTURES:
            return
        if output not in pictures:
            pictures[output] = Picture("out/" + output)
        hull = pictures[output].hull(there["bbox"], t["image_id"])
        if hull:
            self.note("hull", box_distance(hull, o["bbox"]), what)

    def merged(self, name, rng):
        """Boxes are made up on all outputs that show their place whole: one of each of two categories."""
        boxes = make_places(rng)
        made = self.run(name, pipeline_of(rng, on_axes(rng)), "--copies", "3")
        if not made:
            return
        shown, results, groups = collections.defaultdict(list), [], []
        for a in made[1]:
            shown[a["truth"]].append(made[0][a["image_id"]])
        for number, lines in shown.items():
            for category in (1, 3):
                group = made_up(rng, boxes[number][1], category, lines)
                groups.append((boxes[number], category, group))
                results += [found for found, _, _ in group]
        rng.shuffle(results)
        for rule in "wbf", "nms":
            left = self.returned(name, results, "--merge", rule)
            if len(left) != len(groups):
                self.fail(f"{name}: {len(left)} of {len(groups)} are left by {rule}")
            for (image, box), category, group in groups:
                _, score, wanted = max(group, key=lambda g: g[1])
                if rule == "wbf":
                    wanted, score = box, sum(g[1] for g in group) / len(group)
                off = min((box_distance(wanted, o["bbox"]) + 1000 * abs(score - o["score"]) for o in left
                           if (o["image_id"], o["category_id"]) == (image, category)), default=math.inf)
                self.note("merged", off, f"{name}: {rule}: category {category} at {box} of image {image}")


def make_places(rng):
    """Places in the images of `data` that are apart, annotated with their surroundings."""
    with open("data/annotations.json") as file:
        data = json.load(file)
    boxes, data["annotations"] = {}, []
    for image in data["images"]:
        for k in range(16):
            across, down = image["width"] / 4, image["height"] / 4
            w, h = rng.uniform(0.4, 0.7) * across, rng.uniform(0.4, 0.7) * down
            x, y = (k % 4 + 0.15) * across, (k // 4 + 0.15) * down
            n = len(boxes) + 1
            boxes[n] = image["id"], [x, y, w, h]
            data["annotations"].append({"id": n, "image_id": image["id"], "category_id": 1, "iscrowd": 0, "truth": n,
                                        "bbox": [x - w / 5, y - h / 5, 1.4 * w, 1.4 * h], "area": 1.96 * w * h})
    with open("data/annotations.json", "w") as file:
        json.dump(data, file)
    return boxes


def moved(m, box):
    x, y, w, h = box
    (x0, y0), (x1, y1) = ((m[0] * u + m[1] * v + m[2], m[3] * u + m[4] * v + m[5]) for u, v in ((x, y), (x + w, y + h)))
    return [min(x0, x1), min(y0, y1), abs(x1 - x0), abs(y1 - y0)]


def made_up(rng, box, category, lines):
    """Results on each output: the box, its score, and its place in the source. Their mean by scores is the given
    box."""
    x, y, w, h = box
    scores = [rng.uniform(0.2, 0.9) for _ in lines]
    moves = [[rng.uniform(-0.05, 0.05) * side for side in (w, h, w, h)] for _ in lines]
    mean = [sum(s * d[i] for s, d in zip(scores, moves)) / sum(scores) for i in range(4)]
    group = []
    for line, score, d in zip(lines, scores, moves):
        a, b, c, e = (v + m - n for v, m, n in zip((x, y, x + w, y + h), d, mean))
        there = {"image_id": line["image_id"], "category_id": category, "score": score,
                 "bbox": moved(line["matrix"], [a, b, c - a, e - b])}
        group.append((there, score, [a, b, c - a, e - b]))
    return group


def main(lockstep, n, seed=1):
    search = Search(os.path.abspath(lockstep))
    for i in range(n):
        rng = random.Random(f"{seed} {i}")
        search.there_and_back(f"pipeline {i}", rng)
        search.there_and_back(f"pipeline {i}, warps", rng, masks_of, one_after_another)
        search.merged(f"pipeline {i}, merged", rng)
    for kind in ALLOWED:
        print(f"{kind}: {search.compared[kind]} compared, the worst is off by {search.worst[kind]:.4g}")
        if search.compared[kind] < n:
            search.fail(f"too few of the kind {kind} were compared")
    if search.compared["elsewhere"] > search.compared["returned"] / 20:
        search.fail(f"{search.compared['elsewhere']} of {search.compared['returned']} are on other images")
    return 1 if search.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), *sys.argv[3:]))
