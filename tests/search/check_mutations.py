"""check_mutations.py: annotation files with random mutations: does check agree with run?

Usage: check_mutations.py LOCKSTEP SAMPLES N [SEED]. If check finds no error in a file, run must accept it; and if run
refuses a file, check must find an error. For some files, one of the images is damaged, too. Files are checked with
--headers or --pixels, the damaged ones with --pixels. Prints the files that break this rule, and leaves them in the
current folder.
"""
import copy
import json
import os
import random
import re
import shutil
import subprocess
import sys

NASTY = [None, True, False, 0, -1, 1, 2, 3, 0.5, 1e300, -1e9, 2**53, 2**53 + 1, 10**30, "", "1", "x", "NaN", [], [[]],
         {}, [1], [1, 2, 3, 4], [0, 0, 0, 0], [[1, 2], [3, 4], [5, 6]], {"size": [1, 1], "counts": "0"},
         {"size": [2, 2], "counts": [4]}, "\u0000", "\ud83d\ude00", "../x.jpg", 12.0, "12", [[1, 2, 3]], 1e-300]

NAMES = ["", ".", "/", "..", "hills", "hills/", "./{}", "hills/../{}", "/{}", "../images/{}", "{}/", "{}/x", "{}\u0000", "x/{}",
         "\u0000", "{}.jpg", "hills//0001.jpg", "hills\\0001.jpg", "\ud800", "\ufffd", "{} ", " {}", "~/{}", "C:{}",
         "{}[page=1]", "a" * 300, "%s", "{}?x", "file://{}", "\u001b[2J"]


def base(samples, rng):
    """A few images of the samples, with their annotations."""
    with open(os.path.join(samples, "annotations.json")) as f:
        d = json.load(f)
    d["images"] = rng.sample([i for i in d["images"]], 3)
    ids = {i["id"] for i in d["images"]}
    d["annotations"] = [a for a in d["annotations"] if a["image_id"] in ids]
    if rng.random() < 0.1:
        for a in d["annotations"]:
            a["keypoints"] = [1, 1, 2, 3, 3, 1]
            a["num_keypoints"] = 2
    return d


def nodes(value, out, path=()):
    """Containers and the keys in them."""
    children = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in children:
        out.append((value, key, path + (key,)))
        nodes(child, out, path + (key,))
    return out


def mutate_name(d, rng):
    """Another name for one of the images, which may be there or not."""
    images = d.get("images")
    images = [i for i in images if isinstance(i, dict)] if isinstance(images, list) else []
    if not images:
        return "no name"
    chosen = rng.choice(images)
    old = str(chosen.get("file_name"))
    other = str(rng.choice(images).get("file_name"))
    chosen["file_name"] = rng.choice([rng.choice(NAMES).replace("{}", old), other, old.upper(), old[1:], old[:-1],
                                      old.replace("jpg", "png"), os.path.basename(old), "hills/" + old,
                                      old[:len(old) // 2] + rng.choice("/.\u0000\u00e9 \n") + old[len(old) // 2:]])
    return "a name"


def damage(samples, d, rng):
    """A folder of images, `images`, with one of the document's damaged; which one."""
    shutil.rmtree("images", ignore_errors=True)
    shutil.copytree(samples + "/images", "images")
    name = "images/" + rng.choice(d["images"])["file_name"]
    with open(name, "rb") as file:
        data = bytearray(file.read())
    at = rng.randrange(len(data)) if rng.random() < 0.6 else rng.randrange(min(len(data), 700))
    kind = rng.randrange(5)
    if kind == 0:
        del data[at:]
    elif kind == 1:
        del data[at:at + rng.randrange(1, 9)]
    elif kind == 2:
        data[at:at] = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 9)))
    elif kind == 3:
        data[at] = rng.randrange(256)
    else:
        data[at:at + 64] = bytes(64)
    with open(name, "wb") as file:
        file.write(data)
    return f"{name} at {at}, kind {kind}"


def mutate_gently(d, rng):
    """Makes changes that are often valid: omits members, moves numbers a little, exchanges sides."""
    images = [i for i in d.get("images", ()) if isinstance(i, dict)] if isinstance(d.get("images"), list) else []
    annotations = d.get("annotations")
    annotations = [a for a in annotations if isinstance(a, dict)] if isinstance(annotations, list) else []
    chosen = rng.choice((images or annotations or [{}]) if rng.random() < 0.4 else (annotations or images or [{}]))
    outline = chosen.get("segmentation")
    kind = rng.randrange(5)
    if kind == 0:
        for key in rng.sample(sorted(chosen), min(2, len(chosen))):
            if key not in ("id", "image_id", "file_name"):
                del chosen[key]
    elif kind == 1:
        for key in ("bbox", "keypoints"):
            if isinstance(chosen.get(key), list) and chosen[key]:
                at = rng.randrange(len(chosen[key]))
                if isinstance(chosen[key][at], (int, float)):
                    chosen[key][at] += rng.choice([-1, 1, 0.25, 50, -50])
    elif kind == 2:
        chosen["width"], chosen["height"] = chosen.get("height"), chosen.get("width")
    elif kind == 3 and isinstance(outline, dict) and isinstance(outline.get("size"), list):
        outline["size"].reverse()
        for image in images:
            if rng.random() < 0.7:
                image.pop(rng.choice(["width", "height"]), None)
    elif kind == 4 and isinstance(outline, list) and outline and isinstance(outline[0], list) and outline[0]:
        at = rng.randrange(len(outline[0]))
        if isinstance(outline[0][at], (int, float)):
            outline[0][at] += rng.choice([-1, 1, 0.25, 300, -300])
    return f"gently {kind}"


