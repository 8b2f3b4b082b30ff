#!/usr/bin/env python3
"""AutoAugment's family against torchvision's tables. The draws in a manifest must be allowed by the tables and occur as
often as they say, and everything that they allow must occur.

Usage: policies.py LOCKSTEP, in an empty folder.
"""

import collections
import itertools
import json
import math
import os
import re
import subprocess
import sys
from fractions import Fraction

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTH, HEIGHT = 331, 250
N = 30000

# Operation, chance and bin, as torchvision's source lists the 25 pairs of each policy.
POLICIES = {
    "imagenet": """
Post(0.4,8) Rot(0.6,9); Sol(0.6,5) AC(0.6,-); Eq(0.8,-) Eq(0.6,-); Post(0.6,7) Post(0.6,6);
Eq(0.4,-) Sol(0.2,4); Eq(0.4,-) Rot(0.8,8); Sol(0.6,3) Eq(0.6,-); Post(0.8,5) Eq(1,-);
Rot(0.2,3) Sol(0.6,8); Eq(0.6,-) Post(0.4,6); Rot(0.8,8) Col(0.4,0); Rot(0.4,9) Eq(0.6,-);
Eq(0,-) Eq(0.8,-); Inv(0.6,-) Eq(1,-); Col(0.6,4) Con(1,8); Rot(0.8,8) Col(1,2);
Col(0.8,8) Sol(0.8,7); Sha(0.4,7) Inv(0.6,-); ShX(0.6,5) Eq(1,-); Col(0.4,0) Eq(0.6,-);
Eq(0.4,-) Sol(0.2,4); Sol(0.6,5) AC(0.6,-); Inv(0.6,-) Eq(1,-); Col(0.6,4) Con(1,8);
Eq(0.8,-) Eq(0.6,-)""",
    "cifar10": """
Inv(0.1,-) Con(0.2,6); Rot(0.7,2) TrX(0.3,9); Sha(0.8,1) Sha(0.9,3); ShY(0.5,8) TrY(0.7,9);
AC(0.5,-) Eq(0.9,-); ShY(0.2,7) Post(0.3,7); Col(0.4,3) Bri(0.6,7); Sha(0.3,9) Bri(0.7,9);
Eq(0.6,-) Eq(0.5,-); Con(0.6,7) Sha(0.6,5); Col(0.7,7) TrX(0.5,8); Eq(0.3,-) AC(0.4,-);
TrY(0.4,3) Sha(0.2,6); Bri(0.9,6) Col(0.2,8); Sol(0.5,2) Inv(0,-); Eq(0.2,-) AC(0.6,-);
Eq(0.2,-) Eq(0.6,-); Col(0.9,9) Eq(0.6,-); AC(0.8,-) Sol(0.2,8); Bri(0.1,3) Col(0.7,0);
Sol(0.4,5) AC(0.9,-); TrY(0.9,9) TrY(0.7,9); AC(0.9,-) Sol(0.8,3); Eq(0.8,-) Inv(0.1,-);
TrY(0.7,9) AC(0.9,-)""",
    "svhn": """
ShX(0.9,4) Inv(0.2,-); ShY(0.9,8) Inv(0.7,-); Eq(0.6,-) Sol(0.6,6); Inv(0.9,-) Eq(0.6,-);
Eq(0.6,-) Rot(0.9,3); ShX(0.9,4) AC(0.8,-); ShY(0.9,8) Inv(0.4,-); ShY(0.9,5) Sol(0.2,6);
Inv(0.9,-) AC(0.8,-); Eq(0.6,-) Rot(0.9,3); ShX(0.9,4) Sol(0.3,3); ShY(0.8,8) Inv(0.7,-);
Eq(0.9,-) TrY(0.6,6); Inv(0.9,-) Eq(0.6,-); Con(0.3,3) Rot(0.8,4); Inv(0.8,-) TrY(0,2);
ShY(0.7,6) Sol(0.4,8); Inv(0.6,-) Rot(0.8,4); ShY(0.3,7) TrX(0.9,3); ShX(0.1,6) Inv(0.6,-);
Sol(0.7,2) TrY(0.6,7); ShY(0.8,4) Inv(0.8,-); ShX(0.7,9) TrY(0.8,3); ShY(0.8,5) AC(0.7,-);
ShX(0.7,2) Inv(0.1,-)""",
}
NAMES = {
    "Post": "Posterize", "Rot": "Rotate", "Sol": "Solarize", "AC": "AutoContrast", "Eq": "Equalize", "Inv": "Invert",
    "Col": "Color", "Con": "Contrast", "Sha": "Sharpness", "ShX": "ShearX", "ShY": "ShearY", "TrX": "TranslateX",
    "TrY": "TranslateY", "Bri": "Brightness",
}
MOVES = ["ShearX", "ShearY", "TranslateX", "TranslateY", "Rotate"]
ENHANCES = {"Brightness": "brightness", "Color": "saturation", "Contrast": "contrast", "Sharpness": "sharpness"}
PLAIN = {"AutoContrast": "autocontrast", "Equalize": "equalize", "Invert": "invert"}
ALL = [*MOVES, *ENHANCES, "Posterize", "Solarize", "AutoContrast", "Equalize"]


