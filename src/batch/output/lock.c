/* lock: the lock of an output folder, which is held by one run, or shared by several shards of a
 * run. */
#include "batch/output/lock.h"

#include "base/files.h"
#include "base/eintr.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    FOLDER = O_RDONLY | O_DIRECTORY | O_CLOEXEC,
    TRIES = 20, /* for a lock that is held, or whose file is removed meanwhile */
};
static const struct timespec BETWEEN_TRIES = { .tv_nsec = 25000000 };

bool lock_is_held(int folder, const char *name)
{
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
    int file = RETRY(openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    bool locked = file >= 0 && fcntl(file, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;

    if (file >= 0)
        close(file);
    return locked;
}

/* True if the lock that was taken is still the folder's lock. A run that ends removes the lock
 * file; a lock on a removed file locks nothing. */
static bool is_in_place(const struct out_dir *o)
{
    struct stat open_one, there;

    return fstat(o->scratch - 1, &open_one) == 0 &&
           fstatat(o->folder - 1, OUT_SCRATCH, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
           there.st_ino == open_one.st_ino && fstat(o->lock - 1, &open_one) == 0 &&
           fstatat(o->scratch - 1, "lock", &there, AT_SYMLINK_NOFOLLOW) == 0 &&
           there.st_ino == open_one.st_ino;
}

static bool open_all(struct out_dir *o)
{
    struct stat status;
    size_t kept = strlen(o->path);

    if (!folder_make_below(o->path, &kept))
        return false;
    if (kept < strlen(o->path) && !o->is_new) {
        o->is_new = true;
        o->made = kept;
    }
    o->folder = RETRY(open(o->path, FOLDER)) + 1;
    if (!o->folder || (RETRY(mkdirat(o->folder - 1, OUT_SCRATCH, 0777)) != 0 && errno != EEXIST))
        return false;
    o->scratch = RETRY(openat(o->folder - 1, OUT_SCRATCH, FOLDER | O_NOFOLLOW)) + 1;
    if (!o->scratch)
        return false;
    o->lock = RETRY(openat(o->scratch - 1, "lock",
                           O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666)) +
              1;
    if (o->lock && fstat(o->lock - 1, &status) == 0 && !S_ISREG(status.st_mode)) {
        errno = EEXIST;
        return false;
    }
    return o->lock;
}

/* The lock belongs to the open file description: forked processes hold it until the last of them
 * ends. */
static bool take_lock(struct out_dir *o, short type)
{
    struct flock lock = { .l_type = type, .l_whence = SEEK_SET };
    bool good = open_all(o) && fcntl(o->lock - 1, F_OFD_SETLK, &lock) == 0;
    int saved = errno == EACCES && o->lock ? EAGAIN : errno;

    if (good && !is_in_place(o)) {
        good = false;
        saved = ENOENT;
    }
    if (!good)
        out_dir_close(o);
    errno = saved;
    return good;
}

/* Retries, since a killed run may leave processes that end a moment later. */
bool out_dir_take_lock(struct out_dir *o, short type)
{
    for (int i = 0; i < TRIES; i++) {
        if (take_lock(o, type))
            return true;
        if (errno != EAGAIN && errno != ENOENT)
            return false;
        if (errno == EAGAIN || i > TRIES / 2) {
            int saved = errno;

            nanosleep(&BETWEEN_TRIES, NULL);
            errno = saved;
        }
    }
    return false;
}

bool out_dir_is_locked(const struct out_dir *o)
{
    return lock_is_held(o->folder - 1, OUT_SCRATCH "/lock");
}

bool out_dir_lock_existing(struct out_dir *o)
{
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

    o->lock =
        RETRY(openat(o->scratch - 1, "lock", O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)) + 1;
    return o->lock && fcntl(o->lock - 1, F_OFD_SETLK, &lock) == 0;
}

void out_dir_unlock(struct out_dir *o)
{
    close_stored_descriptor(&o->shard_lock);
    close_stored_descriptor(&o->lock);
}
