"""Compare `match_histogram` with a slow program of scikit-image's match_histograms: matched.py LOCKSTEP, in a folder
with `stamps`. References with and without alpha; images gray and color, of 8 and 16 bits, with and without alpha.
"""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import pictures  # noqa: E402

lockstep = sys.argv[1]
WIDTH, HEIGHT = 40, 36


def reference(path, colours, top):
    """Its levels in each colour channel, of all pixels that show."""
    shown = pictures.shown(path, colours)
    return [[int(v[c] * top / 255 + 0.5) for v in shown] for c in range(colours)]


def matched(level, levels, wanted):
    """The wanted level below which as many lie, shares being interpolated."""
    share = sum(v <= level for v in levels) / len(levels)
    last = None
    for value in sorted(set(wanted)):
        up_to = sum(v <= value for v in wanted) / len(wanted)
        if up_to >= share:
            if last is None:
                return value
            return last[0] + (value - last[0]) * (share - last[1]) / (up_to - last[1])
        last = value, up_to
    return last[0]


count = 0
for channels in 1, 2, 3, 4:
    for depth in 8, 16:
        top = 2 ** depth - 1
        os.makedirs("in", exist_ok=True)
        pictures.write("in/a.png", WIDTH, HEIGHT, channels, depth, lambda x, y, c: (x * x + y * 3 + 70 * c) % 200)
        for name, ratio in (("stamp.png", 1), ("half.png", 0.75), ("gray.png", 1)):
            step = {"type": "match_histogram", "stamp": name, "blend_ratio": ratio}
            json.dump({"version": 1, "transforms": [step]}, open("p.json", "w"))
            subprocess.run([lockstep, "run", "-q", "--overwrite", "-p", "p.json", "-i", "in", "-o", "out", "--stamps",
                            "stamps"], check=True)
            before, after = pictures.pixels("in/a.png"), pictures.pixels("out/images/a.png")
            colours = 3 if channels > 2 else 1
            want = reference(f"stamps/{name}", colours, top)
            for c in range(channels):
                levels = [v[c] for v in before]
                to = {v: v if c >= colours else ratio * matched(v, levels, want[c]) + (1 - ratio) * v
                      for v in set(levels)}
                for was, now in zip(before, after):
                    if abs(to[was[c]] - now[c]) > 0.51:
                        sys.exit(f"{channels} channels, {depth} bits, {name}, {ratio}: {was[c]} of channel {c} is {now[c]}, "
                                 f"not {to[was[c]]}")
                    count += 1
print(f"{count} samples")
