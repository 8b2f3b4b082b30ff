/* image_job: processes one record, from its files to its outputs. */
#include "batch/image/donor_images.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/rng.h"
#include "batch/dataset/donor_table.h"
#include "batch/output/file_list.h"
#include "batch/output/out_files.h"
#include "batch/image/fingerprint.h"
#include "batch/output/output_names.h"
#include "batch/image/image_job.h"
#include "labels/shared/written_classes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct donor_calls donor_calls = { record_begin, record_end, scratch_drop };

void scratch_drop(struct scratch *b)
{
    pool_drop(&b->pool);
    arena_drop(&b->arena);
    arena_drop(&b->objects);
    text_drop(&b->bytes);
    text_drop(&b->mask_bytes);
    text_drop(&b->made);
    text_drop(&b->labels);
    donors_drop(b, &donor_calls);
}

/* --- the ops of an output --- */

static bool draw(struct work *w, bool original, const struct draw_id *draw_id,
                 struct sample *sample, struct resolved_ops *resolved_ops)
{
    struct pixel_kind kind = { w->header.type, w->header.channels };
    struct text why = { 0 };
    bool good;

    *resolved_ops = (struct resolved_ops){ 0 };
    if (original && draw_id->branch > 0)
        resolved_ops->absence = (struct absence){ draw_id->branch, 1, 0, 1 };
    if (original)
        return true;
    if (w->has_mask && !sample->segments)
        sample->mask = (struct mask_source){ work_mask_pixels, w, &w->scratch->pool };
    donors_attach(w, sample);
    good = plan_apply(w->job->plan, draw_id, kind, sample, resolved_ops, &why);
    w->unknown |= donors_need_pixels(w);
    if (why.length) { /* otherwise the mask could not be read, and the report has the reason */
        if (!report_code((struct slice){ why.at, why.length }).length)
            text_adds(&why, " [step-refused]");
        work_fail(w, OUTCOME_INPUT, w->record->name, text_string(&why));
    }
    text_drop(&why);
    return !donor_has_failed(w) && good;
}

/* Returns the id that seeds output k's random numbers; for an original, the id that its copy would
 * have. */
static struct draw_id draw_id_of(const struct work *w, unsigned k)
{
    const struct plan *plan = w->job->plan;
    unsigned copy = k / plan->fan_out;

    if (w->job->naming.include_original && copy)
        copy--; /* originals do not change random numbers */
    return (struct draw_id){ .seed = (uint64_t)plan->seed,
                             .image = { w->record->seed_key, strlen(w->record->seed_key) },
                             .copy = copy,
                             .branch = k % plan->fan_out,
                             .attempt = w->attempts.chosen };
}

/* Reads the objects, which a step needs and which were not read yet, and discards the ops that were
 * sampled without them. Segments would need the mask's pixels. */
static bool read_objects_and_redraw(struct work *w)
{
    w->report->outcome = OUTCOME_DONE;
    w->unread = false;
    w->unknown = job_has_segments(w->job);
    return !w->unknown && work_read_objects(w);
}

/* Samples the ops of an output and finalizes its labels, in the scratch's arena, on a copy of the
 * loaded sample. */
static bool draw_finalized(struct work *w, bool original, const struct draw_id *draw_id,
                           struct sample *sample, struct resolved_ops *resolved_ops)
{
    bool good;

    donors_release(w);
    arena_reset(&w->scratch->arena);
    *sample = sample_copy(&w->loaded, &w->scratch->arena);
    sample->defers_occlusion = w->defers_occlusion;
    good = draw(w, original, draw_id, sample, resolved_ops);
    if (resolved_ops->looked && w->unread)
        return read_objects_and_redraw(w) &&
               draw_finalized(w, original, draw_id, sample, resolved_ops);
    if (resolved_ops->reads_without_occlusion) {
        w->report->outcome = OUTCOME_DONE;
        w->defers_occlusion = false;
        return draw_finalized(w, original, draw_id, sample, resolved_ops);
    }
    if (!good)
        return false;
    if (resolved_ops->absence.stride)
        return true;
    classes_settle(w->job->dataset, sample);
    sample_finalize(sample, &w->rules);
    return true;
}

/* --- attempts --- */

/* Context of draw_attempt. */
struct attempt_context {
    struct work *work;
    struct draw_id draw_id;
};

static bool draw_attempt(void *context, const struct attempt *attempt, struct sample *sample,
                         struct absence *absence)
{
    struct attempt_context *t = context;
    struct resolved_ops resolved_ops = { 0 };
    bool good;

