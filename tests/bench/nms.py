"""The kernel of nms beside torchvision's on one thread, in turns: nms.py BENCH_NMS"""
import os
import subprocess
import sys
import tempfile
import time

import torch
import torchvision

torch.set_num_threads(1)
N, TURNS = 100_000, 2
print(f"{N} random boxes, IoU above 0.5; processor's seconds, the least of {TURNS} in turns; torchvision "
      f"{torchvision.__version__} on one thread")
for side in ("1", "0.1"):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "boxes")
        ours, theirs = [], []
        for _ in range(TURNS):
            done = subprocess.run([sys.argv[1], str(N), side, path], capture_output=True, text=True, check=True)
            ours.append(float(done.stderr))
            data = torch.frombuffer(bytearray(open(path, "rb").read()), dtype=torch.float32).reshape(-1, 5)
            begin = time.process_time()
            kept = torchvision.ops.nms(data[:, :4].contiguous(), data[:, 4].contiguous(), 0.5)
            theirs.append(time.process_time() - begin)
        differ = set(map(int, done.stdout.split())) ^ set(kept.tolist())
    print(f"sides up to {side:>4}: lockstep {min(ours):.3f}, torchvision {min(theirs):.3f} "
          f"({min(theirs) / min(ours):.0f} times as long); {len(kept)} stay, {len(differ)} differ")
