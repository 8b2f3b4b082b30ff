/* crop: a window of the image; what lies outside of the image is black. */
#include "../op.h"

struct params {
    int top, left, height, width;
};

static const struct row rows[] = {
    INTEGER(struct params, top, .unit = "pixels", .limit = { -1000000, 1000000 },
            .usual = { -8, 24 }, .help = "first row; may lie outside of the image"),
    INTEGER(struct params, left, .unit = "pixels", .limit = { -1000000, 1000000 },
            .usual = { -8, 24 }, .help = "first column; may lie outside of the image"),
    INTEGER(struct params, height, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 72 },
            .help = "rows of the result"),
    INTEGER(struct params, width, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 72 },
            .help = "columns of the result"),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    action_window(scene, out, p->top, p->left, (struct frame){ p->width, p->height });
    return true;
}

const struct op crop_op = {
    .name = "crop",
    .summary = "cut out a window; parts of it outside the image are 0",
    .example = "{\"type\": \"crop\", \"top\": 10, \"left\": 20, \"height\": 64, \"width\": 96}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = INDEX,
    .effect = MOVES,
    .resolve = resolve,
};
