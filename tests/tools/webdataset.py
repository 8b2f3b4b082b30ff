#!/usr/bin/env python3
"""Compare the tars of a run with the same run's folder: webdataset.py FOLDER OUT.

Samples are in the manifest's order; the members of a sample follow one another: image, json, mask, labels.
"""
import glob
import json
import os
import sys
import tarfile

folder, out = sys.argv[1:]


def key_of(image):
    head, base = os.path.split(image)
    stem = base[:base.rindex(".")].replace("%", "%25").replace(".", "%2E")
    return os.path.join(head, stem)


def suffix_of(name):
    return name[name.rindex("."):]


def read(name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


document, of_image, objects = None, {}, {}
if os.path.exists(os.path.join(folder, "annotations.json")):
    document = json.loads(read("annotations.json"))
    of_image = {image["id"]: image for image in document["images"]}
    for thing in document["annotations"]:
        objects.setdefault(thing["image_id"], []).append(thing)

expected = []
for line in read("manifest.jsonl").decode().splitlines():
    line = json.loads(line)
    key = key_of(line["output"].split("/", 1)[1])
    expected.append((key + suffix_of(line["output"]), read(line["output"])))
    if document:
        one = dict(document, images=[of_image[line["image_id"]]], annotations=objects.get(line["image_id"], []))
        expected.append((key + ".json", one))
    if line.get("mask"):
        expected.append((key + ".mask.png", read(line["mask"])))
    if line.get("labels"):
        expected.append((key + suffix_of(line["labels"]), read(line["labels"])))

found = []
for path in sorted(glob.glob(os.path.join(out, "data-*.tar"))):
    with tarfile.open(path) as tar:
        for member in tar:
            assert member.isreg() and member.mode == 0o644 and member.uid == member.gid == 0, member
            data = tar.extractfile(member).read()
            found.append((member.name, json.loads(data) if member.name.endswith(".json") else data))

assert [name for name, _ in found] == [name for name, _ in expected], ([n for n, _ in found], [n for n, _ in expected])
for (name, got), (_, wanted) in zip(found, expected):
    assert got == wanted, name
    if isinstance(got, dict):
        assert list(got) == list(wanted), name
