/* collect: the reports of a run, counted, and found in the journal; the files of OUT that are made
 * of them. */
#pragma once

#include "batch/dataset/job.h"
#include "batch/image/report.h"
#include "batch/io/append_file.h"
#include "batch/journal/journal.h"
#include "batch/output/tar_names.h"
#include "batch/output/out_handles.h"

#include <stdio.h>

/* All zero before collect_start. */
struct collect {
    const struct job *job;
    struct journal journal;
    struct store objects;    /* where who does a record puts its objects */
    uint64_t *entry;         /* of each record: the place of its entry in the journal; 0: none */
    struct packed packed;    /* what outputs were packed into */
    bool changed;            /* why collect_finish failed: inputs did, under the run */
    size_t done, skipped;    /* records */
    struct counts counts;    /* of done records */
    size_t first[N_REMARKS]; /* records, by enum remark */
};
/* EXIT_DONE, or EXIT_PARTIAL where images were skipped, or EXIT_INPUT where none is left. */
int collect_exit(const struct collect *);
/* Count a report that is in the journal at `at`. */
void collect_count(struct collect *, size_t record, const struct report_view *, uint64_t at);
/* Add to the counts alone. */
void collect_add(struct collect *, size_t record, const struct counts *);
/* A file of OUT, in the scratch; NULL with a reason. */
FILE *collect_open(struct outdir *, const char *name, struct text *why);
/* False with a reason when not all of it was written, or `good` is false. */
bool collect_close(FILE *, bool good, const char *name, struct text *why);
/* The report of a record, in the journal's bytes. False when it has none. */
bool collect_report(const struct collect *, struct slice journal, size_t record,
                    struct report_view *);
/* Of a whole job, or of its shards. */
struct totals {
    size_t done, skipped; /* records */
    struct counts counts; /* of those that are done */
};
