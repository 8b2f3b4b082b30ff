"""Images with classes, in plain colors, and checks of the resulting labels.

    labelled.py make FOLDER [KIND]   images/ (32 x 24, one color each) and in.json; KIND is one of "one", "list",
                                     "soft",
                                     "annotations", "mixed": the form of the labels
    labelled.py check FOLDER OUT     the weight of each label is the share of the pixels of its images' colors
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
import png  # noqa: E402

WIDTH, HEIGHT, IMAGES = 32, 24, 6
SOFT = [{"category_id": 5, "weight": 0.25}, {"category_id": 7, "weight": 0.75}]


def colour(image):
    return (40 * image, 255 - 40 * image, 20 + image)


def labels(image, kind):
    """Returns [(category, weight)]; image 6 has two labels, half of each."""
    if kind in ("one", "list"):
        return [(3 + 2 * (image % 3), 1)]
    return [(5, 0.25), (7, 0.75)] if image == IMAGES else [(3 + 2 * (image % 3), 1)]


def make(folder, kind="one"):
    images, annotations = [], []
    os.makedirs(f"{folder}/images")
    for i in range(1, IMAGES + 1):
        png.write(f"{folder}/images/{i}.png", [colour(i) * WIDTH] * HEIGHT, 3)
        image = {"id": i, "file_name": f"{i}.png", "width": WIDTH, "height": HEIGHT, "own": 1.50}
        if kind == "one" or (kind == "mixed" and i % 2):
            image["category_id"] = labels(i, "one")[0][0]
        elif kind == "list":
            image["category_ids"] = [category for category, _ in labels(i, kind)]
        elif kind == "soft":
            image["category_ids"] = SOFT if i == IMAGES else [labels(i, kind)[0][0]]
        else:
            for category, weight in labels(i, "one" if kind == "mixed" else kind):
                one = {"id": len(annotations) + 1, "image_id": i, "category_id": category, "by": f"n{i}"}
                annotations.append({**one, "weight": weight} if weight < 1 else one)
        images.append(image)
    with open(f"{folder}/in.json", "w") as f:
        f.write(json.dumps({"images": images, "annotations": annotations, "categories": [
            {"id": i, "name": f"c{i}", "supercategory": ""} for i in (3, 5, 7, 9)]}, indent=1).replace('"own": 1.5', '"own": 1.50'))


def said(document, image):
    """Returns the labels of an image in a file: category to weight."""
    found = {}
    for item in image.get("category_ids", [image["category_id"]] if "category_id" in image else []):
        item = item if isinstance(item, dict) else {"category_id": item, "weight": 1}
        found[item["category_id"]] = found.get(item["category_id"], 0) + item["weight"]
    for one in document["annotations"]:
        if one["image_id"] == image["id"] and "bbox" not in one:
            found[one["category_id"]] = found.get(one["category_id"], 0) + one.get("weight", 1)
    return found


def shares(out, image):
    """Returns how many pixels of each source image the output shows; other colors are fill."""
    height, width, _, pixels = png.read(f"{out}/images/{image['file_name']}")
    counts = {}
    of = {colour(i): i for i in range(1, IMAGES + 1)}
    for at in range(0, 3 * width * height, 3):
        source = of.get(tuple(pixels[at:at + 3]))
        if source:
            counts[source] = counts.get(source, 0) + 1
    return counts


def check(folder, out):
    source = json.load(open(f"{folder}/in.json"))
    document = json.load(open(f"{out}/annotations.json"))
    lines = {line["output"]: line for line in map(json.loads, open(f"{out}/manifest.jsonl"))}
    of = {image["id"]: said(source, image) for image in source["images"]}
    mixed = 0
    for image in document["images"]:
        counts = shares(out, image)
        expected = {}
        for i, n in counts.items():
            for category, weight in of[i].items():
                expected.setdefault(category, []).append((n, weight))
        total = sum(counts.values())
        found = said(document, image)
        mixed += len(counts) > 1
        assert set(found) == set(expected), (image, found, expected)
        for category, parts in expected.items():
            if all(weight == 1 for _, weight in parts) and (len(parts) == 1 or not document["annotations"]):
                assert found[category] == sum(n for n, _ in parts) / total, (image, found, counts)
            else:
                assert abs(found[category] - sum(n * w for n, w in parts) / total) < 1e-12, (image, found, counts)
        listed = {i["category_id"]: i["weight"] for i in lines[f"images/{image['file_name']}"]["image_labels"]}
        assert listed == found, (listed, found)
    print(f"{len(document['images'])} outputs, {mixed} of several images")
    assert mixed


if __name__ == "__main__":
    {"make": make, "check": check}[sys.argv[1]](*sys.argv[2:])
