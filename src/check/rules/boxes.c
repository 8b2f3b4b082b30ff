/* boxes: rules about the boxes of annotations. */
#include "check/rule.h"

#include <math.h>

enum {
    BAD_BOX,
    NEGATIVE,
    ZERO,
    PARTLY_OUTSIDE,
    WHOLLY_OUTSIDE,
    CORNERS,
    NORMALISED,
    DIFFERS,
    TINY,
    NARROW,
    WHOLE_IMAGE,
    CENTERS,
};

static const struct rule rules[] = {
    [BAD_BOX] = { "B001", "bbox-wrong-length-or-type", SEVERITY_ERROR, FIX_NONE,
                  "a box is not [x, y, width, height]",
                  "The exporter wrote corners as pairs, a rotated box, or an object.",
                  "Write four numbers: left, top, width, height, in pixels." },
    [NEGATIVE] = { "B003", "bbox-negative-size", SEVERITY_ERROR, FIX_UNSAFE,
                   "a box has a negative width or height",
                   "It was drawn from the right to the left or upwards, or its corners were "
                   "subtracted in the wrong order.",
                   "Swap the corners: x + w, -w." },
    [ZERO] = { "B004", "bbox-zero-size", SEVERITY_ERROR, FIX_UNSAFE,
               "a box has no width or no height",
               "A click without a drag, or a very small object whose numbers were rounded. Some "
               "training code divides by it.",
               "Draw the box again, or remove the annotation." },
    [PARTLY_OUTSIDE] = { "B005", "bbox-partly-outside", SEVERITY_WARNING, FIX_SAFE,
                         "a box reaches beyond its image",
                         "The object was drawn over the image's edge, the size of the image is "
                         "wrong, or boxes were scaled and rounded. Up to 1 pixel, or 1 % of the "
                         "image's side, is not reported.",
                         "Clip the box to the image." },
    [WHOLLY_OUTSIDE] = { "B006", "bbox-wholly-outside", SEVERITY_ERROR, FIX_UNSAFE,
                         "a box lies outside of its image",
                         "The size of the image is wrong, or the annotation belongs to another "
                         "image.",
                         "Correct the image or its size, or remove the annotation." },
    [CORNERS] = { "B007", "bboxes-look-like-xyxy", SEVERITY_WARNING, FIX_NONE,
                  "boxes look like [x0, y0, x1, y1]",
                  "The exporter wrote two corners. Reported if 1 of 5 boxes of a file reaches "
                  "beyond "
                  "its image, and all of them fit when they are read as corners.",
                  "Write [x, y, width, height]." },
    [NORMALISED] = { "B008", "bboxes-look-normalised", SEVERITY_ERROR, FIX_NONE,
                     "boxes look like shares of the image",
                     "The exporter divided by the size of the image, as YOLO does. Reported if no "
                     "number of any box of a file is above 1.",
                     "Multiply by the width and height of the image." },
    [DIFFERS] = { "B009", "bbox-differs-from-segmentation", SEVERITY_WARNING, FIX_UNSAFE,
                  "a box does not fit the segmentation",
                  "One of them was changed, scaled or moved, and the other was not. Up to 3 "
                  "pixels, "
                  "or 10 % of the box's side, is not reported.",
                  "Look at the object; write the box around the outline." },
    [TINY] = { "B010", "bbox-tiny", SEVERITY_INFO, FIX_NONE,
               "a side of a box is shorter than 2 pixels",
               "The object is far away, or the box comes from a click.",
               "Look at it; remove the annotation if it is not an object." },
    [NARROW] = { "B011", "bbox-extreme-aspect", SEVERITY_INFO, FIX_NONE,
                 "a side of a box is over 20 times the other",
                 "The object is a pole or a wire, or the box is wrong.", "Look at it." },
    [WHOLE_IMAGE] = { "B012", "bbox-covers-image", SEVERITY_INFO, FIX_NONE,
                      "a box covers all of its image",
                      "The image was cut around the object, or a label of the image was written as "
                      "a box.",
                      "Look at it." },
    [CENTERS] = { "B016", "bboxes-look-centered", SEVERITY_WARNING, FIX_NONE,
                  "boxes look like [center x, center y, width, height]",
                  "The exporter wrote centers in pixels, as for YOLO and DETR. Reported if 1 "
                  "of 5 boxes of a file reaches beyond its image, and all of them fit when they "
                  "are read as centers.",
                  "Subtract half of the width and height: [x, y, width, height]." },
    { 0 },
};

/* Votes of a file's boxes on their form. */
struct boxes_state {
    size_t n, beyond, corners, centers, normalised, fractions;
    struct element first;
    struct slice at; /* the first box that reaches beyond its image */
};

static double tolerance(int side)
{
    return side > 100 ? side / 100.0 : 1;
}

