/* RandomChoice: runs one of the steps. */
#include "steps/transform.h"

struct params {
    struct steps transforms;
    struct weights weights;
};

static const struct row rows[] = {
    STEPS(struct params, transforms, .help = "the steps to choose from"),
    WEIGHTS(struct params, weights, .preset = "null", .limit = { 0, INFINITY },
            .help = "relative weights of the steps (torchvision's `p`); null: all equal"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    if (p->transforms.n == 0)
        return value_fault(faults, value_get(step, "transforms"), false, "param-length",
                           "there is nothing to choose from");
    return weights_check(&p->weights, p->transforms.n, "transforms", step, faults);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    size_t chosen = 0;

    if (!p->weights.n) {
        chosen = (size_t)rng_integer(run->rng, 0, (int64_t)p->transforms.n);
    } else {
        double u = rng_unit(run->rng) * weights_sum(&p->weights);

        for (double sum = p->weights.at[0]; u >= sum && chosen + 1 < p->weights.n;)
            sum += p->weights.at[++chosen];
    }
    emit_step(run, &p->transforms, chosen);
}

const struct transform RandomChoice_transform = {
    .name = "RandomChoice",
    .summary = "run one of the steps",
    .group = GROUP_POLICY,
    .origin = ORIGIN_TORCHVISION,
    .note = "`weights` is torchvision's `p`, which is the probability of the step here",
    .example = "{\"type\": \"RandomChoice\", \"weights\": [3, 1], \"transforms\": [{\"type\": "
               "\"Identity\"}, {\"type\": \"GaussianBlur\", \"kernel_size\": 5}]}",
    .one = true,
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
