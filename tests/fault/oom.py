"""LOCKSTEP TOOLS WHO... [--sample N] [--seed SEED] [--from A] [--to B]: one allocation fails.

TOOLS has oom.so and make_families. WHO is the supervisor, each worker, or the threads that a worker's libraries
start. Allocation number n of WHO fails, for every n (from A to B) or for N of them. Then the run ends with exit code 8
and says why, or its result equals the result of an undisturbed run. Prints how often each outcome occurred, and for
which n first.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import png  # noqa: E402

WIDTH, HEIGHT = 96, 80  # of the images of make_families
NAMES = ("png-8.png", "jpeg-cmyk.jpg", "tiff-tiled.tif", "tiff-lzw.tif", "png-interlaced.png",
         "webp-lossy.webp", "gif.gif")


def write_inputs(tools):
    os.makedirs("made")
    subprocess.run([tools + "/make_families", "made"], check=True)
    os.makedirs("in")
    os.makedirs("masks")
    images, annotations = [], []
    mask = png.encode([[(x // 16 + y // 16) % 5 for x in range(WIDTH)] for y in range(HEIGHT)])
    for i, name in enumerate(NAMES):
        shutil.copy("made/" + name, "in/" + name)
        with open("masks/%s.png" % os.path.splitext(name)[0], "wb") as file:
            file.write(mask)
        images.append({"id": i, "file_name": name, "width": WIDTH, "height": HEIGHT})
        annotations.append({"id": 2 * i, "image_id": i, "category_id": 1, "bbox": [8, 9, 30, 31],
                            "area": 800, "iscrowd": 0,
                            "segmentation": [[8, 9, 38, 9, 38, 40, 20, 30, 8, 40]]})
        annotations.append({"id": 2 * i + 1, "image_id": i, "category_id": 1, "iscrowd": 1,
                            "bbox": [0, 0, 10, 80], "area": 800,
                            "segmentation": {"size": [HEIGHT, WIDTH],
                                             "counts": [0, 800, WIDTH * HEIGHT - 800]}})
    with open("a.json", "w") as file:
        json.dump({"images": images, "annotations": annotations,
                   "categories": [{"id": 1, "name": "thing"}]}, file)
    with open("p.json", "w") as file:
        json.dump({"version": 1, "seed": 7, "transforms": [
            {"type": "RandomHorizontalFlip", "p": 0.5},
            {"type": "RandomResizedCrop", "size": [64, 64]},
            {"type": "GaussianBlur", "kernel_size": 5}]}, file)


def tree(folder):
    found = {}
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.relpath(os.path.join(at, name), folder)
            if path != "run.json" and not path.startswith(".lockstep"):
                with open(os.path.join(folder, path), "rb") as file:
                    found[path] = file.read()
    return found


class Bench:
    def __init__(self, lockstep, tools, options):
        self.lockstep, self.library = lockstep, tools + "/oom.so"
        self.options = options

    def run(self, who, n):
        """Exit code, messages, the outputs if it is 0 or 1, allocations, how many failed."""
        out, told = "out-%s-%d" % (who, n), "told-%s-%d" % (who, n)
        with open(told, "wb") as file:
            file.write(bytes(16))
        env = dict(os.environ, LD_PRELOAD=self.library, OOM_AT=str(n), OOM_TOLD=told)
        if who != "supervisor":
            env["OOM_WORKER"] = "1"
        if who == "threads":
            env["OOM_THREADS"] = "1"
        command = [self.lockstep, "run", "-q", "-p", "p.json", "-i", "in", "-a", "a.json",
                   "--masks", "masks", "-o", out, "-j", "1"] + self.options
        try:
            p = subprocess.run(command, env=env, capture_output=True, timeout=20)
            code, said = p.returncode, p.stderr.decode(errors="replace")
        except subprocess.TimeoutExpired:
            code, said = None, "it hangs"
        made = tree(out) if code in (0, 1) else None
        with open(told, "rb") as file:
            allocations, failed = struct.unpack("QQ", file.read())
        os.remove(told)
        shutil.rmtree(out, ignore_errors=True)
        return code, said, made, allocations, failed


def judge(code, said, made, failed, want, skips):
    """Returns the outcome, and whether it is allowed."""
    last = re.sub(r"[0-9]+", "#", said.strip().split("\n")[0])[:90]
    if not failed:
        return "not reached", True
    if code == 0:
        return ("equal", True) if made == want else ("other outputs, exit 0", False)
    speaks = "out of memory" in said and "syntax" not in said
    if skips and code == 1:
        told = made.get("errors.jsonl", b"").decode()
        kept = all(made[path] == want[path] for path in made if path.startswith(("images/", "masks/")))
        lines = [json.loads(line) for line in told.splitlines()]
        good = kept and lines and all("out of memory" in line["message"] for line in lines)
        return ("skipped, out of memory" if good else "skipped: %s" % told[:120]), bool(good)
    if skips and code == 4: # no image could be done
        return "all skipped, out of memory", speaks
    return "exit %s: %s" % (code, last), code == 8 and speaks


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lockstep")
    parser.add_argument("tools")
    parser.add_argument("who", nargs="+", choices=("supervisor", "worker", "threads"))
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--from", type=int, default=1, dest="first")
    parser.add_argument("--to", type=int, default=sys.maxsize, dest="last")
    parser.add_argument("--on-error", default="fail")
    args = parser.parse_args()
    os.environ["LC_ALL"] = "C.UTF-8"
    faults = 0
    bench = Bench(os.path.abspath(args.lockstep), os.path.abspath(args.tools), ["--on-error", args.on_error])
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_inputs(bench.library[:-len("/oom.so")])
        for who in args.who:
            code, said, want, allocations, _ = bench.run(who, 0)
            if code:
                sys.exit("undisturbed: exit %d: %s" % (code, said))
            numbers = list(range(args.first, min(args.last, allocations) + 1))
            if args.sample:
                numbers = random.Random(args.seed).sample(numbers, min(args.sample, len(numbers)))
            seen, first = collections.Counter(), {}
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                runs = pool.map(lambda n: (n, bench.run(who, n)), sorted(numbers))
                for n, (code, said, made, _, failed) in runs:
                    what = judge(code, said, made, failed, want, args.on_error == "skip")
                    seen[what] += 1
                    first.setdefault(what, n)
            print("%s: %d of %d allocations" % (who, len(numbers), allocations))
            for (what, good), times in seen.most_common():
                print("%8d  %s%s (first: %d)" % (times, "" if good else "FAULT ", what, first[what, good]))
                faults += 0 if good else times
        os.chdir("/")
    print("%d faults" % faults)
    sys.exit(faults > 0)


main()
