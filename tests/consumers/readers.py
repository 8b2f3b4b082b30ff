#!/usr/bin/env python3
"""Load a dataset folder with a consumer's own reader.

    readers.py CONSUMER LAYOUT PATH   prints one JSON object, as small_readers.py does
    readers.py                        lists the pairs of consumer and layout

Runs in the virtual environment of requirements.txt. Boxes are as in the file: a shift that a reader is documented to
make is undone. A report with "from_occurrence" has no class list of the dataset, but the classes that occur.
"""
import contextlib
import glob
import importlib.metadata
import io
import json
import logging
import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True
from small_readers import Part, add_mask, label_path, read_yaml, report, voc_root, yolo_paths  # noqa: E402

def parts_of_yaml(path):
    """The folders or lists of each part of a data.yaml."""
    yaml = os.path.join(path, "data.yaml")
    data = read_yaml(yaml)
    return yaml, {name: yolo_paths(data.get("path") or path, data[name])
                  for name in ("train", "val", "test") if data.get(name)}


def coco_files(path):
    """The annotation file and the image folder of each part."""
    for name in sorted(glob.glob(os.path.join(glob.escape(path), "annotations", "*.json"))):
        part = os.path.basename(name)[:-len(".json")].replace("instances_", "").replace("person_keypoints_", "")
        folders = [os.path.join(path, "images", part), os.path.join(path, part), os.path.join(path, "images")]
        yield part, name, next(folder for folder in folders if os.path.isdir(folder))


def roboflow_files(path):
    """The annotation file and the image folder of each part."""
    for part in ("train", "valid", "test"):
        name = os.path.join(path, part, "_annotations.coco.json")
        if os.path.exists(name):
            yield part, name, os.path.join(path, part)


def corners(values):
    """x, y, width and height of two corners."""
    left, top, right, bottom = (float(value) for value in values)
    return [left, top, right - left, bottom - top]


# ----------------------------------------------------------------------------------------------------------------------
# ultralytics


class Messages(logging.Handler):
    """Keeps the lines of a logger."""

    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines += record.getMessage().splitlines()


def ultralytics(path, task):
    """ultralytics' data.yaml and dataset class, over a copy of the folder: its caches would stay beside the labels."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(path, os.path.join(folder, "data"))
        os.environ.update(YOLO_CONFIG_DIR=folder, YOLO_OFFLINE="true")
        from ultralytics.data.dataset import YOLODataset
        from ultralytics.data.utils import check_det_dataset
        from ultralytics.utils import LOGGER
        messages = Messages()
        LOGGER.handlers = [messages]
        data = check_det_dataset(os.path.join(copy, "data.yaml"), autodownload=False)
        names = [data["names"][index] for index in range(len(data["names"]))]
        parts = {}
        for name in ("train", "val", "test"):
            if not data.get(name):
                continue
            messages.lines.clear()
            dataset = YOLODataset(img_path=data[name], data=data, task=task, augment=False)
            part = parts[name] = Part()
            part.images = len(dataset.labels)
            for line in messages.lines:
                if "ignoring corrupt" in line:
                    part.drop("image", line)
                if "duplicate labels removed" in line:
                    part.drop("duplicate", line, int(line.rsplit(": ", 1)[1].split()[0]))
                if "segments will be removed" in line:
                    part.drop("outlines", line)
            for label in dataset.labels:
                height, width = label["shape"]
                for kind, (x, y, w, h) in zip(label["cls"][:, 0], label["bboxes"].tolist()):
                    part.boxes.append([os.path.basename(label["im_file"]), names[int(kind)], (x - w / 2) * width,
                                       (y - h / 2) * height, w * width, h * height])
        return names, parts


# ----------------------------------------------------------------------------------------------------------------------
# supervision


def supervision_part(part, dataset, shift=0):
    """Adds the detections of a supervision dataset; `shift` is what its reader subtracts from xmin and ymin."""
    part.images += len(dataset)
    for name, found in dataset.annotations.items():
        for box, kind in zip(found.xyxy.tolist(), found.class_id):
            x, y, width, height = corners(box)
            part.boxes.append([os.path.basename(name), dataset.classes[int(kind)], x + shift, y + shift,
                               width - shift, height - shift])


def supervision_yolo(path):
    from supervision import DetectionDataset
    yaml, folders = parts_of_yaml(path)
    parts, classes = {}, []
    for name, paths in folders.items():
        parts[name] = Part()
        for folder in paths:
            labels = os.path.dirname(label_path(os.path.join(folder, "x.jpg")))
            dataset = DetectionDataset.from_yolo(folder, labels, yaml)
            classes = dataset.classes
            supervision_part(parts[name], dataset)
    return classes, parts


def supervision_coco(path, files=coco_files):
    from supervision import DetectionDataset
    parts, classes = {}, []
    for name, annotations, folder in files(path):
        parts[name] = Part()
        dataset = DetectionDataset.from_coco(folder, annotations)
        classes = dataset.classes
        supervision_part(parts[name], dataset)
    return classes, parts


def supervision_roboflow(path):
    """The root category is a class for supervision; it has no object."""
    classes, parts = supervision_coco(path, roboflow_files)
    return classes, parts


def supervision_voc(path):
    """supervision reads no lists, so that its dataset is split by the stems of ImageSets/Main."""
    from supervision import DetectionDataset
    root = voc_root(path)
    dataset = DetectionDataset.from_pascal_voc(os.path.join(root, "JPEGImages"), os.path.join(root, "Annotations"))
    whole, parts = Part(), {}
    supervision_part(whole, dataset, 1)
    for name in glob.glob(os.path.join(glob.escape(root), "ImageSets", "Main", "*.txt")):
        with open(name, encoding="utf-8") as file:
            stems = {line.strip() for line in file if line.strip()}
        part = parts[os.path.splitext(os.path.basename(name))[0]] = Part()
        part.images = sum(os.path.splitext(os.path.basename(image))[0] in stems for image in dataset.image_paths)
        part.boxes = [box for box in whole.boxes if os.path.splitext(box[0])[0] in stems]
    return dataset.classes, parts


def supervision_labelme(path):
    from supervision import DetectionDataset
    folders = {entry.name: entry.path for entry in os.scandir(path)
               if entry.is_dir() and glob.glob(os.path.join(glob.escape(entry.path), "*.json"))} or {"all": path}
    parts, classes = {}, set()
    for name, folder in folders.items():
        parts[name] = Part()
        dataset = DetectionDataset.from_labelme(folder, folder)
        classes |= set(dataset.classes)
        supervision_part(parts[name], dataset)
    return sorted(classes), parts


# ----------------------------------------------------------------------------------------------------------------------
# torchvision


def torchvision_voc_parts(root, lists, reader):
    """Pairs of a part's name and its dataset. The reader wants VOCdevkit/VOC2012 in its root: a link to the folder serves."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "VOCdevkit"))
        os.symlink(root, os.path.join(folder, "VOCdevkit", "VOC2012"))
        os.symlink(root, os.path.join(folder, "VOCdevkit", "VOC2007"))
        for name in ("train", "val", "trainval", "test"):
            if os.path.exists(os.path.join(root, "ImageSets", lists, name + ".txt")):
                yield name, reader(folder, year="2007" if name == "test" else "2012", image_set=name)


