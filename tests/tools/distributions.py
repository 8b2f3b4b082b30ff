#!/usr/bin/env python3
"""Compares the draws of transforms with their stated distributions, over COPIES copies of an image (default 2000).

    distributions.py [--copies COPIES] LOCKSTEP [NAME...]

For each random transform, distributions_stated.py has a step and a function that draws from the stated distribution
with Python's own generator. The function returns a list of (op, {parameter: number or list}), empty if nothing happens.
The two samples have the same distribution if these conditions hold: the sequences of ops are equally frequent; the
quantiles of each number agree (Kolmogorov and Smirnov's two-sample test); the ranges agree; and so do the correlations
of numbers. Seeds are fixed: a test always passes or always fails.

Fewer copies find only larger differences, and report a difference by chance as rarely: each limit below widens with
them. The reference always has three times as many draws, since several of the probabilities depend on this ratio.
"""
import argparse
import difflib
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict

import distributions_stated as stated

COPIES, REFERENCE = 2000, 3  # draws of the reference for each copy
SIGMAS = 4.5  # one in 150,000 by chance, for each of some thousand comparisons
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"  # of fonts-dejavu-core
FEW = 10      # quantiles and correlations of numbers that fewer copies than one in ten have are not compared: they say
              # little. At 300 copies 30 numbers are left, where the limit of Kolmogorov and Smirnov is exceeded by chance
              # more rarely than its formula for many numbers states.


def numbers(items):
    """("[2][0]", 7.3), ("[1].top", 4), ...: the numbers in lists of lists and objects."""
    named = ((f".{k}", v) for k, v in items.items()) if isinstance(items, dict) \
        else ((f"[{i}]", v) for i, v in enumerate(items))
    for at, item in named:
        if isinstance(item, (list, dict)):
            for place, number in numbers(item):
                yield f"{at}{place}", number
        elif isinstance(item, (int, float)) and not isinstance(item, bool):
            yield at, item


def flat(steps):
    """{"0:rotate.angle": 7.3, ...}: numbers by the place of their op among those of its name."""
    out, seen = {}, Counter()
    for op, values in steps:
        for name, value in values.items():
            for place, item in numbers(value if isinstance(value, list) else [value]):
                out[f"{op}#{seen[op]}.{name}{place}"] = item
        seen[op] += 1
    return out


def sequence(steps):
    return " ".join(op for op, _ in steps) or "(nothing)"


def frequencies(drawn, reference):
    """Faults: sequences of ops that are not as frequent as they should be."""
    got, want = Counter(map(sequence, drawn)), Counter(map(sequence, reference))
    for name in sorted(set(got) | set(want)):
        share = (got[name] + want[name]) / (len(drawn) + len(reference))
        sigma = math.sqrt(share * (1 - share) * (1 / len(drawn) + 1 / len(reference)))
        off = abs(got[name] / len(drawn) - want[name] / len(reference))
        if sigma and off > SIGMAS * sigma:
            yield (f"\"{name}\" is drawn {got[name] / len(drawn):.4f} of the times, "
                   f"not {want[name] / len(reference):.4f}")


def distance(a, b):
    """Kolmogorov and Smirnov's: the largest distance of two samples' distribution functions."""
    a, b = sorted(a), sorted(b)
    i = j = 0
    most = 0
    while i < len(a) and j < len(b):
        x = min(a[i], b[j])
        while i < len(a) and a[i] == x:
            i += 1
        while j < len(b) and b[j] == x:
            j += 1
        most = max(most, abs(i / len(a) - j / len(b)))
    return most


def columns(rows):
    out = defaultdict(list)
    for row in rows:
        for name, value in row.items():
            out[name].append(value)
    return out


