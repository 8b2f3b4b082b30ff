"""Compare encode_boxes, decode_boxes and paste_masks with slow programs of their definitions.

Usage: box_code.py LOCKSTEP SEED, in an empty folder

The formulas are those of maskrcnn-benchmark's BoxCoder and Masker. For continuous edges, masks cover exactly their
boxes.
"""
import json
import math
import random
import subprocess
import sys

lockstep, seed = sys.argv[1], int(sys.argv[2])
r = random.Random(seed)
WIDTH, HEIGHT = 67, 53


def run(step, objects):
    json.dump({"images": [{"id": 1, "file_name": "1.jpg", "width": WIDTH, "height": HEIGHT}],
               "categories": [{"id": 1, "name": "thing"}]}, open("list.json", "w"))
    json.dump(objects, open("results.json", "w"))
    json.dump({"version": 1, "transforms": [step]}, open("steps.json", "w"))
    subprocess.run([lockstep, "labels", "-q", "-p", "steps.json", "-a", "results.json", "--image-list", "list.json",
                    "--overwrite", "-o", "out.json"], check=True)
    made = json.load(open("out.json"))
    assert len(made) == len(objects)
    return made


def element(box, **more):
    return {"image_id": 1, "category_id": 1, "bbox": box, "score": r.random(), **more}


def xyxy(box, edges):
    """With an inclusive box the last pixel, else the end."""
    last = 1 if edges == "inclusive" else 0
    return box[0], box[1], box[0] + max(box[2] - last, 0), box[1] + max(box[3] - last, 0)


def sides(box, edges):
    x1, y1, x2, y2 = xyxy(box, edges)
    last = 1 if edges == "inclusive" else 0
    w, h = x2 - x1 + last, y2 - y1 + last
    return x1 + .5 * w, y1 + .5 * h, w, h


def encode(target, anchor, weights, edges):
    gx, gy, gw, gh = sides(target, edges)
    ex, ey, ew, eh = sides(anchor, edges)
    return [weights[0] * (gx - ex) / ew, weights[1] * (gy - ey) / eh,
            weights[2] * math.log(gw / ew), weights[3] * math.log(gh / eh)]


def decode(code, anchor, weights, clip, edges):
    cx, cy, w, h = sides(anchor, edges)
    dx, dy, dw, dh = (c / k for c, k in zip(code, weights))
    dw, dh = min(dw, clip), min(dh, clip)
    px, py, pw, ph = dx * w + cx, dy * h + cy, math.exp(dw) * w, math.exp(dh) * h
    x1, y1, x2, y2 = px - .5 * pw, py - .5 * ph, px + .5 * pw, py + .5 * ph
    if edges == "inclusive":
        x2, y2 = x2 - 1, y2 - 1
        return [x1, y1, x2 - x1 + 1, y2 - y1 + 1]
    return [x1, y1, x2 - x1, y2 - y1]


def near(a, b):
    return len(a) == len(b) and all(abs(p - q) <= 1e-9 * max(1, abs(p), abs(q)) for p, q in zip(a, b))


def box():
    return [r.uniform(-20, 60), r.uniform(-20, 50), 2 ** r.uniform(-3, 7), 2 ** r.uniform(-3, 7)]


def coder():
    edges, weights = r.choice(["continuous", "inclusive"]), r.choice([[1, 1, 1, 1], [10, 10, 5, 5], [2.5, 3, 0.5, 7]])
    clip, anchors = r.choice([math.log(1000 / 16), 0.5, 10]), [box() for _ in range(9)]
    step = {"anchors": anchors, "weights": weights, "edges": edges}
    given = [r.choice([box(), r.randrange(9)]) for _ in range(40)]
    of = [anchors[a] if isinstance(a, int) else a for a in given]
    targets = [box() for _ in given]
    plain = element(box())
    made = run({"type": "encode_boxes", **step}, [element(t, anchor=a) for t, a in zip(targets, given)] + [plain])
    assert made.pop() == plain
    for e, t, a in zip(made, targets, of):
        assert near(e["code"], encode(t, a, weights, edges)), (seed, edges, weights, t, a, e)
        assert e["bbox"] == t
    back = run({"type": "decode_boxes", "clip": 50, **step}, made)
    for e, t in zip(back, targets):
        assert near(e["bbox"], [t[0], t[1], sides(t, edges)[2], sides(t, edges)[3]]), (seed, edges, t, e)
    codes = [[r.uniform(-5, 5) for _ in range(4)] for _ in given]
    proposals = [element(a, code=c) for a, c in zip(of, codes)]
    made = run({"type": "decode_boxes", "clip": clip, **step},
               [{**p, "anchor": a} if r.random() < .5 else p for p, a in zip(proposals, given)] + [plain])
    assert made.pop() == plain
    for e, a, c in zip(made, of, codes):
        assert near(e["bbox"], decode(c, a, weights, clip, edges)), (seed, edges, weights, clip, a, c, e)


