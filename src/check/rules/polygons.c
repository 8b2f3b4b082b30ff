/* polygons: rules about polygons of annotations, and about the form of segmentations. */
#include "check/rule.h"

#include "base/number.h"
#include "labels/coco/labels.h"
#include "labels/coco/mend.h"
#include "labels/coco/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    WRONG_TYPE,
    NOT_NESTED,
    ODD,
    FEW_POINTS,
    FOUR_NUMBERS,
    OUTSIDE,
    CROSSES,
    NO_AREA,
    REPEATED,
    PAIRS,
    EMPTY,
    TWO_POINTS,
    WHOLLY_OUTSIDE,
    FLAT_RLE,
};

static const struct rule rules[] = {
    [WRONG_TYPE] = { "S001", "segmentation-wrong-type", SEVERITY_ERROR, FIX_NONE,
                     "a segmentation is neither polygons nor RLE",
                     "The exporter writes masks in its own format.",
                     "Export polygons [[x, y, ...]] or RLE {\"size\", \"counts\"}." },
    [NOT_NESTED] = { "S002", "polygon-not-nested", SEVERITY_ERROR, FIX_SAFE,
                     "a segmentation is one list of coordinates, not a list of polygons",
                     "The exporter left out the outer list; pycocotools then fails.",
                     "Put the list into another list." },
    [ODD] = { "S003", "polygon-odd-count", SEVERITY_ERROR, FIX_NONE,
              "a polygon has an odd number of coordinates",
              "A coordinate was lost, or a visibility was added to each point.",
              "Draw the polygon again." },
    [FEW_POINTS] = { "S004", "polygon-under-3-points", SEVERITY_ERROR, FIX_SAFE,
                     "a polygon has fewer than three points",
                     "A click without an outline, or a polygon that was simplified too far.",
                     "Remove the part: it covers nothing." },
    [FOUR_NUMBERS] = { "S005", "polygon-of-4-numbers", SEVERITY_ERROR, FIX_SAFE,
                       "a polygon has four numbers, the same as the box",
                       "The box was written in place of the polygon; pycocotools reads it as a "
                       "box.",
                       "Write the four corners." },
    [OUTSIDE] = { "S007", "polygon-outside-image", SEVERITY_WARNING, FIX_SAFE,
                  "a polygon reaches beyond its image",
                  "It was drawn over the image's edge, or the size of the image is wrong. Up to "
                  "1 pixel, or 1 % of the image's side, is not reported.",
                  "Clip the polygon to the image." },
    [CROSSES] = { "S008", "polygon-self-intersects", SEVERITY_INFO, FIX_NONE,
                  "a polygon's edges cross each other",
                  "A slip of the hand, or a simplified outline. Pixels inside twice are outside "
                  "by COCO's even-odd rule, and the area differs from the mask's.",
                  "Draw that part again." },
    [NO_AREA] = { "S009", "polygon-zero-area", SEVERITY_WARNING, FIX_NONE, "a polygon has no area",
                  "All of its points are on a line.", "Remove the part: it covers nothing." },
    [REPEATED] = { "S010", "polygon-repeated-points", SEVERITY_INFO, FIX_SAFE,
                   "a polygon has a point twice in a row, or ends with its first point",
                   "Other formats close their rings, and tools round points to the same place.",
                   "Leave the point out; nothing changes." },
    [PAIRS] = { "S011", "polygon-as-pairs", SEVERITY_ERROR, FIX_SAFE,
                "the points of a polygon are pairs [x, y]",
                "The exporter writes points as its own format has them.",
                "Write x, y, x, y, ... in one list." },
    [EMPTY] = { "S012", "segmentation-empty", SEVERITY_WARNING, FIX_NONE,
                "a segmentation is an empty list, while others are not",
                "The object was only labelled with a box. pycocotools fails when it makes a "
                "mask of it.",
                "Draw its outline." },
    [TWO_POINTS] = { "S013", "polygon-of-2-points-or-box", SEVERITY_ERROR, FIX_NONE,
                     "a polygon has four numbers, which may be two points or a box",
                     "A line was drawn, or another box was written in place of the polygon. "
                     "pycocotools reads them as a box.",
                     "Write the corners of the polygon." },
    [WHOLLY_OUTSIDE] = { "S014", "polygon-wholly-outside", SEVERITY_WARNING, FIX_NONE,
                         "a polygon lies outside of its image",
                         "The size of the image is wrong, or the annotation belongs to another "
                         "image.",
                         "Correct the image or its size, or remove the part." },
    [FLAT_RLE] = { "S033", "rle-without-size", SEVERITY_ERROR, FIX_SAFE,
                   "a segmentation is only the counts of RLE",
                   "The exporter left out the object around them. Reported if the counts sum to "
                   "height x width, and fit the box and the area of the annotation.",
                   "Write {\"size\": [height, width], \"counts\": [...]}." },
    { 0 },
};

