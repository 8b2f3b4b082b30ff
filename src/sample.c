/* sample: labels moved in lockstep with their image, cut at every canvas, settled at the end. */
#include "sample.h"

#include "geom/map.h"

#include <math.h>
#include <string.h>

/* Coordinates nearer to a canvas edge than this count as on it: far below any label's precision,
 * far above what rounding adds up to. */
static const double SLACK = 1e-6;

static double segmentation_area(const struct object *o)
{
    return o->segmentation == SEGMENTATION_RLE ? (double)rle_area(&o->rle) : rings_area(&o->rings);
}

static struct point extent_of(struct box b)
{
    return (struct point){ b.x1 - b.x0, b.y1 - b.y0 };
}

/* Something was done to more of it than its keypoints. */
static bool is_reshaped(const struct object *o)
{
    return (o->changes & ~(unsigned)CHANGE_COVERED) != 0;
}

/* --- moving --- */

struct move {
    struct sample *sample;
    const struct map *map;
    struct frame in, out;
    struct box kept; /* the new canvas where it cuts, endless where it does not */
    double scale;    /* of areas, negative when mirrored; if not affine, in the middle */
    bool cuts, axis_aligned, affine, projective;
};

static bool is_endless(struct box b)
{
    return isinf(b.x0) && isinf(b.y0) && isinf(b.x1) && isinf(b.y1);
}

/* Clipping wants finite sides: where the region is endless, as far as the rings reach. */
static struct box finite_region(struct box kept, struct box bounds)
{
    return (struct box){ isinf(kept.x0) ? bounds.x0 - 1 : kept.x0,
                         isinf(kept.y0) ? bounds.y0 - 1 : kept.y0,
                         isinf(kept.x1) ? bounds.x1 + 1 : kept.x1,
                         isinf(kept.y1) ? bounds.y1 + 1 : kept.y1 };
}

static void note_cut(struct object *o, double before, double after)
{
    o->changes |= CHANGE_CUT;
    if (before > 0)
        o->visibility *= fmin(1, fmax(0, after / before));
}

/* Shares are counted where outlines were: a map that is not affine makes one part of an outline
 * larger than another. */
static double area_before(const struct move *m, const struct rings *moved)
{
    struct rings back;

    if (m->affine)
        return rings_area(moved);
    back = rings_copy(m->sample->arena, moved);
    map_rings_back(m->map, &back);
    return rings_area(&back);
}

static void cut_polygons(const struct move *m, struct object *o)
{
    struct box bounds = rings_bounds(&o->rings), region = finite_region(m->kept, bounds);
    double before;

    if (box_contains(region, bounds, SLACK))
        return;
    before = area_before(m, &o->rings);
    o->rings = rings_clip(m->sample->arena, &o->rings, region);
    note_cut(o, before, area_before(m, &o->rings));
}

static void move_runs(const struct move *m, struct object *o)
{
    struct rle before = o->rle;
    struct box bounds = rle_bounds(&before);
    struct ring outline;
    uint64_t inside;

    o->rle = rle_move(m->sample->arena, &before, m->map, m->out);
    o->changes |= CHANGE_MOVED; /* its size is the frame's, at least */
    if (!m->cuts)
        return;
    outline = ring_of_box(m->sample->arena, bounds);
    map_ring(m->sample->arena, m->map, &outline);
    bounds = rings_bounds(&(struct rings){ &outline, 1 });
    if (box_contains(finite_region(m->kept, bounds), bounds, SLACK))
        return;
    inside = rle_area_within(&before, m->map, m->kept);
    if (inside < rle_area(&before))
        note_cut(o, (double)rle_area(&before), (double)inside);
}

static struct box map_box(const struct mat3 *m, struct box b)
{
    struct point corner[2] = { mat3_apply(m, (struct point){ b.x0, b.y0 }),
                               mat3_apply(m, (struct point){ b.x1, b.y1 }) };

    return box_of_points(corner, COUNTOF(corner));
}

static void cut_outline(struct arena *arena, struct object *o, struct box region)
{
    struct rings left = ring_clip(arena, &o->outline, region);

    o->outline = left.n ? left.ring[0] : (struct ring){ 0 };
}

/* What is left of a box is its hull's part on the canvas, as torchvision has it; how much of the
 * object that is, is counted on the outline, which may reach less far. */
