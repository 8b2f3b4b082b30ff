"""Files of several frames in the folder given, and one that only looks so. Needs no other package."""
import os
import struct
import sys

from files import anmf, chunk, gif, gradient, riff, tiff, vp8x

FRAME = b"!\xf9\x04\x01\0\0\0\0" + b"," + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x44\x01\0"

files = {
    "several-gif.gif": gif((1, 1), (1, 1))[:-1] + FRAME + b";",
    "several-png.png": gradient(8, 8, (b"acTL", struct.pack(">II", 2, 0))),
    "several-webp.webp": riff(vp8x(2, 8, 8), chunk(b"ANIM", bytes(6)), anmf(8, 8) * 2),
    "several-tif.tif": tiff(2),
    "reduced.tif": tiff(3, subfile=1),
    "single.webp": riff(vp8x(2, 8, 8), chunk(b"ANIM", bytes(6)), anmf(8, 8)),
}
for name, data in files.items():
    with open(os.path.join(sys.argv[1], name), "wb") as f:
        f.write(data)
