/* SimpleCopyPaste: pastes objects of another image onto the image (Ghiasi et al. 2021). */
#include "steps/transform.h"

struct params {
    struct donors donors;
    struct steps donor_transforms;
    int blending, labels, interpolation;
    bool antialias;
};

static const struct row rows[] = {
    BLENDING_ROW(struct params, "\"feather\""),
    HIDDEN_ROW(struct params),
    DONOR_ROWS(struct params),
    RESIZE_ROWS(struct params),
    ROWS_END,
};

static void place(struct run *run, const struct paste_settings *pasting, struct input *input)
{
    struct frame to = pasting->own->frame;

    (void)input;
    if (run->frame.width != to.width || run->frame.height != to.height)
        emit_resize(run, to.height, to.width);
}

/* Draws as many objects as there are, with replacement; each is pasted at most once. */
static void choose(struct run *run, const struct paste_settings *pasting,
                   const struct pasteable *all, bool *chosen)
{
    (void)pasting;
    for (size_t i = 0; i < all->n; i++)
        chosen[rng_integer(run->rng, 0, (int64_t)all->n)] = true;
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    const struct paste_settings pasting = { .own = run,
                                            .donors = &p->donors,
                                            .donor_transforms = &p->donor_transforms,
                                            .blending = p->blending,
                                            .labels = p->labels,
                                            .place = place,
                                            .choose = choose };

    emit_pasted(run, &pasting);
}

const struct transform SimpleCopyPaste_transform = {
    .name = "SimpleCopyPaste",
    .summary = "paste objects of another image, scaled to the image's size, onto the image",
    .group = GROUP_JOIN,
    .origin = ORIGIN_TORCHVISION,
    .differs = "the other image comes from the dataset, not from the batch; edges are really "
               "blended; polygons stay polygons, crowds are not pasted, and hidden objects "
               "lose visibility",
    .example = "{\"type\": \"SimpleCopyPaste\"}",
    .emits = (const char *const[]){ "join", "grayscale_to_rgb", "rgb_to_grayscale", "to_dtype",
                                    "resize", NULL },
    .subject = SUBJECT_OBJECTS,
    .params = rows,
    .params_size = sizeof(struct params),
    .images = two_images,
    .draw = draw,
};
