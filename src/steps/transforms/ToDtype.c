/* ToDtype: converts samples to another type. */
#include "steps/transform.h"

struct params {
    int dtype;
    bool scale;
};

static const struct row rows[] = {
    DTYPE_ROWS(struct params),
    ROWS_END,
};

static void draw(struct run *run)
{
    emit_shared_only(run, "to_dtype");
}

const struct transform ToDtype_transform = {
    .name = "ToDtype",
    .summary = "convert samples to 8 or 16 bits, or to floats",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"ToDtype\", \"dtype\": \"uint16\", \"scale\": true}",
    .emits = (const char *const[]){ "to_dtype", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
