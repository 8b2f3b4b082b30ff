#!/usr/bin/env python3
"""Prints the shortest commands that test a file, the best one first, each with the reason as a comment.

    tests_of.py FILE...

The sources of the commands, in this order:
- planted faults in the file;
- the registries that have the file as an entry;
- unit programs that include its header;
- names of tests;
- mentions of the file in tests.
Without such a test, prints the commands that find the planted faults of the file's folder, and `make quick`.
"""
import difflib
import glob
import os
import re
import shlex
import sys
from collections import defaultdict

GIVEN = [os.path.abspath(name) for name in sys.argv[1:]]
sys.dont_write_bytecode = True
import planted  # noqa: E402: it changes to the root of the repository

MAX_COMMANDS = 8
MAX_LENGTH = 160  # of a command that joins several bats files
MAX_NAMED = 12    # tests that a word may select by their names
TREE = ["Makefile", "README.md", "src", "cli", "tests", "man", "pipelines", "samples"]

# Registries whose entries a bats file tests: the folder of the entries, the bats file.
REGISTRIES = {"src/check/reporters": "check_reports", "src/migrate/libraries": "import", "src/labels/formats": "round_trip"}

# Words of file names that do not occur in names of tests.
COMMON_WORDS = {"read", "write", "file", "files", "test", "main", "open", "lines", "rows"}


def stem_of(path):
    return os.path.splitext(os.path.basename(path))[0]


class Tests:
    """The parts that tests/run.sh runs, with their includes and contents. Files are read on demand."""

    def __init__(self):
        self.programs = {f"unit/{stem_of(p)}": p for p in sorted(glob.glob("tests/unit/test_*.c"))}
        self.programs |= {f"corpus/{stem_of(p)}": p for p in sorted(glob.glob("tests/fuzz/fuzz_*.c"))}
        self.bats = {os.path.relpath(p, "tests"): p for p in sorted(glob.glob("tests/**/*.bats", recursive=True))}
        self.included, self.texts = {}, {}

    def pattern(self, parts):
        """The shortest T= that matches these parts of one folder and no other part."""
        folder, _, rest = parts[0].partition("/")
        names = [part.partition("/")[2] for part in parts]
        if len(names) > 1:
            start = "test_" if all(name.startswith("test_") for name in names) else ""
            end = ".bats" if all(name.endswith(".bats") for name in names) else ""
            rest = f"{start}({'|'.join(n[len(start):len(n) - len(end)] for n in names)}){end}"
        pattern = f"{folder}/{rest}"
        matches = [part for part in [*self.programs, *self.bats] if re.search(pattern, part)]
        return pattern if len(matches) == len(parts) else pattern + "$"

    def includes(self, path):
        """The headers that a file includes, directly or by the headers beside it."""
        if path not in self.included:
            folder = os.path.dirname(path)
            names = re.findall(r'^#include "(.*)"', planted.read(path), re.M)
            headers = [f"src/{name}" if os.path.exists(f"src/{name}") else os.path.normpath(os.path.join(folder, name))
                       for name in names]
            self.included[path] = set(headers)
            for header in headers:
                if os.path.dirname(header) == folder and os.path.exists(header):
                    self.included[path] |= self.includes(header)
        return self.included[path]

    def text(self, part):
        if part not in self.texts:
            self.texts[part] = planted.read(self.bats[part])
        return self.texts[part]

    def names(self, part):
        return re.findall(r'^@test "(.*)" \{', self.text(part), re.M)


TESTS = Tests()


def command(parts, only=(), **settings):
    """A make command for parts of one folder, with regular expressions of names of bats tests."""
    settings = {"T": TESTS.pattern(parts), "ONLY": "|".join(dict.fromkeys(only)), **settings}
    # A quotation mark would need more of them in a shell; in a regular expression, a dot matches it.
    return "make test " + " ".join(f"{k}={shlex.quote(v.replace(chr(39), '.'))}" for k, v in settings.items() if v)


def counted(n, what):
    return f"{n} {what}" + ("s" if n != 1 else "")


# --- planted faults ---


class Group:
    """Rows of planted faults that have one test: a program with its environment, or a bats file."""

    def __init__(self, parts, settings):
        self.parts, self.settings, self.only, self.rows = parts, settings, [], 0

    def is_bats(self):
        return self.parts[0].endswith(".bats")

    def command(self):
        return command(self.parts, self.only, **self.settings)

    def joined(self, other):
        """Returns one group for both, or None if one command cannot run both."""
        if self.is_bats() != other.is_bats() or self.parts[0].split("/")[0] != other.parts[0].split("/")[0]:
            return None
        settings = {**self.settings, **other.settings}
        if any(group.settings.get(k, v) != v for group in (self, other) for k, v in settings.items()):
            return None
        both = Group([*dict.fromkeys(self.parts + other.parts)], settings)
        both.only, both.rows = self.only + other.only, self.rows + other.rows
        return both if len(both.command()) <= MAX_LENGTH else None