def mutate_tree(d, rng):
    all_nodes = nodes(d, [])
    # A few lists of coordinates are most of a file: look at the shallow ones as often.
    shallow = [n for n in all_nodes if len(n[2]) <= 3]
    container, key, path = rng.choice(shallow if rng.random() < 0.6 else all_nodes)
    old = container[key]
    kind = rng.randrange(9)
    if kind == 0:
        del container[key]
    elif kind == 1:
        container[key] = copy.deepcopy(rng.choice(NASTY))
    elif kind == 2 and isinstance(old, (int, float)):
        container[key] = rng.choice([-old, old * 1000, old + 0.5, str(old), float(old), old * -1e-3, [old]])
    elif kind == 3 and isinstance(container, list):
        container.insert(key, copy.deepcopy(old))
    elif kind == 4 and isinstance(old, list) and len(old) > 1:
        del old[rng.randrange(len(old)):]
    elif kind == 5:
        other, k, _ = rng.choice(all_nodes)
        container[key] = copy.deepcopy(other[k]) if k in (other if isinstance(other, dict) else range(len(other))) else 0
    elif kind == 6 and isinstance(container, dict):
        container[rng.choice([key.upper(), key + "s", "_" + key, key[:-1]])] = container.pop(key)
    elif kind == 7:
        container[key] = [old]
    else:
        container[key] = copy.deepcopy(rng.choice(NASTY))
    return "/".join(map(str, path))


def mutate_text(text, rng):
    at = rng.randrange(len(text))
    kind = rng.randrange(6)
    if kind == 0:
        return text[:at]
    if kind == 1:
        return text[:at] + text[at + rng.randrange(1, 4):]
    if kind == 2:
        return text[:at] + rng.choice(list("{}[],:\"\\0-.e \n\x00\x80") + ["NaN", "//", "null"]).encode("latin-1").decode(
            "latin-1") + text[at:]
    if kind == 3:
        return text[:at] + chr(rng.randrange(256)) + text[at + 1:]
    if kind == 4:
        n = rng.randrange(1, 200)
        return text[:at + n] + text[at:]
    return text + rng.choice(["{}", "]", "\x00", " 1"])


def mutation(samples, rng):
    """Returns a text, the name of the mutation, and the folder of the images."""
    d = base(samples, rng)
    where, images = [], samples + "/images"
    damaged = rng.random() < 0.2
    if damaged:
        images = "images"
        where.append(damage(samples, d, rng))
    mutate = mutate_gently if rng.random() < 0.4 else mutate_tree
    where += [mutate(d, rng) for _ in range(rng.choice([0, 1, 1, 1, 2, 3]) if not damaged else 0)]
    if not damaged and rng.random() < 0.25:
        where.append(mutate_name(d, rng))
    text = json.dumps(d, separators=rng.choice([(",", ":"), (", ", ": ")]))
    if not where or not damaged and rng.random() < 0.1:
        text = mutate_text(text, rng)
        where.append("text")
    return text, where, images


def main(lockstep, samples, n, seed=1):
    bad = refused = clean = 0
    with open("steps.json", "w") as f:
        json.dump({"version": 1, "transforms": [{"type": "resize", "size": [40, 40]}]}, f)
    for i in range(n):
        rng = random.Random(f"{seed}/{i}")
        text, where, images = mutation(samples, rng)
        level = "--pixels" if images == "images" or rng.random() < 0.5 else "--headers"
        with open("mutated.json", "w", encoding="latin-1" if "\x80" in text else "utf-8", errors="replace") as f:
            f.write(text)
        shutil.rmtree("out", ignore_errors=True)
        check = subprocess.run([lockstep, "check", "mutated.json", "-i", images, level], capture_output=True,
                               text=True, errors="replace")
        run = subprocess.run([lockstep, "run", "-q", "-p", "steps.json", "-i", images, "-a", "mutated.json",
                              "-o", "out"], capture_output=True, text=True, errors="replace")
        assert check.returncode in (0, 1), (i, check)
        refused += run.returncode != 0
        clean += check.returncode == 0
        if check.returncode == 0 and run.returncode != 0:
            bad += 1
            shutil.copy("mutated.json", f"disagree-{i}.json")
            print(f"{i}: {where}: check {level} finds no error, and run ends with {run.returncode}:\n{run.stderr[:400]}")
    print(f"{n} files: run refused {refused}, check found no error in {clean}, {bad} disagreements")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 1))
