/* apply: applies a plan to a sample. */
#include "plan/apply.h"

#include "base/rng.h"
#include "geom/map.h"
#include "plan/apply_run.h"
#include "plan/args.h"
#include "plan/camera_check.h"
#include "plan/conditions.h"
#include "plan/keypoint_mirror.h"
#include "plan/render.h"
#include "plan/sample_view.h"

#include <string.h>

static bool draw_step(struct apply *, const struct step *, double chance);
static const struct emitter emitter;

/* --- emitting --- */

/* Returns the op's values: its defaults, then the values of rows that the step shares with it, then
 * the arguments; all checked like a pipeline's values. */
static void *params_of_args(const struct run *run, const struct op *op, const struct arg *args,
                            bool shared)
{
    struct apply *a = run->context;
    struct arena *arena = a->sample->arena;
    struct faults faults = { .name = op->name };
    struct value *object = args_object(args, arena);
    void *params = arena_take(arena, op->params_size);
    struct reader reader = { .arena = arena, .shared = shared ? run->rows : NULL };

    if (op->params_size)
        memcpy(params, plan_op_defaults(a->plan, op), op->params_size);
    params_share(reader.shared, run->params, op->params, params);
    if (!params_read(op->params, object, params, NULL, &reader, &faults) ||
        !op_check(op, params, object, &faults)) {
        struct text message = { 0 };

        faults_print(&faults, 1, &message);
        while (message.length && message.at[message.length - 1] == '\n')
            message.at[--message.length] = '\0';
        apply_fail(a, text_string(&message));
        text_drop(&message);
    }
    faults_drop(&faults);
    return a->failed ? NULL : params;
}

/* A mirror turns keypoints of a left side into keypoints of a right side; without pairs of names
 * this could not be done. For ops that always mirror, mirrors_check has decided before the run. */
static bool refuse_mirror(struct apply *a, const struct op *op, const struct action *action)
{
    const char *reason;
    struct text why = { 0 };

    if (op->effect & EFFECT_MIRRORS || map_scale(&action->map, a->sample->frame) >= 0)
        return true;
    reason = mirrors_reject(a->sample, a->sample->arena);
    if (!reason)
        return true;
    text_addf(&why, "it mirrors, and %s", reason);
    apply_fail(a, text_string(&why));
    text_drop(&why);
    return false;
}

static void relabel(struct apply *a, const struct action *action)
{
    struct text why = { 0 };

    a->resolved_ops->reads_without_occlusion |= a->sample->unhidden;
    if (!action->labels(action->labels_context, &a->plan->rules, a->sample, &why))
        apply_fail(a, text_string(&why));
    text_drop(&why);
}

/* Moves the sample to the state after the action. */
static void move_on(struct apply *a, const struct op *op, const struct action *action)
{
    if (op->effect & EFFECT_MOVES && refuse_mirror(a, op, action))
        sample_move(a->sample, &action->map, action->out);
    if (action->family == FAMILY_PAINT)
        sample_hide(a->sample, &action->u.paint.rects, action->u.paint.labels);
    if (action->labels)
        relabel(a, action);
    a->pixels = (struct pixel_kind){ action->type, action->channels };
}

static uint64_t draw_id_key(const struct draw_id *draw_id, uint32_t branch)
{
    return rng_key(draw_id->seed, draw_id->image, draw_id->copy, branch, draw_id->attempt);
}

/* Returns how many samples the op makes of this one; 0 if it fails. */
static uint32_t count_branches(struct apply *a, const struct op *op, const void *params,
                               struct run *run)
{
    int max = op_fan_out(op, params);
    int64_t n = op->count_outputs ? op->count_outputs(params, a->sample->frame, run) : max;
    struct text why = { 0 };

    if (n <= max)
        return a->failed ? 0 : (uint32_t)n;
    text_addf(&why, "it would make %lld images of this one, more than max_outputs, %d [plan-many]",
              (long long)n, max);
    apply_fail(a, text_string(&why));
    text_drop(&why);
    return 0;
}

/* Takes one of the samples that the op makes; from here on, the branch has its own random numbers.
 * Returns false if the op makes fewer samples. */
