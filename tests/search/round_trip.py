"""round_trip.py: do check, the readers and the other commands take what `lockstep run` writes, and is nothing lost?

Usage: round_trip.py LOCKSTEP N [SEED [CASE]]. Makes N random cases: a dataset, its format, a pipeline and a target
format. Their files stay in the current folder. With CASE, only that one. Each case must hold these:

    check     finds no error in the output that it does not find in the source; of another target, none at all
    consumer  readers in this file, as strict as the main consumers of YOLO, Pascal VOC and COCO, take the output
    same      the output has the objects of a run that writes COCO, projected to the target, but for those counted
    counts    each object of the source is in the output, or the manifest or the message about --lossy counts it
    identity  a run without steps over the output writes the same labels
    accept    compile (twice), replay --verify, verify, back, labels, split and stats take it

Prints the errors, by kind, with the command that repeats a case.
"""
import collections
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as tree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import png  # noqa: E402

SOURCES = ["coco"] * 8 + ["yolo", "yolo-segment", "yolo-mixed", "yolo-pose", "voc", "voc"] + ["results", "panoptic", "csv"]
TARGETS = ["same", "same", "coco", "yolo", "yolo-segment", "yolo-pose", "voc"]
IMAGE_NAMES = ["a.png", "b c.png", "it's.png", 'say "x".png', "zürich.png", "写真.png", ".hidden.png", "a[1].png",
               "x,y.png", "#1.png", "100%.png", "d/e.png", "images/f.png", "d e/ü.png", "a.b.png", "-n.png", "p&q.png",
               "s;t.png", "(1).png", "{n}.png", "e\u0301.png", "*.png", "~t.png", "a=b.png", "labels/g.png", "h@i.png"]
CLASS_NAMES = ["cat", "traffic light", "it's", 'the "b"', "größe", "a, b", "#x", "yes", "7", "null", "a: b", "<b> & c",
               "[x]", "- y", "犬", "{z}", "100%", "a\\b", "`k`", "!t", "*a", "&a", "@", "~", "1e3", "0x1f"]
STRING_IDS = ["8b31d8be-21bc-11ea-a13a-137349068a90", "S1/B04/P 1", "7", "007", 'say "x"\\n', "zürich-写", "x" * 300, "1e3",
              "null", " ", "-0", "a,b", "<&>", "\u00e9", "e\u0301", "9007199254740993", "#", "%s", "\t"]
KEYPOINTS = [["nose", "left_eye", "right_eye"], ["top", "bottom"]]
SLACK = 0.01  # of Ultralytics


# --- datasets: a list of images with objects, in COCO's terms ---

def whole(v):
    return int(v) if v == int(v) else v


def number(rng, low, high):
    """Whole, in halves, or with digits."""
    kind = rng.random()
    v = rng.uniform(low, high)
    return whole(round(v) if kind < 0.4 else round(v * 2) / 2 if kind < 0.6 else round(v, 3))


def star(rng, x, y, r):
    n = rng.randrange(3, 8)
    turns = sorted((i + rng.uniform(0.1, 0.8)) * 2 * math.pi / n for i in range(n))
    return [round(v, 2) for t in turns for v in (x + r * math.cos(t), y + r * math.sin(t))]


def blob(rng, width, height):
    """Rows of a mask: a rectangle, often with a hole, at times in two parts."""
    x0, y0 = rng.randrange(width - 3), rng.randrange(height - 3)
    x1, y1 = rng.randrange(x0 + 1, width + 1), rng.randrange(y0 + 1, height + 1)
    hole = rng.random() < 0.5
    gap = rng.randrange(x0, x1) if rng.random() < 0.3 else -1
    return [[int(x0 <= x < x1 and y0 <= y < y1 and x != gap and
                 not (hole and x0 < x < x1 - 1 and y0 < y < y1 - 1)) for x in range(width)] for y in range(height)]


def encode(rows):
    """The runs of a mask, by columns."""
    counts, value = [0], 0
    for x in range(len(rows[0])):
        for row in rows:
            if row[x] != value:
                counts.append(0)
                value = row[x]
            counts[-1] += 1
    return counts


def compress(counts):
    text = ""
    for i, v in enumerate(counts):
        v -= counts[i - 2] if i > 2 else 0
        more = True
        while more:
            c = v & 31
            v >>= 5
            more = v != (-1 if c & 16 else 0)
            text += chr((c | 32 if more else c) + 48)
    return text


def expand(text):
    counts, at = [], 0
    while at < len(text):
        v, shift, more = 0, 0, True
        while more:
            c = ord(text[at]) - 48
            at += 1
            v |= (c & 31) << shift
            shift += 5
            more = bool(c & 32)
        if c & 16:
            v -= 1 << shift
        counts.append(v + counts[-2] if len(counts) > 2 else v)
    return counts


def decode(mask):
    """The set of a mask's pixels."""
    counts = mask["counts"] if isinstance(mask["counts"], list) else expand(mask["counts"])
    height, width = mask["size"]
    if sum(counts) != height * width:
        raise ValueError("runs do not add up to the image")
    pixels, at = set(), 0
    for i, n in enumerate(counts):
        if i % 2:
            pixels.update((p // height, p % height) for p in range(at, at + n))
        at += n
    return pixels


def ring_bounds(rings):
    x, y = [v for r in rings for v in r[0::2]], [v for r in rings for v in r[1::2]]
    return min(x), min(y), max(x), max(y)


def ring_area(ring):
    p = list(zip(ring[0::2], ring[1::2]))
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(p, p[1:] + p[:1]))) / 2


def pixel_bounds(pixels):
    return (min(x for x, _ in pixels), min(y for _, y in pixels),
            max(x for x, _ in pixels) + 1, max(y for _, y in pixels) + 1)


def with_box(bounds, **more):
    return {"bbox": [bounds[0], bounds[1], round(bounds[2] - bounds[0], 6), round(bounds[3] - bounds[1], 6)], **more}