def torchvision_voc(path):
    from torchvision.datasets import VOCDetection
    parts, occurring = {}, set()
    for name, dataset in torchvision_voc_parts(voc_root(path), "Main", VOCDetection):
        part = parts[name] = Part()
        part.images = len(dataset)
        for index, file_name in enumerate(dataset.images):
            for thing in dataset[index][1]["annotation"]["object"]:
                occurring.add(thing["name"])
                part.boxes.append([os.path.basename(file_name), thing["name"]] +
                                  corners(thing["bndbox"][side] for side in ("xmin", "ymin", "xmax", "ymax")))
    return sorted(occurring), parts


def torchvision_voc_masks(path):
    from torchvision.datasets import VOCSegmentation
    parts = {}
    for name, dataset in torchvision_voc_parts(path, "Segmentation", VOCSegmentation):
        part = parts[name] = Part()
        for index, file_name in enumerate(dataset.images):
            image, mask = dataset[index]
            add_mask(part, os.path.basename(file_name), [image.size, mask.size], list(mask.getdata()))
    return sorted({box[1] for part in parts.values() for box in part.boxes}), parts


def torchvision_coco(path):
    from torchvision.datasets import CocoDetection
    parts, names = {}, {}
    for name, annotations, folder in coco_files(path):
        part = parts[name] = Part()
        dataset = CocoDetection(folder, annotations)
        names = {key: category["name"] for key, category in dataset.coco.cats.items()}
        part.images = len(dataset)
        for index, key in enumerate(dataset.ids):
            file_name = os.path.basename(dataset.coco.imgs[key]["file_name"])
            part.boxes += [[file_name, names[thing["category_id"]]] + thing["bbox"] for thing in dataset[index][1]]
    return [names[key] for key in sorted(names)], parts


def torchvision_folders(path):
    from torchvision.datasets import ImageFolder
    parts, classes = {}, None
    for name in ("train", "val", "valid", "validation", "test"):
        if not os.path.isdir(os.path.join(path, name)):
            continue
        part = parts[name] = Part()
        dataset = ImageFolder(os.path.join(path, name))
        if classes not in (None, dataset.classes):
            raise ValueError(f"{name} has the classes {dataset.classes} instead of {classes}")
        classes = dataset.classes
        part.images = len(dataset)
        part.boxes = [[os.path.basename(file_name), classes[kind]] for file_name, kind in dataset.samples]
        for index in range(len(dataset)):
            dataset[index][0].load()
    return classes, parts


