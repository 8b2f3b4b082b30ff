/* rle: rules about run-length masks, and about masks that cover nothing. */
#include "check/rule.h"

#include "base/number.h"
#include "batch/inspect/inspect.h"

#include <math.h>
#include <string.h>

enum { SIZE, SUM, COUNT, STRING, NOT_CANONICAL, ROW_MAJOR, FOREIGN, MASK_EMPTY };

static const struct rule rules[] = {
    [SIZE] = { "S020", "rle-size-differs", SEVERITY_ERROR, FIX_NONE,
               "the size of RLE differs from the image's size",
               "COCO has [height, width]; exporters swap them, or scale images but not masks.",
               "Write the mask for the image's size." },
    [SUM] = { "S021", "rle-sum-differs", SEVERITY_ERROR, FIX_NONE,
              "the counts of RLE do not sum to height x width",
              "The mask was made for another size, or was cut short.", "Write the mask again." },
    [COUNT] = { "S022", "rle-count-invalid", SEVERITY_ERROR, FIX_NONE,
                "a count of RLE is negative or not an integer",
                "The counts were computed wrongly, or the string was damaged.",
                "Write the mask again." },
    [STRING] = { "S023", "rle-string-malformed", SEVERITY_ERROR, FIX_NONE,
                 "the counts of RLE are not a string of COCO",
                 "The string was damaged, or has another encoding, such as base64.",
                 "Write the mask again, with pycocotools for example." },
    [NOT_CANONICAL] = { "S024", "rle-not-canonical", SEVERITY_INFO, FIX_NONE,
                        "RLE has counts of 0 between others",
                        "The mask was joined from pieces. Older versions of pycocotools "
                        "compute wrong boxes for it.",
                        "Write the mask again." },
    [ROW_MAJOR] = { "S025", "rle-row-major-suspected", SEVERITY_WARNING, FIX_NONE,
                    "a mask fits its box when it is read row by row",
                    "The exporter wrote rows, while COCO has columns; the mask looks sheared.",
                    "Write the counts column by column." },
    [FOREIGN] = { "S028", "rle-foreign", SEVERITY_ERROR, FIX_NONE,
                  "a segmentation is another tool's RLE",
                  "Label Studio's brush labels were exported without a conversion.",
                  "Convert them with Label Studio's converter." },
    [MASK_EMPTY] = { "S029", "mask-empty", SEVERITY_WARNING, FIX_NONE,
                     "a segmentation covers no pixel",
                     "The object is smaller than a pixel, or was erased and not removed.",
                     "Draw the outline again, or remove the annotation." },
    { 0 },
};

/* --- RLE that run refuses --- */

/* Sums counts that are a list. */
static bool sum_list(struct slice counts, double *sum)
{
    struct scan s = scan_again(counts, 0);
    struct slice value;
    bool first = true;
    int64_t count;

    scan_open(&s, '[');
    for (*sum = 0; scan_element(&s, &first) && scan_value(&s, &value); *sum += (double)count)
        if (number_scan_integer(value, &count) != value.length || count < 0 || count > UINT32_MAX)
            return false;
    return true;
}

/* Sums counts that are COCO's string. Returns NULL, or the rule that the string breaks. */
static const struct rule *sum_string(struct slice counts, double *sum)
{
    double before[2] = { 0, 0 };
    size_t n = 0;

    *sum = 0;
    for (size_t i = 1; i + 1 < counts.length; n++) {
        int64_t x = 0;
        unsigned shift = 0;
        bool more = true;
        double count;

        for (; more; i++, shift += 5) {
            int bits = counts.at[i] - 48;

            if (i + 1 >= counts.length || bits < 0 || bits > 63 || shift > 40)
                return &rules[STRING];
            x |= (int64_t)(bits & 31) << shift;
            more = (bits & 32) != 0;
            if (!more && bits & 16)
                x -= (int64_t)1 << (shift + 5);
        }
        count = (double)x + (n > 2 ? before[n % 2] : 0);
        if (count < 0)
            return &rules[COUNT];
        before[n % 2] = count;
        *sum += count;
    }
    return NULL;
}