static bool take_branch(struct apply *a, const struct op *op, const void *params, struct run *run,
                        uint32_t *taken)
{
    uint32_t fan_out = (uint32_t)op_fan_out(op, params), n = count_branches(a, op, params, run);

    *taken = a->left % fan_out;
    if (a->failed)
        return false;
    if (*taken >= n) {
        a->absent = true;
        a->resolved_ops->absence = (struct absence){ a->draw_id->branch, a->fan_out, fan_out, n };
        return false;
    }
    if (fan_out == 1)
        return true;
    a->left /= fan_out;
    a->branch += *taken * a->fan_out;
    a->fan_out *= fan_out;
    a->key = draw_id_key(a->draw_id, a->branch);
    return true;
}

/* Runs the hook of an op that emits other ops. */
static void expand(struct apply *a, const struct op *op, const void *params)
{
    struct run run = { .emitter = &emitter,
                       .params = params,
                       .rows = op->params,
                       .arena = a->sample->arena,
                       .context = a };
    uint32_t branch;

    apply_look(&run, a);
    if (take_branch(a, op, params, &run, &branch))
        op->expand(params, a->sample->frame, (int)branch, &run);
}

/* Moves labels at once. An op that must see pixels only changes colors, and is resolved later. */
static void do_op(struct apply *a, const struct op *op, const void *params)
{
    struct resolved_op drawn = {
        .op = op, .params = params, .step = a->step, .in = a->sample->frame, .pixels = a->pixels
    };
    struct text why = { 0 };

    if (op->expand) {
        expand(a, op, params);
        return;
    }
    if (!a->sample->frame.width && !op->sizeless) {
        text_addf(&why, "%s needs the image's size, which the annotations do not say", op->name);
        apply_fail(a, text_string(&why));
        text_drop(&why);
        return;
    }
    if (a->pixels.type == PIXEL_F32 && (op->effect & EFFECT_RECOLOURS) &&
        op->family != FAMILY_CONVERT) {
        text_addf(&why,
                  "%s works on 8 and 16 bits; put the step that converts the image to floats last",
                  op->name);
        apply_fail(a, text_string(&why));
        text_drop(&why);
        return;
    }
    if (!op->needs) {
        if (!resolved_op_action(&drawn, &(struct stats){ 0 }, a->sample->arena, &drawn.action,
                                &why)) {
            apply_fail(a, text_string(&why));
            text_drop(&why);
            return;
        }
        move_on(a, op, &drawn.action);
    }
    apply_keep(a, &drawn);
}

static void apply_args(struct run *run, const char *name, const struct arg *args, bool shared)
{
    struct apply *a = run->context;
    const struct op *op = registry_op(name);
    const void *params;

    if (a->failed || a->absent)
        return;
    if (!op) {
        apply_fail(a, "it emitted an op that does not exist (a defect)");
        return;
    }
    params = params_of_args(run, op, args, shared);
    if (params)
        do_op(a, op, params);
    apply_look(run, a);
}

static void apply_refusal(struct run *run, const char *reason)
{
    apply_fail(run->context, reason);
}

static void apply_step(struct run *run, const struct step *step, double chance, size_t before)
{
    enum { MAX_REPEATS = 1000 }; /* of one step; the limit of SomeOf */
    struct apply *a = run->context;
    const struct step *outer = a->step;
    uint64_t repeat = a->repeat;

    a->repeat = repeat * MAX_REPEATS + before;
    draw_step(a, step, chance);
    a->repeat = repeat;
    a->step = outer;
    apply_look(run, a);
}

/* --- looking at the sample --- */

static const struct kept_object *look_at_objects(struct run *run, size_t *n)
{
    struct apply *a = run->context;

    apply_note_look(a);
    return view_objects(a->sample, &a->plan->rules, n);
}

/* Returns the label mask after the steps so far, or NULL if there is none. Ops are joined exactly:
 * random values must not depend on `optimize`, and masks in mode fast could differ. */
static const struct plane *look_at_mask(struct apply *a)
{
    const struct mask_source *source = &a->sample->mask;
    const struct plane *before;
    struct plane now;

    if (!source->read)
        return NULL;
    before = a->outer ? look_at_mask(a->outer) : source->read(source->context);
    if (!before) {
        a->failed = true;
        return NULL;
    }
    apply_drop_mask(a);
    if (!render_mask(a->resolved_ops, OPTIMIZE_EXACT, before, source->pool, a->sample->arena,
                     &now)) {
        a->failed = true;
        return NULL;
    }
    if (now.px == before->px)
        return before;
    a->mask = now;
    return &a->mask;
}

