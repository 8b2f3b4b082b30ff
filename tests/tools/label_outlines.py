"""Outlines that label ops make, against pixels and points: label_outlines.py LOCKSTEP SEED"""
import json
import math
import random
import subprocess
import sys

lockstep, seed = sys.argv[1], int(sys.argv[2])
r = random.Random(seed)
W, H = 40, 30


ASIDE = [(1, 0), (-1, 0), (0, 1), (0, -1)]
AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)]


def has_hole(mask, steps):
    """True if a pixel outside the mask cannot be reached from beyond the image with these steps."""
    outside, todo = set(), [(-1, -1)]
    while todo:
        x, y = todo.pop()
        if (x, y) in outside or (x, y) in mask or not (-1 <= x <= W and -1 <= y <= H):
            continue
        outside.add((x, y))
        todo += [(x + dx, y + dy) for dx, dy in steps]
    return any((x, y) not in outside and (x, y) not in mask for x in range(W) for y in range(H))


def blob():
    mask = set()
    for _ in range(r.randrange(1, 5)):
        x, y = r.randrange(W), r.randrange(H)
        mask |= {(i, j) for i in range(x, min(W, x + r.randrange(1, 9))) for j in range(y, min(H, y + r.randrange(1, 9)))}
    if r.random() < 0.3:
        mask.discard((x + 1, y + 1))
    return mask


def runs(mask):
    counts, last = [0], 0
    for x in range(W):
        for y in range(H):
            now = int((x, y) in mask)
            if now != last:
                counts.append(0)
                last = now
            counts[-1] += 1
    return counts


def from_runs(counts):
    flat = [i % 2 for i, n in enumerate(counts) for _ in range(n)]
    return {(i // H, i % H) for i, v in enumerate(flat) if v}


def from_string(text):
    counts, at = [], 0
    while at < len(text):
        x = k = 0
        more = True
        while more:
            c = ord(text[at]) - 48
            at += 1
            x |= (c & 0x1f) << 5 * k
            more = bool(c & 0x20)
            k += 1
            if not more and c & 0x10:
                x |= -1 << 5 * k
        counts.append(x + (counts[-2] if len(counts) > 2 else 0))
    return counts


def mask_of(segmentation):
    counts = segmentation["counts"]
    return from_runs(from_string(counts) if isinstance(counts, str) else counts)


def inside(points, x, y):
    n = 0
    for (x1, y1), (x2, y2) in zip(points, points[1:] + points[:1]):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            n += 1
    return n % 2


def points_of(polygon):
    return list(zip(polygon[::2], polygon[1::2]))


def shoelace(p):
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in zip(p, p[1:] + p[:1]))) / 2


def distance(p, a, b):
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = min(1, max(0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy))) if dx or dy else 0
    return math.hypot(p[0] - a[0] - t * dx, p[1] - a[1] - t * dy)


def star():
    n, cx, cy = r.randrange(3, 40), r.uniform(10, 30), r.uniform(10, 20)
    return [v for k in range(n) for radius in [r.uniform(2, 9)]
            for v in (cx + radius * math.cos(k * math.tau / n), cy + radius * math.sin(k * math.tau / n))]


annotations = []
for i in range(1, 201):
    a = {"id": i, "image_id": 1, "category_id": 1, "iscrowd": 0, "x": [1, {"y": None}]}
    kind = i % 4
    if kind == 0:
        a["bbox"] = [r.uniform(-3, 30), r.uniform(-3, 20), r.choice([0, 5, r.uniform(1, 9)]), r.uniform(1, 9)]
        a["area"] = a["bbox"][2] * a["bbox"][3]
        if i % 8:
            a["segmentation"] = []
    elif kind == 1:
        mask = blob()
        a.update(bbox=[0, 0, W, H], area=len(mask), segmentation={"size": [H, W], "counts": runs(mask)})
    elif kind == 2:
        a.update(bbox=[0, 0, W, H], segmentation=[star() for _ in range(r.choice([1, 1, 2]))])
        a["area"] = sum(shoelace(points_of(p)) for p in a["segmentation"])
    else:
        x, y, w, h = r.randrange(30), r.randrange(20), r.randrange(1, 10), r.randrange(1, 10)
        a.update(bbox=[x, y, w, h], area=7.5, segmentation=[[x, y, x + w, y, x + w, y + h, x, y + h]])
    annotations.append(a)
json.dump({"images": [{"id": 1, "file_name": "a.jpg", "width": W, "height": H}], "annotations": annotations,
           "categories": [{"id": 1, "name": "a", "supercategory": ""}]}, open("outlines.json", "w"))


def done(*steps):
    json.dump({"version": 1, "transforms": list(steps)}, open("steps.json", "w"))
    subprocess.run([lockstep, "labels", "-q", "-p", "steps.json", "-a", "outlines.json", "--overwrite", "-o", "out.json"],
                   check=True)
    out = json.load(open("out.json"))["annotations"]
    assert [a["id"] for a in out] == [a["id"] for a in annotations]
    return list(zip(annotations, out))


