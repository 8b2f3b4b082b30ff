#!/usr/bin/env python3
"""Corrupt against ImageNet-C's own formulas.

    corruptions.py facts LOCKSTEP TABLE     what is emitted has the numbers of the table (golden/corruptions.txt)
    corruptions.py pixels LOCKSTEP TABLE    pixels are those of the slow functions below, at all strengths
    corruptions.py elastic LOCKSTEP TABLE   pixels come from where the affine map and a field of the table's size say
    corruptions.py psnr LOCKSTEP IMAGES NAME [SIDE]  the image, of SIDE x SIDE, differs more from step to step

The slow functions follow make_imagenet_c.py and the definitions of its libraries' functions, pixel by pixel in double
precision. They use lockstep's random numbers (Philox by key and place) and its mirrored borders.
"""
import json
import math
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import png  # noqa: E402

WIDTH, HEIGHT = 44, 36
DRAWN = {"key", "angle", "startpoints", "endpoints", "padding", "top", "left", "height", "width"}
FALLING = ["gaussian_noise", "shot_noise", "impulse_noise", "speckle_noise", "gaussian_blur", "defocus_blur", "contrast",
           "brightness", "jpeg_compression", "pixelate"]


# --- the table ---

class Arange(list):
    """numpy.arange with these arguments."""


class Numpy:
    @staticmethod
    def arange(*of):
        return Arange(of)


