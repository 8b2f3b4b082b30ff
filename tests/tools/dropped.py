"""Check MaskDropout on near.bats's image: dropped.py IMAGE MASK OUT. In each output, one of two objects is painted with
77, and with 3 in the mask, at exactly the pixels whose center the object covers; prints which object.
"""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import png  # noqa: E402

COVERS = {
    1: lambda x, y: 2 <= x < 12 and 4 <= y < 12,
    2: lambda x, y: 60 < x < 90 and 40 < y < 60 and (x - 60) * 20 > (y - 40) * 30,
}
image, mask, out = sys.argv[1:]
for line in map(json.loads, open(f"{out}/manifest.jsonl")):
    gone = line["dropped"][0]["from"]
    assert len(line["dropped"]) == 1 and len(line["annotations"]) == 1, line
    before, after = png.rows(image), png.rows(f"{out}/{line['output']}")
    labels, relabelled = png.rows(mask), png.rows(f"{out}/{line['mask']}")
    edge = 0
    for y, row in enumerate(after):
        for x in range(len(row) // 3):
            covered = COVERS[gone](x + 0.5, y + 0.5)
            if gone == 2 and 60 <= x < 90 and abs((x + 0.5 - 60) * 20 - (y + 0.5 - 40) * 30) <= 20:
                edge += 1  # a pixel's middle on the slanted side, or near: either way
                covered = relabelled[y][x] == 3
            wanted = [77] * 3 if covered else list(before[y][3 * x:3 * x + 3])
            assert list(row[3 * x:3 * x + 3]) == wanted, (gone, x, y, row[3 * x:3 * x + 3], wanted)
            assert relabelled[y][x] == (3 if covered else labels[y][x]), (gone, x, y)
    assert edge < 70, edge
    print(gone)
