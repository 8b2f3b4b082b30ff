/* shard_dirs: an output folder that several shards of a run write to. */
#pragma once

#include "base/fault.h"
#include "batch/dataset/shard_spec.h"
#include "batch/output/out_handles.h"

/* Opens an output folder as out_dir_open does, for one shard of a job. The shard gets its own
 * scratch. Several shards may write to one OUT at once, but not together with a run without shards.
 * OUT may only hold shards of a job with the same number of shards. */
int out_dir_open_shard(struct out_dir *, const char *path, const struct shard *, struct faults *);
/* Gets the number of shards of the job in OUT, and appends the job's key (run_key.h). Returns false
 * with errno if OUT has no shards or no readable job file. */
bool out_dir_read_shards(const struct out_dir *, size_t *count, struct text *key);
/* Writes the number of shards and the key of the job, unless another shard has written them.
 * Returns false with errno. */
bool out_dir_start_shards(struct out_dir *, size_t count, struct slice key);
/* Makes the shard's scratch the scratch of a folder that was opened by out_dir_open_to_read.
 * Returns false with errno. */
bool out_dir_open_shard_to_read(struct out_dir *, const struct shard *);
/* Calls `each` for the scratch of every shard that was started, in no order; `scratch` is closed
 * afterwards. Returns false with errno if they cannot be listed, or if `each` returns false. */
bool out_dir_walk_shards(const struct out_dir *,
                         bool (*each)(void *context, const struct shard *, int scratch),
                         void *context);
/* True if a process works on the shard whose scratch this is. */
bool out_dir_shard_is_locked(const struct out_dir *);
/* Removes empty folders below the folders that runs write to. Shards leave them, since other shards
 * may be about to write there. Returns false with errno. */
bool out_dir_remove_empty_folders(struct out_dir *);
/* Removes the scratch of a shard, the file `last` after all others, so that a removal that is
 * interrupted can be seen. Returns false with errno. */
bool out_dir_remove_shard(struct out_dir *, const struct shard *, const char *last);
