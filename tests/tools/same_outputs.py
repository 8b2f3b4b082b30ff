#!/usr/bin/env python3
"""Compare what two builds of lockstep write for the same jobs.

    same_outputs.py OLD NEW [-j JOBS] [--corpus DIR] [--only PATTERN]

OLD and NEW are paths of the command. The jobs are: each pipeline of pipelines/ on samples/; the example of each op and
transform; the jobs of `make demo`; conversions to each format; datasets in tars; and, with --corpus, the pipelines of
tests/bench on a corpus of tests/bench (images/ and annotations.json). Each build runs each job in a folder of its own.
Exit codes and all files must be equal byte for byte, except run.json: its versions, times and paths are ignored.
Messages are not compared; of the findings of `check`, the codes are. The exit code is 1 if something differs.
"""
import argparse
import concurrent.futures
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(TESTS)
SAMPLES = ROOT + "/samples"
COCO = "-i SAMPLES/images -a SAMPLES/annotations.json --masks SAMPLES/masks"
IGNORED = {"lockstep", "versions", "version", "started", "finished", "seconds", "command", "host", "paths", "argv", "libraries"}
FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
FLOATS = {"convertimagedtype", "normalize", "todtype", "tofloat", "to_dtype"}  # only TIFF holds their samples
NEEDS_STAMPS = re.compile(r"stamp|HistogramMatching|PixelDistribution|FDA|OverlayElements|match_|spectrum", re.I)


def find_examples(lockstep):
    """Yields (name, pipeline) for each op and transform, with and without annotations of the same pipeline."""
    said = subprocess.run([lockstep, "describe", "--all", "--json"], capture_output=True, text=True, check=True).stdout
    for entry in json.loads(said):
        if entry["kind"] in ("op", "transform"):
            pipeline = {"version": 1, "seed": 5, "transforms": [dict(entry["example"], p=1.0)]}
            if entry["name"].lower() in FLOATS:
                pipeline["output"] = {"format": "tiff"}
            yield entry["name"], pipeline


def make_jobs(lockstep, corpus):
    """Returns name: (pipeline or None, command lines); OUT is where results are written."""
    jobs = {}
    for path in sorted(glob.glob(ROOT + "/pipelines/*.json")):
        jobs["pipeline " + os.path.basename(path)] = None, [
            "run -p %s %s -n 2 -o OUT/labels" % (path, COCO), "run -p %s -i SAMPLES/images -n 2 -o OUT/images" % path,
            "run -p %s %s -n 2 -o OUT/fast --optimize fast" % (path, COCO)]
    for name, pipeline in find_examples(lockstep):
        extra = " --stamps STAMPS" if NEEDS_STAMPS.search(json.dumps(pipeline)) else ""
        extra += " --font %s" % FONT if "text" in json.dumps(pipeline).lower() else ""
        jobs["example " + name] = pipeline, [
            "run -p PIPELINE %s -n 2 -o OUT/labels%s" % (COCO, extra), "run -p PIPELINE -i SAMPLES/images -o OUT/images%s" % extra]
    detection = ROOT + "/pipelines/detection.json"
    jobs["demo"] = None, ["run -p %s %s -o OUT/out -n 4" % (detection, COCO),
                          "preview -p %s -i SAMPLES/images -a SAMPLES/annotations.json -n 4 -o OUT/sheet.png" % detection]
    for form in "coco", "yolo", "yolo-segment", "yolo-pose", "voc":
        jobs["to " + form] = None, ["run -p %s %s --lossy --to %s -o OUT/out" % (detection, COCO, form)]
    jobs["tars"] = None, ["run -p %s %s --out-format webdataset --shard-size 3 -o OUT/tars --checksums" % (detection, COCO)]
    jobs["shards"] = None, ["run -p %s %s --shard %d/2 -o OUT/out -n 2" % (detection, COCO, i) for i in (0, 1)] + ["merge OUT/out"]
    large = {"version": 1, "transforms": [{"type": "remove_small_boxes", "min_size": 20}]}
    jobs["labels"] = large, ["labels -p PIPELINE -a SAMPLES/annotations.json -o OUT/labels.json"]
    jobs["split"] = None, ["split -a SAMPLES/annotations.json --ratio 3:1 -o OUT/parts"]
    jobs["stats"] = None, ["stats SAMPLES/annotations.json --json"]
    jobs["check"] = None, ["check -a SAMPLES/annotations.json -i SAMPLES/images --output jsonl"]
    if corpus:
        for path in sorted(glob.glob(TESTS + "/bench/*.json")):
            jobs["corpus " + os.path.basename(path)] = None, [
                "run -p %s -i %s/images -a %s/annotations.json -o OUT/out" % (path, corpus, corpus)]
    return jobs


