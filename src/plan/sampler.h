/* sampler: the head of a pass at work on a plane: rows of the result, some at a time. */
#pragma once

#include "plan/composed_map.h"

struct sampler {
    enum {
        SAMPLER_COPY,
        SAMPLER_INDEX,
        SAMPLER_WARP,
        SAMPLER_FIELD,
        SAMPLER_RESIZE,
        SAMPLER_PART
    } kind;
    const struct plane *in;
    struct plane *out;
    struct plane reduced; /* the input made smaller first; from the pool */
    const int32_t *col, *row;
    bool swap;
    struct fill fill;
    struct mat3 inverse;
    const struct field *field;
    enum interpolation interpolation;
    struct edges edges;
    bool scattered; /* as the composed map */
    struct resizer *resizer;
};

/* Does nothing but copy, where in and out are not the same. */
struct sampler sampler_of_nothing(const struct plane *in, struct plane *out);
/* To the bit what the family's own loop does. Of a resize `in` may be a part of the source, with
 * all that is taken, which begins at (left, top). */
struct sampler sampler_of_action(const struct action *, const struct plane *in, int left, int top,
                                 struct plane *out);
/* A composed map whose `in` and `out` are those of the planes. Pixels that it does not say keep any
 * value: plane_fill_outside is left to the caller. May begin to work at once. */
struct sampler sampler_of_composed(const struct composed_map *, const struct plane *in,
                                   struct plane *out, struct pool *, struct arena *);

/* By how much of an output pixel row y of a scattered composed map is moved along, so that the mean
 * of its pixels does not depend on a pattern of their distance. */
double scatter_shift(int y);

/* The rows of out from y on, as many as `to` has, which is those rows of out; a copy or an index
 * map puts them into any plane. Calls go down the plane and leave no row out. */
void sampler_rows(struct sampler *, int y, struct plane *to);
void sampler_end(struct sampler *, struct pool *);
