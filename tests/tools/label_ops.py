"""Label ops against slow programs of their definitions: label_ops.py LOCKSTEP OP SEED [FILES]

Makes result files (many images each) at the limits of valid contents: no object, one object, equal boxes, equal
scores, boxes without area, huge boxes. `lockstep labels` and the programs below are independent of each other. They
must agree on the objects that stay, and on their numbers. Sources:

- torchvision/ops/boxes.py (nms, batched_nms, remove_small_boxes, clip_boxes_to_image)
- maskrcnn_benchmark/structures/boxlist_ops.py and csrc/cpu/nms_cpu.cpp (pixels counted inclusively, >=)
- Bodla et al. 2017 (soft-NMS)
- Solovyev et al. 2021 and its program ensemble_boxes_wbf.py (fusion)
"""
import json
import math
import random
import subprocess
import sys

lockstep, wanted, seed, files = sys.argv[1], sys.argv[2], int(sys.argv[3]), int((sys.argv + ["6"])[4])
r = random.Random(f"{wanted} {seed}")
WIDTH, HEIGHT = 64, 48


# --- the definitions ---

def corners(box, inclusive):
    """Returns x1, y1, x2, y2, and the value that turns a difference of them into a length."""
    x, y, w, h = box
    return (x, y, x + max(w - 1, 0), y + max(h - 1, 0), 1) if inclusive else (x, y, x + w, y + h, 0)


def iou(a, b, inclusive):
    ax1, ay1, ax2, ay2, one = corners(a, inclusive)
    bx1, by1, bx2, by2, _ = corners(b, inclusive)
    w = max(0, min(ax2, bx2) - max(ax1, bx1) + one)
    h = max(0, min(ay2, by2) - max(ay1, by1) + one)
    union = (ax2 - ax1 + one) * (ay2 - ay1 + one) + (bx2 - bx1 + one) * (by2 - by1 + one) - w * h
    return w * h / union if union else math.nan


def ranked(objects):
    return sorted(objects, key=lambda o: -o["score"])  # sorted() is stable


def nms(objects, p):
    if p["compare"] == "ge" and p["iou_threshold"] <= 0:
        kept = list(objects)
    else:
        kept, left = [], ranked(objects)
        while left:
            kept.append(left.pop(0))
            overlap = [iou(kept[-1]["bbox"], o["bbox"], p["edges"] == "inclusive") for o in left]
            left = [o for o, v in zip(left, overlap)
                    if not (v >= p["iou_threshold"] if p["compare"] == "ge" else v > p["iou_threshold"])]
    return kept


def limited(kept, objects, p):
    kept = [o for o in objects if any(o is k for k in kept)]
    if p["max_objects"] is None:
        return kept
    first = (ranked(kept) if p["order"] == "score" else kept)[:p["max_objects"]]
    return [o for o in kept if any(o is k for k in first)]


def classes(objects, agnostic=False):
    names = sorted({o["category_id"] for o in objects})
    return [list(objects)] if agnostic else [[o for o in objects if o["category_id"] == c] for c in names]


def soft(objects, p):
    for group in classes(objects, p["agnostic"]):
        left = list(group)
        while left:
            best = max(left, key=lambda o: o["score"])  # the first of equal ones
            left.remove(best)
            for o in left:
                v = iou(best["bbox"], o["bbox"], p["edges"] == "inclusive")
                if p["method"] == "gaussian":
                    o["score"] *= math.exp(-v * v / p["sigma"]) if v > 0 else 1
                elif v > p["iou_threshold"]:
                    o["score"] *= 1 - v
    return [o for o in objects if o["score"] >= p["min_score"]]


