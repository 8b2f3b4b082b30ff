#!/usr/bin/env python3
"""Metadata of image files for tests.

  density.py density|profile FILE          prints the density or profile of a file
  density.py make FILE SOURCE DPI          copies a JPEG or PNG with that many pixels per inch, or DPIxDPI
  density.py profiled FILE SOURCE          copies a JPEG with a color profile
  density.py exif FILE SOURCE ORDER UNIT X Y [JFIF]    copies a JPEG with its density in EXIF data

ORDER is II or MM; X and Y are written as OVER/UNDER; unit 2 is an inch, 3 a cm. With JFIF, the unit of the JFIF
segment, that segment is kept.
"""
import pathlib
import struct
import sys

import png


def jpeg_density(data):
    """Returns the density of JFIF, which comes first."""
    unit, x, y = struct.unpack(">BHH", data[13:18])
    return (round(x / 0.0254) if unit == 1 else 100 * x) if unit and x == y else None


def tiff_density(data):
    """Returns the density of a classic TIFF's first directory."""
    order = "<" if data[:2] == b"II" else ">"
    at, = struct.unpack(order + "I", data[4:8])
    n, = struct.unpack(order + "H", data[at:at + 2])
    tags = {}
    for i in range(n):
        tag, kind, _, value = struct.unpack(order + "HHII", data[at + 2 + 12 * i:at + 14 + 12 * i])
        tags[tag] = struct.unpack(order + "II", data[value:value + 8]) if kind == 5 else value & 0xffff
    if 282 not in tags or tags.get(296, 2) == 1:
        return None
    over, under = tags[282]
    return round(over / under * (100 if tags.get(296, 2) == 3 else 1 / 0.0254))


def density(path):
    """Pixels a metre, or None."""
    data = pathlib.Path(path).read_bytes()
    if data[:2] == b"\xff\xd8":
        return jpeg_density(data)
    if data[:2] in (b"II", b"MM"):
        return tiff_density(data)
    for kind, body in png.chunks(data):
        if kind == b"pHYs":
            return struct.unpack(">I", body[:4])[0]
    return None


def make(path, source, dpi):
    """The source with another density."""
    data = bytearray(pathlib.Path(source).read_bytes())
    x, y = (int(v) for v in (dpi.split("x") * 2)[:2])
    if data[:2] == b"\xff\xd8":
        data[13:18] = struct.pack(">BHH", 1, x, y)
    else:
        body = struct.pack(">IIB", round(x / 0.0254), round(y / 0.0254), 1)
        data[33:33] = png.chunk(b"pHYs", body)
    pathlib.Path(path).write_bytes(data)


def profiled(path, source):
    """A JPEG with a minimal RGB profile after its first segment."""
    data = bytearray(pathlib.Path(source).read_bytes())
    profile = bytearray(132)
    profile[0:4] = struct.pack(">I", len(profile))
    profile[12:24] = b"mntrRGB XYZ "
    segment = b"ICC_PROFILE\0\1\1" + bytes(profile)
    data[20:20] = b"\xff\xe2" + struct.pack(">H", len(segment) + 2) + segment
    pathlib.Path(path).write_bytes(data)


def exif(path, source, order, unit, x, y, jfif=None):
    """A JPEG as cameras write it: EXIF replaces JFIF. A unit of "-" is left out, which means inches."""
    data = pathlib.Path(source).read_bytes()
    sign = "<" if order == "II" else ">"
    entries = [(0x10f, 2, 4, order[0].encode() + b"x\0\0"), (282, 5, 1, x), (283, 5, 1, y)]
    if unit != "-":
        entries.append((296, 3, 1, struct.pack(sign + "HH", int(unit), 0)))
    directory, far = struct.pack(sign + "H", len(entries)), b""
    begin = 8 + 2 + 12 * len(entries) + 4
    for tag, kind, count, value in entries:
        if isinstance(value, str):
            far += struct.pack(sign + "II", *(int(v) for v in value.split("/")))
            value = struct.pack(sign + "I", begin + len(far) - 8)
        directory += struct.pack(sign + "HHI", tag, kind, count) + value
    body = b"Exif\0\0" + order.encode() + struct.pack(sign + "HI", 42, 8) + directory + bytes(4) + far
    segment = b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body
    kept = b"" if jfif is None else data[2:13] + bytes([int(jfif)]) + data[14:20]
    pathlib.Path(path).write_bytes(data[:2] + kept + segment + data[20:])


def main(what, path, *rest):
    """Runs the command of the arguments."""
    if what == "density":
        print(density(path) or "none")
    elif what == "profile":
        print("yes" if b"ICC_PROFILE" in pathlib.Path(path).read_bytes() else "no")
    elif what == "make":
        make(path, *rest)
    elif what == "exif":
        exif(path, *rest)
    else:
        profiled(path, *rest)


main(*sys.argv[1:])
