#!/usr/bin/env python3
"""Write one small dataset in every layout that a consumer reads: make_folders.py FOLDER.

Parts train (4 images) and val (2 images); classes cat, dog and bird, the last one without objects; one image without
objects in each part. The folders have the form that lockstep's writers are to have.
"""
import base64
import io
import json
import os
import sys
import tarfile
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import png  # noqa: E402

WIDTH, HEIGHT = 64, 48
# A gray JPEG of that size.
JPEG = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71////m8H////6"
    "/+b9//j/wAALCAAwAEABAREA/8QAFQABAQAAAAAAAAAAAAAAAAAAAAL/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAA/AJAAAAAAAAAAAAAA"
    "AB//2Q==")
CLASSES = ["cat", "dog", "bird"]
# Images of each part; objects are class, x, y, width and height.
PARTS = {
    "train": {"a": [], "b 2": [("cat", 1.5, 2, 20, 30)], "\u00fc[3]": [("dog", 0, 0, 64, 48), ("cat", 10.25, 8, 5, 6.5)],
              "d": [("dog", 30, 20, 12.125, 14)]},
    "val": {"e": [("cat", 3, 4, 9.75, 11)], "f": []},
}


def write(path, content):
    """Writes text or bytes, and the folders that are missing."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content.encode() if isinstance(content, str) else content)


def number(value):
    """The shortest decimal form."""
    return f"{value:.10f}".rstrip("0").rstrip(".") or "0"


def triangle(x, y, width, height):
    """An outline whose box is the given one."""
    return [x, y, x + width, y, x + width, y + height]


def yolo(root, row, more=""):
    """A data.yaml with images/PART and labels/PART; `row` makes the columns after the class."""
    names = "".join(f"  {index}: {name}\n" for index, name in enumerate(CLASSES))
    write(root + "/data.yaml", "train: images/train\nval: images/val\n" + more + "names:\n" + names)
    for part, images in PARTS.items():
        for stem, objects in images.items():
            write(f"{root}/images/{part}/{stem}.jpg", JPEG)
            rows = [[CLASSES.index(name)] + row(*box) for name, *box in objects]
            write(f"{root}/labels/{part}/{stem}.txt",
                  "".join(" ".join(number(value) for value in values) + "\n" for values in rows))


def yolo_box(x, y, width, height):
    """Center and size relative to the image."""
    return [(x + width / 2) / WIDTH, (y + height / 2) / HEIGHT, width / WIDTH, height / HEIGHT]


def yolo_outline(*box):
    """Vertices relative to the image."""
    return [value / (HEIGHT if index % 2 else WIDTH) for index, value in enumerate(triangle(*box))]


def voc(root):
    """Annotations, JPEGImages, ImageSets/Main and labelmap.txt."""
    write(root + "/labelmap.txt", "# label:color_rgb:parts:actions\n" + "".join(f"{name}:::\n" for name in CLASSES))
    for part, images in PARTS.items():
        write(f"{root}/ImageSets/Main/{part}.txt", "".join(stem + "\n" for stem in images))
        for stem, objects in images.items():
            write(f"{root}/JPEGImages/{stem}.jpg", JPEG)
            things = "".join(
                f"<object><name>{name}</name><truncated>0</truncated><difficult>0</difficult><bndbox>"
                f"<xmin>{number(x + 1)}</xmin><ymin>{number(y + 1)}</ymin><xmax>{number(x + width)}</xmax>"
                f"<ymax>{number(y + height)}</ymax></bndbox></object>" for name, x, y, width, height in objects)
            write(f"{root}/Annotations/{stem}.xml",
                  f"<annotation><filename>{stem}.jpg</filename><size><width>{WIDTH}</width><height>{HEIGHT}</height>"
                  f"<depth>1</depth></size>{things}</annotation>\n")


def masks(root):
    """Gray masks of two values for each image of a folder of Pascal VOC, and their lists."""
    for name in os.listdir(root + "/ImageSets/Main"):
        with open(f"{root}/ImageSets/Main/{name}", encoding="utf-8") as file:
            stems = file.read()
        write(f"{root}/ImageSets/Segmentation/{name}", stems)
        for stem in stems.split("\n")[:-1]:
            size = ElementTree.parse(f"{root}/Annotations/{stem}.xml").find("size")
            width, height = (int(size.find(side).text) for side in ("width", "height"))
            rows = [[255 if x == y else 3 for x in range(width)] for y in range(height)]
            write(f"{root}/SegmentationClass/{stem}.png", png.encode(rows))


def voc_masks(root):
    """A folder of Pascal VOC with masks."""
    voc(root)
    masks(root)


def coco_document(images, folder, root_category=False):
    """Returns a COCO document; `folder` is before the file names."""
    document = {"images": [], "annotations": [],
                "categories": [{"id": index + 1, "name": name, "supercategory": "animals" if root_category else "none"}
                               for index, name in enumerate(CLASSES)]}
    if root_category:
        document["categories"].insert(0, {"id": 0, "name": "animals", "supercategory": "none"})
    for key, (stem, objects) in enumerate(images.items(), 1):
        document["images"].append({"id": key, "file_name": f"{folder}{stem}.jpg", "width": WIDTH, "height": HEIGHT})
        for name, *box in objects:
            document["annotations"].append(
                {"id": len(document["annotations"]) + 1, "image_id": key, "category_id": CLASSES.index(name) + 1,
                 "bbox": box, "area": box[2] * box[3] / 2, "iscrowd": 0, "segmentation": [triangle(*box)]})
    return document


def coco(root):
    """annotations/instances_PART.json and images/PART."""
    for part, images in PARTS.items():
        write(f"{root}/annotations/instances_{part}.json", json.dumps(coco_document(images, "")))
        for stem in images:
            write(f"{root}/images/{part}/{stem}.jpg", JPEG)


def roboflow(root):
    """train and valid with _annotations.coco.json and an unannotated root category."""
    for part, images in PARTS.items():
        folder = f"{root}/{'valid' if part == 'val' else part}"
        write(folder + "/_annotations.coco.json", json.dumps(coco_document(images, "", True)))
        for stem in images:
            write(f"{folder}/{stem}.jpg", JPEG)


README = """---
configs:
- config_name: default
  features:
  - name: image
    dtype: image
  - name: objects
    struct:
    - name: bbox
      list:
        list: float64
    - name: categories
      list:
        class_label:
          names:
