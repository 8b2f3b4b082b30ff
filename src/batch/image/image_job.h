/* image_job: processes one record, from its files to its outputs: read, sample the ops, render,
 * write, report. */
#pragma once

#include "base/clock.h"
#include "plan/reject.h"
#include "batch/dataset/job.h"
#include "batch/image/report.h"

/* Buffers that a worker reuses from record to record. */
struct scratch {
    struct pool pool;
    struct arena arena;            /* of the current output */
    struct arena objects;          /* of the record's objects as read */
    struct text bytes, mask_bytes; /* of the files as read */
    struct text made;              /* of a file to write */
    struct text labels;            /* of a file of labels to write */
    struct donor **donors;         /* the donors (donor_images.h) */
    size_t n_donors;
    struct clock *clock; /* measures each stage; or NULL */
    bool headers;        /* read headers only: damage after them is not noticed */
};
void scratch_drop(struct scratch *);

/* Makes all outputs of a record. With `dry`, no pixels are read and nothing is written but the
 * report. For a job without an output folder (`outdir` is NULL), files are made but not written. */
void record_run(const struct job *, struct scratch *, size_t record, bool dry, struct report *);

/* Prefetches the files of a record that will be run soon. */
void record_prefetch(const struct job *, size_t record);

/* --- one output at a time, for callers that inspect outputs without writing them ---
 *
 *     struct work *work = record_begin(job, scratch, record, dry, report);
 *     while (record_next(work, &out))
 *         ...
 *     record_end(work);
 */

/* Record that is being processed: work.h. */
struct work;

/* Output of a record: its ops are sampled and its labels finalized, but its pixels are not made
 * yet. Valid until the next output. */
struct pending_output {
    struct work *work;
    unsigned k;                      /* of job_fan_out */
    uint64_t key;                    /* of its random numbers */
    struct frame in;                 /* of the image as read */
    struct pixel_kind pixels;        /* the same */
    const struct picture *mask;      /* as read; NULL when dry, or without masks */
    const struct attempts *attempts; /* the attempts at it; NULL without `reject_image_if` */
    bool copied;                     /* no op changes it: the source file itself is written */
    const struct excerpt *excerpt;   /* the source's coefficients that are written, or NULL */
    const struct sample *sample;
    const struct resolved_ops *resolved_ops;
};

/* Reads the record's image, mask and objects, once for all of its outputs. Never returns NULL:
 * after a failure the report has the reason, and there are no outputs. */
struct work *record_begin(const struct job *, struct scratch *, size_t record, bool dry,
                          struct report *);
/* Samples the next output. Returns false after the last one, and after a failure; then the report
 * has the reason. */
bool record_next(struct work *, struct pending_output *);
void record_end(struct work *);

/* Returns the image, decoded as the hints say or more completely; NULL hints: all of it. The image
 * is decoded at the first call, and again only for other hints; this invalidates the earlier
 * picture. Returns NULL if the image cannot be read; then the report has the reason. */
const struct picture *pending_output_image(const struct pending_output *,
                                           const struct decode_hints *);

/* Returns the hints by which a run decodes the image for these passes. They ask only for parts that
 * the image's file can provide. */
struct decode_hints pending_output_hints(const struct pending_output *, const struct passes *);
