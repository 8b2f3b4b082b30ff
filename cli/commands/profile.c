/* profile: measures the stages and ops of a pipeline. */
#include "open/dataset.h"
#include "open/notes.h"
#include "options/plugins.h"

#include "batch/profile/profile.h"

#include <stdio.h>

static int profile(const struct job_options *o, const struct job *job,
                   const struct shown_images *shown)
{
    struct profile p;
    struct text out = { 0 }, why = { 0 };
    int code = profile_measure(job, shown->record, shown->n, o->repeat, &p, &why);

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
    const struct job_options *o = given;
    struct command_inputs opened;
    struct shown_images shown;
    int code = open_pipeline(o, &opened);

    if (!code)
        code = open_dataset(o, &opened);
    if (!code)
        code = open_choice(o, &opened, operand);
    if (!code)
        code = open_shown(o, &opened, operand, &shown);
    if (!code) {
        open_contained(&opened.job);
        code = profile(o, &opened.job, &shown);
    }
    command_inputs_drop(&opened);
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
        "Does the work of one worker of `run`, image by image, and prints where the time goes: "
        "once with each op as its own pass (eager: optimize none), and once as the pipeline says "
        "(compiled). Files are encoded in memory; nothing is written, and writing is not "
        "measured. After a warm-up round, each image is processed --repeat times in both modes, "
        "which take turns at being first. Every time is a median over the rounds, summed over the "
        "images: us/image is such a sum divided by the images made, us/call is divided by the "
        "calls, and shares add up to 100. A pass is named after its ops; the ops of one step are "
        "in alphabetical order. The spread is the range from the first to the third quartile of "
        "whole rounds, as a fraction of their median: ratios closer to 1 than the spread mean "
        "nothing. Page faults are minor faults per image made. NAMEs are images as the dataset "
        "names them.",
    .options = job_options,
    .taker = FOR_PROFILE,
    .options_size = sizeof(struct job_options),
    .operands = "NAME",
    .examples = examples,
    .shared = &plugin_options,
    .run = run,
};
