/* map_labels_back: labels on their way back from an image to one that it was made of. */
#include "sample/map_labels_back.h"

#include "sample/object.h"

#include "geom/nms.h"

#include <math.h>

/* --- the horizon --- */

/* The side of a line where n . p >= limit; n has length 1. */
struct side {
    struct point n;
    double limit;
};

/* Parts of a canvas may be beyond the horizon of the map that leads back from it; they show nothing
 * of the image. Everything that shows the image is on this side of a line halfway to the horizon.
 */
static struct side side_that_shows(const struct back_step *step)
{
    const double *m = step->map.inverse.m;
    double min = INFINITY, sign = 1, length = hypot(m[6], m[7]);
    struct point corner[4];

    box_corners(box_of_frame(step->in), corner);
    for (size_t i = 0; i < COUNTOF(corner); i++) {
        struct point p = mat3_apply(&step->map.forward, corner[i]);
        double w = m[6] * p.x + m[7] * p.y + m[8];

        sign = w < 0 ? -1 : 1;
        min = fmin(min, fabs(w));
    }
    return (struct side){ { sign * m[6] / length, sign * m[7] / length },
                          (min / 2 - sign * m[8]) / length };
}

static double depth(const struct side *side, struct point p)
{
    return side->n.x * p.x + side->n.y * p.y - side->limit;
}

static bool is_shown(const struct side *side, const struct ring *r)
{
    for (size_t i = 0; i < r->n; i++)
        if (depth(side, r->at[i]) < 0)
            return false;
    return true;
}

/* Returns the ring's part on that side: it is rotated until the line is vertical, and cut there. */
static struct rings shown_part(struct arena *arena, const struct side *side, const struct ring *r)
{
    const struct mat3 turn = { { side->n.x, side->n.y, 0, -side->n.y, side->n.x, 0, 0, 0, 1 } };
    const struct mat3 back = { { side->n.x, -side->n.y, 0, side->n.y, side->n.x, 0, 0, 0, 1 } };
    struct ring turned = ring_copy(arena, r);
    struct box bounds;
    struct rings left;

    rings_apply(&(struct rings){ &turned, 1 }, &turn);
    bounds = box_of_points(turned.at, turned.n);
    left = ring_clip(arena, &turned,
                     (struct box){ side->limit, bounds.y0 - 1, bounds.x1 + 1, bounds.y1 + 1 });
    rings_apply(&left, &back);
    return left;
}

static void trim_polygons(struct arena *arena, const struct side *side, struct object *o)
{
    struct ring *list = NULL;
    size_t n = 0, room = 0;

    for (size_t i = 0; i < o->rings.n; i++) {
        struct rings part = { &o->rings.ring[i], 1 };

        if (!is_shown(side, &o->rings.ring[i])) {
            part = shown_part(arena, side, &o->rings.ring[i]);
            o->changes |= CHANGE_CUT;
        }
        if (n + part.n > room) {
            struct ring *more = ARENA_ARRAY(arena, struct ring, room = 2 * (n + part.n));

            for (size_t k = 0; k < n; k++)
                more[k] = list[k];
            list = more;
        }
        for (size_t k = 0; k < part.n; k++)
            list[n++] = part.ring[k];
    }
    o->rings = (struct rings){ list, n };
}

static void trim_box(struct arena *arena, const struct side *side, struct object *o)
{
    double before = ring_area(&o->outline);
    struct rings left;

    if (is_shown(side, &o->outline))
        return;
    left = shown_part(arena, side, &o->outline);
    o->outline = left.n ? left.ring[0] : (struct ring){ 0 };
    o->bbox = left.n ? rings_bounds(&left) : (struct box){ 0 };
    o->size = box_extent(o->bbox);
    object_note_cut(o, before, ring_area(&o->outline));
}

static void trim_keypoints(const struct side *side, struct object *o)
{
    for (size_t i = 0; i < o->n_keypoints; i++) {
        struct keypoint *k = &o->keypoints[i];

        if (!keypoint_is_there(k) || depth(side, k->at) >= 0)
            continue;
        *k = keypoint_gone(k);
        o->changes |= CHANGE_HIDDEN;
    }
}

static void trim_unseen(struct sample *s, const struct back_step *step)
{
    struct side side;

    if (step->map.field || mat3_sees(&step->map.inverse, box_of_frame(step->out)))
        return;
    side = side_that_shows(step);
    for (size_t i = 0; i < s->n_objects; i++) {
        struct object *o = &s->objects[i];

        trim_keypoints(&side, o);
        if (o->has_box && o->outline.n)
            trim_box(s->arena, &side, o);
        if (o->segmentation == SEGMENTATION_POLYGONS)
            trim_polygons(s->arena, &side, o);
    }
}

