"""Rules about boxes, areas, outlines, keypoints and categories."""
from planted import annotation, box, category, dataset, fault, image, near, plain_box, text

corners = [(30, 20, 80, 70), (10, 10, 60, 60), (50, 40, 99, 79), (40, 30, 90, 75), (45, 20, 95, 60)]
far = [plain_box(*c, id=i + 1) for i, c in enumerate(corners)]
centered = [plain_box(*c, id=i + 1) for i, c in enumerate([
    (85, 40, 20, 20), (20, 60, 30, 36), (50, 40, 20, 20), (30, 20, 20, 20), (80, 20, 30, 20)])]
shares = [plain_box(0.25, 0.25, 0.125, 0.5, id=1), plain_box(0.5, 0.125, 0.25, 0.375, id=2)]
ring = [10, 10, 30, 10, 30, 30, 10, 30]
crowd = {"size": [80, 100], "counts": [810, 20, 60, 20, 60, 20, 7010]}
of_crowd = dict(bbox=[10, 10, 3, 20], area=60, iscrowd=1)
rows = {"size": [80, 100], "counts": [1010, 20, 80, 20, 80, 20, 6770]}  # three rows of 20, read as columns


def outline(*polygons, **members):
    return annotation(segmentation=list(polygons), **members)


def rle(counts, size=(80, 100), **members):
    return annotation(segmentation={"size": list(size), "counts": counts}, **of_crowd | members)


def pose(*points, n=None, names=("nose", "left_eye", "right_eye"), **members):
    """A pose of as many points as there are names; the others are not labelled."""
    flat = [v for p in points for v in p] + [0, 0, 0] * (len(names) - len(points))
    labelled = sum(p[2] > 0 for p in points) if n is None else n
    a = annotation(keypoints=flat, num_keypoints=labelled, **members)
    return dataset([a], categories=[category(keypoints=list(names), skeleton=[[1, 2], [1, 3]])])


def named(*names, **members):
    """A category and an object for each name."""
    return dataset([box(10 + 20 * i, 10, 15, 20, id=i + 1, category_id=i + 1) for i in range(len(names))],
                   categories=[category(id=i + 1, name=n, **members) for i, n in enumerate(names)])


