"""Camera matrices of image records after runs.

    cameras.py golden LOCKSTEP FILE     vectors made by another program: every step, and every decomposed product
    cameras.py random LOCKSTEP SEED     random pipelines, and points in space. The new cameras project the points to
                                        their pixels as moved by annotations.move_keys, and to dots in the images.

Works in the current folder.
"""
import json
import math
import os
import pathlib
import random
import subprocess
import sys

import png

PIPELINES, IMAGES, POINTS, WIDTH, HEIGHT, REACH = 40, 8, 300, 96, 72, 7


def run(lockstep, pipeline, records, objects):
    """Runs a pipeline; the images of the result."""
    categories = [{"id": 1, "name": "thing", "supercategory": "all"}]
    pathlib.Path("in.json").write_text(json.dumps({"images": records, "annotations": objects,
                                                   "categories": categories}), "utf-8")
    pathlib.Path("p.json").write_text(json.dumps({"version": 1, **pipeline}), "utf-8")
    subprocess.run([lockstep, "run", "-q", "-p", "p.json", "-i", "images", "-a", "in.json", "-o", "out", "--overwrite",
                    "--progress", "none"], check=True)
    return json.loads(pathlib.Path("out/annotations.json").read_text("utf-8"))


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def near(a, b, slack, what):
    """Checks two matrices, element by element."""
    assert len(a) == len(b) and all(len(x) == len(y) for x, y in zip(a, b)), (what, a, b)
    assert all(abs(x - y) <= slack for row, other in zip(a, b) for x, y in zip(row, other)), (what, a, b)


def near_scaled(a, b, what):
    """The same up to a positive factor, to 1e-9 of the largest element."""
    size, largest = (max(abs(x) for row in m for x in row) for m in (a, b))
    near([[x / size for x in row] for row in a], [[x / largest for x in row] for row in b], 1e-9, what)


def check_decomposed(case, image, name):
    """The pose that a run has written beside the matrix; none where the product is upper triangular."""
    wanted, value = case["decomposed"], image["camera"]
    if name + "_rotation" not in image:
        near_scaled(value, case["expected"], case["id"])
        assert [row[:i] for i, row in enumerate(value)] == [[], [0], [0, 0]], case["id"]
        return
    intrinsics = image[name + "_intrinsics"] if case["kind"] == "P3x4" else value
    near(intrinsics, wanted["K"], 1e-9 * max(abs(x) for row in wanted["K"] for x in row), case["id"])
    near(image[name + "_rotation"], wanted["R"], 1e-9, case["id"])
    if case["kind"] == "P3x4":
        near_scaled(value, case["expected"], case["id"])
        near([image[name + "_translation"]], [wanted["t"]], 1e-9 * max(1, *map(abs, wanted["t"])), case["id"])


def golden(lockstep, path):
    cases = [json.loads(line) for line in pathlib.Path(path).read_text("utf-8").splitlines()]
    cases = [case for case in cases if case["kind"] != "rq"]  # tests/unit/test_camera.c
    turned = 0
    os.mkdir("images")
    for height, width in {tuple(case["canvas"]) for case in cases}:
        png.write(f"images/{width}x{height}.png", [bytes(width)] * height)
    for case in cases:
        height, width = case["canvas"]
        record = {"id": 1, "file_name": f"{width}x{height}.png", "width": width, "height": height,
                  "camera": case["input"]}
        for rotation in ("matrix", "decompose"):
            rules = {"camera": ["camera"], "camera_convention": case["convention"], "camera_rotation": rotation}
            image = run(lockstep, {"annotations": rules, "transforms": case["steps"]}, [record], [])["images"][0]
            assert [image["height"], image["width"]] == case["expected_canvas"], case["id"]
            if case["kind"] == "fxfycxcy":
                near([image["camera"]], [case["expected"]], 1e-9 * max(map(abs, case["expected"])), case["id"])
            elif rotation == "matrix":
                near_scaled(image["camera"], case["expected"], case["id"])
            else:
                check_decomposed(case, image, "camera")
                turned += "camera_rotation" in image
    assert turned > 40, turned
    print(f"{len(cases)} cases, {turned} decomposed")


