/* Sequential: runs all steps one after the other, or skips all. */
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

const struct transform Sequential_transform = {
    .name = "Sequential",
    .summary = "run the steps one after the other with probability `p`",
    .group = GROUP_POLICY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"Sequential\", \"p\": 0.8, \"transforms\": [{\"type\": "
               "\"HorizontalFlip\"}, {\"type\": \"ToGray\"}]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
