#!/usr/bin/env python3
"""Load folders with the consumers' own readers, and compare counts, classes and boxes.

    gate.py [--lockstep PROGRAM] LAYOUT=PATH ...      each consumer that reads the layout, as readers.py lists them
    gate.py --outputs PROGRAM [--small]               a made dataset in each layout that PROGRAM converts it to
    gate.py --self-test [--small]                     whole folders pass, and each damage is seen; with --small without
                                                      the consumers

Expected are the report of small_readers.py, which follows the consumers' rules, and with --lockstep the counts of
`lockstep stats --json PATH`. Exit code 1: a consumer refuses, drops or changes something.
"""
import collections
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
import make_folders  # noqa: E402
from make_folders import png  # noqa: E402
import readers  # noqa: E402
import small_readers  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
TOLERANCE = 0.02  # pixels: reports round to 0.01, and the consumers compute in floats of 32 bits
DOCUMENTED = {"crowd"}  # what a consumer drops by its documentation


def run(*command):
    """The JSON object that a command prints."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=900, check=False)
    lines = done.stdout.strip().splitlines()
    if not lines:
        return {"refused": done.stderr.strip()[-500:] or f"exit code {done.returncode}"}
    return json.loads(lines[-1])


def unmatched(expected, found):
    """The first box of `expected` that has no equal in `found`, which loses the boxes that have one."""
    left = list(found)
    for box in expected:
        equal = next((other for other in left if other[:2] == box[:2] and len(other) == len(box) and
                      all(abs(a - b) <= TOLERANCE for a, b in zip(box[2:], other[2:]))), None)
        if equal is None:
            return box
        left.remove(equal)
    return left[0] if left else None


def without_extensions(boxes):
    """Boxes whose files are named by their stems: members of tars have keys instead of names."""
    return [[box[0].rsplit(".", 1)[0]] + box[1:] for box in boxes]


def differences(expected, found):
    """The messages of what `found` has otherwise than `expected`."""
    if "refused" in found:
        return ["refused: " + found["refused"]]
    messages = []
    occurring = {name for part in expected["parts"].values() for name in part["by_class"]}
    if found.get("from_occurrence"):
        if set(found["classes"]) != occurring:
            messages.append(f"classes {found['classes']} instead of {sorted(occurring)}")
    elif [name for name in found["classes"] if name in expected["classes"]] != expected["classes"]:
        messages.append(f"classes {found['classes']} instead of {expected['classes']}")
    if set(found["parts"]) != set(expected["parts"]):
        messages.append(f"parts {sorted(found['parts'])} instead of {sorted(expected['parts'])}")
    for name, part in expected["parts"].items():
        other = found["parts"].get(name)
        if other is None:
            continue
        for count in ("images", "objects", "by_class"):
            if part[count] != other[count]:
                messages.append(f"{name}: {count} {other[count]} instead of {part[count]}")
        box = unmatched(without_extensions(part["boxes"]), without_extensions(other["boxes"]))
        if box:
            messages.append(f"{name}: the box {box} is on one side only")
    return messages + dropped(found)


def dropped(answer):
    """The messages of what a reader dropped without a documented reason."""
    return [f"{name}: drops {count} x {reason}: {part['messages'][0]}"
            for name, part in answer.get("parts", {}).items()
            for reason, count in part["dropped"].items() if reason not in DOCUMENTED]


def compare_stats(expected, stats):
    """The messages of what `lockstep stats` counts otherwise than the small reader."""
    if "refused" in stats:
        return ["stats: " + stats["refused"]]
    messages = []
    parts = expected["parts"].values()
    objects = sum(part["objects"] + part["dropped"].get("crowd", 0) for part in parts)
    for member, count in (("images", sum(part["images"] for part in parts)), ("objects", objects)):
        if stats[member] != count:
            messages.append(f"stats: {stats[member]} {member} instead of {count}")
    names = [category["name"] for category in stats["categories"]]
    if [name for name in names if name in expected["classes"]] != expected["classes"]:
        messages.append(f"stats: classes {names} instead of {expected['classes']}")
    for part in stats.get("parts", []):
        other = expected["parts"].get(part["name"])
        if other and (part["images"], part["objects"]) != (other["images"], other["objects"]):
            messages.append(f"stats: {part['name']} has {part['images']} images and {part['objects']} objects instead "
                            f"of {other['images']} and {other['objects']}")
    return messages


def check(layout, path, lockstep=None, small_only=False):
    """Pairs of a reader's name and its messages, which are empty if all is as expected."""
    expected = small_readers.read(layout, path)
    if "refused" in expected:
        return [("small reader", ["refused: " + expected["refused"]])]
    rows = [("small reader", dropped(expected))]
    if lockstep:
        rows.append(("lockstep stats", compare_stats(expected, run(lockstep, "stats", "--json", path))))
    consumers = [consumer for consumer, read in readers.READERS if read == layout]
    for consumer in () if small_only else consumers:
        found = run(sys.executable, os.path.join(HERE, "readers.py"), consumer, layout, path)
        rows.append((found.get("consumer", consumer), differences(expected, found)))
    if not consumers:
        rows.append(("consumer", [f"none reads {layout}"]))
    return rows


