/* dataset: a pipeline and a dataset, as the options name them. */
#include "open/dataset.h"
#include "open/other_pipeline.h"
#include "open/starter_pipelines.h"

#include "base/files.h"
#include "batch/dataset/class_folders.h"
#include "batch/dataset/archive_open.h"
#include "batch/webdataset/read_samples.h"
#include "batch/dataset/list_images.h"
#include "batch/output/name_template.h"
#include "batch/output/parts.h"
#include "batch/dataset/plugin_probe.h"
#include "batch/process/sandbox.h"
#include "batch/dataset/font_file.h"
#include "batch/dataset/stamp_folder.h"
#include "batch/io/folder.h"
#include "batch/image/job_sandbox.h"
#include "labels/coco/panoptic.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int open_complain(const char *path, struct text *why, const char *code_word, int code)
{
    struct faults faults = { .name = "lockstep" };

    fault_add(&faults, 0, 0, path, code_word, "%s", text_string(why));
    faults_exit(&faults, code);
    faults_drop(&faults);
    text_drop(why);
    return code;
}

void open_contained(struct job *job)
{
    static struct sandbox sandbox;

    job_sandbox_open(&sandbox, job);
    job->run.contained = &sandbox;
}

const char *open_input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "stdin" : path;
}

const char *open_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* A file goes before a pipeline of the same name that comes with lockstep; a folder, as one of the
 * images, does not. */
static bool read_pipeline(const char *path, struct text *to, struct text *why)
{
    enum { MOST_PIPELINE = 64 << 20 }; /* bytes; a step has some hundred */
    const struct starter *starter = starter_get(path);
    struct stat status;

    if (!starter || (stat(path, &status) == 0 && !S_ISDIR(status.st_mode)))
        return input_read_named(path, MOST_PIPELINE, to, why);
    text_adds(to, starter->text);
    return true;
}

int open_plan(const char *path, struct plan *plan)
{
    struct text text = { 0 }, why = { 0 };
    struct faults faults = { .name = open_input_name(path) };
    int code = EXIT_DONE;

    if (!read_pipeline(path, &text, &why)) {
        pipeline_suggest(path, &why);
        text_drop(&text);
        return open_complain(path, &why, "pipeline-unread", EXIT_PIPELINE);
    }
    faults.text = (struct slice){ text_string(&text), text.length };
    if (pipeline_is_other(path, faults.text, &why)) {
        fault_add(&faults, 0, 1, "", "pipeline-other", "%s", text_string(&why));
        text_drop(&why);
        code = faults_exit(&faults, EXIT_PIPELINE);
    } else if (!pipeline_rehearse(&faults) || !plan_read(&faults, plan))
        code = faults_exit(&faults, EXIT_PIPELINE);
    faults_drop(&faults);
    text_drop(&text);
    return code;
}

/* What the command line says instead of the pipeline. */
static void override_plan(const struct job_options *o, struct plan *plan)
{
    if (option_given("seed"))
        plan->seed = o->seed;
    if (option_given("format"))
        plan->output.format = o->format;
    if (option_given("optimize"))
        plan->optimize = o->optimize;
    if (option_given("exif"))
        plan->exif = o->exif;
    if (option_given("metadata"))
        plan->output.metadata = o->metadata;
    if (option_given("quality"))
        plan->output.quality = o->quality;
}

void open_job(const struct job_options *o, struct opened *to)
{
    *to = (struct opened){
        .job = {
            .plan = &to->plan,
            .dataset = &to->dataset,
            .images = {
                .roots = { o->images.at, o->images.n, NULL },
                .masks = o->masks && *o->masks ? o->masks : NULL,
                .links = o->no_follow ? LINKS_REFUSE : LINKS_FOLLOW,
                .strip_prefix = o->strip_prefix,
                .match = o->match,
                .trust = o->trust,
                .on_frames = o->on_frames,
                .max_pixels = (size_t)o->max_pixels,
            },
            .naming = {
                .mask_name = o->mask_name,
                .name_template = o->name_template,
                .copies = (unsigned)o->copies,
                .include_original = o->include_original,
            },
            .output = {
                .path = o->out,
                .checksums = o->checksums,
                .durability = o->durability,
            },
            .run = {
                .jobs = o->jobs,
                .on_error = o->on_error,
                .max_errors = o->max_errors.given ? (int64_t)o->max_errors.number : -1,
                .timeout = (int64_t)o->timeout * 1000,
                .sandbox = o->sandbox,
                .verify_resume = o->verify_resume,
                .progress = o->progress,
                .verbosity = o->quiet ? -1 : o->verbose,
            },
        },
    };
}

