/* fast_bounds: what mode fast may do that changes pixels, and by how much. Bounds stand in
 * fast_bounds.c alone; `make docs explain-texts` brings a new one to what is committed. */
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
    double psnr; /* dB that the result keeps at least, against that of mode none; 0: its error is
                    at most what is stated below */
};

/* The bound of the mean squared error of a result that was resampled once, in levels of 255
 * squared: LOSS times as in mode none, plus LOSS_MORE. The truth is an image without the detail
 * that the smallest canvas on the way cannot hold. */
#define SHORTCUT_LOSS 1.1
#define SHORTCUT_LOSS_MORE 1.0

extern const struct shortcut shortcuts[SHORTCUTS];

/* As bits, 1 << shortcut_kind: those that compiled ops take when their source is read by the
 * hints; and those that may concern an op. */
unsigned shortcuts_of(const struct drawn_ops *, const struct passes *, const struct decode_hints *);
unsigned shortcuts_of_op(const struct op *);

/* "one resample for all...; PSNR at least 24 dB" */
void shortcut_print(const struct shortcut *, struct text *);
