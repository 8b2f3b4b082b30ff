/* Equalize: equalizes the histogram with probability p, by OpenCV's formula or PIL's. */
#include "steps/transform.h"

struct params {
    int mode;
    bool by_channels;
};

static const struct row rows[] = {
    CHOICE(struct params, mode, .preset = "\"cv\"", .choices = equalize_choices,
           .help = "the formula"),
    FLAG(struct params, by_channels, .preset = "true",
         .help = "equalize each channel separately; false: equalize luma and keep chroma"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;

    emit_shared_only(run, p->by_channels ? "equalize" : "equalize_luma");
}

const struct transform Equalize_transform = {
    .name = "Equalize",
    .summary = "spread levels evenly with probability `p`, per channel or of luma",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "there is no `mask`: all pixels are counted; without `by_channels`, chroma is "
               "kept exactly, while OpenCV's YCrCb rounds it",
    .example = "{\"type\": \"Equalize\", \"p\": 1}",
    .emits = (const char *const[]){ "equalize", "equalize_luma", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
