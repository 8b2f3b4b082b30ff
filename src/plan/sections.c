/* sections: the rows of a pipeline: its top level, its sections, and the rows that all steps have.
 */
#include "plan/sections.h"

#include "plan/key_lists.h"

static const struct choice box_choices[] = {
    { "tight", BOXES_TIGHT, "around the remaining segmentation, if there is one" },
    { "hull", BOXES_HULL, "around the remaining part of the annotated box" },
    { 0 },
};

static const struct choice segmentation_choices[] = {
    { "keep", SEGMENTATION_KEEP, "as in the source" },
    { "rle", SEGMENTATION_TO_RLE, "polygons become RLE" },
    { "polygon", SEGMENTATION_TO_POLYGON,
      "RLE becomes outlines; masks with holes, and crowds, stay RLE" },
    { 0 },
};

static const struct choice keypoint_choices[] = {
    { "index", KEYPOINTS_INDEX, "pixel indices, as in COCO" },
    { "continuous", KEYPOINTS_CONTINUOUS, "continuous coordinates, like boxes" },
    { 0 },
};

static const struct choice outside_choices[] = {
    { "hide", OUTSIDE_HIDE, "keypoints that leave the canvas become 0, 0, 0" },
    { "keep", OUTSIDE_KEEP, "keypoints keep their visibility and coordinates, up to 1e7" },
    { 0 },
};

static const struct choice convention_choices[] = {
    { "index", CAMERA_INDEX,
      "pixels count from the center of the first pixel: the center of an image 640 pixels wide is "
      "at cx = 319.5" },
    { "continuous", CAMERA_CONTINUOUS,
      "pixels count from the corner of the image, like boxes: that center is at cx = 320" },
    { 0 },
};

static const struct choice rotation_choices[] = {
    { "matrix", CAMERA_MATRIX, "the product of the image's map and the matrix, as it is" },
    { "decompose", CAMERA_DECOMPOSE,
      "where that product is not upper triangular: an upper triangular matrix, and beside it the "
      "rotation of the camera" },
    { 0 },
};

static const struct choice mirror_choices[] = {
    { "keep", CAMERA_KEEP, "fx or fy becomes negative, and is written so" },
    { "refuse", CAMERA_REFUSE, "pipelines that may mirror are refused" },
    { 0 },
};

static const struct choice id_choices[] = {
    { "auto", IDS_AUTO,
      "`by_image` if these ids fit for all images of the annotations, selected or not; otherwise, "
      "for example if the ids of images are strings, `dense`, with a message" },
    { "by_image", IDS_BY_IMAGE,
      "the image's id times `ids_per_image`, plus 1, 2, ... in each image; other images do not "
      "change these ids" },
    { "dense", IDS_DENSE, "1, 2, ... in the order of the annotation file" },
    { 0 },
};

static const struct choice rejected_choices[] = {
    { "original", REJECTED_ORIGINAL,
      "the untransformed image, at its own size; once, even if steps make several images of one" },
    { "last", REJECTED_LAST, "the last attempt, although it was rejected" },
    { "fail", REJECTED_FAIL, "the image fails, with all its copies; see --on-error" },
    { 0 },
};

