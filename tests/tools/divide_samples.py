#!/usr/bin/env python3
"""divide_samples.py SAMPLES DIR: writes the samples as COCO folders: annotations/instances_train2017.json and
train2017/ with two thirds of the images, val2017 with the others."""
import json
import os
import shutil
import sys

samples, root = sys.argv[1:]
whole = json.load(open(samples + "/annotations.json"))
images = whole["images"]
cut = len(images) * 2 // 3
os.makedirs(root + "/annotations")
for part, own in (("train2017", images[:cut]), ("val2017", images[cut:])):
    ids = {image["id"] for image in own}
    for image in own:
        to = f"{root}/{part}/{image['file_name']}"
        os.makedirs(os.path.dirname(to), exist_ok=True)
        shutil.copy(f"{samples}/images/{image['file_name']}", to)
    annotations = [a for a in whole["annotations"] if a["image_id"] in ids]
    with open(f"{root}/annotations/instances_{part}.json", "w") as file:
        json.dump(dict(whole, images=own, annotations=annotations), file)
