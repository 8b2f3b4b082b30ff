/* topics_coco: how annotations are read: formats, dialects, layouts of keypoints. */
#include "manual/manual.h"

#include "labels/coco/dialect.h"
#include "labels/coco/keypoint_layouts.h"

#include <string.h>

/* --- coco --- */

static void print_layouts(struct page *p)
{
    struct text text = { 0 };

    text_adds(&text, "Names for `flip_pairs`, each with its number of keypoints: ");
    for (size_t i = 0; layout_at(i); i++)
        text_addf(&text, "%s`%s` %zu", i ? ", " : "", layout_at(i)->name, layout_at(i)->n);
    text_adds(&text, ". The pairs are those of the layout's owner. A layout that has names for its "
                     "points, as WholeBody's 133, is also known by the whole list of them.");
    page_item(p, "`public layouts`", text_string(&text));
    text_drop(&text);
}

void print_topic_coco(struct page *p)
{
    page_paragraph(p, "`-a` takes a COCO file of any kind: instances, keypoints, stuff, captions, "
                      "panoptic, results. Every key that is not known is carried along, "
                      "and every number that was not changed is written as it was.");
    page_item(p, "`results`",
              "What a model found, a list of elements with image_id, comes out as such a list; "
              "elements need no id. Its images and categories are those of the COCO file that "
              "`--image-list` names, and go to images.json. The visibility of a keypoint may be "
              "any number from 0, as a score.");
    page_item(p, "`whole bodies`",
              "What COCO-WholeBody says of feet, face and hands (foot_kpts, face_box, "
              "lefthand_valid, ...) goes with the body. A mirror swaps the feet and the sides of "
              "the face, and the hands change places with all that is theirs. A part "
              "that is gone becomes zeros, and is not valid any more.");
    page_item(p, "`ids`",
              "Ids of images and of annotations may be strings, such as the UUIDs and paths of "
              "camera traps. They are written unchanged if an image has one output. Copies, "
              "branches and objects of joined images need numbers: then all ids of the list are "
              "numbers, which count a string by its place in the list, from 1 [ids-numbered], "
              "and manifest.jsonl has both. A list has strings if one of its ids is a string that "
              "is not an integer: then \"7\" and 7 are different ids, and 7 is refused in this "
              "list. Where all strings are integers, they are written as numbers "
              "[coco-string-id]. Ids of categories are integers.");
    page_item(p, "`coordinates`",
              "Boxes and polygons are continuous: the pixel in row i and column j covers [j, j+1) "
              "by [i, i+1), and an image of width W reaches from 0 to W.");
    page_item(p, "`keypoints`",
              "Keypoints are pixel indices, as COCO has them: a flip takes x to W-1-x. "
              "`\"keypoints\": \"continuous\"` says that the file has them like boxes. A keypoint "
              "of visibility 0 that is not at 0, 0 is moved and swapped like others and keeps its "
              "0, but never counts.");
    page_item(
        p, "`left and right`",
        "A step that mirrors the image swaps left and right keypoints: by their names (left_eye "
        "and right_eye, eye_l and eye_r, lEye and rEye, lefteye and righteye, forelegL1 and "
        "forelegR1, eye(L) and eye(R), lt_ear and rt_ear; the words of Chinese, French, German, "
        "Italian, Japanese, Korean, Polish, Portuguese and Spanish where both of a pair are "
        "there), or by the category's `flip_pairs`: a "
        "list of pairs of names or of indices from 0 (then no names are required), the name of a "
        "public layout that has as many keypoints, or [] for none. A keypoint whose name has no "
        "side is not swapped. A pipeline that may mirror is refused before the first image is read "
        "(`coco-flip-pairs`) if a name seems to have a side and no keypoint has the other one, or "
        "only one that seems misspelt, if "
        "names are only numbers, or if keypoints have no names; `--compat lenient` warns instead, "
        "and keeps their order.");
    print_layouts(p);
    page_item(p, "`canvas`",
              "Every canvas cuts: what a step moves out of the image is gone, as its pixels are; a "
              "later pad does not bring it back. A keypoint that leaves becomes 0, 0, 0, and "
              "num_keypoints is counted again (see `outside`).");
    page_item(p, "`boxes`",
              "A box that was only shifted, scaled, flipped or turned by quarters, and not cut, "
              "stays the annotated box. Otherwise it is derived again from what is left of the "
              "segmentation, or of the box itself (see `boxes`).");
    page_item(p, "`area`",
              "Scaled with the image; after a cut or a turn it is measured again: polygons by "
              "their outline, RLE by counting pixels. Of an object without segmentation "
              "the annotated area is multiplied by the share of its box's outline, moved and cut: "
              "a turn alone leaves it as it is, though the box grows. An area that the file does "
              "not have is not added; `min_area` then takes the outline's.");
    page_item(p, "`polygons`",
              "Polygons are moved as vectors and clipped exactly; one may fall into several. One "
              "that crosses itself keeps its even-odd inside. A part that a cut left without the "
              "centre of any pixel of the result is left out, of the box too, unless there is no "
              "other part; thin parts that an annotator drew stay. `segmentation` turns polygons "
              "to RLE or back, and the manifest tells.");
    page_item(
        p, "`RLE`",
        "RLE masks are moved run by run; a true warp takes the nearest pixel. Several warps "
        "and resizes that interpolate take it from the mask before the first of them, so that "
        "outlines do not drift: they may be a pixel off what a label mask has, which is "
        "resampled by each. What was compressed stays compressed.");
    page_item(
        p, "`other keys`",
        "Keys that COCO does not define are copied unchanged. Keys whose names mean geometry "
        "(`center`, `scale`, `bbox_head`, `keypoints_3d`, CVAT's rotation "
        "among `attributes`) then describe the object's old place: a run that moves objects "
        "names them once [coco-unmoved-keys] and lists them in run.json. So do keys of images, "
        "with `images.` before their names (`images.intrinsics`, `images.geotransform`, "
        "`images.bbox`). `drop_keys` leaves both out, `move_keys` moves those of objects. "
        "Settings that labels of a format cannot follow are refused, and those without an "
        "effect on them are named [settings-idle]. Numbers that did not change keep their "
        "digits.");
    page_item(p, "`visibility`",
              "The share of an object's outline that survived all cuts and is not painted over. "
              "Scaling does not lower it. `min_visibility` drops by it.");
    page_item(p, "`crowds`",
              "Crowds (iscrowd 1) are moved like all others; `min_visibility` and `max_aspect` do "
              "not drop them, and `reject_image_if` does not mind them.");
    page_item(
        p, "`dropping`",
        "It is decided once, at the end: objects that a step ruled out (`keep_centers`: "
        "\"center\"; `keep_objects`: \"other\"; steps on what a model found: \"score\", \"nms\", "
        "\"batched_nms\", "
        "\"mask_nms\", \"soft_nms\", \"fused\", \"top_k\", \"max_objects\"), those with nothing "
        "left (\"outside\"), then "
        "`min_visibility`, `min_area`, `min_size`, `max_aspect`, and objects without a place in "
        "the format of `--to` (\"not_in_format\"). The manifest gives each with its reason.");
    page_item(p, "`drawing again`",
              "With `reject_image_if`, an image whose draw loses objects is drawn again with other "
              "numbers, up to `max_attempts` times; then `when_rejected` says what is written. "
              "Labels decide, before pixels are read. Each copy has its own attempts.");
    page_item(
        p, "`untouched`",
        "Objects that no step moved or cut are written byte for byte (but for new ids), "
        "wherever they lie; what was drawn beyond the image ends at the canvas once the object "
        "is moved, and costs no visibility. An image without objects stays, too.");
    page_item(p, "`label masks`",
              "`--masks` takes one gray image for each image, with the same path and stem and the "
              "suffix .png. They move by nearest pixels and never get a label that is new, but for "
              "`fill_mask` outside of the image. `swap_labels` names pairs, as of left and right "
              "hands, that change places wherever an op mirrors, as keypoints do. Of a PNG with a "
              "palette the indices are the labels, and the palette stays; a `fill_mask` beyond its "
              "end is black.");
    page_item(
        p, "`panoptic`",
        "Annotations with segments_info are COCO's panoptic ones; the PNG of each (an id is "
        "red + 256 green + 65536 blue, 0 is for no segment) is read from `--masks`, else from "
        "the folder named like the file, without .json, and written to OUT/masks. Segments "
        "are objects with RLE: what a step leaves of them is counted and drops them "
        "as others; steps and `when` see them; `labels` says what painting over does, not "
        "`fill_mask`. What comes from outside, or was dropped, is 0. So list and picture "
        "always name the same ids, and area and bbox are counted on the picture. In the "
        "source they must name the same ids, too. Copies keep them, since they are an "
        "image's own. In a pipeline that joins images they are 1, 2, ... in each output; a "
        "pixel is of the uppermost image's segment, and an image without segments of its own "
        "gets none. All modes write the same pictures.");
    page_item(p, "`ids`",
              "With one output for each image, ids and file names stay. With K outputs, output k "
              "of id i gets the id i*K + k and the name gets `__a000`, `__a001`, ...; with "
              "`--include-original` the original is number 0.");
    page_item(p, "`orientation`",
              "EXIF orientation is applied when an image is read, or ignored (see `exif`), and the "
              "tag is not written. Width and height of the annotations must be those of the image "
              "as it is read; with `--trust file` they are corrected.");
    print_labels(p);
}

