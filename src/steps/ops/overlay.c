/* overlay: composites a picture with alpha onto the image; hidden objects lose visibility. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"
#include "steps/op_shared/stamps.h"

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
         .help = "name of a picture in the folder of --stamps; \"\": none"),
    INTEGER(struct params, top, .unit = "pixels", .preset = "0", .limit = { -65500, 65500 },
            .usual = { -10, 40 }, .help = "row of the image where the picture begins"),
    INTEGER(struct params, left, .unit = "pixels", .preset = "0", .limit = { -65500, 65500 },
            .usual = { -10, 40 }, .help = "column of the image where the picture begins"),
    INTEGER(struct params, height, .unit = "pixels", .preset = "0", .limit = { 0, 65500 },
            .usual = { 0, 30 }, .help = "height that it is scaled to; 0: its own height"),
    INTEGER(struct params, width, .unit = "pixels", .preset = "0", .limit = { 0, 65500 },
            .usual = { 0, 30 }, .help = "width that it is scaled to; 0: its own width"),
    NUMBER(struct params, opacity, .preset = "1", .limit = { 0, 1 },
           .help = "factor for its alpha; parts with an alpha of half or more hide labels"),
    HIDE_ROWS(struct params),
    ROWS_END,
};

/* The placed picture, and the pixels of the image that it hides. */
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

/* Returns the scaled part of the picture that is on the frame, in the arena. */
static struct plane scaled(const struct stamp *stamp, const struct resize_part *scale,
                           struct arena *arena)
{
    struct plane out = stamp->plane;
    struct rect takes = resize_takes(scale);
    struct plane in = plane_part(&stamp->plane, takes.x, takes.y, takes.w, takes.h);
    struct resizer *resizer;

    out.height = scale->part.h;
    out.width = scale->part.w;
    out.stride = (size_t)out.width * (size_t)out.channels * sizeof(float);
    out.px = arena_take(arena, out.stride * (size_t)out.height);
    resizer = resizer_begin_part(scale, &in, takes.x, takes.y, &out);
    resizer_rows(resizer, 0, out.height);
    resizer_end(resizer);
    return out;
}

/* Returns false if no part is on the frame. Only that part is made, since the picture may be scaled
 * to a size that does not fit into memory. */
static bool lay(struct overlay *o, const struct stamp *stamp, const struct params *p,
                const struct scene *scene)
{
    struct frame own = { stamp->plane.width, stamp->plane.height };
    struct resize_part scale = { .in = own,
                                 .whole = { p->width ? p->width : own.width,
                                            p->height ? p->height : own.height },
                                 .interpolation = INTERPOLATION_BILINEAR,
                                 .antialias = true };
    struct box seen = box_intersect(
        box_of_rect((struct rect){ p->left, p->top, scale.whole.width, scale.whole.height }),
        box_of_frame(scene->frame));

    if (box_is_empty(seen))
        return false;
    o->left = (int)seen.x0;
    o->top = (int)seen.y0;
    scale.part = (struct rect){ o->left - p->left, o->top - p->top, (int)(seen.x1 - seen.x0),
                                (int)(seen.y1 - seen.y0) };
    o->stamp = frame_equal(scale.whole, own) ? plane_part(&stamp->plane, scale.part.x, scale.part.y,
                                                          scale.part.w, scale.part.h)
                                             : scaled(stamp, &scale, scene->arena);
    return true;
}

/* Returns the pixels of the frame where the picture hides at least half of the image. */
static struct rects hidden_by(const struct overlay *o, struct frame frame, struct arena *arena)
{
    size_t stride = (size_t)frame.width;
    uint8_t *bitmap = arena_take(arena, stride * (size_t)frame.height);
    struct rle rle;

    memset(bitmap, 0, stride * (size_t)frame.height);
    for (int y = 0; y < o->stamp.height; y++) {
        const float *row = (const void *)((const char *)o->stamp.px + (size_t)y * o->stamp.stride);
        uint8_t *to = bitmap + (size_t)(y + o->top) * stride + o->left;

        for (int x = 0; x < o->stamp.width; x++)
            to[x] = row[4 * x + 3] * o->opacity >= 0.5;
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
    *o = (struct overlay){ .opacity = p->opacity, .labels = (enum hidden_rule)p->labels };
    if (!stamp || p->opacity <= 0 || !lay(o, stamp, p, scene))
        return true;
    o->hidden = hidden_by(o, scene->frame, scene->arena);
    action_raster(out, raster, o);
    action_labels(out, hide, o);
    action_paint(scene, &paint, &o->hidden, &(struct paint){ 0 }, false, 0);
    action_hides(scene, &paint, &p->fill_mask, p->labels);
    out->mask = paint.mask;
    return true;
}

const struct op overlay_op = {
    .name = "overlay",
    .summary = "composite a picture with alpha, a stamp, onto the image; hidden objects lose "
               "visibility",
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
