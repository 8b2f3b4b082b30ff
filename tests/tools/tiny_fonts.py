"""Fonts of a few glyphs, made here: tiny_fonts.py LOCKSTEP, in an empty folder. A TrueType font has overlapping
outlines, a hole, and curves whose midpoints are not integers. A CFF font has cubic curves. Their pixels are compared
with the outlines. A damaged glyph (B) is refused.
"""
import json
import os
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import png  # noqa: E402
import written  # noqa: E402

UNITS, CFF_UNITS = 16, 1000
# Contours of (x, y, on the curve). Clockwise is filled; the last one of H is a hole.
SQUARES = [[(0, 0, 1), (0, 8, 1), (8, 8, 1), (8, 0, 1)], [(4, 4, 1), (4, 12, 1), (12, 12, 1), (12, 4, 1)]]
HOLE = [[(0, 0, 1), (0, 12, 1), (12, 12, 1), (12, 0, 1)], [(3, 3, 1), (9, 3, 1), (9, 9, 1), (3, 9, 1)]]
ROUND = [[(1, 1, 0), (1, 8, 0), (8, 8, 0), (8, 1, 0)]]
# Where it begins, and curves: two points that bend it, and its end.
LEAF = (100, 100), [((100, 500), (300, 800), (700, 700)), ((900, 300), (500, 0), (100, 100))]


def sfnt(version, tables):
    """The bytes of a font of these tables."""
    at, head, body = 12 + 16 * len(tables), b"", b""
    for name, data in sorted(tables.items()):
        head += struct.pack(">4sIII", name.encode(), 0, at + len(body), len(data))
        body += data + bytes(-len(data) % 4)
    return struct.pack(">4sHHHH", version, len(tables), 0, 0, 0) + head + body


def common(units, glyphs):
    """Tables that both kinds have: glyph i + 1 is the i-th of these letters, and as wide as the em square."""
    codes = [ord(c) for c in glyphs]
    n = len(codes) + 1
    segments = struct.pack(f">{n}HH{n}H{n}H{n}H", *codes, 0xffff, 0, *codes, 0xffff,
                           *((i + 1 - c) % 65536 for i, c in enumerate(codes)), 1, *[0] * n)
    cmap = struct.pack(">HHHHI", 0, 1, 3, 1, 12) + \
        struct.pack(">HHHHHHH", 4, 14 + len(segments), 0, 2 * n, 0, 0, 0) + segments
    return {
        "cmap": cmap,
        "head": struct.pack(">IIIIHHQQhhhhHHhhh", 0x10000, 0, 0, 0x5f0f3cf5, 0, units, 0, 0, 0, 0, units, units, 0, 8,
                            2, 1, 0),
        "hhea": struct.pack(">IhhhHhhhhhhhhhhhH", 0x10000, units, 0, 0, units, *[0] * 11, 1),
        "hmtx": struct.pack(">Hh", units, 0) + bytes(2 * (n - 1)),
    }


def simple(contours):
    """A glyph of the table glyf."""
    points = [p for contour in contours for p in contour]
    ends, n = [], -1
    for contour in contours:
        n += len(contour)
        ends.append(n)
    data = struct.pack(f">hhhhh{len(ends)}HH", len(contours), 0, 0, UNITS, UNITS, *ends, 0)
    data += bytes(on for _, _, on in points)
    for axis in 0, 1:
        values = [p[axis] for p in points]
        data += struct.pack(f">{len(values)}h", *(b - a for a, b in zip([0] + values, values)))
    return data + bytes(-len(data) % 4)


def truetype():
    damaged = struct.pack(">hhhhhHH", 1, 0, 0, UNITS, UNITS, 900, 0)
    glyphs = [simple(SQUARES), simple(SQUARES), damaged + bytes(-len(damaged) % 4), simple(ROUND), simple(HOLE)]
    ends = [sum(map(len, glyphs[:i])) for i in range(len(glyphs) + 1)]
    return sfnt(b"\0\1\0\0", common(UNITS, "ABCH") | {
        "glyf": b"".join(glyphs), "loca": struct.pack(f">{len(ends)}I", *ends),
        "maxp": struct.pack(">IH13H", 0x10000, len(glyphs), 64, 8, 0, 0, 2, *[0] * 8)})


