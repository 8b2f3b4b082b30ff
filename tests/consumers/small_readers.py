#!/usr/bin/env python3
"""Read a dataset folder by the rules of its main consumer, with the standard library only.

    small_readers.py LAYOUT PATH      prints one JSON object: classes in order, and for each part its counts and boxes

The rules are measured ones: tests/consumers/README.md lists them with the versions of the consumers.
"""
import glob
import json
import os
import re
import struct
import sys
import tarfile
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import png  # noqa: E402

YOLO_IMAGES = {"avif", "bmp", "dng", "heic", "heif", "jp2", "jpeg", "jpg", "mpo", "png", "tif", "tiff", "webp"}
FOLDER_IMAGES = {"jpg", "jpeg", "png", "ppm", "bmp", "pgm", "tif", "tiff", "webp"}
SHARD_IMAGES = ("jpg", "jpeg", "png", "webp", "bmp")
HF_PARTS = {"train": "train", "training": "train", "validation": "validation", "valid": "validation",
            "val": "validation", "dev": "validation", "test": "test", "testing": "test", "eval": "test",
            "evaluation": "test"}


VOC_CLASSES = ["aeroplane", "bicycle", "bird", "boat", "bottle", "bus", "car", "cat", "chair", "cow", "diningtable", "dog",
               "horse", "motorbike", "person", "pottedplant", "sheep", "sofa", "train", "tvmonitor"]


class Refused(Exception):
    """The consumer ends with an error instead of a dataset."""


class Part:
    """The images and objects of one part, and what the consumer drops."""

    def __init__(self):
        self.images = 0
        self.boxes = []  # file, class, x, y, width, height; the last four may be missing
        self.dropped = {}  # reason: number of images or objects
        self.messages = []

    def drop(self, reason, message, count=1):
        """Counts `count` things that the consumer leaves out."""
        self.dropped[reason] = self.dropped.get(reason, 0) + count
        self.messages.append(message)

    def summary(self):
        """Counts and sorted boxes as a JSON object."""
        by_class = {}
        for box in self.boxes:
            by_class[box[1]] = by_class.get(box[1], 0) + 1
        boxes = sorted([box[0], box[1]] + [round(float(value), 2) for value in box[2:]] for box in self.boxes)
        return {"images": self.images, "objects": len(self.boxes), "by_class": by_class, "boxes": boxes,
                "dropped": self.dropped, "messages": self.messages}


def report(consumer, layout, classes, parts):
    """The JSON object that all readers of this folder print; `parts` has a Part for each name."""
    return {"consumer": consumer, "layout": layout, "classes": list(classes),
            "parts": {name: part.summary() for name, part in parts.items()}}


def extension(name):
    """The extension of a file name in lower case, without the dot."""
    return name.rpartition(".")[2].lower()


def jpeg_size(data):
    """Width and height in a JPEG's frame header."""
    offset = 2
    while offset + 9 < len(data):
        marker, length = data[offset + 1], struct.unpack(">H", data[offset + 2:offset + 4])[0]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[offset + 5:offset + 9])
            return width, height
        offset += 2 + length
    raise Refused("a JPEG without a frame header")