struct polygons_state {
    struct pile empty; /* uint32_t: annotations with an empty segmentation */
    size_t outlines;
};

/* --- polygons as text --- */

/* Counts the numbers of a list; returns false if it has other values. */
static bool count_numbers(struct slice list, size_t *n)
{
    struct scan s = scan_again(list, 0);
    struct slice value;
    bool first = true, all = true;
    double number;

    *n = 0;
    if (*list.at != '[')
        return false;
    scan_open(&s, '[');
    while (scan_element(&s, &first) && scan_value(&s, &value)) {
        all &= number_scan(value, &number) == value.length && fabs(number) <= LARGEST_COORDINATE;
        ++*n;
    }
    return all;
}

static void check_part(struct check *c, const struct annotation_element *e, struct slice part,
                       size_t index)
{
    char member[48];
    size_t n;

    snprintf(member, sizeof member, "segmentation/%zu", index);
    if (!count_numbers(part, &n))
        rule_report(c, &rules[WRONG_TYPE], &e->at, member, part,
                    "a polygon must be a list of numbers, none above 1e7 in magnitude");
    else if (n % 2)
        rule_report(c, &rules[ODD], &e->at, member, part, "there are %zu coordinates", n);
    else if (n == 4)
        rule_report(c, &rules[TWO_POINTS], &e->at, member, part,
                    "four numbers may be two points, or a box");
    else if (n < 6)
        rule_report(c, &rules[FEW_POINTS], &e->at, member, part, "there are %zu points", n / 2);
}

/* True if the segmentation, a flat list, fits neither form. */
static bool is_neither(const struct annotation_element *e)
{
    const struct checked_image *image = e->image;
    struct frame frame = { 0 };

    if (image && image->width && image->height)
        frame = (struct frame){ image->width, image->height };
    return coco_flat_list_judge(e->at.text, frame) == FLAT_LIST_NEITHER;
}

/* Reports each part that run refuses. */
static void check_refused_list(struct check *c, const struct annotation_element *e,
                               struct slice value)
{
    struct scan s = scan_again(value, 0);
    struct slice part;
    bool first = true;
    size_t n;

    if (is_neither(e)) {
        rule_report_plain(c, &rules[WRONG_TYPE], &e->at, "segmentation", value,
                          "this is one list of numbers, but neither a polygon nor the counts of "
                          "RLE with the bbox and the area");
        return;
    }
    if (count_numbers(value, &n) && n) { /* one polygon that is not nested */
        check_part(c, e, value, 0);
        return;
    }
    scan_open(&s, '[');
    for (size_t i = 0; scan_element(&s, &first) && scan_value(&s, &part); i++)
        check_part(c, e, part, i);
}

static bool is_refused(const struct annotation_element *e)
{
    for (size_t i = 0; i < e->refused->n; i++)
        if (strcmp(e->refused->list[i].code, "coco-polygon") == 0)
            return true;
    return false;
}

static void report_repair(struct check *c, const struct annotation_element *e, int rule,
                          const char *message)
{
    struct slice at = e->pick[MEMBER_SEGMENTATION].value;
    struct finding *f = rule_report_plain(c, &rules[rule], &e->at, "segmentation", at, message);
    struct frame flat = { 0 };
    struct text text = { 0 };

    if (!f || !c->options->fixes)
        return;
    if (rule == FLAT_RLE)
        flat = (struct frame){ e->image->width, e->image->height };
    coco_segmentation_mend(numbers_unquote(at, e->scratch),
                           numbers_unquote(e->pick[MEMBER_BBOX].value, e->scratch), flat, &text);
    finding_replace(c, f, at, "%s", text_string(&text));
    text_drop(&text);
}

