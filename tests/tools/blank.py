"""Write a PNG for tests: blank.py FILE WIDTH HEIGHT [gray|rgb] [VALUE]. A smooth pattern without VALUE."""

import struct
import sys
import zlib


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def rows(width, height, bands, value):
    for y in range(height):
        if value is None:
            row = bytes((3 * x + 2 * y + 40 * b) % 256 for x in range(width) for b in range(bands))
        else:
            row = bytes([value]) * (width * bands)
        yield b"\0" + row


def main(path, width, height, kind="rgb", value=None):
    width, height = int(width), int(height)
    bands = {"gray": 1, "rgb": 3}[kind]
    head = struct.pack(">IIBBBBB", width, height, 8, {1: 0, 3: 2}[bands], 0, 0, 0)
    body = b"".join(rows(width, height, bands, None if value is None else int(value)))
    with open(path, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(body)) + chunk(b"IEND", b""))


main(*sys.argv[1:])
