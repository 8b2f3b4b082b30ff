/* ClampKeyPoints: keypoints beyond the image are put on its edge. */
#include "steps/transform.h"

static void draw(struct run *run)
{
    emit_plain(run, "clamp_keypoints");
}

const struct transform ClampKeyPoints_transform = {
    .name = "ClampKeyPoints",
    .summary = "put keypoints beyond the image on its edge, as hidden ones, instead of taking "
               "them away",
    .group = GROUP_LABELS,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"ClampKeyPoints\"}",
    .emits = (const char *const[]){ "clamp_keypoints", NULL },
    .subject = SUBJECT_KEYPOINTS,
    .draw = draw,
};