static bool look_for_pixel(struct run *run, const struct list *ignore, int *x, int *y)
{
    struct apply *a = run->context;
    size_t n;
    const struct kept_object *seen = look_at_objects(run, &n);
    const struct plane *mask = n ? NULL : look_at_mask(a);

    return mask ? view_mask_pixel(mask, ignore, run->rng, x, y)
                : view_pixel(seen, n, a->sample, run->rng, x, y);
}

static bool look_for_shares(struct run *run, struct rect window, int except,
                            struct label_shares *shares)
{
    struct apply *a = run->context;
    const struct plane *mask = look_at_mask(a);

    apply_note_look(a);
    if (mask)
        *shares = view_label_shares(mask, window, except);
    return mask != NULL;
}

/* --- the region to be shown --- */

static bool say_region(struct run *run, struct region *region)
{
    const struct apply *a = run->context;

    if (a->sample->has_region)
        *region = a->sample->region;
    return a->sample->has_region;
}

static void set_region(struct run *run, const struct region *region)
{
    const struct apply *a = run->context;

    a->sample->region = *region;
    a->sample->has_region = true;
}

/* --- drawing all steps --- */

static const struct emitter emitter = {
    .op = apply_args,
    .step = apply_step,
    .mix = apply_mix,
    .join = apply_join,
    .donor = apply_donor,
    .refuse = apply_refusal,
    .objects = look_at_objects,
    .pixel_of_objects = look_for_pixel,
    .label_shares = look_for_shares,
    .region = say_region,
    .set_region = set_region,
};

static bool draw_step(struct apply *a, const struct step *step, double p)
{
    struct rng chance = rng_start(a->key, step->stream, RNG_CHANCE);
    struct rng rng = rng_start(a->key, step->stream, RNG_DRAW);
    struct run run = { .emitter = &emitter,
                       .rows = step_own_rows(step),
                       .params = step->params,
                       .rng = &rng,
                       .arena = a->sample->arena,
                       .context = a };

    if (a->failed || a->absent)
        return false;
    chance.block = rng.block = a->repeat << 32;
    a->step = step;
    apply_look(&run, a);
    if (p < 1 && rng_unit(&chance) >= p)
        return true;
    if (step->when)
        apply_note_look(a);
    if (!meets_conditions(step, a->sample, &a->plan->rules))
        return true;
    if (step->transform)
        transform_draw(step->transform, &run);
    else
        do_op(a, step->op, step->params);
    return !a->failed;
}

static void check_cameras(struct apply *a)
{
    struct text why = { 0 };

    if (!cameras_can_follow(&a->plan->rules, a->sample, &why))
        apply_fail(a, text_string(&why));
    text_drop(&why);
}

bool plan_apply(const struct plan *plan, const struct draw_id *draw_id, struct pixel_kind pixels,
                struct sample *sample, struct resolved_ops *resolved_ops, struct text *why)
{
    struct apply apply = { .plan = plan,
                           .draw_id = draw_id,
                           .key = draw_id_key(draw_id, 0),
                           .left = draw_id->branch,
                           .fan_out = 1,
                           .pixels = pixels,
                           .sample = sample,
                           .resolved_ops = resolved_ops,
                           .labelled = sample->n_objects > 0 || sample->mask.read,
                           .why = why };

    *resolved_ops =
        (struct resolved_ops){ .swap_labels = plan->rules.swap_labels, .donors = sample->donors };
    sample->matrix = MAT3_IDENTITY;
    sample->has_matrix = true;
    if (plan->joins)
        sample_fill_frame(sample);
    for (size_t i = 0; i < plan->transforms.n && !apply.failed && !apply.absent; i++) {
        resolved_ops->last = i;
        draw_step(&apply, &plan->transforms.step[i], plan->transforms.step[i].chance);
    }
    apply_drop_mask(&apply);
    if (!apply.failed && !apply.absent)
        check_cameras(&apply);
    if (apply.left > 0 && !apply.absent)
        resolved_ops->absence = (struct absence){ draw_id->branch, apply.fan_out, 0, 1 };
    return !apply.failed;
}
