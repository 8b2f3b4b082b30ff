/* fuse: a drawing compiled to passes over memory. */
#include "fuse.h"

const char *family_name(enum family family)
{
    static const char *const names[] = {
        [NOTHING] = "nothing",   [INDEX] = "index map", [MATRIX] = "warp",
        [RESAMPLE] = "resize",   [TABLE] = "table",     [COLOURS] = "colour function",
        [CONVOLVE] = "convolve", [PAINT] = "paint",
    };

    return names[family];
}

/* The pass that is being made. */
struct fusing {
    const struct drawing *drawing;
    enum optimize optimize;
    struct arena *arena;
    struct meetings *meetings;
    struct passes passes;
    struct pass *pass; /* the last; NULL before the first */
    enum family *seen; /* families in it, in order */
    size_t n_seen;
};

static struct pass *begin(struct fusing *f, size_t i, const char *reason)
{
    f->pass = &f->passes.at[f->passes.n++];
    *f->pass = (struct pass){ .first = i, .last = i, .reason = reason };
    f->pass->point = ARENA_ARRAY(f->arena, size_t, f->drawing->n - i);
    if (f->passes.n == 1)
        f->pass->reason = NULL;
    f->n_seen = 0;
    return f->pass;
}

static void note(struct fusing *f, size_t i)
{
    enum family family = drawn_family(&f->drawing->at[i]);

    if (f->meetings)
        for (size_t k = 0; k < f->n_seen; k++)
            f->meetings->count[f->seen[k]][family]++;
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
        return f->pass->whole->family == COLOURS ? "the number of bands changes before it"
                                                 : "what is before it needs its neighbours";
    return NULL;
}

/* Tables are looked through for statistics at little cost; a colour function is better run once. */
static bool has_colours(const struct fusing *f)
{
    for (size_t i = 0; i < f->pass->n_points; i++)
        if (drawn_family(&f->drawing->at[f->pass->point[i]]) == COLOURS)
            return true;
    return false;
}

static void add_point(struct fusing *f, size_t i)
{
    const struct drawn *d = &f->drawing->at[i];
    const char *reason = closed(f);

    if (!reason && d->op->needs && has_colours(f))
        reason = "it must see the image after a colour function";
    if (!reason && d->op->needs && f->pass->remaps && !index_permutes(&f->pass->remap))
        reason = "it must see what a border or crop made of the image";
    if (reason)
        begin(f, i, reason);
    f->pass->point[f->pass->n_points++] = i;
}

static void add_index(struct fusing *f, size_t i)
{
    const struct action *a = &f->drawing->at[i].action;
    const char *reason = closed(f);
    struct action both;

    if (!reason && f->pass->n_points && index_fills(a))
        reason = "its border must not be recoloured by what is before it";
    if (!reason && f->pass->remaps && index_join(f->arena, &f->pass->remap, a, &both, &reason)) {
        f->pass->remap = both;
        f->pass->remaps = !index_is_identity(&both);
        return;
    }
    if (reason)
        begin(f, i, reason);
    f->pass->remap = *a;
    f->pass->remaps = true;
}

static void add_whole(struct fusing *f, size_t i)
{
    const struct action *a = &f->drawing->at[i].action;

    begin(f, i,
          f->optimize == OPTIMIZE_NONE ? "optimize is none"
          : a->family == COLOURS       ? "it changes the number of bands"
                                       : "it needs its pixels' neighbours");
    f->pass->whole = a;
}

struct passes passes_of(const struct drawing *drawing, enum optimize optimize, struct arena *arena,
                        struct meetings *meetings)
{
    struct fusing f = { .drawing = drawing,
                        .optimize = optimize,
                        .arena = arena,
                        .meetings = meetings,
                        .passes.at = ARENA_ARRAY(arena, struct pass, drawing->n + 1),
                        .seen = ARENA_ARRAY(arena, enum family, drawing->n + 1) };

    for (size_t i = 0; i < drawing->n; i++) {
        const struct drawn *d = &drawing->at[i];

        switch (drawn_family(d)) {
        case NOTHING:
            continue;
        case INDEX:
            add_index(&f, i);
            break;
        case COLOURS:
            if (d->action.bands != d->bands) {
                add_whole(&f, i);
                break;
            }
            add_point(&f, i);
            break;
        case TABLE:
            add_point(&f, i);
            break;
        default:
            add_whole(&f, i);
        }
        note(&f, i);
    }
    return f.passes;
}

struct drawing drawing_of_mask(const struct drawing *drawing, struct arena *arena)
{
    struct drawing mask = { ARENA_ARRAY(arena, struct drawn, drawing->n), 0 };

    for (size_t i = 0; i < drawing->n; i++) {
        struct drawn d = drawing->at[i];
        struct action *a = &d.action;

        if (d.op->needs || (a->family != INDEX && a->family != MATRIX && a->family != RESAMPLE))
            continue;
        a->fill = (struct fill){ { a->fill_mask } };
        a->bands = d.bands = 1;
        if (a->family == MATRIX) {
            a->u.matrix.taps = TAPS_NEAREST;
        } else if (a->family == RESAMPLE) {
            a->family = INDEX;
            a->u.index.col = a->map.col;
            a->u.index.row = a->map.row;
            a->u.index.swap = a->map.swap;
        }
        mask.at[mask.n++] = d;
    }
    return mask;
}
