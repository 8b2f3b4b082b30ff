/* image_facts: inspects the image files of annotation files, for rules about them. */
#include "batch/inspect/inspect.h"
#include "batch/dataset/resolve_names.h"
#include "batch/webdataset/read_samples.h"
#include "batch/dataset/archive_open.h"
#include "batch/io/folder.h"
#include "labels/coco/panoptic.h"
#include "check/elements.h"

#include <stdlib.h>
#include <string.h>

/* Makes records of the images, with their names only. */
static void make_dataset(struct check *c, const struct annotation_file *file, struct dataset *d)
{
    struct record *records = ARENA_ARRAY(&c->arena, struct record, file->n_images + 1);

    for (size_t i = 0; i < file->n_images; i++) {
        records[i].name = file->images[i].name;
        records[i].mask = file->pictures ? file->pictures[i].name
                          : file->listed ? file->listed->records[i].mask
                          : file->labels ? file->labels->records[i].mask
                                         : NULL;
    }
    *d = (struct dataset){
        .format = file->format, .arena = &c->arena, .records = records, .n_records = file->n_images
    };
}

/* True if images can be read from there. Images in an archive have the names under which they were
 * packed. */
bool check_open_images(const char *path, struct faults *faults)
{
    struct samples samples;
    bool good;

    if (strcmp(path, "-") == 0)
        return fault_add(
            faults, 0, 0, "-i -", "stream-headers",
            "the headers of all images are read in any order, and stdin can only be read "
            "once: write the archive to a file; ./- is a folder of this name");
    if (!archive_is_path(path))
        return input_folder(path) >= 0 ||
               fault_add(faults, 0, 0, path, "images-unread", "%s", errno_text());
    if (archive_at(path))
        return true;
    good =
        archive_open(path, faults) == EXIT_DONE && samples_take(&path, 1, false, &samples, faults);
    if (good)
        samples_drop(&samples);
    return good;
}

/* Returns the folder of a panoptic file's pictures. By default it is run's, or NULL if that does
 * not exist. */
static const char *find_pictures(struct check *c, const struct annotation_file *file)
{
    const char *given = c->options->pictures;
    const char *beside = *given ? given : coco_panoptic_folder(file->name, &c->arena);

    return *given || input_folder(beside) >= 0 ? beside : NULL;
}

/* Finds the image files by the names in the annotations, as run does. Returns false with faults. */
static bool locate(const struct check *c, struct annotation_file *file, struct dataset *d,
                   struct faults *faults)
{
    struct job job = { .dataset = d,
                       .images.roots = file->roots,
                       .images.strip_prefix = c->options->strip_prefix,
                       .images.match = c->options->match,
                       .images.links = LINKS_FOLLOW };

    if (!resolve_names(&job, d, faults))
        return false;
    for (size_t i = 0; i < file->n_images; i++)
        file->images[i].path = d->records[i].name;
    file->roots = job.images.roots;
    return true;
}

bool check_inspect(struct check *c, struct annotation_file *file, struct faults *faults)
{
    const struct check_options *o = c->options;
    struct dataset dataset;
    struct inspect_job job = { .dataset = &dataset,
                               .masks = { &file->mask_folder, file->mask_folder != NULL, NULL },
                               .labels = file->mask_folder != NULL,
                               .pixels = o->level == CHECK_PIXELS,
                               .mask_pixels =
                                   file->mask_folder ? o->mask_values : o->level == CHECK_PIXELS,
                               .jobs = o->jobs };
    struct text why = { 0 };
    bool good;

    if (o->level == CHECK_NO_IMAGES || !file->n_images || !file->roots.n)
        return true;
    for (size_t i = 0; i < file->roots.n; i++)
        if (!check_open_images(file->roots.at[i], faults))
            return false;
    if (file_is_panoptic(file) && *o->pictures && input_folder(o->pictures) < 0)
        return fault_add(faults, 0, 0, o->pictures, "images-unread", "%s", errno_text());
    if (file_is_panoptic(file))
        file->picture_folder = find_pictures(c, file);
    if (file->picture_folder)
        job.masks = (struct roots){ &file->picture_folder, 1, NULL };
    make_dataset(c, file, &dataset);
    if (!file->listed && !locate(c, file, &dataset, faults))
        return false;
    job.images = file->roots;
    file->inspection = memory_take(sizeof *file->inspection);
    good = inspect_images(file->inspection, &job, &why);
    if (!good)
        fault_add(faults, 0, 0, file->name, "worker-start", "%s", text_string(&why));
    text_drop(&why);
    return good;
}

void check_forget_inspection(struct annotation_file *file)
{
    if (!file->inspection)
        return;
    inspection_drop(file->inspection);
    free(file->inspection);
}
