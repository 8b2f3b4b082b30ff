"""Write a PNG for tests: blank.py FILE WIDTH HEIGHT [gray|rgb] [VALUE]. A smooth pattern without VALUE."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import png  # noqa: E402


def rows(width, height, bands, value):
    line = bytes((3 * x + 40 * b) % 256 if value is None else value for x in range(width) for b in range(bands))
    moved = [bytes((v + by) % 256 for v in range(256)) for by in range(0, 256, 2)]
    for y in range(height):
        yield line.translate(moved[y % 128]) if value is None else line


def main(path, width, height, kind="rgb", value=None):
    bands = {"gray": 1, "rgb": 3}[kind]
    lines = rows(int(width), int(height), bands, None if value is None else int(value))
    png.write(path, list(lines), bands)


main(*sys.argv[1:])
