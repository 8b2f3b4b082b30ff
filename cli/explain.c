/* explain: the ops that a pipeline may emit or draws for an image, and the passes they become. */
#include "open.h"

#include "../src/batch/record.h"
#include "../src/plan/explain.h"
#include "../src/plan/worst.h"

#include <stdio.h>

struct options {
    const char *pipeline, *images, *annotations, *image_list, *masks;
    const char *mask_name, *strip_prefix;
    int match;
    int compat, copies, optimize, trust;
    int64_t seed, limit;
    bool json, fail_on_break, no_follow, verbose;
};

#define O struct options
static const struct option options[] = {
    { 'p', "FILE",
      TEXT(O, pipeline,
           .help = "the pipeline, JSON; - for stdin; or the name of one of `lockstep init`") },
    { 'i', "PATH",
      TEXT(O, images, .preset = "\"\"",
           .help = "the folder of the images (or one image file); without it, the worst case") },
    { 'a', "FILE",
      TEXT(O, annotations, .preset = "\"\"", .help = "COCO annotations of the images") },
    IMAGE_LIST(O),
    COMPAT_OPTION(O),
    MASKS(O),
    MASK_NAME(O),
    STRIP_PREFIX(O),
    MATCH(O),
    TRUST(O),
    NO_FOLLOW(O),
    { 'n', "N",
      INTEGER(O, copies, .preset = "1", .limit = { 1, 100000 },
              .help = "how many copies of each image to explain") },
    { 0, "N",
      WHOLE(O, limit, .preset = "1", .limit = { 1, 9007199254740992 },
            .help = "without NAMEs, the first N images") },
    { 0, "N",
      WHOLE(O, seed, .preset = "0", .limit = { 0, 9007199254740992 },
            .help = "seed of all random numbers, instead of the pipeline's `seed`") },
    { 0, "HOW",
      CHOICE(O, optimize, .preset = "\"exact\"", .choices = optimize_choices,
             .help = "how ops are joined, instead of the pipeline's") },
    { 0, NULL, FLAG(O, json, .preset = "false", .help = "a line of JSON for each copy") },
    { 0, NULL,
      FLAG(O, fail_on_break, .preset = "false",
           .help = "exit code 1 if there is more than one pass") },
    VERBOSE(O),
    OPTIONS_END,
};
#undef O

struct telling {
    const struct options *options;
    const struct job *job;
    const char *image;
    size_t breaks;
};

static void print(struct telling *t, const struct explanation *e, struct arena *arena)
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

static void tell(struct telling *t, const struct rendering *out)
{
    const struct plan *plan = t->job->plan;
    struct arena *arena = out->sample->arena;
    struct passes passes = passes_of(out->drawing, (enum optimize)plan->optimize, arena, NULL);
    struct picture_wish wish = rendering_wish(out, &passes);
    struct explanation e = { .plan = plan,
                             .image = t->image,
                             .copy = out->k,
                             .in = out->in,
                             .out = out->sample->frame,
                             .pixels = out->pixels,
                             .drawing = out->drawing,
                             .passes = &passes,
                             .wish = &wish,
                             .lossless = out->excerpt != NULL,
                             .copied = out->copied };

    print(t, &e, arena);
}

static int explain_images(struct telling *t, const struct choice_of_images *chosen)
{
    struct bench bench = { 0 };
    struct report report = { 0 };
    int code = EXIT_DONE;

    for (size_t i = 0; !code && i < chosen->n; i++) {
        struct work *work = record_begin(t->job, &bench, chosen->record[i], true, &report);
        struct rendering out;

        t->image = t->job->dataset->records[chosen->record[i]].name;
        while (record_next(work, &out))
            tell(t, &out);
        record_end(work);
        if (report.outcome != OUTCOME_DONE) {
            message_print("lockstep explain: error: %s", text_string(&report.why));
            code = EXIT_INPUT;
        }
    }
    report_drop(&report);
    bench_drop(&bench);
    return code;
}

