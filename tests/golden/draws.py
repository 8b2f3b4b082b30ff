#!/usr/bin/env python3
"""Compares what transforms draw with draws-v2.jsonl, which holds what they drew at first.

    draws.py LOCKSTEP           says what differs
    draws.py LOCKSTEP --add     appends lines of the pipelines that have none yet

draws-v2.json has pipelines by name; each is drawn for COPIES copies of a blank image with three
objects. Lines that are there never change: a new way to draw is a new version. A new transform comes in
a pipeline of its own, and every step has an id, so that it changes no other's numbers. Numbers are
compared exactly; where the C library's sine has been at work, to 1e-9 of themselves.
"""
import json
import math
import os
import subprocess
import sys
import tempfile

COPIES = 20
HERE = os.path.dirname(os.path.abspath(__file__))
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"  # of fonts-dejavu-core; no number comes from it
KEYS = ("key", "size_in", "size_out", "steps")
BOXES = [[40, 30, 60, 50], [150, 100, 80, 90], [260, 20, 30, 40]]
# Made with the C library's sine and cosine; all else is drawn by IEEE operations alone.
ROUNDED = {("affine", "scale")}


def drawn(lockstep, folder, name, steps):
    """What is kept of the manifest's lines."""
    with open(f"{folder}/p.json", "w", encoding="utf-8") as file:
        json.dump({"version": 1, "seed": 2, "transforms": steps, "output": {"format": "tiff"}}, file)
    done = subprocess.run([lockstep, "run", "--dry-run", "-q", "-n", str(COPIES), "-p", "p.json", "-i", "in",
                           "-a", "in.json", "-o", "out", "--font", FONT],
                          cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{name}: {done.stderr.strip()}")
    for line in map(json.loads, done.stdout.splitlines()):
        yield {"pipeline": name, "copy": line["copy"], **{key: line[key] for key in KEYS}}


def make(folder):
    os.mkdir(f"{folder}/in")
    subprocess.run([sys.executable, f"{HERE}/../tools/blank.py", f"{folder}/in/a.png", "320", "240", "rgb"],
                   check=True)
    objects = [{"id": i, "image_id": 1, "category_id": 1, "bbox": box, "area": box[2] * box[3], "iscrowd": 0}
               for i, box in enumerate(BOXES, 1)]
    with open(f"{folder}/in.json", "w", encoding="utf-8") as file:
        json.dump({"images": [{"id": 1, "file_name": "a.png", "width": 320, "height": 240}],
                   "categories": [{"id": 1, "name": "thing"}], "annotations": objects}, file)


def same(a, b, rounded):
    """Is b what a was? An op may have got parameters that it did not have."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y, rounded) for x, y in zip(a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() <= b.keys() and all(
            same(a[key], b[key], (a.get("type"), key) in ROUNDED) for key in a)
    if rounded and isinstance(a, float) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
    return a == b


def main(lockstep, *how):
    lockstep, path = os.path.abspath(lockstep), f"{HERE}/draws-v2.jsonl"
    with open(f"{HERE}/draws-v2.json", encoding="utf-8") as file:
        pipelines = json.load(file)
    kept = []
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            kept = [json.loads(line) for line in file]
    folder = tempfile.mkdtemp()
    make(folder)
    faults = 0
    for name, steps in pipelines.items():
        lines = list(drawn(lockstep, folder, name, steps))
        wants = [line for line in kept if line["pipeline"] == name]
        if "--add" in how and not wants:
            with open(path, "a", encoding="utf-8") as file:
                file.writelines(json.dumps(line) + "\n" for line in lines)
            kept += lines
        elif len(lines) != len(wants):
            faults += 1
            print(f"{name}: {len(lines)} lines, not {len(wants)}")
        for got, want in zip(lines, wants):
            if not same(want, got, False):
                faults += 1
                print(f"{name}, copy {got['copy']}: drawn\n  {json.dumps(got)}\nnot\n  {json.dumps(want)}")
    print(f"{len(kept)} lines of {len(pipelines)} pipelines, {faults} faults")
    return faults > 0 or len(kept) < 200


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
