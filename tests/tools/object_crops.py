"""Do the windows of dry runs agree with a slow program? Lines of a manifest come on stdin.

    object_crops.py windows ANNOTATIONS PARAMETERS     the step's, as JSON
"""
import json
import math
import sys

SLACK = 1e-6


def moved(begin, end, length, border):
    """Returns the window after the border rule, if it reaches beyond the image."""
    if border == "shift":
        while begin < 0:
            begin, end = begin + 1, end + 1
        while end > length and begin > 0:
            begin, end = begin - 1, end - 1
    if border != "pad":
        begin, end = max(begin, 0), min(end, length)
    return begin, end


def window(box, size, p):
    """[left, top, right, bottom]"""
    margin, found = p.get("margin", 0), []
    sides = [(max(box[k], 0), min(box[k] + box[k + 2], size[k])) for k in (0, 1)]
    real = [(high - low) * (1 + 2 * margin) for low, high in sides]
    for (low, high), length in zip(sides, real):
        middle = (low + high) / 2
        length = max(real) if p.get("square") else length
        found.append([math.floor(middle - length / 2 + SLACK), math.ceil(middle + length / 2 - SLACK)])
    if p.get("square"):
        longest = max(end - begin for begin, end in found)
        found = [[begin, begin + longest] for begin, _ in found]
    found = [moved(*f, n, p.get("border", "pad")) for f, n in zip(found, size)]
    return [found[0][0], found[1][0], found[0][1], found[1][1]]


def shown(steps):
    """The window that a crop, and perhaps a pad, show."""
    steps = [step for step in steps if step["type"] in ("crop", "pad")]
    crop = steps[0]
    made = [crop["left"], crop["top"], crop["left"] + crop["width"], crop["top"] + crop["height"]]
    if len(steps) > 1:
        left, top, right, bottom = steps[1]["padding"]
        made = [made[0] - left, made[1] - top, made[2] + right, made[3] + bottom]
    return made


def main():
    data, p = json.load(open(sys.argv[2])), json.loads(sys.argv[3])
    images = {i["id"]: i for i in data["images"]}
    wanted = {}
    for a in data["annotations"]:
        image = images[a["image_id"]]
        if not a.get("iscrowd"):
            wanted.setdefault(image["file_name"], []).append(window(a["bbox"], (image["width"], image["height"]), p))
    made = {}
    for line in map(json.loads, sys.stdin):
        made.setdefault(line["source"], []).append(shown(line["steps"]))
        assert line["branch"] == len(made[line["source"]]) - 1
    wrong = [(name, made.get(name), of) for name, of in wanted.items() if made.get(name) != of]
    print(*wrong[:3], sep="\n")
    assert wanted and made and not wrong and set(made) == set(wanted)


main()
