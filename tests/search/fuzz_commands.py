#!/usr/bin/env python3
"""fuzz_commands.py: mutates files of every kind that lockstep reads, and runs whole commands on them.

Usage: fuzz_commands.py LOCKSTEP TOOLS [--seconds S] [--seed N] [--only TRIAL] [--case REGEX] [--trials N] [-j N]

LOCKSTEP is best built with sanitizers, as `make search-fuzz` does it. TOOLS has make_families. A trial depends on the
seed and its number alone: `--seed N --only TRIAL` repeats it and keeps its folder. These are findings:
- a report of a sanitizer, or a signal;
- an exit code that no message of the command may end with, and code 7;
- a command of more than 60 seconds;
- exit code 0 with an output that `verify` refuses;
- an input that was changed, and a file left in TMPDIR.
Ends with 1 if there is any.
"""
import argparse
import collections
import concurrent.futures
import fnmatch
import glob
import gzip
import hashlib
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
import zipfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.join(HERE, "..", "..")
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "tools")]
import png  # noqa: E402
import tiny_fonts  # noqa: E402

LIMIT = 60  # seconds of a command
SANITIZER_CODE = 99
REPORT = re.compile(r"(ERROR: (?:Address|Leak|Undefined\w*)Sanitizer|runtime error:|AddressSanitizer:DEADLYSIGNAL)")
FLIP = '{"version": 1, "seed": 3, "transforms": [{"type": "RandomHorizontalFlip", "p": 1}, {"type": "RandomRotation", "degrees": 20}]}'

# --- mutations ---

NASTY = [None, True, False, 0, -1, 1, 2, 0.5, -0.0, 1e300, -1e9, 2**31, 2**53, 2**53 + 1, 2**64, 10**30, "", "1", "x",
         "NaN", [], [[]], {}, [1], [1, 2, 3, 4], [0, 0, 0, 0], [[1, 2], [3, 4], [5, 6]], {"size": [1, 1], "counts": "0"},
         {"size": [24, 32], "counts": [700, 68]}, "\u0000", "\ud83d\ude00", "../x.jpg", 12.0, "12", [[1, 2, 3]], 1e-300]
NUMBERS = ["0", "-1", "1", "-0", "1e999", "nan", "inf", "99999999999999999999", "2147483648", "0.5", "1e-320", "+3", "1.",
           ".5", "0x10", "1_0", "-1e300"]
TOKENS = ["{", "}", "[", "]", ":", ",", '"', "'", "\\", "\n", "\t", " ", "#", "<", ">", "&amp;", "&#0;", "<!--", "]]>",
          "<!DOCTYPE x>", "null", "true", "- ", "? ", "|\n", "&a ", "*a ", "!!binary ", "---\n", "\ufeff", "\u0000", "\u202e",
          "(", ")", "=", "**", "lambda", "dict(", "%s", "../", "/", "\r", "\r\n", "é", "\U0001f600"]
SIZES = [b"\0", b"\xff", b"\x7f", b"\x80", b"\0\0\0\0", b"\xff\xff\xff\xff", b"\x7f\xff\xff\xff", b"\xff\xff\xff\x7f", b"\0\x01",
         b"\x01\0", b"\xff\xff", b"\x00\x00\x00\x01", b"\x10\0\0\0"]


