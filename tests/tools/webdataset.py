#!/usr/bin/env python3
"""Compare the tars of a run with the same run's folder: webdataset.py FOLDER OUT.

Samples are in the manifest's order; the members of a sample follow one another: image, json, mask, labels. Each part
has its own tars and its own index.
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


def annotations_of(part):
    """The annotation file of a part in the folder, or None."""
    name = f"annotations/instances_{part}.json" if part else "annotations.json"
    return json.loads(read(name)) if os.path.exists(os.path.join(folder, name)) else None


def image_id_of(document, image):
    """rf-detr's image_id is a number: another id is replaced by the place of the image."""
    ids = [one["id"] for one in document["images"]]
    return image["id"] if not isinstance(image["id"], str) else ids.index(image["id"]) + 1


def expected_members(lines, document, indexed):
    """The names and contents of the members of the tars, in their order."""
    of_image, objects = {}, {}
    for image in document["images"] if document else ():
        of_image[image["id"]] = image
    for thing in document["annotations"] if document else ():
        objects.setdefault(thing["image_id"], []).append(thing)
    for line in lines:
        key = key_of(line["output"].split("/", 1)[1])
        yield key + suffix_of(line["output"]), read(line["output"])
        if document:
            image = of_image[line["image_id"]]
            one = {"image_id": image_id_of(document, image), "file_name": image["file_name"]}
            one |= dict(document, images=[image], annotations=objects.get(line["image_id"], []))
            if indexed: # sections that all images share are in the index
                one = {name: one[name] for name in one if name in ("image_id", "file_name", "images", "annotations")}
            yield key + ".json", one
        if line.get("mask"):
            yield key + ".mask.png", read(line["mask"])
        if line.get("labels"):
            yield key + suffix_of(line["labels"]), read(line["labels"])


def found_members(path):
    """The names and contents of the members of a tar."""
    with tarfile.open(path) as tar:
        for member in tar:
            assert member.isreg() and member.mode == 0o644 and member.uid == member.gid == 0, member
            data = tar.extractfile(member).read()
            yield member.name, json.loads(data) if member.name.endswith(".json") else data


def compare(part, lines):
    """Compares the tars of a part, or of a dataset that is not divided."""
    document = annotations_of(part)
    name = part or ("train" if document else "data")
    indexed = os.path.exists(os.path.join(out, name + "-index.json"))
    tars = sorted(glob.glob(os.path.join(out, ("*" if not part else name) + "-*.tar")))
    expected = list(expected_members(lines, document, indexed))
    members = [list(found_members(path)) for path in tars]
    found = [member for tar in members for member in tar]
    assert [name for name, _ in found] == [name for name, _ in expected], ([n for n, _ in found], [n for n, _ in expected])
    for (member, got), (_, wanted) in zip(found, expected):
        assert got == wanted, (member, got, wanted)
        if isinstance(got, dict):
            assert list(got) == list(wanted), member
    assert indexed == (document is not None and os.path.exists(os.path.join(out, "run.json")))
    if not indexed:
        return
    counts = [sum(member.endswith(".json") for member, _ in tar) for tar in members]
    with open(os.path.join(out, name + "-index.json"), "rb") as file:
        index = json.load(file)
    assert index == {
        "version": 1, "split": name, "shards": [f"{name}-{i:06d}.tar" for i in range(len(tars))],
        "num_samples": sum(counts), "categories": document["categories"],
        "annotated_category_ids": sorted({thing["category_id"] for thing in document["annotations"]}),
        "category_ids": "remap", "samples_per_shard": counts,
        "coco": {key: [] if key in ("images", "annotations", "categories") else document[key] for key in document}}, index


manifest = [json.loads(line) for line in read("manifest.jsonl").decode().splitlines()]
for part in sorted({line.get("part", "") for line in manifest}):
    compare(part, [line for line in manifest if line.get("part", "") == part])
