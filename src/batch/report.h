/* report: what came of one record: its outcome, counts, manifest lines and JSON fragments.
 *
 * A report is packed into one run of bytes: that is what a worker sends to the supervisor, and what
 * the journal keeps. The objects' own bytes are not in it: they stand in the object spool. */
#pragma once

#include "../base/text.h"

/* What became of a record. The values are written to journals: new ones go to the end. */
enum outcome {
    OUTCOME_DONE,
    OUTCOME_INPUT,   /* an input is wrong: the image is skipped or the run ends */
    OUTCOME_OUTPUT,  /* an output could not be written: the run ends */
    OUTCOME_CHANGED, /* the annotation file was changed: the run ends */
    OUTCOME_CRASHED, /* its worker died */
    OUTCOME_MEMORY,  /* its worker ended for want of memory */
};

/* Sums over outputs, of one record or of a whole run. */
struct counts {
    uint64_t objects_in, objects_out; /* annotations of the records, and in all their outputs */
    uint64_t outputs;                 /* images made */
    uint64_t rejected;                /* attempts that `reject_image_if` has rejected */
    uint64_t given_up;                /* copies of which all attempts were rejected */
    uint64_t several;                 /* images with more frames than the one taken */
    uint64_t misnamed; /* images whose name promises another format than is written */
    uint64_t resized;  /* images of which the file's size was taken */
};
void counts_add(struct counts *, const struct counts *more);

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
    struct counts counts;
    struct text why;      /* one line, when it is not done */
    struct text manifest; /* lines */
    struct text records;  /* record elements; one piece each */
    struct text record_pieces;
    struct text objects;       /* object elements, but for those that stay as they stand */
    struct text object_pieces; /* one for each of both */
    uint64_t objects_at;       /* offset of `objects` in the object spool, once they are there */
};

/* Back to an empty report of a record that is done; its texts keep their memory. */
void report_clear(struct report *);
void report_drop(struct report *);
/* Of one that is not done: let the reason end with a code in brackets, as "[image-failed]". */
void report_add_code(struct report *);
/* That code, without the brackets. */
struct slice report_code(const struct report *);
/* Clear all but the outcome and its reason: what a failed record made must not reach the output. */
void report_forget(struct report *);

/* The report without the bytes of `objects`, appended to `out`. Equal on all machines of one byte
 * order. */
void report_pack(const struct report *, struct text *out);
/* Read a packed report, with `objects` empty. False when the bytes are none. */
bool report_unpack(struct slice packed, struct report *);
/* Only the outcome and the counts of a packed report. False when the bytes are none. */
bool report_unpack_head(struct slice packed, enum outcome *, struct counts *);
