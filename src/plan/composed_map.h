/* composed_map: several actions that move pixels, as one map from the source, for `optimize: fast`.
 * Pixels are resampled once instead of once per action. Edges record what the canvases in between
 * cut off. */
#pragma once

#include "steps/op.h"

/* A filter this wide differs little from blending four pixels. */
#define LITTLE_SHRINK 1.2

enum { COMPOSED_GRIDS = 8 };

struct composed_map {
    struct frame in, out;
    struct mat3 inverse;              /* output to input, affine */
    enum interpolation interpolation; /* the widest filter of its actions */
    bool antialias;                   /* one action is a resize that shrinks with a filter */
    struct edges edges; /* what all canvases kept, in output pixels; the fill is outside */
    struct fill fill;
    size_t fill_at; /* number of the pass's pointwise ops before the fill */
    /* The canvases that were resampled so far, each as the linear part of its map to the input: the
     * distance to the next pixel. (0, 2) is the step to the right, (1, 3) the step down, in input
     * pixels. */
    double grid[COMPOSED_GRIDS][4];
    size_t n_grids;
    bool shrinks;        /* an action shrinks with a filter, along rows and columns */
    bool scattered;      /* a pixel is a sample of several in its row, shifted in each row: see
                            scatter_shift */
    double plain_shrink; /* the strongest shrink, in any direction, of an action without a filter */
    double rounding;     /* accumulated rounding of nearest-neighbor steps, in output pixels */
};

/* True if the action interpolates; false if it moves whole pixels, as crops and flips do. */
bool action_resamples(const struct action *);

/* True if the action shrinks without a filter, so that pixels are skipped. */
bool action_skips(const struct action *);

/* Returns a composed map of no actions. */
struct composed_map composed_begin(struct frame);

/* Returns the largest factor by which the action scales lengths, over all directions. */
double action_enlarges(const struct action *);

/* Adds an action (FAMILY_INDEX, FAMILY_MATRIX or FAMILY_RESAMPLE) after n_pointwise pointwise ops.
 * Later ops enlarge its result by `enlarged`. Returns false, with the reason, if the action cannot
 * be added; the map is then unchanged. */
bool composed_add(struct composed_map *, const struct action *, size_t n_pointwise, double enlarged,
                  struct arena *, const char **reason);

/* Returns the distance between neighboring output pixels, in input pixels along the input's x and
 * y. */
struct point composed_shrink(const struct composed_map *);

/* Returns the smallest and largest distance between neighboring output pixels, in input pixels,
 * over all directions. */
struct range composed_apart(const struct composed_map *);
/* Returns the factors, at least 1, by which a filter may reduce the input along x and y without a
 * visible loss in the output. */
struct point composed_reduction(const struct composed_map *);

/* Returns the part of the input that the output shows, inside of `in`, without the margin of
 * filters. */
struct box composed_shown(const struct composed_map *);

/* Returns the part of the input that is read: whole pixels inside of `in`, with a margin for
 * filters; empty if no pixel is read. */
struct box composed_window(const struct composed_map *);

/* True if the map only shifts, flips and turns whole pixels. Then col and row (see plane_remap), in
 * the arena, describe the same map. */
bool composed_is_index(const struct composed_map *, struct arena *, const int32_t **col,
                       const int32_t **row, bool *swap);

/* Returns the same map between pictures at other scales. The input begins at pixel (left, top) of
 * the composed map's input. It has in_x, in_y pixels for each pixel of that input, and the output
 * has out_x, out_y for each pixel of the map's output. */
struct composed_map composed_scaled(const struct composed_map *, struct point origin,
                                    struct point in, struct point out, struct arena *);
