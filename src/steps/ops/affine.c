/* affine: rotates clockwise, scales, shears and shifts about a point; the canvas stays. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

struct params {
    double angle, scale;
    struct list translate, shear;
    int interpolation, padding_mode, fill_mask;
    struct colour fill;
    struct optional_list center;
};

static const struct row rows[] = {
    NUMBER(struct params, angle, .preset = "0", .unit = "degrees", .usual = { -180, 180 },
           .help = "clockwise on the screen (the op `rotate` is counterclockwise, as in "
                   "torchvision)"),
    LIST(struct params, translate, .preset = "[0, 0]", .least = 2, .most = 2, .unit = "pixels",
         .limit = { -1000000, 1000000 }, .usual = { -12, 12 },
         .help = "shift to the right and down"),
    NUMBER(struct params, scale, .preset = "1", .limit = { 0, 1000 }, .above = true,
           .usual = { 0.5, 1.8 }, .help = "factor for lengths, after the rotation"),
    LIST(struct params, shear, .preset = "[0, 0]", .least = 1, .most = 2, .unit = "degrees",
         .limit = { -89, 89 }, .usual = { -20, 20 }, .help = "[x, y]; one number is x"),
    INTERPOLATION_ROW(struct params),
    WARP_BORDER_ROWS(struct params),
    CENTER_ROW(struct params),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct point centre = { scene->frame.width / 2., scene->frame.height / 2. };
    struct mat3 forward;

    if (p->center.given)
        centre = (struct point){ p->center.list.at[0], p->center.list.at[1] };
    forward = mat3_affine(p->angle, p->translate.at[0], p->translate.at[1], p->scale,
                          p->shear.at[0], p->shear.n > 1 ? p->shear.at[1] : 0, centre);
    out->fill = scene_border(scene, &p->fill, p->padding_mode);
    out->fill_mask = p->fill_mask;
    return action_warp(scene, out, &forward, scene->frame, (enum interpolation)p->interpolation);
}

const struct op affine_op = {
    .name = "affine",
    .summary = "rotate clockwise, scale, shear and shift on the same canvas",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"affine\", \"angle\": 12, \"translate\": [8, -4], \"scale\": 1.2, "
               "\"shear\": [5, 0], \"interpolation\": \"bilinear\"}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_MATRIX,
    .effect = EFFECT_MOVES | EFFECT_TURNS,
    .resolve = resolve,
};
