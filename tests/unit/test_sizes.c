/* test_sizes: every op and every transform of the registry on images of every kind of pixels, down
 * to 1x1: pixels are the same op by op and compiled, labels stay finite and on the canvas, and what
 * is refused is refused for a reason that is listed here. */
#include "labels.h"
#include "random_step.h"
#include "render_plane.h"
#include "unit.h"

#include <string.h>

enum { DRAWS = 2, LARGE = 1000, TRIES = 50 }; /* pixels: one draw is enough of large ones */

static const struct frame frames[] = { { 1, 1 }, { 1, 7 },   { 7, 1 },   { 2, 2 },
                                       { 3, 3 }, { 17, 31 }, { 101, 97 } };

/* What borrows images has none here; join.bats runs it. */
static const char no_others[] = "there are no other images";

/* What may be refused, by whom, and how the reason begins. Each of them must come up. */
static struct refusal {
    const char *name, *why;
    size_t met;
} refusals[] = {
    { "AtLeastOneBBoxRandomCrop", "the image is", 0 }, /* smaller than the crop, as below */
    { "CropNonEmptyMaskIfExists", "the image is", 0 },
    { "CopyPaste", no_others, 0 },
    { "CutMix", no_others, 0 },
    { "FiveCrop", "the image is", 0 },
    { "MixUp", no_others, 0 },
    { "Mosaic", no_others, 0 },
    { "SimpleCopyPaste", no_others, 0 },
    { "TenCrop", "the image is", 0 },
    { "five_crop", "the image is", 0 },
    { "normalize", "\"mean\" has", 0 },
    { "normalize", "\"std\" has", 0 },
    { "pad", "padding of", 0 }, /* more than a mirror shows */
    { "permute_channels", "the permutation is of", 0 },
    { "roi_align", "the box has no area", 0 },
    { "ten_crop", "the image is", 0 },
    { "weighted_boxes_fusion", "boxes are fused that have segmentations", 0 },
};

static struct pool pool;

/* --- refusals --- */

/* A reason is told after the name of the step. */
static bool is_refusal(const struct refusal *r, const char *name, const char *why)
{
    size_t n = strlen(name);

    return strcmp(r->name, name) == 0 && strncmp(why, name, n) == 0 &&
           strncmp(why + n, ": ", 2) == 0 && strncmp(why + n + 2, r->why, strlen(r->why)) == 0;
}

static bool listed(const char *name, const char *why)
{
    for (size_t i = 0; i < COUNTOF(refusals); i++)
        if (is_refusal(&refusals[i], name, why)) {
            refusals[i].met++;
            return true;
        }
    return false;
}

static void refuse(const char *name, struct frame f, struct pixel_kind kind, const char *why)
{
    if (!CHECK(listed(name, why)))
        fprintf(stderr, "    %s, %dx%d, %d bands of %zu bytes: %s\n", name, f.width, f.height,
                kind.channels, pixel_type_size(kind.type), why);
}

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

/* In all modes. */
static bool render(const struct drawn_ops *drawn_ops, const struct source *source,
                   struct arena *arena, struct frame out)
{
    struct plane made[3] = { { 0 } }, mask[3] = { { 0 } };
    bool good[3], fine;

    for (int how = OPTIMIZE_NONE; how <= OPTIMIZE_FAST; how++) {
        good[how] =
            render_plane(drawn_ops, (enum optimize)how, &source->image, &pool, arena, &made[how]);
        render_mask(drawn_ops, (enum optimize)how, &source->mask, &pool, arena, &mask[how]);
    }
    fine = CHECK(good[0] && good[1] && good[2]);
    if (fine) {
        fine = CHECK(planes_equal(&made[0], &made[1])) && CHECK(planes_equal(&mask[0], &mask[1]));
        for (int how = OPTIMIZE_NONE; how <= OPTIMIZE_FAST; how++)
            fine =
                CHECK(made[how].width == out.width && made[how].height == out.height) &&
                CHECK(mask[how].width == out.width && mask[how].height == out.height) &&
                CHECK(made[how].channels == made[0].channels && made[how].type == made[0].type) &&
                fine;
    }
    for (int how = OPTIMIZE_NONE; how <= OPTIMIZE_FAST; how++) {
        if (good[how])
            drop_rendered(&pool, &source->image, &made[how]);
        drop_rendered(&pool, &source->mask, &mask[how]);
    }
    return fine;
}

/* True when something was drawn and rendered. */
static bool draw(const char *name, const struct plan *plan, struct source *source,
                 struct draw_id *draw_id)
{
    struct frame f = { source->image.width, source->image.height };
    struct pixel_kind kind = { source->image.type, source->image.channels };
    struct arena arena = { 0 };
    struct sample sample = labels_sample(&arena, f);
    struct drawn_ops drawn_ops;
    struct text why = { 0 };
    bool done, fine = true;