def table(path):
    """{name: (c of each severity, {"op.parameter": expression})}"""
    facts, name, quoted = {}, None, {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            if line.startswith("== "):
                name = line.split()[1]
                facts[name], quoted[name] = {}, ""
            elif line.startswith("| "):
                quoted[name] += line[2:]
            elif line.startswith("  ") and name:
                key, expression = line.split(None, 1)
                facts[name][key] = expression.strip()
    return {name: ([eval(quoted[name].partition("c = ")[2], {"severity": s, "np": Numpy}) for s in range(1, 6)], facts[name])
            for name in facts}


def run(lockstep, folder, step, kind="rgb8"):
    """The manifest's steps and the picture's path."""
    with open(f"{folder}/p.json", "w", encoding="utf-8") as file:
        json.dump({"version": 1, "seed": 5, "output": {"format": "png"}, "transforms": step}, file)
    done = subprocess.run([lockstep, "run", "-q", "--overwrite", "-p", f"{folder}/p.json", "-i", f"{folder}/{kind}",
                           "-o", f"{folder}/out"], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{step}: {done.stderr}")
    with open(f"{folder}/out/manifest.jsonl", encoding="utf-8") as file:
        steps = json.loads(file.readline())["steps"]
    return steps, f"{folder}/out/images/a.png"


def corrupt(lockstep, folder, name, severity, kind="rgb8"):
    return run(lockstep, folder, [{"type": "Corrupt", "name": name, "severity": severity}], kind)


def same(a, b):
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b if isinstance(a, str) or isinstance(b, str) else math.isclose(a, b, rel_tol=1e-12)


def facts(lockstep, path):
    known, failed, n = table(path), [], 0
    described = json.loads(subprocess.check_output([lockstep, "describe", "Corrupt", "--json"]))
    names = [c["word"] if isinstance(c, dict) else c
             for row in described["parameters"] if row["name"] == "name" for c in row["choices"]]
    if sorted(names) != sorted(known) or len(known) != 19:
        failed.append(f"names: {sorted(set(names) ^ set(known))}")
    with tempfile.TemporaryDirectory() as folder:
        pictures(folder)
        for name, (numbers, values) in known.items():
            ops = {key.split(".")[0] for key in values}
            for severity, c in enumerate(numbers, 1):
                steps, _ = corrupt(lockstep, folder, name, severity)
                given = {f"{s['type']}.{k}": v for s in steps for k, v in s.items() if k != "type" and k not in DRAWN}
                if not ops <= {s["type"] for s in steps}:
                    failed.append(f"{name} {severity}: {[s['type'] for s in steps]} for {sorted(ops)}")
                for key, expression in values.items():
                    n += 1
                    want = eval(expression, {"c": c})
                    if key not in given or not same(given[key], want):
                        failed.append(f"{name} {severity}: {key} is {given.get(key)}, not {want}")
                defaults = {}
                for op in {s["type"] for s in steps}:
                    rows = json.loads(subprocess.check_output([lockstep, "describe", op, "--json"]))["parameters"]
                    defaults.update({f"{op}.{row['name']}": row.get("default") for row in rows})
                for key in set(given) - set(values):
                    if given[key] != defaults[key]:
                        failed.append(f"{name} {severity}: {key} is {given[key]}, not the default {defaults[key]}")
    print("\n".join(failed))
    print(f"{n} values of {len(known)} corruptions, {len(failed)} failed")
    return 1 if failed or n < 19 * 5 else 0


# --- pictures: rows of pixels; a pixel is a list of colours, 0..1 ---

def smooth_picture(kind):
    """Edges, ramps and a little noise, also the darkest and the lightest."""
    top = 65535 if kind.endswith("16") else 255
    bands = 3 if kind.startswith("rgb") else 1
    state, rows = 7, []
    for y in range(HEIGHT):
        row = []
        for x in range(WIDTH):
            for b in range(bands):
                state = (1103515245 * state + 12345) % 2 ** 31
                v = 0.5 + 0.4 * math.sin((x + 3 * b) / 5) * math.cos((y - 2 * b) / 4) + (state % 1000 - 500) / 4000
                v = 0 if (x - 9) ** 2 + (y - 20) ** 2 < 30 else 1 if abs(x - y - 8) < 2 else v
                row.append(round(min(1, max(0, v)) * top))
        rows.append(row)
    return rows, bands, 16 if top > 255 else 8


def pictures(folder):
    for kind in ("rgb8", "rgb16", "gray8"):
        os.makedirs(f"{folder}/{kind}")
        png.write(f"{folder}/{kind}/a.png", *smooth_picture(kind))


def load(path, top):
    height, width, bands, samples = png.read(path)
    pixels = [[samples[i * bands + b] / top for b in range(bands)] for i in range(width * height)]
    return [pixels[y * width:(y + 1) * width] for y in range(height)]


def plane_map(function, picture):
    """Returns a picture with the value of a function of (x, y, colours) for each pixel."""
    return [[function(x, y, pixel) for x, pixel in enumerate(row)] for y, row in enumerate(picture)]


def by_channel(function, picture):
    """Applies a function of a plane of numbers to each channel."""
    planes = [function([[pixel[b] for pixel in row] for row in picture]) for b in range(len(picture[0][0]))]
    return [[[plane[y][x] for plane in planes] for x in range(len(row))] for y, row in enumerate(picture)]


def mirror(i, n):
    while not 0 <= i < n:
        i = -i if i < 0 else 2 * (n - 1) - i
    return i


# --- random numbers ---

def philox(key, stream, x, y):
    c, mask = [x, y, 0, 0], 0xffffffff
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [q >> 32 ^ c[1] ^ key, q & mask, p >> 32 ^ c[3] ^ stream, p & mask]
        key, stream = (key + 0x9E3779B9) & mask, (stream + 0xBB67AE85) & mask
    return c


def unit(word):
    return (word >> 8) / 2 ** 24


def normals(a, b):
    r = math.sqrt(-2 * math.log(((a >> 8) + 1) / 2 ** 24))
    t = b - 2 ** 32 if b >= 2 ** 31 else b
    t = math.floor(t / 256) / 2 ** 24 * 2 * math.pi
    return r * math.cos(t), r * math.sin(t)


def three_normals(key, x, y):
    w = philox(key, 0, x, y)
    return [*normals(w[0], w[1]), normals(w[2], w[3])[0]]


def normal_layer(key, mean, std):
    def at(x, y):
        w = philox(key, 0, x, y)
        return mean + std * normals(w[0], w[1])[0]
    return [[at(x, y) for x in range(WIDTH)] for y in range(HEIGHT)]


# --- noise ---

def gaussian_noise(picture, c, key, **_):
    return plane_map(lambda x, y, p: [v + c * n for v, n in zip(p, three_normals(key, x, y))], picture)


def speckle_noise(picture, c, key, **_):
    return plane_map(lambda x, y, p: [v + v * c * n for v, n in zip(p, three_normals(key, x, y))], picture)


def poisson(mean, u, z):
    if mean >= 50:
        return math.floor(max(0, mean + math.sqrt(mean) * z + (z * z - 1) / 6 + 0.5))
    k, term = 0, math.exp(-mean)
    total = term
    while u >= total and term > 0:
        k += 1
        term *= mean / k
        total += term
    return k


def shot_noise(picture, c, key, **_):
    def count(x, y, pixel):
        words = [philox(key, b, x, y) for b in range(len(pixel))]
        return [poisson(v * c, unit(w[0]), normals(w[1], w[2])[0]) / c for v, w in zip(pixel, words)]
    return plane_map(count, picture)


def impulse_noise(picture, c, key, **_):
    def strew(x, y, pixel):
        units = [unit(w) for w in philox(key, 0, x, y)]
        return [1 if u < c / 2 else 0 if u < c else v for v, u in zip(pixel, units)]
    return plane_map(strew, picture)


# --- blurs ---

def added(terms, width):
    """Returns the sum of lines, each multiplied by its weight. Whole lines are faster than single pixels in Python."""
    sums = [0.0] * width
    for line, weight in terms:
        sums = [s + weight * v for s, v in zip(sums, line)]
    return sums


def gaussian(plane, sigma):
    n = int(4 * sigma + 0.5)
    k = [math.exp(-i * i / (2 * sigma * sigma)) for i in range(-n, n + 1)]
    k = [v / sum(k) for v in k]
    height, width = len(plane), len(plane[0])
    wider = [[row[mirror(x, width)] for x in range(-n, width + n)] for row in plane]
    plane = [added(((row[i:i + width], w) for i, w in enumerate(k)), width) for row in wider]
    return [added(((plane[mirror(y + i - n, height)], w) for i, w in enumerate(k)), width) for y in range(height)]


def gaussian_blur(picture, c, **_):
    return by_channel(lambda plane: gaussian(plane, c), picture)


def glass_blur(picture, c, key, top, **_):
    sigma, delta, iterations = c
    picture = [[[round(v * top) / top for v in pixel] for pixel in row] for row in gaussian_blur(picture, sigma)]
    for i in range(iterations):
        for y in range(HEIGHT - delta, delta, -1):
            for x in range(WIDTH - delta, delta, -1):
                dx, dy = [(w * 2 * delta >> 32) - delta for w in philox(key, i, x, y)[:2]]
                picture[y][x] = picture[y + dy][x + dx]
    return gaussian_blur(picture, sigma)


def weighed(picture, taps):
    """taps: {(x, y): weight}"""
    reach = max(abs(u) for u, _ in taps)

    def blurred(plane):
        wider = [[row[mirror(x, WIDTH)] for x in range(-reach, WIDTH + reach)] for row in plane]
        return [added(((wider[mirror(y + v, HEIGHT)][reach + u:reach + u + WIDTH], w) for (u, v), w in taps.items()), WIDTH)
                for y in range(HEIGHT)]
    return by_channel(blurred, picture)


def defocus_blur(picture, c, **_):
    radius, alias = c
    half, reach = (8, 1) if radius <= 8 else (radius, 2)
    disc = [[float(x * x + y * y <= radius * radius) for x in range(-half, half + 1)] for y in range(-half, half + 1)]
    total, side = sum(map(sum, disc)), 2 * half + 1
    k = [math.exp(-i * i / (2 * alias * alias)) for i in range(-reach, reach + 1)]
    k = [v / sum(k) for v in k]
    across = [[sum(w * row[mirror(x + i - reach, side)] for i, w in enumerate(k)) for x in range(side)] for row in disc]
    taps = {(x - half, y - half): sum(w * across[mirror(y + i - reach, side)][x] for i, w in enumerate(k)) / total
            for y in range(side) for x in range(side)}
    return weighed(picture, {at: w for at, w in taps.items() if w > 1e-12})


def streak(radius, sigma, angle):
    taps, width = {}, 2 * radius + 1
    k = [math.exp(-i * i / (2 * sigma * sigma)) for i in range(width)]
    for i in range(width):
        at = (math.ceil(i * math.cos(math.radians(angle)) - 0.5), math.ceil(i * math.sin(math.radians(angle)) - 0.5))
        taps[at] = taps.get(at, 0) + k[i] / sum(k)
    return taps


def motion_blur(picture, c, angle, **_):
    return weighed(picture, streak(c[0], c[1], angle))


def zoomed(picture, factor):
    """scipy.ndimage.zoom of the middle with order 1, and of that the middle."""
    def axis(n):
        cut = math.ceil(n / factor)
        size = round(cut * factor)
        begin, trim = (n - cut) // 2, (size - n) // 2
        return [begin + (i + trim) * (cut - 1) / (size - 1) for i in range(n)], begin + cut - 1
    (xs, right), (ys, bottom) = axis(WIDTH), axis(HEIGHT)

    def at(x, y, b):
        i, j = int(x), int(y)
        u, v, k, m = x - i, y - j, min(i + 1, right), min(j + 1, bottom)
        return ((1 - v) * ((1 - u) * picture[j][i][b] + u * picture[j][k][b])
                + v * ((1 - u) * picture[m][i][b] + u * picture[m][k][b]))
    return [[[at(x, y, b) for b in range(len(picture[0][0]))] for x in xs] for y in ys]


def zoom_blur(picture, c, **_):
    start, stop, step = c
    factors = [start + i * step for i in range(math.ceil((stop - start) / step))]
    zooms = [zoomed(picture, f) for f in factors]
    return plane_map(lambda x, y, p: [(v + sum(z[y][x][b] for z in zooms)) / (len(zooms) + 1) for b, v in enumerate(p)],
                     picture)


# --- weather ---

def plasma(decay, key):
    side = 1
    while side < max(WIDTH, HEIGHT):
        side *= 2
    value, wibble, step = {(0, 0): 0.0}, 100, side

    def fill(x0, y0, around):
        for y in range(y0, side, step):
            for x in range(x0, side, step):
                mean = sum(value[((x + dx) % side, (y + dy) % side)] for dx, dy in around) / 4
                value[(x, y)] = mean + wibble ** 2 * (2 * unit(philox(key, 0, x, y)[0]) - 1)
    while step >= 2:
        h = step // 2
        fill(h, h, [(-h, -h), (h, -h), (-h, h), (h, h)])
        fill(h, 0, [(-h, 0), (h, 0), (0, -h), (0, h)])
        fill(0, h, [(-h, 0), (h, 0), (0, -h), (0, h)])
        step, wibble = h, wibble / decay
    low, high = min(value.values()), max(value.values())
    return [[(value[(x, y)] - low) / (high - low) for x in range(WIDTH)] for y in range(HEIGHT)]


def fog(picture, c, key, **_):
    clouds, most = plasma(c[1], key), max(v for row in picture for pixel in row for v in pixel)
    return plane_map(lambda x, y, p: [(v + c[0] * clouds[y][x]) * most / (most + c[0]) for v in p], picture)


def frost(picture, c, key, **_):
    veins, sheet = plasma(1.6, key), plasma(1.7, key ^ 0xffffffff)
    colour = [222 / 255, 236 / 255, 250 / 255]
    if len(picture[0][0]) == 1:
        colour = [0.2989 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]]

    def ice(x, y):
        height = 5 * veins[y][x]
        return 0.2 + 0.4 * sheet[y][x] + 0.4 * abs(2 * (height % 1) - 1) ** 3
    return plane_map(lambda x, y, p: [c[0] * v + c[1] * k * ice(x, y) for v, k in zip(p, colour)], picture)


def luma(pixel):
    return 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2] if len(pixel) == 3 else pixel[0]


