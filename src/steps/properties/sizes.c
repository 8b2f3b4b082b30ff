/* sizes: runs an op or a transform on images of every kind of pixels, down to 1x1. */
#include "steps/properties/labels.h"
#include "steps/properties/random_step.h"
#include "steps/properties/render_plane.h"
#include "steps/properties/walk.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DRAWS = 2, LARGE = 1000, TRIES = 50 }; /* pixels: one draw is enough for larger images */

static const struct frame frames[] = { { 1, 1 }, { 1, 7 },   { 7, 1 },   { 2, 2 },
                                       { 3, 3 }, { 17, 31 }, { 101, 97 } };

/* --- labels --- */

static bool is_on(struct point p, struct frame f)
{
    const double slack = 1e-6;

    return p.x >= -slack && p.y >= -slack && p.x <= f.width + slack && p.y <= f.height + slack;
}

static bool rings_are_on(const struct rings *rings, struct frame f)
{
    for (size_t i = 0; i < rings->n; i++)
        for (size_t k = 0; k < rings->ring[i].n; k++)
            if (!is_on(rings->ring[i].at[k], f))
                return false;
    return true;
}

static bool object_is_on(const struct object *o, struct frame f)
{
    const struct box *b = &o->final.box;
    bool good = true;

    if (o->has_box)
        good = is_on((struct point){ b->x0, b->y0 }, f) &&
               is_on((struct point){ b->x1, b->y1 }, f) && b->x0 <= b->x1 && b->y0 <= b->y1;
    if (o->segmentation == SEGMENTATION_POLYGONS)
        good = good && rings_are_on(&o->rings, f);
    if (o->segmentation == SEGMENTATION_RLE)
        good =
            good && o->rle.width == f.width && o->rle.height == f.height && rle_is_valid(&o->rle);
    for (size_t i = 0; i < o->n_keypoints; i++)
        good = good && is_on(o->keypoints[i].at, f);
    return good && isfinite(o->area) && o->visibility >= 0 && o->visibility <= 1 + 1e-9;
}

/* --- the ops of one case --- */

struct source {
    struct plane image, mask;
};

static const struct plane *read_mask(void *context)
{
    return &((struct source *)context)->mask;
}

/* Renders in all modes and compares the results. */
static void render(struct walker *w, const struct resolved_ops *resolved_ops,
                   const struct source *source, struct arena *arena, struct frame out)
{
    struct pool *pool = &w->pool;
    struct plane made[3] = { { 0 } }, mask[3] = { { 0 } };
    bool good[3];

    for (int how = OPTIMIZE_NONE; how <= OPTIMIZE_FAST; how++) {
        good[how] =
            render_plane(resolved_ops, (enum optimize)how, &source->image, pool, arena, &made[how]);
        render_mask(resolved_ops, (enum optimize)how, &source->mask, pool, arena, &mask[how]);
    }
    if (walk_check(w, good[0] && good[1] && good[2], "the image is rendered")) {
        walk_check(w, planes_equal(&made[0], &made[1]) && planes_equal(&mask[0], &mask[1]),
                   "compiled and in strips, pixels equal those of one op after another");
        for (int how = OPTIMIZE_NONE; how <= OPTIMIZE_FAST; how++)
            walk_check(w,
                       made[how].width == out.width && made[how].height == out.height &&
                           mask[how].width == out.width && mask[how].height == out.height &&
                           made[how].channels == made[0].channels && made[how].type == made[0].type,
                       "image and mask have the canvas of the labels");
    }
    for (int how = OPTIMIZE_NONE; how <= OPTIMIZE_FAST; how++) {
        if (good[how])
            drop_rendered(pool, &source->image, &made[how]);
        drop_rendered(pool, &source->mask, &mask[how]);
    }
}