const struct row annotation_rows[] = {
    NUMBER(struct rules, min_area, .preset = "0", .unit = "pixels^2", .limit = { 0, INFINITY },
           .help = "drop objects whose area in the result is smaller than this"),
    NUMBER(struct rules, min_visibility, .preset = "0", .limit = { 0, 1 },
           .help = "drop objects if less than this fraction (0 to 1) is visible in the result, "
                   "that is, neither cut off nor painted over; crowds stay"),
    NUMBER(struct rules, min_size, .preset = "0", .unit = "pixels", .limit = { 0, INFINITY },
           .help = "drop objects whose box is narrower or lower than this"),
    OPTIONAL(struct rules, max_aspect, .preset = "null", .limit = { 1, INFINITY },
             .help =
                 "drop objects whose box has a larger aspect ratio (longer side / shorter side); "
                 "null: no limit. Crowds stay"),
    CHOICE(struct rules, boxes, .preset = "\"tight\"", .choices = box_choices,
           .help = "the box of an object that was cut or rotated"),
    CHOICE(struct rules, segmentation, .preset = "\"keep\"", .choices = segmentation_choices,
           .help = "the kind of segmentation to write"),
    CHOICE(struct rules, keypoints, .preset = "\"index\"", .choices = keypoint_choices,
           .help = "what keypoint coordinates in the file mean"),
    CHOICE(struct rules, outside, .preset = "\"hide\"", .choices = outside_choices,
           .help = "what happens to keypoints that leave the canvas"),
    LABEL_PAIRS(struct rules, swap_labels, .preset = "[]", .limit = { 0, 65535 },
                .help = "labels of label masks that swap when an op mirrors the image, such as "
                        "left and right hand; 8-bit masks have no labels above 255"),
    KEY_NAMES(struct rules, drop_keys, .preset = "[]",
              .help = "keys of annotations to drop, such as `scale` or `attributes.rotation`: COCO "
                      "does not define them, and they would describe the object's old position. A "
                      "key of images is written as `images.intrinsics`. In Pascal VOC's files, the "
                      "names are elements of objects"),
    KEY_KINDS(
        struct rules, move_keys, .preset = "{}",
        .help =
            "keys of annotations that COCO does not define and that move with the object, each "
            "with its kind: {\"bbox_head\": \"box\", \"center\": \"point\"}. "
            "`box`: [x, y, width, height], clipped to the canvas, all 0 if it is outside; `point`: "
            "[x, y] or several points, which may leave the canvas. In Pascal VOC's files, the "
            "names are elements of objects: a `box` has xmin, ymin, xmax and ymax, and is dropped "
            "if it is outside; a `point` has x and y, or x1, y1, x2, y2 and so on"),
    IMAGE_NAMES(
        struct rules, camera, .preset = "[]",
        .help =
            "keys of images that hold camera matrices, which move with the pixels: `K`, "
            "`intrinsics`, or `calib.P2` for a key of an object. The value tells its form: "
            "intrinsics of 3 x 3 numbers, projections of 3 x 4 numbers (both in rows or in one "
            "list), or [fx, fy, cx, cy]; null stays. A matrix becomes A K, with A the map of the "
            "whole image, and is not divided by its last number. [fx, fy, cx, cy] keeps its form "
            "if its four numbers can describe the result: after crops, pads, resizes and flips, "
            "and with `decompose` also after rotations if fx and fy are equal; otherwise it "
            "becomes 3 rows of 3 numbers. Pipelines with displacement fields (elastic) or "
            "joined images are refused. Distortion coefficients stay as they are, which is right "
            "after crops, pads and resizes; other steps cause a note [coco-unmoved-keys]"),
    CHOICE(struct rules, camera_convention, .preset = "\"index\"", .choices = convention_choices,
           .help = "what the pixels of a camera matrix mean"),
    CHOICE(
        struct rules, camera_rotation, .preset = "\"matrix\"", .choices = rotation_choices,
        .help =
            "how to write a camera that rotated. With `decompose`, A K = s K' R (RQ "
            "decomposition): `K` becomes K', whose last number is 1 and whose fy is positive, and "
            "the key `K_rotation` has R, 3 rows of 3 numbers with determinant 1. The new camera's "
            "frame is X' = R X. A mirror makes fx negative. A record without the key did not "
            "rotate. A projection stays a product, A P = s K' [R | t], and the keys "
            "`P_intrinsics`, `P_rotation` and `P_translation` beside it have K', R and t"),
    CHOICE(struct rules, camera_mirror, .preset = "\"keep\"", .choices = mirror_choices,
           .help = "what happens to camera matrices if a step mirrors the image"),
    CHOICE(struct rules, ids, .preset = "\"auto\"", .choices = id_choices,
           .help = "ids of annotations in a pipeline that joins images"),
    WHOLE(struct rules, ids_per_image, .preset = "100000", .limit = { 1, 1000000000000 },
          .help = "with `ids` by image: the factor of the image's id"),
    REJECT_RULES(struct rules, reject_image_if, .preset = "null",
                 .help =
                     "draw the whole image again, with other random numbers, if a condition holds. "
                     "`objects_lost`: an object was dropped; `all_objects_lost`: all objects were "
                     "dropped; `objects_below`: objects were dropped, and fewer than this number "
                     "are left; `visibility_below`: the visible share of an object is smaller than "
                     "this. Crowds do not count, and neither do objects that would be dropped from "
                     "the untransformed image. If steps make several images of one, an object "
                     "counts as dropped if no image has it, and all images are drawn again"),
    INTEGER(struct rules, max_attempts, .preset = "10", .limit = { 1, 1000 },
            .help = "maximum number of times that an image is drawn, with `reject_image_if`"),
    CHOICE(struct rules, when_rejected, .preset = "\"original\"", .choices = rejected_choices,
           .help = "what to write if all attempts were rejected; the manifest and the last line of "
                   "the run report it"),
    ROWS_END,
};