class Maker:
    """Makes the objects of images. A share of them, `odd`, is wrong in some way."""

    def __init__(self, rng, odd):
        self.rng, self.odd = rng, odd

    def box(self, width, height):
        rng = self.rng
        w, h = number(rng, 1, width), number(rng, 1, height)
        return {"bbox": [number(rng, 0, width - w), number(rng, 0, height - h), w, h], "area": w * h}

    def strange_box(self, width, height):
        rng = self.rng
        return {"area": 1, **rng.choice([
            lambda: {"bbox": []}, lambda: {"bbox": None}, lambda: {},
            lambda: {"bbox": [width + 1, 2, 5, 6]}, lambda: {"bbox": [2, -9, 4, 5]},
            lambda: {"bbox": [1, 2, 0, 3]}, lambda: {"bbox": [4, 2, 3, 0]}, lambda: {"bbox": [3, 3, 0, 0]},
            lambda: {"bbox": [5, 5, -2, 3]}, lambda: {"bbox": [5, 5, 2, -3]},
            lambda: {"bbox": [-3.5, -2, 9, 8]}, lambda: {"bbox": [width - 2, height - 3, 7, 8]},
            lambda: {"bbox": [width, 1, 2, 3]}, lambda: {"bbox": [0, 0, width, height]},
        ])()}

    def polygon(self, width, height):
        rng = self.rng
        r = rng.uniform(2, min(width, height) / 2.2)
        ring = star(rng, rng.uniform(r, width - r), rng.uniform(r, height - r), r)
        return with_box(ring_bounds([ring]), segmentation=[ring], area=ring_area(ring))

    def parts(self, width, height):
        rng = self.rng
        rings = [star(rng, rng.uniform(4, width - 4), rng.uniform(4, height - 4), 3) for _ in range(rng.randrange(2, 4))]
        return with_box(ring_bounds(rings), segmentation=rings, area=sum(map(ring_area, rings)))

    def strange_polygon(self, width, height):
        rng = self.rng
        ring = rng.choice([
            [width - 3, 1, width + 5, 2, width + 2, height + 4],  # reaches beyond
            [width + 1, 1, width + 5, 2, width + 2, 6],  # is outside
            [2, 2, 6, 6, 2, 6, 6, 2],  # crosses itself
            [3, 3, 3, 3, 3, 3], [1, 1, 5, 5, 3, 3],  # have no area
            [2.1, 2.1, 2.4, 2.1, 2.3, 2.4],  # has no center of a pixel
        ])
        return with_box(ring_bounds([ring]), segmentation=[ring], area=max(ring_area(ring), 0.01))

    def mask(self, width, height):
        rows = blob(self.rng, width, height)
        pixels = {(x, y) for y, row in enumerate(rows) for x, v in enumerate(row) if v}
        if not pixels:
            return self.box(width, height)
        counts = encode(rows)
        return with_box(pixel_bounds(pixels), area=len(pixels), segmentation={
            "size": [height, width], "counts": compress(counts) if self.rng.random() < 0.5 else counts})

    def crowd(self, width, height):
        return {**self.mask(width, height), "iscrowd": 1}

    def strange_mask(self, width, height):
        if self.rng.random() < 0.5:
            return {"bbox": [0, 0, 0, 0], "area": 0, "segmentation": {"size": [height, width], "counts": [width * height]}}
        return {**self.box(width, height), "segmentation": []}

    def keypoints(self, n, width, height):
        rng, points = self.rng, []
        for _ in range(n):
            v = rng.choice([0, 1, 2, 2])
            x, y = (0, 0) if v == 0 and rng.random() < 0.7 else (number(rng, 0, width - 1), number(rng, 0, height - 1))
            if rng.random() < self.odd:
                x, v = rng.choice([-4, width + 3.5, width - 0.5, -0.5]), 2
            points += [x, y, v]
        return {"keypoints": points, "num_keypoints": sum(v > 0 for v in points[2::3])}

    def object(self, kinds, n_keypoints, width, height):
        if self.rng.random() < self.odd:
            kinds = [k for k in (self.strange_box, self.strange_polygon, self.strange_mask)
                     if k == self.strange_box or kinds != [self.box]]
        made = self.rng.choice(kinds)(width, height)
        if n_keypoints and self.rng.random() < 0.9:
            made.update(self.keypoints(n_keypoints, width, height))
        if made.get("iscrowd") is None:
            made["iscrowd"] = 0
        if self.rng.random() < 0.2:
            made["note"] = self.rng.choice([1.50, "<&>", None, {"a": [1]}])
        return made


