/* summary: what a run says on stderr of its images when it ends. */
#include "batch/run/summary.h"

#include "base/stderr_line.h"

#include <string.h>

void summary_complain(struct progress_report *progress, const char *name, const char *why)
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

/* Once for all images; nobody is spared it. */
static void tell_sizes(size_t resized)
{
    if (resized)
        message_print("lockstep: warning: of %zu image%s the annotations had another size than the "
                      "file, which is taken (--trust file) [size-differs]",
                      resized, resized == 1 ? "" : "s");
}

/* A list of images that has fewer than was read is no success that goes without saying. */
static void tell_unmade(const struct job *job, size_t n, size_t record)
{
    if (n)
        message_print("lockstep: warning: %zu image%s, %s%s: no output was made of %s, as there "
                      "was nothing to make one of [output-none]",
                      n, n == 1 ? "" : "s", n > 1 ? "first " : "",
                      job->dataset->records[record].name, n == 1 ? "it" : "them");
}

/* Messages about images of a kind; NULL: tell_unmade prints it. */
static const char *const remarks[N_REMARKS] = {
    [REMARK_SEVERAL] = "of several frames or pages only the first is taken; --on-frames fail "
                       "refuses them [frames-dropped]",
    [REMARK_MISNAMED] = "written in the format of its data, which is not the one its name says; "
                        "--format sets one [format-misnamed]",
    [REMARK_LACKING] = "texts have characters that the font of --font lacks; its .notdef glyph is "
                       "written in their place [font-lacking]",
    [REMARK_INKS] = "CMYK became RGB by a colour profile; \"cmyk\": \"naive\" gives the values of "
                    "PIL, which may differ by 100 levels [cmyk-profile]",
    [REMARK_GEOREFERENCED] = "GeoTIFF tags are not written: outputs do not say where on earth they "
                             "are [geotiff-dropped]",
    [REMARK_ALPHA] = "the last channel is read and written as alpha, but the TIFF does not call it "
                     "so (ExtraSamples 0) [alpha-assumed]",
};

static void tell_remarks(const struct job *job, const struct collect *c)
{
    for (size_t i = 0; i < N_REMARKS; i++) {
        size_t n = c->counts.remarked[i];

        if (remarks[i] && n)
            message_print("lockstep: warning: %zu image%s, %s%s: %s", n, n == 1 ? "" : "s",
                          n > 1 ? "first " : "", job->dataset->records[c->first[i]].name,
                          remarks[i]);
    }
}

void summary_files(const struct job *job, const struct collect *c)
{
    tell_sizes(c->counts.resized);
    tell_unmade(job, c->counts.remarked[REMARK_UNMADE], c->first[REMARK_UNMADE]);
    if (job->run.verbosity < 0)
        return;
    tell_remarks(job, c);
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
