/* PadIfNeeded: pads the image to a minimum size or to multiples of a number. */
#include "steps/transform.h"

struct params {
    struct optional min_height, min_width, pad_height_divisor, pad_width_divisor;
    bool square;
    int position, padding_mode, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    OPTIONAL(struct params, min_height, .preset = "null", .whole = true, .unit = "pixels",
             .limit = { 1, 65500 }, .usual = { 24, 140 },
             .help = "minimum height (Albumentations' default is 1024)"),
    OPTIONAL(struct params, min_width, .preset = "null", .whole = true, .unit = "pixels",
             .limit = { 1, 65500 }, .usual = { 24, 140 },
             .help = "minimum width (Albumentations' default is 1024)"),
    OPTIONAL(struct params, pad_height_divisor, .preset = "null", .whole = true, .unit = "pixels",
             .limit = { 1, 65500 }, .usual = { 8, 64 },
             .help = "the height becomes a multiple of this, and at least min_height"),
    OPTIONAL(struct params, pad_width_divisor, .preset = "null", .whole = true, .unit = "pixels",
             .limit = { 1, 65500 }, .usual = { 8, 64 },
             .help = "the width becomes a multiple of this, and at least min_width"),
    FLAG(struct params, square, .preset = "false",
         .help = "first pad the shorter side to the longer one"),
    POSITION_ROW(struct params),
    FILL_ROWS(struct params),
    PADDING_MODE_ROW(struct params),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    if (!p->square && !p->min_height.given && !p->min_width.given && !p->pad_height_divisor.given &&
        !p->pad_width_divisor.given)
        return value_fault(faults, step, false, "param-missing",
                           "give \"min_height\", \"min_width\", \"pad_height_divisor\", "
                           "\"pad_width_divisor\" or \"square\"");
    return true;
}

static int wanted(int side, const struct optional *min, const struct optional *divisor)
{
    int to = min->given && min->number > side ? (int)min->number : side;
    int by = divisor->given ? (int)divisor->number : 1;

    return (to + by - 1) / by * by;
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    int width = run->frame.width, height = run->frame.height;
    int longer = width > height ? width : height;
    struct frame to = {
        wanted(p->square ? longer : width, &p->min_width, &p->pad_width_divisor),
        wanted(p->square ? longer : height, &p->min_height, &p->pad_height_divisor),
    };

    emit_canvas(run, to, p->position);
}

const struct transform PadIfNeeded_transform = {
    .name = "PadIfNeeded",
    .summary = "pad to a minimum size, to multiples of a number, or to a square",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example = "{\"type\": \"PadIfNeeded\", \"pad_height_divisor\": 100, \"min_width\": 200}",
    .emits = (const char *const[]){ "pad", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .check = check,
    .draw = draw,
};
