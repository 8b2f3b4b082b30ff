/* planar_check: whether the passes of resolved ops can run on the Y, Cb and Cr planes of a JPEG. */
#include "plan/planar_check.h"

#include "plan/ycc_linear.h"

#include <math.h>

/* Larger gains move many colors out of the range of RGB, and planes cannot clamp to that range. The
 * limit of chroma is for one op, the limit of luma for consecutive ops. */
#define MAX_CHROMA_GAIN 1.5
#define MAX_LUMA_GAIN 1.45

/* Chroma of half the size skips and repeats other pixels than luma, so both must be few. */
#define MAX_NEAREST 1.2

/* A single warp blends a border with its fill over one pixel of the source, which is many pixels of
 * an enlarged result. A composed map's edges are one pixel of the result wide. */
#define LITTLE_ENLARGED 1.2

/* True if the map looks the same on planes as in RGB. Filters with negative taps leave the range of
 * colors at edges: RGB is clamped there, chroma is not, which shows if colors change too. */
static bool is_shown_alike(const struct composed_map *r, bool recoloured)
{
    struct range apart = composed_apart(r);

    if (r->interpolation > INTERPOLATION_BILINEAR && recoloured)
        return false;
    if (r->edges.n && r->n_grids == 1 && apart.lo < 1 / LITTLE_ENLARGED)
        return false;
    if (r->interpolation == INTERPOLATION_NEAREST)
        return apart.hi <= MAX_NEAREST && apart.lo >= 1 / MAX_NEAREST;
    return r->antialias || apart.hi <= LITTLE_SHRINK;
}

/* Limit of the gain of all ops together: differences by rounding and by chroma's size grow with it.
 */
#define MAX_TOTAL_GAIN 3

/* True if few levels of luma leave their range: at most a third of them, or a quarter if these are
 * dark. Where luma is clamped, chroma is not. */
static bool keeps_luma(double factor, double offset)
{
    double lo = fmin(offset, 255 * factor + offset), hi = fmax(offset, 255 * factor + offset);
    double lost = 4 * fmax(0, -lo) + 3 * fmax(0, hi - 255);

    return lost <= (hi - lo) * 1.001; /* allows for 1.5 in single precision */
}

static bool is_planar(const struct ycc_matrix *m)
{
    enum { Y, CB, CR, OFFSET };
    double mixed = fabs(m->m[CB][Y]) + fabs(m->m[CR][Y]);
    double gain = hypot(m->m[CB][CB], m->m[CR][CB]);

    return mixed < 0.01 && fabs(m->m[CB][OFFSET]) + fabs(m->m[CR][OFFSET]) < 0.5 &&
           gain <= MAX_CHROMA_GAIN && keeps_luma(m->m[Y][Y], m->m[Y][OFFSET]);
}

bool can_use_planes(const struct resolved_ops *resolved_ops, const struct passes *passes)
{
    bool recoloured = false;

    if (passes->gain > MAX_TOTAL_GAIN || passes->luma_gain > MAX_LUMA_GAIN)
        return false;
    for (size_t i = 0; i < passes->n; i++)
        recoloured |= passes->at[i].n_pointwise > 0;
    for (size_t i = 0; i < passes->n; i++) {
        const struct pass *pass = &passes->at[i];

        if (pass->whole || ((pass->head || pass->composed_only) && !pass->composed))
            return false;
        if (pass->composed && !is_shown_alike(pass->composed, recoloured))
            return false;
        for (size_t k = 0; k < pass->n_pointwise; k++) {
            const struct resolved_op *d = &resolved_ops->at[pass->pointwise[k].op];
            struct ycc_matrix m;

            if (d->op->needs) { /* linear tables are the same for all channels */
                if (!d->op->linear || d->op->needs != NEEDS_LUMA)
                    return false;
                continue;
            }
            if (!d->action.linear)
                return false;
            m = ycc_matrix_of(d->action.linear);
            if (!is_planar(&m))
                return false;
        }
    }
    return true;
}
