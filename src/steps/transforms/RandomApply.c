/* RandomApply: runs all of the steps, or none, with probability p. */
#include "steps/transform.h"

struct params {
    struct steps transforms;
};

static const struct row rows[] = {
    STEPS(struct params, transforms, .help = "the steps, in this order"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;

    for (size_t i = 0; i < p->transforms.n; i++)
        emit_step(run, &p->transforms, i);
}

const struct transform RandomApply_transform = {
    .name = "RandomApply",
    .summary = "run all of the steps with probability `p`, otherwise none",
    .group = GROUP_POLICY,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"RandomApply\", \"p\": 0.3, \"transforms\": [{\"type\": "
               "\"RandomHorizontalFlip\"}, "
               "{\"type\": \"Pad\", \"padding\": 4}]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
