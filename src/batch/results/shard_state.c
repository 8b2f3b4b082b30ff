/* shard_state: the state of the images of a run, or of one of its shards, according to the journal.
 */
#include "batch/results/shard_state.h"

#include "batch/journal/entry.h"
#include "batch/journal/journal.h"
#include "batch/journal/session.h"
#include "batch/output/shard_dirs.h"
#include "batch/results/shard_result.h"

#include "base/hash.h"
#include "base/file_view.h"
#include "json/value.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Record of an image in the journal; the last one of a name counts. */
struct image_state {
    uint64_t name; /* hash_quick */
    size_t at;     /* position among the records */
    uint64_t outputs;
    bool is_void, done;
};

static int by_name(const void *a, const void *b)
{
    const struct image_state *x = a, *y = b;

    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* Reads the state of an image. Returns false if the record is not about an image. */
static bool read_image_state(const struct journal_record *r, struct image_state *w)
{
    struct report_view view;
    struct entry entry;

    if ((r->kind != JOURNAL_ENTRY && r->kind != JOURNAL_VOID) || !entry_read(r->payload, &entry))
        return false;
    *w = (struct image_state){ .name = hash_quick(entry.name.at, entry.name.length),
                               .is_void = r->kind == JOURNAL_VOID };
    if (!w->is_void && report_view(entry.report, &view)) {
        w->done = view.outcome == OUTCOME_DONE;
        w->outputs = view.counts.outputs;
    }
    return true;
}

static void count_states(struct image_state *states, size_t n, struct status *s)
{
    s->done = s->failed = s->outputs = 0;
    if (n)
        qsort(states, n, sizeof *states, by_name);
    for (size_t i = 0; i < n; i++) {
        if ((i + 1 < n && states[i].name == states[i + 1].name) || states[i].is_void)
            continue;
        s->done += states[i].done;
        s->failed += !states[i].done;
        s->outputs += states[i].done ? (int64_t)states[i].outputs : 0;
    }
}

static void count_images(struct slice journal, uint64_t at, struct status *s)
{
    struct image_state *states = NULL, state;
    size_t n = 0, room = 0;
    struct journal_record r;
    bool same_boot;
    uint64_t end = session_end(journal, &same_boot);

    while (at < end && journal_next(journal, &at, &r))
        if (read_image_state(&r, &state)) {
            if (n == room) {
                room = 2 * room + 1024;
                states = memory_grow(states, room * sizeof *states);
            }
            state.at = n;
            states[n++] = state;
        }
    count_states(states, n, s);
    free(states);
}

void status_read_version(struct status *s)
{
    struct faults faults = { .name = "key", .text = s->key };
    const struct value *key = value_parse(&faults, &s->arena), *version;

    version = key && key->kind == VALUE_OBJECT ? value_get(key, "lockstep") : NULL;
    if (version && version->kind == VALUE_TEXT)
        s->version = version->text;
    faults_drop(&faults);
}

static bool read_journal(struct slice journal, struct status *s)
{
    struct session_view sessions;
    struct journal_record r;
    uint64_t at = 0;

    if (journal_state(journal) == JOURNAL_OTHER)
        return false;
    s->done = s->failed = s->outputs = 0;
    if (journal_state(journal) != JOURNAL_GOOD || !journal_next(journal, &at, &r) ||
        r.kind != JOURNAL_KEY)
        return true; /* the run was killed while starting */
    s->key =
        (struct slice){ arena_copy(&s->arena, r.payload.at, r.payload.length), r.payload.length };
    status_read_version(s);
    sessions = session_view(journal);
    s->starts = (int64_t)sessions.n;
    if (sessions.n) {
        s->began = sessions.began;
        s->records = (int64_t)sessions.n_records;
    }
    count_images(journal, at, s);
    if (s->records >= s->done + s->failed)
        s->left = s->records - s->done - s->failed;
    return true;
}

bool status_read_journal(int file, struct status *s)
{
    struct stat status;
    struct slice bytes;
    bool good;

    if (fstat(file, &status) != 0 || !view_open(file, (size_t)status.st_size, &bytes))
        return false;
    s->active = status.st_mtime;
    good = read_journal(bytes, s);
    view_close(bytes);
    errno = EBADMSG;
    return good;
}

const struct status status_unknown = { .records = -1,
                                       .done = -1,
                                       .failed = -1,
                                       .left = -1,
                                       .outputs = -1,
                                       .shards = -1,
                                       .exit = -1,
                                       .starts = -1,
                                       .began = -1,
                                       .active = -1 };

bool status_read_shard(struct out_dir *o, struct status *s)
{
    int file = out_dir_open_scratch_file(o, "journal");
    bool good;

    *s = status_unknown;
    good = file >= 0 && status_read_journal(file, s) && s->key.length;
    s->state = out_dir_shard_is_locked(o) ? STATUS_RUNNING : STATUS_UNFINISHED;
    if (file >= 0)
        close(file);
    return good;
}

void status_drop(struct status *s)
{
    arena_drop(&s->arena);
}
