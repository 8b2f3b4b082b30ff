/* SomeOf: runs some random steps, in the order of the list. */
#include "steps/transform.h"

struct params {
    struct steps transforms;
    struct range n;
    bool replace;
};

static const struct row rows[] = {
    STEPS(struct params, transforms, .help = "the steps to choose from"),
    RANGE(struct params, n, .preset = "1", .unit = "steps", .limit = { 0, 1000 }, .usual = { 1, 2 },
          .help = "number of steps: an integer, or [min, max], all with equal probability; "
                  "each step then runs with its own probability"),
    FLAG(struct params, replace, .preset = "false",
         .help = "a step may be chosen more than once, each time with other random values"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;
    const struct value *n = value_get(step, "n");

    if (p->n.lo != nearbyint(p->n.lo) || p->n.hi != nearbyint(p->n.hi))
        return value_fault(faults, n, false, "param-type", "expected integers");
    if (p->n.hi > 0 && p->transforms.n == 0)
        return value_fault(faults, value_get(step, "transforms"), false, "param-length",
                           "there is nothing to choose from");
    if (!p->replace && p->n.hi > (double)p->transforms.n)
        return value_fault(faults, n, false, "param-range",
                           "%.0f of %zu steps, without \"replace\"", p->n.hi, p->transforms.n);
    return true;
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    size_t m = p->transforms.n;
    size_t n = (size_t)rng_integer(run->rng, (int64_t)p->n.lo, (int64_t)p->n.hi + 1);
    size_t *order = ARENA_ARRAY(run->arena, size_t, m), *times = ARENA_ARRAY(run->arena, size_t, m);

    rng_permutation(run->rng, order, m);
    for (size_t i = 0; i < n; i++)
        times[p->replace ? (size_t)rng_integer(run->rng, 0, (int64_t)m) : order[i]]++;
    for (size_t i = 0; i < m; i++)
        for (size_t k = 0; k < times[i]; k++)
            emit_step_again(run, &p->transforms, i, k);
}

const struct transform SomeOf_transform = {
    .name = "SomeOf",
    .summary = "run some random steps, in the order of the list",
    .group = GROUP_POLICY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"SomeOf\", \"n\": [1, 2], \"transforms\": [{\"type\": "
               "\"RandomHorizontalFlip\"}, {\"type\": \"GaussianBlur\", \"kernel_size\": 3}, "
               "{\"type\": \"RandomErasing\"}]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
