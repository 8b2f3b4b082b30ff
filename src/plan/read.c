/* read: a pipeline's JSON to a plan, by the rows of its sections, transforms and ops. */
#include "keys.h"

#include "../base/rng.h"
#include "../foreign/foreign.h"

#include <stdlib.h>
#include <string.h>

/* Samples that one may become, and steps, those inside of others counted: more are a slip of the
 * pen. */
enum { MOST_BRANCHES = 1000, MOST_STEPS = 1024 };
/* What a pipeline may cost before anything is known of it: bytes, and values in its JSON. */
enum { MOST_BYTES = 32 << 20, MOST_VALUES = 1 << 20 };

/* --- the sections --- */

static const struct choice box_choices[] = {
    { "tight", BOXES_TIGHT, "around what is left of the segmentation, if there is one" },
    { "hull", BOXES_HULL, "around what is left of the annotated box" },
    { 0 },
};

static const struct choice segmentation_choices[] = {
    { "keep", SEGMENTATION_KEEP, "as the source has it" },
    { "rle", SEGMENTATION_TO_RLE, "polygons become run lengths" },
    { "polygon", SEGMENTATION_TO_POLYGON,
      "run lengths become outlines; those with holes, and crowds, stay" },
    { 0 },
};

static const struct choice keypoint_choices[] = {
    { "index", KEYPOINTS_INDEX, "pixel indices, as COCO has them" },
    { "continuous", KEYPOINTS_CONTINUOUS, "continuous coordinates, as boxes have" },
    { 0 },
};

static const struct choice outside_choices[] = {
    { "hide", OUTSIDE_HIDE, "keypoints that leave the canvas become 0, 0, 0" },
    { "keep", OUTSIDE_KEEP, "they keep their visibility and coordinates, up to 1e7" },
    { 0 },
};

static const struct choice rejected_choices[] = {
    { "original", REJECTED_ORIGINAL,
      "the image untransformed, at its own size; once, also where several are made of one" },
    { "last", REJECTED_LAST, "the last draw, though it is rejected" },
    { "fail", REJECTED_FAIL, "the image fails, with all its copies: see --on-error" },
    { 0 },
};

const struct row annotation_rows[] = {
    NUMBER(struct rules, min_area, .preset = "0", .unit = "pixels^2", .limit = { 0, INFINITY },
           .help = "drop objects whose area in the result is smaller"),
    NUMBER(struct rules, min_visibility, .preset = "0", .limit = { 0, 1 },
           .help = "drop objects of which a smaller share is left and not hidden; crowds stay"),
    NUMBER(struct rules, min_size, .preset = "0", .unit = "pixels", .limit = { 0, INFINITY },
           .help = "drop objects whose box has a shorter side"),
    OPTIONAL(struct rules, max_aspect, .preset = "null", .limit = { 1, INFINITY },
             .help = "drop objects whose box is so many times longer one way than the other, and "
                     "more; null: none. Crowds stay"),
    CHOICE(struct rules, boxes, .preset = "\"tight\"", .choices = box_choices,
           .help = "the box of an object that was cut or turned"),
    CHOICE(struct rules, segmentation, .preset = "\"keep\"", .choices = segmentation_choices,
           .help = "the kind of segmentation to write"),
    CHOICE(struct rules, keypoints, .preset = "\"index\"", .choices = keypoint_choices,
           .help = "what keypoint coordinates in the file mean"),
    CHOICE(struct rules, outside, .preset = "\"hide\"", .choices = outside_choices,
           .help = "keypoints that leave the canvas"),
    LABEL_PAIRS(struct rules, swap_labels, .preset = "[]", .limit = { 0, 65535 },
                .help = "labels of label masks, as of left and right hands, that change places "
                        "wherever an op mirrors; 8-bit masks have none above 255"),
    KEY_NAMES(struct rules, drop_keys, .preset = "[]",
              .help = "keys of annotations to leave out, as `scale`, which COCO does not know and "
                      "which would say of the object's old place"),
    KEY_KINDS(struct rules, move_keys, .preset = "{}",
              .help = "keys of annotations that COCO does not know and that move with the object, "
                      "each with what it is: {\"bbox_head\": \"box\", \"center\": \"point\"}. "
                      "`box`: [x, y, width, height], cut at the canvas, all 0 when it is outside; "
                      "`point`: [x, y] or several, wherever they come to"),
    REJECTION(
        struct rules, reject_image_if, .preset = "null",
        .help = "draw the whole image again, with other random numbers, if any of this holds: "
                "`objects_lost`: an object was dropped; `all_objects_lost`: there are none left; "
                "`objects_below`: some were dropped, and fewer than so many are left; "
                "`visibility_below`: a smaller share of one is left and not hidden. Crowds do not "
                "count, nor do objects that would be dropped from the untransformed image. Where "
                "several images are made of one, an object is dropped if none of them has it, and "
                "all are drawn again"),
    INTEGER(struct rules, max_attempts, .preset = "10", .limit = { 1, 1000 },
            .help = "how often an image is drawn, at most, with `reject_image_if`"),
    CHOICE(struct rules, when_rejected, .preset = "\"original\"", .choices = rejected_choices,
           .help = "what is written when all attempts were rejected; the manifest and the run's "
                   "last line tell"),
    ROWS_END,
};

