/* ToGray: converts to gray with probability p. */
#include "steps/transform.h"

enum method {
    METHOD_WEIGHTED_AVERAGE,
    METHOD_AVERAGE,
    METHOD_FROM_LAB,
    METHOD_DESATURATION,
    METHOD_MAX,
    METHOD_PCA
};

static const struct choice methods[] = {
    { "weighted_average", METHOD_WEIGHTED_AVERAGE, "0.299 of red, 0.587 of green, 0.114 of blue" },
    { "average", METHOD_AVERAGE,
      "a third of each, rounded to the nearest level (Albumentations rounds down)" },
    { "from_lab", METHOD_FROM_LAB, "CIE lightness, L of LAB" },
    { "desaturation", METHOD_DESATURATION,
      "the mean of the largest and the smallest colour, rounded down" },
    { "max", METHOD_MAX, "the largest colour" },
    { "pca", METHOD_PCA,
      "the position along the axis on which the image's colours differ most, stretched to the "
      "full range; the largest component of the axis is positive (Albumentations' axis has "
      "either sign)" },
    { 0 },
};

struct params {
    int num_output_channels, method;
};

static const struct row rows[] = {
    INTEGER(struct params, num_output_channels, .preset = "3", .limit = { 1, 3 },
            .help = "1, or 3 for three equal channels; alpha is kept"),
    CHOICE(struct params, method, .preset = "\"weighted_average\"", .choices = methods,
           .differs =
               "an average is rounded to the nearest level (Albumentations rounds down), and "
               "the largest component of pca's axis is positive (Albumentations' axis has "
               "either sign)",
           .differs_at = "\"average\" \"pca\"", .help = "how gray is computed"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return num_output_channels_check(p->num_output_channels, step, faults);
}

static void draw(struct run *run)
{
    static const double third[3] = { 1. / 3, 1. / 3, 1. / 3 };
    const struct params *p = run->params;
    bool coloured = run->channels >= 3;
    bool as_many = p->method == METHOD_AVERAGE || p->method == METHOD_PCA;

    if (p->method == METHOD_AVERAGE && coloured)
        emit(run, "color_matrix", NUMS("red", 3, third), NUMS("green", 3, third),
             NUMS("blue", 3, third));
    if (p->method == METHOD_PCA && coloured)
        emit_plain(run, "gray_pca");
    if (p->method == METHOD_WEIGHTED_AVERAGE || !coloured ||
        (as_many && p->num_output_channels == 1))
        emit_shared_only(run, "rgb_to_grayscale");
    else if (!as_many)
        emit_shared(run, "gray", WORD("method", methods, p->method));
}

const struct transform ToGray_transform = {
    .name = "ToGray",
    .summary = "convert to gray with probability `p`",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"ToGray\", \"p\": 1}",
    .emits = (const char *const[]){ "color_matrix", "gray", "gray_pca", "rgb_to_grayscale", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
