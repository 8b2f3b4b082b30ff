/* planar: passes on the Y, Cb and Cr planes of a JPEG. */
#include "plan/planar.h"

#include "plan/clamp_check.h"
#include "plan/ycc_linear.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- a pass --- */

struct planar {
    struct pass_context context;
    struct picture now;
    const struct picture *source;
    struct point target;             /* chroma pixels per luma pixel of the result */
    const struct action **pointwise; /* the current pass's, resolved */
};

/* The tones of a pass: all, and before and after its fill. */
struct tones {
    struct tone all, at[2];
    struct fill fill; /* its final color, in RGB */
};

static struct point origin_of(const struct picture *p)
{
    return (struct point){ p->left, p->top };
}

static struct fill fill_of(double v)
{
    return (struct fill){ .channel = { v } };
}

/* Returns the fill, in RGB or gray, as a value of Y, Cb or Cr. */
static struct fill fill_of_plane(const struct fill *rgb, int plane)
{
    double v = plane ? 128 : 0;

    for (int i = 0; i < 3; i++)
        v += ycc_of_rgb[plane][i] * rgb->channel[i];
    return fill_of(nearbyint(v));
}

/* Returns a plane as a sampled composed map shows it. */
static struct plane sampled_plane(struct planar *p, const struct composed_map *seen, bool all,
                                  int i, struct composed_map *r)
{
    double per = 1.0 / p->now.shrink;
    struct point scale = { per * (i ? p->now.chroma_x : 1), per * (i ? p->now.chroma_y : 1) };
    struct plane out;
    struct sampler m;

    *r = composed_sampled(seen, all, origin_of(&p->now), scale, p->context.arena);
    if (r->scattered)
        r->interpolation = INTERPOLATION_NEAREST; /* tones are linear, so blending pixels does not
                                                     change the mean */
    out = pool_plane(p->context.pool, r->out, 1, PIXEL_U8);
    m = sampler_of_composed(r, i ? &p->now.chroma[i - 1] : &p->now.plane, &out, p->context.pool,
                            p->context.arena);
    sampler_rows(&m, 0, &out);
    sampler_end(&m, p->context.pool);
    return out;
}

/* True if the map blends all pixels that it shows, with about equal weights. */
static bool blends_all(const struct composed_map *seen)
{
    struct range apart = composed_apart(seen);

    if (!mat3_is_axis_aligned(&seen->inverse) || seen->edges.n) /* turned, or with a fill */
        return false;
    return seen->interpolation == INTERPOLATION_NEAREST
               ? fabs(apart.lo - 1) < 1e-6 && fabs(apart.hi - 1) < 1e-6
               : seen->antialias || apart.hi < 1 + 1e-6;
}

/* Largest share of luma's columns or rows that a mean may count wrongly. */
#define MAX_UNCOVERED (1.0 / 1024)

/* Rounds [begin, end) to whole pixels of a line of n. Returns false if too large a share is rounded
 * away. */
static bool cover(double begin, double end, int n, double uncovered, int *from, int *length)
{
    double off = fmax(fabs(begin - nearbyint(begin)), fabs(end - nearbyint(end)));

    *from = (int)nearbyint(begin);
    *length = (int)nearbyint(end) - *from;
    return *from >= 0 && *length > 0 && *from + *length <= n && off <= uncovered * (end - begin);
}

/* Gets the part of a plane that a box of the picture covers. Chroma, which counts little, may be
 * covered roughly. */
static bool covered_part(const struct planar *p, struct box b, int i, struct plane *part)
{
    const struct plane *in = i ? &p->now.chroma[i - 1] : &p->now.plane;
    double x = (i ? p->now.chroma_x : 1) / p->now.shrink, left = p->now.left;
    double y = (i ? p->now.chroma_y : 1) / p->now.shrink, top = p->now.top;
    double uncovered = i ? 1 : MAX_UNCOVERED;
    int x0, y0, width, height;

    if (!cover((b.x0 - left) * x, (b.x1 - left) * x, in->width, uncovered, &x0, &width) ||
        !cover((b.y0 - top) * y, (b.y1 - top) * y, in->height, uncovered, &y0, &height))
        return false;
    *part = plane_part(in, x0, y0, width, height);
    return true;
}

static double plane_mean(const struct plane *p)
{
    return plane_luma_sum(p) / ((double)p->width * p->height);
}

/* Computes sampled_luma for a map that blends all pixels of a box. Then the source's pixels have
 * the same mean as the result, and reading them in place is faster than sampling. Returns false if
 * there is no such box. */
