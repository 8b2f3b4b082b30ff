/* ConvertBoundingBoxFormat: does nothing: annotation formats define how boxes are written. */
#include "steps/transform.h"

struct params {
    int format;
};

enum { XYWH = 1 };

static const struct choice format_choices[] = {
    { "XYWH", XYWH, "left, top, width, height, as in COCO files" },
    { "XYXY", 0, "refused, like all other formats" },
    { "CXCYWH", 0, "refused" },
    { "XYWHR", 0, "refused" },
    { "CXCYWHR", 0, "refused" },
    { "XYXYXYXY", 0, "refused" },
    { 0 },
};

static const struct row rows[] = {
    CHOICE(struct params, format, .choices = format_choices,
           .help = "COCO files have one way to write boxes"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return p->format == XYWH ||
           value_fault(faults, value_get(step, "format"), false, "param-choice",
                       "COCO files store boxes as \"XYWH\" (left, top, width, height); no "
                       "other format can be written");
}

static void draw(struct run *run)
{
    (void)run;
}

const struct transform ConvertBoundingBoxFormat_transform = {
    .name = "ConvertBoundingBoxFormat",
    .summary = "do nothing, for pipelines that contain it: the annotation format defines how "
               "boxes are written",
    .group = GROUP_LABELS,
    .origin = ORIGIN_TORCHVISION,
    .differs = "does nothing: the annotation format defines how boxes are written",
    .example = "{\"type\": \"ConvertBoundingBoxFormat\", \"format\": \"XYWH\"}",
    .emits = (const char *const[]){ NULL },
    .subject = SUBJECT_OBJECTS,
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
