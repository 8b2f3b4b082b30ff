"""Options for annotations, with every format: each changes the output, is refused, or is reported as idle.

Usage: annotation_options.py LOCKSTEP settings | options Works in the current folder. Prints a line for each option: the
formats, each with its outcome.
"""
import collections
import filecmp
import json
import os
import pathlib
import shutil
import subprocess
import sys

import png

LOCKSTEP = sys.argv[1]
WIDTH, HEIGHT = 100, 80
NAMES = ["cat/a.png", "dog/b.png"]
TURN = [{"type": "rotate", "angle": 12}, {"type": "crop", "top": 5, "left": 15, "height": 70, "width": 75}]
JOIN = [{"type": "Mosaic", "target_size": [64, 64]}]
CUT = [{"type": "RandomCrop", "size": [66, 88]}]

# For each format: the arguments of the command line for annotations.
FORMATS = {
    "coco": ["-a", "coco.json"],
    "results": ["-a", "results.json", "--image-list", "coco.json"],
    "panoptic": ["-a", "panoptic.json"],
    "yolo": ["-a", "yolo"],
    "yolo-segment": ["-a", "outlines"],
    "yolo-pose": ["-a", "poses"],
    "voc": ["-a", "voc"],
    "table": ["-a", "labels.csv"],
    "folders": ["--labels", "folders"],
    "plain": [],
    "coco>yolo": ["-a", "coco.json", "--to", "yolo", "--lossy"],
    "coco>yolo-pose": ["-a", "coco.json", "--to", "yolo-pose", "--lossy"],
    "coco>voc": ["-a", "coco.json", "--to", "voc", "--lossy"],
    "voc>coco": ["-a", "voc", "--to", "coco", "--lossy"],
    "yolo-segment>coco": ["-a", "outlines", "--to", "coco", "--lossy"],
}

# Each setting of a pipeline's annotations: a value, the other settings, the steps, and more of the command line.
SETTINGS = {
    "min_area": (250, {}, TURN, []),
    "min_visibility": (0.9, {}, TURN, []),
    "min_size": (9, {}, TURN, []),
    "max_aspect": (2, {}, TURN, []),
    "boxes": ("hull", {}, TURN, []),
    "segmentation": ("rle", {}, TURN, []),
    "segmentation ": ("polygon", {}, TURN + [{"type": "polygon_to_rle"}], []),
    "keypoints": ("continuous", {}, TURN, []),
    "outside": ("keep", {}, [{"type": "crop", "top": 0, "left": 0, "height": 80, "width": 60}], []),
    "swap_labels": ([[1, 2]], {}, [{"type": "horizontal_flip"}], []),
    "swap_labels ": ([[1, 2]], {}, [{"type": "horizontal_flip"}], ["--masks", "masks"]),
    "drop_keys": (["difficult"], {}, TURN, []),
    "move_keys": ({"center": "point"}, {}, TURN, []),
    "camera": (["K"], {}, TURN, []),
    "camera_convention": ("continuous", {"camera": ["K"]}, TURN, []),
    "camera_rotation": ("decompose", {"camera": ["K"]}, TURN, []),
    "camera_mirror": ("refuse", {"camera": ["K"]}, [{"type": "horizontal_flip"}], []),
    "ids": ("dense", {}, JOIN, ["-v"]),
    "ids_per_image": (77, {}, JOIN, ["-v"]),
    "reject_image_if": ({"visibility_below": 0.95}, {}, CUT, []),
    "max_attempts": (1, {"reject_image_if": {"visibility_below": 0.8}}, CUT, ["-n", "8"]),
    "when_rejected": ("last", {"max_attempts": 1, "reject_image_if": {"visibility_below": 0.95}}, CUT, []),
}

FLIP = [{"type": "horizontal_flip"}]
LISTS = ["coco.json", "panoptic.json", "labels.csv"]

# Options of the command line: other options that they need, and changes of files: (files, old, new). None: they are removed.
OPTIONS = {
    "--to coco": ([], []),
    "--to yolo": (["--lossy"], []),
    "--to yolo-segment": (["--lossy"], []),
    "--to yolo-pose": (["--lossy"], []),
    "--to voc": (["--lossy"], []),
    "--lossy": ([], []),
    "--classes names.txt": (["--to", "coco"], []),
    "--one-hot one_hot.csv": ([], []),
    "--labels folders": ([], []),
    "--image-list coco.json": ([], []),
    "--compat lenient": ([], [(["coco.json"], "right_ear", "ear"), (["poses/data.yaml"], "flip_idx: [0, 2, 1]", "")]),
    "--compat strict": ([], [(["coco.json", "results.json", "panoptic.json"], '"iscrowd": 0', '"iscrowd": false'),
                             (["poses/data.yaml"], "flip_idx: [0, 2, 1]", ""),
                             (["yolo/data.yaml", "outlines/data.yaml"], None, None)]),
    "--masks masks": ([], []),
    "--mask-name {dir}/{stem}.png": ([], []),
    "--mask-name {dir}/{stem}_L.png": (["--masks", "named"], []),
    "--strip-prefix x/": ([], [(LISTS, f"{name[:4]}", f"x/{name[:4]}") for name in NAMES]),
    "--match basename": ([], [(LISTS, f"{name[:4]}", f"x/{name[:4]}") for name in NAMES]),
    "--categories dog": ([], []),
    "--voc-base 0": ([], []),
    "--trust file": ([], [(["coco.json", "panoptic.json"], f'"width": {WIDTH}', f'"width": {WIDTH + 1}'),
                          (["voc/cat/a.xml"], f"<width>{WIDTH}", f"<width>{WIDTH + 1}")]),
}