/* --- compat --- */

static void print_deviations(struct page *p, unsigned set)
{
    struct text term = { 0 }, text = { 0 };

    for (size_t d = 0; d < DEVIATIONS; d++) {
        const struct deviation_kind *kind = &deviation_kinds[d];

        if (!(set >> d & 1))
            continue;
        text_clear(&term);
        text_clear(&text);
        text_addf(&term, "`%s`", kind->code);
        text_addf(&text, "%s: %s", code_get(kind->code)->means, kind->remedy);
        page_item(p, text_string(&term), text_string(&text));
    }
    text_drop(&term);
    text_drop(&text);
}

void print_topic_compat(struct page *p)
{
    page_paragraph(p, "Tools that export COCO files each do it a little otherwise. What has one "
                      "meaning all the same is read by `--compat repair`, the default: the first "
                      "place of each kind is printed as a note, with how many there are in the "
                      "file. `--compat strict` refuses such a file, with the same codes. What may "
                      "mean several things (width and height swapped, RLE row by row, ids "
                      "given twice) is an error in both. `--compat lenient` reads what `repair` "
                      "reads, and takes more as it is, with a warning; see below.");
    page_terms(p, strlen("coco-no-supercategory"));
    page_heading(p, "Repaired: written as COCO has it");
    print_deviations(p, DEVIATIONS_REPAIRED);
    page_heading(p, "Kept: written as it is");
    print_deviations(p, ~DEVIATIONS_REPAIRED);
    page_heading(p, "Read by lenient alone, with a warning");
    page_item(p, "`coco-flip-pairs`",
              "a pipeline may mirror, and nothing says which keypoints change places then: they "
              "keep their order");
    page_heading(p, "Other kinds of files");
    page_item(p, "`LVIS`",
              "An image without file_name is named by the last folder and the file of its "
              "coco_url (train2017/000000391895.jpg), as LVIS's own code does; iscrowd and "
              "supercategory are not missed. A file is LVIS's if an image has neg_category_ids or "
              "not_exhaustive_category_ids.");
    page_item(p, "`captions, labels, images`",
              "Annotations that have neither bbox nor segmentation are carried; nothing is missed "
              "in them. A file may have no annotations or categories at all.");
}
