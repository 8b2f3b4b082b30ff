/* warp_affine: scales along x and y, rotates, shears and shifts about the middle of the image. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

struct params {
    double angle;
    struct list scale, shear, translate;
    struct optional_list size;
    int interpolation, padding_mode, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    NUMBER(struct params, angle, .preset = "0", .unit = "degrees", .usual = { -180, 180 },
           .help = "counterclockwise on the screen"),
    LIST(struct params, scale, .preset = "[1, 1]", .least = 1, .most = 2, .limit = { 0, 1000 },
         .above = true, .usual = { 0.5, 1.8 },
         .help = "factor for lengths, before the rotation: [x, y] or one number for both"),
    LIST(struct params, shear, .preset = "[0, 0]", .least = 2, .most = 2, .unit = "degrees",
         .limit = { -89, 89 }, .usual = { -20, 20 },
         .help = "after the rotation: along x and "
                 "along y"),
    LIST(struct params, translate, .preset = "[0, 0]", .least = 2, .most = 2, .unit = "pixels",
         .limit = { -1000000, 1000000 }, .usual = { -12, 12 },
         .help = "shift to the right and down"),
    OPTIONAL_LIST(struct params, size, .preset = "null", .least = 2, .most = 2, .whole = true,
                  .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 140 },
                  .help = "[height, width] of the result, which begins at the image's top left "
                          "corner; null: unchanged"),
    BLEND_ROW(struct params),
    WARP_BORDER_ROWS(struct params),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct frame in = scene->frame, to = in;
    double c = cos(radians(p->angle)), s = sin(radians(p->angle));
    double sx = p->scale.at[0], sy = p->scale.at[p->scale.n - 1];
    double kx = tan(radians(p->shear.at[0])), ky = tan(radians(p->shear.at[1]));
    /* shear * rotation * scale */
    double a = (c - kx * s) * sx, b = (s + kx * c) * sy;
    double d = (ky * c - s) * sx, e = (ky * s + c) * sy;
    double x = in.width / 2., y = in.height / 2.;
    struct mat3 forward = { { a, b, x + p->translate.at[0] - a * x - b * y, d, e,
                              y + p->translate.at[1] - d * x - e * y, 0, 0, 1 } };

    if (p->size.given)
        to = (struct frame){ (int)p->size.list.at[1], (int)p->size.list.at[0] };
    out->fill = scene_border(scene, &p->fill, p->padding_mode);
    out->fill_mask = p->fill_mask;
    return action_warp(scene, out, &forward, to, (enum interpolation)p->interpolation);
}

const struct op warp_affine_op = {
    .name = "warp_affine",
    .summary = "scale along x and y, rotate counterclockwise, shear and shift",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_ALBUMENTATIONS,
    .example =
        "{\"type\": \"warp_affine\", \"angle\": 12, \"scale\": [1.2, 0.9], \"shear\": [5, 0], "
        "\"translate\": [8, -4], \"padding_mode\": \"reflect\"}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_MATRIX,
    .effect = EFFECT_MOVES | EFFECT_TURNS,
    .resolve = resolve,
};
