/* inspect: the image files of annotation files, for the rules that look at them. */
#include "../batch/inspect.h"
#include "read.h"

#include <stdlib.h>

/* The images as records, as far as their names go. */
static void make_dataset(struct check *c, const struct annotation_file *file, struct dataset *d)
{
    struct record *records = ARENA_ARRAY(&c->arena, struct record, file->n_images + 1);

    for (size_t i = 0; i < file->n_images; i++) {
        records[i].name = file->images[i].name;
        records[i].mask = file->pictures ? file->pictures[i].name : NULL;
    }
    *d = (struct dataset){
        .format = file->format, .arena = &c->arena, .records = records, .n_records = file->n_images
    };
}

static const char *folder_of(const struct check_options *o, size_t file)
{
    return o->folders[o->n_folders > 1 ? file : 0];
}

static bool inspect_file_of(struct check *c, struct annotation_file *file, struct faults *faults)
{
    const struct check_options *o = c->options;
    struct dataset dataset;
    struct inspect_job job = { .dataset = &dataset,
                               .images = file->folder,
                               .pixels = o->level == CHECK_PIXELS,
                               .jobs = o->jobs };
    struct text why = { 0 };
    bool good;

    if (input_folder(job.images) < 0)
        return fault_add(faults, 0, 0, job.images, "images-unread", "%s", errno_text());
    if (file_is_panoptic(file) && *o->pictures && input_folder(o->pictures) < 0)
        return fault_add(faults, 0, 0, o->pictures, "images-unread", "%s", errno_text());
    if (file_is_panoptic(file) && *o->pictures)
        file->picture_folder = job.masks = o->pictures;
    make_dataset(c, file, &dataset);
    file->inspection = memory_take(sizeof *file->inspection);
    good = inspect_images(file->inspection, &job, &why);
    if (!good)
        fault_add(faults, 0, 0, file->name, "worker-start", "%s", text_string(&why));
    text_drop(&why);
    return good;
}

bool check_inspect(struct check *c, struct faults *faults)
{
    bool good = true;

    for (size_t i = 0; c->options->n_folders && i < c->n_files; i++)
        c->files[i].folder = folder_of(c->options, i);
    for (size_t i = 0; c->options->level > CHECK_NO_IMAGES && good && i < c->n_files; i++)
        if (c->files[i].n_images)
            good = inspect_file_of(c, &c->files[i], faults);
    return good;
}

void check_forget_inspection(struct annotation_file *file)
{
    if (!file->inspection)
        return;
    inspection_drop(file->inspection);
    free(file->inspection);
}
