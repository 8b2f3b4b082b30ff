/* worker: a process that handles records one at a time and reports them through a pipe. */
#include "batch/run/worker.h"

#include "batch/process/limits.h"
#include "batch/io/mapped_file.h"
#include "batch/output/out_dir.h"
#include "batch/process/stop_child.h"
#include "batch/process/sandbox.h"
#include "batch/image/image_job.h"

#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* Reads up to WORKER_QUEUE record numbers: all that are available. Returns 0 at the end of the
 * pipe. */
static size_t receive_records(int fd, uint64_t records[WORKER_QUEUE])
{
    char *at = (char *)records;
    size_t length = 0;

    do {
        ssize_t got =
            TEMP_FAILURE_RETRY(read(fd, at + length, WORKER_QUEUE * sizeof *records - length));

        if (got < 0)
            _exit(EXIT_OUTPUT);
        if (got == 0)
            return 0;
        length += (size_t)got;
    } while (length % sizeof *records);
    return length / sizeof *records;
}

/* Sends the length and the report in one write, so that the supervisor is woken once and can read
 * all of it. */
static bool send_report(int fd, struct report *r, struct text *parcel)
{
    uint64_t length;

    report_complete(r);
    text_clear(parcel);
    text_add(parcel, &length, sizeof length);
    report_pack(r, parcel);
    length = parcel->length - sizeof length;
    memcpy(parcel->at, &length, sizeof length);
    return file_write_all(fd, parcel->at, parcel->length);
}

/* Prefetches the file of the record 2 x jobs ahead, which a worker will read soon. Workers take
 * records in order, so all but the first few are prefetched once. */
static void expect_next(const struct job *job, size_t record)
{
    size_t i = job_records_before(job, record) + 2 * (size_t)job->run.jobs;

    if (i < job->images.n_records)
        record_prefetch(job, job_record(job, i));
}

/* Keeps memory that libraries free after each image in the process. Otherwise allocating
 * coefficients in libjpeg costs hundreds of page faults per image. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

/* Appends the objects to the spool here, since they are most of the data and need not pass through
 * the supervisor. */
static void store_objects(const struct store *objects, struct report *r)
{
    if (store_add(objects, &r->objects, &r->objects_at))
        return;
    text_clear(&r->why);
    text_addf(&r->why, "annotations: %s", errno_text());
    r->outcome = OUTCOME_OUTPUT;
}

/* Discards the result if the annotations were changed meanwhile. */
static void check_annotations(struct report *r)
{
    if (!mapped_check(false, &r->why))
        r->outcome = OUTCOME_CHANGED;
}

/* With --durability file, syncs the outputs before they are reported. */
static void sync_record(const struct job *job, struct report *r)
{
    if (job->output.durability != DURABILITY_FILE || r->outcome != OUTCOME_DONE ||
        out_dir_sync(job->output.outdir))
        return;
    text_clear(&r->why);
    text_addf(&r->why, "what was written did not reach the disk: %s", errno_text());
    r->outcome = OUTCOME_OUTPUT;
}

static void work(const struct job *job, const struct store *objects, int from, int to)
{
    uint64_t records[WORKER_QUEUE];
    struct scratch scratch = { 0 };
    struct report report = { 0 };
    struct text parcel = { 0 };
    size_t n;

    keep_memory();
    if (job->run.max_memory)
        limits_keep_to(job->run.max_memory);
    while ((n = receive_records(from, records)) > 0)
        for (size_t i = 0; i < n; i++) {
            expect_next(job, (size_t)records[i]);
            record_run(job, &scratch, (size_t)records[i], false, &report);
            check_annotations(&report);
            store_objects(objects, &report);
            sync_record(job, &report);
            if (!send_report(to, &report, &parcel))
                _exit(EXIT_OUTPUT);
        }
    text_drop(&parcel);
    report_drop(&report);
    scratch_drop(&scratch);
}

/* Closes the pipes of the other workers, which the fork inherits: an open copy would keep them from
 * ending. */
static void close_others(const struct worker *all, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (all[i].pid) {
            close(all[i].to);
            close(all[i].from);
        }
}

