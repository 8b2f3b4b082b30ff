/* image_labels: classes of the whole image. */
#include "sample/sample.h"

#include <math.h>

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

/* Adds a label, or its weight to the same label. Returns true if the label is new. */
static bool add_label(struct image_label *labels, size_t n, struct image_label label)
{
    for (size_t i = 0; i < n; i++)
        if (labels[i].category == label.category) {
            labels[i].weight = fmin(1, labels[i].weight + label.weight);
            return false;
        }
    labels[n] = label;
    return true;
}

static void change_labels(struct sample *s,
                          const struct category *(*change)(const void *, const struct category *),
                          const void *context)
{
    struct image_label *labels = ARENA_ARRAY(s->arena, struct image_label, s->n_labels);
    size_t n = 0;
    bool changed = false;

    for (size_t i = 0; i < s->n_labels; i++) {
        const struct category *category = change(context, s->labels[i].category);

        changed |= category != s->labels[i].category;
        if (category)
            n += add_label(labels, n, (struct image_label){ category, s->labels[i].weight });
    }
    if (!changed)
        return;
    s->labels = labels;
    s->n_labels = n;
    s->relabelled = true;
}

void sample_change_classes(struct sample *s,
                           const struct category *(*change)(const void *context,
                                                            const struct category *),
                           const void *context)
{
    for (size_t i = 0; i < s->n_objects; i++) {
        struct object *o = &s->objects[i];
        const struct category *category = o->category ? change(context, o->category) : NULL;

        if (o->category && !category)
            object_fail(o, "category", 0);
        if (!category || category == o->category)
            continue;
        o->category = category;
        o->changes |= CHANGE_CLASSED;
    }
    change_labels(s, change, context);
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
