"""planted.py: annotation files with planted faults, and near misses that have none.

Usage: planted.py FOLDER [RULE]. Each file of this folder whose name ends with _cases.py has a list `cases`, of
fault() and near(). Writes the files to FOLDER, and one line per file to standard output. Its fields are: the rule
under test; `fault` or `near`; the file; the rules that check must find (all of them, sorted, separated by commas;
"-" for none); and options for check. Other files of a case are in a folder of its name, which replaces {} in its
options. A document whose name ends with a slash is a folder of labels, or a whole dataset; one that ends with .csv is a
table; and None is no document: options name what is checked.
RULE restricts the cases to rules whose ids match this shell pattern; several patterns are separated by commas.
"""
import copy
import fnmatch
import glob
import importlib.util
import json
import os
import sys


def image(**members):
    return {"id": 1, "file_name": "a.jpg", "width": 100, "height": 80} | members


def category(**members):
    return {"id": 1, "name": "cat", "supercategory": "animal"} | members


def annotation(**members):
    """An object whose box, polygon and area agree; a member that is None is left out."""
    whole = {"id": 1, "image_id": 1, "category_id": 1, "bbox": [10, 10, 20, 20],
             "segmentation": [[10, 10, 30, 10, 30, 30, 10, 30]], "area": 400, "iscrowd": 0} | members
    return {k: v for k, v in whole.items() if v is not None}


def box(x, y, w, h, **members):
    """An object with a box and the polygon of it."""
    return annotation(bbox=[x, y, w, h], area=abs(w * h),
                      segmentation=[[x, y, x + w, y, x + w, y + h, x, y + h]], **members)


def plain_box(x, y, w, h, **members):
    """An object with a box alone."""
    return annotation(bbox=[x, y, w, h], area=abs(w * h), segmentation=None, **members)


def dataset(annotations=None, images=None, categories=None, **members):
    """A file without findings, except for the given members. A section that is False is left out."""
    whole = {"images": [image()] if images is None else images,
             "categories": [category()] if categories is None else categories,
             "annotations": [annotation()] if annotations is None else annotations} | members
    return copy.deepcopy({k: v for k, v in whole.items() if v is not False})


def text(document=None, replace=()):
    """A document as text, with pairs of texts replaced."""
    out = json.dumps(dataset() if document is None else document)
    for old, new in replace:
        assert old in out, old
        out = out.replace(old, new, 1)
    return out


def fault(rule, document, also=(), options="", files=None):
    """A file that has the fault; `also` are other rules that must be found, too. `files` are names and contents."""
    return (rule, "fault", document, sorted({rule, *also}), options, files or {})


def near(rule, document, found=(), options="", files=None):
    """A file that nearly has the fault."""
    assert rule not in found
    return (rule, "near", document, sorted(found), options, files or {})


def write(path, document):
    if not isinstance(document, (str, bytes)):
        document = json.dumps(document)
    if isinstance(document, str):
        document = document.encode()
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as out:
        out.write(document)


def main(folder, rules="*"):
    patterns, written, number = rules.split(","), 0, 0
    here = os.path.dirname(os.path.abspath(__file__))
    sys.modules["planted"] = sys.modules["__main__"]
    sys.path.insert(0, here)
    for path in sorted(glob.glob(os.path.join(here, "*_cases.py"))):
        spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for rule, kind, document, found, options, files in module.cases:
            number += 1  # over all modules: several have cases of one rule
            if not any(fnmatch.fnmatchcase(rule, pattern) for pattern in patterns):
                continue
            written += 1
            name = f"{rule}.{kind}.{number}"
            is_name = isinstance(document, str) and document.endswith(("/", ".csv"))
            checked = "-" if document is None else f"{name}/{document}" if is_name else name + ".json"
            if not is_name and document is not None:
                write(os.path.join(folder, checked), document)
            for path, content in files.items():
                write(os.path.join(folder, name, path), content)
            print(rule, kind, checked, ",".join(found) or "-", options.replace("{}", name) or "-", sep="\t")
    if not written:
        sys.exit(f"planted.py: no rule that has cases matches {rules}; `lockstep check --list` names the rules")


if __name__ == "__main__":
    main(*sys.argv[1:])
