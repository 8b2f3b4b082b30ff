/* ToGray: gray with probability p. */
#include "../transform.h"

enum method { METHOD_WEIGHTED_AVERAGE, METHOD_AVERAGE };

static const struct choice methods[] = {
    { "weighted_average", METHOD_WEIGHTED_AVERAGE, "0.299 of red, 0.587 of green, 0.114 of blue" },
    { "average", METHOD_AVERAGE, "a third of each" },
    { 0 },
};

struct params {
    int num_output_channels, method;
};

static const struct row rows[] = {
    INTEGER(struct params, num_output_channels, .preset = "3", .limit = { 1, 3 },
            .help = "1, or 3 for three equal channels; alpha is kept beside them"),
    CHOICE(struct params, method, .preset = "\"weighted_average\"", .choices = methods,
           .help = "what the gray is"),
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

    if (p->method == METHOD_AVERAGE && run->channels >= 3)
        emit(run, "color_matrix", NUMS("red", 3, third), NUMS("green", 3, third),
             NUMS("blue", 3, third));
    if (p->method == METHOD_WEIGHTED_AVERAGE || p->num_output_channels == 1 || run->channels < 3)
        emit_shared_only(run, "rgb_to_grayscale");
}

const struct transform ToGray_transform = {
    .name = "ToGray",
    .summary = "take the colours away with probability `p`",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"ToGray\", \"p\": 1}",
    .emits = (const char *const[]){ "color_matrix", "rgb_to_grayscale", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .chance = 0.5,
    .check = check,
    .draw = draw,
};
