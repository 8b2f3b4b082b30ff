/* Pad: a border around the image. */
#include "../transform.h"

struct params {
    struct list padding;
    struct colour fill;
    int padding_mode, fill_mask;
};

static const struct row rows[] = {
    LIST(struct params, padding, .least = 1, .most = 4, .whole = true, .unit = "pixels",
         .limit = { -65500, 65500 }, .usual = { 0, 16 },
         .help = "all sides, [left and right, top and bottom], or [left, top, right, bottom]"),
    FILL_ROWS(struct params),
    PADDING_MODE_ROW(struct params),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return padding_check(&p->padding, step, faults);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;

    emit(run, "pad", NUMS("padding", (size_t)p->padding.n, p->padding.at),
         arg_colour("fill", &p->fill), WORD("padding_mode", padding_choices, p->padding_mode),
         NUM("fill_mask", p->fill_mask));
}

const struct transform Pad_transform = {
    .name = "Pad",
    .summary = "add a border; negative padding takes away",
    .example = "{\"type\": \"Pad\", \"padding\": [8, 4], \"fill\": [124, 116, 104]}",
    .emits = (const char *const[]){ "pad", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
