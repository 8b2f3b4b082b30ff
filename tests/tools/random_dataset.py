#!/usr/bin/env python3
"""random_dataset.py SEED DIR: writes a small random dataset as COCO folders, with images of a few hundred bytes."""
import json
import os
import random
import struct
import sys

here = os.path.dirname(os.path.abspath(__file__))
for folder in "../lib", "../search":
    sys.path.insert(0, os.path.join(here, folder))
import png  # noqa: E402
from round_trip import CLASS_NAMES, IMAGE_NAMES, KEYPOINTS, STRING_IDS, Maker  # noqa: E402

# The names of parts that each layout's users choose. "": a dataset that is not divided.
PARTS = [["train", "val", "test"], ["train2017", "val2017"], ["train", "valid", "test"], ["training", "validation"],
         ["train", "val"], ["train"], ["val", "train"], ["train", "val", "test", "night 2"], ["fold_1", "fold_2"], [""]]
# Besides those of round_trip.py, whose names differ only in case, or are numbers.
MORE_CLASSES = ["Cat", "CAT", "3", "12", "cat ", "a/b", "person", "bird"]
STEMS = ["x.png", "x.jpg", "y/x.jpg", "y/x.png", "z.q.jpg", "n 1.jpg", "ü[2].jpg", "50%.jpg", "m.jpeg", "M.JPG", "k.jpg",
         "l.jpg", "train/a.jpg", "labels/a.jpg"]
IMAGE_KEYS = [{"weather": "rain"}, {"weather": "", "night": True}, {"video_id": 7, "frame_id": 3}, {"license": 1, "coco_url": ""}]


