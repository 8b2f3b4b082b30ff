"""Stated distributions of random transforms: torchvision v2's and, for names that it lacks, Albumentations'. Written
from their documentation, with Python's own generator.

STATED has steps and functions for each transform. A function draws a list of (op, numbers) for an image of WIDTH x
HEIGHT with the objects of DATASET, or of SMALL without objects. Only named numbers are compared.
"""
import math
from dataclasses import dataclass
from typing import Callable

WIDTH, HEIGHT = 320, 240
SMALL = 40, 30  # where a field is made for each draw

BOXES = [[40, 30, 60, 50], [150, 100, 80, 90], [260, 20, 30, 40]]
HULL = 40, 20, 290, 190  # from, to

DATASET = {
    "images": [{"id": 1, "file_name": "a.png", "width": WIDTH, "height": HEIGHT}],
    "categories": [{"id": 1, "name": "thing"}],
    "annotations": [
        {"id": i + 1, "image_id": 1, "category_id": 1, "bbox": box, "area": box[2] * box[3], "iscrowd": 0}
        for i, box in enumerate(BOXES)
    ],
}

# Objects of a borrowed image, and below their categories.
LENT_BOXES = [[4, 3, 10, 8], [20, 2, 12, 10], [5, 15, 9, 12], [22, 16, 14, 11]]
LENT = ["thing", "thing", "thing", "other"]
LENDERS = {
    "images": [{"id": i + 1, "file_name": name, "width": SMALL[0], "height": SMALL[1]}
               for i, name in enumerate(("a.png", "b.png"))],
    "categories": [{"id": 1, "name": "thing"}, {"id": 2, "name": "other"}],
    "annotations": [
        {"id": i + 1, "image_id": 2, "category_id": 1 + (LENT[i] == "other"), "bbox": box, "area": box[2] * box[3],
         "iscrowd": 0, "segmentation": [[box[0], box[1], box[0] + box[2], box[1], box[0] + box[2], box[1] + box[3],
                                         box[0], box[1] + box[3]]]}
        for i, box in enumerate(LENT_BOXES)
    ],
}

# Stamps that are pasted on images: names and sizes.
STAMPS = {"a.png": (50, 20), "b.png": (30, 60), "c.png": (700, 200)}


@dataclass
class Stated:
    step: dict
    draw: Callable
    tolerance: float = 0  # tolerance by which numbers may exceed the range
    small: bool = False
    joined: bool = False  # on an image of SMALL beside another one


STATED = {}

# Transforms that draw nothing themselves, only through their steps or from the tables of policies.py; and
# RandomHalfBody, whose shares are in pose.bats.
CERTAIN = {"AugMix", "AutoAugment", "CenterCrop", "ClampBoundingBoxes", "ClampKeyPoints", "Compose",
           "ConvertBoundingBoxFormat", "ConvertImageDtype", "FiveCrop", "Grayscale", "Identity", "NoOp", "Normalize", "Pad",
           "RGB", "RandAugment", "RandomHalfBody", "Resize", "SanitizeBoundingBoxes", "SanitizeKeyPoints", "TenCrop",
           "ToDtype", "ToFloat", "TrivialAugmentWide"}


def states(kind, tolerance=0, small=False, joined=False, **parameters):
    """Declares that the function below draws as the step of this kind with these parameters."""
    def keep(draw):
        STATED.setdefault(kind, []).append(
            Stated(dict(type=kind, **parameters), draw, tolerance, small, joined))
        return draw
    return keep


def log_uniform(rng, lo, hi):
    return math.exp(rng.uniform(math.log(lo), math.log(hi)))


# --- chance alone ---

def by_chance(kind, op, p, **parameters):
    states(kind, **parameters)(lambda rng: [(op, {})] if rng.random() < p else [])


for _kind, _op in [("RandomHorizontalFlip", "horizontal_flip"), ("RandomVerticalFlip", "vertical_flip"),
                   ("RandomInvert", "invert"), ("RandomEqualize", "equalize"),
                   ("RandomAutocontrast", "autocontrast"), ("HorizontalFlip", "horizontal_flip"),
                   ("VerticalFlip", "vertical_flip"), ("InvertImg", "invert"), ("Equalize", "equalize"),
                   ("ToGray", "rgb_to_grayscale")]:
    by_chance(_kind, _op, 0.5)
by_chance("RandomGrayscale", "rgb_to_grayscale", 0.1)
by_chance("RandomPosterize", "posterize", 0.5, bits=3)
by_chance("RandomSolarize", "solarize", 0.5, threshold=128)
by_chance("ToSepia", "color_matrix", 0.5)
by_chance("ToGray", "color_matrix", 0.5, method="average")
for _method in ["from_lab", "desaturation", "max"]:
    by_chance("ToGray", "gray", 0.5, method=_method)
by_chance("ToGray", "gray_pca", 0.5, method="pca")
by_chance("Equalize", "equalize_luma", 0.5, by_channels=False)


@states("RandomPosterize", bits=[2, 6])
def random_posterize(rng):
    return [("posterize", {"bits": rng.randint(2, 6)})] if rng.random() < 0.5 else []


@states("Posterize", num_bits=[3, 5])
def posterize(rng):
    return [("posterize", {"bits": rng.randint(3, 5)})] if rng.random() < 0.5 else []


@states("RandomSolarize", threshold=[64, 192])
def random_solarize(rng):
    return [("solarize", {"threshold": rng.uniform(64, 192)})] if rng.random() < 0.5 else []


@states("Solarize", threshold_range=[0.2, 0.6])
def solarize(rng):
    return [("solarize", {"threshold": 255 * rng.uniform(0.2, 0.6)})] if rng.random() < 0.5 else []


FLIPS = [{"type": "horizontal_flip"}, {"type": "vertical_flip"}, {"type": "invert"}]
NAMES = [step["type"] for step in FLIPS]


@states("RandomApply", transforms=FLIPS[:2], p=0.3)
def random_apply(rng):
    return [(name, {}) for name in NAMES[:2]] if rng.random() < 0.3 else []


@states("RandomChoice", transforms=FLIPS, weights=[1, 2, 1])
def random_choice(rng):
    return [(rng.choices(NAMES, [1, 2, 1])[0], {})]


@states("OneOf", transforms=[{**step, "p": p} for step, p in zip(FLIPS, [0.1, 0.5, 0.2])])
def one_of(rng):
    return [(rng.choices(NAMES, [1, 5, 2])[0], {})] if rng.random() < 0.5 else []


@states("OneOrOther", transforms=FLIPS[:2], p_first=0.3)
def one_or_other(rng):
    return [(NAMES[rng.random() >= 0.3], {})]


@states("Sequential", transforms=FLIPS[:2])
def sequential(rng):
    return [(name, {}) for name in NAMES[:2]] if rng.random() < 0.5 else []


@states("RandomOrder", transforms=FLIPS)
def random_order(rng):
    return [(name, {}) for name in rng.sample(NAMES, 3)]


@states("SomeOf", transforms=FLIPS, n=[1, 2])
def some_of(rng):
    chosen = rng.sample(NAMES, rng.randint(1, 2))
    return [(name, {}) for name in NAMES if name in chosen]


# --- geometry ---

@states("RandomRotation", degrees=[-30, 50])
def random_rotation(rng):
    return [("rotate", {"angle": rng.uniform(-30, 50)})]


@states("RandomAffine", degrees=20, translate=[0.1, 0.2], scale=[0.5, 2], shear=[-5, 10, 1, 3])
def random_affine(rng):
    return [("affine", {"angle": rng.uniform(-20, 20),
                        "translate": [round(rng.uniform(-0.1, 0.1) * WIDTH),
                                      round(rng.uniform(-0.2, 0.2) * HEIGHT)],
                        "scale": rng.uniform(0.5, 2),
                        "shear": [rng.uniform(-5, 10), rng.uniform(1, 3)]})]


@states("RandomCrop", size=[60, 80], padding=[4, 8])
def random_crop(rng):
    return [("pad", {}),
            ("crop", {"top": rng.randrange(HEIGHT + 16 - 60 + 1), "left": rng.randrange(WIDTH + 8 - 80 + 1),
                      "height": 60, "width": 80})]


def window_of(rng, height, width):
    return [("crop", {"top": rng.randrange(HEIGHT - height + 1), "left": rng.randrange(WIDTH - width + 1),
                      "height": height, "width": width})]


states("RandomCrop", tolerance=6, size=[HEIGHT + 9, 80], crop_type="absolute")(lambda rng: window_of(rng, HEIGHT, 80))
states("RandomCrop", tolerance=6, size=[60, HEIGHT + 9], crop_type="absolute_range")(
    lambda rng: window_of(rng, rng.randint(60, HEIGHT), rng.randint(60, min(WIDTH, HEIGHT + 9))))
