"""Write stamps for tests: stamps.py DIR. `stamp.png` is a disc that is opaque but for its soft edge, in colours;
`half.png` a rectangle whose left half is opaque and whose right half shows half of what is below it; `gray.png` is
gray, without alpha."""
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
