/* merge_read: finds the shards of a job in their folders and checks that they belong together. */
#include "batch/shards/merge.h"

#include "batch/results/shard_result.h"
#include "batch/results/shard_state.h"
#include "batch/output/lock.h"
#include "batch/output/out_dir.h"
#include "batch/output/out_files.h"
#include "batch/output/shard_dirs.h"

#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

int merge_refuse(struct merge_state *m, const char *path, int code, const char *code_word,
                 const char *why)
{
    fault_add(m->faults, 0, 0, path, code_word, "%s", why);
    return code;
}

/* Adds a fault of a shard. `path` is NULL if several folders were given and none has the shard. */
static int refuse_shard(struct merge_state *m, size_t i, const char *path, const char *code_word,
                        const char *why)
{
    const char *at = arena_printf(&m->faults->arena, "%s%sshard %zu/%zu", path ? path : "",
                                  path ? ": " : "", i, m->count);

    return merge_refuse(m, at, EXIT_OCCUPIED, code_word, why);
}

const char *merge_take_code(struct merge_state *m, struct text *why)
{
    struct slice code = report_code((struct slice){ text_string(why), why->length });
    const char *copy = arena_copy(&m->faults->arena, code.at, code.length);

    if (code.length)
        text_cut(why, (size_t)(code.at - why->at) - 2); /* also cuts " [" */
    return copy;
}

/* --- the folders --- */

/* Locks a source. Tries for half a second, since processes of a killed shard may end a moment
 * later. */
static bool take_lock(struct out_dir *view)
{
    static const struct timespec between = { .tv_nsec = 25000000 };
    enum { TRIES = 20 };

    for (int i = 0; i < TRIES; i++) {
        if (out_dir_lock_existing(view))
            return true;
        /* On a read-only disk, no run can be writing. */
        if (!view->lock)
            return errno == ENOENT || errno == EROFS || errno == EACCES || errno == EPERM;
        close_stored_descriptor(&view->lock);
        nanosleep(&between, NULL);
    }
    errno = EAGAIN;
    return false;
}

static int refuse_twice(struct merge_state *m, const struct merge_source *s)
{
    for (const struct merge_source *other = m->source; other < s; other++)
        if (other->device == s->device && other->inode == s->inode)
            return merge_refuse(
                m, s->path, EXIT_OCCUPIED, "shard-twice",
                arena_printf(&m->faults->arena, "it is the same folder as %s", other->path));
    return EXIT_DONE;
}

static int open_source(struct merge_state *m, struct merge_source *s)
{
    struct text key = { 0 };
    struct stat status;
    int code;

    if (!out_dir_open_to_read(&s->view, s->path) || fstat(s->view.folder - 1, &status) != 0)
        return merge_refuse(m, s->path, EXIT_INPUT, "out-missing",
                            errno == ENOTDIR ? "it is not a folder" : errno_text());
    s->device = (uint64_t)status.st_dev;
    s->inode = (uint64_t)status.st_ino;
    code = refuse_twice(m, s);
    if (code || !s->view.scratch || !out_dir_has_scratch_file(&s->view, OUT_SHARDS))
        return code;
    if (m->options->out && !take_lock(&s->view))
        return errno == EAGAIN
                   ? merge_refuse(m, s->path, EXIT_OCCUPIED, "out-in-use",
                                  "a run or a shard is writing to it")
                   : merge_refuse(m, s->path, EXIT_OUTPUT, "out-unwritable", errno_text());
    if (!out_dir_read_shards(&s->view, &s->count, &key))
        code = merge_refuse(m, s->path, EXIT_OCCUPIED, "out-damaged",
                            "it does not say how many shards it has");
    text_drop(&key);
    return code;
}

static int check_count(struct merge_state *m, const struct merge_source *s)
{
    if (!m->count)
        m->count = s->count;
    if (!s->count || s->count == m->count)
        return EXIT_DONE;
    return merge_refuse(
        m, s->path, EXIT_OCCUPIED, "shard-count",
        arena_printf(&m->faults->arena,
                     "its job has %zu shards, but the job of the other folders has %zu", s->count,
                     m->count));
}