class Table:
    """The strengths of one transform."""

    def __init__(self, bins, shear=0.3, turn=30, factor=0.9, bits=(8, 4), shift=None, taps="nearest"):
        self.bins, self.shear, self.turn, self.factor, self.bits = bins, shear, turn, factor, bits
        self.shift = shift or (lambda side: Fraction(150 * side, 331))
        self.taps = taps

    def move(self, op, **values):
        step = {"type": op, "angle": 0, "interpolation": self.taps, "fill": None, "fill_mask": 0,
                "padding_mode": "constant"}
        if op == "affine":
            step.update({"translate": [0, 0], "scale": 1, "shear": [0, 0], "center": [0, 0]})
        else:
            step.update({"expand": False, "center": None})
        return {**step, **values}

    def step(self, op, i, sign):
        part = Fraction(i, self.bins - 1)
        down = op.endswith("Y")
        if op in ("ShearX", "ShearY"):
            v = sign * math.degrees(math.atan(self.shear * part))
            return self.move("affine", shear=[0, v] if down else [v, 0])
        if op in ("TranslateX", "TranslateY"):
            v = sign * math.floor(self.shift(HEIGHT if down else WIDTH) * part)
            return self.move("affine", translate=[0, v] if down else [v, 0])
        if op == "Rotate":
            return self.move("rotate", angle=sign * self.turn * float(part))
        if op in ENHANCES:
            return {"type": "adjust_" + ENHANCES[op], ENHANCES[op] + "_factor": 1 + sign * self.factor * float(part)}
        if op == "Posterize":
            most, fewer = self.bits
            return {"type": "posterize", "bits": round(most - fewer * part)}
        if op == "Solarize":
            return {"type": "solarize", "threshold": 255 * float(1 - part)}
        return {"type": PLAIN[op], **({"mode": "pil"} if op == "Equalize" else {})}

    def signs(self, op):
        return [1, -1] if op in MOVES or op in ENHANCES else [1]

    def outcomes(self, op, bins):
        """Returns the possible results of the operation, if all bins are equally likely, with their probabilities."""
        chance = collections.Counter()
        bins = [0] if op in PLAIN else bins
        for i, sign in itertools.product(bins, self.signs(op)):
            chance[frozen([self.step(op, i, sign)])] += 1 / len(bins) / len(self.signs(op))
        return chance


def rounded(v):
    if isinstance(v, dict):
        return {k: rounded(e) for k, e in v.items()}
    if isinstance(v, list):
        return [rounded(e) for e in v]
    return round(float(v), 9) + 0.0 if isinstance(v, (int, float)) and not isinstance(v, bool) else v


def frozen(steps):
    return tuple(json.dumps(rounded(s), sort_keys=True) for s in steps)


def one_of(*chances):
    mean = collections.Counter()
    for chance in chances:
        for outcome, p in chance.items():
            mean[outcome] += p / len(chances)
    return mean


def then(first, second):
    chance = collections.Counter()
    for (a, p), (b, q) in itertools.product(first.items(), second.items()):
        chance[a + b] += p * q
    return chance


def maybe(p, chance):
    some = collections.Counter({outcome: p * q for outcome, q in chance.items()})
    some[()] += 1 - p
    return some


def draw(lockstep, step, n=N, more=()):
    with open("p.json", "w") as file:
        json.dump({"version": 1, "seed": 11, "transforms": [step]}, file)
    run = [lockstep, "run", "-q", "-p", "p.json", "-i", "images", "-o", "none", "--dry-run", "-n", str(n), *more]
    lines = subprocess.run(run, check=True, capture_output=True, text=True).stdout.splitlines()
    assert len(lines) == n, len(lines)
    return [json.loads(line)["steps"] for line in lines]


def agrees(what, seen, chance):
    """Nothing else comes, all comes that is likely to, and each within 5 sigma of its frequency."""
    seen = collections.Counter(seen)
    n = sum(seen.values())
    assert abs(sum(chance.values()) - 1) < 1e-9, what
    for outcome in seen:
        assert chance[outcome] > 0, f"{what}: drew {outcome}, which no table has"
    for outcome, p in chance.items():
        assert p * n < 12 or seen[outcome], f"{what}: never drew {outcome} in {n}"
        far = abs(seen[outcome] - n * p) / math.sqrt(max(n * p * (1 - p), 1))
        assert far < 5, f"{what}: {outcome} came {seen[outcome]} times of {n}, not about {n * p:.0f}"
    print(f"ok {what}: {len(seen)} outcomes of {sum(p > 0 for p in chance.values())}")


def auto_augment(lockstep):
    table = Table(10)
    for policy, text in POLICIES.items():
        pairs = [re.findall(r"(\w+)\(([\d.]+),([-\d])\)", pair) for pair in text.split(";")]
        assert len(pairs) == 25 and all(len(pair) == 2 for pair in pairs)
        wholes = []
        for pair in pairs:
            a, b = (maybe(float(p), table.outcomes(NAMES[op], [0 if i == "-" else int(i)])) for op, p, i in pair)
            wholes.append(then(a, b))
        chance = one_of(*wholes)
        # so that each pair is seen, however unlikely its own outcome is
        n = int(13 / min(max(whole.values()) for whole in wholes) * 25)
        agrees("AutoAugment " + policy, map(frozen, draw(lockstep, {"type": "AutoAugment", "policy": policy}, max(n, N))), chance)


