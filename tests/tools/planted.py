#!/usr/bin/env python3
"""Plant faults, one at a time in a scratch copy, and show that a test turns red for each. Prints TAP.

    planted.py run [PATTERN]     all faults whose line in `list` matches
    planted.py list              what there is
    planted.py check             only: does each fault change exactly one place, and is its test there?

Faults stand in tests/planted/*.txt, a blank line between two:

    Faults are in tests/planted/*.txt, a blank line between two:
    file  src/geom/geom.h                       the file to change
    from  double cx = x + 0.5, cy = y + 0.5;    text that occurs once in the file, in one line
    to    double cx = x, cy = y;                its replacement; empty: the text is removed
    what  nearest sampling: corners for centres
    test  test_walk OP=affine                   a unit program, with variables of its environment,
    test  view.bats replayed from               or a bats file, and which of its tests (a regular expression)
    cpu   avx512_vbmi2                          optional: a processor feature, as named in /proc/cpuinfo, without which
                                                the changed code does not run

Beside those, in every op that moves something labels are moved by half a pixel and by one, and pixels by one.
"""
import argparse
import glob
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading

os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
ROOT = os.getcwd()
BUILD = os.environ.get("BUILD", "build")
TREE = ["Makefile", "src", "cli", "tests", "man", "pipelines", "samples"]
SKIPPED = "its test, or the place itself, cannot run on this machine"

# An op's resolve, wrapped.
WRAPPER = """static bool planted(const void *params, const struct scene *scene, struct action *out)
{
    bool good = resolve(params, scene, out);
    struct mat3 half = { { 1, 0, 0.5, 0, 1, 0, 0, 0, 1 } };
    struct mat3 one = { { 1, 0, 1, 0, 1, 0, 0, 0, 1 } };

    (void)half;
    (void)one;
    if (out->family == FAMILY_NOTHING)
        return good;
    %s
    return good;
}

"""
IN_OPS = {
    "labels half a pixel off": "out->map.forward = mat3_then(&out->map.forward, &half);",
    "labels a pixel off": "out->map.forward = mat3_then(&out->map.forward, &one);",
    "pixels a pixel off": """out->map.inverse = mat3_then(&out->map.inverse, &one);
    if (out->map.col) {
        int n = out->map.swap ? out->out.height : out->out.width;
        int32_t *moved = arena_take(scene->arena, (size_t)n * sizeof *moved);

        for (int i = 0; i < n; i++)
            moved[i] = out->map.col[i + 1 < n ? i + 1 : i];
        if (out->family == FAMILY_INDEX)
            out->u.index.col = moved;
        else
            out->map.col = moved;
    }""",
}


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


class Fault:
    """Changes `text` of `file`; `change` returns None unless its text occurs exactly once."""

    def __init__(self, file, what, test, change, cpu=None):
        self.file, self.what, self.test, self.change, self.cpu = file, what, test, change, cpu

    def __str__(self):
        return f"{self.file}: {self.what} ({self.test})"


def processor_has(feature):
    try:
        return re.search(rf"^flags\b.*\b{re.escape(feature)}\b", read("/proc/cpuinfo"), re.M) is not None
    except OSError:
        return False


def replacing(old, new):
    def change(text):
        return text.replace(old, new) if old and text.count(old) == 1 else None

    return change


def wrapping(body):
    def change(text):
        if text.count("\nconst struct op ") != 1 or text.count(".resolve = resolve,") != 1:
            return None
        return text.replace("\nconst struct op ", "\n" + WRAPPER % body + "const struct op ").replace(
            ".resolve = resolve,", ".resolve = planted,")

    return change


def rows_of(path):
    """The faults of a table."""
    text = re.sub("^#.*\n", "", read(path), flags=re.M).strip("\n")
    for number, block in enumerate(re.split(r"\n\s*\n", text)):
        row = {}
        for line in block.split("\n"):
            key, _, value = line.partition(" ")
            row[key] = value.strip()
        cpu = row.pop("cpu", None)
        if sorted(row) != ["file", "from", "test", "to", "what"]:
            sys.exit(f"{path}: block {number + 1} has {' '.join(sorted(row))}; it must have file, from, to, what, test")
        yield Fault(row["file"], row["what"], row["test"], replacing(row["from"], row["to"]), cpu)


def faults():
    for path in sorted(glob.glob("tests/planted/*.txt")):
        yield from rows_of(path)
    for path in sorted(glob.glob("src/steps/ops/*.c")):
        text = read(path)
        # Pixels and labels of a field read one object: only the loops could drift, see tests/planted/geometry.txt.
        if re.search(r"effect = [A-Z_ |]*EFFECT_MOVES", text) and ".resolve = resolve," in text and "action_field(" not in text:
            op = os.path.basename(path)[:-2]
            for what, body in IN_OPS.items():
                yield Fault(path, what, f"test_walk OP={op}", wrapping(body))


# --- tests ---


def bats_names(path):
    return re.findall(r'^@test "(.*)" \{', read(path), re.M)


def test_is_there(test):
    name, _, rest = test.partition(" ")
    if not name.endswith(".bats"):
        return os.path.exists(f"tests/unit/{name}.c")
    paths = glob.glob(f"tests/**/{name}", recursive=True)
    return len(paths) == 1 and any(re.search(rest, n) for n in bats_names(paths[0]))


def complaints(fault):
    if not os.path.exists(fault.file):
        return "the file is gone"
    if fault.change(read(fault.file)) is None:
        return "its text is not in the file exactly once"
    if not test_is_there(fault.test):
        return "its test is not there"
    return None


# --- a scratch copy, and running in it ---