class Dataset:
    """Random images with objects: `images` are dicts of COCO's members and of "objects"."""

    def __init__(self, rng, source):
        maker = Maker(rng, rng.choice([0, 0, 0.3]))
        kinds = [maker.box, maker.polygon, maker.parts, maker.mask, maker.crowd]
        one = {"yolo": [maker.box], "yolo-pose": [maker.box], "voc": [maker.box], "yolo-segment": [maker.polygon],
               "yolo-mixed": [maker.box, maker.polygon], "panoptic": [maker.box]}
        kinds = one.get(source) or rng.sample(kinds, rng.randrange(1, len(kinds) + 1))
        self.source, self.odd = source, maker.odd
        self.classes = rng.sample(CLASS_NAMES, rng.randrange(1, 5))
        self.names = rng.choice(KEYPOINTS) if source == "yolo-pose" or (
            source in ("coco", "results") and rng.random() < 0.3) else []
        ids = rng.choice([range(1, 100), range(1, 100), range(0, 100), range(7, 1000, 13)])
        self.category_ids = list(ids)[:len(self.classes)]
        self.images = []
        first = rng.choice([1, 1, 1, 0, 900, 10 ** 11])
        images = [n for n in IMAGE_NAMES if n[0] != "." or source in ("coco", "results", "panoptic")]
        for i, name in enumerate(rng.sample(images, rng.randrange(2, 5) if rng.random() < 0.7 else 2)):
            width, height = rng.randrange(10, 41), rng.randrange(10, 41)
            n = rng.choice([0, 1, 1, 2, 3])
            self.images.append({"id": first + i, "file_name": name, "width": width, "height": height, "objects": [
                dict(maker.object(kinds, len(self.names), width, height), cls=rng.randrange(len(self.classes)))
                for _ in range(n)]})
        # strings tells which ids are strings; an id that is not an integer decides the kind of the list
        self.strings = rng.choice(["", "", "images", "annotations", "both"]) if source in (
            "coco", "results", "panoptic") else ""
        if self.strings in ("images", "both"):
            for image, text in zip(self.images, rng.sample(STRING_IDS, len(self.images))):
                image["id"] = text
            if all(re.fullmatch("-?(0|[1-9][0-9]{0,14})", i["id"]) for i in self.images):
                self.images[-1]["id"] = "no number"
        # lone says that an image without objects has no file of labels
        self.lone = rng.random() < 0.5
        self.rng = rng

    def categories(self):
        more = {"keypoints": self.names, "skeleton": [[1, 2]]} if self.names else {}
        return [{"id": i, "name": n, "supercategory": "", **more} for i, n in zip(self.category_ids, self.classes)]

    def annotations(self):
        out = []
        for image in self.images:
            for o in image["objects"]:
                o = dict(o)
                cls = o.pop("cls")
                own = len(out) + 1
                if self.strings in ("annotations", "both"):
                    own = f"{image['file_name']} {own}" if own % 3 else str(own)
                out.append({"id": own, "image_id": image["id"], "category_id": self.category_ids[cls], **o})
        return out

    def write_images(self):
        for i, image in enumerate(self.images):
            path = "in/" + image["file_name"]
            os.makedirs(os.path.dirname(path), exist_ok=True)
            rows = [bytes((x * 6 + c * 80 + 40 * i + y * 2) % 256 for x in range(image["width"]) for c in range(3))
                    for y in range(image["height"])]
            png.write(path, rows, 3)

    def write(self):
        """Writes the dataset. Returns the options that name it."""
        self.write_images()
        listed = [{k: v for k, v in i.items() if k != "objects"} for i in self.images]
        if self.source == "coco":
            dump("in.json", {"images": listed, "annotations": self.annotations(), "categories": self.categories()})
            return ["-a", "in.json"]
        if self.source == "results":
            found = [{k: v for k, v in a.items() if k not in ("id", "iscrowd", "area", "num_keypoints")} |
                     {"score": round(self.rng.random(), 3)} for a in self.annotations() if not a["iscrowd"]]
            dump("list.json", {"images": listed, "categories": self.categories()})
            dump("in.json", [f for f in found if f.get("bbox") or f.get("segmentation")])
            return ["-a", "in.json", "--image-list", "list.json"]
        if self.source == "csv":
            with open("in.csv", "w", encoding="utf-8") as file:
                file.write("file,class\n")
                for image in self.images:
                    file.write(f"{quoted(image['file_name'])},{quoted(self.rng.choice(self.classes))}\n")
            return ["-a", "in.csv"]
        if self.source == "panoptic":
            return self.write_panoptic(listed)
        return self.write_folder()

    def write_panoptic(self, listed):
        os.makedirs("in.masks")
        annotations = []
        for image in self.images:
            w, h = image["width"], image["height"]
            rows = [[0] * w for _ in range(h)]
            for number_, o in enumerate(image["objects"], 1):
                x, y, bw, bh = [int(v) for v in o["bbox"] or [0, 0, 1, 1]] if o.get("bbox") else [0, 0, 1, 1]
                for j in range(max(y, 0), min(y + max(bh, 1), h)):
                    for i in range(max(x, 0), min(x + max(bw, 1), w)):
                        rows[j][i] = number_ + 256 * number_
            segments = []
            for number_, o in enumerate(image["objects"], 1):
                pixels = {(i, j) for j, row in enumerate(rows) for i, v in enumerate(row) if v == number_ * 257}
                if pixels:
                    segments.append(with_box(pixel_bounds(pixels), id=number_ * 257, iscrowd=0, area=len(pixels),
                                             category_id=self.category_ids[o["cls"]]))
            image["objects"] = segments
            name = image["file_name"]
            path = "in.masks/" + name
            os.makedirs(os.path.dirname(path), exist_ok=True)
            png.write(path, [bytes(b for v in row for b in (v & 255, v >> 8, 0)) for row in rows], 3)
            annotations.append({"image_id": image["id"], "file_name": name, "segments_info": segments})
        dump("in.json", {"images": listed, "annotations": annotations, "categories": [
            {**c, "isthing": 1} for c in self.categories()]})
        return ["-a", "in.json", "--masks", "in.masks"]

    def write_folder(self):
        suffix = ".xml" if self.source == "voc" else ".txt"
        os.makedirs("in.labels")
        for image in self.images:
            image["objects"] = [o for o in image["objects"] if self.can_write(image, o)]
            if not image["objects"] and self.lone and image is not self.images[0]:
                continue
            path = "in.labels/" + os.path.splitext(image["file_name"])[0] + suffix
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(self.voc(image) if suffix == ".xml" else self.yolo(image))
        if suffix == ".txt":
            with open("in.labels/data.yaml", "w", encoding="utf-8") as file:
                file.write("train: images\nval: images\n")
                if self.names:
                    file.write(f"kpt_shape: [{len(self.names)}, 3]\nflip_idx: {list(range(len(self.names)))}\n")
                file.write("names: " + json.dumps(self.classes, ensure_ascii=False) + "\n")
        return ["-a", "in.labels"]

    def can_write(self, image, o):
        """True if the source format has a place for the object."""
        if self.source in ("yolo-segment", "yolo-mixed") and o.get("segmentation"):
            if isinstance(o["segmentation"], dict):
                return False
            ring = o["segmentation"][0]
            return all(0 <= v <= image["width"] for v in ring[0::2]) and all(0 <= v <= image["height"] for v in ring[1::2])
        if not o.get("bbox"):
            return False
        x, y, w, h = o["bbox"]
        if self.source == "voc":
            return w > 0 and h > 0
        return (self.source != "yolo-segment" and w >= 0 and h >= 0 and x >= 0 and y >= 0 and
                x + w <= image["width"] and y + h <= image["height"])

    def yolo(self, image):
        w, h = image["width"], image["height"]
        lines = []
        for o in image["objects"]:
            if self.source in ("yolo-segment", "yolo-mixed") and o.get("segmentation"):
                v = [p for x, y in zip(o["segmentation"][0][0::2], o["segmentation"][0][1::2]) for p in (x / w, y / h)]
            else:
                x, y, bw, bh = o["bbox"]
                v = [(x + bw / 2) / w, (y + bh / 2) / h, bw / w, bh / h]
                points = o.get("keypoints") or [0, 0, 0] * len(self.names)
                for px, py, pv in zip(points[0::3], points[1::3], points[2::3]):
                    px, py = (0, 0) if not (0 <= px <= w and 0 <= py <= h) else (px, py)
                    v += [px / w, py / h, pv if px or py else 0]
            lines.append(" ".join([str(o["cls"])] + [f"{whole(round(n, 8))}" for n in v]))
        return "".join(line + "\n" for line in lines)

    def voc(self, image):
        root = tree.Element("annotation")
        tree.SubElement(root, "filename").text = image["file_name"]
        size = tree.SubElement(root, "size")
        for name, value in ("width", image["width"]), ("height", image["height"]), ("depth", 3):
            tree.SubElement(size, name).text = str(value)
        for o in image["objects"]:
            x, y, w, h = o["bbox"]
            one = tree.SubElement(root, "object")
            tree.SubElement(one, "name").text = self.classes[o["cls"]]
            tree.SubElement(one, "difficult").text = str(self.rng.randrange(2))
            box = tree.SubElement(one, "bndbox")
            for name, value in ("xmin", x + 1), ("ymin", y + 1), ("xmax", x + w), ("ymax", y + h):
                tree.SubElement(box, name).text = str(whole(round(value, 3)))
        return tree.tostring(root, encoding="unicode")

    def count(self):
        return sum(len(i["objects"]) for i in self.images)


