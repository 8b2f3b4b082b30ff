/* explain: what becomes of a drawing, for people and for scripts. */
#pragma once

#include "fuse.h"

struct explanation {
    const char *image;
    unsigned copy;
    struct frame in, out;
    struct pixel_kind pixels;
    const struct drawing *drawing;
    enum optimize optimize;
    bool lossless; /* it is written from the source's coefficients */
};

/* A few lines of text, or one line of JSON. The number of breaks: passes after the first. */
size_t explain_text(const struct explanation *, struct arena *, struct text *);
size_t explain_json(const struct explanation *, struct arena *, struct text *);