def objects(n=1):
    """An outline with keypoints, one near a corner, and a thin one; image 0 has one category."""
    shapes = [[10, 10, 60, 10, 60, 50, 40, 50, 10, 20], [70, 50, 98, 50, 84, 78], [40, 55, 44, 55, 44, 75, 40, 75]]
    for i, ring in enumerate(shapes):
        xs, ys = ring[::2], ring[1::2]
        box = [min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)]
        yield {"id": i + 1, "category_id": 1 + i * n % 2, "bbox": box, "area": box[2] * box[3] / 2, "iscrowd": 0,
               "segmentation": [ring], "keypoints": [xs[0], ys[0], 2, xs[1], ys[1], 2, 0, 0, 0], "num_keypoints": 2,
               "difficult": 1, "center": [box[0] + box[2] / 2, box[1] + box[3] / 2]}


def write(name, text):
    """A text file, and its folders."""
    path = pathlib.Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def yolo(folder, columns, more=""):
    """A folder of labels, with the columns of each object."""
    for n, name in enumerate(NAMES):
        lines = [" ".join(f"{v:g}" for v in [o["category_id"] - 1, *columns(o)]) for o in objects(n)]
        write(f"{folder}/{name[:-4]}.txt", "\n".join(lines) + "\n")
    write(f"{folder}/data.yaml", f"names: [cat, dog]\n{more}")


def shares(o):
    """A box as YOLO has it."""
    x, y, w, h = o["bbox"]
    return [(x + w / 2) / WIDTH, (y + h / 2) / HEIGHT, w / WIDTH, h / HEIGHT]


def points(o):
    """The outline's points as shares."""
    return [v / (HEIGHT if i % 2 else WIDTH) for i, v in enumerate(o["segmentation"][0])]


def pose(o):
    """A box and its keypoints."""
    k = o["keypoints"]
    return shares(o) + [k[i] / [WIDTH, HEIGHT, 1][i % 3] for i in range(9)]


def element(o):
    """An object of Pascal VOC."""
    x, y, w, h = o["bbox"]
    corners = {"xmin": x + 1, "ymin": y + 1, "xmax": x + w, "ymax": y + h}
    box = "".join(f"<{k}>{v}</{k}>" for k, v in corners.items())
    return (f"<object><name>{['cat', 'dog'][o['category_id'] - 1]}</name><difficult>1</difficult>"
            f"<center><x>{o['center'][0]}</x><y>{o['center'][1]}</y></center><bndbox>{box}</bndbox></object>")


def panoptic():
    """Segments that are boxes, and their pictures."""
    annotations = []
    for n, name in enumerate(NAMES):
        rows = [[0] * (3 * WIDTH) for _ in range(HEIGHT)]
        segments = []
        for o in objects(n):
            x, y, w, h = o["bbox"]
            for row in rows[y:y + h]:
                row[3 * x:3 * (x + w):3] = [o["id"]] * w
            segments.append({"id": o["id"], "category_id": o["category_id"], "iscrowd": 0, "area": w * h, "bbox": o["bbox"]})
        path = pathlib.Path("panoptic") / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(png.encode(rows, 3))
        annotations.append({"image_id": n + 1, "file_name": name, "segments_info": segments})
    return annotations


