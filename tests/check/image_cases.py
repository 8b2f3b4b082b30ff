"""Rules about image files, by their headers and by their pixels, and about several splits."""
import json
import os
import random
import struct
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "..", "lib"))
import png  # noqa: E402 # pylint: disable=wrong-import-position
from planted import annotation, category, dataset, fault, image, near  # noqa: E402 # pylint: disable=C0413

WIDTH, HEIGHT = 100, 80
samples = os.path.join(here, "..", "..", "samples", "images")


def photo(seed=0, width=WIDTH, height=HEIGHT, channels=3, depth=8):
    """A picture with many colours, smooth enough for a thumbnail to say something: blobs and noise."""
    draw = random.Random(seed)
    blobs = [(draw.uniform(0, width), draw.uniform(0, height), draw.uniform(5, 30), draw.randrange(-60, 60),
              draw.randrange(3)) for _ in range(12)]
    rows = []
    for y in range(height):
        row = []
        for x in range(width):
            px = [128, 128, 128]
            for bx, by, size, level, band in blobs:
                if abs(x - bx) < size and abs(y - by) < size:
                    px[band] += level
            px = [min(255, max(0, v + draw.randrange(-20, 20))) for v in px]
            px = [sum(px) // 3] if channels < 3 else px
            if channels % 2 == 0:
                px.append(200)
            row += [v * 257 for v in px] if depth == 16 else px
        rows.append(row)
    return png.encode(rows, channels, depth)


def filled(*colours, width=WIDTH, height=HEIGHT):
    """A picture of vertical stripes."""
    rows = [[v for x in range(width) for v in colours[x % len(colours)]] for _ in range(height)]
    return png.encode(rows, 3)


def palette():
    body = b"".join(b"\0" + bytes(x % 3 for x in range(WIDTH)) for _ in range(HEIGHT))
    return png.assemble(WIDTH, HEIGHT, 8, png.PALETTE, body, [(b"PLTE", bytes(9))])


def jpeg(orientation=None, name="hills/0001.jpg"):
    """A photograph of 400 x 301, with an EXIF orientation."""
    with open(os.path.join(samples, name), "rb") as file:
        data = file.read()
    if orientation is None:
        return data
    exif = b"Exif\0\0MM\0*\0\0\0\10" + struct.pack(">HHHIHHI", 1, 0x112, 3, 1, orientation, 0, 0)
    return data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[2:]


def inks():
    """The header of a JPEG with four channels, and an end."""
    frame = struct.pack(">BHHB", 8, HEIGHT, WIDTH, 4) + b"".join(bytes([i, 0x11, 0]) for i in range(1, 5))
    scan = b"\4" + b"".join(bytes([i, 0]) for i in range(1, 5)) + b"\0\77\0"
    adobe = b"Adobe\0\144\0\0\0\0\0"
    parts = [(0xee, adobe), (0xdb, b"\0" + bytes([1] * 64)), (0xc0, frame), (0xda, scan)]
    return (b"\xff\xd8" + b"".join(b"\xff" + bytes([kind]) + struct.pack(">H", len(body) + 2) + body
                                   for kind, body in parts) + bytes(40) + b"\xff\xd9")


def gif(frames):
    """Frames of one color: LZW codes of 3 bits, which never grow, since each pair of pixels has its own table."""
    codes = [4, 0, 0] * (WIDTH * HEIGHT // 2) + [5]
    bits = sum(code << 3 * i for i, code in enumerate(codes))
    data = bits.to_bytes(len(codes) * 3 // 8 + 1, "little")
    blocks = b"".join(bytes([len(data[i:i + 255])]) + data[i:i + 255] for i in range(0, len(data), 255)) + b"\0"
    frame = b"\x2c" + struct.pack("<HHHHB", 0, 0, WIDTH, HEIGHT, 0) + b"\2" + blocks
    return (b"GIF89a" + struct.pack("<HHBBB", WIDTH, HEIGHT, 0x80, 0, 0) + bytes(6) +
            (b"\x21\xf9\4\0\0\0\0\0" + frame) * frames + b"\x3b")


def damaged():
    """A PNG whose pixels are garbage, with all its sums right."""
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, png.RGB, 0, 0, 0)
    return png.SIGNATURE + png.chunk(b"IHDR", head) + png.chunk(b"IDAT", b"garbage" * 9) + png.chunk(b"IEND", b"")


def headers(rule, kind, content, found=(), name="a.jpg", options="-i {}/images", **members):
    """An image with an annotation, and its file; None: there is none."""
    document = dataset(images=[image(file_name=name, **members)])
    files = {"images/.keep": b""} if content is None else {f"images/{name}": content}
    if kind == "fault":
        return fault(rule, document, also=found, options=options, files=files)
    return near(rule, document, found=found, options=options, files=files)


def pixels(rule, kind, content, found=(), **members):
    return headers(rule, kind, content, found, options="-i {}/images --pixels", **members)


def several(contents, **members):
    """Images with these files, an annotation each."""
    names = [f"{i:03}.png" for i in range(len(contents))]
    images = [image(id=i + 1, file_name=name, **members) for i, name in enumerate(names)]
    annotations = [annotation(id=i + 1, image_id=i + 1) for i in range(len(contents))]
    return dataset(annotations, images), {f"images/{n}": c for n, c in zip(names, contents)}


def group(rule, kind, contents, found=(), options="-i {}/images --pixels"):
    document, files = several(contents)
    case = fault(rule, document, found, options, files) if kind == "fault" else near(rule, document, found, options,
                                                                                     files)
    return case


whole = photo()
size = {"width": 400, "height": 301}
turned = {"width": 301, "height": 400}

cases = [
    headers("I001", "fault", None),
    headers("I001", "near", whole, name="a.png"),
    near("I001", dataset(), options="-i . --no-images"),
    headers("I003", "near", whole, name="a.png"),
    fault("I003", dataset(), options="-i {}/images", files={"images/a.jpg/b": b""}),
    headers("I004", "fault", b""),
    headers("I004", "near", b"\0", ["I012"]),
    headers("I005", "fault", b"\x89PNG\r\n\x1a\n" + png.chunk(b"IHDR", bytes(13)) + png.chunk(b"IEND", b""), name="a.png"),
    pixels("I005", "fault", damaged(), name="a.png"),
    headers("I005", "near", damaged(), name="a.png"),
    pixels("I005", "near", whole, name="a.png"),
    headers("I006", "fault", whole[:-20], name="a.png"),
    headers("I006", "fault", jpeg()[:-500], **size),
    pixels("I006", "fault", jpeg()[:9000], **size),
    headers("I006", "near", whole + b"trailing", name="a.png"),
    pixels("I006", "near", jpeg() + b"\0" * 999, **size),
    headers("I008", "fault", whole, name="a.png", width=101),
    headers("I008", "fault", whole, name="a.png", width=80, height=100),
    headers("I008", "near", whole, name="a.png"),
    headers("I008", "near", jpeg(6), ["I010"], **turned),
    headers("I009", "fault", jpeg(6), **size),
    headers("I009", "near", jpeg(6), ["I010"], **turned),
    headers("I009", "near", jpeg(3), ["I010"], **size),
    headers("I010", "fault", jpeg(3), **size),
    headers("I010", "near", jpeg(1), **size),
    headers("I011", "fault", whole),
    headers("I011", "near", jpeg(), name="a.JPEG", **size),
    headers("I011", "near", whole, name="a.img"),
    headers("I012", "fault", b"<html>not found</html>"),
    headers("I012", "near", whole, name="a.html"),
    headers("I013", "fault", png.assemble(20000, 20000, 8, png.GRAY, b""), name="a.png", width=20000, height=20000),
    headers("I013", "near", png.assemble(16000, 16000, 8, png.GRAY, b""), name="a.png", width=16000, height=16000),
    fault("I014", dataset([], [image(file_name="a.png", width=9)]), ["X009", "Q005"], "-i {}/images",
          {"images/a.png": photo(width=9)}),
    near("I014", dataset([], [image(file_name="a.png", width=10, height=10)]), ["X009"], "-i {}/images",
         {"images/a.png": photo(width=10, height=10)}),
    headers("I016", "fault", inks()),
    headers("I016", "near", jpeg(), **size),
    headers("I017", "fault", photo(depth=16), name="a.png"),
    headers("I017", "near", photo(depth=8), name="a.png"),
    headers("I018", "fault", photo(channels=4), name="a.png"),
    headers("I018", "near", photo(channels=3), name="a.png"),
    headers("I019", "fault", gif(2), ["I020"], name="a.gif"),
    headers("I019", "near", gif(1), ["I020"], name="a.gif"),
    headers("I020", "fault", palette(), name="a.png"),
    headers("I020", "near", photo(channels=1), name="a.png"),
    group("I022", "fault", [photo(0), photo(1, channels=1)], options="-i {}/images"),
    group("I022", "near", [photo(0), photo(1)], options="-i {}/images"),
    group("I025", "fault", [photo(0), photo(1), photo(0)]),
    group("I025", "near", [photo(0), photo(0) + b"more"], ["I026"]),
    group("I026", "fault", [photo(0), photo(1), photo(0) + b"more"]),
    group("I026", "near", [photo(0), photo(1), photo(2), photo(3)]),
    group("I026", "near", [filled((v, v, v), (v + 9, v, v)) for v in (100, 101)], ["Q004"]),
    fault("I027", dataset(images=[image(file_name="a.png")]), (), "-i {}/images",
          {"images/a.png": whole, "images/sub/b.jpg": b""}),
    near("I027", dataset(images=[image(file_name="a.png")]), (), "-i {}/images",
         {"images/a.png": whole, "images/b.txt": b"", "images/.b.png": b""}),
    near("I027", dataset(images=[image(file_name="a.png")]), (), "-i {}/images -a {}/val.json",
         {"images/a.png": whole, "images/b.png": photo(1), "val.json": dataset(images=[image(file_name="b.png")])}),

    pixels("Q001", "fault", filled((60, 60, 60), (80, 10, 20), (0, 7, 1), (3, 30, 9), (70, 20, 40), (9, 9, 40),
                                   (45, 45, 45), (33, 33, 33), (20, 20, 20), (50, 55, 50)), name="a.png"),
    pixels("Q001", "near", filled(*[(i * 10, i * 10, i * 10) for i in range(15)]), name="a.png"),
    pixels("Q002", "fault", filled(*[(244 + i, 244 + i, 244 + i) for i in range(11)]), name="a.png"),
    pixels("Q002", "near", filled(*[(200 + i, 200 + i, 200 + i) for i in range(55)]), name="a.png"),
    pixels("Q004", "fault", filled((100, 100, 100), (200, 200, 200)), name="a.png"),
    pixels("Q004", "near", filled(*[(100 + i * 9, 100 + i * 9, 100 + i * 9) for i in range(10)]), name="a.png"),
    headers("Q005", "fault", photo(height=34), name="a.png", height=34),
    headers("Q005", "near", photo(height=35), name="a.png", height=35),
    pixels("Q008", "fault", filled((90, 200, 30)), name="a.png"),
    pixels("Q008", "near", filled((90, 200, 30), (91, 200, 30)), ["Q004"], name="a.png"),
    pixels("Q008", "fault", filled((9, 9, 9), width=600, height=600), name="a.png", width=600, height=600),
]



def run_lengths(kind, size, found=(), options="-i {}/images", **members):
    """A mask of the right half of an image; only the file has a size, so the test knows it and the document does
    not."""
    half = WIDTH // 2
    document = dataset([annotation(bbox=[half, 0, half, HEIGHT], area=half * HEIGHT,
                                   segmentation={"size": size, "counts": [half * HEIGHT, half * HEIGHT]})],
                       [{"id": 1, "file_name": "a.png"} | members])
    return (fault if kind == "fault" else near)("S020", document, found, options, {"images/a.png": whole})


cases += [
    run_lengths("fault", [WIDTH, HEIGHT], ["B009", "R008"]),
    run_lengths("fault", [HEIGHT // 2, WIDTH * 2], ["B009", "R008"], width=WIDTH),
    run_lengths("near", [HEIGHT, WIDTH], ["R008"]),
    run_lengths("near", [WIDTH, HEIGHT], ["B009", "R008"], options="--no-images"),
    run_lengths("near", [HEIGHT, WIDTH], width=WIDTH, height=HEIGHT),
]

usual = [photo(i, 30, 20) for i in range(100, 120)]
small = {"width": 30, "height": 20}


def sized(rule, kind, contents, odd, found=(), options="-i {}/images"):
    """Images of one size, and others."""
    images = [image(id=i + 1, file_name=f"{i:03}.png", **(small if i < 20 else odd)) for i in range(len(contents))]
    annotations = [annotation(id=i + 1, image_id=i + 1, bbox=[5, 5, 10, 10], area=100, segmentation=[[
        5, 5, 15, 5, 15, 15, 5, 15]]) for i in range(len(contents))]
    files = {f"images/{i:03}.png": content for i, content in enumerate(contents)}
    case = (fault if kind == "fault" else near)(rule, dataset(annotations, images), found, options, files)
    return case


cases += [
    sized("Q006", "fault", usual + [photo(99, 90, 60)], {"width": 90, "height": 60}),
    sized("Q006", "near", usual + [photo(99, 45, 30)], {"width": 45, "height": 30}),
    sized("Q007", "fault", usual + [photo(99, 30, 20, 1)], small, ["I022"]),
    sized("Q007", "fault", usual + [filled(*[(i * 17, i * 17, i * 17) for i in range(16)], width=30, height=20)], small,
          options="-i {}/images --pixels"),
    sized("Q007", "near", usual[:17] + [photo(90 + i, 30, 20, 1) for i in range(4)], small, ["I022"]),
]


# --- splits ---

def split(*names, categories=None, **members):
    images = [image(id=i + 1, file_name=name, **members) for i, name in enumerate(names)]
    annotations = [annotation(id=i + 1, image_id=i + 1) for i in range(len(names))]
    return dataset(annotations, images, categories)


cats = [category(), category(id=2, name="dog")]
both = [annotation(), annotation(id=2, category_id=2, bbox=[40, 10, 20, 20],
                                 segmentation=[[40, 10, 60, 10, 60, 30, 40, 30]])]


def labelled(name, categories, second=2):
    return dataset([both[0], both[1] | {"category_id": second}], [image(file_name=name)], categories)


def splits(rule, kind, first, second, found=(), files=None, options="-a {}/val.json"):
    files = {"val.json": second} | (files or {})
    return (fault if kind == "fault" else near)(rule, first, found, options, files)


together = "-a {}/val.json -i {}/images"
apart = "-a {}/val.json -i {}/others -i {}/images --pixels"
cases += [
    splits("X003", "fault", split("a.png", "b.png"), split("c.png", "b.png"), options=together,
           files={f"images/{name}.png": photo(i) for i, name in enumerate("abc")}),
    # The first file has boxes, and the second has captions; the files are in different folders.
    splits("X003", "near", split("a.png", "b.png"), split("b.png", "a.png"), options=together,
           files={f"images/{name}.png": photo(i) for i, name in enumerate("ab")}),
    splits("X003", "near", split("a.png", "b.png"), split("c.png", "b.png")),
    splits("X004", "fault", split("a.png"), split("b.png"), options=apart,
           files={"images/a.png": whole, "others/b.png": whole}),
    splits("X004", "near", split("a.png"), split("b.png"), options=apart,
           files={"images/a.png": whole, "others/b.png": photo(1)}),
    splits("X004", "fault", split("a.png"), split("b.png"), options="-a {}/val.json -i {}/others -i {}/images",
           files={"images/a.png": whole, "others/b.png": whole}),
    splits("X005", "fault", split("a.png"), split("b.png"), options=apart,
           files={"images/a.png": whole, "others/b.png": whole + b"more"}),
    splits("X005", "near", split("a.png"), split("b.png"), options=apart,
           files={"images/a.png": whole, "others/b.png": photo(1)}),
    splits("X006", "fault", labelled("a.png", cats), labelled("b.png", [category(), category(id=3, name="dog")], 3),
           ["D010"]),
    splits("X006", "fault", labelled("a.png", cats), split("b.png")),
    splits("X006", "near", labelled("a.png", cats), labelled("b.png", cats[::-1])),
    splits("X006", "near", labelled("a.png", cats), split("a.png")),
]

# --- parts of a dataset: equal names in different folders are different images, and equal lists are no excuse ---

def parts(rule, kind, train, val, files, found=()):
    files = {f"in/{path}": content for path, content in files.items()}
    files |= {"in/annotations/instances_train.json": json.dumps(train),
              "in/annotations/instances_val.json": json.dumps(val)}
    return (fault if kind == "fault" else near)(rule, "in/", found, "", files)


cases += [
    parts("X003", "near", split("a.png"), split("a.png"), {"train/a.png": photo(1), "val/a.png": photo(2)}),
    parts("X003", "fault", split("a.png"), split("a.png"), {"images/a.png": photo(1)}),
    parts("X004", "fault", split("a.png"), split("a.png"), {"train/a.png": photo(1), "val/a.png": photo(1)}),
    parts("X006", "fault", labelled("a.png", cats), split("a.png"), {"train/a.png": whole, "val/a.png": photo(1)}),
    parts("X002", "fault", split("a.png"), split(), {"train/a.png": whole, "val/none.txt": b""}),
]
