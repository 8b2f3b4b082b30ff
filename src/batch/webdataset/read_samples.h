/* read_samples: reads WebDataset archives, whose members are samples: KEY.jpg, its labels KEY.json
 * and its label mask KEY.mask.png; or an image with its class, KEY.cls. */
#pragma once

#include "batch/io/archive_set.h"

/* The contents of the archives other than images; free with samples_drop. */
struct samples {
    const char *masks;   /* path of an archive of label masks, for open.h; NULL: none */
    const char *archive; /* the archive with the first labels, for messages */
    struct text labels;  /* a COCO file of all labels; empty: none */
};

/* Separates images from labels and masks in the opened archives among the paths. Afterwards the
 * members of these archives are images only, under the names before pack_escape.
 *
 * COCO labels are merged in the order of their members. Lists are merged element by element; equal
 * elements are taken once, except in "images" and "annotations". Of other sections, the first one
 * is taken. Sections of the index of the tars come before those of the labels. KEY.json without
 * "images", but with image_id and annotations, is rf-detr's form: its other members become members
 * of the image. If the first labels are of neither form, no labels may be. Then the members of
 * KEY.json become members of the image, and the class in KEY.cls becomes its label. Returns false
 * with faults if the labels are of no form, or if an index disagrees with its tars. */
bool samples_take(const char *const *paths, size_t n, bool labels, struct samples *,
                  struct faults *);
void samples_drop(struct samples *);

/* Opens an annotation file, or the labels of the tars of an index, which are a COCO file. The text
 * stays as long as the process lives. Returns false with faults. */
bool samples_open(const char *path, struct slice *text, struct faults *);

/* --- for sample*.c --- */

/* A section of the merged labels. */
struct label_section {
    const char *name;
    bool list, once;    /* of a list: equal elements are taken once */
    struct text value;  /* of a list: its elements without brackets */
    struct text last;   /* the section of the previous file: an equal one has nothing new */
    struct pile hashes; /* of uint64_t: hashes of the elements that were added */
};

struct shard_index;
struct label_merge {
    struct samples *to;
    bool reads_labels;
    const struct shard_index *index; /* of the tars that are being read, or NULL */
    struct faults *faults;
    struct arena arena;
    struct pile sections;                                    /* of struct label_section */
    enum { LABELS_UNKNOWN, LABELS_COCO, LABELS_PLAIN } kind; /* kind of the first labels */
    struct pile classes;                                     /* of int64_t: classes in .cls files */
    long long n_images, n_objects; /* numbers of images and objects that got ids */
    struct pile masks;             /* of struct member */
    struct pile files;             /* of struct tar_file */
};

/* Labels of an image: a COCO file, rf-detr's form of tars with an index, or other members. */
enum label_form { FORM_NONE, FORM_COCO, FORM_SAMPLE, FORM_PLAIN };

/* An image and the members with the same key. */
struct sample_part {
    const struct member *image, *json, *class; /* `json` and `class` may be NULL */
};

/* Returns the name before it was escaped; the arena owns it. */
char *sample_unescape(const char *name, size_t length, struct arena *);
/* Finds the kind of the labels, unless it is known. */
void sample_labels_decide(struct label_merge *, struct tar_set *, const struct sample_part *,
                          size_t n);
/* Adds the labels of an image. `first`: no earlier image had the same key. Returns false with
 * faults. */
bool sample_labels_add(struct label_merge *, struct tar_set *, const struct sample_part *,
                       bool first);
/* Adds the sections of the index. */
void sample_labels_add_index(struct label_merge *);
/* Refuses objects of COCO labels without a list of categories. Returns false with a fault. */
bool sample_labels_check(struct label_merge *);
/* Appends the COCO file; nothing if there are no labels. */
void sample_labels_print(struct label_merge *, struct text *out);
void label_merge_drop(struct label_merge *);
