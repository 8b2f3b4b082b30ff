/* webp: the artifacts of a lossy WebP of low quality. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "pixels/filters.h"
#include "pixels/picture.h"

struct params {
    int quality;
};

static const struct row rows[] = {
    CODEC_QUALITY_ROW(struct params),
    ROWS_END,
};

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    plane_webp(in, out, *(const int *)context, pool);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    int max = picture_format_max_side(PICTURE_WEBP);
    int *quality = ARENA_ARRAY(scene->arena, int, 1);

    if (scene->frame.width > max || scene->frame.height > max) {
        text_addf(scene->why, "%dx%d pixels exceed the maximum side of a WebP, %d",
                  scene->frame.width, scene->frame.height, max);
        return false;
    }
    if (!picture_library(PICTURE_WEBP, scene->why))
        return false;
    *quality = p->quality;
    action_raster(out, raster, quality);
    return true;
}

const struct op webp_op = {
    .name = "webp",
    .summary = "encode as a lossy WebP and decode again",
    .group = GROUP_NOISE,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"webp\", \"quality\": 20}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
