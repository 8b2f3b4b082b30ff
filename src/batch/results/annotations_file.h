/* annotations_file: writes the annotation file of a run from the journal. */
#pragma once

#include "batch/results/report_index.h"

/* Writes annotations.json, and images.json if the dataset has a list. */
bool collect_write_annotations(struct collect *, struct slice journal, struct text *why);
/* Writes the same elements to two spools of the scratch (shard_result.h). The key of an entry is
 * its place in the whole result. */
bool collect_spool_annotations(struct collect *, struct slice journal, struct text *why);
/* Appends an object's element with another id. */
void collect_print_numbered(struct slice element, int64_t id, struct text *out);
