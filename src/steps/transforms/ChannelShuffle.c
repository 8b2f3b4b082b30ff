/* ChannelShuffle: puts color channels in random order with probability p. */
#include "steps/transform.h"

const struct transform ChannelShuffle_transform = {
    .name = "ChannelShuffle",
    .summary = "put the colour channels in random order with probability `p`; gray images are "
               "unchanged",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"ChannelShuffle\", \"p\": 0.5}",
    .emits = (const char *const[]){ "permute_channels", NULL },
    .chance = 0.5,
    .draw = emit_permutation,
};