def gate(folders, lockstep=None):
    """Prints a line for each folder and reader, and returns the number of failures."""
    failures = count = 0
    for layout, path in folders:
        for name, messages in check(layout, path, lockstep):
            count += 1
            failures += bool(messages)
            print(f"{'FAILED' if messages else 'ok    '} {layout:<13} {name:<24} {'; '.join(messages)}".rstrip())
    print(f"{count} cases, {failures} failed")
    return failures


# ----------------------------------------------------------------------------------------------------------------------
# Outputs of a dataset that is made here: its images, objects and classes are known.

OUTPUTS = ["coco", "yolo", "voc", "roboflow", "hf", "labelme", "webdataset", "folders"]


def compare_made(made, expected):
    """The messages of what the small reader counts otherwise than the dataset that was made."""
    used = set()
    parts = []
    for images in made.parts.values():
        names = collections.Counter(made.classes[o["cls"]] for image in images for o in image["objects"])
        used.update(names)
        parts.append((len(images), sum(names.values()), sorted(names.items())))
    found = sorted((part["images"], part["objects"], sorted(part["by_class"].items()))
                   for part in expected["parts"].values())
    messages = [] if found == sorted(parts) else [f"counts {found} instead of {sorted(parts)}"]
    if set(expected["classes"]) not in (used, set(made.classes)):
        messages.append(f"classes {expected['classes']} instead of {made.classes}")
    return messages


def with_one_class_each(made):
    """Gives each image one object, so that its class can be its folder: each class is in each part."""
    made.classes, made.ids = made.classes[:2], made.ids[:2]
    for images in made.parts.values():
        for number, image in enumerate(images):
            image["objects"] = [{"cls": number % 2, "bbox": [1, 1, 5, 5], "area": 25, "iscrowd": 0}]


def masks_of_voc(lockstep, source, out, small_only):
    """Gives a dataset of Pascal VOC masks, runs a flip over it with two copies, and reads them as check() does."""
    os.remove(os.path.join(source, "manifest.jsonl"))
    os.remove(os.path.join(source, "run.json"))
    make_folders.masks(source)
    expected = small_readers.read("voc-masks", source)
    with open(out + ".json", "w", encoding="utf-8") as file:
        file.write('{"version": 1, "transforms": [{"type": "RandomHorizontalFlip", "p": 1}]}')
    done = subprocess.run([lockstep, "run", "-q", "-p", out + ".json", "-a", source, "-o", out, "--copies", "2"],
                          capture_output=True, text=True, check=False)
    if done.returncode:
        return [("run", [done.stderr])]
    found = small_readers.read("voc-masks", out)
    counts = [{name: (part["images"] * times, {value: n * times for value, n in part["by_class"].items()})
               for name, part in report.get("parts", {}).items()} for report, times in ((expected, 2), (found, 1))]
    rows = [("counts", [] if counts[0] == counts[1] else [f"{counts[1]} instead of {counts[0]}"])]
    return rows + check("voc-masks", out, None, small_only)


