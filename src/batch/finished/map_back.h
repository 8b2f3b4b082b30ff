/* map_back: maps detections on the outputs of a run back to the images that the outputs were made
 * from. */
#pragma once

#include "plan/plan.h"
#include "batch/dataset/job.h"

/* The outputs of a run, from its manifest. */
struct back_outputs {
    struct slice text;     /* of the manifest */
    struct dataset list;   /* the outputs: their ids, names and sizes */
    uint64_t *line;        /* offset of each line in `text` */
    struct dataset source; /* the sources, with the same indices */
    const char *folder;    /* precedes the names of annotated images in the manifest; "": none */
};

/* Reads the manifest in faults->text into the arena: all lines, or those of one part of the dataset
 * ("": all). All lines must be of the run with this link (run_key_link). Returns false with faults.
 */
bool back_outputs_read(struct back_outputs *, uint64_t run, const char *part, struct arena *,
                       struct faults *);

struct back_counts {
    size_t objects, written;
    size_t split, lost;            /* objects on several source images; on none */
    size_t ambiguous, merged_away; /* objects on skipped outputs; objects removed by merging */
};

/* Maps the objects of the results back through the steps of their outputs, which are read with the
 * plan `base` of the run. `annotated` has the annotations of the run, for the sizes of borrowed
 * images and the outlines of pasted objects; it may be NULL. Sizes that a folder of labels lacks
 * are read from the images of the job. `merge` is a plan of label ops for the objects of each
 * image, or NULL. `skip` leaves out outputs that show places of several images, or one place twice.
 * Appends a list in the format of COCO results. Returns false with faults of the manifest or of the
 * results. */
bool map_back(const struct back_outputs *, const struct plan *base, const struct dataset *results,
              const struct job *annotated, const struct plan *merge, bool skip, struct text *out,
              struct back_counts *, struct faults *of_manifest, struct faults *of_results);
