"""Do the tiles of dry runs agree with a slow program? Lines of a manifest come on stdin.

    tiles.py slices SIZE OVERLAP     along rows, as SAHI's get_slice_bboxes
    tiles.py grid ROWS COLUMNS OVERLAP     cells, and their overlaps
"""
import json
import sys


def pair(text):
    value = json.loads(text)
    return value if isinstance(value, list) else [value, value]


def slices(width, height, size, overlap):
    """[top, left, height, width], one after the other."""
    found, bottom, top = [], 0, 0
    while bottom < height:
        bottom, left, right = top + size[0], 0, 0
        while right < width:
            right = left + size[1]
            last, end = min(height, bottom), min(width, right)
            first, begin = max(0, last - size[0]), max(0, end - size[1])
            found.append([first, begin, last - first, end - begin])
            left = right - int(overlap[1] * size[1])
        top = bottom - int(overlap[0] * size[0])
    return found


def cells(length, n, overlap):
    for i in range(n):
        begin, end = i * length // n, (i + 1) * length // n
        more = int((end - begin) * overlap)
        begin, end = max(0, begin - more // 2), min(length, end + more - more // 2)
        yield begin, end - begin


def grid(width, height, n, overlap):
    return [[top, left, h, w] for top, h in cells(height, n[0], overlap[0])
            for left, w in cells(width, n[1], overlap[1])]


def main(kind, *rest):
    found = {}
    for line in map(json.loads, sys.stdin):
        crop = line["steps"][-1]
        tiles = found.setdefault((line["source"], line["copy"]), (line["size_in"], []))[1]
        assert line["branch"] == len(tiles)
        assert line["size_out"] == [crop["width"], crop["height"]]
        tiles.append([crop[name] for name in ("top", "left", "height", "width")])
    assert found
    for source, ((width, height), tiles) in found.items():
        if kind == "slices":
            wanted = slices(width, height, pair(rest[0]), pair(rest[1]))
        else:
            wanted = grid(width, height, [int(rest[0]), int(rest[1])], pair(rest[2]))
        assert tiles == wanted, (source, tiles[:8], wanted[:8])
        covered = {(y, x) for y in range(0, height, 7) for x in range(0, width, 7)}
        if len(tiles) < 300:
            covered -= {(y, x) for y, x in covered
                        if any(t <= y < t + h and left <= x < left + w for t, left, h, w in tiles)}
            assert not covered, f"{source}: {len(covered)} pixels are in no tile"


main(*sys.argv[1:])
