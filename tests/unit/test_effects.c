/* test_effects: every op does to pixels and labels what its flags say, and nothing else. */
#include "labels.h"
#include "random_step.h"
#include "render_plane.h"
#include "unit.h"

#include <string.h>

enum { DRAWS = 60, TRIES = 50 };

static struct pool pool;

/* --- what labels look like --- */

static bool rings_equal(const struct rings *a, const struct rings *b)
{
    bool equal = a->n == b->n;

    for (size_t i = 0; i < a->n && equal; i++)
        equal = a->ring[i].n == b->ring[i].n &&
                memcmp(a->ring[i].at, b->ring[i].at, a->ring[i].n * sizeof *a->ring[i].at) == 0;
    return equal;
}

/* Where the object is, seen or not. */
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

/* All that is written of it. */
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

/* --- what pixels look like --- */

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

static struct plane one_colour(struct frame f, struct pixel_kind kind, struct rng *rng)
{
    struct plane p = pool_plane(&pool, f, kind.channels, kind.type);
    size_t size = (size_t)kind.channels * pixel_type_size(kind.type);
    uint32_t colour[2] = { rng_u32(rng), rng_u32(rng) };

    for (int y = 0; y < f.height; y++)
        for (int x = 0; x < f.width; x++)
            memcpy((char *)p.px + (size_t)y * p.stride + (size_t)x * size, colour, size);
    return p;
}

static void fill_like(struct drawn_ops *drawn_ops, const struct plane *p)
{
    for (size_t i = 0; i < drawn_ops->n; i++)
        for (int channel = 0; channel < p->channels; channel++)
            drawn_ops->at[i].action.fill.channel[channel] = level_at(p, 0, 0, channel);
}

/* --- one draw --- */

/* What is seen to happen in any draw of an op. */
struct happened {
    bool moved, recoloured, hid, relabelled, mirrored;
};

static bool render(const struct drawn_ops *drawn_ops, const struct plane *p, struct arena *arena,
                   bool (*good)(const struct plane *, const struct plane *))
{
    struct plane out;
    bool is = render_plane(drawn_ops, OPTIMIZE_NONE, p, &pool, arena, &out);

    if (is) {
        is = good(&out, p);
        drop_rendered(&pool, p, &out);
    }
    return is;
}

/* Pixels that only move show no colour that was not there; those of an op that moves nothing stay
 * in their places. */
static void look_at_pixels(const struct op *op, struct drawn_ops *drawn_ops, struct frame f,
                           struct pixel_kind kind, struct arena *arena, struct rng *rng,
                           struct happened *h)
{
    struct plane picture = random_picture(&pool, f, kind, rng), one = one_colour(f, kind, rng);
    bool same = true;

    if (!(op->effect & EFFECT_MOVES)) {
        same = render(drawn_ops, &picture, arena, planes_equal);
        h->recoloured |= !same;
        CHECK(same || (op->effect & (EFFECT_RECOLOURS | EFFECT_HIDES)));
    } else if (op->effect & EFFECT_RECOLOURS) {
        h->recoloured |= !render(drawn_ops, &one, arena, is_of_one_colour);
    } else {
        fill_like(drawn_ops, &one);
        CHECK(render(drawn_ops, &one, arena, is_of_one_colour));
    }
    pool_return(&pool, &picture);
    pool_return(&pool, &one);
}

static void look_at_mask(const struct op *op, const struct drawn_ops *drawn_ops, struct frame f,
                         struct arena *arena)
{
    struct plane mask = labels_mask(&pool, f), out;
    bool paints = (op->effect & (EFFECT_MOVES | EFFECT_HIDES)) != 0;

    for (size_t i = 0; i < drawn_ops->n; i++)
        paints |= drawn_ops->at[i].action.mask != NULL;
    render_mask(drawn_ops, OPTIMIZE_NONE, &mask, &pool, arena, &out);
    CHECK(paints || planes_equal(&mask, &out));
    drop_rendered(&pool, &mask, &out);
    pool_return(&pool, &mask);
}