int open_pipeline(const struct job_options *o, struct opened *to)
{
    int code;

    open_job(o, to);
    code = open_plan(o->pipeline, &to->plan);
    if (!code)
        override_plan(o, &to->plan);
    return code;
}

void opened_drop(struct opened *o)
{
    plan_drop(&o->plan);
    arena_drop(&o->arena);
}

/* Which files do the names of the annotations mean? */
static int find_files(struct job *job, struct dataset *dataset)
{
    struct faults faults = { .name = dataset->list ? dataset->list->file : dataset->file };
    int code = EXIT_DONE;

    if (!locate_images(job, dataset, &faults))
        code = faults_exit(&faults, EXIT_INPUT);
    faults_drop(&faults);
    return code;
}

/* The templates of names. */
static int check_templates(const struct job *job)
{
    const struct {
        const char *option, *template;
        bool copies;
    } all[] = { { "--mask-name", job->naming.mask_name, false },
                { "--name-template", job->naming.name_template, true } };
    struct text why = { 0 };
    int code = EXIT_DONE;

    for (size_t i = 0; i < COUNTOF(all) && !code; i++)
        if (all[i].template && !name_template_check(all[i].template, all[i].copies, &why))
            code = open_complain(all[i].option, &why, "name-template", EXIT_USAGE);
    if (!code && job->naming.mask_name && *job->naming.mask_name && !job->images.masks) {
        text_adds(&why, "it is of no use without --masks, the folder of the masks");
        code = open_complain("--mask-name", &why, "option-missing", EXIT_USAGE);
    }
    return code;
}

/* Of an image file its folder is the root. */
static const char *root_of(const char *path, struct arena *arena)
{
    const char *slash = strrchr(path, '/');

    return !slash ? "." : slash == path ? "/" : arena_copy(arena, path, (size_t)(slash - path));
}

static void set_roots(struct job *job, struct arena *arena)
{
    const char **at = ARENA_ARRAY(arena, const char *, job->images.roots.n);
    struct stat status;

    for (size_t i = 0; i < job->images.roots.n; i++) {
        bool folder = archive_at(job->images.roots.at[i]) ||
                      stat(job->images.roots.at[i], &status) != 0 || S_ISDIR(status.st_mode);

        at[i] = folder ? job->images.roots.at[i] : root_of(job->images.roots.at[i], arena);
    }
    job->images.roots.at = at;
}

static bool is_within(const char *inner, const char *outer)
{
    size_t length = strlen(outer);

    return strncmp(inner, outer, length) == 0 &&
           (inner[length] == '/' || !inner[length] || outer[length - 1] == '/');
}

static int refuse_nested(const char *inner, const char *outer)
{
    struct text why = { 0 };

    text_addf(&why, "it is, or is inside of, %s, which is given with --images, too", outer);
    return open_complain(inner, &why, "images-nested", EXIT_USAGE);
}

/* Images that are below two of the folders would be taken twice, under two names. */
static int check_roots(const struct roots *roots, struct arena *arena)
{
    const char **real = ARENA_ARRAY(arena, const char *, roots->n);
    char path[PATH_MAX];
    struct text why = { 0 };

    if (roots->n > MOST_ROOTS) {
        text_addf(&why, "at most %d folders are taken", (int)MOST_ROOTS);
        return open_complain("--images", &why, "option-value", EXIT_USAGE);
    }
    for (size_t i = 0; i < roots->n; i++) {
        real[i] = realpath(roots->at[i], path) ? arena_copy(arena, path, strlen(path)) : NULL;
        for (size_t k = 0; real[i] && k < i; k++) {
            if (real[k] && is_within(real[i], real[k]))
                return refuse_nested(roots->at[i], roots->at[k]);
            if (real[k] && is_within(real[k], real[i]))
                return refuse_nested(roots->at[k], roots->at[i]);
        }
    }
    return EXIT_DONE;
}

