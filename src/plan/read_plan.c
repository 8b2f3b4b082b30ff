/* read_plan: reads a pipeline's JSON by the rows of its sections, transforms and ops. */
#include "plan/sections.h"

#include "base/rng.h"
#include "migrate/aliases/foreign.h"

#include <stdlib.h>
#include <string.h>

/* Limits against typing errors: samples per image, and steps, including steps inside others; and
 * the number of joined images at which counting stops. */
enum { MAX_BRANCHES = 100000, MAX_STEPS = 1024, MAX_JOINED = 1 << 20 };
/* Limits before anything is known of a pipeline: bytes, and values in its JSON. */
enum { MAX_BYTES = 32 << 20, MAX_VALUES = 1 << 20 };

/* --- steps --- */

static bool unknown_type(const struct value *type, struct arena *arena, struct faults *faults)
{
    const char *advice = name_advice(type->text, type->parent, arena);

    return value_fault(faults, type, false, "step-unknown", "there is no transform or op \"%s\"%s",
                       type->text, *advice ? advice : "; see lockstep list");
}

/* "transforms[2].transforms[0]" becomes "#2.transforms.0". The number sign distinguishes paths from
 * ids. */
static const char *stream_path(const struct value *value, struct arena *arena)
{
    const char *above;

    if (!value->parent || !value->parent->parent)
        return "#";
    above = stream_path(value->parent, arena);
    if (value->name)
        return arena_printf(arena, "%s.%s", above, value->name);
    return arena_printf(arena, "%s%s%zu", above, above[1] ? "." : "", value->index);
}

static bool find_type(const struct value *value, struct step *step, struct arena *arena,
                      struct faults *faults)
{
    const struct value *type;

    if (!value_expect(value, VALUE_OBJECT, "a step, an object with \"type\"", faults))
        return false;
    type = value_get(value, "type");
    if (!type)
        return value_fault(faults, value, false, "param-missing",
                           "\"type\" is missing: the name of a transform or op");
    if (!value_expect(type, VALUE_TEXT, "a string", faults))
        return false;
    step->transform = registry_transform(type->text);
    step->op = step->transform ? NULL : registry_op(type->text);
    return step->transform || step->op || unknown_type(type, arena, faults);
}

static bool read_common(const struct value *value, struct step *step, const struct reader *reader,
                        struct faults *faults)
{
    struct common common = { .id = "", .p = 1 };
    bool good = true;

    if (step->transform && step->transform->chance > 0)
        common.p = step->transform->chance;
    for (ROWS (row, step_rows)) {
        const struct value *given = value_get(value, row->name);

        if (given)
            good &= param_read(row, given, &common, reader, faults);
    }
    step->chance = common.p;
    if (common.when.given) {
        struct conditions *when = ARENA_NEW(reader->arena, struct conditions);

        *when = common.when;
        step->when = when;
    }
    step->source = value;
    step->id = *common.id ? common.id : NULL;
    step->path = stream_path(value, reader->arena);
    step->stream = rng_stream(step->id ? step->id : step->path);
    return good;
}

static bool read_step(const struct value *value, struct step *step, const struct reader *reader,
                      struct faults *faults)
{
    static const char *const common_names[] = { "type", "id", "p", "when", NULL };
    const struct row *rows;
    void *params;
    bool good;

    if (!find_type(value, step, reader->arena, faults))
        return false;
    rows = step_own_rows(step);
    params = arena_take(reader->arena,
                        step->transform ? step->transform->params_size : step->op->params_size);
    step->params = params;
    step->print = step_print;
    params_preset(rows, params, reader->arena);
    good = read_common(value, step, reader, faults);
    good &= params_read(rows, value, params, common_names, reader, faults);
    if (good && step->transform)
        good = transform_check(step->transform, params, value, faults);
    if (good && step->op)
        good = op_check(step->op, params, value, faults);
    return good;
}

