#!/usr/bin/env python3
"""LOCKSTEP TOOLS [--part NAME]... [--share N] [--seed SEED] [-j N]: stop runs in every way, and resume them.

A small dataset is run, and the run is killed or disturbed at each of its system calls. Then --resume must leave exactly
the files of an undisturbed run. Code 0 must mean the same without --resume. With --share N, an N-th of the places is
tried, drawn by SEED. TOOLS has short.so. Prints a table, the numbers of kills and of faults, and the number of lies:
code 0 with a wrong result. With all parts, kills and faults reach --kills and --faults, or the torture has failed.
"""
import argparse
import collections
import concurrent.futures
import gzip
import hashlib
import io
import json
import os
import random
import re
import resource
import shutil
import signal
import struct
import subprocess
import stat
import sys
import tarfile
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CALLS = ("write pwrite64 rename renameat renameat2 unlink unlinkat mkdir mkdirat rmdir ftruncate fsync "
         "fdatasync syncfs close openat").split()
READS = ["read", "pread64", "preadv2"]
OK, PARTIAL, PIPELINE, INPUT, OUTPUT, OCCUPIED, CRASHED, MEMORY = 0, 1, 3, 4, 5, 6, 7, 8


COUNTS = collections.Counter()  # kills, faults


class Failed(Exception):
    """A wrong outcome of a trial."""


class Lie(Failed):
    """Code 0, and a result that is not right."""


def tree(folder):
    """Every file below a folder, with a hash; folders that are empty, too."""
    found = {}
    for at, folders, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = hashlib.sha256(file.read()).hexdigest()
        if not folders and not names:
            found[os.path.relpath(at, folder) + "/"] = ""
    return found


def without_scratch(files):
    return {name: it for name, it in files.items() if not name.startswith(".lockstep")}


def differs(a, b):
    return sorted(name for name in set(a) | set(b) if a.get(name) != b.get(name))[:3]