def fuse(objects, p):
    """Inclusive corners are of pixels, so a mean of them is of pixels, too: its box is a pixel longer than the
    corners are apart."""
    out, inclusive = [], p["edges"] == "inclusive"
    for group in classes([o for o in objects if o["score"] >= p["skip_box_threshold"]], p["agnostic"]):
        clusters = []
        for o in ranked(group):
            best, most = None, p["iou_threshold"]
            for c in clusters:
                v = iou(c["mean"], o["bbox"], inclusive)
                if v > most:
                    best, most = c, v
            if best is None:
                best = {"of": [], "mean": o["bbox"]}
                clusters.append(best)
            best["of"].append(o)
            if len(best["of"]) > 1:
                weights = [k["score"] for k in best["of"]]
                if not sum(weights):
                    weights[0] = 1
                x1, y1, x2, y2 = (sum(w * corners(k["bbox"], inclusive)[i] for w, k in zip(weights, best["of"])) /
                                  sum(weights) for i in range(4))
                best["mean"] = [x1, y1, x2 - x1 + inclusive, y2 - y1 + inclusive]
        for c in clusters:
            scores = [k["score"] for k in c["of"]]
            one = dict(c["of"][0], bbox=c["mean"])
            one["score"] = max(scores) if p["score"] == "max" else sum(scores) / len(scores)
            one["score"] *= min(len(scores), p["models"]) / p["models"]
            out.append(one)
    return sorted(out, key=lambda o: o["tag"])


def top(objects, p):
    kept = []
    for group in classes(objects, not p["by_category"]):
        order = ranked(group)
        kept += order[:p["k"]]
        if p["ties"] and 0 < p["k"] < len(order):
            kept += [o for o in order[p["k"]:] if o["score"] == order[p["k"] - 1]["score"]]
    return sorted(kept, key=lambda o: o["tag"])


def small(objects, p):
    least = 1 if p["edges"] == "inclusive" else 0
    return [o for o in objects if min(max(o["bbox"][2], least), max(o["bbox"][3], least)) >= p["min_size"]]


def clip(objects, p):
    inclusive = p["edges"] == "inclusive"
    kept = []
    for o in objects:
        x1, y1, x2, y2, one = corners(o["bbox"], inclusive)
        c = [min(max(x1, 0), WIDTH - one), min(max(y1, 0), HEIGHT - one), min(max(x2, 0), WIDTH - one),
             min(max(y2, 0), HEIGHT - one)]
        new = list(o["bbox"])  # numbers stay where an axis is not cut
        if (c[0], c[2]) != (x1, x2):
            new[0], new[2] = c[0], c[2] - c[0] + one
        if (c[1], c[3]) != (y1, y2):
            new[1], new[3] = c[1], c[3] - c[1] + one
        if not p["remove_empty"] or (c[2] > c[0] and c[3] > c[1]):
            kept.append(dict(o, bbox=new))
    return kept


def above(objects, p):
    return [o for o in objects if o["score"] > p["threshold"] or
            (p["compare"] == "ge" and o["score"] == p["threshold"])]


def edges():
    return r.choice(["continuous", "inclusive"])


def suppress():
    return {"iou_threshold": r.choice([0, 0.05, 0.25, 1 / 3, 0.5, 0.5, 0.7, 1, r.random()]), "edges": edges(),
            "compare": r.choice(["gt", "ge"]), "max_objects": r.choice([None, None, 0, 1, 5, 1000]),
            "order": r.choice(["score", "index"])}


OPS = {
    "nms": (suppress, lambda o, p: limited(nms(o, p), o, p)),
    "batched_nms": (suppress, lambda o, p: limited([k for c in classes(o) for k in nms(c, p)], o, p)),
    "soft_nms": (lambda: {"method": r.choice(["linear", "gaussian"]), "iou_threshold": r.choice([0, 0.3, 0.5, 1]),
                          "sigma": r.choice([0.1, 0.5, 2]), "min_score": r.choice([0, 0.001, 0.2]), "edges": edges(),
                          "agnostic": r.random() < 0.5}, soft),
    "weighted_boxes_fusion": (lambda: {"iou_threshold": r.choice([0.05, 0.3, 0.55, 0.9]), "models": r.choice([1, 2, 5]),
                                       "skip_box_threshold": r.choice([0, 0, 0.3]), "score": r.choice(["avg", "max"]),
                                       "agnostic": r.random() < 0.5, "edges": edges()}, fuse),
    "keep_top_k": (lambda: {"k": r.choice([0, 1, 2, 5, 100]), "by_category": r.random() < 0.5,
                            "ties": r.random() < 0.5}, top),
    "remove_small_boxes": (lambda: {"min_size": r.choice([0, 0.5, 1, 2, 10]), "edges": edges()}, small),
    "clip_boxes": (lambda: {"remove_empty": r.random() < 0.5, "edges": edges()}, clip),
    "score_threshold": (lambda: {"threshold": r.choice([0, 0.25, 0.5, 1]), "compare": r.choice(["gt", "ge"])}, above),
}


