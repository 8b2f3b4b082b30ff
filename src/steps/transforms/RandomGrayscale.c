/* RandomGrayscale: converts colors to luma with probability p; keeps the number of channels. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    emit(run, "rgb_to_grayscale", NUM("num_output_channels", run->channels < 3 ? 1 : 3));
}

const struct transform RandomGrayscale_transform = {
    .name = "RandomGrayscale",
    .summary = "convert to grayscale with probability `p`; the number of channels is kept",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"RandomGrayscale\", \"p\": 0.1}",
    .emits = (const char *const[]){ "rgb_to_grayscale", NULL },
    .chance = 0.1,
    .draw = draw,
};
