"""PNGs with a palette, for tests: label masks as painting tools write them.

    palette.py write FILE WIDTH HEIGHT DEPTH COLOURS [SEED] [interlaced]    noise of all indices
    palette.py indices FILE    the indices, a line a row
    palette.py colours FILE    the palette and what of it is not opaque, in hexadecimal
"""
import random
import struct
import sys
import zlib

ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


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
    head = struct.pack(">IIBBBBB", width, height, depth, 3, 0, 0, int(bool(interlaced)))
    with open(path, "wb") as out:
        out.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"PLTE", palette) + chunk(b"tRNS", b"\0\x80") +
                  chunk(b"IDAT", zlib.compress(body)) + chunk(b"IEND", b""))


def chunks(path):
    with open(path, "rb") as f:
        data, at = f.read(), 8
    while at < len(data):
        length = struct.unpack(">I", data[at:at + 4])[0]
        yield data[at + 4:at + 8].decode(), data[at + 8:at + 8 + length]
        at += 12 + length


def predict(kind, left, up, both):
    guess = left + up - both
    paeth = min((abs(guess - v), i, v) for i, v in enumerate((left, up, both)))[2]
    return (0, left, up, (left + up) // 2, paeth)[kind]


def unpacked(row, depth, width):
    return [row[i * depth // 8] >> 8 - depth - i * depth % 8 & (1 << depth) - 1 for i in range(width)]


def indices(path):
    found = list(chunks(path))
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", found[0][1])
    assert colour == 3, f"colour type {colour}"
    data, at = zlib.decompress(b"".join(b for n, b in found if n == "IDAT")), 0
    rows = [[0] * width for _ in range(height)]
    for left, top, dx, dy in ADAM7 if interlaced else [(0, 0, 1, 1)]:
        n = len(range(left, width, dx))
        above, length = bytearray((n * depth + 7) // 8), (n * depth + 7) // 8
        for y in range(top, height, dy) if n else []:
            kind, row = data[at], bytearray(data[at + 1:at + 1 + length])
            at += 1 + length
            for i in range(length):
                row[i] = row[i] + predict(kind, row[i - 1] if i else 0, above[i], above[i - 1] if i else 0) & 255
            rows[y][left::dx], above = unpacked(row, depth, n), row
    for row in rows:
        print(*row)


def colours(path):
    for name, data in chunks(path):
        if name in ("PLTE", "tRNS"):
            print(name, data.hex())


{"write": write, "indices": indices, "colours": colours}[sys.argv[1]](*sys.argv[2:])