def quantiles(drawn, reference, tolerance):
    got, want = columns(drawn), columns(reference)
    # A density may fall to 0 at its limit. Then m draws of the reference end a share s of the spread before the limit
    # with probability exp(-m * s * s): one in 12,000 here. 2000 copies of this seed are within a stricter limit.
    beyond = 0.006 if len(drawn) >= COPIES else math.sqrt(9.4 / len(reference))
    for name in sorted(set(want) - set(got)):
        if len(want[name]) * len(drawn) / len(reference) > 10:
            yield f"{name} is never drawn"
    for name, values in got.items():
        if name not in want:
            continue
        other = want[name]
        limit = 2.4 * math.sqrt((len(values) + len(other)) / len(values) / len(other))
        spread = max(other) - min(other)
        slack = tolerance + beyond * spread
        if min(values) < min(other) - slack or max(values) > max(other) + slack:
            yield (f"{name} lies in {min(values):.6g}..{max(values):.6g}, "
                   f"not in {min(other):.6g}..{max(other):.6g}")
        if len(values) * FEW >= len(drawn) and spread > 1e-9 and distance(values, other) > limit:
            yield (f"{name} is distributed in another way: distance {distance(values, other):.4f}, "
                   f"at most {limit:.4f}; mean {sum(values) / len(values):.5g}, "
                   f"not {sum(other) / len(other):.5g}")
        elif spread <= 1e-9 and max(abs(v - other[0]) for v in values) > 1e-9 + tolerance:
            yield f"{name} is {values[0]:.9g}, not {other[0]:.9g}"


def correlation(xs, ys):
    n = len(xs)
    mx, my = sum(xs) / n, sum(ys) / n
    sx = sum((x - mx) ** 2 for x in xs)
    sy = sum((y - my) ** 2 for y in ys)
    if sx < 1e-12 or sy < 1e-12:
        return 0
    return sum((x - mx) * (y - my) for x, y in zip(xs, ys)) / math.sqrt(sx * sy)


def pairs(rows, few):
    """Correlations of numbers that are drawn together by `few` rows or more; of the first eight, so that it ends."""
    names = sorted({name for row in rows for name in row})[:8]
    out = {}
    for i, a in enumerate(names):
        for b in names[i + 1:]:
            both = [(row[a], row[b]) for row in rows if a in row and b in row]
            if len(both) >= few:
                out[a, b] = correlation(*zip(*both)), len(both)
    return out


def dependences(drawn, reference):
    few = len(drawn) / FEW
    got, want = pairs(drawn, few), pairs(reference, few)
    slack = math.sqrt(0.2 / len(drawn))  # 0.01 of 2000 copies, and as many standard deviations of fewer
    for key, (r, n) in got.items():
        if key in want and abs(r - want[key][0]) > SIGMAS / math.sqrt(n) + slack:
            yield f"{key[0]} and {key[1]} are correlated by {r:.3f}, not {want[key][0]:.3f}"


# --- draws ---

