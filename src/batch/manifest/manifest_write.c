/* manifest_write: prints the manifest, one line of JSON per output. */
#include "batch/manifest/manifest_write.h"

#include "batch/manifest/losses.h"
#include "batch/output/out_handles.h"
#include "batch/output/output_names.h"

#include "base/files.h"
#include "base/number.h"
#include "json/text_id.h"
#include "labels/shared/written_classes.h"

#include <math.h>
#include <string.h>

static void print_name(struct text *out, const char *key, const char *folder, const char *name)
{
    struct text whole = { 0 };

    path_join(&whole, folder, name);
    text_addf(out, "\"%s\": ", key);
    text_add_json(out, text_string(&whole), whole.length);
    text_drop(&whole);
}

static void print_steps(const struct resolved_ops *resolved_ops, struct text *out)
{
    text_adds(out, ", \"steps\": [");
    for (size_t i = 0; i < resolved_ops->n; i++) {
        text_adds(out, i ? ", " : "");
        resolved_op_print(&resolved_ops->at[i], out);
    }
    text_addc(out, ']');
}

/* Prints the map from the source's continuous coordinates to the output's: six numbers, or nine if
 * it is projective. */
static void print_matrix(const struct sample *s, struct text *out)
{
    int n = mat3_is_affine(&s->matrix) ? 6 : 9;

    if (!s->has_matrix)
        return;
    text_adds(out, ", \"matrix\": [");
    for (int i = 0; i < n; i++) {
        text_adds(out, i ? ", " : "");
        number_print(out, s->matrix.m[i]);
    }
    text_addc(out, ']');
}

/* Id of an object in the source. */
struct source_id {
    int64_t id;
    struct slice element; /* the object's element, if its id is a text */
    size_t order;
};

static struct source_id source_id_of(const struct dataset *d, const struct object *o)
{
    struct source_id source = { .id = d->format->object_id(d, o->record, o) };

    if (id_is_text(source.id))
        source.element = d->format->find_object(d, o->record, o->index, &source.order);
    return source;
}

/* Prints the source object, and its image if that is not this output's image. */
static void print_from(const struct manifest_entry *e, const struct object *o,
                       const struct source_id *source, struct text *out)
{
    text_adds(out, "\"from\": ");
    text_id_print(source->id, source->element, "id", out);
    if (o->record != e->record) {
        text_adds(out, ", ");
        print_name(out, "of", "", e->job->dataset->records[o->record].name);
    }
}

/* Prints the indices of the keypoints that left the canvas; keypoints of parts as [part, index]. */
static void print_lost(const struct object *o, struct text *out)
{
    const char *before = ", \"keypoints_lost\": [";
    size_t length = out->length;

    for (size_t i = 0; i < o->n_keypoints; i++)
        if (keypoint_is_lost(&o->keypoints[i])) {
            text_addf(out, "%s%zu", before, i);
            before = ", ";
        }
    for (size_t p = 0; p < o->n_parts; p++)
        for (size_t i = 0; i < o->parts[p].n_keypoints; i++)
            if (keypoint_is_lost(&o->parts[p].keypoints[i])) {
                text_addf(out, "%s[%zu, %zu]", before, p, i);
                before = ", ";
            }
    text_adds(out, out->length > length ? "]" : "");
}

static void print_kept(const struct manifest_entry *e, const struct object *o, size_t place,
                       struct text *out)
{
    const struct job *job = e->job;
    struct source_id source = source_id_of(job->dataset, o);
    int64_t id = source.id;
    unsigned fan_out = job->dataset->format->ids_of_image ? 1 : record_fan_out(job, e->record);

    /* Dense ids are known only after all images are done. */
    if (job_numbers_densely(job) && record_is_numbered(job, e->record)) {
        text_addf(out, "{\"ordinal\": %zu, ", place + 1);
    } else {
        text_adds(out, "{\"id\": ");
        if (record_is_numbered(job, e->record))
            id = job_object_id(job, job_image_id(job, e->record, e->k), place);
        else if (fan_out > 1)
            id = id_number(id, source.order) * fan_out + e->k;
        text_id_print(id, source.element, "id", out);
        text_adds(out, ", ");
    }
    print_from(e, o, &source, out);
    if (o->visibility < 1) {
        text_adds(out, ", \"visibility\": ");
        number_print(out, o->visibility);
    }
    if (o->changes & CHANGE_REDRAWN)
        text_addf(out, ", \"segmentation\": \"%s\"",
                  o->segmentation == SEGMENTATION_RLE ? "became rle" : "became polygon");
    print_lost(o, out);
    if (object_is_swapped_by_guess(o))
        text_adds(out, ", \"keypoints_swapped\": \"by guess\"");
    text_addc(out, '}');
}

static void print_dropped(const struct manifest_entry *e, const struct object *o, struct text *out)
{
    struct source_id source = source_id_of(e->job->dataset, o);

    text_addc(out, '{');
    print_from(e, o, &source, out);
    text_adds(out, ", \"reason\": \"");
    text_adds(out, o->final.reason);
    text_adds(out, "\", \"value\": ");
    if (isfinite(o->final.value))
        number_print(out, o->final.value);
    else
        text_adds(out, "null");
    text_addc(out, '}');
}

