/* inspect: image files handed out to processes, which put what they find into memory that all
 * share. */
#include "batch/inspect/inspect.h"

#include "batch/process/child.h"
#include "batch/process/limits.h"
#include "batch/process/stop_child.h"
#include "batch/output/output_names.h"
#include "batch/image/job_sandbox.h"
#include "batch/process/sandbox.h"

#include "base/clock.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORTH = 32 /* files that are worth a process */, MOST_SECONDS = 300, NAP_MS = 200 };

/* What a process says of itself. */
struct slot {
    _Atomic size_t at;     /* the record it is at, from 1; 0: none */
    _Atomic int64_t since; /* s */
};

struct shared {
    _Atomic size_t next;
    struct slot slot[];
};

struct inspecting {
    struct inspection *inspection;
    const struct inspect_job *wanted;
    struct job job;
    struct shared *shared;
    size_t n_slots;
    pid_t *pid;
    size_t *again; /* of each slot: the record to be tried once more, from 1 */
    int *spool;
    bool *tried;
    uint64_t most_memory;
    uint64_t kills; /* limits_memory_kills() before the first of them started */
};

static void *share(size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE,
                    -1, 0);

    if (at == MAP_FAILED)
        memory_gone(bytes);
    return at;
}

static int64_t now_s(void)
{
    return clock_now() / 1000000000;
}

/* --- in a process of its own --- */

static void inspect_record(struct inspector *l, const struct inspection *inspection, size_t r)
{
    const struct record *record = &l->job->dataset->records[r];
    const char *code;
    struct text why = { 0 };

    if (names_allowed(l->job, r, &why, &code)) {
        inspect_file(l, job_root(l->job, r), record->name, false, &inspection->images[r]);
        if (l->job->images.masks && record->mask)
            inspect_file(l, l->job->images.masks, record->mask, true, &inspection->masks[r]);
    }
    text_drop(&why);
}

static void work(const struct inspecting *x, size_t i)
{
    struct inspector l = {
        .job = &x->job, .pixels = x->wanted->pixels, .spool = i, .segments = x->spool[i]
    };
    struct slot *slot = &x->shared->slot[i];
    size_t r = x->again[i];

    if (!r)
        r = atomic_fetch_add(&x->shared->next, 1) + 1;
    for (; r <= x->inspection->n; r = atomic_fetch_add(&x->shared->next, 1) + 1) {
        atomic_store(&slot->since, now_s());
        atomic_store(&slot->at, r);
        inspect_record(&l, x->inspection, r - 1);
        atomic_store(&slot->at, 0);
    }
    pool_drop(&l.pool);
}

/* --- those that have them --- */

static bool start(struct inspecting *x, size_t i)
{
    atomic_store(&x->shared->slot[i].at, 0);
    x->pid[i] = contained_fork(x->job.run.contained, x->most_memory);
    if (x->pid[i] == 0) {
        work(x, i);
        _exit(EXIT_DONE);
    }
    return x->pid[i] > 0;
}

/* What a process was at when it died costs that record, and no other. */
static void give_up(const struct inspecting *x, size_t r, int status, bool late)
{
    struct inspected *seen = &x->inspection->images[r], *mask = &x->inspection->masks[r];
    struct text why = { 0 };
    int exit;

    if (seen->state == FILE_GOOD && x->job.images.masks && x->job.dataset->records[r].mask)
        seen = mask;
    *seen = (struct inspected){ .state = FILE_FATAL };
    if (late)
        contained_late(MOST_SECONDS * 1000, &exit, &why);
    else
        contained_death("its decoder", status, x->kills, &exit, &why);
    snprintf(seen->why, sizeof seen->why, "%s", text_string(&why));
    text_drop(&why);
}

/* One that died is replaced while there is work: the record it was at is tried once more, since it
 * may have been killed for the sake of others. False where it was at none: others would fare alike.
 */
static bool take_end(struct inspecting *x, size_t i, int status, bool late)
{
    size_t at = atomic_load(&x->shared->slot[i].at);

    x->pid[i] = 0;
    x->again[i] = 0;
    if (!at && WIFEXITED(status) && WEXITSTATUS(status) == EXIT_DONE)
        return true;
    if (!at && !late) {
        errno = ECHILD;
        return false;
    }
    if (at && (late || x->tried[at - 1])) {
        give_up(x, at - 1, status, late);
    } else if (at) {
        x->tried[at - 1] = true;
        x->again[i] = at;
        memset(&x->inspection->images[at - 1], 0, sizeof(struct inspected));
        memset(&x->inspection->masks[at - 1], 0, sizeof(struct inspected));
    }
    return start(x, i);
}

static bool is_late(const struct inspecting *x, size_t i)
{
    const struct slot *slot = &x->shared->slot[i];

    return atomic_load(&slot->at) && now_s() - atomic_load(&slot->since) > MOST_SECONDS;
}

