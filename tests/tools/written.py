"""Compare `draw_text` with a slow program that reads TrueType tables itself: written.py LOCKSTEP FONT, in an empty
folder. The share of each pixel is the area of the outlines clipped to it. Texts have kerning, composed glyphs and a
character that the font lacks, and reach beyond edges of the image and of their boxes. Images are gray and color, of 8
and 16 bits, with and without alpha.
"""
import json
import math
import os
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import pictures  # noqa: E402

PIECES = 40  # of a curve


class Font:
    """Tables of a TrueType font, as ISO/IEC 14496-22 has them."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        n, = struct.unpack(">H", self.data[4:6])
        self.at = {}
        for i in range(n):
            tag, _, offset, _ = struct.unpack(">4sIII", self.data[12 + 16 * i:28 + 16 * i])
            self.at[tag.decode()] = offset
        self.units = self.read("head", 18, "H")[0]
        self.long_loca = self.read("head", 50, "h")[0]
        self.ascender = self.read("hhea", 4, "h")[0]
        self.n_advances = self.read("hhea", 34, "H")[0]
        self.glyph_of = dict(self.characters())
        self.kerning = dict(self.pairs())

    def read(self, table, offset, form):
        return struct.unpack_from(">" + form, self.data, self.at[table] + offset)

    def characters(self):
        """Returns the characters of the Basic Multilingual Plane, from a subtable of format 4."""
        for i in range(self.read("cmap", 2, "H")[0]):
            platform, encoding, offset = self.read("cmap", 4 + 8 * i, "HHI")
            if (platform, encoding) == (3, 1):
                break
        form, _, _, n = self.read("cmap", offset, "HHHH")
        assert form == 4
        n //= 2
        ends = self.read("cmap", offset + 14, f"{n}H")
        starts = self.read("cmap", offset + 16 + 2 * n, f"{n}H")
        deltas = self.read("cmap", offset + 16 + 4 * n, f"{n}H")
        ranges = self.read("cmap", offset + 16 + 6 * n, f"{n}H")
        for i in range(n):
            for c in range(starts[i], ends[i] + 1):
                glyph = c
                if ranges[i]:
                    glyph = self.read("cmap", offset + 16 + 6 * n + 2 * i + ranges[i] + 2 * (c - starts[i]), "H")[0]
                if glyph or not ranges[i]:
                    yield c, (glyph + deltas[i]) % 65536

    def pairs(self):
        for i in range(self.read("kern", 2, "H")[0] and 1):
            _, _, coverage, n = self.read("kern", 4, "HHHH")
            assert coverage >> 8 == 0
            for k in range(n):
                left, right, value = self.read("kern", 18 + 6 * k, "HHh")
                yield (left, right), value

    def advance(self, glyph):
        return self.read("hmtx", 4 * min(glyph, self.n_advances - 1), "H")[0]

    def contours(self, glyph):
        """Lists of (x, y, on the curve)."""
        size = 4 if self.long_loca else 2
        begin, end = self.read("loca", size * glyph, "II" if self.long_loca else "HH")
        begin, end = (begin, end) if self.long_loca else (2 * begin, 2 * end)
        if begin == end:
            return []
        n, = self.read("glyf", begin, "h")
        return self.simple(begin + 10, n) if n >= 0 else self.composed(begin + 10)

    def simple(self, at, n):
        ends = self.read("glyf", at, f"{n}H")
        at += 2 * n
        at += 2 + self.read("glyf", at, "H")[0]
        flags = []
        while len(flags) <= ends[-1]:
            flag, repeats = self.read("glyf", at, "BB")
            flags += [flag] * (1 + (repeats if flag & 8 else 0))
            at += 2 if flag & 8 else 1
        axes = []
        for short, same in ((2, 16), (4, 32)):
            value, values = 0, []
            for flag in flags:
                if flag & short:
                    step, = self.read("glyf", at, "B")
                    value += step if flag & same else -step
                    at += 1
                elif not flag & same:
                    value += self.read("glyf", at, "h")[0]
                    at += 2
                values.append(value)
            axes.append(values)
        points = [(x, y, flag & 1) for x, y, flag in zip(*axes, flags)]
        return [points[a + 1:b + 1] for a, b in zip((-1, *ends), ends)]

    def composed(self, at):
        out, more = [], True
        while more:
            flags, glyph = self.read("glyf", at, "HH")
            assert flags & 2
            dx, dy = self.read("glyf", at + 4, "hh" if flags & 1 else "bb")
            at += 8 if flags & 1 else 6
            xx, xy, yx, yy = 1, 0, 0, 1
            if flags & 8:
                xx = yy = self.read("glyf", at, "h")[0] / 16384
                at += 2
            elif flags & 64:
                xx, yy = (v / 16384 for v in self.read("glyf", at, "hh"))
                at += 4
            elif flags & 128:
                xx, xy, yx, yy = (v / 16384 for v in self.read("glyf", at, "hhhh"))
                at += 8
            out += [[(x * xx + y * yx + dx, x * xy + y * yy + dy, on) for x, y, on in contour]
                    for contour in self.contours(glyph)]
            more = flags & 32
        return out


def flattened(contour):
    """A contour's curves as straight pieces."""
    points = []
    for i, (x, y, on) in enumerate(contour):
        px, py, before = contour[i - 1]
        if not on and not before:
            points.append(((px + x) / 2, (py + y) / 2, 1))
        points.append((x, y, on))
    while not points[0][2]:
        points = points[1:] + points[:1]
    out, i = [], 0
    while i < len(points):
        x, y, _ = points[i]
        out.append((x, y))
        if i + 1 < len(points) and not points[i + 1][2]:
            (bx, by, _), (cx, cy, _) = points[i + 1], points[(i + 2) % len(points)]
            for k in range(1, PIECES):
                t = k / PIECES
                out.append(((1 - t) ** 2 * x + 2 * t * (1 - t) * bx + t * t * cx,
                            (1 - t) ** 2 * y + 2 * t * (1 - t) * by + t * t * cy))
            i += 1
        i += 1
    return out


