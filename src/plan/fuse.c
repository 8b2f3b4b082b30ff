/* fuse: compiles resolved ops to passes over memory. */
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

/* The state of compiling. */
struct compiler {
    const struct resolved_ops *resolved_ops;
    enum optimize optimize;
    bool careful; /* no colors move across a resampling */
    struct arena *arena;
    struct family_pairs *pairs;
    struct passes passes;
    struct pass *pass; /* the last pass; NULL before the first */
    struct composed_map composed;
    const char *no_composed; /* why the pass has no composed map */
    bool bent;               /* a pointwise function of the pass is not linear */
    enum family *seen;       /* families in the pass, in order */
    size_t n_seen;
};

static void begin(struct compiler *f, size_t i, const char *reason)
{
    const struct resolved_op *d = &f->resolved_ops->at[i];

    f->pass = &f->passes.at[f->passes.n++];
    *f->pass = (struct pass){ .first = i, .last = i, .reason = reason };
    f->pass->pointwise = ARENA_ARRAY(f->arena, struct pointwise_op, f->resolved_ops->n - i);
    if (f->passes.n == 1)
        f->pass->reason = NULL;
    f->composed = composed_begin(d->in);
    f->no_composed = NULL;
    f->bent = false;
    f->n_seen = 0;
}

static void note(struct compiler *f, size_t i)
{
    enum family family = resolved_op_family(&f->resolved_ops->at[i]);

    if (f->pairs)
        for (size_t k = 0; k < f->n_seen; k++)
            f->pairs->count[f->seen[k]][family]++;
    f->seen[f->n_seen++] = family;
    f->pass->last = i;
}

/* Returns the reason why the pass cannot take another op, or NULL. */
static const char *closed(const struct compiler *f)
{
    if (!f->pass)
        return "";
    if (f->optimize == OPTIMIZE_NONE)
        return "optimize is none";
    if (f->pass->whole)
        return f->pass->whole->family == FAMILY_COLOURS ? "the number of channels changes before it"
               : f->pass->whole->family == FAMILY_MIX   ? "the mix before it is a pass by itself"
               : f->pass->whole->family == FAMILY_JOIN
                   ? "the join before it is a pass by itself"
                   : "the filter or paint before it is a pass by itself";
    return NULL;
}

/* --- pointwise ops: tables and colour functions --- */

/* Statistics through tables cost little; a color function should run only once. */
static bool has_colours(const struct compiler *f)
{
    for (size_t i = 0; i < f->pass->n_pointwise; i++)
        if (resolved_op_family(&f->resolved_ops->at[f->pass->pointwise[i].op]) == FAMILY_COLOURS)
            return true;
    return false;
}

/* True if the pass so far only rearranges the pixels of its source. */
static bool shows_source(const struct pass *pass)
{
    return !pass->composed_only &&
           (!pass->head || (pass->head->family == FAMILY_INDEX && index_permutes(pass->head)));
}

/* True if an error of the mean would be visible; tested for an image of medium luma. */
static bool shows_error(const struct compiler *f, size_t i)
{
    const struct resolved_op *d = &f->resolved_ops->at[i];
    struct stats stats = { .luma = 128 };
    struct action action = d->action;
    struct text why = { 0 };
    struct pass_context context = { .resolved_ops = f->resolved_ops,
                                    .arena = f->arena,
                                    .why = &why };
    bool shows = !resolved_op_action(d, &stats, f->arena, &action, &why) ||
                 is_sensitive(&context, i, &stats, &action);

    text_drop(&why);
    return shows;
}

/* True if statistics may be taken from a sample of a composed map's pixels. Only a mean may, and
 * only where the composed map selects the same nearest pixels. */
static bool is_sampled(const struct compiler *f, size_t i)
{
    const struct pass *pass = f->pass;
    bool same = pass->composed_only || !f->composed.n_grids || !pass->head ||
                pass->head->family != FAMILY_INDEX;

    return f->optimize == OPTIMIZE_FAST && !f->no_composed && same &&
           f->resolved_ops->at[i].op->needs == NEEDS_LUMA && !shows_error(f, i);
}

