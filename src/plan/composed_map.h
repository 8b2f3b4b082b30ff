/* composed_map: several actions that move pixels as one map from the source, for `optimize: fast`:
 * pixels are resampled once instead of once an action. What the canvases on the way cut off is
 * gone: edges remember it. */
#pragma once

#include "steps/op.h"

/* A filter this wide differs little from four pixels blended. */
#define LITTLE_SHRINK 1.2

enum { COMPOSED_GRIDS = 8 };

struct composed_map {
    struct frame in, out;
    struct mat3 inverse;              /* output to input, affine */
    enum interpolation interpolation; /* the widest filter of its actions */
    bool antialias;     /* one of them is a resize that shrinks without skipping pixels */
    struct edges edges; /* what all canvases kept, in output pixels; the rest gets the fill */
    struct fill fill;
    size_t fill_at; /* how many of the pass's pointwise ops came before the fill */
    /* The canvases that were resampled so far, each as the linear part of its map to the input: the
     * steps from a pixel to its neighbours, along (0, 2) and down (1, 3), in input pixels. */
    double grid[COMPOSED_GRIDS][4];
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
struct composed_map composed_begin(struct frame);

/* By how much it makes lengths larger, in the direction where it does most. */
double action_enlarges(const struct action *);

/* One more action (FAMILY_INDEX, FAMILY_MATRIX or FAMILY_RESAMPLE) behind n_pointwise pointwise
 * operations; what follows makes things `enlarged` times larger. False, with the reason, when the
 * composed map cannot be continued by it; it is then as it was. */
bool composed_add(struct composed_map *, const struct action *, size_t n_pointwise, double enlarged,
                  struct arena *, const char **reason);

/* How many input pixels along the input's x and y an output pixel is apart from its neighbours. */
struct point composed_shrink(const struct composed_map *);

/* The least and the most input pixels between neighbours of the output, over all directions. */
struct range composed_apart(const struct composed_map *);
/* By how much the input may be reduced along x and y, by a filter, without a loss that the output
 * would show: at least 1. */
struct point composed_reduction(const struct composed_map *);

/* The part of the input that it shows, inside of `in`, without what filters see around it. */
struct box composed_shown(const struct composed_map *);

/* The part of the input that it looks at, whole pixels inside of `in`, with a margin for filters;
 * empty when it looks at nothing. */
struct box composed_window(const struct composed_map *);

/* Does it only shift, flip and turn whole pixels? Then col and row (see plane_remap), which are in
 * the arena, say the same. */
bool composed_is_index(const struct composed_map *, struct arena *, const int32_t **col,
                       const int32_t **row, bool *swap);

/* The same composed map over pictures at other scales: of an input that begins at pixel (left, top)
 * of the composed map's and has in_x, in_y pixels for one of its, and an output with out_x, out_y
 * for one. */
struct composed_map composed_scaled(const struct composed_map *, struct point origin,
                                    struct point in, struct point out, struct arena *);
