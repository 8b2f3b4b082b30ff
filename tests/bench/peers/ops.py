"""Each op beside the same of OpenCV, Pillow and torchvision, in memory, one thread each.

Arguments: the program bench_ops, the number of rounds (15), and a word: only rows whose names contain it are run (all).
Several words are separated by commas. Environment: WIDTH=640 or 4000 runs that size only. BITS=16 uses 16-bit pictures,
for which only OpenCV has some ops; they have their own limit. AVX512=off switches AVX-512 off for the peers and their C
library; bench_ops must then be built without it. If AVX-512 is off or the machine lacks it, a different limit applies.

Each round runs each row with lockstep and all peers: two runs in succession, or six if the row is SHORT; the best
counts. Printed are the medians of the rounds, in ns per input pixel, and lockstep's time divided by the peer's. Each
round uses new processes: a process keeps the pages of a picture, which change the time of a copy by up to a quarter. Each round runs on one processor and the next round on another: on shared machines one may be that much slower.
A "=" after a peer's time means that the peer computes the same function. That is, 99 of 100 samples of a picture are
within 2 levels of lockstep's, or both draw such noise at random. Required is at most LIMIT times the fastest of these
peers; the other peers are only printed. A peer that takes MANY times as long runs in the first three rounds only.

Peers get images in their own form: arrays, Pillow images, tensors of bytes. As in lockstep, memory is kept from run
to run, and the time of building tables and maps counts.
"""
import contextlib
import io
import math
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time

# The heap keeps freed memory, for bench_ops as for the peers: a fresh page costs more than the work on it.
with open("/proc/cpuinfo") as processor:
    OFF = os.environ.get("AVX512") == "off" or "avx512f" not in processor.read()
WITHOUT_AVX512 = {
    "OPENCV_CPU_DISABLE": "AVX512F,AVX512-SKX,AVX512-CNL,AVX512-CLX,AVX512-ICL", "ATEN_CPU_CAPABILITY": "avx2",
    "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ"} if OFF else {}
KEEP = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": str(1 << 40), "MALLOC_TOP_PAD_": "268435456"}
if "MALLOC_MMAP_MAX_" not in os.environ:
    os.execve(sys.executable, [sys.executable] + sys.argv, dict(os.environ, OMP_NUM_THREADS="1", **KEEP,
                                                                         **WITHOUT_AVX512))

import cv2
import numpy as np
import torch
import torchvision.transforms.functional as tv
from PIL import Image, ImageEnhance, ImageFilter, ImageOps
from torchvision.transforms import InterpolationMode as Mode

# OpenCV marks the features that it does not use with a trailing "?", and ignores names that it does not know.
USED = [word for word in cv2.getCPUFeaturesLine().split() if not word.endswith("?")]
if OFF and any("AVX512" in word for word in USED):
    sys.exit("OpenCV uses AVX-512, which was to be switched off: " + " ".join(USED))

cv2.setNumThreads(1)
torch.set_num_threads(1)
SIZES = ((640, 480), (4000, 3000))
LONG = 0.3  # seconds: such a run is not repeated
SHORT = 0.002  # seconds: below this, the first runs of a new process slow the next ones by as much
BITS = int(os.environ.get("BITS", "8"))
LIMIT = 1.2 if OFF or BITS == 16 else 1.05
MANY = 20
UNIT = {1: 1, 2: 257, 4: 1 / 58}  # a level, by the bytes of a sample; floats are the row normalize's
LEVELS = np.arange(256)
SEPIA = np.array([[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]])
EMBOSS = np.array([[-0.4, -0.4, -0.4], [-0.4, 4.2, -0.4], [-0.4, -0.4, -0.4]], np.float32)
TILT = np.array([[1.1, 0.05, 8], [-0.02, 1.2, -4]])
CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))
MOVED = ((0.1, 0.05), (0.95, 0.02), (0.98, 0.97), (0.02, 0.9))


def lut(value):
    """Applies a table of value() of each level with OpenCV."""
    return lambda a: cv2.LUT(a, np.clip(np.rint(value(LEVELS)), 0, 255).astype(np.uint8))


