/* bad_plugin: a plugin with one fault, by its name: cc -DFAULT_overlap ... For
 * tests/cli/plugins.bats. */
#include <lockstep_plugin.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct params {
    double amount, other;
    int steps, word;
};

static const struct lockstep_choice words[] = {
    { "one", 1, "the first" },
#ifdef FAULT_choices
    { "one", 2, "the first again" },
#endif
    { 0 },
};

static const struct lockstep_row rows[] = {
#if defined FAULT_kind
    LOCKSTEP_ROW(struct params, amount, NUMBER + 90, .preset = "0", .help = "how much"),
#elif defined FAULT_help
    LOCKSTEP_ROW(struct params, amount, NUMBER, .preset = "0"),
#elif defined FAULT_field
    LOCKSTEP_ROW(struct params, amount, INTEGER, .preset = "0", .help = "how much"),
#elif defined FAULT_limit
    LOCKSTEP_ROW(struct params, amount, NUMBER, .preset = "0", .limit = { 1, -1 },
                 .help = "how much"),
#elif defined FAULT_usual
    LOCKSTEP_ROW(struct params, amount, NUMBER, .preset = "0", .limit = { 0, 1 }, .usual = { 0, 2 },
                 .help = "how much"),
#elif defined FAULT_default
    LOCKSTEP_ROW(struct params, amount, NUMBER, .preset = "7", .limit = { 0, 1 },
                 .help = "how much"),
#elif defined FAULT_parameter
    LOCKSTEP_ROW(struct params, amount, NUMBER, .preset = "0", .help = "how much"),
    { .name = "when",
      .kind = LOCKSTEP_NUMBER,
      .offset = 8,
      .size = 8,
      .preset = "0",
      .help = "when" },
#else
    LOCKSTEP_ROW(struct params, amount, NUMBER, .preset = "0", .limit = { 0, 1 },
                 .help = "how much"),
#endif
#ifdef FAULT_overlap
    { .name = "steps",
      .kind = LOCKSTEP_INTEGER,
      .offset = 4,
      .size = 4,
      .preset = "0",
      .help = "steps" },
#elif defined FAULT_beyond
    { .name = "steps",
      .kind = LOCKSTEP_INTEGER,
      .offset = 4096,
      .size = 4,
      .preset = "0",
      .help = "steps" },
#elif defined FAULT_twice
    LOCKSTEP_ROW(struct params, other, NUMBER, .preset = "0", .help = "another"),
    { .name = "amount",
      .kind = LOCKSTEP_INTEGER,
      .offset = 16,
      .size = 4,
      .preset = "0",
      .help = "again" },
#endif
    LOCKSTEP_ROW(struct params, word, CHOICE, .preset = "\"one\"", .choices = words,
                 .help = "a word"),
    LOCKSTEP_ROWS_END,
};

/* Pixel function of the plugin: does nothing, or commits the chosen fault. */
static void colours(const void *context, float *restrict r, float *restrict g, float *restrict b,
                    int n)
{
    const struct params *p = context;

    (void)g, (void)b;
#ifdef FAULT_kept
    static int calls; /* results depend on the order of work */
    r[0] += (float)(calls++ % 50);
#endif
#ifdef FAULT_pixels
    /* Only for images whose first pixel is dark. */
    if (n > 1 && r[0] < 100)
        abort();
#endif
#ifdef FAULT_nan
    /* The square root of a negative number, for dark pixels. */
    for (int i = 0; i < n; i++)
        g[i] = sqrtf((g[i] - 3) * 255);
#endif
    for (int i = 0; i < n; i++)
        r[i] = 255 - (255 - r[i]) * (float)(1 - p->amount / 2);
}

static int resolve(const void *params, const struct lockstep_scene *scene,
                   struct lockstep_action *action)
{
    (void)scene;
#ifdef FAULT_resolve
    abort();
#elif defined FAULT_hang
    for (;;)
        sleep(1);
#elif defined FAULT_memory
    for (;;)
        memset(scene->host->memory(scene, 64 << 20), 1, 64 << 20);
#elif defined FAULT_value
    if (((const struct params *)params)->amount > 0.9)
        abort();
#endif
    action->colours = colours;
    action->context = params;
    return LOCKSTEP_ACTS;
}

static void draw(const void *params, struct lockstep_run *run)
{
    (void)params;
#ifdef FAULT_undeclared
    lockstep_emit(run, "horizontal_flip", { 0 });
#endif
    lockstep_emit(run, "bad_op", LOCKSTEP_NUM("amount", run->host->unit(run)));
}

#ifdef FAULT_constructor
__attribute__((constructor)) static void start(void)
{
    abort();
}
#endif

static const struct lockstep_op ops[] = {
    {
#if defined FAULT_name
        .name = "Bad-Op",
#elif defined FAULT_clash
        .name = "crop",
#elif defined FAULT_section
        .name = "output",
#else
        .name = "bad_op",
#endif
#ifndef FAULT_summary
        .summary = "do something",
#endif
#if defined FAULT_example
        .example = "{\"type\": \"bad_op\", \"amuont\": 0.5}",
#elif defined FAULT_other
        .example = "{\"type\": \"invert\"}",
#elif !defined FAULT_none
        .example = "{\"type\": \"bad_op\", \"amount\": 0.5}",
#endif
#ifdef FAULT_family
        .family = 77,
#else
        .family = LOCKSTEP_COLOURS,
#endif
        .rows = rows,
        .params_size = sizeof(struct params),
#ifndef FAULT_function
        .resolve = resolve,
#endif
    },
    { 0 },
};

static const struct lockstep_transform transforms[] = {
    {
        .name = "RandomBadOp",
        .summary = "do something at random",
        .example = "{\"type\": \"RandomBadOp\"}",
#if defined FAULT_emits
        .emits = (const char *const[]){ "no_such_op", NULL },
#elif defined FAULT_joins
        .emits = (const char *const[]){ "bad_op", "mix", NULL },
#else
        .emits = (const char *const[]){ "bad_op", NULL },
#endif
        .draw = draw,
    },
    { 0 },
};

#ifdef FAULT_symbol
const struct lockstep_plugin another_name
#else
const struct lockstep_plugin lockstep_plugin
#endif
    = {
#ifdef FAULT_abi
          LOCKSTEP_PLUGIN_ABI + 1,
#else
          LOCKSTEP_PLUGIN_ABI,
#endif
#ifdef FAULT_plugin_name
          "Bad Plugin",
#else
          "bad",
#endif
#ifdef FAULT_version
          NULL,
#else
          "1.0",
#endif
#ifdef FAULT_empty
          NULL, NULL
#else
          ops, transforms
#endif
      };
