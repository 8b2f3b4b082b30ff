"""FILE WIDTH HEIGHT: a lossless WebP of noise, coded without transforms and with codes of 8 bits."""
import random
import struct
import sys

name, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random.seed(5)
bits = []


def put(value, n):
    bits.extend(value >> i & 1 for i in range(n))


def reverse(value):
    return int("{:08b}".format(value)[::-1], 2)


put(0x2f, 8)
put(width - 1, 14)
put(height - 1, 14)
put(0, 1)  # no alpha
put(0, 3)  # version
put(0, 1)  # no transforms
put(0, 1)  # no cache of colours
put(0, 1)  # one group of codes
for symbols in (280, 256, 256):
    # Lengths of codes: 8 for the first 256 symbols, 0 for the others; coded by two codes of one bit.
    put(0, 1)
    put(12 - 4, 4)
    order = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8]
    for code in order:
        put(1 if code in (0, 8) else 0, 3)
    put(0, 1)  # as many as there are symbols
    for symbol in range(symbols):
        put(1 if symbol < 256 else 0, 1)
for value in (255, 0):  # alpha and distance: one symbol each
    put(1, 1)
    put(0, 1)
    put(1, 1)
    put(value, 8)
for _ in range(width * height):
    for _ in range(3):
        put(reverse(random.randrange(256)), 8)
put(0, -len(bits) % 8)
data = bytes(sum(bit << i for i, bit in enumerate(bits[at:at + 8])) for at in range(0, len(bits), 8))
data += b"\0" * (len(data) % 2)
with open(name, "wb") as f:
    f.write(b"RIFF" + struct.pack("<I", 12 + len(data)) + b"WEBPVP8L" + struct.pack("<I", len(data)) + data)
