/* Grayscale: converts colors to luma, in one channel or three. */
#include "steps/transform.h"

struct params {
    int num_output_channels;
};

static const struct row rows[] = {
    CHANNELS_ROW(struct params),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return num_output_channels_check(p->num_output_channels, step, faults);
}

static void draw(struct run *run)
{
    emit_shared_only(run, "rgb_to_grayscale");
}

const struct transform Grayscale_transform = {
    .name = "Grayscale",
    .summary = "convert to gray (luma); alpha is kept",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"Grayscale\", \"num_output_channels\": 3}",
    .emits = (const char *const[]){ "rgb_to_grayscale", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
