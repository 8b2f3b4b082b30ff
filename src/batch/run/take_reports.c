/* take_reports: handles the reports of workers, and workers that die. */
#include "batch/run/supervisor.h"

#include "batch/io/mapped_file.h"
#include "batch/io/image_name.h"
#include "batch/output/out_files.h"
#include "batch/output/output_names.h"
#include "batch/run/collector.h"
#include "batch/run/summary.h"

#include "base/files.h"
#include "base/stderr_line.h"

#include <errno.h>
#include <string.h>

void supervisor_fail(struct supervisor *s, enum outcome outcome, const char *name, const char *why)
{
    struct text line = { 0 };

    text_adds(&line, why);
    outcome_add_code(outcome, &line);
    summary_print_error(&s->progress, name, text_string(&line));
    text_drop(&line);
    s->exit = outcome_exit(outcome);
}

void supervisor_fail_to_start(struct supervisor *s)
{
    struct text why = { 0 };

    text_addf(&why, "cannot start or use a process: %s [worker-start]", errno_text());
    supervisor_fail(s, OUTCOME_MEMORY, "", text_string(&why));
    text_drop(&why);
}

/* --- reports --- */

/* Stops handing out records after one that failed. The run ends when all queued records are done.
 * These include all records before the failed one, so the record that ends a run does not depend on
 * the number of workers. */
static void stop_at(struct supervisor *s, size_t record, const struct report_view *r)
{
    if (s->stopping && record > s->failed)
        return;
    s->stopping = true;
    s->failed = record;
    s->failed_name = s->job->dataset->records[record].name;
    s->failed_exit = outcome_exit(r->outcome);
    text_clear(&s->failed_why);
    text_add(&s->failed_why, r->why.at, r->why.length);
}

/* Applies only with --on-error skip. */
void supervisor_check_errors(struct supervisor *s, enum outcome outcome)
{
    size_t skipped = s->collect.skipped + (s->part ? s->part->total.skipped : 0);

    if (s->job->run.on_error != ON_ERROR_SKIP || s->job->run.max_errors < 0 || s->stopping ||
        skipped <= (uint64_t)s->job->run.max_errors)
        return;
    s->stopping = true;
    s->failed = 0; /* do not wait for earlier records */
    s->failed_name = s->part ? "stdout" : s->job->output.path;
    s->failed_exit = outcome_exit(outcome);
    text_addf(&s->failed_why, "more than %lld images failed (--max-errors) [errors-most]",
              (long long)s->job->run.max_errors);
}

/* True if the path is the only output of the passed record's mask; then `source` gets its name. */
static bool is_passed_mask(const struct job *job, size_t record, const char *path,
                           struct text *source)
{
    struct text name = { 0 }, whole = { 0 };
    bool is = mask_output_name(job, record, 0, &name);

    path_join(&whole, masks_folder(job), text_string(&name));
    is = is && strcmp(text_string(&whole), path) == 0 && mask_name(job, record, source);
    text_drop(&name);
    text_drop(&whole);
    return is;
}

static bool link_file(const struct job *job, size_t record, const char *path, size_t size)
{
    struct text mask = { 0 };
    bool is_mask = is_passed_mask(job, record, path, &mask);
    bool good = out_dir_link_image(job->output.outdir, path, record, size,
                                   is_mask ? job_mask_root(job, record) : job_root(job, record),
                                   is_mask ? text_string(&mask) : job_file(job, record),
                                   job->output.link == LINK_SYMBOLIC);
    int saved = errno;

    text_drop(&mask);
    errno = saved;
    return good;
}

/* Links the image and the mask of a passed record: a contained worker cannot make links. Returns
 * false with the reason. */
static bool link_image(const struct job *job, size_t record, const struct report_view *r,
                       struct text *why)
{
    struct written_file file;
    struct text path = { 0 };
    size_t at = 0;
    bool good = true;

