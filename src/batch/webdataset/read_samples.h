/* read_samples: archives of WebDataset, whose members are samples: an image, what is said of it,
 * and its label mask, KEY.jpg, KEY.json and KEY.mask.png; or an image with its class, KEY.cls. */
#pragma once

#include "batch/io/archive_set.h"

/* What is in them beside images; drop it with samples_drop. */
struct samples {
    const char *masks;   /* the path of an archive of label masks, for open.h; NULL: none */
    const char *archive; /* where the first labels are, for messages */
    struct text labels;  /* of all: a COCO file; empty: there are none */
};

/* Take those of the paths that are archives, opened, and have samples, apart: from then on their
 * members are images alone, by the names that pack_escape was given. Labels are put together in the
 * order of their members: lists by their elements, of which equal ones are taken once but for
 * images and annotations; of other sections the first stays. Where the first labels are no COCO
 * file, none may be: then members of KEY.json become those of the image, and the class in KEY.cls
 * its label. False with faults where neither can be. */
bool samples_take(const char *const *paths, size_t n, bool labels, struct samples *,
                  struct faults *);
void samples_drop(struct samples *);

/* --- for sample*.c --- */

/* A section of all labels. */
struct joined {
    const char *name;
    bool list, once;    /* of a list: each element once */
    struct text value;  /* of a list: its elements */
    struct text last;   /* as it stood last: then there is nothing new in it */
    struct pile hashes; /* of uint64_t: elements that are there */
};

struct joining {
    struct samples *to;
    bool reads_labels;
    struct faults *faults;
    struct arena arena;
    struct pile sections;                                    /* of struct joined */
    enum { LABELS_UNKNOWN, LABELS_COCO, LABELS_PLAIN } kind; /* as the first ones are */
    struct pile classes;                                     /* of int64_t: those of .cls */
    long long n_images, n_objects;                           /* that were numbered */
    struct pile masks;                                       /* of struct member */
    struct pile files;                                       /* of struct tar_file */
};

/* An image and what stands beside it. */
struct sample_part {
    const struct member *image, *json, *class; /* the latter may be NULL */
};

/* The name as it was before it was escaped. */
char *sample_unescape(const char *name, size_t length, struct arena *);
/* Which kind of labels is it, unless that is known? */
void sample_labels_decide(struct joining *, struct tar_set *, const struct sample_part *, size_t n);
/* Add those of an image. `first`: no image of the same key has been there. False with faults. */
bool sample_labels_add(struct joining *, struct tar_set *, const struct sample_part *, bool first);
/* Append the COCO file; "" where there is nothing for one. */
void sample_labels_print(struct joining *, struct text *out);
void joining_drop(struct joining *);
