/* output_file: a file that the user names for a command's output. */
#include "base/output_file.h"

#include "base/files.h"
#include "base/eintr.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_NAMES = 1000 };

static int refuse(int code, struct text *why, const char *reason)
{
    text_adds(why, reason);
    return code;
}

static int fail(struct text *why)
{
    return refuse(EXIT_OUTPUT, why, errno_text());
}

/* --- opening --- */

int output_check(const char *path, bool overwrite, struct text *why)
{
    size_t length = strlen(path);
    struct stat status;

    if (strcmp(path, "-") == 0)
        return EXIT_DONE;
    if (stat(path, &status) != 0) {
        if (errno != ENOENT)
            return fail(why);
        if (lstat(path, &status) == 0)
            return refuse(EXIT_OUTPUT, why,
                          "it is a link to a file that does not exist; make that file, or give "
                          "another name");
        return length && path[length - 1] == '/'
                   ? refuse(EXIT_OUTPUT, why, "it names a folder, and a file is to be written")
                   : EXIT_DONE;
    }
    if (S_ISDIR(status.st_mode))
        return refuse(EXIT_OUTPUT, why, "it is a folder, and a file is to be written");
    return !overwrite && S_ISREG(status.st_mode) && !file_is_stream(path)
               ? refuse(EXIT_OCCUPIED, why, "the file exists")
               : EXIT_DONE;
}

const char *output_code(int exit_code)
{
    return exit_code == EXIT_OCCUPIED ? "out-occupied" : "out-write";
}

/* Keeps the reason of the first fault: a FILE only knows that there was one. */
static ssize_t write_bytes(void *cookie, const char *bytes, size_t length)
{
    struct output_file *o = cookie;

    if (!o->error && !file_write_all(o->fd, bytes, length))
        o->error = errno;
    return o->error ? 0 : (ssize_t)length;
}

static int open_file(struct output_file *o, int fd, struct text *why)
{
    static const cookie_io_functions_t calls = { .write = write_bytes };

    o->fd = fd;
    o->file = fopencookie(o, "w", calls);
    if (o->file)
        return EXIT_DONE;
    fail(why);
    close(fd);
    return EXIT_OUTPUT;
}

/* True if the path leads to the file that stdout is. */
static bool is_stdout(const char *path)
{
    struct stat status, out;

    return stat(path, &status) == 0 && fstat(STDOUT_FILENO, &out) == 0 &&
           out.st_dev == status.st_dev && out.st_ino == status.st_ino;
}

/* Opens a pipe, a device or the target of stdout. The target of stdout keeps its place, so that
 * what else is printed neither replaces the output nor is replaced by it. */
static int open_stream(struct output_file *o, const char *path, struct text *why)
{
    int fd;

    if (is_stdout(path)) {
        fflush(stdout);
        fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    } else {
        fd = RETRY(open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC));
    }
    return fd < 0 ? fail(why) : open_file(o, fd, why);
}

/* The length of the folder's part of a path, with its slash; 0 for the current folder. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash - path) + 1 : 0;
}

static int make_folder(struct output_file *o, struct text *why)
{
    struct text folder = { 0 };
    bool good = true;

    o->kept_folder = folder_length(text_string(&o->target));
    text_add(&folder, o->target.at, o->kept_folder);
    if (folder.length)
        good = folder_make_below(text_string(&folder), &o->kept_folder);
    if (!good)
        fail(why);
    text_drop(&folder);
    return good ? EXIT_DONE : EXIT_OUTPUT;
}

/* Prints a temporary name that this process has not used, in the target's folder. Names that exist
 * may belong to anybody and are left alone: callers try the next name. */
static void print_part(struct output_file *o)
{
    static unsigned count;

    text_clear(&o->part);
    text_add(&o->part, o->target.at, folder_length(text_string(&o->target)));
    text_addf(&o->part, "%ld-%u.part", (long)getpid(), count++);
}

