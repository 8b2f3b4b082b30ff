"""Compare verdicts of the JSON Schema and of the tool. Usage: schema_agrees.py LOCKSTEP FOLDER

Wraps the example of every transform and op into a pipeline, and breaks each in many ways. Compares the verdict of the
schema, through python3-jsonschema, with the verdict of the tool, through `lockstep schema --check`. Both must accept
good pipelines, and both must refuse a single wrong value. The schema may accept a broken rule between values, which no
schema can state; the tool must never accept what the schema refuses.
"""

import copy
import json
import multiprocessing
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import jsonschema

LOCKSTEP, FOLDER = sys.argv[1], Path(sys.argv[2])


def ask(*words):
    out = subprocess.run([LOCKSTEP, *words], capture_output=True, check=True, text=True)
    return json.loads(out.stdout)


def pipeline(step, **more):
    return {"version": 1, "transforms": [step], **more}


def bounds(schema):
    """Every number schema inside: (lowest, highest), None where there is none."""
    if isinstance(schema, list):
        for item in schema:
            yield from bounds(item)
    elif isinstance(schema, dict):
        if schema.get("type") in ("number", "integer") or {"minimum", "exclusiveMinimum"} & set(schema):
            yield schema
        for item in schema.values():
            yield from bounds(item)


def wrong_values(parameter):
    """Values that nothing in the row allows."""
    schema = parameter["schema"]
    text = json.dumps(schema)
    if parameter["kind"] not in ("rejection", "key kinds", "donors"):
        yield {}
    yield [[]] if parameter["kind"] != "chains" else [[{}]]
    if parameter["kind"] not in ("choice", "text"):
        yield "many"
    if parameter["kind"] == "choice":
        yield "no such word"
    if parameter["kind"] == "text":
        yield 3
    if parameter["kind"] != "bool":
        yield True
    if '"null"' not in text:
        yield None
    numbers = list(bounds(schema))
    if numbers and '"steps"' not in text:
        many = {"weights": [-1] * 99, "numbers": [1] * 9999}.get(parameter["kind"], [1] * 99)
        if len(many) > schema.get("maxItems", 0):
            yield many
    lows = [n.get("minimum", n.get("exclusiveMinimum")) for n in numbers]
    highs = [n.get("maximum") for n in numbers]
    if numbers and None not in lows:
        yield min(lows) - 1
    if numbers and None not in highs:
        yield max(highs) + 1
    if "exclusiveMinimum" in text:
        yield min(lows)
    if numbers and all(n["type"] == "integer" for n in numbers):
        yield (lows[0] or 0) + 0.5
    if '"multipleOf"' in text:  # odd ones only
        yield 2 * ((lows[0] or 0) // 2 + 1)


def good_values(parameter):
    if "default" in parameter:
        yield parameter["default"]
    for choice in parameter.get("choices", []):
        yield choice["word"]


def cases():
    """Yields (pipeline, expected verdict of the schema, expected verdict of the tool; None: either)."""
    steps = [e for e in ask("list", "--json") if "example" in e]
    common = [p for p in ask("describe", "pipeline", "--json")["parameters"] if p["name"] == "seed"]
    assert len(steps) > 20 and common
    seen = set()
    for e in steps:
        good = e["example"]
        yield pipeline(good), True, True
        yield pipeline({**good, "id": "x", "p": 0.25, "x-note": [1], "$comment": "why"}), True, True
        yield pipeline({**good, "no_such_key": 1}), False, False
        yield pipeline({**good, "p": 1.5}), False, False
        yield pipeline({**good, "p": "often"}), False, False
        yield pipeline({**good, "id": 5}), False, False
        yield pipeline({k: v for k, v in good.items() if k != "type"}), False, False
        yield pipeline({**good, "type": good["type"] + "s"}), False, False
        yield pipeline({"type": "Compose", "transforms": [good]}), True, True
        yield pipeline({"type": "Compose", "transforms": [{**good, "zz": 1}]}), False, False
        for parameter in e["parameters"]:
            name = parameter["name"]
            if parameter["required"]:
                yield pipeline({k: v for k, v in good.items() if k != name}), False, False
            like = json.dumps({k: v for k, v in parameter.items() if k not in ("name", "help", "default")})
            wrong = list(wrong_values(parameter))
            for value in wrong[:2] if like in seen else wrong:  # the rest was seen of one like it
                yield pipeline({**good, name: value}), False, False
            for value in [] if like in seen else good_values(parameter):
                yield pipeline({**good, name: value}), True, None
            seen.add(like)
    flip = {"type": "horizontal_flip"}
    for when in (None, {}, {"has_category": ["person", ""]}, {"min_objects": 1, "max_objects": 3}, {"max_size": None},
                 {"min_size": 640, "x-why": 1}):
        yield pipeline({**flip, "when": when}), True, True
    for when in (1, [], "person", {"has_category": []}, {"has_category": "person"}, {"has_category": [1]},
                 {"min_objects": -1}, {"max_objects": 0.5}, {"min_size": "1"}, {"max_size": [1]}, {"min_area": 1}):
        yield pipeline({**flip, "when": when}), False, False
    for rejection in (None, {}, {"objects_lost": True, "all_objects_lost": False, "visibility_below": 0.5},
                      {"objects_below": 2, "x-why": 1}):
        yield pipeline(flip, annotations={"reject_image_if": rejection}), True, True
    for rejection in (1, [], "lost", {"objects_lost": 1}, {"objects_below": 0}, {"objects_below": 1.5},
                      {"visibility_below": 2}, {"min_objects": 1}):
        yield pipeline(flip, annotations={"reject_image_if": rejection}), False, False
    for pairs, by_tool in (([[1, 2], [65535, 0]], True), ([[1, 2], [2, 3]], False), ([[1, 1]], False)):
        yield pipeline(flip, annotations={"swap_labels": pairs}), True, by_tool
    for section in ("annotations", "output"):
        yield pipeline(flip, **{section: {}}), True, True
        yield pipeline(flip, **{section: {"no_such_key": 1}}), False, False
        yield pipeline(flip, **{section: []}), False, False
        for parameter in ask("describe", section, "--json")["parameters"]:
            for value in good_values(parameter):
                yield pipeline(flip, **{section: {parameter["name"]: value}}), True, True
            for value in wrong_values(parameter):
                yield pipeline(flip, **{section: {parameter["name"]: value}}), False, False
    yield pipeline(flip, name="mine", **{"$schema": "pipeline.schema.json"}), True, True
    yield pipeline(flip, no_such_key=1), False, False
    yield pipeline(flip, seed=-1), False, False
    yield pipeline(flip, seed="1"), False, False
    yield pipeline(5), False, False
    yield {"version": 1}, False, False
    yield {"transforms": []}, False, False
    yield {"version": 2, "transforms": []}, False, False
    yield [], False, False


VALIDATOR = []  # before the processes part


def validator_of(schema):
    """Returns a validator that reports no faults of a step for the two hundred schemas that need another `type`."""
    whole = jsonschema.Draft202012Validator
    types = {f"#/$defs/{name}": d["properties"]["type"]["const"] for name, d in schema["$defs"].items()
             if "const" in d.get("properties", {}).get("type", {})}

    def one_of(validator, alternatives, instance, parent):
        if isinstance(instance, dict) and "type" in instance:
            alternatives = [a for a in alternatives if types.get(a.get("$ref"), instance["type"]) == instance["type"]]
        return whole.VALIDATORS["oneOf"](validator, alternatives, instance, parent)

    return jsonschema.validators.extend(whole, {"oneOf": one_of})(schema)


def is_valid(document):
    return VALIDATOR[0].is_valid(document)


def main():
    schema = subprocess.run([LOCKSTEP, "schema"], capture_output=True, check=True, text=True).stdout
    schema = json.loads(schema)
    jsonschema.Draft202012Validator.check_schema(schema)
    VALIDATOR.append(validator_of(schema))
    all_cases = list(copy.deepcopy(list(cases())))
    paths = []
    for i, (document, _, _) in enumerate(all_cases):
        paths.append(str(FOLDER / f"{i}.json"))
        Path(paths[-1]).write_text(json.dumps(document))
    run = subprocess.run([LOCKSTEP, "schema", "--check", *paths], capture_output=True, text=True)
    assert run.returncode == 3, run
    good = {line.removesuffix(": good") for line in run.stdout.splitlines()}
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("fork")) as pool:
        answers = list(pool.map(is_valid, [case[0] for case in all_cases], chunksize=50))
    failures = 0
    for path, says, (document, by_schema, by_tool) in zip(paths, answers, all_cases):
        tool = path in good
        if says != by_schema or (tool != by_tool if by_tool is not None else tool and not says):
            failures += 1
            print(f"schema says {says}, tool says {tool}: {json.dumps(document)}")
    refused = sum(1 for _, s, _ in all_cases if not s)
    print(f"{len(all_cases)} pipelines, {refused} of them broken; {failures} disagreements")
    return failures > 0 or refused < 1000


sys.exit(main())
