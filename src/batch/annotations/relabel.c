/* relabel: applies steps that change only labels to annotations, without images. */
#include "batch/annotations/relabel.h"

#include "plan/apply.h"
#include "plan/scores.h"
#include "steps/registry.h"
#include "batch/io/open.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Position of an element in the spool, or in the source if `in_source`; length 0: it is dropped. A
 * label file is always in the spool, and its length includes a final newline. */
struct relabel_at {
    uint64_t offset : 63, in_source : 1;
    uint32_t length;
};

/* --- which steps --- */

static bool is_of_labels(const struct op *op)
{
    return op->effect == EFFECT_RELABELS;
}

static bool check_step(const struct step *step, void *context)
{
    const char *const *emitted = step->transform ? step->transform->emits : NULL;
    bool good = !step->op || is_of_labels(step->op);

    for (; emitted && *emitted; emitted++)
        good = good && is_of_labels(registry_op(*emitted));
    if (!good)
        value_fault(context, value_get(step->source, "type"), false, "labels-step",
                    "%s does more than change labels; `lockstep run` does it to images and labels",
                    step_name(step));
    return good;
}

bool relabel_check(const struct plan *plan, struct faults *faults)
{
    steps_walk(&plan->transforms, check_step, faults);
    if (plan->rules.reject_image_if.given)
        fault_add(faults, 0, 0, "annotations.reject_image_if", "labels-step",
                  "there are no images that could be drawn again; `lockstep run` does it");
    return faults->n == 0;
}

/* --- one record --- */

struct relabel_state {
    const struct job *job;
    const struct plan *plan;
    const struct dataset *dataset;
    const struct step *scored; /* a step that needs scores; NULL: none */
    struct arena arena;        /* reset for each record */
    struct relabel_result *to;
    struct faults *faults;
};

static void count_reason(struct relabel_result *to, const char *word)
{
    struct relabel_reason *reason = to->reason;

    while (reason < to->reason + to->n_reasons && strcmp(reason->word, word) != 0)
        reason++;
    if (reason == to->reason + COUNTOF(to->reason))
        return;
    to->n_reasons += reason == to->reason + to->n_reasons;
    reason->word = word;
    reason->n++;
}

static void keep(struct relabel_state *r, size_t record, const struct sample *sample,
                 const struct object *o)
{
    const struct dataset *d = r->dataset;
    const struct record *image = &d->records[record];
    const struct output out = { .of = 1, .name = image->name, .frame = sample->frame };
    struct relabel_result *to = r->to;
    size_t order = 0, before = to->spool.length;
    struct slice element = d->format->find_object(d, record, o->index, &order);
    bool stays = d->format->object_is_unchanged(d, record, o, &out) && !r->plan->rules.drop_keys.n;

    if (o->final.dropped) {
        count_reason(to, o->final.reason);
        return;
    }
    to->kept++;
    to->at[order] = (struct relabel_at){ (uint64_t)(element.at - d->text.at) & INT64_MAX, true,
                                         (uint32_t)element.length };
    if (stays)
        return;
    d->format->print_object(d, record, sample, o, &out, &r->plan->rules, &to->spool);
    to->changed += to->spool.length - before != element.length ||
                   memcmp(to->spool.at + before, element.at, element.length) != 0;
    to->at[order] =
        (struct relabel_at){ before & INT64_MAX, false, (uint32_t)(to->spool.length - before) };
}

/* Adds a fault of a record, which is named by its file name or its image id. */
static bool refuse(struct relabel_state *r, size_t record, const char *why)
{
    return fault_add(r->faults, 0, 0, r->dataset->records[record].name, "step-refused", "%s", why);
}

static bool has_polygons(const struct sample *s)
{
    for (size_t i = 0; i < s->n_objects; i++)
        if (s->objects[i].segmentation == SEGMENTATION_POLYGONS)
            return true;
    return false;
}

static bool apply(struct relabel_state *r, size_t record, struct sample *sample)
{
    const char *key = r->dataset->records[record].seed_key;
    const struct draw_id id = { .seed = (uint64_t)r->plan->seed, .image = { key, strlen(key) } };
    struct resolved_ops drawn;
    struct text why = { 0 };
    bool good = plan_apply(r->plan, &id, (struct pixel_kind){ PIXEL_U8, 3 }, sample, &drawn, &why);

    if (!good)
        refuse(r, record, text_string(&why));
    else if (!sample->frame.width && r->plan->rules.segmentation == SEGMENTATION_TO_RLE &&
             has_polygons(sample))
        good = refuse(r, record,
                      "annotations.segmentation: masks need the image's size, which the "
                      "annotations do not say");
    text_drop(&why);
    return good;
}

/* Prints the label file of a record. */
static void keep_file(struct relabel_state *r, size_t record, const struct sample *sample)
{
    const struct dataset *d = r->dataset;
    const struct output out = { .of = 1, .name = d->records[record].name, .frame = sample->frame };
    struct relabel_result *to = r->to;
    size_t before = to->spool.length;

    to->n += sample->n_objects;
    for (size_t i = 0; i < sample->n_objects; i++) {
        const struct object *o = &sample->objects[i];

        if (o->final.dropped)
            count_reason(to, o->final.reason);
        to->kept += !o->final.dropped;
        to->changed += !o->final.dropped && o->changes;
    }
    if (!d->format->print_file(d, record, sample, &out, &r->plan->rules, &to->spool)) {
        text_cut(&to->spool, before);
        return;
    }
    text_addc(&to->spool, '\n');
    to->at[record] =
        (struct relabel_at){ before & INT64_MAX, false, (uint32_t)(to->spool.length - before) };
}

