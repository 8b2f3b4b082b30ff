/* open_label_file: annotations of commands that look at no image, and the one file that they write.
 */
#include "open.h"

#include "../src/base/files.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int open_out_refuse(const char *path, const char *code_word, const char *why, int code)
{
    struct text text = { 0 };

    text_adds(&text, why);
    return open_complain(path, &text, code_word, code);
}

int open_label_file(const char *path, const char *image_list, int verbosity, struct opened *to)
{
    const struct job_options job = { .annotations = path, .image_list = image_list, .classes = "" };
    struct stat status;
    int code;

    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return open_out_refuse(path, "annotations-other",
                               "it is a folder; a COCO file or COCO's results were expected",
                               EXIT_INPUT);
    to->job.verbosity = verbosity;
    to->dataset.arena = &to->arena;
    to->dataset.listless = true;
    code = open_annotations(&job, to);
    if (!code && to->dataset.format->paint)
        code = open_out_refuse(path, "target-refused",
                               "panoptic segments are in pictures; `lockstep run` reads them",
                               EXIT_INPUT);
    return code;
}

int open_label_folder(const char *path, const char *image_list, const char *classes, int voc_base,
                      struct opened *to)
{
    const struct job_options options = {
        .annotations = path, .image_list = image_list, .classes = classes, .voc_base = voc_base
    };
    const char *images = *to->job.roots.at;
    struct stat status;

    if (!*images)
        return open_out_refuse(path, "images-unread",
                               "a folder of labels needs its folder of images: -i IMAGES",
                               EXIT_USAGE);
    if (stat(images, &status) != 0 || !S_ISDIR(status.st_mode))
        return open_out_refuse(images, "images-unread",
                               "a folder of images was expected, and this is none", EXIT_INPUT);
    to->dataset.arena = &to->arena;
    return open_annotations(&options, to);
}

int open_out_check_folder(const char *path, bool overwrite)
{
    struct stat status;
    DIR *folder;
    int n = 0;

    if (strcmp(path, "-") == 0)
        return open_out_refuse("--out", "option-missing",
                               "labels of a folder are written to a folder: -o DIR", EXIT_USAGE);
    if (stat(path, &status) != 0)
        return EXIT_DONE;
    if (!S_ISDIR(status.st_mode))
        return open_out_refuse(path, "out-occupied", "it is a file, and a folder is to be written",
                               EXIT_OCCUPIED);
    folder = opendir(path);
    while (folder && n < 3 && readdir(folder)) /* "." and ".." are two */
        n++;
    if (folder)
        closedir(folder);
    return n < 3 || overwrite
               ? EXIT_DONE
               : open_out_refuse(path, "out-occupied",
                                 "the folder is not empty; use --overwrite, or another name",
                                 EXIT_OCCUPIED);
}

int open_out_check(const char *path, bool overwrite)
{
    struct stat status;

    if (strcmp(path, "-") == 0 || overwrite || stat(path, &status) != 0 ||
        !S_ISREG(status.st_mode) || file_is_stream(path))
        return EXIT_DONE;
    return open_out_refuse(path, "out-occupied",
                           "the file exists; use --overwrite, or another name", EXIT_OCCUPIED);
}

int open_out_write(const char *path, const struct text *bytes)
{
    if (strcmp(path, "-") == 0)
        fwrite(bytes->at, 1, bytes->length, stdout);
    else if (!file_write_below(path, bytes->at, bytes->length))
        return open_out_refuse(path, "out-write", errno_text(), EXIT_OUTPUT);
    return EXIT_DONE;
}
