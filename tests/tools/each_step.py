#!/usr/bin/env python3
"""Writes images and a few pipelines that together run many steps, each step on its own images.

usage: each_step.py sizes FOLDER CHANNELS CATEGORIES < STEPS
       each_step.py categories FOLDER ANNOTATIONS IMAGES MASKS < STEPS

STEPS is a JSON array of objects with `name`, `step` and `group`. The steps of a group share one pipeline, in which
`when` lets each step act on its own images only. Names of images begin with the name of their step, so a message of
`run` about an image names the step. `when` asks for the size of an image, or for the category of an
object that is added to each image. The sizes are squares with sides from 100 on.

Each group has a folder below FOLDER, named by a number, with p.json, images/, masks/ and in.json. The file `group` in
the folder holds the value of `group`.
sizes       Each step has two images, NAME-a.png with an object and NAME-b.png without. CHANNELS gives their channels,
            as 3,4. CATEGORIES is a COCO file; in.json has its categories.
categories  Each step has links NAME/... to all images of ANNOTATIONS, which are in IMAGES, and to their masks in MASKS.
Steps that make several samples from one are in separate groups, because `run` limits the number of all samples that a
pipeline can make.
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import png  # noqa: E402

# The steps of a set can share a pipeline; `run` refuses a pipeline with all of them (plan-fan).
FANS = ({"five_crop", "ten_crop", "FiveCrop", "TenCrop"}, {"tile"}, {"object_crops"}, {"per_object"})
SIDE = 100


def split(steps):
    """Returns the groups; steps that make several samples are in separate groups."""
    groups = {}
    for each in steps:
        fan = next((i for i, names in enumerate(FANS) if each["name"] in names), None)
        groups.setdefault((each["group"], fan), []).append(each)
    return [(word, members) for (word, _), members in groups.items()]


def write_pipeline(folder, steps, condition, **more):
    """Writes one step per line, because a message shows the line."""
    lines = [json.dumps({**each["step"], "when": condition(each)}) for each in steps]
    head = json.dumps({"version": 1, "seed": 3, **more})
    with open(f"{folder}/p.json", "w", encoding="utf-8") as file:
        file.write(head[:-1] + ', "transforms": [\n' + ",\n".join(lines) + "\n]}\n")


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file)


def pattern(side, channels):
    """Returns rows of pixels, each after the byte that names its filter. A square has the start of each row."""
    return [bytes(1) + bytes((3 * x + 2 * y + 40 * band) % 256 for x in range(side) for band in range(channels))
            for y in range(128)]


def write_square(path, side, rows, channels):
    body = b"".join(rows[y % len(rows)][:1 + side * channels] for y in range(side))
    with open(path, "wb") as file:
        file.write(png.assemble(side, side, 8, png.COLOUR_OF[channels], body))


def lay_out_sizes(folder, steps, categories, channels, sides):
    rows = {n: pattern(SIDE + len(sides), n) for n in {1, *channels}}
    images, annotations = [], []
    for each in steps:
        side = sides[each["name"]]
        for letter, n in zip("ab", channels):
            write_square(f"{folder}/images/{each['name']}-{letter}.png", side, rows[n], n)
            write_square(f"{folder}/masks/{each['name']}-{letter}.png", side, rows[1], 1)
            images.append({"id": len(images) + 1, "file_name": f"{each['name']}-{letter}.png", "width": side,
                           "height": side})
        x, y, width, height = side // 3, side // 4, side // 3, side // 2
        annotations.append({"id": len(annotations) + 1, "image_id": len(images) - 1, "category_id": 1,
                            "bbox": [x, y, width, height], "area": width * height, "iscrowd": 0,
                            "segmentation": [[x, y, x + width, y, x + width, y + height, x, y + height]]})
    write_json(f"{folder}/in.json", {"images": images, "annotations": annotations, "categories": categories})
    write_pipeline(folder, steps, lambda each: {"min_size": sides[each["name"]], "max_size": sides[each["name"]]})


def lay_out_categories(folder, steps, of, pictures, masks):
    categories, images, annotations = list(of["categories"]), [], []
    free = max(category["id"] for category in categories) + 1
    for each in steps:
        category = free + len(categories)
        categories.append({"id": category, "name": each["name"]})
        for image in of["images"]:
            new = len(images) + 1
            images.append({**image, "id": new, "file_name": f"{each['name']}/{image['file_name']}"})
            own = [a for a in of["annotations"] if a["image_id"] == image["id"]]
            box = {"category_id": category, "bbox": [10, 10, 40, 30], "area": 1200, "iscrowd": 0}
            for a in (*own, box):
                annotations.append({**a, "id": len(annotations) + 1, "image_id": new})
            stem = os.path.splitext(image["file_name"])[0]
            for kind, at, name in (("images", pictures, image["file_name"]), ("masks", masks, stem + ".png")):
                path = f"{folder}/{kind}/{each['name']}/{name}"
                os.makedirs(os.path.dirname(path), exist_ok=True)
                os.link(f"{at}/{name}", path)
    write_json(f"{folder}/in.json", {"images": images, "annotations": annotations, "categories": categories})
    write_pipeline(folder, steps, lambda each: {"has_category": [each["name"]]})


def main(way, folder, *words):
    steps = json.load(sys.stdin)
    names = [each["name"] for each in steps]
    with open(words[way == "sizes"], encoding="utf-8") as file:
        of = json.load(file)
    if not names or len(set(names)) < len(names):
        sys.exit("a step has no name of its own")
    for number, (word, members) in enumerate(split(steps)):
        at = f"{folder}/{number}"
        for kind in ("images", "masks"):
            os.makedirs(f"{at}/{kind}")
        with open(f"{at}/group", "w", encoding="utf-8") as file:
            file.write(word + "\n")
        if way == "sizes":
            lay_out_sizes(at, members, of["categories"], [int(n) for n in words[0].split(",")],
                          {name: SIDE + i for i, name in enumerate(names)})
        else:
            lay_out_categories(at, members, of, *words[1:])


main(*sys.argv[1:])
