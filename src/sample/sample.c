/* sample: labels moved in lockstep with their image, and cut at every canvas. */
#include "sample/sample.h"

#include "geom/map.h"
#include "sample/hidden_regions.h"
#include "sample/object.h"

#include <math.h>

struct move {
    struct sample *sample;
    const struct map *map;
    struct frame in, out;
    struct box kept; /* the new canvas where it cuts, infinite where it does not */
    double scale;    /* of areas, negative when mirrored; if not affine, in the middle */
    double rounding; /* of what is on the old canvas, in pixels */
    bool cuts, axis_aligned, affine, projective;
};

static bool is_endless(struct box b)
{
    return isinf(b.x0) && isinf(b.y0) && isinf(b.x1) && isinf(b.y1);
}

/* Clipping needs finite sides: where the region is infinite, use the rings' bounds. */
static struct box finite_region(struct box kept, struct box bounds)
{
    return (struct box){ isinf(kept.x0) ? bounds.x0 - 1 : kept.x0,
                         isinf(kept.y0) ? bounds.y0 - 1 : kept.y0,
                         isinf(kept.x1) ? bounds.x1 + 1 : kept.x1,
                         isinf(kept.y1) ? bounds.y1 + 1 : kept.y1 };
}

/* Returns how near to a canvas edge the moved corners of a box count as on it. This is the rounding
 * error, or a distance that costs no noticeable visibility. */
static double edge_slack(const struct move *m, double rounding, struct box moved)
{
    struct point extent = box_extent(moved);

    return m->map->field ? EDGE_SLACK
                         : fmin(EDGE_SLACK, rounding + 1e-11 * fmin(extent.x, extent.y));
}

static double rounding_of(const struct move *m, struct box before)
{
    struct box canvas = box_of_frame(m->in);

    if (m->map->field)
        return EDGE_SLACK;
    if (m->rounding > 0 && box_contains(canvas, before, 0))
        return m->rounding;
    before = (struct box){ fmin(before.x0, canvas.x0), fmin(before.y0, canvas.y0),
                           fmax(before.x1, canvas.x1), fmax(before.y1, canvas.y1) };
    if (!mat3_sees(&m->map->forward, before))
        before = canvas;
    return fmin(EDGE_SLACK, mat3_rounding(&m->map->forward, before));
}

/* Fractions are measured before the move: a map that is not affine enlarges one part of an outline
 * more than another. */
static double area_before(const struct move *m, const struct rings *moved)
{
    struct rings back;

    if (m->affine)
        return rings_area(moved);
    back = rings_copy(m->sample->arena, moved);
    map_rings_back(m->map, &back);
    return rings_area(&back);
}

static void move_polygons(const struct move *m, struct object *o)
{
    struct arena *arena = m->sample->arena;
    double rounding = m->cuts ? rounding_of(m, rings_bounds(&o->rings)) : 0, before;
    struct box bounds, region;

    map_rings(arena, m->map, &o->rings);
    if (!m->cuts)
        return;
    bounds = rings_bounds(&o->rings);
    region = finite_region(m->kept, bounds);
    if (box_contains_small(region, bounds, edge_slack(m, rounding, bounds)))
        return;
    before = area_before(m, &o->rings);
    o->rings = rings_clip(arena, &o->rings, region);
    object_drop_rounded(o, arena, rounding);
    object_note_cut(o, before, area_before(m, &o->rings));
}

static void move_runs(const struct move *m, struct object *o)
{
    struct rle before = o->rle;
    struct box bounds = rle_bounds(&before);
    struct ring outline;
    uint64_t inside;

    object_move_runs(o, m->sample, m->map, m->out);
    o->changes |= CHANGE_MOVED; /* its size is the frame's, at least */
    if (!m->cuts)
        return;
    outline = ring_of_box(m->sample->arena, bounds);
    map_ring(m->sample->arena, m->map, &outline);
    bounds = rings_bounds(&(struct rings){ &outline, 1 });
    if (box_contains(finite_region(m->kept, bounds), bounds, EDGE_SLACK))
        return; /* by less than any pixel's centre */
    inside = rle_area_within(&before, m->map, m->kept);
    if (inside < rle_area(&before))
        object_note_cut(o, (double)rle_area(&before), (double)inside);
}