const struct choice output_formats[] = {
    { "same", PICTURE_SAME,
      "as the source's data, whatever its name says: JPEG is encoded anew with `quality`, WebP too "
      "unless it is lossless, which it stays; GIF becomes PNG" },
    { "jpeg", PICTURE_JPEG, "8 bit, no alpha" },
    { "png", PICTURE_PNG, "lossless" },
    { "webp", PICTURE_WEBP, "8 bit" },
    { "tiff", PICTURE_TIFF, "lossless, deflate" },
    { 0 },
};

static const struct choice subsampling_choices[] = {
    { "same", SUBSAMPLING_SAME,
      "no less than in the JPEG that the image is made of; 4:2:0 where it is none" },
    { "4:2:0", SUBSAMPLING_420, "half the colour resolution both ways" },
    { "4:2:2", SUBSAMPLING_422, "half the colour resolution across" },
    { "4:4:4", SUBSAMPLING_444, "full colour resolution" },
    { 0 },
};

static const struct choice untouched_choices[] = {
    { "encode", UNTOUCHED_ENCODE, "it is encoded like the others" },
    { "copy", UNTOUCHED_COPY,
      "its file is copied, with all its metadata, if the format stays and it has no EXIF "
      "orientation" },
    { 0 },
};

const struct row output_rows[] = {
    CHOICE(struct output_rules, format, .preset = "\"same\"", .choices = output_formats,
           .help = "file format of the images written"),
    INTEGER(struct output_rules, quality, .preset = "95", .limit = { 1, 100 },
            .help = "of JPEG and WebP"),
    CHOICE(struct output_rules, subsampling, .preset = "\"same\"", .choices = subsampling_choices,
           .help = "of JPEG's colours"),
    INTEGER(struct output_rules, compression, .preset = "1", .limit = { 1, 12 },
            .help = "of PNG, libdeflate's levels: 1 is fastest, 12 smallest"),
    CHOICE(struct output_rules, untouched, .preset = "\"encode\"", .choices = untouched_choices,
           .help = "what is written for an image that no op touched"),
    FLAG(struct output_rules, lossless, .preset = "false",
         .help =
             "make a JPEG that was only flipped, turned by quarters or cropped, or not touched, "
             "from the DCT coefficients of its JPEG: nothing is lost, and `quality` and "
             "`subsampling` are the source's. Where no block (of 8 or 16 pixels, mostly) "
             "begins at the result's first column and row, it is encoded as usual"),
    ROWS_END,
};

