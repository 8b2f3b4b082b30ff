"""Rules about class folders, label masks, and lists of classes."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import png  # noqa: E402 # pylint: disable=wrong-import-position
from planted import category, dataset, fault, near  # noqa: E402 # pylint: disable=C0413


def photo(key, width=20, height=16, channels=3):
    return png.encode([[(x * 7 + y * key + c) % 256 for x in range(width) for c in range(channels)]
                       for y in range(height)], channels)


def mask(*values, width=20, height=16):
    return png.encode([[values[x * len(values) // width] for x in range(width)] for _ in range(height)], 1)


def folders(what, rule, *names, found=(), options="", files=None):
    """A folder of different photos with these names; `files` are others."""
    named = {f"in/{name}": photo(i + 1) for i, name in enumerate(names)}
    named |= {f"in/{k}" if k != "classes.txt" else k: v for k, v in (files or {}).items()}
    return what(rule, None, found, "-i {}/in --labels folders " + options, named)


def masks(what, rule, found=(), options="", image_of=photo(1), **files):
    """An image, and masks."""
    named = {"images/a.png": image_of, "classes.txt": b"sky\nroad\n"}
    return what(rule, None, found, "-i {}/images --masks {}/masks " + options,
                named | {f"masks/{k.replace('__', '/')}.png": v for k, v in files.items()})


listed = "--classes {}/classes.txt"
many = [f"cat/{i}.png" for i in range(95)]
cases = [
    folders(fault, "F001", "cat/a.png", "dog/b.png", files={"fish/readme.txt": b""}),
    folders(fault, "F001", "cat/a.png", options=listed, files={"classes.txt": b"cat\ndog\n"}),
    folders(near, "F001", "cat/a.png", "dog/below/b.png"),
    folders(fault, "F002", *many, *[f"dog/{i}.png" for i in range(9)]),
    folders(near, "F002", *many, *[f"dog/{i}.png" for i in range(10)]),
    folders(near, "F002", "cat/a.png", "dog/b.png"),
    folders(fault, "F003", "cat/a.png", "dog/b.png", files={"dog/c.png": photo(1)}),
    folders(near, "F003", "cat/a.png", "dog/b.png", files={"cat/c.png": photo(1)}),
    folders(fault, "F004", "cat/a.png", "b.png"),
    folders(near, "F004", "cat/a.png", "dog/b.png", files={"notes.txt": b""}),
    folders(fault, "F005", "cat/a.png", "dog/b.png", options=listed, files={"classes.txt": b"cat\n"}),
    folders(near, "F005", "cat/a.png", "dog/b.png", options=listed, files={"classes.txt": b"dog\ncat\n"}),
    fault("F005", dataset(), options=listed, files={"classes.txt": b"dog\n"}),
    near("F005", dataset(categories=[category(), category(id=2, name="dog")]), ["R003"], listed,
         {"classes.txt": b"cat\n"}),
    fault("F005", "labels.csv", options=listed, files={"classes.txt": b"dog\n", "labels.csv": "a.jpg,cat\n"}),
    near("F005", "labels.csv", options=listed, files={"classes.txt": b"cat\n", "labels.csv": "a.jpg,cat\n"}),
    folders(fault, "I012", "cat/a.png", files={"dog/b.png": b"not an image"}),
    masks(fault, "G001", ["G002"], a_L=mask(0, 1)),
    masks(near, "G001", options="--mask-name {stem}_L.png", a_L=mask(0, 1)),
    masks(fault, "G002", a=mask(0, 1), b=mask(0)),
    masks(fault, "G002", a=mask(0, 1), below__a=mask(0)),
    masks(near, "G002", a=mask(0, 1)),
    masks(fault, "G003", a=mask(0, 1, width=16, height=20)),
    masks(near, "G003", image_of=photo(2, 30, 20), a=mask(0, 1, width=30, height=20)),
    masks(fault, "G004", options=listed, a=mask(0, 1, 2)),
    masks(fault, "G004", options=listed, a=mask(0, 254, 255)),
    masks(near, "G004", options=listed, a=mask(0, 1, 255)),
    masks(near, "G004", a=mask(0, 1, 7)),
    masks(near, "G004", options=listed + " --headers", a=mask(0, 1, 7)),
    masks(fault, "G005", a=photo(3)),
    masks(near, "G005", a=mask(0, 200)),
    masks(fault, "G006", a=b"not an image"),
    masks(fault, "G006", options=listed, a=mask(0, 1)[:-20]),
    masks(near, "G006", a=mask(0)),
]
