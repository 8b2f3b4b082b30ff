/* out_files: writes, lists, removes and verifies the files of an output folder. */
#include "batch/output/out_files.h"

#include "base/files.h"
#include "base/eintr.h"
#include "base/hash.h"
#include "batch/io/folder.h"
#include "batch/output/shard_dirs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- files --- */

static void part_name(char name[32], long process)
{
    snprintf(name, 32, "%ld.part", process);
}

void out_dir_remove_part(struct out_dir *o, long process)
{
    char part[32];

    part_name(part, process);
    (void)RETRY(unlinkat(o->scratch - 1, part, 0));
}

static bool place(struct out_dir *o, const char *part, const char *path, size_t record,
                  size_t length)
{
    const char *base;
    int folder, saved;
    size_t line_length;
    uint64_t at;

    /* Lists the file before making its folders, so that a run that is killed in between leaves no
     * unlisted folders. */
    if (!file_list_add(o, path, record, length, &at, &line_length))
        return false;
    folder = out_dir_find_parent(o, path, true, &base);
    if (folder >= 0 && rename_new(o->scratch - 1, part, folder, base))
        return true;
    saved = errno;
    file_list_cancel(o, at, line_length);
    errno = saved;
    return false;
}

bool out_dir_write_file(struct out_dir *o, const char *path, size_t record, const void *bytes,
                        size_t length)
{
    char part[32];
    bool good;
    int saved;

    part_name(part, getpid());
    if (!file_write_at(o->scratch - 1, part, bytes, length))
        return false;
    good = place(o, part, path, record, length);
    saved = errno;
    if (!good)
        (void)RETRY(unlinkat(o->scratch - 1, part, 0));
    errno = saved;
    return good;
}

/* The file is listed before it is moved, so that a run that is killed in between leaves nothing
 * unlisted. */
