"""Large images: a flip, a table and a resize to a quarter of the pixels, compared with libvips, which streams, and
OpenCV.

Arguments: LOCKSTEP, the program of vips_chain.c, and ROUNDS (5). Takes an image of 12 megapixels and one of 50. Prints
the wall time of a whole process on one thread, in seconds: a median of the rounds, which run in turns. Also prints the
peak memory in decoded images, minus the peak for an image of 16 x 16. OpenCV's clock and memory start after its import.
Required: at most 2.5 decoded images.
"""
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time

TINY, SIZES = (16, 16), ((4000, 3000), (8160, 6144))
MOST = 2.5


def draw(path, w, h):
    """Waves and a little noise, as bench_ops draws them."""
    import cv2
    import numpy as np
    x, y = np.arange(w, dtype=np.float32)[None, :], np.arange(h, dtype=np.float32)[:, None]
    noise = np.random.default_rng(1)
    image = np.empty((h, w, 3), np.uint8)
    for b in range(3):
        v = 0.5 + 0.4 * np.sin(x * 0.05 + b) * np.cos(y * 0.04) + 0.1 * noise.random((h, w), np.float32)
        image[:, :, b] = v * 255
    cv2.imwrite(path, image, [cv2.IMWRITE_JPEG_QUALITY, 95])


def process(command):
    """Seconds, and the bytes it held at most."""
    start = time.monotonic()
    child = subprocess.Popen(command)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = status
    if status:
        sys.exit(f"failed: {command[0]}")
    return time.monotonic() - start, used.ru_maxrss * 1024


def opencv(path, out):
    """Prints its time and memory to stdout."""
    import cv2
    import numpy as np
    cv2.setNumThreads(1)
    before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.monotonic()
    image = cv2.flip(cv2.imread(path), 1)
    image = cv2.LUT(image, np.clip(np.arange(256) * 1.2 + 0.5, 0, 255).astype(np.uint8))
    image = cv2.resize(image, (image.shape[1] // 2, image.shape[0] // 2), interpolation=cv2.INTER_AREA)
    cv2.imwrite(out, image, [cv2.IMWRITE_JPEG_QUALITY, 95])
    print(time.monotonic() - start, (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024)


def apart(*arguments):
    """Runs in a separate process: a process counts the peak memory of the process that started it."""
    done = subprocess.run([sys.executable, __file__, *arguments], check=True, capture_output=True, text=True)
    return tuple(float(v) for v in done.stdout.split())


def main():
    lockstep, chain, rounds = sys.argv[1:] + ["5"][len(sys.argv) - 3:]
    print(f"{rounds} rounds, medians; seconds of a process, one thread; memory at most, in decoded images ({MOST} required)")
    print(f"{'':<12} {'lockstep':>8} {'memory':>7} {'libvips':>9} {'times':>6} {'memory':>7} {'OpenCV':>9} {'times':>6} {'memory':>7}")
    over, base = [], {}
    with tempfile.TemporaryDirectory() as folder:
        image, out, pipeline = (os.path.join(folder, n) for n in ("image.jpg", "out", "pipeline.json"))
        for w, h in (TINY, *SIZES):
            apart("draw", image, str(w), str(h))
            steps = [{"type": "horizontal_flip"}, {"type": "adjust_brightness", "brightness_factor": 1.2},
                     {"type": "resize", "size": [h // 2, w // 2]}]
            with open(pipeline, "w") as file:
                json.dump({"version": 1, "transforms": steps, "optimize": "exact", "output": {"format": "jpeg", "quality": 95}}, file)
            sides = {
                "lockstep": lambda: process([lockstep, "run", "-q", "-p", pipeline, "-i", image, "-o", out, "-j", "1",
                                             "--durability", "none", "--overwrite"]),
                "libvips": lambda: process([chain, image, os.path.join(folder, "vips.jpg")]),
                "OpenCV": lambda: apart("opencv", image, os.path.join(folder, "opencv.jpg")),
            }
            results = {name: [] for name in sides}
            for _ in range(int(rounds)):
                for name, side in sides.items():
                    results[name].append(side())
            seconds = {n: statistics.median(s for s, _ in r) for n, r in results.items()}
            memory = {n: statistics.median(m for _, m in r) for n, r in results.items()}
            base = base or memory
            if (w, h) == TINY:
                continue
            memory = {n: (m - base[n]) / (w * h * 3) for n, m in memory.items()}
            line = f"{w} x {h:<5} {seconds['lockstep']:8.3f} {memory['lockstep']:7.2f}"
            for name in ("libvips", "OpenCV"):
                line += f" {seconds[name]:9.3f} {seconds['lockstep'] / seconds[name]:6.2f} {memory[name]:7.2f}"
            print(line, flush=True)
            if memory["lockstep"] > MOST:
                over.append(f"{memory['lockstep']:.2f} decoded images of {w} x {h}")
    print("Not as required: " + ", ".join(over) if over else "All as required.")


if sys.argv[1] == "opencv":
    opencv(*sys.argv[2:])
elif sys.argv[1] == "draw":
    draw(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
else:
    main()
