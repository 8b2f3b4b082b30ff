"""Checks the values of steps in `lockstep stats OUT --json`: `report_values.py JSON MANIFEST`."""
import collections
import json
import sys


def walk(value, line, found):
    """Visits each step in a value: an object with a "type"."""
    if isinstance(value, list):
        for item in value:
            walk(item, line, found)
    elif isinstance(value, dict) and isinstance(value.get("type"), str):
        found["times"][value["type"]] += 1
        found["outputs"][value["type"]].add(line)
        for name, member in value.items():
            if name in ("type", "key"):
                continue
            short = isinstance(member, list) and len(member) <= 4
            if short and all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in member):
                for i, v in enumerate(member):
                    found["numbers"][value["type"], f"{name}[{i}]"].append(v)
            elif isinstance(member, (list, dict)):
                walk(member, line, found)
            elif isinstance(member, (bool, str)):
                found["words"][value["type"], name][str(member).lower() if isinstance(member, bool) else member] += 1
            elif member is not None:
                found["numbers"][value["type"], name].append(member)
    elif isinstance(value, dict):
        for member in value.values():
            walk(member, line, found)


def main():
    run = json.load(open(sys.argv[1]))["run"]
    found = {"times": collections.Counter(), "outputs": collections.defaultdict(set),
             "numbers": collections.defaultdict(list), "words": collections.defaultdict(collections.Counter)}
    for i, line in enumerate(open(sys.argv[2])):
        walk(json.loads(line)["steps"], i, found)
    assert [s["type"] for s in run["steps"]] == list(found["times"]), run["steps"]
    seen = 0
    for step in run["steps"]:
        assert step["times"] == found["times"][step["type"]] and step["outputs"] == len(found["outputs"][step["type"]])
        for value in step["values"]:
            key = step["type"], value["name"]
            numbers = found["numbers"][key]
            if "bins" in value:
                low, high = min(numbers), max(numbers)
                bins = [0] * 12
                for v in numbers:
                    bins[min(int((v - low) / (high - low) * 12), 11) if high > low else 0] += 1
                assert value["bins"] == bins and (value["least"], value["most"]) == (low, high), (value, bins)
                assert abs(value["mean"] - sum(numbers) / len(numbers)) <= 1e-9 * (1 + abs(value["mean"])), value
            if "words" in value:
                words = found["words"][key]
                assert all(words[w] == n for w, n in value["words"].items()), value
                assert sum(value["words"].values()) + value["other_words"] == sum(words.values()), value
            seen += 1
    assert seen == len(found["numbers"].keys() | found["words"].keys()), seen
    print(seen, "values")


main()
