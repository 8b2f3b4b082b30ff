/* mix: a weighted sum of the results of several chains of steps. */
#include "steps/op.h"
#include "steps/op_shared/checks.h"

#include "steps/emit.h"

static const struct row rows[] = {
    WEIGHTS(struct mix, weights, .preset = "null", .limit = { 0, INFINITY },
            .help = "relative weights of the inputs; null: all equal"),
    CHAINS(struct mix, inputs,
           .help = "for each input, the steps that make it from the image; [] is the image "
                   "itself. All results must have the same size and number of channels. Labels "
                   "move as in the first input only"),
    ROWS_END,
};

static bool check(const void *params, const struct value *step, struct faults *faults)
{
    const struct mix *m = params;

    return weights_check(&m->weights, m->inputs.n, "inputs", step, faults);
}

static void chain(struct run *run, size_t i, const void *context)
{
    const struct mix *m = context;

    for (size_t k = 0; k < m->inputs.at[i].n; k++)
        emit_step(run, &m->inputs.at[i], k);
}

static void expand(const void *params, struct frame frame, int branch, struct run *run)
{
    const struct mix *m = params;

    (void)frame;
    (void)branch;
    emit_mix(run, &m->weights, m->inputs.n, chain, m);
}

const struct op mix_op = {
    .name = "mix",
    .summary = "blend the results of several chains of steps",
    .group = GROUP_POLICY,
    .origin = ORIGIN_OWN,
    .example = "{\"type\": \"mix\", \"weights\": [0.4, 0.6], \"inputs\": [[], [{\"type\": "
               "\"equalize\"}, {\"type\": \"posterize\", \"bits\": 3}]]}",
    .params = rows,
    .params_size = sizeof(struct mix),
    .family = FAMILY_MIX,
    .effect = EFFECT_MOVES | EFFECT_RECOLOURS,
    .check = check,
    .expand = expand,
};