static void check_deviations(struct check *c, const struct annotation_element *e)
{
    unsigned set = e->deviations;

    if (set & DEVIATION(FLAT_RLE)) {
        report_repair(c, e, FLAT_RLE, "these are only the counts of RLE");
        return; /* the other deviations are about polygons */
    }
    if (set & DEVIATION(FLAT_POLYGON) && !is_refused(e))
        report_repair(c, e, NOT_NESTED, "this is one list of coordinates, not a list of polygons");
    if (set & DEVIATION(PAIR_POLYGON))
        report_repair(c, e, PAIRS, "points are pairs [x, y]");
    if (set & DEVIATION(BOX_POLYGON))
        report_repair(c, e, FOUR_NUMBERS, "four numbers are the same as the box");
    if (set & DEVIATION(SHORT_POLYGON))
        report_repair(c, e, FEW_POINTS, "a polygon has fewer than three points");
}

/* --- polygons as run reads them --- */

static double tolerance(int side)
{
    return side > 100 ? side / 100.0 : 1;
}

/* Returns the text of the index-th polygon; if the lists differ, of all polygons. */
static struct slice part_at(const struct annotation_element *e, size_t index)
{
    struct slice value = e->pick[MEMBER_SEGMENTATION].value, part = value;
    struct scan s = scan_again(value, 0);
    bool first = true;

    if (e->deviations & DEVIATIONS_REPAIRED || e->at.file->labels)
        return value;
    scan_open(&s, '[');
    for (size_t i = 0; i <= index && scan_element(&s, &first); i++)
        if (!scan_value(&s, &part))
            return value;
    return part;
}

static struct finding *report_ring(struct check *c, const struct annotation_element *e, int rule,
                                   size_t index, const char *message)
{
    const struct rings *rings = &e->object->rings;
    char member[48];
    struct finding *f;

    snprintf(member, sizeof member, "segmentation/%zu", index);
    f = rule_report(c, &rules[rule], &e->at, member, part_at(e, index), "%s", message);
    finding_draw_ring(c, f, &rings->ring[index]);
    return f;
}

static bool has_repeated(const struct ring *ring)
{
    for (size_t i = 0; i < ring->n; i++) {
        const struct point *p = &ring->at[i], *q = &ring->at[i ? i - 1 : ring->n - 1];

        if (p->x == q->x && p->y == q->y)
            return true;
    }
    return false;
}

/* Replaces the polygon's text without points that repeat the one before. */
static void fix_repeated(struct check *c, struct finding *f, const struct ring *ring,
                         struct slice part)
{
    struct scan s = scan_again(part, 0);
    struct text text = { 0 };
    struct slice x, y;
    bool first = true;

    if (!f || !c->options->fixes)
        return;
    scan_open(&s, '[');
    text_addc(&text, '[');
    for (size_t i = 0; scan_element(&s, &first) && scan_value(&s, &x) && scan_element(&s, &first) &&
                       scan_value(&s, &y);
         i++) {
        const struct point *q = &ring->at[i ? i - 1 : ring->n - 1];

        if (i >= ring->n || (ring->at[i].x == q->x && ring->at[i].y == q->y))
            continue;
        text_adds(&text, text.length > 1 ? ", " : "");
        text_add(&text, x.at, x.length);
        text_adds(&text, ", ");
        text_add(&text, y.at, y.length);
    }
    text_addc(&text, ']');
    finding_replace(c, f, part, "%s", text_string(&text));
    text_drop(&text);
}

/* Appends a number with the text that it has in the polygon, if it is there. `from` is where the
 * last number was found. */
static void add_token(struct text *text, struct slice part, double number, size_t *from)
{
    size_t n = part.length;
    double other;

    for (size_t passed = 0; passed < n; passed++) {
        size_t at = (*from + passed) % n;
        size_t length = at && (part.at[at - 1] == '[' || strchr(" ,\t\r\n", part.at[at - 1]))
                            ? number_scan((struct slice){ part.at + at, n - at }, &other)
                            : 0;

        if (length && other == number) {
            text_add(text, part.at + at, length);
            *from = at + length;
            return;
        }
    }
    number_print(text, number);
}

/* Replaces a polygon by the part inside of the image, which may be several pieces. */
static void clip_ring(struct check *c, struct finding *f, const struct annotation_element *e,
                      size_t index)
{
    struct box image = { 0, 0, e->image->width, e->image->height };
    struct rings pieces = ring_clip(e->scratch, &e->object->rings.ring[index], image);
    struct slice part = part_at(e, index);
    struct text text = { 0 };
    size_t from = 0;

    if (!f || !c->options->fixes || e->deviations & DEVIATIONS_REPAIRED)
        return;
    for (size_t i = 0; i < pieces.n; i++) {
        text_adds(&text, i ? ", [" : "[");
        for (size_t k = 0; k < pieces.ring[i].n; k++) {
            text_adds(&text, k ? ", " : "");
            add_token(&text, part, pieces.ring[i].at[k].x, &from);
            text_adds(&text, ", ");
            add_token(&text, part, pieces.ring[i].at[k].y, &from);
        }
        text_addc(&text, ']');
    }
    finding_replace(c, f, part, "%s", text_string(&text));
    text_drop(&text);
}

