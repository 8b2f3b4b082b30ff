/* per_object: makes one sample per object: the whole image without the other objects. */
#include "steps/emit.h"
#include "steps/op.h"
#include "steps/op_shared/rows.h"

struct params {
    int min_keypoints, max_outputs;
};

static const struct row rows[] = {
    INTEGER(struct params, min_keypoints, .preset = "0", .limit = { 0, 1000 }, .usual = { 0, 2 },
            .help = "objects with fewer labelled keypoints get no sample"),
    MAX_OUTPUTS_ROW(struct params),
    ROWS_END,
};

static int labelled_keypoints(const struct object *o)
{
    int n = 0;

    for (size_t i = 0; i < o->n_keypoints; i++)
        n += o->keypoints[i].visibility > 0;
    return n;
}

/* Returns object number `branch` among the objects with a sample, or NULL if there are fewer.
 * Counts them. */
static const struct kept_object *find(const struct params *p, struct run *run, int64_t branch,
                                      int64_t *count)
{
    size_t n;
    const struct kept_object *seen = run_objects(run, &n), *found = NULL;

    *count = 0;
    for (size_t i = 0; i < n; i++)
        if (seen[i].has_box && !seen[i].crowd &&
            labelled_keypoints(seen[i].finalized) >= p->min_keypoints && (*count)++ == branch)
            found = &seen[i];
    return found;
}

static int max_outputs(const void *params)
{
    const struct params *p = params;

    return p->max_outputs;
}

static int64_t count_outputs(const void *params, struct frame frame, struct run *run)
{
    int64_t count;

    (void)frame;
    find(params, run, 0, &count);
    return count;
}

static void expand(const void *params, struct frame frame, int branch, struct run *run)
{
    int64_t count;
    const struct kept_object *object = find(params, run, branch, &count);

    (void)frame;
    emit(run, "keep_objects", NUMS("objects", 1, ((double[]){ (double)object->place })));
}

const struct op per_object_op = {
    .name = "per_object",
    .summary = "make one sample per object with a box: the whole image with only that object; "
               "crowds get none",
    .group = GROUP_LABELS,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"per_object\"}",
    .params = rows,
    .params_size = sizeof(struct params),
    .effect = EFFECT_RELABELS,
    .subject = SUBJECT_OBJECTS,
    .expand = expand,
    .max_outputs = max_outputs,
    .count_outputs = count_outputs,
};
