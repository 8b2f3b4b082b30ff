/* shard_dirs: an output folder that several shards of a run write to. */
#pragma once

#include "base/fault.h"
#include "batch/dataset/shard_spec.h"
#include "batch/output/out_handles.h"

/* The same for one shard of a job, whose scratch is its own: several may write to one OUT at once,
 * and no run that is not in parts. What is there must be shards of a job in as many parts. */
int outdir_open_shard(struct outdir *, const char *path, const struct shard *, struct faults *);
/* Into how many parts is the job whose shards OUT has? `key` (of run_key.h) is added to. False,
 * with errno, when it has none, or does not say. */
bool outdir_shards(const struct outdir *, size_t *count, struct text *key);
/* The key of the first shard that asks is that of the job. False with errno when it cannot be
 * written. */
bool outdir_start_shards(struct outdir *, size_t count, struct slice key);
/* Of one that is only looked at: its scratch is that of the shard from now on. False with errno. */
bool outdir_view_shard(struct outdir *, const struct shard *);
/* Call `each` for the scratch of every shard that was started, in no order; `scratch` is closed
 * afterwards. False with errno when they cannot be listed, and when `each` says so. */
bool outdir_walk_shards(const struct outdir *,
                        bool (*each)(void *context, const struct shard *, int scratch),
                        void *context);
/* Is somebody doing it? */
bool outdir_shard_is_locked(const struct outdir *);
/* Remove folders that are empty, below those that runs write to: shards leave them, since others
 * may be about to write there. False with errno. */
bool outdir_prune(struct outdir *);
/* Remove the scratch of a shard. A removal that is interrupted leaves `last` until all else is
 * gone. False with errno. */
bool outdir_remove_shard(struct outdir *, const struct shard *, const char *last);
