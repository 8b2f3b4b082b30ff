/* session: the runs that have written to one journal. */
#include "batch/journal/session.h"

#include "batch/journal/entry.h"

#include "base/eintr.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct session {
    uint64_t durability; /* enum durability */
    uint64_t n_records;  /* of the dataset */
    int64_t began;       /* seconds since the epoch */
    char boot[40];       /* id of the machine's boot; empty if unknown */
};

static void read_boot(char boot[40])
{
    int fd = RETRY(open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC));

    memset(boot, 0, 40);
    if (fd < 0)
        return;
    if (read(fd, boot, 36) != 36)
        memset(boot, 0, 40);
    close(fd);
}

bool session_begin(struct journal *j, const struct job *job)
{
    struct session s = { .durability = (uint64_t)job->output.durability,
                         .n_records = job->images.n_records,
                         .began = (int64_t)time(NULL) };

    read_boot(s.boot);
    return journal_append(j, JOURNAL_SESSION, (struct slice){ (char *)&s, sizeof s });
}

bool session_mark(struct journal *j, uint64_t end)
{
    return journal_append(j, JOURNAL_MARK, (struct slice){ (char *)&end, sizeof end });
}

/* Contents of the session records of a journal. */
struct sessions {
    struct session_view view;
    struct session last;
    uint64_t first, marked, end; /* ends of the key, of the marked part, and of the valid prefix */
};

static void take_session(struct sessions *s, struct slice payload)
{
    memcpy(&s->last, payload.at, sizeof s->last);
    if (!s->view.n++)
        s->view.began = s->last.began;
    s->view.n_records = s->last.n_records;
}

static struct sessions read_sessions(struct slice journal)
{
    struct sessions s = { 0 };
    struct journal_record r;
    uint64_t at = 0;

    while (journal_next(journal, &at, &r)) {
        if (r.kind == JOURNAL_KEY)
            s.first = s.marked = r.end;
        if (r.kind == JOURNAL_SESSION && r.payload.length == sizeof s.last)
            take_session(&s, r.payload);
        if (r.kind == JOURNAL_MARK && r.payload.length == sizeof s.marked)
            memcpy(&s.marked, r.payload.at, sizeof s.marked);
        s.end = r.end;
    }
    return s;
}

struct session_view session_view(struct slice journal)
{
    return read_sessions(journal).view;
}

uint64_t session_marked(struct slice journal)
{
    return read_sessions(journal).marked;
}

uint64_t session_end(struct slice journal, bool *same_boot)
{
    struct sessions s = read_sessions(journal);
    char boot[40];

    read_boot(boot);
    *same_boot = *boot && memcmp(boot, s.last.boot, sizeof boot) == 0;
    return *same_boot || s.last.durability != DURABILITY_BATCH ? s.end : s.marked;
}
