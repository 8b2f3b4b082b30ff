"""The jobs in Pillow as an expert writes them.

One composed transform, one fused colour matrix or table, polygons as vectors, and 12 megapixels
decoded in draft mode.
"""
import numpy as np
from PIL import Image, ImageStat

import harness
from harness import SIZE, SMALL


def save(image, to):
    image.save(to, "JPEG", quality=95, subsampling="4:2:0")


def warp(image, matrix, size, how):
    """Warps by a matrix over continuous coordinates, which Pillow uses, too."""
    back = np.linalg.inv(matrix)
    return image.transform(size, Image.Transform.AFFINE, back[:2].reshape(-1).tolist(), how)


def warp_mask(mask, matrix, size):
    return np.asarray(warp(Image.fromarray(mask), matrix, size, Image.Resampling.NEAREST))


def main(source, to, rng):
    image = Image.open(source)
    d = harness.draw_main(rng, *image.size)
    x, y, w, h = window = d["x"], d["y"], d["w"], d["h"]
    matrix = harness.main_matrix(d)
    inner = matrix @ harness.shift(x, y)
    crop = image.crop((x, y, x + w, y + h))
    colours = harness.jitter_matrix(d, np.array(ImageStat.Stat(crop).mean))
    colours = colours.reshape(-1).tolist()
    if w * h < SIZE * SIZE:
        crop = crop.convert("RGB", colours)
        out = warp(crop, inner, (SIZE, SIZE), Image.Resampling.BILINEAR)
    else:
        out = warp(crop, inner, (SIZE, SIZE), Image.Resampling.BILINEAR)
        out = out.convert("RGB", colours)
    save(out, to)
    return matrix, (SIZE, SIZE), window, lambda m: warp_mask(
        np.ascontiguousarray(m[y:y + h, x:x + w]), inner, (SIZE, SIZE))


def flip(source, to, _):
    image = Image.open(source)
    save(image.transpose(Image.Transpose.FLIP_LEFT_RIGHT), to)
    matrix = np.array([[-1, 0, image.width], [0, 1, 0], [0, 0, 1]], float)
    return matrix, image.size, None, lambda m: m[:, ::-1]


BEFORE = harness.ten_before()


def ten(source, to, _):
    """The mean that the contrast needs is had from the histogram: one pass for all ten."""
    image = Image.open(source)
    levels = np.array(image.histogram(), float).reshape(3, 256)
    mean = harness.LUMA @ (levels @ BEFORE) / (image.width * image.height)
    table = harness.ten_after(mean)[BEFORE].tolist()
    save(image.point(table * 3), to)
    return np.eye(3), image.size, None, lambda m: m


def affines(source, to, _):
    image = Image.open(source)
    matrix = harness.affines_matrix(*image.size)
    save(warp(image, matrix, image.size, Image.Resampling.BILINEAR), to)
    return matrix, image.size, None, lambda m: warp_mask(m, matrix, image.size)


def shrink(source, to, _):
    image = Image.open(source)
    w, h = image.size
    image.draft("RGB", (SMALL, SMALL))
    save(image.resize((SMALL, SMALL), Image.Resampling.BILINEAR), to)
    return np.diag([SMALL / w, SMALL / h, 1]), (SMALL, SMALL), None, lambda m: np.asarray(
        Image.fromarray(m).resize((SMALL, SMALL), Image.Resampling.NEAREST))


harness.run({"main": main, "flip": flip, "ten": ten, "affines": affines, "shrink": shrink})
