/* clamp_check: whether clamping colors once, instead of after each op, changes this image. */
#include "plan/clamp_check.h"

#include <math.h>

bool op_can_clamp(const struct resolved_op *d)
{
    const struct colour_matrix *m = d->action.linear;

    if (d->op->needs || !m)
        return true;
    for (int i = 0; i < 3; i++) {
        double lo = (double)m->m[i][3], hi = lo;

        for (int j = 0; j < 3; j++) {
            lo += 255 * fmin(0, (double)m->m[i][j]);
            hi += 255 * fmax(0, (double)m->m[i][j]);
        }
        if (lo < -1 || hi > 256)
            return true;
    }
    return false;
}

size_t pointwise_blended(const struct resolved_ops *resolved_ops, const struct pass *pass)
{
    size_t n = 0, move = pass->first;

    if (!pass->composed || pass->composed->interpolation == INTERPOLATION_NEAREST)
        return 0;
    for (size_t i = pass->first; i <= pass->last; i++)
        if (!resolved_ops->at[i].op->needs && action_resamples(&resolved_ops->at[i].action))
            move = i;
    while (n < pass->n_pointwise && pass->pointwise[n].op < move)
        n++;
    return n;
}

bool is_reduced_after_clamp(const struct resolved_ops *resolved_ops, const struct pass *pass,
                            size_t i, const struct composed_map *seen)
{
    if (seen->antialias && composed_apart(seen).hi > LITTLE_SHRINK)
        while (i-- > 0)
            if (op_can_clamp(&resolved_ops->at[pass->pointwise[i].op]))
                return true;
    return false;
}

/* --- sites --- */

enum { SITES = 32, WIDE_BLOCK = 4 };

/* Returns the fractional part of a value of 0 or more. */
static double fraction(double v)
{
    return v - floor(v);
}

/* Returns where blocks begin along one axis. Equal steps are shifted by irregular fractions, so
 * that no regular pattern of the image coincides with them. */
static int32_t *sites_along(const struct sites *s, double begin, double end, double apart,
                            struct arena *arena)
{
    int32_t *at = ARENA_ARRAY(arena, int32_t, (size_t)s->n);
    double room = fmax(0, end - begin - fmax(1, apart) * 2);

    for (int i = 0; i < s->n; i++) {
        int site = i / s->block;
        double first = begin + room * (site + fraction(site * 0.6180339887)) / SITES;
        double wide = 0.4 + 0.6 * fraction(site * 0.3819660113);
        double v = first + i % s->block * fmax(1, wide * apart * 2 / s->block);

        at[i] = (int32_t)fmin(fmax(v, begin), fmax(begin, end - 1));
    }
    return at;
}

struct sites sites_of(struct box box, struct point apart, struct arena *arena)
{
    bool wide = fmax(apart.x, apart.y) > LITTLE_SHRINK;
    struct sites s = { .block = wide ? WIDE_BLOCK : 2 };

    s.n = SITES * s.block;
    s.col = sites_along(&s, box.x0, box.x1, wide ? apart.x : 1, arena);
    s.row = sites_along(&s, box.y0, box.y1, wide ? apart.y : 1, arena);
    return s;
}

static int32_t *scaled(const int32_t *at, int n, double origin, double per, int limit,
                       struct arena *arena)
{
    int32_t *to = ARENA_ARRAY(arena, int32_t, (size_t)n);

    for (int i = 0; i < n; i++) {
        double v = floor((at[i] + 0.5 - origin) * per);

        to[i] = (int32_t)fmin(fmax(v, 0), limit - 1);
    }
    return to;
}

struct plane sites_take(const struct sites *s, const struct plane *from, struct point origin,
                        struct point per, const struct pass_context *context)
{
    struct plane to =
        pool_plane(context->pool, (struct frame){ s->n, s->n }, from->channels, from->type);

    plane_remap(from, &to, scaled(s->col, s->n, origin.x, per.x, from->width, context->arena),
                scaled(s->row, s->n, origin.y, per.y, from->height, context->arena), false,
                &(struct fill){ .channel = { 0 } });
    return to;
}