static bool covered_luma(const struct planar *p, const struct composed_map *seen,
                         const struct tone *tone, double *mean)
{
    struct box b = composed_shown(seen);
    struct plane part[3], luma;

    if (!blends_all(seen))
        return false;
    for (int i = 0; i < 3; i++)
        if (!covered_part(p, b, i, &part[i]))
            return false;
    luma =
        pool_plane(p->context.pool, (struct frame){ part[0].width, part[0].height }, 1, PIXEL_U8);
    plane_table(&part[0], &luma, tone->luma);
    *mean = plane_mean(&luma);
    for (int i = 1; i < 3 && tone_adds_chroma(tone); i++)
        *mean += (double)tone->luma_of[i - 1] * (plane_mean(&part[i]) - 128);
    pool_return(p->context.pool, &luma);
    return true;
}

/* Returns the mean luma of a composed map's result, with the tones so far. */
static double sampled_luma(struct planar *p, const struct composed_map *seen,
                           const struct tones *tones, size_t n_pointwise, bool all)
{
    int n = tone_adds_chroma(&tones->at[0]) || tone_adds_chroma(&tones->at[1]) ? 3 : 1;
    struct plane ycc[3] = { { 0 } };
    struct composed_map r[3];
    double sum;

    if (!all && covered_luma(p, seen, &tones->all, &sum))
        return sum;
    for (int i = 0; i < n; i++)
        ycc[i] = sampled_plane(p, seen, all, i, &r[i]);
    tone_look_up(&tones->at[0], ycc);
    for (int i = 0; i < n && n_pointwise >= seen->fill_at; i++) {
        struct fill fill = fill_of_plane(&seen->fill, i);

        composed_fill(&ycc[i], &r[i], &fill, 0, ycc[i].height);
    }
    tone_look_up(&tones->at[1], ycc);
    sum = plane_luma_sum(&ycc[0]) / ((double)ycc[0].width * ycc[0].height);
    for (int i = 0; i < n; i++)
        pool_return(p->context.pool, &ycc[i]);
    return sum;
}

/* Applies the pointwise ops after the fill to it. The ops themselves are used, since many pixels
 * may be fill. */
static struct fill recoloured_fill(struct planar *p, const struct pass *pass,
                                   const struct composed_map *composed)
{
    struct plane pixel = pool_plane(p->context.pool, (struct frame){ 1, 1 }, 3, PIXEL_U8);
    uint8_t *channel = pixel.px;
    struct fill fill = { .channel = { 0 } };

    for (int i = 0; i < 3; i++)
        channel[i] = (uint8_t)nearbyint(fmin(255, fmax(0, composed->fill.channel[i])));
    for (size_t i = composed->fill_at; i < pass->n_pointwise; i++)
        if (p->pointwise[i]->family != FAMILY_NOTHING)
            pointwise_run_one(p->pointwise[i], &pixel, &pixel);
    for (int i = 0; i < 3; i++)
        fill.channel[i] = channel[i];
    pool_return(p->context.pool, &pixel);
    return fill;
}

static bool resolve_tones(struct planar *p, const struct pass *pass,
                          const struct composed_map *composed, struct tones *tones)
{
    struct composed_map whole = composed_begin(composed->in);

    tones->all = tones->at[0] = tones->at[1] = tone_begin();
    for (size_t i = 0; i < pass->n_pointwise; i++) {
        const struct pointwise_op *pointwise_op = &pass->pointwise[i];
        const struct resolved_op *d = &p->context.resolved_ops->at[pointwise_op->op];
        struct action *action = ARENA_NEW(p->context.arena, struct action);

        *action = d->action;
        p->pointwise[i] = action;
        if (d->op->needs) {
            const struct composed_map *shown = pointwise_op->seen ? pointwise_op->seen : &whole;
            bool all = is_reduced_after_clamp(p->context.resolved_ops, pass, i, shown);
            struct stats stats = { .luma = sampled_luma(p, shown, tones, i, all) };

            if (!resolved_op_action(d, &stats, p->context.arena, action, p->context.why))
                return false;
            if (!all && is_sensitive(&p->context, pointwise_op->op, &stats, action)) {
                stats.luma = sampled_luma(p, shown, tones, i, true);
                *action = d->action;
                if (!resolved_op_action(d, &stats, p->context.arena, action, p->context.why))
                    return false;
            }
        }
        if (action->family != FAMILY_NOTHING) {
            tone_add(&tones->at[composed->edges.n == 0 || i >= composed->fill_at], action->linear);
            tone_add(&tones->all, action->linear);
        }
    }
    tone_end(&tones->all);
    tones->fill = recoloured_fill(p, pass, composed);
    return true;
}

/* The work on one plane of a pass. */
struct job_of_plane {
    struct composed_map composed;
    struct sampler sampler;
    struct fill fill;
};

/* True if chroma is coarser than luma, now or in the result. */
static bool is_subsampled(const struct planar *p)
{
    return fmin(fmin(p->now.chroma_x, p->now.chroma_y), fmin(p->target.x, p->target.y)) < 1;
}

