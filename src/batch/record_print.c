/* record_print: an output's fragments of JSON and its line of the manifest, in the report. */
#include "manifest.h"
#include "names.h"
#include "work.h"

#include <string.h>

/* What was printed behind `before`. */
static void add_printed(struct text *pieces, const struct text *all, size_t before, size_t element,
                        unsigned k)
{
    struct piece piece = { (uint32_t)element, k, (uint32_t)(all->length - before) };

    text_add(pieces, &piece, sizeof piece);
}

void report_record(struct report *r, const struct dataset *d, size_t record,
                   const struct output *out)
{
    size_t before = r->records.length;

    d->format->print_record(d, record, out, &r->records);
    add_printed(&r->record_pieces, &r->records, before, 0, out->k);
}

void report_object(struct report *r, const struct dataset *d, size_t record,
                   const struct sample *sample, const struct object *o, const struct output *out,
                   const struct rules *rules)
{
    size_t before = r->objects.length;

    if (rules->drop_keys.n || !d->format->object_stays ||
        !d->format->object_stays(d, record, o, out))
        d->format->print_object(d, record, sample, o, out, rules, &r->objects);
    add_printed(&r->object_pieces, &r->objects, before, o->index, out->k);
}

static void print_fragments(struct work *w, const struct sample *sample, const char *name,
                            const char *mask, unsigned k)
{
    const struct dataset *dataset = w->job->dataset;
    struct report *r = w->report;
    const char *annotated = w->record->annotated;
    struct output output = { .k = k,
                             .of = job_fan_out(w->job),
                             .name = name,
                             .mask = mask,
                             .frame = sample->frame,
                             .renamed = strcmp(name, annotated ? annotated : w->record->name) != 0,
                             .resized = !frame_equal(sample->frame, w->header.frame) ||
                                        work_differs(w->record, sample->frame) };
    size_t before = r->objects.length;

    if (!dataset->format)
        return;
    report_record(r, dataset, w->index, &output);
    if (dataset->format->print_objects) {
        dataset->format->print_objects(dataset, w->index, sample, &output, &r->objects);
        if (r->objects.length > before)
            add_printed(&r->object_pieces, &r->objects, before, 0, k);
    }
    for (size_t i = 0; i < sample->n_objects; i++) {
        const struct object *o = &sample->objects[i];

        if (o->final.dropped)
            continue;
        r->counts.objects_out++;
        if (dataset->format->print_object)
            report_object(r, dataset, w->index, sample, o, &output, &w->job->plan->rules);
    }
}

void work_print(struct work *w, const struct rendering *out, const char *name, const char *mask)
{
    struct manifest_entry entry = { .job = w->job,
                                    .record = w->index,
                                    .k = out->k,
                                    .output = name,
                                    .mask = mask,
                                    .sample = out->sample,
                                    .drawing = out->drawing,
                                    .in = out->in,
                                    .key = out->key,
                                    .attempts = out->attempts };

    manifest_print(&entry, &w->report->manifest);
    print_fragments(w, out->sample, name, mask, out->k);
}
