/* test_emit: transforms and ops are driven by an emitter that only records: no plan, no image. */
#include "base/text.h"
#include "steps/op.h"
#include "steps/transform.h"

#include "unit.h"

#include <string.h>

extern const struct transform RandomRotation_transform, RandomHorizontalFlip_transform,
    OneOf_transform, RandomCrop_transform, AugMix_transform, RandomIoUCrop_transform;
extern const struct op resized_crop_op, ten_crop_op;

/* Text of the emitted steps: "rotate angle=..; step 1 at 0.50; refused". */
struct record {
    struct text text;
    struct kept_object object;
};

static void record_op(struct run *run, const char *name, const struct arg *args, bool shared)
{
    struct record *record = run->context;

    text_addf(&record->text, "%s%s", name, shared ? " (shared)" : "");
    for (; args->name; args++) {
        text_addf(&record->text, " %s", args->name);
        if (args->kind == ARG_NUMBER)
            text_addf(&record->text, "=%g", args->number);
        else if (args->kind == ARG_WORD)
            text_addf(&record->text, "=%s", args->word);
    }
    text_adds(&record->text, "; ");
}

static void record_step(struct run *run, const struct step *step, double chance, size_t before)
{
    struct record *record = run->context;

    text_addf(&record->text, "step %s at %.2f after %zu; ", step->id, chance, before);
}

static void record_mix(struct run *run, const struct weights *weights, size_t n, chain_fn *chain,
                       const void *context)
{
    struct record *record = run->context;

    (void)weights;
    text_addf(&record->text, "mix of %zu; ", n);
    for (size_t i = 0; i < n; i++)
        chain(run, i, context);
}

static void record_refusal(struct run *run, const char *reason)
{
    struct record *record = run->context;

    (void)reason;
    text_adds(&record->text, "refused; ");
}

static const struct kept_object *one_object(struct run *run, size_t *n)
{
    struct record *record = run->context;

    *n = 1;
    return &record->object;
}

static bool no_pixel(struct run *run, const struct list *ignore, int *x, int *y)
{
    (void)run;
    (void)ignore;
    (void)x;
    (void)y;
    return false;
}

static bool no_shares(struct run *run, struct rect window, int except, struct label_shares *shares)
{
    (void)run;
    (void)window;
    (void)except;
    (void)shares;
    return false;
}

static const struct emitter recorder = {
    .op = record_op,
    .step = record_step,
    .mix = record_mix,
    .refuse = record_refusal,
    .objects = one_object,
    .pixel_of_objects = no_pixel,
    .label_shares = no_shares,
};

/* Draw the transform with its defaults, changed by `json`, on an image of 100 x 80. */
static void draw(const struct transform *t, const char *json, const struct step *nested,
                 size_t n_nested, struct record *record)
{
    struct arena arena = { 0 };
    struct faults faults = { .name = t->name, .text = { json, strlen(json) } };
    struct reader reader = { .arena = &arena };
    struct rng rng = rng_start(rng_key(7, (struct slice){ "a", 1 }, 0, 0, 0), 1, RNG_DRAW);
    void *params = arena_take(&arena, t->params_size);
    const struct value *value = value_parse(&faults, &arena);
    struct run run = { .emitter = &recorder,
                       .params = params,
                       .frame = { 100, 80 },
                       .channels = 3,
                       .rng = &rng,
                       .arena = &arena,
                       .context = record };

    params_preset(t->params, params, &arena);
    if (CHECK(value != NULL) &&
        CHECK(params_read(t->params, value, params, NULL, &reader, &faults))) {
        for (ROWS (row, t->params))
            if (row->kind == &steps_kind)
                *(struct steps *)((char *)params + row->offset) =
                    (struct steps){ nested, n_nested };
        t->draw(&run);
    }
    faults_drop(&faults);
    arena_drop(&arena);
}

/* Emitted, and nothing else, is one op that begins so. */
static void check_draw(const struct transform *t, const char *json, const char *wanted)
{
    struct record record = { .object = { .has_box = true, .box = { 40, 30, 60, 50 } } };

    draw(t, json, NULL, 0, &record);
    if (!CHECK(strncmp(text_string(&record.text), wanted, strlen(wanted)) == 0))
        fprintf(stderr, "    %s: %s\n", t->name, text_string(&record.text));
    text_drop(&record.text);
}

static void test_transforms(void)
{
    check_draw(&RandomRotation_transform, "{\"degrees\": [30, 30]}", "rotate (shared) angle=30; ");
    check_draw(&RandomHorizontalFlip_transform, "{}", "horizontal_flip; ");
    check_draw(&RandomCrop_transform, "{\"size\": 200}", "refused; ");
    check_draw(&RandomIoUCrop_transform, "{\"sampler_options\": [0], \"trials\": 1000}",
               "keep_centers ");
    check_draw(&AugMix_transform, "{\"mixture_width\": 2}", "mix of ");
}

static void test_nested(void)
{
    const struct step steps[] = { { .id = "first", .chance = 0.25 },
                                  { .id = "second", .chance = 0.5 } };
    struct record record = { 0 };

    draw(&OneOf_transform, "{\"transforms\": []}", steps, 2, &record);
    /* Either step always happens, whatever its chance is. */
    CHECK(strcmp(text_string(&record.text), "step first at 1.00 after 0; ") == 0 ||
          strcmp(text_string(&record.text), "step second at 1.00 after 0; ") == 0);
    text_drop(&record.text);
}

static void expand(const struct op *op, const char *json, int branch, struct record *record)
{
    struct arena arena = { 0 };
    struct faults faults = { .name = op->name, .text = { json, strlen(json) } };
    struct reader reader = { .arena = &arena };
    void *params = arena_take(&arena, op->params_size);
    const struct value *value = value_parse(&faults, &arena);
    struct run run = { .emitter = &recorder, .arena = &arena, .context = record };

    params_preset(op->params, params, &arena);
    if (CHECK(value != NULL) &&
        CHECK(params_read(op->params, value, params, NULL, &reader, &faults)))
        op->expand(params, (struct frame){ 100, 80 }, branch, &run);
    faults_drop(&faults);
    arena_drop(&arena);
}

static void test_compound_ops(void)
{
    struct record record = { 0 };

    expand(&resized_crop_op,
           "{\"top\": 1, \"left\": 2, \"height\": 3, \"width\": 4, \"size\": [5, 6]}", 0, &record);
    CHECK(strcmp(text_string(&record.text), "crop (shared); resize (shared); ") == 0);
    text_drop(&record.text);
    record = (struct record){ 0 };
    expand(&ten_crop_op, "{\"size\": 10}", 8, &record);
    CHECK(strcmp(text_string(&record.text),
                 "horizontal_flip; crop top=70 left=90 height=10 width=10; ") == 0);
    text_drop(&record.text);
}

int main(void)
{
    static const struct unit_test tests[] = {
        TEST(test_transforms),
        TEST(test_nested),
        TEST(test_compound_ops),
    };

    return unit_main(tests, COUNTOF(tests));
}
