"""Rules about panoptic files and their pictures."""
import copy

from image_cases import HEIGHT, WIDTH, palette, photo, png
from planted import category, fault, image, near


def picture(*segments, width=WIDTH, height=HEIGHT):
    """A picture of rectangles: id, x, y, width, height."""
    px = [[0] * width for _ in range(height)]
    for number, x0, y0, w, h in segments:
        for y in range(y0, y0 + h):
            px[y][x0:x0 + w] = [number] * w
    return png.encode([[v for number in row for v in (number % 256, number // 256 % 256, number >> 16)] for row in px], 3)


def segment(number=300, x=10, y=10, width=20, height=20, **members):
    return {"id": number, "category_id": 1, "area": width * height, "bbox": [x, y, width, height],
            "iscrowd": 0} | members


def panoptic(segments=None, categories=None, **members):
    annotation = {"image_id": 1, "file_name": "a.png",
                  "segments_info": [segment()] if segments is None else segments} | members
    return {"images": [image(file_name="a.png")], "annotations": [annotation],
            "categories": [category(isthing=1)] if categories is None else categories}


right = picture((300, 10, 10, 20, 20))
two = picture((300, 10, 10, 20, 20), (70000, 40, 10, 20, 20))
other = segment(70000, 40)


def drawn(rule, kind, document, content=right, found=(), options="--pixels"):
    files = {"images/a.png": photo(), "masks/.keep": b""} | ({"masks/a.png": content} if content is not None else {})
    return (fault if kind == "fault" else near)(rule, document, found, "-i {}/images -m {}/masks " + options, files)


def twice():
    document = panoptic()
    document["annotations"].append(copy.deepcopy(document["annotations"][0]) | {"file_name": "b.png"})
    return document


cases = [
    drawn("P001", "fault", panoptic(), None, options="--headers"),
    drawn("P001", "fault", panoptic(), right[:-30], options="--headers"),
    drawn("P001", "near", panoptic(), options="--headers"),
    drawn("P001", "near", panoptic(), None, options="--no-images"),
    drawn("P002", "fault", panoptic(), two),
    drawn("P002", "near", panoptic(), two, options="--headers"),
    drawn("P002", "near", panoptic([segment(), other]), two),
    drawn("P003", "fault", panoptic([segment(), other])),
    drawn("P003", "near", panoptic([other, segment()]), two),
    drawn("P004", "fault", panoptic([segment(area=401)])),
    drawn("P004", "near", panoptic([segment(area=400.0)])),
    drawn("P005", "fault", panoptic([segment(bbox=[10, 10, 22, 20])])),
    drawn("P005", "near", panoptic([segment(bbox=[9.5, 9.5, 21, 21])])),
    fault("P006", panoptic([segment(category_id=2)])),
    near("P006", panoptic([segment(category_id=1.0)])),
    fault("P007", panoptic([segment(0)])),
    fault("P007", panoptic([segment(1 << 24)])),
    near("P007", panoptic([segment((1 << 24) - 1)])),
    drawn("P008", "fault", panoptic(), palette(), options="--headers"),
    drawn("P008", "fault", panoptic(), photo(channels=4), options="--headers"),
    drawn("P008", "near", panoptic(), options="--headers"),
    drawn("P009", "fault", panoptic(), picture(width=99), ["P003"]),
    drawn("P009", "near", panoptic()),
    fault("P010", panoptic(categories=[category()])),
    near("P010", panoptic(categories=[category(isthing=0)])),
    fault("P011", twice()),
    near("P011", panoptic()),
    fault("P012", panoptic([segment(), segment()])),
    near("P012", panoptic([segment(), segment(301)])),
    fault("P013", panoptic(file_name="../a.png")),
    near("P013", panoptic(file_name="b/a.png")),
]
