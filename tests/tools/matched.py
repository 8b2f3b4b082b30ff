"""Does `match_histogram` do what a slow program does of scikit-image's match_histograms? matched.py LOCKSTEP, in a folder
with `stamps`. References with alpha and without, images gray and in colours, of 8 and 16 bits, with alpha and without."""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import png  # noqa: E402

lockstep = sys.argv[1]
WIDTH, HEIGHT = 40, 36


def pixel(x, y, channels, top):
    value = [(x * x + y * 3 + 70 * c) % 200 * top // 255 for c in range(channels)]
    if channels in (2, 4):
        value[-1] = [0, top // 3, top][(x // 4 + y // 5) % 3]
    return value


def samples(path):
    height, width, channels, values = png.read(path)
    top = 255 if isinstance(values, bytes) else 65535
    return [list(values[i:i + channels]) for i in range(0, height * width * channels, channels)], channels, top


def reference(path, colours, top):
    """Its levels in each colour channel, of all pixels that show."""
    values, channels, _ = samples(path)
    shown = [v[:3] if channels > 2 else v[:1] * 3 for v in values if channels in (1, 3) or v[-1] > 127]
    if colours == 1:
        shown = [[0.299 * r + 0.587 * g + 0.114 * b] for r, g, b in shown]
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
        rows = [[v for x in range(WIDTH) for v in pixel(x, y, channels, top)] for y in range(HEIGHT)]
        os.makedirs("in", exist_ok=True)
        png.write("in/a.png", [bytes(row) if depth == 8 else row for row in rows], channels, depth)
        for name, ratio in (("stamp.png", 1), ("half.png", 0.75), ("gray.png", 1)):
            step = {"type": "match_histogram", "stamp": name, "blend_ratio": ratio}
            json.dump({"version": 1, "transforms": [step]}, open("p.json", "w"))
            subprocess.run([lockstep, "run", "-q", "--overwrite", "-p", "p.json", "-i", "in", "-o", "out", "--stamps",
                            "stamps"], check=True)
            before, after = samples("in/a.png")[0], samples("out/images/a.png")[0]
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
