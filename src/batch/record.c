/* record: one record through the whole house. */
#include "work.h"

#include "../base/rng.h"
#include "../base/files.h"
#include "manifest.h"
#include "names.h"
#include "outdir.h"

#include <stdio.h>
#include <string.h>

void report_clear(struct report *r)
{
    r->outcome = OUTCOME_DONE;
    r->objects_in = r->objects_out = r->objects_at = r->outputs = r->rejected = r->given_up =
        r->several = r->misnamed = r->resized = 0;
    text_clear(&r->why);
    text_clear(&r->manifest);
    text_clear(&r->records);
    text_clear(&r->record_pieces);
    text_clear(&r->objects);
    text_clear(&r->object_pieces);
}

void report_drop(struct report *r)
{
    text_drop(&r->why);
    text_drop(&r->manifest);
    text_drop(&r->records);
    text_drop(&r->record_pieces);
    text_drop(&r->objects);
    text_drop(&r->object_pieces);
}

void bench_drop(struct bench *b)
{
    pool_drop(&b->pool);
    arena_drop(&b->arena);
    text_drop(&b->bytes);
    text_drop(&b->mask_bytes);
    text_drop(&b->made);
}

bool work_fail(struct work *w, enum outcome outcome, const char *what, const char *why)
{
    text_clear(&w->report->why);
    text_addf(&w->report->why, "%s%s%s", what, *what && *why ? ": " : "", why);
    w->report->outcome = outcome;
    return false;
}

void work_lap(const struct work *w, enum stage stage)
{
    clock_lap(w->bench->clock, stage, 0);
}

bool work_differs(const struct record *r, struct frame f)
{
    return r->width && r->height && (r->width != f.width || r->height != f.height);
}

/* --- one output --- */

/* What was printed behind `before`. */
static void add_printed(struct text *pieces, const struct text *all, size_t before, size_t order,
                        unsigned k)
{
    struct piece piece = { order, PIECE_PRINTED, k, (uint32_t)(all->length - before) };

    text_add(pieces, &piece, sizeof piece);
}

void report_record(struct report *r, const struct dataset *d, size_t record,
                   const struct output *out)
{
    size_t before = r->records.length;

    d->format->print_record(d, record, out, &r->records);
    add_printed(&r->record_pieces, &r->records, before, record, out->k);
}

void report_object(struct report *r, const struct dataset *d, size_t record,
                   const struct sample *sample, const struct object *o, const struct output *out,
                   const struct rules *rules)
{
    size_t before = r->objects.length, order;
    struct slice there = { 0 };

    if (d->format->find_object && !rules->drop_keys.n)
        there = d->format->find_object(d, record, o, out, &order);
    if (there.at) {
        struct piece piece = { order, (uint64_t)(there.at - d->text.at), out->k,
                               (uint32_t)there.length };

        text_add(&r->object_pieces, &piece, sizeof piece);
    } else {
        d->format->print_object(d, record, sample, o, out, rules, &r->objects, &order);
        add_printed(&r->object_pieces, &r->objects, before, order, out->k);
    }
}

static void print_fragments(struct work *w, const struct sample *sample, const char *name,
                            const char *mask, unsigned k)
{
    const struct dataset *dataset = w->job->dataset;
    struct report *r = w->report;
    struct output output = { .k = k,
                             .of = job_fan(w->job),
                             .name = name,
                             .mask = mask,
                             .frame = sample->frame,
                             .renamed = strcmp(name, w->record->name) != 0,
                             .resized = !frame_equal(sample->frame, w->header.frame) ||
                                        work_differs(w->record, sample->frame) };
    size_t before = r->objects.length, order;

    if (!dataset->format)
        return;
    report_record(r, dataset, w->index, &output);
    if (dataset->format->print_objects) {
        dataset->format->print_objects(dataset, w->index, sample, &output, &r->objects, &order);
        if (r->objects.length > before)
            add_printed(&r->object_pieces, &r->objects, before, order, k);
    }
    for (size_t i = 0; i < sample->n_objects; i++) {
        const struct object *o = &sample->objects[i];

        if (o->dropped)
            continue;
        r->objects_out++;
        if (dataset->format->print_object)
            report_object(r, dataset, w->index, sample, o, &output, &w->job->plan->rules);
    }
}