    if (r->outcome != OUTCOME_DONE || job->output.link == LINK_COPY ||
        job->output.link == LINK_NONE || !record_is_passed(job, record))
        return true;
    while (good && report_next_file(r->files, &at, &file)) {
        text_clear(&path);
        text_add(&path, file.name.at, file.name.length);
        if (name_is_image(text_string(&path)))
            good = link_file(job, record, text_string(&path), file.size);
    }
    if (!good)
        text_addf(why, "%s cannot be linked: %s%s", text_string(&path), errno_text(),
                  errno == EXDEV ? "; --link copy copies it" : "");
    text_drop(&path);
    return good;
}

void supervisor_take(struct supervisor *s, size_t record, struct slice packed)
{
    const char *name = s->job->dataset->records[record].name;
    struct text why = { 0 };
    struct report_view r;

    if (!report_view(packed, &r)) {
        supervisor_fail(s, OUTCOME_CRASHED, "", "a worker's report is damaged");
        return;
    }
    text_add(&why, r.why.at, r.why.length);
    if (r.outcome == OUTCOME_OUTPUT || r.outcome == OUTCOME_CHANGED) {
        supervisor_fail(s, r.outcome, r.outcome == OUTCOME_CHANGED ? "" : name, text_string(&why));
    } else {
        if (r.outcome != OUTCOME_DONE && s->job->run.on_error == ON_ERROR_FAIL)
            stop_at(s, record, &r);
        else if (r.outcome != OUTCOME_DONE)
            summary_print_error(&s->progress, name, text_string(&why));
        text_clear(&why);
        if (!link_image(s->job, record, &r, &why))
            supervisor_fail(s, OUTCOME_OUTPUT, "", text_string(&why));
        else if (!collect_take(&s->collect, record, packed, &why))
            supervisor_fail(s, OUTCOME_OUTPUT, s->job->output.path, text_string(&why));
        if (r.outcome != OUTCOME_DONE)
            supervisor_check_errors(s, r.outcome);
        progress_step(&s->progress, r.outcome != OUTCOME_DONE);
    }
    text_drop(&why);
}

/* --- workers that die --- */

/* If the worker has not ended, it may hang on the disk. Its partly written files then stay, since
 * removing them could hang, too. */
int supervisor_stop_worker(const struct job *job, struct worker *w)
{
    pid_t pid = w->pid;
    int status = 0;

    if (pid && worker_stop(w, &status))
        out_dir_remove_part(job->output.outdir, pid);
    return status;
}

/* Ends the run if the annotations were changed, since a worker may have died of that. */
static void check_annotations(struct supervisor *s)
{
    struct text why = { 0 };

    if (!mapped_check(true, &why))
        supervisor_fail(s, OUTCOME_CHANGED, "", text_string(&why));
    text_drop(&why);
}

void supervisor_replace_worker(struct supervisor *s, struct worker *w)
{
    size_t queue[WORKER_QUEUE], n = w->n_queue;
    struct report report = { 0 };
    struct text packed = { 0 };
    int status;

    memcpy(queue, w->queue, sizeof queue);
    status = supervisor_stop_worker(s->job, w);
    check_annotations(s);
    for (size_t i = 0; i < n; i++)
        out_dir_remove_outputs(s->job->output.outdir, queue[i], 0);
    if (!s->exit && n && s->tried[queue[0]]) {
        worker_report_death(s->job, w, status, &report);
        outcome_add_code(report.outcome, &report.why);
        report_pack(&report, &packed);
        s->given--;
        supervisor_take(s, queue[0], (struct slice){ packed.at, packed.length });
        n--;
        memmove(queue, queue + 1, n * sizeof *queue);
    } else if (n) {
        s->tried[queue[0]] = true;
    }
    for (size_t i = 0; i < n; i++)
        s->retry[s->n_retries++] = queue[i];
    s->given -= n;
    report_drop(&report);
    text_drop(&packed);
    if (!s->exit && !s->end_at &&
        !worker_start(w, s->workers, (size_t)s->job->run.jobs, s->job, &s->collect.objects))
        supervisor_fail_to_start(s);
}