def image_size(path):
    """Width and height of a JPEG, PNG, BMP or GIF file, None for other formats."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\xff\xd8":
        return jpeg_size(data)
    if data[:8] == b"\x89PNG\r\n\x1a\n":
        return struct.unpack(">II", data[16:24])
    if data[:2] == b"BM":
        width, height = struct.unpack("<ii", data[18:26])
        return width, abs(height)
    if data[:4] == b"GIF8":
        return struct.unpack("<HH", data[6:10])
    return None


# ----------------------------------------------------------------------------------------------------------------------
# The part of YAML that occurs in data.yaml


def yaml_scalar(text):
    """A plain or quoted scalar as PyYAML reads it."""
    text = text.strip()
    if text[:1] in ("'", '"'):
        quote = text[0]
        body = text[1:text.rindex(quote)]
        return body.replace("''", "'") if quote == "'" else json.loads('"' + body + '"')
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text.lower() in ("yes", "true", "on"):
        return True
    if text.lower() in ("no", "false", "off"):
        return False
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def without_comment(line):
    """The line up to a comment outside of quotes."""
    quote = ""
    for index, letter in enumerate(line):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"" and (index == 0 or line[index - 1] in " ,[{:"):
            quote = letter
        elif letter == "#" and (index == 0 or line[index - 1] in " \t"):
            return line[:index].rstrip()
    return line.rstrip()


def flow_items(text):
    """The items between the brackets of a flow list or map."""
    items, item, depth, quote = [], "", 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"" and not item.strip():
            quote = letter
        elif letter in "[{":
            depth += 1
        elif letter in "]}":
            depth -= 1
        if letter == "," and not depth and not quote:
            items.append(item)
            item = ""
        else:
            item += letter
    return [part for part in items + [item] if part.strip()]


def key_and_value(text):
    """The two sides of the first `: ` outside of quotes."""
    if text[:1] in ("'", '"'):
        end = text.index(text[0], 1) + 1
        return yaml_scalar(text[:end]), text[end:].lstrip()[1:]
    found = re.match(r"([^:]*(?::(?! |$)[^:]*)*):(?: (.*)|$)", text)
    if not found:
        raise Refused("not a line of a map: " + text)
    return yaml_scalar(found.group(1)), found.group(2) or ""


def yaml_flow(text):
    """A flow list, a flow map or a scalar."""
    text = text.strip()
    if text[:1] == "[":
        return [yaml_flow(item) for item in flow_items(text[1:text.rindex("]")])]
    if text[:1] == "{":
        return {key: yaml_flow(value)
                for key, value in (key_and_value(item.strip()) for item in flow_items(text[1:text.rindex("}")]))}
    return yaml_scalar(text)


def yaml_block(lines):
    """A block of equally indented lines: (indent, text) pairs, consumed from the front."""
    indent, text = lines[0]
    if text.startswith("- ") or text == "-":
        items = []
        while lines and lines[0][0] == indent and lines[0][1].startswith("-"):
            items.append(yaml_flow(lines.pop(0)[1][1:]))
        return items
    block = {}
    while lines and lines[0][0] == indent:
        key, value = key_and_value(lines.pop(0)[1])
        if value.strip() in ("|", ">", "|-", ">-"):
            value = ""
            while lines and lines[0][0] > indent:
                lines.pop(0)
        elif value.strip()[:1] in ("[", "{"):
            while value.count("[") + value.count("{") > value.count("]") + value.count("}") and lines:
                value += " " + lines.pop(0)[1]
        elif not value.strip() and lines and (lines[0][0] > indent or
                                              lines[0][0] == indent and lines[0][1].startswith("-")):
            block[key] = yaml_block(lines)
            continue
        block[key] = yaml_flow(value)
    return block


def read_yaml(path):
    """The top-level map of a data.yaml."""
    with open(path, encoding="utf-8-sig") as file:
        lines = [(len(line) - len(line.lstrip()), line.strip())
                 for line in map(without_comment, file.read().splitlines())
                 if line.strip() and line.strip() not in ("---", "...")]
    if not lines:
        raise Refused(path + ": empty")
    return yaml_block(lines)


# ----------------------------------------------------------------------------------------------------------------------
# YOLO, as ultralytics reads it


def yolo_names(data):
    """The class names of a data.yaml, in order."""
    names, count = data.get("names"), data.get("nc")
    if names is None and count is None:
        raise Refused("neither names nor nc")
    if names is None:
        return [f"class_{index}" for index in range(int(count))]
    if count is not None and len(names) != int(count):
        raise Refused(f"{len(names)} names, but nc is {count}")
    if isinstance(names, list):
        names = dict(enumerate(names))
    names = {int(key): str(value) for key, value in names.items()}
    if not names:
        raise Refused("no class")
    if sorted(names) != list(range(len(names))):
        raise Refused(f"indices of names are not 0..{len(names) - 1}")
    return [names[index] for index in range(len(names))]


def yolo_paths(root, value):
    """The folders or lists that one key of a data.yaml names."""
    if isinstance(value, list):
        return [os.path.normpath(os.path.join(root, item)) for item in value]
    path = os.path.normpath(os.path.join(root, value))
    if not os.path.exists(path) and value.startswith("../"):
        path = os.path.normpath(os.path.join(root, value[3:]))
    return [path]


def yolo_images(paths):
    """All image files of folders, which are searched recursively, and of lists."""
    files = []
    for path in paths:
        if os.path.isdir(path):
            files += glob.glob(os.path.join(glob.escape(path), "**", "*.*"), recursive=True)
        elif os.path.isfile(path):
            with open(path, encoding="utf-8-sig") as file:
                files += [os.path.dirname(path) + line[1:] if line.startswith("./") else line
                          for line in file.read().strip().splitlines()]
        else:
            raise Refused(path + " does not exist")
    files = sorted(name for name in files if extension(name) in YOLO_IMAGES)
    if not files:
        raise Refused("no images in " + ", ".join(paths))
    return files


def label_path(image):
    """The label file of an image: the last /images/ becomes /labels/."""
    return "/labels/".join(image.rsplit("/images/", 1)).rpartition(".")[0] + ".txt"


def single(value):
    """The nearest float of 32 bits."""
    return struct.unpack("f", struct.pack("f", value))[0]


def outline_box(values):
    """The center and size of the box around an outline."""
    xs, ys = values[0::2], values[1::2]
    return [(min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2, max(xs) - min(xs), max(ys) - min(ys)]


def require(condition, message):
    """Refuses if the condition is false."""
    if not condition:
        raise Refused(message)


def yolo_rows(path, classes, points, dimensions, task):
    """The rows of one label file (class, center and size, and the numbers that make it unique), and if outlines."""
    if not os.path.isfile(path):
        return [], False
    with open(path, encoding="utf-8-sig") as file:
        lines = [line.split() for line in file.read().strip().splitlines() if line.strip()]
    if points and task != "pose":
        lines = [line[:5] if len(line) == 5 + points * dimensions else line for line in lines]
    outlines = task != "pose" and any(len(line) > 6 for line in lines)
    require(not outlines or all(len(line) != 5 for line in lines), "boxes and outlines in one file")
    rows = []
    for line in lines:
        numbers = [single(float(word)) for word in line]
        if outlines:
            require(len(numbers) % 2 == 1 and len(numbers) > 6, f"an outline of {len(numbers)} columns")
            box = outline_box(numbers[1:])
        else:
            columns = 5 + (dimensions * points if task == "pose" else 0)
            require(len(numbers) == columns, f"{len(numbers)} columns instead of {columns}")
            box = numbers[1:5]
        checked = box
        if task == "pose":
            checked = [value for index, value in enumerate(numbers[5:]) if index % dimensions < 2]
        require(all(value == value for value in numbers), "not a number")
        require(max(checked) <= 1.01, "a coordinate above 1.01")
        require(min([numbers[0]] + box + (numbers[5:] if task == "pose" else [])) >= -0.01, "a value below -0.01")
        require(min(box[2:]) >= 0, "a negative size")
        require(numbers[0] % 1 == 0, "a class that is not an integer")
        require(numbers[0] < len(classes), f"class {int(numbers[0])} of {len(classes)}")
        rows.append((int(numbers[0]), box, tuple(numbers)))
    return rows, outlines


def read_yolo(path, task="detect"):
    """A data.yaml or its folder, with the images and rows that ultralytics drops."""
    yaml = path if os.path.isfile(path) else os.path.join(path, "data.yaml")
    data = read_yaml(yaml)
    for key in ("train", "val"):
        require(key in data or key == "val" and "validation" in data, f"no key {key}")
    data.setdefault("val", data.get("validation"))
    classes = yolo_names(data)
    shape = data.get("kpt_shape") or [0, 0]
    require(task != "pose" or shape[0] > 0, "no kpt_shape")
    root = data.get("path") or os.path.dirname(os.path.abspath(yaml))
    parts = {}
    for name in ("train", "val", "test"):
        if not data.get(name):
            continue
        part = parts[name] = Part()
        outline_rows = 0
        for image in yolo_images(yolo_paths(root, data[name])):
            try:
                size = image_size(image) or (1, 1)
                require(size == (1, 1) or min(size) > 9, f"an image of {size[0]} x {size[1]}")
                rows, outlines = yolo_rows(label_path(image), classes, *shape, task)
            except (Refused, ValueError, OSError) as error:
                part.drop("image", f"{image}: {error}")
                continue
            part.images += 1
            seen = set()
            for kind, (x, y, width, height), unique in rows:
                if unique in seen:
                    part.drop("duplicate", f"{image}: a row twice")
                    continue
                seen.add(unique)
                outline_rows += outlines
                part.boxes.append([os.path.basename(image), classes[kind], (x - width / 2) * size[0],
                                   (y - height / 2) * size[1], width * size[0], height * size[1]])
        require(part.images, f"no valid image in {name}")
        require(task != "segment" or outline_rows == len(part.boxes), f"{name}: boxes instead of outlines")
        if 0 < outline_rows < len(part.boxes):
            part.drop("outlines", f"{name}: boxes in some files and outlines in others")
    return report("small", "yolo", classes, parts)


# ----------------------------------------------------------------------------------------------------------------------
# Pascal VOC, as torchvision and datumaro read it


def voc_root(path):
    """The folder that has Annotations: the folder itself, or the only one in VOCdevkit."""
    found = [path] + sorted(glob.glob(os.path.join(glob.escape(path), "VOCdevkit", "VOC20*")))
    found = [folder for folder in found if os.path.isdir(os.path.join(folder, "Annotations"))]
    require(found, "no folder Annotations")
    return found[0]


def voc_classes(root):
    """The names in labelmap.txt; without such a file, datumaro knows the classes of the VOC challenge only."""
    path = os.path.join(root, "labelmap.txt")
    if not os.path.exists(path):
        return VOC_CLASSES
    with open(path, encoding="utf-8") as file:
        lines = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    for line in lines:
        require(line.count(":") == 3, f"labelmap.txt: {line}")
    return [line.split(":")[0] for line in lines]


def voc_objects(path, stem, classes):
    """The objects of one file: class and corners as written."""
    root = ElementTree.parse(path).getroot()
    require(root.tag == "annotation", f"{path}: no annotation")
    for side in ("width", "height"):
        text = root.findtext("size/" + side)
        require(text is None or re.fullmatch(r"\s*-?\d+\s*", text), f"{path}: {side} {text}")
    name = root.findtext("filename")
    require(name is None or os.path.splitext(os.path.basename(name))[0] == os.path.basename(stem),
            f"{path}: filename {name}")
    for thing in root.iterfind("object"):
        kind = thing.findtext("name")
        require(kind in classes, f"{path}: undeclared class {kind}")
        for flag in ("truncated", "difficult", "occluded"):
            require(thing.findtext(flag, "0") in ("0", "1"), f"{path}: {flag} {thing.findtext(flag)}")
        yield kind, [float(thing.findtext("bndbox/" + side)) for side in ("xmin", "ymin", "xmax", "ymax")]


def read_voc(path):
    """The lists of ImageSets/Main; width is xmax - xmin, whatever the corners count from."""
    root = voc_root(path)
    classes = voc_classes(root)
    lists = sorted(glob.glob(os.path.join(glob.escape(root), "ImageSets", "Main", "*.txt")))
    lists = [name for name in lists if "_" not in os.path.basename(name)]
    require(lists, "no list in ImageSets/Main")
    parts = {}
    for name in lists:
        part = parts[os.path.splitext(os.path.basename(name))[0]] = Part()
        with open(name, encoding="utf-8") as file:
            stems = [line.strip() for line in file if line.strip()]
        for stem in stems:
            image = os.path.join(root, "JPEGImages", stem + ".jpg")
            require(os.path.exists(image), image + " does not exist")
            part.images += 1
            for kind, (left, top, right, bottom) in voc_objects(os.path.join(root, "Annotations", stem + ".xml"), stem,
                                                                classes):
                part.boxes.append([os.path.basename(image), kind, left, top, right - left, bottom - top])
    return report("small", "voc", [name for name in classes if name != "background"], parts)


def add_mask(part, name, size, values):
    """Adds the pixels of each value of an image's mask, which has to have the image's size."""
    require(tuple(size[0]) == tuple(size[1]), f"{name}: {size[0]} pixels, but its mask has {size[1]}")
    part.images += 1
    part.boxes += [[name, str(value), values.count(value)] for value in sorted(set(values))]


def read_voc_masks(path):
    """The lists of ImageSets/Segmentation, with the gray masks of SegmentationClass."""
    parts = {}
    for name in sorted(glob.glob(os.path.join(glob.escape(path), "ImageSets", "Segmentation", "*.txt"))):
        part = parts[os.path.splitext(os.path.basename(name))[0]] = Part()
        with open(name, encoding="utf-8") as file:
            stems = [line.strip() for line in file if line.strip()]
        for stem in stems:
            image = os.path.join(path, "JPEGImages", stem + ".jpg")
            rows = png.rows(os.path.join(path, "SegmentationClass", stem + ".png"))
            add_mask(part, stem + ".jpg", [image_size(image), (len(rows[0]), len(rows))], [v for row in rows for v in row])
    require(parts, "no list in ImageSets/Segmentation")
    return report("small", "voc-masks", sorted({box[1] for part in parts.values() for box in part.boxes}), parts)


# ----------------------------------------------------------------------------------------------------------------------
# COCO


def coco_part(part, document, labels, folder, rf_detr):
    """Adds the images and objects of a document. `labels` has the name of each id that the consumer knows."""
    files = {image["id"]: image["file_name"] for image in document["images"]}
    sizes = {image["id"]: (image["width"], image["height"]) for image in document["images"] if "width" in image}
    require(len(files) == len(document["images"]), "an id of two images")
    for name in files.values():
        require(folder is None or os.path.exists(os.path.join(folder, name)), f"{name} does not exist")
    part.images = len(files)
    identities = [thing["id"] for thing in document["annotations"]]
    require(len(set(identities)) == len(identities), "an id of two objects")
    for thing in document["annotations"]:
        require(thing["image_id"] in files, f"object {thing['id']}: no image {thing['image_id']}")
        kind = thing["category_id"]
        require(kind in labels, f"object {thing['id']}: no category {kind}")
        require(all(isinstance(value, (int, float)) for value in thing["bbox"]), "a box of text")
        x, y, width, height = thing["bbox"]
        if rf_detr and thing["image_id"] in sizes:
            right, bottom = (max(0, min(end, size)) for end, size in zip((x + width, y + height), sizes[thing["image_id"]]))
            x, y = max(0, x), max(0, y)
            width, height = right - x, bottom - y
        if rf_detr:
            require("area" in thing, f"object {thing['id']}: no area")
            if thing.get("iscrowd"):
                part.drop("crowd", f"object {thing['id']}: a crowd")
                continue
            if width <= 0 or height <= 0:
                part.drop("empty box", f"object {thing['id']}: {width} x {height}")
                continue
        part.boxes.append([os.path.basename(files[thing["image_id"]]), labels[kind], x, y, width, height])


def read_coco(path):
    """A folder with annotations/instances_PART.json and images/PART, or images/ or PART/."""
    parts, classes = {}, None
    for name in sorted(glob.glob(os.path.join(glob.escape(path), "annotations", "*.json"))):
        found = re.fullmatch(r"(?:instances_|person_keypoints_)?(.+)\.json", os.path.basename(name))
        with open(name, encoding="utf-8") as file:
            document = json.load(file)
        folders = [os.path.join(path, *parts_) for parts_ in (("images", found[1]), (found[1],), ("images",))]
        folder = next((folder for folder in folders if os.path.isdir(folder)), None)
        require(folder, f"{name}: no folder of images")
        labels = {category["id"]: category["name"] for category in document["categories"]}
        names = [labels[key] for key in sorted(labels)]
        require(classes in (None, names), f"{name}: other categories")
        classes = names
        part = parts[found[1]] = Part()
        coco_part(part, document, labels, folder, False)
    require(parts, "no file in annotations/")
    return report("small", "coco", classes, parts)


def kept_categories(categories, annotated):
    """Categories by id without unannotated parents of others, as rf-detr keeps them."""
    ordered = sorted(categories, key=lambda category: int(category["id"]))
    parents = {category.get("supercategory") for category in ordered
               if category.get("supercategory") not in (None, "", "none", "null", category["name"])}
    kept = [category for category in ordered
            if category["name"] not in parents or int(category["id"]) in annotated]
    return kept or ordered


def read_roboflow(path):
    """Folders train, valid and test with _annotations.coco.json; the categories of train serve all parts."""
    parts, labels = {}, None
    for name in ("train", "valid", "test"):
        file_name = os.path.join(path, name, "_annotations.coco.json")
        if not os.path.exists(file_name):
            continue
        with open(file_name, encoding="utf-8") as file:
            document = json.load(file)
        if labels is None:
            annotated = {int(thing["category_id"]) for thing in document["annotations"]}
            labels = {int(category["id"]): category["name"]
                      for category in kept_categories(document["categories"], annotated)}
        part = parts[name] = Part()
        coco_part(part, document, labels, os.path.join(path, name), True)
    require("train" in parts, "no train/_annotations.coco.json")
    return report("small", "roboflow", labels.values(), parts)


# ----------------------------------------------------------------------------------------------------------------------
# Hugging Face imagefolder


def feature(value):
    """The type of a JSON value as Arrow infers it: lists of what their items have in common."""
    if isinstance(value, dict):
        return {key: feature(item) for key, item in value.items()}
    if isinstance(value, list):
        kind = None
        for item in value:
            kind = common(kind, feature(item))
        return [kind]
    return type(value).__name__ if value is not None else None


def common(first, second):
    """The type that two values share."""
    if first is None or second is None or first == second:
        return second if first is None else first
    if {str(first), str(second)} == {"int", "float"}:
        return "float"
    if isinstance(first, list) and isinstance(second, list):
        return [common(first[0], second[0])]
    if isinstance(first, dict) and isinstance(second, dict):
        return {key: common(first.get(key), second.get(key)) for key in list(first) + [k for k in second if k not in first]}
    raise Refused(f"{first} and {second}")


def readme_names(path):
    """The class names in the features of the default configuration in README.md, None without them."""
    if not os.path.exists(os.path.join(path, "README.md")):
        return None
    with open(os.path.join(path, "README.md"), encoding="utf-8") as file:
        found = re.match(r"---\n(.*?)\n---", file.read(), re.S)
    if not found or "configs:" not in found[1]:
        return None
    names = re.findall(r"^ +'?(\d+)'?: (.*)$", found[1].partition("class_label:")[2], re.M)
    return [str(yaml_scalar(name)) for _, name in names] or None


def read_hf(path):
    """Parts with metadata.jsonl; all of them have the same members of the same types."""
    parts, types, occurring, names = {}, [], [], readme_names(path)
    for folder in sorted(os.listdir(path)):
        if folder not in HF_PARTS or not os.path.isdir(os.path.join(path, folder)):
            continue
        name = os.path.join(path, folder, "metadata.jsonl")
        images = [file for root, _, files in os.walk(os.path.dirname(name)) for file in files
                  if extension(file) in FOLDER_IMAGES]
        require(os.path.exists(name), f"{folder}: no metadata.jsonl")
        part = parts[HF_PARTS[folder]] = Part()
        kind = None
        with open(name, encoding="utf-8") as file:
            records = [json.loads(line) for line in file if line.strip()]
        for record in records:
            kind = common(kind, feature(record))
            require(".." not in record["file_name"].split("/"), f"{record['file_name']}: outside of the folder")
            image = os.path.join(path, folder, record["file_name"])
            require(os.path.exists(image), image + " does not exist")
            things = record.get("objects", {"bbox": [], "categories": []})
            for box, label in zip(things["bbox"], things["categories" if "categories" in things else "category"]):
                label = names[label] if names and isinstance(label, int) else str(label)
                require(names is None or label in names, f"{label} is not in README.md")
                occurring += [label] if label not in occurring else []
                part.boxes.append([os.path.basename(image), label] + box)
        part.images = len(records)
        if len(images) > len(records):
            part.drop("image", f"{folder}: {len(images) - len(records)} images without a line",
                      len(images) - len(records))
        types.append(kind)
    require(parts, "no part")
    require(all(kind == types[0] for kind in types), f"parts of different types: {types}")
    return report("small", "hf", names or sorted(occurring), parts)


# ----------------------------------------------------------------------------------------------------------------------
# Class folders, tars, LabelMe


def read_folders(path):
    """PART/CLASS/image as torchvision's ImageFolder reads each part."""
    parts, classes = {}, None
    for name in ("train", "val", "valid", "validation", "test"):
        folder = os.path.join(path, name)
        if not os.path.isdir(folder):
            continue
        names = sorted(entry.name for entry in os.scandir(folder) if entry.is_dir())
        require(names, f"{name}: no class folder")
        require(classes in (None, names), f"{name}: classes {names} instead of {classes}")
        classes = names
        part = parts[name] = Part()
        for label in names:
            files = [file for _, _, found in sorted(os.walk(os.path.join(folder, label))) for file in found
                     if extension(file) in FOLDER_IMAGES]
            require(files, f"{name}/{label}: no image")
            part.images += len(files)
            part.boxes += [[file, label] for file in files]
    require(parts, "no part")
    return report("small", "folders", classes, parts)


