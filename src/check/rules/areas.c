/* areas: rules about the member "area" of annotations. */
#include "check/rule.h"

#include "base/number.h"

#include <math.h>

enum { MISSING, NOT_POSITIVE, DIFFERS };

static const struct rule rules[] = {
    [MISSING] = { "A001", "area-missing", SEVERITY_WARNING, FIX_SAFE, "area is missing",
                  "The exporter left it out. pycocotools' evaluation stops without it.",
                  "Add the area of the segmentation, or of the box." },
    [NOT_POSITIVE] = { "A002", "area-not-positive", SEVERITY_WARNING, FIX_SAFE,
                       "an area is 0 or negative, although the object has an area",
                       "The exporter writes 0 for an area that it did not compute. Evaluation "
                       "counts the object as small.",
                       "Write the area of the segmentation, or of the box." },
    [DIFFERS] = { "A003", "area-differs", SEVERITY_WARNING, FIX_SAFE,
                  "an area differs from the segmentation's area",
                  "It is the area of the box, or of the object before the image was scaled. "
                  "Evaluation by size counts the object in the wrong class. Differences up to 1 % "
                  "or 1 square pixel are not reported, nor is the number of pixels for polygons, "
                  "nor what "
                  "rounding the edge of a mask explains.",
                  "Write the area of the polygons, or the number of pixels of RLE." },
    { 0 },
};

/* Returns the area of the RLE, the polygons or the box; negative if there are none. */
static double area_of(const struct annotation_element *e)
{
    const struct object *o = e->object;

    if (e->refused->n)
        return -1;
    if (o->segmentation == SEGMENTATION_RLE)
        return (double)rle_area(&o->rle);
    if (o->segmentation == SEGMENTATION_POLYGONS)
        return rings_area(&o->rings);
    return e->has_bbox && e->bbox[2] > 0 && e->bbox[3] > 0 ? e->bbox[2] * e->bbox[3] : -1;
}

static bool are_near(double a, double b)
{
    double difference = fabs(a - b);

    return difference <= 1 || difference <= 0.01 * fmax(fabs(a), fabs(b));
}

/* True if rounding a mask's edge to pixels explains the difference, as in masks that were scaled.
 */
static bool is_rounded(const struct annotation_element *e, double given, double area)
{
    const struct rle *rle = &e->object->rle;
    struct point size;

    if (e->object->segmentation != SEGMENTATION_RLE)
        return false;
    size = box_extent(rle_bounds(rle));
    return fabs(given - area) <= (size.x + size.y) / 2;
}

/* True if the area is the number of pixels of polygons, which some tools count. */
static bool is_pixel_count(const struct annotation_element *e, double area)
{
    struct rle mask;

    if (e->object->segmentation != SEGMENTATION_POLYGONS || !e->image || !e->image->width ||
        !e->image->height)
        return false;
    mask = rle_from_rings(e->scratch, &e->object->rings,
                          (struct frame){ e->image->width, e->image->height });
    return are_near((double)rle_area(&mask), area);
}

static void put_area(struct check *c, struct finding *f, struct slice at, double area)
{
    if (f && c->options->fixes)
        finding_replace_number(c, f, at, area);
}

static void check_missing(struct check *c, const struct annotation_element *e, double area)
{
    struct finding *f;
    struct text number = { 0 };

    if (!(e->deviations & DEVIATION(NO_AREA)) || area < 0)
        return;
    f = rule_report_plain(c, &rules[MISSING], &e->at, "area", (struct slice){ 0 },
                          "area is missing");
    if (c->options->fixes) {
        number_print(&number, area);
        finding_add_member(c, f, e->at.text, "\"area\": %s", text_string(&number));
        text_drop(&number);
    }
}

/* Without an outline, an object may cover any part of its box: a mask may have been left out, or
 * the box may be turned. But the object cannot be larger than the box. */
static bool is_comparable(const struct annotation_element *e, double given, double area)
{
    return e->object->segmentation != SEGMENTATION_NONE || given > area;
}

static void check_annotation(struct check *c, const struct annotation_element *e, void *state)
{
    struct slice at = e->pick[MEMBER_AREA].value;
    double area = area_of(e), given;

    (void)state;
    check_missing(c, e, area);
    if (!at.at || area <= 0 || number_scan(at, &given) != at.length)
        return;
    if (given <= 0 && area > 1)
        put_area(c,
                 rule_report(c, &rules[NOT_POSITIVE], &e->at, "area", at,
                             "the area is %g, and the object has %g", given, area),
                 at, area);
    else if (!are_near(given, area) && is_comparable(e, given, area) &&
             !is_rounded(e, given, area) && !is_pixel_count(e, given))
        put_area(
            c,
            rule_report(
                c, &rules[DIFFERS], &e->at, "area", at, "the area is %g, but the %s has %g", given,
                e->object->segmentation == SEGMENTATION_NONE ? "box is" : "segmentation is", area),
            at, area);
}

const struct rule_family areas_family = {
    .title = "areas",
    .rules = rules,
    .annotation = check_annotation,
};