class Command:
    def __init__(self, path, copies):
        self.copies = copies
        self.path = os.path.abspath(path)
        self.folder = tempfile.mkdtemp()
        blank = os.path.join(os.path.dirname(os.path.abspath(__file__)), "blank.py")
        for name, size in (("in", (stated.WIDTH, stated.HEIGHT)), ("small", stated.SMALL)):
            os.mkdir(f"{self.folder}/{name}")
            subprocess.run([sys.executable, blank, f"{self.folder}/{name}/a.png", *map(str, size), "rgb"],
                           check=True)
        os.mkdir(f"{self.folder}/stamps")
        for name, size in stated.STAMPS.items():
            subprocess.run([sys.executable, blank, f"{self.folder}/stamps/{name}", *map(str, size), "rgb"], check=True)
        # Steps that join images borrow this one.
        shutil.copytree(f"{self.folder}/small", f"{self.folder}/two")
        shutil.copy(f"{self.folder}/two/a.png", f"{self.folder}/two/b.png")
        for name, dataset in (("in", stated.DATASET), ("two", stated.LENDERS)):
            with open(f"{self.folder}/{name}.json", "w", encoding="utf-8") as file:
                json.dump(dataset, file)

    def lines(self, steps, seed=1, small=False, joined=False):
        """Manifest lines of copies of one image, without a pixel being made."""
        pipeline = {"version": 1, "seed": seed, "transforms": steps, "output": {"format": "tiff"}}
        with open(f"{self.folder}/p.json", "w", encoding="utf-8") as file:
            json.dump(pipeline, file)
        inputs = ["a.png", "-i", "two", "-a", "two.json"] if joined else \
            ["-i", "small"] if small else ["-i", "in", "-a", "in.json"]
        done = subprocess.run(
            [self.path, "run", "--dry-run", "-q", "--stamps", "stamps", "--font", FONT, "-n", str(self.copies), "-p", "p.json",
             *inputs, "-o", "out"], cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode:
            raise AssertionError(done.stderr.strip())
        return [json.loads(line) for line in done.stdout.splitlines()]

    def draws(self, steps, small, joined):
        """Words of texts are numbers here, to be compared as such."""
        return [[(s.pop("type"), s | {"words": [[int(w) for w in text.split()] for text in s.get("texts", [])]})
                 for s in line["steps"]]
                for line in self.lines(steps, small=small, joined=joined)]

    def names(self):
        done = subprocess.run([self.path, "list", "--json"], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)


def judge(command, name, statement):
    """Faults of one transform."""
    drawn = command.draws([statement.step], statement.small, statement.joined)
    rng = random.Random(name)
    reference = [statement.draw(rng) for _ in range(REFERENCE * command.copies)]
    kept = {op: set(values) for steps in reference for op, values in steps}
    drawn = [[(op, {k: v for k, v in values.items() if k in kept.get(op, ())})
              for op, values in steps] for steps in drawn]
    yield from frequencies(drawn, reference)
    drawn, reference = ([flat(steps) for steps in draws] for draws in (drawn, reference))
    yield from quantiles(drawn, reference, statement.tolerance)
    yield from dependences(drawn, reference)


def independence(command):
    """Steps, copies and branches do not know of each other."""
    turn = {"type": "RandomRotation", "degrees": 90}
    angles = [[s["angle"] for s in line["steps"] if s["type"] == "rotate"]
              for line in command.lines([turn, turn, dict(turn, id="third")])]
    first, second, third = zip(*angles)
    crops = command.lines([{"type": "FiveCrop", "size": 40}, turn])
    branch = [line["steps"][1]["angle"] for line in crops]
    a, b = branch[0::5], branch[1::5]
    other = [line["steps"][0]["angle"] for line in command.lines([turn], seed=2)]
    for what, xs, ys in [("two steps", first, second), ("a step with an id and one without", first, third),
                         ("neighbouring copies", first[:-1], first[1:]),
                         ("every other copy", first[:-2], first[2:]),
                         ("branches", a, b), ("neighbouring branches", branch[:-1], branch[1:]),
                         ("two seeds", first, other)]:
        r = correlation(xs, ys)
        if abs(r) > SIGMAS / math.sqrt(len(xs)):
            yield f"{what} are correlated by {r:.3f}"


def why_not(name, entries):
    """Why the draws of this name cannot be compared, or None."""
    known = [e["name"] for e in entries if e.get("kind") == "transform"]
    if name in stated.CERTAIN:
        return f"{name} is not compared: it draws nothing, or another test has what it draws"
    if name in known:
        return None
    if name in [e["name"] for e in entries]:
        return f"{name} is not a transform: it draws nothing"
    near = difflib.get_close_matches(name, known, 1)
    return f"no transform has the name {name}" + (f"; did you mean {near[0]}?" if near else "")


def main(lockstep, *names, copies=COPIES):
    command = Command(lockstep, copies)
    failed = 0
    entries = command.names()
    known = [e["name"] for e in entries if e.get("kind") == "transform"]
    reasons = [reason for name in names if (reason := why_not(name, entries))]
    if reasons:
        sys.exit("distributions.py: " + "\n".join(reasons))
    for name in known:
        if names and name not in names:
            continue
        if name in stated.CERTAIN:
            continue
        if name not in stated.STATED:
            print(f"{name}: nothing states what it draws")
            failed += 1
            continue
        try:
            faults = [fault for statement in stated.STATED[name]
                      for fault in judge(command, name, statement)]
        except AssertionError as fault:
            faults = [str(fault)]
        for fault in faults:
            print(f"{name}: {fault}")
        failed += bool(faults)
    for name in sorted((set(stated.STATED) | set(stated.CERTAIN)) - set(known)):
        print(f"{name}: there is no such transform")
        failed += 1
    if not names:
        for fault in independence(command):
            print(fault)
            failed += 1
    print(f"{len(known)} transforms, {len(stated.STATED)} of them random; {failed} faults")
    return failed > 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--copies", type=int, default=COPIES)
    parser.add_argument("lockstep")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    sys.exit(main(args.lockstep, *args.names, copies=args.copies))
