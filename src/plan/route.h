/* route: several actions that move pixels as one map from the source, for `optimize: fast`: pixels
 * are resampled once instead of once an action. What the canvases on the way cut off is gone: edges
 * remember it. */
#pragma once

#include "../op.h"

/* A filter this wide differs little from four pixels blended. */
#define LITTLE_SHRINK 1.2

enum { ROUTE_GRIDS = 8 };

struct route {
    struct frame in, out;
    struct mat3 inverse;              /* output to input, affine */
    enum interpolation interpolation; /* the widest filter of its actions */
    bool antialias;     /* one of them is a resize that shrinks without skipping pixels */
    struct edges edges; /* what all canvases kept, in output pixels; the rest gets the fill */
    struct fill fill;
    size_t fill_at; /* how many of the pass's point operations came before the fill */
    /* The canvases that were resampled so far, each as the linear part of its map to the input: the
     * steps from a pixel to its neighbours, along (0, 2) and down (1, 3), in input pixels. */
    double grid[ROUTE_GRIDS][4];
    size_t n_grids;
    bool shrinks;        /* one of its actions shrinks by a filter, along rows and columns */
    bool scattered;      /* pixels stand for several of a row, each row elsewhere: see sampler */
    double plain_shrink; /* the most of one action without a filter, where it shrinks most */
    double rounding;     /* output pixels that nearest steps may be off, one after another */
};

/* Does it interpolate? False when it moves whole ones, as crops and flips do. */
bool action_resamples(const struct action *);

/* Does it make things smaller without a filter, so that pixels are skipped? */
bool action_skips(const struct action *);

/* No action yet. */
struct route route_begin(struct frame);

/* By how much it makes lengths larger, in the direction where it does most. */
double action_enlarges(const struct action *);

/* One more action (FAMILY_INDEX, FAMILY_MATRIX or FAMILY_RESAMPLE) behind n_points point
 * operations; what follows makes things `enlarged` times larger. False, with the reason, when the
 * route cannot be continued by it; it is then as it was. */
bool route_add(struct route *, const struct action *, size_t n_points, double enlarged,
               struct arena *, const char **reason);

/* How many input pixels along the input's x and y an output pixel is apart from its neighbours. */
struct point route_shrink(const struct route *);

/* The least and the most input pixels between neighbours of the output, over all directions. */
struct range route_apart(const struct route *);
/* By how much the input may be reduced along x and y, by a filter, without a loss that the output
 * would show: at least 1. */
struct point route_reduction(const struct route *);

/* The part of the input that it shows, inside of `in`, without what filters see around it. */
struct box route_shown(const struct route *);

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
