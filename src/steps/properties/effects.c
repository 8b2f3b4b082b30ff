/* effects: checks that an op changes pixels and labels as its flags say, and in no other way. */
#include "steps/properties/labels.h"
#include "steps/properties/random_step.h"
#include "steps/properties/render_plane.h"
#include "steps/properties/walk.h"

#include <stdio.h>
#include <string.h>

enum { DRAWS = 60, TRIES = 50 };

/* --- labels --- */

static bool rings_equal(const struct rings *a, const struct rings *b)
{
    bool equal = a->n == b->n;

    for (size_t i = 0; i < a->n && equal; i++)
        equal = a->ring[i].n == b->ring[i].n &&
                memcmp(a->ring[i].at, b->ring[i].at, a->ring[i].n * sizeof *a->ring[i].at) == 0;
    return equal;
}

/* Compares the geometry of an object, visible or not. */
static bool places_equal(const struct object *a, const struct object *b)
{
    bool equal = rings_equal(&(struct rings){ (struct ring *)&a->outline, 1 },
                             &(struct rings){ (struct ring *)&b->outline, 1 }) &&
                 memcmp(&a->bbox, &b->bbox, sizeof a->bbox) == 0 &&
                 a->segmentation == b->segmentation && rings_equal(&a->rings, &b->rings) &&
                 rle_equal(&a->rle, &b->rle) && a->n_keypoints == b->n_keypoints;

    for (size_t i = 0; i < a->n_keypoints && equal; i++)
        equal = memcmp(&a->keypoints[i].at, &b->keypoints[i].at, sizeof a->keypoints[i].at) == 0;
    return equal;
}

/* Compares everything of an object that is written. */
static bool outcomes_equal(const struct object *a, const struct object *b)
{
    bool equal = places_equal(a, b) && a->final.dropped == b->final.dropped &&
                 a->visibility == b->visibility && a->changes == b->changes &&
                 memcmp(&a->final.box, &b->final.box, sizeof a->final.box) == 0;

    for (size_t i = 0; i < a->n_keypoints && equal; i++)
        equal = a->keypoints[i].visibility == b->keypoints[i].visibility;
    return equal;
}

static bool all_equal(const struct sample *a, const struct sample *b,
                      bool (*equal)(const struct object *, const struct object *))
{
    bool all = a->n_objects == b->n_objects && frame_equal(a->frame, b->frame);

    for (size_t i = 0; i < a->n_objects && all; i++)
        all = equal(&a->objects[i], &b->objects[i]);
    return all;
}

/* --- pixels --- */

static double level_at(const struct plane *p, int x, int y, int channel)
{
    const char *row = (const char *)p->px + (size_t)y * p->stride;
    int i = x * p->channels + channel;

    return p->type == PIXEL_U8    ? ((const uint8_t *)row)[i]
           : p->type == PIXEL_U16 ? ((const uint16_t *)row)[i]
                                  : (double)((const float *)row)[i];
}

static bool is_of_one_colour(const struct plane *p, const struct plane *like)
{
    if (p->channels != like->channels || p->type != like->type)
        return false;
    for (int y = 0; y < p->height; y++)
        for (int x = 0; x < p->width; x++)
            for (int channel = 0; channel < p->channels; channel++)
                if (level_at(p, x, y, channel) != level_at(like, 0, 0, channel))
                    return false;
    return true;
}

static struct plane one_colour(struct pool *pool, struct frame f, struct pixel_kind kind,
                               struct rng *rng)
{
    struct plane p = pool_plane(pool, f, kind.channels, kind.type);
    size_t size = (size_t)kind.channels * pixel_type_size(kind.type);
    uint32_t colour[2] = { rng_u32(rng), rng_u32(rng) };

    for (int y = 0; y < f.height; y++)
        for (int x = 0; x < f.width; x++)
            memcpy((char *)p.px + (size_t)y * p.stride + (size_t)x * size, colour, size);
    return p;
}

static void fill_like(struct resolved_ops *resolved_ops, const struct plane *p)
{
    for (size_t i = 0; i < resolved_ops->n; i++)
        for (int channel = 0; channel < p->channels; channel++)
            resolved_ops->at[i].action.fill.channel[channel] = level_at(p, 0, 0, channel);
}

/* --- one draw --- */

/* Effects that were observed in any draw of an op. */
struct observed_effects {
    bool moved, recoloured, hid, relabelled, mirrored, turned;
};

static bool render(struct pool *pool, const struct resolved_ops *resolved_ops,
                   const struct plane *p, struct arena *arena,
                   bool (*good)(const struct plane *, const struct plane *))
{
    struct plane out;
    bool is = render_plane(resolved_ops, OPTIMIZE_NONE, p, pool, arena, &out);

    if (is) {
        is = good(&out, p);
        drop_rendered(pool, p, &out);
    }
    return is;
}

/* Checks pixels: an op that only moves pixels introduces no new color; an op that moves nothing
 * keeps them in their places. */
static void look_at_pixels(struct walker *w, const struct op *op, struct resolved_ops *resolved_ops,
                           struct frame f, struct pixel_kind kind, struct arena *arena,
                           struct rng *rng, struct observed_effects *h)
{
    struct pool *pool = &w->pool;
    struct plane picture = random_picture(pool, f, kind, rng);
    struct plane one = one_colour(pool, f, kind, rng);
    bool same = true;