static void explain_worst(struct telling *t, const struct plan *plan, struct arena *arena)
{
    bool jpegs = plan->output.format == PICTURE_SAME || plan->output.format == PICTURE_JPEG;
    struct drawing drawing;
    struct pixel_kind made;
    struct frame out = plan_worst(plan, arena, &drawing, &made);
    struct passes passes = passes_of(&drawing, (enum optimize)plan->optimize, arena, NULL);
    struct picture_wish wish;
    struct explanation e = { .plan = plan,
                             .in = WORST_FRAME,
                             .out = out,
                             .pixels = WORST_PIXELS,
                             .drawing = &drawing,
                             .passes = &passes,
                             .wish = &wish };

    render_wish(&drawing, &passes, jpegs, &wish);
    print(t, &e, arena);
}

/* What asks for images, without a folder of them. */
static int check_words(const char *const *operand)
{
    static const struct {
        const char *row, *shown;
    } of_images[] = { { "annotations", "--annotations" },
                      { "image_list", "--image-list" },
                      { "masks", "--masks" },
                      { "copies", "--copies" },
                      { "limit", "--limit" } };
    struct faults faults = { .name = "lockstep explain" };
    int code = EXIT_DONE;

    for (size_t i = 0; i < COUNTOF(of_images); i++)
        if (option_given(of_images[i].row))
            fault_add(&faults, 0, 0, of_images[i].shown, "option-missing",
                      "--images is required with it");
    for (size_t i = 0; operand[i]; i++)
        fault_add(&faults, 0, 0, operand[i], "option-missing", "--images is required with a NAME");
    if (faults.n)
        code = faults_exit(&faults, EXIT_USAGE);
    faults_drop(&faults);
    return code;
}

static int run(void *given, const char *const *operand)
{
    const struct options *o = given;
    struct arena arena = { 0 };
    struct plan plan = { 0 };
    struct dataset dataset;
    struct choice_of_images chosen;
    struct job job = { .plan = &plan,
                       .verbosity = o->verbose,
                       .images = o->images,
                       .masks = *o->masks ? o->masks : NULL,
                       .mask_name = o->mask_name,
                       .strip_prefix = o->strip_prefix,
                       .match = o->match,
                       .copies = (unsigned)o->copies,
                       .trust = o->trust,
                       .links = o->no_follow ? LINKS_REFUSE : LINKS_FOLLOW,
                       .max_pixels = MOST_PIXELS };
    struct telling telling = { .options = o, .job = &job };
    bool worst = !option_given("images");
    int code = worst ? check_words(operand) : EXIT_DONE;

    if (!code)
        code = open_plan(o->pipeline, &plan);
    if (!code && option_given("seed"))
        plan.seed = o->seed;
    if (!code && option_given("optimize"))
        plan.optimize = o->optimize;
    if (!code && worst)
        explain_worst(&telling, &plan, &arena);
    if (!code && !worst)
        code = open_dataset(o->annotations, o->image_list, (enum compat)o->compat, &job, &dataset,
                            &arena);
    if (!code && !worst)
        code = open_choice(&job, operand, (uint64_t)o->limit, &arena, &chosen);
    if (!code && !worst)
        code = open_end(explain_images(&telling, &chosen));
    plan_drop(&plan);
    arena_drop(&arena);
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
    .about = "Shows the steps with the ops they emit, the passes over memory that these are joined "
             "to, why each pass but the first begins where it does (a break), how much of the "
             "image is read, and the shortcuts of mode `fast` with their bounds. With `-i`, the "
             "ops are those drawn for an image, whose pixels are not read; copies are numbered as "
             "`run` numbers them, and NAMEs are images as the dataset calls them. Without it, "
             "they are all that a step may emit: the worst case.",
    .options = options,
    .options_size = sizeof(struct options),
    .operands = "NAME",
    .examples = examples,
    .run = run,
};