static void move_box(const struct move *m, struct object *o)
{
    const struct rings outline = { &o->outline, 1 };
    struct box region;
    double before;

    map_ring(m->sample->arena, m->map, &o->outline);
    o->hull = m->axis_aligned ? map_box(&m->map->forward, o->hull) : rings_bounds(&outline);
    region = finite_region(m->kept, o->hull);
    if (!m->cuts || box_contains(region, o->hull, SLACK))
        return;
    o->hull = box_intersect(o->hull, region);
    before = area_before(m, &outline);
    cut_outline(m->sample->arena, o, region);
    if (o->segmentation == SEGMENTATION_NONE)
        note_cut(o, before, area_before(m, &outline));
    else
        o->changes |= CHANGE_CUT;
}

/* Points beyond the image may lie behind the horizon of a map, where they have no place. */
static bool is_seen(const struct move *m, struct point p)
{
    double scale = mat3_scale_at(&m->map->forward, p);

    return isfinite(scale) && (scale < 0) == (m->scale < 0);
}

static void move_keypoints(const struct move *m, struct object *o)
{
    const size_t *mirror = o->category ? o->category->mirror : NULL;

    for (size_t i = 0; i < o->n_keypoints; i++) {
        struct keypoint *k = &o->keypoints[i];

        if (!keypoint_is_there(k))
            continue;
        if (m->projective && !is_seen(m, k->at)) {
            *k = (struct keypoint){ .lost = true };
            o->changes |= CHANGE_HIDDEN;
            continue;
        }
        k->at = map_apply(m->map, k->at);
        if (k->at.x < m->kept.x0 || k->at.y < m->kept.y0 || k->at.x >= m->kept.x1 ||
            k->at.y >= m->kept.y1)
            k->lost = true;
    }
    if (m->scale < 0 && mirror && o->n_keypoints == o->category->n_keypoints) {
        struct keypoint *swapped = ARENA_ARRAY(m->sample->arena, struct keypoint, o->n_keypoints);

        for (size_t i = 0; i < o->n_keypoints; i++)
            swapped[mirror[i]] = o->keypoints[i];
        o->keypoints = swapped;
        o->changes |= CHANGE_MIRRORED;
    }
}

/* What shifts, scales, flips and quarter turns make of a width and a height. */
static struct point scaled_extent(const struct mat3 *m, struct point e)
{
    return (struct point){ fabs(m->m[0]) * e.x + fabs(m->m[1]) * e.y,
                           fabs(m->m[3]) * e.x + fabs(m->m[4]) * e.y };
}

/* What was drawn beyond the image ends at its canvas. */
static void trim_outlines(const struct sample *s, struct object *o)
{
    struct box canvas = box_of_frame(s->frame);

    if (o->segmentation == SEGMENTATION_POLYGONS &&
        !box_contains(canvas, rings_bounds(&o->rings), SLACK)) {
        o->rings = rings_clip(s->arena, &o->rings, canvas);
        o->changes |= CHANGE_CUT;
    }
    if (o->has_box && !box_contains(canvas, o->hull, SLACK)) {
        o->hull = box_intersect(o->hull, canvas);
        o->extent = extent_of(o->hull);
        if (o->segmentation == SEGMENTATION_NONE)
            o->changes |= CHANGE_CUT;
    }
}

/* An outline drawn beyond the image may reach behind the horizon. */
static void trim_unseen(const struct move *m, struct object *o)
{
    struct box outline = rings_bounds(&(struct rings){ &o->outline, 1 });

    if ((o->segmentation != SEGMENTATION_POLYGONS ||
         mat3_sees(&m->map->forward, rings_bounds(&o->rings))) &&
        (!o->has_box || mat3_sees(&m->map->forward, outline)))
        return;
    trim_outlines(m->sample, o);
    if (o->has_box)
        cut_outline(m->sample->arena, o, box_of_frame(m->in));
}

/* Left and right parts change places, with all that they have. */
static void swap_parts(struct object *o)
{
    for (size_t i = 0; i < o->n_parts; i++) {
        size_t twin = o->parts[i].twin;
        struct object part = o->parts[i];

        if (twin <= i)
            continue;
        o->parts[i] = o->parts[twin];
        o->parts[twin] = part;
        o->parts[i].twin = twin;
        o->parts[twin].twin = i;
        o->parts[i].changes |= CHANGE_MIRRORED;
        o->parts[twin].changes |= CHANGE_MIRRORED;
    }
}

