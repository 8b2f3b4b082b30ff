/* convert_dataset: writes a dataset whose images are all passed. */
#include "start/convert_dataset.h"
#include "open/pipeline.h"
#include "start/streams.h"

#include "batch/image/job_sandbox.h"
#include "batch/journal/run_key.h"
#include "batch/process/sandbox.h"

/* True if a part of the output has images of several sources, whose ids may be equal. */
static bool has_mixed_parts(const struct combination *c)
{
    for (size_t i = 0; c && i < c->n; i++)
        if (combination_next(c, i) > i + 1)
            return true;
    return false;
}

int convert_dataset(const char *who, struct job_options *o)
{
    struct command_inputs opened;
    struct sandbox sandbox = { 0 };
    struct job *job = &opened.job;
    struct begin begin = { .who = who, .options = o, .job = job };
    int code;

    o->converts = true;
    o->shard = o->one_hot = "";
    code = begin_check_options(&begin);
    if (code)
        return code;
    open_job(o, &opened);
    open_empty_plan(&opened.plan);
    code = open_dataset(o, &opened);
    if (has_mixed_parts(opened.dataset.combination)) {
        opened.plan.rules.ids = IDS_DENSE;
        job->naming.renumbers = true;
    }
    if (!code)
        code = open_check_shard_size(o, job);
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
