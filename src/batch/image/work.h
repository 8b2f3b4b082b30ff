/* work: an image that is being processed, for the files that implement its steps. */
#pragma once

#include "plan/lossless.h"
#include "plan/image_stats_cache.h"
#include "batch/image/image_job.h"
#include "batch/manifest/recorded_steps.h"
#include "batch/image/report.h"

/* Functions that read a donor as its own run would: record_begin, record_end and scratch_drop of
 * image_job.h. */
struct donor_calls {
    struct work *(*begin)(const struct job *, struct scratch *, size_t record, bool dry,
                          struct report *);
    void (*end)(struct work *);
    void (*drop)(struct scratch *);
};

/* State of one record while its outputs are made. */
struct work {
    const struct job *job;
    const struct donor_calls *donor_calls;
    struct scratch *scratch;
    size_t index;
    const struct record *record;
    bool dry;
    bool passed;        /* the image is not transformed: its file is the output */
    struct rules rules; /* of the pipeline; a passed image has rules that change nothing */
    struct report *report;
    struct picture_header header;
    int orientation;    /* of EXIF, applied or not */
    struct frame other; /* frame of the image with the opposite use of the EXIF orientation */
    struct decode_hints hints;   /* hints by which `image` was decoded */
    struct picture image, mask;  /* decoded once for all outputs with the same hints */
    struct stats_cache measured; /* statistics of `image` */
    bool has_mask;
    bool unread;           /* with `headers`: no objects are loaded until a step needs them */
    bool defers_occlusion; /* with `headers`: occlusion is computed only if a later step needs it */
    bool unknown;          /* with `headers`: the ops depend on pixels, which are not read */
    enum pixel_type mask_type;
    struct donor_source donors;
    size_t n_donors;      /* donors of the scratch that are in use */
    struct sample loaded; /* with its objects as read, in the scratch's `objects` */
    /* With `reject_image_if`: the attempts at the current copy, and their memory. */
    struct attempts attempts;
    struct arena tried;
    struct absences absences; /* branches that the current copy lacks */
    struct text sums;         /* members of the manifest line: hashes of the written files */
    struct replay_line line;  /* replayed line of the manifest, in the scratch's `arena` */
    /* The current output, in the scratch's `arena`. */
    unsigned next; /* number of the next output */
    struct sample sample;
    struct resolved_ops resolved_ops;
    struct excerpt excerpt;
};

/* Sets the outcome and its reason, "what: why"; either part may be empty. Returns false. */
bool work_fail(struct work *, enum outcome, const char *what, const char *why);
void work_end_stage(const struct work *, enum stage);

/* True if the annotations give a size, and it differs from this one. */
bool work_differs(const struct record *, struct frame);

/* Reads the image's file and header, and checks that the size agrees with the annotations. */
bool work_read_image(struct work *);
/* Returns the image, decoded into the pool as the hints say unless it is decoded already. Returns
 * NULL if it cannot be decoded. */
const struct picture *work_image(struct work *, const struct decode_hints *, struct pool *);
/* Reads the mask, if there is one, and decodes it unless no step needs its pixels. */
bool work_read_mask(struct work *);
/* Reads the objects into `loaded`. */
bool work_read_objects(struct work *);
/* Returns the pixels of the mask, which is decoded now at the latest; NULL if that fails. Used as
 * mask_source of the work. */
const struct plane *work_mask_pixels(void *work);

/* Adds an object's element, in its state after the run. */
void report_object(struct report *, const struct dataset *, size_t record, const struct sample *,
                   const struct object *, const struct output *, const struct rules *);
/* Adds the record's element. */
void report_record(struct report *, const struct dataset *, size_t record, const struct output *);
/* Adds an output's manifest line and JSON fragments to the report. `mask` is the name of its label
 * mask, or NULL. Returns true if the output has a label file, too; it is then in the scratch's
 * `labels`. */
bool work_print(struct work *, const struct pending_output *, const char *name, const char *mask);

/* True if the source file itself may be the output. The answer does not depend on how ops are
 * joined. */
bool work_is_copied(const struct work *, const struct resolved_ops *);
/* Returns the part of the source's coefficients to write, if the job allows it and the ops can be
 * done on coefficients; otherwise NULL. */
const struct excerpt *work_find_excerpt(const struct pending_output *, struct excerpt *);
/* Checks that the output format can store the result of the ops. Fails the work with the reason and
 * the change of the pipeline that helps. */
bool work_fits_format(struct work *, const struct resolved_ops *, struct frame);
/* True if its alpha channel will be replaced by the background of the pipeline. */
bool work_is_flattened(const struct work *, const struct resolved_ops *);
/* Write an output's image, label mask, label file (named after the image), and picture of segments.
 */
bool work_write_image(struct work *, const struct pending_output *, const char *name);
bool work_write_mask(struct work *, const struct resolved_ops *, const char *name);
bool work_write_labels(struct work *, const char *image);
bool work_write_segments(struct work *, const struct sample *, const char *name);