/* Owner first: a change of the owner clears bits of the mode. */
static int keep_owner_and_mode(int fd, const struct stat *former, struct text *why)
{
    struct stat status;

    if (fstat(fd, &status) != 0)
        return fail(why);
    if ((status.st_uid != former->st_uid || status.st_gid != former->st_gid) &&
        fchown(fd, former->st_uid, former->st_gid) != 0) {
        text_addf(why,
                  "it has the owner %ju and the group %ju, which a new file cannot be given (%s); "
                  "give another name",
                  (uintmax_t)former->st_uid, (uintmax_t)former->st_gid, errno_text());
        return EXIT_OUTPUT;
    }
    if (fstat(fd, &status) == 0 && ((status.st_mode ^ former->st_mode) & 07777) == 0)
        return EXIT_DONE;
    return fchmod(fd, former->st_mode & 07777) == 0 ? EXIT_DONE : fail(why);
}

/* `former` is the file that is replaced, or NULL. */
static int open_part(struct output_file *o, const struct stat *former, struct text *why)
{
    struct stat status;
    int fd = -1, code = EXIT_DONE;

    for (int i = 0; i < MAX_NAMES && fd < 0 && (!i || errno == EEXIST); i++) {
        print_part(o);
        fd = RETRY(open(text_string(&o->part), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                        former ? 0600 : 0666));
    }
    if (fd < 0) {
        text_clear(&o->part);
        return fail(why);
    }
    o->device = fstat(fd, &status) == 0 ? status.st_dev : 0;
    if (former)
        code = keep_owner_and_mode(fd, former, why);
    if (!code)
        return open_file(o, fd, why);
    close(fd);
    return code;
}

/* Puts the path in `target`, or the path that it leads to if it is a link. Links to folders on the
 * way are left to the system. */
static int follow_links(struct output_file *o, const char *path, struct text *why)
{
    enum { MAX_LINKS = 40 };
    struct text link = { 0 };
    ssize_t length = 0;

    text_adds(&o->target, path);
    for (int i = 0; i < MAX_LINKS && length >= 0; i++) {
        char *room;

        text_clear(&link);
        room = text_room(&link, PATH_MAX);
        length = readlink(text_string(&o->target), room, PATH_MAX - 1);
        if (length < 0)
            break;
        text_grown(&link, room + length);
        text_cut(&o->target, link.at[0] == '/' ? 0 : folder_length(text_string(&o->target)));
        text_add(&o->target, link.at, link.length);
    }
    text_drop(&link);
    if (length >= 0)
        errno = ELOOP;
    return length < 0 && errno == EINVAL ? EXIT_DONE : fail(why);
}

int output_open(struct output_file *o, const char *path, bool overwrite, struct text *why)
{
    int code = output_check(path, overwrite, why);
    struct stat former;

    *o = (struct output_file){ 0 };
    if (code)
        return code;
    if (strcmp(path, "-") == 0) {
        o->file = stdout;
        return EXIT_DONE;
    }
    if (file_is_stream(path))
        return open_stream(o, path, why);
    o->replaces = stat(path, &former) == 0;
    if (o->replaces)
        code = follow_links(o, path, why);
    else
        text_adds(&o->target, path);
    if (!code)
        code = make_folder(o, why);
    return code ? code : open_part(o, o->replaces ? &former : NULL, why);
}

/* --- finishing --- */

