/* fuse: compiles resolved ops to passes over memory. The compiler knows families, not ops. In mode
 * `exact`, passes give the same bits as one op after another; mode `fast` keeps the bounds in
 * fast_bounds.h. */
#pragma once

#include "base/clock.h"
#include "plan/apply.h"
#include "plan/join.h"
#include "plan/composed_map.h"

/* An op of a pass that changes colors. Some must see pixels first: the source through `seen` (all
 * of it, if NULL) and the pointwise ops before. */
struct pointwise_op {
    size_t op; /* index in the resolved ops */
    const struct composed_map *seen;
};

/* A pass writes each pixel once. It is either a single action, or works row by row: pixels move,
 * then tables and color functions change the row in cache. */
struct pass {
    size_t first, last;         /* the resolved ops that it replaces */
    const char *reason;         /* why `first` is not part of the pass before; or NULL */
    const struct action *whole; /* the single action, or NULL */
    const struct action
        *head; /* the move: all index maps as one, a warp or a resize; NULL if pixels stay */
    bool composed_only;                  /* only the composed map has the move; head is not used */
    const struct composed_map *composed; /* mode fast: all of the pass's moves; or NULL */
    const struct composed_map *early;    /* the moves before its first pointwise op; or NULL */
    struct pointwise_op *pointwise;
    size_t n_pointwise;
};

struct passes {
    struct pass *at;
    size_t n;
    enum optimize optimize;
    const char *exact;      /* mode fast: why ops are joined exactly instead; or NULL */
    double gain, luma_gain; /* mode fast: gains of all ops (see error_gain.h) */
    bool late;              /* the last pass may run when the picture is written (picture_rows) */
    struct stats_cache
        *measured;       /* statistics of the source, kept for all its renderings; or NULL */
    struct clock *clock; /* laps of STAGE_RENDER, part i + 1 for pass i; or NULL */
};

/* How often two families occur in one pass, for tests and explain: [earlier][later]. */
struct family_pairs {
    size_t count[FAMILY_JOIN + 1][FAMILY_JOIN + 1];
};

/* Compiles ops. With OPTIMIZE_NONE, each op that does something is a pass. All memory is from the
 * arena; pairs may be NULL. */
struct passes passes_of(const struct resolved_ops *, enum optimize, struct arena *,
                        struct family_pairs *);

/* Compiles ops for mode fast, but moves no color op across a resampling. */
struct passes passes_careful(const struct resolved_ops *, struct arena *);

/* Returns the ops for the label mask: moves with nearest pixels and fill_mask, and labels that are
 * painted over, but no colors. Labels that a mirror swaps are swapped in the end: `mirrored` is set
 * if the result must be swapped then. Fills are swapped back in advance. */
struct resolved_ops mask_ops(const struct resolved_ops *, struct arena *, bool *mirrored);
/* Returns the label that replaces `label` in a mirror. */
int32_t label_mirrored(const struct label_pairs *, int32_t label);

const char *family_name(enum family);
/* True if actions of the family move pixels. */
bool family_moves(enum family);