static void check_counts(struct check *c, const struct annotation_element *e, struct slice counts,
                         double pixels)
{
    const struct rule *broken = &rules[STRING];
    double sum = 0;

    if (*counts.at == '[')
        broken = sum_list(counts, &sum) ? NULL : &rules[COUNT];
    else if (*counts.at == '"' && !memchr(counts.at, '\\', counts.length))
        broken = sum_string(counts, &sum);
    if (broken)
        rule_report(c, broken, &e->at, "segmentation/counts", counts, "%s",
                    broken == &rules[COUNT] ? "a count is negative, too large or not an integer"
                                            : "this is not a string of counts");
    else if (sum != pixels)
        rule_report(c, &rules[SUM], &e->at, "segmentation/counts", counts,
                    "the counts sum to %.0f; the size is %.0f pixels", sum, pixels);
}

/* Reads [height, width], integers above 0. */
static bool read_size(struct slice size, double v[2])
{
    struct scan s = scan_again(size, 0);
    struct slice side;
    bool first = true;
    size_t n = 0;

    if (*size.at != '[' || !scan_open(&s, '['))
        return false;
    while (scan_element(&s, &first) && scan_value(&s, &side)) {
        int64_t number = 0;

        if (n == 2 || number_scan_integer(side, &number) != side.length || number <= 0)
            return false;
        v[n++] = (double)number;
    }
    return n == 2;
}

/* Returns false if the size differs from the image's. */
static bool compare_size(struct check *c, const struct element *e, struct slice size,
                         const double v[2], struct frame image)
{
    if (v[0] == image.height && v[1] == image.width)
        return true;
    rule_report(c, &rules[SIZE], e, "segmentation/size", size,
                "the size is %.0f x %.0f, but the image is %d wide and %d high%s", v[0], v[1],
                image.width, image.height,
                v[0] == image.width && v[1] == image.height ? "; COCO has the height first" : "");
    return false;
}

static void check_refused_rle(struct check *c, const struct annotation_element *e,
                              struct slice value)
{
    struct slice size = pick_again(value, "size"), counts = pick_again(value, "counts");
    const struct checked_image *image = e->image;
    double v[2];

    if (pick_again(value, "rle").at != value.at && counts.at == value.at) {
        rule_report_plain(c, &rules[FOREIGN], &e->at, "segmentation", value,
                          "this is another tool's RLE");
        return;
    }
    if (size.at == value.at || counts.at == value.at) {
        rule_report_plain(c, &rules[size.at == value.at ? SIZE : STRING], &e->at, "segmentation",
                          value, size.at == value.at ? "size is missing" : "counts is missing");
        return;
    }
    if (!read_size(size, v))
        rule_report_plain(c, &rules[SIZE], &e->at, "segmentation/size", size,
                          "expected [height, width]");
    else if (!image || !image->width || !image->height ||
             compare_size(c, &e->at, size, v, (struct frame){ image->width, image->height }))
        check_counts(c, e, counts, v[0] * v[1]);
}

/* Compares the size of RLE with the image's file, if only the file has a size. */
static void compare_with_file(struct check *c, const struct annotation_file *file, size_t index)
{
    const struct element e = element_of_annotation(file, index);
    const struct inspected_file *seen = &file->inspection->images[e.image];
    struct slice value = pick_again(e.text, "segmentation"), size;
    double v[2];

    if (!seen->has_header || value.at == e.text.at || *value.at != '{')
        return;
    size = pick_again(value, "size");
    if (size.at != value.at && read_size(size, v))
        compare_size(c, &e, size, v, seen->header.frame);
}

static void check_all(struct check *c)
{
    for (size_t i = 0; i < c->n_files; i++) {
        const struct annotation_file *file = &c->files[i];

        for (size_t k = 0; file->inspection && k < file->n_annotations; k++) {
            const struct checked_annotation *a = &file->annotations[k];

            if (!a->broken && a->image != NOT_THERE &&
                !(file->images[a->image].width && file->images[a->image].height))
                compare_with_file(c, file, k);
        }
    }
}

/* --- masks --- */

