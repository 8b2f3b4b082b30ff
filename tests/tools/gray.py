"""Gray PNGs for tests: gray.py write FILE WIDTH HEIGHT [LABEL X0 Y0 X1 Y1]... paints boxes of labels on 0 (8 bit, or 16
bit where a label is above 255); gray.py print FILE gives the values, a line a row."""

import struct
import sys
import zlib


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def write(path, width, height, *boxes):
    width, height = int(width), int(height)
    numbers = list(map(int, boxes))
    rows = [[0] * width for _ in range(height)]
    for label, x0, y0, x1, y1 in zip(*[iter(numbers)] * 5):
        for y in range(y0, y1):
            rows[y][x0:x1] = [label] * (x1 - x0)
    wide = max(map(max, rows)) > 255
    head = struct.pack(">IIBBBBB", width, height, 16 if wide else 8, 0, 0, 0, 0)
    body = b"".join(b"\0" + struct.pack(f">{width}{'H' if wide else 'B'}", *row) for row in rows)
    with open(path, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(body)) + chunk(b"IEND", b""))


def predict(kind, left, up, both):
    guess = left + up - both
    paeth = min((abs(guess - v), i, v) for i, v in enumerate((left, up, both)))[2]
    return (0, left, up, (left + up) // 2, paeth)[kind]


def read(path):
    with open(path, "rb") as file:
        data = file.read()[8:]
    packed = b""
    while data:
        length, kind = struct.unpack(">I4s", data[:8])
        if kind == b"IHDR":
            width, height, depth, colour, *_ = struct.unpack(">IIBBBBB", data[8:8 + length])
            assert colour == 0 and depth in (8, 16), (colour, depth)
        if kind == b"IDAT":
            packed += data[8:8 + length]
        data = data[12 + length:]
    size, raw, before = depth // 8, zlib.decompress(packed), bytes(width * depth // 8)
    for y in range(height):
        at = y * (width * size + 1)
        row = bytearray(raw[at + 1:at + 1 + width * size])
        for i in range(len(row)):
            left, both = (row[i - size], before[i - size]) if i >= size else (0, 0)
            row[i] = (row[i] + predict(raw[at], left, before[i], both)) % 256
        before = bytes(row)
        yield struct.unpack(f">{width}{'BH'[size - 1]}", row)


def main(what, path, *more):
    if what == "write":
        write(path, *more)
    else:
        for row in read(path):
            print(*row)


main(*sys.argv[1:])
