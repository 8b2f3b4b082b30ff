/* JPEG: artifacts of a JPEG of random quality. */
#include "steps/transform.h"

struct params {
    struct list quality;
};

static const struct row rows[] = {
    QUALITY_ROW(struct params, quality, .preset = NULL),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return ordered_check(&p->quality, "quality", step, faults);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;

    emit(run, "jpeg", NUM("quality", draw_whole(run, &p->quality)));
}

const struct transform JPEG_transform = {
    .name = "JPEG",
    .summary = "encode as a JPEG of random quality and decode again",
    .group = GROUP_NOISE,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"JPEG\", \"quality\": [10, 60]}",
    .emits = (const char *const[]){ "jpeg", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
