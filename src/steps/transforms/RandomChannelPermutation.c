/* RandomChannelPermutation: puts color channels in random order. */
#include "steps/transform.h"

const struct transform RandomChannelPermutation_transform = {
    .name = "RandomChannelPermutation",
    .summary = "put the colour channels in random order; gray images are unchanged",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"RandomChannelPermutation\"}",
    .emits = (const char *const[]){ "permute_channels", NULL },
    .draw = emit_permutation,
};
