/* fuse: drawn ops compiled to passes over memory. */
#include "plan/fuse.h"

#include "plan/clamp_check.h"
#include "plan/pass_rows.h"
#include "plan/error_gain.h"

#include <math.h>

const char *family_name(enum family family)
{
    static const char *const names[] = {
        [FAMILY_NOTHING] = "nothing",   [FAMILY_INDEX] = "index map",
        [FAMILY_MATRIX] = "warp",       [FAMILY_RESAMPLE] = "resize",
        [FAMILY_TABLE] = "table",       [FAMILY_COLOURS] = "colour function",
        [FAMILY_FIELD] = "field",       [FAMILY_ALIGN] = "align",
        [FAMILY_CONVOLVE] = "convolve", [FAMILY_PAINT] = "paint",
        [FAMILY_RASTER] = "raster",     [FAMILY_CONVERT] = "convert",
        [FAMILY_MIX] = "mix",           [FAMILY_JOIN] = "join",
    };

    return names[family];
}

bool family_moves(enum family family)
{
    return family == FAMILY_INDEX || family == FAMILY_MATRIX || family == FAMILY_RESAMPLE ||
           family == FAMILY_FIELD || family == FAMILY_ALIGN;
}

/* The pass that is being made. */
struct fusing {
    const struct drawn_ops *drawn_ops;
    enum optimize optimize;
    bool careful; /* colours go past no resampling */
    struct arena *arena;
    struct family_pairs *pairs;
    struct passes passes;
    struct pass *pass; /* the last; NULL before the first */
    struct composed_map composed;
    const char *no_composed; /* why there is none */
    bool bent;               /* one of its pointwise functions is not linear */
    enum family *seen;       /* families in it, in order */
    size_t n_seen;
};

static void begin(struct fusing *f, size_t i, const char *reason)
{
    const struct drawn_op *d = &f->drawn_ops->at[i];

    f->pass = &f->passes.at[f->passes.n++];
    *f->pass = (struct pass){ .first = i, .last = i, .reason = reason };
    f->pass->pointwise = ARENA_ARRAY(f->arena, struct pointwise_op, f->drawn_ops->n - i);
    if (f->passes.n == 1)
        f->pass->reason = NULL;
    f->composed = composed_begin(d->in);
    f->no_composed = NULL;
    f->bent = false;
    f->n_seen = 0;
}

static void note(struct fusing *f, size_t i)
{
    enum family family = drawn_op_family(&f->drawn_ops->at[i]);

    if (f->pairs)
        for (size_t k = 0; k < f->n_seen; k++)
            f->pairs->count[f->seen[k]][family]++;
    f->seen[f->n_seen++] = family;
    f->pass->last = i;
}

/* What stands in the way of one more op in this pass, whatever it is; NULL if nothing does. */
static const char *closed(const struct fusing *f)
{
    if (!f->pass)
        return "";
    if (f->optimize == OPTIMIZE_NONE)
        return "optimize is none";
    if (f->pass->whole)
        return f->pass->whole->family == FAMILY_COLOURS ? "the number of channels changes before it"
               : f->pass->whole->family == FAMILY_MIX
                   ? "what is before it, a mix, is a pass by itself"
               : f->pass->whole->family == FAMILY_JOIN
                   ? "what is before it, a join, is a pass by itself"
                   : "what is before it, a filter or paint, is a pass by itself";
    return NULL;
}

/* --- pointwise ops: tables and colour functions --- */

/* Tables are looked through for statistics at little cost; a colour function is better run once. */
static bool has_colours(const struct fusing *f)
{
    for (size_t i = 0; i < f->pass->n_pointwise; i++)
        if (drawn_op_family(&f->drawn_ops->at[f->pass->pointwise[i].op]) == FAMILY_COLOURS)
            return true;
    return false;
}

/* Are the pixels that the pass has so far those of its source, if in other places? */
static bool shows_source(const struct pass *pass)
{
    return !pass->composed_only &&
           (!pass->head || (pass->head->family == FAMILY_INDEX && index_permutes(pass->head)));
}

/* Would an error of the mean show? Judged for an image of medium luma. */
static bool shows_error(const struct fusing *f, size_t i)
{
    const struct drawn_op *d = &f->drawn_ops->at[i];
    struct stats stats = { .luma = 128 };
    struct action action = d->action;
    struct text why = { 0 };
    struct pass_context context = { .drawn_ops = f->drawn_ops, .arena = f->arena, .why = &why };
    bool shows = !drawn_op_resolve(d, &stats, f->arena, &action, &why) ||
                 is_sensitive(&context, i, &stats, &action);

    text_drop(&why);
    return shows;
}

/* A mean may be taken of every so many pixels of a composed map; what else there is to see, of all.
 * Nearest pixels may be others by a composed map. */
static bool is_sampled(const struct fusing *f, size_t i)
{
    const struct pass *pass = f->pass;
    bool same = pass->composed_only || !f->composed.n_grids || !pass->head ||
                pass->head->family != FAMILY_INDEX;

    return f->optimize == OPTIMIZE_FAST && !f->no_composed && same &&
           f->drawn_ops->at[i].op->needs == NEEDS_LUMA && !shows_error(f, i);
}

