/* ClampBoundingBoxes: boxes that reach beyond the image end at its edge. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    emit_plain(run, "clamp_bounding_boxes");
}

const struct transform ClampBoundingBoxes_transform = {
    .name = "ClampBoundingBoxes",
    .summary = "cut boxes that reach beyond the image; those that are moved are cut anyway",
    .group = GROUP_LABELS,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"ClampBoundingBoxes\"}",
    .emits = (const char *const[]){ "clamp_bounding_boxes", NULL },
    .subject = SUBJECT_OBJECTS,
    .draw = draw,
};
