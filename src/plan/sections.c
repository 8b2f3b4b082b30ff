/* sections: the rows of a pipeline: its top level, its sections, and the rows that all steps have.
 */
#include "plan/sections.h"

#include "plan/key_lists.h"

static const struct choice box_choices[] = {
    { "tight", BOXES_TIGHT, "around what is left of the segmentation, if there is one" },
    { "hull", BOXES_HULL, "around what is left of the annotated box" },
    { 0 },
};

static const struct choice segmentation_choices[] = {
    { "keep", SEGMENTATION_KEEP, "as the source has it" },
    { "rle", SEGMENTATION_TO_RLE, "polygons become RLE" },
    { "polygon", SEGMENTATION_TO_POLYGON,
      "RLE becomes outlines; masks with holes, and crowds, stay RLE" },
    { 0 },
};

static const struct choice keypoint_choices[] = {
    { "index", KEYPOINTS_INDEX, "pixel indices, as COCO has them" },
    { "continuous", KEYPOINTS_CONTINUOUS, "continuous coordinates, as boxes have" },
    { 0 },
};

static const struct choice outside_choices[] = {
    { "hide", OUTSIDE_HIDE, "keypoints that leave the canvas become 0, 0, 0" },
    { "keep", OUTSIDE_KEEP, "they keep their visibility and coordinates, up to 1e7" },
    { 0 },
};

static const struct choice id_choices[] = {
    { "auto", IDS_AUTO,
      "`by_image` if these ids fit for all images of the annotations, chosen or not; else, as "
      "where the ids of images are strings, `dense`, with a message" },
    { "by_image", IDS_BY_IMAGE,
      "the image's id times `ids_per_image`, plus 1, 2, ... in each image: no other image changes "
      "them" },
    { "dense", IDS_DENSE, "1, 2, ... in the annotation file" },
    { 0 },
};

static const struct choice rejected_choices[] = {
    { "original", REJECTED_ORIGINAL,
      "the image untransformed, at its own size; once, also where several are made of one" },
    { "last", REJECTED_LAST, "the last draw, though it is rejected" },
    { "fail", REJECTED_FAIL, "the image fails, with all its copies: see --on-error" },
    { 0 },
};

