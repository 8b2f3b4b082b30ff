"""Hostile outlines for the tests of COCO's polygons and run lengths.

geometry.py write FOLDER: annotation files of one object each for an image a.png of 50 x 40 pixels,
whose outline must be refused; good.json, with many that must not be, for a.png and b.png (600 x
500); and expected.txt: of each broken file its name, exit code, code, line:column and JSON path.
geometry.py areas SOURCE RESULT: compare the pixels of each mask in RESULT with `pixels` in SOURCE.
"""

import json
import os
import sys

WIDTH, HEIGHT = 50, 40
SIZE = '"size": [40, 50]'
OBJECT = "annotations[0]"
OUTLINE = OBJECT + ".segmentation"


def rle(counts, size=SIZE):
    return '{%s, "counts": %s}' % (size, counts)


# The message points at the value after the marker @.
POLYGONS = {
    "odd": "[@[1, 2, 3, 4, 5, 6, 7]]",
    "one": "[@[1]]",
    "two-points-or-box": "[@[1, 2, 30, 4]]",
    "four-numbers": "@[1, 2, 30, 4]",
    "second": "[[1, 2, 3, 4, 5, 6], @[1, 2, 30, 4]]",
    "null": "[@[1, 2, 3, 4, 5, null]]",
    "text": '[@[1, 2, 3, 4, 5, "six"]]',
    "true": "@true",
    "number": "@7",
    "pairs-and-numbers": "[@[[1, 2], 3, 4, [5, 6]]]",
    "triples": "[@[[1, 2, 3], [3, 4, 5], [5, 6, 7]]]",
    "pairs-in-pairs": "[@[[[1, 2], [3, 4], [5, 6]]]]",
    "nested": "[@[[[[[[[1]]]]]]]]",
    "1e300": "[@[1, 2, 3, 4, 5, 1e300]]",
    "minus-1e300": "[@[1, 2, 3, -1e300, 5, 6]]",
    "4e8": "[@[1, 2, 4e8, 4, 5, 6]]",
    "above-limit": "[@[1, 2, 10000000.001, 4, 5, 6]]",
    "mixed": '[[1, 2, 3, 4, 5, 6], @{"size": [40, 50], "counts": [2000]}]',
}
NUMBERS = {
    "nan": "[[1, 2, 3, 4, 5, @NaN]]",
    "infinity": "[[1, 2, 3, 4, 5, @Infinity]]",
    "minus-infinity": "[[1, 2, @-Infinity, 4, 5, 6]]",
    "1e400": "[[1, 2, 3, 4, 5, @1e400]]",
    "run-1e400": rle("[@1e400]"),
}
RUNS = {
    "sum-above": rle("@[0, 2001]"),
    "sum-below": rle("@[1000, 999]"),
    "sum-far-above": rle("@[0, 4000000]"),
    "none": rle("@[]"),
    "negative": rle("@[-1, 2001]"),
    "negative-later": rle("@[2001, -1]"),
    "2-32-1": rle("@[4294967295, 1]"),
    "2-32-1-twice": rle("@[4294967295, 4294967295, 2002]"),
    "2-32": rle("@[4294967296]"),
    "2-32-more": rle("@[4294969296]"),
    "2-63": rle("@[9223372036854775808]"),
    "2-64-sum": rle("@[%s2002]" % ("4294967295, " * 2)),
    "fraction": rle("@[1999.5, 0.5]"),
    "text-in-list": rle('@[2000, "0"]'),
    "null-counts": rle("@null"),
    "object-counts": rle("@{}"),
    "number-counts": rle("@2000"),
    "string-empty": rle('@""'),
    "string-unterminated": rle('@"PPPP"'),
    "string-unterminated-after": rle('@"`n1P"'),
    "string-21": rle('@"`^1%s0"' % ("P" * 20)),
    "string-21-ones": rle('@"%sO"' % ("o" * 20)),
    "string-low": rle('@"`n1/"'),
    "string-high": rle('@"`n1p"'),
    "string-space": rle('@"`n1 "'),
    "string-wide": rle('@"`n1\u00e9"'),
    "string-negative": rle('@"O`n1"'),
    "string-below": rle('@"555K"'),
    "string-sum": rle('@"_n1"'),
    "size-zero": rle("[]", '"size": @[0, 0]'),
    "size-zero-text": rle('""', '"size": @[0, 0]'),
    "size-zero-height": rle("[0]", '"size": @[0, 50]'),
    "size-swapped": rle("[2000]", '"size": @[50, 40]'),
    "size-negative": rle("[2000]", '"size": @[-40, -50]'),
    "size-one": rle("[2000]", '"size": @[2000]'),
    "size-three": rle("[2000]", '"size": @[40, 50, 1]'),
    "size-fraction": rle("[2000]", '"size": @[40.5, 50]'),
    "size-text": rle("[2000]", '"size": @"40x50"'),
    "size-huge": rle("[2000]", '"size": @[2147483648, 2147483648]'),
    "no-size": '@{"counts": [2000]}',
    "no-counts": "@{%s}" % SIZE,
    "nothing": "@{}",
}
TEXTS = {"string-nul": rle('"`n1@\\u0000"')}
# The image's element does not say its size here: the file does.
UNSAID = {
    "unsaid-size": rle("[70, 30]", '"size": @[10, 10]'),
    "unsaid-70000": rle("[4294967295, 0, 605032705]", '"size": @[70000, 70000]'),
    "unsaid-70000-string": rle('@"oooooo30oooooo3"', '"size": [70000, 70000]'),
}


