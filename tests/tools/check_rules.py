#!/usr/bin/env python3
"""Runs `lockstep check` on planted files and prints each file that has other findings than it should.

usage: check_rules.py findings LOCKSTEP CASES TABLE
       check_rules.py explained LOCKSTEP
       check_rules.py fixes LOCKSTEP CASES

CASES is the folder, and TABLE the list, that check/planted.py writes. The exit status is 1 if a line was printed.
RULE=B009 or RULE='B*,S02*' in the environment restricts findings and explained to these rules.

findings   each file has exactly the rules of its line in TABLE, none twice at one place; each rule has a file with its
           fault and one without
explained  --explain gives each rule of --list, with what mends it
fixes      --fix leaves nothing that has a safe fix, and a second --fix changes nothing
"""
import fnmatch
import glob
import os
import re
import subprocess
import sys

bad = []
PATTERNS = os.environ.get("RULE", "*").split(",")


def call(lockstep, *words, at="."):
    return subprocess.run([lockstep, "check", *words], cwd=at, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def rules(done):
    """The ids in the report of a command, sorted."""
    return sorted(set(re.findall(r"^[^ ]*: [a-z]*\[([A-Z][0-9]*)\]: ", done.stdout, re.MULTILINE)))


def repeated(done):
    """The findings that a report has twice: the same rule at the same member."""
    found = re.findall(r"^([^ ]*: [a-z]*\[[A-Z][0-9]*\]: \S*)", done.stdout, re.MULTILINE)
    return sorted({line for line in found if found.count(line) > 1})


def listed(lockstep):
    return [line.split() for line in call(lockstep, "--list").stdout.splitlines()]


def tested(lockstep):
    return [line for line in listed(lockstep) if any(fnmatch.fnmatchcase(line[0], pattern) for pattern in PATTERNS)]


def check_findings(lockstep, cases, table):
    seen = set()
    with open(table, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    for rule, kind, name, wanted, options in lines:
        done = call(lockstep, *([name] if name != "-" else []), *(options.split() if options != "-" else []), at=cases)
        name = options if name == "-" else name
        got = ",".join(rules(done)) or "-"
        if done.returncode not in (0, 1):
            bad.append(f"{name} ({kind} of {rule}): exit {done.returncode}: {done.stderr}")
        elif got != wanted:
            bad.append(f"{name} ({kind} of {rule}): {got}, not {wanted}")
        for line in repeated(done):
            bad.append(f"{name} ({kind} of {rule}): reported twice: {line}")
        seen.add((rule, kind))
    for rule, *_ in tested(lockstep):
        if (rule, "fault") not in seen:
            bad.append(f"no file has the fault of {rule}")
        if (rule, "near") not in seen:
            bad.append(f"no file nearly has the fault of {rule}")
    return len(lines)


def check_explained(lockstep):
    found = tested(lockstep)
    for rule, *_ in found:
        done = call(lockstep, "--explain", rule)
        if done.returncode or not done.stdout.startswith(rule + " ") or "To mend it:" not in done.stdout:
            bad.append(f"{rule} is not explained")
    return len(found)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def check_fixes(lockstep, cases):
    safe = {line[0] for line in listed(lockstep) if line[2] == "safe"}
    files = sorted(glob.glob(f"{cases}/*.json"))
    for name in files:
        for old in glob.glob("once.json") + glob.glob("twice.json"):
            os.remove(old)
        once = call(lockstep, name, "--no-images", "--fix", "-o", "once.json")
        twice = call(lockstep, "once.json", "--fix", "-o", "twice.json", "--fail-on", "never")
        if once.returncode not in (0, 1) or twice.returncode:
            bad.append(f"{name}: exit {once.returncode}, then {twice.returncode}: {once.stderr}{twice.stderr}")
            continue
        left = safe.intersection(rules(twice))
        if left:
            bad.append(f"{name}: {' '.join(sorted(left))} is left")
        if read("once.json") != read("twice.json"):
            bad.append(f"{name}: --fix changes the file that it wrote")
    return len(files)


CHECKS = {"findings": check_findings, "explained": check_explained, "fixes": check_fixes}


def main(check, *words):
    count = CHECKS[check](*words)
    print("\n".join(bad))
    return 1 if bad or count < 100 and PATTERNS == ["*"] else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
