/* shift_hsv: shifts hue, saturation and value; the last two are scaled first. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "pixels/hue.h"
#include "pixels/samples.h"

struct params {
    double hue_shift, sat_shift, val_shift, sat_factor, val_factor;
};

static const struct row rows[] = {
    NUMBER(struct params, hue_shift, .preset = "0", .unit = "degrees", .limit = { -360, 360 },
           .help = "rotation of the colour circle; 120 turns red into green"),
    NUMBER(struct params, sat_shift, .preset = "0", .unit = "levels", .limit = { -255, 255 },
           .usual = { -80, 80 },
           .help = "added to the saturation, which goes from 0 to 255; gray pixels stay gray"),
    NUMBER(struct params, val_shift, .preset = "0", .unit = "levels", .limit = { -255, 255 },
           .usual = { -60, 60 },
           .help = "added to the value, the largest of a pixel's colours, on the scale 0..255"),
    NUMBER(struct params, sat_factor, .preset = "1", .limit = { 0, 1000 }, .usual = { 0.2, 3 },
           .help = "factor for the saturation, before the shift"),
    NUMBER(struct params, val_factor, .preset = "1", .limit = { 0, 1000 }, .usual = { 0.4, 2 },
           .help = "factor for the value, before the shift"),
    ROWS_END,
};

struct shift {
    float hue, saturation, value; /* in sixths of the circle, fractions of 1, and levels of 255 */
    float by_saturation, by_value;
};

VARIANTS static void shifted(const void *context, float *restrict r, float *restrict g,
                             float *restrict b, int n)
{
    const struct shift by = *(const struct shift *)context;

    for (int i = 0; i < n; i++) {
        float mx = hue_larger(r[i], hue_larger(g[i], b[i]));
        float span = mx - hue_smaller(r[i], hue_smaller(g[i], b[i]));
        float h = hue_wrap(hue_of(r[i], g[i], b[i], mx, span) + by.hue);
        float s = hue_share(span / (mx > 0 ? mx : 1) * by.by_saturation + by.saturation);
        float v = 255 * hue_share((mx * by.by_value + by.value) / 255);

        s = span > 0 ? s : 0;
        r[i] = v - v * s * (1 - hue_red(h));
        g[i] = v - v * s * (1 - hue_green(h));
        b[i] = v - v * s * (1 - hue_blue(h));
    }
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct shift *by;

    if (scene->channels < 3) {
        action_line(scene, out, p->val_factor, p->val_shift);
        return true;
    }
    if (p->hue_shift == 0 && p->sat_shift == 0 && p->val_shift == 0 && p->sat_factor == 1 &&
        p->val_factor == 1)
        return true;
    by = ARENA_NEW(scene->arena, struct shift);
    by->hue = (float)(p->hue_shift / 60 - 6 * nearbyint(p->hue_shift / 360));
    by->saturation = (float)(p->sat_shift / 255);
    by->value = (float)p->val_shift;
    by->by_saturation = (float)p->sat_factor;
    by->by_value = (float)p->val_factor;
    action_colours(scene, out, shifted, by, NULL);
    return true;
}

const struct op shift_hsv_op = {
    .name = "shift_hsv",
    .summary = "shift hue, saturation and value, and scale the last two; gray images change "
               "only in value",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"shift_hsv\", \"hue_shift\": 40, \"sat_shift\": 30, \"val_shift\": "
               "-20}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_COLOURS,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