def rotation(rng):
    """A random rotation by less than half a radian about each axis."""
    matrix = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    for i, j in ((0, 1), (0, 2), (1, 2)):
        angle = rng.uniform(-0.5, 0.5)
        turn = [[float(r == c) for c in range(3)] for r in range(3)]
        turn[i][i] = turn[j][j] = math.cos(angle)
        turn[i][j], turn[j][i] = -math.sin(angle), math.sin(angle)
        matrix = product(turn, matrix)
    return matrix


def project(matrix, point):
    x, y, w = (sum(a * b for a, b in zip(row, point)) for row in matrix)
    assert w > 0, (matrix, point)
    return [x / w, y / w]


def random_steps(rng):
    """Steps that move pixels, at most six, each fit for any canvas."""
    steps = [lambda: {"type": "RandomCrop", "size": [rng.randint(40, 90), rng.randint(40, 90)], "pad_if_needed": True},
             lambda: {"type": "pad", "padding": [rng.randint(0, 9) for _ in range(4)]},
             lambda: {"type": "Resize", "size": [rng.randint(50, 120), rng.randint(50, 120)]},
             lambda: {"type": "RandomResizedCrop", "size": [rng.randint(50, 120), rng.randint(50, 120)],
                      "scale": [0.3, 0.9]},
             lambda: {"type": "horizontal_flip"},
             lambda: {"type": "vertical_flip"},
             lambda: {"type": "rot90", "k": rng.randint(0, 3)},
             lambda: {"type": "transpose"},
             lambda: {"type": "center_crop", "output_size": [rng.randint(40, 90), rng.randint(40, 90)]},
             lambda: {"type": "RandomRotation", "degrees": 180, "expand": rng.random() < 0.5,
                      "interpolation": "bilinear"},
             lambda: {"type": "RandomAffine", "degrees": 30, "translate": [0.2, 0.2], "scale": [0.7, 1.4],
                      "shear": [-15, 15, -15, 15], "interpolation": "bilinear"},
             lambda: {"type": "RandomPerspective", "distortion_scale": 0.3, "p": 1}]
    chosen = [rng.choice(steps)() for _ in range(rng.randint(1, 6))]
    if rng.random() < 0.2:
        chosen.append({"type": "five_crop", "size": [40, 40]})
    return chosen


def random_record(rng, number, convention):
    """A record with its camera, an object with the pixels of points, another around the dot, and the points."""
    half = 0.5 if convention == "index" else 0
    focal = [rng.uniform(60, 200), rng.uniform(60, 200)]
    k = [[focal[0], 0, rng.uniform(30, 60)], [0, focal[1], rng.uniform(25, 50)], [0, 0, 1]]
    turn, shift = rotation(rng), [rng.uniform(-2, 2) for _ in range(3)]
    pose = [row + [t] for row, t in zip(turn, shift)]
    seen = []
    for i in range(POINTS):
        pixel = [rng.uniform(-0.2, 1.2) * WIDTH, rng.uniform(-0.2, 1.2) * HEIGHT] if i else [
            rng.uniform(0.3, 0.7) * WIDTH, rng.uniform(0.3, 0.7) * HEIGHT]
        depth = rng.uniform(2, 40)
        own = [(pixel[0] - k[0][2]) / k[0][0] * depth, (pixel[1] - k[1][2]) / k[1][1] * depth, depth]
        moved = [a - b for a, b in zip(own, shift)]
        world = [sum(turn[r][c] * moved[r] for r in range(3)) for c in range(3)]
        seen.append((own, world))
    marks = [v + half for own, _ in seen for v in project(k, own)]
    name = f"{number}.png"
    write_dot(f"images/{name}", marks[:2])
    p = product(k, pose)
    record = {"id": number, "file_name": name, "width": WIDTH, "height": HEIGHT, "K": k, "flat": sum(k, []),
              "four": [k[0][0], k[1][1], k[0][2], k[1][2]], "calib": {"P2": sum(p, []), "P": p}}
    entry = {"id": number, "image_id": number, "category_id": 1, "iscrowd": 1, "area": WIDTH * HEIGHT,
             "bbox": [0, 0, WIDTH, HEIGHT], "marks": marks}
    dot = {**entry, "id": number + IMAGES, "iscrowd": 0, "area": 4 * REACH ** 2,
           "bbox": [marks[0] - REACH, marks[1] - REACH, 2 * REACH, 2 * REACH]}
    del dot["marks"]
    return record, [entry, dot], seen


