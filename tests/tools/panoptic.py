#!/usr/bin/env python3
"""Panoptic data that this program draws, and checks of a run's output, pixel by pixel.

    panoptic.py draw FOLDER          images, panoptic.json with its pictures, and the same objects as
                                     instances.json (run lengths), shapes.json (polygons, keypoints)
                                     and label masks;
    panoptic.py whole OUT            the pictures of a run's output agree with its list;
    panoptic.py same A B             two folders of pictures are equal, pixel by pixel;
    panoptic.py agree OUT RUNS SHAPES [SLACK]
                                     the output agrees with RUNS, on instances.json with the masks, and
                                     SHAPES, on shapes.json, except SLACK pixels around edges.

Uses nothing of lockstep. Exits with 1, and prints the reason, if something differs.
"""
import json
import math
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import png  # noqa: E402

THINGS, STUFF, DOTS = [1, 2, 3], [20, 21], 4


def write(path, bands, rows):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    png.write(path, rows, bands)


def inside(polygon, x, y):
    """Even-odd, of a list of points."""
    odd = False
    for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1]):
        if (ay > y) != (by > y) and x < ax + (y - ay) / (by - ay) * (bx - ax):
            odd = not odd
    return odd


# --- drawing ---

def counts_of(pixels, width, height):
    """COCO's uncompressed run lengths of a set of (x, y)."""
    counts, value = [0], False
    for x in range(width):
        for y in range(height):
            if ((x, y) in pixels) != value:
                value = not value
                counts.append(0)
            counts[-1] += 1
    return counts


def box_of(pixels):
    xs, ys = [p[0] for p in pixels], [p[1] for p in pixels]
    return [min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1]


