/* Identity: does nothing; an alternative in a RandomChoice. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    (void)run;
}

const struct transform Identity_transform = {
    .name = "Identity",
    .summary = "do nothing",
    .group = GROUP_POLICY,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"Identity\"}",
    .emits = (const char *const[]){ NULL },
    .draw = draw,
};
