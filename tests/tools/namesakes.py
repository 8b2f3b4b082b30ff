#!/usr/bin/env python3
"""Transforms that share their name with another library's but differ. Compares the difference that `describe` states
with the library's published formulas, which are repeated here, and with lockstep's output.

Usage: namesakes.py LOCKSTEP NAME, in an empty folder. The reference is Albumentations 2.0.8.
"""
import json
import math
import pathlib
import random
import statistics
import subprocess
import sys

import png

SIDE = 96
SAID = {}  # by name: the words of `describe`, and the function that measures


def says(*words):
    """Registers the measurement of a transform, and its expected text in `describe`."""
    def register(function):
        SAID[function.__name__] = (words, function)
        return function
    return register


def run(step, rows, channels=1, depth=8, copies=1):
    """The outputs of a step for an image of these rows: rows of samples each."""
    pathlib.Path("in").mkdir(exist_ok=True)
    png.write("in/a.png", rows, channels, depth)
    pathlib.Path("p.json").write_text(json.dumps({"version": 1, "transforms": [{"p": 1, **step}]}))
    subprocess.run([sys.argv[1], "run", "-q", "-p", "p.json", "-i", "in", "-o", "out", "--overwrite", "-n",
                    str(copies)], check=True)
    return [png.rows(path) for path in sorted(pathlib.Path("out/images").iterdir())]


def within(what, value, low, high):
    if not low <= value <= high:
        sys.exit(f"{what} is {value:.4g}, not within {low} to {high}")


def our_shift(step):
    """How far pixels are moved along x by lockstep, on the average: a ramp says where each came from."""
    ramp = [[500 + 600 * x for x in range(SIDE)] for _ in range(SIDE)]
    moved = [abs((value - 500) / 600 - x) for rows in run({**step, "fill": 0}, ramp, depth=16, copies=20)
             for row in rows[8:-8] for x, value in list(enumerate(row))[8:-8] if value >= 500]
    return statistics.fmean(moved)


def solve(matrix, right):
    """Gauss with pivots."""
    n = len(matrix)
    rows = [row[:] + [value] for row, value in zip(matrix, right)]
    for i in range(n):
        at = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[at] = rows[at], rows[i]
        for k in range(n):
            if k != i:
                factor = rows[k][i] / rows[i][i]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i])]
    return [row[n] / row[i] for i, row in enumerate(rows)]


def their_plate(side, scale):
    """How far Albumentations' thin plate moves pixels along x. Its weights are solved for with r^2 log(r + 1e-6), but
    used with r log(r + 1e-6), on the unit square.
    """
    numbers = random.Random(1)
    nodes = [(x / (side - 1), y / (side - 1)) for y in range(side) for x in range(side)]
    terms = [[1, x, y] for x, y in nodes]
    matrix = [[math.dist(a, b) ** 2 * math.log(math.dist(a, b) + 1e-6) for b in nodes] + term
              for a, term in zip(nodes, terms)]
    matrix += [[term[i] for term in terms] + [0, 0, 0] for i in range(3)]
    shifts = []
    for _ in range(6):
        weights = solve(matrix, [x + numbers.gauss(0, scale / 10) for x, _ in nodes] + [0, 0, 0])
        for y in range(8, SIDE - 8, 8):
            for x in range(8, SIDE - 8, 8):
                at = (x / SIDE, y / SIDE)
                radii = [math.dist(at, node) for node in nodes]
                to = sum(w * r * math.log(r + 1e-6) for w, r in zip(weights, radii))
                to += weights[-3] + weights[-2] * at[0] + weights[-1] * at[1]
                shifts.append(abs(to - at[0]) * SIDE)
    return statistics.fmean(shifts)


@says("twice as far with 4 control points", "8 times with 8")
def ThinPlateSpline():
    """Through the nodes it is a plate here, and no function through them there."""
    for side, low, high in (4, 1.5, 2.5), (8, 6.5, 9.5):
        ours = our_shift({"type": "ThinPlateSpline", "scale_range": [0.1, 0.1], "num_control_points": side})
        within(f"Albumentations' shift with {side} points as a multiple", their_plate(side, 0.1) / ours, low, high)


@says("about 8 times", "blends all nodes")
def PiecewiseAffine():
    """Each pixel comes from the mean of all jittered nodes, weighted by 1 / (squared distance + 1e-8)."""
    numbers = random.Random(2)
    scale, theirs = 0.04, []
    for _ in range(20):
        nodes = [(x * (SIDE - 1) / 3, y * (SIDE - 1) / 3) for y in range(4) for x in range(4)]
        to = [min(max(x + numbers.gauss(0, scale * SIDE / 3), 0), SIDE - 1) for x, _ in nodes]
        for y in range(8, SIDE - 8, 4):
            for x in range(8, SIDE - 8, 4):
                weights = [1 / ((x - a) ** 2 + (y - b) ** 2 + 1e-8) for a, b in nodes]
                theirs.append(abs(sum(w * v for w, v in zip(weights, to)) / sum(weights) - x))
    ours = our_shift({"type": "PiecewiseAffine", "scale": [scale, scale]})
    within("Albumentations' shift as a multiple", statistics.fmean(theirs) / ours, 6, 10)


