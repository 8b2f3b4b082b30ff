/* ConvertBoundingBoxFormat: nothing: annotation files say themselves how they write boxes. */
#include "../transform.h"

struct params {
    int format;
};

static const struct choice format_choices[] = {
    { "XYWH", 0, "left, top, width, height: how COCO files write boxes" },
    { 0 },
};

static const struct row rows[] = {
    CHOICE(struct params, format, .choices = format_choices,
           .help = "the only one that COCO files have; torchvision's others cannot be written"),
    ROWS_END,
};

static void draw(struct run *run)
{
    (void)run;
}

const struct transform ConvertBoundingBoxFormat_transform = {
    .name = "ConvertBoundingBoxFormat",
    .summary = "nothing, for pipelines that have it: boxes are written as the annotation format "
               "has them",
    .example = "{\"type\": \"ConvertBoundingBoxFormat\", \"format\": \"XYWH\"}",
    .emits = (const char *const[]){ NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
