/* jpeg: the artifacts of a JPEG of low quality. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "pixels/filters.h"

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
    plane_jpeg(in, out, *(const int *)context, pool);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    int *quality = ARENA_ARRAY(scene->arena, int, 1);

    if (scene->frame.width > 65500 || scene->frame.height > 65500) {
        text_addf(scene->why, "%dx%d pixels exceed the maximum size of a JPEG", scene->frame.width,
                  scene->frame.height);
        return false;
    }
    *quality = p->quality;
    action_raster(out, raster, quality);
    return true;
}

const struct op jpeg_op = {
    .name = "jpeg",
    .summary = "encode as a JPEG (4:2:0) and decode again",
    .group = GROUP_NOISE,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"jpeg\", \"quality\": 20}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
