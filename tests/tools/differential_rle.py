"""Compare masks of polygons with the COCO API's: differential_rle.py LOCKSTEP [COUNT].

Random polygons go through the command, which writes them as run lengths, and through
pycocotools.mask; strings, areas and boxes must be the same. Exit 77 without pycocotools.
"""

import json
import math
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import png  # noqa: E402

SIZES = [(1, 1), (1, 97), (89, 1), (2, 3), (7, 13), (50, 40), (61, 127), (300, 211), (640, 480)]
AT_ONCE = 4000  # annotations in a file


def points(rng, width, height):
    """Inside, over the border, outside, tangled, star-shaped, flat, tiny, far away."""
    kind = rng.randrange(8)
    n = rng.choice([3, 3, 4, 5, 8, 13, 40])
    cx, cy = rng.uniform(-0.2, 1.2) * width, rng.uniform(-0.2, 1.2) * height
    reach = rng.choice([0.3, 2, 10, 50, max(width, height)])
    if kind == 0:  # inside
        return [(rng.uniform(0, width), rng.uniform(0, height)) for _ in range(n)]
    if kind == 1:  # tangled over the border
        return [(cx + rng.uniform(-reach, reach), cy + rng.uniform(-reach, reach)) for _ in range(n)]
    if kind == 2:  # outside
        return [(-width - rng.uniform(0, reach), rng.uniform(-reach, height + reach)) for _ in range(n)]
    if kind == 3:  # on one line, or in one place
        dx, dy = rng.choice([(0, 0), (1, 0), (0, 1), (rng.uniform(-1, 1), rng.uniform(-1, 1))])
        return [(cx + dx * t, cy + dy * t) for t in (rng.uniform(-reach, reach) for _ in range(n))]
    if kind == 4:  # some points far away, and repeated ones
        far = [(cx + rng.choice([0, 0, -3000, 2000.5]), cy + rng.choice([0, 0, 3000, -1e4 / 3])) for _ in range(n)]
        return far + far[:1]
    turn = rng.uniform(0, 7)  # a star, or a box
    if kind == 5:
        return [(cx, cy), (cx + reach, cy), (cx + reach, cy + reach / 2), (cx, cy + reach / 2)]
    return [
        (cx + r * math.cos(turn + 6.28318 * i / n), cy + r * math.sin(turn + 6.28318 * i / n))
        for i, r in enumerate(rng.uniform(0.1, 1) * reach for _ in range(n))
    ]


def polygon(rng, width, height):
    digits = rng.choice([0, 1, 1, 2, 2, 15])
    ring = points(rng, width, height)
    if rng.random() < 0.5:
        ring.reverse()
    return [round(v, digits) for p in ring for v in p]


def masks(lockstep, folder, width, height, outlines):
    os.makedirs(os.path.join(folder, "images"))
    png.write(os.path.join(folder, "images", "a.png"), [bytes(width)] * height)
    data = {
        "images": [{"id": 1, "file_name": "a.png", "width": width, "height": height}],
        "annotations": [{"id": i, "image_id": 1, "segmentation": o} for i, o in enumerate(outlines)],
    }
    with open(os.path.join(folder, "in.json"), "w", encoding="utf-8") as out:
        json.dump(data, out)
    with open(os.path.join(folder, "p.json"), "w", encoding="utf-8") as out:
        json.dump({"version": 1, "annotations": {"segmentation": "rle"}, "transforms": []}, out)
    subprocess.run(
        [lockstep, "run", "-q", "-p", "p.json", "-i", "images", "-a", "in.json", "-o", "out"], cwd=folder, check=True
    )
    with open(os.path.join(folder, "out", "annotations.json"), encoding="utf-8") as file:
        return {a["id"]: a["segmentation"] for a in json.load(file)["annotations"]}


def main(lockstep, count=100000):
    try:
        from pycocotools import mask as api
    except ImportError:
        print("pycocotools is not there: nothing to compare with")
        return 77
    rng, done, wrong, empty = random.Random(1), 0, 0, 0
    while done < int(count):
        width, height = SIZES[done // AT_ONCE % len(SIZES)]
        # From four numbers, or from a flat list, the API would make a box.
        outlines = [
            [polygon(rng, width, height) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
            for _ in range(min(AT_ONCE, int(count) - done))
        ]
        with tempfile.TemporaryDirectory() as folder:
            found = masks(os.path.abspath(lockstep), folder, width, height, outlines)
        for i, outline in enumerate(outlines):
            want = api.merge(api.frPyObjects(outline, height, width))
            counts = want["counts"] if isinstance(want["counts"], str) else want["counts"].decode()
            empty += int(api.area(want)) == 0
            if found[i]["counts"] != counts or found[i]["size"] != [height, width]:
                wrong += 1
                if wrong <= 5:
                    print("%d x %d, %s:\n  %s\n  %s" % (width, height, outline, found[i]["counts"], counts))
        done += len(outlines)
    print("%d outlines, %d of them without a pixel: %d differ" % (done, empty, wrong))
    return wrong != 0 or empty * 5 > done * 4


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
