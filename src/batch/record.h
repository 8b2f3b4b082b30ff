/* record: one record through the whole house: read, draw, render, write, and say what came of it.
 */
#pragma once

#include "../base/clock.h"
#include "../plan/reject.h"
#include "job.h"

/* What became of a record. */
enum outcome {
    OUTCOME_DONE,
    OUTCOME_INPUT,   /* an input is wrong: the image is skipped or the run ends */
    OUTCOME_OUTPUT,  /* an output could not be written: the run ends */
    OUTCOME_CHANGED, /* the annotation file was changed: the run ends */
    OUTCOME_CRASHED, /* its worker died */
    OUTCOME_MEMORY,  /* its worker ended for want of memory */
};

/* A stretch of JSON on its way to the annotation file. */
struct piece {
    uint64_t order;  /* among the source's elements */
    uint64_t source; /* where it stands in the dataset's text; or PIECE_PRINTED */
    uint32_t copy, length;
};
#define PIECE_PRINTED UINT64_MAX /* its bytes are the report's next */

/* Fragments are kept in texts one behind the other, so that a report crosses a pipe as it is. */
struct report {
    enum outcome outcome;
    struct text why;      /* one line, when it is not done */
    struct text manifest; /* lines */
    struct text records;  /* record elements; one piece each */
    struct text record_pieces;
    struct text objects;              /* object elements, but for those that stay as they stand */
    struct text object_pieces;        /* one for each of both */
    uint64_t objects_at;              /* where in the store they are, once they are */
    uint64_t objects_in, objects_out; /* annotations of the record, and in all its outputs */
    uint64_t outputs;                 /* images made */
    uint64_t rejected;                /* attempts that `reject_image_if` has rejected */
    uint64_t given_up;                /* copies of which all were */
    uint64_t several;                 /* 1 when the image has more frames than the one taken */
    uint64_t misnamed;                /* 1 when its name promises another format than is written */
    uint64_t resized;                 /* 1 when the file's size was taken, not the annotations' */
};
/* Add an object's element, as it is after the run. */
void report_object(struct report *, const struct dataset *, size_t record, const struct sample *,
                   const struct object *, const struct output *, const struct rules *);
/* Add the record's. */
void report_record(struct report *, const struct dataset *, size_t record, const struct output *);
void report_clear(struct report *);
void report_drop(struct report *);

/* What a worker keeps from record to record. */
struct bench {
    struct pool pool;
    struct arena arena;
    struct text bytes, mask_bytes; /* of the files as read */
    struct text made;              /* of a file to write */
    struct clock *clock;           /* told of each stage; or NULL */
};
void bench_drop(struct bench *);

/* Do all outputs of a record. With `dry`, no pixels are read and nothing is written but the report.
 * For a job without a folder to write to (`outdir` is NULL), files are made and then not written.
 */
void record_run(const struct job *, struct bench *, size_t record, bool dry, struct report *);

/* The record will be run soon: its files may be fetched. */
void record_expect(const struct job *, size_t record);

/* One output of a record: drawn and settled, its pixels not made yet. */
struct take {
    unsigned k;                      /* of job_fan */
    uint64_t key;                    /* of its random numbers */
    struct frame in;                 /* of the image as read */
    struct pixel_kind pixels;        /* likewise */
    const struct picture *mask;      /* as read; NULL when dry, or when there are no masks */
    const struct attempts *attempts; /* how often it was drawn; NULL without `reject_image_if` */
    bool copied;                     /* no op touches it: the file itself is written */
    const struct excerpt *excerpt;   /* what is written of the source's coefficients, or NULL */
    const struct sample *sample;
    const struct drawing *drawing;
    void *work; /* work.h */
};

/* The image, read as the wish says or at least all that it asks for; NULL: all of it. Decoded when
 * first asked for, and anew only for another wish, which ends what was given before. NULL when it
 * cannot be read; the report then says why. */
const struct picture *take_image(const struct take *, const struct picture_wish *);

/* How a run reads the image for these passes: no more is wished than its file can grant. */
struct picture_wish take_wish(const struct take *, const struct passes *);

/* What to do with a take. False when it failed; then the report says why. */
typedef bool take_fn(void *context, const struct take *, struct report *);

/* What record_run does up to the point where outputs are made; each of them goes to `take`. Nothing
 * is written. False when a part of it failed: `report` says why. */
bool record_take(const struct job *, struct bench *, size_t record, bool dry, take_fn *take,
                 void *context, struct report *);
