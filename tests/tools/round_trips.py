#!/usr/bin/env python3
"""round_trips.py LOCKSTEP N [PAIRS [SEED]]: converts N random datasets between layouts.

For a random dataset in COCO folders, and for PAIRS (all by default) ordered pairs of layouts A, B:

    losses   without --lossy, convert refuses exactly if this program expects a loss, and counts the losses by kind
    equal    COCO -> A -> B -> COCO has the images, classes and objects of the source, without the losses of each step
    own      A -> A writes the same files
    check    finds no error in a result that it does not find in the source
    verify   passes

Then folder_trips.py converts class folders and label masks. With SEED, only that dataset. Files stay in the folder "round-trips"."""
import collections
import concurrent.futures
import json
import os
import random
import re
import shutil
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here, os.path.join(here, "../search")]
from folder_trips import FolderTrips  # noqa: E402
from random_dataset import RandomDataset  # noqa: E402
from round_trip import bounds_of, clipped, coco_object, contents, first_difference, near, ring_area, ring_bounds  # noqa: E402

LAYOUTS = ["coco", "yolo", "voc", "roboflow", "hf", "labelme", "webdataset"]
FOLDERS = {"yolo", "voc", "labelme"}  # have one file of labels per image
COCO = {"coco", "roboflow", "webdataset"}
OURS = ("manifest.jsonl", "run.json", "SHA256SUMS", ".lockstep")
OF_OBJECT = {"id", "image_id", "category_id", "bbox", "area", "iscrowd", "segmentation", "keypoints", "num_keypoints"}
OF_IMAGE = {"id", "file_name", "width", "height", "license", "coco_url", "flickr_url", "date_captured"}


class Refusal(Exception):
    """The code with which a conversion is refused."""


def common(part):
    for word, name in (("train", "train"), ("training", "train"), ("val", "val"), ("valid", "val"), ("validation", "val"),
                       ("test", "test"), ("testing", "test")):
        if re.match(f"{word}(?![a-z])", part):
            return name
    return part


def part_name(part, layout):
    """The name that a part gets in another layout."""
    if layout in ("coco", "labelme"):
        return part
    name = common(part or "train")
    return {"roboflow": {"val": "valid"}, "hf": {"val": "validation"}}.get(layout, {}).get(name, name)


def is_usual(part):
    return common(part) in ("train", "val", "test") or part in ("dev", "development", "eval", "minival")


def is_nothing(value):
    return value is None or value in ("", [], {}) and value is not False


def is_hidden(name):
    return name.startswith(".") or "/." in name


def read_documents(folder):
    """The parts of COCO folders: a dict of documents by part."""
    if os.path.exists(f"{folder}/annotations.json"):
        names = {"": "annotations.json"}
    else:
        names = {n[len("instances_"):-len(".json")]: f"annotations/{n}" for n in sorted(os.listdir(f"{folder}/annotations"))}
    documents = {}
    for part, name in names.items():
        with open(f"{folder}/{name}", encoding="utf-8") as file:
            documents[part] = json.load(file)
    return documents