/* True if the bytes are on disk, or the file is of a kind that has no disk. */
static bool sync_file(int fd)
{
    return RETRY(fsync(fd)) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

static int close_file(struct output_file *o, bool on_disk, struct text *why)
{
    FILE *file = o->file;

    o->file = NULL;
    if (!file || file == stdout) /* the command reports faults of stdout at its end */
        return EXIT_DONE;
    (void)fclose(file); /* its faults are in `error` */
    if (!o->error && on_disk && !sync_file(o->fd))
        o->error = errno;
    if (close(o->fd) != 0 && errno != EINTR && !o->error)
        o->error = errno;
    errno = o->error;
    return o->error ? fail(why) : EXIT_DONE;
}

int output_close(struct output_file *o, struct text *why)
{
    return close_file(o, false, why);
}

/* Where the file system has no hard links, the former file is renamed. */
int output_back_up(struct output_file *o, struct text *why)
{
    const char *target = text_string(&o->target);

    for (int i = 1; i <= MAX_NAMES; i++) {
        text_clear(&o->backup);
        text_addf(&o->backup, i == 1 ? "%s.orig" : "%s.orig%d", target, i);
        if (link(target, text_string(&o->backup)) == 0)
            return EXIT_DONE;
        if (errno == EEXIST)
            continue;
        o->has_moved =
            (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS || errno == EMLINK) &&
            rename_new(AT_FDCWD, target, AT_FDCWD, text_string(&o->backup));
        if (o->has_moved)
            return EXIT_DONE;
        if (errno != EEXIST)
            break;
    }
    text_clear(&o->backup);
    return fail(why);
}

/* Exchanges two files. Some file systems need a third name. */
static bool exchange(const char *a, const char *b)
{
    struct text third = { 0 };
    bool good;

    if (RETRY(renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE)) == 0)
        return true;
    if (errno != EINVAL && errno != ENOSYS)
        return false;
    text_addf(&third, "%s.former", a);
    good = rename_new(AT_FDCWD, b, AT_FDCWD, text_string(&third));
    if (good && RETRY(rename(a, b)) != 0) {
        int reason = errno;

        (void)RETRY(rename(text_string(&third), b));
        errno = reason;
        good = false;
    }
    good = good && RETRY(rename(text_string(&third), a)) == 0;
    text_drop(&third);
    return good;
}

/* Gives the file its name. With `keep_former`, the former file gets the temporary name. */
static bool place(struct output_file *o, bool keep_former)
{
    const char *target = text_string(&o->target), *part = text_string(&o->part);

    if (!o->part.length)
        return true;
    if (o->removes)
        o->is_placed = rename_new(AT_FDCWD, target, AT_FDCWD, part);
    else if (!o->replaces)
        o->is_placed = rename_new(AT_FDCWD, part, AT_FDCWD, target);
    else
        o->is_placed = keep_former ? exchange(part, target) : RETRY(rename(part, target)) == 0;
    if (o->is_placed && !keep_former)
        text_clear(&o->part);
    return o->is_placed;
}

/* Undoes `place` with `keep_former`. */
static void take_back(struct output_file *o)
{
    const char *target = text_string(&o->target), *part = text_string(&o->part);

    if (!o->is_placed)
        return;
    if (o->removes)
        o->is_placed = !rename_new(AT_FDCWD, part, AT_FDCWD, target);
    else if (!o->replaces)
        o->is_placed = !rename_new(AT_FDCWD, target, AT_FDCWD, part);
    else
        o->is_placed = !exchange(part, target);
}

