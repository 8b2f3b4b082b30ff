"""back_mutations.py: manifests and results with random edits, which `lockstep back` must refuse or obey.

Usage: back_mutations.py LOCKSTEP SAMPLES N [SEED]. Runs a pipeline that warps, bends and joins. Then changes a line
of its manifest, or of results on its outputs, N times: bytes, members or numbers. Each time, back must exit with 0 and
write a list, or refuse the input with a code and without writing a file. Prints the edits that break this rule.
"""
import json
import os
import random
import re
import shutil
import subprocess
import sys

NASTY = [None, True, 0, -1, 1, 0.5, 1e300, -1e300, 1e-300, 2**31, 2**53, 10**30, "", "x", "\u0000", [], [[]], {}, [1], [0, 0, 0, 0],
         [-5, 1e9, 3, 4], [[1, 2, 3, 4, 5, 6]], {"size": [9, 9], "counts": [3, 5, 73]}, {"size": [2, 2], "counts": "0"}]


def nodes(value, out):
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in list(children):
        out.append((value, key))
        nodes(child, out)
    return out


def edit_value(rng, text):
    value = json.loads(text)
    where, key = rng.choice(nodes(value, []))
    kind = rng.randrange(4)
    if kind == 0 and isinstance(where, dict):
        del where[key]
    elif kind == 1 and isinstance(where[key], (int, float)) and not isinstance(where[key], bool):
        where[key] = rng.choice([-where[key], where[key] * 1000, where[key] + 1, where[key] / 3])
    elif kind == 2 and isinstance(where, list):
        where.insert(key, where[key])
    else:
        where[key] = rng.choice(NASTY)
    return json.dumps(value)


def edit_bytes(rng, text):
    at, n = rng.randrange(len(text)), rng.randrange(1, 9)
    return rng.choice([text[:at], text[:at] + text[at + n:], text[:at] + chr(rng.randrange(1, 127)) + text[at + 1:],
                       text[:at] + text[at:at + n] * 3 + text[at + n:]])


def edit(rng, lines):
    at = rng.randrange(len(lines))
    changed = (edit_value if rng.random() < 0.7 else edit_bytes)(rng, lines[at])
    return lines[:at] + [changed] + lines[at + 1:], changed


def obeyed(lockstep, options):
    """Returns the fault of the run's end, or None."""
    if os.path.exists("back.json"):
        os.remove("back.json")
    done = subprocess.run([lockstep, "back", "-q", "-m", "manifest.jsonl", "--run", "out/run.json", "-r", "results.json",
                           "-o", "back.json", *options], capture_output=True, timeout=100)
    said = done.stderr.decode(errors="replace")
    if done.returncode == 0:
        with open("back.json", encoding="utf-8", errors="surrogateescape") as file:
            return None if isinstance(json.load(file), list) else "not a list"
    if done.returncode != 4 or not re.search(r"\[[a-z0-9-]+\]$", said, re.M) or os.path.exists("back.json"):
        return f"exit code {done.returncode}\n{said}"
    return None


def main(lockstep, samples, n, seed=1):
    shutil.rmtree("out", ignore_errors=True)
    steps = [{"type": "Mosaic", "target_size": 120, "p": 0.5}, {"type": "RandomAffine", "degrees": 20, "p": 0.5},
             {"type": "PiecewiseAffine", "p": 0.3}, {"type": "RandomPerspective", "p": 0.5}]
    with open("pipeline.json", "w") as file:
        json.dump({"version": 1, "annotations": {"ids": "dense"}, "transforms": steps}, file)
    subprocess.run([lockstep, "run", "-q", "-p", "pipeline.json", "-i", samples + "/images", "-a",
                    samples + "/annotations.json", "-o", "out"], check=True)
    with open("out/manifest.jsonl") as file:
        manifest = file.read().splitlines()
    keys = ("image_id", "category_id", "bbox", "segmentation", "keypoints")
    with open("out/annotations.json") as file:
        results = [json.dumps(dict({k: a[k] for k in keys if k in a}, score=0.5)) for a in json.load(file)["annotations"]]
    faults = 0
    for i in range(n):
        rng = random.Random(f"{seed} {i}")
        of_manifest = rng.random() < 0.5
        lines, changed = edit(rng, manifest if of_manifest else results)
        with open("manifest.jsonl", "w", encoding="utf-8") as file:
            file.write("\n".join(lines if of_manifest else manifest) + "\n")
        with open("results.json", "w", encoding="utf-8") as file:
            file.write("[" + ",\n".join(results if of_manifest else lines) + "]\n")
        wrong = obeyed(lockstep, ["--merge", rng.choice(["none", "nms"])] + ["--skip"] * rng.randrange(2))
        if wrong:
            faults += 1
            print(f"edit {i}: {changed}\n  {wrong}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), int(sys.argv[3]), *sys.argv[4:]))
