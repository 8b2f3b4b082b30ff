/* work: an image in work, for the files that do its steps. */
#pragma once

#include "plan/lossless.h"
#include "plan/image_stats_cache.h"
#include "batch/image/image_job.h"
#include "batch/manifest/recorded_steps.h"
#include "batch/image/report.h"

/* The calls that read a borrowed image as its own run would: record_begin, record_end and
 * scratch_drop of image_job.h. */
struct donor_calls {
    struct work *(*begin)(const struct job *, struct scratch *, size_t record, bool dry,
                          struct report *);
    void (*end)(struct work *);
    void (*drop)(struct scratch *);
};

/* A record in work. */
struct work {
    const struct job *job;
    const struct donor_calls *donor_calls;
    struct scratch *scratch;
    size_t index;
    const struct record *record;
    bool dry;
    struct report *report;
    struct picture_header header;
    int orientation;             /* EXIF's, applied or not */
    struct frame other;          /* of the image, if it were applied the other way */
    struct decode_hints hints;   /* what `image` was read by */
    struct picture image, mask;  /* decoded once for all outputs with the same hints */
    struct stats_cache measured; /* of `image` */
    bool has_mask;
    bool unread;           /* with `headers`: no objects are loaded before a step asks for them */
    bool defers_occlusion; /* with `headers`: objects are hidden when a step asks for them behind it
                            */
    bool unknown;          /* with `headers`: pixels decide what is drawn */
    enum pixel_type mask_type;
    struct donor_source donors;
    size_t n_lent;        /* of the scratch's lenders: in use */
    struct sample loaded; /* with its objects as read, in the scratch's `objects` */
    /* With `reject_image_if`: how the copy in work was drawn, and where that is remembered. */
    struct attempts attempts;
    struct arena tried;
    struct absences absences; /* branches of the copy in work that do not come to be */
    struct text sums; /* members of its manifest line: hashes of the files that were written */
    struct replay_line line; /* of a manifest that is replayed, in the scratch's `arena` */
    /* The output in work, in the scratch's `arena`. */
    unsigned next; /* the one after it */
    struct sample sample;
    struct resolved_ops resolved_ops;
    struct excerpt excerpt;
};

/* Set the outcome and why: "what: why", of which either may be empty. Returns false. */
bool work_fail(struct work *, enum outcome, const char *what, const char *why);
void work_lap(const struct work *, enum stage);

/* Do the annotations say another size than this? */
bool work_differs(const struct record *, struct frame);

/* Read the image's file and header, and see that its size is what the annotations say. */
bool work_read_image(struct work *);
/* The image, as the hints say, decoded into the pool unless it is already. NULL when it cannot be.
 */
const struct picture *work_image(struct work *, const struct decode_hints *, struct pool *);
/* Read the mask, if there is one, and decode it unless nobody will look at it. */
bool work_read_mask(struct work *);
/* Read the objects into `loaded`. */
bool work_read_objects(struct work *);
/* The mask_source of a work: decoded when it is asked for, at the latest. */
const struct plane *work_mask_pixels(void *work);

/* Add an object's element, as it is after the run. */
void report_object(struct report *, const struct dataset *, size_t record, const struct sample *,
                   const struct object *, const struct output *, const struct rules *);
/* Add the record's. */
void report_record(struct report *, const struct dataset *, size_t record, const struct output *);
/* Add an output's line of the manifest and its fragments of JSON to the report. `mask` is the name
 * of its label mask, or NULL. True when it has a file of labels, too: the scratch's `labels`. */
bool work_print(struct work *, const struct rendering *, const char *name, const char *mask);

/* May the file itself be the output? The same answer however ops are joined. */
bool work_is_copied(const struct work *, const struct resolved_ops *);
/* What to write of the source's coefficients, if that is the rule and will do; else NULL. */
const struct excerpt *work_find_excerpt(const struct rendering *, struct excerpt *);
/* Can a file of the format that is asked for hold what the drawn ops make? False with the reason,
 * and what to write in the pipeline. */
bool work_fits_format(struct work *, const struct resolved_ops *, struct frame);
/* Will its alpha give way to the background that is asked for? */
bool work_is_flattened(const struct work *, const struct resolved_ops *);
/* Write an output's image, label mask, file of labels (by the image's name), picture of segments.
 */
bool work_write_image(struct work *, const struct rendering *, const char *name);
bool work_write_mask(struct work *, const struct resolved_ops *, const char *name);
bool work_write_labels(struct work *, const char *image);
bool work_write_segments(struct work *, const struct sample *, const char *name);