    t->draw_id.attempt = attempt->number;
    t->draw_id.branch = attempt->branch;
    good = draw_finalized(t->work, attempt->original, &t->draw_id, sample, &resolved_ops);
    *absence = resolved_ops.absence;
    return good;
}

static bool fail_rejected(struct work *w)
{
    const struct attempts *a = &w->attempts;
    const struct reject_reason *last = &a->rejected[a->n_rejected - 1];
    char why[120];

    snprintf(why, sizeof why, "all %zu attempts were rejected; of the last, %s is %g",
             a->n_rejected, last->reason, last->value);
    return work_fail(w, OUTCOME_INPUT, w->record->name, why);
}

/* Chooses the attempt of the copy whose first output is k. */
static bool choose_attempt(struct work *w, unsigned k)
{
    const struct plan *plan = w->job->plan;
    struct attempt_context context = { w, { 0 } };

    w->attempts = (struct attempts){ 0 };
    if (!plan->rules.reject_image_if.given || w->passed ||
        (w->job->naming.include_original && k < plan->fan_out))
        return true;
    arena_reset(&w->tried);
    context.draw_id = draw_id_of(w, k);
    if (!attempts_choose(plan, draw_attempt, &context, &w->tried, &w->attempts))
        return false;
    w->report->counts.rejected += w->attempts.n_rejected;
    w->report->counts.given_up += w->attempts.given_up;
    return !w->attempts.given_up || plan->rules.when_rejected != REJECTED_FAIL || fail_rejected(w);
}

/* Drops the objects that the format of --to cannot represent. */
static void drop_unplaced(struct work *w)
{
    const struct dataset *d = w->job->dataset;

    for (size_t i = 0; d->writer && d->writer->holds && i < w->sample.n_objects; i++) {
        struct object *o = &w->sample.objects[i];

        if (!o->final.dropped && !d->writer->holds(d, o, w->sample.frame)) {
            object_drop(o, "not_in_format", INFINITY);
            o->final.unplaced = true;
        }
    }
}

/* Decides how the output is written: copied, as an excerpt of coefficients, or rendered. */
static bool begin_output(struct work *w, struct pending_output *out)
{
    drop_unplaced(w);
    out->copied = w->passed || work_is_copied(w, &w->resolved_ops);
    out->excerpt = w->passed ? NULL : work_find_excerpt(out, &w->excerpt);
    w->report->counts.outputs++;
    if (!out->copied && !out->excerpt && !work_fits_format(w, &w->resolved_ops, w->sample.frame))
        return false;
    work_end_stage(w, STAGE_DRAW);
    return true;
}

/* Samples output k. A copy may lack some branches: then the output is absent. */
static bool draw_output(struct work *w, unsigned k, struct pending_output *out)
{
    const struct plan *plan = w->job->plan;
    bool untried = w->passed || (w->job->naming.include_original && k < plan->fan_out);
    bool original =
        untried || (w->attempts.given_up && plan->rules.when_rejected == REJECTED_ORIGINAL);
    struct draw_id draw_id = draw_id_of(w, k);

    if (!draw_finalized(w, original, &draw_id, &w->sample, &w->resolved_ops))
        return false;
    if (w->resolved_ops.absence.stride) {
        absences_add(&w->absences, &w->resolved_ops.absence);
        return true;
    }
    *out = (struct pending_output){
        .work = w,
        .k = k,
        .key = rng_key(draw_id.seed, draw_id.image, draw_id.copy, draw_id.branch, draw_id.attempt),
        .in = w->header.frame,
        .pixels = { w->header.type, w->header.channels },
        .mask = w->has_mask && !w->dry && !job_has_segments(w->job) ? &w->mask : NULL,
        .attempts = plan->rules.reject_image_if.given && !untried ? &w->attempts : NULL,
        .sample = &w->sample,
        .resolved_ops = &w->resolved_ops,
    };
    return begin_output(w, out);
}

/* --- a recorded line --- */

/* Fails the work, with the number of the manifest's line before the reason. */
static bool fail_line(struct work *w, const struct replay_entry *entry, const char *why)
{
    struct text line = { 0 };

    text_addf(&line, "%s:%llu: %s", w->job->replay->name, (unsigned long long)entry->line, why);
    if (!report_code((struct slice){ why, strlen(why) }).length)
        text_adds(&line, " [step-refused]");
    work_fail(w, OUTCOME_INPUT, w->record->name, text_string(&line));
    text_drop(&line);
    return false;
}

