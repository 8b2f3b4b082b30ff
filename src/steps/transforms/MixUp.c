/* MixUp: blends the image with another one (Zhang et al. 2018). */
#include "steps/transform.h"

struct params {
    double alpha;
    struct donors donors;
    struct steps donor_transforms;
    int fit_mode, masks, interpolation, fill_mask;
    bool antialias;
    struct colour fill;
};

static const struct row rows[] = {
    NUMBER(struct params, alpha, .preset = "1", .limit = { 0, 1000 }, .above = true,
           .usual = { 0.2, 5 },
           .help = "parameter of the beta distribution of the image's share: with 1 all shares are "
                   "equally likely, with large values shares are nearly equal"),
    BLENDED_ROW(struct params),
    FIT_ROW(struct params),
    DONOR_ROWS(struct params),
    RESIZE_ROWS(struct params),
    FILL_ROWS(struct params),
    ROWS_END,
};

static void chain(struct run *run, size_t i, const void *context)
{
    const struct run *own = context;
    const struct params *p = own->params;

    if (i == 0)
        return;
    emit_borrowed(run, own, &p->donor_transforms, 0);
    emit_fit(run, own->frame, p->fit_mode);
}

static void draw(struct run *run)
{
    /* A smaller share is invisible, even with 16 bits. */
    const double min_share = 0x1p-20;
    const struct params *p = run->params;
    struct joint joint = {
        .fill = p->fill, .fill_mask = p->fill_mask, .labels = LABELS_SHRINK, .masks = p->masks
    };
    double share[2];
    const char *donor;

    rng_dirichlet(run->rng, p->alpha, share, 2);
    donor = run_donor(run, &p->donors);
    if (!donor || share[1] < min_share)
        return;
    joint_lay_over(run, &joint, donor)->opacity = share[1];
    emit_join(run, &joint, chain, run);
}

const struct transform MixUp_transform = {
    .name = "MixUp",
    .summary = "blend the image with another one; the labels of both are kept",
    .group = GROUP_JOIN,
    .origin = ORIGIN_TORCHVISION,
    .differs = "the other image comes from the dataset, not from the batch, and is fitted in; "
               "objects are supported, which torchvision refuses",
    .example = "{\"type\": \"MixUp\", \"alpha\": 8, \"masks\": \"heavier\"}",
    .emits = (const char *const[]){ "join", "grayscale_to_rgb", "rgb_to_grayscale", "to_dtype",
                                    "resize", "crop", "pad", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .images = two_images,
    .draw = draw,
};
