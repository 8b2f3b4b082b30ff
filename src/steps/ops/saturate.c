/* saturate: changes HSV's saturation by a linear function, also for gray pixels, whose hue counts
 * as red. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "pixels/hue.h"
#include "pixels/samples.h"

struct params {
    double factor, offset;
};

static const struct row rows[] = {
    NUMBER(struct params, factor, .preset = "1", .limit = { 0, 1000 }, .usual = { 0.1, 20 },
           .help = "factor for the saturation, 0 to 1"),
    NUMBER(struct params, offset, .preset = "0", .limit = { -1, 1 }, .usual = { 0, 0.2 },
           .help = "then added; makes gray pixels of colour images reddish, as their hue "
                   "counts as red (shift_hsv keeps them gray)"),
    ROWS_END,
};

struct line {
    float factor, offset;
};

VARIANTS static void saturate(const void *context, float *restrict r, float *restrict g,
                              float *restrict b, int n)
{
    const struct line by = *(const struct line *)context;

    for (int i = 0; i < n; i++) {
        float mx = hue_larger(r[i], hue_larger(g[i], b[i]));
        float span = mx - hue_smaller(r[i], hue_smaller(g[i], b[i]));
        float h = hue_wrap(hue_of(r[i], g[i], b[i], mx, span));
        float s = hue_share(span / (mx > 0 ? mx : 1) * by.factor + by.offset);

        r[i] = mx - mx * s * (1 - hue_red(h));
        g[i] = mx - mx * s * (1 - hue_green(h));
        b[i] = mx - mx * s * (1 - hue_blue(h));
    }
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct line *by = ARENA_NEW(scene->arena, struct line);

    by->factor = (float)p->factor;
    by->offset = (float)p->offset;
    if (scene->channels >= 3 && (p->factor != 1 || p->offset != 0))
        action_colours(scene, out, saturate, by, NULL);
    return true;
}

const struct op saturate_op = {
    .name = "saturate",
    .summary = "scale HSV's saturation and add to it; gray images are unchanged",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"saturate\", \"factor\": 5, \"offset\": 0.1}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_COLOURS,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
