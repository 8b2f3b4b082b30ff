#!/usr/bin/env python3
"""Every op with the values at which it must change nothing. Pixels of every kind and all labels must equal, byte for
byte, the output of a pipeline without steps.

Usage: identity.py LOCKSTEP, in an empty folder.
"""

import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import png  # noqa: E402
WIDTH, HEIGHT = 23, 17
# Name: bands, bits, PNG's colour type.
KINDS = {
    "gray8": (1, 8, 0), "gray16": (1, 16, 0), "graya8": (2, 8, 4), "graya16": (2, 16, 4),
    "rgb8": (3, 8, 2), "rgb16": (3, 16, 2), "rgba8": (4, 8, 6), "rgba16": (4, 16, 6),
}
COLOURED = [kind for kind in KINDS if kind.startswith("rgb")]
BYTES = [kind for kind in KINDS if kind.endswith("8")]
GRAY = [kind for kind in KINDS if kind.startswith("gray")]

CORNERS = [[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]]
WINDOW = {"top": 0, "left": 0, "height": HEIGHT, "width": WIDTH}
# For each op, the values that change nothing, and on which images unless on all.
NEUTRAL = {
    "adapt_distribution": {"stamp": ""},
    "adjust_brightness": {"brightness_factor": 1},
    "adjust_contrast": {"contrast_factor": 1},
    "adjust_gamma": {"gamma": 1},
    "adjust_hue": {"hue_factor": 0},
    "adjust_saturation": {"saturation_factor": 1},
    "adjust_sharpness": {"sharpness_factor": 1},
    "affine": {},
    "additive_noise": {"ranges": [[0, 0]]},
    "advanced_blur": {"kernel_size": 1},
    "bilateral_blur": {"d": 1},
    "box_blur": {"kernel_size": 1},
    "center_crop": {"output_size": [HEIGHT, WIDTH]},
    "chromatic_aberration": {},
    "clamp_bounding_boxes": {},
    "clamp_keypoints": {},
    "coarse_dropout": {"holes": []},
    "color_matrix": {"red": [1, 0, 0], "green": [0, 1, 0], "blue": [0, 0, 1]},
    "crop": WINDOW,
    "displace": {"grid": [2, 3], "dx": [0] * 6, "dy": [0] * 6},
    "downscale": {"scale": 1},
    "draw_text": {},
    "edge_detect": {"alpha": 0},
    "elastic": {"alpha": 0},
    "emboss": {"alpha": 0},
    "erase": {"i": HEIGHT, "j": 0, "h": 4, "w": 4, "v": 9},
    "fancy_pca": {"alpha": [0, 0, 0]},
    "gaussian_blur": {"kernel_size": 1},
    "gravel": {},
    "grayscale_to_rgb": ({}, COLOURED),
    "grid_dropout": {"unit": 8, "hole": 4, "top": HEIGHT, "left": 0},
    "grid_distortion": {"steps_x": [1, 1, 1], "steps_y": [1, 1]},
    "illumination": {"intensity": 0},
    "adapt_spectrum": {"stamp": ""},
    "join": {"height": HEIGHT, "width": WIDTH, "inputs": [{}]},
    "keep_centers": WINDOW,
    "median_blur": {"kernel_size": 1},
    "mix": {"inputs": [[], []]},
    "morphology": {"kernel_size": 1},
    "match_histogram": {"stamp": ""},
    "motion_blur": {"kernel_size": 1},
    "optical_distortion": {"k": 0},
    "overlay": {"stamp": ""},
    "pad": {"padding": 0},
    "plasma_brightness_contrast": {},
    "plasma_shadow": {"intensity": 0},
    "permute_channels": ({"permutation": [0, 1, 2]}, COLOURED),
    "perspective": {"startpoints": CORNERS, "endpoints": CORNERS},
    "pixel_dropout": {"dropout_prob": 0},
    "posterize": ({"bits": 8}, BYTES),
    "resize": {"size": [HEIGHT, WIDTH]},
    "resized_crop": {**WINDOW, "size": [HEIGHT, WIDTH]},
    "rgb_to_grayscale": ({"num_output_channels": 1}, GRAY),
    "ringing": {"kernel_size": 1, "cutoff": 1},
    "rot90": {"k": 4},
    "roi_align": {"box": [0, 0, WIDTH, HEIGHT], "size": [HEIGHT, WIDTH], "aligned": True},
    "rotate": {"angle": 360},
    "sanitize_bounding_boxes": {},
    "sanitize_keypoints": {},
    "scale_bands": {"factor": [1, 1, 1]},
    "scale_by_mean": {"factor": 1, "mean_factor": 0},
    "sharpen": {"alpha": 0},
    "set_image_label": {},
    "shift_hsv": {},
    "shift_rgb": {},
    "rescale_intensity": ({"in": [0, 255]}, BYTES),
    "superpixels": {"p_replace": 0},
    "topdown_affine": {"center": [WIDTH / 2, HEIGHT / 2], "scale": [WIDTH, HEIGHT], "size": [HEIGHT, WIDTH]},
    "to_dtype": ({"dtype": "uint8", "scale": True}, BYTES),
    "tone_curve": {"low_y": 1 / 3, "high_y": 2 / 3},
    "unsharp_mask": {"kernel_size": 3, "alpha": 0},
    "fog": {"intensity": 0},
    "fog_puffs": {"fog_coef": 0},
    "lens_flare": {"x": 4, "y": 4, "radius": 5, "color": 0},
    "frost": {"image_share": 1, "frost_share": 0},
    "plasma_fog": {"strength": 0},
    "impulse_noise": {"amount": 0},
    "speckle_noise": {"sigma": 0},
    "motion_streak": {"radius": 0, "sigma": 1},
    "zoom_blur": {"max_factor": 1},
    "pixelate": {"scale": 1},
    "saturate": {},
    "scale_contrast": {"factor": 1},
    "gaussian_noise": {"mean": 0, "sigma": 0},
    "iso_noise": {"intensity": 0},
    "multiply_noise": {"multiplier": [1, 1]},
    "salt_and_pepper": {"amount": 0},
    "shadow": {"points": [[1, 1], [9, 1], [5, 7]], "intensity": 0},
    "snow": {"snow_point": 0.5, "brightness_coeff": 1},
    "sun_flare": {"x": 4, "y": 4, "radius": 5, "strength": 0},
    "batched_nms": {"iou_threshold": 1, "default_score": 1},
    "clip_boxes": {},
    "decode_boxes": {},
    "encode_boxes": {},
    "paste_masks": {},
    "keep_top_k": {"k": 3, "default_score": 1},
    "mask_nms": {"iou_threshold": 1, "default_score": 1},
    "drop_categories": {},
    "rename_categories": {},
    "merge_categories": {"from": ["thing"], "into": ["thing"]},
    "nms": {"iou_threshold": 1, "default_score": 1},
    "remap_categories": {"from": ["thing"], "to": ["thing"]},
    "remove_small_boxes": {"min_size": 2},
    "rle_to_polygon": {},
    "warp_affine": {},
    "score_threshold": {"threshold": 0, "default_score": 1},
    "simplify_polygons": {"tolerance": 0},
    "keep_objects": {"objects": [0, 1, 2]},
    "tile": {"size": 500, "overlap": 0, "max_outputs": 1},
}
# Ops that no values keep from changing something.
NEVER = ["autocontrast", "box_to_polygon", "channel_dropout", "clahe", "defocus", "equalize", "equalize_luma",
         "five_crop", "glass_blur", "gray", "gray_pca", "he_stain", "horizontal_flip",
         "invert", "jpeg", "log_contrast", "normalize", "object_crops", "per_object", "poisson_noise", "polygon_to_rle", "rain", "shot_noise",
         "sigmoid_contrast", "snow_texture", "snowfall", "soft_nms", "solarize", "spatter", "ten_crop", "transpose",
         "vertical_flip", "webp", "weighted_boxes_fusion"]

