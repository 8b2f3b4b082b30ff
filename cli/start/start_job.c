/* start_job: the checks before a run or replay, and its start. */
#include "start/streams.h"
#include "open/notes.h"
#include "shared/say.h"

#include "batch/io/archive_set.h"
#include "batch/io/path_within.h"
#include "batch/run/check_annotations.h"
#include "batch/process/limits.h"
#include "batch/io/image_name.h"
#include "batch/run/check_job.h"
#include "batch/run/run_job.h"
#include "batch/output/out_dir.h"
#include "batch/run/preflight.h"
#include "batch/run/prepare_output.h"
#include "batch/run/resume.h"
#include "batch/process/sandbox.h"
#include "batch/run/stream.h"
#include "batch/dataset/target_format.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static bool has_label_folder(const struct job *job)
{
    return job->dataset->format && job->dataset->format->suffix;
}

/* True if the name has the suffix of an image or of JSON. */
static bool is_file_name(const char *path)
{
    const char *dot = strrchr(path, '.');

    return name_is_image(path) || (dot && strcasecmp(dot, ".json") == 0);
}

/* True if OUT holds an input of a whole dataset, or is inside one of its folders. */
static bool is_in_dataset(const struct job *job)
{
    const struct names all[] = { job->images.sources,
                                 { job->images.roots.at, job->images.roots.n } };
    const char *out = job->output.path;

    for (size_t i = 0; i < COUNTOF(all); i++)
        for (size_t k = 0; k < all[i].n; k++)
            if (path_is_within(all[i].at[k], out) || path_is_within(out, all[i].at[k]))
                return true;
    return false;
}

/* Refuses an output folder that holds an input, or is inside a folder of inputs. It may be next to
 * single files. */
static int check_apart(const struct begin *b)
{
    const struct job_options *o = b->options;
    const struct job *job = b->job;
    const char *labels = has_label_folder(job) ? job_annotations(o) : NULL;
    const char *inputs[] = { job_annotations(o), o->image_list, o->pipeline, o->manifest };
    bool whole = is_whole_dataset(o), apart = true;

    if (!*o->out)
        return o->dry_run
                   ? EXIT_DONE
                   : refuse_for(b->who, EXIT_USAGE, "--out", "option-missing",
                                "is required: the folder to write; must be empty or not exist");
    if (has_stdout_outputs(o))
        return EXIT_DONE;
    if (is_file_name(job->output.path) && access(job->output.path, F_OK) != 0)
        return refuse_for(b->who, EXIT_USAGE, job->output.path, "out-name",
                          "this is the name of a file, and a folder is written; name a folder, "
                          "or create this one first");
    for (size_t i = 0; i < o->images.n && !whole && !has_stdin_images(o); i++) {
        const char *given = o->images.at[i], *root = job->images.roots.at[i];

        apart &= !path_is_within(given, job->output.path);
        apart &= strcmp(given, root) != 0 || !path_is_within(job->output.path, root);
    }
    for (size_t i = 0; i < job->images.masks.n; i++)
        apart &= !path_is_within(job->output.path, job->images.masks.at[i]) &&
                 !path_is_within(job->images.masks.at[i], job->output.path);
    apart &= !labels || !path_is_within(job->output.path, labels);
    for (size_t i = 0; i < COUNTOF(inputs); i++)
        apart &= !inputs[i] || !path_is_within(inputs[i], job->output.path);
    return apart && !(whole && is_in_dataset(job))
               ? EXIT_DONE
               : refuse_for(
                     b->who, EXIT_USAGE, job->output.path, "out-inside",
                     "the output folder may not contain an input, or be inside a folder of inputs");
}

/* Finds images of a stopped run that are unchanged: they need no check. */
static void vouch(struct begin *b)
{
    if (!b->options->resume || b->options->dry_run)
        return;
    resume_find_skippable(b->job, &b->preflight_skip);
    b->job->run.preflight_skip = &b->preflight_skip;
}

static void drop_vouched(struct begin *b)
{
    b->job->run.preflight_skip = NULL;
    preflight_skip_drop(&b->preflight_skip);
}

static int begin_folder(struct begin *b)
{
    const struct job_options *o = b->options;
    struct job *job = b->job;
    struct faults faults = { .name = b->who };
    struct out_dir outdir = { 0 };
    int finished = -1;
    enum prepare how = o->resume && o->overwrite ? PREPARE_RESUME_OVERWRITE
                       : o->resume               ? PREPARE_RESUME
                       : o->overwrite            ? PREPARE_OVERWRITE
                                                 : PREPARE_EMPTY;
    int code = !o->dry_run ? prepare_output(job, &outdir, how, &finished, &faults)
               : *o->out
                   ? out_dir_check(o->out, o->overwrite || o->resume || job->images.shard.count,
                                   true, &faults)
                   : EXIT_DONE;

    if (code)
        code = faults_exit(&faults, code);
    else if (o->dry_run)
        code = job_dry_run(job);
    else if (finished >= 0) {
        if (!o->quiet)
            message_print("lockstep: %s%s is finished: there is nothing to do", o->out,
                          job->images.shard.count ? ": this shard" : "");
        code = finished;
    } else {
        code = job_run(job);
    }
    out_dir_close(&outdir);
    drop_vouched(b);
    faults_drop(&faults);
    return code;
}

int begin_job(struct begin *b)
{
    return has_stdout_outputs(b->options) ? stream_job(b->job) : begin_folder(b);
}