def many(*counts):
    """Annotations that nothing is wrong with: so many of each category, 90 an image."""
    of, images, n = [], [], 0
    for c, count in enumerate(counts):
        for _ in range(count):
            at = n % 90
            of.append(box(at % 10 * 10, at // 10 * 8, 5, 5, id=n + 1, image_id=n // 90 + 1,
                          category_id=c + 1))
            n += 1
    images = [image(id=i + 1, file_name=f"{i}.jpg") for i in range((n + 89) // 90)]
    return dataset(of, images, [category(id=c + 1, name=f"c{c}") for c in range(len(counts))])


good_pose = ((20, 20, 2), (18, 18, 2), (22, 18, 1))

cases = [
    fault("B001", dataset([annotation(bbox=[1, 2, 3])])),
    fault("B001", dataset([annotation(bbox=[1, 2, 3, "4a"])])),
    fault("B001", dataset([annotation(bbox=[10, 10, 2e7, 20])])),
    near("B001", dataset([annotation(bbox=[10.5, 10, 19.5, 2e1])])),
    fault("B003", dataset([annotation(bbox=[30, 10, -20, 20])])),
    near("B003", dataset([box(-1, 10, 31, 20)])),
    fault("B004", dataset([annotation(bbox=[10, 10, 0, 20])])),
    near("B004", dataset([box(10, 10, 0.5, 20)]), found=["B010"]),
    fault("B005", dataset([annotation(), plain_box(90, 10, 20, 20, id=2)])),
    near("B005", dataset([annotation(), plain_box(90, 10, 11, 20, id=2)])),
    near("B005", dataset([box(5, 5, 11, 10)], [image(width=15, height=15)])),
    fault("B006", dataset([annotation(), plain_box(100, 10, 20, 20, id=2)])),
    near("B006", dataset([annotation(), plain_box(99, 10, 20, 20, id=2)]), found=["B005"]),
    fault("B007", dataset(far), also=["B005", "R011"]),
    near("B007", dataset(far + [plain_box(50, 50, 20, 20, id=9)]), found=["B005", "R011"]),
    fault("B007", dataset([plain_box(50, 40, 60 + 5 * i, 45 + 5 * i, id=i + 1) for i in range(5)]), also=["B005", "R011"]),
    fault("B016", dataset(centered), also=["B005", "R011"]),
    near("B016", dataset(centered + [plain_box(10, 10, 30, 20, id=9)]), found=["B005", "R011"]),
    near("B016", dataset(centered[:4]), found=["B005", "R011"]),
    fault("B008", dataset(shares), also=["B010", "R011"]),
    near("B008", dataset(shares + [plain_box(50, 50, 20, 20, id=9)]), found=["B010", "R011"]),
    fault("B009", dataset([annotation(bbox=[10, 10, 24, 20])])),
    near("B009", dataset([annotation(bbox=[10, 10, 23, 20])])),
    near("B009", dataset([annotation(bbox=[90, 10, 10, 20], area=300,
                                     segmentation=[[90, 10, 105, 10, 105, 30, 90, 30]])]), found=["S007"]),
    fault("B010", dataset([box(10, 10, 1.5, 20)])),
    near("B010", dataset([box(10, 10, 2, 20)])),
    fault("B011", dataset([box(10, 10, 63, 3)])),
    near("B011", dataset([box(10, 10, 60, 3)])),
    fault("B012", dataset([box(0, 0, 100, 80)])),
    near("B012", dataset([box(0, 0, 100, 79)])),
    fault("B013", dataset([annotation(), annotation(id=2)])),
    near("B013", dataset([annotation(), annotation(id=2, category_id=2)], categories=[category(),
                                                                                      category(id=2, name="dog")])),
    fault("B014", dataset([box(10, 10, 50, 50), box(10, 10, 51, 50, id=2)])),
    near("B014", dataset([box(10, 10, 50, 50), box(10, 10, 53, 50, id=2)])),

    fault("A001", dataset([annotation(area=None)])),
    near("A001", dataset([{"id": 1, "image_id": 1, "category_id": 1}])),
    fault("A002", dataset([annotation(area=0)])),
    fault("A002", dataset([annotation(area=-400)])),
    near("A002", dataset([annotation(area=400)])),
    fault("A003", dataset([annotation(area=410)])),
    fault("A003", dataset([annotation(), plain_box(40, 40, 20, 20, id=2) | {"area": 500}])),
    fault("A003", dataset([rle(crowd["counts"], area=72)])),
    near("A003", dataset([rle(crowd["counts"], area=71)])),
    near("A003", dataset([annotation(area=403.9)])),
    near("A003", dataset([annotation(), plain_box(40, 40, 20, 20, id=2) | {"area": 200}])),
    near("A003", dataset([outline([10.6, 10.6, 20.4, 10.6, 20.4, 20.4, 10.6, 20.4], bbox=[10.6, 10.6, 9.8, 9.8],
                                  area=81)])),

    fault("S001", dataset([annotation(segmentation="polygon")])),
    fault("S001", dataset([outline(ring, [10, "a", 30, 10, 30, 30])])),
    near("S001", dataset([outline(ring, [float(v) for v in [40, 40, 50, 40, 50, 50]], bbox=[10, 10, 40, 40],
                                  area=450)])),
    fault("S002", dataset([annotation(segmentation=ring)])),
    near("S002", dataset([annotation(segmentation=[ring])])),
    fault("S001", dataset([annotation(segmentation=[60, 40, 90, 40, 90, 70])])),
    fault("S033", dataset([annotation(segmentation=crowd["counts"], **of_crowd | {"iscrowd": 0})])),
    near("S033", dataset([annotation(segmentation=crowd["counts"][:-1] + [7011], **of_crowd | {"iscrowd": 0})]),
         found=["S001"]),
    fault("S003", dataset([outline(ring[:-1])])),
    near("S003", dataset([outline(ring[:-2], area=200)])),
    fault("S004", dataset([outline(ring, [10, 10])])),
    near("S004", dataset([outline(ring[:6], area=200)])),
    fault("S005", dataset([outline([10, 10, 20, 20])])),
    near("S005", dataset([outline([10, 10, 20, 20, 10, 30], area=100, bbox=[10, 10, 10, 20])])),
    fault("S013", dataset([outline([10, 10, 30, 12])])),
    near("S013", dataset([outline([10, 10, 20, 20])]), found=["S005"]),
    fault("S014", dataset([outline(ring, [110, 10, 130, 10, 130, 30])]), also=["B009"]),
    near("S014", dataset([outline(ring, [90, 10, 130, 10, 130, 30])]), found=["A003", "B009", "S007"]),
    fault("S007", dataset([outline([90, 10, 105, 10, 105, 30, 90, 30], bbox=[90, 10, 10, 20], area=300)])),
    near("S007", dataset([outline([90, 10, 101, 10, 101, 30, 90, 30], bbox=[90, 10, 10, 20], area=220)])),
    fault("S008", dataset([outline([10, 10, 30, 30, 30, 10, 10, 28], area=20)])),
    near("S008", dataset([outline([10, 10, 20, 20, 30, 10, 30, 30, 20, 20, 10, 30], area=200)])),
    fault("S009", dataset([outline(ring, [10, 10, 20, 10, 30, 10])])),
    near("S009", dataset([outline(ring, [10, 10, 20, 10, 30, 10.01])])),
    near("S009", dataset([outline([10, 10, 30, 30, 30, 10, 10, 30], area=200)]), found=["S008"]),
    fault("S010", dataset([outline(ring + ring[:2])])),
    fault("S010", dataset([outline(ring[:2] + ring)])),
    near("S010", dataset([outline(ring + [10, 10.01])])),
    fault("S011", dataset([annotation(segmentation=[[[10, 10], [30, 10], [30, 30], [10, 30]]])])),
    near("S011", dataset([outline(ring)])),
    fault("S012", dataset([annotation(), plain_box(50, 50, 20, 20, id=2, ) | {"segmentation": []}])),
    near("S012", dataset([plain_box(50, 50, 20, 20) | {"segmentation": []}]), found=["R011"]),
    fault("S020", dataset([rle(crowd["counts"], size=(100, 80))])),
    fault("S020", dataset([rle(crowd["counts"], size=(80, -1))])),
    fault("S020", dataset([annotation(segmentation={"counts": "x"})])),
    near("S020", dataset([rle(crowd["counts"])])),
    fault("S021", dataset([rle(crowd["counts"][:-1] + [7011])])),
    near("S021", dataset([rle(crowd["counts"])])),
    fault("S022", dataset([rle([810, 20, 60, 20, 60, -20, 7050])])),
    fault("S022", dataset([rle([810, 20, 60, 20, 60, 20.5, 7009.5])])),
    near("S022", dataset([rle([810, 20, 60, 20, 60, 20, 7010])])),
    fault("S023", dataset([rle("zzz")])),
    fault("S023", dataset([annotation(segmentation={"size": [80, 100]})])),
    near("S023", dataset([rle("61X13mN000`0", size=(9, 10), bbox=[0, 2, 8, 5], area=13)],
                         images=[image(width=10, height=9)])),
    fault("S024", dataset([rle([810, 10, 0, 10, 60, 20, 60, 20, 7010])])),
    near("S024", dataset([rle([0, 60, 20, 60, 20, 60, 7780], bbox=[0, 0, 3, 60], area=180)])),
    fault("S025", dataset([annotation(segmentation=rows, iscrowd=0, area=60, bbox=[10, 10, 20, 3])]), also=["B009"]),
    near("S025", dataset([annotation(segmentation=crowd, iscrowd=0, area=60, bbox=[10, 10, 3, 20])])),
    fault("S026", dataset([annotation(iscrowd=1)])),
    near("S026", dataset([annotation(segmentation=crowd, **of_crowd)])),
    near("S026", dataset([annotation(segmentation=crowd["counts"], **of_crowd)]), found=["S033"]),
    fault("S027", dataset([rle([80 * i + 10, 20, 7970 - 80 * i], id=i + 1, area=20, bbox=[i, 10, 1, 20])
                           for i in range(10)]), also=["B010"]),
    near("S027", dataset([rle([80 * i + 10, 20, 7970 - 80 * i], id=i + 1, area=20, bbox=[i, 10, 1, 20],
                              iscrowd=i % 2) for i in range(10)]), found=["B010"]),
    fault("S028", dataset([annotation(segmentation={"format": "rle", "rle": [0, 1, 2]})])),
    near("S028", dataset([annotation(segmentation=crowd | {"rle": 1}, **of_crowd)])),
    fault("S029", dataset([rle([8000], bbox=[10, 10, 3, 20], area=0)])),
    fault("S029", dataset([outline([10, 10, 10.2, 10, 10.2, 10.2], bbox=[10, 10, 3, 3], area=0.02)])),
    near("S029", dataset([outline([10, 10, 11, 10, 11, 11, 10, 11], bbox=[10, 10, 3, 3], area=1)])),
    fault("S030", dataset([annotation(iscrowd=False)])),
    fault("S030", dataset([annotation(iscrowd="0")])),
    fault("S032", dataset([annotation(iscrowd=2)])),
    near("S032", dataset([annotation(iscrowd="1", segmentation=crowd, area=60, bbox=[10, 10, 3, 20])]),
         found=["S030"]),
    fault("S030", dataset([annotation() | {"iscrowd": None}])),
    near("S030", dataset([annotation(iscrowd=0)])),
    fault("S031", dataset([annotation(ignore=1)])),
    near("S031", dataset([annotation(ignore=0)])),

    fault("K001", dataset([annotation(keypoints=[1, 2])])),
    near("K001", pose(*good_pose)),
    fault("K002", pose((20, 20, 2), names=("nose", "left_eye", "right_eye")) | {
        "annotations": [annotation(keypoints=[20, 20, 2], num_keypoints=1)]}),
    near("K002", pose((20, 20, 2))),
    fault("K003", pose((20, 20, 0.5))),
    near("K003", pose((20, 20, 1))),
    fault("K004", pose(*good_pose, n=2)),
    near("K004", pose(*good_pose, n=3)),
    fault("K005", pose((20, 20, 2), (18, 18, 0))),
    near("K005", pose((20, 20, 2), (0, 0, 0))),
    fault("K006", pose((20, 20, 2), (102, 18, 2))),
    near("K006", pose((20, 20, 2), (101, 18, 2)), found=["K007"]),
    fault("K007", pose((20, 20, 2), (42, 18, 2))),
    near("K007", pose((20, 20, 2), (41, 18, 2))),
    fault("K008", dataset([annotation(keypoints=[20, 20, 2, 21, 21, 2], num_keypoints=2)])),
    near("K008", dataset([annotation(keypoints=[0, 0, 0, 0, 0, 0], num_keypoints=0)])),
    fault("K009", pose(*good_pose) | {"categories": [category(keypoints=["nose", "left_eye", "right_eye"],
                                                              skeleton=[[0, 1], [0, 2]])]}),
    fault("K015", pose(*good_pose) | {"categories": [category(keypoints=["nose", "left_eye", "right_eye"],
                                                              skeleton=[[1, 4]])]}),
    near("K015", pose(*good_pose) | {"categories": [category(keypoints=["nose", "left_eye", "right_eye"],
                                                             skeleton=[[0, 2]])]}, found=["K009"]),
    near("K009", pose(*good_pose) | {"categories": [category(keypoints=["nose", "left_eye", "right_eye"],
                                                             skeleton=[[3, 1]])]}),
    fault("K011", pose(n=3)),
    near("K011", pose(n=0)),
    fault("K012", pose(*good_pose, names=("nose", "left_eye", "left_ear"))),
    near("K012", pose(*good_pose)),
    fault("K013", pose(*good_pose) | {"categories": [category(keypoints=["nose", "left_eye", "right_eye"],
                                                              flip_pairs=[["left_eye", "eye"]])]}),
    near("K013", pose(*good_pose) | {"categories": [category(keypoints=["nose", "left_eye", "right_eye"],
                                                             flip_pairs=[["left_eye", "right_eye"]])]}),
    fault("K014", dataset([annotation(keypoints=[[20, 20, 2], [18, 18, 2], [22, 18, 1]], num_keypoints=3)],
                          categories=[category(keypoints=["nose", "left_eye", "right_eye"])])),
    near("K014", pose(*good_pose)),

    fault("C001", named("")),
    fault("C001", dataset(categories=[{"id": 1, "supercategory": "x"}])),
    near("C001", named("x")),
    fault("C002", named("cat", "cat")),
    near("C002", named("cat", "cats")),
    fault("C003", named("traffic light", "Traffic_Light")),
    near("C003", named("traffic light", "traffic lights")),
    fault("C004", dataset(categories=[{"id": 1, "name": "cat"}])),
    near("C004", named("cat")),
    fault("C005", dataset(categories=[category(id=0, name="animal", supercategory="none"), category()]),
          also=["D009", "R003"]),
    near("C002", dataset(categories=[category(id=0, supercategory="none"), category(supercategory="cat")]),
         found=["C005", "D009", "R003"]),
    near("C003", dataset(categories=[category(id=0, name="Cat", supercategory="none"), category(supercategory="Cat")]),
         found=["C005", "D009", "R003"]),
    near("C005", dataset(categories=[category(id=0, name="plant", supercategory="none"), category()]),
         found=["D009", "R003"]),
    fault("C006", many(100, 9)),
    near("C006", many(100, 10)),
    fault("C007", many(612, 12)),
    near("C007", many(600, 12)),
    fault("C008", many(10, 0), also=["R003"]),
    near("C008", many(10, 1)),
    near("C008", many(10, 0) | {"categories": [category(id=0, name="pets", supercategory="none"),
                                               category(supercategory="pets")]}, found=["C005", "D009", "R003"]),
    fault("C008", many(10, 0) | {"categories": [category(id=0, name="pets", supercategory="none"),
                                                category(supercategory="pets"), category(id=2, name="dog")]},
          also=["C005", "D009", "R003"]),
    fault("C010", named("cat", "Background")),
    near("C010", named("cat", "ground")),

    fault("X001", dataset(images=[image(), image(id=2, file_name="b.jpg")])),
    near("X001", dataset([annotation(), annotation(id=2, image_id=2)], [image(), image(id=2, file_name="b.jpg")])),
    fault("X002", dataset([], images=[])),
    near("X002", dataset([]), found=["X009"]),
    fault("X007", dataset([box(i % 10 * 10, i // 10 * 7, 5, 5, id=i + 1) for i in range(101)])),
    near("X007", dataset([box(i % 10 * 10, i // 10 * 7, 5, 5, id=i + 1) for i in range(100)])),
    fault("X009", dataset([])),
    near("X009", dataset(annotations=False)),

    fault("I002", dataset(images=[image(file_name="../a.jpg")])),
    fault("I002", dataset(images=[image(file_name="C:\\a.jpg")])),
    fault("I002", dataset(images=[image(file_name="")])),
    near("I002", dataset(images=[image(file_name="a..b/c.jpg")])),
    fault("I015", dataset(images=[image(width=0)])),
    fault("I015", dataset(images=[image(height="80x")])),
    fault("I030", dataset(images=[image(width=0, height=0)])),
    near("I030", dataset(images=[image(height=0)]), found=["I015"]),
    near("I015", dataset(images=[image(width=100, height=10**5)])),
    fault("I023", dataset([annotation(), annotation(id=2, image_id=2)], [image(), image(id=2)])),
    near("I023", dataset([annotation(), annotation(id=2, image_id=2)], [image(), image(id=2, file_name="b/a.jpg")])),
    fault("I024", dataset([annotation(), annotation(id=2, image_id=2)], [image(), image(id=2, file_name="A.jpg")])),
    near("I024", dataset([annotation(), annotation(id=2, image_id=2)], [image(), image(id=2, file_name="a.jpeg")])),
    fault("I029", dataset(images=[image(file_name="aux.jpg")])),
    fault("I029", dataset(images=[image(file_name="a?.jpg")])),
    near("I029", dataset(images=[image(file_name="auxiliary (1).jpg")])),
]
