/* ConvertBoundingBoxFormat: nothing: annotation files say themselves how they write boxes. */
#include "steps/transform.h"

struct params {
    int format;
};

enum { XYWH = 1 };

static const struct choice format_choices[] = {
    { "XYWH", XYWH, "left, top, width, height: how COCO files hold boxes" },
    { "XYXY", 0, "refused, as are all others" },
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
                       "COCO files hold boxes as \"XYWH\" (left, top, width, height); no other "
                       "form can be written");
}

static void draw(struct run *run)
{
    (void)run;
}

const struct transform ConvertBoundingBoxFormat_transform = {
    .name = "ConvertBoundingBoxFormat",
    .summary = "nothing, for pipelines that have it: boxes are written as the annotation format "
               "has them",
    .group = GROUP_LABELS,
    .origin = ORIGIN_TORCHVISION,
    .differs = "does nothing: boxes are written as the annotation format has them",
    .example = "{\"type\": \"ConvertBoundingBoxFormat\", \"format\": \"XYWH\"}",
    .emits = (const char *const[]){ NULL },
    .subject = SUBJECT_OBJECTS,
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
