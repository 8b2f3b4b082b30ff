/* adapt_spectrum: low frequencies become as strong as those of a reference picture.
 *
 * Source: Y. Yang and S. Soatto, FDA: Fourier domain adaptation for semantic segmentation, CVPR
 * 2020, as Albumentations has it: phases stay, and so what is where. */
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
         .help = "the name of the reference: a picture of the folder that --stamps names, which is "
                 "stretched to the image's size; \"\": none"),
    NUMBER(struct params, beta, .preset = "0.1", .limit = { 0, 0.5 }, .usual = { 0, 0.2 },
           .help = "frequencies of at most so many waves along each side change, as a share of "
                   "the shorter side in pixels; 0: the mean colour alone"),
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
    .summary = "make low frequencies as strong as those of a reference picture",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"adapt_spectrum\", \"stamp\": \"stamp.png\", \"beta\": 0.02}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
