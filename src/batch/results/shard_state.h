/* shard_state: the state of the images of a run, or of one of its shards, according to the journal.
 */
#pragma once

#include "base/arena.h"
#include "base/text.h"

#include <stdint.h>

struct out_dir;

enum status_state {
    STATUS_EMPTY,
    STATUS_FINISHED,   /* a run has finished */
    STATUS_RUNNING,    /* a run is writing */
    STATUS_UNFINISHED, /* a run was stopped and can be resumed */
    STATUS_DAMAGED,    /* of a run that cannot be resumed, or whose files are incomplete */
    STATUS_FOREIGN,    /* not written by a run */
};
/* State of an output folder. All zero before status_read. Numbers are of images of the dataset; -1:
 * unknown. */
struct status {
    enum status_state state;
    bool overwrites; /* the run replaces an earlier result, which is still there */
    bool swaps; /* the new result is complete and is replacing the earlier one (replace_result.h) */
    int64_t records, done, failed, left;
    int64_t outputs; /* images written */
    int64_t shards;  /* number of shards, over which the numbers are sums; -1: no shards */
    int64_t shards_done, shards_running;
    int64_t exit;          /* exit code of a finished run */
    int64_t starts;        /* number of starts of an unfinished run */
    int64_t began, active; /* start and last write, in seconds since the epoch */
    const char *version;   /* version of lockstep, in the arena; or NULL */
    struct slice key;      /* run_key.h, in the arena; or empty */
    struct arena arena;
};
void status_drop(struct status *);
/* Reads the status of one shard, whose scratch out_dir_open_shard_to_read has opened. Returns false
 * if the shard has done nothing, or if its journal is damaged. */
bool status_read_shard(struct out_dir *, struct status *);
/* Status in which everything is unknown. */
extern const struct status status_unknown;
/* Reads an open journal. Returns false with errno if it cannot be read: EBADMSG if it is not a
 * journal of this version. */
bool status_read_journal(int file, struct status *);
/* Sets `version` from the status's key. */
void status_read_version(struct status *);
