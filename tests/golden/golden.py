#!/usr/bin/env python3
"""Runs the golden cases of one kind through the built command and counts them.

    golden.py [--lockstep COMMAND] image | mask | boxes | keypoints

Cases of one step share a run. A step whose op the command does not know is skipped and counted.
Ends with 0 when all others pass. What is compared how is told in README.md beside this file.
"""
import argparse
import json
import math
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
import png  # noqa: E402

# Levels a channel may be off, and the share of the pixels that may be off by more.
EQUAL, ONE, TWO, TIES, SMOOTH = (0, 0), (1, 0), (2, 0), (0, 0.001), (1, 0.001)
PIXELS = 1e-3  # boxes and points

TOLERANCE = {
    "adjust_brightness": ONE, "adjust_contrast": ONE, "adjust_saturation": ONE,
    "adjust_gamma": ONE, "adjust_sharpness": ONE, "autocontrast": ONE, "rgb_to_grayscale": ONE,
    "adjust_hue": TWO, "gaussian_blur": SMOOTH,
    "horizontal_flip": EQUAL, "vertical_flip": EQUAL, "crop": EQUAL, "center_crop": EQUAL,
    "pad": EQUAL, "erase": EQUAL, "invert": EQUAL, "posterize": EQUAL, "solarize": EQUAL,
    "equalize": EQUAL, "permute_channels": EQUAL,
}


def tolerance(step, is_mask):
    """The row of the table in README.md that a step's pixels fall under."""
    name, nearest = step["type"], is_mask or step.get("interpolation", "").startswith("nearest")
    if name in ("resize", "resized_crop"):
        return EQUAL if nearest else SMOOTH
    if name == "rotate" and step["center"] is None and (
            step["angle"] % 180 == 0 or (step["angle"] % 90 == 0 and step["expand"])):
        return EQUAL
    if name in ("affine", "rotate", "perspective"):
        return TIES if nearest else SMOOTH
    return TOLERANCE[name]


# --- running ---

def known_steps(lockstep):
    """The names of all transforms and ops the command has."""
    done = subprocess.run([lockstep, "list", "--json"], stdout=subprocess.PIPE, check=True)
    return {entry["name"] for entry in json.loads(done.stdout)}


def steps_of(step, is_mask):
    """A case's step in the words of a pipeline."""
    step = dict(step)
    if is_mask and step.get("fill"):
        step["fill_mask"] = step["fill"]
    return [step]


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file)