def quoted(text):
    return '"' + text.replace('"', '""') + '"' if re.search('[",\n]', text) else text


def dump(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, ensure_ascii=False)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


# --- pipelines ---

def pipelines():
    """Steps by name."""
    return {
        "identity": lambda rng: [],
        "flip": lambda rng: [{"type": rng.choice(["horizontal_flip", "vertical_flip", "Transpose", "RandomRotate90"])}],
        "rotate": lambda rng: [{"type": "rotate", "angle": rng.uniform(-90, 90), "expand": rng.random() < 0.5}],
        "crop": lambda rng: [{"type": "RandomCrop", "size": [rng.randrange(6, 20), rng.randrange(6, 20)],
                              "pad_if_needed": True}],
        "resize": lambda rng: [{"type": "resize", "size": [rng.randrange(8, 50), rng.randrange(8, 50)]}],
        "perspective": lambda rng: [{"type": "RandomPerspective", "distortion_scale": 0.5, "p": 1}],
        "elastic": lambda rng: [{"type": "ElasticTransform", "alpha": 20, "sigma": 3}],
        "zoom out": lambda rng: [{"type": "RandomZoomOut", "p": 1, "side_range": [1, 2]}],
        "erase": lambda rng: [{"type": "RandomErasing", "p": 1, "scale": [0.1, 0.4]}],
        "mosaic": lambda rng: [{"type": "Mosaic", "target_size": [rng.randrange(16, 40), rng.randrange(16, 40)]}],
        "mixup": lambda rng: [{"type": "MixUp"}],
        "cutmix": lambda rng: [{"type": "CutMix"}],
        "copy-paste": lambda rng: [{"type": "CopyPaste", "paste_by_box": rng.random() < 0.7}],
        "tile": lambda rng: [{"type": "tile", "grid": [rng.randrange(1, 3), rng.randrange(1, 4)]}],
        "five crop": lambda rng: [{"type": "five_crop", "size": [5, 6]}],
        "object crops": lambda rng: [{"type": "object_crops", "margin": rng.uniform(0, 0.5),
                                      "image_label": False, **rng.choice([{}, {"size": [12, 14]}, {
                                          "size": 12, "sampling": "roi_align"}])}],
        "grid shuffle": lambda rng: [{"type": "RandomGridShuffle", "grid": [2, 2]}],
    }


JOINS = {"mosaic", "mixup", "cutmix", "copy-paste"}
SHAPES = {"object crops", "five crop", "tile"}  # make several outputs of an image


def pipeline_of(rng, names):
    table = pipelines()
    chosen = [rng.choice(names)]
    if rng.random() < 0.35:
        chosen.append(rng.choice([n for n in names if not (n in SHAPES and chosen[0] in SHAPES)]))
    pipeline = {"version": 1, "seed": rng.randrange(1000), "transforms": [s for n in chosen for s in table[n](rng)]}
    rules = {}
    if rng.random() < 0.2:
        rules.update(rng.choice([{"min_visibility": 0.3}, {"min_area": 4}, {"min_size": 2},
                                 {"segmentation": "polygon"}, {"segmentation": "rle"}, {"boxes": "hull"}]))
    if rng.random() < 0.2:
        pipeline["optimize"] = rng.choice(["none", "fast"])
    if rules:
        pipeline["annotations"] = rules
    return chosen, pipeline


# --- readers, as strict as the main consumers ---

class Refused(Exception):
    """Raised where a consumer of a format refuses the labels."""


