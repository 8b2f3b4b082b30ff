"""Tables of lockstep iou against their definition: iou_table.py LOCKSTEP SEED"""
import ast
import json
import random
import struct
import subprocess
import sys

lockstep, r = sys.argv[1], random.Random(int(sys.argv[2]))


def box():
    return [r.choice([0, 1, r.uniform(0, 9)]), r.choice([0, 1, r.uniform(0, 9)]),
            r.choice([0, 0.5, 1, r.uniform(0, 9)]), r.choice([0, 2, r.uniform(0, 9)])]


def boxes(first):
    return [{"id": first + i, "image_id": r.choice([3, 5, 8]), "category_id": 1, "bbox": box(), "score": 0.5}
            for i in range(60)]


def iou(a, b, inclusive):
    (ax, ay, aw, ah), (bx, by, bw, bh) = ([*o[:2], *(max(v, 1) if inclusive else v for v in o[2:])] for o in (a, b))
    both = max(0, min(ax + aw, bx + bw) - max(ax, bx)) * max(0, min(ay + ah, by + bh) - max(ay, by))
    return both and both / (aw * ah + bw * bh - both)


def annotations(objects):
    return {"images": [{"id": i, "file_name": f"{i}.jpg", "width": 20, "height": 20} for i in (8, 3, 5)],
            "annotations": objects, "categories": [{"id": 1, "name": "a"}]}


total = 0
for inclusive in (False, True):
    for above in (0, 0.5):
        a, b = boxes(100), boxes(0)
        json.dump(annotations(a), open("a.json", "w"))
        json.dump([{k: v for k, v in o.items() if k != "id"} for o in b], open("b.json", "w"))
        for out in ("pairs.csv", "pairs.npy"):
            subprocess.run([lockstep, "iou", "a.json", "b.json", "--above", str(above), "--overwrite", "-o", out,
                            *(["--edges", "inclusive"] if inclusive else [])], check=True, stderr=subprocess.DEVNULL)
        lines = open("pairs.csv").read().splitlines()
        assert lines[0] == "image_id,a,b,iou"
        rows = [tuple(map(float, line.split(","))) for line in lines[1:]]
        wanted = [(o["image_id"], o["id"], k, iou(o["bbox"], p["bbox"], inclusive)) for image in (8, 3, 5)
                  for o in a if o["image_id"] == image for k, p in enumerate(b) if p["image_id"] == image]
        wanted = [w for w in wanted if w[3] > above]
        assert [w[:3] for w in wanted] == [w[:3] for w in rows]
        assert all(abs(w[3] - g[3]) < 1e-12 for w, g in zip(wanted, rows))
        data = open("pairs.npy", "rb").read()
        assert data[:8] == b"\x93NUMPY\x01\x00"
        length = struct.unpack("<H", data[8:10])[0]
        assert (10 + length) % 64 == 0 and data[9 + length:10 + length] == b"\n"
        header = ast.literal_eval(data[10:10 + length].decode())
        assert header == {"descr": "<f8", "fortran_order": False, "shape": (len(rows), 4)}
        assert list(struct.iter_unpack("<4d", data[10 + length:])) == rows
        total += len(rows)
assert total > 100
