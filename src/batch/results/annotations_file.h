/* annotations_file: writes the annotation file of a run from the journal. */
#pragma once

#include "batch/results/report_index.h"

/* Writes annotations.json, and images.json if the dataset has a list; for a combined dataset, the
 * annotation file of each part. */
bool collect_write_annotations(struct collect *, struct slice journal, struct text *why);
/* Writes the same elements to two spools of the scratch (shard_result.h). The key of an entry is
 * its place in the whole result. */
bool collect_spool_annotations(struct collect *, struct slice journal, struct text *why);
/* Returns the name of such a spool for a part of a combined dataset; `spool` itself for other
 * datasets. */
enum { SPOOL_NAME = 48 };
const char *collect_spool_name(const struct job *, size_t part, const char *spool,
                               char name[SPOOL_NAME]);
/* Appends an object's element with another id. */
void collect_print_numbered(struct slice element, int64_t id, struct text *out);
