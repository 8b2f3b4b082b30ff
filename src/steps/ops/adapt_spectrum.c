/* adapt_spectrum: gives low frequencies the amplitudes of a reference picture.
 *
 * Source: Y. Yang and S. Soatto, FDA: Fourier domain adaptation for semantic segmentation, CVPR
 * 2020, as in Albumentations. Phases stay, so contents keep their places. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/stamps.h"
#include "pixels/fourier.h"

struct params {
    const char *stamp;
    double beta;
};

static const struct row rows[] = {
    TEXT(struct params, stamp, .preset = "\"\"",
         .help = "name of the reference picture, in the folder of --stamps; it is stretched to "
                 "the image's size; \"\": none"),
    NUMBER(struct params, beta, .preset = "0.1", .limit = { 0, 0.5 }, .usual = { 0, 0.2 },
           .help = "highest frequency that changes, in waves along each side, as a share of "
                   "the shorter side in pixels; 0: only the mean colour"),
    ROWS_END,
};

struct context {
    const struct plane *reference;
    int border;
};

static void adapt(const void *context, const struct plane *in, struct plane *out, struct pool *pool)
{
    const struct context *c = context;

    (void)pool;
    plane_adapt_spectrum(in, out, c->reference, c->border);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    const struct stamp *stamp = stamp_find(p->stamp);
    int shorter =
        scene->frame.width < scene->frame.height ? scene->frame.width : scene->frame.height;
    struct context *c = ARENA_NEW(scene->arena, struct context);

    if (!stamp && *p->stamp) {
        text_addf(scene->why, "there is no stamp \"%s\": see --stamps [stamp-missing]", p->stamp);
        return false;
    }
    if (!stamp)
        return true;
    *c = (struct context){ &stamp->plane, (int)floor(shorter * p->beta) };
    action_raster(out, adapt, c);
    return true;
}

const struct op adapt_spectrum_op = {
    .name = "adapt_spectrum",
    .summary = "give low frequencies the amplitudes of a reference picture",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"adapt_spectrum\", \"stamp\": \"stamp.png\", \"beta\": 0.02}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
