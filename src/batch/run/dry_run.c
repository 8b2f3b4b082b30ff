/* dry_run: samples all random values and writes only manifest lines, to stdout. */
#include "batch/io/mapped_file.h"
#include "batch/image/image_job.h"
#include "batch/process/sandbox.h"
#include "batch/run/summary.h"
#include "batch/run/run_job.h"

#include <stdio.h>

/* Runs in this process, since nothing is forked after it. */
int job_dry_run(const struct job *job)
{
    struct scratch scratch = { 0 };
    struct report report = { 0 };
    struct progress_report progress = { .style = PROGRESS_NONE };
    struct collect counted = { .job = job };
    struct text why = { 0 };
    int code = EXIT_DONE;

    sandbox_enter(job->run.contained);
    for (size_t i = 0; i < job->images.n_records; i++) {
        size_t r = job_record(job, i);

        record_run(job, &scratch, r, true, &report);
        if (report.outcome == OUTCOME_DONE) {
            fputs(text_string(&report.manifest), stdout);
            collect_add(&counted, r, &report.counts);
            continue;
        }
        report_complete(&report);
        code = job->run.on_error == ON_ERROR_FAIL ? outcome_exit(report.outcome) : EXIT_PARTIAL;
        summary_print_error(&progress, job->dataset->records[r].name, text_string(&report.why));
        if (job->run.on_error == ON_ERROR_FAIL)
            break;
    }
    summary_files(job, &counted);
    report_drop(&report);
    scratch_drop(&scratch);
    if (!mapped_check(true, &why)) {
        summary_print_error(&progress, "", text_string(&why));
        text_drop(&why);
        return EXIT_INPUT;
    }
    return code;
}
