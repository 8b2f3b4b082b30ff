/* pass_rows: the work of a pass on rows while they are in cache. */
#include "plan/pass_rows.h"

#include "plan/error_gain.h"

#include <math.h>

struct plane rows_of(const struct plane *p, int y, int n)
{
    return plane_part(p, 0, y, p->width, n);
}

/* --- pointwise ops --- */

struct pointwise pointwise_begin(const struct pass_context *context, const struct pass *pass)
{
    return (struct pointwise){
        .each = ARENA_ARRAY(context->arena, const struct action *, pass->n_pointwise + 1),
        .at = ARENA_ARRAY(context->arena, const struct action *, pass->n_pointwise + 1),
        .before = ARENA_ARRAY(context->arena, size_t, pass->n_pointwise + 1),
    };
}

static bool has_fill_before(const struct composed_map *composed, size_t i)
{
    return composed && composed->edges.n && composed->fill_at == i;
}

/* True if a fill precedes the pass's pointwise op i, so that the op cannot be joined to the one
 * before. */
static bool is_fenced(const struct pass *pass, size_t i)
{
    bool fenced = has_fill_before(pass->composed, i);

    for (size_t k = 0; k < pass->n_pointwise; k++)
        fenced |= has_fill_before(pass->pointwise[k].seen, i);
    return fenced;
}

static const struct action *joined(const struct pass_context *context, const struct action *last,
                                   const struct action *a, const struct plane *now)
{
    struct action *both;

    if (last->family != FAMILY_TABLE || a->family != FAMILY_TABLE)
        return NULL;
    both = ARENA_NEW(context->arena, struct action);
    table_join(context->arena, last, a, now->type, plane_colours(now), both);
    return both;
}

void pointwise_add(struct pointwise *pointwise, const struct pass_context *context,
                   const struct pass *pass, size_t i, const struct action *a,
                   const struct plane *now)
{
    const struct action *both = NULL;

    pointwise->each[pointwise->n_added] = a;
    pointwise->before[pointwise->n_added++] = pointwise->n;
    pointwise->before[pointwise->n_added] = pointwise->n;
    if (a->family == FAMILY_NOTHING)
        return;
    if (pointwise->n && !is_fenced(pass, i))
        both = joined(context, pointwise->at[pointwise->n - 1], a, now);
    if (both)
        pointwise->at[pointwise->n - 1] = both;
    else
        pointwise->at[pointwise->n++] = a;
    pointwise->before[pointwise->n_added] = pointwise->n;
}

void pointwise_run_one(const struct action *a, const struct plane *in, struct plane *out)
{
    if (a->family != FAMILY_TABLE)
        plane_colour(in, out, a->u.colours.fn, a->u.colours.context);
    else if (a->u.table.entries)
        plane_table(in, out, a->u.table.entries);
    else
        plane_bits(in, out, &a->u.table.bits);
}

void pointwise_run(const struct pointwise *pointwise, size_t first, size_t end,
                   const struct plane *from, struct plane *to)
{
    for (size_t i = first; i < end; i++)
        pointwise_run_one(pointwise->at[i], i == first ? from : to, to);
}

/* --- rows --- */

enum { MAX_EDGES = 32 };

void composed_fill(struct plane *out, const struct composed_map *composed, const struct fill *fill,
                   int y0, int y1)
{
    struct edge moved[MAX_EDGES];
    size_t n = composed->edges.n < MAX_EDGES ? composed->edges.n : MAX_EDGES;

    if (!composed->scattered) {
        plane_fill_outside(out, composed->interpolation, &composed->edges, fill, y0, y1);
        return;
    }
    for (; y0 < y1; y0++) {
        for (size_t i = 0; i < n; i++) {
            moved[i] = composed->edges.at[i];
            moved[i].c += moved[i].a * scatter_shift(y0);
        }
        plane_fill_outside(out, composed->interpolation, &(struct edges){ moved, n }, fill, y0,
                           y0 + 1);
    }
}

/* A sampler that moves nothing leaves the rows where they are, and the first pointwise op reads
 * them there. */
