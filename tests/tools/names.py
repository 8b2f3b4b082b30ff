#!/usr/bin/env python3
"""Prints how lockstep answers the names of other libraries' transforms.

usage: names.py LOCKSTEP < NAMES

Each line of NAMES begins with a library and a name. Prints both and the answer: `own` if lockstep has a step of that
name, or the type of the step that it proposes. The answer is `none` if no step is its equal. A proposal that is no
valid step is marked with "does not read:".
"""
import json
import os
import re
import subprocess
import sys
import tempfile


def messages(lockstep, steps):
    """Returns the output of `schema --check` for a pipeline with each step, as text by the number of the step."""
    with tempfile.TemporaryDirectory() as folder:
        for number, step in enumerate(steps):
            with open(f"{folder}/{number}.json", "w", encoding="utf-8") as file:
                file.write(f'{{"version": 1, "transforms": [{step}]}}')
        files = [f"{number}.json" for number in range(len(steps))]
        done = subprocess.run([os.path.abspath(lockstep), "schema", "--check", *files], cwd=folder, text=True,
                              capture_output=True)
    said = {number: "" for number in range(len(steps))}
    for line in done.stderr.splitlines():
        found = re.match(r"(?:lockstep[a-z ]*: error: )?([0-9]+)\.json:", line)
        if found:
            said[int(found[1])] += line + "\n"
    good = {int(number) for number in re.findall(r"^([0-9]+)\.json: good$", done.stdout, re.MULTILINE)}
    for number, text in said.items():
        if (number in good) == bool(text):
            sys.exit(f"{steps[number]}: {'good, but: ' + text if text else 'neither good nor refused: ' + done.stderr}")
    return [said[number] for number in range(len(steps))]


def main(lockstep):
    lines = [line.split()[:2] for line in sys.stdin]
    answers, proposed = [], {}
    for number, said in enumerate(messages(lockstep, [json.dumps({"type": name}) for _, name in lines])):
        write = re.search(r"; write (\{.*\})", said)
        if "[step-unknown]" not in said:
            answers.append("own")
        elif "lockstep has no equivalent" in said:
            answers.append("none")
        elif write:
            proposed[number] = write[1].replace("[...]", '[{"type": "invert"}]')
            answers.append(re.search('"type": "([^"]*)"', proposed[number])[1])
        else:
            answers.append("?")
    for number, said in zip(proposed, messages(lockstep, list(proposed.values()))):
        if said:
            answers[number] = "does not read: " + answers[number]
    for (library, name), answer in zip(lines, answers):
        print(library, name, answer)


main(*sys.argv[1:])