static bool load_objects(struct work *w, struct sample *sample)
{
    const struct dataset *dataset = w->job->dataset;
    struct faults faults = { .name = dataset->file, .text = dataset->text };
    bool good;

    if (!dataset->format)
        return true;
    if (w->has_mask && job_has_segments(w->job))
        sample->segments = &w->mask.plane;
    good = dataset->format->load(dataset, w->index, &w->job->plan->rules, sample, &faults);
    if (!good) {
        struct text message = { 0 };

        faults_print(&faults, 1, &message);
        message.at[strcspn(message.at, "\n")] = '\0';
        work_fail(w, OUTCOME_INPUT, "", text_string(&message));
        text_drop(&message);
    }
    faults_drop(&faults);
    w->report->objects_in = sample->n_objects;
    return good;
}

static bool draw(struct work *w, bool original, const struct lot *lot, struct sample *sample,
                 struct drawing *drawing)
{
    struct pixel_kind kind = { w->header.type, w->header.bands };
    struct text why = { 0 };
    bool good = true;

    *drawing = (struct drawing){ .absent = original && lot->branch > 0 };
    if (original)
        return true;
    if (w->has_mask && !sample->segments)
        sample->mask = (struct mask_source){ work_mask_pixels, w, &w->bench->pool };
    if (!plan_apply(w->job->plan, lot, kind, sample, drawing, &why))
        good = why.length == 0 ? false /* a mask that could not be read has said why */
                               : work_fail(w, OUTCOME_INPUT, w->record->name, text_string(&why));
    text_drop(&why);
    return good;
}

/* What output k is drawn by; of an original, what its copy would be. */
static struct lot lot_of(const struct work *w, unsigned k)
{
    const struct plan *plan = w->job->plan;
    unsigned copy = k / plan->fan;

    if (w->job->include_original && copy)
        copy--; /* originals change no draw */
    return (struct lot){ .seed = (uint64_t)plan->seed,
                         .image = { w->record->seed_key, strlen(w->record->seed_key) },
                         .copy = copy,
                         .branch = k % plan->fan,
                         .attempt = w->attempts.chosen };
}

/* Drawn and settled, in the bench's arena. */
static bool draw_settled(struct work *w, bool original, const struct lot *lot,
                         struct sample *sample, struct drawing *drawing)
{
    arena_reset(&w->bench->arena);
    *sample = (struct sample){ .arena = &w->bench->arena,
                               .name = w->record->name,
                               .frame = w->header.frame,
                               .matrix = MAT3_IDENTITY,
                               .has_matrix = true };
    if (!load_objects(w, sample) || !draw(w, original, lot, sample, drawing))
        return false;
    if (!drawing->absent)
        sample_settle(sample, &w->job->plan->rules);
    return true;
}

/* --- attempts --- */

/* The copy that attempts are made for. */
struct trial {
    struct work *work;
    struct lot lot;
};

static bool draw_draft(void *context, const struct draft *draft, struct sample *sample,
                       bool *absent)
{
    struct trial *t = context;
    struct drawing drawing = { 0 };
    bool good;

    t->lot.attempt = draft->attempt;
    t->lot.branch = draft->branch;
    good = draw_settled(t->work, draft->original, &t->lot, sample, &drawing);
    *absent = drawing.absent;
    return good;
}

static bool fail_rejected(struct work *w)
{
    const struct attempts *a = &w->attempts;
    const struct refusal *last = &a->refused[a->n_refused - 1];
    char why[120];

    snprintf(why, sizeof why, "all %zu attempts were rejected; of the last, %s is %g", a->n_refused,
             last->reason, last->value);
    return work_fail(w, OUTCOME_INPUT, w->record->name, why);
}

/* Which attempt the copy that output k begins is. */
static bool choose_attempt(struct work *w, unsigned k)
{
    const struct plan *plan = w->job->plan;
    struct trial trial = { w, { 0 } };

    w->attempts = (struct attempts){ 0 };
    if (!plan->rules.reject_image_if.given || (w->job->include_original && k < plan->fan))
        return true;
    arena_reset(&w->tried);
    trial.lot = lot_of(w, k);
    if (!attempts_choose(plan, draw_draft, &trial, &w->tried, &w->attempts))
        return false;
    w->report->rejected += w->attempts.n_refused;
    w->report->given_up += w->attempts.given_up;
    return !w->attempts.given_up || plan->rules.when_rejected != REJECTED_FAIL || fail_rejected(w);
}

