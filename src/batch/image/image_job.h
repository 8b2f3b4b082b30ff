/* image_job: one record from its files to its outputs: read, draw, render, write, report. */
#pragma once

#include "base/clock.h"
#include "plan/reject.h"
#include "batch/dataset/job.h"
#include "batch/image/report.h"

/* What a worker keeps from record to record. */
struct scratch {
    struct pool pool;
    struct arena arena;            /* of the output in work */
    struct arena objects;          /* of the record's objects, as they were read */
    struct text bytes, mask_bytes; /* of the files as read */
    struct text made;              /* of a file to write */
    struct text labels;            /* of a file of labels to write */
    struct lender **lenders;       /* of records that are borrowed (donor_images.h) */
    size_t n_lenders;
    struct clock *clock; /* measures each stage; or NULL */
    bool headers;        /* no more of a file is read: damage behind it passes */
};
void scratch_drop(struct scratch *);

/* Do all outputs of a record. With `dry`, no pixels are read and nothing is written but the report.
 * For a job without a folder to write to (`outdir` is NULL), files are made and then not written.
 */
void record_run(const struct job *, struct scratch *, size_t record, bool dry, struct report *);

/* The record will be run soon: its files may be fetched. */
void record_expect(const struct job *, size_t record);

/* --- one output after the other, for those who look at them and write nothing ---
 *
 *     struct work *work = record_begin(job, scratch, record, dry, report);
 *     while (record_next(work, &out))
 *         ...
 *     record_end(work);
 */

/* A record in work: work.h. */
struct work;

/* One output of a record: drawn and finalized, its pixels not made yet. Valid until the next one.
 */
struct rendering {
    struct work *work;
    unsigned k;                      /* of job_fan_out */
    uint64_t key;                    /* of its random numbers */
    struct frame in;                 /* of the image as read */
    struct pixel_kind pixels;        /* the same */
    const struct picture *mask;      /* as read; NULL when dry, or when there are no masks */
    const struct attempts *attempts; /* how often it was drawn; NULL without `reject_image_if` */
    bool copied;                     /* no op touches it: the file itself is written */
    const struct excerpt *excerpt;   /* what is written of the source's coefficients, or NULL */
    const struct sample *sample;
    const struct resolved_ops *resolved_ops;
};

/* Read the record's image, mask and objects, once for all of its outputs. Never NULL: where it
 * fails, the report says why, and there is no output. */
struct work *record_begin(const struct job *, struct scratch *, size_t record, bool dry,
                          struct report *);
/* Draw the next output. False behind the last one, and when it fails; then the report says why. */
bool record_next(struct work *, struct rendering *);
void record_end(struct work *);

/* The image, read as the hints says or at least all that it asks for; NULL: all of it. Decoded when
 * first asked for, and again only for other hints, which ends what was given before. NULL when it
 * cannot be read; the report then says why. */
const struct picture *rendering_image(const struct rendering *, const struct decode_hints *);

/* How a run reads the image for these passes: no more is wished than its file can grant. */
struct decode_hints rendering_hints(const struct rendering *, const struct passes *);
