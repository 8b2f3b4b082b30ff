"""Joins of several images in OpenCV as an expert writes them: mosaic, mix-up and both ways to paste objects, boxes
only.

The visible part of a cell is cut out before it is resized. Polygons are drawn to paste objects, but not written. Other
images are drawn with equal chances. The jobs draw as lockstep's pipelines of these names do, from their own generator.
"""
import json
import random

import cv2
import numpy as np

import harness

cv2.setNumThreads(1)

QUALITY = [cv2.IMWRITE_JPEG_QUALITY, 95]
FLAGS = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
SIDE = 640  # of mosaics, as in mosaic.json


def fitted(image, width, height, rng):
    """The image so scaled that it covers width x height, cut at a random place; its boxes' map."""
    h, w = image.shape[:2]
    scale = max(width / w, height / h)
    cut_w, cut_h = min(width / scale, w), min(height / scale, h)
    x, y = int(rng.random() * (w - cut_w)), int(rng.random() * (h - cut_h))
    part = image[y:y + round(cut_h), x:x + round(cut_w)]
    if part.shape[:2] != (height, width):
        part = cv2.resize(part, (width, height), interpolation=cv2.INTER_LINEAR)
    return part, (scale, x, y)


def boxes_at(annotations, move, left, top, width, height):
    """Annotations with their boxes moved to a canvas, and cut at the part that shows them."""
    scale, x, y = move
    at = np.array([a["bbox"] for a in annotations], float).reshape(-1, 4)
    lo = np.clip((at[:, :2] - (x, y)) * scale, 0, (width, height))
    hi = np.clip((at[:, :2] + at[:, 2:] - (x, y)) * scale, 0, (width, height))
    boxes = np.concatenate([lo + (left, top), hi - lo], 1).round(2).tolist()
    return [{"bbox": b, "area": b[2] * b[3], "category_id": a["category_id"],
             "iscrowd": a["iscrowd"]}
            for a, b in zip(annotations, boxes) if b[2] > 0 and b[3] > 0]


def mosaic(own, read, rng):
    middle = [round(SIDE * rng.uniform(0.3, 0.7)) for _ in range(2)]
    canvas = np.empty((SIDE, SIDE, 3), np.uint8)
    place, found = rng.randrange(4), []
    for cell in range(4):
        left, right = (middle[0], SIDE) if cell % 2 else (0, middle[0])
        top, bottom = (middle[1], SIDE) if cell // 2 else (0, middle[1])
        image, annotations = read(own if cell == place else None)
        part, move = fitted(image, right - left, bottom - top, rng)
        canvas[top:bottom, left:right] = part
        found += boxes_at(annotations, move, left, top, right - left, bottom - top)
    return canvas, found


def mix_up(own, read, rng):
    image, annotations = read(own)
    other, others = read(None)
    height, width = image.shape[:2]
    part, move = fitted(other, width, height, rng)
    share = rng.betavariate(1, 1)
    cv2.addWeighted(image, share, part, 1 - share, 0, image)
    return image, annotations + boxes_at(others, move, 0, 0, width, height)


def with_polygons(annotations):
    return [a for a in annotations if isinstance(a["segmentation"], list)]


def mask_of(annotations, image, other):
    """255 where the objects are."""
    if other.shape != image.shape:
        raise ValueError("the corpus has images of one size")
    mask = np.zeros(image.shape[:2], np.uint8)
    for a in annotations:
        cv2.fillPoly(mask, [np.array(p).reshape(-1, 2).round().astype(np.int32)
                            for p in a["segmentation"]], 255)
    return mask


def copy_paste(own, read, rng):
    image, annotations = read(own)
    other, others = read(None)
    height, width = image.shape[:2]
    others = with_polygons(others)
    chosen = {rng.randrange(len(others)) for _ in others}
    others = [others[i] for i in sorted(chosen)]
    if not others:
        return image, annotations
    mask = mask_of(others, image, other)
    x, y, w, h = cv2.boundingRect(mask)
    x0, y0, x1, y1 = max(x - 4, 0), max(y - 4, 0), min(x + w + 4, width), min(y + h + 4, height)
    soft = cv2.GaussianBlur(mask[y0:y1, x0:x1], (5, 5), 2)
    # Whole pixels are copied; blended are those of the edge alone.
    under, over = image[y0:y1, x0:x1], other[y0:y1, x0:x1]
    edge = (soft > 0) & (soft < 255)
    weight = soft[edge][:, None].astype(np.float32) / 255
    blended = over[edge] * weight + under[edge] * (1 - weight)
    cv2.copyTo(over, (soft == 255).view(np.uint8), under)
    under[edge] = (blended + 0.5).astype(np.uint8)
    return image, annotations + others


def some_pasted(own, read, rng):
    image, annotations = read(own)
    other, others = read(None)
    others = with_polygons(others)
    others = rng.sample(others, rng.randrange(len(others) + 1))
    if others:
        cv2.copyTo(other, mask_of(others, image, other), image)
    return image, annotations + others


JOBS = {"mosaic": mosaic, "mix-up": mix_up, "copy-paste": copy_paste, "some-pasted": some_pasted}


def work(job, coco, of, folder, out, first, step):
    """Processes every step-th image; data that was read of other images is not changed."""
    part = {"images": coco["images"][first::step], "annotations": []}
    for image in part["images"]:
        rng = random.Random(image["id"])

        def read(own):
            which = own or coco["images"][rng.randrange(len(coco["images"]))]
            return cv2.imread(f"{folder}/images/{which['file_name']}", FLAGS), of[which["id"]]

        made, annotations = job(image, read, rng)
        cv2.imwrite(f"{out}/images/{image['file_name']}", made, QUALITY)
        image["height"], image["width"] = made.shape[:2]
        part["annotations"] += [{**a, "image_id": image["id"]} for a in annotations]
    with open(f"{out}/part-{first}.json", "w", encoding="ascii") as f:
        json.dump(part, f)


harness.run(JOBS, work)
