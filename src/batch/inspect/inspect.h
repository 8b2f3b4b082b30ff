/* inspect: what image files hold, found by contained processes: a file that ends one costs its own
 * result and nothing else. Results do not depend on the number of processes. */
#pragma once

#include "batch/dataset/job.h"

enum file_state {
    FILE_NONE, /* not inspected */
    FILE_GOOD,
    FILE_MISSING,
    FILE_SPECIAL, /* a folder, a pipe, a device */
    FILE_EMPTY,
    FILE_UNREAD,    /* the system refuses it */
    FILE_FOREIGN,   /* no format that is read */
    FILE_LARGE,     /* more pixels than are read, or more bytes than those can have */
    FILE_TRUNCATED, /* its end is missing */
    FILE_DAMAGED,   /* it cannot be decoded */
    FILE_FATAL,     /* its process died twice, or took too long */
};

enum { THUMBNAIL_COLUMNS = 9, THUMBNAIL_ROWS = 8 };

/* What the pixels of an image say; luma is 0.299 R + 0.587 G + 0.114 B, of 0 to 255. */
struct image_measures {
    char hash[33];  /* of the file's bytes: half of their SHA-256 */
    uint64_t dhash; /* is a cell of the thumbnail darker than its right neighbour? */
    uint8_t thumbnail[THUMBNAIL_ROWS][THUMBNAIL_COLUMNS]; /* mean luma of cells of equal size */
    uint8_t dark, light; /* luma that 99 % and 5 % of the pixels do not exceed */
    double entropy;      /* of the histogram of luma, in bits */
    bool gray;           /* no pixel has a colour (a difference of channels of more than 2) */
    bool constant;       /* all pixels are the same */
};

struct inspected {
    enum file_state state;
    char why[200];
    bool has_header, has_pixels;
    struct picture_header header; /* as displayed */
    bool inks;                    /* a JPEG of CMYK */
    struct image_measures pixels;
    /* Of a picture of segments, with has_pixels. */
    size_t spool, first_segment, n_segments;
};

/* The pixels of one id in a picture of segments: their number, and the first and last column and
 * row. */
struct seen_segment {
    uint32_t id, area;
    int32_t x0, y0, x1, y1;
};

struct inspect_job {
    const struct dataset *dataset; /* its format, and records by their names */
    const char *images;
    const char *masks; /* the folder of the records' `mask`; NULL: they are not inspected */
    bool pixels;       /* decode, too */
    int jobs;          /* processes; 0: one a processor */
};

struct inspection {
    size_t n;
    struct inspected *images, *masks; /* n each; of masks that nobody asked for FILE_NONE */
    struct slice *spools;
    size_t n_spools;
    size_t bytes; /* of the memory that they share */
};

/* Inspect the files of all records. False with the reason: no process can be had. The caller must
 * have started neither libvips nor a thread. */
bool inspect_images(struct inspection *, const struct inspect_job *, struct text *why);
/* Those of a picture of segments, in the order of their ids. */
const struct seen_segment *inspection_segments(const struct inspection *, const struct inspected *);
void inspection_drop(struct inspection *);

/* --- for inspect*.c --- */

/* A process that inspects files, and keeps memory from file to file. */
struct inspector {
    const struct job *job;
    bool pixels;
    struct pool pool;
    size_t spool;
    int segments; /* the spool, open for appending */
};

void inspect_file(struct inspector *, const char *folder, const char *name, bool segments,
                  struct inspected *);
/* Is the end of the file missing for certain, as its format tells without decoding? */
bool file_is_truncated(struct slice bytes, enum picture_format);
/* Is it a JPEG with four channels? */
bool jpeg_has_inks(struct slice jpeg);
/* Decode it and measure. False with the reason. */
bool inspect_measure(struct inspector *, struct slice bytes, struct inspected *, struct text *why);
/* Count the pixels of each id. */
bool inspect_count_segments(struct inspector *, struct slice bytes, struct inspected *,
                            struct text *why);
