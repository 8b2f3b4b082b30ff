/* keypoint_mirror: whether a pipeline may mirror, and whether the dataset says which keypoints
 * swap. */
#include "plan/keypoint_mirror.h"

static bool note_mirror(const struct step *step, void *context)
{
    bool *mirrors = context;
    const char *const *names = step->transform ? step->transform->emits : NULL;

    if (!(step->chance > 0))
        return false;
    *mirrors |= step->op && (step->op->effect & EFFECT_MIRRORS);
    for (; names && *names; names++)
        *mirrors |= (registry_op(*names)->effect & EFFECT_MIRRORS) != 0;
    return true;
}

bool plan_mirrors(const struct plan *plan)
{
    bool mirrors = false;

    steps_walk(&plan->transforms, note_mirror, &mirrors);
    return mirrors;
}

static void doubt(const struct fault *why, bool lenient, struct faults *f)
{
    if (!lenient)
        fault_add(f, why->offset, why->length, why->path, why->code, "%s", why->message);
    else if (!note_repeat(f, why->code))
        note_add(f, why->offset, why->length, why->path, why->code, why->message, why->remedy,
                 false);
}

bool mirrors_check(const struct plan *plan, const struct dataset *dataset, struct faults *named,
                   struct faults *own)
{
    bool mirrors = plan_mirrors(plan);

    for (size_t i = 0; mirrors && i < dataset->n_categories; i++) {
        const struct category *c = &dataset->categories[i];

        for (size_t k = 0; k < c->n_unpaired; k++)
            doubt(&c->unpaired[k], dataset->lenient, named);
        if (c->unnamed && c->annotated)
            doubt(c->unnamed, dataset->lenient, named);
    }
    if (mirrors && dataset->unnamed)
        doubt(dataset->unnamed, dataset->lenient, own);
    return !named->n && !own->n;
}

static bool has_several_keypoints(const struct object *o)
{
    size_t n = 0;

    for (size_t i = 0; i < o->n_keypoints; i++)
        n += keypoint_is_there(&o->keypoints[i]);
    return n > 1;
}

const char *mirrors_reject(const struct sample *sample, struct arena *arena)
{
    for (size_t i = 0; i < sample->n_objects; i++) {
        const struct object *o = &sample->objects[i];
        const struct category *c = o->category;

        if (!o->n_keypoints)
            continue;
        if (c && c->n_unpaired)
            return arena_printf(arena, "of \"%s\": %s", c->name, c->unpaired[0].message);
        if (c && c->unnamed && has_several_keypoints(o))
            return arena_printf(arena, "of \"%s\": %s", c->name, c->unnamed->message);
        if (!c && has_several_keypoints(o))
            return "keypoints have no category that says which of them swap";
    }
    return NULL;
}
