/* explain: what becomes of drawn ops, for people and for scripts. */
#pragma once

#include "plan/fuse.h"

#include "pixels/picture.h"

struct explanation {
    const struct plan *plan;
    const char *image; /* NULL: the drawn ops are the plan's worst case */
    unsigned copy;     /* of the image */
    struct frame in, out;
    struct pixel_kind pixels;
    const struct drawn_ops *drawn_ops;
    const struct passes *passes;
    const struct decode_hints *hints;
    bool lossless; /* it is written from the source's coefficients */
    bool copied;   /* the source's file is the result */
};

/* A few lines of text, or one line of JSON. The arena is for scratch. */
void explain_text(const struct explanation *, struct arena *, struct text *);
void explain_json(const struct explanation *, struct text *);
/* Append {"NAME": [LO, HI], ...}: the transform's parameters, given or by default, that are
 * ranges with something to draw; {} for ops. Returns how many. */
size_t explain_ranges(const struct step *, struct text *);
/* Passes after the first. */
size_t explain_breaks(const struct explanation *);
