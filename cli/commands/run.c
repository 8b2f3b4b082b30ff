/* run: transforms images with their annotations. */
#include "start/streams.h"
#include "options/plugins.h"
#include "shared/say.h"

#include "base/files.h"
#include "batch/dataset/skipped_files.h"
#include "batch/journal/run_key.h"
#include "batch/process/sandbox.h"
#include "batch/image/job_sandbox.h"

#include <stdlib.h>
#include <string.h>

/* Limits the job to the images of its shard. */
static int take_shard(const struct job_options *o, struct job *job)
{
    struct text how = { 0 }, why = { 0 };
    struct shard shard;

    if (!*o->shard)
        return EXIT_DONE;
    if (!shard_read(o->shard, &shard, &how, &why)) {
        text_drop(&how);
        return refuse_input("--shard", &why, "shard-value", EXIT_USAGE);
    }
    if (how.length && !o->quiet)
        message_print("lockstep: %s", text_string(&how));
    job_take_shard(job, shard);
    text_drop(&how);
    return EXIT_DONE;
}

/* Refuses --one-hot without a whole result in a folder, and a table that replaces an input. */
static int check_one_hot(const struct job_options *o)
{
    const char *inputs[] = { job_annotations(o), o->image_list, o->pipeline };
    struct text why = { 0 };

    for (size_t i = 0; *o->one_hot && i < COUNTOF(inputs); i++)
        if (file_is_same(o->one_hot, inputs[i])) {
            text_adds(&why, "it is read here, too: write the table elsewhere");
            return refuse_input(o->one_hot, &why, "out-inside", EXIT_USAGE);
        }

    if (*o->one_hot && (o->dry_run || *o->shard || has_stdout_outputs(o))) {
        text_adds(&why, o->dry_run  ? "nothing is written"
                        : *o->shard ? "lockstep merge --one-hot writes it"
                                    : "it is made of a folder's manifest: give -o a folder");
        return refuse_input("--one-hot", &why, "option-unused", EXIT_USAGE);
    }
    return open_one_hot_check(o->one_hot, o->out, o->overwrite || o->resume);
}

/* Refuses to run if --apply-to transforms no chosen image. */
static int check_applied(const struct job_options *o, const struct job *job)
{
    struct text why = { 0 };
    size_t i = 0;

    if (!o->apply_to.n)
        return EXIT_DONE;
    while (i < job->images.n_records && record_is_passed(job, job_record(job, i)))
        i++;
    if (i < job->images.n_records)
        return EXIT_DONE;
    text_addf(&why, "no chosen image is in the part \"%s\"%s; --part %s chooses its images",
              o->apply_to.at[0], o->apply_to.n > 1 ? ", or in the others" : "", o->apply_to.at[0]);
    return refuse_input("--apply-to", &why, "images-none", EXIT_INPUT);
}

static int run(void *given, const char *const *operand)
{
    const struct job_options *o = given;
    struct command_inputs opened;
    struct sandbox sandbox = { 0 };
    struct job *job = &opened.job;
    struct skipped_files passed = {
        .verbose = o->verbose,
        .own = { job_annotations(o), o->image_list, o->pipeline },
    };
    struct begin begin = { .who = "lockstep run", .options = o, .job = job };
    int code;

    code = begin_check_options(&begin);
    if (!code)
        code = streams_check_options(&begin);
    if (!code)
        code = check_one_hot(o);
    if (code)
        return code;
    code = open_pipeline(o, &opened);
    opened.takes_stdin = true;
    if (!code)
        code = streams_check_plan(&begin);
    if (!code && (o->out_format || has_stdout_outputs(o)))
        code = open_packing(o, job);
    job->images.passed = o->quiet || o->no_preflight ? NULL : &passed;
    if (!code)
        code = open_dataset(o, &opened);
    if (!code)
        code = open_check_shard_size(o, job);
    if (!code)
        code = open_check_overlap(o, &opened);
    if (!code)
        code = open_one_hot_check_sources(o->one_hot, job);
    if (!code && o->resume && !o->overwrite)
        code = open_one_hot_check_former(o->one_hot, &opened.dataset);
    if (!code)
        code = streams_check_plan(&begin); /* the dataset decides the rule for ids */
    if (!code && opened.dense_ids && !o->quiet)
        message_print("lockstep: ids of annotations are dense (1, 2, ...): %s; see "
                      "annotations.ids [ids-dense]",
                      opened.dense_ids);
    if (!code && opened.dataset.text_ids && job_fan_out(job) > 1 && !o->quiet)
        message_print("lockstep: ids are strings, and an image has several outputs: the written "
                      "ids are numbers, and manifest.jsonl has both [ids-numbered]");
    if (!code)
        code = open_choice(o, &opened, operand);
    if (!code && o->limit && (size_t)o->limit < job->images.n_records)
        job->images.n_records = (size_t)o->limit;
    if (!code)
        code = check_applied(o, job);
    if (!code)
        code = open_parts(&opened);
    if (!code)
        code = take_shard(o, job);
    begin_set_workers(&begin);
    if (!code) {
        job_sandbox_open(&sandbox, job);
        job->run.contained = &sandbox;
        job->link = run_key_link_of(job);
        code = begin_check(&begin);
    }
    if (job->images.roots.n > 1)
        passed.folder = "images";
    if (!code && job->images.passed)
        skipped_files_print(&passed);
    if (!code)
        code = open_one_hot_write(o->one_hot, o->out, o->overwrite || o->resume, begin_job(&begin));
    sandbox_close(&sandbox);
    skipped_files_drop(&passed);
    command_inputs_drop(&opened);
    return code;
}

static const char *const examples[] = {
    "lockstep run -p flip.json -i images -a annotations.json -o out",
    "lockstep run -p train.json -i images -a annotations.json -o out -n 8 --include-original",
    "lockstep run -p train.json -i images --dry-run | jq .steps",
    "lockstep run -p flip.json -i images -a annotations.json -o - | tar -tf -",
    "lockstep run -p flip.json -i images -o out --include 'street/*' --exclude '*_mask.png'",
    NULL,
};

const struct command run_command = {
    .name = "run",
    .summary = "transform images with their annotations",
    .synopsis = "-p PIPELINE -i IMAGES -o OUT [-a ANNOTATIONS] [options] [NAME...]",
    .about =
        "Applies a pipeline to all targets of each image in lockstep, and writes OUT/images, "
        "OUT/masks, OUT/annotations.json, OUT/manifest.jsonl and OUT/run.json. The result depends "
        "on the inputs, the pipeline and the seed only, not on the number of jobs or on other "
        "images. NAMEs are images as the dataset names them; without NAMEs, all images are "
        "processed.",
    .options = job_options,
    .taker = FOR_RUN,
    .options_size = sizeof(struct job_options),
    .operands = "NAME",
    .examples = examples,
    .shared = &plugin_options,
    .run = run,
};
