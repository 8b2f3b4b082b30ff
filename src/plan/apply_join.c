/* apply_join: steps that join images; each input is drawn as a sample of its own. */
#include "plan/apply_run.h"

#include "base/rng.h"
#include "steps/op_shared/actions.h"

/* The inputs of a mix. */
struct mix_inputs {
    struct mix mix; /* for printing */
    struct resolved_ops *input;
    struct frame out; /* the canvas after the first input */
    struct pixel_kind pixels;
    bool idle; /* no input has an op that does anything */
};

static struct steps steps_of_ops(const struct resolved_ops *resolved_ops, struct arena *arena)
{
    struct step *step = ARENA_ARRAY(arena, struct step, resolved_ops->n);

    for (size_t i = 0; i < resolved_ops->n; i++)
        step[i] = (struct step){ .op = resolved_ops->at[i].op,
                                 .params = resolved_ops->at[i].params,
                                 .chance = 1,
                                 .print = step_print };
    return (struct steps){ step, resolved_ops->n };
}

/* Draws one input. Labels move with the first input; the others are drawn for a sample without
 * labels. */
static void draw_input(struct run *run, size_t i, chain_fn *chain, const void *context,
                       struct mix_inputs *j)
{
    struct apply *a = run->context, inner = *a;
    struct sample bare = { .arena = run->arena,
                           .name = a->sample->name,
                           .frame = run->frame,
                           .matrix = MAT3_IDENTITY,
                           .has_matrix = true };
    struct run inside = *run;

    inner.resolved_ops = &j->input[i];
    inner.mask = (struct plane){ 0 };
    inner.room = 0;
    inner.outer = a;
    if (i > 0)
        inner.sample = &bare;
    inside.context = &inner;
    chain(&inside, i, context);
    apply_drop_mask(&inner);
    a->failed = inner.failed;
    apply_note_looks(a, &j->input[i]);
    if (i == 0) {
        j->out = inner.sample->frame;
        j->pixels = inner.pixels;
    } else if (!a->failed && (!frame_equal(inner.sample->frame, j->out) ||
                              inner.pixels.channels != j->pixels.channels ||
                              inner.pixels.type != j->pixels.type)) {
        apply_fail(a, "images of different sizes, channels or types of samples cannot be joined");
    }
    for (size_t k = 0; k < j->input[i].n; k++)
        j->idle &= resolved_op_family(&j->input[i].at[k]) == FAMILY_NOTHING;
}

static float *shares_of(const struct weights *weights, size_t n, struct arena *arena)
{
    float *share = ARENA_ARRAY(arena, float, n);

    for (size_t i = 0; i < n; i++)
        share[i] = (float)(weights->n ? weights->at[i] / weights_sum(weights) : 1 / (double)n);
    return share;
}

void apply_mix(struct run *run, const struct weights *weights, size_t n, chain_fn *chain,
               const void *context)
{
    struct apply *a = run->context;
    struct arena *arena = run->arena;
    struct steps *steps = ARENA_ARRAY(arena, struct steps, n);
    struct mix_inputs *j = ARENA_NEW(arena, struct mix_inputs);
    struct resolved_op drawn = {
        .op = registry_op("mix"), .step = a->step, .in = a->sample->frame, .pixels = a->pixels
    };

    *j = (struct mix_inputs){ .mix = { *weights, { steps, n } },
                              .input = ARENA_ARRAY(arena, struct resolved_ops, n),
                              .idle = true };
    apply_look(run, a);
    for (size_t i = 0; i < n && !a->failed; i++) {
        draw_input(run, i, chain, context, j);
        steps[i] = steps_of_ops(&j->input[i], arena);
    }
    drawn.params = &j->mix;
    drawn.action = (struct action){ .family = j->idle ? FAMILY_NOTHING : FAMILY_MIX,
                                    .in = drawn.in,
                                    .out = j->out,
                                    .channels = j->pixels.channels,
                                    .type = j->pixels.type,
                                    .map = { .forward = MAT3_IDENTITY, .inverse = MAT3_IDENTITY },
                                    .u.mix = { j->input, shares_of(weights, n, arena), n } };
    a->pixels = j->pixels;
    if (!a->failed)
        apply_keep(a, &drawn);
    apply_look(run, a);
}

/* --- inputs placed on a canvas --- */

const char *apply_donor(struct run *run, const struct donors *donors)
{
    struct apply *a = run->context;
    const struct donor_source *source = a->sample->donors;
    uint64_t draw = rng_u64(run->rng);
    struct text why = { 0 };
    struct sample donor = { .name = NULL };
    size_t record;

    if (a->failed)
        return NULL;
    if (!source)
        text_adds(&why, "there are no other images to borrow here");
    else if (source->draw(source->context, donors, draw, &record, &why))
        donor.name = source->name(source->context, record);
    if (!donor.name)
        apply_fail(a, text_string(&why));
    text_drop(&why);
    return donor.name;
}

/* The inputs of a join. */
struct placement {
    struct apply *outer;
    struct joint joint; /* for printing */
    struct resolved_ops *resolved_ops;
    struct placed_image *laid;
    struct lay *lay;
    size_t n; /* inputs placed so far */
    struct frame canvas;
};

