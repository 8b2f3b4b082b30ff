/* summary: messages about the images of a run. */
#include "batch/run/summary.h"

#include "base/stderr_line.h"

#include <string.h>

void summary_print_error(struct progress_report *progress, const char *name, const char *why)
{
    struct text line = { 0 };

    progress_pause(progress);
    text_adds(&line, "lockstep: error: ");
    if (strncmp(why, name, strlen(name)) != 0)
        text_addf(&line, "%s: ", name);
    text_adds(&line, why);
    message_print("%s", text_string(&line));
    text_drop(&line);
}

/* Prints the warning size-differs once for all images, even with --quiet. */
static void print_resized_note(size_t resized)
{
    if (resized)
        message_print("lockstep: warning: the annotations of %zu image%s had another size than the "
                      "file, whose size is used (--trust file) [size-differs]",
                      resized, resized == 1 ? "" : "s");
}

/* Prints the warning output-none, even with --quiet: a dataset that shrinks must not go unnoticed.
 */
static void warn_no_output(const struct job *job, size_t n, size_t record)
{
    if (n)
        message_print("lockstep: warning: %zu image%s, %s%s: no output was made of %s, since "
                      "nothing was left to write [output-none]",
                      n, n == 1 ? "" : "s", n > 1 ? "first " : "",
                      job->dataset->records[record].name, n == 1 ? "it" : "them");
}

/* Warnings by kind; NULL: warn_no_output prints it. */
static const char *const remarks[N_REMARKS] = {
    [REMARK_SEVERAL] = "only the first of several frames or pages is used; --on-frames fail "
                       "refuses them [frames-dropped]",
    [REMARK_MISNAMED] = "written in the format of its data, which differs from its suffix; "
                        "--format sets one [format-misnamed]",
    [REMARK_LACKING] = "texts have characters that the font of --font lacks; its .notdef glyph is "
                       "written in their place [font-lacking]",
    [REMARK_INKS] = "CMYK became RGB by a colour profile; \"cmyk\": \"naive\" gives the values of "
                    "PIL, which may differ by 100 levels [cmyk-profile]",
    [REMARK_GEOREFERENCED] = "GeoTIFF tags are not written: outputs are not georeferenced "
                             "[geotiff-dropped]",
    [REMARK_ALPHA] = "the last channel is read and written as alpha, but the TIFF does not "
                     "declare it as alpha (ExtraSamples 0) [alpha-assumed]",
};

static void print_remarks(const struct job *job, const struct collect *c)
{
    for (size_t i = 0; i < N_REMARKS; i++) {
        size_t n = c->counts.remarked[i];

        if (remarks[i] && n)
            message_print("lockstep: warning: %zu image%s, %s%s: %s", n, n == 1 ? "" : "s",
                          n > 1 ? "first " : "", job->dataset->records[c->first[i]].name,
                          remarks[i]);
    }
}

/* Prints which images widely used readers of the output leave out or fail at. */
static void print_limits(const struct job *job, const struct collect *c)
{
    const struct format *writer = job->dataset->writer;

    for (size_t i = 0; writer && writer->reader_limits && writer->reader_limits[i].what; i++) {
        size_t n = c->counts.remarked[REMARK_LIMIT + i];

        if (n)
            message_print("lockstep: note: %zu image%s, %s%s: %s [reader-limit]", n,
                          n == 1 ? "" : "s", n > 1 ? "first " : "",
                          job->dataset->records[c->first[REMARK_LIMIT + i]].name,
                          writer->reader_limits[i].what);
    }
}

void summary_files(const struct job *job, const struct collect *c)
{
    print_resized_note(c->counts.resized);
    warn_no_output(job, c->counts.remarked[REMARK_UNMADE], c->first[REMARK_UNMADE]);
    if (job->run.verbosity < 0)
        return;
    print_remarks(job, c);
    print_limits(job, c);
    losses_tell(&c->counts.losses);
}

void summary_print(const struct job *job, const struct collect *c,
                   const struct progress_report *progress, bool has_errors_file)
{
    double seconds = progress_seconds(progress);
    struct text line = { 0 };

    summary_files(job, c);
    if (job->run.verbosity < 0)
        return;
    text_adds(&line, "lockstep: ");
    if (job->images.shard.count)
        text_addf(&line, "shard %zu/%zu: ", job->images.shard.index, job->images.shard.count);
    text_addf(&line, "%zu image%s from %zu", c->counts.outputs, c->counts.outputs == 1 ? "" : "s",
              c->done);
    if (job->dataset->format)
        text_addf(&line, ", %zu annotation%s from %zu", c->counts.objects_out,
                  c->counts.objects_out == 1 ? "" : "s", c->counts.objects_in);
    if (job->plan->rules.reject_image_if.given)
        text_addf(&line, "; %zu attempts rejected, %zu copies given up", c->counts.rejected,
                  c->counts.given_up);
    if (c->skipped)
        text_addf(&line, "; %zu skipped", c->skipped);
    if (c->skipped && !job->images.shard.count && has_errors_file)
        text_addf(&line, ", see %s/errors.jsonl", job->output.path);
    message_print("%s; %.1f s, %.0f images/s; in %s", text_string(&line), seconds,
                  (double)c->counts.outputs / (seconds > 0.001 ? seconds : 0.001),
                  job->output.path);
    text_drop(&line);
}