class Data:
    """`parts`: lists of images by part, each with "file_name", "frame" (width and height), what the file
    has of them as "stated", "keys" and "objects"; `classes`: names."""

    @staticmethod
    def read(folder):
        self = Data()
        self.parts = {}
        for part, document in read_documents(folder).items():
            names = {c["id"]: c["name"] for c in document["categories"]}
            self.classes = list(names.values())
            images = {i["id"]: {"file_name": i["file_name"], "stated": (i.get("width"), i.get("height")),
                                "keys": {k: v for k, v in i.items() if k not in OF_IMAGE}, "objects": []}
                      for i in document["images"]}
            for a in document["annotations"]:
                o = coco_object(a, names)
                o["more"] = {k: v for k, v in a.items() if k not in OF_OBJECT}
                images[a["image_id"]]["objects"].append(o)
            self.parts[part] = list(images.values())
        return self

    def to(self, layout, was):
        """Returns the dataset, now in the layout `was`, as it becomes in another layout, and the losses by kind."""
        lost, new = collections.Counter(), Data()
        new.classes, new.parts = list(self.classes), {}
        if not any(self.parts.values()):
            raise Refusal("images-none")
        if layout == was:
            return self, lost
        for part, images in self.parts.items():
            name = part_name(part, layout)
            if name in new.parts:
                raise Refusal("dataset-parts")
            if images or layout in COCO:  # other layouts leave out a part without images
                new.parts[name] = self.images_to(images, layout, was, lost)
        if layout == "voc":
            name_once(new.parts)
        check_names(new.parts, layout)
        if layout == "voc":  # its readers open only this suffix of JPEG
            for images in new.parts.values():
                images[:] = [dict(i, file_name=re.sub(r"\.jpe?g$", ".jpg", i["file_name"], flags=re.I)) for i in images]
        if layout in FOLDERS:  # readers of folders skip hidden names
            for images in new.parts.values():
                images[:] = [i for i in images if not is_hidden(i["file_name"])]
        if layout == "labelme":
            if not any(map(is_usual, new.parts)) and list(new.parts) != [""]:  # one folder of all
                new.parts = {"": [dict(i, file_name=f"{part}/{i['file_name']}") for part in sorted(new.parts)
                                  for i in new.parts[part]]}
            lost["name of classes without objects"] += len(set(self.classes) - {
                o["class"] for images in self.parts.values() for i in images for o in i["objects"]})
            used = sorted({o["class"] for images in new.parts.values() for i in images for o in i["objects"]},
                          key=lambda n: n.encode())
            new.classes = used
        return new, lost

    def images_to(self, images, layout, was, lost):
        result = []
        for image in images:
            if layout in FOLDERS and is_hidden(image["file_name"]):
                lost["image with a hidden name"] += 1
            objects = [n for n in (object_to(o, image["frame"], layout, was, lost) for o in image["objects"]) if n]
            keys = image["keys"] if layout in COCO else {}
            for key, value in ({} if keys else image["keys"]).items():
                lost[f'image value of "{key}"'] += not is_nothing(value)
            stated = image["stated"] if layout in COCO and was in COCO else image["frame"]
            result.append(dict(image, objects=objects, keys=keys, stated=stated))
        return result


def object_to(o, frame, layout, was, lost):
    """An object in another layout; None if it is lost."""
    if layout in COCO and was in COCO | {"hf"}:  # read and written as COCO
        return o
    outline = "rings" in o or "pixels" in o
    box = bounds_of(o) if o["box"] or outline else None
    unplaced = None
    if not box:
        unplaced = "object without a box or an outline"
    elif box[2] <= 0 or box[3] <= 0 or box[0] >= frame[0] or box[1] >= frame[1]:
        unplaced = "object outside of the image"
    elif box[2] <= box[0] or box[3] <= box[1]:
        unplaced = "object of zero width or height"
    if o["crowd"] or unplaced:
        lost["crowd" if o["crowd"] else unplaced] += 1
        return None
    new = {"class": o["class"], "box": box, "crowd": False, "more": {}}
    if layout == "yolo":
        new["box"] = clipped(box, frame)
        lost["outline (--to yolo-segment writes them)"] += outline
    elif layout == "labelme":
        lost["run-length mask (written as outlines)"] += "pixels" in o
        new.update({k: o[k] for k in ("rings", "pixels") if k in o})
        if outline:
            new["box"] = None
    elif layout in COCO:
        new.update({k: o[k] for k in ("rings", "pixels") if k in o})
    else:
        lost["outline"] += outline
    if any(v > 0 for _, _, v in o.get("points", [])):
        lost["set of keypoints" + (" (--to yolo-pose writes them)" if layout == "yolo" else "")] += 1
    for key, value in o["more"].items():
        if not is_nothing(value):
            lost[f'value of "{key}"'] += 1
    return new


def name_once(parts):
    """Names images of Pascal VOC as convert does: they are in one folder, and a later part's image gets its name."""
    seen = set()
    for part, images in parts.items():
        for i, image in enumerate(images):
            name = image["file_name"]
            if name in seen:
                folder, base = os.path.split(name)
                images[i] = dict(image, file_name=os.path.join(folder, f"{part}_{base}"))
        seen |= {image["file_name"] for image in images}


def check_names(parts, layout):
    """Raises Refusal if two outputs would have one name."""
    if layout not in FOLDERS | {"webdataset"}:
        return
    seen = set()
    for part, images in parts.items():
        for image in images:
            key = ("" if layout == "voc" else part, os.path.splitext(image["file_name"])[0])
            if key in seen:
                raise Refusal("name-collision")
            seen.add(key)


