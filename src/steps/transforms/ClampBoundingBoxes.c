/* ClampBoundingBoxes: clips boxes that exceed the image. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    emit_plain(run, "clamp_bounding_boxes");
}

const struct transform ClampBoundingBoxes_transform = {
    .name = "ClampBoundingBoxes",
    .summary = "clip boxes that exceed the image; boxes that a step moved are clipped anyway",
    .group = GROUP_LABELS,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"ClampBoundingBoxes\"}",
    .emits = (const char *const[]){ "clamp_bounding_boxes", NULL },
    .subject = SUBJECT_OBJECTS,
    .draw = draw,
};