const struct choice optimize_choices[] = {
    { "none", OPTIMIZE_NONE, "op by op" },
    { "exact", OPTIMIZE_EXACT, "neighbouring ops joined, to the same bits" },
    { "fast", OPTIMIZE_FAST, "shortcuts are taken, too: pixels differ within stated bounds" },
    { 0 },
};

const struct choice exif_choices[] = {
    { "apply", EXIF_APPLY, "images are turned upright, and annotations are of upright images" },
    { "ignore", EXIF_IGNORE,
      "pixels are taken as they are stored, and annotations are of stored pixels" },
    { 0 },
};

struct pipeline {
    int version, optimize, exif;
    int64_t seed;
    struct steps transforms;
};

const struct row pipeline_rows[] = {
    INTEGER(struct pipeline, version, .limit = { 1, 1 },
            .help = "the version of this format; drawn values never change within one"),
    WHOLE(struct pipeline, seed, .preset = "0", .limit = { 0, 9007199254740992 },
          .help = "of all random numbers"),
    CHOICE(struct pipeline, optimize, .preset = "\"exact\"", .choices = optimize_choices,
           .help = "how the ops of a draw are joined; see `lockstep help optimize`"),
    CHOICE(struct pipeline, exif, .preset = "\"apply\"", .choices = exif_choices,
           .help = "what the EXIF orientation of an image means; it is not written either way, so "
                   "that all programs show what the labels say"),
    STEPS(struct pipeline, transforms,
          .help = "the steps, in order: 1024 at most, those inside of others counted"),
    ROWS_END,
};

struct common {
    const char *id;
    double p;
    struct when when;
};

const struct row step_rows[] = {
    TEXT(struct common, id, .preset = "\"\"",
         .help = "names the step's random numbers, so that steps put before it do not change them"),
    NUMBER(struct common, p, .preset = "1", .limit = { 0, 1 },
           .help = "the chance that the step is done"),
    WHEN(struct common, when, .preset = "null",
         .help =
             "what must hold of the sample as it then is, too: it has an object of one of these "
             "categories; so many objects at least, or at most; its shorter side is at least, "
             "its longer side at most so long. Objects that would be dropped by now do not "
             "count. Changes no other draw"),
    ROWS_END,
};

/* --- steps --- */

const char *step_name(const struct step *s)
{
    return s->transform ? s->transform->name : s->op->name;
}

const struct row *step_own_rows(const struct step *s)
{
    return s->transform ? s->transform->params : s->op->params;
}

void step_print(const struct step *step, struct text *out)
{
    const struct row *rows = step_own_rows(step);

    text_addf(out, "{\"type\": \"%s\"", step_name(step));
    if (step->id) {
        text_adds(out, ", \"id\": ");
        text_add_json(out, step->id, strlen(step->id));
    }
    /* Left out only where leaving it out means 1. */
    if (step->chance != 1 || (step->transform && step->transform->chance > 0)) {
        text_adds(out, ", \"p\": ");
        number_kind.print(NULL, &step->chance, out);
    }
    if (step->when) {
        text_adds(out, ", \"when\": ");
        when_kind.print(NULL, step->when, out);
    }
    if (rows) {
        text_adds(out, ", ");
        params_print(rows, step->params, out);
    }
    text_addc(out, '}');
}

void step_print_number(const struct step *s, struct text *out)
{
    const char *at = s->path + 1;
    char *end;

    while (*at) {
        unsigned long index = strtoul(at, &end, 10);

        if (end > at)
            text_addf(out, "%s%lu", at == s->path + 1 ? "" : ".", index + 1);
        at = end + strcspn(end, ".");
        at += *at == '.';
    }
}

static bool unknown_type(const struct value *type, struct arena *arena, struct faults *faults)
{
    const char *advice = name_advice(type->text, type->parent, arena);

    return value_fault(faults, type, false, "step-unknown", "there is no transform or op \"%s\"%s",
                       type->text, *advice ? advice : "; see lockstep list");
}

