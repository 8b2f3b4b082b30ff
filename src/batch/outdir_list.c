/* outdir_list: the list of the files that a run has put into OUT, as it is read. */
#include "outdir.h"

#include "../base/files.h"

#include <string.h>

const char *const out_files[N_OUT_FILES] = { "errors.jsonl", "images.json", "annotations.json",
                                             "manifest.jsonl", "run.json" };

/* --- the list: "record size name", a line each; zero bytes are no line --- */

bool written_name_is_safe(const char *name)
{
    static const char *const FOLDERS[] = { OUT_IMAGES "/", OUT_MASKS "/" };
    const char *why;

    for (size_t i = 0; i < N_OUT_FILES; i++)
        if (strcmp(name, out_files[i]) == 0)
            return true;
    for (size_t i = 0; i < COUNTOF(FOLDERS); i++)
        if (strncmp(name, FOLDERS[i], strlen(FOLDERS[i])) == 0)
            return name_is_possible(name + strlen(FOLDERS[i]), &why);
    return false;
}

static bool read_count(const char **at, const char *end, uint64_t *count)
{
    const char *begin = *at;

    for (*count = 0; *at < end && **at >= '0' && **at <= '9'; ++*at)
        *count = 10 * *count + (uint64_t)(**at - '0');
    return *at > begin && *at - begin < 20 && *at < end && *(*at)++ == ' ';
}

bool written_next(struct slice list, size_t *at, struct written *w)
{
    while (*at < list.length) {
        const char *begin = list.at + *at, *c = begin;
        size_t left = list.length - *at, length = 0;

        while (length < left && begin[length] && begin[length] != '\n')
            length++;
        w->at = *at;
        w->length = length + 1;
        *at += length + 1;
        /* What is ended by a zero byte was not written to its end. */
        if (length == left || begin[length] != '\n')
            continue;
        if (!read_count(&c, begin + length, &w->record) ||
            !read_count(&c, begin + length, &w->size))
            continue;
        w->name = (struct slice){ c, (size_t)(begin + length - c) };
        if (w->name.length)
            return true;
    }
    return false;
}