@says("the lightness noise is normal", "four times as strong on dark gray")
def ISONoise():
    """L gets a Poisson number of mean (deviation of L) * intensity, times intensity * (1 - L)."""
    intensity, dark, light = 0.5, 40, 224
    rows = [[dark if x < SIDE // 2 else light for x in range(SIDE) for _ in range(3)] for _ in range(SIDE)]
    out = run({"type": "ISONoise", "intensity": [intensity, intensity], "color_shift": [0, 0]}, rows, 3)[0]
    ours = statistics.pstdev(value for row in out for value in row[:3 * SIDE // 2:3])
    deviation = (light - dark) / 2 / 255
    theirs = math.sqrt(deviation * intensity) * intensity * (255 - dark)
    within("lockstep's deviation on dark gray", ours, 0.9 * 10.75, 1.1 * 10.75)
    within("Albumentations' deviation as a multiple", theirs / ours, 3.5, 4.8)
    # Flat images have noise here, and none there.
    flat = run({"type": "ISONoise", "intensity": [intensity, intensity], "color_shift": [0, 0]},
               [[dark] * 3 * SIDE] * SIDE, 3)[0]
    within("lockstep's deviation on a flat image", statistics.pstdev(value for row in flat for value in row[::3]),
           0.9 * 10.75, 1.1 * 10.75)


@says("streaks are `drop_width` wide", "1, 3, 5, 5 and 7", "pixels to the side")
def RandomRain():
    """The sum over a row of a streak that falls straight down is its width times its colour."""
    for width in 1, 2, 3, 4, 5:
        step = {"type": "RandomRain", "drop_width": width, "slant_range": [0, 0], "drop_length": 200, "blur_value": 1,
                "brightness_coefficient": 1, "drop_color": 1, "rain_type": "drizzle"}
        total = [sum(map(sum, rows)) for rows in run({**step, "drop_color": 60}, [[0] * 400] * 12, copies=40)]
        drops = 12 // 4
        within(f"the width of a streak of {width}", statistics.fmean(total) / 60 / 12 / drops, 0.7 * width, 1.1 * width)


@says("drawn between pixels", "half its length at a `direction` of 1 or -1")
def MotionBlur():
    """Along rows and columns the kernel is the same: a mean. Towards corners theirs has whole pixels, of one weight."""
    size, middle = 9, 20
    rows = [[255 * (x == middle and y == middle) for x in range(41)] for y in range(41)]
    for angle in 0, 90:
        out = run({"type": "MotionBlur", "blur_limit": [size], "angle_range": [angle, angle],
                   "direction_range": [0, 0]}, rows)[0]
        for at in range(-6, 7):
            value = out[middle][middle + at] if angle == 0 else out[middle + at][middle]
            within(f"the weight at {at}", value, *([27, 29] if abs(at) <= size // 2 else [0, 0]))
    out = run({"type": "MotionBlur", "blur_limit": [size], "angle_range": [45, 45], "direction_range": [0, 0]}, rows)[0]
    shared = sum(out[middle + i][middle + i + 1] > 0 for i in range(-4, 5))
    within("pixels beside the diagonal", shared, 2, 9)
    out = run({"type": "MotionBlur", "blur_limit": [size], "angle_range": [0, 0], "direction_range": [1, 1]}, rows)[0]
    within("pixels of half a streak", sum(value > 0 for value in out[middle]), size // 2 + 1, size // 2 + 1)


@says("by their luma and keeps chroma", "the L of LAB")
def CLAHE():
    """Chroma, R - Y and B - Y, stays to a rounding; gray images are equalized as they are."""
    numbers = random.Random(3)
    rows = [[v for _ in range(64) for base in [numbers.randint(90, 150)] for v in (base + 20, base, base - 20)]
            for _ in range(64)]
    out = run({"type": "CLAHE", "clip_limit": [4, 4]}, rows, 3)[0]
    changed = 0
    for before, after in zip(rows, out):
        for x in range(0, len(before), 3):
            within("R - G", after[x] - after[x + 1], 19, 21)
            within("B - G", after[x + 2] - after[x + 1], -21, -19)
            changed += before[x] != after[x]
    within("changed pixels", changed, 1000, 64 * 64)


@says("draws a value for each pixel", "one colour per image")
def PixelDropout():
    """A drop_value of null: painted pixels differ among each other."""
    step = {"type": "PixelDropout", "dropout_prob": 0.2, "drop_value": None}
    painted = [value for row in run(step, [[7] * SIDE] * SIDE)[0] for value in row if value != 7]
    within("painted pixels", len(painted), 0.17 * SIDE ** 2, 0.23 * SIDE ** 2)
    within("values among them", len(set(painted)), 200, 256)


def main():
    name = sys.argv[2]
    words, measure = SAID[name]
    said = subprocess.run([sys.argv[1], "describe", name], check=True, capture_output=True, text=True).stdout
    said = " ".join(said.split("PARAMETERS")[0].split())
    for word in words:
        if word not in said:
            sys.exit(f'describe {name} does not say "{word}": {said}')
    measure()


main()
