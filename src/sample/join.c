/* join: joins samples that are placed over each other. */
#include "sample/sample.h"

#include <string.h>

/* Objects of a sample are hidden by the regions of their own sample, and not by those of others. */
static struct occluders layer_of(const struct sample *s, size_t layer, struct arena *arena)
{
    struct occluders none = { 0 };
    const struct occluders *own = layer ? &s->layers[layer - 1] : &none;
    struct rings holes = rings_both(arena, &s->hidden.holes, &own->holes);
    struct rings cutouts = rings_both(arena, &s->hidden.cutouts, &own->cutouts);

    return (struct occluders){ rings_copy(arena, &holes), rings_copy(arena, &cutouts) };
}

/* A label of the image that was joined from another part of the same image. */
static bool has_label(const struct sample *to, const struct object *label)
{
    for (size_t i = 0; i < to->n_objects; i++)
        if (to->objects[i].image_label && to->objects[i].record == label->record &&
            to->objects[i].index == label->index)
            return true;
    return false;
}

/* Only layers with an object are kept: otherwise each cell of a grid would bring the layers of all
 * cells. */
static void add_sample(struct sample *to, const struct sample *s)
{
    size_t *layer = ARENA_ARRAY(to->arena, size_t, s->n_layers + 1); /* in `to`; 0: not yet */

    for (size_t i = 0; i < s->n_objects; i++) {
        const struct object *from = &s->objects[i];
        struct object *o = &to->objects[to->n_objects];

        if (from->image_label && has_label(to, from))
            continue;
        if (!layer[from->layer]) {
            to->layers[to->n_layers++] = layer_of(s, from->layer, to->arena);
            layer[from->layer] = to->n_layers;
        }
        *o = *from;
        o->layer = layer[from->layer];
        to->n_objects++;
    }
}

void sample_join(struct sample *to, struct placed_image *laid, size_t n, enum hidden_rule rule)
{
    size_t n_objects = 0, n_layers = 0;

    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i && laid[i].over.n; k++)
            sample_hide(&laid[k].sample, &laid[i].over, rule);
        n_objects += laid[i].sample.n_objects;
        n_layers += laid[i].sample.n_layers + 1;
    }
    to->objects = ARENA_ARRAY(to->arena, struct object, n_objects);
    to->layers = ARENA_ARRAY(to->arena, struct occluders, n_layers);
    to->n_objects = to->n_layers = 0;
    to->hidden = (struct occluders){ 0 };
    to->filled = (struct rings){ 0 };
    for (size_t i = 0; i < n; i++) {
        add_sample(to, &laid[i].sample);
        to->unhidden |= laid[i].sample.unhidden;
        to->lacking |= laid[i].sample.lacking;
        if (!laid[i].objects_alone)
            to->filled = rings_both(to->arena, &to->filled, &laid[i].sample.filled);
    }
}