const struct choice output_formats[] = {
    { "same", PICTURE_SAME,
      "the format of the source's data, whatever its suffix. JPEG is encoded again with `quality`, "
      "and so is WebP, but lossless WebP stays lossless; GIF, BMP and netpbm become PNG" },
    { "jpeg", PICTURE_JPEG, "8 bit, no alpha" },
    { "png", PICTURE_PNG, "lossless" },
    { "webp", PICTURE_WEBP, "8 bit" },
    { "tiff", PICTURE_TIFF, "lossless, deflate" },
    { 0 },
};

static const struct choice subsampling_choices[] = {
    { "same", SUBSAMPLING_SAME,
      "at least the color resolution of the source, if it is a JPEG; otherwise 4:2:0" },
    { "4:2:0", SUBSAMPLING_420, "half the color resolution in both directions" },
    { "4:2:2", SUBSAMPLING_422, "half the color resolution horizontally" },
    { "4:4:4", SUBSAMPLING_444, "full color resolution" },
    { 0 },
};

static const struct choice untouched_choices[] = {
    { "encode", UNTOUCHED_ENCODE, "the image is encoded like the others" },
    { "copy", UNTOUCHED_COPY,
      "the file is copied, with all its metadata, if the format stays the same and it has no EXIF "
      "orientation" },
    { 0 },
};

const struct choice metadata_choices[] = {
    { "keep", METADATA_KEEP,
      "the color profile (ICC), and the pixels per inch if they are the same horizontally and "
      "vertically (a JPEG may have them only in EXIF); nothing else: no camera, place or "
      "comments" },
    { "strip", METADATA_STRIP, "only pixels" },
    { 0 },
};

const struct row output_rows[] = {
    CHOICE(struct output_rules, format, .preset = "\"same\"", .choices = output_formats,
           .help = "file format of the images written"),
    INTEGER(struct output_rules, quality, .preset = "95", .limit = { 1, 100 },
            .help = "quality of JPEG and WebP"),
    CHOICE(struct output_rules, subsampling, .preset = "\"same\"", .choices = subsampling_choices,
           .help = "color resolution of JPEG"),
    INTEGER(struct output_rules, compression, .preset = "1", .limit = { 1, 12 },
            .help = "level of PNG compression, as in libdeflate: 1 is fastest, 12 smallest"),
    CHOICE(struct output_rules, untouched, .preset = "\"encode\"", .choices = untouched_choices,
           .help = "what to write for an image that no op touched"),
    CHOICE(
        struct output_rules, metadata, .preset = "\"keep\"", .choices = metadata_choices,
        .help =
            "which metadata of the source to write. The EXIF orientation is applied (see `exif`) "
            "and never written. WebP cannot store pixels per inch; resizing does not change them"),
    COLOUR(struct output_rules, background, .preset = "null",
           .help = "the color that shows through transparent pixels, one number or [R, G, B], on "
                   "the 0..255 scale; images are then written without alpha. null: alpha is kept, "
                   "and refused if the format has none"),
    FLAG(struct output_rules, lossless, .preset = "false",
         .help = "make a JPEG that was only flipped, rotated by quarter turns or cropped, or not "
                 "changed, from the DCT coefficients of the source: nothing is lost, and `quality` "
                 "and `subsampling` stay as in the source. If no block (of mostly 8 or 16 pixels) "
                 "begins at the first column and row of the result, the image is encoded as usual"),
    ROWS_END,
};

