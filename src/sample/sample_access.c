/* sample_access: reads a sample during processing as if it were finalized. */
#include "sample/sample.h"

#include <math.h>
#include <string.h>

/* Objects with all of theirs that finalizing changes. */
static struct object *copy_objects(struct arena *arena, const struct object *objects, size_t n)
{
    struct object *copy = ARENA_ARRAY(arena, struct object, n);

    for (size_t i = 0; i < n; i++) {
        struct object *o = &copy[i];

        *o = objects[i];
        o->keypoints = ARENA_ARRAY(arena, struct keypoint, o->n_keypoints);
        if (o->n_keypoints)
            memcpy(o->keypoints, objects[i].keypoints, o->n_keypoints * sizeof *o->keypoints);
        if (o->n_parts)
            o->parts = copy_objects(arena, objects[i].parts, o->n_parts);
    }
    return copy;
}

struct sample sample_finalized(const struct sample *s, const struct rules *rules)
{
    struct sample finalized = *s;
    struct rules as_they_are = *rules;

    as_they_are.segmentation = SEGMENTATION_KEEP;
    finalized.objects = copy_objects(s->arena, s->objects, s->n_objects);
    sample_finalize(&finalized, &as_they_are);
    return finalized;
}

/* Returns how far the center of the box is outside the window; below 0 if it is inside. */
static double distance_outside(struct box b, struct box window)
{
    double x = (b.x0 + b.x1) / 2, y = (b.y0 + b.y1) / 2;

    return fmax(fmax(window.x0 - x, x - window.x1), fmax(window.y0 - y, y - window.y1));
}

void sample_keep_centers(struct sample *s, const struct rules *rules, struct box window)
{
    struct sample finalized = sample_finalized(s, rules);

    for (size_t i = 0; i < s->n_objects; i++) {
        const struct object *o = &finalized.objects[i];
        double distance = distance_outside(o->final.box, window);

        if (o->final.dropped || o->crowd || distance < 0 ||
            (!o->has_box && o->segmentation == SEGMENTATION_NONE))
            continue;
        s->objects[i].failed = "center";
        s->objects[i].failed_value = distance;
    }
}