static struct box map_box(const struct mat3 *m, struct box b)
{
    struct point corner[2] = { mat3_apply(m, (struct point){ b.x0, b.y0 }),
                               mat3_apply(m, (struct point){ b.x1, b.y1 }) };

    return box_of_points(corner, COUNTOF(corner));
}

/* A box becomes the part of its bbox on the canvas, as in torchvision. The remaining fraction of
 * the object is measured on the outline, which may be smaller. Without an outline there is no box
 * any more. */
static void move_box(const struct move *m, struct object *o)
{
    const struct rings outline = { &o->outline, 1 };
    double rounding = m->cuts ? rounding_of(m, rings_bounds(&outline)) : 0, before;
    struct box region;

    before = m->affine ? 0 : ring_area(&o->outline);
    map_ring(m->sample->arena, m->map, &o->outline);
    if (!m->affine)
        o->area = before > 0 ? o->area * ring_area(&o->outline) / before : o->area * fabs(m->scale);
    o->bbox = m->axis_aligned ? map_box(&m->map->forward, o->bbox) : rings_bounds(&outline);
    if (!m->cuts)
        return;
    region = finite_region(m->kept, o->bbox);
    if (box_contains_small(region, o->bbox, edge_slack(m, rounding, o->bbox)))
        return;
    before = area_before(m, &outline);
    object_cut_box(o, m->sample->arena, region, rounding);
    if (o->segmentation == SEGMENTATION_NONE)
        object_note_cut(o, before, area_before(m, &outline));
    else
        o->changes |= CHANGE_CUT;
}

/* Points beyond the image may be beyond the map's horizon, where they have no position. */
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
            *k = keypoint_gone(k);
            o->changes |= CHANGE_HIDDEN;
            continue;
        }
        k->at = map_apply(m->map, k->at);
        k->off_canvas |= !is_on_canvas(k->at, m->kept);
    }
    if (m->scale < 0 && mirror && o->n_keypoints >= o->category->n_mirror) {
        struct keypoint *swapped = ARENA_ARRAY(m->sample->arena, struct keypoint, o->n_keypoints);

        for (size_t i = 0; i < o->n_keypoints; i++)
            swapped[i < o->category->n_mirror ? mirror[i] : i] = o->keypoints[i];
        o->keypoints = swapped;
        o->changes |= CHANGE_MIRRORED;
    }
}

/* Returns a width and a height after shifts, scales, flips and quarter turns. */
static struct point scaled_extent(const struct mat3 *m, struct point e)
{
    return (struct point){ fabs(m->m[0]) * e.x + fabs(m->m[1]) * e.y,
                           fabs(m->m[3]) * e.x + fabs(m->m[4]) * e.y };
}

/* An outline drawn beyond the image may reach behind the horizon. */
static void trim_unseen(const struct move *m, struct object *o)
{
    const struct mat3 *forward = &m->map->forward;
    bool seen = !o->has_box || mat3_sees_all(forward, o->outline.at, o->outline.n);

    for (size_t i = 0; i < o->rings.n && o->segmentation == SEGMENTATION_POLYGONS; i++)
        seen &= mat3_sees_all(forward, o->rings.ring[i].at, o->rings.ring[i].n);
    if (!seen)
        object_end_at_canvas(o, m->sample);
}

/* Left and right parts change places, with all that they have. */
static void swap_parts(struct object *o)
{
    for (size_t i = 0; i < o->n_parts; i++) {
        size_t pair = o->parts[i].part.flip_pair;
        struct object part = o->parts[i];

        if (pair <= i)
            continue;
        o->parts[i] = o->parts[pair];
        o->parts[pair] = part;
        o->parts[i].part.flip_pair = pair;
        o->parts[pair].part.flip_pair = i;
        o->parts[i].changes |= CHANGE_MIRRORED;
        o->parts[pair].changes |= CHANGE_MIRRORED;
    }
}

static void move_outlines(const struct move *m, struct object *o)
{
    if (o->has_box && o->outline.n)
        move_box(m, o);
    if (o->segmentation == SEGMENTATION_RLE)
        move_runs(m, o);
    else if (o->segmentation == SEGMENTATION_POLYGONS)
        move_polygons(m, o);
}

