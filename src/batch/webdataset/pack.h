/* pack: packs the outputs of a run into WebDataset tars, OUT/train-000000.tar and so on, and writes
 * the index of each part, which rf-detr reads.
 *
 * A run first writes images, masks and labels as files, since its journal makes that exact. When
 * all files exist, they are packed in the order of the manifest, and removed. A sample is an output
 * with all its files: adjacent members with the same key.
 *
 * KEY.json has image_id, file_name and annotations, which rf-detr reads, and a list `images` with
 * the element of the image. This makes it a COCO file, whose sections that all images share are in
 * the index. */
#pragma once

#include "batch/dataset/job.h"
#include "batch/output/out_handles.h"

#include "json/document.h"

/* Prints the member name of a file of an output. `image` is the path of its image; both paths are
 * relative to OUT. Example: images/a.b.jpg becomes a%2Eb.jpg, and its mask becomes a%2Eb.mask.png,
 * whatever the name of the mask file is. A key ends before the first dot after the last slash.
 * Therefore dots of the stem, and percent signs, are escaped as in URLs. Replaces `out`. */
void pack_member_name(const char *image, const char *path, struct text *out);
/* Escapes the name of an image in the same way; the name is without its folder in OUT. */
void pack_escape(const char *name, struct text *out);

struct sink;
/* Passes the outputs to the sink that manifest.jsonl in the scratch lists. Each gets the
 * annotations of its image from the annotation file of its part in the scratch, if that exists;
 * without parts, from annotations.json. `files` are the files of the result: parts without outputs
 * have an annotation file there. Returns false with a reason, or without one if a signal arrived.
 */
bool pack_outputs(struct out_dir *, struct sink *, const char *const *files, size_t n_files,
                  struct text *why);
/* Removes the files that manifest.jsonl of OUT lists, since they are in the tars. Ignores files
 * that are gone already. Returns false with errno. */
bool pack_remove(struct out_dir *);

/* --- for pack*.c --- */

/* Maps a file of the scratch. A missing or empty file gives an empty slice. Returns false with
 * errno. */
bool pack_map(struct out_dir *, const char *name, struct slice *out);

/* The elements of an annotation file, by image id. */
struct pack_labels {
    struct slice text; /* mapped, or empty */
    struct arena arena;
    struct document document;
    struct pile images, objects; /* sorted by image id, then by position in the file */
    struct pile categories;      /* of int64_t: ids of categories with objects, sorted, unique */
    size_t n_objects;
};
/* Reads a mapped annotation file; an empty text has no labels. Returns false with a reason. */
bool pack_labels_read(struct pack_labels *, struct slice text, struct text *why);
/* Prints KEY.json of an image. `whole`: with the sections that all images share. Replaces `out`.
 */
void pack_labels_print(const struct pack_labels *, int64_t image, bool whole, struct text *out);

/* The tars of a part, and the numbers of their samples. */
struct pack_index {
    const char *part;
    const char *const *tars;
    const uint64_t *counts;
    size_t n;
};
/* Prints the index of a part. Replaces `out`. */
void pack_index_print(const struct pack_labels *, const struct pack_index *, struct text *out);
void pack_labels_drop(struct pack_labels *);
