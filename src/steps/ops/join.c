/* join: composites several images on one canvas. */
#include "steps/op.h"
#include "steps/op_shared/join_params.h"
#include "steps/op_shared/rows.h"

static const struct row rows[] = {
    INTEGER(struct joint, height, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 72 },
            .help = "rows of the canvas"),
    INTEGER(struct joint, width, .unit = "pixels", .limit = { 1, 65500 }, .usual = { 24, 72 },
            .help = "columns of the canvas"),
    FILL_ROWS(struct joint),
    HIDDEN_ROW(struct joint),
    BLENDED_ROW(struct joint),
    PIECES_ROW(struct joint),
    INPUTS(struct joint, inputs,
           .help = "the images, the lowest one first: each is another image of the dataset "
                   "(`source`) or the image itself, after its `steps`, placed at `top` and `left` "
                   "of the canvas. All must be gray, or all in colour. If only the input has "
                   "alpha, its transparent parts show the fill; if only the image has alpha, the "
                   "input is opaque"),
    ROWS_END,
};

static void chain(struct run *run, size_t i, const void *context)
{
    const struct joint *joint = context;

    for (size_t k = 0; k < joint->inputs.steps[i].n; k++)
        emit_step(run, &joint->inputs.steps[i], k);
}

/* Returns one more than the inputs: a join of one input counts as a step that joins. */
static int images(const void *params)
{
    const struct joint *joint = params;

    return (int)joint->inputs.n + 1;
}

static void expand(const void *params, struct frame frame, int branch, struct run *run)
{
    (void)frame;
    (void)branch;
    emit_join(run, params, chain, params);
}

const struct op join_op = {
    .name = "join",
    .summary = "composite several images with their labels on one canvas",
    .group = GROUP_JOIN,
    .origin = ORIGIN_OWN,
    .example =
        "{\"type\": \"join\", \"height\": 64, \"width\": 96, \"inputs\": [{}, {\"left\": 48, "
        "\"steps\": [{\"type\": \"horizontal_flip\"}]}]}",
    .params = rows,
    .params_size = sizeof(struct joint),
    .family = FAMILY_JOIN,
    .effect = EFFECT_MOVES | EFFECT_RECOLOURS | EFFECT_HIDES,
    .expand = expand,
    .images = images,
};
