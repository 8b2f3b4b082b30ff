/* run: the main job. */
#include "open.h"

#include "../src/batch/apart.h"
#include "../src/batch/collisions.h"
#include "../src/batch/examine.h"
#include "../src/batch/former.h"
#include "../src/batch/limits.h"
#include "../src/batch/resume.h"
#include "../src/batch/passed.h"
#include "../src/batch/preflight.h"

#include <stdio.h>

struct options {
    const char *pipeline, *images, *out, *annotations, *image_list, *masks;
    const char *mask_name, *strip_prefix, *name_template;
    int match;
    int compat, copies, jobs, on_error, trust, on_frames, progress, format, quality, optimize, exif;
    int64_t seed, limit;
    int durability, timeout, max_memory;
    struct optional max_errors;
    bool resume, verify_resume;
    bool include_original, overwrite, dry_run, no_follow, no_preflight, quiet, verbose;
};

static const struct choice on_error_choices[] = {
    { "fail", ON_ERROR_FAIL, "the first image that fails ends the run" },
    { "skip", ON_ERROR_SKIP, "images that fail are left out and listed in errors.jsonl" },
    { 0 },
};

static const struct choice progress_choices[] = {
    { "auto", PROGRESS_AUTO, "a bar on a terminal, else lines" },
    { "bar", PROGRESS_BAR, "a bar" },
    { "plain", PROGRESS_PLAIN, "a line now and then" },
    { "none", PROGRESS_NONE, "nothing" },
    { 0 },
};

static const struct choice durability_choices[] = {
    { "none", DURABILITY_NONE, "never: the system writes them when it sees fit" },
    { "batch", DURABILITY_BATCH,
      "every few seconds, and all before the run ends with code 0: after a crash, --resume does "
      "again what came later" },
    { "file", DURABILITY_FILE, "each file before its image counts as done" },
    { 0 },
};

#define O struct options
static const struct option options[] = {
    { 'p', "FILE",
      TEXT(O, pipeline,
           .help = "the pipeline, JSON; - for stdin; or the name of one of `lockstep init`") },
    { 'i', "PATH", TEXT(O, images, .help = "the folder of the images (or one image file)") },
    { 'o', "DIR",
      TEXT(O, out, .preset = "\"\"",
           .help = "the folder to write; must be empty or not exist. Needed but for --dry-run") },
    { 'a', "FILE",
      TEXT(O, annotations, .preset = "\"\"",
           .help = "COCO annotations of the images; without, every image of the "
                   "folder is taken") },
    IMAGE_LIST(O),
    COMPAT_OPTION(O),
    MASKS(O),
    MASK_NAME(O),
    STRIP_PREFIX(O),
    MATCH(O),
    { 0, "TEMPLATE",
      TEXT(O, name_template, .preset = "\"\"",
           .help = "what the outputs are called, without their suffix, by the image's folder, "
                   "stem, suffix and the number of the output: {dir}/{stem}_{ext}__{copy}") },
    { 'n', "N",
      INTEGER(O, copies, .preset = "1", .limit = { 1, 100000 },
              .help = "how many outputs to make of each image") },
    { 0, "N",
      WHOLE(O, seed, .preset = "0", .limit = { 0, 9007199254740992 },
            .help = "seed of all random numbers, instead of the pipeline's `seed`") },
    { 'j', "N",
      INTEGER(O, jobs, .preset = "0", .limit = { 0, 1024 },
              .help = "worker processes; 0: one for each processor. Changes no byte") },
    { 0, NULL,
      FLAG(O, include_original, .preset = "false",
           .help = "write each image untransformed too, as its copy 0") },
    { 0, "N",
      WHOLE(O, limit, .preset = "0", .limit = { 0, 9007199254740992 },
            .help = "take the first N images only; 0: all") },
    { 0, "WHAT",
      CHOICE(O, on_error, .preset = "\"fail\"", .choices = on_error_choices,
             .help = "what to do with an image that cannot be read or transformed") },
    { 0, "N",
      OPTIONAL(O, max_errors, .preset = "null", .whole = true, .limit = { 0, 9007199254740992 },
               .help =
                   "with --on-error skip: how many images may fail before the run ends; without "
                   "it, any number") },
    { 0, "S",
      INTEGER(O, timeout, .preset = "300", .limit = { 0, 1000000 },
              .help = "seconds that an image may take with all its outputs; 0: any") },
    { 0, "MIB",
      INTEGER(O, max_memory, .preset = "0", .limit = { 0, 1 << 24 },
              .help = "memory of a worker, beside files that it maps; 0: its share of half of what "
                      "the machine or the control group has") },
    TRUST(O),
    NO_FOLLOW(O),
    { 0, "WHAT",
      CHOICE(O, on_frames, .preset = "\"first\"", .choices = on_frames_choices,
             .help = "what an image or mask of several frames or pages means (GIF, WebP, PNG, "
                     "TIFF)") },
    { 0, "WHAT",
      CHOICE(O, exif, .preset = "\"apply\"", .choices = exif_choices,
             .help = "what the EXIF orientation of an image means, instead of the pipeline's") },
    { 0, NULL,
      FLAG(O, overwrite, .preset = "false",
           .help = "replace what an earlier run wrote to the output folder; other files stay") },
    { 0, NULL,
      FLAG(O, resume, .preset = "false",
           .help = "go on with a run that was stopped: the result is the same as if it had not "
                   "been. What has changed of its inputs is done again. Of an empty folder, a run "
                   "like any other") },
    { 0, NULL,
      FLAG(O, verify_resume, .preset = "false",
           .help = "with --resume: read every file that is kept, instead of asking for its size") },
    { 0, "WHEN",
      CHOICE(O, durability, .preset = "\"batch\"", .choices = durability_choices,
             .help = "when outputs are made to outlast a crash of the machine") },
    { 0, NULL,
      FLAG(O, dry_run, .preset = "false",
           .help = "draw everything, write nothing: the manifest on stdout") },
    { 0, NULL,
      FLAG(O, no_preflight, .preset = "false",
           .help = "begin at once: do not look at all headers first, nor for files that are not "
                   "taken") },
    { 0, "FORMAT",
      CHOICE(O, format, .preset = "\"same\"", .choices = output_formats,
             .help = "of the images written, instead of the pipeline's") },
    { 0, "Q",
      INTEGER(O, quality, .preset = "95", .limit = { 1, 100 },
              .help = "of JPEG and WebP, instead of the pipeline's") },
    { 0, "HOW",
      CHOICE(O, optimize, .preset = "\"exact\"", .choices = optimize_choices,
             .help = "how ops are joined, instead of the pipeline's: `none` and `exact` give the "
                     "same bytes, "
                     "`fast` pixels within stated bounds") },
    { 'q', NULL, FLAG(O, quiet, .preset = "false", .help = "say nothing but what went wrong") },
    VERBOSE(O),
    { 0, "HOW",
      CHOICE(O, progress, .preset = "\"auto\"", .choices = progress_choices,
             .help = "how progress is shown on stderr") },
    OPTIONS_END,
};
#undef O

