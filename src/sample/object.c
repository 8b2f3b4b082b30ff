/* object: cuts by canvases and holes. */
#include "sample/object.h"

#include <math.h>
#include <string.h>

double object_segmentation_area(const struct object *o)
{
    return o->segmentation == SEGMENTATION_RLE ? (double)rle_area(&o->rle) : rings_area(&o->rings);
}

void object_note_cut(struct object *o, double before, double after)
{
    o->changes |= CHANGE_CUT;
    if (before > 0)
        o->visibility *= fmin(1, fmax(0, after / before));
}

/* RLE is rounded to pixels where the image's pixels are, and so are segments, which share a
 * picture. Where pixels are interpolated, the last mask without rounding is moved again. */
void object_move_runs(struct object *o, const struct sample *s, const struct map *map,
                      struct frame out)
{
    bool placed = !map->field && mat3_is_placement(&map->forward);
    struct rle_moves *last;

    if (s->segments || !(map->blends || (placed && o->moves))) {
        o->rle = rle_move(s->arena, &o->rle, map, out);
        o->moves = placed ? o->moves : NULL;
        return;
    }
    last = ARENA_NEW(s->arena, struct rle_moves);
    *last = (struct rle_moves){ o->moves, map, s->frame, out };
    if (!o->moves)
        o->unmoved = o->rle;
    o->moves = last;
    o->rle = placed ? rle_move(s->arena, &o->rle, map, out)
                    : rle_move_through(s->arena, &o->unmoved, last);
}

static bool is_narrow(struct box b, double width)
{
    return b.x1 - b.x0 <= width || b.y1 - b.y0 <= width;
}

void object_drop_rounded(struct object *o, struct arena *arena, double rounding)
{
    struct rings left = { ARENA_ARRAY(arena, struct ring, o->rings.n), 0 };

    for (size_t i = 0; i < o->rings.n; i++) {
        struct ring *r = &o->rings.ring[i];

        if (!r->cut || !is_narrow(box_of_points(r->at, r->n), rounding))
            left.ring[left.n++] = *r;
    }
    o->rings = left;
}

void object_drop_slivers(struct object *o, struct arena *arena, struct frame frame)
{
    struct rings left = { NULL, 0 };

    if (o->segmentation != SEGMENTATION_POLYGONS || o->rings.n < 2)
        return;
    left.ring = ARENA_ARRAY(arena, struct ring, o->rings.n);
    for (size_t i = 0; i < o->rings.n; i++)
        if (!o->rings.ring[i].cut || ring_covers_centre(&o->rings.ring[i], frame))
            left.ring[left.n++] = o->rings.ring[i];
    if (left.n)
        o->rings = left;
}

/* Returns the part of the outline in the region; without points if there is none. */
static struct ring outline_within(const struct object *o, struct arena *arena, struct box region,
                                  double rounding)
{
    struct rings left = ring_clip(arena, &o->outline, region);
    struct ring one = { 0 };

    if (left.n)
        one = left.n > 1 ? rings_tied(arena, &left) : *left.ring;
    return is_narrow(box_of_points(one.at, one.n), rounding) ? (struct ring){ 0 } : one;
}

void object_cut_box(struct object *o, struct arena *arena, struct box region, double rounding)
{
    double before = ring_area(&o->outline);

    o->outline = outline_within(o, arena, region, rounding);
    o->bbox = o->outline.n ? box_intersect(o->bbox, region) : (struct box){ 0 };
    if (before > 0 && o->segmentation == SEGMENTATION_NONE)
        o->area = o->area * ring_area(&o->outline) / before;
}

/* Without a map, the coordinates have the rounding error of the numbers that they were computed
 * from. */
static double rounding_on(struct box canvas, struct box b)
{
    struct box all = { fmin(canvas.x0, b.x0), fmin(canvas.y0, b.y0), fmax(canvas.x1, b.x1),
                       fmax(canvas.y1, b.y1) };

    return fmin(EDGE_SLACK, mat3_rounding(&MAT3_IDENTITY, all));
}

static void trim_polygons(struct object *o, const struct sample *s)
{
    struct box canvas = box_of_frame(s->frame), bounds = rings_bounds(&o->rings);
    double rounding = rounding_on(canvas, bounds);

    if (box_contains_small(canvas, bounds, rounding))
        return;
    o->rings = rings_clip(s->arena, &o->rings, canvas);
    object_drop_rounded(o, s->arena, rounding);
    o->changes |= CHANGE_CUT;
}

static void trim_box(struct object *o, const struct sample *s)
{
    struct box canvas = box_of_frame(s->frame);
    double rounding = rounding_on(canvas, o->bbox);

    if (box_contains_small(canvas, o->bbox, rounding))
        return;
    object_cut_box(o, s->arena, canvas, rounding);
    o->size = box_extent(o->bbox);
    if (o->segmentation == SEGMENTATION_NONE)
        o->changes |= CHANGE_CUT;
}

void object_end_at_canvas(struct object *o, const struct sample *s)
{
    if (o->segmentation == SEGMENTATION_POLYGONS)
        trim_polygons(o, s);
    if (o->has_box && o->outline.n)
        trim_box(o, s);
}

void object_trim(struct object *o, const struct sample *s)
{
    struct ring outline = o->outline;

    object_end_at_canvas(o, s);
    o->outline = outline;
}

void object_put_text(struct object *o, struct arena *arena, const char *key, const char *text)
{
    struct put_text *put = ARENA_NEW(arena, struct put_text);

    *put = (struct put_text){ arena_copy(arena, key, strlen(key)),
                              arena_copy(arena, text, strlen(text)), o->texts };
    o->texts = put;
    o->changes |= CHANGE_WORDED;
}

const char *object_text_put(const struct object *o, const char *key)
{
    for (const struct put_text *t = o->texts; t; t = t->before)
        if (strcmp(t->key, key) == 0)
            return t->text;
    return NULL;
}
