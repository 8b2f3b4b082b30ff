"""Checks a run's report: `report_counts.py PAGE JSON BEFORE AFTER MANIFEST`.

The counts of the page equal those of `stats --json`. These equal the counts of both COCO files, of the source and of the
outputs, and of the manifest.
"""
import collections
import json
import re
import sys

from report_page import Page


def counts(path):
    """The number of objects by class and size."""
    file = json.load(open(path))
    names = {c["id"]: c["name"] for c in file["categories"]}
    of = collections.Counter()
    for a in file["annotations"]:
        area = a.get("area", a["bbox"][2] * a["bbox"][3] if "bbox" in a else None)
        size = "unknown" if area is None else "small" if area < 1024 else "medium" if area < 9216 else "large"
        of[names[a["category_id"]], size] += 1
    return of, [c["name"] for c in file["categories"]], {a["id"]: names[a["category_id"]] for a in file["annotations"]}


def main():
    page, run = Page(sys.argv[1]), json.load(open(sys.argv[2]))["run"]
    before, _, class_of = counts(sys.argv[3])
    after, names, _ = counts(sys.argv[4])
    dropped, reasons = collections.Counter(), collections.Counter()
    lines = [json.loads(line) for line in open(sys.argv[5])]
    for line in lines:
        for d in line.get("dropped", []):
            dropped[class_of[d["from"]]] += 1
            reasons[d["reason"]] += 1

    # The JSON object has the counts of the files.
    assert run["outputs"] == len(lines)
    assert {c["name"] for c in run["categories"]} >= set(names)
    for c in run["categories"]:
        for size, n in c["sizes"].items():
            assert (n["before"], n["after"]) == (before[c["name"], size], after[c["name"], size]), (c, size)
        assert c["dropped"] == dropped[c["name"]], c
        for what in ("before", "after", "dropped"):
            assert c[what] == sum(n[what] for n in c["sizes"].values()), c
    assert {r["reason"]: r["objects"] for r in run["reasons"]} == dict(reasons)
    for size, n in run["sizes"].items():
        assert n["after"] == sum(v for (_, s), v in after.items() if s == size), n
    assert sum(p["after"] for p in run["parts"]) == run["after"] == sum(after.values())
    for c in run["categories"]:
        of_parts = [p for part in run["parts"] for p in part.get("categories", []) if p["name"] == c["name"]]
        for what in ("before", "after", "dropped"):
            assert not of_parts or sum(p[what] for p in of_parts) == c[what], (c, of_parts)

    # The page has the counts of the JSON object.
    def number(row, columns):
        return [int(row[i]) for i in columns]

    several = len(run["parts"]) > 1
    rows = collections.defaultdict(lambda: [0, 0, 0])
    for row in page.body("by_class"):
        rows[row[0]] = [a + b for a, b in zip(rows[row[0]], number(row, (-3, -2, -1)))]
    assert rows == {c["name"]: [c["before"], c["after"], c["dropped"]] for c in run["categories"]}, rows
    sizes = collections.defaultdict(lambda: [[0, 0], [0, 0], [0, 0]])
    for row in page.body("by_class_size"):
        for i, cell in enumerate(row[-3:]):
            pair = [int(n) for n in re.findall(r"\d+", cell)]
            sizes[row[0]][i] = [a + b for a, b in zip(sizes[row[0]][i], pair)]
    for c in run["categories"]:
        assert sizes[c["name"]] == [[c["sizes"][s]["before"], c["sizes"][s]["after"]]
                                    for s in ("small", "medium", "large")], c
    for row in page.body("by_size"):
        n = run["sizes"][row[0]]
        assert number(row, (1, 2, 3)) == [n["before"], n["after"], n["dropped"]], row
    assert ("by_part" in page.tables) == several
    if several:
        assert page.tables["by_class"][0][1] == "Part"
        assert [[r[0]] + number(r, (1, 2, 3)) for r in page.body("by_part")] == \
            [[p["name"], p["before"], p["after"], p["dropped"]] for p in run["parts"]]
    summary = {row[0]: int(row[1]) for row in page.tables["summary"]}
    assert summary["outputs"] == run["outputs"]
    assert [summary[w] for w in ("objects before", "objects after", "dropped objects")] == \
        [run["before"], run["after"], run["dropped"]]
    if reasons:
        assert {r[0]: int(r[2]) for r in page.body("dropped")} == dict(reasons)


main()