static bool reaches_beyond(struct box b, const struct checked_image *image)
{
    double x = tolerance(image->width), y = tolerance(image->height);

    return b.x0 < -x || b.y0 < -y || b.x1 > image->width + x || b.y1 > image->height + y;
}

/* Replaces only numbers that change, so that the others keep their text. */
static void replace_box(struct check *c, struct finding *f, const struct annotation_element *e,
                        struct box b)
{
    const double to[4] = { b.x0, b.y0, b.x1 - b.x0, b.y1 - b.y0 };
    struct scan s = scan_again(e->pick[MEMBER_BBOX].value, 0);
    struct slice number;
    bool first = true;

    if (!f || !c->options->fixes)
        return;
    scan_open(&s, '[');
    for (size_t i = 0; i < 4 && scan_element(&s, &first) && scan_value(&s, &number); i++)
        if (to[i] != e->bbox[i])
            finding_replace_number(c, f, number, to[i]);
}

static void drop_annotation(struct check *c, struct finding *f, const struct annotation_element *e)
{
    if (c->options->fixes)
        finding_remove(c, f, e->at.text);
}

static void check_place(struct check *c, const struct annotation_element *e, struct box box,
                        struct boxes_state *state)
{
    const struct checked_image *image = e->image;
    struct slice at = e->pick[MEMBER_BBOX].value;
    struct finding *f;

    if (box.x0 >= image->width || box.y0 >= image->height || box.x1 <= 0 || box.y1 <= 0) {
        f = rule_report(c, &rules[WHOLLY_OUTSIDE], &e->at, "bbox", at,
                        "the box lies outside of its image of %d x %d", image->width,
                        image->height);
        finding_draw_box(c, f, box);
        drop_annotation(c, f, e);
    } else if (reaches_beyond(box, image)) {
        f = rule_report(c, &rules[PARTLY_OUTSIDE], &e->at, "bbox", at,
                        "the box is %g, %g to %g, %g; its image is %d x %d", box.x0, box.y0, box.x1,
                        box.y1, image->width, image->height);
        finding_draw_box(c, f, box);
        replace_box(c, f, e, box_intersect(box, (struct box){ 0, 0, image->width, image->height }));
    } else if (box.x0 <= 0 && box.y0 <= 0 && box.x1 >= image->width && box.y1 >= image->height) {
        f = rule_report_plain(c, &rules[WHOLE_IMAGE], &e->at, "bbox", at,
                              "the box covers all of its image");
        finding_draw_box(c, f, box);
    }
    if (reaches_beyond(box, image) && !state->beyond++) {
        state->first = e->at;
        state->at = at;
    }
}

static void check_shape(struct check *c, const struct annotation_element *e, struct box box)
{
    const double *v = e->bbox;
    struct slice at = e->pick[MEMBER_BBOX].value;
    struct finding *f = NULL;

    if (fmin(v[2], v[3]) < 2)
        f = rule_report(c, &rules[TINY], &e->at, "bbox", at, "the box is %g x %g pixels", v[2],
                        v[3]);
    else if (fmax(v[2], v[3]) > 20 * fmin(v[2], v[3]))
        f = rule_report(c, &rules[NARROW], &e->at, "bbox", at, "the box is %g x %g pixels", v[2],
                        v[3]);
    finding_draw_box(c, f, box);
}

/* True if a side of the box and of the outline differ by more than is tolerated. */
static bool sides_differ(double a0, double a1, double b0, double b1)
{
    double max = fmax(3, (a1 - a0) / 10);

    return fabs(a0 - b0) > max || fabs(a1 - b1) > max;
}

static bool boxes_differ(struct box a, struct box b)
{
    return sides_differ(a.x0, a.x1, b.x0, b.x1) || sides_differ(a.y0, a.y1, b.y0, b.y1);
}

/* Compares the box with the outline. Outlines beyond the image have a rule of their own: the box
 * may be around the part inside. */
static void check_outline(struct check *c, const struct annotation_element *e, struct box box)
{
    const struct object *o = e->object;
    const struct checked_image *image = e->image;
    struct box outline, inside;
    struct finding *f;

    if (o->segmentation == SEGMENTATION_NONE || e->refused->n || e->crowd ||
        file_is_results(e->at.file)) /* models predict boxes and masks separately */
        return;
    outline = o->segmentation == SEGMENTATION_RLE ? rle_bounds(&o->rle) : rings_bounds(&o->rings);
    inside = outline;
    if (image && image->width && image->height)
        inside = box_intersect(outline, (struct box){ 0, 0, image->width, image->height });
    if (box_is_empty(inside) || !boxes_differ(box, outline) || !boxes_differ(box, inside))
        return;
    f = rule_report(c, &rules[DIFFERS], &e->at, "bbox", e->pick[MEMBER_BBOX].value,
                    "the box is %g, %g to %g, %g, and the outline %g, %g to %g, %g", box.x0, box.y0,
                    box.x1, box.y1, outline.x0, outline.y0, outline.x1, outline.y1);
    finding_draw_box(c, f, box);
    replace_box(c, f, e, inside);
}

