"""mended.py: apply fixes to planted files. Afterwards nothing may be left to fix, and fixing again must change nothing.
Safe fixes must lose no element, and touch only values that findings name.

Usage: mended.py LOCKSTEP FOLDER TABLE [--unsafe-fixes]: the table and the folder of planted.py.
"""
import json
import os
import subprocess
import sys

LONG = "J015"  # files of 64 MiB


def check(lockstep, *options):
    done = subprocess.run([lockstep, "check", *options], capture_output=True, check=False)
    assert done.returncode <= 1, (options, done.returncode, done.stderr[:300])
    return done.stdout.decode()


def lengths(path):
    """Counts the different elements in the lists of a file; counts nothing if the file is not JSON."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            document = json.load(file)
    except ValueError:
        return {}
    if not isinstance(document, dict):
        return {}
    return {name: len(set(map(json.dumps, value))) for name, value in document.items() if isinstance(value, list)}


def read(path):
    with open(path, "rb") as file:
        return file.read()


def try_file(lockstep, file, options, unsafe):
    """The faults of mending a file, and whether it changed."""
    mended, again = (name + os.path.splitext(file)[1] for name in ("mended", "again"))
    for name in (mended, again):
        if os.path.exists(name):
            os.remove(name)
    check(lockstep, file, *options, "--fix", *unsafe, "-o", mended)
    left = [json.loads(line) for line in check(lockstep, mended, *options, "--output", "jsonl=-").splitlines()]
    kinds = {"safe", "unsafe"} if unsafe else {"safe"}
    faults = [f"{finding['rule']} is left" for finding in left if finding.get("fix") in kinds]
    check(lockstep, mended, *options, "--fix", *unsafe, "-o", again)
    if read(again) != read(mended):
        faults.append("mending it again changes it")
    if not unsafe and lengths(file) != lengths(mended):
        faults.append("elements are lost")
    return faults, read(file) != read(mended)


def main(lockstep, folder, table, *unsafe):
    bad = changed = 0
    os.chdir(folder)
    with open(table, encoding="utf-8") as lines:
        cases = [line.rstrip("\n").split("\t") for line in lines]
    for rule, _, file, _, options in cases:
        options = [] if options == "-" else options.split()
        if rule == LONG or "-a" in options or file == "-" or file.endswith("/"):  # -o takes a file; folders are not fixed
            continue
        faults, changes = try_file(lockstep, file, options, unsafe)
        changed += changes
        for fault in faults:
            bad += 1
            print(f"{file}: {fault}")
    print(f"{changed} files were mended")
    return bad or not changed


if __name__ == "__main__":
    sys.exit(1 if main(*sys.argv[1:]) else 0)
