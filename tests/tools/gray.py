"""Gray PNGs for tests: gray.py write FILE WIDTH HEIGHT [LABEL X0 Y0 X1 Y1]... paints boxes of labels on 0 (8 bit, or 16
bit if a label is above 255); gray.py print FILE prints the values, one row per line.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import png  # noqa: E402


def write(path, width, height, *boxes):
    width, height = int(width), int(height)
    numbers = list(map(int, boxes))
    rows = [[0] * width for _ in range(height)]
    for label, x0, y0, x1, y1 in zip(*[iter(numbers)] * 5):
        for y in range(y0, y1):
            rows[y][x0:x1] = [label] * (x1 - x0)
    png.write(path, rows, depth=16 if max(map(max, rows)) > 255 else 8)


def show(path):
    height, width, channels, _ = png.read(path)
    assert channels == 1, (height, width, channels)
    for row in png.rows(path):
        print(*row)


{"write": write, "print": show}[sys.argv[1]](*sys.argv[2:])
