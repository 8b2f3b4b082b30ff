/* overlay: a picture with alpha is laid over the image; what it hides counts against visibility. */
#include "../op.h"
#include "../op/actions.h"
#include "../op/rows.h"
#include "../op/stamps.h"

#include <string.h>

struct params {
    const char *stamp;
    int top, left, height, width;
    double opacity;
    struct optional fill_mask;
    int labels;
};

static const struct row rows[] = {
    TEXT(struct params, stamp, .preset = "\"\"",
         .help = "the name of a picture of the folder that --stamps names; \"\": none"),
    INTEGER(struct params, top, .unit = "pixels", .preset = "0", .limit = { -65500, 65500 },
            .usual = { -10, 40 }, .help = "row of the image where it begins"),
    INTEGER(struct params, left, .unit = "pixels", .preset = "0", .limit = { -65500, 65500 },
            .usual = { -10, 40 }, .help = "column of the image where it begins"),
    INTEGER(struct params, height, .unit = "pixels", .preset = "0", .limit = { 0, 65500 },
            .usual = { 0, 30 }, .help = "rows that it is scaled to; 0: it keeps its own"),
    INTEGER(struct params, width, .unit = "pixels", .preset = "0", .limit = { 0, 65500 },
            .usual = { 0, 30 }, .help = "columns that it is scaled to; 0: it keeps its own"),
    NUMBER(struct params, opacity, .preset = "1", .limit = { 0, 1 },
           .help = "what its alpha is multiplied by; what shows with half or more of it is hidden "
                   "from labels"),
    HIDE_ROWS(struct params),
    ROWS_END,
};

/* The picture as it lies, and what of the image it hides. */
struct overlay {
    struct plane stamp;
    int top, left;
    double opacity;
    struct rects hidden;
    enum hidden_rule labels;
};

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct overlay *o = context;

    (void)pool;
    plane_copy(in, out);
    plane_overlay(&o->stamp, out, o->left, o->top, o->opacity);
}

static bool hide(const void *context, const struct rules *rules, struct sample *sample,
                 struct text *why)
{
    const struct overlay *o = context;

    (void)rules;
    (void)why;
    sample_hide(sample, &o->hidden, o->labels);
    return true;
}

/* In the arena, of its own size where none is given. */
static struct plane scaled(const struct stamp *stamp, const struct params *p, struct arena *arena)
{
    struct plane out = stamp->plane;

    if (p->height)
        out.height = p->height;
    if (p->width)
        out.width = p->width;
    if (out.height == stamp->plane.height && out.width == stamp->plane.width)
        return out;
    out.stride = (size_t)out.width * (size_t)out.channels * sizeof(float);
    out.px = arena_take(arena, out.stride * (size_t)out.height);
    plane_resize(&stamp->plane, &out, INTERPOLATION_BILINEAR, true);
    return out;
}

/* What of the frame shows the picture and no more than half of what is below it. */
static struct rects hidden_by(const struct overlay *o, struct frame frame, struct arena *arena)
{
    size_t stride = (size_t)frame.width;
    uint8_t *bitmap = arena_take(arena, stride * (size_t)frame.height);
    struct rle rle;

    memset(bitmap, 0, stride * (size_t)frame.height);
    for (int y = 0; y < o->stamp.height; y++) {
        const float *row = (const void *)((const char *)o->stamp.px + (size_t)y * o->stamp.stride);
        int to = y + o->top;

        for (int x = 0; to >= 0 && to < frame.height && x < o->stamp.width; x++)
            if (x + o->left >= 0 && x + o->left < frame.width && row[4 * x + 3] * o->opacity >= 0.5)
                bitmap[(size_t)to * stride + (size_t)(x + o->left)] = 1;
    }
    rle = rle_from_bitmap(arena, bitmap, stride, frame);
    return rle_to_rects(arena, &rle);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    const struct stamp *stamp = stamp_find(p->stamp);
    struct overlay *o = ARENA_NEW(scene->arena, struct overlay);
    struct action paint = *out;

    if (!stamp && *p->stamp) {
        text_addf(scene->why, "there is no stamp \"%s\": see --stamps [stamp-missing]", p->stamp);
        return false;
    }
    if (!stamp || p->opacity <= 0)
        return true;
    *o = (struct overlay){ .stamp = scaled(stamp, p, scene->arena),
                           .top = p->top,
                           .left = p->left,
                           .opacity = p->opacity,
                           .labels = (enum hidden_rule)p->labels };
    o->hidden = hidden_by(o, scene->frame, scene->arena);
    action_raster(out, raster, o);
    action_labels(out, hide, o);
    action_paint(scene, &paint, &o->hidden, &(struct colour){ 0 }, false, 0);
    action_hides(scene, &paint, &p->fill_mask, p->labels);
    out->mask = paint.mask;
    return true;
}

const struct op overlay_op = {
    .name = "overlay",
    .summary = "lay a picture with alpha, a stamp, over the image; hidden objects lose visibility",
    .group = GROUP_JOIN,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"overlay\", \"stamp\": \"stamp.png\", \"top\": 20, \"left\": 30, "
               "\"height\": 40, \"width\": 60}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS | EFFECT_HIDES,
    .resolve = resolve,
};
