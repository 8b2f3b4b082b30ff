/* stream: writes the outputs of a job to stdout, as one tar of samples. */
#include "batch/run/stream.h"

#include "batch/run/prepare_output.h"
#include "batch/process/signals.h"
#include "batch/run/summary.h"
#include "batch/run/run_job.h"
#include "batch/io/temp_dir.h"
#include "batch/webdataset/sink.h"

#include "base/stderr_line.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

struct stream {
    struct private_folder folder;
    struct stdout_sink to;
    struct part_run parts;
};

enum { OUTPUTS = 1000, IMAGES_PER_WORKER = 8 };

/* Returns the number of images per part: about 1000 outputs, which fit on a RAM disk, but at least
 * IMAGES_PER_WORKER images per worker. */
static size_t part_size(const struct job *job)
{
    size_t n = OUTPUTS / job_fan_out(job), min = IMAGES_PER_WORKER * (size_t)job->run.jobs;

    return n > min ? n : min;
}

static int run_part(struct job *part, struct part_run *to)
{
    struct faults faults = { .name = "lockstep run" };
    struct out_dir outdir = { 0 };
    struct text out = { 0 };
    int finished = -1, code = prepare_output(part, &outdir, PREPARE_EMPTY, &finished, &faults);

    faults_print(&faults, faults.n, &out);
    message_print_lines(&out);
    if (!code)
        code = job_run_part(part, to);
    out_dir_close(&outdir);
    text_drop(&out);
    faults_drop(&faults);
    return code;
}

static bool is_left(const struct stream *s)
{
    return s->to.sink.is_left(&s->to.sink);
}

/* Ends the tar and returns the exit code of the command, as for one run of all images. */
static int finish(struct stream *s, const struct job *job, int code)
{
    bool good = code == EXIT_DONE || code == EXIT_PARTIAL;
    struct text why = { 0 };

    if (good)
        code = collect_exit(&s->parts.total);
    if (!sink_stdout_close(&s->to, good, &why) && good) {
        good = false;
        code = why.length || !signals_end() ? EXIT_OUTPUT : EXIT_SIGNAL + signals_end();
        if (code != EXIT_OUTPUT)
            message_print("lockstep: error: interrupted by signal %d (%s) [interrupted]",
                          signals_end(), strsignal(signals_end()));
    }
    if (is_left(s))
        code = EXIT_SIGNAL + SIGPIPE;
    else if (why.length)
        message_print("lockstep: error: %s", text_string(&why));
    else if (!good)
        message_print("lockstep: error: the tar on stdout is cut short: only %zu of %zu images "
                      "were done [stream-cut]",
                      s->parts.total.done, job->images.n_records);
    text_drop(&why);
    if (good && !is_left(s))
        summary_print(job, &s->parts.total, &s->parts.progress, false);
    return code;
}

/* Runs all parts, one after the other. */
static int run_parts(struct stream *s, const struct job *job)
{
    size_t max = part_size(job), *chosen = memory_take(max * sizeof *chosen);
    struct job part = *job;
    int code = EXIT_DONE;
    sigset_t awake;

    signals_catch(&awake);
    sigprocmask(SIG_SETMASK, &awake, NULL);
    part.images.chosen = chosen;
    part.output.path = text_string(&s->folder.path);
    for (size_t at = 0; at < job->images.n_records && code <= EXIT_PARTIAL;
         at += part.images.n_records) {
        part.images.n_records = job->images.n_records - at < max ? job->images.n_records - at : max;
        for (size_t i = 0; i < part.images.n_records; i++)
            chosen[i] = job_record(job, at + i);
        code = signals_end() ? EXIT_SIGNAL + signals_end() : run_part(&part, &s->parts);
        if (code <= EXIT_PARTIAL && !private_folder_empty(&s->folder)) {
            message_print("lockstep: error: %s: %s [out-remove]", part.output.path, errno_text());
            code = EXIT_OUTPUT;
        }
    }
    free(chosen);
    return code;
}

int stream_job(const struct job *job)
{
    struct stream s = { 0 };
    struct job streamed = *job;
    struct text why = { 0 };
    int code;

    progress_start(&s.parts.progress, job);
    s.parts.sink = &s.to.sink;
    s.parts.total.job = &streamed;
    streamed.output.path = "stdout";
    streamed.output.durability = DURABILITY_NONE;
    streamed.output.packing = (struct packing){ UINT64_MAX, UINT64_MAX };
    if (!private_folder_open(&s.folder, &why)) {
        message_print("lockstep: error: TMPDIR: %s [out-unwritable]", text_string(&why));
        text_drop(&why);
        return EXIT_OUTPUT;
    }
    if (!sink_stdout(&s.to))
        memory_gone(sizeof s.to);
    code = finish(&s, &streamed, run_parts(&s, &streamed));
    private_folder_close(&s.folder);
    return code;
}
