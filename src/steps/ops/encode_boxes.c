/* encode_boxes: turns boxes into codes relative to their anchors. */
#include "steps/op_shared/box_code.h"
#include "steps/op_shared/extra_members.h"

struct params {
    struct tuples anchors;
    struct list weights;
    int edges;
};

static const struct row rows[] = {
    CODING_ROWS(struct params),
    ROWS_END,
};

static bool encode(const struct code_params *c, const struct rules *rules, struct sample *s,
                   struct object *o, struct text *why)
{
    struct box anchor, box;
    struct point corner, size;
    bool found;

    if (!find_anchor(c, o, s->arena, &anchor, &found, why))
        return false;
    if (!found || !sample_current_box(s, rules, o, &corner, &size))
        return true;
    box = edges_box(corner, size, (enum box_edges)c->edges);
    if (box_is_empty(box)) {
        text_adds(why, "its box has no area");
        return false;
    }
    box_encode(c, anchor, box, o->code);
    o->changes |= CHANGE_CODED;
    return true;
}

static bool encode_all(const void *params, const struct rules *rules, struct sample *sample,
                       struct text *why)
{
    const struct params *p = params;
    const struct code_params coding = { p->anchors, p->weights, p->edges };

    for (size_t i = 0; i < sample->n_objects; i++)
        if (!sample->objects[i].failed && !encode(&coding, rules, sample, &sample->objects[i], why))
            return object_refuse(&sample->objects[i], why);
    return true;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, encode_all, params);
    return true;
}

const struct op encode_boxes_op = {
    .name = "encode_boxes",
    .summary = "write each box as a code relative to its anchor, into the member \"code\"; "
               "objects without an anchor are unchanged",
    .group = GROUP_LABELS,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"encode_boxes\", \"anchors\": [[0, 0, 32, 32]], \"weights\": [10, "
               "10, 5, 5]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .resolve = resolve,
    .sizeless = true,
};