/* Raises the limit of open files: each source has some open. */
static void allow_files(size_t n)
{
    enum { EACH = 8, OTHERS = 64 };
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < EACH * n + OTHERS) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int merge_open(struct merge_state *m)
{
    int code = EXIT_DONE;

    while (m->options->from[m->n_sources])
        m->n_sources++;
    allow_files(m->n_sources);
    m->source = memory_take((m->n_sources + 1) * sizeof *m->source);
    memset(m->source, 0, (m->n_sources + 1) * sizeof *m->source);
    for (size_t i = 0; i < m->n_sources; i++) {
        struct merge_source *s = &m->source[i];
        int one;

        s->path = m->options->from[i];
        one = open_source(m, s);
        one = one ? one : check_count(m, s);
        code = one ? one : code;
    }
    return code;
}

void merge_close(struct merge_state *m)
{
    for (size_t i = 0; i < m->n_sources; i++)
        out_dir_close(&m->source[i].view);
    free(m->source);
    free(m->home);
    free(m->started);
}

/* --- which source has which shard --- */

bool merge_view(const struct merge_state *m, size_t shard, struct out_dir *view)
{
    const struct shard one = { shard, m->count };

    return out_dir_open_to_read(view, m->source[m->home[shard] - 1].path) &&
           out_dir_open_shard_to_read(view, &one);
}

struct finding {
    struct merge_state *merge;
    size_t source; /* number of the source, counted from 1 */
    int code;
};

/* Records the source of a shard. A shard that was started on one machine and finished on another
 * belongs to the latter. */
static bool find_one(void *context, const struct shard *shard, int scratch)
{
    struct finding *f = context;
    struct merge_state *m = f->merge;
    struct stat status;
    size_t *home = &m->home[shard->index];

    if (shard->count != m->count)
        return true;
    if (fstatat(scratch, PART, &status, AT_SYMLINK_NOFOLLOW) != 0)
        m->started[shard->index] = f->source;
    else if (!*home)
        *home = f->source;
    else
        f->code = refuse_shard(m, shard->index, m->source[f->source - 1].path, "shard-twice",
                               arena_printf(&m->faults->arena,
                                            "it is done in %s, too; leave out one of these folders",
                                            m->source[*home - 1].path));
    return true;
}

static size_t *take_zeros(size_t n)
{
    size_t *at = memory_take((n + 1) * sizeof *at);

    memset(at, 0, (n + 1) * sizeof *at);
    return at;
}

int merge_find(struct merge_state *m)
{
    struct finding f = { m, 0, EXIT_DONE };

    m->home = take_zeros(m->count);
    m->started = take_zeros(m->count);
    for (size_t i = 0; i < m->n_sources; i++) {
        struct merge_source *s = &m->source[i];

        f.source = i + 1;
        if (s->count && !out_dir_walk_shards(&s->view, find_one, &f))
            f.code = merge_refuse(
                m, s->path, EXIT_OUTPUT, "out-unwritable",
                arena_printf(&m->faults->arena, "its shards cannot be listed: %s", errno_text()));
    }
    return f.code;
}

/* --- the parts of the shards --- */

/* Adds the fault of a shard that is not finished, with its progress. */
static int refuse_unfinished(struct merge_state *m, size_t i, size_t source)
{
    const struct shard shard = { i, m->count };
    const char *only = m->n_sources == 1 ? m->source[0].path : NULL;
    const char *path = source ? m->source[source - 1].path : only;
    struct out_dir view = { 0 };
    struct status s = { .shards = -1 };
    struct text how = { 0 };
    int code;

    if (!source || !out_dir_open_to_read(&view, path) ||
        !out_dir_open_shard_to_read(&view, &shard) || !status_read_shard(&view, &s)) {
        code = refuse_shard(m, i, path, "shard-missing",
                            path ? "it was not started" : "no folder has it");
    } else {
        text_addf(&how, "it is not done: %lld of its %lld images are%s; run it with --resume",
                  (long long)(s.done + s.failed), (long long)s.records,
                  s.state == STATUS_RUNNING ? ", and it is running" : "");
        code = refuse_shard(m, i, path, "shard-unfinished", text_string(&how));
    }
    out_dir_close(&view);
    status_drop(&s);
    text_drop(&how);
    return code;
}

