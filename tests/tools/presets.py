#!/usr/bin/env python3
"""Compare the pipelines that are named after a training with the table of their sources.

    presets.py LOCKSTEP PIPELINES FACTS

FACTS is tests/golden/presets.txt, which describes its form. It names the source line of each value. Each pipeline whose
"$comment" cites a file of a repository must be in the table, and the reverse; it cites all the files. Each value of the
pipeline is in the table, and each value of the table is the pipeline's, written out or by default. The line has the
value's numbers, names and words, or the table gives the reason.
"""
import json
import pathlib
import re
import subprocess
import sys

LEFT_OUT = {"$comment", "ids"}  # keys that are not parameters of the training
ROW = re.compile(r"  (\S+) ([^#]*?)(?: # (.+))?$")


def leaves(step, place):
    """All that a step, or the section of annotations, writes out: (place, value)."""
    for key, value in step.items():
        if key in LEFT_OUT:
            continue
        if key in ("transforms", "donor_transforms"):
            for i, inner in enumerate(value):
                yield from leaves(inner, f"{place}.{key}[{i}]")
        else:
            yield f"{place}.{key}", value


def values_of(pipeline):
    found = dict(leaves(pipeline.get("annotations", {}), "annotations"))
    for i, step in enumerate(pipeline["transforms"]):
        found.update(leaves(step, f"[{i}]"))
    return found


def atoms(value):
    return [atom for item in value for atom in atoms(item)] if isinstance(value, list) else [value]


def is_in(value, line):
    """True if the line has each number and each word."""
    numbers = {float(n) for n in re.findall(r"\d+\.?\d*(?:e-?\d+)?", line)}
    letters = re.sub(r"[^a-z]", "", line.lower())
    return all(abs(a) in numbers if type(a) in (int, float) else re.sub(r"[^a-z]", "", str(a).lower()) in letters
               for a in atoms(value))


def read_facts(path):
    facts, name, source, line = {}, None, None, None
    for n, text in enumerate(path.read_text().splitlines(), 1):
        if not text or text.startswith("#"):
            continue
        if text.startswith("== "):
            name, source, line = text[3:], None, None
            facts[name] = {"sources": [], "rows": []}
        elif text.startswith("-- "):
            source, line = text[3:], None
            facts[name]["sources"].append(source.split(": "))
        elif text.startswith("| ") and source:
            line = text[2:]
        elif (row := ROW.match(text)) and line:
            facts[name]["rows"].append((n, row[1], json.loads(row[2]), row[3], line))
        else:
            sys.exit(f"{path}:{n}: no row of the table: {text}")
    return facts


def main(lockstep, folder, facts_path):
    facts = read_facts(pathlib.Path(facts_path))
    faults, held = [], 0
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        pipeline = json.loads(path.read_text())
        cites = re.search(r"[\w-]+/[\w-]+: [\w/.]+\.(py|yaml|md)\b", pipeline["$comment"])
        fact = facts.pop(path.stem, None)
        if not fact:
            faults += [f"{path.name} cites a source, and no fact has it"] if cites else []
            continue
        for repository, file in fact["sources"]:
            if f"{repository}: " not in pipeline["$comment"] or file not in pipeline["$comment"]:
                faults.append(f"{path.name} does not cite {repository}: {file}")
        written = values_of(pipeline)
        frozen = values_of(json.loads(subprocess.check_output([lockstep, "compile", "-p", str(path)])))
        for n, place, value, why, line in fact["rows"]:
            held += 1
            has = written.get(place, frozen.get(place))
            if has != value:
                faults.append(f"{facts_path}:{n}: {path.name} has {place} {json.dumps(has)}, not {json.dumps(value)}")
            if not why and not is_in(value, line):
                faults.append(f"{facts_path}:{n}: the line does not have {json.dumps(value)}, and nothing says why")
        told = {place for _, place, *_ in fact["rows"]}
        faults += [f"{path.name} has {place}, and no fact tells from where" for place in written if place not in told]
    faults += [f"there is no pipeline {name}" for name in facts]
    print("\n".join(faults) or f"{held} values are those of their sources")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
