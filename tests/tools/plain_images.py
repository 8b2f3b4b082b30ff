"""BMP and netpbm files of random pixels, and the expected pixels.

    plain_images.py write FOLDER SEED      images of each kind in FOLDER, and FOLDER.expected.json
    plain_images.py compare FOLDER PNGS    checks the PNGs in PNGS against the expected ones
    plain_images.py cut FROM TO            each image of a folder cut at many places
"""
import json
import os
import random
import struct
import sys

import png


def spread(value, most, full=255):
    return (value * full * 2 + most) // (2 * most)


def bmp(r, width, height, bits, top_down=False, storage=0, masks=(), palette=None, body=None):
    """A file, and its rows of (R, G, B[, A]) or gray samples."""
    stride = (width * bits + 31) // 32 * 4
    lines, rows = [], []
    for _ in range(height):
        pixels = [r.randrange(len(palette) if palette else 2**bits) for _ in range(width)]
        text = "".join(format(v, f"0{bits}b") for v in pixels)
        if bits <= 8:
            line = int(text.ljust(stride * 8, "0"), 2).to_bytes(stride, "big")
        else:
            line = b"".join(v.to_bytes(bits // 8, "little") for v in pixels).ljust(stride, b"\0")
        lines.append(line)
        rows.append([sample for v in pixels for sample in colour(v, bits, masks, palette)])
    table = b"".join(bytes((b, g, red, 0)) for red, g, b in palette or ())
    fields = b"".join(struct.pack("<I", m) for m in masks) if storage else b""
    start = 54 + len(fields) + len(table)
    body = body or b"".join(lines if top_down else lines[::-1])
    head = struct.pack("<2sIHHI", b"BM", start + len(body), 0, 0, start)
    head += struct.pack("<IiiHHIIiiII", 40, width, -height if top_down else height, 1, bits, storage,
                        len(body), 2835, 2835, len(table) // 4, 0)
    return head + fields + table + body, rows


def colour(v, bits, masks, palette):
    if palette:
        red, g, b = palette[v]
        return (red,) if all(x == y == z for x, y, z in palette) else (red, g, b)
    if bits == 24 or not masks:
        masks = {16: (0x7C00, 0x3E0, 0x1F)}.get(bits, (0xFF0000, 0xFF00, 0xFF))
    return tuple(spread((v & m) // (m & -m), m // (m & -m)) for m in masks)


def runs(r, width, height, bits, palette):
    """Run lengths of 8 or 4 bits, with absolute runs and ends of rows."""
    _, rows = bmp(r, width, height, bits, palette=palette)
    body, rows = bytearray(), []
    for _ in range(height):
        row = []
        while len(row) < width:
            n = min(r.randrange(1, 9), width - len(row))
            values = [r.randrange(len(palette)) for _ in range(n)]
            if n >= 3 and r.random() < 0.5:
                data = bytes(values) if bits == 8 else bytes.fromhex(
                    "".join(format(v, "x") for v in values).ljust((n + 1) // 2 * 2, "0"))
                body += bytes((0, n)) + data + b"\0" * (len(data) % 2)
            else:
                values = [values[0]] * n
                body += bytes((n, values[0] if bits == 8 else values[0] * 17))
            row += values
        body += b"\0\0"
        rows.insert(0, [s for v in row for s in palette[v]])
    return bmp(r, width, height, bits, storage=1 if bits == 8 else 2, palette=palette,
               body=bytes(body[:-2] + b"\0\1"))[0], rows


def netpbm(r, width, height, kind, most=255):
    bands = 3 if kind in (3, 6) else 1
    most = 1 if kind in (1, 4) else most
    full = 65535 if most > 255 else 255
    rows = [[r.randrange(most + 1) for _ in range(width * bands)] for _ in range(height)]
    head = f"P{kind}\n# by a test\n{width} {height}" + ("" if most == 1 else f"\n{most}") + "\n"
    body = b""
    for row in rows:
        if kind <= 3:
            body += " ".join(str(v) for v in row).encode() + b"\n"
        elif kind == 4:
            bits = "".join(str(v) for v in row)
            body += int(bits.ljust((width + 7) // 8 * 8, "0"), 2).to_bytes((width + 7) // 8, "big")
        else:
            body += b"".join(struct.pack(">H" if most > 255 else "B", v) for v in row)
    return head.encode() + body, [
        [255 * (1 - v) if most == 1 else spread(v, most, full) for v in row] for row in rows]


def files(r):
    w, h = r.randrange(1, 40), r.randrange(1, 30)
    table = [(r.randrange(256), r.randrange(256), r.randrange(256)) for _ in range(256)]
    grays = [(i, i, i) for i in range(256)]
    yield "one.bmp", bmp(r, w, h, 1, palette=table[:2])
    yield "black_white.bmp", bmp(r, w, h, 1, palette=[(0, 0, 0), (255, 255, 255)])
    yield "four.bmp", bmp(r, w, h, 4, palette=table[:16])
    yield "eight.bmp", bmp(r, w, h, 8, palette=table[:r.randrange(2, 257)])
    yield "gray.bmp", bmp(r, w, h, 8, palette=grays)
    yield "sixteen.bmp", bmp(r, w, h, 16)
    yield "fields16.bmp", bmp(r, w, h, 16, storage=3, masks=(0xF800, 0x7E0, 0x1F))
    yield "twenty_four.BMP", bmp(r, w, h, 24)
    yield "down.dib", bmp(r, w, h, 24, top_down=True)
    yield "thirty_two.bmp", bmp(r, w, h, 32)
    yield "alpha.bmp", bmp(r, w, h, 32, storage=6, masks=(0xFF0000, 0xFF00, 0xFF, 0xFF000000))
    yield "runs8.bmp", runs(r, w, h, 8, table)
    yield "runs4.bmp", runs(r, w, h, 4, table[:16])
    for kind, suffix in enumerate(("pbm", "pgm", "ppm") * 2, 1):
        yield f"plain{kind}.{suffix}", netpbm(r, w, h, kind)
        if suffix != "pbm":
            yield f"share{kind}.{suffix}", netpbm(r, w, h, kind, r.randrange(2, 255))
            yield f"wide{kind}.pnm", netpbm(r, w, h, kind, r.randrange(256, 65536))


def write(folder, seed):
    expected = {}
    for name, (data, rows) in files(random.Random(seed)):
        with open(f"{folder}/{name}", "wb") as file:
            file.write(data)
        expected[os.path.splitext(name)[0] + ".png"] = rows
    with open(folder + ".expected.json", "w", encoding="ascii") as file:
        json.dump(expected, file)


def compare(folder, pngs):
    with open(folder + ".expected.json", encoding="ascii") as file:
        expected = json.load(file)
    wrong = [name for name, rows in expected.items()
             if [list(row) for row in png.rows(f"{pngs}/{name}")] != rows]
    sys.exit(f"wrong: {' '.join(wrong)}" if wrong or len(expected) < 25 else 0)


def cut(source, folder):
    for name in os.listdir(source):
        with open(f"{source}/{name}", "rb") as file:
            data = file.read()
        for i in range(12):
            with open(f"{folder}/{i}{name}", "wb") as file:
                file.write(data[:(len(data) - 8) * i // 12])


if __name__ == "__main__":
    {"write": write, "compare": compare, "cut": cut}[sys.argv[1]](*sys.argv[2:])
