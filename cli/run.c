/* run: the main job. */
#include "open.h"

#include "../src/batch/apart.h"
#include "../src/batch/examine.h"
#include "../src/batch/limits.h"
#include "../src/batch/outdir.h"
#include "../src/batch/passed.h"
#include "../src/batch/preflight.h"
#include "../src/batch/prepare.h"
#include "../src/batch/sandbox.h"
#include "../src/batch/target.h"

#include <stdio.h>
#include <string.h>

static int refuse(int code, const char *path, const char *code_word, const char *why)
{
    message_print("lockstep run: error: %s: %s [%s]", path, why, code_word);
    return code;
}

static bool has_label_folder(const struct job *job)
{
    return job->dataset->format && job->dataset->format->suffix;
}

/* Nothing that is read may be written over. Beside single files there may be an output folder. */
static int check_apart(const struct job_options *o, const struct job *job)
{
    const char *folders[] = { job->masks, has_label_folder(job) ? o->annotations : NULL };
    const char *inputs[] = { job->masks, o->annotations, o->image_list, o->pipeline };
    bool apart = true;

    if (!*o->out)
        return o->dry_run ? EXIT_DONE
                          : refuse(EXIT_USAGE, "--out", "option-missing",
                                   "is required: the folder to write; must be empty or not exist");
    for (size_t i = 0; i < o->images.n; i++) {
        const char *given = o->images.at[i], *root = job->roots.at[i];

        apart &= !path_is_within(given, job->out);
        apart &= strcmp(given, root) != 0 || !path_is_within(job->out, root);
    }
    for (size_t i = 0; i < COUNTOF(folders); i++)
        apart &= !folders[i] || !path_is_within(job->out, folders[i]);
    for (size_t i = 0; i < COUNTOF(inputs); i++)
        apart &= !inputs[i] || !path_is_within(inputs[i], job->out);
    return apart ? EXIT_DONE
                 : refuse(EXIT_USAGE, job->out, "out-inside",
                          "the output folder may not hold an input, nor lie in a folder of inputs");
}

static int go(const struct job_options *o, struct job *job)
{
    struct faults faults = { .name = "lockstep run" };
    struct outdir outdir = { 0 };
    int finished = -1;
    enum prepare how = o->resume      ? PREPARE_RESUME
                       : o->overwrite ? PREPARE_OVERWRITE
                                      : PREPARE_EMPTY;
    int code = !o->dry_run ? prepare_output(job, &outdir, how, &finished, &faults)
               : *o->out   ? outdir_inspect(o->out, o->overwrite || o->resume, true, &faults)
                           : EXIT_DONE;

    if (code)
        code = faults_exit(&faults, code);
    else if (o->dry_run)
        code = job_dry_run(job);
    else if (finished >= 0) {
        if (!o->quiet)
            message_print("lockstep: %s is finished: there is nothing to do", o->out);
        code = finished;
    } else {
        code = job_run(job);
    }
    outdir_close(&outdir);
    faults_drop(&faults);
    return code;
}

/* Asked for at any price: known before anything is read. */
static int check_sandbox(const struct job_options *o)
{
    struct text why = { 0 }, words = { 0 };
    int code = EXIT_DONE;

    if (o->sandbox == SANDBOX_ON && !sandbox_is_possible(&why)) {
        text_addf(&words, "the kernel cannot contain workers: %s; with auto it does what it can",
                  text_string(&why));
        code = refuse(EXIT_RESOURCES, "--sandbox on", "sandbox-unavailable", text_string(&words));
    }
    text_drop(&words);
    text_drop(&why);
    return code;
}

/* Without faults of images to skip, each would end the run. */
static int check_files(const struct job_options *o, const struct job *job)
{
    struct faults faults = { .name = "lockstep run" };
    int code = EXIT_DONE;
    size_t n;

    if (o->no_preflight || job->on_error == ON_ERROR_SKIP)
        return code;
    n = preflight(job, &faults);
    if (n) {
        code = open_end(faults_exit(&faults, preflight_exit(&faults)));
        message_print(
            "lockstep run: error: %zu of %zu image%s cannot be done, and nothing was written; "
            "--on-error skip leaves them out [images-refused]",
            n, job->n_records, job->n_records == 1 ? "" : "s");
    }
    faults_drop(&faults);
    return code;
}

static int check_job(const struct job *job)
{
    struct faults faults = { .name = "lockstep run" };
    int code = EXIT_DONE;

    if (!job_check(job, &faults))
        code = faults_exit(&faults, EXIT_INPUT);
    faults_drop(&faults);
    return code;
}

/* Images that are skipped when they are wrong are left to the workers. */
static int check_annotations(const struct job *job)
{
    const struct dataset *d = job->dataset;
    struct faults faults = dataset_faults(d);
    int code = EXIT_DONE;

    if (!d->format || job->on_error == ON_ERROR_SKIP)
        return code;
    examine_annotations(job, &faults);
    if (faults.n)
        code = open_end(code);
    if (!code && faults.n)
        code = faults_exit(&faults, EXIT_INPUT);
    faults_drop(&faults);
    return code;
}

/* What the format of --to has no place for is not left out unasked. */
static int check_target(const struct job_options *o, const struct job *job)
{
    const struct format *to = job->dataset->writer;
    struct omissions omissions = { .n = 0 };
    struct text what = { 0 };
    int code = EXIT_DONE;

    if (to && to->suffix && job->plan->rules.segmentation == SEGMENTATION_TO_RLE) {
        code = refuse(EXIT_PIPELINE, job->plan->file, "target-refused",
                      "annotations.segmentation is rle, and these labels cannot hold run-length "
                      "masks; write COCO with --to coco");
    } else if (to) {
        target_omissions(job, &omissions);
        target_print_omissions(&omissions, &what);
    }
    if (what.length && o->lossy)
        message_print("lockstep: warning: --to %s leaves out: %s [to-lossy]", to->name,
                      text_string(&what));
    else if (what.length) {
        text_adds(&what, "; --lossy leaves them out");
        message_print("lockstep run: error: --to %s: there is no place for %s [to-lossy]", to->name,
                      text_string(&what));
        code = open_end(EXIT_INPUT);
    }
    text_drop(&what);
    arena_drop(&omissions.arena);
    return code;
}

/* Where the options leave it open: no more workers than there are images, and half of the memory
 * for all of them. */
static void set_workers(const struct job_options *o, struct job *job)
{
    if (!job->jobs)
        job->jobs = limits_processors();
    if (job->n_records < (size_t)job->jobs)
        job->jobs = job->n_records ? (int)job->n_records : 1;
    job->max_memory =
        o->max_memory ? (uint64_t)o->max_memory << 20 : limits_memory() / 2 / (uint64_t)job->jobs;
}

/* What can be known before the first image is read. */
static int check(const struct job_options *o, struct job *job)
{
    int code = check_apart(o, job);

    if (!code)
        code = check_job(job);
    if (!code)
        code = check_annotations(job);
    if (!code)
        code = check_target(o, job);
    if (!code)
        code = check_files(o, job);
    return code;
}

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
    int code;

    if (o->resume && o->overwrite)
        return refuse(EXIT_USAGE, o->out, "resume-overwrite",
                      "--resume keeps what --overwrite would remove; give one of them");
    code = check_sandbox(o);
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
    set_workers(o, job);
    if (!code) {
        sandbox_open(&sandbox, job);
        job->contained = &sandbox;
        code = check(o, job);
    }
    if (job->roots.n > 1)
        passed.folder = "images";
    if (!code && job->passed)
        passed_print(&passed);
    if (!code)
        code = go(o, job);
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
