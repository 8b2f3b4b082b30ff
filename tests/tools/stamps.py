"""Write stamps for tests: stamps.py DIR. `stamp.png` is a colored disc that is opaque except for its soft edge.
`half.png` is a rectangle: its left half is opaque, and its right half shows half of the image below. `gray.png` is
gray, without alpha.
"""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import png  # noqa: E402


def disc(side):
    for y in range(side):
        yield b"".join(bytes([250, 40, 30, round(255 * max(0, min(1, (side / 2 - 1 - math.hypot(
            x + 0.5 - side / 2, y + 0.5 - side / 2)) / 2)))]) for x in range(side))


def main(folder):
    os.makedirs(folder, exist_ok=True)
    png.write(f"{folder}/stamp.png", list(disc(40)), 4)
    png.write(f"{folder}/half.png", [bytes([200, 100, 50, 255]) * 10 + bytes([200, 100, 50, 127]) * 10] * 8, 4)
    png.write(f"{folder}/gray.png", [bytes(range(60, 90))] * 12)


if __name__ == "__main__":
    main(*sys.argv[1:])
