/* RandomPosterize: only the highest bits of each colour with probability p. */
#include "../transform.h"

struct params {
    int bits;
};

static const struct row rows[] = {
    INTEGER(struct params, bits, .limit = { 0, 8 },
            .help = "bits kept, of the highest: 0 is black, 8 changes nothing (but images of 16 "
                    "bit)"),
    ROWS_END,
};

static void draw(struct run *run)
{
    emit_shared_only(run, "posterize");
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
    .draw = draw,
};
