#!/usr/bin/env python3
"""Pixels of ops against their formulas, written down once more: usage: formulas.py LOCKSTEP"""
import colorsys
import math
import sys
import tempfile

from corruptions import (by_channel, load, mirror, normal_layer, normals, philox, pictures, plane_map, plasma, run, unit, weighed,
                         HEIGHT, WIDTH)


def convolved(picture, kernel, alpha):
    """The kernel's share is alpha, the pixel's the rest."""
    def at(x, y, pixel):
        return [(1 - alpha) * v + alpha * sum(w * picture[mirror(y + k // 3 - 1, HEIGHT)][mirror(x + k % 3 - 1, WIDTH)][b]
                                              for k, w in enumerate(kernel)) for b, v in enumerate(pixel)]
    return plane_map(at, picture)


def emboss(picture, alpha, strength):
    s = strength
    return convolved(picture, [-1 - s, -s, 0, -s, 1, s, 0, s, 1 + s], alpha)


def edge_detect(picture, alpha):
    return convolved(picture, [0, 1, 0, 1, -4, 1, 0, 1, 0], alpha)


def sigmoid_contrast(picture, gain, cutoff):
    return plane_map(lambda x, y, p: [1 / (1 + math.exp(gain * (cutoff - v))) for v in p], picture)


def log_contrast(picture, gain):
    return plane_map(lambda x, y, p: [gain * math.log2(1 + v) for v in p], picture)


def morphology(picture, operation, kernel_size):
    """Uses OpenCV's ellipse; the area outside does not count."""
    height, width = kernel_size
    r, c = height // 2, width // 2
    inside = set()
    for i in range(height):
        dx = round(c * math.sqrt((r * r - (i - r) ** 2) / (r * r))) if r else c
        inside |= {(j - c, i - r) for j in range(width) if abs(j - c) <= dx}

    def at(x, y, pixel):
        near = [picture[y + v][x + u] for u, v in inside if 0 <= x + u < WIDTH and 0 <= y + v < HEIGHT]
        return [(max if operation == "dilation" else min)(p[b] for p in near) for b in range(len(pixel))]
    return plane_map(at, picture)


def lit(picture, factor):
    return plane_map(lambda x, y, p: [v * factor(x, y) for v in p], picture)


def illumination(picture, mode, intensity, angle=0, corner="top_left", center=(0.5, 0.5), sigma=0.5):
    def linear(x, y):
        """0..1 from the corner that is the first in this direction to the last."""
        along = [u * math.cos(math.radians(angle)) + v * math.sin(math.radians(angle))
                 for u, v in ((x / (WIDTH - 1), y / (HEIGHT - 1)), (0, 0), (1, 0), (0, 1), (1, 1))]
        return 1 - intensity + 2 * intensity * (along[0] - min(along[1:])) / (max(along[1:]) - min(along[1:]))

    def from_corner(x, y):
        x0, y0 = {"top_left": (0, 0), "top_right": (WIDTH - 1, 0), "bottom_right": (WIDTH - 1, HEIGHT - 1),
                  "bottom_left": (0, HEIGHT - 1)}[corner]
        return 1 - intensity * math.hypot(x - x0, y - y0) / math.hypot(WIDTH, HEIGHT)

    def gaussian(x, y):
        distance2 = (x - WIDTH * center[0]) ** 2 + (y - HEIGHT * center[1]) ** 2
        return 1 + intensity * math.exp(-distance2 / (2 * (max(WIDTH, HEIGHT) * sigma) ** 2))
    return lit(picture, {"linear": linear, "corner": from_corner, "gaussian": gaussian}[mode])


def plasma_shadow(picture, intensity, roughness, key):
    cloud = plasma(roughness ** -0.5, key)
    return lit(picture, lambda x, y: 1 - intensity * cloud[y][x])


def plasma_brightness_contrast(picture, brightness, contrast, roughness, key):
    cloud = plasma(roughness ** -0.5, key)
    bright = plane_map(lambda x, y, p: [min(1, max(0, v + brightness * cloud[y][x])) for v in p], picture)
    samples = [v for row in bright for pixel in row for v in pixel]
    mean = sum(samples) / len(samples)
    return plane_map(lambda x, y, p: [mean + (v - mean) * (1 + contrast * cloud[y][x]) for v in p], bright)


def chromatic_aberration(picture, interpolation="bilinear", **k):
    if len(picture[0][0]) < 3:
        return picture

    def seen(x, y, band, name):
        u, v = (x + 0.5) / WIDTH - 0.5, (y + 0.5) / HEIGHT - 0.5
        r2 = u * u + v * v
        factor = 1 + k.get(f"primary_distortion_{name}", 0) * r2 + k.get(f"secondary_distortion_{name}", 0) * r2 ** 2
        at = [min(n - 1, max(0, (c * factor + 0.5) * n - 0.5)) for c, n in ((u, WIDTH), (v, HEIGHT))]
        if interpolation == "nearest":
            at = [math.floor(c + 0.5) for c in at]
        left, top = (int(c) for c in at)
        return sum(abs(1 - i - (at[0] - left)) * abs(1 - j - (at[1] - top)) *
                   picture[min(top + j, HEIGHT - 1)][min(left + i, WIDTH - 1)][band] for i in (0, 1) for j in (0, 1))
    return plane_map(lambda x, y, p: [seen(x, y, 0, "red"), p[1], seen(x, y, 2, "blue")], picture)


def by_weights(picture, size, weight):
    """The sum of size x size pixels, by weights of their places from the middle that are made to sum to 1."""
    places = [(x - size // 2, y - size // 2) for y in range(size) for x in range(size)]
    weights = [weight(*place) for place in places]
    total = sum(weights)
    return weighed(picture, {place: w / total for place, w in zip(places, weights)})


def ringing(picture, kernel_size, cutoff):
    def bessel_1(x):
        """Computed by its power series."""
        return sum((-1) ** m * (x / 2) ** (2 * m + 1) / (math.factorial(m) * math.factorial(m + 1)) for m in range(40))

    def weight(x, y):
        r = math.hypot(x, y)
        return cutoff * bessel_1(cutoff * r) / r if r else cutoff ** 2 / 2
    return by_weights(picture, kernel_size, weight)


def advanced_blur(picture, kernel_size, sigma_x, sigma_y, angle, beta, noise, key):
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    # Covariance of the turned axes, and its inverse.
    xx, yy, xy = (c * sigma_x) ** 2 + (s * sigma_y) ** 2, (s * sigma_x) ** 2 + (c * sigma_y) ** 2, c * s * (sigma_x ** 2 - sigma_y ** 2)
    determinant = xx * yy - xy * xy

    def weight(x, y):
        d2 = (yy * x * x - 2 * xy * x * y + xx * y * y) / determinant
        u = unit(philox(key, 0, x + kernel_size // 2, y + kernel_size // 2)[0])
        return math.exp(-0.5 * d2 ** beta) * (noise[0] + (noise[1] - noise[0]) * u)
    return by_weights(picture, kernel_size, weight)


def bilateral_blur(picture, d, sigma_color, sigma_space):
    reach = d // 2

    def at(x, y, pixel):
        total, weights = [0] * len(pixel), 0
        for v in range(-reach, reach + 1):
            for u in range(-reach, reach + 1):
                if math.hypot(u, v) > reach:
                    continue
                near = picture[mirror(y + v, HEIGHT)][mirror(x + u, WIDTH)]
                apart = 255 * sum(abs(a - b) for a, b in zip(near, pixel))
                weight = math.exp(-(u * u + v * v) / (2 * sigma_space ** 2) - apart ** 2 / (2 * sigma_color ** 2))
                weights += weight
                total = [t + weight * n for t, n in zip(total, near)]
        return [t / weights for t in total]
    return plane_map(at, picture)


def gamma(shape, key, stream, x, y):
    d = (shape + (shape < 1)) - 1 / 3
    while True:
        w = philox(key, stream, x, y)
        z, u, boost = normals(w[0], w[1])[0], 1 - unit(w[2]), 1 - unit(w[3])
        v = (1 + z / math.sqrt(9 * d)) ** 3
        if v > 0 and math.log(u) < z * z / 2 + d - d * v + d * math.log(v):
            return d * v * (boost ** (1 / shape) if shape < 1 else 1)
        stream += 6


def additive_noise(picture, noise_type, spatial_mode, key, ranges=((-0.1, 0.1),), mean=0, std=0, scale=0, alpha=1, beta=1):
    def noise(x, y, band):
        w = philox(key, 0, x, y)
        u = ((w[band] >> 8) + 0.5) / 2 ** 24
        if noise_type == "uniform":
            low, high = ranges[band if spatial_mode == "constant" and len(ranges) > 1 else 0]
            return low + (high - low) * unit(w[band])
        if noise_type == "gaussian":
            return mean + std * [*normals(w[0], w[1]), normals(w[2], w[3])[0]][band]
        if noise_type == "laplace":
            return mean + scale * (math.log(2 * u) if u < 0.5 else -math.log(2 - 2 * u))
        a, b = gamma(alpha, key, 2 * band, x, y), gamma(beta, key, 2 * band + 1, x, y)
        return scale * (2 * a / (a + b) - 1)
    places = {"constant": lambda x, y, b: (0, 0, b), "per_pixel": lambda x, y, b: (x, y, b), "shared": lambda x, y, b: (x, y, 0)}
    return plane_map(lambda x, y, p: [v + noise(*places[spatial_mode](x, y, b)) for b, v in enumerate(p)], picture)


def gravel(picture, patches, key):
    light = {}
    for which, (top, left, height, width) in enumerate(patches):
        for i in range(width * height // 100):
            u = [unit(w) for w in philox(key, which, i, 0)]
            x, y, r = left + int(u[0] * (width + 1)), top + int(u[1] * (height + 1)), 1 + int(u[2] * 3)
            light.update({(x + dx, y + dy): int(u[3] * 256) / 255 for dy in range(-r, r) for dx in range(-r, r)})

    def at(x, y, pixel):
        if (x, y) not in light:
            return pixel
        hue, _, saturation = colorsys.rgb_to_hls(*(pixel if len(pixel) == 3 else pixel * 3))
        return colorsys.hls_to_rgb(hue, light[x, y], saturation)[:len(pixel)]
    return plane_map(at, picture)


def he_stain(picture, hematoxylin, eosin, scale, shift, augment_background):
    """Least squares by the normal equations, whose matrix has 1e-6 more on its diagonal."""
    if len(picture[0][0]) < 3:
        return picture
    stains = [hematoxylin, eosin]
    gram = [[sum(a * b for a, b in zip(s, t)) + (s is t) * 1e-6 for t in stains] for s in stains]

    def at(x, y, pixel):
        density = [-math.log(max(v, 1e-6)) for v in pixel]
        a, b = (sum(s * d for s, d in zip(stain, density)) for stain in stains)
        determinant = gram[0][0] * gram[1][1] - gram[0][1] ** 2
        amounts = [(gram[1][1] * a - gram[0][1] * b) / determinant, (gram[0][0] * b - gram[0][1] * a) / determinant]
        if augment_background or 0.299 * pixel[0] + 0.587 * pixel[1] + 0.114 * pixel[2] < 0.85:
            amounts = [m * v + n for m, v, n in zip(amounts, scale, shift)]
        return [math.exp(-sum(m * stain[k] for m, stain in zip(amounts, stains))) for k in range(3)]
    return plane_map(at, picture)


def resized(picture, width, height):
    """Between the centres of four pixels."""
    def at(v, n, of):
        v = min(of - 1, max(0, (v + 0.5) * of / n - 0.5))
        return int(v), min(int(v) + 1, of - 1), v - int(v)

    def blended(x, y, b):
        left, right, u = at(x, width, len(picture[0]))
        top, bottom, v = at(y, height, len(picture))
        above, below = (row[left][b] * (1 - u) + row[right][b] * u for row in (picture[top], picture[bottom]))
        return above * (1 - v) + below * v
    return [[[blended(x, y, b) for b in range(len(picture[0][0]))] for x in range(width)] for y in range(height)]


def superpixels(picture, n_segments, p_replace, key, max_size=None):
    """SLIC: ten rounds, in which distances only fall."""
    top = next(t for t in (255, 65535) if all(abs(v * t - round(v * t)) < 1e-6 for row in picture for p in row for v in p))

    def whole(rows):
        return [[[math.floor(v + 0.5) for v in p] for p in row] for row in rows]
    levels = whole([[[v * top for v in p] for p in row] for row in picture])
    if max_size:  # of half the picture's size, so that all is exact
        levels = whole(resized(levels, max_size, max_size * HEIGHT // WIDTH))
    width, height = len(levels[0]), len(levels)
    largest = max(v for row in levels for p in row for v in p)
    step = int((width * height / n_segments) ** 0.5)
    centres = [(x, y) for y in range(step // 2, height, step) for x in range(step // 2, width, step)]
    best = {(x, y): (math.inf, None) for y in range(height) for x in range(width)}
    for _ in range(10):
        for i, (cx, cy) in enumerate(centres):
            for y in range(max(0, cy - step), min(height, cy + step + 1)):
                for x in range(max(0, cx - step), min(width, cx + step + 1)):
                    colour = 0
                    for a, b in zip(levels[y][x], levels[cy][cx]):
                        colour += ((a - b) / largest) ** 2
                    distance = colour + 10 * (((x - cx) ** 2 + (y - cy) ** 2) / step ** 2)
                    if distance < best[x, y][0]:
                        best[x, y] = distance, i
        members = [[] for _ in centres]
        for place, (_, i) in best.items():
            members[i].append(place)
        centres = [(sum(x for x, _ in of) // len(of), sum(y for _, y in of) // len(of)) if of else c
                   for of, c in zip(members, centres)]
    for i, of in enumerate(members):
        if unit(philox(key, 0, i, 0)[0]) < p_replace and of:
            mean = [sum(levels[y][x][b] for x, y in of) / len(of) for b in range(len(levels[0][0]))]
            for x, y in of:
                levels[y][x] = [math.floor(v + 0.5) for v in mean]
    made = resized(levels, WIDTH, HEIGHT) if max_size else levels
    return [[[v / top for v in p] for p in row] for row in made]


def smoothed(plane, sigma, reach):
    """A Gaussian cut off at this reach."""
    k = [math.exp(-i * i / (2 * sigma * sigma)) for i in range(-reach, reach + 1)]
    k = [v / sum(k) for v in k]
    xs, ys = ([[mirror(at + i - reach, n) for i in range(len(k))] for at in range(n)] for n in (WIDTH, HEIGHT))
    plane = [[sum(w * row[i] for w, i in zip(k, near)) for near in xs] for row in plane]
    return [[sum(w * plane[i][x] for w, i in zip(k, near)) for x in range(WIDTH)] for near in ys]


def snow_texture(picture, snow_point, brightness_coeff, key):
    texture = smoothed(smoothed(normal_layer(key, 0.5, 0.3), 1, 4), 1, 4)

    def at(x, y, pixel):
        if unit(philox(key, 0, x, y)[2]) > 0.99:
            return [1] * len(pixel)
        layer = snow_point * texture[y][x] * (1 - 0.8 * y / (HEIGHT - 1))
        hue, saturation, value = colorsys.rgb_to_hsv(*(pixel if len(pixel) == 3 else pixel * 3))
        value = min(1, 0.85 * (min(1, value * (1 + brightness_coeff * snow_point)) + layer) + 0.15 * snow_point / 255)
        if len(pixel) < 3:
            return [value]
        # OpenCV's hue has a range of 180, and the layer one of 255.
        hue = 0.85 * (180 * hue + 255 * layer) + 0.15 * 0.6 * snow_point
        saturation = min(1, 0.85 * (saturation + layer) + 0.15 * 0.75 * snow_point / 255)
        return colorsys.hsv_to_rgb(hue / 180 % 1, saturation, value)
    return plane_map(at, picture)


def shown(color, picture):
    """A number or three of 0..255 in the image's colours; on gray images their luma, rounded."""
    color = color if isinstance(color, list) else [color] * 3
    if len(picture[0][0]) < 3:
        color = [round(0.2989 * color[0] + 0.587 * color[1] + 0.114 * color[2])]
    return [v / 255 for v in color]


def fog_puffs(picture, fog_coef, alpha_coef, key, fog_color=255):
    side, shorter = max(1, int(WIDTH // 3 * fog_coef)), min(WIDTH, HEIGHT)
    most = max(2, int(shorter * 0.1 * fog_coef))
    least = most // 2
    width, height, puffs = WIDTH, HEIGHT, []
    for region in range(10):
        if width <= side or height <= side:
            break
        for i in range(int(width * height / side ** 2 * fog_coef * 10)):
            w = philox(key, 0, i, region)
            puffs.append(((WIDTH - 1) // 2 - width // 2 + (w[0] * (width // 2 * 2 + 1) >> 32),
                          (HEIGHT - 1) // 2 - height // 2 + (w[1] * (height // 2 * 2 + 1) >> 32),
                          least + (w[2] * (most - least) >> 32)))
        width, height = int(width * 0.9), int(height * 0.9)
    layer = [[float(any((x - u) ** 2 + (y - v) ** 2 <= r * (r + 1) for u, v, r in puffs)) for x in range(WIDTH)]
             for y in range(HEIGHT)]
    layer = smoothed(layer, 4.1, 12)
    color = shown(fog_color, picture)

    def at(x, y, pixel):
        alpha = layer[y][x] * alpha_coef * fog_coef
        return [v * (1 - alpha) + color[b] * layer[y][x] * alpha for b, v in enumerate(pixel)]
    return plane_map(at, picture)


def cut(outline, a, b, most):
    """Returns the part of an outline with a * x + b * y <= most."""
    out = []
    for p, q in zip(outline, outline[1:] + outline[:1]):
        dp, dq = (most - a * x - b * y for x, y in (p, q))
        if dp >= 0:
            out.append(p)
        if dp * dq < 0:
            out.append(tuple(u + (v - u) * dp / (dp - dq) for u, v in zip(p, q)))
    return out


def lens_flare(picture, x, y, radius, color, circles):
    longer = max(WIDTH, HEIGHT)
    color, circles = shown(color, picture), [(*c[:3], shown(c[3:], picture)) for c in circles]

    def streak(u, v, eighth):
        """The pixel's share of a strip from the sun on."""
        c, s = math.cos(eighth * math.pi / 4), math.sin(eighth * math.pi / 4)
        left = [(u, v), (u + 1, v), (u + 1, v + 1), (u, v + 1)]
        for a, b, most in (-c, -s, 0), (c, s, longer), (-s, c, 1), (s, -c, 1):
            left = cut(left, a, b, most + a * x + b * y)
        return abs(sum(p[0] * q[1] - p[1] * q[0] for p, q in zip(left, left[1:] + left[:1]))) / 2

    def laid(u, v, pixel):
        def over(share, color):
            return [a + (b - a) * share for a, b in zip(light, color)]

        def disc(cx, cy, r):
            return min(1, 2 * r, max(0, r + 0.5 - math.hypot(u + 0.5 - cx, v + 0.5 - cy)))
        light = [0] * len(pixel)
        light = over(disc(x, y, radius), color)
        for eighth in range(4):
            light = over(streak(u, v, eighth), color)
        for cx, cy, r, of in circles:
            light = over(disc(cx, cy, r), of)
        return light
    light = by_channel(lambda plane: smoothed(plane, 15, 60), plane_map(laid, picture))
    light = plane_map(lambda u, v, p: [a * max(0, 1 - math.hypot(u + 0.5 - x, v + 0.5 - y) / (0.7 * longer)) for a in p], light)
    if len(color) == 3:
        red, green, blue = ([[p[b] for p in row] for row in light] for b in range(3))
        red, blue = smoothed(red, 3, 12), smoothed(blue, 5, 20)
        light = plane_map(lambda u, v, p: [red[v][u], green[v][u], blue[v][u]], light)
    return plane_map(lambda u, v, p: [1 - (1 - a) * (1 - f) for a, f in zip(p, light[v][u])], picture)


def gray(picture, method, num_output_channels):
    """Lightness by CIE's formula for sRGB, whose white's Y is 1."""
    def lightness(pixel):
        r, g, b = (v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in pixel)
        y = 0.212671 * r + 0.71516 * g + 0.072169 * b
        return (903.3 * y if y <= 0.008856 else 116 * y ** (1 / 3) - 16) / 100
    top = next(t for t in (255, 65535) if all(abs(v * t - round(v * t)) < 1e-6 for row in picture for p in row for v in p))
    of = {"from_lab": lightness, "desaturation": lambda p: (round((max(p) + min(p)) * top) // 2) / top, "max": max}[method]
    return plane_map(lambda x, y, p: [of(p) if len(p) == 3 else p[0]] * num_output_channels, picture)


def gray_pca(picture):
    """The axis by repeated multiplication with the covariances."""
    pixels = [p for row in picture for p in row]
    if len(pixels[0]) < 3:
        return picture
    mean = [sum(p[k] for p in pixels) / len(pixels) for k in range(3)]
    spread = [[sum((p[i] - mean[i]) * (p[j] - mean[j]) for p in pixels) for j in range(3)] for i in range(3)]
    axis = [1, 0.9, 0.8]
    for _ in range(500):
        axis = [sum(a * b for a, b in zip(row, axis)) for row in spread]
        largest = max(axis, key=abs)
        axis = [a / largest for a in axis]
    places = [sum(a * b for a, b in zip(axis, p)) for p in pixels]
    least, most = min(places), max(places)
    return plane_map(lambda x, y, p: [(sum(a * b for a, b in zip(axis, p)) - least) / (most - least)] * 3, picture)


CASES = [(emboss, {"alpha": 0.3, "strength": 0.6}), (emboss, {"alpha": 1, "strength": 0}), (edge_detect, {"alpha": 0.4}),
         (edge_detect, {"alpha": 1}), (sigmoid_contrast, {"gain": 6, "cutoff": 0.4}), (log_contrast, {"gain": 0.8}),
         (log_contrast, {"gain": 1.5}),
         (morphology, {"operation": "dilation", "kernel_size": [3, 2]}), (morphology, {"operation": "erosion", "kernel_size": [5, 8]}),
         (morphology, {"operation": "dilation", "kernel_size": [1, 7]}), (morphology, {"operation": "erosion", "kernel_size": [80, 9]}),
         (illumination, {"mode": "linear", "intensity": 0.2}), (illumination, {"mode": "linear", "intensity": -0.3, "angle": 200}),
         (illumination, {"mode": "linear", "intensity": 0.4, "angle": 315}),
         (illumination, {"mode": "corner", "intensity": 0.5, "corner": "top_right"}),
         (illumination, {"mode": "corner", "intensity": -0.2, "corner": "bottom_left"}),
         (illumination, {"mode": "gaussian", "intensity": -0.6, "center": [0.2, 0.7], "sigma": 0.2}),
         (plasma_shadow, {"intensity": 0.7, "roughness": 0.4, "key": 5}), (plasma_shadow, {"intensity": 1, "roughness": 3, "key": 6}),
         (plasma_brightness_contrast, {"brightness": 0.4, "contrast": -0.3, "roughness": 0.4, "key": 7}),
         (plasma_brightness_contrast, {"brightness": -0.2, "contrast": 0.6, "roughness": 3, "key": 8}),
         (chromatic_aberration, {"primary_distortion_red": 0.3, "secondary_distortion_red": -0.2, "primary_distortion_blue": -0.25}),
         (chromatic_aberration, {"secondary_distortion_red": 0.9, "secondary_distortion_blue": -0.7, "interpolation": "nearest"}),
         (ringing, {"kernel_size": 15, "cutoff": 0.8}), (ringing, {"kernel_size": 7, "cutoff": 3.1}),
         (advanced_blur, {"kernel_size": 9, "sigma_x": 3, "sigma_y": 0.8, "angle": 30, "beta": 0.6, "noise": [0.5, 1.5], "key": 9}),
         (advanced_blur, {"kernel_size": 5, "sigma_x": 0.7, "sigma_y": 2, "angle": -70, "beta": 7, "noise": [1, 1], "key": 0}),
         (bilateral_blur, {"d": 7, "sigma_color": 60, "sigma_space": 2}), (bilateral_blur, {"d": 2, "sigma_color": 200, "sigma_space": 20}),
         (additive_noise, {"noise_type": "uniform", "spatial_mode": "constant", "key": 3, "ranges": [[0, 0.1], [0.2, 0.3], [-0.3, -0.2]]}),
         (additive_noise, {"noise_type": "uniform", "spatial_mode": "per_pixel", "key": 4, "ranges": [[-0.1, 0.3]]}),
         (additive_noise, {"noise_type": "gaussian", "spatial_mode": "per_pixel", "key": 5, "mean": 0.1, "std": 0.1}),
         (additive_noise, {"noise_type": "gaussian", "spatial_mode": "constant", "key": 6, "mean": 0.1, "std": 0.1}),
         (additive_noise, {"noise_type": "laplace", "spatial_mode": "shared", "key": 7, "mean": -0.1, "scale": 0.1}),
         (additive_noise, {"noise_type": "beta", "spatial_mode": "per_pixel", "key": 8, "alpha": 0.4, "beta": 2.5, "scale": 0.3}),
         (additive_noise, {"noise_type": "beta", "spatial_mode": "shared", "key": 9, "alpha": 1.5, "beta": 0.7, "scale": 0.2}),
         (gravel, {"patches": [[5, -4, 20, 30], [12, 10, 30, 25], [0, 0, 9, 9]], "key": 10}),
         (he_stain, {"hematoxylin": [0.65, 0.7, 0.29], "eosin": [0.07, 0.99, 0.11], "scale": [1.3, 0.7], "shift": [-0.1, 0.2],
                     "augment_background": False}),
         (he_stain, {"hematoxylin": [0.78, 0.55, 0.28], "eosin": [0.09, 0.97, 0.21], "scale": [0.8, 1.2], "shift": [0.2, 0],
                     "augment_background": True}),
         (snow_texture, {"snow_point": 0.1, "brightness_coeff": 2.5, "key": 13}),
         (snow_texture, {"snow_point": 0.8, "brightness_coeff": 0.4, "key": 14}),
         (fog_puffs, {"fog_coef": 1, "alpha_coef": 0.7, "key": 15, "fog_color": [250, 200, 150]}),
         (fog_puffs, {"fog_coef": 0.3, "alpha_coef": 1, "key": 16}), (fog_puffs, {"fog_coef": 0.02, "alpha_coef": 1, "key": 17}),
         (lens_flare, {"x": 12, "y": 9.5, "radius": 6, "color": [255, 240, 180],
                       "circles": [[20, 20, 3, 250, 200, 90], [40, 30, 0.3, 90, 200, 255]]}),
         (lens_flare, {"x": 50, "y": -8, "radius": 20, "color": [200, 200, 200], "circles": []}),
         (superpixels, {"n_segments": 30, "p_replace": 0.6, "key": 11}), (superpixels, {"n_segments": 1, "p_replace": 1, "key": 0}),
         (superpixels, {"n_segments": 12, "p_replace": 0.5, "key": 12, "max_size": 22}),
         *((gray, {"method": method, "num_output_channels": n}) for method in ("from_lab", "desaturation", "max") for n in (1, 3)),
         (gray_pca, {})]
# Matrices of bytes are in fixed point.
TOLERANCE = {"gray_pca": 0.65}


def main(lockstep):
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        pictures(folder)
        for function, values in CASES:
            for kind in ("rgb8", "rgb16", "gray8"):
                top = 65535 if kind.endswith("16") else 255
                picture = load(f"{folder}/{kind}/a.png", top)
                before = []
                if function is gray_pca and kind != "gray8":  # so that nothing is black
                    before = [{"type": "shift_rgb", "r_shift": 30, "g_shift": 20, "b_shift": 40}]
                    picture = [[tuple(min(1, v + by / 255) for v, by in zip(p, (30, 20, 40))) for p in row] for row in picture]
                _, made = run(lockstep, folder, before + [{"type": function.__name__, **values}], kind)
                off = max(abs(a - min(1, max(0, b))) * top for rows in zip(load(made, top), function(picture, **values))
                          for pair in zip(*rows) for a, b in zip(*pair))
                if function is gray and values["method"] == "desaturation" and off > 0.01:
                    failed.append(f"{values} {kind}: {off:.2f} levels off where whole levels are known")
                if off > (TOLERANCE.get(function.__name__, 0.51) if top == 255 else 0.6):
                    failed.append(f"{function.__name__} {values} {kind}: {off:.2f} levels off")
    print("\n".join(failed))
    print(f"{len(CASES)} steps on 3 kinds of images, {len(failed)} failed")
    return 1 if failed else 0


sys.exit(main(sys.argv[1]))
