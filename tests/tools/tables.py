"""Every op that recolors, on every kind of image. Usage: tables.py LOCKSTEP FOLDER

Applies the example of each op that recolors to gray and RGB images, with and without alpha, 8 and 16 bit, with
annotations and label masks. Sizes, alpha, masks and annotations must stay. Colors must agree with the formula if it is
written down here.
"""

import colorsys
import json
import math
import os
import random
import re
import subprocess
import sys

sys.dont_write_bytecode = True  # nothing is left beside the tests
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import png  # noqa: E402

LOCKSTEP, FOLDER = sys.argv[1], sys.argv[2]
W, H = 37, 29
KINDS = [(depth, channels) for depth in (8, 16) for channels in (1, 2, 3, 4)]


# --- formulas: results for one channel's samples; may be off by one where stated ---

def gamma(band, top, step):
    return [min(top, step.get("gain", 1) * (v / top) ** step["gamma"] * top) for v in band]


def posterize(band, top, step):
    bits = 16 if top == 65535 else 8
    return [v >> (bits - step["bits"]) << (bits - step["bits"]) for v in band]


def autocontrast(band, top, _):
    low, high = min(band), max(band)
    return [(v - low) * top / (high - low) for v in band] if high > low else band


def equalize_cv(band, top):
    """OpenCV's equalizeHist."""
    count = [0] * (top + 1)
    for v in band:
        count[v] += 1
    first = next(level for level, n in enumerate(count) if n)
    if count[first] == len(band):
        return band
    table, up_to = [0] * (top + 1), 0
    for level in range(first + 1, top + 1):
        up_to += count[level]
        table[level] = round(up_to * top / (len(band) - count[first]))
    return [table[v] for v in band]


