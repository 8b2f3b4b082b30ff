"""check_folder_mutations.py: folders of YOLO's and Pascal VOC's labels with random mutations: does check agree with
run?

Usage: check_folder_mutations.py LOCKSTEP SAMPLES N [SEED]. If check finds no error in a folder, run must accept it; and
if run refuses a folder, check must find an error. Prints the folders that break this rule, and leaves them in the
current folder.
"""
import os
import random
import re
import shutil
import subprocess
import sys

KINDS = ["yolo", "yolo-segment", "yolo-pose", "voc"]
TOKENS = ["", "-1", "1e9", "1e400", "nan", "x", "0", "1", "2", "7", "0.5", "1.005", "1.02", "-0.005", "-0.5", ".5", "+1",
          "1.", "1e-400", "0x10", "1,5", "\0", "999999", "1.5", "100001"]
BITS = ["<", ">", "&", "</object>", "<object>", "<!DOCTYPE a>", "\0", "\xff", "]", "[", ":", "'", "\"", "- ", "&x ", "*x",
        "\t", "\n", "\r\n", "#", "\ufeff", " ", "{", "nc: 3\n", "<part><bndbox></bndbox></part>", "<name/>"]


def make(lockstep, samples):
    """A folder of each kind, of a few images."""
    with open("nothing.json", "w") as f:
        f.write('{"version": 1, "transforms": []}')
    with open("steps.json", "w") as f:
        f.write('{"version": 1, "transforms": [{"type": "resize", "size": [40, 40]}]}')
    os.makedirs("few", exist_ok=True)
    for name in ("street/0001.jpg", "park/0002.jpg", "desk/0001.jpg", "hills/0002.png"):
        if os.path.exists(os.path.join(samples, "images", name)):
            shutil.copy(os.path.join(samples, "images", name), "few/" + name.replace("/", "-"))
    with open(os.path.join(samples, "annotations.json")) as f:
        text = re.sub(r'("file_name": ?"[a-z]+)/', r"\1-", f.read())
    with open("few.json", "w") as f:
        f.write(text)
    for kind in KINDS:
        subprocess.run([lockstep, "run", "-q", "-p", "nothing.json", "-i", "few", "-a", "few.json", "-o", kind, "--to",
                        kind, "--lossy", "--on-error", "skip"], capture_output=True, check=False)
        if kind == "voc":  # the folders of the others
            os.rename("voc/JPEGImages", "voc/images")
        assert os.path.isdir(kind + "/images"), kind


def files_of(folder, rng):
    """The files that a mutation may change: labels, mostly, or the names of classes."""
    found = [os.path.join(d, f) for d, _, fs in os.walk(folder) for f in fs if re.search(r"\.(txt|xml|yaml)$", f)]
    return sorted(f for f in found if not f.endswith(".yaml") or rng.random() < 0.5)


def mutate_tokens(text, rng):
    """Another value in the place of a number or a word."""
    tokens = list(re.finditer(r"[-+.\w]+", text))
    if not tokens:
        return text + rng.choice(TOKENS)
    at = rng.choice(tokens)
    old = at.group()
    new = rng.choice(TOKENS + [old + " " + old, "-" + old, old + "0", old[:-1]])
    return text[:at.start()] + new + text[at.end():]


def mutate_text(text, rng):
    at = rng.randrange(len(text) + 1)
    kind = rng.randrange(5)
    if kind == 0:
        return text[:at]
    if kind == 1:
        return text[:at] + text[at + rng.randrange(1, 6):]
    if kind == 2:
        return text[:at] + rng.choice(BITS) + text[at:]
    if kind == 3:
        lines = text.splitlines(True) or [""]
        line = rng.randrange(len(lines))
        return "".join(lines[:line] + [lines[line]] * rng.choice([0, 2]) + lines[line + 1:])
    return text[:at] + text[max(0, at - rng.randrange(1, 60)):]


def mutate_folder(folder, rng):
    """A file is removed, renamed, or another one comes to be."""
    path = rng.choice(files_of(folder, rng) or [folder + "/labels/x.txt"])
    images = sorted(os.listdir(folder + "/images"))
    image = os.path.join(folder, "images", rng.choice(images))
    kind = rng.randrange(6)
    if kind == 0 and os.path.exists(path):
        os.remove(path)
    elif kind == 1 and os.path.exists(path):
        os.rename(path, re.sub(r"(\.\w+)$", rng.choice([r"-x\1", r"\1.bak", r".TXT", r".a\1"]), path))
    elif kind == 2:
        stem, suffix = os.path.splitext(image)
        copy = stem + rng.choice([".b" + suffix, ".png", ".jpeg", "-2" + suffix])
        if copy != image:
            shutil.copy(image, copy)
    elif kind == 3 and len(images) > 1:
        os.remove(image)
    elif kind == 4:
        with open(image, "r+b") as f:
            f.truncate(rng.choice([0, 1, 100, 2000]))
    else:
        with open(os.path.join(os.path.dirname(path), rng.choice(["classes.txt", "z.txt", "notes.txt", "z.xml"])), "w") as f:
            f.write(rng.choice(["cat\ndog\n", "", "0 0.5 0.5 0.1 0.1\n", "\n\n", "<annotation/>"]))
    return "folder"


def mutate(folder, rng):
    if rng.random() < 0.15:
        return mutate_folder(folder, rng)
    paths = files_of(folder, rng)
    if not paths:
        return "nothing"
    path = rng.choice(paths)
    with open(path, encoding="latin-1", newline="") as f:
        text = f.read()
    text = (mutate_tokens if rng.random() < 0.6 else mutate_text)(text, rng)
    with open(path, "w", encoding="latin-1", errors="replace", newline="") as f:
        f.write(text)
    return os.path.relpath(path, folder)


def main(lockstep, samples, n, seed=1):
    bad = refused = clean = 0
    make(lockstep, samples)
    for i in range(n):
        rng = random.Random(f"{seed}/{i}")
        kind = KINDS[i % len(KINDS)]
        labels = "mutated/" + ("Annotations" if kind == "voc" else "labels")
        shutil.rmtree("mutated", ignore_errors=True)
        shutil.rmtree("out", ignore_errors=True)
        shutil.copytree(kind, "mutated", ignore=lambda _, names: [f for f in names if f in (".lockstep", "run.json")])
        where = [mutate("mutated", rng) for _ in range(rng.choice([0, 1, 1, 1, 2, 3]))]
        check = subprocess.run([lockstep, "check", "-a", labels, "-i", "mutated/images"], capture_output=True, text=True,
                               errors="replace")
        run = subprocess.run([lockstep, "run", "-q", "-p", "steps.json", "-i", "mutated/images", "-a", labels, "-o", "out"],
                             capture_output=True, text=True, errors="replace")
        assert check.returncode in (0, 1, 4), (i, where, check)
        refused += run.returncode != 0
        clean += check.returncode == 0
        if (check.returncode == 0) != (run.returncode == 0) and not (run.returncode == 0 and check.returncode == 1):
            bad += 1
            shutil.copytree("mutated", f"disagree-{i}", dirs_exist_ok=True)
            print(f"{i}: {kind} {where}: check ends with {check.returncode}, and run with {run.returncode}:\n"
                  f"{check.stderr[:300]}{run.stderr[:400]}")
        elif check.returncode == 1 and run.returncode == 0 and os.environ.get("SHOW"):
            print(i, kind, where, check.stdout[-300:])
    print(f"{n} folders: run refused {refused}, check found no error in {clean}, {bad} disagreements")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 1))
