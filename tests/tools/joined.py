"""Joined images with marks: a dataset in which each object has its own color, and checks of the outputs.

    joined.py make FOLDER [W H]      images/, masks/ and in.json: one object per quarter of an image; the same objects
                                     in panoptic/ and panoptic.json
    joined.py check OUT [FOLDER [exact]]    pixels of each color match its labels, to the pixel
    joined.py segments OUT [LABELS]  pictures of segments show the owner of each pixel in the image, or in LABELS
    joined.py blend FOLDER OUT       levels of images that are blended

LABELS are the label masks of a run of the same steps.
"""
import json
import math
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
import png  # noqa: E402

IMAGES = 7
KINDS = ("polygon", "rle", "box", "crowd")


def colour(number):
    """Returns the color of object `number` (from 1). No channel is 0; nothing else has this color."""
    return (37 * number % 251 + 1, 101 * number % 241 + 1, number)


def is_mark(pixel):
    """True for the color of a keypoint: no object's color has as much green."""
    return pixel[1] == 250


def runs(width, height, pixels):
    """An uncompressed RLE of some pixels."""
    counts, now = [0], False
    for bit in ((x, y) in pixels for x in range(width) for y in range(height)):
        if bit != now:
            counts.append(0)
            now = bit
        counts[-1] += 1
    return {"size": [height, width], "counts": counts}


def shape(kind, box):
    """The pixels of an object in a box, and its polygon: half of them are slanted or round."""
    x0, y0, x1, y1 = box
    ring = [x0, y0, x1, y0, x1, y1, x0, y1]
    if kind in ("polygon", "rle"):
        x, y = (x0 + x1) // 2, (y0 + y1) // 2
        ring = [x, y0, x1, y, x, y1, x0, y] if kind == "polygon" else \
            [n for i in range(16) for n in ((x0 + x1) / 2 + (x1 - x0) / 2 * math.cos(i * math.pi / 8),
                                            (y0 + y1) / 2 + (y1 - y0) / 2 * math.sin(i * math.pi / 8))]
    return {(x, y) for x, y in within(ring) if x0 <= x < x1 and y0 <= y < y1}, ring


