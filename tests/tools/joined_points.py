"""Keypoints of images that are joined or split, with marks: each is the middle of a round spot.

    joined_points.py make FOLDER     images/ and in.json: objects are squares around a spot in the dark
    joined_points.py check OUT       the middle of each spot that is whole is the keypoint, within half a pixel
"""
import json
import math
import os
import random
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
import png  # noqa: E402

IMAGES, WIDTH, HEIGHT = 5, 92, 80
SIGMA, HALF = 2.0, 7  # of a spot; half a side of its square
LIMIT = 0.5


def make(folder):
    """Spots at any part of a pixel; those of an image are in one channel."""
    rng = random.Random(3)
    data = {"images": [], "annotations": [], "categories": [{"id": 1, "name": "spot", "keypoints": ["middle"]}]}
    os.makedirs(f"{folder}/images")
    for image in range(1, IMAGES + 1):
        level = [[0.0] * WIDTH for _ in range(HEIGHT)]
        for i in range(6):
            x, y = (rng.uniform(HALF + 2, 28 - HALF) + 29 * (i % 3), rng.uniform(HALF + 2, 38 - HALF) + 39 * (i // 3))
            left, top = round(x) - HALF, round(y) - HALF
            side = 2 * HALF + 1
            for row in range(top, top + side):
                for column in range(left, left + side):
                    level[row][column] += 250 * math.exp(-((column - x) ** 2 + (row - y) ** 2) / (2 * SIGMA ** 2))
            data["annotations"].append({
                "id": len(data["annotations"]) + 1, "image_id": image, "category_id": 1, "iscrowd": 0,
                "bbox": [left, top, side, side], "area": side * side, "keypoints": [x, y, 2], "num_keypoints": 1,
                "segmentation": [[left, top, left + side, top, left + side, top + side, left, top + side]]})
        data["images"].append({"id": image, "file_name": f"{image}.png", "width": WIDTH, "height": HEIGHT})
        png.write(f"{folder}/images/{image}.png",
                  [[round(v) if c == image % 3 else 0 for v in row for c in range(3)] for row in level], 3)
    with open(f"{folder}/in.json", "w") as file:
        json.dump(data, file)


def middle(rows, box, channel):
    """Returns the center of the bright pixels in a box and one pixel around it, in pixels counted from 0; None if all
    are dark."""
    x0, y0 = (max(math.floor(v) - 1, 0) for v in box[:2])
    x1, y1 = math.ceil(box[0] + box[2]) + 1, math.ceil(box[1] + box[3]) + 1
    spot = [(x, y, row[3 * x + channel]) for y, row in enumerate(rows[y0:y1], y0)
            for x in range(x0, min(x1, len(row) // 3))]
    total = sum(v for _, _, v in spot)
    return total and [sum(p[i] * p[2] for p in spot) / total for i in (0, 1)]


def overlap(a, b):
    return all(a[i] < b[i] + b[i + 2] + 2 and b[i] < a[i] + a[i + 2] + 2 for i in (0, 1))


def check(out):
    by_image, looked, wrong, worst = {}, 0, [], 0
    for a in json.load(open(f"{out}/annotations.json"))["annotations"]:
        by_image.setdefault(a["image_id"], []).append(a)
    for line in map(json.loads, open(f"{out}/manifest.jsonl")):
        annotations = by_image.get(line["image_id"], [])
        rows = [list(row) for row in png.rows(f"{out}/{line['output']}")]
        for a, said in zip(annotations, line["annotations"]):
            image = int(said.get("of", line["source"]).split(".")[0])
            x, y, v = a["keypoints"]
            if said.get("visibility", 1) < 1 or any(b is not a and overlap(a["bbox"], b["bbox"]) for b in annotations):
                continue
            at = middle(rows, a["bbox"], image % 3)
            off = math.dist(at, (x, y)) if at and v == 2 else math.inf
            looked, worst = looked + 1, max(worst, off)
            if off > LIMIT:
                wrong.append(f"{line['output']}: the spot of {said} is at {at}, its keypoint at {x}, {y}, {v}")
    print(*wrong[:10], sep="\n")
    print(f"# {looked} spots, {len(wrong)} wrong; the farthest keypoint is {worst:.3f} pixels off")
    return bool(wrong) or looked < 50


if __name__ == "__main__":
    sys.exit(make(sys.argv[2]) if sys.argv[1] == "make" else check(sys.argv[2]))
