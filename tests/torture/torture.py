#!/usr/bin/env python3
"""LOCKSTEP TOOLS [--part NAME]... [--share N] [--seed SEED]: stop runs in every way, and go on.

A small dataset is run, and the run is killed or disturbed at each of its system calls; then --resume
must leave the very files of a run that nobody has disturbed. Code 0 must mean the same without it.
With --share N, an N-th of the places is tried, drawn by SEED. TOOLS has short.so. Prints a table.
"""
import argparse
import collections
import concurrent.futures
import hashlib
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
CALLS = ("write pwrite64 rename renameat renameat2 unlink unlinkat mkdir mkdirat rmdir ftruncate fsync "
         "fdatasync syncfs close openat").split()
OK, PARTIAL, INPUT, OUTPUT, OCCUPIED, CRASHED, MEMORY = 0, 1, 4, 5, 6, 7, 8


class Failed(Exception):
    """What should not have come of a trial."""


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
        self.random = random.Random(args.seed)
        self.share = args.share
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

    def count(self, part, code, kept=""):
        with self.guard:
            row = self.rows.setdefault(part, collections.Counter())
            row["trials"] += 1
            row["code %s" % code] += 1
            if kept:
                row[kept] += 1

    def each(self, part, places, trial):
        """Do a trial for each place, each in a folder of its own."""
        def one(place):
            at = tempfile.mkdtemp(prefix=part + "-", dir=os.getcwd())
            try:
                code = trial(at, place)
                self.count(part, code)
                shutil.rmtree(at, ignore_errors=True)
            except Failed as failed:
                with self.guard:
                    self.rows.setdefault(part, collections.Counter())["failed"] += 1
                    self.failures.append("%s at %s: %s (in %s)" % (part, place, failed, at))
        with concurrent.futures.ThreadPoolExecutor(max(1, len(os.sched_getaffinity(0)))) as pool:
            list(pool.map(one, places))


def leftovers(session):
    """Processes of a session, which is that of a run that has ended."""
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
    """A run's code and what it said; nothing of it is left a moment later."""
    try:
        _, said = run.communicate(timeout=120)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        run.communicate()
        raise Failed("it did not end")
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
    return (["strace", "-qq", "-o", log] + ["-f"] * follow + (["-e", "trace=" + trace] if trace else [])
            + (["-e", "inject=" + where] if where else []) + words)


def places_of(words, follow=False):
    """(call, n): the n-th call of the process that makes most of it."""
    log = tempfile.mktemp(dir=os.getcwd())
    code, said = run(strace(None, words, follow, log, ",".join(CALLS)))
    if code:
        raise SystemExit("a run that is only watched ends with %d: %s" % (code, said))
    seen = collections.Counter()
    for line in open(log, errors="replace"):
        found = re.match(r"(\d+ +)?([a-z0-9]+)\(", line)
        if not found:
            continue
        seen[found[1], found[2]] += 1
    most = collections.Counter()
    for (_, call), n in seen.items():
        most[call] = max(most[call], n)
    os.remove(log)
    return [(call, n) for call in CALLS for n in range(1, most[call] + 1)]


def must_be(expected, out, what):
    found = tree(out)
    if found != expected:
        raise Failed("%s: not the same: %s" % (what, differs(found, expected)))


def go_on(bench, out, which="small", pipeline="p", expected=None, *words, jobs=1, images=None):
    """--resume, with nobody in its way."""
    code, said = run(bench.command(out, which, pipeline, "--resume", *words, jobs=jobs, images=images))
    if code:
        raise Failed("--resume ends with %d: %s" % (code, said.strip()))
    must_be(expected or bench.clean, out, "resumed")


def allowed(code, said, codes):
    if code not in codes:
        raise Failed("it ends with %s: %s" % (code, said.strip()[-300:]))


def unfinished(out, code, expected):
    """What was disturbed has no scratch only if it was not begun, or if it is whole."""
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
        go_on(bench, out)
        return "KILL" if code in (-9, 137) else code
    bench.each(part, bench.some(places_of(bench.command("watched-%d" % follow), follow)), trial)


