/* fast_measure: measures the error of mode fast against its stated bounds, for a pipeline and a
 * picture. */
#pragma once

#include "fast_pictures.h"

#include "plan/plan.h"
#include "plan/fast_bounds.h"

struct fast_result {
    bool measured;
    unsigned used;                            /* shortcuts, as bits */
    double none_truth, fast_truth, fast_none; /* mean squared errors */
    int mask_off;  /* pixels of the label mask that are off by more than is stated */
    double excess; /* root of the error over the allowed one; above 1: broken */
};

static inline double case_error(const struct plane *a, const struct plane *b)
{
    double sum = 0, n = (double)a->width * a->height * a->channels;

    if (a->width != b->width || a->height != b->height || a->channels != b->channels ||
        a->type != b->type || a->channels < 3)
        return INFINITY;
    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++)
            for (int c = 0; c < a->channels; c++) {
                double d = case_value(a, x, y, c) - case_value(b, x, y, c);

                sum += d * d;
            }
    return sum / n;
}

/* Pixels at the edges of canvases are left out: the bounds do not cover the width of the transition
 * from a border to its fill. */
static inline double case_error_truth(const struct plane *a, const float *truth,
                                      const struct resolved_ops *resolved_ops,
                                      const struct action *action)
{
    double sum = 0, n = 0;

    for (int y = 0; y < a->height; y++)
        for (int x = 0; x < a->width; x++) {
            const float *v = truth + TRUTH_BANDS * ((size_t)y * (size_t)a->width + (size_t)x);

            if (is_crossed(action, resolved_ops->n, x, y, 1))
                continue;
            n += a->channels;
            for (int c = 0; c < a->channels; c++)
                sum += pow(case_value(a, x, y, c) - (double)v[c], 2);
        }
    return n > 0 ? sum / n : 0;
}

static inline bool case_plan(const char *steps, struct plan *plan)
{
    struct text json = { 0 };
    struct faults faults = { .name = "test" };
    bool good;

    text_addf(&json, "{\"version\": 1, \"transforms\": [%s]}", steps);
    faults.text = (struct slice){ json.at, json.length };
    good = plan_read(&faults, plan);
    if (!good)
        faults_print(&faults, 3, &json);
    if (!CHECK(good))
        fputs(text_string(&json), stderr);
    faults_drop(&faults);
    text_drop(&json);
    return good;
}

/* Renders to a file of the medium, and reads it again as its receiver does. */
static inline struct plane case_render(const struct resolved_ops *resolved_ops, enum optimize how,
                                       const struct scene_picture *s, enum medium medium,
                                       unsigned *used)
{
    bool from_jpeg = medium_is_jpeg(medium), jpegs = medium >= MEDIUM_JPEG;
    enum subsampling subsampling = medium == MEDIUM_JPEG_444 ? SUBSAMPLING_444 : SUBSAMPLING_420;
    struct passes passes = passes_of(resolved_ops, how, &arena, NULL);
    struct picture source = { .plane = s->pixels[from_jpeg ? MEDIUM_PIXELS : medium],
                              .shrink = 1,
                              .full = { CASE_WIDTH, CASE_HEIGHT } };
    struct decode_hints hints = { 0 };
    struct text why = { 0 };
    struct picture out;
    struct plane plane = { 0 };

    if (from_jpeg) {
        render_hints(resolved_ops, &passes, jpegs, &arena, &hints);
        source = case_read(&s->jpeg[subsampling == SUBSAMPLING_444], &hints);
    }
    *used = shortcuts_of(resolved_ops, &passes, &hints);
    if (CHECK(
            render_image(resolved_ops, &passes, &source, subsampling, &pool, &arena, &out, &why))) {
        struct picture seen = out;
        struct text again = { 0 };

        if (jpegs) {
            again = case_jpeg(&out, subsampling, 100);
            seen = case_read(&again, NULL);
        }
        plane = pool_plane(&pool, (struct frame){ seen.plane.width, seen.plane.height },
                           seen.plane.channels, seen.plane.type);
        plane_copy(&seen.plane, &plane);
        if (jpegs)
            picture_drop(&seen, &pool);
        text_drop(&again);
        render_drop(&out, &source, &pool);
    }
    if (from_jpeg)
        picture_drop(&source, &pool);
    text_drop(&why);
    return plane;
}

