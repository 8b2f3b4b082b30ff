"""Layers of colour over pictures, pixel by pixel, for the tests' slow programs."""
import png


def pixel(x, y, channels, top):
    """A picture's samples, 0..top, with an alpha of three kinds where there are 2 or 4 channels."""
    value = [(x * 5 + y * 3 + 70 * c) % 256 * top // 255 for c in range(channels)]
    if channels in (2, 4):
        value[-1] = [0, top // 3, top][(x // 4 + y // 5) % 3]
    return value


def samples(path):
    """Rows of a PNG file's pixels on the 0..1 scale."""
    height, width, channels, values = png.read(path)
    top = 255 if isinstance(values, bytes) else 65535
    values = [v / top for v in values]
    rows = [values[i * width * channels:(i + 1) * width * channels] for i in range(height)]
    return [[row[i:i + channels] for i in range(0, len(row), channels)] for row in rows]


def over(colour, share, below):
    """Porter and Duff's "over" on the 0..1 scale: `colour` has as many as `below` has, which may have an alpha behind
    them; colours are not multiplied by it."""
    colours = 3 if len(below) > 2 else 1
    under = below[-1] if len(below) > colours else 1
    whole = share + under * (1 - share)
    if share == 0:
        return below
    mixed = [(share * s + under * (1 - share) * b) / whole for s, b in zip(colour, below)]
    return mixed + [whole] * (len(below) - colours)
