/* shard_dirs: an output folder that several shards of a run write to. */
#include "batch/output/shard_dirs.h"

#include "batch/output/out_dir.h"
#include "batch/io/walk.h"
#include "batch/output/file_list.h"
#include "batch/output/lock.h"

#include "base/files.h"
#include "base/eintr.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    FOLDER = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
    MAX_JOB_BYTES = 64 << 20, /* of the job file, which holds a key */
    TRIES = 20
};
/* File in OUT_SHARDS: FIRST_LINE, the number of shards, and the key. */
#define JOB "job"
static const char FIRST_LINE[] = "lockstep shards 1\n";

static int refuse(int code, struct faults *faults, const char *path, const char *code_word,
                  const char *why)
{
    fault_add(faults, 0, 0, path, code_word, "%s", why);
    return code;
}

/* --- the job --- */

static bool read_job(int scratch, struct text *out)
{
    int shards = RETRY(openat(scratch, OUT_SHARDS, FOLDER));
    int file = shards < 0 ? -1 : open_regular_at(shards, JOB, O_RDONLY), saved = errno;
    struct stat status;
    ssize_t got = -1;

    if (file >= 0 && fstat(file, &status) == 0 && status.st_size <= MAX_JOB_BYTES) {
        char *to = text_room(out, (size_t)status.st_size);

        got = RETRY(pread(file, to, (size_t)status.st_size, 0));
        saved = got == status.st_size ? 0 : errno ? errno : EIO;
        text_grown(out, to + (got > 0 ? got : 0));
    }
    if (file >= 0)
        close(file);
    if (shards >= 0)
        close(shards);
    errno = saved;
    return !saved;
}

bool out_dir_read_shards(const struct out_dir *o, size_t *count, struct text *key)
{
    enum { FIRST_LENGTH = sizeof FIRST_LINE - 1 };
    struct text job = { 0 };
    bool good = o->scratch && read_job(o->scratch - 1, &job);
    char *end = NULL;

    if (good && (job.length < FIRST_LENGTH || memcmp(job.at, FIRST_LINE, FIRST_LENGTH) != 0)) {
        errno = EBADMSG;
        good = false;
    }
    if (good) {
        *count = strtoul(text_string(&job) + FIRST_LENGTH, &end, 10);
        good = *count && *count <= MAX_SHARDS && *end == '\n';
        if (good)
            text_add(key, end + 1, (size_t)(job.at + job.length - end) - 1);
        else
            errno = EBADMSG;
    }
    text_drop(&job);
    return good;
}

bool out_dir_start_shards(struct out_dir *o, size_t count, struct slice key)
{
    struct text bytes = { 0 }, name = { 0 };
    int scratch = RETRY(openat(o->folder - 1, OUT_SCRATCH, FOLDER)), shards = -1;
    bool good;
    int saved;

    if (scratch >= 0)
        shards = RETRY(openat(scratch, OUT_SHARDS, FOLDER));
    text_addf(&bytes, "%s%zu\n", FIRST_LINE, count);
    text_add(&bytes, key.at, key.length);
    text_addf(&name, "job.%ld.part", (long)getpid());
    good = shards >= 0 && file_write_at(o->scratch - 1, text_string(&name), bytes.at, bytes.length);
    if (good && !rename_new(o->scratch - 1, text_string(&name), shards, JOB)) {
        good = errno == EEXIST;
        saved = errno;
        (void)RETRY(unlinkat(o->scratch - 1, text_string(&name), 0));
        errno = saved;
    }
    saved = errno;
    if (shards >= 0)
        close(shards);
    if (scratch >= 0)
        close(scratch);
    text_drop(&bytes);
    text_drop(&name);
    errno = saved;
    return good;
}

/* --- opening --- */

/* Checks that OUT holds the shards of one job, or only the start of a shard. */
static int inspect(const char *path, struct faults *faults)
{
    static const char *const NONE[] = { NULL };
    static const char *const SCRATCH[] = { OUT_SCRATCH, NULL };
    static const char *const STARTED[] = { "lock", OUT_SHARDS, NULL };
    int folder = RETRY(open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)), only, code = EXIT_DONE;
    struct stat status;
    bool shards;

    if (folder < 0 && errno == ENOENT && !path_leads_back(path))
        return EXIT_DONE;
    if (folder < 0)
        return refuse(EXIT_OUTPUT, faults, path, "out-unwritable",
                      errno == ENOTDIR ? "it is not a folder" : errno_text());
    shards = fstatat(folder, OUT_SCRATCH "/" OUT_SHARDS, &status, AT_SYMLINK_NOFOLLOW) == 0;
    only = folder_holds_only(folder, ".", NONE);
    if (!only && !shards) {
        only = folder_holds_only(folder, ".", SCRATCH);
        if (only == 1)
            only = folder_holds_only(folder, OUT_SCRATCH, STARTED);
    }
    if (only < 0 || faccessat(folder, ".", R_OK | W_OK | X_OK, 0) != 0)
        code = refuse(EXIT_OUTPUT, faults, path, "out-unwritable", errno_text());
    else if (!only && !shards)
        code = out_dir_refuse_occupied(path, folder, false, faults);
    close(folder);
    return code;
}

bool out_dir_open_shard_to_read(struct out_dir *o, const struct shard *shard)
{
    char name[SHARD_NAME];
    int shards =
        o->scratch ? RETRY(openat(o->scratch - 1, OUT_SHARDS, FOLDER)) : (errno = ENOENT, -1);
    int saved;

    close_stored_descriptor(&o->scratch);
    if (shards < 0)
        return false;
    shard_print_name(shard, name);
    o->scratch = RETRY(openat(shards, name, FOLDER)) + 1;
    saved = errno;
    close(shards);
    errno = saved;
    return o->scratch;
}