def samples(path):
    """The samples of a tar: key and contents by extension. A key ends at the first dot of the base name."""
    key, members = None, {}
    with tarfile.open(path) as tar:
        for member in tar:
            folder, base = os.path.split(member.name)
            stem, dot, suffix = base.partition(".")
            if not member.isfile() or not stem or not dot:
                continue
            if os.path.join(folder, stem) != key:
                if members:
                    yield key, members
                key, members = os.path.join(folder, stem), {}
            require(suffix.lower() not in members, f"{path}: {member.name} twice")
            members[suffix.lower()] = tar.extractfile(member).read()
    if members:
        yield key, members


def read_webdataset(path):
    """Tars of PART-index.json, as rf-detr reads them."""
    parts, classes = {}, None
    for name in sorted(glob.glob(os.path.join(glob.escape(path), "*-index.json"))):
        with open(name, encoding="utf-8") as file:
            index = json.load(file)
        require(int(index["version"]) == 1, f"{name}: version {index['version']}")
        require(os.path.basename(name) == index["split"] + "-index.json", f"{name}: split {index['split']}")
        kept = index["categories"] if index.get("category_ids") == "raw" else \
            kept_categories(index["categories"], set(index.get("annotated_category_ids", [])))
        labels = {category["id"]: category["name"] for category in kept}
        require(classes in (None, list(labels.values())), f"{name}: other categories")
        classes = list(labels.values())
        part = parts[index["split"]] = Part()
        for shard in index["shards"]:
            for key, members in samples(os.path.join(path, shard)):
                require(any(suffix in members for suffix in SHARD_IMAGES), f"{shard}: {key}: no image")
                require("json" in members, f"{shard}: {key}: no json")
                document = json.loads(members["json"])
                require(isinstance(document["image_id"], (int, float)), f"{shard}: {key}: image_id is not a number")
                record = {"id": document["image_id"], "file_name": key}
                one = Part()
                coco_part(one, {"images": [record], "annotations": [dict(thing, image_id=record["id"])
                                                                    for thing in document["annotations"]]},
                          labels, None, True)
                part.images += 1
                part.boxes += one.boxes
                part.messages += one.messages
                for reason, count in one.dropped.items():
                    part.dropped[reason] = part.dropped.get(reason, 0) + count
        require(part.images == index["num_samples"], f"{name}: {part.images} samples instead of {index['num_samples']}")
    require(parts, "no PART-index.json")
    return report("small", "webdataset", classes, parts)


