/* members: the box and the keypoints of an annotation or of a part, to an object and back. */
#include "labels/coco/members.h"

#include "labels/coco/keypoints.h"

#include <string.h>

bool coco_load_box(const struct place *p, const struct pick *pick, struct arena *arena,
                   struct object *o)
{
    struct scan s = scan_start(pick->value, 0);
    double *v;
    size_t n;

    if (!pick->value.at || pick_is_empty(pick->value))
        return true;
    if (!pick_numbers(&s, LARGEST_COORDINATE, arena, &v, &n) || n != 4)
        return place_fault(p, pick->value, pick->name, "coco-bbox",
                           "expected [x, y, width, height], none above 1e7 in magnitude");
    if (v[2] < 0 || v[3] < 0)
        return place_fault(p, pick->value, pick->name, "coco-bbox",
                           "the width and height of a box must not be negative");
    o->has_box = true;
    o->bbox = (struct box){ v[0], v[1], v[0] + v[2], v[1] + v[3] };
    o->outline = ring_of_box(arena, o->bbox);
    o->size = (struct point){ v[2], v[3] };
    return true;
}

static struct keypoint keypoint_of(const double v[3], const struct rules *rules)
{
    double shift = rules->keypoints == KEYPOINTS_INDEX ? 0.5 : 0;
    bool placed = v[0] != 0 || v[1] != 0;

    if (v[2] == 0 && !placed)
        return (struct keypoint){ 0 };
    return (struct keypoint){ .at = { v[0] + shift, v[1] + shift },
                              .visibility = v[2],
                              .has_position = placed };
}

static bool load_keypoint(const struct place *p, const struct pick *pick, const double v[3],
                          const struct rules *rules, enum coco_visibility rule, struct keypoint *to)
{
    double visibility = v[2];

    if (rule == COCO_VISIBILITY_ANY && visibility < 0)
        return place_fault(p, pick->value, pick->name, "coco-keypoints",
                           "the visibility of a keypoint must not be negative, as %g is",
                           visibility);
    if (rule == COCO_VISIBILITY && visibility != 0 && visibility != 1 && visibility != 2)
        return place_fault(p, pick->value, pick->name, "coco-keypoints",
                           "the visibility of a keypoint must be 0, 1 or 2, not %g", visibility);
    *to = keypoint_of(v, rules);
    return true;
}

/* How many keypoints an object's category wants, and whether the object may have n. */
static bool check_count(const struct place *p, const struct pick *pick, const struct category *c,
                        struct slice element, size_t n)
{
    const char *name = c && *c->name ? c->name : "thing";
    struct text fits = { 0 };

    if (!c || (c->n_keypoints ? n == c->n_keypoints : n >= c->n_mirror))
        return true;
    if (!c->n_keypoints)
        return place_fault(p, pick->value, pick->name, "coco-keypoints",
                           "%zu keypoints, but the \"flip_pairs\" of %s name the index %zu", n,
                           name, c->n_mirror - 1);
    coco_keypoints_find(element, c->n_keypoints, &fits);
    place_fault(p, pick->value, pick->name, "coco-keypoints",
                "%zu numbers, but a %s has %zu keypoints: 3 for each%s", 3 * n, name,
                c->n_keypoints, text_string(&fits));
    text_drop(&fits);
    return false;
}

bool coco_load_keypoints(const struct place *p, const struct pick *pick, struct slice element,
                         const struct rules *rules, enum coco_visibility rule, struct arena *arena,
                         struct object *o)
{
    struct scan s = scan_start(pick->value, 0);
    size_t n;
    double *v;

    if (!pick->value.at || pick_is_empty(pick->value))
        return true;
    if (!pick_numbers(&s, LARGEST_COORDINATE, arena, &v, &n) || n % 3)
        return place_fault(p, pick->value, pick->name, "coco-keypoints",
                           "expected x, y, visibility for each keypoint");
    if (!check_count(p, pick, o->category, element, n / 3))
        return false;
    o->n_keypoints = n / 3;
    o->keypoints = ARENA_ARRAY(arena, struct keypoint, o->n_keypoints);
    for (size_t i = 0; i < o->n_keypoints; i++)
        if (!load_keypoint(p, pick, &v[3 * i], rules, rule, &o->keypoints[i]))
            return false;
    return true;
}

/* --- printing --- */

void coco_print_four(const double v[4], struct text *text)
{
    for (size_t i = 0; i < 4; i++) {
        text_adds(text, i ? ", " : "[");
        number_print(text, v[i]);
    }
    text_addc(text, ']');
}

void coco_print_box(const struct object *o, struct text *text)
{
    coco_print_four(
        (double[]){ o->final.box.x0, o->final.box.y0, o->final.size.x, o->final.size.y }, text);
}

void coco_print_keypoints(const struct object *o, const struct rules *rules, struct text *text)
{
    double shift = rules->keypoints == KEYPOINTS_INDEX ? 0.5 : 0;

    text_addc(text, '[');
    for (size_t i = 0; i < o->n_keypoints; i++) {
        const struct keypoint *k = &o->keypoints[i];

        text_adds(text, i ? ", " : "");
        number_print(text, keypoint_is_there(k) ? k->at.x - shift : 0);
        text_adds(text, ", ");
        number_print(text, keypoint_is_there(k) ? k->at.y - shift : 0);
        text_adds(text, ", ");
        number_print(text, k->visibility);
    }
    text_addc(text, ']');
}

bool coco_is_nothing(struct slice value)
{
    static const char *const nothing[] = { "null", "\"\"", "[]", "{}" };

    for (size_t i = 0; i < COUNTOF(nothing); i++)
        if (value.length == strlen(nothing[i]) && memcmp(value.at, nothing[i], value.length) == 0)
            return true;
    return false;
}
