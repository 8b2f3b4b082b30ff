/* SanitizeKeyPoints: drops objects that lost keypoints. */
#include "steps/transform.h"

struct params {
    struct optional min_keypoints;
};

static const struct row rows[] = {
    MIN_KEYPOINTS_ROW(struct params),
    ROWS_END,
};

static void draw(struct run *run)
{
    emit_shared_only(run, "sanitize_keypoints");
}

const struct transform SanitizeKeyPoints_transform = {
    .name = "SanitizeKeyPoints",
    .summary = "drop objects that have keypoints outside of the image, with all their labels",
    .group = GROUP_LABELS,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"SanitizeKeyPoints\", \"min_keypoints\": 3}",
    .emits = (const char *const[]){ "sanitize_keypoints", NULL },
    .subject = SUBJECT_KEYPOINTS,
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