# --- files ---

def box():
    kind = r.random()
    if kind < 0.45:  # whole numbers: IoU of exactly a half, and equal boxes
        return [r.randrange(-4, 12), r.randrange(-4, 12), r.randrange(0, 9), r.randrange(0, 9)]
    if kind < 0.55:
        return [0, 0, r.choice([1, 2, 4]), r.choice([1, 2])]
    if kind < 0.65:
        return [r.choice([0, 63, 64, 70, -9, 1e7]), r.choice([0, 47, 48, -1e7]), r.choice([0, 1, 0.25, 1e7]), 1]
    if kind < 0.75:  # of all magnitudes
        return [r.uniform(0, 9), r.uniform(0, 9), 2 ** r.uniform(-40, 20), 2 ** r.uniform(-40, 20)]
    return [r.uniform(-5, 60), r.uniform(-5, 40), r.uniform(0, 30), r.uniform(0, 30)]


def results():
    out = []
    for image in range(60):
        n = r.choice([0, 1, 1, 2, 3, 8, 20, 60])
        boxes = [box() for _ in range(n)]
        for b in boxes:
            if r.random() < 0.3:  # nearly another one
                other = r.choice(boxes)
                b[:] = [min(v + r.choice([0, 0, 1 / 64, 1]), 1e7) for v in other]
            out.append({"image_id": image, "category_id": r.choice([3, 7]), "bbox": b, "tag": 0,
                        "score": r.choice([0.0, 0.25, 0.5, 1, r.random(), r.random()])})
    r.shuffle(out)
    for i, o in enumerate(out):
        o["tag"] = i
    return out


def close(a, b, along=0):
    return abs(a - b) <= 1e-9 * max(1, abs(a), abs(b), abs(along))


def close_boxes(a, b):
    """A side is a difference of coordinates, so its error is on their scale."""
    return all(close(a[i], b[i], b[i % 2]) for i in range(4))


draw, define = OPS[wanted]
count = dropped = 0
for number in range(files):
    objects, p = results(), draw()
    json.dump(objects, open("results.json", "w"))
    json.dump({"images": [{"id": i, "file_name": f"{i}.jpg", "width": WIDTH, "height": HEIGHT} for i in range(60)],
               "categories": [{"id": 3, "name": "a"}, {"id": 7, "name": "b"}]}, open("list.json", "w"))
    json.dump({"version": 1, "transforms": [dict(p, type=wanted)]}, open("steps.json", "w"))
    subprocess.run([lockstep, "labels", "-q", "-p", "steps.json", "-a", "results.json", "--image-list", "list.json",
                    "--overwrite", "-o", "out.json"], check=True)
    out = json.load(open("out.json"))
    expected = []
    for image in range(60):
        expected += define([dict(o) for o in objects if o["image_id"] == image], p)
    expected.sort(key=lambda o: o["tag"])
    where = f"{wanted}, seed {seed}, file {number}, {p}"
    if [o["tag"] for o in out] != [o["tag"] for o in expected]:
        tags = {o["tag"] for o in out} ^ {o["tag"] for o in expected}
        sys.exit(f"{where}: not the same objects stay: {[objects[t] for t in sorted(tags)][:5]}")
    for o, e in zip(out, expected):
        if (o["category_id"] != e["category_id"] or not close(o["score"], e["score"]) or
                not close_boxes(o["bbox"], e["bbox"])):
            sys.exit(f"{where}: {o} is not {e}")
    count += len(objects)
    dropped += len(objects) - len(out)
print(f"# {wanted}: {count} objects, {dropped} dropped")
sys.exit(0 if count and dropped else f"{wanted}: nothing was dropped")
