/* open: a pipeline and a dataset, as the options name them. */
#include "open.h"
#include "starters.h"

#include "../src/base/files.h"
#include "../src/batch/listing.h"
#include "../src/batch/mapped.h"
#include "../src/batch/name_template.h"
#include "../src/coco/dialect.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int complain(const char *path, struct text *why, const char *code_word, int code)
{
    struct faults faults = { .name = "lockstep" };

    fault_add(&faults, 0, 0, path, code_word, "%s", text_string(why));
    faults_exit(&faults, code);
    faults_drop(&faults);
    text_drop(why);
    return code;
}

static const char *name_of_input(const char *path)
{
    return strcmp(path, "-") == 0 ? "stdin" : path;
}

/* A file goes before a pipeline of the same name that comes with lockstep. */
static bool read_pipeline(const char *path, struct text *to, struct text *why)
{
    enum { MOST_PIPELINE = 64 << 20 }; /* bytes; a step has some hundred */
    const struct starter *starter = starter_get(path);

    if (!starter || access(path, F_OK) == 0)
        return input_read_named(path, MOST_PIPELINE, to, why);
    text_adds(to, starter->text);
    return true;
}

int open_plan(const char *path, struct plan *plan)
{
    struct text text = { 0 }, why = { 0 };
    struct faults faults = { .name = name_of_input(path) };
    int code = EXIT_DONE;

    if (!read_pipeline(path, &text, &why)) {
        text_drop(&text);
        return complain(path, &why, "pipeline-unread", EXIT_PIPELINE);
    }
    faults.text = (struct slice){ text_string(&text), text.length };
    if (!plan_read(&faults, plan))
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
    if (option_given("quality"))
        plan->output.quality = o->quality;
}

int open_pipeline(const struct job_options *o, struct opened *to)
{
    int code;

    *to = (struct opened){ .job = { .plan = &to->plan,
                                    .dataset = &to->dataset,
                                    .images = o->images,
                                    .masks = o->masks && *o->masks ? o->masks : NULL,
                                    .out = o->out,
                                    .mask_name = o->mask_name,
                                    .strip_prefix = o->strip_prefix,
                                    .name_template = o->name_template,
                                    .match = o->match,
                                    .copies = (unsigned)o->copies,
                                    .include_original = o->include_original,
                                    .jobs = o->jobs,
                                    .on_error = o->on_error,
                                    .max_errors =
                                        o->max_errors.given ? (int64_t)o->max_errors.number : -1,
                                    .timeout = (int64_t)o->timeout * 1000,
                                    .trust = o->trust,
                                    .links = o->no_follow ? LINKS_REFUSE : LINKS_FOLLOW,
                                    .on_frames = o->on_frames,
                                    .durability = o->durability,
                                    .sandbox = o->sandbox,
                                    .verify_resume = o->verify_resume,
                                    .progress = o->progress,
                                    .verbosity = o->quiet ? -1 : o->verbose,
                                    .max_pixels = (size_t)o->max_pixels } };
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

/* In what a run writes, a file goes by its name: where it was does not matter. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Are there images for it, once? */
static bool check_list(const struct dataset *dataset, struct faults *faults)
{
    if (dataset->format->listed && !dataset->list)
        return fault_add(faults, 0, 1, "", "image-list-missing",
                         "these are results, which have no images of their own: a COCO file that "
                         "lists them was expected with --image-list");
    if (dataset->list && !dataset->format->listed)
        return fault_add(faults, 0, 1, "", "image-list-unused",
                         "these annotations have their own list of images; --image-list is for "
                         "results, which have none");
    return true;
}

/* Editors do not count it as a column, nor do the places of faults. */
static void skip_byte_order_mark(struct faults *f)
{
    static const char mark[] = "\xef\xbb\xbf";
    const size_t length = sizeof mark - 1;

    if (f->text.length < length || memcmp(f->text.at, mark, length) != 0)
        return;
    f->text.at += length;
    f->text.length -= length;
    deviation_note(f, DEVIATION_BOM, (struct slice){ 0 }, "");
}

/* Printed in the order of the text, and kept behind those that the dataset has. */
void open_take_notes(struct faults *notes, int verbosity, struct dataset *dataset)
{
    struct note *kept = ARENA_ARRAY(dataset->arena, struct note, dataset->n_notes + notes->n),
                *next = kept;
    struct text out = { 0 };

    if (!notes->n)
        return;
    notes->verbose = verbosity > 0;
    faults_print(notes, notes->n, &out);
    if (verbosity >= 0)
        message_print_lines(&out);
    text_drop(&out);
    for (size_t i = 0; i < dataset->n_notes; i++)
        *next++ = dataset->notes[i];
    for (size_t i = 0; i < notes->n; i++) {
        const struct fault *note = &notes->list[i];

        *next++ = (struct note){ note->code, arena_printf(dataset->arena, "%s", note->path),
                                 note->times };
    }
    dataset->n_notes = (size_t)(next - kept);
    dataset->notes = kept;
}

static bool is_changed(bool thorough)
{
    struct text why = { 0 };
    bool changed = !mapped_check(thorough, &why);

    if (changed)
        message_print("lockstep: error: %s", text_string(&why));
    text_drop(&why);
    return changed;
}

int open_end(int code)
{
    return is_changed(true) ? EXIT_INPUT : code;
}

static int read_annotations(const char *path, enum compat compat, int verbosity,
                            struct dataset *dataset)
{
    struct text why = { 0 };
    const char *name = name_of_input(path);
    struct faults notes = { .name = name }, faults = { .name = name, .notes = &notes };
    int code = EXIT_DONE;

    if (!mapped_open(path, &faults.text, &why))
        return complain(path, &why, "annotations-unread", EXIT_INPUT);
    skip_byte_order_mark(&faults);
    notes.text = faults.text;
    dataset->lenient = compat == COMPAT_LENIENT;
    dataset->file = base_name(name);
    dataset->text = faults.text;
    dataset->format = registry_format(dataset->text);
    if (check_list(dataset, &faults))
        dataset->format->read(&faults, dataset);
    if (compat == COMPAT_STRICT)
        notes_refuse(&faults);
    if (is_changed(false))
        code = EXIT_INPUT;
    else if (faults.n)
        code = faults_exit(&faults, EXIT_INPUT);
    else
        open_take_notes(&notes, verbosity, dataset);
    faults_drop(&faults);
    faults_drop(&notes);
    return code;
}

/* The list of images is a dataset, too. */
static int read_list(const char *path, enum compat compat, int verbosity, struct dataset *dataset)
{
    struct dataset *list = ARENA_NEW(dataset->arena, struct dataset);

    if (!*path)
        return EXIT_DONE;
    list->arena = dataset->arena;
    dataset->list = list;
    return read_annotations(path, compat, verbosity, list);
}

/* Which files do the names of the annotations mean? */
static int find_files(const struct job *job, struct dataset *dataset)
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
    } all[] = { { "--mask-name", job->mask_name, false },
                { "--name-template", job->name_template, true } };
    struct text why = { 0 };
    int code = EXIT_DONE;

    for (size_t i = 0; i < COUNTOF(all) && !code; i++)
        if (all[i].template && !name_template_check(all[i].template, all[i].copies, &why))
            code = complain(all[i].option, &why, "name-template", EXIT_USAGE);
    if (!code && job->mask_name && *job->mask_name && !job->masks) {
        text_adds(&why, "it is of no use without --masks, the folder of the masks");
        code = complain("--mask-name", &why, "option-missing", EXIT_USAGE);
    }
    return code;
}

