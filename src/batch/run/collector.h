/* collector: keeps the reports of images in the journal as they arrive, and writes manifest,
 * annotation file and run.json from them in input order. */
#pragma once

#include "batch/results/report_index.h"
#include "batch/webdataset/sink.h"

/* Starts the journal, with the run key, and the object spool. Returns false with a reason. */
bool collect_start(struct collect *, const struct job *, struct text *why);
/* Appends the packed report of a record to the journal; the objects are in the spool already.
 * Records may arrive in any order, and a voided record may arrive again. Returns false with a
 * reason. */
bool collect_take(struct collect *, size_t record, struct slice packed, struct text *why);
/* Truncates the journal to the part that the syncer confirmed to be on disk. */
void collect_cut_unsynced(struct collect *);
/* Checks that all outputs exist and moves all files into place, the annotation file last; then
 * removes the scratch and closes the output folder. Samples of a job that packs go to `sink`, or to
 * tars in the output folder if `sink` is NULL. Returns false with a reason, or without one if a
 * signal arrived before any file was moved into place; the finished images are kept. */
bool collect_finish(struct collect *, struct sink *, struct text *why);
/* Removes the scratch of a complete output, which has this path; warns if it stays. */
void collect_end_scratch(struct out_dir *, const char *path);
/* Finishes a shard: writes its part of the result to its scratch, complete and in order, for a
 * later merge (shard_result.h). The output folder stays open. Returns false as collect_finish does.
 */
bool collect_finish_shard(struct collect *, struct text *why);
/* Closes all files after a failure; the finish functions do it themselves. */
void collect_drop(struct collect *);
