/* rle_to_polygon: converts RLE masks to polygons along the edges of their pixels. */
#include "steps/op_shared/labels.h"

static bool has_hole(const struct rings *rings, const bool *hole)
{
    for (size_t i = 0; i < rings->n; i++)
        if (hole[i])
            return true;
    return false;
}

static bool draw_outlines(const void *params, const struct rules *rules, struct sample *sample,
                          struct text *why)
{
    (void)params;
    (void)rules;
    (void)why;
    for (size_t i = 0; i < sample->n_objects; i++) {
        struct object *o = &sample->objects[i];
        struct rings rings;
        bool *hole;

        if (o->failed || o->crowd || o->segmentation != SEGMENTATION_RLE || !rle_area(&o->rle))
            continue;
        rings = rle_to_rings(sample->arena, &o->rle, &hole);
        if (has_hole(&rings, hole))
            continue;
        o->rings = rings;
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

const struct op rle_to_polygon_op = {
    .name = "rle_to_polygon",
    .summary = "convert run-length masks to polygons along the edges of their pixels; crowds, "
               "empty masks, and masks with holes (impossible in polygons) are unchanged",
    .group = GROUP_LABELS,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"rle_to_polygon\"}",
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .resolve = resolve,
    .sizeless = true,
    .makes_polygons = true,
};
