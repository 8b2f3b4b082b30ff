/* fast_bounds: shortcuts of mode fast that change pixels, and their bounds. */
#include "plan/fast_bounds.h"

#include "base/number.h"

const struct shortcut shortcuts[SHORTCUTS] = {
    [SHORTCUT_ONE_RESAMPLE] = { "one-resample", "consecutive moves of pixels become one resampling",
                                0 },
    [SHORTCUT_LINEAR_COLOURS] = { "linear-colours",
                                  "linear color functions move past a resampling, without clamping "
                                  "before it; on planes they are combined, and a hue shift of at "
                                  "most 0.05 turns is a rotation about gray",
                                  25 },
    [SHORTCUT_SAMPLED_MEAN] = { "sampled-mean",
                                "a mean luma is computed from every sixteenth pixel, but from at "
                                "least 32768",
                                45 },
    [SHORTCUT_DECODER_SCALE] = { "decoder-scale", "the JPEG decoder reduces the image by 2, 4 or 8",
                                 29 },
    [SHORTCUT_PLANES] = { "planes", "from JPEG to JPEG, ops run on the Y, Cb and Cr planes", 29 },
};

void shortcut_print(const struct shortcut *s, struct text *out)
{
    text_addf(out, "%s; ", s->summary);
    if (s->psnr > 0) {
        text_adds(out, "PSNR at least ");
        number_print(out, s->psnr);
        text_adds(out, " dB");
    } else {
        text_addf(out, "mean squared error at most %.1f times the error of mode none, plus %.0f",
                  SHORTCUT_LOSS, SHORTCUT_LOSS_MORE);
    }
}

/* --- shortcuts of compiled ops --- */

/* True if a pixel moves after a pointwise op of the pass has changed its color. */
static bool moves_after_point(const struct resolved_ops *resolved_ops, const struct pass *pass)
{
    if (pass->n_pointwise)
        for (size_t i = pass->pointwise[0].op + 1; i <= pass->last; i++)
            if (family_moves(resolved_op_family(&resolved_ops->at[i])))
                return true;
    return false;
}

/* True if two neighboring color ops become one matrix, or if planes replace a color op that is not
 * exactly linear there. */
static bool has_linear_colours(const struct resolved_ops *resolved_ops, const struct pass *pass,
                               bool planar)
{
    bool before = false;

    for (size_t i = 0; i < pass->n_pointwise; i++) {
        const struct resolved_op *d = &resolved_ops->at[pass->pointwise[i].op];
        bool linear = resolved_op_family(d) == FAMILY_COLOURS && d->action.linear;

        if (linear && (planar || (before && pass->composed)))
            return true;
        before = linear;
    }
    return pass->composed_only && moves_after_point(resolved_ops, pass);
}

static bool has_sample(const struct pass *pass)
{
    for (size_t i = 0; i < pass->n_pointwise; i++)
        if (pass->pointwise[i].seen)
            return true;
    return false;
}

unsigned shortcuts_of(const struct resolved_ops *resolved_ops, const struct passes *passes,
                      const struct decode_hints *hints)
{
    unsigned set = 0;

    if (hints->shrink > 1)
        set |= 1U << SHORTCUT_DECODER_SCALE;
    if (hints->planar)
        set |= 1U << SHORTCUT_PLANES;
    for (size_t i = 0; passes->optimize == OPTIMIZE_FAST && i < passes->n; i++) {
        const struct pass *pass = &passes->at[i];

        if (pass->composed_only)
            set |= 1U << SHORTCUT_ONE_RESAMPLE;
        if (has_linear_colours(resolved_ops, pass, hints->planar))
            set |= 1U << SHORTCUT_LINEAR_COLOURS;
        if (has_sample(pass))
            set |= 1U << SHORTCUT_SAMPLED_MEAN;
    }
    return set;
}

/* --- shortcuts of an op --- */

unsigned shortcuts_of_op(const struct op *op)
{
    unsigned set = 0;

    if (family_joins(op->family)) /* joins take no shortcuts, inside or across */
        return 0;
    if (op->effect & EFFECT_MOVES && op->family != FAMILY_FIELD && op->family != FAMILY_ALIGN)
        set |= 1U << SHORTCUT_ONE_RESAMPLE | 1U << SHORTCUT_PLANES;
    if (op->family == FAMILY_RESAMPLE)
        set |= 1U << SHORTCUT_DECODER_SCALE;
    if (op->linear || op->family == FAMILY_COLOURS)
        set |= 1U << SHORTCUT_LINEAR_COLOURS | 1U << SHORTCUT_PLANES;
    if (op->needs == NEEDS_LUMA)
        set |= 1U << SHORTCUT_SAMPLED_MEAN;
    return set;
}