static void add_point(struct fusing *f, size_t i)
{
    const struct drawn_op *d = &f->drawn_ops->at[i];
    const char *reason = closed(f);
    bool sampled = false;

    if (!reason && d->op->needs) {
        sampled = !shows_source(f->pass) && is_sampled(f, i);
        if (!sampled && has_colours(f) && f->optimize != OPTIMIZE_FAST)
            reason = "it must see the image after a colour function";
        else if (!sampled && !shows_source(f->pass))
            reason = "it must see the image as what is before it leaves it";
    }
    if (reason)
        begin(f, i, reason);
    if (sampled) {
        struct composed_map *seen = ARENA_NEW(f->arena, struct composed_map);

        *seen = f->composed;
        f->pass->pointwise[f->pass->n_pointwise].seen = seen;
    }
    if (!f->pass->n_pointwise)
        f->pass->early = f->pass->composed;
    f->bent |= d->op->needs ? !d->op->linear : !d->action.linear;
    f->pass->pointwise[f->pass->n_pointwise++].op = i;
}

/* --- heads: pixels change places --- */

/* Why the move cannot join the pass's head to the bit; NULL if it may. A resize is joined in mode
 * exact alone: in mode fast it is a part of a composed map. */
static const char *unlike_head(const struct fusing *f, const struct action *a, struct action *both)
{
    const struct pass *pass = f->pass;
    bool resizes = pass->head && pass->head->family == FAMILY_RESAMPLE;

    if (a->family != FAMILY_INDEX || pass->composed_only ||
        (pass->head && pass->head->family != FAMILY_INDEX &&
         !(resizes && f->optimize == OPTIMIZE_EXACT)))
        return "in mode exact a warp or resize begins a pass, and no other move joins it";
    if (resizes && !resample_join(pass->head, a, both))
        return "in mode exact no other move than a crop joins a resize";
    return NULL;
}

/* To the bit: index maps as one, or a resize and what is cut out of it. */
static bool join_head(struct fusing *f, const struct action *a, const char **reason)
{
    struct pass *pass = f->pass;
    struct action *both = ARENA_NEW(f->arena, struct action);
    bool resizes = pass->head && pass->head->family == FAMILY_RESAMPLE;

    *reason = unlike_head(f, a, both);
    if (*reason)
        return false;
    if (pass->n_pointwise && index_fills(a))
        *reason = "its border must not be recoloured by what is before it";
    else if (pass->head && !resizes && !index_join(f->arena, pass->head, a, both, reason))
        return false;
    if (*reason)
        return false;
    if (!pass->head)
        *both = *a;
    pass->head = !resizes && index_is_identity(both) ? NULL : both;
    return true;
}

/* By how much moves behind op i make things larger at the most. */
static double enlarged_behind(const struct fusing *f, size_t i)
{
    double times = 1;

    while (++i < f->drawn_ops->n)
        if (family_moves(drawn_op_family(&f->drawn_ops->at[i])))
            times = fmax(1, times * action_enlarges(&f->drawn_ops->at[i].action));
    return times;
}

/* Are there edges before op i that no blending of pixels has: steps of colours that are not linear,
 * or that earlier passes cut off, or what is left where pixels were skipped? How sharp they become
 * then depends on each filter, and on what it sees beyond its canvas. */
static bool is_rough_before(const struct fusing *f, size_t i)
{
    while (i-- > 0) {
        const struct drawn_op *d = &f->drawn_ops->at[i];
        enum family family = drawn_op_family(d);

        if ((family == FAMILY_TABLE || family == FAMILY_COLOURS) &&
            ((d->op->needs ? !d->op->linear : !d->action.linear) ||
             (i < f->pass->first && drawn_clamps(d))))
            return true;
        if (family_moves(family) && action_skips(&d->action))
            return true;
    }
    return false;
}

/* Within a bound: as a part of one composed map. */
static bool join_composed(struct fusing *f, size_t i, const char **reason)
{
    const struct action *a = &f->drawn_ops->at[i].action;
    struct composed_map *composed = ARENA_NEW(f->arena, struct composed_map);

    if (f->bent)
        *reason = "colours before it are changed by a function that is not linear";
    else if (f->careful && f->pass->n_pointwise && action_resamples(a))
        *reason = "colours before it are changed by a function that is not linear";
    else if (f->no_composed)
        *reason = f->no_composed;
    else if (f->pass->head && f->pass->head != a && action_resamples(a) && is_rough_before(f, i))
        *reason = "edges that colours or skipped pixels made before it would come out sharper";
    else
        composed_add(&f->composed, a, f->pass->n_pointwise, enlarged_behind(f, i), f->arena,
                     reason);
    if (*reason)
        return false;
    *composed = f->composed;
    f->pass->composed = composed;
    return true;
}

