/* status: what an output folder holds; nothing in it is changed. */
#pragma once

#include "base/fault.h"

#include <stdint.h>

enum status_state {
    STATUS_EMPTY,
    STATUS_FINISHED,   /* a run has ended here */
    STATUS_RUNNING,    /* a run is writing here */
    STATUS_UNFINISHED, /* a run was stopped: it can go on */
    STATUS_DAMAGED,    /* of a run, but it cannot go on, or what it wrote is not all there */
    STATUS_FOREIGN,    /* no run wrote this */
};

/* All zero before status_read. Numbers are of images of the dataset; -1: nobody says. */
struct status {
    enum status_state state;
    bool overwrites; /* the run replaces a former result, which is still there */
    bool swaps;      /* the new result is complete, and takes the place of the former one
                        (replace_result.h) */
    int64_t records, done, failed, left;
    int64_t outputs; /* images written */
    int64_t shards;  /* in how many a run is: the numbers are sums; -1: it is in none */
    int64_t shards_done, shards_running;
    int64_t exit;          /* the code of a finished run */
    int64_t starts;        /* how often a run that is not finished was started */
    int64_t began, active; /* s since the epoch: when it did, and when it last wrote */
    const char *version;   /* of lockstep, in the arena; or NULL */
    struct slice key;      /* run_key.h, in the arena; or empty */
    struct arena arena;
};

/* EXIT_DONE, or with faults added EXIT_INPUT when there is no such folder, EXIT_OCCUPIED when it is
 * damaged or foreign: then what is known is in the status, too. */
int status_read(const char *path, struct status *, struct faults *);
void status_drop(struct status *);

struct outdir;
/* The same of one shard, whose scratch the folder was opened to see. False when nothing was done of
 * it, or its journal is damaged. */
bool status_read_shard(struct outdir *, struct status *);

/* A JSON object in a line, or lines for people. `path` is the folder's. */
void status_print(const struct status *, const char *path, bool json, struct text *out);
