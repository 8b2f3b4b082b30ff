"""Expected output of `lockstep stats --json` for a COCO file, counted from the definitions alone.

Usage: dataset_stats.py ANNOTATIONS STATS   (compares; prints differences)
"""

import collections
import json
import math
import statistics
import sys

ASPECTS = [(1 / 5, 'below 1:5'), (1 / 3, '1:5 to 1:3'), (1 / 2, '1:3 to 1:2'), (2 / 3, '1:2 to 2:3'),
           (3 / 2, '2:3 to 3:2'), (2, '3:2 to 2:1'), (3, '2:1 to 3:1'), (5, '3:1 to 5:1'), (math.inf, 'from 5:1')]


def area_of(a):
    if 'area' in a:
        return a['area']
    return a['bbox'][2] * a['bbox'][3] if a.get('bbox') else None


def size_of(a):
    area = area_of(a)
    return 'unknown' if area is None else 'small' if area < 32**2 else 'medium' if area < 96**2 else 'large'


def aspect_of(a):
    box = a.get('bbox')
    if not box or box[2] <= 0 or box[3] <= 0:
        return 'unknown'
    return next(name for limit, name in ASPECTS if box[2] / box[3] < limit)


def fill_of(a):
    if 'area' not in a or aspect_of(a) == 'unknown':
        return 'unknown'
    share = a['area'] / (a['bbox'][2] * a['bbox'][3])
    tenth = min(math.floor(share * 10), 9)
    return 'above 1' if share > 1 else '0 to 0.1' if tenth == 0 else f'0.{tenth} to {"1" if tenth == 9 else f"0.{tenth + 1}"}'


def bin_of(n):
    if n < 2:
        return str(n)
    low = 2 ** int(math.log2(n))
    return '1024 or more' if low >= 1024 else f'{low}-{2 * low - 1}'


def spread(values):
    if not values:
        return dict.fromkeys(['least', 'median', 'mean', 'most'], 0)
    return {'least': min(values), 'median': statistics.median(values), 'mean': statistics.fmean(values), 'most': max(values)}


def count(data):
    images = {i['id']: i for i in data['images']}
    objects = data['annotations']
    of_image = collections.Counter(a['image_id'] for a in objects if a['image_id'] in images)
    sized = [i for i in data['images'] if i.get('width') and i.get('height')]
    heat = [[0] * 32 for _ in range(32)]
    for a in objects:
        image, box = images.get(a['image_id']), a.get('bbox')
        if image in sized and box:
            x = math.floor((box[0] + box[2] / 2) / image['width'] * 32)
            y = math.floor((box[1] + box[3] / 2) / image['height'] * 32)
            if 0 <= x < 32 and 0 <= y < 32:
                heat[y][x] += 1
    categories = {}
    for c in data['categories']:
        mine = [a for a in objects if a['category_id'] == c['id']]
        seen = collections.defaultdict(collections.Counter)
        for a in mine:
            for k, v in enumerate(a.get('keypoints', [])[2::3]):
                seen[k][v] += 1
        categories[c['id']] = {
            'name': c['name'], 'objects': len(mine), 'images': len({a['image_id'] for a in mine} & set(images)),
            'crowds': sum(a.get('iscrowd', 0) for a in mine), 'sizes': collections.Counter(map(size_of, mine)),
            'keypoints': [(c.get('keypoints', [None] * 99)[k], seen[k][2], seen[k][1], seen[k][0]) for k in sorted(seen)]}
    return {
        'images': len(data['images']), 'objects': len(objects),
        'boxes': sum(bool(a.get('bbox')) for a in objects),
        'polygons': sum(isinstance(a.get('segmentation'), list) and a['segmentation'] != [] for a in objects),
        'rle': sum(isinstance(a.get('segmentation'), dict) for a in objects),
        'with_keypoints': sum('keypoints' in a for a in objects),
        'crowds': sum(a.get('iscrowd', 0) for a in objects),
        'of_unknown_images': sum(a['image_id'] not in images for a in objects),
        'sizes': collections.Counter(map(size_of, objects)),
        'aspects': collections.Counter(map(aspect_of, objects)),
        'area_of_box': collections.Counter(map(fill_of, objects)),
        'images_by_objects': collections.Counter(bin_of(of_image[i]) for i in images),
        'objects_per_image': spread([of_image[i] for i in images]),
        'widths': spread([i['width'] for i in sized]), 'heights': spread([i['height'] for i in sized]),
        'image_sizes': collections.Counter((i['width'], i['height']) for i in sized),
        'images_without_size': len(images) - len(sized), 'positions': heat, 'categories': categories}


def same(a, b):
    if isinstance(a, (dict, collections.Counter)):
        return all(same(a.get(k, 0), b.get(k, 0)) for k in set(a) | set(b))
    if isinstance(a, float) or isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-12)
    return a == b


def main(annotations, stats):
    with open(annotations, encoding='utf-8') as file:
        want = count(json.load(file))
    with open(stats, encoding='utf-8') as file:
        got = json.load(file)
    got['image_sizes'] = {(s['width'], s['height']): s['images'] for s in got['image_sizes']}
    for c in got['categories']:
        c['keypoints'] = [(k['name'], k['visible'], k['hidden'], k['unlabelled']) for k in c.get('keypoints', [])]
    got['categories'] = {c.pop('id'): c for c in got['categories']}
    bad = [key for key in want if not same(want[key], got[key])]
    for key in bad:
        print(f'{key}: {want[key]} was expected, not {got[key]}')
    return 1 if bad or not want['objects'] else 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
