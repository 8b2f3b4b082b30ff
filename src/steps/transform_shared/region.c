/* region: the region that a picture of one object is to show, and the keypoints of that object. */
#include "sample/sample.h"
#include "steps/transform.h"

#include <string.h>

const struct kept_object *run_first_object(struct run *run)
{
    size_t n;
    const struct kept_object *seen = run_objects(run, &n);

    for (size_t i = 0; i < n; i++)
        if (seen[i].has_box && !seen[i].crowd)
            return &seen[i];
    return NULL;
}

struct region run_region(struct run *run)
{
    static const double padding = 1.25;
    const struct kept_object *seen;
    struct region r = { .angle = 0 };
    struct box b = box_of_frame(run->frame);

    if (run->emitter->region(run, &r))
        return r;
    seen = run_first_object(run);
    if (seen)
        b = seen->box;
    r.center = (struct point){ (b.x0 + b.x1) / 2, (b.y0 + b.y1) / 2 };
    r.size = (struct point){ fmax(1, (b.x1 - b.x0) * (seen ? padding : 1)),
                             fmax(1, (b.y1 - b.y0) * (seen ? padding : 1)) };
    return r;
}

void run_set_region(struct run *run, const struct region *region)
{
    struct region r = *region;

    r.size = (struct point){ fmax(1, r.size.x), fmax(1, r.size.y) };
    run->emitter->set_region(run, &r);
}

/* --- keypoints --- */

int seen_keypoints(const struct kept_object *seen)
{
    int n = 0;

    for (size_t i = 0; i < seen->finalized->n_keypoints; i++)
        n += seen->finalized->keypoints[i].visibility > 0;
    return n;
}

static bool is_listed(const struct names *names, const char *name)
{
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->at[i], name) == 0)
            return true;
    return false;
}

const struct point *run_named_keypoints(struct run *run, const struct kept_object *seen,
                                        const struct names *names, size_t *n)
{
    const struct object *o = seen->finalized;
    const struct category *c = o->category;
    struct point *at = ARENA_ARRAY(run->arena, struct point, o->n_keypoints);

    *n = 0;
    for (size_t i = 0; i < o->n_keypoints && c && i < c->n_keypoints && c->keypoint_name; i++)
        if (o->keypoints[i].visibility > 0 && is_listed(names, c->keypoint_name[i]))
            at[(*n)++] = o->keypoints[i].at;
    return at;
}
