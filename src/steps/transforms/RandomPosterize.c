/* RandomPosterize: keeps only the highest bits of each color with probability p. */
#include "steps/transform.h"

struct params {
    struct list bits;
};

static const struct row rows[] = {
    LIST(struct params, bits, .ends = true, .least = 1, .most = 2, .whole = true, .limit = { 0, 8 },
         .help = "number of the highest bits that are kept, or its range, inclusive: 0 is "
                 "black, 8 changes nothing (except in 16-bit images)"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return ordered_check(&p->bits, "bits", step, faults);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;

    emit(run, "posterize", NUM("bits", draw_whole(run, &p->bits)));
}

const struct transform RandomPosterize_transform = {
    .name = "RandomPosterize",
    .summary = "keep only the highest bits of each colour with probability `p`",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"RandomPosterize\", \"bits\": 4, \"p\": 0.5}",
    .emits = (const char *const[]){ "posterize", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
