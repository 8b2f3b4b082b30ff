/* report: what came of one record: its outcome, counts, manifest lines and JSON fragments.
 *
 * A report is packed into one run of bytes: that is what a worker sends to the supervisor, and what
 * the journal keeps. The objects' own bytes are not in it: they stand in the object spool. */
#pragma once

#include "base/text.h"
#include "batch/manifest/losses.h"
#include "batch/io/open.h"

/* What became of a record. The values are written to journals: new ones go to the end. */
enum outcome {
    OUTCOME_DONE,
    OUTCOME_INPUT,   /* an input is wrong: the image is skipped or the run ends */
    OUTCOME_OUTPUT,  /* an output could not be written: the run ends */
    OUTCOME_CHANGED, /* the annotation file was changed: the run ends */
    OUTCOME_CRASHED, /* its worker died */
    OUTCOME_MEMORY,  /* its worker ended for want of memory */
    OUTCOME_TIMEOUT, /* its worker took too long, and was killed */
    OUTCOME_LIBRARY, /* a library that it needs cannot be loaded: the image is skipped or the run
                        ends */
};

/* The exit code of a run that ends because of it. */
int outcome_exit(enum outcome);

/* Kinds of images: a run states how many there are, and the first. */
enum remark {
    REMARK_UNMADE,        /* no output was made of them */
    REMARK_SEVERAL,       /* they have more frames than the one taken */
    REMARK_MISNAMED,      /* their name promises another format than is written */
    REMARK_LACKING,       /* they have a text that the font lacks characters of */
    REMARK_INKS,          /* CMYK that became RGB by a profile */
    REMARK_GEOREFERENCED, /* they were written without their GeoTIFF tags */
    REMARK_ALPHA,         /* TIFFs that do not name the channel that was read as alpha */
    N_REMARKS
};

/* Sums over outputs, of one record or of a whole run. */
struct counts {
    uint64_t objects_in, objects_out; /* annotations of the records, and in all their outputs */
    uint64_t outputs;                 /* images made */
    uint64_t rejected;                /* attempts that `reject_image_if` has rejected */
    uint64_t given_up;                /* copies of which all attempts were rejected */
    uint64_t resized;                 /* images whose size was taken from the file */
    uint64_t remarked[N_REMARKS];     /* images, by enum remark */
    struct losses losses;
};
void counts_add(struct counts *, const struct counts *more);

/* A stretch of JSON on its way to the annotation file. */
struct piece {
    uint32_t element; /* which of the record's in the source: see format.h, find_object */
    uint32_t copy;
    uint32_t length; /* of what was printed: the report's next bytes; 0: it is as in the source */
};

/* The files and annotations of a record. */
struct source_key {
    struct file_key image, mask;
    uint64_t annotations; /* source_annotations */
    uint64_t donors;      /* of all images that may be borrowed; 0: the plan borrows none */
};

/* Fragments are kept in texts one behind the other, so that a report crosses a pipe as it is. */
struct report {
    enum outcome outcome;
    struct counts counts;
    struct source_key source;
    struct text why;      /* one line, when it is not done */
    struct text manifest; /* lines */
    struct text records;  /* record elements; one piece each */
    struct text record_pieces;
    struct text objects;       /* object elements, but for those that stay as they stand */
    struct text object_pieces; /* one for each of both */
    struct text files;         /* written: "hash size name" below OUT, a line each */
    struct text donors;        /* borrowed: see report_next_donor */
    uint64_t objects_at;       /* offset of `objects` in the object spool, once they are there */
};

/* Back to an empty report of a record that is done; its texts keep their memory. */
void report_clear(struct report *);
void report_drop(struct report *);
/* The outcome of a record that has failed with this reason: of a library that cannot be loaded
 * instead of an input that is wrong, where the reason's code says so. */
enum outcome outcome_of(enum outcome, struct slice why);
/* Completes the report of a record that is not done. Its reason gets a code. If the reason had the
 * code of a library, the outcome becomes OUTCOME_LIBRARY. */
void report_complete(struct report *);
/* Let the reason of what is not done end with a code in brackets, as "[image-failed]". */
void outcome_add_code(enum outcome, struct text *why);
/* The code that a reason ends with, without the brackets; empty when there is none. */
struct slice report_code(struct slice why);
/* Clears all but the outcome, its reason and what was read: what a failed record made must not
 * reach the output. */
void report_forget(struct report *);

/* The report without the bytes of `objects` (but with their length and hash_quick), appended to
 * `out`. Equal on all machines of one byte order. */
void report_pack(const struct report *, struct text *out);

/* A packed report, read where it stands. */
struct report_view {
    enum outcome outcome;
    struct counts counts;
    struct source_key source;
    uint64_t objects_at, objects_length, objects_hash;
    struct slice why, manifest, records, record_pieces, object_pieces, files, donors;
};
/* False when the bytes are no packed report. */
bool report_view(struct slice packed, struct report_view *);

/* Images that were borrowed, by their names, and what they were made of. */
void report_add_donor(struct report *, const char *name, const struct source_key *);
/* The next one from *at on. False behind the last. */
bool report_next_donor(struct slice donors, size_t *at, struct source_key *, struct slice *name);

/* A line of `files`. */
struct written_file {
    uint64_t hash, size;
    struct slice name; /* ended by the line's end, not by a NUL */
};
void report_add_file(struct report *, const char *name, const void *, size_t length);
/* The next line from *at on. False behind the last. */
bool report_next_file(struct slice files, size_t *at, struct written_file *);
