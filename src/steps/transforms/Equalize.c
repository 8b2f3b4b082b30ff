/* Equalize: levels spread evenly with probability p, by OpenCV's formula or PIL's. */
#include "steps/transform.h"

struct params {
    int mode;
    bool by_channels;
};

static const struct row rows[] = {
    CHOICE(struct params, mode, .preset = "\"cv\"", .choices = equalize_choices,
           .help = "the formula"),
    FLAG(struct params, by_channels, .preset = "true",
         .help = "is each channel equalized by itself? If not, luma is, and chroma is kept"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;

    emit_shared_only(run, p->by_channels ? "equalize" : "equalize_luma");
}

const struct transform Equalize_transform = {
    .name = "Equalize",
    .summary = "spread levels evenly with probability `p`, of each channel or of luma",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "there is no `mask` of the pixels that are counted: all are counted; without "
               "`by_channels`, chroma is kept, which OpenCV's YCrCb rounds",
    .example = "{\"type\": \"Equalize\", \"p\": 1}",
    .emits = (const char *const[]){ "equalize", "equalize_luma", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
