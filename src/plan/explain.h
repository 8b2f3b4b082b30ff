/* explain: describes resolved ops and their passes, for people and for scripts. */
#pragma once

#include "plan/fuse.h"

#include "pixels/picture.h"

struct explanation {
    const struct plan *plan;
    const char *image; /* NULL: the resolved ops are the plan's worst case */
    unsigned copy;     /* number of the image's copy */
    struct frame in, out;
    struct pixel_kind pixels;
    const struct resolved_ops *resolved_ops;
    const struct passes *passes;
    const struct decode_hints *hints;
    bool lossless; /* the output is written from the source's coefficients */
    bool copied;   /* the output is the source's file */
};

/* Print a few lines of text, or one line of JSON. The arena is for scratch. */
void explain_text(const struct explanation *, struct arena *, struct text *);
void explain_json(const struct explanation *, struct text *);
/* Appends {"NAME": [LO, HI], ...}: the transform's parameters, given or by default, that are ranges
 * to sample from; {} for ops. Returns their number. */
size_t explain_ranges(const struct step *, struct text *);
/* Returns the number of passes after the first. */
size_t explain_breaks(const struct explanation *);
