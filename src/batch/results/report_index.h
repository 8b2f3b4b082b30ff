/* report_index: counts the reports of a run, finds them in the journal, and opens the files of OUT
 * that are made from them. */
#pragma once

#include "batch/dataset/job.h"
#include "batch/image/report.h"
#include "batch/io/append_file.h"
#include "batch/journal/journal.h"
#include "batch/output/tar_names.h"
#include "batch/output/out_handles.h"

#include <stdio.h>

/* Reports of a run. All zero before collect_start. */
struct collect {
    const struct job *job;
    struct journal journal;
    struct store objects;    /* spool of the objects of finished records */
    uint64_t *entry;         /* of each record: the offset of its entry in the journal; 0: none */
    struct tar_names packed; /* the tars that outputs were packed into */
    bool changed;            /* collect_finish failed because inputs changed during the run */
    size_t done, skipped;    /* records */
    struct counts counts;    /* of done records */
    size_t first[N_REMARKS]; /* records, by enum remark */
};

/* Returns the exit code: EXIT_DONE; EXIT_PARTIAL if images were skipped; EXIT_INPUT if none is
 * left. */
int collect_exit(const struct collect *);
/* Counts a report that is at offset `at` in the journal. */
void collect_count(struct collect *, size_t record, const struct report_view *, uint64_t at);
/* Adds to the counts only. */
void collect_add(struct collect *, size_t record, const struct counts *);
/* Creates a file of OUT in the scratch. Returns NULL with the reason. */
FILE *collect_open(struct out_dir *, const char *name, struct text *why);
/* Closes a file of collect_open. Returns false with the reason if it was not written in full, or if
 * `good` is false. */
bool collect_close(FILE *, bool good, const char *name, struct text *why);
/* Finds the report of a record in the bytes of the journal. Returns false if it has none. */
bool collect_report(const struct collect *, struct slice journal, size_t record,
                    struct report_view *);

/* Sums over a job, or over its shards. */
struct totals {
    size_t done, skipped; /* records */
    struct counts counts; /* of records that are done */
};