static bool take_output(struct work *w, unsigned k)
{
    const struct plan *plan = w->job->plan;
    bool untried = w->job->include_original && k < plan->fan;
    bool original =
        untried || (w->attempts.given_up && plan->rules.when_rejected == REJECTED_ORIGINAL);
    struct lot lot = lot_of(w, k);
    struct sample sample;
    struct drawing drawing;
    struct excerpt excerpt;
    struct take take = { .k = k,
                         .key = rng_key(lot.seed, lot.image, lot.copy, lot.branch, lot.attempt),
                         .in = w->header.frame,
                         .pixels = { w->header.type, w->header.bands },
                         .mask =
                             w->has_mask && !w->dry && !job_has_segments(w->job) ? &w->mask : NULL,
                         .attempts =
                             plan->rules.reject_image_if.given && !untried ? &w->attempts : NULL,
                         .sample = &sample,
                         .drawing = &drawing,
                         .work = w };

    if (!draw_settled(w, original, &lot, &sample, &drawing))
        return false;
    if (drawing.absent)
        return true;
    w->report->outputs++;
    take.copied = work_is_copied(w, &drawing);
    take.excerpt = work_find_excerpt(&take, &excerpt);
    work_lap(w, STAGE_DRAW);
    return w->take(w->context, &take, w->report);
}

/* Say what came of an output, and write its files unless dry. */
static bool write_output(void *context, const struct take *take, struct report *report)
{
    struct work *w = context;
    struct text name = { 0 }, mask = { 0 };
    struct manifest_entry entry = { .job = w->job,
                                    .record = w->index,
                                    .k = take->k,
                                    .sample = take->sample,
                                    .drawing = take->drawing,
                                    .in = take->in,
                                    .key = take->key,
                                    .attempts = take->attempts };
    bool good;

    output_name(w->job, w->record->name, take->k, &name);
    entry.output = text_string(&name);
    if (mask_output_name(w->job, w->index, take->k, &mask))
        entry.mask = text_string(&mask);
    manifest_print(&entry, &report->manifest);
    print_fragments(w, take->sample, entry.output, entry.mask, take->k);
    work_lap(w, STAGE_PRINT);
    good =
        w->dry || (work_write_image(w, take, entry.output) &&
                   (!take->mask || work_write_mask(w, take->drawing, entry.mask)) &&
                   (!take->sample->segments || work_write_segments(w, take->sample, entry.mask)));
    text_drop(&name);
    text_drop(&mask);
    return good;
}

/* What a failed record would have added must not reach the outputs. */
static void forget(struct report *r)
{
    enum outcome outcome = r->outcome;
    struct text why = r->why;

    r->why = (struct text){ 0 };
    report_clear(r);
    r->outcome = outcome;
    r->why = why;
}

static bool take_all(struct work *w)
{
    bool good;

    report_clear(w->report);
    clock_start(w->bench->clock);
    good = text_is_utf8(w->record->name)
               ? work_read_image(w) && work_read_mask(w)
               : work_fail(w, OUTCOME_INPUT, w->record->name, NAME_UTF8_FAULT " [name-utf8]");
    for (unsigned k = 0; good && k < job_fan(w->job); k++)
        good = (k % w->job->plan->fan || choose_attempt(w, k)) && take_output(w, k);
    if (w->image.plane.px)
        picture_drop(&w->image, &w->bench->pool);
    if (w->mask.plane.px)
        picture_drop(&w->mask, &w->bench->pool);
    arena_drop(&w->tried);
    work_lap(w, STAGE_REST);
    return good;
}

bool record_take(const struct job *job, struct bench *bench, size_t index, bool dry, take_fn *take,
                 void *context, struct report *report)
{
    struct work w = { .job = job,
                      .bench = bench,
                      .index = index,
                      .record = &job->dataset->records[index],
                      .dry = dry,
                      .take = take,
                      .context = context,
                      .report = report };

    return take_all(&w);
}

void record_run(const struct job *job, struct bench *bench, size_t index, bool dry,
                struct report *report)
{
    struct work w = { .job = job,
                      .bench = bench,
                      .index = index,
                      .record = &job->dataset->records[index],
                      .dry = dry,
                      .take = write_output,
                      .report = report };

    uint64_t mark = !dry && job->outdir ? outdir_mark(job->outdir) : 0;

    w.context = &w;
    if (take_all(&w))
        return;
    if (!dry && job->outdir)
        outdir_unwrite(job->outdir, index, mark);
    forget(report);
}