def equalize(band, top, step):
    if step.get("mode") == "cv":
        return equalize_cv(band, top)
    counts = [0] * (top + 1)
    for v in band:
        counts[v] += 1
    rest, below, table = len(band) - counts[max(band)], 0, []
    step = rest // top
    for count in counts:
        level = len(table)
        if top > 255 and rest:
            level = (below * top + rest // 2) // rest
        elif top == 255 and step:
            level = (below + step // 2) // step
        table.append(min(top, level))
        below += count
    return [table[v] for v in band]


def curved(band, top, low, high):
    return [top * (3 * (1 - v / top) ** 2 * (v / top) * low
                   + 3 * (1 - v / top) * (v / top) ** 2 * high + (v / top) ** 3) for v in band]


FORMULAS = {
    "invert": lambda band, top, _: [top - v for v in band],
    "solarize": lambda band, top, step: [
        top - v if v >= step["threshold"] * top / 255 else v for v in band],
    "posterize": posterize, "adjust_gamma": gamma, "autocontrast": autocontrast,
    "equalize": equalize,
}
OFF_BY_ONE = ("adjust_gamma", "autocontrast", "rgb_to_grayscale")
ROUNDED = 0.55  # of others: half a level, and a little for single precision


# Ops that make floats, which PNG cannot hold, or another depth; dtypes.bats tests them.
OTHER_TYPES = ("normalize", "to_dtype")
# The result of one has the size of a canvas; stamps.bats and texts.bats have the others.
JOINS = ("join", "overlay", "match_histogram", "adapt_distribution", "adapt_spectrum", "draw_text")


# --- formulas of all bands at once ---

def one_a_band(numbers):
    """A number for all bands, or one a band."""
    return [numbers] * 3 if isinstance(numbers, (int, float)) else (numbers * 3)[:3]


def mean(values):
    return sum(values) / len(values)


def lines(bands, factors, offsets):
    return [[v * f + o for v in band] for band, f, o in zip(bands, factors, offsets)]


def mean_luma(bands):
    return mean([math.floor(0.2989 * r + 0.587 * g + 0.114 * b) for r, g, b in zip(*bands)]
                if len(bands) == 3 else bands[0])


def hsv(bands, top, step):
    if len(bands) == 1:
        return lines(bands, [step.get("val_factor", 1)], [step.get("val_shift", 0) * top / 255])
    pixels = []
    for rgb in zip(*bands):
        h, s, v = colorsys.rgb_to_hsv(*(c / top for c in rgb))
        s = min(1, max(0, s * step.get("sat_factor", 1) + step.get("sat_shift", 0) / 255)) if s else 0
        v = min(1, max(0, v * step.get("val_factor", 1) + step.get("val_shift", 0) / 255))
        pixels.append(colorsys.hsv_to_rgb((h + step.get("hue_shift", 0) / 360) % 1, s, v))
    return [[pixel[band] * top for pixel in pixels] for band in range(3)]


def matrix(bands, top, step):
    pixels = list(zip(*bands))
    return [[sum(w * c for w, c in zip(row, (*pixel, top / 255))) for pixel in pixels]
            for row in (step["red"], step["green"], step["blue"])]


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def principal_axes(m):
    """(variance, axis) of a symmetric matrix by its characteristic equation, the largest first."""
    third = (m[0][0] + m[1][1] + m[2][2]) / 3
    off = [[m[i][j] - (third if i == j else 0) for j in range(3)] for i in range(3)]
    size = math.sqrt(sum(v * v for row in off for v in row) / 6)
    half = sum(a * b for a, b in zip(off[0], cross(off[1], off[2]))) / size ** 3 / 2
    angle = math.acos(min(1, max(-1, half))) / 3
    for k in (0, 2, 1):  # the cosines fall in this order
        value = third + 2 * size * math.cos(angle + 2 * math.pi * k / 3)
        rows = [[m[i][j] - (value if i == j else 0) for j in range(3)] for i in range(3)]
        axis = max((cross(rows[i], rows[j]) for i, j in ((0, 1), (0, 2), (1, 2))),
                   key=lambda v: sum(c * c for c in v))
        length = math.copysign(math.sqrt(sum(c * c for c in axis)), max(axis, key=abs))
        yield value, [c / length for c in axis]


def fancy_pca(bands, top, step):
    centred = [[v / top - mean(band) / top for v in band] for band in bands]
    covariance = [[mean([x * y for x, y in zip(a, b)]) for b in centred] for a in centred]
    axes = principal_axes(covariance) if len(bands) == 3 else [(covariance[0][0], [1])]
    shift = [0, 0, 0]
    for alpha, (variance, axis) in zip(step["alpha"], axes):
        for i, part in enumerate(axis):
            shift[i] += top * alpha * variance * part
    return lines(bands, [1, 1, 1], shift)


def equalize_luma(bands, top, step):
    """Colours move as their luma does; levels of luma are whole."""
    luma = [(299 * r + 587 * g + 114 * b + 500) // 1000 for r, g, b in zip(*(bands * 3)[:3])]
    made = (equalize if step.get("mode") == "pil" else lambda band, top, _: equalize_cv(band, top))(luma, top, step)
    return [[v + m - y for v, m, y in zip(band, made, luma)] for band in bands]


def by_lists(bands, names, step):
    """Do numbers for three bands meet a gray image, which stays?"""
    return len(bands) == 3 or not any(
        isinstance(step.get(name), list) and len(step[name]) == 3 for name in names)


def all_bands(step, bands, top):
    """Returns the color bands, before clamping; None if this program has no formula."""
    name, unit, rgb = step["type"], top / 255, len(bands) == 3
    if name == "grayscale_to_rgb":
        return bands if rgb else bands * 3
    if name == "shift_rgb":
        return lines(bands, [1] * 3, [step.get(f"{c}_shift", 0) * unit for c in "rgb"]) if rgb else bands
    if name == "channel_dropout":
        return [[step["fill"] * unit] * len(band) if rgb and i in step["channels"] else band
                for i, band in enumerate(bands)]
    if name == "scale_bands":
        return lines(bands, one_a_band(step.get("factor", 1)),
                     [o * unit for o in one_a_band(step.get("offset", 0))]) if by_lists(
                         bands, ("factor", "offset"), step) else bands
    if name == "scale_by_mean":
        return lines(bands, [step["factor"]] * 3, [step["mean_factor"] * mean_luma(bands)] * 3)
    if name == "tone_curve":
        heights = zip(bands, one_a_band(step["low_y"]), one_a_band(step["high_y"]))
        return [curved(band, top, *y) for band, *y in heights] if by_lists(
            bands, ("low_y", "high_y"), step) else bands
    if name == "color_matrix":
        return matrix(bands, top, step) if rgb else bands
    if name == "shift_hsv":
        return hsv(bands, top, step)
    if name == "equalize_luma":
        return equalize_luma(bands, top, step)
    return fancy_pca(bands, top, step) if name == "fancy_pca" else None


def recoloured(step, bands, top):
    """The colour bands as they must become; None when no formula is here."""
    name = step["type"]
    if name in FORMULAS:
        return [FORMULAS[name](band, top, step) for band in bands]
    if name == "permute_channels":
        return [bands[i] for i in step["permutation"]]
    if name == "rgb_to_grayscale":
        luma = [0.299 * r + 0.587 * g + 0.114 * b for r, g, b in zip(*(bands * 3)[:3])] if len(
            bands) == 3 else bands[0]
        return [luma] * step.get("num_output_channels", 1)
    want = all_bands(step, bands, top)
    return want and [[min(top, max(0, v)) for v in band] for band in want]


# --- pictures ---

def write(path, height, depth, channels, samples):
    stride = len(samples) // height
    png.write(path, [samples[at:at + stride] for at in range(0, len(samples), stride)], channels, depth)


def colour_range(depth, band):
    """Not the full range, and another one for each band."""
    top = 2 ** depth - 1
    return top // (5 + band), top - top // (6 - band)


def make(folder, depth, channels, width=W, height=H):
    """An image with all it has; returns the file's name."""
    rng, name = random.Random(depth * channels), f"{depth}-{channels}.png"
    samples = []
    for _ in range(width * height):
        for band in range(channels):
            alpha = channels % 2 == 0 and band == channels - 1
            samples.append(rng.randint(0, 2 ** depth - 1) if alpha
                           else rng.randint(*colour_range(depth, band)))
    write(f"{folder}/images/{name}", height, depth, channels, samples)
    write(f"{folder}/masks/{name}", height, 8, 1,
              [rng.choice((0, 1, 7, 255)) for _ in range(width * height)])
    return name


def annotate(folder, names, width, height):
    images = ", ".join(f'{{"id": {i}, "file_name": "{name}", "width": {width}, "height": {height}}}'
                       for i, name in enumerate(names, 1))
    objects = ", ".join(
        f'{{"id": {i}, "image_id": {i}, "category_id": 1, "bbox": [1.50, 2, 2e1, 9.25], '
        f'"segmentation": [[1.50, 2, 21.5, 2.0, 21.5, 11.25]], "area": 92.5, "iscrowd": 0, '
        f'"note": "n\\u00e9 {name}", "score": 0.10}}' for i, name in enumerate(names, 1))
    with open(f"{folder}/in.json", "w", encoding="utf-8") as file:
        file.write(f'{{"images": [{images}],\n "annotations": [{objects}],\n'
                   f' "categories": [{{"id": 1, "name": "thing"}}]}}\n')


def tokens(path):
    with open(path, encoding="utf-8") as file:
        return re.findall(r'"(?:[^"\\]|\\.)*"|[^\s"{}\[\],:]+|[{}\[\],:]', file.read())


# --- one step ---

def run(folder, step):
    with open(f"{folder}/p.json", "w", encoding="utf-8") as file:
        json.dump({"version": 1, "transforms": [step]}, file)
    return subprocess.run(
        [LOCKSTEP, "run", "-q", "-j", "1", "-p", f"{folder}/p.json", "-i", f"{folder}/images",
         "--masks", f"{folder}/masks", "-a", f"{folder}/in.json", "-o", f"{folder}/out"],
        capture_output=True, text=True, check=False)


def compare(folder, step, name):
    """Returns the fault of one image, or None."""
    before, after = (png.read(f"{folder}/{at}/{name}") for at in ("images", "out/images"))
    height, width, channels, old = before
    new, top = after[3], 255 if isinstance(old, bytes) else 65535
    colours, alpha = 1 if channels < 3 else 3, channels % 2 == 0
    if step["type"] in ("rgb_to_grayscale", "gray"):
        colours = step.get("num_output_channels", 1)
    if step["type"] == "grayscale_to_rgb":
        colours = 3
    if after[:3] != (height, width, colours + alpha) or type(old) is not type(new):
        return f"{before[:3]} became {after[:3]}"
    if alpha and list(old[channels - 1::channels]) != list(new[colours::colours + 1]):
        return "its alpha changed"
    if png.read(f"{folder}/masks/{name}") != png.read(f"{folder}/out/masks/{name}"):
        return "its mask changed"
    want = recoloured(step, [list(old[b::channels]) for b in range(channels - alpha)], top)
    slack = 1 if step["type"] in OFF_BY_ONE else ROUNDED
    for band in range(colours if want else 0):
        off = max(abs(a - b) for a, b in zip(new[band::colours + alpha], want[band]))
        if off > slack:
            return f"band {band} is off by {off}"
    return None


def check(number, step, kinds, width=W, height=H):
    """All that is wrong with a step."""
    folder = f"{FOLDER}/{number}"
    for name in ("images", "masks"):
        os.makedirs(f"{folder}/{name}")
    names = [make(folder, *kind, width, height) for kind in kinds]
    annotate(folder, names, width, height)
    done = run(folder, step)
    if done.returncode:
        return [f"exit {done.returncode}: {done.stderr.strip()}"]
    wrong = [f"{name}: {why}" for name in names if (why := compare(folder, step, name))]
    if tokens(f"{folder}/in.json") != tokens(f"{folder}/out/annotations.json"):
        wrong.append("the annotations changed")
    return wrong


def steps():
    """(step, kinds of images, width, height)"""
    done = subprocess.run([LOCKSTEP, "list", "ops", "--json"], capture_output=True, check=True)
    gray, colour = ([k for k in KINDS if (k[1] < 3) == is_gray] for is_gray in (True, False))
    for entry in json.loads(done.stdout):
        if "R" in entry["effects"] and entry["name"] not in OTHER_TYPES + JOINS:
            yield entry["example"], colour if entry["name"] == "permute_channels" else KINDS, W, H
    yield {"type": "permute_channels", "permutation": [0]}, gray, W, H
    yield {"type": "rgb_to_grayscale"}, KINDS, W, H
    yield {"type": "posterize", "bits": 8}, KINDS, W, H
    yield {"type": "adjust_gamma", "gamma": 0.45, "gain": 1.2}, KINDS, W, H
    yield {"type": "scale_bands", "factor": 1.3, "offset": -31.5}, KINDS, W, H
    yield {"type": "scale_bands", "offset": [9, -40, 200]}, KINDS, W, H
    yield {"type": "tone_curve", "low_y": [0, 0.9, 0.3], "high_y": 0.2}, KINDS, W, H
    yield {"type": "channel_dropout", "channels": [0, 2], "fill": 99.5}, KINDS, W, H
    yield {"type": "color_matrix", "red": [0, 0, 1.5, -20], "green": [-1, 1, 1],
           "blue": [0.2, 0.3, 0.5, 10.25]}, KINDS, W, H
    yield {"type": "shift_hsv", "hue_shift": -200, "sat_shift": -90, "val_shift": 35}, KINDS, W, H
    yield {"type": "shift_hsv", "hue_shift": 355, "sat_shift": 255}, KINDS, W, H
    yield {"type": "shift_hsv", "hue_shift": 5, "sat_factor": 1.7, "val_factor": 0.6}, KINDS, W, H
    yield {"type": "shift_hsv", "sat_factor": 0.3, "sat_shift": 20, "val_factor": 1.4, "val_shift": -30}, KINDS, W, H
    yield {"type": "shift_hsv", "sat_factor": 0, "val_factor": 1000}, KINDS, W, H
    yield {"type": "fancy_pca", "alpha": [0.5, 12, -7]}, KINDS, W, H
    yield {"type": "equalize", "mode": "cv"}, KINDS, W, H
    yield {"type": "equalize_luma", "mode": "pil"}, KINDS, 320, 9  # enough pixels for steps of 8 bit
    yield {"type": "equalize"}, [(16, 2)], 320, 230  # enough pixels for 65535 steps


def main():
    failures = count = 0
    for number, (step, kinds, width, height) in enumerate(steps()):
        count += len(kinds)
        for why in check(number, step, kinds, width, height):
            failures += 1
            print(f"{json.dumps(step)}: {why}")
    why = check("refused", {"type": "permute_channels", "permutation": [0]}, [(16, 4)])
    if not re.search(r"^exit 4: .*colour channels?", str(why and why[0])):
        failures += 1
        print(f"[0] on colours: {why or 'not refused'}")
    print(f"{count} images, {failures} failures")
    return failures > 0 or count < 50


sys.exit(main())
