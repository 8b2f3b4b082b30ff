#!/usr/bin/python3
"""A file system over a folder, like shares of macOS: folding.py FOLDER MOUNTPOINT

It finds files whatever the case and the normalization form of their names, and keeps the names that were given at
creation.
"""
import errno
import os
import sys
import unicodedata

from fusepy import FUSE, FuseOSError, Operations


def folded(name):
    return unicodedata.normalize("NFD", unicodedata.normalize("NFD", name).casefold())


class Folding(Operations):
    def __init__(self, root):
        self.root = root

    def find(self, path):
        """The path below the root, with the names that are there."""
        at = self.root
        for part in path.split("/"):
            if part:
                there = os.listdir(at) if os.path.isdir(at) else []
                at = os.path.join(at, next((n for n in there if folded(n) == folded(part)), part))
        return at

    def getattr(self, path, fh=None):
        s = os.lstat(self.find(path))
        return {key: getattr(s, key) for key in
                ("st_mode", "st_nlink", "st_uid", "st_gid", "st_size", "st_atime", "st_mtime", "st_ctime")}

    def readdir(self, path, fh):
        return [".", ".."] + os.listdir(self.find(path))

    def mkdir(self, path, mode):
        os.mkdir(self.find(path), mode)

    def rmdir(self, path):
        os.rmdir(self.find(path))

    def unlink(self, path):
        os.unlink(self.find(path))

    def rename(self, old, new):
        os.rename(self.find(old), self.find(new))

    def create(self, path, mode, fi=None):
        return os.open(self.find(path), os.O_RDWR | os.O_CREAT, mode)

    def open(self, path, flags):
        return os.open(self.find(path), flags & ~os.O_NOFOLLOW)

    def read(self, path, size, offset, fh):
        return os.pread(fh, size, offset)

    def write(self, path, data, offset, fh):
        return os.pwrite(fh, data, offset)

    def truncate(self, path, length, fh=None):
        os.truncate(self.find(path), length)

    def release(self, path, fh):
        os.close(fh)


def call(self, operation, *arguments):
    if not hasattr(self, operation):
        raise FuseOSError(errno.ENOSYS)
    try:
        return getattr(self, operation)(*arguments)
    except OSError as e:
        raise FuseOSError(e.errno)


Folding.__call__ = call
FUSE(Folding(os.path.abspath(sys.argv[1])), sys.argv[2], foreground=True, nothreads=True)
