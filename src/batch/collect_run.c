/* collect_run: run.json, which says what was done and with what. */
#include "collect.h"

#include "run_key.h"
#include "version.h"

#include <string.h>

/* What --overwrite may remove, beside what the manifest lists. */
static void print_files(const char *const *names, size_t n, struct text *out)
{
    text_adds(out, ",\n \"files\": [");
    for (size_t i = 0; i < n; i++)
        text_addf(out, "%s\"%s\"", i ? ", " : "", names[i]);
    text_adds(out, "]");
}

/* How a file deviated, each way once; `comma` is set behind the first. What the file is called is
 * no matter of the result. */
static void print_notes(const struct dataset *d, const char *what, bool *comma, struct text *out)
{
    for (size_t i = 0; i < d->n_notes; i++) {
        const struct note *note = &d->notes[i];

        text_addf(out, "%s\n  {\"in\": \"%s\", \"code\": \"%s\", \"path\": ", *comma ? "," : "",
                  what, note->code);
        text_add_json(out, note->path, strlen(note->path));
        text_addf(out, ", \"times\": %zu}", note->times);
        *comma = true;
    }
}

static void print_run(const struct collect *c, const char *const *files, size_t n_files,
                      struct text *out)
{
    const struct job *job = c->job;
    bool comma = false;

    text_addf(out, "{\"lockstep\": \"%s\",\n \"pipeline\": ", LOCKSTEP_VERSION);
    plan_print(job->plan, out);
    text_addf(out, ",\n \"copies\": %u, \"include_original\": %s, \"masks\": %s, ", job->copies,
              job->include_original ? "true" : "false", job->masks ? "true" : "false");
    text_addf(out, "\"format\": %s%s%s,\n", job->dataset->format ? "\"" : "",
              job->dataset->format ? job->dataset->format->name : "null",
              job->dataset->format ? "\"" : "");
    if (job->dataset->writer != job->dataset->format)
        text_addf(out, " \"to\": \"%s\",\n", job->dataset->writer->name);
    text_addf(out, " \"images\": {\"read\": %zu, \"written\": %zu, \"skipped\": %zu},\n", c->done,
              c->counts.outputs, c->skipped);
    text_addf(out, " \"annotations\": {\"read\": %zu, \"written\": %zu}", c->counts.objects_in,
              c->counts.objects_out);
    if (job->dataset->n_loose_keys) {
        text_adds(out, ",\n \"unmoved_keys\": [");
        for (size_t i = 0; i < job->dataset->n_loose_keys; i++) {
            text_adds(out, i ? ", " : "");
            text_add_json(out, job->dataset->loose_keys[i], strlen(job->dataset->loose_keys[i]));
        }
        text_addc(out, ']');
    }
    if (job->plan->rules.reject_image_if.given)
        text_addf(out, ",\n \"attempts\": {\"rejected\": %zu, \"given_up\": %zu}",
                  c->counts.rejected, c->counts.given_up);
    if (job->trust == TRUST_FILE)
        text_addf(out, ",\n \"sizes\": {\"trusted\": \"file\", \"corrected\": %zu}",
                  c->counts.resized);
    text_adds(out, ",\n \"key\": ");
    run_key_print(job, out);
    print_files(files, n_files, out);
    if (c->counts.several)
        text_addf(out, ",\n \"frames\": {\"taken\": \"first\", \"of\": %zu}", c->counts.several);
    if (c->counts.misnamed)
        text_addf(out, ",\n \"names\": {\"misleading\": %zu}", c->counts.misnamed);
    text_adds(out, ",\n \"notes\": [");
    print_notes(job->dataset, "annotations", &comma, out);
    if (job->dataset->list)
        print_notes(job->dataset->list, "image_list", &comma, out);
    text_adds(out, "]}\n");
}

bool collect_write_run(const struct collect *c, const char *const *files, size_t n_files,
                       struct text *why)
{
    struct text run = { 0 };
    FILE *file = collect_open(c, "run.json", why);
    bool good;

    if (!file)
        return false;
    print_run(c, files, n_files, &run);
    good = fwrite(run.at, 1, run.length, file) == run.length;
    text_drop(&run);
    return collect_close(file, good, "run.json", why);
}
