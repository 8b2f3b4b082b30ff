/* mapped_file: annotation files, mapped from disk as views. */
#include "batch/io/mapped_file.h"

#include "base/hash.h"
#include "base/stderr_line.h"
#include "base/file_view.h"
#include "batch/io/folder.h"
#include "json/document.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct mapped_file {
    struct slice bytes;
    int fd;
    struct stat status; /* when the bytes last had this hash */
    uint64_t hash;
    bool settled; /* true if the last write was so long ago that any later write changes the time */
    pid_t owner;  /* process that mapped the file */
    struct text name, lost;
};
static struct pile files; /* struct mapped_file */

static struct mapped_file *mapped_at(size_t i)
{
    return &((struct mapped_file *)files.at)[i];
}

/* Seconds: file times have the resolution of a kernel tick, and may come from clocks of other
 * machines. */
enum { SETTLED = 3 };

static bool is_within(struct slice bytes, const char *at)
{
    return at >= bytes.at && at < bytes.at + bytes.length;
}

/* --- bytes that no longer exist --- */

static NORETURN void end_lost(const struct mapped_file *m)
{
    if (getpid() == m->owner && write(STDERR_FILENO, m->lost.at, m->lost.length) < 0)
        _exit(EXIT_INPUT);
    _exit(EXIT_INPUT);
}

static void on_lost(int number, siginfo_t *info, void *context)
{
    const char *at = info->si_addr;

    (void)context;
    for (size_t i = 0; info->si_code > 0 && i < files.n; i++) {
        const struct mapped_file *m = mapped_at(i);

        if (is_within(m->bytes, at))
            end_lost(m);
    }
    signal(number, SIG_DFL);
    if (info->si_code <=
        0) /* sent by a process; otherwise the access repeats and raises it again */
        raise(number);
}

static void catch_loss(struct mapped_file *m)
{
    struct sigaction action = { .sa_sigaction = on_lost, .sa_flags = SA_SIGINFO };

    text_adds(&m->lost, "lockstep: error: ");
    text_add_visible(&m->lost, text_string(&m->name), m->name.length);
    text_adds(&m->lost, ": the file was cut short while it was read, or its disk fails; nothing of "
                        "this run can be used [annotations-changed]\n");
    m->owner = getpid();
    sigaction(SIGBUS, &action, NULL);
}

/* --- mapping --- */

/* Maps a file. Returns false if that fails; then the caller reads it. */
static bool map(const char *path, int fd, const struct stat *status)
{
    struct slice bytes;
    struct mapped_file *m;

    if (!S_ISREG(status->st_mode) || status->st_size <= 0 ||
        !view_open(fd, (size_t)status->st_size, &bytes))
        return false;
    m = pile_add(&files, sizeof *m);
    *m = (struct mapped_file){ .bytes = bytes, .fd = fd, .status = *status };
    m->settled = status->st_ctim.tv_sec < time(NULL) - SETTLED;
    text_adds(&m->name, path);
    catch_loss(m);
    /* Reads instead of touching the pages of the mapping, which takes longer. */
    if (!view_is_mapped(bytes.length))
        m->hash = hash_quick(bytes.at, bytes.length);
    else if (!hash_quick_file(fd, bytes.length, &m->hash))
        end_lost(m);
    return true;
}

bool mapped_open(const char *path, struct slice *out, struct text *why)
{
    struct text whole = { 0 };
    struct stat status;
    int fd = input_open_named(path, &status, why);
    bool good;

    if (fd < 0)
        return false;
    if (map(path, fd, &status)) {
        *out = mapped_at(files.n - 1)->bytes;
        return true;
    }
    good = input_read_all(fd, &whole, why);
    if (!whole.length)
        text_drop(&whole);
    *out = (struct slice){ text_string(&whole), whole.length };
    close(fd);
    return good;
}

bool mapped_keep(const char *name, int fd, struct slice *out, struct text *why)
{
    struct stat status;

    if (fstat(fd, &status) == 0 && map(name, fd, &status)) {
        *out = mapped_at(files.n - 1)->bytes;
        return true;
    }
    text_adds(why, errno_text());
    close(fd);
    return false;
}

void mapped_file_release(struct slice part)
{
    for (size_t i = 0; i < files.n; i++)
        if (is_within(mapped_at(i)->bytes, part.at))
            file_view_release(mapped_at(i)->bytes, part);
}

uint64_t mapped_hash(struct slice text)
{
    for (size_t i = 0; i < files.n; i++)
        if (text.length && is_within(mapped_at(i)->bytes, text.at))
            return mapped_at(i)->hash;
    return hash_quick(text.at, text.length);
}

/* --- checking --- */

/* True if the file still has the bytes of its hash. */
static bool has_its_bytes(const struct mapped_file *m)
{
    uint64_t now;

    return hash_quick_file(m->fd, m->bytes.length, &now) && now == m->hash;
}

static bool check(struct mapped_file *m, bool thorough)
{
    bool sure = m->settled && !view_is_mapped(m->bytes.length);
    struct stat now;

    if (fstat(m->fd, &now) != 0 || now.st_size != m->status.st_size)
        return false;
    if ((!thorough || sure) && input_is_same(&now, &m->status))
        return true;
    if (!has_its_bytes(m))
        return false;
    m->status = now;
    return true;
}

bool mapped_check(bool thorough, struct text *why)
{
    for (size_t i = 0; i < files.n; i++)
        if (!check(mapped_at(i), thorough)) {
            text_clear(why);
            text_addf(why,
                      "%s: the file was changed while it was read; nothing of this run can be used "
                      "[annotations-changed]",
                      text_string(&mapped_at(i)->name));
            return false;
        }
    return true;
}

void input_unmap(struct slice map)
{
    /* Members of archives do not begin at page boundaries. */
    size_t off = (uintptr_t)map.at % (uintptr_t)sysconf(_SC_PAGESIZE);

    munmap((char *)(uintptr_t)map.at - off, map.length + off);
}
