/* shard_state: what the journal of a run, or of one shard of it, says of its images. */
#pragma once

#include "base/arena.h"
#include "base/text.h"

#include <stdint.h>

struct outdir;

enum status_state {
    STATUS_EMPTY,
    STATUS_FINISHED,   /* a run has ended here */
    STATUS_RUNNING,    /* a run is writing here */
    STATUS_UNFINISHED, /* a run was stopped: it can go on */
    STATUS_DAMAGED,    /* of a run, but it cannot go on, or what it wrote is not all there */
    STATUS_FOREIGN,    /* no run wrote this */
};
/* All zero before status_read. Numbers are of images of the dataset; -1: not known. */
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
void status_drop(struct status *);
/* Reads the status of one shard, by outdir_view_shard. Returns false if nothing was done of it, or
 * if its journal is damaged. */
bool status_read_shard(struct outdir *, struct status *);
/* A status with nothing known. */
extern const struct status status_unknown;
/* Reads the journal that is open. Returns false with errno if it cannot be read, and with EBADMSG
 * if it is no journal of this version. */
bool status_read_journal(int file, struct status *);
/* Finds `version` in the status's key. */
void status_read_version(struct status *);