static inline double truth_luma(const float *rgb, struct frame f)
{
    size_t n = (size_t)f.width * (size_t)f.height;
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += 0.299 * (double)rgb[TRUTH_BANDS * i] + 0.587 * (double)rgb[TRUTH_BANDS * i + 1] +
               0.114 * (double)rgb[TRUTH_BANDS * i + 2];
    return sum / (double)n;
}

/* Returns the actions: means are the truth's own; ops that must see more are resolved as in mode
 * none. */
static inline struct action *case_actions(const struct resolved_ops *resolved_ops,
                                          const struct plane *source, const struct truth *t)
{
    struct action *action = ARENA_ARRAY(&arena, struct action, resolved_ops->n + 1);

    for (size_t i = 0; i < resolved_ops->n; i++) {
        const struct resolved_op *d = &resolved_ops->at[i];
        struct resolved_ops before = *resolved_ops;
        struct text why = { 0 };
        struct tally tally;
        struct stats stats;
        struct plane seen;

        action[i] = d->action;
        if (!d->op->needs)
            continue;
        before.n = i;
        CHECK(render_plane(&before, OPTIMIZE_NONE, source, &pool, &arena, &seen));
        tally = tally_begin(&(struct pass_context){ .arena = &arena }, &seen, d->op->needs);
        tally_add(&tally, &seen);
        stats = tally_end(&tally);
        if (d->op->needs == NEEDS_LUMA) {
            struct frame frame = { seen.width, seen.height };
            float *rgb = truth_render(t, &before, action, frame);

            stats.luma = truth_luma(rgb, frame);
            free(rgb);
        }
        CHECK(resolved_op_action(d, &stats, &arena, &action[i], &why));
        drop_rendered(&pool, source, &seen);
        text_drop(&why);
    }
    return action;
}

/* Returns the stated bound of the used shortcuts that do not resample, as a root mean square. */
static inline double case_allowed(unsigned used)
{
    double max_error = 0;

    for (int i = 0; i < SHORTCUTS; i++)
        if (used & 1U << i && shortcuts[i].psnr > 0)
            max_error = fmax(max_error, 255 * pow(10, -shortcuts[i].psnr / 20));
    return max_error;
}

static inline bool case_resamples(unsigned used)
{
    return used & 1U << SHORTCUT_ONE_RESAMPLE;
}

/* Large labels, so that their edges are far from each other. */
static inline struct plane case_labels(struct frame f)
{
    struct plane p = pool_plane(&pool, f, 1, PIXEL_U8);

    for (int y = 0; y < f.height; y++)
        for (int x = 0; x < f.width; x++)
            ((uint8_t *)p.px)[(size_t)y * p.stride + (size_t)x] =
                (uint8_t)(1 + x / 40 + 4 * (y / 40));
    return p;
}

static inline uint8_t label_at(const struct plane *p, int x, int y)
{
    return ((uint8_t *)p->px)[(size_t)y * p->stride + (size_t)x];
}

/* True if the other mask has the label there or one pixel away, or if the canvas ends there. */
static inline bool is_label_near(const struct plane *p, int x, int y, uint8_t label)
{
    for (int i = y - 1; i <= y + 1; i++)
        for (int j = x - 1; j <= x + 1; j++)
            if (i < 0 || j < 0 || i >= p->height || j >= p->width || label_at(p, j, i) == label)
                return true;
    return false;
}

/* True if several pixels around have the label. One nearest pixel may hit a smaller area, and
 * another one miss it. */
static inline bool is_label_wide(const struct plane *p, int x, int y)
{
    int n = 0;

    for (int i = y > 0 ? y - 1 : 0; i <= y + 1 && i < p->height; i++)
        for (int j = x > 0 ? x - 1 : 0; j <= x + 1 && j < p->width; j++)
            n += label_at(p, j, i) == label_at(p, x, y);
    return n > 4;
}