struct fill background_fill(const struct colour *c, int colours, enum pixel_type type)
{
    double unit = pixel_type_unit(type);
    struct fill fill = { .channel = { 0 } };

    for (int b = 0; b < colours; b++)
        fill.channel[b] = unit * c->channel[c->n == 3 ? b : 0];
    if (colours == 1 && c->n == 3) /* Rec. 601, as of rgb_to_grayscale */
        fill.channel[0] =
            unit * (0.2989 * c->channel[0] + 0.587 * c->channel[1] + 0.114 * c->channel[2]);
    return fill;
}

const struct choice optimize_choices[] = {
    { "none", OPTIMIZE_NONE, "ops run one by one" },
    { "exact", OPTIMIZE_EXACT, "neighboring ops are combined; the result has the same bits" },
    { "fast", OPTIMIZE_FAST, "ops also take shortcuts; pixels differ within stated bounds" },
    { 0 },
};

const struct choice exif_choices[] = {
    { "apply", EXIF_APPLY, "images are turned upright, and annotations describe upright images" },
    { "ignore", EXIF_IGNORE, "pixels are used as stored, and annotations describe stored pixels" },
    { 0 },
};

const struct choice cmyk_choices[] = {
    { "profile", CMYK_PROFILE,
      "by the color profile of the image, or a printing press's if it has none" },
    { "naive", CMYK_NAIVE,
      "by arithmetic, with the same bits as PIL: R = (255 - C) (255 - K) / 255" },
    { 0 },
};

const struct row pipeline_rows[] = {
    INTEGER(
        struct pipeline, version, .limit = { 1, 1 },
        .help =
            "version of this format; the values that a seed draws never change within a version"),
    WHOLE(struct pipeline, seed, .preset = "0", .limit = { 0, 9007199254740992 },
          .help = "seed of the random numbers; another seed draws other values"),
    CHOICE(struct pipeline, optimize, .preset = "\"exact\"", .choices = optimize_choices,
           .help = "how the ops drawn for an image are combined into passes over its pixels; see "
                   "`lockstep help optimize`"),
    CHOICE(struct pipeline, exif, .preset = "\"apply\"", .choices = exif_choices,
           .help = "what the EXIF orientation of an image means. It is never written, so that all "
                   "programs show the image as the labels describe it"),
    CHOICE(struct pipeline, cmyk, .preset = "\"profile\"", .choices = cmyk_choices,
           .help = "how to convert CMYK images to RGB"),
    STEPS(struct pipeline, transforms,
          .help = "the steps, in order; at most 1024, including steps inside of other steps"),
    ROWS_END,
};

const struct row step_rows[] = {
    TEXT(struct common, id, .preset = "\"\"",
         .help = "names the random numbers of the step, so that steps inserted before it do not "
                 "change them"),
    NUMBER(struct common, p, .preset = "1", .limit = { 0, 1 },
           .help = "probability that the step runs"),
    WHEN(struct common, when, .preset = "null",
         .help =
             "run the step only if the sample meets these conditions when its turn comes. "
             "`has_category`: an object has one of these categories; `min_objects`, `max_objects`: "
             "the number of objects is at least, or at most, this; `min_size`: the image's shorter "
             "side has at least this many pixels; `max_size`: its longer side has at most this "
             "many. Objects that would be dropped at this point do not count. The "
             "random numbers of other steps stay the same"),
    ROWS_END,
};
