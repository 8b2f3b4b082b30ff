/* run: the main job. */
#include "begin.h"

#include "../src/batch/passed.h"
#include "../src/batch/run_key.h"
#include "../src/batch/sandbox.h"

static int run(void *given, const char *const *operand)
{
    const struct job_options *o = given;
    struct opened opened;
    struct sandbox sandbox = { 0 };
    struct job *job = &opened.job;
    struct passed passed = {
        .verbose = o->verbose,
        .own = { o->annotations, o->image_list, o->pipeline },
    };
    struct begin begin = { .who = "lockstep run", .options = o, .job = job };
    int code;

    code = begin_check_options(&begin);
    if (code)
        return code;
    code = open_pipeline(o, &opened);
    job->passed = o->quiet || o->no_preflight ? NULL : &passed;
    if (!code)
        code = open_dataset(o, &opened);
    if (!code)
        code = open_choice(o, &opened, operand);
    if (!code && o->limit && (size_t)o->limit < job->n_records)
        job->n_records = (size_t)o->limit;
    begin_set_workers(&begin);
    if (!code) {
        sandbox_open(&sandbox, job);
        job->contained = &sandbox;
        job->link = run_key_link_of(job);
        code = begin_check(&begin);
    }
    if (job->roots.n > 1)
        passed.folder = "images";
    if (!code && job->passed)
        passed_print(&passed);
    if (!code)
        code = begin_job(&begin);
    sandbox_close(&sandbox);
    passed_drop(&passed);
    opened_drop(&opened);
    return code;
}

static const char *const examples[] = {
    "lockstep run -p flip.json -i images -a annotations.json -o out",
    "lockstep run -p train.json -i images -a annotations.json -o out -n 8 --include-original",
    "lockstep run -p train.json -i images --dry-run | jq .steps",
    "lockstep run -p flip.json -i images -o out --include 'street/*' --exclude '*_mask.png'",
    NULL,
};

const struct command run_command = {
    .name = "run",
    .summary = "transform images with their annotations",
    .synopsis = "-p PIPELINE -i IMAGES -o OUT [-a ANNOTATIONS] [options] [NAME...]",
    .about = "Reads a pipeline, images and COCO annotations, does every step to all targets of an "
             "image in lockstep, and writes OUT/images, OUT/masks, OUT/annotations.json, "
             "OUT/manifest.jsonl and OUT/run.json. The result depends on the inputs, the pipeline "
             "and the seed alone: not on the number of jobs, nor on the other images. NAMEs are "
             "images as the dataset calls them; without, all of them are done.",
    .options = job_options,
    .taker = FOR_RUN,
    .options_size = sizeof(struct job_options),
    .operands = "NAME",
    .examples = examples,
    .run = run,
};
