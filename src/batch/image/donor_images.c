/* donor_images: reads the images that a record borrows from other records. */
#include "batch/image/donor_images.h"

#include "batch/dataset/donor_table.h"
#include "labels/shared/written_classes.h"

#include <stdlib.h>
#include <string.h>

/* --- donors --- */

static struct donor *find_donor(const struct work *w, size_t record)
{
    for (size_t i = 0; i < w->n_donors; i++)
        if (w->scratch->donors[i]->work->index == record)
            return w->scratch->donors[i];
    return NULL;
}

/* Returns an idle donor, to reuse its buffers; makes one if there is none. */
static struct donor *take_donor(struct work *w)
{
    struct scratch *s = w->scratch;

    if (w->n_donors == s->n_donors) {
        s->donors = memory_grow(s->donors, (s->n_donors + 1) * sizeof *s->donors);
        s->donors[s->n_donors] = memory_take(sizeof **s->donors);
        *s->donors[s->n_donors++] = (struct donor){ .work = NULL };
    }
    return s->donors[w->n_donors++];
}

/* "b.jpg: it is truncated [image-unread]" becomes "borrows b.jpg: it is truncated [donor-failed]".
 */
static void add_donor_reason(const struct work *donor, const char *reason, struct text *why)
{
    struct slice code = report_code((struct slice){ reason, strlen(reason) });
    size_t length = code.length ? (size_t)(code.at - 1 - reason) : strlen(reason);
    const char *name = donor->record->name;

    while (length && reason[length - 1] == ' ')
        length--;
    text_adds(why, "it borrows ");
    if (strncmp(reason, name, strlen(name)) != 0)
        text_addf(why, "%s: ", name);
    text_add(why, reason, length);
    text_adds(why, " [donor-failed]");
}

static struct donor *get_donor(struct work *w, size_t record, struct text *why)
{
    struct donor *d = find_donor(w, record);

    if (d)
        return d;
    d = take_donor(w);
    d->scratch.headers = w->scratch->headers;
    d->work = w->donor_calls->begin(w->job, &d->scratch, record, w->dry, &d->report);
    if (d->report.outcome == OUTCOME_DONE && d->work->unread && !w->unread) {
        d->work->unread = false;
        work_read_objects(d->work);
    }
    report_add_donor(w->report, d->work->record->name, &d->report.source);
    if (d->report.outcome == OUTCOME_DONE)
        return d;
    add_donor_reason(d->work, text_string(&d->report.why), why);
    return NULL;
}

/* --- struct donor_source --- */

static bool draw(void *context, const struct donors *donors, uint64_t draw, size_t *record,
                 struct text *why)
{
    const struct work *w = context;
    const struct job *job = w->job;

    return donor_table_draw(job->donors, job->dataset, donors, w->index, draw, record, why);
}

static bool find(void *context, const char *name, size_t *record, struct text *why)
{
    const struct work *w = context;
    const struct dataset *d = w->job->dataset;

    if (!donor_table_find(w->job->donors, d, name, record))
        text_addf(why, "the dataset has no image \"%s\" [donor-missing]", name);
    else if (d->writer && d->writer->suffix &&
             combination_part_of(d, *record) != combination_part_of(d, w->index))
        text_addf(why, "\"%s\" is an image of another part of the dataset [donor-missing]", name);
    else
        return true;
    return false;
}

static const char *name_of(void *context, size_t record)
{
    return ((const struct work *)context)->job->dataset->records[record].name;
}

static bool load(void *context, size_t record, struct arena *arena, struct sample *sample,
                 enum pixel_type *type, int *channels, struct text *why)
{
    struct work *w = context;
    struct donor *d = get_donor(w, record, why);

    if (!d)
        return false;
    if (w->has_mask && !d->work->has_mask) {
        text_addf(why, "it borrows %s, which has no label mask, but it has one [donor-mask]",
                  d->work->record->name);
        return false;
    }
    if (w->has_mask && d->work->mask_type != w->mask_type) {
        text_addf(why,
                  "it borrows %s, whose label mask has %d bits per label, but its own mask has %d "
                  "[donor-mask]",
                  d->work->record->name, d->work->mask_type == PIXEL_U8 ? 8 : 16,
                  w->mask_type == PIXEL_U8 ? 8 : 16);
        return false;
    }
    *sample = sample_copy(&d->work->loaded, arena);
    classes_settle(w->job->dataset, sample);
    sample->defers_occlusion = w->defers_occlusion;
    /* Without a mask it is unknown which objects the image's pixels show. */
    if (job_has_segments(w->job) && !w->has_mask)
        sample->n_objects = 0;
    if (d->work->has_mask && !sample->segments)
        sample->mask = (struct mask_source){ work_mask_pixels, d->work, &w->scratch->pool };
    *type = d->work->header.type;
    *channels = d->work->header.channels;
    return true;
}

/* Decodes into buffers of the borrower, which has one such image at a time. */
static const struct picture *image(void *context, size_t record, const struct decode_hints *hints,
                                   struct text *why)
{
    struct work *w = context;
    struct donor *d = get_donor(w, record, why);
    const struct picture *picture;

    if (!d)
        return NULL;
    picture = work_image(d->work, hints, &w->scratch->pool);
    if (!picture)
        add_donor_reason(d->work, text_string(&d->report.why), why);
    return picture;
}

static void release(void *context, size_t record)
{
    struct work *w = context;
    struct donor *d = find_donor(w, record);

    if (d && d->work->image.plane.px)
        picture_drop(&d->work->image, &w->scratch->pool);
}

void donors_attach(struct work *w, struct sample *sample)
{
    w->donors = (struct donor_source){ draw, find, name_of, load, image, release, w };
    sample->donors = w->job->plan->joins ? &w->donors : NULL;
}

void donors_release(struct work *w)
{
    for (size_t i = 0; i < w->n_donors; i++) {
        w->donor_calls->end(w->scratch->donors[i]->work);
        w->scratch->donors[i]->work = NULL;
    }
    w->n_donors = 0;
}

void donors_drop(struct scratch *s, const struct donor_calls *calls)
{
    for (size_t i = 0; i < s->n_donors; i++) {
        calls->drop(&s->donors[i]->scratch);
        report_drop(&s->donors[i]->report);
        free(s->donors[i]);
    }
    free(s->donors);
}

bool donor_has_failed(struct work *w)
{
    for (size_t i = 0; i < w->n_donors; i++) {
        const struct donor *d = w->scratch->donors[i];
        struct text why = { 0 };

        if (d->report.outcome == OUTCOME_DONE)
            continue;
        add_donor_reason(d->work, text_string(&d->report.why), &why);
        work_fail(w, d->report.outcome, w->record->name, text_string(&why));
        text_drop(&why);
        return true;
    }
    return false;
}

bool donors_need_pixels(const struct work *w)
{
    for (size_t i = 0; i < w->n_donors; i++)
        if (w->scratch->donors[i]->work->unknown)
            return true;
    return false;
}
