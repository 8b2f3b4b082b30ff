/* draw_text: draws texts into boxes, and sets them in the annotations of the objects with these
 * boxes. */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/checks.h"
#include "steps/op_shared/font.h"
#include "steps/op_shared/extra_members.h"
#include "steps/op_shared/rows.h"
#include "pixels/coverage.h"

#include <stdlib.h>
#include <string.h>

struct params {
    struct names texts;
    struct rects boxes;
    struct numbers font_size, objects;
    const char *key;
    struct colour font_color;
    bool clear_bg;
};

static const struct row rows[] = {
    NAMES(struct params, texts, .preset = "null",
          .help = "one text per box, in UTF-8: one glyph of the font per character, from left to "
                  "right, with kerning; no shaping and no other direction. A character that the "
                  "font lacks is drawn as its .notdef glyph, usually a frame; control characters "
                  "become spaces"),
    RECTS(struct params, boxes, .preset = "[]", .unit = "pixels", .limit = { -65500, 65500 },
          .usual = { 0, 40 },
          .help = "box of each text, [top, left, height, width]: the text begins at the left; "
                  "the font's ascent is at the top; the box clips it"),
    NUMBERS(struct params, font_size, .preset = "[]", .unit = "pixels", .whole = true,
            .most = 1000000, .limit = { 1, 65500 }, .usual = { 8, 30 },
            .help = "side of the em square of each text"),
    NUMBERS(struct params, objects, .preset = "[]", .whole = true, .most = 1000000,
            .limit = { 0, 999999999 }, .usual = { 0, 3 },
            .help = "object of each text: its index among all objects of the image, as read "
                    "and joined, from 0; empty: no objects"),
    TEXT_ROWS(struct params),
    ROWS_END,
};

static bool check_count(size_t n, size_t boxes, const char *name, const struct value *step,
                        struct faults *faults)
{
    const struct value *given = value_get(step, name);

    return n == boxes ||
           value_fault(faults, given ? given : step, false, "param-length",
                       "%zu \"%s\" for %zu \"boxes\"; expected the same number", n, name, boxes);
}

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct params *p = params;
    bool good = check_count(p->texts.n, p->boxes.n, "texts", step, faults);

    good &= check_count(p->font_size.n, p->boxes.n, "font_size", step, faults);
    good &= !p->objects.n || check_count(p->objects.n, p->boxes.n, "objects", step, faults);
    return text_key_check(p->key, step, faults) && good;
}

/* A text in the part of its box that is inside the image. */
struct text_part {
    struct rect part;
    struct text_line line;
    struct point origin; /* of its pen, relative to the part's corner */
    double scale;        /* pixels per font unit */
};

struct text_context {
    const struct params *params;
    const struct font *font;
    const struct text_part *at;
    size_t n;
    float rgb[3];
    struct rects cleared;
    bool lacking;
};

/* --- pixels --- */

static void cover(const struct text_context *w, const struct text_part *t, float *gain)
{
    struct arena arena = { 0 };

    for (size_t i = 0; i < t->line.n; i++) {
        const struct placed_glyph *g = &t->line.at[i];
        struct point pen = { t->origin.x + (double)g->pen * t->scale, t->origin.y };
        struct rings rings = font_outlines(w->font, g->glyph, pen, t->scale, &arena);

        for (size_t k = 0; k < rings.n; k++)
            cover_add_polygon(rings.ring[k].at, rings.ring[k].n, t->part.w, t->part.h, gain);
        arena_reset(&arena);
    }
    arena_drop(&arena);
    cover_shares(t->part.w, t->part.h, gain);
}

static void write_text(const struct text_context *w, const struct text_part *t, struct plane *out,
                       struct pool *pool)
{
    size_t places = (size_t)(t->part.w + 1) * (size_t)t->part.h;
    struct frame frame = { t->part.w, t->part.h };
    struct plane ink = pool_plane(pool, frame, 4, PIXEL_F32);
    float *share = memory_take(places * sizeof *share);

