"""COCO annotations moved by a matrix: polygons as vectors of points, cut; run lengths as masks."""
from itertools import chain

import numpy as np


def decode(rle):
    """COCO's compressed run lengths to a mask."""
    counts, v, bits = [], 0, 0
    for c in rle["counts"].encode():
        c -= 48
        v |= (c & 31) << bits
        bits += 5
        if not c & 32:
            if c & 16:
                v -= 1 << bits
            counts.append(v + counts[-2] if len(counts) > 2 else v)
            v = bits = 0
    height, width = rle["size"]
    ones = np.arange(len(counts)) % 2
    return np.repeat(ones.astype(np.uint8), counts).reshape(width, height).T


def encode(mask):
    flat = mask.T.reshape(-1)
    ends = np.append(np.flatnonzero(np.diff(flat)) + 1, flat.size)
    counts = np.diff(ends, prepend=0).tolist()
    if flat[0]:
        counts.insert(0, 0)
    text = []
    for i, v in enumerate(counts):
        if i > 2:
            v -= counts[i - 2]
        while True:
            c = v & 31
            v >>= 5
            more = v != -1 if c & 16 else v != 0
            text.append(chr((c | 32 if more else c) + 48))
            if not more:
                break
    return {"size": list(mask.shape), "counts": "".join(text)}


def move_mask(a, warp):
    """The annotation with its run lengths warped; None when nothing is left."""
    mask = warp(np.ascontiguousarray(decode(a["segmentation"])))
    columns, rows = np.flatnonzero(mask.any(0)), np.flatnonzero(mask.any(1))
    if not columns.size:
        return None
    x, y = int(columns[0]), int(rows[0])
    return {**a, "segmentation": encode(mask), "area": int(np.count_nonzero(mask)),
            "bbox": [x, y, int(columns[-1]) + 1 - x, int(rows[-1]) + 1 - y]}


def cut(rows, column):
    """A polygon's part with rows[:, column] >= 0 (Sutherland and Hodgman)."""
    inside = rows[:, column] >= 0
    after = np.roll(rows, -1, 0)
    crossing = inside != np.roll(inside, -1)
    distance = np.where(crossing, rows[:, column] - after[:, column], 1)
    both = np.empty((len(rows), 2, rows.shape[1]))
    both[:, 0] = rows
    both[:, 1] = rows + (rows[:, column] / distance)[:, None] * (after - rows)
    return both[np.stack((inside, crossing), 1)]


def move(annotations, matrix, size, window, warp):
    """Returns the annotations on a canvas of this size, cut there and at a window of the source.

    window is (x, y, w, h) or None for the whole image; warp applies the image's warp to a mask.
    """
    out = [move_mask(a, warp) for a in annotations if a["iscrowd"]]
    out = [a for a in out if a]
    annotations = [a for a in annotations if not a["iscrowd"]]
    if not annotations:
        return out
    flat = [p for a in annotations for p in a["segmentation"]]
    points = np.fromiter(chain.from_iterable(flat), float).reshape(-1, 2)
    moved = points @ matrix[:2, :2].T + matrix[:2, 2]
    rows = [moved, moved, size - moved]
    if window is not None:
        x, y, w, h = window
        rows += [points - (x, y), (x + w, y + h) - points]
    rows = np.hstack(rows)
    starts = np.cumsum([0] + [len(p) // 2 for p in flat])
    outside = np.logical_or.reduceat(rows[:, 2:] < 0, starts[:-1])
    polygons, kept = [], []
    i = 0
    for a in annotations:
        for _ in a["segmentation"]:
            polygon = rows[starts[i]:starts[i + 1]]
            for column in np.flatnonzero(outside[i]) + 2:
                polygon = cut(polygon, column)
                if len(polygon) < 3:
                    break
            if len(polygon) >= 3:
                polygons.append(polygon[:, :2])
                kept.append(a)
            i += 1
    if not polygons:
        return out
    return out + put(polygons, kept)


def put(polygons, kept):
    """Annotations of the polygons, with their boxes and areas."""
    points = np.concatenate(polygons)
    ends = np.cumsum([len(p) for p in polygons])
    starts = np.append(0, ends[:-1])
    after = np.arange(1, len(points) + 1)
    after[ends - 1] = starts
    cross = points[:, 0] * points[after, 1] - points[after, 0] * points[:, 1]
    areas = np.abs(np.add.reduceat(cross, starts) / 2).round(2).tolist()
    low, high = np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)
    boxes = np.hstack((low, high - low)).round(2).tolist()
    flat = points.round(2).reshape(-1).tolist()
    out = []
    for a, start, end, area, box in zip(kept, starts.tolist(), ends.tolist(), areas, boxes):
        ring = flat[2 * start:2 * end]
        if out and out[-1]["id"] == a["id"]:
            last = out[-1]
            last["segmentation"].append(ring)
            last["area"] += area
            x, y = min(last["bbox"][0], box[0]), min(last["bbox"][1], box[1])
            last["bbox"] = [x, y, max(last["bbox"][0] + last["bbox"][2], box[0] + box[2]) - x,
                            max(last["bbox"][1] + last["bbox"][3], box[1] + box[3]) - y]
        elif area > 0:
            out.append({**a, "segmentation": [ring], "area": area, "bbox": box})
    return out
