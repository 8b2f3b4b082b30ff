/* RandomResize: resizes the shorter side to a random length. */
#include "steps/transform.h"

struct params {
    int min_size, max_size, interpolation;
    bool antialias;
};

static const struct row rows[] = {
    INTEGER(struct params, min_size, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 80 },
            .help = "minimum length of the shorter side"),
    INTEGER(struct params, max_size, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 81, 140 },
            .help = "upper limit of the shorter side, exclusive (as in torchvision): its "
                    "length is drawn from min_size to max_size - 1; if both are equal, it is "
                    "min_size"),
    RESIZE_ROWS(struct params),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    if (p->min_size > p->max_size)
        return value_fault(faults, value_get(step, "max_size"), false, "param-order",
                           "%d is less than \"min_size\", %d", p->max_size, p->min_size);
    return true;
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    int size = p->min_size;

    if (p->max_size > size)
        size = (int)rng_integer(run->rng, size, p->max_size);
    emit_shared(run, "resize", NUM("size", size));
}

const struct transform RandomResize_transform = {
    .name = "RandomResize",
    .summary = "resize the shorter side to a random length, proportionally",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"RandomResize\", \"min_size\": 64, \"max_size\": 128}",
    .emits = (const char *const[]){ "resize", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
