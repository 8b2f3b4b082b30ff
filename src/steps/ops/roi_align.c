/* roi_align: crops a box and resizes it, by means of samples (He et al., Mask R-CNN, 2017). */
#include "steps/op.h"
#include "steps/op_shared/actions.h"
#include "steps/op_shared/rows.h"

#include <math.h>

struct params {
    struct list box;
    struct size size;
    int sampling_ratio;
    bool aligned;
    int fill_mask;
};

static const struct row rows[] = {
    LIST(struct params, box, .least = 4, .most = 4, .unit = "pixels", .limit = { -1e6, 1e6 },
         .usual = { 0, 48 }, .help = "box, [x1, y1, x2, y2]; it may exceed the image"),
    SIZE(struct params, size, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 8, 48 },
         .help = "[height, width] of the result, or one number for squares"),
    ROI_ALIGN_ROWS(struct params),
    INTEGER(struct params, fill_mask, .preset = "0", .limit = { 0, 65535 },
            .help = "label of mask pixels from outside the image"),
    ROWS_END,
};

/* Returns the number of samples along a side of a cell. */
static int samples(int ratio, double length, int cells)
{
    return ratio > 0 ? ratio : (int)fmax(1, ceil(length / cells));
}

/* torchvision's coordinates refer to pixel centers, counted from 0. `aligned` says that the box's
 * do not; without it the box is half a pixel off, and so are labels. */
static bool resolve(const void *params, const struct scene *scene, struct action *out)
{
    const struct params *p = params;
    const double *at = p->box.at, shift = p->aligned ? 0 : 0.5;
    double width = at[2] - at[0], height = at[3] - at[1];
    struct frame to = { p->size.width, p->size.height };

    if (!p->aligned) { /* torchvision's rule */
        width = fmax(width, 1);
        height = fmax(height, 1);
    }
    if (!(width > 0 && height > 0)) {
        text_adds(scene->why, "the box has no area");
        return false;
    }
    action_align(
        scene, out,
        (struct box){ at[0] + shift, at[1] + shift, at[0] + shift + width, at[1] + shift + height },
        to, samples(p->sampling_ratio, width, to.width),
        samples(p->sampling_ratio, height, to.height));
    out->fill_mask = p->fill_mask;
    return true;
}

const struct op roi_align_op = {
    .name = "roi_align",
    .summary = "crop a box and resize it: each pixel is the mean of samples in its cell; "
               "samples more than a pixel outside the image are 0",
    .group = GROUP_CROP,
    .origin = ORIGIN_TORCHVISION,
    .example = "{\"type\": \"roi_align\", \"box\": [20.5, 10, 116.25, 90], \"size\": [24, 32]}",
    .params = rows,
    .params_size = sizeof(struct params),
    .family = FAMILY_ALIGN,
    .effect = EFFECT_MOVES,
    .resolve = resolve,
};