def nodes(value, found, depth=0):
    """Lists every (container, key) of a JSON value, with its depth."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        found.append((value, key, depth))
        nodes(child, found, depth + 1)
    return found


def mutate_tree(text, chance):
    value = json.loads(text)
    for _ in range(chance.choice([1, 1, 1, 2, 4])):
        found = nodes(value, [])
        if not found:
            break
        shallow = [it for it in found if it[2] <= 2]
        container, key, _ = chance.choice(shallow if chance.random() < 0.5 else found)
        old, kind = container[key], chance.randrange(7)
        if kind == 0:
            del container[key]
        elif kind == 1 and isinstance(old, (int, float)):
            container[key] = chance.choice([-old, old * 1000, old + 0.5, str(old), float(old), [old]])
        elif kind == 2 and isinstance(container, list):
            container.insert(key, old)
        elif kind == 3 and isinstance(container, dict):
            container[chance.choice([key.upper(), key + "s", "_" + key, key[:-1], "\u202e" + key])] = container.pop(key)
        elif kind == 4:
            other, of_other, _ = chance.choice(found)
            try:
                container[key] = json.loads(json.dumps(other[of_other]))
            except (KeyError, IndexError, ValueError):
                container[key] = 0
        else:
            container[key] = chance.choice(NASTY)
    return json.dumps(value, indent=chance.choice([None, 1])).encode()


def mutate_text(data, chance):
    text = data.decode("utf-8", "surrogateescape")
    for _ in range(chance.choice([1, 1, 2, 5])):
        lines, kind = text.splitlines(True) or [""], chance.randrange(7)
        at = chance.randrange(len(lines))
        numbers = list(re.finditer(r"-?\d+(?:\.\d+)?", text)) if kind < 2 else []
        words = list(re.finditer(r"\w+", text)) if kind in (2, 3) else []
        if numbers:
            it = chance.choice(numbers)
            text = text[:it.start()] + chance.choice(NUMBERS) + text[it.end():]
        elif words:
            it, other = chance.choice(words), chance.choice(words)
            text = text[:it.start()] + chance.choice([other[0], "", it[0] * 2, it[0].upper()]) + text[it.end():]
        elif kind == 4:
            lines[at:at + 1] = chance.choice([[], [lines[at]] * 2, [lines[chance.randrange(len(lines))]], [lines[at] * 300]])
            text = "".join(lines)
        else:
            at = chance.randrange(len(text) + 1)
            text = text[:at] + chance.choice(TOKENS) + text[at + chance.randrange(3):]
    return text.encode("utf-8", "surrogateescape" if chance.random() < 0.5 else "replace")


def mutate_bytes(data, chance):
    data = bytearray(data)
    for _ in range(chance.choice([1, 1, 2, 4, 12])):
        # Headers are a small part of a file, and most of its meaning.
        at = chance.randrange(min(len(data), 64 if chance.random() < 0.4 else 1 << 30) + 1)
        kind, n = chance.randrange(8), chance.choice([1, 2, 4, 16, 100])
        if kind == 0 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        elif kind == 1 and at < len(data):
            data[at] = chance.randrange(256)
        elif kind == 2:
            del data[at:at + n]
        elif kind == 3:
            data[at:at] = bytes(chance.randrange(256) for _ in range(n))
        elif kind == 4:
            data[at:at] = data[at:at + n]
        elif kind == 5:
            it = chance.choice(SIZES)
            data[at:at + len(it)] = it
        elif kind == 6 and chance.random() < 0.4:
            del data[at:]
        else:
            other = chance.randrange(len(data) + 1)
            data[at:at + n] = data[other:other + n]
    return bytes(data)


def mend_png(data):
    """Returns a PNG whose checksums are right again, as far as its chunks can be followed."""
    out, at = bytearray(data), 8
    while at + 12 <= len(out):
        length = int.from_bytes(out[at:at + 4], "big")
        if at + 12 + length > len(out):
            break
        out[at + 8 + length:at + 12 + length] = zlib.crc32(out[at + 4:at + 8 + length]).to_bytes(4, "big")
        at += 12 + length
    return bytes(out)


def mend_tar(data):
    """Returns a tar with the checksum of each block that looks like a header made right."""
    out = bytearray(data)
    for at in range(0, len(out) - 511, 512):
        if out[at + 257:at + 262] == b"ustar":
            out[at + 148:at + 156] = b" " * 8
            out[at + 148:at + 156] = b"%06o\0 " % sum(out[at:at + 512])
    return bytes(out)


def mutate(path, data, others, chance):
    """Returns changed bytes for a file, and a word that names the change."""
    name, kind = os.path.basename(path), chance.random()
    if kind < 0.06:
        return chance.choice([b"", data + data, data[:len(data) // 2], b"\xef\xbb\xbf" + data, data.replace(b"\n", b"\r\n"),
                              chance.choice(others), data + chance.choice(others)]), "whole file"
    if name.endswith(".gz") and kind < 0.6:
        try:
            inner = mend_tar(mutate_bytes(gzip.decompress(data), chance))
        except (OSError, EOFError, zlib.error):
            return mutate_bytes(data, chance), "bytes"
        return gzip.compress(inner, 1, mtime=0), "bytes inside"
    if name.endswith((".json", ".jsonl")) and kind < 0.7:
        lines = data.splitlines() if name.endswith("l") else [data]
        try:
            at = chance.randrange(len(lines))
            lines[at] = mutate_tree(lines[at], chance)
            return b"\n".join(lines) + b"\n", "tree"
        except (ValueError, RecursionError):
            pass
    if re.search(r"\.(jsonl?|ya?ml|xml|csv|txt|py)$|SUMS", name) and kind < 0.95:
        return mutate_text(data, chance), "text"
    changed = mutate_bytes(data, chance)
    if data[:4] == b"\x89PNG" and chance.random() < 0.7:
        changed = mend_png(changed)
    if name.endswith(".tar") and chance.random() < 0.7:
        changed = mend_tar(changed)
    return changed, "bytes"


# --- seeds ---

def write(path, content):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())


def coco():
    """Returns a small COCO document with every kind of segmentation, keypoints, a crowd and keys of its own."""
    people = {"id": 1, "name": "person", "supercategory": "x", "keypoints": ["nose", "left_eye", "right_eye"],
              "skeleton": [[1, 2], [1, 3]]}
    images = [{"id": i + 1, "file_name": name, "width": 32, "height": 24, "date_captured": "2024-05-01"}
              for i, name in enumerate(("a.jpg", "b.png", "c.webp", "sub/d.tif"))]
    shapes = [[[2, 2, 20, 2, 20, 15, 2, 15]], {"size": [24, 32], "counts": [100, 20, 300, 30, 318]},
              [[1, 1, 8, 1, 8, 8], [10.5, 10, 20, 10, 20, 20.25]], {"size": [24, 32], "counts": "T3d0X1N2N200000^O"}]
    annotations = []
    for i in range(8):
        it = {"id": i + 1, "image_id": i % 4 + 1, "category_id": i % 3 + 1, "bbox": [2, 2, 18, 13], "area": 234,
              "iscrowd": int(i == 5), "segmentation": shapes[1 if i == 5 else i % 3], "attributes": {"far": True}}
        if i % 3 == 0:
            it.update(keypoints=[3, 3, 2, 9, 4, 1, 0, 0, 0], num_keypoints=2)
        annotations.append(it)
    return {"info": {"year": 2024}, "licenses": [], "images": images, "annotations": annotations,
            "categories": [people, {"id": 2, "name": "left hand"}, {"id": 3, "name": "car", "supercategory": "y"}]}


def results():
    return [{"image_id": it["image_id"], "category_id": it["category_id"], "bbox": it["bbox"], "score": 0.1 + 0.05 * i}
            for i, it in enumerate(coco()["annotations"])]


def pack(path, names, kind):
    """Writes an archive of these files: a tar, a compressed tar, or a ZIP."""
    if kind == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as to:
            for name in names:
                to.writestr(os.path.basename(name), open(name, "rb").read())
        return
    body = io.BytesIO()
    with tarfile.open(fileobj=body, mode="w") as to:
        for name in names:
            to.add(name, os.path.basename(name))
    data = body.getvalue()
    write(path, gzip.compress(data, mtime=0) if kind == "tar.gz" else data)


def make_datasets(run):
    """Writes a small dataset in each layout, to the folders set_LAYOUT."""
    for part, names in ("train", ("a.jpg", "sub/d.tif")), ("val", ("b.png", "c.webp")):
        document = coco()
        images = document["images"] = [it for it in document["images"] if it["file_name"] in names]
        numbers = {it["id"] for it in images}
        document["annotations"] = [it for it in document["annotations"] if it["image_id"] in numbers]
        write("set_coco/annotations/instances_%s.json" % part, json.dumps(document))
        for name in names:
            stem, suffix = os.path.splitext(os.path.basename(name))
            copies = "set_coco/%s/%s" % (part, name), "set_folders/%s/%s%s" % (part, "cat/" if stem < "c" else "dog/", stem + suffix), \
                "set_masks/images/%s/%s%s" % (part, stem, suffix)
            for copy in copies:
                os.makedirs(os.path.dirname(copy), exist_ok=True)
                shutil.copy("img/" + name, copy)
            os.makedirs("set_masks/masks/" + part, exist_ok=True)
            shutil.copy("masks/%s.png" % os.path.splitext(name)[0], "set_masks/masks/%s/%s.png" % (part, stem))
    for to in "yolo", "yolo-segment", "voc", "roboflow", "hf", "labelme", "webdataset":
        folder = "set_" + to.replace("-", "_")
        run("convert", "-q", "-a", "set_coco", "-o", folder, "--to", to, "--lossy")
        for name in "manifest.jsonl", "run.json":
            os.remove(folder + "/" + name)


def make_seeds(lockstep, tools, with_datasets):
    """Fills the current folder with valid files of every kind."""
    def run(*words, codes=(0,)):
        done = subprocess.run([lockstep, *words], capture_output=True, text=True)
        if done.returncode not in codes:
            raise SystemExit("the seeds: %s: %s" % (" ".join(words), done.stderr))
        return done.stdout

    samples = ROOT + "/samples"
    write("flip.json", FLIP)
    write("resize.json", '{"version": 1, "transforms": [{"type": "Resize", "size": [24, 32]}]}')
    for ending, name in ("jpeg", "a.jpg"), ("png", "b.png"), ("webp", "c.webp"), ("tiff", "sub/d.tif"):
        run("run", "-q", "-p", "resize.json", "-i", samples + "/images/street", "--limit", "1", "--format", ending, "-o", "made",
            "--overwrite")
        made = glob.glob("made/images/*")[0]
        os.makedirs(os.path.dirname("img/" + name), exist_ok=True)
        shutil.copy(made, "img/" + name)
    shutil.rmtree("made")
    for name in ("a", "b", "c", "sub/d"):
        os.makedirs("masks/sub", exist_ok=True)
        png.write("masks/%s.png" % name, [bytes((x // 8 + y // 8) % 4 for x in range(32)) for y in range(24)])
    os.mkdir("kinds")
    subprocess.run([tools + "/make_families", "kinds"], check=True)
    write("kinds/n.pgm", b"P5 8 6 255\n" + bytes(range(48)))
    write("kinds/m.ppm", b"P3\n# a comment\n2 2 255\n1 2 3 4 5 6 7 8 9 10 11 12\n")
    write("coco.json", json.dumps(coco()))
    write("other.json", json.dumps(dict(coco(), annotations=coco()["annotations"][1:])))
    write("boxes.json", json.dumps(dict(coco(), annotations=[{k: it[k] for k in ("id", "image_id", "category_id", "bbox")}
                                                             for it in coco()["annotations"]])))
    write("results.json", json.dumps(results()))
    same = '{"version": 1, "transforms": [{"type": "Identity"}]}'
    write("same.json", same)
    for to in "yolo", "voc":
        run("run", "-q", "-p", "same.json", "-i", "img", "-a", "boxes.json", "--to", to, "--lossy", "-o", to)
        for name in glob.glob(to + "/*.json*"):
            os.remove(name)
    run("run", "-q", "-p", "same.json", "-i", "img", "-a", "coco.json", "--to", "yolo-segment", "--lossy", "-o", "outlines",
        codes=(0, 1))
    for name in glob.glob("outlines/*.json*"):
        os.remove(name)
    write("table.csv", "file,class,weight\na.jpg,cat,1\nb.png,dog,0.5\nc.webp,cat,1\nsub/d.tif,dog,0.25\n")
    write("classes.txt", "cat\ndog\nperson\nleft hand\ncar\n")
    write("list.txt", "a.jpg\nb.png 1\n\nsub/d.tif\n")
    write("only.txt", "a.jpg\nb.png\n")
    subprocess.run([sys.executable, HERE + "/../tools/panoptic.py", "draw", "drawn"], check=True)
    if with_datasets:
        make_datasets(run)
    for ending in "tar", "tar.gz", "zip":
        write("tmp/a.json", json.dumps({"bbox": [1, 2, 3, 4]}))
        write("tmp/a.cls", "1")
        pack("plain." + ending, ["img/a.jpg", "img/b.png", "img/c.webp"], ending)
    run("run", "-q", "-p", "same.json", "-i", "img", "-a", "coco.json", "--out-format", "webdataset", "-o", "packed")
    shutil.copy(glob.glob("packed/*.tar")[0], "sidecars.tar")
    shutil.rmtree("packed")
    shutil.rmtree("tmp")
    for place in glob.glob(ROOT + "/pipelines/*.json"):
        write("pipelines/" + os.path.basename(place), open(place, "rb").read())
    write("pipelines/own.json", json.dumps({"version": 1, "seed": 1, "annotations": {"ids": "dense", "min_visibility": 0.1}, "transforms": [
        {"type": "Mosaic", "p": 0.5, "target_size": 40}, {"type": "RandomAffine", "degrees": 20}, {"type": "ColorJitter", "hue": 0.1},
        {"type": "OneOf", "transforms": [{"type": "ElasticTransform"}, {"type": "GaussianBlur", "kernel_size": 3}]}]}))
    write("pipelines/some.yaml", "version: 1\nseed: 7\ntransforms:\n- type: RandomHorizontalFlip\n  p: 0.5\n- {type: Resize, size: [9, 9]}\n")
    for place in glob.glob(ROOT + "/tests/golden/import/*-*"):
        write("imports/" + os.path.basename(place), open(place, "rb").read())
    write("nms.json", '{"version": 1, "transforms": [{"type": "nms", "iou_threshold": 0.5}]}')
    write("large.json", '{"version": 1, "transforms": [{"type": "sanitize_bounding_boxes", "min_size": 2}]}')
    write("encode.json", '{"version": 1, "transforms": [{"type": "encode_boxes"}]}')
    write("anchors/a.json", "[[0, 0, 5, 5], [3, 4, 10, 12.5]]")
    write("anchors/a.csv", "x,y,width,height\n0,0,5,5\n3,4,10,12.5\n")
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 4), }"
    head += " " * (117 - len(head)) + "\n"
    write("anchors/a.npy", b"\x93NUMPY\x01\0" + len(head).to_bytes(2, "little") + head.encode() + bytes(12) + b"\0\0\x80\x40")
    write("text.json", '{"version": 1, "transforms": [{"type": "draw_text", "texts": ["AC"], "boxes": [[2, 2, 28, 18]], "font_size": [12]}]}')
    write("fonts/tiny.ttf", tiny_fonts.truetype())
    write("fonts/tiny.otf", tiny_fonts.compact())
    write("stamped.json", '{"version": 1, "transforms": [{"type": "HistogramMatching", "p": 1}]}')
    write("stamps/s.png", open("img/b.png", "rb").read())
    whole = ["run", "-q", "-p", "flip.json", "-i", "img", "-a", "coco.json", "--masks", "masks", "-n", "2"]
    run(*whole, "--checksums", "-o", "done")
    # Without masks: --resume knows copied images by their hashes, and cannot know copied masks.
    run(*whole[:whole.index("--masks")], "-n", "2", "--checksums", "-o", "plain")
    for shard in "0/2", "1/2":
        run(*whole, "--shard", shard, "-o", "shards")
    subprocess.run(["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=pwrite64", "-e", "inject=pwrite64:signal=KILL:when=6",
                    lockstep, *whole, "-j", "1", "-o", "half"], capture_output=True, env=dict(os.environ, ASAN_OPTIONS="detect_leaks=0"))
    found = [{"image_id": it["id"], "category_id": 1, "bbox": [3, 3, 9, 9], "score": 0.5}
             for it in json.load(open("done/annotations.json"))["images"]]
    write("found.json", json.dumps(found))
    run("check", "-a", "coco.json", "--write-baseline", "baseline.json", "--output", "text=/dev/null")
    write("lockstep-check.json", json.dumps({"ignore": ["C002"], "severity": ["B005=error"], "max_findings": 5,
                                             "per_file_ignores": {"a*": ["B"]}}))


# --- cases ---

RUN = "run -q --durability none -j 1 -o out -i img -p flip.json"
CONVERT = "convert -q --durability none -j 1 -o out --lossy"
# The name, the files that a trial needs, the files that it may change, and the commands: a trial runs one.
CASES = [
    ("images", "flip.json", "kinds/*", ["probe FILE", "run -q --durability none -j 1 -o out -p flip.json -i FILE",
                                         "run -q --durability none -j 1 -o out -p flip.json -i FILE --optimize fast --format png",
                                         "run -q --durability none -j 1 -o out -p flip.json -i kinds --on-error skip --on-frames fail",
                                         "preview -q -p flip.json -i FILE -o sheet.png", "explain -p flip.json -i FILE"]),
    ("images of a dataset", "img coco.json flip.json", "img/*", [RUN + " -a coco.json --on-error skip", "check -a coco.json -i img --pixels",
                                                                   "check -a coco.json -i img"]),
    ("masks", "img coco.json masks flip.json", "masks/*", [RUN + " -a coco.json --masks masks"]),
    ("archives", "flip.json", "plain.* sidecars.tar", [
        "run -q --durability none -j 1 -o out -p flip.json -i FILE", "run -q -j 1 -o - -p flip.json -i FILE >packed.tar",
        "run -q -j 1 --durability none -o out -p flip.json -i - <FILE", "explain -p flip.json -i FILE",
        "run -q --durability none -j 1 -o out -p flip.json -i FILE --out-format webdataset",
        "preview -q -p flip.json -i FILE -o sheet.png"]),
    ("coco", "img other.json flip.json large.json results.json", "coco.json boxes.json", [
        RUN + " -a FILE", RUN + " -a FILE --compat lenient --trust file", RUN + " -a FILE --to yolo-segment --lossy",
        RUN + " -a FILE --to voc --lossy", RUN + " -a FILE --to yolo-pose --lossy", "check -a FILE -i img",
        "check -a FILE --output json", "check -a FILE --output sarif", "check -a FILE --output html", "check -a FILE --fix --unsafe-fixes -o fixed.json",
        "check -a FILE --diff", "stats FILE", "stats FILE --json", "stats FILE --html page.html", "diff FILE other.json",
        "diff other.json FILE --match geometry", "split -a FILE -o parts", "split -a FILE -o parts --stratify --group-by ^.",
        "preview -q -p flip.json -i img -a FILE -o sheet.png", "labels -q -p large.json -a FILE -o changed.json",
        "iou FILE results.json -o table.csv", "explain -p flip.json -i img -a FILE",
        "labels -q -p large.json -a results.json --image-list FILE -o changed.json"]),
    ("panoptic", "flip.json", "drawn/panoptic.json drawn/panoptic/*", [
        "run -q --durability none -j 1 -o out -p flip.json -i drawn/images -a drawn/panoptic.json", "check -a drawn/panoptic.json -i drawn/images",
        "check -a drawn/panoptic.json --masks drawn/panoptic --pixels -i drawn/images", "stats drawn/panoptic.json",
        "diff drawn/panoptic.json drawn/instances.json"]),
    ("results", "img coco.json nms.json flip.json other.json", "results.json", [
        "labels -q -p nms.json -a results.json -o changed.json", "labels -q -p nms.json -a results.json --image-list coco.json -o changed.json",
        RUN + " -a results.json --image-list coco.json", "check -a results.json", "stats results.json", "iou other.json results.json -o table.npy"]),
    ("yolo", "img flip.json large.json coco.json", "yolo/labels/* yolo/data.yaml outlines/labels/* outlines/data.yaml", [
        RUN + " -a TOP/labels", RUN + " -a TOP/data.yaml", RUN + " -a TOP/labels --to coco --lossy", "check -a TOP/labels -i img", "check -a TOP/data.yaml -i img",
        "stats TOP/labels -i img", "diff TOP/labels coco.json -i img", "labels -q -p large.json -a TOP/labels -i img -o changed",
        "preview -q -p flip.json -i img -a TOP/labels -o sheet.png"]),
    ("voc", "img flip.json large.json coco.json", "voc/Annotations/*", [
        RUN + " -a voc/Annotations", RUN + " -a voc/Annotations --to coco --lossy", "check -a voc/Annotations -i img", "stats voc/Annotations -i img",
        "diff voc/Annotations coco.json -i img", "labels -q -p large.json -a voc/Annotations -i img -o changed"]),
    ("datasets", "set_coco set_folders flip.json", "set_*", [
        CONVERT + " -a TOP --to coco", CONVERT + " -a TOP --to voc", CONVERT + " -a TOP --to yolo-segment", CONVERT + " -a TOP --to hf",
        CONVERT + " -a TOP --to labelme", CONVERT + " -a TOP --to webdataset", CONVERT + " -a TOP --to roboflow --link none",
        "run -q --durability none -j 1 -o out -p flip.json -a TOP --apply-to train --copies train=2", "stats TOP", "stats TOP --html page.html",
        "check TOP --pixels", "diff TOP set_coco", "concat -q --durability none -j 1 -o out TOP TOP", "split -a TOP -o parts --ratio 1:1",
        "run -q --durability none -j 1 -o out -p flip.json -a TOP --balance 3"]),
    ("tables of labels", "img flip.json", "table.csv", [RUN + " -a table.csv --one-hot labels.csv", RUN + " -a table.csv --one-hot labels.npy",
                                                         "check -a table.csv -i img"]),
    ("lists", "img coco.json flip.json yolo table.csv done", "classes.txt list.txt only.txt", [
        RUN + " -a table.csv --classes classes.txt", RUN + " -a yolo/labels --classes classes.txt", "check -a yolo/labels -i img --classes classes.txt",
        RUN + " -a coco.json --images-from list.txt", "replay -q -m done/manifest.jsonl -i img -o out --only @only.txt"]),
    ("anchors", "coco.json encode.json", "anchors/*", ["labels -q -p encode.json -a coco.json --anchors FILE -o changed.json"]),
    ("pipelines", "img coco.json flip.json", "pipelines/*", [
        "compile -p FILE", "explain -p FILE", "explain -p FILE -i img -a coco.json --json", "run -q --durability none -j 1 -o out -i img -p FILE -a coco.json",
        "run -q --durability none -j 1 -o out -i img -p FILE", "run -p FILE -i img -a coco.json --dry-run", "preview -q -p FILE -i img -a coco.json -o sheet.png"]),
    ("imports", "", "imports/*", ["import FILE", "import - <FILE"]),
    ("manifests", "img coco.json masks found.json flip.json", "done/manifest.jsonl done/run.json done/annotations.json", [
        "replay -q -m done/manifest.jsonl -i img -a coco.json --masks masks -o out -j 1 --durability none", "replay -q --verify -m done/manifest.jsonl -i img -o done -j 1",
        "back -q -m done/manifest.jsonl -r found.json -o found-back.json", "back -q -m done/manifest.jsonl -r found.json -a coco.json --merge wbf --skip",
        "verify done -j 1", "status done", "status done --json"]),
    ("finished runs", "img coco.json flip.json", "plain/manifest.jsonl plain/run.json plain/annotations.json", [
        "run -q --durability none -j 1 -o plain -i img -p flip.json -a coco.json -n 2 --checksums --resume"]),
    ("what a model found", "done", "found.json", ["back -q -m done/manifest.jsonl -r found.json -o found-back.json --merge nms --skip",
                                                   "back -q -m done/manifest.jsonl -r found.json"]),
    ("sums", "", "done/SHA256SUMS done/images/* done/masks/*", ["verify done -j 1", "diff done done", "stats done"]),
    ("journals", "img coco.json masks flip.json", "half/.lockstep/* half/images/*", [
        "run -q --durability none -j 1 -o half -i img -p flip.json -a coco.json --masks masks -n 2 --resume", "status half",
        "run -q --durability none -j 1 -o half -i img -p flip.json -a coco.json --masks masks -n 2 --resume --verify-resume"]),
    ("shards", "", "shards/.lockstep/* shards/.lockstep/*/*", ["merge -q --durability none shards", "merge -q --durability none shards -o out", "status shards"]),
    ("settings", "coco.json", "baseline.json lockstep-check.json", ["check -a coco.json --baseline baseline.json", "check -a coco.json --config lockstep-check.json"]),
    ("fonts", "img text.json", "fonts/*", ["run -q --durability none -j 1 -o out -i img -p text.json --font FILE"]),
    ("stamps", "img stamped.json", "stamps/*", ["run -q --durability none -j 1 -o out -i img -p stamped.json --stamps stamps"]),
]
# Codes 0 and 1 say that the files are there; these commands write such folders.
VERIFIED = re.compile(r"^(run|replay(?! .*--verify)|merge|convert|concat|split -a set_\w+) ")
# These copy files of images without a look at their pixels.
PASSED_ON = re.compile(r"^(convert|concat|split) | --apply-to ")
WRITES = re.compile(r"^(out|done|plain|half|shards|parts|changed.*|fixed\.json|sheet\.png|packed\.tar|found-back\.json|page\.html|labels\..*|table\..*)(/|$)")


def documented(lockstep):
    """Returns the exit codes of each code of a message."""
    said = subprocess.run([lockstep, "help", "codes"], capture_output=True, text=True).stdout
    found = {}
    for it in re.finditer(r"^  ([a-z][a-z0-9-]+) (.*(?:\n {4,}.*)*)", said, re.M):
        exits = re.search(r"\(([\d,\sN+]+)\)\s*$", it[2])
        if exits:
            found[it[1]] = set(re.findall(r"\d+", exits[1]))
    return found


def tree(folder):
    """Returns a hash of every file below a folder."""
    found = {}
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = hashlib.sha256(file.read()).digest()
    return found


class Fuzz:
    def __init__(self, args, seeds):
        self.args, self.seeds = args, seeds
        self.lockstep = args.lockstep
        self.codes = documented(self.lockstep)
        if len(self.codes) < 100:
            raise SystemExit("lockstep help codes cannot be read")
        self.cases = [case for case in CASES if re.search(args.case, case[0])]
        self.rows = collections.defaultdict(collections.Counter)
        self.findings, self.guard = [], threading.Lock()
        self.env = dict(os.environ, ASAN_OPTIONS="exitcode=%d:allocator_may_return_null=1:detect_stack_use_after_return=0" % SANITIZER_CODE,
                        UBSAN_OPTIONS="print_stacktrace=1:exitcode=%d" % SANITIZER_CODE,
                        LSAN_OPTIONS="exitcode=%d:print_suppressions=0:suppressions=%s" % (
                            SANITIZER_CODE, os.path.join(os.path.realpath(ROOT), "tests/harness/leaks.txt")))
        self.all_files = sorted(tree(seeds))
        small = [name for name in self.all_files if os.path.getsize(os.path.join(seeds, name)) < 8000]
        self.others = [open(os.path.join(seeds, name), "rb").read() for name in small[::7]]

    def command(self, at, line):
        """Runs a line with > and < in a folder. Returns its code, and all that it printed."""
        words = line.split()
        streams = {word[0]: os.path.join(at, word[1:]) for word in words if word[0] in "<>"}
        os.makedirs(at + "/tmp", exist_ok=True)
        with open(streams.get("<", os.devnull), "rb") as given, open(streams.get(">", at + "/said"), "wb") as out:
            done = subprocess.run([self.lockstep] + [word for word in words if word[0] not in "<>"], cwd=at, stdin=given, stdout=out,
                                  stderr=subprocess.PIPE, timeout=LIMIT, env=dict(self.env, TMPDIR=at + "/tmp"))
        return done.returncode, done.stderr.decode("utf-8", "replace")

    def judge(self, at, line, before):
        """Returns the exit code of a command, and the fault of its end, or None."""
        try:
            code, said = self.command(at, line)
        except subprocess.TimeoutExpired:
            return "time", "it takes more than %d seconds" % LIMIT
        if REPORT.search(said) or code == SANITIZER_CODE:
            return code, "a sanitizer reports:\n" + said[-4000:]
        if code < 0 or code == 7 or code > 8:
            return code, "it ends with %d:\n%s" % (code, said[-2000:])
        named = {name for name in re.findall(r"\[([a-z][a-z0-9-]+)\]", said) if name in self.codes}
        if code >= 2 and not any(str(code) in self.codes[name] for name in named):
            return code, "no message may end with %d:\n%s" % (code, said[-2000:])
        if os.listdir(at + "/tmp"):
            return code, "TMPDIR has %s" % os.listdir(at + "/tmp")[0]
        after = tree(at)
        changed = [name for name in before if not WRITES.match(name) and after.get(name) != before[name]]
        if changed:
            return code, "an input was changed: " + changed[0]
        folder = re.search(r" -o (\w+)( |$)", line) or re.search(r"^merge .* (shards)$", line)
        # --resume of a finished run looks at sources alone, and without --verify-resume at sizes of outputs.
        kept = " --resume" in line and "--verify-resume" not in line
        if code == 0 and VERIFIED.match(line) and folder and not kept and os.path.isdir(at + "/" + folder[1]):
            checked, said = self.command(at, "verify -q -j 1 " + folder[1])
            with open(at + "/said", "rb") as file:
                said += file.read().decode("utf-8", "replace")
            named = set(re.findall(r"\[(verify-\w+)\]", said))
            if checked and not (PASSED_ON.search(line) and named == {"verify-damaged"}):
                return code, "it ends with 0, and verify with %d:\n%s" % (checked, said[-1000:])
        return code, None

    def place(self, at, needs, files):
        """Copies the files of a trial to a folder."""
        for top in set(needs.split()) | {it.split("/")[0] for it in files}:
            source = os.path.join(self.seeds, top)
            (shutil.copytree if os.path.isdir(source) else shutil.copy2)(source, os.path.join(at, top))

    def files_of(self, case):
        return [it for it in self.all_files if any(fnmatch.fnmatch(it, pattern) for pattern in case[2].split())]

    def begin(self):
        """Runs each command of each case on files as they are: it must end well, or the case would test nothing."""
        def one(place):
            (name, needs, _, _), files, line = place
            at = tempfile.mkdtemp(prefix="seed-", dir=self.args.folder)
            self.place(at, needs, files)
            line = re.sub(r"\bFILE\b", files[0], line).replace("TOP", files[0].split("/")[0])
            code, wrong = self.judge(at, line, tree(at))
            if wrong or code not in (0, 1):
                return "%s: cd %s && lockstep %s: %s, %s" % (name, at, line, code, wrong or self.command(at, line)[1])
            shutil.rmtree(at)
            return None
        places = [(case, self.files_of(case), line) for case in self.cases for line in case[3]]
        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            bad = [it for it in pool.map(one, places) if it]
        if bad:
            raise SystemExit("\n".join(bad))

    def trial(self, number):
        chance = random.Random("%d:%d" % (self.args.seed, number))
        case = self.cases[number % len(self.cases)]
        name, needs, _, lines = case
        files = self.files_of(case)
        line, chosen = chance.choice(lines), chance.choice(files)
        named = [it for it in files if it in line]
        if named and "/" not in chosen:
            chosen = chance.choice(named)
        at = tempfile.mkdtemp(prefix="trial-%d-" % number, dir=self.args.folder)
        self.place(at, needs, files)
        for it in {chosen} | ({chance.choice(files)} if "/" in chosen and chance.random() < 0.2 else set()):
            with open(os.path.join(at, it), "rb") as file:
                data, what = mutate(it, file.read(), self.others, chance)
            write(os.path.join(at, it), data)
        line = re.sub(r"\bFILE\b", chosen, line).replace("TOP", chosen.split("/")[0])
        code, wrong = self.judge(at, line, tree(at))
        with self.guard:
            self.rows[name]["code %s" % code] += 1
            if wrong:
                self.rows[name]["FINDINGS"] += 1
                self.findings.append("FINDING at trial %d, %s of %s\n  cd %s && lockstep %s\n  %s" % (number, what, chosen, at, line, wrong))
                print(self.findings[-1], flush=True)
        if not wrong and self.args.only is None:
            shutil.rmtree(at)
        elif not wrong:
            print("trial %d: %s of %s\n  cd %s && lockstep %s\n  code %s" % (number, what, chosen, at, line, code))

    def run(self):
        end = time.monotonic() + self.args.seconds
        if self.args.only is not None:
            return self.trial(self.args.only)
        numbers = iter(range(self.args.first, self.args.first + (self.args.trials or 1 << 60)))

        def work():
            while time.monotonic() < end:
                with self.guard:
                    number = next(numbers, None)
                if number is None:
                    return
                self.trial(number)
        with concurrent.futures.ThreadPoolExecutor(self.args.jobs) as pool:
            for done in [pool.submit(work) for _ in range(self.args.jobs)]:
                done.result()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lockstep")
    parser.add_argument("tools")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--trials", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", type=int)
    parser.add_argument("--case", default="")
    parser.add_argument("-j", "--jobs", type=int, default=len(os.sched_getaffinity(0)))
    args = parser.parse_args()
    args.folder = tempfile.mkdtemp(prefix="fuzz-")
    args.lockstep, tools, seeds = os.path.realpath(args.lockstep), os.path.realpath(args.tools), args.folder + "/seeds"
    os.mkdir(seeds)
    os.chdir(seeds)
    os.environ["ASAN_OPTIONS"] = "detect_leaks=0"
    make_seeds(args.lockstep, tools, re.search(args.case, "datasets"))
    os.chdir(args.folder)
    fuzz = Fuzz(args, seeds)
    fuzz.begin()
    fuzz.run()
    for name, row in sorted(fuzz.rows.items()):
        print("%-24s %6d  %s" % (name, sum(n for code, n in row.items() if code != "FINDINGS"),
                                 ", ".join("%s: %d" % (code.replace("code ", ""), n) for code, n in sorted(row.items()))))
    total = sum(n for row in fuzz.rows.values() for code, n in row.items() if code != "FINDINGS")
    print("%d trials, %d findings; seed %d" % (total, len(fuzz.findings), args.seed))
    if not fuzz.findings and args.only is None:
        os.chdir("/")
        shutil.rmtree(args.folder)
    return 1 if fuzz.findings else 0


if __name__ == "__main__":
    sys.exit(main())
