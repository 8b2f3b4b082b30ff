/* concat: makes one dataset of several. */
#include "open/pipeline.h"
#include "start/streams.h"
#include "shared/say.h"

#include "batch/image/job_sandbox.h"
#include "batch/journal/run_key.h"
#include "batch/process/sandbox.h"

static int open_all(struct job_options *o, struct command_inputs *to)
{
    int code;

    open_job(o, to);
    open_empty_plan(&to->plan);
    to->plan.rules.ids = IDS_DENSE;
    to->job.naming.renumbers = true;
    code = open_dataset(o, to);
    to->plan.rules.ids = IDS_DENSE;
    return code;
}

static int run(void *given, const char *const *operand)
{
    struct job_options *o = given;
    struct command_inputs opened;
    struct sandbox sandbox = { 0 };
    struct job *job = &opened.job;
    struct begin begin = { .who = "lockstep concat", .options = o, .job = job };
    struct text why = { 0 };
    int code;

    while (operand[o->sources.n])
        o->sources.n++;
    o->sources.at = operand;
    if (o->sources.n < 2) {
        text_adds(&why, "name two datasets or more");
        return refuse_input("lockstep concat", &why, "operand-missing", EXIT_USAGE);
    }
    o->converts = true;
    o->shard = o->one_hot = o->image_list = "";
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
    "lockstep concat coco-a coco-b -o both",
    "lockstep concat run-1 run-2 run-3 -o all --link hard",
    NULL,
};

const struct command concat_command = {
    .name = "concat",
    .summary = "make one dataset of several",
    .synopsis = "DATASET DATASET... -o OUT [--to FORMAT] [--link HOW]",
    .about =
        "Writes one dataset with the images and annotations of several datasets, which may be "
        "outputs of runs. Parts with the same name become one part. Classes are joined by name: "
        "those of the first dataset, then others as they come. Images and objects get new ids. "
        "Where file names are equal, the later image gets the name of its dataset as a prefix. The "
        "manifest has the origin of each image.",
    .options = job_options,
    .taker = FOR_CONCAT,
    .options_size = sizeof(struct job_options),
    .operands = "DATASET",
    .examples = examples,
    .brief = true,
    .run = run,
};