/* --- what is hidden --- */

static bool is_under(const struct rects *rects, struct point p)
{
    for (size_t i = 0; i < rects->n; i++) {
        struct rect r = rects->at[i];

        if (p.x >= r.x && p.y >= r.y && p.x < r.x + r.w && p.y < r.y + r.h)
            return true;
    }
    return false;
}

/* Parts that show another image are removed here: keypoints, too. */
static void take_hidden(struct sample *s, const struct rects *hidden)
{
    for (size_t i = 0; i < s->n_objects; i++)
        for (size_t k = 0; k < s->objects[i].n_keypoints; k++) {
            struct keypoint *point = &s->objects[i].keypoints[k];

            if (keypoint_is_there(point) && is_under(hidden, place_in_pixel(point->at, s->frame)))
                point->off_canvas = true;
        }
    sample_hide(s, hidden, LABELS_SHRINK);
    s->hidden = (struct occluders){ 0 };
}

/* --- masks --- */

struct way {
    const struct back_step *step;
    size_t n;
};

static bool find_shown(const void *context, struct point *p)
{
    const struct way *way = context;

    for (size_t i = way->n; i-- > 0;) {
        const struct back_step *step = &way->step[i];

        if (!(p->x >= 0 && p->y >= 0 && p->x < step->in.width && p->y < step->in.height))
            return false;
        *p = map_apply(&step->map, *p);
        if (is_under(&step->hidden, *p))
            return false;
    }
    return true;
}

/* A mask beside its object, which moves as a box meanwhile. */
struct mask {
    struct rle rle;
    bool boxed; /* the object has a box of its own */
};

static struct mask *take_masks(struct sample *s)
{
    struct mask *masks = ARENA_ARRAY(s->arena, struct mask, s->n_objects);

    for (size_t i = 0; i < s->n_objects; i++) {
        struct object *o = &s->objects[i];

        if (o->segmentation != SEGMENTATION_RLE)
            continue;
        masks[i] = (struct mask){ o->rle, o->has_box };
        o->segmentation = SEGMENTATION_NONE;
        o->empty_mask = rle_area(&o->rle) == 0;
        if (o->has_box)
            continue;
        o->has_box = true;
        o->bbox = rle_bounds(&o->rle);
        o->size = box_extent(o->bbox);
        o->outline = ring_of_box(s->arena, o->bbox);
    }
    return masks;
}

/* Add a pixel on each side: a center may be found where the box ends. */
static struct box around(struct arena *arena, const struct rle *m, const struct way *way)
{
    struct ring ring = ring_of_box(arena, rle_bounds(m));
    struct rings rings = { &ring, 1 };
    struct box b;

    for (size_t i = 0; i < way->n; i++) {
        const struct map back = map_invert(&way->step[i].map);

        if (!way->step[i].map.field && !mat3_sees_all(&back.forward, rings.ring->at, rings.ring->n))
            return box_of_frame(way->step[way->n - 1].in);
        map_rings(arena, &back, &rings);
    }
    b = rings_bounds(&rings);
    return (struct box){ floor(b.x0) - 1, floor(b.y0) - 1, ceil(b.x1) + 1, ceil(b.y1) + 1 };
}

static void put_masks(struct sample *s, const struct mask *masks, const struct way *way)
{
    for (size_t i = 0; i < s->n_objects; i++) {
        struct object *o = &s->objects[i];
        const struct rle *m = &masks[i].rle;

        if (!m->n)
            continue;
        object_put_runs(
            o, rle_sampled(s->arena, m, s->frame, around(s->arena, m, way), find_shown, way));
        o->has_box = masks[i].boxed;
        o->changes |= CHANGE_MOVED; /* its size is the frame's, at least */
    }
}

/* --- pasted objects --- */

/* The pixels of an object after the steps of `way`. */
static struct rle cover_of(const struct sample *s, size_t i, const struct mask *mask,
                           const struct way *way)
{
    struct sample alone = *s;

    if (mask->rle.n && way->n)
        return rle_sampled(s->arena, &mask->rle, s->frame, around(s->arena, &mask->rle, way),
                           find_shown, way);
    if (mask->rle.n)
        return mask->rle;
    alone.objects = &s->objects[i];
    alone.n_objects = 1;
    return sample_cover(&alone);
}

