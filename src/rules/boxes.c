/* boxes: rules about the boxes of annotations. */
#include "../rule.h"

enum { BAD_BOX, NEGATIVE, ZERO, PARTLY_OUTSIDE, WHOLLY_OUTSIDE };

static const struct rule rules[] = {
    [BAD_BOX] = { "B001", "bbox-wrong-length-or-type", SEVERITY_ERROR, FIX_NONE,
                  "a box is not [x, y, width, height]",
                  "The exporter wrote corners as pairs, a rotated box, or an object.",
                  "Write four numbers: left, top, width, height, in pixels." },
    [NEGATIVE] = { "B003", "bbox-negative-size", SEVERITY_ERROR, FIX_UNSAFE,
                   "a box has a negative width or height",
                   "It was drawn from the right to the left or upwards, or its corners were "
                   "subtracted in the wrong order.",
                   "Exchange the corners: x + w, -w." },
    [ZERO] = { "B004", "bbox-zero-size", SEVERITY_WARNING, FIX_UNSAFE,
               "a box has no width or no height",
               "A click without a drag, or a very small object whose numbers were rounded.",
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
    { 0 },
};

static double tolerance(int side)
{
    return side > 100 ? side / 100.0 : 1;
}

static void check_place(struct check *c, const struct annotation_element *e, struct box box)
{
    const struct checked_image *image = e->image;
    struct slice at = e->pick[MEMBER_BBOX].value;
    double x = tolerance(image->width), y = tolerance(image->height);
    struct finding *f = NULL;

    if (box.x0 >= image->width || box.y0 >= image->height || box.x1 <= 0 || box.y1 <= 0)
        f = rule_report(c, &rules[WHOLLY_OUTSIDE], &e->at, "bbox", at,
                        "the box lies outside of its image of %d x %d", image->width,
                        image->height);
    else if (box.x0 < -x || box.y0 < -y || box.x1 > image->width + x || box.y1 > image->height + y)
        f = rule_report(c, &rules[PARTLY_OUTSIDE], &e->at, "bbox", at,
                        "the box reaches to %g, %g; its image is %d x %d", box.x1, box.y1,
                        image->width, image->height);
    finding_draw_box(c, f, box);
}

static void check_annotation(struct check *c, const struct annotation_element *e, void *state)
{
    const struct pick *pick = &e->pick[MEMBER_BBOX];
    const double *v = e->bbox;
    struct box box = { v[0], v[1], v[0] + v[2], v[1] + v[3] };

    (void)state;
    if (!pick->value.at || pick_is_empty(pick->value))
        return;
    if (!e->has_bbox) {
        rule_report_plain(c, &rules[BAD_BOX], &e->at, "bbox", pick->value,
                          "[x, y, width, height] was expected");
    } else if (v[2] < 0 || v[3] < 0) {
        box = (struct box){ v[2] < 0 ? box.x1 : box.x0, v[3] < 0 ? box.y1 : box.y0,
                            v[2] < 0 ? box.x0 : box.x1, v[3] < 0 ? box.y0 : box.y1 };
        finding_draw_box(c,
                         rule_report(c, &rules[NEGATIVE], &e->at, "bbox", pick->value,
                                     "the width and height are %g and %g", v[2], v[3]),
                         box);
    } else if (v[2] == 0 || v[3] == 0) {
        finding_draw_box(c,
                         rule_report(c, &rules[ZERO], &e->at, "bbox", pick->value,
                                     "the width and height are %g and %g", v[2], v[3]),
                         box);
    } else if (e->image && e->image->width && e->image->height) {
        check_place(c, e, box);
    }
}

const struct rule_family boxes_family = {
    .title = "boxes",
    .rules = rules,
    .annotation = check_annotation,
};