static bool boxes_fit(struct box a, const double bbox[4], double slack)
{
    return fabs(a.x0 - bbox[0]) <= slack && fabs(a.y0 - bbox[1]) <= slack &&
           fabs(a.x1 - bbox[0] - bbox[2]) <= slack && fabs(a.y1 - bbox[1] - bbox[3]) <= slack;
}

/* True if the same counts fit the box when they are read row by row. */
static bool fits_by_rows(const struct annotation_element *e)
{
    const struct rle *rle = &e->object->rle;
    struct rle turned = *rle;

    turned.height = rle->width;
    turned.width = rle->height;
    turned = rle_transpose(e->scratch, &turned);
    return boxes_fit(rle_bounds(&turned), e->bbox, 1.5);
}

static size_t count_list(struct slice list)
{
    struct scan s = scan_again(list, 0);
    struct slice value;
    bool first = true;
    size_t n = 0;

    scan_open(&s, '[');
    while (scan_element(&s, &first) && scan_value(&s, &value))
        n++;
    return n;
}

static bool is_canonical(const struct annotation_element *e, struct slice counts)
{
    const struct rle *rle = &e->object->rle;

    if (*counts.at == '[')
        return count_list(counts) == rle->n;
    if (memchr(counts.at, '\\', counts.length))
        return true;
    return strlen(rle_to_string(e->scratch, rle)) == counts.length - 2;
}

static void check_rle(struct check *c, const struct annotation_element *e, struct slice value)
{
    const struct rle *rle = &e->object->rle;
    struct box bounds = rle_bounds(rle);

    if (!is_canonical(e, pick_again(value, "counts")))
        rule_report_plain(c, &rules[NOT_CANONICAL], &e->at, "segmentation/counts",
                          pick_again(value, "counts"), "there are counts of 0 between others");
    if (e->has_bbox && !box_is_empty(bounds) && !boxes_fit(bounds, e->bbox, 4) && fits_by_rows(e)) {
        struct finding *f = rule_report_plain(c, &rules[ROW_MAJOR], &e->at, "segmentation/counts",
                                              pick_again(value, "counts"),
                                              "read row by row, the mask fits its box");

        finding_draw_box(c, f, bounds);
    }
}

/* Limit of points. Polygons that cover nothing have few points, and more points take long. */
enum { MAX_POINTS = 256 };

/* True if the segmentation covers no pixel. Nearly all polygons are obviously larger than a pixel.
 */
static bool covers_nothing(const struct annotation_element *e)
{
    const struct object *o = e->object;
    struct frame frame;
    struct rle mask;

    if (o->segmentation == SEGMENTATION_RLE)
        return rle_area(&o->rle) == 0;
    if (o->segmentation != SEGMENTATION_POLYGONS || !o->rings.n || !e->image)
        return false;
    frame = (struct frame){ e->image->width, e->image->height };
    if (!frame.width || !frame.height)
        return false;
    for (size_t i = 0; i < o->rings.n; i++) {
        struct box b = box_of_points(o->rings.ring[i].at, o->rings.ring[i].n);

        if (o->rings.ring[i].n > MAX_POINTS)
            return false;
        if (b.x1 - b.x0 > 3 && b.y1 - b.y0 > 3 && ring_area(&o->rings.ring[i]) > 8)
            return false;
    }
    mask = rle_from_rings(e->scratch, &o->rings, frame);
    return rle_area(&mask) == 0;
}

static void check_annotation(struct check *c, const struct annotation_element *e, void *state)
{
    struct slice value = e->pick[MEMBER_SEGMENTATION].value;

    (void)state;
    if (!value.at)
        return;
    if (*value.at == '{') {
        if (e->object->segmentation == SEGMENTATION_RLE)
            check_rle(c, e, value);
        else
            check_refused_rle(c, e, value);
    }
    if (covers_nothing(e))
        rule_report_plain(c, &rules[MASK_EMPTY], &e->at, "segmentation", value,
                          "the segmentation covers no pixel");
}

const struct rule_family rle_family = {
    .title = "RLE",
    .rules = rules,
    .annotation = check_annotation,
    .all = check_all,
};