bool worker_start(struct worker *w, const struct worker *all, size_t n, const struct job *job,
                  const struct store *objects)
{
    int tasks[2], reports[2];

    text_drop(&w->incoming);
    *w = (struct worker){ .to = -1, .from = -1, .kills = limits_memory_kills() };
    if (pipe2(tasks, O_CLOEXEC) != 0)
        return false;
    if (pipe2(reports, O_CLOEXEC) != 0 || fcntl(reports[0], F_SETFL, O_NONBLOCK) != 0) {
        close(tasks[0]);
        close(tasks[1]);
        return false;
    }
    fflush(NULL);
    w->pid = fork();
    if (w->pid == 0) {
        sigset_t none;

        /* The supervisor handles signals from the terminal; when it dies, its workers are killed.
         */
        signal(SIGINT, SIG_IGN);
        signal(SIGHUP, SIG_IGN);
        signal(SIGTERM, SIG_DFL);
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(tasks[1]);
        close(reports[0]);
        close_others(all, n);
        sandbox_enter(job->run.contained);
        work(job, objects, tasks[0], reports[1]);
        _exit(EXIT_DONE);
    }
    close(tasks[0]);
    close(reports[1]);
    w->to = tasks[1];
    w->from = reports[0];
    if (w->pid < 0) {
        w->pid = 0;
        close(w->to);
        close(w->from);
        return false;
    }
    return true;
}

void worker_kill(const struct worker *w)
{
    if (w->pid)
        kill(w->pid, SIGKILL);
}

bool worker_give(struct worker *w, const size_t *records, size_t n)
{
    uint64_t numbers[WORKER_QUEUE];

    for (size_t i = 0; i < n; i++)
        numbers[i] = w->queue[w->n_queue++] = records[i];
    return file_write_all(w->to, numbers, n * sizeof *numbers) || errno == EPIPE;
}

/* Returns the size of the first report in `incoming`, including its length prefix; 0 if the length
 * is not complete. */
static size_t report_size(const struct worker *w)
{
    uint64_t length;

    if (w->incoming.length - w->taken < sizeof length)
        return 0;
    memcpy(&length, w->incoming.at + w->taken, sizeof length);
    return sizeof length + (size_t)length;
}

bool worker_receive(struct worker *w)
{
    enum { STEP = 1 << 16 /* capacity of a pipe */ };
    size_t rest = w->incoming.length - w->taken, room = STEP;
    ssize_t got;
    char *to;

    if (w->taken) {
        memmove(w->incoming.at, w->incoming.at + w->taken, rest);
        text_cut(&w->incoming, rest);
        w->taken = 0;
    }
    if (report_size(w) > rest + room)
        room = report_size(w) - rest;
    to = text_room(&w->incoming, room);
    got = TEMP_FAILURE_RETRY(read(w->from, to, room));
    if (got > 0)
        text_grown(&w->incoming, to + got);
    w->gone = got == 0 || (got < 0 && errno != EAGAIN);
    return !w->gone;
}

bool worker_next_report(struct worker *w, size_t *record, struct slice *packed)
{
    size_t size = report_size(w);

    if (!size || size > w->incoming.length - w->taken)
        return false;
    *packed =
        (struct slice){ w->incoming.at + w->taken + sizeof(uint64_t), size - sizeof(uint64_t) };
    w->taken += size;
    *record = w->queue[0];
    w->n_queue--;
    memmove(w->queue, w->queue + 1, w->n_queue * sizeof *w->queue);
    w->done++;
    return true;
}

bool worker_stop(struct worker *w, int *status)
{
    bool ended;

    close(w->to);
    close(w->from);
    ended = w->gone && wait_for_child(w->pid, status);
    if (!ended) {
        w->kills = KILLED_BY_LOCKSTEP;
        ended = stop_child(w->pid, status);
    }
    w->pid = 0;
    text_drop(&w->incoming);
    return ended;
}

void worker_report_death(const struct job *job, const struct worker *w, int status,
                         struct report *report)
{
    struct text *why = &report->why;
    const char *lower = limits_lower(job->run.max_memory), *code;

    report_clear(report);
    report->outcome = OUTCOME_CRASHED;
    if (w->late) {
        report->outcome = OUTCOME_TIMEOUT;
        text_addf(why, "it took longer than %lld s (--timeout)",
                  (long long)job->run.timeout / 1000);
    } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL &&
               w->kills != KILLED_BY_LOCKSTEP) {
        report->outcome = OUTCOME_MEMORY;
        text_adds(why, "the worker that had it ");
        code = limits_explain_kill(w->kills, why);
        text_addf(why, " [%s]", code);
    } else if (WIFSIGNALED(status)) {
        text_addf(why, "the worker that had it died of signal %d (%s)", WTERMSIG(status),
                  strsignal(WTERMSIG(status)));
    } else if (WEXITSTATUS(status) == EXIT_RESOURCES) {
        report->outcome = OUTCOME_MEMORY;
        text_addf(why, "out of memory (%s)", lower ? lower : "--max-memory");
    } else if (WEXITSTATUS(status) == EXIT_OUTPUT) {
        report->outcome = OUTCOME_OUTPUT;
        text_adds(why, "the pipe to or from the worker that had it failed");
    } else {
        text_addf(why, "the worker that had it ended with code %d", WEXITSTATUS(status));
    }
}
