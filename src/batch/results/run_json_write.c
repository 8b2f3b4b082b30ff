/* run_json_write: writes run.json, which records the job, its inputs and its counts. */
#include "batch/results/run_json_write.h"

#include "batch/dataset/balance.h"
#include "batch/journal/run_key.h"
#include "base/version.h"
#include "labels/shared/written_classes.h"

#include <string.h>

/* Prints the files that --overwrite may remove, besides the files that the manifest lists. */
static void print_files(const char *const *names, size_t n, struct text *out)
{
    text_adds(out, ",\n \"files\": [");
    for (size_t i = 0; i < n; i++) {
        text_adds(out, i ? ", " : "");
        text_add_json(out, names[i], strlen(names[i]));
    }
    text_adds(out, "]");
}

/* Prints each kind of deviation of an annotation file once; sets `comma` after the first. The name
 * of the file does not matter for the result. */
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

/* Prints the members of objects that geometry does not move. */
static void print_loose_keys(const struct dataset *d, struct text *out)
{
    if (!d->n_loose_keys)
        return;
    text_adds(out, ",\n \"unmoved_keys\": [");
    for (size_t i = 0; i < d->n_loose_keys; i++) {
        text_adds(out, i ? ", " : "");
        text_add_json(out, d->loose_keys[i], strlen(d->loose_keys[i]));
    }
    text_addc(out, ']');
}

static void print_categories(const struct dataset *d, struct text *out)
{
    size_t n;
    const struct category *classes = classes_written(d, &n);

    for (size_t i = 0; i < n; i++) {
        text_adds(out, i ? ", " : " \"categories\": [");
        text_add_integer(out, classes[i].id);
    }
    for (size_t i = 0; i < n; i++) {
        const char *name = classes[i].name ? classes[i].name : "";

        text_adds(out, i ? ", " : "],\n \"category_names\": [");
        text_add_json(out, name, strlen(name));
    }
    text_adds(out, n ? "],\n" : "");
}

/* Prints the parts of the dataset: where their images are, their annotations, and, if they are not
 * transformed, how their files got into OUT. */
static void print_parts(const struct job *job, struct text *out)
{
    const struct dataset *d = job->dataset;

    for (size_t i = 0; d->combination && i < d->combination->n;
         i = combination_next(d->combination, i)) {
        const struct combination_part *p = &d->combination->at[i];

        text_adds(out, i ? ",\n  {\"name\": " : " \"parts\": [\n  {\"name\": ");
        text_add_json(out, p->name, strlen(p->name));
        text_adds(out, ", \"images\": ");
        text_add_json(out, p->below, strlen(p->below));
        text_adds(out, ", \"annotations\": ");
        if (p->file)
            text_add_json(out, p->file, strlen(p->file));
        else
            text_adds(out, "null");
        if (p->masks && job_has_masks(job)) {
            text_adds(out, ", \"masks\": ");
            text_add_json(out, p->masks, strlen(p->masks));
        }
        if (p->n && record_is_passed(job, p->first))
            text_addf(out, ", \"link\": \"%s\"", choice_word(file_link_choices, job->output.link));
        text_addc(out, '}');
    }
    text_adds(out, d->combination ? "],\n" : "");
}

/* Prints the plan of --balance or --repeat-threshold. */
static void print_balance(const struct balance *b, struct text *out)
{
    if (!b)
        return;
    text_addf(out,
              " \"balance\": {\"images\": %zu, \"copies\": %zu, \"capped\": %s, \"classes\": [",
              b->n_images, b->n_copies, b->capped ? "true" : "false");
    for (size_t i = 0; i < b->n_classes; i++) {
        const struct balanced_class *c = &b->classes[i];
        const char *name = c->category->name ? c->category->name : "";

        text_adds(out, i ? ",\n  {\"part\": " : "\n  {\"part\": ");
        text_add_json(out, c->part, strlen(c->part));
        text_adds(out, ", \"name\": ");
        text_add_json(out, name, strlen(name));
        text_addf(out, ", \"before\": %llu, \"after\": %llu}", (unsigned long long)c->before,
                  (unsigned long long)c->after);
    }
    text_adds(out, "]},\n");
}

