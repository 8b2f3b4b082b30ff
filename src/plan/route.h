/* route: several actions that move pixels as one map from the source, for `optimize: fast`: pixels
 * are resampled once instead of once an action. What the canvases on the way cut off is gone: edges
 * remember it. */
#pragma once

#include "../op.h"

struct route {
    struct frame in, out;
    struct mat3 inverse; /* output to input, affine */
    enum taps taps;      /* the widest filter of its actions */
    bool antialias;      /* one of them is a resize that shrinks without skipping pixels */
    struct edges edges;  /* what all canvases kept, in output pixels; the rest gets the fill */
    struct fill fill;
    size_t fill_at; /* how many of the pass's point operations came before the fill */
};

/* No action yet. */
struct route route_begin(struct frame);

/* One more action (INDEX, MATRIX or RESAMPLE) behind n_points point operations. False, with the
 * reason, when the route cannot be continued by it; it is then as it was. */
bool route_add(struct route *, const struct action *, size_t n_points, struct arena *,
               const char **reason);

/* How many input pixels along the input's x and y an output pixel is apart from its neighbours. */
struct point route_shrink(const struct route *);

/* The part of the input that it looks at, whole pixels inside of `in`, with a margin for filters;
 * empty when it looks at nothing. */
struct box route_window(const struct route *);

/* Does it only shift, flip and turn whole pixels? Then col and row (see plane_remap), which are in
 * the arena, say the same. */
bool route_is_index(const struct route *, struct arena *, const int32_t **col, const int32_t **row,
                    bool *swap);

/* The same route over pictures at other scales: of an input that begins at pixel (left, top) of the
 * route's and has in_x, in_y pixels for one of its, and an output with out_x, out_y for one. */
struct route route_scaled(const struct route *, struct point origin, struct point in,
                          struct point out, struct arena *);
