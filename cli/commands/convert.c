/* convert: writes the labels of a dataset in another format. */
#include "open/pipeline.h"
#include "start/streams.h"
#include "shared/say.h"

#include "batch/dataset/target_format.h"
#include "batch/image/job_sandbox.h"
#include "batch/journal/run_key.h"
#include "batch/process/sandbox.h"

static int open_all(const struct job_options *o, struct command_inputs *to)
{
    struct text why = { 0 };

    open_job(o, to);
    open_empty_plan(&to->plan);
    if (!target_is_other(o->to)) {
        text_adds(&why, "\"same\" is no format to convert to");
        return refuse_input("--to", &why, "option-value", EXIT_USAGE);
    }
    return open_dataset(o, to);
}

static int run(void *given, const char *const *operand)
{
    struct job_options *o = given;
    struct command_inputs opened;
    struct sandbox sandbox = { 0 };
    struct job *job = &opened.job;
    struct begin begin = { .who = "lockstep convert", .options = o, .job = job };
    int code;

    (void)operand;
    o->converts = true;
    o->shard = o->one_hot = "";
    code = begin_check_options(&begin);
    if (code)
        return code;
    code = open_all(o, &opened);
    if (!code)
        code = open_parts(&opened);
    begin_set_workers(&begin);
    if (!code) {
        job_sandbox_open(&sandbox, job);
        job->run.contained = &sandbox;
        job->link = run_key_link_of(job);
        code = begin_check(&begin);
    }
    if (!code)
        code = begin_job(&begin);
    sandbox_close(&sandbox);
    command_inputs_drop(&opened);
    return code;
}

static const char *const examples[] = {
    "lockstep convert -a annotations.json -i images -o out --to yolo --lossy",
    "lockstep convert -a coco -o yolo --to yolo-segment --lossy --link hard",
    NULL,
};

const struct command convert_command = {
    .name = "convert",
    .summary = "write the labels of a dataset in another format",
    .synopsis = "-a DATASET [-i IMAGES] -o OUT --to FORMAT [--link HOW] [--lossy]",
    .about =
        "Writes the annotations of a dataset, with all of its parts, in the layout of another "
        "format. Images are not decoded: their files are copied, linked or left out. A format "
        "cannot represent everything: what it lacks is counted by kind and refused, or dropped and "
        "listed with --lossy. A converted dataset has a manifest.jsonl and a run.json like the "
        "output of a run, so that `lockstep verify` checks it, and --resume continues.",
    .options = job_options,
    .taker = FOR_CONVERT,
    .options_size = sizeof(struct job_options),
    .examples = examples,
    .brief = true,
    .run = run,
};