def snow(picture, c, key, angle, **_):
    noise = [[[v] for v in row] for row in normal_layer(key, c[0], c[1])]
    flakes = [[[0 if v < c[3] else min(1, max(0, v)) for v in pixel] for pixel in row] for row in zoomed(noise, c[2])]
    flakes = weighed(flakes, streak(c[4], c[5], angle))
    return plane_map(lambda x, y, p: [c[6] * v + (1 - c[6]) * max(v, luma(p) * 1.5 + 0.5) + flakes[y][x][0] +
                                      flakes[HEIGHT - 1 - y][WIDTH - 1 - x][0] for v in p], picture)


def canny(image):
    """OpenCV's, with thresholds of 50 and 150: the set of edges."""
    def at(x, y):
        return image[min(max(y, 0), HEIGHT - 1)][min(max(x, 0), WIDTH - 1)]
    slope = {}
    for y in range(HEIGHT):
        for x in range(WIDTH):
            slope[x, y] = (sum(w * (at(x + 1, y + j) - at(x - 1, y + j)) for j, w in ((-1, 1), (0, 2), (1, 1))),
                           sum(w * (at(x + i, y + 1) - at(x + i, y - 1)) for i, w in ((-1, 1), (0, 2), (1, 1))))
    size = {at: abs(dx) + abs(dy) for at, (dx, dy) in slope.items()}
    crest = set()
    for (x, y), (dx, dy) in slope.items():
        here, angle = size[x, y], math.degrees(math.atan2(abs(dy), abs(dx)))
        if angle < 22.5:
            good = here > size.get((x - 1, y), 0) and here >= size.get((x + 1, y), 0)
        elif angle > 67.5:
            good = here > size.get((x, y - 1), 0) and here >= size.get((x, y + 1), 0)
        else:
            s = -1 if (dx < 0) != (dy < 0) else 1
            good = here > size.get((x - s, y - 1), 0) and here > size.get((x + s, y + 1), 0)
        if good and here > 50:
            crest.add((x, y))
    edges, todo = set(), [at for at in crest if size[at] > 150]
    while todo:
        x, y = todo.pop()
        if (x, y) in edges:
            continue
        edges.add((x, y))
        todo += [(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (x + i, y + j) in crest]
    return edges


def away(dx, dy):
    """OpenCV's 5 x 5 distance of a vector: steps along, across corners, and as a knight goes."""
    long, short = max(abs(dx), abs(dy)), min(abs(dx), abs(dy))
    knights = min(short, long - short)
    return 2.1969 * knights + (1.4 * (short - knights) if short > knights else long - 2 * knights)


def around(image, weights):
    return [[sum(w * image[mirror(y + k // 3 - 1, HEIGHT)][mirror(x + k % 3 - 1, WIDTH)] for k, w in enumerate(weights))
             for x in range(WIDTH)] for y in range(HEIGHT)]


def relief(edges):
    far = [[min([20] + [away(x - u, y - v) for u, v in edges if abs(x - u) < 20 and abs(y - v) < 20])
            for x in range(WIDTH)] for y in range(HEIGHT)]
    far = [[int(v / 9 + 1e-9) for v in row] for row in around(far, [1] * 9)]
    values = sorted(v for row in far for v in row)
    first = values.count(values[0])
    if first < len(values):
        table_of = {v: round((sum(u <= v for u in values) - first) * 255 / (len(values) - first)) for v in set(values)}
        far = [[table_of[v] for v in row] for row in far]
    far = [[min(255, max(0, v)) for v in row] for row in around(far, [-2, -1, 0, -1, 1, 1, 0, 1, 2])]
    return [[int(v / 9 + 0.5) for v in row] for row in around(far, [1] * 9)]


def spatter(picture, c, key, **_):
    layer = gaussian(normal_layer(key, c[0], c[1]), c[2])
    if c[5]:
        layer = gaussian([[float(v > c[3]) for v in row] for row in layer], c[4])
        layer = [[v if v >= 0.8 else 0 for v in row] for row in layer]
        colour = [63 / 255, 42 / 255, 20 / 255]
    else:
        drops = [[int(min(255, v * 255)) if v >= c[3] else 0 for v in row] for row in layer]
        light = relief(canny(drops))
        layer = [[d * v for d, v in zip(*rows)] for rows in zip(drops, light)]
        most = max(map(max, layer)) or 1
        layer = [[v / most * c[4] for v in row] for row in layer]
        colour = [175 / 255, 238 / 255, 238 / 255]
    if len(picture[0][0]) == 1:
        colour = [0.2989 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2]]
    return plane_map(lambda x, y, p: [v * (1 - layer[y][x] if c[5] else 1) + k * layer[y][x] for v, k in zip(p, colour)],
                     picture)


# --- digital ---

def hsv_map(picture, function):
    import colorsys

    def one(_x, _y, pixel):
        if len(pixel) == 1:
            h, s, v = function(0, 0, pixel[0])
            return [v]
        return list(colorsys.hsv_to_rgb(*[min(1, max(0, v)) for v in function(*colorsys.rgb_to_hsv(*pixel))]))
    return plane_map(one, picture)


def brightness(picture, c, **_):
    return hsv_map(picture, lambda h, s, v: (h, s, v + c))


def saturate(picture, c, **_):
    return hsv_map(picture, lambda h, s, v: (h, s * c[0] + c[1], v))


def contrast(picture, c, **_):
    mean = [sum(pixel[b] for row in picture for pixel in row) / WIDTH / HEIGHT for b in range(len(picture[0][0]))]
    return plane_map(lambda x, y, p: [(v - m) * c + m for v, m in zip(p, mean)], picture)


def pixelate(picture, c, **_):
    def cells(n):
        return int(n * c)

    def members(i, small, n):
        scale = n / small
        centre = (i + 0.5) * scale
        return range(int(centre - scale / 2 + 0.5), int(centre + scale / 2 + 0.5))

    def mean(x, y, b):
        rows = members(int((y + 0.5) * cells(HEIGHT) / HEIGHT), cells(HEIGHT), HEIGHT)
        columns = members(int((x + 0.5) * cells(WIDTH) / WIDTH), cells(WIDTH), WIDTH)
        return sum(picture[j][i][b] for j in rows for i in columns) / len(rows) / len(columns)
    return plane_map(lambda x, y, p: [mean(x, y, b) for b in range(len(p))], picture)


SLOW = [gaussian_noise, shot_noise, impulse_noise, speckle_noise, defocus_blur, glass_blur, motion_blur, zoom_blur,
        gaussian_blur, snow, frost, fog, brightness, contrast, pixelate, spatter, saturate]


def pixels(lockstep, path):
    known, failed, worst = table(path), [], 0
    with tempfile.TemporaryDirectory() as folder:
        pictures(folder)
        todo = [(f, s, "rgb8") for f in SLOW for s in range(1, 6)] + \
            [(f, s, kind) for f in SLOW for s, kind in ((4, "rgb16"), (3, "gray8"))]
        for slow, severity, kind in todo:
            top = 65535 if kind.endswith("16") else 255
            name, picture = slow.__name__, load(f"{folder}/{kind}/a.png", top)
            steps, made = corrupt(lockstep, folder, name, severity, kind)
            drawn = {k: v for step in steps for k, v in step.items() if k in ("key", "angle")}
            want = slow(picture, known[name][0][severity - 1], top=top, **drawn)
            got = load(made, top)
            off = [abs(a * top - min(1, max(0, b)) * top) for rows in zip(got, want) for pair in zip(*rows)
                   for a, b in zip(*pair)]
            # Half a level by rounding; single precision is some 16-bit levels off where values are multiplied.
            bound, many = (1.01, 0.002) if top == 255 else (8, 0.002)
            far = sum(v > bound for v in off) / len(off)
            worst = max(worst, far)
            if far > many or len(got) != HEIGHT:
                failed.append(f"{name} {severity} {kind}: {max(off):.1f} levels off, {far:.2%} of the samples too far")
    print("\n".join(failed))
    print(f"{len(todo)} pictures, {len(failed)} failed; at most {worst:.2%} of the samples too far")
    return 1 if failed or len(todo) < 100 else 0


# --- elastic ---

def affine_of(points, to):
    """The function that takes three points to three others."""
    (x0, y0), (x1, y1), (x2, y2) = points[:3]
    det = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)

    def at(x, y):
        u = ((x - x0) * (y2 - y0) - (x2 - x0) * (y - y0)) / det
        v = ((x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)) / det
        return [to[0][k] + u * (to[1][k] - to[0][k]) + v * (to[2][k] - to[0][k]) for k in (0, 1)]
    return at


def elastic(lockstep, path):
    """Uses an image whose colors encode positions: the image, moved by the affine map, is displaced by the field."""
    failed, side = [], 224
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(f"{folder}/place")
        png.write(f"{folder}/place/a.png", [[v for x in range(side) for v in (x * 256 + 128, y * 256 + 128, 0)]
                                            for y in range(side)], 3, 16)
        for severity, c in enumerate(table(path)["elastic_transform"][0], 1):
            steps, made = corrupt(lockstep, folder, "elastic_transform", severity, "place")
            step = {s["type"]: s for s in steps}
            pad = step["pad"]["padding"][0]
            forward = affine_of(step["perspective"]["startpoints"], step["perspective"]["endpoints"])
            back = affine_of(step["perspective"]["endpoints"], step["perspective"]["startpoints"])
            moved = [max(abs(a - b) for a, b in zip(*pair))
                     for pair in zip(step["perspective"]["startpoints"], step["perspective"]["endpoints"])][:3]
            if [s["type"] for s in steps] != ["pad", "perspective", "elastic", "crop"] or max(moved) > c[2]:
                failed.append(f"{severity}: {steps}")
            picture, off = load(made, 256), []
            for y, row in enumerate(picture):
                for x, (sx, sy, _) in enumerate(row):
                    # Beyond the border the image is mirrored.
                    if all(20 < v - pad < side - 20 for v in back(x + pad, y + pad)):
                        at = forward(sx + pad, sy + pad)
                        off += [at[0] - pad - x - 0.5, at[1] - pad - y - 0.5]
            mean = sum(off) / len(off)
            spread = math.sqrt(sum(v * v for v in off) / len(off))
            # Uniform noise of deviation 1/sqrt 3 under a Gaussian of sigma: 1 / (2 sqrt pi sigma) of it is left.
            want = c[0] / math.sqrt(3) / (2 * math.sqrt(math.pi) * c[1])
            print(f"{severity}: {len(off) // 2} pixels, deviation {spread:.2f}, stated {want:.2f}, mean {mean:.2f}")
            good = 0.85 * want < spread < 1.15 * want if severity > 2 else spread < 4 * want
            if not good or len(off) < side * side // 2 or len(picture) != side or len(picture[0]) != side:
                failed.append(f"{severity}: displaced by {spread}, not {want}")
    print("\n".join(failed))
    return 1 if failed else 0


# --- how far from the image ---

def psnr(lockstep, images, name, side="224"):
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(f"{folder}/whole")
        os.symlink(os.path.realpath(f"{images}/{name}"), f"{folder}/whole/a{os.path.splitext(name)[1]}")
        small = [{"type": "Resize", "size": int(side) * 8 // 7}, {"type": "CenterCrop", "size": int(side)}]
        os.makedirs(f"{folder}/small")
        os.replace(run(lockstep, folder, small, "whole")[1], f"{folder}/small/a.png")
        before = png.read(f"{folder}/small/a.png")[3]
        for corruption in FALLING:
            ratios = []
            for severity in range(1, 6):
                after = png.read(corrupt(lockstep, folder, corruption, severity, "small")[1])[3]
                squares = sum((a - b) ** 2 for a, b in zip(before, after)) / len(before)
                ratios.append(10 * math.log10(255 ** 2 / squares))
            print(corruption, *[f"{r:.2f}" for r in ratios])
            if sorted(ratios, reverse=True) != ratios or len(set(ratios)) != 5:
                failed.append(corruption)
    print(f"not falling: {failed}" if failed else "all fall")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit({"facts": facts, "pixels": pixels, "elastic": elastic, "psnr": psnr}[sys.argv[1]](*sys.argv[2:]))
