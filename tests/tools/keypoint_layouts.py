"""Mirror an object of every public keypoint layout: keypoint_layouts.py LOCKSTEP TABLE, in a folder with in/a.png
(400 x 50 pixels).

Its points must change places as the table says, or the run must be refused before work with a hint;
and then flip_pairs by index, and by the layout's name where the table has one, must do as it says.
"""

import json
import os
import re
import shutil
import subprocess
import sys

WIDTH, HEIGHT = 400, 50


def numbered(item):
    """The names of "face-0..7", or of one without numbers."""
    found = re.fullmatch(r"(.*?)(\d+)\.\.(\d+)", item)
    if not found:
        return [item]
    first, last = int(found[2]), int(found[3])
    step = 1 if first <= last else -1
    return [f"{found[1]}{i}" for i in range(first, last + step, step)]


def items(text):
    return [item.strip() for item in text.split(",") if item.strip()]


def read_table(path):
    layouts = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            word, _, rest = line.strip().partition(" ")
            if word == "layout":
                layouts.append({"name": rest.split()[0], "refused": False, "by_name": ""})
            elif word == "names":
                layouts[-1]["names"] = [name for item in items(rest) for name in numbered(item)]
            elif word == "pairs":
                layouts[-1]["pairs"] = items(rest)
            elif word == "refused":
                layouts[-1].update(refused=True, by_name=rest)
            elif word and word[0] != "#":
                sys.exit(f"{path}: {line}")
    return layouts


def pair(mirror, names, a, b):
    """The k-th point named a changes places with the k-th one named b."""
    ones = [i for i, name in enumerate(names) if name == a]
    others = [i for i, name in enumerate(names) if name == b]
    assert ones and len(ones) == len(others), (a, b)
    for i, j in zip(ones, others):
        assert mirror[i] in (i, j) and mirror[j] in (i, j), (a, b)
        mirror[i], mirror[j] = j, i


def mirror_of(layout):
    """Returns the point that each point becomes."""
    names = layout["names"]
    mirror = list(range(len(names)))
    for item in layout["pairs"]:
        left, right = item.split(":")
        if "*" in left:
            before, after = left.split("*")
            found = [n for n in names if n.startswith(before) and n.endswith(after) and len(n) > len(before + after)]
            for name in dict.fromkeys(found):
                pair(mirror, names, name, right.replace("*", name[len(before):len(name) - len(after)]))
            assert found, item
        else:
            for a, b in zip(numbered(left), numbered(right), strict=True):
                pair(mirror, names, a, b)
    assert all(mirror[mirror[i]] == i for i in mirror)
    return mirror


def run(lockstep, layout, category):
    """Exit code, messages, and the points that were written."""
    points = [v for i in range(len(layout["names"])) for v in (i, i % HEIGHT, 1 + i % 2)]
    dataset = {
        "images": [{"id": 1, "file_name": "a.png", "width": WIDTH, "height": HEIGHT}],
        "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "iscrowd": 0, "keypoints": points}],
        "categories": [{"id": 1, "name": "thing", "supercategory": "none", **category}],
    }
    with open("in.json", "w", encoding="utf-8") as file:
        json.dump(dataset, file)
    shutil.rmtree("out", ignore_errors=True)
    done = subprocess.run([lockstep, "run", "-q", "-p", "flip.json", "-i", "in", "-a", "in.json", "-o", "out"],
                          capture_output=True, text=True)
    if done.returncode:
        return done.returncode, done.stderr, os.path.exists("out/annotations.json")
    with open("out/annotations.json", encoding="utf-8") as file:
        v = json.load(file)["annotations"][0]["keypoints"]
    return 0, done.stderr, [v[i:i + 3] for i in range(0, len(v), 3)]


def mirrored(mirror):
    """The points that ought to be written."""
    want = [None] * len(mirror)
    for i, j in enumerate(mirror):
        want[j] = [WIDTH - 1 - i, i % HEIGHT, 1 + i % 2]
    return want


def wrong(lockstep, layout):
    """Returns the fault of a layout; "" if there is none."""
    names, mirror = layout["names"], mirror_of(layout)
    want = mirrored(mirror)
    code, said, got = run(lockstep, layout, {"keypoints": names})
    if not layout["refused"]:
        return "" if got == want else f"exit {code}, {sum(a != b for a, b in zip(got or [], want))} points differ: {said}"
    if code != 4 or got or "[coco-flip-pairs]" not in said or '"flip_pairs"' not in said:
        return f"not refused with a hint: exit {code}: {said}"
    index = [[i, j] for i, j in enumerate(mirror) if i < j]
    ways = [{"keypoints": names, "flip_pairs": index}, {"flip_pairs": index}]
    if layout["by_name"]:
        ways += [{"keypoints": names, "flip_pairs": layout["by_name"]}, {"flip_pairs": layout["by_name"]}]
        if f'"{layout["by_name"]}"' not in said:
            return f"the hint does not name {layout['by_name']}: {said}"
    for way in ways:
        code, said, got = run(lockstep, layout, way)
        if got != want:
            return f"{way}: exit {code}: {said}"
    return ""


def main():
    lockstep, table = sys.argv[1:]
    layouts = read_table(table)
    with open("flip.json", "w", encoding="utf-8") as file:
        file.write('{"version": 1, "transforms": [{"type": "horizontal_flip"}]}')
    failed = 0
    for layout in layouts:
        what = wrong(lockstep, layout)
        failed += bool(what)
        if what:
            print(f"{layout['name']}: {what}")
    refused = sum(layout["refused"] for layout in layouts)
    print(f"{len(layouts)} layouts, {len(layouts) - refused} swapped, {refused} refused with a hint, {failed} wrong")
    return failed > 0 or len(layouts) < 55


sys.exit(main())
