"""The jobs in torchvision, op by op; TENSOR=yes takes tensors, else Pillow images.

torchvision 0.14 moves no labels: polygons are moved as vectors by the composed matrix.
"""
import os

import numpy as np
import torch
import torchvision.transforms.functional as F
from PIL import Image
from torchvision.io import ImageReadMode, decode_jpeg, encode_jpeg
from torchvision.transforms import InterpolationMode

import harness
from harness import SIZE, SMALL

# Processes fill the processors.
torch.set_num_threads(1)

TENSOR = os.environ.get("TENSOR") == "yes"
BILINEAR, NEAREST = InterpolationMode.BILINEAR, InterpolationMode.NEAREST


def read(path):
    if not TENSOR:
        return Image.open(path).convert("RGB")
    return decode_jpeg(torch.from_numpy(np.fromfile(path, np.uint8)), ImageReadMode.RGB)


def size_of(image):
    return (image.shape[2], image.shape[1]) if TENSOR else image.size


def save(image, to):
    if TENSOR:
        encode_jpeg(image, 95).numpy().tofile(to)
    else:
        image.save(to, "JPEG", quality=95, subsampling="4:2:0")


def on_mask(m, *steps):
    t = torch.from_numpy(np.ascontiguousarray(m))[None]
    for step in steps:
        t = step(t)
    return t[0].numpy()


def main(source, to, rng):
    image = read(source)
    d = harness.draw_main(rng, *size_of(image))
    x, y, w, h = d["x"], d["y"], d["w"], d["h"]

    def move(i, how):
        i = F.resized_crop(i, y, x, h, w, [SIZE, SIZE], how)
        return F.hflip(i) if d["flip"] else i

    out = move(image, BILINEAR)
    jitter = [F.adjust_brightness, F.adjust_contrast, F.adjust_saturation, F.adjust_hue]
    for what in d["order"]:
        out = jitter[what](out, d["factors"][what])
    save(F.rotate(out, d["angle"], BILINEAR), to)
    return harness.main_matrix(d), (SIZE, SIZE), (x, y, w, h), lambda m: on_mask(
        m, lambda t: move(t, NEAREST), lambda t: F.rotate(t, d["angle"]))


def flip(source, to, _):
    image = read(source)
    save(F.hflip(image), to)
    w, h = size_of(image)
    matrix = np.array([[-1, 0, w], [0, 1, 0], [0, 0, 1]], float)
    return matrix, (w, h), None, lambda m: on_mask(m, F.hflip)


def ten(source, to, _):
    image = read(source)
    size = size_of(image)
    image = F.adjust_brightness(image, 1.05)
    image = F.adjust_gamma(image, 0.9)
    image = F.invert(image)
    image = F.solarize(image, 250)
    image = F.adjust_contrast(image, 0.95)
    image = F.adjust_gamma(image, 1.1)
    image = F.invert(image)
    image = F.adjust_brightness(image, 0.95)
    image = F.posterize(image, 7)
    save(F.solarize(image, 250), to)
    return np.eye(3), size, None, lambda m: m


def affines(source, to, _):
    def move(i, how):
        i = F.rotate(i, harness.ANGLE, how)
        i = F.affine(i, 0, [0, 0], harness.SCALE, [0, 0], how)
        i = F.affine(i, 0, [0, 0], 1, [harness.SHEAR, 0], how)
        return F.affine(i, 0, list(harness.SHIFT), 1, [0, 0], how)

    image = read(source)
    size = size_of(image)
    save(move(image, BILINEAR), to)
    return harness.affines_matrix(*size), size, None, lambda m: on_mask(
        m, lambda t: move(t, NEAREST))


def shrink(source, to, _):
    image = read(source)
    w, h = size_of(image)
    save(F.resize(image, [SMALL, SMALL], BILINEAR, antialias=True), to)
    return np.diag([SMALL / w, SMALL / h, 1]), (SMALL, SMALL), None, lambda m: on_mask(
        m, lambda t: F.resize(t, [SMALL, SMALL], NEAREST))


harness.run({"main": main, "flip": flip, "ten": ten, "affines": affines, "shrink": shrink})