static void move_object(const struct move *m, struct object *o)
{
    if (!is_reshaped(o) && o->segmentation != SEGMENTATION_NONE)
        o->hollow = segmentation_area(o) <= 0;
    if (m->projective)
        trim_unseen(m, o);
    if (!map_is_identity(m->map)) {
        o->changes |= CHANGE_MOVED;
        if (!m->axis_aligned)
            o->changes |= CHANGE_TURNED;
        if (m->affine && fabs(fabs(m->scale) - 1) > 1e-12) { /* else settle measures it */
            o->changes |= CHANGE_SCALED;
            o->area *= fabs(m->scale);
        }
        o->extent = scaled_extent(&m->map->forward, o->extent);
    }
    move_keypoints(m, o);
    if (o->has_box)
        move_box(m, o);
    if (o->segmentation == SEGMENTATION_RLE) {
        move_runs(m, o);
    } else if (o->segmentation == SEGMENTATION_POLYGONS) {
        map_rings(m->sample->arena, m->map, &o->rings);
        if (m->cuts)
            cut_polygons(m, o);
    }
    for (size_t i = 0; i < o->n_parts; i++)
        move_object(m, &o->parts[i]);
    if (m->scale < 0)
        swap_parts(o);
}

static void move_holes(const struct move *m, struct rings *holes)
{
    map_convex(m->sample->arena, m->map, holes);
    if (m->cuts && holes->n)
        *holes = rings_clip(m->sample->arena, holes, box_of_frame(m->out));
}

void sample_move(struct sample *s, const struct map *map, struct frame out)
{
    struct move m = { .sample = s, .map = map, .in = s->frame, .out = out };

    if (map_is_identity(map) && frame_equal(s->frame, out))
        return;
    m.kept = map_kept(map, s->frame, out);
    m.cuts = !is_endless(m.kept);
    m.projective = !map->field && !mat3_is_affine(&map->forward);
    m.affine = !map->field && !m.projective;
    m.axis_aligned = map_is_axis_aligned(map);
    m.scale = map_scale(map, s->frame);
    for (size_t i = 0; i < s->n_objects; i++)
        move_object(&m, &s->objects[i]);
    move_holes(&m, &s->holes);
    move_holes(&m, &s->cutouts);
    s->has_matrix &= !map->field;
    s->matrix = mat3_then(&s->matrix, &map->forward);
    s->frame = out;
}

/* --- settling --- */

static double hidden_share_of_box(const struct sample *s, const struct object *o)
{
    struct rings outline = { (struct ring *)&o->outline, 1 };
    struct rings all = { ARENA_ARRAY(s->arena, struct ring, s->holes.n + s->cutouts.n), 0 };

    for (size_t i = 0; i < s->holes.n; i++)
        all.ring[all.n++] = s->holes.ring[i];
    for (size_t i = 0; i < s->cutouts.n; i++)
        all.ring[all.n++] = s->cutouts.ring[i];
    return o->has_box && outline.ring->n ? rings_covered(&outline, &all) : 0;
}

/* Those of the rings that come near the box. */
static struct rings rings_near(struct arena *arena, const struct rings *all, struct box b)
{
    struct rings near = { ARENA_ARRAY(arena, struct ring, all->n), 0 };

    for (size_t i = 0; i < all->n; i++)
        if (!box_is_empty(box_intersect(box_of_points(all->ring[i].at, all->ring[i].n), b)))
            near.ring[near.n++] = all->ring[i];
    return near;
}

/* What share of the object the holes hide. Those that were cut out of a segmentation do not count
 * once more; a box goes on around them. */
static double hidden_share(const struct sample *s, const struct object *o)
{
    struct rle parts[2], both;
    struct rings near;
    uint64_t area;

    if (o->segmentation == SEGMENTATION_NONE)
        return s->holes.n + s->cutouts.n ? hidden_share_of_box(s, o) : 0;
    if (!s->holes.n)
        return 0;
    if (o->segmentation == SEGMENTATION_POLYGONS)
        return rings_covered(&o->rings, &s->holes);
    area = rle_area(&o->rle);
    if (!area)
        return 0;
    parts[0] = o->rle;
    near = rings_near(s->arena, &s->holes, rle_bounds(&o->rle));
    parts[1] = rle_from_rings(s->arena, &near, s->frame);
    both = rle_merge(s->arena, parts, 2, true);
    return (double)rle_area(&both) / (double)area;
}

static void convert_segmentation(const struct sample *s, const struct rules *rules,
                                 struct object *o)
{
    if (rules->segmentation == SEGMENTATION_TO_RLE && o->segmentation == SEGMENTATION_POLYGONS) {
        o->rle = rle_from_rings(s->arena, &o->rings, s->frame);
        o->segmentation = SEGMENTATION_RLE;
        o->changes |= CHANGE_REDRAWN;
    } else if (rules->segmentation == SEGMENTATION_TO_POLYGON &&
               o->segmentation == SEGMENTATION_RLE && !o->crowd) {
        bool *hole;
        struct rings rings = rle_to_rings(s->arena, &o->rle, &hole);

        for (size_t i = 0; i < rings.n; i++)
            if (hole[i])
                return; /* polygons have no holes: it stays as it is */
        o->rings = rings;
        o->segmentation = SEGMENTATION_POLYGONS;
        o->changes |= CHANGE_REDRAWN;
    }
}

