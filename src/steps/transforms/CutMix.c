/* CutMix: pastes a window of another image onto the image (Yun et al. 2019). */
#include "steps/transform.h"

struct params {
    double alpha;
    struct donors donors;
    struct steps donor_transforms;
    int fit_mode, labels, interpolation, fill_mask;
    bool antialias;
    struct colour fill;
};

static const struct row rows[] = {
    NUMBER(struct params, alpha, .preset = "1", .limit = { 0, 1000 }, .above = true,
           .usual = { 0.2, 5 },
           .help = "parameter of the beta distribution of the image's share: with 1 all shares are "
                   "equally likely, with large values shares are nearly equal"),
    HIDDEN_ROW(struct params),
    FIT_ROW(struct params),
    DONOR_ROWS(struct params),
    RESIZE_ROWS(struct params),
    FILL_ROWS(struct params),
    ROWS_END,
};

/* The window, which is the same in both images. */
struct cut_window {
    const struct run *own;
    struct window window;
};

static void chain(struct run *run, size_t i, const void *context)
{
    const struct cut_window *cutting = context;
    const struct params *p = cutting->own->params;

    if (i == 0)
        return;
    emit_borrowed(run, cutting->own, &p->donor_transforms, 0);
    emit_fit(run, cutting->own->frame, p->fit_mode);
    emit_crop(run, &cutting->window);
}

/* Extends half a side of the window in whole pixels to both sides of a pixel, clipped at the image.
 */
static void draw_side(struct run *run, double share, int length, int *begin, int *size)
{
    int middle = (int)rng_integer(run->rng, 0, length), half = (int)(0.5 * share * length);
    int end = middle + half < length ? middle + half : length;

    *begin = middle > half ? middle - half : 0;
    *size = end - *begin;
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    struct cut_window cutting = { .own = run };
    struct window *w = &cutting.window;
    struct joint joint = { .fill = p->fill, .fill_mask = p->fill_mask, .labels = p->labels };
    struct input *input;
    const char *donor;
    double share[2];

    rng_dirichlet(run->rng, p->alpha, share, 2);
    draw_side(run, sqrt(share[1]), run->frame.width, &w->left, &w->width);
    draw_side(run, sqrt(share[1]), run->frame.height, &w->top, &w->height);
    donor = run_donor(run, &p->donors);
    if (!donor || w->width < 1 || w->height < 1)
        return;
    input = joint_lay_over(run, &joint, donor);
    input->top = w->top;
    input->left = w->left;
    emit_join(run, &joint, chain, &cutting);
}

const struct transform CutMix_transform = {
    .name = "CutMix",
    .summary = "paste a window of another image onto the image, with its labels",
    .group = GROUP_JOIN,
    .origin = ORIGIN_TORCHVISION,
    .differs = "the other image comes from the dataset, not from the batch, and is fitted in; "
               "objects are supported, which torchvision refuses",
    .example = "{\"type\": \"CutMix\", \"alpha\": 2}",
    .emits = (const char *const[]){ "join", "grayscale_to_rgb", "rgb_to_grayscale", "to_dtype",
                                    "resize", "crop", "pad", NULL },
    .params = rows,
    .params_size = sizeof(struct params),
    .images = two_images,
    .draw = draw,
};