int begin_check_options(const struct begin *b)
{
    struct text why = { 0 }, words = { 0 };
    int code = EXIT_DONE;

    if (b->options->shard && *b->options->shard && b->options->overwrite)
        return refuse_for(b->who, EXIT_USAGE, b->options->out, "shard-overwrite",
                          "--overwrite would remove what other shards wrote; remove the folder "
                          "first, or continue with --resume");
    if (b->options->sandbox == SANDBOX_ON && !sandbox_is_possible(&why)) {
        text_addf(&words,
                  "the kernel cannot contain workers: %s; use auto, which contains them as far as "
                  "possible",
                  text_string(&why));
        code = refuse_for(b->who, EXIT_RESOURCES, "--sandbox on", "sandbox-unavailable",
                          text_string(&words));
    }
    text_drop(&words);
    text_drop(&why);
    return code;
}

/* Checks the headers of images if one that fails would end the run. */
static int check_files(const struct begin *b)
{
    const struct job *job = b->job;
    struct faults faults = { .name = b->who };
    int code = EXIT_DONE;
    size_t n;

    if (b->options->no_preflight || job->run.on_error == ON_ERROR_SKIP ||
        has_stdin_images(b->options))
        return code;
    n = preflight(job, &faults);
    if (n) {
        code = open_end(faults_exit(&faults, preflight_exit(&faults)));
        message_print("%s: error: %zu of %zu image%s cannot be done, and nothing was written%s "
                      "[images-refused]",
                      b->who, n, job->images.n_records, job->images.n_records == 1 ? "" : "s",
                      b->options->divide ? "" : "; --on-error skip leaves them out");
    }
    faults_drop(&faults);
    return code;
}

static int check_job(const struct begin *b)
{
    struct faults faults = { .name = b->who };
    int code = EXIT_DONE;

    if (!job_check(b->job, &faults))
        code = faults_exit(&faults, EXIT_INPUT);
    faults_drop(&faults);
    return code;
}

/* Checks annotations, unless workers skip images with faults. */
static int check_annotations(const struct job *job)
{
    const struct dataset *d = job->dataset;
    struct faults faults = dataset_faults(d);
    int code = EXIT_DONE;

    if (!d->format || job->run.on_error == ON_ERROR_SKIP)
        return code;
    check_all_annotations(job, &faults);
    if (faults.n)
        code = open_end(code);
    if (!code && faults.n)
        code = faults_exit(&faults, EXIT_INPUT);
    faults_drop(&faults);
    return code;
}

/* Refuses data that the format of --to cannot represent, unless --lossy allows to drop it. */
static int check_target(const struct begin *b)
{
    const struct job_options *o = b->options;
    const struct job *job = b->job;
    struct omissions omissions = { .n = 0 };
    struct text what = { 0 };
    int code = EXIT_DONE;

    target_omissions(job, &omissions);
    omissions_print(&omissions, &what);
    if (job->images.lost_masks)
        text_addf(&what, "%s%zu label mask%s", what.length ? ", " : "", job->images.lost_masks,
                  job->images.lost_masks == 1 ? "" : "s");
    if (what.length && !target_is_other(o->to) && !job->images.lost_masks) {
        if (!o->quiet)
            message_print("lockstep: note: the output has no place for %s [reader-limit]",
                          text_string(&what));
    } else if (what.length && o->lossy)
        message_print("lockstep: warning: --to %s leaves out: %s [to-lossy]", target_word(o->to),
                      text_string(&what));
    else if (what.length) {
        text_adds(&what, "; --lossy drops it");
        message_print("%s: error: --to %s: there is no place for %s [to-lossy]", b->who,
                      target_word(o->to), text_string(&what));
        code = open_end(EXIT_INPUT);
    }
    text_drop(&what);
    arena_drop(&omissions.arena);
    return code;
}

/* True if a file that is to be linked is in an archive. */
static bool links_to_archive(const struct job *job)
{
    if (job->output.link != LINK_HARD && job->output.link != LINK_SYMBOLIC)
        return false;
    for (size_t i = 0; i < job->images.n_records; i++) {
        size_t record = job_record(job, i);

        if (record_is_passed(job, record) &&
            (archive_at(job_root(job, record)) ||
             (job_has_masks(job) && archive_at(job_mask_root(job, record)))))
            return true;
    }
    return false;
}

void begin_set_workers(const struct begin *b)
{
    const struct job_options *o = b->options;
    struct job *job = b->job;

    if (!job->run.jobs)
        job->run.jobs = limits_processors();
    if (job->images.n_records < (size_t)job->run.jobs)
        job->run.jobs = job->images.n_records ? (int)job->images.n_records : 1;
    job->run.max_memory = o->max_memory ? (uint64_t)o->max_memory << 20
                                        : limits_memory() / 2 / (uint64_t)job->run.jobs;
}

int begin_check(struct begin *b)
{
    int code = check_apart(b);

    if (!code)
        vouch(b);
    if (!code)
        code = check_job(b);
    if (!code)
        code = check_annotations(b->job);
    if (!code)
        code = check_target(b);
    if (!code && b->job->output.packing.max_samples && b->job->dataset->list)
        code = refuse_for(b->who, EXIT_USAGE, "--out-format", "out-format-results",
                          "results have a list of images of their own, and no place in samples; "
                          "write them with --out-format dir");
    if (!code && links_to_archive(b->job))
        code = refuse_for(b->who, EXIT_USAGE, "--link", "option-unused",
                          "images in an archive cannot be linked; leave --link out");
    if (!code)
        code = check_files(b);
    if (code)
        drop_vouched(b);
    return code;
}
