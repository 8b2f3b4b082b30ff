#!/usr/bin/env python3
"""Print the parts and classes of a data.yaml as Ultralytics 8.4 reads them (check_det_dataset and get_img_files).

    yolo_parts.py DATA_YAML [KEY...]

A line for each part: its key, whether its value is a list, and the stems of its images; then the classes. KEYs are
further parts, which Ultralytics does not know.
"""
import pathlib
import sys

import yaml

KNOWN = ["train", "val", "validation", "test", "minival"]
SUFFIXES = {".jpg", ".jpeg", ".png", ".bmp", ".tif", ".tiff", ".webp"}


def resolve(base, folder):
    path = base / folder
    if not path.exists() and folder.startswith("../"):
        path = base / folder[3:]
    assert path.is_dir(), f"{path} is no folder"
    return path.resolve()


def main():
    file = pathlib.Path(sys.argv[1])
    data = yaml.safe_load(file.read_text(encoding="utf-8-sig"))
    base = pathlib.Path(data.get("path") or file.parent)
    for key in KNOWN + sys.argv[2:]:
        if not data.get(key):
            continue
        folders = data[key] if isinstance(data[key], list) else [data[key]]
        images = {p for f in folders for p in resolve(base, f).rglob("*") if p.suffix in SUFFIXES}
        print(key, isinstance(data[key], list), *sorted(p.stem for p in images))
    names = data.get("names")
    if names is None:
        names = [f"class_{i}" for i in range(data["nc"])]
    assert len(names) == data.get("nc", len(names)), data
    print(names if isinstance(names, dict) else dict(enumerate(names)))


main()
