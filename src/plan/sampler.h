/* sampler: makes rows of a pass's head, some at a time. */
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
    struct plane reduced; /* the input, reduced first; from the pool */
    const int32_t *col, *row;
    bool swap;
    struct fill fill;
    struct mat3 inverse;
    const struct field *field;
    enum interpolation interpolation;
    struct edges edges;
    bool scattered; /* see struct composed_map */
    struct resizer *resizer;
};

/* Returns a sampler that copies, if in and out differ. */
struct sampler sampler_of_nothing(const struct plane *in, struct plane *out);
/* Returns a sampler with the same bits as the loop of the action's family. For a resize, `in` may
 * be the part of the source that is read, which begins at (left, top). */
struct sampler sampler_of_action(const struct action *, const struct plane *in, int left, int top,
                                 struct plane *out);
/* Returns a sampler of a composed map whose `in` and `out` are the planes' frames. Pixels outside
 * of its edges are undefined: call plane_fill_outside. Some of the work may be done at once. */
struct sampler sampler_of_composed(const struct composed_map *, const struct plane *in,
                                   struct plane *out, struct pool *, struct arena *);

/* Returns the shift along row y of a scattered composed map, in output pixels. It varies from row
 * to row, so that the mean does not depend on a pattern with the period of the samples. */
double scatter_shift(int y);

/* Makes the rows of `out` from y on; `to` is these rows of `out`. A copy or an index map can write
 * them to any plane. Calls go down the plane and skip no row. */
void sampler_rows(struct sampler *, int y, struct plane *to);
void sampler_end(struct sampler *, struct pool *);
