/* box_to_polygon: gives objects that have only a box its outline as a polygon. */
#include "steps/op_shared/labels.h"

static bool draw_outlines(const void *params, const struct rules *rules, struct sample *sample,
                          struct text *why)
{
    (void)params;
    (void)rules;
    (void)why;
    for (size_t i = 0; i < sample->n_objects; i++) {
        struct object *o = &sample->objects[i];

        if (o->failed || o->crowd || !o->has_box || o->segmentation != SEGMENTATION_NONE ||
            !(ring_area(&o->outline) > 0))
            continue;
        o->rings = (struct rings){ ARENA_NEW(sample->arena, struct ring), 1 };
        o->rings.ring[0] = ring_copy(sample->arena, &o->outline);
        o->segmentation = SEGMENTATION_POLYGONS;
        o->changes |= CHANGE_REDRAWN;
    }
    return true;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, draw_outlines, params);
    return true;
}

const struct op box_to_polygon_op = {
    .name = "box_to_polygon",
    .summary = "give objects without segmentation the outline of their box as a polygon",
    .group = GROUP_LABELS,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"box_to_polygon\"}",
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .resolve = resolve,
    .sizeless = true,
    .makes_polygons = true,
};
