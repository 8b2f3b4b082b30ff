/* paste: helpers of transforms that place a borrowed image, or objects of it, over the image. */
#include "steps/transform.h"

#include <string.h>

int two_images(const void *params)
{
    (void)params;
    return 2;
}

struct input *joint_lay_over(struct run *run, struct joint *joint, const char *donor)
{
    joint->height = run->frame.height;
    joint->width = run->frame.width;
    joint->inputs = inputs_take(run->arena, 2);
    joint->inputs.at[0] = (struct input){ .source = "", .opacity = 1 };
    joint->inputs.at[1] = (struct input){ .source = donor, .opacity = 1 };
    return &joint->inputs.at[1];
}

/* --- objects --- */

static bool is_one_of(const char *category, const struct names *names)
{
    for (size_t i = 0; category && i < names->n; i++)
        if (strcmp(category, names->at[i]) == 0)
            return true;
    return !names->n;
}

/* Returns the objects that can be pasted: not crowds, and only objects with an area and with a
 * segmentation (or, with by_box, a box). */
static struct pasteable pasteable_of(struct run *run, const struct paste_settings *pasting)
{
    size_t n;
    const struct kept_object *seen = run_objects(run, &n);
    struct pasteable all = { ARENA_ARRAY(run->arena, const struct kept_object *, n), 0 };

    for (size_t i = 0; i < n; i++) {
        bool segmented = seen[i].finalized->segmentation != SEGMENTATION_NONE;

        if (!seen[i].crowd && seen[i].area > 0 &&
            (segmented || (pasting->by_box && seen[i].has_box)) &&
            is_one_of(seen[i].category, &pasting->categories))
            all.at[all.n++] = &seen[i];
    }
    return all;
}

/* Restricts the input to the chosen objects. */
static void lay_chosen(struct input *input, const struct pasteable *all, const bool *chosen,
                       struct arena *arena)
{
    input->objects = (struct numbers){ ARENA_ARRAY(arena, double, all->n), 0 };
    for (size_t i = 0; i < all->n; i++)
        if (chosen[i])
            input->objects.at[input->objects.n++] = (double)all->at[i]->finalized->index;
    input->absent = !input->objects.n;
}

/* The settings, and the input that they apply to. */
struct paste_context {
    const struct paste_settings *pasting;
    struct input *input;
};

static void chain(struct run *run, size_t i, const void *context)
{
    const struct paste_context *pasted = context;
    const struct paste_settings *pasting = pasted->pasting;
    struct pasteable all;
    bool *chosen;

    if (i == 0)
        return;
    emit_borrowed(run, pasting->own, pasting->donor_transforms, 0);
    pasting->place(run, pasting, pasted->input);
    all = pasteable_of(run, pasting);
    chosen = ARENA_ARRAY(run->arena, bool, all.n);
    for (size_t k = 0; k < all.n; k++)
        chosen[k] = false;
    pasting->choose(run, pasting, &all, chosen);
    lay_chosen(pasted->input, &all, chosen, run->arena);
}

void emit_pasted(struct run *run, const struct paste_settings *pasting)
{
    struct joint joint = { .labels = pasting->labels };
    const char *donor = run_donor(run, pasting->donors);
    struct paste_context pasted = { .pasting = pasting };

    if (!donor)
        return;
    pasted.input = joint_lay_over(run, &joint, donor);
    pasted.input->blending = pasting->blending;
    emit_join(run, &joint, chain, &pasted);
}