/* True if the sample has the objects to paste. Without annotations, nothing could be pasted. */
static bool has_objects(const struct input *input, const struct sample *sample, struct text *why)
{
    for (size_t i = 0; i < input->objects.n; i++)
        if (input->objects.at[i] >= (double)sample->n_objects) {
            text_addf(why, "%s has no object %.0f: its annotations are required", input->source,
                      input->objects.at[i]);
            return false;
        }
    return true;
}

/* Begins an input with the image itself, or with a borrowed image. */
static bool begin_input(struct placement *l, const struct input *input, struct apply *inner,
                        struct sample *sample)
{
    struct apply *a = l->outer;
    const struct donor_source *source = a->sample->donors;
    struct lay *lay = &l->lay[l->n];
    struct text why = { 0 };

    *lay = (struct lay){ 0 };
    lay->borrowed = *input->source != '\0';
    if (!lay->borrowed) {
        *sample = sample_copy(a->sample, a->sample->arena);
        inner->outer = a;
        return true;
    }
    if (input->objects.n)
        apply_note_look(a); /* a check before the run may not have read its objects */
    if (!source)
        text_adds(&why, "there are no other images to borrow here");
    else if (source->find(source->context, input->source, &lay->record, &why) &&
             source->load(source->context, lay->record, a->sample->arena, sample,
                          &inner->pixels.type, &inner->pixels.channels, &why) &&
             has_objects(input, sample, &why)) {
        inner->outer = NULL;
        inner->labelled = sample->n_objects > 0 || sample->mask.read;
        sample_fill_frame(sample);
        lay->mask = sample->mask;
        return true;
    }
    if (why.length)
        apply_fail(a, text_string(&why));
    a->failed = true;
    text_drop(&why);
    return false;
}

/* Returns a box around the part of an object on the canvas; it may be empty. */
static struct box bounds_of(const struct object *o, struct frame canvas)
{
    const struct rings outline = { (struct ring *)&o->outline, 1 };
    struct box box = o->segmentation == SEGMENTATION_RLE        ? rle_bounds(&o->rle)
                     : o->segmentation == SEGMENTATION_POLYGONS ? rings_bounds(&o->rings)
                                                                : rings_bounds(&outline);

    return box_intersect(box, box_of_frame(canvas));
}

/* Keeps only the chosen objects of a sample; returns the part of the canvas that shows them. */
static struct rects cut_out(const struct input *input, struct sample *sample, struct lay *lay)
{
    struct rle *cover = ARENA_NEW(sample->arena, struct rle);
    struct box *boxes;

    sample_choose(sample, input->objects.at, input->objects.n);
    boxes = ARENA_ARRAY(sample->arena, struct box, sample->n_objects + 1);
    for (size_t i = 0; i < sample->n_objects; i++)
        boxes[i] = bounds_of(&sample->objects[i], sample->frame);
    lay->boxes = boxes;
    lay->n_boxes = sample->n_objects;
    *cover = sample_cover(sample);
    lay->cut_out = cover;
    lay->feathered = input->blending == BLENDING_FEATHER;
    return rle_to_rects(sample->arena, cover);
}

/* Moves an input's labels to the canvas and clips them there. In panoptic data a pixel belongs to
 * one segment: to the segment of the top image, or of the image with more weight. */
static void lay_input(struct placement *l, const struct input *input, struct sample *sample,
                      const struct pixel_kind *pixels)
{
    bool shows = input->opacity < 1;
    struct lay *lay = &l->lay[l->n];
    struct rects over = { &lay->part, 1 };
    struct scene scene = { .frame = sample->frame,
                           .type = pixels->type,
                           .channels = pixels->channels,
                           .arena = sample->arena };
    struct action action = { .in = sample->frame,
                             .out = sample->frame,
                             .map = { .forward = MAT3_IDENTITY, .inverse = MAT3_IDENTITY } };

    lay->part = (struct rect){ input->left, input->top, sample->frame.width, sample->frame.height };
    lay->opacity = input->opacity;
    action_window(&scene, &action, -input->top, -input->left, l->canvas);
    sample_move(sample, &action.map, l->canvas);
    if (input->objects.n)
        over = cut_out(input, sample, lay);
    if (l->outer->sample->segments) {
        shows = input->opacity < HEAVIER;
        sample->n_objects = shows ? 0 : sample->n_objects;
    }
    l->laid[l->n] = (struct placed_image){ .sample = *sample,
                                           .over = shows ? (struct rects){ 0 } : over,
                                           .part = lay->part,
                                           .opacity = input->opacity,
                                           .objects_alone = input->objects.n > 0 };
}

static bool check_input(struct placement *l, const struct apply *inner)
{
    const struct apply *a = l->outer;

    bool gray = a->pixels.channels < 3;

    if ((inner->pixels.channels < 3) == gray && inner->pixels.type == a->pixels.type)
        return true;
    return apply_fail(l->outer,
                      "images in gray and in colours, or of different types of samples, cannot be "
                      "joined: see grayscale_to_rgb and to_dtype");
}

