/* dataset: opens the pipeline and the dataset that the options name. */
#include "open/dataset.h"
#include "open/notes.h"
#include "open/pipeline.h"
#include "shared/args.h"
#include "shared/say.h"

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
#include "batch/layout/layout.h"
#include "batch/dataset/stamp_folder.h"
#include "batch/io/folder.h"
#include "batch/io/image_name.h"
#include "batch/output/output_names.h"
#include "batch/image/job_sandbox.h"
#include "labels/coco/panoptic.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

void open_contained(struct job *job)
{
    static struct sandbox sandbox;

    job_sandbox_open(&sandbox, job);
    job->run.contained = &sandbox;
}

/* Replaces keys of the pipeline by options. */
static void override_plan(const struct job_options *o, struct plan *plan)
{
    if (option_is_given("seed"))
        plan->seed = o->seed;
    if (option_is_given("format"))
        plan->output.format = o->format;
    if (option_is_given("optimize"))
        plan->optimize = o->optimize;
    if (option_is_given("exif"))
        plan->exif = o->exif;
    if (option_is_given("metadata"))
        plan->output.metadata = o->metadata;
    if (option_is_given("quality"))
        plan->output.quality = o->quality;
}

void open_job(const struct job_options *o, struct command_inputs *to)
{
    *to = (struct command_inputs){
        .job = {
            .plan = &to->plan,
            .dataset = &to->dataset,
            .images = {
                .roots = { o->images.at, o->images.n, NULL },
                .masks = { o->masks.at, o->masks.n, NULL },
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
                .copies = o->copies ? (unsigned)o->copies : 1,
                .include_original = o->include_original,
            },
            .output = {
                .path = o->out,
                .checksums = o->checksums,
                .durability = o->durability,
                .link = o->link,
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

/* Refuses several annotations or folders of masks without names of parts. */
static int check_single(const struct job_options *o)
{
    struct text why = { 0 };

    if ((o->annotations.n < 2 && o->masks.n < 2) || is_whole_dataset(o))
        return EXIT_DONE;
    if (o->masks.n > 1) {
        text_addf(&why,
                  "is given more than once, and a dataset without parts has one folder of "
                  "masks: remove %s",
                  o->masks.at[1]);
        return refuse_input("--masks", &why, "option-twice", EXIT_USAGE);
    }
    text_addf(&why,
              "is given more than once, and takes one value: remove %s, or name parts: -a "
              "train=%s",
              o->annotations.at[1], o->annotations.at[0]);
    return refuse_input("--annotations", &why, "option-twice", EXIT_USAGE);
}

int open_pipeline(const struct job_options *o, struct command_inputs *to)
{
    int code;

    open_job(o, to);
    code = check_single(o);
    if (!code)
        code = open_copies(o, to);
    if (!code)
        code = open_plan(o->pipeline, &to->plan);
    if (!code)
        override_plan(o, &to->plan);
    return code;
}

void command_inputs_drop(struct command_inputs *o)
{
    plan_drop(&o->plan);
    arena_drop(&o->arena);
}

/* Finds the files that the annotations name. */
static int find_files(struct job *job, struct dataset *dataset)
{
    struct faults faults = { .name = dataset->list ? dataset->list->file : dataset->file };
    int code = EXIT_DONE;

    if (!resolve_names(job, dataset, &faults))
        code = faults_exit(&faults, EXIT_INPUT);
    faults_drop(&faults);
    return code;
}

/* Checks the templates of names. */
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
            code = refuse_input(all[i].option, &why, "name-template", EXIT_USAGE);
    return code;
}

/* Refuses a template of names of masks if there are none. */
static int check_mask_name(const struct job_options *o, const struct job *job)
{
    struct text why = { 0 };

    if (!job->naming.mask_name || !*job->naming.mask_name)
        return EXIT_DONE;
    if (job_has_segments(job) ? o->masks.n : job_has_masks(job)) /* --masks is refused later */
        return EXIT_DONE;
    text_adds(&why, "it needs --masks, the folder of the masks");
    return refuse_input("--mask-name", &why, "option-missing", EXIT_USAGE);
}

/* Returns the folder of an image file: it is the root. */
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

    text_addf(&why, "it is, or is inside, %s, which is also given with --images", outer);
    return refuse_input(inner, &why, "images-nested", EXIT_USAGE);
}

/* Refuses folders inside each other: their images would be taken twice, under two names. */
static int check_roots(const struct roots *roots, struct arena *arena)
{
    const char **real = ARENA_ARRAY(arena, const char *, roots->n);
    char path[PATH_MAX];
    struct text why = { 0 };

    if (roots->n > MAX_ROOTS) {
        text_addf(&why, "at most %d folders are taken", (int)MAX_ROOTS);
        return refuse_input("--images", &why, "option-value", EXIT_USAGE);
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

/* Indexes archives of images and masks, which must happen before a process is contained. */
static int open_archives(const struct job *job)
{
    struct faults faults = { .name = "lockstep" };
    int code = EXIT_DONE;

    for (size_t i = 0; i < job->images.roots.n && !code; i++)
        if (strcmp(job->images.roots.at[i], "-") == 0 || archive_is_path(job->images.roots.at[i]))
            code = archive_open(job->images.roots.at[i], &faults);
    for (size_t i = 0; i < job->images.masks.n && !code; i++)
        if (archive_is_path(job->images.masks.at[i]))
            code = archive_open(job->images.masks.at[i], &faults);
    if (faults.n)
        faults_exit(&faults, code);
    faults_drop(&faults);
    return code;
}

static void set_masks(struct job *job, const char *folder, struct arena *arena)
{
    const char **at = ARENA_NEW(arena, const char *);

    *at = folder;
    job->images.masks = (struct roots){ at, 1, NULL };
}

/* Takes labels and masks that are next to images in archives, unless options give others. */
static int take_samples(struct job *job, bool labels, struct samples *samples, struct arena *arena)
{
    struct faults faults = { .name = "lockstep" };
    int code = EXIT_DONE;

    if (!samples_take(job->images.roots.at, job->images.roots.n, labels, samples, &faults))
        code = faults_exit(&faults, EXIT_INPUT);
    else if (!job_has_masks(job) && samples->masks)
        set_masks(job, samples->masks, arena);
    faults_drop(&faults);
    return code;
}

/* Lists images without labels. */
static int list_images(struct job *job, struct dataset *dataset)
{
    const char *failed;
    struct text why = { 0 };

    return listing_read(job, dataset, job->images.passed, &failed, &why)
               ? EXIT_DONE
               : refuse_input(failed, &why, "images-unread", EXIT_INPUT);
}

int open_class_folders(const struct job_options *o, struct job *job, struct dataset *dataset)
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
                       struct command_inputs *to)
{
    struct job *job = &to->job;
    struct text why = { 0 };
    int code;

    if (o->labels == IMAGE_LABELS_FOLDERS)
        return open_class_folders(o, job, &to->dataset);
    if (!*job_annotations(o) && !samples->labels.length && *o->classes) {
        text_adds(&why, "there are no labels to number without -a or --labels folders");
        return refuse_input("--classes", &why, "option-unused", EXIT_USAGE);
    }
    if (!*job_annotations(o) && !samples->labels.length)
        return list_images(job, &to->dataset);
    code = *job_annotations(o) ? open_annotations(o, to) : open_sample_labels(o, samples, to);
    if (!code && job_has_named_images(job))
        code = find_files(job, &to->dataset);
    if (!code && job_has_named_images(job) && job->images.passed)
        listing_compare(job);
    if (!code && job_has_segments(job) && !job_has_masks(job)) {
        const char *folder = coco_panoptic_folder(job_annotations(o), &to->arena);

        if (folder)
            set_masks(job, folder, &to->arena);
    }
    return code;
}

int open_source(const struct job_options *o, struct command_inputs *to)
{
    struct samples samples = { 0 };
    struct text why = { 0 };
    int code;

    if (!*job_annotations(o) && *o->image_list) {
        text_adds(&why, "a list of images needs annotations");
        return refuse_input(o->image_list, &why, "image-list-unused", EXIT_USAGE);
    }
    if (*job_annotations(o) && o->labels == IMAGE_LABELS_FOLDERS) {
        text_adds(&why, "the annotations already give the labels; remove one of the options");
        return refuse_input("--labels folders", &why, "option-unused", EXIT_USAGE);
    }
    for (size_t i = 0; i < to->job.images.roots.n && !to->takes_stdin; i++)
        if (strcmp(to->job.images.roots.at[i], "-") == 0) {
            text_adds(
                &why,
                "this command reads images several times, in any order, and stdin can be read "
                "only once; write the archive to a file (./- names a folder)");
            return refuse_input("-i -", &why, "stream-headers", EXIT_USAGE);
        }
    code = check_roots(&to->job.images.roots, &to->arena);
    if (!code)
        code = open_archives(&to->job);
    if (!code)
        code = take_samples(&to->job, !*job_annotations(o), &samples, &to->arena);
    if (!code)
        code = read_labels(o, &samples, to);
    samples_drop(&samples);
    return code;
}

/* Refuses steps that would give a pixel of a label mask several labels. */
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

/* Finds the images that the plan may borrow, and checks that joined images can be written. */
static int open_donors(struct command_inputs *to)
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
    if (job_has_masks(job))
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

void dataset_add_archive(struct text *why, const char *folder)
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
        text_addf(why, "; name an archive itself: -i %s/%s", folder, text_string(&first));
    text_drop(&first);
    if (list)
        closedir(list);
}

/* Reads a dataset that is not divided into parts. */
static int read_source(const struct job_options *o, struct command_inputs *to)
{
    struct text why = { 0 };
    int code;

    if (o->part.n) {
        text_adds(&why, "these annotations are not divided into parts");
        return refuse_input("--part", &why, "option-unused", EXIT_USAGE);
    }
    if (!o->images.n) {
        text_adds(&why, "is required: a folder of images, one image file, or an archive");
        return refuse_input("--images", &why, "option-missing", EXIT_USAGE);
    }
    code = open_source(o, to);
    return code ? code : divide_source(o, to);
}

/* True if common readers of the layout open images with this suffix. */
static bool has_suffix(const struct layout *layout, const char *suffix)
{
    for (const char *const *known = layout->suffixes; *known; known++)
        if (strcmp(suffix, *known) == 0)
            return true;
    return false;
}

static void add_suffixes(const struct layout *layout, struct text *to)
{
    const char *const *at = layout->suffixes;

    for (size_t i = 0; at[i]; i++) {
        if (i)
            text_adds(to, at[i + 1] ? ", " : " or ");
        text_adds(to, at[i]);
    }
}

/* Prints how many images common readers of the layout of OUT do not open, and what to do. */
static void note_suffixes(const struct job *job, const struct layout *layout)
{
    const struct dataset *d = job->dataset;
    size_t n = 0, passed = 0;
    struct text name = { 0 };

    if (!layout || !layout->suffixes || job->run.verbosity < 0 || !job->output.path ||
        !*job->output.path)
        return;
    for (size_t i = 0; i < d->n_records; i++) {
        enum picture_format format;
        bool known;

        output_name(job, i, 0, &name);
        known = has_suffix(layout, name_suffix(text_string(&name), &format));
        n += !known;
        passed += !known && record_is_passed(job, i);
    }
    text_clear(&name);
    add_suffixes(layout, &name);
    if (n)
        message_print("lockstep: note: %zu of %zu images are not %s files, and some readers of %s "
                      "open only these; %s%s [layout-suffix]",
                      n, d->n_records, text_string(&name), layout->title,
                      passed < n ? "--format jpeg writes them" : "",
                      !passed      ? ""
                      : passed < n ? ", except images that are passed through"
                                   : "`lockstep run --format jpeg` writes them, but images that "
                                     "are passed through or converted keep their format");
    text_drop(&name);
}

/* Returns the suffix of all images that common readers of the layout open; NULL: there are several,
 * or readers open all. */
static const char *only_suffix(const struct layout *layout)
{
    return layout && layout->suffixes && !layout->suffixes[1] ? *layout->suffixes : NULL;
}

int open_dataset(const struct job_options *o, struct command_inputs *to)
{
    struct job *job = &to->job;
    struct dataset *dataset = &to->dataset;
    bool annotated = *job_annotations(o);
    struct text why = { 0 };
    int code = check_templates(job);

    dataset->arena = &to->arena;
    dataset->joined = job->plan->joins;
    if (!code)
        code = is_whole_dataset(o) ? open_whole_dataset(o, to) : read_source(o, to);
    to->plan.rules.integer_boxes = o->voc_integers;
    job->naming.suffix = only_suffix(to->layout);
    if (!code)
        code = check_mask_name(o, job);
    if (!code)
        code = open_check_options(o, to);
    if (code)
        return code;
    if (!dataset->n_records) {
        text_adds(&why, annotated ? "there are no images in this dataset"
                                  : "there are no images in this folder");
        if (!annotated)
            dataset_add_archive(&why, job->images.roots.at[0]);
        return refuse_input(input_name(annotated ? job_annotations(o) : job->images.roots.at[0]),
                            &why, "images-none", EXIT_INPUT);
    }
    code = open_part_settings(o, to);
    if (code)
        return code;
    note_suffixes(job, to->layout);
    set_roots(job, &to->arena);
    job->images.n_records = dataset->n_records;
    code = open_balance(o, to);
    if (code)
        return code;
    code = open_check(job->plan, job->run.verbosity, dataset, job_has_masks(job));
    if (code)
        return code;
    to->plan.rules.ids = job_choose_ids(job, &why);
    if (why.length)
        to->dense_ids = arena_copy(&to->arena, text_string(&why), why.length);
    text_drop(&why);
    return open_donors(to);
}

int open_parts(struct command_inputs *to)
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
