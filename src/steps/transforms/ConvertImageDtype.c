/* ConvertImageDtype: converts samples to another type; full range stays full range. */
#include "steps/transform.h"

struct params {
    int dtype;
};

static const struct row rows[] = {
    CHOICE(struct params, dtype, .preset = "\"float32\"", .choices = dtype_choices,
           .help = "type of the result's samples; full range stays full range, which is 0..1 "
                   "for floats"),
    ROWS_END,
};

static void draw(struct run *run)
{
    emit_shared(run, "to_dtype", YES("scale", true));
}

const struct transform ConvertImageDtype_transform = {
    .name = "ConvertImageDtype",
    .summary = "convert samples to 8 or 16 bits, or to floats, of the same brightness",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"ConvertImageDtype\", \"dtype\": \"uint16\"}",
    .emits = (const char *const[]){ "to_dtype", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .draw = draw,
};
