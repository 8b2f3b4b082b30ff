/* explain: prints the ops that a pipeline may emit, or draws for an image, and their passes. */
#include "open/dataset.h"
#include "open/notes.h"
#include "options/plugins.h"
#include "shared/args.h"
#include "shared/say.h"

#include "batch/image/image_job.h"
#include "batch/process/sandbox.h"
#include "batch/image/report.h"
#include "plan/explain.h"
#include "plan/worst_case.h"

#include <stdio.h>
#include <string.h>

struct explain_state {
    const struct job_options *options;
    const struct job *job;
    const char *image;
    size_t breaks;
};

static void print(struct explain_state *t, const struct explanation *e, struct arena *arena)
{
    struct text out = { 0 };

    if (t->options->json)
        explain_json(e, &out);
    else
        explain_text(e, arena, &out);
    fputs(text_string(&out), stdout);
    text_drop(&out);
    t->breaks += explain_breaks(e);
}

/* Returns the classes of the output, if it has any. */
static void print_labels(const struct sample *s)
{
    struct text line = { 0 };

    for (size_t i = 0; i < s->n_categories && sample_has_labels(s); i++) {
        double weight = sample_label_weight(s, &s->categories[i]);

        if (weight <= 0)
            continue;
        text_adds(&line, line.length ? ", " : "  labels of the image: ");
        text_add_visible(&line, s->categories[i].name, strlen(s->categories[i].name));
        text_addf(&line, " %g", weight);
    }
    if (line.length)
        printf("%s\n", text_string(&line));
    text_drop(&line);
}

static void tell(struct explain_state *t, const struct pending_output *out)
{
    const struct plan *plan = t->job->plan;
    struct arena *arena = out->sample->arena;
    struct passes passes = passes_of(out->resolved_ops, (enum optimize)plan->optimize, arena, NULL);
    struct decode_hints hints = pending_output_hints(out, &passes);
    struct explanation e = { .plan = plan,
                             .image = t->image,
                             .copy = out->k,
                             .in = out->in,
                             .out = out->sample->frame,
                             .pixels = out->pixels,
                             .resolved_ops = out->resolved_ops,
                             .passes = &passes,
                             .hints = &hints,
                             .lossless = out->excerpt != NULL,
                             .copied = out->copied };

    print(t, &e, arena);
    if (!t->options->json)
        print_labels(out->sample);
}

static int explain_images(struct explain_state *t, const struct shown_images *shown)
{
    struct scratch scratch = { 0 };
    struct report report = { 0 };
    int code = EXIT_DONE;

    sandbox_enter(t->job->run.contained);
    for (size_t i = 0; !code && i < shown->n; i++) {
        struct work *work = record_begin(t->job, &scratch, shown->record[i], true, &report);
        struct pending_output out;

        t->image = t->job->dataset->records[shown->record[i]].name;
        while (record_next(work, &out))
            tell(t, &out);
        record_end(work);
        if (report.outcome != OUTCOME_DONE) {
            report_complete(&report);
            message_print("lockstep explain: error: %s", text_string(&report.why));
            code = outcome_exit(report.outcome);
        }
    }
    report_drop(&report);
    scratch_drop(&scratch);
    return code;
}

static void explain_worst_case(struct explain_state *t, const struct plan *plan,
                               struct arena *arena)
{
    bool jpegs = plan->output.format == PICTURE_SAME || plan->output.format == PICTURE_JPEG;
    struct resolved_ops resolved_ops;
    struct pixel_kind made;
    struct frame out = plan_worst_case(plan, arena, &resolved_ops, &made);
    struct passes passes = passes_of(&resolved_ops, (enum optimize)plan->optimize, arena, NULL);
    struct decode_hints hints;
    struct explanation e = { .plan = plan,
                             .in = WORST_CASE_FRAME,
                             .out = out,
                             .pixels = WORST_CASE_PIXELS,
                             .resolved_ops = &resolved_ops,
                             .passes = &passes,
                             .hints = &hints };

    render_hints(&resolved_ops, &passes, jpegs, arena, &hints);
    print(t, &e, arena);
}

static bool is_of_pipeline(const char *name)
{
    static const char *const names[] = { "pipeline", "optimize", "json", "fail_on_break",
                                         "verbose" };
    size_t i = 0;

    while (i < COUNTOF(names) && strcmp(names[i], name) != 0)
        i++;
    return i < COUNTOF(names);
}

/* Refuses options of images, and operands, if no images are given. */
static int check_words(const char *const *operand)
{
    static const char why[] = "--images is required with it, or a whole dataset as --annotations";
    struct faults faults = { .name = "lockstep explain" };
    struct text name = { 0 };
    int code = EXIT_DONE;

    for (const struct option *option = job_options; option->row.name; option++) {
        if (!(option->takers & FOR_EXPLAIN) || !option_is_given(option->row.name) ||
            is_of_pipeline(option->row.name))
            continue;
        text_clear(&name);
        option_print_name(option, &name);
        fault_add(&faults, 0, 0, text_string(&name), "option-missing", "%s", why);
    }
    for (size_t i = 0; operand[i]; i++)
        fault_add(&faults, 0, 0, operand[i], "option-missing", "%s", why);
    if (faults.n)
        code = faults_exit(&faults, EXIT_USAGE);
    faults_drop(&faults);
    text_drop(&name);
    return code;
}

static int run(void *given, const char *const *operand)
{
    const struct job_options *o = given;
    struct command_inputs opened = { 0 };
    struct shown_images shown;
    struct explain_state telling = { .options = o, .job = &opened.job };
    bool worst = !option_is_given("images") && !option_is_given("annotations");
    int code = worst ? check_words(operand) : EXIT_DONE;

    if (!code)
        code = open_pipeline(o, &opened);
    if (!code && worst)
        explain_worst_case(&telling, &opened.plan, &opened.arena);
    if (!code && !worst)
        code = open_dataset(o, &opened);
    if (!code && !worst)
        code = open_choice(o, &opened, operand);
    if (!code && !worst)
        code = open_shown(o, &opened, operand, &shown);
    if (!code && !worst) {
        open_contained(&opened.job);
        code = open_end(explain_images(&telling, &shown));
    }
    command_inputs_drop(&opened);
    return !code && o->fail_on_break && telling.breaks ? EXIT_PARTIAL : code;
}

static const char *const examples[] = {
    "lockstep explain -p train.json",
    "lockstep explain -p train.json -i images",
    "lockstep explain -p train.json -i images -n 3 --json street/0001.jpg | jq .passes",
    NULL,
};

const struct command explain_command = {
    .name = "explain",
    .summary = "show the ops of a pipeline and the passes they become",
    .synopsis = "-p PIPELINE [-i IMAGES] [options] [NAME...]",
    .about =
        "Shows the steps with the ops they emit, the passes over memory that these ops are joined "
        "into, and why each pass after the first starts (a break). It also shows how much of the "
        "image is read, and the shortcuts of mode `fast` with their bounds. With `-i`, the ops "
        "are the ones drawn for an image; its pixels are not read. Copies have the numbers that "
        "`run` gives them, and NAMEs are images as the dataset names them. Without `-i`, explain "
        "shows all ops that a step may emit: the worst case.",
    .options = job_options,
    .taker = FOR_EXPLAIN,
    .options_size = sizeof(struct job_options),
    .operands = "NAME",
    .examples = examples,
    .shared = &plugin_options,
    .run = run,
};
