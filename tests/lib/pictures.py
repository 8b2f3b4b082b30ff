"""Pictures for the tests' slow programs: made, read, and layers of colour over them, pixel by pixel."""
import png


def write(path, width, height, channels, depth, colour):
    """A PNG file: colour(x, y, c), 0..255, in each colour channel, and an alpha of three kinds where there are 2 or 4
    channels."""
    top = 2 ** depth - 1

    def pixel(x, y):
        value = [colour(x, y, c) * top // 255 for c in range(channels)]
        if channels in (2, 4):
            value[-1] = [0, top // 3, top][(x // 4 + y // 5) % 3]
        return value

    rows = [[v for x in range(width) for v in pixel(x, y)] for y in range(height)]
    png.write(path, [bytes(row) if depth == 8 else row for row in rows], channels, depth)


def read(path):
    """Rows of a PNG file's pixels, which are lists of samples, and the largest sample there can be."""
    height, width, channels, values = png.read(path)
    rows = [values[i:i + width * channels] for i in range(0, height * width * channels, width * channels)]
    return ([[list(row[i:i + channels]) for i in range(0, len(row), channels)] for row in rows],
            255 if isinstance(values, bytes) else 65535)


def pixels(path):
    """All of them, row after row."""
    return [pixel for row in read(path)[0] for pixel in row]


def shares(path):
    """Rows of pixels on the 0..1 scale."""
    rows, top = read(path)
    return [[[v / top for v in pixel] for pixel in row] for row in rows]


def shown(path, colours):
    """Colours of all pixels of a file of 8 bits that show: three, or their luma."""
    values = [v for v in pixels(path) if len(v) in (1, 3) or v[-1] > 127]
    values = [v[:3] if len(v) > 2 else v[:1] * 3 for v in values]
    return [[0.299 * r + 0.587 * g + 0.114 * b] for r, g, b in values] if colours == 1 else values


def over(colour, share, below):
    """Porter and Duff's "over" on the 0..1 scale: `colour` has as many values as `below`, which may end with an alpha;
    colors are not premultiplied.
    """
    colours = 3 if len(below) > 2 else 1
    under = below[-1] if len(below) > colours else 1
    whole = share + under * (1 - share)
    if share == 0:
        return below
    mixed = [(share * s + under * (1 - share) * b) / whole for s, b in zip(colour, below)]
    return mixed + [whole] * (len(below) - colours)