bool out_dir_publish(struct out_dir *o, const char *name)
{
    struct text flat = { 0 };
    const char *part = scratch_name(name, &flat);
    struct stat status;
    bool good = fstatat(o->scratch - 1, part, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                place(o, part, name, OUT_FILES_RECORD, (size_t)status.st_size);

    text_drop(&flat);
    return good;
}

/* Copies `left` bytes to a new file. Returns false with errno. */
static bool copy_bytes(int from, int to, uint64_t left)
{
    enum { MAX_CHUNK = 1 << 30 };

    while (left) {
        ssize_t n = RETRY(sendfile(to, from, NULL, left < MAX_CHUNK ? (size_t)left : MAX_CHUNK));

        if (n <= 0) {
            errno = n ? errno : ESTALE;
            return false;
        }
        left -= (uint64_t)n;
    }
    return true;
}

static bool copy_file(struct out_dir *o, int folder, const char *base, const char *path,
                      const struct listed_file *line)
{
    char part[32];
    int from = open_regular_at(folder, base, O_RDONLY), to;
    bool good = false;
    int saved;

    if (from < 0)
        return false;
    part_name(part, getpid());
    to = file_create_at(o->scratch - 1, part, O_WRONLY);
    good = to >= 0 && copy_bytes(from, to, line->size);
    saved = errno;
    if (to >= 0 && close(to) != 0 && good) {
        good = false;
        saved = errno;
    }
    close(from);
    errno = saved;
    good = good && place(o, part, path, (size_t)line->record, (size_t)line->size);
    saved = errno;
    if (!good && to >= 0)
        (void)RETRY(unlinkat(o->scratch - 1, part, 0));
    errno = saved;
    return good;
}

static bool link_file(struct out_dir *o, int folder, const char *base, const char *path,
                      const struct listed_file *line)
{
    size_t length;
    const char *name;
    uint64_t at;
    int to, saved;

    if (!file_list_add(o, path, (size_t)line->record, (size_t)line->size, &at, &length))
        return false;
    to = out_dir_find_parent(o, path, true, &name);
    if (to >= 0 && RETRY(linkat(folder, base, to, name, 0)) == 0)
        return true;
    saved = errno;
    file_list_cancel(o, at, length);
    errno = saved;
    return false;
}

bool out_dir_link_image(struct out_dir *o, const char *path, size_t record, uint64_t size,
                        const char *folder, const char *name, bool symbolic)
{
    struct text joined = { 0 };
    char *source;
    size_t length;
    const char *base;
    uint64_t at;
    int to, saved;
    bool good;

    path_join(&joined, folder, name);
    source = realpath(text_string(&joined), NULL);
    text_drop(&joined);
    good = source && file_list_add(o, path, record, (size_t)size, &at, &length);
    if (!good) {
        free(source);
        return false;
    }
    to = out_dir_find_parent(o, path, true, &base);
    good = to >= 0 && (symbolic ? RETRY(symlinkat(source, to, base)) == 0
                                : RETRY(linkat(AT_FDCWD, source, to, base, 0)) == 0);
    saved = errno;
    if (!good)
        file_list_cancel(o, at, length);
    free(source);
    errno = saved;
    return good;
}

/* True if the entry is a regular file of this size, or a symbolic link to one. */
static bool is_file_of_size(int folder, const char *base, uint64_t size)
{
    struct stat status;

    return fstatat(folder, base, &status, 0) == 0 && S_ISREG(status.st_mode) &&
           (uint64_t)status.st_size == size;
}

bool out_dir_link_or_copy(struct out_dir *o, struct out_dir *from, const struct listed_file *line,
                          bool link)
{
    struct text path = { 0 };
    struct stat status;
    const char *base;
    bool good = false;
    int folder, saved;

    text_add(&path, line->name.at, line->name.length);
    folder = out_dir_find_parent(from, text_string(&path), false, &base);
    if (folder >= 0 && fstatat(folder, base, &status, AT_SYMLINK_NOFOLLOW) == 0) {
        if (S_ISREG(status.st_mode) && (uint64_t)status.st_size == line->size)
            good = (link ? link_file : copy_file)(o, folder, base, text_string(&path), line);
        else if (S_ISLNK(status.st_mode) && is_file_of_size(folder, base, line->size))
            good = out_dir_link_image(o, text_string(&path), (size_t)line->record, line->size,
                                      from->path, text_string(&path), true);
        else
            errno = ESTALE;
    }
    saved = errno;
    text_drop(&path);
    errno = saved;
    return good;
}

bool out_dir_has_file(struct out_dir *o, const char *path, uint64_t size, const uint64_t *hash)
{
    const char *base;
    int folder = out_dir_find_parent(o, path, false, &base), file;
    struct text bytes = { 0 }, why = { 0 };
    bool there = folder >= 0 && is_file_of_size(folder, base, size);

    if (!there || !hash)
        return there;
    file = RETRY(openat(folder, base, O_RDONLY | O_NONBLOCK | O_CLOEXEC)); /* a link is followed */
    there = file >= 0 && input_read_all(file, &bytes, &why) &&
            hash_quick(bytes.at, bytes.length) == *hash;
    if (file >= 0)
        close(file);
    text_drop(&bytes);
    text_drop(&why);
    return there;
}

void out_dir_remove_file(struct out_dir *o, const char *path)
{
    const char *base;
    int folder = out_dir_find_parent(o, path, false, &base);
    struct stat status;

    if (folder >= 0 && fstatat(folder, base, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
        (S_ISREG(status.st_mode) || S_ISLNK(status.st_mode)))
        (void)RETRY(unlinkat(folder, base, 0));
}

/* Returns false with errno; the file may still exist. */
static bool unlink_file(struct out_dir *o, struct slice name)
{
    struct text path = { 0 };
    const char *base;
    bool gone;
    int folder, saved;

    text_add(&path, name.at, name.length);
    folder = out_dir_find_parent(o, text_string(&path), false, &base);
    gone = (folder >= 0 && RETRY(unlinkat(folder, base, 0)) == 0) || errno == ENOENT ||
           errno == ENOTDIR;
    saved = errno;
    text_drop(&path);
    errno = saved;
    return gone;
}

void out_dir_remove_outputs(struct out_dir *o, size_t record, uint64_t mark)
{
    struct text list = { 0 };
    struct listed_file line;
    size_t at = 0;

    if (!file_list_read(o, mark, file_list_length(o), &list))
        return; /* a later run finds the files in the list, and so does out_dir_verify */
    while (file_list_next((struct slice){ text_string(&list), list.length }, &at, &line)) {
        if (line.record != record)
            continue;
        (void)unlink_file(o, line.name);
        file_list_cancel(o, mark + line.at, line.length);
    }
    text_drop(&list);
}

bool out_dir_remove_all_outputs(struct out_dir *o)
{
    struct text list = { 0 };
    struct listed_file line;
    size_t at = 0;
    bool good = file_list_read_all(o, &list);
    int saved;

    while (good && file_list_next((struct slice){ text_string(&list), list.length }, &at, &line)) {
        if (line.record == OUT_FILES_RECORD)
            continue;
        good = unlink_file(o, line.name);
        if (good)
            file_list_cancel(o, line.at, line.length);
    }
    saved = errno;
    text_drop(&list);
    errno = saved;
    return good && out_dir_remove_empty_folders(o);
}

/* --- at the end --- */

static bool is_there(struct out_dir *o, const struct listed_file *line, struct text *path,
                     struct text *why)
{
    struct stat status;
    const char *base;
    int folder;

    text_clear(path);
    text_add(path, line->name.at, line->name.length);
    folder = out_dir_find_parent(o, text_string(path), false, &base);
    if (folder < 0 || fstatat(folder, base, &status, AT_SYMLINK_NOFOLLOW) != 0)
        text_addf(why, "%s is missing now: %s [out-changed]", text_string(path), errno_text());
    else if (!is_file_of_size(folder, base, line->size))
        text_addf(why, "%s has changed since it was written [out-changed]", text_string(path));
    else
        return true;
    return false;
}

static bool is_same_folder(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_at_path(const struct out_dir *o, struct text *why)
{
    struct stat open_one, there;

    if (fstat(o->folder - 1, &open_one) == 0 && stat(o->path, &there) == 0 &&
        is_same_folder(&open_one, &there) &&
        (!o->apart || (fstat(o->apart - 1, &open_one) == 0 &&
                       fstatat(o->scratch - 1, "new", &there, AT_SYMLINK_NOFOLLOW) == 0 &&
                       is_same_folder(&open_one, &there))))
        return true;
    text_adds(why,
              "the folder was removed or replaced while the run was writing to it [out-changed]");
    return false;
}

struct verify_state {
    struct out_dir *outdir;
    struct text path, *why;
};

static bool verify_line(void *context, const struct listed_file *line)
{
    struct verify_state *v = context;

    return is_there(v->outdir, line, &v->path, v->why);
}

bool out_dir_verify(struct out_dir *o, struct text *why)
{
    struct verify_state v = { .outdir = o, .why = why };
    bool good;

    out_dir_forget_folders(o);
    good = is_at_path(o, why) && file_list_walk(o, verify_line, &v);
    if (!good && !why->length)
        text_adds(why, errno_text());
    text_drop(&v.path);
    return good;
}
