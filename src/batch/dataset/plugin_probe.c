/* plugin_probe: tries plugins in a child process before the first image is opened. */
#include "batch/dataset/plugin_probe.h"

#include "batch/process/child.h"

#include "base/stderr_line.h"
#include "plan/apply.h"
#include "steps/plugin/plugin.h"

#include <string.h>

/* Generous limits: these calls only check parameters. */
enum { MAX_MS = 10000, MAX_ANSWER_BYTES = 1 << 20 };
static const uint64_t MAX_MEMORY = 1 << 30;

/* Runs `work` in a child. Returns true with its exit code and answer, or false with the reason in
 * `why` if the child failed. */
static bool run_in_child(int (*work)(void *context, struct text *answer), void *context,
                         struct text *answer, int *code, struct text *why)
{
    const struct child_work w = { .max_memory = MAX_MEMORY,
                                  .max_result = MAX_ANSWER_BYTES,
                                  .ms = MAX_MS,
                                  .who = "it",
                                  .work = work,
                                  .context = context };
    const char *word = "";

    *code = child_run(&w, answer, why, &word);
    if (!why->length)
        return true;
    if (strcmp(word, "image-timeout") == 0) {
        text_clear(why);
        text_addf(why, "it took longer than %d s", MAX_MS / 1000);
    }
    return false;
}

/* --- a pipeline --- */

/* Draws the plan for an image of this kind with one object. */
static void draw_on(const struct plan *plan, struct frame frame, struct pixel_kind kind)
{
    struct arena arena = { 0 };
    struct object object = { .visibility = 1, .has_box = true };
    struct sample sample = {
        .arena = &arena, .name = "", .frame = frame, .objects = &object, .n_objects = 1
    };
    struct resolved_ops resolved_ops;
    struct text why = { 0 };

    object.outline = ring_of_box(&arena, box_of_frame(frame));
    object.bbox = box_of_frame(frame);
    object.size = (struct point){ frame.width, frame.height };
    plan_apply(plan, &(struct draw_id){ .seed = 1 }, kind, &sample, &resolved_ops, &why);
    text_drop(&why);
    arena_drop(&arena);
}

static void draw_all(const struct plan *plan)
{
    draw_on(plan, (struct frame){ 640, 480 }, (struct pixel_kind){ PIXEL_U8, 3 });
    draw_on(plan, (struct frame){ 31, 64 }, (struct pixel_kind){ PIXEL_U16, 4 });
    draw_on(plan, (struct frame){ 1, 1 }, (struct pixel_kind){ PIXEL_U8, 1 });
}

static int draw_pipeline(void *context, struct text *answer)
{
    struct faults faults = *(const struct faults *)context;
    struct plan plan;

    (void)answer;
    faults.list = NULL;
    faults.n = faults.room = 0;
    faults.arena = (struct arena){ 0 };
    if (plan_read(&faults, &plan))
        draw_all(&plan);
    return EXIT_DONE;
}

bool plugins_try_pipeline(struct faults *faults)
{
    struct text answer = { 0 }, why = { 0 };
    int code;

    if (*plugins_loaded() && !run_in_child(draw_pipeline, faults, &answer, &code, &why))
        fault_add(faults, 0, 0, "", "plugin-crash",
                  "a plugin crashed when the pipeline was planned: %s", text_string(&why));
    text_drop(&answer);
    text_drop(&why);
    return !faults->n;
}

/* --- entries --- */

struct entry {
    const char *name, *example;
};

/* Draws an example. The answer is the first fault. */
static int draw_example(void *context, struct text *answer)
{
    const struct entry *e = context;
    struct text json = { 0 };
    struct faults faults = { .name = e->name };
    const struct step *step;
    struct plan plan;

    text_addf(&json, "{\"version\": 1, \"transforms\": [%s]}", e->example);
    faults.text = (struct slice){ json.at, json.length };
    if (!plan_read(&faults, &plan)) {
        text_addf(answer, "%s%s%s", faults.list[0].path, *faults.list[0].path ? ": " : "",
                  faults.list[0].message);
        return EXIT_PIPELINE;
    }
    step = plan.transforms.step;
    if (plan.transforms.n != 1 || strcmp(step_name(step), e->name) != 0) {
        text_addf(answer, "it is not a single step of this type");
        return EXIT_PIPELINE;
    }
    draw_all(&plan);
    return EXIT_DONE;
}

static bool try_entry(const char *name, const char *example, struct faults *faults)
{
    struct entry e = { name, example };
    struct text answer = { 0 }, why = { 0 };
    int code = EXIT_DONE;

    if (!run_in_child(draw_example, &e, &answer, &code, &why))
        fault_add(faults, 0, 0, name, "plugin-crash", "its example cannot be planned: %s",
                  text_string(&why));
    else if (code)
        fault_add(faults, 0, 0, name, "plugin-example", "the example %s: %s", example,
                  text_string(&answer));
    text_drop(&answer);
    text_drop(&why);
    return !faults->n;
}

/* Tries the entries of the plugin that was loaded from this file. */
static void try_entries(const char *file, struct faults *faults)
{
    for (const struct plugin *const *p = plugins_loaded(); *p; p++) {
        if ((*p)->file != file)
            continue;
        for (size_t i = 0; i < (*p)->n_ops; i++)
            try_entry((*p)->ops[i].name, (*p)->ops[i].example, faults);
        for (size_t i = 0; i < (*p)->n_transforms; i++)
            try_entry((*p)->transforms[i].name, (*p)->transforms[i].example, faults);
    }
}

/* --- files --- */

/* Loads a plugin. The answer is the printed faults. */
static int load_there(void *context, struct text *answer)
{
    const char *file = context;
    struct faults faults = { .name = file };

    if (plugin_load(file, &faults))
        return EXIT_DONE;
    faults_print(&faults, 20, answer);
    return EXIT_PIPELINE;
}

static int print_faults(struct faults *faults)
{
    struct text out = { 0 };
    int code = faults->n ? EXIT_PIPELINE : EXIT_DONE;

    faults_print(faults, 20, &out);
    message_print_lines(&out);
    text_drop(&out);
    faults_drop(faults);
    return code;
}

static int open_one(const char *file)
{
    struct text answer = { 0 }, why = { 0 };
    struct faults faults = { .name = file };
    int code = EXIT_DONE;

    if (!run_in_child(load_there, (void *)(uintptr_t)file, &answer, &code, &why))
        fault_add(&faults, 0, 0, "", "plugin-crash", "it cannot be loaded: %s", text_string(&why));
    else if (code)
        message_print_lines(&answer);
    else if (plugin_load(file, &faults))
        try_entries(file, &faults);
    if (faults.n || !code)
        code = print_faults(&faults);
    text_drop(&answer);
    text_drop(&why);
    return code;
}

int plugins_open(const char *const *file)
{
    int code = EXIT_DONE;

    for (; *file && !code; file++)
        code = open_one(*file);
    return code;
}