const struct row annotation_rows[] = {
    NUMBER(struct rules, min_area, .preset = "0", .unit = "pixels^2", .limit = { 0, INFINITY },
           .help = "drop objects whose area in the result is smaller"),
    NUMBER(struct rules, min_visibility, .preset = "0", .limit = { 0, 1 },
           .help =
               "drop objects whose visible fraction (0 to 1) is smaller than this in the result: "
               "neither cut off nor painted over; crowds stay"),
    NUMBER(struct rules, min_size, .preset = "0", .unit = "pixels", .limit = { 0, INFINITY },
           .help = "drop objects whose box is narrower or lower than this"),
    OPTIONAL(struct rules, max_aspect, .preset = "null", .limit = { 1, INFINITY },
             .help =
                 "drop objects whose box has a larger aspect ratio (longer side / shorter side); "
                 "null: no limit. Crowds stay"),
    CHOICE(struct rules, boxes, .preset = "\"tight\"", .choices = box_choices,
           .help = "the box of an object that was cut or turned"),
    CHOICE(struct rules, segmentation, .preset = "\"keep\"", .choices = segmentation_choices,
           .help = "the kind of segmentation to write"),
    CHOICE(struct rules, keypoints, .preset = "\"index\"", .choices = keypoint_choices,
           .help = "what keypoint coordinates in the file mean"),
    CHOICE(struct rules, outside, .preset = "\"hide\"", .choices = outside_choices,
           .help = "keypoints that leave the canvas"),
    LABEL_PAIRS(struct rules, swap_labels, .preset = "[]", .limit = { 0, 65535 },
                .help = "labels of label masks, as of left and right hands, that change places "
                        "wherever an op mirrors; 8-bit masks have none above 255"),
    KEY_NAMES(struct rules, drop_keys, .preset = "[]",
              .help =
                  "keys of annotations to leave out, as `scale` or `attributes.rotation`, which "
                  "COCO does not know and which would say of the object's old place; those of "
                  "images as `images.intrinsics`; elements of objects in Pascal VOC's files"),
    KEY_KINDS(struct rules, move_keys, .preset = "{}",
              .help = "keys of annotations that COCO does not know and that move with the object, "
                      "each with what it is: {\"bbox_head\": \"box\", \"center\": \"point\"}. "
                      "`box`: [x, y, width, height], cut at the canvas, all 0 when it is outside; "
                      "`point`: [x, y] or several, wherever they come to. In Pascal VOC's files, "
                      "elements of objects: a `box` has xmin, ymin, xmax and ymax, and is left out "
                      "when it is outside; a `point` has x and y, or x1, y1, x2, y2 and so on"),
    CHOICE(struct rules, ids, .preset = "\"auto\"", .choices = id_choices,
           .help = "ids of annotations in a pipeline that joins images"),
    WHOLE(struct rules, ids_per_image, .preset = "100000", .limit = { 1, 1000000000000 },
          .help = "of `ids` by image: what an image's id is multiplied by"),
    REJECT_RULES(
        struct rules, reject_image_if, .preset = "null",
        .help = "draw the whole image again, with other random numbers, if any of this holds: "
                "`objects_lost`: an object was dropped; `all_objects_lost`: all were dropped; "
                "`objects_below`: some were dropped, and fewer than this are left; "
                "`visibility_below`: a smaller share of one is left and not hidden. Crowds do not "
                "count, nor do objects that would be dropped from the untransformed image. Where "
                "several images are made of one, an object is dropped if no image has it, and "
                "all are drawn again"),
    INTEGER(struct rules, max_attempts, .preset = "10", .limit = { 1, 1000 },
            .help = "how often an image is drawn, at most, with `reject_image_if`"),
    CHOICE(struct rules, when_rejected, .preset = "\"original\"", .choices = rejected_choices,
           .help = "what is written when all attempts were rejected; the manifest and the run's "
                   "last line tell"),
    ROWS_END,
};

const struct choice output_formats[] = {
    { "same", PICTURE_SAME,
      "as the source's data, whatever its name says: JPEG is encoded again with `quality`, WebP "
      "too "
      "unless it is lossless, which it stays; GIF, BMP and netpbm become PNG" },
    { "jpeg", PICTURE_JPEG, "8 bit, no alpha" },
    { "png", PICTURE_PNG, "lossless" },
    { "webp", PICTURE_WEBP, "8 bit" },
    { "tiff", PICTURE_TIFF, "lossless, deflate" },
    { 0 },
};

static const struct choice subsampling_choices[] = {
    { "same", SUBSAMPLING_SAME,
      "no less than in the JPEG that the image is made of; 4:2:0 where it is none" },
    { "4:2:0", SUBSAMPLING_420, "half the colour resolution both ways" },
    { "4:2:2", SUBSAMPLING_422, "half the colour resolution across" },
    { "4:4:4", SUBSAMPLING_444, "full colour resolution" },
    { 0 },
};

static const struct choice untouched_choices[] = {
    { "encode", UNTOUCHED_ENCODE, "it is encoded like the others" },
    { "copy", UNTOUCHED_COPY,
      "its file is copied, with all its metadata, if the format stays and it has no EXIF "
      "orientation" },
    { 0 },
};

const struct choice metadata_choices[] = {
    { "keep", METADATA_KEEP,
      "the colour profile (ICC), and the pixels an inch where both sides have as many (a JPEG may "
      "have them in EXIF alone); nothing else, neither camera nor place nor comments" },
    { "strip", METADATA_STRIP, "pixels alone" },
    { 0 },
};

