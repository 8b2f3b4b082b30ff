"""Count the outputs of a mosaic that change when one more image may be borrowed.

    donors_changed.py LOCKSTEP N ADDED

Takes a dataset of N images, and adds each of ADDED others separately. The mean number of outputs whose steps change may
be at most 1.2 times the number of borrowed images, 3. At least 1 / N of the draws change.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))
import png  # noqa: E402

DONORS, LIMIT = 3, 1.2


def outputs(lockstep):
    """The steps of each output, by the name of its image."""
    made = subprocess.run([lockstep, "run", "-q", "--dry-run", "-p", "mosaic.json", "-i", "images", "-o", "out"],
                          check=True, capture_output=True, text=True).stdout
    lines = [json.loads(line) for line in made.splitlines()]
    return {line["source"]: line["steps"] for line in lines}


def main():
    lockstep, n, added = os.path.abspath(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    changed = []
    os.mkdir("images")
    png.write("pixel.png", [[100] * 8 for _ in range(8)])
    with open("mosaic.json", "w", encoding="utf-8") as file:
        json.dump({"version": 1, "seed": 1, "transforms": [{"type": "Mosaic", "target_size": 16}]}, file)
    for i in range(n):
        shutil.copy("pixel.png", f"images/{i:06}.png")
    before = outputs(lockstep)
    assert len(before) == n
    for i in range(added):
        shutil.copy("pixel.png", f"images/added-{i}.png")
        after = outputs(lockstep)
        changed.append(sum(after[name] != steps for name, steps in before.items()))
        os.remove(f"images/added-{i}.png")
    mean = sum(changed) / added
    print(f"# one more of {n} images: {mean:.2f} outputs change, of {DONORS} borrowed images each "
          f"(mean of {added}; at most {LIMIT * DONORS:.1f})")
    return mean > LIMIT * DONORS or mean == 0


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    sys.exit(main())
