/* profile: where the time of a pipeline goes. */
#include "open.h"

#include "../src/batch/profile.h"

#include <stdio.h>

struct options {
    const char *pipeline, *images, *annotations, *image_list, *masks;
    const char *mask_name, *strip_prefix;
    int match;
    int compat, copies, repeat, optimize, trust;
    int64_t seed, limit;
    bool json, no_follow, verbose;
};

#define O struct options
static const struct option options[] = {
    { 'p', "FILE",
      TEXT(O, pipeline,
           .help = "the pipeline, JSON; - for stdin; or the name of one of `lockstep init`") },
    { 'i', "PATH", TEXT(O, images, .help = "the folder of the images (or one image file)") },
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
              .help = "how many copies of each image to make") },
    { 0, "N",
      WHOLE(O, limit, .preset = "20", .limit = { 1, 9007199254740992 },
            .help = "without NAMEs, the first N images") },
    { 0, "N",
      INTEGER(O, repeat, .preset = "5", .limit = { 1, 10000 },
              .help = "how many times to do each image, after once to warm up") },
    { 0, "N",
      WHOLE(O, seed, .preset = "0", .limit = { 0, 9007199254740992 },
            .help = "seed of all random numbers, instead of the pipeline's `seed`") },
    { 0, "HOW",
      CHOICE(O, optimize, .preset = "\"exact\"", .choices = optimize_choices,
             .help = "how ops are joined when compiled, instead of the pipeline's") },
    { 0, NULL, FLAG(O, json, .preset = "false", .help = "a line of JSON for each row") },
    VERBOSE(O),
    OPTIONS_END,
};
#undef O

static int profile(const struct options *o, const struct job *job,
                   const struct choice_of_images *chosen)
{
    struct profile p;
    struct text out = { 0 }, why = { 0 };
    int code = profile_measure(job, chosen->record, chosen->n, o->repeat, &p, &why);

    if (code)
        message_print("lockstep profile: error: %s", text_string(&why));
    code = open_end(code);
    if (!code && o->json)
        profile_json(&p, &out);
    else if (!code)
        profile_text(&p, &out);
    fputs(text_string(&out), stdout);
    text_drop(&out);
    text_drop(&why);
    profile_drop(&p);
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
    int code = open_plan(o->pipeline, &plan);

    if (!code && option_given("seed"))
        plan.seed = o->seed;
    if (!code && option_given("optimize"))
        plan.optimize = o->optimize;
    if (!code)
        code = open_dataset(o->annotations, o->image_list, (enum compat)o->compat, &job, &dataset,
                            &arena);
    if (!code)
        code = open_choice(&job, operand, (uint64_t)o->limit, &arena, &chosen);
    if (!code)
        code = profile(o, &job, &chosen);
    plan_drop(&plan);
    arena_drop(&arena);
    return code;
}

static const char *const examples[] = {
    "lockstep profile -p train.json -i images -a annotations.json",
    "lockstep profile -p train.json -i images --optimize fast --repeat 20 street/0001.jpg",
    "lockstep profile -p train.json -i images --json | jq 'select(.table == \"pass\")'",
    NULL,
};

const struct command profile_command = {
    .name = "profile",
    .summary = "measure the time of each stage and op, eager and compiled",
    .synopsis = "-p PIPELINE -i IMAGES [-a ANNOTATIONS] [options] [NAME...]",
    .about =
        "Does what one worker of `run` does, image by image, with each op as its own pass (eager: "
        "optimize none) and as the pipeline says (compiled), and prints where the time goes. Files "
        "are encoded in memory: nothing is written, and writing is not measured. After a round to "
        "warm up, each image is done --repeat times in both modes, in turns of which is first. "
        "Every time is a median over the rounds, and these are added up over the images: "
        "us/image is such a sum by the images made, us/call by the calls, and shares add up to "
        "100. Passes are named by their ops, those of one step by the alphabet. The spread is from "
        "the first to the third quartile of whole rounds, as a part of their median: ratios "
        "nearer to 1 than that say nothing. Page faults are minor ones for each image made. NAMEs "
        "are images as the dataset calls them.",
    .options = options,
    .options_size = sizeof(struct options),
    .operands = "NAME",
    .examples = examples,
    .run = run,
};