def index(items):
    if not items:
        return struct.pack(">H", 0)
    ends = [1 + sum(map(len, items[:i])) for i in range(len(items) + 1)]
    return struct.pack(f">HB{len(ends)}H", len(items), 2, *ends) + b"".join(items)


def integer(v):
    return struct.pack(">Bh", 28, v)


def offset(v):
    return struct.pack(">Bi", 29, v)


def charstring(start, curves):
    """rmoveto, rrcurveto, endchar."""
    out, pen = b"".join(map(integer, start)) + b"\x15", start
    for curve in curves:
        for point in curve:
            out += b"".join(integer(b - a) for a, b in zip(pen, point))
            pen = point
        out += b"\x08"
    return out + b"\x0e"


def compact():
    glyphs = index([b"\x0e", charstring(*LEAF)])
    head, names, strings = b"\1\0\4\2", index([b"Tiny"]), index([])
    for _ in range(2):  # offsets have a fixed length
        at = len(head) + len(names) + len(index([b"x" * 17])) + 2 * len(strings)
        top = index([offset(at) + b"\x11" + offset(0) + offset(at + len(glyphs)) + b"\x12"])
        assert len(top) == len(index([b"x" * 17]))
    cff = head + names + top + strings + strings + glyphs
    return sfnt(b"OTTO", common(CFF_UNITS, "A") | {"CFF ": cff, "maxp": struct.pack(">IH", 0x5000, 2)})


def cubic(start, curves, pieces=60):
    points = [start]
    for b, c, d in curves:
        a = points[-1]
        for k in range(1, pieces + 1):
            t = k / pieces
            points.append(tuple((1 - t) ** 3 * a[i] + 3 * t * (1 - t) ** 2 * b[i] + 3 * t * t * (1 - t) * c[i] +
                                t ** 3 * d[i] for i in (0, 1)))
    return points


INK, GROUND, SIDE = 100, 50, 80


def drawn(lockstep, font, text, size):
    step = {"type": "draw_text", "texts": [text], "boxes": [[0, 0, SIDE, SIDE]], "font_size": [size], "font_color": INK}
    with open("p.json", "w", encoding="utf-8") as file:
        json.dump({"version": 1, "transforms": [step]}, file)
    return subprocess.run([lockstep, "run", "-q", "--overwrite", "-p", "p.json", "-i", "in", "-o", "out", "--font", font],
                          capture_output=True, text=True, check=False)


def compare(lockstep, font, letter, size, polygons):
    """The polygons are in pixels; y grows downwards."""
    done = drawn(lockstep, font, letter, size)
    if done.returncode:
        sys.exit(f"{font} {letter}: {done.stderr}")
    _, _, _, have = png.read("out/images/a.png")
    shares = written.shares(polygons, SIDE, SIDE)
    assert any(share > 0.99 for share in shares.values())
    for y in range(SIDE):
        for x in range(SIDE):
            want = GROUND + (INK - GROUND) * shares.get((x, y), 0)
            if abs(have[y * SIDE + x] - want) > 0.75:
                sys.exit(f"{font} {letter}: at {x}, {y} it is {have[y * SIDE + x]}, not {want:.2f}")


def main(lockstep):
    os.mkdir("in")
    png.write("in/a.png", [bytes([GROUND] * SIDE)] * SIDE)
    for name, data in ("tiny.ttf", truetype()), ("tiny.otf", compact()):
        with open(name, "wb") as file:
            file.write(data)
    for size in 64, 53:
        for letter, contours in ("A", SQUARES), ("C", ROUND), ("H", HOLE):
            # Pixels that one square covers in part lie at the ends of both: they do not meet in a pixel at 64.
            if letter == "A" and size != 64:
                continue
            compare(lockstep, "tiny.ttf", letter, size,
                    [[(x * size / UNITS, size - y * size / UNITS) for x, y in written.flattened(c)] for c in contours])
        compare(lockstep, "tiny.otf", "A", size,
                [[(x * size / CFF_UNITS, size - y * size / CFF_UNITS) for x, y in cubic(*LEAF)]])
    done = drawn(lockstep, "tiny.ttf", "B", 64)
    if done.returncode != 4 or "cannot read the font's glyph of U+0042 [font-unread]" not in done.stderr:
        sys.exit(f"the damaged glyph: {done.returncode}, {done.stderr}")
    print("compared")


if __name__ == "__main__":
    main(*sys.argv[1:])
