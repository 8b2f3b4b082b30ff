/* output_names: what the outputs of a record are called. */
#pragma once

#include "batch/dataset/job.h"

/* The k-th of K outputs of an image: its own name when K is 1, else the stem with __a000, __a001,
 * ...; the suffix follows the format that is asked for. With `same` it stays, whatever the data
 * are, but for formats that are only read, which become .png. In `out` (replaced). */
void output_name(const struct job *, const char *name, unsigned k, struct text *out);

/* The label mask of a record, and that of its k-th output: named by the annotations, or the path
 * and stem of the image with .png. False when it has none. */
bool mask_name(const struct job *, size_t record, struct text *out);
bool mask_output_name(const struct job *, size_t record, unsigned k, struct text *out);

/* The path below OUT of the file of labels of an output, of which this is the name below images:
 * in the folder that stands in the place of the last one called "images", where training tools
 * look for it. The dataset's writer has files of labels. */
void labels_name(const struct job *, const char *image, struct text *out);

/* The format an image is written in: the one asked for, else that of the data it is made of. */
enum picture_format output_format(const struct job *, enum picture_format source);

/* May the record's files be opened and written by their names? Those of annotations are gated
 * (name_is_safe), those of a folder have only to be possible; the manifest needs UTF-8. False with
 * the reason, without the name, and its code. */
bool names_allowed(const struct job *, size_t record, struct text *why, const char **code);

/* One file that a run writes: OUT/folder/name. */
struct output_of {
    size_t record;
    unsigned k;
    const char *folder; /* one of out_folders */
    const char *name;
};

/* All images that a job may write, then all masks, then all files of labels; names live until
 * `visit` returns. */
void outputs_walk(const struct job *, void (*visit)(void *context, const struct output_of *),
                  void *context);
/* The same, but where there may be very many of a record, and the usual suffixes tell them apart,
 * the first one alone is visited: two records share an output only if they share their first. */
void outputs_walk_distinct(const struct job *,
                           void (*visit)(void *context, const struct output_of *), void *context);
