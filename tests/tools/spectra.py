"""Compare `adapt_spectrum` with a slow program of FDA: spectra.py LOCKSTEP, in a folder with `stamps`. All frequencies
are summed one by one; sides are even, odd, prime, and one; images are gray and color, of 8 and 16 bits, with and
without alpha.
"""
import cmath
import json
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import pictures  # noqa: E402

lockstep = sys.argv[1]


def planes(path):
    """A list of rows for each channel, and the highest level."""
    rows, top = pictures.read(path)
    return [[[pixel[c] for pixel in row] for row in rows] for c in range(len(rows[0][0]))], top


def reference(path, colours, top):
    """Returns its colors; transparent pixels are black."""
    channels, own = planes(path)
    height, width = len(channels[0]), len(channels[0][0])
    alpha = channels[-1] if len(channels) in (2, 4) else None
    rgb = channels[:3] if len(channels) > 2 else channels[:1] * 3
    rgb = [[[p[y][x] * (alpha[y][x] / own if alpha else 1) * top / own for x in range(width)] for y in range(height)]
           for p in rgb]
    if colours == 3:
        return rgb
    return [[[0.299 * r + 0.587 * g + 0.114 * b for r, g, b in zip(*rows)] for rows in zip(*rgb)]]


def stretch(line, n):
    """n samples of a line between its samples' centres."""
    out = []
    for i in range(n):
        at = min(max((i + 0.5) * len(line) / n - 0.5, 0), len(line) - 1)
        first = min(int(at), len(line) - 1)
        out.append(line[first] + (at - first) * (line[min(first + 1, len(line) - 1)] - line[first]))
    return out


def resized(rows, width, height):
    rows = [stretch(row, width) for row in rows]
    return [list(row) for row in zip(*(stretch(column, height) for column in zip(*rows)))]


def frequency(rows, u, v):
    height, width = len(rows), len(rows[0])
    return sum(p * cmath.exp(-2j * math.pi * (u * x / width + v * y / height))
               for y, row in enumerate(rows) for x, p in enumerate(row))


def adapted(rows, wanted, border):
    """Returns the value that is added to each pixel."""
    height, width = len(rows), len(rows[0])
    wanted = resized(wanted, width, height)
    added = [[0.0] * width for _ in range(height)]
    # In the shifted spectrum the block is cut off at its edges.
    for v in range(max(-border, -(height // 2)), min(border, (height - 1) // 2) + 1):
        for u in range(max(-border, -(width // 2)), min(border, (width - 1) // 2) + 1):
            own, other = frequency(rows, u, v), abs(frequency(wanted, u, v))
            change = cmath.rect(other - abs(own), cmath.phase(own)) / (width * height)
            for y in range(height):
                for x in range(width):
                    added[y][x] += (change * cmath.exp(2j * math.pi * (u * x / width + v * y / height))).real
    return added


count = 0
os.makedirs("in", exist_ok=True)
for width, height, channels, depth, stamp, beta in (
        (12, 10, 3, 8, "many.png", 0.2), (11, 13, 3, 16, "many.png", 0.1), (17, 9, 1, 8, "many.png", 0.34),
        (16, 8, 1, 16, "gray.png", 0.5), (9, 15, 4, 8, "stamp.png", 0.23), (10, 7, 2, 16, "stamp.png", 0.15),
        (10, 6, 3, 8, "gray.png", 0), (1, 9, 1, 8, "many.png", 0.3), (2, 2, 3, 16, "many.png", 0.5)):
    top = 2 ** depth - 1
    pictures.write("in/a.png", width, height, channels, depth,
                   lambda x, y, c: (x * x * (c + 1) + y * 31 + 70 * c + x * y) % (200 - 30 * c))
    json.dump({"version": 1, "transforms": [{"type": "adapt_spectrum", "stamp": stamp, "beta": beta}]}, open("p.json", "w"))
    subprocess.run([lockstep, "run", "-q", "--overwrite", "-p", "p.json", "-i", "in", "-o", "out", "--stamps", "stamps"],
                   check=True)
    before, after = planes("in/a.png")[0], planes("out/images/a.png")[0]
    colours = 3 if channels > 2 else 1
    others = reference(f"stamps/{stamp}", colours, top)
    for c in range(channels):
        added = adapted(before[c], others[c], int(min(width, height) * beta)) if c < colours else None
        for y in range(height):
            for x in range(width):
                want = before[c][y][x] + (added[y][x] if added else 0)
                if abs(max(0, min(top, want)) - after[c][y][x]) > 0.51:
                    sys.exit(f"{width}x{height}, {channels} channels, {depth} bits, {stamp}, {beta}: channel {c} at ({x}, {y}) is "
                             f"{after[c][y][x]}, not {want}")
                count += 1
print(f"{count} samples")
