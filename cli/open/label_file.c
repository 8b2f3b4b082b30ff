/* label_file: reads annotations for commands that open no image. */
#include "open/dataset.h"
#include "shared/say.h"

#include "batch/dataset/label_folder.h"

#include <sys/stat.h>

int open_label_file(const char *path, const char *image_list, const char *classes, int verbosity,
                    struct command_inputs *to)
{
    const struct job_options job = { .annotations = { &path, 1 },
                                     .image_list = image_list,
                                     .classes = classes };
    struct stat status;
    int code;

    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return refuse_path(path, "annotations-other",
                           "it is a folder; a COCO file or COCO's results were expected",
                           EXIT_INPUT);
    to->job.run.verbosity = verbosity;
    to->dataset.arena = &to->arena;
    to->dataset.listless = true;
    code = open_annotations(&job, to);
    if (!code && to->dataset.format->paint)
        code =
            refuse_path(path, "target-refused",
                        "panoptic segments are in pictures; `lockstep run` reads them", EXIT_INPUT);
    return code;
}

int open_without_images(const char *path)
{
    struct faults faults = { .name = "lockstep" };
    int code = faults_exit(&faults, label_folder_refuse(path, &faults) ? EXIT_USAGE : EXIT_INPUT);

    faults_drop(&faults);
    return code;
}

int open_label_folder(const char *path, const char *image_list, const char *classes, int voc_base,
                      struct command_inputs *to)
{
    const struct job_options options = { .annotations = { &path, 1 },
                                         .image_list = image_list,
                                         .classes = classes,
                                         .voc_base = voc_base };
    const char *images = *to->job.images.roots.at;
    struct stat status;

    if (!*images)
        return open_without_images(path);
    if (stat(images, &status) != 0 || !S_ISDIR(status.st_mode))
        return refuse_path(images, "images-unread",
                           "a folder of images was expected, and this is none", EXIT_INPUT);
    to->dataset.arena = &to->arena;
    return open_annotations(&options, to);
}
