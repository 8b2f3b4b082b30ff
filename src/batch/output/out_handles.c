/* out_handles: the descriptors of an output folder, its folders and its scratch. */
#include "batch/output/out_handles.h"

#include "batch/io/walk.h"

#include "base/files.h"
#include "base/eintr.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { INTO = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };

static int step_into(int folder, const char *name, bool make)
{
    int file = RETRY(openat(folder, name, INTO));

    if (file >= 0 || errno != ENOENT || !make)
        return file;
    if (RETRY(mkdirat(folder, name, 0777)) != 0 && errno != EEXIST)
        return -1;
    return RETRY(openat(folder, name, INTO));
}

/* Walks part by part, without following symbolic links that another process may have put there. */
static int walk(int folder, const char *path, size_t length, bool make)
{
    struct text part = { 0 };
    int at = folder;

    for (size_t i = 0; i < length;) {
        size_t n = strcspn(path + i, "/");
        int next, saved;

        text_clear(&part);
        text_add(&part, path + i, n);
        next = step_into(at, text_string(&part), make);
        saved = errno;
        if (at != folder)
            close(at);
        errno = saved;
        at = next;
        if (at < 0)
            break;
        i += n + 1;
    }
    text_drop(&part);
    return at;
}

int out_dir_find_parent(struct out_dir *o, const char *path, bool make, const char **base)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;
    int root = (o->apart ? o->apart : o->folder) - 1, file;
    struct out_dir_folder spare;

    *base = slash ? slash + 1 : path;
    if (!slash)
        return root;
    for (size_t i = 0; i < COUNTOF(o->recent); i++)
        if (o->recent[i].file && o->recent[i].path.length == length &&
            memcmp(o->recent[i].path.at, path, length) == 0)
            return o->recent[i].file - 1;
    file = walk(root, path, length, make);
    if (file < 0)
        return -1;
    spare = o->recent[COUNTOF(o->recent) - 1];
    if (spare.file)
        close(spare.file - 1);
    memmove(&o->recent[1], o->recent, sizeof o->recent - sizeof *o->recent);
    text_clear(&spare.path);
    text_add(&spare.path, path, length);
    spare.file = file + 1;
    o->recent[0] = spare;
    return file;
}

void out_dir_forget_folders(struct out_dir *o)
{
    for (size_t i = 0; i < COUNTOF(o->recent); i++) {
        if (o->recent[i].file)
            close(o->recent[i].file - 1);
        o->recent[i].file = 0;
    }
}

int open_regular_at(int folder, const char *name, int access)
{
    int file = RETRY(openat(folder, name, access | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status;

    if (file < 0 || (fstat(file, &status) == 0 && S_ISREG(status.st_mode)))
        return file;
    close(file);
    errno = EINVAL;
    return -1;
}

const char *scratch_name(const char *name, struct text *flat)
{
    if (!strchr(name, '/'))
        return name;
    text_clear(flat);
    for (; *name; name++)
        text_adds(flat, (char[]){ *name == '/' ? '%' : *name, '\0' });
    return text_string(flat);
}

int out_dir_create_scratch_file(struct out_dir *o, const char *name)
{
    struct text flat = { 0 };
    int file = file_create_at(o->scratch - 1, scratch_name(name, &flat), O_RDWR);

    text_drop(&flat);
    return file;
}

bool out_dir_has_scratch_file(const struct out_dir *o, const char *name)
{
    struct stat status;

    return fstatat(o->scratch - 1, name, &status, AT_SYMLINK_NOFOLLOW) == 0;
}

int out_dir_open_scratch_file(struct out_dir *o, const char *name)
{
    struct text flat = { 0 };
    int file = open_regular_at(o->scratch - 1, scratch_name(name, &flat), O_RDWR);

    text_drop(&flat);
    return file;
}

void close_stored_descriptor(int *file)
{
    if (*file)
        close(*file - 1);
    *file = 0;
}

void out_dir_close(struct out_dir *o)
{
    out_dir_forget_folders(o);
    for (size_t i = 0; i < COUNTOF(o->recent); i++)
        text_drop(&o->recent[i].path);
    store_close(&o->written);
    close_stored_descriptor(&o->apart);
    close_stored_descriptor(&o->shard_lock);
    close_stored_descriptor(&o->lock);
    close_stored_descriptor(&o->scratch);
    close_stored_descriptor(&o->folder);
}

FILE *open_stream_at(int folder, const char *name)
{
    int fd = open_regular_at(folder, name, O_RDONLY);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "r");

    if (fd >= 0 && !file)
        close(fd);
    return file;
}

bool read_regular_at(int folder, const char *name, struct text *out)
{
    enum { STEP = 1 << 16 };
    int file = open_regular_at(folder, name, O_RDONLY), saved;
    ssize_t got = -1;

    if (file < 0)
        return false;
    do {
        char *to = text_room(out, STEP);

        got = TEMP_FAILURE_RETRY(read(file, to, STEP));
        if (got > 0)
            text_grown(out, to + got);
    } while (got > 0);
    saved = errno;
    close(file);
    errno = saved;
    return got == 0;
}

bool out_dir_try_name(struct out_dir *o, const char *path)
{
    struct text whole = { 0 };
    const char *slash;
    int folder, file = -1, saved;

    path_join(&whole, "probe", path);
    slash = strrchr(text_string(&whole), '/');
    folder = walk(o->scratch - 1, whole.at, (size_t)(slash - whole.at), true);
    if (folder >= 0)
        file = file_create_at(folder, slash + 1, O_WRONLY);
    saved = errno;
    if (folder >= 0)
        close(folder);
    if (file >= 0)
        close(file);
    text_drop(&whole);
    errno = saved;
    return file >= 0;
}

bool out_dir_end_tries(struct out_dir *o)
{
    return folder_remove_entry(o->scratch - 1, "probe");
}
