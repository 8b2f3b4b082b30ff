"""Write images of kinds that few programs make, or files that are none, into a folder.

Usage: odd_images.py FOLDER NAME...: NAME is of the table below, as rgba.png.
"""

import struct
import sys
import zlib

WIDTH, HEIGHT = 40, 30


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(colour, depth, width=WIDTH, height=HEIGHT, extra=b""):
    bands = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colour]
    step = bands * depth // 8
    rows = b"".join(
        b"\0" + bytes((x * 3 + y * 5) % 200 for x in range(width * step)) for y in range(height)
    )
    palette = chunk(b"PLTE", bytes(range(256)) * 3) if colour == 3 else b""
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0))
        + palette
        + extra
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def bmp(bits, top_down=False, masks=b"", storage=0):
    stride = (WIDTH * bits + 31) // 32 * 4
    palette = b"".join(bytes((255 - i, i, i // 2, 0)) for i in range(2**bits)) if bits <= 8 else b""
    body = bytes((x * 7 + y * 13) % 256 for y in range(HEIGHT) for x in range(stride))
    start = 14 + 40 + len(masks) + len(palette)
    return (
        struct.pack("<2sIHHI", b"BM", start + len(body), 0, 0, start)
        + struct.pack("<IiiHHIIiiII", 40, WIDTH, -HEIGHT if top_down else HEIGHT, 1, bits, storage,
                      len(body), 2835, 2835, 0, 0)
        + masks
        + palette
        + body
    )  # fmt: skip


def netpbm(kind, most=255):
    bands = 3 if kind in (3, 6) else 1
    values = [(i * 7) % (most + 1) for i in range(WIDTH * HEIGHT * bands)]
    head = f"P{kind}\n# a comment\n{WIDTH} {HEIGHT}\n"
    if kind not in (1, 4):
        head += f"{most}\n"
    if kind == 1:
        return (head + " ".join(str(v % 2) for v in values) + "\n").encode()
    if kind <= 3:
        return (head + " ".join(map(str, values)) + "\n").encode()
    if kind == 4:
        return head.encode() + bytes(i % 256 for i in range((WIDTH + 7) // 8 * HEIGHT))
    return head.encode() + b"".join(struct.pack(">H" if most > 255 else ">B", v) for v in values)


FILES = {
    "gray.png": lambda: png(0, 8),
    "gray16.png": lambda: png(0, 16),
    "gray_alpha.png": lambda: png(4, 8),
    "rgb.png": lambda: png(2, 8),
    "rgb16.png": lambda: png(2, 16),
    "rgba.png": lambda: png(6, 8),
    "palette.png": lambda: png(3, 8),
    "see_through.png": lambda: png(3, 8, extra=chunk(b"tRNS", b"\0\x80")),
    "tiny.png": lambda: png(2, 8, 5, 4),
    "empty.jpg": lambda: b"",
    "text.jpg": lambda: b"this is no image, whatever its name says\n",
    "bmp1.bmp": lambda: bmp(1),
    "bmp4.bmp": lambda: bmp(4),
    "bmp8.bmp": lambda: bmp(8),
    "bmp16.bmp": lambda: bmp(16),
    "bmp24.bmp": lambda: bmp(24),
    "bmp24_down.bmp": lambda: bmp(24, top_down=True),
    "bmp32.bmp": lambda: bmp(32),
    "bmp32_alpha.bmp": lambda: bmp(
        32, masks=struct.pack("<4I", 0xFF0000, 0xFF00, 0xFF, 0xFF000000), storage=6
    ),
    "plain.pbm": lambda: netpbm(1),
    "plain.pgm": lambda: netpbm(2),
    "plain.ppm": lambda: netpbm(3),
    "raw.pbm": lambda: netpbm(4),
    "raw.pgm": lambda: netpbm(5),
    "raw16.pgm": lambda: netpbm(5, 4095),
    "raw.ppm": lambda: netpbm(6),
}


def main():
    folder = sys.argv[1]
    for name in sys.argv[2:]:
        with open(f"{folder}/{name}", "wb") as file:
            file.write(FILES[name]())


if __name__ == "__main__":
    main()