def jpeg(width, height, shade):
    """The bytes of a gray JPEG whose first block has another shade (0 to 63) than the rest."""
    def segment(kind, body):
        return bytes([255, kind]) + struct.pack(">H", len(body) + 2) + body

    def table(kind, lengths, values):
        return segment(0xC4, bytes([kind]) + bytes(lengths + [0] * (16 - len(lengths))) + bytes(values))

    blocks = -(-width // 8) * -(-height // 8)
    # Codes: 0 is "the same shade", 10 is "a difference of 7 bits"; 0 also ends a block.
    bits = "10" + format(64 + shade, "07b") + "0" + "00" * (blocks - 1)
    if blocks > 1:
        bits = bits[:10] + "10" + format(63 - shade, "07b") + "0" + "00" * (blocks - 2)
    bits += "1" * (-len(bits) % 8)
    data = bytes(int(bits[i:i + 8], 2) for i in range(0, len(bits), 8)).replace(b"\xff", b"\xff\0")
    return (b"\xff\xd8" + segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0") + segment(0xDB, b"\0" + bytes([4] * 64)) +
            segment(0xC0, struct.pack(">BHHBBBB", 8, height, width, 1, 1, 0x11, 0)) +
            table(0x00, [1, 1], [0, 7]) + table(0x10, [1], [0]) + segment(0xDA, bytes([1, 1, 0, 0, 63, 0])) + data +
            b"\xff\xd9")


def write_image(path, width, height, shade):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if path.endswith(".png"):
        png.write(path, [bytes((shade * 3 + x * y) % 256 for x in range(width)) for y in range(height)], 1)
    else:
        with open(path, "wb") as file:
            file.write(jpeg(width, height, shade % 64))


class RandomDataset:
    """`parts`: lists of images by part, with "objects" like those of round_trip.py; `classes`: names; `ids`: of classes.
    With `plain`, it has only what each layout can hold: boxes within images, JPEG files, and names without surprises."""

    def __init__(self, seed, plain=False):
        rng = self.rng = random.Random(f"dataset {seed}")
        maker = Maker(rng, 0 if plain else rng.choice([0, 0, 0.2]))
        kinds = [maker.box, maker.polygon, maker.parts, maker.mask, maker.crowd]
        kinds = [maker.box] if plain else rng.sample(kinds, rng.randrange(1, len(kinds) + 1))
        self.classes = rng.sample(["cat", "dog", "bird", "traffic light"] if plain else CLASS_NAMES + MORE_CLASSES,
                                  rng.randrange(2, 5 if plain else 7))
        ids = rng.choice([range(1, 100), range(1, 100), range(0, 100), range(7, 1000, 13)])
        self.ids = list(ids)[:len(self.classes)]
        used = rng.sample(range(len(self.classes)), max(1, len(self.classes) - rng.randrange(3)))
        self.keypoints = rng.choice(KEYPOINTS) if not plain and rng.random() < 0.3 else []
        self.parts, number, step = {}, rng.choice([1, 1, 0, 900]), rng.randrange(1, 3)
        # Labels of YOLO images in a second folder "images" are outside of the folder of labels.
        names = STEMS + [n for n in IMAGE_NAMES if "images/" not in n and (n[0] != "." or rng.random() < 0.2)]
        for part in ["train", "val"] if plain else rng.choice(PARTS):
            chosen = [f"{part}_{i}.jpg" for i in range(rng.randrange(2, 5))] if plain else rng.sample(names, rng.randrange(9))
            self.parts[part] = [self.image(maker, kinds, used, number + i * step, name)
                                for i, name in enumerate(chosen)]
            number += 20
            if plain:
                self.parts[part][0]["objects"].append(dict(maker.box(10, 10), cls=used[0], iscrowd=0))
        self.strings = "" if plain else rng.choice(["", "", "images", "annotations", "both"])  # which ids are strings
        self.missing = [] if plain else rng.sample(["width", "height", "area", "iscrowd", "supercategory"], rng.choice([0, 0, 1, 5]))

    def image(self, maker, kinds, used, number, name):
        rng = self.rng
        width, height = rng.randrange(10, 41), rng.randrange(10, 41)
        made = {"id": number, "file_name": name, "width": width, "height": height}
        if kinds != [maker.box] and rng.random() < 0.1:
            made.update(rng.choice(IMAGE_KEYS))
        made["objects"] = []
        for _ in range(rng.choice([0, 1, 1, 2, 3])):
            o = dict(maker.object(kinds, len(self.keypoints), width, height), cls=rng.choice(used))
            if kinds == [maker.box]:
                o.pop("note", None)
            if len(o.get("bbox") or []) != 4 or min(o["bbox"][2:]) >= 0:  # negative sizes are refused
                made["objects"].append(o)
        return made

    def document(self, part):
        more = {"keypoints": self.keypoints, "skeleton": [[1, 2]]} if self.keypoints else {}
        first = 1 + 1000 * list(self.parts).index(part)
        images, annotations = [], []
        for image, text in zip(self.parts[part], STRING_IDS):
            number = text if self.strings in ("images", "both") else image["id"]
            images.append(self.without_missing({**image, "id": number}, "objects"))
            for o in image["objects"]:
                own = first + len(annotations)
                annotations.append(self.without_missing({
                    "id": f"{part} {own}" if self.strings in ("annotations", "both") else own, "image_id": number,
                    "category_id": self.ids[o["cls"]], **o}, "cls"))
        return {"images": images, "annotations": annotations, "categories": [
            self.without_missing({"id": i, "name": n, "supercategory": "", **more}) for i, n in zip(self.ids, self.classes)]}

    def without_missing(self, made, *more):
        """An element without the members that this dataset lacks; one that is a crowd says so."""
        return {k: v for k, v in made.items() if k not in more and (k not in self.missing or (k == "iscrowd" and v))}

    def write(self, folder):
        os.makedirs(f"{folder}/annotations" if "" not in self.parts else folder)
        for shade, (part, images) in enumerate(self.parts.items()):
            os.makedirs(f"{folder}/{part or 'images'}", exist_ok=True)
            for i, image in enumerate(images):
                write_image(f"{folder}/{part or 'images'}/{image['file_name']}", image["width"], image["height"],
                            shade * 10 + i)
            name = f"{folder}/annotations/instances_{part}.json" if part else f"{folder}/annotations.json"
            with open(name, "w", encoding="utf-8") as file:
                json.dump(self.document(part), file, ensure_ascii=False)


if __name__ == "__main__":
    RandomDataset(sys.argv[1]).write(sys.argv[2])