def read_names(path):
    """The class names of a data.yaml whose texts are quoted, and kpt_shape."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    shape = re.search(r"^kpt_shape: *\[(\d+), *(\d+)\]", text, re.M)
    flow = re.search(r"^names: *(\[.*\])$", text, re.M)
    if flow:
        names = json.loads(flow[1])
    else:
        block = re.search(r"^names:\n((?:  .*\n)+)", text, re.M)
        names = [json.loads(line.split(": ", 1)[1]) for line in block[1].splitlines()]
    return names, tuple(map(int, shape.groups())) if shape else None


def read_yolo(out, lines, mixed):
    """The objects of each output, as Ultralytics reads them: but strict where releases differ. Boxes and outlines may
    be `mixed` where they are so in a source whose lines stay as they are."""
    names, shape = read_names(f"{out}/data.yaml")
    found, kinds = {}, set()
    for output in lines:
        path = labels_path(out, output["output"], "labels", ".txt")
        found[output["output"]] = objects = []
        if not os.path.exists(path):
            continue
        with open(path, encoding="utf-8") as file:
            rows = [[float(v) for v in line.split()] for line in file if line.strip()]
        for row in rows:
            n = len(row)
            if row[0] != int(row[0]) or not 0 <= row[0] < len(names):
                raise Refused(f"class {row[0]}")
            if any(not math.isfinite(v) for v in row):
                raise Refused("a number that is not finite")
            shares = row[1:]
            if shape:
                if n != 5 + shape[0] * shape[1]:
                    raise Refused(f"{n} columns of a pose")
                shares = row[1:5] + [v for i, v in enumerate(row[5:]) if shape[1] == 2 or i % 3 < 2]
            elif n == 5:
                kinds.add("box")
            elif n >= 7 and n % 2:
                kinds.add("outline")
            else:
                raise Refused(f"{n} columns")
            if max(shares, default=0) > 1 + SLACK or min(shares, default=0) < -SLACK:
                raise Refused("coordinates out of bounds")
            w, h = output["size_out"]
            one = {"class": names[int(row[0])]}
            if n == 5 or shape:
                cx, cy, bw, bh = row[1] * w, row[2] * h, row[3] * w, row[4] * h
                one["box"] = (cx - bw / 2, cy - bh / 2, cx + bw / 2, cy + bh / 2)
                if shape:
                    step = shape[1]
                    one["points"] = [(row[i] * w, row[i + 1] * h, row[i + 2] if step == 3 else 2)
                                     for i in range(5, n, step)]
            else:
                one["ring"] = [v * (w, h)[i % 2] for i, v in enumerate(row[1:])]
            objects.append(one)
    if len(kinds) > 1 and not mixed:
        raise Refused("boxes and outlines in one part")
    return found


def images_of(format_):
    return "out/JPEGImages" if format_ == "voc" else "out/images"


def labels_path(out, output, folder, suffix):
    """Where the labels of an output are: images/ is the first folder of its path, or the last one of that name."""
    inside = output.split("/")
    at = len(inside) - 2 - inside[-2::-1].index("images")
    inside[at] = folder
    return f"{out}/" + os.path.splitext("/".join(inside))[0] + suffix


def read_voc(out, lines):
    found = {}
    for output in lines:
        path = f"{out}/" + os.path.splitext(output["output"])[0].replace("JPEGImages", "Annotations", 1) + ".xml"
        found[output["output"]] = objects = []
        if not os.path.exists(path):
            continue
        root = tree.parse(path).getroot()
        w, h = (float(root.findtext(f"size/{k}")) for k in ("width", "height"))
        if [w, h] != output["size_out"]:
            raise Refused(f"a size of {w} x {h} of an image of {output['size_out']}")
        for o in root.iter("object"):
            x0, y0, x1, y1 = (float(o.findtext(f"bndbox/{k}")) for k in ("xmin", "ymin", "xmax", "ymax"))
            if x1 <= x0 - 1 or y1 <= y0 - 1:
                raise Refused(f"the box {x0} {y0} {x1} {y1}")
            objects.append({"class": o.findtext("name"), "box": (x0 - 1, y0 - 1, x1, y1)})
    return found


def read_coco(path, lines):
    """The objects of each output, from COCO's file: as dicts with "raw", the annotation itself."""
    document = load(path)
    names = {c["id"]: c["name"] for c in document["categories"]}
    images = {i["id"]: i for i in document["images"]}
    outputs = {output["image_id"]: output for output in lines}
    found = {output["output"]: [] for output in lines}
    ids = [a["id"] for a in document["annotations"] if "id" in a]
    if len(set(ids)) != len(ids) or len(images) != len(document["images"]):
        raise Refused("ids that are there twice")
    if set(images) != set(outputs):
        raise Refused(f"images {list(images)}, and outputs {list(outputs)}")
    for a in document["annotations"]:
        image = images[a["image_id"]]
        check_coco(a, image)
        found[outputs[a["image_id"]]["output"]].append(coco_object(a, names))
    return found


def coco_object(a, names):
    segmentation = a.get("segmentation") or None
    one = {"class": names[a["category_id"]], "raw": a, "box": None, "crowd": bool(a.get("iscrowd"))}
    if a.get("bbox"):
        x, y, w, h = a["bbox"]
        one["box"] = (x, y, x + w, y + h)
    if isinstance(segmentation, dict):
        one["pixels"] = decode(segmentation)
    elif segmentation:
        one["rings"] = segmentation
    if a.get("keypoints"):
        k = a["keypoints"]
        one["points"] = list(zip(k[0::3], k[1::3], k[2::3]))
    return one


def check_coco(a, image):
    """Raises Refused where pycocotools and its users would fail."""
    segmentation = a.get("segmentation")
    if isinstance(segmentation, dict) and segmentation["size"] != [image["height"], image["width"]]:
        raise Refused(f"a mask of {segmentation['size']}")
    if isinstance(segmentation, list) and any(len(r) < 6 or len(r) % 2 for r in segmentation):
        raise Refused("a polygon of less than three points")


# --- projections of COCO to a target ---

