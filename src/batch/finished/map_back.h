/* map_back: what a model found on the outputs of a run, on the images that these were made of. */
#pragma once

#include "plan/plan.h"
#include "batch/dataset/job.h"

/* The outputs of a run, by its manifest. */
struct back_outputs {
    struct slice text;     /* of the manifest */
    struct dataset list;   /* its records are the outputs: their ids, names and sizes */
    uint64_t *line;        /* where each stands in the text */
    struct dataset source; /* its records are the sources */
};

/* Read the manifest in faults->text, of the run with this link (run_key_link), in the arena. False
 * with faults. */
bool back_outputs_read(struct back_outputs *, uint64_t run, struct arena *, struct faults *);

struct back_counts {
    size_t objects, written;
    size_t split, lost;            /* on several images; on none */
    size_t ambiguous, merged_away; /* on outputs that are left out; by merging */
};

/* Maps the objects of the results back through the outputs' steps, which are read with the run's
 * plan `base`. `annotated` has the run's annotations, which give sizes of borrowed images and
 * outlines of pasted objects; or it is NULL. Sizes that a folder of labels lacks are read from the
 * job's images. `merge` is a plan of label ops for the objects of each image, or NULL. `skip`:
 * outputs that show places of several images, or twice, are left out. Appends a list of COCO's
 * results. False with faults of the manifest, or of the results. */
bool back(const struct back_outputs *, const struct plan *base, const struct dataset *results,
          const struct job *annotated, const struct plan *merge, bool skip, struct text *out,
          struct back_counts *, struct faults *of_manifest, struct faults *of_results);
