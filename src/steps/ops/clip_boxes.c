/* clip_boxes: clips boxes to the image, and drops empty ones. */
#include "steps/op_shared/labels.h"

#include <math.h>

struct params {
    bool remove_empty;
    int edges; /* enum box_edges */
};

static const struct row rows[] = {
    FLAG(struct params, remove_empty, .preset = "true",
         .help = "drop objects whose box is empty; with inclusive edges also boxes of one row "
                 "or column, as in maskrcnn-benchmark"),
    EDGES_ROW(struct params),
    ROWS_END,
};

/* Clips the interval that begins at `at` and has this length to 0..side. */
static void clip(double *at, double *length, double side, enum box_edges edges)
{
    double last = edges == EDGES_INCLUSIVE ? 1 : 0;
    double begin = fmin(fmax(*at, 0), side - last);
    double end = fmin(fmax(*at + fmax(*length - last, 0), 0), side - last);

    if (begin == *at && end == *at + fmax(*length - last, 0))
        return;
    *at = begin;
    *length = end - begin + last;
}

static bool clip_all(const void *params, const struct rules *rules, struct sample *sample,
                     struct text *why)
{
    const struct params *p = params;
    enum box_edges edges = (enum box_edges)p->edges;
    double min = edges == EDGES_INCLUSIVE ? 1 : 0;

    (void)why;
    for (size_t i = 0; i < sample->n_objects; i++) {
        struct object *o = &sample->objects[i];
        struct point at, size, was_at, was;

        if (o->failed || !o->has_box || !sample_current_box(sample, rules, o, &at, &size))
            continue;
        was_at = at;
        was = size;
        clip(&at.x, &size.x, sample->frame.width, edges);
        clip(&at.y, &size.y, sample->frame.height, edges);
        if (at.x != was_at.x || at.y != was_at.y || size.x != was.x || size.y != was.y)
            sample_put_box(sample, o, at, size);
        if (p->remove_empty && (size.x <= min || size.y <= min))
            object_fail(o, "outside", 0);
    }
    return true;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, clip_all, params);
    return true;
}

const struct op clip_boxes_op = {
    .name = "clip_boxes",
    .summary = "clip boxes to the image, and drop objects whose box is empty",
    .group = GROUP_LABELS,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"clip_boxes\"}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .resolve = resolve,
};
