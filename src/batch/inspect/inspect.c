/* inspect: distributes image files to processes, which write their results to shared memory. */
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

enum { WORTH = 32 /* files per process, at least */, MAX_SECONDS = 300, NAP_MS = 200 };

/* State that a process publishes. */
struct slot {
    _Atomic size_t at;     /* the record that it is reading, from 1; 0: none */
    _Atomic int64_t since; /* s */
};

struct shared_state {
    _Atomic size_t next;
    struct slot slot[];
};

struct inspect_run {
    struct inspection *inspection;
    const struct inspect_job *wanted;
    struct job job;
    struct shared_state *shared;
    size_t n_slots;
    pid_t *pid;
    size_t *again; /* for each slot: the record to retry, from 1; 0: none */
    int *spool;
    bool *tried;
    uint64_t max_memory;
    uint64_t kills; /* limits_memory_kills() before the first process started */
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

/* --- in a child process --- */

static void inspect_record(struct inspector *l, const struct inspection *inspection, size_t r)
{
    const struct record *record = &l->job->dataset->records[r];
    const char *code;
    struct text why = { 0 };

    if (check_record_names(l->job, r, &why, &code)) {
        inspect_file(l, job_root(l->job, r), job_file(l->job, r), false, &inspection->images[r]);
        if (job_has_masks(l->job) && record->mask)
            inspect_file(l, job_mask_root(l->job, r), record->mask, true, &inspection->masks[r]);
    }
    text_drop(&why);
}

static void work(const struct inspect_run *x, size_t i)
{
    struct inspector l = { .job = &x->job,
                           .pixels = x->wanted->pixels,
                           .masks = x->wanted->mask_pixels,
                           .labels = x->wanted->labels,
                           .spool = i,
                           .segments = x->spool[i] };
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

/* --- starting and replacing processes --- */

static bool start(struct inspect_run *x, size_t i)
{
    atomic_store(&x->shared->slot[i].at, 0);
    x->pid[i] = child_fork(x->job.run.contained, x->max_memory);
    if (x->pid[i] == 0) {
        work(x, i);
        _exit(EXIT_DONE);
    }
    return x->pid[i] > 0;
}

/* A process that dies costs only the record that it was reading. */
static void give_up(const struct inspect_run *x, size_t r, int status, bool late)
{
    struct inspected_file *seen = &x->inspection->images[r], *mask = &x->inspection->masks[r];
    struct text why = { 0 };
    int exit;

    if (seen->state == FILE_GOOD && job_has_masks(&x->job) && x->job.dataset->records[r].mask)
        seen = mask;
    *seen = (struct inspected_file){ .state = FILE_FATAL };
    if (late)
        child_explain_timeout(MAX_SECONDS * 1000, &exit, &why);
    else
        child_explain_death("its decoder", status, x->kills, &exit, &why);
    snprintf(seen->why, sizeof seen->why, "%s", text_string(&why));
    text_drop(&why);
}

/* Handles the end of a process, and replaces it while there is work. Its record is retried once,
 * since the kernel may have killed the process because of other processes. Returns false if it died
 * without a record, since a new process would die in the same way. */
static bool take_end(struct inspect_run *x, size_t i, int status, bool late)
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
        memset(&x->inspection->images[at - 1], 0, sizeof(struct inspected_file));
        memset(&x->inspection->masks[at - 1], 0, sizeof(struct inspected_file));
    }
    return start(x, i);
}

static bool is_late(const struct inspect_run *x, size_t i)
{
    const struct slot *slot = &x->shared->slot[i];

    return atomic_load(&slot->at) && now_s() - atomic_load(&slot->since) > MAX_SECONDS;
}

/* Checks all processes once. Returns the number that are alive. */
static size_t tend(struct inspect_run *x, bool *good)
{
    size_t alive = 0;

    for (size_t i = 0; i < x->n_slots; i++) {
        bool late = x->pid[i] && is_late(x, i);
        int status;

        if (!x->pid[i])
            continue;
        if (late)
            stop_child(x->pid[i], &status);
        if (late || waitpid(x->pid[i], &status, WNOHANG) == x->pid[i])
            *good = take_end(x, i, status, late) && *good;
        alive += x->pid[i] > 0;
    }
    return alive;
}

static bool wait_for_all(struct inspect_run *x, const sigset_t *child)
{
    static const struct timespec nap = { .tv_nsec = NAP_MS * 1000000L };
    bool good = true;
    int status;

    while (tend(x, &good) && good)
        sigtimedwait(child, NULL, &nap);
    for (size_t i = 0; i < x->n_slots; i++)
        if (x->pid[i] > 0)
            stop_child(x->pid[i], &status);
    return good;
}

static bool run(struct inspect_run *x)
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

/* Maps the segments that the processes have written. */
static void map_spools(struct inspect_run *x)
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

static void take_room(struct inspect_run *x)
{
    struct inspection *inspection = x->inspection;
    size_t n = x->n_slots, records = inspection->n;

    inspection->bytes = 2 * (records + 1) * sizeof(struct inspected_file);
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
        x->spool[i] = job_has_masks(&x->job) ? memfd_create("segments", MFD_CLOEXEC) : -1;
}

bool inspect_images(struct inspection *inspection, const struct inspect_job *wanted,
                    struct text *why)
{
    size_t n = wanted->dataset->n_records;
    int jobs = wanted->jobs ? wanted->jobs : limits_processors();
    struct sandbox sandbox;
    struct inspect_run x = { .inspection = inspection,
                             .wanted = wanted,
                             .n_slots = n / WORTH < (size_t)jobs ? n / WORTH + 1 : (size_t)jobs };
    bool good;

    *inspection = (struct inspection){ .n = n };
    x.max_memory = limits_memory() / 2 / x.n_slots;
    x.kills = limits_memory_kills();
    job_for_reading(&x.job, wanted->dataset, wanted->images, wanted->masks, &sandbox);
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
                                               const struct inspected_file *seen)
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