/* Reports a polygon that reaches beyond its image. A polygon without area has nothing to clip. */
static void check_place(struct check *c, const struct annotation_element *e, size_t index)
{
    const struct ring *ring = &e->object->rings.ring[index];
    const struct checked_image *image = e->image;
    struct box b = box_of_points(ring->at, ring->n);

    if (!image || !image->width || !image->height || ring_area(ring) == 0 ||
        (b.x0 >= -tolerance(image->width) && b.y0 >= -tolerance(image->height) &&
         b.x1 <= image->width + tolerance(image->width) &&
         b.y1 <= image->height + tolerance(image->height)))
        return;
    if (ring_clip(e->scratch, ring, (struct box){ 0, 0, image->width, image->height }).n)
        clip_ring(c, report_ring(c, e, OUTSIDE, index, "the polygon reaches beyond its image"), e,
                  index);
    else
        report_ring(c, e, WHOLLY_OUTSIDE, index, "the polygon lies outside of its image");
}

/* True if all points are on a line. Other polygons without area exist: one that crosses itself may
 * have equal areas on both sides. */
static bool is_flat(const struct ring *ring)
{
    struct point a = ring->at[0], b = a;

    if (ring_area(ring) != 0)
        return false;
    for (size_t i = 1; i < ring->n; i++) {
        const struct point *p = &ring->at[i];

        if (b.x == a.x && b.y == a.y)
            b = *p;
        else if (fabs((b.x - a.x) * (p->y - a.y) - (b.y - a.y) * (p->x - a.x)) > 1e-9)
            return false;
    }
    return true;
}

static void check_ring(struct check *c, const struct annotation_element *e, size_t index)
{
    const struct ring *ring = &e->object->rings.ring[index];

    check_place(c, e, index);
    if (is_flat(ring))
        report_ring(c, e, NO_AREA, index, "the polygon has no area");
    /* polygons in folders may have parts that are joined */
    else if (!e->at.file->labels && ring_crosses_itself(ring, e->scratch))
        report_ring(c, e, CROSSES, index, "edges of the polygon cross each other");
    if (has_repeated(ring)) {
        struct finding *f = report_ring(c, e, REPEATED, index,
                                        "a point occurs twice in a row, or closes the polygon");

        if (!(e->deviations & DEVIATIONS_REPAIRED))
            fix_repeated(c, f, ring, part_at(e, index));
    }
}

static void check_annotation(struct check *c, const struct annotation_element *e, void *given)
{
    struct polygons_state *state = given;
    struct slice value = e->pick[MEMBER_SEGMENTATION].value;
    const struct object *o = e->object;

    if (!value.at)
        return;
    check_deviations(c, e);
    if (e->deviations & DEVIATION(EMPTY_SEGMENTATION))
        *(uint32_t *)pile_add(&state->empty, sizeof(uint32_t)) = e->at.index;
    state->outlines += o->segmentation != SEGMENTATION_NONE;
    if (!e->at.file->labels && *value.at != '[' && *value.at != '{')
        rule_report_plain(c, &rules[WRONG_TYPE], &e->at, "segmentation", value,
                          "expected polygons or RLE");
    else if (*value.at == '[' && is_refused(e))
        check_refused_list(c, e, value);
    for (size_t i = 0; o->segmentation == SEGMENTATION_POLYGONS && i < o->rings.n; i++)
        if (o->rings.ring[i].n)
            check_ring(c, e, i);
}

static void check_end(struct check *c, const struct annotation_file *file, void *given)
{
    struct polygons_state *state = given;
    const uint32_t *empty = state->empty.at;
    struct element e;

    for (size_t i = 0; state->outlines && i < state->empty.n; i++) {
        e = element_of_annotation(file, empty[i]);
        rule_report_plain(c, &rules[EMPTY], &e, "segmentation", pick_again(e.text, "segmentation"),
                          "there is no outline, while other annotations have one");
    }
    free(state->empty.at);
}

const struct rule_family polygons_family = {
    .title = "polygons",
    .rules = rules,
    .state = sizeof(struct polygons_state),
    .labels = true,
    .annotation = check_annotation,
    .end = check_end,
};
