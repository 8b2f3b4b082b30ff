/* permute_channels: reorders color channels. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    struct list permutation;
};

static const struct row rows[] = {
    LIST(struct params, permutation, .least = 1, .most = 3, .whole = true, .limit = { 0, 2 },
         .help = "for each colour channel of the result, the index of its source channel, from "
                 "0; alpha and gray images are unchanged"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;
    const struct value *given = value_get(step, "permutation");
    int n = p->permutation.n;

    if (n == 2)
        return value_fault(faults, given, false, "param-length",
                           "expected 3 numbers (or 1, for gray images), not 2");
    for (int channel = 0; channel < n; channel++) {
        int times = 0;

        for (int i = 0; i < n; i++)
            times += p->permutation.at[i] == channel;
        if (times != 1)
            return value_fault(faults, given, false, "param-conflict",
                               "channel %d is listed %d times; each must be listed once", channel,
                               times);
    }
    return true;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    const double *at = p->permutation.at;
    struct colour_matrix linear = { 0 };
    int n = p->permutation.n, *from;

    if (scene_colours(scene) == 1)
        return true;
    if (n == 1) {
        text_adds(scene->why, "the permutation has 1 number, but the image has 3 colour channels");
        return false;
    }
    if (at[0] == 0 && at[1] == 1)
        return true;
    from = ARENA_ARRAY(scene->arena, int, 3);
    for (int i = 0; i < 3; i++) {
        from[i] = (int)at[i];
        linear.m[i][from[i]] = 1;
    }
    action_colours(scene, out, colour_permute, from, &linear);
    return true;
}

const struct op permute_channels_op = {
    .name = "permute_channels",
    .summary = "reorder colour channels; gray images are unchanged",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"permute_channels\", \"permutation\": [2, 0, 1]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_COLOURS,
    .linear = true,
    .effect = EFFECT_RECOLOURS,
    .check = check,
    .resolve = resolve,
};
