/* Posterize: keeps a random number of the highest bits of each color with probability p. */
#include "steps/transform.h"

struct params {
    struct list num_bits;
};

static const struct row rows[] = {
    LIST(struct params, num_bits, .ends = true, .preset = "4", .least = 1, .most = 2, .whole = true,
         .limit = { 0, 8 },
         .help = "range of the number of highest bits that are kept, inclusive, or one number: "
                 "0 is black, 8 changes nothing (except in 16-bit images)"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return ordered_check(&p->num_bits, "num_bits", step, faults);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;

    emit(run, "posterize", NUM("bits", draw_whole(run, &p->num_bits)));
}

const struct transform Posterize_transform = {
    .name = "Posterize",
    .summary = "keep only the highest bits of each colour with probability `p`",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"Posterize\", \"num_bits\": [2, 5], \"p\": 1}",
    .emits = (const char *const[]){ "posterize", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
