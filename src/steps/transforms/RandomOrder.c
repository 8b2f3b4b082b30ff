/* RandomOrder: runs all of the steps, in random order. */
#include "steps/transform.h"

struct params {
    struct steps transforms;
};

static const struct row rows[] = {
    STEPS(struct params, transforms, .help = "the steps, in any order"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;
    size_t *order = ARENA_ARRAY(run->arena, size_t, p->transforms.n);

    rng_permutation(run->rng, order, p->transforms.n);
    for (size_t i = 0; i < p->transforms.n; i++)
        emit_step(run, &p->transforms, order[i]);
}

const struct transform RandomOrder_transform = {
    .name = "RandomOrder",
    .summary = "run all of the steps in random order",
    .group = GROUP_POLICY,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"RandomOrder\", \"transforms\": [{\"type\": \"RandomVerticalFlip\"}, "
               "{\"type\": \"RandomRotation\", \"degrees\": 20}]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
