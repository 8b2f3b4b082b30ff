/* topics_labels: the part of `help coco` about label files, and --to. */
#include "manual/manual.h"

static void print_image_labels(struct page *p)
{
    page_item(
        p, "`labels of images`",
        "An image has the classes that its `category_id` or `category_ids` name, and those of its "
        "annotations with a category_id and neither bbox, segmentation, keypoints nor caption. A "
        "label may have a weight from 0 to 1, as in `\"category_ids\": [{\"category_id\": 3, "
        "\"weight\": 0.7}, 5]`, or the annotation's `weight`; else it is 1. All outputs of an "
        "image have its labels, and they are written as they were said; the manifest lists them, "
        "too.");
    page_item(
        p, "`labels in a table`",
        "`-a` also takes a .csv with a label a row: file, class and perhaps weight. The first row "
        "may name the columns (file, class, weight; also path, image, filename, label, category, "
        "target); others are carried, but for boxes and outlines, which are refused. A class's id "
        "is its place among their sorted names, from 0, as "
        "torchvision's ImageFolder has it, or the integer that it is where all of them are "
        "integers. OUT/labels.csv has a row for each label of each output, with a weight if "
        "the source has one or the pipeline joins images.");
    page_item(
        p, "`labels by folders`",
        "`--labels folders` takes the first folder of each image's path for its class, or the "
        "second one if all first ones are called train, val, valid, validation or test. Classes "
        "are numbered in the same way, and empty folders count; an image in none is an error "
        "[label-folder]. Outputs keep their folders, and mixed labels stand in the manifest.");
    page_item(
        p, "`--one-hot`",
        "Writes the labels of all outputs as numbers for training: a row for each output, in the "
        "order of manifest.jsonl, and a column for each category, in the order of ids. It is "
        "NumPy's (float32) or CSV (with the names of outputs and classes), by its suffix; "
        "NAME.classes.txt beside NAME.npy names the classes, one per line. With `--resume`, an "
        "earlier table is replaced if it has the same classes, and no other file is "
        "[out-occupied]. After a job in shards, `lockstep merge --one-hot` writes it.");
    page_item(
        p, "`labels that are mixed`",
        "Where images are joined, the weights of each are multiplied by its share: of the pixels "
        "that are filled with an image, as with `CutMix` and `Mosaic`, the pixels that no other "
        "one hides; of images that show through each other, as with `MixUp`, their opacity over "
        "what they lie on. So labels with a sum of 1 keep it. Fill counts for no image, what "
        "`CopyPaste` pastes brings no label, and no later step changes a weight.");
}

void print_labels(struct page *p)
{
    print_image_labels(p);
    page_item(
        p, "`files of labels`",
        "`-a` also takes a folder with a file of labels for each image, as YOLO and Pascal VOC "
        "have: what no step touches is written byte for byte, and a number that does not change "
        "keeps its digits. The images are those of `-i`. The labels of an image have its path and "
        "stem below "
        "the folder, or stand where Ultralytics looks for them: with `labels` in the place "
        "of the last folder called `images`. An image without a file has no objects; how "
        "many there are is said once, and how many files fit no image.");
    page_item(
        p, "`yolo`",
        "A line is an object: a class and a box (x, y, width, height), a class and the "
        "points of an outline, or with `kpt_shape` in data.yaml a box and keypoints; all in "
        "shares of the image's sides, as its EXIF orientation shows it. Keypoints follow the "
        "rule of `annotations.keypoints`, and `flip_idx` says which change places in a mirror. "
        "A cut that leaves several parts of an outline writes them as one, tied by lines "
        "without width, as Ultralytics does. Lines of boxes and of outlines stay what they are. "
        "Where images are joined, though, and the dataset has both, boxes are written as outlines, "
        "by their corners: Ultralytics misreads files that have both.");
    page_item(
        p, "`Pascal VOC`",
        "xmin, ymin, xmax and ymax are pixels from 1, the last ones inside: 1 and 3 are the box "
        "from 0 to 3. Boxes of parts move with their object. All else (pose, difficult, truncated, "
        "occluded, comments, what exporters add) stays as it stands; fractions of a pixel are "
        "written, not rounded. Files stand in Annotations where images are in JPEGImages. A "
        "document type is refused.");
    page_item(
        p, "`names of classes`",
        "YOLO's are in data.yaml, dataset.yaml, classes.txt or obj.names in the labels' folder or "
        "up to two folders above it; `-a data.yaml` is the folder that it is in. Pascal VOC, "
        "folders and tables of labels have the classes that occur, so that two parts of one "
        "dataset may number them differently. `--classes FILE` pins names and order for all of "
        "these: one name per line, a data.yaml, or a COCO file with categories, whose order "
        "counts and not their ids. YOLO's numbers are changed to the places in FILE where "
        "something names them, and are places in FILE where nothing does. A class that occurs "
        "and that FILE lacks is an error [class-unlisted].");
    page_item(p, "`what is written`",
              "Of Pascal VOC, OUT/annotations/*.xml; of YOLO, OUT/labels/*.txt and OUT/data.yaml, "
              "with the keys of the source. Where the path of an image has a folder called images, "
              "its labels stand in a folder beside that one.");
    page_item(
        p, "`parts`",
        "train, val, test and other parts of a data.yaml keep their names and their form, a folder "
        "or a list of folders; the folders become those of OUT, and `path` is left out, so that "
        "they are relative to the data.yaml. A part without images in the run is left out, "
        "with a note [yolo-parts]. A part that is a .txt list of images is refused, as are outputs "
        "that no folder could tell apart by part. If the source states no parts, folders called "
        "train, val, valid, validation and test are parts; without them all images are train.");
    page_item(p, "`--to`",
              "Writes annotations in another format. What that has no place for (run-length masks, "
              "outlines of several parts, crowds, keypoints, keys of its own, objects outside of "
              "their image or of zero size, images with hidden names) is counted before "
              "work begins, and refused [to-lossy]; with `--lossy` it is left out, and said. Then "
              "crowds, such objects and objects without a category are left out; where outlines "
              "are written, "
              "several parts are tied into one, a run-length mask becomes the outline of its "
              "pixels, and a box its corners. A class is a category's place in the list. What "
              "COCO has beside labels (info, licenses, dates) is not written. COCO made of others "
              "has ids of its own: a category's is its place from 1, an annotation's is its "
              "image's times 100 000 plus its place.");
}