static struct box segmentation_bounds(const struct object *o)
{
    return o->segmentation == SEGMENTATION_RLE ? rle_bounds(&o->rle) : rings_bounds(&o->rings);
}

static bool is_on_canvas(const struct sample *s, const struct keypoint *k)
{
    return k->at.x >= 0 && k->at.y >= 0 && k->at.x < s->frame.width && k->at.y < s->frame.height;
}

/* The same for what was moved since, and keypoints. */
static void trim_overhang(const struct sample *s, struct object *o)
{
    if (!is_reshaped(o))
        return;
    trim_outlines(s, o);
    for (size_t i = 0; i < o->n_keypoints; i++)
        if (keypoint_is_there(&o->keypoints[i]) && !is_on_canvas(s, &o->keypoints[i]))
            o->keypoints[i].lost = true;
}

static void settle_box_and_area(const struct rules *rules, struct object *o)
{
    bool segmented = o->segmentation != SEGMENTATION_NONE;
    bool rederive = o->changes & (CHANGE_CUT | CHANGE_TURNED);

    if (rederive && segmented && (rules->boxes == BOXES_TIGHT || !o->has_box))
        o->settled_box = segmentation_bounds(o);
    else if (o->has_box)
        o->settled_box = o->hull;
    else
        o->settled_box = segmentation_bounds(o);
    o->settled_extent = o->has_box && !rederive ? o->extent : extent_of(o->settled_box);
    /* An annotated area may be anything, and too large when scaled. */
    if (rederive || !o->has_area || !isfinite(o->area))
        o->area = segmented ? segmentation_area(o) : box_area(o->settled_box);
}

static void hide_lost_keypoints(const struct rules *rules, struct object *o)
{
    for (size_t i = 0; i < o->n_keypoints; i++) {
        struct keypoint *k = &o->keypoints[i];
        bool stays = rules->outside == OUTSIDE_KEEP && fabs(k->at.x) <= LARGEST_COORDINATE &&
                     fabs(k->at.y) <= LARGEST_COORDINATE;

        if (!k->lost || !keypoint_is_there(k) || stays)
            continue;
        *k = (struct keypoint){ .lost = true };
        o->changes |= CHANGE_HIDDEN;
    }
}

static bool keypoints_are_there(const struct object *o)
{
    for (size_t i = 0; i < o->n_keypoints; i++)
        if (!o->keypoints[i].lost && keypoint_is_there(&o->keypoints[i]))
            return true;
    return false;
}

static bool keypoints_were_lost(const struct object *o)
{
    for (size_t i = 0; i < o->n_keypoints; i++)
        if (o->keypoints[i].lost)
            return true;
    return false;
}

/* Is there neither outline nor keypoint of what there was? */
static bool nothing_left(const struct object *o)
{
    if (!is_reshaped(o))
        return false;
    if (o->segmentation != SEGMENTATION_NONE)
        return segmentation_area(o) <= 0 && (!o->hollow || (o->changes & CHANGE_CUT));
    if (o->has_box)
        return (o->changes & CHANGE_CUT) && box_is_empty(o->settled_box);
    return keypoints_were_lost(o) && !keypoints_are_there(o);
}

static void drop(struct object *o, const char *reason, double value)
{
    o->dropped = true;
    o->reason = reason;
    o->value = value;
}

static void judge(const struct rules *rules, struct object *o)
{
    double side = fmin(o->settled_extent.x, o->settled_extent.y);
    double longer = fmax(o->settled_extent.x, o->settled_extent.y);
    bool has_outline = o->has_box || o->segmentation != SEGMENTATION_NONE;

    if (o->failed)
        drop(o, o->failed, o->failed_value);
    else if (nothing_left(o))
        drop(o, o->covered ? "hidden" : "outside", 0);
    else if (!o->crowd && o->visibility < rules->min_visibility)
        drop(o, "min_visibility", o->visibility);
    else if (has_outline && o->area < rules->min_area)
        drop(o, "min_area", o->area);
    else if (has_outline && side < rules->min_size)
        drop(o, "min_size", side);
    else if (has_outline && !o->crowd && rules->max_aspect.given &&
             longer > rules->max_aspect.number * side)
        drop(o, "max_aspect", longer / side);
}

