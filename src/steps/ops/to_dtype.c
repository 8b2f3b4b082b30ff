/* to_dtype: converts samples to another type. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

struct params {
    int dtype;
    bool scale;
};

static const struct row rows[] = {
    DTYPE_ROWS(struct params),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    if (p->dtype != (int)scene->type)
        action_convert(scene, out, (enum pixel_type)p->dtype, p->scale);
    return true;
}

const struct op to_dtype_op = {
    .name = "to_dtype",
    .summary = "convert samples to 8 or 16 bits, or to floats",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"to_dtype\", \"dtype\": \"uint16\", \"scale\": true}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_CONVERT,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
