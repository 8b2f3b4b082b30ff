/* archive_read: reads members of archives at their offsets. */
#include "batch/io/archive_read.h"
#include "batch/io/mapped_file.h"

#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const struct member *archive_find(const struct tar_set *set, const char *name)
{
    size_t low = 0, high = set->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(set->members[middle].name, name);

        if (!order)
            return &set->members[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const char *archive_find_companion(const struct tar_set *set, const char *image, const char *suffix)
{
    const char *slash = strrchr(image, '/'), *base = slash ? slash + 1 : image;
    const char *dots[] = { strchr(base, '.'), strrchr(base, '.') };
    const struct member *found = NULL;

    for (size_t i = 0; i < COUNTOF(dots) && !found; i++) {
        struct text name = { 0 };

        text_add(&name, image, dots[i] ? (size_t)(dots[i] - image) : strlen(image));
        text_adds(&name, suffix);
        found = archive_find(set, text_string(&name));
        text_drop(&name);
    }
    return found ? found->name : NULL;
}

/* --- a member --- */

static bool say_errno(struct text *why)
{
    text_adds(why, errno_text());
    return false;
}

/* Finds a member, and gets its size with the current times of its archive. Returns NULL with the
 * reason. */
static const struct member *look(const struct tar_set *set, const char *name, struct stat *status,
                                 struct text *why)
{
    const struct member *m = archive_find(set, name);
    const struct tar_file *file = m ? &set->files[m->file] : NULL;

    errno = ENOENT;
    if (!m || fstat(file->fd, status) != 0) {
        say_errno(why);
        return NULL;
    }
    if (status->st_size != file->status.st_size ||
        status->st_mtim.tv_sec != file->status.st_mtim.tv_sec ||
        status->st_mtim.tv_nsec != file->status.st_mtim.tv_nsec) {
        text_addf(why, "%s was changed since its index was read [archive-changed]", file->path);
        return NULL;
    }
    status->st_size = (off_t)m->size;
    return m;
}

bool archive_status(const struct tar_set *set, const char *name, struct stat *status,
                    struct text *why)
{
    return look(set, name, status, why);
}

void archive_expect(const struct tar_set *set, const char *name)
{
    const struct member *m = archive_find(set, name);

    if (m)
        posix_fadvise(set->files[m->file].data, (off_t)m->at, (off_t)m->size, POSIX_FADV_WILLNEED);
}

/* Maps a member. A mapping must begin at a page boundary. */
static bool map(const struct tar_set *set, const struct member *m, struct slice *out,
                struct text *why)
{
    size_t off = (size_t)(m->at % (uint64_t)sysconf(_SC_PAGESIZE));
    char *at = mmap(NULL, (size_t)m->size + off, PROT_READ, MAP_PRIVATE, set->files[m->file].data,
                    (off_t)(m->at - off));

    if (at == MAP_FAILED)
        return say_errno(why);
    *out = (struct slice){ at + off, (size_t)m->size };
    return true;
}

/* Checks a member before its bytes are read. */
static bool is_allowed(const struct input_check *check, const struct tar_set *set,
                       const struct member *m, struct text *why)
{
    char head[16];
    size_t length = m->size < sizeof head ? (size_t)m->size : sizeof head;
    struct slice all;
    bool good;

    if (!check)
        return true;
    if (!file_read_all(set->files[m->file].data, head, length, m->at))
        return say_errno(why);
    if (!check->allows(check->context, (struct slice){ head, length }, m->size, why))
        return false;
    if (m->size <= check->large)
        return true;
    if (!map(set, m, &all, why))
        return false;
    good = check->allows_large(check->context, all, why);
    input_unmap(all);
    return good;
}

bool archive_read(const struct tar_set *set, const char *name, const struct input_check *check,
                  uint64_t max, struct text *out, struct stat *status, struct text *why)
{
    const struct member *m = look(set, name, status, why);
    char *to;

    text_clear(out);
    if (!m)
        return false;
    if (m->size > max) {
        text_addf(why, "it has more than %llu bytes", (unsigned long long)max);
        return false;
    }
    if (check && !m->size) {
        text_adds(why, "the file is empty");
        return false;
    }
    if (!is_allowed(check, set, m, why))
        return false;
    to = text_room(out, (size_t)m->size);
    if (!file_read_all(set->files[m->file].data, to, (size_t)m->size, m->at))
        return say_errno(why);
    text_grown(out, to + m->size);
    return look(set, name, status, why); /* detects a change during the read */
}

bool archive_begin(const struct tar_set *set, const char *name, void *to, size_t room,
                   uint64_t *length, struct text *why)
{
    struct stat status;
    const struct member *m = look(set, name, &status, why);

    if (!m)
        return false;
    *length = m->size;
    return file_read_all(set->files[m->file].data, to, m->size < room ? (size_t)m->size : room,
                         m->at) ||
           say_errno(why);
}

bool archive_map(const struct tar_set *set, const char *name, const struct input_check *check,
                 struct slice *out, struct text *why)
{
    struct stat status;
    const struct member *m = look(set, name, &status, why);

    *out = (struct slice){ 0 };
    if (m && !m->size)
        text_adds(why, "the file is empty");
    return m && m->size && is_allowed(check, set, m, why) && map(set, m, out, why);
}