/* True if the image's file has the hash that the line records, if it records one. Headers alone
 * cannot tell. */
static bool has_source(const struct work *w)
{
    char hex[65];

    if (!*w->line.source_sha256 || w->dry)
        return true;
    hash_hex(text_string(&w->scratch->bytes), w->scratch->bytes.length, hex);
    return strcmp(hex, w->line.source_sha256) == 0;
}

/* Applies the line's steps to the sample, without random numbers. */
static bool do_line(struct work *w, const struct replay_entry *entry, struct text *why)
{
    const struct draw_id none = { .image = { "", 0 } };
    const struct pixel_kind kind = { w->header.type, w->header.channels };
    const struct replay_line *line = &w->line;
    const struct rules *rules = w->passed ? &w->rules : &line->plan.rules;
    struct text step = { 0 };

    donors_release(w);
    arena_reset(&w->scratch->arena);
    if (!replay_load(w->job, entry, &w->scratch->arena, &w->line, why))
        return false;
    if (!frame_equal(line->in, w->header.frame)) {
        text_addf(why, "size_in: the image is %dx%d, but was %dx%d [replay-changed]",
                  w->header.frame.width, w->header.frame.height, line->in.width, line->in.height);
        return false;
    }
    if (!has_source(w)) {
        text_adds(why, "source_sha256: the image has changed since the manifest was written "
                       "[replay-changed]");
        return false;
    }
    w->sample = sample_copy(&w->loaded, &w->scratch->arena);
    if (w->has_mask && !w->sample.segments)
        w->sample.mask = (struct mask_source){ work_mask_pixels, w, &w->scratch->pool };
    donors_attach(w, &w->sample);
    if (!plan_apply(&line->plan, &none, kind, &w->sample, &w->resolved_ops, &step)) {
        if (step.length)
            text_addf(why, "steps[%zu]: %s", w->resolved_ops.last, text_string(&step));
        text_drop(&step);
        return false;
    }
    classes_settle(w->job->dataset, &w->sample);
    sample_finalize(&w->sample, rules);
    if (line->plan.joins && rules->ids == IDS_BY_IMAGE && !job_has_segments(w->job) &&
        (int64_t)w->sample.n_objects > rules->ids_per_image) {
        text_addf(why, "steps: it has more annotations than ids_per_image [plan-join]");
        return false;
    }
    return true;
}

/* Makes output k as the manifest records it. Returns false with `*found` unset if it has no line.
 */
static bool replay_output(struct work *w, unsigned k, struct pending_output *out, bool *found)
{
    const struct replay_entry *entry = replay_find(w->job->replay, w->index, k);
    struct text why = { 0 };
    bool good;

    *found = entry;
    if (!entry)
        return false;
    good = do_line(w, entry, &why);
    w->unknown |= donors_need_pixels(w);
    if (why.length)
        fail_line(w, entry, text_string(&why));
    text_drop(&why);
    if (donor_has_failed(w) || !good)
        return false;
    *out = (struct pending_output){
        .work = w,
        .k = k,
        .key = w->line.key,
        .in = w->header.frame,
        .pixels = { w->header.type, w->header.channels },
        .mask = w->has_mask && !w->dry && !job_has_segments(w->job) ? &w->mask : NULL,
        .attempts = w->line.tried ? &w->line.attempts : NULL,
        .sample = &w->sample,
        .resolved_ops = &w->resolved_ops,
    };
    return begin_output(w, out);
}

/* Makes the record's next output that has a line. */
static bool replay_next(struct work *w, struct pending_output *out)
{
    bool found = false;

    while (!found && w->next < record_n_outputs(w->job, w->index))
        if (replay_output(w, w->next++, out, &found))
            return true;
    return false;
}

/* --- a record --- */

/* Checks the names first, since a name that is not allowed is never opened. */
static bool check_names(struct work *w)
{
    struct text why = { 0 };
    const char *code;
    bool good = check_record_names(w->job, w->index, &why, &code);

    if (!good) {
        text_addf(&why, " [%s]", code);
        work_fail(w, OUTCOME_INPUT, w->record->name, text_string(&why));
    }
    text_drop(&why);
    return good;
}

/* Returns the rules for an image that is passed: its labels stay as they are. */
static struct rules rules_of_passed(const struct rules *plan)
{
    return (struct rules){ .keypoints = plan->keypoints,
                           .outside = OUTSIDE_KEEP,
                           .ids = plan->ids,
                           .ids_per_image = plan->ids_per_image };
}

