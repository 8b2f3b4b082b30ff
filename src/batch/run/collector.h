/* collector: reports of records, kept in the journal as they come, become manifest, annotation file
 * and run.json in input order. */
#pragma once

#include "batch/results/report_index.h"
#include "batch/webdataset/sink.h"

/* Start the journal, with the run's key, and the object spool. False with a reason. */
bool collect_start(struct collect *, const struct job *, struct text *why);
/* Keep the packed report of a record, its objects being in the store. Records may come in any
 * order, a record that was void again. False with a reason. */
bool collect_take(struct collect *, size_t record, struct slice packed, struct text *why);
/* Cut the journal off where the disk last vouched for it. */
void collect_distrust(struct collect *);
/* See that all outputs are there, and put everything in its place, the annotation file last; then
 * the scratch is removed and the job's folder closed. The samples of a job that packs go to `sink`;
 * NULL: to tars of the job's folder. False with a reason; or when a signal came
 * before anything was put in its place: what is done stays done. */
bool collect_finish(struct collect *, struct sink *, struct text *why);
/* The same of a shard: its part of the result is written to its scratch, whole and in order, for a
 * merge (shard_result.h). The job's folder stays open. */
bool collect_finish_shard(struct collect *, struct text *why);
/* Close what is open (after a failure; finish does it by itself). */
void collect_drop(struct collect *);