/* Reads the image size, with or without EXIF orientation. */
static bool read_frame(struct relabel_state *r, size_t record, struct frame *frame)
{
    const char *name = r->dataset->records[record].name;
    struct picture_header header;
    struct text why = { 0 };
    bool good =
        input_probe(job_root(r->job, record), name, &r->job->images.max_pixels, &header, &why);

    if (good && r->plan->exif == EXIF_IGNORE)
        header = picture_header_stored(&header);
    if (good)
        *frame = header.frame;
    else
        fault_add(r->faults, 0, 0, name, "image-unread", "%s", text_string(&why));
    text_drop(&why);
    return good;
}

static bool relabel_record(struct relabel_state *r, size_t record)
{
    const struct dataset *d = r->dataset;
    const struct record *image = &d->records[record];
    struct sample sample = { .arena = &r->arena, .name = image->name, .record = record };

    arena_reset(&r->arena);
    if (image->width && image->height)
        sample.frame = (struct frame){ image->width, image->height };
    if (d->format->suffix && !read_frame(r, record, &sample.frame))
        return false;
    if (!d->format->load(d, record, &r->plan->rules, &sample, r->faults))
        return false;
    for (size_t i = 0; i < sample.n_objects; i++)
        sample.objects[i].record = record;
    if (!scores_check(r->scored, scores_default, d, record, &sample, r->faults) ||
        !apply(r, record, &sample))
        return false;
    sample_finalize(&sample, &r->plan->rules);
    if (d->format->suffix)
        keep_file(r, record, &sample);
    for (size_t i = 0; i < sample.n_objects && !d->format->suffix; i++)
        keep(r, record, &sample, &sample.objects[i]);
    return true;
}

/* --- all records --- */

static int by_number(const void *a, const void *b)
{
    const struct relabel_reason *p = a, *q = b;

    return p->n != q->n ? (p->n > q->n ? -1 : 1) : strcmp(p->word, q->word);
}

bool relabel(const struct job *job, struct relabel_result *to, struct faults *faults)
{
    enum { MAX_FAULTS = 1000 }; /* enough to find the cause */
    const struct dataset *d = job->dataset;
    struct relabel_state r = { .job = job,
                               .plan = job->plan,
                               .dataset = d,
                               .scored = scores_wanted(job->plan),
                               .to = to,
                               .faults = faults };
    size_t room = 1 + (d->format->suffix ? d->n_records : d->n_objects);

    *to = (struct relabel_result){ .n = d->format->suffix ? 0 : d->n_objects };
    to->at = memory_take(room * sizeof *to->at);
    memset(to->at, 0, room * sizeof *to->at);
    for (size_t i = 0; i < d->n_records && faults->n < MAX_FAULTS; i++)
        relabel_record(&r, i);
    arena_drop(&r.arena);
    qsort(to->reason, to->n_reasons, sizeof *to->reason, by_number);
    return faults->n == 0;
}

void relabel_drop(struct relabel_result *r)
{
    text_drop(&r->spool);
    free(r->at);
}

struct slice relabel_file(const struct relabel_result *r, size_t record)
{
    const struct relabel_at *at = &r->at[record];

    return at->length ? (struct slice){ r->spool.at + at->offset, at->length - 1 }
                      : (struct slice){ 0 };
}

/* --- the annotation file --- */

struct feed {
    const struct dataset *dataset;
    const struct rules *rules;
    const struct relabel_result *relabelled;
    size_t record, object;
    struct text element;
};

static bool next_record(void *context, struct slice *out)
{
    struct feed *f = context;
    const struct dataset *d = f->dataset;
    const struct record *image = &d->records[f->record];

    if (f->record == d->n_records)
        return false;
    text_clear(&f->element);
    d->format->print_record(d, f->record++,
                            &(struct output){ .of = 1,
                                              .name = image->name,
                                              .frame = { image->width, image->height },
                                              .rules = f->rules },
                            &f->element);
    *out = (struct slice){ f->element.at, f->element.length };
    return true;
}

static bool next_object(void *context, struct slice *out)
{
    struct feed *f = context;
    const struct relabel_result *r = f->relabelled;
    const struct relabel_at *at;

    while (f->object < r->n && !r->at[f->object].length)
        f->object++;
    if (f->object == r->n)
        return false;
    at = &r->at[f->object++];
    *out = (struct slice){ (at->in_source ? f->dataset->text.at : r->spool.at) + at->offset,
                           at->length };
    return true;
}

bool relabel_print(const struct dataset *d, const struct relabel_result *r,
                   const struct rules *rules, struct text *out)
{
    struct feed feed = { .dataset = d, .rules = rules, .relabelled = r };
    char *bytes = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&bytes, &length);
    bool good = file && d->format->write(d, file, next_record, next_object, &feed);

    if (file)
        good = fclose(file) == 0 && good;
    if (good)
        text_add(out, bytes, length);
    free(bytes);
    text_drop(&feed.element);
    return good;
}