def annotation(number, image, kind, width, height, box):
    """An object in its colour, and its pixels; its keypoint is one of them."""
    x0, y0, x1, y1 = box
    pixels, ring = shape(kind, box)
    made = {"id": number, "image_id": image, "category_id": 1 + number % 2, "iscrowd": int(kind == "crowd"),
            "bbox": [x0, y0, x1 - x0, y1 - y0], "area": len(pixels), "kind": kind}
    if kind == "polygon":
        made["segmentation"] = [ring]
    elif kind != "box":
        made["segmentation"] = runs(width, height, pixels)
    made["keypoints"] = [(x0 + x1) // 2, (y0 + y1) // 2, 2]
    made["num_keypoints"] = 1
    return made, pixels


def box_of(pixels):
    xs, ys = zip(*pixels)
    return [min(xs), min(ys), max(xs) - min(xs) + 1, max(ys) - min(ys) + 1]


def segment(made, labels):
    """An object as a panoptic file has it."""
    pixels = {(x, y) for y, row in enumerate(labels) for x, label in enumerate(row) if label == made["id"]}
    return {"id": made["id"], "category_id": made["category_id"], "iscrowd": made["iscrowd"], "area": len(pixels),
            "bbox": box_of(pixels)}


def make(folder, size=None):
    """Write the dataset; images of several sizes, or of one. The area outside objects is a ramp."""
    rng = random.Random(5)
    data = {"images": [], "annotations": [],
            "categories": [{"id": i, "name": f"thing {i}", "keypoints": ["middle"]} for i in (1, 2)]}
    segments = {**data, "annotations": []}
    for name in ("images", "masks", "panoptic"):
        os.makedirs(f"{folder}/{name}")
    for image in range(1, IMAGES + 1):
        width, height = size or (rng.randrange(50, 90), rng.randrange(50, 90))
        pixels = [[n for x in range(width) for n in (2 * x, 2 * y, 0)] for y in range(height)]
        labels = [[0] * width for _ in range(height)]
        for i, kind in enumerate(KINDS):
            number = len(data["annotations"]) + 1
            left, top = (i % 2) * (width // 2), (i // 2) * (height // 2)
            box = (left + rng.randrange(2, 8), top + rng.randrange(2, 8),
                   left + width // 2 - rng.randrange(0, 6), top + height // 2 - rng.randrange(0, 6))
            made, painted = annotation(number, image, kind, width, height, box)
            data["annotations"].append(made)
            for x, y in painted:
                pixels[y][3 * x:3 * x + 3] = colour(number)
                labels[y][x] = number
            x, y, _ = made["keypoints"]
            if pixels[y][3 * x + 2] == number:
                pixels[y][3 * x + 1] = 250
        data["images"].append({"id": image, "file_name": f"{image}.png", "width": width, "height": height})
        png.write(f"{folder}/images/{image}.png", pixels, 3)
        png.write(f"{folder}/masks/{image}.png", labels)
        png.write(f"{folder}/panoptic/{image}.png", [[n for v in row for n in (v, 0, 0)] for row in labels], 3)
        segments["annotations"].append({"image_id": image, "file_name": f"{image}.png", "segments_info": [
            segment(a, labels) for a in data["annotations"] if a["image_id"] == image]})
    with open(f"{folder}/panoptic.json", "w") as file:
        json.dump(segments, file)
    with open(f"{folder}/in.json", "w") as file:
        json.dump(data, file)


def inside(annotation, width, height):
    """The pixels of an annotation whose outline is polygons, RLE, or a box."""
    made = annotation.get("segmentation")
    if isinstance(made, dict):
        at, found = 0, set()
        for i, run in enumerate(made["counts"]):
            if i % 2:
                found.update(((at + k) // height, (at + k) % height) for k in range(run))
            at += run
        return found
    if made:
        return {pixel for ring in made for pixel in within(ring)}
    x, y, w, h = annotation["bbox"]
    return {(i, k) for i in range(width) if x <= i + .5 < x + w for k in range(height) if y <= k + .5 < y + h}


def perimeter(annotation):
    """Returns the perimeter of its polygons."""
    return sum(math.dist(ring[i:i + 2], (ring + ring)[i + 2:i + 4])
               for ring in annotation["segmentation"] for i in range(0, len(ring), 2))


def within(ring):
    """Yields the pixels whose centers are inside a ring, by the even-odd rule."""
    points = list(zip(ring[::2], ring[1::2]))
    edges = list(zip(points, points[1:] + points[:1]))
    for y in range(math.floor(min(ring[1::2])), math.ceil(max(ring[1::2]))):
        middle = y + .5
        cuts = sorted(ax + (middle - ay) * (bx - ax) / (by - ay) for (ax, ay), (bx, by) in edges
                      if (ay > middle) != (by > middle))
        for left, right in zip(cuts[::2], cuts[1::2]):
            for x in range(math.ceil(left - .5), math.ceil(right - .5)):
                yield x, y


def check(out, folder=None, exact=None):
    """With the dataset's folder, visibilities count pixels, if nothing was scaled; `exact`: and keypoints are marked.

    Every pixel of an outline has its object's colour, and the other way round; all targets agree."""
    data = json.load(open(f"{out}/annotations.json"))
    full = {a["id"]: a["area"] for a in json.load(open(f"{folder}/in.json"))["annotations"]} if folder else {}
    by_image, lines, outputs, wrong = {}, open(f"{out}/manifest.jsonl").read().splitlines(), 0, []
    assert len({a["id"] for a in data["annotations"]}) == len(data["annotations"]), "two have one id"
    for a in data["annotations"]:
        by_image.setdefault(a["image_id"], []).append(a)
    for line_text in lines:
        line = json.loads(line_text)
        outputs += 1
        image = [row for row in png.rows(f"{out}/{line['output']}")]
        labels = [row for row in png.rows(f"{out}/{line['mask']}")]
        width, height = line["size_out"]
        found, marks = {}, {}
        for y, row in enumerate(image):
            for x in range(width):
                number = row[3 * x + 2]
                if number and is_mark(row[3 * x:3 * x + 3]):
                    marks.setdefault(number, []).append((x, y))
                else:
                    assert not number or tuple(row[3 * x:3 * x + 3]) == colour(number)
                found.setdefault(number, set()).add((x, y))
                if labels[y][x] != number:
                    wrong.append(f"{line['output']}: label {labels[y][x]} at {x}, {y} is {number} in the image")
        annotations = by_image.get(line["image_id"], [])
        assert [a["id"] for a in annotations] == [a["id"] for a in line["annotations"]]
        marked, edges, lost, there = {}, {}, set(), set()
        for a, said in zip(annotations, line["annotations"]):
            pixels, number = inside(a, width, height), said["from"]
            edge = 0 if a["kind"] != "polygon" else perimeter(a) / 2 + 1
            if a["kind"] == "box": # the box surrounds the remaining part
                marked.setdefault(number, set()).update(found.get(number, set()) & pixels)
            else:
                marked.setdefault(number, set()).update(pixels)
                edges[number] = edges.get(number, 0) + edge
                strays = len(pixels - found.get(number, set()))
                if strays > edge:
                    wrong.append(f"{line['output']}: {strays} pixels of {number} ({a['kind']}) show something else")
            if a["kind"] in ("rle", "crowd") and said.get("visibility", 1) < 1 and a["area"] != len(pixels):
                wrong.append(f"{line['output']}: area {a['area']} of {number} is {len(pixels)}")
            if a["kind"] in ("rle", "crowd") and full and "resize" not in line_text and \
                    abs(said.get("visibility", 1) * full[number] - len(pixels)) > 1e-6:
                wrong.append(f"{line['output']}: visibility of {number} is not {len(pixels)} of {full[number]}")
            if exact and a["kind"] == "polygon" and said.get("visibility", 1) < 1 and \
                    abs(a["area"] - len(pixels)) > edge:
                wrong.append(f"{line['output']}: area {a['area']} of {number} is not about {len(pixels)}")
            x, y, v = a["keypoints"]
            if exact and v == 2 and not any(abs(x - i) <= .5 and abs(y - k) <= .5 for i, k in marks.get(number, ())):
                wrong.append(f"{line['output']}: the keypoint of {number} is at {x}, {y}, not {marks.get(number)}")
            if v == 0:
                lost.add(number)
            else:
                there.add(number)
            if v == 2 and not any((round(x) + i, round(y) + k) in found.get(number, ()) for i in (-1, 0, 1)
                                  for k in (-1, 0, 1)):
                wrong.append(f"{line['output']}: the keypoint of {number} is not on it")
        wrong += [f"{line['output']}: the keypoint of {number} is shown, and is not there"
                  for number in lost - there if exact and marks.get(number)]
        unlabelled = {said["from"] for said in line.get("dropped", []) if said["reason"] == "other"}
        for number, pixels in found.items():
            if number in unlabelled:
                continue
            kind = KINDS[(number - 1) % len(KINDS)]
            missed = len(pixels - marked.get(number, set())) if number and kind != "box" else 0
            if missed > (edges.get(number, 0) if kind == "polygon" else 0):
                wrong.append(f"{line['output']}: {missed} pixels of {number} ({kind}) have no label")
    return outputs, wrong


def blend(folder, out):
    """Checks images of one size: round(own * (1 - opacity) + other * opacity), with the labels of the heavier image."""
    wrong, outputs = [], 0
    for line in map(json.loads, open(f"{out}/manifest.jsonl")):
        step = line["steps"][0]
        opacity, other = step["inputs"][1]["opacity"], step["inputs"][1]["source"]
        own, over = (list(png.rows(f"{folder}/images/{name}")) for name in (line["source"], other))
        mask = list(png.rows(f"{folder}/masks/{other if opacity >= .5 else line['source']}"))
        made = list(png.rows(f"{out}/{line['output']}"))
        outputs += 1
        for y, row in enumerate(made):
            for x, level in enumerate(row):
                want = own[y][x] * (1 - opacity) + over[y][x] * opacity
                if abs(level - want) > .5 + 1e-4:
                    wrong.append(f"{line['output']}: {level} at {x}, {y}, not {want}")
        if list(map(list, png.rows(f"{out}/{line['mask']}"))) != list(map(list, mask)):
            wrong.append(f"{line['mask']} is not the heavier image's")
        if len(line["annotations"]) != 2 * len(KINDS):
            wrong.append(f"{line['output']}: {len(line['annotations'])} annotations")
    return outputs, wrong


def segments(out, labels=None):
    """The picture's ids are those of the list, and their pixels those of the objects that the manifest names."""
    data, wrong, outputs = json.load(open(f"{out}/annotations.json")), [], 0
    by_image = {a["image_id"]: a for a in data["annotations"]}
    for line in map(json.loads, open(f"{out}/manifest.jsonl")):
        a, outputs = by_image[line["image_id"]], outputs + 1
        number = {said["id"]: said["from"] for said in line["annotations"]}
        listed, width = {s["id"]: s for s in a["segments_info"]}, line["size_out"][0]
        assert len(listed) == len(a["segments_info"]) == len(number) and listed.keys() == number.keys(), "ids differ"
        ids = [[row[i] + 256 * row[i + 1] for i in range(0, 3 * width, 3)]
               for row in png.rows(f"{out}/masks/{a['file_name']}")]
        want = [row[2::3] for row in png.rows(f"{out}/{line['output']}")] if labels is None else \
            list(png.rows(f"{labels}/{line['mask']}"))
        painted = {}
        for y, row in enumerate(ids):
            for x, i in enumerate(row):
                if i:
                    painted.setdefault(i, set()).add((x, y))
                if (number[i] if i else 0) != want[y][x]:
                    wrong.append(f"{line['output']}: segment {i} at {x}, {y} is not {want[y][x]}")
        for i in listed.keys() | painted.keys():
            if i not in painted or listed[i]["area"] != len(painted[i]) or listed[i]["bbox"] != box_of(painted[i]):
                wrong.append(f"{line['output']}: area or box of segment {i}")
            elif listed[i]["category_id"] != 1 + number[i] % 2:
                wrong.append(f"{line['output']}: category of segment {i}")
    return outputs, wrong


def edges(sharp, feathered):
    """Pixels further than two from an edge are those of the sharp picture; some nearer ones are between both sides."""
    wrong, outputs, blended = [], 0, 0
    for line in map(json.loads, open(f"{sharp}/manifest.jsonl")):
        a, b = (list(png.rows(f"{folder}/{line['output']}")) for folder in (sharp, feathered))
        outputs += 1
        width, height = line["size_out"]
        for y in range(height):
            for x in range(width):
                near = {tuple(a[k][3 * i:3 * i + 3]) for k in range(max(y - 2, 0), min(y + 3, height))
                        for i in range(max(x - 2, 0), min(x + 3, width))}
                differs = a[y][3 * x:3 * x + 3] != b[y][3 * x:3 * x + 3]
                blended += differs
                if differs and len({c[2] for c in near}) < 2:
                    wrong.append(f"{line['output']}: {x}, {y} is not as in the sharp picture, far from an edge")
    return outputs, wrong if blended else ["nothing is blended"]


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2], tuple(map(int, sys.argv[3:])))
    else:
        look = {"check": check, "segments": segments, "blend": blend, "edges": edges}[sys.argv[1]]
        outputs, wrong = look(*sys.argv[2:])
        print(*wrong[:20], sep="\n")
        print(f"{outputs} outputs, {len(wrong)} wrong")
        sys.exit(1 if wrong or not outputs else 0)
