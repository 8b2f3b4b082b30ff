"""Lossless and other formats in and out, compared with OpenCV's and Pillow's codecs.

Usage: codecs.py LOCKSTEP CORPUS [ROUNDS [IMAGES]]

Each of IMAGES (40) images of the corpus is read in a format, inverted, and written in that format, on one thread.
Figures are processor ms per image, medians of ROUNDS (7), run in turns. lockstep's are whole processes, including
start and COCO. Peers write at the level, quality or method that brings their files nearest to the size of lockstep's.
After a peer's time come this setting and its size compared to lockstep's. No figure is required.
"""
import io
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import cv2
from PIL import Image, ImageChops

cv2.setNumThreads(1)
QUALITY = 80  # of WebP

# For each format: the settings that a peer may be given, as arguments of its writer.
OPENCV = {
    "png": {f"level {n}": [cv2.IMWRITE_PNG_COMPRESSION, n] for n in range(10)},
    "webp": {f"quality {q}": [cv2.IMWRITE_WEBP_QUALITY, q] for q in range(QUALITY - 4, QUALITY + 5)},
    "tiff": {"deflate": [cv2.IMWRITE_TIFF_COMPRESSION, 8], "lzw": [cv2.IMWRITE_TIFF_COMPRESSION, 5]},
}
PILLOW = {
    "png": {f"level {n}": {"compress_level": n} for n in range(10)},
    "webp": {f"quality {q}": {"quality": q} for q in range(QUALITY - 4, QUALITY + 5)},
    "tiff": {"deflate": {"compression": "tiff_adobe_deflate"}, "lzw": {"compression": "tiff_lzw"}},
}


def run_lockstep(lockstep, pipeline, images, out, *more):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([lockstep, "run", "-q", "-p", pipeline, "-i", images, "-o", out, "-j", "1", "--durability", "none",
                    "--overwrite", *more], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def opencv(path, to, setting):
    image = 255 - cv2.imread(path)
    with open(to, "wb") as file:
        file.write(cv2.imencode(os.path.splitext(path)[1], image, setting)[1])


def pillow(path, to, setting):
    with Image.open(path) as image:
        ImageChops.invert(image).save(to, image.format, **setting)


def timed(peer, paths, to, setting):
    start = time.process_time()
    for path in paths:
        peer(path, to, setting)
    return time.process_time() - start


def written(peer, path, to, setting):
    peer(path, to, setting)
    return os.path.getsize(to)


def total(folder):
    return sum(e.stat().st_size for e in os.scandir(folder))


def nearest(peer, settings, paths, to, size):
    """The setting's name, and its size beside `size`."""
    sizes = {name: sum(written(peer, p, to, s) for p in paths) / size for name, s in settings.items()}
    name = min(sizes, key=lambda n: abs(sizes[n] - 1))
    return name, sizes[name]


def measure(lockstep, corpus, form, rounds, count, folder):
    quality = {"quality": QUALITY} if form == "webp" else {}
    pipelines = {}
    for name, steps in (("source", []), ("invert", [{"type": "invert"}])):
        pipelines[name] = os.path.join(folder, name + ".json")
        with open(pipelines[name], "w") as file:
            json.dump({"version": 1, "transforms": steps, "output": {"format": form, **quality}}, file)
    source, out, to = (os.path.join(folder, form, n) for n in ("source", "out", "peer"))
    run_lockstep(lockstep, pipelines["source"], os.path.join(corpus, "images"), source, "--limit", str(count))
    images = os.path.join(source, "images")
    paths = sorted(e.path for e in os.scandir(images))
    run_lockstep(lockstep, pipelines["invert"], images, out)
    size = total(os.path.join(out, "images"))
    peers = {}
    for label, peer, settings in (("OpenCV", opencv, OPENCV[form]), ("Pillow", pillow, PILLOW[form])):
        name, beside = nearest(peer, settings, paths, to, size)
        peers[label] = (peer, settings[name], name, beside)
    times = {"lockstep": [], **{label: [] for label in peers}}
    for _ in range(rounds):
        times["lockstep"].append(run_lockstep(lockstep, pipelines["invert"], images, out))
        for label, (peer, setting, *_) in peers.items():
            times[label].append(timed(peer, paths, to, setting))
    each = {label: statistics.median(t) / len(paths) * 1000 for label, t in times.items()}
    line = f"{form:<6} {each['lockstep']:9.2f} {size / len(paths) / 1000:8.0f}"
    for label, (_, _, name, beside) in peers.items():
        line += f"   {each[label]:8.2f} {each['lockstep'] / each[label]:6.2f}  {name:<10} {beside:5.2f}"
    print(line, flush=True)


def main():
    lockstep, corpus, rounds, count = sys.argv[1:] + ["7", "40"][len(sys.argv) - 3:]
    print(f"{count} images, {rounds} rounds, medians; ms of the processor an image; times: as long as the peer; size: beside lockstep's")
    print(f"{'':<6} {'lockstep':>9} {'kB':>8}" + "".join(f"   {p:>8} {'times':>6}  {'':<10} {'size':>5}" for p in ("OpenCV", "Pillow")))
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        for form in OPENCV:
            measure(lockstep, corpus, form, int(rounds), int(count), folder)


main()
