/* Compose: runs steps one after the other. */
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

const struct transform Compose_transform = {
    .name = "Compose",
    .summary = "run the steps one after the other",
    .group = GROUP_POLICY,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"Compose\", \"transforms\": [{\"type\": \"RandomHorizontalFlip\"}, "
               "{\"type\": \"Pad\", \"padding\": 4}]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