/* "transforms[2].transforms[0]" becomes "#2.transforms.0". The sign keeps paths and ids apart. */
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
    if (!value_expect(type, VALUE_TEXT, "a name in quotes", faults))
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
        struct when *when = ARENA_NEW(reader->arena, struct when);

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
    if (good && step->transform && step->transform->check)
        good = step->transform->check(params, value, faults);
    if (good && step->op && step->op->check)
        good = step->op->check(params, value, faults);
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

/* --- what holds between steps --- */

/* The lists of steps that a parameter holds. */
static struct chains lists_of(const struct step *step, const struct row *row)
{
    const void *field = (const char *)step->params + row->offset;

    if (row->kind == &chains_kind)
        return *(const struct chains *)field;
    return row->kind == &steps_kind ? (struct chains){ field, 1 } : (struct chains){ 0 };
}

void steps_walk(const struct steps *steps, bool (*visit)(const struct step *, void *context),
                void *context)
{
    for (size_t i = 0; i < steps->n; i++) {
        const struct step *step = &steps->step[i];

        if ((!step->transform && !step->op) || !visit(step, context))
            continue;
        for (ROWS (row, step_own_rows(step))) {
            struct chains lists = lists_of(step, row);

            for (size_t k = 0; k < lists.n; k++)
                steps_walk(&lists.at[k], visit, context);
        }
    }
}

/* Steps are the objects that stand in lists. The first one too many is a fault. */
static bool count_steps(const struct value *v, size_t *n, struct faults *faults)
{
    if (v->kind == VALUE_OBJECT && v->parent && v->parent->kind == VALUE_LIST && ++*n > MOST_STEPS)
        return value_fault(faults, v, false, "step-many", "more than %d steps", MOST_STEPS);
    for (size_t i = 0; i < v->n; i++)
        if (!count_steps(&v->item[i], n, faults))
            return false;
    return true;
}

/* Before it is read, which takes memory for each value. */
static bool check_size(struct faults *faults)
{
    if (faults->text.length > MOST_BYTES)
        return fault_add(faults, 0, 1, "", "pipeline-large", "more than %d MB", MOST_BYTES >> 20);
    if (value_count(faults->text) > MOST_VALUES)
        return fault_add(faults, 0, 1, "", "pipeline-large", "more than %d values", MOST_VALUES);
    return true;
}

struct streams {
    const struct step *seen[MOST_STEPS];
    size_t n;
    struct faults *faults;
};

/* Two steps that draw the same numbers would move together unseen. */
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

/* --- how many samples one becomes --- */

static uint64_t steps_fan(const struct steps *, bool one);

static uint64_t step_fan(const struct step *step)
{
    const struct transform *t = step->transform;
    uint64_t fan = 1;

    if (!t)
        return step->op && step->op->fan ? (uint64_t)step->op->fan : 1;
    for (const char *const *name = t->emits; name && *name; name++) {
        const struct op *op = registry_op(*name);

        fan = op->fan > (int)fan ? (uint64_t)op->fan : fan;
    }
    for (ROWS (row, t->params))
        if (row->kind == &steps_kind)
            fan *=
                steps_fan((const struct steps *)((const char *)step->params + row->offset), t->one);
    return fan;
}

/* One: no more than one of the steps is done. */
static uint64_t steps_fan(const struct steps *steps, bool one)
{
    uint64_t fan = 1;

    for (size_t i = 0; i < steps->n && fan <= MOST_BRANCHES; i++) {
        uint64_t own = step_fan(&steps->step[i]);

        if (!one)
            fan *= own;
        else if (own > fan)
            fan = own;
    }
    return fan;
}