static void add_point(struct compiler *f, size_t i)
{
    const struct resolved_op *d = &f->resolved_ops->at[i];
    const char *reason = closed(f);
    bool sampled = false;

    if (!reason && d->op->needs) {
        sampled = !shows_source(f->pass) && is_sampled(f, i);
        if (!sampled && has_colours(f) && f->optimize != OPTIMIZE_FAST)
            reason = "it must see the image after a colour function";
        else if (!sampled && !shows_source(f->pass))
            reason = "it must see the image after the ops before it";
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

/* --- heads: moves of pixels --- */

/* Returns why the move cannot be joined exactly to the pass's head, or NULL. Only mode exact joins
 * a resize here; in mode fast it is a part of a composed map. */
static const char *unlike_head(const struct compiler *f, const struct action *a,
                               struct action *both)
{
    const struct pass *pass = f->pass;
    bool resizes = pass->head && pass->head->family == FAMILY_RESAMPLE;

    if (a->family != FAMILY_INDEX || pass->composed_only ||
        (pass->head && pass->head->family != FAMILY_INDEX &&
         !(resizes && f->optimize == OPTIMIZE_EXACT)))
        return "in mode exact, a warp or resize begins a pass, and no other move can join it";
    if (resizes && !resample_join(pass->head, a, both))
        return "in mode exact, only a crop can join a resize";
    return NULL;
}

/* Joins a move exactly: index maps become one map, a resize makes only the cropped part. */
static bool join_head(struct compiler *f, const struct action *a, const char **reason)
{
    struct pass *pass = f->pass;
    struct action *both = ARENA_NEW(f->arena, struct action);
    bool resizes = pass->head && pass->head->family == FAMILY_RESAMPLE;

    *reason = unlike_head(f, a, both);
    if (*reason)
        return false;
    if (pass->n_pointwise && index_has_fill(a))
        *reason = "the ops before it must not recolour its border";
    else if (pass->head && !resizes && !index_join(f->arena, pass->head, a, both, reason))
        return false;
    if (*reason)
        return false;
    if (!pass->head)
        *both = *a;
    pass->head = !resizes && index_is_identity(both) ? NULL : both;
    return true;
}

/* Returns the largest factor by which moves after op i enlarge. */
static double enlarged_after(const struct compiler *f, size_t i)
{
    double times = 1;

    while (++i < f->resolved_ops->n)
        if (family_moves(resolved_op_family(&f->resolved_ops->at[i])))
            times = fmax(1, times * action_enlarges(&f->resolved_ops->at[i].action));
    return times;
}

/* True if there are edges before op i that are sharper than blended pixels. Their causes are colors
 * that are not linear, clamping in earlier passes, and skipped pixels. How sharp they become
 * depends on each filter, and on the pixels it reads outside its canvas. */
static bool is_rough_before(const struct compiler *f, size_t i)
{
    while (i-- > 0) {
        const struct resolved_op *d = &f->resolved_ops->at[i];
        enum family family = resolved_op_family(d);

        if ((family == FAMILY_TABLE || family == FAMILY_COLOURS) &&
            ((d->op->needs ? !d->op->linear : !d->action.linear) ||
             (i < f->pass->first && op_can_clamp(d))))
            return true;
        if (family_moves(family) && action_skips(&d->action))
            return true;
    }
    return false;
}

/* Joins a move within a bound, as a part of one composed map. */
static bool join_composed(struct compiler *f, size_t i, const char **reason)
{
    const struct action *a = &f->resolved_ops->at[i].action;
    struct composed_map *composed = ARENA_NEW(f->arena, struct composed_map);

    if (f->bent)
        *reason = "a function that is not linear changes colours before it";
    else if (f->careful && f->pass->n_pointwise && action_resamples(a))
        *reason = "a function that is not linear changes colours before it";
    else if (f->no_composed)
        *reason = f->no_composed;
    else if (f->pass->head && f->pass->head != a && action_resamples(a) && is_rough_before(f, i))
        *reason = "edges made by colours or skipped pixels before it would become sharper";
    else
        composed_add(&f->composed, a, f->pass->n_pointwise, enlarged_after(f, i), f->arena, reason);
    if (*reason)
        return false;
    *composed = f->composed;
    f->pass->composed = composed;
    return true;
}

static void add_head(struct compiler *f, size_t i)
{
    const struct action *a = &f->resolved_ops->at[i].action;
    bool fast = f->optimize == OPTIMIZE_FAST;
    const char *reason = closed(f), *unlike = NULL, *not_composed = NULL;

    if (!reason) {
        bool joined = join_head(f, a, &unlike),
             composed_only = fast && join_composed(f, i, &not_composed);

        if (joined && !composed_only) { /* from here on, the pass is an exact index map */
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

/* --- all ops --- */

static void add_whole(struct compiler *f, size_t i)
{
    const struct action *a = &f->resolved_ops->at[i].action;

    begin(f, i,
          f->optimize == OPTIMIZE_NONE  ? "optimize is none"
          : a->family == FAMILY_COLOURS ? "it changes the number of channels"
          : a->family == FAMILY_MIX     ? "a mix is a pass by itself"
          : a->family == FAMILY_JOIN
              ? "a join is a pass by itself"
              : "a filter, or paint over a part of the image, is a pass by itself");
    f->pass->whole = a;
}

static void add(struct compiler *f, size_t i)
{
    const struct resolved_op *d = &f->resolved_ops->at[i];

    switch (resolved_op_family(d)) {
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

/* True if an op amplifies an error of one level without limit. Such ops spread a histogram, turn
 * colors to their principal axes, or have a very strong contrast. The edges that they make are
 * sharper than blended pixels. */
static bool spreads_errors(const struct compiler *f)
{
    for (size_t i = 0; i < f->resolved_ops->n; i++) {
        unsigned needs = f->resolved_ops->at[i].op->needs;

        if (needs & (NEEDS_HISTOGRAM | NEEDS_COVARIANCE) ||
            (needs == NEEDS_LUMA && shows_error(f, i)))
            return true;
    }
    return false;
}

/* Smallest side of a canvas. Smaller canvases are all border, where filters either stop at the edge
 * or read beyond it. */
enum { MIN_SIDE = 24 };

static bool is_small(struct frame f)
{
    return f.width < MIN_SIDE || f.height < MIN_SIDE;
}

static bool has_small_canvas(const struct resolved_ops *resolved_ops)
{
    for (size_t i = 0; i < resolved_ops->n; i++) {
        const struct resolved_op *d = &resolved_ops->at[i];

        if (is_small(d->in) || (!d->op->needs && is_small(d->action.out)))
            return true;
    }
    return false;
}

static struct passes compile(const struct resolved_ops *resolved_ops, enum optimize optimize,
                             bool careful, struct arena *arena, struct family_pairs *pairs)
{
    struct compiler f = { .resolved_ops = resolved_ops,
                          .optimize = optimize,
                          .careful = careful,
                          .arena = arena,
                          .pairs = pairs,
                          .passes = { .at = ARENA_ARRAY(arena, struct pass, resolved_ops->n + 1),
                                      .optimize = optimize },
                          .seen = ARENA_ARRAY(arena, enum family, resolved_ops->n + 1) };

    if (optimize == OPTIMIZE_FAST) {
        f.passes.exact =
            has_small_canvas(resolved_ops) ? "a canvas is less than 24 pixels wide or high"
            : spreads_errors(&f)
                ? "an op reads more than the image's mean, or would amplify rounding errors"
                : NULL;
        if (f.passes.exact)
            f.optimize = f.passes.optimize = OPTIMIZE_EXACT;
    }
    for (size_t i = 0; i < resolved_ops->n; i++)
        add(&f, i);
    if (f.optimize == OPTIMIZE_FAST) {
        f.passes.gain = gain_after(resolved_ops, 0, arena);
        f.passes.luma_gain = luma_gain(resolved_ops, arena);
    }
    return f.passes;
}

struct passes passes_of(const struct resolved_ops *resolved_ops, enum optimize optimize,
                        struct arena *arena, struct family_pairs *pairs)
{
    return compile(resolved_ops, optimize, false, arena, pairs);
}

struct passes passes_careful(const struct resolved_ops *resolved_ops, struct arena *arena)
{
    return compile(resolved_ops, OPTIMIZE_FAST, true, arena, NULL);
}