def unplaced(o, frame, target, posed):
    """The words, in the message of --lossy, for an object that the target has no place for; or None."""
    if o["crowd"]:
        return "crowd"
    if target == "yolo-pose" and not posed:
        return "without keypoints"
    if not o["box"] and "rings" not in o and "pixels" not in o:
        return "without a box"
    x0, y0, x1, y1 = bounds_of(o)
    if x1 <= 0 or y1 <= 0 or x0 >= frame[0] or y0 >= frame[1]:
        return "outside"
    return "zero width or height" if x1 <= x0 or y1 <= y0 else None


def bounds_of(o):
    if o["box"]:
        return o["box"]
    return ring_bounds(o["rings"]) if "rings" in o else pixel_bounds(o["pixels"]) if o["pixels"] else (0, 0, 0, 0)


def clipped(box, frame):
    return (max(box[0], 0), max(box[1], 0), min(box[2], frame[0]), min(box[3], frame[1]))


def near(a, b, by=2e-6):
    return len(a) == len(b) and all(abs(u - v) <= by for u, v in zip(a, b))


def differs(o, got, frame, target):
    """How an object read back differs from COCO's; None: not at all."""
    if got["class"] != o["class"]:
        return f"class {got['class']} for {o['class']}"
    if "ring" not in got:
        box = bounds_of(o) if target == "voc" else clipped(bounds_of(o), frame)
        if not near(got["box"], box, 2e-4):
            return f"box {got['box']} for {box}"
    elif "rings" not in o and "pixels" not in o:
        x0, y0, x1, y1 = clipped(bounds_of(o), frame)
        if not near(sorted(zip(got["ring"][0::2], got["ring"][1::2]))[0] +
                    sorted(zip(got["ring"][0::2], got["ring"][1::2]))[-1], (x0, y0, x1, y1), 2e-4):
            return f"outline {got['ring']} for the box {bounds_of(o)}"
    elif "rings" in o and len(o["rings"]) == 1:
        want = [min(max(v, 0), frame[i % 2]) for i, v in enumerate(o["rings"][0])]
        if not near(got["ring"], want, 2e-4):
            return f"outline {got['ring']} for {want}"
    else:
        area = sum(map(ring_area, o["rings"])) if "rings" in o else len(o["pixels"])
        bounds = clipped(ring_bounds(o["rings"]) if "rings" in o else pixel_bounds(o["pixels"]), frame)
        if not near(ring_bounds([got["ring"]]), bounds, 0.51):
            return f"outline within {ring_bounds([got['ring']])} for {bounds}"
        if "pixels" in o and abs(ring_area(got["ring"]) - area) > 0.03 * area + 4.5:
            return f"outline of {ring_area(got['ring'])} pixels for {area}"
    if target == "yolo-pose":
        for (x, y, v), (gx, gy, gv) in zip(o.get("points", []), got["points"]):
            outside = not (-SLACK <= x / frame[0] <= 1 + SLACK and -SLACK <= y / frame[1] <= 1 + SLACK)
            want = (0, 0, 0) if outside else (min(max(x, 0), frame[0]), min(max(y, 0), frame[1]), v)
            if not near((gx, gy, gv), want, 2e-4):
                return f"keypoint {(gx, gy, gv)} for {want}"
    return None


# --- one case ---

