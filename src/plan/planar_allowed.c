/* planar_allowed: may the passes of drawn ops run on the planes of a JPEG? */
#include "plan/planar.h"
#include "plan/ycc_linear.h"

#include <math.h>

/* Where colours grow beyond this, many leave the range of RGB, whose clamping chroma does not know:
 * chroma by one op, luma by ops in a row. */
#define MOST_CHROMA_GAIN 1.5
#define MOST_LUMA_GAIN 1.45

/* Chroma of half the size has other pixels to skip and to repeat than luma: neither may be many. */
#define MOST_NEAREST 1.2

/* By one warp, a border falls to its fill along a pixel of the source: many, where it enlarges. A
 * composed map's edges are a pixel of the result wide. */
#define LITTLE_ENLARGED 1.2

/* Filters with negative taps leave the range of colours at edges. RGB is cut off there, which
 * chroma does not know; where colours change, too, it shows. */
static bool is_shown_alike(const struct composed_map *r, bool recoloured)
{
    struct range apart = composed_apart(r);

    if (r->interpolation > INTERPOLATION_BILINEAR && recoloured)
        return false;
    if (r->edges.n && r->n_grids == 1 && apart.lo < 1 / LITTLE_ENLARGED)
        return false;
    if (r->interpolation == INTERPOLATION_NEAREST)
        return apart.hi <= MOST_NEAREST && apart.lo >= 1 / MOST_NEAREST;
    return r->antialias || apart.hi <= LITTLE_SHRINK;
}

/* And what rounding and chroma's size make otherwise must not grow by more, of all ops. */
#define MOST_GAIN_IN_ALL 3

/* The same where luma leaves its range for more than a third of the levels, or a quarter when they
 * are the dark ones: chroma that goes with it stays. */
static bool keeps_luma(double factor, double offset)
{
    double lo = fmin(offset, 255 * factor + offset), hi = fmax(offset, 255 * factor + offset);
    double lost = 4 * fmax(0, -lo) + 3 * fmax(0, hi - 255);

    return lost <= (hi - lo) * 1.001; /* 1.5 of single precision is a third, too */
}

static bool is_planar(const struct ycc_matrix *m)
{
    enum { Y, CB, CR, OFFSET };
    double mixed = fabs(m->m[CB][Y]) + fabs(m->m[CR][Y]);
    double gain = hypot(m->m[CB][CB], m->m[CR][CB]);

    return mixed < 0.01 && fabs(m->m[CB][OFFSET]) + fabs(m->m[CR][OFFSET]) < 0.5 &&
           gain <= MOST_CHROMA_GAIN && keeps_luma(m->m[Y][Y], m->m[Y][OFFSET]);
}

bool planar_allowed(const struct drawn_ops *drawn_ops, const struct passes *passes)
{
    bool recoloured = false;

    if (passes->gain > MOST_GAIN_IN_ALL || passes->luma_gain > MOST_LUMA_GAIN)
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
            const struct drawn_op *d = &drawn_ops->at[pass->pointwise[k].op];
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