/* Where segments' pictures are if nobody says: in the folder named like the annotation file, as
 * COCO has them. */
static const char *segments_folder(const char *annotations, struct arena *arena)
{
    const char *name = base_name(annotations), *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - annotations) : strlen(annotations);

    return arena_copy(arena, annotations, length);
}

/* With one image file given, its folder is the root. */
static void set_root(struct job *job, struct arena *arena)
{
    struct stat status;
    const char *slash = strrchr(job->images, '/');

    if (stat(job->images, &status) != 0 || S_ISDIR(status.st_mode))
        return;
    job->single = true;
    if (!slash)
        job->images = ".";
    else
        job->images = slash == job->images
                          ? "/"
                          : arena_copy(arena, job->images, (size_t)(slash - job->images));
}

int open_dataset(const struct job_options *o, struct opened *to)
{
    const char *annotations = o->annotations, *list = o->image_list;
    enum compat compat = (enum compat)o->compat;
    struct job *job = &to->job;
    struct dataset *dataset = &to->dataset;
    struct text why = { 0 };
    int verbosity = job->verbosity;
    int code = check_templates(job);

    if (code)
        return code;
    dataset->arena = &to->arena;
    if (*annotations) {
        struct stat status;

        if (stat(job->images, &status) != 0 || !S_ISDIR(status.st_mode)) {
            text_adds(&why, "with annotations, a folder of images is required; this is none");
            return complain(job->images, &why, "images-unread", EXIT_INPUT);
        }
        code = read_list(list, compat, verbosity, dataset);
        if (!code)
            code = read_annotations(annotations, compat, verbosity, dataset);
        if (code)
            return code;
        code = find_files(job, dataset);
        if (code)
            return code;
        if (job->passed)
            listing_compare(job->images, job->links, dataset, job->passed);
        if (job_has_segments(job) && !job->masks)
            job->masks = segments_folder(annotations, &to->arena);
    } else if (*list) {
        text_adds(&why, "without annotations there is no use for a list of images");
        return complain(list, &why, "image-list-unused", EXIT_USAGE);
    } else if (!listing_read(job->images, job->links, dataset, job->passed, &why)) {
        return complain(job->images, &why, "images-unread", EXIT_INPUT);
    }
    if (!dataset->n_records) {
        text_adds(&why, *annotations ? "there are no images in this dataset"
                                     : "there are no images in this folder");
        return complain(*annotations ? annotations : job->images, &why, "images-none", EXIT_INPUT);
    }
    set_root(job, &to->arena);
    job->n_records = dataset->n_records;
    return open_check(job->plan, verbosity, dataset);
}