def run(lockstep, folder, steps, *more):
    """Run the folder's images into its `out`. Returns what went wrong, or None."""
    pipeline = {"version": 1, "transforms": steps, "annotations": {"outside": "keep"}}
    write_json(f"{folder}/pipeline.json", pipeline)
    done = subprocess.run(
        [lockstep, "run", "-q", "-j", "1", "-p", f"{folder}/pipeline.json",
         "-i", f"{folder}/images", "-o", f"{folder}/out", *more],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    return f"exit {done.returncode}: {done.stderr.strip()}" if done.returncode else None


def annotate(folder, cases, annotations_of, category):
    """A black canvas for each case, and its annotations: record i is case i."""
    coco = {"images": [], "annotations": [], "categories": [category]}
    for i, case in enumerate(cases):
        height, width = case["canvas"]
        name = case["id"] + ".png"
        png.write(f"{folder}/images/{name}", [bytes(width)] * height)
        coco["images"].append({"id": i, "file_name": name, "height": height, "width": width})
        for annotation in annotations_of(case):
            coco["annotations"].append({**annotation, "id": len(coco["annotations"]) + 1,
                                        "image_id": i, "category_id": 1, "iscrowd": 0})
    write_json(f"{folder}/in.json", coco)
    return "-a", f"{folder}/in.json"


def annotations_found(folder, case, i, coco):
    """The annotations of case i that came out, and what is wrong with its canvas (or None)."""
    record = next((r for r in coco["images"] if r["id"] == i), None)
    if not record:
        return [], "the image's record is missing"
    for what, size in (("record", [record["height"], record["width"]]),
                       ("image", png.size(f"{folder}/out/images/{record['file_name']}"))):
        if size != case["expected_canvas"]:
            return [], f"the {what} is {size}, expected {case['expected_canvas']} (height, width)"
    return [a for a in coco["annotations"] if a["image_id"] == i], None


# --- comparing: each returns what is wrong with a case, or None ---

def pixels_wrong(case, path, is_mask):
    height, width, channels, found = png.read(path)
    expected = png.read(os.path.join(HERE, case["expected"]))
    if (height, width, channels) != expected[:3]:
        return f"{width}x{height}x{channels}, expected {expected[1]}x{expected[0]}x{expected[2]}"
    if found == expected[3]:
        return None
    level, share = tolerance(case["step"], is_mask)
    off = [abs(a - b) for a, b in zip(found, expected[3])]
    off = [max(off[i:i + channels]) for i in range(0, len(off), channels)]
    beyond = [(d, i) for i, d in enumerate(off) if d > level]
    if len(beyond) <= share * len(off):
        return None
    worst, at = max(beyond)
    return (f"{len(beyond)} of {len(off)} pixels are off by more than {level} (allowed: "
            f"{int(share * len(off))}), the worst by {worst} at x {at % width}, y {at // width}")


def clipped(box, canvas):
    x0, y0 = max(box[0], 0), max(box[1], 0)
    x1, y1 = min(box[0] + box[2], canvas[1]), min(box[1] + box[3], canvas[0])
    return [x0, y0, x1 - x0, y1 - y0]


def box_wrong(found, expected):
    left = min(expected[2:])
    if found is None or left <= 0:
        # A sliver thinner than the tolerance may be there or not.
        if abs(left) < PIXELS or (found is None and left <= 0):
            return None
        return f"is {found}, expected {expected if left > 0 else None}"
    off = max(abs(a - b) for a, b in zip(found, expected))
    return None if off <= PIXELS else f"is {found}, expected {expected}: off by {off:.6f}"


def turned(case, box):
    """The corners of a box that rotate or affine (without shear) has turned; None for other steps."""
    step, (height, width) = case["step"], case["canvas"]
    if step["type"] not in ("rotate", "affine") or step.get("expand") or any(step.get("shear", ())):
        return None
    cx, cy = step.get("center") or (width / 2, height / 2)
    angle = math.radians(step["angle"] if step["type"] == "affine" else -step["angle"])
    scale, (tx, ty) = step.get("scale", 1), step.get("translate", (0, 0))
    corners = [(box[0] + u * box[2] - cx, box[1] + v * box[3] - cy)
               for u, v in ((0, 0), (1, 0), (1, 1), (0, 1))]
    return [(cx + tx + scale * (x * math.cos(angle) - y * math.sin(angle)),
             cy + ty + scale * (x * math.sin(angle) + y * math.cos(angle))) for x, y in corners]


def is_apart(corners, canvas):
    """Is all of the outline beyond one of its own edges or the canvas's, seen from the other?"""
    height, width = canvas
    other = [(0, 0), (width, 0), (width, height), (0, height)]
    for a, b in zip(corners, corners[1:] + corners[:1]):
        side = lambda p: (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
        own = max((side(p) for p in corners), key=abs)
        if all(side(p) * own <= 0 for p in other):
            return True
    return False


def boxes_wrong(case, annotations):
    found = {a["place"]: a["bbox"] for a in annotations}
    wrong = []
    for place, box in enumerate(case.get("expected_unclamped") or case["expected"]):
        outline = turned(case, case["boxes"][place])
        # The box around a turned outline may reach into a canvas that the outline does not.
        if outline and is_apart(outline, case["expected_canvas"]):
            x, y = zip(*outline)
            off = [a - b for a, b in zip((min(x), min(y), max(x) - min(x), max(y) - min(y)), box)]
            if max(map(abs, off)) > PIXELS:
                wrong.append(f"box {place}: its outline was computed wrongly here")
            if found.pop(place, None):
                wrong.append(f"box {place} is there, though all of its outline is outside")
            continue
        why = box_wrong(found.pop(place, None), clipped(box, case["expected_canvas"]))
        if why:
            wrong.append(f"box {place} {why}")
    wrong += [f"box {place} is not of this case" for place in found]
    return "; ".join(wrong) or None


def keypoints_wrong(case, annotations):
    if len(annotations) != 1:
        return f"{len(annotations)} annotations, expected 1"
    flat = annotations[0]["keypoints"]
    found = list(zip(flat[0::3], flat[1::3], flat[2::3]))
    if len(found) != len(case["expected"]):
        return f"{len(found)} keypoints, expected {len(case['expected'])}"
    wrong = []
    for place, ((x, y, v), want) in enumerate(zip(found, case["expected"])):
        off = max(abs(x - want[0]), abs(y - want[1]))
        if v != 2 or off > PIXELS:
            wrong.append(f"point {place} is {[x, y, v]}, expected {[*want, 2]}: off by {off:.6f}")
    return "; ".join(wrong) or None


# --- the cases of one step, in one run: a list of what is wrong, one entry a case ---

def do_pictures(lockstep, folder, cases, is_mask):
    for case in cases:
        for where in ("images", "masks"):
            shutil.copyfile(os.path.join(HERE, case["input"]), f"{folder}/{where}/{case['id']}.png")
    more = ("--masks", f"{folder}/masks") if is_mask else ()
    wrong = run(lockstep, folder, steps_of(cases[0]["step"], is_mask), *more)
    if wrong:
        return [wrong] * len(cases)
    out = f"{folder}/out/{'masks' if is_mask else 'images'}"
    return [pixels_wrong(case, f"{out}/{case['id']}.png", is_mask) for case in cases]


def do_annotations(lockstep, folder, cases, annotations_of, category, compare):
    more = annotate(folder, cases, annotations_of, category)
    wrong = run(lockstep, folder, steps_of(cases[0]["step"], False), *more)
    if wrong:
        return [wrong] * len(cases)
    with open(f"{folder}/out/annotations.json", encoding="utf-8") as file:
        coco = json.load(file)
    results = []
    for i, case in enumerate(cases):
        annotations, why = annotations_found(folder, case, i, coco)
        results.append(why or compare(case, annotations))
    return results


def boxes_of(case):
    return [{"bbox": box, "area": box[2] * box[3], "place": place}
            for place, box in enumerate(case["boxes"])]


def keypoints_of(case):
    return [{"keypoints": [n for x, y in case["points"] for n in (x, y, 2)],
             "num_keypoints": len(case["points"])}]


def do_boxes(lockstep, folder, cases):
    return do_annotations(lockstep, folder, cases, boxes_of, {"id": 1, "name": "thing"},
                          boxes_wrong)


def do_keypoints(lockstep, folder, cases):
    names = [f"point {i}" for i in range(max(len(case["points"]) for case in cases))]
    category = {"id": 1, "name": "thing", "keypoints": names, "skeleton": [], "flip_pairs": []}
    return do_annotations(lockstep, folder, cases, keypoints_of, category, keypoints_wrong)


def do_images(lockstep, folder, cases):
    return do_pictures(lockstep, folder, cases, False)


def do_masks(lockstep, folder, cases):
    return do_pictures(lockstep, folder, cases, True)


KINDS = {"image": do_images, "mask": do_masks, "boxes": do_boxes, "keypoints": do_keypoints}


def do_group(task):
    """Cases and what became of each: None, "skipped", or what is wrong."""
    lockstep, known, kind, cases = task
    if any(step["type"] not in known for step in steps_of(cases[0]["step"], kind == "mask")):
        return [(case, "skipped") for case in cases]
    with tempfile.TemporaryDirectory() as folder:
        for name in ("images", "masks"):
            os.mkdir(f"{folder}/{name}")
        try:
            results = KINDS[kind](lockstep, folder, cases)
        except (OSError, ValueError, KeyError, struct.error, zlib.error) as error:
            results = [f"{type(error).__name__}: {error}"] * len(cases)
    return list(zip(cases, results))


def groups_of(kind):
    """The cases of a kind, those of one step (and one number of points) together."""
    groups = {}
    with open(f"{HERE}/{kind}.jsonl", encoding="utf-8") as file:
        for line in file:
            case = json.loads(line)
            key = json.dumps([case["step"], len(case.get("points", []))], sort_keys=True)
            groups.setdefault(key, []).append(case)
    return list(groups.values())


def report(kind, results):
    """Print the failures and the counts; true when all is well."""
    by_op = {}
    for case, result in results:
        verdict = "skipped" if result == "skipped" else "failed" if result else "passed"
        by_op.setdefault(case["step"]["type"], Counter())[verdict] += 1
    total = sum(by_op.values(), Counter())
    tested = [f"{op} {count['passed']}/{sum(count.values())}" for op, count in by_op.items()
              if not count["skipped"]]
    waiting = [f"{op} {count['skipped']}" for op, count in by_op.items() if count["skipped"]]
    print(f"{kind}: {total['passed']} of {len(results)} cases pass, {total['failed']} fail, "
          f"{total['skipped']} wait for their op")
    print("  passed: " + ", ".join(tested))
    if waiting:
        print("  waiting: " + ", ".join(waiting))
    for case, result in results:
        if result and result != "skipped":
            print(f"FAILED {case['id']} {json.dumps(case['step'])}: {result}")
    return total["passed"] > 0 and not total["failed"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--lockstep", default=f"{HERE}/../../build/lockstep")
    parser.add_argument("kind", choices=KINDS)
    options = parser.parse_args()
    try:
        known = known_steps(options.lockstep)
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        sys.exit(f"{options.lockstep} list --json: {error}")
    tasks = [(options.lockstep, known, options.kind, cases) for cases in groups_of(options.kind)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = sum(pool.map(do_group, tasks), [])
    results.sort(key=lambda result: result[0]["id"])
    return 0 if report(options.kind, results) else 1


if __name__ == "__main__":
    sys.exit(main())
