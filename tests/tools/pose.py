"""A person for pose.bats, and MMPose's formulas: pose.py write; pose.py map OUT; pose.py halves MANIFEST."""
import json
import math
import sys

NAMES = ["nose", "left_eye", "right_eye", "left_ear", "right_ear", "left_shoulder", "right_shoulder", "left_elbow",
         "right_elbow", "left_wrist", "right_wrist", "left_hip", "right_hip", "left_knee", "right_knee", "left_ankle",
         "right_ankle"]
PLACES = [(60, 20), (62, 18), (58, 18), (64, 20), (56, 20), (68, 30), (52, 31), (73, 40), (48, 42), (75, 50), (46, 53),
          (65, 55), (55, 55), (67, 66), (54, 67), (68, 80), None]


def write():
    keypoints = [n for at in PLACES for n in ((*at, 2 if at[0] > 50 else 1) if at else (0, 0, 0))]
    json.dump({"images": [{"id": 1, "file_name": "a.png", "width": 120, "height": 90}],
               "categories": [{"id": 1, "name": "person", "keypoints": NAMES}, {"id": 2, "name": "thing"}],
               "annotations": [
                   {"id": 1, "image_id": 1, "category_id": 2, "bbox": [2, 4, 10, 8], "area": 80, "iscrowd": 0},
                   {"id": 2, "image_id": 1, "category_id": 1, "bbox": [44, 14, 34, 70], "area": 2380, "iscrowd": 0,
                    "keypoints": keypoints, "num_keypoints": 16}]}, sys.stdout)


def lines(manifest):
    return [json.loads(line) for line in open(manifest, encoding="utf-8")]


def mapped(step, x, y):
    """The region is turned back about its middle and scaled; in continuous coordinates."""
    height, width = step["size"]
    w, h = step["scale"]
    if w > h * width / height:
        h = w * height / width
    else:
        w = h * width / height
    less = 1 if step["use_udp"] else 0
    turn = math.radians(step["rotation"])
    dx, dy = x - step["center"][0], y - step["center"][1]
    across = dx * math.cos(turn) + dy * math.sin(turn)
    down = dy * math.cos(turn) - dx * math.sin(turn)
    return width / 2 + across * (width - less) / w, height / 2 + down * (height - less) / h


def check_map(out):
    made = json.load(open(f"{out}/annotations.json", encoding="utf-8"))["annotations"]
    keypoints = {a["image_id"]: a["keypoints"] for a in made}
    for line in lines(f"{out}/manifest.jsonl"):
        flipped = any(s["type"] == "horizontal_flip" for s in line["steps"])
        step = line["steps"][-1]
        have = keypoints.pop(line["image_id"], None)
        assert line["size_out"] == step["size"][::-1], line
        have = have or [0] * 3 * len(PLACES)
        for i, at in enumerate(PLACES):
            if not at:
                continue
            x, y = at[0] + 0.5, at[1] + 0.5
            to = NAMES.index(NAMES[i].replace("left", "RIGHT").replace("right", "left").replace("RIGHT", "right")) \
                if flipped else i
            x, y = mapped(step, 120 - x if flipped else x, y)
            if have[3 * to + 2]:
                assert abs(have[3 * to] + 0.5 - x) < 1e-3 and abs(have[3 * to + 1] + 0.5 - y) < 1e-3, (i, have, x, y)
            else:
                assert not (0.01 < x < step["size"][1] - 0.01 and 0.01 < y < step["size"][0] - 0.01), (i, x, y)
    print(len(made))


def region(places):
    xs, ys = [x + 0.5 for x, _ in places], [y + 0.5 for _, y in places]
    return [sum(xs) / len(xs), sum(ys) / len(ys), 1.5 * (max(xs) - min(xs)), 1.5 * (max(ys) - min(ys))]


def halves(manifest):
    known = {"upper": region(PLACES[:11]), "lower": region([at for at in PLACES[11:] if at]),
             "whole": [61, 49, 34 * 1.25, 70 * 1.25]}
    counts = dict.fromkeys(known, 0)
    for line in lines(manifest):
        step = line["steps"][-1]
        found = [name for name, at in known.items()
                 if all(abs(a - b) < 1e-9 for a, b in zip(at, step["center"] + step["scale"]))]
        assert len(found) == 1, step
        counts[found[0]] += 1
    print(json.dumps(counts))


{"write": write, "map": check_map, "halves": halves}[sys.argv[1]](*sys.argv[2:])
