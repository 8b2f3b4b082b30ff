/* shard_dirs: an output folder that several shards of a run write to. */
#pragma once

#include "base/fault.h"
#include "batch/dataset/shard_spec.h"
#include "batch/output/out_handles.h"

/* Opens an output folder as outdir_open does, for one shard of a job. The shard gets its own
 * scratch. Several shards may write to one OUT at once, but not together with a run without shards.
 * OUT may only hold shards of a job with the same number of shards. */
int outdir_open_shard(struct outdir *, const char *path, const struct shard *, struct faults *);
/* Gets the number of shards of the job in OUT, and appends the job's key (run_key.h). Returns false
 * with errno if OUT has no shards or no readable job file. */
bool outdir_shards(const struct outdir *, size_t *count, struct text *key);
/* Writes the number of shards and the key of the job, unless another shard has written them.
 * Returns false with errno. */
bool outdir_start_shards(struct outdir *, size_t count, struct slice key);
/* Makes the shard's scratch the scratch of a folder that was opened by outdir_view. Returns false
 * with errno. */
bool outdir_view_shard(struct outdir *, const struct shard *);
/* Calls `each` for the scratch of every shard that was started, in no order; `scratch` is closed
 * afterwards. Returns false with errno if they cannot be listed, or if `each` returns false. */
bool outdir_walk_shards(const struct outdir *,
                        bool (*each)(void *context, const struct shard *, int scratch),
                        void *context);
/* True if a process works on the shard whose scratch this is. */
bool outdir_shard_is_locked(const struct outdir *);
/* Removes empty folders below the folders that runs write to. Shards leave them, since other shards
 * may be about to write there. Returns false with errno. */
bool outdir_prune(struct outdir *);
/* Removes the scratch of a shard, the file `last` after all others, so that a removal that is
 * interrupted can be seen. Returns false with errno. */
bool outdir_remove_shard(struct outdir *, const struct shard *, const char *last);
