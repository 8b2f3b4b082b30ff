#!/usr/bin/env python3
"""Writes archives that run is to refuse, and a few odd ones that it takes, with a line for each:
its name, the code of its outcome ("done": it is taken).

    hostile_tars.py FOLDER IMAGE
"""
import io
import os
import sys
import tarfile

folder, image = sys.argv[1], open(sys.argv[2], 'rb').read()


def member(name, data=image, kind=tarfile.REGTYPE, link=''):
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, link
    info.size = len(data) if kind == tarfile.REGTYPE else 0
    return info, data if kind == tarfile.REGTYPE else b''


def tar(*members, form=tarfile.PAX_FORMAT):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode='w', format=form) as archive:
        for info, data in members:
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def declared(size, have):
    """Returns an archive with one member, which declares `size` bytes, and has `have`."""
    info = tarfile.TarInfo('a.png')
    info.size = size
    return info.tobuf(tarfile.GNU_FORMAT) + image[:have]


def extended(kind, size, body):
    """A header for the next member, which says it has `size` bytes."""
    info = tarfile.TarInfo('x')
    info.type, info.size = kind, size
    return info.tobuf(tarfile.GNU_FORMAT) + body


def pax(body, kind=b'x', name='a.png'):
    """Returns a member after an extended header of this text."""
    padded = body + bytes(-len(body) % 512)
    info = tarfile.TarInfo('x')
    info.type, info.size = kind, len(body)
    return info.tobuf(tarfile.USTAR_FORMAT) + padded + tar(member(name))


