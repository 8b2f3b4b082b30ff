"""A body with feet, face and hands for tests. `families.py whole` writes it. `families.py flip` writes its flip in an
image 100 wide, which follows from the symmetry of its parts, not from a table.
"""

import json
import sys


def points(count, x, y, step, hidden=()):
    """In rows of seven; some are not labelled."""
    flat = []
    for i in range(count):
        flat += [0, 0, 0] if i in hidden else [x + step * (i % 7), y + step * (i // 7), 1 + i % 2]
    return flat


def whole():
    return {
        "id": 1, "image_id": 1, "category_id": 1, "iscrowd": 0, "area": 4000, "bbox": [5, 5, 80, 70],
        "keypoints": [30, 10, 2, 33, 8, 2, 27, 8, 1], "num_keypoints": 3,
        "face_box": [25, 5, 12, 12.5], "lefthand_box": [60, 30, 10, 11], "righthand_box": [0, 0, 0, 0],
        "face_kpts": points(68, 25.25, 5.5, 1.5, {12, 45}), "face_valid": True,
        "lefthand_kpts": points(21, 60, 30, 1), "lefthand_valid": True,
        "righthand_kpts": [0] * 63, "righthand_valid": False,
        "foot_kpts": [70, 70, 2, 71, 71, 1, 72, 72, 0.5, 20, 70, 2, 21, 71, 2, 0, 0, 0], "foot_valid": True,
        "score": 0.25,
    }


def other_side(i):
    """Mirrors an index of the 68 points of a face; each group is symmetric by itself."""
    groups = [(0, 16, 16), (17, 26, 43), (31, 35, 66), (36, 39, 81), (40, 41, 87), (42, 45, 81), (46, 47, 87),
              (48, 54, 102), (55, 59, 114), (60, 64, 124), (65, 67, 132)]
    return next((total - i for first, last, total in groups if first <= i <= last), i)


def flip_points(flat, pairs):
    out = [0] * len(flat)
    for i, j in enumerate(pairs):
        x, y, v = flat[3 * i:3 * i + 3]
        out[3 * j:3 * j + 3] = [99 - x if v else 0, y, v]
    return out


def flip_box(box):
    return [100 - box[0] - box[2], *box[1:]] if any(box) else box


def flip(a):
    out = dict(a)
    out["bbox"] = flip_box(a["bbox"])
    out["face_box"] = flip_box(a["face_box"])
    out["keypoints"] = flip_points(a["keypoints"], [0, 2, 1])
    out["face_kpts"] = flip_points(a["face_kpts"], [other_side(i) for i in range(68)])
    out["foot_kpts"] = flip_points(a["foot_kpts"], [3, 4, 5, 0, 1, 2])
    for one, other in ("left", "right"), ("right", "left"):
        out[one + "hand_box"] = flip_box(a[other + "hand_box"])
        out[one + "hand_kpts"] = flip_points(a[other + "hand_kpts"], range(21))
        out[one + "hand_valid"] = a[other + "hand_valid"]
    return out


def dataset(annotation):
    names = ["nose", "left_eye", "right_eye"]
    return {"images": [{"id": 1, "file_name": "a.png", "width": 100, "height": 80}], "annotations": [annotation],
            "categories": [{"id": 1, "name": "person", "keypoints": names}]}


json.dump(dataset(flip(whole()) if sys.argv[1] == "flip" else whole()), sys.stdout)
