"""LOCKSTEP MAKE_FAMILIES [N [SEED]]: N damages of a file of each kind (84 by default), decoded.

A damaged file may be refused, or its pixels come out as they were. Other pixels are a fault where
the file says that they are wrong: where bytes are missing, and where a checksum covers the damaged
bytes. Raw samples and entropy-coded data have none. Prints the counts of each family.
"""
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile

KINDS = ("cut", "flip", "zero", "swap")


def png_covered(data):
    return [(0, len(data))]


def tiff_covered(data):
    """The strips or tiles of a file that compresses them by deflate, whose streams end in a sum."""
    assert data[:4] == b"II*\0"
    at = struct.unpack("<I", data[4:8])[0]
    tags = {}
    for i in range(struct.unpack("<H", data[at:at + 2])[0]):
        tag, kind, count, value = struct.unpack("<HHII", data[at + 2 + 12 * i:at + 14 + 12 * i])
        size = {3: 2, 4: 4}.get(kind)
        if size is None:
            continue
        if count * size <= 4:
            raw = data[at + 10 + 12 * i:at + 14 + 12 * i]
        else:
            raw = data[value:value + count * size]
        tags[tag] = struct.unpack("<%d%s" % (count, "H" if size == 2 else "I"), raw[:count * size])
    offsets, counts = tags.get(273) or tags[324], tags.get(279) or tags[325]
    return [(o, o + n) for o, n in zip(offsets, counts)]


COVERED = {"png": png_covered, "tiff-deflate": tiff_covered, "tiff-tiled": tiff_covered,
           "tiff-float": tiff_covered}


def damage(kind, data, rng):
    """The damaged file, and the ranges in which it differs."""
    out = bytearray(data)
    n = len(data)
    if kind == "cut":
        at = n - 1 - min(n - 1, int(rng.expovariate(4 / n))) if rng.random() < .5 else rng.randrange(n)
        return bytes(out[:at]), [(at, n)]
    if kind == "flip":
        places = [rng.randrange(n) for _ in range(rng.choice((1, 1, 1, 2, 8)))]
        for at in places:
            out[at] ^= 1 << rng.randrange(8)
        return bytes(out), [(at, at + 1) for at in places]
    if kind == "zero":
        at, length = rng.randrange(n), rng.choice((1, 4, 16, 64, 512))
        out[at:at + length] = bytes(len(out[at:at + length]))
        return bytes(out), [(at, min(n, at + length))]
    length = min(rng.choice((4, 16, 64, 256)), n // 3)
    a = rng.randrange(n - 2 * length)
    b = rng.randrange(a + length, n - length + 1)
    out[a:a + length], out[b:b + length] = data[b:b + length], data[a:a + length]
    return bytes(out), [(a, a + length), (b, b + length)]


def covered(family, data, ranges):
    for name, find in COVERED.items():
        if family.startswith(name):
            return all(any(lo <= start and end <= hi for lo, hi in find(data))
                       for start, end in ranges)
    return False


def decode(lockstep, folder, out):
    """Returns the result for each file: its pixels as a file of another format, or why there are none."""
    pipeline = os.path.join(os.path.dirname(folder), "copy.json")
    with open(pipeline, "w") as f:
        f.write('{"version": 1, "transforms": [], "output": {"format": "tiff"}}')
    done = subprocess.run([lockstep, "run", "-q", "-j", "1", "-p", pipeline, "-i", folder, "-o", out,
                           "--on-error", "skip"], stderr=subprocess.PIPE)
    if done.returncode not in (0, 1):
        raise SystemExit("exit %d: %s" % (done.returncode, done.stderr.decode()[-500:]))
    pixels = {}
    for name in os.listdir(os.path.join(out, "images")) if os.path.isdir(out + "/images") else []:
        with open(os.path.join(out, "images", name), "rb") as f:
            pixels[os.path.splitext(name)[0]] = f.read()
    failed = {}
    if os.path.exists(out + "/errors.jsonl"):
        for line in open(out + "/errors.jsonl"):
            line = json.loads(line)
            failed[os.path.splitext(line["source"])[0]] = line
    return pixels, failed


def judge(lockstep, name, data, n, seed, work):
    family, suffix = os.path.splitext(name)
    rng = random.Random("%s %d" % (family, seed))
    folder = os.path.join(work, "in")
    os.mkdir(folder)
    ranges = {}
    with open(os.path.join(folder, "whole" + suffix), "wb") as f:
        f.write(data)
    for i in range(n):
        kind = KINDS[i % len(KINDS)]
        bad, where = damage(kind, data, rng)
        if bad == data or not bad:
            continue
        key = "%s%04d" % (kind, i)
        ranges[key] = (kind, where)
        with open(os.path.join(folder, key + suffix), "wb") as f:
            f.write(bad)
    pixels, failed = decode(lockstep, folder, os.path.join(work, "out"))
    count = {"refused": 0, "equal": 0, "unseen": 0}
    faults = []
    for key, (kind, where) in ranges.items():
        if key in failed:
            count["refused"] += 1
            if failed[key]["outcome"] != "failed":
                faults.append("%s: %s" % (key, failed[key]["message"]))
        elif pixels[key] == pixels["whole"]:
            count["equal"] += 1
        elif kind == "cut" or covered(family, data, where):
            faults.append("%s: other pixels, damaged at %s" % (key, where))
        else:
            count["unseen"] += 1
    print("%-18s %6d bytes  %3d refused  %3d equal  %3d unseen (no checksum)  %d faults" % (
        family, len(data), count["refused"], count["equal"], count["unseen"], len(faults)))
    for fault in faults:
        print("    " + fault)
    shutil.rmtree(folder)
    shutil.rmtree(os.path.join(work, "out"))
    return len(faults)


def main(lockstep, maker, n=84, seed=1):
    faults = 0
    with tempfile.TemporaryDirectory() as work:
        families = os.path.join(work, "families")
        os.mkdir(families)
        subprocess.run([maker, families], check=True)
        for name in sorted(os.listdir(families)):
            with open(os.path.join(families, name), "rb") as f:
                data = f.read()
            faults += judge(lockstep, name, data, int(n), int(seed), work)
        print("%d families, %d damages of each: %d faults" % (len(os.listdir(families)), int(n), faults))
    return faults > 0


sys.exit(main(*sys.argv[1:]))
