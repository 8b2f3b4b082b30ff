/* pack: packs the outputs of a run into WebDataset tars, OUT/data-000000.tar and so on.
 *
 * A run first writes images, masks and labels as files, since its journal makes that exact. When
 * all files exist, they are packed in the order of the manifest, and removed. A sample is an output
 * with all its files: adjacent members with the same key. */
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
 * annotations of its image from annotations.json in the scratch, if that exists. Returns false with
 * a reason, or without one if a signal arrived. */
bool pack_outputs(struct out_dir *, struct sink *, struct text *why);
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
    size_t n_objects;
};
/* Reads a mapped annotation file; an empty text has no labels. Returns false with a reason. */
bool pack_labels_read(struct pack_labels *, struct slice text, struct text *why);
/* Prints the document with only this image and its objects. Replaces `out`. */
void pack_labels_print(const struct pack_labels *, int64_t image, struct text *out);
void pack_labels_drop(struct pack_labels *);