/* The disk has the file's name, too. */
static bool sync_folder(const struct output_file *o)
{
    struct text folder = { 0 };
    int fd, reason;
    bool good;

    text_add(&folder, o->target.at, folder_length(text_string(&o->target)));
    fd =
        RETRY(open(folder.length ? text_string(&folder) : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    good = fd >= 0 && sync_file(fd);
    reason = errno;
    if (fd >= 0)
        close(fd);
    text_drop(&folder);
    errno = reason;
    return good;
}

int output_finish(struct output_file *o, struct text *why)
{
    int code = close_file(o, true, why);

    if (!code && o->part.length && (!place(o, false) || !sync_folder(o)))
        code = errno == EEXIST ? refuse(EXIT_OCCUPIED, why, "the file exists") : fail(why);
    output_drop(o);
    return code;
}

/* Removes those folders of the path that were made for the file. */
static void remove_folders(struct output_file *o)
{
    size_t length = folder_length(text_string(&o->target));

    while (length > o->kept_folder) {
        text_cut(&o->target, length);
        if (rmdir(text_string(&o->target)) != 0)
            break;
        text_cut(&o->target, length - 1);
        length = folder_length(text_string(&o->target));
    }
}

static void undo_backup(struct output_file *o)
{
    if (o->has_moved)
        (void)rename_new(AT_FDCWD, text_string(&o->backup), AT_FDCWD, text_string(&o->target));
    else if (o->backup.length)
        (void)unlink(text_string(&o->backup));
}

void output_drop(struct output_file *o)
{
    struct text why = { 0 };

    (void)close_file(o, false, &why);
    if (!o->is_placed)
        undo_backup(o);
    /* A file to be removed has this name only once it may go. */
    if (o->part.length && (o->is_placed || !o->removes))
        (void)unlink(text_string(&o->part));
    if (!o->is_placed && o->target.length)
        remove_folders(o);
    text_drop(&why);
    text_drop(&o->target);
    text_drop(&o->part);
    text_drop(&o->backup);
    *o = (struct output_file){ 0 };
}

int output_write(const char *path, bool overwrite, const void *bytes, size_t length,
                 struct text *why)
{
    struct output_file o;
    int code = output_open(&o, path, overwrite, why);

    if (!code) {
        (void)fwrite(bytes, 1, length, o.file); /* faults stay in the FILE */
        return output_finish(&o, why);
    }
    output_drop(&o);
    return code;
}

/* --- several files --- */

struct output_file *output_set_add(struct output_set *s)
{
    if (s->n == s->room) {
        struct output_file *more;

        s->room = s->room ? 2 * s->room : 16;
        more = memory_take(s->room * sizeof *more);
        if (s->n)
            memcpy(more, s->file, s->n * sizeof *more);
        free(s->file);
        s->file = more;
    }
    s->file[s->n] = (struct output_file){ 0 };
    return &s->file[s->n++];
}

int output_set_remove(struct output_set *s, const char *path, struct text *why)
{
    struct output_file *o;
    struct stat status;

    if (lstat(path, &status) != 0)
        return errno == ENOENT || errno == ENOTDIR ? EXIT_DONE : fail(why);
    if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode))
        return refuse(EXIT_OUTPUT, why, "it has to go, and is not a regular file");
    o = output_set_add(s);
    o->removes = true;
    o->device = status.st_dev;
    text_adds(&o->target, path);
    o->kept_folder = folder_length(path);
    print_part(o);
    return EXIT_DONE;
}

/* All file systems that the set's files are on: much faster than file by file. */
static bool sync_set(const struct output_set *s)
{
    const struct output_file *before = NULL;
    bool good = true;

    for (size_t i = 0; i < s->n && good; i++) {
        const struct output_file *o = &s->file[i];
        struct text folder = { 0 };
        int fd;

        if (!o->target.length || (before && before->device == o->device))
            continue;
        before = o;
        text_add(&folder, o->target.at, folder_length(text_string(&o->target)));
        fd = RETRY(
            open(folder.length ? text_string(&folder) : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        good = fd >= 0 && RETRY(syncfs(fd)) == 0;
        if (fd >= 0)
            close(fd);
        text_drop(&folder);
    }
    return good;
}

int output_set_finish(struct output_set *s, const char **failed, struct text *why)
{
    bool good = sync_set(s);
    int code;

    for (size_t i = 0; i < s->n && good; i++) {
        *failed = text_string(&s->file[i].target);
        good = place(&s->file[i], true);
    }
    good = good && sync_set(s);
    if (good)
        return EXIT_DONE;
    code = errno == EEXIST ? refuse(EXIT_OCCUPIED, why, "the file exists") : fail(why);
    for (size_t i = s->n; i > 0; i--)
        take_back(&s->file[i - 1]);
    return code;
}

/* The last first: the first made the folders. */
void output_set_drop(struct output_set *s)
{
    for (size_t i = s->n; i > 0; i--)
        output_drop(&s->file[i - 1]);
    free(s->file);
    *s = (struct output_set){ 0 };
}
