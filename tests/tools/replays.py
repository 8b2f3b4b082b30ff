#!/usr/bin/env python3
"""Replay the records of runs, and lines of manifests with random edits.

    replays.py pipelines LOCKSTEP SAMPLES PART OF LIMIT   every file of pipelines/ that has no large images
    replays.py transforms LOCKSTEP SAMPLES PART OF LIMIT  every transform's example
    replays.py edits LOCKSTEP SAMPLES N SEED              N lines, each edited: refused with its place and a code, or
                                                          obeyed

In the first two, every OF-th one from PART is replayed, on the first LIMIT samples (0: on all). Replayed outputs must
have the bytes of the run, in both modes of `optimize`, and so must annotations and manifests.
"""
import copy
import filecmp
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

PIPELINES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "pipelines")


def starters():
    """The files of pipelines/ that are not named after a training: those have large images."""
    with open(os.path.join(PIPELINES, "..", "tests", "golden", "presets.txt")) as facts:
        trainings = {line[3:].rstrip() for line in facts if line.startswith("== ")}
    return [p for p in sorted(glob.glob(f"{PIPELINES}/*.json")) if os.path.basename(p)[:-5] not in trainings]


def command(lockstep, *words):
    return subprocess.run([lockstep, *words], capture_output=True, text=True, errors="replace")


def files_of(folder):
    found = set()
    for place, _, names in os.walk(folder):
        found.update(os.path.relpath(os.path.join(place, name), folder) for name in names)
    return found


def same(a, b):
    """Returns the names of the files that differ between two folders; run.json says that it is a replay."""
    ours, theirs = files_of(a), files_of(b)
    differ = sorted(ours ^ theirs)
    return differ + [n for n in sorted(ours & theirs)
                     if n != "run.json" and not filecmp.cmp(os.path.join(a, n), os.path.join(b, n), shallow=False)]


class Search:
    def __init__(self, lockstep, samples):
        self.lockstep = os.path.abspath(lockstep)
        self.inputs = ["-i", f"{samples}/images", "-a", f"{samples}/annotations.json", "--masks", f"{samples}/masks"]
        self.n = 0

    def fresh(self, name):
        shutil.rmtree(name, ignore_errors=True)
        return name

    def run(self, pipeline, *words):
        done = command(self.lockstep, "run", "-q", "-p", pipeline, "-o", self.fresh("out"), "--on-error", "skip", "--durability", "none",
                       *self.inputs, *words)
        return done.returncode in (0, 1)

    def agree(self, what, pipeline, *words):
        for mode in "exact", "fast":
            if not self.run(pipeline, "--optimize", mode, *words):
                continue  # no sample can be done by this step
            done = command(self.lockstep, "replay", "-q", "--durability", "none", "-m", "out/manifest.jsonl", *self.inputs, "-o",
                           self.fresh("again"))
            if done.returncode:
                sys.exit(f"{what}, {mode}: exit {done.returncode}\n{done.stderr}")
            differ = [n for n in same("out", "again") if n != "errors.jsonl"]
            if differ:
                sys.exit(f"{what}, {mode}: replayed otherwise: {differ[:5]}")
            self.n += sum(1 for _ in open("again/manifest.jsonl"))

    def end(self):
        if not self.n:
            sys.exit("nothing was replayed")
        print(f"{self.n} lines replayed to the same bytes")


def pipelines(search, part, of, limit):
    for path in starters()[part::of]:
        search.agree(os.path.basename(path), path, "-n", "2", "--limit", str(limit))
    search.end()


