/* OneOf: runs one of the steps, with a probability proportional to its own. */
#include "steps/transform.h"

struct params {
    struct steps transforms;
};

static const struct row rows[] = {
    STEPS(struct params, transforms,
          .help = "steps to choose from: each is chosen with a probability proportional to its "
                  "`p`, and then always runs"),
    ROWS_END,
};

static double total(const struct steps *steps)
{
    double sum = 0;

    for (size_t i = 0; i < steps->n; i++)
        sum += step_chance(steps, i);
    return sum;
}

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return total(&p->transforms) > 0 ||
           value_fault(faults, value_get(step, "transforms"), false, "param-length",
                       "there is nothing to choose from: the `p` of all steps is 0");
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    double u = rng_unit(run->rng) * total(&p->transforms), sum = step_chance(&p->transforms, 0);
    size_t chosen = 0;

    while (u >= sum && chosen + 1 < p->transforms.n)
        sum += step_chance(&p->transforms, ++chosen);
    emit_step_surely(run, &p->transforms, chosen);
}

const struct transform OneOf_transform = {
    .name = "OneOf",
    .summary = "run one of the steps, chosen with their `p` as weights",
    .group = GROUP_POLICY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"OneOf\", \"p\": 0.9, \"transforms\": [{\"type\": \"RandomInvert\", "
               "\"p\": 0.2}, {\"type\": \"GaussianBlur\", \"kernel_size\": 5, \"p\": 0.8}]}",
    .one = true,
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
