#!/usr/bin/env python3
"""Warps with a border that continues the image are compared with the same warp of an image that this program has
extended far enough. Extending uses Python's own arithmetic.

Usage: borders.py LOCKSTEP, in an empty folder.
"""
import json
import os
import pathlib
import random
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import png  # noqa: E402

W, H, FAR = 21, 14, 90


def continued(i, n, mode):
    """The pixel of a line of n that is shown at i."""
    if mode == "edge":
        return min(max(i, 0), n - 1)
    if mode == "wrap":
        return i % n
    line = list(range(n)) + list(range(n - 1, -1, -1) if mode == "symmetric" else range(n - 2, 0, -1))
    return line[i % len(line)]


def picture(channels, depth):
    rng = random.Random(channels + depth)
    return [[rng.randrange(2 ** depth) for _ in range(W * channels)] for _ in range(H)]


def larger(rows, channels, mode):
    return [[rows[continued(y, H, mode)][continued(x, W, mode) * channels + c] for x in range(-FAR, W + FAR)
             for c in range(channels)] for y in range(-FAR, H + FAR)]


def write(folder, name, rows, mask, channels, depth):
    """Writes an image to a folder, and its mask to the folder of masks."""
    for path, what, kind in ((folder, rows, (channels, depth)), (folder + "-masks", mask, (1, 8))):
        pathlib.Path(path).mkdir(exist_ok=True)
        png.write(f"{path}/{name}.png", what, *kind)


def run(steps, folder):
    """Runs the steps on a folder; returns the pixels of each image and of its mask, by name."""
    pathlib.Path("p.json").write_text(json.dumps({"version": 1, "transforms": steps}))
    subprocess.run([sys.argv[1], "run", "-q", "-p", "p.json", "-i", folder, "--masks", folder + "-masks", "-o", "out",
                    "--overwrite"], check=True)
    return {path.stem: (png.rows(path), png.rows(f"out/masks/{path.name}"))
            for path in pathlib.Path("out/images").iterdir()}


def moved(corners, by):
    return [[x + by, y + by] for x, y in corners]


START, END = [[0, 0], [W, 0], [W, H], [0, H]], [[4, 3], [15.5, 5], [17, 12], [6, 10]]
# Steps on the image, and on the larger one.
STEPS = [
    [{"type": "rotate", "angle": 33}] * 2,
    [{"type": "rotate", "angle": 90}] * 2,
    [{"type": "affine", "translate": [7, -9]}] * 2,
    [{"type": "affine", "angle": -20, "scale": 0.3, "translate": [5.5, 2.25], "shear": [10, -4]}] * 2,
    [{"type": "affine", "scale": 0.12}] * 2,
    [{"type": "perspective", "startpoints": START, "endpoints": END},
     {"type": "perspective", "startpoints": moved(START, FAR), "endpoints": moved(END, FAR)}],
    [{"type": "displace", "grid": [2, 2], "dx": [30.3] * 4, "dy": [-17.75] * 4},
     {"type": "displace", "grid": [2, 2], "dx": [30.3] * 4, "dy": [-17.75] * 4}],
]
CROP = {"type": "crop", "top": FAR, "left": FAR, "height": H, "width": W}
KINDS, MODES = ((3, 8), (4, 16)), ("edge", "reflect", "symmetric", "wrap")
for channels, depth in KINDS:
    image, labels = picture(channels, depth), [[v % 7 for v in row] for row in picture(1, 8)]
    write("small", f"{channels}", image, labels, channels, depth)
    for mode in MODES:
        write("large", f"{channels}-{mode}", larger(image, channels, mode), larger(labels, 1, mode), channels, depth)
failures = count = 0
for ours, theirs in STEPS:
    for taps in ("nearest", "bilinear"):
        how = {"interpolation": taps}
        large = run([{**theirs, **how}, CROP], "large")
        for mode in MODES:
            small = run([{**ours, **how, "padding_mode": mode}], "small")
            for channels, depth in KINDS:
                got, want = small[f"{channels}"], large[f"{channels}-{mode}"]
                slack = 0 if taps == "nearest" else 2 ** depth / 200
                off = max(abs(a - b) for one, other in zip(got[0], want[0]) for a, b in zip(one, other))
                count += 1
                if off > slack or got[1] != want[1]:
                    failures += 1
                    print(f"{channels} channels of {depth} bit, {mode}, {taps}, {ours}: off by {off}, masks "
                          f"{'equal' if got[1] == want[1] else 'differ'}")
print(f"{count} warps, {failures} failures")
sys.exit(failures > 0 or count < 100)
