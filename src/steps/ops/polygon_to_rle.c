/* polygon_to_rle: converts polygons to RLE masks of the image. */
#include "steps/op_shared/labels.h"

static bool draw_masks(const void *params, const struct rules *rules, struct sample *sample,
                       struct text *why)
{
    (void)params;
    (void)rules;
    (void)why;
    for (size_t i = 0; i < sample->n_objects; i++) {
        struct object *o = &sample->objects[i];

        if (o->failed || o->segmentation != SEGMENTATION_POLYGONS)
            continue;
        object_put_runs(o, rle_from_rings(sample->arena, &o->rings, sample->frame));
        o->empty_mask |= rle_area(&o->rle) == 0;
        object_put_area(o, (double)rle_area(&o->rle));
        o->changes |= CHANGE_REDRAWN;
    }
    return true;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, draw_masks, params);
    return true;
}

const struct op polygon_to_rle_op = {
    .name = "polygon_to_rle",
    .summary = "convert polygons to run-length masks, by the rules of COCO's API; the area "
               "becomes the mask's area",
    .group = GROUP_LABELS,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"polygon_to_rle\"}",
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .resolve = resolve,
};
