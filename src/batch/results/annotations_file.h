/* annotations_file: the annotation file of a run, made from the journal. */
#pragma once

#include "batch/results/collect.h"

/* Write annotations.json, and images.json if the dataset has a list. */
bool collect_write_annotations(struct collect *, struct slice journal, struct text *why);
/* Write the same to two spools of the scratch (shard_result.h): the key of an entry is its
 * place in the whole result. */
bool collect_spool_annotations(struct collect *, struct slice journal, struct text *why);
/* Append an object's element with another id. */
void collect_print_numbered(struct slice element, int64_t id, struct text *out);
