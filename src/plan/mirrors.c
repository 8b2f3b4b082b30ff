/* mirrors: may a pipeline mirror, and does the dataset say what changes places then? */
#include "mirrors.h"

static bool note_mirror(const struct step *step, void *context)
{
    bool *mirrors = context;
    const char *const *names = step->transform ? step->transform->emits : NULL;

    if (!(step->chance > 0))
        return false;
    *mirrors |= step->op && (step->op->effect & MIRRORS);
    for (; names && *names; names++)
        *mirrors |= (registry_op(*names)->effect & MIRRORS) != 0;
    return true;
}

bool mirrors_check(const struct plan *plan, const struct dataset *dataset, struct faults *faults)
{
    bool mirrors = false;

    steps_walk(&plan->transforms, note_mirror, &mirrors);
    for (size_t i = 0; mirrors && i < dataset->n_categories; i++) {
        const struct category *c = &dataset->categories[i];

        for (size_t k = 0; k < c->n_unpaired; k++)
            fault_add(faults, c->unpaired[k].offset, c->unpaired[k].length, c->unpaired[k].path,
                      c->unpaired[k].code, "%s", c->unpaired[k].message);
    }
    return !faults->n;
}

const struct object *mirrors_unpaired(const struct sample *sample)
{
    for (size_t i = 0; i < sample->n_objects; i++) {
        const struct object *o = &sample->objects[i];

        if (o->n_keypoints && o->category && o->category->n_unpaired)
            return o;
    }
    return NULL;
}
