"""LOCKSTEP [N [SEED]]: one bit flipped in N places of a small archive of each kind (60 by default), and in each of the
last bytes; bytes cut off, and bytes appended.

The images have no checksums of their own. A run of a damaged archive is refused, or it writes the same bytes as with
the intact one. A truncated archive, and one that continues after its end, is refused. Prints the counts of each kind.
"""
import bz2
import ctypes
import gzip
import io
import lzma
import os
import random
import subprocess
import sys
import tarfile
import tempfile
import zipfile

TRAILER = 24
REFUSED = 4


def zstd(data):
    """Returns one frame with its checksum, by the library that libarchive needs."""
    lib = ctypes.CDLL("libzstd.so.1")
    lib.ZSTD_createCCtx.restype = ctypes.c_void_p
    lib.ZSTD_compress2.restype = ctypes.c_size_t
    context = ctypes.c_void_p(lib.ZSTD_createCCtx())
    checksum = 201
    assert not lib.ZSTD_isError(lib.ZSTD_CCtx_setParameter(context, checksum, 1))
    room = ctypes.create_string_buffer(len(data) + 4096)
    size = lib.ZSTD_compress2(context, room, ctypes.c_size_t(len(room)), data, ctypes.c_size_t(len(data)))
    return room.raw[:size]


def images(rng):
    """Raw samples, smooth enough to be compressed."""
    for name in "a.ppm", "d/b.ppm":
        yield name, b"P6 24 16 255\n" + bytes((i // 9 + rng.randrange(3)) & 255 for i in range(24 * 16 * 3))


def tarred(members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def zipped(members, method):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members:
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return out.getvalue()


def archives(rng):
    members = list(images(rng))
    tar = tarred(members)
    half = len(tar) // 2
    return {
        "gzip.tar.gz": gzip.compress(tar),
        "members.tar.gz": gzip.compress(tar[:half]) + gzip.compress(tar[half:]),
        "bzip2.tar.bz2": bz2.compress(tar),
        "streams.tar.bz2": bz2.compress(tar[:half]) + bz2.compress(tar[half:]),
        "xz.tar.xz": lzma.compress(tar),
        "zstd.tar.zst": zstd(tar),
        "frames.tar.zst": zstd(tar[:half]) + zstd(tar[half:]),
        "deflated.zip": zipped(members, zipfile.ZIP_DEFLATED),
        "stored.zip": zipped(members, zipfile.ZIP_STORED),
    }, tar


def damages(data, tar, n, rng):
    """Yields a description, whether the damage must be refused, and the damaged bytes."""
    last = range(max(0, len(data) - TRAILER), len(data))
    for at in sorted(rng.sample(range(len(data)), min(n, len(data)))) + list(last):
        bit = rng.randrange(8)
        yield "bit %d of byte %d" % (bit, at), False, data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1:]
    for cut in 1, 2, 4, 8, 9, 12, 20, len(data) // 2:
        yield "%d bytes cut off" % cut, True, data[:-cut]
    for what in b"x", b"\0\0\0x", bytes(70000) + b"x", data, tar:
        yield "%d bytes appended" % len(what), True, data + what


def outcome(lockstep, work, name, data, stdin):
    """Returns the exit status, and the written bytes."""
    path, out = os.path.join(work, name), os.path.join(work, "out")
    with open(path, "wb") as file:
        file.write(data)
    with open(path, "rb") as file:
        done = subprocess.run([lockstep, "run", "-q", "-j", "1", "-p", os.path.join(work, "p.json"),
                               "-i", "-" if stdin else path, "-o", out], stdin=file, stderr=subprocess.PIPE)
    written = {}
    for folder, _, names in os.walk(os.path.join(out, "images")):
        for found in names:
            with open(os.path.join(folder, found), "rb") as file:
                written[os.path.relpath(os.path.join(folder, found), out)] = file.read()
    subprocess.run(["rm", "-rf", out], check=True)
    return done.returncode, written, done.stderr.decode(errors="replace")


def main(lockstep, n=60, seed=1):
    faults = total = 0
    with tempfile.TemporaryDirectory() as work:
        with open(os.path.join(work, "p.json"), "w") as file:
            file.write('{"version": 1, "transforms": []}')
        whole, tar = archives(random.Random(seed))
        for name, data in whole.items():
            rng = random.Random("%s %d" % (name, seed))
            status, intact, said = outcome(lockstep, work, name, data, False)
            if status != 0 or len(intact) != 2:
                raise SystemExit("%s: exit %d: %s" % (name, status, said))
            counts, wrong = {"refused": 0, "equal": 0}, []
            for what, must_refuse, bad in damages(data, tar, n, rng):
                status, written, said = outcome(lockstep, work, name, bad, rng.random() < .5)
                if status == REFUSED:
                    counts["refused"] += 1
                elif status == 0 and written == intact and not must_refuse:
                    counts["equal"] += 1
                else:
                    wrong.append("%s: exit %d %s" % (what, status, said[-200:]))
                total += 1
            print("%-16s %5d bytes  %3d refused  %3d equal  %d faults" % (
                name, len(data), counts["refused"], counts["equal"], len(wrong)))
            for fault in wrong:
                print("    " + fault)
            faults += len(wrong)
    print("%d archives, %d damages: %d faults" % (len(whole), total, faults))
    return faults != 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:4])))
