"""Small image files that have cost minutes or gigabytes, written into the folder given.

Each name tells the format; most of them hold a picture all the same.
"""
import os
import struct
import sys
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import png  # noqa: E402

WIDE = 16383


def riff(*chunks):
    body = b"WEBP" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def chunk(name, data):
    return name + struct.pack("<I", len(data)) + data + b"\0" * (len(data) % 2)


def vp8l(width, height):
    """Returns an image of one color, whatever the size: its codes have no bits."""
    size = width - 1 | height - 1 << 14 | 1 << 28
    return chunk(b"VP8L", b"\x2f" + struct.pack("<I", size) + bytes.fromhex("071011118888fe07"))


def vp8x(flags, width, height):
    return chunk(b"VP8X", bytes([flags, 0, 0, 0]) + (width - 1).to_bytes(3, "little") +
                 (height - 1).to_bytes(3, "little"))


def anmf(width, height):
    return chunk(b"ANMF", bytes(6) + (width - 1).to_bytes(3, "little") +
                 (height - 1).to_bytes(3, "little") + b"\x64\0\0\0" + vp8l(width, height))


def gradient(width, height, *before):
    """A gray PNG with chunks before its pixels."""
    body = (b"\0" + bytes(x * 5 & 255 for x in range(width))) * height
    return png.assemble(width, height, 8, png.GRAY, body, before)


def gif(screen, frame, codes=b"\x02\x44\x01", offset=(0, 0)):
    return (b"GIF89a" + struct.pack("<HHBBB", *screen, 0x80, 0, 0) + b"\0\0\0\xff\xff\xff" +
            b"!\xf9\x04\x01\0\0\0\0" + b"," + struct.pack("<HHHHB", *offset, *frame, 0) +
            b"\x02" + codes + b"\0;")


def jpeg(*segments, components=1):
    """8 x 8 pixels of one color, with segments after SOI."""
    luma = b"\xff\xdb\0\x43\0" + bytes([1]) * 64
    frame = struct.pack(">HBHHB", 8 + 3 * components, 8, 8, 8, components) + b"".join(
        bytes([i + 1, 0x11, 0]) for i in range(components))
    # A table of one code, "0", for the value 0: no difference, end of block.
    tables = b"".join(b"\xff\xc4\0\x14" + bytes([kind, 1] + [0] * 15 + [0]) for kind in (0, 16))
    scan = struct.pack(">HB", 6 + 2 * components, components) + b"".join(
        bytes([i + 1, 0]) for i in range(components)) + b"\0\x3f\0"
    bits = {1: b"\x3f", 4: b"\0"}[components]
    return (b"\xff\xd8" + b"".join(segments) + luma + b"\xff\xc0" + frame + tables + b"\xff\xda" +
            scan + bits + b"\xff\xd9")