static void begin_plane(struct planar *p, const struct composed_map *composed,
                        const struct fill *fill, int i, const struct plane *in, struct plane *out,
                        struct job_of_plane *job)
{
    struct point scale = { 1.0 / p->now.shrink, 1.0 / p->now.shrink }, target = { 1, 1 };

    if (i) {
        scale = (struct point){ scale.x * p->now.chroma_x, scale.y * p->now.chroma_y };
        target = p->target;
    }
    job->composed = composed_scaled(composed, origin_of(&p->now), scale, target, p->context.arena);
    if (i && composed->interpolation == INTERPOLATION_NEAREST && is_subsampled(p))
        job->composed.interpolation =
            INTERPOLATION_BILINEAR; /* where whole pixels of luma are halves of chroma's */
    *out = pool_plane(p->context.pool, job->composed.out, 1, PIXEL_U8);
    job->sampler = sampler_of_composed(&job->composed, in, out, p->context.pool, p->context.arena);
    job->fill = fill_of_plane(fill, i);
}

/* Works by strips, with the chroma that belongs to the luma: a strip has an even number of rows. */
static void run_planes(struct planar *p, const struct composed_map *composed,
                       const struct tones *tones, struct plane *const out[3])
{
    const struct plane *in[3] = { &p->now.plane, &p->now.chroma[0], &p->now.chroma[1] };
    struct job_of_plane job[3];
    struct plane rows[3];

    for (int i = 0; i < 3; i++)
        begin_plane(p, composed, &tones->fill, i, in[i], out[i], &job[i]);
    for (int y = 0; y < out[0]->height; y += STRIP) {
        for (int i = 0; i < 3; i++) {
            double per = i ? p->target.y : 1;
            int first = (int)(y * per), end = (int)((y + STRIP) * per);

            end = end < out[i]->height ? end : out[i]->height;
            rows[i] = rows_of(out[i], first, end - first);
            sampler_rows(&job[i].sampler, first, &rows[i]);
        }
        tone_run(&tones->all, &rows[0], &rows[1], &rows[2]);
        for (int i = 0; i < 3; i++) {
            const struct composed_map *r = &job[i].composed;
            int first = (int)(y * (i ? p->target.y : 1));

            plane_fill_outside(out[i], r->interpolation, &r->edges, &job[i].fill, first,
                               first + rows[i].height);
        }
    }
    for (int i = 0; i < 3; i++)
        sampler_end(&job[i].sampler, p->context.pool);
}

/* Returns three planes as RGB. */
static struct plane colours_of(const struct plane ycc[3], struct pool *pool)
{
    struct frame frame = { ycc[0].width, ycc[0].height };
    struct plane rgb = pool_plane(pool, frame, 3, PIXEL_U8);

    plane_of_ycc(&ycc[0], &ycc[1], 1, 1, &rgb);
    return rgb;
}

static void take_sites(struct planar *p, const struct sites *sites, struct plane to[3])
{
    struct point origin = origin_of(&p->now);

    for (int i = 0; i < 3; i++) {
        double per = 1.0 / p->now.shrink;
        struct point scale = { per * (i ? p->now.chroma_x : 1), per * (i ? p->now.chroma_y : 1) };

        to[i] = sites_take(sites, i ? &p->now.chroma[i - 1] : &p->now.plane, origin, scale,
                           &p->context);
    }
}

/* Largest error of colors, in levels, by a mean luma of colors that should have been clamped
 * before. */
#define MAX_MEAN_ERROR 2

/* True if an op that sees the mean luma would see a different mean on planes than of clamped
 * colors. `sofar` is the tone of the pointwise ops before it. */
static bool is_mean_off(struct planar *p, const struct tone *sofar, const struct sites *sites,
                        const struct plane *each, const struct action *a)
{
    struct plane ycc[3];
    double n = (double)sites->n * sites->n, mean;
    double share =
        a->linear ? fabs(1 - (double)a->linear->m[0][0]) : 1; /* share of the mean in the colors */

    take_sites(p, sites, ycc);
    tone_look_up(sofar, ycc);
    mean = plane_luma_sum(&ycc[0]) / n;
    for (int i = 0; i < 3; i++)
        pool_return(p->context.pool, &ycc[i]);
    return share * fabs(mean - plane_luma_sum(each) / ((double)each->width * each->height)) >
           MAX_MEAN_ERROR;
}

/* Half of the bound that fast_bounds states for planes. */
#define MAX_ERROR 41

