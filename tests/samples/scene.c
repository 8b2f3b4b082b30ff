/* scene: turns outlines into labels: the owner of each pixel, and the value of the mask there. */
#include "scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct scene scene_new(int w, int h, uint32_t seed)
{
    size_t n = (size_t)w * (size_t)h;
    struct scene s = { .c = canvas_new(w, h, seed),
                       .label = calloc(n, 1),
                       .owner = calloc(n, sizeof *s.owner),
                       .object = calloc(OBJECTS_MAX, sizeof *s.object) };

    if (!s.label || !s.owner || !s.object)
        abort();
    return s;
}

void scene_drop(struct scene *s)
{
    canvas_drop(&s->c);
    free(s->label);
    free(s->owner);
    free(s->object);
}

/* Puts label and owner on every pixel whose centre is inside. */
static void mark(struct scene *s, const struct ring *r, int label, int owner)
{
    for (int y = 0; y < s->c.h; y++) {
        double x[128];
        int n = ring_crossings(r, y + 0.5, x, 128);

        for (int i = 0; i + 1 < n; i += 2)
            for (int k = (int)fmax(0, ceil(x[i] - 0.5)); k < s->c.w && k + 0.5 < x[i + 1]; k++) {
                s->label[y * s->c.w + k] = (uint8_t)label;
                s->owner[y * s->c.w + k] = owner;
            }
    }
}

void stuff_label(struct scene *s, enum stuff label, const struct ring *r)
{
    mark(s, r, (int)label, 0);
}

void stuff(struct scene *s, enum stuff label, struct ring r, struct paint p)
{
    fill(&s->c, r, p);
    mark(s, &r, (int)label, 0);
}

/* Lets paint through only where the shape covers the pixel. */
static void clip_to(struct scene *s, const struct shape *shape)
{
    size_t n = (size_t)s->c.w * (size_t)s->c.h;
    double *row = calloc((size_t)s->c.w, sizeof *row);

    free(s->c.clip);
    s->c.clip = calloc(n, sizeof *s->c.clip);
    if (!s->c.clip || !row)
        abort();
    for (int i = 0; i < shape->n; i++)
        for (int y = 0; y < s->c.h; y++) {
            double *clip = s->c.clip + (size_t)y * (size_t)s->c.w;

            ring_cover(&shape->ring[i], y, row, s->c.w);
            for (int x = 0; x < s->c.w; x++)
                clip[x] = 1 - (1 - clip[x]) * (1 - row[x]);
        }
    free(row);
}

void thing_more(struct scene *s, const struct shape *shape)
{
    struct object *o = &s->object[s->n - 1];

    for (int i = 0; i < shape->n; i++)
        mark(s, &shape->ring[i], (int)o->category, s->n);
    clip_to(s, shape);
}

struct object *thing_parts(struct scene *s, enum category category, enum kind kind, enum form form,
                           const struct shape *shape)
{
    struct object *o = &s->object[s->n];
    struct shape *out = malloc(sizeof *out);

    if (!out || s->n == OBJECTS_MAX)
        abort();
    *out = *shape;
    for (int i = 0; i < out->n; i++)
        ring_round(&out->ring[i], form == WHOLE ? 1 : form == POINT_ZERO ? 0.5 : 0.01);
    *o = (struct object){ .category = category, .kind = kind, .form = form };
    o->bounds = shape_bounds(out);
    if (kind == POLYGON) {
        if (out->n > OUTLINE_MAX)
            abort();
        o->rings = out->n;
        for (int i = 0; i < out->n; i++)
            o->ring[i] = out->ring[i];
    }
    s->n++;
    thing_more(s, out);
    free(out);
    return o;
}

struct object *thing(struct scene *s, enum category category, enum kind kind, enum form form,
                     const struct shape *shape)
{
    struct shape *traced = malloc(sizeof *traced);
    struct bounds b = shape_bounds(shape);
    bool inside = b.x0 >= 0 && b.y0 >= 0 && b.x1 <= s->c.w && b.y1 <= s->c.h;
    struct object *o;

    if (!traced)
        abort();
    *traced = *shape;
    if ((kind == POLYGON || kind == BOX || kind == BOX_BARE) && (shape->n > 1 || !inside))
        shape_trace(shape, s->c.w, s->c.h, traced);
    o = thing_parts(s, category, kind, form, traced);
    free(traced);
    return o;
}

void thing_done(struct scene *s)
{
    free(s->c.clip);
    s->c.clip = NULL;
}

void coat(struct scene *s, struct paint p)
{
    struct bounds b = s->object[s->n - 1].bounds;

    fill(&s->c, ring_box(b.x0, b.y0, b.x1, b.y1), p);
}

static void fail(const char *name, const struct object *o, int number, const char *what)
{
    fprintf(stderr, "make_samples: %s: object %d (category %d): %s\n", name, number,
            (int)o->category, what);
    exit(1);
}

/* True if the pixel's center is inside one of the object's rings. */
static bool inside(const struct object *o, int px, int y)
{
    for (int i = 0; i < o->rings; i++) {
        double x[128];
        int n = ring_crossings(&o->ring[i], y + 0.5, x, 128);

        for (int k = 0; k + 1 < n; k += 2)
            if (px + 0.5 >= x[k] && px + 0.5 < x[k + 1])
                return true;
    }
    return false;
}

void scene_check(const struct scene *s, const char *name)
{
    for (int k = 0; k < s->n; k++) {
        const struct object *o = &s->object[k];
        const struct bounds *b = &o->bounds;
        long pixels = 0;

        for (int i = 0; i < s->c.w * s->c.h; i++)
            pixels += s->owner[i] == k + 1;
        if (!pixels)
            fail(name, o, k, "no pixel of it is to be seen");
        if (o->kind == POLYGON || o->kind == BOX || o->kind == BOX_BARE)
            if (b->x0 < 0 || b->y0 < 0 || b->x1 > s->c.w || b->y1 > s->c.h)
                fail(name, o, k, "it leaves the frame");
        if (o->kind != POLYGON)
            continue;
        for (int y = (int)b->y0; y < b->y1; y++)
            for (int x = (int)b->x0; x < b->x1; x++)
                if (inside(o, x, y) != (s->owner[y * s->c.w + x] == k + 1))
                    fail(name, o, k, "its polygon is hidden in part");
    }
}