def draw_scene(rng, width, height):
    """Segments [{id, category_id, iscrowd, pixels, polygon}], apart from each other, void between."""
    owner, segments = {}, []

    def add(category, covers, polygon=None, crowd=0):
        ident = rng.choice([rng.randint(1, 255), rng.randint(256, 65535), rng.randint(65536, 0xffffff)])
        for x in range(width):
            for y in range(height):
                if covers(x + 0.5, y + 0.5):
                    owner[x, y] = len(segments)
        segments.append({"id": ident, "category_id": category, "iscrowd": crowd, "polygon": polygon})

    slope = rng.uniform(-1, 1)
    add(STUFF[0], lambda x, y: y < height * 0.45 + slope * (x - width / 2))
    add(STUFF[1], lambda x, y: y > height * 0.55 + slope * (x - width / 2))
    dots = {(rng.randrange(width), rng.randrange(height)) for _ in range(width * height // 30)}
    add(DOTS, lambda x, y: (int(x), int(y)) in dots, crowd=1)
    for column in range(3):
        for row in range(2):
            radius = min(width / 3, height / 2) / 2 - 1
            cx, cy = (column + 0.5) * width / 3, (row + 0.5) * height / 2
            angles = sorted(rng.uniform(0, 2 * math.pi) for _ in range(rng.randint(6, 9)))
            polygon = [(round(cx + radius * math.cos(a), 2), round(cy + radius * math.sin(a), 2)) for a in angles]
            if sum(inside(polygon, x + 0.5, y + 0.5) for x in range(width) for y in range(height)) > 30:
                add(rng.choice(THINGS), lambda x, y: inside(polygon, x, y), polygon)
    for i, s in enumerate(segments):
        s["pixels"] = {p for p, o in owner.items() if o == i}
    return segments


def draw(folder):
    rng = random.Random(3)
    images, panoptic, instances, shapes = [], [], [], []
    for i, (width, height) in enumerate([(97, 61), (64, 80), (48, 36), (120, 90)]):
        name, segments = f"{'ab'[i % 2]}/{i}.png", draw_scene(rng, width, height)
        colour = {p: s["id"] for s in segments for p in s["pixels"]}
        label = {p: s["category_id"] for s in segments for p in s["pixels"]}
        ids = [[colour.get((x, y), 0) for x in range(width)] for y in range(height)]
        write(f"{folder}/images/{name}", 3, [rng.randbytes(3 * width) for _ in range(height)])
        write(f"{folder}/panoptic/{i:03}.png", 3,
                  [[b for v in row for b in (v & 255, v >> 8 & 255, v >> 16)] for row in ids])
        write(f"{folder}/masks/{name}", 1,
                  [[label.get((x, y), 0) for x in range(width)] for y in range(height)])
        images.append({"id": i + 10, "file_name": name, "width": width, "height": height})
        infos = []
        for s in segments:
            common = {"category_id": s["category_id"], "iscrowd": s["iscrowd"], "area": len(s["pixels"]),
                      "bbox": box_of(s["pixels"])}
            infos.append({"id": s["id"], **common, "note": [1.50, None, "as it was"]})
            instances.append({"id": len(instances) + 1, "image_id": i + 10, "segment": s["id"], **common,
                              "segmentation": {"size": [height, width],
                                               "counts": counts_of(s["pixels"], width, height)}})
            if s["polygon"]:
                x, y = sorted(s["pixels"])[len(s["pixels"]) // 2]
                shapes.append({**instances[-1], "segmentation": [[v for p in s["polygon"] for v in p]],
                               "keypoints": [x, y, 2], "num_keypoints": 1})
        panoptic.append({"segments_info": infos, "file_name": f"{i:03}.png", "image_id": i + 10})
    categories = [{"id": c, "name": f"c{c}", "isthing": int(c in THINGS), "color": [c, 0, 255 - c],
                   "keypoints": ["tip"]} for c in THINGS + [DOTS] + STUFF]
    # The last image is of no annotation.
    for name, annotations in (("panoptic", panoptic[:-1]), ("instances", instances), ("shapes", shapes)):
        with open(f"{folder}/{name}.json", "w") as f:
            json.dump({"info": {"year": 2017, "odd": 1.0}, "images": images, "annotations": annotations,
                       "categories": categories, "more": [1e2]}, f, indent=1)


# --- looking ---

def load(path):
    with open(path) as f:
        return json.load(f)


def picture(path):
    """The pixels of each id but 0, and the frame."""
    height, width, bands, data = png.read(path)
    assert bands == 3, f"{path}: {bands} bands"
    found = {}
    for at in range(0, len(data), 3):
        ident = data[at] | data[at + 1] << 8 | data[at + 2] << 16
        if ident:
            found.setdefault(ident, set()).add((at // 3 % width, at // 3 // width))
    return found, width, height


def whole(out):
    """Image ids and their segments' pixels."""
    d, all_pixels = load(f"{out}/annotations.json"), {}
    images = {i["id"]: i for i in d["images"]}
    assert len(images) == len(d["images"]), "image ids twice"
    for a in d["annotations"]:
        pixels, width, height = picture(f"{out}/masks/{a['file_name']}")
        image, infos = images[a["image_id"]], {s["id"]: s for s in a["segments_info"]}
        where = a["file_name"]
        assert (width, height) == (image["width"], image["height"]), f"{where}: its frame"
        assert png.read(f"{out}/images/{image['file_name']}")[:2] == (height, width), f"{where}: its image"
        assert len(infos) == len(a["segments_info"]), f"{where}: an id twice"
        assert infos.keys() == pixels.keys(), f"{where}: {sorted(infos)} listed, {sorted(pixels)} painted"
        for ident, s in infos.items():
            assert s["area"] == len(pixels[ident]), f"{where}: {ident}: area {s['area']}, {len(pixels[ident])} pixels"
            assert s["bbox"] == box_of(pixels[ident]), f"{where}: {ident}: {s['bbox']}, {box_of(pixels[ident])}"
            assert s["note"] == [1.5, None, "as it was"], f"{where}: {ident}: a key was lost"
        all_pixels[a["image_id"]] = pixels
    return d, all_pixels


def same(a, b):
    for name in sorted(os.listdir(b)):
        assert png.read(f"{a}/{name}") == png.read(f"{b}/{name}"), f"{name} differs"


def pixels_of_counts(segmentation):
    (height, _), at, value, found = segmentation["size"], 0, False, set()
    for n in segmentation["counts"]:
        if value:
            found.update((p // height, p % height) for p in range(at, at + n))
        at, value = at + n, not value
    return found


def distance(polygons, x, y):
    """Returns the distance of a point from the edges."""
    least = math.inf
    for polygon in polygons:
        for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1]):
            length = (bx - ax) ** 2 + (by - ay) ** 2
            t = min(1, max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length)) if length else 0
            least = min(least, math.hypot(ax + t * (bx - ax) - x, ay + t * (by - ay) - y))
    return least


def agree(out, runs, shapes, slack="1"):
    d, pixels = whole(out)
    category, compared = {}, 0
    for a in d["annotations"]:
        category[a["image_id"]] = {s["id"]: s["category_id"] for s in a["segments_info"]}
    # Run lengths: to the pixel.
    left = {image: dict(of) for image, of in pixels.items()}
    for a in load(f"{runs}/annotations.json")["annotations"]:
        if a["image_id"] in left:
            mine = left[a["image_id"]].pop(a["segment"], None)
            assert mine is not None, f"{a['image_id']}: {a['segment']} was dropped"
            assert mine == pixels_of_counts(a["segmentation"]), f"{a['image_id']}: {a['segment']}: other pixels"
            compared += 1
    assert not any(left.values()), f"more segments: {left.keys()}"
    # Label masks: to the pixel.
    for image in d["images"]:
        if image["id"] not in pixels:
            continue
        _, width, _, data = png.read(f"{runs}/masks/{os.path.splitext(image['file_name'])[0]}.png")
        labels = {(i % width, i // width): v for i, v in enumerate(data) if v}
        mine = {p: category[image["id"]][s] for s, of in pixels[image["id"]].items() for p in of}
        assert labels == mine, f"{image['id']}: the label mask differs"
    # Polygons: but for their edges; keypoints: on the segment's own pixels.
    for a in load(f"{shapes}/annotations.json")["annotations"]:
        if a["image_id"] not in pixels:
            continue
        mine = pixels[a["image_id"]].get(a["segment"], set())
        polygons = [list(zip(p[::2], p[1::2])) for p in a["segmentation"]]
        xs, ys = zip(*[p for polygon in polygons for p in polygon])
        for x in range(int(min(xs)) - 2, int(max(xs)) + 3):
            for y in range(int(min(ys)) - 2, int(max(ys)) + 3):
                odd = sum(inside(p, x + 0.5, y + 0.5) for p in polygons) % 2
                if odd != ((x, y) in mine):
                    off = distance(polygons, x + 0.5, y + 0.5)
                    assert off <= float(slack), f"{a['image_id']}: {a['segment']}: ({x}, {y}) is {off:.2f} from an edge"
        if a["num_keypoints"]:
            at = tuple(math.floor(v + 0.5) for v in a["keypoints"][:2])
            near = any((at[0] + i, at[1] + k) in mine for i in (-1, 0, 1) for k in (-1, 0, 1))
            assert near, f"{a['image_id']}: {a['segment']}: its keypoint is elsewhere"
        compared += 1
    print(compared)


if __name__ == "__main__":
    try:
        {"draw": draw, "whole": whole, "same": same, "agree": agree}[sys.argv[1]](*sys.argv[2:])
    except AssertionError as e:
        sys.exit(f"{sys.argv[1]} {sys.argv[2]}: {e}")
