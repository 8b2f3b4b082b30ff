/* report_index: counts the reports of a run, and finds them in the journal. */
#include "batch/results/report_index.h"

#include "batch/journal/entry.h"

#include "base/files.h"
#include "base/file_view.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* Number of records after which the pages of the journal are released. */
enum { RELEASE_EVERY = 1 << 14 };

void collect_add(struct collect *c, size_t record, const struct counts *counts)
{
    for (size_t i = 0; i < N_REMARKS; i++)
        if (counts->remarked[i] && (!c->counts.remarked[i] || record < c->first[i]))
            c->first[i] = record;
    counts_add(&c->counts, counts);
}

void collect_count(struct collect *c, size_t record, const struct report_view *r, uint64_t at)
{
    c->entry[record] = at;
    if (r->outcome != OUTCOME_DONE) {
        c->skipped++;
        return;
    }
    c->done++;
    collect_add(c, record, &r->counts);
}

/* A shard with no image left is no error, since the other shards may have some. */
int collect_exit(const struct collect *c)
{
    if (c->job->images.shard.count)
        return c->skipped ? EXIT_PARTIAL : EXIT_DONE;
    return !c->skipped ? EXIT_DONE : c->done ? EXIT_PARTIAL : EXIT_INPUT;
}

/* Reports are read in the order of records, which is about the order of the journal. */
bool collect_report(const struct collect *c, struct slice journal, size_t record,
                    struct report_view *r)
{
    uint64_t at = c->entry[record];
    struct journal_record found;
    struct entry entry;

    if (record % RELEASE_EVERY == 0)
        file_view_release(journal, journal);
    return at && journal_next(journal, &at, &found) && entry_read(found.payload, &entry) &&
           report_view(entry.report, r);
}

/* --- files of OUT --- */

static bool say(struct text *why, const char *what)
{
    text_addf(why, "%s: %s", what, errno_text());
    return false;
}

/* Larger and fewer writes than a FILE does by itself: annotations can have hundreds of megabytes.
 */
enum { FILE_BUFFER = 1 << 18 };

/* The file below a FILE, and its buffer: libc does not allocate one of this size. */
struct destination {
    int fd;
    char buffer[FILE_BUFFER];
};

/* Writes all bytes: a FILE of libc loses bytes that a signal has kept it from writing. */
static ssize_t write_whole(void *cookie, const char *bytes, size_t length)
{
    const struct destination *to = cookie;

    return file_write_all(to->fd, bytes, length) ? (ssize_t)length : 0;
}

static int close_written(void *cookie)
{
    struct destination *to = cookie;
    int result = close(to->fd) != 0 && errno != EINTR ? -1 : 0, saved = errno;

    free(to);
    errno = saved;
    return result;
}

FILE *collect_open(struct out_dir *outdir, const char *name, struct text *why)
{
    static const cookie_io_functions_t calls = { .write = write_whole, .close = close_written };
    struct destination *to = memory_take(sizeof *to);
    FILE *file = NULL;

    to->fd = out_dir_create_scratch_file(outdir, name);
    if (to->fd >= 0)
        file = fopencookie(to, "w", calls);
    if (file) {
        setvbuf(file, to->buffer, _IOFBF, sizeof to->buffer);
        return file;
    }
    say(why, name);
    if (to->fd >= 0)
        close(to->fd);
    free(to);
    return NULL;
}

bool collect_close(FILE *file, bool good, const char *name, struct text *why)
{
    good = good && fflush(file) == 0 && !ferror(file);
    if (fclose(file) != 0)
        good = false;
    return good || say(why, name);
}