def clipped(polygon, axis, limit, sign):
    """The part where sign * coordinate <= sign * limit (Sutherland and Hodgman)."""
    out = []
    for i, p in enumerate(polygon):
        q = polygon[i - 1]
        inside, before = sign * p[axis] <= sign * limit, sign * q[axis] <= sign * limit
        if inside != before:
            t = (limit - q[axis]) / (p[axis] - q[axis])
            cut = [q[k] + t * (p[k] - q[k]) for k in (0, 1)]
            cut[axis] = limit
            out.append(tuple(cut))
        if inside:
            out.append(p)
    return out


def area(polygon):
    return sum(q[0] * p[1] - p[0] * q[1] for q, p in zip(polygon[-1:] + polygon[:-1], polygon)) / 2


def shares(polygons, width, height):
    """Returns how much of each pixel is inside."""
    sums = {}
    for polygon in polygons:
        low, high = min(y for _, y in polygon), max(y for _, y in polygon)
        for y in range(max(0, math.floor(low)), min(height, math.ceil(high))):
            row = clipped(clipped(polygon, 1, y, -1), 1, y + 1, 1)
            if not row:
                continue
            left, right = min(x for x, _ in row), max(x for x, _ in row)
            for x in range(max(0, math.floor(left)), min(width, math.ceil(right))):
                part = clipped(clipped(row, 0, x, -1), 0, x + 1, 1)
                sums[x, y] = sums.get((x, y), 0) + area(part)
    return {at: min(1, abs(value)) for at, value in sums.items()}


def written(font, text, box, size, width, height):
    """The shares of an image's pixels that a text covers; box is top, left, height, width."""
    top, left, high, wide = box
    scale, pen, before, polygons = size / font.units, 0, None, []
    baseline = top + math.ceil(font.ascender * size / font.units)
    for c in text:
        glyph = font.glyph_of.get(ord(c), 0)
        pen += font.kerning.get((before, glyph), 0)
        polygons += [[(left + (pen + x) * scale, baseline - y * scale) for x, y in flattened(contour)]
                     for contour in font.contours(glyph)]
        pen += font.advance(glyph)
        before = glyph
    return {(x, y): share for (x, y), share in shares(polygons, width, height).items()
            if left <= x < left + wide and top <= y < top + high}


def over(colour, share, below):
    if len(below) <= 2:
        colour = [0.2989 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]]
    return pictures.over(colour, share, below)


WIDTH, HEIGHT = 110, 60
COLOUR = [230, 20, 90]
TEXTS = [("AVToß", [2, 3, 24, 70], 20), ("ü\u4e2d Ж8", [28, -4, 40, 90], 27), ("i%", [-6, 80, 16, 60], 24)]


def main(lockstep, path):
    font = Font(path)
    assert (font.glyph_of[ord("A")], font.glyph_of[ord("V")]) in font.kerning and 0x4e2d not in font.glyph_of
    covers = [written(font, *text, WIDTH, HEIGHT) for text in TEXTS]
    step = {"type": "draw_text", "texts": [t for t, _, _ in TEXTS], "boxes": [b for _, b, _ in TEXTS],
            "font_size": [s for _, _, s in TEXTS], "font_color": COLOUR}
    with open("p.json", "w", encoding="utf-8") as file:
        json.dump({"version": 1, "transforms": [step]}, file)
    os.mkdir("in")
    count = partly = 0
    for channels in 1, 2, 3, 4:
        for depth in 8, 16:
            top = 2 ** depth - 1
            pictures.write("in/a.png", WIDTH, HEIGHT, channels, depth, lambda x, y, c: (x * 5 + y * 3 + 70 * c) % 256)
            subprocess.run([lockstep, "run", "-q", "--overwrite", "-p", "p.json", "-i", "in", "-o", "out", "--font", path],
                           check=True)
            before, after = (pictures.shares(p) for p in ("in/a.png", "out/images/a.png"))
            for y in range(HEIGHT):
                for x in range(WIDTH):
                    want, have = before[y][x], after[y][x]
                    for cover in covers:
                        share = cover.get((x, y), 0)
                        # Pixels that are hardly covered have hardly any of the text's colour.
                        want = over([v / 255 for v in COLOUR], share, want)
                        partly += 0.01 < share < 0.99
                    # Rounding, and a curve's pieces, which are off by 1/512 of a pixel.
                    slack = 0.51 / top + 0.003
                    if channels in (2, 4) and want[-1] < 0.05:
                        continue
                    if any(abs(a - b) > slack for a, b in zip(want, have)):
                        sys.exit(f"{channels} channels, {depth} bits: at {x}, {y} it is {[v * top for v in have]}, not "
                                 f"{[v * top for v in want]}")
                    count += 1
    assert partly > 500
    print(f"{count} pixels")


if __name__ == "__main__":
    main(*sys.argv[1:])
