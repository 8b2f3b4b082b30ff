/* run_json_write: writes run.json, for a whole job or for its shards. */
#pragma once

#include "batch/results/report_index.h"

/* The members of run.json that do not depend on the result. */
struct run_words {
    struct text head, loose_keys, key, notes;
    bool rejects, varies, trusts_file;
};
void run_words_make(const struct job *, struct run_words *);
void run_words_drop(struct run_words *);
/* Appends run.json; `files` are those of OUT itself. */
void run_words_print(const struct run_words *, const struct totals *, const char *const *files,
                     size_t n_files, struct text *out);
/* Writes run.json; `files` are those of OUT itself. */
bool collect_write_run(const struct collect *, const char *const *files, size_t n_files,
                       struct text *why);
