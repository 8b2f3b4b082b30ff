/* sink: receives the samples of a run when they are packed: tars in OUT, or stdout. */
#pragma once

#include "batch/dataset/job.h"
#include "batch/output/out_handles.h"
#include "batch/output/tar_names.h"
#include "json/document.h"

#include <stdio.h>

struct sink_member {
    const char *name;
    struct slice bytes;
};

struct pack_labels;

struct sink {
    /* Starts a part; its samples follow. The name and the labels stay until the part ends. NULL:
     * all samples are alike, and each has all sections of its annotations. */
    bool (*start_part)(struct sink *, const char *part, const struct pack_labels *,
                       struct text *why);
    /* Ends a part. `good` and the result as for `end`. */
    bool (*end_part)(struct sink *, bool good, struct text *why);
    /* Writes the members of one sample. Returns false with a reason. */
    bool (*put)(struct sink *, const struct sink_member *, size_t n, struct text *why);
    /* Flushes: no samples follow for now. `good` is false if an error has occurred; its reason is
     * in `why`, unless it was a signal. Returns false if `good` is false, or with a reason if
     * flushing fails. */
    bool (*end)(struct sink *, bool good, struct text *why);
    /* True if the reader of the samples has gone; NULL: there is no such reader. */
    bool (*is_left)(const struct sink *);
};

/* Writes tars to the scratch, each with as many samples as fit, and an index for each part with
 * labels. */
struct tar_sink {
    struct sink sink;
    struct out_dir *outdir;
    const struct packing *how;
    struct tar_names *packed; /* names of the tars and indexes */
    const char *part;
    const struct pack_labels *labels;
    size_t n_tars;           /* of the part: the last names of `packed` */
    struct pile counts;      /* of uint64_t: samples of each tar of the part */
    uint64_t time;           /* of all members */
    FILE *file;              /* the current tar; NULL: none */
    uint64_t samples, bytes; /* in it */
};
struct tar_sink sink_tars(struct out_dir *, const struct packing *, struct tar_names *);

/* Writes one tar to stdout, which may be a pipe. A signal that ends the run also ends waiting for
 * the reader. */
struct stdout_sink {
    struct sink sink;
    FILE *file;
    uint64_t time;
    int error;      /* errno of the first failed write; 0: none */
    bool is_ending; /* a signal has arrived */
    int waited_ms;  /* time spent waiting for room since the signal */
};
/* Opens stdout as a sink. Returns false with errno. The struct must not be moved. */
bool sink_stdout(struct stdout_sink *);
/* Writes the end of the tar, or a mark that shows that it is cut short if `good` is false; then
 * closes it. Returns false if `good` is false, or with a reason if writing fails. */
bool sink_stdout_close(struct stdout_sink *, bool good, struct text *why);
