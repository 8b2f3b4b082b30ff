/* collector: reports of records, kept in the journal as they come, become manifest, annotation file
 * and run.json in input order. */
#pragma once

#include "batch/dataset/job.h"
#include "batch/journal/journal.h"
#include "batch/webdataset/pack.h"
#include "batch/image/report.h"
#include "batch/io/append_file.h"

#include <stdio.h>

/* Kinds of records in the journal. A later entry of an image's name replaces all before it. */
enum journal_kind {
    JOURNAL_KEY = 1,     /* run_key.h; the first one */
    JOURNAL_ENTRY = 2,   /* an image's report: struct entry */
    JOURNAL_VOID = 3,    /* an image that is to be done again */
    JOURNAL_SESSION = 4, /* session.h */
    JOURNAL_MARK = 5,
};

/* An image's record in the journal: its number in the dataset when it was written, its name, and
 * its packed report, which is empty in JOURNAL_VOID. */
struct entry {
    uint64_t record;
    struct slice name, report;
};
void entry_print(uint64_t record, const char *name, struct slice report, struct text *out);
/* False when the payload is none. */
bool entry_read(struct slice payload, struct entry *);

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

/* Start the journal, with the run's key, and the object spool. False with a reason. */
bool collect_start(struct collect *, const struct job *, struct text *why);
/* Keep the packed report of a record, its objects being in the store. Records may come in any
 * order, a record that was void again. False with a reason. */
bool collect_take(struct collect *, size_t record, struct slice packed, struct text *why);
/* Cut the journal off where the disk last vouched for it. */
void collect_distrust(struct collect *);
/* EXIT_DONE, or EXIT_PARTIAL where images were skipped, or EXIT_INPUT where none is left. */
int collect_exit(const struct collect *);
/* Count a report that is in the journal at `at`. */
void collect_count(struct collect *, size_t record, const struct report_view *, uint64_t at);
/* Add to the counts alone. */
void collect_add(struct collect *, size_t record, const struct counts *);
/* See that all outputs are there, and put everything in its place, the annotation file last; then
 * the scratch is removed and the job's folder closed. False with a reason; or when a signal came
 * before anything was put in its place: what is done stays done. */
bool collect_finish(struct collect *, struct text *why);
/* The same of a shard: its part of the result is written to its scratch, whole and in order, for a
 * merge (shard_result.h). The job's folder stays open. */
bool collect_finish_shard(struct collect *, struct text *why);
/* Close what is open (after a failure; finish does it by itself). */
void collect_drop(struct collect *);

/* --- for collect*.c --- */

/* A file of OUT, in the scratch; NULL with a reason. */
FILE *collect_open(struct outdir *, const char *name, struct text *why);
/* False with a reason when not all of it was written, or `good` is false. */
bool collect_close(FILE *, bool good, const char *name, struct text *why);
/* The report of a record, in the journal's bytes. False when it has none. */
bool collect_report(const struct collect *, struct slice journal, size_t record,
                    struct report_view *);
/* Write the same to two spools of the scratch (shard_result.h): the key of an entry is its
 * place in the whole result. */
bool collect_spool_annotations(struct collect *, struct slice journal, struct text *why);
/* Append an object's element with another id. */
void collect_print_numbered(struct slice element, int64_t id, struct text *out);
/* Write annotations.json, and images.json if the dataset has a list. */
bool collect_write_annotations(struct collect *, struct slice journal, struct text *why);
/* Append lines of SHA256SUMS: of a file by its hash; of the outputs in lines of the manifest; of a
 * file in the scratch. The last returns false with errno. */
void sums_print_line(const char *hex, const char *name, struct text *out);
void sums_print_outputs(struct slice lines, struct arena *, struct text *out);
bool sums_print_file(struct outdir *, const char *name, struct text *out);
/* Write SHA256SUMS: of all that the manifest lists, unless it is packed, and of `files`, which are
 * written but for SHA256SUMS itself. */
bool collect_write_sums(const struct collect *, struct slice journal, const char *const *files,
                        size_t n_files, struct text *why);
/* What run.json says beside counts: everything but the result itself. */
struct run_words {
    struct text head, loose_keys, key, notes;
    bool rejects, varies, trusts_file;
};
/* Of a whole job, or of its shards. */
struct totals {
    size_t done, skipped; /* records */
    struct counts counts; /* of those that are done */
};
void run_words_make(const struct job *, struct run_words *);
void run_words_drop(struct run_words *);
/* Append run.json; `files` are those of OUT itself. */
void run_words_print(const struct run_words *, const struct totals *, const char *const *files,
                     size_t n_files, struct text *out);
/* Write run.json; `files` are those of OUT itself. */
bool collect_write_run(const struct collect *, const char *const *files, size_t n_files,
                       struct text *why);
