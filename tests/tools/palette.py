"""PNGs with a palette, for tests: label masks as painting tools write them.

    palette.py write FILE WIDTH HEIGHT DEPTH COLOURS [SEED] [interlaced]    noise of all indices
    palette.py indices FILE    the indices, one row per line
    palette.py colours FILE    the palette and its entries that are not opaque, in hexadecimal
"""
import os
import random
import struct
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import png  # noqa: E402

ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def packed(row, depth):
    bits = "".join(format(v, f"0{depth}b") for v in row)
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8))


def write(path, width, height, depth, colours, seed="1", interlaced=""):
    width, height, depth, colours = map(int, (width, height, depth, colours))
    rng = random.Random(int(seed))
    rows = [[rng.randrange(colours) for _ in range(width)] for _ in range(height)]
    passes = ADAM7 if interlaced else [(0, 0, 1, 1)]
    body = b"".join(b"\0" + packed(rows[y][left::dx], depth) for left, top, dx, dy in passes if left < width
                    for y in range(top, height, dy))
    # Two indices have one colour, so that colours do not tell them apart.
    palette = bytes([9, 8, 7]) * 2 + rng.randbytes(3 * (colours - 2))
    with open(path, "wb") as out:
        out.write(png.assemble(width, height, depth, png.PALETTE, body, [(b"PLTE", palette), (b"tRNS", b"\0\x80")], bool(interlaced)))


def chunks(path):
    with open(path, "rb") as file:
        return list(png.chunks(file.read()))


def unpacked(row, depth, width):
    return [row[i * depth // 8] >> 8 - depth - i * depth % 8 & (1 << depth) - 1 for i in range(width)]


def indices(path):
    found = chunks(path)
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", found[0][1])
    assert colour == 3, f"colour type {colour}"
    data, at = zlib.decompress(b"".join(b for n, b in found if n == b"IDAT")), 0
    rows = [[0] * width for _ in range(height)]
    for left, top, dx, dy in ADAM7 if interlaced else [(0, 0, 1, 1)]:
        n = len(range(left, width, dx))
        above, length = bytearray((n * depth + 7) // 8), (n * depth + 7) // 8
        for y in range(top, height, dy) if n else []:
            kind, row = data[at], bytearray(data[at + 1:at + 1 + length])
            at += 1 + length
            row = png.unfilter(kind, row, above, 1)
            rows[y][left::dx], above = unpacked(row, depth, n), row
    for row in rows:
        print(*row)


def colours(path):
    for name, data in chunks(path):
        if name in (b"PLTE", b"tRNS"):
            print(name.decode(), data.hex())


{"write": write, "indices": indices, "colours": colours}[sys.argv[1]](*sys.argv[2:])