bool step_read_text(const char *json, struct arena *arena, struct step *step)
{
    struct faults faults = { .name = "step", .text = { json, strlen(json) } };
    const struct value *value = value_parse(&faults, arena);
    bool good = value && read_step(value, step,
                                   &(struct reader){ .arena = arena, .step = read_step }, &faults);

    faults_drop(&faults);
    return good;
}

/* --- checks of all steps --- */

/* Counts steps: the objects in lists. The first step over the limit is a fault. */
static bool count_steps(const struct value *v, size_t *n, struct faults *faults)
{
    if (v->kind == VALUE_OBJECT && v->parent && v->parent->kind == VALUE_LIST && ++*n > MAX_STEPS)
        return value_fault(faults, v, false, "step-many", "more than %d steps", MAX_STEPS);
    for (size_t i = 0; i < v->n; i++)
        if (!count_steps(&v->item[i], n, faults))
            return false;
    return true;
}

/* Checked first, since reading takes memory for each value. */
static bool check_size(struct faults *faults)
{
    if (faults->text.length > MAX_BYTES)
        return fault_add(faults, 0, 1, "", "pipeline-large", "more than %d MB", MAX_BYTES >> 20);
    if (value_count(faults->text) > MAX_VALUES)
        return fault_add(faults, 0, 1, "", "pipeline-large", "more than %d values", MAX_VALUES);
    return true;
}

struct streams {
    const struct step *seen[MAX_STEPS];
    size_t n;
    struct faults *faults;
};

/* Two steps with the same random numbers would vary together unnoticed. */
static bool check_stream(const struct step *step, void *context)
{
    struct streams *s = context;
    const struct value *id = value_get(step->source, "id");

    for (size_t i = 0; i < s->n; i++) {
        if (s->seen[i]->stream != step->stream)
            continue;
        value_fault(s->faults, id ? id : step->source, false, "step-id-twice",
                    "another step has the same random numbers; give each its own \"id\"");
        return true;
    }
    s->seen[s->n++] = step;
    return true;
}

/* --- numbers of samples and joined images --- */

static uint64_t steps_fan_out(const struct steps *, bool one);

static uint64_t step_fan_out(const struct step *step)
{
    const struct transform *t = step->transform;
    uint64_t fan_out = 1;

    if (!t)
        return step->op ? (uint64_t)op_fan_out(step->op, step->params) : 1;
    for (const char *const *name = t->emits; name && *name; name++) {
        const struct op *op = registry_op(*name);

        fan_out = op->fan_out > (int)fan_out ? (uint64_t)op->fan_out : fan_out;
    }
    for (ROWS (row, t->params))
        if (row->kind == &steps_kind)
            fan_out *= steps_fan_out(
                (const struct steps *)((const char *)step->params + row->offset), t->one);
    return fan_out;
}

/* Returns the largest number of samples that the steps make of one. With `one`, only one of the
 * steps is done. */
static uint64_t steps_fan_out(const struct steps *steps, bool one)
{
    uint64_t fan_out = 1;

    for (size_t i = 0; i < steps->n && fan_out <= MAX_BRANCHES; i++) {
        uint64_t own = step_fan_out(&steps->step[i]);

        if (!one)
            fan_out *= own;
        else if (own > fan_out)
            fan_out = own;
    }
    return fan_out;
}

/* Multiplies the numbers of images that steps join; the product is 1 if no step joins images. */
static bool count_joined(const struct step *step, void *context)
{
    size_t *images = context;

    if (*images <= MAX_JOINED)
        *images *= step_images(step);
    return true;
}

static size_t images_joined(const struct steps *steps)
{
    size_t images = 1;

    steps_walk(steps, count_joined, &images);
    return images;
}

