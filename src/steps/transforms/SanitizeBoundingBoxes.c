/* SanitizeBoundingBoxes: drop objects with small boxes. */
#include "steps/transform.h"

struct params {
    double min_size, min_area;
};

static const struct row rows[] = {
    SANITIZE_ROWS(struct params),
    ROWS_END,
};

static void draw(struct run *run)
{
    emit_shared_only(run, "sanitize_bounding_boxes");
}

const struct transform SanitizeBoundingBoxes_transform = {
    .name = "SanitizeBoundingBoxes",
    .summary = "drop objects whose box is small or outside of the image, with all that belongs to "
               "them",
    .group = GROUP_LABELS,
    .origin = ORIGIN_TORCHVISION,
    .differs = "keypoints and outlines go with their box; of a box that reaches beyond the image, "
               "the part inside is measured (torchvision drops it)",
    .example = "{\"type\": \"SanitizeBoundingBoxes\", \"min_size\": 4}",
    .emits = (const char *const[]){ "sanitize_bounding_boxes", NULL },
    .subject = SUBJECT_OBJECTS,
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
