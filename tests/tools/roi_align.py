"""Do crops by RoIAlign agree with a slow program? The formula is torchvision's and maskrcnn-benchmark's.

    roi_align.py make FOLDER         images/ of all kinds of pixels, masks/ and in.json
    roi_align.py check FOLDER OUT    every pixel of every output within a level, every label
"""
import json
import math
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
import png  # noqa: E402

KINDS = ((1, 8), (3, 8), (4, 8), (2, 8), (1, 16), (3, 16))


def make(folder):
    rng = random.Random(11)
    data = {"images": [], "annotations": [], "categories": [{"id": 1, "name": "thing"}]}
    for name in ("images", "masks"):
        os.makedirs(f"{folder}/{name}")
    for image, (channels, depth) in enumerate(KINDS, 1):
        width, height = rng.randrange(9, 40), rng.randrange(9, 40)
        png.write(f"{folder}/images/{image}.png", [[rng.randrange(2 ** depth) for _ in range(width * channels)]
                                                   for _ in range(height)], channels, depth)
        png.write(f"{folder}/masks/{image}.png", [[rng.randrange(1, 200) for _ in range(width)] for _ in range(height)])
        data["images"].append({"id": image, "file_name": f"{image}.png", "width": width, "height": height})
        for _ in range(5):
            x, y = rng.uniform(0, width - 1), rng.uniform(0, height - 1)
            w, h = rng.uniform(.2, width - x), rng.uniform(.2, height - y)
            data["annotations"].append({"id": len(data["annotations"]) + 1, "image_id": image, "category_id": 1,
                                        "iscrowd": 0, "bbox": [x, y, w, h], "area": w * h})
    json.dump(data, open(f"{folder}/in.json", "w"))


def bilinear(rows, channels, channel, y, x):
    """A sample of an image; 0 where it is more than a pixel beyond the outermost pixels' centres."""
    height, width = len(rows), len(rows[0]) // channels
    if y < -1 or y > height or x < -1 or x > width:
        return 0
    y, x = max(y, 0), max(x, 0)
    top, left = int(y), int(x)
    if top >= height - 1:
        top = bottom = height - 1
        y = top
    else:
        bottom = top + 1
    if left >= width - 1:
        left = right = width - 1
        x = left
    else:
        right = left + 1
    down, across = y - top, x - left
    at = [[rows[j][channels * i + channel] for i in (left, right)] for j in (top, bottom)]
    return ((1 - down) * ((1 - across) * at[0][0] + across * at[0][1]) +
            down * ((1 - across) * at[1][0] + across * at[1][1]))


def roi_align(rows, channels, step):
    """Rows of real numbers."""
    x1, y1, x2, y2 = step["box"]
    height, width = step["size"]
    offset = .5 if step["aligned"] else 0
    x, y, w, h = x1 - offset, y1 - offset, x2 - x1, y2 - y1
    if not step["aligned"]:
        w, h = max(w, 1), max(h, 1)
    ratio = step["sampling_ratio"]
    nx, ny = (ratio if ratio > 0 else math.ceil(length / cells) for length, cells in ((w, width), (h, height)))
    return [[sum(bilinear(rows, channels, channel, y + (r + (j + .5) / ny) * h / height,
                          x + (c + (i + .5) / nx) * w / width) for j in range(ny) for i in range(nx)) / (nx * ny)
             for c in range(width) for channel in range(channels)] for r in range(height)]


def labels(rows, step):
    """The nearest label to each cell's middle, which lies where the samples do."""
    x1, y1, x2, y2 = step["box"]
    height, width = step["size"]
    offset = 0 if step["aligned"] else .5
    w, h = (x2 - x1, y2 - y1) if step["aligned"] else (max(x2 - x1, 1), max(y2 - y1, 1))
    made = []
    for r in range(height):
        y = math.floor(y1 + offset + (r + .5) * h / height)
        made.append([])
        for c in range(width):
            x = math.floor(x1 + offset + (c + .5) * w / width)
            made[-1].append(rows[y][x] if 0 <= y < len(rows) and 0 <= x < len(rows[0]) else step["fill_mask"])
    return made


def check(folder, out):
    outputs, wrong = 0, []
    for line in map(json.loads, open(f"{out}/manifest.jsonl")):
        step = [s for s in line["steps"] if s["type"] == "roi_align"][0]
        channels, depth = KINDS[int(line["source"][:-4]) - 1]
        outputs += 1
        wanted = roi_align(png.rows(f"{folder}/images/{line['source']}"), channels, step)
        for y, (made, row) in enumerate(zip(png.rows(f"{out}/{line['output']}"), wanted)):
            off = max(abs(a - b) for a, b in zip(made, row))
            if off > .5 + 2e-4 * 2 ** (depth - 8) or len(made) != len(row):
                wrong.append(f"{line['output']}: row {y} is off by {off} of {depth} bit: {step}")
        mask = list(map(list, png.rows(f"{out}/{line['mask']}")))
        if mask != labels(png.rows(f"{folder}/masks/{line['source']}"), step):
            wrong.append(f"{line['mask']}: {step}")
    return outputs, wrong


if __name__ == "__main__":
    if sys.argv[1] == "make":
        make(sys.argv[2])
    else:
        outputs, wrong = check(sys.argv[2], sys.argv[3])
        print(*wrong[:20], sep="\n")
        print(f"{outputs} outputs, {len(wrong)} wrong")
        sys.exit(1 if wrong or not outputs else 0)
