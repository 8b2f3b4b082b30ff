/* check: annotation files through all rules, and what was found to reporters. */
#pragma once

#include "check/registry.h"

/* A report that is asked for. */
struct check_output {
    const struct reporter *reporter;
    const char *path; /* "-": stdout */
    size_t most;      /* findings of a rule; 0: as the reporter has it */
};

/* All rules, selected and with the severities of their rows. */
void check_begin(struct check *, const struct check_options *);
/* Read the files and find what there is to find; sort it. False with faults when a file cannot be
 * read at all. */
bool check_run(struct check *, struct faults *);
/* Write the report. False with faults: it could not be written. */
bool check_write(const struct check *, const struct check_output *, struct faults *);
/* Fill in what is known at the end, once all findings are there: order, places, fingerprints,
 * counts. For check_run. */
void check_finish(struct check *);
void check_drop(struct check *);
