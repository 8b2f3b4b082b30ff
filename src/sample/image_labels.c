/* image_labels: classes of the whole image. */
#include "sample/sample.h"

void sample_set_label(struct sample *s, const struct category *category)
{
    struct image_label *label = ARENA_NEW(s->arena, struct image_label);

    *label = (struct image_label){ category, 1 };
    s->labels = label;
    s->n_labels = 1;
    s->relabelled = true;
    for (size_t i = 0; i < s->n_objects; i++)
        if (s->objects[i].image_label)
            object_fail(&s->objects[i], "relabelled", 0);
}

bool sample_has_labels(const struct sample *s)
{
    bool found = s->n_labels > 0;

    for (size_t i = 0; i < s->n_objects && !found; i++)
        found = s->objects[i].image_label;
    return found;
}

double sample_label_weight(const struct sample *s, const struct category *category)
{
    double sum = 0;

    for (size_t i = 0; i < s->n_labels; i++)
        sum += s->labels[i].category == category ? s->labels[i].weight : 0;
    for (size_t i = 0; i < s->n_objects; i++) {
        const struct object *o = &s->objects[i];

        if (o->image_label && o->category == category && (!o->final.dropped || o->final.unplaced))
            sum += o->weight;
    }
    return sum;
}
