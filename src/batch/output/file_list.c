/* file_list: the list of the files that a run has put into OUT. */
#include "batch/output/file_list.h"

#include "batch/output/tar_names.h"

#include "base/files.h"
#include "base/eintr.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const out_files[N_OUT_FILES] = { "errors.jsonl", "images.json",    "annotations.json",
                                             "labels.csv",   "data.yaml",      "labelmap.txt",
                                             "README.md",    "manifest.jsonl", "run.json",
                                             "SHA256SUMS" };
const char *const out_folders[] = { OUT_IMAGES, OUT_MASKS, "labels", NULL };

bool is_out_file(const char *name)
{
    for (size_t i = 0; i < N_OUT_FILES; i++)
        if (strcmp(name, out_files[i]) == 0)
            return true;
    return false;
}

/* --- lines "record size name"; zero bytes are a canceled or unfinished line --- */

static bool is_cache(const char *name)
{
    size_t length = strlen(name), own = strlen(FILE_LIST_CACHE);

    return length > own && strcmp(name + length - own, FILE_LIST_CACHE) == 0;
}

bool file_list_name_is_safe(const char *name)
{
    size_t length = strlen(OUT_SCRATCH);
    const char *why;

    if (!strchr(name, '/'))
        return is_out_file(name) || pack_is_tar(name) || pack_is_index(name) || is_cache(name);
    return name_is_possible(name, &why) &&
           (strncmp(name, OUT_SCRATCH, length) != 0 || (name[length] && name[length] != '/'));
}

static bool read_count(const char **at, const char *end, uint64_t *count)
{
    const char *begin = *at;

    for (*count = 0; *at < end && **at >= '0' && **at <= '9'; ++*at)
        *count = 10 * *count + (uint64_t)(**at - '0');
    return *at > begin && *at - begin < 20 && *at < end && *(*at)++ == ' ';
}

bool file_list_next(struct slice list, size_t *at, struct listed_file *w)
{
    while (*at < list.length) {
        const char *begin = list.at + *at, *c = begin;
        size_t left = list.length - *at, length = 0;

        while (length < left && begin[length] && begin[length] != '\n')
            length++;
        w->at = *at;
        w->length = length + 1;
        *at += length + 1;
        /* A line that ends with a zero byte was not written completely. */
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

/* --- the file that holds the list --- */

bool file_list_start(struct out_dir *o)
{
    return store_open(&o->written, out_dir_create_scratch_file(o, "written"));
}

/* The old list stays until the new one is complete. */
bool file_list_replace(struct out_dir *o, const struct text *list)
{
    (void)RETRY(unlinkat(o->scratch - 1, "written.new", 0));
    return file_write_at(o->scratch - 1, "written.new", text_string(list), list->length) &&
           RETRY(renameat(o->scratch - 1, "written.new", o->scratch - 1, "written")) == 0 &&
           store_reopen(&o->written, out_dir_open_scratch_file(o, "written"), list->length);
}

bool file_list_reopen(struct out_dir *o)
{
    int file = out_dir_open_scratch_file(o, "written");
    struct stat status = { 0 };

    store_close(&o->written);
    if (file < 0 && errno == ENOENT)
        file = out_dir_create_scratch_file(o, "written");
    return file >= 0 && fstat(file, &status) == 0 &&
           store_reopen(&o->written, file, (uint64_t)status.st_size);
}

bool file_list_open_to_read(struct out_dir *o)
{
    int file = open_regular_at(o->scratch - 1, "written", O_RDONLY);
    struct stat status = { 0 };

    store_close(&o->written);
    return file >= 0 && fstat(file, &status) == 0 &&
           store_reopen(&o->written, file, (uint64_t)status.st_size);
}

bool file_list_add(struct out_dir *o, const char *path, size_t record, size_t length, uint64_t *at,
                   size_t *line_length)
{
    struct text line = { 0 };
    bool good;

    text_add_integer(&line, (int64_t)record);
    text_addc(&line, ' ');
    text_add_integer(&line, (int64_t)length);
    text_addc(&line, ' ');
    text_adds(&line, path);
    text_addc(&line, '\n');
    good = store_add(&o->written, &line, at);
    *line_length = line.length;
    text_drop(&line);
    return good;
}

void file_list_cancel(const struct out_dir *o, uint64_t at, size_t length)
{
    char *zeros = memory_take(length);

    memset(zeros, 0, length);
    /* The bytes are allocated already, so that this cannot fail for lack of space. */
    (void)!pwrite(o->written.file - 1, zeros, length, (off_t)at);
    free(zeros);
}

uint64_t file_list_length(const struct out_dir *o)
{
    return atomic_load(o->written.end);
}

bool file_list_read(const struct out_dir *o, uint64_t from, uint64_t end, struct text *out)
{
    char *to = text_room(out, (size_t)(end - from));

    for (uint64_t at = from; at < end;) {
        ssize_t got = pread(o->written.file - 1, to, (size_t)(end - at), (off_t)at);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        if (got == 0)
            break;
        to += got;
        at += (uint64_t)got;
    }
    text_grown(out, to);
    return true;
}

bool file_list_read_all(const struct out_dir *o, struct text *out)
{
    return file_list_read(o, 0, file_list_length(o), out);
}

/* Returns the length of the list's complete lines, or of the whole list if it has no complete line.
 */
static size_t whole_lines(const struct text *list)
{
    size_t length = list->length;

    while (length && list->at[length - 1] != '\n' && list->at[length - 1])
        length--;
    return length ? length : list->length;
}

bool file_list_walk(struct out_dir *o, bool (*each)(void *context, const struct listed_file *),
                    void *context)
{
    enum { WINDOW = 1 << 16 };
    struct text list = { 0 };
    struct listed_file line;
    uint64_t from = 0, end = file_list_length(o);
    bool good = true;
    int saved;

    while (good && from < end) {
        uint64_t to = end - from > WINDOW ? from + WINDOW : end;
        struct slice lines;
        size_t at = 0;

        text_clear(&list);
        good = file_list_read(o, from, to, &list);
        lines = (struct slice){ text_string(&list), whole_lines(&list) };
        while (good && file_list_next(lines, &at, &line))
            good = each(context, &line);
        if (!lines.length) /* the last line is incomplete */
            break;
        from += lines.length;
    }
    saved = errno;
    text_drop(&list);
    errno = saved;
    return good;
}
