/* Equalize: each channel's levels spread evenly with probability p, by OpenCV's formula or PIL's.
 */
#include "../transform.h"

struct params {
    int mode;
};

static const struct row rows[] = {
    CHOICE(struct params, mode, .preset = "\"cv\"", .choices = equalize_choices,
           .help = "the formula"),
    ROWS_END,
};

static void draw(struct run *run)
{
    emit_shared_only(run, "equalize");
}

const struct transform Equalize_transform = {
    .name = "Equalize",
    .summary = "spread each channel's levels evenly with probability `p`",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"Equalize\", \"p\": 1}",
    .emits = (const char *const[]){ "equalize", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