    if (!(op->effect & EFFECT_MOVES)) {
        same = render(pool, resolved_ops, &picture, arena, planes_equal);
        h->recoloured |= !same;
        walk_check(w, same || (op->effect & (EFFECT_RECOLOURS | EFFECT_HIDES)),
                   "an op that recolours nothing leaves pixels unchanged");
    } else if (op->effect & EFFECT_RECOLOURS) {
        h->recoloured |= !render(pool, resolved_ops, &one, arena, is_of_one_colour);
    } else {
        fill_like(resolved_ops, &one);
        walk_check(w, render(pool, resolved_ops, &one, arena, is_of_one_colour),
                   "an op that moves pixels shows no colour that was not there");
    }
    pool_return(pool, &picture);
    pool_return(pool, &one);
}

static void look_at_mask(struct walker *w, const struct op *op,
                         const struct resolved_ops *resolved_ops, struct frame f,
                         struct arena *arena)
{
    struct pool *pool = &w->pool;
    struct plane mask = labels_mask(pool, f), out;
    bool paints = (op->effect & (EFFECT_MOVES | EFFECT_HIDES)) != 0;

    for (size_t i = 0; i < resolved_ops->n; i++)
        paints |= resolved_ops->at[i].action.mask != NULL;
    render_mask(resolved_ops, OPTIMIZE_NONE, &mask, pool, arena, &out);
    walk_check(w, paints || planes_equal(&mask, &out), "label masks stay as they are");
    drop_rendered(pool, &mask, &out);
    pool_return(pool, &mask);
}

static void look_at_labels(struct walker *w, const struct op *op, struct sample *sample,
                           struct sample *before, const struct rules *rules,
                           struct observed_effects *h)
{
    const unsigned touching = EFFECT_MOVES | EFFECT_HIDES | EFFECT_RELABELS;
    bool places = all_equal(sample, before, places_equal), outcomes;

    h->moved |= !places;
    h->mirrored |= sample->has_matrix &&
                   mat3_scale_at(&sample->matrix, (struct point){ before->frame.width / 2.0,
                                                                  before->frame.height / 2.0 }) < 0;
    h->turned |= sample->has_matrix &&
                 (fabs(sample->matrix.m[1]) > 1e-9 || fabs(sample->matrix.m[3]) > 1e-9 ||
                  !mat3_is_affine(&sample->matrix));
    walk_check(w, places || (op->effect & touching), "labels stay where they are");
    sample_finalize(sample, rules);
    sample_finalize(before, rules);
    outcomes = all_equal(sample, before, outcomes_equal);
    for (size_t i = 0; i < sample->n_objects && i < before->n_objects; i++)
        h->hid |= sample->objects[i].visibility < before->objects[i].visibility;
    h->relabelled |= !outcomes;
    walk_check(w, outcomes || (op->effect & touching), "labels stay unchanged");
}

static bool read_plan(struct walker *w, const struct op *op, struct rng *rng, struct plan *plan)
{
    bool good = false;

    for (int i = 0; i < TRIES && !good; i++)
        good = random_plan(&op, 1, rng, plan);
    return walk_check(w, good, "random values of the parameters are taken");
}

static void draw(struct walker *w, const struct op *op, struct rng *rng, struct observed_effects *h)
{
    struct frame f = { (int)rng_integer(rng, 60, 110), (int)rng_integer(rng, 50, 90) };
    struct pixel_kind kind = { rng_unit(rng) < 0.5 ? PIXEL_U8 : PIXEL_U16,
                               (int)rng_integer(rng, 1, 5) };
    struct arena arena = { 0 };
    struct sample sample = labels_sample(&arena, f), before = labels_sample(&arena, f);
    struct draw_id draw_id = { .seed = 1,
                               .branch =
                                   op->fan_out ? (uint32_t)rng_integer(rng, 0, op->fan_out) : 0 };
    struct resolved_ops resolved_ops;
    struct text why = { 0 };
    struct plan plan;

    if (read_plan(w, op, rng, &plan)) {
        walk_name(w, &plan, f, kind);
        if (plan_apply(&plan, &draw_id, kind, &sample, &resolved_ops, &why) &&
            !resolved_ops.absence.stride) {
            look_at_mask(w, op, &resolved_ops, f, &arena);
            look_at_pixels(w, op, &resolved_ops, f, kind, &arena, rng, h);
            look_at_labels(w, op, &sample, &before, &plan.rules, h);
        }
        plan_drop(&plan);
    }
    text_drop(&why);
    arena_drop(&arena);
}

void walk_effects(struct walker *w, const struct op *op, bool finds_nothing)
{
    struct rng rng = rng_start(2029, rng_stream(op->name), RNG_DRAW);
    struct observed_effects h = { 0 };

    for (int i = 0; i < DRAWS; i++)
        draw(w, op, &rng, &h);
    snprintf(w->about, sizeof w->about, "%s, all draws", op->name);
    walk_check(w, op->effect != 0, "its flags name an effect");
    walk_check(w, !op->needs || op->family == FAMILY_TABLE || op->family == FAMILY_COLOURS,
               "an op that measures pixels is a table or a colour function");
    walk_check(w, h.moved || !(op->effect & EFFECT_MOVES), "some draw moves labels");
    /* The flags of a mix are those of all possible nested steps. */
    walk_check(w, h.mirrored == !!(op->effect & EFFECT_MIRRORS) || op->family == FAMILY_MIX,
               "some draw mirrors if its flag says so, and none otherwise");
    /* A plugin does not say whether its matrices turn. */
    walk_check(w,
               h.turned == !!(op->effect & EFFECT_TURNS) || family_joins(op->family) || op->plugin,
               "some draw turns if its flag says so, and none otherwise");
    walk_check(w, h.recoloured || !(op->effect & EFFECT_RECOLOURS), "some draw recolours");
    walk_check(w, h.hid || !(op->effect & EFFECT_HIDES), "some draw hides");
    walk_check(w, h.relabelled || !(op->effect & EFFECT_RELABELS) || finds_nothing,
               "some draw changes labels");
}
