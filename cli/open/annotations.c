/* annotations: reads the annotations of a command: a file, or a folder of labels. */
#include "open/dataset.h"
#include "open/notes.h"
#include "shared/say.h"

#include "base/files.h"
#include "batch/dataset/class_file.h"
#include "batch/dataset/label_folder.h"
#include "batch/io/mapped_file.h"
#include "batch/dataset/unsupported_format.h"
#include "batch/webdataset/read_samples.h"
#include "batch/dataset/target_format.h"
#include "batch/dataset/translate.h"
#include "labels/coco/dialect.h"

#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Adds a fault unless the dataset has one list of images: its own, or --image-list. */
static bool check_list(const struct dataset *dataset, struct faults *faults)
{
    if (dataset->format->listed && !dataset->list && !dataset->listless)
        return fault_add(faults, 0, 1, "", "image-list-missing",
                         "these are results, which do not list images; give a COCO file that lists "
                         "them with --image-list");
    if (dataset->list && !dataset->format->listed)
        return fault_add(faults, 0, 1, "", "image-list-unused",
                         "these annotations have their own list of images; --image-list is for "
                         "results, which have none");
    return true;
}

/* Reads annotations from the descriptor `fd`, or from the path if it is -1. */
static int read_annotations(const char *path, int fd, const struct translate_inputs *images,
                            enum compat compat, int verbosity, struct dataset *dataset)
{
    struct text why = { 0 };
    const char *name = input_name(path);
    struct faults notes = { .name = name },
                  faults = { .name = name, .notes = &notes, .rest = mapped_file_release };
    int code = EXIT_DONE;
    if (!(fd < 0 ? mapped_open(path, &faults.text, &why)
                 : mapped_keep(path, fd, &faults.text, &why)))
        return refuse_input(path, &why, "annotations-unread", EXIT_INPUT);
    open_skip_mark(&faults);
    notes.text = faults.text;
    dataset->origin = translate_text(images, dataset->arena, &faults);
    dataset->lenient = compat == COMPAT_LENIENT;
    dataset->file = name;
    dataset->text = faults.text;
    dataset->files = faults.files;
    dataset->n_files = faults.n_files;
    dataset->format =
        dataset->origin ? registry_format(dataset->text) : registry_format_named(name);
    if (!faults.n && !dataset->format && detect_unsupported(path, dataset->text, &why)) {
        fault_add(&faults, 0, 0, "", "annotations-other", "%s", text_string(&why));
    } else if (!faults.n) {
        if (!dataset->format)
            dataset->format = registry_format(dataset->text);
        if (check_list(dataset, &faults))
            dataset->format->read(&faults, dataset);
    }
    if (compat == COMPAT_STRICT)
        notes_refuse(&faults);
    mapped_file_release(faults.text);
    if (has_changed_input(false))
        code = EXIT_INPUT;
    else if (faults.n)
        code = faults_exit(&faults, EXIT_INPUT);
    else
        open_take_notes(&notes, verbosity, dataset);
    faults_drop(&faults);
    faults_drop(&notes);
    text_drop(&why);
    return code;
}

/* Reads the list of images as a dataset. */
static int read_list(const char *path, enum compat compat, int verbosity, struct dataset *dataset)
{
    struct dataset *list = ARENA_NEW(dataset->arena, struct dataset);

    if (!*path)
        return EXIT_DONE;
    list->arena = dataset->arena;
    list->classes = dataset->classes;
    dataset->list = list;
    return read_annotations(path, -1, &(struct translate_inputs){ 0 }, compat, verbosity, list);
}

/* --- folders --- */

int open_classes(const struct job_options *o, struct dataset *d)
{
    struct faults faults = { 0 };
    int code = EXIT_DONE;

    if (*o->classes && !d->classes &&
        !(d->classes = class_file_read(o->classes, d->arena, &faults)))
        code = faults_exit(&faults, EXIT_INPUT);
    faults_drop(&faults);
    return code;
}