def words_of(message):
    """The losses that a message lists, by kind."""
    found = re.search(r"(?:leaves out: |no place for )(.*?)(?:; --lossy drops it)? \[to-lossy\]", message)
    lost = collections.Counter()
    for word in re.split(r", (?=\d+ )", found[1]) if found else []:
        n, kind = word.split(" ", 1)
        kind = re.sub(" \\(readers.*", "", kind)
        if int(n) != 1:
            kind = re.sub(r"^(object|outline|crowd|value|set|run-length mask|image value|image|visible keypoint|text|name|position|label mask)s", r"\1", kind)
        lost[kind] += int(n)
    return lost


def object_difference(want, got, frame):
    if want["class"] != got["class"]:
        return f"class {got['class']!r} for {want['class']!r}"
    if want["crowd"] != got["crowd"]:
        return "crowd"
    if want["box"] is None and ("rings" in want or "pixels" in want):
        if not near(bounds_of(got), bounds_of(want), 0.51 if "pixels" in want else 2e-4):
            return f"bounds {bounds_of(got)} for {bounds_of(want)}"
    elif bool(want["box"]) != bool(got["box"]) or want["box"] and not near(got["box"], want["box"], 2e-4):
        return f"box {got['box']} for {want['box']}"
    if "rings" in want:
        if "rings" not in got or len(got["rings"]) != len(want["rings"]) or not all(
                near(a, b, 2e-4) for a, b in zip(got["rings"], want["rings"])):
            return f"outline {got.get('rings')} for {want['rings']}"
    elif "pixels" in want:
        area = sum(map(ring_area, got["rings"])) if "rings" in got else len(got.get("pixels", []))
        if abs(area - len(want["pixels"])) > 0.5:
            return f"outline of {area} pixels for {len(want['pixels'])}"
    elif "rings" in got or "pixels" in got:
        return "an outline"
    for key in "points", "more":
        if want.get(key) and got.get(key) != want.get(key):
            return f"{key} {got.get(key)} for {want.get(key)}"
    return None


def difference(want, got):
    """How two datasets differ; None: not at all."""
    if list(got.parts) != sorted(want.parts) and sorted(got.parts) != sorted(want.parts):
        return f"parts {list(got.parts)} for {list(want.parts)}"
    if got.classes != want.classes:
        return f"classes {got.classes} for {want.classes}"
    for part, images in want.parts.items():
        theirs = {i["file_name"]: i for i in got.parts[part]}
        ours = {i["file_name"]: i for i in images}
        if set(theirs) != set(ours):
            return f"images {sorted(theirs)} of {part!r} for {sorted(ours)}"
        for name, image in ours.items():
            other = theirs[name]
            if other["stated"] != image["stated"] or image["keys"] != other["keys"]:
                return f"{part}/{name}: {other['stated']} {other['keys']} for {image['stated']} {image['keys']}"
            if len(other["objects"]) != len(image["objects"]):
                return f"{part}/{name}: {len(other['objects'])} objects for {len(image['objects'])}"
            for o, g in zip(image["objects"], other["objects"]):
                what = object_difference(o, g, image["frame"])
                if what:
                    return f"{part}/{name}: {what}"
    return None


def data_of(folder):
    """The files of a dataset without those about the conversion; JSON is parsed, and lists of images are sorted."""
    found = {}
    for name, value in contents(folder).items():
        if not name.startswith(OURS) and not is_hidden(name):
            found[name] = json.loads(value) if name.endswith(".json") else value.decode("latin-1")
        if name.startswith("ImageSets"):
            found[name] = sorted(n for n in found[name].split("\n") if not is_hidden(n))
    return found