struct plane sites_blend(const struct sites *s, struct plane p, struct pool *pool)
{
    for (int block = s->block; block > 1; block /= 2) {
        struct plane half =
            pool_plane(pool, (struct frame){ p.width / 2, p.height / 2 }, p.channels, p.type);

        plane_halve(&p, &half);
        pool_return(pool, &p);
        p = half;
    }
    return p;
}

/* --- comparison --- */

/* In levels of 255, and as a share: sites that differ by more than FAR_OFF must be few. Wrong
 * colors in one place are visible even if all others are right. */
#define FAR_OFF 24
#define MAX_FAR_OFF 0.03

/* Sums over the samples that differ: squared differences, and the number of large differences. */
struct difference {
    double squares;
    int far_off;
};

static void compare_bytes(const uint8_t *a, const uint8_t *b, int n, struct difference *sum)
{
    uint64_t squares = 0;

    for (int i = 0; i < n; i++) {
        int d = a[i] - b[i];

        squares += (unsigned)(d * d);
        sum->far_off += d > FAR_OFF || d < -FAR_OFF;
    }
    sum->squares += (double)squares;
}

static void compare_floats(const float *a, const float *b, int n, struct difference *sum)
{
    for (int i = 0; i < n; i++) {
        float d = 255 * (a[i] - b[i]);

        sum->squares += (double)(d * d);
        sum->far_off += d > FAR_OFF || d < -FAR_OFF;
    }
}

static struct plane as_floats(const struct plane *p, struct pool *pool)
{
    struct plane to =
        pool_plane(pool, (struct frame){ p->width, p->height }, p->channels, PIXEL_F32);

    plane_convert(p, &to);
    return to;
}

static const void *row_of(const struct plane *p, int y)
{
    return (const char *)p->px + (size_t)y * p->stride;
}

bool sites_differ(const struct plane *a, const struct plane *b, double max_error, struct pool *pool)
{
    int n = a->width * a->channels;
    double all = (double)n * a->height;
    struct difference sum = { 0 };

    if (a->type == PIXEL_U8) {
        for (int y = 0; y < a->height; y++)
            compare_bytes(row_of(a, y), row_of(b, y), n, &sum);
    } else {
        struct plane x = as_floats(a, pool), y = as_floats(b, pool);

        for (int row = 0; row < a->height; row++)
            compare_floats(row_of(&x, row), row_of(&y, row), n, &sum);
        pool_return(pool, &x);
        pool_return(pool, &y);
    }
    return sum.squares > max_error * all || sum.far_off > MAX_FAR_OFF * all;
}

/* --- check --- */

/* A quarter of the bound that fast_bounds states for linear-colours. */
#define MAX_ERROR 56

bool clamping_is_missed(const struct pass_context *context, const struct plane *now,
                        struct point origin, struct point per, const struct pass *pass,
                        const struct pointwise *pointwise)
{
    size_t blended = pointwise_blended(context->resolved_ops, pass), n = 0;
    struct pool *pool = context->pool;
    struct plane each, once;
    struct sites sites;
    bool differ;

    while (n < blended && !op_can_clamp(&context->resolved_ops->at[pass->pointwise[n].op]))
        n++;
    if (n == blended || now->type == PIXEL_F32)
        return false;
    sites =
        sites_of(composed_shown(pass->composed), composed_shrink(pass->composed), context->arena);
    each = sites_take(&sites, now, origin, per, context);
    once = sites_take(&sites, now, origin, per, context);
    once = sites_blend(&sites, once, pool);
    for (size_t i = 0; i < pointwise->n_added; i++) {
        if (i == blended)
            each = sites_blend(&sites, each, pool);
        if (pointwise->each[i]->family == FAMILY_NOTHING)
            continue;
        pointwise_run_one(pointwise->each[i], &each, &each);
        pointwise_run_one(pointwise->each[i], &once, &once);
    }
    if (blended == pointwise->n_added)
        each = sites_blend(&sites, each, pool);
    differ = sites_differ(&each, &once, MAX_ERROR, pool);
    pool_return(pool, &each);
    pool_return(pool, &once);
    return differ;
}
