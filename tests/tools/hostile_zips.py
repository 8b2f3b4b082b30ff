#!/usr/bin/env python3
"""Write hostile and odd ZIP archives and compressed tars to a folder, and print the expected result for each:
hostile_zips.py FOLDER PICTURE > cases. A line has the file and its codes; one of these codes must be reported. Or it
has `done`.
"""
import bz2
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


def described(*names):
    """Files whose sizes follow their data, as where the archive was written to a pipe."""
    class Pipe(io.RawIOBase):
        data = b''

        def writable(self):
            return True

        def write(self, more):
            self.data += bytes(more)
            return len(more)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, 'w', zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, image)
    return pipe.data


def large(name):
    """A file whose sizes are in an extra field of its own header."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w') as archive, archive.open(zipfile.ZipInfo(name), 'w', force_zip64=True) as file:
        file.write(image)
    return out.getvalue()


one = zipped(('a.png', image))
two = zipped(('a.png', image), ('b.png', image))
central = one.rindex(b'PK\1\2')
end = one.rindex(b'PK\5\6')
tar = tarred(('a.png', image), ('d/b.png', image))
encrypted = changed(changed(one, 6, b'\1\0'), central + 8, b'\1\0')
zeros = zlib.compressobj(9, zlib.DEFLATED, 31)
bomb = b''.join(zeros.compress(bytes(1 << 20)) for _ in range(80)) + zeros.flush()

half = len(tar) // 2
alone = tarred(('c.png', image))
second = two.index(b'PK\3\4', 4)
first_entry = two.index(b'PK\1\2')
second_entry = two.rindex(b'PK\1\2')
last_end = two.rindex(b'PK\5\6')
# Only b.png is in the directory; a.png precedes b.png.
unlisted = (two[:first_entry] + two[second_entry:last_end] + two[last_end:last_end + 8] +
            struct.pack('<HHII', 1, 1, last_end - second_entry, first_entry) + bytes(2))

cases = {
    'plain.zip': (two, 'done'),
    'stored.zip': (zipped(('a.png', image), method=zipfile.ZIP_STORED), 'done'),
    'folder.zip': (zipped(('d/', b'', 0o40755), ('d/a.png', image)), 'done'),
    'comment.zip': (zipped(('a.png', image), comment=b'as it is'), 'done'),
    'plain.tar.gz': (gzip.compress(tar), 'done'),
    'plain.tgz': (gzip.compress(tar), 'done'),
    'plain.tar.xz': (lzma.compress(tar), 'done'),
    'named.tar': (gzip.compress(tar), 'done'),
    'members.tar.gz': (gzip.compress(tar[:half]) + gzip.compress(tar[half:]), 'done'),
    'streams.tar.xz': (lzma.compress(tar[:half]) + lzma.compress(tar[half:]), 'done'),
    'streams.tar.bz2': (bz2.compress(tar[:half]) + bz2.compress(tar[half:]), 'done'),
    'zeros.tar.gz': (gzip.compress(tar) + bytes(10240), 'done'),
    'zeros-within.tar.gz': (gzip.compress(tar + bytes(10240)), 'done'),
    'zeros.tar.bz2': (bz2.compress(tar) + bytes(10240), 'done'),
    'zeros.tar.xz': (lzma.compress(tar) + bytes(10240), 'done'),
    'two.tar.gz': (gzip.compress(tar) + gzip.compress(alone), 'archive-damaged'),
    'two-within.tar.gz': (gzip.compress(tar + alone), 'archive-damaged'),
    'two.tar.bz2': (bz2.compress(tar) + bz2.compress(alone), 'archive-damaged'),
    'two.tar.xz': (lzma.compress(tar) + lzma.compress(alone), 'archive-damaged'),
    'plain-behind.tar.gz': (gzip.compress(tar) + alone, 'archive-damaged'),
    'junk.tar.gz': (gzip.compress(tar) + b'junk', 'archive-damaged'),
    'junk-zeros.tar.gz': (gzip.compress(tar) + bytes(70000) + b'junk', 'archive-damaged'),
    'junk-magic.tar.gz': (gzip.compress(tar) + b'\x1f\x8b', 'archive-truncated archive-damaged'),
    'junk.tar.bz2': (bz2.compress(tar) + b'junk', 'archive-damaged'),
    'junk.tar.xz': (lzma.compress(tar) + b'junk', 'archive-damaged'),
    'junk-within.tar.gz': (gzip.compress(tar + b'junk'), 'archive-damaged'),
    'sum.tar.gz': (changed(gzip.compress(tar), len(gzip.compress(tar)) - 8, b'abcd'), 'archive-damaged'),
    'length.tar.gz': (changed(gzip.compress(tar), len(gzip.compress(tar)) - 4, b'abcd'), 'archive-damaged'),
    'no-trailer.tar.gz': (gzip.compress(tar)[:-8], 'archive-truncated'),
    'no-length.tar.gz': (gzip.compress(tar)[:-1], 'archive-truncated'),
    'empty.tar.gz': (gzip.compress(b''), 'archive-damaged archive-truncated archive-kind'),
    'twice-packed.tar.gz': (gzip.compress(gzip.compress(tar)), 'archive-damaged'),
    'described.zip': (described('a.png', 'd/b.png'), 'done'),
    'large-fields.zip': (large('a.png'), 'done'),
    'name.zip': (changed(one, 30, b'b'), 'archive-damaged'),
    'name-directory.zip': (changed(one, central + 46, b'b'), 'archive-damaged'),
    'method-local.zip': (changed(one, 8, b'\0\0'), 'archive-damaged'),
    'method-directory.zip': (changed(one, central + 10, b'\0\0'), 'archive-damaged'),
    'crc-local.zip': (changed(one, 14, b'abcd'), 'archive-damaged'),
    'size-local.zip': (changed(one, 22, b'\5\0\0\0'), 'archive-damaged'),
    'packed-local.zip': (changed(one, 18, b'\5\0\0\0'), 'archive-damaged'),
    'unlisted.zip': (unlisted, 'archive-damaged'),
    'same-place.zip': (changed(two, second_entry + 42, bytes(4)), 'archive-damaged'),
    'two.zip': (one + zipped(('b.png', image)), 'archive-damaged'),
    'behind.zip': (one + b'junk', 'archive-damaged'),
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
    'size.zip': (changed(one, central + 24, struct.pack('<I', 5)), 'archive-damaged'),
    'large.zip': (changed(one, central + 24, struct.pack('<I', 0xfffffff0)), 'archive-damaged'),
    'zip64.zip': (changed(one, central + 20, b'\xff' * 8), 'archive-damaged'),
    'offset.zip': (changed(one, central + 42, b'\xf0\xff\xff\x7f'), 'archive-damaged archive-truncated'),
    'count.zip': (changed(one, end + 8, b'\xff\xfe\xff\xfe'), 'archive-damaged'),
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
