"""Rules about captions, LVIS and results."""
import json

from planted import annotation, box, category, dataset, fault, image, near

two = [image(), image(id=2, file_name="b.jpg")]


def captions(*words, images=None):
    """A file of captions: words, or (image, words)."""
    pairs = [w if isinstance(w, tuple) else (1, w) for w in words]
    d = dataset([{"id": i + 1, "image_id": at, "caption": w} for i, (at, w) in enumerate(pairs)], images)
    del d["categories"]
    return d


def lvis(negative=(), open_=(), annotations=None, **members):
    """A file of LVIS; members are those of its categories."""
    frequent = dict(frequency="f", image_count=494, instance_count=658)
    categories = [category() | frequent | members, category(id=2, name="dog") | frequent]
    of = [annotation(iscrowd=None)] if annotations is None else annotations
    return dataset(of, [image(neg_category_ids=negative, not_exhaustive_category_ids=open_)], categories)


def result(**members):
    """A result of a model; members that are None are left out."""
    whole = {"image_id": 1, "category_id": 1, "bbox": [10, 10, 20, 20], "score": 0.9} | members
    return {k: v for k, v in whole.items() if v is not None}


def at(i, **members):
    return result(bbox=[10 + i % 50, 10, 20, 20 + i // 50], **members)


def beside(document, truth=None):
    """Results, and the options and files of their annotations."""
    return dict(document=document, options="-a {}/truth.json",
                files={"truth.json": json.dumps(dataset() if truth is None else truth)})


rle = {"size": [80, 100], "counts": [810, 20, 60, 20, 60, 20, 7010]}
compressed = {"size": [80, 100], "counts": "Zi0d0l1000Vi6"}

cases = [
    fault("T001", captions("a cat", 17)),
    fault("T001", captions(["a cat", "a dog"])),
    near("T001", captions("17")),
    fault("T002", captions("")),
    fault("T002", captions("a cat", " \n\t")),
    near("T002", captions(".")),
    fault("T003", dataset([{"id": 1, "image_id": 1, "caption": "a cat"}, {"id": 2, "image_id": 1, "text": "a dog"}],
                          categories=[]), also=["J013"]),
    near("T003", dataset([annotation(caption="a cat"), box(40, 10, 20, 20, id=2)])),
    near("T003", dataset([{"id": 1, "image_id": 1}], categories=[])),
    fault("T004", captions("a cat", "a dog", "a cat")),
    near("T004", captions("a cat", (2, "a cat"), "A cat", images=two)),
    fault("T005", captions("un caf\ufffd")),
    near("T005", captions("un caf\u00e9, fffd")),

    fault("N001", lvis(negative=[1]), also=["R003"]),
    near("N001", lvis(negative=[2], annotations=[annotation(iscrowd=None)]), found=["R003"]),
    fault("N002", lvis(frequency="r"), also=["R003"]),
    fault("N002", lvis(frequency="rare"), also=["R003"]),
    fault("N002", lvis(frequency="c"), also=["R003"]),
    fault("N002", lvis(frequency="r", image_count=11, instance_count=11), also=["R003"]),
    # A part of the training set: fewer images have the category.
    near("N002", lvis(frequency="f", image_count=10, instance_count=10), found=["R003"]),
    near("N002", lvis(frequency="c", image_count=1, instance_count=1), found=["R003"]),
    fault("N002", lvis(instance_count=493), also=["R003"]),
    near("N002", lvis(frequency="c", image_count=100, instance_count=100), found=["R003"]),
    near("N002", lvis(frequency="f", image_count=101, instance_count=101), found=["R003"]),
    near("N002", dataset(categories=[category(frequency="r", image_count=494)])),
    fault("N003", lvis(negative=[3]), also=["R003"]),
    fault("N003", lvis(open_=[2, 3]), also=["R003"]),
    near("N003", lvis(negative=[2], open_=[1]), found=["R003"]),
    fault("N004", lvis(negative=[2], open_=[2]), also=["R003"]),
    near("N004", lvis(negative=[2], open_=[1]), found=["R003"]),
    fault("N005", lvis(negative=2), also=["R003"]),
    fault("N005", lvis(open_=["dog"]), also=["R003"]),
    near("N005", lvis(negative=None, open_=[]), found=["R003"]),

    fault("Y002", **beside([result(), result(image_id=2)])),
    near("Y002", [result(), result(image_id=2)]),
    near("Y002", **beside([result(), result(image_id=2)], dataset(images=two)), found=["X001"]),
    near("Y002", **beside([result(), result(image_id=2)], dataset(images=[image(), {"id": [], "file_name": "b.jpg", "width": 9, "height": 9}])),
         found=["D011", "X001"]),
    fault("Y003", **beside([result(), result(category_id=0)])),
    near("Y003", [result(), result(category_id=0)]),
    near("Y003", **beside([result(), result(category_id=2)],
                          dataset(categories=[category(), category(id=2, name="dog")])), found=["R003"]),
    fault("Y004", [result(), at(1, score=None)]),
    fault("Y004", [result(score="high")]),
    near("Y004", [result(score=0), {"image_id": 1, "caption": "a cat"}], found=["Y008"]),
    fault("Y009", [result(score=97.5)]),
    fault("Y009", [result(), at(1, score=-0.01)]),
    near("Y009", [result(score=0), at(1, score=1), at(2, score=1.0000001192)]),
    fault("Y005", [result(bbox=None, segmentation=rle)]),
    fault("Y005", [result(bbox=None, segmentation=[[10, 10, 30, 10, 30, 30]])]),
    near("Y005", [result(bbox=None, segmentation=compressed)]),
    near("Y005", [result(bbox=[10, 10, 3, 20], segmentation=rle)]),
    fault("Y006", [at(i) for i in range(101)]),
    fault("Y006", [result(bbox=None, keypoints=[10 + i, 10, 2], score=0.5) for i in range(21)]),
    near("Y006", [at(i) for i in range(100)] + [at(i, category_id=2) for i in range(100)]),
    fault("Y007", [result(), at(1), result()]),
    near("Y007", [result(), result(score=0.8), result(category_id=2), result(image_id=2)]),
    fault("Y008", [result(), result(bbox=None, segmentation=compressed)]),
    near("Y008", [result(), at(1, segmentation=compressed)]),
    # A model predicts boxes and masks apart.
    near("B009", [result(bbox=[10, 10, 60, 20], segmentation=compressed)]),
]