class Search:
    def __init__(self, lockstep, script, seed):
        self.lockstep, self.script, self.seed = lockstep, script, seed
        self.tally, self.seen, self.broken = collections.Counter(), collections.Counter(), set()

    def fail(self, kind, message):
        self.tally[kind] += 1
        self.broken.add(self.case)
        if self.tally[kind] <= 6:
            print(f"case {self.case}: {kind}: {message}\n    {self.about}\n    again: "
                  f"{self.script} LOCKSTEP 1 {self.seed} {self.case}")

    def call(self, *arguments):
        done = subprocess.run([self.lockstep, *arguments], capture_output=True, text=True, errors="replace")
        return done.returncode, done.stdout, done.stderr

    def must(self, kind, *arguments):
        """True if the command succeeds."""
        code, out, err = self.call(*arguments)
        if code:
            self.fail(kind, f"exit code {code}: {' '.join(arguments)}\n    {(out + err).strip()[-600:]}")
        return code == 0

    def errors(self, *options):
        """The rules of check's errors, by their numbers."""
        _, out, err = self.call("check", *options, "-j", "1", "--output", "json=-")
        try:
            return {r["id"]: r["findings"] for r in json.loads(out)["rules"] if r["severity"] == "error"}
        except ValueError:
            self.fail("check", f"no report: {options} {err.strip()[-300:]}")
            return {}

    def one(self, case):
        rng = random.Random(f"{self.seed} {case}")
        for name in os.listdir("."):
            shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)
        self.case = case
        source = rng.choice(SOURCES)
        target = rng.choice(TARGETS) if source not in ("results", "panoptic", "csv") else "same"
        self.data = Dataset(rng, source)
        options = self.data.write()
        names = list(pipelines())
        if source == "csv":
            names = [n for n in names if n not in ("object crops", "copy-paste")]
        if source == "voc" and target in ("same", "voc"):
            names = [n for n in names if n not in JOINS | {"grid shuffle"}]
        chosen, pipeline = pipeline_of(rng, names)
        if source == "panoptic":
            for step in pipeline["transforms"]:
                if step["type"] == "MixUp":
                    step["masks"] = "heavier"
        if target not in ("same", "coco") or source not in ("coco", "results"):
            pipeline.get("annotations", {}).pop("segmentation", None)
        dump("p.json", pipeline)
        more = rng.choice([[], [], [], ["--copies", "2"], ["--include-original"]])
        self.about = f"{source} --to {target}, {' + '.join(chosen)} {pipeline.get('annotations', '')} {' '.join(more)}"
        self.found = self.errors(*[o.replace("--masks", "-m") for o in options if o not in ("--image-list", "list.json")],
                                 "-i", "in")
        base = ["run", "-p", "p.json", "-i", "in", *options, "-j", "1", *more]
        to = [] if target == "same" else ["--to", target, "--lossy"]
        code, _, err = self.call(*base, "-o", "out", *to)
        if code:
            if not self.found:
                self.fail("run", f"check finds no error, and run ends with {code}: {err.strip()[-500:]}")
            self.seen["refused"] += 1
            return
        self.seen["run"] += 1
        self.seen[source] += 1
        self.message, self.joins = err, bool((JOINS | {"grid shuffle"}) & set(chosen))
        with open("out/manifest.jsonl", encoding="utf-8") as file:
            self.lines = list(map(json.loads, file))
        self.accept(source, target, options, pipeline)
        self.compare(source, target, base)
        if rng.random() < 0.25:
            self.shards(base, to)

    def written(self, source, target):
        """The format of the output, and the options that name its labels."""
        format_ = source if target == "same" else target
        # Labels stand beside the last folder of images, which may be below out/images.
        below = any("/." in n["output"] or "images" in n["output"].split("/")[1:] for n in self.lines)
        if format_.startswith("yolo"):
            return "yolo", ["-a", "out/data.yaml" if below or self.case % 2 else "out/labels"]
        if format_ == "voc":
            return "voc", ["-a", "out/Annotations"]
        if format_ == "csv":
            return "csv", ["-a", "out/labels.csv"]
        if format_ == "panoptic":
            return "panoptic", ["-a", "out/annotations.json", "--masks", "out/masks"]
        if format_ == "results":
            return "results", ["-a", "out/annotations.json", "--image-list", "out/images.json"]
        return "coco", ["-a", "out/annotations.json"]

    def accept(self, source, target, options, pipeline):
        format_, labels = self.written(source, target)
        if format_ in ("yolo", "voc") and all("/." in n["output"] for n in self.lines):
            self.seen["hidden alone"] += 1
            return
        if not self.lines or (format_ in ("yolo", "voc") and not os.path.exists(labels[1])):
            self.seen["no outputs or labels"] += 1
            return
        for_check = [o.replace("--masks", "-m") for o in labels if o not in ("--image-list", "out/images.json")]
        found = self.errors(*for_check, "-i", images_of(format_))
        new = set(found) - (set(self.found) if target in ("same", source) else set())
        if new:
            self.fail("check", f"new errors {sorted(new)} {found}, of the source {sorted(self.found)}")
        if self.must("compile", "compile", "-p", "p.json", "-o", "1.json") and \
                self.must("compile", "compile", "-p", "1.json", "-o", "2.json"):
            with open("1.json", "rb") as one, open("2.json", "rb") as two:
                if one.read() != two.read():
                    self.fail("compile", "compiled twice is another file")
        dump("s.json", {"version": 1, "transforms": self.lines[-1]["steps"]})
        self.must("compile steps", "compile", "-p", "s.json", "-o", "3.json")
        self.must("replay", "replay", "-q", "--verify", "-m", "out/manifest.jsonl", "-i", "in", *options, "-o", "out",
                  "-j", "1")
        self.must("verify", "verify", "out", "-q", "-j", "1")
        # An output with the errors of its source may be refused, as the source may.
        if found and target == "same":
            return
        dump("id.json", {"version": 1, "transforms": []})
        hidden = [n for n in self.lines if "/." in n["output"]]
        if hidden and format_ in ("yolo", "voc"):
            if target == "same" or "hidden name" not in self.message:
                self.fail("counts", f"readers of folders skip {hidden[0]['output']}, and no message says so")
            return
        if self.must("identity", "run", "-q", "-p", "id.json", "-i", images_of(format_), *labels, "-o", "again", "-j", "1"):
            self.equal("identity", "out", "again", format_, source)
        if format_ in ("yolo", "voc", "coco", "results"):
            self.label_ops(format_, labels, source)
        if format_ == "coco":
            self.split()
        if format_ in ("yolo", "voc", "coco") and labels[1] != "out":
            self.must("stats", "stats", labels[1], *(["-i", images_of(format_)] if format_ != "coco" else []))

    def equal(self, kind, a, b, format_, source):
        """Two results have the same labels."""
        if format_ in ("coco", "results"):
            one, two = load(f"{a}/annotations.json"), load(f"{b}/annotations.json")
            if format_ == "coco":
                for document in one, two:
                    for image in document["images"]:
                        image["file_name"] = ""
            if one != two:
                self.fail(kind, f"{a} and {b} differ: {first_difference(one, two)}")
            return
        suffix = {"yolo": ".txt", "voc": ".xml", "csv": ".csv", "panoptic": ".png"}[format_]
        one, two = ({n: v for n, v in contents(folder).items() if n.endswith(suffix)} for folder in (a, b))
        if one != two:
            name = next(n for n in sorted(set(one) | set(two)) if one.get(n) != two.get(n))
            self.fail(kind, f"{a} and {b} differ in {name}: {one.get(name)} {two.get(name)}")

    def label_ops(self, format_, labels, source):
        dump("l.json", {"version": 1, "transforms": [{"type": "remove_small_boxes", "min_size": 0}]})
        if format_ in ("yolo", "voc"):
            if self.must("labels", "labels", "-q", "-p", "l.json", *labels, "-i", images_of(format_), "-o", "labels"):
                self.equal("labels", "out", "labels", format_, source)
        elif self.must("labels", "labels", "-q", "-p", "l.json", *labels, "-o", "labels.json"):
            if load("labels.json") != load("out/annotations.json"):
                self.fail("labels", "labels without a step changes the file")

    def split(self):
        if not self.must("split", "split", "-a", "out/annotations.json", "-o", "parts", "--ratio", "1:1"):
            return
        whole_, parts = load("out/annotations.json"), [load(f"parts/{n}") for n in os.listdir("parts")]
        for key in "images", "annotations":
            if sorted(map(json.dumps, whole_[key])) != sorted(json.dumps(e) for p in parts for e in p[key]):
                self.fail("split", f"the parts have other {key} than the whole")

    def shards(self, base, to):
        for i in "01":
            if not self.must("shards", *base, "-q", "-o", "cut", *to, "--shard", f"{i}/2"):
                return
        if not self.must("shards", "merge", "-q", "cut"):
            return
        one, two = contents("out"), contents("cut")
        if one != two:
            name = next(n for n in sorted(set(one) | set(two)) if one.get(n) != two.get(n))
            self.fail("shards", f"{name} differs from the same file of a run in one part")

    # --- objects ---

    def compare(self, source, target, base):
        if source in ("csv", "panoptic", "results"):
            return
        format_, labels = self.written(source, target)
        coco = "out"
        if format_ != "coco":
            coco = "coco"
            code, _, err = self.call(*base, "-o", "coco", "--to", "coco", "--lossy")
            if code:
                self.fail("run", f"--to coco ends with {code}: {err.strip()[-500:]}")
                return
            with open("coco/manifest.jsonl", encoding="utf-8") as file:
                lines = list(map(json.loads, file))
        else:
            lines = self.lines
        try:
            reference = read_coco(f"{coco}/annotations.json", lines)
        except Refused as e:
            if not self.found:
                self.fail("consumer", f"COCO: {e}")
            return
        self.count(source, reference, lines)
        self.back(lines, reference, ["-a", "in.json"] if source == "coco" else ["-a", "in.labels", "-i", "in"], coco)
        if format_ == "coco":
            return
        try:
            got = read_yolo("out", self.lines, source == "yolo-mixed" and target == "same" and
                            not self.joins) if format_ == "yolo" else read_voc("out", self.lines)
        except Refused as e:
            self.fail("consumer", f"{format_}: {e}")
            return
        kind = target if target != "same" else source
        for output, line in zip(self.lines, lines, strict=True):
            self.same(kind, target, reference[line["output"]], got[output["output"]], output)

    def same(self, kind, target, reference, got, output):
        frame, left = output["size_out"], list(got)
        own = target in ("same", self.data.source)
        if own:  # the reference has no place for objects outside or without a size
            boxes = [g["box"] if "box" in g else ring_bounds([g["ring"]]) for g in left]
            left = [g for g, b in zip(left, boxes) if b[2] > b[0] and b[3] > b[1] and b[2] > 0 and b[3] > 0 and
                    b[0] < frame[0] and b[1] < frame[1]]
        posed = bool(self.data.names)
        for o in reference:
            why = None if own else unplaced(o, frame, kind, posed)
            if why:
                if why not in self.message and not any(d["reason"] == "not_in_format" for d in output["dropped"]):
                    self.fail("counts", f"\"{why}\" is not counted: {output['output']} is without "
                                        f"{json.dumps(o['raw'])[:300]}")
                continue
            if not left:
                self.fail("same", f"{output['output']} is without {json.dumps(o['raw'])[:300]}")
                return
            off = differs(o, left.pop(0), frame, kind)
            if off:
                self.fail("same", f"{output['output']}: {off}; {json.dumps(o['raw'])[:300]}")
                return
        if left:
            self.fail("same", f"{output['output']} has {len(left)} objects too many: {left[0]}")

    def count(self, source, reference, lines):
        """Each object of the source is in each output, or among those dropped. Joins may have more."""
        objects = {i["file_name"]: len(i["objects"]) for i in self.data.images}
        for output in lines:
            there = len(reference[output["output"]])
            of = objects[output["source"]]
            if there != len(output["annotations"]):
                self.fail("counts", f"{output['output']} has {there} objects, and its line "
                                    f"{len(output['annotations'])}")
            own = {a["from"] for a in output["annotations"] + output["dropped"] if "of" not in a}
            if len(own) != of:
                self.fail("counts", f"{output['output']}: {len(own)} objects stay or are dropped, of {of}")

    def back(self, lines, reference, source, out):
        results = []
        for output in lines:
            for o in reference[output["output"]]:
                a = o["raw"]
                if a.get("bbox") and len(a["bbox"]) == 4 and min(a["bbox"][2:]) > 0 and not a.get("iscrowd"):
                    results.append({"image_id": output["image_id"], "category_id": a["category_id"], "score": 0.5,
                                    "bbox": a["bbox"]})
        dump("results.json", results)
        self.must("back", "back", "-q", "-m", f"{out}/manifest.jsonl", "-r", "results.json", "-o", "back.json", "--skip",
                  *source)