states("RandomCrop", tolerance=6, size=[0.5, 0.33], crop_type="relative")(
    lambda rng: window_of(rng, int(HEIGHT * 0.5 + 0.5), int(WIDTH * 0.33 + 0.5)))
states("RandomCrop", tolerance=6, size=[0.5, 0.3], crop_type="relative_range")(
    lambda rng: window_of(rng, int(HEIGHT * rng.uniform(0.5, 1) + 0.5), int(WIDTH * rng.uniform(0.3, 1) + 0.5)))


@states("RandomResizedCrop", size=64)
def random_resized_crop(rng):
    for _ in range(10):
        area, ratio = WIDTH * HEIGHT * rng.uniform(0.08, 1), log_uniform(rng, 3 / 4, 4 / 3)
        w, h = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
        if 0 < w <= WIDTH and 0 < h <= HEIGHT:
            top, left = rng.randrange(HEIGHT - h + 1), rng.randrange(WIDTH - w + 1)
            break
    else:
        h, w, top, left = HEIGHT, WIDTH, 0, 0
    return [("crop", {"top": top, "left": left, "height": h, "width": w}), ("resize", {})]


@states("RandomSizedCrop", min_max_height=[40, 90], size=[60, 80], w2h_ratio=1.3)
def random_sized_crop(rng):
    height = rng.randint(40, 90)
    width = int(height * 1.3)
    return [("crop", {"top": rng.randrange(HEIGHT - height + 1), "left": rng.randrange(WIDTH - width + 1),
                      "height": height, "width": width}), ("resize", {"size": [60, 80]})]


@states("RandomSizeCrop", min_size=200, max_size=300)
def random_size_crop(rng):
    width, height = rng.randint(200, 300), rng.randint(200, HEIGHT)
    return [("crop", {"top": rng.randrange(HEIGHT - height + 1), "left": rng.randrange(WIDTH - width + 1),
                      "height": height, "width": width})]


