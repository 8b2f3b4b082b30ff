/* SimpleCopyPaste: objects of another image are pasted over the image (Ghiasi et al. 2021). */
#include "../transform.h"

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

static int images(const void *params)
{
    (void)params;
    return 2;
}

struct pasting {
    const struct run *own;
    struct input *input;
};

/* As many objects as there are, drawn with replacement: each once. */
static void chain(struct run *run, size_t i, const void *context)
{
    const struct pasting *pasting = context;
    const struct params *p = pasting->own->params;
    struct frame to = pasting->own->frame;
    struct pasteable all;
    bool *chosen;

    if (i == 0)
        return;
    emit_borrowed(run, pasting->own, &p->donor_transforms, 0);
    if (run->frame.width != to.width || run->frame.height != to.height)
        emit_resize(run, to.height, to.width);
    all = pasteable_of(run, &(struct names){ 0 }, false);
    chosen = ARENA_ARRAY(run->arena, bool, all.n);
    for (size_t k = 0; k < all.n; k++)
        chosen[k] = false;
    for (size_t k = 0; k < all.n; k++)
        chosen[rng_integer(run->rng, 0, (int64_t)all.n)] = true;
    input_choose(pasting->input, &all, chosen, run->arena);
}

static void draw(struct run *run)
{
    const struct params *p = run->params;
    struct joint joint = { .height = run->frame.height,
                           .width = run->frame.width,
                           .labels = p->labels };
    const char *donor = run_donor(run, &p->donors);
    struct pasting pasting = { .own = run };

    if (!donor)
        return;
    joint.inputs = inputs_take(run->arena, 2);
    joint.inputs.at[0] = (struct input){ .source = "", .opacity = 1 };
    joint.inputs.at[1] = (struct input){ .source = donor, .opacity = 1, .blending = p->blending };
    pasting.input = &joint.inputs.at[1];
    emit_join(run, &joint, chain, &pasting);
}

const struct transform SimpleCopyPaste_transform = {
    .name = "SimpleCopyPaste",
    .summary = "paste objects of another image, scaled to the image's size, over the image",
    .group = GROUP_JOIN,
    .origin = ORIGIN_TORCHVISION,
    .differs = "the other image comes from the dataset, not from the batch; edges are really "
               "blended; polygons stay polygons, crowds are not pasted, and what is hidden counts "
               "against visibility",
    .example = "{\"type\": \"SimpleCopyPaste\"}",
    .emits = (const char *const[]){ "join", "grayscale_to_rgb", "rgb_to_grayscale", "to_dtype",
                                    "resize", NULL },
    .subject = SUBJECT_OBJECTS,
    .params = rows,
    .params_size = sizeof(struct params),
    .images = images,
    .draw = draw,
};
