/* OneOrOther: runs the first or the second of two steps. */
#include "steps/transform.h"

struct params {
    struct steps transforms;
    double p_first;
};

static const struct row rows[] = {
    STEPS(struct params, transforms, .help = "two steps; the chosen step runs whatever its `p`"),
    NUMBER(struct params, p_first, .preset = "0.5", .limit = { 0, 1 },
           .help = "probability of the first step"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    if (p->transforms.n == 2)
        return true;
    return value_fault(faults, value_get(step, "transforms"), false, "param-length",
                       "expected 2 steps, not %zu", p->transforms.n);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    size_t chosen = rng_unit(run->rng) >= p->p_first;

    emit_step_surely(run, &p->transforms, chosen);
}

const struct transform OneOrOther_transform = {
    .name = "OneOrOther",
    .summary = "run the first of two steps with probability `p_first`, otherwise the second",
    .group = GROUP_POLICY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .note = "`p_first` is Albumentations' `p`, which is the probability of the step here",
    .example = "{\"type\": \"OneOrOther\", \"p_first\": 0.3, \"transforms\": [{\"type\": "
               "\"HorizontalFlip\"}, {\"type\": \"VerticalFlip\"}]}",
    .one = true,
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