def outputs(lockstep, small_only):
    """Converts a dataset to each layout, compares the counts with those of the dataset, and runs the gate."""
    sys.path.insert(0, os.path.join(HERE, "..", "tools"))
    from random_dataset import RandomDataset
    failures = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for layout in OUTPUTS:
            made, path = RandomDataset(layout, plain=True), os.path.join(folder, layout)
            if layout == "folders":
                with_one_class_each(made)
            made.write(path + ".in")
            done = subprocess.run([lockstep, "convert", "-q", "-a", path + ".in", "-o", path, "--to", layout, "--lossy"],
                                  capture_output=True, text=True, check=False)
            rows = [(layout, "convert", [done.stderr] if done.returncode else [])]
            if not done.returncode:
                rows += [(layout, "counts", compare_made(made, small_readers.read(layout, path)))]
                rows += [(layout, *row) for row in check(layout, path, lockstep, small_only)]
            if layout == "voc":
                rows += [("voc-masks", *row) for row in masks_of_voc(lockstep, path, path + ".masks", small_only)]
            for row_layout, name, messages in rows:
                count += 1
                failures += bool(messages)
                print(f"{'FAILED' if messages else 'ok    '} {row_layout:<13} {name:<24} {'; '.join(messages)}".rstrip())
    print(f"{count} cases, {failures} failed")
    return failures


# ----------------------------------------------------------------------------------------------------------------------
# The self-test: each damage makes one real consumer give another dataset than the whole folder.


def edit(name, old, new):
    """A damage: replaces text of a file, which must have it."""
    def damage(root):
        with open(os.path.join(root, name), encoding="utf-8") as file:
            text = file.read()
        assert old in text, f"{name} has no {old}"
        with open(os.path.join(root, name), "w", encoding="utf-8") as file:
            file.write(text.replace(old, new, 1))
    return damage


def remove(name):
    """A damage: removes a file."""
    return lambda root: os.remove(os.path.join(root, name))


def add(name, text):
    """A damage: adds a file or replaces its content."""
    return lambda root: make_folders.write(os.path.join(root, name), text)


def rename(old, new):
    """A damage: renames a file or folder."""
    return lambda root: os.rename(os.path.join(root, old), os.path.join(root, new))


def repeat(name):
    """A damage: writes each line of a file twice."""
    def damage(root):
        with open(os.path.join(root, name), encoding="utf-8") as file:
            lines = file.readlines()
        with open(os.path.join(root, name), "w", encoding="utf-8") as file:
            file.writelines(line for line in lines for _ in range(2))
    return damage


def shorten(name):
    """A damage: removes the last line of a file."""
    def damage(root):
        with open(os.path.join(root, name), encoding="utf-8") as file:
            lines = file.readlines()
        with open(os.path.join(root, name), "w", encoding="utf-8") as file:
            file.writelines(lines[:-1])
    return damage


DAMAGES = [
    ("yolo", "a row outside of the image", add("labels/train/d.txt", "1 0.5 0.5 1.02 0.2\n")),
    ("yolo", "a row twice", repeat("labels/train/d.txt")),
    ("yolo", "outlines in one file of boxes", add("labels/train/d.txt", "1 .1 .1 .5 .1 .5 .5\n")),
    ("yolo", "a negative size", add("labels/train/d.txt", "1 0.5 0.5 -0.005 0.2\n")),
    ("yolo", "boxes and outlines in one file", add("labels/val/e.txt", "0 .5 .5 .2 .2\n0 .1 .1 .5 .1 .5 .5\n")),
    ("yolo", "a class too many", add("labels/val/e.txt", "3 .5 .5 .2 .2\n")),
    ("yolo", "a path", edit("data.yaml", "train:", "path: .\ntrain:")),
    ("yolo", "classes from 1", edit("data.yaml", "  0: cat\n", "  3: cat\n")),
    ("yolo", "no val", edit("data.yaml", "val: images/val\n", "")),
    ("yolo", "a GIF", rename("images/train/d.jpg", "images/train/d.gif")),
    ("yolo-segment", "a file of boxes", add("labels/train/d.txt", "1 0.5 0.5 0.25 0.25\n")),
    ("yolo-pose", "a row of a box", add("labels/train/d.txt", "1 0.5 0.5 0.25 0.25\n")),
    ("voc", "a PNG", rename("JPEGImages/d.jpg", "JPEGImages/d.png")),
    ("voc", "no lists", rename("ImageSets", "Lists")),
    ("voc", "no class list", edit("labelmap.txt", "dog:::\n", "")),
    ("voc", "no labelmap.txt", lambda root: (remove("labelmap.txt")(root),
                                             edit("Annotations/d.xml", ">dog<", ">otter<")(root))),
    ("voc", "a fractional size", edit("Annotations/d.xml", "<width>64", "<width>64.0")),
    ("voc", "another file name", edit("Annotations/d.xml", "<filename>d", "<filename>x")),
    ("voc-masks", "a mask of another size", add("SegmentationClass/e.png", png.encode([[3] * 9] * 9))),
    ("voc-masks", "a missing mask", remove("SegmentationClass/e.png")),
    ("voc-masks", "a shorter list", shorten("ImageSets/Segmentation/train.txt")),
    ("coco", "a missing image", remove("images/val/e.jpg")),
    ("coco", "another category", edit("annotations/instances_val.json", '"category_id": 1', '"category_id": 9')),
    ("coco", "text as image id", edit("annotations/instances_val.json", '{"id": 1, "file', '{"id": "x", "file')),
    ("roboflow", "val instead of valid", rename("valid", "val")),
    ("roboflow", "a box of text", edit("valid/_annotations.coco.json", "[3, 4,", '["3", 4,')),
    ("roboflow", "no area", edit("train/_annotations.coco.json", '"area"', '"size"')),
    ("hf", "an image without a line", shorten("val/metadata.jsonl")),
    ("hf", "a part of integers", add("val/metadata.jsonl", '{"file_name": "e.jpg", "objects": {"bbox": [[3, 4, 9, 1]], '
                                     '"categories": ["cat"]}}\n')),
    ("hf", "a part without objects", add("val/metadata.jsonl", '{"file_name": "e.jpg", "objects": {"bbox": [], '
                                         '"categories": []}}\n')),
    ("hf", "one more member", edit("val/metadata.jsonl", '"file_name"', '"width": 64, "file_name"')),
    ("folders", "an empty class", lambda root: os.mkdir(os.path.join(root, "train", "bird"))),
    ("folders", "a class that val lacks", add("train/aardvark/1.jpg", make_folders.JPEG)),
    ("webdataset", "another split", edit("val-index.json", '"split": "val"', '"split": "test"')),
    ("webdataset", "a wrong count", edit("val-index.json", '"num_samples": 2', '"num_samples": 3')),
    ("webdataset", "a shard less", edit("train-index.json", '"train-000000.tar", ', "")),
    ("labelme", "another file of JSON", add("train/run.json", "{}")),
    ("labelme", "a circle", edit("val/e.json", '"rectangle"', '"circle"')),
]


