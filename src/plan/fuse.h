/* fuse: drawn ops compiled to passes over memory. One readable compiler that knows families, not
 * ops. In mode `exact`, what it joins gives the same bits as one op after another; `fast` keeps the
 * bounds that `shortcuts` tells. */
#pragma once

#include "base/clock.h"
#include "plan/apply.h"
#include "plan/join.h"
#include "plan/composed_map.h"

/* An op of a pass that recolours. Some must see pixels first: the source as `seen` shows it, or all
 * of it when that is NULL, through the pointwise ops before. */
struct pointwise_op {
    size_t op; /* its index in the drawn ops */
    const struct composed_map *seen;
};

/* One pass: pixels are written once. Either one action by itself, or rows in turn: pixels change
 * places, then tables and colour functions run over each row while it is in cache. */
struct pass {
    size_t first, last;         /* the drawn ops that it replaces */
    const char *reason;         /* why the first of them is not part of the pass before; or NULL */
    const struct action *whole; /* by itself, or NULL */
    const struct action *head;  /* how pixels change places: all index maps as one, a warp or a
                                   resize; NULL when they stay */
    bool composed_only;         /* only the composed map says how: head is of no use */
    const struct composed_map
        *composed; /* mode fast: all of the pass's moves; NULL when there is none */
    const struct composed_map
        *early; /* and those before its first pointwise op; NULL when there is none */
    struct pointwise_op *pointwise;
    size_t n_pointwise;
};

struct passes {
    struct pass *at;
    size_t n;
    enum optimize optimize;
    const char *exact;      /* mode fast: why nothing but exact joining is done, if so; or NULL */
    double gain, luma_gain; /* mode fast: of all ops (see error_gain.h) */
    bool late; /* rows of the last pass may be made when the picture is written (picture_rows) */
    struct measured *measured; /* of the source, kept from rendering to rendering; or NULL */
    struct clock *clock;       /* laps of STAGE_RENDER, pass i being part i + 1; or NULL */
};

/* How often two families met in one pass, for tests and explain: [earlier][later]. */
struct family_pairs {
    size_t count[FAMILY_JOIN + 1][FAMILY_JOIN + 1];
};

/* Compile. With OPTIMIZE_NONE each op that does something is a pass. All in the arena; pairs may
 * be NULL. */
struct passes passes_of(const struct drawn_ops *, enum optimize, struct arena *,
                        struct family_pairs *);

/* The same for mode fast, but colours go past no resampling. */
struct passes passes_careful(const struct drawn_ops *, struct arena *);

/* What drawn ops do to a label mask, as drawn ops: nearest, filled with fill_mask, no colours
 * but labels that are painted over.
 * Where labels change places in a mirror, that is left to the end: `mirrored` says if it is to be
 * done to the result then, and what mirrors come to do to fills is undone in them. */
struct drawn_ops drawn_ops_of_mask(const struct drawn_ops *, struct arena *, bool *mirrored);
/* The label that the one becomes in a mirror. */
int32_t label_mirrored(const struct label_pairs *, int32_t label);

const char *family_name(enum family);
/* Do its actions move pixels? */
bool family_moves(enum family);
