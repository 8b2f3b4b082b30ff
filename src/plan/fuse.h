/* fuse: a drawing compiled to passes over memory. One readable compiler that knows families, not
 * ops: what it joins gives the same bits as one op after another. */
#pragma once

#include "apply.h"
#include "join.h"

/* One pass: pixels are written once. Either one action by itself, or a flow: pixels change places
 * (if `remaps`), then tables and colour functions run over each row while it is in cache. */
struct pass {
    size_t first, last;         /* the drawn ops that it stands for */
    const char *reason;         /* why the first of them is not part of the pass before; or NULL */
    const struct action *whole; /* by itself, or NULL */
    bool remaps;
    struct action remap; /* all index maps of the flow as one */
    size_t *point;       /* drawn ops that recolour, in order; some must see pixels first */
    size_t n_points;
};

struct passes {
    struct pass *at;
    size_t n;
};

/* How often two families met in one pass, for tests and explain: [earlier][later]. */
struct meetings {
    size_t count[PAINT + 1][PAINT + 1];
};

/* Compile. With OPTIMIZE_NONE each op that does something is a pass. All in the arena; meetings may
 * be NULL. */
struct passes passes_of(const struct drawing *, enum optimize, struct arena *, struct meetings *);

/* What a drawing does to a label mask, as a drawing: nearest, filled with fill_mask, no colours. */
struct drawing drawing_of_mask(const struct drawing *, struct arena *);

const char *family_name(enum family);
