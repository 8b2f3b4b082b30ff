/* combination: one dataset made of several: the parts of a dataset (train, val), or datasets that
 * are concatenated.
 *
 * The combined dataset has the records of its parts, one part after the other, and one list of
 * classes. Its format passes each call to the part of the record. So a part keeps its own file, its
 * ids, and everything that lockstep does not know. */
#pragma once

#include "labels/format.h"

struct combination_part {
    const char *name;        /* "train" */
    const char *source_name; /* its name where it was read, such as "train2017"; NULL: the same */
    size_t first, n;         /* its records in the combined dataset */
    /* Indices of these records in `read`, or NULL: all n, in order. Set before, with n. */
    const size_t *own;
    size_t source;     /* for the caller: the number of the dataset in `read` */
    const char *below; /* the folder of its images in OUT: "images/train"; "" for OUT itself */
    bool only; /* it is a source without parts, so the names of its records stay as they are */
    const char *labels; /* the folder of label files that replaces `below`; NULL: the format's */
    /* Its label masks in an output: their folder, and the template of their names; NULL: they have
     * the stems of the images. A record has a mask if `mask` names one. */
    const char *masks, *mask_name;
    const char *mask_list;    /* a list of the images that have masks, like `file`; NULL: none */
    const char *image_ending; /* the end of stems that copies keep; NULL: none */
    /* Its annotation file or list of images in an output; NULL: none. Neighboring parts of one name
     * have one file. */
    const char *file;
    const char *origin;  /* the dataset that it is from, if several are concatenated; or NULL */
    struct dataset read; /* as it was read */
    /* The same for writing: its categories are those of the combined dataset. */
    struct dataset written;
    const size_t *category; /* index in the combined dataset of each category of `read` */
    bool own_categories;    /* those of the combined dataset are its own: objects point to them */
};

struct combination {
    struct combination_part *at;
    size_t n;
    const char *layout;           /* the name of the layout of an output */
    struct format reader, writer; /* of the combined dataset */
};

/* Returns the index after the last part with the name of part i: they are one part of an output. */
size_t combination_next(const struct combination *, size_t i);

/* The files of parts in an output: their number, and the index of the first part of file i. The
 * same for lists of images that have masks. */
size_t combination_n_files(const struct combination *);
size_t combination_file(const struct combination *, size_t i);
size_t combination_n_mask_lists(const struct combination *);
size_t combination_mask_list(const struct combination *, size_t i);

/* Returns the classes of n parts that state ids, if their lists differ: each must be read again
 * with this list. Returns NULL if they agree, or if a list names two classes alike. */
const struct class_list *combination_classes(const struct combination_part *, size_t n,
                                             struct arena *);

/* Combines n parts whose `name`, `below`, `file` and `read` are set; these must not change or move
 * any more. The names of records get the prefix `below`, except those of an only part. Classes are
 * combined by name: the classes of the first part, then other names as they come. If formats only
 * number the names that occur, all names are sorted. Fills in `to`, whose arena is set. With
 * origins, images of the same name get the origin as a prefix of their names.
 *
 * Returns false with a fault (dataset-parts) if a part has pictures of segments, or no list of
 * images, or if only some parts have annotations. */
bool combination_make(struct combination_part *, size_t n, struct dataset *to, struct faults *);

/* To be called after the writer of each part's `read` was chosen: sets the writer of the combined
 * dataset, and the datasets for writing. Returns false with a fault (dataset-classes) if a part is
 * written as it was read, and numbers a class otherwise than the combined dataset. */
bool combination_choose_writer(struct dataset *, struct faults *);

/* Gives the parts the written classes of the combined dataset, after steps changed them. Does
 * nothing for other datasets. */
void combination_share_classes(struct dataset *);

/* True if an output has a file with an element per record: the annotation file, or a file for each
 * part. */
bool dataset_has_lists(const struct dataset *);

/* Returns the part of a record; NULL if the dataset is not combined. */
struct combination_part *combination_part_of(const struct dataset *, size_t record);

/* Returns the index of a record of the combination in the dataset of its part. */
static inline size_t combination_own_index(const struct combination_part *p, size_t record)
{
    return p->own ? p->own[record - p->first] : record - p->first;
}

/* Returns the folder that precedes the names of its records; "" for none. */
const char *combination_prefix(const struct combination_part *);

/* Returns the record in the dataset that it was read from. */
const struct record *combination_own_record(const struct dataset *, size_t record);

/* Returns the name of an output without the folder of the record's part. */
const char *combination_own_name(const struct dataset *, size_t record, const char *output);

/* The texts that the dataset was read from: one, or one for each part. */
size_t dataset_n_texts(const struct dataset *);
struct slice dataset_text(const struct dataset *, size_t i);