/* Each input of a step that joins must be one image, and must not be joined of several. */
static bool check_inputs(const struct step *step, void *context)
{
    struct faults *faults = context;

    for (ROWS (row, step_own_rows(step))) {
        const struct value *value = value_get(step->source, row->name);
        struct chains lists =
            row->kind == &steps_kind ? (struct chains){ 0 } : step_lists(step, row);

        for (size_t i = 0; i < lists.n; i++) {
            const struct value *list = !value                           ? step->source
                                       : row->kind == &donor_steps_kind ? value
                                                                        : &value->item[i];

            if (steps_fan_out(&lists.at[i], false) > 1)
                value_fault(faults, list, false, "plan-fan", "one image would become several here");
            if (images_joined(&lists.at[i]) > 1)
                value_fault(faults, list, false, "plan-join",
                            "an input of a join cannot itself be joined of several images: put "
                            "the step that joins before or after this one");
        }
    }
    return true;
}

static bool find_varying(const struct step *step, void *context)
{
    bool *varies = context;

    *varies |= step->op && step->op->count_outputs;
    return true;
}

static bool count_branches(struct plan *plan, const struct value *root, struct faults *faults)
{
    uint64_t fan_out = steps_fan_out(&plan->transforms, false);

    if (fan_out > MAX_BRANCHES)
        return value_fault(faults, value_get(root, "transforms"), false, "plan-fan",
                           "one image would become more than %d", MAX_BRANCHES);
    plan->fan_out = (unsigned)fan_out;
    steps_walk(&plan->transforms, find_varying, &plan->varies);
    plan->images = images_joined(&plan->transforms);
    plan->joins = plan->images > 1;
    return true;
}

/* --- the whole pipeline --- */

static bool read_section(const struct value *root, const char *name, const struct row *rows,
                         void *to, struct plan *plan, struct faults *faults)
{
    const struct value *section = value_get(root, name);

    params_preset(rows, to, &plan->arena);
    return !section ||
           params_read(rows, section, to, NULL, &(struct reader){ .arena = &plan->arena }, faults);
}

void plan_empty(struct plan *plan)
{
    size_t n = 0;

    for (EACH(op, op, registry_ops))
        n++;
    *plan = (struct plan){ .version = 1, .optimize = OPTIMIZE_EXACT, .fan_out = 1, .images = 1 };
    params_preset(annotation_rows, &plan->rules, &plan->arena);
    params_preset(output_rows, &plan->output, &plan->arena);
    plan->op_defaults = ARENA_NEW(&plan->arena, struct op_defaults);
    plan->op_defaults->at = ARENA_ARRAY(&plan->arena, void *, n);
}

const void *plan_op_defaults(const struct plan *plan, const struct op *op)
{
    struct op_defaults *defaults = plan->op_defaults;
    size_t i = 0;

    while (registry_ops[i] != op)
        i++;
    if (!defaults->at[i]) {
        defaults->at[i] = arena_take(&defaults->arena, op->params_size);
        params_preset(op->params, defaults->at[i], &defaults->arena);
    }
    return defaults->at[i];
}

/* "$schema" and "name" are for people and editors; any text is allowed. */
static bool check_labels(const struct value *root, struct faults *faults)
{
    static const char *const labels[] = { "name", "$schema" };
    bool good = true;

    for (size_t i = 0; i < COUNTOF(labels); i++) {
        const struct value *label = value_get(root, labels[i]);

        if (label)
            good &= value_expect(label, VALUE_TEXT, "a string", faults);
    }
    return good;
}

/* Three numbers and one are both allowed: images of one run may be gray or not, with alpha or
 * without. */
static bool check_background(const struct plan *plan, const struct value *root,
                             struct faults *faults)
{
    int n = plan->output.background.n;

    return n == 0 || n == 1 || n == 3 ||
           value_fault(faults, value_get(value_get(root, "output"), "background"), false,
                       "param-length", "expected one number or three, not %d", n);
}

