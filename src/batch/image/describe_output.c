/* describe_output: adds an output's JSON fragments and manifest line to the report. */
#include "batch/manifest/manifest_write.h"
#include "batch/image/work.h"
#include "batch/image/image_job.h"
#include "batch/image/report.h"

#include <string.h>

/* Adds a piece for the bytes of `all` after `before`. */
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

    d->writer->print_record(d, record, out, &r->records);
    add_printed(&r->record_pieces, &r->records, before, 0, out->k);
}

void report_object(struct report *r, const struct dataset *d, size_t record,
                   const struct sample *sample, const struct object *o, const struct output *out,
                   const struct rules *rules)
{
    /* Numbered objects may come from several records: the number gives their place. */
    size_t before = r->objects.length, element = out->numbered ? out->place : o->index;

    if (rules->drop_keys.n || !d->writer->object_is_unchanged ||
        !d->writer->object_is_unchanged(d, record, o, out))
        d->writer->print_object(d, record, sample, o, out, rules, &r->objects);
    add_printed(&r->object_pieces, &r->objects, before, element, out->k);
}

/* Prints an output's label file to the scratch's `labels`. Returns false if there is none. */
static bool make_labels(struct work *w, const struct sample *sample, const struct output *output)
{
    const struct dataset *d = w->job->dataset;

    text_clear(&w->scratch->labels);
    return d->writer && d->writer->print_file &&
           d->writer->print_file(d, w->index, sample, output, &w->rules, &w->scratch->labels);
}

static void print_objects(struct work *w, const struct sample *sample, const struct output *output)
{
    const struct dataset *d = w->job->dataset;
    struct output out = *output;
    size_t n = 0;

    for (size_t i = 0; i < sample->n_objects; i++) {
        const struct object *o = &sample->objects[i];

        if (o->final.dropped)
            continue;
        out.place = n++;
        if (out.numbered)
            out.object_id = job_object_id(w->job, output->image_id, out.place);
        w->report->counts.objects_out++;
        if (d->writer->print_object)
            report_object(w->report, d, o->record, sample, o, &out, &w->rules);
    }
}

static void print_fragments(struct work *w, const struct sample *sample,
                            const struct output *output)
{
    const struct dataset *d = w->job->dataset;
    struct report *r = w->report;
    size_t before = r->objects.length;

    if (!d->writer)
        return;
    if (d->writer->print_record && dataset_has_lists(d))
        report_record(r, d, w->index, output);
    if (d->writer->print_objects) {
        d->writer->print_objects(d, w->index, sample, output, &r->objects);
        if (r->objects.length > before)
            add_printed(&r->object_pieces, &r->objects, before, 0, output->k);
    }
    print_objects(w, sample, output);
}

static bool is_beyond(const struct reader_limit *limit, const struct sample *sample)
{
    if (limit->side)
        return sample->frame.width < limit->side || sample->frame.height < limit->side;
    for (size_t i = 0; i < sample->n_objects; i++)
        if (!sample->objects[i].final.dropped && limit->excludes(&sample->objects[i]))
            return true;
    return false;
}

static void remark_limits(const struct format *writer, const struct sample *sample,
                          uint64_t remarked[])
{
    for (size_t i = 0; writer && writer->reader_limits && writer->reader_limits[i].what; i++)
        remarked[REMARK_LIMIT + i] |= is_beyond(&writer->reader_limits[i], sample);
}

bool work_print(struct work *w, const struct pending_output *out, const char *name,
                const char *mask)
{
    const struct sample *sample = out->sample;
    const struct record *own = combination_own_record(w->job->dataset, w->index);
    const char *own_name = combination_own_name(w->job->dataset, w->index, name);
    struct output output = { .k = out->k,
                             .of = record_fan_out(w->job, w->index),
                             .name = own_name,
                             .mask = mask,
                             .frame = sample->frame,
                             .renamed =
                                 strcmp(own_name, own->annotated ? own->annotated : own->name) != 0,
                             .resized = !frame_equal(sample->frame, w->header.frame) ||
                                        work_differs(w->record, sample->frame),
                             .channels = w->header.channels,
                             .numbered = record_is_numbered(w->job, w->index),
                             .renumbered = w->job->naming.renumbers,
                             .labels = sample->labels,
                             .n_labels = sample->n_labels,
                             .relabelled = sample->relabelled,
                             .rules = &w->rules,
                             .map = &sample->matrix,
                             .image_id = job_image_id(w->job, w->index, out->k) };
    bool labelled = make_labels(w, sample, &output);
    struct manifest_entry entry = { .job = w->job,
                                    .record = w->index,
                                    .k = out->k,
                                    .output = name,
                                    .mask = mask,
                                    .labelled = labelled,
                                    .sample = sample,
                                    .resolved_ops = out->resolved_ops,
                                    .in = out->in,
                                    .key = out->key,
                                    .attempts = out->attempts };

    w->report->counts.remarked[REMARK_LACKING] |= sample->lacking;
    if (!out->copied && !out->excerpt) {
        w->report->counts.remarked[REMARK_INKS] |=
            w->header.inks && w->job->plan->cmyk == CMYK_PROFILE;
        w->report->counts.remarked[REMARK_GEOREFERENCED] |= w->header.georeferenced;
        w->report->counts.remarked[REMARK_ALPHA] |= w->header.assumes_alpha;
    }
    if (id_is_text(output.image_id) && !output.renumbered)
        output.image_text = source_id_text(w->job->dataset, w->index);
    remark_limits(w->job->dataset->writer, sample, w->report->counts.remarked);
    losses_count(&w->report->counts.losses, sample);
    manifest_print(&entry, &w->report->manifest);
    print_fragments(w, sample, &output);
    return labelled;
}