def first_difference(whole, layout, path, small_only):
    """The first message of the small reader and of the consumers about a folder that is no longer whole, or None."""
    small = differences(whole, small_readers.read(layout, path))
    if small_only or not small:
        return small[0] if small else None
    for consumer in (consumer for consumer, read in readers.READERS if read == layout):
        found = run(sys.executable, os.path.join(HERE, "readers.py"), consumer, layout, path)
        messages = differences(whole, found)
        if messages:
            return f"{found.get('consumer', consumer)}: {messages[0]}"
    return None


def self_test(small_only):
    """Whole folders pass. A damage is seen by the small reader and by a consumer, which shows that their rules agree."""
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        whole = {}
        for layout, make in make_folders.LAYOUTS.items():
            path = os.path.join(folder, layout)
            os.mkdir(path)
            make(path)
            whole[layout] = small_readers.read(layout, path)
            messages = [message for _, messages in check(layout, path, None, small_only) for message in messages]
            failures += bool(messages)
            print(f"{'FAILED' if messages else 'ok    '} {layout:<13} whole {'; '.join(messages)}".rstrip())
        for number, (layout, what, damage) in enumerate(DAMAGES):
            path = os.path.join(folder, f"damage-{number}")
            os.mkdir(path)
            make_folders.LAYOUTS[layout](path)
            damage(path)
            message = first_difference(whole[layout], layout, path, small_only)
            failures += not message
            shown = " ".join((message or "no reader sees it").split())[:110]
            print(f"{'ok    ' if message else 'FAILED'} {layout:<13} {what}: {shown}")
    print(f"{len(make_folders.LAYOUTS) + len(DAMAGES)} cases, {failures} failed")
    return failures


def main(arguments):
    """Parses the command line."""
    lockstep = None
    if arguments[:1] == ["--self-test"]:
        return self_test(arguments[1:] == ["--small"])
    if arguments[:1] == ["--outputs"] and len(arguments) > 1:
        return outputs(os.path.abspath(arguments[1]), arguments[2:] == ["--small"])
    if arguments[:1] == ["--lockstep"]:
        lockstep, arguments = arguments[1], arguments[2:]
    folders = [argument.split("=", 1) for argument in arguments]
    if not folders or any(len(pair) != 2 for pair in folders):
        sys.exit(__doc__)
    return gate(folders, lockstep)


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:])))
