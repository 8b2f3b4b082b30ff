/* fast_bounds: what mode fast may do that changes pixels, and by how much. Only fast_bounds.c has
 * the bounds; `make docs explain-texts` updates the committed texts with new bounds. */
#pragma once

#include "plan/fuse.h"

#include "pixels/picture.h"

enum shortcut_kind {
    SHORTCUT_ONE_RESAMPLE,
    SHORTCUT_LINEAR_COLOURS,
    SHORTCUT_SAMPLED_MEAN,
    SHORTCUT_DECODER_SCALE,
    SHORTCUT_PLANES,
    SHORTCUTS
};

struct shortcut {
    const char *name, *summary;
    double psnr; /* lower bound of the PSNR in dB, compared with mode none; 0: the error bound is
                    below */
};

/* Bound of the mean squared error of a result that was resampled once, in squared levels of 255:
 * LOSS times the error of mode none, plus LOSS_MORE. The reference is an image without the detail
 * that the smallest canvas on the way cannot hold. */
#define SHORTCUT_LOSS 1.1
#define SHORTCUT_LOSS_MORE 1.0

extern const struct shortcut shortcuts[SHORTCUTS];

/* Return sets of bits 1 << shortcut_kind: the shortcuts that compiled ops take if these hints are
 * used, and the shortcuts that may concern an op. */
unsigned shortcuts_of(const struct resolved_ops *, const struct passes *,
                      const struct decode_hints *);
unsigned shortcuts_of_op(const struct op *);

/* Prints "one resample for all...; PSNR at least 24 dB". */
void shortcut_print(const struct shortcut *, struct text *);