static void print_objects(const struct manifest_entry *e, bool dropped, struct text *out)
{
    bool first = true;
    size_t place = 0;

    text_adds(out, dropped ? ", \"dropped\": [" : ", \"annotations\": [");
    for (size_t i = 0; i < e->sample->n_objects; i++) {
        const struct object *o = &e->sample->objects[i];

        if (o->final.dropped != dropped)
            continue;
        text_adds(out, first ? "" : ", ");
        first = false;
        if (dropped)
            print_dropped(e, o, out);
        else
            print_kept(e, o, place++, out);
    }
    text_addc(out, ']');
}

/* Prints the image's labels in the order of the dataset's categories. */
static void print_image_labels(const struct manifest_entry *e, struct text *out)
{
    const struct dataset *d = e->job->dataset;
    bool first = true;

    for (size_t i = 0; i < d->n_categories && sample_has_labels(e->sample); i++) {
        const struct category *written = class_written(d, &d->categories[i]);
        double weight = written ? sample_label_weight(e->sample, &d->categories[i]) : 0;

        if (weight <= 0)
            continue;
        text_adds(out, first ? ", \"image_labels\": [" : ", ");
        first = false;
        text_adds(out, "{\"category_id\": ");
        text_add_integer(out, written->id);
        text_adds(out, ", \"weight\": ");
        number_print(out, weight);
        text_addc(out, '}');
    }
    text_adds(out, first ? "" : "]");
}

/* Prints the number of the attempt, and the reasons why earlier attempts were rejected (and the
 * last, if all were). */
static void print_attempts(const struct manifest_entry *e, struct text *out)
{
    const struct attempts *a = e->attempts;

    if (!a)
        return;
    text_addf(out, ", \"attempt\": %u", a->chosen);
    text_adds(out, a->n_rejected ? ", \"rejected\": [" : "");
    for (size_t i = 0; i < a->n_rejected; i++) {
        text_addf(out, "%s{\"reason\": ", i ? ", " : "");
        text_add_json(out, a->rejected[i].reason, strlen(a->rejected[i].reason));
        text_adds(out, ", \"value\": ");
        number_print(out, a->rejected[i].value);
        text_addc(out, '}');
    }
    text_adds(out, a->n_rejected ? "]" : "");
    if (a->given_up)
        text_addf(out, ", \"when_rejected\": \"%s\"",
                  choice_word(row_get(annotation_rows, "when_rejected")->choices,
                              e->job->plan->rules.when_rejected));
}

void manifest_print(const struct manifest_entry *e, struct text *out)
{
    const struct record *record = &e->job->dataset->records[e->record];
    const struct combination_part *part = combination_part_of(e->job->dataset, e->record);
    struct text labels = { 0 };

    text_addc(out, '{');
    print_name(out, record_has_file(e->job, e->record) ? "output" : "unlinked",
               images_folder(e->job), e->output);
    if (e->mask && record_has_file(e->job, e->record)) {
        text_adds(out, ", ");
        print_name(out, "mask", masks_folder(e->job), e->mask);
    }
    if (e->labelled) {
        labels_name(e->job, e->output, &labels);
        text_adds(out, ", ");
        print_name(out, "labels", "", text_string(&labels));
        text_drop(&labels);
    }
    text_adds(out, ", ");
    print_name(out, "source", "", record->name);
    if (part && part->origin) {
        const char *own = combination_own_record(e->job->dataset, e->record)->name;

        text_adds(out, ", ");
        print_name(out, "origin", part->origin, own);
    }
    if (part) {
        text_adds(out, ", \"part\": ");
        text_add_json(out, part->name, strlen(part->name));
    }
    text_addf(out, ", \"copy\": %u", e->k / e->job->plan->fan_out);
    if (e->job->plan->fan_out > 1)
        text_addf(out, ", \"branch\": %u", e->k % e->job->plan->fan_out);
    if (e->job->dataset->format) {
        text_adds(out, ", \"image_id\": ");
        source_print_id(e->job->dataset, e->record, job_image_id(e->job, e->record, e->k), out);
        text_adds(out, ", \"from\": ");
        source_print_id(e->job->dataset, e->record, record->id, out);
    }
    text_addf(out,
              ", \"key\": \"%016llx\", \"run\": \"%016llx\", \"size_in\": [%d, %d], "
              "\"size_out\": [%d, %d]",
              (unsigned long long)e->key, (unsigned long long)e->job->link, e->in.width,
              e->in.height, e->sample->frame.width, e->sample->frame.height);
    print_attempts(e, out);
    print_steps(e->resolved_ops, out);
    print_matrix(e->sample, out);
    if (e->job->dataset->format) {
        print_objects(e, false, out);
        print_objects(e, true, out);
        print_image_labels(e, out);
    }
    text_adds(out, "}\n");
}