def masker(mask, box, padding, above):
    """The pixels, by the rule of maskrcnn-benchmark."""
    m = len(mask)
    n = m + 2 * padding
    padded = [[mask[y - padding][x - padding] if 0 <= y - padding < m and 0 <= x - padding < m else 0 for x in range(n)]
              for y in range(n)]
    x1, y1, x2, y2 = xyxy(box, "inclusive")
    scale = n / m
    half_w, half_h, cx, cy = (x2 - x1) * .5 * scale, (y2 - y1) * .5 * scale, (x2 + x1) * .5, (y2 + y1) * .5
    x1, y1, x2, y2 = (int(v) for v in (cx - half_w, cy - half_h, cx + half_w, cy + half_h))
    w, h = max(x2 - x1 + 1, 1), max(y2 - y1 + 1, 1)

    def resized(y, x):
        sy, sx = max((y + .5) * n / h - .5, 0), max((x + .5) * n / w - .5, 0)
        top, left = int(sy), int(sx)
        bottom, right = min(top + 1, n - 1), min(left + 1, n - 1)
        ly, lx = sy - top, sx - left
        return ((1 - ly) * ((1 - lx) * padded[top][left] + lx * padded[top][right]) +
                ly * ((1 - lx) * padded[bottom][left] + lx * padded[bottom][right]))

    return {(x, y) for y in range(max(y1, 0), min(y1 + h, HEIGHT)) for x in range(max(x1, 0), min(x1 + w, WIDTH))
            if above(resized(y - y1, x - x1))}


def lying(mask, box, above):
    """The pixels, by where their middles lie on the box; outside of the mask are zeros."""
    m = len(mask)

    def at(y, x):
        return mask[y][x] if 0 <= y < m and 0 <= x < m else 0

    def value(y, x):
        u, v = (x + .5 - box[0]) / box[2] * m - .5, (y + .5 - box[1]) / box[3] * m - .5
        left, top = math.floor(u), math.floor(v)
        lx, ly = u - left, v - top
        return ((1 - ly) * ((1 - lx) * at(top, left) + lx * at(top, left + 1)) +
                ly * ((1 - lx) * at(top + 1, left) + lx * at(top + 1, left + 1)))

    return {(x, y) for y in range(HEIGHT) for x in range(WIDTH) if above(value(y, x))}


def pixels(rle):
    """Returns the pixels of COCO's compressed counts, or of plain ones."""
    counts = rle["counts"]
    if isinstance(counts, str):
        text, counts = counts, []
        while text:
            value, shift, more = 0, 0, True
            while more:
                c = ord(text[0]) - 48
                text = text[1:]
                value |= (c & 31) << shift
                shift += 5
                more = c & 32
                if not more and c & 16:
                    value -= 1 << shift
            counts.append(value + (counts[-2] if len(counts) > 2 else 0))
    at, found = 0, set()
    for i, n in enumerate(counts):
        if i % 2:
            found.update(((at + k) // HEIGHT, (at + k) % HEIGHT) for k in range(n))
        at += n
    assert at == WIDTH * HEIGHT
    return found


def paste():
    edges, padding, threshold = r.choice(["continuous", "inclusive"]), r.choice([0, 1, 3]), r.choice([.5, .3, .9])
    compare = r.choice(["gt", "ge"])
    objects = []
    for i in range(12):
        m = r.choice([1, 2, 7, 14, 28])
        mask = [[r.random() ** 2 if r.random() < .5 else r.choice([r.uniform(0, .1), r.uniform(.9, 1)]) for _ in range(m)] for _ in range(m)]
        objects.append(element([r.uniform(-20, 60), r.uniform(-20, 50), r.uniform(.3, 50), r.uniform(.3, 50)],
                               area=7.5, mask=mask if i % 2 else sum(mask, []), tall=m))
    plain = element(box())
    made = run({"type": "paste_masks", "edges": edges, "padding": padding, "threshold": threshold, "compare": compare},
               objects + [plain])
    assert made.pop() == plain
    covered = 0
    for o, e in zip(objects, made):
        m = o["tall"]
        mask = [o["mask"][i * m:i * m + m] for i in range(m)] if len(o["mask"]) == m * m and m > 1 or m == 1 and \
            not isinstance(o["mask"][0], list) else o["mask"]
        above = (lambda v: v >= threshold) if compare == "ge" else (lambda v: v > threshold)
        wanted = masker(mask, o["bbox"], padding, above) if edges == "inclusive" else lying(mask, o["bbox"], above)
        found = pixels(e["segmentation"])
        assert found == wanted, (seed, edges, padding, threshold, o["bbox"], m, sorted(found ^ wanted)[:9])
        assert e["area"] == len(found) and e["bbox"] == o["bbox"]
        covered += len(found)
    return covered


for _ in range(6):
    coder()
covered = sum(paste() for _ in range(8))
print(f"# seed {seed}: {covered} pixels")
sys.exit(0 if covered else "no pixel is covered")
