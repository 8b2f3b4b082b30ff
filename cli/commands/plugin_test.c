/* plugin-test: tests the properties of lockstep's own ops and transforms on those of a plugin. */
#include "shared/command.h"
#include "shared/say.h"

#include "batch/process/child.h"
#include "batch/dataset/plugin_probe.h"
#include "steps/plugin/plugin.h"
#include "steps/properties/walk.h"

#include <stdio.h>
#include <string.h>

enum { MAX_SHOWN = 5, MAX_MS = 300000, MAX_ANSWER = 1 << 20 };
static const uint64_t MAX_MEMORY = (uint64_t)4 << 30;

/* --- properties --- */

static void test_moves(struct walker *w, const struct op *op)
{
    if (op->effect & EFFECT_MOVES)
        walk_moves(w, op);
}

/* True if the op takes words: random ones name no category. */
static bool takes_words(const struct op *op)
{
    for (ROWS (row, op->params))
        if (row->kind == &text_kind)
            return true;
    return false;
}

static void test_effects(struct walker *w, const struct op *op)
{
    walk_effects(w, op, takes_words(op));
}

static void test_sizes(struct walker *w, const struct op *op)
{
    walk_check(w, walk_sizes(w, op) > 0, "some image is not refused");
}

static void test_sizes_of(struct walker *w, const struct transform *t)
{
    walk_check(w, walk_sizes_of(w, t) > 0, "some image is not refused");
}

static const struct property {
    const char *name;
    void (*op)(struct walker *, const struct op *);
    void (*transform)(struct walker *, const struct transform *);
} properties[] = {
    { "labels", test_moves, NULL },   { "effects", test_effects, NULL },
    { "sizes", test_sizes, NULL },    { "jobs", walk_repeats, NULL },
    { "depths", walk_depths, NULL },  { "draws", NULL, walk_draws },
    { "sizes", NULL, test_sizes_of }, { "printed", walk_prints, walk_prints_of },
};

/* --- one test, in its own process --- */

struct property_test {
    const struct property *property;
    const struct op *op;
    const struct transform *transform;
};

/* Messages of the walk. */
struct step_messages {
    struct text failures, figures;
};

static void on_failure(struct walker *w, const char *what)
{
    struct step_messages *messages = w->context;

    if (w->n_failed <= MAX_SHOWN)
        text_addf(&messages->failures, "    not so: %s\n      %s\n", what, w->about);
}

static void on_figure(struct walker *w, const char *line)
{
    text_addf(&((struct step_messages *)w->context)->figures, "    %s\n", line);
}

static int walk(void *context, struct text *answer)
{
    const struct property_test *t = context;
    struct step_messages messages = { 0 };
    struct walker w = { .failed = on_failure, .measured = on_figure, .context = &messages };

    plugin_watch_numbers();
    if (t->op)
        t->property->op(&w, t->op);
    else
        t->property->transform(&w, t->transform);
    snprintf(w.about, sizeof w.about, "%s, all draws", t->op ? t->op->name : t->transform->name);
    walk_check(&w, !plugin_returned_nan(),
               "colors and places that its functions return are numbers");
    text_add(answer, messages.failures.at, messages.failures.length);
    if (w.n_failed > MAX_SHOWN)
        text_addf(answer, "    and %zu more\n", w.n_failed - MAX_SHOWN);
    text_add(answer, messages.figures.at, messages.figures.length);
    text_drop(&messages.failures);
    text_drop(&messages.figures);
    walk_drop(&w);
    return w.n_failed ? EXIT_PARTIAL : EXIT_DONE;
}

struct sums {
    size_t n, failed;
};

static void test(struct property_test *t, struct sums *sums)
{
    const struct child_work work = { .max_memory = MAX_MEMORY,
                                     .max_result = MAX_ANSWER,
                                     .ms = MAX_MS,
                                     .who = "it",
                                     .work = walk,
                                     .context = t };
    struct text answer = { 0 }, why = { 0 };
    const char *code = "";
    bool good = child_run(&work, &answer, &why, &code) == EXIT_DONE;

    printf("%-6s  %-20s  %s\n", good ? "ok" : "FAILED", t->op ? t->op->name : t->transform->name,
           t->property->name);
    if (why.length)
        printf("    %s [plugin-crash]\n", text_string(&why));
    fputs(text_string(&answer), stdout);
    fflush(stdout);
    sums->n++;
    sums->failed += !good;
    text_drop(&answer);
    text_drop(&why);
}

static void test_plugin(const struct plugin *plugin, struct sums *sums)
{
    for (size_t i = 0; i < plugin->n_ops + plugin->n_transforms; i++)
        for (size_t k = 0; k < COUNTOF(properties); k++) {
            struct property_test t = { .property = &properties[k] };

            if (i < plugin->n_ops)
                t.op = &plugin->ops[i];
            else
                t.transform = &plugin->transforms[i - plugin->n_ops];
            if (t.op ? t.property->op != NULL : t.property->transform != NULL)
                test(&t, sums);
        }
}

static int run(void *given, const char *const *operand)
{
    struct faults faults = { .name = "lockstep plugin-test" };
    struct sums sums = { 0, 0 };
    int code;

    (void)given;
    if (!operand[0])
        fault_add(&faults, 0, 0, "", "operand-missing", "a plugin is required");
    for (size_t i = 0; operand[i]; i++)
        if (!strchr(operand[i], '/'))
            fault_add(&faults, 0, 0, operand[i], "plugin-path",
                      "it has no slash; for a file in the current folder, give ./%s", operand[i]);
    code = faults.n ? faults_exit(&faults, EXIT_USAGE) : plugins_open(operand);
    faults_drop(&faults);
    if (code)
        return code;
    for (const struct plugin *const *p = plugins_loaded(); *p; p++)
        test_plugin(*p, &sums);
    if (!sums.failed)
        return EXIT_DONE;
    message_print("lockstep plugin-test: error: %zu of %zu tests failed [plugin-property]",
                  sums.failed, sums.n);
    return EXIT_PARTIAL;
}

static const char *const examples[] = {
    "lockstep plugin-test ./swirl.so",
    NULL,
};

const struct command plugin_test_command = {
    .name = "plugin-test",
    .brief = true,
    .summary = "test the ops and transforms of a plugin",
    .synopsis = "FILE...",
    .about =
        "Draws random values for each op of a plugin, and checks all that holds for lockstep's "
        "own ops. Labels are where the pixels are, to a fraction of a pixel. The op changes "
        "pixels and labels as its family says, and nothing else. Its functions return numbers, "
        "not NaN. It processes images of all sizes down to 1x1, with 1 to 4 channels of 8 and 16 "
        "bits, and gives the same bytes when compiled and in strips. The same images in another "
        "order and process give the same bytes, and 16 bits give what 8 bits give. The examples "
        "of its transforms draw values and emit the ops they promise. Each test has its own "
        "process: a test that crashes has failed. The exit code is 1 if any test failed. See "
        "lockstep help plugins.",
    .operands = "FILE",
    .examples = examples,
    .run = run,
};