bool plan_read(struct faults *faults, struct plan *plan)
{
    static const char *const sections[] = { "annotations", "output", "$schema", "name", NULL };
    struct pipeline pipeline = { 0 };
    struct streams streams = { .faults = faults };
    struct reader reader = {
        .arena = &plan->arena, .step = read_step, .advice = key_advice, .missing = missing_advice
    };
    const struct value *root;
    size_t n_steps = 0;
    bool good;

    plan_empty(plan);
    if (!check_size(faults))
        return false;
    plan->file = arena_copy(&plan->arena, faults->name, strlen(faults->name));
    plan->text = (struct slice){ arena_copy(&plan->arena, faults->text.at, faults->text.length),
                                 faults->text.length };
    root = value_parse(faults, &plan->arena);
    if (!root || !count_steps(root, &n_steps, faults))
        return false;
    params_preset(pipeline_rows, &pipeline, &plan->arena);
    good = params_read(pipeline_rows, root, &pipeline, sections, &reader, faults);
    if (root->kind != VALUE_OBJECT)
        return false;
    good &= read_section(root, "annotations", annotation_rows, &plan->rules, plan, faults);
    good &= read_section(root, "output", output_rows, &plan->output, plan, faults);
    good &= check_background(plan, root, faults) && check_labels(root, faults);
    plan->version = pipeline.version;
    plan->seed = pipeline.seed;
    plan->optimize = pipeline.optimize;
    plan->exif = pipeline.exif;
    plan->cmyk = pipeline.cmyk;
    plan->transforms = pipeline.transforms;
    steps_walk(&plan->transforms, check_stream, &streams);
    if (good)
        steps_walk(&plan->transforms, check_inputs, faults);
    good = good && count_branches(plan, root, faults);
    return good && !faults->n;
}

/* --- recorded steps --- */

/* Recorded steps are always done, and need no random numbers. */
static bool check_recorded(const struct step *step, void *context)
{
    static const char *const drawn[] = { "p", "id", "when" };
    struct faults *faults = context;

    if (step->transform)
        value_fault(faults, value_get(step->source, "type"), false, "replay-draws",
                    "%s draws random numbers; a recorded step is an op with its values",
                    step->transform->name);
    for (size_t i = 0; i < COUNTOF(drawn); i++) {
        const struct value *value = value_get(step->source, drawn[i]);

        if (value)
            value_fault(faults, value, true, "replay-draws",
                        "a recorded step is always done; remove \"%s\"", drawn[i]);
    }
    return true;
}

bool plan_read_recorded(const struct plan *base, const struct value *steps, struct arena *arena,
                        struct plan *out, struct faults *faults)
{
    struct reader reader = { .arena = arena, .step = read_step, .advice = key_advice };
    size_t n_steps = 0, before = faults->n;

    *out = *base;
    if (!count_steps(steps, &n_steps, faults) ||
        !steps_kind.read(NULL, steps, &out->transforms, &reader, faults))
        return false;
    steps_walk(&out->transforms, check_recorded, faults);
    steps_walk(&out->transforms, check_inputs, faults);
    if (steps_fan_out(&out->transforms, false) > 1)
        value_fault(faults, steps, false, "plan-fan", "one image would become several");
    if (images_joined(&out->transforms) > 1 && !base->joins)
        value_fault(faults, steps, false, "plan-join",
                    "the run's pipeline joins no images, so it has no ids for joined images");
    out->fan_out = 1;
    return faults->n == before;
}

void plan_print(const struct plan *plan, struct text *out)
{
    text_addf(out,
              "{\"version\": %d, \"seed\": %lld, \"exif\": \"%s\", \"cmyk\": \"%s\", "
              "\"annotations\": {",
              plan->version, (long long)plan->seed, choice_word(exif_choices, plan->exif),
              choice_word(cmyk_choices, plan->cmyk));
    params_print(annotation_rows, &plan->rules, out);
    text_adds(out, "}, \"transforms\": ");
    steps_print(&plan->transforms, out);
    text_adds(out, ", \"output\": {");
    params_print(output_rows, &plan->output, out);
    text_adds(out, "}}");
}

void plan_drop(struct plan *plan)
{
    if (plan->op_defaults)
        arena_drop(&plan->op_defaults->arena);
    arena_drop(&plan->arena);
}