@states("RandomPerspective")
def random_perspective(rng):
    if rng.random() >= 0.5:
        return []
    left, top = lambda: rng.randrange(WIDTH // 4 + 1), lambda: rng.randrange(HEIGHT // 4 + 1)
    right = lambda: rng.randrange(WIDTH - WIDTH // 4 - 1, WIDTH)
    bottom = lambda: rng.randrange(HEIGHT - HEIGHT // 4 - 1, HEIGHT)
    return [("perspective", {"startpoints": [[0, 0], [WIDTH - 1, 0], [WIDTH - 1, HEIGHT - 1],
                                             [0, HEIGHT - 1]],
                             "endpoints": [[left(), top()], [right(), top()], [right(), bottom()],
                                           [left(), bottom()]]})]


@states("RandomZoomOut", tolerance=40, side_range=[1.5, 4])
def random_zoom_out(rng):
    if rng.random() >= 0.5:
        return []
    larger = rng.uniform(1.5, 4)
    across, down = int(WIDTH * larger) - WIDTH, int(HEIGHT * larger) - HEIGHT
    left, top = int(across * rng.random()), int(down * rng.random())
    return [("pad", {"padding": [left, top, across - left, down - top]})]


@states("RandomRotate90")
def random_rotate90(rng):
    k = rng.randrange(4)
    return [("rot90", {"k": k})] if k else []


by_chance("Transpose", "transpose", 0.5)


@states("D4")
def d4(rng):
    turn, mirror = rng.randrange(4), rng.random() < 0.5
    if not mirror:
        return [("rot90", {"k": turn})] if turn else []
    return [[("horizontal_flip", {})], [("transpose", {})], [("vertical_flip", {})],
            [("rot90", {"k": 2}), ("transpose", {})]][turn]


@states("SafeRotate", limit=[-30, 60])
def safe_rotate(rng):
    if rng.random() >= 0.5:
        return []
    angle = rng.uniform(-30, 60)
    c, s = abs(math.cos(math.radians(angle))), abs(math.sin(math.radians(angle)))
    needs = max((WIDTH * c + HEIGHT * s) / WIDTH, (WIDTH * s + HEIGHT * c) / HEIGHT)
    return [("affine", {"angle": -angle, "translate": [0, 0], "scale": 1 / needs, "shear": [0, 0]})]


@states("ShiftScaleRotate", scale_limit=[-0.2, 0.4], rotate_limit=[-10, 30], shift_limit_y=[0, 0.2])
def shift_scale_rotate(rng):
    if rng.random() >= 0.5:
        return []
    return [("affine", {"angle": -rng.uniform(-10, 30),
                        "translate": [WIDTH * rng.uniform(-0.0625, 0.0625), HEIGHT * rng.uniform(0, 0.2)],
                        "scale": 1 + rng.uniform(-0.2, 0.4), "shear": [0, 0]})]


@states("Rotate", limit=[-30, 50])
def rotate(rng):
    return [("rotate", {"angle": rng.uniform(-30, 50)})] if rng.random() < 0.5 else []


def inner_window(angle):
    """The largest upright window about the middle whose corners are inside the image after it was rotated."""
    c, s = abs(math.cos(math.radians(angle))), abs(math.sin(math.radians(angle)))

    def is_inside(left, top):
        x, y = WIDTH / 2 - left, HEIGHT / 2 - top
        return x * c + y * s <= WIDTH / 2 and x * s + y * c <= HEIGHT / 2

    def find_top(left):  # The first that fits, by halves: a lower window is inside a higher one.
        low, high = 0, HEIGHT // 2
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if is_inside(left, middle) else (middle + 1, high)
        return low

    windows = [(left, find_top(left)) for left in range(WIDTH // 2)]
    left, top = max(windows, key=lambda at: (WIDTH - 2 * at[0]) * (HEIGHT - 2 * at[1]))
    return "crop", {"left": left, "top": top, "width": WIDTH - 2 * left, "height": HEIGHT - 2 * top}


@states("Rotate", tolerance=2, limit=[5, 40], crop_border=True)  # the lowest window is rare
def rotate_and_crop(rng):
    angle = rng.uniform(5, 40)
    return [("rotate", {"angle": angle}), inner_window(angle)] if rng.random() < 0.5 else []


@states("RandomRotation", tolerance=2, degrees=80, crop_border=True)
def random_rotation_and_crop(rng):
    angle = rng.uniform(-80, 80)
    return [("rotate", {"angle": angle}), inner_window(angle)]


@states("Affine", scale=[0.5, 1.5], translate_percent=[-0.1, 0.2, 0, 0.3], rotate=[-20, 40], shear=[-5, 5, 0, 9])
def affine(rng):
    if rng.random() >= 0.5:
        return []
    return [("warp_affine", {"angle": rng.uniform(-20, 40), "scale": [rng.uniform(0.5, 1.5), rng.uniform(0.5, 1.5)],
                             "shear": [rng.uniform(-5, 5), rng.uniform(0, 9)],
                             "translate": [WIDTH * rng.uniform(-0.1, 0.2), HEIGHT * rng.uniform(0, 0.3)]})]


@states("Affine", scale=[0.5, 3], translate_px=[-9, 9, 0, 4], keep_ratio=True, balanced_scale=True)
def affine_in_proportion(rng):
    if rng.random() >= 0.5:
        return []
    scale = rng.uniform(0.5, 1) if rng.random() < 0.5 else rng.uniform(1, 3)
    return [("warp_affine", {"angle": 0, "scale": [scale, scale], "shear": [0, 0],
                             "translate": [rng.randint(-9, 9), rng.randint(0, 4)]})]


@states("Affine", scale=[0.5, 1.5], rotate=[10, 80], shear=[0, 10], fit_output=True)
def affine_fitted(rng):
    if rng.random() >= 0.5:
        return []
    angle, sx, sy = rng.uniform(10, 80), rng.uniform(0.5, 1.5), rng.uniform(0.5, 1.5)
    kx, ky = rng.uniform(0, 10), rng.uniform(0, 10)
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    tx, ty = math.tan(math.radians(kx)), math.tan(math.radians(ky))
    turned = [(c * x * sx + s * y * sy, -s * x * sx + c * y * sy)
              for x in (0, WIDTH - 1) for y in (0, HEIGHT - 1)]
    ends = [(x + tx * y, ty * x + y) for x, y in turned]
    w, h = (max(e[i] for e in ends) - min(e[i] for e in ends) + 1 for i in (0, 1))
    return [("warp_affine", {"angle": angle, "scale": [sx, sy], "shear": [kx, ky], "size": [math.ceil(h), math.ceil(w)],
                             "translate": [(w - WIDTH) / 2, (h - HEIGHT) / 2]})]


@states("Perspective", tolerance=40, scale=[0.05, 0.3])
def perspective(rng):
    if rng.random() >= 0.5:
        return []
    scale = rng.uniform(0.05, 0.3)
    near = lambda side: math.fmod(abs(rng.gauss(0, scale)), 0.32) * side
    return [("perspective", {"startpoints": [[near(WIDTH), near(HEIGHT)], [WIDTH - near(WIDTH), near(HEIGHT)],
                                             [WIDTH - near(WIDTH), HEIGHT - near(HEIGHT)],
                                             [near(WIDTH), HEIGHT - near(HEIGHT)]],
                             "endpoints": [[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]]})]


def tilted_canvas(rng, lo, hi, fitted):
    """Points near the corners become the corners of a canvas of the longer sides between them."""
    if rng.random() >= 0.5:
        return []
    scale = rng.uniform(lo, hi)
    near = lambda side: math.fmod(abs(rng.gauss(0, scale)), 0.32) * side
    points = [(near(WIDTH), near(HEIGHT)), (WIDTH - near(WIDTH), near(HEIGHT)),
              (WIDTH - near(WIDTH), HEIGHT - near(HEIGHT)), (near(WIDTH), HEIGHT - near(HEIGHT))]
    a, b, c, d = points
    w, h = int(max(math.dist(a, b), math.dist(c, d))), int(max(math.dist(b, c), math.dist(d, a)))
    corners = [(0, 0), (w, 0), (w, h), (0, h)]
    image = [(0, 0), (WIDTH, 0), (WIDTH, HEIGHT), (0, HEIGHT)]
    if fitted:
        ends = [through(points, corners, x, y) for x, y in image]
        x0, y0 = min(x for x, _ in ends), min(y for _, y in ends)
        x1, y1 = max(x for x, _ in ends), max(y for _, y in ends)
        w, h = round(x1 - x0), round(y1 - y0)
        points, corners = image, [((x - x0) / (x1 - x0) * w, (y - y0) / (y1 - y0) * h) for x, y in ends]
    return [("perspective", {"startpoints": [list(p) for p in points], "endpoints": [list(p) for p in corners],
                             "size": [h, w]})]


def through(start, end, x, y):
    """Where the map that takes four points to four others takes a point, by elimination."""
    rows = []
    for (a, b), (c, d) in zip(start, end):
        rows += [[a, b, 1, 0, 0, 0, -a * c, -b * c, c], [0, 0, 0, a, b, 1, -a * d, -b * d, d]]
    for i in range(8):
        pivot = max(range(i, 8), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(8):
            if k != i:
                factor = rows[k][i] / rows[i][i]
                rows[k] = [u - factor * v for u, v in zip(rows[k], rows[i])]
    m = [rows[i][8] / rows[i][i] for i in range(8)]
    w = m[6] * x + m[7] * y + 1
    return (m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w


states("Perspective", tolerance=40, keep_size=False)(lambda rng: tilted_canvas(rng, 0.05, 0.1, False))
states("Perspective", tolerance=60, scale=[0.01, 0.02], keep_size=False, fit_output=True)(lambda rng: tilted_canvas(rng, 0.01, 0.02, True))


# --- sizes ---

@states("ScaleJitter", target_size=[120, 200])
def scale_jitter(rng):
    share = min(120 / HEIGHT, 200 / WIDTH) * rng.uniform(0.1, 2)
    return [("resize", {"size": [int(HEIGHT * share), int(WIDTH * share)]})]


@states("RandomShortestSize", min_size=[64, 80, 96], max_size=120)
def random_shortest_size(rng):
    short = min(rng.choice([64, 80, 96]), 120 * HEIGHT // WIDTH)
    return [("resize", {"size": [short, short * WIDTH // HEIGHT]})]


@states("RandomShortestSize", min_size=[64, 80, 96], max_size=120, scale_range=[0.5, 2], rounding="half_up")
def random_shortest_size_times(rng):
    by = rng.uniform(0.5, 2)
    short, most = int(rng.choice([64, 80, 96]) * by), int(120 * by)
    share = min(short / HEIGHT, most / WIDTH)
    return [("resize", {"size": [int(HEIGHT * share + 0.5), int(WIDTH * share + 0.5)]})]


@states("RandomResize", min_size=64, max_size=68)
def random_resize(rng):
    short = rng.randrange(64, 68)
    return [("resize", {"size": [short]})]


@states("LongestMaxSize", max_size=[64, 96, 160])
def longest_max_size(rng):
    long = rng.choice([64, 96, 160])
    return [("resize", {"size": [long * HEIGHT // WIDTH, long]})]


@states("SmallestMaxSize", max_size=[48, 96])
def smallest_max_size(rng):
    short = rng.choice([48, 96])
    return [("resize", {"size": [short, short * WIDTH // HEIGHT]})]


@states("RandomScale", scale_limit=[-0.5, 0.25])
def random_scale(rng):
    if rng.random() >= 0.5:
        return []
    scale = 1 + rng.uniform(-0.5, 0.25)
    return [("resize", {"size": [int(HEIGHT * scale), int(WIDTH * scale)]})]


@states("PadIfNeeded", min_width=401, pad_height_divisor=100, position="random")
def pad_if_needed(rng):
    left, top = rng.randint(0, 401 - WIDTH), rng.randint(0, 300 - HEIGHT)
    return [("pad", {"padding": [left, top, 401 - WIDTH - left, 300 - HEIGHT - top]})]


@states("LetterBox", size=[120, 401], position="random")
def letter_box(rng):
    left = rng.randint(0, 401 - 160)
    return [("resize", {"size": [120, 160]}), ("pad", {"padding": [left, 0, 401 - 160 - left, 0]})]


@states("CropAndPad", px=[-10, 20])
def crop_and_pad(rng):
    return [("pad", {"padding": [rng.randint(-10, 20) for _ in range(4)]}),
            ("resize", {"size": [HEIGHT, WIDTH]})]


# --- crops that look at objects ---

def overlap(box, top, left, height, width):
    """Intersection over union."""
    x, y, w, h = box
    both = (max(0, min(x + w, left + width) - max(x, left))
            * max(0, min(y + h, top + height) - max(y, top)))
    return both / (w * h + width * height - both)


def iou_window(rng, least, min_scale, max_scale):
    """A window of torchvision's, or None where it tries another one."""
    width, height = (int(side * rng.uniform(min_scale, max_scale)) for side in (WIDTH, HEIGHT))
    if not 0.5 <= width / height <= 2:
        return None
    left, top = int((WIDTH - width) * rng.random()), int((HEIGHT - height) * rng.random())
    inside = [b for b in BOXES if left < b[0] + b[2] / 2 < left + width
              and top < b[1] + b[3] / 2 < top + height]
    window = top, left, height, width
    return window if inside and max(overlap(b, *window) for b in inside) >= least else None


# Every window must overlap an object by this share, or contain the center of a small object. Few windows do, and each
# of their sides counts.
@states("RandomIoUCrop", sampler_options=[0.3], max_scale=0.6)
def random_iou_crop_overlapping(rng):
    return random_iou_crop(rng, [0.3], 0.6)


@states("RandomIoUCrop", sampler_options=[0], min_scale=0.1, max_scale=0.2)
def random_iou_crop_small(rng):
    return random_iou_crop(rng, [0], 0.2, 0.1)


@states("RandomIoUCrop")
def random_iou_crop(rng, options=(0, 0.1, 0.3, 0.5, 0.7, 0.9, 1), max_scale=1, min_scale=0.3):
    while True:
        least = rng.choice(options)
        if least == 1:
            return []
        for _ in range(40):
            window = iou_window(rng, least, min_scale, max_scale)
            if window:
                at = dict(zip(("top", "left", "height", "width"), window))
                return [("keep_centers", at), ("crop", at)]


def around(rng, lo, hi, n):
    """Returns the first pixel and the number of pixels, from anywhere before lo to anywhere after hi."""
    first, end = math.floor(lo * rng.random()), math.ceil(hi + (n - hi) * rng.random())
    return first, end - first


def safe_window(rng, erosion):
    x, y = (HULL[2] - HULL[0]) * erosion / 2, (HULL[3] - HULL[1]) * erosion / 2
    left, width = around(rng, HULL[0] + x, HULL[2] - x, WIDTH)
    top, height = around(rng, HULL[1] + y, HULL[3] - y, HEIGHT)
    return "crop", {"top": top, "left": left, "height": height, "width": width}


@states("RandomSizedBBoxSafeCrop", height=50, width=60)
def random_sized_bbox_safe_crop(rng):
    return [safe_window(rng, 0), ("resize", {"size": [50, 60]})]


@states("BBoxSafeRandomCrop", erosion_rate=0.2)
def bbox_safe_random_crop(rng):
    return [safe_window(rng, 0.2)]


def holding(rng, begin, length, size, n):
    """Where a window of this size in n pixels may begin, if all but a quarter of a side is in it."""
    return rng.randint(max(0, math.ceil(begin + 0.75 * length - size)),
                       min(n - size, math.floor(begin + 0.25 * length)))


@states("AtLeastOneBBoxRandomCrop", height=100, width=120, erosion_factor=0.25)
def at_least_one_bbox_random_crop(rng):
    x, y, w, h = rng.choice(BOXES)
    left = holding(rng, x, w, 120, WIDTH)
    return [("crop", {"top": holding(rng, y, h, 100, HEIGHT), "left": left, "height": 100, "width": 120})]


@states("CropNonEmptyMaskIfExists", height=40, width=50)
def crop_non_empty_mask_if_exists(rng):
    x, y, w, h = rng.choices(BOXES, [w * h for _, _, w, h in BOXES])[0]
    left = x + rng.randrange(w) - rng.randrange(50)
    top = y + rng.randrange(h) - rng.randrange(40)
    return [("crop", {"top": min(HEIGHT - 40, max(0, top)), "left": min(WIDTH - 50, max(0, left)),
                      "height": 40, "width": 50})]


def window_anywhere(rng, height, width):
    return [("crop", {"top": rng.randint(0, HEIGHT - height), "left": rng.randint(0, WIDTH - width), "height": height,
                      "width": width})]


@states("RandomCropCategoryAreaConstraint", tolerance=3, crop_size=[0.5, 0.25])
def random_crop_category_area_constraint(rng):
    return window_anywhere(rng, int(HEIGHT * rng.uniform(0.5, 1) + 0.5), int(WIDTH * rng.uniform(0.25, 1) + 0.5))


@states("RandomCropCategoryAreaConstraint", tolerance=6, crop_type="absolute_range", crop_size=[100, 280],
        single_category_max_area=0.5)
def random_crop_category_area_constraint_absolute(rng):
    return window_anywhere(rng, rng.randint(100, HEIGHT), rng.randint(100, 280))


def moved_ends(rng, lo, hi, share, n):
    most = round((hi - lo) * share)
    begin, end = max(0, lo - rng.randint(-most, most)), min(n, hi + rng.randint(-most, most))
    return begin, end - begin


@states("RandomCropNearBBox", tolerance=2, max_part_shift=[0.2, 0.4])
def random_crop_near_bbox(rng):
    x, y, w, h = rng.choice(BOXES)
    top, height = moved_ends(rng, y, y + h, 0.2, HEIGHT)
    left, width = moved_ends(rng, x, x + w, 0.4, WIDTH)
    return [("crop", {"top": top, "left": left, "height": height, "width": width})]


@states("FixedSizeCrop", size=[100, 400])
def fixed_size_crop(rng):
    return [("crop", {"top": int((HEIGHT - 100) * rng.random()), "left": 0, "height": 100, "width": WIDTH}),
            ("pad", {"padding": [0, 0, 400 - WIDTH, 0]})]


@states("FixedSizeCrop", size=[100, 120])
def fixed_size_crop_inside(rng):
    along = rng.random()
    return [("crop", {"top": int((HEIGHT - 100) * along), "left": int((WIDTH - 120) * along), "height": 100,
                      "width": 120})]


@states("RandomShift", max_shift_px=20)
def random_shift(rng):
    x, y = rng.randint(-20, 20), rng.randint(-20, 20)
    if rng.random() >= 0.5 or (x == 0 and y == 0):
        return []
    return [("crop", {"top": -y, "left": -x, "height": HEIGHT, "width": WIDTH})]


@states("XYMasking", p=1, num_masks_x=[2, 2], mask_x_length=[10, 30], num_masks_y=[1, 1], mask_y_length=[5, 9])
def xy_masking(rng):
    def strip(n, least, most):
        size = rng.randint(least, most)
        return rng.randint(0, n - size), size
    upright = [strip(WIDTH, 10, 30) for _ in range(2)]
    top, high = strip(HEIGHT, 5, 9)
    return [("coarse_dropout", {"holes": [*[[0, x, HEIGHT, w] for x, w in upright], [top, 0, high, WIDTH]]})]


@states("ConstrainedCoarseDropout", p=1, num_holes_range=[2, 2], hole_height_range=[0.2, 0.4], hole_width_range=[0.3, 0.3])
def constrained_coarse_dropout(rng):
    holes = []
    for x, y, w, h in BOXES:
        for _ in range(2):
            high, wide = int(h * rng.uniform(0.2, 0.4)), int(w * 0.3)
            holes.append([y + rng.randint(0, h - high), x + rng.randint(0, w - wide), high, wide])
    return [("coarse_dropout", {"holes": holes})]


@states("MaskDropout", p=1, max_objects=[1, 2])
def mask_dropout(rng):
    dropped = sorted(rng.sample(range(len(BOXES)), rng.randint(1, 2)))
    # Neighbouring columns of the same rows are one rectangle, and no box shares columns with another.
    return [("coarse_dropout", {"holes": [[y, x, h, w] for x, y, w, h in (BOXES[i] for i in dropped)]}),
            ("keep_objects", {"objects": [i for i in range(len(BOXES)) if i not in dropped]})]


def center_border(border, n):
    k = 2 * border / n
    return border // 2 ** (math.ceil(math.log2(math.ceil(k))) + (k == int(k)))


@states("RandomCenterCropPad", crop_size=[150, 251], ratios=[0.5, 1, 1.5])
def random_center_crop_pad(rng):
    while True:
        ratio = rng.choice([0.5, 1, 1.5])
        height, width = int(150 * ratio), int(251 * ratio)
        across, down = center_border(128, WIDTH), center_border(128, HEIGHT)
        for _ in range(50):
            x, y = rng.randrange(across, WIDTH - across), rng.randrange(down, HEIGHT - down)
            left, top = max(0, x - width // 2), max(0, y - height // 2)
            right, bottom = min(WIDTH, x + width // 2), min(HEIGHT, y + height // 2)
            if any(left < bx + bw / 2 < right and top < by + bh / 2 < bottom for bx, by, bw, bh in BOXES):
                before = [width // 2 - (x - left), height // 2 - (y - top)]
                border = [*before, width - before[0] - (right - left), height - before[1] - (bottom - top)]
                window = {"top": top, "left": left, "height": bottom - top, "width": right - left}
                return [("keep_centers", window), ("crop", window)] + [("pad", {"padding": border})] * any(border)


def truncated_normal(rng):
    while True:
        z = rng.gauss(0, 1)
        if abs(z) <= 1:
            return z


REGION = [70, 55, 75, 62.5]  # the first box, 1.25 times as wide and high


@states("TopdownAffine", input_size=[64, 48])
def topdown_affine(rng):
    return [("topdown_affine", {"center": REGION[:2], "scale": REGION[2:], "rotation": 0, "size": [64, 48]})]


# Alone, this transform does nothing.
@states("RandomBBoxTransform")
def random_bbox_transform(rng):
    return []


@states("RandomChoice", tolerance=1, transforms=[{"type": "Compose", "transforms": [
    {"type": "RandomBBoxTransform", "shift_factor": 0.2, "shift_prob": 0.6, "scale_factor": [0.5, 2], "scale_prob": 0.8,
     "rotate_factor": 30, "rotate_prob": 0.5}, {"type": "TopdownAffine", "input_size": 64}]}])
def random_bbox_transform_shown(rng):
    x, y, w, h = REGION
    if rng.random() < 0.6:
        x += w * 0.2 * truncated_normal(rng)
        y += h * 0.2 * truncated_normal(rng)
    scale = 1.25 + 0.75 * truncated_normal(rng) if rng.random() < 0.8 else 1
    angle = 30 * truncated_normal(rng) if rng.random() < 0.5 else 0
    return [("topdown_affine", {"center": [x, y], "scale": [w * scale, h * scale], "rotation": angle})]


# --- displacement fields ---

@states("ElasticTransform", small=True, alpha=[40, 50], sigma=6)
def elastic_transform(rng):
    return [("elastic", {"alpha": [40, 50], "sigma": [6], "key": rng.randrange(2 ** 32)})]


@states("GridDistortion", num_steps=3, distort_limit=[-0.2, 0.4])
def grid_distortion(rng):
    if rng.random() >= 0.5:
        return []
    return [("grid_distortion", {"steps_x": [1 + rng.uniform(-0.2, 0.4) for _ in range(3)],
                                 "steps_y": [1 + rng.uniform(-0.2, 0.4) for _ in range(3)]})]


@states("OpticalDistortion")
def optical_distortion(rng):
    return [("optical_distortion", {"k": rng.uniform(-0.05, 0.05)})] if rng.random() < 0.5 else []


def displacements(rng, nodes, x, y):
    return [("displace", {"dx": [rng.gauss(0, x) for _ in range(nodes)],
                          "dy": [rng.gauss(0, y) for _ in range(nodes)]})]


@states("PiecewiseAffine", tolerance=2, small=True)  # normal: the farthest of many may be far
def piecewise_affine(rng):
    if rng.random() >= 0.5:
        return []
    deviation = rng.uniform(0.03, 0.05) * SMALL[1] / 3
    return displacements(rng, 16, deviation, deviation)


@states("GridElasticDeform", num_grid_xy=[3, 2], magnitude=4)
def grid_elastic_deform(rng):
    """Nodes are in 3 rows of 4, the outer ones stay."""
    def inner():
        return [0] * 5 + [rng.randint(-4, 4) for _ in range(2)] + [0] * 5
    return [("displace", {"grid": [3, 4], "dx": inner(), "dy": inner()})]


@states("ThinPlateSpline", tolerance=3, small=True, num_control_points=3)
def thin_plate_spline(rng):
    if rng.random() >= 0.5:
        return []
    deviation = rng.uniform(0.2, 0.4) / 10
    return displacements(rng, 9, deviation * SMALL[0], deviation * SMALL[1])


# --- colour ---

@states("ColorJitter", brightness=0.3, contrast=[0.5, 1.5], saturation=0.2, hue=0.1)
def color_jitter(rng):
    steps = [("adjust_brightness", {"brightness_factor": rng.uniform(0.7, 1.3)}),
             ("adjust_contrast", {"contrast_factor": rng.uniform(0.5, 1.5)}),
             ("adjust_saturation", {"saturation_factor": rng.uniform(0.8, 1.2)}),
             ("adjust_hue", {"hue_factor": rng.uniform(-0.1, 0.1)})]
    return rng.sample(steps, 4)


@states("RandomChannelPermutation")
def random_channel_permutation(rng):
    return [("permute_channels", {"permutation": rng.sample(range(3), 3)})]


@states("ChannelShuffle", p=1)
def channel_shuffle(rng):
    return [("permute_channels", {"permutation": rng.sample(range(3), 3)})]


@states("ChannelDropout", channel_drop_range=[2, 2], fill=8, p=1)
def channel_dropout(rng):
    return [("channel_dropout", {"channels": rng.sample(range(3), 2), "fill": 8})]


@states("RandomPhotometricDistort")
def random_photometric_distort(rng):
    def maybe(op, name, lo, hi):
        return [(op, {name: rng.uniform(lo, hi)})] if rng.random() < 0.5 else []
    brightness = maybe("adjust_brightness", "brightness_factor", 0.875, 1.125)
    contrast = maybe("adjust_contrast", "contrast_factor", 0.5, 1.5)
    saturation = maybe("adjust_saturation", "saturation_factor", 0.5, 1.5)
    hue = maybe("adjust_hue", "hue_factor", -0.05, 0.05)
    first = rng.random() < 0.5
    order = [("permute_channels", {"permutation": rng.sample(range(3), 3)})] if rng.random() < 0.5 else []
    middle = contrast + saturation + hue if first else saturation + hue + contrast
    return brightness + middle + order


@states("RandomBrightnessContrast", brightness_limit=0.3, contrast_limit=[-0.1, 0.4], p=1)
def random_brightness_contrast(rng):
    return [("scale_bands", {"factor": [1 + rng.uniform(-0.1, 0.4)], "offset": [255 * rng.uniform(-0.3, 0.3)]})]


@states("HueSaturationValue", hue_shift_limit=[-10, 30], p=1)
def hue_saturation_value(rng):
    return [("shift_hsv", {"hue_shift": 2 * rng.uniform(-10, 30), "sat_shift": rng.uniform(-30, 30),
                           "val_shift": rng.uniform(-20, 20)})]


@states("RandomHSV", hgain=0.015, sgain=0.7, vgain=0.4)
def random_hsv(rng):
    return [("shift_hsv", {"hue_shift": 360 * rng.uniform(-0.015, 0.015), "sat_factor": 1 + rng.uniform(-0.7, 0.7),
                           "val_factor": 1 + rng.uniform(-0.4, 0.4)})]


@states("RandomGamma", p=1)
def random_gamma(rng):
    return [("adjust_gamma", {"gamma": rng.uniform(80, 120) / 100})]


@states("RGBShift", g_shift_limit=[5, 7], p=1)
def rgb_shift(rng):
    return [("shift_rgb", {"r_shift": rng.uniform(-20, 20), "g_shift": rng.uniform(5, 7),
                           "b_shift": rng.uniform(-20, 20)})]


@states("RandomToneCurve", tolerance=0.2, per_channel=True, p=1)
def random_tone_curve(rng):
    return [("tone_curve", {name: [min(1, max(0, rng.gauss(mean, 0.1))) for _ in range(3)]
                            for name, mean in (("low_y", 0.25), ("high_y", 0.75))})]


@states("FancyPCA", tolerance=0.2, p=1)
def fancy_pca(rng):
    return [("fancy_pca", {"alpha": [rng.gauss(0, 0.1) for _ in range(3)]})]


@states("PlanckianJitter", temperature_limit=[6000, 6500], p=1)
def planckian_jitter(rng):
    part = rng.random()
    red, green, blue = (a + part * (b - a) for a, b in
                        ((0.4979, 0.4816), (0.4584, 0.4604), (0.4468, 0.4782)))
    return [("scale_bands", {"factor": [red / green, 1, blue / green]})]


@states("GaussianBlur", sigma=[0.5, 3])
def gaussian_blur_of_sigma(rng):
    return [("gaussian_blur", {"sigma": [rng.uniform(0.5, 3)]})]


@states("GaussianBlur", blur_limit=[3, 9], sigma=None)
def gaussian_blur_of_kernel(rng):
    return [("gaussian_blur", {"kernel_size": [rng.choice([3, 5, 7, 9])]})]


@states("GaussianBlur", kernel_size=[3, 5], sigma=[0.2, 3])
def gaussian_blur(rng):
    sigma = rng.uniform(0.2, 3)
    return [("gaussian_blur", {"kernel_size": [3, 5], "sigma": [sigma]})]


# --- filters ---

by_chance("RandomAdjustSharpness", "adjust_sharpness", 0.5, sharpness_factor=2)


def by_half(kind, draw, **parameters):
    """Albumentations' default chance."""
    states(kind, **parameters)(lambda rng: [draw(rng)] if rng.random() < 0.5 else [])


by_half("Blur", lambda rng: ("box_blur", {"kernel_size": [rng.choice([3, 5, 7, 9])]}), blur_limit=[3, 9])
by_half("MedianBlur", lambda rng: ("median_blur", {"kernel_size": rng.choice([3, 5, 7])}))
by_half("MotionBlur", lambda rng: ("motion_blur", {"kernel_size": rng.choice([3, 5, 7]),
                                                   "angle": rng.uniform(0, 360),
                                                   "direction": rng.uniform(-1, 1)}))
by_half("CLAHE", lambda rng: ("clahe", {"clip_limit": rng.uniform(1, 4)}))
by_half("Downscale", lambda rng: ("downscale", {"scale": rng.uniform(0.2, 0.6)}), scale_range=[0.2, 0.6])
by_half("ImageCompression", lambda rng: ("jpeg", {"quality": rng.randint(99, 100)}))
by_half("ImageCompression", lambda rng: ("webp", {"quality": rng.randint(40, 90)}), compression_type="webp",
        quality_range=[40, 90])
by_half("Sharpen", lambda rng: ("sharpen", {"alpha": rng.uniform(0.2, 0.5),
                                            "lightness": rng.uniform(0.5, 1)}))
by_half("UnsharpMask", lambda rng: ("unsharp_mask", {"kernel_size": rng.choice([3, 5, 7]),
                                                     "alpha": rng.uniform(0.2, 0.5)}))


@states("Defocus", p=1, radius=[3, 10], alias_blur=[0.1, 0.5])
def defocus(rng):
    return [("defocus", {"radius": rng.randint(3, 10), "alias_blur": rng.uniform(0.1, 0.5)})]


@states("ZoomBlur", p=0.7)
def zoom_blur(rng):
    if rng.random() >= 0.7:
        return []
    return [("zoom_blur", {"max_factor": rng.uniform(1, 1.31), "step_factor": rng.uniform(0.01, 0.03)})]


@states("GlassBlur", p=1, sigma=0.9, max_delta=3, iterations=1)
def glass_blur(rng):
    return [("glass_blur", {"sigma": 0.9, "max_delta": 3, "iterations": 1, "key": rng.randrange(2 ** 32)})]


@states("Corrupt", name="motion_blur", severity=2)
def corrupt_motion(rng):
    return [("motion_streak", {"radius": 15, "sigma": 5, "angle": rng.uniform(-45, 45)})]


@states("Corrupt", name="elastic_transform", severity=3)
def corrupt_elastic(rng):
    # The image is moved by the mirrored border, which is as wide as the corners come from outside.
    return [("pad", {}), ("perspective", {}), ("elastic", {"key": rng.randrange(2 ** 32)}), ("crop", {})]


@states("Emboss", p=1)
def emboss(rng):
    return [("emboss", {"alpha": rng.uniform(0.2, 0.5), "strength": rng.uniform(0.2, 0.7)})]


@states("Morphological", p=0.7, scale=[3, 7])
def morphological(rng):
    return [("morphology", {"kernel_size": [7, 3]})] if rng.random() < 0.7 else []


@states("PlasmaBrightnessContrast", p=1, contrast_range=[-0.5, 0.1])
def plasma_brightness_contrast(rng):
    return [("plasma_brightness_contrast", {"brightness": rng.uniform(-0.3, 0.3), "contrast": rng.uniform(-0.5, 0.1),
                                            "roughness": 3, "key": rng.randrange(2 ** 32)})]


@states("ChromaticAberration", p=1, primary_distortion_limit=[-0.02, 0.05])
def chromatic_aberration(rng):
    red, blue = rng.uniform(-0.02, 0.05), rng.uniform(-0.02, 0.05)
    red2, blue2 = rng.uniform(-0.05, 0.05), rng.uniform(-0.05, 0.05)
    return [("chromatic_aberration", {  # all have the sign of the first
        "primary_distortion_red": red, "secondary_distortion_red": math.copysign(red2, red),
        "primary_distortion_blue": math.copysign(blue, red), "secondary_distortion_blue": math.copysign(blue2, red)})]


@states("ChromaticAberration", p=1, mode="red_blue")
def chromatic_aberration_opposite(rng):
    first, second = rng.choice([-1, 1]) * rng.uniform(0, 0.02), rng.uniform(0, 0.02)
    return [("chromatic_aberration", {
        "primary_distortion_red": first, "primary_distortion_blue": math.copysign(second, -first),
        "secondary_distortion_red": math.copysign(rng.uniform(0, 0.05), first),
        "secondary_distortion_blue": math.copysign(rng.uniform(0, 0.05), -first)})]


@states("ChromaticAberration", p=1, mode="random")
def chromatic_aberration_apart(rng):
    values = {}
    for name in ("red", "blue"):
        primary = rng.uniform(-0.02, 0.02)
        values[f"primary_distortion_{name}"] = primary
        values[f"secondary_distortion_{name}"] = math.copysign(rng.uniform(0, 0.05), primary)
    return [("chromatic_aberration", values)]


@states("RingingOvershoot", blur_limit=[5, 11])
def ringing_overshoot(rng):
    if rng.random() >= 0.5:
        return []
    return [("ringing", {"kernel_size": rng.choice([5, 7, 9, 11]), "cutoff": rng.uniform(math.pi / 4, math.pi / 2)})]


@states("AdvancedBlur", p=1, sigma_y_limit=[1, 2])
def advanced_blur(rng):
    beta = rng.uniform(0.5, 1) if rng.random() < 0.5 else rng.uniform(1, 8)
    return [("advanced_blur", {"kernel_size": rng.choice([3, 5, 7]), "sigma_x": rng.uniform(0.2, 1), "sigma_y": rng.uniform(1, 2),
                               "angle": rng.uniform(-90, 90), "beta": beta, "noise": [0.9, 1.1],
                               "key": rng.randrange(2 ** 32)})]


@states("BilateralBlur", d=[3, 6], sigma_space=[5, 20])
def bilateral_blur(rng):
    return [("bilateral_blur", {"d": rng.randint(3, 6), "sigma_color": rng.uniform(10, 250), "sigma_space": rng.uniform(5, 20)})]


@states("AdditiveNoise", p=1, noise_type="gaussian", spatial_mode="shared", mean_range=[-0.1, 0.2])
def additive_noise(rng):
    return [("additive_noise", {"mean": rng.uniform(-0.1, 0.2), "std": rng.uniform(0.05, 0.15), "key": rng.randrange(2 ** 32)})]


@states("AdditiveNoise", p=0.6, noise_type="laplace", spatial_mode="per_pixel", std_range=[0, 0])
def additive_noise_laplace(rng):
    return [("additive_noise", {"mean": 0, "scale": rng.uniform(0.05, 0.15)})] if rng.random() < 0.6 else []


@states("AdditiveNoise", p=1, noise_type="beta", beta_range=[2, 3])
def additive_noise_beta(rng):
    return [("additive_noise", {"alpha": rng.uniform(0.5, 1.5), "beta": rng.uniform(2, 3), "scale": rng.uniform(0.1, 0.3)})]


@states("HEStain", p=1)
def he_stain(rng):
    blues = {0.644211: 0.266844, 0.5626: 0.4062, 0.65: 0.29, 0.55: 0.11, 0.75: 0.32, 0.6: 0.28, 0.78: 0.28, 0.57: 0.38}
    red, blue = rng.choice(list(blues.items()))
    return [("he_stain", {"hematoxylin": [red, {0.644211: 0.716556, 0.5626: 0.7201, 0.65: 0.7, 0.55: 0.88, 0.75: 0.61, 0.6: 0.75,
                                                0.78: 0.55, 0.57: 0.71}[red], blue],
                          "scale": [rng.uniform(0.7, 1.3), rng.uniform(0.7, 1.3)],
                          "shift": [rng.uniform(-0.2, 0.2), rng.uniform(-0.2, 0.2)]})]


@states("HEStain", method="preset", preset="dark", intensity_scale_range=[0.5, 1])
def he_stain_preset(rng):
    if rng.random() >= 0.5:
        return []
    return [("he_stain", {"hematoxylin": [0.78, 0.55, 0.28], "eosin": [0.09, 0.97, 0.21],
                          "scale": [rng.uniform(0.5, 1), rng.uniform(0.5, 1)]})]


@states("Superpixels", p_replace=[0.1, 0.6], n_segments=[20, 40])
def superpixels(rng):
    if rng.random() >= 0.5:
        return []
    return [("superpixels", {"n_segments": rng.randint(20, 40), "p_replace": rng.uniform(0.1, 0.6), "max_size": 128,
                             "key": rng.randrange(2 ** 32)})]


@states("EdgeDetect")
def edge_detect(rng):
    return [("edge_detect", {"alpha": rng.uniform(0, 0.75)})]


@states("SigmoidContrast")
def sigmoid_contrast(rng):
    return [("sigmoid_contrast", {"gain": rng.uniform(5, 6), "cutoff": rng.uniform(0.3, 0.6)})]


@states("LogContrast")
def log_contrast(rng):
    return [("log_contrast", {"gain": rng.uniform(0.4, 1.6)})]


@states("JPEG", quality=[10, 60])
def jpeg(rng):
    return [("jpeg", {"quality": rng.randint(10, 60)})]


# --- weather and light ---

@states("RandomFog", p=1, alpha_coef=0.1, horizon_range=[0.2, 0.6])
def random_fog(rng):
    behind_three = 1 - (1 - 0.1 * rng.uniform(0.3, 1)) ** 3
    return [("fog", {"intensity": behind_three, "horizon": rng.uniform(0.2, 0.6)})]


@states("RandomFog", p=1, method="puffs", fog_coef_range=[0.2, 0.9], alpha_coef=0.1)
def random_fog_puffs(rng):
    return [("fog_puffs", {"fog_coef": rng.uniform(0.2, 0.9), "alpha_coef": 0.1, "key": rng.randrange(2 ** 32)})]


@states("Corrupt", name="snow", severity=1)
def corrupt_snow(rng):
    return [("snowfall", {"mean": 0.1, "zoom": 3, "angle": rng.uniform(-135, -45), "key": rng.randrange(2 ** 32)})]


@states("Spatter", p=0.9, mean=[0.6, 0.7], std=[0.2, 0.4], gauss_sigma=[1, 4], cutout_threshold=[0.6, 0.7],
        intensity=[0.5, 1.5], mode="either")
def spatter(rng):
    if rng.random() >= 0.9:
        return []
    return [("spatter", {"mean": rng.uniform(0.6, 0.7), "std": rng.uniform(0.2, 0.4), "gauss_sigma": rng.uniform(1, 4),
                         "cutout_threshold": rng.uniform(0.6, 0.7), "intensity": rng.uniform(0.5, 1.5),
                         "key": rng.randrange(2 ** 32)})]


@states("PlasmaShadow", roughness=0.5)
def plasma_shadow(rng):
    if rng.random() >= 0.5:
        return []
    return [("plasma_shadow", {"intensity": rng.uniform(0.3, 0.7), "roughness": 0.5, "key": rng.randrange(2 ** 32)})]


@states("Illumination", p=1)
def illumination(rng):
    return [("illumination", {"intensity": rng.choice([-1, 1]) * rng.uniform(0.01, 0.2), "angle": rng.uniform(0, 360)})]


@states("Illumination", p=1, mode="gaussian", effect_type="darken")
def illumination_spot(rng):
    return [("illumination", {"intensity": -rng.uniform(0.01, 0.2), "center": [rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.9)],
                              "sigma": rng.uniform(0.2, 1)})]


@states("Illumination", p=1, mode="corner", effect_type="brighten")
def illumination_corner(rng):
    return [("illumination", {"intensity": rng.uniform(0.01, 0.2), "corner": rng.choice(
        ["top_left", "top_right", "bottom_right", "bottom_left"])})]


@states("RandomGravel", p=1, number_of_patches=1, gravel_roi=[0.2, 0.1, 0.7, 0.9])
def random_gravel(rng):
    width, height = rng.randint(16, 32), rng.randint(19, 38)  # of 160 x 192
    return [("gravel", {"patches": [[rng.randint(24, 216 - height), rng.randint(64, 224 - width), height, width]],
                        "key": rng.randrange(2 ** 32)})]


@states("RandomRain", rain_type="heavy")
def random_rain(rng):
    if rng.random() >= 0.5:
        return []
    return [("rain", {"slant": rng.uniform(-10, 10), "drop_length": HEIGHT // 8, "drops": HEIGHT,
                      "brightness_coefficient": 0.7, "key": rng.randrange(2 ** 32)})]


@states("RandomRain", p=1, slant_unit="pixels", slant_range=[5, 15], drop_length=20)
def random_rain_pixels(rng):
    sideways = rng.uniform(5, 15)
    return [("rain", {"slant": math.degrees(math.atan2(sideways, 20)), "drop_length": math.hypot(sideways, 20),
                      "drops": HEIGHT // 3, "brightness_coefficient": 0.7, "key": rng.randrange(2 ** 32)})]


@states("RandomSnow", p=1)
def random_snow(rng):
    return [("snow", {"snow_point": rng.uniform(0.1, 0.3), "brightness_coeff": 2.5})]


@states("RandomSnow", p=1, method="texture", snow_point_range=[0.2, 0.6])
def random_snow_texture(rng):
    return [("snow_texture", {"snow_point": rng.uniform(0.2, 0.6), "brightness_coeff": 2.5, "key": rng.randrange(2 ** 32)})]


def around_middle(points):
    """From the left on, clockwise on the screen."""
    x, y = (sum(p[k] for p in points) / len(points) for k in (0, 1))
    return sorted(points, key=lambda p: math.atan2(p[1] - y, p[0] - x))


@states("RandomShadow", tolerance=20, p=1, shadow_intensity_range=[0.2, 0.6])
def random_shadow(rng):
    return [("shadow", {"points": around_middle([[rng.uniform(0, WIDTH), rng.uniform(HEIGHT / 2, HEIGHT)]
                                                 for _ in range(5)]),
                        "intensity": rng.uniform(0.2, 0.6)}) for _ in range(rng.randint(1, 2))]


@states("RandomSunFlare", tolerance=40, p=1, num_flare_circles_range=[2, 3],
        src_color=[250, 200, 100], angle_range=[0, 0.4])
def random_sun_flare(rng):
    x, y, turns = rng.uniform(0, WIDTH), rng.uniform(0, HEIGHT / 2), rng.uniform(0, 0.4)
    circles = []
    for _ in range(rng.randint(2, 3)):
        t = rng.uniform(-x, WIDTH - x)
        circles.append([x + t * math.cos(2 * math.pi * turns), y + t * math.sin(2 * math.pi * turns),
                        0.16 * HEIGHT * rng.uniform(0.25, 1) ** 3, rng.uniform(0.05, 0.2),
                        *(rng.uniform(c - 50, c) for c in (250, 200, 100))])
    return [("sun_flare", {"x": x, "y": y, "radius": 400, "circles": circles})]


@states("RandomSunFlare", tolerance=40, p=1, method="physics_based", num_flare_circles_range=[2, 3], src_radius=30,
        src_color=[250, 200, 100], angle_range=[0, 0.4])
def random_sun_flare_physics(rng):
    x, y, turns = rng.uniform(0, WIDTH), rng.uniform(0, HEIGHT / 2), rng.uniform(0, 0.4)
    circles = []
    for _ in range(rng.randint(2, 3)):
        t = rng.uniform(-x, WIDTH - x)
        circles.append([x + t * math.cos(2 * math.pi * turns), y + t * math.sin(2 * math.pi * turns),
                        0.01 * HEIGHT * rng.uniform(0.25, 1), *(rng.uniform(c - 50, c) for c in (250, 200, 100))])
    return [("lens_flare", {"x": x, "y": y, "radius": 30, "circles": circles})]


# --- hiding ---

@states("CoarseDropout", num_holes_range=[2, 3], hole_height_range=[20, 40])
def coarse_dropout(rng):
    if rng.random() >= 0.5:
        return []
    holes = []
    for _ in range(rng.randint(2, 3)):
        h, w = rng.randint(20, 40), int(WIDTH * rng.uniform(0.1, 0.2))
        holes.append([rng.randint(0, HEIGHT - h), rng.randint(0, WIDTH - w), h, w])
    return [("coarse_dropout", {"holes": holes})]


@states("GridDropout", ratio=0.4, unit_size_range=[20, 30])
def grid_dropout(rng):
    if rng.random() >= 0.5:
        return []
    unit = rng.randint(20, 30)
    hole = int(unit * 0.4)
    return [("grid_dropout", {"unit": [unit, unit], "hole": [hole, hole],
                              "top": rng.randint(0, unit - hole), "left": rng.randint(0, unit - hole)})]


by_half("PixelDropout", lambda rng: ("pixel_dropout", {"dropout_prob": 0.01, "key": rng.randrange(2 ** 32)}))


@states("RandomErasing", tolerance=14, scale=[0.02, 0.33], ratio=[0.3, 3.3])
def random_erasing(rng):
    if rng.random() >= 0.5:
        return []
    for _ in range(10):
        area, ratio = WIDTH * HEIGHT * rng.uniform(0.02, 0.33), log_uniform(rng, 0.3, 3.3)
        h, w = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
        if h < HEIGHT and w < WIDTH:
            return [("erase", {"i": rng.randrange(HEIGHT - h + 1), "j": rng.randrange(WIDTH - w + 1),
                               "h": h, "w": w})]
    return []


# --- noise: keys are any of 2^32 ---

def key(rng):
    return rng.randrange(2 ** 32)


@states("GaussianNoise", sigma=0.2)
def gaussian_noise(rng):
    return [("gaussian_noise", {"mean": 0, "sigma": 0.2, "key": key(rng)})]


@states("GaussianNoise", mean=[-0.1, 0.2], sigma=[0.05, 0.3])
def gaussian_noise_of_ranges(rng):
    return [("gaussian_noise", {"mean": rng.uniform(-0.1, 0.2), "sigma": rng.uniform(0.05, 0.3), "key": key(rng)})]


@states("GaussNoise", mean_range=[0, 0.1])
def gauss_noise(rng):
    if rng.random() >= 0.5:
        return []
    return [("gaussian_noise", {"mean": rng.uniform(0, 0.1), "sigma": rng.uniform(0.2, 0.44), "key": key(rng)})]


@states("GaussNoise", var_limit=[10, 50])
def gauss_noise_of_variance(rng):
    if rng.random() >= 0.5:
        return []
    return [("gaussian_noise", {"mean": 0, "sigma": math.sqrt(rng.uniform(10, 50)) / 255, "key": key(rng)})]


@states("SaltAndPepper")
def salt_and_pepper(rng):
    return [("salt_and_pepper", {"amount": rng.uniform(0.01, 0.06),
                                 "salt_vs_pepper": rng.uniform(0.4, 0.6),
                                 "key": key(rng)})] if rng.random() < 0.5 else []


@states("MultiplicativeNoise", per_channel=True)
def multiplicative_noise(rng):
    return [("scale_bands", {"factor": [rng.uniform(0.9, 1.1) for _ in range(3)]})] \
        if rng.random() < 0.5 else []


@states("ISONoise")
def iso_noise(rng):
    return [("iso_noise", {"color_shift": rng.uniform(0.01, 0.05), "intensity": rng.uniform(0.1, 0.5),
                           "key": key(rng)})] if rng.random() < 0.5 else []


@states("ShotNoise")
def shot_noise(rng):
    return [("shot_noise", {"scale": rng.uniform(0.1, 0.3), "key": key(rng)})] \
        if rng.random() < 0.5 else []


# --- joined images ---

@states("MixUp", tolerance=0.01, joined=True, alpha=2)
def mix_up(rng):
    return [("join", {"inputs": [{}, {"opacity": rng.betavariate(2, 2)}]})]


def window(rng, share, length):
    middle, half = rng.randrange(length), int(0.5 * math.sqrt(share) * length)
    begin, end = max(middle - half, 0), min(middle + half, length)
    return begin, end - begin


@states("CutMix", tolerance=1, joined=True, alpha=3)
def cut_mix(rng):
    share = rng.betavariate(3, 3)
    left, width = window(rng, share, SMALL[0])
    top, height = window(rng, share, SMALL[1])
    crop = {"top": top, "left": left, "height": height, "width": width}
    return [("join", {"inputs": [{}, {"top": top, "left": left, "steps": [crop]}]})] \
        if width and height else []


@states("Mosaic", joined=True, target_size=[64, 48])
def mosaic(rng):
    top, left = round(64 * rng.uniform(0.3, 0.7)), round(48 * rng.uniform(0.3, 0.7))
    return [("join", {"inputs": [{"top": 0, "left": 0}, {"top": 0, "left": left},
                                 {"top": top, "left": 0}, {"top": top, "left": left}]})]


@states("Mosaic", joined=True, target_size=[64, 48], fit_mode="corner", center_range=[0.25, 0.75], fill=114)
def mosaic_in_corners(rng):
    top, left = round(64 * rng.uniform(0.25, 0.75)), round(48 * rng.uniform(0.25, 0.75))
    return [("join", {"inputs": [{"top": 0, "left": 0}, {"top": 0, "left": left},
                                 {"top": top, "left": 0}, {"top": top, "left": left}]})]


def lent_by_category(rng, n):
    chosen = []
    for _ in range(n):
        left = [i for i in range(len(LENT)) if i not in chosen]
        category = rng.choice(sorted({LENT[i] for i in left}))
        chosen.append(rng.choice([i for i in left if LENT[i] == category]))
    return sorted(chosen)


def pasted(objects, **more):
    return [("join", {"inputs": [{}, {"objects": objects, **more}]})] if objects else []


@states("CopyPaste", joined=True, max_num_pasted=2, scale_range=[0.5, 1], paste_by="category")
def copy_paste_smaller(rng):
    scale = rng.uniform(0.5, 1)
    width, height = (round(length * scale) for length in SMALL)
    top, left = rng.randrange(SMALL[1] - height + 1), rng.randrange(SMALL[0] - width + 1)
    return pasted(lent_by_category(rng, rng.randint(0, 2)), top=top, left=left)


@states("CopyPaste", tolerance=1, joined=True, scale_range=[1.5, 2.5])
def copy_paste_larger(rng):
    scale = rng.uniform(1.5, 2.5)
    width, height = (round(length * scale) for length in SMALL)
    top, left = rng.randrange(height - SMALL[1] + 1), rng.randrange(width - SMALL[0] + 1)
    seen = [i for i, (x, y, w, h) in enumerate(LENT_BOXES)
            if x * width / SMALL[0] < left + SMALL[0] and (x + w) * width / SMALL[0] > left
            and y * height / SMALL[1] < top + SMALL[1] and (y + h) * height / SMALL[1] > top]
    crop = {"top": top, "left": left, "height": SMALL[1], "width": SMALL[0]}
    return pasted(sorted(rng.sample(seen, rng.randint(0, len(seen)))), top=0, left=0,
                  steps=[{"size": [height, width]}, crop])


@states("SimpleCopyPaste", joined=True)
def simple_copy_paste(rng):
    return pasted(sorted({rng.randrange(len(LENT)) for _ in LENT}), top=0, left=0)


def lines_of(rng, n, length):
    parts = [length // n + (i < length % n) for i in range(n)]
    rng.shuffle(parts)
    return [sum(parts[:i]) for i in range(n + 1)]


@states("RandomGridShuffle", grid=[2, 3])
def random_grid_shuffle(rng):
    y, x = lines_of(rng, 2, HEIGHT), lines_of(rng, 3, WIDTH)
    cells = [(y[r], x[c], y[r + 1] - y[r], x[c + 1] - x[c]) for r in range(2) for c in range(3)]
    order = list(range(6))
    for size in {cell[2:] for cell in cells}:
        places = [i for i, cell in enumerate(cells) if cell[2:] == size]
        for place, other in zip(places, rng.sample(places, len(places))):
            order[place] = other
    if rng.random() >= 0.5 or order == list(range(6)):
        return []
    return [("join", {"inputs": [
        {"top": cell[0], "left": cell[1],
         "steps": [dict(zip(("top", "left", "height", "width"), cells[order[i]]))]}
        for i, cell in enumerate(cells)]})]


def stamped(rng, x, y, scale, opacity):
    """Draws one of the stamps, in proportion, at most as large as fits; shares of the free room give its position."""
    width, height = STAMPS[rng.choice(sorted(STAMPS))]
    scale = min(scale, WIDTH / width, HEIGHT / height)
    width, height = round(width * scale), round(height * scale)
    return ("overlay", {"width": width, "height": height, "left": math.floor(x * (WIDTH - width + 1)),
                        "top": math.floor(y * (HEIGHT - height + 1)), "opacity": opacity})


@states("OverlayElements", tolerance=1, p=1, num_range=[0, 2], scale_range=[0.5, 2], opacity_range=[0.25, 0.75])
def overlay_elements(rng):
    return [stamped(rng, rng.random(), rng.random(), rng.uniform(0.5, 2), rng.uniform(0.25, 0.75))
            for _ in range(rng.randint(0, 2))]


@states("OverlayElements", bbox=[0.1, 0.25, 0.6, 0.5])
def overlay_elements_boxed(rng):
    box = {"left": 32, "top": 60, "width": 160, "height": 60, "opacity": 1}
    return [("overlay", box)] if rng.random() < 0.5 else []


@states("TextImage", p=0.8, texts=["1", "2 3", "4"], fraction_range=[0.3, 1], font_size_fraction_range=[0.2, 0.9],
        too_wide="cut")
def text_image(rng):
    chosen = rng.sample(range(len(BOXES)), int(len(BOXES) * rng.uniform(0.3, 1)))
    if rng.random() >= 0.8 or not chosen:
        return []
    return [("draw_text", {"objects": chosen, "boxes": [[BOXES[i][k] for k in (1, 0, 3, 2)] for i in chosen],
                           "font_size": [int(BOXES[i][3] * rng.uniform(0.2, 0.9)) for i in chosen],
                           "words": [rng.choice([[1], [2, 3], [4]]) for _ in chosen]})]


def with_other_words(rng, words, kind):
    """Inserts, swaps or deletes n / 2 of n words, at least one."""
    words, times = list(words), max(1, len(words) // 2)
    if kind == "deletion" and times < len(words):
        for i in sorted(rng.sample(range(len(words)), times), reverse=True):
            del words[i]
    for _ in range(times):
        if kind == "insertion":
            words.insert(rng.randint(0, len(words)), rng.choice([8, 9]))
        if kind == "swap" and len(words) > 1:
            i, k = rng.sample(range(len(words)), 2)
            words[i], words[k] = words[k], words[i]
    return words


@states("TextImage", p=1, texts=["1 2 3 4 5", "6"], augmentations=["insertion", "swap", "deletion", "none"],
        stopwords=["8", "9"])
def text_image_words(rng):
    return [("draw_text", {"words": [with_other_words(rng, rng.choice([[1, 2, 3, 4, 5], [6]]),
                                                      rng.choice(["insertion", "swap", "deletion", "none"]))
                                     for _ in BOXES]})]


@states("TextImage", p=1, texts=["1 2 3"], augmentations=["swap"])
def text_image_swapped(rng):
    return [("draw_text", {"words": [with_other_words(rng, [1, 2, 3], "swap") for _ in BOXES]})]


@states("HistogramMatching", p=0.75, blend_ratio=[0.2, 0.9])
def histogram_matching(rng):
    ratio = rng.uniform(0.2, 0.9)
    return [("match_histogram", {"blend_ratio": ratio})] if rng.random() < 0.75 else []


@states("FDA", p=0.8, beta_limit=[0.02, 0.2], small=True)
def fda(rng):
    beta = rng.uniform(0.02, 0.2)
    return [("adapt_spectrum", {"beta": beta})] if rng.random() < 0.8 else []


@states("PixelDistributionAdaptation")
def pixel_distribution_adaptation(rng):
    ratio = rng.uniform(0.25, 1)
    return [("adapt_distribution", {"blend_ratio": ratio})] if rng.random() < 0.5 else []
