/* keep_objects: keeps only some objects, by their index in the sample. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

struct params {
    struct numbers objects;
};

static const struct row rows[] = {
    NUMBERS(struct params, objects, .preset = "[]", .whole = true, .most = 1000000,
            .limit = { 0, 999999999 }, .usual = { 0, 3 },
            .help = "objects to keep: indices among all objects of the image, as read and "
                    "joined, from 0; empty: drop all"),
    ROWS_END,
};

static bool is_listed(const struct numbers *places, size_t place)
{
    for (size_t i = 0; i < places->n; i++)
        if (places->at[i] == (double)place)
            return true;
    return false;
}

static bool keep(const void *params, const struct rules *rules, struct sample *sample,
                 struct text *why)
{
    const struct params *p = params;

    (void)rules;
    (void)why;
    for (size_t i = 0; i < sample->n_objects; i++)
        if (!is_listed(&p->objects, i))
            object_fail(&sample->objects[i], "other", 0);
    return true;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    (void)scene;
    action_labels(out, keep, params);
    return true;
}

const struct op keep_objects_op = {
    .name = "keep_objects",
    .summary = "drop all objects, including crowds, except the listed ones",
    .group = GROUP_LABELS,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"keep_objects\", \"objects\": [0]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .resolve = resolve,
    .sizeless = true,
};
