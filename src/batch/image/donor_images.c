/* donor_images: images that a record in work borrows from other records. */
#include "batch/image/donor_images.h"

#include "batch/dataset/donor_table.h"

#include <stdlib.h>
#include <string.h>

/* --- lenders --- */

static struct lender *find_lender(const struct work *w, size_t record)
{
    for (size_t i = 0; i < w->n_lent; i++)
        if (w->scratch->lenders[i]->work->index == record)
            return w->scratch->lenders[i];
    return NULL;
}

/* One that is not in use, whose buffers are used again. */
static struct lender *take_lender(struct work *w)
{
    struct scratch *s = w->scratch;

    if (w->n_lent == s->n_lenders) {
        s->lenders = memory_grow(s->lenders, (s->n_lenders + 1) * sizeof *s->lenders);
        s->lenders[s->n_lenders] = memory_take(sizeof **s->lenders);
        *s->lenders[s->n_lenders++] = (struct lender){ .work = NULL };
    }
    return s->lenders[w->n_lent++];
}

/* "b.jpg: it is truncated [image-unread]" becomes "borrows b.jpg: it is truncated [donor-failed]".
 */
static void blame(const struct work *lender, const char *reason, struct text *why)
{
    struct slice code = report_code((struct slice){ reason, strlen(reason) });
    size_t length = code.length ? (size_t)(code.at - 1 - reason) : strlen(reason);
    const char *name = lender->record->name;

    while (length && reason[length - 1] == ' ')
        length--;
    text_adds(why, "it borrows ");
    if (strncmp(reason, name, strlen(name)) != 0)
        text_addf(why, "%s: ", name);
    text_add(why, reason, length);
    text_adds(why, " [donor-failed]");
}

static struct lender *lender_of(struct work *w, size_t record, struct text *why)
{
    struct lender *l = find_lender(w, record);

    if (l)
        return l;
    l = take_lender(w);
    l->scratch.headers = w->scratch->headers;
    l->work = w->donor_calls->begin(w->job, &l->scratch, record, w->dry, &l->report);
    if (l->report.outcome == OUTCOME_DONE && l->work->unread && !w->unread) {
        l->work->unread = false;
        work_read_objects(l->work);
    }
    report_add_donor(w->report, l->work->record->name, &l->report.source);
    if (l->report.outcome == OUTCOME_DONE)
        return l;
    blame(l->work, text_string(&l->report.why), why);
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
    const struct job *job = ((const struct work *)context)->job;

    if (donor_table_find(job->donors, job->dataset, name, record))
        return true;
    text_addf(why, "the dataset has no image \"%s\" [donor-missing]", name);
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
    struct lender *l = lender_of(w, record, why);

    if (!l)
        return false;
    if (l->work->has_mask && w->has_mask && l->work->mask_type != w->mask_type) {
        text_addf(why,
                  "it borrows %s, whose label mask has %d bits a label, and its own has %d "
                  "[donor-mask]",
                  l->work->record->name, l->work->mask_type == PIXEL_U8 ? 8 : 16,
                  w->mask_type == PIXEL_U8 ? 8 : 16);
        return false;
    }
    *sample = sample_copy(&l->work->loaded, arena);
    sample->defers_occlusion = w->defers_occlusion;
    if (job_has_segments(w->job) && !w->has_mask)
        sample->n_objects = 0; /* nobody says whose the pixels of the image itself are */
    if (l->work->has_mask && !sample->segments)
        sample->mask = (struct mask_source){ work_mask_pixels, l->work, &w->scratch->pool };
    *type = l->work->header.type;
    *channels = l->work->header.channels;
    return true;
}

/* Decoded into buffers of the borrower, which has one such image at a time. */
static const struct picture *image(void *context, size_t record, const struct decode_hints *hints,
                                   struct text *why)
{
    struct work *w = context;
    struct lender *l = lender_of(w, record, why);
    const struct picture *picture;

    if (!l)
        return NULL;
    picture = work_image(l->work, hints, &w->scratch->pool);
    if (!picture)
        blame(l->work, text_string(&l->report.why), why);
    return picture;
}

static void release(void *context, size_t record)
{
    struct work *w = context;
    struct lender *l = find_lender(w, record);

    if (l && l->work->image.plane.px)
        picture_drop(&l->work->image, &w->scratch->pool);
}

void lend_start(struct work *w, struct sample *sample)
{
    w->donors = (struct donor_source){ draw, find, name_of, load, image, release, w };
    sample->donors = w->job->plan->joins ? &w->donors : NULL;
}

void lend_end(struct work *w)
{
    for (size_t i = 0; i < w->n_lent; i++) {
        w->donor_calls->end(w->scratch->lenders[i]->work);
        w->scratch->lenders[i]->work = NULL;
    }
    w->n_lent = 0;
}

void lend_drop(struct scratch *s, const struct donor_calls *calls)
{
    for (size_t i = 0; i < s->n_lenders; i++) {
        calls->drop(&s->lenders[i]->scratch);
        report_drop(&s->lenders[i]->report);
        free(s->lenders[i]);
    }
    free(s->lenders);
}

bool lend_failed(struct work *w)
{
    for (size_t i = 0; i < w->n_lent; i++) {
        const struct lender *l = w->scratch->lenders[i];
        struct text why = { 0 };

        if (l->report.outcome == OUTCOME_DONE)
            continue;
        blame(l->work, text_string(&l->report.why), &why);
        work_fail(w, l->report.outcome, w->record->name, text_string(&why));
        text_drop(&why);
        return true;
    }
    return false;
}

bool lend_unknown(const struct work *w)
{
    for (size_t i = 0; i < w->n_lent; i++)
        if (w->scratch->lenders[i]->work->unknown)
            return true;
    return false;
}
