/* Normalize: floats with mean 0 and standard deviation 1, if the given numbers are the images' own.
 */
#include "steps/transform.h"

struct params {
    struct list mean, std;
};

static const struct row rows[] = {
    NORMALIZE_ROWS(struct params),
    ROWS_END,
};

static void draw(struct run *run)
{
    emit_shared_only(run, "normalize");
}

const struct transform Normalize_transform = {
    .name = "Normalize",
    .summary = "convert to floats (TIFF only): on the scale 0..1, subtract a mean and divide "
               "by a standard deviation",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .differs = "makes a float TIFF; mean and standard deviation are on the scale 0..1 "
               "(MMDetection's are 0..255)",
    .example = "{\"type\": \"Normalize\", \"mean\": 0.45, \"std\": 0.225}",
    .emits = (const char *const[]){ "normalize", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
