/* values: checks of ranges, and values drawn from them. */
#include "steps/transform.h"

bool ordered_check(const struct list *list, const char *name, const struct value *step,
                   struct faults *faults)
{
    if (list->at[0] > list->at[list->n - 1])
        return value_fault(faults, value_get(step, name), false, "param-order",
                           "the first number is larger than the second");
    return true;
}

bool roi_check(const struct list *list, const char *name, const struct value *step,
               struct faults *faults)
{
    if (list->at[0] > list->at[2] || list->at[1] > list->at[3])
        return value_fault(faults, value_get(step, name), false, "param-order",
                           "left must not be larger than right, nor top than bottom");
    return true;
}

double draw_truncated_normal(struct run *run)
{
    double z;

    do
        z = rng_normal(run->rng, 0, 1);
    while (z < -1 || z > 1);
    return z;
}

int64_t draw_key(struct run *run)
{
    return rng_integer(run->rng, 0, (int64_t)1 << 32);
}

int64_t draw_paint_key(struct run *run, const struct paint *paint, bool noise)
{
    bool random = paint->method == PAINT_RANDOM || paint->method == PAINT_RANDOM_UNIFORM;

    return noise || random ? draw_key(run) : 0;
}

int draw_whole(struct run *run, const struct list *list)
{
    return (int)rng_integer(run->rng, (int64_t)list->at[0], (int64_t)list->at[list->n - 1] + 1);
}

int draw_odd(struct run *run, const struct list *list)
{
    int64_t lo = (int64_t)list->at[0] / 2, hi = (int64_t)list->at[list->n - 1] / 2;

    return (int)(2 * rng_integer(run->rng, lo, hi + 1) + 1);
}

void emit_permutation(struct run *run)
{
    size_t order[3];
    double permutation[3];

    if (run->channels < 3)
        return;
    rng_permutation(run->rng, order, 3);
    for (int i = 0; i < 3; i++)
        permutation[i] = (double)order[i];
    emit(run, "permute_channels", NUMS("permutation", 3, permutation));
}

struct grid random_grid(struct run *run, int rows, int columns)
{
    size_t n = (size_t)rows * (size_t)columns;
    struct grid g = { rows, columns, ARENA_ARRAY(run->arena, double, n),
                      ARENA_ARRAY(run->arena, double, n) };

    for (size_t i = 0; i < n; i++) {
        g.dx[i] = rng_normal(run->rng, 0, 1);
        g.dy[i] = rng_normal(run->rng, 0, 1);
    }
    return g;
}
