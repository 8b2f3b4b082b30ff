/* explain: which ops a pipeline draws for an image, and the passes over memory they become. */
#include "open.h"

#include "../src/batch/record.h"
#include "../src/plan/explain.h"

#include <stdio.h>

struct options {
    const char *pipeline, *images, *annotations;
    int copies, optimize;
    int64_t seed, limit;
    bool json, fail_on_break;
};

#define O struct options
static const struct option options[] = {
    { 'p', "FILE", TEXT(O, pipeline, .help = "the pipeline, JSON; - for stdin") },
    { 'i', "PATH", TEXT(O, images, .help = "the folder of the images (or one image file)") },
    { 'a', "FILE",
      TEXT(O, annotations, .preset = "\"\"", .help = "COCO annotations of the images") },
    { 'n', "N",
      INTEGER(O, copies, .preset = "1", .limit = { 1, 100000 },
              .help = "how many copies of each image to explain") },
    { 0, "N",
      WHOLE(O, limit, .preset = "1", .limit = { 1, 9007199254740992 },
            .help = "without NAMEs, the first N images") },
    { 0, "N",
      WHOLE(O, seed, .preset = "0", .limit = { 0, 9007199254740992 },
            .help = "of all random numbers, instead of the pipeline's") },
    { 0, "HOW",
      CHOICE(O, optimize, .preset = "\"exact\"", .choices = optimize_choices,
             .help = "how ops are joined, instead of the pipeline's") },
    { 0, NULL, FLAG(O, json, .preset = "false", .help = "a line of JSON for each copy") },
    { 0, NULL,
      FLAG(O, fail_on_break, .preset = "false",
           .help = "exit code 1 if there is more than one pass") },
    OPTIONS_END,
};
#undef O

struct telling {
    const struct options *options;
    const struct job *job;
    const char *image;
    size_t breaks;
};

static bool tell(void *context, const struct take *take, struct report *report)
{
    struct telling *t = context;
    struct explanation e = { .image = t->image,
                             .copy = take->k,
                             .in = take->in,
                             .out = take->sample->frame,
                             .pixels = take->pixels,
                             .drawing = take->drawing,
                             .optimize = (enum optimize)t->job->plan->optimize,
                             .lossless = take->excerpt != NULL };
    struct text out = { 0 };

    (void)report;
    t->breaks += t->options->json ? explain_json(&e, take->sample->arena, &out)
                                  : explain_text(&e, take->sample->arena, &out);
    fputs(text_string(&out), stdout);
    text_drop(&out);
    return true;
}

static int explain(const struct options *o, const struct job *job,
                   const struct choice_of_images *chosen)
{
    struct telling telling = { .options = o, .job = job };
    struct bench bench = { 0 };
    struct report report = { 0 };
    int code = EXIT_DONE;

    for (size_t i = 0; !code && i < chosen->n; i++) {
        telling.image = job->dataset->records[chosen->record[i]].name;
        if (!record_take(job, &bench, chosen->record[i], true, tell, &telling, &report)) {
            fprintf(stderr, "lockstep explain: %s\n", text_string(&report.why));
            code = EXIT_INPUT;
        }
    }
    report_drop(&report);
    bench_drop(&bench);
    return !code && o->fail_on_break && telling.breaks ? EXIT_PARTIAL : code;
}

static int run(void *given, const char *const *operand)
{
    const struct options *o = given;
    struct arena arena = { 0 };
    struct plan plan = { 0 };
    struct dataset dataset;
    struct choice_of_images chosen;
    struct job job = {
        .plan = &plan, .images = o->images, .copies = (unsigned)o->copies, .max_pixels = MOST_PIXELS
    };
    int code = open_plan(o->pipeline, &plan);

    if (!code && option_given("seed"))
        plan.seed = o->seed;
    if (!code && option_given("optimize"))
        plan.optimize = o->optimize;
    if (!code)
        code = open_dataset(o->annotations, &job, &dataset, &arena);
    if (!code)
        code = open_choice(&job, operand, (uint64_t)o->limit, &arena, &chosen);
    if (!code)
        code = explain(o, &job, &chosen);
    plan_drop(&plan);
    arena_drop(&arena);
    return code;
}

static const char *const examples[] = {
    "lockstep explain -p train.json -i images",
    "lockstep explain -p train.json -i images -n 3 --json street/0001.jpg | jq .passes",
    NULL,
};

const struct command explain_command = {
    .name = "explain",
    .summary = "show the ops drawn for an image and the passes they become",
    .synopsis = "-p PIPELINE -i IMAGES [options] [NAME...]",
    .about = "Draws a pipeline for images without reading their pixels: the ops with their values, "
             "the passes over memory that they are joined to, and why each pass but the first "
             "begins where it does. Copies are numbered as `run` numbers them. NAMEs are images as "
             "the dataset calls them.",
    .options = options,
    .options_size = sizeof(struct options),
    .operands = "NAME",
    .examples = examples,
    .run = run,
};
