"""folder_trips: round trips of random datasets whose labels are folders: classes of images, and label masks.

A class of images is a folder. These hold for random class folders, and for images with one class each in COCO, CSV
and another layout:

    folders -> folders: the same files are written, and classes without images, in one part or in all, are listed as lost.
    COCO, CSV -> folders: each image gets into the folder of its class. An image without one class is refused.
    folders, CSV -> other layouts: they are refused, since other layouts have no classes of images.

These hold for random folders of masks, and for Pascal VOC with masks of some images:

    masks -> masks, voc -> voc: the same files are written.
    masks -> other layouts: they are refused.
    voc -> other layouts: the masks are listed as lost."""
import collections
import csv
import json
import os
import random
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../lib"))
import png  # noqa: E402
from random_dataset import RandomDataset, write_image  # noqa: E402
from round_trip import contents, first_difference  # noqa: E402

PARTS = [["train", "val", "test"], ["train", "val"], ["train"], ["training", "validation"], ["train2017", "val2017"],
         ["valid", "train"], [""]]
CLASSES = ["cat", "Cat", "CAT", "dog", "traffic light", " a", "b ", "größe", "犬", "e\u0301", "é", "100%", "%20", "[x]",
           "{z}", "#x", "a, b", 'the "b"', "it's", "-n", "7", "007", "yes", "~", "*", "a.b", "x.jpg", "train", "val"]
BAD_CLASSES = [".hidden", "a/b", "..", "/"]
NAMES = ["a.jpg", "b.png", "deep/a.jpg", "deep/er/c.png", "train/a.jpg", "labels/a.jpg", "images/b.png", "ü[2].jpg", "50%.jpg",
         "M.JPG", "n 1.png", "cat/a.jpg", "x.y.png", "#1.png"]
ARRANGEMENTS = [("images/PART", "masks/PART"), ("images/PART", "labels/PART"), ("img_dir/PART", "ann_dir/PART"),
                ("PART/images", "PART/masks"), ("PART", "PART_masks"), ("images_PART", "annotations_PART")]
OTHERS = ["coco", "roboflow", "hf", "webdataset", "yolo", "yolo-segment", "voc", "labelme"]
POSITION = "position of objects (class folders have classes of images)"
UNUSED = "name of classes without objects"
LACKING = "name of classes that a part lacks"


def n_lacking(pairs):
    """The number of classes that a part lacks, of pairs of a part and the class of an image."""
    parts = {part for part, _ in pairs}
    return len(parts) * len({name for _, name in pairs}) - len(set(pairs))