def transforms(search, part, of, limit):
    subprocess.run([sys.executable, f"{os.path.dirname(os.path.abspath(__file__))}/stamps.py", "stamps"], check=True)
    search.inputs += ["--stamps", "stamps", "--font", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"]
    listed = json.loads(command(search.lockstep, "list", "transforms", "--json").stdout)
    for entry in listed[part::of]:
        with open("p.json", "w") as file:
            json.dump({"version": 1, "seed": 5, "annotations": {"ids": "dense"}, "transforms": [entry["example"]]}, file)
        search.agree(entry["name"], "p.json", "-n", "2", "--limit", str(limit))
    search.end()


# --- edits ---

ODD = [None, True, False, "", "x", -1, 0, 1, 2, 3.5, 1e9, -1e9, 1e308, 65501, 2**53 + 1, [], {}, [1, 2, 3], [[]], "nearest", "\u0000"]


def places(value, path=()):
    """All members and elements below a value, as paths."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        yield path + (key,)
        yield from places(child, path + (key,))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def edited(line, rng, lines):
    """A line with one edit, as text."""
    line = copy.deepcopy(line)
    steps = [p for p in places(line) if p[0] == "steps"]
    path = rng.choice(steps if steps and rng.random() < 0.7 else list(places(line)))
    holder, key = at(line, path[:-1]), path[-1]
    way = rng.randrange(9)
    if way == 0:
        del holder[key]
    elif way == 1:
        holder[key] = rng.choice(ODD)
    elif way == 2 and isinstance(holder[key], (int, float)):
        holder[key] = holder[key] * rng.choice([-1, 0, 0.5, 2, 10, 1e6])
    elif way == 3 and isinstance(holder, dict):
        holder[f"{key}s"] = holder.pop(key)
    elif way == 4:
        other = rng.choice(lines)
        line[rng.choice(list(line))] = other.get(rng.choice(list(other)))
    elif way == 5 and line["steps"]:
        line["steps"].insert(rng.randrange(len(line["steps"]) + 1), copy.deepcopy(rng.choice(rng.choice(lines)["steps"] or [{}])))
    elif way == 6 and line["steps"]:
        line["steps"].pop(rng.randrange(len(line["steps"])))
    elif way == 7:
        line["steps"] = [{"type": rng.choice(["RandomRotation", "five_crop", "nothing", "horizontal_flip", "join", "mix"])}]
    else:
        text = json.dumps(line)
        at_byte = rng.randrange(len(text))
        return text[:at_byte] + rng.choice(["", "}", "\"", "9", "\t", ",", "[" * 70]) + text[at_byte + rng.randrange(2):]
    return json.dumps(line)


# The line and its path or, when an image is needed to know, the line alone; and a code.
PLACE = re.compile(r"(?:^|: )edited\.jsonl:3:(\d+: error: )?.*\[[a-z0-9-]+\]$", re.M)


def edits(search, n, seed):
    rng = random.Random(seed)
    obeyed = refused = 0
    for i, path in enumerate(starters()):
        search.run(path, "--limit", "4")
        shutil.rmtree(f"run{i}", ignore_errors=True)
        os.rename("out", f"run{i}")
    with open("p.json", "w") as file:
        json.dump({"version": 1, "annotations": {"ids": "dense"}, "transforms": [{"type": "Mosaic"}, {"type": "AugMix"}, {"type": "CoarseDropout", "p": 1}]}, file)
    search.run("p.json", "--limit", "4")
    runs = [f"run{k}" for k in range(i + 1)] + ["out"]
    lines = {run: [json.loads(line) for line in open(f"{run}/manifest.jsonl")] for run in runs}
    for _ in range(n):
        run = rng.choice([run for run in runs if lines[run]])
        text = edited(rng.choice(lines[run]), rng, lines[run])
        with open("edited.jsonl", "w") as file:
            file.write("\n\n" + text.replace("\n", " ") + "\n")
        done = command(search.lockstep, "replay", "-q", "--durability", "none", "-m", "edited.jsonl", "--run", f"{run}/run.json", "-o",
                       search.fresh("again"), *search.inputs)
        if done.returncode == 0 and os.path.exists("again/run.json"):
            obeyed += 1
        elif done.returncode == 4 and PLACE.search(done.stderr) and not os.path.exists("again/images"):
            refused += 1
        elif done.returncode == 4 and "[images-none]" in done.stderr and not text.strip():
            refused += 1
        else:
            sys.exit(f"exit {done.returncode}: {text}\n{done.stderr}")
    if n >= 40 and not (obeyed and refused):
        sys.exit(f"{obeyed} obeyed, {refused} refused: that is no search")
    print(f"{obeyed} edited lines obeyed, {refused} refused")


def main():
    what, lockstep, samples = sys.argv[1:4]
    numbers = [int(word) for word in sys.argv[4:]]
    search = Search(lockstep, os.path.abspath(samples))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        if what == "edits":
            edits(search, *numbers)
        else:
            {"pipelines": pipelines, "transforms": transforms}[what](search, *(numbers or [0, 1]))


main()
