/* paint_over: paints over rectangles of the image, and updates the labels under them. */
#include "sample/object.h"

#include <string.h>

/* The area, in square pixels, from which a removal by holes counts as a cut. */
static const double HAIR = 1e-9;

/* The holes on the canvas. */
struct hide_context {
    struct sample *sample;
    struct box *box;
    size_t n;
    struct rle mask; /* of them all, made when first needed */
};

static bool is_hidden(const struct hide_context *h, struct point p)
{
    p = place_in_pixel(p, h->sample->frame);
    for (size_t i = 0; i < h->n; i++)
        if (p.x >= h->box[i].x0 && p.x < h->box[i].x1 && p.y >= h->box[i].y0 && p.y < h->box[i].y1)
            return true;
    return false;
}

static void hide_keypoints(const struct hide_context *h, struct object *o)
{
    for (size_t i = 0; i < o->n_keypoints; i++)
        if (o->keypoints[i].visibility == 2 && !o->keypoints[i].off_canvas &&
            is_hidden(h, o->keypoints[i].at)) {
            o->keypoints[i].visibility = 1;
            o->changes |= CHANGE_COVERED;
        }
}

static struct rings rings_of_boxes(const struct hide_context *h)
{
    struct rings r = { ARENA_ARRAY(h->sample->arena, struct ring, h->n), h->n };

    for (size_t i = 0; i < h->n; i++)
        r.ring[i] = ring_of_box(h->sample->arena, h->box[i]);
    return r;
}

/* --- shrinking --- */

static void note_hidden(struct object *o, double before, double after)
{
    object_note_cut(o, before, after);
    o->covered = !(after > HAIR);
}

/* Cuts both the box of an object without segmentation, to its uncovered part, and the outline in
 * it, by which visibility is measured. Finalizing counts the hidden rest of the outline. False if
 * the holes remove no side of the box. */
static bool shrink_box(const struct hide_context *h, struct object *o)
{
    struct box left = box_uncovered(o->bbox, h->box, h->n);

    if (box_is_empty(o->bbox) || box_contains(left, o->bbox, 0))
        return false;
    object_cut_box(o, h->sample->arena, left, 0);
    return true;
}

static void shrink_boxed(const struct hide_context *h, struct object *o)
{
    double before = ring_area(&o->outline);

    if (shrink_box(h, o))
        note_hidden(o, before, ring_area(&o->outline));
}

static const struct rle *mask_of(struct hide_context *h)
{
    if (!h->mask.n) {
        struct rings rings = rings_of_boxes(h);

        h->mask = rle_from_rings(h->sample->arena, &rings, h->sample->frame);
    }
    return &h->mask;
}

static bool shrink_polygons(const struct hide_context *h, struct object *o)
{
    struct rings left = rings_subtract(h->sample->arena, &o->rings, h->box, h->n);
    double before = rings_area(&o->rings), after = rings_area(&left);

    if (before - after <= HAIR)
        return false;
    o->rings = left;
    note_hidden(o, before, after);
    return true;
}

static bool shrink_runs(struct hide_context *h, struct object *o)
{
    struct rle left = rle_without(h->sample->arena, &o->rle, mask_of(h));
    uint64_t before = rle_area(&o->rle), after = rle_area(&left);

    if (after == before)
        return false;
    object_put_runs(o, left);
    note_hidden(o, (double)before, (double)after);
    return true;
}

static void shrink(struct hide_context *h, struct object *o)
{
    bool cut;

    if (o->segmentation == SEGMENTATION_NONE) {
        if (o->has_box)
            shrink_boxed(h, o);
        return;
    }
    cut = o->segmentation == SEGMENTATION_RLE ? shrink_runs(h, o) : shrink_polygons(h, o);
    if (cut && o->has_box)
        shrink_box(h, o);
}

static void hide_object(struct hide_context *h, enum hidden_rule rule, struct object *o)
{
    hide_keypoints(h, o);
    if (rule == LABELS_SHRINK)
        shrink(h, o);
    for (size_t i = 0; i < o->n_parts; i++)
        hide_object(h, rule, &o->parts[i]);
}

static void add_holes(const struct hide_context *h, struct rings *to)
{
    struct rings more = rings_of_boxes(h);
    struct ring *all = ARENA_ARRAY(h->sample->arena, struct ring, to->n + more.n);

    if (to->n)
        memcpy(all, to->ring, to->n * sizeof *all);
    memcpy(all + to->n, more.ring, more.n * sizeof *all);
    *to = (struct rings){ all, to->n + more.n };
}

void sample_hide(struct sample *s, const struct rects *rects, enum hidden_rule rule)
{
    struct hide_context h = { .sample = s };

    if (s->defers_occlusion) {
        s->unhidden = true;
        return;
    }
    h.box = ARENA_ARRAY(s->arena, struct box, rects->n);
    for (size_t i = 0; i < rects->n; i++) {
        h.box[h.n] = box_intersect(box_of_rect(rects->at[i]), box_of_frame(s->frame));
        h.n += !box_is_empty(h.box[h.n]);
    }
    if (!h.n)
        return;
    for (size_t i = 0; i < s->n_objects; i++)
        hide_object(&h, rule, &s->objects[i]);
    add_holes(&h, rule == LABELS_SHRINK ? &s->hidden.cutouts : &s->hidden.holes);
}
