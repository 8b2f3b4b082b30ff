/* paste: which objects of a borrowed image are pasted, for transforms that do so. */
#include "../transform.h"

#include <string.h>

static bool is_one_of(const char *category, const struct names *names)
{
    for (size_t i = 0; category && i < names->n; i++)
        if (strcmp(category, names->at[i]) == 0)
            return true;
    return !names->n;
}

struct pasteable pasteable_of(struct run *run, const struct names *categories, bool by_box)
{
    size_t n;
    const struct seen *seen = run_objects(run, &n);
    struct pasteable all = { ARENA_ARRAY(run->arena, const struct seen *, n), 0 };

    for (size_t i = 0; i < n; i++) {
        bool segmented = seen[i].finalized->segmentation != SEGMENTATION_NONE;

        if (!seen[i].crowd && seen[i].area > 0 && (segmented || (by_box && seen[i].has_box)) &&
            is_one_of(seen[i].category, categories))
            all.at[all.n++] = &seen[i];
    }
    return all;
}

void input_choose(struct input *input, const struct pasteable *all, const bool *chosen,
                  struct arena *arena)
{
    input->objects = (struct numbers){ ARENA_ARRAY(arena, double, all->n), 0 };
    for (size_t i = 0; i < all->n; i++)
        if (chosen[i])
            input->objects.at[input->objects.n++] = (double)all->at[i]->finalized->index;
    input->absent = !input->objects.n;
}