/* True if, on a few pixels, tones give about the same colors as the ops one after another. */
static bool tones_serve(struct planar *p, const struct pass *pass,
                        const struct composed_map *composed, const struct tones *tones)
{
    size_t blended = pointwise_blended(p->context.resolved_ops, pass);
    struct pool *pool = p->context.pool;
    struct sites sites =
        sites_of(composed_shown(composed), composed_shrink(composed), p->context.arena);
    struct plane ycc[3], once, each;
    struct tone sofar = tone_begin();
    bool differ, off = false;

    if (is_subsampled(p) && tone_adds_much_chroma(&tones->all))
        return false;
    if (blended == 0 && sites.block == 2)
        sites.block = 1; /* pixels are hardly blended: a mean would hide clamping */
    take_sites(p, &sites, ycc);
    each = colours_of(ycc, pool);
    for (size_t i = 0; i <= pass->n_pointwise; i++) {
        if (i == blended)
            each = sites_blend(&sites, each, pool);
        if (i == pass->n_pointwise || p->pointwise[i]->family == FAMILY_NOTHING)
            continue;
        if (i > 0 && p->context.resolved_ops->at[pass->pointwise[i].op].op->needs)
            off |= is_mean_off(p, &sofar, &sites, &each, p->pointwise[i]);
        pointwise_run_one(p->pointwise[i], &each, &each);
        tone_add(&sofar, p->pointwise[i]->linear);
    }
    for (int i = 0; i < 3; i++)
        ycc[i] = sites_blend(&sites, ycc[i], pool);
    tone_run(&tones->all, &ycc[0], &ycc[1], &ycc[2]);
    once = colours_of(ycc, pool);
    for (int i = 0; i < 3; i++)
        pool_return(pool, &ycc[i]);
    differ = sites_differ(&each, &once, MAX_ERROR, pool);
    pool_return(pool, &each);
    pool_return(pool, &once);
    return !differ && !off;
}

static void run_pass(struct planar *p, const struct composed_map *composed,
                     const struct tones *tones)
{
    struct picture next = p->now;

    run_planes(p, composed, tones,
               (struct plane *const[]){ &next.plane, &next.chroma[0], &next.chroma[1] });
    next.chroma_x = p->target.x;
    next.chroma_y = p->target.y;
    next.full = composed->out;
    next.shrink = 1;
    next.left = next.top = 0;
    planar_drop(&p->now, p->source, p->context.pool);
    p->now = next;
}

void planar_drop(struct picture *out, const struct picture *source, struct pool *pool)
{
    if (out->plane.px != source->plane.px)
        pool_return(pool, &out->plane);
    for (int i = 0; i < 2; i++)
        if (out->chroma[i].px != source->chroma[i].px)
            pool_return(pool, &out->chroma[i]);
}

/* Leaves planes: converts a part of the picture to RGB. */
static void leave_planes(struct planar *p, const struct rect *part)
{
    struct picture rgb = planar_colours(&p->now, part, p->context.pool);

    planar_drop(&p->now, p->source, p->context.pool);
    p->now = rgb;
}

/* Runs a pass on planes; *left is set if planes cannot represent it for this image. Returns false,
 * with the reason, if an op that had to see pixels cannot be done. */
static bool try_pass(struct planar *p, const struct pass *pass, bool *left)
{
    struct composed_map stay = composed_begin(p->now.full);
    const struct composed_map *composed = pass->composed ? pass->composed : &stay;
    struct tones tones;

    p->pointwise = ARENA_ARRAY(p->context.arena, const struct action *, pass->n_pointwise + 1);
    if (!resolve_tones(p, pass, composed, &tones))
        return false;
    *left = pass->n_pointwise && !tones_serve(p, pass, composed, &tones);
    if (!*left)
        run_pass(p, composed, &tones);
    return true;
}

bool planar_render(const struct pass_context *context, const struct passes *passes,
                   const struct picture *source, enum subsampling subsampling, struct picture *out,
                   size_t *done)
{
    struct planar p = { .context = *context, .now = *source, .source = source, .target = { 1, 1 } };
    struct point last = { subsampling == SUBSAMPLING_444 ? 1 : 0.5,
                          subsampling == SUBSAMPLING_420 ? 0.5 : 1 };
    struct pass nothing = { 0 };
    bool good = true, left = false;

    *done = context->resolved_ops->n;
    for (size_t i = 0; good && !left && i < passes->n; i++) {
        if (i + 1 ==
            passes->n) /* chroma of half the canvas's size may be too coarse for the last pass */
            p.target = last;
        good = try_pass(&p, &passes->at[i], &left);
        if (left) {
            struct rect all = { 0, 0, p.now.plane.width, p.now.plane.height };
            struct rect part = i ? all : planar_part(context, passes, source);

            leave_planes(&p, &part);
            *done = passes->at[i].first;
        }
        clock_lap(passes->clock, STAGE_RENDER, i + 1);
    }
    p.target = last;
    if (good && !left && (p.now.chroma_x != p.target.x || p.now.chroma_y != p.target.y))
        good = try_pass(&p, &nothing, &left);
    if (good)
        *out = p.now;
    else
        planar_drop(&p.now, source, context->pool);
    return good;
}
