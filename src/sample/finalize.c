/* finalize: computes what is left of each object, and whether it stays. */
#include "sample/object.h"

#include <math.h>

static double hidden_share_of_box(const struct sample *s, const struct object *o,
                                  const struct occluders *hidden)
{
    struct rings outline = { (struct ring *)&o->outline, 1 };
    struct rings all = rings_both(s->arena, &hidden->holes, &hidden->cutouts);

    return o->has_box && outline.ring->n ? rings_covered(&outline, &all) : 0;
}

/* Returns the regions of the sample that may hide this object. */
static struct occluders hidden_from(const struct sample *s, const struct object *o)
{
    const struct occluders *layer = o->layer ? &s->layers[o->layer - 1] : NULL;

    if (!layer)
        return s->hidden;
    return (struct occluders){ rings_both(s->arena, &s->hidden.holes, &layer->holes),
                               rings_both(s->arena, &s->hidden.cutouts, &layer->cutouts) };
}

/* Returns those rings that come near the box. */
static struct rings rings_near(struct arena *arena, const struct rings *all, struct box b)
{
    struct rings near = { ARENA_ARRAY(arena, struct ring, all->n), 0 };

    for (size_t i = 0; i < all->n; i++)
        if (!box_is_empty(box_intersect(box_of_points(all->ring[i].at, all->ring[i].n), b)))
            near.ring[near.n++] = all->ring[i];
    return near;
}

/* Returns the fraction of the object that the holes hide. Holes that were cut out of a segmentation
 * do not count again; a box still surrounds them. */
static double hidden_share(const struct sample *s, const struct object *o)
{
    struct occluders hidden = hidden_from(s, o);
    struct rle parts[2], both;
    struct rings near;
    uint64_t area;

    if (o->segmentation == SEGMENTATION_NONE)
        return hidden.holes.n + hidden.cutouts.n ? hidden_share_of_box(s, o, &hidden) : 0;
    if (!hidden.holes.n)
        return 0;
    if (o->segmentation == SEGMENTATION_POLYGONS)
        return rings_covered(&o->rings, &hidden.holes);
    area = rle_area(&o->rle);
    if (!area)
        return 0;
    parts[0] = o->rle;
    near = rings_near(s->arena, &hidden.holes, rle_bounds(&o->rle));
    parts[1] = rle_from_rings(s->arena, &near, s->frame);
    both = rle_merge(s->arena, parts, 2, true);
    return (double)rle_area(&both) / (double)area;
}

static void convert_segmentation(const struct sample *s, const struct rules *rules,
                                 struct object *o)
{
    if (rules->segmentation == SEGMENTATION_TO_RLE && o->segmentation == SEGMENTATION_POLYGONS) {
        object_put_runs(o, rle_from_rings(s->arena, &o->rings, s->frame));
        o->changes |= CHANGE_REDRAWN;
    } else if (rules->segmentation == SEGMENTATION_TO_POLYGON &&
               o->segmentation == SEGMENTATION_RLE && !o->crowd) {
        bool *hole;
        struct rings rings = rle_to_rings(s->arena, &o->rle, &hole);

        for (size_t i = 0; i < rings.n; i++)
            if (hole[i])
                return; /* polygons have no holes: it stays as it is */
        if (!rings.n)
            return; /* nor does a list of none say that a mask is empty */
        o->rings = rings;
        o->segmentation = SEGMENTATION_POLYGONS;
        o->changes |= CHANGE_REDRAWN;
    }
}

/* Annotations beyond the image end at the canvas, and so do keypoints, if the canvas is known. */
static void trim_overhang(const struct sample *s, struct object *o)
{
    const struct box canvas = box_of_frame(s->frame);

    if (!object_is_reshaped(o) || !s->frame.width)
        return;
    object_trim(o, s);
    object_drop_slivers(o, s->arena, s->frame);
    for (size_t i = 0; i < o->n_keypoints; i++) {
        struct keypoint *k = &o->keypoints[i];

        if (!keypoint_is_there(k))
            continue;
        if (is_on_canvas(k->at, canvas) && !k->off_canvas)
            k->at = (struct point){ fmin(fmax(k->at.x, canvas.x0), canvas.x1),
                                    fmin(fmax(k->at.y, canvas.y0), canvas.y1) };
        else
            k->off_canvas = true;
    }
}

static struct box segmentation_bounds(const struct object *o)
{
    return o->segmentation == SEGMENTATION_RLE ? rle_bounds(&o->rle) : rings_bounds(&o->rings);
}

