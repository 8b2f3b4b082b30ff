/* NoOp: does nothing; an alternative in a OneOf. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    (void)run;
}

const struct transform NoOp_transform = {
    .name = "NoOp",
    .summary = "do nothing",
    .group = GROUP_POLICY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"NoOp\"}",
    .emits = (const char *const[]){ NULL },
    .chance = 0.5,
    .draw = draw,
};