def saws(teeth):
    """Two saws tooth against tooth, tied at the bottom: cut above it, they are two long outlines in one place."""
    left, right = [(1, 31)], [(29.2, 31)]
    for i in range(teeth):
        t = 28 * i / teeth
        left.append((1 + t + i % 2 / 5, 1.7 + t))
        right.append((30.5 - t + i % 2 / 5, 27.8 - t))
    return [round(v, 5) for p in left + [(29, 31)] + right + [(45, 0), (45, 31)] for v in p]


# Unusual outlines that have a meaning, with the pixels of their masks according to the COCO API.
ODD = [
    ("all equal", [[5, 5] * 30], 0),
    ("collinear", [[0, 0, 20, 20, 30, 30]], 0),
    ("to and fro", [[1, 1, 30, 4, 1, 1, 30, 4]], 0),
    ("bow tie", [[0, 0, 20, 20, 20, 0, 0, 20]], 200),
    ("keyhole", [[0, 0, 30, 0, 30, 30, 0, 30, 0, 0, 10, 10, 10, 20, 20, 20, 20, 10, 10, 10]], 800),
    ("box", [[10, 10, 10, 20, 20, 20, 20, 10]], 100),
    ("repeated points", [[10, 10, 10, 10, 10, 20, 20, 20, 20, 20, 20, 10, 10, 10]], 100),
    ("twice the same", [[10, 10, 10, 20, 20, 20, 20, 10]] * 2, 100),
    ("a hole that is none", [[0, 0, 30, 0, 30, 30, 0, 30], [10, 10, 10, 20, 20, 20, 20, 10]], 900),
    ("outside", [[60, 60, 80, 60, 80, 80]], 0),
    ("outside, left", [[-60, 6, -8, 6, -8, 30]], 0),
    ("touching the corner", [[50, 40, 60, 40, 60, 50]], 0),
    ("crossing the border", [[40, 30, 60, 30, 60, 50, 40, 50]], 100),
    ("around it all", [[-1e7, -1e7, 1e7, -1e7, 1e7, 1e7, -1e7, 1e7]], 2000),
    ("a needle", [[-1e7, 10, 1e7, 10, 1e7, 10.001]], 0),
    ("tiny", [[5, 5, 5 + 1e-9, 5, 5, 5 + 1e-9]], 0),
    ("nothing but zero", [[0, -0.0, 0, 0, 1e-300, 0]], 0),
    ("many rings", [[10, 10, 10, 20, 20, 20, 20, 10]] * 1000, 100),
    ("many points", [[v for i in range(40000) for v in (10 + i % 2 * 10, 10 + i * 5e-4)] + [10, 30]], None),
    ("saws", [saws(20000)], None),
    ("a walk round and round", [[10, 10, 20, 10, 20, 20, 10, 20] * 25001], 100),
    ("no run", {"size": [40, 50], "counts": [2000]}, 0),
    ("all one run", {"size": [40, 50], "counts": [0, 2000]}, 2000),
    ("zero runs", {"size": [40, 50], "counts": [0] * 300001 + [2000]}, 2000),
    ("zero runs between", {"size": [40, 50], "counts": [7, 0, 3, 5, 0, 0, 0, 5, 1980]}, 10),
    ("zero runs, string", {"size": [40, 50], "counts": "0" * 300000 + "`n1"}, 0),
]
LARGE = [
    ("300 000 runs", {"size": [500, 600], "counts": [1] * 300000}, 150000),
    ("300 000 runs, string", {"size": [500, 600], "counts": "111" + "0" * 299997}, 150000),
]