static int read_folder(const struct job_options *o, const char *folder, const char *names,
                       struct command_inputs *to)
{
    struct dataset *d = &to->dataset;
    struct faults faults = { .name = "lockstep" }, notes = { .name = folder }, read;
    int code = EXIT_DONE;

    d->lenient = o->compat == COMPAT_LENIENT;
    d->voc_base = (enum voc_base)o->voc_base;
    d->file = folder;
    if (!label_folder_open(&to->job, folder, names, d, NULL, &faults)) {
        code = faults_exit(&faults, EXIT_INPUT);
        faults_drop(&faults);
        return code;
    }
    read = dataset_faults(d);
    read.notes = &notes;
    d->format->read(&read, d);
    if (o->compat == COMPAT_STRICT)
        notes_refuse(&read);
    if (read.n)
        code = faults_exit(&read, EXIT_INPUT);
    else
        open_take_notes(&notes, to->job.run.verbosity, d);
    faults_drop(&read);
    faults_drop(&notes);
    return code;
}

static int read_file(const struct job_options *o, struct command_inputs *to)
{
    struct job *job = &to->job;
    struct text why = { 0 };
    struct stat status;
    int code;

    for (size_t i = 0; i < job->images.roots.n; i++)
        if (!archive_at(job->images.roots.at[i]) &&
            (stat(job->images.roots.at[i], &status) != 0 || !S_ISDIR(status.st_mode))) {
            text_adds(&why, "annotations need a folder of images, and this is not a folder");
            if (stat(job->images.roots.at[i], &status) == 0 && S_ISREG(status.st_mode))
                text_adds(&why, " but a file; give its folder");
            return refuse_input(job->images.roots.at[i], &why, "images-unread", EXIT_INPUT);
        }
    code = read_list(o->image_list, (enum compat)o->compat, job->run.verbosity, &to->dataset);
    return code ? code
                : read_annotations(
                      job_annotations(o), -1,
                      &(struct translate_inputs){ job->images.roots.at, job->images.roots.n,
                                                  job->images.links, to->dataset.classes },
                      (enum compat)o->compat, job->run.verbosity, &to->dataset);
}

static int choose_target(const struct job_options *o, struct command_inputs *to)
{
    struct text why = { 0 };

    return target_choose(&to->dataset, o->to, &why)
               ? EXIT_DONE
               : refuse_input("--to", &why, "target-refused", EXIT_USAGE);
}

int open_annotations(const struct job_options *o, struct command_inputs *to)
{
    const char *folder, *names = "";
    bool labels = label_folder_find(job_annotations(o), &to->arena, &folder, &names);
    struct text why = { 0 };
    int code;

    if (labels && *o->image_list) {
        text_adds(&why, "a folder of labels has no list of images: those of --images are taken");
        return refuse_input("--image-list", &why, "image-list-unused", EXIT_USAGE);
    }
    code = open_classes(o, &to->dataset);
    if (!code)
        code = labels ? read_folder(o, folder, names, to) : read_file(o, to);
    return code ? code : choose_target(o, to);
}

/* Copies the labels to an unnamed file: its pages can be released to the system after reading. */
int open_sample_labels(const struct job_options *o, const struct samples *samples,
                       struct command_inputs *to)
{
    int fd = memfd_create("labels", MFD_CLOEXEC), code;
    struct text why = { 0 };

    if (fd < 0 || !file_write_all(fd, samples->labels.at, samples->labels.length)) {
        text_adds(&why, errno_text());
        if (fd >= 0)
            close(fd);
        return refuse_input(samples->archive, &why, "annotations-unread", EXIT_RESOURCES);
    }
    code = open_classes(o, &to->dataset);
    if (!code)
        code = read_annotations(samples->archive, fd, &(struct translate_inputs){ 0 },
                                (enum compat)o->compat, to->job.run.verbosity, &to->dataset);
    return code ? code : choose_target(o, to);
}