class Trips:
    def __init__(self, lockstep, folder, seed):
        self.lockstep, self.folder, self.seed = lockstep, folder, seed
        self.tally, self.messages, self.counts = collections.Counter(), [], collections.Counter()
        self.errors = {}

    def fail(self, kind, message):
        self.tally[kind] += 1
        if self.tally[kind] <= 4:
            self.messages.append(f"seed {self.seed}: {kind}: {message}")

    def call(self, *arguments):
        done = subprocess.run([self.lockstep, *arguments], capture_output=True, text=True, errors="replace",
                              cwd=self.folder, check=False)
        self.counts["commands"] += 1
        return done.returncode, done.stdout, done.stderr

    def check(self, name):
        """The numbers of the rules of check's errors."""
        if name not in self.errors:
            _, out, err = self.call("check", "-a", name, "-j", "1", "--output", "json=-")
            try:
                self.errors[name] = {r["id"] for r in json.loads(out)["rules"] if r["severity"] == "error"}
            except ValueError:
                self.fail("check", f"no report of {name}: {err.strip()[-300:]}")
                self.errors[name] = set()
        return self.errors[name]

    def convert(self, data, was, to, source, name):
        """Converts, and returns the dataset that should result; None if it is refused, or if it failed."""
        about = f"{source} --to {to}"
        command = ["convert", "-a", source, "-o", name, "--to", to, "-j", "1",
                   *([] if "webdataset" in (was, to) else ["--link", "hard"])]  # tars have no files to link
        try:
            new, lost = data.to(to, was)
            lost += collections.Counter()
        except Refusal as e:
            code, _, err = self.call(*command, "--lossy")
            if code == 0 or f"[{e}]" not in err:
                self.fail("refusal", f"{about}: expected {e}, got exit code {code}: {err.strip()[-300:]}")
            self.counts["refused"] += 1
            shutil.rmtree(f"{self.folder}/{name}", ignore_errors=True)
            return None
        code, _, err = self.call(*command)
        for message in [err] if code == 0 or not lost else [err, None]:
            if message is None:
                code, _, message = self.call(*command, "--lossy")
            if words_of(message) != lost:
                self.fail("losses", f"{about}: {dict(words_of(message))} for {dict(lost)}: {message.strip()[-300:]}")
        self.counts["lossy" if lost else "lossless"] += 1
        if code:
            self.fail("convert", f"{about}: exit code {code}: {err.strip()[-400:]}")
            return None
        self.accept(source, name, to, about)
        return new

    def accept(self, source, name, to, about, expected=frozenset()):
        new = self.check(name) - self.check(source) - expected
        if new:
            self.fail("check", f"{about}: errors {sorted(new)}")
        code, out, err = self.call("verify", name, "-q", "-j", "1")
        if code:
            self.fail("verify", f"{about}: {(out + err).strip()[-300:]}")

    def pair(self, source, a, b):
        """Converts to A and B and back; `source` is the dataset as it was made."""
        if a not in self.firsts:
            self.firsts[a] = self.convert(source, "coco", a, "in", a) if a != "coco" else source
        first = self.firsts[a]
        if not first:
            return
        from_ = "in" if a == "coco" else a
        second = self.convert(first, a, b, from_, f"{a}-{b}")
        if not second:
            return
        if a == b and list(first.parts) == list(second.parts) != [""]:
            one, two = data_of(f"{self.folder}/{from_}"), data_of(f"{self.folder}/{a}-{b}")
            if one != two:
                self.fail("own", f"{a}: {first_difference(one, two)}")
        back = f"{a}-{b}"
        if b != "coco":
            third = self.convert(second, b, "coco", f"{a}-{b}", f"{a}-{b}-coco")
            second, back = third, f"{a}-{b}-coco"
        if second:
            self.counts["compared"] += 1
            what = difference(second, Data.read(f"{self.folder}/{back}"))
            if what:
                self.fail("equal", f"{a} -> {b} -> COCO: {what}")

    def all(self, n_pairs):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        self.made = RandomDataset(self.seed)
        self.made.write(f"{self.folder}/in")
        self.firsts = {}
        pairs = [(a, b) for a in LAYOUTS for b in LAYOUTS]
        if n_pairs < len(pairs):  # each layout is A once before one is so again
            random.Random(self.seed).shuffle(pairs)
        source = Data.read(f"{self.folder}/in")
        for part, images in source.parts.items():
            for image, other in zip(images, self.made.parts[part]):
                image["frame"] = other["width"], other["height"]
        for a, b in pairs[:n_pairs]:
            self.pair(source, a, b)
        FolderTrips(self, words_of, part_name).all()
        return self


def main(lockstep, n, pairs="49", seed=None):
    lockstep = os.path.abspath(lockstep)
    seeds = [int(seed)] if seed else range(int(n))
    tally, counts, broken = collections.Counter(), collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        def go(seed):
            folder = os.path.abspath(f"round-trips/{seed}")
            trips = Trips(lockstep, folder, seed).all(int(pairs))
            if not trips.tally and len(seeds) > 1:
                shutil.rmtree(folder)
            return trips
        for trips in pool.map(go, seeds):
            print(*trips.messages, sep="\n", end="\n" if trips.messages else "")
            tally += trips.tally
            counts += trips.counts
            broken += bool(trips.tally)
    print(f"{len(seeds)} datasets, {broken} with errors: {dict(tally)}; {dict(counts)}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
