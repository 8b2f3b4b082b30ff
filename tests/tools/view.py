"""Rules for steps that look at the sample, checked on a manifest. Usage: view.py RULE MANIFEST ANNOTATIONS [ARGUMENTS]

Each rule recomputes the possible windows of the manifest's steps from the source's annotations.
Prints the number of checked windows; fails at the first wrong one.
"""

import json
import sys
from pathlib import Path


def sources(annotations):
    data = json.loads(Path(annotations).read_text())
    objects = {i["file_name"]: [] for i in data["images"]}
    name = {i["id"]: i["file_name"] for i in data["images"]}
    for a in data["annotations"]:
        x, y, w, h = a["bbox"]
        objects[name[a["image_id"]]].append(
            {"id": a["id"], "box": (x, y, x + w, y + h), "crowd": bool(a.get("iscrowd")), "category": a["category_id"]})
    return objects


def window_of(line):
    for step in line["steps"]:
        if step["type"] == "crop":
            return (step["left"], step["top"], step["left"] + step["width"], step["top"] + step["height"])
    return None


def shared(a, b):
    return (max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3]))


def area(b):
    return max(0, b[2] - b[0]) * max(0, b[3] - b[1])


def inside_image(window, line):
    w, h = line["size_in"]
    return window[0] >= 0 and window[1] >= 0 and window[2] <= w and window[3] <= h


def safe(line, objects, erosion):
    """Checks that all boxes are whole, or inside up to the erosion of their hull."""
    window, (w, h) = window_of(line), line["size_in"]
    assert window and inside_image(window, line), line
    if not objects:
        assert erosion > 0 or window == (0, 0, w, h), line
        return
    boxes = [shared(o["box"], (0, 0, w, h)) for o in objects]
    hull = [min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes)]
    for axis in (0, 1):
        cut = (hull[axis + 2] - hull[axis]) * erosion / 2
        assert window[axis] <= hull[axis] + cut and window[axis + 2] >= hull[axis + 2] - cut, (window, hull, line)
    if erosion == 0:
        assert not line["dropped"] and len(line["annotations"]) == len(objects), line
        assert all(a.get("visibility", 1) == 1 for a in line["annotations"]), line


def iou(line, objects, least):
    """A box that counts overlaps enough; those with their middle outside are dropped, and no other for that."""
    window, (w, h) = window_of(line), line["size_in"]
    middle = {o["id"]: ((o["box"][0] + o["box"][2]) / 2, (o["box"][1] + o["box"][3]) / 2) for o in objects}
    counted = [o for o in objects if not o["crowd"]]
    if window is None:  # none overlaps a small box by much
        assert not counted or least > 0, line
        return False
    assert inside_image(window, line), line
    sides = (window[2] - window[0], window[3] - window[1])
    assert 0.5 <= sides[0] / sides[1] <= 2 and sides[0] >= int(0.3 * w) and sides[1] >= int(0.3 * h), line
    within = [o for o in counted if window[0] < middle[o["id"]][0] < window[2] and window[1] < middle[o["id"]][1] < window[3]]
    best = max(area(shared(o["box"], window)) / (area(o["box"]) + area(window) - area(shared(o["box"], window)))
               for o in within)
    assert best >= least, (best, line)
    gone = {d["from"] for d in line["dropped"] if d["reason"] == "center"}
    assert gone == {o["id"] for o in counted} - {o["id"] for o in within}, line
    return True


def iou_of_all(line, objects, least):
    """All boxes that count overlap enough."""
    window = window_of(line)
    if window is None:
        return False
    boxes = [o["box"] for o in objects if not o["crowd"]]
    both = [area(shared(b, window)) for b in boxes]
    assert min(s / (area(b) + area(window) - s) for b, s in zip(boxes, both)) >= least, line
    return iou(line, objects, 0)


def one(line, objects, erosion):
    """Checks that a box that is not a crowd is inside the window by the required share, or as far as it fits."""
    window, (w, h) = window_of(line), line["size_in"]
    assert window and inside_image(window, line), line
    counted = [shared(o["box"], (0, 0, w, h)) for o in objects if not o["crowd"]]
    counted = [b for b in counted if area(b) > 0]

    def holds(b, axis):
        kept = min(b[axis + 2], window[axis + 2]) - max(b[axis], window[axis])
        side = b[axis + 2] - b[axis]
        wanted = min(max((1 - erosion) * side, min(1, side)), window[axis + 2] - window[axis])
        return kept >= wanted - (1 if window[axis + 2] - window[axis] < side + 1 else 1e-9)

    assert not counted or any(holds(b, 0) and holds(b, 1) for b in counted), (window, counted)


def touches(line, objects, _):
    """Some annotation has a pixel in the window."""
    window = window_of(line)
    assert window and inside_image(window, line), line
    assert not objects or line["annotations"], line


def when_category(line, objects, category):
    """A flip follows where, and only where, an object of the category is kept."""
    kept = {a["from"] for a in line["annotations"]}
    there = any(o["category"] == category for o in objects if o["id"] in kept)
    assert (line["steps"][-1]["type"] == "horizontal_flip") == there, line
    return there


def when_count(line, objects, least):
    flipped = line["steps"][-1]["type"] == "horizontal_flip"
    assert flipped == (len(line["annotations"]) >= least), line
    return flipped


def main(rule, manifest, annotations, argument="0"):
    objects, judged = sources(annotations), 0
    windows = set()
    for text in Path(manifest).read_text().splitlines():
        line = json.loads(text)
        judged += globals()[rule](line, objects[line["source"]], float(argument)) is not False
        windows.add(window_of(line))
    assert len(windows) > 0.3 * judged, "the windows hardly differ"
    print(judged)


main(*sys.argv[1:])