def part_overwrite(bench):
    def trial(at, place):
        out = at + "/out"
        shutil.copytree("of-former", out)
        code, said = run(strace("%s:signal=KILL:when=%d" % place, bench.command(out, "small", "p", "--overwrite")))
        there = tree(out)
        scratch = [name for name in there if name.startswith(".lockstep/swap.") and not name.endswith(".new")]
        top = without_scratch(there)
        if not scratch and top != bench.former and top != bench.clean:
            raise Failed("the former result is damaged: %s" % differs(top, bench.former))
        again, said = run(bench.command(out, "small", "p", "--resume"))
        if again == OCCUPIED and "[resume-key]" in said and top == bench.former and not os.path.exists(
                out + "/.lockstep/journal"):  # nothing was started
            again, said = run(bench.command(out, "small", "p", "--overwrite"))
        allowed(again, said, (OK,))
        must_be(bench.clean, out, "resumed")
        return "KILL" if code in (-9, 137) else code
    shutil.copytree("of-former", "watched-over")
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
        go_on(bench, out)
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


def part_faults(bench):
    def trial(at, place):
        call, n, error = place
        out = at + "/out"
        code, said = run(strace("%s:error=%s:when=%d" % (call, error, n), bench.command(out), True))
        if code == OK:  # a scratch that cannot be removed may stay
            found = without_scratch(tree(out))
            if found != bench.clean:
                raise Failed("it says 0: not the same: %s" % differs(found, bench.clean))
        elif call in ("openat", "close"):  # of libraries, inputs, and what is asked about the folder, too
            allowed(code, said, (1, 2, 3, INPUT, OUTPUT, OCCUPIED, CRASHED, MEMORY, 127))
        else:
            allowed(code, said, (INPUT, OUTPUT, CRASHED, MEMORY))  # a worker that cannot report has crashed
        unfinished(out, code, bench.clean)
        go_on(bench, out)
        return code
    # strace leaves open what is not closed: a worker whose first close fails holds its own pipe.
    places = [place for place in places_of(bench.command("watched-faults"), True) if place != ("close", 1)]
    for error in ("ENOSPC", "EIO", "EDQUOT", "EINTR"):
        bench.each("n-th call: " + error, bench.some([(call, n, error) for call, n in places]), trial)


def part_short(bench):
    def trial(at, n):
        out = at + "/out"
        env = dict(os.environ, LD_PRELOAD=bench.tools + "/short.so", SHORT_CALL=str(n))
        code, said = run(bench.command(out), env=env)
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
    bench.each("two runs, one folder", range(10), two)
    bench.each("folder removed midway", [bench.random.uniform(0, seconds) for _ in range(10)], removed)
    bench.each("inputs cut midway", [(bench.random.uniform(0, seconds), what) for _ in range(8)
                                     for what in ("an image", "annotations")], changed)


PARTS = {"kill": lambda b: part_kill(b, False), "workers": lambda b: part_kill(b, True), "overwrite": part_overwrite,
         "resume": part_resume, "group": part_group, "worker": part_worker, "journal": part_journal,
         "faults": part_faults, "short": part_short, "disk": part_disk, "limits": part_limits, "lost": part_lost,
         "others": part_others}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("lockstep")
    parser.add_argument("tools")
    parser.add_argument("--part", action="append", choices=PARTS)
    parser.add_argument("--share", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    bench = Bench(args)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    folder = tempfile.mkdtemp(prefix="torture-")
    os.chdir(folder)
    bench.make()
    for name in args.part or PARTS:
        PARTS[name](bench)
    print("%-28s %6s  %s" % ("", "trials", "what they ended with"))
    total = 0
    for part, row in bench.rows.items():
        total += row["trials"] + row["failed"]
        codes = ", ".join("%s: %d" % (code[5:], n) for code, n in sorted(row.items()) if code.startswith("code "))
        print("%-28s %6d  %s%s" % (part, row["trials"] + row["failed"], codes,
                                   "; FAILED: %d" % row["failed"] if row["failed"] else ""))
    for failure in bench.failures[:20]:
        print("FAILED " + failure)
    print("%d trials, %d failed: every other one, resumed, left the tree of an undisturbed run; no code 0 without "
          "it; no process left" % (total, len(bench.failures)))
    os.chdir("/")
    if not bench.failures:
        shutil.rmtree(folder)
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
