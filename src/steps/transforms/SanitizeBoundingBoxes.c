/* SanitizeBoundingBoxes: drops objects with small boxes. */
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
    .summary = "drop objects whose box is small or outside of the image, with all their labels",
    .group = GROUP_LABELS,
    .origin = ORIGIN_TORCHVISION,
    .differs = "keypoints and outlines are dropped with their box; a box that exceeds the "
               "image is measured inside the image (torchvision drops it)",
    .example = "{\"type\": \"SanitizeBoundingBoxes\", \"min_size\": 4}",
    .emits = (const char *const[]){ "sanitize_bounding_boxes", NULL },
    .subject = SUBJECT_OBJECTS,
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
