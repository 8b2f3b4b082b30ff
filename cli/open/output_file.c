/* output_file: checks and writes the file or folder of a command. */
#include "open/dataset.h"
#include "shared/say.h"

#include "base/files.h"
#include "base/output_file.h"

#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int open_out_check_folder(const char *path, bool overwrite)
{
    struct stat status;
    DIR *folder;
    int n = 0;

    if (strcmp(path, "-") == 0)
        return refuse_path("--out", "option-missing",
                           "labels of a folder are written to a folder: -o DIR", EXIT_USAGE);
    if (stat(path, &status) != 0)
        return EXIT_DONE;
    if (!S_ISDIR(status.st_mode))
        return refuse_path(path, "out-occupied", "it is a file, and a folder is to be written",
                           EXIT_OCCUPIED);
    folder = opendir(path);
    while (folder && n < 3 && readdir(folder)) /* "." and ".." are two */
        n++;
    if (folder)
        closedir(folder);
    return n < 3 || overwrite
               ? EXIT_DONE
               : refuse_path(path, "out-occupied",
                             "the folder is not empty; use --overwrite, or another name",
                             EXIT_OCCUPIED);
}

bool open_is_image(const char *path, const struct job *job)
{
    char out[PATH_MAX], image[PATH_MAX];
    struct text name = { 0 };
    bool same = false;

    if (!realpath(path, out))
        return false; /* it does not exist yet */
    for (size_t i = 0; i < job->dataset->n_records && !same; i++) {
        text_clear(&name);
        path_join(&name, job_root(job, i), job_file(job, i));
        same = strcmp(base_name(out), base_name(text_string(&name))) == 0 &&
               realpath(text_string(&name), image) && strcmp(out, image) == 0;
    }
    text_drop(&name);
    return same;
}

int open_out_failed(const char *path, struct text *why, int code)
{
    if (code == EXIT_OCCUPIED)
        text_adds(why, "; use --overwrite, or another name");
    if (code)
        return refuse_input(path, why, output_code(code), code);
    text_drop(why);
    return code;
}

int open_out_check(const char *path, bool overwrite)
{
    struct text why = { 0 };

    return open_out_failed(path, &why, output_check(path, overwrite, &why));
}

int open_out_write(const char *path, bool overwrite, const struct text *bytes)
{
    struct text why = { 0 };

    return open_out_failed(path, &why,
                           output_write(path, overwrite, bytes->at, bytes->length, &why));
}