void object_finalize_box(struct object *o, const struct rules *rules)
{
    bool segmented = o->segmentation != SEGMENTATION_NONE;
    bool rederive = o->changes & (CHANGE_CUT | CHANGE_TURNED);
    bool has_bbox = o->has_box && !((o->changes & CHANGE_CUT) && box_is_empty(o->bbox));

    if (rederive && segmented && (rules->boxes == BOXES_TIGHT || !has_bbox))
        o->final.box = segmentation_bounds(o);
    else if (o->has_box)
        o->final.box = o->bbox;
    else
        o->final.box = segmentation_bounds(o);
    o->final.size = o->has_box && !rederive ? o->size : box_extent(o->final.box);
    /* An annotated area may be anything, and too large when scaled. */
    if (segmented ? rederive || !o->has_area || !isfinite(o->area) : !isfinite(o->area))
        o->area = segmented ? object_segmentation_area(o) : box_area(o->final.box);
}

static void hide_lost_keypoints(const struct rules *rules, struct object *o)
{
    for (size_t i = 0; i < o->n_keypoints; i++) {
        struct keypoint *k = &o->keypoints[i];
        bool stays = (o->part.unbound || rules->outside == OUTSIDE_KEEP) &&
                     fabs(k->at.x) <= LARGEST_COORDINATE && fabs(k->at.y) <= LARGEST_COORDINATE;

        if (!k->off_canvas || !keypoint_is_there(k) || stays)
            continue;
        *k = keypoint_gone(k);
        o->changes |= CHANGE_HIDDEN;
    }
}

static bool has_labelled_keypoints(const struct object *o)
{
    for (size_t i = 0; i < o->n_keypoints; i++)
        if (o->keypoints[i].visibility > 0 || o->keypoints[i].was_labelled)
            return true;
    return false;
}

/* Unlabeled keypoints count only if no keypoint is labeled. */
static bool keypoints_are_left(const struct object *o)
{
    bool labelled = has_labelled_keypoints(o);

    for (size_t i = 0; i < o->n_keypoints; i++) {
        const struct keypoint *k = &o->keypoints[i];

        if (!k->off_canvas && (labelled ? k->visibility > 0 : keypoint_is_there(k)))
            return true;
    }
    return false;
}

static bool keypoints_were_lost(const struct object *o)
{
    for (size_t i = 0; i < o->n_keypoints; i++)
        if (o->keypoints[i].off_canvas)
            return true;
    return false;
}

/* True if the object had an outline or keypoints, and has neither now. */
static bool has_nothing_left(const struct object *o)
{
    if (!object_is_reshaped(o))
        return false;
    if (o->segmentation != SEGMENTATION_NONE)
        return object_segmentation_area(o) <= 0 && (!o->empty_mask || (o->changes & CHANGE_CUT));
    if (o->has_box)
        return (o->changes & CHANGE_CUT) && box_is_empty(o->final.box);
    return keypoints_were_lost(o) && !keypoints_are_left(o);
}

void object_drop(struct object *o, const char *reason, double value)
{
    o->final.dropped = true;
    o->final.reason = reason;
    o->final.value = value;
}

static void judge(const struct rules *rules, struct object *o)
{
    double side = fmin(o->final.size.x, o->final.size.y);
    double longer = fmax(o->final.size.x, o->final.size.y);
    bool has_outline = o->has_box || o->segmentation != SEGMENTATION_NONE;

    if (o->failed)
        object_drop(o, o->failed, o->failed_value);
    else if (has_nothing_left(o))
        object_drop(o, o->covered ? "hidden" : "outside", 0);
    else if (!o->crowd && o->visibility < rules->min_visibility)
        object_drop(o, "min_visibility", o->visibility);
    else if (has_outline && o->area < rules->min_area)
        object_drop(o, "min_area", o->area);
    else if (has_outline && side < rules->min_size)
        object_drop(o, "min_size", side);
    else if (has_outline && !o->crowd && rules->max_aspect.given &&
             longer > rules->max_aspect.number * side)
        object_drop(o, "max_aspect", longer / side);
}

static void finalize_labels(const struct sample *s, const struct rules *rules, struct object *o)
{
    trim_overhang(s, o);
    hide_lost_keypoints(rules, o);
    object_finalize_box(o, rules);
}

/* A part counts as long as it has a keypoint or its box. */
static void finalize_part(const struct sample *s, const struct rules *rules, struct object *part)
{
    bool unboxed;

    finalize_labels(s, rules, part);
    unboxed = part->has_box && (part->changes & CHANGE_CUT) && box_is_empty(part->final.box);
    if (unboxed) {
        part->final.box = (struct box){ 0 };
        part->final.size = (struct point){ 0 };
    }
    if ((unboxed || (!part->has_box && keypoints_were_lost(part))) && !keypoints_are_left(part))
        part->part.valid = false;
}

void sample_finalize(struct sample *s, const struct rules *rules)
{
    for (size_t i = 0; i < s->n_objects; i++) {
        struct object *o = &s->objects[i];

        o->visibility *= 1 - hidden_share(s, o);
        finalize_labels(s, rules, o);
        for (size_t k = 0; k < o->n_parts; k++)
            finalize_part(s, rules, &o->parts[k]);
        judge(rules, o);
        if (!o->final.dropped)
            convert_segmentation(s, rules, o);
    }
}
