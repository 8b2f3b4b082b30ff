"""Rules about folders with a file of labels for each image: YOLO's, Pascal VOC's."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
import png  # noqa: E402 # pylint: disable=wrong-import-position
from planted import fault, near  # noqa: E402 # pylint: disable=C0413

picture = png.encode([[v for x in range(100) for v in (x, 2 * y, 90)] for y in range(80)], 3)
YAML = "names: [cat, dog]\n"
POSE = YAML + "kpt_shape: [2, 3]\nflip_idx: [1, 0]\n"
CAT, DOG = "0 0.2 0.25 0.2 0.25", "1 0.5 0.5 0.2 0.25"
OUTLINE = "0 0.1 0.1 0.3 0.1 0.3 0.4"


def yolo(what, rule, labels, found=(), names=YAML, images=("a.png", "b.png"), options="", **files):
    """A folder of YOLO's labels: a list of lines for each image; None: no file."""
    named = {f"labels/{n.rsplit('.', 1)[0]}.txt": "".join(line + "\n" for line in lines)
             for n, lines in zip(images, labels) if lines is not None}
    named |= {f"images/{n}": picture for n in images} | ({"data.yaml": names} if names else {}) | files.get("files", {})
    return what(rule, "labels/", found, "-i {}/images " + options, named)


def cat(*corners, name="cat", tags=("xmin", "ymin", "xmax", "ymax")):
    box = "".join(f"<{t}>{v}</{t}>" for t, v in zip(tags, corners))
    return f"<object><name>{name}</name><bndbox>{box}</bndbox></object>"


def voc(what, rule, *objects, found=(), size=(100, 80), text=None, options=""):
    """An image with these objects, and one with a dog."""
    def xml(of):
        return (f"<annotation>\n<size><width>{size[0]}</width><height>{size[1]}</height></size>\n"
                + "\n".join(of) + "\n</annotation>\n")
    files = {f"images/{n}.png": picture for n in "ab"}
    files |= {"annotations/a.xml": xml(objects) if text is None else text,
              "annotations/b.xml": xml([cat(1, 1, 20, 20, name="dog")])}
    return what(rule, "annotations/", found, "-i {}/images " + options, files)


