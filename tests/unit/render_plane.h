/* render_plane: a drawing rendered from one plane to one plane, for tests without files. */
#pragma once

#include "../../src/plan/render.h"

static inline bool render_plane(const struct drawing *drawing, enum optimize how,
                                const struct plane *source, struct pool *pool, struct arena *arena,
                                struct plane *out)
{
    struct passes passes = passes_of(drawing, how, arena, NULL);
    struct picture from = { .plane = *source, .shrink = 1 }, to;
    struct text why = { 0 };
    bool good = render_image(drawing, &passes, &from, SUBSAMPLING_444, pool, arena, &to, &why);

    *out = to.plane;
    text_drop(&why);
    return good;
}