# ----------------------------------------------------------------------------------------------------------------------
# The others


def datumaro(path, layout):
    import datumaro as dm
    dataset = dm.Dataset.import_from(voc_root(path) if layout == "voc_detection" else path, layout)
    names = [item.name for item in dataset.categories()[dm.AnnotationType.label]]
    parts = {}
    for item in dataset:
        part = parts.setdefault(item.subset, Part())
        part.images += 1
        file_name = os.path.basename(item.media.path)
        if not os.path.exists(item.media.path):
            raise FileNotFoundError(item.media.path)
        part.boxes += [[file_name, names[thing.label]] + [float(value) for value in thing.get_bbox()]
                       for thing in item.annotations if thing.type == dm.AnnotationType.bbox]
    return [name for name in names if name != "background"], parts


def pycocotools(path):
    from pycocotools.coco import COCO
    parts, names = {}, {}
    for name, annotations, _ in coco_files(path):
        part = parts[name] = Part()
        coco = COCO(annotations)
        names = {key: category["name"] for key, category in coco.cats.items()}
        part.images = len(coco.getImgIds())
        for thing in coco.loadAnns(coco.getAnnIds()):
            if thing.get("segmentation"):
                coco.annToMask(thing)
            file_name = os.path.basename(coco.imgs[thing["image_id"]]["file_name"])
            part.boxes.append([file_name, names[thing["category_id"]]] + thing["bbox"])
    return [names[key] for key in sorted(names)], parts


def sahi(path):
    from sahi.utils.coco import Coco
    parts, names = {}, {}
    for name, annotations, _ in coco_files(path):
        part = parts[name] = Part()
        coco = Coco.from_coco_dict_or_path(annotations)
        names = {category.id: category.name for category in coco.categories}
        part.images = len(coco.images)
        part.boxes = [[os.path.basename(image.file_name), names[thing.category_id]] + list(thing.bbox)
                      for image in coco.images for thing in image.annotations]
    return [names[key] for key in sorted(names)], parts


def datasets(path):
    """Both ways to load: "imagefolder" with data_dir, and the folder itself, for which README.md states the classes."""
    with tempfile.TemporaryDirectory() as cache:
        os.environ.update(HF_HUB_OFFLINE="1", HF_HOME=cache, HF_DATASETS_DISABLE_PROGRESS_BARS="1")
        import datasets as library
        found = []
        for arguments in ({"path": "imagefolder", "data_dir": path}, {"path": path}):
            names, parts, occurring = None, {}, set()
            for name, dataset in library.load_dataset(**arguments).items():
                part = parts[str(name)] = Part()
                part.images = len(dataset)
                member = next((key for key in ("categories", "category")
                               if key in dataset.features.get("objects", {})), None)
                kind = dataset.features["objects"][member] if member else None
                kind = getattr(kind, "feature", kind)
                names = getattr(kind, "names", names)
                files = [os.path.basename(item["path"])
                         for item in dataset.cast_column("image", library.Image(decode=False))["image"]]
                for file_name, record in zip(files, dataset):
                    record["image"].load()
                    for box, label in zip(record["objects"]["bbox"], record["objects"][member]) if member else ():
                        label = names[label] if names and isinstance(label, int) else str(label)
                        occurring.add(label)
                        part.boxes.append([file_name, label] + box)
            found.append((names, sorted(occurring), {name: part.summary() for name, part in parts.items()}, parts))
        if found[0][2] != found[1][2]:
            raise ValueError("the two ways to load give different datasets")
        names = found[1][0]
        return (names, found[1][3]) if names else (found[1][1], found[1][3], "from_occurrence")


def rfdetr_targets(part, targets, labels, file_names):
    """Adds the boxes of rf-detr's targets, which are corners in pixels."""
    for file_name, target in zip(file_names, targets):
        part.images += 1
        for box, label in zip(target["boxes"].tolist(), target["labels"].tolist()):
            part.boxes.append([file_name, labels[label]] + corners(box))


def rfdetr_roboflow(path):
    from pathlib import Path
    from rfdetr.datasets.coco import CocoDetection, _train_split_cat2label
    parts, classes = {}, None
    for name, annotations, folder in roboflow_files(path):
        part = parts[name] = Part()
        mapping = None if name == "train" else _train_split_cat2label(Path(path))
        dataset = CocoDetection(folder, annotations, None, include_masks=True, remap_category_ids=True,
                                cat2label=mapping)
        names = [dataset.coco.cats[dataset.label2cat[label]]["name"] for label in sorted(dataset.label2cat)]
        classes = names if classes is None else classes
        if classes != names:
            raise ValueError(f"{name} has the classes {names} instead of {classes}")
        files = [os.path.basename(dataset.coco.imgs[key]["file_name"]) for key in dataset.ids]
        rfdetr_targets(part, (dataset[index][1] for index in range(len(dataset))), classes, files)
        crowds = sum(bool(thing.get("iscrowd")) for thing in dataset.coco.anns.values())
        if crowds:
            part.drop("crowd", f"{crowds} crowds", crowds)
        missing = len(dataset.coco.anns) - crowds - len(part.boxes)
        if missing:
            part.drop("empty box", f"{missing} boxes without extent", missing)
    return classes, parts


