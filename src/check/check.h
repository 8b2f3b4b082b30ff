/* check: runs all rules on annotation files, and reports the findings. */
#pragma once

#include "check/registry.h"

/* A report to write. */
struct check_output {
    const struct reporter *reporter;
    const char *path;    /* "-": stdout */
    size_t max_findings; /* maximum number of findings per rule; 0: the reporter's own */
};

/* Sets up all rules, selected and with the severities of their rows. */
void check_begin(struct check *, const struct check_options *);
/* Reads the files, finds and sorts all findings. Returns false with faults if a file cannot be read
 * at all. */
bool check_run(struct check *, struct faults *);
/* Writes the report. Returns false with faults if it could not be written. */
bool check_write(const struct check *, const struct check_output *, struct faults *);
/* Sets what is only known when all findings are there: order, places, fingerprints, counts. Called
 * by check_run. */
void check_finish(struct check *);
void check_drop(struct check *);