void run_words_make(const struct job *job, struct run_words *w)
{
    bool comma = false;

    *w = (struct run_words){ .rejects = job->plan->rules.reject_image_if.given,
                             .varies = job->plan->varies,
                             .trusts_file = job->images.trust == TRUST_FILE };
    text_addf(&w->head, "{\"lockstep\": \"%s\",\n \"pipeline\": ", LOCKSTEP_VERSION);
    plan_print(job->plan, &w->head);
    text_addf(&w->head, ",\n \"copies\": %u, \"include_original\": %s, \"masks\": %s, ",
              job->naming.copies, job->naming.include_original ? "true" : "false",
              job_has_masks(job) ? "true" : "false");
    text_addf(&w->head, "\"format\": %s%s%s,\n", job->dataset->format ? "\"" : "",
              job->dataset->format ? job->dataset->format->name : "null",
              job->dataset->format ? "\"" : "");
    print_categories(job->dataset, &w->head);
    print_parts(job, &w->head);
    print_balance(job->naming.balance, &w->head);
    if (job->dataset->writer && job->dataset->writer != job->dataset->format)
        text_addf(&w->head, " \"to\": \"%s\",\n", job->dataset->writer->name);
    print_loose_keys(job->dataset, &w->loose_keys);
    run_key_print(job, &w->key);
    print_notes(job->dataset, "annotations", &comma, &w->notes);
    if (job->dataset->list)
        print_notes(job->dataset->list, "image_list", &comma, &w->notes);
}

void run_words_drop(struct run_words *w)
{
    text_drop(&w->head);
    text_drop(&w->loose_keys);
    text_drop(&w->key);
    text_drop(&w->notes);
}

/* The members of run.json that count images of a kind, up to the number; NULL: another member does.
 */
static const char *const remarks[N_REMARKS] = {
    [REMARK_SEVERAL] = "\"frames\": {\"taken\": \"first\", \"of\"",
    [REMARK_MISNAMED] = "\"names\": {\"misleading\"",
    [REMARK_LACKING] = "\"texts\": {\"lacking\"",
    [REMARK_INKS] = "\"cmyk\": {\"by_profile\"",
    [REMARK_GEOREFERENCED] = "\"geotiff\": {\"dropped\"",
    [REMARK_ALPHA] = "\"alpha\": {\"assumed\"",
};

void run_words_print(const struct run_words *w, const struct totals *t, const char *const *files,
                     size_t n_files, struct text *out)
{
    const struct counts *counts = &t->counts;

    text_add(out, w->head.at, w->head.length);
    text_addf(out, " \"images\": {\"read\": %zu, \"written\": %zu, \"skipped\": %zu},\n", t->done,
              counts->outputs, t->skipped);
    text_addf(out, " \"annotations\": {\"read\": %zu, \"written\": %zu}", counts->objects_in,
              counts->objects_out);
    losses_print(&counts->losses, out);
    text_add(out, w->loose_keys.at, w->loose_keys.length);
    if (w->rejects)
        text_addf(out, ",\n \"attempts\": {\"rejected\": %zu, \"given_up\": %zu}", counts->rejected,
                  counts->given_up);
    if (w->varies)
        text_addf(out, ",\n \"outputs\": {\"images_without\": %zu}",
                  counts->remarked[REMARK_UNMADE]);
    if (w->trusts_file)
        text_addf(out, ",\n \"sizes\": {\"trusted\": \"file\", \"corrected\": %zu}",
                  counts->resized);
    text_adds(out, ",\n \"key\": ");
    text_add(out, w->key.at, w->key.length);
    print_files(files, n_files, out);
    for (size_t i = 0; i < N_REMARKS; i++)
        if (remarks[i] && counts->remarked[i])
            text_addf(out, ",\n %s: %zu}", remarks[i], counts->remarked[i]);
    text_adds(out, ",\n \"notes\": [");
    text_add(out, w->notes.at, w->notes.length);
    text_adds(out, "]}\n");
}

bool collect_write_run(const struct collect *c, const char *const *files, size_t n_files,
                       struct text *why)
{
    const struct totals totals = { c->done, c->skipped, c->counts };
    struct run_words words;
    struct text run = { 0 };
    FILE *file = collect_open(c->job->output.outdir, "run.json", why);
    bool good;

    if (!file)
        return false;
    run_words_make(c->job, &words);
    run_words_print(&words, &totals, files, n_files, &run);
    run_words_drop(&words);
    good = fwrite(run.at, 1, run.length, file) == run.length;
    text_drop(&run);
    return collect_close(file, good, "run.json", why);
}