def rfdetr_yolo(path):
    from rfdetr.datasets.yolo import YoloDetection
    yaml, folders = parts_of_yaml(path)
    parts, classes = {}, []
    for name, paths in folders.items():
        part = parts[name] = Part()
        for folder in paths:
            labels = os.path.dirname(label_path(os.path.join(folder, "x.jpg")))
            dataset = YoloDetection(folder, labels, yaml)
            classes = dataset.classes
            files = [os.path.basename(dataset.sv_dataset[index][0]) for index in range(len(dataset))]
            rfdetr_targets(part, (dataset[index][1] for index in range(len(dataset))), classes, files)
    return classes, parts


def rfdetr_webdataset(path):
    from rfdetr.datasets.webdataset.load import WebDatasetDetection
    from small_readers import samples
    parts, classes = {}, []
    for index_name in sorted(glob.glob(os.path.join(glob.escape(path), "*-index.json"))):
        name = os.path.basename(index_name)[:-len("-index.json")]
        part = parts[name] = Part()
        dataset = WebDatasetDetection(path, name, None)
        classes = dataset.class_names
        keys = [(key, json.loads(members["json"])["annotations"]) for shard in dataset.index.shards
                for key, members in samples(os.path.join(path, shard))]
        rfdetr_targets(part, (target for _, target in dataset), classes,
                       [os.path.basename(key) for key, _ in keys])
        if part.images != dataset.total_samples:
            raise ValueError(f"{part.images} samples instead of {dataset.total_samples}")
        crowds = sum(bool(thing.get("iscrowd")) for _, things in keys for thing in things)
        if crowds:
            part.drop("crowd", f"{crowds} crowds", crowds)
    return classes, parts


def from_occurrence(reader):
    """Marks a reader without a class list of the dataset."""
    return lambda path: (*reader(path), "from_occurrence")


READERS = {
    ("ultralytics", "yolo"): lambda path: ultralytics(path, "detect"),
    ("ultralytics", "yolo-segment"): lambda path: ultralytics(path, "segment"),
    ("ultralytics", "yolo-pose"): lambda path: ultralytics(path, "pose"),
    ("supervision", "yolo"): supervision_yolo,
    ("supervision", "yolo-segment"): supervision_yolo,
    ("supervision", "yolo-pose"): supervision_yolo,
    ("supervision", "coco"): supervision_coco,
    ("supervision", "roboflow"): supervision_roboflow,
    ("supervision", "voc"): from_occurrence(supervision_voc),
    ("supervision", "labelme"): supervision_labelme,
    ("torchvision", "voc"): from_occurrence(torchvision_voc),
    ("torchvision", "voc-masks"): from_occurrence(torchvision_voc_masks),
    ("torchvision", "coco"): torchvision_coco,
    ("torchvision", "folders"): torchvision_folders,
    ("datumaro", "voc"): lambda path: datumaro(path, "voc_detection"),
    ("datumaro", "yolo"): lambda path: datumaro(path, "yolo"),
    ("pycocotools", "coco"): pycocotools,
    ("sahi", "coco"): sahi,
    ("datasets", "hf"): datasets,
    ("rfdetr", "yolo"): rfdetr_yolo,
    ("rfdetr", "roboflow"): rfdetr_roboflow,
    ("rfdetr", "webdataset"): rfdetr_webdataset,
}


def read(consumer, layout, path):
    """The report of a consumer; what its reader raises becomes the member `refused`."""
    version = importlib.metadata.version(consumer)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            classes, parts, *notes = READERS[consumer, layout](os.path.abspath(path))
            if not parts:
                raise ValueError("no part")
    except Exception as error:  # whatever the consumer raises is its answer
        cause = f" ({error.__cause__})" if error.__cause__ else ""
        return {"consumer": f"{consumer} {version}", "layout": layout,
                "refused": f"{type(error).__name__}: {error}{cause}"}
    answer = report(f"{consumer} {version}", layout, classes, parts)
    answer.update({note: True for note in notes})
    return answer


if __name__ == "__main__":
    if len(sys.argv) == 1:
        print("\n".join(" ".join(pair) for pair in READERS))
    else:
        print(json.dumps(read(*sys.argv[1:4])))
