/* pad: adds a border around the image; negative padding crops. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/checks.h"
#include "steps/op_shared/rows.h"

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

/* torchvision's limits: a mirrored border cannot exceed the image. */
static bool check_sides(const struct scene *scene, int mode, const int side[4])
{
    int limit[2] = { scene->frame.width, scene->frame.height };

    for (int i = 0; i < 4; i++) {
        int max = limit[i % 2] - (mode == PADDING_REFLECT);

        if ((mode == PADDING_REFLECT || mode == PADDING_SYMMETRIC) && side[i] > max) {
            text_addf(scene->why,
                      "padding of %d pixels exceeds the maximum for a mirrored border of this "
                      "image (%d)",
                      side[i], max);
            return false;
        }
    }
    return true;
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    const double *at = p->padding.at;
    int n = p->padding.n;
    int left = (int)at[0], top = (int)at[n > 1], right = (int)at[n == 4 ? 2 : 0],
        bottom = (int)at[n == 4 ? 3 : n > 1];
    struct frame to = { scene->frame.width + left + right, scene->frame.height + top + bottom };

    if (to.width < 1 || to.height < 1 || to.width > 65500 || to.height > 65500) {
        text_addf(scene->why, "the padded image would be %dx%d", to.width, to.height);
        return false;
    }
    if (!check_sides(scene, p->padding_mode, (int[]){ left, top, right, bottom }))
        return false;
    out->fill = scene_border(scene, &p->fill, p->padding_mode);
    out->fill_mask = p->fill_mask;
    action_window(scene, out, -top, -left, to);
    return true;
}

const struct op pad_op = {
    .name = "pad",
    .summary = "add a border; negative padding crops",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"pad\", \"padding\": [8, 4, 2, 6], \"fill\": 114}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_INDEX,
    .effect = EFFECT_MOVES,
    .check = check,
    .resolve = resolve,
};
