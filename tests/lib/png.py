"""PNG files for the tests, written and read without any library that the product uses."""
import itertools
import operator
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
GRAY, RGB, PALETTE, GRAY_ALPHA, RGB_ALPHA = 0, 2, 3, 4, 6
COLOUR_OF = {1: GRAY, 2: GRAY_ALPHA, 3: RGB, 4: RGB_ALPHA}  # by the number of channels
MODULO = bytes(range(256)) * 2
CHANNELS_OF = {colour: channels for channels, colour in COLOUR_OF.items()}


def chunk(kind, data):
    """A chunk with its length and sum."""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def chunks(data):
    """The chunks of a file's bytes, in order: name and content."""
    at = len(SIGNATURE)
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        yield kind, data[at + 8:at + 8 + length]
        at += 12 + length


def assemble(width, height, depth, colour, body, before=(), interlaced=False):
    """The bytes of a file: its header, chunks before the pixels, and `body`, lines that begin with their filter."""
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, int(interlaced))
    return (SIGNATURE + chunk(b"IHDR", head) + b"".join(chunk(kind, data) for kind, data in before) +
            chunk(b"IDAT", zlib.compress(body, 1)) + chunk(b"IEND", b""))


def encode(rows, channels=1, depth=8):
    """The bytes of a file of these rows of samples."""
    rows = [struct.pack(f">{len(row)}H", *row) if depth == 16 else bytes(row) for row in rows]
    width = len(rows[0]) * 8 // (channels * depth)
    return assemble(width, len(rows), depth, COLOUR_OF[channels], b"".join(b"\0" + row for row in rows))


def write(path, rows, channels=1, depth=8):
    with open(path, "wb") as file:
        file.write(encode(rows, channels, depth))


def size(path):
    """Height and width."""
    with open(path, "rb") as file:
        head = file.read(24)
    width, height = struct.unpack(">II", head[16:24])
    return [height, width]


def by_paeth(line, above):
    """Returns the samples of one channel; `line` has their distances from Paeth's guess."""
    left = corner = 0
    out = bytearray()
    for value, up in zip(line, above):
        to_left, to_above = up - corner, left - corner
        to_corner = abs(to_left + to_above)
        to_left, to_above = abs(to_left), abs(to_above)
        if to_left <= to_above and to_left <= to_corner:
            left = (value + left) & 255
        elif to_above <= to_corner:
            left = (value + up) & 255
        else:
            left = (value + corner) & 255
        corner = up
        out.append(left)
    return out


def by_average(line, above):
    """Returns the samples of one channel; `line` has their distances from the mean of the left and the upper sample."""
    left = 0
    out = bytearray()
    for value, up in zip(line, above):
        left = (value + ((left + up) >> 1)) & 255
        out.append(left)
    return out


def unfilter(kind, line, above, step):
    """Undo one line's filter; `step` is the bytes of a pixel, at least one."""
    if kind == 2:
        return bytearray(map(MODULO.__getitem__, map(operator.add, line, above)))
    if kind:
        for c in range(min(step, len(line))):
            if kind == 1:
                line[c::step] = bytes(total & 255 for total in itertools.accumulate(line[c::step]))
            else:
                line[c::step] = (by_average if kind == 3 else by_paeth)(line[c::step], above[c::step])
    return line


def read(path):
    """Height, width, channels and the samples of an image of 8 or 16 bit, without palette, not interlaced."""
    with open(path, "rb") as file:
        found = list(chunks(file.read()))
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", found[0][1])
    channels = CHANNELS_OF.get(colour)
    if depth not in (8, 16) or not channels or interlaced:
        raise ValueError(f"a PNG of {depth} bit, colour type {colour}: expected 8 or 16 bit, no palette")
    step = channels * depth // 8
    raw = zlib.decompress(b"".join(body for kind, body in found if kind == b"IDAT"))
    stride, line, out = width * step, bytearray(width * step), bytearray()
    for at in range(0, height * (stride + 1), stride + 1):
        line = unfilter(raw[at], bytearray(raw[at + 1:at + 1 + stride]), line, step)
        out += line
    if depth == 16:
        return height, width, channels, struct.unpack(f">{len(out) // 2}H", out)
    return height, width, channels, bytes(out)


def rows(path):
    """The rows of samples of such an image."""
    height, width, channels, samples = read(path)
    stride = width * channels
    return [samples[at:at + stride] for at in range(0, height * stride, stride)]