def groups_of(faults):
    """The tests that find the faults: the one that finds most of them first, programs before bats files."""
    groups = {}
    for fault in faults:
        name, _, rest = fault.test.partition(" ")
        if name.endswith(".bats"):
            part = next((part for part in TESTS.bats if os.path.basename(part) == name), None)
            settings, only = {}, [rest] if rest else []
            if fault.file.startswith("src/check/rules/") and name == "check_rules.bats":
                settings = {"RULE": rules_of(fault.file)}
        else:
            part, settings, only = f"unit/{name}", dict(word.split("=", 1) for word in rest.split()), []
        if part not in TESTS.bats and part not in TESTS.programs:
            continue
        group = groups.setdefault((part, *settings.items()), Group([part], settings))
        group.rows += 1
        group.only += only
    return sorted(groups.values(), key=lambda g: (-g.rows, g.is_bats()))


def by_planted_faults(path, faults, where=""):
    joined = []
    for group in groups_of(fault for fault in faults if fault.file == path):
        for i, other in enumerate(joined):
            both = other.joined(group)
            if both:
                joined[i] = both
                break
        else:
            joined.append(group)
    for group in sorted(joined, key=lambda g: (-g.rows, g.is_bats())):
        yield group.command(), counted(group.rows, "planted fault") + where


# --- registries ---


def rules_of(path):
    """The ids of a family's rules, as patterns of their letters: B*,S*."""
    letters = sorted(set(re.findall(r'\{\s*"([A-Z])[0-9]+"', planted.read(path))))
    return ",".join(f"{letter}*" for letter in letters)


def by_registry(path):
    folder, stem = os.path.dirname(path), stem_of(path)
    if folder == "src/steps/ops":
        text = planted.read(path)
        is_walked = re.search(r"effect = [A-Z_ |]*EFFECT_MOVES", text) and "FAMILY_JOIN" not in text
        programs = ["unit/test_walk"] * bool(is_walked) + ["unit/test_effects", "unit/test_sizes"]
        yield command(programs, OP=stem), "walks the op"
    elif folder == "src/steps/transforms":
        yield command(["unit/test_walk", "unit/test_sizes"], OP=stem), "walks the transform"
        import distributions_stated
        if stem in distributions_stated.STATED:
            yield command(["cli/distributions.bats"], OP=stem), "compares the draws of the transform"
    elif folder == "src/check/rules" and rules_of(path):
        yield command(["cli/check_rules.bats"], RULE=rules_of(path)), "has cases of its rules"
    elif folder in REGISTRIES:
        part = f"cli/{REGISTRIES[folder]}.bats"
        if part not in TESTS.bats:
            return
        words = [w for w in [stem, *stem.split("_")] if any(re.search(w, n, re.I) for n in TESTS.names(part))]
        yield command([part], words[:1]), f"tests what {folder} holds"


# --- headers ---


def header_of(path):
    """Returns the header that declares a C file's definitions: the one of its name, or of the longest beginning of its
    name."""
    base, extension = os.path.splitext(path)
    if extension != ".c":
        return path if extension == ".h" else None
    while True:
        if os.path.exists(base + ".h"):
            return base + ".h"
        base, underscore, _ = base.rpartition("_")
        if not underscore or "/" not in base:
            return None


def by_header(path):
    header = header_of(path)
    if not header:
        return
    words = set(stem_of(path).split("_"))
    users = [part for part, program in TESTS.programs.items() if header in TESTS.includes(program)]
    # Programs of a similar name first, then programs that include few headers.
    users.sort(key=lambda part: (-len(words & set(part.partition("_")[2].split("_"))),
                                 len(TESTS.includes(TESTS.programs[part]))))
    for part in users[:3]:
        yield command([part]), f"includes {header.removeprefix('src/')}"


# --- names ---


def by_name(path):
    stem = stem_of(path)
    parts = [*TESTS.programs, *TESTS.bats]
    exact = [part for part in parts if re.sub("^(test|fuzz)_", "", stem_of(part)) == stem]
    for part in exact:
        yield command([part]), "named after it"
    if len(stem) > 3 and stem not in COMMON_WORDS:
        phrase = stem.replace("_", ".")
        found = [part for part in TESTS.bats if any(re.search(rf"\b{phrase}", n) for n in TESTS.names(part))]
        named = sum(bool(re.search(phrase, n)) for part in TESTS.bats for n in TESTS.names(part))
        if found and named <= MAX_NAMED:
            for part in found[:2]:
                yield command([part], [phrase]), "has the word in the name of a test"
    words = {word.rstrip("s") for word in re.split("[_-]", stem) if len(word) > 2 and word not in COMMON_WORDS}
    alike = []
    for part in parts:
        shared = words & {word.rstrip("s") for word in stem_of(part).split("_")}
        if shared and part not in exact:
            alike.append((-len(shared), len(stem_of(part)), part))
    for _, _, part in sorted(alike)[:2]:
        yield command([part]), "has a similar name"