def without(value):
    if isinstance(value, dict):
        return {name: without(each) for name, each in value.items() if name not in IGNORED}
    return [without(each) for each in value] if isinstance(value, list) else value


def read_result(folder):
    """Returns path: hash of all files below a folder."""
    found = {}
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            with open(path, "rb") as file:
                data = file.read()
            if name == "run.json":
                text = json.dumps(without(json.loads(data)), sort_keys=True).replace(folder, "OUT")
                data = text.encode()
            elif name == "SHA256SUMS":
                data = re.sub(rb"(?m)^.*run\.json\n", b"", data)
            found[os.path.relpath(path, folder)] = hashlib.sha256(data).hexdigest()
    return found


def run_job(lockstep, job, folder, stamps):
    pipeline, lines = job
    os.makedirs(folder)
    place = os.path.dirname(folder) + "/pipeline.json"  # the same for both builds: run.json names it
    if pipeline:
        with open(place, "w", encoding="utf-8") as file:
            json.dump(pipeline, file)
    codes = []
    for line in lines:
        words = [word.replace("SAMPLES", SAMPLES).replace("STAMPS", stamps).replace("PIPELINE", place).replace("OUT", folder)
                 for word in line.split()]
        options = ["-j", "1", "--durability", "none"] if words[0] == "run" else []
        done = subprocess.run([lockstep, *words, *options], capture_output=True, check=False)
        codes.append(done.returncode)
        if words[0] in ("stats", "check"):
            found = re.findall(rb'"(?:rule|code)": ?"[^"]*"', done.stdout) if words[0] == "check" else [done.stdout]
            codes.append(hashlib.sha256(b"\n".join(found)).hexdigest())
    return codes, read_result(folder)


def compare(name, job, builds, top, stamps):
    at = tempfile.mkdtemp(dir=top)
    try:
        (old_codes, old), (new_codes, new) = (run_job(build, job, "%s/%s" % (at, who), stamps) for who, build in builds)
    finally:
        shutil.rmtree(at)
    rows = ["%s: exit codes %s and %s" % (name, old_codes, new_codes)] if old_codes != new_codes else []
    rows += ["%s: %s differs" % (name, path) for path in sorted(old.keys() | new.keys()) if old.get(path) != new.get(path)]
    return rows, len(new), new_codes.count(0) > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", metavar="OLD")
    parser.add_argument("new", metavar="NEW")
    parser.add_argument("-j", type=int, default=os.cpu_count(), dest="jobs")
    parser.add_argument("--corpus", type=os.path.abspath)
    parser.add_argument("--only", type=re.compile, default=re.compile(""))
    args = parser.parse_args()
    builds = [("old", os.path.abspath(args.old)), ("new", os.path.abspath(args.new))]
    jobs = {name: job for name, job in make_jobs(builds[1][1], args.corpus).items() if args.only.search(name)}
    if not jobs:
        sys.exit("no job matches")
    n_files = n_bad = n_idle = 0
    with tempfile.TemporaryDirectory(prefix="same-outputs-") as top:
        stamps = top + "/stamps"
        subprocess.run([sys.executable, TESTS + "/tools/stamps.py", stamps], check=True)
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            todo = {pool.submit(compare, name, job, builds, top, stamps): name for name, job in jobs.items()}
            for done in concurrent.futures.as_completed(todo):
                rows, n, works = done.result()
                n_files += n
                n_bad += bool(rows)
                if not works:
                    n_idle += 1
                    print("%s: no command ends with 0" % todo[done])
                for row in rows:
                    print(row)
    print("%d jobs, %d files: %d jobs differ; %d never end with 0" % (len(jobs), n_files, n_bad, n_idle))
    return 1 if n_bad else 0


if __name__ == "__main__":
    sys.exit(main())
