/* NAME: brightens every colour by a number of levels. */
/* Choose by what the op does; the builders are in steps/op_shared/actions.h, more about them in
 * src/README.md. Then delete this comment. it moves pixels and labels (.effect = EFFECT_MOVES):
 *     cuts out, pads              FAMILY_INDEX     action_window      like crop.c, pad.c
 *     flips, turns by quarters    FAMILY_INDEX     action_turn        like horizontal_flip.c
 *     warps by a matrix           FAMILY_MATRIX    action_warp        like affine.c
 *     resizes                     FAMILY_RESAMPLE  action_resize      like resize.c
 *     displaces pixels            FAMILY_FIELD     action_field       like elastic.c
 *     means of samples in a box   FAMILY_ALIGN     action_align       like roi_align.c
 *   it changes colours (.effect = EFFECT_RECOLOURS):
 *     each channel by its level   FAMILY_TABLE     action_table       like posterize.c; as here
 *     a pixel by its channels     FAMILY_COLOURS   action_colours     like adjust_hue.c
 *     a pixel by its place        FAMILY_RASTER    action_colours_at  like fog.c
 *     by a separable kernel       FAMILY_CONVOLVE  u.kernel           like gaussian_blur.c
 *     by the whole image          FAMILY_RASTER    action_raster      like median_blur.c
 *   it paints rectangles (EFFECT_HIDES | EFFECT_RECOLOURS):
 *                                 FAMILY_PAINT     action_paint       like erase.c
 *   it changes labels alone (EFFECT_RELABELS):
 *                                 FAMILY_NOTHING   action_labels      like clamp_keypoints.c
 *   it joins images               FAMILY_JOIN      expand, images     like join.c
 *   it expands into simpler ops   -                expand             like resized_crop.c */
#include "steps/op.h"
#include "steps/op_shared/actions.h"

struct params {
    double amount;
};

static const struct row rows[] = {
    NUMBER(struct params, amount, .unit = "levels", .limit = { -255, 255 }, .usual = { -40, 40 },
           .help = "added to every colour, on the scale 0..255"),
    ROWS_END,
};

static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;

    if (p->amount != 0)
        action_line(scene, out, 1, p->amount);
    return true;
}

const struct op NAME_op = {
    .name = "NAME",
    .summary = "add a number to all colours",
    .group = GROUP_COLOUR,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"NAME\", \"amount\": 12}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_TABLE,
    .linear = true,
    .effect = EFFECT_RECOLOURS,
    .resolve = resolve,
};