class FolderTrips:
    """Round trips in the folder of `trips` (round_trips.Trips), which calls the program and collects errors."""

    def __init__(self, trips, words_of, part_name):
        self.trips, self.words_of, self.part_name = trips, words_of, part_name
        self.rng, self.shade = random.Random(f"folders {trips.seed}"), 0

    def all(self):
        self.class_folders()
        self.single_classes()
        self.mask_folders()
        self.voc_masks()

    def path(self, *names):
        return os.path.join(self.trips.folder, *names)

    def image(self, *names):
        self.shade += 1
        size = self.rng.randrange(10, 41), self.rng.randrange(10, 41)
        write_image(self.path(*names), *size, self.shade)
        return size

    def mask(self, size, *names):
        os.makedirs(os.path.dirname(self.path(*names)), exist_ok=True)
        png.write(self.path(*names), [[self.rng.choice([0, 0, 1, 2, 255]) for _ in range(size[0])] for _ in range(size[1])], 1)

    def files(self, name):
        return {k: v.decode("latin-1") for k, v in contents(self.path(name)).items()
                if k not in ("manifest.jsonl", "run.json")}

    def masks_and_images(self, name):
        """The bytes of images, and the pixels of masks, which a run compresses again."""
        return {k: [list(r) for r in png.rows(self.path(name, k))] if k.endswith(".png") else v for k, v in self.files(name).items()}

    def same(self, about, want, got):
        self.trips.counts["compared"] += 1
        if want != got:
            self.trips.fail("folders", f"{about}: {first_difference(want, got)[:400]}")

    def refused(self, about, code, *command):
        """A conversion with --lossy ends with this code, and writes nothing."""
        self.trips.counts["refused"] += 1
        status, _, err = self.trips.call(*command, "-j", "1", "-o", "refused", "--lossy")
        if status == 0 or f"[{code}]" not in err or os.path.exists(self.path("refused")):
            self.trips.fail("refusal", f"{about}: expected {code}, got exit code {status}: {err.strip()[-300:]}")
            shutil.rmtree(self.path("refused"), ignore_errors=True)

    def convert(self, about, out, lost, source, *options):
        """Converts to `out`; without --lossy, only if nothing is lost."""
        command = "convert", *options, "-j", "1", "-o", out
        lost = +collections.Counter(lost)
        code, _, err = self.trips.call(*command)
        if lost:
            if code == 0 or self.words_of(err) != lost:
                self.trips.fail("losses", f"{about}: {dict(self.words_of(err))} for {dict(lost)}: {err.strip()[-300:]}")
            code, _, err = self.trips.call(*command, "--lossy")
        self.trips.counts["lossy" if lost else "lossless"] += 1
        if self.words_of(err) != lost or code:
            self.trips.fail("losses", f"{about}: exit code {code}, {dict(self.words_of(err))} for {dict(lost)}: "
                                      f"{err.strip()[-300:]}")
            return False
        self.accept(about, source, out, "folders" in options)
        return True

    def accept(self, about, source, out, folders):
        """Parts of class folders number the classes that have images, and check reports parts that differ."""
        classes = collections.defaultdict(set)
        for name in self.files(out) if folders else []:
            classes[name.split("/")[0]].add(name.split("/")[1])
        differ = any(c != own for own in classes.values() for c in classes.values())
        self.trips.accept(source, out, "folders", about, {"X006"} if differ else frozenset())

    def copy(self, about, source, out):
        """Runs a pipeline without steps."""
        with open(self.path("copy.json"), "w", encoding="utf-8") as file:
            file.write('{"version": 1, "transforms": [], "output": {"untouched": "copy"}}')
        code, _, err = self.trips.call("run", "-p", "copy.json", "-a", source, "-o", out, "-j", "1")
        if code:
            self.trips.fail("run", f"{about}: exit code {code}: {err.strip()[-300:]}")
        else:
            self.accept(about, source, out, source == "classes")

    # --- classes of images ---

    def class_folders(self):
        rng, parts = self.rng, self.rng.choice(PARTS)
        classes = rng.sample([c for c in CLASSES if parts != [""] or c not in ("train", "val")], rng.randrange(2, 7))
        used = set()
        for part in parts:
            first = rng.choice(classes)
            for name in classes:
                kind = rng.random()
                if name == first or kind < 0.6:
                    used.add(name)
                    for file in rng.sample(NAMES, rng.randrange(1, 4)):
                        self.image("classes", part, name, file)
                elif kind < 0.8:
                    os.makedirs(self.path("classes", part, name))
        known = used | {c for p in parts for c in os.listdir(self.path("classes", p))}
        want = self.files("classes")
        lacking = 0 if parts == [""] else n_lacking([tuple(name.split("/")[:2]) for name in want])
        if self.convert("folders", "classes-2", {UNUSED: len(known - used), LACKING: lacking}, "classes", "-a", "classes",
                        "--to", "folders"):
            self.same("folders -> folders", want, self.files("classes-2"))
            self.same("folders: classes", sorted(used), self.classes_of("classes-2"))
            if self.convert("folders", "classes-3", {LACKING: lacking}, "classes-2", "-a", "classes-2", "--to", "folders"):
                self.same("folders -> folders -> folders", want, self.files("classes-3"))
        self.copy("folders", "classes", "classes-run")
        self.same("run: folders", want, self.files("classes-run"))
        for to in OTHERS:
            self.refused(f"folders --to {to}", "option-unused", "convert", "-a", "classes", "--to", to)

    def classes_of(self, name):
        _, out, _ = self.trips.call("stats", name, "--json")
        try:
            return sorted(c["name"] for c in json.loads(out)["categories"])
        except ValueError:
            return None

    def single_classes(self):
        """Images with a class each, in COCO, another layout and CSV, to class folders."""
        rng = self.rng
        parts = [p or "train" for p in rng.choice(PARTS)]
        classes = rng.sample(CLASSES, rng.randrange(2, 6))
        bad = rng.choice(["", "", "", "none", "several", "name"])
        if bad == "name":
            classes[0] = rng.choice(BAD_CLASSES)
        images = [(part, f"{part}_{i}_{os.path.basename(name)}" if rng.random() < 0.5 else f"d {i}/{part}_{i}.jpg",
                   0 if bad == "name" and i == 0 else rng.randrange(len(classes)))
                  for part in parts for i, name in enumerate(rng.sample(NAMES, rng.randrange(1, 6)))]
        images = [(part, os.path.splitext(name)[0].replace(".", "_") + ".jpg", number) for part, name, number in images]
        documents = {part: {"images": [], "annotations": [], "categories": [
            {"id": i + 1, "name": n} for i, n in enumerate(classes)]} for part in parts}
        n = 0
        for i, (part, name, number) in enumerate(images):
            width, height = self.image("single", part, name)
            documents[part]["images"].append({"id": i + 1, "file_name": name, "width": width, "height": height})
            numbers = [number] * rng.choice([1, 1, 2])
            if i == 0 and bad == "several":
                numbers = [0, 1]
            for own in [] if i == 0 and bad == "none" else numbers:
                n += 1
                documents[part]["annotations"].append({"id": n, "image_id": i + 1, "category_id": own + 1, "iscrowd": 0,
                                                       "bbox": [n % 4, 1, 2 + n % 3, 5], "area": 5 * (2 + n % 3)})
        os.makedirs(self.path("single/annotations"))
        for part, document in documents.items():
            with open(self.path("single/annotations", f"instances_{part}.json"), "w", encoding="utf-8") as file:
                json.dump(document, file)
        unused = len(set(range(len(classes))) - {number for _, _, number in images})
        lacking = n_lacking([(part, number) for part, _, number in images])
        if bad:
            self.refused(f"{bad} --to folders", "label-folder", "convert", "-a", "single", "--to", "folders")
        for layout in [] if bad else ["coco", rng.choice([o for o in OTHERS if o not in ("coco", "yolo-segment")])]:
            source = "single"
            if layout != "coco":
                source = "single-2"
                self.convert(layout, source, {UNUSED: unused if layout == "labelme" else 0}, "single", "-a", "single",
                             "--to", layout)
            lost = {POSITION: n, UNUSED: 0 if layout == "labelme" else unused, LACKING: lacking}
            if self.convert(f"{layout} to folders", f"{source}-folders", lost, source, "-a", source, "--to", "folders"):
                want = {os.path.join(self.part_name(part, layout), classes[number], name):
                        self.files("single")[f"{part}/{name}"] for part, name, number in images}
                self.same(f"{layout} -> folders", want, self.files(f"{source}-folders"))
        self.csv(images, classes, parts, bad == "name", lacking)

    def csv(self, images, classes, parts, bad, lacking):
        options = []
        for part in parts:
            with open(self.path(f"{part}.csv"), "w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file)
                writer.writerow(["file", "class"])
                writer.writerows((name, classes[number]) for own, name, number in images if own == part)
            options += ["-a", f"{part}={part}.csv", "-i", f"{part}=single/{part}"]
        for to in OTHERS:
            self.refused(f"CSV --to {to}", "target-refused", "convert", *options, "--to", to)
        if bad:
            self.refused("CSV to folders", "label-folder", "convert", *options, "--to", "folders")
        elif self.convert("CSV to folders", "csv", {LACKING: lacking}, "single", *options, "--to", "folders"):
            self.same("CSV -> folders", {os.path.join(part, classes[number], name): self.files("single")[f"{part}/{name}"]
                                         for part, name, number in images}, self.files("csv"))

    # --- masks ---

    def mask_folders(self):
        rng, parts = self.rng, self.rng.choice([p for p in PARTS if p != ["training", "validation"]])
        where = ("images", "masks") if parts == [""] else rng.choice(
            [a for a in ARRANGEMENTS if a[0] != "PART" or {*parts} <= {"train", "val", "test"}])
        for part in parts:
            for name in rng.sample([n for n in NAMES if "/" not in n or n[0] == "d"], rng.randrange(1, 5)):
                size = self.image("masks", where[0].replace("PART", part), name)
                self.mask(size, "masks", where[1].replace("PART", part), os.path.splitext(name)[0] + ".png")
        want = self.masks_and_images("masks")
        for source, out in ("masks", "masks-2"), ("masks-2", "masks-3"):
            self.copy(f"masks in {where[1]}", source, out)
            self.same(f"masks in {where[1]}", want, self.masks_and_images(out))
        self.same(f"masks in {where[1]}", self.files("masks-2"), self.files("masks-3"))
        for to in OTHERS:
            self.refused(f"masks --to {to}", "option-unused", "convert", "-a", "masks", "--to", to)
        self.refused("masks --to folders", "label-folder", "convert", "-a", "masks", "--to", "folders")

    def voc_masks(self):
        """Pascal VOC with boxes, and masks of some images."""
        made = RandomDataset(self.trips.seed, plain=True)
        made.write(self.path("plain"))
        self.convert("voc", "voc-1", {}, "plain", "-a", "plain", "--to", "voc")
        images = [image for part in made.parts.values() for image in part]
        masked = self.rng.sample(images, self.rng.randrange(1, len(images) + 1))
        for image in masked:
            self.mask((image["width"], image["height"]), "voc-1/SegmentationClass", os.path.splitext(image["file_name"])[0] + ".png")
        listed = {}
        for part, own in made.parts.items():
            listed[f"ImageSets/Segmentation/{part}.txt"] = "".join(
                os.path.splitext(i["file_name"])[0] + "\n" for i in own if i in masked)
        want = {**self.files("voc-1"), **listed}
        self.trips.errors.pop("voc-1", None)
        if self.convert("voc with masks", "voc-2", {}, "voc-1", "-a", "voc-1", "--to", "voc"):
            self.same("voc with masks", want, self.files("voc-2"))
        to = self.rng.choice(["coco", "roboflow", "hf", "webdataset", "yolo"])
        if self.convert(f"voc with masks to {to}", "voc-3", {"label mask": len(masked)}, "voc-1", "-a", "voc-1", "--to", to):
            self.same(f"voc with masks to {to}", False, any("masks" in k or "Segm" in k for k in self.files("voc-3")))