static void override_plan(const struct options *o, struct plan *plan)
{
    if (option_given("seed"))
        plan->seed = o->seed;
    if (option_given("format"))
        plan->output.format = o->format;
    if (option_given("optimize"))
        plan->optimize = o->optimize;
    if (option_given("exif"))
        plan->exif = o->exif;
    if (option_given("quality"))
        plan->output.quality = o->quality;
}

static int refuse(int code, const char *path, const char *code_word, const char *why)
{
    message_print("lockstep run: error: %s: %s [%s]", path, why, code_word);
    return code;
}

/* Nothing that is read may be written over. Beside single files there may be an output folder. */
static int check_apart(const struct options *o, const struct job *job)
{
    const char *folders[] = { job->single ? NULL : job->images, job->masks };
    const char *inputs[] = { o->images, job->masks, o->annotations, o->image_list, o->pipeline };
    bool apart = true;

    if (!*o->out)
        return o->dry_run ? EXIT_DONE
                          : refuse(EXIT_USAGE, "--out", "option-missing",
                                   "is required: the folder to write; must be empty or not exist");
    for (size_t i = 0; i < COUNTOF(folders); i++)
        apart &= !folders[i] || !path_is_within(job->out, folders[i]);
    for (size_t i = 0; i < COUNTOF(inputs); i++)
        apart &= !inputs[i] || !path_is_within(inputs[i], job->out);
    return apart ? EXIT_DONE
                 : refuse(EXIT_USAGE, job->out, "out-inside",
                          "the output folder may not hold an input, nor lie in a folder of inputs");
}

/* Remove what an earlier run has left, as far as nothing else is in the way. */
static int make_room(const struct job *job, struct outdir *outdir, struct faults *faults)
{
    struct former former = { 0 };
    int code = former_read(outdir, &former, faults);

    if (!code)
        code = former_check(outdir, &former, job, faults);
    if (!code)
        code = collisions_check_folded(job, outdir, faults);
    if (code)
        outdir_abandon(outdir);
    else
        code = former_remove(outdir, &former, faults);
    former_drop(&former);
    return code;
}

/* The folder is locked before anything is removed from it, and stays so until the run ends.
 * `finished` is set, with the exit code, when there is nothing to do. */
static int make_way(const struct options *o, struct job *job, struct outdir *outdir, int *finished,
                    struct faults *faults)
{
    enum resume_state state = RESUME_FRESH;
    int code = outdir_open(outdir, o->out, o->overwrite || o->resume, faults);