class Bench:
    """The dataset, the command lines, and the trees that runs should leave."""

    def __init__(self, args):
        self.lockstep = os.path.realpath(args.lockstep)
        self.tools = os.path.realpath(args.tools)
        self.samples = os.path.join(HERE, "..", "..", "samples")
        self.random_seed = args.seed
        self.random = random.Random(args.seed)
        self.share = args.share
        self.jobs, self.chain = args.jobs, args.chain
        self.kills, self.faults = args.kills // args.share, args.faults // args.share
        self.rows = {}
        self.failures = []
        self.guard = threading.Lock()

    def make(self):
        """Five small images with masks and annotations, and 60 for runs that take a while."""
        for name, steps in (("small", '{"type": "Resize", "size": [40, 56]}'),
                            ("p", '{"type": "RandomHorizontalFlip"}, {"type": "RandomRotation", "degrees": 20}'),
                            ("q", '{"type": "RandomVerticalFlip"}')):
            with open(name + ".json", "w") as file:
                file.write('{"version": 1, "seed": 7, "transforms": [%s]}\n' % steps)
        for name, words in (("small", ["--limit", "5"]), ("more", ["--limit", "20", "-n", "3"])):
            subprocess.run([self.lockstep, "run", "-q", "-p", "small.json", "-i", self.samples + "/images", "-a",
                            self.samples + "/annotations.json", "--masks", self.samples + "/masks", "-o", name] +
                           words, check=True)
        self.clean, self.former, self.more = {}, {}, {}
        for name, which, pipeline in (("clean", "small", "p"), ("former", "small", "q"), ("more", "more", "p")):
            at = "of-" + name
            subprocess.run(self.command(at, which, pipeline), check=True)
            setattr(self, name, tree(at))

    def command(self, out, which="small", pipeline="p", *words, jobs=1, images=None):
        home = os.getcwd()
        data = images or os.path.join(home, which)
        return [self.lockstep, "run", "-q", "-p", os.path.join(home, pipeline + ".json"), "-i",
                data + "/images", "-a", data + "/annotations.json", "--masks", data + "/masks",
                "-o", out, "-n", "2", "-j", str(jobs), *words]

    def some(self, places):
        places = list(places)
        if self.share <= 1 or len(places) <= 4:
            return places
        return sorted(self.random.sample(places, max(4, len(places) // self.share)))

    def count(self, part, code):
        with self.guard:
            row = self.rows.setdefault(part, collections.Counter())
            row["trials"] += 1
            row["code %s" % code] += 1

    def each(self, part, places, trial):
        """Tries each place in a folder of its own, and prints the row of the part."""
        self.do(part, places, trial)
        self.print_row(part)

    def do(self, part, places, trial):
        def one(place):
            at = tempfile.mkdtemp(prefix=re.sub(r"\W+", "-", part) + "-", dir=os.getcwd())
            try:
                code = trial(at, place)
                self.count(part, code)
                shutil.rmtree(at, ignore_errors=True)
            except Failed as failed:
                with self.guard:
                    self.rows.setdefault(part, collections.Counter())["failed"] += 1
                    COUNTS["lies"] += isinstance(failed, Lie)
                    self.failures.append("%s at %s: %s (in %s)" % (part, place, failed, at))
        with concurrent.futures.ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(one, places))

    def print_row(self, part):
        row = self.rows.get(part, collections.Counter())
        codes = ", ".join("%s: %d" % (code[5:], n) for code, n in sorted(row.items()) if code.startswith("code "))
        print("%-28s %6d  %s%s" % (part, row["trials"] + row["failed"], codes,
                                   "; FAILED: %d" % row["failed"] if row["failed"] else ""), flush=True)


GUARD = threading.Lock()


def count_faults(n=1):
    with GUARD:
        COUNTS["faults"] += n


def leftovers(session):
    """Returns the processes of a session whose run has ended."""
    left = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open("/proc/%s/stat" % name) as file:
                    fields = file.read().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == session and fields[0] not in "ZX":
                left.append(name)
    return left


def ended(run):
    """Returns a run's code and messages; no process of the run is left a moment later."""
    try:
        _, said = run.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        run.communicate()
        raise Failed("it did not end")
    with GUARD:
        COUNTS["kills"] += run.returncode in (-9, 137)
    for _ in range(100):
        if not leftovers(run.pid):
            return run.returncode, said.decode("utf-8", "replace")
        time.sleep(0.02)
    raise Failed("processes are left: %s" % leftovers(run.pid))


def start(words, prepare=None, env=None):
    return subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                            start_new_session=True, preexec_fn=prepare, env=env)


def run(words, **how):
    return ended(start(words, **how))


def strace(where, words, follow=False, log="/dev/null", trace=None):
    """With a filter in the kernel, strace stops at these calls alone; signals do not come through."""
    filtered = follow and not (where and ":signal=" in where)
    return (["strace", "-qq", "-y", "-o", log] + ["-f"] * follow + ["--seccomp-bpf"] * filtered
            + ["-e", "trace=" + (trace or where.split(":")[0])] + (["-e", "inject=" + where] if where else []) + words)


LIBRARY = re.compile(r"\.so[.0-9]*[\">]|/ld\.so\.")
LINE = re.compile(r"(?:(\d+) +)?(.*)")


def places_of(words, follow=False, calls=CALLS, kinds=None):
    """(call, n): the n-th call of the process that makes most of it. `kinds` gets, for each, whether it is about
    libraries alone."""
    log = tempfile.mktemp(dir=os.getcwd())
    code, said = run(strace(None, words, follow, log, ",".join(calls)))
    if code:
        raise SystemExit("a run that is only watched ends with %d: %s" % (code, said))
    seen, kinds = collections.Counter(), {} if kinds is None else kinds
    for line in open(log, errors="replace"):
        process, rest = LINE.match(line).groups()
        found = re.match(r"([a-z0-9]+)\(", rest)
        if not found:
            continue
        seen[process, found[1]] += 1
        place = found[1], seen[process, found[1]]
        kinds[place] = kinds.get(place, True) and bool(LIBRARY.search(rest))
    os.remove(log)
    return sorted(kinds, key=lambda place: (calls.index(place[0]), place[1]))


def must_be(expected, out, what):
    found = tree(out)
    if found != expected:
        raise Lie("%s: not the same: %s" % (what, differs(found, expected)))


def go_on(bench, out, which="small", pipeline="p", expected=None, *words, jobs=1, images=None):
    """Resumes an output folder without disturbances."""
    code, said = run(bench.command(out, which, pipeline, "--resume", *words, jobs=jobs, images=images))
    if code:
        raise Failed("--resume ends with %d: %s" % (code, said.strip()))
    must_be(expected or bench.clean, out, "resumed")


def over(bench, out, expected=None):
    """Runs with --overwrite instead: nothing of the stopped run is left."""
    code, said = run(bench.command(out, "small", "p", "--overwrite"))
    if code:
        raise Failed("--overwrite ends with %d: %s" % (code, said.strip()))
    must_be(expected or bench.clean, out, "overwritten")


def allowed(code, said, codes):
    if code not in codes:
        raise Failed("it ends with %s: %s" % (code, said.strip()[-300:]))


def unfinished(out, code, expected):
    """A disturbed run may have no scratch only if it was not started, or if it is complete."""
    if code and os.path.exists(out) and not os.path.exists(out + "/.lockstep") and os.listdir(out):
        must_be(expected, out, "it looks finished")


# --- parts ---

def part_kill(bench, follow):
    part = "killed, workers too" if follow else "killed"

    def trial(at, place):
        out = at + "/out"
        code, said = run(strace("%s:signal=KILL:when=%d" % place, bench.command(out), follow))
        if code == OK:
            must_be(bench.clean, out, "it says 0")
        unfinished(out, code, bench.clean)
        shutil.copytree(out, at + "/again", symlinks=True) if os.path.exists(out) else None
        go_on(bench, out)
        over(bench, at + "/again")
        return "KILL" if code in (-9, 137) else code
    bench.each(part, bench.some(places_of(bench.command("watched-%d" % follow), follow)), trial)


def part_overwrite(bench):
    """The user's own file stays, whatever comes of the run."""
    own = {"images/street/own.txt": "mine"}

    def with_own(out):
        shutil.copytree("of-former", out)
        for name, words in own.items():
            with open(os.path.join(out, name), "w") as file:
                file.write(words)
    hashes = {name: hashlib.sha256(words.encode()).hexdigest() for name, words in own.items()}
    former, clean = dict(bench.former, **hashes), dict(bench.clean, **hashes)

    def trial(at, place):
        out = at + "/out"
        with_own(out)
        code, said = run(strace("%s:signal=KILL:when=%d" % place, bench.command(out, "small", "p", "--overwrite")))
        there = tree(out)
        scratch = [name for name in there if name.startswith(".lockstep/swap.") and not name.endswith(".new")]
        top = without_scratch(there)
        if not scratch and top != former and top != clean:
            raise Failed("the former result is damaged: %s" % differs(top, former))
        state = json.loads(subprocess.run([bench.lockstep, "status", "--json", out], capture_output=True).stdout)
        if state["swaps"] != bool(scratch) and state["state"] != "finished":
            raise Failed("status says %s, but there is %s" % (state, scratch or "no swap"))
        shutil.copytree(out, at + "/again")
        shutil.copytree(out, at + "/both")
        allowed(*run(bench.command(at + "/both", "small", "p", "--overwrite", "--resume")), (OK,))
        must_be(clean, at + "/both", "overwritten or resumed")
        again, said = run(bench.command(out, "small", "p", "--resume"))
        if again == OCCUPIED and "[resume-key]" in said and top == former and not os.path.exists(
                out + "/.lockstep/journal"):  # nothing was started
            again, said = run(bench.command(out, "small", "p", "--overwrite"))
        allowed(again, said, (OK,))
        must_be(clean, out, "resumed")
        over(bench, at + "/again", clean)
        return "KILL" if code in (-9, 137) else code
    with_own("watched-over")
    places = places_of(bench.command("watched-over", "small", "p", "--overwrite"))
    bench.each("killed while it overwrites", bench.some(places), trial)


def half_done(bench, at, n=8, which="small", pipeline="p", words=()):
    out = at + "/out"
    run(strace("pwrite64:signal=KILL:when=%d" % n, bench.command(out, which, pipeline, *words)))
    if not os.path.exists(out + "/.lockstep/journal"):
        raise Failed("there is no journal to go on with")
    return out


def part_resume(bench):
    def trial(at, place):
        out = half_done(bench, at, 5)
        code, said = run(strace("%s:signal=KILL:when=%d" % place, bench.command(out, "small", "p", "--resume")))
        unfinished(out, code, bench.clean)
        shutil.copytree(out, at + "/again")
        go_on(bench, out)
        over(bench, at + "/again")
        return "KILL" if code in (-9, 137) else code
    at = tempfile.mkdtemp(dir=os.getcwd())
    half_done(bench, at, 5)
    places = places_of(bench.command(at + "/out", "small", "p", "--resume"))
    bench.each("killed while it resumes", bench.some(places), trial)


def killed_after(bench, words, seconds):
    process = start(words)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
    return ended(process)[0]


def how_long(bench):
    start_at = time.monotonic()
    run(bench.command("timed", "more", "p", jobs=2))
    shutil.rmtree("timed")
    return time.monotonic() - start_at


def part_group(bench):
    seconds = how_long(bench)

    def trial(at, when):
        code = killed_after(bench, bench.command(at + "/out", "more", "p", jobs=2), when)
        go_on(bench, at + "/out", "more", "p", bench.more, jobs=2)
        return "KILL" if code == -9 else code

    def again(at, whens):
        for when in whens:
            code = killed_after(bench, bench.command(at + "/out", "more", "p", "--resume", jobs=2), when)
        go_on(bench, at + "/out", "more", "p", bench.more, jobs=2)
        return "KILL" if code == -9 else code
    times = [bench.random.uniform(0, 2 * seconds) for _ in range(60 // bench.share + 4)]
    bench.each("group killed, 2 jobs", times, trial)
    bench.each("killed five times", [[bench.random.uniform(0, seconds / 2) for _ in range(5)]
                                     for _ in range(5)], again)


def part_worker(bench):
    def trial(at, when):
        process = start(bench.command(at + "/out", "more", "p", "--no-preflight", jobs=2))
        time.sleep(when)
        children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
        if children:
            try:
                os.kill(int(children[0]), signal.SIGKILL)
                with GUARD:
                    COUNTS["kills"] += 1
            except ProcessLookupError:
                pass
        code, said = ended(process)
        allowed(code, said, (OK,))
        must_be(bench.more, at + "/out", "it says 0")
        return code
    seconds = how_long(bench)
    bench.each("one worker killed", [bench.random.uniform(0.1, 1) * seconds for _ in range(max(4, 20 // bench.share))],
               trial)


def records_of(journal):
    """Where the records of a journal stand: 19 bytes of a first line, then sum, length, kind, zero."""
    at, ends = 19, []
    while at + 24 <= len(journal):
        at += 24 + int.from_bytes(journal[at + 8:at + 16], "little")
        ends.append(at)
    return ends


def part_journal(bench):
    at = tempfile.mkdtemp(dir=os.getcwd())
    half = at + "/out"
    words = [bench.lockstep, "run", "-q", "-p", os.getcwd() + "/q.json", "-i", os.getcwd() + "/small/images", "-j", "1", "-o"]
    run(words + [at + "/clean"])
    run(strace("pwrite64:signal=KILL:when=8", words + [half]))  # records are short: there are no annotations
    clean = tree(at + "/clean")
    with open(half + "/.lockstep/journal", "rb") as file:
        journal = file.read()
    ends = records_of(journal)
    if ends[-1] != len(journal):
        raise SystemExit("the journal is not read right")

    def damaged(folder, change):
        out = folder + "/out"
        shutil.copytree(half, out)
        with open(out + "/.lockstep/journal", "wb") as file:
            file.write(change)
        before = tree(out)
        code, said = run(words + [out, "--resume"])
        if code == OCCUPIED and "[resume-journal]" in said:
            must_be(before, out, "refused, but touched")
            return code
        allowed(code, said, (OK,))
        must_be(clean, out, "resumed")
        return code

    def flip(folder, place):
        changed = bytearray(journal)
        changed[place // 8] ^= 1 << place % 8
        return damaged(folder, bytes(changed))
    bench.each("journal cut", bench.some(range(ends[-3], len(journal))), lambda folder, n: damaged(folder, journal[:n]))
    bench.each("journal, a bit flipped", sorted(bench.random.sample(range(8 * len(journal)), max(4, 200 // bench.share))),
               flip)


def codes_of(line, inputs):
    """The exit codes that a call which failed may lead to, by strace's line of it."""
    if LIBRARY.search(line):  # 127: the dynamic linker's own, before main
        return (127, MEMORY)
    if "<pipe:" in line:
        return (OUTPUT, MEMORY)
    if inputs in line or "</dev/pts" in line:
        return (PIPELINE, INPUT) if re.search(r"/([pq]|keep)\.json", line) else (INPUT,)
    return (OUTPUT,)


def injected(log, at):
    """strace's lines of the calls that failed, without the place where they were."""
    begun, lines = {}, []
    for line in open(log, errors="replace"):
        line = re.sub(r"AT_FDCWD<[^>]*>", "AT_FDCWD", line).replace(at, "")
        process, rest = LINE.match(line).groups()
        if "<unfinished ...>" in rest:
            begun[process] = rest
        elif "(INJECTED)" in rest:
            lines.append((begun.pop(process, "") if "resumed>" in rest else "") + rest)
    count_faults(len(lines))
    return lines


def part_faults(bench):
    """Each call fails once: of the supervisor alone, then of every process that makes so many."""
    home = os.getcwd()

    def trial(at, place):
        call, n, error, follow = place
        out, log = at + "/out", at + "/log"
        code, said = run(strace("%s:error=%s:when=%d" % (call, error, n), bench.command(out), follow, log))
        lines = injected(log, at)
        try:
            if code == OK:
                found = tree(out)
                if "[out-scratch]" in said:
                    found = without_scratch(found)
                if found != bench.clean:
                    raise Failed("it says 0: not the same: %s" % differs(found, bench.clean))
            else:
                allowed(code, said, {code for line in lines for code in codes_of(line, home)
                                     if error != "EINTR" or LIBRARY.search(line)})
            unfinished(out, code, bench.clean)
            go_on(bench, out)
        except Failed as failed:
            raise Failed("%s: %s" % ("; ".join(line.strip() for line in lines), failed))
        return code
    places = []
    for follow in (False, True):
        kinds = {}
        for call, n in places_of(bench.command("watched-faults-%d" % follow), follow, CALLS + READS, kinds):
            for error in ("ENOSPC", "EIO", "EDQUOT", "EINTR"):
                if error == "EIO" or not kinds[call, n] and (call not in READS or error == "EINTR"):
                    places.append((call, n, error, follow))
    for error in ("ENOSPC", "EIO", "EDQUOT", "EINTR"):
        bench.each("n-th call: " + error, bench.some(place for place in places if place[2] == error), trial)


def part_short(bench):
    def trial(at, n):
        out = at + "/out"
        env = dict(os.environ, LD_PRELOAD=bench.tools + "/short.so", SHORT_CALL=str(n))
        code, said = run(bench.command(out), env=env)
        count_faults()
        allowed(code, said, (OK,))
        must_be(bench.clean, out, "it says 0")
        return code
    bench.each("n-th write is short", bench.some(range(1, 61)), trial)


def part_disk(bench):
    if os.getuid():
        return

    def trial(at, size):
        disk = at + "/disk"
        os.mkdir(disk)
        if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=%dk" % size, "lockstep", disk]).returncode:
            return "no mount"
        try:
            out = disk + "/out"
            code, said = run(bench.command(out, "more"))
            allowed(code, said, (OK, OUTPUT))
            if code == OK:
                must_be(bench.more, out, "it says 0")
            unfinished(out, code, bench.more)
            subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
            go_on(bench, out, "more", "p", bench.more)
        finally:
            subprocess.run(["umount", "-l", disk], check=True)
        return code
    whole = sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk("of-more") for name in names)
    sizes = range(64, 2 * whole // 1024 + 256, 64)
    bench.each("disk of 64 KiB x k", bench.some(sizes), trial)


def part_limits(bench):
    def trial(at, place):
        which, value = place
        out = at + "/out"

        def limit():
            resource.setrlimit(which, (value, value))
        code, said = run(bench.command(out), prepare=limit)
        if code == OK:
            must_be(bench.clean, out, "it says 0")
        else:
            allowed(code, said, (1, 2, INPUT, OUTPUT, CRASHED, MEMORY, 127, -11))
        unfinished(out, code, bench.clean)
        go_on(bench, out)
        return code
    sizes = [0, 1, 100, 1000, 2000, 4000, 8000, 16000, 64000]
    bench.each("RLIMIT_FSIZE", [(resource.RLIMIT_FSIZE, size) for size in sizes], trial)
    bench.each("RLIMIT_NOFILE", [(resource.RLIMIT_NOFILE, n) for n in (8, 16, 32)], trial)
    bench.each("RLIMIT_AS", [(resource.RLIMIT_AS, int((16 << 20) * 1.5 ** n)) for n in range(14)], trial)


def part_lost(bench):
    def trial(at, place):
        share, how, seed = place
        chance = random.Random(seed)
        out = half_done(bench, at)
        files = sorted(name for name in tree(out) if re.match("(images|masks)/", name))
        for name in chance.sample(files, max(1, len(files) * share // 100)):
            path = os.path.join(out, name)
            if how == "removed":
                os.remove(path)
            elif how == "cut":
                os.truncate(path, os.path.getsize(path) // 2)
            else:
                with open(path, "r+b") as file:
                    file.seek(os.path.getsize(path) // 2)
                    file.write(b"?!")
        go_on(bench, out, "small", "p", None, *(["--verify-resume"] if how == "other bytes" else []))
        return how
    bench.each("outputs lost after a kill",
               [(share, how, seed) for share in (10, 50) for how in ("removed", "cut", "other bytes")
                for seed in range(4)], trial)


def part_others(bench):
    seconds = how_long(bench)

    def two(at, _):
        runs = [start(bench.command(at + "/out", "more", "p", jobs=2)) for _ in range(2)]
        codes = sorted(ended(one)[0] for one in runs)
        if codes != [OK, OCCUPIED]:
            raise Failed("the codes are %s" % codes)
        must_be(bench.more, at + "/out", "one says 0")
        return OK

    def removed(at, when):
        out = at + "/out"
        process = start(bench.command(out, "more", "p", jobs=2))
        time.sleep(when)
        for _ in range(1000):
            if process.poll() is not None or not os.path.exists(out):
                break
            shutil.rmtree(out, ignore_errors=True)
        code, said = ended(process)
        allowed(code, said, (OK, OUTPUT))
        if code == OK and os.path.exists(out):
            must_be(bench.more, out, "it says 0")
        shutil.rmtree(out, ignore_errors=True)
        go_on(bench, out, "more", "p", bench.more)
        return code

    def changed(at, place):
        when, what = place
        out, data = at + "/out", at + "/data"
        shutil.copytree("more", data)
        path = data + "/annotations.json"
        if what == "an image":
            path = data + "/images/" + sorted(n for n in tree(data + "/images") if not n.endswith("/"))[30]
        process = start(bench.command(out, "more", "p", jobs=2, images=data))
        time.sleep(when)
        with open(path, "rb") as file:
            whole = file.read()
        with open(path, "wb") as file:
            file.write(whole[:len(whole) // 2])
        code, said = ended(process)
        if code == OK:
            must_be(bench.more, out, "it says 0")
        else:
            allowed(code, said, (INPUT, CRASHED))
        with open(path, "wb") as file:
            file.write(whole)
        go_on(bench, out, "more", "p", bench.more, images=data)
        return code
    def replaced(at, place):
        """Another file takes the name of an image: the whole result is of the old file, or of the new one."""
        when, what = place
        out, data = at + "/out", at + "/data"
        shutil.copytree("more", data)
        names = sorted(name for name in tree(data + "/images") if name.endswith(".jpg"))
        name, other = data + "/images/" + names[len(names) // 2], data + "/images/" + names[0]
        if what == "annotations":
            name, other = data + "/annotations.json", at + "/other.json"
            with open(name) as file, open(other, "w") as to:
                to.write(file.read().replace('"iscrowd": 0', '"iscrowd":  0', 1))
        process = start(bench.command(out, "more", "p", jobs=2, images=data))
        time.sleep(when)
        shutil.copyfile(other, at + "/new")
        os.rename(at + "/new", name)
        code, said = ended(process)
        if code:
            allowed(code, said, (INPUT,))
            if "-changed]" not in said:
                raise Failed("it does not say what was changed: %s" % said.strip())
            again, said = run(bench.command(out, "more", "p", "--resume", images=data))
            allowed(again, said, (OK,))
        fresh, said = run(bench.command(at + "/fresh", "more", "p", images=data))
        allowed(fresh, said, (OK,))
        if code or tree(out) != bench.more:
            must_be(tree(at + "/fresh"), out, "it says %s" % code)
        return code
    bench.each("two runs, one folder", range(10), two)
    bench.each("folder removed midway", [bench.random.uniform(0, seconds) for _ in range(10)], removed)
    bench.each("inputs cut midway", [(bench.random.uniform(0, seconds), what) for _ in range(8)
                                     for what in ("an image", "annotations")], changed)
    bench.each("inputs replaced midway", [(bench.random.uniform(0, seconds), what) for _ in range(12)
                                          for what in ("an image", "annotations")], replaced)


def part_stopped(bench):
    """A worker that is stopped for good: its image is late, and it is done again."""
    def trial(at, when):
        out = at + "/out"
        process = start(bench.command(out, "more", "p", "--no-preflight", "--timeout", "1", jobs=2))
        time.sleep(when)
        children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
        for child in children[:1]:
            try:
                os.kill(int(child), signal.SIGSTOP)
            except ProcessLookupError:
                pass
        code, said = ended(process)
        allowed(code, said, (OK, INPUT))
        if code == INPUT and "[image-timeout]" not in said:
            raise Failed("it does not say why: %s" % said.strip())
        if code == OK:
            must_be(bench.more, out, "it says 0")
        go_on(bench, out, "more", "p", bench.more, jobs=2)
        return code
    seconds = how_long(bench)
    bench.each("one worker stopped", [bench.random.uniform(0.1, 1) * seconds for _ in range(max(4, 20 // bench.share))],
               trial)


def part_memory(bench):
    """Each allocation of the supervisor fails once, then each of the workers; without libvips, which has thousands."""
    def env(at, who, n):
        with open(at + "/told", "wb") as file:
            file.write(bytes(16))
        return dict(os.environ, LD_PRELOAD=bench.tools + "/oom.so", OOM_AT=str(n), OOM_TOLD=at + "/told",
                    **({"OOM_WORKER": "1"} if who == "workers" else {}))

    def command(out, *words):
        return [bench.lockstep, "run", "-q", "-p", "p.json", "-i", "jpegs", "-n", "2", "-j", "1", "-o", out, *words]

    def told(at):
        with open(at + "/told", "rb") as file:
            return struct.unpack("QQ", file.read())
    os.mkdir("jpegs")
    for i, name in enumerate(sorted(name for name in tree("small/images") if name.endswith(".jpg"))):
        shutil.copyfile("small/images/" + name, "jpegs/%d.jpg" % i)
    run(command("of-jpegs"))
    clean = tree("of-jpegs")

    def trial(at, place):
        out = at + "/out"
        code, said = run(command(out), env=env(at, *place))
        if not told(at)[1]:
            raise Failed("it was not reached")
        count_faults()
        if code == OK:
            must_be(clean, out, "it says 0")
        elif code != MEMORY or "out of memory" not in said:
            raise Failed("it ends with %s: %s" % (code, said.strip()[-300:]))
        unfinished(out, code, clean)
        code_again, said = run(command(out, "--resume"))
        allowed(code_again, said, (OK,))
        must_be(clean, out, "resumed")
        return code
    for who in ("supervisor", "workers"):
        at = tempfile.mkdtemp(dir=os.getcwd())
        run(command(at + "/out"), env=env(at, who, 1 << 40))
        bench.each("n-th allocation, " + who, bench.some((who, n) for n in range(1, told(at)[0] + 1)), trial)


def mounted(image, folder, *options):
    os.makedirs(folder, exist_ok=True)
    return subprocess.run(["mount", "-o", ",".join(("loop",) + options), image, folder],
                          stderr=subprocess.DEVNULL).returncode == 0


def part_durable(bench):
    """The disk at a moment: files that exit 0 has promised, and files that a run can resume from after a power cut."""
    if os.getuid():
        return

    def disk(at, size):
        image = at + "/disk.img"
        with open(image, "wb") as file:
            file.truncate(size)
        subprocess.run(["mkfs.ext4", "-q", "-E", "lazy_itable_init=0,lazy_journal_init=0", image], check=True)
        return image

    def snapshot(at, image):
        subprocess.run(["cp", "--sparse=always", image, at + "/copy.img"], check=True)
        if not mounted(at + "/copy.img", at + "/copy"):
            raise Failed("the copy cannot be mounted")

    def ended_well(at, durability):
        image = disk(at, 64 << 20)
        if not mounted(image, at + "/disk", "commit=60"):
            return "no mount"
        try:
            code, said = run(bench.command(at + "/disk/out", "more", "p", "--durability", durability, jobs=2))
            allowed(code, said, (OK,))
            snapshot(at, image)
            if without_scratch(tree(at + "/copy/out")) != bench.more:
                raise Failed("the disk after code 0 does not have all of it")
            go_on(bench, at + "/copy/out", "more", "p", bench.more)
        finally:
            subprocess.run(["umount", "-l", at + "/copy"], stderr=subprocess.DEVNULL)
            subprocess.run(["umount", "-l", at + "/disk"], check=True)
        return code

    def cut(at, when):
        """Another boot number simulates the next boot."""
        image = disk(at, 64 << 20)
        if not mounted(image, at + "/disk", "commit=1"):
            return "no mount"
        try:
            process = start(bench.command(at + "/disk/out", "more", "p", "-n", "9", jobs=2))
            time.sleep(when)
            snapshot(at, image)
            code, said = ended(process)
            allowed(code, said, (OK,))
            with open(at + "/boot", "w") as file:
                file.write("00000000-0000-0000-0000-000000000000\n")
            words = bench.command(at + "/copy/out", "more", "p", "-n", "9", "--resume", jobs=2)
            code, said = run(["unshare", "-m", "sh", "-c",
                              'mount --bind "$0" /proc/sys/kernel/random/boot_id && exec "$@"', at + "/boot"] + words)
            allowed(code, said, (OK,))
            must_be(tree(at + "/disk/out"), at + "/copy/out", "resumed on the disk as it was")
        finally:
            subprocess.run(["umount", "-l", at + "/copy"], stderr=subprocess.DEVNULL)
            subprocess.run(["umount", "-l", at + "/disk"], check=True)
        return code

    def thin(at, size):
        """The file system has room that the disk below it lacks: writing fails late."""
        os.mkdir(at + "/below")
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=%dk" % size, "lockstep", at + "/below"], check=True)
        try:
            image = disk(at + "/below", 64 << 20)
            if not mounted(image, at + "/disk"):
                return "no mount"
            try:
                code, said = run(bench.command(at + "/disk/out", "more", "p", "-n", "9", jobs=2))
                allowed(code, said, (OK, OUTPUT))
                if code == OK:
                    shutil.copy(image, at + "/copy.img")
                    if not mounted(at + "/copy.img", at + "/copy"):
                        raise Failed("the copy cannot be mounted")
                    if without_scratch(tree(at + "/copy/out")) != tree("of-more-9"):
                        raise Failed("the disk after code 0 does not have all of it")
            finally:
                subprocess.run(["umount", "-l", at + "/copy"], stderr=subprocess.DEVNULL)
                subprocess.run(["umount", "-l", at + "/disk"], check=True)
        finally:
            subprocess.run(["umount", "-l", at + "/below"], check=True)
        return code
    seconds = how_long(bench)
    run(bench.command("of-more-9", "more", "p", "-n", "9", jobs=2))
    bench.each("disk after code 0", ["batch", "file"] * max(1, 4 // bench.share), ended_well)
    bench.each("power cut", [bench.random.uniform(0.3, 4) * seconds for _ in range(max(4, 20 // bench.share))], cut)
    bench.each("thin disk is full", bench.some(range(4600, 7600, 150)), thin)


# --- shards ---

def merged(bench, out, *words, sources=(), codes=(OK,)):
    code, said = run([bench.lockstep, "merge", "-q", "--durability", "none", *(sources or [out]),
                      *(["-o", out] if sources else []), *words])
    allowed(code, said, codes)


def shards_end(bench, out, what):
    """Both shards, wherever they were stopped, and the result of merge."""
    for shard in ("0/2", "1/2"):
        code, said = run(bench.command(out, "small", "p", "--shard", shard, "--resume"))
        allowed(code, said, (OK,))
    merged(bench, out)
    must_be(bench.clean, out, what)


def part_shards(bench):
    """A shard is killed, or its calls fail, while another one is done, or is not begun."""
    home = os.getcwd()

    def command(out):
        return bench.command(out, "small", "p", "--shard", "0/2")

    def begin(at, place):
        if place[1] % 2:
            run(bench.command(at + "/out", "small", "p", "--shard", "1/2"))
        return at + "/out"

    def killed(at, place):
        out = begin(at, place)
        code, _ = run(strace("%s:signal=KILL:when=%d" % place, command(out)))
        shards_end(bench, out, "merged")
        return "KILL" if code in (-9, 137) else code

    def failed(at, place):
        call, n, error = place
        out, log = begin(at, place), at + "/log"
        code, said = run(strace("%s:error=%s:when=%d" % (call, error, n), command(out), log=log))
        lines = injected(log, at)
        try:
            if code != OK:
                allowed(code, said, {code for line in lines for code in codes_of(line, home)})
            shards_end(bench, out, "merged")
        except Failed as wrong:
            raise Failed("%s: %s" % ("; ".join(line.strip() for line in lines), wrong))
        return code
    kinds = {}
    places = places_of(command("watched-shard"), kinds=kinds)
    bench.each("shard killed", bench.some(places), killed)
    for error in ("ENOSPC", "EIO"):
        bench.each("shard, n-th call: " + error, bench.some(place + (error,) for place in places if not kinds[place]),
                   failed)


def part_merge(bench):
    """A merge is killed, or its calls fail, where the shards are, and from folders to another one."""
    for shard, out in (("0/3", "apart/a"), ("1/3", "apart/b"), ("2/3", "apart/a"), ("0/3", "here/out"),
                       ("1/3", "here/out"), ("2/3", "here/out")):
        run(bench.command(out, "small", "p", "--shard", shard))
    sources = tree("apart")

    def words_of(at, how):
        return [bench.lockstep, "merge", "-q"] + ([at + "/out"] if how == "here" else
                                                  [at + "/a", at + "/b", "-o", at + "/out", "--link", how])

    def is_whole(at, how):
        must_be(bench.clean, at + "/out", "merged")
        left = {name: it for name, it in tree(at).items() if name[:2] in ("a/", "b/")}
        if how in ("hard", "copy") and left != sources:
            raise Failed("shards are not as they were: %s" % differs(left, sources))
        if how == "move" and set(left) != {"a/", "b/"}:
            raise Failed("not all was moved: %s" % sorted(left)[:3])

    def trial(at, place):
        how, call, n, fault = place
        shutil.copytree("here" if how == "here" else "apart", at, dirs_exist_ok=True)
        log = tempfile.mktemp(dir=os.getcwd())
        code, said = run(strace("%s:%s:when=%d" % (call, fault, n), words_of(at, how), log=log))
        injected(log, at)
        os.remove(log)
        if fault != "signal=KILL":
            allowed(code, said, (OK, INPUT, OUTPUT, OCCUPIED, MEMORY, 127))
        code_again, said = run(words_of(at, how))
        allowed(code_again, said, (OK,))
        is_whole(at, how)
        return "KILL" if code in (-9, 137) else code
    for how in ("here", "hard", "copy", "move"):
        at = tempfile.mkdtemp(dir=os.getcwd())
        shutil.copytree("here" if how == "here" else "apart", at, dirs_exist_ok=True)
        kinds = {}
        places = places_of(words_of(at, how), calls=CALLS + ["linkat", "sendfile"], kinds=kinds)
        for fault in ("signal=KILL", "error=ENOSPC", "error=EIO"):
            bench.each("merge, %s: %s" % (how, fault.split("=")[1]),
                       bench.some((how, *place, fault) for place in places if not kinds[place]), trial)


def part_divided(bench):
    """A run in many shards, a quarter of them killed and resumed, equals the run in one part."""
    n = 64 if bench.share == 1 else 4
    samples, home = bench.samples, os.getcwd()
    coco = ["-i", home + "/many/images", "-a", home + "/many/annotations.json"]
    flip = {"type": "RandomHorizontalFlip"}
    crop = {"type": "RandomResizedCrop", "size": [32, 32], "scale": [0.05, 0.2]}
    reject = {"reject_image_if": {"objects_lost": True}, "max_attempts": 3, "when_rejected": "original"}
    run([bench.lockstep, "run", "-q", "-p", "small.json", "-i", samples + "/images", "-a", samples + "/annotations.json",
         "-o", "many", "-n", "%d" % (8 if bench.share == 1 else 2)])
    subprocess.run([sys.executable, os.path.join(HERE, "..", "tools", "panoptic.py"), "draw", "drawn"], check=True)
    with open("many/annotations.json") as file:
        objects = json.load(file)["annotations"]
    with open("results.json", "w") as file:
        json.dump([dict({k: it[k] for k in ("image_id", "category_id", "bbox")}, score=0.5) for it in objects], file)
    cases = [("JPEG, copies", [flip, crop], {}, coco + ["-n", "3"]),
             ("PNG, copies, original", [flip, crop], {}, coco + ["-n", "2", "--format", "png", "--include-original"]),
             ("fan-out", [flip, {"type": "FiveCrop", "size": [24, 24]}], {}, coco),
             ("rejected", [crop], {"annotations": reject}, coco + ["-n", "2"]),
             ("panoptic", [flip], {}, ["-i", home + "/drawn/images", "-a", home + "/drawn/panoptic.json", "-n", "2"]),
             ("results", [flip], {}, coco[:2] + ["-a", home + "/results.json", "--image-list", coco[3]])]

    def trial(at, place):
        number, (_, steps, more, words) = place
        chance = random.Random(number)
        with open(at + "/p.json", "w") as file:
            json.dump(dict({"version": 1, "seed": 7, "transforms": steps}, **more), file)
        command = [bench.lockstep, "run", "-q", "--durability", "none", "-j", "1", "-p", at + "/p.json", *words, "-o"]
        code, said = run(command + [at + "/whole"])
        allowed(code, said, (OK,))
        order = list(range(n))
        chance.shuffle(order)
        cut = 0
        for shard in order[:n // 4]:
            code, _ = run(strace("pwrite64:signal=KILL:when=%d" % chance.randint(1, 9),
                                 command + [at + "/out", "--shard", "%d/%d" % (shard, n)]))
            cut += code in (-9, 137)
        chance.shuffle(order)
        for shard in order:
            code, said = run(command + [at + "/out", "--shard", "%d/%d" % (shard, n), "--resume"])
            allowed(code, said, (OK,))
        merged(bench, at + "/out")
        must_be(tree(at + "/whole"), at + "/out", "merged")
        return "%d killed" % cut
    bench.each("run in %d shards" % n, bench.some(enumerate(cases)), trial)


# --- chains ---

class Job:
    """A command that writes OUT, `at` being the folder of the trial, and may be done again after it was stopped."""

    def __init__(self, name, *commands):
        self.name, self.commands = name, commands

    def words(self, bench, at, command):
        return [bench.lockstep] + [word.replace("AT/", at + "/").replace("HOME/", os.getcwd() + "/") for word in command.split()]


def tar_of(names, stamp=1700000000):
    """Returns a tar of files that all have one time."""
    body = io.BytesIO()
    with tarfile.open(fileobj=body, mode="w") as to:
        for path, name in names:
            info = tarfile.TarInfo(name)
            info.size, info.mtime = os.path.getsize(path), stamp
            with open(path, "rb") as file:
                to.addfile(info, file)
    return body.getvalue()


def two_members(data):
    """Returns gzip's file of two members, as of two compressed files that were joined."""
    half = len(data) // 2
    return gzip.compress(data[:half], 1, mtime=0) + gzip.compress(data[half:], 1, mtime=0)


def images_below(folder):
    return [(os.path.join(folder, name), name) for name in sorted(tree(folder)) if not name.endswith("/")]


def make_tiny(bench):
    """Three images of 20 x 16 pixels with annotations and masks, in a folder and in archives of constant times."""
    if os.path.exists("tiny"):
        return
    with open("tiny.json", "w") as file:
        file.write('{"version": 1, "transforms": [{"type": "Resize", "size": [16, 20]}]}')
    with open("keep.json", "w") as file:
        file.write('{"version": 1, "transforms": [{"type": "nms", "iou_threshold": 0.5}]}')
    subprocess.run([bench.lockstep, "run", "-q", "-p", "tiny.json", "-i", bench.samples + "/images", "-a", bench.samples + "/annotations.json",
                    "--masks", bench.samples + "/masks", "-o", "tiny", "--limit", "3"], check=True)
    whole = tar_of(images_below("tiny/images"))
    for name, data in ("tiny.tar", whole), ("tiny.tar.gz", gzip.compress(whole, 1, mtime=0)), ("members.tar.gz", two_members(whole)):
        with open(name, "wb") as file:
            file.write(data)
        os.utime(name, (1700000000, 1700000000))
    with open("tiny/annotations.json") as file:
        objects = json.load(file)["annotations"]
    with open("found.json", "w") as file:
        json.dump([dict({k: it[k] for k in ("image_id", "category_id", "bbox")}, score=0.5) for it in objects], file)
    run([bench.lockstep, "run", "-q", "-p", "p.json", "-i", "tiny/images", "-a", "tiny/annotations.json", "-o", "of-tiny"])


TINY = "run -q -p HOME/p.json -j 1 -o AT/out --resume -n 2 "
LABELED = "-a HOME/tiny/annotations.json"
JOBS = [
    Job("folder", TINY + "-i HOME/tiny/images --masks HOME/tiny/masks " + LABELED),
    Job("checksums", TINY + "-i HOME/tiny/images --checksums --durability file " + LABELED),
    Job("tar", TINY + "-i HOME/tiny.tar " + LABELED),
    Job("gzip", TINY + "-i HOME/tiny.tar.gz " + LABELED),
    Job("gzip of two members", TINY + "-i HOME/members.tar.gz " + LABELED),
    Job("packed", TINY + "-i HOME/tiny/images --out-format webdataset --shard-size 2 " + LABELED),
    Job("one-hot", TINY + "-i HOME/tiny/images --labels folders --one-hot AT/out.csv"),
    Job("skipped", TINY + "-i HOME/tiny/images --on-error skip " + LABELED),
    Job("shards", *(TINY + "-i HOME/tiny/images --shard %d/2 " % i + LABELED for i in range(2)), "merge -q AT/out"),
    Job("apart", *("run -q -p HOME/p.json -j 1 -o AT/s%d --resume -i HOME/tiny/images --shard %d/2 " % (i, i) + LABELED for i in range(2)),
        "merge -q AT/s0 AT/s1 -o AT/out --link copy"),
    Job("replay", "replay -q -m HOME/of-tiny/manifest.jsonl -i HOME/tiny/images -a HOME/tiny/annotations.json -j 1 -o AT/out --resume"),
    Job("files", "labels -q -p HOME/keep.json -a HOME/found.json -o AT/labels.json --overwrite",
        "back -q -m HOME/of-tiny/manifest.jsonl -r HOME/found.json -o AT/back.json --overwrite",
        "iou HOME/tiny/annotations.json HOME/found.json -o AT/pairs.npy --overwrite",
        "compile -p HOME/p.json -o AT/frozen.json --overwrite", "split -a HOME/tiny/annotations.json -o AT/parts --overwrite",
        "preview -q -p HOME/p.json -i HOME/tiny/images -o AT/sheet.png --overwrite -n 1 --limit 1",
        "check HOME/tiny/annotations.json --write-baseline AT/known.json --output html=AT/found.html"),
]
ERRORS = ("ENOSPC", "EIO", "EDQUOT", "EINTR")


def made(at):
    """Returns the files that a trial has written, without scratch: OUT must contain no scratch."""
    return {name: it for name, it in tree(at).items() if name not in ("log", "tmp/") and "/.lockstep/" not in name}


LEFT = re.compile(r"(^|[/.])[0-9]+(-[0-9]+)?\.(part|tmp)$")  # files that a killed process leaves


def codes_allowed(line, command, home):
    """Returns the exit codes that a fault in a chain may lead to, by strace's line of it."""
    codes = codes_of(line, home)
    if "/tmp/" in line:  # an archive that is unpacked
        codes += (INPUT, MEMORY)
    if re.match(r"(mkdir|rename|unlink|write|pwrite|ftruncate|fsync|fdatasync|syncfs)", line):
        codes += (OUTPUT,)
    if command.startswith("preview") and line.startswith("openat"):  # a folder that has the fonts
        codes += (MEMORY,)
    if "<pipe:" in line:  # a process that cannot say how it ended
        codes += (CRASHED,)
    return codes + (INPUT, OCCUPIED) * command.startswith("merge")


def part_chains(bench):
    """Jobs are killed, or their calls fail, again and again before they may end."""
    make_tiny(bench)
    home = os.getcwd()
    expected, reach = {}, {}
    jobs = []
    for job in JOBS:
        at = tempfile.mkdtemp(prefix="whole-", dir=home)
        os.mkdir(at + "/tmp")
        codes = [run(job.words(bench, at, command), env=dict(os.environ, TMPDIR=at + "/tmp")) for command in job.commands]
        if any(code not in (OK,) for code, _ in codes):
            bench.failures.append("chains: %s does not end with 0 undisturbed: %s" % (job.name, codes))
            continue
        expected[job.name] = made(at)
        shutil.rmtree(at)
        os.makedirs(at + "/tmp")
        for command in job.commands:
            for follow in (False, True):
                reach[command, follow] = collections.Counter(
                    call for call, _ in places_of(job.words(bench, at, command), follow, CALLS + READS))
                if follow:
                    continue
                for name in os.listdir(at):
                    if name != "tmp" and (job.name != "shards" and job.name != "apart"):
                        path = os.path.join(at, name)
                        shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)
        shutil.rmtree(at)
        jobs.append(job)

    def disturbed(job, at, command, chance, env):
        """Runs a command with one fault. Returns its code, and raises the fault of its end."""
        words = job.words(bench, at, command)
        follow = chance.random() < 0.5
        calls = reach[command, follow] + collections.Counter()
        call = chance.choice(sorted(calls))
        n = min(calls[call], max(1, int(calls[call] ** chance.random())))
        kill = chance.random() < 0.22 or call == "close"  # strace would keep a file open after reporting its close
        error = "EINTR" if call in READS and chance.random() < 0.5 else chance.choice(ERRORS)
        if call in READS and error in ("ENOSPC", "EDQUOT"):
            error = "EIO"
        where = "%s:signal=KILL:when=%d" % (call, n) if kill else "%s:error=%s:when=%d" % (call, error, n)
        try:
            code, said = run(strace(where, words, follow, at + "/log"), env=env)
        except Failed as failed:
            raise Failed("%s%s: %s" % (where, ", of every process" * follow, failed))
        lines = [] if kill else injected(at + "/log", at)
        if kill and follow and code not in (-9, 137):
            with open(at + "/log", errors="replace") as log, GUARD:
                COUNTS["kills"] += "killed by SIGKILL" in log.read()
        may = {it for line in lines for it in codes_allowed(line, command, home)
               if error != "EINTR" or LIBRARY.search(line) or re.match("rename|write", line)}
        told = "%s; %s" % (where, "; ".join(line.strip() for line in lines))
        # A killed worker may look like one that ran out of memory; with skip, all images may fail.
        if kill and code not in (OK, PARTIAL, CRASHED, MEMORY, -9, 137) + (INPUT,) * ("skip" in command):
            raise Failed("%s: it ends with %s: %s" % (told, code, said.strip()[-300:]))
        if not kill and code not in {OK} | may and not (code in (PARTIAL, INPUT) and "skip" in command):
            raise Failed("%s: it ends with %s: %s" % (told, code, said.strip()[-300:]))
        return code, told, said

    def trial(at, number):
        job = jobs[number % len(jobs)]
        chance = random.Random("%d %d" % (number, bench.random_seed))
        os.mkdir(at + "/tmp")
        env = dict(os.environ, TMPDIR=at + "/tmp")
        told = []
        try:
            for command in job.commands:
                for _ in range(10 if len(job.commands) == 1 else 3):
                    code, what, said = disturbed(job, at, command, chance, env)
                    told.append(what)
                    if code == OK:
                        break
                else:
                    code, said = run(job.words(bench, at, command), env=env)
                    allowed(code, said, (OK,) + (PARTIAL, INPUT) * ("skip" in command))  # some or all were skipped before
            killed = any("KILL" in it for it in told)
            if os.listdir(at + "/tmp") and not killed:
                raise Failed("left in TMPDIR: %s" % os.listdir(at + "/tmp"))
            found = {name: it for name, it in made(at).items() if not killed or not LEFT.search(name)}
            found.pop("tmp/", None)
            if job.name == "skipped" and "out/errors.jsonl" in found:
                return "skipped"
            if found != expected[job.name]:
                raise Lie("it says 0: not the same: %s; %s" % (differs(found, expected[job.name]), said.strip()[-300:]))
            left = os.listdir(at + "/out/.lockstep") if os.path.exists(at + "/out/.lockstep") else []
            if left and left != ["lock"] and "[out-scratch]" not in said:
                raise Failed("scratch is left, and nothing said of it")
        except Failed as failed:
            raise type(failed)("%s, %s: %s" % (job.name, "; ".join(told[-2:]), failed))
        return OK
    if bench.chain is not None:
        return bench.each("one chain", [bench.chain], trial)
    number, batches = 0, 0
    enough = lambda: (COUNTS["kills"] >= bench.kills and COUNTS["faults"] >= bench.faults)  # noqa: E731
    while jobs and batches * 64 < 40 + (bench.kills + bench.faults) and (not batches or not enough()):
        bench.do("chains of kills and faults", range(number, number + 64), trial)
        number, batches = number + 64, batches + 1
    bench.print_row("chains of kills and faults")


# --- archives ---

def part_archives(bench):
    """Archives that are joined, cut or replaced: all images that are there are done, or nothing is and a code is
    printed."""
    make_tiny(bench)
    files = images_below("tiny/images")
    first, second = tar_of(files[:1]), tar_of(files[1:])
    whole = tar_of(files)
    home = os.getcwd()
    squeezed = gzip.compress(whole, 1, mtime=0)
    members = two_members(whole)
    flipped = bytearray(gzip.compress(whole, 0, mtime=0))
    flipped[700] ^= 1
    cases = {"two members": members, "two tars in one member": gzip.compress(first + second, 1, mtime=0),
             "two members, each a tar": gzip.compress(first, 1, mtime=0) + gzip.compress(second, 1, mtime=0),
             "an empty member first": gzip.compress(b"", 1, mtime=0) + squeezed,
             "an empty member last": squeezed + gzip.compress(b"", 1, mtime=0), "junk behind it": squeezed + b"junk",
             "a bit of the data": bytes(flipped), "a bit of the checksum": squeezed[:-6] + bytes([squeezed[-6] ^ 4]) + squeezed[-5:],
             "the second member is cut": members[:-40], "the second member lost its end": members[:-4]}
    for n in range(1, 24):
        cases["cut at %d of 24" % n] = members[:len(members) * n // 24]
    for n in range(64):
        data = bytearray(members)
        data[bench.random.randrange(len(data))] ^= 1 << bench.random.randrange(8)
        cases["bit %d" % n] = bytes(data)
    command = "run -q -p HOME/p.json -j 1 -n 2 -o AT/out -i AT/in.tar.gz"
    subprocess.run(Job("", command).words(bench, home, "run -q -p HOME/p.json -j 1 -n 2 -o HOME/of-tar -i HOME/tiny.tar"), check=True)
    clean = {name: it for name, it in tree("of-tar").items() if name.startswith("images/")}

    def trial(at, name):
        with open(at + "/in.tar.gz", "wb") as file:
            file.write(cases[name])
        os.mkdir(at + "/tmp")
        count_faults()
        code, said = run(Job("", command).words(bench, at, command), env=dict(os.environ, TMPDIR=at + "/tmp"))
        allowed(code, said, (OK, INPUT))
        found = {name: it for name, it in tree(at + "/out").items() if name.startswith("images/")} if code == OK else clean
        if found != clean:
            raise Lie("it says 0, and differs: %s" % differs(found, clean))
        unfinished(at + "/out", code, {})
        if os.listdir(at + "/tmp"):
            raise Failed("left in TMPDIR: %s" % os.listdir(at + "/tmp"))
        if name in ("two members", "an empty member last") and code:
            raise Failed("a sound archive is refused: %s" % said.strip()[-300:])
        return code
    bench.each("gzip of two members", bench.some(sorted(cases)), trial)

    def replaced(at, place):
        """A tar is replaced by one of the same size and times between a kill and --resume."""
        n, how = place
        shutil.copytree("tiny/images", at + "/in")
        names = images_below(at + "/in")
        with open(at + "/in.tar", "wb") as file:
            file.write(tar_of(names))
        os.utime(at + "/in.tar", (1700000000, 1700000000))
        words = [bench.lockstep, "run", "-q", "-p", home + "/p.json", "-j", "1", "-n", "2", "-i", at + "/in.tar"]
        run(strace("pwrite64:signal=KILL:when=%d" % n, words + ["-o", at + "/out"]))
        data = bytearray(tar_of(names))
        if how == "pixels":  # of one image, whose length does not change
            at_end = data.rindex(b"\xff\xd9")
            data[at_end - 30] ^= 16
        with open(at + "/new.tar", "wb") as file:
            file.write(data)
        os.utime(at + "/new.tar", (1700000000, 1700000000))
        os.rename(at + "/new.tar", at + "/in.tar")
        code, said = run(words + ["-o", at + "/out", "--resume"])
        allowed(code, said, (OK, INPUT, OCCUPIED))
        again, _ = run(words + ["-o", at + "/fresh"])
        if code == OK and again == OK:
            must_be(tree(at + "/fresh"), at + "/out", "it says 0")
        return code
    bench.each("tar replaced, same times", [(n, how) for n in range(1, max(3, 24 // bench.share)) for how in ("pixels", "nothing")], replaced)


# --- files that options write ---

OUTPUTS = {
    "run -o": "run -q -p HOME/p.json -j 1 -i HOME/tiny/images -o OUT",
    "run --one-hot": "run -q -p HOME/p.json -j 1 -i HOME/tiny/images --labels folders -o AT/out --one-hot OUT",
    "run --one-hot --overwrite": "run -q -p HOME/p.json -j 1 -i HOME/tiny/images --labels folders -o AT/out --one-hot OUT --overwrite",
    "replay -o": "replay -q -m HOME/of-tiny/manifest.jsonl -i HOME/tiny/images -j 1 -o OUT",
    "merge -o": "merge -q HOME/of-shards/a HOME/of-shards/b --link copy -o OUT",
    "merge --one-hot": "merge -q HOME/of-shards/a HOME/of-shards/b --link copy -o AT/out --one-hot OUT",
    "labels -o": "labels -q -p HOME/keep.json -a HOME/found.json -o OUT",
    "labels -o --overwrite": "labels -q -p HOME/keep.json -a HOME/found.json -o OUT --overwrite",
    "back -o": "back -q -m HOME/of-tiny/manifest.jsonl -r HOME/found.json -o OUT",
    "back -o --overwrite": "back -q -m HOME/of-tiny/manifest.jsonl -r HOME/found.json -o OUT --overwrite",
    "iou -o": "iou HOME/tiny/annotations.json HOME/found.json -o OUT",
    "iou -o --overwrite": "iou HOME/tiny/annotations.json HOME/found.json -o OUT --overwrite",
    "compile -o": "compile -p HOME/p.json -o OUT",
    "compile -o --overwrite": "compile -p HOME/p.json -o OUT --overwrite",
    "import -o": "import HOME/theirs.json -o OUT",
    "import -o --overwrite": "import HOME/theirs.json -o OUT --overwrite",
    "preview -o": "preview -q -p HOME/p.json -i HOME/tiny/images -n 1 --limit 1 -o OUT",
    "preview -o --overwrite": "preview -q -p HOME/p.json -i HOME/tiny/images -n 1 --limit 1 -o OUT --overwrite",
    "split -o": "split -a HOME/tiny/annotations.json -o OUT",
    "convert -o": "convert -q -a HOME/tiny/annotations.json -i HOME/tiny/images -j 1 -o OUT --to coco",
    "concat -o": "concat -q -j 1 HOME/of-tiny HOME/of-tiny -o OUT",
    "check --output": "check HOME/tiny/annotations.json --output json=OUT",
    "check --write-baseline": "check HOME/tiny/annotations.json --write-baseline OUT",
    "check -o": "check HOME/broken.json --fix -o OUT --fail-on never",
}
WRITING = {"--out", "--one-hot", "--output", "--write-baseline"}  # options that name an output
KINDS = ("file", "pipe", "pipe that is left", "null device", "full device", "link to standard output", "link to a file",
         "link to nothing", "folder", "no folder above")


def options_that_write(lockstep):
    """Returns the options of every command that name an output, by the rows that help prints."""
    found = set()
    said = subprocess.run([lockstep, "help"], capture_output=True, text=True).stdout
    part = said[said.index("COMMANDS"):said.index("TOPICS")]
    names = re.findall(r"^  ([a-z-]+)  ", part, re.M) + re.findall(r"[a-z-]+", part[part.index("\n  and "):])
    for name in set(names) - {"and"}:
        rows = subprocess.run([lockstep, name, "--help-all"], capture_output=True, text=True).stdout
        for short, option in re.findall(r"^  (?:(-.), |    )(--[a-z-]+) ", rows, re.M):
            if option in WRITING:
                found.add((name, short or option))
    return found


def part_outputs(bench):
    """Writes each output option to special files: all bytes arrive, or a code reports that they did not."""
    make_tiny(bench)
    home = os.getcwd()
    known = {tuple(name.split()[:2]) for name in OUTPUTS}
    if options_that_write(bench.lockstep) - known:
        bench.failures.append("no trial writes to %s" % sorted(options_that_write(bench.lockstep) - known))
    for shard, name in ("0/2", "a"), ("1/2", "b"):
        subprocess.run([bench.lockstep, "run", "-q", "-p", "p.json", "-i", "tiny/images", "--labels", "folders", "--shard", shard,
                        "-o", "of-shards/" + name], check=True)
    with open("theirs.json", "w") as file:
        json.dump({"__version__": "1.3.0", "transform": {"__class_fullname__": "Compose", "p": 1.0, "transforms": [
            {"__class_fullname__": "HorizontalFlip", "p": 0.5}]}}, file)
    with open("tiny/annotations.json") as file:
        broken = json.load(file)
    broken["annotations"][0]["iscrowd"] = "0"
    with open("broken.json", "w") as file:
        json.dump(broken, file)

    def ending(name):
        return ".png" if name.startswith("preview") else ""

    def reference(name):
        at = tempfile.mkdtemp(prefix="reference-", dir=home)
        code, said = run(Job("", "").words(bench, at, OUTPUTS[name].replace("OUT", "AT/it" + ending(name)).replace("--overwrite", "")))
        if code:
            raise SystemExit("%s ends with %d: %s" % (name, code, said))
        path = at + "/it" + ending(name)
        return open(path, "rb").read() if os.path.isfile(path) else None
    whole = {name: reference(name) for name in OUTPUTS}

    def make(path, kind):
        if kind.startswith("pipe"):
            os.mkfifo(path)
        elif kind.endswith("device"):
            os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 3 if kind == "null device" else 7))
        elif kind == "folder":
            os.mkdir(path)
            open(path + "/own.txt", "w").close()
        elif kind == "link to standard output":
            os.symlink("/proc/self/fd/1", path)
        elif kind.startswith("link"):
            os.symlink("other", path)
            if kind == "link to a file":
                with open(os.path.join(os.path.dirname(path), "other"), "w") as file:
                    file.write("mine")

    def drained(path, keep, left, got):
        """Reads all data of a pipe, or its first byte. Then no process has it open to read."""
        fd = os.open(path, os.O_RDONLY)
        while True:
            data = os.read(fd, 1 if left else 1 << 16)
            got.append(data)
            if not data or left:
                break
        os.close(fd)
        if left:
            os.close(keep)

    def trial(at, place):
        name, kind = place
        path = at + ("/none/it" if kind == "no folder above" else "/it") + ending(name)
        try:
            make(path, kind)
        except PermissionError:
            return "no device"
        before = os.lstat(path) if os.path.lexists(path) else None
        got = []
        if before and stat.S_ISFIFO(before.st_mode):
            keep = os.open(path, os.O_RDWR)  # so that no open waits for ever
            reader = threading.Thread(target=drained, args=(path, keep, kind != "pipe", got), daemon=True)
            reader.start()
        words = Job("", "").words(bench, at, OUTPUTS[name].replace("OUT", path))
        with open(at + "/printed", "wb") as out:
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.PIPE, start_new_session=True)
            if before and stat.S_ISFIFO(before.st_mode):
                time.sleep(0.05)
            try:
                _, said = process.communicate(timeout=60)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                raise Failed("%s, %s: it waits for ever" % place)
        code, said = process.returncode, said.decode(errors="replace")
        if before and stat.S_ISFIFO(before.st_mode):
            if kind == "pipe":
                os.close(keep)
            try:  # a reader that waits for a writer
                os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
            except OSError:
                pass
            reader.join(10)
        after = os.lstat(path) if os.path.lexists(path) else None
        told = "%s, %s: code %s" % (name, kind, code)
        if before and (not after or (before.st_mode, before.st_ino) != (after.st_mode, after.st_ino)):
            raise (Lie if code == OK else Failed)("%s: it is no longer what it was: %s" % (told, said.strip()[-200:]))
        if code not in (OK, 2, INPUT, OUTPUT, OCCUPIED) + ((-13, 141) if kind == "pipe that is left" else ()):
            raise Failed("%s: %s" % (told, said.strip()[-300:]))
        if code not in (OK, -13) and not re.search(r"\[[a-z-]+\]", said):
            raise Failed("%s: no message has a code: %s" % (told, said.strip()[-300:]))
        if kind == "folder" and os.path.exists(path + "/own.txt") is False:
            raise Failed("%s: the user's file is gone" % told)
        if code and kind == "link to a file" and open(at + "/other").read() != "mine":
            raise Failed("%s: what the link leads to is not as it was" % told)
        if code == OK and whole[name] is not None:
            read = {"file": lambda: open(path, "rb").read(), "pipe": lambda: b"".join(got), "link to a file": lambda: open(path, "rb").read(),
                    "link to nothing": lambda: open(path, "rb").read(), "link to standard output": lambda: open(at + "/printed", "rb").read()}
            # A report may be printed beside it.
            there = kind not in read or (whole[name] in read[kind]() if kind == "link to standard output" else read[kind]() == whole[name])
            if kind in ("full device", "folder") or not there:
                raise Lie("%s: the bytes are not there" % told)
        elif code == OK and kind in ("null device", "full device", "pipe", "pipe that is left", "link to standard output"):
            raise Lie("%s: a folder was asked for, and this is none" % told)
        return code
    bench.each("what is written to", bench.some((name, kind) for name in OUTPUTS for kind in KINDS), trial)


# --- control groups ---

def part_groups(bench):
    """Memory of a control group, of version 1 and of version 2: it is kept to, or code 8 says that it is not enough."""
    make_tiny(bench)
    home = os.getcwd()
    os.mkdir("large")
    with open("large.json", "w") as file:
        file.write('{"version": 1, "transforms": [{"type": "Resize", "size": [3000, 4000]}]}')
    name = sorted(name for name in tree("tiny/images") if name.endswith(".jpg"))[0]
    subprocess.run([bench.lockstep, "run", "-q", "-p", "large.json", "-i", "tiny/images/" + name, "-o", "of-large"], check=True)
    shutil.copy(images_below("of-large/images")[0][0], "large/a.jpg")
    blurred = [bench.lockstep, "run", "-q", "-p", home + "/blur.json", "-i", home + "/large", "-j", "1", "-o"]
    with open("blur.json", "w") as file:
        file.write('{"version": 1, "transforms": [{"type": "RandomRotation", "degrees": [30, 30]}]}')
    subprocess.run(blurred + ["whole-large"], check=True)
    clean = tree("whole-large")

    def within(at, version, limit, words):
        """The words of a command that sees these files of control groups. No process is put into a group."""
        os.makedirs(at + "/groups")
        below = at + ("/groups/memory/box" if version == 1 else "/groups/box")
        os.makedirs(below)
        with open(below + ("/memory.limit_in_bytes" if version == 1 else "/memory.max"), "w") as file:
            file.write("%s\n" % limit)
        with open(at + "/group", "w") as file:
            file.write("4:memory:/box\n0::/\n" if version == 1 else "0::/box\n")
        return ["unshare", "-rm", "sh", "-ec", 'mount --rbind "$0/groups" /sys/fs/cgroup; mount --bind "$0/group" /proc/$$/cgroup; exec "$@"',
                at] + words

    def trial(at, place):
        version, limit = place
        code, said = run(within(at, version, limit, blurred + [at + "/out"]))
        small = isinstance(limit, int) and limit <= 24 << 20
        if code == OK and small:
            raise Failed("a group of %d bytes is not seen" % limit)
        allowed(code, said, (MEMORY,) if small else (OK,) if not isinstance(limit, int) or limit >= 2 << 30 else (OK, MEMORY))
        if code == MEMORY and not re.search(r"memory", said):
            raise Failed("it does not say that memory is short: %s" % said.strip()[-300:])
        if code == OK:
            must_be(clean, at + "/out", "it says 0")
        code_again, said = run(blurred + [at + "/out", "--resume"])
        allowed(code_again, said, (OK,))
        must_be(clean, at + "/out", "resumed")
        return code
    if subprocess.run(["unshare", "-rm", "true"], stderr=subprocess.DEVNULL).returncode:
        bench.do("control groups", ["no name space"], lambda at, place: place)
    else:
        limits = [4 << 20, 16 << 20, 24 << 20, 64 << 20, 128 << 20, 512 << 20, 2 << 30, 8 << 30, 9223372036854771712, "max"]
        bench.do("control groups", bench.some((version, limit) for version in (1, 2) for limit in limits
                                              if version == 2 or limit != "max"), trial)
    bench.print_row("control groups")


PARTS = {"kill": lambda b: part_kill(b, False), "workers": lambda b: part_kill(b, True), "overwrite": part_overwrite,
         "resume": part_resume, "group": part_group, "worker": part_worker, "journal": part_journal,
         "faults": part_faults, "short": part_short, "memory": part_memory, "disk": part_disk, "limits": part_limits,
         "lost": part_lost, "others": part_others, "stopped": part_stopped, "durable": part_durable,
         "shards": part_shards, "merge": part_merge, "divided": part_divided,
         "archives": part_archives, "outputs": part_outputs, "groups": part_groups, "chains": part_chains}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lockstep")
    parser.add_argument("tools")
    parser.add_argument("--part", action="append", choices=PARTS)
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=5000)
    parser.add_argument("--faults", type=int, default=20000)
    parser.add_argument("--chain", type=int, help="of the part chains, do this one alone")
    parser.add_argument("-j", "--jobs", type=int, default=len(os.sched_getaffinity(0)))
    args = parser.parse_args()
    bench = Bench(args)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    folder = tempfile.mkdtemp(prefix="torture-")
    os.chdir(folder)
    bench.make()
    print("%-28s %6s  %s" % ("", "trials", "what they ended with"), flush=True)
    for name in args.part or PARTS:
        PARTS[name](bench)
    if not args.part and (COUNTS["kills"] < bench.kills or COUNTS["faults"] < bench.faults):
        bench.failures.append("not %d kills and %d faults" % (bench.kills, bench.faults))
    total = sum(row["trials"] + row["failed"] for row in bench.rows.values())
    for failure in bench.failures:
        print("FAILED " + failure)
    print("%d trials, %d failed: every other one, resumed, left the tree of an undisturbed run; no code 0 without "
          "it; no process left" % (total, len(bench.failures)))
    print("%d kills, %d faults; lies: %d" % (COUNTS["kills"], COUNTS["faults"], COUNTS["lies"]))
    os.chdir("/")
    if not bench.failures:
        shutil.rmtree(folder)
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