def write_dot(path, center):
    """A bright dot on black; the place is continuous."""
    png.write(path, [bytes(round(255 * max(0, 1 - math.hypot(x + 0.5 - center[0], y + 0.5 - center[1]) / REACH))
                           for x in range(WIDTH)) for y in range(HEIGHT)])


def rows_of(flat, columns):
    return [flat[i:i + columns] for i in range(0, len(flat), columns)]


def matrices(image, decomposed):
    """The written cameras as (matrix, whether it projects points of the world)."""
    calib, four = image["calib"], image["four"]
    found = [(image["K"], "K"), (rows_of(image["flat"], 3), "flat"),
             ([[four[0], 0, four[2]], [0, four[1], four[3]], [0, 0, 1]] if isinstance(four[0], (int, float)) else four,
              "four")]
    for matrix, name in found:
        pose = image.get(name + "_rotation")
        assert not pose or decomposed
        yield (product(matrix, pose) if pose else matrix), False
    yield calib["P"], True
    yield rows_of(calib["P2"], 4), True
    if "P_rotation" in calib:
        pose = [row + [t] for row, t in zip(calib["P_rotation"], calib["P_translation"])]
        yield product(calib["P_intrinsics"], pose), True


def check_dot(path, box, at):
    """The dot in this box is at this continuous place."""
    _, width, _, samples = png.read(path)
    left, top, right, bottom = box[0] - 1, box[1] - 1, box[0] + box[2] + 1, box[1] + box[3] + 1
    lit = [(v, i % width + 0.5, i // width + 0.5) for i, v in enumerate(samples) if v]
    dot = [d for d in lit if left < d[1] < right and top < d[2] < bottom]
    total = sum(v for v, _, _ in dot)
    center = [sum(d[0] * d[axis] for d in dot) / total for axis in (1, 2)]
    assert math.dist(center, at) < 0.03 * max(box[2:]), (path, box, center, at)


def check_output(image, marks, seen, convention, decomposed):
    """The points of one output; returns the place of the first."""
    half = 0.5 if convention == "index" else 0
    size = max(image["width"], image["height"])
    for matrix, of_world in matrices(image, decomposed):
        for (own, world), x, y in zip(seen, marks[::2], marks[1::2]):
            pixel = project(matrix, world + [1] if of_world else own)
            slack = 1e-9 * max(size, abs(x), abs(y))
            assert abs(pixel[0] + half - x) <= slack and abs(pixel[1] + half - y) <= slack, (image, pixel, x, y)
    return [v + half for v in project(image["calib"]["P"], seen[0][1] + [1])]


def run_random(lockstep, seed):
    rng = random.Random(seed)
    points = dots = 0
    os.mkdir("images")
    for number in range(PIPELINES):
        convention, decomposed = rng.choice(["index", "continuous"]), rng.random() < 0.5
        made = [random_record(rng, i + 1, convention) for i in range(IMAGES)]
        rules = {"camera": ["K", "flat", "four", "calib.P2", "calib.P"], "camera_convention": convention,
                 "camera_rotation": "decompose" if decomposed else "matrix", "move_keys": {"marks": "point"},
                 "min_visibility": 0.9999}  # a dot that is cut has no object
        result = run(lockstep, {"seed": number, "annotations": rules, "transforms": random_steps(rng),
                                "output": {"format": "png"}}, [m[0] for m in made], sum((m[1] for m in made), []))
        marks = {entry["image_id"]: entry["marks"] for entry in result["annotations"] if "marks" in entry}
        boxes = {entry["image_id"]: entry["bbox"] for entry in result["annotations"] if "marks" not in entry}
        fan_out = len(result["images"]) // IMAGES
        for image in result["images"]:
            seen = made[image["id"] // fan_out - 1][2]
            if image["id"] not in marks:  # nothing of the image is left
                continue
            place = check_output(image, marks[image["id"]], seen, convention, decomposed)
            points += len(seen)
            if image["id"] in boxes:
                check_dot("out/images/" + image["file_name"], boxes[image["id"]], place)
                dots += 1
    assert points >= 100000 and dots > 100, (points, dots)
    print(f"{points} points, {dots} dots")


if __name__ == "__main__":
    {"golden": golden, "random": run_random}[sys.argv[1]](sys.argv[2], sys.argv[3])