static void make_strip(struct sampler *m, const struct pointwise *pointwise,
                       const struct composed_map *composed, int y, struct plane *to)
{
    struct plane from = *to;
    size_t filled = composed ? pointwise->before[composed->fill_at] : 0;

    if (m->kind == SAMPLER_COPY && pointwise->n)
        from = rows_of(m->in, y, to->height);
    else
        sampler_rows(m, y, to);
    pointwise_run(pointwise, 0, filled, &from, to);
    if (composed)
        composed_fill(m->out, composed, &composed->fill, y, y + to->height);
    pointwise_run(pointwise, filled, pointwise->n, filled ? to : &from, to);
}

void pass_rows_run(struct sampler *m, const struct pointwise *pointwise,
                   const struct composed_map *composed)
{
    /* rows of a single loop need no cache */
    bool one_loop = !composed && pointwise->n + (m->kind != SAMPLER_COPY) <= 1;
    int strip = one_loop ? m->out->height : STRIP;

    for (int y = 0; y < m->out->height; y += strip) {
        int n = m->out->height - y < strip ? m->out->height - y : strip;
        struct plane rows = rows_of(m->out, y, n);

        make_strip(m, pointwise, composed, y, &rows);
    }
}

void pass_rows_make(struct sampler *m, const struct pointwise *pointwise, int y, struct plane *to)
{
    make_strip(m, pointwise, NULL, y, to);
}

/* --- statistics --- */

struct tally tally_begin(const struct pass_context *context, const struct plane *like,
                         unsigned needs)
{
    struct tally t = { .needs = needs, .unit = pixel_type_unit(like->type) };

    if (needs & NEEDS_HISTOGRAM)
        t.counts = ARENA_ARRAY(context->arena, uint32_t, plane_counts(like));
    return t;
}

void tally_add(struct tally *t, const struct plane *p)
{
    t->n += (size_t)p->width * (size_t)p->height;
    if (t->needs & NEEDS_LUMA)
        t->luma += plane_luma_sum(p);
    if (t->counts)
        plane_histogram(p, t->counts);
    if (t->needs & NEEDS_COVARIANCE)
        plane_colour_sums(p, &t->sums);
}

static struct colour_moments moments_of(const struct colour_sums *s, double unit)
{
    double n = (double)s->n, mean[3];
    struct colour_moments m;

    for (int i = 0; i < 3; i++) {
        mean[i] = (double)s->colour[i] / n;
        m.mean[i] = mean[i] / unit;
        for (int j = 0; j <= i; j++)
            m.covariance[i][j] = m.covariance[j][i] =
                ((double)s->product[j][i] / n - mean[i] * mean[j]) / (unit * unit);
    }
    return m;
}

struct stats tally_end(const struct tally *t)
{
    struct stats stats = { .luma = t->luma / (double)t->n / t->unit, .histogram = t->counts };

    if (t->needs & NEEDS_COVARIANCE)
        stats.moments = moments_of(&t->sums, t->unit);
    return stats;
}

bool is_sensitive(const struct pass_context *context, size_t i, const struct stats *stats,
                  const struct action *a)
{
    const struct resolved_op *d = &context->resolved_ops->at[i];
    struct stats other = *stats;
    struct action moved;
    double max = 0;

    if (!a->linear)
        return false;
    other.luma += stats->luma < 128 ? 1 : -1;
    if (!resolved_op_action(d, &other, context->arena, &moved, context->why) || !moved.linear)
        return true;
    for (int k = 0; k < 3; k++)
        max = fmax(max, (double)fabsf(moved.linear->m[k][3] - a->linear->m[k][3]));
    return max * gain_after(context->resolved_ops, i + 1, context->arena) > 1;
}

struct composed_map composed_sampled(const struct composed_map *r, bool all, struct point origin,
                                     struct point in, struct arena *arena)
{
    double min_share = MIN_SAMPLES / ((double)r->out.width * r->out.height);
    double x = all ? 1 : fmin(1, fmax(1.0 / SAMPLED, min_share));
    struct composed_map sampled = composed_scaled(r, origin, in, (struct point){ x, 1 }, arena);

    if (x < 1) {
        sampled.scattered = true;
        sampled.interpolation =
            r->interpolation > INTERPOLATION_BILINEAR ? INTERPOLATION_BILINEAR : r->interpolation;
        sampled.antialias = false;
    }
    return sampled;
}
