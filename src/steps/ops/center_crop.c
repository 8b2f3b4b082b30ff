/* center_crop: crops the middle of the image; outside of a smaller image, pixels are black. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    struct size output_size;
};

static const struct row rows[] = {
    SIZE(struct params, output_size, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 140 },
         .help = "[height, width], or one number for a square"),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct frame in = scene->frame, to = { p->output_size.width, p->output_size.height };

    action_window(scene, out, center_crop_begin(in.height, to.height),
                  center_crop_begin(in.width, to.width), to);
    return true;
}

const struct op center_crop_op = {
    .name = "center_crop",
    .summary = "crop the middle; pixels outside of smaller images are 0",
    .group = GROUP_CROP,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"center_crop\", \"output_size\": [80, 100]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_INDEX,
    .effect = EFFECT_MOVES,
    .resolve = resolve,
};
