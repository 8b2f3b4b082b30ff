/* topdown_affine: maps a rotated rectangle of the image to a whole upright image.
 *
 * Source: MMPose's TopdownAffine. It extends the rectangle to the result's aspect ratio and maps
 * its center to the result's center. With `use_udp`, lengths are measured between pixel centers
 * (Huang et al., The Devil is in the Details, CVPR 2020). */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

struct params {
    struct list center, scale;
    double rotation;
    struct size size;
    bool use_udp;
    int interpolation, padding_mode, fill_mask;
    struct colour fill;
};

static const struct row rows[] = {
    LIST(struct params, center, .least = 2, .most = 2, .unit = "pixels",
         .limit = { -1000000, 1000000 }, .usual = { 10, 60 },
         .help = "[x, y] of the rectangle's centre, in continuous coordinates"),
    LIST(struct params, scale, .least = 2, .most = 2, .unit = "pixels", .limit = { 0.001, 1000000 },
         .usual = { 10, 80 },
         .help = "[width, height] of the rectangle; one of them is extended to the result's "
                 "aspect ratio"),
    NUMBER(struct params, rotation, .preset = "0", .unit = "degrees", .usual = { -180, 180 },
           .help = "rotation of the rectangle, clockwise; its content turns counterclockwise"),
    SIZE(struct params, size, .unit = "pixels", .limit = { 2, 65500 }, .usual = { 24, 60 },
         .help = "[height, width] of the result, or one number for a square"),
    FLAG(struct params, use_udp, .preset = "false",
         .help = "scale the rectangle to one pixel less than the result, about the same centre"),
    BLEND_ROW(struct params),
    WARP_BORDER_ROWS(struct params),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct frame to = { p->size.width, p->size.height };
    double x = p->center.at[0], y = p->center.at[1], less = p->use_udp ? 1 : 0;
    double aspect = (double)to.width / to.height, c = cos(radians(p->rotation));
    double s = sin(radians(p->rotation));
    double width = fmax(p->scale.at[0], p->scale.at[1] * aspect), height = width / aspect;
    double sx = (to.width - less) / width, sy = (to.height - less) / height;
    struct mat3 forward = { { sx * c, sx * s, to.width / 2. - sx * (c * x + s * y), -sy * s, sy * c,
                              to.height / 2. - sy * (c * y - s * x), 0, 0, 1 } };

    out->fill = scene_border(scene, &p->fill, p->padding_mode);
    out->fill_mask = p->fill_mask;
    return action_warp(scene, out, &forward, to, (enum interpolation)p->interpolation);
}

const struct op topdown_affine_op = {
    .name = "topdown_affine",
    .summary = "turn a rotated rectangle into an image of fixed size",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"topdown_affine\", \"center\": [70, 60], \"scale\": [60, 80], "
               "\"rotation\": 20, \"size\": [128, 96]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_MATRIX,
    .effect = EFFECT_MOVES | EFFECT_TURNS,
    .resolve = resolve,
};
