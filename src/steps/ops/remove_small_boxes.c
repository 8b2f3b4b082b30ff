/* remove_small_boxes: drops objects whose box has a short side. */
#include "steps/op_shared/labels.h"

#include <math.h>

struct params {
    double min_size;
    int edges; /* enum box_edges */
};

static const struct row rows[] = {
    NUMBER(struct params, min_size, .preset = "1", .unit = "pixels", .limit = { 0, INFINITY },
           .usual = { 0, 40 }, .help = "objects are dropped if a side of their box is shorter"),
    EDGES_ROW(struct params),
    ROWS_END,
};

static bool keep(const void *params, const struct rules *rules, struct sample *sample,
                 struct text *why)
{
    const struct params *p = params;

    (void)why;
    for (size_t i = 0; i < sample->n_objects; i++) {
        struct object *o = &sample->objects[i];
        struct point corner, size;
        double side;

        if (o->failed || !sample_current_box(sample, rules, o, &corner, &size))
            continue;
        side = fmin(size.x, size.y);
        if ((p->edges == EDGES_INCLUSIVE ? fmax(side, 1) : side) < p->min_size)
            object_fail(o, "min_size", side);
    }
    return true;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, keep, params);
    return true;
}

const struct op remove_small_boxes_op = {
    .name = "remove_small_boxes",
    .summary = "drop objects whose box has a short side",
    .group = GROUP_LABELS,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"remove_small_boxes\", \"min_size\": 4}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .resolve = resolve,
    .sizeless = true,
};