def size(a):
    return (a.shape[1], a.shape[0])


def corners(points, w, h):
    return [[x * w, y * h] for x, y in points]


def window(a, top, left, h, w):
    """Converts shares of the sides to pixels: left, upper, right, lower."""
    return (int(left * a[0]), int(top * a[1]), int((left + w) * a[0]), int((top + h) * a[1]))


def cut(a, *parts):
    x0, y0, x1, y1 = window(size(a), *parts)
    return a[y0:y1, x0:x1]


def tensor_cut(t, *parts):
    x0, y0, x1, y1 = window((t.shape[2], t.shape[1]), *parts)
    return t[:, y0:y1, x0:x1]


def half(a):
    return (a[0] // 2, a[1] // 2)


def contrast(a):
    mean = cv2.mean(cv2.cvtColor(a, cv2.COLOR_RGB2GRAY))[0]
    return lut(lambda v: 1.3 * v - 0.3 * mean)(a)


def hsv(hue, sat, val):
    def run(a):
        h, s, v = cv2.split(cv2.cvtColor(a, cv2.COLOR_RGB2HSV))
        h = cv2.LUT(h, ((LEVELS + hue) % 180).astype(np.uint8))
        s, v = lut(lambda x: x + sat)(s), lut(lambda x: x + val)(v)
        return cv2.cvtColor(cv2.merge((h, s, v)), cv2.COLOR_HSV2RGB)
    return run


def each_band(f):
    return lambda a: cv2.merge([f(b) for b in cv2.split(a)])


def autocontrast(b):
    lo, hi, _, _ = cv2.minMaxLoc(b)
    return lut(lambda v: (v - lo) * 255 / max(hi - lo, 1))(b)


def unsharp(a):
    return cv2.addWeighted(a, 1.8, cv2.GaussianBlur(a, (7, 7), 0), -0.8, 0)


def sharpness(a):
    kernel = np.array([[-1, -1, -1], [-1, 21, -1], [-1, -1, -1]], np.float32) / 13
    return cv2.filter2D(a, -1, kernel)


def motion(a):
    kernel = np.zeros((15, 15), np.float32)
    x, y = 7 * math.cos(math.radians(30)), 7 * math.sin(math.radians(30))
    cv2.line(kernel, (round(7 - x), round(7 + y)), (round(7 + x), round(7 - y)), 1)
    return cv2.filter2D(a, -1, kernel / kernel.sum())


def clahe(a):
    tool = cv2.createCLAHE(4, (8, 8))
    if a.ndim == 2:
        return tool.apply(a)
    l, u, v = cv2.split(cv2.cvtColor(a, cv2.COLOR_RGB2LAB))
    return cv2.cvtColor(cv2.merge((tool.apply(l), u, v)), cv2.COLOR_LAB2RGB)


def elastic(a):
    random = np.random.default_rng(7)
    w, h = size(a)
    dx, dy = (150 * cv2.GaussianBlur(random.random((h, w), np.float32) * 2 - 1, (0, 0), 6) for _ in "xy")
    x, y = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
    return cv2.remap(a, x + dx, y + dy, cv2.INTER_LINEAR)


def grid(a):
    w, h = size(a)
    nodes = np.array([[12, -8, 6], [-10, 9, -12]], np.float32)
    x, y = np.meshgrid(np.arange(w, dtype=np.float32), np.arange(h, dtype=np.float32))
    dx, dy = (cv2.resize(n, (w, h), interpolation=cv2.INTER_LINEAR) for n in (nodes, -nodes))
    return cv2.remap(a, x + dx, y + dy, cv2.INTER_LINEAR)


def optical(a):
    w, h = size(a)
    lens = np.array([[w, 0, w / 2], [0, w, h / 2], [0, 0, 1]], np.float32)
    maps = cv2.initUndistortRectifyMap(lens, np.array([0.4, 0.4, 0, 0, 0]), None, lens, (w, h), cv2.CV_32FC1)
    return cv2.remap(a, *maps, cv2.INTER_LINEAR)


def jpeg(a):
    return cv2.imdecode(cv2.imencode(".jpg", a, [cv2.IMWRITE_JPEG_QUALITY, 20])[1], cv2.IMREAD_COLOR)


def pillow_jpeg(p):
    file = io.BytesIO()
    p.save(file, "JPEG", quality=20)
    out = Image.open(file)
    out.load()
    return out


def downscale(a):
    small = cv2.resize(a, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_NEAREST)
    return cv2.resize(small, size(a), interpolation=cv2.INTER_NEAREST)


def erase(a):
    out = a.copy()
    cut(out, 0.1, 0.1, 0.5, 0.5)[:] = 0
    return out


def pillow_erase(p):
    out = p.copy()
    out.paste(0, window(p.size, 0.1, 0.1, 0.5, 0.5))
    return out


def without_blue(a):
    out = a.copy()
    out[:, :, 2] = 0
    return out


def order(bands):
    def run(a):
        out = np.empty_like(a)
        cv2.mixChannels([a], [out], [v for i, b in enumerate(bands) for v in (b, i)])
        return out
    return run


def noise(a):
    drawn = np.empty(a.shape, np.int16)
    cv2.randn(drawn, (0, 0, 0), (25, 25, 25))
    return cv2.add(a, drawn, dtype=cv2.CV_8U)


def multiply_noise(a):
    drawn = np.empty(a.shape, np.float32)
    cv2.randu(drawn, 0.9, 1.1)
    return cv2.multiply(a, drawn, dtype=cv2.CV_8U)


def pepper(a):
    drawn = np.empty(a.shape[:2], np.uint8)
    cv2.randu(drawn, 0, 256)
    out = a.copy()
    out[drawn < 3] = 0
    out[drawn > 252] = 255
    return out


def dropout(a):
    drawn = np.empty(a.shape[:2], np.uint16)
    cv2.randu(drawn, 0, 65536)
    return cv2.bitwise_and(a, a, mask=cv2.compare(drawn, 655, cv2.CMP_GE))


def iso_noise(a):
    """Camera noise as Albumentations makes it, with OpenCV's random numbers."""
    hls = cv2.cvtColor(cv2.multiply(a, (1 / 255,) * 4, dtype=cv2.CV_32F), cv2.COLOR_RGB2HLS)
    drawn = np.empty(a.shape[:2], np.float32)
    h, l, s = cv2.split(hls)
    cv2.randn(drawn, 0, 0.05 * 360)
    h = cv2.add(h, drawn)
    cv2.randn(drawn, 0, 0.1)
    l = cv2.add(l, cv2.multiply(drawn, cv2.subtract(1, l)))
    return cv2.multiply(cv2.cvtColor(cv2.merge((h, l, s)), cv2.COLOR_HLS2RGB), (255,) * 4, dtype=cv2.CV_8U)


def pillow_affine(p, how):
    m = np.linalg.inv(np.vstack((TILT, (0, 0, 1))))
    return p.transform(p.size, Image.AFFINE, m[:2].ravel().tolist(), how)


def perspective(a):
    w, h = size(a)
    m = cv2.getPerspectiveTransform(*(np.float32(corners(c, w, h)) for c in (CORNERS, MOVED)))
    return cv2.warpPerspective(a, m, (w, h), flags=cv2.INTER_LINEAR)


def turned(a, how):
    w, h = size(a)
    return cv2.warpAffine(a, cv2.getRotationMatrix2D((w / 2, h / 2), 30, 1), (w, h), flags=how)


def resize_row(factor, how):
    """A row's peers for a resize of the sides by a factor."""
    cv = {"nearest": cv2.INTER_NEAREST, "bilinear": cv2.INTER_LINEAR, "bicubic": cv2.INTER_CUBIC}[how]
    if factor < 1 and how == "bilinear":
        cv = cv2.INTER_AREA  # it has no other antialiased one
    pil, mode = getattr(Image, how.upper()), getattr(Mode, how.upper())

    def to(w, h):
        return int(w * factor), int(h * factor)
    return (lambda a: cv2.resize(a, to(*size(a)), interpolation=cv), lambda p: p.resize(to(*p.size), pil),
            lambda t: tv.resize(t, to(*t.shape[1:]), mode, antialias=how != "nearest" and factor < 1))


def step(text):
    """A step in short: rotate angle=30 interpolation="bilinear"; see bench_ops.c for W and H."""
    name, *pairs = text.split()
    pairs = [p.split("=", 1) for p in pairs]
    return "{%s}" % ", ".join([f'"type": "{name}"'] + [f'"{k}": {v}' for k, v in pairs])


# Columns: name, bands, lockstep's step or op, OpenCV, Pillow, torchvision; None: the library lacks the op.
ROWS = [
    ("horizontal_flip", 3, "horizontal_flip", lambda a: cv2.flip(a, 1),
     lambda p: p.transpose(Image.FLIP_LEFT_RIGHT), tv.hflip),
    ("vertical_flip", 3, "vertical_flip", lambda a: cv2.flip(a, 0),
     lambda p: p.transpose(Image.FLIP_TOP_BOTTOM), tv.vflip),
    ("transpose", 3, "transpose", cv2.transpose, lambda p: p.transpose(Image.TRANSPOSE),
     lambda t: t.transpose(1, 2).contiguous()),
    ("rot90", 3, "rot90", lambda a: cv2.rotate(a, cv2.ROTATE_90_COUNTERCLOCKWISE),
     lambda p: p.transpose(Image.ROTATE_90), lambda t: torch.rot90(t, 1, (1, 2))),
    ("crop", 3, "crop", lambda a: cut(a, .1, .1, .8, .8).copy(),
     lambda p: p.crop(window(p.size, .1, .1, .8, .8)), lambda t: tensor_cut(t, .1, .1, .8, .8).contiguous()),
    ("pad", 3, step("pad padding=[8,4,2,6] fill=114"),
     lambda a: cv2.copyMakeBorder(a, 4, 6, 8, 2, cv2.BORDER_CONSTANT, value=(114, 114, 114)),
     lambda p: ImageOps.expand(p, (8, 4, 2, 6), (114, 114, 114)), lambda t: tv.pad(t, [8, 4, 2, 6], 114)),
    ("pad reflect", 3, step('pad padding=[8,4,2,6] padding_mode="reflect"'),
     lambda a: cv2.copyMakeBorder(a, 4, 6, 8, 2, cv2.BORDER_REFLECT_101),
     None, lambda t: tv.pad(t, [8, 4, 2, 6], padding_mode="reflect")),
    ("resize half", 3, "resize", *resize_row(0.5, "bilinear")),
    ("resize half bicubic", 3, step('resize size=[H50,W50] interpolation="bicubic"'),
     None, *resize_row(0.5, "bicubic")[1:]),
    ("resize half plain", 3, step("resize size=[H50,W50] antialias=false"),
     lambda a: cv2.resize(a, half(size(a)), interpolation=cv2.INTER_LINEAR),
     lambda p: p.resize(half(p.size), Image.BILINEAR, reducing_gap=None), None),
    ("resize half nearest", 3, step('resize size=[H50,W50] interpolation="nearest"'),
     *resize_row(0.5, "nearest")),
    ("resize larger", 3, step("resize size=[H120,W120]"), *resize_row(1.2, "bilinear")),
    ("resize larger bicubic", 3, step('resize size=[H120,W120] interpolation="bicubic"'),
     *resize_row(1.2, "bicubic")),
    ("affine", 3, "affine", lambda a: cv2.warpAffine(a, TILT, size(a), flags=cv2.INTER_LINEAR),
     lambda p: pillow_affine(p, Image.BILINEAR),
     lambda t: tv.affine(t, 12, [8, -4], 1.2, [5, 0], Mode.BILINEAR)),
    ("affine nearest", 3, step("affine angle=12 translate=[8,-4] scale=1.2 shear=[5,0]"),
     lambda a: cv2.warpAffine(a, TILT, size(a), flags=cv2.INTER_NEAREST),
     lambda p: pillow_affine(p, Image.NEAREST), lambda t: tv.affine(t, 12, [8, -4], 1.2, [5, 0])),
    ("rotate", 3, step('rotate angle=30 interpolation="bilinear"'), lambda a: turned(a, cv2.INTER_LINEAR),
     lambda p: p.rotate(30, Image.BILINEAR), lambda t: tv.rotate(t, 30, Mode.BILINEAR)),
    ("rotate nearest", 3, step("rotate angle=30"), lambda a: turned(a, cv2.INTER_NEAREST),
     lambda p: p.rotate(30), lambda t: tv.rotate(t, 30)),
    ("perspective", 3, "perspective", perspective,
     lambda p: tv.perspective(p, corners(CORNERS, *p.size), corners(MOVED, *p.size), Mode.BILINEAR),
     lambda t: tv.perspective(t, *(corners(c, t.shape[2], t.shape[1]) for c in (CORNERS, MOVED)), Mode.BILINEAR)),
    ("displace", 3, "displace", grid, None, None),
    ("elastic", 3, "elastic", elastic, None, None),
    ("optical_distortion", 3, "optical_distortion", optical, None, None),
    ("adjust_brightness", 3, "adjust_brightness", lut(lambda v: v * 1.2),
     lambda p: ImageEnhance.Brightness(p).enhance(1.2), lambda t: tv.adjust_brightness(t, 1.2)),
    ("adjust_contrast", 3, "adjust_contrast", contrast,
     lambda p: ImageEnhance.Contrast(p).enhance(1.3), lambda t: tv.adjust_contrast(t, 1.3)),
    ("adjust_saturation", 3, "adjust_saturation",
     lambda a: cv2.transform(a, 0.5 * np.eye(3) + 0.5 * np.outer(np.ones(3), (0.299, 0.587, 0.114))),
     lambda p: ImageEnhance.Color(p).enhance(0.5), lambda t: tv.adjust_saturation(t, 0.5)),
    ("adjust_hue", 3, "adjust_hue", hsv(18, 0, 0), lambda p: tv.adjust_hue(p, 0.1),
     lambda t: tv.adjust_hue(t, 0.1)),
    ("adjust_gamma", 3, "adjust_gamma", lut(lambda v: 255 * 1.1 * (v / 255) ** 0.7),
     lambda p: tv.adjust_gamma(p, 0.7, 1.1), lambda t: tv.adjust_gamma(t, 0.7, 1.1)),
    ("invert", 3, "invert", cv2.bitwise_not, ImageOps.invert, tv.invert),
    ("solarize", 3, "solarize", lut(lambda v: np.where(v >= 96, 255 - v, v)),
     lambda p: ImageOps.solarize(p, 96), lambda t: tv.solarize(t, 96)),
    ("posterize", 3, "posterize", lut(lambda v: v & 0xE0), lambda p: ImageOps.posterize(p, 3),
     lambda t: tv.posterize(t, 3)),
    ("autocontrast", 3, "autocontrast", each_band(autocontrast), ImageOps.autocontrast, tv.autocontrast),
    ("equalize", 3, "equalize", each_band(cv2.equalizeHist), ImageOps.equalize, tv.equalize),
    ("shift_rgb", 3, "shift_rgb", lambda a: cv2.add(a, (30, 0, -40, 0)), None, None),
    ("shift_hsv", 3, "shift_hsv", hsv(20, 30, -20), None, None),
    ("tone_curve", 3, "tone_curve", lut(lambda v: 255 * (v / 255) ** 1.2),
     lambda p: p.point([int(255 * (v / 255) ** 1.2) for v in range(256)] * 3), None),
    ("rgb_to_grayscale", 3, step("rgb_to_grayscale"), lambda a: cv2.cvtColor(a, cv2.COLOR_RGB2GRAY),
     lambda p: p.convert("L"), tv.rgb_to_grayscale),
    ("grayscale_to_rgb", 1, "grayscale_to_rgb", lambda a: cv2.cvtColor(a, cv2.COLOR_GRAY2RGB),
     lambda p: p.convert("RGB"), lambda t: t.repeat(3, 1, 1)),
    ("color_matrix", 3, "color_matrix", lambda a: cv2.transform(a, SEPIA),
     lambda p: p.convert("RGB", np.hstack((SEPIA, np.zeros((3, 1)))).ravel().tolist()), None),
    ("permute_channels", 3, "permute_channels", order((2, 0, 1)),
     lambda p: Image.merge("RGB", [p.getchannel(b) for b in (2, 0, 1)]), lambda t: t[[2, 0, 1]]),
    ("channel_dropout", 3, "channel_dropout", without_blue,
     lambda p: p.point(list(range(256)) * 2 + [0] * 256), None),
    ("to_dtype", 3, "to_dtype", lambda a: cv2.multiply(a, (257,) * 4, dtype=cv2.CV_16U), None, None),
    ("normalize", 3, "normalize",
     lambda a: cv2.multiply(cv2.subtract(a, (124, 116, 104, 0), dtype=cv2.CV_32F), (1 / 58, 1 / 57, 1 / 57, 0)),
     None, lambda t: tv.normalize(tv.convert_image_dtype(t), [0.485, 0.456, 0.406], [0.229, 0.224, 0.225])),
    ("gaussian_blur 5", 3, "gaussian_blur", lambda a: cv2.GaussianBlur(a, (5, 5), 1.2),
     lambda p: p.filter(ImageFilter.GaussianBlur(1.2)), lambda t: tv.gaussian_blur(t, [5, 5], [1.2, 1.2])),
    ("gaussian_blur 23", 3, step("gaussian_blur kernel_size=[23,23] sigma=4"),
     lambda a: cv2.GaussianBlur(a, (23, 23), 4), lambda p: p.filter(ImageFilter.GaussianBlur(4)), None),
    ("box_blur 5", 3, "box_blur", lambda a: cv2.blur(a, (5, 5)), lambda p: p.filter(ImageFilter.BoxBlur(2)), None),
    ("box_blur 23", 3, step("box_blur kernel_size=[23,23]"), lambda a: cv2.blur(a, (23, 23)),
     lambda p: p.filter(ImageFilter.BoxBlur(11)), None),
    ("median_blur 3", 3, step("median_blur kernel_size=3"), lambda a: cv2.medianBlur(a, 3),
     lambda p: p.filter(ImageFilter.MedianFilter(3)), None),
    ("median_blur 5", 3, "median_blur", lambda a: cv2.medianBlur(a, 5),
     lambda p: p.filter(ImageFilter.MedianFilter(5)), None),
    ("median_blur 7", 3, step("median_blur kernel_size=7"), lambda a: cv2.medianBlur(a, 7), None, None),
    ("median_blur 15", 3, step("median_blur kernel_size=15"), lambda a: cv2.medianBlur(a, 15), None, None),
    ("motion_blur", 3, "motion_blur", motion, None, None),
    ("adjust_sharpness", 3, "adjust_sharpness", sharpness,
     lambda p: ImageEnhance.Sharpness(p).enhance(2), lambda t: tv.adjust_sharpness(t, 2)),
    ("sharpen", 3, "sharpen", lambda a: cv2.filter2D(a, -1, EMBOSS),
     lambda p: p.filter(ImageFilter.Kernel((3, 3), EMBOSS.ravel().tolist(), 1)), None),
    ("unsharp_mask", 3, "unsharp_mask", unsharp, lambda p: p.filter(ImageFilter.UnsharpMask(1.4, 80, 10)), None),
    ("clahe", 3, "clahe", clahe, None, None),
    ("clahe gray", 1, step("clahe clip_limit=4"), clahe, None, None),
    ("jpeg", 3, "jpeg", jpeg, pillow_jpeg, None),
    ("downscale", 3, "downscale", downscale,
     lambda p: p.resize((p.width // 4, p.height // 4), Image.NEAREST).resize(p.size, Image.NEAREST), None),
    ("erase", 3, "erase", erase, pillow_erase, lambda t: tv.erase(t, *(t.shape[1] // 10, t.shape[2] // 10,
     t.shape[1] // 2, t.shape[2] // 2), torch.tensor(0, dtype=torch.uint8))),
    ("gaussian_noise", 3, "gaussian_noise", noise, None, None),
    ("multiply_noise", 3, "multiply_noise", multiply_noise, None, None),
    ("salt_and_pepper", 3, "salt_and_pepper", pepper, None, None),
    ("pixel_dropout", 3, "pixel_dropout", dropout, None, None),
    ("iso_noise", 3, "iso_noise", iso_noise, None, None),
    ("shot_noise", 3, "shot_noise", lambda a: np.random.default_rng(7).poisson(a * 0.1) * 10, None, None),
]
# Ops for which OpenCV treats 16 bit like 8: no tables, no HSV, no larger medians.
SIXTEEN = ("flip", "transpose", "rot90", "crop", "pad", "resize", "affine", "rotate", "perspective", "displace", "elastic",
           "optical_distortion", "invert", "rgb_to_grayscale", "grayscale_to_rgb", "color_matrix", "adjust_saturation",
           "gaussian_blur", "box_blur", "median_blur 3", "median_blur 5", "motion_blur", "sharpen", "clahe gray", "erase")
PEERS = ("OpenCV", "Pillow", "torchvision")
RANDOM = ("noise", "salt_and_pepper", "pixel_dropout", "elastic")


def picture(w, h, bands):
    """Waves and a little noise, as bench_ops draws them."""
    x, y, b = np.arange(w)[None, :, None], np.arange(h)[:, None, None], np.arange(bands)[None, None, :]
    v = 0.5 + 0.4 * np.sin(x * 0.05 + b) * np.cos(y * 0.04)
    v += 0.1 * np.random.default_rng(1).random(v.shape, np.float32)
    if BITS == 16:
        a = (v * 65535).astype(np.uint16)
        return (a if bands > 1 else a[:, :, 0]), None, None
    a = (v * 255).astype(np.uint8)
    a = a if bands > 1 else a[:, :, 0]
    tensor = torch.from_numpy(np.ascontiguousarray(np.atleast_3d(a).transpose(2, 0, 1)))
    return a, Image.fromarray(a), tensor


def timed(f, image):
    best, runs = math.inf, 0
    while runs < (6 if best < SHORT else 2) and not LONG < best < math.inf:
        start = time.process_time()
        f(image)
        best = min(best, time.process_time() - start)
        runs += 1
    return best * 1e9


def ask(ours, *line):
    """bench_ops's answer, None when it has no such op."""
    print(*line, file=ours.stdin, flush=True)
    answer = ours.stdout.readline().split()
    if not answer:
        sys.exit(f"bench_ops stopped at {line}")
    return None if answer == ["-"] else [float(v) for v in answer]


def as_array(result):
    if isinstance(result, torch.Tensor):
        result = result.permute(1, 2, 0)
    result = np.asarray(result)
    return result if result.ndim == 3 else result[:, :, None]


def is_same(row, ours, peer, image):
    """ours: the array that lockstep makes of the picture."""
    if any(word in row for word in RANDOM):
        return True
    theirs = as_array(peer(image))
    if theirs.shape != ours.shape or theirs.dtype != ours.dtype:
        return False
    apart = np.abs(theirs.astype(float) - ours.astype(float)) / UNIT[ours.itemsize]
    return np.mean(apart <= 2) >= 0.99


def lockstep_made(ours, image, what, folder):
    picture = as_array(image)
    h, w, bands = picture.shape
    files = os.path.join(folder, "in"), os.path.join(folder, "out")
    picture.tofile(files[0])
    answer = ask(ours, "=", *files, w, h, bands, BITS, what)
    if not answer:
        return None
    w, h, bands, size = map(int, answer)
    return np.fromfile(files[1], {1: np.uint8, 2: np.uint16, 4: np.float32}[size]).reshape(h, w, bands)


def find_same(ours, rows):
    """For each row, finds the peers that compute the same function, on a picture of the small size."""
    same = {}
    images = {bands: picture(*SIZES[0], bands) for bands in {r[1] for r in rows}}
    with tempfile.TemporaryDirectory() as folder:
        for name, bands, what, *peers in rows:
            made = lockstep_made(ours, images[bands][0], what, folder)
            same[name] = [bool(f) and made is not None and is_same(name, made, f, i) for f, i in zip(peers, images[bands])]
    return same


def rows_of(word):
    rows = [r for r in ROWS if any(w in r[0] for w in word.split(","))]
    if BITS == 8:
        return rows
    return [(*r[:4], None, None) for r in rows if any(w in r[0] for w in SIXTEEN)]


@contextlib.contextmanager
def bench_ops(program):
    """lockstep's side: a process that answers lines, see ask."""
    with subprocess.Popen([program, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as ours:
        yield ours
        ours.stdin.close()


def one_round(program, word, sizes, times, processor):
    """times, and those of one more round, all on one processor."""
    os.sched_setaffinity(0, {processor})
    with bench_ops(program) as ours:
        for w, h in sizes:
            images = {bands: picture(w, h, bands) for bands in {r[1] for r in rows_of(word)}}
            for name, bands, what, *peers in rows_of(word):
                answer = ask(ours, w, h, bands, BITS, what)
                if not answer:
                    continue
                so_far = times.setdefault((name, w), [[] for _ in range(5)])
                for at, ns in ((0, answer[0]), (4, answer[1])):
                    so_far[at].append(ns)
                for at, (f, image) in enumerate(zip(peers, images[bands]), 1):
                    known = so_far[at]
                    if f and (len(known) < 3 or min(known) < MANY * min(so_far[0])):
                        known.append(timed(f, image))
    return times


def show(rows, sizes, times, same):
    slower, ratios = [], []
    for w, h in sizes:
        print(f"\n{'%d x %d' % (w, h):<22} {'lockstep':>9} {'copies':>7}", end="")
        print("".join(f" {p:>13} {'times':>6}" for p in PEERS))
        for name in (r[0] for r in rows if (r[0], w) in times):
            ours, *theirs, copy = (statistics.median(v) if v else math.inf for v in times[name, w])
            line = f"{name:<22} {ours / (w * h):9.2f} {ours / copy:7.1f}"
            for ns, equal in zip(theirs, same[name]):
                line += f" {ns / (w * h):12.2f}{'=' if equal else ' '} {ours / ns:6.2f}" if ns < math.inf else f" {'-':>13} {'-':>6}"
            fastest = min((ns for ns, equal in zip(theirs, same[name]) if equal), default=math.inf)
            if fastest < math.inf:
                ratios.append(ours / fastest)
                if ours > LIMIT * fastest:
                    line += "   slower"
                    slower.append(f"{name} at {w} x {h}: {ours / fastest:.2f} times the fastest")
            print(line)
    print(f"\nOf the fastest that computes the same: {statistics.geometric_mean(ratios):.2f} times, the geometric mean of "
          f"{len(ratios)}; {LIMIT} required of each.")
    print("Not as required:\n  " + "\n  ".join(slower) if slower else "All as required.")


def main():
    program, rounds, word = sys.argv[1:] + ["15", ""][len(sys.argv) - 2:]
    sizes = [s for s in SIZES if os.environ.get("WIDTH", str(s[0])) == str(s[0])]
    times, processors = {}, sorted(os.sched_getaffinity(0))
    with bench_ops(program) as ours:
        same = find_same(ours, rows_of(word))
    with multiprocessing.get_context("fork").Pool(1, maxtasksperchild=1) as pool:
        for i in range(int(rounds)):
            times = pool.apply(one_round, (program, word, sizes, times, processors[i % len(processors)]))
    print(f"{rounds} rounds, medians, {BITS} bit; ns per pixel of the input, one thread{', without AVX-512' if OFF else ''}; "
          "times: as long as the peer; =: the same function")
    show(rows_of(word), sizes, times, same)


main()
