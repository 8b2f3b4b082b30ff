#!/usr/bin/env python3
"""Checks the output of `describe --all` for every entry, as text and as JSON.

usage: described.py CHECK TEXT JSON [WHOLE | SCRIPT]

TEXT and JSON are the outputs of `describe --all` and `describe --all --json`. Each fault is a line that begins with the
name of the entry; the exit status is 1 if there is one. CHECK is one of:

origin      a step's first lines say which library it comes from
parameters  no line is longer than 80 columns, and each parameter of the JSON begins a line of the text
shortcuts   each shortcut has its bound on the entry's page and in WHOLE, which is `help optimize`; all 5 are met
sections    a step's page has targets and an example
examples    writes SCRIPT, shell code that writes the pipeline of each printed example to NAME.json, and the command
            that reads the pipeline to NAME.command
"""
import json
import re
import shlex
import sys

faults = []


def fault(name, text):
    faults.append(f"{name}: {text}")


def split_pages(lines, names):
    """Returns the lines of each entry's page. A page starts with "NAME - ", after an empty line."""
    starts, at = [], 0
    for name in names:
        while at < len(lines) and not (lines[at].startswith(f"{name} - ") and (at == 0 or not lines[at - 1])):
            at += 1
        if at == len(lines):
            sys.exit(f"{name}: no page that begins with \"{name} - \" follows the page of the entry before")
        starts.append(at)
    return [lines[a:b] for a, b in zip(starts, [*starts[1:], len(lines)])]


def squeeze(lines):
    return re.sub("[ \n]+", " ", "\n".join(lines))


def check_origin(entry, page):
    end = next((i for i, line in enumerate(page) if re.match("PARAMETERS|COMMON", line)), len(page))
    if not any(re.match(r"  (From (torchvision|Albumentations|YOLO|MMDetection)|lockstep's own\.)", line)
               for line in page[:end]):
        fault(entry["name"], "the text does not say where it comes from")


def check_parameters(entry, page):
    for line in page:
        if len(line) > 80:
            fault(entry["name"], f"a line is longer than 80 columns: {line}")
    begun = {found[1] for found in (re.match("  ([^ ]+)", line) for line in page) if found}
    for parameter in entry["parameters"]:
        if parameter["name"] not in begun:
            fault(entry["name"], f"no line of the text begins with the parameter {parameter['name']}")


def check_shortcuts(entries, pages, whole):
    met = set()
    for entry, page in zip(entries, pages):
        for shortcut in entry.get("shortcuts", []):
            name = shortcut["name"]
            bound = (f"mean squared error at most {shortcut['loss']} times the error of mode none, plus 1"
                     if shortcut.get("loss") else f"PSNR at least {shortcut['psnr']} dB")
            wanted = re.compile(f" {re.escape(name)} [^;]*(; on planes[^;]*)?; {re.escape(bound)}")
            for text, where in ((squeeze(page), "its page"), (whole, "help optimize")):
                if not wanted.search(text):
                    fault(entry["name"], f"{where} does not give the shortcut {name} with \"{bound}\"")
            met.add(name)
    if len(met) != 5:
        fault("all", f"the shortcuts are {' '.join(sorted(met))}, not 5")


def check_sections(entry, page):
    for section in ("TARGETS", "EXAMPLE"):
        if section not in page:
            fault(entry["name"], f"the text has no section {section}")


def example(entry, page):
    """Returns shell code that writes the printed pipeline to NAME.json and the printed command to NAME.command."""
    if "EXAMPLE" not in page:
        return fault(entry["name"], "the text has no section EXAMPLE")
    lines = [line[2:] for line in page[page.index("EXAMPLE") + 1:] if line]
    if not re.match(" *lockstep run -p - -i images -o out", lines[-1]) or not lines[-2].endswith(" |"):
        return fault(entry["name"], "the example does not end with a pipe to lockstep run")
    code, command = "\n".join(lines[:-1])[:-2], lines[-1].strip()
    return (f"name={entry['name']}\n"
            f"eval {shlex.quote(code)} > $name.json || echo \"$name: its example is not valid shell code\"\n"
            f"echo {shlex.quote(command)} > $name.command\n")


def main(check, text, listed, extra=None):
    with open(listed, encoding="utf-8") as file:
        entries = json.load(file)
    with open(text, encoding="utf-8") as file:
        pages = split_pages(file.read().split("\n"), [entry["name"] for entry in entries])
    steps = [(entry, page) for entry, page in zip(entries, pages) if entry["kind"] in ("transform", "op")]
    if len(steps) < 300:
        fault("all", f"{len(steps)} steps are few")
    if check == "origin":
        for entry, page in steps:
            check_origin(entry, page)
    elif check == "parameters":
        for entry, page in zip(entries, pages):
            check_parameters(entry, page)
    elif check == "shortcuts":
        with open(extra, encoding="utf-8") as file:
            check_shortcuts(entries, pages, squeeze(file.read().split("\n")))
    elif check == "sections":
        for entry, page in steps:
            check_sections(entry, page)
    elif check == "examples":
        with open(extra, "w", encoding="utf-8") as file:
            file.writelines(example(entry, page) or "" for entry, page in steps)
    else:
        sys.exit(__doc__)
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
