/* sandbox_links: where symbolic links among the inputs lead. */
#include "names.h"
#include "sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct search {
    const struct job *job;
    sandbox_link *found;
    void *context;
};

/* The path of an open file, without links; false when the kernel does not say. */
static bool path_of(int file, char path[PATH_MAX])
{
    char link[64];
    ssize_t length;

    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    length = readlink(link, path, PATH_MAX - 1);
    path[length < 0 ? 0 : length] = '\0';
    return *path == '/';
}

static bool is_below(const char *path, int folder)
{
    char above[PATH_MAX];
    size_t length;

    if (!path_of(folder, above))
        return false;
    length = strlen(above);
    return strncmp(path, above, length) == 0 && (path[length] == '/' || length == 1);
}

static void look(const struct search *s, const char *root, const char *name)
{
    int folder = input_folder(root), file = input_open(folder, name, LINKS_REFUSE, O_PATH);
    char path[PATH_MAX];

    if (file < 0 && errno == ELOOP) {
        file = input_open(folder, name, LINKS_FOLLOW, O_PATH);
        /* Without /proc it may be anywhere. */
        if (file >= 0 && !path_of(file, path))
            strcpy(path, "/");
        if (file >= 0 && !is_below(path, folder))
            s->found(s->context, path, file);
    }
    if (file >= 0)
        close(file);
}

void sandbox_find_links(const struct job *job, sandbox_link *found, void *context)
{
    const struct search s = { job, found, context };
    struct text mask = { 0 }, why = { 0 };
    const char *code;

    for (size_t i = 0; i < job->n_records; i++) {
        text_clear(&why);
        if (!names_allowed(job, i, &why, &code))
            continue;
        look(&s, job->images, job->dataset->records[i].name);
        if (mask_name(job, i, &mask))
            look(&s, job->masks, text_string(&mask));
    }
    text_drop(&mask);
    text_drop(&why);
}