static void move_object(const struct move *m, struct object *o)
{
    if (!object_is_reshaped(o) && o->segmentation != SEGMENTATION_NONE)
        o->empty_mask = object_segmentation_area(o) <= 0;
    if (m->projective)
        trim_unseen(m, o);
    if (!map_is_identity(m->map)) {
        o->changes |= CHANGE_MOVED;
        if (!m->axis_aligned)
            o->changes |= CHANGE_TURNED;
        if (m->affine ? fabs(fabs(m->scale) - 1) > 1e-12 : !o->has_box) {
            o->changes |= CHANGE_SCALED;
            o->area *= fabs(m->scale);
        }
        o->size = scaled_extent(&m->map->forward, o->size);
    }
    move_keypoints(m, o);
    if (object_folds(o, m->sample, m->map))
        object_move_folded(o, m->sample, m->map, m->out, m->kept);
    else
        move_outlines(m, o);
    for (size_t i = 0; i < o->n_parts; i++)
        move_object(m, &o->parts[i]);
    if (m->scale < 0)
        swap_parts(o);
}

static void move_holes(const struct move *m, struct rings *holes)
{
    holes_move(m->sample->arena, m->map, m->in, m->out, holes);
    if (m->cuts && holes->n)
        *holes = rings_clip(m->sample->arena, holes, box_of_frame(m->out));
}

static void move_hidden(const struct move *m, struct occluders *hidden)
{
    move_holes(m, &hidden->holes);
    move_holes(m, &hidden->cutouts);
}

/* At the center of the old canvas, or of the new one on a way back whose horizon runs through the
 * old center. */
static double scale_of(const struct move *m)
{
    const struct point middle = { m->out.width / 2., m->out.height / 2. };

    if (!m->projective || mat3_sees(&m->map->forward, box_of_frame(m->in)))
        return map_scale(m->map, m->in);
    return mat3_scale_at(&m->map->forward, mat3_apply(&m->map->inverse, middle));
}

void sample_fill_frame(struct sample *s)
{
    struct ring *ring = ARENA_NEW(s->arena, struct ring);

    *ring = ring_of_box(s->arena, box_of_frame(s->frame));
    s->filled = (struct rings){ ring, 1 };
}

/* Its center moves by the map; the midpoints of two sides determine its new sides. Only affine maps
 * keep it approximately a rectangle. */
static void move_region(const struct move *m)
{
    struct region *r = &m->sample->region;
    double c = cos(radians(r->angle)), s = sin(radians(r->angle));
    struct point side = { r->center.x + c * r->size.x / 2, r->center.y + s * r->size.x / 2 };
    struct point below = { r->center.x - s * r->size.y / 2, r->center.y + c * r->size.y / 2 };

    m->sample->has_region &= m->affine;
    if (!m->sample->has_region)
        return;
    r->center = mat3_apply(&m->map->forward, r->center);
    side = mat3_apply(&m->map->forward, side);
    below = mat3_apply(&m->map->forward, below);
    r->size.x = 2 * hypot(side.x - r->center.x, side.y - r->center.y);
    r->size.y = 2 * hypot(below.x - r->center.x, below.y - r->center.y);
    r->angle = atan2(r->center.x - below.x, below.y - r->center.y) * 180 / M_PI;
}

void sample_move(struct sample *s, const struct map *map, struct frame out)
{
    struct move m = { .sample = s, .in = s->frame, .out = out };
    struct map *lasting;

    if (map_is_identity(map) && frame_equal(s->frame, out))
        return;
    lasting = ARENA_NEW(s->arena, struct map);
    *lasting = *map;
    m.map = lasting;
    m.kept = map_kept(map, s->frame, out);
    m.cuts = !is_endless(m.kept);
    m.projective = !map->field && !mat3_is_affine(&map->forward);
    m.affine = !map->field && !m.projective;
    m.axis_aligned = map_is_axis_aligned(map);
    m.scale = scale_of(&m);
    m.rounding = rounding_of(&m, box_of_frame(s->frame));
    for (size_t i = 0; i < s->n_objects; i++)
        move_object(&m, &s->objects[i]);
    move_hidden(&m, &s->hidden);
    if (s->filled.n)
        move_holes(&m, &s->filled);
    for (size_t i = 0; i < s->n_layers; i++)
        move_hidden(&m, &s->layers[i]);
    move_region(&m);
    s->has_matrix &= !map->field;
    s->matrix = mat3_then(&s->matrix, &map->forward);
    s->frame = out;
}