def first_difference(a, b, path=""):
    if type(a) is type(b) and isinstance(a, dict):
        keys = [k for k in {**a, **b} if a.get(k) != b.get(k) or (k in a) != (k in b)]
        return first_difference(a.get(keys[0]), b.get(keys[0]), f"{path}.{keys[0]}")
    if type(a) is type(b) and isinstance(a, list) and len(a) == len(b):
        i = next(i for i, (x, y) in enumerate(zip(a, b)) if x != y)
        return first_difference(a[i], b[i], f"{path}[{i}]")
    return f"{path}: {json.dumps(a)[:300]} and {json.dumps(b)[:300]}"


def contents(path):
    """The bytes of all files below a folder, or of one file."""
    if os.path.isfile(path):
        with open(path, "rb") as file:
            return {"": file.read()}
    found = {}
    for folder, _, names in os.walk(path):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:
                found[os.path.relpath(os.path.join(folder, name), path)] = file.read()
    return found


def main(lockstep, n, seed="1", case=None):
    search = Search(os.path.abspath(lockstep), sys.argv[0], seed)
    os.makedirs("round-trip", exist_ok=True)
    os.chdir("round-trip")
    for i in [int(case)] if case else range(int(n)):
        search.one(i)
    print(f"{search.seen['run']} runs compared, {search.seen['refused']} refused as check says; "
          f"{len(search.broken)} cases broken: {dict(search.tally)}; {dict(search.seen)}")
    return 1 if search.broken else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
