/* labels: opens a folder of label files for a check, as run does. */
#include "batch/dataset/job.h"
#include "batch/dataset/label_folder.h"
#include "batch/output/output_names.h"
#include "check/elements.h"

#include <string.h>

/* Reads labels again without names of classes, if these are wrong. */
static bool read_without_names(struct dataset *d)
{
    struct faults faults = dataset_faults(d);
    bool good;

    if (!d->index.at)
        return false;
    d->index = (struct slice){ 0 };
    d->n_objects = 0;
    good = d->format->read(&faults, d);
    faults_drop(&faults);
    return good;
}

/* True for "voc-library" and "yaml-library", which are not errors of the folder. */
static bool is_about_machine(const struct faults *faults)
{
    const char *code = faults->list[0].code;
    size_t length = strlen(code), suffix = strlen("-library");

    return length > suffix && strcmp(code + length - suffix, "-library") == 0;
}

static void take_over(struct faults *to, const struct faults *from)
{
    for (size_t i = 0; i < from->n; i++)
        fault_add(to, 0, 0, from->list[i].path, from->list[i].code, "%s", from->list[i].message);
}

/* Sets the sizes of images from their files; YOLO's labels do not have them. */
static void index_images(struct annotation_file *file)
{
    const struct dataset *d = file->labels;

    file->n_images = d->n_records;
    file->images = memory_take((d->n_records + 1) * sizeof *file->images);
    for (size_t i = 0; i < d->n_records; i++)
        file->images[i] = (struct checked_image){
            .id = COCO_NO_ID,
            .name = d->records[i].name,
            .path = d->records[i].name,
            .offset = (uint64_t)(file->places->images[i].at - file->text.at),
            .length = (uint32_t)file->places->images[i].length,
            .width = d->records[i].width,
            .height = d->records[i].height,
        };
}

bool check_open_labels(struct check *c, struct annotation_file *file, struct faults *refused,
                       struct faults *faults)
{
    struct dataset *d = ARENA_NEW(&c->arena, struct dataset);
    struct job job = { .dataset = d, .images.roots = file->roots, .run.verbosity = -1 };
    const char *names = "", *folder;
    struct faults wrong = { .name = file->name };

    *d = (struct dataset){ .file = file->name,
                           .arena = &c->arena,
                           .lenient = true,
                           .voc_base = (enum voc_base)c->options->voc_base };
    check_take_part(c, file, &job, d);
    label_folder_find(file->name, &c->arena, &folder, &names);
    if (!check_read_classes(c, file, &d->classes, faults))
        return false;
    file->places = ARENA_NEW(&c->arena, struct label_places);
    if (!label_folder_open(&job, folder, names, d, file->places, &wrong)) {
        bool empty = file->part && strcmp(wrong.list[0].code, "images-none") == 0;

        if (!empty)
            take_over(faults, &wrong);
        faults_drop(&wrong);
        return empty && check_open_listing(c, file, refused, faults);
    }
    faults_drop(&wrong);
    if (file->mask_folder)
        part_masks_name(c->options->inputs[file->index].part, LINKS_FOLLOW, d);
    file->labels = d;
    file->roots = job.images.roots;
    file->text = file->sections[LIST_NONE] = d->text;
    file->format = d->format;
    file->parts = d->files;
    file->n_parts = d->n_files;
    *refused = dataset_faults(d);
    file->readable = d->format->read(refused, d);
    if (!file->readable && (is_about_machine(refused) || !read_without_names(d))) {
        take_over(faults, refused);
        return false;
    }
    index_images(file);
    return true;
}
