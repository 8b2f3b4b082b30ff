/* equalize_luma: makes all levels of luma about equally frequent; keeps chroma.
 *
 * Source: Albumentations' Equalize with by_channels false, which equalizes the Y of OpenCV's YCrCb.
 * With Y = 0.299 R + 0.587 G + 0.114 B, rounded to a level, a color c becomes c + (equalized(Y) -
 * Y). */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "steps/op_shared/equalize_levels.h"
#include "pixels/samples.h"

#include <stdlib.h>
#include <string.h>

struct params {
    int mode;
};

static const struct row rows[] = {
    CHOICE(struct params, mode, .preset = "\"cv\"", .choices = equalize_choices,
           .help = "the formula"),
    ROWS_END,
};

/* In integers, so that halves are rounded exactly. */
ALWAYS_INLINE int luma(int r, int g, int b)
{
    return (299 * r + 587 * g + 114 * b + 500) / 1000;
}

static void count_luma(const struct plane *in, uint32_t *count)
{
    size_t channels = (size_t)in->channels, width = (size_t)in->width;
    size_t more = channels < 3 ? 0 : 1; /* distance from color to color */

    for (int y = 0; y < in->height; y++) {
        const void *row = plane_row(in, y);

        for (size_t i = 0; i < width * channels; i += channels)
            count[luma(sample_level(row, in->type, i), sample_level(row, in->type, i + more),
                       sample_level(row, in->type, i + 2 * more))]++;
    }
}

struct spread {
    float unit, top;    /* of the plane's samples */
    const float *moves; /* change of each level of luma, on the 0..255 scale */
};

static void change(const void *context, int x, int y, float *restrict r, float *restrict g,
                   float *restrict b, int n)
{
    const struct spread *s = context;

    (void)x;
    (void)y;
    for (int i = 0; i < n; i++) {
        float by = s->moves[luma(sample_round(r[i] * s->unit, s->top),
                                 sample_round(g[i] * s->unit, s->top),
                                 sample_round(b[i] * s->unit, s->top))];

        r[i] += by;
        g[i] += by;
        b[i] += by;
    }
}

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct params *p = context;
    struct spread s = { (float)pixel_type_unit(in->type), (float)pixel_type_max(in->type), NULL };
    int levels = (int)s.top + 1;
    uint32_t *count = memory_take(2 * (size_t)levels * sizeof *count), *to = count + levels;
    float *moves = memory_take((size_t)levels * sizeof *moves);

    (void)pool;
    memset(count, 0, (size_t)levels * sizeof *count);
    count_luma(in, count);
    levels_spread(count, levels, p->mode, to);
    for (int i = 0; i < levels; i++)
        moves[i] = ((float)to[i] - (float)i) / s.unit;
    s.moves = moves;
    plane_colour_at(in, out, change, &s);
    free(count);
    free(moves);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    struct params *p = ARENA_NEW(scene->arena, struct params);

    *p = *(const struct params *)params;
    action_raster(out, raster, p);
    return true;
}

const struct op equalize_luma_op = {
    .name = "equalize_luma",
    .summary = "spread the levels of luma evenly; chroma is kept",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"equalize_luma\"}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
