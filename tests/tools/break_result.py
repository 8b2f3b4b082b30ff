"""break_result.py LOCKSTEP OUT: damages a result, one file and one way at a time.

Prints "WAY FILE" where lockstep verify ends with 0.

The ways: remove, empty, cut (its last line, or its last bytes), nonsense in its place, and of each list of records in it:
drop one, swap two, add one that is not listed. Also add: a file that no run wrote."""
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile

PICTURES = (".jpg", ".png")


def lists_of(value, path=()):
    """The lists of an annotation file that hold records, by their paths."""
    if isinstance(value, list):
        if len(value) > 1 and all(isinstance(e, (dict, str)) for e in value):
            yield path
        value = dict(enumerate(value[:2])) if path[-1:] in ((), ("annotations",)) else {}
    if isinstance(value, dict):
        for name, inner in value.items():
            if path or name in ("images", "annotations", "categories", "files"):
                if name in ("images", "annotations", "categories", "files", "segments_info") or isinstance(name, int):
                    yield from lists_of(inner, path + (name,))


def reach(value, path):
    for name in path:
        value = value[name]
    return value


def changed_lists(records, new):
    yield "drop", records[1:]
    yield "drop-last", records[:-1]
    if len(records) > 1 and records[0] != records[-1]:
        yield "swap", records[-1:] + records[1:-1] + records[:1]
    yield "twice", records + records[:1]
    if new is not None:
        yield "add", records + [new]


def json_ways(text):
    value = json.loads(text)
    for path in lists_of(value):
        records = reach(value, path)
        new = dict(records[0]) if isinstance(records[0], dict) else "x.json"
        if isinstance(new, dict) and "id" in new:
            new["id"] = 987654
        for way, list_ in changed_lists(records, new):
            again = json.loads(text)
            if path:
                reach(again, path[:-1])[path[-1]] = list_
            else:
                again = list_
            yield way + ":" + ".".join(map(str, path)), json.dumps(again)
        again = json.loads(text)
        if path:
            reach(again, path[:-1])[path[-1]] = []
            yield "clear:" + ".".join(map(str, path)), json.dumps(again)


def line_ways(lines, new, head=0):
    for way, list_ in changed_lists(lines[head:], new):
        yield way, "".join(lines[:head] + list_)


def text_ways(name, text):
    lines = text.splitlines(keepends=True)
    if name.endswith(".json"):
        yield from json_ways(text)
    elif name.endswith(".jsonl"):
        yield from line_ways(lines, re.sub(r'"(images|source": ")', r'"\1x', lines[0]))
    elif name.endswith(".txt") and lines:
        yield from line_ways(lines, "0 0.5 0.5 0.1 0.1\n")
        yield "word", text.replace(lines[0].split()[0], "x", 1)
    elif name.endswith(".csv"):
        yield from line_ways(lines, lines[1].replace(lines[1].split(",")[0], "x/y.jpg"), 1)
    elif name.endswith(".yaml"):
        at = next(i for i, line in enumerate(lines) if line.startswith("names"))
        names = [re.sub(r"^\s*\d+:", "", line) for line in lines[at + 1:]]
        for way, list_ in changed_lists(names, ' "another"\n'):
            yield way, "".join(lines[:at + 1] + [f"  {i}:{name}" for i, name in enumerate(list_)])
    elif name.endswith(".xml"):
        objects = re.findall(r"\t<object>.*?</object>\n", text, re.S)
        before, after = text[:text.index(objects[0])], text[text.rindex(objects[-1]) + len(objects[-1]):]
        for way, list_ in changed_lists(objects, objects[0].replace("</name>", "x</name>")):
            yield way, before + "".join(list_) + after
    elif name == "SHA256SUMS":
        yield from line_ways(lines, lines[0].replace("  ", "  x"))


def tar_of(members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as tar:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return out.getvalue()


def tar_ways(data):
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        members = [(m.name, tar.extractfile(m).read()) for m in tar.getmembers()]
    for way, list_ in changed_lists(members, ("x/y.jpg", members[0][1])):
        yield way, tar_of(list_)
    for i, (name, data) in enumerate(members):
        others = members[:i], members[i + 1:]
        yield "drop-member:" + name, tar_of(others[0] + others[1])
        yield "empty-member:" + name, tar_of(others[0] + [(name, b"")] + others[1])
        yield "nonsense-member:" + name, tar_of(others[0] + [(name, b"nonsense\n")] + others[1])
        yield "cut-member:" + name, tar_of(others[0] + [(name, data[:-20])] + others[1])
        if name.endswith((".json", ".txt")):
            for way, text in text_ways(name, data.decode()):
                yield way + ":" + name, tar_of(others[0] + [(name, text.encode())] + others[1])


def ways(name, data):
    yield "empty", b""
    yield "nonsense", b"nonsense\n"
    if name.endswith(PICTURES):
        yield "cut", data[:-200]
    elif name.endswith(".tar"):
        yield "cut", data[:-2000]
        yield from tar_ways(data)
    else:
        text = data.decode()
        yield "cut", "".join(text.splitlines(keepends=True)[:-1]).encode()
        yield "cut-byte", data[:-1]
        for way, changed in text_ways(name, text):
            yield way, changed.encode()


def main():
    lockstep, out = sys.argv[1:]
    n = 0

    def check(way, name):
        nonlocal n
        n += 1
        done = subprocess.run([lockstep, "verify", "-q", "-j", "1", out], capture_output=True, check=False, timeout=60)
        if done.returncode == 0:
            print(way, name)
        elif done.returncode not in (1, 4, 6):
            sys.exit(f"{way} {name}: exit code {done.returncode}\n{done.stderr.decode()}")

    if subprocess.run([lockstep, "verify", out], check=False).returncode:
        sys.exit(f"{out} is not right before it is damaged")
    for folder, _, names in list(os.walk(out)):
        for name in sorted(names):
            path = os.path.join(folder, name)
            shown = os.path.relpath(path, out)
            with open(path, "rb") as file:
                data = file.read()
            kept = path + ".kept~"
            os.rename(path, kept)
            shutil.move(kept, os.path.join(os.path.dirname(os.path.abspath(out)), "kept~"))
            check("remove", shown)
            for way, changed in ways(name, data):
                if changed == data:
                    continue
                with open(path, "wb") as file:
                    file.write(changed)
                check(way, shown)
            os.replace(os.path.join(os.path.dirname(os.path.abspath(out)), "kept~"), path)
        path = os.path.join(folder, "extra.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write("{}")
        check("add", os.path.relpath(path, out))
        os.remove(path)
    print(f"{n} ways of {out}", file=sys.stderr)


main()