    sample.mask = (struct mask_source){ read_mask, source, &pool };
    done = plan_apply(plan, draw_id, kind, &sample, &drawn_ops, &why);
    if (!done)
        refuse(name, f, kind, text_string(&why));
    done = done && !drawn_ops.absence.stride;
    if (done) {
        fine = CHECK(sample.frame.width > 0 && sample.frame.height > 0) &&
               render(&drawn_ops, source, &arena, sample.frame);
        sample_finalize(&sample, &plan->rules);
        for (size_t i = 0; i < sample.n_objects; i++)
            if (!sample.objects[i].final.dropped)
                fine &= CHECK(object_is_on(&sample.objects[i], sample.frame));
    }
    if (!fine)
        fprintf(stderr, "    %s, %dx%d, %d bands of %zu bytes, key %d\n", name, f.width, f.height,
                kind.channels, pixel_type_size(kind.type), (int)draw_id->seed);
    text_drop(&why);
    arena_drop(&arena);
    return done;
}

/* --- the walk --- */

/* Where plans come from: an op gets new values each time, a transform draws anew. */
struct entry {
    const struct op *op;
    const struct plan *plan;
    const char *name;
    int fan_out;
    bool borrows; /* it is refused everywhere */
};

static bool draw_entry(const struct entry *e, struct source *source, struct rng *rng, int i)
{
    struct draw_id draw_id = { .seed = (uint64_t)i + 1 };
    struct plan plan;
    bool good = false, done;

    if (!e->op)
        return draw(e->name, e->plan, source, &draw_id);
    for (int k = 0; k < TRIES && !good; k++)
        good = random_plan(&e->op, 1, rng, &plan);
    if (!CHECK(good))
        return false;
    draw_id.branch = e->fan_out ? (uint32_t)rng_integer(rng, 0, e->fan_out) : 0;
    done = draw(e->name, &plan, source, &draw_id);
    plan_drop(&plan);
    return done;
}

static void walk(const struct entry *e)
{
    struct rng rng = rng_start(2028, rng_stream(e->name), RNG_DRAW);
    size_t done = 0;
    bool refused;

    for (size_t k = 0; k < COUNTOF(frames); k++) {
        bool is_large = frames[k].width * frames[k].height > LARGE;

        for (int type = PIXEL_U8; type <= PIXEL_U16; type++)
            for (int channels = 1; channels <= 4; channels++) {
                struct pixel_kind kind = { (enum pixel_type)type, channels };
                struct source source = { random_picture(&pool, frames[k], kind, &rng),
                                         labels_mask(&pool, frames[k]) };

                for (int i = 0; i < (is_large ? 1 : DRAWS); i++)
                    done += draw_entry(e, &source, &rng, i);
                pool_return(&pool, &source.image);
                pool_return(&pool, &source.mask);
            }
    }
    /* There is nothing to borrow here, and all objects have segmentations. */
    refused = e->borrows || strcmp(e->name, "weighted_boxes_fusion") == 0;
    if (!CHECK(refused != (done > 0)))
        fprintf(stderr, "    %s: refused everywhere\n", e->name);
}

static void walk_transform(const struct transform *transform)
{
    struct text json = { 0 };
    struct faults faults = { .name = transform->name };
    struct plan plan;

    text_addf(&json, "{\"version\": 1, \"transforms\": [%s]}", transform->example);
    faults.text = (struct slice){ json.at, json.length };
    if (CHECK(plan_read(&faults, &plan)))
        walk(&(struct entry){ .plan = &plan,
                              .name = transform->name,
                              .borrows = step_borrows(plan.transforms.step) });
    plan_drop(&plan);
    faults_drop(&faults);
    text_drop(&json);
}

static bool is_wanted(const char *name)
{
    const char *only = getenv("OP");

    return !only || strcmp(only, name) == 0;
}

static size_t count_wanted(void)
{
    size_t n = 0;

    for (EACH(op, op, registry_ops))
        n += is_wanted(op->name);
    for (EACH(transform, transform, registry_transforms))
        n += is_wanted(transform->name);
    return n;
}

int main(void)
{
    bool all = !getenv("OP");

    random_quarter_turns = true;
    unit_plan(count_wanted() + all);
    for (EACH(op, op, registry_ops))
        if (is_wanted(op->name)) {
            walk(&(struct entry){ .op = op, .name = op->name, .fan_out = op->fan_out });
            unit_report(op->name);
        }
    for (EACH(transform, transform, registry_transforms))
        if (is_wanted(transform->name)) {
            walk_transform(transform);
            unit_report(transform->name);
        }
    if (all) {
        for (size_t i = 0; i < COUNTOF(refusals); i++)
            if (!CHECK(refusals[i].met > 0))
                fprintf(stderr, "    %s: %s\n", refusals[i].name, refusals[i].why);
        unit_report("each refusal was met");
    }
    pool_drop(&pool);
    return unit_end();
}