static void look_at_labels(const struct op *op, struct sample *sample, struct sample *before,
                           const struct rules *rules, struct happened *h)
{
    bool places = all_equal(sample, before, places_equal), outcomes;

    h->moved |= !places;
    h->mirrored |= sample->has_matrix &&
                   mat3_scale_at(&sample->matrix, (struct point){ before->frame.width / 2.0,
                                                                  before->frame.height / 2.0 }) < 0;
    CHECK(places || (op->effect & (EFFECT_MOVES | EFFECT_HIDES | EFFECT_RELABELS)));
    sample_finalize(sample, rules);
    sample_finalize(before, rules);
    outcomes = all_equal(sample, before, outcomes_equal);
    for (size_t i = 0; i < sample->n_objects; i++)
        h->hid |= sample->objects[i].visibility < before->objects[i].visibility;
    h->relabelled |= !outcomes;
    CHECK(outcomes || (op->effect & (EFFECT_MOVES | EFFECT_HIDES | EFFECT_RELABELS)));
}

static bool read_plan(const struct op *op, struct rng *rng, struct plan *plan)
{
    bool good = false;

    for (int i = 0; i < TRIES && !good; i++)
        good = random_plan(&op, 1, rng, plan);
    return CHECK(good);
}

static void draw(const struct op *op, struct rng *rng, struct happened *h)
{
    struct frame f = { (int)rng_integer(rng, 60, 110), (int)rng_integer(rng, 50, 90) };
    struct pixel_kind kind = { rng_unit(rng) < 0.5 ? PIXEL_U8 : PIXEL_U16,
                               (int)rng_integer(rng, 1, 5) };
    struct arena arena = { 0 };
    struct sample sample = labels_sample(&arena, f), before = labels_sample(&arena, f);
    struct draw_id draw_id = { .seed = 1,
                               .branch =
                                   op->fan_out ? (uint32_t)rng_integer(rng, 0, op->fan_out) : 0 };
    struct drawn_ops drawn_ops;
    struct text why = { 0 };
    struct plan plan;

    if (read_plan(op, rng, &plan)) {
        if (plan_apply(&plan, &draw_id, kind, &sample, &drawn_ops, &why) &&
            !drawn_ops.absence.stride) {
            look_at_mask(op, &drawn_ops, f, &arena);
            look_at_pixels(op, &drawn_ops, f, kind, &arena, rng, h);
            look_at_labels(op, &sample, &before, &plan.rules, h);
        }
        plan_drop(&plan);
    }
    text_drop(&why);
    arena_drop(&arena);
}

/* Labels of which nothing lies beyond the image cannot be clamped, a triangle has no point to
 * spare, what has outlines is not fused, there are no annotations with codes and small masks, and
 * random steps name no category. */
static bool finds_nothing(const struct op *op)
{
    static const char *const nothing[] = { "clip_boxes",           "decode_boxes",
                                           "encode_boxes",         "paste_masks",
                                           "set_image_label",      "simplify_polygons",
                                           "weighted_boxes_fusion" };
    bool found = strncmp(op->name, "clamp_", 6) != 0;

    for (size_t i = 0; i < COUNTOF(nothing); i++)
        found = found && strcmp(op->name, nothing[i]) != 0;
    for (ROWS (row, op->params))
        found = found && !row->categories;
    return !found;
}

static void walk(const struct op *op)
{
    struct rng rng = rng_start(2029, rng_stream(op->name), RNG_DRAW);
    struct happened h = { 0 };
    size_t failed = unit_failed;

    for (int i = 0; i < DRAWS; i++)
        draw(op, &rng, &h);
    CHECK(op->effect != 0);
    CHECK(h.moved || !(op->effect & EFFECT_MOVES));
    /* The steps inside of a mix are walked for what they may do. */
    CHECK(h.mirrored == !!(op->effect & EFFECT_MIRRORS) || strcmp(op->name, "mix") == 0);
    CHECK(h.recoloured || !(op->effect & EFFECT_RECOLOURS));
    CHECK(h.hid || !(op->effect & EFFECT_HIDES));
    CHECK(h.relabelled || !(op->effect & EFFECT_RELABELS) || finds_nothing(op));
    if (failed != unit_failed)
        fprintf(stderr, "    %s\n", op->name);
}

int main(void)
{
    const char *only = getenv("OP");
    size_t n = 0;

    for (EACH(op, op, registry_ops))
        n += !only || strcmp(only, op->name) == 0;
    unit_plan(n);
    for (EACH(op, op, registry_ops))
        if (!only || strcmp(only, op->name) == 0) {
            walk(op);
            unit_report(op->name);
        }
    pool_drop(&pool);
    return unit_end();
}