def rand_augment(lockstep):
    def chance(bins, magnitude):
        table = Table(bins)
        return one_of({(): 1}, *(table.outcomes(op, [magnitude]) for op in ALL))

    agrees("RandAugment", map(frozen, draw(lockstep, {"type": "RandAugment"})), then(chance(31, 9), chance(31, 9)))
    for magnitude in range(31):
        step = {"type": "RandAugment", "num_ops": 1, "magnitude": magnitude}
        agrees(f"RandAugment {magnitude}", map(frozen, draw(lockstep, step, 2000)), chance(31, magnitude))
    bits = [int(json.loads(frozen([Table(31).step("Posterize", i, 1)])[0])["bits"]) for i in range(31)]
    assert collections.Counter(bits) == {8: 4, 7: 8, 6: 7, 5: 8, 4: 4}
    step = {"type": "RandAugment", "num_ops": 1, "magnitude": 4, "num_magnitude_bins": 5}
    agrees("RandAugment of 5", map(frozen, draw(lockstep, step)), chance(5, 4))


def trivial_augment(lockstep):
    table = Table(31, shear=0.99, turn=135, factor=0.99, bits=(8, 6), shift=lambda side: Fraction(32))
    chance = one_of({(): 1}, *(table.outcomes(op, range(31)) for op in ALL))
    agrees("TrivialAugmentWide", map(frozen, draw(lockstep, {"type": "TrivialAugmentWide"})), chance)


def mean_within(what, values, mean, variance):
    off = abs(sum(values) / len(values) - mean) / math.sqrt(variance / len(values))
    assert off < 5, f"{what}: mean {sum(values) / len(values)}, not {mean}"


def aug_mix(lockstep):
    table = Table(10, bits=(4, 4), shift=lambda side: Fraction(side, 3), taps="bilinear")
    bits = [table.step("Posterize", i, 1)["bits"] for i in range(10)]
    assert bits == [4, 4, 3, 3, 2, 2, 1, 1, 0, 0]

    def check(what, step, ops, severity=3, alpha=1, width=3, depths=(1, 2, 3), more=()):
        mixes = draw(lockstep, {"type": "AugMix", **step}, 15000, more)
        assert all(len(mix) == 1 and mix[0]["type"] == "mix" and mix[0]["inputs"][0] == [] for mix in mixes)
        chains = [chain for mix in mixes for chain in mix[0]["inputs"][1:]]
        assert len(chains) == width * len(mixes)
        agrees(what, (frozen([s]) for c in chains for s in c), one_of(*(table.outcomes(op, range(severity)) for op in ops)))
        agrees(what + " depth", (len(c) for c in chains), collections.Counter({d: 1 / len(depths) for d in depths}))
        weights = [mix[0]["weights"] for mix in mixes]
        assert all(abs(sum(w) - 1) < 1e-12 for w in weights)
        beta = 1 / 4 / (2 * alpha + 1)
        mean_within(what + " weight", [w[0] for w in weights], 0.5, beta)
        # the spread, too: the second moment, whose own variance is below its mean for numbers in 0..1
        mean_within(what + " spread", [(w[0] - 0.5) ** 2 for w in weights], beta, beta * 0.25)
        for i in range(width):
            share = [w[1 + i] / (1 - w[0]) for w in weights if w[0] < 1]
            variance = (width - 1) / width**2 / (width * alpha + 1) if width > 1 else 1e-20
            mean_within(f"{what} share {i}", share, 1 / width, variance)

    check("AugMix", {}, ALL)
    check("AugMix 10", {"severity": 10, "alpha": 0.3}, ALL, 10, 0.3)
    check("AugMix few", {"all_ops": False, "alpha": 4, "mixture_width": 1}, [op for op in ALL if op not in ENHANCES], alpha=4, width=1)
    check("AugMix flat", {"geometry": "none", "chain_depth": 2}, [op for op in ALL if op not in MOVES], depths=(2,))
    check("AugMix labels", {}, [op for op in ALL if op not in MOVES], more=("-a", "labels.json"))
    check("AugMix chains", {"geometry": "chains"}, ALL, more=("-a", "labels.json"))


def main():
    lockstep = sys.argv[1]
    os.makedirs("images")
    subprocess.run([sys.executable, os.path.join(HERE, "blank.py"), "images/a.png", str(WIDTH), str(HEIGHT)], check=True)
    with open("labels.json", "w") as file:
        json.dump({
            "images": [{"id": 1, "file_name": "a.png", "width": WIDTH, "height": HEIGHT}],
            "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [9, 9, 30, 30], "area": 900, "iscrowd": 0}],
            "categories": [{"id": 1, "name": "thing"}],
        }, file)
    auto_augment(lockstep)
    rand_augment(lockstep)
    trivial_augment(lockstep)
    aug_mix(lockstep)


main()