%s---
"""


def hf(root):
    """PART/metadata.jsonl, and the class list in README.md."""
    write(root + "/README.md", README % "".join(f"            '{index}': {name}\n" for index, name in enumerate(CLASSES)))
    for part, images in PARTS.items():
        lines = [{"file_name": stem + ".jpg",
                  "objects": {"bbox": [[float(value) for value in box] for _, *box in objects],
                              "categories": [name for name, *_ in objects]}} for stem, objects in images.items()]
        write(f"{root}/{part}/metadata.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
        for stem in images:
            write(f"{root}/{part}/{stem}.jpg", JPEG)


def folders(root):
    """PART/CLASS/image."""
    for part in PARTS:
        for name, count in (("cat", 3), ("dog", 1)):
            for index in range(count):
                write(f"{root}/{part}/{name}/{index}.jpg", JPEG)


def webdataset(root):
    """Two tars of each part, and PART-index.json."""
    for part, images in PARTS.items():
        document = coco_document(images, "")
        shards, counts = [f"{part}-000000.tar", f"{part}-000001.tar"], [0, 0]
        tars = [tarfile.open(os.path.join(root, shard), "w") for shard in shards]
        for index, image in enumerate(document["images"]):
            things = [thing for thing in document["annotations"] if thing["image_id"] == image["id"]]
            record = {"image_id": image["id"], "file_name": image["file_name"], "annotations": things}
            key = image["file_name"][:-len(".jpg")]
            for name, content in ((key + ".jpg", JPEG), (key + ".json", json.dumps(record).encode())):
                member = tarfile.TarInfo(name)
                member.size = len(content)
                tars[index % 2].addfile(member, io.BytesIO(content))
            counts[index % 2] += 1
        for tar in tars:
            tar.close()
        write(f"{root}/{part}-index.json", json.dumps({
            "version": 1, "split": part, "shards": shards, "num_samples": len(images),
            "categories": document["categories"], "category_ids": "remap", "samples_per_shard": counts,
            "annotated_category_ids": sorted({thing["category_id"] for thing in document["annotations"]})}))


def labelme(root):
    """PART/STEM.json beside PART/STEM.jpg."""
    for part, images in PARTS.items():
        for stem, objects in images.items():
            write(f"{root}/{part}/{stem}.jpg", JPEG)
            shapes = [{"label": name, "points": [[x, y], [x + width, y + height]], "group_id": None,
                       "shape_type": "rectangle", "flags": {}} for name, x, y, width, height in objects]
            write(f"{root}/{part}/{stem}.json", json.dumps(
                {"version": "5.0.0", "flags": {}, "shapes": shapes, "imagePath": stem + ".jpg", "imageData": None,
                 "imageHeight": HEIGHT, "imageWidth": WIDTH}))


LAYOUTS = {
    "yolo": lambda root: yolo(root, yolo_box),
    "yolo-segment": lambda root: yolo(root, yolo_outline),
    "yolo-pose": lambda root: yolo(root, lambda *box: yolo_box(*box) + [0.25, 0.5, 2, 0, 0, 0], "kpt_shape: [2, 3]\n"),
    "voc": voc, "voc-masks": voc_masks, "coco": coco, "roboflow": roboflow, "hf": hf, "folders": folders,
    "webdataset": webdataset, "labelme": labelme,
}

if __name__ == "__main__":
    for layout, make in LAYOUTS.items():
        os.makedirs(os.path.join(sys.argv[1], layout))
        make(os.path.join(sys.argv[1], layout))
