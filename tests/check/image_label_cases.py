"""Rules about labels of whole images: in COCO's images, as annotations without geometry, and in tables."""
from planted import category, dataset, fault, image, near

categories = [category(), category(id=2, name="dog")]


def images(*labels, key="category_ids"):
    """A file of an image for each of these labels; a single one is category_id."""
    named = [image(id=i + 1, file_name=f"{i}.jpg") | ({} if l is None else {key: l}) for i, l in enumerate(labels)]
    return dataset([], named, categories)


def soft(*weights):
    return [{"category_id": i + 1, "weight": w} for i, w in enumerate(weights)]


def annotations(*labels):
    """A file whose annotations are labels: (image, category, weight)."""
    return dataset([{"id": i + 1, "image_id": at, "category_id": of, "weight": weight, "iscrowd": 0}
                    for i, (at, of, weight) in enumerate(labels)],
                   [image(), image(id=2, file_name="b.jpg")], categories)


def table(what, rule, text, found=(), options=""):
    return what(rule, "labels.csv", found, options, {"labels.csv": text})


shared = [soft(0.25, 0.75)] * 9
cases = [
    fault("M001", images([1, 2], [3])),
    fault("M001", images(1, 3, 2, key="category_id")),
    table(fault, "M001", "a.jpg,cat\nb.jpg,\n"),
    near("M001", images(1, 2, key="category_id")),
    near("M001", dataset([], [image(category_ids=[3])], False), found=["X009"]),
    table(near, "M001", "a.jpg,cat\nb.jpg,3\n"),
    fault("M002", images([1, 2, 1], [2])),
    fault("M002", images([1, 2], soft(0.5, 0.5) + [1])),
    fault("M002", dataset([], [image(category_id=1, category_ids=[2])], categories)),
    fault("M002", annotations((1, 1, 0.5), (2, 2, 1), (1, 2, 0.25), (1, 1, 0.25))),
    table(fault, "M002", "file,class\na.jpg,cat\na.jpg,cat\n"),
    near("M002", images([1, 2], [2, 1])),
    near("M002", annotations((1, 1, 0.5), (2, 1, 1), (1, 2, 0.5))),
    table(near, "M002", "file,class\na.jpg,cat\na.jpg,Cat\n"),
    fault("M003", images([1, 2], soft(1.5, 0.5))),
    fault("M003", images([1, 2], soft(-0.5, 1))),
    fault("M003", images([1, 2], soft("1", 0))),
    fault("M003", images([1, 2], soft(0, 0))),
    fault("M003", annotations((1, 1, 1), (2, 2, 70))),
    table(fault, "M003", "a.jpg,cat,1\nb.jpg,dog,70\n"),
    table(fault, "M003", "a.jpg,cat,1\nb.jpg,dog,\n"),
    near("M003", images([1, 2], soft(0.5, 1e-9))),
    near("M003", annotations((1, 1, 1), (2, 2, 0.7))),
    near("M003", images([2], [{"category_id": 1}])),
    fault("J011", images([1, 2], ["one"])),
    fault("J011", images([1, 2], {"category_id": 1})),
    fault("R006", images([1, 2], [{"weight": 1}])),
    table(fault, "M004", "a.jpg,cat\nb.jpg\n"),
    table(fault, "M004", "a.jpg,cat\n\"b.jpg,dog\n"),
    table(fault, "M004", "a.jpg\n"),
    table(near, "M004", "class,x,file\n\"c,at\",,\"a \"\"1\"\".jpg\"\r\n\n", found=["I029"]),
    fault("M005", images(*shared, soft(0.5, 0.75))),
    fault("M005", images(*shared, soft(1, 0.5))),
    table(fault, "M005", "".join(f"{i}.jpg,cat,0.5\n{i}.jpg,dog,0.5\n" for i in range(9)) + "x.jpg,cat,0.5\nx.jpg,dog,1\n"),
    near("M005", images(*shared, [1, 2])),
    near("M005", images(*shared[:8], soft(0.5, 0.75))),
    near("M005", images(*shared, soft(0.1 + 0.2, 0.7))),
    fault("M006", images([1, 2], soft(1, 0))),
    fault("M006", annotations((1, 1, 1), (1, 2, 0), (2, 1, 1))),
    table(fault, "M006", "a.jpg,cat,1\na.jpg,dog,0\n"),
    near("M006", images([1, 2], soft(1, 1e-9))),
    table(near, "M006", "a.jpg,cat,1\nb.jpg,dog,1\nB.jpg,dog,1\n", found=["I024"]),
]