def place_of(text):
    at = text.index("@")
    return "%d:%d" % (text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))


def write_bad(folder, table, name, outline, exit_code, code, path, said=True):
    size = ', "width": %d, "height": %d' % (WIDTH, HEIGHT) if said else ""
    text = (
        '{"images": [{"id": 1, "file_name": "a.png"%s}],\n "annotations": [\n'
        '  {"id": 1, "image_id": 1, "iscrowd": 0, "bbox": [1, 2, 3, 4], "area": 12,\n'
        '   "segmentation": %s}],\n "categories": []}\n' % (size, outline)
    )
    with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as out:
        out.write(text.replace("@", ""))
    table.write("%s %d %s %s %s\n" % (name, exit_code, code, place_of(text), path))


def write_good(folder):
    images = [
        {"id": 1, "file_name": "a.png", "width": WIDTH, "height": HEIGHT},
        {"id": 2, "file_name": "b.png", "width": 600, "height": 500},
    ]
    annotations = [
        {"id": i + 1, "image_id": 2 if i >= len(ODD) else 1, "what": what, "pixels": pixels, "segmentation": outline}
        for i, (what, outline, pixels) in enumerate(ODD + LARGE)
    ]
    with open(os.path.join(folder, "good.json"), "w", encoding="utf-8") as out:
        json.dump({"images": images, "annotations": annotations}, out)


def write(folder):
    with open(os.path.join(folder, "expected.txt"), "w", encoding="utf-8") as table:
        for name, outline in POLYGONS.items():
            write_bad(folder, table, "polygon-" + name, outline, 4, "coco-polygon", OUTLINE)
        for name, outline in NUMBERS.items():
            write_bad(folder, table, "number-" + name, outline, 4, "json-number", OBJECT)
        for name, outline in RUNS.items():
            write_bad(folder, table, "rle-" + name, outline, 4, "coco-rle", OUTLINE)
        for name, outline in TEXTS.items():
            write_bad(folder, table, "rle-" + name, outline, 4, "json-nul", OBJECT)
        for name, outline in UNSAID.items():
            write_bad(folder, table, "rle-" + name, outline, 4, "coco-rle", OUTLINE, said=False)
    write_good(folder)


def runs_of(string):
    """Parses COCO's compressed string in a second, plain way."""
    runs, value, shift = [], 0, 0
    for c in string.encode():
        c -= 48
        value |= (c & 31) << shift
        shift += 5
        if c & 32:
            continue
        if c & 16:
            value -= 1 << shift
        runs.append(value + (runs[-2] if len(runs) > 2 else 0))
        value = shift = 0
    return runs


def areas(source, result):
    with open(source, encoding="utf-8") as file:
        wanted = {a["id"]: a for a in json.load(file)["annotations"]}
    with open(result, encoding="utf-8") as file:
        found = {a["id"]: a["segmentation"] for a in json.load(file)["annotations"]}
    wrong = 0
    for key, a in wanted.items():
        mask = found[key]
        runs = mask["counts"] if isinstance(mask["counts"], list) else runs_of(mask["counts"])
        good = min(runs) >= 0 and sum(runs) == mask["size"][0] * mask["size"][1]
        if not good or (a["pixels"] is not None and sum(runs[1::2]) != a["pixels"]):
            print("%s: %d pixels, not %s" % (a["what"], sum(runs[1::2]), a["pixels"]))
            wrong += 1
    return wrong


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write(sys.argv[2])
    else:
        sys.exit(areas(*sys.argv[2:4]) != 0)