static bool has_pixel(const struct rle *rle, struct point p)
{
    const struct map identity = { .forward = MAT3_IDENTITY, .inverse = MAT3_IDENTITY };
    struct box pixel = { floor(p.x), floor(p.y), floor(p.x) + 1, floor(p.y) + 1 };

    return rle_area_within(rle, &identity, pixel) > 0;
}

/* Returns how much of an object `rle` covers: pixels, or keypoints of one that has nothing else.
 */
static double amount_on(const struct sample *s, const struct object *o, const struct rle *cover,
                        const struct rle *rle)
{
    const struct rle both[] = { *cover, *rle };
    struct rle common;
    double n = 0;

    if (rle_area(cover)) {
        common = rle_merge(s->arena, both, COUNTOF(both), true);
        return (double)rle_area(&common);
    }
    for (size_t i = 0; i < o->n_keypoints; i++)
        n += keypoint_is_there(&o->keypoints[i]) && has_pixel(rle, o->keypoints[i].at);
    return n;
}

static double amount(const struct object *o, const struct rle *cover)
{
    double n = (double)rle_area(cover);

    for (size_t i = 0; n <= 0 && i < o->n_keypoints; i++)
        n += keypoint_is_there(&o->keypoints[i]);
    return n;
}

/* Returns the pasted input that shows most of the object; n for the inputs that were not cut out.
 */
static size_t owner_of_mask(const struct sample *s, const struct object *o, const struct rle *cover,
                            const struct paste_layers *p)
{
    double above = 0, rest = amount(o, cover), most = 0;
    size_t owner = p->n;

    for (size_t k = p->n; k-- > 0;) {
        double from = amount_on(s, o, cover, &p->from[k]), own = from - above;

        above = from;
        if (!p->cut_out[k])
            continue;
        rest -= own;
        if (own > most) {
            most = own;
            owner = k;
        }
    }
    return most > rest ? owner : p->n;
}

/* The same of a box, by the boxes of the pasted objects; the uppermost of equal ones. */
static size_t owner_of_box(struct box box, const struct paste_layers *p)
{
    double best = 0.5;
    size_t owner = p->n;

    for (size_t k = p->n; k-- > 0;)
        for (size_t i = 0; i < p->boxes[k].n; i++) {
            double iou = box_iou(box, p->boxes[k].at[i]);

            if (iou > best) {
                best = iou;
                owner = k;
            }
        }
    return owner;
}

/* Notes which objects are on other images than the input that a step leads to, before that step,
 * which follows those of `way`. */
static void note_elsewhere(const struct sample *s, const struct mask *masks,
                           const struct back_step *step, const struct way *way, bool *elsewhere)
{
    const struct paste_layers *p = step->pasted;
    size_t input = p->cut_out[step->input] ? step->input : p->n;

    for (size_t i = 0; i < s->n_objects; i++) {
        const struct object *o = &s->objects[i];
        bool boxed = o->has_box && o->segmentation == SEGMENTATION_NONE && !masks[i].rle.n;
        struct rle cover = boxed ? (struct rle){ 0 } : cover_of(s, i, &masks[i], way);

        elsewhere[i] |=
            input != (boxed ? owner_of_box(o->bbox, p) : owner_of_mask(s, o, &cover, p));
    }
}

static void leave_out(struct sample *s, const bool *elsewhere)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->n_objects; i++)
        if (!elsewhere[i])
            s->objects[kept++] = s->objects[i];
    s->n_objects = kept;
}

/* --- all of it --- */

void sample_move_back(struct sample *s, const struct back_step *step, size_t n)
{
    const struct way way = { step, n };
    struct mask *masks = n ? take_masks(s) : NULL;
    bool *elsewhere = ARENA_ARRAY(s->arena, bool, s->n_objects + 1);

    for (size_t i = 0; i < n; i++) {
        const struct map back = map_invert(&step[i].map);

        if (step[i].pasted)
            note_elsewhere(s, masks, &step[i], &(struct way){ step, i }, elsewhere);
        if (step[i].hidden.n)
            take_hidden(s, &step[i].hidden);
        trim_unseen(s, &step[i]);
        sample_move(s, &back, step[i].in);
    }
    for (size_t i = 0; i < s->n_objects; i++)
        object_end_at_canvas(&s->objects[i], s);
    if (n)
        put_masks(s, masks, &way);
    leave_out(s, elsewhere);
}
