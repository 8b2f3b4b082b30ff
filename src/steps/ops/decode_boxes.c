/* decode_boxes: turns codes relative to anchors into boxes. */
#include "steps/op_shared/box_code.h"
#include "steps/op_shared/extra_members.h"

#include <math.h>

struct params {
    struct tuples anchors;
    struct list weights;
    int edges;
    double clip;
};

static const struct row rows[] = {
    CODING_ROWS(struct params),
    NUMBER(struct params, clip, .preset = "4.135166556742356", .limit = { 0, 50 },
           .help = "upper bound of dw and dh without their weights: a side is at most e^clip "
                   "times the anchor's; the default is ln(1000 / 16)"),
    ROWS_END,
};

/* Finds the anchor; if the annotation names none, the object's own box. */
static bool find_anchor_or_box(const struct code_params *c, const struct rules *rules,
                               struct sample *s, const struct object *o, struct box *anchor,
                               struct text *why)
{
    struct point corner, size;
    bool found;

    if (!find_anchor(c, o, s->arena, anchor, &found, why) || found)
        return found;
    if (sample_current_box(s, rules, o, &corner, &size)) {
        *anchor = edges_box(corner, size, (enum box_edges)c->edges);
        if (!box_is_empty(*anchor))
            return true;
    }
    text_adds(why, "it has neither \"anchor\" nor a box with an area");
    return false;
}

static bool decode(const struct code_params *c, double clip, const struct rules *rules,
                   struct sample *s, struct object *o, struct text *why)
{
    struct slice value = object_member(o, "code");
    struct box anchor, box;
    double *code;
    size_t n;

    if (!value.at)
        return true;
    if (!member_numbers(value, s->arena, &code, &n) || n != 4) {
        text_adds(why, "its \"code\" is not a list of four numbers");
        return false;
    }
    if (!find_anchor_or_box(c, rules, s, o, &anchor, why))
        return false;
    box = box_decode(c, anchor, code, clip);
    if (!(fmax(fmax(-box.x0, box.x1), fmax(-box.y0, box.y1)) <= LARGEST_COORDINATE)) {
        text_adds(why, "its \"code\" makes a box with coordinates above 1e7");
        return false;
    }
    sample_put_box(s, o, (struct point){ box.x0, box.y0 }, box_extent(box));
    return true;
}

static bool decode_all(const void *params, const struct rules *rules, struct sample *sample,
                       struct text *why)
{
    const struct params *p = params;
    const struct code_params coding = { p->anchors, p->weights, p->edges };

    for (size_t i = 0; i < sample->n_objects; i++)
        if (!sample->objects[i].failed &&
            !decode(&coding, p->clip, rules, sample, &sample->objects[i], why))
            return object_refuse(&sample->objects[i], why);
    return true;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, decode_all, params);
    return true;
}

const struct op decode_boxes_op = {
    .name = "decode_boxes",
    .summary =
        "decode the member \"code\" of annotations into boxes, relative to their anchors or, "
        "without one, their boxes; objects without a code are unchanged",
    .group = GROUP_LABELS,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"decode_boxes\", \"weights\": [10, 10, 5, 5]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .resolve = resolve,
    .sizeless = true,
};