/* What is joined must be one image for each input. */
static bool check_inputs(const struct step *step, void *context)
{
    struct faults *faults = context;

    for (ROWS (row, step_own_rows(step))) {
        const struct value *value = value_get(step->source, row->name);
        struct chains lists = lists_of(step, row);

        for (size_t i = 0; row->kind == &chains_kind && i < lists.n; i++)
            if (steps_fan(&lists.at[i], false) > 1)
                value_fault(faults, &value->item[i], false, "plan-fan",
                            "one image would become several in here");
    }
    return true;
}

static bool count_branches(struct plan *plan, const struct value *root, struct faults *faults)
{
    uint64_t fan = steps_fan(&plan->transforms, false);

    if (fan > MOST_BRANCHES)
        return value_fault(faults, value_get(root, "transforms"), false, "plan-fan",
                           "one image would become more than %d", MOST_BRANCHES);
    plan->fan = (unsigned)fan;
    return true;
}

/* --- the whole --- */

static bool read_section(const struct value *root, const char *name, const struct row *rows,
                         void *to, struct plan *plan, struct faults *faults)
{
    const struct value *section = value_get(root, name);

    params_preset(rows, to, &plan->arena);
    return !section ||
           params_read(rows, section, to, NULL, &(struct reader){ .arena = &plan->arena }, faults);
}

static void preset_ops(struct plan *plan)
{
    size_t n = 0;

    for (EACH(op, op, registry_ops))
        n++;
    plan->op_defaults = ARENA_ARRAY(&plan->arena, void *, n);
    n = 0;
    for (EACH(op, op, registry_ops)) {
        plan->op_defaults[n] = arena_take(&plan->arena, op->params_size);
        params_preset(op->params, plan->op_defaults[n++], &plan->arena);
    }
}

void plan_empty(struct plan *plan)
{
    *plan = (struct plan){ .version = 1, .optimize = OPTIMIZE_EXACT, .fan = 1 };
    params_preset(annotation_rows, &plan->rules, &plan->arena);
    params_preset(output_rows, &plan->output, &plan->arena);
    preset_ops(plan);
}

/* Keys for people and editors: any text will do. */
static bool check_labels(const struct value *root, struct faults *faults)
{
    static const char *const labels[] = { "name", "$schema" };
    bool good = true;

    for (size_t i = 0; i < COUNTOF(labels); i++) {
        const struct value *label = value_get(root, labels[i]);

        if (label)
            good &= value_expect(label, VALUE_TEXT, "a text in quotes", faults);
    }
    return good;
}

bool plan_read(struct faults *faults, struct plan *plan)
{
    static const char *const sections[] = { "annotations", "output", "$schema", "name", NULL };
    struct pipeline pipeline = { 0 };
    struct streams streams = { .faults = faults };
    struct reader reader = { .arena = &plan->arena, .step = read_step, .advice = key_advice };
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
    good &= check_labels(root, faults);
    plan->version = pipeline.version;
    plan->seed = pipeline.seed;
    plan->optimize = pipeline.optimize;
    plan->exif = pipeline.exif;
    plan->transforms = pipeline.transforms;
    steps_walk(&plan->transforms, check_stream, &streams);
    if (good)
        steps_walk(&plan->transforms, check_inputs, faults);
    good = good && count_branches(plan, root, faults);
    return good && !faults->n;
}

void plan_print(const struct plan *plan, struct text *out)
{
    text_addf(out, "{\"version\": %d, \"seed\": %lld, \"exif\": \"%s\", \"annotations\": {",
              plan->version, (long long)plan->seed, choice_word(exif_choices, plan->exif));
    params_print(annotation_rows, &plan->rules, out);
    text_adds(out, "}, \"transforms\": ");
    steps_print(&plan->transforms, out);
    text_adds(out, ", \"output\": {");
    params_print(output_rows, &plan->output, out);
    text_adds(out, "}}");
}

void plan_drop(struct plan *plan)
{
    arena_drop(&plan->arena);
}
