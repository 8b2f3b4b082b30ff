/* sink: where the samples of a run go, when they are packed: tars of OUT, or stdout. */
#pragma once

#include "batch/dataset/job.h"
#include "batch/output/out_handles.h"
#include "batch/output/tar_names.h"

#include <stdio.h>

struct sink_member {
    const char *name;
    struct slice bytes;
};

struct sink {
    /* Take the members of one sample. False with a reason. */
    bool (*put)(struct sink *, const struct sink_member *, size_t n, struct text *why);
    /* No sample comes for now: what was put is handed over. `good` is false where something has
     * gone wrong, whose reason stands in `why` unless it is a signal. False as that, and with a
     * reason where the end fails. */
    bool (*end)(struct sink *, bool good, struct text *why);
    /* True if nobody takes samples any more; NULL: that cannot be. */
    bool (*is_left)(const struct sink *);
};

/* Tars in the scratch, each of as many samples as fit. */
struct tar_sink {
    struct sink sink;
    struct outdir *outdir;
    const struct packing *how;
    struct packed *packed; /* their names */
    uint64_t time;         /* of all members */
    FILE *file;            /* the tar in work; NULL: none */
    uint64_t samples, bytes;
};
struct tar_sink sink_tars(struct outdir *, const struct packing *, struct packed *);

/* One tar on stdout, which may be a pipe: a signal that ends the run also ends waiting for whoever
 * reads it. */
struct stdout_sink {
    struct sink sink;
    FILE *file;
    uint64_t time;
    int error;      /* why nothing can be written any more; 0: it can */
    bool is_ending; /* a signal has come */
    int waited_ms;  /* for room, since then */
};
/* False with errno. The address must stay. */
bool sink_stdout(struct stdout_sink *);
/* Write the tar's end, or where not all of it is there, what shows that; close it. False where it
 * was not good, and with a reason where it becomes so. */
bool sink_stdout_close(struct stdout_sink *, bool good, struct text *why);
