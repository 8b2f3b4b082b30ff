/* superpixels: fills segments with one color each. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "pixels/filters.h"

struct params {
    int n_segments, interpolation;
    double p_replace;
    struct optional max_size;
    int64_t key;
};

static const struct row rows[] = {
    INTEGER(struct params, n_segments, .preset = "100", .limit = { 1, 100000 }, .usual = { 1, 200 },
            .help = "approximate number of segments"),
    NUMBER(struct params, p_replace, .preset = "0.1", .limit = { 0, 1 },
           .help = "probability of a segment to become one colour"),
    MAX_SEGMENTED_ROWS(struct params),
    KEY_ROW(struct params),
    ROWS_END,
};

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct params *p = context;
    struct superpixels settings = { p->n_segments, p->p_replace, (uint32_t)p->key };
    enum interpolation interpolation = (enum interpolation)p->interpolation;
    int longer = in->width > in->height ? in->width : in->height;
    double scale = p->max_size.given ? p->max_size.number / longer : 1;
    struct frame f = { (int)(in->width * scale), (int)(in->height * scale) };
    struct plane small, made;

    if (scale >= 1) {
        plane_superpixels(in, out, &settings);
        return;
    }
    f = (struct frame){ f.width > 0 ? f.width : 1, f.height > 0 ? f.height : 1 };
    small = pool_plane(pool, f, in->channels, in->type);
    made = pool_plane(pool, f, in->channels, in->type);
    plane_resize_any(in, &small, interpolation, false);
    if (plane_superpixels(&small, &made, &settings))
        plane_resize_any(&made, out, interpolation, false);
    else
        plane_copy(in, out);
    plane_restore_alpha(in, out);
    pool_return(pool, &small);
    pool_return(pool, &made);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    (void)scene;
    if (p->p_replace > 0)
        action_raster(out, raster, p);
    return true;
}

const struct op superpixels_op = {
    .name = "superpixels",
    .summary = "fill some segments of similar pixels with their mean colour",
    .group = GROUP_NOISE,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"superpixels\", \"n_segments\": 150, \"p_replace\": 0.8, "
               "\"max_size\": null, \"key\": 7}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