bool out_dir_walk_shards(const struct out_dir *o,
                         bool (*each)(void *context, const struct shard *, int scratch),
                         void *context)
{
    int folder = o->scratch ? RETRY(openat(o->scratch - 1, OUT_SHARDS, FOLDER)) : -1, saved;
    DIR *list = folder < 0 ? NULL : fdopendir(folder);
    bool good = list || !o->scratch || (folder < 0 && errno == ENOENT);
    struct dirent *entry = NULL;
    struct shard shard;

    if (!list)
        return good;
    while (good && (errno = 0, entry = readdir(list))) {
        int scratch = shard_read_name(entry->d_name, &shard)
                          ? RETRY(openat(folder, entry->d_name, FOLDER))
                          : -1;

        good = scratch < 0 || each(context, &shard, scratch);
        saved = errno;
        if (scratch >= 0)
            close(scratch);
        errno = saved;
    }
    saved = errno;
    good = good && (entry || !saved);
    closedir(list);
    errno = saved;
    return good;
}

bool out_dir_shard_is_locked(const struct out_dir *o)
{
    return lock_is_held(o->scratch - 1, "lock");
}

static bool make_shard(struct out_dir *o, const struct shard *shard)
{
    char name[SHARD_NAME];
    struct text path = { 0 };
    bool good = RETRY(mkdirat(o->scratch - 1, OUT_SHARDS, 0777)) == 0 || errno == EEXIST;

    shard_print_name(shard, name);
    path_join(&path, OUT_SHARDS, name);
    good =
        good && (RETRY(mkdirat(o->scratch - 1, text_string(&path), 0777)) == 0 || errno == EEXIST);
    text_drop(&path);
    return good && out_dir_open_shard_to_read(o, shard);
}

/* Retries, since a killed run may leave processes that end a moment later. */
static bool lock_shard(struct out_dir *o)
{
    static const struct timespec between = { .tv_nsec = 25000000 };
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    int saved;

    o->shard_lock = RETRY(openat(o->scratch - 1, "lock",
                                 O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666)) +
                    1;
    for (int i = 0; o->shard_lock && i < TRIES; i++) {
        if (fcntl(o->shard_lock - 1, F_OFD_SETLK, &lock) == 0)
            return true;
        saved = errno == EACCES ? EAGAIN : errno;
        if (saved == EAGAIN)
            nanosleep(&between, NULL);
        errno = saved;
        if (saved != EAGAIN)
            return false;
    }
    return false;
}

int out_dir_open_shard(struct out_dir *o, const char *path, const struct shard *shard,
                       struct faults *faults)
{
    int code = inspect(path, faults);

    *o = (struct out_dir){ .path = path };
    if (code)
        return code;
    if (!out_dir_take_lock(o, F_RDLCK))
        code = errno == EAGAIN ? refuse(EXIT_OCCUPIED, faults, path, "out-in-use",
                                        "a run without shards, or a merge, is writing to it")
                               : refuse(EXIT_OUTPUT, faults, path, "out-unwritable", errno_text());
    if (!code)
        code = inspect(path, faults);
    if (!code && (!make_shard(o, shard) || !lock_shard(o)))
        code = errno == EAGAIN ? refuse(EXIT_OCCUPIED, faults, path, "out-in-use",
                                        "another process is working on this shard")
                               : refuse(EXIT_OUTPUT, faults, path, "out-unwritable", errno_text());
    if (code)
        out_dir_close(o);
    return code;
}

/* --- at the end --- */

bool out_dir_remove_shard(struct out_dir *o, const struct shard *shard, const char *last)
{
    const char *const but[] = { last, NULL };
    char name[SHARD_NAME];
    struct text path = { 0 };
    bool good;
    int saved;

    shard_print_name(shard, name);
    path_join(&path, OUT_SHARDS, name);
    good = folder_clear(o->scratch - 1, text_string(&path), but) &&
           folder_clear(o->scratch - 1, text_string(&path), but + 1) &&
           RETRY(unlinkat(o->scratch - 1, text_string(&path), AT_REMOVEDIR)) == 0;
    saved = errno;
    text_drop(&path);
    errno = saved;
    return good;
}

/* Removes empty folders, except OUT itself and hidden folders in it, such as the scratch. rmdir
 * refuses to remove a folder that is not empty. */
static bool prune(int folder, const char *name, unsigned depth)
{
    enum { DEEPEST = 4096 };
    int file = depth < DEEPEST ? RETRY(openat(folder, name, FOLDER)) : -1;
    DIR *list = file < 0 ? NULL : fdopendir(file);
    struct dirent *entry;
    bool good = list || errno == ENOENT || errno == ENOTDIR || errno == ELOOP;

    if (!list)
        return good;
    while (good && (entry = readdir(list)))
        if (entry->d_type != DT_REG && strcmp(entry->d_name, ".") != 0 &&
            strcmp(entry->d_name, "..") != 0 && (depth || *entry->d_name != '.'))
            good = prune(file, entry->d_name, depth + 1);
    closedir(list);
    if (!depth)
        return good;
    return good && (RETRY(unlinkat(folder, name, AT_REMOVEDIR)) == 0 || errno == ENOTEMPTY ||
                    errno == EEXIST || errno == ENOENT);
}

/* Folders are named after the parts of the dataset, too. */
bool out_dir_remove_empty_folders(struct out_dir *o)
{
    out_dir_forget_folders(o);
    return prune((o->apart ? o->apart : o->folder) - 1, ".", 0);
}