/* Archives of images and of masks are indexed before a process is contained. */
static int open_archives(const struct job *job)
{
    struct faults faults = { .name = "lockstep" };
    int code = EXIT_DONE;

    for (size_t i = 0; i < job->images.roots.n && !code; i++)
        if (strcmp(job->images.roots.at[i], "-") == 0 || archive_is_path(job->images.roots.at[i]))
            code = archive_open(job->images.roots.at[i], &faults);
    if (!code && job->images.masks && archive_is_path(job->images.masks))
        code = archive_open(job->images.masks, &faults);
    if (faults.n)
        faults_exit(&faults, code);
    faults_drop(&faults);
    return code;
}

/* What stands beside images in archives is theirs, unless other labels or masks are given. */
static int take_samples(struct job *job, bool labels, struct samples *samples)
{
    struct faults faults = { .name = "lockstep" };
    int code = EXIT_DONE;

    if (!samples_take(job->images.roots.at, job->images.roots.n, labels, samples, &faults))
        code = faults_exit(&faults, EXIT_INPUT);
    else if (!job->images.masks)
        job->images.masks = samples->masks;
    faults_drop(&faults);
    return code;
}

/* The images alone. */
static int list_images(struct job *job, struct dataset *dataset)
{
    const char *failed;
    struct text why = { 0 };

    return listing_read(job, dataset, job->images.passed, &failed, &why)
               ? EXIT_DONE
               : open_complain(failed, &why, "images-unread", EXIT_INPUT);
}

/* The images, and their folders as labels. */
static int list_folders(const struct job_options *o, struct job *job, struct dataset *dataset)
{
    struct faults faults = { .name = "lockstep" };
    int code = list_images(job, dataset);

    if (!code)
        code = open_classes(o, dataset);
    if (!code && !folder_labels_read(job, dataset, &faults))
        code = faults_exit(&faults, EXIT_INPUT);
    faults_drop(&faults);
    return code;
}

static int read_labels(const struct job_options *o, const struct samples *samples,
                       struct opened *to)
{
    struct job *job = &to->job;
    int code;

    if (o->labels == IMAGE_LABELS_FOLDERS)
        return list_folders(o, job, &to->dataset);
    if (!*o->annotations && !samples->labels.length)
        return list_images(job, &to->dataset);
    code = *o->annotations ? open_annotations(o, to) : open_sample_labels(o, samples, to);
    if (!code && job_has_named_images(job))
        code = find_files(job, &to->dataset);
    if (!code && job_has_named_images(job) && job->images.passed)
        listing_compare(job);
    if (!code && job_has_segments(job) && !job->images.masks)
        job->images.masks = coco_panoptic_folder(o->annotations, &to->arena);
    return code;
}

/* Images, and what is said of them. */
static int read_dataset(const struct job_options *o, struct opened *to)
{
    struct samples samples = { 0 };
    struct text why = { 0 };
    int code;

    if (!*o->annotations && o->labels != IMAGE_LABELS_FOLDERS && *o->classes) {
        text_adds(&why, "there are no labels to number without -a or --labels folders");
        return open_complain("--classes", &why, "option-unused", EXIT_USAGE);
    }
    if (!*o->annotations && *o->image_list) {
        text_adds(&why, "without annotations there is no use for a list of images");
        return open_complain(o->image_list, &why, "image-list-unused", EXIT_USAGE);
    }
    if (*o->annotations && o->labels == IMAGE_LABELS_FOLDERS) {
        text_adds(&why, "the annotations say what the labels are; leave one of them out");
        return open_complain("--labels folders", &why, "option-unused", EXIT_USAGE);
    }
    for (size_t i = 0; i < to->job.images.roots.n && !to->takes_stdin; i++)
        if (strcmp(to->job.images.roots.at[i], "-") == 0) {
            text_adds(&why, "this command looks at images several times, and in any order, and "
                            "stdin is read once: write the archive to a file; ./- is a folder of "
                            "this name");
            return open_complain("-i -", &why, "stream-headers", EXIT_USAGE);
        }
    code = check_roots(&to->job.images.roots, &to->arena);
    if (!code)
        code = open_archives(&to->job);
    if (!code)
        code = take_samples(&to->job, !*o->annotations, &samples);
    if (!code)
        code = read_labels(o, &samples, to);
    samples_drop(&samples);
    return code;
}

