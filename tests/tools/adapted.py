"""Compare `adapt_distribution` with a slow program of qudida's domain adaptation: adapted.py LOCKSTEP, in a folder with
`stamps`. Principal axes are found by power iteration; images are gray and color, of 8 and 16 bits. Bytes are weighted
in fixed point, which is off by at most a tenth of a level.
"""
import json
import math
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import pictures  # noqa: E402

lockstep = sys.argv[1]
WIDTH, HEIGHT = 40, 36


def mean(values):
    return [sum(column) / len(values) for column in zip(*values)]


def covariance(values):
    at = mean(values)
    n = len(at)
    return [[sum((v[i] - at[i]) * (v[j] - at[j]) for v in values) / len(values) for j in range(n)] for i in range(n)]


def axes(values):
    """Unit vectors by falling variance, their largest part positive."""
    m, found = covariance(values), []
    for k in range(3):
        v = [1, 0.3 + k, 0.1 - k]
        for _ in range(20000):
            for a in found:
                dot = sum(p * q for p, q in zip(a, v))
                v = [p - dot * q for p, q in zip(v, a)]
            v = [sum(p * q for p, q in zip(row, v)) + 1e-9 * p0 for row, p0 in zip(m, v)]
            length = math.hypot(*v)
            v = [p / length for p in v]
        found.append([p * math.copysign(1, max(v, key=abs)) for p in v])
    return found


def adapted(kind, values, wanted):
    """Returns each value after the adaptation."""
    if kind == "minmax":
        lo, hi = [[f(c) for c in zip(*values)] for f in (min, max)]
        to_lo, to_hi = [[f(c) for c in zip(*wanted)] for f in (min, max)]
        return [[(v - a) / (b - a) * (d - c) + c for v, a, b, c, d in zip(value, lo, hi, to_lo, to_hi)] for value in values]
    at, to = mean(values), mean(wanted)
    if kind == "standard":
        own, other = covariance(values), covariance(wanted)
        return [[(v - at[i]) * math.sqrt(other[i][i] / own[i][i]) + to[i] for i, v in enumerate(value)] for value in values]
    if len(at) == 1:
        return [[value[0] - at[0] + to[0]] for value in values]
    own, other = axes(values), axes(wanted)
    if sum(own[i][i] for i in range(3)) * sum(other[i][i] for i in range(3)) < 0:
        other = [[-p for p in a] for a in other]
    parts = [[sum(a[i] * (value[i] - at[i]) for i in range(3)) for a in own] for value in values]
    return [[to[i] + sum(part[k] * other[k][i] for k in range(3)) for i in range(3)] for part in parts]


count = 0
for channels in 1, 2, 3, 4:
    for depth in 8, 16:
        top = 2 ** depth - 1
        os.makedirs("in", exist_ok=True)
        pictures.write("in/a.png", WIDTH, HEIGHT, channels, depth,
                       lambda x, y, c: (x * x * (c + 1) + y * 3 + 70 * c) % (200 - 30 * c))
        for kind, ratio in (("pca", 1), ("pca", 0.4), ("standard", 0.75), ("minmax", 1)):
            step = {"type": "adapt_distribution", "stamp": "many.png", "transform_type": kind, "blend_ratio": ratio}
            json.dump({"version": 1, "transforms": [step]}, open("p.json", "w"))
            subprocess.run([lockstep, "run", "-q", "--overwrite", "-p", "p.json", "-i", "in", "-o", "out", "--stamps",
                            "stamps"], check=True)
            before, after = pictures.pixels("in/a.png"), pictures.pixels("out/images/a.png")
            colours = 3 if channels > 2 else 1
            own = [[v * 255 / top for v in value[:colours]] for value in before]
            for was, now, to in zip(before, after, adapted(kind, own, pictures.shown("stamps/many.png", colours))):
                want = [max(0, min(top, ((1 - ratio) * w * 255 / top + ratio * t) * top / 255)) for w, t in zip(was, to)]
                if any(abs(a - b) > (0.6 if depth == 8 else 1) for a, b in zip(want + was[colours:], now)):
                    sys.exit(f"{channels} channels, {depth} bits, {kind}, {ratio}: {was} is {now}, not {want}")
                count += 1
print(f"{count} pixels")