static void settle_labels(const struct sample *s, const struct rules *rules, struct object *o)
{
    trim_overhang(s, o);
    hide_lost_keypoints(rules, o);
    settle_box_and_area(rules, o);
}

/* A part counts while there is a keypoint of it, or its box. */
static void settle_part(const struct sample *s, const struct rules *rules, struct object *part)
{
    bool unboxed;

    settle_labels(s, rules, part);
    unboxed = part->has_box && (part->changes & CHANGE_CUT) && box_is_empty(part->settled_box);
    if (unboxed) {
        part->settled_box = (struct box){ 0 };
        part->settled_extent = (struct point){ 0 };
    }
    if ((unboxed || (!part->has_box && keypoints_were_lost(part))) && !keypoints_are_there(part))
        part->valid = false;
}

void sample_settle(struct sample *s, const struct rules *rules)
{
    for (size_t i = 0; i < s->n_objects; i++) {
        struct object *o = &s->objects[i];

        o->visibility *= 1 - hidden_share(s, o);
        settle_labels(s, rules, o);
        for (size_t k = 0; k < o->n_parts; k++)
            settle_part(s, rules, &o->parts[k]);
        judge(rules, o);
        if (!o->dropped)
            convert_segmentation(s, rules, o);
    }
}

/* --- demands on the way --- */

static void clamp_box(const struct sample *s, struct object *o)
{
    struct box canvas = box_of_frame(s->frame);

    for (size_t i = 0; i < o->n_parts; i++)
        clamp_box(s, &o->parts[i]);
    if (!o->has_box || box_contains(canvas, o->hull, SLACK))
        return;
    trim_outlines(s, o);
    cut_outline(s->arena, o, canvas);
    o->changes |= CHANGE_MOVED;
}

void sample_clamp_boxes(struct sample *s)
{
    for (size_t i = 0; i < s->n_objects; i++)
        clamp_box(s, &s->objects[i]);
}

static void clamp_keypoints(const struct sample *s, struct object *o)
{
    struct box edge = { 0.5, 0.5, s->frame.width - 0.5, s->frame.height - 0.5 };

    for (size_t k = 0; k < o->n_keypoints; k++) {
        struct keypoint *p = &o->keypoints[k];

        if (!keypoint_is_there(p) || is_on_canvas(s, p))
            continue;
        p->at = (struct point){ fmin(edge.x1, fmax(edge.x0, p->at.x)),
                                fmin(edge.y1, fmax(edge.y0, p->at.y)) };
        p->visibility = p->visibility == 2 ? 1 : p->visibility;
        p->lost = false;
        o->changes |= CHANGE_COVERED;
    }
    for (size_t i = 0; i < o->n_parts; i++)
        clamp_keypoints(s, &o->parts[i]);
}

void sample_clamp_keypoints(struct sample *s)
{
    for (size_t i = 0; i < s->n_objects; i++)
        clamp_keypoints(s, &s->objects[i]);
}

static void fail(struct object *o, const char *reason, double value)
{
    if (o->failed)
        return;
    o->failed = reason;
    o->failed_value = value;
}

void sample_sanitize_boxes(struct sample *s, const struct rules *rules, double min_size,
                           double min_area)
{
    for (size_t i = 0; i < s->n_objects; i++) {
        struct object *o = &s->objects[i], view = *o;
        double side, area;

        if (!o->has_box && o->segmentation == SEGMENTATION_NONE)
            continue;
        trim_outlines(s, &view);
        settle_box_and_area(rules, &view);
        side = fmin(view.settled_extent.x, view.settled_extent.y);
        area = view.settled_extent.x * view.settled_extent.y;
        if (box_is_empty(view.settled_box) && (view.changes & CHANGE_CUT))
            fail(o, o->covered ? "hidden" : "outside", 0);
        else if (side < min_size)
            fail(o, "min_size", side);
        else if (area < min_area)
            fail(o, "min_area", area);
    }
}

void sample_sanitize_keypoints(struct sample *s, int least)
{
    for (size_t i = 0; i < s->n_objects; i++) {
        struct object *o = &s->objects[i];
        int labelled = 0, left = 0;

        for (size_t k = 0; k < o->n_keypoints; k++) {
            labelled += keypoint_is_there(&o->keypoints[k]);
            left += keypoint_is_there(&o->keypoints[k]) && !o->keypoints[k].lost &&
                    is_on_canvas(s, &o->keypoints[k]);
        }
        if (labelled && left < (least < 0 ? labelled : least))
            fail(o, least < 0 ? "outside" : "min_keypoints", left);
    }
}
