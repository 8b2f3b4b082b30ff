"""About a tenth of check's rules as a script does them: json and, for images, Pillow.

Usage: check.py LEVEL ANNOTATIONS [IMAGES]   (LEVEL: no-images, headers, pixels)
"""

import collections
import json
import os
import sys


def twice(elements):
    return [i for i, n in collections.Counter(e['id'] for e in elements).items() if n > 1]


def check_annotations(data, found):
    images = {i['id']: i for i in data['images']}
    categories = {c['id']: c for c in data['categories']}
    used = set()
    for key in ('images', 'annotations', 'categories'):
        found[f'{key}: id twice'] += len(twice(data[key]))
    for a in data['annotations']:
        image = images.get(a['image_id'])
        found['unknown image'] += image is None
        found['unknown category'] += a['category_id'] not in categories
        used.add(a['category_id'])
        box = a.get('bbox', [])
        if len(box) != 4 or not all(isinstance(v, (int, float)) for v in box):
            found['box is no box'] += 1
        elif image:
            x, y, w, h = box
            found['negative size'] += w < 0 or h < 0
            found['zero size'] += w == 0 or h == 0
            found['outside'] += x >= image['width'] or y >= image['height'] or x + w <= 0 or y + h <= 0
            found['partly outside'] += x < -1 or y < -1 or x + w > image['width'] + 1 or y + h > image['height'] + 1
        outline = a.get('segmentation')
        if isinstance(outline, list):
            for polygon in outline:
                found['odd polygon'] += len(polygon) % 2
                found['short polygon'] += len(polygon) < 6
            found['crowd of polygons'] += a.get('iscrowd', 0) == 1
        found['no area'] += a.get('area', 0) <= 0
    found['unused category'] += len(set(categories) - used)


def check_images(data, folder, pixels, found):
    from PIL import Image
    for image in data['images']:
        path = os.path.join(folder, image['file_name'])
        if not os.path.exists(path):
            found['missing file'] += 1
            continue
        try:
            with Image.open(path) as opened:
                found['other size'] += opened.size != (image['width'], image['height'])
                if pixels:
                    opened.load()
        except OSError:
            found['undecodable'] += 1


def main(level, annotations, folder=''):
    found = collections.Counter()
    with open(annotations, encoding='utf-8') as file:
        data = json.load(file)
    check_annotations(data, found)
    if level != 'no-images':
        check_images(data, folder, level == 'pixels', found)
    for name, n in sorted(found.items()):
        print(f'{n:8} {name}')


if __name__ == '__main__':
    main(*sys.argv[1:])
