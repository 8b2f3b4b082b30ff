/* simplify_polygons: reduces the points of polygons (Douglas and Peucker, 1973). */
#include "steps/op_shared/labels.h"

struct params {
    double tolerance;
};

static const struct row rows[] = {
    NUMBER(struct params, tolerance, .preset = "1", .unit = "pixels", .limit = { 0, 100000 },
           .usual = { 0.2, 8 },
           .help = "points are removed if they are at most this far from the line between the "
                   "remaining points before and after them"),
    ROWS_END,
};

static bool simplify(const void *params, const struct rules *rules, struct sample *sample,
                     struct text *why)
{
    const struct params *p = params;

    (void)rules;
    (void)why;
    for (size_t i = 0; i < sample->n_objects; i++) {
        struct object *o = &sample->objects[i];
        struct rings simple;

        if (o->failed || o->segmentation != SEGMENTATION_POLYGONS)
            continue;
        simple = rings_simplified(sample->arena, &o->rings, p->tolerance);
        if (rings_points(&simple) == rings_points(&o->rings))
            continue;
        o->rings = simple;
        object_put_area(o, rings_area(&simple));
        o->changes |= CHANGE_THINNED;
    }
    return true;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, simplify, params);
    return true;
}

const struct op simplify_polygons_op = {
    .name = "simplify_polygons",
    .summary = "remove points that hardly change a polygon; a polygon that would lose its area "
               "is unchanged, and so are boxes",
    .group = GROUP_LABELS,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"simplify_polygons\", \"tolerance\": 2}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .resolve = resolve,
    .sizeless = true,
};