static void add_head(struct fusing *f, size_t i)
{
    const struct action *a = &f->drawn_ops->at[i].action;
    bool fast = f->optimize == OPTIMIZE_FAST;
    const char *reason = closed(f), *unlike = NULL, *not_composed = NULL;

    if (!reason) {
        bool joined = join_head(f, a, &unlike),
             composed_only = fast && join_composed(f, i, &not_composed);

        if (joined && !composed_only) { /* from here on it is index maps only */
            f->pass->composed = NULL;
            f->no_composed = not_composed ? not_composed : f->no_composed;
        }
        f->pass->composed_only |= composed_only && !joined;
        if (joined || composed_only)
            return;
        reason = fast ? not_composed : unlike;
    }
    begin(f, i, reason);
    f->pass->head = a;
    if (fast)
        join_composed(f, i, &f->no_composed);
}

/* --- all of it --- */

static void add_whole(struct fusing *f, size_t i)
{
    const struct action *a = &f->drawn_ops->at[i].action;

    begin(f, i,
          f->optimize == OPTIMIZE_NONE  ? "optimize is none"
          : a->family == FAMILY_COLOURS ? "it changes the number of channels"
          : a->family == FAMILY_MIX     ? "a mix is a pass by itself"
          : a->family == FAMILY_JOIN
              ? "a join is a pass by itself"
              : "a filter, or paint over a part of the image, is a pass by itself");
    f->pass->whole = a;
}

static void add(struct fusing *f, size_t i)
{
    const struct drawn_op *d = &f->drawn_ops->at[i];

    switch (drawn_op_family(d)) {
    case FAMILY_NOTHING:
        return;
    case FAMILY_INDEX:
    case FAMILY_MATRIX:
    case FAMILY_RESAMPLE:
    case FAMILY_FIELD:
    case FAMILY_ALIGN:
        add_head(f, i);
        break;
    case FAMILY_COLOURS:
        if (!d->op->needs && d->action.channels != d->pixels.channels) {
            add_whole(f, i);
            break;
        }
        add_point(f, i);
        break;
    case FAMILY_TABLE:
        add_point(f, i);
        break;
    default:
        add_whole(f, i);
    }
    note(f, i);
}

/* A level more or less may become any number of them by an op that spreads a histogram, that turns
 * to the axes of colours, or by a contrast that is very strong; and edges that those make are
 * sharper than any blending. */
static bool spreads_errors(const struct fusing *f)
{
    for (size_t i = 0; i < f->drawn_ops->n; i++) {
        unsigned needs = f->drawn_ops->at[i].op->needs;

        if (needs & (NEEDS_HISTOGRAM | NEEDS_COVARIANCE) ||
            (needs == NEEDS_LUMA && shows_error(f, i)))
            return true;
    }
    return false;
}

/* The least side of a canvas: on smaller ones all is border, where filters end at a canvas's edge
 * or see beyond it. */
enum { LEAST_SIDE = 24 };

static bool is_small(struct frame f)
{
    return f.width < LEAST_SIDE || f.height < LEAST_SIDE;
}

static bool has_small_canvas(const struct drawn_ops *drawn_ops)
{
    for (size_t i = 0; i < drawn_ops->n; i++) {
        const struct drawn_op *d = &drawn_ops->at[i];

        if (is_small(d->in) || (!d->op->needs && is_small(d->action.out)))
            return true;
    }
    return false;
}

static struct passes compile(const struct drawn_ops *drawn_ops, enum optimize optimize,
                             bool careful, struct arena *arena, struct family_pairs *pairs)
{
    struct fusing f = { .drawn_ops = drawn_ops,
                        .optimize = optimize,
                        .careful = careful,
                        .arena = arena,
                        .pairs = pairs,
                        .passes = { .at = ARENA_ARRAY(arena, struct pass, drawn_ops->n + 1),
                                    .optimize = optimize },
                        .seen = ARENA_ARRAY(arena, enum family, drawn_ops->n + 1) };

    if (optimize == OPTIMIZE_FAST) {
        f.passes.exact =
            has_small_canvas(drawn_ops) ? "a canvas is less than 24 pixels wide or high"
            : spreads_errors(&f)
                ? "an op sees more than a mean, or makes so much of it that errors would show"
                : NULL;
        if (f.passes.exact)
            f.optimize = f.passes.optimize = OPTIMIZE_EXACT;
    }
    for (size_t i = 0; i < drawn_ops->n; i++)
        add(&f, i);
    if (f.optimize == OPTIMIZE_FAST) {
        f.passes.gain = gain_behind(drawn_ops, 0, arena);
        f.passes.luma_gain = luma_gain(drawn_ops, arena);
    }
    return f.passes;
}

struct passes passes_of(const struct drawn_ops *drawn_ops, enum optimize optimize,
                        struct arena *arena, struct family_pairs *pairs)
{
    return compile(drawn_ops, optimize, false, arena, pairs);
}

struct passes passes_careful(const struct drawn_ops *drawn_ops, struct arena *arena)
{
    return compile(drawn_ops, OPTIMIZE_FAST, true, arena, NULL);
}
