/* rotate: rotates counterclockwise on the screen; quarter and half turns are exact. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/checks.h"
#include "steps/op_shared/rows.h"

struct params {
    double angle;
    int interpolation;
    bool expand;
    struct optional_list center;
    struct colour fill;
    int padding_mode, fill_mask;
};

static const struct row rows[] = {
    NUMBER(struct params, angle, .unit = "degrees", .usual = { -180, 180 },
           .help = "counterclockwise on the screen"),
    INTERPOLATION_ROW(struct params),
    FLAG(struct params, expand, .preset = "false",
         .help = "enlarge the canvas to show the whole image; otherwise corners are cut off"),
    CENTER_ROW(struct params),
    WARP_BORDER_ROWS(struct params),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;

    return expand_check(p->expand, &p->center, step, faults);
}

/* Returns a side of the canvas for the whole rotated image, as in torchvision (and Pillow). The
 * corners' extremes are rounded to 1e-4, to remove noise, and then outward. */
static int expanded(double a, double b, double half)
{
    double lo = -fabs(a) - fabs(b) + half, hi = fabs(a) + fabs(b) + half;

    lo = trunc(lo * 1e4) * 1e-4;
    hi = trunc(hi * 1e4) * 1e-4;
    return (int)(ceil(hi) - floor(lo));
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct frame in = scene->frame, to = in;
    struct point middle = { in.width / 2., in.height / 2. }, centre = middle;
    double tx = 0, ty = 0;
    struct mat3 forward;

    out->fill = scene_border(scene, &p->fill, p->padding_mode);
    out->fill_mask = p->fill_mask;
    if (p->expand && fmod(p->angle, 90) == 0) {
        action_turn(scene, out, false, (int)(fmod(p->angle, 360) / 90));
        return true;
    }
    if (p->center.given)
        centre = (struct point){ p->center.list.at[0], p->center.list.at[1] };
    if (p->expand) {
        double c = cos(radians(p->angle)), s = sin(radians(p->angle));

        to.width = expanded(c * middle.x, s * middle.y, middle.x);
        to.height = expanded(s * middle.x, c * middle.y, middle.y);
        tx = to.width / 2. - middle.x;
        ty = to.height / 2. - middle.y;
    }
    forward = mat3_affine(-p->angle, tx, ty, 1, 0, 0, centre);
    return action_warp(scene, out, &forward, to, (enum interpolation)p->interpolation);
}

const struct op rotate_op = {
    .name = "rotate",
    .summary = "rotate counterclockwise; multiples of 90 degrees move whole pixels",
    .group = GROUP_GEOMETRY,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"rotate\", \"angle\": 30, \"interpolation\": \"bilinear\", "
               "\"expand\": true}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_MATRIX,
    .effect = EFFECT_MOVES | EFFECT_TURNS,
    .check = check,
    .resolve = resolve,
};
