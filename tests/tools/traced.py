#!/usr/bin/env python3
"""Check in a trace (strace -f -y) that decoding processes are contained, and touch nothing outside of OUT.

    traced.py TRACE OUT READ WROTE    requires at least READ images read and WROTE write calls; prints the counts

A process that opens an image for reading has entered a filter of system calls before. Only the first process starts a
program, makes or connects a socket, or forks. Files that the others open for writing, make, move and remove are below
OUT.
"""
import re
import sys

CALLS = "process,network,openat,open,creat,mkdirat,mkdir,unlinkat,unlink,renameat2,rename,linkat,symlinkat,seccomp"
IMAGE = re.compile(r'^openat\(.*\.(jpg|png|webp|tif|gif|bmp|ppm)"')
HARMLESS = ("seccomp", "exit_group", "exit", "clone", "clone3", "wait4")


def main(trace, out, least_read, least_wrote):
    with open(trace, encoding="utf-8", errors="replace") as f:
        lines = [line.split(None, 1) for line in f]
    supervisor = lines[0][0]
    calls = wrote = read = 0
    contained = set()
    for pid, call in lines:
        if call.startswith("seccomp(SECCOMP_SET_MODE_FILTER") or "seccomp resumed" in call:
            contained.add(pid)
        if IMAGE.match(call) and not re.search("O_PATH|O_CREAT", call):
            read += 1
            assert pid in contained, call
    for pid, call in lines:
        if pid == supervisor or " = -1 " in call or not re.match(r"\w+\(", call):
            continue
        name = call[:call.index("(")]
        calls += 1
        assert name not in ("execve", "execveat", "socket", "connect", "fork", "vfork"), call
        writes = name not in ("openat", "open") or re.search(r"O_(WRONLY|RDWR|CREAT|TRUNC)", call)
        if not writes or name in HARMLESS:
            continue
        wrote += 1
        folders = re.findall(r"\d+<([^>]*)>", call.split(" = ")[0])
        assert folders and all((folder + "/").startswith(out + "/") for folder in folders), call
        assert not re.search(r'"/|"(\.\./)|/\.\./', call), call
    print(f"{calls} calls of {len(contained)} contained processes; {read} images read, {wrote} calls wrote")
    assert read >= least_read and wrote >= least_wrote


if __name__ == "__main__":
    if sys.argv[1:] == ["--calls"]:
        print(CALLS)
    else:
        main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