# --- files of tests/, man/ and other folders ---


def by_test_file(path):
    """Yields the command that runs a file of tests/ itself."""
    part = os.path.relpath(path, "tests")
    if part in TESTS.bats:
        yield command([part]), "the file itself"
    users = [part for part, program in TESTS.programs.items() if path in TESTS.includes(program)]
    if len(users) > MAX_COMMANDS:
        yield "make test T=unit/", f"{len(users)} programs include {os.path.basename(path)}"
        return
    for part in users:
        yield command([part]), f"includes {os.path.basename(path)}"
    for part, program in TESTS.programs.items():
        if program == path:
            yield command([part]), "the file itself"
        elif part.startswith("corpus/") and path.startswith(f"tests/fuzz/{part}/"):
            yield command([part]), "reads the corpus"
    if path.startswith("tests/planted/"):
        yield "make test T=lint/planted", "checks that each fault changes one place"
    if path.endswith("_cases.py"):
        letters = sorted(set(re.findall(r'\b(?:fault|near)\(\s*"([A-Z])[0-9]', planted.read(path))))
        yield command(["cli/check_rules.bats"], RULE=",".join(f"{letter}*" for letter in letters)), "checks the cases"
    if path.startswith("man/"):
        yield "make test T=lint/man_page", "checks the pages"


def by_mention(path):
    """Bats files that name the file or, if none does, its folder."""
    name = path
    while name:
        base = os.path.basename(name)
        pattern = rf"(?<![\w-]){re.escape(base)}(?![\w-])" if name == path else rf"(?<![\w-]){re.escape(base)}/"
        if name == path and base.endswith(".py"):
            pattern += rf"|^\s*(?:import|from)\b.*\b{re.escape(stem_of(base))}\b"
        found = [(-len(re.findall(pattern, TESTS.text(part), re.M)), part) for part in TESTS.bats]
        found = sorted((count, part) for count, part in found if count)
        for _, part in found[:3]:
            yield command([part]), f"mentions {base}{'' if name == path else '/'}"
        if found:
            return
        name = os.path.dirname(name)
        if name in ("", "tests", "src"):
            return


# --- all of it ---


def by_folder(path, faults):
    folder = os.path.dirname(path)
    for group in groups_of(fault for fault in faults if os.path.dirname(fault.file) == folder)[:3]:
        yield group.command(), f"{counted(group.rows, 'planted fault')} in other files of {folder}"


def commands_of(path, faults):
    found = {}

    def add(pairs, most=MAX_COMMANDS):
        for line, reason in pairs:
            if len(found) < most:
                found.setdefault(line, reason)

    add(by_planted_faults(path, faults), 4)
    is_source = path.startswith(("src/", "cli/")) and path.endswith((".c", ".h", ".inc"))
    if is_source:
        add(by_registry(path))
        if path.endswith(".h"):
            source = path.removesuffix(".h") + ".c"
            add(by_planted_faults(source, faults, f" in {os.path.basename(source)}"), 4)
        add(by_header(path))
        add(by_name(path))
    else:
        add(by_test_file(path))
        if not found:
            add(by_mention(path))
        if not found:
            add(by_name(path))
    if not found:
        add(by_folder(path, faults))
        found["make quick"] = "no test is known to be about the file alone"
    return found.items()


def hint(path):
    """The nearest name of a file to one that does not exist."""
    files = [os.path.normpath(os.path.join(folder, name)) for top in TREE
             for folder, _, names in ([("", [], [top])] if os.path.isfile(top) else os.walk(top)) for name in names]
    namesakes = [f for f in files if os.path.basename(f) == os.path.basename(path)]
    near = difflib.get_close_matches(path, namesakes or files, 1, 0 if namesakes else 0.6)
    return f"; did you mean {near[0]}?" if near else ""


def main():
    if not GIVEN:
        print("usage: make tests-of FILE=src/..., or tests/tools/tests_of.py FILE...", file=sys.stderr)
        sys.exit(2)
    status, faults = 0, list(planted.faults())
    for given in GIVEN:
        path = os.path.relpath(given)
        if not os.path.isfile(path):
            wrong = "this is a folder; name one of its files" if os.path.isdir(path) else f"no such file{hint(path)}"
            print(f"tests_of.py: {path}: {wrong}", file=sys.stderr)
            status = 2
            continue
        if len(GIVEN) > 1:
            print(f"# {path}")
        for line, reason in commands_of(path, faults):
            print(f"{line}  # {reason}")
    sys.exit(status)


main()