def read_labelme(path):
    """Folders of STEM.json beside their images, as supervision reads them; a folder without parts is `all`."""
    folders = {entry.name: entry.path for entry in os.scandir(path) if entry.is_dir() and
               glob.glob(os.path.join(glob.escape(entry.path), "*.json"))} or {"all": path}
    parts, occurring = {}, set()
    for name, folder in sorted(folders.items()):
        part = parts[name] = Part()
        for file_name in sorted(glob.glob(os.path.join(glob.escape(folder), "*.json"))):
            with open(file_name, encoding="utf-8") as file:
                document = json.load(file)
            image = re.split(r"[/\\]", document.get("imagePath") or "")[-1]
            require(image, f"{file_name}: no imagePath")
            part.images += 1
            groups = {}
            for shape in document.get("shapes", []):
                if shape.get("shape_type") not in ("rectangle", "polygon"):
                    part.drop(f"shape {shape.get('shape_type')}", f"{file_name}: {shape.get('shape_type')}")
                    continue
                key = (shape["label"], shape.get("group_id"))
                points = groups.setdefault(key if key[1] is not None else object(), (shape["label"], []))[1]
                points += shape["points"]
                occurring.add(shape["label"])
            for label, points in groups.values():
                x, y, width, height = outline_box([value for point in points for value in point])
                part.boxes.append([image, label, x - width / 2, y - height / 2, width, height])
    return report("small", "labelme", sorted(occurring), parts)


READERS = {"yolo": read_yolo, "yolo-segment": lambda path: read_yolo(path, "segment"),
           "yolo-pose": lambda path: read_yolo(path, "pose"), "voc": read_voc, "voc-masks": read_voc_masks, "coco": read_coco,
           "roboflow": read_roboflow, "hf": read_hf, "folders": read_folders, "webdataset": read_webdataset,
           "labelme": read_labelme}


def read(layout, path):
    """The report of a folder, or an object with the one member `refused`."""
    try:
        return READERS[layout](os.path.abspath(path))
    except (Refused, KeyError, TypeError, ValueError, OSError, ElementTree.ParseError) as error:
        return {"consumer": "small", "layout": layout, "refused": f"{type(error).__name__}: {error}"}


if __name__ == "__main__":
    answer = read(*sys.argv[1:3])
    print(json.dumps(answer))
    sys.exit("refused" in answer)
