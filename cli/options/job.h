/* job: the options of the commands that open a pipeline. */
#pragma once

#include "shared/command.h"

struct combination_part;
struct layout;

/* Bits of the commands that take an option; `taker` in their struct command. */
enum {
    FOR_RUN = 1,
    FOR_PREVIEW = 2,
    FOR_EXPLAIN = 4,
    FOR_PROFILE = 8,
    FOR_COMPILE = 16,
    FOR_REPLAY = 32,
    FOR_CONVERT = 64,
    FOR_CONCAT = 128
};

/* --labels: the labels of images, besides annotations. */
enum label_source { IMAGE_LABELS_NONE, IMAGE_LABELS_FOLDERS };
extern const struct choice labels_choices[];

/* --compat: how to read annotations that deviate from COCO. */
enum compat { COMPAT_REPAIR, COMPAT_LENIENT, COMPAT_STRICT };

/* The values of the options; 0 for an option that the command does not take. The pipeline's own
 * keys (format, quality, optimize, exif, seed) count only if option_is_given. */
struct job_options {
    const char *pipeline, *out, *image_list;
    const char *mask_name, *strip_prefix, *name_template, *classes;
    const char *images_from;
    const char *manifest, *run;
    const char *shard, *shard_size, *one_hot;
    struct names annotations, images, masks, include, exclude, categories, only;
    struct names part;       /* --part: the parts of a dataset that are taken; none: all */
    struct names apply_to;   /* --apply-to: the parts that are transformed; none: all */
    double repeat_threshold; /* 0: not given */
    const char *balance;     /* a number of objects, or "max"; "": not given */
    int max_copies;
    struct names part_copies;                             /* --copies of run: N, or PART=N */
    int link;                                             /* enum link_how */
    int to;                                               /* of target_choices */
    int labels;                                           /* enum label_source */
    int match;                                            /* enum match */
    int compat;                                           /* enum compat */
    int voc_base;                                         /* enum voc_base */
    int trust, on_error, on_frames, durability, progress; /* enums of job.h */
    int out_format;                                       /* of out_formats */
    int format, quality, optimize, exif, metadata;
    int copies, jobs, timeout, max_memory;
    int sandbox; /* enum sandbox_mode */
    int width, repeat, columns;
    double opacity;
    int64_t seed, limit, max_pixels, sample;
    struct optional max_errors;
    bool no_labels, reasons;
    bool lenient, fast; /* from a run.json, not from the command line */
    bool include_original, voc_integers, overwrite, resume, verify_resume, dry_run, no_preflight,
        lossy;
    /* Not from the command line: all images are passed; datasets that are concatenated. */
    bool converts;
    struct names sources;
    /* Replaces the parts of a dataset that was read by other parts; or NULL. The layout is NULL if
     * no layout was recognized. Returns EXIT_DONE, or another code after printing why. */
    int (*divide)(void *context, const struct layout *, struct combination_part **, size_t *n,
                  struct arena *);
    void *divide_context;
    bool strict_parts, checksums, verify, no_follow, quiet, verbose, json, fail_on_break;
};

/* Returns the first --annotations; "" without one. */
static inline const char *job_annotations(const struct job_options *o)
{
    return o->annotations.n ? o->annotations.at[0] : "";
}

/* The rows of all these commands. A command with a default or a meaning of its own has its own row.
 */
extern const struct option job_options[];