/* True if the ops were drawn and rendered. */
static bool draw(struct walker *w, const char *name, const struct plan *plan, struct source *source,
                 struct draw_id *draw_id)
{
    struct frame f = { source->image.width, source->image.height };
    struct pixel_kind kind = { source->image.type, source->image.channels };
    struct arena arena = { 0 };
    struct sample sample = labels_sample(&arena, f);
    struct resolved_ops resolved_ops;
    struct text why = { 0 };
    bool done;

    walk_name(w, plan, f, kind);
    sample.mask = (struct mask_source){ read_mask, source, &w->pool };
    done = plan_apply(plan, draw_id, kind, &sample, &resolved_ops, &why);
    if (!done && w->expected)
        walk_check(w, w->expected(w, name, text_string(&why)), "it is not refused");
    done = done && !resolved_ops.absence.stride;
    if (done) {
        walk_check(w, sample.frame.width > 0 && sample.frame.height > 0,
                   "the canvas has at least one "
                   "pixel");
        render(w, &resolved_ops, source, &arena, sample.frame);
        sample_finalize(&sample, &plan->rules);
        for (size_t i = 0; i < sample.n_objects; i++)
            if (!sample.objects[i].final.dropped)
                walk_check(w, object_is_on(&sample.objects[i], sample.frame),
                           "labels are finite and on the canvas");
    }
    text_drop(&why);
    arena_drop(&arena);
    return done;
}

/* --- the walk --- */

/* Source of plans: an op gets new values each time, a transform is drawn again. */
struct entry {
    const struct op *op;
    const struct plan *plan;
    const char *name;
};

static bool draw_entry(struct walker *w, const struct entry *e, struct source *source,
                       struct rng *rng, int i)
{
    struct draw_id draw_id = { .seed = (uint64_t)i + 1 };
    struct plan plan;
    bool good = false, done;

    if (!e->op)
        return draw(w, e->name, e->plan, source, &draw_id);
    for (int k = 0; k < TRIES && !good; k++)
        good = random_plan(&e->op, 1, rng, &plan);
    if (!walk_check(w, good, "random values of the parameters are taken"))
        return false;
    draw_id.branch = e->op->fan_out ? (uint32_t)rng_integer(rng, 0, e->op->fan_out) : 0;
    done = draw(w, e->name, &plan, source, &draw_id);
    plan_drop(&plan);
    return done;
}

static size_t walk_entry(struct walker *w, const struct entry *e)
{
    struct rng rng = rng_start(2028, rng_stream(e->name), RNG_DRAW);
    struct pool *pool = &w->pool;
    size_t done = 0;

    for (size_t k = 0; k < COUNTOF(frames); k++) {
        bool is_large = frames[k].width * frames[k].height > LARGE;

        for (int type = PIXEL_U8; type <= PIXEL_U16; type++)
            for (int channels = 1; channels <= 4; channels++) {
                struct pixel_kind kind = { (enum pixel_type)type, channels };
                struct source source = { random_picture(pool, frames[k], kind, &rng),
                                         labels_mask(pool, frames[k]) };

                for (int i = 0; i < (is_large ? 1 : DRAWS); i++)
                    done += draw_entry(w, e, &source, &rng, i);
                pool_return(pool, &source.image);
                pool_return(pool, &source.mask);
            }
    }
    snprintf(w->about, sizeof w->about, "%s, all sizes", e->name);
    return done;
}

size_t walk_sizes(struct walker *w, const struct op *op)
{
    return walk_entry(w, &(struct entry){ .op = op, .name = op->name });
}

size_t walk_sizes_of(struct walker *w, const struct transform *transform)
{
    struct text json = { 0 };
    struct faults faults = { .name = transform->name };
    struct plan plan;
    size_t done = 0;

    text_addf(&json, "{\"version\": 1, \"transforms\": [%s]}", transform->example);
    faults.text = (struct slice){ json.at, json.length };
    if (walk_check(w, plan_read(&faults, &plan), "the example is a step"))
        done = walk_entry(w, &(struct entry){ .plan = &plan, .name = transform->name });
    plan_drop(&plan);
    faults_drop(&faults);
    text_drop(&json);
    return done;
}
