/* inspect: the headers and pixels of image files, read by contained processes. A file that crashes
 * its process affects its own result only. Results do not depend on the number of processes. */
#pragma once

#include "batch/dataset/job.h"

enum file_state {
    FILE_NONE, /* not inspected */
    FILE_GOOD,
    FILE_MISSING,
    FILE_SPECIAL, /* a folder, a pipe, a device */
    FILE_EMPTY,
    FILE_UNREAD,    /* the system refuses to read it */
    FILE_FOREIGN,   /* not a supported format */
    FILE_LARGE,     /* more pixels than the limit, or more bytes than so many pixels can have */
    FILE_TRUNCATED, /* its end is missing */
    FILE_DAMAGED,   /* it cannot be decoded */
    FILE_FATAL,     /* its process died twice, or took too long */
};

enum { THUMBNAIL_COLUMNS = 9, THUMBNAIL_ROWS = 8 };

/* Measurements of the decoded pixels. Luma is 0.299 R + 0.587 G + 0.114 B, from 0 to 255. */
struct image_measures {
    char hash[33];  /* of the file's bytes: first half of their SHA-256 */
    uint64_t dhash; /* difference hash: one bit per cell of the thumbnail, 1 if its right neighbor
                       is lighter */
    uint8_t thumbnail[THUMBNAIL_ROWS][THUMBNAIL_COLUMNS]; /* mean luma of cells of equal size */
    uint8_t dark, light; /* luma that 99 % and 5 % of the pixels do not exceed */
    double entropy;      /* of the histogram of luma, in bits */
    bool gray;           /* no pixel has a color (a difference of channels of more than 2) */
    bool constant;       /* all pixels are the same */
};

struct inspected_file {
    enum file_state state;
    char why[200];
    bool has_header, has_pixels;
    struct picture_header header; /* size as displayed, after the orientation is applied */
    bool inks;                    /* a CMYK JPEG */
    struct image_measures pixels;
    /* For a mask with has_pixels: its segments, or the values of its pixels, in a spool. */
    size_t spool, first_segment, n_segments;
};

/* Pixels of one id in a segment picture, or of one value in a label mask. Their number, and the
 * first and last column and row. */
struct seen_segment {
    uint32_t id, area;
    int32_t x0, y0, x1, y1;
};

struct inspect_job {
    const struct dataset *dataset; /* its format, and its records with their names */
    struct roots images;
    struct roots masks; /* folders of the records' `mask`; none: masks are not inspected */
    bool labels;        /* masks are label masks: values are counted instead of segments */
    bool pixels;        /* also decode the pixels of images */
    bool mask_pixels;   /* and those of masks */
    int jobs;           /* number of processes; 0: one per processor */
};

struct inspection {
    size_t n;
    struct inspected_file *images, *masks; /* n each; masks that were not requested are FILE_NONE */
    struct slice *spools;
    size_t n_spools;
    size_t bytes; /* size of the memory that images and masks share */
};

/* Inspects the files of all records. Returns false with the reason if no process can be started.
 * The caller must not have started libvips or a thread before. */
bool inspect_images(struct inspection *, const struct inspect_job *, struct text *why);
/* Returns the segments of a segment picture, or the values of a label mask, sorted by id;
 * n_segments of them. */
const struct seen_segment *inspection_segments(const struct inspection *,
                                               const struct inspected_file *);
void inspection_drop(struct inspection *);

/* --- for inspect*.c --- */

/* State of a process that inspects files; its memory is reused for the next file. */
struct inspector {
    const struct job *job;
    bool pixels, masks; /* pixels are decoded */
    bool labels;
    struct pool pool;
    size_t spool;
    int segments; /* descriptor of the spool, open for appending */
};

void inspect_file(struct inspector *, const char *folder, const char *name, bool segments,
                  struct inspected_file *);
/* True if the end of the file is missing for certain, as its structure shows without decoding. */
bool file_is_truncated(struct slice bytes, enum picture_format);
/* True if a JPEG has four channels. */
bool jpeg_has_inks(struct slice jpeg);
/* Decodes an image and measures its pixels. Returns false with the reason. */
bool inspect_measure(struct inspector *, struct slice bytes, struct inspected_file *,
                     struct text *why);
/* Decodes a mask and counts the pixels of each id, or of each value. A mask of another kind has no
 * pixels then. Returns false with the reason. */
bool inspect_count_segments(struct inspector *, struct slice bytes, struct inspected_file *,
                            struct text *why);