def draw():
    """The same dataset in every format."""
    images = [{"id": n + 1, "file_name": name, "width": WIDTH, "height": HEIGHT, "K": [90, 90, 50, 40]}
              for n, name in enumerate(NAMES)]
    names = ["nose", "left_ear", "right_ear"]
    categories = [{"id": n + 1, "name": name, "supercategory": "x", "keypoints": names, "isthing": 1}
                  for n, name in enumerate(["cat", "dog"])]
    annotations = [o | {"image_id": n + 1, "id": 10 * n + o["id"]} for n in range(len(NAMES)) for o in objects(n)]
    write("coco.json", json.dumps({"images": images, "annotations": annotations, "categories": categories}))
    write("results.json", json.dumps([a | {"score": 0.5} for a in annotations]))
    write("panoptic.json", json.dumps({"images": images, "annotations": panoptic(), "categories": categories}))
    yolo("yolo", shares)
    yolo("outlines", points)
    yolo("poses", pose, "kpt_shape: [3, 3]\nflip_idx: [0, 2, 1]\n")
    for n, name in enumerate(NAMES):
        for folder, end, channels in ("images", ".png", 3), ("masks", ".png", 1), ("named", "_L.png", 1):
            path = pathlib.Path(folder) / (name[:-4] + end)
            path.parent.mkdir(parents=True, exist_ok=True)
            row = [v for x in range(WIDTH) for v in ([x, 2 * x, 90] if channels == 3 else [1 + x // 50])]
            path.write_bytes(png.encode([row] * HEIGHT, channels))
        size = f"<size><width>{WIDTH}</width><height>{HEIGHT}</height><depth>3</depth></size>"
        write(f"voc/{name[:-4]}.xml", f"<annotation>{size}{''.join(map(element, objects(n)))}</annotation>\n")
    write("names.txt", "bird\ncat\ndog\n")
    write("labels.csv", "".join(f"{name},{name[:3]}\n" for name in NAMES))


def run(out, pipeline, more):
    """Returns the exit code of a run, and its stderr."""
    write("p.json", json.dumps(pipeline))
    shutil.rmtree(out, ignore_errors=True)
    done = subprocess.run([LOCKSTEP, "run", "-p", "p.json", "-i", "images", "-o", out, "-j1", "--progress", "none", *more],
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode not in range(5):
        sys.exit(f"{more} {pipeline}: exit code {done.returncode}: {done.stderr}")
    return done.returncode, done.stderr


def differ(a, b, aside):
    """True if two outputs differ, except in some files."""
    files = [sorted(str(p.relative_to(out)) for p in pathlib.Path(out).rglob("*") if p.is_file() and ".lockstep" not in p.parts)
             for out in (a, b)]
    return files[0] != files[1] or any(not filecmp.cmp(os.path.join(a, f), os.path.join(b, f), False)
                                       for f in files[0] if f not in aside)


def outcome(base, changed, idle, aside):
    """Returns the effect of an option: base and changed are (pipeline, more of the command line)."""
    code, said = run("base", *base)
    after, told = run("changed", *changed)
    if after:
        return "refused" if not code or after == code else f"exit code {after}"
    if code or differ("base", "changed", aside):
        return "effect"
    lists = [[line for line in text.splitlines() if "[to-lossy]" in line] for text in (said, told)]
    return "told" if (idle(told) and not idle(said)) or lists[0] != lists[1] else "SILENT"


def settings():
    """Each setting of a pipeline's annotations with each format."""
    for name, (value, others, steps, more) in SETTINGS.items():
        key = name.strip()
        found = {}
        for form, options in FORMATS.items():
            pipelines = [{"version": 1, "seed": 5, "annotations": rules, "transforms": steps}
                         for rules in (others, others | {key: value})]
            found[form] = outcome((pipelines[0], options + more), (pipelines[1], options + more),
                                  lambda said, key=key: any("[settings-idle]" in line and key in line.replace(",", " ").split()
                                                            for line in said.splitlines()),
                                  ["run.json", "manifest.jsonl"])
        yield " ".join([key, json.dumps(value), *(["(masks)"] if "--masks" in more else [])]), found


def options():
    """Each option of the command line with each format."""
    pipeline = {"version": 1, "seed": 5, "transforms": FLIP}
    for name, (others, edits) in OPTIONS.items():
        draw()
        for files, old, new in edits:
            for path in map(pathlib.Path, files):
                if old is None:
                    path.unlink()
                else:
                    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
        found = {}
        for form, more in FORMATS.items():
            if ">" in form or name == f"--to {form}" or name.split()[0] in more:
                continue
            given = [o for o in others if o != "--lossy"]
            pathlib.Path("one_hot.csv").unlink(True)
            found[form] = outcome((pipeline, more + given), (pipeline, more + others + name.split()), lambda _: False,
                                  ["run.json"])
            if pathlib.Path("one_hot.csv").exists():
                found[form] = "effect"
        yield " ".join([name, *others]), found


def main():
    """Print a line for each option; exit with 1 if one was silent."""
    draw()
    bad = 0
    for name, found in {"settings": settings, "options": options}[sys.argv[2]]():
        groups = collections.defaultdict(list)
        for form, what in found.items():
            groups[what].append(form)
            bad += what not in ("effect", "refused", "told")
        print(f"{name}: " + "; ".join(f"{what}: {' '.join(forms)}" for what, forms in sorted(groups.items())))
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
