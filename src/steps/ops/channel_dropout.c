/* channel_dropout: makes some color channels constant. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    struct list channels;
    double fill;
};

static const struct row rows[] = {
    LIST(struct params, channels, .least = 1, .most = 3, .whole = true, .limit = { 0, 2 },
         .help = "indices of the dropped colour channels, from 0"),
    NUMBER(struct params, fill, .preset = "0", .unit = "levels", .limit = { 0, 255 },
           .help = "value of the dropped channels, on the scale 0..255"),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    double factor[3] = { 1, 1, 1 }, offset[3] = { 0 };

    for (int i = 0; i < p->channels.n; i++) {
        factor[(int)p->channels.at[i]] = 0;
        offset[(int)p->channels.at[i]] = p->fill;
    }
    if (scene->channels >= 3)
        action_lines(scene, out, factor, offset);
    return true;
}

const struct op channel_dropout_op = {
    .name = "channel_dropout",
    .summary = "make some colour channels constant; gray images are unchanged",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"channel_dropout\", \"channels\": [2], \"fill\": 0}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_TABLE,
    .linear = true,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
