"""Write images of rare kinds, or files that are not images, into a folder.

Usage: odd_images.py FOLDER NAME...: names of the table below, such as rgba.png.
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
}


def main():
    folder = sys.argv[1]
    for name in sys.argv[2:]:
        with open(f"{folder}/{name}", "wb") as file:
            file.write(FILES[name]())


if __name__ == "__main__":
    main()