const struct row output_rows[] = {
    CHOICE(struct output_rules, format, .preset = "\"same\"", .choices = output_formats,
           .help = "file format of the images written"),
    INTEGER(struct output_rules, quality, .preset = "95", .limit = { 1, 100 },
            .help = "of JPEG and WebP"),
    CHOICE(struct output_rules, subsampling, .preset = "\"same\"", .choices = subsampling_choices,
           .help = "of JPEG's colours"),
    INTEGER(struct output_rules, compression, .preset = "1", .limit = { 1, 12 },
            .help = "of PNG, libdeflate's levels: 1 is fastest, 12 smallest"),
    CHOICE(struct output_rules, untouched, .preset = "\"encode\"", .choices = untouched_choices,
           .help = "what is written for an image that no op touched"),
    CHOICE(struct output_rules, metadata, .preset = "\"keep\"", .choices = metadata_choices,
           .help = "what is written of the source's metadata. The EXIF orientation is applied (see "
                   "`exif`) and never written. WebP has no place for pixels an inch; resizing "
                   "does not change them"),
    COLOUR(struct output_rules, background, .preset = "null",
           .help = "the colour that shows through transparent pixels, one number or [R, G, B], on "
                   "the 0..255 scale: images are written without alpha. null: alpha is kept, and "
                   "refused where the format has none"),
    FLAG(struct output_rules, lossless, .preset = "false",
         .help =
             "make a JPEG that was only flipped, turned by quarters or cropped, or not touched, "
             "from the DCT coefficients of its JPEG: nothing is lost, and `quality` and "
             "`subsampling` are the source's. Where no block (of 8 or 16 pixels, mostly) "
             "begins at the result's first column and row, it is encoded as usual"),
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
    { "none", OPTIMIZE_NONE, "op by op" },
    { "exact", OPTIMIZE_EXACT, "neighbouring ops joined, to the same bits" },
    { "fast", OPTIMIZE_FAST, "shortcuts are taken, too: pixels differ within stated bounds" },
    { 0 },
};

const struct choice exif_choices[] = {
    { "apply", EXIF_APPLY, "images are turned upright, and annotations are of upright images" },
    { "ignore", EXIF_IGNORE,
      "pixels are taken as they are stored, and annotations are of stored pixels" },
    { 0 },
};

const struct choice cmyk_choices[] = {
    { "profile", CMYK_PROFILE, "by the image's colour profile, or one of a press" },
    { "naive", CMYK_NAIVE, "by arithmetic, to the bit as PIL: R = (255 - C) (255 - K) / 255" },
    { 0 },
};

const struct row pipeline_rows[] = {
    INTEGER(struct pipeline, version, .limit = { 1, 1 },
            .help = "the version of this format; drawn values never change within one"),
    WHOLE(struct pipeline, seed, .preset = "0", .limit = { 0, 9007199254740992 },
          .help = "seed of the random numbers: another one draws other values"),
    CHOICE(struct pipeline, optimize, .preset = "\"exact\"", .choices = optimize_choices,
           .help = "how the ops drawn for an image are combined into passes over its pixels; see "
                   "`lockstep help optimize`"),
    CHOICE(struct pipeline, exif, .preset = "\"apply\"", .choices = exif_choices,
           .help = "what the EXIF orientation of an image means; it is not written either way, so "
                   "that all programs show what the labels say"),
    CHOICE(struct pipeline, cmyk, .preset = "\"profile\"", .choices = cmyk_choices,
           .help = "how CMYK images become RGB"),
    STEPS(struct pipeline, transforms,
          .help = "the steps, in order: 1024 at most, those inside of others counted"),
    ROWS_END,
};

const struct row step_rows[] = {
    TEXT(struct common, id, .preset = "\"\"",
         .help = "names the step's random numbers, so that steps put before it do not change them"),
    NUMBER(struct common, p, .preset = "1", .limit = { 0, 1 },
           .help = "the probability that the step is done"),
    WHEN(struct common, when, .preset = "null",
         .help =
             "do the step only if the sample meets these conditions when its turn comes: "
             "`has_category`: an object has one of these categories; `min_objects`, "
             "`max_objects`: the number of objects is at least, at most this; `min_size`: the "
             "image's shorter side has at least this many pixels; `max_size`: its longer side has "
             "at most this many. Objects that would be dropped at this point are not counted. The "
             "random numbers of other steps stay the same"),
    ROWS_END,
};