    if (code)
        return code;
    job->outdir = outdir;
    if (o->resume)
        code = resume_inspect(job, &state, finished, faults);
    if (code)
        outdir_abandon(outdir);
    else if (state == RESUME_FINISHED)
        outdir_finish(outdir); /* it may have been killed while it removed its scratch */
    else if (state == RESUME_FRESH)
        code = make_room(job, outdir, faults);
    job->resume = state == RESUME_GOES_ON;
    return code;
}

static int go(const struct options *o, struct job *job)
{
    struct faults faults = { .name = "lockstep run" };
    struct outdir outdir = { 0 };
    int finished = -1;
    int code = !o->dry_run ? make_way(o, job, &outdir, &finished, &faults)
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

/* Without faults of images to skip, each would end the run. */
static int check_files(const struct options *o, const struct job *job)
{
    struct faults faults = { .name = "lockstep run" };
    int code = EXIT_DONE;
    size_t n;

    if (o->no_preflight || job->on_error == ON_ERROR_SKIP)
        return code;
    n = preflight(job, NULL, job->n_records, &faults);
    if (n) {
        code = open_end(faults_exit(&faults, EXIT_INPUT));
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
    struct faults faults = { .name = d->file, .text = d->text };
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

static int run(void *given, const char *const *operand)
{
    const struct options *o = given;
    struct arena arena = { 0 };
    struct plan plan = { 0 };
    struct dataset dataset;
    struct passed passed = {
        .verbose = o->verbose,
        .folder = o->images,
        .own = { o->annotations, o->image_list, o->pipeline },
    };
    struct job job = { .plan = &plan,
                       .images = o->images,
                       .passed = o->quiet || o->no_preflight ? NULL : &passed,
                       .masks = *o->masks ? o->masks : NULL,
                       .mask_name = o->mask_name,
                       .strip_prefix = o->strip_prefix,
                       .name_template = o->name_template,
                       .match = o->match,
                       .out = o->out,
                       .copies = (unsigned)o->copies,
                       .include_original = o->include_original,
                       .jobs = o->jobs ? o->jobs : limits_processors(),
                       .on_error = o->on_error,
                       .max_errors = o->max_errors.given ? (int64_t)o->max_errors.number : -1,
                       .timeout = (int64_t)o->timeout * 1000,
                       .trust = o->trust,
                       .links = o->no_follow ? LINKS_REFUSE : LINKS_FOLLOW,
                       .on_frames = o->on_frames,
                       .durability = o->durability,
                       .verify_resume = o->verify_resume,
                       .progress = o->progress,
                       .verbosity = o->quiet ? -1 : o->verbose,
                       .max_pixels = MOST_PIXELS };
    int code;

    (void)operand;
    if (o->resume && o->overwrite)
        return refuse(EXIT_USAGE, o->out, "resume-overwrite",
                      "--resume keeps what --overwrite would remove; give one of them");
    code = open_plan(o->pipeline, &plan);
    if (!code) {
        override_plan(o, &plan);
        code = open_dataset(o->annotations, o->image_list, (enum compat)o->compat, &job, &dataset,
                            &arena);
    }
    if (!code && o->limit && (size_t)o->limit < job.n_records)
        job.n_records = (size_t)o->limit;
    if (!code && job.n_records < (size_t)job.jobs)
        job.jobs = job.n_records ? (int)job.n_records : 1;
    job.max_memory =
        o->max_memory ? (uint64_t)o->max_memory << 20 : limits_memory() / 2 / (uint64_t)job.jobs;
    if (!code)
        code = check_apart(o, &job);
    if (!code)
        code = check_job(&job);
    if (!code)
        code = check_annotations(&job);
    if (!code)
        code = check_files(o, &job);
    if (!code && job.passed)
        passed_print(&passed);
    if (!code)
        code = go(o, &job);
    passed_drop(&passed);
    plan_drop(&plan);
    arena_drop(&arena);
    return code;
}

static const char *const examples[] = {
    "lockstep run -p flip.json -i images -a annotations.json -o out",
    "lockstep run -p train.json -i images -a annotations.json -o out -n 8 --include-original",
    "lockstep run -p train.json -i images --dry-run | jq .steps",
    NULL,
};

const struct command run_command = {
    .name = "run",
    .summary = "transform images with their annotations",
    .synopsis = "-p PIPELINE -i IMAGES -o OUT [-a ANNOTATIONS] [options]",
    .about = "Reads a pipeline, images and COCO annotations, does every step to all targets of an "
             "image in lockstep, and writes OUT/images, OUT/masks, OUT/annotations.json, "
             "OUT/manifest.jsonl and OUT/run.json. The result depends on the inputs, the pipeline "
             "and the seed alone: not on the number of jobs, nor on the other images.",
    .options = options,
    .options_size = sizeof(struct options),
    .examples = examples,
    .run = run,
};
