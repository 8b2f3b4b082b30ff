#!/usr/bin/env python3
"""Pixels of ops against their formulas, written down once more: usage: formulas.py LOCKSTEP"""
import math
import sys
import tempfile

from corruptions import load, mirror, pictures, plane_map, run, HEIGHT, WIDTH


def convolved(picture, kernel, alpha):
    """The kernel's share is alpha, the pixel's the rest."""
    def at(x, y, pixel):
        return [(1 - alpha) * v + alpha * sum(w * picture[mirror(y + k // 3 - 1, HEIGHT)][mirror(x + k % 3 - 1, WIDTH)][b]
                                              for k, w in enumerate(kernel)) for b, v in enumerate(pixel)]
    return plane_map(at, picture)


def emboss(picture, alpha, strength):
    s = strength
    return convolved(picture, [-1 - s, -s, 0, -s, 1, s, 0, s, 1 + s], alpha)


def edge_detect(picture, alpha):
    return convolved(picture, [0, 1, 0, 1, -4, 1, 0, 1, 0], alpha)


def sigmoid_contrast(picture, gain, cutoff):
    return plane_map(lambda x, y, p: [1 / (1 + math.exp(gain * (cutoff - v))) for v in p], picture)


def log_contrast(picture, gain):
    return plane_map(lambda x, y, p: [gain * math.log2(1 + v) for v in p], picture)


CASES = [(emboss, {"alpha": 0.3, "strength": 0.6}), (emboss, {"alpha": 1, "strength": 0}), (edge_detect, {"alpha": 0.4}),
         (edge_detect, {"alpha": 1}), (sigmoid_contrast, {"gain": 6, "cutoff": 0.4}), (log_contrast, {"gain": 0.8}),
         (log_contrast, {"gain": 1.5})]


def main(lockstep):
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        pictures(folder)
        for function, values in CASES:
            for kind in ("rgb8", "rgb16", "gray8"):
                top = 65535 if kind.endswith("16") else 255
                picture = load(f"{folder}/{kind}/a.png", top)
                _, made = run(lockstep, folder, [{"type": function.__name__, **values}], kind)
                off = max(abs(a - min(1, max(0, b))) * top for rows in zip(load(made, top), function(picture, **values))
                          for pair in zip(*rows) for a, b in zip(*pair))
                if off > (0.51 if top == 255 else 0.6):
                    failed.append(f"{function.__name__} {values} {kind}: {off:.2f} levels off")
    print("\n".join(failed))
    print(f"{len(CASES)} steps on 3 kinds of images, {len(failed)} failed")
    return 1 if failed else 0


sys.exit(main(sys.argv[1]))
