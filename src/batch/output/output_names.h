/* output_names: the file names of a record's outputs. */
#pragma once

#include "batch/dataset/job.h"

/* Returns the folder of OUT that the names of outputs are below: "images"; "" for a combined
 * dataset, whose records have their folders in their names. */
const char *images_folder(const struct job *);
/* Returns the same for masks: "masks", or "". */
const char *masks_folder(const struct job *);

/* Replaces `out` by the name of output k of a record with K outputs. With K = 1 it is the image's
 * own name; otherwise the stem gets __a000, __a001, and so on. The suffix follows the output
 * format. With `same` the suffix stays, whatever the file's data are, except that read-only formats
 * become .png. */
void output_name(const struct job *, size_t record, unsigned k, struct text *out);

/* Names the masks of the images of a part, which are the dataset; none if the part has no masks.
 */
struct layout_part;
void part_masks_name(const struct layout_part *, enum links, struct dataset *);
/* Replaces `out` by the name of a record's label mask below its folder, or of the mask's k-th
 * output below masks_folder. The annotations or the part of the dataset give the name; without one
 * it is the path and stem of the image with .png. Returns false if the record has no mask. */
bool mask_name(const struct job *, size_t record, struct text *out);
bool mask_output_name(const struct job *, size_t record, unsigned k, struct text *out);

/* Replaces `out` by the path below OUT of an output's label file. `image` is the output's name
 * below images_folder. The last folder called "images" is replaced by the labels' folder, where
 * training tools look for the file. The dataset's writer must have label files. */
void labels_name(const struct job *, const char *image, struct text *out);

/* Returns the format that an image is written in: the output format, or else the format of the
 * source's data. */
enum picture_format output_format(const struct job *, enum picture_format source);

/* Checks that the record's files may be opened and written by their names. Names from annotations
 * must be safe (name_is_safe); names from a folder only need to be possible. The manifest needs
 * UTF-8. Returns false with the reason, without the name, and with its code. */
bool check_record_names(const struct job *, size_t record, struct text *why, const char **code);

/* File that a run writes: OUT/folder/name. */
struct job_output {
    size_t record;
    unsigned k;
    const char *folder; /* one of out_folders; or "" */
    const char *name;
};

/* Visits all images that a job may write, then all masks, then all label files. Names are valid
 * until `visit` returns. */
void outputs_walk(const struct job *, void (*visit)(void *context, const struct job_output *),
                  void *context);
/* Visits only the first output of each record if the plan varies the number of outputs and the
 * usual suffixes distinguish them. Two records share an output only if they share their first.
 * Otherwise visits all outputs, as outputs_walk does. */
void outputs_walk_distinct(const struct job *,
                           void (*visit)(void *context, const struct job_output *), void *context);