def only(before, after, *keys):
    """Checks that only these keys differ."""
    assert {k: v for k, v in before.items() if k not in keys} == {k: v for k, v in after.items() if k not in keys}, after


for before, after in done({"type": "box_to_polygon"}):
    only(before, after, "segmentation")
    if before.get("segmentation") or not before["area"]:
        assert before == after, after
    else:
        x, y, w, h = before["bbox"]
        assert after["segmentation"] == [[x, y, x + w, y, x + w, y + h, x, y + h]], after

changed = kept = 0
for before, after in done({"type": "rle_to_polygon"}):
    only(before, after, "segmentation")
    if not isinstance(before.get("segmentation"), dict):
        assert before == after, after
        continue
    mask = mask_of(before["segmentation"])
    if isinstance(after["segmentation"], dict):  # areas that touch the outside at a corner may count as holes, or not
        assert before == after and has_hole(mask, ASIDE), after
        kept += 1
        continue
    assert not has_hole(mask, AROUND), after
    changed += 1
    rings = [points_of(p) for p in after["segmentation"]]
    covered = {(x, y) for x in range(W) for y in range(H) if any(inside(p, x + 0.5, y + 0.5) for p in rings)}
    assert covered == mask, before["id"]
assert changed and kept

for before, after in done({"type": "polygon_to_rle"}):
    only(before, after, "segmentation", "area")
    if not isinstance(before.get("segmentation"), list) or not before["segmentation"]:
        assert before == after, after
        continue
    mask = mask_of(after["segmentation"])
    assert after["segmentation"]["size"] == [H, W] and after["area"] == len(mask), after
    rings = [points_of(p) for p in before["segmentation"]]
    near = {(x, y) for x in range(W) for y in range(H) if any(
        distance((x + 0.5, y + 0.5), a, b) <= 0.75 for p in rings for a, b in zip(p, p[1:] + p[:1]))}
    covered = {(x, y) for x in range(W) for y in range(H) if any(inside(p, x + 0.5, y + 0.5) for p in rings)}
    assert not (mask ^ covered) - near, before["id"]
    assert before["id"] % 4 != 3 or mask == covered, before["id"]

for tolerance in (0, 0.5, 2, 1000):
    fewer = 0
    for before, after in done({"type": "simplify_polygons", "tolerance": tolerance}):
        only(before, after, "segmentation", "area")
        if before["id"] % 4 < 2:
            assert before == after, after
            continue
        for old, new in zip(before["segmentation"], after["segmentation"]):
            p, q = points_of(old), points_of(new)
            fewer += len(p) - len(q)
            left = iter(p)
            assert len(q) >= 3 and all(any(a == b for b in left) for a in q), "no points of it, in order"
            assert all(min(distance(a, b, c) for b, c in zip(q, q[1:] + q[:1])) <= tolerance + 1e-9 for a in p)
        if before["segmentation"] != after["segmentation"]:
            assert math.isclose(after["area"], sum(shoelace(points_of(p)) for p in after["segmentation"]))
        else:
            assert before == after
    assert (fewer > 0) == (tolerance in (0.5, 2)), tolerance  # of 1000 no polygon would be left

def slow_mask_nms(objects, masks, p):
    left, kept = sorted(objects, key=lambda o: -o["score"]), []
    while left:
        best = left.pop(0)
        kept.append(best["tag"])
        for o in list(left):
            a, b = masks[best["tag"]], masks[o["tag"]]
            iou = len(a & b) / len(a | b)
            if p["by_category"] and o["category_id"] != best["category_id"]:
                continue
            if iou > p["iou_threshold"] or (p["compare"] == "ge" and iou == p["iou_threshold"] and iou > 0):
                left.remove(o)
    return kept


dropped = 0
for _ in range(6):
    masks, found = {}, []
    for tag in range(80):
        mask = blob() if not masks or r.random() < 0.5 else masks[r.randrange(tag)]
        masks[tag] = mask
        found.append({"image_id": r.randrange(5), "category_id": r.choice([1, 2]), "tag": tag, "bbox": [0, 0, 1, 1],
                      "score": r.choice([0.5, r.random()]), "segmentation": {"size": [H, W], "counts": runs(mask)}})
    p = {"type": "mask_nms", "iou_threshold": r.choice([0, 0.2, 0.5, 1]), "compare": r.choice(["gt", "ge"]),
         "by_category": r.random() < 0.5}
    json.dump(found, open("masks.json", "w"))
    json.dump({"version": 1, "transforms": [p]}, open("steps.json", "w"))
    out = subprocess.run([lockstep, "labels", "-q", "-p", "steps.json", "-a", "masks.json"], check=True,
                         capture_output=True).stdout
    wanted = [t for i in range(5) for t in slow_mask_nms([o for o in found if o["image_id"] == i], masks, p)]
    nothing = p["compare"] == "ge" and not p["iou_threshold"]
    assert [o["tag"] for o in json.loads(out)] == (list(range(80)) if nothing else sorted(wanted)), p
    dropped += 80 - len(json.loads(out))
assert dropped
print(f"# {changed} masks with outlines, {kept} with holes")
