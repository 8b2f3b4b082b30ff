/* apply_join: steps that join images: each input is drawn as a sample of its own. */
#include "apply_run.h"

/* The inputs of a mix, as they are drawn. */
struct joining {
    struct mix mix; /* what can be printed */
    struct drawn_ops *input;
    struct frame out; /* what the first leaves */
    struct pixel_kind pixels;
    bool idle; /* nothing is done in any of them */
};

static struct steps steps_of_drawn_ops(const struct drawn_ops *drawn_ops, struct arena *arena)
{
    struct step *step = ARENA_ARRAY(arena, struct step, drawn_ops->n);

    for (size_t i = 0; i < drawn_ops->n; i++)
        step[i] = (struct step){ .op = drawn_ops->at[i].op,
                                 .params = drawn_ops->at[i].params,
                                 .chance = 1,
                                 .print = step_print };
    return (struct steps){ step, drawn_ops->n };
}

/* Labels move with the first; the others are drawn for a sample that has none. */
static void draw_input(struct run *run, size_t i, chain_fn *chain, const void *context,
                       struct joining *j)
{
    struct apply *a = run->context, inner = *a;
    struct sample bare = { .arena = run->arena,
                           .name = a->sample->name,
                           .frame = run->frame,
                           .matrix = MAT3_IDENTITY,
                           .has_matrix = true };
    struct run inside = *run;

    inner.drawn_ops = &j->input[i];
    inner.mask = (struct plane){ 0 };
    inner.room = 0;
    if (i > 0)
        inner.sample = &bare;
    inside.context = &inner;
    chain(&inside, i, context);
    apply_drop_mask(&inner);
    a->failed = inner.failed;
    a->drawn_ops->looked |= j->input[i].looked;
    if (i == 0) {
        j->out = inner.sample->frame;
        j->pixels = inner.pixels;
    } else if (!a->failed && (!frame_equal(inner.sample->frame, j->out) ||
                              inner.pixels.channels != j->pixels.channels ||
                              inner.pixels.type != j->pixels.type)) {
        apply_fail(a, "images of different sizes, channels or types of samples cannot be joined");
    }
    for (size_t k = 0; k < j->input[i].n; k++)
        j->idle &= drawn_op_family(&j->input[i].at[k]) == FAMILY_NOTHING;
}

static float *shares_of(const struct weights *weights, size_t n, struct arena *arena)
{
    float *share = ARENA_ARRAY(arena, float, n);

    for (size_t i = 0; i < n; i++)
        share[i] = (float)(weights->n ? weights->at[i] / weights_sum(weights) : 1 / (double)n);
    return share;
}

void apply_joined(struct run *run, const char *op, const struct weights *weights, size_t n,
                  chain_fn *chain, const void *context)
{
    struct apply *a = run->context;
    struct arena *arena = run->arena;
    struct steps *steps = ARENA_ARRAY(arena, struct steps, n);
    struct joining *j = ARENA_NEW(arena, struct joining);
    struct drawn_op drawn = {
        .op = registry_op(op), .step = a->step, .in = a->sample->frame, .pixels = a->pixels
    };

    *j = (struct joining){ .mix = { *weights, { steps, n } },
                           .input = ARENA_ARRAY(arena, struct drawn_ops, n),
                           .idle = true };
    apply_look(run, a);
    for (size_t i = 0; i < n && !a->failed; i++) {
        draw_input(run, i, chain, context, j);
        steps[i] = steps_of_drawn_ops(&j->input[i], arena);
    }
    drawn.params = &j->mix;
    drawn.action = (struct action){ .family = j->idle ? FAMILY_NOTHING : FAMILY_JOIN,
                                    .in = drawn.in,
                                    .out = j->out,
                                    .channels = j->pixels.channels,
                                    .type = j->pixels.type,
                                    .map = { .forward = MAT3_IDENTITY, .inverse = MAT3_IDENTITY },
                                    .u.join = { j->input, shares_of(weights, n, arena), n } };
    a->pixels = j->pixels;
    if (!a->failed)
        apply_keep(a, &drawn);
    apply_look(run, a);
}