static void draw_laid(struct run *run, const struct input *input, size_t i, chain_fn *chain,
                      const void *context, struct placement *l)
{
    struct apply *a = l->outer, inner = *a;
    struct resolved_ops *resolved_ops = &l->resolved_ops[l->n];
    struct input *laid = &l->joint.inputs.at[l->n];
    struct sample sample;
    struct run inside = *run;

    *resolved_ops = (struct resolved_ops){ .swap_labels = a->resolved_ops->swap_labels };
    inner.resolved_ops = resolved_ops;
    inner.mask = (struct plane){ 0 };
    inner.room = 0;
    if (!begin_input(l, input, &inner, &sample))
        return;
    sample.matrix = l->lay[l->n].borrowed ? MAT3_IDENTITY : sample.matrix;
    inner.sample = &sample;
    inside.context = &inner;
    apply_look(&inside, &inner);
    chain(&inside, i, context);
    apply_drop_mask(&inner);
    a->failed = inner.failed;
    apply_note_looks(a, resolved_ops);
    if (a->failed || input->absent || !check_input(l, &inner))
        return;
    *laid = *input;
    lay_input(l, laid, &sample, &inner.pixels);
    l->joint.inputs.steps[l->n] = laid->steps = steps_of_ops(resolved_ops, run->arena);
    l->n++;
}

/* Takes the matrix of the image itself, if it is one of the inputs. */
static void keep_matrix(struct sample *sample, const struct placement *l)
{
    for (size_t i = 0; i < l->n; i++)
        if (!l->lay[i].borrowed && !l->lay[i].cut_out) {
            sample->matrix = l->laid[i].sample.matrix;
            sample->has_matrix = l->laid[i].sample.has_matrix;
            return;
        }
    sample->has_matrix = false;
}

/* True if the join is the unchanged image itself, and nothing else. */
static bool is_idle(const struct placement *l)
{
    const struct input *input = l->joint.inputs.at;

    return l->n == 1 && !l->lay->borrowed && !input->steps.n && input->opacity >= 1 &&
           !l->lay->cut_out && !input->top && !input->left &&
           frame_equal(l->outer->sample->frame, l->canvas);
}

/* The hook `images` of a step determines ids of annotations, and whether its result may be joined
 * again. A join that the hook does not announce would write wrong data, so the sample fails
 * instead. */
static bool check_images(struct apply *a, size_t n)
{
    size_t announced = step_images(a->step);
    struct text why = { 0 };

    if (announced > 1 && n <= announced)
        return true;
    if (announced > 1)
        text_addf(&why, "it joins %zu images, and its hook `images` returns %zu (a defect)", n,
                  announced);
    else
        text_adds(&why, "it joins images, and has no hook `images` that returns 2 or more (a "
                        "defect)");
    apply_fail(a, text_string(&why));
    text_drop(&why);
    return false;
}

void apply_join(struct run *run, const struct joint *joint, chain_fn *chain, const void *context)
{
    struct apply *a = run->context;
    struct arena *arena = run->arena;
    size_t n = joint->inputs.n;
    struct placement *l = ARENA_NEW(arena, struct placement);
    struct scene scene = { .frame = a->sample->frame,
                           .type = a->pixels.type,
                           .channels = a->pixels.channels,
                           .arena = arena };
    struct resolved_op drawn = {
        .op = registry_op("join"), .step = a->step, .in = a->sample->frame, .pixels = a->pixels
    };

    *l = (struct placement){ .outer = a,
                             .joint = *joint,
                             .resolved_ops = ARENA_ARRAY(arena, struct resolved_ops, n),
                             .laid = ARENA_ARRAY(arena, struct placed_image, n),
                             .lay = ARENA_ARRAY(arena, struct lay, n),
                             .canvas = { joint->width, joint->height } };
    if (!check_images(a, n))
        return;
    l->joint.inputs = inputs_take(arena, n);
    for (size_t i = 0; i < n && !a->failed; i++)
        draw_laid(run, &joint->inputs.at[i], i, chain, context, l);
    if (a->failed || is_idle(l))
        return;
    l->joint.inputs.n = l->n;
    drawn.params = &l->joint;
    drawn.action = (struct action){ .family = FAMILY_JOIN,
                                    .in = drawn.in,
                                    .out = l->canvas,
                                    .channels = a->pixels.channels,
                                    .type = a->pixels.type,
                                    .map = { .forward = MAT3_IDENTITY, .inverse = MAT3_IDENTITY },
                                    .fill = scene_fill(&scene, &joint->fill),
                                    .fill_mask = joint->fill_mask,
                                    .u.join = { l->resolved_ops, l->lay, l->n } };
    samples_weigh_labels(a->sample, l->laid, l->n, l->canvas);
    samples_sort_pieces(l->laid, l->n, (enum piece_rule)joint->pieces);
    sample_join(a->sample, l->laid, l->n,
                a->sample->segments ? LABELS_SHRINK : (enum hidden_rule)joint->labels);
    keep_matrix(a->sample, l);
    a->sample->frame = l->canvas;
    apply_keep(a, &drawn);
    apply_look(run, a);
}