static inline int labels_off(const struct plane *none, const struct plane *fast)
{
    int n = 0;

    for (int y = 0; y < none->height; y++)
        for (int x = 0; x < none->width; x++)
            n += is_label_wide(fast, x, y) && !is_label_near(none, x, y, label_at(fast, x, y));
    return n;
}

static inline int case_mask_off(const struct resolved_ops *resolved_ops, struct frame frame)
{
    struct plane source = case_labels(frame), none, fast;
    int n;

    render_mask(resolved_ops, OPTIMIZE_NONE, &source, &pool, &arena, &none);
    render_mask(resolved_ops, OPTIMIZE_FAST, &source, &pool, &arena, &fast);
    n = labels_off(&none, &fast);
    drop_rendered(&pool, &source, &none);
    drop_rendered(&pool, &source, &fast);
    pool_return(&pool, &source);
    return n;
}

static inline struct fast_result case_compare(const struct resolved_ops *resolved_ops,
                                              const struct scene_picture *s, enum medium medium)
{
    struct fast_result r = { .measured = true };
    unsigned unused;
    struct plane none = case_render(resolved_ops, OPTIMIZE_NONE, s, medium, &unused);
    struct plane fast = case_render(resolved_ops, OPTIMIZE_FAST, s, medium, &r.used);
    double allowed = case_allowed(r.used);

    r.mask_off = case_mask_off(resolved_ops, (struct frame){ CASE_WIDTH, CASE_HEIGHT });
    r.fast_none = case_error(&none, &fast);
    r.excess = sqrt(r.fast_none) / (allowed > 0 ? allowed : 1e-9);
    if (case_resamples(r.used)) {
        struct picture whole = { 0 };
        const struct truth *t = &s->truth;
        const struct plane *source = &s->pixels[medium_is_jpeg(medium) ? MEDIUM_PIXELS : medium];
        struct action *action;
        float *truth;

        if (medium_is_jpeg(medium)) {
            int k = medium == MEDIUM_JPEG_444;

            whole = case_read(&s->jpeg[k], NULL);
            source = &whole.plane;
            t = &s->truth_jpeg[k];
        }
        action = case_actions(resolved_ops, source, t);
        truth = truth_render(t, resolved_ops, action, (struct frame){ none.width, none.height });
        r.none_truth = case_error_truth(&none, truth, resolved_ops, action);
        r.fast_truth = case_error_truth(&fast, truth, resolved_ops, action);
        allowed = pow(sqrt(SHORTCUT_LOSS * r.none_truth + SHORTCUT_LOSS_MORE) + allowed, 2) -
                  r.none_truth;
        r.excess = sqrt(fmax(0, r.fast_truth - r.none_truth) / allowed);
        free(truth);
        if (medium_is_jpeg(medium))
            picture_drop(&whole, &pool);
    }
    pool_return(&pool, &none);
    pool_return(&pool, &fast);
    return r;
}

enum { CASE_MAX_PIXELS = 330000 }; /* pixels of a canvas; larger ones take too long */

static inline bool case_is_small(const struct resolved_ops *resolved_ops)
{
    for (size_t i = 0; i < resolved_ops->n; i++) {
        struct frame out = resolved_ops->at[i].action.out;

        if (!resolved_ops->at[i].op->needs && (double)out.width * out.height > CASE_MAX_PIXELS)
            return false;
    }
    return true;
}

static inline struct fast_result case_measure(const char *steps, const struct scene_picture *s,
                                              enum medium medium)
{
    struct fast_result r = { 0 };
    struct sample sample = { .arena = &arena, .frame = { CASE_WIDTH, CASE_HEIGHT } };
    struct resolved_ops resolved_ops;
    struct text why = { 0 };
    struct plan plan;

    if (case_plan(steps, &plan) &&
        plan_apply(&plan, &(struct draw_id){ .seed = 1 }, medium_pixels(medium), &sample,
                   &resolved_ops, &why) &&
        case_is_small(&resolved_ops))
        r = case_compare(&resolved_ops, s, medium);
    plan_drop(&plan);
    text_drop(&why);
    arena_reset(&arena);
    return r;
}