struct work *record_begin(const struct job *job, struct scratch *scratch, size_t index, bool dry,
                          struct report *report)
{
    struct work *w = memory_take(sizeof *w);

    *w = (struct work){ .job = job,
                        .donor_calls = &donor_calls,
                        .scratch = scratch,
                        .index = index,
                        .record = &job->dataset->records[index],
                        .dry = dry,
                        .unread = scratch->headers && !job->replay &&
                                  !job->plan->rules.reject_image_if.given,
                        .passed = record_is_passed(job, index),
                        .report = report };
    w->rules = w->passed ? rules_of_passed(&job->plan->rules) : job->plan->rules;
    w->defers_occlusion = w->unread;
    report_clear(report);
    report->source.annotations = scratch->headers ? 0 : source_annotations(job->dataset, index);
    report->source.donors = job->donors ? job->donors->hash : 0;
    clock_start(scratch->clock);
    (void)(check_names(w) && work_read_image(w) && work_read_mask(w) && work_read_objects(w));
    return w;
}

bool record_next(struct work *w, struct pending_output *out)
{
    if (w->job->replay)
        return w->report->outcome == OUTCOME_DONE && !w->unknown && replay_next(w, out);
    while (w->report->outcome == OUTCOME_DONE && !w->unknown &&
           w->next < record_n_outputs(w->job, w->index)) {
        unsigned k = w->next++, branch = k % w->job->plan->fan_out;

        if (!branch)
            absences_clear(&w->absences);
        if (absences_contain_branch(&w->absences, branch))
            continue;
        if ((branch || choose_attempt(w, k)) && draw_output(w, k, out) &&
            !w->resolved_ops.absence.stride)
            return true;
    }
    return false;
}

void record_end(struct work *w)
{
    donors_release(w);
    if (w->image.plane.px)
        picture_drop(&w->image, &w->scratch->pool);
    if (w->mask.plane.px)
        picture_drop(&w->mask, &w->scratch->pool);
    arena_drop(&w->tried);
    absences_drop(&w->absences);
    text_drop(&w->sums);
    work_end_stage(w, STAGE_REST);
    free(w);
}

/* Adds hashes of the files to the manifest's last line. */
static void add_sums(struct work *w)
{
    static const char end[] = "}\n";
    struct text *line = &w->report->manifest;
    char hex[65];

    hash_hex(text_string(&w->scratch->bytes), w->scratch->bytes.length, hex);
    text_cut(line, line->length - strlen(end));
    text_addf(line, ", \"source_sha256\": \"%s\"%s%s", hex, text_string(&w->sums), end);
    text_clear(&w->sums);
}

/* Reports an output, and writes its files unless dry. */
static bool write_output(struct work *w, const struct pending_output *out)
{
    struct text name = { 0 }, mask = { 0 };
    const char *mask_name = NULL;
    bool good, labelled;

    output_name(w->job, w->index, out->k, &name);
    if (mask_output_name(w->job, w->index, out->k, &mask))
        mask_name = text_string(&mask);
    labelled = work_print(w, out, text_string(&name), mask_name);
    work_end_stage(w, STAGE_PRINT);
    good = w->dry || (work_write_image(w, out, text_string(&name)) &&
                      (!labelled || work_write_labels(w, text_string(&name))) &&
                      (!out->mask || work_write_mask(w, out->resolved_ops, mask_name)) &&
                      (!out->sample->segments || work_write_segments(w, out->sample, mask_name)));
    if (good && w->sums.length)
        add_sums(w);
    text_drop(&name);
    text_drop(&mask);
    return good;
}

void record_run(const struct job *job, struct scratch *scratch, size_t index, bool dry,
                struct report *report)
{
    uint64_t mark = !dry && job->output.outdir ? file_list_length(job->output.outdir) : 0;
    struct work *w = record_begin(job, scratch, index, dry, report);
    struct pending_output out;

    while (record_next(w, &out) && write_output(w, &out))
        ;
    record_end(w);
    report->counts.remarked[REMARK_UNMADE] =
        report->outcome == OUTCOME_DONE && !job->replay && !report->counts.outputs;
    if (report->outcome == OUTCOME_DONE)
        return;
    if (!dry && job->output.outdir)
        out_dir_remove_outputs(job->output.outdir, index, mark);
    report_forget(report);
}