failed = []


def check(good, what):
    if not good:
        failed.append(what)
        print("not so:", what)


def write_png(path, bands, bits, colour_type):
    state, body = 1, b""
    for _ in range(HEIGHT):
        body += b"\0"
        for _ in range(WIDTH * bands * bits // 8):
            state = (1103515245 * state + 12345) % 2**31
            body += bytes([state >> 16 & 255])
    with open(path, "wb") as out:
        out.write(png.assemble(WIDTH, HEIGHT, bits, colour_type, body))


def annotations_of(kinds):
    """A box, polygons with keypoints, and run lengths, with numbers that no float has exactly."""
    labels = [
        {"bbox": [0.1, 0.3, 22.7, 16.6], "area": 376.82},
        {"bbox": [2.1, 1.7, 18.2, 12.6], "area": 101.3, "segmentation": [[2.1, 1.7, 20.3, 5.1, 7.7, 14.3]],
         "num_keypoints": 2, "keypoints": [0, 0, 2, 22.3, 16.1, 1, 0, 0, 0]},
        {"bbox": [0, 2, 2, 15], "area": 18, "iscrowd": 1,
         "segmentation": {"size": [HEIGHT, WIDTH], "counts": [2, 18, HEIGHT * WIDTH - 20]}},
    ]
    return {
        "images": [{"id": i, "file_name": f"{kind}.png", "width": WIDTH, "height": HEIGHT} for i, kind in enumerate(kinds)],
        "categories": [{"id": 1, "name": "thing", "keypoints": ["left_eye", "right_eye", "nose"], "skeleton": []}],
        # Ids as pipelines that join images number them.
        "annotations": [{"id": 100000 * i + k, "image_id": i, "category_id": 1, "iscrowd": 0, **label}
                        for i in range(len(kinds)) for k, label in enumerate(labels, 1)],
    }


def write_json(path, what):
    with open(path, "w") as out:
        json.dump(what, out)


def prepare(folder, kinds):
    os.makedirs(f"{folder}/in")
    os.makedirs(f"{folder}/masks")
    for kind in kinds:
        write_png(f"{folder}/in/{kind}.png", *KINDS[kind])
        write_png(f"{folder}/masks/{kind}.png", *KINDS["gray8"])
    write_json(f"{folder}/in.json", annotations_of(kinds))


def outcome(lockstep, folder, steps):
    """All images and the annotations, as bytes by their names."""
    out = f"{folder}/out"
    write_json("steps.json", {"version": 1, "seed": 7, "transforms": steps})
    run = subprocess.run([lockstep, "run", "-q", "--overwrite", "-p", "steps.json", "-i", f"{folder}/in", "-a",
                          f"{folder}/in.json", "--masks", f"{folder}/masks", "-o", out], capture_output=True, text=True)
    if run.returncode != 0:
        return {"error": run.stderr}
    files = [os.path.join(at, name) for at, _, names in os.walk(out) for name in names]
    return {f: open(f, "rb").read() for f in files if f.endswith(".png") or os.path.basename(f) == "annotations.json"}


def compare(name, before, after):
    if "error" in after:
        check(False, f"{name}: {after['error']}")
        return
    check(before.keys() == after.keys(), f"{name}: the same files")
    for file in before.keys() & after.keys():
        check(before[file] == after[file], f"{name}: {file} is as it was")


def main(lockstep):
    listed = json.loads(subprocess.check_output([lockstep, "list", "ops", "--json"]))
    names = {entry["name"] for entry in listed}
    stated = set(NEUTRAL) | set(NEVER)
    check(names == stated, f"every op is stated: {sorted(names ^ stated)}")
    untouched = {}
    for name, step in NEUTRAL.items():
        step, kinds = step if isinstance(step, tuple) else (step, list(KINDS))
        folder = "-".join(kinds)
        if folder not in untouched:
            prepare(folder, kinds)
            untouched[folder] = outcome(lockstep, folder, [])
            check("error" not in untouched[folder], untouched[folder].get("error"))
        compare(name, untouched[folder], outcome(lockstep, folder, [{"type": name, **step}]))
    print(f"{len(NEUTRAL)} ops, {len(failed)} failed")
    return 1 if failed or not NEUTRAL else 0


sys.exit(main(sys.argv[1]))
