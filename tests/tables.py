"""Every op that recolours, on every kind of image. Usage: tables.py LOCKSTEP FOLDER

Gray and RGB, with and without alpha, 8 and 16 bit, with annotations and label masks, through the
example of each op that recolours: sizes, alpha, masks and annotations must stay, and the colours of
those whose formula is written down here must be what it says."""

import json
import os
import random
import re
import struct
import subprocess
import sys
import zlib

sys.dont_write_bytecode = True  # nothing is left beside the tests
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "golden"))
from golden import png_read  # noqa: E402

LOCKSTEP, FOLDER = sys.argv[1], sys.argv[2]
W, H = 37, 29
KINDS = [(depth, channels) for depth in (8, 16) for channels in (1, 2, 3, 4)]


# --- formulas: what becomes of one band's samples; may be off by one where told ---

def gamma(band, top, step):
    return [min(top, step.get("gain", 1) * (v / top) ** step["gamma"] * top) for v in band]


def posterize(band, top, step):
    bits = 16 if top == 65535 else 8
    return [v >> (bits - step["bits"]) << (bits - step["bits"]) for v in band]


def autocontrast(band, top, _):
    low, high = min(band), max(band)
    return [(v - low) * top / (high - low) for v in band] if high > low else band


def equalize(band, top, _):
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


FORMULAS = {
    "invert": lambda band, top, _: [top - v for v in band],
    "solarize": lambda band, top, step: [
        top - v if v >= step["threshold"] * top / 255 else v for v in band],
    "posterize": posterize, "adjust_gamma": gamma, "autocontrast": autocontrast,
    "equalize": equalize,
}
OFF_BY_ONE = ("adjust_gamma", "autocontrast", "rgb_to_grayscale")


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
    return None


# --- pictures ---

def png_write(path, width, height, depth, channels, samples):
    def chunk(name, body):
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
    data = struct.pack(f">{len(samples)}{'H' if depth == 16 else 'B'}", *samples)
    stride = len(data) // height
    lines = b"".join(b"\0" + data[at:at + stride] for at in range(0, len(data), stride))
    head = struct.pack(">IIBBBBB", width, height, depth, (0, 4, 2, 6)[channels - 1], 0, 0, 0)
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head)
                   + chunk(b"IDAT", zlib.compress(lines, 1)) + chunk(b"IEND", b""))


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
    png_write(f"{folder}/images/{name}", width, height, depth, channels, samples)
    png_write(f"{folder}/masks/{name}", width, height, 8, 1,
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
    """What is wrong with one image, or None."""
    before, after = (png_read(f"{folder}/{at}/{name}") for at in ("images", "out/images"))
    height, width, channels, old = before
    new, top = after[3], 255 if isinstance(old, bytes) else 65535
    colours, alpha = 1 if channels < 3 else 3, channels % 2 == 0
    if step["type"] == "rgb_to_grayscale":
        colours = step.get("num_output_channels", 1)
    if after[:3] != (height, width, colours + alpha) or type(old) is not type(new):
        return f"{before[:3]} became {after[:3]}"
    if alpha and list(old[channels - 1::channels]) != list(new[colours::colours + 1]):
        return "its alpha changed"
    if png_read(f"{folder}/masks/{name}") != png_read(f"{folder}/out/masks/{name}"):
        return "its mask changed"
    want = recoloured(step, [list(old[b::channels]) for b in range(channels - alpha)], top)
    slack = 1 if step["type"] in OFF_BY_ONE else 0
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
        if "R" in entry["effects"]:
            yield entry["example"], colour if entry["name"] == "permute_channels" else KINDS, W, H
    yield {"type": "permute_channels", "permutation": [0]}, gray, W, H
    yield {"type": "rgb_to_grayscale"}, KINDS, W, H
    yield {"type": "posterize", "bits": 8}, KINDS, W, H
    yield {"type": "adjust_gamma", "gamma": 0.45, "gain": 1.2}, KINDS, W, H
    yield {"type": "equalize"}, [(16, 2)], 320, 230  # enough pixels for 65535 steps


def main():
    failures = count = 0
    for number, (step, kinds, width, height) in enumerate(steps()):
        count += len(kinds)
        for why in check(number, step, kinds, width, height):
            failures += 1
            print(f"{json.dumps(step)}: {why}")
    for number, (permutation, kind) in enumerate((([2, 1, 0], (8, 1)), ([0], (16, 4)))):
        why = check(f"refused{number}", {"type": "permute_channels", "permutation": permutation}, [kind])
        if not re.search(r"^exit 4: .*colour bands?", str(why and why[0])):
            failures += 1
            print(f"{permutation} on {kind}: {why or 'not refused'}")
    print(f"{count} images, {failures} failures")
    return failures > 0 or count < 50


sys.exit(main())
