"""Parts that the Python peers share: processes, the clock, COCO in and out, draws, and matrices.

A peer calls run() with its jobs, and with its own work() if a job uses several images. Its arguments are
JOB CORPUS OUT PROCESSES IMAGES. It prints "images N seconds S". The clock starts after the imports, which is generous
to the peers, and includes reading and writing COCO. Each process takes every PROCESSES-th image.
"""
import json
import math
import os
import random
import sys
import time

import numpy as np

import labels

SIZE = 512
SMALL = 256


def draw_main(rng, width, height):
    """The main pipeline's values, as torchvision draws them."""
    for _ in range(10):
        area = width * height * rng.uniform(0.08, 1)
        ratio = math.exp(rng.uniform(math.log(3 / 4), math.log(4 / 3)))
        w, h = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
        if 0 < w <= width and 0 < h <= height:
            break
    else:
        w = h = min(width, height)
    order = [0, 1, 2, 3]
    rng.shuffle(order)
    return {
        "x": rng.randint(0, width - w), "y": rng.randint(0, height - h), "w": w, "h": h,
        "flip": rng.random() < 0.5, "order": order,
        "factors": [rng.uniform(0.8, 1.2) for _ in range(3)] + [rng.uniform(-0.05, 0.05)],
        "angle": rng.uniform(-10, 10),
    }


# The job "affines": rotate, scale, shear and translate, as in affines.json.
ANGLE, SCALE, SHEAR, SHIFT = 7, 1.1, 4, (12.5, -8.25)


def shift(x, y):
    return np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], float)


def about(m, x, y):
    return shift(x, y) @ m @ shift(-x, -y)


def turn(degrees):
    """Counter-clockwise on the screen."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])


def main_matrix(d):
    """From the image to the main pipeline's canvas; pixel (i, j) covers [i, i+1) x [j, j+1)."""
    m = np.diag([SIZE / d["w"], SIZE / d["h"], 1]) @ shift(-d["x"], -d["y"])
    if d["flip"]:
        m = np.array([[-1, 0, SIZE], [0, 1, 0], [0, 0, 1]]) @ m
    return about(turn(d["angle"]), SIZE / 2, SIZE / 2) @ m


def affines_matrix(width, height):
    x, y = width / 2, height / 2
    shear = np.array([[1, -math.tan(math.radians(SHEAR)), 0], [0, 1, 0], [0, 0, 1]])
    m = about(np.diag([SCALE, SCALE, 1]), x, y) @ about(turn(ANGLE), x, y)
    return shift(*SHIFT) @ about(shear, x, y) @ m


LUMA = np.array([0.299, 0.587, 0.114])
YIQ = np.array([[0.299, 0.587, 0.114], [0.5959, -0.2746, -0.3213], [0.2115, -0.5227, 0.3112]])


def jitter_matrix(d, mean):
    """The colour jitter as one 3 x 4 matrix over RGB, from the image's mean colour."""
    m = np.eye(4)
    for what in d["order"]:
        f = d["factors"][what]
        step = np.eye(4)
        if what == 0:
            step[:3, :3] *= f
        elif what == 1:
            step[:3, :3] *= f
            step[:3, 3] = (1 - f) * (LUMA @ (m[:3, :3] @ mean + m[:3, 3]))
        elif what == 2:
            step[:3, :3] = f * np.eye(3) + (1 - f) * np.outer(np.ones(3), LUMA)
        else:
            c, s = math.cos(2 * math.pi * f), math.sin(2 * math.pi * f)
            step[:3, :3] = np.linalg.inv(YIQ) @ [[1, 0, 0], [0, c, -s], [0, s, c]] @ YIQ
        m = step @ m
    return m[:3]


def byte(v):
    return np.clip(np.rint(v), 0, 255)


def ten_before():
    """Returns the table of the steps before the contrast in ten.json."""
    v = byte(np.arange(256) * 1.05)
    v = 255 - byte(255 * (v / 255) ** 0.9)
    return np.where(v >= 250, 255 - v, v).astype(np.uint8)


def ten_after(mean):
    """Returns the table of the contrast, for this mean gray, and of the steps after it."""
    v = byte(0.95 * np.arange(256) + 0.05 * mean)
    v = 255 - byte(255 * (v / 255) ** 1.1)
    v = byte(v * 0.95).astype(np.uint8) & 0xFE
    return np.where(v >= 250, 255 - v, v).astype(np.uint8)


def shorten(path, to, images):
    """A COCO file of the first images."""
    with open(path, "rb") as f:
        coco = json.load(f)
    coco["images"] = sorted(coco["images"], key=lambda i: i["file_name"])[:images]
    ids = {i["id"] for i in coco["images"]}
    coco["annotations"] = [a for a in coco["annotations"] if a["image_id"] in ids]
    with open(to, "w", encoding="ascii") as f:
        json.dump(coco, f)


def read_coco(path):
    """The file, and each image's annotations."""
    with open(path, "rb") as f:
        coco = json.load(f)
    of = {i["id"]: [] for i in coco["images"]}
    for a in coco["annotations"]:
        of[a["image_id"]].append(a)
    return coco, of


def work(job, coco, of, folder, out, first, step):
    """Processes every step-th image; writes the images and annotations to spools."""
    for image in coco["images"][first::step]:
        rng = random.Random(image["id"])
        name = image["file_name"]
        matrix, size, window, warp = job(f"{folder}/images/{name}", f"{out}/images/{name}", rng)
        image["width"], image["height"] = size
        of[image["id"]] = labels.move(of[image["id"]], matrix, size, window, warp)
    part = {"images": coco["images"][first::step]}
    part["annotations"] = [a for i in part["images"] for a in of[i["id"]]]
    with open(f"{out}/part-{first}.json", "w", encoding="ascii") as f:
        json.dump(part, f)


def run(jobs, work=work):
    name, folder, out, processes, images = sys.argv[1:6]
    processes = int(processes)
    if name not in jobs:
        sys.exit(f"no job {name}")
    os.makedirs(f"{out}/images")
    shorten(f"{folder}/annotations.json", f"{out}/in.json", int(images))
    start = time.perf_counter()
    coco, of = read_coco(f"{out}/in.json")
    children = []
    for i in range(processes):
        child = os.fork()
        if child == 0:
            try:
                work(jobs[name], coco, of, folder, out, i, processes)
            except BaseException as e:  # a child must not go on as its parent
                print(f"{type(e).__name__}: {e}", file=sys.stderr)
                os._exit(1)
            os._exit(0)
        children.append(child)
    if any(os.waitpid(child, 0)[1] for child in children):
        sys.exit(1)
    whole = {"categories": coco["categories"], "images": [], "annotations": []}
    for i in range(processes):
        with open(f"{out}/part-{i}.json", "rb") as f:
            part = json.load(f)
        whole["images"] += part["images"]
        whole["annotations"] += part["annotations"]
        os.unlink(f"{out}/part-{i}.json")
    with open(f"{out}/annotations.json", "w", encoding="ascii") as f:
        json.dump(whole, f)
    seconds = time.perf_counter() - start
    print(f"images {len(coco['images'])} seconds {seconds:.6f}")
