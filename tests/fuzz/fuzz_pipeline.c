/* fuzz_pipeline: pipelines read, written with every default, and read again; their conditions and
 * looks at a sample. A pipeline names no file, so nothing is opened. */
#include "base/rng.h"
#include "plan/sample_view.h"
#include "plan/conditions.h"
#include "../unit/labels.h"
#include "fuzz.h"

extern const struct format coco_format;

static struct arena arena;

/* --- a plan and its sample --- */

struct looks {
    const struct plan *plan;
    const struct sample *sample;
    struct rng rng;
};

/* Each row's schema is the inside of an object. */
static void check_schema(const struct row *rows)
{
    for (ROWS (row, rows)) {
        struct text out = { 0 }, limit = { 0 };
        struct faults f;

        text_addc(&out, '{');
        row->kind->schema(row, &out);
        text_addc(&out, '}');
        f = faults_of((struct slice){ out.at, out.length });
        MUST(value_parse(&f, &arena));
        row_print_limit(row, &limit);
        MUST(!limit.length || row_has_limit(row));
        faults_drop(&f);
        text_drop(&limit);
        text_drop(&out);
    }
}

static bool look(const struct step *step, void *context)
{
    struct looks *l = context;
    struct text number = { 0 };

    MUST(*step_name(step));
    meets_conditions(step, l->sample, &l->plan->rules);
    step_print_number(step, &number);
    text_drop(&number);
    check_schema(step_own_rows(step));
    return true;
}

/* A mask with labels in its lowest row only. */
static void check_mask_pixel(struct looks *l)
{
    uint8_t px[3][8] = { { 0 }, { 0 }, { 3, 0, 7, 7, 0, 0, 0, 255 } };
    struct plane mask = { px, PIXEL_U8, 8, 3, 1, 8 };
    int x = -1, y = -1;

    MUST(view_mask_pixel(&mask, &(struct list){ .n = 1, .at = { 255 } }, &l->rng, &x, &y));
    MUST(y == 2 && (x == 0 || x == 2 || x == 3));
    MUST(!view_mask_pixel(&mask, &(struct list){ .n = 3, .at = { 3, 7, 255 } }, &l->rng, &x, &y));
}

static void check_looks(const struct plan *plan)
{
    struct sample sample = labels_sample(&arena, (struct frame){ 32, 24 });
    struct looks l = { plan, &sample, rng_start(0, 0, RNG_DRAW) };
    const struct kept_object *seen;
    size_t n;
    int x = -1, y = -1;

    steps_walk(&plan->transforms, look, &l);
    seen = view_objects(&sample, &plan->rules, &n);
    MUST(n <= sample.n_objects);
    if (view_pixel(seen, n, &sample, &l.rng, &x, &y))
        MUST(x >= 0 && y >= 0 && x < sample.frame.width && y < sample.frame.height);
    check_mask_pixel(&l);
}

static void check_categories(const struct plan *plan)
{
    const struct category category[] = { { .name = "thing" }, { .name = "person" } };
    struct dataset some = { .format = &coco_format,
                            .categories = category,
                            .n_categories = COUNTOF(category) };
    struct dataset none = { 0 };
    struct faults f = { .name = plan->file, .text = plan->text };

    MUST(when_check(plan, &some, &f) == !f.n);
    when_check(plan, &none, &f);
    faults_end(&f);
}

/* --- written and read again --- */

/* Prints in the format of `compile`. */
static void print(const struct plan *plan, struct text *out)
{
    struct text sections = { 0 };

    plan_print(plan, &sections);
    text_addf(out, "{\"optimize\": \"%s\", ", choice_word(optimize_choices, plan->optimize));
    text_add(out, sections.at + 1, sections.length - 1);
    text_drop(&sections);
}

static bool print_step(const struct step *step, void *context)
{
    text_addf(context, "%s %u %.17g\n", step_name(step), step->stream, step->chance);
    return true;
}

/* Do both do the same steps, with the same random numbers? */
static bool same_steps(const struct plan *a, const struct plan *b)
{
    struct text one = { 0 }, other = { 0 };
    bool same;

    steps_walk(&a->transforms, print_step, &one);
    steps_walk(&b->transforms, print_step, &other);
    same = strcmp(text_string(&one), text_string(&other)) == 0;
    text_drop(&one);
    text_drop(&other);
    return same;
}

static void check_again(const struct plan *plan)
{
    struct text once = { 0 }, twice = { 0 }, message = { 0 };
    struct faults f;
    struct plan same;
    bool read;

    print(plan, &once);
    f = faults_of((struct slice){ text_string(&once), once.length });
    read = plan_read(&f, &same);
    faults_print(&f, 10, &message);
    if (!read)
        fprintf(stderr, "%s%s\n", text_string(&message), text_string(&once));
    MUST(read && !f.n);
    MUST(same.fan_out == plan->fan_out && same_steps(plan, &same));
    print(&same, &twice);
    if (strcmp(text_string(&once), text_string(&twice)) != 0)
        fprintf(stderr, "%s\n%s\n", text_string(&once), text_string(&twice));
    MUST(strcmp(text_string(&once), text_string(&twice)) == 0);
    faults_drop(&f);
    plan_drop(&same);
    text_drop(&message);
    text_drop(&once);
    text_drop(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct slice text = feed_copy(data, size);
    struct faults f = faults_of(text);
    struct plan plan;
    bool read = plan_read(&f, &plan);

    MUST(read == !f.n);
    if (read) {
        check_again(&plan);
        check_looks(&plan);
        check_categories(&plan);
    }
    faults_end(&f);
    plan_drop(&plan);
    slice_free(text);
    arena_reset(&arena);
    return 0;
}