class Scratch:
    def __init__(self, root):
        self.root = root
        for name in TREE:
            copy = shutil.copytree if os.path.isdir(name) else shutil.copy2
            copy(name, os.path.join(self.root, name))
        self.build = os.path.join(self.root, "build")
        shutil.copytree(BUILD, self.build, ignore=shutil.ignore_patterns("unit", "gallery", "demo", "log", "fuzzing"))
        self.made = self.stamps()
        self.green, self.skips = {}, False

    def stamps(self):
        return {path: os.stat(path).st_mtime_ns for folder, _, names in os.walk(self.build)
                for path in [os.path.join(folder, name) for name in names]}

    def restore(self):
        """Restores the files that were rebuilt since the copy."""
        for path, stamp in self.stamps().items():
            if self.made.get(path) != stamp:
                source = os.path.join(ROOT, BUILD, os.path.relpath(path, self.build))
                if path in self.made:
                    shutil.copy2(source, path)
                else:
                    os.remove(path)

    def run(self, command, **more):
        env = {k: v for k, v in os.environ.items()
               if not k.startswith(("MAKE", "MFLAGS", "BATS_", "CFLAGS")) and k not in ("BUILD", "T", "ONLY", "OP", "RULE")}
        env["PATH"] = ":".join(p for p in env["PATH"].split(":") if "libexec/bats" not in p)
        env.update(LOCKSTEP=os.path.join(self.build, "lockstep"), BUILD="build", **more)
        done = subprocess.run(command, cwd=self.root, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout.decode(errors="replace")

    def make(self, test):
        name = test.partition(" ")[0]
        target = ["build/lockstep", "build/tests/crash.so"] if name.endswith(".bats") else [f"build/unit/{name}"]
        return self.run(["make", "-s", "--no-print-directory", "CFLAGS=-O1"] + target)

    def test(self, test):
        """Returns how many tests passed, how many failed, and the output."""
        name, _, rest = test.partition(" ")
        if name.endswith(".bats"):
            path = glob.glob(f"tests/**/{name}", recursive=True)[0]
            _, out = self.run(["timeout", "300", "bats", "--tap", "-f", rest, path])
        else:
            more = dict(word.split("=", 1) for word in rest.split())
            status, out = self.run(["timeout", "300", f"build/unit/{name}"], **more)
            if status and not re.search("^not ok", out, re.M):
                out += f"not ok - ended with {status}\n"
        self.skips = bool(re.search("^ok.*# skip", out, re.M))
        return len(re.findall("^ok(?!.*# skip)", out, re.M)), len(re.findall("^not ok", out, re.M)), out

    def is_green(self, test):
        if test not in self.green:
            status, out = self.make(test)
            passed, failed = 0, 0
            if status == 0:
                passed, failed, out = self.test(test)
            if passed + failed == 0 and self.skips:
                out = SKIPPED
            self.green[test] = None if passed and not failed else out
            self.restore()
        return self.green[test]

    def plant(self, fault):
        """Returns None if a test failed, SKIPPED if it cannot run on this machine, or the reason of a failure."""
        path = os.path.join(self.root, fault.file)
        if fault.cpu and not processor_has(fault.cpu):
            return SKIPPED
        out = self.is_green(fault.test)
        if out == SKIPPED:
            return out
        if out is not None:
            return f"without the fault, {fault.test} is not green\n{out}"
        kept = os.stat(path)
        text = read(path)
        with open(path, "w", encoding="utf-8") as f:
            f.write(fault.change(text))
        status, out = self.make(fault.test)
        if status == 0:
            passed, failed, out = self.test(fault.test)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        os.utime(path, ns=(kept.st_atime_ns, kept.st_mtime_ns))
        self.restore()
        if status:
            return f"with the fault it does not build\n{out}"
        return None if failed else f"{passed} tests passed and none failed\n{out}"


def plant_all(chosen, jobs):
    left, done = queue.Queue(), queue.Queue()
    for fault in chosen:
        left.put(fault)

    def work():
        try:
            with tempfile.TemporaryDirectory(prefix="planted-") as root:
                scratch = Scratch(root)
                while True:
                    fault = left.get_nowait()
                    wrong = complaints(fault)
                    done.put((fault, wrong or scratch.plant(fault)))
        except queue.Empty:
            pass
        finally:  # whatever went wrong: who waits would wait for ever
            done.put(None)

    for _ in range(jobs):
        threading.Thread(target=work).start()
    print(f"1..{len(chosen)}")
    number = missed = 0
    while jobs:
        one = done.get()
        if one is None:
            jobs -= 1
            continue
        fault, wrong = one
        number += 1
        skipped = wrong == SKIPPED
        missed += wrong is not None and not skipped
        print(f"{'not ' if wrong and not skipped else ''}ok {number} - {fault}{' # skip ' + SKIPPED if skipped else ''}")
        lines = ("" if skipped else wrong or "").strip().split("\n")
        for line in lines[:1] + lines[1:][-30:]:
            if line:
                print(f"# {line}")
        sys.stdout.flush()
    return missed == 0 and number == len(chosen) and number > 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command", choices=["run", "list", "check"])
    parser.add_argument("argument", nargs="?", default="")
    options = parser.parse_args()
    chosen = list(faults())
    if options.command == "run":
        chosen = [f for f in chosen if re.search(options.argument, str(f))]
        sys.exit(not plant_all(chosen, int(os.environ.get("JOBS", os.cpu_count()))))
    wrong = 0
    for fault in chosen:
        complaint = complaints(fault) if options.command == "check" else None
        if options.command == "list":
            print(fault)
        elif complaint:
            print(f"{fault}: {complaint}")
            wrong += 1
    sys.exit(wrong > 0 or not chosen)


if __name__ == "__main__":
    main()