/* A pixel of a label mask has one label. */
static bool refuse_masks(const struct step *step, void *context)
{
    if (step_refuses_masks(step))
        value_fault(
            context, step->source, false, "target-refused",
            "images show through each other here, and a pixel of a label mask, or of a "
            "picture of segments, has one label: set \"masks\": \"heavier\", or run without "
            "masks");
    return true;
}

/* Which images may a plan that joins borrow, and can what it makes be written? */
static int open_donors(struct opened *to)
{
    const struct job *job = &to->job;
    const struct dataset *d = &to->dataset;
    struct faults plan = { .name = to->plan.file, .text = to->plan.text };
    struct faults own = dataset_faults(d);
    int code = EXIT_DONE;

    if (job->plan->joins && d->writer == d->format && d->writer && d->writer->prints_over_source)
        fault_add(&plan, 0, 0, "transforms", "target-refused",
                  "an XML file is rewritten over its source, and images that are joined have "
                  "several: use --to yolo or --to coco");
    else
        donor_table_make(job, &to->arena, &to->donors, &plan, &own);
    stamps_check(job->plan, &plan);
    font_check(job->plan, &plan);
    if (job->images.masks)
        steps_walk(&job->plan->transforms, refuse_masks, &plan);
    if (plan.n)
        code = faults_exit(&plan, EXIT_PIPELINE);
    else if (own.n)
        code = faults_exit(&own, EXIT_INPUT);
    else
        to->job.donors = &to->donors;
    faults_drop(&plan);
    faults_drop(&own);
    return code;
}

/* Of a folder with archives: how one of them is given. */
static void add_archive(struct text *why, const char *folder)
{
    DIR *list = opendir(folder);
    const struct dirent *entry;
    struct text first = { 0 };

    while (list && (entry = readdir(list)))
        if (archive_is_path(entry->d_name) &&
            (!first.length || strcmp(entry->d_name, text_string(&first)) < 0)) {
            text_clear(&first);
            text_adds(&first, entry->d_name);
        }
    if (first.length)
        text_addf(why, "; an archive is given by its name: -i %s/%s", folder, text_string(&first));
    text_drop(&first);
    if (list)
        closedir(list);
}

int open_dataset(const struct job_options *o, struct opened *to)
{
    struct job *job = &to->job;
    struct dataset *dataset = &to->dataset;
    bool annotated = *o->annotations;
    struct text why = { 0 };
    int code = check_templates(job);

    dataset->arena = &to->arena;
    dataset->joined = job->plan->joins;
    if (!code)
        code = read_dataset(o, to);
    if (!code)
        code = open_check_options(o, to);
    if (code)
        return code;
    if (!dataset->n_records) {
        text_adds(&why, annotated ? "there are no images in this dataset"
                                  : "there are no images in this folder");
        if (!annotated)
            add_archive(&why, job->images.roots.at[0]);
        return open_complain(open_input_name(annotated ? o->annotations : job->images.roots.at[0]),
                             &why, "images-none", EXIT_INPUT);
    }
    set_roots(job, &to->arena);
    job->images.n_records = dataset->n_records;
    code = open_check(job->plan, job->run.verbosity, dataset, job->images.masks != NULL);
    if (code)
        return code;
    to->plan.rules.ids = job_choose_ids(job, &why);
    if (why.length)
        to->dense_ids = arena_copy(&to->arena, text_string(&why), why.length);
    text_drop(&why);
    return open_donors(to);
}

int open_parts(struct opened *to)
{
    struct faults faults = dataset_faults(&to->dataset);
    struct text note = { 0 };
    int code = EXIT_DONE;

    if (!parts_find(&to->job, &to->dataset, &note, &faults))
        code = faults_exit(&faults, EXIT_INPUT);
    else if (note.length && to->job.run.verbosity >= 0)
        message_print("lockstep: note: %s [yolo-parts]", text_string(&note));
    faults_drop(&faults);
    text_drop(&note);
    return code;
}