static int compare(struct merge_state *m, size_t i, const char *path, const struct shard_part *part)
{
    const struct shard_part *first = m->first;

    if (part->head.index != i || part->head.count != m->count)
        return refuse_shard(m, i, path, "shard-damaged", "its folder holds another shard");
    if (!first->key.length || (part->key.length == first->key.length &&
                               memcmp(part->key.at, first->key.at, first->key.length) == 0))
        return EXIT_DONE;
    return refuse_shard(
        m, i, path, "shard-key",
        "it was made from another dataset or with other options than shard 0: run all "
        "shards again with --resume and the same options");
}

/* Checks that all outputs of a shard exist. */
static int check_files(struct merge_state *m, size_t i, const char *path, struct out_dir *view)
{
    struct text why = { 0 };
    int code = EXIT_DONE;

    if (!file_list_open_to_read(view))
        text_addf(&why, "%s", errno_text());
    else
        (void)out_dir_verify(view, &why);
    if (why.length) {
        (void)merge_take_code(m, &why);
        text_adds(&why, "; run it with --resume");
        code = refuse_shard(m, i, path, "shard-damaged", text_string(&why));
    }
    text_drop(&why);
    return code;
}

static void add_totals(struct totals *t, const struct part_head *h)
{
    t->done += h->done;
    t->skipped += h->skipped;
    counts_add(&t->counts, &h->counts);
}

static int read_shard(struct merge_state *m, size_t i, int64_t *max_errors)
{
    const char *path = m->source[m->home[i] - 1].path;
    struct out_dir view;
    struct shard_part part = { .files_at = 0 };
    int code = EXIT_DONE;

    if (!merge_view(m, i, &view) || !part_read(&view, &part))
        code = refuse_shard(m, i, path, "shard-damaged",
                            errno == EBADMSG ? "it is not as it was written; run it with --resume"
                                             : errno_text());
    else
        code = compare(m, i, path, &part);
    /* A stopped merge may have removed the list of files already. */
    if (!code && file_list_open_to_read(&view) && !part_has_list(&part, &view))
        code = refuse_shard(m, i, path, "shard-damaged",
                            "the list of its files is not as it was written; run it with --resume");
    if (!code)
        code = check_files(m, i, path, &view);
    if (!code) {
        const struct part_head *head = &part.head;

        add_totals(&m->totals, head);
        if (head->max_errors >= 0 && (*max_errors < 0 || head->max_errors < *max_errors))
            *max_errors = head->max_errors;
    }
    if (!code && i == 0) {
        *m->first = part;
        part = (struct shard_part){ .files_at = 0 };
    }
    part_drop(&part);
    out_dir_close(&view);
    return code;
}

int merge_read(struct merge_state *m)
{
    int64_t max_errors = -1;
    int code = EXIT_DONE;

    for (size_t i = 0; i < m->count; i++) {
        int one =
            m->home[i] ? read_shard(m, i, &max_errors) : refuse_unfinished(m, i, m->started[i]);

        code = one ? one : code;
    }
    if (m->options->max_errors >= 0)
        max_errors = m->options->max_errors;
    if (!code && max_errors >= 0 && m->totals.skipped > (size_t)max_errors)
        code = merge_refuse(m, m->path, EXIT_INPUT, "errors-most",
                            arena_printf(&m->faults->arena,
                                         "%zu images of all shards failed, more than %lld "
                                         "(--max-errors)",
                                         m->totals.skipped, (long long)max_errors));
    return code ? code : merge_check_sources(m);
}