both = [[CAT, DOG], [DOG]]
good = cat(10, 10, 30, 30)
cases = [
    yolo(fault, "L001", [[CAT, "cat 0.5 0.5 0.2 0.25"], [DOG]]),
    yolo(fault, "L001", [[CAT, "0,0.5,0.5,0.2,0.25"], [DOG]]),
    near("L001", "labels/", (), "-i {}/images", {
        "labels/a.txt": b"\xef\xbb\xbf\r\n" + CAT.encode() + b"  \r\n\r\n\t" + DOG.encode(), "images/a.png": picture,
        "labels/classes.txt": b"\xef\xbb\xbfcat\r\ndog\r\n\r\n"}),
    yolo(fault, "L002", [[CAT, "2 0.5 0.5 0.2 0.25"], [DOG]]),
    yolo(fault, "L002", [[CAT, "-1 0.5 0.5 0.2 0.25"], [DOG]]),
    yolo(fault, "L002", [[CAT, "1 0.5 0.5 0.2 0.25"], []], names="names: {0: cat, 2: dog}\n", found=["R003", "X001"]),
    yolo(near, "L002", [[CAT, "1.0 0.5 0.5 0.2 0.25"], [DOG]]),
    yolo(near, "L002", [[CAT, "17 0.5 0.5 0.2 0.25"], [DOG]], names=None, found=["L011"]),
    yolo(fault, "L003", [[CAT, DOG + " 0.9"], [DOG]]),
    yolo(fault, "L003", [["0 0.5 0.5 0.2 0.25 0.5 0.5 2"], ["1 0.5 0.5 0.2 0.25 0.45 0.5 2 0.55 0.5 1"]], names=POSE),
    yolo(near, "L003", [["0 0.5 0.5 0.2 0.25 0.5 0.5 2 0.5 0.4 0"], ["1 0.5 0.5 0.2 0.25 0.45 0.5 2 0 0 0"]],
         names=POSE, found=["K005"]),
    yolo(fault, "L004", [[CAT, "0 50 40 20 20"], [DOG]]),
    yolo(fault, "L004", [[CAT, "0 0.5 0.5 -0.2 0.2"], [DOG]]),
    yolo(near, "L004", [["0 0.905 0.5 0.2 0.25"], ["1 0.09 1.009 0.17 0.02"]], found=["B005", "B010"]),
    yolo(fault, "L005", [["0 0.5 0.5 0.2 0.25 0.5 0.5 3 0.5 0.4 2"], []], names=POSE, found=["R003", "X001"]),
    yolo(fault, "L005", both, names=POSE.replace("1, 0", "1, 1")),
    yolo(near, "L005", [["0 0.5 0.5 0.2 0.25 0.5 0.5 1 0.5 0.4 2"], ["1 0.5 0.5 0.2 0.25 0.5 0.5 2 0.5 0.5 2"]],
         names=POSE),
    yolo(fault, "L006", both, names="names: 2\n"),
    yolo(fault, "L006", both, names="nc: 3\n" + YAML),
    # Rows that cannot be judged without data.yaml are not reported.
    yolo(fault, "L006", [["0 0.5 0.5 0.2 0.25 0.5 0.5 2"], [DOG]], names="names: 2\n"),
    yolo(fault, "L006", [["0 0.5 0.5 0.2 0.25 0.5 0.5 0.5 0.5"], [DOG]], names="names: 2\n"),
    yolo(near, "L006", both, names="nc: 2\n" + YAML),
    yolo(near, "L006", both, names="nc: 2\n"),
    yolo(near, "L006", both, names="path: ../x\nnames:\n  0: cat\n  1: 'dog'\n"),
    yolo(fault, "L007", both, names="names: [cat, dog\n"),
    yolo(fault, "L007", both, names="names: &n [cat, dog]\nother: *n\n"),
    yolo(near, "L007", both, names="# names\n---\nnames: ['cat', \"dog\"] # two\n"),
    voc(fault, "L008", text="<annotation><object></annotation>"),
    voc(fault, "L008", text=""),
    voc(fault, "L008", text="<annotations/>"),
    voc(near, "L008", text="<?xml version='1.0' encoding='ISO-8859-1'?>\r\n<!-- & -->\r\n<annotation>".encode()
        + cat(10, 10, 30, 30, name="caf\xe9 &amp; &lt;").encode("latin-1") + b"</annotation>\r\n"),
    voc(fault, "L009", good, cat(40, 10, "x", 30)),
    voc(fault, "L009", good, cat(40, 10, 30, 30)),
    voc(fault, "L009", good, cat(40, 10, 60, tags=("xmin", "ymin", "xmax"))),
    voc(near, "L009", good, cat("40.5", " 10 ", "6e1", "+30")),
    voc(near, "L009", good, cat(60, 60, 10, 40, tags=("xmax", "ymax", "xmin", "ymin"))),
    voc(fault, "L010", good, cat(40, 10, 60, 30, name="")),
    voc(near, "L010", good, cat(40, 10, 60, 30, name="0")),
    yolo(fault, "L011", both, names=None),
    yolo(near, "L011", both, names=None, files={"classes.txt": "cat\ndog\n"}),
    yolo(near, "L011", both, names=None, files={"obj.names": "cat\ndog\n"}, options="--classes {}/obj.names"),
    voc(near, "L011", good),
    yolo(fault, "L012", both, files={"labels/c.txt": CAT + "\n"}),
    yolo(fault, "L012", both, files={"labels/d/a.txt": ""}),
    yolo(near, "L012", both, files={"labels/train.txt": "images/a.png\n", "labels/requirements.txt": "numpy>=1.2\n",
                                    "labels/classes.txt": "cat\ndog\n", "labels/README.dataset.txt": "1 2 3 4 5\n",
                                    "labels/sizes.txt": "100 80\n"}),
    yolo(fault, "L013", [[CAT, DOG], None]),
    yolo(near, "L013", [[CAT, DOG], []], found=["X001"]),
    yolo(fault, "L014", both, images=("a.jpg", "a.png"), found=["I011", "R003"]),
    yolo(near, "L014", both, images=("a.jpg", "b.a.jpg"), found=["I011"]),
    voc(fault, "L016", cat(0, 10, 60, 30), "<source><database>The VOC2008 Database</database></source>"),
    voc(near, "L016", cat(0, 10, 60, 30), "<source><database>My VOC</database></source>"),
    yolo(fault, "L015", [[CAT, OUTLINE], [DOG]]),
    yolo(near, "L015", [[OUTLINE], ["1 0.1 0.1 0.3 0.1 0.3 0.4 0.1 0.4"]]),

    # Rules of boxes, outlines, keypoints, classes and images also apply to labels.
    yolo(near, "B004", [["0 0.5 0.5 0.001 0.25"], [DOG]], found=["B010"]),
    yolo(fault, "B004", [["0 0.5 0.5 0 0.25"], [DOG]]),
    yolo(fault, "B005", [["0 0.02 0.5 0.1 0.25"], [DOG]]),
    yolo(near, "B005", [["0 0.045 0.5 0.1 0.25"], [DOG]]),
    yolo(fault, "B007", [["0 0.3 0.2 0.8 0.7", "0 0.1 0.1 0.6 0.7", "0 0.5 0.5 0.99 0.99"],
                         ["1 0.4 0.3 0.9 0.9", "1 0.45 0.2 0.95 0.75"]], found=["B005"]),
    yolo(near, "B007", [["0 0.3 0.2 0.8 0.7", "0 0.1 0.1 0.6 0.7", "0 0.5 0.5 0.99 0.99"],
                        ["1 0.4 0.3 0.9 0.9", DOG]], found=["B005"]),
    yolo(fault, "B010", [["0 0.5 0.5 0.01 0.25"], [DOG]]),
    yolo(near, "B010", [["0 0.5 0.5 0.01 0.25"], [DOG]], options="--no-images"),
    yolo(fault, "B012", [["0 0.5 0.5 1 1"], [DOG]]),
    yolo(fault, "B013", [[CAT, DOG, "0 .2 2.5e-1 0.20 +0.25"], [DOG]]),
    yolo(fault, "B013", [[CAT, DOG, CAT], [DOG]], options="--no-images"),
    yolo(near, "B013", [[CAT, CAT.replace("0 0.2", "1 0.2")], [DOG]]),
    yolo(fault, "B014", [[CAT, "0 0.2 0.25 0.2 0.251"], [DOG]]),
    yolo(near, "S007", [["0 0.1 0.1 0.3 0.1 0.3 1.009"], ["1 0.1 0.1 0.3 0.1 0.3 0.4"]]),
    yolo(near, "S008", [["0 0.1 0.1 0.3 0.4 0.3 0.1 0.1 0.38"], ["1 0.1 0.1 0.3 0.1 0.3 0.4"]]),
    yolo(fault, "S009", [["0 0.1 0.1 0.2 0.1 0.3 0.1"], ["1 0.1 0.1 0.3 0.1 0.3 0.4"]]),
    yolo(fault, "K012", [["0 0.5 0.5 0.2 0.25 0.5 0.5 1 0.5 0.4 2"], ["1 0.5 0.5 0.2 0.25 0.5 0.5 2 0.5 0.5 2"]],
         names=POSE.replace("flip_idx", "flips")),
    yolo(fault, "C002", both, names="names: [cat, cat]\n"),
    yolo(fault, "C003", both, names="names: [cat, Cat]\n"),
    yolo(near, "C001", both, names="names: {0: cat, 1: dog, 5: cow}\n", found=["R003"]),
    yolo(fault, "R003", both, names="names: [cat, dog, cow]\n"),
    yolo(fault, "I005", both, files={"images/a.png": picture[:60] + b"x" + picture[61:]}, options="--pixels"),
    yolo(near, "I029", both, images=("a.png", "b:1\\2.png")),
    voc(fault, "B004", good, cat(40, 10, 39, 30)),
    voc(fault, "B005", good, cat(90, 10, 110, 30)),
    voc(near, "B005", good, cat(90, 61, 100, 80)),
    voc(near, "B005", good, cat(90, 10, 110, 30), size=(0, 0), options="--no-images"),
    voc(fault, "B005", good, cat(90, 10, 110, 30), options="--no-images"),
    voc(near, "B005", good, cat(0, 0, 30, 40)),
    voc(fault, "B013", good, good),
    voc(fault, "C003", good, cat(40, 10, 60, 30, name="Cat")),
    voc(fault, "I008", good, size=(80, 100)),
    voc(near, "I008", good, size=(0, 0)),
]