good = tar(member('a.png'))
two = tar(member('a.png'), member('b.png'))
long_name = 'd' * 90 + '/' + 'e' * 120 + '.png'
end = 512 + (len(image) + 511) // 512 * 512
cases = {
    'plain': (good, 'done'),
    'dot-slash': (tar(member('./a.png')), 'done'),
    'spaces': (tar(member('a b  c.png')), 'done'),
    'dots': (tar(member('a.b.c.png')), 'done'),
    'utf8': (tar(member('bild-\u00e4\u4e2d.png')), 'done'),
    'utf8-gnu': (tar(member('bild-\u00e4\u4e2d.png'), form=tarfile.GNU_FORMAT), 'done'),
    'folders': (tar(member('x/y/a.png'), member('x/z/a.png')), 'done'),
    'gnu-long': (tar(member(long_name), form=tarfile.GNU_FORMAT), 'done'),
    'pax-long': (tar(member(long_name)), 'done'),
    'ustar': (tar(member('a.png'), form=tarfile.USTAR_FORMAT), 'done'),
    'symlink': (tar(member('a.png', kind=tarfile.SYMTYPE, link='/etc/passwd')), 'member-link'),
    'hardlink': (tar(member('a.png'), member('b.png', kind=tarfile.LNKTYPE, link='a.png')), 'member-link'),
    'hardlink-out': (tar(member('b.png', kind=tarfile.LNKTYPE, link='../a.png')), 'member-link'),
    'fifo': (tar(member('a.png', kind=tarfile.FIFOTYPE)), 'member-special'),
    'char': (tar(member('a.png', kind=tarfile.CHRTYPE)), 'member-special'),
    'block': (tar(member('a.png', kind=tarfile.BLKTYPE)), 'member-special'),
    'up': (tar(member('../a.png')), 'member-unsafe'),
    'up-inside': (tar(member('x/../../a.png')), 'member-unsafe'),
    'up-behind-dot': (tar(member('./../a.png')), 'member-unsafe'),
    'absolute': (tar(member('/tmp/a.png')), 'member-unsafe'),
    'slashes': (tar(member('//a.png')), 'member-unsafe'),
    'backslash': (tar(member('x\\..\\a.png')), 'member-unsafe'),
    'drive': (tar(member('C:a.png')), 'member-unsafe'),
    'escape': (tar(member('a\033[2J.png')), 'member-unsafe'),
    'newline': (tar(member('a\nb.png')), 'member-unsafe'),
    'part-256': (tar(member('a' * 252 + '.png')), 'member-unsafe'),
    'twice': (tar(member('a.png'), member('a.png')), 'member-duplicate'),
    'twice-dot': (tar(member('a.png'), member('./a.png')), 'member-duplicate'),
    'cut-data': (good[:700], 'archive-truncated'),
    'cut-header': (two[:end + 100], 'archive-truncated'),
    'cut-between': (two[:end], 'archive-truncated'),
    'ten-gigabytes': (declared(10 << 30, 1000), 'archive-truncated'),
    'eight-exabytes': (declared((1 << 63) - 1, 1000), 'archive-truncated archive-damaged'),
    'long-name-huge': (extended(b'L', 8 << 30, b'a' * 512), 'archive-damaged archive-truncated'),
    'pax-huge': (extended(b'x', 8 << 30, b'a' * 512), 'archive-damaged archive-truncated'),
    'pax-cut': (extended(b'x', 4096, b'a' * 512), 'archive-damaged archive-truncated'),
    'pax': (pax(b'16 path=b/c.png\n'), 'done'),
    'pax-comment': (pax(b'14 comment=ab\n', b'g'), 'done'),
    'pax-vendor': (pax(b'18 LIBARCHIVE.x=y\n16 path=b/c.png\n'), 'done'),
    'pax-length': (pax(b'15 path=b/c.png\n'), 'archive-damaged'),
    'pax-long-record': (pax(b'99 path=b/c.png\n'), 'archive-damaged'),
    'pax-no-length': (pax(b'path=b/c.png\n'), 'archive-damaged'),
    'pax-no-equals': (pax(b'16 path b/c.png\n'), 'archive-damaged'),
    'pax-no-key': (pax(b'8 =/c.p\n'), 'archive-damaged'),
    'pax-no-line-end': (pax(b'16 path=b/c.png '), 'archive-damaged'),
    'pax-second': (pax(b'16 path=b/c.png\n5 ctim\n'), 'archive-damaged'),
    'pax-padding': (pax(b'16 path=b/c.png\n' + bytes(16)), 'archive-damaged'),
    'pax-twice': (pax(b'16 path=b/c.png\n16 path=b/d.png\n'), 'archive-damaged'),
    'pax-mtime-twice': (pax(b'11 mtime=1\n11 mtime=2\n'), 'archive-damaged'),
    'pax-empty-path': (pax(b'8 path=\n'), 'archive-damaged'),
    'pax-zero': (pax(b'16 path=b\0c.png\n'), 'archive-damaged'),
    'pax-size': (pax(b'12 size=1e3\n'), 'archive-damaged'),
    'pax-negative': (pax(b'11 size=-1\n'), 'archive-damaged'),
    'pax-mtime': (pax(b'17 mtime=sometime\n'), 'archive-damaged'),
    'pax-global-path': (pax(b'16 path=b/c.png\n', b'g'), 'archive-damaged'),
    'pax-global-size': (pax(b'11 size=10\n', b'g'), 'archive-damaged'),
    'latin': (tar(member('bild-\udce4.png'), form=tarfile.USTAR_FORMAT), 'name-utf8'),
    'joined': (good + good, 'archive-damaged'),
    'noise': (os.urandom(0) + bytes((i * 7919 >> 3) & 255 for i in range(8192)), 'archive-damaged'),
    'checksum': (good[:10] + b'!' + good[11:], 'archive-damaged'),
    'zip': (b'PK\3\4' + bytes(2000), 'archive-damaged archive-truncated'),
    'gzip': (b'\x1f\x8b\x08' + bytes(2000), 'archive-damaged archive-truncated'),
    'zstd': (b'\x28\xb5\x2f\xfd' + bytes(2000), 'archive-damaged archive-truncated'),
    'short': (b'abc', 'archive-kind'),
    'nothing': (b'', 'archive-kind'),
    'empty': (tar(), 'images-none'),
    'labels': (tar(member('a.png'), member('a.json', b'[]')), 'archive-labels'),
    'labels-deep': (tar(member('a.png'), member('a.json', b'{"a": ' + b'[' * 100000)), 'archive-labels'),
    'labels-plain': (tar(member('a.png'), member('a.json', b'{}')), 'done'),
    'class': (tar(member('a.png'), member('a.cls', b'9' * 100)), 'archive-labels'),
}
for name, (data, outcome) in cases.items():
    with open(f'{folder}/{name}.tar', 'wb') as file:
        file.write(data)
    print(name, outcome)
