"""The jobs in OpenCV as an expert writes them.

One composed warpAffine, one fused colour matrix or table, polygons as vectors, and 12 megapixels
decoded at an eighth.
"""
import os

import cv2
import numpy as np

import harness
from harness import SIZE, SMALL

# Processes fill the processors: more threads were not faster. CV_THREADS=N tries it.
cv2.setNumThreads(int(os.environ.get("CV_THREADS", "1")))

QUALITY = [cv2.IMWRITE_JPEG_QUALITY, 95]
FLAGS = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
HALF = harness.shift(0.5, 0.5)


def warp(image, matrix, size, how):
    """Warps by a matrix over continuous coordinates; OpenCV's integer coordinates are pixel centers."""
    back = np.linalg.inv(HALF) @ np.linalg.inv(matrix) @ HALF
    return cv2.warpAffine(image, back[:2], size, flags=how | cv2.WARP_INVERSE_MAP)


def main(source, to, rng):
    image = cv2.imread(source, FLAGS)
    d = harness.draw_main(rng, image.shape[1], image.shape[0])
    x, y, w, h = window = d["x"], d["y"], d["w"], d["h"]
    matrix = harness.main_matrix(d)
    crop = image[y:y + h, x:x + w]
    colours = harness.jitter_matrix(d, np.array(cv2.mean(crop)[2::-1]))
    inner = matrix @ harness.shift(x, y)
    if w * h < SIZE * SIZE:
        crop = cv2.transform(crop, colours[::-1, [2, 1, 0, 3]])
        out = warp(crop, inner, (SIZE, SIZE), cv2.INTER_LINEAR)
    else:
        out = warp(crop, inner, (SIZE, SIZE), cv2.INTER_LINEAR)
        out = cv2.transform(out, colours[::-1, [2, 1, 0, 3]])
    cv2.imwrite(to, out, QUALITY)
    return matrix, (SIZE, SIZE), window, lambda m: warp(
        np.ascontiguousarray(m[y:y + h, x:x + w]), inner, (SIZE, SIZE), cv2.INTER_NEAREST)


def flip(source, to, _):
    image = cv2.imread(source, FLAGS)
    cv2.imwrite(to, cv2.flip(image, 1), QUALITY)
    h, w = image.shape[:2]
    matrix = np.array([[-1, 0, w], [0, 1, 0], [0, 0, 1]], float)
    return matrix, (w, h), None, lambda m: cv2.flip(m, 1)


BEFORE = harness.ten_before()


def ten(source, to, _):
    image = cv2.LUT(cv2.imread(source, FLAGS), BEFORE)
    mean = harness.LUMA @ cv2.mean(image)[2::-1]
    cv2.imwrite(to, cv2.LUT(image, harness.ten_after(mean)), QUALITY)
    return np.eye(3), image.shape[1::-1], None, lambda m: m


def affines(source, to, _):
    image = cv2.imread(source, FLAGS)
    size = image.shape[1::-1]
    matrix = harness.affines_matrix(*size)
    cv2.imwrite(to, warp(image, matrix, size, cv2.INTER_LINEAR), QUALITY)
    return matrix, size, None, lambda m: warp(m, matrix, size, cv2.INTER_NEAREST)


def shrink(source, to, _):
    flags = cv2.IMREAD_REDUCED_COLOR_8 | cv2.IMREAD_IGNORE_ORIENTATION
    image = cv2.imread(source, flags)
    w, h = 8 * image.shape[1], 8 * image.shape[0]
    out = cv2.resize(image, (SMALL, SMALL), interpolation=cv2.INTER_AREA)
    cv2.imwrite(to, out, QUALITY)
    return np.diag([SMALL / w, SMALL / h, 1]), (SMALL, SMALL), None, lambda m: cv2.resize(
        m, (SMALL, SMALL), interpolation=cv2.INTER_NEAREST)


harness.run({"main": main, "flip": flip, "ten": ten, "affines": affines, "shrink": shrink})