    memset(share, 0, places * sizeof *share);
    cover(w, t, share);
    for (int y = 0; y < frame.height; y++) {
        const float *from = share + (size_t)y * (size_t)(frame.width + 1);
        float *to = (void *)((char *)ink.px + (size_t)y * ink.stride);

        for (int x = 0; x < frame.width; x++) {
            for (int c = 0; c < 3; c++)
                to[4 * x + c] = w->rgb[c] * from[x];
            to[4 * x + 3] = from[x];
        }
    }
    plane_overlay(&ink, out, t->part.x, t->part.y, 1);
    free(share);
    pool_return(pool, &ink);
}

static void raster(const void *context, const struct plane *in, struct plane *out,
                   struct pool *pool)
{
    const struct text_context *w = context;

    plane_copy(in, out);
    if (w->params->clear_bg)
        plane_inpaint(out, &w->cleared, PAINT_INPAINT_TELEA);
    for (size_t i = 0; i < w->n; i++)
        write_text(w, &w->at[i], out, pool);
}

/* --- labels --- */

static bool put(const void *context, const struct rules *rules, struct sample *sample,
                struct text *why)
{
    const struct text_context *w = context;
    const struct params *p = w->params;

    (void)rules;
    (void)why;
    sample->lacking |= w->lacking;
    for (size_t i = 0; i < p->objects.n; i++) {
        size_t place = (size_t)p->objects.at[i];

        if (place < sample->n_objects)
            object_put_text(&sample->objects[place], sample->arena, p->key, p->texts.at[i]);
    }
    return true;
}

/* --- resolving --- */

/* Lays out text i. Returns false with the reason. */
static bool lay(struct text_context *w, size_t i, const struct scene *scene, struct text_part *to)
{
    const struct rect *box = &w->params->boxes.at[i];
    double size = w->params->font_size.at[i], units = font_units(w->font);
    struct box part = box_intersect(box_of_rect(*box), box_of_frame(scene->frame));

    *to = (struct text_part){ .scale = size / units };
    if (box_is_empty(part))
        return true;
    to->part = (struct rect){ (int)part.x0, (int)part.y0, (int)(part.x1 - part.x0),
                              (int)(part.y1 - part.y0) };
    to->origin.x = box->x - part.x0;
    to->origin.y = box->y - part.y0 + ceil(font_ascender(w->font) * size / units);
    return font_lay(w->font, w->params->texts.at[i], box->w / to->scale, scene->arena, &to->line,
                    scene->why);
}

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    struct text_context *w = ARENA_NEW(scene->arena, struct text_context);
    struct text_part *at = ARENA_ARRAY(scene->arena, struct text_part, p->boxes.n);

    *w = (struct text_context){ .params = p, .font = font_given(), .at = at, .cleared = p->boxes };
    if (!p->boxes.n)
        return true;
    if (!w->font) {
        text_adds(scene->why, "there is no font; give a file with --font [font-none]");
        return false;
    }
    scene_colour(scene, &p->font_color, w->rgb);
    for (size_t i = 0; i < p->boxes.n; i++) {
        if (!lay(w, i, scene, &at[w->n]))
            return false;
        w->lacking |= at[w->n].line.lacking;
        w->n += at[w->n].part.w > 0;
    }
    action_raster(out, raster, w);
    action_labels(out, put, w);
    return true;
}

const struct op draw_text_op = {
    .name = "draw_text",
    .summary = "write texts into boxes, with the font of --font, and into the annotations of "
               "their objects",
    .group = GROUP_JOIN,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"draw_text\", \"texts\": [\"Exit25\"], \"boxes\": [[20, 30, 40, "
               "200]], \"font_size\": [32], \"font_color\": [255, 200, 0]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_RASTER,
    .effect = EFFECT_RECOLOURS | EFFECT_RELABELS,
    .check = check,
    .resolve = resolve,
};
