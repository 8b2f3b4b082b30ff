"""Compare `overlay` with a slow program of Porter and Duff's "over": stamped.py LOCKSTEP, in a folder with `stamps`. A
stamp beyond an edge; images gray and color, of 8 and 16 bits, with and without alpha.
"""
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import pictures  # noqa: E402

lockstep = sys.argv[1]
WIDTH, HEIGHT, TOP, LEFT = 50, 44, -9, 17


def over(stamp, below, opacity):
    *colour, alpha = stamp
    if len(below) <= 2:
        colour = [0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]]
    return pictures.over(colour, alpha * opacity, below)


count = 0
for channels in 1, 2, 3, 4:
    for depth in 8, 16:
        top = 2 ** depth - 1
        os.makedirs("in", exist_ok=True)
        pictures.write("in/a.png", WIDTH, HEIGHT, channels, depth, lambda x, y, c: (x * 5 + y * 3 + 70 * c) % 256)
        for name, opacity in (("stamp.png", 1), ("stamp.png", 0.4), ("half.png", 0.75), ("gray.png", 1)):
            step = {"type": "overlay", "stamp": name, "top": TOP, "left": LEFT, "opacity": opacity}
            json.dump({"version": 1, "transforms": [step]}, open("p.json", "w"))
            subprocess.run([lockstep, "run", "-q", "--overwrite", "-p", "p.json", "-i", "in", "-o", "out", "--stamps",
                            "stamps"], check=True)
            before, after, stamp = (pictures.shares(p) for p in ("in/a.png", "out/images/a.png", f"stamps/{name}"))
            for y in range(HEIGHT):
                for x in range(WIDTH):
                    want, have = before[y][x], after[y][x]
                    if 0 <= y - TOP < len(stamp) and 0 <= x - LEFT < len(stamp[0]):
                        s = stamp[y - TOP][x - LEFT]
                        s = s if len(s) == 4 else s * 3 + [1]
                        want = over(s, want, opacity)
                    if any(abs(a - b) * top > 0.51 for a, b in zip(want, have)):
                        sys.exit(f"{channels} channels, {depth} bits, {name}, {opacity}: at {x}, {y} it is "
                                 f"{[v * top for v in have]}, not {[v * top for v in want]}")
                    count += 1
print(f"{count} pixels")