/* Looks after all of them once. How many there are. */
static size_t tend(struct inspecting *x, bool *good)
{
    size_t alive = 0;

    for (size_t i = 0; i < x->n_slots; i++) {
        bool late = x->pid[i] && is_late(x, i);
        int status;

        if (!x->pid[i])
            continue;
        if (late)
            reap(x->pid[i], &status);
        if (late || waitpid(x->pid[i], &status, WNOHANG) == x->pid[i])
            *good = take_end(x, i, status, late) && *good;
        alive += x->pid[i] > 0;
    }
    return alive;
}

static bool wait_for_all(struct inspecting *x, const sigset_t *child)
{
    static const struct timespec nap = { .tv_nsec = NAP_MS * 1000000L };
    bool good = true;
    int status;

    while (tend(x, &good) && good)
        sigtimedwait(child, NULL, &nap);
    for (size_t i = 0; i < x->n_slots; i++)
        if (x->pid[i] > 0)
            reap(x->pid[i], &status);
    return good;
}

static bool run(struct inspecting *x)
{
    sigset_t child, before;
    bool good = true;

    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &before);
    for (size_t i = 0; good && i < x->n_slots; i++)
        good = start(x, i);
    good = wait_for_all(x, &child) && good;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return good;
}

/* What they have written of segments. */
static void map_spools(struct inspecting *x)
{
    for (size_t i = 0; i < x->n_slots; i++) {
        off_t length = x->spool[i] < 0 ? 0 : lseek(x->spool[i], 0, SEEK_END);
        void *at = length > 0 ? mmap(NULL, (size_t)length, PROT_READ, MAP_PRIVATE, x->spool[i], 0)
                              : MAP_FAILED;

        if (at != MAP_FAILED)
            x->inspection->spools[i] = (struct slice){ at, (size_t)length };
        if (x->spool[i] >= 0)
            close(x->spool[i]);
    }
}

static void take_room(struct inspecting *x)
{
    struct inspection *inspection = x->inspection;
    size_t n = x->n_slots, records = inspection->n;

    inspection->bytes = 2 * (records + 1) * sizeof(struct inspected);
    inspection->images = share(inspection->bytes);
    inspection->masks = inspection->images + records + 1;
    inspection->spools = memory_take(n * sizeof *inspection->spools);
    memset(inspection->spools, 0, n * sizeof *inspection->spools);
    inspection->n_spools = n;
    x->shared = share(sizeof *x->shared + n * sizeof(struct slot));
    x->pid = memory_take(n * sizeof *x->pid);
    memset(x->pid, 0, n * sizeof *x->pid);
    x->again = memory_take(n * sizeof *x->again);
    memset(x->again, 0, n * sizeof *x->again);
    x->spool = memory_take(n * sizeof *x->spool);
    x->tried = memory_take(records + 1);
    memset(x->tried, 0, records + 1);
    for (size_t i = 0; i < n; i++)
        x->spool[i] = x->job.images.masks ? memfd_create("segments", MFD_CLOEXEC) : -1;
}

bool inspect_images(struct inspection *inspection, const struct inspect_job *wanted,
                    struct text *why)
{
    size_t n = wanted->dataset->n_records;
    int jobs = wanted->jobs ? wanted->jobs : limits_processors();
    struct sandbox sandbox;
    struct inspecting x = { .inspection = inspection,
                            .wanted = wanted,
                            .n_slots = n / WORTH < (size_t)jobs ? n / WORTH + 1 : (size_t)jobs };
    bool good;

    *inspection = (struct inspection){ .n = n };
    x.most_memory = limits_memory() / 2 / x.n_slots;
    x.kills = limits_memory_kills();
    job_for_reading(&x.job, wanted->dataset, &wanted->images, wanted->masks, &sandbox);
    take_room(&x);
    good = run(&x);
    if (!good)
        text_addf(why, "no process can be started to inspect images: %s", errno_text());
    sandbox_close(&sandbox);
    map_spools(&x);
    munmap(x.shared, sizeof *x.shared + x.n_slots * sizeof(struct slot));
    free(x.pid);
    free(x.again);
    free(x.spool);
    free(x.tried);
    return good;
}

const struct seen_segment *inspection_segments(const struct inspection *inspection,
                                               const struct inspected *seen)
{
    const char *at = inspection->spools[seen->spool].at;

    return (const struct seen_segment *)(const void *)at + seen->first_segment;
}

void inspection_drop(struct inspection *inspection)
{
    if (inspection->images)
        munmap(inspection->images, inspection->bytes);
    for (size_t i = 0; i < inspection->n_spools; i++)
        if (inspection->spools[i].at)
            munmap((void *)(uintptr_t)inspection->spools[i].at, inspection->spools[i].length);
    free(inspection->spools);
    *inspection = (struct inspection){ 0 };
}
