#!/usr/bin/env python3
"""Write hostile and odd ZIP archives and compressed tars to a folder, and say what is to be said of each:
hostile_zips.py FOLDER PICTURE > cases. A line: the file, and its codes, one of which has to be said; or done."""
import gzip
import io
import lzma
import struct
import sys
import tarfile
import warnings
import zipfile
import zlib

warnings.simplefilter('ignore')
folder, picture = sys.argv[1:]
image = open(picture, 'rb').read()


def zipped(*members, method=zipfile.ZIP_DEFLATED, comment=b''):
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w', method) as archive:
        archive.comment = comment
        for name, data, *mode in members:
            info = zipfile.ZipInfo(name)
            info.compress_type = method
            info.external_attr = (mode[0] if mode else 0o100644) << 16
            archive.writestr(info, data)
    return out.getvalue()


def tarred(*members):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode='w') as archive:
        for name, data in members:
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def changed(data, at, new):
    return data[:at] + new + data[at + len(new):]


one = zipped(('a.png', image))
two = zipped(('a.png', image), ('b.png', image))
central = one.rindex(b'PK\1\2')
end = one.rindex(b'PK\5\6')
tar = tarred(('a.png', image), ('d/b.png', image))
encrypted = changed(changed(one, 6, b'\1\0'), central + 8, b'\1\0')
zeros = zlib.compressobj(9, zlib.DEFLATED, 31)
bomb = b''.join(zeros.compress(bytes(1 << 20)) for _ in range(80)) + zeros.flush()

cases = {
    'plain.zip': (two, 'done'),
    'stored.zip': (zipped(('a.png', image), method=zipfile.ZIP_STORED), 'done'),
    'folder.zip': (zipped(('d/', b'', 0o40755), ('d/a.png', image)), 'done'),
    'comment.zip': (zipped(('a.png', image), comment=b'as it is'), 'done'),
    'plain.tar.gz': (gzip.compress(tar), 'done'),
    'plain.tgz': (gzip.compress(tar), 'done'),
    'plain.tar.xz': (lzma.compress(tar), 'done'),
    'named.tar': (gzip.compress(tar), 'done'),
    'up.zip': (zipped(('../a.png', image)), 'member-unsafe'),
    'within.zip': (zipped(('d/../../a.png', image)), 'member-unsafe'),
    'absolute.zip': (zipped(('/tmp/a.png', image)), 'member-unsafe'),
    'drive.zip': (zipped(('C:/a.png', image)), 'member-unsafe'),
    'backslash.zip': (zipped(('d\\a.png', image)), 'member-unsafe done'),
    'link.zip': (zipped(('a.png', b'/etc/passwd', 0o120777)), 'member-link'),
    'fifo.zip': (zipped(('a.png', b'', 0o010644)), 'member-special image-unread image-failed'),
    'twice.zip': (zipped(('a.png', image), ('a.png', image)), 'member-duplicate'),
    'encrypted.zip': (encrypted, 'member-encrypted'),
    'bomb.zip': (zipped(('a.png', bytes(80 << 20))), 'archive-large'),
    'bomb.tar.gz': (gzip.compress(tarred(('a.png', bytes(80 << 20)))), 'archive-large'),
    'gzip.tar.gz': (bomb, 'archive-damaged archive-truncated archive-large images-none'),
    'cut.zip': (two[:-30], 'archive-damaged archive-truncated'),
    'cut-data.zip': (two[:len(two) // 2], 'archive-damaged archive-truncated'),
    'cut.tar.gz': (gzip.compress(tar)[:-200], 'archive-truncated archive-damaged'),
    'cut.tar.xz': (lzma.compress(tar)[:-200], 'archive-truncated archive-damaged'),
    'crc.zip': (changed(changed(one, 14, b'abcd'), central + 16, b'abcd'), 'archive-damaged'),
    'bits.zip': (changed(one, 60, bytes(40)), 'archive-damaged archive-truncated'),
    'size.zip': (changed(one, central + 24, struct.pack('<I', 5)), 'archive-damaged done'),
    'large.zip': (changed(one, central + 24, struct.pack('<I', 0xfffffff0)), 'archive-damaged done'),
    'zip64.zip': (changed(one, central + 20, b'\xff' * 8), 'archive-damaged done'),
    'offset.zip': (changed(one, central + 42, b'\xf0\xff\xff\x7f'), 'archive-damaged archive-truncated'),
    'count.zip': (changed(one, end + 8, b'\xff\xfe\xff\xfe'), 'done archive-damaged'),
    'directory.zip': (changed(one, end + 16, b'\xff\xff\xff\x7f'), 'archive-damaged archive-truncated'),
    'method.zip': (changed(changed(one, 8, b'\x63\0'), central + 10, b'\x63\0'), 'archive-damaged'),
    'head.zip': (b'PK\3\4' + bytes(2000), 'archive-damaged'),
    'head.tar.gz': (b'\x1f\x8b\x08' + bytes(2000), 'archive-damaged archive-truncated'),
    'head.tar.zst': (b'\x28\xb5\x2f\xfd' + bytes(2000), 'archive-damaged archive-truncated'),
    'head.tar.bz2': (b'BZh9' + bytes(2000), 'archive-damaged archive-truncated'),
    'empty.zip': (zipped(), 'archive-damaged images-none'),
    'labels.zip': (zipped(('a.png', image), ('a.json', b'[]')), 'archive-labels'),
    'up.tar.gz': (gzip.compress(tarred(('../a.png', image))), 'member-unsafe'),
}

for name, (data, codes) in cases.items():
    with open(f'{folder}/{name}', 'wb') as file:
        file.write(data)
    print(name, codes)