def scans(side, n):
    """A progressive gray JPEG of one colour with so many scans: one of its means, the others of nothing."""
    blocks = ((side + 7) // 8) ** 2
    tables = b"".join(b"\xff\xc4\0\x14" + bytes([kind, 1] + [0] * 15 + [value])
                      for kind, value in ((0, 0), (16, 0xe0)))

    def scan(first, last, bits):
        return (b"\xff\xda" + struct.pack(">HBBB", 8, 1, 1, 0) + bytes([first, last, 0]) +
                bits.replace(b"\xff", b"\xff\0"))
    # "0" and 14 bits: this block and the next 32766 have nothing.
    runs = "".join("0" + "1" * 14 for _ in range(0, blocks, 32767))
    runs += "1" * (-len(runs) % 8)
    nothing = bytes(int(runs[i:i + 8], 2) for i in range(0, len(runs), 8))
    return (b"\xff\xd8" + b"\xff\xdb\0\x43\0" + bytes([1]) * 64 + b"\xff\xc2" +
            struct.pack(">HBHHB", 11, 8, side, side, 1) + bytes([1, 0x11, 0]) + tables +
            scan(0, 0, bytes((blocks + 7) // 8)) + scan(1, 63, nothing) * (n - 1) + b"\xff\xd9")


def app(number, data):
    return bytes([0xff, 0xe0 + number]) + struct.pack(">H", len(data) + 2) + data


def nested_exif(size):
    """A directory whose pointers to EXIF, GPS and interoperability data all lead to itself in turn."""
    n = (size - 14) // 12
    tags = (0x8769, 0x8825, 0xa005)
    entries = b"".join(struct.pack("<HHII", tags[i % 3], 4, 1, 8) for i in range(n))
    return b"II*\0\x08\0\0\0" + struct.pack("<H", n) + entries + bytes(4)


def tiff(directories, subfile=0):
    """Gray pixels of 8 x 8, and so many directories, each a page of the same pixels."""
    def directory(at, last):
        entries = [(254, 4, subfile if at > 72 else 0), (256, 4, 8), (257, 4, 8), (258, 3, 8), (259, 3, 1), (262, 3, 1), (273, 4, 8),
                   (277, 3, 1), (278, 4, 8), (279, 4, 64)]
        return (struct.pack("<H", len(entries)) +
                b"".join(struct.pack("<HHII", tag, kind, 1, value) for tag, kind, value in entries) +
                struct.pack("<I", 0 if last else at + 2 + 12 * len(entries) + 4))
    out = b"II*\0" + struct.pack("<I", 72) + bytes(range(64))
    parts = []
    at = 72
    for i in range(directories):
        parts.append(directory(at, i + 1 == directories))
        at += len(parts[-1])
    return out + b"".join(parts)


def flat(side, kind, depth, samples):
    """A PNG of black pixels, a thousandth of their bytes."""
    packer = zlib.compressobj(9)
    row = bytes(1 + side * samples * depth // 8)
    packed = b"".join(packer.compress(row) for _ in range(side)) + packer.flush()
    return png.SIGNATURE + png.chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, depth, kind, 0, 0, 0)) + \
        png.chunk(b"IDAT", packed) + png.chunk(b"IEND", b"")


DISGUISES = {
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/></svg>',
    "mvg": b"push graphic-context\nviewbox 0 0 9 9\nfill 'url(https://127.0.0.1/x.jpg\"|touch pwned\")'\n"
           b"pop graphic-context\n",
    "pdf": b"%PDF-1.4\n1 0 obj<</Type/Catalog/OpenAction 2 0 R>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
    "elf": b"\x7fELF\x02\x01\x01" + bytes(57),
    "html": b"<html><img src='file:///etc/passwd'></html>",
}


def sparse(path, head, size=100 << 30):
    with open(path, "wb") as f:
        f.write(head)
        f.truncate(size)


def main(folder):
    exif = nested_exif(65500)
    adobe = app(14, b"Adobe\0\x64\0\0\0\0\0")
    files = {
        "exif.jpg": jpeg(app(1, b"Exif\0\0" + exif)),
        "exif-inks.jpg": jpeg(app(1, b"Exif\0\0" + exif), adobe, components=4),
        "exif.png": gradient(8, 8, (b"eXIf", exif)),
        "exif.webp": riff(vp8x(8, 8, 8), vp8l(8, 8), chunk(b"EXIF", exif)),
        "exif-prefixed.webp": riff(vp8x(8, 8, 8), vp8l(8, 8), chunk(b"EXIF", b"Exif\0\0" + exif)),
        "markers1.jpg": jpeg(app(1, b"") * (512 * 1024 // 4)),
        "markers2.jpg": jpeg(app(2, b"") * (512 * 1024 // 4)),
        "markers-inks.jpg": jpeg(app(1, b"") * (512 * 1024 // 4), adobe, components=4),
        "texts.png": gradient(8, 8, *[(b"tEXt", b"k\0v")] * 40000),
        "inflated.png": gradient(8, 8, *[(b"zTXt", b"k\0\0" + zlib.compress(bytes(40 << 20)))] * 12),
        "frames.webp": riff(vp8x(2, 8, 8), chunk(b"ANIM", bytes(6)), anmf(8, 8) * 100000),
        "pages.tif": tiff(100000),
        "canvas.webp": riff(vp8l(WIDE, WIDE)),
        "canvas-extended.webp": riff(vp8x(0, WIDE, WIDE), vp8l(WIDE, WIDE)),
        "canvas-frames.webp": riff(vp8x(2, WIDE, WIDE), chunk(b"ANIM", bytes(6)), anmf(1, 1)),
        "canvas.gif": gif((WIDE, WIDE), (WIDE, WIDE)),
        "canvas-offset.gif": gif((WIDE, WIDE), (1, 1), offset=(WIDE - 1, WIDE - 1)),
        "canvas-screen.gif": gif((WIDE, WIDE), (1, 1)),
        "profile.png": gradient(8, 8, (b"iCCP", b"k\0\0" + zlib.compress(bytes(200 << 20), 9))),
        "profile.jpg": jpeg(*[app(2, b"ICC_PROFILE\0" + bytes([i + 1, 255]) + bytes(65500)) for i in range(255)]),
        "texts-itxt.png": gradient(8, 8, *[(b"iTXt", b"k\0\1\0\0\0" + zlib.compress(bytes(40 << 20)))] * 12),
        "scans99.jpg": scans(512, 99),
        "scans100.jpg": scans(512, 100),
        "scans101.jpg": scans(512, 101),
        "scans20000.jpg": scans(512, 20000),
        "scans-large.jpg": scans(16000, 300),
        "flat.png": flat(WIDE, png.GRAY, 8, 1),
        "flat-rgba16.png": flat(8000, png.RGB_ALPHA, 16, 4),
        "one-pixel.gif": gif((4000, 4000), (4000, 4000)),
    }
    for name, data in files.items():
        with open(os.path.join(folder, name), "wb") as f:
            f.write(data)
    for name, data in DISGUISES.items():
        with open(os.path.join(folder, name + ".jpg"), "wb") as f:
            f.write(data)
    sparse(os.path.join(folder, "zeros.jpg"), b"")
    sparse(os.path.join(folder, "zeros-behind.jpg"), b"\xff\xd8\xff\xe0")
    sparse(os.path.join(folder, "zeros-behind.png"), b"\x89PNG\r\n\x1a\n")
    sparse(os.path.join(folder, "zeros-behind.tif"), b"II*\0")
    for name, head in {
        "gap.jpg": jpeg(), "gap-header.jpg": jpeg()[:4], "gap-png.png": gradient(8, 8), "gap-header-png.png": b"\x89PNG\r\n\x1a\n",
        "gap-webp.webp": riff(vp8l(8, 8)), "gap-tif.tif": tiff(1), "gap-header-tif.tif": b"II*\0",
        "gap-bmp.bmp": b"BM" + struct.pack("<IIIIiiHHIIiiII", 1 << 30, 0, 54, 40, 8, 8, 1, 24, 0, 0, 0, 0, 0, 0),
        "gap-pnm.ppm": b"P6\n8 8\n255\n", "gap-text.ppm": b"P3\n8 8\n255\n",
    }.items():
        sparse(os.path.join(folder, name), head, 1 << 30)
    sparse(os.path.join(folder, "gap-gif.gif"), gif((8, 8), (8, 8)), 500 << 20)


if __name__ == "__main__":
    main(sys.argv[1])
