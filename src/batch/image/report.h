/* report: the result of one record: its outcome, counts, manifest lines and JSON fragments.
 *
 * A report is packed into one sequence of bytes, which a worker sends to the supervisor, and which
 * the journal stores. The bytes of the objects are not part of it: they are in the object spool. */
#pragma once

#include "base/text.h"
#include "batch/manifest/losses.h"
#include "batch/io/open.h"
#include "labels/format.h"

/* Outcomes of a record. The values are written to journals: new ones are appended. */
enum outcome {
    OUTCOME_DONE,
    OUTCOME_INPUT,   /* an input is invalid: the image is skipped or the run ends */
    OUTCOME_OUTPUT,  /* an output could not be written: the run ends */
    OUTCOME_CHANGED, /* the annotation file was changed: the run ends */
    OUTCOME_CRASHED, /* its worker died */
    OUTCOME_MEMORY,  /* its worker ran out of memory */
    OUTCOME_TIMEOUT, /* its worker took too long and was killed */
    OUTCOME_LIBRARY, /* a library that it needs cannot be loaded: the image is skipped or the run
                        ends */
};

/* Returns the exit code of a run that ends because of this outcome. */
int outcome_exit(enum outcome);

/* Kinds of images. A run reports the number of images of each kind, and the first one. */
enum remark {
    REMARK_UNMADE,        /* no output was made from them */
    REMARK_SEVERAL,       /* they have more frames than the one that was read */
    REMARK_MISNAMED,      /* their name has the suffix of another format than is written */
    REMARK_LACKING,       /* they have a text with characters that the font lacks */
    REMARK_INKS,          /* CMYK that was converted to RGB by a profile */
    REMARK_GEOREFERENCED, /* they were written without their GeoTIFF tags */
    REMARK_ALPHA,         /* TIFFs that do not name the channel that was read as alpha */
    REMARK_LIMIT,         /* they exceed the first of the written format's `reader_limits` */
    N_REMARKS = REMARK_LIMIT + MAX_READER_LIMITS
};

/* Sums over outputs, of one record or of a whole run. */
struct counts {
    uint64_t objects_in, objects_out; /* annotations of the records, and in all their outputs */
    uint64_t outputs;                 /* images made */
    uint64_t rejected;                /* attempts that `reject_image_if` rejected */
    uint64_t given_up;                /* copies that were given up after all attempts */
    uint64_t resized;                 /* images whose size was taken from the file */
    uint64_t remarked[N_REMARKS];     /* images, by enum remark */
    struct losses losses;
};
void counts_add(struct counts *, const struct counts *more);

/* Fragment of JSON for the annotation file. */
struct piece {
    uint32_t element; /* index of the record's element in the source: see format.h, find_object */
    uint32_t copy;
    uint32_t length; /* bytes of the fragment in the report; 0: copy the source's element */
};

/* The inode in the key of a file that was not opened, since its size was stated. */
#define UNOPENED UINT64_MAX

/* Fingerprint of the files and annotations of a record. */
struct source_key {
    struct file_key image, mask;
    uint64_t annotations; /* source_annotations */
    uint64_t donors;      /* of all possible donors; 0: the plan does not borrow */
};

/* Report of one record. Fragments are concatenated in texts, so that a report can be sent through a
 * pipe as it is. */
struct report {
    enum outcome outcome;
    struct counts counts;
    struct source_key source;
    struct text why;      /* one line, if the outcome is not OUTCOME_DONE */
    struct text manifest; /* lines */
    struct text records;  /* record elements; one piece each */
    struct text record_pieces;
    struct text objects;       /* object elements, except unchanged ones */
    struct text object_pieces; /* one piece per object, unchanged or not */
    struct text files;         /* written files: one line "hash size name" each, names below OUT */
    struct text donors;        /* donors: see report_next_donor */
    uint64_t objects_at; /* offset of `objects` in the object spool, once they are written there */
};

/* Makes the report empty, with the outcome OUTCOME_DONE; its texts keep their memory. */
void report_clear(struct report *);
void report_drop(struct report *);
/* Returns OUTCOME_LIBRARY instead of OUTCOME_INPUT if the reason's code says that a library could
 * not be loaded; otherwise `outcome`. */
enum outcome outcome_of(enum outcome, struct slice why);
/* Completes the report of a record that is not done. Adds a code to the reason. Sets
 * OUTCOME_LIBRARY if the reason has the code of a library. */
void report_complete(struct report *);
/* Appends a code in brackets, such as "[image-failed]", to a reason without one, unless the outcome
 * is OUTCOME_DONE. */
void outcome_add_code(enum outcome, struct text *why);
/* Returns the code at the end of a reason, without the brackets; empty if there is none. */
struct slice report_code(struct slice why);
/* Clears everything except the outcome, its reason and the inputs' keys: no part of a failed
 * record's result may reach the output. */
void report_forget(struct report *);

/* Appends the packed report to `out`: without the bytes of `objects`, but with their length and
 * hash_quick. The bytes are equal on all machines of one byte order. */
void report_pack(const struct report *, struct text *out);

/* Packed report, read in place: the slices point into its bytes. */
struct report_view {
    enum outcome outcome;
    struct counts counts;
    struct source_key source;
    uint64_t objects_at, objects_length, objects_hash;
    struct slice why, manifest, records, record_pieces, object_pieces, files, donors;
};
/* Reads a packed report. Returns false if the bytes are not a packed report. */
bool report_view(struct slice packed, struct report_view *);

/* Adds a donor: its name and the key of its files. */
void report_add_donor(struct report *, const char *name, const struct source_key *);
/* Reads the donor at *at and moves *at to the next. Returns false after the last. */
bool report_next_donor(struct slice donors, size_t *at, struct source_key *, struct slice *name);

/* Line of `files`. */
struct written_file {
    uint64_t hash, size;
    struct slice name; /* ends with the line, without a NUL */
};
void report_add_file(struct report *, const char *name, const void *, size_t length);
/* Adds a file that is a link to the source with this key. */
void report_add_link(struct report *, const char *name, const struct file_key *);
/* Reads the line at *at and moves *at to the next. Returns false after the last. */
bool report_next_file(struct slice files, size_t *at, struct written_file *);
