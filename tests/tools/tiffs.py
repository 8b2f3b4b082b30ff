"""TIFFs that a test makes by hand: tiffs.py FILE inks8 | inks16 | gray | rgb4 [big] [extra=N] [TAG...]. One row of
pixels. TAGs are DOUBLEs of GeoTIFF by their numbers; extra is the meaning of the last sample. INKS and RGB are the
results of Pillow 11.3's Image.convert("RGB").
"""
import struct
import sys

INKS = [(0, 0, 0, 0), (255, 0, 0, 0), (0, 255, 0, 0), (0, 0, 255, 0), (0, 0, 0, 255), (10, 200, 30, 40), (127, 128, 129, 130),
        (255, 255, 255, 255), (1, 2, 3, 4), (200, 100, 50, 25), (90, 91, 92, 0), (250, 5, 128, 254)]
RGB = [(255, 255, 255), (0, 255, 255), (255, 0, 255), (255, 255, 0), (0, 0, 0), (207, 46, 190), (63, 62, 62), (0, 0, 0),
       (250, 249, 248), (50, 140, 185), (165, 164, 163), (0, 1, 0)]


def tiff(kind, tags=(), big=False, extra=None):
    """The bytes of a file of one strip: little-endian, or big-endian with `big`."""
    order = ">" if big else "<"
    if kind == "gray":
        samples, bits, pixels, photometric, width = 1, 8, bytes(range(16)), 1, 16
    elif kind == "rgb4":
        samples, bits, pixels, photometric, width = 4, 8, bytes(range(64)), 2, 16
    else:
        samples, bits, photometric, width = 4, int(kind[4:]), 5, len(INKS)
        values = [v for ink in INKS for v in ink]
        pixels = bytes(values) if bits == 8 else struct.pack(f"{order}{len(values)}H", *(v << 8 | (v * 7) % 256 for v in values))
    entries = [(256, 3, [width]), (257, 3, [1]), (258, 3, [bits] * samples), (259, 3, [1]), (262, 3, [photometric]), (273, 4, [8]),
               (277, 3, [samples]), (278, 3, [1]), (279, 4, [len(pixels)])]
    entries += [(338, 3, [extra])] if extra is not None else []
    entries += [(tag, 12, [1.5, 2.5, 3.5]) for tag in sorted(tags)]
    data, at = b"", 8 + len(pixels)
    head = at + 2 + 12 * len(entries) + 4
    directory = struct.pack(order + "H", len(entries))
    for tag, kind_of, values in entries:
        packed = struct.pack(f"{order}{len(values)}{ {3: 'H', 4: 'I', 12: 'd'}[kind_of] }", *values)
        if len(packed) > 4:
            directory += struct.pack(order + "HHII", tag, kind_of, len(values), head + len(data))
            data += packed
        else:
            directory += struct.pack(order + "HHI", tag, kind_of, len(values)) + packed.ljust(4, b"\0")
    return (b"MM\0*" if big else b"II*\0") + struct.pack(order + "I", at) + pixels + directory + b"\0\0\0\0" + data


if __name__ == "__main__":
    extras = [int(word[6:]) for word in sys.argv[3:] if word.startswith("extra=")]
    with open(sys.argv[1], "wb") as f:
        f.write(tiff(sys.argv[2], [int(word) for word in sys.argv[3:] if word.isdigit()], "big" in sys.argv[3:],
                     *extras[:1]))
