/* Morphological: grows or shrinks bright areas. */
#include "steps/transform.h"

struct params {
    struct list scale;
    int operation;
};

static const struct row rows[] = {
    LIST(struct params, scale, .ends = true, .preset = "[2, 3]", .least = 1, .most = 2,
         .whole = true, .unit = "pixels", .limit = { 1, 255 }, .usual = { 1, 9 },
         .scalar = SCALAR_FROM_1,
         .help = "[width, height] of the elliptical kernel (a range in Albumentations' "
                 "documentation, but its code does not draw from it); v means [1, v]"),
    CHOICE(struct params, operation, .preset = "\"dilation\"", .choices = morphology_choices,
           .help = "new value of a pixel"),
    ROWS_END,
};

static void draw(struct run *run)
{
    const struct params *p = run->params;

    emit_shared(run, "morphology",
                PAIR("kernel_size", p->scale.at[p->scale.n - 1], p->scale.at[0]));
}

const struct transform Morphological_transform = {
    .name = "Morphological",
    .summary = "grow or shrink bright areas; labels are unchanged",
    .group = GROUP_BLUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .differs = "label masks and boxes are unchanged: which objects grow depends on brightness, "
               "not on their label numbers (Albumentations also grows or shrinks higher label "
               "numbers and all boxes)",
    .example = "{\"type\": \"Morphological\", \"scale\": [5, 5], \"operation\": \"erosion\"}",
    .emits = (const char *const[]){ "morphology", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .draw = draw,
};
