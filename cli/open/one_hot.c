/* one_hot: writes the table of labels for run and merge. */
#include "open/dataset.h"
#include "shared/say.h"

#include "base/files.h"
#include "base/output_file.h"
#include "batch/finished/one_hot.h"
#include "batch/io/path_within.h"

#include <string.h>

/* Checks that the file of column names may be written next to the table. Returns the exit code. */
static int check_classes(const char *path, bool overwrite)
{
    struct text classes = { 0 };
    int code = EXIT_DONE;

    one_hot_classes_path(path, &classes);
    if (classes.length)
        code = open_out_check(text_string(&classes), overwrite);
    text_drop(&classes);
    return code;
}

int open_one_hot_check(const char *path, const char *out, bool overwrite)
{
    size_t length = strlen(out);
    struct text why = { 0 };
    int code;

    while (length > 1 && out[length - 1] == '/')
        length--;
    if (!*path)
        return EXIT_DONE;
    if ((strncmp(path, out, length) == 0 && path[length] == '/') || path_is_within(path, out)) {
        text_addf(&why, "%s holds what a run writes alone; give a path outside of it", out);
        return refuse_input("--one-hot", &why, "out-inside", EXIT_USAGE);
    }
    code = check_classes(path, overwrite);
    return code ? code : open_out_check(path, overwrite);
}

int open_one_hot_check_sources(const char *path, const struct job *job)
{
    bool same = *path && open_is_image(path, job);

    for (size_t i = 0; i < job->images.sources.n && *path && !same; i++)
        same = file_is_same(path, job->images.sources.at[i]);
    return !same ? EXIT_DONE
                 : refuse_path(path, "out-inside",
                               "it is read here, too: write the table elsewhere", EXIT_USAGE);
}

int open_one_hot_check_former(const char *path, const struct dataset *dataset)
{
    return !*path || one_hot_may_replace(path, dataset)
               ? EXIT_DONE
               : refuse_path(path, "out-occupied",
                             "the file exists, and is no table with the classes of this run; "
                             "give another name",
                             EXIT_OCCUPIED);
}

int open_one_hot_write(const char *path, const char *out, bool overwrite, int code)
{
    struct text why = { 0 };
    int written = EXIT_DONE;

    if (*path && (code == EXIT_DONE || code == EXIT_PARTIAL))
        written = one_hot_write(out, path, overwrite, &why);
    return written ? refuse_input("--one-hot", &why, output_code(written), written) : code;
}