/* True if the box is within its image, or a pixel beyond, if its x and y are its center. */
static bool is_inside_centered(const double *v, const struct checked_image *image)
{
    return v[0] - v[2] / 2 >= -1 && v[1] - v[3] / 2 >= -1 && v[0] + v[2] / 2 <= image->width + 1 &&
           v[1] + v[3] / 2 <= image->height + 1;
}

/* Notes whether the box would fit as corners, as a center, or as shares. */
static void vote(const struct annotation_element *e, struct boxes_state *state)
{
    const double *v = e->bbox;
    const struct checked_image *image = e->image;
    bool sized = image && image->width && image->height;

    if (file_is_voc(e->at.file))
        return; /* Pascal VOC has corners */
    state->n++;
    state->corners += sized && v[2] > v[0] && v[3] > v[1] && v[2] <= image->width + 1 &&
                      v[3] <= image->height + 1;
    state->centers += sized && is_inside_centered(v, image);
    state->normalised += v[0] >= 0 && v[1] >= 0 && v[0] + v[2] <= 1.001 && v[1] + v[3] <= 1.001;
    for (size_t i = 0; i < 4; i++)
        state->fractions += v[i] != floor(v[i]);
}

static void check_box(struct check *c, const struct annotation_element *e,
                      struct boxes_state *state)
{
    struct slice at = e->pick[MEMBER_BBOX].value;
    const double *v = e->bbox;
    struct box box = { fmin(v[0], v[0] + v[2]), fmin(v[1], v[1] + v[3]), fmax(v[0], v[0] + v[2]),
                       fmax(v[1], v[1] + v[3]) };
    struct finding *f;

    if (fabs(v[0]) > LARGEST_COORDINATE || fabs(v[1]) > LARGEST_COORDINATE ||
        fabs(v[2]) > LARGEST_COORDINATE || fabs(v[3]) > LARGEST_COORDINATE) {
        rule_report_plain(c, &rules[BAD_BOX], &e->at, "bbox", at, "a number is above 1e7");
        return;
    }
    if (v[2] < 0 || v[3] < 0) {
        f = rule_report(c, &rules[NEGATIVE], &e->at, "bbox", at,
                        "the width and height are %g and %g", v[2], v[3]);
        finding_draw_box(c, f, box);
        replace_box(c, f, e, box);
        return;
    }
    if (v[2] == 0 || v[3] == 0) {
        if (e->deviations & DEVIATION(EMPTY_BBOX))
            return;
        f = rule_report(c, &rules[ZERO], &e->at, "bbox", at, "the width and height are %g and %g",
                        v[2], v[3]);
        finding_draw_box(c, f, box);
        drop_annotation(c, f, e);
        return;
    }
    vote(e, state);
    if (e->image && e->image->width && e->image->height)
        check_place(c, e, box, state);
    check_shape(c, e, box);
    check_outline(c, e, box);
}

static void check_annotation(struct check *c, const struct annotation_element *e, void *given)
{
    const struct pick *pick = &e->pick[MEMBER_BBOX];

    if (!pick->value.at || pick_is_empty(pick->value))
        return;
    if (e->has_bbox)
        check_box(c, e, given);
    else
        rule_report_plain(c, &rules[BAD_BOX], &e->at, "bbox", pick->value,
                          "expected [x, y, width, height]");
}

static void check_end(struct check *c, const struct annotation_file *file, void *given)
{
    const struct boxes_state *state = given;
    struct element e = element_of_file(file);

    bool outside = state->n >= 5 && 5 * state->beyond >= state->n;
    bool centers = state->centers == state->n;

    if (outside && state->corners == state->n)
        rule_report(c, &rules[CORNERS], &state->first, "bbox", state->at,
                    "%zu of %zu boxes reach beyond their images; all fit as [x0, y0, x1, y1]%s; "
                    "this is the first",
                    state->beyond, state->n,
                    centers ? ", and as [center x, center y, width, height]" : "");
    else if (outside && centers)
        rule_report(c, &rules[CENTERS], &state->first, "bbox", state->at,
                    "%zu of %zu boxes reach beyond their images; all fit as "
                    "[center x, center y, width, height]; this is the first",
                    state->beyond, state->n);
    if (state->n >= 2 && state->normalised == state->n && state->fractions > state->n)
        rule_report(c, &rules[NORMALISED], &e, "annotations", file->sections[LIST_ANNOTATIONS],
                    "no number of %zu boxes is above 1", state->n);
}

const struct rule_family boxes_family = {
    .title = "boxes",
    .rules = rules,
    .state = sizeof(struct boxes_state),
    .labels = true,
    .annotation = check_annotation,
    .end = check_end,
};
