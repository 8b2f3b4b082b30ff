/* pack: the outputs of a run as tars of WebDataset, OUT/data-000000.tar and so on.
 *
 * A run writes images, masks and labels as files, whose journal makes it exact; when all are there,
 * they are packed, in the order of the manifest, and removed. An output and all that belongs to it
 * is a sample: members of one key, one behind the other. */
#pragma once

#include "batch/dataset/job.h"
#include "batch/output/out_handles.h"

#include "json/document.h"

/* The member of a file of an output, whose image is at `image`, both below OUT: of images/a.b.jpg
 * a%2Eb.jpg, and of its mask a%2Eb.mask.png, whatever that one is called. A key is what stands
 * before the first dot behind the last slash, so that dots of the stem, and percent signs, are
 * escaped as in URLs. In `out` (replaced). */
void pack_member_name(const char *image, const char *path, struct text *out);
/* The same of an image's name, without its folder. */
void pack_escape(const char *name, struct text *out);

struct sink;
/* Give the sink the outputs that the scratch's manifest.jsonl lists, each with what the scratch's
 * annotations.json, if there is one, has of its image. False with a reason, or when a signal came.
 */
bool pack_outputs(struct outdir *, struct sink *, struct text *why);
/* Remove the files that OUT's manifest.jsonl lists: they are in the tars that it has. Those that
 * are gone are passed over. False with errno. */
bool pack_remove(struct outdir *);

/* --- for pack*.c --- */

/* A file of the scratch, mapped; an empty one, or none, is an empty slice. False with errno. */
bool pack_map(struct outdir *, const char *name, struct slice *out);

/* The elements of an annotation file, by the ids of their images. */
struct pack_labels {
    struct slice text; /* mapped, or empty */
    struct arena arena;
    struct document document;
    struct pile images, objects; /* sorted by id, and by their places in the file */
    size_t n_objects;
};
/* Read it: a file that is mapped; an empty text has no labels. False with a reason. */
bool pack_labels_read(struct pack_labels *, struct slice text, struct text *why);
/* The same document with this image and its objects alone. In `out` (replaced). */
void pack_labels_print(const struct pack_labels *, int64_t image, struct text *out);
void pack_labels_drop(struct pack_labels *);
